//! Predictors of the moves that people play.

use cozy_chess::Move;

use crate::history::ChessHistory;

/// Least rating that predictors accept.
pub const RATING_MIN: f64 = 0.0;

/// Greatest rating that predictors accept.
pub const RATING_MAX: f64 = 4000.0;

/// Legal move with the probability that a person plays it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveProbability {
    /// Move, in the encoding of cozy-chess: a king that castles takes its own rook.
    pub played: Move,
    /// From 0 to 1. The probabilities of all legal moves have the sum 1.
    pub probability: f64,
}

/// Predictor of the move that a person of a rating plays.
pub trait MovePredictor: Send + Sync {
    /// Probabilities of the moves of a person, for several positions at once. Each position has one
    /// entry per legal move, in the order of [`ChessHistory::legal_moves`]; none if the game is
    /// over. The answer for a position does not depend on the others.
    ///
    /// `rating` is on the scale of the games that the predictor was trained on. A predictor whose
    /// range is narrower takes the nearest rating that it knows.
    fn predict_all(&self, histories: &[&ChessHistory], rating: f64) -> Vec<Vec<MoveProbability>>;

    /// Probabilities of the moves of a person in one position.
    fn predict(&self, history: &ChessHistory, rating: f64) -> Vec<MoveProbability> {
        self.predict_all(&[history], rating).pop().unwrap_or_default()
    }
}

/// Probabilities proportional to the exponentials of the scores of the moves. Sums in the order of
/// the moves, with the exponential of `libm`, which is the same on every platform.
pub(crate) fn softmax(moves: &[Move], scores: &[f64]) -> Vec<MoveProbability> {
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| libm::exp(score - greatest)).collect();
    let sum: f64 = weights.iter().sum();
    moves
        .iter()
        .zip(weights)
        .map(|(&played, weight)| MoveProbability { played, probability: weight / sum })
        .collect()
}

/// Predictors of people of several ratings as one predictor of any rating.
///
/// Between two ratings it mixes the probabilities of both, by the distance of the ratings. Below
/// the least one and above the greatest one it takes the nearest predictor.
#[derive(Clone, Debug)]
pub struct Rated<P> {
    /// In the order of ratings; never empty.
    predictors: Vec<(f64, P)>,
}

impl<P: MovePredictor> Rated<P> {
    /// Predictor of these, each with the rating of the people that it learned from. `None` if there
    /// are none, or a rating is not a number from [`RATING_MIN`] to [`RATING_MAX`], or two are
    /// equal.
    #[must_use]
    pub fn new(mut predictors: Vec<(f64, P)>) -> Option<Rated<P>> {
        let is_valid =
            predictors.iter().all(|(rating, _)| (RATING_MIN..=RATING_MAX).contains(rating));
        if !is_valid || predictors.is_empty() {
            return None;
        }
        predictors.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        predictors.windows(2).all(|pair| pair[0].0 < pair[1].0).then_some(Rated { predictors })
    }
}

impl<P: MovePredictor> MovePredictor for Rated<P> {
    fn predict_all(&self, histories: &[&ChessHistory], rating: f64) -> Vec<Vec<MoveProbability>> {
        let above = self.predictors.partition_point(|(of, _)| *of < rating);
        let (Some((high, upper)), Some((low, lower))) =
            (self.predictors.get(above), above.checked_sub(1).map(|below| &self.predictors[below]))
        else {
            let (of, nearest) = &self.predictors[above.min(self.predictors.len() - 1)];
            return nearest.predict_all(histories, *of);
        };
        let share = (rating - low) / (high - low);
        let mut mixed = lower.predict_all(histories, *low);
        if share > 0.0 {
            let others = upper.predict_all(histories, *high);
            for (one, other) in mixed.iter_mut().flatten().zip(others.iter().flatten()) {
                one.probability += share * (other.probability - one.probability);
            }
        }
        mixed
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::Board;

    use super::*;

    /// Gives the first legal move this probability.
    struct First(f64);

    impl MovePredictor for First {
        fn predict_all(&self, histories: &[&ChessHistory], _: f64) -> Vec<Vec<MoveProbability>> {
            let one = |history: &&ChessHistory| {
                let moves = history.legal_moves();
                let rest = (1.0 - self.0) / (moves.len() - 1) as f64;
                let of = |n| if n == 0 { self.0 } else { rest };
                moves
                    .into_iter()
                    .enumerate()
                    .map(|(n, played)| MoveProbability { played, probability: of(n) })
                    .collect()
            };
            histories.iter().map(one).collect()
        }
    }

    #[test]
    fn ratings_between_two_predictors_mix_both() {
        let rated = Rated::new(vec![(1900.0, First(0.8)), (1100.0, First(0.2))]).unwrap();
        let history = ChessHistory::new(Board::default());
        for (rating, first) in
            [(0.0, 0.2), (1100.0, 0.2), (1300.0, 0.35), (1500.0, 0.5), (1900.0, 0.8), (3e3, 0.8)]
        {
            let answer = rated.predict(&history, rating);
            assert_eq!(answer.len(), 20);
            assert!((answer[0].probability - first).abs() < 1e-12, "{rating}: {answer:?}");
            let sum: f64 = answer.iter().map(|one| one.probability).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn ratings_that_do_not_fit_are_refused() {
        for ratings in [vec![], vec![f64::NAN], vec![-1.0], vec![1500.0, 1500.0], vec![1e9]] {
            let predictors = ratings.iter().map(|&rating| (rating, First(0.5))).collect();
            assert!(Rated::new(predictors).is_none(), "{ratings:?}");
        }
    }

    #[test]
    fn great_scores_do_not_overflow() {
        let moves = ChessHistory::new(Board::default()).legal_moves();
        let scores: Vec<f64> = (0..moves.len()).map(|n| 1e4 - n as f64).collect();
        let answer = softmax(&moves, &scores);
        let ratio = answer[0].probability / answer[1].probability;
        assert!((ratio - std::f64::consts::E).abs() < 1e-9, "{ratio}");
    }
}
