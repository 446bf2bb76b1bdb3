//! Boards as text and as SVG.

use std::fmt::Write;

use crate::position::column;

/// A board as text: a row number before each row, column letters below.
pub(crate) fn grid_text(rows: u32, cols: u32, symbol: impl Fn(u32, u32) -> char) -> String {
    let width = rows.to_string().len();
    let mut text = String::new();
    for row in (0..rows).rev() {
        let _ = write!(text, "{:>width$} ", row + 1);
        for col in 0..cols {
            let _ = write!(text, " {}", symbol(row, col));
        }
        text.push('\n');
    }
    let _ = write!(text, "{:width$} ", "");
    for col in 0..cols {
        let _ = write!(text, " {}", column(col));
    }
    text.push('\n');
    text
}

/// The colours of all boards. The first player's men are dark, the second player's light.
pub(crate) mod colour {
    pub(crate) const PAPER: &str = "#ffffff";
    pub(crate) const BOARD: &str = "#e9dcc3";
    pub(crate) const BOARD_DARK: &str = "#cdb891";
    pub(crate) const LINE: &str = "#6f5d3e";
    pub(crate) const FIRST: &str = "#23395b";
    pub(crate) const SECOND: &str = "#f6f1e4";
    pub(crate) const SECOND_EDGE: &str = "#8c3b2f";
    pub(crate) const LABEL: &str = "#444444";
}

/// The side of a cell in pixels.
pub(crate) const CELL: f64 = 44.0;

/// The space around a board, where the coordinates stand, in pixels.
pub(crate) const MARGIN: f64 = 26.0;

/// An SVG document that grows shape by shape.
#[derive(Debug)]
pub(crate) struct Svg {
    body: String,
    width: f64,
    height: f64,
}

impl Svg {
    /// An empty white picture; sizes are in pixels.
    pub(crate) fn new(width: f64, height: f64) -> Svg {
        let mut svg = Svg { body: String::new(), width, height };
        svg.rect(0.0, 0.0, width, height, colour::PAPER);
        svg
    }

    /// A picture with room for `rows` x `cols` cells and their coordinates.
    pub(crate) fn board(rows: u32, cols: u32) -> Svg {
        let (width, height) = (f64::from(cols) * CELL, f64::from(rows) * CELL);
        let mut svg = Svg::new(width + 2.0 * MARGIN, height + 2.0 * MARGIN);
        svg.rect(MARGIN, MARGIN, width, height, colour::BOARD);
        for row in 0..rows {
            let y = MARGIN + (f64::from(rows - row) - 0.5) * CELL;
            svg.text(MARGIN / 2.0, y, 13.0, colour::LABEL, &(row + 1).to_string());
        }
        for col in 0..cols {
            let x = MARGIN + (f64::from(col) + 0.5) * CELL;
            let y = MARGIN * 1.5 + height;
            svg.text(x, y, 13.0, colour::LABEL, &column(col).to_string());
        }
        svg
    }

    /// The lines between the cells of a board.
    pub(crate) fn grid(&mut self, rows: u32, cols: u32) {
        let (width, height) = (f64::from(cols) * CELL, f64::from(rows) * CELL);
        for row in 0..=rows {
            let y = MARGIN + f64::from(row) * CELL;
            self.line(MARGIN, y, MARGIN + width, y, 1.0, colour::LINE);
        }
        for col in 0..=cols {
            let x = MARGIN + f64::from(col) * CELL;
            self.line(x, MARGIN, x, MARGIN + height, 1.0, colour::LINE);
        }
    }

    /// The middle of a cell of a board with `rows` rows.
    pub(crate) fn centre(rows: u32, row: u32, col: u32) -> (f64, f64) {
        (MARGIN + (f64::from(col) + 0.5) * CELL, MARGIN + (f64::from(rows - row) - 0.5) * CELL)
    }

    pub(crate) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#
        );
    }

    pub(crate) fn circle(&mut self, at: (f64, f64), r: f64, fill: &str, stroke: &str) {
        let (x, y) = at;
        let _ = writeln!(
            self.body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{r:.1}" fill="{fill}" stroke="{stroke}" stroke-width="2"/>"#
        );
    }

    pub(crate) fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, width: f64, stroke: &str) {
        let _ = writeln!(
            self.body,
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round"/>"#
        );
    }

    /// A man of a player: dark for `x`, light for `o`.
    pub(crate) fn man(&mut self, at: (f64, f64), player: treegauge_core::Player) {
        let (fill, edge) = match player {
            treegauge_core::Player::First => (colour::FIRST, colour::FIRST),
            treegauge_core::Player::Second => (colour::SECOND, colour::SECOND_EDGE),
        };
        self.circle(at, CELL * 0.38, fill, edge);
    }

    /// Text with its middle at a point. `<`, `>` and `&` are escaped.
    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, fill: &str, text: &str) {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" fill="{fill}" text-anchor="middle" dominant-baseline="central" font-family="sans-serif">{escaped}</text>"#
        );
    }

    /// Words below a picture of a board, which grows by a line.
    pub(crate) fn foot(&mut self, words: &str) {
        self.rect(0.0, self.height, self.width, MARGIN, colour::PAPER);
        self.text(self.width / 2.0, self.height + 0.3 * MARGIN, 13.0, colour::LABEL, words);
        self.height += MARGIN;
    }

    /// The whole document.
    pub(crate) fn finish(self) -> String {
        let Svg { body, width, height } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.1} {height:.1}\">\n{body}</svg>\n"
        )
    }
}
