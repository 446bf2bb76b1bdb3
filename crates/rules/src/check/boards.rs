//! Checks of the section `board`.

use super::Checker;
use crate::board::{
    Board, BuildError, Diagonals, Drawn, GridOptions, NamedSpot, Shape, TrackLines, Wrap,
    build_graph, build_shape,
};
use crate::error::{Mistake, Place};
use crate::explain::in_number;
use crate::reader::{Is, Node};

/// Greatest coordinate of a site in a picture.
const COORDINATE_MAX: i32 = 1000;

impl Checker<'_> {
    pub(super) fn board(&mut self, section: &Node) -> Option<Board> {
        let node = self.one(section, "board", "(board (grid 8 8))")?;
        let shapes = ["grid", "rhombus", "hexagon", "rings", "lattice", "pits", "graph"];
        let head = node.head().unwrap_or_default();
        if !shapes.contains(&head) || matches!(node.is, Is::Word(_)) {
            let mistake = Mistake::new(node.head_place(), format!("unknown board `{}`", node.text()))
                .near(head, shapes)
                .hint("boards are (grid 8 8), (rhombus 11 11), (hexagon 5), (rings 3), (lattice 4 4), (pits 6) and (graph ..)");
            return self.fail(mistake);
        }
        let mut sizes = Vec::new();
        let mut options = Vec::new();
        for part in node.rest() {
            match part.is {
                Is::List(_) => options.push(part),
                _ => sizes.push(self.int(part)?),
            }
        }
        let wanted = match head {
            "grid" => 2..=3,
            "rhombus" | "lattice" => 2..=2,
            "graph" => 0..=0,
            _ => 1..=1,
        };
        if !wanted.contains(&sizes.len()) {
            let message = format!("`{head}` has {}", in_number(sizes.len() as i64, "number"));
            let hint = match head {
                "grid" => "columns and rows, as in (grid 7 6), and perhaps levels",
                "rhombus" | "lattice" => "columns and rows, as in (lattice 4 4)",
                "graph" => "it has lines, as in (graph (line a b c))",
                "hexagon" => "the cells of a side, as in (hexagon 5)",
                "rings" => "how many rings, as in (rings 3)",
                _ => "the pits of one player, as in (pits 6)",
            };
            return self.fail(Mistake::new(node.head_place(), message).hint(hint));
        }
        let place = node.head_place();
        if head == "graph" {
            return self.graph(node, &options);
        }
        let shape = match head {
            "grid" => Shape::Grid {
                cols: sizes[0],
                rows: sizes[1],
                levels: sizes.get(2).copied().unwrap_or(1),
            },
            "rhombus" => Shape::Rhombus { cols: sizes[0], rows: sizes[1] },
            "hexagon" => Shape::Hexagon { side: sizes[0] },
            "rings" => Shape::Rings { rings: sizes[0] },
            "lattice" => Shape::Lattice { cols: sizes[0], rows: sizes[1] },
            _ => Shape::Pits { pits: sizes[0] },
        };
        // The board is first built without holes, so that the names of its sites are known.
        let plain = self.built(place, build_shape(shape, GridOptions::default(), &[]))?;
        self.each_once(&options, &["diagonals", "wrap", "holes", "drawn"]);
        let mut grid = GridOptions::default();
        let mut holes = Vec::new();
        let mut tracks = Vec::new();
        for option in options {
            if head != "grid" {
                let message = format!("`{head}` takes no `{}`", option.head().unwrap_or("("));
                let hint = match option.head() {
                    Some("track") => "a grid and a drawn board do",
                    _ => "a grid does",
                };
                return self.fail(Mistake::new(option.place, message).hint(hint));
            }
            let word = option.rest().first().and_then(Node::head).unwrap_or_default();
            match option.head() {
                Some("diagonals") => match Diagonals::of(word) {
                    Some(diagonals) => {
                        grid.diagonals = diagonals;
                        grid.draws_diagonals = diagonals == Diagonals::All;
                    }
                    None => {
                        return self.fail(Mistake::new(
                            option.place,
                            "diagonals are all, alternate or none",
                        ));
                    }
                },
                Some("wrap") => {
                    grid.wrap = match word {
                        "columns" => Wrap { columns: true, rows: false },
                        "rows" => Wrap { columns: false, rows: true },
                        "both" => Wrap { columns: true, rows: true },
                        _ => {
                            return self.fail(Mistake::new(
                                option.place,
                                "what wraps is columns, rows or both",
                            ));
                        }
                    }
                }
                Some("drawn") => match word {
                    "cells" => grid.drawn = Some(Drawn::Cells),
                    "points" => grid.drawn = Some(Drawn::Points),
                    _ => {
                        let mistake =
                            Mistake::new(option.place, "a grid is drawn as cells or points");
                        return self.fail(mistake.hint("for example (drawn points)"));
                    }
                },
                Some("holes") => {
                    self.board = plain.clone();
                    self.board_unknown = false;
                    for node in option.rest() {
                        holes.push(self.site(node)?);
                    }
                    self.board_unknown = true;
                }
                Some("track") => tracks.push(option),
                _ => {
                    let written = option.head().unwrap_or_default();
                    let mistake =
                        Mistake::new(option.head_place(), format!("a grid takes no `{written}`"))
                            .near(written, ["diagonals", "wrap", "holes", "drawn", "track"])
                            .hint("it takes diagonals, wrap, holes, drawn and track");
                    return self.fail(mistake);
                }
            }
        }
        let board = self.built(place, build_shape(shape, grid, &holes))?;
        if board.sites().next().is_none() {
            return self.fail(Mistake::new(place, "the board has no sites"));
        }
        let Some(first) = tracks.first() else { return Some(board) };
        // Sites of tracks are those of the finished board.
        self.board = board;
        self.board_unknown = false;
        let lines: Vec<_> = tracks.iter().map(|track| self.track(track)).collect();
        let names = tracks.iter().flat_map(|track| track.rest()).flat_map(Node::rest);
        let sites: Vec<_> = names.map(|name| self.site(name)).collect();
        self.board_unknown = true;
        sites.into_iter().collect::<Option<Vec<_>>>()?;
        let lines = lines.into_iter().collect::<Option<Vec<TrackLines>>>()?;
        let board = std::mem::replace(&mut self.board, plain);
        self.built(first.head_place(), board.with_tracks(&lines))
    }

    fn built(&mut self, place: Place, board: Result<Board, BuildError>) -> Option<Board> {
        board.map_err(|BuildError(message)| self.mistake(Mistake::new(place, message))).ok()
    }

    /// Lines of a track.
    fn track(&mut self, node: &Node) -> Option<TrackLines> {
        let example = "for example (track (line a1 b1 c1) (line c2 b2 a2))";
        let lines = node.rest();
        if matches!(node.is, Is::Word(_)) || lines.is_empty() {
            let message = "a track has one line or more, joined by bends";
            return self.fail(Mistake::new(node.place, message).hint(example));
        }
        let lines: Vec<_> = lines.iter().map(|line| self.line(line, example)).collect();
        let lines = lines.into_iter().collect::<Option<TrackLines>>()?;
        if let [line] = &lines[..]
            && line.len() < 3
        {
            let message = "the only line of a track is closed, so it has three sites or more";
            return self.fail(Mistake::new(node.place, message).hint("for example (line a b c d)"));
        }
        Some(lines)
    }

    /// Names of the sites of a line.
    fn line(&mut self, line: &Node, example: &str) -> Option<Vec<String>> {
        if line.head() != Some("line") || line.rest().len() < 2 {
            let message = "a line has two sites or more, as in (line a b)";
            return self.fail(Mistake::new(line.place, message).hint(example));
        }
        let names: Vec<String> = line.rest().iter().map(Node::text).collect();
        for (n, name) in names.iter().enumerate() {
            let place = line.rest()[n].place;
            if !name.chars().all(|c| c.is_ascii_alphanumeric()) {
                return self.fail(
                    Mistake::new(place, format!("`{name}` cannot name a site"))
                        .hint("names are small letters and digits"),
                );
            }
            if names[..n].contains(name) {
                let message = format!("the line comes to `{name}` a second time");
                let hint = "a track may come to a site again in another of its lines";
                return self.fail(Mistake::new(place, message).hint(hint));
            }
        }
        Some(names)
    }

    fn graph(&mut self, node: &Node, options: &[&Node]) -> Option<Board> {
        let mut lines: Vec<Vec<String>> = Vec::new();
        let mut tracks: Vec<TrackLines> = Vec::new();
        let (spots, options): (Vec<&Node>, Vec<&Node>) = options
            .iter()
            .copied()
            .partition(|option| matches!(option.head(), Some("at" | "dots")));
        for option in options {
            match option.head() {
                Some("track") => tracks.push(self.track(option)?),
                Some("line") if option.rest().len() >= 2 => {
                    lines.push(self.line(option, "for example (graph (line a b c) (line a d))")?);
                }
                _ => {
                    let message = "a drawn board has lines of two sites or more, and tracks";
                    let hint = "for example (graph (line a b c) (line a d))";
                    return self.fail(Mistake::new(option.place, message).hint(hint));
                }
            }
        }
        if lines.is_empty() && tracks.is_empty() {
            return self.fail(
                Mistake::new(node.place, "the board has no lines")
                    .hint("for example (graph (line a b c) (line a d))"),
            );
        }
        let (mut given, mut dots) = (Vec::new(), Vec::new());
        for option in spots {
            let is_dots = option.head() == Some("dots");
            let (into, other) = if is_dots { (&mut dots, &given) } else { (&mut given, &dots) };
            if !other.is_empty() {
                let mistake = Mistake::new(option.place, "a board has `at` or `dots`, not both");
                return self
                    .fail(mistake.hint("with dots, every site is the line between two of them"));
            }
            let all: Vec<Vec<String>> =
                lines.iter().chain(tracks.iter().flatten()).cloned().collect();
            let sites = (!is_dots).then_some(&all[..]);
            self.spots(option, sites, into)?;
        }
        self.built(node.head_place(), build_graph(&lines, &tracks, &given, &dots))
    }

    /// Reads coordinates for pictures: a name, a column and a row for each site of `lines`, or for each
    /// dot if that is `None`.
    fn spots(
        &mut self,
        option: &Node,
        lines: Option<&[Vec<String>]>,
        given: &mut Vec<NamedSpot>,
    ) -> Option<()> {
        let (message, example) = match lines {
            Some(_) => (
                "`at` has a site, its column and its row, for each site",
                "for example (at a 0 0 b 1 0)",
            ),
            None => (
                "`dots` has a name, a column and a row, for each dot",
                "for example (dots a 0 0 b 1 0)",
            ),
        };
        let parts = option.rest();
        if parts.is_empty() || !parts.len().is_multiple_of(3) {
            return self.fail(Mistake::new(option.place, message).hint(example));
        }
        for part in parts.chunks(3) {
            let name = part[0].text();
            if let Some(lines) = lines {
                let names = || lines.iter().flatten().map(String::as_str);
                if !names().any(|known| known == name) {
                    let message = format!("no line has the site `{name}`");
                    let mistake = Mistake::new(part[0].place, message);
                    return self.fail(mistake.near(&name, names()).hint(example));
                }
            } else if !name.chars().all(|c| c.is_ascii_alphanumeric()) {
                return self.fail(
                    Mistake::new(part[0].place, format!("`{name}` cannot name a dot"))
                        .hint("names are small letters and digits"),
                );
            }
            let mut spot = [0; 2];
            for (axis, node) in spot.iter_mut().zip(&part[1..]) {
                *axis = self.int(node)?;
                if axis.abs() > COORDINATE_MAX {
                    let message = format!("a coordinate is at most {COORDINATE_MAX} from 0");
                    return self.fail(Mistake::new(node.place, message));
                }
            }
            let taken = given.iter().find(|(known, at)| *known == name || *at == spot);
            if let Some((known, _)) = taken {
                let message = match *known == name {
                    true => format!("`{name}` has two places"),
                    false => format!("`{known}` and `{name}` have one place"),
                };
                return self.fail(Mistake::new(part[0].place, message));
            }
            given.push((name, spot));
        }
        Some(())
    }
}
