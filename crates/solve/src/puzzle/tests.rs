use std::collections::HashMap;

use treegauge_core::{Game, KeyCode, Player};
use treegauge_testkit::{explore, explore::Value as Known};

use super::*;
use crate::rules::Solvable;
use crate::solution::Solution;
use crate::tests::any_game::{self, SMALL_GAMES, StopAfter, both, on};
use crate::value::Value;

/// Greatest number of lines of a solution that are checked one by one.
const LINES_MAX: u64 = 5_000;

/// Value of each state for the player to move, found without code of this crate.
type Oracle<G> = HashMap<<G as Game>::State, (Known, Option<u32>)>;

fn oracle<G: Game>(game: &G) -> Oracle<G> {
    let graph = explore::explore(game, 200_000);
    let values = explore::solve(game, &graph);
    graph.states.into_iter().zip(values).collect()
}

fn solved<K: KeyCode>(rules: &Solvable<K>, symmetry: bool) -> Solution<K> {
    any_game::solved(rules, symmetry && both(rules).len() == 2)
}

/// Artificial rank that is equal for all images of a position: a hash of the class, reduced to a
/// few numbers, so that different positions are equally interesting.
fn ranked<K: KeyCode>(solution: &Solution<K>) -> impl Fn(usize) -> f64 {
    |index| {
        let class = solution.rules().class(solution.at(index).0);
        (class.mix() >> 61) as f64 / 8.0
    }
}

/// Value of a state for `player`, and the plies to its end.
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

/// Results of checking a solution by the game's own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Checked {
    /// Plies against the longest defence.
    plies: u32,
    /// Moves of the winner on the lines of best play.
    own_moves: u32,
    /// Whether the winner never has a second winning move.
    unique: bool,
    /// Whether the winner has a move anywhere that loses the win.
    asks: bool,
}

/// State after a move, which must be legal.
fn after<G: Game>(game: &G, state: &G::State, m: G::Move) -> G::State {
    let mut child = state.clone();
    game.try_play(&mut child, m).expect("the move is legal");
    child
}

/// Lines of a solution from a state to the end, found without code of this crate.
fn plain_lines<G: Game>(game: &G, oracle: &Oracle<G>, state: &G::State) -> Vec<Vec<G::Move>> {
    if game.outcome(state).is_some() {
        return vec![vec![]];
    }
    let turn = game.turn(state);
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    if oracle[state].0 == Known::Win {
        let wins_in = |m: &G::Move| match seen_by(game, oracle, &after(game, state, *m), turn) {
            (Value::Win, remoteness) => remoteness,
            _ => None,
        };
        let quickest = moves.iter().filter_map(wins_in).min();
        moves.retain(|m| wins_in(m) == quickest);
    }
    let mut lines = Vec::new();
    for m in moves {
        let rest = plain_lines(game, oracle, &after(game, state, m));
        lines.extend(rest.into_iter().map(|rest| [vec![m], rest].concat()));
    }
    lines
}

/// Lines of a graph from a position to the end.
fn lines<K>(graph: &SolutionGraph<K>, at: usize) -> Vec<Vec<u32>> {
    let node = &graph.nodes[at];
    assert!(!node.cut);
    if node.is_over() {
        return vec![vec![]];
    }
    let below = node.moves.iter().map(|&(m, next)| (m, lines(graph, next)));
    below.flat_map(|(m, rest)| rest.into_iter().map(move |rest| [vec![m], rest].concat())).collect()
}

/// Checks every position of a whole solution by the game's own rules.
fn check_graph<K: KeyCode, G: Game<State = K, Move = u32>>(
    game: &G,
    oracle: &Oracle<G>,
    graph: &SolutionGraph<K>,
    winner: Player,
    wins: Wins,
) -> Checked {
    assert_eq!((graph.cut, graph.nodes[0].plies), (0, 0));
    let states: HashMap<&K, usize> =
        graph.nodes.iter().enumerate().map(|(n, node)| (&node.state, n)).collect();
    assert_eq!(states.len(), graph.nodes.len(), "a position is there once");
    assert!(graph.nodes.is_sorted_by_key(|node| node.plies));
    let mut fewest = vec![u32::MAX; graph.nodes.len()];
    fewest[0] = 0;
    for node in &graph.nodes {
        for &(m, next) in &node.moves {
            let to = &graph.nodes[next];
            assert_eq!(to.state, after(game, &node.state, m), "a move leads where it says");
            assert!(to.valued.remoteness < node.valued.remoteness, "there is no cycle");
            fewest[next] = fewest[next].min(node.plies + 1);
        }
    }
    assert!(graph.nodes.iter().zip(fewest).all(|(node, fewest)| node.plies == fewest));
    let mut known: Vec<Option<Checked>> = vec![None; graph.nodes.len()];
    for at in graph.from_the_ends() {
        let next = graph.nodes[at].moves.iter();
        let below = next.map(|&(_, next)| known[next].expect("it comes before")).collect();
        known[at] = Some(check_node(game, oracle, &graph.nodes[at], winner, wins, below));
    }
    known[0].unwrap()
}

/// Checks one position of a solution after its successors have been checked.
fn check_node<K: KeyCode, G: Game<State = K, Move = u32>>(
    game: &G,
    oracle: &Oracle<G>,
    node: &SolutionNode<K>,
    winner: Player,
    wins: Wins,
    below: Vec<Checked>,
) -> Checked {
    let state = &node.state;
    if let Some(outcome) = game.outcome(state) {
        assert_eq!(outcome.winner(), Some(winner), "every line ends with a win");
        assert!(node.moves.is_empty() && node.step.is_none() && node.is_over());
        return Checked { plies: 0, own_moves: 0, unique: true, asks: false };
    }
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    let winner_moves = game.turn(state) == winner;
    assert_eq!(node.winner_to_move(), winner_moves);
    let kept: Vec<u32> = node.moves.iter().map(|&(m, _)| m).collect();
    let plies: Vec<u32> = below.iter().map(|checked| checked.plies + 1).collect();
    let mut unique = below.iter().all(|checked| checked.unique);
    let mut asks = below.iter().any(|checked| checked.asks);
    let (all_plies, own_moves);
    if winner_moves {
        let step = node.step.as_ref().expect("the winner has a step");
        all_plies = *plies.iter().min().expect("some move wins");
        assert!(plies.iter().all(|&plies| plies == all_plies), "only the quickest are kept");
        assert!(wins == Wins::First || step.as_quick.is_empty());
        assert!(wins == Wins::All || kept.len() == 1);
        // Every legal move is in exactly one of the lists.
        let mut winning = 0;
        for &m in &moves {
            let (value, remoteness) = seen_by(game, oracle, &after(game, state, m), winner);
            let plies = remoteness.map_or(0, |remoteness| remoteness + 1);
            let find = |list: &[Other]| list.iter().find(|other| other.m == m).copied();
            let (slower, misstep) = (find(&step.slower), find(&step.missteps));
            let quick = kept.contains(&m) || step.as_quick.contains(&m);
            match value {
                Value::Win if plies == all_plies => {
                    assert!(quick && slower.is_none() && misstep.is_none());
                }
                Value::Win => {
                    assert!(plies > all_plies);
                    assert_eq!(slower, Some(Other { m, value, plies }));
                    assert!(!quick && misstep.is_none());
                }
                _ => {
                    assert_eq!(misstep, Some(Other { m, value, plies }), "it loses the win");
                    assert!(!quick && slower.is_none());
                }
            }
            winning += u32::from(value == Value::Win);
        }
        let lengths = [kept.len(), step.as_quick.len(), step.slower.len(), step.missteps.len()];
        assert_eq!(lengths.iter().sum::<usize>(), moves.len());
        assert_eq!(node.is_unique(), Some(winning == 1));
        assert!(step.slower.is_sorted_by_key(|other| other.plies));
        unique &= winning == 1;
        asks |= !step.missteps.is_empty();
        own_moves = 1 + below.iter().map(|checked| checked.own_moves).min().unwrap_or(0);
    } else {
        assert_eq!((node.is_unique(), node.step.is_some()), (None, false));
        all_plies = *plies.iter().max().expect("the loser has a move");
        assert!(plies.is_sorted_by(|a, b| a >= b), "the longest defence comes first");
        let mut sorted_kept = kept;
        sorted_kept.sort_unstable();
        moves.sort_unstable();
        assert_eq!(sorted_kept, moves, "every defence is there, once");
        let longest = below.iter().zip(&plies).filter(|(_, plies)| **plies == all_plies);
        own_moves = longest.map(|(checked, _)| checked.own_moves).max().unwrap_or(0);
    }
    assert_eq!(u32::from(node.valued.remoteness), all_plies);
    Checked { plies: all_plies, own_moves, unique, asks }
}

fn check_puzzles<K: KeyCode>(rules: Solvable<K>, symmetry: bool, options: PuzzleOptions) -> usize {
    let game = &rules;
    let oracle = oracle(game);
    let solution = solved(&rules, symmetry);
    let rank = ranked(&solution);
    let found = puzzles(&solution, &rank, options, &());
    assert!(!found.stopped);
    for puzzle in &found.puzzles {
        let winner = game.turn(puzzle.state);
        let whole = solution_graph(&solution, puzzle.state, Wins::All, usize::MAX);
        let checked = check_graph(game, &oracle, &whole, winner, Wins::All);
        assert_eq!(checked.plies, u32::from(puzzle.remoteness));
        assert_eq!(checked.own_moves, puzzle.mate_in);
        assert_eq!(checked.unique, puzzle.unique.every_move);
        assert!(checked.asks, "some move loses the win");
        assert_eq!(whole.nodes[0].is_unique(), Some(puzzle.unique.first_move));
        assert!(!options.unique || checked.unique);
        assert!(options.mate_in.is_none_or(|asked| asked == MateIn::only(puzzle.mate_in)));
        assert_eq!(whole.main_line().len(), usize::from(puzzle.remoteness));
        let count = whole.lines().expect("these games are small");
        if count <= LINES_MAX {
            let mut all = lines(&whole, 0);
            assert_eq!(all.len() as u64, count);
            all.sort_unstable();
            let mut plain = plain_lines(game, &oracle, &puzzle.state);
            plain.sort_unstable();
            assert_eq!(all, plain);
        }
        // A solution with one winning move at each turn answers all defences, too.
        let first = solution_graph(&solution, puzzle.state, Wins::First, usize::MAX);
        let again = check_graph(game, &oracle, &first, winner, Wins::First);
        assert_eq!((again.plies, again.unique), (checked.plies, checked.unique));
        assert_eq!(first.main_line(), whole.main_line());
        assert_eq!(puzzle.interestingness, rank(puzzle.index));
    }
    // No two puzzles are images of each other.
    for (n, puzzle) in found.puzzles.iter().enumerate() {
        let images = (0..rules.symmetry_count()).map(|n| rules.image(n, puzzle.state));
        let images: Vec<K> = images.collect();
        for other in &found.puzzles[n + 1..] {
            assert!(!images.contains(&other.state), "{:?}", other.state);
        }
    }
    if options.mate_in.is_none() && !options.unique {
        for row in found.puzzles.chunk_by(|a, b| a.remoteness == b.remoteness) {
            assert!(row.len() <= options.top);
            assert!(row.is_sorted_by(|a, b| a.interestingness >= b.interestingness));
            let wins = solution.iter().filter(|(_, _, valued)| {
                valued.value == Value::Win && valued.remoteness == row[0].remoteness
            });
            let asking = wins.filter(|(_, key, _)| {
                let graph = solution_graph(&solution, *key, Wins::All, usize::MAX);
                let mut steps = graph.nodes.iter().filter_map(|node| node.step.as_ref());
                steps.any(|step| !step.missteps.is_empty())
            });
            let most = asking.map(|(index, ..)| rank(index)).max_by(f64::total_cmp);
            assert_eq!(most, Some(row[0].interestingness));
        }
        let rows = solution.remoteness_table().rows().iter().enumerate();
        let remotenesses = rows.filter(|(n, row)| *n > 0 && row[0] > 0).count();
        assert_eq!(found.counts.len(), remotenesses, "no remoteness is left out");
        assert!(found.counts.iter().all(|c| c.picked > 0 || c.asking_nothing > 0));
    }
    found.puzzles.len()
}

fn check(game: &str, symmetry: bool, options: PuzzleOptions) -> usize {
    on!(game, check_puzzles, symmetry, options)
}

#[test]
fn every_solution_wins_against_every_defence_by_the_rules() {
    for game in SMALL_GAMES {
        for symmetry in [false, true] {
            let options = PuzzleOptions { top: 4, ..PuzzleOptions::default() };
            assert!(check(game, symmetry, options) > 0, "{game} has puzzles");
        }
    }
}

#[test]
fn unique_solutions_have_no_second_win_anywhere() {
    let options = PuzzleOptions { top: 3, unique: true, ..PuzzleOptions::default() };
    let found: usize = SMALL_GAMES.iter().map(|game| check(game, true, options)).sum();
    assert!(found > 10, "{found} puzzles");
}

#[test]
fn only_the_wanted_number_of_moves_is_found() {
    for (game, mate_in) in [("tic_tac_toe", 2), ("achi", 4), ("dots_and_boxes(rows=2,cols=2)", 6)] {
        let options = PuzzleOptions {
            mate_in: Some(MateIn::only(mate_in)),
            top: 3,
            ..PuzzleOptions::default()
        };
        assert!(check(game, true, options) > 0, "{game}");
    }
    for (game, mate_in) in [("tic_tac_toe", 9), ("achi", 0), ("dots_and_boxes(rows=2,cols=2)", 13)]
    {
        let options = PuzzleOptions {
            mate_in: Some(MateIn::only(mate_in)),
            top: 3,
            ..PuzzleOptions::default()
        };
        assert_eq!(check(game, true, options), 0, "{game}");
    }
}

#[test]
fn a_count_of_puzzles_is_spread_over_the_remotenesses() {
    fn spread<K: KeyCode>(rules: Solvable<K>) {
        let solution = solved(&rules, true);
        let rank = ranked(&solution);
        let of = |options| puzzles(&solution, &rank, options, &());
        let all = of(PuzzleOptions { top: usize::MAX, ..PuzzleOptions::default() }).puzzles;
        let rows: Vec<_> = all.chunk_by(|a, b| a.remoteness == b.remoteness).collect();
        for count in [1, 2, rows.len() + 1, all.len() - 1, all.len() + 1] {
            let asked =
                PuzzleOptions { top: count, count: Some(count), ..PuzzleOptions::default() };
            let found = of(asked);
            let mut wanted = Vec::new();
            for rank in 0..all.len() {
                wanted.extend(rows.iter().filter_map(|row| row.get(rank)));
            }
            wanted.truncate(count);
            let mut wanted: Vec<_> = wanted.iter().map(|one| (one.remoteness, one.state)).collect();
            let states: Vec<_> =
                found.puzzles.iter().map(|one| (one.remoteness, one.state)).collect();
            assert!(states.is_sorted_by_key(|(remoteness, _)| *remoteness));
            let picked: u64 = found.counts.iter().map(|counts| counts.picked).sum();
            assert_eq!(picked, states.len() as u64);
            let mut states = states;
            states.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(states, wanted, "{count} of {}", all.len());
        }
    }
    for game in SMALL_GAMES {
        on!(game, spread);
    }
}

#[test]
fn symmetry_changes_no_choice() {
    fn both<K: KeyCode>(rules: Solvable<K>) {
        let options = PuzzleOptions { top: 5, ..PuzzleOptions::default() };
        let [plain, reduced] = [false, true].map(|symmetry| {
            let solution = solved(&rules, symmetry);
            let found = puzzles(&solution, ranked(&solution), options, &());
            let states = found.puzzles.into_iter().map(|puzzle| puzzle.state);
            states.collect::<Vec<_>>()
        });
        assert_eq!(plain, reduced);
    }
    for game in SMALL_GAMES {
        on!(game, both);
    }
}

/// Examines all wins of one remoteness one by one, with a direct implementation of the rules for
/// leaving wins out.
#[test]
fn what_is_left_out_is_like_a_puzzle_that_is_not() {
    fn slowly<K: KeyCode>(rules: Solvable<K>) -> u64 {
        let solution = solved(&rules, false);
        assert!(rules.symmetry_count() > 1);
        let graph = |state: K| solution_graph(&solution, state, Wins::All, usize::MAX);
        // Moves asked on the lines of a solution as sorted texts, for each symmetry.
        let asked = |state: K, symmetry: usize| -> Vec<String> {
            let graph = graph(state);
            let map = |state, m| rules.move_number(symmetry, state, m);
            let mut texts = Vec::new();
            let mut open = vec![(0, String::new())];
            while let Some((at, path)) = open.pop() {
                let node = &graph.nodes[at];
                for (kind, others) in node
                    .step
                    .iter()
                    .flat_map(|step| [("slower", &step.slower), ("misstep", &step.missteps)])
                {
                    let others = others.iter().map(|other| map(node.state, other.m));
                    texts.extend(others.map(|m| format!("{path}{m} {kind}")));
                }
                for &(m, next) in &node.moves {
                    let path = format!("{path}{} ", map(node.state, m));
                    texts.push(format!("{path}{}", graph.nodes[next].winner_to_move()));
                    open.push((next, path));
                }
            }
            texts.sort();
            texts
        };
        let asks_nothing = |state: K| {
            let graph = graph(state);
            let mut steps = graph.nodes.iter().filter_map(|node| node.step.as_ref());
            steps.all(|step| step.missteps.is_empty())
        };
        let after = |state: K| -> Vec<K> {
            let graph = graph(state);
            let children = graph.nodes[0].moves.iter();
            children.map(|&(_, next)| rules.class(graph.nodes[next].state)).collect()
        };
        let rank = ranked(&solution);
        let mut left_out = 0;
        let options = PuzzleOptions { top: usize::MAX, ..PuzzleOptions::default() };
        let found = puzzles(&solution, &rank, options, &());
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
            let (mut classes, mut merges, mut all_asked) = (Vec::new(), Vec::new(), Vec::new());
            let (mut nothing, mut merged, mut same) = (0, 0, 0);
            for (rank, state) in wins {
                let own = rules.class(state);
                if classes.contains(&own) {
                    continue;
                }
                if asks_nothing(state) {
                    nothing += u64::from(own == state);
                    continue;
                }
                let after = after(state);
                if after.iter().any(|after| merges.contains(after)) {
                    merged += u64::from(own == state);
                    continue;
                }
                let look = |n| (asked(state, n), (rank * 1e9).round() as u64);
                if all_asked.contains(&look(0)) {
                    same += u64::from(own == state);
                    continue;
                }
                classes.push(own);
                merges.extend(after);
                all_asked.extend((0..rules.symmetry_count()).map(look));
            }
            let counted = (counts.asking_nothing, counts.merged, counts.same);
            assert_eq!(counted, (nothing, merged, same));
            assert_eq!(counts.picked, classes.len() as u64);
            left_out += merged + same;
        }
        left_out
    }
    for game in ["tic_tac_toe", "finger_game", "connect_four(cols=3,rows=3,k=3)"] {
        let left_out = on!(game, slowly);
        assert!(left_out > 0, "{game}");
    }
}

#[test]
fn moves_of_symmetric_positions_come_to_the_same() {
    fn opening<K: KeyCode>(rules: Solvable<K>, of: &'static [&'static [&'static str]]) {
        let start = rules.start();
        let moves: Vec<u32> = (0..rules.move_count(start)).collect();
        let first = first_images(&rules, start, &moves);
        let mut classes: HashMap<usize, Vec<String>> = HashMap::new();
        for (&m, &first) in moves.iter().zip(&first) {
            assert!(first <= moves.iter().position(|&other| other == m).unwrap());
            classes.entry(first).or_default().push(rules.move_text(start, m));
        }
        let mut classes: Vec<_> = classes.into_values().collect();
        classes.iter_mut().for_each(|class| class.sort());
        classes.sort();
        assert_eq!(classes, of);
    }
    on!("achi", opening, &[&["a1", "a3", "c1", "c3"], &["a2", "b1", "b3", "c2"], &["b2"]]);
    on!("connect_four(cols=4,rows=3,k=3)", opening, &[&["a", "d"], &["b", "c"]]);
    on!("one_to_ten", opening, &[&["1"], &["2"]]);
}

#[test]
fn limits_cut_solutions_but_never_the_main_line() {
    fn cut<K: KeyCode>(rules: Solvable<K>) {
        let solution = solved(&rules, true);
        let found = puzzles(&solution, ranked(&solution), PuzzleOptions::default(), &());
        let puzzle = found.puzzles.last().unwrap();
        for wins in [Wins::All, Wins::First] {
            let whole = solution_graph(&solution, puzzle.state, wins, usize::MAX);
            let positions = whole.nodes.len();
            let fits = solution_graph(&solution, puzzle.state, wins, positions);
            assert_eq!((fits.cut, fits.nodes.len()), (0, positions));
            for positions_max in [0, 5, positions - 1] {
                let cut = solution_graph(&solution, puzzle.state, wins, positions_max);
                assert!(cut.cut > 0 && cut.nodes.len() < positions);
                assert_eq!(cut.cut, cut.nodes.iter().filter(|node| node.cut).count());
                assert_eq!(cut.main_line(), whole.main_line());
                assert_eq!(cut.lines(), None);
                let is_cut = |node: &SolutionNode<_>| node.moves.is_empty() && !node.is_over();
                assert!(cut.nodes.iter().all(|node| is_cut(node) == node.cut));
            }
        }
    }
    for game in ["tic_tac_toe", "achi"] {
        on!(game, cut);
    }
}

#[test]
fn a_stop_leaves_what_was_found() {
    fn stop<K: KeyCode>(rules: Solvable<K>) {
        let solution = solved(&rules, true);
        // Stops before the second candidate.
        let watch = StopAfter::new(1);
        let found = puzzles(&solution, ranked(&solution), PuzzleOptions::default(), &watch);
        assert!(found.stopped);
        assert_eq!(found.puzzles.len(), 1);
    }
    on!("tic_tac_toe", stop);
}
