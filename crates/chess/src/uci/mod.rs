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
    /// The most moves that the engine lists, where it was asked for more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines_max: Option<u32>,
    /// The best move after each depth from 1 on, as far as the engine says so.
    pub best_by_depth: Vec<String>,
}

/// What a short search sees of the moves of a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Glance {
    /// The moves after each depth from 1 on, the best first, with their values for the side to move; empty for
    /// a depth that the engine did not finish.
    pub by_depth: Vec<Vec<(String, Value)>>,
    /// The most moves that the engine lists, where it was asked for more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines_max: Option<u32>,
}

/// An engine that runs.
pub struct Engine {
    options: EngineOptions,
    process: Process,
    name: String,
    /// The most moves that it lists.
    multi_pv_max: u32,
}

impl Engine {
    /// Starts an engine and waits until it is ready.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or does not speak the protocol.
    pub fn start(options: EngineOptions, watch: &dyn Watch) -> Result<Engine, UciError> {
        let path = options.path.display();
        let process = Process::start(&options.path)
            .map_err(|error| UciError::Start(format!("{path}: {error}")))?;
        let mut engine = Engine { options, process, name: String::new(), multi_pv_max: 1 };
        let mut known = Vec::new();
        let mut name = None;
        // An engine without the option lists one move.
        let mut most = 1;
        engine.send("uci")?;
        engine.wait("uci", watch, |output| {
            match output {
                Output::Name(given) => name = name.take().or(Some(given)),
                Output::Option(option, max) => {
                    if option == "MultiPV" {
                        most = max.unwrap_or(u32::MAX);
                    }
                    known.push(option);
                }
                Output::UciOk => return true,
                _ => {}
            }
            false
        })?;
        engine.name = name.unwrap_or_default();
        engine.multi_pv_max = most.max(1);
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
        match engine.ready(watch) {
            Err(UciError::Ended { .. }) if !engine.options.more.is_empty() => {
                let given =
                    engine.options.more.iter().map(|(name, value)| format!("{name}={value}"));
                let given = given.collect::<Vec<_>>().join(", ");
                Err(UciError::Start(format!("it ended when these options were set: {given}")))
            }
            ready => ready.map(|()| engine),
        }
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
    /// The answer has as many moves as the engine gave, which may list fewer than that; whether they are legal
    /// is not known here.
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
        let depth = self.options.depth;
        let (lines, lines_max) = self.listed(lines);
        let mut found = Found::default();
        let best = self.search(fen, lines, depth, watch, |info| found.take(info, lines))?;
        Ok(Analysis { lines_max, ..found.analysis(&best)? })
    }

    /// How many moves are listed where so many are asked for, and the most there can be where that is less.
    fn listed(&self, lines: u32) -> (u32, Option<u32>) {
        let most = self.multi_pv_max;
        (lines.min(most), (most < lines).then_some(most))
    }

    /// Searches a position, given as FEN, to a small depth for the values of its `lines` best moves, and
    /// gives them after each depth from 1 on, the best first. The last depth is checked as any answer;
    /// an earlier one that the engine did not finish is empty.
    ///
    /// # Errors
    ///
    /// When the engine fails; it should be dropped then.
    pub fn glance(
        &mut self,
        fen: &str,
        lines: u32,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<Glance, UciError> {
        let (lines, lines_max) = self.listed(lines);
        let mut by_depth: Vec<Found> = Vec::new();
        let best = self.search(fen, lines, depth, watch, |info| {
            let place = info.depth.wrapping_sub(1) as usize;
            if place < depth as usize {
                by_depth.resize_with(by_depth.len().max(place + 1), Found::default);
                by_depth[place].take(info, lines);
            }
        })?;
        let last = by_depth.pop().unwrap_or_default().analysis(&best)?.lines;
        let earlier = by_depth.into_iter().map(|found| {
            let all: Option<Vec<Info>> = found.lines.into_iter().collect();
            let all = all.filter(|all| all.len() == last.len()).unwrap_or_default();
            all.into_iter().map(|line| (line.played, line.value)).collect()
        });
        let by_depth = earlier.chain([last.clone()]).collect();
        Ok(Glance { by_depth, lines_max })
    }

    /// A search; the best move as the engine names it at the end.
    fn search(
        &mut self,
        fen: &str,
        lines: u32,
        depth: u32,
        watch: &dyn Watch,
        mut take: impl FnMut(Info),
    ) -> Result<String, UciError> {
        if self.multi_pv_max > 1 {
            self.send(&format!("setoption name MultiPV value {lines}"))?;
        }
        self.ready(watch)?;
        self.send(&format!("position fen {fen}"))?;
        self.send(&format!("go depth {depth}"))?;
        let mut best = String::new();
        self.wait("go", watch, |output| match output {
            Output::Info(info) => {
                take(info);
                false
            }
            Output::BestMove(last) => {
                best = last;
                true
            }
            _ => false,
        })?;
        Ok(best)
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

    /// The answer, if its parts agree, also with the best move that the engine named at its end.
    fn analysis(self, best: &str) -> Result<Analysis, UciError> {
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
        if best != first.played {
            let played = &first.played;
            return wrong(format!(
                "the best move is {best:?}, and that of the best line {played:?}"
            ));
        }
        let lines = lines.into_iter().map(|line| (line.played, line.value)).collect();
        Ok(Analysis { lines, lines_max: None, best_by_depth: self.best_by_depth })
    }
}
