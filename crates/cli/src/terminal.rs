//! Global options of output: colours, widths, progress and hints.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::{Arg, ArgAction, Args, ValueEnum};
use treegauge::grammar::count;
use treegauge::report::TextStyle;

use crate::commands::GLOBAL;
use crate::events::Event;
use crate::exit::{Exit, Failure, Outcome};
use crate::interrupt;
use crate::output::complain;

/// The arguments for help and version, which every command has.
pub(crate) fn help_args() -> [Arg; 2] {
    let arg = |name: &'static str| Arg::new(name).long(name).global(true).help_heading(GLOBAL);
    [
        arg("help")
            .short('h')
            .action(ArgAction::Help)
            .help("Print help: -h in short, --help in full"),
        arg("version").short('V').action(ArgAction::Version).help("Print the version"),
    ]
}

/// Global options of output.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = GLOBAL)]
pub(crate) struct TerminalArgs {
    /// Use of colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        hide_short_help = true
    )]
    color: When,

    /// Print no progress and no hints, only results and errors
    #[arg(short, long, global = true, hide_short_help = true)]
    quiet: bool,

    /// Print reasons, methods and details too
    #[arg(long, global = true, hide_short_help = true)]
    explain: bool,

    /// Print no small charts in tables
    #[arg(long, global = true, hide_short_help = true)]
    plain: bool,

    /// Progress on standard error: a bar on a terminal and a line per minute elsewhere (`auto`), or JSON Lines for
    /// programs, with all other messages in the same form (`json`)
    #[arg(
        long,
        global = true,
        value_name = "HOW",
        value_enum,
        default_value = "auto",
        hide_short_help = true
    )]
    progress: How,

    /// With --progress json, print an interim report every S seconds, if the command can judge unfinished work
    #[arg(long, global = true, value_name = "S", value_parser = count::<u32>(1..=86_400), hide_short_help = true)]
    partial: Option<u32>,

    /// Stop as after Ctrl-C when standard input ends, for programs that start this one
    #[arg(long, global = true, hide_short_help = true)]
    stop_on_eof: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum How {
    Auto,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

static SET: Mutex<TerminalArgs> = Mutex::new(TerminalArgs {
    color: When::Auto,
    quiet: false,
    explain: false,
    plain: false,
    progress: How::Auto,
    partial: None,
    stop_on_eof: false,
});

impl TerminalArgs {
    /// Sets them for the whole run, in addition to those that are set already.
    pub(crate) fn set(self) {
        let mut set = SET.lock().unwrap_or_else(PoisonError::into_inner);
        set.quiet |= self.quiet;
        set.explain |= self.explain;
        set.plain |= self.plain;
        if self.color != When::Auto {
            set.color = self.color;
        }
        if self.progress != How::Auto {
            set.progress = self.progress;
        }
        set.partial = self.partial.or(set.partial);
        if self.stop_on_eof && !set.stop_on_eof {
            set.stop_on_eof = true;
            interrupt::stop_on_eof();
        }
    }

    fn get() -> TerminalArgs {
        *SET.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether messages are events for a program.
pub(crate) fn has_events() -> bool {
    TerminalArgs::get().progress == How::Json
}

/// The time between two interim reports; `None` if none are wanted.
pub(crate) fn partial_every() -> Outcome<Option<Duration>> {
    let TerminalArgs { partial, progress, .. } = TerminalArgs::get();
    if partial.is_some() && progress != How::Json {
        return Err(Failure::new(Exit::Usage, "--partial goes with --progress json"));
    }
    Ok(partial.map(|seconds| Duration::from_secs(seconds.into())))
}

/// Whether progress and hints are suppressed.
pub(crate) fn is_quiet() -> bool {
    TerminalArgs::get().quiet
}

/// Prints a hint to standard error.
pub(crate) fn hint(line: &str) {
    if has_events() {
        Event::Hint { text: line }.print();
    } else if !is_quiet() {
        complain(line);
    }
}

/// Whether text may be coloured.
pub(crate) fn has_colours() -> bool {
    match TerminalArgs::get().color {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let refused = env::var_os("NO_COLOR").is_some_and(|text| !text.is_empty());
            io::stdout().is_terminal() && !refused
        }
    }
}

/// The properties of standard output.
pub(crate) fn terminal() -> TextStyle {
    let TerminalArgs { explain, plain, .. } = TerminalArgs::get();
    let columns = columns();
    let charts = !plain && io::stdout().is_terminal() && has_room_for_charts(columns);
    TextStyle { columns, colour: has_colours(), explain, charts }
}

/// Below this a chart would take the room of the words beside it.
const CHART_COLUMNS_MIN: u16 = 100;

fn has_room_for_charts(columns: Option<u16>) -> bool {
    columns.is_some_and(|columns| columns >= CHART_COLUMNS_MIN)
}

/// The least width at which a table is readable.
const COLUMNS_MIN: u16 = 40;

/// The width of the terminal, or the one in `COLUMNS`.
fn columns() -> Option<u16> {
    let set = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let of_terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(width.0)
    };
    set.or_else(of_terminal).map(|columns| columns.max(COLUMNS_MIN))
}

#[cfg(test)]
mod tests {
    use super::has_room_for_charts;

    #[test]
    fn charts_need_a_wide_terminal() {
        assert!(has_room_for_charts(Some(100)));
        assert!(!has_room_for_charts(Some(99)) && !has_room_for_charts(None));
    }
}
