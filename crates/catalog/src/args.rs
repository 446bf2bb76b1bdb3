//! Values of a game's parameters.

use std::ops::Deref;

use treegauge_core::Plies;

use crate::Family;

/// Value of every parameter of a family, each checked against the parameter's range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args(treegauge_grammar::Args);

impl Args {
    /// Defaults of a family.
    #[must_use]
    pub fn defaults(family: &Family) -> Args {
        Args(treegauge_grammar::Args::defaults(family.all_parameters()))
    }

    /// Ply cap, which every game has.
    #[must_use]
    pub fn ply_cap(&self) -> Plies {
        Plies(self.whole("ply_cap"))
    }
}

impl From<treegauge_grammar::Args> for Args {
    fn from(args: treegauge_grammar::Args) -> Args {
        Args(args)
    }
}

impl Deref for Args {
    type Target = treegauge_grammar::Args;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
