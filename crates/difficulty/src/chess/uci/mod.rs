//! Engines that speak the Universal Chess Interface (UCI).
//!
//! An engine is a foreign program: it may hang, crash, flood its output or write nonsense. Every
//! wait has a limit and every answer is checked. An engine that fails is killed with all processes
//! that it started. (S. Meyer-Kahlen, "Description of the universal chess interface", 2006.)

mod family;
mod info;
mod option;
mod process;
mod program;

use std::sync::Arc;
use std::time::Duration;

use crate::Value;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_core::{Clock, Watch};

use crate::chess::position::{ChessMove, MoveError, Position};

use info::{Info, Output};
use option::Declared;
use process::{NoLine, Process};

pub use program::Program;

/// Settings of an engine: program, depth, options and time limit.
#[derive(Clone)]
pub struct EngineOptions {
    /// Executable file.
    pub program: Program,
    /// Depth of a search, in plies.
    pub depth: u32,
    /// Size of its hash table, in megabytes. The table is cleared before each position, which takes
    /// time in proportion.
    pub hash_megabytes: u32,
    /// Options of the engine by name, with their values.
    pub more: Vec<(String, String)>,
    /// Time limit of one answer.
    pub answer_max: Duration,
    /// Clock that measures the time limit.
    pub clock: Arc<dyn Clock>,
}

/// Maximum number of lines in one answer. A search to depth 20 of the position with the most moves
/// writes about 10,000.
const LINES_MAX: u32 = 200_000;

/// Interval at which a wait checks whether the work should stop.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time to wait for the last lines of an engine that has ended.
const ENDED_WAIT: Duration = Duration::from_millis(500);

/// Reason that an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UciError {
    /// The engine could not be started.
    #[error("the engine cannot be started: {0}")]
    Start(String),
    /// The engine ended, or closed its output.
    #[error("the engine ended ({status}){}", if errors.is_empty() { String::new() } else { format!(": {errors}") })]
    Ended {
        /// Exit status in words.
        status: String,
        /// End of its error output.
        errors: String,
    },
    /// The engine takes no more input.
    #[error("the engine takes no input: {0}")]
    Input(String),
    /// The engine did not answer in time, and seems to hang.
    #[error("the engine did not answer `{command}` within {} s", within.as_secs_f64())]
    Late {
        /// Command without an answer.
        command: &'static str,
        /// Time limit.
        within: Duration,
    },
    /// The engine did not finish its search in time, but still answers `isready`.
    #[error("the engine did not end its search within {} s", within.as_secs_f64())]
    Slow {
        /// Time limit.
        within: Duration,
    },
    /// The engine wrote more lines than any search does.
    #[error("the engine wrote more than {LINES_MAX} lines for `{command}`")]
    Flood {
        /// Command that it should have answered.
        command: &'static str,
    },
    /// The answer contradicts the position or itself.
    #[error("the engine's answer is wrong: {0}")]
    Wrong(String),
    /// The engine failed so often that it is not asked any more.
    #[error(
        "the engine is not asked any more after {failures} failures in a row, the last of them: {last}"
    )]
    GivenUp {
        /// Number of failures in a row.
        failures: u32,
        /// Last failure.
        last: Box<UciError>,
    },
    /// The caller stopped the work.
    #[error("stopped")]
    Stopped,
}

/// Best moves of a position and their values, as an engine finds them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Best moves with their values for the side to move, best first. All are legal.
    pub lines: Vec<(ChessMove, Value)>,
    /// Maximum number of moves that the engine lists, if more were requested; `None` otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines_max: Option<u32>,
    /// Best move after each depth from 1 on, up to the first depth that the engine does not report.
    pub best_by_depth: Vec<ChessMove>,
}

/// Values of the moves of a position in a short search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Glance {
    /// Moves after each depth from 1 on, best first, with their values for the side to move; empty
    /// for a depth that the engine did not finish.
    pub by_depth: Vec<Vec<(ChessMove, Value)>>,
    /// Maximum number of moves that the engine lists, if more were requested; `None` otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines_max: Option<u32>,
}

/// Running engine.
pub struct UciEngine {
    options: EngineOptions,
    process: Process,
    name: String,
    /// Name of its option for the number of moves to list, as the engine spells it.
    multi_pv: String,
    /// Maximum number of moves that it lists, at least 2.
    multi_pv_max: u32,
}

impl UciEngine {
    /// Starts an engine and waits until it is ready.
    ///
    /// # Errors
    ///
    /// When it cannot be started, does not speak the protocol, cannot list several moves or rejects
    /// an option, or when `watch` says stop.
    pub fn start(options: EngineOptions, watch: &dyn Watch) -> Result<UciEngine, UciError> {
        if watch.stop() {
            return Err(UciError::Stopped);
        }
        options.program.check()?;
        let path = options.program.path();
        let process = Process::start(path)
            .map_err(|error| UciError::Start(format!("{}: {error}", path.display())))?;
        let (name, multi_pv) = (String::new(), String::new());
        let mut engine = UciEngine { options, process, name, multi_pv, multi_pv_max: 1 };
        let mut known: Vec<Declared> = Vec::new();
        let mut name = None;
        engine.send("uci")?;
        engine.wait("uci", watch, &mut |output| {
            match output {
                Output::Name(given) => name = name.take().or(Some(given)),
                Output::Option(option) => known.push(option),
                Output::UciOk => return true,
                _ => {}
            }
            false
        })?;
        engine.name = name.unwrap_or_default();
        let declared = |name: &str| known.iter().find(|option| option.is_named(name));
        let multi_pv = declared(MULTI_PV).ok_or_else(|| UciError::Start(ONE_MOVE.to_owned()))?;
        let most = multi_pv.greatest().unwrap_or(i64::MAX).clamp(0, i64::from(u32::MAX)) as u32;
        if most < 2 {
            return Err(UciError::Start(ONE_MOVE.to_owned()));
        }
        engine.multi_pv.clone_from(&multi_pv.name);
        engine.multi_pv_max = most;
        for (name, value) in [("Threads", 1), ("Hash", engine.options.hash_megabytes)] {
            if let Some(option) = declared(name) {
                let value = option.nearest(value);
                engine.send(&format!("setoption name {} value {value}", option.name))?;
            }
        }
        // Moves of a book have no values.
        if let Some(Ok(command)) = declared(BOOK).map(|option| option.command("false")) {
            engine.send(&command)?;
        }
        for (name, value) in engine.options.more.clone() {
            let unknown = || UciError::Start(format!("it has no option {name:?}"));
            let command = declared(&name).ok_or_else(unknown)?.command(&value);
            let command = command
                .map_err(|problem| UciError::Start(format!("{problem}, and not {value:?}")))?;
            engine.send(&command)?;
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

    /// Name that the engine reports; empty if it reports none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Clears what earlier positions left in the engine, so that the next answer depends on its
    /// position alone.
    ///
    /// # Errors
    ///
    /// When the engine fails.
    pub fn forget(&mut self, watch: &dyn Watch) -> Result<(), UciError> {
        self.send("ucinewgame")?;
        self.ready(watch)
    }

    /// Searches a position for the values of its `lines` best moves.
    ///
    /// The answer has fewer moves if the engine cannot list as many.
    ///
    /// # Errors
    ///
    /// When the engine fails; it should be dropped then.
    pub fn analyse(
        &mut self,
        position: &Position,
        lines: u32,
        watch: &dyn Watch,
    ) -> Result<Analysis, UciError> {
        let depth = self.options.depth;
        let (lines, lines_max) = self.listed(lines);
        let mut found = Found::default();
        let best =
            self.search(position, lines, depth, watch, |info| found.take(info, lines, position))?;
        if found.is_empty()
            && let Some((only, value)) = self.only_move(position, &best, depth, watch)?
        {
            return Ok(Analysis { lines: vec![(only, value)], lines_max, best_by_depth: vec![] });
        }
        Ok(Analysis { lines_max, ..found.analysis(position, &best, depth)? })
    }

    /// Value of the only legal move of a position, which some engines play without a search: that of the
    /// position after it. `None` if there are several moves.
    fn only_move(
        &mut self,
        position: &Position,
        best: &str,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<Option<(ChessMove, Value)>, UciError> {
        // From the last of a row of forced moves back to the first.
        let mut forced = Vec::new();
        let mut at = position.clone();
        let mut best = best.to_owned();
        let last = loop {
            let Ok(only) = at.parse_move(&best) else { return Ok(None) };
            if at.moves().len() != 1 || forced.len() == FORCED_MAX {
                return Ok(None);
            }
            forced.push(only);
            at = at.after(only);
            if at.is_mate() {
                break Value::Loses(0);
            }
            if at.ending().is_some() {
                break Value::Score(0.0);
            }
            let mut found = Found::default();
            let after = at.clone();
            best = self.search(&after, 1, depth, watch, |info| found.take(info, 1, &after))?;
            if !found.is_empty() {
                let Analysis { lines, .. } = found.analysis(&after, &best, depth)?;
                break lines.first().map_or(Value::Score(0.0), |(_, value)| *value);
            }
        };
        let value = forced.iter().fold(last, |value, _| match value.negated() {
            Value::Wins(plies) => Value::Wins(plies + 1),
            Value::Loses(plies) => Value::Loses(plies + 1),
            score => score,
        });
        Ok(forced.first().map(|&only| (only, value)))
    }

    /// Number of moves to list if `lines` are requested, and the engine's maximum if that is less.
    fn listed(&self, lines: u32) -> (u32, Option<u32>) {
        let most = self.multi_pv_max;
        (lines.min(most), (most < lines).then_some(most))
    }

    /// Searches a position to a small depth for the values of its `lines` best moves.
    ///
    /// Returns the values after each depth from 1 on, best first. The last depth is checked like
    /// any answer; an earlier one that the engine did not finish is empty.
    ///
    /// # Errors
    ///
    /// When the engine fails; it should be dropped then.
    pub fn glance(
        &mut self,
        position: &Position,
        lines: u32,
        depth: u32,
        watch: &dyn Watch,
    ) -> Result<Glance, UciError> {
        let (lines, lines_max) = self.listed(lines);
        let mut by_depth: Vec<Found> = Vec::new();
        let best = self.search(position, lines, depth, watch, |info| {
            let place = info.depth.wrapping_sub(1) as usize;
            if place < depth as usize {
                by_depth.resize_with(by_depth.len().max(place + 1), Found::default);
                by_depth[place].take(info, lines, position);
            }
        })?;
        if by_depth.iter().all(Found::is_empty)
            && let Some(only) = self.only_move(position, &best, depth, watch)?
        {
            return Ok(Glance { by_depth: vec![vec![only]; depth as usize], lines_max });
        }
        let last = by_depth.pop().unwrap_or_default().analysis(position, &best, depth)?.lines;
        let mut all = Vec::with_capacity(by_depth.len() + 1);
        for found in by_depth {
            let lines: Option<Vec<Line>> = found.legal()?.lines.into_iter().collect();
            let lines = lines.filter(|lines| lines.len() == last.len()).unwrap_or_default();
            all.push(lines.into_iter().map(|line| (line.played, line.value)).collect());
        }
        all.push(last);
        Ok(Glance { by_depth: all, lines_max })
    }

    /// Runs a search; returns the best move as the engine names it at the end.
    fn search(
        &mut self,
        position: &Position,
        lines: u32,
        depth: u32,
        watch: &dyn Watch,
        mut take: impl FnMut(Info),
    ) -> Result<String, UciError> {
        self.send(&format!("setoption name {} value {lines}", self.multi_pv))?;
        self.ready(watch)?;
        self.send(&format!("position fen {}", position.fen()))?;
        self.send(&format!("go depth {depth}"))?;
        let mut best = String::new();
        self.wait(SEARCH, watch, &mut |output| match output {
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

    /// Waits until the engine has answered everything before, so that a late answer is not taken
    /// for that to the next question.
    fn ready(&mut self, watch: &dyn Watch) -> Result<(), UciError> {
        self.send("isready")?;
        self.wait("isready", watch, &mut |output| output == Output::ReadyOk)
    }

    fn send(&mut self, line: &str) -> Result<(), UciError> {
        self.process.send(line).map_err(UciError::Input)
    }

    /// Reads lines until `is_last` returns true.
    ///
    /// When half of the time limit of a search is over, the engine is sent `isready`, which it has
    /// to answer even while it searches. At the time limit, an engine that answered is slow, and
    /// one that did not hangs.
    fn wait(
        &mut self,
        command: &'static str,
        watch: &dyn Watch,
        is_last: &mut dyn FnMut(Output) -> bool,
    ) -> Result<(), UciError> {
        let within = self.options.answer_max;
        let clock = Arc::clone(&self.options.clock);
        let (begun, mut read) = (clock.now(), 0);
        let mut asked = Asked::No;
        let mut ended = None;
        loop {
            let now = clock.now();
            let left = (begun + within).saturating_sub(now);
            if left.is_zero() {
                return Err(match asked {
                    Asked::Answered => UciError::Slow { within },
                    _ => UciError::Late { command, within },
                });
            }
            if command == SEARCH && asked == Asked::No && left <= within / 2 {
                self.send("isready")?;
                asked = Asked::Waiting;
            }
            match self.process.line(left.min(LOOK_EVERY)).map(|line| Output::read(&line)) {
                Ok(Output::ReadyOk) if asked == Asked::Waiting => asked = Asked::Answered,
                Ok(output) => {
                    read += 1;
                    if is_last(output) {
                        break;
                    }
                }
                Err(NoLine::Late) if self.process.has_ended() => {
                    // Another process may hold the output open; the last lines may still be on
                    // their way.
                    let since = *ended.get_or_insert(now);
                    if now.saturating_sub(since) >= ENDED_WAIT {
                        return Err(self.ended());
                    }
                }
                Err(NoLine::Late) => {
                    if let Some(problem) = self.process.input_error() {
                        return Err(UciError::Input(problem));
                    }
                }
                Err(NoLine::Ended) => return Err(self.ended()),
            }
            if watch.stop() {
                return Err(UciError::Stopped);
            }
            if read > LINES_MAX {
                return Err(UciError::Flood { command });
            }
        }
        if asked == Asked::Waiting {
            // The answer to `isready` must not be taken for that to the next question.
            return self.wait("isready", watch, &mut |output| output == Output::ReadyOk);
        }
        Ok(())
    }

    fn ended(&mut self) -> UciError {
        let (status, errors) = (self.process.end(), self.process.errors());
        UciError::Ended { status, errors }
    }
}

/// Command that starts a search.
const SEARCH: &str = "go";

/// State of the `isready` that is sent while an engine searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    No,
    Waiting,
    Answered,
}

/// Greatest length of a row of forced moves whose end is searched.
const FORCED_MAX: usize = 40;

/// Option for the number of moves that an engine lists.
const MULTI_PV: &str = "MultiPV";

/// Option for the use of a book of openings.
const BOOK: &str = "OwnBook";

const ONE_MOVE: &str = "it cannot list several moves (it has no option MultiPV of 2 or more), so that a tree of meaningful moves cannot be built";

/// Line of an answer, with its move parsed.
#[derive(Clone)]
struct Line {
    depth: u32,
    rank: u32,
    played: ChessMove,
    value: Value,
}

/// Parts of an answer that were read so far.
#[derive(Default)]
struct Found {
    /// Newest line of each rank.
    lines: Vec<Option<Line>>,
    /// The last depth at which each rank had a line: a search that is ended, or that reports a book move
    /// at its end, has fewer lines of a greater depth.
    whole: Vec<Line>,
    best_by_depth: Vec<ChessMove>,
    /// Error of the first move that was not legal.
    illegal: Option<MoveError>,
}

impl Found {
    fn take(&mut self, info: Info, lines: u32, position: &Position) {
        let Info { depth, rank, value, played } = info;
        if rank == 0 || rank > lines {
            return;
        }
        let played = match position.parse_move(&played) {
            Ok(played) => played,
            Err(error) => {
                self.illegal.get_or_insert(error);
                return;
            }
        };
        let place = rank as usize - 1;
        if place == 0 && depth as usize == self.best_by_depth.len() + 1 {
            self.best_by_depth.push(played);
        } else if place == 0
            && let Some(best) = self.best_by_depth.get_mut(depth.wrapping_sub(1) as usize)
        {
            *best = played;
        }
        if place >= self.lines.len() {
            self.lines.resize(place + 1, None);
        }
        self.lines[place] = Some(Line { depth, rank, played, value });
        let of_depth = || self.lines.iter().flatten().filter(|line| line.depth == depth);
        if of_depth().count() == self.lines.len() {
            self.whole = of_depth().cloned().collect();
        }
    }

    /// Whether no line was read.
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.illegal.is_none()
    }

    /// Returns `self` if all moves are legal.
    fn legal(self) -> Result<Found, UciError> {
        match self.illegal {
            Some(error) => Err(UciError::Wrong(error.to_string())),
            None => Ok(self),
        }
    }

    /// Builds the answer from the last whole depth, if its parts agree with each other; lines of
    /// different depths do only where each move has one of at least `depth` plies. The values tell
    /// which moves are good: a legal best move that the engine named at the end may be another, since
    /// engines choose by contempt, books and time besides.
    fn analysis(self, position: &Position, best: &str, depth: u32) -> Result<Analysis, UciError> {
        let wrong = |problem: String| Err(UciError::Wrong(problem));
        let found = self.legal()?;
        let newest: Vec<Line> = found.lines.iter().flatten().cloned().collect();
        let is_whole = found.whole.len() == newest.len()
            && found.whole.first().is_some_and(|line| line.depth >= depth);
        let lines = if is_whole { found.whole.clone() } else { newest };
        let Some(first) = lines.first() else {
            return wrong(match position.parse_move(best) {
                Ok(_) => {
                    format!("it plays {best} without a value, perhaps from a book of openings")
                }
                Err(_) => "it gives no value".to_owned(),
            });
        };
        if lines.len() < found.lines.len() {
            return wrong("a line is missing between others".to_owned());
        }
        if let Some(other) = lines.iter().find(|line| line.depth != first.depth) {
            let (depth, rank) = (first.depth, other.rank);
            return wrong(format!("line {rank} is of another depth than the first, {depth}"));
        }
        if let Err(error) = position.parse_move(best) {
            return wrong(error.to_string());
        }
        let lines = lines.into_iter().map(|line| (line.played, line.value)).collect();
        Ok(Analysis { lines, lines_max: None, best_by_depth: found.best_by_depth })
    }
}
