//! Workflows: the commands that somebody uses one after the other.

use std::fmt::Write as _;

/// The work of a kind of user, as commands in their order.
pub(super) struct Workflow {
    /// The kind of user.
    pub(super) name: &'static str,
    /// The purpose, as a question or a sentence without its end.
    purpose: &'static str,
    /// The command to try first, and what it tells.
    first: (&'static str, &'static str),
    /// The commands with what they give.
    steps: &'static [(&'static str, &'static str)],
}

pub(super) const WORKFLOWS: [Workflow; 4] = [
    Workflow {
        name: "designer",
        purpose: "A game designer finds out whether a game is good, and improves it",
        first: ("gauge connect_four --open", "is it good?"),
        steps: &[
            (
                "new breakthrough -o mygame.rules",
                "The rules of a built-in game, as a text to change.",
            ),
            ("rules", "The words of the language in which the text is written."),
            ("check mygame.rules", "The mistakes of the text, each with its line and column."),
            ("show mygame.rules", "The board, and the rules in plain English."),
            ("play mygame.rules", "A game against the computer."),
            (
                "gauge mygame.rules --open",
                "A verdict: drawish, biased, too short, too long? With a page.",
            ),
            ("compare breakthrough mygame.rules", "The effect of a change of the rules."),
            (
                "generate --from mygame.rules -o run",
                "New games that descend from yours, the best of them judged.",
            ),
        ],
    },
    Workflow {
        name: "teacher",
        purpose: "A teacher makes sheets of puzzles for a class",
        first: ("puzzles tic_tac_toe --html sheet.html", "a puzzle sheet"),
        steps: &[
            ("games", "The games, with their parameters."),
            (
                "solve achi -o achi.tgs",
                "The value of every position, in a file for the next steps.",
            ),
            (
                "puzzles achi.tgs --mate-in 2.. --count 10 --html sheet.html",
                "A sheet of ten puzzles of all lengths, with their solutions apart.",
            ),
            (
                "puzzles achi.tgs --mate-in 2.. --count 10 --no-solutions --html class.html",
                "The same sheet without the solutions.",
            ),
            (
                "puzzles achi.tgs --mate-in 2.. --count 10 --play 1",
                "Puzzle 1 of that sheet, against a perfect opponent.",
            ),
            ("play achi.tgs", "A whole game against a perfect opponent, with hints."),
            (
                "interest achi.tgs --html interest.html",
                "The positions whose winning moves are hidden best, by a formula that asks no people.",
            ),
        ],
    },
    Workflow {
        name: "coach",
        purpose: "A chess coach picks puzzles by their difficulty, best with an engine such as Stockfish",
        first: ("difficulty puzzles.csv --html sheet.html", "how hard is each?"),
        steps: &[
            (
                "difficulty puzzles.csv --html sheet.html",
                "A rating of each puzzle, and the reasons for it.",
            ),
            (
                "difficulty puzzles.csv --for-rating 1500",
                "The puzzles for a solver rated 1500 first.",
            ),
            (
                "difficulty --show '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1'",
                "One position: the moves that make sense, as a tree.",
            ),
            (
                "difficulty puzzles.csv --out csv --attributes all -o rated.csv",
                "A table of rated puzzles with all their attributes.",
            ),
            ("evaluate rated.csv", "The accuracy of ratings that are learned from this table."),
            ("train rated.csv -o own.json", "A model that is trained on it."),
            ("difficulty puzzles.csv --model own.json", "Ratings by this model."),
        ],
    },
    Workflow {
        name: "researcher",
        purpose: "A researcher studies many games by their search trees, and compares players",
        first: ("search othello --svg tree.svg", "a search tree"),
        steps: &[
            (
                "collect --games all -o study",
                "Self-play of 28 games, with the features of every tree.",
            ),
            ("aggregate study -o attributes.csv", "The attributes of each game, as a table."),
            (
                "evaluate study",
                "The accuracy of learners that tell playable games from broken ones.",
            ),
            (
                "train study --labels labels.toml -o model.json",
                "A model that is trained on games with labels of yours.",
            ),
            (
                "vet games.txt --model model.json --html vetted.html",
                "The games that this model thinks playable.",
            ),
            (
                "match othello 'uct(iterations=500)' 'uct(iterations=1000)' --record games.jsonl",
                "The difference of two players in Elo, with its interval.",
            ),
            (
                "gauge achi --json > achi.json",
                "A report with its task, so that others can repeat it.",
            ),
            ("run achi.json --json", "The same report, made again from its task."),
        ],
    },
];

impl Workflow {
    /// The commands in their order, with what they give.
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}:\n", self.purpose);
        for (n, (command, gives)) in self.steps.iter().enumerate() {
            let _ = writeln!(text, "\n  {}. treegauge {command}\n     {gives}", n + 1);
        }
        text
    }

    /// Its command lines.
    #[cfg(test)]
    pub(super) fn commands(&self) -> impl Iterator<Item = &'static str> {
        self.steps.iter().chain([&self.first]).map(|(command, _)| *command)
    }
}

/// The first command of each workflow, with its user and what it tells.
pub(super) fn first_commands() -> String {
    let widest = WORKFLOWS.iter().map(|one| one.first.0.len()).max().unwrap_or_default();
    let line = |one: &Workflow| {
        let (command, tells) = one.first;
        format!("  treegauge {command:widest$}  {}: {tells}\n", one.name)
    };
    WORKFLOWS.iter().map(line).collect()
}
