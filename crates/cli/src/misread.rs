//! Errors of command lines, with hints at the probable intention.

use std::env;
use std::io::{self, IsTerminal, Write};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use treegauge::catalog::{FAMILIES, Family, family};
use treegauge::grammar::nearest;
use treegauge::tasks::{TASKS, one_line};

use crate::events::Event;
use crate::exit::Exit;
use crate::output::{complain, print_data, printable, shortened};

/// Adds a tip to the error: an example if something is missing, or the call of a game whose parameter
/// was written as an option. Removes a tip at an option that is hardly like the unknown one.
pub(crate) fn explained(mut error: clap::Error, words: &[String]) -> clap::Error {
    let lacks = [ErrorKind::MissingRequiredArgument, ErrorKind::WrongNumberOfValues];
    if lacks.contains(&error.kind()) {
        let command = TASKS.iter().find(|kind| words.get(1).is_some_and(|word| word == kind.name));
        if let Some(example) = command.and_then(|command| command.examples.first()) {
            let tip = format!("for example: treegauge {example}");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        return error;
    }
    if error.kind() == ErrorKind::ValueValidation {
        if let Some(tip) = share_tip(&error) {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        return error;
    }
    if error.kind() == ErrorKind::InvalidSubcommand {
        let names = [ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand];
        if let [Some(ContextValue::String(unknown)), Some(likes)] =
            names.map(|kind| error.get(kind))
        {
            let likes: Vec<&str> = match likes {
                ContextValue::String(like) => vec![like],
                ContextValue::Strings(likes) => likes.iter().map(String::as_str).collect(),
                _ => Vec::new(),
            };
            if nearest(unknown, likes).is_none() {
                error.remove(ContextKind::SuggestedSubcommand);
            }
        }
        return error;
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    // An unknown option is a slip, and hardly ever a value.
    let is_option = matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(unknown)) if unknown.starts_with("--"));
    if is_option {
        error.remove(ContextKind::Suggested);
    }
    let texts = [ContextKind::InvalidArg, ContextKind::SuggestedArg].map(|kind| error.get(kind));
    if let [Some(ContextValue::String(unknown)), Some(ContextValue::String(like))] = texts
        && !is_like(unknown, like)
    {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let Some(tip) = parameter_tip(unknown, words) else { return error };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// The tip for a percentage in place of a share.
fn share_tip(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let is_share = text(ContextKind::InvalidArg)?.contains("<SHARE>");
    let value = text(ContextKind::InvalidValue)?.trim_end_matches('%');
    let percent: f64 = value.parse().ok().filter(|percent| (1.0..=100.0).contains(percent))?;
    is_share.then(|| format!("a share is from 0 to 1: {value}% is {}", percent / 100.0))
}

/// Tests whether two options begin alike or have almost the same length, as a slip of the keys leaves
/// them.
fn is_like(unknown: &str, option: &str) -> bool {
    let [unknown, option] = [unknown, option].map(|text| text.trim_start_matches('-'));
    let same = unknown.bytes().zip(option.bytes()).take_while(|(a, b)| a == b).count();
    same >= 3
        || unknown.len().abs_diff(option.len()) <= 2 && (unknown.len() >= 3 || option.len() <= 3)
}

/// Whether a command line that could not be read asks for messages as events.
fn wants_events() -> bool {
    let words: Vec<String> =
        env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let is_asked = |two: &[String]| two[0] == "--progress" && two[1] == "json";
    words.windows(2).any(is_asked) || words.iter().any(|word| word == "--progress=json")
}

/// Prints the error or the requested help, and ends the program.
pub(crate) fn exit(error: &clap::Error) -> ! {
    if error.use_stderr() && wants_events() {
        let message = one_line(error);
        let exit = u8::try_from(error.exit_code()).unwrap_or(Exit::Usage as u8);
        Event::End { exit, error: Some(&message) }.print();
        std::process::exit(error.exit_code());
    }
    if error.use_stderr() {
        // Clap quotes the command line.
        let colours = io::stderr().is_terminal() && env::var_os("NO_COLOR").is_none();
        let rendered = error.render();
        let text = if colours { rendered.ansi().to_string() } else { rendered.to_string() };
        let _ = write!(io::stderr(), "{}", printable(&shortened(&text), colours));
        std::process::exit(error.exit_code());
    }
    // Help and version are data, so a failure to print them has its exit code.
    let rendered = error.render();
    let colours = io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none();
    let text = if colours { rendered.ansi().to_string() } else { rendered.to_string() };
    let Err(failure) = print_data(&text) else { std::process::exit(error.exit_code()) };
    if let Some(error) = failure.error {
        complain(&format!("treegauge: {error:#}"));
    }
    std::process::exit(failure.exit as i32)
}

/// The tip for an option that is a parameter of the game among the words.
fn parameter_tip(unknown: &str, words: &[String]) -> Option<String> {
    let (option, value) = match unknown.split_once('=') {
        Some((option, value)) => (option, Some(value)),
        None => (unknown, None),
    };
    let parameter = option.strip_prefix("--")?.replace('-', "_");
    let (word, family) = words.iter().find_map(|word| Some((word, family_of(word)?)))?;
    let follows = || {
        let at = words.iter().position(|word| word.as_str() == option)?;
        words.get(at + 1).map(String::as_str)
    };
    let value = value.or_else(follows);
    let named = family.form().set_by(&parameter);
    if named.is_empty() {
        let mut known = FAMILIES.iter().flat_map(|family| family.parameters.iter());
        if parameter != "size" && !known.any(|p| p.name == parameter) {
            return None;
        }
        let names: Vec<&str> = family.parameters.iter().map(|p| p.name).collect();
        // The value of another option, such as `--game 3`, says nothing about the board.
        let size = value.filter(|_| parameter == "size").unwrap_or_default();
        let example = family.form().example_with(family.name, size)?;
        let names = names.join(", ");
        return Some(format!("the parameters of {} are {names}, as in '{example}'", family.name));
    }
    let value = value.unwrap_or(named[0].default);
    let set = format!("{parameter}={value}");
    let game = match word.strip_suffix(')') {
        Some(open) => format!("{open},{set})"),
        None => format!("{word}({set})"),
    };
    Some(format!("`{parameter}` is a parameter of the game: '{game}'"))
}

/// The family of a word that names a game.
fn family_of(word: &str) -> Option<&'static Family> {
    family(word.split('(').next()?.trim())
}

#[cfg(test)]
mod tests {
    use super::{is_like, parameter_tip};

    #[test]
    fn a_tip_is_like_the_unknown_option() {
        assert!(is_like("--iteratons", "--iterations") && is_like("--iter", "--iterations"));
        assert!(is_like("--gmes", "--games"));
        assert!(!is_like("--x", "--explain") && !is_like("--foo", "--iterations"));
    }

    #[test]
    fn a_parameter_that_was_written_as_an_option_is_put_into_the_game() {
        let tip = |unknown: &str, line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            parameter_tip(unknown, &words)
        };
        let expected =
            |game: &str, name: &str| Some(format!("`{name}` is a parameter of the game: '{game}'"));
        assert_eq!(tip("--size", "gauge othello --size 6"), expected("othello(size=6)", "size"));
        assert_eq!(tip("--size=6", "gauge reversi --size=6"), expected("reversi(size=6)", "size"));
        assert_eq!(
            tip("--draw-plies", "gauge checkers(kings=true) --draw-plies"),
            expected("checkers(kings=true,draw_plies=100)", "draw_plies")
        );
        assert_eq!(tip("--k", "show mnk --k 3"), expected("mnk(k=3)", "k"));
        let other =
            "the parameters of breakthrough are cols, rows, as in 'breakthrough(cols=6,rows=6)'";
        assert_eq!(tip("--size", "gauge breakthrough --size 6").as_deref(), Some(other));
        assert_eq!(tip("--size", "gauge wild_tic_tac_toe --size 6"), None);
        assert_eq!(tip("--games", "vet breakthrough --games 6"), None);
        assert_eq!(tip("--size", "gauge --size 6"), None);
        assert_eq!(tip("-s", "gauge othello -s 6"), None);
    }
}
