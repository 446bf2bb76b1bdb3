//! The values of the parameters of a form.

use crate::values::{Parameter, hundredths};

/// Values for the parameters of a form, each checked against its parameter. A parameter without a
/// default has no value where another one that excludes it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args {
    /// In the order of the parameters.
    values: Vec<(&'static str, Option<String>)>,
}

impl Args {
    /// The defaults of some parameters.
    #[must_use]
    pub fn defaults<'p>(parameters: impl IntoIterator<Item = &'p Parameter>) -> Args {
        let default = |default: &str| (!default.is_empty()).then(|| default.to_owned());
        Args { values: parameters.into_iter().map(|p| (p.name, default(p.default))).collect() }
    }

    /// Sets a parameter, or removes its value. The caller has checked that the parameter exists
    /// and takes the value.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) {
        let slot = self.values.iter_mut().find(|(known, _)| *known == name);
        slot.expect("the parameter is one of these").1 = value.map(str::to_owned);
    }

    /// The value of a parameter as text, where it has one.
    ///
    /// # Panics
    ///
    /// When there is no such parameter: that is a slip in the code that knows the form.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("no parameter {name}")).1.as_deref()
    }

    /// The value of a parameter as text.
    ///
    /// # Panics
    ///
    /// When there is no such parameter, or it has no value.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_else(|| panic!("no value of {name}"))
    }

    /// The value of a whole number of at most 32 bits.
    ///
    /// # Panics
    ///
    /// When the parameter is none, is larger or is missing.
    #[must_use]
    pub fn whole(&self, name: &str) -> u32 {
        self.text(name).parse().expect("the value was checked to be a whole number")
    }

    /// The value of a whole number.
    ///
    /// # Panics
    ///
    /// When the parameter is none or is missing.
    #[must_use]
    pub fn long(&self, name: &str) -> u64 {
        self.text(name).parse().expect("the value was checked to be a whole number")
    }

    /// The value of a number.
    ///
    /// # Panics
    ///
    /// When the parameter is none or is missing.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().expect("the value was checked to be a number")
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
}
