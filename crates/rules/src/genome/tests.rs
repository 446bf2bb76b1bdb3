//! Identities of all texts and of their changes.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::tree::{Atom, Slot, Tree};
use super::*;
use crate::board::{Shape, Site};
use crate::lint::{Warning, lint};
use crate::perft_signature;
use crate::symmetry::images;
use crate::tests::genomes::genomes;
use crate::tests::traces::Trace;

/// Same game with other names of kinds, and another order of kinds if no expression relies on the
/// first kind as default.
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

/// Same game with reordered arguments where the order does not matter.
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

/// Same game in a mirror that exchanges west and east.
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
    let one = palisade(["n", "ne", "se", "s", "sw", "nw"]);
    let other = palisade(["s", "sw", "nw", "n", "ne", "se"])
        .replace("(step e ", "(step w ")
        .replace("d3", "b3");
    let identity = |source: &str| Genome::read(source).unwrap().identity();
    assert_eq!(identity(&one), identity(&other));
    assert_ne!(identity(&one), identity(&one.replace("(step e ", "(step w ")));
}

#[test]
fn an_image_of_a_game_has_its_trace() {
    let game = |east: &str, word: &str| {
        let source = format!(
            "(game \"T\" (board (grid 4 5)) (start (put each (and (home 1) (not (sites {east})))))
             (play (step (or forward {word}) (to (or empty theirs)))) (end (if (in to (far 1)) (win mover))))"
        );
        Arc::new(Genome::read(&source).unwrap().program().unwrap())
    };
    let (one, other) = (game("a1", "e"), game("d1", "w"));
    let trace = |program, image: &[Site]| TRACES[1].of_image(program, image);
    let own: Vec<Site> = (0..one.board.len() as Site).collect();
    let found: BTreeSet<Vec<Site>> = images(&one.board)
        .into_iter()
        .filter(|image| trace(&other, image) == trace(&one, &own))
        .collect();
    assert!(found.len() == 1 && !found.contains(&own), "{found:?}");
}

#[test]
fn all_texts_have_identities_of_their_own() {
    let mut identities: Vec<u128> = genomes().iter().map(|(_, g)| g.identity()).collect();
    let count = identities.len();
    identities.sort_unstable();
    identities.dedup();
    assert_eq!(identities.len(), count);
}

/// Drops a part of each text. A change that keeps the identity must not change the play.
#[test]
fn a_change_that_keeps_the_identity_changes_no_game() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let (mut same, mut others) = (0, 0);
    for (name, genome) in genomes() {
        let signature = |genome: &Genome| {
            let program = Arc::new(genome.program().ok()?);
            perft_signature(&program, 1_000, &())
        };
        let identity = genome.identity();
        for _ in 0..8 {
            let varied = apply(Operator::Shrink, &genome, &[], &mut rng);
            let Some(Variation { child, .. }) = varied else { continue };
            if child.identity() == identity {
                same += 1;
                assert_eq!(signature(&child), signature(&genome), "{name}: {}", child.source());
            } else {
                others += 1;
            }
        }
    }
    assert!(others > 5 * same && same > 0, "{same} keep the identity, {others} do not");
}

/// Genome with one changed word or number, its program, and the first byte at which its one-line
/// text differs from its parent's.
struct Change {
    child: Genome,
    program: Arc<Program>,
    at: usize,
}

/// Changes of one word or number of a genome, each with a different text.
fn changes(parent: &Genome, line: &str, rng: &mut Xoshiro256PlusPlus) -> Vec<Change> {
    let mut known = vec![line.to_owned()];
    let mut found = Vec::new();
    for operator in [Operator::SwapWord, Operator::Tune] {
        for _ in 0..CHANGES {
            let Some(Variation { child, .. }) = apply(operator, parent, &[], rng) else { continue };
            let Ok(program) = child.program() else { continue };
            let text = program.normal_text().to_owned();
            if !known.contains(&text) {
                let same = line.bytes().zip(text.bytes()).take_while(|(a, b)| a == b);
                found.push(Change { at: same.count(), program: Arc::new(program), child });
                known.push(text);
            }
        }
    }
    found
}

/// Number of changes tried per operator and text.
const CHANGES: u32 = 4;

/// Random games for a comparison, from few to many. Later entries apply only if earlier ones show
/// no difference.
const TRACES: [Trace; 3] = [
    Trace { games: 2, plies: 30, follows: true },
    Trace { games: 10, plies: 80, follows: true },
    Trace { games: 30, plies: 300, follows: false },
];

/// Warnings about a text of one line.
fn said(line: &str) -> Vec<Warning> {
    let program = Arc::new(Text::read(line).unwrap().check().unwrap());
    lint(&program, &mut Xoshiro256PlusPlus::seed_from_u64(4), &mut || true).warnings
}

/// Tests whether a warning calls a part idle, or says that it never mattered, and that part
/// contains byte `at` of the line.
fn is_called_idle(line: &str, said: &[Warning], at: usize) -> bool {
    said.iter().any(|warning| {
        let begin = warning.place.column as usize - 1;
        let mut depth = 0;
        let end = line[begin..].bytes().position(|c| {
            depth += i32::from(c == b'(') - i32::from(c == b')');
            depth <= 0 && matches!(c, b')' | b' ')
        });
        let has = begin <= at && end.is_none_or(|end| at <= begin + end);
        has && matches!(warning.code, "W5" | "W6" | "W7" | "W8" | "W9")
    })
}

/// Changes one word in each text. A game that is played differently must have another identity. A
/// change that never shows must concern a part that the lint calls idle, or keep the identity.
///
/// A few changes are equivalent for reasons that neither test sees, such as `(lose first)` where
/// the mover is the first player, or a hop in directions where parity lets no piece stand.
#[test]
fn a_changed_word_changes_the_game_or_is_idle() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let (mut same, mut others, mut idle, mut unseen) = (0, 0, 0, Vec::new());
    for (name, genome) in genomes() {
        let genome = Genome { allowed: Vec::new(), ..genome.with_about(None) };
        let program = Arc::new(genome.program().unwrap());
        let line = program.normal_text();
        let of_parent: Vec<OnceCell<u64>> = vec![OnceCell::new(); TRACES.len()];
        let said_of_parent = OnceCell::new();
        for Change { child, program: changed, at } in changes(&genome, line, &mut rng) {
            let differs = TRACES.iter().zip(&of_parent).any(|(trace, of_parent)| {
                *of_parent.get_or_init(|| trace.of(&program)) != trace.of(&changed)
            });
            let keeps = child.identity() == genome.identity();
            let text = changed.normal_text();
            match (differs, keeps) {
                // Two games of one identity may be images of each other, so that their moves have
                // different names.
                (true, true) => {
                    let all = images(&program.board);
                    let own: Vec<Site> = (0..program.board.len() as Site).collect();
                    let wanted = TRACES[1].of_image(&program, &own);
                    let is_image =
                        |image: &Vec<Site>| TRACES[1].of_image(&changed, image) == wanted;
                    assert!(
                        is_image(&own) || all.iter().any(is_image),
                        "{name}: one identity of two games:\n{line}\n{text}"
                    );
                    same += 1;
                }
                (true, false) => others += 1,
                (false, true) => same += 1,
                (false, false) => {
                    let said_of_parent = said_of_parent.get_or_init(|| said(line));
                    if is_called_idle(line, said_of_parent, at)
                        || is_called_idle(text, &said(text), at)
                    {
                        idle += 1;
                    } else {
                        unseen.push(format!("{name}:\n{line}\n{text}"));
                    }
                }
            }
        }
    }
    let counts = format!("{others} differ, {same} are the same, {idle} are idle");
    let all = others + same + idle + unseen.len();
    assert!(unseen.len() * 40 <= all, "{counts}, nothing shows these:\n{}", unseen.join("\n\n"));
    assert!(others > 150 && idle > 3, "{counts}");
}
