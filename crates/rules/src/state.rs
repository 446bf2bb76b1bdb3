//! States as bits, and their keys.

use treegauge_bits::{Wide, Word};
use treegauge_core::{KeyCode, Outcome, Player};

/// Largest number of kinds that players own, and of neutral kinds.
pub(crate) const KINDS: usize = 4;

/// Position as bits.
///
/// A site belongs to the first player, to the second player, to neutral pieces, or is empty: at
/// most one of the three words of `owners` has its bit. The two words of `kinds` hold the number of
/// the piece's kind in binary, counted among the kinds that players own or among the neutral ones.
/// On a board of pits `owners[0]` holds the seeds instead, one byte per pit, and `owners[1]` and
/// `owners[2]` hold the pits that the first and the second player have claimed:
///
/// ```text
/// checkers:   owners[0] 0b..0101   owners[1] 0b..1000   kinds[0] 0b..0100
///             site 0: man of the first player, site 2: its king, site 3: man of the second player
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    pub(crate) owners: [W; 3],
    pub(crate) kinds: [W; 2],
    pub(crate) rest: Rest,
}

/// Parts of a position beside its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rest {
    /// Pieces in hand by player and by the number of the kind among those that players own.
    pub(crate) hands: [[u8; KINDS]; 2],
    pub(crate) score: [i16; 2],
    /// Site where each player arrived last, plus 1; 0 for none.
    pub(crate) last: [u16; 2],
    pub(crate) plies: u16,
    pub(crate) place: u8,
    pub(crate) turn: Player,
    pub(crate) result: Option<Outcome>,
}

impl Rest {
    /// All fields 0, the first player to move.
    const BLANK: Rest = Rest {
        hands: [[0; KINDS]; 2],
        score: [0; 2],
        last: [0; 2],
        plies: 0,
        place: 0,
        turn: Player::First,
        result: None,
    };
}

/// Word of bits for boards, and its type of keys.
pub trait BoardWord: Word {
    /// Key with room for a state.
    type Key: KeyCode + Limbs;
}

impl BoardWord for u64 {
    type Key = [u64; 4];
}

impl BoardWord for u128 {
    type Key = [u64; 8];
}

impl BoardWord for Wide {
    type Key = [u64; 16];
}

/// Key as an array of 64-bit words.
pub trait Limbs: Copy {
    /// Number of bits of the key.
    const BITS: usize;
    /// Key with all bits 0.
    const ZERO: Self;
    /// The words.
    fn limbs(&self) -> &[u64];
    /// The words, for writing.
    fn limbs_mut(&mut self) -> &mut [u64];
}

macro_rules! limbs {
    ($($n:literal)+) => {$(
        impl Limbs for [u64; $n] {
            const BITS: usize = 64 * $n;
            const ZERO: Self = [0; $n];
            fn limbs(&self) -> &[u64] {
                self
            }
            fn limbs_mut(&mut self) -> &mut [u64] {
                self
            }
        }
    )+};
}

limbs! { 4 8 16 }

/// Fields of a state that a key contains, and their numbers of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyLayout {
    /// Number of bits of a plane.
    pub(crate) sites: u32,
    /// Whether each of the five planes is used: three of `owners`, two of `kinds`.
    pub(crate) planes: [bool; 5],
    /// Number of bits of the pits that a player has claimed; 0 if the game has no claims.
    pub(crate) claims: u32,
    pub(crate) hands: [bool; KINDS],
    pub(crate) score: bool,
    pub(crate) last: bool,
    pub(crate) plies: u32,
    pub(crate) place: u32,
}

impl KeyLayout {
    /// Number of bits of a key.
    pub(crate) fn bits(&self) -> usize {
        let planes = self.planes.iter().filter(|&&used| used).count() as u32 * self.sites;
        let hands = self.hands.iter().filter(|&&used| used).count() as u32 * 16;
        let score = if self.score { 32 } else { 0 };
        let last = if self.last { 20 } else { 0 };
        (planes + 2 * self.claims + hands + score + last + self.plies + self.place + 3) as usize
    }
}

/// Writer of fields into a key, the first field in the highest bits.
struct Writer<'a> {
    limbs: &'a mut [u64],
    at: usize,
}

impl Writer<'_> {
    fn put(&mut self, value: u64, bits: u32) {
        if bits == 0 {
            return;
        }
        let (limb, shift) = (self.at / 64, self.at % 64);
        self.limbs[limb] |= value << shift;
        if shift + bits as usize > 64 {
            self.limbs[limb + 1] |= value >> (64 - shift);
        }
        self.at += bits as usize;
    }

    fn plane<W: Word>(&mut self, plane: W, mut bits: u32) {
        let mut n = 0;
        while bits > 0 {
            let part = bits.min(64);
            self.put(plane.limb(n), part);
            bits -= part;
            n += 1;
        }
    }
}

/// Reader of fields from a key.
struct Reader<'a> {
    limbs: &'a [u64],
    at: usize,
}

impl Reader<'_> {
    fn take(&mut self, bits: u32) -> u64 {
        if bits == 0 {
            return 0;
        }
        let (limb, shift) = (self.at / 64, self.at % 64);
        let mut value = self.limbs[limb] >> shift;
        if shift + bits as usize > 64 {
            value |= self.limbs[limb + 1] << (64 - shift);
        }
        self.at += bits as usize;
        if bits == 64 { value } else { value & ((1 << bits) - 1) }
    }

    fn plane<W: Word>(&mut self, mut bits: u32) -> W {
        let mut plane = W::ZERO;
        let mut n = 0;
        while bits > 0 {
            let part = bits.min(64);
            let mut limb = self.take(part);
            while limb != 0 {
                plane.set(64 * n + limb.trailing_zeros());
                limb &= limb - 1;
            }
            bits -= part;
            n += 1;
        }
        plane
    }
}

impl<W: BoardWord> State<W> {
    /// State without pieces.
    pub(crate) fn blank() -> State<W> {
        State { owners: [W::ZERO; 3], kinds: [W::ZERO; 2], rest: Rest::BLANK }
    }

    /// Key of a state.
    pub(crate) fn key(&self, layout: &KeyLayout) -> W::Key {
        let mut key = W::Key::ZERO;
        let mut writer = Writer { limbs: key.limbs_mut(), at: 0 };
        let planes = self.owners.iter().chain(&self.kinds);
        for (&plane, _) in planes.zip(layout.planes).filter(|(_, used)| *used) {
            writer.plane(plane, layout.sites);
        }
        if layout.claims > 0 {
            self.owners[1..].iter().for_each(|&pits| writer.plane(pits, layout.claims));
        }
        let rest = &self.rest;
        for (kind, _) in layout.hands.iter().enumerate().filter(|(_, used)| **used) {
            writer.put(u64::from(rest.hands[0][kind]), 8);
            writer.put(u64::from(rest.hands[1][kind]), 8);
        }
        if layout.score {
            rest.score.iter().for_each(|&score| writer.put(u64::from(score as u16), 16));
        }
        if layout.last {
            rest.last.iter().for_each(|&last| writer.put(u64::from(last), 10));
        }
        writer.put(u64::from(rest.plies), layout.plies);
        writer.put(u64::from(rest.place), layout.place);
        writer.put(rest.turn.index() as u64, 1);
        let result = match rest.result {
            None => 0,
            Some(Outcome::FirstWins) => 1,
            Some(Outcome::SecondWins) => 2,
            Some(Outcome::Draw) => 3,
        };
        writer.put(result, 2);
        key
    }

    /// State of a key; `None` if the key has bits set that no state sets.
    pub(crate) fn of_key(key: &W::Key, layout: &KeyLayout) -> Option<State<W>> {
        let mut reader = Reader { limbs: key.limbs(), at: 0 };
        let mut planes = [W::ZERO; 5];
        for (plane, _) in planes.iter_mut().zip(layout.planes).filter(|(_, used)| *used) {
            *plane = reader.plane(layout.sites);
        }
        if layout.claims > 0 {
            planes[1..3].iter_mut().for_each(|pits| *pits = reader.plane(layout.claims));
        }
        let mut rest = Rest::BLANK;
        for (kind, _) in layout.hands.iter().enumerate().filter(|(_, used)| **used) {
            rest.hands[0][kind] = reader.take(8) as u8;
            rest.hands[1][kind] = reader.take(8) as u8;
        }
        if layout.score {
            rest.score = [0; 2].map(|_: i32| reader.take(16) as u16 as i16);
        }
        if layout.last {
            rest.last = [0; 2].map(|_: i32| reader.take(10) as u16);
        }
        rest.plies = reader.take(layout.plies) as u16;
        rest.place = reader.take(layout.place) as u8;
        rest.turn = Player::BOTH[reader.take(1) as usize];
        rest.result = match reader.take(2) {
            0 => None,
            1 => Some(Outcome::FirstWins),
            2 => Some(Outcome::SecondWins),
            _ => Some(Outcome::Draw),
        };
        let mut left = W::Key::BITS - reader.at;
        while left > 0 {
            let part = left.min(64);
            if reader.take(part as u32) != 0 {
                return None;
            }
            left -= part;
        }
        let [a, b, c, d, e] = planes;
        Some(State { owners: [a, b, c], kinds: [d, e], rest })
    }
}
