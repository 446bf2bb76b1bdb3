//! Games by their names, for tests.

use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Capabilities, Keyed, Notation};

use crate::erased::{AnySolvable, SolvableVisitor};
use crate::rules::{Reduction, Solvable};
use crate::solution::Solution;
use crate::solver::{Options, solve};

pub(crate) fn visit<V: SolvableVisitor>(spec: &str, visitor: V) -> V::Output {
    struct Erase;
    impl Visitor for Erase {
        type Output = AnySolvable;

        fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> AnySolvable {
            let capabilities = *entry.capabilities();
            AnySolvable::new(Solvable::of(entry.game, capabilities))
        }
    }
    let spec = GameSpec::parse(spec).unwrap_or_else(|error| panic!("{error}"));
    spec.with_built_in_game(Erase).unwrap().visit(visitor)
}

pub(crate) fn without_tiers<G: Keyed>(rules: Solvable<G>) -> Solvable<G> {
    let capabilities = Capabilities { tier: None, ..*rules.capabilities() };
    rules.with_capabilities(capabilities)
}

pub(crate) fn without_index<G: Keyed>(rules: Solvable<G>) -> Solvable<G> {
    let capabilities = Capabilities { index_len: None, ..*rules.capabilities() };
    rules.with_capabilities(capabilities)
}

pub(crate) fn without_parents<G: Keyed>(rules: Solvable<G>) -> Solvable<G> {
    let capabilities = Capabilities { parents: None, ..*rules.capabilities() };
    rules.with_capabilities(capabilities)
}

/// The game as it is, and without what it has of tiers, an index and moves back: solvers keep and
/// find positions in other ways.
pub(crate) fn ways<G: Keyed>(rules: &Solvable<G>) -> Vec<Solvable<G>> {
    let mut ways = vec![rules.clone()];
    if rules.has_tiers() {
        ways.push(without_tiers(rules.clone()));
    }
    if rules.index_len().is_some() {
        ways.extend(ways.clone().into_iter().map(without_index));
    }
    if rules.has_parents() {
        ways.extend(ways.clone().into_iter().map(without_parents));
    }
    ways
}

/// All of [`ways`], each with and without symmetry where that can be reduced.
pub(crate) fn cases<G: Keyed>(rules: &Solvable<G>) -> impl Iterator<Item = (Solvable<G>, bool)> {
    ways(rules)
        .into_iter()
        .flat_map(|rules| both(&rules).iter().map(move |&symmetry| (rules.clone(), symmetry)))
}

/// The solution from the start.
pub(crate) fn solved<G: Keyed>(rules: &Solvable<G>, symmetry: bool) -> Solution<G> {
    let options = Options { symmetry, ..Options::default() };
    solve(rules, &rules.game().start(), options, &()).unwrap().done().unwrap()
}

/// Whether to reduce by symmetry: both, where it can be done.
pub(crate) fn both<G: Keyed>(rules: &Solvable<G>) -> &'static [bool] {
    if Reduction::of(rules, &rules.game().start()).is_ok() { &[false, true] } else { &[false] }
}
