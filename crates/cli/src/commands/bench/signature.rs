//! The fingerprint of all searches.

use serde::Serialize;
use treegauge::Game;
use treegauge::catalog::FAMILIES;
use treegauge::searching::{Budget, DEFAULT_CP, Seed};

use crate::common::{DEFAULT_SEED, game};
use crate::exit::Outcome;
use crate::output::{print, print_json};

/// Iterations of each search.
const ITERATIONS: u32 = 2_000;

/// Searches of each game, along the line that they choose, so that positions other than the start
/// count too.
const SEARCHES: usize = 3;

#[derive(Serialize)]
struct SignatureReport {
    kind: &'static str,
    signature: u64,
    families: Vec<FamilySignature>,
}

#[derive(Serialize)]
struct FamilySignature {
    family: &'static str,
    signature: u64,
}

/// Prints the number, or as JSON those of all families too.
pub(super) fn run(json: bool) -> Outcome {
    let mut all = Fnv::new();
    let mut families = Vec::new();
    for family in FAMILIES {
        let mut own = Fnv::new();
        for name in std::iter::once(family.name).chain(family.presets.iter().map(|p| p.name)) {
            for word in words(&game(name)?) {
                all.add(word);
                own.add(word);
            }
        }
        families.push(FamilySignature { family: family.name, signature: own.0 });
    }
    if json {
        let kind = "signature";
        return print_json(&SignatureReport { kind, signature: all.0, families });
    }
    print(&format!("{}\n", all.0))
}

/// The nodes of some searches of a game, and the visits and scores of their moves.
fn words(game: &Game) -> Vec<u64> {
    let mut rng = Seed(DEFAULT_SEED).generator();
    let mut uct = game.uct(Budget::iterations(ITERATIONS), DEFAULT_CP);
    let mut line = game.start();
    let mut words = Vec::new();
    for _ in 0..SEARCHES {
        if line.ended().is_some() {
            break;
        }
        let found = uct.search(&line, &mut rng, &mut || false);
        words.push(u64::from(uct.node_count()));
        let moves = uct.moves().into_iter();
        words
            .extend(moves.map(|m| u64::from(m.visits) << 32 | u64::from(m.score_for_first as u32)));
        let Some(best) = found.best else { break };
        line.play(best);
    }
    words
}

/// FNV-1a over 64-bit words: enough to notice a change.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
