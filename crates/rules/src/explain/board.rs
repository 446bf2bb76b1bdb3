//! Sentences about the board.

use super::nouns::{capital, counted, list, number, plural, sentence};
use super::{Paragraph, Speaker, plain};
use crate::board::{Board, Shape, Site, Track};

impl Speaker<'_> {
    pub(super) fn board(&self) -> Vec<Paragraph> {
        let board = &self.program.board;
        let mut text = vec![sentence(&shape(board))];
        if let Shape::Grid { levels: 1, .. } = board.shape {
            text.extend(diagonals(board, self.site()));
        }
        text.extend(lines(board).map(|lines| sentence(&lines)));
        if let Shape::Rings { .. } = board.shape {
            text.push(
                "The points of a ring are joined, and the middles of its sides with those of the next ring."
                    .to_owned(),
            );
        }
        let joined = match (board.wrap.columns, board.wrap.rows) {
            (false, false) => None,
            (true, false) => Some("The left and the right edge are joined, so that rows go round."),
            (false, true) => {
                Some("The upper and the lower edge are joined, so that columns go round.")
            }
            (true, true) => Some(
                "Opposite edges are joined, so that rows and columns go round: the board has no edge.",
            ),
        };
        text.extend(joined.map(str::to_owned));
        text.extend(board.tracks.iter().map(|track| sentence(&course(board, track))));
        let holes: Vec<String> = match board.shape {
            Shape::Grid { .. } => (0..board.len())
                .filter(|&site| !board.on[site])
                .map(|site| board.names[site].clone())
                .collect(),
            _ => Vec::new(),
        };
        if !holes.is_empty() {
            let site = self.site();
            text.push(match &holes[..] {
                [hole] => format!("The {site} {hole} is not part of the board."),
                holes => {
                    format!(
                        "The {} {} are not part of the board.",
                        plural(site),
                        list(holes, "and")
                    )
                }
            });
        }
        vec![plain(text.join(" "))]
    }
}

/// Course of a track: its lines and bends.
fn course(board: &Board, track: &Track) -> String {
    let name = |site: &Site| board.names[usize::from(*site)].clone();
    let line = |sites: &[Site]| {
        let [first, .., last] = sites else { return sites.iter().map(name).collect() };
        // A straight line is determined by its ends.
        let is_straight = board.shape != Shape::Graph
            && board.directions.iter().any(|direction| {
                let next = &direction.line;
                sites.windows(2).all(|pair| next[usize::from(pair[0])] == Some(pair[1]))
            });
        match is_straight && !board.wrap.columns && !board.wrap.rows {
            true => format!("from {} to {}", name(first), name(last)),
            false => {
                format!("through {}", list(&sites.iter().map(name).collect::<Vec<_>>(), "and"))
            }
        }
    };
    let lines: Vec<String> = track.lines().into_iter().map(line).collect();
    match &lines[..] {
        [only] if board.shape == Shape::Graph => {
            format!("a closed line leads {only} and back to the beginning")
        }
        [only] => {
            format!("a closed track leads {only}, and its only bend leads back to the beginning")
        }
        lines => format!(
            "a closed track leads {}, with a bend after each of these lines; the last bend leads back to the beginning",
            lines.join(", then ")
        ),
    }
}

fn shape(board: &Board) -> String {
    let n = i64::from;
    match board.shape {
        Shape::Grid { cols, rows, levels: 1 } => {
            format!(
                "the board is a grid of {} and {}",
                counted(n(cols), "column"),
                counted(n(rows), "row")
            )
        }
        Shape::Grid { cols, rows, levels } => format!(
            "the board has {} above each other, each with {} and {}",
            counted(n(levels), "level"),
            counted(n(cols), "column"),
            counted(n(rows), "row")
        ),
        Shape::Rhombus { cols, rows } => format!(
            "the board is a rhombus of hexagonal cells, with {} and {}",
            counted(n(cols), "column"),
            counted(n(rows), "row")
        ),
        Shape::Hexagon { side } => {
            format!("the board is a hexagon of hexagonal cells, {} on a side", number(n(side)))
        }
        Shape::Rings { rings } => format!(
            "the board has {} within each other, each of eight points",
            counted(n(rings), "square ring")
        ),
        Shape::Lattice { cols, rows } => format!(
            "the board is a lattice of {} by {} boxes; pieces stand on the edges of boxes",
            number(n(cols)),
            number(n(rows))
        ),
        Shape::Pits { pits } => {
            format!("each player has a row of {} and a store", counted(n(pits), "pit"))
        }
        Shape::Graph if board.has_dots() => {
            let sites = board.sites().count() as i64;
            let dots = counted(board.dots.len() as i64, "dot");
            format!("the board has {} between {dots}", counted(sites, "edge"))
        }
        Shape::Graph => {
            let sites = board.sites().count() as i64;
            format!("the board is drawn: {} joined by lines", counted(sites, "point"))
        }
    }
}

/// Sentence about the lines of a drawn board; `None` if the board is not drawn or only its tracks are.
fn lines(board: &Board) -> Option<String> {
    let name = |&site: &Site| board.names[usize::from(site)].clone();
    let line = |line: &Vec<Site>| line.iter().map(name).collect::<Vec<_>>().join("-");
    let lines: Vec<String> = board.lines_of_text().iter().map(line).collect();
    match &lines[..] {
        [] => None,
        [only] => Some(format!("the line is {only}")),
        lines => Some(format!("the lines are {}", list(lines, "and"))),
    }
}

/// Sentence about the diagonal neighbours of a flat grid; `None` if nothing need be said. `site` is the
/// noun for its sites.
fn diagonals(board: &Board, site: &str) -> Option<String> {
    let diagonal = |d: &&crate::board::Direction| d.step.iter().filter(|&&s| s != 0).count() > 1;
    let links = |site: u16| {
        let drawn = |d: &crate::board::Direction| d.next[site as usize].is_some();
        board.directions.iter().filter(diagonal).any(drawn)
    };
    let lines = |site: u16| {
        let geometric = |d: &crate::board::Direction| d.line[site as usize].is_some();
        board.directions.iter().filter(diagonal).any(geometric)
    };
    let wanted: Vec<u16> = board.sites().filter(|&site| lines(site)).collect();
    let linked = wanted.iter().filter(|&&site| links(site)).count();
    let sites = capital(&plural(site));
    match linked {
        _ if wanted.is_empty() => None,
        0 => Some(format!("{sites} are neighbours along rows and columns only.")),
        n if n < wanted.len() => Some(format!(
            "{sites} are neighbours along rows and columns and, at every other {site}, a1 among them, along \
             diagonals."
        )),
        _ if board.has_points() => {
            Some(format!("{sites} are neighbours along rows, columns and diagonals."))
        }
        _ => Some(format!("{sites} that touch at a corner are neighbours too.")),
    }
}
