//! Values of the parameters of a form.

use crate::values::{Parameter, hundredths};

/// Values of the parameters of a form, each checked against its parameter. A parameter has no value
/// if it has no default and was not given, or if another one that excludes it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Args {
    /// Name and value of each parameter, in the order of the parameters of the form.
    values: Vec<(&'static str, Option<String>)>,
}

impl Args {
    /// Returns the default of each parameter, or `None` for a parameter without a default.
    #[must_use]
    pub fn defaults<'p>(parameters: impl IntoIterator<Item = &'p Parameter>) -> Args {
        let default = |default: &str| (!default.is_empty()).then(|| default.to_owned());
        Args { values: parameters.into_iter().map(|p| (p.name, default(p.default))).collect() }
    }

    /// Sets the value of a parameter, or removes it. The caller has checked that the parameter
    /// exists and takes the value.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) {
        let slot = self.values.iter_mut().find(|(known, _)| *known == name);
        slot.expect("the parameter is one of these").1 = value.map(str::to_owned);
    }

    /// Value of a parameter as text; `None` if it has no value.
    ///
    /// # Panics
    ///
    /// When the form has no such parameter, which is a mistake in the calling code.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.values.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("no parameter {name}")).1.as_deref()
    }

    /// Value of a parameter as text.
    ///
    /// # Panics
    ///
    /// When the form has no such parameter, or it has no value.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.get(name).unwrap_or_else(|| panic!("no value of {name}"))
    }

    /// Value of a whole number of at most 32 bits.
    ///
    /// # Panics
    ///
    /// When the form has no such parameter, it has no value, or its value is not a whole number
    /// below 2^32.
    #[must_use]
    pub fn whole(&self, name: &str) -> u32 {
        self.text(name).parse().expect("the value was checked to be a whole number")
    }

    /// Value of a whole number of at most 64 bits.
    ///
    /// # Panics
    ///
    /// When the form has no such parameter, it has no value, or its value is not a whole number.
    #[must_use]
    pub fn long(&self, name: &str) -> u64 {
        self.text(name).parse().expect("the value was checked to be a whole number")
    }

    /// Value of a number.
    ///
    /// # Panics
    ///
    /// When the form has no such parameter, it has no value, or its value is not a number.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().expect("the value was checked to be a number")
    }

    /// Value of a number in hundredths: 50 for `0.5`.
    ///
    /// # Panics
    ///
    /// When the form has no such parameter, it has no value, or its value is not a number of
    /// hundredths in its shortest spelling.
    #[must_use]
    pub fn hundredths(&self, name: &str) -> u32 {
        hundredths(self.text(name)).expect("the value was checked to be in hundredths")
    }

    /// Value of a flag: `true` if its text is `true`.
    ///
    /// # Panics
    ///
    /// When the form has no such parameter, or it has no value.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }
}
