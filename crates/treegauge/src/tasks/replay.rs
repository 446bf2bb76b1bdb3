//! Replays of recorded games.

use std::path::PathBuf;

use clap::Args;
use treegauge_report::{ReplayReport, ReplayedGameReport, SavedKind};

use super::{Context, Done, FileOption, Group, Means, Task, TaskFile};
use crate::{Error, ErrorKind, FileKind, RecordedGames, cut_words};

const SVG_DIR: &str = "svg_dir";

/// Show recorded games move by move, and check that they replay
#[derive(Debug, Args)]
pub struct ReplayTask {
    /// Record that `match`, `tournament` or `gauge` wrote with --record
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Show this game position by position [default: list the games]
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
}

impl Task for ReplayTask {
    const NAME: &'static str = "replay";
    const GROUP: Group = Group::Files;
    const EXAMPLES: &'static [&'static str] = &["replay mnk.jsonl", "replay mnk.jsonl --game 7"];
    const COMMON: &'static [&'static str] = &["game", "svg_dir"];
    const MEANS: Means = Means {
        files: &[FileOption::folder(
            SVG_DIR,
            FileKind::Board,
            "With --game, write a picture of each position into this folder, with the last move marked",
        )],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<ReplayReport>(), SavedKind::of::<ReplayedGameReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(vec![self.file.clone()])
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        if self.game.is_none() && context.wants(SVG_DIR) {
            let message = "the pictures are those of one game: --svg-dir goes with --game NAME";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let path = context.path(&self.file)?;
        let record = RecordedGames::read_with(&path, &|name| context.game_of_file(name))?;
        let notes = cut_words(&path).into_iter().chain(record.missing_words()).collect();
        let Some(name) = &self.game else {
            let report = record.replay(context.watch)?;
            let done = Done::of(report, record.game().clone()).naming("FILE", &self.file);
            return Ok(Done { notes, ..done });
        };
        let report = record.replay_game(name)?;
        let mut files = Vec::new();
        if context.wants(SVG_DIR) {
            for (ply, picture) in report.pictures(record.game()).iter().enumerate() {
                let board = picture.as_str().to_owned();
                files.push(TaskFile::new(SVG_DIR, board).named(format!("ply-{ply:04}.svg")));
            }
        }
        Ok(Done { notes, files, ..Done::of(report, record.game().clone()) })
    }
}
