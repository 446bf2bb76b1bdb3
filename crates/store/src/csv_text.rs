//! Untrusted texts in tables for spreadsheets.

use std::borrow::Cow;

/// Escapes an untrusted text for a cell of comma-separated values.
///
/// A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return. Such
/// a text gets a leading apostrophe, which spreadsheets read as the mark of a text. Control
/// characters, which terminals obey, are written as escapes. Quoting is left to the writer of the
/// table. Numbers should not be passed: they keep their signs.
#[must_use]
pub fn csv_text(text: &str) -> Cow<'_, str> {
    let is_run = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let has_control = text.chars().any(char::is_control);
    if !is_run && !has_control {
        return Cow::Borrowed(text);
    }
    let mut cell = String::with_capacity(text.len() + 1);
    if is_run {
        cell.push('\'');
    }
    for letter in text.chars() {
        if letter.is_control() {
            cell.extend(letter.escape_default());
        } else {
            cell.push(letter);
        }
    }
    Cow::Owned(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_run_by_a_spreadsheet_or_obeyed_by_a_terminal() {
        for (text, cell) in [
            ("", ""),
            ("9eZCm", "9eZCm"),
            ("a=b-c", "a=b-c"),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("\t=1", "'\\t=1"),
            ("\r=1", "'\\r=1"),
            ("red\x1b[31m", "red\\u{1b}[31m"),
            ("\u{9b}31m", "\\u{9b}31m"),
        ] {
            assert_eq!(csv_text(text), cell);
        }
    }
}
