//! Predictions of labelled games, and their scores.

use treegauge_learn::{Examples, Score, ScoreFn, bootstrap_repeated};

use super::EvaluateOptions;

/// Predictions of the same games: from all of their self-play, and from each resample of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predicted {
    pub(super) whole: Vec<f64>,
    pub(super) resampled: Vec<Vec<f64>>,
}

impl From<Vec<f64>> for Predicted {
    fn from(whole: Vec<f64>) -> Predicted {
        Predicted { whole, resampled: Vec::new() }
    }
}

impl Predicted {
    /// Score with its interval, which covers the resamples of self-play.
    pub(super) fn score(
        &self,
        examples: &Examples<'_>,
        score: ScoreFn<'_>,
        options: EvaluateOptions,
    ) -> Option<Score> {
        let EvaluateOptions { draws, seed, .. } = options;
        bootstrap_repeated(&self.whole, &self.resampled, examples, score, draws, seed)
    }

    /// Score less that of `other`, with its interval. Both predict the same games from the same
    /// self-play in each draw.
    pub(super) fn gain(
        &self,
        other: &Predicted,
        examples: &Examples<'_>,
        score: ScoreFn<'_>,
        options: EvaluateOptions,
    ) -> Option<Score> {
        let games = self.whole.len();
        // The bootstrap draws places, which find both predictions of a game.
        let places = |repetition: usize| -> Vec<f64> {
            (repetition * games..(repetition + 1) * games).map(|n| n as f64).collect()
        };
        let all = |one: &Predicted| [&one.whole[..], &one.resampled.concat()].concat();
        let (one, two) = (all(self), all(other));
        let difference = |places: &[f64], targets: &[f64]| {
            let at =
                |all: &[f64]| -> Vec<f64> { places.iter().map(|&n| all[n as usize]).collect() };
            Some(score(&at(&one), targets)? - score(&at(&two), targets)?)
        };
        let whole = Predicted {
            whole: places(0),
            resampled: (1..=self.resampled.len()).map(places).collect(),
        };
        whole.score(examples, &difference, options)
    }

    /// Predictions of some of the games.
    pub(super) fn of(&self, games: &[usize]) -> Predicted {
        let of = |all: &Vec<f64>| games.iter().map(|&n| all[n]).collect();
        Predicted { whole: of(&self.whole), resampled: self.resampled.iter().map(of).collect() }
    }
}
