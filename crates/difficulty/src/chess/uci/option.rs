//! Options that an engine declares.

use std::fmt;

/// Option as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    values: Values,
}

/// Values that an option accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Values {
    /// `type spin`: integers from the minimum to the maximum.
    Number(i64, i64),
    /// `type check`: `true` and `false`.
    Switch,
    /// `type combo`: one of the texts after `var`.
    OneOf(Vec<String>),
    /// `type button`: no value.
    Button,
    /// `type string` and unknown types: any text.
    Any,
}

impl Declared {
    /// Reads the words after `option name`.
    pub(super) fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Declared {
        let name: Vec<&str> = words.by_ref().take_while(|word| *word != "type").collect();
        let values = match words.next() {
            Some("spin") => {
                let words: Vec<&str> = words.collect();
                let bound = |name: &str| {
                    let at = words.iter().position(|word| *word == name)?;
                    words.get(at + 1)?.parse::<i64>().ok()
                };
                Values::Number(bound("min").unwrap_or(i64::MIN), bound("max").unwrap_or(i64::MAX))
            }
            Some("check") => Values::Switch,
            Some("combo") => {
                let rest = words.collect::<Vec<_>>().join(" ");
                let all = format!(" {rest}");
                Values::OneOf(all.split(" var ").skip(1).map(str::to_owned).collect())
            }
            Some("button") => Values::Button,
            _ => Values::Any,
        };
        Declared { name: name.join(" "), values }
    }

    /// Tests whether a text names this option, regardless of case.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Greatest number that it accepts; `None` if it does not accept numbers.
    pub(super) fn greatest(&self) -> Option<i64> {
        match self.values {
            Values::Number(_, max) => Some(max),
            _ => None,
        }
    }

    /// Accepted number that is nearest to `number`, as text.
    pub(super) fn nearest(&self, number: u32) -> String {
        let number = i64::from(number);
        match self.values {
            Values::Number(min, max) if min <= max => number.clamp(min, max).to_string(),
            _ => number.to_string(),
        }
    }

    /// Command that sets the option to a value.
    ///
    /// # Errors
    ///
    /// When the option does not accept the value; the error says which values it accepts.
    pub(super) fn command(&self, value: &str) -> Result<String, String> {
        let name = &self.name;
        let value = match &self.values {
            Values::Number(min, max) => {
                let number = value.parse::<i64>().ok().filter(|n| (min..=max).contains(&n));
                number.map(|number| number.to_string())
            }
            Values::Switch => {
                let mut both = ["true", "false"].into_iter();
                both.find(|one| one.eq_ignore_ascii_case(value)).map(str::to_owned)
            }
            Values::OneOf(all) => all.iter().find(|one| one.eq_ignore_ascii_case(value)).cloned(),
            Values::Button if value.is_empty() => return Ok(format!("setoption name {name}")),
            Values::Button => None,
            Values::Any => Some(value.to_owned()),
        };
        match value {
            Some(value) => Ok(format!("setoption name {name} value {value}")),
            None => Err(format!("its option {name} takes {}", self.values)),
        }
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Number(i64::MIN, i64::MAX) => f.write_str("whole numbers"),
            Values::Number(min, i64::MAX) => write!(f, "whole numbers from {min} on"),
            Values::Number(i64::MIN, max) => write!(f, "whole numbers up to {max}"),
            Values::Number(min, max) => write!(f, "whole numbers from {min} to {max}"),
            Values::Switch => f.write_str("`true` or `false`"),
            Values::OneOf(all) => write!(f, "one of `{}`", all.join("`, `")),
            Values::Button => f.write_str("no value"),
            Values::Any => f.write_str("any text"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(line: &str) -> Declared {
        Declared::read(line.split_whitespace())
    }

    #[test]
    fn values_are_held_to_what_is_declared() {
        let hash = declared("Hash type spin default 16 min 1 max 1024");
        assert_eq!(hash.command("016"), Ok("setoption name Hash value 16".to_owned()));
        for value in ["0", "1025", "999999999999999999999", "abc", ""] {
            let error = hash.command(value).unwrap_err();
            assert_eq!(error, "its option Hash takes whole numbers from 1 to 1024", "{value}");
        }
        assert_eq!((hash.nearest(0), hash.nearest(4)), ("1".to_owned(), "4".to_owned()));
        assert!(hash.is_named("hash") && !hash.is_named("Hash "));

        let ponder = declared("Ponder type check default false");
        assert_eq!(ponder.command("True"), Ok("setoption name Ponder value true".to_owned()));
        assert!(ponder.command("yes").unwrap_err().ends_with("`true` or `false`"));

        let style = declared("Style type combo default Normal var Very Solid var Normal");
        let solid = Ok("setoption name Style value Very Solid".to_owned());
        assert_eq!(style.command("very solid"), solid);
        assert!(style.command("Risky").unwrap_err().ends_with("one of `Very Solid`, `Normal`"));

        let clear = declared("Clear Hash type button");
        assert_eq!(clear.command(""), Ok("setoption name Clear Hash".to_owned()));
        assert!(clear.command("1").unwrap_err().ends_with("takes no value"));
        let file = declared("Book File type string default <empty>");
        assert_eq!(file.command("a b"), Ok("setoption name Book File value a b".to_owned()));
    }

    #[test]
    fn bounds_may_be_missing() {
        let option = declared("Contempt type spin default 0 max 5");
        assert!(option.command("-7").is_ok());
        assert!(option.command("6").unwrap_err().ends_with("whole numbers up to 5"));
        assert_eq!(option.greatest(), Some(5));
        assert_eq!(declared("Odd").greatest(), None);
    }
}
