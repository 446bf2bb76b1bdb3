//! `treegauge show`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use treegauge_catalog::{DynPosition, open};
use treegauge_core::Outcome as Result_;

use crate::common::{PositionArgs, game_spec};
use crate::exit::{OrExit, Outcome};
use crate::output::{print, print_json, write_file};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    #[command(flatten)]
    at: PositionArgs,

    /// Write the drawing to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    turn: String,
    outcome: Option<&'static str>,
    ended_by: Option<String>,
    margin: Option<i32>,
    moves: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = game_spec(&arguments.game)?;
    let game = open(&spec).or_usage()?;
    let mut position = match &arguments.at.position {
        Some(text) => game.position(text).or_data()?,
        None => game.start(),
    };
    for (n, text) in arguments.at.line().enumerate() {
        position
            .play(text)
            .map_err(|error| format!("move {} of --moves: {error}", n + 1))
            .or_data()?;
    }
    if let Some(path) = &arguments.svg {
        write_file(path, &position.svg())?;
    }
    if arguments.json {
        return print_json(&Report {
            game: spec.to_string(),
            position: position.text(),
            turn: position.turn().to_string(),
            outcome: position.ended().map(|ended| outcome_word(ended.outcome)),
            ended_by: position.ended().map(|ended| ended.by.to_string()),
            margin: position.margin(),
            moves: position.moves(),
        });
    }
    print(&in_words(position.as_ref()))
}

fn in_words(position: &dyn DynPosition) -> String {
    let mut text = position.drawing();
    let _ = writeln!(text, "\nposition: {}", position.text());
    if let Some(margin) = position.margin() {
        let _ = writeln!(text, "margin: {margin:+} for the first player");
    }
    match position.ended() {
        Some(ended) => {
            let _ = writeln!(text, "{} (ended by {})", result_words(ended.outcome), ended.by);
        }
        None => {
            let moves = position.moves();
            let _ = writeln!(text, "the {} player is to move", position.turn());
            let _ = writeln!(text, "{} moves: {}", moves.len(), moves.join(" "));
        }
    }
    text
}

/// A result in JSON.
pub(crate) fn outcome_word(outcome: Result_) -> &'static str {
    match outcome {
        Result_::FirstWins => "first",
        Result_::SecondWins => "second",
        Result_::Draw => "draw",
    }
}

/// A result in words.
pub(crate) fn result_words(outcome: Result_) -> &'static str {
    match outcome {
        Result_::FirstWins => "the first player has won",
        Result_::SecondWins => "the second player has won",
        Result_::Draw => "the game is drawn",
    }
}
