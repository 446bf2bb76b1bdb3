//! The text forms of players and evaluators.

use treegauge_engine::{EVALUATORS, PLAYERS};
use treegauge_grammar::{Error, Parameter, Parsed, Role, parse};
use treegauge_search::DEFAULT_CP;

fn player(text: &str) -> Result<Parsed<'static>, Error> {
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
    for bad in ["uct(iterations=0)", "uct(iterations=2147483648)", "uct(cp=-1)", "uct(depth=3)"] {
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
        "unknown player \"perfct\"; did you mean `perfect`? (all: random, intuitive, uct, alphabeta, perfect)"
    );
}
