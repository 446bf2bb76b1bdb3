//! Judgement of games by self-play.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_catalog::{GameSpec, Parameter, Values};
use treegauge_core::Watch;
use treegauge_engine::StartingPoint;
use treegauge_gauge::GaugeReport;
use treegauge_report::{SavedKind, tree_features};

use super::blocks::GAMES_RECORD;
use super::partial::{Partials, Stopped};
use super::{Context, Done, Ending, FailOnArgs, Group, Means, PlanArgs, PositionArgs, Task};
use crate::{Error, ErrorKind, Game, GaugeRun, StoredModel};

/// The value of `--model` that stands for no model.
const NO_MODEL: &str = "none";

/// Judge a game by self-play: is it drawish, biased, too short?
#[derive(Debug, Args)]
pub struct GaugeTask {
    /// Game, as `games` lists it
    game: String,

    /// Model that predicts playability: a model file or `none` [default: built-in]
    #[arg(long, value_name = "MODEL|none")]
    model: Option<PathBuf>,

    /// Print the features of the search trees too; JSON and the web page always have them
    #[arg(long)]
    tree_features: bool,

    #[command(flatten)]
    plan: PlanArgs,

    #[command(flatten)]
    fail_on: FailOnArgs,

    #[command(flatten)]
    at: PositionArgs,
}

impl Task for GaugeTask {
    const NAME: &'static str = "gauge";
    const GROUP: Group = Group::Judge;
    const EXAMPLES: &'static [&'static str] = &[
        "gauge connect_four",
        "gauge 'breakthrough(cols=6,rows=6)' --open",
        "gauge mnk --iterations 13,000 --record mnk.jsonl",
        "gauge achi --json --fail-on any > achi.json",
    ];
    const COMMON: &'static [&'static str] = &["budget", "open", "record"];
    const MEANS: Means = Means { threads: true, kept: Some(GAMES_RECORD), ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<GaugeReport>()];
    const HAS_PICTURE: bool = true;

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        if self.begins_elsewhere() && self.named_model().is_some() {
            let message =
                "a model judges a game from its start: --model goes with no position and no moves";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        Ok(self.named_model().into_iter().map(Path::to_owned).collect())
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        self.inputs()?;
        let game = context.game(&self.game)?;
        let model = self.model(context)?;
        let mut plan = self.plan.plan(context.memory_bytes_max)?;
        let fitted = self.plan.fit(&mut plan, [&game], &self.at.beginning())?;
        fitted.notes.iter().for_each(|words| context.watch.note(words));
        let run = GaugeRun::new(&game, &self.at.beginning(), plan)?;
        let (record, known) = context.record(&run.header())?;
        let keep = Partials::new(record.pieces(), &known, context, |games| {
            Some(Box::new(run.run(games, &(), &Stopped)))
        });
        let mut report = run.run(known, &keep, &record.watch(context.watch));
        self.plan.add_time(&fitted, run.plan(), &mut report.gauge.verdict);
        let vetted = self.ask(model.as_deref(), &run, &game, &mut report, context.watch);
        let incomplete = report.gauge.incomplete;
        let problem = record.end(incomplete).or(vetted.err());
        let ending = match self.fail_on.found(&report) {
            _ if incomplete => Ending::Incomplete(None),
            Some(found) => Ending::No(Some(found)),
            None => Ending::Good,
        };
        let details = self.tree_features.then(|| tree_features(&report)).flatten();
        report.variants = variants_of(&game.info().spec);
        let page_hint = Some("explains each measure");
        Ok(Done { problem, details, page_hint, ..Done::of(report, game).ending(ending) })
    }
}

impl GaugeTask {
    fn begins_elsewhere(&self) -> bool {
        self.at.beginning() != StartingPoint::default()
    }

    /// The file of the model that was named.
    fn named_model(&self) -> Option<&Path> {
        self.model.as_deref().filter(|path| *path != Path::new(NO_MODEL))
    }

    /// The model that predicts; `None` if the games do not begin at the start, since models judge whole games.
    fn model(&self, context: &Context<'_>) -> Result<Option<Cow<'static, StoredModel>>, Error> {
        match (self.named_model(), &self.model) {
            (Some(path), _) => Ok(Some(context.model(Some(path))?)),
            (None, Some(_)) => Ok(None),
            (None, None) if self.begins_elsewhere() => Ok(None),
            (None, None) => Ok(Some(context.model(None)?)),
        }
    }

    /// Adds the evidence that decides, or else the answer of the model, to the report of a gauge whose
    /// games are over.
    fn ask(
        &self,
        model: Option<&StoredModel>,
        run: &GaugeRun,
        game: &Game,
        report: &mut GaugeReport,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let is_over = !report.gauge.incomplete && report.gauge.measured("plies").mean.is_some();
        let Some(model) = model.filter(|_| is_over) else { return Ok(()) };
        let answer = || {
            let evidence = model.evidence(game, &report.gauge, watch)?;
            // A named model is always asked.
            let unasked = match (&evidence, &self.model) {
                (None, None) => model.unasked(game, run.plan(), &report.gauge),
                _ => None,
            };
            let vetted = match evidence {
                None if unasked.is_none() => model.vet(game, self.plan.seed(), watch)?,
                evidence => evidence,
            };
            Ok((vetted, unasked))
        };
        (report.vetted, report.model_unasked) =
            answer().map_err(|error: Error| match error.kind() {
                ErrorKind::Interrupted => Error::interrupted(
                    "a model was being asked, and the report lacks its answer only",
                ),
                _ => error,
            })?;
        Ok(())
    }
}

/// A game with a range for one of its numeric parameters: the first without its default value, or else
/// the first. `None` if the game has no such parameter.
fn variants_of(spec: &GameSpec) -> Option<String> {
    let family = spec.family();
    let is_set = |p: &&Parameter| spec.args().text(p.name) != p.default;
    let ranges = family.parameters.iter().filter_map(|parameter| {
        let Values::Whole(least, greatest) = parameter.values else { return None };
        let value: u64 = spec.args().text(parameter.name).parse().ok()?;
        // On a board with a side shorter than a line nobody can win.
        let line: Option<u64> = family.parameters.iter().find(|p| p.name == "k").and_then(|k| {
            spec.args().text(k.name).parse().ok().filter(|_| parameter.name != k.name)
        });
        let least = least.max(line.unwrap_or(0).min(value));
        let (least, greatest) = (least.max(value.saturating_sub(1)), greatest.min(value + 1));
        Some((parameter, format!("{}={least}..{greatest}", parameter.name)))
    });
    let (varied, range) = ranges.min_by_key(|(parameter, _)| !is_set(parameter))?;
    let others = family.all_parameters().filter(|p| is_set(p) && p.name != varied.name);
    let others = others.map(|p| format!("{}={}", p.name, spec.args().text(p.name)));
    let all: Vec<String> = std::iter::once(range).chain(others).collect();
    Some(format!("{}({})", family.name, all.join(",")))
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
        assert_eq!(variants("tic_tac_toe").as_deref(), Some("tic_tac_toe(size=3..4)"));
        assert_eq!(variants("wild_tic_tac_toe"), None);
        for text in ["broken_achi", "mnk(k=3,rows=3)", "one_to_ten", "othello(adjacent=true)"] {
            if let Some(variants) = variants(text) {
                assert!(crate::variants(std::slice::from_ref(&variants)).is_ok(), "{variants}");
            }
        }
    }
}
