//! Reports of single positions, and counts of the lines that begin there.

use treegauge_core::{ReportHeader, Watch};
use treegauge_engine::Line;
use treegauge_report::{Boards, PerftDivision, PerftReport, ReachedBoard, ShowReport};

use crate::{Error, Game};

/// Report of a position: the side to move, the legal moves, and the result if the game is over.
#[must_use]
pub fn show(game: &Game, at: &Line) -> ShowReport {
    let ended = at.ended();
    ShowReport {
        head: ReportHeader::NEW,
        game: game.name(),
        position: at.position_text(),
        last_cells: ReachedBoard::current(at).marked_names(),
        turn: at.turn(),
        outcome: ended.map(|ended| ended.outcome),
        ended_by: ended.map(|ended| ended.by.to_string()),
        margin: at.margin(),
        moves: at.moves(),
        rules: game.rules_in_words(),
        board: None,
    }
}

/// Numbers of move sequences of 1 to `depth` plies from a position (perft). With `divide`, also
/// splits the last number by first move. History is ignored.
///
/// # Errors
///
/// If `watch` says stop; [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
///
/// ```
/// use treegauge::{Game, perft};
///
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let report = perft(&game, &game.start(), 3, false, &()).unwrap();
/// assert_eq!(report.counts, [9, 72, 504]);
/// ```
pub fn perft(
    game: &Game,
    at: &Line,
    depth: usize,
    divide: bool,
    watch: &dyn Watch,
) -> Result<PerftReport, Error> {
    let stopped = || Error::interrupted("not all sequences are counted");
    let counts = game.engine().perft(at, depth, watch).ok_or_else(stopped)?;
    let divide = if divide {
        let counts = game.engine().perft_divide(at, depth, watch).ok_or_else(stopped)?;
        let division = |(m, count)| PerftDivision { m, count };
        Some(at.moves().into_iter().zip(counts).map(division).collect())
    } else {
        None
    };
    let position = at.position_text();
    let (head, game) = (ReportHeader::NEW, game.name());
    Ok(PerftReport { head, game, position, counts, distinct: None, divide })
}

/// Numbers of distinct positions after 1 to `depth` plies. The list is shorter if the positions of a ply
/// need more than `bytes_max` bytes, where there is a limit. History is ignored.
///
/// # Errors
///
/// If `watch` says stop; [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted).
///
/// ```
/// use treegauge::{Game, positions_by_ply};
///
/// let game = Game::parse("tic_tac_toe").unwrap();
/// assert_eq!(positions_by_ply(&game, &game.start(), 3, None, &()).unwrap(), [9, 72, 252]);
/// ```
pub fn positions_by_ply(
    game: &Game,
    at: &Line,
    depth: usize,
    bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<Vec<u64>, Error> {
    let counts = game.engine().positions_by_ply(at, depth, bytes_max, watch);
    counts.ok_or_else(|| Error::interrupted("not all positions are counted"))
}
