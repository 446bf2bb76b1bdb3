//! Lints of parts of a text that change nothing (W8): sets that are always empty or full,
//! conditions that always or never hold, effects without effect, and repeated arguments.

use treegauge_core::Player;

use super::reach::Reach;
use super::values::Values;
use crate::lint::Warning;
use crate::lint::walk::{Found, Item};
use crate::tree::{Cond, Effect, Moves, Num, Program, Set};

pub(super) fn warnings(program: &Program, found: &[Found<'_>], reach: &Reach) -> Vec<Warning> {
    let players = Player::BOTH.map(|mover| Values { program, reach, mover });
    let mut idle: Vec<(&Found<'_>, String)> = Vec::new();
    // In reverse order, nested expressions come before the ones that contain them, so that the
    // smallest is reported.
    for part in found.iter().rev() {
        if idle.iter().any(|(inner, _)| inner.is_within(part)) {
            continue;
        }
        if let Some(message) = why(program, &players, part) {
            idle.push((part, message));
        }
    }
    let warnings = idle.into_iter();
    warnings.map(|(part, message)| Warning::new("W8", part.place(), message)).collect()
}

fn why(program: &Program, players: &[Values<'_>; 2], part: &Found<'_>) -> Option<String> {
    let all = |is: &dyn Fn(&Values<'_>) -> bool| players.iter().all(is);
    let text = part.node.text();
    match part.item {
        Item::Set(set) if !program.board.is_pits() => {
            let composed = !matches!(set, Set::Const(_));
            // A kind that never appears has a warning of its own.
            let of_kind = matches!(set, Set::Mine(_) | Set::Theirs(_) | Set::Piece(_));
            if !of_kind && all(&|values| values.set(set).is_empty()) {
                return Some(format!("`{text}` is always empty"));
            }
            if composed && all(&|values| values.is_full(set)) {
                return Some(format!("`{text}` is always every site of the board"));
            }
            twice(part, matches!(set, Set::And(_) | Set::Or(_) | Set::FirstOf(_)))
        }
        Item::Cond(cond) => {
            let of_player = |cond: &Cond<_>| matches!(cond, Cond::Is(..));
            let holds = players.each_ref().map(|values| values.cond(cond));
            match holds {
                [Some(true), Some(true)] => Some(format!("`{text}` always holds")),
                [Some(false), Some(false)] => Some(format!("`{text}` never holds")),
                _ if of_player(cond) => None,
                _ => twice(part, matches!(cond, Cond::And(_) | Cond::Or(_))),
            }
        }
        Item::Moves(moves) => match moves {
            Moves::If(_, _, Some(_)) => {
                let rest = part.node.rest();
                (rest[1].text() == rest[2].text())
                    .then(|| "both branches of this `if` are the same".to_owned())
            }
            Moves::If(..) => None,
            Moves::Seq(_) => None,
            _ => twice(part, true),
        },
        Item::Effect(effect) => effect_of(program, players, part, effect),
        _ => None,
    }
}

fn effect_of(
    program: &Program,
    players: &[Values<'_>; 2],
    part: &Found<'_>,
    effect: &Effect<Vec<u16>>,
) -> Option<String> {
    let all = |is: &dyn Fn(&Values<'_>) -> bool| players.iter().all(is);
    let text = part.node.text();
    if program.board.is_pits() {
        return None;
    }
    match effect {
        Effect::Capture(set) => all(&|values| !values.set(set).has_piece())
            .then(|| format!("`{text}` captures nothing: these sites are empty")),
        Effect::Flip(set) => all(&|values| !values.set(set).has_theirs())
            .then(|| format!("`{text}` turns nothing: only theirs change sides")),
        Effect::Put(_, _, set) => all(&|values| !values.set(set).has_empty())
            .then(|| format!("`{text}` puts nothing: pieces come to empty sites only")),
        Effect::Become(kind) => {
            let mover = program.all_movers().into_iter().find(|m| Some(m.id) == part.mover)?;
            (mover.kind == Some(*kind)).then(|| {
                let name = &program.kinds[usize::from(*kind)].name;
                format!("`{text}` changes nothing: what moves is a `{name}` already")
            })
        }
        Effect::Add(Num::Int(0), _) => Some(format!("`{text}` adds nothing")),
        _ => None,
    }
}

/// Warning that two arguments of a word are the same.
fn twice(part: &Found<'_>, is_list: bool) -> Option<String> {
    let mut seen: Vec<String> = Vec::new();
    for node in part.node.rest().iter().filter(|_| is_list) {
        let text = node.text();
        if seen.contains(&text) {
            let head = part.node.head().unwrap_or_default();
            return Some(format!("`{text}` occurs twice in this `{head}`"));
        }
        seen.push(text);
    }
    None
}
