//! The `treegauge` program.
//!
//! Data goes to standard output, progress and complaints to standard error. The exit code is 0
//! when all is well, 1 when a checking command's answer is no, 2 for bad usage, 65 for bad
//! input data and for files that cannot be read or written, 69 for a failed external engine, 70 for an internal error and 130 after an
//! interruption.

mod commands;
mod common;
mod engines;
mod events;
mod exit;
mod files;
mod interrupt;
mod keeper;
mod memory;
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
    arg_required_else_help = true,
    after_help = commands::examples::PROGRAM
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
    // A panic is an internal error whatever thread it is on: its message is enough.
    let message = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        message(panic);
        std::process::exit(Exit::Internal as i32);
    }));
    let words: Vec<OsString> = std::env::args_os().collect();
    let read = Read::of(words.iter().cloned()).unwrap_or_else(|error| {
        let words: Vec<String> =
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        misread::exit(&misread::explained(error, &words))
    });
    let ended = read.run();
    let (exit, error) = match ended {
        Ok(()) => (0, None),
        Err(failure) => (failure.exit as u8, failure.error.map(|error| format!("{error:#}"))),
    };
    if terminal::has_events() {
        events::Event::End { exit, error: error.as_deref() }.print();
    } else if let Some(error) = error {
        output::complain(&format!("treegauge: {error}"));
    }
    ExitCode::from(exit)
}
