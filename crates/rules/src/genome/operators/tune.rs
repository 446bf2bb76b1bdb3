//! A whole number moves by one or two.

use rand_core::Rng;
use treegauge_core::uniform_below;

use super::pick;
use crate::genome::Genome;
use crate::genome::signature::Int;
use crate::genome::tree::{Atom, Slot};
use crate::words::Sort;

/// A whole number of a genome with its range.
enum Tuned {
    /// The number of a node.
    Node(usize),
    /// Of a kind that has pieces in hand.
    Hand(usize),
    /// Of the pits.
    Seeds,
}

/// The most pieces of a kind in hand.
const HAND_MAX: i32 = 40;

pub(super) fn tune<R: Rng + ?Sized>(genome: &mut Genome, rng: &mut R) -> Option<()> {
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
        Tuned::Hand(kind) => {
            let hand = &mut genome.kinds[kind].hand;
            *hand = Some(moved(i32::from((*hand)?))? as u8);
        }
        Tuned::Seeds => genome.seeds = Some(moved(genome.seeds?)?),
    }
    Some(())
}

/// All whole numbers with their ranges, and the unit in which each moves.
fn places(genome: &Genome) -> Vec<(Tuned, (i32, i32), i32)> {
    let ground = genome.ground();
    let mut places = Vec::new();
    let mut number = 0;
    for root in genome.roots() {
        root.walk(None, &mut |tree, parent| {
            if tree.int().is_some() {
                match tree.slot {
                    Slot::Int(int) => {
                        // Five plies more or less without progress make no other game.
                        let unit = if int == Int::Quiet { 10 } else { 1 };
                        places.push((Tuned::Node(number), ground.range(int, parent), unit));
                    }
                    Slot::Word(Sort::Number, _) => {
                        places.push((Tuned::Node(number), ground.literal(), 1));
                    }
                    _ => {}
                }
            }
            number += 1;
        });
    }
    let sites = genome.board.sites().count() as i32;
    for (kind, of) in genome.kinds.iter().enumerate().filter(|(_, of)| of.hand.is_some()) {
        debug_assert!(of.hand.is_some(), "it was asked");
        places.push((Tuned::Hand(kind), (1, sites.min(HAND_MAX)), 1));
    }
    if genome.seeds.is_some() {
        let most = 255 / (2 * genome.board.pits().max(1)) as i32;
        places.push((Tuned::Seeds, (1, most.min(8)), 1));
    }
    places
}
