//! `treegauge help`.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command, Error};
use treegauge::grammar::nearest;

use super::listed;
use super::workflows::{WORKFLOWS, Workflow, first_commands};
use crate::exit::{Exit, Failure, Outcome};
use crate::misread;
use crate::output::print;
use crate::task::Read;

pub(super) const EXAMPLES: &[&str] = &["help gauge", "help workflow", "help workflow teacher"];

/// The topic besides the commands.
const WORKFLOW: &str = "workflow";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Command, or `workflow` for the steps of a designer, a teacher, a coach or a researcher [default: all commands]
    #[arg(value_name = "TOPIC", value_parser = Names(topics), hide_possible_values = true)]
    topic: Option<String>,

    /// Kind of user, after `workflow`: designer, teacher, coach or researcher [default: all]
    #[arg(value_name = "USER", value_parser = Names(users), hide_possible_values = true)]
    user: Option<String>,
}

fn topics() -> Vec<&'static str> {
    [WORKFLOW].into_iter().chain(listed().map(|(_, name)| name)).collect()
}

fn users() -> Vec<&'static str> {
    WORKFLOWS.iter().map(|workflow| workflow.name).collect()
}

/// Reads one of some names. Unlike the reader of clap, its error does not list all of them.
#[derive(Clone)]
struct Names(fn() -> Vec<&'static str>);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, Error> {
        let name = StringValueParser::new().parse_ref(command, arg, value)?;
        let names = (self.0)();
        if names.contains(&&*name) {
            return Ok(name);
        }
        let what = arg.map_or("topic", |arg| arg.get_id().as_str());
        let hint = match nearest(&name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if what == "topic" && users().contains(&&*name) => {
                format!("did you mean `treegauge help {WORKFLOW} {name}`?")
            }
            None if what == "topic" => "`treegauge --help` lists the commands".to_owned(),
            None => format!("expected {}", names.join(", ")),
        };
        let message = format!("there is no {what} {name:?}; {hint}");
        Err(command.clone().error(ErrorKind::InvalidValue, message))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let topic = arguments.topic.as_deref();
    if topic != Some(WORKFLOW) {
        if let Some(user) = &arguments.user {
            let message = format!("unexpected argument {user:?}: only `help {WORKFLOW}` takes it");
            return Err(Failure::new(Exit::Usage, message));
        }
        let words = ["treegauge"].into_iter().chain(topic).chain(["--help"]);
        let help = Read::of(words.map(Into::into)).err();
        misread::exit(&help.expect("help is printed in the place of a command"));
    }
    let is_asked = |one: &&Workflow| arguments.user.as_deref().is_none_or(|user| user == one.name);
    let texts: Vec<String> = WORKFLOWS.iter().filter(is_asked).map(Workflow::text).collect();
    print(&texts.join("\n"))
}

/// The commands to begin with, for the help of the program.
pub(crate) fn start_here() -> String {
    format!("Start here:\n{}", first_commands().trim_end())
}

/// The answer to a command line without a command.
pub(crate) fn first_words() -> String {
    format!(
        "Measures how good, how difficult and how interesting games and positions are.\n\n\
         First commands to try:\n{}\n\
         `treegauge help workflow` lists the next steps for each of these users,\n\
         `treegauge --help` all commands, `treegauge COMMAND --help` the options of one.\n",
        first_commands()
    )
}

/// The end of the short help of the program.
pub(crate) const MORE: &str = "\
`treegauge --help` has examples and all options, `treegauge COMMAND -h` the options
of a command, and `treegauge help workflow` the steps of a designer, a teacher, a
coach and a researcher.";

/// The end of the help of the program.
pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 a check failed (verify, --fail-on); 2 bad usage or a limit;
65 bad input data; 69 a player or engine failed; 70 internal error; 130 interrupted.";
