//! The commands, one file each.

use clap::{ArgMatches, FromArgMatches, Subcommand};
use treegauge::tasks::{Group, TASKS};

use crate::exit::Outcome;

mod bench;
mod completions;
pub(crate) mod examples;
pub(crate) mod help;
mod layout;
mod man;
mod play;
mod report;
mod rules;
mod run;
#[cfg(feature = "serve")]
mod serve;
mod tasks;
mod workflows;

use tasks::TaskCommand;

pub(crate) use layout::{GLOBAL, program_template};

/// A command with its arguments.
#[derive(Debug)]
pub(crate) enum Command {
    /// A command that does a task of the library.
    Task(TaskCommand),
    /// A command with prompts or tables of its own.
    Own(Own),
}

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

/// The groups and the names of all commands, in the order of help: the program's own commands of a group, then its tasks.
fn listed() -> impl Iterator<Item = (Group, &'static str)> {
    let tasks = || TASKS.iter().map(|kind| (kind.group, kind.name));
    let own = || OWN.iter().map(|own| (own.group, own.name));
    Group::ALL
        .into_iter()
        .flat_map(move |group| own().chain(tasks()).filter(move |one| one.0 == group))
}

impl Subcommand for Command {
    fn augment_subcommands(program: clap::Command) -> clap::Command {
        let program = Own::augment_subcommands(program).mut_subcommands(|command| {
            let own = OWN.iter().find(|own| own.name == command.get_name());
            let own = own.expect("the table has each of them");
            layout::arranged(command, own.common, own.examples)
        });
        program.subcommands(tasks::commands()).mut_subcommands(|command| {
            let place = listed().position(|(_, name)| name == command.get_name());
            command.display_order(place.unwrap_or(usize::MAX))
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

/// The entry of a command of the program's own.
struct OwnCommand {
    name: &'static str,
    group: Group,
    /// The ids of the options that most people need.
    common: &'static [&'static str],
    /// Command lines that show its use.
    examples: &'static [&'static str],
}

/// Declares the enumeration that clap reads, and the table of its commands: one line a command.
macro_rules! commands {
    ($($(#[doc = $about:literal])+ $(#[cfg($cfg:meta)])? $name:ident => $module:ident in $group:ident, $common:expr;)*) => {
        /// A command of the program's own.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Own {
            $(
                $(#[doc = $about])+
                $(#[cfg($cfg)])?
                $name(Box<$module::Arguments>),
            )*
        }

        impl Own {
            /// Runs it.
            pub(crate) fn run(self) -> Outcome {
                match self {
                    $($(#[cfg($cfg)])? Own::$name(arguments) => $module::run(&arguments),)*
                }
            }
        }

        /// The commands of the program's own. Help lists those of a group in this order.
        const OWN: &[OwnCommand] = &[
            $(
                $(#[cfg($cfg)])?
                OwnCommand {
                    name: stringify!($module),
                    group: Group::$group,
                    common: &$common,
                    examples: $module::EXAMPLES,
                },
            )*
        ];
    };
}

commands! {
    /// Play a game against the computer, or watch it play
    Play => play in Play, ["first", "second", "perfect"];
    /// Look up the words of the language in which games are written
    Rules => rules in Make, [];
    /// Open the workbench: runs and their reports in a browser
    #[cfg(feature = "serve")]
    Serve => serve in Program, ["port", "runs", "url"];
    /// Print a saved report, or write it as a web page
    Report => report in Files, ["html", "open"];
    /// Run a task from JSON, or repeat the task of a report
    Run => run in Files, [];
    /// Print the help of a command, or the steps of a workflow
    Help => help in Program, [];
    /// Measure the speed of playouts and searches
    Bench => bench in Program, ["seconds", "signature", "json"];
    /// Print a script that completes commands and options in a shell
    Completions => completions in Program, [];
    /// Print the manual page, or write one page per command
    Man => man in Program, ["dir"];
}
