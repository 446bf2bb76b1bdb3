use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::genome::board_spec::BoardSpec;
use crate::genome::tree::{Slot, When};
use crate::tests::genomes::genomes;
use crate::words::Sort;

fn all() -> Vec<Genome> {
    genomes().into_iter().map(|(_, genome)| genome).collect()
}

#[test]
fn a_text_that_is_whole_needs_no_mending() {
    for (name, genome) in genomes() {
        let mut mended = genome.clone();
        assert!(mended.fit().is_some(), "{name}");
        assert_eq!(mended.source(), genome.source(), "{name}");
    }
}

/// Chains of children of all texts: the checker refuses a child for its size only.
#[test]
fn the_checker_refuses_no_child_but_those_that_are_too_large() {
    let donors = all();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut made, mut large) = (0u32, 0u32);
    let mut of = [0u32; Operator::ALL.len()];
    for parent in &donors {
        for _ in 0..16 {
            let mut genome = parent.clone();
            for _ in 0..6 {
                let n = uniform_below(&mut rng, Operator::ALL.len() as u32) as usize;
                let operator = Operator::ALL[n];
                let Some((child, _)) = attempt(operator, &genome, &donors, &mut rng) else {
                    continue;
                };
                made += 1;
                of[n] += 1;
                match child.unproved() {
                    Ok(_) if is_admitted(&genome, &child) => genome = child,
                    Ok(_) => {}
                    Err(mistakes) => {
                        let too_large = mistakes
                            .list()
                            .iter()
                            .all(|mistake| mistake.message.contains("they need more than"));
                        let source = child.source();
                        assert!(too_large, "{operator:?}: {}\n{source}", mistakes.text(&source));
                        large += 1;
                    }
                }
            }
        }
    }
    assert!(made > 2_500, "{made} children");
    assert!(of.iter().all(|&n| n > 150), "{of:?}");
    assert!(large * 50 < made, "{large} of {made} children are too large");
}

/// Children that operators return can be refused only because the game is unplayable.
#[test]
fn a_child_that_is_refused_cannot_be_played() {
    let donors = all();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let (mut made, mut refused) = (0u32, 0u32);
    for parent in &donors {
        for _ in 0..8 {
            let Some(Variation { child, .. }) = vary(parent, &donors, &mut rng) else {
                panic!("nothing to change in {}", parent.source());
            };
            made += 1;
            assert!(child.nodes() <= NODES_MAX.max(parent.nodes()));
            assert_ne!(child.source(), parent.source());
            if let Err(mistakes) = child.program() {
                let message = &mistakes.list()[0].message;
                let unplayable = ["no legal first move", "every first move ends"];
                assert!(unplayable.iter().any(|why| message.contains(why)), "{message}");
                refused += 1;
            }
        }
    }
    assert!(refused * 4 < made, "{refused} of {made} children cannot be played");
}

#[test]
fn each_operator_finds_something_in_most_texts() {
    let donors = all();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for operator in Operator::ALL {
        let found = donors.iter().filter(|parent| {
            apply(operator, parent, &donors, &mut rng).is_some_and(|variation| {
                assert_eq!(variation.operator, operator);
                assert_eq!(variation.donor.is_some(), operator == Operator::Cross);
                true
            })
        });
        let found = found.count();
        assert!(found * 10 >= donors.len() * 9, "{operator:?}: {found} of {}", donors.len());
    }
}

#[test]
fn a_cross_has_a_part_of_its_donor() {
    let parent = Genome::read(
        "(game \"A\" (board (grid 5 5)) (pieces (man each)) (start (put each man (home 1)))
         (play (step man all)) (end (if (none theirs) (win mover))))",
    )
    .unwrap();
    let donor = Genome::read(
        "(game \"B\" (board (rhombus 9 9)) (pieces (wall neutral) (elk each (hand 3)))
         (play (place elk (then (put neutral wall (next to)))))
         (end (if (makes (line 9)) (win mover))))",
    )
    .unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut sources = String::new();
    for _ in 0..60 {
        let Some(variation) =
            apply(Operator::Cross, &parent, std::slice::from_ref(&donor), &mut rng)
        else {
            continue;
        };
        assert_eq!(variation.donor, Some(0));
        sources += &variation.child.source();
    }
    // A line becomes one that fits, a kind becomes another one, and a neutral kind is copied.
    assert!(sources.contains("(makes (line 5))"), "{sources}");
    assert!(sources.contains("(place man"), "{sources}");
    assert!(sources.contains("(wall neutral)"), "{sources}");
    assert!(sources.contains("(put neutral wall (next to))"), "{sources}");
}

#[test]
fn another_board_says_the_start_by_home_rows() {
    let parent = Genome::read(
        "(game \"A\" (board (grid 6 6))
         (start (put first (sites a1 b1 c1 d1 e1 f1)) (put second (row 6)))
         (play (step all)) (end (if (in to (row 6)) (win mover)) (if (makes (line 6)) draw)))",
    )
    .unwrap();
    let mut child = parent.clone();
    let spec = BoardSpec::of_shape(crate::board::Shape::Grid { cols: 4, rows: 4, levels: 1 });
    board::move_to(&mut child, spec).unwrap();
    child.fit().unwrap();
    let source = child.source();
    assert!(source.contains("(put first stone (home 1)) (put second stone (home 1))"), "{source}");
    assert!(source.contains("(in to (row 4))"), "{source}");
    assert!(source.contains("(makes (line 4))"), "{source}");
    assert!(child.unproved().is_ok());
}

/// For every sort and context, random expressions contain only words that the board has.
#[test]
fn random_expressions_have_only_words_of_their_board() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut found = 0;
    for genome in all() {
        for sort in Sort::ALL {
            for when in [When::Before, When::OfMove] {
                for depth in 0..4 {
                    let slot = Slot::Word(sort, when);
                    let made = grow::Grower::new(genome.ground(), &mut rng).expression(slot, depth);
                    let Some(tree) = made else { continue };
                    found += 1;
                    assert_eq!(tree.slot, slot);
                    tree.walk(None, &mut |node, _| {
                        if let Slot::Word(sort, when) = node.slot
                            && node.int().is_none()
                        {
                            let has = genome.ground().has(sort, node.head(), when);
                            assert!(has, "{} in {}", node.head(), genome.source());
                        }
                    });
                }
            }
        }
    }
    assert!(found > 1_500, "{found} expressions");
}

#[test]
fn weights_are_kept() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    let mut counts = [0; 3];
    for _ in 0..1_000 {
        counts[weighted(&[3, 0, 1], &mut rng).unwrap()] += 1;
    }
    assert_eq!(counts[1], 0);
    assert!((650..850).contains(&counts[0]), "{counts:?}");
    assert_eq!(weighted(&[0, 0], &mut rng), None);
    let sum: u32 = Operator::ALL.iter().map(|operator| operator.weight()).sum();
    assert_eq!(sum, 39);
}
