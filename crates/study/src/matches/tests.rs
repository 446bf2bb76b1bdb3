use std::sync::Mutex;
use std::time::Duration;

use rayon::ThreadPoolBuilder;
use treegauge_core::{Outcome, Player, Plies};
use treegauge_games::achi::{Achi, Adjacency};
use treegauge_games::kalah::{Captures, Kalah};
use treegauge_games::one_to_ten::OneToTen;
use treegauge_games::tic_tac_toe::Standard;
use treegauge_search::{Budget, Choice, Chooser, Generator, RandomChooser, Spent, Uct, UctChooser};

use super::*;
use crate::compare::SprtVerdict;

fn tic_tac_toe() -> Standard {
    Standard::new(Default::default(), Plies(1_000))
}

/// Chance.
struct Random;

impl<G: Game> Competitor<G> for Random {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        Box::new(RandomChooser)
    }
}

/// The same, and says so.
struct Chance;

impl<G: Game> Competitor<G> for Chance {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        unreachable!("nobody asks")
    }

    fn is_chance(&self) -> bool {
        true
    }
}

/// A search of so many iterations.
struct Searcher(u32);

impl<G: Game> Competitor<G> for Searcher {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        Box::new(UctChooser::new(Uct::new(Budget::iterations(self.0))))
    }
}

/// Does something wrong at a move of his own, counted from 0.
struct Faulty(FaultKind, u32);

struct FaultySeat<'a>(&'a Faulty, u32);

impl<G: Game> Competitor<G> for Faulty {
    fn seat(&self) -> Box<dyn Chooser<G> + '_> {
        Box::new(FaultySeat(self, 0))
    }

    fn limits(&self) -> Limits {
        Limits { nodes_max: Some(5), time_max: Some(Duration::from_millis(20)) }
    }
}

impl<G: Game> Chooser<G> for FaultySeat<'_> {
    fn choose(
        &mut self,
        game: &G,
        played: &Played<G>,
        rng: &mut Generator,
    ) -> Option<Choice<G::Move>> {
        self.1 += 1;
        let choice = RandomChooser.choose(game, played, rng);
        if self.1 <= self.0.1 {
            return choice;
        }
        match self.0.0 {
            FaultKind::NoMove => None,
            FaultKind::Panic => panic!("the player fails, as the test wants"),
            // A move that was made is not legal again.
            FaultKind::IllegalMove => {
                let mut first = Vec::new();
                game.moves_into(&game.start(), &mut first);
                let legal = |m: &G::Move| game.is_legal(played.state(), *m);
                first.into_iter().find(|m| !legal(m)).map(|m| Choice { m, value: None })
            }
            _ => choice,
        }
    }

    fn last_spent(&self) -> Spent {
        let faulty = self.0.0 == FaultKind::Nodes && self.1 > self.0.1;
        Spent { nodes: if faulty { 6 } else { 5 }, depth: Some(3) }
    }
}

/// A clock that goes on by so many milliseconds whenever it is looked at.
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

/// Counts games that it does not see, and stops after so many.
struct Blind(Count);

impl MatchProgress for Blind {
    fn game_over(&self, _: &MatchGame) {
        unreachable!("it sees nothing")
    }

    fn sees_chance(&self) -> bool {
        false
    }

    fn games_over(&self, games: u32) {
        *self.0.0.lock().unwrap() += games;
        self.0.2.store(*self.0.0.lock().unwrap() >= self.0.1, Ordering::Relaxed);
    }

    fn stop(&self) -> &AtomicBool {
        &self.0.2
    }
}

/// Counts the games that are over, and stops after so many.
struct Count(Mutex<u32>, u32, AtomicBool);

impl Count {
    fn until(limit: u32) -> Count {
        Count(Mutex::new(0), limit, AtomicBool::new(false))
    }
}

impl MatchProgress for Count {
    fn game_over(&self, _: &MatchGame) {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        self.2.store(*count >= self.1, Ordering::Relaxed);
    }

    fn stop(&self) -> &AtomicBool {
        &self.2
    }
}

fn plan(games: u32, opening_plies: u32) -> MatchPlan {
    MatchPlan { games, opening_plies, seed: 7, shard: Shard::WHOLE }
}

/// All games of a plan.
fn games<G: Notation>(
    game: &G,
    a: &dyn Competitor<G>,
    b: &dyn Competitor<G>,
    plan: &MatchPlan,
) -> Vec<MatchGame> {
    let (start, count) = (Played::start(game), Count::until(u32::MAX));
    let clock = &clock(0);
    let played = Match { game, start: &start, competitors: [a, b], plan, clock, progress: &count };
    played.games(0..plan.games, &FxHashMap::default())
}

/// The state after the moves of a game, and how it ended by the rules, if it did.
fn replayed<G: Notation>(game: &G, record: &MatchGame) -> Played<G> {
    let mut played = Played::start(game);
    for text in record.opening.iter().chain(&record.moves) {
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(game, m).unwrap();
    }
    played
}

#[test]
fn pairs_share_openings_and_change_sides_and_games_replay() {
    let game = tic_tac_toe();
    let games = games(&game, &Searcher(50), &Random, &plan(41, 3));
    assert_eq!(games.len(), 41);
    for (n, record) in games.iter().enumerate() {
        assert_eq!(record.game as usize, n);
        assert_eq!(record.first, if n % 2 == 0 { Side::A } else { Side::B });
        assert_eq!(record.opening.len(), 3);
        assert_eq!(record.opening, games[n / 2 * 2].opening);
        let ended = replayed(&game, record).ended(&game).unwrap();
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
    let game = tic_tac_toe();
    let plan_of = |shard| MatchPlan { shard, ..plan(30, 2) };
    let all = games(&game, &Searcher(20), &Random, &plan_of(Shard::WHOLE));
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let run = |shard| pool.install(|| games(&game, &Searcher(20), &Random, &plan_of(shard)));
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
    let count = Count::until(9);
    let competitors = [&Searcher(20) as &dyn Competitor<_>, &Random];
    let play = |known: &[MatchGame], count: &Count| {
        let (start, plan) = (Played::start(&game), &plan_of(Shard::WHOLE));
        let (game, clock) = (&game, &clock(0));
        let known = known.iter().map(|game| (game.game, game)).collect();
        let played = Match { game, start: &start, competitors, plan, clock, progress: count };
        played.games(0..30, &known)
    };
    let some = play(&[], &count);
    assert!((9..30).contains(&some.len()), "{} games", some.len());
    assert!(some.iter().all(|game| *game == all[game.game as usize]));
    let count = Count::until(u32::MAX);
    assert_eq!(play(&some, &count), all);
    assert_eq!(*count.0.lock().unwrap() as usize, all.len() - some.len());
}

#[test]
fn a_player_who_does_something_wrong_loses_that_game() {
    let game = tic_tac_toe();
    for kind in [FaultKind::NoMove, FaultKind::IllegalMove, FaultKind::Nodes, FaultKind::Panic] {
        for record in games(&game, &Random, &Faulty(kind, 1), &plan(6, 0)) {
            let fault = record.fault.clone().unwrap();
            assert_eq!((fault.side, fault.kind), (Side::B, kind));
            assert_eq!(record.half_points_of_a(), 2, "{kind:?}");
            assert_eq!(record.by, None);
            // The move with which he lost is not part of the game.
            let own = if record.first == Side::B { 2 } else { 3 };
            assert_eq!(record.moves.len(), own, "{kind:?}");
            assert!(replayed(&game, &record).ended(&game).is_none());
            assert_eq!(fault.detail.is_empty(), kind == FaultKind::NoMove, "{fault:?}");
        }
    }
    // Never a fault: one move of his own at most, and always the game's own end.
    let short = OneToTen::new(1, 1, false, Plies(10));
    for record in games(&short, &Random, &Faulty(FaultKind::Panic, 1), &plan(4, 0)) {
        assert_eq!((record.fault, record.outcome), (None, Outcome::win_of(Player::First)));
    }
}

#[test]
fn whoever_takes_too_much_time_loses() {
    let game = tic_tac_toe();
    let late = |step| {
        let competitors = [&Random as &dyn Competitor<_>, &Faulty(FaultKind::Time, 0)];
        let (start, count, plan) = (Played::start(&game), Count::until(u32::MAX), &plan(2, 0));
        let (game, clock) = (&game, &clock(step));
        let played = Match { game, start: &start, competitors, plan, clock, progress: &count };
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| played.games(0..2, &FxHashMap::default()))
    };
    for record in late(20) {
        let [random, limited] = record.effort;
        assert_eq!((record.fault, random.time_us), (None, 0));
        assert_eq!(limited.time_us, 20_000 * limited.moves);
    }
    for record in late(21) {
        let fault = record.fault.unwrap();
        assert_eq!((fault.side, fault.kind), (Side::B, FaultKind::Time));
        assert_eq!(fault.detail, "21.0 ms, where 20.0 are tolerated");
    }
}

#[test]
fn openings_never_end_the_game() {
    let short = OneToTen::new(3, 2, false, Plies(10));
    let games = games(&short, &Random, &Random, &plan(40, 9));
    assert!(games.iter().all(|game| !game.moves.is_empty()), "{games:?}");
    assert!(games.iter().any(|game| game.opening.len() == 2), "{games:?}");
}

#[test]
fn a_game_keeps_what_it_is_through_json() {
    let game = tic_tac_toe();
    for record in games(&game, &Searcher(5), &Faulty(FaultKind::Nodes, 1), &plan(4, 1)) {
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<MatchGame>(&text).unwrap(), record);
    }
}

#[test]
fn a_match_is_summed_up_by_pairs() {
    let game = tic_tac_toe();
    let (start, count) = (Played::start(&game), Count::until(u32::MAX));
    let summary = |plan: &MatchPlan, a: &dyn Competitor<_>, b: &dyn Competitor<_>, sprt| {
        let clock = &clock(0);
        let competitors = [a, b];
        let game = &game;
        let played = Match { game, start: &start, competitors, plan, clock, progress: &count };
        played.play(&[], sprt)
    };
    let found = summary(&plan(21, 2), &Searcher(30), &Random, None);
    let comparison = found.comparison;
    assert_eq!((comparison.games, comparison.pairs, found.incomplete), (21, 10, false));
    assert_eq!(comparison.a_wins + comparison.draws + comparison.b_wins, 21);
    assert_eq!((found.nodes.a, found.nodes.b), (Some(30.0), Some(0.0)));
    assert_eq!((found.depth.a, found.faults), (None, Both { a: 0, b: 0 }));
    assert!(found.distinct_games > 15 && found.plies.unwrap() > 4.9, "{found:?}");
    let found =
        summary(&plan(4, 0), &Faulty(FaultKind::Panic, 1), &Faulty(FaultKind::NoMove, 0), None);
    assert_eq!(found.faults, Both { a: 0, b: 4 });
    assert_eq!(found.fault_kinds.len(), 1);
    assert_eq!((found.fault_kinds[0].kind, found.fault_kinds[0].games), (FaultKind::NoMove, 4));
    // The stronger one is soon known to be; the same games with fewer of them wanted end there.
    let sprt = Sprt::parse("elo0=0,elo1=200").unwrap();
    let found = summary(&plan(1_000, 2), &Searcher(60), &Random, Some(sprt));
    let test = found.sprt.unwrap();
    assert_eq!((test.verdict, found.incomplete), (SprtVerdict::AcceptH1, false));
    let games = found.comparison.games;
    assert!((4..200).contains(&games), "{games} games");
    let fewer = summary(&plan(games as u32, 2), &Searcher(60), &Random, None);
    assert_eq!(fewer.comparison, found.comparison);
    let too_few = summary(&plan(games as u32 - 2, 2), &Searcher(60), &Random, Some(sprt));
    assert_eq!(too_few.sprt.unwrap().verdict, SprtVerdict::Continue);
    // A test looks at no pair behind one that is missing, though these would decide.
    let mut played = self::games(&game, &Searcher(60), &Random, &plan(400, 2));
    let whole = MatchSummary::of(&played, 400, Some(sprt));
    assert_eq!((whole.comparison, whole.incomplete), (fewer.comparison, false));
    played.remove(5);
    let broken = MatchSummary::of(&played, 400, Some(sprt));
    assert_eq!((broken.comparison.games, broken.missing, broken.incomplete), (5, 395, true));
    assert_eq!(broken.sprt.unwrap().verdict, SprtVerdict::Continue);
}

/// Games between two players who draw their moves, played fast, are the games they are else.
fn chance_is_as_it_is_else<G: Notation>(game: &G, plan: &MatchPlan, sprt: Option<Sprt>) {
    let start = &Played::start(game);
    let (seen, blind) = (Count::until(u32::MAX), Blind(Count::until(u32::MAX)));
    let clock = &clock(0);
    let slow = Match { game, start, competitors: [&Random, &Random], plan, clock, progress: &seen };
    let fast = Match { competitors: [&Chance, &Chance], progress: &blind, ..slow };
    let (slow, fast) = (slow.play(&[], sprt), fast.play(&[], sprt));
    assert_eq!(serde_json::to_value(&slow).unwrap(), serde_json::to_value(&fast).unwrap());
    assert_eq!((slow.pairs, slow.effort), (fast.pairs, fast.effort));
    assert!(slow.comparison.games >= plan.wanted().min(4).into(), "{slow:?}");
    assert!(sprt.is_some() || fast.comparison.games == u64::from(*blind.0.0.lock().unwrap()));
}

#[test]
fn chance_needs_nobody() {
    let cap = Plies(1_000);
    let whole = |games, opening_plies| plan(games, opening_plies);
    let part = |games| MatchPlan { shard: Shard { index: 1, count: 3 }, ..plan(games, 1) };
    for plan in [whole(0, 0), whole(1, 0), whole(2, 3), whole(101, 2), part(101), part(2_500)] {
        chance_is_as_it_is_else(&tic_tac_toe(), &plan, None);
        chance_is_as_it_is_else(&OneToTen::new(3, 2, false, Plies(10)), &plan, None);
    }
    // Positions that come back, turns that do not alternate, and the cap.
    let achi = Achi::new(3, 3, Adjacency::Lines, cap);
    chance_is_as_it_is_else(&achi, &whole(200, 3), None);
    chance_is_as_it_is_else(&Achi::new(3, 3, Adjacency::Lines, Plies(9)), &whole(60, 0), None);
    let kalah: Kalah<true> = Kalah::new(6, 4, Captures::Seeds, cap);
    chance_is_as_it_is_else(&kalah, &whole(60, 4), None);
    for test in ["elo0=0,elo1=300", "elo0=-200,elo1=0", "elo0=0,elo1=1"] {
        let sprt = Sprt::parse(test).unwrap();
        chance_is_as_it_is_else(&tic_tac_toe(), &whole(999, 0), Some(sprt));
    }
}

#[test]
fn chance_can_be_stopped() {
    let game = &tic_tac_toe();
    let blind = Blind(Count::until(5));
    let (start, plan, clock) = (&Played::start(game), &plan(1_000_000, 0), &clock(0));
    let chance = [&Chance as &dyn Competitor<_>; 2];
    let played = Match { game, start, competitors: chance, plan, clock, progress: &blind };
    let summary = played.play(&[], None);
    let games = u64::from(*blind.0.0.lock().unwrap());
    assert!((5..500_000).contains(&games), "{games}");
    assert_eq!((summary.comparison.games, summary.missing), (games, 1_000_000 - games));
    assert!(summary.incomplete);
}
