use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde::Serialize;
use treegauge_catalog::GameSpec;
use treegauge_core::{Outcome, Player, Watch};
use treegauge_engine::{Engine, StartingPoint};
use treegauge_stats::wilson;
use treegauge_store::PieceSink;

use super::*;

/// Stores the games, and stops the experiment after a number of them.
#[derive(Default)]
struct Quiet {
    stop: AtomicBool,
    /// Number of games after which to stop.
    stop_after: Option<u32>,
    games: Mutex<Vec<RecordedGame>>,
}

impl PieceSink<RecordedGame> for Quiet {
    fn keep(&self, game: &RecordedGame) {
        let mut games = self.games.lock().unwrap();
        games.push(game.clone());
        if self.stop_after.is_some_and(|after| games.len() as u32 >= after) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Watch for Quiet {
    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn plan(games: u32, iterations: u32) -> Plan {
    Plan {
        games,
        iterations,
        skill_games: games,
        ladder: vec![],
        solve_limit: 0,
        ..Plan::default()
    }
}

fn open(game: &str) -> Arc<dyn Engine> {
    treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap()
}

/// Gauges a game from its start; `known` games are not played again.
fn gauge_with(game: &str, plan: &Plan, known: Vec<RecordedGame>, quiet: &Quiet) -> Gauge {
    let engine = open(game);
    gauge(engine.as_ref(), &engine.start(), plan, known, quiet, quiet)
}

fn run(game: &str, plan: &Plan) -> Gauge {
    gauge_with(game, plan, vec![], &Quiet::default())
}

const SMALL_BOARD: &str = "connect_four(cols=4,rows=4,k=3)";

fn state(gauge: &Gauge, flag: &str) -> FlawState {
    gauge.verdict.flags.iter().find(|judged| judged.flag == flag).unwrap().state
}

#[test]
fn any_number_of_threads_gives_the_same_numbers() {
    let results: Vec<String> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let gauge = pool.install(|| run(SMALL_BOARD, &plan(7, 60)));
            serde_json::to_string(&gauge).unwrap()
        })
        .collect();
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

/// Searches are reused for games of many threads, and must not carry a tree from one game to
/// another.
#[test]
fn searches_that_keep_their_trees_know_one_game_only() {
    let mut variant = UctVariant { reuse: true, ..UctVariant::default() };
    for solver in [false, true] {
        variant.solver = solver;
        let plan = Plan { variant, opening_plies: 2, ..plan(7, 60) };
        let whole = run(SMALL_BOARD, &plan);
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| run(SMALL_BOARD, &plan)), whole);
        }
        let first = Quiet { stop_after: Some(3), ..Quiet::default() };
        assert!(gauge_with(SMALL_BOARD, &plan, vec![], &first).incomplete);
        let known = first.games.into_inner().unwrap();
        assert_eq!(gauge_with(SMALL_BOARD, &plan, known, &Quiet::default()), whole);
        let plain = UctVariant { reuse: false, ..variant };
        let other = run(SMALL_BOARD, &Plan { variant: plain, ..plan });
        assert!(other.curves != whole.curves && other.tree != whole.tree);
    }
}

#[test]
fn the_seed_changes_the_games() {
    let one = run(SMALL_BOARD, &plan(5, 60));
    let other = run(SMALL_BOARD, &Plan { seed: 2, ..plan(5, 60) });
    assert_ne!(one.curves, other.curves);
}

#[test]
fn what_is_reported_can_be_counted_again_from_the_games() {
    let gauge = run(SMALL_BOARD, &plan(20, 80));
    let n = gauge.lengths.len() as u64;
    assert_eq!(n, 20);
    let points: f64 = gauge.curves.iter().map(|c| f64::from(1 + c.outcome.value()) / 2.0).sum();
    let share = gauge.measured("first_player");
    assert!((share.mean.unwrap() - points / n as f64).abs() < 1e-12);
    assert_eq!(share.n, n);
    let draws = gauge.curves.iter().filter(|c| c.outcome == Outcome::Draw).count();
    assert_eq!(gauge.measured("draw_rate"), wilson(draws as f64, n));
    let mean = gauge.lengths.iter().sum::<u32>() as f64 / 20.0;
    assert!((gauge.measured("plies").mean.unwrap() - mean).abs() < 1e-12);
    assert_eq!(gauge.tree.trees, u64::from(gauge.lengths.iter().sum::<u32>()));
    assert_eq!(gauge.tree.trees, gauge.tree_by_player[0].trees + gauge.tree_by_player[1].trees);
    for (curve, &length) in gauge.curves.iter().zip(&gauge.lengths) {
        // Values begin at the second ply, when both players have moved.
        assert_eq!((curve.first_ply, curve.values.len() as u32), (2, length - 1));
        for value in &curve.values {
            assert!(-1.0 <= value.low && value.low <= value.mean);
            assert!(value.mean <= value.high && value.high <= 1.0 && value.low < value.high);
        }
    }
    // The first ply of the 4 x 4 board has four moves, and all games reach it.
    assert_eq!(gauge.branching_by_ply[0], (4.0, 20));
}

#[test]
fn two_in_a_row_is_too_short_and_biased() {
    let gauge = run("tic_tac_toe(k=2)", &plan(40, 300));
    assert_eq!(state(&gauge, "biased_first"), FlawState::Yes);
    assert_eq!(state(&gauge, "biased_second"), FlawState::No);
    assert_eq!(state(&gauge, "too_short"), FlawState::Yes);
    assert_eq!(state(&gauge, "drawish"), FlawState::No);
    assert_eq!(gauge.measured("plies.median").mean, Some(3.0));
    assert!(gauge.verdict.sentence.contains("biased towards the first player"));
    assert_eq!(gauge.measured("lead_changes").mean, Some(0.0));
    assert!(gauge.measured("lead_changes").high > Some(0.0), "no interval has zero width");
}

#[test]
fn a_game_that_neither_player_can_win_is_drawish() {
    let gauge = run("connect_four(cols=4,rows=4,k=5)", &plan(40, 200));
    assert_eq!(gauge.measured("draw_rate").mean, Some(1.0));
    assert_eq!(state(&gauge, "drawish"), FlawState::Yes);
    assert_eq!(
        (gauge.measured("drama").mean, gauge.measured("drama").n),
        (None, 0),
        "no winner, no drama"
    );
}

#[test]
fn few_games_cannot_tell() {
    let gauge = run(SMALL_BOARD, &plan(3, 200));
    assert_eq!(state(&gauge, "too_short"), FlawState::CannotTell);
    let sentence = &gauge.verdict.sentence;
    assert!(
        sentence.starts_with("Cannot tell yet: too few games (3 games, UCT at 200 "),
        "{sentence}"
    );
}

#[test]
fn the_cap_is_reported_as_such() {
    let gauge = run("connect_four(ply_cap=3)", &plan(40, 300));
    assert_eq!(gauge.measured("capped").mean, Some(1.0));
    assert_eq!(gauge.measured("completion").mean, Some(0.0));
    assert_eq!(state(&gauge, "capped"), FlawState::Yes);
    assert_eq!(state(&gauge, "too_long"), FlawState::Yes);
}

#[test]
fn random_openings_are_played_and_not_measured() {
    let gauge = run(SMALL_BOARD, &Plan { opening_plies: 2, ..plan(10, 50) });
    for (curve, &length) in gauge.curves.iter().zip(&gauge.lengths) {
        assert_eq!((curve.first_ply, curve.values.len() as u32), (4, length - 3));
    }
    assert_eq!(gauge.branching_by_ply[0], (0.0, 0));
    assert_eq!(gauge.branching_by_ply[2].1, 10);
    // An opening can be longer than the game.
    let gauge = run(SMALL_BOARD, &Plan { opening_plies: 99, ..plan(10, 50) });
    assert_eq!((gauge.games, gauge.tree.trees), (10, 0));
    assert_eq!(gauge.measured("branching"), Estimate::UNRATED);
}

#[test]
fn a_stopped_run_reports_what_is_over_and_says_so() {
    let quiet = Quiet { stop_after: Some(3), ..Quiet::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let gauge = pool.install(|| gauge_with(SMALL_BOARD, &plan(50, 50), vec![], &quiet));
    assert!(gauge.incomplete);
    assert_eq!((gauge.games, gauge.measured("skill_depth").n), (3, 0));
    assert!(gauge.verdict.sentence.contains("3 of 50 games and 0 of 50"), "{:?}", gauge.verdict);
}

/// Games pass through their text form, as in a file.
#[test]
fn a_stopped_run_continues_to_the_same_result() {
    let plan = Plan { opening_plies: 1, ..plan(9, 50) };
    let whole = Quiet::default();
    let expected = gauge_with(SMALL_BOARD, &plan, vec![], &whole);
    assert_eq!(whole.games.lock().unwrap().len(), 18);
    for stop_after in [1, 5, 13, 17] {
        let quiet = Quiet { stop_after: Some(stop_after), ..Quiet::default() };
        // One thread, since another could finish the last game before it sees the flag.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let part = pool.install(|| gauge_with(SMALL_BOARD, &plan, vec![], &quiet));
        let texts: Vec<String> = quiet.games.into_inner().unwrap().iter().map(json).collect();
        assert_eq!((part.incomplete, texts.len() < 18), (true, true));
        let known: Vec<RecordedGame> =
            texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        let rest = Quiet::default();
        let found = gauge_with(SMALL_BOARD, &plan, known, &rest);
        assert_eq!(json(&found), json(&expected));
        assert_eq!(found.curves, expected.curves);
        assert_eq!(rest.games.lock().unwrap().len(), 18 - texts.len(), "only the rest is played");
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn recorded_games_can_be_replayed() {
    let quiet = Quiet::default();
    let plan = Plan { opening_plies: 2, ..plan(6, 30) };
    let summary = gauge_with(SMALL_BOARD, &plan, vec![], &quiet);
    let start = open(SMALL_BOARD).start();
    let mut skill = Pairs::default();
    let mut games = quiet.games.into_inner().unwrap();
    games.sort_by_key(|game| game.number);
    for recorded in &games {
        let mut line = start.clone();
        let searched = recorded.record.len() - recorded.record.plies.len();
        for (n, text) in recorded.record.moves().enumerate() {
            if let Some(ply) = n.checked_sub(searched) {
                let ply = &recorded.record.plies[ply];
                assert_eq!((ply.turn, ply.legal_moves), (line.turn(), line.move_count()));
            }
            line.play_text(text).unwrap();
        }
        assert_eq!(line.ended(), Some(recorded.record.ended));
    }
    assert_eq!(games.len(), 12);
    // Both games of a pair have the same opening, and the stronger side changes.
    for pair in games[6..].chunks(2) {
        skill.add(pair[0].record.ended.outcome, pair[1].record.ended.outcome);
        assert_eq!(pair[0].record.opening, pair[1].record.opening);
        assert_eq!([pair[0].stronger, pair[1].stronger], Player::BOTH.map(Some));
    }
    assert_eq!(summary.skill_pairs, skill);
    let (measured, score) = (summary.measured("skill_depth"), skill.score());
    assert_eq!((measured.mean, measured.low, measured.high), (score.mean, score.low, score.high));
    assert_eq!(measured.n, 6, "games, not pairs");
    // Four times the iterations are two doublings.
    let elo = skill.comparison().elo;
    assert_eq!(
        summary.measured("skill_depth.elo_per_doubling.mean").mean,
        elo.mean.map(|elo| elo / 2.0)
    );
}

/// Self-play at a quarter, once and four times the iterations.
fn ladder(games: u32, iterations: u32) -> Plan {
    let ladder = ["1/4", "1", "4"].map(|multiple| multiple.parse().unwrap());
    Plan { ladder: ladder.to_vec(), skill_games: 0, ..plan(games, iterations) }
}

#[test]
fn every_strength_is_measured_from_its_own_games() {
    let quiet = Quiet::default();
    let gauge = gauge_with(SMALL_BOARD, &ladder(8, 80), vec![], &quiet);
    let games = quiet.games.into_inner().unwrap();
    assert_eq!((games.len(), gauge.games), (24, 8));
    let strengths: Vec<u32> = gauge.ladder.iter().map(|rung| rung.iterations).collect();
    assert_eq!(strengths, [20, 80, 320]);
    for rung in &gauge.ladder {
        let own = (rung.iterations != 80).then_some(rung.iterations);
        let of_rung: Vec<&RecordedGame> =
            games.iter().filter(|game| game.number.iterations == own).collect();
        assert_eq!((rung.games, of_rung.len()), (8, 8));
        let lengths: usize = of_rung.iter().map(|game| game.record.len()).sum();
        assert_eq!(rung.measures.get("plies").mean, Some(lengths as f64 / 8.0));
        // Only trees of the plan's own strength have features.
        assert!(of_rung.iter().all(|game| game.shapes.is_some() == own.is_none()));
        // Visit counts are at most the iterations.
        let plies = of_rung.iter().flat_map(|game| &game.record.plies);
        assert!(plies.clone().all(|ply| ply.visits <= rung.iterations));
        assert!(plies.clone().any(|ply| 4 * ply.visits > rung.iterations));
    }
    assert_eq!(gauge.ladder[1].measures.get("draw_rate"), gauge.measured("draw_rate"));
    let begun: u64 = gauge.first_moves.iter().map(|first_move| first_move.first_player.n).sum();
    assert_eq!(begun, 16, "the games of the two greatest strengths");
    assert!(gauge.first_moves.is_sorted_by_key(|f| std::cmp::Reverse(f.first_player.n)));
    // The games of the plan's own strength do not depend on the other strengths.
    let alone = run(SMALL_BOARD, &Plan { ladder: vec![], ..ladder(8, 80) });
    assert_eq!((alone.ladder.len(), &alone.curves), (1, &gauge.curves));
}

#[test]
fn a_stopped_ladder_continues_to_the_same_result() {
    let plan = ladder(6, 60);
    let whole = Quiet::default();
    let expected = gauge_with(SMALL_BOARD, &plan, vec![], &whole);
    let all = whole.games.into_inner().unwrap();
    for known in [1, 7, 13, 17] {
        let known: Vec<RecordedGame> =
            all[..known].iter().map(|game| serde_json::from_str(&json(game)).unwrap()).collect();
        let count = known.len();
        let rest = Quiet::default();
        let found = gauge_with(SMALL_BOARD, &plan, known, &rest);
        assert_eq!(json(&found), json(&expected));
        assert_eq!(rest.games.lock().unwrap().len(), 18 - count, "only the rest is played");
    }
}

/// Achi has a forced win in nine plies that 8,000 iterations see and 2,000 do not.
#[test]
fn what_stronger_players_see_depends_on_the_strength() {
    let plan = Plan { skill_games: 0, ..Plan::default() };
    let gauge = run("achi", &Plan { solve_limit: 0, ..plan.clone() });
    assert_eq!(state(&gauge, "drawish"), FlawState::DependsOnStrength);
    assert_eq!(state(&gauge, "biased_first"), FlawState::DependsOnStrength);
    assert_eq!(state(&gauge, "biased_second"), FlawState::No);
    let sentence = &gauge.verdict.sentence;
    assert!(sentence.contains("in these games stronger players draw less often"), "{sentence}");
    assert!(!sentence.contains("olved"), "{sentence}");

    let solved = run("achi", &plan);
    let exact = solved.solved.as_ref().unwrap();
    assert_eq!(
        (exact.winner(), exact.remoteness, exact.positions),
        (Some(Player::First), Some(9), 5390)
    );
    let sentence = &solved.verdict.sentence;
    assert!(
        sentence.starts_with("Solved: with best play the first player wins in 9 plies. "),
        "{sentence}"
    );
    assert_eq!(solved.ladder, gauge.ladder, "the games are the same");
}

#[test]
fn a_win_that_no_strength_sees_is_said() {
    let game = "dots_and_boxes(rows=2,cols=3)";
    let plan = Plan { skill_games: 0, ladder: vec![], ..Plan::default() };
    let gauge = run(game, &plan);
    assert_eq!(state(&gauge, "biased_second"), FlawState::DependsOnStrength);
    let sentence = &gauge.verdict.sentence;
    let expected = "Solved: with best play the second player wins in 17 plies. UCT at ";
    assert!(sentence.starts_with(expected), "{sentence}");
    assert!(sentence.contains("mostly misses the win"), "{sentence}");
    assert!(sentence.contains("between such players it is not biased"), "{sentence}");
    let judged = gauge.verdict.flags.iter().find(|judged| judged.flag == "biased_second").unwrap();
    assert_eq!(gauge.evidence(judged).unwrap().other_with_best_play, Some(true));
    assert!(!sentence.contains("No flaw found"), "{sentence}");
    // Without the exact value nothing contradicts the games.
    let gauge = run(game, &Plan { solve_limit: 1_000, ..plan });
    assert_eq!((gauge.solved.as_ref(), state(&gauge, "biased_second")), (None, FlawState::No));
}

#[test]
fn a_game_that_little_memory_keeps_from_being_solved_says_so() {
    let plan = Plan { skill_games: 0, solve_limit: 1_000_000, ..plan(1, 10) };
    let little = run("achi", &Plan { solve_bytes_max: Some(100_000), ..plan.clone() });
    let Some(UnsolvedReason::Memory { memory_bytes_needed, memory_bytes_max }) = little.unsolved
    else {
        panic!("{:?}", little.unsolved)
    };
    assert!(little.solved.is_none());
    assert_eq!(memory_bytes_max, 100_000);
    assert!(memory_bytes_needed > 50_000, "{memory_bytes_needed}");
    // With enough memory, or the full allowance, the game is solved and no reason is reported.
    for solve_bytes_max in [Some(100_000_000), None] {
        let gauge = run("achi", &Plan { solve_bytes_max, ..plan.clone() });
        assert!(gauge.solved.is_some() && gauge.unsolved.is_none());
    }
    let large = run("qubic", &Plan { solve_limit: 1_000, ..plan.clone() });
    assert!(large.solved.is_none() && large.unsolved.is_none());
    // The winner of Oware with two houses depends on the moves before.
    let open = run("oware(houses=2)", &plan);
    assert!(open.solved.is_none());
    assert!(matches!(open.unsolved, Some(UnsolvedReason::History { .. })), "{:?}", open.unsolved);
}

#[test]
fn a_search_with_few_visits_a_move_cannot_tell() {
    let gauge = run("mnk(rows=9,cols=9,k=5)", &plan(8, 1_000));
    // No game has more plies than cells, however weak the players.
    for judged in &gauge.verdict.flags {
        let is_bounded = judged.flag == "capped";
        let state = if is_bounded { FlawState::No } else { FlawState::CannotTell };
        assert_eq!(judged.state, state, "{}", judged.flag);
    }
    // 30 visits to each of about 79 moves, a fifth more, and up to a round number.
    assert_eq!(gauge.verdict.iterations_needed, Some(5_000));
    assert!(gauge.verdict.sentence.contains("visits to each of"), "{}", gauge.verdict.sentence);
    let enough = gauge.verdict.iterations_needed.unwrap();
    let gauge = run("mnk(rows=9,cols=9,k=5)", &plan(8, enough));
    assert_eq!(gauge.verdict.iterations_needed, None);
}

#[test]
fn odd_games_are_reported_too() {
    // No games at all.
    let gauge = run(SMALL_BOARD, &plan(0, 50));
    assert_eq!((gauge.games, gauge.measured("first_player")), (0, Estimate::UNRATED));
    assert!(gauge.verdict.sentence.contains("No game was played"));
    assert!(gauge.verdict.flags.iter().all(|j| j.state == FlawState::CannotTell));

    // Over at the start.
    let engine = open(SMALL_BOARD);
    let position = Some("..../..../.oo./xxx. o".to_owned());
    let over = engine.begin(&StartingPoint { position, moves: vec![] }).unwrap();
    assert!(over.ended().is_some());
    let gauge = super::gauge(engine.as_ref(), &over, &plan(5, 50), vec![], &(), &());
    assert_eq!((gauge.games, gauge.incomplete), (0, false));
    assert!(gauge.verdict.sentence.contains("over at the start"));

    // One legal move everywhere.
    let gauge = run("one_to_ten(target=9,max_step=1)", &plan(6, 50));
    assert_eq!(gauge.measured("decision_moves").mean, Some(0.0));
    assert_eq!((gauge.measured("branching").mean, gauge.distinct_games), (Some(1.0), 1));
    let words = "Flawed: no player ever has a choice: every ply has one legal move.";
    assert!(gauge.verdict.sentence.starts_with(words), "{}", gauge.verdict.sentence);
    assert_eq!(gauge.tree.get("var_l1").unwrap().max, 0.0, "no variance among one move");

    // One iteration per move: the search tries no move and picks one at random.
    let gauge = run(SMALL_BOARD, &plan(6, 1));
    assert_eq!(gauge.games, 6);

    // Very long games.
    let gauge = run("one_to_ten(target=10000,max_step=1,ply_cap=20000)", &plan(6, 3));
    assert_eq!(gauge.measured("plies.median").mean, Some(10_000.0));
    assert_eq!(state(&gauge, "too_long"), FlawState::Yes);
}

#[test]
fn skill_is_the_share_of_the_stronger_side() {
    let game = "connect_four(cols=5,rows=5)";
    let gauge = run(game, &Plan { games: 0, skill_games: 60, skill_factor: 30, ..plan(0, 20) });
    let skill = gauge.measured("skill_depth");
    assert!(skill.low > Some(0.5), "thirty times the iterations win: {skill:?}");
    assert_eq!(skill.n, 60);
    // With the same strength on both sides the score is one half, up to chance.
    let gauge = run(game, &Plan { games: 0, skill_games: 200, skill_factor: 1, ..plan(0, 20) });
    let even = gauge.measured("skill_depth");
    assert!(even.low < Some(0.5) && even.high > Some(0.5), "{even:?}");
}

#[test]
fn thresholds_decide() {
    let strict = Thresholds::default().with("share_max", 0.0).with("plies_max", 1.0);
    let gauge = run(SMALL_BOARD, &Plan { thresholds: strict, ..plan(20, 200) });
    assert_eq!(state(&gauge, "biased_first"), FlawState::Yes);
    assert_eq!(state(&gauge, "too_long"), FlawState::Yes);
    let lax = Thresholds::default().with("share_max", 1.0);
    let gauge = run(SMALL_BOARD, &Plan { thresholds: lax, ..plan(20, 200) });
    assert_eq!(state(&gauge, "biased_first"), FlawState::No);
}

#[test]
fn cram_is_won_by_copying_unless_both_sides_are_odd() {
    let plan = Plan { games: 2, skill_games: 0, ..plan(2, 1_000) };
    let even = run("cram(cols=4,rows=4)", &plan);
    let copying = even.copying.as_ref().unwrap();
    assert_eq!((copying.symmetry, copying.copier), (Symmetry::HalfTurn, Player::Second));
    assert_eq!(copying.first_move, None);
    assert_eq!(copying.against, [CopiedGames { iterations: 1_000, games: 20, won: 20 }]);
    assert_eq!((state(&even, "copied"), even.verdict.flawed), (FlawState::Yes, Some(true)));
    assert!(
        even.verdict.sentence.starts_with(
            "Flawed: the second player copies each move of the other player, turned by 180 degrees, \
             and wins 20 of 20 games against UCT at 1,000 iterations per move."
        ),
        "{}",
        even.verdict.sentence
    );
    // The first player takes the middle, and then copies.
    let mixed = run("cram(cols=4,rows=3)", &plan).copying.unwrap();
    assert_eq!((mixed.copier, mixed.first_move.as_deref()), (Player::First, Some("b2/c2")));
    assert_eq!(run("cram(cols=3,rows=3)", &plan).copying, None);
}

/// Verdict on Cram with these games of a copying player: won of 20 at each strength.
fn copied(won: [u32; 2], solved: bool) -> (FlawState, Evidence, Verdict) {
    let plan = Plan { skill_games: 0, ladder: vec!["2".parse().unwrap()], ..plan(4, 1_000) };
    let mut gauge = run("cram(cols=4,rows=3)", &plan);
    let [weaker, stronger] = won;
    let of = |iterations, won| CopiedGames { iterations, games: 20, won };
    gauge.copying = Some(Copying {
        symmetry: Symmetry::HalfTurn,
        // The first player wins with best play.
        copier: Player::Second,
        first_move: None,
        against: vec![of(1_000, weaker), of(2_000, stronger)],
    });
    if solved {
        let solving = Plan { games: 0, solve_limit: 100_000, ..plan };
        gauge.solved = run("cram(cols=4,rows=3)", &solving).solved;
        assert_eq!(gauge.solved.as_ref().unwrap().winner(), Some(Player::First));
    }
    let verdict = Verdict::of(&gauge, &gauge.measures, false);
    let judged = verdict.flags.iter().find(|judged| judged.flag == "copied").unwrap();
    (judged.state, gauge.evidence(judged).unwrap(), verdict)
}

#[test]
fn copying_is_judged_at_both_strengths_and_by_best_play() {
    for (won, expected) in [
        ([20, 20], FlawState::Yes),
        ([20, 17], FlawState::CannotTell),
        ([20, 5], FlawState::DependsOnStrength),
        ([5, 4], FlawState::No),
    ] {
        let (state, evidence, verdict) = copied(won, false);
        assert_eq!(state, expected, "{won:?}");
        assert_eq!(evidence.at.len(), 2);
        let is_said = verdict.sentences[0].contains("copies each move");
        assert_eq!(is_said, expected == FlawState::Yes, "{}", verdict.sentence);
    }
    let (state, evidence, verdict) = copied([20, 20], true);
    assert_eq!(state, FlawState::DependsOnStrength);
    assert_eq!(evidence.other_with_best_play, Some(false));
    assert!(!verdict.sentences[0].contains("copies each move"), "{}", verdict.sentence);
}

#[test]
fn a_copying_player_answers_each_move_of_a_turn() {
    // One stone first, then two a turn: after the first stone, the copier moves twice.
    let engine = open("connect6(size=6)");
    let from = StartingPoint { position: None, moves: vec!["c3".to_owned()] };
    let line = engine.begin(&from).unwrap();
    let plan = Plan { games: 2, skill_games: 0, ..plan(2, 10) };
    let quiet = Quiet::default();
    assert_eq!(gauge(engine.as_ref(), &line, &plan, vec![], &quiet, &quiet).games, 2);
    for game in ["dots_and_boxes(rows=2,cols=2)", "kalah(houses=3,seeds=2)", "wild_tic_tac_toe"] {
        assert_eq!(run(game, &plan).games, 2, "{game}");
    }
}

#[test]
fn a_stop_while_a_player_copies_leaves_the_gauge_incomplete() {
    let plan = Plan { games: 2, skill_games: 0, ..plan(2, 1_000) };
    let quiet = Quiet { stop_after: Some(2), ..Quiet::default() };
    let stopped = gauge_with("cram(cols=4,rows=4)", &plan, vec![], &quiet);
    assert_eq!((stopped.games, stopped.incomplete, stopped.copying), (2, true, None));
    let words = "The run was stopped before all games were over.";
    assert!(stopped.verdict.sentence.contains(words), "{}", stopped.verdict.sentence);
    let known = quiet.games.into_inner().unwrap();
    let whole = run("cram(cols=4,rows=4)", &plan);
    assert_eq!(gauge_with("cram(cols=4,rows=4)", &plan, known, &Quiet::default()), whole);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| run("cram(cols=4,rows=4)", &plan)), whole);
    }
}

#[test]
fn a_run_that_was_stopped_before_a_player_copies_finds_no_flaw_so_far() {
    let lax = [
        ("draw_rate_max", 1.0),
        ("share_max", 1.0),
        ("completion_min", 0.0),
        ("plies_min", 0.0),
        ("plies_max", 1e6),
        ("capped_max", 1.0),
    ];
    let thresholds =
        lax.into_iter().fold(Thresholds::default(), |all, (name, x)| all.with(name, x));
    let plan = Plan { skill_games: 0, thresholds, ..plan(8, 1_000) };
    let quiet = Quiet { stop_after: Some(8), ..Quiet::default() };
    let stopped = gauge_with("cram(cols=4,rows=4)", &plan, vec![], &quiet);
    assert_eq!((stopped.games, stopped.incomplete, stopped.verdict.flawed), (8, true, None));
    let lead = &stopped.verdict.sentences[0];
    let begins = "No flaw found so far (8 games, UCT at 1,000 iterations per move): not drawish, ";
    assert!(lead.starts_with(begins), "{lead}");
    assert!(lead.ends_with(" Whether a player wins by copying is not tested yet."), "{lead}");
    // The flaw is there.
    let known = quiet.games.into_inner().unwrap();
    let whole = gauge_with("cram(cols=4,rows=4)", &plan, known, &Quiet::default());
    assert_eq!((state(&whole, "copied"), whole.verdict.flawed), (FlawState::Yes, Some(true)));
}

#[test]
fn a_game_in_which_all_moves_have_the_same_value_has_no_choice() {
    let plan = Plan { games: 4, solve_limit: 100_000, ..plan(4, 200) };
    // Whoever draws the fourth line gets the box.
    let gauge = run("dots_and_boxes(rows=1,cols=1)", &plan);
    assert!(gauge.solved.as_ref().unwrap().is_without_choice);
    assert_eq!(state(&gauge, "no_choice"), FlawState::Yes);
    let words = "Flawed: whatever the players do, the second player wins.";
    assert!(gauge.verdict.sentences[0].contains(words), "{}", gauge.verdict.sentence);
    assert_eq!(gauge.copying, None, "whoever wins wins by copying, too");
    for game in ["tic_tac_toe", "dots_and_boxes(rows=1,cols=2)"] {
        let gauge = run(game, &plan);
        assert!(!gauge.solved.as_ref().unwrap().is_without_choice, "{game}");
        assert!(gauge.verdict.flags.iter().all(|judged| judged.flag != "no_choice"), "{game}");
    }
}

#[test]
fn a_win_that_players_find_in_every_game_is_found_always() {
    let plan = Plan { ladder: vec![Multiple::QUARTER], solve_limit: 1_000, ..plan(20, 400) };
    let gauge = run("hexapawn", &plan);
    let lead = &gauge.verdict.sentences[0];
    let words = "always finds the win: biased towards the second player";
    assert!(lead.contains(words), "{lead}");
}
