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

#[cfg(test)]
mod tests {
    use treegauge_grammar::{Error, parse};

    use super::*;
    use treegauge_search::DEFAULT_CP;

    fn player(text: &str) -> Result<treegauge_grammar::Parsed<'static>, Error> {
        parse(Role::Player, PLAYERS, text)
    }

    #[test]
    fn every_default_is_a_value_of_its_parameter() {
        for form in PLAYERS.iter().chain(EVALUATORS) {
            assert!(!form.summary.is_empty(), "{}", form.name);
            for p in form.all_parameters() {
                let takes = p.default == Parameter::NO_DEFAULT || p.values.take(p.default);
                assert!(takes && !p.help.is_empty(), "{} of {}", p.name, form.name);
            }
        }
    }

    #[test]
    fn uct_has_a_default_for_each_number_and_refuses_others_out_of_range() {
        let args = player("uct").unwrap().args;
        assert_eq!(args.whole("iterations"), 10_000);
        assert_eq!(args.number("cp").to_bits(), DEFAULT_CP.to_bits());
        let args = player("uct(iterations=40000000,cp=0)").unwrap().args;
        assert_eq!((args.whole("iterations"), args.number("cp")), (40_000_000, 0.0));
        for bad in ["uct(iterations=0)", "uct(iterations=2147483648)", "uct(cp=-1)", "uct(depth=3)"]
        {
            assert!(player(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn alpha_beta_has_one_budget_and_an_evaluator() {
        let args = player("alphabeta").unwrap().args;
        assert_eq!((args.text("eval"), args.get("nodes")), ("mobility", Some("20000")));
        let text = "alphabeta(eval=uct(iterations=5,cp=1),time_ms=9)";
        let parsed = player(text).unwrap();
        assert_eq!(parsed.args.get("nodes"), None);
        assert_eq!(parsed.args.long("time_ms"), 9);
        let eval = parse(Role::Evaluator, EVALUATORS, parsed.args.text("eval")).unwrap();
        assert_eq!((eval.form.name, eval.args.whole("iterations")), ("uct", 5));
        assert_eq!(
            player("alphabeta(nodes=5,depth=3)").unwrap_err().to_string(),
            "player `alphabeta` takes one of nodes, depth, time_ms, and `depth` (character 19) is a second one"
        );
        assert_eq!(
            player("perfct(file=x)").unwrap_err().to_string(),
            "unknown player \"perfct\"; did you mean `perfect`? (all: random, uct, alphabeta, perfect)"
        );
    }
}
