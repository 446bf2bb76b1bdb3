//! The commands, one file each.

use clap::{ArgMatches, FromArgMatches, Subcommand};

use crate::exit::Outcome;

mod aggregate;
mod bench;
mod collect;
mod completions;
mod corridor;
mod difficulty;
pub(crate) mod examples;
mod generate;
pub(crate) mod interest;
mod man;
mod merge;
mod new;
mod play;
mod puzzles;
mod report;
mod rules;
mod run;
mod solve;
mod tasks;
mod train;
mod vet;

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
    /// Collect the search trees of self-play of many games: the data of a study
    Collect => collect,
    /// Sum a dataset up by game, as a table of attributes
    Aggregate => aggregate,
    /// Learn from datasets which games are playable, or what people say of them
    Train => train,
    /// Judge games by what is known of others: how probably each is playable, and why
    Vet => vet,
    /// Make games by changing and crossing the texts of others, and judge them: a funnel
    Generate => generate,
    /// Find out how often searches find the one correct move of a corridor of boxes
    Corridor => corridor,
    /// Solve a game: the value of every position that can be reached
    Solve => solve,
    /// Play a game against the computer, or watch it play
    Play => play,
    /// Rate the positions of a solved game: how well their winning moves are hidden
    Interest => interest,
    /// Find the most interesting wins of a game, with their solutions
    Puzzles => puzzles,
    /// Rate chess puzzles by how hard people find them, and say why
    Difficulty => difficulty,
    /// Merge the parts of a match, a tournament, a dataset or a run of `generate`, and report on the whole
    Merge => merge,
    /// Print a report that was saved with --json, or write its web page
    Report => report,
    /// Do a task: a command as JSON, or that of a report, again
    Run => run,
    /// Print the text of a built-in game, to begin a game of your own from
    New => new,
    /// Print the words of the language in which games are described
    Rules => rules,
    /// Measure the speed of playouts and searches
    Bench => bench,
    /// Print a script that completes commands and options in a shell
    Completions => completions,
    /// Print the manual page, or write one for each command
    Man => man,
}
