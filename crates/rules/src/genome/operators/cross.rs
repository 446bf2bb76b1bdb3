//! Operator that replaces a part by one of the same sort and context from another game.

use rand_core::Rng;
use treegauge_core::uniform_below;

use super::pick;
use crate::genome::Genome;
use crate::genome::tree::{Atom, Slot, Tree};
use crate::tree::{KindOf, Owner};
use crate::words::Sort;

/// Largest number of kinds that players own, and of neutral kinds.
const KINDS_MAX: usize = 4;

/// Puts a part of one of the donors into the genome. Returns the index of the donor.
pub(super) fn cross(genome: &mut Genome, donors: &[Genome], rng: &mut dyn Rng) -> Option<usize> {
    // Games with pits and games with pieces have no expressions in common.
    let pits = genome.board.is_pits();
    let fitting: Vec<usize> =
        (0..donors.len()).filter(|&donor| donors[donor].board.is_pits() == pits).collect();
    let donor = *pick(&fitting, rng)?;
    let places = parts(genome);
    let (number, place) = pick(&places, rng)?;
    let (number, slot, head) = (*number, place.slot, place.head());
    let offered = parts(&donors[donor]);
    let same = |part: &Tree| {
        let clause = matches!(slot, Slot::Clause(_));
        part.slot == slot && (!clause || part.head() == head) && part != *place
    };
    let offered: Vec<&Tree> =
        offered.into_iter().map(|(_, part)| part).filter(|part| same(part)).collect();
    let mut part = (*pick(&offered, rng)?).clone();
    rename_kinds(genome, &donors[donor], &mut part, rng);
    *genome.nth(number)? = part;
    Some(donor)
}

/// Parts of a game that another game can take, with their node indices.
fn parts(genome: &Genome) -> Vec<(usize, &Tree)> {
    let mut found = Vec::new();
    genome.each_node(&mut |number, tree, _| {
        let whole = match tree.slot {
            // A player or a direction alone is too small a part.
            Slot::Word(sort, _) => !matches!(sort, Sort::Player | Sort::Directions),
            Slot::Clause(_) | Slot::Rule | Slot::Stuck => true,
            _ => false,
        };
        if whole && tree.int().is_none() {
            found.push((number, tree));
        }
    });
    found
}

/// Renames the kinds in a donor's part to kinds of the genome. Owned kinds become owned kinds and
/// neutral ones neutral. A kind is copied if the genome has no such kind, and sometimes otherwise.
fn rename_kinds(genome: &mut Genome, donor: &Genome, part: &mut Tree, rng: &mut dyn Rng) {
    let mut names: Vec<(String, String)> = Vec::new();
    part.change(&mut |tree| {
        let Slot::Kind(_) = tree.slot else { return };
        let old = tree.head().to_owned();
        if let Some((_, new)) = names.iter().find(|(known, _)| *known == old) {
            tree.atom = Atom::Word(new.clone());
            return;
        }
        let Some(kind) = donor.kinds.iter().find(|kind| kind.name == old) else { return };
        let neutral = |kind: &KindOf| kind.owner == Owner::Neutral;
        let alike: Vec<&KindOf> =
            genome.kinds.iter().filter(|own| neutral(own) == neutral(kind)).collect();
        // Sometimes a new kind is added although the game has similar ones.
        let comes = alike.len() < KINDS_MAX && uniform_below(rng, 4) == 0;
        let new = match pick(&alike, rng) {
            Some(own) if !comes => own.name.clone(),
            _ => {
                let name = free_name(&genome.kinds, &kind.name);
                // The letter may belong to another kind.
                let new = KindOf { name: name.clone(), letter: None, ..kind.clone() };
                genome.kinds.push(new);
                name
            }
        };
        names.push((old, new.clone()));
        tree.atom = Atom::Word(new);
    });
}

/// Name that is not used by any kind yet.
fn free_name(kinds: &[KindOf], name: &str) -> String {
    let is_free = |name: &String| kinds.iter().all(|kind| kind.name != *name);
    let names = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}-{n}")));
    names.into_iter().find(is_free).expect("some number is free")
}
