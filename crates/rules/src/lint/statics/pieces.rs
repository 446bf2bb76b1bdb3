//! Lints of kinds, sites, points and hands without use: W5, W7 and W9.

use super::reach::Reach;
use crate::lint::walk::{Found, Item, section};
use crate::lint::{Warning, few};
use crate::tree::{Effect, Num, Owner, Program, Verb};

pub(super) fn warnings(program: &Program, found: &[Found<'_>], reach: &Reach) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if !program.board.is_pits() {
        kinds(program, reach, &mut warnings);
        sites(program, reach, &mut warnings);
    }
    points(program, found, &mut warnings);
    warnings
}

fn kinds(program: &Program, reach: &Reach, warnings: &mut Vec<Warning>) {
    let movers = program.all_movers();
    let moves = |verb: &Verb<_>| !matches!(verb, Verb::Place | Verb::Remove | Verb::Pass);
    let something_moves = movers.iter().any(|mover| moves(&mover.verb));
    for (number, kind) in program.kinds.iter().enumerate() {
        let declared = section(program, "pieces").rest();
        let Some(node) = declared.iter().find(|node| node.head() == Some(&kind.name)) else {
            continue;
        };
        let name = &kind.name;
        let of_kind = |kind: Option<u8>| kind.is_none_or(|kind| usize::from(kind) == number);
        if kind.hand.is_some_and(|hand| hand > 0)
            && !movers.iter().any(|mover| mover.verb == Verb::Place && of_kind(mover.kind))
        {
            let message = format!("no move places a `{name}`, so that the hand stays full");
            warnings.push(Warning::new("W9", node.place, message));
        }
        if !reach.comes(number) {
            let message = format!("no `{name}` can ever come to the board: nothing puts it there");
            warnings.push(Warning::new("W5", node.place, message));
            continue;
        }
        let moved = movers.iter().any(|mover| moves(&mover.verb) && of_kind(mover.kind));
        let placed = movers.iter().any(|mover| mover.verb == Verb::Place && of_kind(mover.kind))
            || program.has_effect(
                |effect| matches!(effect, Effect::Put(_, put, _) if usize::from(*put) == number),
            );
        // A placed piece may be intended to stay.
        if kind.owner != Owner::Neutral && something_moves && !moved && !placed {
            let message = format!("no `{name}` can ever move");
            warnings.push(Warning::new("W5", node.place, message));
        }
    }
}

fn sites(program: &Program, reach: &Reach, warnings: &mut Vec<Warning>) {
    let board = &program.board;
    let stands = |site: u16| (0..3).any(|owner| reach.stand(board, owner, None)[site as usize]);
    let unused: Vec<&str> = board
        .sites()
        .filter(|&site| !stands(site))
        .map(|site| board.names[site as usize].as_str())
        .collect();
    if !unused.is_empty() {
        let sites = if unused.len() == 1 { "site" } else { "sites" };
        let message =
            format!("no piece can ever stand on {} {sites}: {}", unused.len(), few(&unused));
        warnings.push(Warning::remark("W7", section(program, "board").place, message));
    }
}

fn points(program: &Program, found: &[Found<'_>], warnings: &mut Vec<Warning>) {
    if program.board.is_pits() {
        return;
    }
    let reads = |part: &&Found<'_>| matches!(part.item, Item::Num(Num::Score(_)));
    let writes = |part: &&Found<'_>| matches!(part.item, Item::Effect(Effect::Add(..)));
    match (found.iter().find(writes), found.iter().find(reads)) {
        (Some(add), None) => {
            let message = "no word reads the points: `(most score)` in end would";
            warnings.push(Warning::new("W9", add.place(), message));
        }
        (None, Some(score)) => {
            let message = "no effect changes the points: `(add 1)` in then would";
            warnings.push(Warning::new("W9", score.place(), message));
        }
        _ => {}
    }
}
