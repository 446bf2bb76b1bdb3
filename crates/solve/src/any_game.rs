//! Games by their names, for tests.

use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Keyed, Notation};

use crate::{AnyRules, Options, Reduction, Rules, RulesVisitor, Solution, solve};

pub(crate) fn visit<V: RulesVisitor>(spec: &str, visitor: V) -> V::Output {
    struct Erase;
    impl Visitor for Erase {
        type Output = AnyRules;

        fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> AnyRules {
            let (tier, index_len) = (entry.tier(), entry.index_len());
            let (parents, symmetries) = (entry.parents(), entry.symmetries());
            let rules = Rules::new(entry.game).with_tier(tier).with_index_len(index_len);
            AnyRules::new(rules.with_parents(parents).with_symmetries(symmetries))
        }
    }
    let spec = GameSpec::parse(spec).unwrap_or_else(|error| panic!("{error}"));
    spec.with_game(Erase).unwrap().visit(visitor)
}

/// The game as it is, and without what it has of tiers, an index and moves back: solvers keep and
/// find positions in other ways.
pub(crate) fn ways<G: Keyed>(rules: &Rules<G>) -> Vec<Rules<G>> {
    let mut ways = vec![rules.clone()];
    if rules.has_tiers() {
        ways.push(rules.clone().with_tier(None));
    }
    if rules.index_len().is_some() {
        ways.extend(ways.clone().into_iter().map(|rules| rules.with_index_len(None)));
    }
    if rules.has_parents() {
        ways.extend(ways.clone().into_iter().map(|rules| rules.with_parents(None)));
    }
    ways
}

/// All of [`ways`], each with and without symmetry where that can be reduced.
pub(crate) fn cases<G: Keyed>(rules: &Rules<G>) -> impl Iterator<Item = (Rules<G>, bool)> {
    ways(rules)
        .into_iter()
        .flat_map(|rules| both(&rules).iter().map(move |&symmetry| (rules.clone(), symmetry)))
}

/// The solution from the start.
pub(crate) fn solved<G: Keyed>(rules: &Rules<G>, symmetry: bool) -> Solution<G> {
    let options = Options { symmetry, ..Options::default() };
    solve(rules, &rules.game().start(), options, &()).unwrap().done().unwrap()
}

/// Whether to reduce by symmetry: both, where it can be done.
pub(crate) fn both<G: Keyed>(rules: &Rules<G>) -> &'static [bool] {
    if Reduction::of(rules, &rules.game().start()).is_ok() { &[false, true] } else { &[false] }
}
