//! A number for the rules of a game.

use std::collections::{HashSet, VecDeque};

use treegauge_core::{KeyCode, Keyed};
use xxhash_rust::xxh3::Xxh3;

use crate::endless::Endless;
use crate::erased::CodeOf;
use crate::memory::Memory;
use crate::rules::{Bounds, Expander, Links, Reduction, Solvable};

/// The number of positions that the hash covers.
const POSITIONS: usize = 2_000;

/// The number of children after which no more positions are covered: 500 of each of them, or
/// 30 where a ply may take long.
const CHILDREN: [usize; 2] = [1 << 20, 1 << 16];

/// The number of moves of a position above which only its first children are covered: each of them takes as
/// long as a list of all moves.
const WIDE: usize = 1 << 12;

/// The children of such a position that are covered.
const WIDE_CHILDREN: usize = 4;

/// XXH3 of a game's text and of what its rules say about the first 2,000 positions by breadth
/// from a start, or those whose moves come to a million, 65,536 where plies may take long: their keys,
/// the keys of their canonical images, the player to move, the outcome, the number of moves, and the keys of the children in
/// the order of the moves, or of the first four where a position has more than 4,096 moves; and,
/// unless it is a draw, the result of endless play.
///
/// Two programs that differ in it have other rules or other keys. Equal hashes prove nothing about
/// later positions.
#[must_use]
pub fn rules_hash<G: Keyed>(
    rules: &Solvable<G>,
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
    rules: &Solvable<G>,
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
    // All children of a position at once: a game whose type is hidden lists the moves for each of them.
    let (none, memory) = (Reduction::none(), Memory::new(None));
    let own = Expander::new(rules, &none);
    let mut links = Links::new(Bounds::new(&memory, &()));
    let (mut moves, mut found) = (Vec::new(), Vec::new());
    let mut children = 0;
    while let Some(state) = queue.pop_front() {
        key(&mut hash, game.key(&state));
        key(&mut hash, expander.stored_key(&state));
        hash.update(&[game.turn(&state).index() as u8]);
        if let Some(outcome) = game.outcome(&state) {
            hash.update(&[1 + outcome.winner().map_or(2, |winner| winner.index() as u8)]);
            continue;
        }
        let count = game.move_count(&state) as usize;
        hash.update(&[0]);
        hash.update(&(count as u64).to_be_bytes());
        found.clear();
        if count > WIDE {
            game.moves_into(&state, &mut moves);
            found.extend(moves.iter().take(WIDE_CHILDREN).map(|&m| {
                let mut child = state.clone();
                game.play(&mut child, m);
                game.key(&child)
            }));
        } else {
            own.expand(&[game.key(&state)], &mut links)
                .expect("there is no limit, and nothing stops it");
            found.extend(links.children().iter().map(|child| child.key));
        }
        for &child in &found {
            key(&mut hash, child);
            if seen.len() < POSITIONS && seen.insert(child) {
                queue.push_back(game.unkey(child));
            }
        }
        children += count;
        if children > CHILDREN[usize::from(game.has_long_plies())] {
            break;
        }
    }
    hash.digest()
}
