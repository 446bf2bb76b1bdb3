//! SVG elements of trees: lines, texts, and small boards that share their parts.

use std::fmt::Write;

use treegauge_core::{Board, CellNumber, SmallBoard, SmallBoards};
use treegauge_doc::{BOARD_RULES, DARK_BOARDS, DARK_TREES, TREE_CLASS};

/// CSS class and fallback attributes. Rules of dark mode override the attributes, and programs
/// without style sheets show them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look(pub(super) &'static str, pub(super) &'static str);

pub(super) const INK: Look = Look("ink", r##"fill="#111111""##);
pub(super) const SOFT: Look = Look("soft", r##"fill="#555555""##);
pub(super) const SHEET: Look = Look("sheet", r##"fill="#ffffff""##);
pub(super) const BOX: Look = Look("box", r##"fill="#ffffff" stroke="#333333""##);
pub(super) const BAR: Look = Look("bar", r##"fill="#333333""##);
pub(super) const EDGE: Look = Look("edge", r##"fill="none" stroke="#777777""##);
pub(super) const JUMP: Look =
    Look("jump", r##"fill="none" stroke="#9a6fb0" stroke-dasharray="5 3""##);

/// Looks of the ground of nodes that are good for the first and for the second player. Everybody
/// can tell the two hues apart and read text on them.
pub(super) const FOR: [Look; 2] =
    [Look("for-first", r##"fill="#64a5eb""##), Look("for-second", r##"fill="#f08c32""##)];

/// Looks of values and of frames: won by the first player, by the second, and by neither.
pub(super) const VALUES: [Look; 3] = [
    Look("first-value", r##"fill="#2a66a8""##),
    Look("second-value", r##"fill="#a8560f""##),
    Look("even-value", r##"fill="#666666""##),
];
pub(super) const FRAMES: [Look; 3] = [
    Look("first-frame", r##"fill="none" stroke="#2f6fb5""##),
    Look("second-frame", r##"fill="none" stroke="#c4691c""##),
    Look("even-frame", r##"fill="none" stroke="#777777""##),
];

/// Looks of moves that a search cut.
pub(super) const CUT: Look = Look("cut", r##"fill="#b3261e""##);
pub(super) const CUT_EDGE: Look = Look("cut-edge", r##"fill="none" stroke="#b3261e""##);

/// Class of the parts of boards in trees, whose colours in dark mode a file has. Those of a page are
/// for the class `position`.
const BOARD_CLASS: &str = "tree-board";

/// Place of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    /// A file of its own, with the style of dark mode in it.
    File,
    /// A page with [`treegauge_doc::STYLE`].
    Page,
}

/// Horizontal place of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Distance of the contents from the edges of a picture, in pixels.
pub(super) const MARGIN: f64 = 12.0;

/// Line height and width of a character in pixels, of the title and of the key.
const TITLE_LINE: f64 = 18.0;
const TITLE_CHARACTER: f64 = 8.0;
const KEY_LINE: f64 = 14.0;
const KEY_CHARACTER: f64 = 5.8;

/// Baseline of the first line of a picture, and space below its head, in pixels.
const FIRST_LINE: f64 = 22.0;
const BELOW_HEAD: f64 = 12.0;

/// Lines above a tree that say what it is and how to read it.
pub(super) struct Head {
    title: Vec<String>,
    keys: Vec<String>,
}

impl Head {
    /// Breaks the title and the keys into lines for a picture of this width in pixels.
    pub(super) fn new(title: &str, keys: &[String], width: f64) -> Head {
        let in_a_line = |pixels: f64| ((width - 2.0 * MARGIN) / pixels) as usize;
        let keys = keys.iter().flat_map(|key| wrapped(key, in_a_line(KEY_CHARACTER))).collect();
        Head { title: wrapped(title, in_a_line(TITLE_CHARACTER)), keys }
    }

    /// Height in pixels.
    pub(super) fn height(&self) -> f64 {
        FIRST_LINE
            + TITLE_LINE * self.title.len() as f64
            + KEY_LINE * self.keys.len() as f64
            + BELOW_HEAD
    }
}

/// Breaks a text between words into lines of up to `characters` characters.
fn wrapped(text: &str, characters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        let len = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.push_str(word);
        } else if len > characters {
            lines.push(word.to_owned());
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}

/// Text as the contents of an element or an attribute of SVG, without control characters.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace(|c: char| c.is_control(), "\u{fffd}")
}

/// Small board, ready to be placed.
pub(super) struct Thumb {
    board: SmallBoard,
    scale: f64,
    /// Width and height in pixels.
    pub(super) size: (f64, f64),
}

/// Picture in progress.
#[derive(Default)]
pub(super) struct Paper {
    body: String,
    boards: SmallBoards,
}

impl Paper {
    /// Small picture of a position with some marked cells; `None` if the board has no cells.
    pub(super) fn thumb(&mut self, board: &Board, marked: &[CellNumber]) -> Option<Thumb> {
        if board.cells.is_empty() {
            return None;
        }
        let side = (9.0 * board.width.max(board.height)).clamp(58.0, 100.0);
        let board = self.boards.draw(board, marked);
        let scale = side / board.width.max(board.height);
        let size = (board.width * scale, board.height * scale);
        Some(Thumb { board, scale, size })
    }

    /// Places a small board with its upper left corner at a point.
    pub(super) fn board(&mut self, (x, y): (f64, f64), thumb: &Thumb) {
        let Thumb { board, scale, .. } = thumb;
        let _ = writeln!(
            self.body,
            "<g class=\"position\" transform=\"translate({x:.1} {y:.1}) scale({scale:.4})\" font-family=\"sans-serif\" text-anchor=\"middle\">\n{}</g>",
            board.elements
        );
    }

    /// Adds an element with these attributes.
    pub(super) fn shape(&mut self, element: &str, attributes: &str, look: Look) {
        let Look(class, fallback) = look;
        let _ = writeln!(self.body, "<{element} class=\"{class}\" {attributes} {fallback}/>");
    }

    /// Adds a rectangle with further attributes.
    pub(super) fn rect(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        more: &str,
        look: Look,
    ) {
        let places =
            format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        self.shape("rect", &format!("{places}{more}"), look);
    }

    /// Adds a straight line with further attributes.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), more: &str, look: Look) {
        let [(x1, y1), (x2, y2)] = [from, to];
        let places = format!("x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"");
        self.shape("line", &format!("{places}{more}"), look);
    }

    /// Adds a curve from a node to one on its right, horizontal at both ends.
    pub(super) fn curve(&mut self, from: (f64, f64), to: (f64, f64), more: &str, look: Look) {
        let ((x0, y0), (x1, y1)) = (from, to);
        let middle = f64::midpoint(x0, x1);
        let path = format!(
            "d=\"M {x0:.1} {y0:.1} C {middle:.1} {y0:.1} {middle:.1} {y1:.1} {x1:.1} {y1:.1}\"{more}"
        );
        self.shape("path", &path, look);
    }

    /// Adds a text with further attributes.
    pub(super) fn text(
        &mut self,
        (x, y): (f64, f64),
        (size, anchor): (f64, Anchor),
        more: &str,
        look: Look,
        text: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (Look(class, fallback), text) = (look, escaped(text));
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\"{anchor}{more} {fallback}>{text}</text>"
        );
    }

    /// Begins a node with a description for readers who cannot see it, which is also its tooltip.
    pub(super) fn begin_node(&mut self, words: &str) {
        let _ = writeln!(self.body, "<g role=\"img\"><title>{}</title>", escaped(words));
    }

    /// Ends a node.
    pub(super) fn end_node(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// Writes the head of a picture.
    pub(super) fn head(&mut self, head: &Head) {
        let mut y = FIRST_LINE;
        for line in &head.title {
            self.text((MARGIN, y), (15.0, Anchor::Start), "", INK, line);
            y += TITLE_LINE;
        }
        for line in &head.keys {
            self.text((MARGIN, y), (11.0, Anchor::Start), "", SOFT, line);
            y += KEY_LINE;
        }
    }

    /// Whole document of this size. `name` is its name for readers who cannot see it.
    pub(super) fn document(
        self,
        (width, height): (f64, f64),
        name: &str,
        medium: Medium,
    ) -> String {
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{TREE_CLASS}\" role=\"graphics-document document\" aria-label=\"{}\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"system-ui, sans-serif\">\n",
            escaped(name)
        );
        if medium == Medium::File {
            // Rules for the tree alone: a page may have it among other pictures.
            let boards = BOARD_RULES.replace(".position ", &format!(".{BOARD_CLASS} "));
            let _ = writeln!(
                text,
                "<style>@media screen and (prefers-color-scheme: dark) {{ .{TREE_CLASS} {{ {DARK_BOARDS} }}\n{boards}\n{DARK_TREES} }}</style>"
            );
        }
        let mut sheet = Paper::default();
        sheet.shape("rect", "width=\"100%\" height=\"100%\"", SHEET);
        text.push_str(&sheet.body);
        let definitions = self.boards.definitions(&format!("position {BOARD_CLASS}"));
        if definitions.contains("<g ") {
            text.push_str(&definitions);
        }
        text.push_str(&self.body);
        text.push_str("</svg>\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("a bc def gh", 6), ["a bc", "def gh"]);
        assert_eq!(wrapped("longer than it", 3), ["longer", "than", "it"]);
        assert_eq!(wrapped("", 9), [""]);
    }

    #[test]
    fn a_text_cannot_end_its_element_or_attribute() {
        assert_eq!(escaped("a<b>\"&\u{7}"), "a&lt;b&gt;&quot;&amp;\u{fffd}");
    }
}
