//! The `treegauge` program.
//!
//! Data goes to standard output, progress and complaints to standard error. The exit code is 0
//! when all is well, 1 when a checking command's answer is no, 2 for bad usage, 65 for bad
//! input data, 69 for a failed external engine, 70 for an internal error and 130 after an
//! interruption.

mod commands;
mod common;
mod exit;
mod interrupt;
mod memory;
mod output;
mod playing;
mod record;
mod resume;
mod solving;

use std::process::ExitCode;

use clap::Parser;

use crate::exit::{Exit, Failure};

/// Measures how good, how difficult and how interesting games and positions are, from the shape
/// of their search trees.
#[derive(Debug, Parser)]
#[command(name = "treegauge", version, propagate_version = true, arg_required_else_help = true)]
struct Program {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    // A panic is an internal error whatever thread it is on: its message is enough.
    let result = std::panic::catch_unwind(|| Program::parse().command.run());
    let failure = match result {
        Ok(Ok(())) => return ExitCode::SUCCESS,
        Ok(Err(failure)) => failure,
        Err(_) => Failure { exit: Exit::Internal, error: None },
    };
    if let Some(error) = failure.error {
        output::complain(&format!("treegauge: {error:#}"));
    }
    ExitCode::from(failure.exit as u8)
}
