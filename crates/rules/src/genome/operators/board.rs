//! Operator that changes the board to another one of the same class. The start and the regions are
//! reworded for it.

use rand_core::Rng;
use treegauge_core::uniform_below;

use crate::board::{Diagonals, Shape, Wrap};
use crate::genome::board_spec::BoardSpec;
use crate::genome::tree::{Slot, Tree, When};
use crate::genome::{Genome, Put};
use crate::words::{Int, Sort};

/// Largest number of sites of a new board, because larger ones take too long to play.
pub(super) const SITES_MAX: usize = 128;

pub(super) fn board(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let spec = another(genome, rng)?;
    (spec != genome.spec).then_some(())?;
    move_to(genome, spec)
}

fn between(rng: &mut dyn Rng, least: i32, most: i32) -> i32 {
    least + uniform_below(rng, (most - least + 1) as u32) as i32
}

/// Random board similar to the board of a genome.
fn another(genome: &Genome, rng: &mut dyn Rng) -> Option<BoardSpec> {
    let spec = &genome.spec;
    let of = BoardSpec::of_shape;
    Some(match spec.shape {
        Shape::Grid { levels: 2.., .. } => {
            let (size, levels) = (between(rng, 3, 5), between(rng, 2, 4));
            BoardSpec { shape: Shape::Grid { cols: size, rows: size, levels }, ..spec.clone() }
        }
        Shape::Grid { .. } => grid(spec, rng),
        Shape::Rhombus { .. } | Shape::Hexagon { .. } => match uniform_below(rng, 3) {
            0 => {
                let size = between(rng, 4, 11);
                of(Shape::Rhombus { cols: size, rows: size })
            }
            1 => of(Shape::Rhombus { cols: between(rng, 4, 9), rows: between(rng, 4, 9) }),
            _ => of(Shape::Hexagon { side: between(rng, 3, 6) }),
        },
        // Boards with few drawn lines.
        Shape::Rings { .. } | Shape::Graph => match uniform_below(rng, 2) {
            0 => of(Shape::Rings { rings: between(rng, 2, 4) }),
            _ => {
                let size = 1 + 2 * between(rng, 1, 3);
                let mut spec = of(Shape::Grid { cols: size, rows: size, levels: 1 });
                spec.options.diagonals = Diagonals::Alternate;
                spec
            }
        },
        Shape::Lattice { .. } => {
            of(Shape::Lattice { cols: between(rng, 2, 6), rows: between(rng, 2, 6) })
        }
        Shape::Pits { .. } => of(Shape::Pits { pits: between(rng, 3, 8) }),
    })
}

/// Changes the size or one option of a grid.
fn grid(spec: &BoardSpec, rng: &mut dyn Rng) -> BoardSpec {
    let mut spec = spec.clone();
    let Shape::Grid { cols, rows, .. } = spec.shape else { return spec };
    match uniform_below(rng, 8) {
        0 => {
            let all = [Diagonals::All, Diagonals::Alternate, Diagonals::None];
            spec.options.diagonals = all[uniform_below(rng, 3) as usize];
        }
        1 => {
            let wraps = [(false, false), (true, false), (false, true), (true, true)];
            let (columns, rows) = wraps[uniform_below(rng, 4) as usize];
            spec.options.wrap = Wrap { columns, rows };
        }
        2 => {
            let corners = [(0, 0), (cols - 1, 0), (0, rows - 1), (cols - 1, rows - 1)];
            let name = |(x, y): (i32, i32)| format!("{}{}", char::from(b'a' + x as u8), y + 1);
            spec.holes = match uniform_below(rng, 3) {
                0 => Vec::new(),
                1 => corners.map(name).to_vec(),
                _ => vec![name((cols / 2, rows / 2))],
            };
        }
        n => {
            let (cols, rows) = (between(rng, 3, 10), between(rng, 3, 10));
            let rows = if n < 6 { cols } else { rows };
            spec.shape = Shape::Grid { cols, rows, levels: 1 };
            spec.holes.clear();
        }
    }
    spec
}

/// Moves a game to another board.
pub(super) fn move_to(genome: &mut Genome, spec: BoardSpec) -> Option<()> {
    let board = spec.build().ok()?;
    let sites = board.sites().count();
    // A board that was larger before may keep its size.
    let most = SITES_MAX.max(genome.board.sites().count());
    (sites > 1 && sites <= most).then_some(())?;
    let shares = shares(genome);
    genome.spec = spec;
    genome.board = std::sync::Arc::new(board);
    for kind in &mut genome.kinds {
        kind.hand = kind.hand.map(|hand| hand.min(sites.min(255) as u8));
    }
    restart(genome, &shares);
    Some(())
}

/// Share of the board that each put fills for one player.
fn shares(genome: &Genome) -> Vec<f64> {
    let ground = genome.ground();
    let all = genome.board.sites().count() as f64;
    let share = |put: &Put| {
        let sites = ground.sites_of_put(put).map_or(0, |sites| sites.len());
        let players = if put.owner == "each" { 2.0 } else { 1.0 };
        sites as f64 / players / all
    };
    genome.start.iter().map(share).collect()
}

/// Rewords the start if it names sites or rows, or does not fit any more.
fn restart(genome: &mut Genome, shares: &[f64]) {
    let named = |put: &Put| {
        let mut named = false;
        put.set.walk(None, &mut |tree, _| {
            named |= matches!(tree.head(), "sites" | "row" | "rows" | "column" | "columns");
        });
        named
    };
    let ground = genome.ground();
    let stands = |put: &Put| ground.sites_of_put(put).is_some_and(|sites| !sites.is_empty());
    let fits = genome.starts_apart() && genome.start.iter().all(stands);
    if fits && !genome.start.iter().any(named) {
        return;
    }
    let Some((cols, rows)) = genome.board.extent() else {
        // The board has no rows for a new wording. Puts that have their own sites stay.
        let all = std::mem::take(&mut genome.start);
        for put in all {
            genome.start.push(put);
            if !genome.starts_apart() {
                genome.start.pop();
            }
        }
        return;
    };
    let sites = genome.board.sites().count() as f64;
    // Number of rows that each player has already filled, from its own edge.
    let mut filled = [0, 0];
    let half = rows / 2;
    let mut puts = Vec::new();
    for (put, share) in genome.start.iter().zip(shares) {
        let players: &[usize] = match put.owner.as_str() {
            "each" => &[0, 1],
            "first" => &[0],
            "second" => &[1],
            _ => &[],
        };
        let set = Slot::Word(Sort::Set, When::Start);
        if players.is_empty() {
            puts.push(Put { set: Tree::word(set, "center", Vec::new()), ..put.clone() });
            continue;
        }
        let wanted = (share * sites / f64::from(cols)).round() as i32;
        let from = players.iter().map(|&player| filled[player]).max().unwrap_or(0);
        // The middle of the board stays free.
        let free = (half - from - i32::from(rows > 2 && rows % 2 == 0 && from + 1 < half)).max(0);
        let count = wanted.clamp(1, free.max(1));
        if from + count > half {
            continue;
        }
        let home = |n: i32| Tree::word(set, "home", vec![Tree::number(Slot::Int(Int::Rows), n)]);
        let outer = home(from + count);
        let region = if from == 0 {
            outer
        } else {
            let inner = Tree::word(set, "not", vec![home(from)]);
            Tree::word(set, "and", vec![outer, inner])
        };
        players.iter().for_each(|&player| filled[player] = from + count);
        puts.push(Put { set: region, ..put.clone() });
    }
    genome.start.clear();
    for put in puts {
        genome.start.push(put);
        if !genome.starts_apart() {
            genome.start.pop();
        }
    }
}
