//! The text form `name(param=value,...)` of games and players.

use std::error::Error;
use std::fmt;

/// A name with named arguments, as it was written: `uct(iterations=500,cp=1)`.
///
/// The parentheses may be left out when there are no arguments. Places are counted in characters
/// from 1.
///
/// A value may be a call itself, of one argument at most: commas part the arguments of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name in front of the parentheses.
    pub name: String,
    /// The arguments in the order of the text, each name once.
    pub arguments: Vec<Argument>,
}

/// One `param=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The part before `=`.
    pub name: String,
    /// The part after it.
    pub value: String,
    /// The character at which the argument begins.
    pub at: usize,
}

/// Why a text is no call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// There is no name.
    NoName,
    /// The name holds a character that no name has.
    BadName {
        /// The text that stands for the name.
        found: String,
    },
    /// The opening parenthesis is not closed by the last character.
    Unclosed {
        /// The character that opens it.
        at: usize,
    },
    /// An argument is not `name=value`.
    BadArgument {
        /// The text of it.
        found: String,
        /// The character at which it begins.
        at: usize,
    },
    /// An argument is given twice.
    Twice {
        /// Its name.
        name: String,
        /// The character at which it stands the second time.
        at: usize,
    },
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::NoName => f.write_str("there is no name"),
            CallError::BadName { found } => write!(
                f,
                "{found:?} is no name: letters, digits and underscores make one, as in `name(param=value)`"
            ),
            CallError::Unclosed { at } => {
                write!(f, "the parenthesis at character {at} must be closed by one at the end")
            }
            CallError::BadArgument { found, at } => {
                write!(f, "{found:?} at character {at} is not `param=value`")
            }
            CallError::Twice { name, at } => {
                write!(f, "`{name}` is given a second time at character {at}")
            }
        }
    }
}

impl Error for CallError {}

impl Call {
    /// Reads a call. Space around names, values and punctuation is ignored.
    ///
    /// # Errors
    ///
    /// When the text is not of the form `name` or `name(param=value,...)`.
    ///
    /// ```
    /// use treegauge_core::Call;
    /// let call = Call::parse("connect_four(cols=5, rows=4)").unwrap();
    /// assert_eq!(call.name, "connect_four");
    /// assert_eq!(call.arguments[1].value, "4");
    /// assert!(Call::parse("connect_four(cols)").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Call, CallError> {
        let open = text.find('(');
        let character = |byte: usize| text[..byte].chars().count() + 1;
        let name = text[..open.unwrap_or(text.len())].trim();
        if name.is_empty() {
            return Err(CallError::NoName);
        }
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(CallError::BadName { found: name.to_owned() });
        }
        let mut arguments: Vec<Argument> = Vec::new();
        if let Some(open) = open {
            let rest = text.trim_end();
            if !rest.ends_with(')') {
                return Err(CallError::Unclosed { at: character(open) });
            }
            let inside = &text[open + 1..rest.len() - 1];
            let mut at = open + 1;
            for part in inside.split(',') {
                let begin = at + (part.len() - part.trim_start().len());
                at += part.len() + 1;
                let part = part.trim();
                if part.is_empty() && inside.trim().is_empty() {
                    continue;
                }
                let argument = part
                    .split_once('=')
                    .map(|(name, value)| (name.trim(), value.trim()))
                    .filter(|(name, value)| !name.is_empty() && !value.is_empty());
                let Some((name, value)) = argument else {
                    return Err(CallError::BadArgument {
                        found: part.to_owned(),
                        at: character(begin),
                    });
                };
                if arguments.iter().any(|earlier| earlier.name == name) {
                    return Err(CallError::Twice { name: name.to_owned(), at: character(begin) });
                }
                arguments.push(Argument {
                    name: name.to_owned(),
                    value: value.to_owned(),
                    at: character(begin),
                });
            }
        }
        Ok(Call { name: name.to_owned(), arguments })
    }

    /// The value of an argument.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (n, argument) in self.arguments.iter().enumerate() {
            let before = if n == 0 { "(" } else { "," };
            write!(f, "{before}{}={}", argument.name, argument.value)?;
        }
        if self.arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_ignored_and_the_short_form_is_written() {
        let call = Call::parse("  mnk ( rows = 3 ,cols=4)  ").unwrap();
        assert_eq!(call.to_string(), "mnk(rows=3,cols=4)");
        assert_eq!(Call::parse("mnk()").unwrap().to_string(), "mnk");
        assert_eq!(call.value("cols"), Some("4"));
        assert_eq!(call.value("k"), None);
    }

    #[test]
    fn a_value_may_be_a_call_of_one_argument() {
        let text = "alphabeta(eval=custom_score(f=0.5),nodes=100)";
        let call = Call::parse(text).unwrap();
        assert_eq!(call.value("eval"), Some("custom_score(f=0.5)"));
        assert_eq!(call.value("nodes"), Some("100"));
        assert_eq!(call.to_string(), text);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let said = |text| Call::parse(text).unwrap_err().to_string();
        assert_eq!(said(" "), "there is no name");
        assert!(said("a b").starts_with("\"a b\" is no name"));
        assert_eq!(
            said("a(b=1"),
            "the parenthesis at character 2 must be closed by one at the end"
        );
        assert_eq!(said("a(b=1, c)"), "\"c\" at character 8 is not `param=value`");
        assert_eq!(said("a(b=1,)"), "\"\" at character 7 is not `param=value`");
        assert_eq!(said("a(b=1,b=2)"), "`b` is given a second time at character 7");
    }
}
