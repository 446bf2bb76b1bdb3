//! The layout of help: commands by groups, options under headings.

use std::fmt::Write as _;

use clap::builder::Styles;
use clap::{Arg, Command, Subcommand};
use treegauge::tasks::Group;

use super::listed;

/// The heading of the options that most people need.
pub(super) const COMMON: &str = "Common options";

/// The heading of options without a heading of their own.
const OTHER: &str = "Other options";

/// The heading of the options that print reports and write files.
pub(super) const OUTPUT: &str = "Output";

/// The heading of the options for threads, memory and kept work.
pub(super) const RUNNING: &str = "Running";

/// The heading of the options that every command has.
pub(crate) const GLOBAL: &str = "Global options";

/// The place of a heading among the others: headings of a command's own stand in their order between [`OTHER`] and
/// [`OUTPUT`].
fn rank(heading: Option<&str>) -> usize {
    match heading {
        None => 0,
        Some(COMMON) => 1,
        Some(OTHER) => 2,
        Some(OUTPUT) => 4,
        Some(RUNNING) => 5,
        _ => 3,
    }
}

/// A command with its common options first, and the others under headings in a stable order, which the short help leaves
/// out; required options are always shown.
pub(super) fn arranged(command: Command, common: &[&str], examples: &[&str]) -> Command {
    let heading = |arg: Arg| {
        if arg.is_positional() {
            return arg.help_heading(None::<&str>);
        }
        if common.contains(&arg.get_id().as_str()) {
            return arg.help_heading(COMMON);
        }
        let heading = arg.get_help_heading().unwrap_or(OTHER).to_owned();
        let is_required = arg.is_required_set();
        arg.help_heading(heading).hide_short_help(!is_required)
    };
    let mut args: Vec<Arg> = command.get_arguments().cloned().map(heading).collect();
    // Headings stand in the order of their first arguments.
    args.sort_by_key(|arg| rank(arg.get_help_heading()));
    let name = command.get_name().to_owned();
    let all = format!("`treegauge {name} --help` has all options and examples.");
    let about = command.get_about().cloned().unwrap_or_default();
    Command::new(name)
        .about(about)
        .groups(command.get_groups().cloned().collect::<Vec<_>>())
        .args(args)
        .after_help(all)
        .after_long_help(super::examples::list(examples))
}

/// The commands by groups, one short line each.
fn groups() -> String {
    let program = super::Command::augment_subcommands(Command::new("treegauge"));
    let about = |name: &str| {
        let command = program.find_subcommand(name)?;
        Some(command.get_about()?.to_string())
    };
    let widest = listed().map(|(_, name)| name.len()).max().unwrap_or_default();
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::new();
    for group in Group::ALL {
        let _ = writeln!(text, "{header}{}:{header:#}", group.title());
        for (_, name) in listed().filter(|(of, _)| *of == group) {
            let padding = " ".repeat(widest - name.len());
            let about = about(name).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{name}{literal:#}{padding}  {about}");
        }
        text.push('\n');
    }
    text
}

/// The template of the help of the program.
pub(crate) fn program_template() -> String {
    let header = *Styles::styled().get_header();
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{before-help}}{header}{GLOBAL}:{header:#}\n{{options}}{{after-help}}",
        groups()
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use treegauge::tasks::TASKS;

    use super::super::OWN;
    use super::*;
    use crate::Program;

    /// The help of a command as it is printed on a terminal of 80 columns.
    fn help(name: &str, is_long: bool) -> String {
        let mut program = Program::command().term_width(80);
        program.build();
        let command = program.find_subcommand_mut(name).expect("it is a command");
        let help = if is_long { command.render_long_help() } else { command.render_help() };
        help.to_string()
    }

    #[test]
    fn every_command_has_a_line_of_its_group() {
        let text = program_template();
        let mut program = Program::command();
        program.build();
        assert_eq!(listed().count(), program.get_subcommands().count());
        for command in program.get_subcommands() {
            let name = command.get_name();
            assert_eq!(listed().filter(|(_, listed)| *listed == name).count(), 1, "{name}");
            assert!(command.get_about().is_some_and(|about| !about.to_string().is_empty()));
        }
        for group in Group::ALL {
            assert!(text.contains(group.title()));
            assert!(listed().any(|(of, _)| of == group), "{group:?} has no command");
        }
        let plain = clap::builder::StyledStr::from(groups()).to_string();
        for line in plain.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn common_options_exist_and_are_few() {
        let program = Program::command();
        let commands = TASKS.iter().map(|kind| (kind.name, kind.common));
        for (name, common) in commands.chain(OWN.iter().map(|own| (own.name, own.common))) {
            let command = program.find_subcommand(name).expect("it is a command");
            for id in common {
                let is_there = command.get_arguments().any(|arg| arg.get_id() == id);
                assert!(is_there, "{name} has no option {id}");
            }
            let is_task = TASKS.iter().any(|kind| kind.name == name);
            assert!(!is_task || (2..=4).contains(&common.len()), "{name}: {common:?}");
        }
    }

    #[test]
    fn the_short_help_is_a_screen() {
        for (_, name) in listed() {
            let text = help(name, false);
            assert!(text.lines().count() <= 25, "{name}: {} lines\n{text}", text.lines().count());
            assert!(text.contains(&format!("`treegauge {name} --help`")), "{text}");
        }
    }

    #[test]
    fn headings_stand_in_a_stable_order() {
        let mut program = Program::command();
        program.build();
        for command in program.get_subcommands() {
            let mut headings: Vec<&str> = Vec::new();
            for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
                let heading = arg.get_help_heading().expect("each option has a heading");
                if !headings.contains(&heading) {
                    headings.push(heading);
                }
            }
            let name = command.get_name();
            assert_eq!(headings.pop(), Some(GLOBAL), "{name}: {headings:?}");
            let ranks: Vec<usize> = headings.iter().map(|one| rank(Some(one))).collect();
            assert!(ranks.is_sorted(), "{name}: {headings:?}");
            let long = help(name, true);
            let about = command.get_about().expect("it has a sentence").to_string();
            assert!(long.starts_with(&about), "{long}");
        }
    }
}
