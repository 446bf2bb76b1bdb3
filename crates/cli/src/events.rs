//! Messages for programs: a JSON object in each line of standard error.

use std::io::{self, Write};

use serde::Serialize;

/// A message.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event<'a> {
    /// The progress of the work.
    Progress {
        /// The kind of work.
        phase: &'a str,
        /// The part that is done, in a unit of the phase.
        done: u64,
        /// The whole, or an estimate of it.
        known: u64,
        /// Games that are over, and all of them.
        #[serde(skip_serializing_if = "Option::is_none")]
        games: Option<(u64, u64)>,
        /// An estimate of the whole, while it is not known.
        #[serde(skip_serializing_if = "Option::is_none")]
        expected: Option<u64>,
        /// The bytes that the work takes, where they are counted.
        #[serde(skip_serializing_if = "is_zero")]
        memory_bytes: u64,
        /// The seconds that the rest of the phase takes at the speed until now.
        #[serde(skip_serializing_if = "Option::is_none")]
        left_s: Option<f64>,
    },
    /// A command that may help next.
    Hint {
        /// The hint.
        text: &'a str,
    },
    /// A remark or a problem.
    Note {
        /// The remark.
        text: &'a str,
    },
    /// The command that continues the work.
    Resume {
        /// The command, for a shell.
        command: &'a str,
    },
    /// The end of the program.
    End {
        /// The exit code.
        exit: u8,
        /// The reason, unless all is well or the output says it.
        error: Option<&'a str>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// Prints a report of work that is not over, which is JSON already.
pub(crate) fn print_partial(report: &str) {
    _ = writeln!(io::stderr(), "{{\"event\":\"partial\",\"report\":{report}}}");
}

impl Event<'_> {
    /// Prints it. Where standard error is closed it is dropped.
    pub(crate) fn print(&self) {
        if let Ok(line) = serde_json::to_string(self) {
            _ = writeln!(io::stderr(), "{line}");
        }
    }
}
