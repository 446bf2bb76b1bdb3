//! Parameters of forms and the values that they take.

use std::borrow::Cow;
use std::fmt;

use treegauge_core::Call;

use crate::Role;
use crate::numbers::whole;

/// Parameter with its default and range.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name before `=`.
    pub name: &'static str,
    /// Value of a parameter that is not given, as a user would write it; [`Parameter::NO_DEFAULT`]
    /// if it has none.
    pub default: &'static str,
    /// Values that the parameter takes.
    pub values: Values,
    /// Meaning in a few words.
    pub help: &'static str,
}

impl Parameter {
    /// Default of a parameter that must be given, unless a parameter that excludes it is given.
    pub const NO_DEFAULT: &'static str = "";
}

/// Set of values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// Whole numbers from the first to the last, both included.
    Whole(u64, u64),
    /// Numbers with at most two decimal digits, from the first to the last, both included. The
    /// bounds are in hundredths.
    Hundredths(u32, u32),
    /// Numbers from the first to the last, both included, in any spelling that Rust parses as
    /// `f64`.
    Number(f64, f64),
    /// `true` or `false`.
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
    /// Any text, for example a path. The word is its placeholder in usage lines.
    Text(&'static str),
    /// Nested call, `name` or `name(param=value,...)`. Only its syntax is checked, because the
    /// known names may depend on more than the table.
    Call(Role),
}

impl Values {
    /// Tests whether `text` is one of the values. Whole numbers must be spelt canonically;
    /// [`Values::read`] accepts more spellings of them.
    #[must_use]
    pub fn take(&self, text: &str) -> bool {
        match self {
            // Neither a sign nor a leading zero is allowed, so that every value has one spelling.
            Values::Whole(min, max) => text
                .parse::<u64>()
                .is_ok_and(|n| (*min..=*max).contains(&n) && n.to_string() == text),
            Values::Hundredths(min, max) => {
                hundredths(text).is_some_and(|n| (*min..=*max).contains(&n))
            }
            Values::Number(min, max) => {
                text.parse::<f64>().is_ok_and(|x| (*min..=*max).contains(&x))
            }
            Values::Flag => matches!(text, "true" | "false"),
            Values::Word(words) => words.contains(&text),
            Values::Text(_) => true,
            Values::Call(_) => Call::parse(text).is_ok(),
        }
    }

    /// Canonical spelling of a value. A whole number may be written with a power of ten or
    /// underscores: `1e5` or `100_000`. `None` if the text is not one of the values.
    #[must_use]
    pub fn read<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        if self.take(text) {
            return Some(Cow::Borrowed(text));
        }
        let is_short = matches!(self, Values::Whole(..)) && text.contains(['e', 'E', '_']);
        let digits = whole(text).filter(|_| is_short && !text.starts_with('0'))?.to_string();
        self.take(&digits).then_some(Cow::Owned(digits))
    }

    /// Placeholder of a value in a usage line.
    pub(crate) fn placeholder(&self) -> String {
        match self {
            Values::Whole(..) => "N".to_owned(),
            Values::Hundredths(..) | Values::Number(..) => "X".to_owned(),
            Values::Flag => "true|false".to_owned(),
            Values::Word(words) => words.join("|"),
            Values::Text(word) => (*word).to_owned(),
            Values::Call(_) => "NAME".to_owned(),
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Whole(min, max) => write!(f, "{min} to {max}"),
            Values::Hundredths(min, max) => {
                let [min, max] = [min, max].map(|&n| f64::from(n) / 100.0);
                write!(f, "{min} to {max} with at most two digits after the point")
            }
            Values::Number(min, max) => write!(f, "a number from {min} to {max}"),
            Values::Flag => f.write_str("true or false"),
            Values::Word(words) => f.write_str(&words.join(" | ")),
            Values::Text(word) => f.write_str(word),
            Values::Call(role) => write!(f, "{} {role}", role.article()),
        }
    }
}

/// Hundredths of a number from 0 to below 1,000,000. Only the shortest spelling is accepted: `0.5`,
/// but neither `.5` nor `0.50`.
pub(crate) fn hundredths(text: &str) -> Option<u32> {
    let number: f64 = text.parse().ok().filter(|n| (0.0..1e6).contains(n))?;
    let hundredths = (100.0 * number).round() as u32;
    ((f64::from(hundredths) / 100.0).to_string() == text).then_some(hundredths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_have_one_spelling() {
        let values = Values::Hundredths(0, 100);
        for (text, n) in [("0", 0), ("0.07", 7), ("0.29", 29), ("0.5", 50), ("1", 100)] {
            assert_eq!(hundredths(text), Some(n));
            assert!(values.take(text));
        }
        for n in 0..=1_000 {
            assert_eq!(hundredths(&(f64::from(n) / 100.0).to_string()), Some(n));
        }
        for bad in ["", ".5", "0.50", "00", "-0", "+1", "0.123", "1.01", "1e0", "nan", "x", "1."] {
            assert!(!values.take(bad), "{bad}");
        }
        assert_eq!(values.to_string(), "0 to 1 with at most two digits after the point");
    }

    #[test]
    fn a_whole_number_may_be_written_shorter() {
        let whole = Values::Whole(1, 200_000);
        for (text, value) in
            [("1e5", "100000"), ("100_000", "100000"), ("1.5E5", "150000"), ("7", "7")]
        {
            assert_eq!(whole.read(text).as_deref(), Some(value));
        }
        for bad in ["3e5", "0e0", "01e2", "1e", "1.5", "_1", "1_0", "e5", "0x10"] {
            assert_eq!(whole.read(bad), None, "{bad}");
        }
        assert_eq!(Values::Number(0.0, 1.0).read("1e-1").as_deref(), Some("1e-1"));
    }

    #[test]
    fn each_kind_takes_its_values_and_no_others() {
        let whole = Values::Whole(1, u64::MAX);
        assert!(whole.take("18446744073709551615") && whole.take("1"));
        for bad in ["0", "01", "+1", "-1", "18446744073709551616", "1.0", ""] {
            assert!(!whole.take(bad), "{bad}");
        }
        let number = Values::Number(-2.5, 1e3);
        assert!(["-2.5", "0.70", "1e3", ".5"].iter().all(|text| number.take(text)));
        for bad in ["-2.6", "1001", "nan", "inf", "x", ""] {
            assert!(!number.take(bad), "{bad}");
        }
        assert!(Values::Call(Role::Evaluator).take("custom_score(f=0.5)"));
        assert!(!Values::Call(Role::Evaluator).take("custom.score"));
        assert!(Values::Text("PATH").take("a b/c"));
    }
}
