//! Sequential probability ratio test on pairs.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_grammar::{Form, Parameter, Role, Values};

use super::elo::ELO_PER_LOGIT;
use super::{Pentanomial, expected_score};

/// Count used for a category that did not occur. With a count of 0 the maximum-likelihood estimate
/// would rule out everything unseen, and the first pairs would decide. The value is Fishtest's.
const UNSEEN: f64 = 1e-3;

/// Scale of the Elo points of a [`Sprt`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtModel {
    /// Logistic Elo: points of the expected score, see [`elo`](super::elo()).
    #[default]
    Logistic,
    /// Normalised Elo: the difference in standard deviations of a game, see
    /// [`Comparison::normalised_elo`](super::Comparison::normalised_elo). The number of games does
    /// not depend on the share of draws and the openings.
    Normalized,
}

impl SprtModel {
    /// Returns the word in the text of a test.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SprtModel::Logistic => "logistic",
            SprtModel::Normalized => "normalized",
        }
    }

    /// Greatest absolute difference that can be tested.
    #[must_use]
    pub fn elo_max(self) -> f64 {
        match self {
            SprtModel::Logistic => Sprt::ELO_MAX,
            SprtModel::Normalized => Sprt::NORMALIZED_ELO_MAX,
        }
    }
}

/// Wald's sequential test (1945) of the hypothesis H0 that a is `elo0` Elo points better than b,
/// against H1 that it is `elo1` better. [`SprtModel`] selects the scale.
///
/// The likelihood ratio is generalised: the five probabilities of the points of a pair are unknown,
/// and each hypothesis takes the most likely ones among all with its expected score (Van den Bergh,
/// "The generalized maximum likelihood ratio for the expectation value of a distribution",
/// proposition 1.1) or its difference in standard deviations (the same, "Normalized Elo"). They are
/// computed exactly, not by the normal approximation.
///
/// Test the pairs of a match in their order, and stop at the first verdict. The Elo of a match
/// stopped in this way is biased away from zero, because it stops when chance has carried it far.
///
/// ```
/// use treegauge_stats::{Pentanomial, Sprt, SprtVerdict};
/// let test = Sprt::parse("elo0=0,elo1=10").unwrap();
/// let report = test.test(Pentanomial([10, 90, 200, 160, 40]));
/// assert_eq!(report.verdict, SprtVerdict::AcceptH1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

/// Error for a test that cannot be created.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The text is not of the form [`Sprt::FORM`].
    #[error(transparent)]
    Written(#[from] treegauge_grammar::Error),
    /// An Elo difference is too large or not finite.
    #[error("a difference of {elo} {} Elo is too large to test; the maximum is {}", model.name(), model.elo_max())]
    Elo {
        /// Elo difference.
        elo: f64,
        /// Scale of the difference.
        model: SprtModel,
    },
    /// The hypotheses are equal or in the wrong order.
    #[error("elo0 ({elo0}) must be less than elo1 ({elo1})")]
    Order {
        /// Elo difference under H0.
        elo0: f64,
        /// Elo difference under H1.
        elo1: f64,
    },
    /// An error rate is out of range.
    #[error("the error rate is {rate}; it must be above 0 and below 0.5")]
    Rate {
        /// Error rate.
        rate: f64,
    },
}

/// State of a test after some pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtReport {
    /// Scale of the hypotheses.
    #[serde(default)]
    pub model: SprtModel,
    /// Elo difference under H0.
    pub elo0: f64,
    /// Elo difference under H1, greater than `elo0`.
    pub elo1: f64,
    /// Logarithm of the generalised likelihood ratio: positive if `elo1` is more likely.
    pub llr: f64,
    /// Bound at or below which `elo0` is accepted: `ln(beta / (1 - alpha))`.
    pub lower: f64,
    /// Bound at or above which `elo1` is accepted: `ln((1 - beta) / alpha)`.
    pub upper: f64,
    /// Decision whether to stop.
    pub verdict: SprtVerdict,
    /// Whether the Elo of the match is biased away from zero, as in every match that the test
    /// ended.
    pub elo_is_biased: bool,
}

/// Decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// Stop: the difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// Stop: the difference is `elo1` rather than `elo0`.
    AcceptH1,
    /// Continue to play.
    Continue,
}

impl Sprt {
    /// Form that [`Sprt::parse`] reads.
    pub const FORM: Form = Form {
        summary: "decides between two Elo differences",
        parameters: &[
            elo_parameter("elo0", "the first hypothesis, in Elo"),
            elo_parameter("elo1", "the second hypothesis, in Elo, which is larger"),
            rate_parameter("alpha", "probability of accepting elo1 where elo0 is true"),
            rate_parameter("beta", "probability of accepting elo0 where elo1 is true"),
            Parameter {
                name: "model",
                default: "logistic",
                values: Values::Word(&["logistic", "normalized"]),
                help: "the scale of elo0 and elo1",
            },
        ],
        ..Form::new("sprt")
    };

    /// Greatest absolute difference on the logistic scale; the stronger player loses 1 of 100,000
    /// points.
    pub const ELO_MAX: f64 = 2_000.0;

    /// Greatest absolute difference on the normalised scale; ten pairs show it.
    pub const NORMALIZED_ELO_MAX: f64 = 200.0;

    /// Default error rate.
    pub const DEFAULT_ERROR_RATE: f64 = 0.05;

    /// Creates the test of `elo0` against `elo1` on the logistic scale, both within
    /// [`Sprt::ELO_MAX`] and `elo0 < elo1`. `alpha` is the probability of accepting `elo1` if
    /// `elo0` is true, and `beta` that of accepting `elo0` if `elo1` is true; both are above 0 and
    /// below 0.5.
    ///
    /// # Errors
    ///
    /// If a value is out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let model = SprtModel::Logistic;
        Sprt { elo0, elo1, alpha, beta, model }.checked()
    }

    /// Changes the scale of the hypotheses.
    ///
    /// # Errors
    ///
    /// If a hypothesis is beyond [`SprtModel::elo_max`].
    pub fn with_model(self, model: SprtModel) -> Result<Sprt, SprtError> {
        Sprt { model, ..self }.checked()
    }

    fn checked(self) -> Result<Sprt, SprtError> {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        for elo in [elo0, elo1] {
            if !(-model.elo_max()..=model.elo_max()).contains(&elo) {
                return Err(SprtError::Elo { elo, model });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for rate in [alpha, beta] {
            if !(0.0 < rate && rate < 0.5) {
                return Err(SprtError::Rate { rate });
            }
        }
        Ok(self)
    }

    /// Parses a test of the form [`Sprt::FORM`]: `elo0=E,elo1=E[,alpha=A,beta=B,model=M]` in any
    /// order, optionally enclosed in `sprt(...)`.
    ///
    /// # Errors
    ///
    /// If the text is not of that form or a value is out of range.
    pub fn parse(text: &str) -> Result<Sprt, SprtError> {
        let args = treegauge_grammar::arguments(Role::SequentialTest, &Self::FORM, text)?;
        let number = |name| args.number(name);
        let models = [SprtModel::Logistic, SprtModel::Normalized];
        let model = models.into_iter().find(|model| model.name() == args.text("model"));
        let (elo0, elo1) = (number("elo0"), number("elo1"));
        let (alpha, beta) = (number("alpha"), number("beta"));
        Sprt { elo0, elo1, alpha, beta, model: model.unwrap_or_default() }.checked()
    }

    /// Tests the pairs so far, by the points of a. Without pairs the log-likelihood ratio is 0.
    #[must_use]
    pub fn test(&self, pairs: Pentanomial) -> SprtReport {
        let llr = if pairs.pairs() == 0 {
            0.0
        } else {
            let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
            let likely = |elo: f64| match self.model {
                SprtModel::Logistic => likeliest(&counts, expected_score(elo)),
                SprtModel::Normalized => {
                    likeliest_apart(&counts, elo / (2f64.sqrt() * ELO_PER_LOGIT))
                }
            };
            log_likelihood_ratio(&counts, &likely(self.elo0), &likely(self.elo1))
        };
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let verdict = if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Continue
        };
        let Sprt { elo0, elo1, model, .. } = *self;
        let elo_is_biased = verdict != SprtVerdict::Continue;
        SprtReport { model, elo0, elo1, llr, lower, upper, verdict, elo_is_biased }
    }
}

/// Parameter for a hypothesis; has no default.
const fn elo_parameter(name: &'static str, help: &'static str) -> Parameter {
    let values = Values::Number(-Sprt::ELO_MAX, Sprt::ELO_MAX);
    Parameter { name, default: Parameter::NO_DEFAULT, values, help }
}

/// Parameter for an error rate. [`Sprt::new`] rejects the ends 0 and 0.5.
const fn rate_parameter(name: &'static str, help: &'static str) -> Parameter {
    Parameter { name, default: "0.05", values: Values::Number(0.0, 0.5), help }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={}", model.name())
    }
}

/// Returns the logarithm of the likelihood of `counts` with the probabilities `p1` relative to
/// `p0`.
fn log_likelihood_ratio(counts: &[f64], p0: &[f64], p1: &[f64]) -> f64 {
    let likely = p0.iter().zip(p1);
    counts.iter().zip(likely).map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
}

/// Returns the score of category `i` of `n`: 0 to 1.
fn category_score(i: usize, n: usize) -> f64 {
    i as f64 / (n - 1) as f64
}

/// Returns the probabilities under which `counts`, all above 0, are most likely, among those with
/// the expected score `s`, between 0 and 1 exclusive.
fn likeliest(counts: &[f64], s: f64) -> Vec<f64> {
    likeliest_of_mean_0(counts, |i| category_score(i, counts.len()) - s)
}

/// Returns the probabilities under which `counts`, all above 0, are most likely, among those with a
/// mean score `t` standard deviations above 1/2, with `t` between -1 and 1.
///
/// With mean m and deviation d, the condition is that the mean of
/// `a - 1/2 - t d (1 + ((a - m) / d)^2) / 2` over the scores a is 0. To first order this holds even
/// if m and d are only approximate. So repeating the computation with m and d of the previous
/// result converges in a few steps.
fn likeliest_apart(counts: &[f64], t: f64) -> Vec<f64> {
    let n = counts.len();
    let score = |i| category_score(i, n);
    let mut p = vec![1.0 / n as f64; n];
    for _ in 0..STEPS_MAX {
        let mean: f64 = p.iter().enumerate().map(|(i, p)| p * score(i)).sum();
        let variance: f64 = p.iter().enumerate().map(|(i, p)| p * (score(i) - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let next = likeliest_of_mean_0(counts, |i| {
            let z = (score(i) - mean) / deviation;
            score(i) - 0.5 - t * deviation * (1.0 + z * z) / 2.0
        });
        let moved = p.iter().zip(&next).map(|(p, next)| (p - next).abs()).fold(0.0, f64::max);
        p = next;
        if moved < 1e-10 {
            break;
        }
    }
    p
}

/// Greatest number of steps of [`likeliest_apart`]; ten are usual.
const STEPS_MAX: usize = 500;

/// Returns the probabilities under which `counts`, all above 0, are most likely, among those with
/// which the mean of `value` is 0. `value` must be above 0 for some categories and below 0 for
/// others.
///
/// The probabilities are `f / (1 + x v)` for frequencies f and values v. The sum of
/// `f v / (1 + x v)` falls from plus to minus infinity between the two values of x at which a
/// probability is unbounded, so bisection finds the x at which it is 0.
fn likeliest_of_mean_0(counts: &[f64], value: impl Fn(usize) -> f64) -> Vec<f64> {
    let total: f64 = counts.iter().sum();
    let values: Vec<f64> = (0..counts.len()).map(value).collect();
    let frequencies = || counts.iter().map(|count| count / total).zip(values.iter().copied());
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let x = f64::midpoint(low, high);
        if x <= low || x >= high {
            return frequencies().map(|(f, d)| f / (1.0 + x * d)).collect();
        }
        if frequencies().map(|(f, d)| f * d / (1.0 + x * d)).sum::<f64>() > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use treegauge_search::Seed;

    use super::super::testing::draw_from;
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    #[test]
    fn figures_of_a_published_test_come_out() {
        // montytest 69d3c8dc7c5b3724e29d2712, "Raw statistics", "Logistic (exact)". Its hypotheses
        // are printed with three digits.
        let report = sprt(0.0, 2.716).test(Pentanomial([13, 37, 50, 25, 3]));
        assert!((report.llr + 0.537_72).abs() < 2e-4, "{}", report.llr);
        assert!((report.lower + 2.9444).abs() < 5e-5 && (report.upper - 2.9444).abs() < 5e-5);
        assert_eq!(report.verdict, SprtVerdict::Continue);
    }

    /// fastchess reports these ratios for these pairs with its two models.
    #[test]
    fn the_models_differ_as_those_of_fastchess_do() {
        let pairs = Pentanomial([1, 8, 47, 6, 12]);
        let logistic = sprt(0.0, 30.0);
        let normalised = logistic.with_model(SprtModel::Normalized).unwrap();
        assert!((logistic.test(pairs).llr - 3.07).abs() < 0.005);
        assert!((normalised.test(pairs).llr - 2.24).abs() < 0.005);
        assert_eq!(normalised.test(pairs).model, SprtModel::Normalized);
    }

    #[test]
    fn tests_are_read_and_written() {
        let test = Sprt::parse("elo1=10,elo0=-2.5").unwrap();
        assert_eq!(test.to_string(), "elo0=-2.5,elo1=10,alpha=0.05,beta=0.05,model=logistic");
        let normalised = Sprt::parse("model=normalized,elo0=0,elo1=5").unwrap();
        assert_eq!(normalised, sprt(0.0, 5.0).with_model(SprtModel::Normalized).unwrap());
        assert_eq!(Sprt::parse(&normalised.to_string()), Ok(normalised));
        assert_eq!(Sprt::parse(&test.to_string()), Ok(test));
        assert_eq!(Sprt::parse("sprt(elo1=10,elo0=-2.5)"), Ok(test));
        // The default in the form equals the constant.
        let rate = Sprt::DEFAULT_ERROR_RATE;
        assert_eq!(Ok(test), Sprt::new(-2.5, 10.0, rate, rate));
        for (text, wrong) in [
            ("elo0=0", "sequential test `sprt` needs `elo1`: sprt(elo0=X,elo1=X,alpha=X,beta=X,"),
            (
                "elo0=0,elo1=300,model=normalized",
                "300 normalized Elo is too large to test; the maximum is 200",
            ),
            ("elo0=0,elo1=3,model=bayes", "`model` of sequential test `sprt` cannot be \"bayes\""),
            ("elo0=0,elo1=x", "cannot be \"x\" (character 13)"),
            ("elo0=0,elo1=5,elo2=7", "no parameter \"elo2\" (character 15); did you mean `elo0`?"),
            ("elo0=5,elo1=5", "must be less"),
            ("elo0=0,elo1=inf", "it takes a number from -2000 to 2000"),
            ("elo0=NaN,elo1=1", "`elo0` of sequential test `sprt` cannot be \"NaN\" (character 6)"),
            ("elo0=0,elo1=5,beta=0.5", "the error rate is 0.5"),
            ("elo0", "bad sequential test \"elo0\": \"elo0\" at character 1 is not `param=value`"),
        ] {
            let error = Sprt::parse(text).unwrap_err().to_string();
            assert!(error.contains(wrong), "{text}: {error}");
        }
    }

    #[test]
    fn one_sided_results_decide_and_no_result_does_not() {
        let test = sprt(0.0, 10.0);
        assert_eq!(test.test(Pentanomial::default()).llr, 0.0);
        assert_eq!(test.test(Pentanomial([0, 0, 0, 0, 1])).verdict, SprtVerdict::Continue);
        assert_eq!(test.test(Pentanomial([0, 0, 0, 0, 500])).verdict, SprtVerdict::AcceptH1);
        assert_eq!(test.test(Pentanomial([500, 0, 0, 0, 0])).verdict, SprtVerdict::AcceptH0);
        assert_eq!(test.test(Pentanomial([0, 0, 500, 0, 0])).verdict, SprtVerdict::AcceptH0);
    }

    #[test]
    fn independent_games_say_the_same_in_pairs() {
        let (win, draw, loss) = (0.40f64, 0.25f64, 0.35f64);
        let n = 40_000.0;
        let pairs = [
            loss * loss,
            2.0 * loss * draw,
            draw * draw + 2.0 * win * loss,
            2.0 * win * draw,
            win * win,
        ]
        .map(|p| n * p);
        let games = [loss, draw, win].map(|p| 2.0 * n * p);
        let (s0, s1) = (expected_score(0.0), expected_score(10.0));
        let ratio = |counts: &[f64]| {
            log_likelihood_ratio(counts, &likeliest(counts, s0), &likeliest(counts, s1))
        };
        let of_pairs = ratio(&pairs);
        let of_games = ratio(&games);
        assert!((of_pairs / of_games - 1.0).abs() < 0.01, "{of_pairs} {of_games}");
    }

    /// Returns the number of matches, out of `runs`, that accept H1 with these odds of a pair's
    /// points.
    fn accepted(test: &Sprt, odds: [u32; 5], runs: u64) -> u64 {
        let one = |run| {
            let mut rng = Seed(11).child(run).generator();
            let mut counts = [0; 5];
            loop {
                counts[draw_from(odds, &mut rng)] += 1;
                match test.test(Pentanomial(counts)).verdict {
                    SprtVerdict::Continue => {}
                    verdict => return u64::from(verdict == SprtVerdict::AcceptH1),
                }
            }
        };
        (0..runs).map(one).sum()
    }

    #[test]
    fn error_rates_are_what_they_are_set_to() {
        // Scores of 0.5 and 0.575 exactly: 0 and 52.5 Elo.
        let equal = [2, 9, 18, 9, 2];
        let better = [1, 6, 16, 14, 3];
        let test = sprt(0.0, super::super::elo(0.575).unwrap());
        // Three standard errors of 5% over 300 runs are 3.8 points.
        let false_alarms = accepted(&test, equal, 300);
        assert!(false_alarms <= 26, "{false_alarms}");
        let found = accepted(&test, better, 300);
        assert!((300 - 26..300).contains(&found), "{found}");
    }

    proptest! {
        #[test]
        fn probabilities_have_the_score_and_none_are_likelier(
            counts in prop::collection::vec(0.001..50.0f64, 5),
            other in prop::collection::vec(0.001..1.0f64, 5),
            s in 0.02..0.98f64,
        ) {
            let p = likeliest(&counts, s);
            // Any distribution can be tilted to any expected score.
            let q = likeliest(&other, s);
            for p in [&p, &q] {
                prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-6);
                let mean: f64 = p.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
                prop_assert!((mean - s).abs() < 1e-6);
            }
            let likelihood = |p: &[f64]| -> f64 {
                counts.iter().zip(p).map(|(n, p)| n * p.ln()).sum()
            };
            for share in [0.01, 0.3, 1.0] {
                let between: Vec<f64> =
                    p.iter().zip(&q).map(|(p, q)| p * (1.0 - share) + q * share).collect();
                prop_assert!(likelihood(&between) <= likelihood(&p) + 1e-6);
            }
        }

        #[test]
        fn probabilities_are_apart_as_asked_and_none_are_likelier(
            kinds in prop::array::uniform5(0usize..6), other in prop::array::uniform5(0.001..1.0f64),
            t in -0.8..0.8f64,
        ) {
            let counts = kinds.map(|kind| [UNSEEN, 1.0, 2.0, 10.0, 100.0, 10_000.0][kind]);
            let apart = |p: &[f64]| {
                let moment = |f: &dyn Fn(f64) -> f64| -> f64 {
                    p.iter().enumerate().map(|(i, p)| p * f(category_score(i, 5))).sum()
                };
                let mean = moment(&|a| a);
                (mean - 0.5) / moment(&|a| (a - mean).powi(2)).sqrt()
            };
            let p = likeliest_apart(&counts, t);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            prop_assert!((apart(&p) - t).abs() < 1e-6, "{} {t}", apart(&p));
            // Any other distribution with the same distance is less likely.
            let q = likeliest_apart(&other, t);
            let likelihood = |p: &[f64]| -> f64 {
                counts.iter().zip(p).map(|(n, p)| n * p.ln()).sum()
            };
            prop_assert!(likelihood(&q) <= likelihood(&p) + 1e-6, "{p:?} {q:?}");
        }

        #[test]
        fn the_other_player_sees_the_opposite(
            counts in prop::array::uniform5(0u64..300), elo0 in -50.0..50.0f64, gap in 1.0..50.0f64,
            normalised: bool,
        ) {
            let model = if normalised { SprtModel::Normalized } else { SprtModel::Logistic };
            let test = |elo0, elo1| sprt(elo0, elo1).with_model(model).unwrap();
            let pairs = Pentanomial(counts);
            let one = test(elo0, elo0 + gap).test(pairs);
            let other = test(-elo0 - gap, -elo0).test(pairs.swapped());
            prop_assert!((one.llr + other.llr).abs() < 1e-6 * (1.0 + one.llr.abs()));
            prop_assert!(one.llr.is_finite());
        }

        #[test]
        fn more_points_speak_for_the_second_hypothesis(
            counts in prop::array::uniform5(1u64..100), from in 0usize..4,
        ) {
            let test = sprt(0.0, 10.0);
            let mut better = counts;
            better[from] -= 1;
            better[from + 1] += 1;
            // If the last pair of a category moves, its count becomes that of an unseen category,
            // not 0.
            prop_assume!(better[from] > 0);
            let gain = test.test(Pentanomial(better)).llr - test.test(Pentanomial(counts)).llr;
            // If the mean is far from 1/2 with few pairs, one pair can change the spread more than
            // the mean.
            let (mean, variance) = Pentanomial(counts).mean_and_variance().unwrap();
            prop_assume!((mean - 0.5).abs() < 0.5 * variance.sqrt());
            prop_assert!(gain > 0.0, "{gain}");
        }
    }
}
