//! Ratings of several players on one scale.

mod likelihood;
mod path;
#[cfg(test)]
mod tests;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use thiserror::Error;
use treegauge_core::Watch;

use self::likelihood::{
    Met, covariance, filling, gradient, information, laplacian, likeliest, maximum, pin,
};
use self::path::{Contrast, Path, Paths};
use super::Pairs;
use super::elo::ELO_PER_LOGIT;
use super::matrix::{apply, dot, inverse};
use super::root::crossing;
use crate::{Estimate, student_cdf};

/// Results of all players against each other. Players are numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// Matrix in row order. An encounter is stored in the row of the player with the lower number,
    /// as seen by that player.
    encounters: Vec<Pairs>,
}

/// Ratings of the players of a cross table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// Rating of each player, in their order.
    pub ratings: Vec<Rating>,
    /// Difference of every two players, the higher rated one as `better`, in the order of the
    /// table.
    pub differences: Vec<RatingDifference>,
    /// Whether some players took no point from some others, neither directly nor through third
    /// players. Then the ratings are unbounded (Ford 1957), and all of them depend on the prior of
    /// [`rate`].
    pub separated: bool,
    /// Goodness of fit of a single rating per player; `None` if the fit cannot fail.
    pub fit: Option<Fit>,
    /// Significant cycles, in which each player beats the next.
    pub cycles: Vec<Cycle>,
}

impl Ratings {
    /// Returns the players, the highest rated first.
    #[must_use]
    pub fn best_first(&self) -> Vec<usize> {
        let mut order: Vec<_> = self.ratings.iter().collect();
        order.sort_by(|one, other| {
            let elo = |elo: Option<f64>| elo.unwrap_or(0.0);
            elo(other.elo.mean).total_cmp(&elo(one.elo.mean))
        });
        order.into_iter().map(|rating| rating.player).collect()
    }
}

/// Rating of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Number of the player.
    pub player: usize,
    /// Elo points; the mean over all players is 0. `n` is the number of games. All intervals
    /// together cover the true ratings with at least 95% (Bonferroni). An end is `None` if the
    /// player, or a group that it belongs to, lost no point to the others or won none from them.
    pub elo: Estimate,
}

/// Difference in strength between two players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingDifference {
    /// Player with the higher rating.
    pub better: usize,
    /// Player with the lower rating.
    pub worse: usize,
    /// Elo points, 0 or more, from the games of all players. `n` is the number of games between the
    /// two. All intervals together cover the true differences with at least 95% (Bonferroni).
    pub elo: Estimate,
    /// Two-sided probability of a difference at least this great between equal players, times the
    /// number of differences, at most 1.
    pub p_value: f64,
    /// Whether the difference is significant: `p_value` is below 0.05, and the interval does not
    /// contain 0. With at least 95%, no difference marked real is 0 or has the wrong sign.
    pub real: bool,
}

/// Goodness of fit of a single rating per player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Sum of squared differences between actual and expected points of each encounter, in standard
    /// deviations of the pairs: the minimum chi-square (Neyman 1949).
    pub chi_squared: f64,
    /// Number of encounters minus the number of fitted ratings.
    pub degrees_of_freedom: u64,
    /// Probability of a sum at least this large if single ratings fit. Below 0.05, the order of the
    /// players depends on who meets whom.
    pub p_value: f64,
}

/// Cycle of three players: each beats the next, and the last beats the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cycle {
    /// Players in the order of the cycle, the lowest number first.
    pub players: [usize; 3],
    /// Largest two-sided p-value of the three encounters, times the number of encounters; below
    /// 0.05.
    pub p_value: f64,
}

/// Error for players that cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RatingsError {
    /// There are fewer than two players.
    #[error("ratings need at least two players, not {players}")]
    TooFew {
        /// Number of players.
        players: usize,
    },
    /// Some players did not meet any of the others, neither directly nor through third players.
    #[error("{} groups of players did not play each other", groups.len())]
    Disconnected {
        /// Groups of players that met, each in order.
        groups: Vec<Vec<usize>>,
    },
    /// The watch said stop.
    #[error("interrupted before the players were rated")]
    Interrupted,
}

impl CrossTable {
    /// Creates a table of this number of players without games.
    #[must_use]
    pub fn new(players: usize) -> CrossTable {
        CrossTable { players, encounters: vec![Pairs::default(); players * players] }
    }

    /// Number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds games of `a` and `b`, as seen by a.
    ///
    /// # Panics
    ///
    /// If a player does not exist, or a is b.
    pub fn add(&mut self, a: usize, b: usize, pairs: Pairs) {
        assert!(a < self.players && b < self.players && a != b, "players {a} and {b} cannot meet");
        let here = a.min(b) * self.players + a.max(b);
        self.encounters[here] += if a < b { pairs } else { pairs.swapped() };
    }

    /// Returns the games of `a` and `b`, as seen by a; empty if a is b.
    ///
    /// # Panics
    ///
    /// If a player does not exist.
    #[must_use]
    pub fn encounter(&self, a: usize, b: usize) -> Pairs {
        assert!(a < self.players && b < self.players, "unknown players {a} and {b}");
        let pairs = self.encounters[a.min(b) * self.players + a.max(b)];
        if a < b { pairs } else { pairs.swapped() }
    }

    /// Returns the encounters with at least one game, the lower number first, in order.
    fn played(&self) -> impl Iterator<Item = (usize, usize, Pairs)> {
        couples(self.players)
            .map(|(a, b)| (a, b, self.encounter(a, b)))
            .filter(|(_, _, pairs)| pairs.games() > 0)
    }
}

/// Rates the players by the model of Bradley and Terry (1952): the expected share of points between
/// two players depends only on the difference of their Elo. A draw counts as half a win and half a
/// loss. This leaves the expected scores unchanged and needs no parameter for draws, unlike the
/// model of Davidson (1970).
///
/// The ratings are the most likely ones. They do not exist if some players took no point from
/// others ([`Ratings::separated`]). Then every player gets a pair of games, one won and one lost,
/// against an imagined player of rating 0. This bounds all ratings and changes them little if there
/// are many games.
///
/// Their covariance is the sandwich of the information matrix of games and the variance of the
/// points of each encounter as measured from its pairs (Huber 1967), because the games of a pair
/// are not independent, and draws vary less than wins and losses.
///
/// Ratings and differences are tested by the generalised score test (Boos 1992) with this
/// covariance. The ratings are fitted again with the difference fixed at the tested value; the
/// prior applies only if the rest of the players are still separated. With more than 16 players the
/// others are not fitted again. Instead they move in proportion to their covariance with the
/// difference, along the least favourable path (Stein 1956), so that all tests together take time
/// proportional to the third power of the number of players. An interval contains the values that
/// the test does not reject. Its points are those of Student's t. The degrees of freedom are the
/// number of pairs, plus the games without a partner, in the whole table. For two players, test and
/// interval are those of [`Comparison::score`](super::Comparison::score).
///
/// # Errors
///
/// If there are fewer than two players, if some did not meet any of the others, or if `watch` says
/// stop.
///
/// ```
/// use treegauge_core::Outcome;
/// use treegauge_stats::{CrossTable, Pairs, rate};
/// let mut won = Pairs::default();
/// let mut split = Pairs::default();
/// for _ in 0..30 {
///     won.add(Outcome::FirstWins, Outcome::SecondWins);
///     split.add(Outcome::FirstWins, Outcome::FirstWins);
/// }
/// let mut table = CrossTable::new(2);
/// table.add(0, 1, won);
/// table.add(0, 1, split);
/// let ratings = rate(&table, &()).unwrap();
/// // Three points of four are odds of 3 to 1.
/// let elo = ratings.differences[0].elo.mean.unwrap();
/// assert!((elo - 400.0 * 3f64.log10()).abs() < 1e-6);
/// assert!(ratings.differences[0].real);
/// ```
pub fn rate(table: &CrossTable, watch: &dyn Watch) -> Result<Ratings, RatingsError> {
    let n = table.players;
    if n < 2 {
        return Err(RatingsError::TooFew { players: n });
    }
    let met = reach(n, |a, b| table.encounter(a, b).games() > 0);
    let mut groups: Vec<Vec<usize>> = (0..n)
        .filter(|&a| (0..a).all(|b| !met[a][b]))
        .map(|a| (a..n).filter(|&b| a == b || met[a][b]).collect())
        .collect();
    if groups.len() > 1 {
        groups.sort_unstable();
        return Err(RatingsError::Disconnected { groups });
    }
    // Entry a, b: whether a took a point from b, directly or through others.
    let took = reach(n, |a, b| table.encounter(a, b).points() > 0.0);
    let separated = couples(n).any(|(a, b)| !(took[a][b] && took[b][a]));
    let prior = if separated { 2.0 } else { 0.0 };
    let met: Vec<Met> = table.played().map(Met::new).collect();
    let strengths = likeliest(&met, n, prior, watch).ok_or(RatingsError::Interrupted)?;
    let covariance = covariance(&met, &strengths, prior);
    let freedom = table.played().map(|(.., pairs)| pairs.score().n).sum::<u64>() as f64;
    let paths = (n > REFITTED_MAX).then(|| Paths::new(&met, &strengths, prior));
    let judge = Judge { met: &met, strengths: &strengths, covariance: &covariance, freedom, paths };
    let go_on = || if watch.stop() { Err(RatingsError::Interrupted) } else { Ok(()) };

    // The ratings of two players are one number, half of their difference.
    let point = judge.point(if n > 2 { n } else { 1 });
    let ratings = (0..n).into_par_iter().map(|player| {
        go_on()?;
        let others = || (0..n).filter(move |&other| other != player);
        let games = others().map(|other| table.encounter(player, other).games()).sum();
        // A group that no other player took a point from has no upper bound.
        let above = others().any(|b| !took[b][player])
            && others().all(|b| !took[b][player] || took[player][b]);
        let below = others().any(|b| !took[player][b])
            && others().all(|b| !took[player][b] || took[b][player]);
        let prior = if n > 2 { prior } else { 0.0 };
        let test = judge.test(Contrast::Rating(player), prior);
        Ok(Rating { player, elo: test.interval(point, (below, above), games) })
    });
    let ratings = ratings.collect::<Result<_, _>>()?;

    let count = n * (n - 1) / 2;
    let point = judge.point(count);
    let every_two: Vec<(usize, usize)> = couples(n).collect();
    let differences = every_two.into_par_iter().map(|(a, b)| {
        go_on()?;
        let (better, worse) = if strengths[a] >= strengths[b] { (a, b) } else { (b, a) };
        let games = table.encounter(a, b).games();
        // The tests below ask whether the players stay separated if these two count as one.
        let out = |x: usize| x == a || x == b || took[x][a] || took[x][b];
        let back = |x: usize| x == a || x == b || took[a][x] || took[b][x];
        let tied = |x: usize, y: usize| took[x][y] || (out(x) && back(y));
        let needs_none = || couples(n).all(|(x, y)| tied(x, y) && tied(y, x));
        let prior = if n <= REFITTED_MAX && needs_none() { 0.0 } else { prior };
        let unbounded = (!took[better][worse], !took[worse][better]);
        let test = judge.test(Contrast::Difference(better, worse), prior);
        let elo = test.interval(point, unbounded, games);
        let p = 2.0 * student_cdf(-test.t(0.0).abs(), freedom) * count as f64;
        Ok(RatingDifference { better, worse, elo, p_value: p.min(1.0), real: p < 0.05 })
    });
    Ok(Ratings {
        differences: differences.collect::<Result<_, _>>()?,
        ratings,
        separated,
        fit: fit(&met, &strengths),
        cycles: cycles(table),
    })
}

/// Greatest number of players for which the ratings are fitted again in each test. With twice as
/// many players there are four times as many tests, and each takes eight times as long.
const REFITTED_MAX: usize = 16;

/// Common data for the tests of contrasts: weighted sums of the ratings whose weights sum to 0.
struct Judge<'a> {
    met: &'a [Met],
    strengths: &'a [f64],
    covariance: &'a [Vec<f64>],
    freedom: f64,
    /// Paths that replace refitting; only with many players.
    paths: Option<Paths<'a>>,
}

/// Test of a contrast.
struct Test<'a> {
    judge: &'a Judge<'a>,
    /// Contrast of the most likely ratings, and its standard deviation.
    mean: f64,
    deviation: f64,
    how: How,
}

enum How {
    /// The ratings are fitted again with this contrast and prior.
    Refit { contrast: Vec<f64>, prior: f64 },
    /// The ratings move along a path.
    Along(Path),
}

impl Judge<'_> {
    /// Number of standard deviations beyond which one of `count` contrasts is rejected.
    fn point(&self, count: usize) -> f64 {
        let tail = 0.025 / count as f64;
        let beyond = |t: f64| tail - student_cdf(-t, self.freedom);
        crossing(beyond, 0.0, bracket(beyond, 1.0), 1e-9)
    }

    fn test(&self, contrast: Contrast, prior: f64) -> Test<'_> {
        let n = self.strengths.len();
        let (mean, weights) = match contrast {
            Contrast::Difference(a, b) => {
                let mut weights = vec![0.0; n];
                (weights[a], weights[b]) = (1.0, -1.0);
                (self.strengths[a] - self.strengths[b], weights)
            }
            Contrast::Rating(player) => {
                let mut weights = vec![-1.0 / n as f64; n];
                weights[player] += 1.0;
                (dot(&weights, self.strengths), weights)
            }
        };
        if let Some(paths) = &self.paths {
            let path = paths.path(contrast);
            return Test { judge: self, mean, deviation: path.deviation, how: How::Along(path) };
        }
        let deviation = dot(&weights, &apply(self.covariance, &weights)).max(0.0).sqrt();
        Test { judge: self, mean, deviation, how: How::Refit { contrast: weights, prior } }
    }
}

impl Test<'_> {
    /// Returns the distance of the contrast above `value`, in standard deviations: see [`rate`].
    fn t(&self, value: f64) -> f64 {
        let Judge { met, strengths, .. } = self.judge;
        let (contrast, prior) = match &self.how {
            How::Refit { contrast, prior } => (contrast, *prior),
            How::Along(path) => return path.t(value - self.mean),
        };
        let shift = (value - dot(contrast, strengths)) / dot(contrast, contrast);
        let start = strengths.iter().zip(contrast).map(|(r, c)| r + shift * c).collect();
        let r = maximum(met, start, prior, Some(contrast));
        let bread = inverse(information(met, &r, prior));
        let steep = apply(&bread, contrast);
        let variance = dot(&steep, &apply(&filling(met, &r, prior), &steep));
        dot(&steep, &gradient(met, &r, prior)) / variance.sqrt()
    }

    /// Returns the contrast in Elo points with its interval; the ends marked unbounded are `None`.
    fn interval(&self, point: f64, unbounded: (bool, bool), n: u64) -> Estimate {
        let end = |unbounded: bool, sign: f64| {
            let refused = |by: f64| -sign * self.t(self.mean + sign * by) - point;
            let by = || crossing(refused, 0.0, bracket(refused, point * self.deviation), 1e-9);
            (!unbounded).then(|| ELO_PER_LOGIT * (self.mean + sign * by()))
        };
        let (low, high) = (end(unbounded.0, -1.0), end(unbounded.1, 1.0));
        Estimate { mean: Some(ELO_PER_LOGIT * self.mean), low, high, n }
    }
}

/// Doubles `start` until `f` is at least 0 there.
fn bracket(f: impl Fn(f64) -> f64, start: f64) -> f64 {
    let doubled = |&x: &f64| Some(2.0 * x);
    // NaN, beyond the range of floats, ends it too.
    let end = |&x: &f64| {
        let value = f(x);
        value >= 0.0 || value.is_nan()
    };
    std::iter::successors(Some(start.max(1e-6)), doubled).find(end).expect("doubling never ends")
}

/// Returns every two of `n` players, the lower number first.
fn couples(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

/// Computes the transitive closure of `edge`: which players reach which (Warshall 1962).
fn reach(n: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
    let mut reach: Vec<Vec<bool>> =
        (0..n).map(|a| (0..n).map(|b| a != b && edge(a, b)).collect()).collect();
    for via in 0..n {
        let onward = reach[via].clone();
        for row in &mut reach {
            if row[via] {
                row.iter_mut().zip(&onward).for_each(|(to, &onward)| *to |= onward);
            }
        }
    }
    reach
}

/// Computes the goodness of fit by one step from the most likely ratings towards those of the least
/// chi-square. The sum there has a chi-squared distribution, although pairs of different encounters
/// vary differently.
fn fit(met: &[Met], r: &[f64]) -> Option<Fit> {
    let degrees_of_freedom = (met.len() + 1).checked_sub(r.len()).filter(|&free| free > 0)?;
    let terms = |met: &Met| {
        let of_game = met.of_game(r);
        (met.surplus(r), met.games * of_game, met.spread * of_game)
    };
    let mut gain = vec![0.0; r.len()];
    let mut total = 0.0;
    for met in met {
        let (surplus, slope, variance) = terms(met);
        total += surplus * surplus / variance;
        gain[met.a] += slope * surplus / variance;
        gain[met.b] -= slope * surplus / variance;
    }
    let mut curvature = laplacian(met, r.len(), |met| {
        let (_, slope, variance) = terms(met);
        slope * slope / variance
    });
    pin(&mut curvature);
    let inverse = inverse(curvature);
    let explained: f64 = (0..r.len())
        .flat_map(|i| (0..r.len()).map(move |j| (i, j)))
        .map(|(i, j)| gain[i] * inverse[i][j] * gain[j])
        .sum();
    let chi_squared = (total - explained).max(0.0);
    let distribution =
        ChiSquared::new(degrees_of_freedom as f64).expect("there are degrees of freedom");
    Some(Fit {
        chi_squared,
        degrees_of_freedom: degrees_of_freedom as u64,
        p_value: distribution.sf(chi_squared),
    })
}

/// Finds the cycles of three in which all encounters are decided. Each p-value is multiplied by the
/// number of encounters.
fn cycles(table: &CrossTable) -> Vec<Cycle> {
    let n = table.players;
    let encounters = table.played().count() as f64;
    // p-values, in the row of the better player.
    let mut beats: Vec<Vec<Option<f64>>> = vec![vec![None; n]; n];
    for (a, b, pairs) in table.played() {
        let Some(p) = pairs.p_value().map(|p| p * encounters).filter(|&p| p < 0.05) else {
            continue;
        };
        let (better, worse) = if pairs.score().mean > Some(0.5) { (a, b) } else { (b, a) };
        beats[better][worse] = Some(p);
    }
    let mut cycles = Vec::new();
    for (a, b) in couples(n) {
        for c in b + 1..n {
            for [x, y, z] in [[a, b, c], [a, c, b]] {
                if let (Some(p), Some(q), Some(r)) = (beats[x][y], beats[y][z], beats[z][x]) {
                    cycles.push(Cycle { players: [x, y, z], p_value: p.max(q).max(r) });
                }
            }
        }
    }
    cycles
}
