//! The text form `name(param=value,...)` of games, players, evaluators and tests.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Name with named arguments, as it was written: `uct(iterations=500,cp=1)`.
///
/// A call without arguments needs no parentheses. Characters are counted from 1.
///
/// A value may itself be a call: text in nested parentheses, commas included, belongs to the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name before the parentheses, in lower case with underscores.
    pub name: String,
    /// Character at which the name begins.
    pub at: usize,
    /// Arguments in the order of the text. No name occurs twice.
    pub arguments: Vec<Argument>,
}

/// One argument, `param=value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Text before `=`.
    pub name: String,
    /// Text after `=`.
    pub value: String,
    /// Character at which the argument begins.
    pub at: usize,
    /// Character at which the value begins.
    pub value_at: usize,
}

/// Reason why a text is not a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The name is missing.
    NoName,
    /// The name contains a character that names do not allow.
    BadName {
        /// Text found in place of a name.
        found: String,
        /// Character at which it begins.
        at: usize,
    },
    /// An opening parenthesis is never closed.
    Unclosed {
        /// Character of the opening parenthesis.
        at: usize,
    },
    /// A closing parenthesis has no opening one.
    Unopened {
        /// Character of the closing parenthesis.
        at: usize,
    },
    /// Text follows the closing parenthesis.
    Trailing {
        /// Text that follows.
        found: String,
        /// Character at which it begins.
        at: usize,
    },
    /// An argument is not of the form `param=value`.
    BadArgument {
        /// Text of the argument.
        found: String,
        /// Character at which it begins.
        at: usize,
    },
    /// An argument is given twice.
    Twice {
        /// Name of the argument.
        name: String,
        /// Character at which the second occurrence begins.
        at: usize,
    },
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::NoName => f.write_str("the name is missing"),
            CallError::BadName { found, .. } => write!(
                f,
                "{found:?} is not a name: use letters, digits and underscores, as in `name(param=value)`"
            ),
            CallError::Unclosed { at } => {
                write!(f, "the parenthesis at character {at} is not closed")
            }
            CallError::Unopened { at } => {
                write!(f, "the closing parenthesis at character {at} has no opening one")
            }
            CallError::Trailing { found, at } => {
                write!(f, "{found:?} at character {at} follows the closing parenthesis")
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

impl CallError {
    /// Character at which the fault begins; `None` if the name is missing.
    #[must_use]
    pub fn at(&self) -> Option<usize> {
        match self {
            CallError::NoName => None,
            CallError::BadName { at, .. }
            | CallError::Unclosed { at }
            | CallError::Unopened { at }
            | CallError::Trailing { at, .. }
            | CallError::BadArgument { at, .. }
            | CallError::Twice { at, .. } => Some(*at),
        }
    }

    /// Shifts the error by `by` characters, for a text that is part of a longer one.
    #[must_use]
    pub fn moved(mut self, by: usize) -> CallError {
        match &mut self {
            CallError::NoName => {}
            CallError::BadName { at, .. }
            | CallError::Unclosed { at }
            | CallError::Unopened { at }
            | CallError::Trailing { at, .. }
            | CallError::BadArgument { at, .. }
            | CallError::Twice { at, .. } => *at += by,
        }
        self
    }
}

impl Call {
    /// Parses a call. Space around names, values and punctuation is ignored. The name may contain
    /// capitals, spaces or hyphens instead of underscores, and apostrophes: `Nine Men's Morris` is
    /// read as `nine_mens_morris`.
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
        let before = &text[..open.unwrap_or(text.len())];
        let name = before.trim();
        let begin = before.len() - before.trim_start().len();
        if name.is_empty() {
            return Err(CallError::NoName);
        }
        let Some(written) = plain_name(name) else {
            return Err(CallError::BadName { found: name.to_owned(), at: character(text, begin) });
        };
        let mut arguments = Vec::new();
        if let Some(open) = open {
            let parts = Parts::of(text, open + 1)?;
            let close = parts.end.ok_or(CallError::Unclosed { at: character(text, open) })?;
            let rest = text[close + 1..].trim();
            if !rest.is_empty() {
                let begin = text.len() - text[close + 1..].trim_start().len();
                return Err(CallError::Trailing {
                    found: rest.to_owned(),
                    at: character(text, begin),
                });
            }
            arguments = parts.arguments(text, close)?;
        }
        Ok(Call { name: written, at: character(text, begin), arguments })
    }

    /// Parses the text `param=value,...` as the arguments of a call of `name`.
    ///
    /// # Errors
    ///
    /// When the text is not a list of arguments.
    ///
    /// ```
    /// use treegauge_core::Call;
    /// let call = Call::parse_arguments("sprt", "elo0=0,elo1=5").unwrap();
    /// assert_eq!(call.to_string(), "sprt(elo0=0,elo1=5)");
    /// ```
    pub fn parse_arguments(name: &str, text: &str) -> Result<Call, CallError> {
        let parts = Parts::of(text, 0)?;
        if let Some(end) = parts.end {
            return Err(CallError::Unopened { at: character(text, end) });
        }
        let arguments = parts.arguments(text, text.len())?;
        Ok(Call { name: name.to_owned(), at: 1, arguments })
    }

    /// Value of the argument `name`; `None` if it is not given.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }
}

/// Normalizes a name to lower case with underscores and without apostrophes. `None` if it is empty
/// or contains a character that names do not allow.
fn plain_name(name: &str) -> Option<String> {
    let name = name.replace(APOSTROPHES, "");
    let words: Vec<&str> = name.split([' ', '-']).collect();
    let is_name = |word: &&str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    words.iter().all(is_name).then(|| words.join("_").to_ascii_lowercase())
}

/// Apostrophes of keyboards and of printed text, which names may contain.
const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];

/// Converts a byte offset to a character number from 1.
fn character(text: &str, byte: usize) -> usize {
    text[..byte].chars().count() + 1
}

/// Boundaries of the arguments in a text.
struct Parts {
    /// Byte at which each argument begins.
    begins: Vec<usize>,
    /// Byte of the parenthesis that closes the list; `None` if the text ends first.
    end: Option<usize>,
}

impl Parts {
    /// Splits the text from byte `from` on at its commas, up to the first unmatched closing
    /// parenthesis.
    fn of(text: &str, from: usize) -> Result<Parts, CallError> {
        let mut parts = Parts { begins: vec![from], end: None };
        let mut open = Vec::new();
        for (byte, c) in text[from..].char_indices().map(|(byte, c)| (from + byte, c)) {
            match c {
                '(' => open.push(byte),
                ')' if open.pop().is_none() => {
                    parts.end = Some(byte);
                    return Ok(parts);
                }
                ',' if open.is_empty() => parts.begins.push(byte + 1),
                _ => {}
            }
        }
        match open.last() {
            Some(&open) => Err(CallError::Unclosed { at: character(text, open) }),
            None => Ok(parts),
        }
    }

    /// Parses each part as an argument. The last part ends at byte `end`.
    fn arguments(&self, text: &str, end: usize) -> Result<Vec<Argument>, CallError> {
        let mut arguments: Vec<Argument> = Vec::new();
        if text[self.begins[0]..end].trim().is_empty() {
            return Ok(arguments);
        }
        let ends = self.begins[1..].iter().map(|begin| begin - 1).chain([end]);
        for (&begin, end) in self.begins.iter().zip(ends) {
            let part = text[begin..end].trim();
            let begin = end - text[begin..end].trim_start().len();
            let at = character(text, begin);
            let argument =
                part.split_once('=').map(|(name, value)| (name.trim(), value.trim_start())).filter(
                    |(name, value)| !name.is_empty() && !name.contains('(') && !value.is_empty(),
                );
            let Some((name, value)) = argument else {
                return Err(CallError::BadArgument { found: part.to_owned(), at });
            };
            if arguments.iter().any(|earlier| earlier.name == name) {
                return Err(CallError::Twice { name: name.to_owned(), at });
            }
            let value_at = character(text, begin + part.len() - value.len());
            arguments.push(Argument {
                name: name.to_owned(),
                value: value.to_owned(),
                at,
                value_at,
            });
        }
        Ok(arguments)
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

/// Canonical name of a game, of a name that may have the path of a text besides.
///
/// ```
/// use treegauge_core::without_path;
///
/// let name = "rules(file=games/three.rules,title=three,digest=0123456789abcdef,k=4)";
/// assert_eq!(without_path(name), "rules(title=three,digest=0123456789abcdef,k=4)");
/// assert_eq!(without_path("achi"), "achi");
/// ```
#[must_use]
pub fn without_path(name: &str) -> Cow<'_, str> {
    match Call::parse(name) {
        Ok(mut call) if call.value("file").is_some() && call.value("digest").is_some() => {
            call.arguments.retain(|argument| argument.name != "file");
            Cow::Owned(call.to_string())
        }
        _ => Cow::Borrowed(name),
    }
}

/// Name of a game as readers know it, of its canonical name: a text is called by its title, and digests
/// are left out. It does not tell apart texts of one title.
///
/// ```
/// use treegauge_core::readable_name;
///
/// assert_eq!(readable_name("rules(title=three,digest=0123456789abcdef,k=4)"), "three(k=4)");
/// assert_eq!(readable_name("picaria(digest=0123456789abcdef)"), "picaria");
/// assert_eq!(readable_name("mnk(rows=3)"), "mnk(rows=3)");
/// ```
#[must_use]
pub fn readable_name(name: &str) -> Cow<'_, str> {
    let Ok(mut call) = Call::parse(name) else { return Cow::Borrowed(name) };
    if call.value("digest").is_none() {
        return Cow::Borrowed(name);
    }
    if let Some(title) = call.value("title").map(str::to_owned) {
        call.name = title;
    }
    call.arguments.retain(|argument| !["file", "title", "digest"].contains(&&argument.name[..]));
    Cow::Owned(call.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_people_write_it() {
        let name = |text: &str| Call::parse(text).map(|call| call.name);
        for text in ["connect_four", "Connect Four", "connect-four", "CONNECT_FOUR"] {
            assert_eq!(name(text), Ok("connect_four".to_owned()), "{text}");
        }
        assert_eq!(Call::parse("Qubic (lines=2)").unwrap().to_string(), "qubic(lines=2)");
        for bad in ["-x", "x-", "a  b", "a- b", "a.b", "a/b"] {
            assert!(matches!(name(bad), Err(CallError::BadName { .. })), "{bad}");
        }
    }

    #[test]
    fn space_is_ignored_and_the_short_form_is_written() {
        let call = Call::parse("  mnk ( rows = 3 ,cols=4)  ").unwrap();
        assert_eq!(call.to_string(), "mnk(rows=3,cols=4)");
        assert_eq!(Call::parse("mnk()").unwrap().to_string(), "mnk");
        assert_eq!(call.value("cols"), Some("4"));
        assert_eq!(call.value("k"), None);
    }

    #[test]
    fn a_value_may_be_a_call() {
        for eval in ["custom_score(f=0.5)", "uct(iterations=5,cp=1)", "a(b=c(d=1,e=2),f=3)"] {
            let text = format!("alphabeta(eval={eval},nodes=100)");
            let call = Call::parse(&text).unwrap();
            assert_eq!(call.value("eval"), Some(eval));
            assert_eq!(call.value("nodes"), Some("100"));
            assert_eq!(call.to_string(), text);
        }
    }

    #[test]
    fn places_are_characters_of_the_text() {
        let call = Call::parse(" ab ( x = é , longer = 4 ) ").unwrap();
        let places: Vec<_> = call.arguments.iter().map(|a| (a.at, a.value_at)).collect();
        assert_eq!((call.at, &places[..]), (2, &[(7, 11), (15, 24)][..]));
        let call = Call::parse_arguments("ab", "x=é,longer=4").unwrap();
        let places: Vec<_> = call.arguments.iter().map(|a| (a.at, a.value_at)).collect();
        assert_eq!(places, [(1, 3), (5, 12)]);
        assert_eq!(Call::parse_arguments("ab", " ").unwrap().to_string(), "ab");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let said = |text| Call::parse(text).unwrap_err().to_string();
        assert_eq!(said(" "), "the name is missing");
        assert!(said("a.b").starts_with("\"a.b\" is not a name"));
        assert_eq!(said("a(b=1"), "the parenthesis at character 2 is not closed");
        assert_eq!(said("a(b=c(d=1)"), "the parenthesis at character 2 is not closed");
        assert_eq!(said("a(b=c(d=1"), "the parenthesis at character 6 is not closed");
        assert_eq!(said("a(b=1)) c"), "\") c\" at character 7 follows the closing parenthesis");
        assert_eq!(said("a(c(d=1))"), "\"c(d=1)\" at character 3 is not `param=value`");
        let within = Call::parse_arguments("a", "b=1)").unwrap_err();
        assert_eq!(within.to_string(), "the closing parenthesis at character 4 has no opening one");
        assert_eq!((within.at(), within.moved(5).at()), (Some(4), Some(9)));
        assert_eq!(said("a(b=1, c)"), "\"c\" at character 8 is not `param=value`");
        assert_eq!(said("a(b=1,)"), "\"\" at character 7 is not `param=value`");
        assert_eq!(said("a(b=1,b=2)"), "`b` is given a second time at character 7");
    }
}
