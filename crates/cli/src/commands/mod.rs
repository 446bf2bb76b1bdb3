//! The commands, one file each.

use clap::{ArgMatches, FromArgMatches, Subcommand};

use crate::exit::Outcome;

mod bench;
mod completions;
pub(crate) mod examples;
mod man;
mod play;
mod report;
mod rules;
mod run;
mod tasks;

use tasks::TaskCommand;

/// A command with its arguments.
#[derive(Debug)]
pub(crate) enum Command {
    /// One that does a task of the library.
    Task(TaskCommand),
    /// One that needs more than that: prompts, pictures, tables, records.
    Own(Own),
}

/// The order of the commands in the help; others follow.
const ORDER: [&str; 31] = [
    "gauge",
    "compare",
    "collect",
    "aggregate",
    "evaluate",
    "train",
    "vet",
    "generate",
    "search",
    "corridor",
    "solve",
    "probe",
    "verify",
    "play",
    "interest",
    "puzzles",
    "difficulty",
    "match",
    "tournament",
    "merge",
    "replay",
    "report",
    "run",
    "show",
    "games",
    "new",
    "check",
    "rules",
    "perft",
    "bench",
    "completions",
];

impl Command {
    /// Whether it does the task of a file, which has a command of its own.
    pub(crate) fn is_run(&self) -> bool {
        matches!(self, Command::Own(Own::Run(_)))
    }

    /// Runs it.
    pub(crate) fn run(self) -> Outcome {
        match self {
            Command::Task(task) => task.run(),
            Command::Own(own) => own.run(),
        }
    }
}

impl Subcommand for Command {
    fn augment_subcommands(program: clap::Command) -> clap::Command {
        let program = Own::augment_subcommands(program).subcommands(tasks::commands());
        program.mut_subcommands(|command| {
            let place = ORDER.iter().position(|name| *name == command.get_name());
            command.display_order(place.unwrap_or(ORDER.len()))
        })
    }

    fn augment_subcommands_for_update(program: clap::Command) -> clap::Command {
        Self::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        TaskCommand::is_one(name) || Own::has_subcommand(name)
    }
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let task = matches.subcommand().and_then(|(name, matches)| TaskCommand::of(name, matches));
        match task {
            Some(task) => Ok(Command::Task(task?)),
            None => Ok(Command::Own(Own::from_arg_matches(matches)?)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Declares the enumeration that clap reads: one line a command.
macro_rules! commands {
    ($($(#[doc = $about:literal])+ $name:ident => $module:ident,)*) => {
        /// A command of the program's own.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Own {
            $(
                $(#[doc = $about])+
                #[command(after_help = examples::of(stringify!($module)))]
                $name(Box<$module::Arguments>),
            )*
        }

        impl Own {
            /// Runs it.
            pub(crate) fn run(self) -> Outcome {
                match self {
                    $(Own::$name(arguments) => $module::run(&arguments),)*
                }
            }
        }
    };
}

commands! {
    /// Play a game against the computer, or watch it play
    Play => play,
    /// Print a report that was saved with --json, or write its web page
    Report => report,
    /// Do a task: a command as JSON, or that of a report, again
    Run => run,
    /// Print the words of the language in which games are described
    Rules => rules,
    /// Measure the speed of playouts and searches
    Bench => bench,
    /// Print a script that completes commands and options in a shell
    Completions => completions,
    /// Print the manual page, or write one for each command
    Man => man,
}
