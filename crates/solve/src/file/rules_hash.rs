//! A number for the rules of a game.

use std::collections::{HashSet, VecDeque};

use treegauge_core::KeyCode;
use xxhash_rust::xxh3::Xxh3;

use crate::endless::Endless;
use crate::rules::{Expander, Reduction, Solvable};

/// The number of positions that the hash covers.
const POSITIONS: usize = 2_000;

/// The number of children after which no more positions are covered: 500 of each of them, or
/// 30 where a ply may take long.
const CHILDREN: [usize; 2] = [1 << 20, 1 << 16];

/// The number of moves of a position above which only its first children are covered: each of them takes as
/// long as a list of all moves.
const WIDE: usize = 1 << 12;

/// The children of such a position that are covered.
const WIDE_CHILDREN: u32 = 4;

/// XXH3 of a game's text and of what its rules say about the first 2,000 positions by breadth
/// from a start, or those whose moves come to a million, 65,536 where plies may take long: their keys,
/// the keys of their canonical images, the player to move, the outcome, the number of moves, and the keys of the children in
/// the order of the moves, or of the first four where a position has more than 4,096 moves; and,
/// unless it is a draw, the result of endless play.
///
/// Two programs that differ in it have other rules or other keys. Equal hashes prove nothing about
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

/// The hash of the rules of positions alone, which the files of all games had once.
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
