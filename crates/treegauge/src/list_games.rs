//! Games of the catalog.

use treegauge_catalog::{FAMILIES, Family, GameSpec, LibraryGame, Parameter, library};
use treegauge_core::ReportHeader;
use treegauge_engine::EVALUATORS;
use treegauge_grammar::Form;
use treegauge_report::{
    EvaluatorListing, GameListing, GameOrigin, GamesReport, LibraryListing, NameRow, NamesReport,
    ParameterListing, PresetListing, ShortListing,
};

use crate::{Error, Game};

/// Every family of games with its parameters, presets, capabilities and evaluators; and the games of
/// the library.
#[must_use]
pub fn list_games() -> GamesReport {
    // `margin` is added separately, because only games with scores have it.
    let common = EVALUATORS.iter().filter(|form| form.name != "margin");
    let evaluators = common.map(Form::usage).collect();
    let games = FAMILIES.iter().map(|family| describe(family));
    let games = games.collect::<Result<_, _>>().expect("the catalog has no error");
    let library = library().iter().map(|game| LibraryListing {
        name: game.name.to_owned(),
        aliases: owned(&game.aliases),
        goal: game.goal.to_owned(),
        origin: game_origin(game),
    });
    GamesReport { head: ReportHeader::NEW, games, library: library.collect(), evaluators }
}

/// Moves the games of the library for which `is_asked` holds to the described games, and drops the
/// others.
pub(crate) fn describe_library(
    report: &mut GamesReport,
    is_asked: impl Fn(&LibraryGame) -> bool,
) -> Result<(), Error> {
    report.library.clear();
    for game in library().iter().filter(|game| is_asked(game)) {
        let listing = describe(game.family())?;
        report.games.push(GameListing { origin: Some(game_origin(game)), ..listing });
    }
    Ok(())
}

/// Origin of a game of the library, for reports.
#[must_use]
pub fn game_origin(game: &LibraryGame) -> GameOrigin {
    GameOrigin {
        title: game.title.to_owned(),
        group: game.group.name().to_owned(),
        year: game.year.to_owned(),
        author: game.author.map(str::to_owned),
        source: game.source.clone(),
        differs: game.differs.clone(),
    }
}

/// Canonical names of games, in their order.
#[must_use]
pub fn name_games(games: &[Game]) -> NamesReport {
    let row =
        |(place, game): (u64, &Game)| NameRow { place, input: game.written(), game: game.name() };
    NamesReport { head: ReportHeader::NEW, rows: (1..).zip(games).map(row).collect() }
}

fn describe(family: &'static Family) -> Result<GameListing, Error> {
    let game = Game::parse(family.name)?;
    let info = game.info();
    let evaluators = info.evaluators.iter().map(|evaluator| EvaluatorListing {
        name: evaluator.name.to_owned(),
        summary: evaluator.summary.to_owned(),
        parameters: evaluator.parameters.iter().map(parameter).collect(),
    });
    let presets = family.presets.iter().map(|preset| {
        let game = GameSpec::parse(preset.name)?.canonical();
        let (name, summary) = (preset.name.to_owned(), preset.summary.to_owned());
        Ok(PresetListing { name, game, summary })
    });
    let short =
        |&(name, sets): &(&str, &[&str])| ShortListing { name: name.to_owned(), sets: owned(sets) };
    Ok(GameListing {
        name: family.name.to_owned(),
        aliases: owned(family.aliases),
        summary: family.summary.to_owned(),
        rules: family.rules_text(),
        moves: family.moves.to_owned(),
        parameters: family.all_parameters().map(parameter).collect(),
        short: family.both.iter().map(short).collect(),
        capabilities: info.capabilities.iter().map(|c| c.name().to_owned()).collect(),
        evaluators: evaluators.collect(),
        presets: presets.collect::<Result<_, Error>>()?,
        origin: None,
    })
}

fn parameter(p: &Parameter) -> ParameterListing {
    ParameterListing {
        name: p.name.to_owned(),
        default: p.default.to_owned(),
        values: p.values.to_string(),
        help: p.help.to_owned(),
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_game_of_the_catalog_is_listed() {
        let report = super::list_games();
        assert_eq!(report.games.len(), treegauge_catalog::FAMILIES.len());
        assert_eq!(report.library.len(), treegauge_catalog::library().len());
    }
}
