//! Counting move sequences.

use clap::Args;
use treegauge_grammar::count;
use treegauge_report::{PerftReport, SavedKind};

use super::blocks::full_list_note;
use super::{Context, Done, PositionArgs, Task};
use crate::{Error, perft};

/// Count move sequences
#[derive(Debug, Args)]
pub struct PerftTask {
    /// The game, as `games` lists it; `-` for a text that describes one on standard input
    game: String,

    /// Plies to count to
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=100))]
    depth: u32,

    /// Count the greatest depth for each first move
    #[arg(long)]
    divide: bool,

    #[command(flatten)]
    at: PositionArgs,
}

impl Task for PerftTask {
    const NAME: &'static str = "perft";
    const EXAMPLES: &'static [&'static str] =
        &["perft othello --depth 6", "perft mygame.rules --depth 4"];
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<PerftReport>()];

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let game = context.game_or_input(&self.game)?;
        let line = self.at.line_of(&game)?;
        let report = perft(&game, &line, self.depth as usize, self.divide, context.watch)?;
        let notes = full_list_note(&game, &line).into_iter().collect();
        Ok(Done { notes, ..Done::of(report, game) })
    }
}
