//! Gauging a game: self-play, what it shows, and a verdict.

mod measures;
mod record;
mod shapes;
mod verdict;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use treegauge_core::{Ended, Ending, Notation, Played, Player};
use treegauge_search::{
    Budget, DEFAULT_CP, GameRecord, Search, Seed, Shape, ShapeOptions, Uct, random_opening,
    searched_game,
};

use crate::stats::{Estimate, mean_interval, median_interval, wilson};

pub use measures::{Curve, Value};
pub use record::{GameNumber, Part, RecordHeader, RecordedGame};
pub use shapes::{ShapeFold, ShapeSummary, Spread};
pub use verdict::{Flag, FlagState, Judged, Thresholds, Verdict};

/// How many times the iterations of its opponent the stronger side has when the depth of skill
/// is measured.
pub const DEFAULT_SKILL_FACTOR: u32 = 4;

/// What to play and how to judge it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Self-play games.
    pub games: u32,
    /// Iterations a move, 1 or more.
    pub iterations: u32,
    /// The exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// The seed of everything.
    pub seed: u64,
    /// Uniformly random plies at the beginning of each game.
    pub opening_plies: u32,
    /// Games in which one side has more iterations.
    pub skill_games: u32,
    /// How many times as many.
    pub skill_factor: u32,
    /// The choices in the tree features.
    pub shape: ShapeOptions,
    /// When a game has a fault.
    pub thresholds: Thresholds,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            games: 40,
            iterations: 2_000,
            cp: DEFAULT_CP,
            seed: 1,
            opening_plies: 0,
            skill_games: 40,
            skill_factor: DEFAULT_SKILL_FACTOR,
            shape: ShapeOptions::default(),
            thresholds: Thresholds::default(),
        }
    }
}

/// How far an experiment is, and whether it should stop.
pub trait Progress: Sync {
    /// One more game is over. Games that were known before are not announced.
    fn game_over(&self, game: &RecordedGame);

    /// The flag that ends the experiment when it is set. Games in progress are then dropped.
    fn stop(&self) -> &AtomicBool;
}

/// The length of games in plies.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LengthSummary {
    /// The mean length.
    #[serde(flatten)]
    pub mean: Estimate,
    /// The median length.
    pub median: Option<f64>,
    /// The lower end of the median's interval.
    pub median_low: Option<f64>,
    /// The upper end of the median's interval.
    pub median_high: Option<f64>,
    /// The shortest game.
    pub min: Option<u32>,
    /// The longest game.
    pub max: Option<u32>,
}

impl LengthSummary {
    /// The median as an estimate.
    #[must_use]
    pub fn median_estimate(&self) -> Estimate {
        Estimate { mean: self.median, low: self.median_low, high: self.median_high, n: self.mean.n }
    }
}

/// What was found out about a game.
///
/// Serialised, it is the body of `treegauge gauge --json`. Estimates are over games unless said
/// otherwise; shares are 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct Gauge {
    /// The seed.
    pub seed: u64,
    /// Iterations a move.
    pub iterations: u32,
    /// The exploration constant.
    pub cp: f64,
    /// Self-play games that came to an end.
    pub games: u32,
    /// Self-play games that were asked for.
    pub games_planned: u32,
    /// How many of them were different sequences of moves.
    pub distinct_games: u32,
    /// Whether the experiment was stopped before all games were over.
    pub incomplete: bool,
    /// Random plies at the beginning of each game.
    pub opening_plies: u32,
    /// When a game has a fault.
    pub thresholds: Thresholds,
    /// The choices in the tree features.
    pub shape_options: ShapeOptions,
    /// The judgement.
    pub verdict: Verdict,
    /// The share of games that the rules ended: not repetition, not a limit, not the cap.
    pub completion: Estimate,
    /// The share of games that the ply cap ended.
    pub capped: Estimate,
    /// The share of plies at which there was more than one move.
    pub decision_moves: Estimate,
    /// The first player's share of the points, a draw counting half.
    pub first_player: Estimate,
    /// The share of draws, those included that the history or the cap made.
    pub draw_rate: Estimate,
    /// The length.
    pub plies: LengthSummary,
    /// Legal moves a ply.
    pub branching: Estimate,
    /// How far behind winners were, [`Curve::drama`]; over games with a winner.
    pub drama: Estimate,
    /// How soon games ended once they were decided, [`Curve::decisiveness`]; over games with a
    /// winner.
    pub decisiveness: Estimate,
    /// How often the lead changed hands in a game, [`Curve::lead_changes`].
    pub lead_changes: Estimate,
    /// The points of the side with more iterations.
    pub skill_depth: Estimate,
    /// How many times the iterations that side had.
    pub skill_factor: u32,
    /// Games that were asked for to measure it.
    pub skill_games_planned: u32,
    /// The tree features over all trees.
    pub tree: ShapeSummary,
    /// The same by the player to move, the first player's first.
    pub tree_by_player: [ShapeSummary; 2],
    /// The value of each game, ply by ply.
    #[serde(skip)]
    pub curves: Vec<Curve>,
    /// The length of each game in plies.
    #[serde(skip)]
    pub lengths: Vec<u32>,
    /// By ply, the mean number of legal moves over the games that got there, and how many did.
    #[serde(skip)]
    pub branching_by_ply: Vec<(f64, u32)>,
}

/// Streams of the seed, so that each part of an experiment has its own chance.
mod stream {
    pub(super) const SELF_PLAY: u64 = 0;
    pub(super) const SKILL: u64 = 1;
    pub(super) const OPENINGS: u64 = 2;
}

/// Gauges a game from `start`.
///
/// Games are played in parallel on rayon's current thread pool; each has its own generator by
/// its number, so the result does not depend on the number of threads. Games of the same game,
/// start and plan that are `known` already, from a run that was cut short, are not played again;
/// the result is the same. When `progress` says stop, what is complete by then is judged, and
/// marked as incomplete.
#[must_use]
pub fn gauge<G: Notation>(
    game: &G,
    start: &Played<G>,
    plan: &Plan,
    known: Vec<RecordedGame>,
    progress: &dyn Progress,
) -> Gauge {
    let known: FxHashMap<GameNumber, RecordedGame> =
        known.into_iter().map(|game| (game.number, game)).collect();
    let uct = |iterations| Uct::new(Budget::iterations(iterations)).with_cp(plan.cp);
    // A game that is over at the start cannot be played, and says nothing about itself.
    let over = start.ended(game).is_some();
    let count = |games: u32| if over { 0 } else { games };
    // The known game of a number, or the one that `play` makes of it.
    let take = |number, play: &mut dyn FnMut() -> Option<RecordedGame>| {
        if let Some(known) = known.get(&number) {
            return Some(known.clone());
        }
        let recorded = play()?;
        progress.game_over(&recorded);
        Some(recorded)
    };

    let games: Vec<Option<RecordedGame>> = (0..count(plan.games))
        .into_par_iter()
        .map_init(
            || uct(plan.iterations),
            |uct, n| {
                let number = GameNumber { part: Part::SelfPlay, game: n };
                take(number, &mut || self_play(game, start, plan, number, uct, progress))
            },
        )
        .collect();
    let strong = plan.iterations.saturating_mul(plan.skill_factor);
    let skill_games: Vec<Option<RecordedGame>> = (0..count(plan.skill_games))
        .into_par_iter()
        .map_init(
            || [uct(strong), uct(plan.iterations)],
            |sides, n| {
                let number = GameNumber { part: Part::Skill, game: n };
                take(number, &mut || skill_game(game, start, plan, number, sides, progress))
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
fn self_play<G: Notation>(
    game: &G,
    start: &Played<G>,
    plan: &Plan,
    number: GameNumber,
    uct: &mut Uct<G>,
    progress: &dyn Progress,
) -> Option<RecordedGame> {
    let seed = Seed(plan.seed).child(stream::SELF_PLAY).child(u64::from(number.game));
    let mut shapes = [ShapeFold::default(); 2];
    let record = searched_game(
        game,
        start,
        &mut [uct],
        plan.opening_plies,
        &mut seed.generator(),
        &mut |turn: Player, search: &Search<'_, G>| {
            let shape = Shape::of(search.tree(), turn, search.drift(), plan.shape);
            shapes[turn.index()].add(&shape.expect("a tree that was grown has a shape"));
        },
        &mut || progress.stop().load(Ordering::Relaxed),
    )?;
    let record = record.in_words(game, start.state());
    Some(RecordedGame { number, stronger: None, record, shapes: Some(shapes) })
}

/// One game between searches of unequal strength, the stronger one first in `sides`.
fn skill_game<G: Notation>(
    game: &G,
    start: &Played<G>,
    plan: &Plan,
    number: GameNumber,
    [strong, weak]: &mut [Uct<G>; 2],
    progress: &dyn Progress,
) -> Option<RecordedGame> {
    // Two games make a pair: one opening, and each side moves first once.
    let pair = Seed(plan.seed).child(stream::OPENINGS).child(u64::from(number.game / 2));
    let mut played = start.clone();
    let opening = random_opening(game, &mut played, plan.opening_plies, &mut pair.generator());
    let (mut players, stronger) = if number.game.is_multiple_of(2) {
        ([strong, weak], Player::First)
    } else {
        ([weak, strong], Player::Second)
    };
    let seed = Seed(plan.seed).child(stream::SKILL).child(u64::from(number.game));
    let mut record = searched_game(
        game,
        &played,
        &mut players,
        0,
        &mut seed.generator(),
        &mut |_, _| (),
        &mut || progress.stop().load(Ordering::Relaxed),
    )?;
    record.opening = opening;
    let record = record.in_words(game, start.state());
    Some(RecordedGame { number, stronger: Some(stronger), record, shapes: None })
}

/// Everything but the verdict.
fn summarise(plan: &Plan, games: &[RecordedGame], skill_games: &[RecordedGame]) -> Gauge {
    let records: Vec<&GameRecord<String>> = games.iter().map(|game| &game.record).collect();
    let duels: Vec<f64> = skill_games.iter().map(RecordedGame::points_of_stronger).collect();
    let n = records.len() as u64;
    let share = |holds: &dyn Fn(&Ended) -> bool| {
        wilson(records.iter().filter(|record| holds(&record.ended)).count() as f64, n)
    };
    let points: f64 = records.iter().map(|r| f64::from(1 + r.ended.outcome.value()) / 2.0).sum();
    let lengths: Vec<u32> = records.iter().map(|r| r.len() as u32).collect();
    let as_numbers: Vec<f64> = lengths.iter().map(|&length| f64::from(length)).collect();
    let median = median_interval(&as_numbers);
    let curves: Vec<Curve> = records.iter().map(|r| Curve::of(r)).collect();
    let over_games = |unit: f64, range: (f64, f64), of: &dyn Fn(&GameRecord<String>) -> f64| {
        let searched = records.iter().filter(|r| !r.plies.is_empty());
        mean_interval(&searched.map(|r| of(r)).collect::<Vec<_>>(), unit, range)
    };
    // Averages over the plies of a game: a unit is one ply that differs.
    let searched: usize = records.iter().map(|r| r.plies.len()).sum();
    let one_ply = records.len() as f64 / searched.max(1) as f64;
    let over_curves = |range: (f64, f64), of: &dyn Fn(&Curve) -> Option<f64>| {
        mean_interval(&curves.iter().filter_map(of).collect::<Vec<_>>(), 1.0, range)
    };
    let distinct: FxHashSet<Vec<&String>> = records.iter().map(|r| r.moves().collect()).collect();
    let fold = |of: &dyn Fn(&[ShapeFold; 2]) -> ShapeFold| {
        games
            .iter()
            .filter_map(|game| game.shapes.as_ref())
            .map(of)
            .fold(ShapeFold::default(), ShapeFold::merge)
            .summary()
    };

    Gauge {
        seed: plan.seed,
        iterations: plan.iterations,
        cp: plan.cp,
        games: records.len() as u32,
        games_planned: plan.games,
        distinct_games: distinct.len() as u32,
        incomplete: false,
        opening_plies: plan.opening_plies,
        thresholds: plan.thresholds,
        shape_options: plan.shape,
        verdict: Verdict::default(),
        completion: share(&|ended| ended.by == Ending::Outcome),
        capped: share(&|ended| ended.by == Ending::Capped),
        decision_moves: over_games(one_ply, (0.0, 1.0), &|record| {
            let choices = record.plies.iter().filter(|ply| ply.legal_moves > 1).count();
            choices as f64 / record.plies.len() as f64
        }),
        first_player: wilson(points, n),
        draw_rate: share(&|ended| ended.outcome.winner().is_none()),
        plies: LengthSummary {
            mean: mean_interval(&as_numbers, 1.0, (0.0, f64::INFINITY)),
            median: median.mean,
            median_low: median.low,
            median_high: median.high,
            min: lengths.iter().min().copied(),
            max: lengths.iter().max().copied(),
        },
        branching: over_games(one_ply, (1.0, f64::INFINITY), &|record| {
            let sum: f64 = record.plies.iter().map(|ply| f64::from(ply.legal_moves)).sum();
            sum / record.plies.len() as f64
        }),
        drama: over_curves((0.0, 1.0), &Curve::drama),
        decisiveness: over_curves((0.0, 1.0), &Curve::decisiveness),
        lead_changes: over_curves((0.0, f64::INFINITY), &|curve| {
            curve.lead_changes().map(f64::from)
        }),
        skill_depth: wilson(duels.iter().sum(), duels.len() as u64),
        skill_factor: plan.skill_factor,
        skill_games_planned: plan.skill_games,
        tree: fold(&|[first, second]| first.merge(*second)),
        tree_by_player: [fold(&|both| both[0]), fold(&|both| both[1])],
        curves,
        lengths,
        branching_by_ply: branching_by_ply(&records),
    }
}

fn branching_by_ply(records: &[&GameRecord<String>]) -> Vec<(f64, u32)> {
    let mut sums: Vec<(f64, u32)> = Vec::new();
    for record in records {
        let opening = record.opening.len();
        for (n, ply) in record.plies.iter().enumerate() {
            if sums.len() <= opening + n {
                sums.resize(opening + n + 1, (0.0, 0));
            }
            let slot = &mut sums[opening + n];
            slot.0 += f64::from(ply.legal_moves);
            slot.1 += 1;
        }
    }
    sums.into_iter().map(|(sum, n)| (if n == 0 { 0.0 } else { sum / f64::from(n) }, n)).collect()
}

#[cfg(test)]
mod tests;
