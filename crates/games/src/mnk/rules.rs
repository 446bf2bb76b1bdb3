//! The board, the moves and the end of the game.

use std::fmt::Debug;
use std::sync::Arc;

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered, uniform_below,
};

use super::lines::{CELLS_MAX, Cell, Goal, Lines};
use super::setup::{STEPS, Setup};
use crate::position::PositionErrors;
use treegauge_bits::{Choices, Word, each_bit, has_run};

/// Mark of a missing neighbour beyond the edge of the board.
const EDGE: u16 = u16::MAX;

/// Rules of the family on a board.
///
/// Bit `row * (cols + 1) + col` of a word is the cell in that row and column, both from 0 at the
/// lower left. The bit after each row is never a stone, so a shift cannot run from one row into the
/// next. On a board of 3 columns:
///
/// ```text
///  8  9 10  -    row 3
///  4  5  6  -
///  0  1  2  -    row 1
///  a  b  c
/// ```
///
/// Example: `b2` is bit 5.
#[derive(Clone, Debug)]
pub struct Mnk<W> {
    setup: Setup,
    ply_cap: Plies,
    /// Next cell by step, sense and bit, or [`EDGE`], if edges join; otherwise empty.
    next: Arc<[u16]>,
    board: W,
    /// Lines of a cell, by bit.
    cells: Arc<[Cell]>,
    goals: [Goal; 2],
}

/// Stones of both players. Their number determines the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(super) stones: [W; 2],
    pub(super) placed: u16,
    /// Player who has made a line: 0 neither, 1 the first, 2 the second. It follows from the
    /// stones, and is stored to save another search for it.
    pub(super) line: u8,
}

impl<W: Word> Mnk<W> {
    /// Creates the game with these parameters, stopped as capped after `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When a parameter is out of its range or the cells do not fit the word.
    #[must_use]
    pub fn new(setup: Setup, ply_cap: Plies) -> Self {
        let Setup { rows, cols, .. } = setup;
        assert!((1..=19).contains(&rows) && (1..=19).contains(&cols), "{setup:?}");
        assert!(setup.k.iter().all(|&k| k >= 1), "{setup:?}");
        assert!(setup.first.iter().all(|first| (1..=2).contains(first)), "{setup:?}");
        assert!(Self::bits(rows, cols) <= W::BITS, "{rows} x {cols} cells do not fit the word");
        let mut next = Vec::new();
        if setup.wrap {
            for (up, right) in STEPS {
                for sense in [1, -1] {
                    for bit in 0..Self::bits(rows, cols) {
                        next.push(neighbour(&setup, bit, up * sense, right * sense));
                    }
                }
            }
        }
        let row = W::lowest_bits(cols);
        let board = (0..rows).fold(W::ZERO, |board, n| board | row << (n * (cols + 1)));
        let mut cells = vec![Cell::default(); Self::bits(rows, cols) as usize];
        board.ones().for_each(|bit| {
            cells[bit as usize] = Cell::new(bit / (cols + 1), bit % (cols + 1));
        });
        let goals = Goal::of(&setup);
        Mnk { setup, ply_cap, next: next.into(), board, cells: cells.into(), goals }
    }

    /// Number of bits that a board takes.
    #[must_use]
    pub const fn bits(rows: u32, cols: u32) -> u32 {
        rows * (cols + 1)
    }

    /// Number of bits from one row to the next.
    #[inline]
    pub(super) fn stride(&self) -> u32 {
        self.setup.cols + 1
    }

    /// Bit of a cell.
    #[inline]
    pub(super) fn bit(&self, row: u32, col: u32) -> u32 {
        row * self.stride() + col
    }

    /// Parameters of the game.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The number of cells.
    #[inline]
    fn cells(&self) -> u32 {
        self.setup.rows * self.setup.cols
    }

    /// Player who puts down stone number `placed`, counted from 0.
    #[inline]
    pub(super) fn player_of(&self, placed: u32) -> Player {
        let [first, second] = self.setup.first;
        if placed < first {
            Player::First
        } else if placed < first + second {
            Player::Second
        } else {
            Player::BOTH[((placed - first - second) & 1) as usize]
        }
    }

    #[inline]
    fn all(state: &State<W>) -> W {
        state.stones[0] | state.stones[1]
    }

    /// Returns whether the stone that `player` has just put on `cell` completes a line of the
    /// stones `own`.
    #[inline]
    pub(super) fn makes_line(&self, player: Player, cell: u32, own: W) -> bool {
        let k = self.setup.k[player.index()];
        let mut steps = self.setup.directions[player.index()].steps();
        if k == 1 {
            return true;
        }
        if self.setup.wrap {
            return steps.any(|step| self.is_run(step, cell, own, k));
        }
        // Testing all stones at once, by shifts, measured twice as fast as following the runs
        // through the new one. Playouts use [`Lines`], for which a state has no room.
        let (rows, cols, stride) = (self.setup.rows, self.setup.cols, self.stride());
        steps.any(|step| match step {
            0 => k <= cols && has_run(own, 1, k),
            1 => k <= rows && has_run(own, stride, k),
            2 => k <= rows.min(cols) && has_run(own, stride + 1, k),
            _ => k <= rows.min(cols) && has_run(own, stride - 1, k),
        })
    }

    /// Returns whether the run through `cell`, in both senses of a step, has `k` stones or more, on
    /// a board with joined edges.
    fn is_run(&self, step: usize, cell: u32, own: W, k: u32) -> bool {
        let bits = Self::bits(self.setup.rows, self.setup.cols) as usize;
        let walk = |way: usize| {
            let (mut at, mut length) = (cell, 0);
            loop {
                let next = self.next[way * bits + at as usize];
                at = u32::from(next);
                // A full ring of own stones ends where it began.
                if next == EDGE || at == cell || !own.has(at) {
                    return length;
                }
                length += 1;
            }
        };
        // Around a full ring both walks see the same stones.
        walk(2 * step) + 1 + walk(2 * step + 1) >= k && self.length_of_ring(2 * step, cell) >= k
    }

    /// Number of cells of the ring through a cell; more than any run can have if an edge ends it.
    fn length_of_ring(&self, way: usize, cell: u32) -> u32 {
        let bits = Self::bits(self.setup.rows, self.setup.cols) as usize;
        let (mut at, mut length) = (cell as usize, 0);
        loop {
            at = usize::from(self.next[way * bits + at]);
            length += 1;
            if at == usize::from(EDGE) {
                return u32::MAX;
            }
            if at == cell as usize {
                return length;
            }
        }
    }

    /// Tests for each player whether its stones have a line. Checks every stone.
    pub(super) fn find_line(&self, stones: [W; 2]) -> [bool; 2] {
        Player::BOTH.map(|player| {
            let own = stones[player.index()];
            own.ones().any(|cell| self.makes_line(player, cell, own))
        })
    }

    /// State with these stones.
    pub(super) fn state_of(&self, stones: [W; 2]) -> State<W> {
        let placed = (stones[0] | stones[1]).count() as u16;
        let line = match self.find_line(stones) {
            [true, _] => 1,
            [_, true] => 2,
            _ => 0,
        };
        State { stones, placed, line }
    }

    /// Cell where a stone dropped into a column comes to rest; `None` if the column is full.
    fn lowest_empty(&self, all: W, col: u32) -> Option<u32> {
        (0..self.setup.rows).map(|row| self.bit(row, col)).find(|&cell| !all.has(cell))
    }

    fn outcome_of_line(&self, line: u8) -> Option<Outcome> {
        let player = *Player::BOTH.get(usize::from(line).checked_sub(1)?)?;
        Some(Outcome::win_of(if self.setup.misere { player.other() } else { player }))
    }

    fn map_cell(&self, symmetry: usize, cell: u32) -> u32 {
        let Setup { rows, cols, .. } = self.setup;
        let (mut row, mut col) = (cell / self.stride(), cell % self.stride());
        // On a board one cell wide, only symmetries that move something are kept.
        let symmetry = match (self.setup.gravity, rows, cols) {
            (true, ..) => symmetry,
            (false, 1, _) => symmetry,
            (false, _, 1) => 2 * symmetry,
            _ => symmetry,
        };
        if symmetry & 1 != 0 {
            col = cols - 1 - col;
        }
        if symmetry & 2 != 0 {
            row = rows - 1 - row;
        }
        if symmetry & 4 != 0 {
            (row, col) = (col, row);
        }
        self.bit(row, col)
    }
}

/// Cell one step from another, or [`EDGE`].
fn neighbour(setup: &Setup, bit: u32, up: i32, right: i32) -> u16 {
    let (rows, cols) = (setup.rows as i32, setup.cols as i32);
    let (mut row, mut col) = (bit as i32 / (cols + 1) + up, bit as i32 % (cols + 1) + right);
    col = col.rem_euclid(cols);
    if !setup.gravity {
        row = row.rem_euclid(rows);
    }
    if (0..rows).contains(&row) { (row * (cols + 1) + col) as u16 } else { EDGE }
}

impl<W: Word> Game for Mnk<W> {
    type State = State<W>;
    type Move = u16;

    fn start(&self) -> State<W> {
        State { stones: [W::ZERO; 2], placed: 0, line: 0 }
    }

    #[inline]
    fn turn(&self, state: &State<W>) -> Player {
        self.player_of(u32::from(state.placed))
    }

    #[inline]
    fn outcome(&self, state: &State<W>) -> Option<Outcome> {
        self.outcome_of_line(state.line)
            .or_else(|| (u32::from(state.placed) == self.cells()).then_some(Outcome::Draw))
    }

    fn moves_into(&self, state: &State<W>, moves: &mut Vec<u16>) {
        moves.clear();
        let all = Self::all(state);
        if self.setup.gravity {
            let cells = (0..self.setup.cols).filter_map(|col| self.lowest_empty(all, col));
            moves.extend(cells.map(|cell| cell as u16));
        } else {
            moves.extend((self.board & !all).ones().map(|cell| cell as u16));
        }
    }

    #[inline]
    fn play(&self, state: &mut State<W>, m: u16) {
        debug_assert!(self.is_legal(state, m), "no stone can be put on cell {m}");
        let player = self.turn(state);
        let own = &mut state.stones[player.index()];
        *own |= W::bit(u32::from(m));
        let own = *own;
        state.placed += 1;
        if self.makes_line(player, u32::from(m), own) {
            state.line = player.index() as u8 + 1;
        }
    }

    #[inline]
    fn move_count(&self, state: &State<W>) -> u32 {
        if self.setup.gravity {
            let all = Self::all(state);
            let top = self.bit(self.setup.rows - 1, 0);
            (0..self.setup.cols).filter(|col| !all.has(top + col)).count() as u32
        } else {
            self.cells() - u32::from(state.placed)
        }
    }

    fn nth_move(&self, state: &State<W>, n: u32, buffer: &mut Vec<u16>) -> u16 {
        if self.setup.gravity {
            self.moves_into(state, buffer);
            buffer[n as usize]
        } else {
            (self.board & !Self::all(state)).nth(n) as u16
        }
    }

    fn is_legal(&self, state: &State<W>, m: u16) -> bool {
        let (all, cell) = (Self::all(state), u32::from(m));
        cell < W::BITS
            && (self.board & !all).has(cell)
            && (!self.setup.gravity || self.lowest_empty(all, cell % self.stride()) == Some(cell))
    }

    fn random_move<R: Rng + ?Sized>(&self, state: &State<W>, rng: &mut R) -> Option<u16> {
        if self.outcome(state).is_some() {
            return None;
        }
        let n = uniform_below(rng, self.move_count(state));
        if self.setup.gravity {
            let all = Self::all(state);
            let open = (0..self.setup.cols).filter_map(|col| self.lowest_empty(all, col));
            open.map(|cell| cell as u16).nth(n as usize)
        } else {
            Some((self.board & !Self::all(state)).nth(n) as u16)
        }
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(outcome) = self.outcome(state) {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let before = u32::from(state.placed);
        let made = if self.setup.wrap {
            let mut stones = state.stones;
            let made = self.run(state, limits.plies_left, rng, |player, cell| {
                let (own, bit) = (&mut stones[player.index()], self.bit(cell.row(), cell.col()));
                own.set(bit);
                self.makes_line(player, bit, *own)
            });
            state.stones = stones;
            made
        } else {
            let mut lines = Lines::new();
            for (side, stones) in state.stones.into_iter().enumerate() {
                each_bit(stones, |bit| {
                    lines.put(side, self.cells[bit as usize]);
                });
            }
            let made = self.run(state, limits.plies_left, rng, |player, cell| {
                lines.put(player.index(), cell).reach(self.goals[player.index()])
            });
            state.stones = [0, 1].map(|side| lines.stones(side, self.setup.rows, self.stride()));
            made
        };
        let plies = Plies(u32::from(state.placed) - before);
        if let Some(player) = made {
            state.line = player.index() as u8 + 1;
        }
        let outcome = self.outcome(state);
        Playout { outcome: outcome.unwrap_or(Outcome::Draw), plies, capped: outcome.is_none() }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move fills a cell.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(self.setup.rows * self.setup.cols))
    }
}

impl<W: Word> Mnk<W> {
    /// Places stones at random until one makes a line, the board is full or `left` are placed.
    /// Returns the player who made the line. `put` receives each stone and returns whether it does;
    /// of `state` only the number of stones is updated.
    #[inline]
    fn run<R: Rng + ?Sized>(
        &self,
        state: &mut State<W>,
        left: Plies,
        rng: &mut R,
        mut put: impl FnMut(Player, Cell) -> bool,
    ) -> Option<Player> {
        // The open slots are cells, or with gravity the lowest empty cells of columns.
        let mut open = [Cell::default(); CELLS_MAX];
        let mut len = 0;
        let all = Self::all(state);
        let mut add = |bit: u32| {
            open[len] = self.cells[bit as usize];
            len += 1;
        };
        if self.setup.gravity {
            (0..self.setup.cols).filter_map(|col| self.lowest_empty(all, col)).for_each(add);
        } else {
            each_bit(self.board & !all, &mut add);
        }
        let mut choices = Choices::new(rng);
        let mut placed = u32::from(state.placed);
        let end = placed.saturating_add(left.0);
        let mut made = None;
        while made.is_none() && placed < end && len > 0 {
            let slot = choices.below(len as u32) as usize;
            let cell = open[slot];
            if self.setup.gravity && cell.row() + 1 < self.setup.rows {
                open[slot] = Cell::new(cell.row() + 1, cell.col());
            } else {
                len -= 1;
                open[slot] = open[len];
            }
            let player = self.player_of(placed);
            placed += 1;
            made = put(player, cell).then_some(player);
        }
        state.placed = placed as u16;
        made
    }
}

impl<W: Word> Keyed for Mnk<W> {
    /// Stones of both players; their number determines the player to move.
    type Key = [W::Packed; 2];

    fn key(&self, state: &State<W>) -> Self::Key {
        state.stones.map(W::pack)
    }

    fn unkey(&self, key: Self::Key) -> State<W> {
        self.state_of(key.map(W::unpack))
    }

    fn try_unkey(&self, key: Self::Key) -> Option<State<W>> {
        let stones = key.map(W::unpack);
        let all = stones[0] | stones[1];
        let hangs = || {
            self.setup.gravity
                && !(all & !(all << self.stride()) & !W::lowest_bits(self.setup.cols)).is_zero()
        };
        let sound = (stones[0] & stones[1]).is_zero() && (all & !self.board).is_zero() && !hangs();
        let turn = self.player_of(all.count());
        let stones = sound.then_some(stones)?;
        PositionErrors::none_in(stones, |&stones, errors| self.check(stones, turn, errors))
            .map(|stones| self.state_of(stones))
    }
}

impl<W: Word> Tiered for Mnk<W> {
    /// The number of stones.
    fn tier(&self, state: &State<W>) -> u32 {
        u32::from(state.placed)
    }
}

impl<W: Word> Symmetric for Mnk<W> {
    /// Number of symmetries (mirrors and quarter turns): 8 for a square, 4 for another rectangle, 2
    /// for a board one cell wide or with gravity. Shifts along joined edges are not included.
    fn symmetry_count(&self) -> usize {
        let Setup { rows, cols, gravity, .. } = self.setup;
        match (gravity, rows, cols) {
            (_, 1, 1) | (true, _, 1) => 1,
            (true, ..) | (_, 1, _) | (_, _, 1) => 2,
            _ if rows == cols => 8,
            _ => 4,
        }
    }

    fn map_state(&self, symmetry: usize, state: &State<W>) -> State<W> {
        let stones = state.stones.map(|stones| {
            let mut image = W::ZERO;
            for cell in stones.ones() {
                image.set(self.map_cell(symmetry, cell));
            }
            image
        });
        State { stones, ..*state }
    }

    fn map_move(&self, symmetry: usize, m: u16) -> u16 {
        self.map_cell(symmetry, u32::from(m)) as u16
    }
}
