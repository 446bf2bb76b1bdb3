//! The identity of all texts and of their changes.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::tree::{Atom, Slot, Tree};
use super::*;
use crate::board::Shape;
use crate::perft_signature;
use crate::tests::genomes::genomes;

/// The same game with kinds by other names, and in another order where none is the first by default.
fn renamed(genome: &Genome) -> Genome {
    let mut other = genome.clone().with_name("Another name");
    let name = |kind: &str| format!("x-{kind}");
    let mut explicit = true;
    for root in other.roots_mut() {
        root.change(&mut |tree| {
            if let Slot::Kind(_) = tree.slot {
                tree.atom = Atom::Word(name(tree.head()));
            }
            let has_kind = tree.args.first().is_some_and(|arg| matches!(arg.slot, Slot::Kind(_)));
            explicit &= tree.head() != "place" || has_kind;
        });
    }
    other.kinds.iter_mut().for_each(|kind| kind.name = name(&kind.name));
    other.start.iter_mut().for_each(|put| put.kind = name(&put.kind));
    if explicit {
        other.kinds.reverse();
    }
    other
}

/// The same game with the arguments of words for which no order counts in another order.
fn reordered(genome: &Genome) -> Genome {
    let mut other = genome.clone();
    for root in other.roots_mut() {
        root.change(&mut |tree| {
            let free = match tree.sort() {
                Some(Sort::Set | Sort::Condition) => {
                    matches!(tree.head(), "and" | "or" | "=" | "is" | "sites")
                }
                Some(Sort::Directions) => tree.head() == "or",
                Some(Sort::Number) => tree.head() == "+",
                _ => false,
            };
            if free {
                tree.args.reverse();
            }
        });
    }
    other.start.reverse();
    other
}

/// The same game in a mirror: west becomes east.
fn mirrored(genome: &Genome) -> Option<Genome> {
    let cols = match genome.board.shape {
        Shape::Grid { cols, .. } => cols,
        Shape::Rings { rings } => 2 * rings + 1,
        _ => return None,
    };
    let mut other = genome.clone();
    let site = |name: &str| {
        let col = i32::from(name.as_bytes()[0] - b'a');
        format!("{}{}", char::from(b'a' + (cols - 1 - col) as u8), &name[1..])
    };
    let turned = |word: &str| match word {
        "e" => "w".to_owned(),
        "w" => "e".to_owned(),
        "ne" => "nw".to_owned(),
        "nw" => "ne".to_owned(),
        "se" => "sw".to_owned(),
        "sw" => "se".to_owned(),
        other => other.to_owned(),
    };
    for root in other.roots_mut() {
        root.change(&mut |tree: &mut Tree| match tree.slot {
            Slot::Site => tree.atom = Atom::Word(site(tree.head())),
            Slot::Side | Slot::Word(Sort::Directions, _) => {
                tree.atom = Atom::Word(turned(tree.head()));
            }
            Slot::Word(Sort::Set, _) if matches!(tree.head(), "column" | "columns") => {
                for arg in &mut tree.args {
                    arg.atom = Atom::Number(cols + 1 - arg.int().unwrap());
                }
                tree.args.reverse();
            }
            _ => {}
        });
    }
    other.spec.holes.iter_mut().for_each(|name| *name = site(name));
    Some(other)
}

#[test]
fn other_names_another_order_and_a_mirror_keep_the_identity() {
    let mut mirrors = 0;
    for (name, genome) in genomes() {
        let identity = genome.identity();
        assert_eq!(renamed(&genome).identity(), identity, "{name}");
        assert_eq!(reordered(&genome).identity(), identity, "{name}");
        let read = Genome::read(&renamed(&genome).source()).unwrap();
        assert_eq!(read.identity(), identity, "{name}");
        if let Some(mirror) = mirrored(&genome) {
            assert_eq!(mirror.identity(), identity, "{name}");
            mirrors += 1;
        }
    }
    assert!(mirrors > 20, "{mirrors} texts have a mirror image");
}

#[test]
fn a_half_turn_keeps_the_identity() {
    let palisade = |sides: [&str; 6]| {
        let [a, b, c, d, e, f] = sides;
        let source = format!(
            "(game \"P\" (board (hexagon 3)) (play (step e (to (or (side {a}) (side {b})))))
             (start (put each (sites c3 d3)))
             (end (if (or (connects mine (side {c}) (side {d})) (in to (side {e}))
                          (in to (side {f}))) (win mover))))"
        );
        source.replace("(put each (sites c3 d3))", "(put first (sites c3)) (put second (sites d3))")
    };
    let one = palisade(["n", "ne", "e", "s", "sw", "w"]);
    let other = palisade(["s", "sw", "w", "n", "ne", "e"])
        .replace("(step e ", "(step w ")
        .replace("d3", "b3");
    let identity = |source: &str| Genome::read(source).unwrap().identity();
    assert_eq!(identity(&one), identity(&other));
    assert_ne!(identity(&one), identity(&one.replace("(step e ", "(step w ")));
}

#[test]
fn all_texts_have_identities_of_their_own() {
    let mut identities: Vec<u128> = genomes().iter().map(|(_, g)| g.identity()).collect();
    let count = identities.len();
    identities.sort_unstable();
    identities.dedup();
    assert_eq!(identities.len(), count);
}

/// Small changes of all texts: one that keeps the identity is played in the same way.
#[test]
fn a_change_that_keeps_the_identity_changes_no_game() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let small = [Operator::Tune, Operator::SwapWord, Operator::Shrink];
    let (mut same, mut others) = (0, 0);
    for (name, genome) in genomes() {
        let signature = |genome: &Genome| {
            let program = Arc::new(genome.program().ok()?);
            perft_signature(&program, 1_000, &())
        };
        let (identity, own) = (genome.identity(), signature(&genome));
        for operator in small {
            for _ in 0..8 {
                let Some(varied) = apply(operator, &genome, &[], &mut rng) else { continue };
                if varied.child.identity() == identity {
                    same += 1;
                    assert_eq!(signature(&varied.child), own, "{name}: {}", varied.child.source());
                } else {
                    others += 1;
                }
            }
        }
    }
    assert!(others > 5 * same && same > 0, "{same} keep the identity, {others} do not");
}
