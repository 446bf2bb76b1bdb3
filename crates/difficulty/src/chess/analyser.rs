//! Engine that restarts after failures, with a cache of its answers.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use treegauge_core::Watch;
use xxhash_rust::xxh3::xxh3_128;

use crate::chess::cache::Cache;
use crate::chess::position::Position;
use crate::chess::uci::{Analysis, EngineOptions, Glance, UciEngine, UciError};

/// Failures in a row after which an engine is given up. A question that fails is asked once more,
/// and both failures count.
pub const FAILURES_MAX: u32 = 10;

/// Questions in a row without any answer after which an engine is given up. Each costs the whole
/// time limit, so it is not asked again.
pub const HANGS_MAX: u32 = 2;

/// Wait before an engine that failed twice in a row is restarted. It doubles with every further
/// failure, up to `BACK_OFF_MAX`.
const BACK_OFF: Duration = Duration::from_millis(50);
const BACK_OFF_MAX: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Engine behind a cache of its answers. It starts on demand and restarts after a failure.
pub struct Analyser {
    options: EngineOptions,
    identity: u128,
    cache: Option<Arc<Cache>>,
    engine: Option<UciEngine>,
    has_started: bool,
    failures: u32,
    hangs: u32,
    last: Option<UciError>,
    searched: u64,
    remembered: u64,
}

/// Position that is searched for more and more of its moves.
///
/// The engine knows nothing when it begins, and a search for more moves may use the results of one
/// for fewer. An answer therefore depends on the position and on all searches up to it.
pub(crate) struct Inquiry {
    position: Position,
    searches: Vec<u32>,
    /// Number of `searches` that the running engine process has done itself.
    done: usize,
}

impl Inquiry {
    pub(crate) fn new(position: Position) -> Inquiry {
        Inquiry { position, searches: Vec::new(), done: 0 }
    }
}

impl Analyser {
    /// Prepares an engine without starting it.
    ///
    /// The cache key is a hash of the program's contents, its options, its depth and the question.
    /// Other files that the program reads are not part of the key: an external network must be an
    /// option.
    #[must_use]
    pub fn new(options: EngineOptions, cache: Option<Arc<Cache>>) -> Analyser {
        let identity = identity(&options);
        Analyser {
            options,
            identity,
            cache,
            engine: None,
            has_started: false,
            failures: 0,
            hangs: 0,
            last: None,
            searched: 0,
            remembered: 0,
        }
    }

    /// Number of searches that the engine has done.
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// Number of questions that the cache answered, so that no search was needed.
    #[must_use]
    pub fn remembered(&self) -> u64 {
        self.remembered
    }

    /// Name that the engine reports; `None` if it does not run.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.engine.as_ref().map(UciEngine::name)
    }

    /// Searches a position for its best `lines` moves.
    ///
    /// If the engine fails or `check` rejects its answer, it is restarted and asked once more. A
    /// failed start or a time-out is not retried.
    pub(crate) fn analyse<T>(
        &mut self,
        inquiry: &mut Inquiry,
        lines: u32,
        check: impl Fn(&Analysis) -> Result<T, UciError>,
        watch: &dyn Watch,
    ) -> Result<T, UciError> {
        inquiry.searches.push(lines);
        let Inquiry { position, searches, .. } = &*inquiry;
        let question = self.question(&format!("{}\n{searches:?}", position.fen()));
        self.answer(question, |own| own.search(inquiry, watch), check)
    }

    /// Values of up to `lines` moves of a position after each depth from 1 to `depth`.
    pub(crate) fn glance<T>(
        &mut self,
        position: &Position,
        lines: u32,
        depth: u32,
        check: impl Fn(&Glance) -> Result<T, UciError>,
        watch: &dyn Watch,
    ) -> Result<T, UciError> {
        let fen = position.fen();
        let question = self.question(&format!("{fen}\nglance {depth} {lines}"));
        let search = |own: &mut Self| {
            let mut engine = own.running(watch)?;
            engine.forget(watch)?;
            let glance = engine.glance(position, lines, depth, watch)?;
            own.searched += 1;
            own.engine = Some(engine);
            Ok(glance)
        };
        self.answer(question, search, check)
    }

    /// Answers a question from the cache, or from the engine in at most two attempts.
    fn answer<A: Serialize + DeserializeOwned, T>(
        &mut self,
        question: u128,
        mut search: impl FnMut(&mut Self) -> Result<A, UciError>,
        check: impl Fn(&A) -> Result<T, UciError>,
    ) -> Result<T, UciError> {
        let kept = self.cache.as_ref().and_then(|cache| cache.get(question));
        if let Some(checked) = kept.and_then(|answer| check(&answer).ok()) {
            self.remembered += 1;
            return Ok(checked);
        }
        let mut attempts = 0;
        loop {
            attempts += 1;
            match search(self).and_then(|answer| Ok((check(&answer)?, answer))) {
                Ok((checked, answer)) => {
                    (self.failures, self.hangs) = (0, 0);
                    if let Some(cache) = &self.cache {
                        cache.put(question, &answer);
                    }
                    return Ok(checked);
                }
                Err(error @ (UciError::Stopped | UciError::GivenUp { .. })) => return Err(error),
                Err(error @ UciError::Slow { .. }) => {
                    // The engine works; a second attempt would take as long.
                    self.engine = None;
                    return Err(error);
                }
                Err(error) => {
                    self.engine = None;
                    self.failures += 1;
                    self.last = Some(error.clone());
                    let hangs = matches!(error, UciError::Late { .. });
                    self.hangs = if hangs { self.hangs + 1 } else { 0 };
                    if attempts == 2 || hangs || matches!(error, UciError::Start(_)) {
                        return Err(error);
                    }
                }
            }
        }
    }

    fn question(&self, what: &str) -> u128 {
        xxh3_128(format!("{:032x}\n{what}", self.identity).as_bytes())
    }

    /// Runs the last search of an inquiry, after the earlier ones that the running engine has not
    /// done.
    fn search(&mut self, inquiry: &mut Inquiry, watch: &dyn Watch) -> Result<Analysis, UciError> {
        if self.engine.is_none() {
            inquiry.done = 0;
        }
        let mut engine = self.running(watch)?;
        let mut last = Analysis::default();
        while inquiry.done < inquiry.searches.len() {
            if inquiry.done == 0 {
                engine.forget(watch)?;
            }
            last = engine.analyse(&inquiry.position, inquiry.searches[inquiry.done], watch)?;
            inquiry.done += 1;
            self.searched += 1;
        }
        self.engine = Some(engine);
        Ok(last)
    }

    /// Takes the running engine, or starts one. The caller puts it back after a search that
    /// succeeds.
    fn running(&mut self, watch: &dyn Watch) -> Result<UciEngine, UciError> {
        match self.engine.take() {
            Some(engine) => Ok(engine),
            None => self.start(watch),
        }
    }

    fn start(&mut self, watch: &dyn Watch) -> Result<UciEngine, UciError> {
        let is_given_up = self.failures >= FAILURES_MAX || self.hangs >= HANGS_MAX;
        if let Some(last) = &self.last
            && (is_given_up || matches!(last, UciError::Start(_)))
        {
            let last = Box::new(last.clone());
            return Err(UciError::GivenUp { failures: self.failures, last });
        }
        if self.failures > 1 {
            let doubled = BACK_OFF.saturating_mul(1 << (self.failures - 2));
            pause(doubled.min(BACK_OFF_MAX), watch)?;
        }
        let started = UciEngine::start(self.options.clone(), watch);
        if !self.has_started {
            // The program has never worked, so any failure means that it is not a UCI engine.
            self.has_started = started.is_ok();
            return started.map_err(|error| match error {
                UciError::Start(_) | UciError::Stopped => error,
                other => UciError::Start(other.to_string()),
            });
        }
        started
    }
}

/// Sleeps for `time`; returns [`UciError::Stopped`] as soon as `watch` says stop.
fn pause(time: Duration, watch: &dyn Watch) -> Result<(), UciError> {
    let mut left = time;
    while !left.is_zero() {
        if watch.stop() {
            return Err(UciError::Stopped);
        }
        let part = left.min(LOOK_EVERY);
        thread::sleep(part);
        left -= part;
    }
    Ok(())
}

/// Hash of the program's contents and of all settings that its answers depend on.
fn identity(options: &EngineOptions) -> u128 {
    let EngineOptions { program, depth, hash_megabytes, more, .. } = options;
    let program = program.hash();
    xxh3_128(format!("{program:032x} {depth} {hash_megabytes} {more:?}").as_bytes())
}
