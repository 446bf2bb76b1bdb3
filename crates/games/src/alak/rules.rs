//! The cells, the captures and the end of the game.

use rand_core::Rng;
use treegauge_core::{
    Game, Graded, Indexed, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric,
    uniform_below,
};

use crate::position::PositionErrors;
use treegauge_bits::{Choices, each_bit, nth_bit};

/// Greatest number of cells of a board.
const LENGTH_MAX: u32 = 26;

/// Move that is forbidden right after the opponent's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ban {
    /// Placing a stone on a cell where a stone was just captured.
    Captured,
    /// Recreating the position before the opponent's move.
    Recreating,
    /// No move is forbidden.
    None,
}

/// Rules of Alak.
#[derive(Clone, Debug)]
pub struct Alak {
    length: u32,
    ban: Ban,
    ply_cap: Plies,
}

/// Stones of both players, cells forbidden to the player to move, and the player to move.
///
/// Bit `n + 1` is cell `n`, counted from 0 on the left. Bit 0 and the one after the last cell are
/// never set: they represent the ends of the board.
///
/// ```text
/// bit   0  1  2  3  4  5  6  7  8
///      end a  b  c  d  e  f  g end
/// ```
///
/// Example: in `o.xo.o* x` the first player's stones are `1 << 3`, the second player's
/// `1 << 1 | 1 << 4 | 1 << 6`, and `1 << 7` is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) stones: [u32; 2],
    /// Empty cells that are forbidden to the player to move. Under [`Ban::Recreating`] this is at
    /// most the one cell that would recreate a position, so that no state stores an earlier
    /// position.
    pub(super) forbidden: u32,
    pub(super) turn: Player,
}

impl Alak {
    /// Creates the game on `length` cells, 3 to 26, stopped as capped after `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When `length` is out of its range.
    #[must_use]
    pub fn new(length: u32, ban: Ban, ply_cap: Plies) -> Self {
        assert!((3..=LENGTH_MAX).contains(&length), "a board of {length} cells");
        Alak { length, ban, ply_cap }
    }

    /// Number of cells.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Kind of move that is forbidden.
    #[must_use]
    pub fn ban(&self) -> Ban {
        self.ban
    }

    /// Bits of all cells.
    #[inline]
    fn cells(&self) -> u32 {
        (1 << (self.length + 1)) - 2
    }

    /// Bits of the cells that the player to move may use.
    #[inline]
    fn open(&self, state: &State) -> u32 {
        self.cells() & !(state.stones[0] | state.stones[1] | state.forbidden)
    }

    /// Stones of `other` captured by a new stone of the player of `own`.
    #[inline]
    pub(super) fn captured(&self, own: u32, other: u32, stone: u32) -> u32 {
        // A captured run must end at an own stone or an end of the board.
        let bounds = own | 1 | 1 << (self.length + 1);
        let take = |run: u32, end: u32| if bounds & end == 0 { 0 } else { run };
        // On the right an addition carries through the run to the first bit that is not in it.
        let first = stone << 1;
        let end = other.wrapping_add(first) & !other;
        let right = take(end.wrapping_sub(first), end);
        // On the left this is the highest bit below the stone; bit 0 is never in a run.
        let end = 1 << (31 - ((stone - 1) & !other).leading_zeros());
        right | take(stone.wrapping_sub(end << 1), end)
    }

    /// Cells forbidden to the player of `other` after `stone` captured `captured`; `own` and
    /// `other` are the stones after that.
    #[inline]
    pub(super) fn forbidden(&self, own: u32, other: u32, stone: u32, captured: u32) -> u32 {
        match self.ban {
            Ban::Captured => captured,
            Ban::None => 0,
            Ban::Recreating => {
                // Forbidden is only the one cell that was emptied, if a stone there would capture
                // just `stone`.
                let one = captured.is_power_of_two();
                if one && self.captured(other, own, captured) == stone { captured } else { 0 }
            }
        }
    }

    /// Plays `stone` for the player of `own`. Returns the stones of both players after it, the
    /// mover's first, and the cells that are then forbidden.
    #[inline]
    fn after(&self, own: u32, other: u32, stone: u32) -> (u32, u32, u32) {
        let captured = self.captured(own, other, stone);
        let (own, other) = (own | stone, other & !captured);
        (own, other, self.forbidden(own, other, stone, captured))
    }
}

impl State {
    /// Stones of the player to move and of the other player.
    #[inline]
    fn split(&self) -> (u32, u32) {
        (self.stones[self.turn.index()], self.stones[self.turn.other().index()])
    }

    /// State with the player of `own` to move.
    #[inline]
    fn join(turn: Player, own: u32, other: u32, forbidden: u32) -> State {
        let stones = match turn {
            Player::First => [own, other],
            Player::Second => [other, own],
        };
        State { stones, forbidden, turn }
    }
}

impl Game for Alak {
    type State = State;
    /// Number of the cell, from 0 on the left.
    type Move = u8;
    const CYCLIC: bool = true;

    fn start(&self) -> State {
        State { stones: [0; 2], forbidden: 0, turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (self.open(state) == 0).then(|| self.outcome_of_margin(state))
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        moves.clear();
        each_bit(u64::from(self.open(state) >> 1), |cell| moves.push(cell as u8));
    }

    #[inline]
    fn play(&self, state: &mut State, cell: u8) {
        debug_assert!(self.is_legal(state, cell), "cell {cell} of {state:?}");
        let (own, other) = state.split();
        // A cell off the board is an error of the caller; release builds take another cell instead.
        let stone = 2 << (u32::from(cell) % self.length);
        let (own, other, forbidden) = self.after(own, other, stone);
        *state = State::join(state.turn.other(), other, own, forbidden);
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        self.open(state).count_ones()
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        let open = self.open(state) >> 1;
        assert!(n < open.count_ones(), "there is no move {n}");
        nth_bit(u64::from(open), n) as u8
    }

    #[inline]
    fn is_legal(&self, state: &State, cell: u8) -> bool {
        u32::from(cell) < self.length && self.open(state) >> cell & 2 != 0
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        let open = self.open(state) >> 1;
        if open == 0 {
            return None;
        }
        Some(nth_bit(u64::from(open), uniform_below(rng, open.count_ones())) as u8)
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut choices = Choices::new(rng);
        let (mut own, mut other) = state.split();
        let (mut forbidden, mut plies) = (state.forbidden, 0);
        let over = loop {
            let open = self.cells() & !(own | other | forbidden);
            if open == 0 || plies >= limits.plies_left.0 {
                break open == 0;
            }
            let stone = 1 << nth_bit(u64::from(open), choices.below(open.count_ones()));
            (other, own, forbidden) = self.after(own, other, stone);
            plies += 1;
        };
        let turn = if plies % 2 == 0 { state.turn } else { state.turn.other() };
        *state = State::join(turn, own, other, forbidden);
        let outcome = if over { self.outcome_of_margin(state) } else { Outcome::Draw };
        Playout { outcome, plies: Plies(plies), capped: !over }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }
}

impl Graded for Alak {
    const UNIT: [&'static str; 2] = ["stone", "stones"];

    /// Number of the first player's stones minus the second player's.
    #[inline]
    fn margin(&self, state: &State) -> i32 {
        state.stones[0].count_ones() as i32 - state.stones[1].count_ones() as i32
    }
}

impl Keyed for Alak {
    /// Two bits for each cell: bit `n` is set when cell `n` has a stone of the first player or is
    /// forbidden, bit `length + n` when it has one of the second player or is forbidden. Bit
    /// `2 * length` is set when the second player is to move.
    type Key = u64;

    #[inline]
    fn key(&self, state: &State) -> u64 {
        let [first, second] = state.stones.map(|stones| u64::from((stones | state.forbidden) >> 1));
        first | second << self.length | (state.turn.index() as u64) << (2 * self.length)
    }

    #[inline]
    fn unkey(&self, key: u64) -> State {
        let cells = (1 << self.length) - 1;
        let marked = [key, key >> self.length].map(|bits| (bits as u32 & cells) << 1);
        let forbidden = marked[0] & marked[1];
        State {
            stones: marked.map(|bits| bits & !forbidden),
            forbidden,
            turn: if key >> (2 * self.length) == 0 { Player::First } else { Player::Second },
        }
    }

    fn try_unkey(&self, key: u64) -> Option<State> {
        let state = (key < self.index_len()).then(|| self.unkey(key))?;
        let may_forbid = self.ban != Ban::None || state.forbidden == 0;
        PositionErrors::none_in(may_forbid.then_some(state)?, |state, errors| {
            self.check(state, errors)
        })
    }
}

impl Indexed for Alak {
    /// One index in 18 is a reachable position on a board of 11 cells, and more on a shorter one.
    fn index_len(&self) -> u64 {
        1 << (2 * self.length + 1)
    }
}

impl Symmetric for Alak {
    /// Number of symmetries: the identity and the mirror image.
    fn symmetry_count(&self) -> usize {
        2
    }

    #[inline]
    fn map_state(&self, symmetry: usize, state: &State) -> State {
        if symmetry == 0 {
            return *state;
        }
        // Bit b becomes bit length + 1 - b.
        let mirror = |bits: u32| bits.reverse_bits() >> (30 - self.length);
        State { stones: state.stones.map(mirror), forbidden: mirror(state.forbidden), ..*state }
    }

    #[inline]
    fn map_move(&self, symmetry: usize, cell: u8) -> u8 {
        if symmetry == 0 { cell } else { (self.length - 1 - u32::from(cell)) as u8 }
    }
}
