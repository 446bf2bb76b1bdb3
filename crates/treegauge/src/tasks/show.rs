//! Pictures and texts of positions.

use clap::Args;
use treegauge_report::{ReachedBoard, SavedKind, ShowReport, ShownBoard};

use super::blocks::full_list_note;
use super::{Context, Done, FileOption, Group, Means, PositionArgs, Task, TaskFile};
use crate::{Error, FileKind, show};

const SVG: &str = "svg";

/// Print a position, or draw it as a picture
#[derive(Debug, Args)]
pub struct ShowTask {
    /// Game, as `games` lists it; `-` reads the text of a game from standard input
    game: String,

    /// Add the cells of the board, and the cells that each move touches, to the JSON report
    #[arg(long)]
    cells: bool,

    #[command(flatten)]
    at: PositionArgs,
}

impl Task for ShowTask {
    const NAME: &'static str = "show";
    const GROUP: Group = Group::Make;
    const EXAMPLES: &'static [&'static str] =
        &["show othello", "show connect_four --moves 'd d' --svg board.svg", "show mygame.rules"];
    const COMMON: &'static [&'static str] = &["moves", "svg"];
    const MEANS: Means = Means {
        files: &[FileOption::file(
            SVG,
            FileKind::Board,
            "Write a picture of the position to this file, with the last of --moves marked",
        )],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<ShowReport>()];

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let game = context.game_or_input(&self.game)?;
        let line = self.at.line_of(&game)?;
        let notes = full_list_note(&game, &line).into_iter().collect();
        let board = self.cells.then(|| ShownBoard::of(&line));
        let report = ShowReport { board, ..show(&game, &line) };
        let mut done = Done { notes, ..Done::of(report, game) };
        if context.wants(SVG) {
            done.files
                .push(TaskFile::new(SVG, ReachedBoard::current(&line).svg().as_str().to_owned()));
        }
        Ok(done)
    }
}
