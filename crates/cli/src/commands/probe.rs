//! `treegauge probe`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use treegauge_catalog::GameSpec;
use treegauge_core::{Game, KeyCode, Notation, Played};
use treegauge_solve::{Erased, Rules, RulesVisitor, Value, Valued};

use super::show::result_words;
use crate::common::PositionArgs;
use crate::exit::Outcome;
use crate::output::{print, print_json};
use crate::solving::{Asked, spec_of_file, with_rules, worth_sentence};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file of a solved game
    file: PathBuf,

    #[command(flatten)]
    at: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    #[serde(flatten)]
    worth: Worth,
    moves: Vec<Row>,
    #[serde(skip)]
    drawing: String,
    #[serde(skip)]
    words: String,
}

#[derive(Serialize)]
struct Worth {
    value: &'static str,
    remoteness: Option<u16>,
}

impl From<Valued> for Worth {
    fn from(valued: Valued) -> Self {
        Worth {
            value: valued.value.name(),
            remoteness: (valued.value != Value::Draw).then_some(valued.remoteness),
        }
    }
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    m: String,
    /// For the player who makes the move; the remoteness counts the move itself.
    #[serde(flatten)]
    worth: Worth,
    words: String,
}

struct Probe<'a>(&'a Path, &'a PositionArgs, GameSpec);

impl RulesVisitor for Probe<'_> {
    type Output = Outcome<Report>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome<Report> {
        let Probe(path, at, spec) = self;
        let file = Asked::open(path, rules.clone(), &spec.canonical())?;
        let game = rules.game();
        // A solution knows no history, so only the last position of a line matters. It begins
        // where the file does.
        let start = Played::from_state(file.start());
        let state = *at.played_from(game, start)?.state();
        let valued = file.worth(&state)?;
        let moves = file.moves(&state)?;
        let words = match game.outcome(&state) {
            Some(outcome) => format!("The game is over: {}.", result_words(outcome)),
            None => worth_sentence(game.turn(&state), valued),
        };
        Ok(Report {
            game: spec.to_string(),
            position: game.position_text(&state),
            worth: valued.into(),
            moves: moves
                .into_iter()
                .map(|row| Row {
                    m: game.move_text(&state, row.m),
                    worth: row.worth.into(),
                    words: row.words(),
                })
                .collect(),
            drawing: game.draw_text(&state),
            words,
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = spec_of_file(&arguments.file)?;
    let visitor = Probe(&arguments.file, &arguments.at, spec.clone());
    let report = with_rules(&spec, visitor)??;
    if arguments.json {
        return print_json(&report);
    }
    let mut text = format!("{}\n{}\n{}\n", report.game, report.drawing, report.words);
    if !report.moves.is_empty() {
        text += "\nMoves, best first, with the plies to the end:\n";
    }
    let width = report.moves.iter().map(|row| row.m.len()).max().unwrap_or(0) + 2;
    for row in &report.moves {
        let _ = writeln!(text, "{:>width$}  {}", row.m, row.words);
    }
    print(&text)
}
