//! Evaluators for one type of game.

use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use treegauge_catalog::Entry;
use treegauge_core::{Evaluator, KeyCode, Keyed, Notation};
use treegauge_grammar::{Error, Role, call};
use treegauge_search::{Margin, Mobility, RandomValue, Seed, UctValue};
use treegauge_solve::{AnyCode, AnySolvable, AnySolvedFile, ProbeError, Value};

use crate::engine::GameInfo;
use crate::evaluators::{EvaluatorError, EvaluatorSpec, Kind};
use crate::forms::EVALUATORS;

/// Seed of the searches of the evaluator `uct`.
const DEFAULT_SEED: u64 = 1;

/// Evaluator for one type of game. An evaluator that reads a file may fail. A search cannot receive
/// an error from its leaves, so the first error is stored here and ends the search.
pub(crate) struct TypedEvaluator<G: Notation + Keyed> {
    pub(crate) evaluator: Arc<dyn Evaluator<G>>,
    failure: Failure,
    /// File behind the evaluator, if any.
    solved: Option<Arc<dyn AnySolvedFile>>,
}

/// First error of an evaluator in a search.
#[derive(Clone, Default)]
struct Failure(Arc<Mutex<Option<Arc<ProbeError>>>>);

impl Failure {
    fn get(&self) -> MutexGuard<'_, Option<Arc<ProbeError>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Notation + Keyed> TypedEvaluator<G> {
    pub(crate) fn open(
        entry: &Arc<Entry<G>>,
        info: &GameInfo,
        spec: &EvaluatorSpec,
    ) -> Result<Self, EvaluatorError> {
        let evaluator: Arc<dyn Evaluator<G>> = match &spec.kind {
            Kind::Mobility => Arc::new(Mobility),
            Kind::Margin => Arc::new(Margin::new(entry.margins().ok_or(EvaluatorError::NoMargin)?)),
            &Kind::Uct { iterations, cp } => {
                Arc::new(UctValue::new(iterations, cp, Seed(DEFAULT_SEED)))
            }
            &Kind::Random { seed } => Arc::new(RandomValue::new(Seed(seed))),
            Kind::Perfect { place, .. } => {
                let rules = AnySolvable::of(entry.game.clone(), *entry.capabilities());
                let file = rules.open(place, &info.canonical_name)?;
                file.known_throughout()?;
                return Ok(TypedEvaluator::perfect(file));
            }
            Kind::Own => {
                check_own(&spec.text, info)?;
                Arc::from(entry.evaluator(&spec.text)?)
            }
        };
        Ok(TypedEvaluator { evaluator, failure: Failure::default(), solved: None })
    }

    fn perfect(solved: Arc<dyn AnySolvedFile>) -> Self {
        let failure = Failure::default();
        let evaluator = PerfectValue { solved: solved.clone(), failure: failure.clone() };
        TypedEvaluator { evaluator: Arc::new(evaluator), failure, solved: Some(solved) }
    }

    /// Copies the evaluator for another search, with its own errors.
    pub(crate) fn another(&self) -> Self {
        match &self.solved {
            Some(solved) => TypedEvaluator::perfect(solved.clone()),
            None => TypedEvaluator {
                evaluator: self.evaluator.clone(),
                failure: Failure::default(),
                solved: None,
            },
        }
    }

    /// Returns whether some position could not be evaluated.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.get().is_some()
    }

    /// Takes the first error since the last call.
    pub(crate) fn result(&self) -> Result<(), Arc<ProbeError>> {
        self.failure.get().take().map_or(Ok(()), Err)
    }
}

/// Evaluator that returns the solved value of each position: an earlier win is better, and so is a
/// later loss.
struct PerfectValue {
    solved: Arc<dyn AnySolvedFile>,
    failure: Failure,
}

impl Debug for PerfectValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerfectValue")
    }
}

impl PerfectValue {
    /// Value of a win 0 plies away; larger than any number of plies.
    const WIN: i32 = 1 << 28;
}

impl<G: Keyed> Evaluator<G> for PerfectValue {
    /// Returns 0 after the first error, which the maker of the search checks.
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        match self.solved.value(&AnyCode::new(game.key(state).code())) {
            Ok(valued) => {
                let plies = i32::from(valued.remoteness);
                match valued.value {
                    Value::Win => Self::WIN - plies,
                    Value::Lose => plies - Self::WIN,
                    Value::Tie | Value::Draw => 0,
                }
            }
            Err(error) => {
                self.failure.get().get_or_insert_with(|| Arc::new(error));
                0
            }
        }
    }
}

/// Checks that the name in an evaluator's text is one of the game's own.
fn check_own(text: &str, info: &GameInfo) -> Result<(), Error> {
    let call = call(Role::Evaluator, text)?;
    let own = info.evaluators.iter().map(|evaluator| evaluator.name);
    if own.clone().any(|known| known == call.name) {
        return Ok(());
    }
    let common = EVALUATORS.iter().map(|form| form.name);
    let common = common.filter(|&name| name != "margin" || info.has_margin);
    Err(Error::unknown(Role::Evaluator, &call.name, call.at, own.chain(common)))
}
