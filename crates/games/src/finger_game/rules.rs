//! Hands, taps and splits, all in one table of 625 rows.

use rand_core::Rng;
use treegauge_core::{
    Game, Indexed, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, uniform_below,
};

use super::notation::check;
use crate::position::PositionErrors;
use treegauge_bits::Choices;

/// Number of combinations of the four hands: each has 0 to 4 fingers.
const PAIRS: u16 = 625;

/// Number of kinds of moves: four taps, two taps of the own other hand, three splits.
const KINDS: usize = 9;

/// Bit of a move of the second player.
const BY_SECOND: u8 = 16;

/// Rules of the finger game, with or without taps of the own hand.
#[derive(Clone, Copy, Debug)]
pub struct FingerGame {
    self_tap: bool,
    ply_cap: Plies,
}

/// Four hands and the player to move, as one number below 1250.
///
/// The digits of `code % 625` to the base 5 are, from the highest: the left and the right hand
/// of the player to move, then those of the other; 625 is added when the second player is to
/// move. Example: `11 21 o` is (2, 1, 1, 1) for the second player: 250 + 25 + 5 + 1 + 625 = 906.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    code: u16,
}

/// Moves from a combination of hands, as seen by the player to move.
#[derive(Clone, Copy)]
struct Row {
    /// Hands after each of the first `count` moves, as seen by the other player. The last entry is
    /// the count, so that a ply of a playout reads a single cache line.
    next: [u16; 8],
    /// Kinds of the first `count` moves, in ascending order.
    kinds: [u8; 8],
}

/// Index of the number of moves in [`Row::next`].
const COUNT: usize = 7;

/// Tables of both rules, `self_tap` last.
const TABLES: &[[Row; PAIRS as usize]; 2] = &[table(false), table(true)];

const fn table(self_tap: bool) -> [Row; PAIRS as usize] {
    let mut rows = [Row { next: [0; 8], kinds: [0; 8] }; PAIRS as usize];
    let mut pairs = 0;
    while pairs < PAIRS {
        let row = &mut rows[pairs as usize];
        let (mut kind, mut count) = (0, 0);
        while kind < KINDS {
            if let Some(next) = after(pairs, kind, self_tap) {
                row.next[count] = next;
                row.kinds[count] = kind as u8;
                count += 1;
            }
            kind += 1;
        }
        row.next[COUNT] = count as u16;
        pairs += 1;
    }
    rows
}

/// Hands after a kind of move, as seen by the other player; `None` if the move is not legal.
const fn after(pairs: u16, kind: usize, self_tap: bool) -> Option<u16> {
    let (mut own, mut other) = ([pairs / 125, pairs / 25 % 5], [pairs / 5 % 5, pairs % 5]);
    if own[0] + own[1] == 0 || other[0] + other[1] == 0 {
        return None;
    }
    if kind < 4 {
        let (by, on) = (kind / 2, kind % 2);
        if own[by] == 0 || other[on] == 0 {
            return None;
        }
        other[on] = tapped(other[on], own[by]);
    } else if kind < 6 {
        let (by, on) = (kind - 4, 5 - kind);
        if !self_tap || own[by] == 0 || own[on] == 0 {
            return None;
        }
        own[on] = tapped(own[on], own[by]);
    } else {
        let moved = kind as u16 - 5;
        let from = if own[0] == 0 { 1 } else { 0 };
        if own[1 - from] != 0 || own[from] <= moved {
            return None;
        }
        own[from] -= moved;
        own[1 - from] = moved;
    }
    Some(125 * other[0] + 25 * other[1] + 5 * own[0] + own[1])
}

/// Number of fingers of a hand after it is tapped.
const fn tapped(fingers: u16, by: u16) -> u16 {
    if fingers + by >= 5 { 0 } else { fingers + by }
}

impl State {
    /// State with these left and right hands, 0 to 4 fingers each, of the first and of the second
    /// player.
    pub(super) fn of(hands: [[u8; 2]; 2], turn: Player) -> State {
        let own = hands[turn.index()];
        let other = hands[turn.other().index()];
        let pairs = own.into_iter().chain(other).fold(0, |code, n| 5 * code + u16::from(n));
        State { code: pairs + PAIRS * turn.index() as u16 }
    }

    /// Left and right hand of the first and of the second player.
    pub(super) fn hands(self) -> [[u8; 2]; 2] {
        let pairs = self.pairs();
        let own = [(pairs / 125) as u8, (pairs / 25 % 5) as u8];
        let other = [(pairs / 5 % 5) as u8, (pairs % 5) as u8];
        if self.turn() == Player::First { [own, other] } else { [other, own] }
    }

    /// Hands, as seen by the player to move.
    #[inline]
    fn pairs(self) -> u16 {
        self.code % PAIRS
    }

    #[inline]
    pub(super) fn turn(self) -> Player {
        if self.code < PAIRS { Player::First } else { Player::Second }
    }
}

/// Kind of a move: 0 to 8 in the order of the list.
#[inline]
pub(super) fn kind(m: u8) -> u8 {
    m % BY_SECOND
}

impl FingerGame {
    /// Creates the game, with taps of the own other hand or without, stopped as capped after
    /// `ply_cap` plies.
    #[must_use]
    pub fn new(self_tap: bool, ply_cap: Plies) -> Self {
        FingerGame { self_tap, ply_cap }
    }

    #[inline]
    fn rows(&self) -> &'static [Row; PAIRS as usize] {
        &TABLES[usize::from(self.self_tap)]
    }

    #[inline]
    fn row(&self, state: &State) -> &'static Row {
        &self.rows()[usize::from(state.pairs())]
    }

    #[inline]
    fn nth(&self, state: &State, n: u32) -> u8 {
        self.row(state).kinds[n as usize] + BY_SECOND * state.turn().index() as u8
    }
}

impl Game for FingerGame {
    type State = State;
    /// Index of the move in the list `LL`, `LR`, `RL`, `RR`, `LO`, `RO`, `S1`, `S2`, `S3`, plus 16
    /// if the second player makes it. So a symmetry that exchanges one player's hands can tell
    /// whose move it maps.
    type Move = u8;
    const CYCLIC: bool = true;

    fn start(&self) -> State {
        State::of([[1, 1]; 2], Player::First)
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn()
    }

    /// Result of the game. A player without fingers at the beginning of a turn has lost: no own
    /// move takes the last finger.
    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.pairs() < 25).then(|| Outcome::win_of(state.turn().other()))
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
        moves.clear();
        moves.extend((0..self.move_count(state)).map(|n| self.nth(state, n)));
    }

    #[inline]
    fn play(&self, state: &mut State, m: u8) {
        debug_assert!(self.is_legal(state, m), "move {m} cannot be played in {state:?}");
        let row = self.row(state);
        // Release builds play the first move instead of an illegal one: any state will do.
        let n = row.kinds.iter().position(|&listed| listed == kind(m)).unwrap_or(0);
        let turn = state.turn().other();
        state.code = row.next[n] + PAIRS * turn.index() as u16;
    }

    #[inline]
    fn move_count(&self, state: &State) -> u32 {
        u32::from(self.row(state).next[COUNT])
    }

    #[inline]
    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<u8>) -> u8 {
        assert!(n < self.move_count(state), "there is no move {n}");
        self.nth(state, n)
    }

    #[inline]
    fn is_legal(&self, state: &State, m: u8) -> bool {
        (0..self.move_count(state)).any(|n| self.nth(state, n) == m)
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<u8> {
        let count = self.move_count(state);
        (count > 0).then(|| self.nth(state, uniform_below(rng, count)))
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let rows = self.rows();
        let mut choices = Choices::new(rng);
        let (mut pairs, mut plies) = (state.pairs(), 0);
        let capped = loop {
            let next = &rows[usize::from(pairs)].next;
            // Only the hands of a loser have no moves.
            if next[COUNT] == 0 {
                break false;
            }
            if plies >= limits.plies_left.0 {
                break true;
            }
            pairs = next[choices.below(u32::from(next[COUNT])) as usize & COUNT];
            plies += 1;
        };
        let turn = if plies % 2 == 0 { state.turn() } else { state.turn().other() };
        state.code = pairs + PAIRS * turn.index() as u16;
        let outcome = if capped { Outcome::Draw } else { Outcome::win_of(turn.other()) };
        Playout { outcome, plies: Plies(plies), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }
}

impl Keyed for FingerGame {
    /// Number of the state.
    type Key = u16;

    #[inline]
    fn key(&self, state: &State) -> u16 {
        state.code
    }

    #[inline]
    fn unkey(&self, key: u16) -> State {
        State { code: key }
    }

    fn try_unkey(&self, key: u16) -> Option<State> {
        let is_code = u64::from(key) < self.index_len();
        PositionErrors::none_in(is_code.then_some(State { code: key })?, check)
    }
}

impl Indexed for FingerGame {
    /// The key is dense enough for an index: three quarters of the numbers are reachable positions.
    fn index_len(&self) -> u64 {
        2 * u64::from(PAIRS)
    }
}

impl Symmetric for FingerGame {
    /// Number of symmetries: either player can exchange hands, by bit 0 for the first and bit 1 for
    /// the second.
    fn symmetry_count(&self) -> usize {
        4
    }

    fn map_state(&self, symmetry: usize, state: &State) -> State {
        let mut hands = state.hands();
        for (player, pair) in hands.iter_mut().enumerate() {
            if symmetry >> player & 1 == 1 {
                pair.swap(0, 1);
            }
        }
        State::of(hands, state.turn())
    }

    fn map_move(&self, symmetry: usize, m: u8) -> u8 {
        let mover = usize::from(m >= BY_SECOND);
        let own = (symmetry >> mover & 1) as u8;
        let other = (symmetry >> (1 - mover) & 1) as u8;
        match kind(m) {
            0..4 => m ^ (2 * own + other),
            // Bit 0 of 4 and 5 is the tapping hand.
            4..6 => m ^ own,
            // A split moves fingers to the empty hand, whichever it is.
            _ => m,
        }
    }
}
