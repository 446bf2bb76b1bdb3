//! The examples in the help of each command.

/// What the help of the program ends with.
pub(crate) const PROGRAM: &str = "\
Where to begin:
  treegauge games                               the games, with their parameters
  treegauge gauge connect_four --open           is it a good game? (a designer)
  treegauge compare 'connect_four(cols=5..9)'   what does a change of the rules do?
  treegauge vet games.txt                       which of these games are playable?
  treegauge puzzles achi --html sheet.html      a sheet of puzzles (a teacher)
  treegauge match othello --a 'uct(iterations=500)' --b 'alphabeta(nodes=500)'
                                                which player is better? (an engine developer)

Exit codes: 0 success; 1 the answer is no (verify, --fail-on); 2 bad usage or a limit;
65 bad input data; 69 a player or engine failed; 70 internal error; 130 interrupted.";

/// The examples of a command, by the name of its module.
pub(crate) fn of(command: &str) -> String {
    let of_command = EXAMPLES.iter().find(|(name, _)| *name == command);
    list(of_command.map_or(&[][..], |(_, lines)| lines))
}

/// Some examples.
pub(crate) fn list(lines: &[&str]) -> String {
    lines.iter().fold("Examples:".to_owned(), |text, line| format!("{text}\n  treegauge {line}"))
}

const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "play",
        &[
            "play othello",
            "play connect_four --first 'uct(iterations=5000)' --second human",
            "play --perfect connect_four.tgs",
        ],
    ),
    ("report", &["report achi.json", "report achi.json --html achi.html"]),
    ("run", &["run task.json --json", "run achi.json --threads 1 --json"]),
    ("rules", &["rules", "rules custodial"]),
    ("bench", &["bench connect_four othello", "bench --signature"]),
    ("completions", &["completions bash > treegauge.bash"]),
    ("man", &["man --dir man1"]),
];

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
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
            let help = command.get_after_help().expect("it has examples").to_string();
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
        for line in PROGRAM.lines().filter(|line| line.starts_with("  treegauge")) {
            let line = line.trim().split("  ").next().unwrap();
            assert!(Program::try_parse_from(words(line)).is_ok(), "{line}");
        }
    }
}
