//! Single positions: what they are, and how many lines begin there.

use treegauge_engine::Line;
use treegauge_study::{Head, PerftDivision, PerftReport, ShowReport};

use crate::Game;

/// A position of a game: who is to move, the legal moves, and how the game has ended.
#[must_use]
pub fn show(game: &Game, at: &Line) -> ShowReport {
    let ended = at.ended();
    ShowReport {
        head: Head::NEW,
        game: game.name(),
        position: at.position_text(),
        turn: at.turn(),
        outcome: ended.map(|ended| ended.outcome),
        ended_by: ended.map(|ended| ended.by.to_string()),
        margin: at.margin(),
        moves: at.moves(),
    }
}

/// The number of move sequences of 1 to `depth` plies from a position (perft); with `divide` the
/// last of these numbers by first move. History plays no part.
#[must_use]
pub fn perft(game: &Game, at: &Line, depth: usize, divide: bool) -> PerftReport {
    let division = |(m, count)| PerftDivision { m, count };
    let divided = || at.moves().into_iter().zip(game.perft_divide(at, depth)).map(division);
    PerftReport {
        head: Head::NEW,
        game: game.name(),
        position: at.position_text(),
        counts: game.perft(at, depth),
        divide: divide.then(|| divided().collect()),
    }
}
