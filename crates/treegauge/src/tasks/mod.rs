//! Tasks: operations with their options, as data.
//!
//! A task is a JSON object: `{"command": "perft", "game": "othello", "depth": 5}`. Its fields are the options of the
//! command, with underscores instead of hyphens; omitted fields have their defaults. [`TASKS`] has every kind of task with
//! the declaration of its options, from which its command line and its checks follow.
//!
//! ```
//! use serde_json::json;
//! use treegauge::tasks::{Context, task};
//!
//! let fields = json!({"command": "perft", "game": "tic_tac_toe", "depth": 3});
//! let done = task(fields.as_object().unwrap()).unwrap().run(&Context::default()).unwrap();
//! assert!(done.report.json(&()).unwrap().contains("[9,72,504]"));
//!
//! let refused = json!({"command": "perft", "game": "tic_tac_toe", "depth": 0});
//! assert!(task(refused.as_object().unwrap()).is_err());
//! ```

mod aggregate;
mod blocks;
mod check;
mod collect;
mod compare;
mod context;
mod corridor;
mod difficulty;
mod evaluate;
mod fields;
mod folders;
mod games;
mod gauge;
mod generate;
mod given;
mod group;
mod interest;
mod listing;
mod matches;
mod merge;
mod mirrored;
mod new;
mod partial;
mod perft;
mod plan;
mod playing;
mod power;
mod probe;
mod puzzles;
mod replay;
mod root;
mod search;
mod searches;
mod show;
mod solve;
mod solving;
mod task;
mod train;
mod vet;

use serde_json::{Map, Value};
use treegauge_grammar::nearest;
use treegauge_report::{Document, SavedError, SavedKind, read_saved};

pub use aggregate::AggregateTask;
pub use blocks::{DEFAULT_SEED, PositionArgs};
pub use check::{CheckTask, FormattedReport};
pub use collect::CollectTask;
pub use compare::CompareTask;
pub use context::{
    AnyFile, Context, Files, Keeping, Meter, ReportForms, STANDARD_INPUT, TaskRecord, Wanted,
    with_task,
};
pub use corridor::CorridorTask;
pub use difficulty::DifficultyTask;
pub use evaluate::EvaluateTask;
pub use fields::{
    COMMAND, FieldError, command_line, is_of_run, object_of, one_line, task_of, words_of,
};
pub use games::GamesTask;
pub use gauge::GaugeTask;
pub use generate::GenerateTask;
pub use given::GivenOptions;
pub use group::Group;
pub use interest::InterestTask;
pub use listing::TasksTask;
pub use matches::{MatchTask, TournamentTask};
pub use merge::MergeTask;
pub use new::NewTask;
pub use partial::Partial;
pub use perft::PerftTask;
pub use plan::{FailOnArgs, PlanArgs};
pub use playing::{shard_help, with_players};
pub use probe::{LandscapeTask, ProbeTask, VerifyTask};
pub use puzzles::PuzzlesTask;
pub use replay::ReplayTask;
pub use root::Root;
pub use search::SearchTask;
pub use searches::{CpArg, ReuseArg, ShapeArgs, VariantArgs};
pub use show::ShowTask;
pub use solve::SolveTask;
pub use task::{
    AnyTask, Done, Duel, Ending, FileOption, KeptPlace, KeptWork, Means, Product, ReadTask, Report,
    Task, TaskFile, TaskKind, WriteContents,
};
pub use train::TrainTask;
pub use treegauge_core::quoted;
pub use vet::VetTask;

use crate::{Error, ErrorKind};

/// Every kind of task. Help lists the commands of a [`Group`] in this order. A line here adds a task, with its command.
pub const TASKS: &[TaskKind] = &[
    TaskKind::of::<GaugeTask>(),
    TaskKind::of::<CompareTask>(),
    TaskKind::of::<VetTask>(),
    TaskKind::of::<SearchTask>(),
    TaskKind::of::<MatchTask>(),
    TaskKind::of::<TournamentTask>(),
    TaskKind::of::<SolveTask>(),
    TaskKind::of::<ProbeTask>(),
    TaskKind::of::<LandscapeTask>(),
    TaskKind::of::<VerifyTask>(),
    TaskKind::of::<InterestTask>(),
    TaskKind::of::<PuzzlesTask>(),
    TaskKind::of::<DifficultyTask>(),
    TaskKind::of::<NewTask>(),
    TaskKind::of::<CheckTask>(),
    TaskKind::of::<ShowTask>(),
    TaskKind::of::<GamesTask>(),
    TaskKind::of::<GenerateTask>(),
    TaskKind::of::<CollectTask>(),
    TaskKind::of::<AggregateTask>(),
    TaskKind::of::<EvaluateTask>(),
    TaskKind::of::<TrainTask>(),
    TaskKind::of::<CorridorTask>(),
    TaskKind::of::<MergeTask>(),
    TaskKind::of::<ReplayTask>(),
    TaskKind::of::<TasksTask>(),
    TaskKind::of::<PerftTask>(),
];

/// The task with these fields, among them [`COMMAND`].
///
/// # Errors
///
/// When the command or a field does not exist, a field is missing, or a value is out of range.
pub fn task(fields: &Map<String, Value>) -> Result<Box<dyn AnyTask>, Error> {
    kind_of_task(fields)?.task(fields)
}

/// The kind of a task with these fields.
///
/// # Errors
///
/// When they name no command, or one that does not exist.
pub fn kind_of_task(fields: &Map<String, Value>) -> Result<&'static TaskKind, Error> {
    let refused = |message: String| Error::new(ErrorKind::Usage, message);
    let Some(Value::String(command)) = fields.get(COMMAND) else {
        return Err(refused(format!(
            "a task names its command, as in {{\"{COMMAND}\": \"gauge\"}}"
        )));
    };
    kind_of(command)
}

/// The kind of task of a command.
fn kind_of(command: &str) -> Result<&'static TaskKind, Error> {
    TASKS.iter().find(|kind| kind.name == command).ok_or_else(|| {
        let tip = nearest(command, TASKS.iter().map(|kind| kind.name));
        let tip = tip.map_or(String::new(), |tip| format!("; did you mean {tip:?}?"));
        Error::new(ErrorKind::Usage, format!("unknown command {command:?} of a task{tip}"))
    })
}

/// Reads a report of any kind from its JSON.
///
/// # Errors
///
/// When the text is not a report, or its kind or schema is unknown.
pub fn read_report(text: &str) -> Result<Box<dyn Document>, SavedError> {
    read_saved(kinds(), text)
}

/// The kinds of reports of all tasks.
fn kinds() -> impl Iterator<Item = SavedKind> + Clone {
    TASKS.iter().flat_map(|kind| kind.reports).copied()
}

#[cfg(test)]
mod tests {
    use treegauge_core::ReportKind;

    use super::*;

    #[test]
    fn tasks_and_kinds_of_reports_have_names_of_their_own() {
        for (n, task) in TASKS.iter().enumerate() {
            assert!(TASKS[..n].iter().all(|other| other.name != task.name), "{}", task.name);
        }
        // Two tasks may have one kind: the text of a game.
        let kinds: Vec<&str> = kinds().map(|kind| kind.name).collect();
        for (n, kind) in kinds.iter().enumerate() {
            let is_shared = *kind == FormattedReport::KIND;
            assert!(is_shared || !kinds[..n].contains(kind), "{kind}");
        }
    }
}
