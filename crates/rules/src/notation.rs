//! Moves and positions as text and as pictures.

use std::fmt::{self, Write};

use treegauge_core::{Notation, Player, PositionError};

use crate::board::Shape;
use crate::explain::in_number;
use crate::game::{MoveBits, Rules};
use crate::position::{Position, letter};
use crate::state::{BoardWord, State};
use crate::tree::{Owner, Program};

impl<W: BoardWord, M: MoveBits> Notation for Rules<W, M> {
    fn write_move(&self, state: &State<W>, m: M, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&self.code.move_text(state, state.rest.turn, m.bits()))
    }

    fn write_position(&self, state: &State<W>, out: &mut dyn Write) -> fmt::Result {
        self.program().write_position(&self.position(state), out)
    }

    fn parse_position(&self, text: &str) -> Result<State<W>, PositionError> {
        Ok(self.state(&self.program().parse_position(text)?))
    }

    fn board_text(&self, state: &State<W>) -> String {
        board_text(self.program(), &self.position(state))
    }

    fn board_svg(&self, state: &State<W>) -> String {
        board_svg(self.program(), &self.position(state))
    }
}

/// The symbol of what stands on a site.
fn symbol(program: &Program, symbols: &[char], position: &Position, site: u16) -> char {
    position.pieces[site as usize].map_or('.', |piece| program.symbol(symbols, piece))
}

fn board_text(program: &Program, position: &Position) -> String {
    let board = &program.board;
    let symbols = program.symbols();
    let mut text = String::new();
    match board.shape {
        Shape::Pits { pits } => {
            let pits = pits as usize;
            let seeds = |pit: usize| format!("{:>3}", position.seeds[pit]);
            let row = |range: Vec<usize>| range.into_iter().map(seeds).collect::<String>();
            let _ = writeln!(text, "    {}", row((pits..2 * pits).rev().collect()));
            let between = " ".repeat(3 * pits);
            let stores = (seeds(2 * pits + 1), seeds(2 * pits));
            let _ = writeln!(text, "{} {between} {}", stores.0, stores.1);
            let _ = writeln!(text, "    {}", row((0..pits).collect()));
        }
        Shape::Graph | Shape::Lattice { .. } => {
            for row in &board.rows {
                for &site in row {
                    let name = &board.names[site as usize];
                    let _ = write!(text, " {name}{}", symbol(program, &symbols, position, site));
                }
                text.push('\n');
            }
        }
        _ => {
            let (cols, _) = board.extent().expect("these boards have rows");
            let mut level = 0;
            for row in &board.rows {
                let [_, y, z] = board.at[row[0] as usize];
                if z != level {
                    text.push('\n');
                    level = z;
                }
                let _ = write!(text, "{:>2} ", y + 1);
                // Rows of hexagons lean: each begins half a cell further.
                if board.shape.is_hex() {
                    text.push_str(&" ".repeat(y as usize));
                }
                let mut x = 0;
                for &site in row {
                    let at = board.at[site as usize][0];
                    text.push_str(&"  ".repeat((at - x).max(0) as usize));
                    let _ = write!(text, " {}", symbol(program, &symbols, position, site));
                    x = at + 1;
                }
                text.push('\n');
            }
            text.push_str("   ");
            for x in 0..cols {
                let _ = write!(text, " {}", char::from(b'a' + x as u8));
            }
            text.push('\n');
        }
    }
    let foot = foot(program, position);
    if !foot.is_empty() {
        let _ = writeln!(text, "{foot}");
    }
    text
}

/// What a position is besides its board, in words.
fn foot(program: &Program, position: &Position) -> String {
    let mut parts = Vec::new();
    let name = |player: usize| letter(Player::BOTH[player]);
    for (kind, of) in program.kinds.iter().enumerate() {
        if of.hand.is_some() && of.owner != Owner::Neutral {
            for player in 0..2 {
                let n = position.hands[player][kind];
                if n > 0 {
                    parts.push(format!("{} has {} in hand", name(player), in_number(n, &of.name)));
                }
            }
        }
    }
    if program.memory.score {
        let [first, second] = position.score;
        let points = |n| in_number(n, "point");
        parts.push(format!("x {}, o {}", points(first), points(second)));
    }
    parts.join("; ")
}

const CELL: f64 = 40.0;
const MARGIN: f64 = 30.0;
const PAPER: &str = "#ffffff";
const BOARD: &str = "#e9dcc3";
const LINE: &str = "#6f5d3e";
const FIRST: &str = "#23395b";
const SECOND: &str = "#f6f1e4";
const SECOND_EDGE: &str = "#8c3b2f";
const LABEL: &str = "#444444";

/// The middle of each site in pixels from the upper left, and the size of the picture.
fn places(program: &Program) -> (Vec<(f64, f64)>, f64, f64) {
    let board = &program.board;
    let levels = board.at.iter().map(|at| at[2]).max().unwrap_or(0);
    let (_, rows) = board.extent().unwrap_or((0, 0));
    let raw = board.at.iter().map(|&[x, y, z]| {
        let (x, y, z) = (f64::from(x), f64::from(y), f64::from(z));
        match board.shape {
            Shape::Graph => (x / 25.0, y / 25.0),
            Shape::Lattice { .. } => (x / 1.6, y / 1.6),
            _ if board.shape.is_hex() => (x + y / 2.0, y * 0.87),
            _ => (x, y + (f64::from(levels) - z) * f64::from(rows + 1)),
        }
    });
    let raw: Vec<(f64, f64)> = raw.collect();
    let seen = board.sites().map(|site| raw[site as usize]);
    let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    for (x, y) in seen {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    let place =
        |&(x, y): &(f64, f64)| (MARGIN + (x - least.0) * CELL, MARGIN + (most.1 - y) * CELL);
    let places = raw.iter().map(place).collect();
    let size = |low: f64, high: f64| 2.0 * MARGIN + (high - low) * CELL;
    (places, size(least.0, most.0), size(least.1, most.1))
}

fn board_svg(program: &Program, position: &Position) -> String {
    let board = &program.board;
    let (places, width, height) = places(program);
    let foot = foot(program, position);
    let height = if foot.is_empty() { height } else { height + MARGIN };
    let mut body = String::new();
    let _ = writeln!(body, r#"<rect width="{width:.1}" height="{height:.1}" fill="{PAPER}"/>"#);
    for site in board.sites() {
        let (x1, y1) = places[site as usize];
        for next in board.neighbours(site).into_iter().filter(|&next| next > site) {
            let (x2, y2) = places[next as usize];
            // Links around the edge would cross the whole board.
            if (x1 - x2).hypot(y1 - y2) < 3.5 * CELL
                || matches!(board.shape, Shape::Graph | Shape::Rings { .. })
            {
                let _ = writeln!(
                    body,
                    r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{BOARD}" stroke-width="3"/>"#
                );
            }
        }
    }
    let symbols = program.symbols();
    let circle = |body: &mut String, (x, y): (f64, f64), r: f64, fill: &str, edge: &str| {
        let _ = writeln!(
            body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{r:.1}" fill="{fill}" stroke="{edge}" stroke-width="2"/>"#
        );
    };
    let label = |body: &mut String, (x, y): (f64, f64), fill: &str, text: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="13" fill="{fill}" text-anchor="middle" dominant-baseline="central" font-family="sans-serif">{text}</text>"#
        );
    };
    for site in board.sites() {
        let at = places[site as usize];
        if board.is_pits() {
            circle(&mut body, at, CELL * 0.4, BOARD, LINE);
            label(&mut body, at, LABEL, &position.seeds[site as usize].to_string());
            continue;
        }
        match position.pieces[site as usize] {
            None => {
                circle(&mut body, at, CELL * 0.1, BOARD, LINE);
                label(
                    &mut body,
                    (at.0 + CELL * 0.25, at.1 + CELL * 0.25),
                    LINE,
                    &board.names[site as usize],
                );
            }
            Some(piece) => {
                let (fill, edge, ink) = match piece.0 {
                    Some(Player::First) => (FIRST, FIRST, SECOND),
                    Some(Player::Second) => (SECOND, SECOND_EDGE, SECOND_EDGE),
                    None => (LINE, LINE, PAPER),
                };
                circle(&mut body, at, CELL * 0.38, fill, edge);
                let symbol = program.symbol(&symbols, piece);
                // One kind needs no letter.
                if !matches!(symbol, 'x' | 'o' | '#') {
                    label(&mut body, at, ink, &symbol.to_string());
                }
            }
        }
    }
    if !foot.is_empty() {
        label(&mut body, (width / 2.0, height - MARGIN * 0.7), LABEL, &foot);
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.1} {height:.1}\">\n{body}</svg>\n"
    )
}
