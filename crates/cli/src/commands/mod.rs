//! The commands, one file each.

use clap::Subcommand;

use crate::exit::Outcome;

mod bench;
mod completions;
mod games;
mod gauge;
pub(crate) mod interest;
mod man;
mod matches;
mod merge;
mod perft;
mod play;
mod power;
mod probe;
mod puzzles;
mod replay;
mod report;
mod search;
mod show;
mod solve;
mod tournament;
mod verify;

/// Declares the enumeration that clap reads: one line a command.
macro_rules! commands {
    ($($(#[doc = $about:literal])+ $name:ident => $module:ident,)*) => {
        /// A command with its arguments.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[doc = $about])+ $name($module::Arguments),)*
        }

        impl Command {
            /// Does it.
            pub(crate) fn run(self) -> Outcome {
                match self {
                    $(Command::$name(arguments) => $module::run(&arguments),)*
                }
            }
        }
    };
}

commands! {
    /// Judge a game by self-play: a verdict in words, with what was measured
    Gauge => gauge,
    /// Search one position: moves with their values, and the shape of the tree
    Search => search,
    /// Solve a game: what every position that can be reached is worth
    Solve => solve,
    /// Look a position up in the file of a solved game: what every move is worth
    Probe => probe,
    /// Check the file of a solved game against the rules
    Verify => verify,
    /// Play a game against the computer, or watch it play
    Play => play,
    /// Rate the positions of a solved game: how well hidden the winning moves are
    Interest => interest,
    /// Find the most interesting wins of a game, with their solutions
    Puzzles => puzzles,
    /// Let two players play a match: who is better, by how much, and how surely
    Match => matches,
    /// Play a round-robin tournament and rate all players on one Elo scale
    Tournament => tournament,
    /// Put the records of the parts of one match together, and report on the whole
    Merge => merge,
    /// Show the games of a record, move by move, and check that they are games
    Replay => replay,
    /// Print a report again that was saved with --json, or make its web page
    Report => report,
    /// Draw a position
    Show => show,
    /// List the games with their parameters
    Games => games,
    /// Count sequences of moves
    Perft => perft,
    /// Measure the speed of playouts and searches
    Bench => bench,
    /// Print a script with which a shell completes commands and options
    Completions => completions,
    /// Print the manual page, or write one for each command
    Man => man,
}
