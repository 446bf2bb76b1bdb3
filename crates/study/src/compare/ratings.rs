//! Several players on one scale.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use thiserror::Error;

use super::elo::ELO_PER_LOGIT;
use super::matrix::{apply, dot, inverse, product, transposed};
use super::root::crossing;
use super::{Pairs, expected_score};
use crate::stats::{Estimate, student_cdf};

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
    pub differences: Vec<Difference>,
    /// Whether some players took no point from some others, neither directly nor by way of a third:
    /// then nothing bounds the ratings (Ford 1957), and all of them rest on the prior of [`rate`].
    pub separated: bool,
    /// How well a single rating per player fits the results; `None` where it must.
    pub fit: Option<Fit>,
    /// The cycles in which each player beats the next, as far as they are significant.
    pub cycles: Vec<Cycle>,
}

/// The strength of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The player.
    pub player: usize,
    /// Elo points; the mean of all players is 0. `n` counts the games. The intervals of all players
    /// hold the truth at once with at least 95 % (Bonferroni). An end is `None` where the player, or
    /// a group to which it belongs, lost no point to the others or won none from them.
    pub elo: Estimate,
}

/// How much better one player is than another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The player that is rated higher.
    pub better: usize,
    /// The other.
    pub worse: usize,
    /// Elo points, 0 or more, from the games of all players. `n` counts the games of these two. The
    /// intervals of all differences hold the truth at once with at least 95 % (Bonferroni).
    pub elo: Estimate,
    /// The two-sided probability of such a difference between equal players, times the number of
    /// differences, at most 1.
    pub p_value: f64,
    /// Whether it is real: `p_value` is below 0.05, and the interval does not hold 0. With at least
    /// 95 %, no difference of the list that is said to be real has the wrong sign or is none.
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
/// still. An interval holds what the test does not refuse. The points are those of Student's t with
/// as many degrees of freedom as there are pairs, and games without a partner, in the whole table.
/// Between two players that is the test and the interval of
/// [`Comparison::score`](super::Comparison::score).
///
/// # Errors
///
/// When there are fewer than two players, or some did not play any of the others.
///
/// ```
/// use treegauge_core::Outcome;
/// use treegauge_study::compare::{CrossTable, Pairs, rate};
/// let mut won = Pairs::default();
/// let mut split = Pairs::default();
/// for _ in 0..30 {
///     won.add(Outcome::FirstWins, Outcome::SecondWins);
///     split.add(Outcome::FirstWins, Outcome::FirstWins);
/// }
/// let mut table = CrossTable::new(2);
/// table.add(0, 1, won);
/// table.add(0, 1, split);
/// let ratings = rate(&table).unwrap();
/// // Three points of four are odds of 3 to 1.
/// let elo = ratings.differences[0].elo.mean.unwrap();
/// assert!((elo - 400.0 * 3f64.log10()).abs() < 1e-6);
/// assert!(ratings.differences[0].real);
/// ```
pub fn rate(table: &CrossTable) -> Result<Ratings, RatingsError> {
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
    let strengths = likeliest(&met, n, prior);
    let covariance = covariance(&met, &strengths, prior);
    let freedom = table.played().map(|(.., pairs)| pairs.score().n).sum::<u64>() as f64;
    let judge = Judge { met: &met, strengths: &strengths, covariance: &covariance, freedom };

    // Each is many fits of all ratings; with a hundred players there are thousands.
    let ratings = (0..n).into_par_iter().map(|player| {
        let others = || (0..n).filter(move |&other| other != player);
        let games = others().map(|other| table.encounter(player, other).games()).sum();
        // A group from which no other player took a point has no upper bound.
        let above = others().any(|b| !took[b][player])
            && others().all(|b| !took[b][player] || took[player][b]);
        let below = others().any(|b| !took[player][b])
            && others().all(|b| !took[player][b] || took[b][player]);
        let mut contrast = vec![-1.0 / n as f64; n];
        contrast[player] += 1.0;
        // The rating of one of two players is their difference.
        let prior = if n > 2 { prior } else { 0.0 };
        let elo = judge.interval(&contrast, prior, n, (below, above), games);
        Rating { player, elo }
    });
    let ratings = ratings.collect();

    let count = n * (n - 1) / 2;
    let every_two: Vec<(usize, usize)> = couples(n).collect();
    let differences = every_two.into_par_iter().map(|(a, b)| {
        let (better, worse) = if strengths[a] >= strengths[b] { (a, b) } else { (b, a) };
        let games = table.encounter(a, b).games();
        let mut contrast = vec![0.0; n];
        (contrast[better], contrast[worse]) = (1.0, -1.0);
        // Whether the players are separated when these two are one.
        let out = |x: usize| x == a || x == b || took[x][a] || took[x][b];
        let back = |x: usize| x == a || x == b || took[a][x] || took[b][x];
        let tied = |x: usize, y: usize| took[x][y] || (out(x) && back(y));
        let prior = if couples(n).all(|(x, y)| tied(x, y) && tied(y, x)) { 0.0 } else { prior };
        let unbounded = (!took[better][worse], !took[worse][better]);
        let elo = judge.interval(&contrast, prior, count, unbounded, games);
        let p = 2.0 * student_cdf(-judge.t(&contrast, prior, 0.0).abs(), freedom) * count as f64;
        Difference { better, worse, elo, p_value: p.min(1.0), real: p < 0.05 }
    });
    Ok(Ratings {
        differences: differences.collect(),
        ratings,
        separated,
        fit: fit(&met, &strengths),
        cycles: cycles(table),
    })
}

/// What the games of two players add up to.
struct Met {
    a: usize,
    b: usize,
    games: f64,
    /// Points of a.
    points: f64,
    /// The variance of the points, as a multiple of that of one game.
    spread: f64,
}

impl Met {
    fn new((a, b, pairs): (usize, usize, Pairs)) -> Met {
        let spread = 4.0 * pairs.variance_of_points(0.5);
        Met { a, b, games: pairs.games() as f64, points: pairs.points(), spread }
    }

    /// The variance of the result of one game with these log odds, where there are no draws.
    fn of_game(&self, r: &[f64]) -> f64 {
        let share = share(r[self.a] - r[self.b]);
        share * (1.0 - share)
    }

    /// The points of a less those expected.
    fn surplus(&self, r: &[f64]) -> f64 {
        self.points - self.games * share(r[self.a] - r[self.b])
    }
}

/// What contrasts of the ratings, sums of them with weights that sum up to 0, are judged by.
struct Judge<'a> {
    met: &'a [Met],
    strengths: &'a [f64],
    covariance: &'a [Vec<f64>],
    freedom: f64,
}

impl Judge<'_> {
    /// How far, in standard deviations, the contrast is above `value`: see [`rate`].
    fn t(&self, contrast: &[f64], prior: f64, value: f64) -> f64 {
        let shift = (value - dot(contrast, self.strengths)) / dot(contrast, contrast);
        let start = self.strengths.iter().zip(contrast).map(|(r, c)| r + shift * c).collect();
        let r = maximum(self.met, start, prior, Some(contrast));
        let bread = inverse(information(self.met, &r, prior));
        let steep = apply(&bread, contrast);
        let variance = dot(&steep, &apply(&filling(self.met, &r, prior), &steep));
        dot(&steep, &gradient(self.met, &r, prior)) / variance.sqrt()
    }

    /// The contrast in Elo points with its interval, one of `count`, of which the lower or the
    /// upper end may be unbounded.
    fn interval(
        &self,
        contrast: &[f64],
        prior: f64,
        count: usize,
        unbounded: (bool, bool),
        n: u64,
    ) -> Estimate {
        let mean = dot(contrast, self.strengths);
        let tail = 0.025 / count as f64;
        let beyond = |t: f64| tail - student_cdf(-t, self.freedom);
        let point = crossing(beyond, 0.0, bracket(beyond, 1.0), 1e-9);
        let deviation = dot(contrast, &apply(self.covariance, contrast)).max(0.0).sqrt();
        let end = |unbounded: bool, sign: f64| {
            let refused = |by: f64| -sign * self.t(contrast, prior, mean + sign * by) - point;
            let by = || crossing(refused, 0.0, bracket(refused, point * deviation), 1e-9);
            (!unbounded).then(|| ELO_PER_LOGIT * (mean + sign * by()))
        };
        let (low, high) = (end(unbounded.0, -1.0), end(unbounded.1, 1.0));
        Estimate { mean: Some(ELO_PER_LOGIT * mean), low, high, n }
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

/// The share of points expected where the difference of log odds is `difference`.
fn share(difference: f64) -> f64 {
    expected_score(ELO_PER_LOGIT * difference)
}

/// The most likely log odds, with mean 0, where every player also played `prior` games for half the
/// points against an opponent of log odds 0.
fn likeliest(met: &[Met], n: usize, prior: f64) -> Vec<f64> {
    let mut r = maximum(met, vec![0.0; n], prior, None);
    let mean = r.iter().sum::<f64>() / n as f64;
    r.iter_mut().for_each(|r| *r -= mean);
    r
}

/// The most likely log odds with this prior among those that have the contrast of `start`, if one
/// is held.
///
/// Newton's method; a step that does not raise the likelihood is halved. The likelihood is concave,
/// so there is one maximum.
fn maximum(met: &[Met], start: Vec<f64>, prior: f64, held: Option<&[f64]>) -> Vec<f64> {
    let likelihood = |r: &[f64]| -> f64 {
        // ln of the expected share, without overflow far below.
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
        let inverse = inverse(information(met, &r, prior));
        let mut step = apply(&inverse, &gradient(met, &r, prior));
        if let Some(held) = held {
            // Lagrange's multiplier takes out of the step what would change the contrast.
            let along = apply(&inverse, held);
            let multiplier = dot(held, &step) / dot(held, &along);
            step.iter_mut().zip(&along).for_each(|(step, along)| *step -= multiplier * along);
        }
        // Halving ends: a step that is lost in rounding changes nothing, and one beyond all floats
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
    r
}

/// The slope of the likelihood.
fn gradient(met: &[Met], r: &[f64], prior: f64) -> Vec<f64> {
    let mut gradient: Vec<f64> = r.iter().map(|&r| prior * (0.5 - share(r))).collect();
    for met in met {
        let surplus = met.surplus(r);
        gradient[met.a] += surplus;
        gradient[met.b] -= surplus;
    }
    gradient
}

/// The matrix of `weight` between `n` players: the sum of `weight (e_a - e_b)(e_a - e_b)'` over all
/// encounters.
fn laplacian(met: &[Met], n: usize, weight: impl Fn(&Met) -> f64) -> Vec<Vec<f64>> {
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

/// Fisher's information on log odds, made invertible: see [`pin`].
fn information(met: &[Met], r: &[f64], prior: f64) -> Vec<Vec<f64>> {
    let mut matrix = laplacian(met, r.len(), |met| met.games * met.of_game(r));
    if prior == 0.0 {
        pin(&mut matrix);
    }
    add_prior(&mut matrix, r, prior);
    matrix
}

/// The covariance of the slope of the likelihood.
fn filling(met: &[Met], r: &[f64], prior: f64) -> Vec<Vec<f64>> {
    let mut matrix = laplacian(met, r.len(), |met| met.spread * met.of_game(r));
    add_prior(&mut matrix, r, prior);
    matrix
}

/// Adds what the games of the prior are in the diagonal.
fn add_prior(matrix: &mut [Vec<f64>], r: &[f64], prior: f64) {
    for (player, row) in matrix.iter_mut().enumerate() {
        row[player] += prior * share(r[player]) * (1.0 - share(r[player]));
    }
}

/// Adds what fixes the mean of all players, on which no game has any information, so that the
/// inverse is that of the differences.
fn pin(matrix: &mut [Vec<f64>]) {
    let n = matrix.len() as f64;
    // Of the size of the rest, lest the inverse lose digits.
    let trace: f64 = matrix.iter().enumerate().map(|(i, row)| row[i]).sum();
    matrix.iter_mut().flatten().for_each(|cell| *cell += trace / (n * n));
}

/// The covariance of log odds whose mean is 0.
fn covariance(met: &[Met], r: &[f64], prior: f64) -> Vec<Vec<f64>> {
    let bread = inverse(information(met, r, prior));
    let filling = filling(met, r, prior);
    let mut covariance = product(&product(&bread, &filling), &bread);
    // Less the mean, on both sides.
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
    let encounters = table.played().count() as f64;
    let beats = |a: usize, b: usize| {
        let pairs = table.encounter(a, b);
        let p = pairs.p_value()? * encounters;
        (p < 0.05 && pairs.score().mean > Some(0.5)).then_some(p)
    };
    let mut cycles = Vec::new();
    for (a, b) in couples(table.players) {
        for c in b + 1..table.players {
            for [x, y, z] in [[a, b, c], [a, c, b]] {
                if let (Some(p), Some(q), Some(r)) = (beats(x, y), beats(y, z), beats(z, x)) {
                    cycles.push(Cycle { players: [x, y, z], p_value: p.max(q).max(r) });
                }
            }
        }
    }
    cycles
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use treegauge_core::uniform_below;
    use treegauge_search::Seed;

    use super::super::elo;
    use super::super::testing::{OUTCOMES, any_pairs, finite, pairs_of};
    use super::*;

    /// Any connected table of two to five players.
    fn any_table() -> impl Strategy<Value = CrossTable> {
        (2usize..6).prop_flat_map(|n| {
            prop::collection::vec(any_pairs(), n * (n - 1) / 2).prop_map(move |encounters| {
                let mut table = CrossTable::new(n);
                for ((a, b), pairs) in couples(n).zip(encounters) {
                    table.add(a, b, pairs);
                    // Neighbours have met at least twice.
                    if b == a + 1 {
                        table.add(a, b, pairs_of([0, 0, 1, 0, 0]));
                    }
                }
                table
            })
        })
    }

    /// Players of these Elo ratings that play a number of random pairs each, without draws.
    fn simulated(elos: &[f64], pairs: u32, seed: u64) -> CrossTable {
        let mut table = CrossTable::new(elos.len());
        let mut rng = Seed(seed).generator();
        for (a, b) in couples(elos.len()) {
            let score = expected_score(elos[a] - elos[b]);
            let mut win = |share: f64| {
                OUTCOMES[if f64::from(uniform_below(&mut rng, 1 << 30)) < share * 2f64.powi(30) {
                    2
                } else {
                    0
                }]
            };
            let mut played = Pairs::default();
            for _ in 0..pairs {
                played.add(win(score), win(1.0 - score));
            }
            table.add(a, b, played);
        }
        table
    }

    /// The most likely ratings by the iteration of Hunter (2004, section 2), slowly.
    fn minorised(table: &CrossTable) -> Vec<f64> {
        let n = table.players();
        let mut strengths = vec![1.0; n];
        for _ in 0..20_000 {
            strengths = (0..n)
                .map(|a| {
                    let others =
                        || (0..n).filter(move |&b| b != a).map(move |b| (b, table.encounter(a, b)));
                    let points: f64 = others().map(|(_, pairs)| pairs.points()).sum();
                    let chances: f64 = others()
                        .map(|(b, pairs)| pairs.games() as f64 / (strengths[a] + strengths[b]))
                        .sum();
                    points / chances
                })
                .collect();
            let mean = strengths.iter().map(|s: &f64| s.ln()).sum::<f64>() / n as f64;
            strengths.iter_mut().for_each(|s| *s /= mean.exp());
        }
        strengths.iter().map(|s| ELO_PER_LOGIT * s.ln()).collect()
    }

    fn elos(ratings: &Ratings) -> Vec<f64> {
        ratings.ratings.iter().map(|rating| rating.elo.mean.unwrap()).collect()
    }

    #[test]
    fn ratings_are_those_of_the_slow_iteration() {
        let mut table = CrossTable::new(4);
        table.add(0, 1, pairs_of([3, 8, 20, 12, 9]));
        table.add(2, 1, pairs_of([1, 2, 5, 9, 4]));
        table.add(3, 0, pairs_of([12, 10, 9, 2, 1]));
        table.add(2, 3, pairs_of([0, 1, 9, 12, 16]));
        let ratings = rate(&table).unwrap();
        assert!(!ratings.separated);
        for (fast, slow) in elos(&ratings).iter().zip(minorised(&table)) {
            assert!((fast - slow).abs() < 1e-6, "{fast} {slow}");
        }
    }

    #[test]
    fn two_players_are_rated_as_their_match_is() {
        let pairs = pairs_of([80, 0, 250, 0, 120]);
        let mut table = CrossTable::new(2);
        table.add(0, 1, pairs);
        let ratings = rate(&table).unwrap();
        let difference = ratings.differences[0];
        let match_ = pairs.comparison();
        assert!((difference.elo.mean.unwrap() - match_.elo.mean.unwrap()).abs() < 1e-6);
        assert!((difference.elo.low.unwrap() - match_.elo.low.unwrap()).abs() < 1e-5);
        assert!((difference.elo.high.unwrap() - match_.elo.high.unwrap()).abs() < 1e-5);
        assert!((difference.p_value - match_.p_value.unwrap()).abs() < 1e-12);
        assert_eq!(ratings.fit, None);
        assert_eq!((difference.better, difference.worse, difference.real), (0, 1, true));
    }

    #[test]
    fn a_player_that_wins_everything_is_rated_without_a_bound() {
        let mut table = CrossTable::new(4);
        for other in 1..4 {
            table.add(0, other, pairs_of([0, 0, 0, 0, 20]));
        }
        table.add(1, 2, pairs_of([1, 2, 14, 2, 1]));
        table.add(1, 3, pairs_of([0, 0, 0, 0, 20]));
        table.add(2, 3, pairs_of([0, 0, 0, 0, 20]));
        let ratings = rate(&table).unwrap();
        assert!(ratings.separated);
        let elo = |player: usize| ratings.ratings[player].elo;
        assert!(ratings.ratings.iter().all(|rating| finite(rating.elo)));
        assert!(elo(0).mean > elo(1).mean && elo(2).mean > elo(3).mean);
        assert!(elo(0).high.is_none() && elo(0).low.is_some());
        assert!(elo(3).low.is_none() && elo(3).high.is_some());
        assert!(elo(1).low.is_some() && elo(1).high.is_some());
        let of = |a: usize, b: usize| {
            *ratings.differences.iter().find(|d| [d.better, d.worse] == [a, b]).unwrap()
        };
        assert!(of(0, 1).real && of(0, 1).elo.high.is_none());
        let equal = ratings.differences[3];
        assert!(!equal.real && equal.elo.high.is_some() && equal.p_value > 0.9);
    }

    #[test]
    fn players_that_never_met_cannot_be_compared() {
        let mut table = CrossTable::new(5);
        assert_eq!(rate(&CrossTable::new(1)), Err(RatingsError::TooFew { players: 1 }));
        table.add(0, 3, pairs_of([0, 0, 4, 0, 0]));
        table.add(1, 4, pairs_of([0, 0, 4, 0, 0]));
        let groups = vec![vec![0, 3], vec![1, 4], vec![2]];
        assert_eq!(rate(&table), Err(RatingsError::Disconnected { groups }));
        table.add(2, 4, pairs_of([0, 0, 0, 0, 1]));
        table.add(2, 3, pairs_of([0, 0, 0, 0, 1]));
        assert!(rate(&table).is_ok());
    }

    #[test]
    fn a_cycle_is_found_and_fits_no_ratings() {
        let mut table = CrossTable::new(4);
        table.add(0, 2, pairs_of([0, 0, 20, 0, 30]));
        table.add(2, 1, pairs_of([0, 0, 20, 0, 30]));
        table.add(1, 0, pairs_of([0, 0, 20, 0, 30]));
        for other in 0..3 {
            table.add(3, other, pairs_of([5, 0, 40, 0, 5]));
        }
        let ratings = rate(&table).unwrap();
        assert_eq!(ratings.cycles.len(), 1);
        assert_eq!(ratings.cycles[0].players, [0, 2, 1]);
        assert!(ratings.cycles[0].p_value < 1e-4);
        let fit = ratings.fit.unwrap();
        assert_eq!(fit.degrees_of_freedom, 3);
        assert!(fit.p_value < 1e-6);
        assert!(ratings.differences.iter().all(|d| !d.real));
        // By hand: each of the three took 30 points of 100 more than expected, where the standard
        // deviation is 4.4, and all players are rated alike.
        assert!((134.0..144.0).contains(&fit.chi_squared), "{fit:?}");
    }

    #[test]
    fn intervals_hold_all_truths_at_once_and_the_fit_has_its_distribution() {
        let truth = [120.0, 40.0, 0.0, -30.0, -130.0];
        let (mut missed, mut poor, mut squares, mut false_) = (0, 0, 0.0, 0);
        let runs = 400;
        for run in 0..runs {
            let ratings = rate(&simulated(&truth, 40, run)).unwrap();
            let outside = |e: Estimate, truth: f64| {
                e.above(truth) == crate::stats::ThresholdSide::Above || e.high.unwrap() < truth
            };
            missed += u64::from(ratings.ratings.iter().any(|r| outside(r.elo, truth[r.player])));
            false_ += u64::from(
                ratings.differences.iter().any(|d| d.real && truth[d.better] <= truth[d.worse]),
            );
            let fit = ratings.fit.unwrap();
            assert_eq!(fit.degrees_of_freedom, 6);
            squares += fit.chi_squared;
            poor += u64::from(fit.p_value < 0.05);
            assert!(ratings.cycles.is_empty());
        }
        // Three standard errors at 5 % are 3.3 %.
        assert!((3..=33).contains(&missed), "{missed}");
        assert!(false_ <= 20, "{false_}");
        assert!((6..=33).contains(&poor), "{poor}");
        // The mean of chi-squared is its degrees of freedom; three standard errors are 0.52.
        let mean = squares / runs as f64;
        assert!((5.4..6.6).contains(&mean), "{mean}");
    }

    #[test]
    fn ratings_are_json_with_nulls() {
        let mut table = CrossTable::new(2);
        table.add(0, 1, pairs_of([0, 0, 0, 0, 1]));
        let json = serde_json::to_value(rate(&table).unwrap()).unwrap();
        assert!(json["ratings"][0]["elo"]["high"].is_null());
        assert!(json["ratings"][0]["elo"]["mean"].as_f64().unwrap() > 0.0);
        assert_eq!(json["separated"], true);
        assert!(json["fit"].is_null());
    }

    #[test]
    fn the_most_lopsided_results_are_rated() {
        // A million wins and a draw, twice: each player is far better than the next.
        let mut won = pairs_of([0, 0, 0, 0, 1]);
        for _ in 0..20 {
            won += won;
        }
        won += pairs_of([0, 0, 0, 1, 0]);
        let mut table = CrossTable::new(3);
        table.add(0, 1, won);
        table.add(1, 2, won);
        let ratings = rate(&table).unwrap();
        let step = elo(won.points() / won.games() as f64).unwrap();
        for (found, expected) in elos(&ratings).iter().zip([step, 0.0, -step]) {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
        assert!(!ratings.separated && ratings.ratings.iter().all(|r| finite(r.elo)));
    }

    #[test]
    fn an_inverse_is_one() {
        let matrix = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let one = product(&matrix, &inverse(matrix.clone()));
        for (i, j) in (0..9).map(|cell| (cell / 3, cell % 3)) {
            assert!((one[i][j] - f64::from(u8::from(i == j))).abs() < 1e-12);
        }
    }

    proptest! {
        #[test]
        fn two_players_are_never_rated_against_their_match(
            counts in [0u64..12, 0..12, 0..12, 0..12, 0..12], kind in 0usize..4,
        ) {
            // Also without draws, and one-sided.
            let kept = [[1; 5], [1, 0, 1, 0, 1], [0, 0, 1, 1, 1], [0, 0, 0, 0, 1]][kind];
            let mut pairs = pairs_of(std::array::from_fn(|half| counts[half] * kept[half]));
            prop_assume!(pairs.pairs() > 0);
            pairs.add_single(OUTCOMES[counts[0] as usize % 3], treegauge_core::Player::First);
            let mut table = CrossTable::new(2);
            table.add(0, 1, pairs);
            let difference = rate(&table).unwrap().differences[0];
            let seen = if difference.better == 0 { pairs } else { pairs.swapped() }.comparison();
            let near = |x: Option<f64>, y: Option<f64>| match (x, y) {
                (Some(x), Some(y)) => (x - y).abs() < 1e-4 * (1.0 + x.abs()),
                (x, y) => x == y,
            };
            prop_assert!((difference.p_value - seen.p_value.unwrap()).abs() < 1e-9);
            prop_assert_eq!(difference.real, seen.score.low > Some(0.5));
            prop_assert!(near(difference.elo.low, seen.elo.low), "{difference:?} {seen:?}");
            prop_assert!(near(difference.elo.high, seen.elo.high), "{difference:?} {seen:?}");
        }

        #[test]
        fn numbers_are_finite_and_sum_to_zero(table in any_table()) {
            let ratings = rate(&table).unwrap();
            prop_assert!(elos(&ratings).iter().sum::<f64>().abs() < 1e-6);
            for e in ratings.ratings.iter().map(|r| r.elo).chain(ratings.differences.iter().map(|d| d.elo)) {
                prop_assert!(finite(e));
                prop_assert!(e.low.is_none_or(|low| low < e.mean.unwrap()));
                prop_assert!(e.high.is_none_or(|high| high > e.mean.unwrap()));
                prop_assert!(ratings.separated || (e.low.is_some() && e.high.is_some()));
            }
            for d in &ratings.differences {
                prop_assert!((0.0..=1.0).contains(&d.p_value));
                prop_assert!(!d.real || d.p_value < 0.05 + 1e-9);
            }
            if let Some(fit) = ratings.fit {
                prop_assert!(fit.chi_squared.is_finite() && (0.0..=1.0).contains(&fit.p_value));
            }
        }

        #[test]
        fn the_scores_expected_are_the_scores(table in any_table()) {
            // At the maximum every player is expected to have the points that it has.
            let ratings = rate(&table).unwrap();
            prop_assume!(!ratings.separated);
            let elo = elos(&ratings);
            for a in 0..table.players() {
                let (mut points, mut expected, mut games) = (0.0, 0.0, 0.0);
                for b in (0..table.players()).filter(|&b| b != a) {
                    let pairs = table.encounter(a, b);
                    points += pairs.points();
                    games += pairs.games() as f64;
                    expected += pairs.games() as f64 * expected_score(elo[a] - elo[b]);
                }
                prop_assert!((points - expected).abs() < 1e-6 * games, "{points} {expected}");
            }
        }

        #[test]
        fn exchanging_the_numbers_of_players_changes_nothing(table in any_table()) {
            let n = table.players();
            let mut turned = CrossTable::new(n);
            for (a, b) in couples(n) {
                turned.add(n - 1 - a, n - 1 - b, table.encounter(a, b));
            }
            let (one, other) = (rate(&table).unwrap(), rate(&turned).unwrap());
            for player in 0..n {
                let (a, b) = (one.ratings[player].elo, other.ratings[n - 1 - player].elo);
                for (x, y) in [(a.mean, b.mean), (a.low, b.low), (a.high, b.high)] {
                    prop_assert_eq!(x.is_some(), y.is_some());
                    prop_assert!((x.unwrap_or(0.0) - y.unwrap_or(0.0)).abs() < 1e-3);
                }
            }
            prop_assert_eq!(one.cycles.len(), other.cycles.len());
        }

        #[test]
        fn exchanging_all_results_negates_the_ratings(table in any_table()) {
            let n = table.players();
            let mut turned = CrossTable::new(n);
            for (a, b) in couples(n) {
                turned.add(a, b, table.encounter(b, a));
            }
            let (one, other) = (rate(&table).unwrap(), rate(&turned).unwrap());
            for (x, y) in elos(&one).iter().zip(elos(&other)) {
                prop_assert!((x + y).abs() < 1e-3);
            }
            prop_assert_eq!(one.fit.is_some(), other.fit.is_some());
        }
    }

    #[test]
    fn the_elo_of_a_share_is_its_inverse_in_log_odds() {
        assert!((elo(share(1.0)).unwrap() - ELO_PER_LOGIT).abs() < 1e-9);
    }
}
