//! Observations of broken games in Williams 2010 (table 3.1), compared with a dataset.

use serde::{Deserialize, Serialize};
use treegauge_stats::two_proportions;

use super::published::OBSERVATIONS;
use super::{EvaluateError, canonical};
use crate::aggregate::{Aggregate, GameResults};

/// Observation of one game in Williams 2010.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// Name of the game.
    pub game: String,
    /// Iterations per move.
    pub iterations: u32,
    /// Number of games of self-play.
    pub games: u64,
    /// Games that the first player won; `None` if Williams 2010 does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_wins: Option<u64>,
    /// Drawn games; `None` if Williams 2010 does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<u64>,
    /// Games that the second player won; `None` if Williams 2010 does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_wins: Option<u64>,
    /// Plies that no game exceeded; `None` if Williams 2010 does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_max: Option<u64>,
    /// Statement of Williams 2010.
    pub says: String,
}

/// Observation of Williams 2010, compared with a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// Observation of Williams 2010.
    pub published: Observation,
    /// Number of games in the dataset.
    pub games: u64,
    /// Results of the games in the dataset.
    pub results: GameResults,
    /// Two-sided p-value of Fisher's exact test that the kind of result that Williams 2010 counts
    /// is equally frequent in both; `None` if it counts no results.
    pub p: Option<f64>,
    /// Whether no game exceeded the greatest length in Williams 2010; `None` if it states no
    /// length.
    pub within_plies: Option<bool>,
}

/// Observations that a dataset can be compared with: of the same games, at the same iterations.
pub(super) fn observed(aggregate: &Aggregate) -> Result<Vec<Observed>, EvaluateError> {
    let mut all = Vec::new();
    for published in OBSERVATIONS.iter() {
        let name = canonical(&published.game)?;
        let row = aggregate.games.iter().find(|row| row.game == name);
        let results = row.and_then(|row| row.results.map(|results| (row.instances, results)));
        if let Some((games, results)) = results
            && published.iterations == aggregate.iterations
            && games > 0
        {
            let counts = [
                (published.first_wins, results.first_wins),
                (published.draws, results.draws),
                (published.second_wins, results.second_wins),
            ];
            let counted = counts.into_iter().find_map(|(theirs, ours)| theirs.map(|n| (n, ours)));
            let p = |(theirs, ours)| {
                two_proportions((theirs, published.games), (ours, games)).fisher_p_value
            };
            all.push(Observed {
                published: published.clone(),
                games,
                results,
                p: counted.and_then(p),
                within_plies: published.plies_max.map(|most| results.plies_max <= most),
            });
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::GameAggregate;

    fn of(game: &str, iterations: u32, results: Option<GameResults>) -> Vec<Observed> {
        let row = GameAggregate {
            game: canonical(game).unwrap(),
            instances: 20,
            trees: 60,
            results,
            attributes: vec![0.0],
        };
        let attributes = vec!["worst.mean".to_owned()];
        observed(&Aggregate { iterations, attributes, games: vec![row] }).unwrap()
    }

    #[test]
    fn an_observation_is_compared_at_its_own_strength() {
        let all = |first_wins, plies_max| {
            let draws = 20 - first_wins;
            Some(GameResults { first_wins, draws, second_wins: 0, plies_min: 3, plies_max })
        };
        let [same] = &of("broken_tic_tac_toe", 20_000, all(20, 3))[..] else { panic!("one") };
        assert_eq!((same.p, same.within_plies), (Some(1.0), Some(true)));
        let [other] = &of("broken_tic_tac_toe", 20_000, all(10, 5))[..] else { panic!("one") };
        // By Fisher's exact test of 20 out of 20 against 10 out of 20.
        assert!((other.p.unwrap() - 0.000_436).abs() < 2e-5, "{:?}", other.p);
        assert_eq!(other.within_plies, Some(false));
        assert_eq!(of("broken_tic_tac_toe", 10_000, all(20, 3)), []);
        assert_eq!(of("tic_tac_toe", 20_000, all(20, 3)), []);
        assert_eq!(of("broken_tic_tac_toe", 20_000, None), []);
        // At 1,000 iterations Williams 2010 states the length of one game, but not its results.
        let [long] = &of("broken_nine_mens_morris", 1_000, all(20, 30))[..] else { panic!("one") };
        assert_eq!((long.p, long.within_plies), (None, Some(false)));
    }

    #[test]
    fn the_source_observed_each_broken_game() {
        let broken = crate::WILLIAMS_2010.games.iter().filter(|game| !game.playable);
        for game in broken {
            assert!(OBSERVATIONS.iter().any(|one| one.game == game.game), "{}", game.game);
        }
        assert_eq!(OBSERVATIONS.len(), 13);
    }
}
