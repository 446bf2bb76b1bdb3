//! The board, the moves and the end of the game.

use std::ops::ControlFlow;

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, uniform_below,
};

use crate::captures::Captures;
use crate::position::PositionErrors;
use treegauge_bits::{Choices, each_bit, nth_bit};

/// Bits of the squares of the board in a [`State`].
pub(super) const SQUARES: u64 = unpacked(u32::MAX);

/// Squares of the pieces at the start.
const BEGIN: [u64; 2] = [unpacked(0x0000_0fff), unpacked(0xfff0_0000)];

/// Rows on which men of the players become kings.
pub(super) const FAR_ROW: [u64; 2] = [unpacked(0xf000_0000), unpacked(0x0000_000f)];

/// Greatest number of pieces of a player.
pub(super) const PIECES_MAX: u32 = 12;

/// Rules of Checkers.
#[derive(Clone, Debug)]
pub struct Checkers {
    kings: bool,
    draw_plies: Plies,
    ply_cap: Plies,
}

/// Pieces of both players, the kings among them, and the player to move.
///
/// The dark squares are bits 0 to 35, with a gap of one bit after every other row:
///
/// ```text
///     32  33  34  35    row 8
///   27  28  29  30
///     23  24  25  26
///   18  19  20  21
///     14  15  16  17
///    9  10  11  12
///      5   6   7   8
///    0   1   2   3      row 1
///   a b c d e f g h
/// ```
///
/// So one step up is 4 bits to the left or 5 bits to the right wherever it begins. A step off the
/// board leads to a gap (4, 13, 22, 31) or beyond the ends, which count neither as pieces nor as
/// empty squares. (A. L. Samuel 1959, "Some studies in machine learning using the game of
/// checkers"; rows packed into 32 bits would need other shifts for even and odd rows.)
///
/// Example: `c3-d4` goes from bit 10 to bit 15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) pieces: [u64; 2],
    pub(super) kings: u64,
    pub(super) turn: Player,
}

/// Path of a piece.
///
/// ```text
///  31 ...          7   6   5 ... 0
///  directions, two   jump  square left
///  bits each, and a
///  1 after the last
/// ```
///
/// The first direction is lowest. Example: `c3xe5xg7` goes up and right (1) twice from bit 10,
/// which is `0b1_01_01 << 7 | 1 << 6 | 10`.
///
/// A path has at most nine jumps, so that 26 bits are used. Each jump leads two rows and two
/// columns away, so a piece stays on 8 of the 32 squares, which are arranged like the dark squares
/// of a 4 x 4 board. It jumps over squares between two of these 8 that touch at a corner, and there
/// are nine such pairs. A king on a1 can take nine pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u32);

/// Bit of a capture.
const JUMP: u32 = 1 << 6;

/// Lowest bit of the directions.
const PATH: u32 = 7;

/// Square next to `square` in a direction: 0 up and left, 1 up and right, 2 down and left, 3 down
/// and right. A step off the board leads to a bit that is not a square.
#[inline]
pub(super) const fn next(square: u64, direction: u32) -> u64 {
    if direction < 2 { square << (4 + direction) } else { square >> (7 - direction) }
}

impl Move {
    /// Single step or single jump.
    #[inline]
    const fn single(from: u32, jump: bool, direction: u32) -> Move {
        Move((4 | direction) << PATH | (jump as u32) << 6 | from)
    }

    /// Capture before its first jump.
    const fn standing(from: u32) -> Move {
        Move(1 << PATH | JUMP | from)
    }

    /// Appends a direction after the first `jumps` ones.
    const fn then(self, jumps: u32, direction: u32) -> Move {
        // The 1 after the last direction is replaced by the direction and another 1.
        Move(self.0 + ((direction + 3) << (PATH + 2 * jumps)))
    }

    /// Square that the piece leaves, 0 to 63.
    #[inline]
    pub(super) const fn from(self) -> u32 {
        self.0 & 0b11_1111
    }

    /// Returns whether the move captures.
    #[inline]
    pub(super) const fn jumps(self) -> bool {
        self.0 & JUMP != 0
    }

    /// Directions of the step or the jumps, in order.
    #[inline]
    pub(super) fn directions(self) -> impl Iterator<Item = u32> {
        let mut path = self.0 >> PATH;
        std::iter::from_fn(move || {
            (path > 3).then(|| {
                let direction = path & 3;
                path >>= 2;
                direction
            })
        })
    }

    #[cfg(test)]
    pub(super) const fn from_bits(bits: u32) -> Move {
        Move(bits)
    }

    /// Returns whether a 1 follows right after the last direction, so that each path has only one
    /// encoding.
    const fn is_closed(self) -> bool {
        let path = self.0 >> PATH;
        path > 3 && (31 - path.leading_zeros()).is_multiple_of(2)
    }
}

/// All steps, or all first jumps, of a player.
///
/// Bits 0 to 31 and 32 to 63 of `up` are the squares from which pieces go up and left, and up and
/// right. Those of `down` are the squares that pieces enter which go down and left, and down and
/// right. Both are below bit 32, because row 8 is not left upwards nor entered downwards, so that
/// two directions are counted at once.
#[derive(Clone, Copy)]
struct Ways {
    up: u64,
    down: u64,
}

/// Position as seen by the pieces of one player.
#[derive(Clone, Copy)]
struct View {
    /// Pieces that go up, and pieces that go down.
    up: u64,
    down: u64,
    enemy: u64,
    free: u64,
    kings: u64,
    first: bool,
}

impl View {
    #[inline(always)]
    fn new(state: &State, turn: Player) -> View {
        let [own, enemy] = [state.pieces[turn.index()], state.pieces[turn.other().index()]];
        let kings = own & state.kings;
        let first = turn == Player::First;
        let (up, down) = if first { (own, kings) } else { (kings, own) };
        View { up, down, enemy, free: SQUARES & !(own | enemy), kings, first }
    }

    #[inline(always)]
    fn steps(&self) -> Ways {
        let View { up, down, free, .. } = *self;
        Ways {
            up: up & free >> 4 | (up & free >> 5) << 32,
            down: down >> 5 & free | (down >> 4 & free) << 32,
        }
    }

    #[inline(always)]
    fn jumps(&self) -> Ways {
        let View { up, down, enemy, free, .. } = *self;
        Ways {
            up: up & enemy >> 4 & free >> 8 | (up & enemy >> 5 & free >> 10) << 32,
            down: down >> 10 & enemy >> 5 & free | (down >> 8 & enemy >> 4 & free) << 32,
        }
    }

    /// Range of directions of the piece on a square: first, and last plus one.
    #[inline]
    fn directions(&self, square: u64) -> (u32, u32) {
        match (self.kings & square != 0, self.first) {
            (true, _) => (0, 4),
            (false, true) => (0, 2),
            (false, false) => (2, 4),
        }
    }
}

impl Captures for View {
    type Jumps = Ways;
    type Move = Move;

    /// Tests whether any first jump can be continued. The square left counts as occupied here,
    /// which makes no difference: a second jump that ended on it would be over the piece just
    /// taken.
    #[inline]
    fn goes_on(&self, jumps: Ways) -> bool {
        let View { enemy, free, kings, first, .. } = *self;
        let again_up = enemy >> 4 & free >> 8 | enemy >> 5 & free >> 10;
        let again_down = enemy << 5 & free << 10 | enemy << 4 & free << 8;
        let landing = |from: Ways| {
            let up = (from.up & LOW) << 8 | from.up >> 32 << 10;
            up | from.down & LOW | from.down >> 32
        };
        let all = landing(jumps);
        let of_kings = landing(Ways {
            up: jumps.up & (kings & LOW | kings << 32),
            down: jumps.down & (kings >> 10 & LOW | kings >> 8 << 32),
        });
        let (forward, back) = if first { (again_up, again_down) } else { (again_down, again_up) };
        all & forward | of_kings & back != 0
    }

    #[inline]
    fn jump_count(jumps: Ways) -> u32 {
        jumps.count()
    }

    #[inline]
    fn nth_jump(jumps: Ways, n: u32) -> Move {
        jumps.nth(n, true)
    }

    fn each_capture(&self, jumps: Ways, mut visit: impl FnMut(Move) -> ControlFlow<()>) {
        let from = jumps.up & LOW | jumps.up >> 32;
        let mut left = from | (jumps.down & LOW) << 10 | jumps.down >> 32 << 8;
        while left != 0 {
            let from = left.trailing_zeros();
            left &= left - 1;
            let square = 1u64 << from;
            let hunt = Hunt { free: self.free | square, directions: self.directions(square) };
            if hunt.extend(square, self.enemy, Move::standing(from), 0, &mut visit).is_break() {
                return;
            }
        }
    }
}

/// Mask of bits 0 to 31.
const LOW: u64 = 0xffff_ffff;

impl Ways {
    #[inline]
    const fn is_empty(self) -> bool {
        self.up | self.down == 0
    }

    #[inline]
    const fn count(self) -> u32 {
        self.up.count_ones() + self.down.count_ones()
    }

    /// The `n`-th way, from 0. `n` must be less than their number.
    #[inline]
    fn nth(self, n: u32, jump: bool) -> Move {
        let ups = self.up.count_ones();
        if n < ups {
            let bit = nth_bit(self.up, n);
            return Move::single(bit & 31, jump, bit >> 5);
        }
        let bit = nth_bit(self.down, n - ups);
        Ways::down(bit, jump)
    }

    /// Way of a bit of `down`.
    #[inline]
    const fn down(bit: u32, jump: bool) -> Move {
        let right = bit >> 5;
        Move::single((bit & 31) + ((5 - right) << jump as u32), jump, 2 + right)
    }
}

/// Capture in progress.
struct Hunt {
    free: u64,
    directions: (u32, u32),
}

impl Hunt {
    /// Visits all ways to continue from `square` after `jumps` jumps, which left `enemy`.
    ///
    /// A man on its farthest row has no square in front of it, so its capture ends there by itself.
    fn extend(
        &self,
        square: u64,
        enemy: u64,
        path: Move,
        jumps: u32,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut ends = true;
        for direction in self.directions.0..self.directions.1 {
            let over = next(square, direction) & enemy;
            let to = next(over, direction) & self.free;
            if to != 0 {
                ends = false;
                self.extend(to, enemy & !over, path.then(jumps, direction), jumps + 1, visit)?;
            }
        }
        if ends { visit(path) } else { ControlFlow::Continue(()) }
    }
}

impl Checkers {
    /// Creates the game, with kings only if `kings` is set, drawn after `draw_plies` plies in a row
    /// without a capture or a man's move, and stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(kings: bool, draw_plies: Plies, ply_cap: Plies) -> Self {
        Checkers { kings, draw_plies, ply_cap }
    }

    /// Returns whether all pieces are kings from the start.
    #[must_use]
    pub fn only_kings(&self) -> bool {
        self.kings
    }

    /// Moves a piece along one step or jump and removes a piece that it jumps over.
    #[inline(always)]
    fn carry(state: &mut State, turn: Player, square: u64, jump: bool, direction: u32) -> u64 {
        let mut to = next(square, direction);
        if jump {
            state.pieces[turn.other().index()] &= !to;
            state.kings &= !to;
            to = next(to, direction);
        }
        let king = if state.kings & square != 0 { to } else { to & FAR_ROW[turn.index()] };
        state.kings = state.kings & !square | king;
        let own = &mut state.pieces[turn.index()];
        *own = *own & !square | to;
        to
    }

    /// Plays one random ply of `turn`, unless the player has no move or `stops` is set.
    #[inline(always)]
    fn random_ply<R: Rng + ?Sized>(
        state: &mut State,
        turn: Player,
        stops: bool,
        choices: &mut Choices<'_, R>,
    ) -> Ply {
        let view = View::new(state, turn);
        let jumps = view.jumps();
        if jumps.is_empty() {
            let steps = view.steps();
            if steps.is_empty() {
                return Ply::Stuck;
            }
            if stops {
                return Ply::Stopped;
            }
            let m = steps.nth(choices.below(steps.count()), false);
            let square = 1 << m.from();
            let quiet = state.kings & square != 0;
            Checkers::carry(state, turn, square, false, m.0 >> PATH & 3);
            return if quiet { Ply::Quiet } else { Ply::Progress };
        }
        if stops {
            return Ply::Stopped;
        }
        // At most 12 pieces with 16 captures each, so one draw is enough.
        let m = view.random_capture(jumps, |n| if n == 1 { 0 } else { choices.below(n) });
        let mut square = 1 << m.from();
        for direction in m.directions() {
            square = Checkers::carry(state, turn, square, true, direction);
        }
        Ply::Progress
    }
}

/// Result of a ply of a playout.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ply {
    /// The player has no move.
    Stuck,
    /// The player has a move, but the playout ends before it.
    Stopped,
    /// A king stepped.
    Quiet,
    /// A man moved or a piece was taken.
    Progress,
}

impl Game for Checkers {
    type State = State;
    type Move = Move;
    const CYCLIC: bool = true;

    fn start(&self) -> State {
        let kings = if self.kings { BEGIN[0] | BEGIN[1] } else { 0 };
        State { pieces: BEGIN, kings, turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let view = View::new(state, state.turn);
        let stuck = view.steps().is_empty() && view.jumps().is_empty();
        stuck.then(|| Outcome::win_of(state.turn.other()))
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<Move>) {
        moves.clear();
        let view = View::new(state, state.turn);
        let jumps = view.jumps();
        if jumps.is_empty() {
            let steps = view.steps();
            each_bit(steps.up, |bit| moves.push(Move::single(bit & 31, false, bit >> 5)));
            each_bit(steps.down, |bit| moves.push(Ways::down(bit, false)));
        } else {
            view.each_capture(jumps, |m| {
                moves.push(m);
                ControlFlow::Continue(())
            });
        }
    }

    #[inline]
    fn play(&self, state: &mut State, m: Move) {
        debug_assert!(self.is_legal(state, m), "{m:?} cannot be played");
        let turn = state.turn;
        let mut square = 1 << m.from();
        for direction in m.directions() {
            square = Checkers::carry(state, turn, square, m.jumps(), direction);
        }
        state.turn = turn.other();
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        let view = View::new(state, state.turn);
        let jumps = view.jumps();
        if jumps.is_empty() { view.steps().count() } else { view.capture_count(jumps) }
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<Move>) -> Move {
        let view = View::new(state, state.turn);
        let jumps = view.jumps();
        if jumps.is_empty() {
            let steps = view.steps();
            assert!(n < steps.count(), "there is no such move");
            steps.nth(n, false)
        } else {
            view.nth_capture(jumps, n)
        }
    }

    fn is_legal(&self, state: &State, m: Move) -> bool {
        let view = View::new(state, state.turn);
        let mut square = 1 << m.from();
        if !m.is_closed() || (view.up | view.down) & square == 0 {
            return false;
        }
        let (low, high) = view.directions(square);
        let allowed = |direction| (low..high).contains(&direction);
        if !m.jumps() {
            let mut directions = m.directions();
            return directions.next().is_some_and(|direction| {
                allowed(direction) && next(square, direction) & view.free != 0
            }) && directions.next().is_none()
                && view.jumps().is_empty();
        }
        let (free, mut enemy) = (view.free | square, view.enemy);
        let jump = |square, enemy, direction| {
            let over = next(square, direction) & enemy;
            (over, if allowed(direction) { next(over, direction) & free } else { 0 })
        };
        for direction in m.directions() {
            let (over, to) = jump(square, enemy, direction);
            if to == 0 {
                return false;
            }
            enemy &= !over;
            square = to;
        }
        (low..high).all(|direction| jump(square, enemy, direction).1 == 0)
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<Move> {
        let view = View::new(state, state.turn);
        let jumps = view.jumps();
        if !jumps.is_empty() {
            return Some(view.random_capture(jumps, |n| uniform_below(rng, n)));
        }
        let steps = view.steps();
        (!steps.is_empty()).then(|| steps.nth(uniform_below(rng, steps.count()), false))
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut choices = Choices::new(rng);
        let (mut plies, mut quiet) = (0, limits.quiet.0);
        let mut now = *state;
        let mut turn = now.turn;
        loop {
            let drawn = quiet >= self.draw_plies.0;
            let stops = drawn || plies >= limits.plies_left.0;
            // The player is a constant in each branch, so that each is compiled for its own
            // directions.
            let ply = match turn {
                Player::First => Checkers::random_ply(&mut now, Player::First, stops, &mut choices),
                Player::Second => {
                    Checkers::random_ply(&mut now, Player::Second, stops, &mut choices)
                }
            };
            match ply {
                Ply::Quiet => quiet += 1,
                Ply::Progress => quiet = 0,
                Ply::Stuck | Ply::Stopped => {
                    *state = State { turn, ..now };
                    let stuck = ply == Ply::Stuck;
                    let outcome = if stuck { Outcome::win_of(turn.other()) } else { Outcome::Draw };
                    return Playout { outcome, plies: Plies(plies), capped: !stuck && !drawn };
                }
            }
            turn = turn.other();
            plies += 1;
        }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    fn draw_plies(&self) -> Option<Plies> {
        Some(self.draw_plies)
    }

    /// Returns whether the move is a capture or a man's move.
    #[inline]
    fn is_irreversible(&self, state: &State, m: Move) -> bool {
        m.jumps() || state.kings >> m.from() & 1 == 0
    }
}

/// Removes the gaps from a set of squares: bit `4 * row + n` for the n-th square of a row from the
/// left.
const fn packed(squares: u64) -> u32 {
    let (mut word, mut row) = (0, 0u32);
    while row < 8 {
        word |= ((squares >> ((9 * row).div_ceil(2))) as u32 & 0b1111) << (4 * row);
        row += 1;
    }
    word
}

/// The inverse of [`packed`].
const fn unpacked(word: u32) -> u64 {
    let (mut squares, mut row) = (0, 0u32);
    while row < 8 {
        squares |= ((word >> (4 * row)) as u64 & 0b1111) << ((9 * row).div_ceil(2));
        row += 1;
    }
    squares
}

impl Keyed for Checkers {
    /// First player's pieces, second player's pieces and kings, one bit for each of the 32 squares.
    /// If the second player is to move, all empty squares, at least eight, are added to the kings.
    type Key = [u32; 3];

    #[inline]
    fn key(&self, state: &State) -> [u32; 3] {
        let [first, second] = state.pieces.map(packed);
        let empty = if state.turn == Player::Second { !(first | second) } else { 0 };
        [first, second, packed(state.kings) | empty]
    }

    #[inline]
    fn unkey(&self, [first, second, kings]: [u32; 3]) -> State {
        let pieces = first | second;
        let turn = if kings & !pieces == 0 { Player::First } else { Player::Second };
        State { pieces: [unpacked(first), unpacked(second)], kings: unpacked(kings & pieces), turn }
    }

    fn try_unkey(&self, key: [u32; 3]) -> Option<State> {
        let state = self.unkey(key);
        let apart = key[0] & key[1] == 0 && self.key(&state) == key;
        PositionErrors::none_in(apart.then_some(state)?, |state, errors| self.check(state, errors))
    }
}

impl Checkers {
    /// Image of a square, which may be a gap, under a symmetry of the dark squares.
    const fn image(symmetry: usize, square: u32) -> u32 {
        let (row, col) = row_and_column(square);
        let (row, col) = match symmetry {
            0 => (row, col),
            1 => (7 - row, 7 - col),
            2 => (col, row),
            _ => (7 - col, 7 - row),
        };
        square_at(row, col)
    }
}

/// Bit of a dark square; row and column from 0 at the lower left.
pub(super) const fn square_at(row: u32, col: u32) -> u32 {
    (9 * row + col).div_ceil(2)
}

/// Row and column of a square.
pub(super) const fn row_and_column(square: u32) -> (u32, u32) {
    let (rows, place) = (square / 9 * 2, square % 9);
    if place < 4 { (rows, 2 * place) } else { (rows + 1, (2 * place).saturating_sub(9)) }
}

impl Symmetric for Checkers {
    /// Number of symmetries. Men distinguish forward from backward, so only the identity is left. A
    /// board of kings may be rotated by half a turn or mirrored at either long diagonal, which
    /// keeps the dark squares dark.
    fn symmetry_count(&self) -> usize {
        if self.kings { 4 } else { 1 }
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let map = |squares| {
            let mut mapped = 0;
            each_bit(squares, |square| mapped |= 1 << Checkers::image(symmetry, square));
            mapped
        };
        State { pieces: state.pieces.map(map), kings: map(state.kings), turn: state.turn }
    }

    fn map_move(&self, symmetry: usize, m: Move) -> Move {
        // Half a turn reverses every direction; a mirror keeps the two along its own diagonal.
        let direction = |d: u32| match symmetry {
            0 => d,
            1 => 3 - d,
            2 => [3, 1, 2, 0][d as usize],
            _ => [0, 2, 1, 3][d as usize],
        };
        let from = Checkers::image(symmetry, m.from());
        let standing = Move(1 << PATH | m.0 & JUMP | from);
        let directions = m.directions().enumerate();
        directions.fold(standing, |path, (n, d)| path.then(n as u32, direction(d)))
    }
}
