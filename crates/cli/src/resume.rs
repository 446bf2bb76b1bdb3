//! Commands that continue an interrupted run.

use std::path::Path;
use std::sync::OnceLock;

use treegauge::tasks::quoted;

use crate::events::Event;
use crate::terminal::has_events;

/// The command that continues this run after a second signal.
static OFFER: OnceLock<String> = OnceLock::new();

/// Prints the command that continues the run as an event, if messages are events.
pub(crate) fn announce(command: &str) {
    if has_events() {
        Event::Resume { command }.print();
    }
}

/// The command of this run for a shell, with an option that names the file of its work, unless the option is there.
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

/// The command of this run for a shell.
pub(crate) fn same_command() -> String {
    let words: Vec<String> = std::env::args_os().map(|word| quoted(&word)).collect();
    words.join(" ")
}

/// The command of this run for a shell, with another value of an option.
pub(crate) fn command_with_value(option: &str, value: &str) -> String {
    let mut words = without(option, std::env::args_os().map(|word| quoted(&word)));
    words.extend([option.to_owned(), quoted(value.as_ref())]);
    words.join(" ")
}

/// The words of a command without an option that has a value.
fn without(option: &str, words: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        match word.strip_prefix(option) {
            Some("") => drop(words.next()),
            Some(rest) if rest.starts_with('=') => {}
            _ => kept.push(word),
        }
    }
    kept
}

/// Sets the command to print if the user quits at once.
pub(crate) fn offer(command: String) {
    // A second offer, in one process, changes nothing.
    let _ = OFFER.set(command);
}

/// The command of [`offer`].
pub(crate) fn offered() -> Option<&'static str> {
    OFFER.get().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn an_option_is_left_out_with_its_value() {
        let words = |text: &str| {
            let words = text.split(' ').map(str::to_owned);
            without("--moves", words).join(" ")
        };
        assert_eq!(words("play othello --moves d3 --seed 2"), "play othello --seed 2");
        assert_eq!(words("play --moves=d3 othello"), "play othello");
        assert_eq!(words("play othello --moves-x 1"), "play othello --moves-x 1");
    }
}
