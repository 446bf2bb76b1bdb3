//! Generated texts: fast play and the reference agree on combinations that nobody wrote.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Plies, uniform_below};
use treegauge_testkit::{Laws, laws};

use super::agreement::Agree;
use super::genomes::genomes;
use super::loops::Before;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::genome::smaller;
use crate::state::{BoardWord, State};
use crate::tree::Family;
use crate::{Genome, MISTAKES_MAX, Mistake, Mistakes, Program, Text, vary};

/// Largest number of sites of a board, because the reference visits every site for every word.
const SITES_MAX: usize = 64;

/// Largest number of moves of positions whose single plies are played many times.
const MOVES_MAX: usize = 100;

/// Amount of play.
#[derive(Clone, Copy)]
struct Amount {
    texts: u32,
    /// Number of random games of each text.
    games: u32,
}

impl Amount {
    /// Few texts by default. The environment variable `GENERATED_TEXTS` asks for a number of texts,
    /// with more games of each.
    fn asked() -> Amount {
        match std::env::var("GENERATED_TEXTS") {
            Ok(texts) => Amount { texts: texts.parse().expect("it is a number"), games: 20 },
            Err(_) => Amount { texts: 450, games: 2 },
        }
    }
}

/// Small texts of all kinds, the first parents.
fn parents() -> Vec<Genome> {
    let small = |genome: &Genome| {
        genome.program().is_ok_and(|program| program.board.sites().count() <= SITES_MAX)
    };
    genomes().into_iter().map(|(_, genome)| genome).filter(small).collect()
}

/// Generates descendants of the parents. Each is a playable game.
pub(super) fn generated(seed: u64, count: u32, mut each: impl FnMut(u32, &Genome, Program)) {
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

/// Compares games of a text in fast play and in the reference, single plies from some of their
/// positions, and whole games of the specialized loop.
struct Held<'a> {
    name: &'a str,
    games: u32,
    seed: u64,
}

impl RulesVisitor for Held<'_> {
    type Output = &'static str;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> &'static str {
        let Held { name, games, seed } = self;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut uniform = |state: &State<W>, moves: &[M]| {
            if moves.len() <= MOVES_MAX && uniform_below(&mut rng, 4) == 0 {
                let before = Before { state, moves, quiet: Plies(0) };
                before.single_plies(name, &game, 10, &mut rng);
            }
        };
        let agree = Agree { name, games, plies: 6, seed, moves_max: 500 * games };
        agree.play(&game, &mut uniform);
        // Some games are played further, to reach captures, promotions and ends.
        if games > 2 || seed.is_multiple_of(16) {
            let (games, seed) = (games.div_ceil(10), seed + 1);
            let long = Agree { games, plies: 40, seed, ..agree };
            long.play(&game, &mut |_, _| {});
        }
        let name = game.loop_name();
        if name != "general" && game.move_count(&game.start()) as usize <= MOVES_MAX {
            laws::playouts(&game, Laws { games: 1, every: 1, playouts: 60, seed });
        }
        name
    }
}

/// Name of the loop of a text; the panic message if fast play and the reference disagree.
fn held(genome: &Genome, program: Program, games: u32, seed: u64) -> Result<&'static str, String> {
    let program = Arc::new(program);
    let name = genome.source();
    let held = Held { name: &name, games, seed };
    catch_unwind(AssertUnwindSafe(|| visit(&program, Plies(60), held))).map_err(|said| {
        let text = said.downcast_ref::<String>().cloned();
        text.unwrap_or_else(|| "it says nothing".to_owned())
    })
}

/// Smallest text on which they still disagree, found by cutting a genome on which they do.
fn least(mut genome: Genome, games: u32, seed: u64) -> String {
    loop {
        let next = smaller(&genome).into_iter().find(|cut| {
            cut.program().is_ok_and(|program| held(cut, program, games, seed).is_err())
        });
        match next {
            Some(cut) => genome = cut,
            None => return genome.source(),
        }
    }
}

#[test]
fn generated_texts_are_played_as_the_language_is_defined() {
    let Amount { texts, games } = Amount::asked();
    let mut loops: BTreeMap<&str, u32> = BTreeMap::new();
    generated(21, texts, |number, genome, program| {
        let seed = u64::from(number);
        match held(genome, program, games, seed) {
            Ok(name) => *loops.entry(name).or_default() += 1,
            Err(said) => {
                let least = least(genome.clone(), games, seed);
                panic!("text {number}: {said}\nthe least text:\n{least}");
            }
        }
    });
    println!("texts by their loop: {loops:?}");
    assert_eq!(loops.len(), 7, "each loop plays some of the texts: {loops:?}");
}

/// Text with some bytes changed, removed, added or copied to another place.
fn damaged(source: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut bytes = source.as_bytes().to_vec();
    for _ in 0..=uniform_below(rng, 3) {
        let at = uniform_below(rng, bytes.len() as u32) as usize;
        match uniform_below(rng, 4) {
            0 => bytes[at] = uniform_below(rng, 256) as u8,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, b"()\" 0-9ao;"[uniform_below(rng, 10) as usize]),
            _ => {
                let to = uniform_below(rng, bytes.len() as u32) as usize;
                let copied = bytes[at.min(to)..at.max(to)].to_vec();
                let copied = &copied[..copied.len().min(40)];
                bytes.splice(at..at, copied.iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Checks that the mistakes of a refused text have places inside the text and are not too long.
fn is_refused_well(source: &str, mistakes: &Mistakes) {
    let list = mistakes.list();
    assert!((1..=MISTAKES_MAX).contains(&list.len()), "{} mistakes: {source}", list.len());
    for Mistake { place, message, .. } in list {
        // The end of a line is a valid place.
        let line = source.split('\n').nth(place.line as usize - 1);
        let columns = line.map_or(0, |line| line.chars().count() as u32 + 1);
        assert!((1..=columns).contains(&place.column), "{place:?} of {message}: {source}");
        assert!(!message.is_empty() && !message.ends_with('.'), "{message}");
    }
    // A message may quote a word of the text, whose length has a limit.
    let said = mistakes.text("a.rules").len();
    assert!(said <= MISTAKES_MAX * (4_096 + 2 * source.len()), "{said} bytes are said of {source}");
}

/// Texts with damaged bytes are read or refused, and every text that is read is played or refused.
#[test]
fn damaged_texts_are_read_or_refused() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
    let (mut read, mut refused) = (0, 0);
    generated(23, 400, |_, genome, _| {
        for _ in 0..12 {
            let source = damaged(&genome.source(), &mut rng);
            match Genome::read(&source) {
                Ok(damaged) => {
                    read += 1;
                    assert_eq!(Genome::read(&damaged.source()).unwrap().source(), damaged.source());
                    if let Err(mistakes) = damaged.program() {
                        is_refused_well(&damaged.source(), &mistakes);
                    }
                }
                Err(mistakes) => {
                    refused += 1;
                    is_refused_well(&source, &mistakes);
                }
            }
        }
    });
    assert!(read > 100 && refused > 100, "{read} are read, {refused} are refused");
}

/// Very large texts of several kinds are read or refused, and the memory that they take has a
/// limit.
#[test]
fn the_largest_texts_take_little_memory() {
    const BYTES_MAX: usize = 8 * 1024 * 1024;
    let game = |board: &str, play: &str, end: &str| {
        format!("(game \"T\" (board {board}) (play {play}) (end {end} (stuck draw)))")
    };
    let grid = "(grid 22 22)";
    let dirs =
        ["n", "e", "ne", "nw", "(or n e)", "(or n ne)", "(or n nw)", "(or e ne)", "(or e nw)"];
    let mut lines = String::new();
    for length in 2..=22 {
        for dirs in dirs {
            for exactly in ["", "exactly"] {
                lines += &format!("(if (makes (line {length} {dirs} {exactly})) draw) ");
            }
        }
    }
    let many = "(and everywhere (home 9) (not (rows 1 20)) (columns 3 9)) ".repeat(250);
    let line =
        |n: usize| (0..20).map(|at| format!(" s{}", (n * 7 + at * 26) % 512)).collect::<String>();
    let drawn: String = (0..100).map(|n| format!("(line{}) ", line(n))).collect();
    let deep = format!("{}(place){}", "(or ".repeat(59), " (place))".repeat(59));
    let wide = format!("(or {})", "(place) ".repeat(2_000));
    let texts = [
        game(grid, "(place)", &lines),
        game(grid, &format!("(place (to (or empty {many})))"), ""),
        game(&format!("(graph {drawn})"), "(place)", ""),
        game(grid, &deep, ""),
        game(grid, &wide, ""),
        game(grid, &format!("({})", "a".repeat(60_000)), ""),
        game(grid, &format!("(place) {}", "x ".repeat(4_900)), ""),
        format!("(game \"{}\")", "n".repeat(65_000)),
        "(".repeat(65_536),
        "a".repeat(65_537),
    ];
    let (mut read, mut refused) = (0, 0);
    for source in texts {
        match Text::read(&source).and_then(|text| text.check()) {
            Ok(program) => {
                read += 1;
                let families: usize = program.families.iter().map(Family::bytes).sum();
                let ways = program.board.directions.len() * program.board.len();
                // Each direction is stored as drawn links and as straight lines, four bytes per
                // site.
                let bytes = families + 8 * ways + program.normal.len();
                assert!(bytes <= BYTES_MAX, "{bytes} bytes of {}", &source[..200]);
            }
            Err(mistakes) => {
                refused += 1;
                is_refused_well(&source, &mistakes);
            }
        }
    }
    assert_eq!((read, refused), (2, 8));
}
