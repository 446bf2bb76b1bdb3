//! Gauging a game: self-play, what it shows, and a verdict.

mod measures;
mod play;
mod record;
mod report;
mod shapes;
mod verdict;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use treegauge_core::{Ended, Ending, Player};
use treegauge_search::{DEFAULT_CP, ShapeOptions};

use crate::self_play::GameRecord;
use crate::stats::{Estimate, mean_interval, median_interval, wilson};

pub use measures::{Curve, Value};
pub use play::gauge;
pub use record::{GameNumber, Part, RecordHeader, RecordedGame};
pub use report::GaugeReport;
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

/// The length of games in plies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
/// Serialised, it is the body of a [`GaugeReport`]. Estimates are over games unless said otherwise;
/// shares are 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub curves: Vec<Curve>,
    /// The length of each game in plies.
    pub lengths: Vec<u32>,
    /// By ply, the mean number of legal moves over the games that got there, and how many did.
    pub branching_by_ply: Vec<(f64, u32)>,
}

/// Everything but the verdict.
fn summarise(plan: &Plan, games: &[RecordedGame], skill_games: &[RecordedGame]) -> Gauge {
    let records: Vec<&GameRecord> = games.iter().map(|game| &game.record).collect();
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
    let over_games = |unit: f64, range: (f64, f64), of: &dyn Fn(&GameRecord) -> f64| {
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
    // The trees in which one of these is to move. A game's own come together first.
    let fold = |players: &[Player]| {
        let mut all = ShapeFold::default();
        for shapes in games.iter().filter_map(|game| game.shapes.as_ref()) {
            let mut of_game = ShapeFold::default();
            players.iter().for_each(|player| of_game.merge(&shapes[player.index()]));
            all.merge(&of_game);
        }
        all.summary()
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
        tree: fold(&Player::BOTH),
        tree_by_player: Player::BOTH.map(|player| fold(&[player])),
        curves,
        lengths,
        branching_by_ply: branching_by_ply(&records),
    }
}

fn branching_by_ply(records: &[&GameRecord]) -> Vec<(f64, u32)> {
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
