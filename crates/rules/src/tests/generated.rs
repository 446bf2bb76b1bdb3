//! Generated texts: the fast player and the definition agree on combinations that nobody wrote.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Plies, uniform_below};

use super::agreement::Agree;
use super::genomes::genomes;
use crate::game::visit;
use crate::genome::smaller;
use crate::{Genome, Program, vary};

/// The sites of the largest board: the definition looks at each for every word.
const SITES_MAX: usize = 64;

/// The texts that are generated in a build with checks, and in one without.
const TEXTS: u32 = if cfg!(debug_assertions) { 600 } else { 20_000 };

/// Small texts of all kinds, to begin with.
fn parents() -> Vec<Genome> {
    let small = |genome: &Genome| {
        genome.program().is_ok_and(|program| program.board.sites().count() <= SITES_MAX)
    };
    genomes().into_iter().map(|(_, genome)| genome).filter(small).collect()
}

/// Children of children, each a game that can be played.
fn generated(seed: u64, count: u32, mut each: impl FnMut(u32, &Genome, Program)) {
    let parents = parents();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut number = 0;
    while number < count {
        let parent = uniform_below(&mut rng, parents.len() as u32) as usize;
        let mut genome = parents[parent].clone();
        for _ in 0..4 {
            let Some(varied) = vary(&genome, &parents, &mut rng) else { break };
            let Ok(program) = varied.child.program() else { break };
            if program.board.sites().count() > SITES_MAX {
                break;
            }
            genome = varied.child;
            each(number, &genome, program);
            number += 1;
        }
    }
}

/// Whether the two disagree on some games of a text; what they say.
fn disagreement(genome: &Genome, program: Program, seed: u64) -> Option<String> {
    let program = Arc::new(program);
    let name = genome.source();
    // Now and then a game is played on, to captures, promotions and ends.
    let plies = if seed.is_multiple_of(16) { 40 } else { 6 };
    let agree = Agree { name: &name, games: 1, plies, seed };
    let played = catch_unwind(AssertUnwindSafe(|| visit(&program, Plies(1_000), agree)));
    let said = played.err()?;
    let text = said.downcast_ref::<String>().cloned();
    Some(text.unwrap_or_else(|| "it says nothing".to_owned()))
}

/// The smallest genome on which the two disagree, made of one on which they do by cuts.
fn least(mut genome: Genome, seed: u64) -> String {
    loop {
        let next = smaller(&genome).into_iter().find(|cut| {
            cut.program().is_ok_and(|program| disagreement(cut, program, seed).is_some())
        });
        match next {
            Some(cut) => genome = cut,
            None => return genome.source(),
        }
    }
}

#[test]
fn generated_texts_are_played_as_the_language_is_defined() {
    generated(21, TEXTS, |number, genome, program| {
        let seed = u64::from(number);
        if let Some(said) = disagreement(genome, program, seed) {
            panic!("text {number}: {said}\nthe least text:\n{}", least(genome.clone(), seed));
        }
    });
}

/// Texts with some bytes damaged are read or refused, and all that is read is played or refused.
#[test]
fn damaged_texts_are_read_or_refused() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
    let (mut read, mut refused) = (0, 0);
    generated(23, 500, |_, genome, _| {
        for _ in 0..6 {
            let mut bytes = genome.source().into_bytes();
            for _ in 0..=uniform_below(&mut rng, 3) {
                let at = uniform_below(&mut rng, bytes.len() as u32) as usize;
                match uniform_below(&mut rng, 4) {
                    0 => bytes[at] = uniform_below(&mut rng, 256) as u8,
                    1 => {
                        bytes.remove(at);
                    }
                    2 => bytes.insert(at, b"()\" 0-9ao;"[uniform_below(&mut rng, 10) as usize]),
                    _ => {
                        let to = uniform_below(&mut rng, bytes.len() as u32) as usize;
                        let copied = bytes[at.min(to)..at.max(to)].to_vec();
                        let copied = &copied[..copied.len().min(40)];
                        bytes.splice(at..at, copied.iter().copied());
                    }
                }
            }
            match Genome::read(&String::from_utf8_lossy(&bytes)) {
                Ok(damaged) => {
                    read += 1;
                    assert_eq!(Genome::read(&damaged.source()).unwrap().source(), damaged.source());
                    let _ = damaged.program();
                }
                Err(mistakes) => {
                    refused += 1;
                    assert!(!mistakes.list().is_empty());
                }
            }
        }
    });
    assert!(read > 100 && refused > 100, "{read} are read, {refused} are refused");
}
