//! Several players on one scale.

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

/// The results of all players against each other. Players are numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    players: usize,
    /// Row by row; an encounter stands in the row of the player with the lower number, from the
    /// view of that player.
    encounters: Vec<Pairs>,
}

/// The ratings of the players of a cross table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// One for each player, in their order.
    pub ratings: Vec<Rating>,
    /// All pairs of players, each with the one rated higher as `better`, in the order of the table.
    pub differences: Vec<RatingDifference>,
    /// Whether some players took no point from some others, neither directly nor by way of a third:
    /// then nothing bounds the ratings (Ford 1957), and all of them rest on the prior of [`rate`].
    pub separated: bool,
    /// How well a single rating per player fits the results; `None` where it must.
    pub fit: Option<Fit>,
    /// The cycles in which each player beats the next, as far as they are significant.
    pub cycles: Vec<Cycle>,
}

impl Ratings {
    /// The players, the one rated highest first.
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

/// The strength of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The player.
    pub player: usize,
    /// Elo points; the mean of all players is 0. `n` counts the games. The intervals of all players
    /// hold the truth at once with at least 95% (Bonferroni). An end is `None` where the player, or
    /// a group to which it belongs, lost no point to the others or won none from them.
    pub elo: Estimate,
}

/// How much better one player is than another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingDifference {
    /// The player that is rated higher.
    pub better: usize,
    /// The other.
    pub worse: usize,
    /// Elo points, 0 or more, from the games of all players. `n` counts the games of these two. The
    /// intervals of all differences hold the truth at once with at least 95% (Bonferroni).
    pub elo: Estimate,
    /// The two-sided probability of such a difference between equal players, times the number of
    /// differences, at most 1.
    pub p_value: f64,
    /// Whether it is real: `p_value` is below 0.05, and the interval does not hold 0. With at least
    /// 95%, no difference of the list that is said to be real has the wrong sign or is none.
    pub real: bool,
}

/// How well a single rating per player fits the results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// The sum of squares of what the points of each encounter differ from those expected, in
    /// standard deviations of the pairs: the minimum chi-square (Neyman 1949).
    pub chi_squared: f64,
    /// Encounters less the ratings that were fitted.
    pub degrees_of_freedom: u64,
    /// The probability of a sum this large where single ratings do fit: below 0.05 the order of the
    /// players depends on the pairing.
    pub p_value: f64,
}

/// Three players of which each beats the next, and the last the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cycle {
    /// The players, the lowest number first.
    pub players: [usize; 3],
    /// The largest two-sided p of the three encounters, times the number of encounters: below 0.05.
    pub p_value: f64,
}

/// Why players cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RatingsError {
    /// There are too few players to compare.
    #[error("{players} players cannot be compared: it takes two")]
    TooFew {
        /// How many there are.
        players: usize,
    },
    /// Some players did not play any of the others, neither directly nor by way of a third.
    #[error("{} groups of players did not play each other", groups.len())]
    Disconnected {
        /// The groups, each with its players in order.
        groups: Vec<Vec<usize>>,
    },
    /// The watch said stop.
    #[error("interrupted before the players were rated")]
    Interrupted,
}

impl CrossTable {
    /// A table of this number of players without games.
    #[must_use]
    pub fn new(players: usize) -> CrossTable {
        CrossTable { players, encounters: vec![Pairs::default(); players * players] }
    }

    /// The number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds games of `a` and `b`, from the view of a.
    ///
    /// # Panics
    ///
    /// If there is no such player, or a is b.
    pub fn add(&mut self, a: usize, b: usize, pairs: Pairs) {
        assert!(a < self.players && b < self.players && a != b, "players {a} and {b} cannot meet");
        let here = a.min(b) * self.players + a.max(b);
        self.encounters[here] += if a < b { pairs } else { pairs.swapped() };
    }

    /// The games of `a` and `b`, from the view of a; none where a is b.
    ///
    /// # Panics
    ///
    /// If there is no such player.
    #[must_use]
    pub fn encounter(&self, a: usize, b: usize) -> Pairs {
        assert!(a < self.players && b < self.players, "there are no players {a} and {b}");
        let pairs = self.encounters[a.min(b) * self.players + a.max(b)];
        if a < b { pairs } else { pairs.swapped() }
    }

    /// The encounters in which there was a game, the lower number first, in order.
    fn played(&self) -> impl Iterator<Item = (usize, usize, Pairs)> {
        couples(self.players)
            .map(|(a, b)| (a, b, self.encounter(a, b)))
            .filter(|(_, _, pairs)| pairs.games() > 0)
    }
}

/// Rates the players by the model of Bradley and Terry (1952): the share of points that a player
/// takes from another depends on the difference of their Elo alone. A draw is half a win and half a
/// loss, which leaves the expected scores as they are and needs no parameter for draws, as that of
/// Davidson (1970) does.
///
/// The ratings are the most likely ones. Where none are, because some players took no point from
/// others ([`Ratings::separated`]), every player is given a pair of games, one won and one lost,
/// against an imagined player of rating 0, which bounds all ratings and changes them little where
/// there are many games.
///
/// Their covariance is the sandwich of the information matrix of games and the variance of the
/// points of each encounter as its pairs have it (Huber 1967): the games of a pair are not
/// independent, and draws spread less than wins and losses. Ratings and differences are judged by
/// the generalised score test (Boos 1992) with it: the ratings are fitted again with the difference
/// held at what is tested, the prior being needed only where the rest of the players is separated
/// still. With more than 16 players the others are not fitted again but follow in proportion to their
/// covariance with the difference, along the least favourable path (Stein 1956): all tests together
/// then take the third power of the number of players. An interval holds what the test does not
/// refuse. The points are those of Student's t with
/// as many degrees of freedom as there are pairs, and games without a partner, in the whole table.
/// Between two players that is the test and the interval of
/// [`Comparison::score`](super::Comparison::score).
///
/// # Errors
///
/// When there are fewer than two players, some did not play any of the others, or `watch` says stop.
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
    // Whether a took a point from b, if only by way of others.
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
        // A group from which no other player took a point has no upper bound.
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
        // Whether the players are separated when these two are one.
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

/// The most players whose ratings are fitted again for each test: with twice as many that takes eight
/// times as long for each of four times as many tests.
const REFITTED_MAX: usize = 16;

/// What contrasts of the ratings, sums of them with weights that sum up to 0, are judged by.
struct Judge<'a> {
    met: &'a [Met],
    strengths: &'a [f64],
    covariance: &'a [Vec<f64>],
    freedom: f64,
    /// With many players.
    paths: Option<Paths<'a>>,
}

/// The test of a contrast.
struct Test<'a> {
    judge: &'a Judge<'a>,
    /// The contrast of the most likely ratings, and its standard deviation.
    mean: f64,
    deviation: f64,
    how: How,
}

enum How {
    /// The ratings are fitted again with this contrast and prior.
    Refit { contrast: Vec<f64>, prior: f64 },
    /// They move along a path.
    Along(Path),
}

impl Judge<'_> {
    /// The standard deviations beyond which one of `count` contrasts is refused.
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
    /// How far, in standard deviations, the contrast is above `value`: see [`rate`].
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

    /// The contrast in Elo points with its interval, of which the lower or the upper end may be
    /// unbounded.
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

/// `start`, doubled until `f` is not below 0 there.
fn bracket(f: impl Fn(f64) -> f64, start: f64) -> f64 {
    let doubled = |&x: &f64| Some(2.0 * x);
    // What is beyond all floats ends it too.
    let end = |&x: &f64| {
        let value = f(x);
        value >= 0.0 || value.is_nan()
    };
    std::iter::successors(Some(start.max(1e-6)), doubled).find(end).expect("doubling never ends")
}

/// All pairs of `n` players, the lower number first.
fn couples(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

/// Which players can be reached along `edge` from which (Warshall 1962).
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

/// The goodness of fit: one step from the most likely ratings to those of the least chi-square,
/// whose sum has the distribution of chi-squared although pairs of different encounters spread
/// differently.
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

/// The cycles of three in which all encounters are decided, each p multiplied by their number.
fn cycles(table: &CrossTable) -> Vec<Cycle> {
    let n = table.players;
    let encounters = table.played().count() as f64;
    // In the row of the player that is better, the p.
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
