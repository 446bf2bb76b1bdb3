//! Rules without the parts that the values of options decide.
//!
//! A text with options may compare one with a number, as in `(if (= pie 1) ..)`. Readers need only the rules
//! that hold for the value at hand.

use crate::board::Site;
use crate::tree::{Body, Cond, Moves, Num, Rule};

type CondOf = Cond<Vec<Site>>;
type MovesOf = Moves<Vec<Site>>;

/// Rules of a game without the parts that no position can make true, and conditions without those that
/// always hold.
pub(super) fn without_constants(body: &Body<Vec<Site>>) -> Body<Vec<Site>> {
    let play = moves(&body.play).unwrap_or_else(|| body.play.clone());
    let rules = body.end.iter().filter(|rule| known(&rule.when) != Some(false));
    let end = rules.map(|rule| Rule { when: condition(&rule.when), ..rule.clone() }).collect();
    Body { play, end, ..body.clone() }
}

/// Truth of a condition that is the same in every position; `None` if it depends on the position.
fn known(cond: &CondOf) -> Option<bool> {
    match cond {
        Cond::Compare(how, Num::Int(a), Num::Int(b)) => Some(how.holds(*a, *b)),
        Cond::Not(cond) => known(cond).map(|is| !is),
        Cond::And(parts) | Cond::Or(parts) => {
            let decides = matches!(cond, Cond::Or(_));
            let parts: Vec<Option<bool>> = parts.iter().map(known).collect();
            match parts.contains(&Some(decides)) {
                true => Some(decides),
                false => parts.iter().all(Option::is_some).then_some(!decides),
            }
        }
        _ => None,
    }
}

/// Condition without the parts that decide nothing.
fn condition(cond: &CondOf) -> CondOf {
    let open = |parts: &[CondOf]| -> Vec<CondOf> {
        parts.iter().filter(|part| known(part).is_none()).map(condition).collect()
    };
    match cond {
        _ if known(cond).is_some() => cond.clone(),
        Cond::And(parts) | Cond::Or(parts) => match (&open(parts)[..], cond) {
            ([only], _) => only.clone(),
            (parts, Cond::And(_)) => Cond::And(parts.to_vec()),
            (parts, _) => Cond::Or(parts.to_vec()),
        },
        Cond::Not(cond) => Cond::Not(Box::new(condition(cond))),
        other => other.clone(),
    }
}

/// Moves without those that are never possible; `None` if none is left.
fn moves(all: &MovesOf) -> Option<MovesOf> {
    let several = |parts: &[MovesOf], of: fn(Vec<MovesOf>) -> MovesOf| {
        let mut parts: Vec<MovesOf> = parts.iter().filter_map(moves).collect();
        if parts.len() > 1 { Some(of(parts)) } else { parts.pop() }
    };
    match all {
        Moves::Mover(mover) => {
            let mut mover = mover.clone();
            mover.only_if = mover.only_if.filter(|cond| known(cond) != Some(true));
            mover.only_if = mover.only_if.map(|cond| condition(&cond));
            Some(Moves::Mover(mover))
        }
        Moves::Or(parts) => several(parts, Moves::Or),
        Moves::FirstOf(parts) => several(parts, Moves::FirstOf),
        Moves::Seq(parts) => several(parts, Moves::Seq),
        Moves::If(cond, yes, no) => match known(cond) {
            Some(true) => moves(yes),
            Some(false) => no.as_ref().and_then(|no| moves(no)),
            None => {
                let cond = condition(cond);
                match (moves(yes), no.as_ref().and_then(|no| moves(no))) {
                    (Some(yes), no) => Some(Moves::If(cond, Box::new(yes), no.map(Box::new))),
                    (None, Some(no)) => {
                        Some(Moves::If(Cond::Not(Box::new(cond)), Box::new(no), None))
                    }
                    (None, None) => None,
                }
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::explain;
    use crate::tests::program;

    /// Explanation of the moves and of the end.
    fn said(play: &str, end: &str) -> String {
        let source =
            format!("(game \"C\" (board (grid 3 3)) (play {play}) (end {end} (stuck draw)))");
        let text = explain(&program(&source)).to_string();
        let (_, after) = text.split_once("Moves\n").unwrap();
        after.split("Limits\n").next().unwrap().to_owned()
    }

    #[test]
    fn rules_that_an_option_switches_off_are_not_explained() {
        let end = "(if (makes (line 3)) (win mover))";
        let plain = said("(place)", end);
        assert!(!plain.contains("one is"), "{plain}");
        for (play, other_end) in [
            ("(if (= 1 1) (place) (or (place) pass))", end),
            ("(if (= 1 0) (or (place) pass) (place))", end),
            ("(or (place) (if (not (= 1 1)) pass))", end),
            ("(place (only-if (< 1 2)))", end),
            ("(place)", "(if (= 1 2) draw) (if (makes (line 3)) (win mover))"),
            ("(place)", "(if (and (= 1 1) (makes (line 3))) (win mover))"),
            ("(place)", "(if (or (> 1 1) (makes (line 3))) (win mover))"),
        ] {
            assert_eq!(said(play, other_end), plain, "{play} {other_end}");
        }
        // A condition on the position stays.
        let open = said("(if (> (count mine) 0) (or (place) pass) (place))", end);
        assert!(open.contains("stone"), "{open}");
        assert_ne!(open, plain);
    }
}
