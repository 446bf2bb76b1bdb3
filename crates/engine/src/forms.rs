//! The forms of players and of the evaluators that every game has, as they are written.

use treegauge_grammar::{Form, Parameter, Role, Values};
use treegauge_search::{AlphaBetaLimits, Budget};

const ITERATIONS: Parameter = Parameter {
    name: "iterations",
    default: "10000",
    values: Values::Whole(1, Budget::ITERATIONS_MAX as u64),
    help: "iterations a move",
};

/// The default is [`DEFAULT_CP`](treegauge_search::DEFAULT_CP) to the last bit.
const CP: Parameter = Parameter {
    name: "cp",
    default: "0.7071067811865476",
    values: Values::Number(0.0, 1_000.0),
    help: "exploration constant on rewards in [0, 1]",
};

const FILE: Parameter = Parameter {
    name: "file",
    default: Parameter::NO_DEFAULT,
    values: Values::Text("PATH"),
    help: "the file of the solved game",
};

/// Every player.
pub static PLAYERS: &[Form] = &[
    Form { summary: "picks every move uniformly at random", ..Form::new("random") },
    Form {
        summary: "a search by upper confidence bounds with random playouts",
        parameters: &[ITERATIONS, CP],
        ..Form::new("uct")
    },
    Form {
        summary: "alpha-beta with an evaluator",
        parameters: &[
            Parameter {
                name: "eval",
                default: "mobility",
                values: Values::Call(Role::Evaluator),
                help: "what values a position at the horizon",
            },
            Parameter {
                name: "nodes",
                default: "20000",
                values: Values::Whole(1, 1_000_000_000_000),
                help: "positions a move",
            },
            Parameter {
                name: "depth",
                default: Parameter::NO_DEFAULT,
                values: Values::Whole(1, AlphaBetaLimits::DEPTH_MAX.0 as u64),
                help: "plies to look ahead, in place of nodes",
            },
            Parameter {
                name: "time_ms",
                default: Parameter::NO_DEFAULT,
                values: Values::Whole(1, 86_400_000),
                help: "milliseconds a move, in place of nodes; not reproducible",
            },
        ],
        one_of: &[&["nodes", "depth", "time_ms"]],
        ..Form::new("alphabeta")
    },
    Form {
        summary: "plays from the file of the solved game",
        parameters: &[FILE],
        ..Form::new("perfect")
    },
];

/// The evaluators of alpha-beta that every game has; `margin` only games with scores. A game may
/// have others of its own.
pub static EVALUATORS: &[Form] = &[
    Form { summary: "the legal moves of the player to move", ..Form::new("mobility") },
    Form {
        summary: "the score of the player to move less that of the other",
        ..Form::new("margin")
    },
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
