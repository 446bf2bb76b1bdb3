//! Expressions in a form that takes less time to evaluate, with the same values.
//!
//! Sets that are the same in every position are computed once. The operands of an intersection come
//! in the order of their costs, so that it is often known to be empty before the dear ones.

use treegauge_bits::Word;

use super::code::Arc1;
use super::sets::go;
use crate::terms::Map;
use crate::tree::Set;

/// Cost of words that visit sites one by one or follow connections.
const DEAR: u32 = 100;

/// Rebuilds expressions.
pub(super) struct Simpler<'a, W> {
    pub(super) arcs: &'a [Vec<Arc1<W>>],
    /// All sites that may hold pieces.
    pub(super) playing: W,
}

impl<W: Word> Map<W, W> for Simpler<'_, W> {
    fn sites(&self, sites: &W) -> W {
        *sites
    }

    fn set(&self, of: &Set<W>) -> Set<W> {
        match of.map_parts(self) {
            Set::And(mut sets) => match joint(&sets, |a, b| a & b) {
                Some(both) => Set::Const(both),
                None => {
                    sets.sort_by_key(cost);
                    Set::And(sets)
                }
            },
            Set::Or(sets) => joint(&sets, |a, b| a | b).map_or(Set::Or(sets), Set::Const),
            Set::Not(set) => match *set {
                Set::Const(of) => Set::Const(of.map(|sites| self.playing & !sites)),
                set => Set::Not(Box::new(set)),
            },
            Set::Next(set, dirs) => match *set {
                Set::Const(of) => Set::Const([0, 1].map(|player| {
                    let beside = |&d: &u8| go(&self.arcs[usize::from(d)], of[player]);
                    dirs[player].iter().fold(W::ZERO, |all, d| all | beside(d))
                })),
                set => Set::Next(Box::new(set), dirs),
            },
            other => other,
        }
    }
}

/// Combination of constant sets, for each player; `None` if one of the sets is not constant.
fn joint<W: Word>(sets: &[Set<W>], how: impl Fn(W, W) -> W) -> Option<[W; 2]> {
    let consts = sets.iter().map(|set| match set {
        Set::Const(of) => Some(*of),
        _ => None,
    });
    let consts: Vec<[W; 2]> = consts.collect::<Option<_>>()?;
    consts.into_iter().reduce(|a, b| [how(a[0], b[0]), how(a[1], b[1])])
}

/// Approximate number of operations on words that the value of a set takes.
fn cost<W>(set: &Set<W>) -> u32 {
    let all = |sets: &[Set<W>]| sets.iter().map(|set| 1 + cost(set)).sum::<u32>();
    match set {
        Set::Const(_) | Set::To | Set::From | Set::Over | Set::Taken | Set::Last(_) => 0,
        Set::Mine(None) | Set::Theirs(None) => 0,
        Set::Empty | Set::Occupied => 3,
        Set::Mine(_) | Set::Theirs(_) | Set::Piece(_) => 5,
        Set::And(sets) | Set::Or(sets) | Set::FirstOf(sets) => all(sets),
        Set::Not(set) => 1 + cost(set),
        Set::Next(set, dirs) => cost(set) + 4 * dirs[0].len() as u32,
        Set::Custodial(dirs, _) => 10 * dirs[0].len() as u32,
        _ => DEAR,
    }
}
