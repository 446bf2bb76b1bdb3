//! The board, the moves and the end of the game.

use rand_core::Rng;
use treegauge_core::{
    Game, Indexed, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Retrograde, Symmetric,
    uniform_below,
};

use crate::position::PositionErrors;
use crate::square::image;
use crate::subsets::{POINTS_MAX, Subsets};
use treegauge_bits::{Choices, each_bit, nth_bit};

/// Neighbours of a point besides those next to it in its row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjacency {
    /// Neighbours on the diagonals through points with an even sum of column and row numbers.
    Lines,
    /// Neighbours on all diagonals.
    King,
    /// No further neighbours.
    Orth,
}

/// Rules of Achi, with tables of the board.
#[derive(Clone, Debug)]
pub struct Achi {
    size: u32,
    men: u32,
    adjacency: Adjacency,
    ply_cap: Plies,
    /// Neighbours of each point; empty beyond the board.
    neighbours: [u32; POINTS_MAX],
    /// Step of a row of three (one column, one row, and both up to the right and up to the left),
    /// with the points where such rows may begin.
    begins: [(u32, u32); 4],
    /// Numbering of the sets of points that the men of one player can occupy.
    stands: Subsets,
}

/// Men of both players and the player to move.
///
/// Bit `row * size + col` is the point in column `col` and row `row`, both from 0 at the lower
/// left. On the 3 x 3 board:
///
/// ```text
///  6  7  8    row 3
///  3  4  5
///  0  1  2    row 1
///  a  b  c
/// ```
///
/// Example: after `b2` by the first player and `c3` by the second, the first player's men are `1 <<
/// 4` and the second player's `1 << 8`. Men are placed while there are fewer than all on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) men: [u32; 2],
    pub(super) turn: Player,
}

/// Placement or move of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Point that the man leaves; equal to `to` for a placement.
    pub(super) from: u8,
    /// The point that the man enters.
    pub(super) to: u8,
}

impl Move {
    const fn place(to: u32) -> Move {
        Move { from: to as u8, to: to as u8 }
    }
}

impl Achi {
    /// Creates the game on `size` x `size` points, `size` 3 to 5, with `men` men each, stopped as
    /// capped after `ply_cap` plies. `men` is at least 3, and one point or more stays empty: twice
    /// `men` is less than the number of points.
    ///
    /// # Panics
    ///
    /// When a number is out of its range.
    #[must_use]
    pub fn new(size: u32, men: u32, adjacency: Adjacency, ply_cap: Plies) -> Self {
        assert!((3..=5).contains(&size), "a board of size {size}");
        assert!(men >= 3 && 2 * men < size * size, "{men} men each on a board of size {size}");
        let points = size * size;
        let mut neighbours = [0; POINTS_MAX];
        for from in 0..points {
            for to in 0..points {
                let (columns, rows) =
                    ((from % size).abs_diff(to % size), (from / size).abs_diff(to / size));
                let diagonal = match adjacency {
                    Adjacency::Lines => (from % size + from / size).is_multiple_of(2),
                    Adjacency::King => true,
                    Adjacency::Orth => false,
                };
                if columns + rows == 1 || (diagonal && columns == 1 && rows == 1) {
                    neighbours[from as usize] |= 1 << to;
                }
            }
        }
        let cells = |fits: &dyn Fn(u32) -> bool| {
            (0..points).filter(|point| fits(point % size)).fold(0, |set, point| set | 1 << point)
        };
        let (right, left) = (cells(&|col| col + 2 < size), cells(&|col| col >= 2));
        let begins = [(1, right), (size, u32::MAX), (size + 1, right), (size - 1, left)];
        let stands = Subsets::new(points, men);
        Achi { size, men, adjacency, ply_cap, neighbours, begins, stands }
    }

    /// Number of rows, and of columns, of the board.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Number of men of each player.
    #[must_use]
    pub fn men(&self) -> u32 {
        self.men
    }

    #[inline]
    pub(super) fn neighbours(&self, point: u32) -> u32 {
        self.neighbours[point as usize]
    }

    #[inline]
    fn free(&self, men: [u32; 2]) -> u32 {
        !(men[0] | men[1]) & ((1 << (self.size * self.size)) - 1)
    }

    /// Returns whether `men` have a row of three.
    #[inline]
    pub(super) fn has_line(&self, men: u32) -> bool {
        let lines = self
            .begins
            .iter()
            .map(|&(step, begins)| men & men >> step & men >> (2 * step) & begins);
        lines.fold(0, |any, line| any | line) != 0
    }

    /// Returns whether all men are on the board, so that they move.
    #[inline]
    pub(super) fn is_placed(&self, men: [u32; 2]) -> bool {
        (men[0] | men[1]).count_ones() == 2 * self.men
    }

    /// Returns whether any of `men` has a free neighbour.
    #[inline]
    fn can_step(&self, men: u32, free: u32) -> bool {
        let mut left = men;
        while left != 0 {
            if self.neighbours[left.trailing_zeros() as usize] & free != 0 {
                return true;
            }
            left &= left - 1;
        }
        false
    }

    /// Number of steps of `men`.
    #[inline]
    fn step_count(&self, men: u32, free: u32) -> u32 {
        let (mut left, mut count) = (men, 0);
        while left != 0 {
            count += (self.neighbours[left.trailing_zeros() as usize] & free).count_ones();
            left &= left - 1;
        }
        count
    }

    /// The `n`-th step of `men`, from 0. `n` must be less than their number.
    #[inline]
    fn nth_step(&self, men: u32, free: u32, n: u32) -> Move {
        let (mut left, mut n) = (men, n);
        loop {
            let from = left.trailing_zeros();
            let to = self.neighbours[from as usize] & free;
            let count = to.count_ones();
            if n < count {
                return Move { from: from as u8, to: nth_bit(u64::from(to), n) as u8 };
            }
            n -= count;
            left &= left - 1;
            assert!(left != 0, "there is no such step");
        }
    }
}

impl Game for Achi {
    type State = State;
    type Move = Move;
    const CYCLIC: bool = true;

    fn start(&self) -> State {
        State { men: [0; 2], turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = state.turn.other();
        let stuck = || {
            self.is_placed(state.men)
                && !self.can_step(state.men[state.turn.index()], self.free(state.men))
        };
        (self.has_line(state.men[last.index()]) || stuck()).then(|| Outcome::win_of(last))
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<Move>) {
        moves.clear();
        let free = self.free(state.men);
        if !self.is_placed(state.men) {
            each_bit(u64::from(free), |to| moves.push(Move::place(to)));
            return;
        }
        each_bit(u64::from(state.men[state.turn.index()]), |from| {
            each_bit(u64::from(self.neighbours[from as usize] & free), |to| {
                moves.push(Move { from: from as u8, to: to as u8 });
            });
        });
    }

    #[inline]
    fn play(&self, state: &mut State, m: Move) {
        debug_assert!(self.is_legal(state, m), "{m:?} cannot be played");
        // A point off the board is an error of the caller, but must not panic.
        let (from, to) = (1u32 << (m.from & 31), 1u32 << (m.to & 31));
        let men = &mut state.men[state.turn.index()];
        *men = *men & !from | to;
        state.turn = state.turn.other();
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        let free = self.free(state.men);
        if self.is_placed(state.men) {
            self.step_count(state.men[state.turn.index()], free)
        } else {
            free.count_ones()
        }
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<Move>) -> Move {
        let free = self.free(state.men);
        if self.is_placed(state.men) {
            self.nth_step(state.men[state.turn.index()], free, n)
        } else {
            Move::place(nth_bit(u64::from(free), n))
        }
    }

    #[inline]
    fn is_legal(&self, state: &State, m: Move) -> bool {
        let (from, to) = (u32::from(m.from), u32::from(m.to));
        let points = self.size * self.size;
        if from >= points || to >= points || self.free(state.men) >> to & 1 == 0 {
            return false;
        }
        if self.is_placed(state.men) {
            state.men[state.turn.index()] >> from & 1 == 1
                && self.neighbours[from as usize] >> to & 1 == 1
        } else {
            from == to
        }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<Move> {
        if self.outcome(state).is_some() {
            return None;
        }
        Some(self.nth_move(state, uniform_below(rng, self.move_count(state)), &mut Vec::new()))
    }

    /// Plays random plies. The move count that each ply needs for its choice also shows whether the
    /// player is stuck.
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(outcome) = self.outcome(state) {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let mut side = state.turn;
        let (mut own, mut other) = (state.men[side.index()], state.men[side.other().index()]);
        let mut to_place = 2 * self.men - (own | other).count_ones();
        let mut free = self.free(state.men);
        let mut choices = Choices::new(rng);
        let mut count = self.move_count(state);
        let mut plies = 0;
        let mut over = false;
        while !over && plies < limits.plies_left.0 {
            let n = choices.below(count);
            let m = if to_place > 0 {
                to_place -= 1;
                Move::place(nth_bit(u64::from(free), n))
            } else {
                self.nth_step(own, free, n)
            };
            let (from, to) = (1u32 << m.from, 1u32 << m.to);
            free = (free | from) & !to;
            (own, other) = (other, own & !from | to);
            side = side.other();
            plies += 1;
            count = if to_place > 0 { free.count_ones() } else { self.step_count(own, free) };
            over = self.has_line(other) || count == 0;
        }
        state.men[side.index()] = own;
        state.men[side.other().index()] = other;
        state.turn = side;
        let outcome = if over { Outcome::win_of(side.other()) } else { Outcome::Draw };
        Playout { outcome, plies: Plies(plies), capped: !over }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Returns whether the move is a placement: men never leave the board.
    #[inline]
    fn is_irreversible(&self, state: &State, _: Move) -> bool {
        !self.is_placed(state.men)
    }
}

impl Keyed for Achi {
    /// Number of the set of the first player's men among all sets of at most that many points,
    /// times the number of these sets, plus the number of the set of the second player's men; then
    /// twice that, plus 1 if the second player is to move.
    type Key = u64;

    #[inline]
    fn key(&self, state: &State) -> u64 {
        let [first, second] = state.men.map(|men| u64::from(self.stands.number(men)));
        2 * (first * u64::from(self.stands.count()) + second) + state.turn.index() as u64
    }

    #[inline]
    fn unkey(&self, key: u64) -> State {
        let count = u64::from(self.stands.count());
        let men = [key / 2 / count, key / 2 % count].map(|number| self.stands.set(number as u32));
        State { men, turn: Player::BOTH[(key % 2) as usize] }
    }

    fn try_unkey(&self, key: u64) -> Option<State> {
        let state = (key < self.index_len()).then(|| self.unkey(key))?;
        let apart = state.men[0] & state.men[1] == 0;
        PositionErrors::none_in(apart.then_some(state)?, |state, errors| self.check(state, errors))
    }
}

impl Indexed for Achi {
    /// With three men each, from 1 in 3 of the indexes (4 x 4) to 1 in 6 (3 x 3) are reachable
    /// positions.
    fn index_len(&self) -> u64 {
        2 * u64::from(self.stands.count()).pow(2)
    }
}

impl Retrograde for Achi {
    /// Lists the positions before a placement, then those before a step. Positions with numbers of
    /// men that cannot occur in play are left out.
    #[inline]
    fn parents_into(&self, state: &State, parents: &mut Vec<State>) {
        parents.clear();
        let mover = state.turn.other();
        if self.has_line(state.men[state.turn.index()]) {
            return;
        }
        let men = state.men[mover.index()];
        let mut add = |men| {
            let mut parent = State { turn: mover, ..*state };
            parent.men[mover.index()] = men;
            parents.push(parent);
        };
        let is_placed = self.is_placed(state.men);
        // The second player places the last man.
        if !is_placed || mover == Player::Second {
            each_bit(u64::from(men), |to| add(men & !(1 << to)));
        }
        if is_placed {
            let free = self.free(state.men);
            each_bit(u64::from(men), |to| {
                let from = self.neighbours[to as usize] & free;
                each_bit(u64::from(from), |from| add(men & !(1 << to) | 1 << from));
            });
        }
    }
}

impl Symmetric for Achi {
    /// Eight symmetries of the square. On boards of even size a mirror exchanges the points with
    /// even and with odd sums of column and row. So with `lines` only the four symmetries without a
    /// mirror, or with both mirrors, are left.
    fn symmetry_count(&self) -> usize {
        if self.adjacency == Adjacency::Lines && self.size.is_multiple_of(2) { 4 } else { 8 }
    }

    #[inline]
    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let men = state.men.map(|men| {
            let mut mapped = 0;
            each_bit(u64::from(men), |point| mapped |= 1 << self.image(symmetry, point));
            mapped
        });
        State { men, turn: state.turn }
    }

    #[inline]
    fn map_move(&self, symmetry: usize, m: Move) -> Move {
        let map = |point| self.image(symmetry, u32::from(point)) as u8;
        Move { from: map(m.from), to: map(m.to) }
    }
}

impl Achi {
    /// Image of a point. The four symmetries that keep the parity of points are numbers 0, 3, 4 and
    /// 7 of the eight.
    #[inline]
    fn image(&self, symmetry: usize, point: u32) -> u32 {
        let of_square =
            if self.symmetry_count() == 4 { [0, 3, 4, 7][symmetry & 3] } else { symmetry };
        image(self.size, of_square, point)
    }
}
