//! Tasks: operations with their options, as data.
//!
//! A task is a JSON object: `{"command": "perft", "game": "othello", "depth": 5}`. Its fields are the options of the
//! command, with underscores in the place of hyphens; those that are left out have their defaults. [`TASKS`] has every
//! kind of task with the declaration of its options, from which its command line and its checks follow.
//!
//! ```
//! use serde_json::json;
//! use treegauge::tasks::{Context, task};
//!
//! let fields = json!({"command": "perft", "game": "tic_tac_toe", "depth": 3});
//! let done = task(fields.as_object().unwrap()).unwrap().run(&Context::default()).unwrap();
//! assert!(done.report.json().unwrap().contains("[9,72,504]"));
//!
//! let refused = json!({"command": "perft", "game": "tic_tac_toe", "depth": 0});
//! assert!(task(refused.as_object().unwrap()).is_err());
//! ```

mod blocks;
mod check;
mod compare;
mod context;
mod evaluate;
mod fields;
mod games;
mod gauge;
mod given;
mod matches;
mod mirrored;
mod perft;
mod plan;
mod playing;
mod power;
mod probe;
mod replay;
mod search;
mod searches;
mod show;
mod task;

use serde_json::{Map, Value};
use treegauge_grammar::nearest;
use treegauge_report::{Document, SAVED_KINDS, SavedError, SavedKind, read_saved_of};

pub use blocks::{DEFAULT_SEED, PositionArgs};
pub use check::{CheckTask, FormattedReport};
pub use compare::CompareTask;
pub use context::{AnyFile, Context, Files, Keeping, STANDARD_INPUT, TaskRecord};
pub use evaluate::EvaluateTask;
pub use fields::{COMMAND, is_of_run, one_line, task_of, words_of};
pub use games::GamesTask;
pub use gauge::GaugeTask;
pub use given::Given;
pub use matches::{MatchTask, TournamentTask};
pub use perft::PerftTask;
pub use plan::{FailOnArgs, PlanArgs};
pub use playing::{shard_help, with_players};
pub use probe::{ProbeTask, VerifyTask};
pub use replay::ReplayTask;
pub use search::SearchTask;
pub use searches::{CpArg, ReuseArg, ShapeArgs, VariantArgs};
pub use show::ShowTask;
pub use task::{
    AnyTask, Done, Ending, FileOption, Kept, Means, Report, Task, TaskFile, TaskKind, WriteContents,
};

use crate::{Error, ErrorKind};

/// Every kind of task. A line here adds one, with its command.
pub const TASKS: &[TaskKind] = &[
    TaskKind::of::<GaugeTask>(),
    TaskKind::of::<CompareTask>(),
    TaskKind::of::<ProbeTask>(),
    TaskKind::of::<VerifyTask>(),
    TaskKind::of::<MatchTask>(),
    TaskKind::of::<TournamentTask>(),
    TaskKind::of::<EvaluateTask>(),
    TaskKind::of::<SearchTask>(),
    TaskKind::of::<ReplayTask>(),
    TaskKind::of::<ShowTask>(),
    TaskKind::of::<GamesTask>(),
    TaskKind::of::<CheckTask>(),
    TaskKind::of::<PerftTask>(),
];

/// The task with these fields, among them [`COMMAND`].
///
/// # Errors
///
/// When there is no such command or field, a field is missing, or a value is out of range.
pub fn task(fields: &Map<String, Value>) -> Result<Box<dyn AnyTask>, Error> {
    let refused = |message: String| Error::new(ErrorKind::Usage, message);
    let Some(Value::String(command)) = fields.get(COMMAND) else {
        return Err(refused(format!(
            "a task names its command, as in {{\"{COMMAND}\": \"gauge\"}}"
        )));
    };
    let kind = TASKS.iter().find(|kind| kind.name == command).ok_or_else(|| {
        let tip = nearest(command, TASKS.iter().map(|kind| kind.name));
        let tip = tip.map_or(String::new(), |tip| format!("; did you mean {tip:?}?"));
        refused(format!("unknown command {command:?} of a task{tip}"))
    })?;
    kind.task(fields)
}

/// Reads a report of any kind from its JSON.
///
/// # Errors
///
/// When the text is not a report, or one of a kind or schema that is not known.
pub fn read_report(text: &str) -> Result<Box<dyn Document>, SavedError> {
    let of_tasks = TASKS.iter().flat_map(|kind| kind.reports);
    let is_other = |kind: &&SavedKind| of_tasks.clone().all(|known| known.name != kind.name);
    let others = SAVED_KINDS.iter().filter(is_other);
    read_saved_of(of_tasks.clone().chain(others).copied(), text)
}
