//! Games of the catalog.

use treegauge_catalog::{
    FAMILIES, Family, GameSpec, LibraryGame, Origin, Parameter, Preset, library,
};
use treegauge_core::ReportHeader;
use treegauge_dataset::WILLIAMS_2010;
use treegauge_engine::EVALUATORS;
use treegauge_grammar::Form;
use treegauge_report::{
    EvaluatorListing, GameListing, GameOrigin, GamesReport, LibraryListing, NameRow, NamesReport,
    ParameterListing, PresetListing, ShortListing, StudyRules,
};

use crate::{Error, Game};

/// Every family of games with its parameters, presets, capabilities and evaluators; and the games of
/// the library.
#[must_use]
pub fn list_games() -> GamesReport {
    // `margin` is added separately, because only games with scores have it.
    let common = EVALUATORS.iter().filter(|form| form.name != "margin");
    let evaluators = common.map(Form::usage).collect();
    let games = FAMILIES.iter().map(|family| describe(family, family.name));
    let games = games.collect::<Result<_, _>>().expect("the catalog has no error");
    let library = library().iter().map(|game| LibraryListing {
        name: game.name.to_owned(),
        aliases: owned(&game.aliases),
        goal: game.goal.to_owned(),
        origin: origin_of(&game.origin()),
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
        report.games.push(describe(game.family(), game.family().name)?);
    }
    Ok(())
}

/// Origin of a game, for reports; `None` if its rules are those of no single published game. A preset
/// differs from the published game as its summary says.
#[must_use]
pub fn game_origin(spec: &GameSpec) -> Option<GameOrigin> {
    let mut origin = spec.family().origin?;
    let is_this = |preset: &&Preset| {
        GameSpec::parse(preset.name).is_ok_and(|other| other.args() == spec.args())
    };
    if let Some(preset) = spec.family().presets.iter().find(is_this) {
        origin.differs = Some(preset.summary);
    }
    Some(origin_of(&origin))
}

fn origin_of(origin: &Origin) -> GameOrigin {
    GameOrigin {
        title: origin.title.to_owned(),
        group: origin.group.name().to_owned(),
        year: origin.year.to_owned(),
        author: origin.author.map(str::to_owned),
        source: origin.source.to_owned(),
        differs: origin.differs.map(str::to_owned),
    }
}

/// Canonical names of games, in their order.
#[must_use]
pub fn name_games(games: &[Game]) -> NamesReport {
    let row = |(place, game): (u64, &Game)| NameRow {
        place,
        input: game.written(),
        game: game.name(),
        canonical: game.info().canonical_name.clone(),
    };
    NamesReport { head: ReportHeader::NEW, rows: (1..).zip(games).map(row).collect() }
}

/// Listing of a family, with the capabilities and evaluators of one of its games.
fn describe(family: &'static Family, game: &str) -> Result<GameListing, Error> {
    let game = Game::parse(game)?;
    let info = game.info();
    let evaluators = info.evaluators.iter().map(|evaluator| EvaluatorListing {
        name: evaluator.name.to_owned(),
        summary: evaluator.summary.to_owned(),
        parameters: evaluator.parameters.iter().map(parameter).collect(),
    });
    let presets = family.presets.iter().map(|preset| {
        let game = GameSpec::parse(preset.name)?.canonical();
        let (name, summary) = (preset.name.to_owned(), preset.summary.to_owned());
        let study = study_rules(&name);
        Ok(PresetListing { name, game, summary, study })
    });
    let short =
        |&(name, sets): &(&str, &[&str])| ShortListing { name: name.to_owned(), sets: owned(sets) };
    Ok(GameListing {
        name: family.name.to_owned(),
        aliases: owned(family.aliases),
        summary: family.summary.to_owned(),
        rules: family.rules_text(),
        moves: info.spec.moves_text(),
        parameters: family.all_parameters().map(parameter).collect(),
        short: family.both.iter().map(short).collect(),
        capabilities: info.capabilities.iter().map(|c| c.name().to_owned()).collect(),
        evaluators: evaluators.collect(),
        presets: presets.collect::<Result<_, Error>>()?,
        origin: game_origin(&info.spec),
        preset_of: None,
        study: study_rules(family.name),
    })
}

/// Listing of a preset: the game that it stands for.
pub(crate) fn describe_preset(name: &str) -> Result<Option<GameListing>, Error> {
    let of = |family: &'static Family| {
        let preset = family.presets.iter().find(|preset| preset.name == name)?;
        Some((family, preset))
    };
    let Some((family, preset)) = FAMILIES.iter().copied().find_map(of) else { return Ok(None) };
    let spec = GameSpec::parse(name)?;
    let mut listing = describe(family, name)?;
    for parameter in &mut listing.parameters {
        if let Some((_, value)) = preset.sets.iter().find(|(set, _)| *set == parameter.name) {
            (*value).clone_into(&mut parameter.default);
        }
    }
    Ok(Some(GameListing {
        name: name.to_owned(),
        aliases: Vec::new(),
        summary: preset.summary.to_owned(),
        rules: spec.rules_text(),
        presets: Vec::new(),
        preset_of: Some(spec.canonical()),
        study: study_rules(name),
        ..listing
    }))
}

/// Rules of a family or preset in Williams 2010; `None` if it is not among the games there.
fn study_rules(name: &str) -> Option<StudyRules> {
    let is_named = |game: &str| game.split('(').next() == Some(name);
    let found = WILLIAMS_2010.games.iter().find(|known| is_named(&known.game))?;
    let game = GameSpec::parse(&found.game).ok()?.canonical();
    Some(StudyRules { game, says: found.says.clone()?, here: found.here.clone()? })
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
    fn a_preset_is_listed_with_its_own_rules() {
        let found = super::describe_preset("broken_kalah").unwrap().unwrap();
        assert_eq!(found.preset_of.as_deref(), Some("kalah(captures=false)"));
        assert!(found.rules.contains("it captures nothing"), "{}", found.rules);
        let captures = found.parameters.iter().find(|one| one.name == "captures").unwrap();
        assert_eq!(captures.default, "false");
        assert!(found.study.unwrap().says.contains("store"));
        assert_eq!(super::describe_preset("kalah").unwrap(), None);
    }

    #[test]
    fn built_in_games_say_where_they_come_from() {
        let lines = |name: &str| {
            let game = crate::Game::parse(name).unwrap();
            super::game_origin(&game.info().spec).map(|origin| origin.lines())
        };
        assert_eq!(
            lines("connect_four(cols=5)").unwrap()[0],
            "Published game: Connect Four (1974, by Howard Wexler, Ned Strongin)."
        );
        let broken = lines("connect_four(k=6)").unwrap();
        assert_eq!(broken, lines("broken_connect_four").unwrap());
        assert!(broken[2].starts_with("Not as published: six in a line"), "{broken:?}");
        assert!(lines("hex").unwrap()[0].contains("Piet Hein"));
        assert_eq!(lines("mnk"), None);
        let report = super::list_games();
        let lacking = report.games.iter().filter(|game| game.origin.is_none());
        assert_eq!(lacking.map(|game| &game.name[..]).collect::<Vec<_>>(), ["mnk"]);
    }

    #[test]
    fn the_28_games_of_the_study_say_which_rules_they_follow() {
        let report = super::list_games();
        let families = report.games.iter().filter(|game| game.study.is_some()).count();
        let presets = report.games.iter().flat_map(|game| &game.presets);
        let presets = presets.filter(|preset| preset.study.is_some()).count();
        assert_eq!((families, presets), (17, 11));
    }

    #[test]
    fn every_game_of_the_catalog_is_listed() {
        let report = super::list_games();
        assert_eq!(report.games.len(), treegauge_catalog::FAMILIES.len());
        assert_eq!(report.library.len(), treegauge_catalog::library().len());
    }
}
