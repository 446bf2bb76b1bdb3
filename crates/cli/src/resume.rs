//! How to continue an interrupted run.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

/// The option that names the file in which `gauge` keeps what is done.
const RECORD: &str = "--record";

/// The command that continues this run, in case it is quit at once.
static OFFER: OnceLock<String> = OnceLock::new();

/// This run's own command, for the shell, with the file that holds what is done.
pub(crate) fn command(file: &Path) -> String {
    command_with(RECORD, file)
}

/// This run's own command, for the shell, with an option that names the file that holds what is
/// done, unless the option is there already.
pub(crate) fn command_with(option: &str, file: &Path) -> String {
    let mut words: Vec<String> = std::env::args_os().map(|word| quoted(&word)).collect();
    let named = words.iter().any(|word| {
        word.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    });
    if !named {
        words.extend([option.to_owned(), quoted(file.as_os_str())]);
    }
    words.join(" ")
}

/// Has the command printed when the user quits at once.
pub(crate) fn offer(command: String) {
    // A second offer, in one process, changes nothing.
    let _ = OFFER.set(command);
}

/// The command that was offered.
pub(crate) fn offered() -> Option<&'static str> {
    OFFER.get().map(String::as_str)
}

/// A word as a POSIX shell takes it.
pub(crate) fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_the_shell() {
        let cases = [
            ("gauge", "gauge"),
            ("", "''"),
            ("othello(size=6)", "'othello(size=6)'"),
            ("it's", r"'it'\''s'"),
            ("--record=a.jsonl", "--record=a.jsonl"),
        ];
        for (word, expected) in cases {
            assert_eq!(quoted(word.as_ref()), expected);
        }
    }
}
