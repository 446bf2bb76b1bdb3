//! Explanations of texts in plain English.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::genomes::genomes;
use super::layout::text_with;
use super::{program, programs};
use crate::{Operator, WORDS, apply, explain, perft_signature};

#[test]
fn every_text_has_its_explanation() {
    for (name, program) in programs() {
        insta::with_settings!({ snapshot_path => "explanations", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name.clone(), explain(&program).to_string());
        });
    }
}

#[test]
fn every_word_has_a_phrase() {
    let mut all = String::new();
    for word in WORDS {
        let explanation = explain(&program(&text_with(word)));
        for section in &explanation.sections {
            for paragraph in &section.paragraphs {
                let text = &paragraph.text;
                assert!(text.ends_with(['.', ':']), "{}: {text}", word.name);
                assert!(!text.contains("  ") && !text.contains(" ."), "{}: {text}", word.name);
            }
        }
        all.push_str(&format!("{} {}: {}\n{explanation}\n", word.sort, word.name, word.example));
    }
    insta::with_settings!({ snapshot_path => "explanations", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("all_words", all);
    });
}

/// Texts that are changed in one place, and are another game, are described in other words.
#[test]
fn two_different_games_never_have_the_same_english() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
    let (mut compared, mut alike) = (0, Vec::new());
    for (name, genome) in genomes() {
        let (identity, english) =
            (genome.identity(), explain(&genome.program().unwrap()).to_string());
        for operator in Operator::ALL {
            for _ in 0..3 {
                let Some(varied) = apply(operator, &genome, &[], &mut rng) else { continue };
                let child = varied.child;
                // Some changes make a game that cannot be played.
                let Ok(program) = child.program() else { continue };
                if child.identity() == identity {
                    continue;
                }
                compared += 1;
                // Some changes leave every position as it is: `(or A A)` is `A`.
                let plays = |program| perft_signature(program, 3_000, &()).unwrap();
                if explain(&program).to_string() == english
                    && plays(&Arc::new(program)) != plays(&Arc::new(genome.program().unwrap()))
                {
                    alike.push(format!("{name}: {}", child.source()));
                }
            }
        }
    }
    assert!(compared > 300, "{compared} pairs");
    assert!(alike.is_empty(), "{} of {compared}: {}", alike.len(), alike.join("\n"));
}

/// Pairs of boards with the same number of sites and other lines.
#[test]
fn drawn_boards_with_other_lines_have_other_english() {
    let game = |graph: &str| {
        let source = format!(
            "(game \"L\" (board (graph {graph})) (pieces (man each)) (play (place))
             (end (if (makes (line 3)) (win mover)) (stuck draw)))"
        );
        explain(&program(&source)).to_string()
    };
    let boards = [
        "(line e d a b c)",
        "(line e d a) (line a b c)",
        "(line e d) (line d a b c)",
        "(track (line e d a b c))",
        "(track (line e d a) (line b c))",
        "(line e d a) (track (line a b c))",
    ];
    for (n, one) in boards.iter().enumerate() {
        for other in &boards[..n] {
            assert_ne!(game(one), game(other), "{one} and {other}");
        }
    }
}

/// Lists of direction words that lead to other sites have other explanations.
#[test]
fn other_directions_have_other_english() {
    let words = [
        "n",
        "ne",
        "e",
        "se",
        "s",
        "sw",
        "w",
        "nw",
        "forward",
        "backward",
        "sideways",
        "orthogonal",
        "diagonal",
        "forward-diagonal",
        "backward-diagonal",
        "all",
    ];
    let mut lists: Vec<String> = words.map(str::to_owned).to_vec();
    for (n, one) in words.iter().enumerate() {
        lists.extend(words[n + 1..].iter().map(|other| format!("(or {one} {other})")));
        lists.extend(["n", "se", "sideways"].map(|third| format!("(or {one} forward {third})")));
    }
    let mut known: Vec<(String, String, [Vec<u8>; 2])> = Vec::new();
    for list in lists {
        let program = program(&format!(
            "(game \"D\" (board (grid 5 5)) (pieces (man each)) (start (put first man (sites b2 d2)) (put second man (sites b4 d4)))
              (play (step man {list})) (end (stuck (lose mover))))"
        ));
        let crate::tree::Moves::Mover(mover) = &program.body.play else { panic!("{list}") };
        let crate::tree::Verb::Step(dirs) = &mover.verb else { panic!("{list}") };
        let mut dirs = dirs.clone();
        for player in &mut dirs {
            player.sort_unstable();
            player.dedup();
        }
        let english = explain(&program).to_string();
        for (other, words, of_other) in &known {
            let is_same = *of_other == dirs;
            assert_eq!(*words == english, is_same, "{list} and {other}: {words}");
        }
        known.push((list, english, dirs));
    }
    assert!(known.len() > 150, "{}", known.len());
}
