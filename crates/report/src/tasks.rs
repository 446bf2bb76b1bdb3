//! Report of the tasks and their fields.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_doc::{Block, Cell, Column, Doc, Table};

use crate::boards::{Boards, Document};
use crate::words::{command, counted};

/// Tasks that `run` takes, each with its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TasksReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Tasks, in the order of help.
    pub tasks: Vec<TaskListing>,
}

/// A kind of task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskListing {
    /// Name of its command, the value of its field `command`.
    pub command: String,
    /// First sentence of its help.
    pub about: String,
    /// Title of its group in help.
    pub group: String,
    /// Kinds of the reports that it can have.
    pub reports: Vec<String>,
    /// Its other fields, positional arguments first.
    pub fields: Vec<FieldListing>,
}

/// A field of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldListing {
    /// Name.
    pub field: String,
    /// Option of the command line with its hyphens; `None` for a positional argument.
    pub option: Option<String>,
    /// Word for its value in a usage line, such as `GAME`; `None` if it is `true` or `false`.
    #[serde(default)]
    pub value: Option<String>,
    /// Title under which help lists it; `None` among the first options.
    #[serde(default)]
    pub heading: Option<String>,
    /// Values that it takes, in words: `a whole number from 1 to 1000000`.
    pub takes: String,
    /// Words that it takes, if only these are values.
    pub choices: Vec<ChoiceListing>,
    /// Whether it may be an array of values.
    pub is_list: bool,
    /// Whether a task must have it.
    pub is_required: bool,
    /// Values that hold if the field is missing; empty if that depends on other fields or is
    /// nothing.
    pub default: Vec<String>,
    /// First paragraph of its help.
    pub help: String,
}

/// One of the words that a field takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceListing {
    /// Word.
    pub value: String,
    /// Its meaning; empty if it needs none.
    pub help: String,
}

impl ReportKind for TasksReport {
    const KIND: &'static str = "tasks";
}

impl Document for TasksReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("tasks");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Tasks")]));
        if let [task] = self.tasks.as_slice() {
            let end = if task.about.ends_with('?') { "" } else { "." };
            doc.push(Block::text(format!("{}: {}{end}", task.command, task.about)));
            doc.push(Block::from(fields(task)));
            doc.next(format!(
                "{} runs a task from a file.",
                command("run", &["task.json", "--json"])
            ));
            return doc;
        }
        let mut table = Table::new("tasks", [Column::left("command"), Column::left("about")]);
        for task in &self.tasks {
            table.push([task.command.as_str(), task.about.as_str()]);
        }
        let count = counted(self.tasks.len() as u64, "command");
        doc.push(Block::text(format!("{count} can be written as JSON, for `treegauge run`.")));
        doc.push(Block::from(table));
        for task in &self.tasks {
            doc.push(Block::PagesOnly(vec![
                Block::heading(2, task.command.as_str()),
                fields(task).into(),
            ]));
        }
        if let Some(first) = self.tasks.first() {
            doc.next(format!("{} lists its fields.", command("tasks", &[&first.command])));
        }
        doc
    }
}

/// Table of the fields of a task.
fn fields(task: &TaskListing) -> Table {
    let columns = ["field", "takes", "default", "meaning"].map(Column::left);
    let mut table = Table::new("fields", columns);
    for field in &task.fields {
        let words: Vec<&str> = field.choices.iter().map(|choice| choice.value.as_str()).collect();
        let takes = if words.is_empty() { field.takes.clone() } else { words.join(", ") };
        let many = if field.is_list { "; several" } else { "" };
        let default =
            if field.is_required { "required".to_owned() } else { field.default.join(", ") };
        table.push([
            Cell::from(field.field.as_str()),
            Cell::from(format!("{takes}{many}")),
            Cell::from(default),
            Cell::from(field.help.as_str()),
        ]);
    }
    table
}
