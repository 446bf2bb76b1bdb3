//! Boards as texts describe them.

use super::tree::{int, list, named};
use crate::board::{
    Board, BuildError, Diagonals, Drawn, GridOptions, NamedSpot, Shape, TrackLines, build_graph,
    build_shape,
};
use crate::reader::{Is, Node};

/// Description of a board in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardSpec {
    pub(super) shape: Shape,
    pub(super) options: GridOptions,
    /// Names of the sites that a grid leaves out.
    pub(super) holes: Vec<String>,
    /// Lines of a drawn board, each a list of site names.
    pub(super) lines: Vec<Vec<String>>,
    /// Lines of each track.
    pub(super) tracks: Vec<TrackLines>,
    /// Coordinates of sites of a drawn board, for pictures.
    pub(super) given: Vec<NamedSpot>,
    /// Dots of a drawn board between which its sites are lines, for pictures.
    pub(super) dots: Vec<NamedSpot>,
}

impl BoardSpec {
    pub(super) fn of_shape(shape: Shape) -> BoardSpec {
        BoardSpec {
            shape,
            options: GridOptions::default(),
            holes: Vec::new(),
            lines: Vec::new(),
            tracks: Vec::new(),
            given: Vec::new(),
            dots: Vec::new(),
        }
    }

    /// Same board with all its sites.
    pub(super) fn without_holes(self) -> BoardSpec {
        BoardSpec { holes: Vec::new(), ..self }
    }

    /// Description of the board of a checked text. `node` is its section, `board` the board that
    /// the checker built.
    pub(super) fn of(node: &Node, board: &Board) -> BoardSpec {
        let mut spec = BoardSpec::of_shape(board.shape);
        spec.options.wrap = board.wrap;
        spec.options.drawn = board.drawn;
        spec.options.draws_diagonals = board.draws_diagonals;
        let given = board.names.iter().zip(&board.given);
        spec.given = given.filter_map(|(name, spot)| Some((name.clone(), (*spot)?))).collect();
        spec.dots.clone_from(&board.dots);
        for option in node.rest().iter().flat_map(Node::rest) {
            let names = || option.rest().iter().map(Node::text).collect();
            match option.head() {
                Some("diagonals") => {
                    let word = option.rest().first().and_then(Node::head);
                    spec.options.diagonals = word.and_then(Diagonals::of).unwrap_or_default();
                }
                Some("holes") => spec.holes = names(),
                Some("track") => {
                    let line = |line: &Node| line.rest().iter().map(Node::text).collect();
                    spec.tracks.push(option.rest().iter().map(line).collect());
                }
                Some("line") if matches!(option.is, Is::List(_)) => spec.lines.push(names()),
                _ => {}
            }
        }
        spec
    }

    pub(super) fn build(&self) -> Result<Board, BuildError> {
        if self.shape == Shape::Graph {
            return build_graph(&self.lines, &self.tracks, &self.given, &self.dots);
        }
        let plain = build_shape(self.shape, GridOptions::default(), &[])?;
        let holes: Vec<_> = self.holes.iter().filter_map(|name| plain.site(name)).collect();
        build_shape(self.shape, self.options, &holes)?.with_tracks(&self.tracks)
    }

    /// Sizes of the shape, in the order of the text.
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

    /// Same board with one of its sizes changed.
    pub(super) fn with_size(&self, at: usize, size: i32) -> BoardSpec {
        let mut sizes = self.sizes();
        sizes[at] = size;
        let shape = match self.shape {
            Shape::Grid { .. } => {
                let levels = sizes.get(2).copied().unwrap_or(1);
                Shape::Grid { cols: sizes[0], rows: sizes[1], levels }
            }
            Shape::Rhombus { .. } => Shape::Rhombus { cols: sizes[0], rows: sizes[1] },
            Shape::Lattice { .. } => Shape::Lattice { cols: sizes[0], rows: sizes[1] },
            Shape::Hexagon { .. } => Shape::Hexagon { side: sizes[0] },
            Shape::Rings { .. } => Shape::Rings { rings: sizes[0] },
            Shape::Pits { .. } => Shape::Pits { pits: sizes[0] },
            Shape::Graph => Shape::Graph,
        };
        BoardSpec { shape, ..self.clone() }
    }

    /// Section `board` of a text.
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
            Diagonals::All => self.options.draws_diagonals.then_some("all"),
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
        let drawn = self.options.drawn.map(|drawn| match drawn {
            Drawn::Cells => "cells",
            Drawn::Points => "points",
        });
        rest.extend(drawn.map(|word| list("drawn", [named(word)])));
        if !self.holes.is_empty() {
            rest.push(list("holes", names(&self.holes)));
        }
        rest.extend(self.lines.iter().map(|line| list("line", names(line))));
        let line = |line: &Vec<String>| list("line", names(line));
        rest.extend(self.tracks.iter().map(|track| list("track", track.iter().map(line))));
        for (word, spots) in [("at", &self.given), ("dots", &self.dots)] {
            if !spots.is_empty() {
                let spot = |(name, [x, y]): &NamedSpot| [named(name), int(*x), int(*y)];
                rest.push(list(word, spots.iter().flat_map(spot)));
            }
        }
        list("board", [list(name, rest)])
    }
}
