//! Seeds, the generator of all experiments, and random openings.

use rand_core::SeedableRng;
use rand_xoshiro::SplitMix64;
use treegauge_core::{Game, Played};

/// Random number generator of all experiments: xoshiro256++ (Blackman and Vigna 2019), fixed so
/// that a recorded seed always gives the same numbers.
pub type Generator = rand_xoshiro::Xoshiro256PlusPlus;

/// Seed with independent child seeds by number.
///
/// Parallel work takes a child seed per piece, so that its random numbers depend on the number of
/// the piece and never on the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// Child number `n`: a seed unrelated to this one and to its other children.
    ///
    /// One step of SplitMix64 (Steele, Lea and Flood 2014) over the seed and the number.
    ///
    /// ```
    /// use treegauge_search::Seed;
    /// assert_ne!(Seed(1).child(0), Seed(1).child(1));
    /// assert_ne!(Seed(1).child(1), Seed(2).child(0));
    /// ```
    #[must_use]
    #[inline]
    pub fn child(self, n: u64) -> Seed {
        Seed(mix(mix(self.0.wrapping_add(GOLDEN)).wrapping_add(n.wrapping_mul(GOLDEN))))
    }

    /// Creates a generator from this seed. It equals that of `seed_from_u64`, with the steps
    /// written out so that they can be inlined. The shortest random games take some hundred
    /// nanoseconds.
    #[must_use]
    #[inline]
    pub fn generator(self) -> Generator {
        Generator::from_rng(&mut SplitMix64::seed_from_u64(self.0))
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Plays up to `plies` uniformly random moves, fewer if the game ends, and returns them.
pub fn random_opening<G: Game>(
    game: &G,
    played: &mut Played<G>,
    plies: u32,
    rng: &mut Generator,
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    random_opening_into(game, played, plies, rng, &mut moves);
    moves
}

/// Like [`random_opening`], but replaces the contents of `moves`.
pub fn random_opening_into<G: Game>(
    game: &G,
    played: &mut Played<G>,
    plies: u32,
    rng: &mut Generator,
    moves: &mut Vec<G::Move>,
) {
    moves.clear();
    while moves.len() < plies as usize && played.ended(game).is_none() {
        let m = game.random_move(played.state(), rng).expect("an unfinished game has a move");
        moves.push(m);
        played.play(game, m);
    }
}
