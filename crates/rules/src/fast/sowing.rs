//! Sowing of seeds by table, on boards of pits.

use treegauge_bits::Word;
use treegauge_core::Player;

use super::{Code, Moment};
use crate::state::{BoardWord, State};
use crate::tree::{LAPS_MAX, Laps, Verb};

/// Highest bit of every byte of a limb.
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Number of limbs of the widest board, of eight pits and stores each.
const LIMBS: usize = 8;

/// Way round the board of one player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) pits: u32,
    pub(super) player: u32,
    /// Whether it leads over the player's store.
    pub(super) stores: bool,
}

impl Round {
    /// Pit or store after another. The player's store follows the last pit of its row.
    fn after(self, at: u32) -> u32 {
        let last = (self.player + 1) * self.pits - 1;
        let store = 2 * self.pits + self.player;
        match at {
            _ if self.stores && at == last => store,
            _ if at == store => (last + 1) % (2 * self.pits),
            _ => (at + 1) % (2 * self.pits),
        }
    }

    /// Seeds that a sowing of 0, 1 and so on to `total` seeds adds, a byte for each pit and store,
    /// and the place of the last seed.
    pub(super) fn sowings(
        self,
        origin: u32,
        total: u32,
        skip_origin: bool,
    ) -> impl Iterator<Item = ([u64; LIMBS], u8)> {
        let (mut added, mut at) = ([0; LIMBS], origin);
        (0..=total).map(move |n| {
            if n > 0 {
                at = self.after(at);
                if skip_origin && at == origin {
                    at = self.after(at);
                }
                added[at as usize / 8] += 1 << (at % 8 * 8);
            }
            (added, at as u8)
        })
    }
}

/// Seeds that a sowing adds, and the place of the last seed.
#[derive(Clone, Copy, Debug)]
struct Sown<W> {
    added: W,
    last: u8,
}

/// Sowings of a mover of every number of seeds from every pit.
#[derive(Clone, Debug)]
pub(crate) struct Sowings<W> {
    /// First by player, then by pit, then by number of seeds.
    table: Vec<Sown<W>>,
    /// Number of numbers of seeds, including 0.
    numbers: usize,
    pits: u32,
    stores: bool,
    skip_origin: bool,
}

impl<W: BoardWord> Sowings<W> {
    /// Computes the sowings of at most `total` seeds, over the player's store or not, and over the
    /// pit of origin or not.
    pub(crate) fn new(pits: u32, total: u32, stores: bool, skip_origin: bool) -> Sowings<W> {
        let mut table = Vec::new();
        for player in 0..2 {
            let round = Round { pits, player, stores };
            for origin in 0..2 * pits {
                table.extend(round.sowings(origin, total, skip_origin).map(|(limbs, last)| {
                    let limbs = limbs.iter().enumerate().take(W::BITS as usize / 64);
                    let word = |all: W, (n, &limb): (usize, &u64)| all.with_limb(n as u32, limb);
                    Sown { added: limbs.fold(W::ZERO, word), last }
                }));
            }
        }
        Sowings { table, numbers: total as usize + 1, pits, stores, skip_origin }
    }

    /// Way round the board of a player.
    fn round(&self, player: Player) -> Round {
        Round { pits: self.pits, player: player.index() as u32, stores: self.stores }
    }

    /// Sowing of `seeds` from a pit. There are at most as many seeds as in the table.
    #[inline]
    fn of(&self, player: usize, origin: u32, seeds: u8) -> Sown<W> {
        let pit = player * 2 * self.pits as usize + origin as usize;
        self.table[pit * self.numbers + usize::from(seeds)]
    }
}

/// Sum of two words, byte by byte. No byte may overflow.
#[inline]
fn sum<W: Word>(a: W, b: W) -> W {
    (0..W::BITS / 64).fold(a, |all, n| all.with_limb(n, a.limb(n).wrapping_add(b.limb(n))))
}

impl<W: BoardWord> State<W> {
    /// Number of seeds in a pit or store.
    #[inline]
    pub(crate) fn seeds(&self, pit: u32) -> u8 {
        (self.owners[0].limb(pit / 8) >> (pit % 8 * 8)) as u8
    }

    /// Sets the number of seeds in a pit or store.
    #[inline]
    pub(crate) fn set_seeds(&mut self, pit: u32, seeds: u8) {
        let (n, shift) = (pit / 8, pit % 8 * 8);
        let limb = self.owners[0].limb(n) & !(0xff << shift) | u64::from(seeds) << shift;
        self.owners[0] = self.owners[0].with_limb(n, limb);
    }

    /// Pits and stores that have seeds.
    #[inline]
    pub(crate) fn seeded(&self) -> W {
        let bits = |n: u32| seeded_bits(self.owners[0].limb(n)) << (8 * n);
        W::ZERO.with_limb(0, (0..W::BITS / 64).fold(0, |all, n| all | bits(n)))
    }
}

/// Bytes of a limb that are not 0, as the lowest eight bits.
#[inline]
pub(super) fn seeded_bits(limb: u64) -> u64 {
    // The highest bit of each byte that is not 0, then these bits side by side: the product moves
    // bit 8 i to bit 56 + i, which no other product of two bits reaches.
    let some = (((limb & !HIGHS) + !HIGHS) | limb) & HIGHS;
    (some >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Sum of the seeds of some pits, given as a set.
#[inline]
pub(super) fn seeds_of<W: BoardWord>(state: &State<W>, pits: W) -> i32 {
    pits.ones().map(|pit| i32::from(state.seeds(pit))).sum()
}

impl<W: BoardWord> Code<W> {
    /// Sows the seeds of a pit counter-clockwise, lap by lap.
    pub(super) fn sow(&self, now: &mut Moment<W>, mover: usize, origin: u32) {
        let Verb::Sow { leave_one, laps, .. } = self.movers[mover].verb else { return };
        let sowings = self.sowings[mover].as_ref().expect("a mover that sows has a table");
        let pits = self.pits;
        let claimed = now.state.claimed();
        let (mut from, mut at) = (origin, origin);
        for _ in 0..LAPS_MAX {
            let held = now.state.seeds(from);
            let left = u8::from(leave_one && held > 1);
            now.state.set_seeds(from, left);
            if claimed.is_zero() {
                let sown = sowings.of(now.mover.index(), from, held - left);
                now.state.owners[0] = sum(now.state.owners[0], sown.added);
                at = u32::from(sown.last);
            } else {
                at = self.sow_past_claims(now, sowings, from, held - left, claimed);
            }
            if laps == Laps::No || at >= 2 * pits {
                break;
            }
            let least = if laps == Laps::To { 2 } else { 1 };
            from = if laps == Laps::To { at } else { sowings.round(now.mover).after(at) };
            if from >= 2 * pits || now.state.seeds(from) < least {
                break;
            }
        }
        now.progress |= self.kinds.first().is_some_and(|kind| kind.onward) || at >= 2 * pits;
        now.from = W::bit(origin);
        now.to = W::bit(at);
        self.arrived(now, at);
    }

    /// Sows seeds one by one, those in claimed pits for the players who claimed them. Returns the
    /// pit of the last seed.
    fn sow_past_claims(
        &self,
        now: &mut Moment<W>,
        sowings: &Sowings<W>,
        from: u32,
        seeds: u8,
        claimed: W,
    ) -> u32 {
        let round = sowings.round(now.mover);
        let mut at = from;
        for _ in 0..seeds {
            at = round.after(at);
            if sowings.skip_origin && at == from {
                at = round.after(at);
            }
            let mut to = at;
            if claimed.has(at) {
                to = 2 * self.pits + u32::from(now.state.owners[2].has(at));
                now.progress = true;
            }
            let held = now.state.seeds(to);
            now.state.set_seeds(to, held + 1);
        }
        at
    }
}
