//! Games by their names, for tests.

use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Keyed, Notation};

use crate::{AnyRules, Options, Reduction, Rules, RulesVisitor, Solution, solve};

pub(crate) fn visit<V: RulesVisitor>(spec: &str, visitor: V) -> V::Output {
    struct Erase;
    impl Visitor for Erase {
        type Output = AnyRules;

        fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> AnyRules {
            let (tier, symmetries) = (entry.tier(), entry.symmetries());
            AnyRules::new(Rules::new(entry.game).with_tier(tier).with_symmetries(symmetries))
        }
    }
    let spec = GameSpec::parse(spec).unwrap_or_else(|error| panic!("{error}"));
    spec.with_game(Erase).unwrap().visit(visitor)
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
