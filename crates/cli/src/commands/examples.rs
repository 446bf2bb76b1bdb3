//! The examples in the help of each command.

/// Some examples.
pub(crate) fn list(lines: &[&str]) -> String {
    lines.iter().fold("Examples:".to_owned(), |text, line| format!("{text}\n  treegauge {line}"))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::super::{help, workflows};
    use crate::Program;

    /// The words of a command line as a shell takes them, up to a redirection.
    fn words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (n, part) in line.split('\'').enumerate() {
            if n % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        words.into_iter().take_while(|word| word != ">").collect()
    }

    #[test]
    fn every_command_has_examples_and_all_of_them_are_commands() {
        let program = Program::command();
        for command in program.get_subcommands() {
            let help = command.get_after_long_help().expect("it has examples").to_string();
            let examples: Vec<&str> = help.lines().skip(1).map(str::trim).collect();
            assert!(!examples.is_empty(), "{}", command.get_name());
            for example in examples {
                // The last of a pipe is the one that is shown.
                let commands: Vec<Vec<String>> = example.split(" | ").map(words).collect();
                assert_eq!(commands.last().unwrap()[1], command.get_name(), "{example}");
                for words in commands {
                    assert!(Program::try_parse_from(&words).is_ok(), "{example}");
                }
            }
        }
    }

    #[test]
    fn the_commands_of_workflows_and_first_words_are_commands() {
        for workflow in &workflows::WORKFLOWS {
            let (steps, name) = (workflow.commands().count() - 1, workflow.name);
            assert!((5..=8).contains(&steps), "{name}: {steps} steps");
            assert!(workflow.text().lines().all(|line| line.chars().count() <= 100), "{name}");
            for command in workflow.commands() {
                let words = words(&format!("treegauge {command}"));
                assert!(Program::try_parse_from(words).is_ok(), "{name}: {command}");
            }
        }
        for text in [help::first_words(), help::start_here()] {
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            let commands = text.lines().filter(|line| line.starts_with("  treegauge"));
            assert_eq!(commands.count(), workflows::WORKFLOWS.len(), "{text}");
        }
    }
}
