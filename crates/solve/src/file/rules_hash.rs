//! A number for the rules of a game.

use std::collections::{HashSet, VecDeque};

use treegauge_core::{KeyCode, Keyed};
use xxhash_rust::xxh3::Xxh3;

use crate::endless::Endless;
use crate::erased::CodeOf;
use crate::rules::{Expander, Reduction, Rules};

/// The number of positions that the hash covers.
const POSITIONS: usize = 2_000;

/// XXH3 of a game's text and of what its rules say about the first 2,000 positions by breadth
/// from a start: their keys, the keys of their canonical images, the player to move, the outcome,
/// and the keys of the children in the order of the moves; and, unless it is a draw, the result of
/// endless play.
///
/// Two programs that differ in it have other rules or other keys. Equal hashes prove nothing about
/// later positions.
#[must_use]
pub fn rules_hash<G: Keyed>(
    rules: &Rules<G>,
    reduction: &Reduction,
    spec: &str,
    start: &G::State,
) -> u64 {
    match Endless::of(rules) {
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
pub(super) fn position_rules_hash<G: Keyed>(
    rules: &Rules<G>,
    reduction: &Reduction,
    spec: &str,
    start: &G::State,
) -> u64 {
    let game = rules.game();
    let expander = Expander::new(rules, reduction);
    let mut hash = Xxh3::new();
    hash.update(spec.as_bytes());
    let mut bytes = vec![0; CodeOf::<G>::BYTES];
    let mut key = |hash: &mut Xxh3, key: G::Key| {
        key.code().write(&mut bytes);
        hash.update(&bytes);
    };
    let mut seen = HashSet::from([game.key(start)]);
    let mut queue = VecDeque::from([start.clone()]);
    let mut moves = Vec::new();
    while let Some(state) = queue.pop_front() {
        key(&mut hash, game.key(&state));
        key(&mut hash, expander.stored_key(&state));
        hash.update(&[game.turn(&state).index() as u8]);
        if let Some(outcome) = game.outcome(&state) {
            hash.update(&[1 + outcome.winner().map_or(2, |winner| winner.index() as u8)]);
            continue;
        }
        game.moves_into(&state, &mut moves);
        hash.update(&[0]);
        hash.update(&(moves.len() as u64).to_be_bytes());
        for &m in &moves {
            let mut child = state.clone();
            game.play(&mut child, m);
            key(&mut hash, game.key(&child));
            if seen.len() < POSITIONS && seen.insert(game.key(&child)) {
                queue.push_back(child);
            }
        }
    }
    hash.digest()
}
