//! Counts of move sequences.

use clap::Args;
use treegauge_grammar::count;
use treegauge_report::{PerftReport, SavedKind};

use super::blocks::full_list_note;
use super::{Context, Done, Group, PositionArgs, Task};
use crate::{Error, perft};

/// Count the move sequences of a game, to check its rules
#[derive(Debug, Args)]
pub struct PerftTask {
    /// Game, as `games` lists it; `-` reads the text of a game from standard input
    game: String,

    /// Number of plies
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=100))]
    depth: u32,

    /// Count separately for each first move
    #[arg(long)]
    divide: bool,

    #[command(flatten)]
    at: PositionArgs,
}

impl Task for PerftTask {
    const NAME: &'static str = "perft";
    const GROUP: Group = Group::Program;
    const EXAMPLES: &'static [&'static str] =
        &["perft othello --depth 6", "perft mygame.rules --depth 4"];
    const COMMON: &'static [&'static str] = &["depth", "divide", "moves"];
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<PerftReport>()];

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let game = context.game_or_input(&self.game)?;
        let line = self.at.line_of(&game)?;
        let report = perft(&game, &line, self.depth as usize, self.divide, context.watch)?;
        let notes = full_list_note(&game, &line).into_iter().collect();
        Ok(Done { notes, ..Done::of(report, game) })
    }
}
