//! The board, the moves and the end of the game.

use std::ops::ControlFlow;

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, uniform_below,
};

use super::notation::check;
use crate::captures::Captures;
use crate::position::PositionErrors;
use crate::square::image;
use treegauge_bits::{Choices, each_bit, nth_bit};

/// Number of points on each side of the board.
pub(super) const SIZE: u32 = 5;

/// Greatest number of men of a player.
pub(super) const MEN_MAX: u32 = 12;

/// Number of bits from one row to the next.
const ROW: u32 = SIZE + 1;

/// Bits of the points of the board in a [`State`].
pub(super) const POINTS: u32 = unpacked((1 << (SIZE * SIZE)) - 1);

/// Points that lie on diagonals.
const DIAGONAL: u32 = unpacked(0b10101_01010_10101_01010_10101);

/// Men of both players at the start.
const BEGIN: [u32; 2] =
    [unpacked(0b00000_00000_11000_11111_11111), unpacked(0b11111_11111_00011_00000_00000)];

/// Rules of Alquerque.
#[derive(Clone, Debug)]
pub struct Alquerque {
    draw_plies: Plies,
    ply_cap: Plies,
}

/// Men of both players and the player to move.
///
/// Bit `6 * row + col` is the point in column `col` and row `row`, both from 0 at the lower left.
/// The sixth bit of a row is a gap, so that a step off the board leads to a gap or beyond the ends,
/// which count neither as men nor as empty points:
///
/// ```text
///  24 25 26 27 28    row 5
///  18 19 20 21 22
///  12 13 14 15 16
///   6  7  8  9 10
///   0  1  2  3  4    row 1
///   a  b  c  d  e
/// ```
///
/// Example: `c2-c3` goes from bit 8 to bit 14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) men: [u32; 2],
    pub(super) turn: Player,
}

/// Path of a man.
///
/// ```text
///  63 ...               6     5   4 ... 0
///  directions, three bits   jump  point left
///  each, and a 1 after the
///  last
/// ```
///
/// The first direction is lowest. Example: `c2xc4xe4` goes up (1) and to the right (0) from bit 8,
/// which is `0b1_000_001 << 6 | 1 << 5 | 8`.
///
/// Each jump takes another one of at most twelve men, so that at most 43 bits are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u64);

/// Bit of a capture.
const JUMP: u64 = 1 << 5;

/// Lowest bit of the directions.
const PATH: u32 = 6;

/// Number of directions: right, up, left, down, up and right, up and left, down and left, down and
/// right. Those from [`DIAGONALS`] on are diagonal.
const DIRECTIONS: u32 = 8;

/// First diagonal direction.
const DIAGONALS: u32 = 4;

/// Distance of a step in bits, by direction; negative is down.
const SHIFTS: [i32; DIRECTIONS as usize] = [1, 6, -1, -6, 7, 5, -7, -5];

/// Points next to `points` in a direction. Steps off the board lead to bits that are not points.
#[inline(always)]
pub(super) const fn next(points: u32, direction: u32) -> u32 {
    let shift = SHIFTS[direction as usize];
    if shift > 0 { points << shift } else { points >> -shift }
}

/// Points with `points` next to them in a direction.
#[inline(always)]
const fn before(points: u32, direction: u32) -> u32 {
    let shift = SHIFTS[direction as usize];
    if shift > 0 { points >> shift } else { points << -shift }
}

/// Points that can be left in a direction.
#[inline(always)]
const fn leavable(direction: u32) -> u32 {
    if direction < DIAGONALS { POINTS } else { DIAGONAL }
}

/// Neighbouring points of a point along lines.
pub(super) fn lines_from(point: u32) -> u32 {
    let points = (0..DIRECTIONS).map(|d| next(1 << point & leavable(d), d));
    points.fold(0, |all, points| all | points) & POINTS
}

impl Move {
    /// Single step or single jump.
    #[inline]
    const fn single(from: u32, jump: bool, direction: u32) -> Move {
        Move((8 | direction as u64) << PATH | (jump as u64) << 5 | from as u64)
    }

    /// Capture before its first jump.
    const fn standing(from: u32) -> Move {
        Move(1 << PATH | JUMP | from as u64)
    }

    /// Appends a direction after the first `jumps` ones.
    const fn then(self, jumps: u32, direction: u32) -> Move {
        // The 1 after the last direction is replaced by the direction and another 1.
        Move(self.0 + ((direction as u64 + 7) << (PATH + 3 * jumps)))
    }

    #[cfg(test)]
    pub(super) const fn from_bits(bits: u64) -> Move {
        Move(bits)
    }

    /// Point that the man leaves, 0 to 31.
    #[inline]
    pub(super) const fn from(self) -> u32 {
        self.0 as u32 & 0b1_1111
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
            (path > 7).then(|| {
                let direction = (path & 7) as u32;
                path >>= 3;
                direction
            })
        })
    }

    /// Returns whether a 1 follows right after the last direction, so that each path has only one
    /// encoding.
    const fn is_closed(self) -> bool {
        let path = self.0 >> PATH;
        path > 7 && (63 - path.leading_zeros()).is_multiple_of(3)
    }
}

/// All steps, or all first jumps, of a player: for each direction the points from which a man can
/// go in it. Each word holds two directions, so that they are counted together.
#[derive(Clone, Copy)]
struct Ways([u64; 4]);

impl Ways {
    #[inline(always)]
    fn of(from: impl Fn(u32) -> u32) -> Ways {
        let pair = |n: u32| u64::from(from(2 * n)) | u64::from(from(2 * n + 1)) << 32;
        Ways([pair(0), pair(1), pair(2), pair(3)])
    }

    #[inline]
    const fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }

    #[inline]
    fn counts(self) -> [u32; 4] {
        self.0.map(u64::count_ones)
    }

    #[inline]
    fn count(self) -> u32 {
        self.counts().iter().sum()
    }

    /// The `n`-th way, from 0. `n` must be less than their number.
    #[inline]
    fn nth(self, n: u32, jump: bool) -> Move {
        let mut n = n;
        let (mut pair, counts) = (0, self.counts());
        while n >= counts[pair] {
            n -= counts[pair];
            pair += 1;
        }
        let bit = nth_bit(self.0[pair], n);
        Move::single(bit & 31, jump, 2 * pair as u32 + (bit >> 5))
    }
}

/// Position as seen by the men of one player.
#[derive(Clone, Copy)]
struct View {
    own: u32,
    enemy: u32,
    free: u32,
}

impl View {
    #[inline(always)]
    fn new(state: &State, turn: Player) -> View {
        let [own, enemy] = [state.men[turn.index()], state.men[turn.other().index()]];
        View { own, enemy, free: POINTS & !(own | enemy) }
    }

    #[inline(always)]
    fn steps(&self) -> Ways {
        Ways::of(|d| self.own & leavable(d) & before(self.free, d))
    }

    #[inline(always)]
    fn jumps(&self) -> Ways {
        Ways::of(|d| self.own & self.can_jump(d))
    }

    /// Points from which a man of the player to move could jump in a direction.
    #[inline(always)]
    fn can_jump(&self, direction: u32) -> u32 {
        let behind = before(self.free, direction) & self.enemy;
        leavable(direction) & before(behind, direction)
    }

    /// Visits all ways for a man on `point` to continue after `jumps` jumps; `self.enemy` are the
    /// men that are left.
    fn extend(
        &self,
        point: u32,
        path: Move,
        jumps: u32,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut ends = true;
        for direction in 0..DIRECTIONS {
            let (over, to) = self.jump(point, direction);
            if to != 0 {
                ends = false;
                let after = View { enemy: self.enemy & !over, ..*self };
                after.extend(to, path.then(jumps, direction), jumps + 1, visit)?;
            }
        }
        if ends { visit(path) } else { ControlFlow::Continue(()) }
    }

    /// Point of the man jumped over and point behind it; the latter is 0 if the jump is not
    /// possible.
    #[inline]
    fn jump(&self, point: u32, direction: u32) -> (u32, u32) {
        let over = next(point & leavable(direction), direction) & self.enemy;
        (over, next(over, direction) & self.free)
    }
}

impl Captures for View {
    type Jumps = Ways;
    type Move = Move;

    /// Tests whether any first jump can be continued. The point left counts as occupied here, which
    /// makes no difference: a second jump that ended on it would be over the man just taken.
    #[inline]
    fn goes_on(&self, jumps: Ways) -> bool {
        let (mut landing, mut again) = (0, 0);
        for direction in 0..DIRECTIONS {
            let from = (jumps.0[direction as usize / 2] >> (direction % 2 * 32)) as u32;
            landing |= next(next(from, direction), direction);
            again |= self.can_jump(direction);
        }
        landing & again != 0
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
        let from = jumps.0.iter().fold(0, |from, &pair| from | pair as u32 | (pair >> 32) as u32);
        let mut left = from;
        while left != 0 {
            let from = left.trailing_zeros();
            left &= left - 1;
            let point = 1 << from;
            let lifted = View { free: self.free | point, ..*self };
            if lifted.extend(point, Move::standing(from), 0, &mut visit).is_break() {
                return;
            }
        }
    }
}

impl Alquerque {
    /// Creates the game, drawn after `draw_plies` plies in a row without a capture, and stopped as
    /// capped after `ply_cap` plies.
    #[must_use]
    pub fn new(draw_plies: Plies, ply_cap: Plies) -> Self {
        Alquerque { draw_plies, ply_cap }
    }

    /// Moves a man along its path and removes the men that it jumps over.
    #[inline(always)]
    fn carry(men: &mut [u32; 2], turn: Player, m: Move) {
        let from = 1 << m.from();
        let (mut to, mut taken) = (from, 0);
        for direction in m.directions() {
            to = next(to, direction);
            if m.jumps() {
                taken |= to;
                to = next(to, direction);
            }
        }
        men[turn.other().index()] &= !taken;
        let own = &mut men[turn.index()];
        *own = *own & !from | to;
    }
}

impl Game for Alquerque {
    type State = State;
    type Move = Move;
    const CYCLIC: bool = true;

    fn start(&self) -> State {
        State { men: BEGIN, turn: Player::First }
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
            for (pair, word) in (0..).zip(view.steps().0) {
                each_bit(word, |bit| {
                    moves.push(Move::single(bit & 31, false, 2 * pair + (bit >> 5)));
                });
            }
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
        Alquerque::carry(&mut state.men, state.turn, m);
        state.turn = state.turn.other();
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
        let mut point = 1 << m.from();
        if !m.is_closed() || view.own & point == 0 {
            return false;
        }
        let mut directions = m.directions();
        if !m.jumps() {
            let steps = |d| next(point & leavable(d), d) & view.free != 0;
            return directions.next().is_some_and(steps)
                && directions.next().is_none()
                && view.jumps().is_empty();
        }
        let mut hunt = View { free: view.free | point, ..view };
        for direction in directions {
            let (over, to) = hunt.jump(point, direction);
            if to == 0 {
                return false;
            }
            hunt.enemy &= !over;
            point = to;
        }
        (0..DIRECTIONS).all(|direction| hunt.jump(point, direction).1 == 0)
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
        let State { mut men, mut turn } = *state;
        let (outcome, capped) = loop {
            let drawn = quiet >= self.draw_plies.0;
            let stops = drawn || plies >= limits.plies_left.0;
            let view = View::new(&State { men, turn }, turn);
            let jumps = view.jumps();
            let m = if jumps.is_empty() {
                let steps = view.steps();
                if steps.is_empty() {
                    break (Outcome::win_of(turn.other()), false);
                }
                if stops {
                    break (Outcome::Draw, !drawn);
                }
                quiet += 1;
                steps.nth(choices.below(steps.count()), false)
            } else {
                if stops {
                    break (Outcome::Draw, !drawn);
                }
                quiet = 0;
                view.random_capture(jumps, |n| if n == 1 { 0 } else { choices.below_any(n) })
            };
            Alquerque::carry(&mut men, turn, m);
            turn = turn.other();
            plies += 1;
        };
        *state = State { men, turn };
        Playout { outcome, plies: Plies(plies), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    fn draw_plies(&self) -> Option<Plies> {
        Some(self.draw_plies)
    }

    /// Returns whether the move is a capture.
    #[inline]
    fn is_irreversible(&self, _: &State, m: Move) -> bool {
        m.jumps()
    }
}

/// Removes the gaps from a set of points: bit `5 * row + col`.
const fn packed(points: u32) -> u32 {
    let (mut word, mut row) = (0, 0);
    while row < SIZE {
        word |= (points >> (ROW * row) & 0b11111) << (SIZE * row);
        row += 1;
    }
    word
}

/// The inverse of [`packed`].
const fn unpacked(word: u32) -> u32 {
    let (mut points, mut row) = (0, 0);
    while row < SIZE {
        points |= (word >> (SIZE * row) & 0b11111) << (ROW * row);
        row += 1;
    }
    points
}

impl Keyed for Alquerque {
    /// The first player's men in bits 0 to 24, the second player's in bits 25 to 49, and bit 50
    /// set when the second player is to move.
    type Key = u64;

    #[inline]
    fn key(&self, state: &State) -> u64 {
        let [first, second] = state.men.map(packed);
        u64::from(first) | u64::from(second) << 25 | (state.turn.index() as u64) << 50
    }

    #[inline]
    fn unkey(&self, key: u64) -> State {
        let men = [unpacked(key as u32), unpacked((key >> 25) as u32)];
        State { men, turn: if key >> 50 & 1 == 0 { Player::First } else { Player::Second } }
    }

    fn try_unkey(&self, key: u64) -> Option<State> {
        let state = self.unkey(key);
        let apart = state.men[0] & state.men[1] == 0 && key >> 51 == 0;
        PositionErrors::none_in(apart.then_some(state)?, check)
    }
}

/// Bit of a point; row and column from 0 at the lower left.
pub(super) const fn point_at(row: u32, col: u32) -> u32 {
    ROW * row + col
}

/// Row and column of a point.
pub(super) const fn row_and_column(point: u32) -> (u32, u32) {
    (point / ROW, point % ROW)
}

/// Image of a point under a symmetry of the square.
fn image_of(symmetry: usize, point: u32) -> u32 {
    let (row, col) = row_and_column(point);
    let mapped = image(SIZE, symmetry, SIZE * row + col);
    point_at(mapped / SIZE, mapped % SIZE)
}

impl Symmetric for Alquerque {
    /// Eight symmetries of the square: men go in all directions, and a mirror keeps the points on
    /// diagonals.
    fn symmetry_count(&self) -> usize {
        8
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let men = state.men.map(|men| {
            let mut mapped = 0;
            each_bit(u64::from(men), |point| mapped |= 1 << image_of(symmetry, point));
            mapped
        });
        State { men, turn: state.turn }
    }

    fn map_move(&self, symmetry: usize, m: Move) -> Move {
        // The image of a direction is the direction to the image of the centre's neighbour, since
        // the centre stays.
        let centre = 1 << point_at(2, 2);
        let turned = |direction: u32| {
            let to = 1 << image_of(symmetry, next(centre, direction).trailing_zeros());
            (0..DIRECTIONS).find(|&d| next(centre, d) == to).expect("the centre has 8 neighbours")
        };
        let standing = Move(1 << PATH | m.0 & JUMP | u64::from(image_of(symmetry, m.from())));
        let directions = m.directions().enumerate();
        directions.fold(standing, |path, (n, direction)| path.then(n as u32, turned(direction)))
    }
}
