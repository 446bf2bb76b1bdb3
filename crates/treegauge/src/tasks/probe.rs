//! Positions of solved games.

use std::path::PathBuf;

use clap::Args;
use treegauge_report::SavedKind;
use treegauge_solve::report::{LandscapeReport, ProbeReport, VerifyReport};

use super::{Context, Done, Ending, Group, Means, PositionArgs, Task};
use crate::Error;
use crate::solved::open_solution_with;

/// Look up a position of a solved game: the value of every move
#[derive(Debug, Args)]
pub struct ProbeTask {
    /// File of a solved game, which `solve -o` wrote
    file: PathBuf,

    #[command(flatten)]
    at: PositionArgs,
}

impl Task for ProbeTask {
    const NAME: &'static str = "probe";
    const GROUP: Group = Group::Solve;
    const EXAMPLES: &'static [&'static str] = &["probe achi.tgs --moves 'b2 a1'"];
    const COMMON: &'static [&'static str] = &["moves", "position"];
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<ProbeReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(vec![self.file.clone()])
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let file =
            open_solution_with(&context.path(&self.file)?, &|name| context.game_of_file(name))?;
        // A solution has no history, so only the last position of the line matters. It begins where the file does.
        let start = file.start()?;
        let line = self.at.line_from(file.game(), || start)?;
        Ok(Done::of(file.probe(&line)?, file.game().clone()).naming("FILE", &self.file))
    }
}

/// Count the positions of a solved game by value and plies
#[derive(Debug, Args)]
pub struct LandscapeTask {
    /// File of a solved game, which `solve -o` wrote
    file: PathBuf,
}

impl Task for LandscapeTask {
    const NAME: &'static str = "landscape";
    const GROUP: Group = Group::Solve;
    const EXAMPLES: &'static [&'static str] = &["landscape achi.tgs"];
    const COMMON: &'static [&'static str] = &["html", "open"];
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<LandscapeReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(vec![self.file.clone()])
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let file =
            open_solution_with(&context.path(&self.file)?, &|name| context.game_of_file(name))?;
        let report = file.landscape(context.watch)?;
        Ok(Done::of(report, file.game().clone()).naming("FILE", &self.file))
    }
}

/// Check the file of a solved game against the rules
#[derive(Debug, Args)]
pub struct VerifyTask {
    /// File of a solved game, which `solve -o` wrote
    file: PathBuf,
}

impl Task for VerifyTask {
    const NAME: &'static str = "verify";
    const GROUP: Group = Group::Solve;
    const EXAMPLES: &'static [&'static str] = &["verify achi.tgs"];
    const COMMON: &'static [&'static str] = &["threads", "memory_max"];
    const MEANS: Means = Means { threads: true, memory: true, ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<VerifyReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(vec![self.file.clone()])
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let file =
            open_solution_with(&context.path(&self.file)?, &|name| context.game_of_file(name))?;
        let report = file.verify(context.memory_bytes_max, context.watch)?;
        let ending = if report.ok { Ending::Good } else { Ending::No(None) };
        Ok(Done::new(report).ending(ending).naming("FILE", &self.file))
    }
}
