//! Verdicts of matches and tournaments on which player is better, as data.

use serde::{Deserialize, Serialize};
use treegauge_stats::{PairSpread, Pairing, Power, Ratings, SprtReport, SprtVerdict};

use super::{ForfeitKind, MatchSummary, Side, TournamentSummary};

/// p-value below which a single rating per player does not fit the results of a tournament.
pub const FIT_P_MIN: f64 = 0.05;

/// Smallest number of pairs that can show that the side decides the games.
const SIDE_PAIRS_MIN: u64 = 10;

/// Verdict of a match on which player is better. A sequential test takes precedence over the score,
/// because the score of a match that a test stopped is biased upwards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum MatchVerdict {
    /// The match has no finished game.
    NoGames,
    /// The sequential test accepted H0: the difference is `elo0` or less rather than `elo1` or
    /// more.
    TestAcceptedH0 {
        /// Elo difference of a minus b under H0.
        elo0: f64,
        /// Elo difference under H1.
        elo1: f64,
    },
    /// The sequential test accepted H1: the difference is `elo1` or more rather than `elo0` or
    /// less.
    TestAcceptedH1 {
        /// Elo difference of a minus b under H0.
        elo0: f64,
        /// Elo difference under H1.
        elo1: f64,
    },
    /// One player is better: the interval of the score does not contain 1/2.
    Better {
        /// Better player.
        player: Side,
        /// Two-sided probability of a score at least this far from 1/2 between equal players.
        p_value: Option<f64>,
    },
    /// Neither player is shown to be better, and in at least nine of ten pairs the same side won
    /// both games: the rules or the openings decide the games.
    SideDecides {
        /// Number of pairs in which the same side won both games.
        same_side: u64,
        /// Number of all pairs, at least 10.
        pairs: u64,
    },
    /// Neither player is shown to be better.
    Undecided {
        /// Two-sided probability of a score at least this far from 1/2 between equal players.
        p_value: Option<f64>,
        /// Number of games that would show the measured score, if it is the true one, with the
        /// power [`Power::DEFAULT`]. `None` if the match already had that number of games, or if no
        /// number is enough.
        games_needed: Option<u64>,
    },
}

impl MatchVerdict {
    /// Judges the games of a match.
    #[must_use]
    pub fn of(summary: &MatchSummary) -> MatchVerdict {
        let comparison = &summary.comparison;
        if let Some(SprtReport { elo0, elo1, verdict, .. }) = summary.sprt {
            match verdict {
                SprtVerdict::AcceptH0 => return MatchVerdict::TestAcceptedH0 { elo0, elo1 },
                SprtVerdict::AcceptH1 => return MatchVerdict::TestAcceptedH1 { elo0, elo1 },
                SprtVerdict::Continue => {}
            }
        }
        let (score, p_value) = (comparison.score, comparison.p_value);
        let (Some(low), Some(high)) = (score.low, score.high) else {
            return MatchVerdict::NoGames;
        };
        if low > 0.5 {
            return MatchVerdict::Better { player: Side::A, p_value };
        }
        if high < 0.5 {
            return MatchVerdict::Better { player: Side::B, p_value };
        }
        let (Pairing { same_side, .. }, pairs) = (comparison.pairing, comparison.pairs);
        if pairs >= SIDE_PAIRS_MIN && same_side * 10 >= pairs * 9 {
            return MatchVerdict::SideDecides { same_side, pairs };
        }
        let gap = (score.mean.unwrap_or(0.5) - 0.5).abs();
        let games_needed = PairSpread::measured(comparison.pentanomial)
            .and_then(|spread| Power::new(spread).ok())
            .and_then(|power| power.games(gap, Power::DEFAULT).ok())
            .filter(|&games| games > comparison.games);
        MatchVerdict::Undecided { p_value, games_needed }
    }
}

/// Verdict of a tournament on which players are better. Players are numbers from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentVerdict {
    /// Order of the players, if known.
    pub order: PlayerOrder,
    /// Cycles of three players, in which each beats the next and the last beats the first; the
    /// lowest number comes first.
    pub cycles: Vec<[usize; 3]>,
    /// Whether a single rating per player fits the results: the p-value of the fit is at least
    /// [`FIT_P_MIN`]. `None` if the fit cannot fail or no player is rated.
    pub ratings_fit: Option<bool>,
}

/// Order of the players: complete, partial or unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum PlayerOrder {
    /// There are too few games to compare all players.
    TooFewGames,
    /// The run stopped before the players were rated.
    Unrated,
    /// No player is shown to be better than another.
    Undecided,
    /// Every difference between two players is significant.
    Whole {
        /// Players, the best first.
        order: Vec<usize>,
    },
    /// Some differences are significant.
    Partial {
        /// Number of significant differences between two players.
        shown: usize,
        /// Number of all differences.
        differences: usize,
        /// Players that no other player is shown to be better than, the highest rating first.
        best: Vec<usize>,
    },
}

impl TournamentVerdict {
    /// Judges the games of a tournament.
    #[must_use]
    pub fn of(summary: &TournamentSummary) -> TournamentVerdict {
        let Some(ratings) = &summary.bradley_terry else {
            let order = match summary.unrated {
                true => PlayerOrder::Unrated,
                false => PlayerOrder::TooFewGames,
            };
            return TournamentVerdict { order, cycles: Vec::new(), ratings_fit: None };
        };
        TournamentVerdict {
            order: PlayerOrder::of(ratings),
            cycles: ratings.cycles.iter().map(|cycle| cycle.players).collect(),
            ratings_fit: ratings.fit.map(|fit| fit.p_value >= FIT_P_MIN),
        }
    }
}

impl PlayerOrder {
    fn of(ratings: &Ratings) -> PlayerOrder {
        let differences = ratings.differences.len();
        let real = || ratings.differences.iter().filter(|difference| difference.real);
        match real().count() {
            0 => PlayerOrder::Undecided,
            shown if shown == differences => PlayerOrder::Whole { order: ratings.best_first() },
            shown => {
                let beaten = |player: usize| real().any(|difference| difference.worse == player);
                let mut best = ratings.best_first();
                best.retain(|&player| !beaten(player));
                PlayerOrder::Partial { shown, differences, best }
            }
        }
    }
}

impl TournamentSummary {
    /// Counts forfeits by player and kind, in the order of the players. Players without a forfeit
    /// are left out.
    #[must_use]
    pub fn forfeits(&self) -> Vec<(u32, ForfeitKind, u64)> {
        let mut sums: Vec<(u32, ForfeitKind, u64)> = Vec::new();
        for encounter in &self.encounters {
            let [a, b] = encounter.players;
            for forfeit in &encounter.summary.forfeit_kinds {
                let player = if forfeit.side == Side::A { a } else { b };
                match sums
                    .iter_mut()
                    .find(|(player_of, kind, _)| (*player_of, *kind) == (player, forfeit.kind))
                {
                    Some((_, _, games)) => *games = games.saturating_add(forfeit.games),
                    None => sums.push((player, forfeit.kind, forfeit.games)),
                }
            }
        }
        sums.sort_unstable();
        sums
    }
}

#[cfg(test)]
mod tests {
    use treegauge_core::{Outcome, Player};

    use super::*;
    use crate::{Encounter, ForfeitCount};
    use treegauge_stats::{Pairs, Sprt};

    /// Match with these numbers of pairs: both games lost by a, both drawn, both won by the player
    /// who began, both won by a.
    fn summary([lost, drawn, side, won]: [u64; 4], test: Option<&str>) -> MatchSummary {
        use Outcome::{Draw, FirstWins, SecondWins};
        let mut pairs = Pairs::default();
        let mut add = |n, a_began, b_began| (0..n).for_each(|_| pairs.add(a_began, b_began));
        add(lost, SecondWins, FirstWins);
        add(drawn, Draw, Draw);
        add(side, FirstWins, FirstWins);
        add(won, FirstWins, SecondWins);
        let sprt = test.map(|test| Sprt::parse(test).unwrap().test(pairs.pentanomial()));
        let comparison = pairs.comparison();
        MatchSummary { comparison, pairs, sprt, ..MatchSummary::of(&[], 0, None) }
    }

    fn verdict(counts: [u64; 4]) -> MatchVerdict {
        MatchVerdict::of(&summary(counts, None))
    }

    #[test]
    fn the_interval_of_the_score_says_which_player_is_better() {
        assert_eq!(verdict([0; 4]), MatchVerdict::NoGames);
        // A single game has an interval too, and it is wide.
        let mut pairs = Pairs::default();
        pairs.add_single(Outcome::FirstWins, Player::First);
        let single = MatchSummary { comparison: pairs.comparison(), ..summary([0; 4], None) };
        assert!(matches!(MatchVerdict::of(&single), MatchVerdict::Undecided { .. }));
        let better = |counts| match verdict(counts) {
            MatchVerdict::Better { player, p_value } => Some((player, p_value < Some(0.05))),
            _ => None,
        };
        assert_eq!(better([0, 5, 0, 30]), Some((Side::A, true)));
        assert_eq!(better([30, 5, 0, 0]), Some((Side::B, true)));
    }

    #[test]
    fn nine_pairs_of_ten_for_one_side_are_not_the_players_doing() {
        assert_eq!(verdict([0, 1, 9, 0]), MatchVerdict::SideDecides { same_side: 9, pairs: 10 });
        // One pair too few in total, and one same-side pair too few.
        assert!(matches!(verdict([0, 1, 8, 0]), MatchVerdict::Undecided { .. }));
        assert!(matches!(verdict([0, 2, 8, 0]), MatchVerdict::Undecided { .. }));
    }

    #[test]
    fn an_undecided_match_says_how_many_games_it_lacks() {
        let MatchVerdict::Undecided { p_value, games_needed } = verdict([8, 5, 0, 12]) else {
            panic!("{:?}", verdict([8, 5, 0, 12]));
        };
        assert!(p_value > Some(0.05));
        let needed = games_needed.expect("there is a gap");
        assert!(needed > 50, "{needed}");
        // With that multiple of the games the verdict is certain.
        let more = [8, 5, 0, 12].map(|n| n * needed.div_ceil(50));
        assert!(matches!(verdict(more), MatchVerdict::Better { player: Side::A, .. }));
        // A gap of 0 cannot be shown by any number of games.
        let even = MatchVerdict::of(&summary([10, 5, 0, 10], None));
        assert!(matches!(even, MatchVerdict::Undecided { games_needed: None, .. }), "{even:?}");
    }

    #[test]
    fn a_test_that_decided_goes_first() {
        let of = |counts| MatchVerdict::of(&summary(counts, Some("elo0=0,elo1=50")));
        assert_eq!(of([5, 20, 0, 60]), MatchVerdict::TestAcceptedH1 { elo0: 0.0, elo1: 50.0 });
        assert_eq!(of([60, 20, 0, 5]), MatchVerdict::TestAcceptedH0 { elo0: 0.0, elo1: 50.0 });
        assert!(matches!(of([3, 1, 0, 3]), MatchVerdict::Undecided { .. }));
    }

    /// Tournament of three players with these matches of 0 and 1, 0 and 2, 1 and 2.
    fn tournament(matches: [[u64; 4]; 3]) -> TournamentSummary {
        let encounters = [[0, 1], [0, 2], [1, 2]].into_iter().zip(matches);
        let encounters = encounters
            .map(|(players, counts)| Encounter { players, summary: summary(counts, None) });
        TournamentSummary::of(3, encounters.collect(), &())
    }

    #[test]
    fn the_order_of_players_is_as_known_as_their_differences() {
        let order = |matches| TournamentVerdict::of(&tournament(matches)).order;
        let (even, won, lost) = ([20, 10, 0, 20], [5, 5, 0, 60], [60, 5, 0, 5]);
        assert_eq!(order([[0; 4]; 3]), PlayerOrder::TooFewGames);
        assert_eq!(order([even; 3]), PlayerOrder::Undecided);
        assert_eq!(order([lost, won, won]), PlayerOrder::Whole { order: vec![1, 0, 2] });
        let partial = PlayerOrder::Partial { shown: 2, differences: 3, best: vec![0, 1] };
        assert_eq!(order([even, won, won]), partial);
    }

    #[test]
    fn a_cycle_is_no_order() {
        let (won, lost) = ([5, 5, 0, 60], [60, 5, 0, 5]);
        let verdict = TournamentVerdict::of(&tournament([won, lost, won]));
        assert_eq!(verdict.cycles, [[0, 1, 2]]);
        assert_eq!(verdict.ratings_fit, Some(false));
        let verdict = TournamentVerdict::of(&tournament([lost, won, won]));
        assert_eq!(verdict.cycles, [[0; 3]; 0]);
    }

    #[test]
    fn forfeits_of_a_player_are_added_up() {
        let mut summary = tournament([[1, 0, 0, 1]; 3]);
        let forfeit =
            |side, kind, games| ForfeitCount { side, kind, games, first_detail: "".into() };
        summary.encounters[0].summary.forfeit_kinds =
            vec![forfeit(Side::B, ForfeitKind::Time, 2), forfeit(Side::A, ForfeitKind::NoMove, 1)];
        summary.encounters[2].summary.forfeit_kinds = vec![forfeit(Side::A, ForfeitKind::Time, 3)];
        let forfeits = [(0, ForfeitKind::NoMove, 1), (1, ForfeitKind::Time, 5)];
        assert_eq!(summary.forfeits(), forfeits);
    }
}
