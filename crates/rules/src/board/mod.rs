//! Boards: sites with names and coordinates, and directions that lead from site to site.

mod drawing;
mod regions;
mod shapes;
mod tracks;

use std::collections::BTreeSet;
use std::sync::OnceLock;

pub(crate) use drawing::{Drawing, Given, Spot};
pub(crate) use regions::Region;
pub(crate) use shapes::{
    BuildError, Diagonals, Drawn, GridOptions, NamedSpot, TrackLines, Wrap, build_graph,
    build_shape,
};
pub(crate) use tracks::{TRACK_PLACES_MAX, Track};

/// Index of a site, from 0.
pub(crate) type Site = u16;

/// Largest number of site indices of a board, unused ones included.
pub(crate) const SITES_MAX: usize = 512;

/// Shape of a board with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Grid { cols: i32, rows: i32, levels: i32 },
    Rhombus { cols: i32, rows: i32 },
    Hexagon { side: i32 },
    Rings { rings: i32 },
    Lattice { cols: i32, rows: i32 },
    Pits { pits: i32 },
    Graph,
}

impl Shape {
    /// Name of the shape in messages, with its article.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shape::Grid { levels: 1, .. } => "a grid",
            Shape::Grid { .. } => "a cube",
            Shape::Rhombus { .. } => "a rhombus",
            Shape::Hexagon { .. } => "a hexagon",
            Shape::Rings { .. } => "a board of rings",
            Shape::Lattice { .. } => "a lattice",
            Shape::Pits { .. } => "a board of pits",
            Shape::Graph => "a drawn board",
        }
    }

    pub(crate) fn is_hex(self) -> bool {
        matches!(self, Shape::Rhombus { .. } | Shape::Hexagon { .. })
    }
}

/// Direction: the map from every site to the next one.
#[derive(Clone, Debug)]
pub(crate) struct Direction {
    /// Word of the language for the direction; empty if it has none.
    pub(crate) name: &'static str,
    /// Change of the coordinates per step.
    pub(crate) step: [i32; 3],
    /// Index of the opposite direction.
    pub(crate) back: usize,
    /// Next site along a drawn link, by site; `None` if no link leads on. Pieces move along links.
    pub(crate) next: Vec<Option<Site>>,
    /// Next site along a straight line, drawn or not, by site. Lines of stones follow it.
    pub(crate) line: Vec<Option<Site>>,
}

/// Board: its sites with names and coordinates, and the directions between them.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) shape: Shape,
    /// Whether an index is a site. Some boards leave indices out, so that a step changes the index
    /// by the same difference everywhere.
    pub(crate) on: Vec<bool>,
    pub(crate) names: Vec<String>,
    /// Coordinates of each site: column, row and level. Sites of drawn boards are only numbered.
    pub(crate) at: Vec<[i32; 3]>,
    /// Sites by row in the order of text: the last row first, each row from left to right.
    pub(crate) rows: Vec<Vec<Site>>,
    pub(crate) directions: Vec<Direction>,
    pub(crate) wrap: Wrap,
    /// Look of a grid, if the text says it.
    pub(crate) drawn: Option<Drawn>,
    /// Whether the text says that all diagonals are drawn.
    pub(crate) draws_diagonals: bool,
    /// Coordinates that a text gives to the sites of a drawn board, for pictures; empty for other
    /// shapes.
    pub(crate) given: Vec<Given>,
    /// Dots of a drawn board between which its sites are lines, for pictures; empty if pieces stand on
    /// points.
    pub(crate) dots: Vec<NamedSpot>,
    /// Dots that each site joins; empty without dots.
    pub(crate) ends: Vec<[usize; 2]>,
    /// Closed tracks along which pieces ride.
    pub(crate) tracks: Vec<Track>,
    /// Places of a drawn board in pictures, found when they are first needed.
    drawing: OnceLock<Drawing>,
}

impl Board {
    /// Places of the sites of a drawn board in pictures, and of its dots.
    pub(crate) fn drawing(&self) -> &Drawing {
        self.drawing.get_or_init(|| {
            if self.ends.is_empty() {
                let spots = drawing::spots(&self.drawn_lines(), &self.given);
                return Drawing { spots, dots: Vec::new() };
            }
            let dots: Vec<Spot> = self.dots.iter().map(|(_, at)| at.map(f64::from)).collect();
            drawing::between_dots(dots, &self.ends)
        })
    }

    /// Bends that are drawn beside the links: the site before each, its neighbour on that side, the site
    /// behind it, and its neighbour, each bend once. The bend of a closed line of a drawn board is a link.
    pub(crate) fn drawn_bends(&self) -> Vec<[Site; 4]> {
        let is_link = |track: &&Track| self.shape == Shape::Graph && track.bend_count() == 1;
        let of = |track: &Track| {
            let lines = track.lines();
            let bend = |n: usize| {
                let (line, next) = (lines[n], lines[(n + 1) % lines.len()]);
                [line[line.len() - 1], line[line.len() - 2], next[0], next[1]]
            };
            (0..lines.len()).map(bend).collect::<Vec<_>>()
        };
        let mut seen = BTreeSet::new();
        let all = self.tracks.iter().filter(|track| !is_link(track)).flat_map(of);
        let is_new = |&[from, before, to, behind]: &[Site; 4]| {
            seen.insert([from, before, to, behind].min([to, behind, from, before]))
        };
        all.filter(is_new).collect()
    }

    /// Tests whether the sites are lines between dots.
    pub(crate) fn has_dots(&self) -> bool {
        !self.dots.is_empty()
    }

    /// Lines of a drawn board, in the order of the text. A closed line has one for each of its links, so
    /// that it is drawn round.
    fn drawn_lines(&self) -> Vec<Vec<Site>> {
        let along = |direction: &Direction| {
            let next = &direction.next;
            let has_before = |site: &Site| next.contains(&Some(*site));
            let first =
                self.sites().find(|site| next[*site as usize].is_some() && !has_before(site));
            if first.is_none() {
                let link = |site: Site| Some(vec![site, next[site as usize]?]);
                return self.sites().filter_map(link).collect();
            }
            vec![std::iter::successors(first, |&site| next[site as usize]).collect()]
        };
        // The directions of a line follow each other, one for each way.
        self.directions.iter().step_by(2).flat_map(along).collect()
    }

    /// Lines that the text of a drawn board gives beside its tracks, in its order, each from the first
    /// site to the last; empty for other shapes.
    pub(crate) fn lines_of_text(&self) -> Vec<Vec<Site>> {
        if self.shape != Shape::Graph {
            return Vec::new();
        }
        let of_tracks: usize = self.tracks.iter().map(|track| track.bend_count() as usize).sum();
        let count = self.directions.len() / 2 - of_tracks;
        let along = |direction: &Direction| {
            let next = &direction.next;
            let first =
                |site: &Site| next[*site as usize].is_some() && !next.contains(&Some(*site));
            let first = self.sites().find(first);
            std::iter::successors(first, |&site| next[site as usize]).collect()
        };
        self.directions.iter().step_by(2).take(count).map(along).collect()
    }

    /// Sites that a piece may come to by riding from a site past at least this many bends, whatever
    /// stands on the board; each once.
    pub(crate) fn ridden(&self, from: Site, bends: u32) -> Vec<Site> {
        let rides = self.tracks.iter().flat_map(|track| track.rides(from));
        let far = rides.flatten().filter(|&(_, passed)| passed >= bends);
        let mut sites: Vec<Site> = far.map(|(site, _)| site).collect();
        sites.sort_unstable();
        sites.dedup();
        sites
    }

    /// Number of site indices, unused ones included.
    pub(crate) fn len(&self) -> usize {
        self.on.len()
    }

    /// All sites.
    pub(crate) fn sites(&self) -> impl Iterator<Item = Site> + '_ {
        (0..self.len() as Site).filter(|&site| self.on[site as usize])
    }

    /// Site with this name; `None` if the board lacks it.
    pub(crate) fn site(&self, name: &str) -> Option<Site> {
        self.sites().find(|&site| self.names[site as usize] == name)
    }

    /// Site at these coordinates; `None` if the board has no site there.
    pub(crate) fn site_at(&self, at: [i32; 3]) -> Option<Site> {
        let Some((cols, rows)) = self.extent() else {
            return self.sites().find(|&site| self.at[site as usize] == at);
        };
        // Boards with an extent number their sites level by level and row by row.
        let [x, y, z] = at;
        if !(0..cols).contains(&x) || !(0..rows).contains(&y) || z < 0 {
            return None;
        }
        let number = ((z * rows + y) * cols + x) as usize;
        (number < self.len() && self.on[number]).then_some(number as Site)
    }

    /// Tests whether the board is a grid of one level.
    pub(crate) fn is_flat(&self) -> bool {
        matches!(self.shape, Shape::Grid { levels: 1, .. })
    }

    /// Tests whether the board is a grid in which some diagonals are links, but not all.
    pub(crate) fn has_alternate_diagonals(&self) -> bool {
        let is_partial = |d: &Direction| d.next != d.line && d.next.iter().any(Option::is_some);
        matches!(self.shape, Shape::Grid { .. }) && self.directions.iter().any(is_partial)
    }

    /// Tests whether pictures show sites as points on lines.
    pub(crate) fn has_points(&self) -> bool {
        match (self.shape, self.drawn) {
            (Shape::Graph, _) => !self.has_dots(),
            (Shape::Rings { .. }, _) | (_, Some(Drawn::Points)) => true,
            (_, Some(Drawn::Cells)) => false,
            _ => self.has_alternate_diagonals() || !self.tracks.is_empty(),
        }
    }

    /// Noun for the sites.
    pub(crate) fn site_noun(&self) -> &'static str {
        match self.shape {
            Shape::Grid { .. } if self.has_points() => "point",
            Shape::Grid { .. } | Shape::Rhombus { .. } | Shape::Hexagon { .. } => "cell",
            Shape::Graph if self.has_dots() => "edge",
            Shape::Rings { .. } | Shape::Graph => "point",
            Shape::Lattice { .. } => "edge",
            Shape::Pits { .. } => "pit",
        }
    }

    /// Test of whether pictures show the link between two neighbours of a board of points. Where all
    /// diagonals are links, only rows and columns are drawn, unless the text names the diagonals.
    pub(crate) fn shown_links(&self) -> impl Fn(Site, Site) -> bool + '_ {
        let has_diagonals = self.draws_diagonals || self.has_alternate_diagonals();
        move |from, to| {
            let [a, b] = [from, to].map(|site| self.at[site as usize]);
            let is_straight = (0..3).filter(|&axis| a[axis] != b[axis]).count() == 1;
            let is_near = (0..3).all(|axis| a[axis].abs_diff(b[axis]) <= 1);
            !matches!(self.shape, Shape::Grid { .. }) || is_near && (is_straight || has_diagonals)
        }
    }

    /// Tests whether pieces can fall: the board is a grid with a lowest row.
    pub(crate) fn falls(&self) -> bool {
        matches!(self.shape, Shape::Grid { .. }) && !self.wrap.rows
    }

    /// Mirror image of a site in the long diagonal, which exchanges column and row.
    pub(crate) fn mirrored(&self, site: Site) -> Option<Site> {
        let [x, y, z] = self.at[site as usize];
        self.site_at([y, x, z])
    }

    /// Tests whether every site has a mirror image in the long diagonal. Holes may prevent it.
    pub(crate) fn has_mirror(&self) -> bool {
        let square = match self.shape {
            Shape::Grid { cols, rows, .. } | Shape::Rhombus { cols, rows } => cols == rows,
            Shape::Hexagon { .. } | Shape::Rings { .. } => true,
            _ => false,
        };
        square && self.sites().all(|site| self.mirrored(site).is_some())
    }

    pub(crate) fn is_pits(&self) -> bool {
        matches!(self.shape, Shape::Pits { .. })
    }

    /// Number of pits of one player; 0 on boards without pits.
    pub(crate) fn pits(&self) -> usize {
        match self.shape {
            Shape::Pits { pits } => pits as usize,
            _ => 0,
        }
    }

    /// Directions of a word, for each player. `None` if this board has no directions of that name.
    pub(crate) fn directions(&self, word: &str) -> Option<[Vec<u8>; 2]> {
        let grid = matches!(self.shape, Shape::Grid { .. });
        let choose = |wanted: &dyn Fn(&Direction) -> bool| -> Vec<u8> {
            let all = self.directions.iter().enumerate();
            all.filter(|(_, d)| wanted(d)).map(|(n, _)| n as u8).collect()
        };
        let named = |names: &[&str]| choose(&|d| !d.name.is_empty() && names.contains(&d.name));
        let nonzero = |d: &Direction| d.step.iter().filter(|&&s| s != 0).count();
        let hex = self.shape.is_hex();
        let both = |dirs: Vec<u8>| [dirs.clone(), dirs];
        let found = match word {
            "all" => both(choose(&|_| true)),
            "orthogonal" if !hex => both(choose(&|d| nonzero(d) == 1)),
            "diagonal" if grid => both(choose(&|d| nonzero(d) > 1)),
            "forward" if hex => [named(&["ne", "nw"]), named(&["se", "sw"])],
            "backward" if hex => [named(&["se", "sw"]), named(&["ne", "nw"])],
            "forward" => [named(&["n"]), named(&["s"])],
            "backward" => [named(&["s"]), named(&["n"])],
            "sideways" => both(named(&["e", "w"])),
            "forward-diagonal" if grid => [named(&["ne", "nw"]), named(&["se", "sw"])],
            "backward-diagonal" if grid => [named(&["se", "sw"]), named(&["ne", "nw"])],
            "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | "nw" => both(named(&[word])),
            _ => return None,
        };
        (!found[0].is_empty()).then_some(found)
    }

    /// Neighbours of a site along drawn links, each once, in ascending order.
    pub(crate) fn neighbours(&self, site: Site) -> Vec<Site> {
        let mut found: Vec<Site> =
            self.directions.iter().filter_map(|d| d.next[site as usize]).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Site below, in the direction in which pieces fall.
    pub(crate) fn below(&self, site: Site) -> Option<Site> {
        let down = match self.shape {
            Shape::Grid { levels: 1, .. } => [0, -1, 0],
            _ => [0, 0, -1],
        };
        let direction = self.directions.iter().find(|d| d.step == down)?;
        direction.line[site as usize]
    }
}
