use std::cell::Cell;
use std::collections::HashMap;

use treegauge_core::{Game, KeyCode, Keyed, Player};
use treegauge_testkit::{explore, explore::Value as Known};

use super::*;
use crate::any_game::{self, both, visit};
use crate::{Erased, Rules, RulesVisitor, Solution, Value};

const GAMES: [&str; 9] = [
    "tic_tac_toe",
    "wild_tic_tac_toe",
    "achi",
    "connect_four(cols=4,rows=4,k=3)",
    "finger_game",
    "dots_and_boxes(rows=2,cols=2)",
    "kalah(houses=2,seeds=2)",
    "one_to_ten(misere=true)",
    "tic_tac_toe(misere=true)",
];

/// The most positions of a solution that is written out whole to be checked.
const WHOLE_MAX: usize = 5_000;

/// What each state is worth for the player to move, found without anything of this crate.
type Oracle<G> = HashMap<<G as Game>::State, (Known, Option<u32>)>;

fn oracle<G: Game>(game: &G) -> Oracle<G> {
    let graph = explore::explore(game, 200_000);
    let values = explore::solve(game, &graph);
    graph.states.into_iter().zip(values).collect()
}

fn solved<G: Keyed>(rules: &Rules<G>, symmetry: bool) -> Solution<G> {
    any_game::solved(rules, symmetry && both(rules).len() == 2)
}

fn symmetry_count<G: Keyed>(rules: &Rules<G>) -> usize {
    rules.symmetries().map_or(1, |symmetries| (symmetries.count)(rules.game()))
}

/// Something to rank by that is the same for all images of a position: a mix of the class.
fn ranked<G: Keyed>(solution: &Solution<G>) -> impl Fn(usize) -> f64 {
    |index| {
        let rules = solution.rules();
        let state = rules.game().unkey(solution.at(index).0);
        let class = rules
            .symmetries()
            .map_or_else(|| state.clone(), |s| (s.canonical)(rules.game(), &state));
        (rules.game().key(&class).mix() >> 44) as f64 / f64::from(1 << 20)
    }
}

/// The value of a state for `player`, and the plies to its end.
fn seen_by<G: Game>(
    game: &G,
    oracle: &Oracle<G>,
    state: &G::State,
    player: Player,
) -> (Value, Option<u32>) {
    let (known, remoteness) = oracle[state];
    let value = match known {
        Known::Win => Value::Win,
        Known::Lose => Value::Lose,
        Known::Tie => Value::Tie,
        Known::Draw => Value::Draw,
    };
    (value.seen(game.turn(state) == player), remoteness)
}

/// What a check of a solution by the game's own rules finds out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Checked {
    /// The plies against the longest defence.
    plies: u32,
    /// The winner's moves on the lines of best play.
    own_moves: u32,
    /// Whether the winner never has a second move that wins.
    unique: bool,
    /// The positions of the whole tree.
    nodes: u64,
}

/// The state after a move that must be legal.
fn after<G: Game>(game: &G, state: &G::State, m: G::Move) -> G::State {
    let mut child = state.clone();
    game.try_play(&mut child, m).expect("the move is legal");
    child
}

/// Plays every line of a whole solution by the game's own rules.
fn check_tree<G: Keyed>(
    game: &G,
    oracle: &Oracle<G>,
    tree: &PuzzleTree<G>,
    at: usize,
    state: &G::State,
    winner: Player,
) -> Checked {
    assert!(!tree.nodes[at].cut);
    let below = tree.nodes[at].children.iter().map(|&child| {
        let m = tree.nodes[child].last_move.expect("a move led to the child");
        check_tree(game, oracle, tree, child, &after(game, state, m), winner)
    });
    let below = below.collect();
    check_node(game, oracle, tree, at, state, winner, below)
}

/// The same for solutions too large to be written out: each position once, with the one ply of
/// its own solution.
fn check_graph<G: Keyed>(
    solution: &Solution<G>,
    oracle: &Oracle<G>,
    state: &G::State,
    winner: Player,
    known: &mut HashMap<G::State, Checked>,
) -> Checked {
    if let Some(checked) = known.get(state) {
        return *checked;
    }
    let game = solution.rules().game();
    let limits = TreeLimits { nodes_max: usize::MAX, plies_max: 1 };
    let tree = solution_tree(solution, state, limits);
    let below = tree.nodes[0].children.iter().map(|&child| {
        let m = tree.nodes[child].last_move.expect("a move led to the child");
        check_graph(solution, oracle, &after(game, state, m), winner, known)
    });
    let below = below.collect();
    let checked = check_node(game, oracle, &tree, 0, state, winner, below);
    known.insert(state.clone(), checked);
    checked
}

/// Checks one position of a solution when those after it have been checked.
fn check_node<G: Keyed>(
    game: &G,
    oracle: &Oracle<G>,
    tree: &PuzzleTree<G>,
    at: usize,
    state: &G::State,
    winner: Player,
    below: Vec<Checked>,
) -> Checked {
    let node = &tree.nodes[at];
    assert_eq!(&node.state, state);
    if let Some(outcome) = game.outcome(state) {
        assert_eq!(outcome.winner(), Some(winner), "every line ends with a win");
        assert!(node.children.is_empty() && node.step.is_none() && node.valued.remoteness == 0);
        return Checked { plies: 0, own_moves: 0, unique: true, nodes: 1 };
    }
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    let winner_moves = game.turn(state) == winner;
    assert_eq!(node.winner_to_move(), winner_moves);
    let kept: Vec<G::Move> = node
        .children
        .iter()
        .map(|&child| tree.nodes[child].last_move.expect("a move led to the child"))
        .collect();
    let plies: Vec<u32> = below.iter().map(|checked| checked.plies + 1).collect();
    let mut sorted_kept = kept.clone();
    sorted_kept.sort_unstable();
    let mut unique = below.iter().all(|checked| checked.unique);
    let (all_plies, own_moves);
    if winner_moves {
        let step = node.step.as_ref().expect("the winner has a step");
        all_plies = *plies.iter().min().expect("some move wins");
        assert!(plies.iter().all(|&plies| plies == all_plies), "only the quickest are kept");
        // Every legal move is in exactly one of the lists.
        let mut wins = 0;
        for &m in &moves {
            let (value, remoteness) = seen_by(game, oracle, &after(game, state, m), winner);
            let plies = remoteness.map_or(0, |remoteness| remoteness + 1);
            let find = |list: &[Other<G::Move>]| list.iter().find(|other| other.m == m).copied();
            let (slower, misstep) = (find(&step.slower), find(&step.missteps));
            match value {
                Value::Win if plies == all_plies => {
                    assert!(kept.contains(&m) && slower.is_none() && misstep.is_none());
                }
                Value::Win => {
                    assert!(plies > all_plies);
                    assert_eq!(slower, Some(Other { m, value, plies }));
                    assert!(!kept.contains(&m) && misstep.is_none());
                }
                _ => {
                    assert_eq!(misstep, Some(Other { m, value, plies }), "it loses the win");
                    assert!(!kept.contains(&m) && slower.is_none());
                }
            }
            wins += u32::from(value == Value::Win);
        }
        assert_eq!(kept.len() + step.slower.len() + step.missteps.len(), moves.len());
        assert_eq!(node.is_unique(), Some(wins == 1));
        assert!(step.slower.is_sorted_by_key(|other| other.plies));
        unique &= wins == 1;
        own_moves = 1 + below.iter().map(|checked| checked.own_moves).min().unwrap_or(0);
    } else {
        assert_eq!((node.is_unique(), node.step.is_some()), (None, false));
        all_plies = *plies.iter().max().expect("the loser has a move");
        assert!(plies.is_sorted_by(|a, b| a >= b), "the longest defence comes first");
        moves.sort_unstable();
        assert_eq!(sorted_kept, moves, "every defence is there, once");
        let longest = below.iter().zip(&plies).filter(|(_, plies)| **plies == all_plies);
        own_moves = longest.map(|(checked, _)| checked.own_moves).max().unwrap_or(0);
    }
    assert_eq!(u32::from(node.valued.remoteness), all_plies);
    let nodes = 1 + below.iter().map(|checked| checked.nodes).sum::<u64>();
    Checked { plies: all_plies, own_moves, unique, nodes }
}

struct CheckPuzzles {
    symmetry: bool,
    options: PuzzleOptions,
}

impl RulesVisitor for CheckPuzzles {
    /// The puzzles that were checked.
    type Output = usize;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> usize {
        let game = rules.game();
        let oracle = oracle(game);
        let solution = solved(&rules, self.symmetry);
        let rank = ranked(&solution);
        let found = puzzles(&solution, &rank, self.options, || false);
        assert!(!found.stopped);
        let mut facts = TreeFacts::new(&solution);
        let mut known = HashMap::new();
        for puzzle in &found.puzzles {
            let winner = game.turn(&puzzle.state);
            let checked = check_graph(&solution, &oracle, &puzzle.state, winner, &mut known);
            assert_eq!(checked.plies, u32::from(puzzle.remoteness));
            assert_eq!(checked.own_moves, puzzle.mate_in);
            assert_eq!(checked.unique, puzzle.unique.every_move);
            let limits = TreeLimits { nodes_max: WHOLE_MAX, plies_max: u32::MAX };
            let tree = solution_tree(&solution, &puzzle.state, limits);
            assert_eq!(tree.nodes[0].is_unique(), Some(puzzle.unique.first_move));
            assert!(!self.options.unique || checked.unique);
            assert!(self.options.mate_in.is_none_or(|wanted| wanted == puzzle.mate_in));
            assert_eq!(tree.main_line().len(), usize::from(puzzle.remoteness));
            assert_eq!(facts.tree_nodes(&puzzle.state, usize::MAX), Some(checked.nodes));
            assert_eq!(tree.cut == 0, tree.nodes.len() as u64 == checked.nodes);
            if tree.cut == 0 {
                let again = check_tree(game, &oracle, &tree, 0, &puzzle.state, winner);
                assert_eq!(again, checked);
            }
            assert_eq!(puzzle.interestingness, rank(puzzle.index));
        }
        // No puzzle is an image of another.
        let images = |state: &K| -> Vec<K> {
            (0..symmetry_count(&rules))
                .map(|n| rules.symmetries().map_or(*state, |s| (s.map_state)(game, n, state)))
                .collect()
        };
        for (n, puzzle) in found.puzzles.iter().enumerate() {
            let images = images(&puzzle.state);
            for other in &found.puzzles[n + 1..] {
                assert!(!images.contains(&other.state), "{:?}", other.state);
            }
        }
        if self.options.mate_in.is_none() && !self.options.unique {
            for row in found.puzzles.chunk_by(|a, b| a.remoteness == b.remoteness) {
                assert!(row.len() <= self.options.top);
                assert!(row.is_sorted_by(|a, b| a.interestingness >= b.interestingness));
                let wins = solution.iter().filter(|(_, _, valued)| {
                    valued.value == Value::Win && valued.remoteness == row[0].remoteness
                });
                let most = wins.map(|(index, ..)| rank(index)).max_by(f64::total_cmp);
                assert_eq!(most, Some(row[0].interestingness));
            }
            let rows = solution.remoteness_table().rows().iter().enumerate();
            let remotenesses = rows.filter(|(n, row)| *n > 0 && row[0] > 0).count();
            assert_eq!(found.counts.len(), remotenesses, "no remoteness is left out");
            assert!(found.counts.iter().all(|counts| counts.picked > 0));
        }
        found.puzzles.len()
    }
}

fn check(game: &str, symmetry: bool, options: PuzzleOptions) -> usize {
    visit(game, CheckPuzzles { symmetry, options })
}

#[test]
fn every_solution_wins_against_every_defence_by_the_rules() {
    for game in GAMES {
        for symmetry in [false, true] {
            let options = PuzzleOptions { top: 4, ..PuzzleOptions::default() };
            assert!(check(game, symmetry, options) > 0, "{game} has puzzles");
        }
    }
}

#[test]
fn unique_solutions_have_no_second_win_anywhere() {
    let options = PuzzleOptions { top: 3, unique: true, ..PuzzleOptions::default() };
    let found: usize = GAMES.iter().map(|game| check(game, true, options)).sum();
    assert!(found > 10, "{found} puzzles");
}

#[test]
fn only_the_wanted_number_of_moves_is_found() {
    for (game, mate_in) in [("tic_tac_toe", 2), ("achi", 4), ("dots_and_boxes(rows=2,cols=2)", 6)] {
        let options = PuzzleOptions { mate_in: Some(mate_in), top: 3, unique: false };
        assert!(check(game, true, options) > 0, "{game}");
    }
    for (game, mate_in) in [("tic_tac_toe", 9), ("achi", 0), ("dots_and_boxes(rows=2,cols=2)", 13)]
    {
        let options = PuzzleOptions { mate_in: Some(mate_in), top: 3, unique: false };
        assert_eq!(check(game, true, options), 0, "{game}");
    }
}

#[test]
fn symmetry_changes_no_choice() {
    struct Both;
    impl RulesVisitor for Both {
        type Output = ();
        fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) {
            let options = PuzzleOptions { top: 5, ..PuzzleOptions::default() };
            let [plain, reduced] = [false, true].map(|symmetry| {
                let solution = solved(&rules, symmetry);
                let found = puzzles(&solution, ranked(&solution), options, || false);
                let states = found.puzzles.into_iter().map(|puzzle| puzzle.state);
                states.collect::<Vec<_>>()
            });
            assert_eq!(plain, reduced);
        }
    }
    for game in GAMES {
        visit(game, Both);
    }
}

/// All wins of one remoteness, taken one by one with the plain meaning of the rules for what is
/// left out.
#[test]
fn what_is_left_out_is_like_a_puzzle_that_is_not() {
    struct Slowly;
    impl RulesVisitor for Slowly {
        type Output = u64;
        fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> u64 {
            let game = rules.game();
            let solution = solved(&rules, false);
            let symmetries = rules.symmetries().expect("the game has symmetries");
            let class = |state: &K| game.key(&(symmetries.canonical)(game, state));
            // The lines of a solution as sorted texts, for each symmetry.
            let lines = |state: &K, symmetry: usize| -> Vec<String> {
                let tree = solution_tree(&solution, state, TreeLimits::NONE);
                let map = |state: &K, m| rules.move_number(symmetry, state, m);
                let mut paths: Vec<String> = vec![String::new()];
                let mut lines = Vec::new();
                for (n, node) in tree.nodes.iter().enumerate() {
                    let path = paths[n].clone();
                    let others: Vec<_> =
                        node.step.iter().flat_map(|s| s.slower.iter().chain(&s.missteps)).collect();
                    for other in others {
                        lines.push(format!(
                            "{path}{:?} {:?} {}",
                            map(&node.state, other.m),
                            other.value,
                            other.plies
                        ));
                    }
                    for &child in &node.children {
                        let m = tree.nodes[child].last_move.map(|m| map(&node.state, m));
                        paths.push(format!("{path}{m:?} "));
                        lines.push(format!("{path}{m:?} {:?}", tree.nodes[child].valued));
                    }
                }
                lines.sort();
                lines
            };
            let after = |state: &K| -> Vec<K> {
                let tree =
                    solution_tree(&solution, state, TreeLimits { nodes_max: 0, plies_max: 1 });
                tree.nodes[0]
                    .children
                    .iter()
                    .map(|&child| class(&tree.nodes[child].state))
                    .collect()
            };
            let rank = ranked(&solution);
            let mut left_out = 0;
            let options = PuzzleOptions { top: usize::MAX, ..PuzzleOptions::default() };
            let found = puzzles(&solution, &rank, options, || false);
            for counts in &found.counts {
                let mut wins: Vec<(f64, K)> = solution
                    .iter()
                    .filter(|(.., valued)| {
                        valued.value == Value::Win && valued.remoteness == counts.remoteness
                    })
                    .map(|(index, key, _)| (rank(index), key))
                    .collect();
                assert_eq!(wins.len() as u64, counts.wins);
                wins.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                let (mut classes, mut merges, mut asked) = (Vec::new(), Vec::new(), Vec::new());
                let (mut merged, mut same) = (0, 0);
                for (_, key) in wins {
                    let state = game.unkey(key);
                    let own = class(&state);
                    if classes.contains(&own) {
                        continue;
                    }
                    let after = after(&state);
                    if after.iter().any(|after| merges.contains(after)) {
                        merged += u64::from(own == key);
                        continue;
                    }
                    if asked.contains(&lines(&state, 0)) {
                        same += u64::from(own == key);
                        continue;
                    }
                    classes.push(own);
                    merges.extend(after);
                    asked.extend((0..symmetry_count(&rules)).map(|n| lines(&state, n)));
                }
                assert_eq!((counts.merged, counts.same), (merged, same));
                assert_eq!(counts.picked, classes.len() as u64);
                left_out += merged + same;
            }
            left_out
        }
    }
    for game in ["tic_tac_toe", "finger_game", "connect_four(cols=3,rows=3,k=3)"] {
        let left_out = visit(game, Slowly);
        assert!(left_out > 0, "{game}");
    }
}

#[test]
fn limits_cut_trees_but_never_the_main_line() {
    struct Cut;
    impl RulesVisitor for Cut {
        type Output = ();
        fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) {
            let solution = solved(&rules, true);
            let found = puzzles(&solution, ranked(&solution), PuzzleOptions::default(), || false);
            let puzzle = found.puzzles.last().unwrap();
            let whole = solution_tree(&solution, &puzzle.state, TreeLimits::NONE);
            assert_eq!(whole.cut, 0);
            let limits = TreeLimits { nodes_max: 5, plies_max: u32::MAX };
            let cut = solution_tree(&solution, &puzzle.state, limits);
            assert!(cut.cut > 0 && cut.nodes.len() < whole.nodes.len());
            assert_eq!(cut.cut, cut.nodes.iter().filter(|node| node.cut).count());
            assert_eq!(cut.main_line(), whole.main_line());
            let limits = TreeLimits { nodes_max: usize::MAX, plies_max: 2 };
            let cut = solution_tree(&solution, &puzzle.state, limits);
            assert_eq!(cut.nodes.iter().map(|node| node.plies).max(), Some(2));
            assert!(cut.cut > 0);
        }
    }
    for game in ["tic_tac_toe", "achi"] {
        visit(game, Cut);
    }
}

#[test]
fn a_stop_leaves_what_was_found() {
    struct Stop;
    impl RulesVisitor for Stop {
        type Output = ();
        fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) {
            let solution = solved(&rules, true);
            let asked = Cell::new(0);
            let stop = || {
                asked.set(asked.get() + 1);
                asked.get() > 1
            };
            let found = puzzles(&solution, ranked(&solution), PuzzleOptions::default(), stop);
            assert!(found.stopped);
            assert_eq!(found.puzzles.len(), 1);
        }
    }
    visit("tic_tac_toe", Stop);
}
