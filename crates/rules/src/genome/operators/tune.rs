//! Operator that changes a whole number by one or two units.

use rand_core::Rng;
use treegauge_core::uniform_below;

use super::board::move_to;
use super::pick;
use crate::board::Shape;
use crate::genome::Genome;
use crate::genome::fit::HAND_MAX;
use crate::genome::tree::{Atom, Slot};
use crate::words::{Int, Sort};

/// Location of a whole number in a genome.
enum Tuned {
    /// Node with this index.
    Node(usize),
    /// Size of the board with this index.
    Size(usize),
    /// Pieces in hand of the kind with this index.
    Hand(usize),
    /// Seeds in each pit.
    Seeds,
}

pub(super) fn tune(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let places = places(genome);
    let (place, (least, most), unit) = pick(&places, rng)?;
    let steps = [-2, -1, 1, 2].map(|step| step * unit);
    let step = steps[uniform_below(rng, 4) as usize];
    let moved = |n: i32| Some(n.saturating_add(step).clamp(*least, *most)).filter(|&m| m != n);
    match *place {
        Tuned::Node(number) => {
            let node = genome.nth(number)?;
            node.atom = Atom::Number(moved(node.int()?)?);
        }
        Tuned::Size(at) => {
            let size = moved(genome.spec.sizes()[at])?;
            let mut spec = genome.spec.with_size(at, size);
            // Holes that the new size no longer contains are dropped.
            let plain = spec.clone().without_holes().build().ok()?;
            spec.holes.retain(|name| plain.site(name).is_some());
            move_to(genome, spec)?;
        }
        Tuned::Hand(kind) => {
            let hand = &mut genome.kinds[kind].hand;
            *hand = Some(moved(i32::from((*hand)?))? as u8);
        }
        Tuned::Seeds => genome.seeds = Some(moved(genome.seeds?)?),
    }
    Some(())
}

/// All whole numbers with their ranges and the units of their changes.
fn places(genome: &Genome) -> Vec<(Tuned, (i32, i32), i32)> {
    let ground = genome.ground();
    let mut places = Vec::new();
    genome.each_node(&mut |number, tree, parent| {
        if tree.int().is_some() {
            match tree.slot {
                Slot::Int(int) => {
                    // A few plies without progress make no difference, so the unit is 10.
                    let unit = if int == Int::Quiet { 10 } else { 1 };
                    places.push((Tuned::Node(number), ground.range(int, parent), unit));
                }
                Slot::Word(Sort::Number, _) => {
                    places.push((Tuned::Node(number), ground.literal(), 1));
                }
                _ => {}
            }
        }
    });
    let (least, most) = match genome.spec.shape {
        Shape::Grid { levels: 1, .. } | Shape::Rhombus { .. } => (3, 19),
        Shape::Grid { .. } => (2, 5),
        Shape::Hexagon { .. } => (2, 7),
        Shape::Rings { .. } => (1, 5),
        Shape::Lattice { .. } => (1, 7),
        Shape::Pits { .. } => (2, 10),
        Shape::Graph => (1, 1),
    };
    let sizes = genome.spec.sizes().len();
    places.extend((0..sizes).map(|at| (Tuned::Size(at), (least, most), 1)));
    let sites = genome.board.sites().count() as i32;
    let with_hand = genome.kinds.iter().enumerate().filter(|(_, of)| of.hand.is_some());
    places.extend(with_hand.map(|(kind, _)| (Tuned::Hand(kind), (1, sites.min(HAND_MAX)), 1)));
    if genome.seeds.is_some() {
        places.push((Tuned::Seeds, (1, ground.seeds_max().min(8)), 1));
    }
    places
}
