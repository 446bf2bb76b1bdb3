//! Plays the games of a gauge.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use treegauge_core::{GameCounter, GamesDone, Player, Watch};
use treegauge_engine::{Engine, Line, UctSearch};
use treegauge_search::Seed;
use treegauge_store::PieceSink;

use super::copying::Copying;
use super::exact::Exact;
use super::ladder::RungGames;
use super::record::{GameNumber, GamePart, RecordedGame};
use super::shapes::ShapeFold;
use super::{Gauge, Plan, Played, judged};
use crate::searched_game;

/// Streams of the seed: each part of an experiment has its own random numbers.
mod stream {
    pub(super) const SELF_PLAY: u64 = 0;
    pub(super) const SKILL: u64 = 1;
    pub(super) const OPENINGS: u64 = 2;
    /// Has a child stream for each number of iterations.
    pub(super) const LADDER: u64 = 3;
    pub(super) const COPYING: u64 = 4;
}

/// Gauges a game from `start`, a line of the engine.
///
/// First solves the game if it has at most `plan.solve_limit` positions. Then plays games in
/// parallel on rayon's current thread pool. Each game has a generator of its own, seeded by its
/// number, so the result does not depend on the number of threads.
///
/// Games in `known`, from an interrupted run with the same game, start and plan, are not played
/// again, and the result is the same. New games go to `keep`. If `watch` says stop, the finished
/// games are judged and the result is marked incomplete.
#[must_use]
pub fn gauge(
    engine: &dyn Engine,
    start: &Line,
    plan: &Plan,
    known: Vec<RecordedGame>,
    keep: &dyn PieceSink<RecordedGame>,
    watch: &dyn Watch,
) -> Gauge {
    // A game that is over at the start has no games to judge.
    let over = start.ended().is_some();
    let solved = if over {
        Ok(None)
    } else {
        Exact::of(engine, start, plan.solve_limit, plan.solve_bytes_max, watch)
    };
    let numbers = if over { Vec::new() } else { numbers(plan) };
    let known: FxHashMap<GameNumber, RecordedGame> =
        known.into_iter().map(|game| (game.number, game)).collect();
    let all = |numbers: &mut dyn Iterator<Item = &GameNumber>| {
        numbers.fold(GamesDone::default(), |mut all, number| {
            all.add(one(plan, number));
            all
        })
    };
    let over = all(&mut numbers.iter().filter(|&number| known.contains_key(number)));
    let counter = GameCounter::new(watch, over, all(&mut numbers.iter()));
    let searches = Searches::default();
    let take = |&number: &GameNumber| {
        if let Some(known) = known.get(&number) {
            return Some(known.clone());
        }
        let play = |own: &mut OwnSearches| {
            let mut playing = Playing { engine, start, plan, searches: own, watch };
            match number.part {
                GamePart::SelfPlay | GamePart::Ladder => playing.self_play(number),
                GamePart::Skill => playing.skill_game(number),
            }
        };
        let recorded = searches.with(play)?;
        keep.keep(&recorded);
        counter.over(one(plan, &number));
        Some(recorded)
    };
    // One game per job, because some take a hundred times as long as others.
    let games: Vec<Option<RecordedGame>> = numbers.par_iter().with_max_len(1).map(take).collect();

    let incomplete = games.iter().any(Option::is_none);
    let (mut own, mut skill_games) = (Vec::new(), Vec::new());
    let mut rungs: BTreeMap<u32, Vec<RecordedGame>> =
        plan.strengths().into_iter().map(|iterations| (iterations, Vec::new())).collect();
    for game in games.into_iter().flatten() {
        match (game.number.part, game.number.iterations) {
            (GamePart::Skill, _) => skill_games.push(game),
            (GamePart::Ladder, Some(iterations)) => rungs.entry(iterations).or_default().push(game),
            (GamePart::SelfPlay | GamePart::Ladder, _) => own.push(game),
        }
    }
    rungs.insert(plan.iterations, own);
    let rungs: Vec<RungGames> =
        rungs.into_iter().map(|(iterations, games)| RungGames { iterations, games }).collect();
    let plies_max = engine.info().plies_max;
    let is_open = plan.games > 0 && start.ended().is_none() && !incomplete;
    // Where no move matters, whoever wins wins by copying, too.
    let has_choice = !matches!(&solved, Ok(Some(exact)) if exact.is_without_choice);
    let seed = Seed(plan.seed).child(stream::COPYING);
    let copying = match is_open && has_choice {
        true => Copying::of(engine, start, plan, seed, watch),
        false => Ok(None),
    };
    let incomplete = incomplete || copying.is_err();
    let copying = copying.unwrap_or_default();
    let played = Played { rungs: &rungs, skill_games: &skill_games, copying, incomplete };
    judged(plan, start, plies_max, played, solved)
}

/// Returns the work of one game: the iterations of one move of each player. The number of moves is
/// not known in advance.
fn one(plan: &Plan, number: &GameNumber) -> GamesDone {
    let own = u64::from(number.iterations.unwrap_or(plan.iterations));
    let others = match number.part {
        GamePart::Skill => own.saturating_mul(plan.skill_factor.into()),
        GamePart::SelfPlay | GamePart::Ladder => own,
    };
    GamesDone { games: 1, work: own.saturating_add(others) }
}

/// Lists the numbers of all games. Self-play at the plan's own strength comes first, so that an
/// interrupted run has it; then skill games; then the other strengths, strongest first.
fn numbers(plan: &Plan) -> Vec<GameNumber> {
    let number = |part, iterations| move |game| GameNumber { part, iterations, game };
    let mut numbers: Vec<GameNumber> =
        (0..plan.games).map(number(GamePart::SelfPlay, None)).collect();
    numbers.extend((0..plan.skill_games).map(number(GamePart::Skill, None)));
    for iterations in plan.strengths().into_iter().rev() {
        if iterations != plan.iterations {
            numbers.extend((0..plan.games).map(number(GamePart::Ladder, Some(iterations))));
        }
    }
    numbers
}

/// Pool of searches that are not in use, shared by all threads.
#[derive(Default)]
struct Searches(Mutex<Vec<OwnSearches>>);

/// Searches of one thread by their iterations; they reuse memory allocated in earlier games.
type OwnSearches = FxHashMap<u32, Vec<Box<dyn UctSearch>>>;

impl Searches {
    fn with<T>(&self, work: impl FnOnce(&mut OwnSearches) -> T) -> T {
        let waiting = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = waiting().pop().unwrap_or_default();
        let done = work(&mut own);
        waiting().push(own);
        done
    }
}

/// Everything needed to play one game.
struct Playing<'a> {
    engine: &'a dyn Engine,
    start: &'a Line,
    plan: &'a Plan,
    searches: &'a mut OwnSearches,
    watch: &'a dyn Watch,
}

impl Playing<'_> {
    fn take_search(&mut self, iterations: u32) -> Box<dyn UctSearch> {
        let waiting = self.searches.get_mut(&iterations).and_then(Vec::pop);
        waiting.unwrap_or_else(|| self.engine.uct_with(self.plan.options(iterations)))
    }

    fn keep_search(&mut self, iterations: u32, search: Box<dyn UctSearch>) {
        self.searches.entry(iterations).or_default().push(search);
    }

    /// Plays a game of a search against itself. Collects tree features only at the plan's own
    /// strength.
    fn self_play(&mut self, number: GameNumber) -> Option<RecordedGame> {
        let seed = Seed(self.plan.seed);
        let (seed, iterations) = match number.iterations {
            None => (seed.child(stream::SELF_PLAY), self.plan.iterations),
            Some(of_rung) => (seed.child(stream::LADDER).child(u64::from(of_rung)), of_rung),
        };
        let mut shapes = number.iterations.is_none().then(<[ShapeFold; 2]>::default);
        let mut uct = self.take_search(iterations);
        let record = searched_game(
            self.start,
            &mut [&mut uct],
            self.plan.opening_plies,
            &mut seed.child(u64::from(number.game)).generator(),
            &mut |turn, search| {
                if let Some(shapes) = &mut shapes {
                    let shape = search.shape(self.plan.shape);
                    shapes[turn.index()].add(&shape.expect("a tree that was grown has a shape"));
                }
            },
            &mut || self.watch.stop(),
        );
        self.keep_search(iterations, uct);
        Some(RecordedGame { number, stronger: None, record: record?, shapes })
    }

    /// Plays one game between searches of unequal strength.
    fn skill_game(&mut self, number: GameNumber) -> Option<RecordedGame> {
        let Playing { start, plan, .. } = *self;
        // Games 2k and 2k + 1 share one opening; each side moves first once.
        let pair = Seed(plan.seed).child(stream::OPENINGS).child(u64::from(number.game / 2));
        let mut opened = start.clone();
        let opening = opened.random_plies(plan.opening_plies, &mut pair.generator());
        let more_iterations = plan.iterations.saturating_mul(plan.skill_factor);
        let mut strong = self.take_search(more_iterations);
        let mut weak = self.take_search(plan.iterations);
        let (mut players, stronger) = if number.game.is_multiple_of(2) {
            ([&mut strong, &mut weak], Player::First)
        } else {
            ([&mut weak, &mut strong], Player::Second)
        };
        let seed = Seed(plan.seed).child(stream::SKILL).child(u64::from(number.game));
        let record = searched_game(
            &opened,
            &mut players,
            0,
            &mut seed.generator(),
            &mut |_, _| (),
            &mut || self.watch.stop(),
        );
        self.keep_search(more_iterations, strong);
        self.keep_search(plan.iterations, weak);
        let mut record = record?;
        record.opening = start.line_texts(&opening);
        Some(RecordedGame { number, stronger: Some(stronger), record, shapes: None })
    }
}
