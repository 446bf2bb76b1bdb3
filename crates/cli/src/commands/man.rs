//! `treegauge man`.

use std::io;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use super::{help, listed};
use crate::Program;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::{make_folder, to_write};
use crate::output::print_data;
use treegauge::FileKind;
use treegauge::tasks::Group;

pub(super) const EXAMPLES: &[&str] = &["man --dir man1"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Write the page of the program and one page per command into this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut program = Program::command();
    // This gives each command its full name, version and global options.
    program.build();
    let Some(folder) = &arguments.dir else { return print_data(&program_page(&program)?) };
    make_folder(folder)?;
    let name = program.get_name().to_owned();
    let write = |name: &str, page: String| {
        to_write(&folder.join(format!("{name}.1")), FileKind::Manual)?
            .write(&page)
            .map_err(crate::exit::Failure::from)
    };
    write(&name, program_page(&program)?)?;
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        // As git does: `man treegauge-gauge` shows `treegauge gauge`.
        let name = format!("{name}-{}", command.get_name());
        let command = command.clone().name(name.clone()).display_name(name.clone());
        write(&name, page(&command)?)?;
    }
    Ok(())
}

/// The page of the program, which lists the commands by groups.
fn program_page(program: &Command) -> Outcome<String> {
    let end = format!("{}\n\n{}", help::start_here(), help::EXIT_CODES);
    let man = Man::new(program.clone().after_long_help(end));
    roff(|page| {
        man.render_title(page)?;
        man.render_name_section(page)?;
        man.render_synopsis_section(page)?;
        man.render_description_section(page)?;
        for group in Group::ALL {
            let names = listed().filter(|(of, _)| *of == group).map(|(_, name)| name);
            let commands = names.filter_map(|name| program.find_subcommand(name).cloned());
            let title = group.title().to_uppercase();
            let part = Command::new(program.get_name().to_owned())
                .disable_help_subcommand(true)
                .disable_help_flag(true)
                .disable_version_flag(true)
                .subcommand_help_heading(title);
            Man::new(part.subcommands(commands)).render_subcommands_section(page)?;
        }
        man.render_options_section(page)?;
        man.render_extra_section(page)?;
        man.render_version_section(page)
    })
}

/// The page of a command.
fn page(command: &Command) -> Outcome<String> {
    roff(|page| Man::new(command.clone()).render(page))
}

/// A page as roff.
fn roff(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Outcome<String> {
    let render = || {
        let mut page = Vec::new();
        write(&mut page)?;
        Ok::<_, io::Error>(page)
    };
    let page = render().map(String::from_utf8);
    page.map_err(|error| Failure::new(Exit::Internal, error))?
        .map_err(|error| Failure::new(Exit::Internal, error))
}
