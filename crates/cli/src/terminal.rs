//! How much is printed, and how: colours, widths, progress and hints.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use clap::{Args, ValueEnum};
use treegauge::report::Terminal;

use crate::output::complain;

/// How much is printed, and how.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct TerminalArgs {
    /// When to print in colour
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value = "auto")]
    color: When,

    /// Print no progress and no hints, only results and errors
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

static SET: OnceLock<TerminalArgs> = OnceLock::new();

impl TerminalArgs {
    /// Makes them hold for the whole run.
    pub(crate) fn set(self) {
        // Once in the life of the program.
        _ = SET.set(self);
    }
}

/// Whether neither progress nor hints are wanted.
pub(crate) fn is_quiet() -> bool {
    SET.get().is_some_and(|set| set.quiet)
}

/// Prints a hint to standard error.
pub(crate) fn hint(line: &str) {
    if !is_quiet() {
        complain(line);
    }
}

/// Whether text may be coloured.
pub(crate) fn has_colours() -> bool {
    match SET.get().map_or(When::Auto, |set| set.color) {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let refused = env::var_os("NO_COLOR").is_some_and(|text| !text.is_empty());
            io::stdout().is_terminal() && !refused
        }
    }
}

/// What standard output is.
pub(crate) fn terminal() -> Terminal {
    Terminal { columns: columns(), colour: has_colours() }
}

/// Below this no table can be read.
const COLUMNS_MIN: u16 = 40;

/// The columns of the terminal, or those that the user set.
fn columns() -> Option<u16> {
    let set = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let of_terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(width.0)
    };
    set.or_else(of_terminal).map(|columns| columns.max(COLUMNS_MIN))
}
