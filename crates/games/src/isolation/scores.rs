//! Evaluators by mobility and by the squares within reach.
//!
//! The first three functions are from Udacity's course on artificial intelligence, the other three
//! from an anonymous report that was written for it ("Heuristic Analysis"). All values are **for
//! the player to move**, who has the initiative. `exits(s)` is the number of squares that a token
//! on `s` could go to on an empty board.
//!
//! A token that is not on the board can go to every free square: a placement counts as a step. With
//! removals a step counts once, whatever square is removed after it; the number of removals is the
//! same after any step of either player.

use treegauge_core::{Evaluator, Player};

use super::rules::{Isolation, Piece, State};
use treegauge_bits::Word;

/// `open_move_score` of the course: the moves of the player to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenMoveScore;

impl<W: Word> Evaluator<Isolation<W>> for OpenMoveScore {
    #[inline]
    fn evaluate(&self, game: &Isolation<W>, state: &State<W>) -> i32 {
        moves(game, state, state.turn)
    }
}

/// `improved_score` of the course: the moves of the player to move minus those that the other
/// player would have in the same place.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImprovedScore;

impl<W: Word> Evaluator<Isolation<W>> for ImprovedScore {
    #[inline]
    fn evaluate(&self, game: &Isolation<W>, state: &State<W>) -> i32 {
        moves(game, state, state.turn) - moves(game, state, state.turn.other())
    }
}

#[inline]
fn moves<W: Word>(game: &Isolation<W>, state: &State<W>, player: Player) -> i32 {
    game.destinations(state, player).count() as i32
}

/// `center_score` of the course: the squared distance of one's own token from the point
/// (`rows` / 2, `cols` / 2),
///
/// ```text
/// (rows / 2 - y)^2 + (cols / 2 - x)^2
/// ```
///
/// with rows `y` from the top and columns `x` from the left, both counted from 0. So the point is
/// half a square beyond the centre of the board, and a token farther away is better. Both are as in
/// the course, where this is a weak opponent. 0 for a token that is not placed.
#[derive(Clone, Copy, Debug, Default)]
pub struct CenterScore;

impl<W: Word> Evaluator<Isolation<W>> for CenterScore {
    fn evaluate(&self, game: &Isolation<W>, state: &State<W>) -> i32 {
        let Some(square) = state.token(state.turn) else { return 0 };
        let setup = game.setup();
        let (row, col) = (square / setup.cols, square % setup.cols);
        let from_top = setup.rows - 1 - row;
        // Twice each distance.
        let up = setup.rows as i32 - 2 * from_top as i32;
        let right = setup.cols as i32 - 2 * col as i32;
        up * up + right * right
    }

    fn unit(&self) -> f64 {
        4.0
    }
}

/// `custom_score` of the report: weighted mobility with initiative.
///
/// The sum of `exits(s) / 8` over the squares that the player to move can go to, minus the same sum
/// for the other player, where squares that both can go to count only `f` times.
#[derive(Clone, Debug)]
pub struct CustomScore<W> {
    exits: Exits<W>,
    f_hundredths: i32,
}

impl<W: Word> CustomScore<W> {
    /// Creates the evaluator with `f` in hundredths, 0 to 100; the report chose 0.
    ///
    /// # Panics
    ///
    /// When `f_hundredths` is more than 100.
    #[must_use]
    pub fn new(game: &Isolation<W>, f_hundredths: u32) -> Self {
        assert!(f_hundredths <= 100, "{f_hundredths} hundredths are more than 1");
        CustomScore { exits: Exits::new(game), f_hundredths: f_hundredths as i32 }
    }
}

impl<W: Word> Evaluator<Isolation<W>> for CustomScore<W> {
    #[inline]
    fn evaluate(&self, game: &Isolation<W>, state: &State<W>) -> i32 {
        let own = game.destinations(state, state.turn);
        let others = game.destinations(state, state.turn.other());
        let alone = self.exits.sum(own) - self.exits.sum(others & !own);
        100 * alone - self.f_hundredths * self.exits.sum(others & own)
    }

    fn unit(&self) -> f64 {
        800.0
    }
}

/// `custom_score_2` of the report: difference of the squares that each player can reach.
///
/// For a player it is the sum of `exits(s) / 2^(d - 1)` over the free squares `s` that its token
/// reaches in `d` moves and no fewer, 1 to `limit`, if only it moved. The value is that of the
/// player to move minus that of the other.
#[derive(Clone, Debug)]
pub struct CustomScore2<W> {
    flood: Flood<W>,
}

impl<W: Word> CustomScore2<W> {
    /// Creates the evaluator with a limit of 1 to [`LIMIT_MAX`] moves; the report chose 3.
    ///
    /// # Panics
    ///
    /// When the limit is out of its range.
    #[must_use]
    pub fn new(game: &Isolation<W>, limit: u32) -> Self {
        CustomScore2 { flood: Flood::new(game, limit) }
    }
}

impl<W: Word> Evaluator<Isolation<W>> for CustomScore2<W> {
    fn evaluate(&self, game: &Isolation<W>, state: &State<W>) -> i32 {
        let free = game.all() & !state.blocked;
        let of = |player| {
            let mut front = game.destinations(state, player);
            let mut left = free & !front;
            let mut sum = self.flood.exits.sum(front);
            for _ in 1..self.flood.limit {
                front = self.flood.step(front, free) & left;
                left &= !front;
                sum = 2 * sum + self.flood.exits.sum(front);
            }
            sum
        };
        of(state.turn) - of(state.turn.other())
    }

    fn unit(&self) -> f64 {
        self.flood.unit()
    }
}

/// `custom_score_3` of the report: difference of the squares that each player reaches before the
/// other.
///
/// As [`CustomScore2`], but a square counts only for the player that reaches it in fewer moves, and
/// for the player to move if both take equally many. Neither player continues from a square of the
/// other.
#[derive(Clone, Debug)]
pub struct CustomScore3<W> {
    flood: Flood<W>,
}

impl<W: Word> CustomScore3<W> {
    /// Creates the evaluator with a limit of 1 to [`LIMIT_MAX`] moves; the report chose 3.
    ///
    /// # Panics
    ///
    /// When the limit is out of its range.
    #[must_use]
    pub fn new(game: &Isolation<W>, limit: u32) -> Self {
        CustomScore3 { flood: Flood::new(game, limit) }
    }
}

impl<W: Word> Evaluator<Isolation<W>> for CustomScore3<W> {
    fn evaluate(&self, game: &Isolation<W>, state: &State<W>) -> i32 {
        let mut own = game.destinations(state, state.turn);
        let mut others = game.destinations(state, state.turn.other()) & !own;
        let free = game.all() & !state.blocked;
        let mut left = free & !(own | others);
        let mut sum = self.flood.exits.sum(own) - self.flood.exits.sum(others);
        for _ in 1..self.flood.limit {
            own = self.flood.step(own, free) & left;
            left &= !own;
            others = self.flood.step(others, free) & left;
            left &= !others;
            sum = 2 * sum + self.flood.exits.sum(own) - self.flood.exits.sum(others);
        }
        sum
    }

    fn unit(&self) -> f64 {
        self.flood.unit()
    }
}

/// Sums of `exits` over sets of squares.
#[derive(Clone, Debug)]
struct Exits<W> {
    /// Plane `n` holds the squares with bit `n` set in their `exits`: a sum takes one count per
    /// plane, and no iteration over the squares.
    planes: Vec<W>,
}

impl<W: Word> Exits<W> {
    fn new(game: &Isolation<W>) -> Self {
        let exits = |square| game.reach(square).count();
        let most = game.all().ones().map(exits).max().unwrap_or(0);
        let plane = |n: u32| {
            let squares = game.all().ones().filter(|&square| exits(square) >> n & 1 == 1);
            squares.fold(W::ZERO, |plane, square| plane | W::bit(square))
        };
        Exits { planes: (0..u32::BITS - most.leading_zeros()).map(plane).collect() }
    }

    #[inline]
    fn sum(&self, squares: W) -> i32 {
        let planes = self.planes.iter().rev();
        planes.fold(0, |sum, &plane| 2 * sum + (squares & plane).count() as i32)
    }
}

/// Greatest limit of [`CustomScore2`] and [`CustomScore3`]: squares farther away would count at
/// most a 65,536th part.
pub const LIMIT_MAX: u32 = 16;

/// Flood fill by the moves of a token, for all squares of a set at once.
#[derive(Clone, Debug)]
struct Flood<W> {
    exits: Exits<W>,
    limit: u32,
    directions: [Direction<W>; 8],
}

/// One of the eight directions of a piece.
#[derive(Clone, Copy, Debug)]
struct Direction<W> {
    /// Distance of a step in bits: up in the first four directions, down in the rest.
    shift: u32,
    /// Squares where a step can end.
    ends: W,
    /// Number of doublings of the first step that make the longest move.
    doublings: u32,
}

impl<W: Word> Flood<W> {
    fn new(game: &Isolation<W>, limit: u32) -> Self {
        assert!((1..=LIMIT_MAX).contains(&limit), "{limit} moves are not 1 to {LIMIT_MAX}");
        let setup = game.setup();
        let cols = setup.cols;
        let steps_max = if setup.piece == Piece::Queen { u32::MAX } else { 1 };
        let squares = || (0..setup.rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let directions = setup.directions().map(|direction| {
            let (up, right) = direction;
            let mut ends = W::ZERO;
            let mut steps = 0;
            for from in squares() {
                setup.walk(from, direction, 1).for_each(|(row, col)| ends.set(row * cols + col));
                steps = steps.max(setup.walk(from, direction, steps_max).count());
            }
            Direction {
                // At most two rows of eleven squares and one square.
                shift: (up * cols as i32 + right).unsigned_abs(),
                ends,
                doublings: usize::BITS - steps.saturating_sub(1).leading_zeros(),
            }
        });
        Flood { exits: Exits::new(game), limit, directions }
    }

    /// Sums are counted in units of 1 / `2^(limit - 1)`, so that the farthest squares count whole
    /// numbers.
    fn unit(&self) -> f64 {
        f64::from(1 << (self.limit - 1))
    }

    /// Squares of `free` that a token on one of `front` can go to, and perhaps some of `front`.
    ///
    /// A queen's slides are filled as on chess boards: after `n` doublings `pass` holds the squares
    /// that end `2^n` free ones in a row (Kogge-Stone; Chess Programming Wiki, "Fill Algorithms").
    /// No shift is longer than a move on the board, so all are shorter than the word.
    #[inline]
    fn step(&self, front: W, free: W) -> W {
        let mut reached = W::ZERO;
        for (n, &Direction { shift, ends, doublings }) in self.directions.iter().enumerate() {
            let moved = |squares: W, by: u32| if n < 4 { squares << by } else { squares >> by };
            let mut pass = ends & free;
            let mut fill = pass & moved(front, shift);
            for n in 0..doublings {
                fill |= pass & moved(fill, shift << n);
                pass &= moved(pass, shift << n);
            }
            reached |= fill;
        }
        reached
    }
}

#[cfg(test)]
mod tests;
