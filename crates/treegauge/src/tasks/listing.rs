//! The list of tasks and their fields.

use clap::{Arg, Args};
use treegauge_core::ReportHeader;
use treegauge_report::{ChoiceListing, FieldListing, SavedKind, TaskListing, TasksReport};

use super::fields::{is_flag, is_of_run, one_line, takes_many};
use super::{Context, Done, Group, TASKS, Task, TaskKind, kind_of};
use crate::Error;

/// List the commands that can be written as JSON, with their fields
#[derive(Debug, Args)]
pub struct TasksTask {
    /// Commands to list [default: all]
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,
}

impl Task for TasksTask {
    const NAME: &'static str = "tasks";
    const GROUP: Group = Group::Files;
    const EXAMPLES: &'static [&'static str] = &["tasks gauge", "tasks --json"];
    const COMMON: &'static [&'static str] = &["json", "html"];
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<TasksReport>()];

    fn run(&self, _: &Context<'_>) -> Result<Done, Error> {
        let kinds: Vec<&TaskKind> = match self.commands.as_slice() {
            [] => TASKS.iter().collect(),
            names => names.iter().map(|name| kind_of(name)).collect::<Result<_, _>>()?,
        };
        let tasks = kinds.into_iter().map(TaskKind::listing).collect();
        Ok(Done::new(TasksReport { head: ReportHeader::NEW, tasks }))
    }
}

impl TaskKind {
    /// The declaration of the task as data.
    #[must_use]
    pub fn listing(&self) -> TaskListing {
        let mut command = self.command();
        command.build();
        let is_field = |arg: &&Arg| {
            let id = arg.get_id().as_str();
            !is_of_run(self.name, id) && !matches!(id, "help" | "version")
        };
        let mut args: Vec<&Arg> = command.get_arguments().filter(is_field).collect();
        args.sort_by_key(|arg| !arg.is_positional());
        TaskListing {
            command: self.name.to_owned(),
            about: command.get_about().map(ToString::to_string).unwrap_or_default(),
            group: self.group.title().to_owned(),
            reports: self.reports.iter().map(|kind| kind.name.to_owned()).collect(),
            fields: args.into_iter().map(|arg| self.field_listing(arg)).collect(),
        }
    }

    /// The options of a run among those of the task: a task in JSON does not have them.
    #[must_use]
    pub fn run_listing(&self) -> Vec<FieldListing> {
        let mut command = self.command();
        command.build();
        let args = command.get_arguments();
        let of_run = args.filter(|arg| is_of_run(self.name, arg.get_id().as_str()));
        of_run.map(|arg| self.field_listing(arg)).collect()
    }

    fn field_listing(&self, arg: &Arg) -> FieldListing {
        let choices = if is_flag(arg) { Vec::new() } else { arg.get_possible_values() };
        let choices = choices.iter().map(|choice| ChoiceListing {
            value: choice.get_name().to_owned(),
            help: choice.get_help().map(ToString::to_string).unwrap_or_default(),
        });
        let default = arg.get_default_values().iter();
        let value = arg.get_value_names().and_then(|names| names.first());
        FieldListing {
            field: arg.get_id().to_string(),
            option: arg.get_long().map(|long| format!("--{long}")),
            value: value.filter(|_| !is_flag(arg)).map(ToString::to_string),
            heading: arg.get_help_heading().map(str::to_owned),
            takes: self.takes(arg),
            choices: choices.collect(),
            is_list: takes_many(arg),
            is_required: arg.is_required_set(),
            default: default.map(|value| value.to_string_lossy().into_owned()).collect(),
            help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// The values that an argument takes, in the words of its error.
    fn takes(&self, arg: &Arg) -> String {
        if is_flag(arg) {
            return "true or false".to_owned();
        }
        let any = || "text".to_owned();
        let Some(long) = arg.get_long() else { return any() };
        // A control character is in no range. Enough values for those that take two.
        let count = arg.get_num_args().map_or(1, |count| count.min_values()).max(1);
        let given = match count {
            1 => vec![format!("--{long}=\u{1}")],
            _ => std::iter::once(format!("--{long}"))
                .chain(std::iter::repeat_n("\u{1}".to_owned(), count))
                .collect(),
        };
        let command = self.command().no_binary_name(true).disable_help_flag(true);
        let error = command.try_get_matches_from(given).err().map(|error| one_line(&error));
        let expected = error.filter(|error| error.starts_with("invalid value"));
        let expected = expected.and_then(|error| {
            error.rsplit_once("expected ").map(|(_, expected)| expected.to_owned())
        });
        expected.unwrap_or_else(any)
    }
}
