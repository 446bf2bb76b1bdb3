//! Hash of the rules of a game.

use std::collections::{HashSet, VecDeque};

use treegauge_core::KeyCode;
use xxhash_rust::xxh3::Xxh3;

use crate::endless::Endless;
use crate::rules::{Expander, Reduction, Solvable};

/// Most positions that the hash covers.
const POSITIONS: usize = 2_000;

/// Most children that the hash covers, at about 500 per position, or 30 where a ply may take long.
/// After this many children no more positions are covered.
const CHILDREN: [usize; 2] = [1 << 20, 1 << 16];

/// Move count above which only the first children of a position are covered: each child takes as
/// long as a list of all moves.
const WIDE: usize = 1 << 12;

/// Number of children covered of a position with more than [`WIDE`] moves.
const WIDE_CHILDREN: u32 = 4;

/// Hash of the rules: XXH3 of a game's name and of what its rules say about the first positions in
/// breadth-first order from a start. It covers 2,000 positions, or as many as have about a million
/// moves together (65,536 where plies may take long). For each position it covers:
///
/// - its key and the key of its canonical image,
/// - the player to move and the outcome,
/// - the number of moves, and the keys of the children in the order of the moves, or of the first
///   four children where a position has more than 4,096 moves.
///
/// The result of endless play is covered unless it is a draw.
///
/// Programs with different hashes have different rules or keys. Equal hashes prove nothing about
/// later positions.
#[must_use]
pub fn rules_hash<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    spec: &str,
    start: K,
) -> u64 {
    match rules.endless() {
        Endless::Draw => position_rules_hash(rules, reduction, spec, start),
        endless => {
            let positions = position_rules_hash(rules, reduction, spec, start);
            let mut hash = Xxh3::new();
            hash.update(&positions.to_be_bytes());
            hash.update(&[endless as u8]);
            hash.digest()
        }
    }
}

/// Hash of the rules without the result of endless play. Older files have this hash for all games.
pub(super) fn position_rules_hash<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    spec: &str,
    start: K,
) -> u64 {
    let expander = Expander::new(rules, reduction);
    let mut hash = Xxh3::new();
    hash.update(spec.as_bytes());
    let mut bytes = vec![0; K::BYTES];
    let mut add = |hash: &mut Xxh3, key: K| {
        key.write(&mut bytes);
        hash.update(&bytes);
    };
    let mut seen = HashSet::from([start]);
    let mut queue = VecDeque::from([start]);
    let mut children = 0;
    while let Some(state) = queue.pop_front() {
        add(&mut hash, state);
        add(&mut hash, expander.stored_key(state));
        hash.update(&[rules.turn(state).index() as u8]);
        if let Some(outcome) = rules.outcome(state) {
            hash.update(&[1 + outcome.winner().map_or(2, |winner| winner.index() as u8)]);
            continue;
        }
        let count = rules.move_count(state) as usize;
        hash.update(&[0]);
        hash.update(&(count as u64).to_be_bytes());
        let found: Vec<K> = if count > WIDE {
            (0..WIDE_CHILDREN).map(|m| rules.after(state, m)).collect()
        } else {
            rules.children(state).iter().map(|child| child.key).collect()
        };
        for child in found {
            add(&mut hash, child);
            if seen.len() < POSITIONS && seen.insert(child) {
                queue.push_back(child);
            }
        }
        children += count;
        if children > CHILDREN[usize::from(rules.has_long_plies())] {
            break;
        }
    }
    hash.digest()
}
