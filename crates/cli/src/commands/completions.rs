//! `treegauge completions`.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::Program;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::print_data;

pub(super) const EXAMPLES: &[&str] = &["completions bash > treegauge.bash"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut program = Program::command();
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    generate(arguments.shell, &mut program, name, &mut script);
    let script = String::from_utf8(script);
    print_data(&script.map_err(|error| Failure::new(Exit::Internal, error))?)
}
