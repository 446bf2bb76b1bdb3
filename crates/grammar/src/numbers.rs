//! Parsers of numbers as people write them.

use std::error::Error;
use std::fmt;
use std::ops::{Bound, RangeBounds};

use crate::Values;

/// Error of a text that is not one of the expected values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InvalidValue(pub Values);

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Values::Whole(least, u64::MAX) => write!(f, "expected a whole number, {least} or more"),
            Values::Whole(..) => write!(f, "expected a whole number from {}", self.0),
            _ => write!(f, "expected {}", self.0),
        }
    }
}

impl Error for InvalidValue {}

/// Returns a parser of whole numbers in a range: `2000`, `2,000`, `2_000` or `2e3`. A range without
/// an upper bound ends at the largest value of `T`.
///
/// ```
/// let read = treegauge_grammar::count::<u32>(1..=10_000);
/// assert_eq!(read("2e3"), Ok(2_000));
/// assert_eq!(read("0").unwrap_err().to_string(), "expected a whole number from 1 to 10000");
/// ```
pub fn count<T: TryFrom<u64>>(
    range: impl RangeBounds<u64>,
) -> impl Fn(&str) -> Result<T, InvalidValue> + Clone + Send + Sync + 'static {
    let least = match range.start_bound() {
        Bound::Included(&least) => least,
        Bound::Excluded(&below) => below + 1,
        Bound::Unbounded => 0,
    };
    let greatest = match range.end_bound() {
        Bound::Included(&greatest) => greatest,
        Bound::Excluded(&above) => above.saturating_sub(1),
        Bound::Unbounded => u64::MAX,
    };
    move |text| {
        let number = whole(text).filter(|n| (least..=greatest).contains(n));
        let number = number.and_then(|n| T::try_from(n).ok());
        number.ok_or(InvalidValue(Values::Whole(least, greatest)))
    }
}

/// Returns a parser of numbers from `least` to `greatest`, both included.
pub fn number(
    least: f64,
    greatest: f64,
) -> impl Fn(&str) -> Result<f64, InvalidValue> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|x| (least..=greatest).contains(x));
        number.ok_or(InvalidValue(Values::Number(least, greatest)))
    }
}

/// Parses a whole number with separators of thousands or a power of ten.
pub(crate) fn whole(text: &str) -> Option<u64> {
    let (digits, power) = match text.split_once(['e', 'E']) {
        None => (text, 0),
        Some((digits, power)) => (digits, power.parse().ok()?),
    };
    let (digits, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = without_separators(digits)?;
    // `1.5e3` is whole; `1.5` and `1.5555e3` are not.
    let zeros = u32::try_from(fraction.len()).ok().and_then(|n| u32::checked_sub(power, n))?;
    let number: u64 = format!("{digits}{fraction}").parse().ok()?;
    number.checked_mul(10u64.checked_pow(zeros)?)
}

/// Removes the separators of thousands. `None` if a separator is not followed by three digits, or
/// another character is not a digit.
fn without_separators(digits: &str) -> Option<String> {
    let mut groups = digits.split([',', '_']);
    let first = groups.next()?;
    let mut all = first.to_owned();
    for group in groups {
        if group.len() != 3 || first.is_empty() || first.len() > 3 {
            return None;
        }
        all.push_str(group);
    }
    all.bytes().all(|b| b.is_ascii_digit()).then_some(all)
}

/// Parses a size in bytes: a number with an optional unit K, M, G or T. A unit is 1,024 times the
/// one before it.
///
/// # Errors
///
/// When the text is not a size, or the size does not fit into 64 bits.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 2000000, 500M or 1.5G".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let power = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 1,
        "M" | "MB" | "MIB" => 2,
        "G" | "GB" | "GIB" => 3,
        "T" | "TB" | "TIB" => 4,
        _ => return Err(expected()),
    };
    let unit = 1024u64.pow(power);
    let (number, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let number: u64 = number.parse().map_err(|_| expected())?;
    if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return Err(expected());
    }
    let part: f64 = format!("0.{fraction}").parse().map_err(|_| expected())?;
    let whole = number.checked_mul(unit);
    whole
        .and_then(|whole| whole.checked_add((part * unit as f64) as u64))
        .ok_or_else(|| "that is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{count, parse_size};

    #[test]
    fn whole_numbers_are_read_as_people_write_them() {
        let read = count::<u32>(0..=40_000_000);
        for (text, number) in [
            ("0", 0),
            ("2000", 2_000),
            ("2,000", 2_000),
            ("2_000_000", 2_000_000),
            ("2e3", 2_000),
            ("1.5E4", 15_000),
            ("4e7", 40_000_000),
        ] {
            assert_eq!(read(text), Ok(number), "{text}");
        }
        for bad in ["", "e", "e3", "-1", "+1", "1.5", "1.55e1", "2,00", ",000", "1234,567", "4.1e7"]
        {
            let message = "expected a whole number from 0 to 40000000";
            assert_eq!(read(bad).unwrap_err().to_string(), message, "{bad}");
        }
        for too_large in ["1e99", "1e4294967295", "99999999999999999999"] {
            assert!(read(too_large).is_err(), "{too_large}");
        }
        let message = "expected a whole number, 1 or more";
        assert_eq!(count::<u16>(1..)("70000").unwrap_err().to_string(), message);
        assert_eq!(count::<u16>(1..)("0").unwrap_err().to_string(), message);
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("0"), Ok(0));
        assert_eq!(parse_size("2000"), Ok(2_000));
        assert_eq!(parse_size("3k"), Ok(3 << 10));
        assert_eq!(parse_size("500MB"), Ok(500 << 20));
        assert_eq!(parse_size("6G"), Ok(6 << 30));
        assert_eq!(parse_size("1.5G"), Ok(3 << 29));
        for bad in
            ["", "G", "6X", "-1", ".5G", "1.G", "1.-5G", "99999999999999999999", "99999999T", "6 G"]
        {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
