//! Construction of boards from their shapes.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Board, Direction, SITES_MAX, Shape, Site, TRACK_PLACES_MAX, Track};

/// Opposite edges of a grid that are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wrap {
    pub(crate) columns: bool,
    pub(crate) rows: bool,
}

/// Diagonals of a grid that are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Diagonals {
    #[default]
    All,
    Alternate,
    None,
}

/// Options of a grid beyond its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct GridOptions {
    pub(crate) diagonals: Diagonals,
    /// Whether the text says that all diagonals are drawn.
    pub(crate) draws_diagonals: bool,
    pub(crate) wrap: Wrap,
    pub(crate) drawn: Option<Drawn>,
}

/// Look of a grid in pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drawn {
    /// Pieces stand on cells.
    Cells,
    /// Pieces stand on the points of lines.
    Points,
}

/// Reason why a board cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BuildError(pub(crate) String);

/// Directions of the compass in pairs: each pair ends with the opposite of its first direction.
const COMPASS: [(&str, [i32; 3]); 8] = [
    ("n", [0, 1, 0]),
    ("s", [0, -1, 0]),
    ("e", [1, 0, 0]),
    ("w", [-1, 0, 0]),
    ("ne", [1, 1, 0]),
    ("sw", [-1, -1, 0]),
    ("nw", [-1, 1, 0]),
    ("se", [1, -1, 0]),
];

/// Directions of hexagonal boards, paired in the same way. Rows lean to the right, so `ne` leads
/// straight up a column.
const HEX: [(&str, [i32; 3]); 6] = [
    ("e", [1, 0, 0]),
    ("w", [-1, 0, 0]),
    ("ne", [0, 1, 0]),
    ("sw", [0, -1, 0]),
    ("nw", [-1, 1, 0]),
    ("se", [1, -1, 0]),
];

impl Diagonals {
    pub(crate) fn of(word: &str) -> Option<Diagonals> {
        Some(match word {
            "all" => Diagonals::All,
            "alternate" => Diagonals::Alternate,
            "none" => Diagonals::None,
            _ => return None,
        })
    }

    /// Tests whether diagonals are drawn at a site.
    fn at(self, at: [i32; 3]) -> bool {
        match self {
            Diagonals::All => true,
            Diagonals::Alternate => (at[0] + at[1] + at[2]) % 2 == 0,
            Diagonals::None => false,
        }
    }
}

/// Letter of a column, counted from 0.
fn letter(col: i32) -> char {
    char::from(b'a' + col as u8)
}

fn within(what: &str, found: i32, least: i32, most: i32) -> Result<(), BuildError> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(BuildError(format!("{found} {what} are not possible: {least} to {most} are")))
}

/// Builds the board of a shape. `options` and `holes` only apply to grids.
pub(crate) fn build_shape(
    shape: Shape,
    options: GridOptions,
    holes: &[Site],
) -> Result<Board, BuildError> {
    match shape {
        Shape::Grid { cols, rows, levels } => {
            within("columns", cols, 1, 26)?;
            within("rows", rows, 1, 26)?;
            within("levels", levels, 1, 8)?;
            if (cols * rows * levels) as usize > SITES_MAX {
                let sites = cols * rows * levels;
                return Err(BuildError(format!("{sites} sites are more than {SITES_MAX}")));
            }
            let wrap = options.wrap;
            let at = box_of(cols, rows, levels);
            let mut board = plain(shape, at, wrap);
            for &hole in holes {
                board.on[hole as usize] = false;
            }
            name_by_letters(&mut board);
            let mut steps = COMPASS.to_vec();
            if levels > 1 {
                steps.extend(steps_across_levels());
            }
            let fold = |at: [i32; 3]| {
                let turn = |x: i32, n: i32, joined: bool| if joined { x.rem_euclid(n) } else { x };
                [turn(at[0], cols, wrap.columns), turn(at[1], rows, wrap.rows), at[2]]
            };
            link(&mut board, &steps, fold, |at, step| {
                step.iter().filter(|&&s| s != 0).count() == 1 || options.diagonals.at(at)
            });
            finish(&mut board);
            board.drawn = options.drawn;
            board.draws_diagonals = options.draws_diagonals;
            Ok(board)
        }
        Shape::Rhombus { cols, rows } => {
            within("columns", cols, 1, 22)?;
            within("rows", rows, 1, 22)?;
            let mut board = plain(shape, box_of(cols, rows, 1), Wrap::default());
            name_by_letters(&mut board);
            link(&mut board, &HEX, |at| at, |_, _| true);
            finish(&mut board);
            Ok(board)
        }
        Shape::Hexagon { side } => {
            within("cells of a side", side, 2, 11)?;
            let width = 2 * side - 1;
            let mut board = plain(shape, box_of(width, width, 1), Wrap::default());
            for site in 0..board.len() {
                let [x, y, _] = board.at[site];
                let sum = x + y - 2 * (side - 1);
                board.on[site] = sum.abs() < side;
            }
            name_by_letters(&mut board);
            link(&mut board, &HEX, |at| at, |_, _| true);
            finish(&mut board);
            Ok(board)
        }
        Shape::Rings { rings } => {
            within("rings", rings, 1, 6)?;
            Ok(build_rings(rings))
        }
        Shape::Lattice { cols, rows } => {
            within("columns of boxes", cols, 1, 9)?;
            within("rows of boxes", rows, 1, 9)?;
            Ok(build_lattice(cols, rows))
        }
        Shape::Pits { pits } => {
            within("pits", pits, 1, 12)?;
            Ok(build_pits(pits))
        }
        Shape::Graph => unreachable!("a drawn board has its own function"),
    }
}

/// The 18 directions between levels: straight up and down, and diagonally.
fn steps_across_levels() -> Vec<(&'static str, [i32; 3])> {
    let mut steps = Vec::new();
    for x in -1..=1 {
        for y in -1..=1 {
            steps.push(("", [x, y, 1]));
            steps.push(("", [-x, -y, -1]));
        }
    }
    steps
}

/// Coordinates of all sites of a box, level by level and row by row.
fn box_of(cols: i32, rows: i32, levels: i32) -> Vec<[i32; 3]> {
    let rows = |z| (0..rows).flat_map(move |y| (0..cols).map(move |x| [x, y, z]));
    (0..levels).flat_map(rows).collect()
}

fn plain(shape: Shape, at: Vec<[i32; 3]>, wrap: Wrap) -> Board {
    let (on, names) = (vec![true; at.len()], vec![String::new(); at.len()]);
    Board {
        shape,
        on,
        names,
        at,
        rows: Vec::new(),
        directions: Vec::new(),
        wrap,
        drawn: None,
        draws_diagonals: false,
        given: Vec::new(),
        dots: Vec::new(),
        ends: Vec::new(),
        tracks: Vec::new(),
        drawing: OnceLock::new(),
    }
}

/// Names the sites as in `b3`, or `b3z2` if the board has levels.
fn name_by_letters(board: &mut Board) {
    let levels = board.at.iter().any(|at| at[2] > 0);
    for (name, &[x, y, z]) in board.names.iter_mut().zip(&board.at) {
        let level = if levels { format!("z{}", z + 1) } else { String::new() };
        *name = format!("{}{}{level}", letter(x), y + 1);
    }
}

/// Builds the directions. `fold` maps coordinates beyond an edge back to the board; `drawn` tells
/// whether a link is drawn.
fn link(
    board: &mut Board,
    steps: &[(&'static str, [i32; 3])],
    fold: impl Fn([i32; 3]) -> [i32; 3],
    drawn: impl Fn([i32; 3], [i32; 3]) -> bool,
) {
    let places: HashMap<[i32; 3], Site> =
        board.sites().map(|site| (board.at[site as usize], site)).collect();
    for (number, &(name, step)) in steps.iter().enumerate() {
        let to = |site: usize| {
            let at = board.at[site];
            let at = fold([at[0] + step[0], at[1] + step[1], at[2] + step[2]]);
            places.get(&at).copied().filter(|&to| usize::from(to) != site && board.on[site])
        };
        let line: Vec<Option<Site>> = (0..board.len()).map(to).collect();
        let next = line.iter().enumerate();
        let next = next.map(|(site, to)| to.filter(|_| drawn(board.at[site], step))).collect();
        board.directions.push(Direction { name, step, back: number ^ 1, next, line });
    }
}

/// Fills in the rows in the order of text.
fn finish(board: &mut Board) {
    let mut rows: HashMap<(i32, i32), Vec<Site>> = HashMap::new();
    for site in board.sites() {
        let [_, y, z] = board.at[site as usize];
        rows.entry((z, y)).or_default().push(site);
    }
    let mut keys: Vec<(i32, i32)> = rows.keys().copied().collect();
    keys.sort_unstable_by_key(|&(z, y)| (z, -y));
    for key in keys {
        let mut row = rows.remove(&key).expect("it is a key");
        row.sort_unstable_by_key(|&site| board.at[site as usize][0]);
        board.rows.push(row);
    }
}

/// Builds concentric rings of eight points each, joined along the sides and across the middles.
fn build_rings(rings: i32) -> Board {
    let width = 2 * rings + 1;
    let mut board = plain(Shape::Rings { rings }, box_of(width, width, 1), Wrap::default());
    for site in 0..board.len() {
        let [x, y, _] = board.at[site];
        let (x, y) = ((x - rings).abs(), (y - rings).abs());
        board.on[site] = (x, y) != (0, 0) && (x == y || x == 0 || y == 0);
    }
    name_by_letters(&mut board);
    for (number, &(name, step)) in COMPASS[..4].iter().enumerate() {
        let mut next = vec![None; board.len()];
        for site in board.sites() {
            let [x, y, _] = board.at[site as usize];
            // Offset from the centre of the board, across the direction and along it.
            let (across, along) =
                if step[0] == 0 { (x - rings, y - rings) } else { (y - rings, x - rings) };
            let sign = step[0] + step[1];
            let stride = if across == 0 {
                // On a spoke: one ring further, but never through the centre.
                if along + sign == 0 { continue } else { 1 }
            } else {
                // On a side of the ring at distance `across` from the centre.
                across.abs()
            };
            let to = [x + step[0] * stride, y + step[1] * stride, 0];
            let inside = (to[0] - rings).abs() <= across.abs().max(rings * i32::from(across == 0))
                && (to[1] - rings).abs() <= across.abs().max(rings * i32::from(across == 0));
            if inside {
                next[site as usize] = board.site_at(to);
            }
        }
        let line = next.clone();
        board.directions.push(Direction { name, step, back: number ^ 1, next, line });
    }
    finish(&mut board);
    board
}

/// Builds a lattice. Its sites are the lines between neighbouring dots.
fn build_lattice(cols: i32, rows: i32) -> Board {
    let mut at = Vec::new();
    let mut names = Vec::new();
    for y in 0..=2 * rows {
        for x in 0..=2 * cols {
            if (x + y) % 2 == 1 {
                at.push([x, y, 0]);
                let kind = if y % 2 == 0 { 'h' } else { 'v' };
                names.push(format!("{kind}{}{}", y / 2 + 1, x / 2 + 1));
            }
        }
    }
    let mut board = plain(Shape::Lattice { cols, rows }, at, Wrap::default());
    board.names = names;
    finish(&mut board);
    board
}

/// Builds pits counter-clockwise: those of the first player, those of the second, then the two
/// stores.
fn build_pits(pits: i32) -> Board {
    let mut at = Vec::new();
    let mut names = Vec::new();
    for player in 0..2 {
        for n in 0..pits {
            at.push([if player == 0 { n } else { pits - 1 - n }, player, 0]);
            names.push(format!("{}{}", letter(n), player + 1));
        }
    }
    for player in 0..2 {
        at.push([if player == 0 { pits } else { -1 }, player, 0]);
        names.push(format!("store{}", player + 1));
    }
    let mut board = plain(Shape::Pits { pits }, at, Wrap::default());
    board.names = names;
    board
}

/// Coordinates of a site or a dot of a drawn board in a text: its name, column and row.
pub(crate) type NamedSpot = (String, [i32; 2]);

/// Lines of a track, each a list of site names in order.
pub(crate) type TrackLines = Vec<Vec<String>>;

impl Board {
    /// Adds tracks, whose sites the board has.
    pub(crate) fn with_tracks(mut self, tracks: &[TrackLines]) -> Result<Board, BuildError> {
        let places = tracks.iter().flatten().map(Vec::len).sum::<usize>();
        if places > TRACK_PLACES_MAX {
            let message = format!("tracks with {places} places are more than {TRACK_PLACES_MAX}");
            return Err(BuildError(message));
        }
        for lines in tracks {
            let site = |name: &String| {
                let unknown = || BuildError(format!("the board has no site `{name}` of a track"));
                self.site(name).ok_or_else(unknown)
            };
            let line = |line: &Vec<String>| line.iter().map(site).collect::<Result<Vec<Site>, _>>();
            let lines = lines.iter().map(line).collect::<Result<Vec<_>, _>>()?;
            self.tracks.push(Track::new(&lines));
        }
        Ok(self)
    }
}

/// Builds a board from drawn lines, each a list of site names in order, and the lines of tracks, which
/// are lines of the board too. A direction is a line followed one way; the only line of a track is closed.
/// For pictures, `given` has coordinates of sites, and `dots` those of the dots
/// between which the sites are lines.
pub(crate) fn build_graph(
    lines: &[Vec<String>],
    tracks: &[TrackLines],
    given: &[NamedSpot],
    dots: &[NamedSpot],
) -> Result<Board, BuildError> {
    let of_track = |track: &'_ TrackLines| track.len() == 1;
    let of_tracks =
        tracks.iter().flat_map(|track| track.iter().map(move |line| (line, of_track(track))));
    let lines: Vec<(&Vec<String>, bool)> =
        lines.iter().map(|line| (line, false)).chain(of_tracks).collect();
    let mut names: Vec<String> = Vec::new();
    for name in lines.iter().flat_map(|(line, _)| *line) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    if names.len() > SITES_MAX {
        return Err(BuildError(format!("{} sites are more than {SITES_MAX}", names.len())));
    }
    if lines.len() > 100 {
        return Err(BuildError(format!("{} lines are more than 100", lines.len())));
    }
    let number = |name: &String| names.iter().position(|n| n == name).expect("it was listed");
    let at = (0..names.len() as i32).map(|number| [number, 0, 0]).collect();
    let mut board = plain(Shape::Graph, at, Wrap::default());
    for (line, is_closed) in lines {
        let mut sites: Vec<usize> = line.iter().map(number).collect();
        if is_closed {
            sites.push(sites[0]);
        }
        for way in 0..2 {
            let mut next = vec![None; names.len()];
            for pair in sites.windows(2) {
                let (from, to) = if way == 0 { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                next[from] = Some(to as Site);
            }
            let back = board.directions.len() ^ 1;
            let line = next.clone();
            board.directions.push(Direction { name: "", step: [0; 3], back, next, line });
        }
    }
    let spot = |name: &String| given.iter().find(|(of, _)| of == name).map(|(_, spot)| *spot);
    board.given = names.iter().map(spot).collect();
    if !dots.is_empty() {
        board.ends = ends_of(&names, dots)?;
        board.dots = dots.to_vec();
    }
    board.names = names;
    board.rows = vec![board.sites().collect()];
    board.with_tracks(tracks)
}

/// Dots that each site joins: the two whose names make up its own.
fn ends_of(names: &[String], dots: &[NamedSpot]) -> Result<Vec<[usize; 2]>, BuildError> {
    let dot = |name: &str| dots.iter().position(|(known, _)| known == name);
    let mut ends: Vec<[usize; 2]> = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let pairs = (1..name.len()).filter_map(|at| {
            let (from, to) = name.split_at(at);
            Some([dot(from)?, dot(to)?]).filter(|[from, to]| from != to)
        });
        let pairs: Vec<[usize; 2]> = pairs.collect();
        let [[from, to]] = pairs[..] else {
            let message = match pairs.len() {
                0 => format!("the name of `{name}` does not join two dots"),
                _ => format!("the name of `{name}` joins dots in two ways"),
            };
            return Err(BuildError(message));
        };
        let is_same = |other: &[usize; 2]| *other == [from, to] || *other == [to, from];
        if let Some(other) = ends.iter().position(is_same) {
            let message = format!("`{}` and `{}` join the same dots", names[other], names[n]);
            return Err(BuildError(message));
        }
        ends.push([from, to]);
    }
    let is_bare = |dot: &usize| !ends.iter().flatten().any(|end| end == dot);
    match (0..dots.len()).find(is_bare) {
        Some(bare) => {
            Err(BuildError(format!("the dot `{}` is not the end of a site", dots[bare].0)))
        }
        None => Ok(ends),
    }
}
