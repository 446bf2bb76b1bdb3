//! The engine and how it measures puzzles.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use treegauge::chess::uci::{EngineOptions, Program, UciError};
use treegauge::chess::{Cache, CacheError, MeasureOptions, MultiPv};
use treegauge::trees::{Distances, NAMED_SETTINGS, TreeSettings};
use treegauge::{DifficultyRun, StoredRatingModel};

use crate::common::clock;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{to_extend, to_read};
use crate::output::complain;
use crate::terminal::hint;
use treegauge::grammar::count;

#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The engine: a program that speaks the Universal Chess Interface and can list several moves. A name
    /// without a slash is looked for as a shell does [default: stockfish, where it is installed]
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,

    /// Set an option of the engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    engine_option: Vec<(String, String)>,

    /// The depth of each search, in plies
    #[arg(long, value_name = "D", default_value_t = 10, value_parser = count::<u32>(1..=99))]
    depth: u32,

    /// The moves that a search lists: `adaptive` lists more and more until the worst is not meaningful
    #[arg(long, value_name = "adaptive|N", default_value = "adaptive", value_parser = parse_multi_pv)]
    multipv: MultiPv,

    /// How trees are built
    #[arg(long, value_enum, default_value = "thesis-rescaled")]
    settings: SettingsArg,

    /// The least score that counts as won, in centipawns (for a game, as a mean result from -1 to 1)
    /// [default: that of the settings]
    #[arg(long, value_name = "CP", allow_hyphen_values = true)]
    w: Option<f64>,

    /// How much worse than the best answer a meaningful answer may be, in centipawns (for a game, as a
    /// mean result) [default: that of the settings]
    #[arg(long, value_name = "CP")]
    m: Option<f64>,

    /// Keep answers that are mated only where every answer is
    #[arg(long)]
    strict_mate: bool,

    /// The kept moves at which a tree is cut off
    #[arg(long, value_name = "N", default_value_t = TreeSettings::RESULTS.nodes_max, value_parser = count::<u32>(1..=100_000))]
    nodes_max: u32,

    /// How the distances of moves are added up
    #[arg(long, value_enum, default_value = "per-move")]
    distances: DistancesArg,

    /// The engines that work at once, which the result does not depend on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<u16>(1..=1024))]
    engines: u16,

    /// The seconds that an engine may take for an answer; one that hangs twice in a row is not asked any more
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = count::<u32>(1..=86_400))]
    timeout: u32,

    /// Keep the answers of engines in this file, so that nothing is searched twice [default: one in the
    /// user's folder of caches]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Keep no answers
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,

    /// Exit with 0 also where the engine failed on some puzzles
    #[arg(long)]
    pub(crate) recover: bool,
}

/// A named setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SettingsArg {
    /// The thresholds of Stoiljkovikj 2015 in the centipawns of Stockfish 15.1: w=143, m=36.
    ThesisRescaled,
    /// The thresholds as they are printed: w=200, m=50.
    ThesisLiteral,
}

/// A way to add up distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DistancesArg {
    /// Every kept move counts.
    PerMove,
    /// A move that is kept in several places of a level counts once.
    Distinct,
}

fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    let is_line = |part: &str| !part.chars().any(char::is_control);
    if name.trim().is_empty() || !is_line(text) {
        return Err("write it as NAME=VALUE".to_owned());
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
        _ => Err("it is `adaptive` or a number from 1 to 256".to_owned()),
    }
}

impl EngineArgs {
    /// How trees of games are built whose values are results.
    pub(crate) fn result_settings(&self) -> Outcome<TreeSettings> {
        self.changed(TreeSettings::RESULTS, 1.0)
    }

    fn changed(&self, settings: TreeSettings, most: f64) -> Outcome<TreeSettings> {
        let win = self.w.unwrap_or(settings.win);
        let margin = self.m.unwrap_or(settings.margin);
        if !(win.abs() <= most && (0.0..=most).contains(&margin)) {
            let message =
                format!("--w is a number from -{most} to {most}, and --m one from 0 to {most}");
            return Err(Failure::new(Exit::Usage, message));
        }
        let (strict_mate, nodes_max) = (self.strict_mate, self.nodes_max);
        Ok(TreeSettings { win, margin, strict_mate, nodes_max, ..settings })
    }

    /// A run with this engine.
    pub(crate) fn run(&self) -> Outcome<DifficultyRun> {
        let named = match self.settings {
            SettingsArg::ThesisRescaled => &NAMED_SETTINGS[0],
            SettingsArg::ThesisLiteral => &NAMED_SETTINGS[1],
        };
        let settings = self.changed(named.settings, 100_000.0)?;
        let path = match &self.engine {
            Some(path) => found(path)?,
            None => installed()?,
        };
        // Until the signals have their handlers they end the program at once.
        let program = Program::open(&path, &()).map_err(|error| no_engine(&error))?;
        let engine = EngineOptions {
            program,
            depth: self.depth,
            hash_megabytes: 4,
            more: self.engine_option.clone(),
            answer_max: Duration::from_secs(self.timeout.into()),
            clock: clock(),
        };
        let distances = match self.distances {
            DistancesArg::PerMove => Distances::PerMove,
            DistancesArg::Distinct => Distances::Distinct,
        };
        Ok(DifficultyRun {
            options: MeasureOptions { engine, settings, multi_pv: self.multipv, distances },
            engines: self.engines.into(),
            cache: self.cache()?,
            reasons: 3,
            keep_attributes: false,
            keep_trees: false,
        })
    }

    /// The file of answers, if there is to be one.
    fn cache(&self) -> Outcome<Option<Arc<Cache>>> {
        if let Some(path) = &self.cache {
            to_extend(path)?;
            let cache = Cache::open(path).map_err(|error| {
                let way = match error {
                    CacheError::InUse(_) => {
                        "; wait for its end, name another file, or use --no-cache"
                    }
                    _ => "",
                };
                Failure::new(Exit::Data, format!("{error}{way}"))
            })?;
            return Ok(Some(opened(cache)));
        }
        let Some(path) = standard_cache().filter(|_| !self.no_cache) else { return Ok(None) };
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let is_large = path.metadata().is_ok_and(|found| found.len() > CACHE_BYTES_MAX);
        if is_large && Cache::open(&path).is_ok() {
            let _ = std::fs::remove_file(&path);
        }
        match folder.map(|()| Cache::open(&path)) {
            Ok(Ok(cache)) => {
                let _ = std::fs::remove_file(path.with_file_name(EARLIER_CACHE));
                Ok(Some(opened(cache)))
            }
            Ok(Err(error @ CacheError::InUse(_))) => {
                hint(&format!("{error}; this one keeps no answers"));
                Ok(None)
            }
            Ok(Err(error)) => {
                hint(&format!("{error}; this run keeps no answers"));
                Ok(None)
            }
            Err(_) => Ok(None),
        }
    }
}

/// Says what was mended in a cache.
fn opened(cache: Cache) -> Arc<Cache> {
    if let Some(mended) = cache.mended() {
        complain(mended);
    }
    Arc::new(cache)
}

/// The size at which the standard cache is begun anew.
const CACHE_BYTES_MAX: u64 = 512 << 20;

/// The standard cache of earlier versions, in another format: of no use any more, and up to 1 GB large.
const EARLIER_CACHE: &str = "engine-answers.redb";

/// Where answers are kept if nothing else is said: nowhere where the user has no folder.
fn standard_cache() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(folder.join("treegauge").join("engine-answers"))
}

/// The folders in which a shell looks for a program.
fn program_folders() -> Vec<PathBuf> {
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect()
}

/// Whether a file can be run, by its permissions.
fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    let may_run = |found: std::fs::Metadata| {
        std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0
    };
    #[cfg(not(unix))]
    let may_run = |_: std::fs::Metadata| true;
    path.is_file() && path.metadata().is_ok_and(may_run)
}

/// The file of a program that a user named: a name without a slash is one of a folder in which a shell looks.
/// Found once, so that the file that is hashed is the one that runs.
fn found(named: &Path) -> Outcome<PathBuf> {
    let is_bare = named.components().count() == 1 && named.file_name() == Some(named.as_os_str());
    if !is_bare {
        return Ok(named.to_owned());
    }
    let found = program_folders().into_iter().map(|folder| folder.join(named));
    found.into_iter().find(|path| is_program(path)).ok_or_else(|| {
        let name = named.display();
        let here = if named.is_file() {
            format!("; --engine ./{name} is the file here")
        } else {
            String::new()
        };
        no_engine(&UciError::Start(format!("{name} is in no folder of PATH{here}")))
    })
}

fn no_engine(error: &UciError) -> Failure {
    Failure::new(Exit::Engine, error.to_string())
}

/// The engine that is installed.
fn installed() -> Outcome<PathBuf> {
    let named = program_folders().into_iter().map(|folder| folder.join("stockfish"));
    // Debian's games are not on the path of every user.
    let mut all = named.chain([PathBuf::from("/usr/games/stockfish")]);
    all.find(|path| is_program(path)).ok_or_else(|| {
        let message = "no engine was found: install `stockfish`, or name one with --engine PATH";
        Failure::new(Exit::Engine, message)
    })
}

/// The model that `--model` names; nothing where that is `none`.
pub(crate) fn model(path: Option<&Path>) -> Outcome<Option<StoredRatingModel>> {
    match path {
        None => Ok(Some(StoredRatingModel::standard().clone())),
        Some(path) if path == Path::new("none") => Ok(None),
        Some(path) => {
            to_read(path)?;
            Ok(Some(StoredRatingModel::read(path)?))
        }
    }
}
