//! The values of a game's parameters.

use treegauge_core::Plies;

use crate::family::hundredths;
use crate::{Family, Parameter};

/// A value for every parameter of a family or an evaluator, each checked to be one that the parameter takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args {
    /// In the order of the parameters.
    values: Vec<(&'static str, String)>,
}

impl Args {
    /// The defaults of a family.
    #[must_use]
    pub fn defaults(family: &Family) -> Args {
        Args::of(family.all_parameters())
    }

    /// The defaults of some parameters.
    pub(crate) fn of(parameters: impl Iterator<Item = &'static Parameter>) -> Args {
        Args { values: parameters.map(|p| (p.name, p.default.to_owned())).collect() }
    }

    /// Sets a parameter. The caller has checked that there is such a one and takes the value.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let slot = self.values.iter_mut().find(|(known, _)| *known == name);
        slot.expect("the parameter is one of these").1 = value.to_owned();
    }

    /// The value of a parameter as text.
    ///
    /// # Panics
    ///
    /// When there is no such parameter: that is a slip in the family's own module.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        let found = self.values.iter().find(|(known, _)| *known == name);
        &found.unwrap_or_else(|| panic!("no parameter {name}")).1
    }

    /// The value of a whole number.
    ///
    /// # Panics
    ///
    /// When the parameter is none or is missing.
    #[must_use]
    pub fn whole(&self, name: &str) -> u32 {
        self.text(name).parse().expect("the value was checked to be a whole number")
    }

    /// The value of a number in hundredths, as a whole number of them.
    ///
    /// # Panics
    ///
    /// When the parameter is none or is missing.
    #[must_use]
    pub fn hundredths(&self, name: &str) -> u32 {
        hundredths(self.text(name)).expect("the value was checked to be in hundredths")
    }

    /// The value of a flag.
    ///
    /// # Panics
    ///
    /// When the parameter is missing.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }

    /// The ply cap, which every game has.
    #[must_use]
    pub fn ply_cap(&self) -> Plies {
        Plies(self.whole("ply_cap"))
    }
}
