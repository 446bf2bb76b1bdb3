//! Likelihood of log odds by the model of Bradley and Terry (1952), and its maximum.

use treegauge_core::Watch;

use crate::elo::ELO_PER_LOGIT;
use crate::matrix::{apply, dot, inverse, product, transposed};
use crate::{Pairs, expected_score};

/// Summary of the games of two players.
pub(super) struct Met {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) games: f64,
    /// Number of points of a.
    pub(super) points: f64,
    /// Variance of the points, as a multiple of that of one game.
    pub(super) spread: f64,
}

impl Met {
    pub(super) fn new((a, b, pairs): (usize, usize, Pairs)) -> Met {
        let spread = 4.0 * pairs.variance_of_points(0.5);
        Met { a, b, games: pairs.games() as f64, points: pairs.points(), spread }
    }

    /// Returns the variance of the result of one game without draws, with these log odds.
    pub(super) fn of_game(&self, r: &[f64]) -> f64 {
        let share = share(r[self.a] - r[self.b]);
        share * (1.0 - share)
    }

    /// Returns the actual minus the expected points of a.
    pub(super) fn surplus(&self, r: &[f64]) -> f64 {
        self.points - self.games * share(r[self.a] - r[self.b])
    }
}

/// Returns the expected share of points for a difference of log odds.
pub(super) fn share(difference: f64) -> f64 {
    expected_score(ELO_PER_LOGIT * difference)
}

/// Returns the most likely log odds, with mean 0, if every player also played `prior` games for
/// half of the points against an opponent with log odds 0. `None` if `watch` says stop.
pub(super) fn likeliest(met: &[Met], n: usize, prior: f64, watch: &dyn Watch) -> Option<Vec<f64>> {
    let mut r = watched(met, vec![0.0; n], prior, None, watch)?;
    let mean = r.iter().sum::<f64>() / n as f64;
    r.iter_mut().for_each(|r| *r -= mean);
    Some(r)
}

/// Returns the most likely log odds with this prior. If `held` is a contrast, its value stays that
/// of `start`.
///
/// Newton's method, in which a step that does not raise the likelihood is halved. The likelihood is
/// concave, so there is one maximum.
pub(super) fn maximum(met: &[Met], start: Vec<f64>, prior: f64, held: Option<&[f64]>) -> Vec<f64> {
    watched(met, start, prior, held, &()).expect("nothing stops it")
}

/// Like [`maximum`], but returns `None` if `watch` says stop.
fn watched(
    met: &[Met],
    start: Vec<f64>,
    prior: f64,
    held: Option<&[f64]>,
    watch: &dyn Watch,
) -> Option<Vec<f64>> {
    let likelihood = |r: &[f64]| -> f64 {
        // ln of the expected share, without overflow for very negative d.
        let ln_share = |d: f64| -(-d).max(0.0) - (-d.abs()).exp().ln_1p();
        let played = met.iter().map(|met| {
            let d = r[met.a] - r[met.b];
            met.points * ln_share(d) + (met.games - met.points) * ln_share(-d)
        });
        let imagined = r.iter().map(|&r| prior / 2.0 * (ln_share(r) + ln_share(-r)));
        played.chain(imagined).sum()
    };
    let mut r = start;
    let mut best = likelihood(&r);
    loop {
        if watch.stop() {
            return None;
        }
        let inverse = inverse(information(met, &r, prior));
        let mut step = apply(&inverse, &gradient(met, &r, prior));
        if let Some(held) = held {
            // Lagrange's multiplier removes the part of the step that would change the contrast.
            let along = apply(&inverse, held);
            let multiplier = dot(held, &step) / dot(held, &along);
            step.iter_mut().zip(&along).for_each(|(step, along)| *step -= multiplier * along);
        }
        // Halving ends: a step lost in rounding changes nothing, and one beyond the range of floats
        // is not halved.
        let (next, value) = loop {
            let next: Vec<f64> = r.iter().zip(&step).map(|(r, step)| r + step).collect();
            let value = likelihood(&next);
            if value >= best || next == r || value.is_nan() {
                break (next, value);
            }
            step.iter_mut().for_each(|step| *step /= 2.0);
        };
        let largest = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
        r = next;
        if largest < 1e-10 || value <= best {
            break;
        }
        best = value;
    }
    Some(r)
}

/// Returns the gradient of the log-likelihood.
pub(super) fn gradient(met: &[Met], r: &[f64], prior: f64) -> Vec<f64> {
    let mut gradient: Vec<f64> = r.iter().map(|&r| prior * (0.5 - share(r))).collect();
    for met in met {
        let surplus = met.surplus(r);
        gradient[met.a] += surplus;
        gradient[met.b] -= surplus;
    }
    gradient
}

/// Returns the sum of `weight (e_a - e_b)(e_a - e_b)'` over all encounters of `n` players.
pub(super) fn laplacian(met: &[Met], n: usize, weight: impl Fn(&Met) -> f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; n]; n];
    for met in met {
        let weight = weight(met);
        matrix[met.a][met.a] += weight;
        matrix[met.b][met.b] += weight;
        matrix[met.a][met.b] -= weight;
        matrix[met.b][met.a] -= weight;
    }
    matrix
}

/// Returns Fisher's information on log odds, made invertible: see [`pin`].
pub(super) fn information(met: &[Met], r: &[f64], prior: f64) -> Vec<Vec<f64>> {
    let mut matrix = laplacian(met, r.len(), |met| met.games * met.of_game(r));
    if prior == 0.0 {
        pin(&mut matrix);
    }
    add_prior(&mut matrix, r, prior);
    matrix
}

/// Returns the covariance of the gradient of the log-likelihood.
pub(super) fn filling(met: &[Met], r: &[f64], prior: f64) -> Vec<Vec<f64>> {
    let mut matrix = laplacian(met, r.len(), |met| met.spread * met.of_game(r));
    add_prior(&mut matrix, r, prior);
    matrix
}

/// Adds the information of the prior's games to the diagonal.
pub(super) fn add_prior(matrix: &mut [Vec<f64>], r: &[f64], prior: f64) {
    for (player, row) in matrix.iter_mut().enumerate() {
        row[player] += prior * share(r[player]) * (1.0 - share(r[player]));
    }
}

/// Fixes the mean of all players, on which no game has information, by a constant added to all
/// cells. The inverse then gives the covariance of differences.
pub(super) fn pin(matrix: &mut [Vec<f64>]) {
    let n = matrix.len() as f64;
    // As large as the other cells, so that the inverse does not lose digits.
    let trace: f64 = matrix.iter().enumerate().map(|(i, row)| row[i]).sum();
    matrix.iter_mut().flatten().for_each(|cell| *cell += trace / (n * n));
}

/// Returns the covariance of the log odds with mean 0.
pub(super) fn covariance(met: &[Met], r: &[f64], prior: f64) -> Vec<Vec<f64>> {
    let bread = inverse(information(met, r, prior));
    let filling = filling(met, r, prior);
    let mut covariance = product(&product(&bread, &filling), &bread);
    // Subtract the mean on both sides.
    let n = r.len() as f64;
    for _ in 0..2 {
        for row in &mut covariance {
            let mean = row.iter().sum::<f64>() / n;
            row.iter_mut().for_each(|cell| *cell -= mean);
        }
        covariance = transposed(&covariance);
    }
    covariance
}
