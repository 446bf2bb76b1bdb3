//! Judges a game by self-play.
//!
//! [`gauge`](gauge()) lets a search play a game against itself at several strengths, computes the
//! measures that a designer needs ([`MEASURES`]) and returns a [`Verdict`] that names the strength.
//! [`Reference`] ranks measures among those of known games, [`CompareReport`] compares variants of
//! one game, and [`corridor`] measures how often a search finds the one correct move.
//!
//! Experiments are not generic over the game: they use its engine. They run in parallel over games,
//! and the result does not depend on the number of threads.

pub mod corridor;
pub mod vetted;

mod copying;
mod curve;
mod exact;
mod findings;
mod forced;
mod games;
mod highlights;
mod ladder;
mod lead;
mod measure_table;
mod measures;
mod plain;
mod play;
mod record;
mod reference;
mod report;
mod self_play;
mod shapes;
mod strength;
mod thresholds;
mod variants;
mod verdict;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use treegauge_core::{Player, Plies, is_default};
use treegauge_engine::Line;
use treegauge_search::{Budget, DEFAULT_CP, Expansion, ShapeOptions, UctOptions, UctVariant};
use treegauge_stats::{Comparison, Estimate, Pairs, share_of_points};

use ladder::RungGames;

pub use copying::{CopiedGames, Copying, Symmetry};
pub use curve::{Curve, CurveValue};
pub use exact::{Exact, SOLVE_BYTES_MAX, UnsolvedReason};
pub use findings::{FINDINGS, Finding};
pub use games::GaugeGames;
pub use highlights::{Highlight, HighlightKind, HighlightPly};
pub use ladder::{Multiple, MultipleError, Rung};
pub use measure_table::{
    Basis, Extremes, Flag, FlawSide, MEASURES, Measure, Threshold, Unit, thresholds,
};
pub use measures::Measures;
pub use plain::{PlainFlaw, PlainFlawKind, PlainStopped};
pub use play::gauge;
pub use record::{GameNumber, GamePart, RecordHeader, RecordedGame};
pub use reference::{AmongKnown, REFERENCE, Reference, ReferenceRow};
pub use report::{GaugeReport, ModelCost};
pub use self_play::{GameRecord, PlyRecord, searched_game};
pub use shapes::{FeatureSummary, ShapeFold, ShapeSummary};
pub use strength::VISITS_MIN;
pub use thresholds::Thresholds;
pub use variants::{CompareReport, MeasureDifference};
pub use verdict::{Evidence, FlawState, JudgedFlaw, MOVES_MARGIN, Verdict, iterations_enough};

/// Default factor between the iterations of the stronger and the weaker side in games that measure
/// the depth of skill.
pub const DEFAULT_SKILL_FACTOR: u32 = 4;

/// Default for the greatest number of positions of a game that is solved before it is played.
pub const DEFAULT_SOLVE_LIMIT: u64 = 5_000_000;

/// Settings of a gauge: the games to play and the limits by which to judge them.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Number of self-play games per strength.
    pub games: u32,
    /// Iterations per move, at least 1.
    pub iterations: u32,
    /// Exploration constant `C_p` for rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which searches try moves.
    pub expansion: Expansion,
    /// Further differences of the search from that of Williams 2010.
    pub variant: UctVariant,
    /// Random seed.
    pub seed: u64,
    /// Number of uniformly random plies at the beginning of each game.
    pub opening_plies: u32,
    /// Number of games in which one side has more iterations.
    pub skill_games: u32,
    /// Factor between the iterations of the two sides in these games.
    pub skill_factor: u32,
    /// Further strengths of self-play, with `games` games each.
    pub ladder: Vec<Multiple>,
    /// Greatest number of positions of a game that is solved before it is played; 0 turns solving
    /// off.
    pub solve_limit: u64,
    /// Greatest number of bytes for that solve; `None` and greater values mean [`SOLVE_BYTES_MAX`].
    pub solve_bytes_max: Option<u64>,
    /// Options of the tree features.
    pub shape: ShapeOptions,
    /// Limits beyond which a game has a flaw.
    pub thresholds: Thresholds,
}

impl Plan {
    /// Returns the options of a search with a number of iterations per move.
    #[must_use]
    pub fn options(&self, iterations: u32) -> UctOptions {
        let Plan { cp, expansion, variant, .. } = *self;
        UctOptions { budget: Budget::iterations(iterations), cp, expansion, variant }
    }
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            games: 40,
            iterations: 2_000,
            cp: DEFAULT_CP,
            expansion: Expansion::default(),
            variant: UctVariant::default(),
            seed: 1,
            opening_plies: 0,
            skill_games: 40,
            skill_factor: DEFAULT_SKILL_FACTOR,
            ladder: Multiple::DEFAULT_LADDER.to_vec(),
            solve_limit: DEFAULT_SOLVE_LIMIT,
            solve_bytes_max: None,
            shape: ShapeOptions::default(),
            thresholds: Thresholds::default(),
        }
    }
}

/// Result of a gauge: everything measured of one game.
///
/// Serialised, it is the body of a [`GaugeReport`]. Estimates are over games unless said otherwise;
/// shares are 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gauge {
    /// Random seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Iterations per move.
    pub iterations: u32,
    /// Exploration constant `C_p` for rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which searches try moves.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// Further differences of the search from that of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// Number of self-play games that ended.
    pub games: u32,
    /// Number of planned self-play games.
    pub games_planned: u32,
    /// Number of different move sequences among the self-play games.
    pub distinct_games: u32,
    /// Whether the experiment stopped before all games were over.
    pub incomplete: bool,
    /// Number of random plies at the beginning of each game.
    pub opening_plies: u32,
    /// Limits beyond which a game has a flaw.
    pub thresholds: Thresholds,
    /// Options of the tree features.
    pub shape_options: ShapeOptions,
    /// Verdict on the game.
    pub verdict: Verdict,
    /// Number of plies within which every game ends by its position, whoever plays; `None` if none
    /// is known. Such a game is never stopped by the ply cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_max: Option<u32>,
    /// Value with best play; `None` (null) if the game was not solved.
    #[serde(default)]
    pub solved: Option<Exact>,
    /// Greatest number of positions of a game that is solved.
    #[serde(default)]
    pub solve_limit: u64,
    /// Reason why the value is unknown, for a game that is small enough.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unsolved: Option<UnsolvedReason>,
    /// Measures by the names of [`MEASURES`].
    #[serde(flatten)]
    pub measures: Measures,
    /// Factor between the iterations of the stronger and the weaker side in the games that measure
    /// the depth of skill.
    pub skill_factor: u32,
    /// Number of planned games for the depth of skill.
    pub skill_games_planned: u32,
    /// Results of these games, as a match of the stronger against the weaker side.
    #[serde(default)]
    pub skill_pairs: Pairs,
    /// Self-play at all strengths, from the weakest to the strongest; the strength of `iterations`
    /// is among them.
    #[serde(default)]
    pub ladder: Vec<Rung>,
    /// Games won by copying the moves of the other player; `None` if no way of copying wins against
    /// random moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copying: Option<Copying>,
    /// Tree features over all trees.
    pub tree: ShapeSummary,
    /// Tree features by the player to move, the first player's first.
    pub tree_by_player: [ShapeSummary; 2],
    /// Value of each game, ply by ply.
    pub curves: Vec<Curve>,
    /// Results by first move, from the most to the least common, over the games of the two greatest
    /// strengths. Empty if openings are random.
    #[serde(default)]
    pub first_moves: Vec<OpeningMove>,
    /// Example games.
    #[serde(default)]
    pub highlights: Vec<Highlight>,
    /// Length of each game in plies.
    pub lengths: Vec<u32>,
    /// For each ply, the mean number of legal moves over the games that searched it, and the number
    /// of these games.
    pub branching_by_ply: Vec<(f64, u32)>,
}

impl Gauge {
    /// Returns the estimate of a measure.
    ///
    /// # Panics
    ///
    /// If the measure does not exist.
    #[must_use]
    pub fn measured(&self, name: &str) -> Estimate {
        self.measures.get(name)
    }

    /// Describes a measure in a few words, completed with numbers of this gauge: the skill factor,
    /// the shortest and longest game, and the reason why skill is hidden.
    #[must_use]
    pub fn meaning(&self, measure: &Measure) -> String {
        let mut meaning = measure.meaning.replace("{skill_factor}", &self.skill_factor.to_string());
        if let Some((min, max)) = self.measures.extremes(measure.name) {
            meaning.push_str(&format!("; shortest {min}, longest {max}"));
        }
        if measure.name.starts_with("skill_")
            && let Some(why) = self.why_skill_is_hidden()
        {
            meaning.push_str("; ");
            meaning.push_str(&why);
        }
        meaning
    }
}

impl Gauge {
    /// Explains why the depth of skill is near one half whatever more iterations gain: nearly all
    /// games are drawn, or one side wins nearly all. `None` if skill can show.
    fn why_skill_is_hidden(&self) -> Option<String> {
        let Comparison { pairs, games, draws, pairing, .. } = self.skill_pairs.comparison();
        if games > 0 && 10 * draws >= 9 * games {
            return Some(format!("{draws} of {games} games are drawn, which hides any skill"));
        }
        (pairs > 0 && 10 * pairing.same_side >= 9 * pairs).then(|| {
            format!(
                "in {} of {pairs} pairs one side won both games, which hides any skill",
                pairing.same_side
            )
        })
    }
}

/// Games of a gauge.
struct Played<'a> {
    /// Self-play at every strength, from the weakest to the strongest, the plan's own among them.
    rungs: &'a [RungGames],
    /// Games between unequal searches.
    skill_games: &'a [RecordedGame],
    copying: Option<Copying>,
    /// Whether games are missing.
    incomplete: bool,
}

/// Judges the games of a gauge.
fn judged(
    plan: &Plan,
    start: &Line,
    plies_max: Option<Plies>,
    played: Played<'_>,
    solved: Result<Option<Exact>, UnsolvedReason>,
) -> Gauge {
    let Played { rungs, skill_games, copying, incomplete } = played;
    let mut gauge = summarise(plan, rungs, skill_games);
    gauge.highlights = highlights::highlights(start, own_games(plan, rungs), &gauge.curves);
    gauge.unsolved = solved.as_ref().err().copied();
    gauge.solved = solved.unwrap_or_default();
    gauge.incomplete = incomplete;
    gauge.copying = copying;
    gauge.plies_max = plies_max.map(|plies| plies.0);
    let played: Vec<&RungGames> = rungs.iter().filter(|rung| !rung.games.is_empty()).collect();
    let strongest = &played[played.len().saturating_sub(2)..];
    let together: Vec<&RecordedGame> = strongest.iter().flat_map(|rung| &rung.games).collect();
    gauge.first_moves = first_moves(&together);
    let together = Measures::of(&GaugeGames::of_self_play(together));
    gauge.verdict = Verdict::of(&gauge, &together, start.ended().is_some());
    gauge
}

/// Returns the games of the plan's own strength.
fn own_games<'a>(plan: &Plan, rungs: &'a [RungGames]) -> &'a [RecordedGame] {
    let own = rungs.iter().find(|rung| rung.iterations == plan.iterations);
    own.map_or(&[], |rung| &rung.games)
}

/// Computes the measures of the games. Verdict, solution, first moves and highlights are still
/// empty.
fn summarise(plan: &Plan, rungs: &[RungGames], skill_games: &[RecordedGame]) -> Gauge {
    let games = own_games(plan, rungs);
    let measured = GaugeGames::of_self_play(games).with_skill(skill_games, plan.skill_factor);
    let records = measured.records();
    let distinct: FxHashSet<Vec<&String>> = records.iter().map(|r| r.moves().collect()).collect();
    // Tree features of the positions in which one of these players is to move.
    let fold = |players: &[Player]| {
        let of_game = |shapes: &[ShapeFold; 2]| {
            let mut of_game = ShapeFold::default();
            players.iter().for_each(|player| of_game.merge(&shapes[player.index()]));
            of_game
        };
        let with_trees = games.iter().filter_map(|game| game.shapes.as_ref());
        ShapeSummary::of_games(&with_trees.map(of_game).collect::<Vec<_>>())
    };

    Gauge {
        seed: plan.seed,
        iterations: plan.iterations,
        cp: plan.cp,
        expansion: plan.expansion,
        variant: plan.variant,
        games: records.len() as u32,
        games_planned: plan.games,
        distinct_games: distinct.len() as u32,
        incomplete: false,
        opening_plies: plan.opening_plies,
        thresholds: plan.thresholds.clone(),
        shape_options: plan.shape,
        verdict: Verdict::default(),
        plies_max: None,
        solved: None,
        solve_limit: plan.solve_limit,
        unsolved: None,
        measures: Measures::of(&measured),
        skill_factor: plan.skill_factor,
        skill_games_planned: plan.skill_games,
        skill_pairs: measured.skill(),
        ladder: rungs.iter().map(RungGames::measured).collect(),
        copying: None,
        tree: fold(&Player::BOTH),
        tree_by_player: Player::BOTH.map(|player| fold(&[player])),
        lengths: measured.lengths().collect(),
        first_moves: Vec::new(),
        highlights: Vec::new(),
        branching_by_ply: branching_by_ply(records),
        curves: measured.into_curves(),
    }
}

/// First move of a game, with the results of the games that begin with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningMove {
    /// Move in the notation of the game.
    #[serde(rename = "move")]
    pub m: String,
    /// Share of the points for the first player in these games; a draw counts half.
    pub first_player: Estimate,
}

fn first_moves(games: &[&RecordedGame]) -> Vec<OpeningMove> {
    let mut results: BTreeMap<&String, [u64; 3]> = BTreeMap::new();
    for RecordedGame { record, .. } in games {
        if let (true, Some(ply)) = (record.opening.is_empty(), record.plies.first()) {
            let result = (1 + record.ended.outcome.value()) as usize;
            results.entry(&ply.m).or_default()[result] += 1;
        }
    }
    let first_move = |(m, results): (&String, [u64; 3])| OpeningMove {
        m: m.clone(),
        first_player: share_of_points(results),
    };
    let mut first_moves: Vec<OpeningMove> = results.into_iter().map(first_move).collect();
    // Equally common moves stay in alphabetical order.
    first_moves.sort_by_key(|first_move| Reverse(first_move.first_player.n));
    first_moves
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
