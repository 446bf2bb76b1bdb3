//! `treegauge gauge`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::catalog::{GameSpec, Parameter, Values};
use treegauge::report::{Document, tree_features_text};
use treegauge::study::GaugeReport;
use treegauge::study::vet::Vetted;
use treegauge::{Beginning, ErrorKind, Game, GaugeRun, StoredModel};

use crate::common::{PositionArgs, game};
use crate::exit::{Exit, Failure, Outcome};
use crate::gauging::{FailOnArgs, PlanArgs};
use crate::model::read_model;
use crate::output::{print, print_report};
use crate::record::RunRecord;
use crate::resume;
use crate::solving::{Bar, pool};
use crate::terminal::{hint, terminal};
use crate::web_page::{Page, PageArgs};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    fail_on: FailOnArgs,

    #[command(flatten)]
    at: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print the features of the search trees too; JSON and the web page always have them
    #[arg(long, conflicts_with = "json")]
    tree_features: bool,

    /// Which model says whether the game is playable: the file of one, or `none` [default: the one of this
    /// program]
    #[arg(long, value_name = "MODEL|none")]
    model: Option<PathBuf>,

    #[command(flatten)]
    page: PageArgs,

    /// Keep each game as a line of JSON; games that are already in FILE are not played again, so a
    /// killed run continues, and a larger --games adds to the record
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Says how to find out which parameter of a game moves a flaw.
fn for_variants(game: &Game) {
    if let Some(variants) = variants_of(&game.info().spec) {
        hint(&format!("`treegauge compare '{variants}'` shows what a parameter changes"));
    }
}

/// A game with a range for one of its numbers: the first that is not at its default, or else the
/// first. `None` where it has none.
fn variants_of(spec: &GameSpec) -> Option<String> {
    let family = spec.family();
    let is_set = |p: &&Parameter| spec.args().text(p.name) != p.default;
    let ranges = family.parameters.iter().filter_map(|parameter| {
        let Values::Whole(least, greatest) = parameter.values else { return None };
        let value: u64 = spec.args().text(parameter.name).parse().ok()?;
        let (least, greatest) = (least.max(value.saturating_sub(1)), greatest.min(value + 1));
        Some((parameter, format!("{}={least}..{greatest}", parameter.name)))
    });
    let (varied, range) = ranges.min_by_key(|(parameter, _)| !is_set(parameter))?;
    let others = family.all_parameters().filter(|p| is_set(p) && p.name != varied.name);
    let others = others.map(|p| format!("{}={}", p.name, spec.args().text(p.name)));
    let all: Vec<String> = std::iter::once(range).chain(others).collect();
    Some(format!("{}({})", family.name, all.join(",")))
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game(&arguments.game)?;
    let model = model(arguments)?;
    let page = arguments.page.page(arguments.json)?;
    let pool = pool(arguments.plan.threads)?;
    let run = GaugeRun::new(&game, &arguments.at.beginning(), arguments.plan.plan()?)?;
    let (record, known) = RunRecord::open(arguments.record.as_deref(), &run.header())?;
    let bar = Bar::new();
    let mut report = pool.install(|| run.run(known, record.pieces(), &record.watch(&bar)));
    bar.finish();
    let vetted = match model.filter(|_| is_over(&report)) {
        Some(model) => {
            // Who names a model wants its answer.
            if arguments.model.is_none() {
                report.model_unasked = model.unasked(&game, run.plan(), &report.gauge);
            }
            if report.model_unasked.is_none() {
                pool.install(|| vetted(&model, &game, arguments.plan.seed()))
            } else {
                Ok(None)
            }
        }
        None => Ok(None),
    };
    let vetted = vetted.map(|vetted| report.vetted = vetted);
    // What cannot be kept or written is said after the report, which is printed all the same; and
    // what is kept does not depend on whether somebody reads the report.
    let recorded = record.end(report.gauge.incomplete);
    let written = page.write(|| report.doc(&game).page());
    let printed = printed(arguments, &report, &game, &page);
    written.and(recorded).and(vetted).and(printed)?;
    arguments.fail_on.check(&report)
}

/// The model that is asked.
fn model(arguments: &Arguments) -> Outcome<Option<Cow<'static, StoredModel>>> {
    let begins_elsewhere = arguments.at.beginning() != Beginning::default();
    match arguments.model.as_deref() {
        Some(path) if path == Path::new("none") => Ok(None),
        // A model judges games, not positions.
        None if begins_elsewhere => Ok(None),
        Some(_) if begins_elsewhere => Err(Failure::new(
            Exit::Usage,
            "a model judges a game from its start: --model goes with no position and no moves",
        )),
        path => Ok(Some(read_model(path)?)),
    }
}

/// Whether all games of a gauge are over, and there are any.
fn is_over(report: &GaugeReport) -> bool {
    !report.gauge.incomplete && report.gauge.measured("plies").mean.is_some()
}

/// What a model says of a game.
fn vetted(model: &StoredModel, game: &Game, seed: u64) -> Outcome<Option<Vetted>> {
    let bar = Bar::new();
    let vetted = model.vet(game, seed, &bar);
    bar.finish();
    vetted.map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Failure::interrupted(
            "interrupted while a model was asked; the report lacks its answer only",
        ),
        _ => error.into(),
    })
}

/// Prints a report, and what to do next.
fn printed(arguments: &Arguments, report: &GaugeReport, game: &Game, page: &Page) -> Outcome {
    if arguments.json {
        return print_report(report);
    }
    if page.is_printed() {
        return Ok(());
    }
    let mut text = report.doc(game).text(terminal());
    if arguments.tree_features {
        text.push('\n');
        text.push_str(&tree_features_text(report, terminal()));
    }
    print(&text)?;
    if report.model_unasked.is_some() {
        let game = resume::quoted(game.written().as_ref());
        hint(&format!("`treegauge vet {game}` asks the model all the same"));
    }
    if report.gauge.verdict.flawed == Some(true) {
        for_variants(game);
    }
    if !page.is_asked() {
        hint("`--html FILE` writes a page that explains each measure; `--open` shows it");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variants_that_a_hint_names_are_games() {
        let variants = |text: &str| variants_of(&GameSpec::parse(text).unwrap());
        assert_eq!(variants("connect_four").as_deref(), Some("connect_four(cols=6..8)"));
        assert_eq!(variants("broken_connect_four").as_deref(), Some("connect_four(k=5..7)"));
        assert_eq!(
            variants("connect_four(k=3,cols=5)").as_deref(),
            Some("connect_four(cols=4..6,k=3)")
        );
        assert_eq!(variants("wild_tic_tac_toe"), None);
        for text in ["broken_achi", "mnk(k=3,rows=3)", "one_to_ten", "othello(adjacent=true)"] {
            if let Some(variants) = variants(text) {
                assert!(treegauge::variants(std::slice::from_ref(&variants)).is_ok(), "{variants}");
            }
        }
    }
}
