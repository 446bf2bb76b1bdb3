//! Games described by a text: `mygame.rules` and `rules(file=PATH,option=value)`.

use std::sync::Arc;

use treegauge_core::{Argument, Call, Plies};
use treegauge_grammar::{Error as GrammarError, Parameter, Role, Values, nearest};
use treegauge_rules::{BoardWord, MoveBits, Program, RulesVisitor, Text, TextRules};

use crate::{Args, Entry, Family, LibraryGame, SpecError, Visitor};

/// File name extension of the texts.
pub(crate) const EXTENSION: &str = ".rules";

/// Family of all games described by texts. It is not in [`FAMILIES`](crate::FAMILIES), since its
/// games have no names.
pub static TEXT_FAMILY: Family = Family {
    name: "rules",
    aliases: &[],
    summary: "a game that a text describes",
    rules: "The rules are in the file.",
    moves: "the sites of the move, `b2` or `a1-b2`",
    parameters: &[Parameter {
        name: "file",
        default: Parameter::NO_DEFAULT,
        values: Values::Text("PATH"),
        help: "the file of the text",
    }],
    both: &[],
    presets: &[],
    origin: None,
};

/// Game described by a text: the path of the text, its options, and the program once the text was
/// read.
#[derive(Clone, Debug)]
pub(crate) struct TextGame {
    /// Path of the text; `None` in a canonical name, which is the same wherever the text lies.
    pub(crate) file: Option<String>,
    /// Title of the text as a word; `None` before the text was read, unless the name has it.
    title: Option<String>,
    /// Recorded digest that the text must have, if any.
    pub(crate) digest: Option<u64>,
    pub(crate) options: Vec<(String, i32)>,
    /// Whether the user set the ply cap.
    capped: bool,
    pub(crate) program: Option<Arc<Program>>,
}

/// Converts `PATH.rules` or `PATH.rules(option=value)` to a call of `rules`; `None` for other
/// texts.
pub(crate) fn call_of(text: &str) -> Option<Result<Call, GrammarError>> {
    let (path, arguments) = match text.split_once(EXTENSION) {
        // The last occurrence counts: names of folders may contain the extension too.
        Some(_) => {
            let end = text.rfind(EXTENSION)? + EXTENSION.len();
            (text[..end].trim(), text[end..].trim())
        }
        None => return None,
    };
    if path.contains(['(', ')', ',']) || !(arguments.is_empty() || arguments.starts_with('(')) {
        return None;
    }
    let inner = match arguments.strip_prefix('(') {
        None => Ok(Vec::new()),
        Some(rest) => match rest.strip_suffix(')') {
            Some(rest) => Call::parse_arguments("rules", rest).map(|call| call.arguments),
            None => Call::parse(&format!("rules{arguments}")).map(|call| call.arguments),
        },
    };
    Some(match inner {
        Err(error) => {
            let (role, text) = (Role::Game, text.to_owned());
            Err(GrammarError::Form { role, text, error, example: None })
        }
        Ok(inner) => {
            let file =
                Argument { name: "file".to_owned(), value: path.to_owned(), at: 1, value_at: 1 };
            let arguments = std::iter::once(file).chain(inner).collect();
            Ok(Call { name: TEXT_FAMILY.name.to_owned(), at: 1, arguments })
        }
    })
}

/// Title of a text as a word of letters, digits and `_`; `None` if it has neither letters nor digits
/// of ASCII.
fn title_word(title: &str) -> Option<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let words = title.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    let mut word = words.collect::<Vec<_>>().join("_").to_ascii_lowercase();
    word.truncate(TITLE_CHARS_MAX);
    let word = word.trim_end_matches('_');
    (!word.is_empty()).then(|| word.to_owned())
}

/// Greatest length of the title in a canonical name.
const TITLE_CHARS_MAX: usize = 40;

/// Canonical name of a game of a text with the path of the text, which opens the game again.
///
/// ```
/// use treegauge_catalog::with_path;
///
/// let name = with_path("rules(title=three,digest=0123456789abcdef)", "three.rules");
/// assert_eq!(name, "rules(file=three.rules,title=three,digest=0123456789abcdef)");
/// ```
#[must_use]
pub fn with_path(name: &str, path: &str) -> String {
    match name.strip_prefix(TEXT_FAMILY.name).and_then(|rest| rest.strip_prefix('(')) {
        Some(arguments) => format!("{}(file={path},{arguments}", TEXT_FAMILY.name),
        None => name.to_owned(),
    }
}

/// Digest of the text that a call names, and the call without it.
pub(crate) fn without_digest(call: &Call) -> Result<(Option<u64>, Call), GrammarError> {
    let mut rest = call.clone();
    rest.arguments.retain(|argument| argument.name != "digest");
    let argument = call.arguments.iter().find(|argument| argument.name == "digest");
    let digest = argument.map(|argument| {
        let value = u64::from_str_radix(&argument.value, 16);
        value.map_err(|_| wrong_value(call, argument, "16 hexadecimal digits"))
    });
    Ok((digest.transpose()?, rest))
}

fn wrong_value(call: &Call, argument: &Argument, expected: &str) -> GrammarError {
    GrammarError::Value {
        role: Role::Game,
        form: call.name.clone(),
        parameter: argument.name.clone(),
        found: argument.value.clone(),
        at: argument.value_at,
        expected: expected.to_owned(),
    }
}

impl TextGame {
    /// Reads the text of a game of the library. The family of the game has checked the ranges of
    /// the values.
    pub(crate) fn of_library(
        game: &'static LibraryGame,
        digest: Option<u64>,
        args: &Args,
        capped: bool,
    ) -> Result<TextGame, SpecError> {
        let options = game.options().map(|name| (name.to_owned(), args.whole(name) as i32));
        let (file, options) = (Some(game.name.to_owned()), options.collect());
        let mut read = TextGame { file, title: None, digest, options, capped, program: None };
        read.take(game.text)?;
        Ok(read)
    }

    /// Creates the game of a call, before its text is read, and the values of the parameters of
    /// every game.
    pub(crate) fn of(call: &Call) -> Result<(TextGame, Args), SpecError> {
        let own = |name: &str| matches!(name, "file" | "ply_cap");
        let (digest, mut call) = without_digest(call)?;
        let title = call.arguments.iter().position(|argument| argument.name == "title");
        let title = title.map(|at| call.arguments.remove(at).value);
        let mut options = Vec::new();
        for argument in call.arguments.iter().filter(|argument| !own(&argument.name)) {
            let value = argument.value.parse();
            let value = value.map_err(|_| wrong_value(&call, argument, "a whole number"))?;
            options.push((argument.name.clone(), value));
        }
        let mut rest = call.clone();
        rest.arguments.retain(|argument| own(&argument.name));
        // A canonical name has the digest in place of the path.
        let file = rest.value("file").map(str::to_owned);
        if digest.is_some() && file.is_none() {
            let (name, value) = ("file".to_owned(), "-".to_owned());
            rest.arguments.insert(0, Argument { name, value, at: 1, value_at: 1 });
        }
        let args: Args = TEXT_FAMILY.form().read(Role::Game, &rest, &[])?.into();
        let capped = call.value("ply_cap").is_some();
        Ok((TextGame { file, title, digest, options, capped, program: None }, args))
    }

    /// Reads and checks the text.
    pub(crate) fn read(
        &mut self,
        open: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<(), SpecError> {
        let Some(file) = &self.file else {
            return Err(SpecError::NoPath { game: self.shown() });
        };
        let source =
            open(file).map_err(|reason| SpecError::Unreadable { file: self.shown(), reason })?;
        self.take(&source)
    }

    /// The text in messages: its path, or else its title.
    fn shown(&self) -> String {
        let title = || self.title.clone().unwrap_or_else(|| TEXT_FAMILY.name.to_owned());
        self.file.clone().unwrap_or_else(title)
    }

    /// Checks the text.
    fn take(&mut self, source: &str) -> Result<(), SpecError> {
        let file = || self.shown();
        let text = Text::read(source);
        if let Ok(text) = &text {
            let names: Vec<&str> =
                text.options().iter().map(|option| option.name.as_str()).collect();
            for (name, value) in &self.options {
                let Some(option) = text.options().iter().find(|option| option.name == *name) else {
                    return Err(SpecError::NoOption {
                        file: file(),
                        option: name.clone(),
                        nearest: nearest(name, names.iter().copied()).map(str::to_owned),
                        known: names.iter().map(|&name| name.to_owned()).collect(),
                    });
                };
                if !(option.lowest..=option.highest).contains(value) {
                    return Err(SpecError::OptionRange {
                        file: file(),
                        option: name.clone(),
                        value: *value,
                        lowest: option.lowest,
                        highest: option.highest,
                    });
                }
            }
        }
        let checked = text.and_then(|text| text.check_with(&self.options));
        let program = checked.map_err(|mistakes| SpecError::Text { file: file(), mistakes })?;
        let title = title_word(program.name());
        if self.digest.is_some_and(|digest| digest != program.digest())
            || (self.title.is_some() && self.title != title)
        {
            return Err(SpecError::Changed { file: file() });
        }
        (self.digest, self.title) = (Some(program.digest()), title);
        self.program = Some(Arc::new(program));
        Ok(())
    }

    /// Path with the options, as a user writes it; `None` if the path would be ambiguous.
    pub(crate) fn short(&self, args: &Args) -> Option<String> {
        let file = self.file.as_ref()?;
        let is_plain = file.ends_with(EXTENSION) && !file.contains(['(', ')', ',']);
        let options = self.options.iter().map(|(name, value)| format!("{name}={value}"));
        let cap = self.capped.then(|| format!("ply_cap={}", args.ply_cap()));
        let set: Vec<String> = options.chain(cap).collect();
        let set = if set.is_empty() { String::new() } else { format!("({})", set.join(",")) };
        is_plain.then(|| format!("{file}{set}"))
    }

    /// Ply cap of the game.
    pub(crate) fn ply_cap(&self, args: &Args) -> Plies {
        let own = self.program.as_ref().and_then(|program| program.ply_cap());
        own.filter(|_| !self.capped).unwrap_or_else(|| args.ply_cap())
    }

    /// Canonical name: the title and the digest of the text, and all values that are not defaults.
    /// Before the text is read the path stands in their place, unless the name has a digest.
    /// `with_path` adds the path in any case.
    pub(crate) fn canonical(&self, args: &Args, with_path: bool) -> String {
        let path = self.file.as_ref().filter(|_| with_path || self.digest.is_none());
        let digest = self.digest.map(|digest| format!("{digest:016x}"));
        let mut values = Vec::new();
        for (name, value) in
            [("file", path), ("title", self.title.as_ref()), ("digest", digest.as_ref())]
        {
            values.extend(value.map(|value| format!("{name}={value}")));
        }
        match &self.program {
            Some(program) => {
                for option in program.options().iter().filter(|o| o.value != o.default) {
                    values.push(format!("{}={}", option.name, option.value));
                }
            }
            None => {
                for (option, value) in &self.options {
                    values.push(format!("{option}={value}"));
                }
            }
        }
        let own = self.program.as_ref().and_then(|program| program.ply_cap());
        if self.capped && own.unwrap_or(Plies(1_000)) != args.ply_cap() {
            values.push(format!("ply_cap={}", args.ply_cap().0));
        }
        format!("{}({})", TEXT_FAMILY.name, values.join(","))
    }

    /// Calls a visitor with the game.
    pub(crate) fn visit<V: Visitor>(
        &self,
        args: &Args,
        visitor: V,
    ) -> Result<V::Output, SpecError> {
        match &self.program {
            Some(program) => {
                Ok(treegauge_rules::visit(program, self.ply_cap(args), ToEntry(visitor)))
            }
            None => {
                let reason = "it was not read".to_owned();
                Err(SpecError::Unreadable { file: self.shown(), reason })
            }
        }
    }
}

/// Visitor that converts the game of a text to an entry with its capabilities.
struct ToEntry<V>(V);

impl<V: Visitor> RulesVisitor for ToEntry<V> {
    type Output = V::Output;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> V::Output {
        let has_symmetries = treegauge_core::Symmetric::symmetry_count(&game) > 1;
        let (tiered, graded) = (game.is_tiered(), game.is_graded());
        let has_actions = game.has_actions();
        let mut entry = Entry::new(game).tensor();
        if has_symmetries {
            entry = entry.symmetric();
        }
        if tiered {
            entry = entry.tiered();
        }
        if graded {
            entry = entry.graded();
        }
        if has_actions {
            entry = entry.actions();
        }
        self.0.visit(entry)
    }
}

#[cfg(test)]
mod tests;
