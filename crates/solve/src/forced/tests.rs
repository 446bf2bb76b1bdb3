use std::collections::BTreeMap;

use treegauge_core::KeyCode;

use super::*;
use crate::puzzle::{SolutionGraph, Wins, solution_graph};
use crate::tests::any_game::{SMALL_GAMES, StopAfter, on, solved};
use crate::value::ExactValue;

/// Most positions of a game that are tried.
const TRIED_MAX: usize = 400;

fn unlimited(plies_max: u16) -> ForcedOptions {
    ForcedOptions { plies_max, nodes_max: u64::MAX }
}

/// Some positions of a solved game, from all parts of it.
fn sample<K: KeyCode>(whole: &Solution<K>) -> Vec<K> {
    let step = whole.len().div_ceil(TRIED_MAX);
    whole.iter().step_by(step).map(|(_, key, _)| key).collect()
}

/// Whether the player to move wins within some plies.
fn is_won_within(valued: ExactValue, plies_max: u16) -> bool {
    valued.value == Value::Win
        && valued.plies().is_some_and(|plies| plies > 0 && plies <= plies_max)
}

/// A position of a solution with its moves, without those that do not win.
type Followed<K> = (K, ExactValue, Vec<(u32, usize)>);

fn followed<K: KeyCode>(graph: &SolutionGraph<K>) -> Vec<Followed<K>> {
    graph.nodes.iter().map(|node| (node.state, node.valued, node.moves.clone())).collect()
}

fn finds_the_wins_of_the_solver<K: KeyCode>(rules: Solvable<K>, plies_max: u16) {
    let whole = solved(&rules, false);
    let tried = sample(&whole);
    let found = forced_wins(&rules, &tried, unlimited(plies_max), None, &()).unwrap();
    let is_won = |&state: &K| is_won_within(whole.get(state).unwrap(), plies_max);
    let expected: Vec<K> = tried.iter().copied().filter(is_won).collect();
    let won: Vec<K> = found.won.iter().map(Solution::start).collect();
    assert_eq!(won, expected);
    assert_eq!((found.not_won, found.undecided), ((tried.len() - expected.len()) as u64, 0));
    for proof in &found.won {
        let state = proof.start();
        let position = rules.position_text(state);
        let part = part_of(&whole, state);
        assert!(values(proof) == values(&part), "the positions of the proof differ: {position}");
        let ours = solution_graph(proof, state, Wins::All, usize::MAX);
        let theirs = solution_graph(&whole, state, Wins::All, usize::MAX);
        assert_eq!(followed(&ours), followed(&theirs), "{position}");
    }
}

/// Positions of a solution by their keys.
fn values<K: KeyCode>(solution: &Solution<K>) -> BTreeMap<K, ExactValue> {
    solution.iter().map(|(_, key, valued)| (key, valued)).collect()
}

/// Proof that [`forced_wins`] should find, with the values of the whole game in place of searches.
fn part_of<K: KeyCode>(whole: &Solution<K>, start: K) -> Solution<K> {
    let rules = whole.rules();
    let mut open = FxHashSet::default();
    let mut stack = vec![start];
    while let Some(state) = stack.pop() {
        let valued = whole.get(state).unwrap();
        if valued.remoteness == 0 || !open.insert(state) {
            continue;
        }
        for Child { key, same_turn, .. } in rules.children(state) {
            let after = whole.get(key).unwrap();
            let winner_moved = valued.value == Value::Win;
            // The value for the player that moved.
            let is_won = after.value == if same_turn { Value::Win } else { Value::Lose };
            let is_lost = after.value == if same_turn { Value::Lose } else { Value::Win };
            if !winner_moved || (is_won && after.remoteness + 1 == valued.remoteness) {
                stack.push(key);
            } else if is_lost && after.remoteness == 1 {
                open.insert(key);
            }
        }
    }
    *solution_of(rules.partial(open), start, &()).unwrap()
}

#[test]
fn forced_wins_are_those_of_the_solver() {
    for game in SMALL_GAMES {
        for plies_max in [1, 2, 3, 5, 8] {
            on!(game, finds_the_wins_of_the_solver, plies_max);
        }
    }
}

fn gives_up<K: KeyCode>(rules: Solvable<K>) {
    let whole = solved(&rules, false);
    let tried = sample(&whole);
    let all = forced_wins(&rules, &tried, unlimited(7), None, &()).unwrap();
    let mut before = 0;
    for nodes_max in [1, 30, 1_000, 100_000] {
        let options = ForcedOptions { plies_max: 7, nodes_max };
        let found = forced_wins(&rules, &tried, options, None, &()).unwrap();
        let tried = tried.len() as u64;
        assert_eq!(found.won.len() as u64 + found.not_won + found.undecided, tried);
        assert!(found.won.len() >= before, "more nodes find no fewer wins");
        assert!(
            found.won.iter().all(|proof| all.won.iter().any(|one| one.start() == proof.start()))
        );
        before = found.won.len();
    }
    assert_eq!(before, all.won.len());
    let few = ForcedOptions { plies_max: 7, nodes_max: 30 };
    assert!(forced_wins(&rules, &tried, few, None, &()).unwrap().undecided > 0);
    assert!(forced_wins(&rules, &tried, few, None, &StopAfter::new(3)).is_err());
}

#[test]
fn positions_with_too_few_nodes_are_undecided() {
    on!("tic_tac_toe", gives_up);
}
