//! Practice files: one HTML file with problems that somebody solves without a server, and the
//! scripts and styles that it shares with pages of the workbench.
//!
//! The file holds each problem as a graph of positions with all legal moves of the solver, their
//! judgements and the answers to them. The graph is encoded, so that nobody reads a solution at a
//! glance.

use std::collections::HashMap;

use maud::{DOCTYPE, PreEscaped, html as markup};
use serde_json::{Value, json};
use treegauge_core::{Board, CellNumber, CellOutline, MovePath};
use treegauge_doc::STYLE;

use crate::about_game::paragraphs_of;
use crate::show::RulesSection;
use crate::solving::Judgement;

/// Module that reads the touches of a board's cells as moves.
pub const BOARD_SCRIPT: &str = include_str!("../assets/board.js");

/// Module of the solving mode.
pub const SOLVING_SCRIPT: &str = include_str!("../assets/solving.js");

/// Style of boards with cells, and of judgements.
pub const BOARD_STYLE: &str = include_str!("../assets/board.css");

/// Script of a practice file, with the place of the modules above.
const SCRIPT: &str = include_str!("../assets/practice.js");
const STYLE_OF_FILE: &str = include_str!("../assets/practice.css");

/// The greatest number of problems in a practice file.
pub const PRACTICE_PROBLEMS_MAX: usize = 50;

/// The greatest length of a practice file in bytes.
pub const PRACTICE_BYTES_MAX: usize = 2_000_000;

/// Contents of a practice file.
#[derive(Clone, Debug)]
pub struct Practice {
    /// Task of all problems, such as `Find the win`.
    pub heading: String,
    /// Title of the game.
    pub title: String,
    /// Rules in words; may be empty.
    pub rules: Vec<RulesSection>,
    /// Problems, all of the same game.
    pub problems: Vec<PracticeProblem>,
}

/// A problem of a practice file.
#[derive(Clone, Debug)]
pub struct PracticeProblem {
    /// Title, such as `Puzzle 3`.
    pub title: String,
    /// Task in a sentence.
    pub task: String,
    /// Side that solves it, such as `the first player`.
    pub solver: String,
    /// Whether the board is seen from the second player's side.
    pub is_flipped: bool,
    /// Cells of the move before the problem; empty if it is not known.
    pub last: Vec<CellNumber>,
    /// Positions in which the solver is to move; the problem is the first.
    pub nodes: Vec<PracticeNode>,
}

/// A position in which the solver is to move.
#[derive(Clone, Debug)]
pub struct PracticeNode {
    /// Board of the position.
    pub board: Board,
    /// Legal moves.
    pub moves: Vec<PracticeMove>,
    /// Index of the move of the main line.
    pub best: usize,
}

/// A legal move of the solver.
#[derive(Clone, Debug)]
pub struct PracticeMove {
    /// Move with its cells.
    pub path: MovePath,
    /// Judgement of the move.
    pub judgement: Judgement,
    /// Sentences about the move.
    pub words: String,
    /// Continuation.
    pub then: PracticeThen,
}

/// Continuation after a move of the solver.
#[derive(Clone, Debug)]
pub enum PracticeThen {
    /// The try ends with this board, on which these cells are marked as the last move.
    End(Board, Vec<CellNumber>),
    /// The solver is to move again, in the position with this index.
    Again(usize),
    /// The opponent has answers, the longest defence first.
    Answers(Vec<PracticeAnswer>),
}

/// Moves of the opponent until the solver is to move again.
#[derive(Clone, Debug)]
pub struct PracticeAnswer {
    /// Moves as text, at least one.
    pub moves: Vec<String>,
    /// Value of the first one in words.
    pub value: String,
    /// Sentence about the answer.
    pub words: String,
    /// Cells of the last move.
    pub last: Vec<CellNumber>,
    /// Index of the position after it, or the board if the game is over.
    pub then: Result<usize, Board>,
}

/// Texts that occur many times, each stored once.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, usize>,
    list: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = self.list.len();
        self.numbers.insert(text.to_owned(), number);
        self.list.push(text.to_owned());
        number
    }

    fn numbers<'a>(&mut self, texts: impl Iterator<Item = &'a str>) -> Vec<usize> {
        texts.map(|text| self.number(text)).collect()
    }
}

/// Encoder of boards as changes from the first board of their problem.
#[derive(Default)]
struct Encoder {
    lines: Texts,
    texts: Texts,
    /// Lines of the picture and contents of the cells of the first board of the problem.
    first: [Vec<usize>; 2],
    /// Whether the boards of the problem are turned.
    is_flipped: bool,
    /// Places of the cells, as problems need them.
    places: Vec<Value>,
}

/// A board as a problem shows it.
fn seen(board: &Board, is_flipped: bool) -> Board {
    if is_flipped { board.clone().turned() } else { board.clone() }
}

/// Places of the cells of a board.
fn places(board: &Board) -> Value {
    let cells = board.cells.iter().map(|cell| match CellOutline::of(cell) {
        CellOutline::Circle { centre: (x, y), r } => json!([cell.name, cell.x, cell.y, 0, x, y, r]),
        CellOutline::Rect { corner: (x, y), width, height } => {
            json!([cell.name, cell.x, cell.y, 1, x, y, width, height])
        }
    });
    let picture = board.svg();
    let view = picture.split("viewBox=\"").nth(1).and_then(|rest| rest.split('"').next());
    json!({
        "view": view, "size": board.size_word(), "isWide": board.width > 9.0,
        "cells": cells.collect::<Vec<_>>(), "order": board.in_rows().concat(),
    })
}

impl Encoder {
    fn parts(&mut self, board: &Board) -> [Vec<usize>; 2] {
        let picture = seen(board, self.is_flipped).svg();
        let picture = picture.replacen("role=\"img\"", "aria-hidden=\"true\"", 1);
        let lines = self.lines.numbers(picture.lines());
        let contents = self.texts.numbers(board.cells.iter().map(|cell| cell.contents.as_str()));
        [lines, contents]
    }

    /// The picture and the contents of a board, each as a list of numbers, or as -1 and the places
    /// and numbers that differ from those of the first board.
    fn board(&mut self, board: &Board) -> [Value; 2] {
        let parts = self.parts(board);
        [0, 1].map(|n| {
            let (first, part) = (&self.first[n], &parts[n]);
            if first.len() != part.len() {
                return json!(part);
            }
            let changed = (0..part.len()).filter(|&place| part[place] != first[place]);
            let changes = changed.flat_map(|place| [json!(place), json!(part[place])]);
            std::iter::once(json!(-1)).chain(changes).collect()
        })
    }

    fn problem(&mut self, problem: &PracticeProblem) -> Value {
        let first = problem.nodes.first().map(|node| node.board.clone()).unwrap_or_default();
        self.is_flipped = problem.is_flipped;
        self.first = self.parts(&first);
        let places = places(&seen(&first, problem.is_flipped));
        let known = self.places.iter().position(|known| *known == places);
        let place = known.unwrap_or_else(|| {
            self.places.push(places);
            self.places.len() - 1
        });
        let nodes: Vec<Value> = problem.nodes.iter().map(|node| self.node(node)).collect();
        json!({
            "title": problem.title, "task": problem.task, "solver": problem.solver,
            "label": format!("Board, {} to move", problem.solver), "place": place,
            "board": self.first[0], "words": self.first[1], "last": problem.last, "nodes": nodes,
        })
    }

    fn node(&mut self, node: &PracticeNode) -> Value {
        let [board, contents] = self.board(&node.board);
        let moves: Vec<Value> = node.moves.iter().map(|one| self.one(one)).collect();
        json!({"board": board, "contents": contents, "best": node.best, "moves": moves})
    }

    fn one(&mut self, one: &PracticeMove) -> Value {
        let mut fields = json!({
            "text": one.path.text, "path": one.path.touches(), "forced": one.path.free_touches(),
            "judgement": one.judgement.name(), "words": self.texts.number(&one.words), "replies": [],
        });
        match &one.then {
            PracticeThen::End(board, last) => {
                let [board, contents] = self.board(board);
                fields["board"] = board;
                fields["contents"] = contents;
                fields["last"] = json!(last);
            }
            PracticeThen::Again(node) => fields["then"] = json!(node),
            PracticeThen::Answers(answers) => {
                fields["replies"] = answers.iter().map(|answer| self.answer(answer)).collect();
            }
        }
        fields
    }

    fn answer(&mut self, answer: &PracticeAnswer) -> Value {
        let mut fields = json!({
            "moves": answer.moves, "value": answer.value, "words": self.texts.number(&answer.words),
            "last": answer.last, "then": answer.then.as_ref().ok(),
        });
        if let Err(board) = &answer.then {
            let [board, contents] = self.board(board);
            fields["board"] = board;
            fields["contents"] = contents;
        }
        fields
    }
}

/// Data of the script.
fn data(practice: &Practice) -> Value {
    let mut encoder = Encoder::default();
    let problems: Vec<Value> =
        practice.problems.iter().map(|problem| encoder.problem(problem)).collect();
    json!({
        "places": encoder.places, "problems": problems, "lines": encoder.lines.list,
        "texts": encoder.texts.list,
    })
}

/// Hides text from a glance.
fn hidden(text: &str) -> String {
    let bytes = text.bytes().enumerate();
    let bytes: Vec<u8> =
        bytes.map(|(n, byte)| byte ^ n.wrapping_mul(167).wrapping_add(43) as u8).collect();
    base64(&bytes)
}

/// Base64 of RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let number = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for n in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * n)) as usize & 63];
            text.push(if n <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// A module without its imports and exports, as a part of a script.
fn part_of_script(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.map(|line| line.strip_prefix("export ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// The practice file.
#[must_use]
pub fn practice_page(practice: &Practice) -> String {
    let modules = [BOARD_SCRIPT, SOLVING_SCRIPT].map(part_of_script).join("\n");
    let script = SCRIPT.replacen("/*MODULES*/", &modules, 1);
    let policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
    let title = format!("Practice: {}", practice.title);
    markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="generator" content="treegauge";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(BOARD_STYLE)) (PreEscaped(STYLE_OF_FILE)) }
            }
            body {
                main {
                    h1 { (practice.heading) ": " (practice.title) }
                    @if !practice.rules.is_empty() {
                        details { summary { "Rules" } (paragraphs_of(&practice.rules)) }
                    }
                    noscript { p { "This file needs a browser with scripts." } }
                    nav aria-label="Problems" { ol #list {} }
                    h2 #title {}
                    p #task-words {}
                    section #problem {}
                    p #status role="status" {}
                    details { summary { "Results" } pre #results {} }
                }
                script type="text/plain" id="data" { (PreEscaped(hidden(&data(practice).to_string()))) }
                script type="module" { (PreEscaped(script)) }
            }
        }
    }
    .into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let coded = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(texts.map(|text| base64(text.as_bytes())), coded);
    }

    #[test]
    fn modules_become_one_script() {
        for module in [BOARD_SCRIPT, SOLVING_SCRIPT] {
            let part = part_of_script(module);
            assert!(!part.contains("import ") && !part.contains("export "), "{part}");
        }
        assert!(SCRIPT.contains("/*MODULES*/") && !SCRIPT.contains("</script"));
    }
}
