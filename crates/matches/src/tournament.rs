//! Round-robin tournaments: each player plays a match against each other player.

use serde::{Deserialize, Serialize};
use treegauge_core::Watch;
use treegauge_search::Seed;
use treegauge_stats::{CrossTable, Ratings, RatingsError, rate};
use treegauge_store::GamesHeader;
use treegauge_store::journal::Piece;

use super::record::{Effort, MatchGame};
use super::{MatchSummary, stream};

/// Header of a file of games: everything that the games depend on. Under equal headers, games with
/// equal keys are equal, unless a player's budget is time. The number of games is not in the
/// header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentHeader {
    /// Game and position at which the games begin.
    #[serde(flatten)]
    pub games: GamesHeader,
    /// Names of the players in their order.
    pub players: Vec<String>,
}

impl TournamentHeader {
    /// Value of the field that names the file's content.
    pub const HOLDS: &str = "games of a tournament";

    /// Creates the header of the games between these players.
    #[must_use]
    pub fn of(games: GamesHeader, players: Vec<String>) -> Self {
        TournamentHeader { games: games.holding(Self::HOLDS), players }
    }
}

/// Finished game of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentGame {
    /// Players a and b by their numbers from 0; a has the lower number.
    pub players: [u32; 2],
    /// Game within their match.
    #[serde(flatten)]
    pub game: MatchGame,
}

impl TournamentGame {
    /// Returns the name for users: the numbers of both players from 1 and the number of the game
    /// within their match, as in `1-2-0`.
    #[must_use]
    pub fn name(&self) -> String {
        let [a, b] = self.players.map(|player| u64::from(player) + 1);
        format!("{a}-{b}-{}", self.game.game)
    }
}

impl Piece for TournamentGame {
    type Key = ([u32; 2], u32);

    fn key(&self) -> Self::Key {
        (self.players, self.game.game)
    }

    fn check(&self) -> Result<(), String> {
        if self.players[0] >= self.players[1] {
            return Err("`players` must be two numbers in ascending order".to_owned());
        }
        self.game.check()
    }
}

/// Returns the pairings of all `players` players in order, each with the lower number first.
pub fn encounters(players: u32) -> impl Iterator<Item = [u32; 2]> {
    (0..players).flat_map(move |a| (a + 1..players).map(move |b| [a, b]))
}

/// Returns the seed of the match between two players of a tournament.
#[must_use]
pub fn encounter_seed(seed: u64, [a, b]: [u32; 2]) -> u64 {
    Seed(seed).child(stream::ENCOUNTERS).child(u64::from(a)).child(u64::from(b)).0
}

/// Match of two players of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Encounter {
    /// Players a and b by their numbers.
    pub players: [u32; 2],
    /// Result for player a.
    #[serde(flatten)]
    pub summary: MatchSummary,
}

/// Result of one player in a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Number of points; a draw counts half.
    pub points: f64,
    /// Number of games.
    pub games: u64,
    /// Mean depth in plies of the searches that report one.
    pub depth: Option<f64>,
    /// Mean number of nodes per move.
    pub nodes: Option<f64>,
}

/// Result of a tournament.
///
/// Serialised, it is the body of a [`TournamentReport`](super::TournamentReport).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentSummary {
    /// Whether planned games are missing.
    pub incomplete: bool,
    /// Number of missing games.
    pub missing: u64,
    /// Number of games played.
    pub games: u64,
    /// Matches in the order of [`encounters`].
    pub encounters: Vec<Encounter>,
    /// Result of each player, in their order.
    pub standings: Vec<Standing>,
    /// Ratings of the players on one scale; `None` if there are too few games to compare all
    /// players, or if the run stopped before they were rated.
    pub bradley_terry: Option<Ratings>,
    /// Whether the run stopped before the players were rated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
}

/// Greatest number of players that are rated even after a stop, since it takes much less than a
/// second.
const RATED_AT_ONCE: u32 = 64;

impl TournamentSummary {
    /// Summarises the matches between `players` players. After a stop, more than 64 players are not
    /// rated.
    ///
    /// # Panics
    ///
    /// If an encounter has a player with a number of `players` or more.
    #[must_use]
    pub fn of(players: u32, encounters: Vec<Encounter>, watch: &dyn Watch) -> Self {
        let mut table = CrossTable::new(players as usize);
        for Encounter { players, summary } in &encounters {
            let [a, b] = players.map(|player| player as usize);
            table.add(a, b, summary.pairs);
        }
        let standing = |player: u32| {
            let own = encounters.iter().filter_map(|encounter| {
                let side = encounter.players.iter().position(|&one| one == player)?;
                Some((side, &encounter.summary))
            });
            let (mut standing, mut effort) = (Standing::default(), Effort::default());
            for (side, summary) in own {
                let pairs = summary.pairs;
                standing.points += if side == 0 { pairs } else { pairs.swapped() }.points();
                standing.games += pairs.games();
                effort = effort.and(summary.effort[side]);
            }
            Standing { depth: effort.depth(), nodes: effort.nodes_a_move(), ..standing }
        };
        let rated = rate(&table, if players <= RATED_AT_ONCE { &() } else { watch });
        let unrated = matches!(rated, Err(RatingsError::Interrupted));
        let missing = encounters.iter().map(|encounter| encounter.summary.missing).sum();
        TournamentSummary {
            incomplete: missing > 0,
            missing,
            games: encounters.iter().map(|encounter| encounter.summary.pairs.games()).sum(),
            standings: (0..players).map(standing).collect(),
            bradley_terry: rated.ok(),
            unrated,
            encounters,
        }
    }

    /// Returns the results of `a` against `b`, as seen by a; `None` for a player against itself.
    #[must_use]
    pub fn pairs(&self, a: u32, b: u32) -> Option<treegauge_stats::Pairs> {
        let both = [a.min(b), a.max(b)];
        let found = self.encounters.iter().find(|encounter| encounter.players == both)?;
        let pairs = found.summary.pairs;
        Some(if a < b { pairs } else { pairs.swapped() })
    }
}

#[cfg(test)]
mod tests {
    use treegauge_core::Outcome;

    use super::*;
    use treegauge_stats::Pairs;

    #[test]
    fn every_two_players_meet_once_with_a_seed_of_their_own() {
        let all: Vec<[u32; 2]> = encounters(4).collect();
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let seeds: std::collections::HashSet<u64> =
            all.iter().map(|&both| encounter_seed(7, both)).collect();
        assert_eq!(seeds.len(), all.len());
        // A further player does not change the seeds of the others.
        assert!(encounters(5).any(|both| both == [2, 3]));
        assert_ne!(encounter_seed(7, [0, 1]), encounter_seed(8, [0, 1]));
    }

    #[test]
    fn points_are_added_up_by_hand() {
        let encounter = |players, a_began: Outcome, b_began: Outcome| {
            let mut summary = MatchSummary::of(&[], 0, None);
            summary.pairs.add(a_began, b_began);
            summary.effort[1] =
                Effort { moves: 4, nodes: 10, searches: 2, depth_sum: 7, time_us: 0 };
            Encounter { players, summary }
        };
        let summary = TournamentSummary::of(
            3,
            vec![
                encounter([0, 1], Outcome::FirstWins, Outcome::Draw),
                encounter([0, 2], Outcome::Draw, Outcome::Draw),
                encounter([1, 2], Outcome::SecondWins, Outcome::SecondWins),
            ],
            &(),
        );
        let points = |player: usize| summary.standings[player].points;
        assert_eq!([points(0), points(1), points(2)], [2.5, 1.5, 2.0]);
        assert_eq!((summary.games, summary.standings[1].games), (6, 4));
        let spent =
            |player: usize| (summary.standings[player].nodes, summary.standings[player].depth);
        assert_eq!([spent(0), spent(2)], [(None, None), (Some(2.5), Some(3.5))]);
        assert_eq!(summary.pairs(1, 0).unwrap().points(), 0.5);
        assert_eq!(summary.pairs(0, 1).unwrap().points(), 1.5);
        assert_eq!(summary.pairs(2, 2), None);
        let ratings = summary.bradley_terry.unwrap();
        assert!(ratings.ratings[0].elo.mean > ratings.ratings[1].elo.mean);
        // Without games, no player is rated.
        let none = Encounter { players: [0, 1], summary: MatchSummary::of(&[], 4, None) };
        let summary = TournamentSummary::of(2, vec![none], &());
        assert_eq!(summary.bradley_terry, None);
        assert_eq!((summary.missing, summary.incomplete), (4, true));
        assert_eq!(summary.pairs(0, 1), Some(Pairs::default()));
    }
}
