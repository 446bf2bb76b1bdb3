//! The evaluators of alpha-beta by name: those of every game, and those that a game brings along.

use std::fmt::{self, Debug, Display};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use thiserror::Error;
use treegauge_catalog::{Entry, EvaluatorError as OwnEvaluatorError};
use treegauge_core::{Call, Evaluator, Keyed, Notation};
use treegauge_search::{Margin, Mobility, RandomValue, Seed, UctValue};
use treegauge_solve::Value;

use crate::engine::GameInfo;
use crate::player::{PlayerError, PlayerSpec};
use crate::solved::{SolvedFileError, TypedSolved};

/// The evaluators of every game, as they are written; games with scores have `margin` besides.
pub const EVALUATORS: [&str; 4] =
    ["mobility", "uct(iterations=N,cp=X)", "random(seed=S)", "perfect(file=PATH)"];

/// The seed of evaluators that have chance and are given none.
const DEFAULT_SEED: u64 = 1;

/// An evaluator as it is written: `name` or `name(param=value,...)`.
#[derive(Clone, Debug, PartialEq)]
pub struct EvaluatorSpec {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Mobility,
    Margin,
    Uct {
        iterations: u32,
        cp: f64,
    },
    Random {
        seed: u64,
    },
    Perfect {
        file: PathBuf,
    },
    /// One that the game brings along, perhaps.
    Own,
}

/// Why a game does not have an evaluator.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The text is no evaluator.
    #[error(transparent)]
    Text(#[from] PlayerError),
    /// The game has no scores.
    #[error("the game has no scores, so `margin` evaluates nothing; `mobility` does")]
    NoMargin,
    /// The game does not have it.
    #[error("{error}; every game {} {}", if *.has_margin { "with scores has margin," } else { "has" }, EVALUATORS.join(", "))]
    Own {
        /// What is wrong.
        error: OwnEvaluatorError,
        /// Whether the game has scores.
        has_margin: bool,
    },
    /// The file of the solved game cannot be used.
    #[error(transparent)]
    SolvedFile(#[from] SolvedFileError),
}

impl EvaluatorSpec {
    /// Reads an evaluator. Whether a game has it, if it is none that every game has, is seen when
    /// it is used.
    ///
    /// # Errors
    ///
    /// When a parameter of an evaluator that every game has is not one of its parameters, or does
    /// not take its value.
    pub fn parse(text: &str) -> Result<EvaluatorSpec, PlayerError> {
        let Ok(call) = Call::parse(text) else {
            return Ok(EvaluatorSpec { text: text.to_owned(), kind: Kind::Own });
        };
        let bare = call.arguments.is_empty();
        let kind = match call.name.as_str() {
            "mobility" if bare => Kind::Mobility,
            "margin" if bare => Kind::Margin,
            "uct" => match PlayerSpec::parse(text)? {
                PlayerSpec::Uct { iterations, cp } => Kind::Uct { iterations, cp },
                _ => Kind::Own,
            },
            "random" => Kind::Random { seed: seed(&call)? },
            "perfect" => Kind::Perfect { file: crate::player::file_of(&call, "evaluator")? },
            _ => Kind::Own,
        };
        Ok(EvaluatorSpec { text: text.to_owned(), kind })
    }
}

impl Display for EvaluatorSpec {
    /// As the user wrote it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn seed(call: &Call) -> Result<u64, PlayerError> {
    if let Some(odd) = call.arguments.iter().find(|argument| argument.name != "seed") {
        let name = &odd.name;
        return Err(PlayerError::new(format!(
            "evaluator `random` has no parameter {name:?}; its one is `seed`"
        )));
    }
    let Some(text) = call.value("seed") else { return Ok(DEFAULT_SEED) };
    text.parse().map_err(|_| {
        PlayerError::new(format!(
            "`seed` of evaluator `random` cannot be {text:?}: it takes a whole number from 0"
        ))
    })
}

/// An evaluator for one type of game. One that reads a file may fail; a search cannot be handed an
/// error from its leaves, so the first one is kept here and ends the search.
pub(crate) struct TypedEvaluator<G: Keyed> {
    pub(crate) evaluator: Arc<dyn Evaluator<G>>,
    failure: Failure,
}

/// The first error of an evaluator.
type Failure = Arc<OnceLock<Arc<SolvedFileError>>>;

// A derive would ask for what is asked of `G` too.
impl<G: Keyed> Clone for TypedEvaluator<G> {
    fn clone(&self) -> Self {
        TypedEvaluator { evaluator: self.evaluator.clone(), failure: self.failure.clone() }
    }
}

impl<G: Notation + Keyed> TypedEvaluator<G> {
    pub(crate) fn open(
        entry: &Arc<Entry<G>>,
        info: &GameInfo,
        spec: &EvaluatorSpec,
    ) -> Result<Self, EvaluatorError> {
        let failure = Failure::default();
        let evaluator: Arc<dyn Evaluator<G>> = match &spec.kind {
            Kind::Mobility => Arc::new(Mobility),
            Kind::Margin => Arc::new(Margin::new(entry.margins().ok_or(EvaluatorError::NoMargin)?)),
            &Kind::Uct { iterations, cp } => {
                Arc::new(UctValue::new(iterations, cp, Seed(DEFAULT_SEED)))
            }
            &Kind::Random { seed } => Arc::new(RandomValue::new(Seed(seed))),
            Kind::Perfect { file } => {
                let solved = TypedSolved::open(entry, file, &info.canonical_name)?;
                Arc::new(PerfectValue { solved, failure: failure.clone() })
            }
            Kind::Own => {
                let has_margin = info.has_margin;
                let own = entry.evaluator(&spec.text);
                Arc::from(own.map_err(|error| EvaluatorError::Own { error, has_margin })?)
            }
        };
        Ok(TypedEvaluator { evaluator, failure })
    }

    /// Whether it could not evaluate some position.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.get().is_some()
    }

    /// The first error.
    pub(crate) fn result(&self) -> Result<(), Arc<SolvedFileError>> {
        self.failure.get().map_or(Ok(()), |error| Err(error.clone()))
    }
}

/// The value that is known of each position: sooner won is better, later lost too.
struct PerfectValue<G: Notation + Keyed> {
    solved: TypedSolved<G>,
    failure: Failure,
}

impl<G: Notation + Keyed> Debug for PerfectValue<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerfectValue")
    }
}

impl<G: Notation + Keyed> PerfectValue<G> {
    /// A win that is no plies away; more than any number of plies.
    const WIN: i32 = 1 << 28;
}

impl<G: Notation + Keyed> Evaluator<G> for PerfectValue<G> {
    /// 0 after the first error, which whoever made the search looks at.
    fn evaluate(&self, _: &G, state: &G::State) -> i32 {
        match self.solved.value_of(state) {
            Ok(valued) => {
                let plies = i32::from(valued.remoteness);
                match valued.value {
                    Value::Win => Self::WIN - plies,
                    Value::Lose => plies - Self::WIN,
                    Value::Tie | Value::Draw => 0,
                }
            }
            Err(error) => {
                let _ = self.failure.set(Arc::new(error));
                0
            }
        }
    }
}
