//! Writing to standard output and standard error.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
pub(crate) use treegauge::report::counted;
use treegauge::tasks::with_task;

use crate::events::Event;
use crate::exit::{Exit, Failure, Outcome};
use crate::task;
use crate::terminal::{has_colours, has_events};

/// Prints text to standard output. A reader that has gone away ends the program silently.
pub(crate) fn print(text: &str) -> Outcome {
    print_data(&printable(text, has_colours()))
}

/// Prints data to standard output as they are.
pub(crate) fn print_data(text: &str) -> Outcome {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure { exit: Exit::Silent, error: None })
        }
        Err(error) => Err(Failure::new(Exit::Data, format!("cannot print: {error}"))),
    }
}

/// Prints a line to standard error, shortened if it is very long. A closed standard error drops the line and, unlike with
/// `eprintln!`, does not panic.
pub(crate) fn complain(line: &str) {
    if has_events() {
        return Event::Note { text: &shortened(line.trim()) }.print();
    }
    let _ = writeln!(io::stderr(), "{}", printable(&shortened(line), false));
}

/// The maximum length of a message in characters. Messages quote input, which may be much longer.
const MESSAGE_MAX: usize = 2_000;

/// The number of characters kept from the end of a long message.
const MESSAGE_END: usize = 500;

/// A message without its middle, if it is long.
pub(crate) fn shortened(message: &str) -> Cow<'_, str> {
    let count = message.chars().count();
    if count <= MESSAGE_MAX {
        return Cow::Borrowed(message);
    }
    let begin: String = message.chars().take(MESSAGE_MAX - MESSAGE_END).collect();
    let end: String = message.chars().skip(count - MESSAGE_END).collect();
    Cow::Owned(format!("{begin} [... {} characters ...] {end}", count - MESSAGE_MAX))
}

/// Text without control characters that a terminal would obey, since names and files may come from somebody else. Line ends
/// and tabs remain, and so do colours if `colours` is set.
pub(crate) fn printable(text: &str, colours: bool) -> Cow<'_, str> {
    let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut printable = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if colours { colour_len(rest) } else { 0 };
        if len > 0 {
            printable.push_str(&rest[..len]);
            rest = &rest[len..];
            continue;
        }
        if is_plain(c) {
            printable.push(c);
        } else {
            printable.extend(c.escape_default());
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(printable)
}

/// The length of the colour code at the beginning of a text in bytes, or 0.
fn colour_len(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\u{1b}[") else { return 0 };
    let numbers = rest.bytes().take_while(|c| c.is_ascii_digit() || *c == b';').count();
    if rest[numbers..].starts_with('m') { 2 + numbers + 1 } else { 0 }
}

/// A report with the schema that all JSON output has.
#[derive(Serialize)]
struct Versioned<'r, R> {
    schema: u32,
    #[serde(flatten)]
    report: &'r R,
}

/// Prints a report without a kind as one JSON object on one line.
pub(crate) fn print_json<R: Serialize>(report: &R) -> Outcome {
    let json = serde_json::to_string(&Versioned { schema: 1, report });
    print_report_text(json.map_err(|error| Failure::new(Exit::Internal, error))?)
}

/// Prints a JSON text on one line. Control characters that JSON allows in strings are escaped, since a terminal would obey
/// them.
fn print_json_text(json: &str) -> Outcome {
    let mut text = String::with_capacity(json.len() + 1);
    for c in json.chars() {
        if c.is_control() {
            text.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            text.push(c);
        }
    }
    text.push('\n');
    print_data(&text)
}

/// Prints the JSON of a report, a non-empty object, with its task.
pub(crate) fn print_report_text(json: String) -> Outcome {
    print_json_text(&with_task(json, task::asked())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_orders_from_texts() {
        let red = "\u{1b}[1;31mred\u{1b}[0m";
        assert_eq!(printable(red, true), red);
        assert_eq!(printable(red, false), r"\u{1b}[1;31mred\u{1b}[0m");
        for colours in [false, true] {
            assert_eq!(printable("a\tb\nä", colours), "a\tb\nä");
            assert_eq!(printable("\u{1b}]0;title\u{7}", colours), r"\u{1b}]0;title\u{7}");
            assert_eq!(printable("\u{1b}[2J\r\u{9b}", colours), r"\u{1b}[2J\r\u{9b}");
        }
    }

    #[test]
    fn long_messages_lose_their_middle() {
        assert_eq!(shortened("short"), "short");
        let long = format!("{}{}", "a".repeat(100_000), "ä".repeat(100_000));
        let short = shortened(&long);
        assert!(short.chars().count() < MESSAGE_MAX + 50, "{}", short.len());
        assert!(short.starts_with('a') && short.ends_with('ä') && short.contains("198000"));
    }
}
