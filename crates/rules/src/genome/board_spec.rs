//! Boards as texts have them.

use super::tree::{int, list, named};
use crate::board::{Board, Diagonals, GridOptions, Shape};
use crate::reader::{Is, Node};

/// What a text says of its board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardSpec {
    pub(super) shape: Shape,
    pub(super) options: GridOptions,
    /// The names of sites that a grid leaves out.
    pub(super) holes: Vec<String>,
    /// The lines of a drawn board.
    pub(super) lines: Vec<Vec<String>>,
}

impl BoardSpec {
    pub(super) fn of_shape(shape: Shape) -> BoardSpec {
        BoardSpec { shape, options: GridOptions::default(), holes: Vec::new(), lines: Vec::new() }
    }

    /// The board that a checked text describes so: `node` is its section, `board` what became of it.
    pub(super) fn of(node: &Node, board: &Board) -> BoardSpec {
        let mut spec = BoardSpec::of_shape(board.shape);
        spec.options.wrap = board.wrap;
        for option in node.rest().iter().flat_map(Node::rest) {
            let names = || option.rest().iter().map(Node::text).collect();
            match option.head() {
                Some("diagonals") => {
                    let word = option.rest().first().and_then(Node::head);
                    spec.options.diagonals = word.and_then(Diagonals::of).unwrap_or_default();
                }
                Some("holes") => spec.holes = names(),
                Some("line") if matches!(option.is, Is::List(_)) => spec.lines.push(names()),
                _ => {}
            }
        }
        spec
    }

    /// The numbers of the shape, in the order of the text.
    pub(super) fn sizes(&self) -> Vec<i32> {
        match self.shape {
            Shape::Grid { cols, rows, levels: 1 } => vec![cols, rows],
            Shape::Grid { cols, rows, levels } => vec![cols, rows, levels],
            Shape::Rhombus { cols, rows } | Shape::Lattice { cols, rows } => vec![cols, rows],
            Shape::Hexagon { side } => vec![side],
            Shape::Rings { rings } => vec![rings],
            Shape::Pits { pits } => vec![pits],
            Shape::Graph => Vec::new(),
        }
    }

    /// The section of a text.
    pub(super) fn node(&self) -> Node {
        let name = match self.shape {
            Shape::Grid { .. } => "grid",
            Shape::Rhombus { .. } => "rhombus",
            Shape::Hexagon { .. } => "hexagon",
            Shape::Rings { .. } => "rings",
            Shape::Lattice { .. } => "lattice",
            Shape::Pits { .. } => "pits",
            Shape::Graph => "graph",
        };
        let mut rest: Vec<Node> = self.sizes().into_iter().map(int).collect();
        let names = |names: &[String]| -> Vec<Node> { names.iter().map(|n| named(n)).collect() };
        let diagonals = match self.options.diagonals {
            Diagonals::All => None,
            Diagonals::Alternate => Some("alternate"),
            Diagonals::None => Some("none"),
        };
        rest.extend(diagonals.map(|word| list("diagonals", [named(word)])));
        let wrap = match (self.options.wrap.columns, self.options.wrap.rows) {
            (false, false) => None,
            (true, false) => Some("columns"),
            (false, true) => Some("rows"),
            (true, true) => Some("both"),
        };
        rest.extend(wrap.map(|word| list("wrap", [named(word)])));
        if !self.holes.is_empty() {
            rest.push(list("holes", names(&self.holes)));
        }
        rest.extend(self.lines.iter().map(|line| list("line", names(line))));
        list("board", [list(name, rest)])
    }
}
