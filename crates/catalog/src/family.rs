//! What is known of a family of games without building one.

use std::fmt;

/// A family: one set of rules with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The registry name.
    pub name: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// The game in one line.
    pub summary: &'static str,
    /// The family's own parameters; [`Family::all_parameters`] has `ply_cap` too.
    pub parameters: &'static [Parameter],
    /// Short names that set several parameters to one value: the name and what it sets.
    pub both: &'static [(&'static str, &'static [&'static str])],
    /// Named settings of the parameters.
    pub presets: &'static [Preset],
}

/// A parameter with its default and range.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name before `=`.
    pub name: &'static str,
    /// The value when it is not given, as it would be written.
    pub default: &'static str,
    /// What it takes.
    pub values: Values,
    /// What it means, in a few words.
    pub help: &'static str,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Whole numbers from the first to the last, both included.
    Whole(u32, u32),
    /// Numbers with at most two digits after the point, from the first to the last, both included
    /// and given in hundredths.
    Hundredths(u32, u32),
    /// `true` or `false`.
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
}

/// A name for a setting of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The parameters that it sets.
    pub sets: &'static [(&'static str, &'static str)],
    /// What it is, in one line.
    pub summary: &'static str,
}

/// The parameter that every game has.
const PLY_CAP: Parameter = Parameter {
    name: "ply_cap",
    default: "1000",
    values: Values::Whole(1, 1_000_000),
    help: "plies after which a game is stopped as capped",
};

impl Family {
    /// The family's parameters and those that every game has.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.parameters.iter().chain(std::iter::once(&PLY_CAP))
    }

    /// The parameters that a name sets: the one of that name, or those of a short name. None
    /// for a name that the family does not have.
    #[must_use]
    pub fn set_by(&self, name: &str) -> Vec<&'static Parameter> {
        let short = self.both.iter().find(|(short, _)| *short == name);
        self.all_parameters()
            .filter(|p| short.map_or(p.name == name, |(_, names)| names.contains(&p.name)))
            .collect()
    }

    /// Whether `name` is the family's name or one of its aliases.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

impl Values {
    /// Whether a text is one of the values.
    #[must_use]
    pub fn take(&self, text: &str) -> bool {
        match self {
            // No sign and no leading zero, so that a value has one spelling.
            Values::Whole(min, max) => text
                .parse::<u32>()
                .is_ok_and(|n| (*min..=*max).contains(&n) && n.to_string() == text),
            Values::Hundredths(min, max) => {
                hundredths(text).is_some_and(|n| (*min..=*max).contains(&n))
            }
            Values::Flag => matches!(text, "true" | "false"),
            Values::Word(words) => words.contains(&text),
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
            Values::Flag => f.write_str("true or false"),
            Values::Word(words) => f.write_str(&words.join(" | ")),
        }
    }
}

/// The hundredths of a number that is written in the shortest way, which is the only one: `0.5` and
/// neither `.5` nor `0.50`.
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
}
