//! Boards as SVG pictures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{Board, Cell, CellMark, CellNumber, CellShape, Chessman, Panel};
use crate::Player;

/// Width of a cell in pixels.
const CELL: f64 = 44.0;

/// Width in pixels of the margin around a board, which holds the labels.
const MARGIN: f64 = 26.0;

/// Height in pixels of a line of text below a board.
const LINE: f64 = 22.0;

/// CSS class and fallback attributes. Any rule of a style sheet overrides the attributes, and a
/// strict content security policy accepts them.
struct Look(&'static str, &'static str);

const PAPER: Look = Look("paper", r##"fill="#ffffff""##);
const GROUND: Look = Look("ground", r##"fill="#e9dcc3""##);
const SQUARE: Look = Look("square", r##"fill="#e9dcc3" stroke="#6f5d3e""##);
const DARK: Look = Look("shade", r##"fill="#cdb891" stroke="#6f5d3e""##);
const FILLED: Look = Look("filled", r##"fill="#6f5d3e""##);
const LINK: Look = Look("link", r##"stroke="#6f5d3e" stroke-width="2""##);
const CURVE: Look = Look("curve", r##"fill="none" stroke="#6f5d3e" stroke-width="2""##);
const DOT: Look = Look("dot", r##"fill="#6f5d3e""##);
const DRAWN: Look = Look("drawn", r##"stroke="#23395b" stroke-width="5" stroke-linecap="round""##);
const OPEN_LINE: Look =
    Look("link", r##"stroke="#6f5d3e" stroke-width="1.5" stroke-dasharray="2 5""##);
const PIT: Look = Look("pit", r##"fill="#f6f1e4" stroke="#6f5d3e" stroke-width="2""##);

/// Looks of pits of the first and of the second player.
const PITS: [Look; 2] = [
    Look("pit first-pit", r##"fill="#f6f1e4" stroke="#23395b" stroke-width="2""##),
    Look("pit second-pit", r##"fill="#f6f1e4" stroke="#8c3b2f" stroke-width="2""##),
];

const LABEL: Look = Look("label", r##"fill="#3c4048""##);
const ON_BOARD: Look = Look("on-board", r##"fill="#23395b""##);
/// Look of names beside points: a rim of the colour of the ground keeps lines away from the letters.
const BESIDE_POINT: Look = Look(
    "on-board site",
    r##"fill="#23395b" stroke="#e9dcc3" stroke-width="3" stroke-linejoin="round" paint-order="stroke""##,
);

/// Looks of men of the first player, of the second player and of neutral men.
const PIECES: [Look; 3] = [
    Look("first", r##"fill="#23395b" stroke="#23395b" stroke-width="2""##),
    Look("second", r##"fill="#f6f1e4" stroke="#8c3b2f" stroke-width="2""##),
    Look("neutral", r##"fill="#6f5d3e" stroke="#6f5d3e" stroke-width="2""##),
];

/// Looks of texts on men, in the order of [`PIECES`].
const ON_PIECES: [Look; 3] = [
    Look("on-first", r##"fill="#f6f1e4""##),
    Look("on-second", r##"fill="#8c3b2f""##),
    Look("on-neutral", r##"fill="#ffffff""##),
];

/// Ring on men of the second player, so that they differ from other men by more than colour.
const RING: Look = Look("ring", r##"fill="none" stroke="#8c3b2f" stroke-width="1.5""##);

/// Looks of the sides of the first and of the second player.
const SIDES: [Look; 2] = [
    Look("first-side", r##"stroke="#23395b" stroke-width="6" stroke-linecap="round""##),
    Look("second-side", r##"stroke="#8c3b2f" stroke-width="6" stroke-linecap="round""##),
];

/// Looks of lines between dots that the first player, the second player or neither coloured.
const LINES: [Look; 3] = [
    Look("first-line", r##"stroke="#23395b" stroke-width="7" stroke-linecap="round""##),
    Look("second-line", r##"stroke="#8c3b2f" stroke-width="7" stroke-linecap="round""##),
    Look("neutral-line", r##"stroke="#6f5d3e" stroke-width="5" stroke-linecap="round""##),
];

/// Light middle of lines of the second player, so that they differ from other lines by more than
/// colour.
const LINE_MIDDLE: Look =
    Look("second-middle", r##"stroke="#f6f1e4" stroke-width="3" stroke-linecap="round""##);

/// Looks of fingers of the first and of the second player.
const FINGERS: [Look; 2] = [
    Look("first-finger", r##"stroke="#23395b" stroke-width="6" stroke-linecap="round""##),
    Look("second-finger", r##"stroke="#8c3b2f" stroke-width="6" stroke-linecap="round""##),
];

/// Look of marked cells of a panel.
const MARKED: Look = Look("marked", r##"fill="#e8912d" fill-opacity="0.6""##);

/// Look of marked lines between dots.
const MARKED_LINE: Look = Look(
    "marked-line",
    r##"stroke="#e8912d" stroke-opacity="0.6" stroke-width="17" stroke-linecap="round""##,
);

/// Looks of arrows of a panel and of their heads.
const ARROW: Look = Look("arrow", r##"stroke="#c2571a" stroke-width="3" stroke-linecap="round""##);
const HEAD: Look = Look("head", r##"fill="#c2571a""##);

/// Space between two panels, in pixels.
const GAP: f64 = 36.0;

/// Part of its full size at which a picture of panels is shown.
const PANEL_SCALE: f64 = 0.6;

/// SVG elements written so far. Coordinates are in pixels.
#[derive(Default)]
pub(super) struct Picture {
    pub(super) body: String,
    /// Attributes by class, if a style sheet has them and not each element.
    styles: Option<BTreeMap<&'static str, &'static str>>,
}

impl Picture {
    /// Attributes that an element of this look needs, with a space before them.
    fn attributes(&mut self, &Look(class, attributes): &Look) -> String {
        match &mut self.styles {
            None => format!(" {attributes}"),
            Some(styles) => {
                styles.insert(class, attributes);
                String::new()
            }
        }
    }

    fn shape(&mut self, element: &str, places: &str, look: &Look) {
        let (class, attributes) = (look.0, self.attributes(look));
        let _ = writeln!(self.body, r#"<{element} class="{class}" {places}{attributes}/>"#);
    }

    fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, look: &Look) {
        let places = format!(r#"x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}""#);
        self.shape("rect", &places, look);
    }

    fn circle(&mut self, (x, y): (f64, f64), r: f64, look: &Look) {
        self.shape("circle", &format!(r#"cx="{x:.1}" cy="{y:.1}" r="{r:.1}""#), look);
    }

    fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), look: &Look) {
        let places = format!(r#"x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}""#);
        self.shape("line", &places, look);
    }

    /// Draws a line that ends a little before both points, with a head at the second if asked for.
    fn arrow(&mut self, from: (f64, f64), to: (f64, f64), has_head: bool) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let (back, start) = if has_head { (10.0, 4.0) } else { (0.0, 4.0) };
        let at = |along: f64, aside: f64| {
            (from.0 + ux * along - uy * aside, from.1 + uy * along + ux * aside)
        };
        self.line(at(start, 0.0), at(length - back, 0.0), &ARROW);
        if has_head {
            let corners = [at(length - 1.0, 0.0), at(length - 12.0, 6.0), at(length - 12.0, -6.0)]
                .map(|(x, y)| format!("{x:.1},{y:.1}"));
            self.shape("polygon", &format!(r#"points="{}""#, corners.join(" ")), &HEAD);
        }
    }

    /// Writes text centred at a point.
    fn text(&mut self, (x, y): (f64, f64), size: f64, look: &Look, text: &str) {
        let text = escaped(text);
        let (class, attributes) = (look.0, self.attributes(look));
        let _ = writeln!(
            self.body,
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" dy=".35em" font-size="{size}"{attributes}>{text}</text>"#
        );
    }

    /// Draws the line of a cell between two dots. `at` is the place of the cell in the picture.
    fn between(&mut self, cell: &Cell, (x, y): (f64, f64), look: &Look) {
        let Some(ends) = cell.ends else { return };
        let [from, to] = ends.map(|(u, v)| (x + (u - cell.x) * CELL, y + (v - cell.y) * CELL));
        self.line(from, to, look);
    }

    /// Marks a cell, below its contents.
    pub(super) fn marked(&mut self, cell: &Cell, at: (f64, f64)) {
        match cell.shape {
            CellShape::Line => return self.between(cell, at, &MARKED_LINE),
            CellShape::Hexagon => return self.hexagon(at, &MARKED),
            _ => {}
        }
        match CellOutline::around(cell, at) {
            // A ring shows around the piece of the cell.
            CellOutline::Circle { centre, .. } => self.circle(centre, CELL * 0.5, &MARKED),
            CellOutline::Rect { corner: (x, y), width, height } => {
                self.rect(x, y, width, height, &MARKED);
            }
        }
    }

    /// Draws a hexagon that stands on a corner.
    fn hexagon(&mut self, (x, y): (f64, f64), look: &Look) {
        let (half, side) = (CELL / 2.0, CELL / 3f64.sqrt());
        let corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)].map(|(a, b)| {
            let (x, y) = (x + f64::from(a) * half, y + f64::from(b) * side / 2.0);
            format!("{x:.1},{y:.1}")
        });
        self.shape("polygon", &format!(r#"points="{}""#, corners.join(" ")), look);
    }

    /// Draws the outline of a cell.
    fn cell(&mut self, cell: &Cell, at @ (x, y): (f64, f64)) {
        let half = CELL / 2.0;
        match cell.shape {
            CellShape::Square => self.rect(x - half, y - half, CELL, CELL, &SQUARE),
            CellShape::DarkSquare => self.rect(x - half, y - half, CELL, CELL, &DARK),
            CellShape::Hexagon => self.hexagon(at, &SQUARE),
            CellShape::Point => self.circle(at, CELL * 0.07, &DOT),
            CellShape::Pit => {
                let look = cell.owner.map_or(&PIT, |owner| &PITS[owner.index()]);
                self.circle(at, CELL * 0.42, look);
            }
            CellShape::Hand => self.rect(x - CELL, y - half, 2.0 * CELL, CELL, &SQUARE),
            CellShape::Line => self.between(cell, at, &OPEN_LINE),
            CellShape::Across | CellShape::Upright | CellShape::Box => {}
        }
    }

    /// Writes the name of a cell of a board without labels where the contents leave room: beside a
    /// point, on the side of the signs of `beside`, else on an empty cell or on a piece without a text of
    /// its own.
    fn name(&mut self, cell: &Cell, (x, y): (f64, f64), beside: (f64, f64)) {
        let is_long = cell.name.len() > 5;
        let (aside, size, look) = match (cell.shape, &cell.mark) {
            (CellShape::Box, _) => return,
            (CellShape::Point, CellMark::None) => {
                (0.28, if is_long { 8.0 } else { 10.0 }, &BESIDE_POINT)
            }
            (CellShape::Point, _) => (0.4, if is_long { 7.0 } else { 9.0 }, &BESIDE_POINT),
            (_, CellMark::None) => (0.0, if is_long { 8.0 } else { 10.0 }, &ON_BOARD),
            (CellShape::Hexagon, CellMark::Piece { owner, text }) if text.is_empty() => {
                (0.0, 8.0, &ON_PIECES[owner.map_or(2, Player::index)])
            }
            _ => return,
        };
        let aside = aside * CELL;
        self.text((x + aside * beside.0, y + aside * beside.1), size, look, &cell.name);
    }

    /// Draws the contents of a cell.
    pub(super) fn mark(&mut self, cell: &Cell, at @ (x, y): (f64, f64)) {
        let half = CELL / 2.0;
        match &cell.mark {
            CellMark::None => {}
            CellMark::Piece { owner, text } if cell.shape == CellShape::Line => {
                self.between(cell, at, &LINES[owner.map_or(2, Player::index)]);
                if *owner == Some(Player::Second) {
                    self.between(cell, at, &LINE_MIDDLE);
                }
                if !text.is_empty() {
                    self.text(at, 10.0, &ON_BOARD, text);
                }
            }
            CellMark::Drawn if cell.shape == CellShape::Line => self.between(cell, at, &DRAWN),
            CellMark::Piece { owner, text } => {
                let n = owner.map_or(2, Player::index);
                let is_edge = matches!(cell.shape, CellShape::Across | CellShape::Upright);
                let r = CELL * if is_edge { 0.2 } else { 0.38 };
                self.circle(at, r, &PIECES[n]);
                if !text.is_empty() {
                    self.text(at, r, &ON_PIECES[n], text);
                } else if *owner == Some(Player::Second) {
                    self.circle(at, r * 0.63, &RING);
                }
            }
            CellMark::Chessman { owner, man } => {
                let (x, y) = (x - half, y - half);
                let scale = CELL / Chessman::BOX;
                let svg = man.svg(*owner);
                let _ = writeln!(
                    self.body,
                    r#"<g transform="translate({x:.1} {y:.1}) scale({scale:.4})">{svg}</g>"#
                );
            }
            CellMark::Text(text) => {
                let size = if matches!(cell.shape, CellShape::Pit) { 17.0 } else { CELL * 0.7 };
                self.text(at, size, &ON_BOARD, text);
            }
            CellMark::Filled => self.rect(x - half, y - half, CELL, CELL, &FILLED),
            CellMark::Dot => self.circle(at, CELL * 0.14, &DOT),
            CellMark::Drawn => {
                let (across, up) =
                    if cell.shape == CellShape::Across { (half, 0.0) } else { (0.0, half) };
                self.line((x - across, y - up), (x + across, y + up), &DRAWN);
            }
            CellMark::Fingers { owner, count } => {
                for n in 1..=*count {
                    let x = x - CELL + 2.0 * CELL * f64::from(n) / 5.0;
                    self.line((x, y - half + 8.0), (x, y + half - 8.0), &FINGERS[owner.index()]);
                }
            }
        }
    }
}

/// Outline of a cell in [`Board::svg`], in pixels, for elements that lie on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellOutline {
    /// Circle around a centre.
    Circle {
        /// Centre.
        centre: (f64, f64),
        /// Radius.
        r: f64,
    },
    /// Rectangle.
    Rect {
        /// Upper left corner.
        corner: (f64, f64),
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
}

impl CellOutline {
    /// Outline of a cell.
    #[must_use]
    pub fn of(cell: &Cell) -> CellOutline {
        CellOutline::around(cell, Board::pixels(cell.x, cell.y))
    }

    /// Outline of a cell at a place of a picture, in pixels.
    fn around(cell: &Cell, (x, y): (f64, f64)) -> CellOutline {
        let (width, height) = match cell.shape {
            CellShape::Across => (CELL - 8.0, 20.0),
            CellShape::Upright => (20.0, CELL - 8.0),
            CellShape::Hand => (2.0 * CELL, CELL),
            CellShape::Hexagon | CellShape::Pit => {
                return CellOutline::Circle { centre: (x, y), r: CELL * 0.46 };
            }
            CellShape::Point => return CellOutline::Circle { centre: (x, y), r: CELL * 0.42 },
            // Lines cross, so only a part of each is touched.
            CellShape::Line => return CellOutline::Circle { centre: (x, y), r: CELL * 0.3 },
            _ => (CELL, CELL),
        };
        CellOutline::Rect { corner: (x - width / 2.0, y - height / 2.0), width, height }
    }
}

impl Board {
    /// Width of a cell in [`Board::svg`], in pixels.
    pub const CELL_PIXELS: f64 = CELL;

    /// Pixels in [`Board::svg`] of a place on the board.
    #[must_use]
    pub fn pixels(x: f64, y: f64) -> (f64, f64) {
        (MARGIN + x * CELL, MARGIN + y * CELL)
    }

    /// Draws the board as one SVG document. A style sheet can recolour its elements by their
    /// classes: `paper`, `ground`, `square`, `shade`, `filled`, `link`, `dot`, `drawn`, `pit`,
    /// `first-pit`, `second-pit`, `label`, `on-board`, `site`, `first`, `second`, `neutral`, `on-first`,
    /// `on-second`, `on-neutral`, `ring`, `first-line`, `second-line`, `second-middle`,
    /// `neutral-line`, `first-finger`, `second-finger`, `first-side`, `second-side`. All are inside
    /// `svg.position`.
    #[must_use]
    pub fn svg(&self) -> String {
        self.svg_marked(&[])
    }

    /// Draws the board as [`Board::svg`], with some cells marked, such as those of the last move. Marks
    /// have the classes `marked` and `marked-line`.
    #[must_use]
    pub fn svg_marked(&self, marked: &[CellNumber]) -> String {
        let mut picture = Picture::default();
        let (width, height) = self.draw(&mut picture, marked);
        document((width, height), 1.0, "", picture)
    }

    /// Draws boards side by side as one small SVG document, with a title for those who cannot see
    /// it. The classes are those of [`Board::svg`], and `marked`, `arrow` and `head`; a style sheet
    /// in the document has their colours.
    #[must_use]
    pub fn panels(title: &str, panels: &[Panel]) -> String {
        let mut picture = Picture { styles: Some(BTreeMap::new()), ..Picture::default() };
        let (mut right, mut bottom) = (0.0, 0f64);
        for (n, panel) in panels.iter().enumerate() {
            if n > 0 {
                let middle = (MARGIN + panel.board.height * CELL / 2.0).max(MARGIN);
                picture.arrow((right - 4.0, middle), (right + GAP - 8.0, middle), true);
                right += GAP;
            }
            let _ = writeln!(picture.body, r#"<g transform="translate({right:.1} 0)">"#);
            let (width, height) = panel.board.draw(&mut picture, &panel.marked);
            let centre =
                |cell: usize| Board::pixels(panel.board.cells[cell].x, panel.board.cells[cell].y);
            for &(from, to, has_head) in &panel.arrows {
                picture.arrow(centre(from), centre(to), has_head);
            }
            picture.body.push_str("</g>\n");
            (right, bottom) = (right + width, bottom.max(height));
        }
        document((right, bottom), PANEL_SCALE, title, picture)
    }

    /// Draws the board, and returns the width and height that it takes.
    fn draw(&self, picture: &mut Picture, marked: &[CellNumber]) -> (f64, f64) {
        let place = Board::pixels;
        self.ground(picture);
        for cell in marked.iter().map(|&cell| &self.cells[cell]) {
            picture.marked(cell, place(cell.x, cell.y));
        }
        for cell in &self.cells {
            picture.mark(cell, place(cell.x, cell.y));
        }
        self.dots(picture);
        if self.labels.is_empty() {
            for (cell, side) in self.cells.iter().zip(self.sides_of_names()) {
                picture.name(cell, place(cell.x, cell.y), side);
            }
        }
        for label in &self.labels {
            picture.text(place(label.x, label.y), 13.0, &LABEL, &label.text);
        }
        let mut height = 2.0 * MARGIN + self.height * CELL;
        let widest = self.beside.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let width = (2.0 * MARGIN + self.width * CELL).max(7.0 * widest as f64);
        for line in &self.beside {
            height += LINE;
            picture.text((width / 2.0, height - LINE * 0.6), 13.0, &LABEL, line);
        }
        (width, height)
    }

    /// Signs of the horizontal and vertical distance of each name from its point: to the right and below,
    /// unless a piece on another point or a name before it would be there and another corner has more
    /// room.
    fn sides_of_names(&self) -> Vec<(f64, f64)> {
        /// Distance of a name from a piece on another point or another name that leaves both readable.
        const ROOM: f64 = 0.55;
        let mut names: Vec<(f64, f64)> = Vec::new();
        let mut sides = Vec::new();
        for cell in &self.cells {
            let at = |(right, below): (f64, f64)| (cell.x + 0.4 * right, cell.y + 0.4 * below);
            let room = |side: (f64, f64)| {
                let (x, y) = at(side);
                let others = self.cells.iter().filter(|other| other.name != cell.name);
                let taken = others.map(|other| (other.x, other.y)).chain(names.iter().copied());
                taken.map(|(u, v)| (u - x).hypot(v - y)).fold(f64::INFINITY, f64::min)
            };
            let corners = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
            let side = match room(corners[0]) < ROOM {
                // The first of equal corners stays, so that rounding decides nothing.
                true => corners.into_iter().fold(corners[0], |best, side| {
                    if room(side) > room(best) + 0.01 { side } else { best }
                }),
                false => corners[0],
            };
            names.push(at(side));
            sides.push(side);
        }
        sides
    }

    /// Pixels by which the ground reaches beyond the cells.
    pub(super) fn overhang(&self) -> f64 {
        // Edges, and their names, reach beyond the outermost centres.
        if self.cells.iter().any(|cell| cell.dots().is_some()) { 14.0 } else { 0.0 }
    }

    /// Draws what all positions of a game share, below their contents.
    pub(super) fn ground(&self, picture: &mut Picture) {
        let place = Board::pixels;
        let is_tile = |cell: &Cell| {
            matches!(
                cell.shape,
                CellShape::Square | CellShape::DarkSquare | CellShape::Hexagon | CellShape::Hand
            )
        };
        if !self.cells.is_empty() && !self.cells.iter().any(is_tile) {
            let more = self.overhang();
            let (width, height) = (self.width * CELL, self.height * CELL);
            let (width, height) = (width + 2.0 * more, height + 2.0 * more);
            picture.rect(MARGIN - more, MARGIN - more, width, height, &GROUND);
        }
        for curve in &self.curves {
            let [from, one, two, to] = curve.points.map(|(x, y)| {
                let (x, y) = Board::pixels(x, y);
                format!("{x:.1} {y:.1}")
            });
            picture.shape("path", &format!(r#"d="M {from} C {one}, {two}, {to}""#), &CURVE);
        }
        for link in &self.links {
            let [from, to] = link.map(|n| place(self.cells[n].x, self.cells[n].y));
            picture.line(from, to, &LINK);
        }
        for cell in &self.cells {
            picture.cell(cell, place(cell.x, cell.y));
        }
        for side in &self.sides {
            let [from, to] = side.ends.map(|(x, y)| place(x, y));
            picture.line(from, to, &SIDES[side.owner.index()]);
        }
    }

    /// Draws a dot at each end of an edge, above the contents of the cells.
    pub(super) fn dots(&self, picture: &mut Picture) {
        let ends = |cell: &Cell| cell.dots().into_iter().flatten().collect::<Vec<_>>();
        // Rounded, so that the common end of two lines is one dot.
        let whole = |x: f64| (1000.0 * x).round() as i64;
        let dots: BTreeSet<(i64, i64)> =
            self.cells.iter().flat_map(ends).map(|(x, y)| (whole(x), whole(y))).collect();
        let r = if self.cells.iter().any(|cell| cell.ends.is_some()) { 5.0 } else { 3.0 };
        for (x, y) in dots {
            picture.circle(Board::pixels(x as f64 / 1000.0, y as f64 / 1000.0), r, &DOT);
        }
    }
}

/// Document of a picture of this size, shown at a part of it.
fn document((width, height): (f64, f64), scale: f64, title: &str, picture: Picture) -> String {
    let Picture { body, styles } = picture;
    let mut paper = Picture { styles, ..Picture::default() };
    paper.rect(0.0, 0.0, width, height, &PAPER);
    let Picture { body: paper, styles } = paper;
    let mut head = String::new();
    if !title.is_empty() {
        let _ = writeln!(head, "<title>{}</title>", escaped(title));
    }
    if let Some(styles) = styles {
        let rules = styles.iter().map(|(class, attributes)| {
            let rule = attributes.replace("=\"", ":").replace("\" ", ";").replace('"', "");
            format!(".{class}{{{rule}}}")
        });
        let _ = writeln!(head, "<style>{}</style>", rules.collect::<Vec<_>>().join(""));
    }
    let (wide, high) = (width * scale, height * scale);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"position\" role=\"img\" width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n{head}{paper}{body}</svg>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
