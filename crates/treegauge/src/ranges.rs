//! Ranges of numbers that callers of the library choose. They are the same as on the command line.

use treegauge_grammar::{InvalidValue, Values};
use treegauge_search::Budget;

use crate::{Error, ErrorKind};

/// Greatest exploration constant.
pub(crate) const CP_MAX: f64 = 1_000.0;

/// Refuses a whole number outside a range.
pub(crate) fn whole(name: &str, value: u64, least: u64, greatest: u64) -> Result<(), Error> {
    if (least..=greatest).contains(&value) {
        return Ok(());
    }
    refused(name, value.to_string(), Values::Whole(least, greatest))
}

/// Refuses a number of iterations outside the range of searches.
pub(crate) fn iterations(value: u32) -> Result<(), Error> {
    whole("iterations", value.into(), 1, Budget::ITERATIONS_MAX.into())
}

/// Refuses an exploration constant outside 0 to [`CP_MAX`].
pub(crate) fn cp(value: f64) -> Result<(), Error> {
    if (0.0..=CP_MAX).contains(&value) {
        return Ok(());
    }
    refused("cp", value.to_string(), Values::Number(0.0, CP_MAX))
}

fn refused(name: &str, found: String, values: Values) -> Result<(), Error> {
    let message = format!("{name}: {}, found {found}", InvalidValue(values));
    Err(Error::new(ErrorKind::Usage, message))
}
