//! `treegauge man`.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use crate::Program;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{make_folder, to_write};
use crate::output::print_data;
use treegauge::FileKind;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Write the page of the program and one page for each command into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut program = Program::command();
    // This gives each command its full name, version and global options.
    program.build();
    let Some(folder) = &arguments.dir else { return print_data(&page(&program)?) };
    make_folder(folder)?;
    let name = program.get_name().to_owned();
    let write = |name: &str, page: String| {
        to_write(&folder.join(format!("{name}.1")), FileKind::Manual)?
            .write(&page)
            .map_err(crate::exit::Failure::from)
    };
    write(&name, page(&program)?)?;
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        // As git does: `man treegauge-gauge` shows `treegauge gauge`.
        let name = format!("{name}-{}", command.get_name());
        let command = command.clone().name(name.clone()).display_name(name.clone());
        write(&name, page(&command)?)?;
    }
    Ok(())
}

/// The page of a command as roff.
fn page(command: &Command) -> Outcome<String> {
    let render = || -> io::Result<Vec<u8>> {
        let mut page = Vec::new();
        Man::new(command.clone()).render(&mut page)?;
        Ok(page)
    };
    let page = render().map(String::from_utf8);
    page.map_err(|error| Failure::new(Exit::Internal, error))?
        .map_err(|error| Failure::new(Exit::Internal, error))
}
