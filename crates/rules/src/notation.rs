//! Moves and positions as text and as pictures.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use treegauge_core::{
    Actions, Board, Cell, CellMark, CellShape, Contents, Curve, Notation, Outcome, PathCell,
    PlaneShape, Planes, Player, PositionError, Tensor,
};

use crate::board::{Board as On, Shape, Site};
use crate::explain::in_number;
use crate::game::{MoveBits, TextRules};
use crate::line_art::line_art;
use crate::position::{Position, letter};
use crate::state::{BoardWord, State};
use crate::terms::{Cond, Set};
use crate::tree::{Kind, Owner, Program, Who};

impl<W: BoardWord, M: MoveBits> Notation for TextRules<W, M> {
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

    fn board(&self, state: &State<W>) -> Board {
        board(self.program(), &self.position(state))
    }

    fn move_cells(&self, state: &State<W>, m: M, _: &Board) -> Vec<PathCell> {
        let sites: Vec<Site> = self.program().board.sites().collect();
        let touched = self.code.touched(state, state.rest.turn, m.bits());
        let cell = |site| sites.binary_search(&(site as Site)).expect("it is on the board");
        touched.into_iter().map(|(site, role)| PathCell { cell: cell(site), role }).collect()
    }
}

/// Ids are pairs of sites, sites and kinds of pieces, houses, a swap and a pass, for each part of a
/// move.
impl<W: BoardWord, M: MoveBits> Actions for TextRules<W, M> {
    fn action_count(&self) -> u32 {
        self.code.action_count().expect("the moves of the game have ids")
    }

    fn action_of(&self, state: &State<W>, m: M) -> u32 {
        self.code.action_of(state, state.rest.turn, m.bits())
    }
}

/// Planes: for each kind of pieces the sites of each player who may own it, or of neutral pieces; on
/// a board of pits the seeds instead, and the pits that each player has claimed if the game has
/// claims. Then come the turn and what else the key contains: pieces in
/// hand, scores, the sites where the players arrived last, counted plies, the place in the order of
/// turns. The last plane is the result: 0 unfinished, 1 the first player wins, 2 the second, 3 a
/// draw.
impl<W: BoardWord, M: MoveBits> Tensor for TextRules<W, M> {
    fn plane_shape(&self) -> PlaneShape {
        let board = &self.program().board;
        let sites = board.len() as u32;
        match board.extent() {
            None => PlaneShape::Cells(sites),
            Some((cols, rows)) => {
                // These boards number their sites level by level and row by row.
                let (cols, rows) = (cols as u32, rows as u32);
                match sites / (cols * rows) {
                    1 => PlaneShape::Grid([rows, cols]),
                    levels => PlaneShape::Levels([levels, rows, cols]),
                }
            }
        }
    }

    fn write_planes(&self, state: &State<W>, planes: &mut Planes<'_>) {
        let (code, rest) = (&self.code, &state.rest);
        if code.pits > 0 {
            planes.numbers(|_, pit| f32::from(state.seeds(pit)));
            if code.key.claims > 0 {
                state.owners[1..].iter().for_each(|claimed| planes.marks(claimed.ones()));
            }
        } else {
            for (kind, of) in (0..).zip(&code.kinds) {
                let may_own = [of.players[0], of.players[1], of.neutral];
                for (&owned, _) in state.owners.iter().zip(may_own).filter(|(_, may)| *may) {
                    planes.marks((owned & code.of_kind(state, kind)).ones());
                }
            }
        }
        planes.turn(rest.turn);
        for kind in (0..code.key.hands.len()).filter(|&kind| code.key.hands[kind]) {
            rest.hands.iter().for_each(|hand| planes.uniform(f32::from(hand[kind])));
        }
        if code.key.score {
            rest.score.iter().for_each(|&score| planes.uniform(f32::from(score)));
        }
        if code.key.last {
            rest.last.iter().for_each(|&last| planes.marks(last.checked_sub(1).map(u32::from)));
        }
        if code.key.plies > 0 {
            planes.uniform(f32::from(rest.plies));
        }
        if code.key.place > 0 {
            planes.uniform(f32::from(rest.place));
        }
        planes.uniform(match rest.result {
            None => 0.0,
            Some(Outcome::FirstWins) => 1.0,
            Some(Outcome::SecondWins) => 2.0,
            Some(Outcome::Draw) => 3.0,
        });
    }
}

/// Symbol for the contents of a site.
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
            let seeds = |pit: usize| match position.claims.get(pit).copied().flatten() {
                Some(owner) => format!("{:>3}", letter(owner)),
                None => format!("{:>3}", position.seeds[pit]),
            };
            let number = |n: usize| format!("{n:>3}");
            let line = |cells: &mut dyn Iterator<Item = String>| {
                format!("      {}\n", cells.collect::<String>())
            };
            text.push_str(&line(&mut (1..=pits).rev().map(number)));
            text.push_str(&line(&mut (pits..2 * pits).rev().map(seeds)));
            let between = " ".repeat(3 * pits);
            let [x, o] = [2 * pits, 2 * pits + 1].map(seeds);
            let _ = writeln!(text, "o {o} {between} {x} x");
            text.push_str(&line(&mut (0..pits).map(seeds)));
            text.push_str(&line(&mut (1..=pits).map(number)));
        }
        Shape::Graph if board.has_dots() => {
            let of = |site| symbol(program, &symbols, position, site);
            text.push_str(&table_of_lines(board, of));
        }
        Shape::Graph
            if let Some(drawn) = line_art(board, |site| {
                let name = &board.names[site as usize];
                format!("{name}{}", symbol(program, &symbols, position, site))
            }) =>
        {
            text.push_str(&drawn)
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
                // Rows of hexagons are slanted: each row starts half a cell further to the right.
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
    let bend = |[from, _, to, _]: [Site; 4]| {
        [from, to].map(|site| board.names[usize::from(site)].as_str()).join("-")
    };
    let bends: Vec<String> = board.drawn_bends().into_iter().map(bend).collect();
    if !bends.is_empty() {
        let _ = writeln!(text, "bends: {}", bends.join(" "));
    }
    let beside = beside(program, position, &|player| letter(player).to_string());
    if !beside.is_empty() {
        let _ = writeln!(text, "{}", beside.join("; "));
    }
    text
}

/// Parts of a position beside its board, in words, with a name for each player.
fn beside(program: &Program, position: &Position, name: &dyn Fn(Player) -> String) -> Vec<String> {
    let mut parts = Vec::new();
    let name = |player: usize| name(Player::BOTH[player]);
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
        let [x, o] = [0, 1].map(name);
        parts.push(format!("{x} {}, {o} {}", points(first), points(second)));
    }
    parts
}

/// Length of the handles of a bend in distances of its ends.
const BEND_HANDLE: f64 = 0.55;

/// Length of the handles of a quarter of a circle in radii.
const QUARTER_HANDLE: f64 = 0.5523;

/// Curve from one point to another, with the ways in which it leaves the first and arrives at the other.
fn curve(ends: [(f64, f64); 2], ways: [(f64, f64); 2], handle: f64) -> [(f64, f64); 4] {
    let along =
        |at: (f64, f64), way: (f64, f64), far: f64| (at.0 + far * way.0, at.1 + far * way.1);
    [ends[0], along(ends[0], ways[0], handle), along(ends[1], ways[1], -handle), ends[1]]
}

/// Curves of a bend between two sites, each with its neighbour on the track: a loop of three quarters of
/// a circle if the lines lead away from each other around a corner.
fn bend_curves([from, before, to, behind]: [(f64, f64); 4]) -> Vec<[(f64, f64); 4]> {
    let away = |at: (f64, f64), next: (f64, f64)| {
        let (x, y) = (at.0 - next.0, at.1 - next.1);
        let length = (x * x + y * y).sqrt().max(1e-9);
        (x / length, y / length)
    };
    let back = |(x, y): (f64, f64)| (-x, -y);
    // Ways along which the curve leaves its ends.
    let (out, other) = (away(from, before), away(to, behind));
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let apart = (x * x + y * y).sqrt();
    // A circle has its centre at one distance from both ends, each on the way of the other.
    let radius = apart / 2f64.sqrt();
    let centre = (from.0 + radius * other.0, from.1 + radius * other.1);
    let across = (to.0 + radius * out.0, to.1 + radius * out.1);
    let off = (centre.0 - across.0).abs() + (centre.1 - across.1).abs();
    let leads_back = out.0 * x + out.1 * y < 0.0;
    if !leads_back || off > 0.01 * apart {
        return vec![curve([from, to], [out, back(other)], BEND_HANDLE * apart)];
    }
    let at = |way: (f64, f64)| (centre.0 + radius * way.0, centre.1 + radius * way.1);
    let points = [from, at(out), at(other), to];
    let ways = [out, other, back(out), back(other)];
    (0..3)
        .map(|n| curve([points[n], points[n + 1]], [ways[n], ways[n + 1]], QUARTER_HANDLE * radius))
        .collect()
}

/// Points on a curve, from which the room that it takes is found.
fn along_curve([a, b, c, d]: [(f64, f64); 4]) -> impl Iterator<Item = (f64, f64)> {
    (0..=16).map(move |n| {
        let t = f64::from(n) / 16.0;
        let s = 1.0 - t;
        let weigh = |a: f64, b: f64, c: f64, d: f64| {
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        (weigh(a.0, b.0, c.0, d.0), weigh(a.1, b.1, c.1, d.1))
    })
}

/// Places on a picture in units of a cell from the upper left corner.
struct Places {
    /// Centre of each site.
    sites: Vec<(f64, f64)>,
    /// Dots between which the sites are lines.
    dots: Vec<(f64, f64)>,
    /// Bends of tracks.
    curves: Vec<[(f64, f64); 4]>,
    width: f64,
    height: f64,
}

fn places(program: &Program) -> Places {
    let board = &program.board;
    let levels = board.at.iter().map(|at| at[2]).max().unwrap_or(0);
    let (_, rows) = board.extent().unwrap_or((0, 0));
    let raw = board.sites().map(|site| {
        let [x, y, z] = board.at[site as usize].map(f64::from);
        match board.shape {
            Shape::Graph => board.drawing().spots[site as usize].into(),
            Shape::Lattice { .. } => (x / 2.0, y / 2.0),
            // The stores are at equal distance from both rows.
            Shape::Pits { pits } if usize::from(site) >= 2 * pits as usize => (x, 0.5),
            _ if board.shape.is_hex() => (x + y / 2.0, y * 3f64.sqrt() / 2.0),
            _ => (x, y + (f64::from(levels) - z) * f64::from(rows + 1)),
        }
    });
    let mut raw: Vec<(f64, f64)> = raw.collect();
    let sites = raw.len();
    let numbers: BTreeMap<Site, usize> = board.sites().zip(0..).collect();
    let bends = board.drawn_bends().into_iter();
    let curves: Vec<_> =
        bends.flat_map(|bend| bend_curves(bend.map(|site| raw[numbers[&site]]))).collect();
    if board.has_dots() {
        raw.extend(board.drawing().dots.iter().map(|&dot| <(f64, f64)>::from(dot)));
    }
    let (mut least, mut most) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    let of_curves = curves.iter().copied().flat_map(along_curve);
    for (x, y) in raw.iter().copied().chain(of_curves) {
        least = (least.0.min(x), least.1.min(y));
        most = (most.0.max(x), most.1.max(y));
    }
    // The outermost lines of a lattice are the edge of its picture.
    let edge = if matches!(board.shape, Shape::Lattice { .. }) { 0.0 } else { 0.5 };
    let place = |(x, y): (f64, f64)| (x - least.0 + edge, most.1 - y + edge);
    let mut places: Vec<(f64, f64)> = raw.iter().map(|&at| place(at)).collect();
    let curves = curves.into_iter().map(|curve| curve.map(place)).collect();
    let dots = places.split_off(sites);
    let (width, height) = (most.0 - least.0 + 2.0 * edge, most.1 - least.1 + 2.0 * edge);
    Places { sites: places, dots, curves, width, height }
}

/// Player whose side of a board of pits a pit or store is on; `None` on other boards.
fn owner_of_pit(board: &On, site: Site) -> Option<Player> {
    let Shape::Pits { pits } = board.shape else { return None };
    let is_first = usize::from(site) < pits as usize || usize::from(site) == 2 * pits as usize;
    Some(if is_first { Player::First } else { Player::Second })
}

/// Shape of the cell of a site.
fn shape_of(board: &On, site: Site) -> CellShape {
    match board.shape {
        _ if board.has_points() => CellShape::Point,
        Shape::Graph => CellShape::Line,
        Shape::Rhombus { .. } | Shape::Hexagon { .. } => CellShape::Hexagon,
        Shape::Lattice { .. } if board.at[site as usize][1] % 2 == 0 => CellShape::Across,
        Shape::Lattice { .. } => CellShape::Upright,
        Shape::Pits { .. } => CellShape::Pit,
        _ => CellShape::Square,
    }
}

fn board(program: &Program, position: &Position) -> Board {
    let on = &program.board;
    let Places { sites: places, dots, curves, width, height } = places(program);
    let mut board = Board::new(width, height);
    board.curves = curves.into_iter().map(|points| Curve { points }).collect();
    let symbols = program.symbols();
    let shows_link = on.shown_links();
    for (site, place) in on.sites().zip(places) {
        let claimed = position.claims.get(usize::from(site)).copied().flatten();
        let contents = if claimed.is_some() {
            Contents::piece(claimed, "claimed pit")
        } else if on.is_pits() {
            Contents::seeds(position.seeds[site as usize].into())
        } else {
            position.pieces[site as usize].map_or_else(Contents::empty, |piece| {
                let symbol = program.symbol(&symbols, piece);
                if let Some(mark) = program.mark(&symbols, piece) {
                    let words = if mark == 'X' { "cross" } else { "nought" };
                    return Contents::new(words, CellMark::Text(mark.to_string()));
                }
                let of = Contents::piece(piece.0, &program.kinds[piece.1 as usize].name);
                // A single kind needs no letter.
                if matches!(symbol, 'x' | 'o' | '#') { of } else { of.with_text(symbol) }
            })
        };
        let name = &on.names[site as usize];
        let shape = shape_of(on, site);
        let number = board.cells.len();
        board.cells.push(match on.ends.get(site as usize) {
            Some(ends) => Cell::line(name, place, ends.map(|dot| dots[dot]), contents),
            None => match owner_of_pit(on, site) {
                Some(owner) => Cell::new(name, place, shape, contents).owned_by(owner),
                None => Cell::new(name, place, shape, contents),
            },
        });
        if shape == CellShape::Point {
            let known = on.sites().take(number).enumerate();
            let before = on.neighbours(site);
            let is_linked =
                |(_, other): &(usize, Site)| before.contains(other) && shows_link(*other, site);
            board.links.extend(known.filter(is_linked).map(|(n, _)| [n, number]));
        }
    }
    label(program, &mut board);
    label_dots(on, &dots, &mut board);
    for (owner, sites) in goals(program) {
        let number = |site: &Site| on.sites().position(|other| other == *site);
        let cells: Vec<_> = sites.iter().filter_map(number).collect();
        board.own_side(owner, &cells);
    }
    board.beside = beside(program, position, &|player| drawn_name(program, player));
    board.beside.extend(legend(program));
    board
}

/// Sides of a board of hexagons that a player must connect, by the rules of the end.
fn goals(program: &Program) -> Vec<(Player, Vec<Site>)> {
    let mut goals = Vec::new();
    if !program.board.shape.is_hex() {
        return goals;
    }
    for rule in &program.body.end {
        let Cond::And(parts) = &rule.when else { continue };
        let owner = parts.iter().find_map(|part| match part {
            Cond::Is(Who::Mover, who) | Cond::Is(who, Who::Mover) => match who {
                Who::First => Some(Player::First),
                Who::Second => Some(Player::Second),
                _ => None,
            },
            _ => None,
        });
        let Some(owner) = owner else { continue };
        for part in parts {
            let Cond::Connects(_, ends) = part else { continue };
            goals.extend(ends.iter().filter_map(|end| match end {
                Set::Const(sites) => Some((owner, sites[owner.index()].clone())),
                _ => None,
            }));
        }
    }
    goals
}

/// Line below a picture that names the pieces by their looks, such as `dark, light: amazon; brown: arrow`.
fn legend(program: &Program) -> Option<String> {
    let of = |(pieces, kind): (Vec<Symbol>, &str)| {
        let looks: Vec<String> = pieces.into_iter().map(drawn_look).collect();
        format!("{}: {kind}", looks.join(", "))
    };
    let shown = shown_pieces(program);
    (!shown.is_empty()).then(|| shown.into_iter().map(of).collect::<Vec<_>>().join("; "))
}

/// Look of a piece in a picture: its letter, or the drawing of a piece without one.
fn drawn_look((owner, symbol): Symbol) -> String {
    match (owner, symbol) {
        (Some(player), 'x' | 'o') => disc(player).to_owned(),
        (None, '#') => "brown".to_owned(),
        (_, letter) => letter.to_string(),
    }
}

/// Look of a player's pieces without a letter, in dark mode too.
fn disc(player: Player) -> &'static str {
    match player {
        Player::First => "dark",
        Player::Second => "light",
    }
}

/// Name of a player beside a picture: the drawing of its pieces if there is one.
fn drawn_name(program: &Program, player: Player) -> String {
    let symbols = program.symbols();
    let is_disc = |kind: usize| {
        let piece = (Some(player), kind as Kind);
        let symbol = program.symbol(&symbols, piece);
        program.may_own(piece.1, piece.0)
            && matches!(symbol, 'x' | 'o')
            && program.mark(&symbols, piece).is_none()
    };
    match (0..program.kinds.len()).any(is_disc) && !program.board.is_pits() {
        true => disc(player).to_owned(),
        false => format!("the {player} player"),
    }
}

/// Symbols of each kind of pieces, the first player's first; empty if all pieces are of one kind
/// that players own and that has no letter, all are called by their symbols, or the board has pits.
pub(crate) fn shown_symbols(program: &Program) -> Vec<(Vec<char>, &str)> {
    let symbols = |pieces: Vec<Symbol>| pieces.into_iter().map(|(_, c)| c).collect();
    shown_pieces(program).into_iter().map(|(pieces, kind)| (symbols(pieces), kind)).collect()
}

/// Owner and symbol of a piece.
type Symbol = (Option<Player>, char);

/// Owners and symbols of each kind of pieces, where [`shown_symbols`] has symbols.
fn shown_pieces(program: &Program) -> Vec<(Vec<Symbol>, &str)> {
    let kinds = &program.kinds;
    let is_plain = kinds.len() < 2
        && kinds.iter().all(|kind| kind.owner != Owner::Neutral && kind.letter.is_none());
    if is_plain || program.board.is_pits() {
        return Vec::new();
    }
    let symbols = program.symbols();
    let of = |number: usize| {
        let owners = [Some(Player::First), Some(Player::Second), None].into_iter();
        let owners = owners.filter(|&owner| program.may_own(number as Kind, owner));
        let piece = |owner| (owner, program.symbol(&symbols, (owner, number as Kind)));
        owners.map(piece).collect::<Vec<_>>()
    };
    let shown: Vec<(Vec<Symbol>, &str)> =
        kinds.iter().enumerate().map(|(number, kind)| (of(number), &kind.name[..])).collect();
    // Kinds called x and o have their names as symbols.
    let is_name = |(pieces, name): &(Vec<Symbol>, &str)| {
        pieces.iter().all(|(_, symbol)| name.eq_ignore_ascii_case(symbol.encode_utf8(&mut [0; 4])))
    };
    if shown.iter().all(is_name) { Vec::new() } else { shown }
}

/// Adds letters of columns and numbers of rows if the board has straight ones, and numbers of pits.
fn label(program: &Program, board: &mut Board) {
    let on = &program.board;
    let at: Vec<[i32; 3]> = on.sites().map(|site| on.at[site as usize]).collect();
    match on.shape {
        Shape::Grid { .. } | Shape::Rings { .. } => {
            let (mut rows, mut columns) = (BTreeMap::new(), BTreeMap::new());
            for (&[x, y, z], cell) in at.iter().zip(&board.cells) {
                rows.insert((y, z), cell.y);
                columns.insert(x, cell.x);
            }
            let levels = rows.iter().map(|(&(_, level), &y)| (level, y));
            let mut tops: BTreeMap<i32, f64> = BTreeMap::new();
            for (level, y) in levels {
                tops.entry(level).and_modify(|top| *top = top.min(y)).or_insert(y);
            }
            if tops.len() > 1 {
                let middle = board.width / 2.0;
                for (level, top) in tops {
                    board.label(middle, top - 0.75, format!("z{}", level + 1));
                }
            }
            for ((row, _), y) in rows {
                board.label(-0.3, y, row + 1);
            }
            for (column, x) in columns {
                board.label(x, board.height + 0.3, char::from(b'a' + column as u8));
            }
        }
        Shape::Pits { pits } => {
            for n in 0..2 * pits {
                let (x, y) =
                    (board.cells[n as usize].x, if n < pits { board.height + 0.3 } else { -0.3 });
                board.label(x, y, n % pits + 1);
            }
        }
        _ => {}
    }
}

/// Adds the names of dots, on the side that looks away from the middle of the board.
fn label_dots(on: &On, dots: &[(f64, f64)], board: &mut Board) {
    let middle = (board.width / 2.0, board.height / 2.0);
    for ((name, _), &(x, y)) in on.dots.iter().zip(dots) {
        let (dx, dy) = (x - middle.0, y - middle.1);
        let far = (dx * dx + dy * dy).sqrt();
        let (dx, dy) = if far < 0.1 { (0.0, -1.0) } else { (dx / far, dy / far) };
        board.label(x + 0.36 * dx, y + 0.36 * dy, name);
    }
}

/// Table of the lines between dots as text: a row and a column for each dot.
fn table_of_lines(board: &On, symbol: impl Fn(Site) -> char) -> String {
    let wide = board.dots.iter().map(|(name, _)| name.len()).max().unwrap_or(1);
    let last = board.dots.len() - 1;
    let mut text = " ".repeat(wide);
    for (name, _) in &board.dots[..last] {
        let _ = write!(text, " {name:>wide$}");
    }
    text.push('\n');
    for row in 1..board.dots.len() {
        let mut line = format!("{:>wide$}", board.dots[row].0);
        for column in 0..row {
            let joins = |ends: &[usize; 2]| *ends == [row, column] || *ends == [column, row];
            let site = board.ends.iter().position(joins);
            let shown = site.map_or(' ', |site| symbol(site as Site));
            let _ = write!(line, " {shown:>wide$}");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;

    fn program(text: &str) -> Program {
        Text::read(text).and_then(|text| text.check()).unwrap_or_else(|e| panic!("{}", e.text("a")))
    }

    fn drawn(text: &str) -> Board {
        let program = program(text);
        board(&program, &program.start_position())
    }

    const HUNT: &str = r#"(game "Hunt"
        (board (graph (line a b c) (line d e f) (line a d) (line b e) (line c f) (line a e) (line e c)
            (at a 0 1 c 2 1 d 0 0 f 2 0)))
        (pieces (hound first) (hare second) (stone neutral))
        (start (put first hound (sites a)) (put second hare (sites f)) (put neutral stone (sites d)))
        (play (if (is mover first) (step hound all) (step hare all)))
        (end (stuck (lose mover))) (limits (repetition draw)))"#;

    #[test]
    fn a_drawn_board_has_its_places_and_a_legend() {
        let board = drawn(HUNT);
        let at = |name: &str| {
            let cell = &board.cells[board.cell(name).unwrap()];
            (cell.x, cell.y)
        };
        // Sites between two places of the text divide their line.
        assert_eq!(["a", "b", "f"].map(at), [(0.5, 0.5), (1.5, 0.5), (2.5, 1.5)]);
        assert_eq!(board.links.len(), 9);
        assert_eq!(board.beside, ["dark: hound; O: hare; brown: stone"]);
        let position = program(HUNT).start_position();
        let text = board_text(&program(HUNT), &position);
        assert_eq!(text, "ax-b.-c.\n | \\| /|\nd#-e.-fO\n");
    }

    /// Four dots with lines between them as sites.
    const DOTS: &str = r#"(game "Lines"
        (board (graph (line ab bc ca) (line ad bd cd) (dots a 0 0 b 6 0 c 3 5 d 3 2)))
        (start (put first (sites bd)) (put second (sites ca)))
        (play (place)) (end (if (makes (line 3)) (win mover))))"#;

    #[test]
    fn sites_between_dots_are_lines() {
        let board = drawn(DOTS);
        assert!(board.cells.iter().all(|cell| cell.shape == CellShape::Line));
        assert!(board.links.is_empty());
        let ends = |name: &str| board.cells[board.cell(name).unwrap()].ends.unwrap();
        // `c` is the upper end of two lines; rows are counted upwards.
        assert_eq!(ends("bc")[1], ends("ca")[0]);
        assert!(ends("ca")[0].1 < ends("ca")[1].1);
        let labels: Vec<&str> = board.labels.iter().map(|label| label.text.as_str()).collect();
        assert_eq!(labels, ["a", "b", "c", "d"]);
        let svg = board.svg();
        let count = |class: &str| svg.matches(&format!("class=\"{class}\"")).count();
        let drawn = ["link", "first-line", "second-line", "second-middle", "dot"].map(count);
        assert_eq!(drawn, [6, 1, 1, 1, 4], "{svg}");
        let position = program(DOTS).start_position();
        let text = board_text(&program(DOTS), &position);
        assert_eq!(text, "  a b c\nb .\nc o .\nd . x .\n");
        let turned = board.clone().turned();
        let around = |(x, y): (f64, f64)| (board.width - x, board.height - y);
        assert_eq!(turned.cells[0].ends, Some(board.cells[0].ends.unwrap().map(around)));
    }

    #[test]
    fn a_side_to_connect_has_the_colour_of_its_player() {
        let board = drawn(
            r#"(game "Hex" (board (rhombus 3 3)) (play (place))
                (end (if (and (is mover first) (connects mine (side s) (side n))) (win mover))
                     (if (and (is mover second) (connects mine (side w) (side e))) (win mover))))"#,
        );
        // Two outer edges of each cell of a side look away from the board.
        let of = |player| board.sides.iter().filter(|side| side.owner == player).count();
        assert_eq!([of(Player::First), of(Player::Second)], [12, 12]);
        // The lower row is a side of the first player, the right column one of the second. The
        // outermost edge between them belongs to both.
        let owners = |low: &dyn Fn((f64, f64)) -> bool| {
            let of_board = board.sides.iter().filter(|side| side.ends.into_iter().all(low));
            let mut owners: Vec<usize> = of_board.map(|side| side.owner.index()).collect();
            owners.sort_unstable();
            owners
        };
        assert_eq!(owners(&|(_, y)| y > 2.5), [0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(owners(&|(x, y)| x > 3.9 && y < 0.9), [1], "the right edge of c3");
        assert!(drawn(&HUNT.replace("step", "slide")).sides.is_empty());
    }

    const LOOPS: &str = r#"(game "Loops"
        (board (grid 4 4 (track (line a2 b2 c2 d2) (line c1 c2 c3 c4) (line d3 c3 b3 a3) (line b4 b3 b2 b1))))
        (pieces (man each)) (start (put first man (sites a1)) (put second man (sites d4)))
        (play (or (step man all) (ride man (bends 1) (to theirs)))) (end (if (none theirs) (win mover)))
        (limits (quiet 10)))"#;

    #[test]
    fn bends_of_tracks_are_drawn_around_the_corners() {
        let board = drawn(LOOPS);
        assert!(board.cells.iter().all(|cell| cell.shape == CellShape::Point));
        assert_eq!(board.curves.len(), 12, "each of four loops has three quarters");
        let at = |name: &str| {
            let cell = &board.cells[board.cell(name).unwrap()];
            (cell.x, cell.y)
        };
        // From d2 around d1 to c1.
        let (x, y) = at("d1");
        let points = board.curves[0].points;
        assert_eq!((points[0], board.curves[2].points[3]), (at("d2"), at("c1")));
        assert_eq!([points[3], board.curves[1].points[3]], [(x + 1.0, y), (x, y + 1.0)]);
        for (u, v) in board.curves[..3].iter().flat_map(|curve| along_curve(curve.points)) {
            let far = ((u - x).powi(2) + (v - y).powi(2)).sqrt();
            assert!((0.99..1.01).contains(&far), "{far}");
            assert!((0.0..=board.width).contains(&u) && (0.0..=board.height).contains(&v));
        }
        assert_eq!(board.svg().matches("<path").count(), 12);
        let text = board_text(&program(LOOPS), &program(LOOPS).start_position());
        assert!(text.ends_with("bends: d2-c1 c4-d3 a3-b4 b1-a2\n"), "{text}");
        let turned = board.clone().turned();
        let around = |(x, y): (f64, f64)| (board.width - x, board.height - y);
        assert_eq!(turned.curves[0].points, points.map(around));
    }

    /// Marks of the lowest row of a board of 3 by 3, the lines beside it, and the position.
    fn row_of_marks(pieces: &str, play: &str, start: &str) -> (Vec<CellMark>, Vec<String>, String) {
        let program = program(&format!(
            r#"(game "A" (board (grid 3 3)) (pieces {pieces}) (start {start}) (play {play})
                (end (if (makes (line 3)) (win mover)) (stuck draw)))"#
        ));
        let board = board(&program, &program.start_position());
        let mut text = String::new();
        program.write_position(&program.start_position(), &mut text).unwrap();
        assert_eq!(program.parse_position(&text).unwrap(), program.start_position());
        let marks = board.cells[..3].iter().map(|cell| cell.mark.clone()).collect();
        (marks, board.beside, text)
    }

    #[test]
    fn crosses_and_noughts_are_drawn_as_x_and_o() {
        let [x, o] = ["X", "O"].map(|letter| CellMark::Text(letter.to_owned()));
        let drawn = [x, CellMark::None, o];
        let by_name = row_of_marks(
            "(x first) (o second)",
            "(if (is mover first) (place x) (place o))",
            "(put first x (sites a1)) (put second o (sites c1))",
        );
        assert_eq!(by_name, (drawn.to_vec(), Vec::new(), ".../.../x.o x".to_owned()));
        let marks = row_of_marks(
            "(mark each)",
            "(place mark)",
            "(put first mark (sites a1)) (put second mark (sites c1))",
        );
        assert_eq!(marks, (drawn.to_vec(), Vec::new(), ".../.../x.o x".to_owned()));
        let neutral = row_of_marks(
            "(x neutral) (nought neutral)",
            "(or (place x) (place nought))",
            "(put neutral x (sites a1)) (put neutral nought (sites c1))",
        );
        let legend = vec!["X: x; O: nought".to_owned()];
        assert_eq!(neutral, (drawn.to_vec(), legend, ".../.../X.O x".to_owned()));
        // The first player's o could be taken for the second player's, and other kinds are pieces.
        for (pieces, play) in [
            ("(o first) (x second)", "(if (is mover first) (place o) (place x))"),
            ("(mark each) (wall neutral)", "(or (place mark) (place wall))"),
            ("(x first) (o second) (wall neutral)", "(or (place x) (place wall))"),
        ] {
            let kind = pieces[1..].split(' ').next().unwrap();
            let start = format!("(put first {kind} (sites a1))");
            let (marks, ..) = row_of_marks(pieces, play, &start);
            assert!(matches!(marks[0], CellMark::Piece { .. }), "{pieces}");
        }
    }

    #[test]
    fn a_grid_is_drawn_as_its_text_says() {
        let of = |options: &str| {
            drawn(&format!(
                r#"(game "A" (board (grid 3 3 {options})) (play (place)) (end (if (makes (line 3)) (win mover))))"#
            ))
        };
        let [plain, points, alternate, cells] =
            ["", "(drawn points)", "(diagonals alternate)", "(diagonals alternate) (drawn cells)"]
                .map(of);
        let shapes = [&plain, &points, &alternate, &cells].map(|board| board.cells[0].shape);
        use CellShape::{Point, Square};
        assert_eq!(shapes, [Square, Point, Point, Square]);
        let links = [&plain, &points, &alternate, &cells].map(|board| board.links.len());
        assert_eq!(links, [0, 12, 16, 0], "diagonals are drawn where only some are links");
    }
}
