//! Operator that replaces a word by another one that takes the same arguments.

use rand_core::Rng;

use super::{pick, weighted};
use crate::genome::Genome;
use crate::genome::ground::Ground;
use crate::genome::tree::{Atom, Slot, Tree};
use crate::words::{Sort, clauses, word, words_of};

pub(super) fn swap_word(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let (number, words) = {
        let found = places(genome);
        let (number, words) = pick(&found, rng)?;
        (*number, words.clone())
    };
    let weights: Vec<u32> = words.iter().map(|(_, weight)| *weight).collect();
    let (word, _) = words.into_iter().nth(weighted(&weights, rng)?)?;
    genome.nth(number)?.atom = Atom::Word(word);
    Some(())
}

/// Index of a node, and the words that may replace it with their weights.
type Place = (usize, Vec<(String, u32)>);

fn places(genome: &Genome) -> Vec<Place> {
    let ground = genome.ground();
    let mut places = Vec::new();
    genome.each_node(&mut |number, tree, parent| {
        let mut words = alternatives(&ground, tree, parent);
        words.retain(|(word, weight)| word != tree.head() && *weight > 0);
        if !words.is_empty() {
            places.push((number, words));
        }
    });
    places
}

/// Words that may stand in the place of a node, its own included.
fn alternatives(ground: &Ground<'_>, tree: &Tree, parent: Option<&Tree>) -> Vec<(String, u32)> {
    let equal = |names: Vec<&str>| names.into_iter().map(|name| (name.to_owned(), 1)).collect();
    match tree.slot {
        Slot::Word(sort, when) => {
            let Some(own) = word(sort, tree.head()) else { return Vec::new() };
            let has_clauses = |name: &str| {
                let of_mover = |arg: &&Tree| matches!(arg.slot, Slot::Clause(_));
                let taken = clauses(name);
                tree.args.iter().filter(of_mover).all(|clause| taken.contains(&clause.head()))
            };
            words_of(sort)
                .filter(|other| other.args == own.args)
                .filter(|other| ground.has(sort, other.name, when))
                .filter(|other| sort != Sort::Moves || has_clauses(other.name))
                .map(|other| (other.name.to_owned(), other.weight))
                .collect()
        }
        Slot::Kind(_) => equal(ground.kinds_for(tree.slot, parent)),
        Slot::Taker if tree.head() != "neutral" => {
            equal(vec!["mover", "opponent", "first", "second"])
        }
        Slot::Side => equal(ground.board.sides().to_vec()),
        Slot::Site => {
            let sites = ground.board.sites().map(|site| ground.board.names[site as usize].as_str());
            equal(sites.collect())
        }
        Slot::Chain => equal(vec!["no", "must", "may"]),
        Slot::Laps => equal(vec!["to", "next"]),
        _ => Vec::new(),
    }
}
