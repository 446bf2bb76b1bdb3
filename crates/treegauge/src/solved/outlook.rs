//! The size of a solve, seen after a short try.

use std::sync::{Mutex, PoisonError};

use treegauge_core::{Phase, Progress, Watch};
use treegauge_engine::Line;
use treegauge_report::refused_words;
use treegauge_solve::{Options, SolveError};

use super::{Solved, solve};
use crate::{Error, Game};

/// Size of a solve that a short try shows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SolveOutlook {
    /// The game was solved within the try.
    Solved {
        /// Number of its positions.
        positions: u64,
    },
    /// The try ended while positions were being found.
    Finding(Progress),
    /// All positions were found, and the try ended before their values were known.
    Valuing {
        /// Number of positions found.
        positions: u64,
    },
    /// The solve was refused, in words.
    Refused(String),
}

/// Solves a game until `watch` says stop, and returns what that shows about the whole solve.
///
/// # Errors
///
/// Those of [`solve()`] that are not about the size of the game.
///
/// ```
/// use treegauge::{Game, SolveOutlook, solve_outlook};
///
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let outlook = solve_outlook(&game, &game.start(), Default::default(), &()).unwrap();
/// assert_eq!(outlook, SolveOutlook::Solved { positions: 5_478 });
/// ```
pub fn solve_outlook(
    game: &Game,
    at: &Line,
    options: Options,
    watch: &dyn Watch,
) -> Result<SolveOutlook, Error> {
    let last = Last { watch, last: Mutex::new(None) };
    match solve(game, at, options, &last) {
        Ok(Solved::Done(solution)) => {
            Ok(SolveOutlook::Solved { positions: solution.report().positions })
        }
        Ok(Solved::Stopped(unfinished)) => {
            let last = last.last.into_inner().unwrap_or_else(PoisonError::into_inner);
            Ok(match last {
                Some(progress) if progress.phase == Phase::Discover => {
                    SolveOutlook::Finding(progress)
                }
                _ => SolveOutlook::Valuing { positions: unfinished.positions() },
            })
        }
        Err(error) => match error.get::<SolveError>() {
            Some(why) => Ok(SolveOutlook::Refused(refused_words(why))),
            None => Err(error),
        },
    }
}

/// A watch that remembers the last progress.
struct Last<'a> {
    watch: &'a dyn Watch,
    last: Mutex<Option<Progress>>,
}

impl Watch for Last<'_> {
    fn progress(&self, progress: Progress) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
        self.watch.progress(progress);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}
