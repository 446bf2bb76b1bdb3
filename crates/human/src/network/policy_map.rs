//! Numbers of moves: the 1,858 outputs of a policy, and the planes of a convolutional one.
//!
//! A move is seen by the side to move, as in [`super::planes`]. The first 1,792 numbers are the
//! pairs of squares that a queen or a knight connects on an empty board, by the first square, then
//! by the second one, from a1 along the ranks to h8. A pawn that becomes a knight has such a number,
//! too. The last 66 are the moves from the seventh to the eighth rank that make a queen, a rook and
//! a bishop, in this order for each pair of squares. A king that castles goes to the square of its
//! rook.
//!
//! The planes of a convolutional policy are directions and distances from the square of the mover:
//! seven distances each to N, NE, E, SE, S, SW, W and NW; eight knight moves; then a pawn's
//! promotions to NW, N and NE, each to a rook, a bishop and a queen. Seven of the 80 planes have no
//! meaning.

use std::sync::LazyLock;

use cozy_chess::{Color, Move, Piece};

use super::planes::seen;
use super::{MOVES, SQUARES};

/// Directions as files and ranks, clockwise.
const QUEEN: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const KNIGHT: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const PROMOTED: [Piece; 3] = [Piece::Queen, Piece::Rook, Piece::Bishop];
const FIRST_PROMOTION: usize = 1792;

struct Tables {
    /// Number of each pair of squares; `u16::MAX` if no piece connects them.
    numbers: Vec<u16>,
    /// `plane x 64 + square` of each move.
    places: Vec<u16>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { numbers: vec![u16::MAX; SQUARES * SQUARES], places: Vec::new() };
    for from in 0..SQUARES {
        for to in 0..SQUARES {
            if let Some(plane) = plane(from, to) {
                tables.numbers[from * SQUARES + to] = tables.places.len() as u16;
                tables.places.push((plane * SQUARES + from) as u16);
            }
        }
    }
    debug_assert_eq!(tables.places.len(), FIRST_PROMOTION);
    for (from, to) in promotions() {
        let direction = to + 1 - from % 8;
        // The planes have the order rook, bishop, queen.
        for made in [2, 0, 1] {
            tables.places.push(((64 + 3 * direction + made) * SQUARES + from) as u16);
        }
    }
    debug_assert_eq!(tables.places.len(), MOVES);
    tables
});

/// Squares of the seventh rank, each with the files that a pawn may reach from there.
fn promotions() -> impl Iterator<Item = (usize, usize)> {
    (0..8_usize).flat_map(|from| {
        (from.saturating_sub(1)..=(from + 1).min(7)).map(move |to| (48 + from, to))
    })
}

/// Plane of a move that is not a promotion.
fn plane(from: usize, to: usize) -> Option<usize> {
    let of = |square: usize| ((square % 8) as i32, (square / 8) as i32);
    let step = (of(to).0 - of(from).0, of(to).1 - of(from).1);
    let queen = QUEEN.iter().enumerate().find_map(|(n, (file, rank))| {
        let distance = (1..=7).find(|d| (file * d, rank * d) == step)?;
        Some(7 * n + distance as usize - 1)
    });
    queen.or_else(|| KNIGHT.iter().position(|one| *one == step).map(|n| 56 + n))
}

/// Number of a legal move among the outputs of a policy: 0 to 1,857.
pub(super) fn number(played: Move, by: Color) -> usize {
    let (from, to) = (seen(played.from, by), seen(played.to, by));
    if let Some(made) = played.promotion.and_then(|piece| PROMOTED.iter().position(|p| *p == piece))
    {
        // Three pairs of squares for each file to the left, but two for the first one.
        let pairs = (3 * (from % 8)).saturating_sub(1) + (to % 8 + 1 - from % 8)
            - usize::from(from % 8 == 0);
        return FIRST_PROMOTION + 3 * pairs + made;
    }
    usize::from(TABLES.numbers[from * SQUARES + to])
}

/// `plane x 64 + square` of a move with this number in a convolutional policy.
pub(super) fn place(number: usize) -> usize {
    usize::from(TABLES.places[number])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cozy_chess::Board;

    use super::*;

    /// Numbers that the table of Lc0 gives, from all its parts.
    #[test]
    fn published_numbers_are_met() {
        for (text, wanted) in [
            ("a1b1", 0),
            ("a1h1", 6),
            ("a1a2", 7),
            ("b1a1", 23),
            ("b1c1", 24),
            ("e1h1", 103),
            ("e1a1", 97),
            ("e2e4", 322),
            ("g1f3", 159),
            ("h8g8", 1791),
            ("a7a8q", 1792),
            ("a7a8r", 1793),
            ("a7a8b", 1794),
            ("a7b8q", 1795),
            ("b7a8q", 1798),
            ("b7b8r", 1802),
            ("h7g8b", 1854),
            ("h7h8q", 1855),
            ("h7h8b", 1857),
        ] {
            let played = text.parse().unwrap();
            assert_eq!(number(played, Color::White), wanted, "{text}");
        }
        // For Black the ranks are mirrored.
        assert_eq!(number("e7e5".parse().unwrap(), Color::Black), 322);
        assert_eq!(number("e8h8".parse().unwrap(), Color::Black), 103);
        assert_eq!(number("a2a1q".parse().unwrap(), Color::Black), 1792);
        // A knight has no letter.
        let knight = number("a7a8n".parse().unwrap(), Color::White);
        assert_eq!(knight, usize::from(TABLES.numbers[48 * SQUARES + 56]));
    }

    /// Places that the map of Lc0 gives.
    #[test]
    fn published_places_are_met() {
        for (number, plane, square) in [
            (7, 0, 0),
            (31, 0, 1),
            (1597, 0, 55),
            (10, 1, 0),
            (8, 7, 0),
            (0, 14, 0),
            (1598, 34, 56),
            (1791, 42, 63),
            (11, 56, 0),
            (1046, 63, 36),
            (1799, 64, 49),
            (1800, 65, 49),
            (1798, 66, 49),
            (1793, 67, 48),
            (1856, 67, 55),
            (1855, 69, 55),
            (1796, 70, 48),
            (1849, 72, 54),
        ] {
            assert_eq!(place(number), plane * 64 + square, "{number}");
        }
    }

    #[test]
    fn numbers_and_places_are_one_to_one() {
        let places: HashSet<usize> = (0..MOVES).map(place).collect();
        assert_eq!(places.len(), MOVES);
        assert!(places.iter().all(|place| place / 64 < 73));
        // Both positions together have all promotions.
        let mut numbers = HashSet::new();
        for fen in [
            "n1n1n1n1/1P1P1P1P/8/8/8/8/7k/K7 w - - 0 1",
            "1n1n1n1n/P1P1P1P1/8/8/7k/8/8/K7 w - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            board.generate_moves(|of_piece| {
                for played in of_piece {
                    let number = number(played, Color::White);
                    assert_eq!(place(number) % 64, played.from as usize);
                    let has_letter = played.promotion.is_some_and(|made| made != Piece::Knight);
                    assert_eq!(number >= FIRST_PROMOTION, has_letter, "{played}");
                    assert_eq!(place(number) / 64 >= 64, has_letter, "{played}");
                    if has_letter {
                        numbers.insert(number);
                    }
                }
                false
            });
        }
        assert_eq!(numbers.len(), MOVES - FIRST_PROMOTION);
    }
}
