use proptest::prelude::*;
use treegauge_core::{Game, Graded, KeyCode};
use treegauge_games::achi::{Achi, Adjacency};
use treegauge_games::alak::{Alak, Ban};
use treegauge_games::alquerque::Alquerque;
use treegauge_games::connect_four::{self, ConnectFour};
use treegauge_games::dots_and_boxes::{self, DotsAndBoxes};
use treegauge_games::isolation::{ImprovedScore, Isolation, Piece, Setup, Starts};
use treegauge_games::kalah::{Captures, Kalah};
use treegauge_games::one_to_ten::OneToTen;
use treegauge_games::tic_tac_toe::{self, TicTacToe};
use treegauge_testkit::explore::{self, Value};

use super::*;
use crate::{Margin, Mobility, Seed, random_opening};

const CAP: Plies = Plies(1_000);

/// Textbook negamax: every line is played to its end, with a copy of the game for every move.
fn plain<G: Keyed>(
    game: &G,
    played: &Played<G>,
    evaluator: &dyn Evaluator<G>,
    depth: u32,
    ply: u32,
) -> i32 {
    let turn = game.turn(played.state());
    if let Some(ended) = played.ended(game) {
        return ended.outcome.value_for(turn) * (WIN - ply as i32);
    }
    if depth == 0 {
        return evaluator.evaluate(game, played.state());
    }
    let mut moves = Vec::new();
    game.moves_into(played.state(), &mut moves);
    let values = moves.into_iter().map(|m| {
        let mut after = played.clone();
        after.play(game, m);
        let value = plain(game, &after, evaluator, depth - 1, ply + 1);
        if game.turn(after.state()) == turn { value } else { -value }
    });
    values.max().expect("an unfinished game has a move")
}

/// Evaluator with nearly random values, many of them equal; it distinguishes wrong positions, turns
/// and signs from right ones.
#[derive(Debug)]
struct Scattered;

impl<G: Keyed> Evaluator<G> for Scattered {
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        (game.key(state).mix() >> 40) as i32 % 23 - 11
    }
}

fn all_options() -> Vec<AlphaBetaOptions> {
    let mut all = Vec::new();
    // Tables of one bucket, of few and of many.
    for table_bytes in [None, Some(0), Some(4 << 10), Some(1 << 18)] {
        for ordering in [false, true] {
            for aspiration in [false, true] {
                all.push(AlphaBetaOptions { table_bytes, ordering, aspiration });
            }
        }
    }
    all
}

/// Follows the principal variation and checks that it ends at the returned value.
fn follow<G: Keyed>(
    game: &G,
    root: &Played<G>,
    evaluator: &dyn Evaluator<G>,
    report: &AlphaBetaReport<G::Move>,
) {
    let turn = game.turn(root.state());
    let mut played = root.clone();
    for &m in &report.pv {
        played.try_play(game, m).unwrap();
    }
    let value = match played.ended(game) {
        Some(ended) => ended.outcome.value_for(turn) * (WIN - report.pv.len() as i32),
        None => {
            assert_eq!(report.pv.len(), report.depth as usize);
            let same = game.turn(played.state()) == turn;
            evaluator.evaluate(game, played.state()) * if same { 1 } else { -1 }
        }
    };
    assert_eq!(value, report.value, "{report:?}");
    assert_eq!(report.best, report.pv.first().copied());
}

/// Checks that all options find the value of plain negamax, at a random position and, with the
/// table kept, at the next one.
fn agrees<G: Keyed>(game: &G, evaluator: &dyn Evaluator<G>, plies: u32, depth: u32, seed: u64) {
    let mut rng = Seed(seed).generator();
    let mut root = Played::start(game);
    random_opening(game, &mut root, plies, &mut rng);
    let mut next = root.clone();
    random_opening(game, &mut next, 1, &mut rng);
    let values = [&root, &next].map(|played| plain(game, played, evaluator, depth, 0));
    for options in all_options() {
        let mut search = AlphaBeta::new(options);
        for (played, value) in [&root, &next].into_iter().zip(values) {
            let limits = AlphaBetaLimits::depth(Plies(depth));
            let report = search.search(game, played, evaluator, limits);
            assert_eq!(report.value, value, "{options:?} at {:?}: {report:?}", played.state());
            if played.ended(game).is_some() {
                assert_eq!((report.best, report.exact), (None, true));
                continue;
            }
            follow(game, played, evaluator, &report);
            if report.depth < depth {
                assert!(report.exact, "{report:?}");
            }
            if report.exact {
                // A search one ply deeper gives the same value.
                assert_eq!(plain(game, played, evaluator, report.depth + 1, 0), value);
                assert_eq!(report.stopped, Stopped::Decided);
            } else {
                assert_eq!(report.stopped, Stopped::Depth);
            }
        }
    }
}

fn isolation(cols: u32, rows: u32, piece: Piece, cap: Plies) -> Isolation<u64> {
    Isolation::new(Setup { cols, rows, piece, starts: Starts::Free }, cap)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn all_options_find_the_value_of_plain_negamax(
        plies in 0u32..24, depth in 1u32..=5, cap in prop::sample::select(vec![5, 9, 30, 1_000]),
        seed: u64,
    ) {
        let cap = Plies(cap);
        let short = depth.min(3);
        let tic_tac_toe = TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, cap);
        agrees(&tic_tac_toe, &Scattered, plies.max(3), depth, seed);
        let connect_four = ConnectFour::new(connect_four::Sized::<u64>::new(4, 4, 3), cap);
        agrees(&connect_four, &Scattered, plies, depth, seed);
        agrees(&connect_four, &Mobility, plies, depth, seed);
        agrees(&OneToTen::new(21, 3, seed % 2 == 0, cap), &Scattered, plies / 4, depth, seed);
        // In these games turns do not alternate.
        let boxes = DotsAndBoxes::new(dots_and_boxes::Fixed::<2, 2>, cap);
        agrees(&boxes, &Scattered, plies.max(5), depth.min(4), seed);
        agrees(&boxes, &Margin::new(Graded::margin), plies.max(5), depth.min(4), seed);
        agrees(&Kalah::<true>::new(3, 3, Captures::Seeds, cap), &Scattered, plies, depth, seed);
        // Knights on the larger board, and the other pieces near the end, since they have too many
        // moves.
        let knight = isolation(5, 5, Piece::Knight, cap);
        agrees(&knight, &ImprovedScore, plies.max(2), depth, seed);
        agrees(&knight, &Scattered, plies.max(2), depth, seed);
        agrees(&isolation(4, 4, Piece::Queen, cap), &Scattered, plies.max(2), short, seed);
        let depth_of_kings = if plies < 8 { 1 } else { 2 };
        let king = isolation(4, 4, Piece::KingRemove, cap);
        agrees(&king, &ImprovedScore, plies.max(2), depth_of_kings, seed);
    }

    #[test]
    fn what_history_decides_is_not_taken_for_the_positions_own(
        plies in 0u32..40, depth in 1u32..=5, cap in prop::sample::select(vec![20, 45, 1_000]),
        seed: u64,
    ) {
        let cap = Plies(cap);
        agrees(&Achi::new(3, 3, Adjacency::Orth, cap), &Scattered, plies.max(4), depth, seed);
        let alak = Alak::new(4 + (seed % 3) as u32, Ban::None, cap);
        agrees(&alak, &Scattered, plies, depth, seed);
        agrees(&Kalah::<false>::new(2, 2, Captures::Never, cap), &Scattered, plies, depth, seed);
        agrees(&Alquerque::new(Plies(3), cap), &Scattered, plies, depth.min(3), seed);
    }

    #[test]
    fn equal_limits_give_equal_searches_and_nodes_are_exact(
        plies in 0u32..10, nodes in 0u64..5_000, seed: u64
    ) {
        let game = isolation(6, 5, Piece::Knight, CAP);
        let mut root = Played::start(&game);
        random_opening(&game, &mut root, plies, &mut Seed(seed).generator());
        prop_assume!(root.ended(&game).is_none());
        for options in all_options() {
            let search = |search: &mut AlphaBeta<Isolation<u64>>| {
                search.search(&game, &root, &ImprovedScore, AlphaBetaLimits::nodes(nodes))
            };
            let mut kept = AlphaBeta::new(options);
            let report = search(&mut kept);
            prop_assert_eq!(&report, &search(&mut AlphaBeta::new(options)));
            search(&mut kept);
            kept.forget();
            prop_assert_eq!(&report, &search(&mut kept));
            match report.stopped {
                Stopped::Nodes => prop_assert_eq!(report.nodes, nodes.max(1)),
                _ => prop_assert!(report.nodes <= nodes && report.exact),
            }
            let best = report.best.expect("the game has not ended");
            prop_assert!(game.is_legal(root.state(), best));
            prop_assert_eq!(report.pv.first().copied().unwrap_or(best), best);
        }
    }
}

/// Checks that deep enough searches find the result, and the distance to a win, of solving the
/// whole game.
fn finds_what_is_solved<G: Keyed>(game: &G, every: usize) {
    let graph = explore::explore(game, 500_000);
    let values = explore::solve(game, &graph);
    let mut search = AlphaBeta::new(AlphaBetaOptions::default());
    for (state, (value, remoteness)) in graph.states.iter().zip(values).step_by(every) {
        let root = Played::from_state(state.clone());
        let limits = AlphaBetaLimits::depth(AlphaBetaLimits::DEPTH_MAX);
        let report = search.search(game, &root, &Mobility, limits);
        let sign = match value {
            Value::Win => 1,
            Value::Lose => -1,
            Value::Tie | Value::Draw => 0,
        };
        assert_eq!(report.decided(), Some(sign), "{state:?}: {report:?}");
        if sign != 0 {
            assert_eq!(plies_to_end(report.value).map(|plies| plies.0), remoteness, "{state:?}");
        }
        follow(game, &root, &Mobility, &report);
    }
}

#[test]
fn wins_are_as_quick_as_solving_says() {
    finds_what_is_solved(&TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, CAP), 29);
    finds_what_is_solved(&OneToTen::new(30, 4, false, CAP), 1);
    finds_what_is_solved(&DotsAndBoxes::new(dots_and_boxes::Fixed::<1, 2>, CAP), 3);
    finds_what_is_solved(&isolation(3, 3, Piece::Knight, CAP), 1);
    finds_what_is_solved(&isolation(3, 3, Piece::Queen, CAP), 29);
    finds_what_is_solved(&ConnectFour::new(connect_four::Sized::<u64>::new(3, 3, 3), CAP), 7);
}

#[test]
fn a_stopped_search_plays_the_best_move_it_knows() {
    let game = isolation(5, 5, Piece::Knight, CAP);
    let root = Played::start(&game);
    let search = |asked_max: u32| {
        let mut asked = 0;
        let report = AlphaBeta::new(AlphaBetaOptions::default()).search_until(
            &game,
            &root,
            &ImprovedScore,
            AlphaBetaLimits::nodes(u64::MAX),
            &mut || {
                asked += 1;
                asked > asked_max
            },
        );
        assert_eq!(report.stopped, Stopped::Caller);
        assert!(game.is_legal(root.state(), report.best.expect("the game has not ended")));
        report
    };
    // Even before the first iteration the search returns a move.
    let at_once = search(0);
    assert_eq!((at_once.depth, at_once.nodes, at_once.exact), (0, 1, false));
    assert_eq!(at_once.value, ImprovedScore.evaluate(&game, root.state()));
    // The closure is called at 1, 2, 4 nodes and so on to 1,024, then at every 1,024.
    assert!(search(9).nodes.abs_diff(512) <= 2);
    let later = search(20);
    assert!(later.depth > 1);
    assert!(later.nodes.abs_diff(11 * 1_024) <= 2, "{} nodes", later.nodes);
}

#[test]
fn an_iteration_that_is_broken_off_counts_where_its_first_move_was_searched() {
    // Between two iterations the move changes only to one that is better than the first move of the
    // deeper iteration, as the plain search at that depth shows.
    let game = isolation(5, 5, Piece::Knight, CAP);
    let mut root = Played::start(&game);
    random_opening(&game, &mut root, 2, &mut Seed(5).generator());
    let mut changes = 0;
    let mut last: Option<AlphaBetaReport<_>> = None;
    for nodes in 1..1_200 {
        let options =
            AlphaBetaOptions { table_bytes: Some(1 << 16), aspiration: false, ordering: true };
        let limits = AlphaBetaLimits::nodes(nodes);
        let report = AlphaBeta::new(options).search(&game, &root, &ImprovedScore, limits);
        let after = |m, depth| {
            let mut after = root.clone();
            after.play(&game, m);
            -plain(&game, &after, &ImprovedScore, depth, 1)
        };
        if let (Some(last), Some(best)) = (&last, report.best)
            && last.depth == report.depth
            && last.best != report.best
        {
            changes += 1;
            let before = last.best.expect("the game has not ended");
            assert!(after(best, report.depth) > after(before, report.depth), "{report:?}");
        }
        last = Some(report);
    }
    assert!(changes > 0, "the case came up");
}

#[test]
fn whole_games_end_as_first_proved_and_are_the_same_again() {
    let game = isolation(5, 5, Piece::Knight, CAP);
    let options = AlphaBetaOptions { table_bytes: Some(1 << 16), ..AlphaBetaOptions::default() };
    let (mut deep, mut shallow) = (AlphaBeta::new(options), AlphaBeta::new(options));
    let mut play = || {
        let (mut moves, mut proved) = (Vec::new(), None);
        let mut played = Played::start(&game);
        deep.forget();
        shallow.forget();
        while played.ended(&game).is_none() {
            let turn = game.turn(played.state());
            // The second player's search is stopped after 2,048 nodes.
            let mut asked = 0;
            let mut stop = || {
                asked += 1;
                turn == Player::Second && asked > 11
            };
            let (search, limits) = match turn {
                Player::First => (&mut deep, AlphaBetaLimits::nodes(3_000)),
                Player::Second => (&mut shallow, AlphaBetaLimits::nodes(u64::MAX)),
            };
            let report = search.search_until(&game, &played, &ImprovedScore, limits, &mut stop);
            if let (Some(value), None) = (report.decided(), proved) {
                proved = Some(value * turn.sign());
            }
            let m = report.best.expect("it has a move");
            moves.push(m);
            played.play(&game, m);
        }
        let outcome = played.ended(&game).expect("the game is over").outcome;
        (moves, outcome, proved)
    };
    let first = play();
    assert_eq!(first.2, Some(first.1.value()), "the first proof is right");
    assert_eq!(play(), first, "a second game is the same");
}
