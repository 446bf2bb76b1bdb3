//! Forms of the evaluators of every game, and parameters that players share.

use treegauge_grammar::{Form, Parameter, Values};
use treegauge_search::Budget;

pub(crate) const ITERATIONS: Parameter = Parameter {
    name: "iterations",
    default: "10000",
    values: Values::Whole(1, Budget::ITERATIONS_MAX as u64),
    help: "iterations per move",
};

/// Exploration constant. The default is [`DEFAULT_CP`](treegauge_search::DEFAULT_CP) to the last
/// bit.
pub(crate) const CP: Parameter = Parameter {
    name: "cp",
    default: "0.7071067811865476",
    values: Values::Number(0.0, 1_000.0),
    help: "exploration constant on rewards in [0, 1]",
};

pub(crate) const FILE: Parameter = Parameter {
    name: "file",
    default: Parameter::NO_DEFAULT,
    values: Values::Text("PATH"),
    help: "the file of the solved game",
};

/// Evaluators of alpha-beta for every game, except that `margin` needs scores. A game may have
/// others of its own.
pub static EVALUATORS: &[Form] = &[
    Form { summary: "the legal moves of the player to move", ..Form::new("mobility") },
    Form { summary: "score of the player to move minus that of the other", ..Form::new("margin") },
    Form {
        summary: "the value of a search by upper confidence bounds",
        parameters: &[ITERATIONS, CP],
        ..Form::new("uct")
    },
    Form {
        summary: "a random number for each position",
        parameters: &[Parameter {
            name: "seed",
            default: "1",
            values: Values::Whole(0, u64::MAX),
            help: "seed of the numbers",
        }],
        ..Form::new("random")
    },
    Form {
        summary: "the value that the file of the solved game has",
        parameters: &[FILE],
        ..Form::new("perfect")
    },
];
