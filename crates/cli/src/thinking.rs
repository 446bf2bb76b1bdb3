//! A line on the terminal while the computer thinks about a move.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::terminal::{has_events, is_quiet};

/// A shorter thought shows nothing.
const MOMENT: Duration = Duration::from_millis(500);

const WORDS: &str = "thinking ...";

/// Shows after a moment that the computer thinks, and erases it at the end. It does so only if standard error is a
/// terminal.
#[derive(Debug)]
pub(crate) struct Thinking(Option<(Sender<()>, JoinHandle<()>)>);

impl Thinking {
    /// Begins a thought.
    pub(crate) fn begin() -> Thinking {
        if !io::stderr().is_terminal() || is_quiet() || has_events() {
            return Thinking(None);
        }
        let (end, ended) = channel();
        let show = move || {
            if ended.recv_timeout(MOMENT) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let print = |text: &str| {
                let mut out = io::stderr();
                _ = write!(out, "{text}").and_then(|()| out.flush());
            };
            print(WORDS);
            // The sender never sends: it is dropped at the end of the thought.
            _ = ended.recv();
            print(&format!("\r{}\r", " ".repeat(WORDS.len())));
        };
        // Without a thread the line is left out.
        let thread = thread::Builder::new().name("thinking".to_owned()).spawn(show);
        Thinking(thread.ok().map(|thread| (end, thread)))
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // The line is gone before the next one is printed.
            _ = thread.join();
        }
    }
}
