//! Counts of move sequences.

use clap::Args;
use treegauge_grammar::count;
use treegauge_report::{PerftReport, SavedKind};

use super::blocks::full_list_note;
use super::{Context, Done, Group, Means, PositionArgs, Task};
use crate::{Error, perft, positions_by_ply};

/// Count the move sequences of a game, to check its rules
#[derive(Debug, Args)]
pub struct PerftTask {
    /// Game, as `games` lists it; `-` reads the text of a game from standard input
    game: String,

    /// Number of plies
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=100))]
    depth: u32,

    /// Also count the distinct positions after each number of plies
    #[arg(long)]
    distinct: bool,

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
    const MEANS: Means = Means { memory: true, ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<PerftReport>()];

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let game = context.game_or_input(&self.game)?;
        let line = self.at.line_of(&game)?;
        let depth = self.depth as usize;
        let mut report = perft(&game, &line, depth, self.divide, context.watch)?;
        if self.distinct {
            let Context { memory_bytes_max, watch, .. } = *context;
            report.distinct = Some(positions_by_ply(&game, &line, depth, memory_bytes_max, watch)?);
        }
        let notes = full_list_note(&game, &line).into_iter().collect();
        Ok(Done { notes, ..Done::of(report, game) })
    }
}
