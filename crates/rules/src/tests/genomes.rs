//! Genomes of all texts, and their children.

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::texts;
use crate::{Genome, Operator, Text, apply, vary};

/// Genomes of all valid texts, by name.
pub(crate) fn genomes() -> Vec<(String, Genome)> {
    let genome = |(name, source): (String, String)| {
        let genome = Genome::read(&source);
        let genome = genome.unwrap_or_else(|mistakes| panic!("{}", mistakes.text(&name)));
        (name, genome)
    };
    texts("rules").into_iter().map(genome).collect()
}

#[test]
fn a_genome_reads_back_and_is_the_game_of_its_text() {
    for ((name, genome), (_, program)) in genomes().into_iter().zip(super::programs()) {
        let source = genome.source();
        let again = Genome::read(&source).unwrap_or_else(|m| panic!("{}", m.text(&source)));
        assert_eq!(again.source(), source, "{name}");
        assert_eq!(crate::format(&source).unwrap(), source, "{name}");
        let played = genome.program().unwrap();
        assert_eq!(played.body, program.body, "{name}");
        assert_eq!(played.start, program.start, "{name}");
        assert_eq!(played.kinds, program.kinds, "{name}");
        assert_eq!(played.families, program.families, "{name}");
        assert_eq!(played.turns, program.turns, "{name}");
    }
}

#[test]
fn options_are_fixed_at_their_values() {
    let (_, source) = texts("rules").into_iter().find(|(name, _)| name == "mnk_options").unwrap();
    let text = Text::read(&source).unwrap();
    let values = [("width".to_owned(), 5), ("k2".to_owned(), 4)];
    let genome = Genome::of(&text, &values).unwrap();
    assert!(genome.source().contains("(board (grid 5 4))"), "{}", genome.source());
    assert!(genome.source().contains("(makes (line 4))"), "{}", genome.source());
    assert!(!genome.source().contains("width"), "{}", genome.source());
    let expected = text.check_with(&values).unwrap();
    assert_eq!(genome.program().unwrap().body, expected.body);
}

#[test]
fn a_name_that_no_text_can_have_is_made_one() {
    let (_, genome) = genomes().swap_remove(0);
    let genome = genome.with_name("A \"new\"\ngame").with_about(Some("Of \"this\".\n"));
    let again = Genome::read(&genome.source()).unwrap();
    assert_eq!((again.name(), again.source()), ("A newgame", genome.source()));
    let long = genome.with_name(&"é".repeat(50));
    assert_eq!(Genome::read(&long.source()).unwrap().name(), "é".repeat(40));
}

#[test]
fn children_are_games_of_the_language() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for (name, genome) in genomes() {
        for operator in Operator::ALL {
            for _ in 0..5 {
                let Some(varied) = apply(operator, &genome, &[], &mut rng) else { continue };
                let source = varied.child.source();
                assert_ne!(source, genome.source(), "{name}");
                let again = Genome::read(&source);
                let again = again.unwrap_or_else(|m| panic!("{name}: {}", m.text(&source)));
                assert_eq!(again.source(), source, "{name}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_child() {
    let genomes: Vec<_> = genomes().into_iter().map(|(_, genome)| genome).collect();
    let child = |seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut genome = genomes[seed as usize % genomes.len()].clone();
        for _ in 0..4 {
            genome = vary(&genome, &genomes, &mut rng).unwrap().child;
        }
        genome.source()
    };
    assert!((0..20).all(|seed| child(seed) == child(seed)));
}
