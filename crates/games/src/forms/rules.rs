//! The board, the moves and the end of the game.

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered, uniform_below,
};

use crate::position::PositionErrors;
use treegauge_bits::{Choices, Word, each_bit};

/// Winner of the game once a player has no stones left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The player who still has stones.
    LastWith,
    /// The player who has none.
    LoseAll,
}

/// Rules of Forms on a board that fits the word `W`.
#[derive(Clone, Debug)]
pub struct Forms<W> {
    rows: u32,
    cols: u32,
    objective: Objective,
    ply_cap: Plies,
    /// First player's stones at the start, and second player's.
    homes: [W; 2],
}

/// Stones of both players and the player to move.
///
/// Bit `row * (cols + 1) + col` is the cell in column `col` and row `row`, both from 0 at the
/// lower left. The spare column, here `-`, has no stones, so that a shift by one bit leads no stone
/// to another row. On 4 rows x 3 columns:
///
/// ```text
/// 12 13 14  -   row 4
///  8  9 10  -
///  4  5  6  -
///  0  1  2  -   row 1
///  a  b  c
/// ```
///
/// Example: at the start the first player has bits 0 to 2 and 4 to 6. The neighbours of a set of
/// cells are the set shifted by 1 and by 4 either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(super) stones: [W; 2],
    pub(super) turn: Player,
}

/// Capture, as the bits of two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Cell of the stone that moves.
    pub from: u8,
    /// Cell of the stone that it captures.
    pub to: u8,
}

impl<W: Word> Forms<W> {
    /// Number of bits that a board takes.
    #[must_use]
    pub const fn bits(rows: u32, cols: u32) -> u32 {
        rows * (cols + 1)
    }

    /// Creates the game on `rows` (2 to 10, even) x `cols` (1 to 11), stopped as capped after
    /// `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When a number is out of its range or the board does not fit the word.
    #[must_use]
    pub fn new(rows: u32, cols: u32, objective: Objective, ply_cap: Plies) -> Self {
        assert!(
            (2..=10).contains(&rows) && rows.is_multiple_of(2) && (1..=11).contains(&cols),
            "invalid board size {rows} x {cols}"
        );
        assert!(Self::bits(rows, cols) <= W::BITS, "{rows} x {cols} does not fit the word");
        let home = (0..rows / 2)
            .fold(W::ZERO, |home, row| home | W::lowest_bits(cols) << (row * (cols + 1)));
        let homes = [home, home << (rows / 2 * (cols + 1))];
        Forms { rows, cols, objective, ply_cap, homes }
    }

    /// Number of rows of the board.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Number of columns of the board.
    #[must_use]
    pub fn cols(&self) -> u32 {
        self.cols
    }

    #[inline]
    pub(super) fn cell(&self, row: u32, col: u32) -> u32 {
        row * (self.cols + 1) + col
    }

    /// Number of stones of each player at the start.
    pub(super) fn half(&self) -> u32 {
        self.rows / 2 * self.cols
    }

    /// Stones among `stones` that are connected with the stone `from`.
    #[inline]
    pub(super) fn connected(&self, from: W, stones: W) -> W {
        let stride = self.cols + 1;
        let wider = |group: W| {
            (group | group << 1 | group >> 1 | group << stride | group >> stride) & stones
        };
        let mut group = wider(from);
        loop {
            let next = wider(wider(group));
            // Mostly nothing is cut off: then this shows one iteration earlier.
            if next == group || next == stones {
                return next;
            }
            group = next;
        }
    }

    /// Remaining stones of the player who moves and of the other player after a move.
    #[inline]
    fn after(&self, own: W, other: W, from: u32, to: u32) -> (W, W) {
        let target = W::bit(to);
        let (own, other) = (own & !W::bit(from) | target, other & !target);
        let left = self.connected(target, own | other);
        (own & left, other & left)
    }

    /// Result if `player` has no stones left.
    #[inline]
    fn without_stones(&self, player: Player) -> Outcome {
        Outcome::win_of(match self.objective {
            Objective::LastWith => player.other(),
            Objective::LoseAll => player,
        })
    }

    #[inline]
    fn sides(state: &State<W>) -> (W, W) {
        (state.stones[state.turn.index()], state.stones[state.turn.other().index()])
    }
}

impl<W: Word> Game for Forms<W> {
    type State = State<W>;
    type Move = Move;

    fn start(&self) -> State<W> {
        State { stones: self.homes, turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State<W>) -> Player {
        state.turn
    }

    /// Result of the game. Only the player to move can be without stones.
    #[inline]
    fn outcome(&self, state: &State<W>) -> Option<Outcome> {
        let (own, _) = Self::sides(state);
        own.is_zero().then(|| self.without_stones(state.turn))
    }

    #[inline]
    fn moves_into(&self, state: &State<W>, moves: &mut Vec<Move>) {
        moves.clear();
        let (own, other) = Self::sides(state);
        each_bit(own, |from| {
            each_bit(other, |to| moves.push(Move { from: from as u8, to: to as u8 }));
        });
    }

    #[inline]
    fn play(&self, state: &mut State<W>, m: Move) {
        debug_assert!(self.is_legal(state, m), "{m:?} cannot be played");
        let (own, other) = Self::sides(state);
        // A cell off the board is an error of the caller, but must not panic.
        let bit = |cell: u8| u32::from(cell) % W::BITS;
        let (own, other) = self.after(own, other, bit(m.from), bit(m.to));
        state.stones[state.turn.index()] = own;
        state.turn = state.turn.other();
        state.stones[state.turn.index()] = other;
    }

    #[inline]
    fn move_count(&self, state: &State<W>) -> u32 {
        state.stones[0].count() * state.stones[1].count()
    }

    #[inline]
    fn nth_move(&self, state: &State<W>, n: u32, _: &mut Vec<Move>) -> Move {
        let (own, other) = Self::sides(state);
        let targets = other.count();
        Move { from: own.nth(n / targets) as u8, to: other.nth(n % targets) as u8 }
    }

    #[inline]
    fn is_legal(&self, state: &State<W>, m: Move) -> bool {
        let (own, other) = Self::sides(state);
        let (from, to) = (u32::from(m.from), u32::from(m.to));
        from < W::BITS && to < W::BITS && own.has(from) && other.has(to)
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State<W>, rng: &mut R) -> Option<Move> {
        let count = self.move_count(state);
        (count > 0).then(|| self.nth_move(state, uniform_below(rng, count), &mut Vec::new()))
    }

    /// Chooses a stone of each side independently, so that each pair of them is equally likely.
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut choices = Choices::new(rng);
        let (mut own, mut other) = Self::sides(state);
        let mut plies = 0;
        while !own.is_zero() && plies < limits.plies_left.0 {
            let from = own.nth(choices.below(own.count()));
            let to = other.nth(choices.below(other.count()));
            let (moved, left) = self.after(own, other, from, to);
            (own, other) = (left, moved);
            plies += 1;
        }
        if plies % 2 == 1 {
            state.turn = state.turn.other();
        }
        state.stones[state.turn.index()] = own;
        state.stones[state.turn.other().index()] = other;
        let over = self.outcome(state);
        Playout {
            outcome: over.unwrap_or(Outcome::Draw),
            plies: Plies(plies),
            capped: over.is_none(),
        }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }
}

impl<W: Word> Keyed for Forms<W> {
    /// All stones and the first player's stones, in this order if the first player is to move and
    /// in the other order if the second is.
    ///
    /// The first player's stones are a subset of all stones, and a proper one whenever that player
    /// is to move: the other player has just moved a stone. So the order can be recognized, and two
    /// words hold a state.
    type Key = [W::Packed; 2];

    #[inline]
    fn key(&self, state: &State<W>) -> Self::Key {
        let all = state.stones[0] | state.stones[1];
        match state.turn {
            Player::First => [all, state.stones[0]].map(W::pack),
            Player::Second => [state.stones[0], all].map(W::pack),
        }
    }

    #[inline]
    fn unkey(&self, key: Self::Key) -> State<W> {
        let [a, b] = key.map(W::unpack);
        if (a & !b).is_zero() {
            State { stones: [a, b & !a], turn: Player::Second }
        } else {
            State { stones: [b, a & !b], turn: Player::First }
        }
    }

    fn try_unkey(&self, key: Self::Key) -> Option<State<W>> {
        let state = self.unkey(key);
        let board = self.homes[0] | self.homes[1];
        let on_board = ((state.stones[0] | state.stones[1]) & !board).is_zero();
        let state = (on_board && self.key(&state) == key).then_some(state)?;
        PositionErrors::none_in(state, |state, errors| self.check(state, errors))
    }
}

impl<W: Word> Tiered for Forms<W> {
    /// Number of stones that have left the board.
    #[inline]
    fn tier(&self, state: &State<W>) -> u32 {
        2 * self.half() - state.stones[0].count() - state.stones[1].count()
    }
}

impl<W: Word> Symmetric for Forms<W> {
    /// Number of symmetries: the identity and the mirror of left and right. Other symmetries of a
    /// rectangle would exchange the halves with which the players begin.
    fn symmetry_count(&self) -> usize {
        if self.cols == 1 { 1 } else { 2 }
    }

    fn map_state(&self, symmetry: usize, state: &State<W>) -> State<W> {
        if symmetry == 0 {
            return *state;
        }
        let stones = state.stones.map(|stones| {
            let mut mirrored = W::ZERO;
            each_bit(stones, |cell| mirrored.set(self.mirrored(cell)));
            mirrored
        });
        State { stones, turn: state.turn }
    }

    fn map_move(&self, symmetry: usize, m: Move) -> Move {
        if symmetry == 0 {
            return m;
        }
        let map = |cell: u8| self.mirrored(u32::from(cell)) as u8;
        Move { from: map(m.from), to: map(m.to) }
    }
}

impl<W: Word> Forms<W> {
    #[inline]
    fn mirrored(&self, cell: u32) -> u32 {
        let stride = self.cols + 1;
        // A cell of the spare column, which never has a stone, would have no image.
        let col = (cell % stride).min(self.cols - 1);
        self.cell(cell / stride, self.cols - 1 - col)
    }
}
