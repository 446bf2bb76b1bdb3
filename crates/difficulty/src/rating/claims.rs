//! Claims about the trees of easy and of difficult problems, tested on rated ones.

use serde::{Deserialize, Serialize};
use treegauge_learn::scores::auc;
use treegauge_learn::{Score, Task, bootstrap};

use super::DifficultyError;
use super::evaluate::{DRAWS, EASY_BELOW};
use super::predictor::FOLDS;
use super::table::RatedProblems;
use crate::chess::ChessAttribute;

/// Test of the claim that the meaningful trees of easy problems explode at level 5: that an attribute
/// of this level is greater in easy problems than in difficult ones (Stoiljkovikj 2015).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExplosionTest {
    /// Name of the attribute.
    pub attribute: String,
    /// Whether only problems count whose trees have moves at level 5. Trees of short mates end
    /// before it.
    pub is_deep: bool,
    /// Numbers of easy and of difficult problems.
    pub problems: [usize; 2],
    /// Medians of the attribute in easy and in difficult problems.
    pub medians: [f64; 2],
    /// Probability that the attribute is greater in an easy problem than in a difficult one, both
    /// drawn at random, with equal values counting half. The 95% interval is by bootstrap over
    /// games.
    pub auc: Score,
    /// Verdict by this interval.
    pub verdict: ClaimVerdict,
}

/// Verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimVerdict {
    /// The whole interval agrees with the claim.
    Holds,
    /// The whole interval contradicts the claim.
    DoesNotHold,
    /// The interval contains the value of no difference.
    CannotTell,
}

impl ClaimVerdict {
    /// Verdict in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::CannotTell => "cannot tell",
        }
    }

    /// Verdict on the claim that a score is greater than `even`.
    #[must_use]
    pub fn of(score: Score, even: f64) -> ClaimVerdict {
        if score.low > even {
            ClaimVerdict::Holds
        } else if score.high < even {
            ClaimVerdict::DoesNotHold
        } else {
            ClaimVerdict::CannotTell
        }
    }
}

/// Attributes of the claim.
const LAST_LEVEL: [&str; 2] = ["Branching(5)", "Meaningful(5)"];

/// Tests the claim on the problems `extreme`, which are easy or difficult; `usable` are the
/// attributes that all of them have. Tests with too few problems of a kind are left out.
pub(super) fn explosion_tests(
    data: &RatedProblems,
    known: &[ChessAttribute],
    usable: &[usize],
    extreme: &[usize],
    seed: u64,
) -> Result<Vec<ExplosionTest>, DifficultyError> {
    let place = |name: &str| usable.iter().copied().find(|&n| known[n].name == name);
    let is_easy = |rating: f64| f64::from(u8::from(rating < EASY_BELOW));
    let kept = place("Meaningful(5)");
    let mut tests = Vec::new();
    for is_deep in [false, true] {
        let value = |n: usize, column: usize| data.problems[n].attributes[column].unwrap_or(0.0);
        let counts = |n: &usize| !is_deep || kept.is_some_and(|column| value(*n, column) > 0.0);
        let which: Vec<usize> = extreme.iter().copied().filter(counts).collect();
        let kinds = |is_wanted: bool| {
            let rated = |n: &usize| (data.problems[*n].rating < EASY_BELOW) == is_wanted;
            which.iter().copied().filter(rated).collect::<Vec<_>>()
        };
        let (easy, difficult) = (kinds(true), kinds(false));
        if easy.len().min(difficult.len()) < FOLDS {
            continue;
        }
        for name in LAST_LEVEL {
            let Some(column) = place(name) else { continue };
            let rows = data.rows(&which, &[column]);
            let examples =
                data.examples(&rows, Task::Classes, &which, |one| is_easy(one.rating))?;
            let values: Vec<f64> = rows.iter().map(|row| row[0]).collect();
            let Some(score) = bootstrap(&values, &examples, &auc, DRAWS, seed) else { continue };
            let of = |kind: &[usize]| median(kind.iter().map(|&n| value(n, column)).collect());
            tests.push(ExplosionTest {
                attribute: name.to_owned(),
                is_deep,
                problems: [easy.len(), difficult.len()],
                medians: [of(&easy), of(&difficult)],
                auc: score,
                verdict: ClaimVerdict::of(score, 0.5),
            });
        }
    }
    Ok(tests)
}

/// Median of at least one value.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}
