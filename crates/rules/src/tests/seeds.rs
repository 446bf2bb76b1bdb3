//! Random games of a seed do not change when the code that plays them becomes faster.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Keyed, PlayoutLimits, Plies};
use xxhash_rust::xxh3::Xxh3;

use super::library::library_programs;
use super::programs;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::state::{BoardWord, Limbs};

/// Random games of each text.
const GAMES: u32 = 4;

/// Hash of the ends of some random games, and their plies.
struct Ends;

impl RulesVisitor for Ends {
    type Output = (u64, u32);

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> (u64, u32) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        let (mut hash, mut plies) = (Xxh3::new(), 0);
        // A ply of a board with many moves takes long.
        let most = Plies((200_000 / game.move_count(&game.start())).clamp(60, 300));
        for _ in 0..GAMES {
            let mut state = game.start();
            let end = game.playout(&mut state, PlayoutLimits::new(most, Plies(0)), &mut rng);
            plies += end.plies.0;
            hash.update(format!("{:?} {} {}", end.outcome, end.plies.0, end.capped).as_bytes());
            for limb in game.key(&state).limbs() {
                hash.update(&limb.to_le_bytes());
            }
        }
        (hash.digest(), plies)
    }
}

#[test]
fn random_games_of_a_seed_are_the_recorded_ones() {
    let mut found = Vec::new();
    for (name, program) in programs().into_iter().chain(library_programs()) {
        let (hash, plies) = visit(&program, Plies(1_000), Ends);
        found.push(format!("{name}: {hash:016x} after {plies} plies"));
    }
    insta::assert_snapshot!(found.join("\n"));
}
