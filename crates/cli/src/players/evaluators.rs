//! The evaluators of alpha-beta by name.

use std::fmt;
use std::sync::Arc;

use treegauge_catalog::Entry;
use treegauge_core::{Call, Evaluator, KeyCode, Keyed, Notation};
use treegauge_search::{ChooserSpec, Margin, Mobility, RandomValue, Seed, UctValue};
use treegauge_solve::{CodeOf, Value};

use super::{asked, perfect, words};
use crate::common::DEFAULT_SEED;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::solving::Asked;

/// The evaluators of every game, as they are written.
pub(crate) const EVALUATORS: [&str; 4] =
    ["mobility", "uct(iterations=N,cp=X)", "random(seed=S)", "perfect(file=PATH)"];

/// The evaluator of a game that is written so: one that every game has, or one of its own.
/// `canonical` is the game's one text.
pub(crate) fn evaluator<G: Notation + Keyed>(
    entry: &Entry<G>,
    text: &str,
    canonical: &str,
) -> Outcome<Arc<dyn Evaluator<G>>> {
    let bad = |message: String| Err(Failure::new(Exit::Usage, message));
    // What is no call at all is told of below.
    let call = Call::parse(text).ok();
    let name = call.as_ref().map_or("", |call| call.name.as_str());
    match (name, call.as_ref(), entry.margins()) {
        ("mobility", Some(call), _) if call.arguments.is_empty() => Ok(Arc::new(Mobility)),
        ("margin", Some(call), Some(margin)) if call.arguments.is_empty() => {
            Ok(Arc::new(Margin::new(margin)))
        }
        ("margin", Some(call), None) if call.arguments.is_empty() => {
            bad("the game has no scores, so `margin` evaluates nothing; `mobility` does".to_owned())
        }
        ("uct", ..) => match ChooserSpec::parse(text).map_err(words).or_usage()? {
            ChooserSpec::Uct { iterations, cp } => {
                Ok(Arc::new(UctValue::new(iterations, cp, Seed(DEFAULT_SEED))))
            }
            _ => unreachable!("it begins with `uct`"),
        },
        ("random", Some(call), _) => {
            if let Some(odd) = call.arguments.iter().find(|argument| argument.name != "seed") {
                let name = &odd.name;
                return bad(format!(
                    "evaluator `random` has no parameter {name:?}; its one is `seed`"
                ));
            }
            let Some(seed) = call.value("seed").map_or(Some(DEFAULT_SEED), |n| n.parse().ok())
            else {
                let seed = call.value("seed").unwrap_or_default();
                return bad(format!(
                    "`seed` of evaluator `random` cannot be {seed:?}: it takes a whole number from 0"
                ));
            };
            Ok(Arc::new(RandomValue::new(Seed(seed))))
        }
        ("perfect", Some(call), _) => {
            let path = perfect(call, "evaluator")?;
            Ok(Arc::new(PerfectValue::<G>(asked(entry, &path, canonical)?)))
        }
        (_, _, margin) => entry
            .evaluator(text)
            .map(Arc::from)
            .map_err(|error| {
                let all = EVALUATORS.join(", ");
                match margin {
                    Some(_) => format!("{error}; every game with scores has margin, {all}"),
                    None => format!("{error}; every game has {all}"),
                }
            })
            .or_usage(),
    }
}

/// The value that is known of each position: sooner won is better, later lost too.
struct PerfectValue<G: Keyed>(Asked<CodeOf<G>>);

impl<G: Keyed> fmt::Debug for PerfectValue<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PerfectValue")
    }
}

impl<G: Keyed> PerfectValue<G> {
    /// A win that is no plies away; more than any number of plies.
    const WIN: i32 = 1 << 28;
}

impl<G: Notation + Keyed> Evaluator<G> for PerfectValue<G> {
    /// # Panics
    ///
    /// When the file lacks the position or is damaged. In a match that is a fault of the player.
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        let worth = self.0.worth(&game.key(state).code());
        let worth = worth.unwrap_or_else(|Failure { error, .. }| {
            panic!("{}", error.map_or(String::new(), |error| error.to_string()))
        });
        let plies = i32::from(worth.remoteness);
        match worth.value {
            Value::Win => Self::WIN - plies,
            Value::Lose => plies - Self::WIN,
            Value::Tie | Value::Draw => 0,
        }
    }
}
