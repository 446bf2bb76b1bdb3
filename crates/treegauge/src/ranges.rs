//! The ranges of numbers that callers of the library choose: those of the command line hold for them too.

use treegauge_grammar::{NotOneOf, Values};
use treegauge_search::Budget;

use crate::{Error, ErrorKind};

/// The greatest exploration constant.
pub(crate) const CP_MAX: f64 = 1_000.0;

/// Refuses a whole number that is not in a range.
pub(crate) fn whole(name: &str, value: u64, least: u64, greatest: u64) -> Result<(), Error> {
    if (least..=greatest).contains(&value) {
        return Ok(());
    }
    refused(name, value.to_string(), Values::Whole(least, greatest))
}

/// Refuses iterations that no search makes.
pub(crate) fn iterations(value: u32) -> Result<(), Error> {
    whole("iterations", value.into(), 1, Budget::ITERATIONS_MAX.into())
}

/// Refuses an exploration constant with which no search works.
pub(crate) fn cp(value: f64) -> Result<(), Error> {
    if (0.0..=CP_MAX).contains(&value) {
        return Ok(());
    }
    refused("cp", value.to_string(), Values::Number(0.0, CP_MAX))
}

fn refused(name: &str, found: String, values: Values) -> Result<(), Error> {
    let message = format!("{name}: {}, found {found}", NotOneOf(values));
    Err(Error::new(ErrorKind::Usage, message))
}
