//! Test for ways to move whose order matters.
//!
//! Two moves with the same text count as one, and the first described counts. So the order matters
//! if two ways to move can have the same text but different effects.

use crate::board::{Board, Shape, Site};
use crate::tree::{Dirs, Mover, Moves, Verb};

type Sites = Vec<Site>;

/// Mover that may begin a move, and whether more parts may follow it.
struct First<'m> {
    mover: &'m Mover<Sites>,
    more: bool,
}

/// Tests whether the order of some ways to move has no effect.
pub(super) fn is_free(board: &Board, parts: &[Moves<Sites>]) -> bool {
    clashes(board, parts).iter().flatten().all(|clash| !clash)
}

/// Smallest permutation of the forms that has the same effect. Two ways whose order matters keep
/// it.
pub(super) fn least<F: Ord>(board: &Board, parts: &[Moves<Sites>], forms: Vec<F>) -> Vec<F> {
    let clashes = clashes(board, parts);
    let mut left: Vec<(usize, F)> = forms.into_iter().enumerate().collect();
    let mut least = Vec::new();
    while !left.is_empty() {
        let may_come =
            |at: &usize| left[..*at].iter().all(|(before, _)| !clashes[*before][left[*at].0]);
        let next = (0..left.len()).filter(may_come).min_by(|&a, &b| left[a].1.cmp(&left[b].1));
        least.push(left.remove(next.expect("nothing stands before the first")).1);
    }
    least
}

/// For each way to move and each later one, whether their order may matter.
fn clashes(board: &Board, parts: &[Moves<Sites>]) -> Vec<Vec<bool>> {
    let firsts: Vec<Vec<First<'_>>> = parts
        .iter()
        .map(|part| {
            let mut found = Vec::new();
            collect(part, false, &mut found);
            found
        })
        .collect();
    let clash = |one: &[First<'_>], other: &[First<'_>]| {
        one.iter().any(|one| {
            other.iter().any(|other| may_differ(one, other) && !never_same_text(board, one, other))
        })
    };
    let of = |n: usize| {
        (0..firsts.len()).map(|other| other > n && clash(&firsts[n], &firsts[other])).collect()
    };
    (0..firsts.len()).map(of).collect()
}

fn collect<'m>(moves: &'m Moves<Sites>, more: bool, found: &mut Vec<First<'m>>) {
    match moves {
        Moves::Mover(mover) => found.push(First { mover, more }),
        Moves::Or(parts) | Moves::FirstOf(parts) => {
            parts.iter().for_each(|part| collect(part, more, found));
        }
        Moves::Seq(parts) => collect(&parts[0], true, found),
        Moves::If(_, yes, no) => {
            collect(yes, more, found);
            no.iter().for_each(|no| collect(no, more, found));
        }
    }
}

/// Tests whether moves of the same text may have different effects.
fn may_differ(a: &First<'_>, b: &First<'_>) -> bool {
    // A chain has effects after each hop, and a hop refers to a site that a step lacks.
    let hops = |first: &First<'_>| matches!(first.mover.verb, Verb::Hop { .. });
    let plain = !a.more && !b.more && hops(a) == hops(b) && a.mover.kind == b.mover.kind;
    !plain || a.mover.then != b.mover.then
}

/// Tests whether two movers never write the same text in one position.
fn never_same_text(board: &Board, a: &First<'_>, b: &First<'_>) -> bool {
    let class = |verb: &Verb<Sites>| match verb {
        Verb::Place => 0,
        Verb::Step(_)
        | Verb::Slide(..)
        | Verb::Leap(_)
        | Verb::Fly
        | Verb::Ride(_)
        | Verb::Hop { .. } => 1,
        Verb::Remove => 2,
        Verb::Sow { .. } => 3,
        Verb::Swap { .. } => 4,
        Verb::Pass => 5,
    };
    if class(&a.mover.verb) != class(&b.mover.verb) {
        return true;
    }
    // A site holds a piece of one kind, and the text of a placement names the kind.
    if a.mover.kind.zip(b.mover.kind).is_some_and(|(a, b)| a != b) {
        return true;
    }
    let flat = !board.wrap.columns && !board.wrap.rows && board.shape != Shape::Graph;
    let apart =
        |a: &Dirs, b: &Dirs| (0..2).all(|player| a[player].iter().all(|d| !b[player].contains(d)));
    match (&a.mover.verb, &b.mover.verb) {
        (Verb::Step(a), Verb::Step(b)) => flat && apart(a, b),
        (Verb::Step(_), Verb::Hop { .. }) | (Verb::Hop { .. }, Verb::Step(_)) => flat,
        _ => false,
    }
}
