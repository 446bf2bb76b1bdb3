//! The interestingness of the positions of a solved game.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_grammar::count;
use treegauge_report::{Block, Doc, Document, SavedKind, position_task_text};
use treegauge_solve::report::{
    InterestAnalysis, InterestPosition, InterestReport, KeptInterestError, KeptPositionReport,
    keep_interest,
};

use super::solving::{ChoicesArgs, SolveArgs, Source};
use super::{Context, Done, Duel, FileOption, GivenOptions, Group, Means, Task, TaskFile};
use crate::solved::open_solution_with;
use crate::{Error, ErrorKind, FileKind};

/// Rate the positions of a game by how well their wins are hidden
#[derive(Debug, Args)]
pub struct InterestTask {
    #[command(flatten)]
    given: GivenOptions,

    /// Game, as `games` lists it, or a file that `solve` wrote
    #[arg(value_name = "GAME|FILE")]
    source: String,

    /// Save the summary, with the most interesting position of each remoteness, in the solution file
    #[arg(long)]
    save: bool,

    /// Show the most interesting position that --save stored, or the most interesting win in N plies
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..))]
    start: Option<Option<u16>>,

    /// With --start, play from that position against perfect play
    #[arg(long, requires = "start")]
    play: bool,

    #[command(flatten)]
    choices: ChoicesArgs,

    #[command(flatten)]
    how: SolveArgs,
}

/// The option for the table of all positions.
const CSV: &str = "csv";

/// The options that `--start` does not have.
const OF_RATINGS: [&str; 10] =
    ["save", CSV, "html", "open", "form", "lose_children", "children", "draws", "ties", "symmetry"];

impl Task for InterestTask {
    const NAME: &'static str = "interest";
    const GROUP: Group = Group::Solve;
    const EXAMPLES: &'static [&'static str] =
        &["interest achi", "interest achi.tgs --html interest.html"];
    const COMMON: &'static [&'static str] = &["html", "csv", "save"];
    const MEANS: Means = Means {
        threads: true,
        memory: true,
        files: &[FileOption::file(
            CSV,
            FileKind::Table,
            "Write every position with its interestingness and its terms, as CSV",
        )],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<InterestReport>(), SavedKind::of::<KeptPositionReport>()];
    const HAS_PICTURE: bool = true;

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(Source::file_of(&self.source))
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let source = Source::parse(&self.source, &self.how, context)?;
        if let Some(remoteness) = self.start {
            self.given.refuse(&OF_RATINGS, "--start")?;
            if self.play {
                self.given.refuse(&["json"], "--play")?;
            }
            let path = needed_file(&source, "--start")?;
            return Start { source: &source, path, remoteness }.run(context, self.play);
        }
        let keeper = if self.save { Some(needed_file(&source, "--save")?) } else { None };
        keeper.map_or(Ok(()), |path| context.places.to_add_to(path))?;
        let solution = source.solution(&self.how, context)?;
        let choices = self.choices.options();
        let rated = solution.rate(choices, context.memory_bytes_max, context.watch)?;
        let report = rated.report();
        let kept = keeper.map(|path| {
            keep_interest(path, &report.analysis).map(drop).map_err(|error| {
                let path = path.display();
                let message = format!("cannot keep the analysis in {path}: {error}");
                Error::new(ErrorKind::Data, message)
            })
        });
        let text = matches!(kept, Some(Ok(()))).then(|| {
            let mut doc = report.doc(source.game());
            doc.push(Block::text("The analysis is saved in the file."));
            let show = format!("treegauge interest {} --start", source.quoted());
            doc.next(format!("`{show}` shows the most interesting position again."));
            doc
        });
        let problem = kept.and_then(Result::err);
        let write = Box::new(move |out: &mut dyn std::io::Write, watch: &dyn crate::Watch| {
            rated.write_csv(out, watch)
        });
        let file = context.wants(CSV).then_some(TaskFile { option: CSV, name: None, write });
        let files = file.into_iter().collect();
        let done = Done { problem, text, files, ..Done::of(report, source.game().clone()) };
        Ok(source.named(done))
    }
}

/// The file of the source, for an option that works on files only.
fn needed_file<'a>(source: &'a Source, option: &str) -> Result<&'a Path, Error> {
    source.file().ok_or_else(|| {
        let message = format!(
            "{option} needs the file of a solved game; to make one that keeps the analysis:\n  \
             treegauge solve {} -o FILE\n  treegauge interest FILE --save",
            source.quoted()
        );
        Error::new(ErrorKind::Usage, message)
    })
}

/// A request for a position of the analysis in a file.
struct Start<'a> {
    source: &'a Source,
    path: &'a Path,
    remoteness: Option<u16>,
}

impl Start<'_> {
    fn run(&self, context: &Context<'_>, plays: bool) -> Result<Done, Error> {
        let game = self.source.game().clone();
        let file = open_solution_with(self.path, &|name| context.game_of_file(name))?;
        let analysis = file.kept_interest().map_err(|error| self.refused(error))?;
        let position = self.chosen(&analysis)?;
        file.check_kept(position).map_err(|error| self.refused(error))?;
        let report = KeptPositionReport::new(&analysis, position.clone());
        let start = match self.remoteness {
            None => "--start".to_owned(),
            Some(n) => format!("--start {n}"),
        };
        let command = format!("treegauge interest {} {start} --play", self.source.quoted());
        let doc = match plays {
            true => {
                let mut doc = Doc::default();
                doc.push(Block::Preformatted(position_task_text(position)));
                doc
            }
            false => {
                let mut doc = report.doc(&game);
                doc.next(format!("`{command}` lets you play on against perfect play."));
                doc
            }
        };
        let duel = plays.then(|| Duel {
            game: game.clone(),
            position: position.position.clone(),
            solved: file.as_solved_game(),
        });
        Ok(Done { text: Some(doc), duel, ..Done::of(report, game) })
    }

    /// The error of a file without a usable analysis, with the command that makes one.
    fn refused(&self, error: Error) -> Error {
        if error.get::<KeptInterestError>().is_none() {
            return error;
        }
        let message = format!(
            "{} {error}; to keep one there:\n  treegauge interest {} --save",
            self.path.display(),
            self.source.quoted()
        );
        Error::new(ErrorKind::Data, message)
    }

    /// The requested position.
    fn chosen<'b>(&self, analysis: &'b InterestAnalysis) -> Result<&'b InterestPosition, Error> {
        let none = || {
            let none = format!("no position of {} is a win before the end", analysis.game);
            let Some(n) = self.remoteness else { return none };
            let rows = &analysis.by_remoteness;
            let known = rows.iter().filter_map(|row| row.most.remoteness);
            let mut known: Vec<String> = known.map(|n| n.to_string()).collect();
            // The last number shows the range.
            if known.len() > 12 {
                known.splice(10..known.len() - 1, ["...".to_owned()]);
            }
            match known.is_empty() {
                true => none,
                false => format!("no position is won in {n} plies, but in {}", known.join(", ")),
            }
        };
        let chosen = analysis.most_interesting_of(self.remoteness);
        chosen.ok_or_else(|| Error::new(ErrorKind::Data, none()))
    }
}
