//! The `treegauge` program.
//!
//! Data goes to standard output, progress and complaints to standard error. The exit code is 0
//! when all is well, 1 when a checking command's answer is no, 2 for bad usage, 65 for bad
//! input data and for files that cannot be read or written, 69 for a failed external engine, 70 for an internal error and 130 after an
//! interruption.

mod commands;
mod common;
mod exit;
mod files;
mod gauging;
mod given;
mod interrupt;
mod memory;
mod mirrored;
mod misread;
mod model;
mod numbers;
mod output;
mod playing;
mod record;
mod resume;
mod rules_text;
mod solving;
mod standard_input;
mod temporary;
mod terminal;
mod web_page;

use std::process::ExitCode;

use clap::Parser;

use crate::exit::Exit;

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
    let Program { command, terminal, files } = Program::try_parse().unwrap_or_else(|error| {
        let words: Vec<String> =
            std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        misread::exit(&misread::explained(error, &words))
    });
    terminal.set();
    files.set();
    let Err(failure) = command.run() else { return ExitCode::SUCCESS };
    if let Some(error) = failure.error {
        output::complain(&format!("treegauge: {error:#}"));
    }
    ExitCode::from(failure.exit as u8)
}
