//! The reports of matches and of tournaments.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_store::MissingParts;

use super::verdict::{MatchVerdict, PlayerOrder, TournamentVerdict};
use super::{Both, Effort, MatchHeader, MatchSummary, TournamentHeader, TournamentSummary};

/// What a match showed, and how it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The player a.
    pub a: String,
    /// The player b.
    pub b: String,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The position from which `moves` lead to the beginning; none for the start of the game.
    pub position: Option<String>,
    /// The moves before the games.
    pub moves: Vec<String>,
    /// Random plies at the beginning of each game.
    pub opening_plies: u32,
    /// The sequential test as the user wrote it.
    pub test: Option<String>,
    /// The parts that are not whole, if parts were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_parts: Option<MissingParts>,
    /// Which player is better.
    pub verdict: MatchVerdict,
    /// Whether time is the budget of a player, as its games show: they cannot be repeated exactly.
    pub time_budget: Both<bool>,
    /// What the games show.
    #[serde(flatten)]
    pub summary: MatchSummary,
}

impl ReportKind for MatchReport {
    const KIND: &'static str = "match";
}

impl MatchReport {
    /// The report of the games with this header. `test` is the sequential test as the user wrote it.
    #[must_use]
    pub fn new(header: MatchHeader, test: Option<String>, summary: MatchSummary) -> Self {
        let MatchHeader { games, a, b } = header;
        let [time_a, time_b] = summary.effort.map(has_time_budget);
        MatchReport {
            head: Head::NEW,
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

/// What a tournament showed, and how it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The players in their order; equal ones are numbered.
    pub players: Vec<String>,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The position from which `moves` lead to the beginning; none for the start of the game.
    pub position: Option<String>,
    /// The moves before the games.
    pub moves: Vec<String>,
    /// Random plies at the beginning of each game.
    pub opening_plies: u32,
    /// The planned games per pairing.
    pub games_per_match: u32,
    /// The parts that are not whole, if parts were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_parts: Option<MissingParts>,
    /// Which player is better.
    pub verdict: TournamentVerdict,
    /// Whether time is the budget of each player, as its games show: they cannot be repeated
    /// exactly.
    pub time_budget: Vec<bool>,
    /// What the games show.
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
            return Err(format!("some of it is about other players than the {n} that it names"));
        }
        Ok(())
    }
}

impl TournamentReport {
    /// The report of the games with this header, the players of which differ.
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
            head: Head::NEW,
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

/// Whether the games of a player were timed: only those of one whose budget is time are.
fn has_time_budget(effort: Effort) -> bool {
    effort.time_us > 0
}
