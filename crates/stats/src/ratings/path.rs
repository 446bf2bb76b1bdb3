//! Tests of contrasts of many ratings along paths.
//!
//! To test a value of a contrast, the ratings should be fitted again with the contrast fixed there.
//! This takes time proportional to the third power of the number of players for each of thousands
//! of tests. With many players the fit instead moves along the least favourable path (Stein 1956):
//! if the contrast moves, the other ratings follow in proportion to their covariance with it. Along
//! the path the score of the contrast is that of a single parameter, with the information and the
//! variance of the whole model at the most likely ratings.
//!
//! The odds in encounters of the players in the contrast move far, so these encounters are followed
//! exactly. The odds between all other players hardly move, so their score is taken as linear. So
//! the time of a test is proportional to the number of players.

use super::likelihood::{Met, filling, information, share};
use crate::matrix::{inverse, product};

/// Data common to the paths of all contrasts.
pub(super) struct Paths<'a> {
    strengths: &'a [f64],
    prior: f64,
    /// Inverse of the information, and the mean of its rows.
    bread: Vec<Vec<f64>>,
    bread_mean: Vec<f64>,
    /// Covariance of the ratings.
    covariance: Vec<Vec<f64>>,
    /// Encounters of each player.
    of_player: Vec<Vec<&'a Met>>,
}

/// Contrast of ratings.
#[derive(Clone, Copy, Debug)]
pub(super) enum Contrast {
    /// Rating of a player minus the mean rating.
    Rating(usize),
    /// Rating of the first player minus that of the second.
    Difference(usize, usize),
}

/// Path of a contrast.
pub(super) struct Path {
    /// Encounters followed exactly.
    exact: Vec<Step>,
    /// Information and variance of the score of all other encounters.
    information: f64,
    variance: f64,
    /// Score of the exact encounters at the start of the path.
    score: f64,
    /// Standard deviation of the contrast.
    pub(super) deviation: f64,
}

struct Step {
    odds: f64,
    slope: f64,
    games: f64,
    points: f64,
    spread: f64,
}

impl Step {
    fn share(&self, by: f64) -> f64 {
        share(self.odds + self.slope * by)
    }

    fn score(&self, by: f64) -> f64 {
        self.slope * (self.points - self.games * self.share(by))
    }

    /// Returns the variance of a game, as it contributes along the path.
    fn of_game(&self, by: f64) -> f64 {
        let share = self.share(by);
        self.slope * self.slope * share * (1.0 - share)
    }
}

impl<'a> Paths<'a> {
    pub(super) fn new(met: &'a [Met], strengths: &'a [f64], prior: f64) -> Paths<'a> {
        let n = strengths.len();
        let bread = inverse(information(met, strengths, prior));
        let mean = |row: &Vec<f64>| row.iter().sum::<f64>() / n as f64;
        let bread_mean = bread.iter().map(mean).collect();
        let covariance = product(&product(&bread, &filling(met, strengths, prior)), &bread);
        let mut of_player = vec![Vec::new(); n];
        for met in met {
            of_player[met.a].push(met);
            of_player[met.b].push(met);
        }
        Paths { strengths, prior, bread, bread_mean, covariance, of_player }
    }

    /// Computes the path of a contrast.
    pub(super) fn path(&self, contrast: Contrast) -> Path {
        // Contrast of a vector of numbers.
        let of = |x: &dyn Fn(usize) -> f64| match contrast {
            Contrast::Difference(a, b) => x(a) - x(b),
            Contrast::Rating(player) => {
                let n = self.strengths.len();
                x(player) - (0..n).map(x).sum::<f64>() / n as f64
            }
        };
        let along: Vec<f64> = match contrast {
            Contrast::Difference(a, b) => self.bread.iter().map(|row| row[a] - row[b]).collect(),
            Contrast::Rating(player) => {
                let rows = self.bread.iter().zip(&self.bread_mean);
                rows.map(|(row, mean)| row[player] - mean).collect()
            }
        };
        let unit = of(&|x| along[x]);
        let slope = |x: usize| along[x] / unit;
        let moved = |player: usize| {
            let imagined = (self.prior > 0.0).then(|| Step {
                odds: self.strengths[player],
                slope: slope(player),
                games: self.prior,
                points: self.prior / 2.0,
                spread: self.prior,
            });
            let met = self.of_player[player].iter().map(|met| Step {
                odds: self.strengths[met.a] - self.strengths[met.b],
                slope: slope(met.a) - slope(met.b),
                games: met.games,
                points: met.points,
                spread: met.spread,
            });
            met.chain(imagined)
        };
        let exact: Vec<Step> = match contrast {
            Contrast::Rating(player) => moved(player).collect(),
            Contrast::Difference(a, b) => {
                let of_b = self.of_player[b].iter().map(|met| met.a == a || met.b == a);
                let is_twice: Vec<bool> = of_b.chain([false]).collect();
                let of_b = moved(b).zip(is_twice).filter(|(_, is_twice)| !is_twice);
                moved(a).chain(of_b.map(|(step, _)| step)).collect()
            }
        };
        let sum = |f: &dyn Fn(&Step) -> f64| exact.iter().map(f).sum::<f64>();
        // Variance of the contrast in the whole model.
        let spread = of(&|x| of(&|y| self.covariance[x][y]));
        let information = 1.0 / unit - sum(&|step| step.games * step.of_game(0.0));
        let variance = spread / (unit * unit) - sum(&|step| step.spread * step.of_game(0.0));
        let score = sum(&|step| step.score(0.0));
        Path {
            information: information.max(0.0),
            variance: variance.max(0.0),
            score,
            deviation: spread.max(0.0).sqrt(),
            exact,
        }
    }
}

impl Path {
    /// Returns the distance, in standard deviations, of the contrast above its value moved by `by`.
    pub(super) fn t(&self, by: f64) -> f64 {
        let (mut score, mut variance) = (-self.score - self.information * by, self.variance);
        for step in &self.exact {
            score += step.score(by);
            variance += step.spread * step.of_game(by);
        }
        score / variance.sqrt()
    }
}
