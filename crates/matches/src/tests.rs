use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rayon::ThreadPoolBuilder;
use treegauge_catalog::GameSpec;
use treegauge_core::{Outcome, Player, Progress, Watch};
use treegauge_engine::{
    Agent, Choice, Forfeit, Limits, Player as NamedPlayer, PlayerSpec, ProbeError, Spent,
};
use treegauge_search::Generator;
use treegauge_stats::SprtVerdict;

use super::*;

fn open(game: &str) -> Arc<dyn Engine> {
    treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap()
}

const TIC_TAC_TOE: &str = "tic_tac_toe";

/// Random player that is asked for each of its moves.
struct Random;

impl Competitor for Random {
    fn agent(&self) -> Box<dyn Agent> {
        Box::new(RandomAgent)
    }
}

struct RandomAgent;

impl Agent for RandomAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        _: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        Ok(Choice::of(at.random_move(rng).expect("the game has not ended")))
    }
}

/// Random player that must not be asked for moves.
struct Unasked;

impl Competitor for Unasked {
    fn agent(&self) -> Box<dyn Agent> {
        unreachable!("no agent is needed")
    }

    fn is_random(&self) -> bool {
        true
    }
}

/// Player that searches with a number of iterations.
fn searcher(game: &str, iterations: u32) -> NamedPlayer {
    let engine = open(game);
    let spec = PlayerSpec::parse(&format!("uct(iterations={iterations})")).unwrap();
    let clock: Arc<dyn Clock> = Arc::new(clock(0));
    NamedPlayer::open(&spec, &engine, &engine.start(), &clock).unwrap()
}

/// Rule violation of a player.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Gives(fn() -> Forfeit),
    NumberBeyondMoves,
    TooManyNodes,
    TooSlow,
}

/// Player that violates the rules at one of its own moves, counted from 0.
struct Faulty(Wrong, u32);

struct FaultyAgent {
    wrong: Wrong,
    at: u32,
    moves: u32,
}

impl Competitor for Faulty {
    fn agent(&self) -> Box<dyn Agent> {
        Box::new(FaultyAgent { wrong: self.0, at: self.1, moves: 0 })
    }

    fn limits(&self) -> Limits {
        Limits { nodes_max: Some(5), time_max: Some(Duration::from_millis(20)) }
    }
}

impl FaultyAgent {
    fn is_wrong(&self) -> bool {
        self.moves > self.at
    }
}

impl Agent for FaultyAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        watch: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        self.moves += 1;
        let choice = RandomAgent.choose(at, rng, watch)?;
        match self.wrong {
            Wrong::Gives(forfeit) if self.is_wrong() => Err(forfeit().into()),
            Wrong::NumberBeyondMoves if self.is_wrong() => Ok(Choice::of(at.move_count())),
            _ => Ok(choice),
        }
    }

    fn spent(&self) -> Spent {
        let too_many = matches!(self.wrong, Wrong::TooManyNodes) && self.is_wrong();
        Spent { nodes: if too_many { 6 } else { 5 }, depth: Some(3) }
    }
}

/// Random player whose file cannot answer after some games.
struct Breaking {
    after: u64,
    games: AtomicU64,
}

impl Breaking {
    fn after(games: u64) -> Self {
        Breaking { after: games, games: AtomicU64::new(0) }
    }
}

struct BreakingAgent {
    breaks: bool,
    moves: u32,
}

impl Competitor for Breaking {
    fn agent(&self) -> Box<dyn Agent> {
        let game = self.games.fetch_add(1, Ordering::Relaxed);
        Box::new(BreakingAgent { breaks: game >= self.after, moves: 0 })
    }
}

impl Agent for BreakingAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        watch: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        self.moves += 1;
        if self.breaks && self.moves == 2 {
            let path = "solved.tgs".into();
            return Err(Arc::new(ProbeError::LacksChild { path }).into());
        }
        RandomAgent.choose(at, rng, watch)
    }
}

/// Clock that advances by some milliseconds at each reading.
struct Ticking(Mutex<u64>, u64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        let mut time = self.0.lock().unwrap();
        *time += self.1;
        Duration::from_millis(*time)
    }
}

fn clock(step: u64) -> Ticking {
    Ticking(Mutex::new(0), step)
}

/// Counts finished games, stores them, and says stop after a number of them.
struct Count {
    limit: u64,
    over: AtomicU64,
    kept: Mutex<Vec<MatchGame>>,
}

impl Count {
    fn until(limit: u64) -> Count {
        Count { limit, over: AtomicU64::new(0), kept: Mutex::default() }
    }

    fn over(&self) -> u64 {
        self.over.load(Ordering::Relaxed)
    }
}

impl PieceSink<MatchGame> for Count {
    fn keep(&self, game: &MatchGame) {
        self.kept.lock().unwrap().push(game.clone());
    }
}

impl Watch for Count {
    fn progress(&self, progress: Progress) {
        // Threads may report in another order than that of their games.
        self.over.fetch_max(progress.done, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.over() >= self.limit
    }
}

fn plan(games: u32, opening_plies: u32) -> MatchPlan {
    MatchPlan { games, opening_plies, seed: 7, shard: Shard::WHOLE }
}

/// Sets up a match from the start of a game and runs `then` on it.
fn with_match<T>(
    game: &str,
    competitors: [&dyn Competitor; 2],
    plan: &MatchPlan,
    clock: &dyn Clock,
    count: &Count,
    then: impl FnOnce(&Match) -> T,
) -> T {
    let engine = open(game);
    let counter =
        GameCounter::new(count, GamesDone::default(), GamesDone::alike(plan.planned().into()));
    then(&Match {
        engine: engine.as_ref(),
        start: &engine.start(),
        competitors,
        plan,
        clock,
        keep: Some(count),
        counter: &counter,
    })
}

/// Plays all games of a plan.
fn games(game: &str, a: &dyn Competitor, b: &dyn Competitor, plan: &MatchPlan) -> Vec<MatchGame> {
    let count = Count::until(u64::MAX);
    let all = |played: &Match| played.games(0..plan.games, &FxHashMap::default()).unwrap();
    let games = with_match(game, [a, b], plan, &clock(0), &count, all);
    let mut kept = count.kept.into_inner().unwrap();
    kept.sort_by_key(|game| game.game);
    assert_eq!(kept, games, "each game is kept once");
    games
}

/// Replays the moves of a record, which must all be legal.
fn replayed(game: &str, record: &MatchGame) -> Line {
    let mut line = open(game).start();
    line.play_texts(&record.opening).unwrap();
    line.play_texts(&record.moves).unwrap();
    line
}

#[test]
fn pairs_share_openings_and_change_sides_and_games_replay() {
    let games = games(TIC_TAC_TOE, &searcher(TIC_TAC_TOE, 50), &Random, &plan(41, 3));
    assert_eq!(games.len(), 41);
    for (n, record) in games.iter().enumerate() {
        assert_eq!(record.game as usize, n);
        assert_eq!(record.first, if n % 2 == 0 { Side::A } else { Side::B });
        assert_eq!(record.opening.len(), 3);
        assert_eq!(record.opening, games[n / 2 * 2].opening);
        let ended = replayed(TIC_TAC_TOE, record).ended().unwrap();
        assert_eq!((ended.outcome, Some(ended.by)), (record.outcome, record.by));
        let winner = record.outcome.winner().map(|winner| record.side(winner));
        let half_points = match winner {
            Some(Side::A) => 2,
            None => 1,
            Some(Side::B) => 0,
        };
        assert_eq!(record.half_points_of_a(), half_points);
        let own = record.effort[0];
        assert_eq!((own.nodes, own.depth_sum), (50 * own.moves, 0));
        let moves = own.moves + record.effort[1].moves;
        assert_eq!(moves as usize, record.moves.len());
    }
    let openings: std::collections::HashSet<_> = games.iter().map(|game| &game.opening).collect();
    assert!(openings.len() > 15, "{} openings", openings.len());
    let points: u32 = games.iter().map(|game| u32::from(game.half_points_of_a())).sum();
    assert!(points > 60, "the search has {points} half points of 82");
}

#[test]
fn threads_shards_and_what_is_known_do_not_matter() {
    let search = searcher(TIC_TAC_TOE, 20);
    let plan_of = |shard| MatchPlan { shard, ..plan(30, 2) };
    let all = games(TIC_TAC_TOE, &search, &Random, &plan_of(Shard::WHOLE));
    assert_eq!(all.len(), 30);
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let run = |shard| pool.install(|| games(TIC_TAC_TOE, &search, &Random, &plan_of(shard)));
        assert_eq!(run(Shard::WHOLE), all);
        let mut parts = Vec::new();
        for index in 0..4 {
            let part = run(Shard { index, count: 4 });
            assert!(part.iter().all(|game| game.game / 2 % 4 == index));
            parts.extend(part);
        }
        parts.sort_by_key(|game| game.game);
        assert_eq!(parts, all);
    }
    let play = |known: &[MatchGame], count: &Count| {
        let known = known.iter().map(|game| (game.game, game)).collect();
        let plan = plan_of(Shard::WHOLE);
        let games = |played: &Match| played.games(0..30, &known).unwrap();
        with_match(TIC_TAC_TOE, [&search, &Random], &plan, &clock(0), count, games)
    };
    let some = play(&[], &Count::until(9));
    assert!((9..30).contains(&some.len()), "{} games", some.len());
    assert!(some.iter().all(|game| *game == all[game.game as usize]));
    let count = Count::until(u64::MAX);
    assert_eq!(play(&some, &count), all);
    assert_eq!(count.over() as usize, all.len() - some.len());
}

#[test]
fn a_player_that_breaks_the_rules_forfeits_that_game() {
    let illegal: fn() -> Forfeit = || Forfeit::IllegalMove { text: "z9".to_owned() };
    let failed: fn() -> Forfeit = || Forfeit::Failed { reason: "out of memory".to_owned() };
    for (wrong, kind, detail) in [
        (Wrong::Gives(|| Forfeit::NoMove), ForfeitKind::NoMove, ""),
        (Wrong::Gives(illegal), ForfeitKind::IllegalMove, "z9"),
        (Wrong::NumberBeyondMoves, ForfeitKind::IllegalMove, "number "),
        (Wrong::TooManyNodes, ForfeitKind::Nodes, "6 of 5"),
        (Wrong::Gives(failed), ForfeitKind::Failed, "out of memory"),
    ] {
        let records = games(TIC_TAC_TOE, &Random, &Faulty(wrong, 1), &plan(6, 0));
        assert_eq!(records.len(), 6);
        for record in records {
            let forfeit = record.forfeit.clone().unwrap();
            assert_eq!((forfeit.side, forfeit.kind), (Side::B, kind));
            assert_eq!(record.half_points_of_a(), 2, "{kind:?}");
            assert_eq!(record.by, None);
            // The losing move is not part of the game.
            let own = if record.first == Side::B { 2 } else { 3 };
            assert_eq!(record.moves.len(), own, "{kind:?}");
            assert!(replayed(TIC_TAC_TOE, &record).ended().is_none());
            assert_eq!(forfeit.detail.is_empty(), kind == ForfeitKind::NoMove, "{forfeit:?}");
            assert!(forfeit.detail.starts_with(detail), "{forfeit:?}");
        }
    }
    // No forfeit: the player has at most one move, and the game reaches its own end.
    let short = "one_to_ten(target=1,max_step=1,ply_cap=10)";
    let records = games(short, &Random, &Faulty(Wrong::Gives(failed), 1), &plan(4, 0));
    assert_eq!(records.len(), 4);
    for record in records {
        assert_eq!((record.forfeit, record.outcome), (None, Outcome::win_of(Player::First)));
    }
}

#[test]
fn a_file_that_cannot_answer_ends_the_match_with_its_error() {
    let expected = games(TIC_TAC_TOE, &Breaking::after(u64::MAX), &Random, &plan(40, 2));
    for (threads, sprt) in [(1, None), (3, None), (1, Some("elo0=0,elo1=10"))] {
        let count = Count::until(u64::MAX);
        let competitors: [&dyn Competitor; 2] = [&Breaking::after(9), &Random];
        let sprt = sprt.map(|text| Sprt::parse(text).unwrap());
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let plan = plan(40, 2);
        let found = pool.install(|| {
            with_match(TIC_TAC_TOE, competitors, &plan, &clock(0), &count, |played| {
                played.play(&[], sprt)
            })
        });
        let Err(AgentError::SolvedFile(error)) = found else { panic!("{found:?}") };
        assert!(matches!(*error, ProbeError::LacksChild { .. }), "{error}");
        // Games finished before the error are kept, and are equal to those of a match without it.
        let kept = count.kept.into_inner().unwrap();
        assert!(kept.iter().all(|game| *game == expected[game.game as usize]));
        if threads == 1 {
            let numbers: Vec<u32> = kept.iter().map(|game| game.game).collect();
            assert_eq!(numbers, (0..9).collect::<Vec<_>>());
        } else {
            assert!(kept.len() <= 9, "{} games", kept.len());
        }
    }
}

/// Stores games with the indices of their pairings.
#[derive(Default)]
struct KeptPairings(Mutex<Vec<FixtureGame>>);

impl PieceSink<FixtureGame> for KeptPairings {
    fn keep(&self, game: &FixtureGame) {
        self.0.lock().unwrap().push(game.clone());
    }
}

#[test]
fn a_file_that_cannot_answer_ends_all_matches_with_its_error() {
    let engine = open(TIC_TAC_TOE);
    let (start, clock): (_, Arc<dyn Clock>) = (engine.start(), Arc::new(clock(0)));
    let pairing = |players, games| Fixture { players, plan: plan(games, 2) };
    let play = |breaking: &Breaking, pairings: &[Fixture], keep: &KeptPairings, threads| {
        let matches = Matches {
            engine: engine.as_ref(),
            start: &start,
            competitors: &[&Random, &Random, breaking],
            pairings,
            sprt: None,
            clock: &clock,
            keeps_random: true,
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| matches.play(&vec![vec![]; pairings.len()], keep, &()))
    };
    // One thread: the games of the first two matches are finished, and two of the third.
    let keep = KeptPairings::default();
    let three = [pairing([0, 1], 4), pairing([0, 2], 6), pairing([1, 2], 4)];
    let found = play(&Breaking::after(8), &three, &keep, 1);
    assert!(matches!(found, Err(AgentError::SolvedFile(_))), "{found:?}");
    let places = keep.0.into_inner().unwrap().into_iter().map(|(place, game)| (place, game.game));
    let expected = (0..4).map(|n| (0, n)).chain((0..6).map(|n| (1, n))).chain([(2, 0), (2, 1)]);
    assert_eq!(places.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    // Two threads: a long match stops after the error of another.
    let keep = KeptPairings::default();
    let two = [pairing([0, 1], 50_000), pairing([0, 2], 1)];
    let found = play(&Breaking::after(0), &two, &keep, 2);
    assert!(matches!(found, Err(AgentError::SolvedFile(_))), "{found:?}");
    let kept = keep.0.into_inner().unwrap().len();
    assert!(kept < 50_000, "{kept} games");
}

#[test]
fn a_player_that_takes_too_much_time_loses() {
    let late = |step| {
        let (competitors, plan): ([&dyn Competitor; 2], _) =
            ([&Random, &Faulty(Wrong::TooSlow, 0)], plan(2, 0));
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let count = Count::until(u64::MAX);
        let games = pool.install(|| {
            with_match(TIC_TAC_TOE, competitors, &plan, &clock(step), &count, |played| {
                played.games(0..2, &FxHashMap::default()).unwrap()
            })
        });
        assert_eq!(games.len(), 2);
        games
    };
    for record in late(20) {
        let [random, limited] = record.effort;
        assert_eq!((record.forfeit, random.time_us), (None, 0));
        assert_eq!(limited.time_us, 20_000 * limited.moves);
    }
    for record in late(21) {
        let forfeit = record.forfeit.unwrap();
        assert_eq!((forfeit.side, forfeit.kind), (Side::B, ForfeitKind::Time));
        assert_eq!(forfeit.detail, "21.0 ms, where 20.0 are tolerated");
    }
}

const SHORT: &str = "one_to_ten(target=3,max_step=2,ply_cap=10)";

#[test]
fn openings_never_end_the_game() {
    let games = games(SHORT, &Random, &Random, &plan(40, 9));
    assert!(games.iter().all(|game| !game.moves.is_empty()), "{games:?}");
    assert!(games.iter().any(|game| game.opening.len() == 2), "{games:?}");
}

#[test]
fn a_game_keeps_what_it_is_through_json() {
    let faulty = Faulty(Wrong::TooManyNodes, 1);
    for record in games(TIC_TAC_TOE, &searcher(TIC_TAC_TOE, 5), &faulty, &plan(4, 1)) {
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<MatchGame>(&text).unwrap(), record);
    }
}

#[test]
fn a_match_is_summed_up_by_pairs() {
    let search = |iterations| searcher(TIC_TAC_TOE, iterations);
    let summary = |plan: &MatchPlan, a: &dyn Competitor, b: &dyn Competitor, sprt| {
        let count = Count::until(u64::MAX);
        with_match(TIC_TAC_TOE, [a, b], plan, &clock(0), &count, |played| played.play(&[], sprt))
            .unwrap()
    };
    let found = summary(&plan(21, 2), &search(30), &Random, None);
    let comparison = found.comparison;
    assert_eq!((comparison.games, comparison.pairs, found.incomplete), (21, 10, false));
    assert_eq!(comparison.a_wins + comparison.draws + comparison.b_wins, 21);
    assert_eq!((found.nodes.a, found.nodes.b), (Some(30.0), Some(0.0)));
    assert_eq!((found.depth.a, found.forfeits), (None, Both { a: 0, b: 0 }));
    assert!(found.distinct_games > 15 && found.plies.unwrap() > 4.9, "{found:?}");
    let failed = Wrong::Gives(|| Forfeit::Failed { reason: "out of memory".to_owned() });
    let no_move = Wrong::Gives(|| Forfeit::NoMove);
    let found = summary(&plan(4, 0), &Faulty(failed, 1), &Faulty(no_move, 0), None);
    assert_eq!(found.forfeits, Both { a: 0, b: 4 });
    assert_eq!(found.forfeit_kinds.len(), 1);
    assert_eq!(
        (found.forfeit_kinds[0].kind, found.forfeit_kinds[0].games),
        (ForfeitKind::NoMove, 4)
    );
    // The stronger player is soon recognised; with fewer planned games the match ends at the same
    // pair.
    let sprt = Sprt::parse("elo0=0,elo1=200").unwrap();
    let found = summary(&plan(1_000, 2), &search(60), &Random, Some(sprt));
    let test = found.sprt.unwrap();
    assert_eq!((test.verdict, found.incomplete), (SprtVerdict::AcceptH1, false));
    let games = found.comparison.games;
    assert!((4..200).contains(&games), "{games} games");
    let fewer = summary(&plan(games as u32, 2), &search(60), &Random, None);
    assert_eq!(fewer.comparison, found.comparison);
    let too_few = summary(&plan(games as u32 - 2, 2), &search(60), &Random, Some(sprt));
    assert_eq!(too_few.sprt.unwrap().verdict, SprtVerdict::Continue);
    // A test ignores all pairs after a missing one, although they would decide.
    let mut played = self::games(TIC_TAC_TOE, &search(60), &Random, &plan(400, 2));
    let whole = MatchSummary::of(&played, 400, Some(sprt));
    assert_eq!((whole.comparison, whole.incomplete), (fewer.comparison, false));
    played.remove(5);
    let broken = MatchSummary::of(&played, 400, Some(sprt));
    assert_eq!((broken.comparison.games, broken.missing, broken.incomplete), (5, 395, true));
    assert_eq!(broken.sprt.unwrap().verdict, SprtVerdict::Continue);
}

/// Checks that fast games between two random players equal those in which each player is asked for
/// its moves.
fn unasked_games_are_the_same(game: &str, plan: &MatchPlan, sprt: Option<Sprt>) {
    let (seen, unseen) = (Count::until(u64::MAX), Count::until(u64::MAX));
    let slow = with_match(game, [&Random, &Random], plan, &clock(0), &seen, |slow| {
        slow.play(&[], sprt).unwrap()
    });
    let fast = with_match(game, [&Unasked, &Unasked], plan, &clock(0), &unseen, |asked| {
        Match { keep: None, ..*asked }.play(&[], sprt).unwrap()
    });
    assert_eq!(serde_json::to_value(&slow).unwrap(), serde_json::to_value(&fast).unwrap());
    assert_eq!((slow.pairs, slow.effort), (fast.pairs, fast.effort));
    assert!(slow.comparison.games >= plan.planned().min(4).into(), "{slow:?}");
    assert!(sprt.is_some() || fast.comparison.games == unseen.over());
}

#[test]
fn random_players_need_not_be_asked() {
    let whole = |games, opening_plies| plan(games, opening_plies);
    let part = |games| MatchPlan { shard: Shard { index: 1, count: 3 }, ..plan(games, 1) };
    for plan in [whole(0, 0), whole(1, 0), whole(2, 3), whole(101, 2), part(101), part(2_500)] {
        unasked_games_are_the_same(TIC_TAC_TOE, &plan, None);
        unasked_games_are_the_same(SHORT, &plan, None);
    }
    // Repetitions, turns that do not alternate, and the ply cap.
    unasked_games_are_the_same("achi", &whole(200, 3), None);
    unasked_games_are_the_same("achi(ply_cap=9)", &whole(60, 0), None);
    unasked_games_are_the_same("kalah", &whole(60, 4), None);
    for test in ["elo0=0,elo1=300", "elo0=-200,elo1=0", "elo0=0,elo1=1"] {
        let sprt = Sprt::parse(test).unwrap();
        unasked_games_are_the_same(TIC_TAC_TOE, &whole(999, 0), Some(sprt));
    }
}

#[test]
fn games_between_random_players_can_be_stopped() {
    let count = Count::until(5);
    let plan = plan(1_000_000, 0);
    let summary =
        with_match(TIC_TAC_TOE, [&Unasked, &Unasked], &plan, &clock(0), &count, |asked| {
            Match { keep: None, ..*asked }.play(&[], None).unwrap()
        });
    let games = count.over();
    assert!((5..500_000).contains(&games), "{games}");
    assert_eq!((summary.comparison.games, summary.missing), (games, 1_000_000 - games));
    assert!(summary.incomplete);
    assert!(count.kept.into_inner().unwrap().is_empty());
}

/// Older records have another name for this kind.
#[test]
fn a_forfeit_of_an_older_record_is_read() {
    let read: ForfeitKind = serde_json::from_str("\"panic\"").unwrap();
    assert_eq!(read, ForfeitKind::Failed);
    assert_eq!(serde_json::to_string(&read).unwrap(), "\"failed\"");
}
