//! The `treegauge` program.
//!
//! Data goes to standard output, progress and messages to standard error. The exit code is 0 for success, 1 if a check
//! failed, 2 for bad usage, 65 for bad input data and for files that cannot be read or written, 69
//! for a failed external engine, 70 for an internal error, and 130 after an interruption.

mod commands;
mod common;
mod engines;
mod events;
mod exit;
mod files;
mod interrupt;
mod keeper;
mod misread;
mod output;
mod picture;
mod resume;
mod rules_text;
mod solving;
mod standard_input;
mod task;
mod temporary;
mod terminal;
mod thinking;
mod web_page;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use crate::exit::Exit;
use crate::task::Read;

/// Measures how good, how difficult and how interesting games and positions are, from the shape
/// of their search trees.
#[derive(Debug, Parser)]
#[command(
    name = "treegauge",
    version,
    propagate_version = true,
    disable_help_subcommand = true,
    disable_help_flag = true,
    disable_version_flag = true,
    args = terminal::help_args(),
    help_template = commands::program_template(),
    before_long_help = commands::help::start_here(),
    after_help = commands::help::MORE,
    after_long_help = commands::help::EXIT_CODES
)]
struct Program {
    #[command(subcommand)]
    command: commands::Command,

    #[command(flatten)]
    terminal: terminal::TerminalArgs,

    #[command(flatten)]
    files: files::FilesArgs,
}

fn main() -> ExitCode {
    // A panic on any thread ends the program as an internal error, after its message.
    let message = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        message(panic);
        std::process::exit(Exit::Internal as i32);
    }));
    let words: Vec<OsString> = std::env::args_os().collect();
    if words.len() <= 1 {
        // Data for a reader, but not the run of a command: a script that lost its arguments must not go on.
        _ = output::print(&commands::help::first_words());
        return ExitCode::from(Exit::Usage as u8);
    }
    let read = Read::of(words.iter().cloned()).unwrap_or_else(|error| {
        let words: Vec<String> =
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        misread::exit(&misread::explained(error, &words))
    });
    let (exit, error) = match read.run() {
        Ok(()) => (0, None),
        Err(failure) => {
            let words = failure.error.map(|error| format!("{error:#}"));
            (failure.exit as u8, words.map(|words| treegauge::without_system_codes(&words)))
        }
    };
    if terminal::has_events() {
        events::Event::End { exit, error: error.as_deref() }.print();
    } else if let Some(error) = error {
        output::complain(&format!("treegauge: {error}"));
    }
    ExitCode::from(exit)
}
