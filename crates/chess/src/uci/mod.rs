//! Engines that speak the Universal Chess Interface.
//!
//! An engine is a program of somebody else's: it may hang, die, flood its output or write nonsense. Every
//! wait here has an end, every answer is checked, and an engine that failed is ended with all that it
//! started. (S. Meyer-Kahlen, "Description of the universal chess interface", 2006.)

mod info;
mod process;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_core::{Clock, Watch};
use treegauge_difficulty::Value;

use info::{Info, Output};
use process::{NoLine, Process};

/// How an engine is used.
#[derive(Clone)]
pub struct EngineOptions {
    /// The program.
    pub path: PathBuf,
    /// The depth of a search, in plies.
    pub depth: u32,
    /// The memory of its table, in megabytes. It is cleared before each position, which takes time in
    /// proportion.
    pub hash_megabytes: u32,
    /// Options of the engine by name, with their values.
    pub more: Vec<(String, String)>,
    /// How long the engine may take for an answer.
    pub answer_max: Duration,
    /// Measures that time.
    pub clock: Arc<dyn Clock>,
}

/// Lines of one answer: a search of depth 20 of the position with the most moves writes about 10,000.
const LINES_MAX: u32 = 200_000;

/// How often a wait looks whether the work should stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UciError {
    /// It could not be started.
    #[error("the engine cannot be started: {0}")]
    Start(String),
    /// It ended, or closed its output.
    #[error("the engine ended ({status}){}", if errors.is_empty() { String::new() } else { format!(": {errors}") })]
    Ended {
        /// How it ended.
        status: String,
        /// The end of what it wrote to its error output.
        errors: String,
    },
    /// It takes no more input.
    #[error("the engine takes no input: {0}")]
    Input(String),
    /// It did not answer in time.
    #[error("the engine did not answer `{command}` within {} s", within.as_secs_f64())]
    Late {
        /// What it should have answered.
        command: &'static str,
        /// The time that it had.
        within: Duration,
    },
    /// It wrote more than any search does.
    #[error("the engine wrote more than {LINES_MAX} lines for `{command}`")]
    Flood {
        /// What it should have answered.
        command: &'static str,
    },
    /// The answer does not fit the position.
    #[error("the engine's answer is wrong: {0}")]
    Wrong(String),
    /// It failed so often that it is not asked any more.
    #[error(
        "the engine is not asked any more after {failures} failures in a row, the last of them: {last}"
    )]
    GivenUp {
        /// How often.
        failures: u32,
        /// Why, the last time.
        last: Box<UciError>,
    },
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}

/// What an engine says of a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The best moves, the best first, as the engine writes them, with their values for the side to
    /// move.
    pub lines: Vec<(String, Value)>,
    /// The best move after each depth from 1 on, as far as the engine says so.
    pub best_by_depth: Vec<String>,
}

/// An engine that runs.
pub struct Engine {
    options: EngineOptions,
    process: Process,
    name: String,
}

impl Engine {
    /// Starts an engine and waits until it is ready.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or does not speak the protocol.
    pub fn start(options: EngineOptions, watch: &dyn Watch) -> Result<Engine, UciError> {
        let process =
            Process::start(&options.path).map_err(|error| UciError::Start(error.to_string()))?;
        let mut engine = Engine { options, process, name: String::new() };
        let mut known = Vec::new();
        let mut name = None;
        engine.send("uci")?;
        engine.wait("uci", watch, |output| {
            match output {
                Output::Name(given) => name = name.take().or(Some(given)),
                Output::Option(option) => known.push(option),
                Output::UciOk => return true,
                _ => {}
            }
            false
        })?;
        engine.name = name.unwrap_or_default();
        let hash = engine.options.hash_megabytes.to_string();
        let wanted = [("Threads".to_owned(), "1".to_owned()), ("Hash".to_owned(), hash)];
        for (option, value) in wanted {
            if known.contains(&option) {
                engine.send(&format!("setoption name {option} value {value}"))?;
            }
        }
        for (option, value) in engine.options.more.clone() {
            if !known.contains(&option) {
                let problem = format!("it has no option {option:?}");
                return Err(UciError::Start(problem));
            }
            engine.send(&format!("setoption name {option} value {value}"))?;
        }
        engine.ready(watch)?;
        Ok(engine)
    }

    /// The name by which the engine calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Forgets what earlier positions left in the engine, so that the next answer depends on its position
    /// alone.
    ///
    /// # Errors
    ///
    /// When the engine fails.
    pub fn forget(&mut self, watch: &dyn Watch) -> Result<(), UciError> {
        self.send("ucinewgame")?;
        self.ready(watch)
    }

    /// Searches a position, given as FEN, for the values of its `lines` best moves.
    ///
    /// The answer has as many moves as the engine gave; whether they are legal is not known here.
    ///
    /// # Errors
    ///
    /// When the engine fails; it should be dropped then.
    pub fn analyse(
        &mut self,
        fen: &str,
        lines: u32,
        watch: &dyn Watch,
    ) -> Result<Analysis, UciError> {
        self.send(&format!("setoption name MultiPV value {lines}"))?;
        self.ready(watch)?;
        self.send(&format!("position fen {fen}"))?;
        self.send(&format!("go depth {}", self.options.depth))?;
        let mut found = Found::default();
        self.wait("go", watch, |output| match output {
            Output::Info(info) => {
                found.take(info, lines);
                false
            }
            Output::BestMove(best) => {
                found.best = best;
                true
            }
            _ => false,
        })?;
        found.analysis()
    }

    /// Waits until the engine has done all that it was asked for: an answer that comes late is not taken
    /// for that to the next question.
    fn ready(&mut self, watch: &dyn Watch) -> Result<(), UciError> {
        self.send("isready")?;
        self.wait("isready", watch, |output| output == Output::ReadyOk)
    }

    fn send(&mut self, line: &str) -> Result<(), UciError> {
        self.process.send(line).map_err(|error| UciError::Input(error.to_string()))
    }

    /// Reads lines until `is_last` says so.
    fn wait(
        &mut self,
        command: &'static str,
        watch: &dyn Watch,
        mut is_last: impl FnMut(Output) -> bool,
    ) -> Result<(), UciError> {
        let within = self.options.answer_max;
        let deadline = self.options.clock.now() + within;
        let mut read = 0;
        loop {
            let left = deadline.saturating_sub(self.options.clock.now());
            if left.is_zero() {
                return Err(UciError::Late { command, within });
            }
            match self.process.line(left.min(LOOK_EVERY)) {
                Ok(line) if is_last(Output::read(&line)) => return Ok(()),
                Ok(_) => read += 1,
                Err(NoLine::Late) => {}
                Err(NoLine::Ended) => {
                    let (status, errors) = (self.process.end(), self.process.errors());
                    return Err(UciError::Ended { status, errors });
                }
            }
            if watch.stop() {
                return Err(UciError::Stopped);
            }
            if read > LINES_MAX {
                return Err(UciError::Flood { command });
            }
        }
    }
}

/// What was read of an answer so far.
#[derive(Default)]
struct Found {
    lines: Vec<Option<Info>>,
    best_by_depth: Vec<String>,
    best: String,
}

impl Found {
    fn take(&mut self, info: Info, lines: u32) {
        if info.rank == 0 || info.rank > lines {
            return;
        }
        let place = info.rank as usize - 1;
        if place == 0 && info.depth as usize == self.best_by_depth.len() + 1 {
            self.best_by_depth.push(info.played.clone());
        } else if place == 0
            && let Some(best) = self.best_by_depth.get_mut(info.depth.wrapping_sub(1) as usize)
        {
            best.clone_from(&info.played);
        }
        if place >= self.lines.len() {
            self.lines.resize(place + 1, None);
        }
        self.lines[place] = Some(info);
    }

    /// The answer, if its parts agree.
    fn analysis(self) -> Result<Analysis, UciError> {
        let wrong = |problem: String| Err(UciError::Wrong(problem));
        let lines: Vec<Info> = self.lines.iter().flatten().cloned().collect();
        let Some(first) = lines.first() else {
            return wrong("it gives no value".to_owned());
        };
        if lines.len() < self.lines.len() {
            return wrong("a line is missing between others".to_owned());
        }
        if let Some(other) = lines.iter().find(|line| line.depth != first.depth) {
            let (depth, rank) = (first.depth, other.rank);
            return wrong(format!("line {rank} is of another depth than the first, {depth}"));
        }
        if self.best != first.played {
            let (best, played) = (&self.best, &first.played);
            return wrong(format!(
                "the best move is {best:?}, and that of the best line {played:?}"
            ));
        }
        let lines = lines.into_iter().map(|line| (line.played, line.value)).collect();
        Ok(Analysis { lines, best_by_depth: self.best_by_depth })
    }
}
