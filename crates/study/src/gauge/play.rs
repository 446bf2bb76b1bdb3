//! The games of a gauge.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use treegauge_core::{Player, Watch};
use treegauge_engine::{Engine, Line, UctSearch};
use treegauge_search::{Budget, Seed};

use super::record::{GameNumber, Part, RecordedGame};
use super::shapes::ShapeFold;
use super::verdict::Verdict;
use super::{Gauge, Plan, summarise};
use crate::keep::{GameCounter, Keep};
use crate::self_play::searched_game;

/// Streams of the seed, so that each part of an experiment has its own randomness.
mod stream {
    pub(super) const SELF_PLAY: u64 = 0;
    pub(super) const SKILL: u64 = 1;
    pub(super) const OPENINGS: u64 = 2;
}

/// Gauges a game from `start`, a line of the engine.
///
/// Games are played in parallel on rayon's current thread pool; each has its own generator by
/// its number, so the result does not depend on the number of threads. Games of the same game,
/// start and plan that are in `known`, from a run that was interrupted, are not played again;
/// the result is the same. Games that are played go to `keep`. When `watch` says stop, the games
/// that have ended are judged, and the result is marked as incomplete.
#[must_use]
pub fn gauge(
    engine: &dyn Engine,
    start: &Line,
    plan: &Plan,
    known: Vec<RecordedGame>,
    keep: &dyn Keep<RecordedGame>,
    watch: &dyn Watch,
) -> Gauge {
    // A game that is over at the start cannot be played, and says nothing about itself.
    let over = start.ended().is_some();
    let count = |games: u32| if over { 0 } else { games };
    let (self_play_games, skill_games) = (count(plan.games), count(plan.skill_games));
    let planned = |number: GameNumber| match number.part {
        Part::SelfPlay => number.game < self_play_games,
        Part::Skill => number.game < skill_games,
    };
    let known: FxHashMap<GameNumber, RecordedGame> = known
        .into_iter()
        .map(|game| (game.number, game))
        .filter(|(number, _)| planned(*number))
        .collect();
    let total = u64::from(self_play_games) + u64::from(skill_games);
    let counter = GameCounter::new(watch, known.len() as u64, total);
    let uct = |iterations| engine.uct(Budget::iterations(iterations), plan.cp);
    // The known game of a number, or the one that `play` makes of it.
    let take = |number, play: &mut dyn FnMut() -> Option<RecordedGame>| {
        if let Some(known) = known.get(&number) {
            return Some(known.clone());
        }
        let recorded = play()?;
        keep.keep(&recorded);
        counter.over(1);
        Some(recorded)
    };

    let games: Vec<Option<RecordedGame>> = (0..self_play_games)
        .into_par_iter()
        .map_init(
            || uct(plan.iterations),
            |uct, n| {
                let number = GameNumber { part: Part::SelfPlay, game: n };
                take(number, &mut || self_play(start, plan, number, uct, watch))
            },
        )
        .collect();
    let strong = plan.iterations.saturating_mul(plan.skill_factor);
    let skill_games: Vec<Option<RecordedGame>> = (0..skill_games)
        .into_par_iter()
        .map_init(
            || [uct(strong), uct(plan.iterations)],
            |sides, n| {
                let number = GameNumber { part: Part::Skill, game: n };
                take(number, &mut || skill_game(start, plan, number, sides, watch))
            },
        )
        .collect();

    let incomplete = games.iter().chain(&skill_games).any(Option::is_none);
    let games: Vec<RecordedGame> = games.into_iter().flatten().collect();
    let skill_games: Vec<RecordedGame> = skill_games.into_iter().flatten().collect();
    let mut gauge = summarise(plan, &games, &skill_games);
    gauge.incomplete = incomplete;
    gauge.verdict = Verdict::of(&gauge, over);
    gauge
}

/// One game of the search against itself.
fn self_play(
    start: &Line,
    plan: &Plan,
    number: GameNumber,
    uct: &mut Box<dyn UctSearch>,
    watch: &dyn Watch,
) -> Option<RecordedGame> {
    let seed = Seed(plan.seed).child(stream::SELF_PLAY).child(u64::from(number.game));
    let mut shapes = [ShapeFold::default(), ShapeFold::default()];
    let record = searched_game(
        start,
        &mut [uct],
        plan.opening_plies,
        &mut seed.generator(),
        &mut |turn, search| {
            let shape = search.shape(plan.shape);
            shapes[turn.index()].add(&shape.expect("a tree that was grown has a shape"));
        },
        &mut || watch.stop(),
    )?;
    Some(RecordedGame { number, stronger: None, record, shapes: Some(shapes) })
}

/// One game between searches of unequal strength, the stronger one first in `sides`.
fn skill_game(
    start: &Line,
    plan: &Plan,
    number: GameNumber,
    [strong, weak]: &mut [Box<dyn UctSearch>; 2],
    watch: &dyn Watch,
) -> Option<RecordedGame> {
    // Two games make a pair: one opening, and each side moves first once.
    let pair = Seed(plan.seed).child(stream::OPENINGS).child(u64::from(number.game / 2));
    let mut opened = start.clone();
    let opening = opened.random_plies(plan.opening_plies, &mut pair.generator());
    let (mut players, stronger) = if number.game.is_multiple_of(2) {
        ([strong, weak], Player::First)
    } else {
        ([weak, strong], Player::Second)
    };
    let seed = Seed(plan.seed).child(stream::SKILL).child(u64::from(number.game));
    let mut record = searched_game(
        &opened,
        &mut players,
        0,
        &mut seed.generator(),
        &mut |_, _| (),
        &mut || watch.stop(),
    )?;
    record.opening = start.line_texts(&opening);
    Some(RecordedGame { number, stronger: Some(stronger), record, shapes: None })
}
