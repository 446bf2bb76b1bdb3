//! The engine and its measurement of puzzles.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use treegauge_difficulty::chess::uci::{EngineOptions, Program};
use treegauge_difficulty::chess::{Cache, CacheError, MeasureOptions, MultiPv};
use treegauge_difficulty::{DistanceRule, NAMED_SETTINGS, TreeSettings};
use treegauge_grammar::{count, number};

use super::super::Context;
use super::people::{Networks, People};
use crate::{DifficultyRun, Error, ErrorKind, StoredRatingModel};

/// The engine and the settings of its trees.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine and trees")]
pub(super) struct EngineArgs {
    /// Engine: a program of the Universal Chess Interface that can list several moves, or `none`; a name without a
    /// slash is found as in a shell [default: stockfish, or `none` if it is not installed]
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,

    /// Set an option of the engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    engine_option: Vec<(String, String)>,

    /// Depth of each search, in plies
    #[arg(long, value_name = "D", default_value_t = 10, value_parser = count::<u32>(1..=99))]
    depth: u32,

    /// Moves that a search lists; `adaptive` lists more until the worst is not meaningful [default: as --settings]
    #[arg(long, value_name = "adaptive|N", value_parser = parse_multi_pv)]
    multipv: Option<MultiPv>,

    /// Named thresholds of the trees
    #[arg(long, value_enum, default_value = "thesis-rescaled")]
    settings: SettingsArg,

    /// Least score that counts as won, in centipawns (for other games, a mean result from -1 to 1) [default: as
    /// --settings]
    #[arg(long, value_name = "CP", allow_hyphen_values = true, value_parser = number(-CENTIPAWNS_MAX, CENTIPAWNS_MAX))]
    w: Option<f64>,

    /// Greatest loss of a meaningful answer against the best one, in centipawns (for other games, a mean result from 0
    /// to 1) [default: as --settings]
    #[arg(long, value_name = "CP", value_parser = number(0.0, CENTIPAWNS_MAX))]
    m: Option<f64>,

    /// Keep answers that get mated only if every answer does
    #[arg(long)]
    strict_mate: bool,

    /// Kept moves at which a tree is cut off [default: 60; 3000 in a table of chess puzzles]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=100_000))]
    nodes_max: Option<u32>,

    /// Moves whose distances are added up
    #[arg(long, value_enum, default_value = "per-move")]
    distances: DistancesArg,

    /// Engines that work at once (never affects the result)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u16>(1..=1024))]
    engines: u16,

    /// Seconds that an engine may take for an answer; an engine that hangs twice in a row is given up
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = count::<u32>(1..=86_400))]
    timeout: u32,

    /// Do not keep the answers of engines
    #[arg(long)]
    pub(super) no_cache: bool,

    /// Exit with 0 even if the engine failed on some puzzles
    #[arg(long)]
    pub(super) recover: bool,
}

/// Name for a run without an engine.
const NO_ENGINE: &str = "none";

/// The limit of scores in centipawns.
const CENTIPAWNS_MAX: f64 = 100_000.0;

/// Named settings of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SettingsArg {
    /// Thresholds of Stoiljkovikj 2015 in the centipawns of Stockfish 15.1: w=143, m=36, and --multipv adaptive
    ThesisRescaled,
    /// Thresholds as printed there: w=200, m=50, and --multipv 8
    ThesisLiteral,
}

/// A way to add up distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DistancesArg {
    /// Every kept move
    PerMove,
    /// A move that is kept several times at a level counts once
    Distinct,
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let is_line = |part: &str| !part.chars().any(char::is_control);
    if name.trim().is_empty() || !is_line(text) {
        return Err("expected NAME=VALUE".to_owned());
    }
    let name = name.trim();
    if name.eq_ignore_ascii_case("MultiPV") {
        return Err("--multipv says how many moves a search lists".to_owned());
    }
    if name.eq_ignore_ascii_case("Threads") {
        let message = "an engine searches with one thread, so that it answers the same each time; --engines N works on N puzzles at once";
        return Err(message.to_owned());
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}

fn parse_multi_pv(text: &str) -> Result<MultiPv, String> {
    if text == "adaptive" {
        return Ok(MultiPv::Adaptive);
    }
    match text.parse::<u32>() {
        Ok(lines @ 1..=256) => Ok(MultiPv::Fixed(lines)),
        _ => Err("expected `adaptive` or a number from 1 to 256".to_owned()),
    }
}

/// Kept moves at which the trees of a report are cut off. The shipped model learned from as many.
const SHOWN_NODES: u32 = 60;

impl EngineArgs {
    /// Kept moves at which the trees of a report are cut off: a report shows the beginning of each
    /// tree, and the rating follows from as much.
    pub(super) fn shown_nodes(&self) -> u32 {
        self.nodes_max.unwrap_or(SHOWN_NODES)
    }

    /// The settings of trees for games, whose values are results.
    pub(super) fn result_settings(&self) -> Result<TreeSettings, Error> {
        self.changed(TreeSettings::RESULTS, 1.0)
    }

    /// Path of the engine; `None` without one.
    fn path(&self, context: &Context<'_>) -> Result<Option<PathBuf>, Error> {
        let named = self.engine.as_deref();
        if named == Some(Path::new(NO_ENGINE)) {
            return Ok(None);
        }
        match context.files.engine(named) {
            Err(_) if named.is_none() => {
                let note = "Stockfish is not installed, so ratings follow from positions and \
                            solutions alone; --engine names an engine";
                context.watch.note(note);
                Ok(None)
            }
            found => found.map(Some),
        }
    }

    fn changed(&self, settings: TreeSettings, most: f64) -> Result<TreeSettings, Error> {
        let win = self.w.unwrap_or(settings.win);
        let margin = self.m.unwrap_or(settings.margin);
        if !(win.abs() <= most && (0.0..=most).contains(&margin)) {
            let message =
                format!("--w is a number from -{most} to {most}, and --m one from 0 to {most}");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let strict_mate = self.strict_mate;
        let nodes_max = self.nodes_max.unwrap_or(settings.nodes_max);
        Ok(TreeSettings { win, margin, strict_mate, nodes_max, ..settings })
    }

    /// A run with this engine, or without one, that reports this many reasons.
    pub(super) fn run(
        &self,
        reasons: usize,
        people: &People<'_>,
        context: &Context<'_>,
    ) -> Result<DifficultyRun, Error> {
        let named = match self.settings {
            SettingsArg::ThesisRescaled => &NAMED_SETTINGS[0],
            SettingsArg::ThesisLiteral => &NAMED_SETTINGS[1],
        };
        let settings = self.changed(named.settings, CENTIPAWNS_MAX)?;
        let engine = |path: PathBuf| {
            // Signals still end the program at once while the engine starts.
            let program = Program::open(&path, &());
            let program = program.map_err(|error| Error::new(ErrorKind::Engine, error))?;
            Ok::<_, Error>(EngineOptions {
                program,
                depth: self.depth,
                hash_megabytes: 4,
                more: self.engine_option.clone(),
                answer_max: Duration::from_secs(self.timeout.into()),
                clock: context.clock.clone(),
            })
        };
        let engine = match self.path(context)? {
            Some(path) => Some(engine(path)?),
            None => None,
        };
        let has_engine = engine.is_some();
        let Networks { predictor, ratings, reported } = people.read(context)?;
        let distances = match self.distances {
            DistancesArg::PerMove => DistanceRule::PerMove,
            DistancesArg::Distinct => DistanceRule::Distinct,
        };
        Ok(DifficultyRun {
            options: MeasureOptions {
                engine,
                settings,
                multi_pv: self
                    .multipv
                    .unwrap_or_else(|| named.multi_pv.map_or(MultiPv::Adaptive, MultiPv::Fixed)),
                distances,
                networks: predictor,
                model_nodes: settings.nodes_max,
                people: reported,
            },
            networks: ratings,
            engines: self.engines.into(),
            cache: if self.no_cache || !has_engine { None } else { answers(context)? },
            reasons,
            keep_attributes: false,
            keep_trees: false,
        })
    }
}

/// The file of answers; `None` if none is kept.
fn answers(context: &Context<'_>) -> Result<Option<Arc<Cache>>, Error> {
    let Some(keeping) = context.keeping else { return Ok(None) };
    if !keeping.is_required
        && keeping.path.parent().is_some_and(|folder| fs::create_dir_all(folder).is_err())
    {
        return Ok(None);
    }
    match Cache::open(keeping.path) {
        Ok(cache) => {
            if let Some(mended) = cache.mended() {
                context.watch.note(mended);
            }
            Ok(Some(Arc::new(cache)))
        }
        Err(error) if keeping.is_required => {
            let way = match error {
                CacheError::InUse(_) => "; wait for its end, name another file, or use --no-cache",
                _ => "",
            };
            Err(Error::new(ErrorKind::Data, format!("{error}{way}")))
        }
        Err(error) => {
            context.watch.note(&format!("{error}; this run keeps no answers"));
            Ok(None)
        }
    }
}

/// Ends the file of answers; returns a note if they are not all kept.
pub(super) fn finish(run: &DifficultyRun) -> Option<String> {
    let error = run.cache.as_ref()?.finish().err()?;
    Some(format!("the answers of the engine are not kept: {error}"))
}

/// The model that `--model` names; `None` if that is `none`.
pub(super) fn model(
    path: Option<&Path>,
    context: &Context<'_>,
) -> Result<Option<StoredRatingModel>, Error> {
    match path {
        None => Ok(Some(StoredRatingModel::standard().clone())),
        Some(path) if path == Path::new("none") => Ok(None),
        Some(path) => Ok(Some(StoredRatingModel::read(&context.path(path)?)?)),
    }
}
