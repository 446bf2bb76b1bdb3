//! Reports of matches and tournaments.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_store::MissingParts;

use super::verdict::{MatchVerdict, PlayerOrder, TournamentVerdict};
use super::{Both, Effort, MatchHeader, MatchSummary, TournamentHeader, TournamentSummary};

/// Results and settings of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Game as the user wrote it.
    pub game: String,
    /// Name of player a.
    pub a: String,
    /// Name of player b.
    pub b: String,
    /// Random seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Position before `moves`; `None` for the start of the game.
    pub position: Option<String>,
    /// Moves from `position` to the position at which the games begin.
    pub moves: Vec<String>,
    /// Number of random plies at the beginning of each game.
    pub opening_plies: u32,
    /// Sequential test as the user wrote it; `None` without a test.
    pub test: Option<String>,
    /// Incomplete parts, if parts were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_parts: Option<MissingParts>,
    /// Verdict on which player is better.
    pub verdict: MatchVerdict,
    /// Whether each player's budget is time, judged by the recorded times; if so, the games cannot
    /// be repeated exactly.
    pub time_budget: Both<bool>,
    /// Results of the games.
    #[serde(flatten)]
    pub summary: MatchSummary,
}

impl ReportKind for MatchReport {
    const KIND: &'static str = "match";
}

impl MatchReport {
    /// Creates the report for games with this header. `test` is the sequential test as the user
    /// wrote it.
    #[must_use]
    pub fn new(header: MatchHeader, test: Option<String>, summary: MatchSummary) -> Self {
        let MatchHeader { games, a, b } = header;
        let [time_a, time_b] = summary.effort.map(has_time_budget);
        MatchReport {
            head: ReportHeader::NEW,
            game: games.shown().to_owned(),
            a,
            b,
            seed: games.seed,
            position: games.position,
            moves: games.moves,
            opening_plies: games.opening_plies,
            test,
            missing_parts: None,
            verdict: MatchVerdict::of(&summary),
            time_budget: Both { a: time_a, b: time_b },
            summary,
        }
    }
}

/// Results and settings of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Game as the user wrote it.
    pub game: String,
    /// Names of the players in their order; equal names are numbered.
    pub players: Vec<String>,
    /// Random seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Position before `moves`; `None` for the start of the game.
    pub position: Option<String>,
    /// Moves from `position` to the position at which the games begin.
    pub moves: Vec<String>,
    /// Number of random plies at the beginning of each game.
    pub opening_plies: u32,
    /// Planned number of games per pairing.
    pub games_per_match: u32,
    /// Incomplete parts, if parts were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_parts: Option<MissingParts>,
    /// Verdict on which players are better.
    pub verdict: TournamentVerdict,
    /// For each player, whether the budget is time, judged by the recorded times; if so, the games
    /// cannot be repeated exactly.
    pub time_budget: Vec<bool>,
    /// Results of the games.
    #[serde(flatten)]
    pub summary: TournamentSummary,
}

impl ReportKind for TournamentReport {
    const KIND: &'static str = "tournament";

    fn check(&self) -> Result<(), String> {
        let n = self.players.len();
        let TournamentSummary { encounters, standings, bradley_terry, .. } = &self.summary;
        let met = encounters.iter().flat_map(|match_| match_.players).map(|player| player as usize);
        let cycles = self.verdict.cycles.iter().flatten().copied();
        let ordered: &[usize] = match &self.verdict.order {
            PlayerOrder::Whole { order } => order,
            PlayerOrder::Partial { best, .. } => best,
            PlayerOrder::TooFewGames | PlayerOrder::Unrated | PlayerOrder::Undecided => &[],
        };
        let rated = bradley_terry.iter().flat_map(|ratings| {
            let differences = ratings.differences.iter().flat_map(|d| [d.better, d.worse]);
            differences.chain(ratings.ratings.iter().map(|rating| rating.player))
        });
        let named = met.chain(cycles).chain(ordered.iter().copied()).chain(rated).max();
        let counts = [Some(standings.len()), bradley_terry.as_ref().map(|all| all.ratings.len())];
        if counts.into_iter().flatten().any(|count| count != n) || named.is_some_and(|max| max >= n)
        {
            return Err(format!("it refers to players other than the {n} that it names"));
        }
        Ok(())
    }
}

impl TournamentReport {
    /// Creates the report for games with this header; the players' names must differ.
    #[must_use]
    pub fn new(header: TournamentHeader, games_per_match: u32, summary: TournamentSummary) -> Self {
        let TournamentHeader { games, players } = header;
        let of_player = |player: u32| {
            summary.encounters.iter().any(|encounter| {
                let side = encounter.players.iter().position(|&one| one == player);
                side.is_some_and(|side| has_time_budget(encounter.summary.effort[side]))
            })
        };
        TournamentReport {
            head: ReportHeader::NEW,
            game: games.shown().to_owned(),
            seed: games.seed,
            position: games.position,
            moves: games.moves,
            opening_plies: games.opening_plies,
            games_per_match,
            missing_parts: None,
            verdict: TournamentVerdict::of(&summary),
            time_budget: (0..players.len() as u32).map(of_player).collect(),
            players,
            summary,
        }
    }
}

/// Tests whether the player's games were timed, which only a budget of time causes.
fn has_time_budget(effort: Effort) -> bool {
    effort.time_us > 0
}
