//! Ids of moves, tensors, and moves taken back, in all games.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use treegauge_catalog::FAMILIES;
use treegauge_core::{Capability, Ending};
use treegauge_engine::{Line, PlayError};
use treegauge_search::Seed;

use crate::common::{all_engines, open};

fn tensor_of(line: &Line) -> Vec<f32> {
    let len: u32 = line.tensor_shape().unwrap().iter().product();
    let mut tensor = vec![f32::NAN; len as usize];
    assert!(line.write_tensor(&mut tensor));
    tensor
}

#[test]
fn no_game_is_longer_than_its_bound() {
    let mut bounded = 0;
    for (engine, _) in all_engines() {
        let info = engine.info();
        let Some(bound) = info.plies_max else { continue };
        bounded += 1;
        for seed in 0..20 {
            let mut line = engine.start();
            line.random_plies(u32::MAX, &mut Seed(seed).generator());
            assert!(line.ply() <= bound, "{}", info.canonical_name);
        }
    }
    assert!(bounded >= 10, "{bounded} games with a bound");
    let longest = |name| open(name).info().plies_max.map(|plies| plies.0);
    assert_eq!(longest("tic_tac_toe"), Some(9));
    assert_eq!(longest("dots_and_boxes(rows=2,cols=3)"), Some(17));
    assert_eq!(longest("achi"), None);
}

#[test]
fn moves_are_taken_back_one_by_one() {
    for (engine, _) in all_engines() {
        let name = &engine.info().canonical_name;
        let mut rng = Seed(4).generator();
        let mut line = engine.start();
        let mut before: Vec<Line> = Vec::new();
        while before.len() < 200 && line.ended().is_none() {
            let number = line.random_move(&mut rng).unwrap();
            before.push(line.clone());
            line.play(number);
        }
        // Moves that are taken back and played again leave no trace.
        for n in [1, 15, 16, 17, 40].into_iter().filter(|&n| n <= before.len()) {
            let (mut again, played) = (line.clone(), line.played());
            (0..n).for_each(|_| assert!(again.undo()));
            played[played.len() - n..].iter().for_each(|&number| again.play(number));
            assert_eq!(again, line, "{name}");
            assert_eq!((again.ended(), again.ply()), (line.ended(), line.ply()), "{name}");
            assert_eq!(again.position_text(), line.position_text(), "{name}");
        }
        for (ply, earlier) in before.iter().enumerate().rev() {
            assert!(line.undo(), "{name}");
            assert_eq!(line, *earlier, "{name} at ply {ply}");
            assert_eq!(line.ply(), earlier.ply(), "{name}");
            assert_eq!(line.position_text(), earlier.position_text(), "{name} at ply {ply}");
            assert_eq!(line.ended(), None, "{name} at ply {ply}");
            if ply % 20 == 3 {
                // The history that ends games is the same, too.
                let ends = [&line, earlier].map(|line| {
                    let mut line = line.clone();
                    line.random_plies(u32::MAX, &mut Seed(ply as u64).generator());
                    (line.ended(), line.played())
                });
                assert_eq!(ends[0], ends[1], "{name} at ply {ply}");
            }
        }
        assert!(!line.undo(), "{name}");
        assert_eq!(line, engine.start(), "{name}");
    }
}

#[test]
fn a_move_taken_back_does_not_count_as_a_repetition() {
    let mut line = open("nine_mens_morris").start();
    line.random_plies(18, &mut Seed(1).generator());
    let (start, mut lines) = (line.clone(), 0);
    // Playing and taking back the same move many times repeats no position.
    for number in 0..line.move_count() {
        for _ in 0..3 {
            line.play(number);
            assert_ne!(line.ended().map(|ended| ended.by), Some(Ending::Repetition));
            line.undo();
        }
        assert_eq!(line, start);
        lines += 1;
    }
    assert!(lines > 0);
}

#[test]
fn ids_play_the_moves_whose_texts_they_stand_for() {
    let mut with_ids = BTreeSet::new();
    for (engine, _) in all_engines() {
        let info = engine.info();
        let name = &info.canonical_name;
        let has = |capability| info.capabilities.contains(&capability);
        assert_eq!(info.action_count.is_some(), has(Capability::Actions), "{name}");
        let mut actions = Vec::new();
        let Some(count) = info.action_count else {
            let mut line = engine.start();
            assert!(!line.actions_into(&mut actions) && actions.is_empty(), "{name}");
            assert_eq!((line.action_count(), line.action_of(0)), (None, None), "{name}");
            assert_eq!(line.play_action(0), Err(PlayError::NoActions), "{name}");
            continue;
        };
        with_ids.insert(info.spec.family().name);
        let mut rng = Seed(7).generator();
        let (mut line, mut by_text) = (engine.start(), engine.start());
        while line.ended().is_none() && line.ply().0 < 150 {
            assert!(line.actions_into(&mut actions));
            assert_eq!(actions.len(), line.move_count() as usize, "{name}");
            assert!(actions.is_sorted_by(|a, b| a < b), "{name}: {actions:?}");
            assert_eq!(line.action_count(), Some(count));
            let number = line.random_move(&mut rng).unwrap();
            let action = line.action_of(number).unwrap();
            assert!(actions.contains(&action) && action < count, "{name}");
            assert_eq!(line.action_number(action), Ok(number), "{name}");
            let text = line.action_text(action).unwrap();
            assert_eq!(text, line.move_text(number), "{name}");
            by_text.play_text(&text).unwrap();
            line.play_action(action).unwrap();
            assert_eq!(line, by_text, "{name}");
        }
        let refused = Err(PlayError::Action { action: count, count });
        assert_eq!(line.play_action(count), refused, "{name}");
        if let Some(ended) = line.ended() {
            assert!(line.actions_into(&mut actions) && actions.is_empty(), "{name}");
            let refused = Err(PlayError::Over { text: "0".to_owned(), by: ended.by });
            assert_eq!(line.play_action(0), refused, "{name}");
        }
    }
    let families = FAMILIES.iter().filter(|family| with_ids.contains(family.name));
    assert_eq!(families.count(), 19, "{with_ids:?}");
}

#[test]
fn refused_ids_are_answered_with_the_reason() {
    let mut line = open("tic_tac_toe").start();
    line.play_action(4).unwrap();
    assert_eq!(line.played_texts(), ["b2"]);
    let before = line.clone();
    let said = |line: &mut Line, action| line.play_action(action).unwrap_err().to_string();
    assert_eq!(said(&mut line, 4), "action 4 is not legal here");
    assert_eq!(said(&mut line, 9), "action 9 is out of range: there are 9, counted from 0");
    assert_eq!(line.action_text(9), Err(PlayError::Action { action: 9, count: 9 }));
    assert_eq!(line, before);
    assert_eq!(
        said(&mut open("checkers").start(), 0),
        "the moves of this game have no ids; play them by their texts or their numbers"
    );
}

#[test]
fn tensors_of_all_games_follow_the_position() {
    for (engine, _) in all_engines() {
        let info = engine.info();
        let name = &info.canonical_name;
        assert!(info.capabilities.contains(&Capability::Tensor), "{name}");
        let shape = info.tensor_shape.clone().unwrap();
        assert!(
            (2..=4).contains(&shape.len()) && shape.iter().all(|&n| n > 0),
            "{name}: {shape:?}"
        );
        let mut line = engine.start();
        assert_eq!(line.tensor_shape(), Some(shape), "{name}");
        let mut tensors = vec![tensor_of(&line)];
        for _ in 0..30 {
            if line.random_plies(1, &mut Seed(2).generator()).is_empty() {
                break;
            }
            tensors.push(tensor_of(&line));
        }
        // A tensor is of the position alone: taken back, it is the same.
        for tensor in tensors.iter().rev() {
            assert_eq!(tensor_of(&line), *tensor, "{name}");
            line.undo();
        }
        assert!(
            tensors.windows(2).all(|pair| pair[0] != pair[1]),
            "{name}: a move changes nothing"
        );
    }
}

#[test]
fn ids_are_the_same_in_all_versions() {
    // Each id is computed by hand from the table of docs/library.md.
    let known = [
        ("tic_tac_toe", "a2", 3),
        ("wild_tic_tac_toe", "Ob1", 2 + 1),
        ("connect_four", "d", 3),
        ("qubic", "432", 16 + 4 * 2 + 3),
        ("achi", "b2", 4 * 9 + 4),
        ("alak", "c", 2),
        ("othello", "d3", 2 * 8 + 3),
        ("othello(size=4)", "a2", 4),
        ("breakthrough", "c2-d3", 2 * ((8 + 2) * 64 + 2 * 8 + 3)),
        ("dots_and_boxes", "h11", 0),
        ("dots_and_boxes", "v11", 5 * 4),
        ("dots_corridor", "3", 3),
        ("dipole", "e1-g3", 2 * 45 + 4 * 2 + 3),
        ("finger_game", "RL", 2),
        ("forms", "a1xa3", 2 * 6),
        ("isolation", "c4", (3 * 7 + 2) * 49 + 3 * 7 + 2),
        ("kalah", "3", 2),
        ("nine_mens_morris", "d2", (9 * 24 + 9) * 24 + 9),
        ("oware", "1", 0),
        ("one_to_ten", "2", 2),
        ("mnk", "h8", 7 * 15 + 7),
    ];
    for (game, text, action) in known {
        let line = open(game).start();
        let number = line.move_number(text).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(line.action_of(number), Some(action), "{game}: {text}");
    }
}

#[test]
fn planes_are_in_the_order_of_the_documents() {
    let planes = |game: &str, moves: &str| {
        let mut line = open(game).start();
        let moves: Vec<&str> = moves.split_whitespace().collect();
        line.play_texts(&moves).unwrap();
        let shape = line.tensor_shape().unwrap();
        let len = shape[1..].iter().product::<u32>() as usize;
        let tensor = tensor_of(&line);
        (shape, tensor.chunks(len).map(<[f32]>::to_vec).collect::<Vec<_>>())
    };
    let (shape, of) = planes("tic_tac_toe", "b1 c3 a2");
    assert_eq!(shape, [3, 3, 3]);
    assert_eq!(of[0], [0., 1., 0., 1., 0., 0., 0., 0., 0.]);
    assert_eq!(of[1], [0., 0., 0., 0., 0., 0., 0., 0., 1.]);
    assert_eq!(of[2], [1.0; 9]);
    let (shape, of) = planes("kalah", "1");
    assert_eq!(shape, [3, 7]);
    assert_eq!(of[0], [0., 5., 5., 5., 5., 4., 0.]);
    assert_eq!((of[1].clone(), of[2].clone()), (vec![4., 4., 4., 4., 4., 4., 0.], vec![1.0; 7]));
    let (shape, of) = planes("qubic", "");
    assert_eq!((shape, of.len()), (vec![3, 4, 4, 4], 3));
    let (shape, of) = planes("dots_and_boxes(rows=1,cols=1)", "h11 v12");
    assert_eq!(shape, [4, 3, 3]);
    assert_eq!(of[0], [0., 1., 0., 0., 0., 1., 0., 0., 0.]);
    let (shape, of) = planes("one_to_ten", "2 1");
    assert_eq!((shape, of), (vec![2, 1], vec![vec![3.0], vec![0.0]]));
}

#[test]
fn the_book_lists_the_ids_and_the_tensors_of_every_family() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    let page = std::fs::read_to_string(page).unwrap();
    for family in FAMILIES {
        let engine = open(family.name);
        let info = engine.info();
        let count = info.action_count.map_or("none".to_owned(), |count| count.to_string());
        let shape = info.tensor_shape.clone().unwrap();
        let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
        let row = format!("| `{}` | {count} | {} |", family.name, shape.join(" x "));
        assert!(page.contains(&row), "{row}");
    }
}

/// A step of a session: a random move by its number or its id, or a move taken back.
#[derive(Clone, Copy, Debug)]
enum Step {
    Number(u32),
    Action(u32),
    Undo,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn moves_played_and_taken_back_are_a_stack(
        game in prop::sample::select(vec![
            "connect_four", "othello(adjacent=true)", "kalah", "nine_mens_morris(draw_plies=8)",
            "achi", "alak", "isolation(cols=5,rows=5)", "dots_and_boxes(rows=2,cols=3)",
        ]),
        steps in prop::collection::vec(
            prop_oneof![
                2 => any::<u32>().prop_map(Step::Number),
                2 => any::<u32>().prop_map(Step::Action),
                3 => Just(Step::Undo),
            ],
            1..120,
        ),
        opening in 0..50u32,
    ) {
        let engine = open(game);
        let mut line = engine.start();
        let mut stack = line.random_plies(opening, &mut Seed(opening.into()).generator());
        let mut actions = Vec::new();
        for step in steps {
            let legal = line.move_count();
            match step {
                Step::Undo => assert_eq!(line.undo(), stack.pop().is_some()),
                _ if legal == 0 => {}
                Step::Number(of) => {
                    line.play(of % legal);
                    stack.push(of % legal);
                }
                Step::Action(of) => {
                    line.actions_into(&mut actions);
                    let action = actions[(of % legal) as usize];
                    stack.push(line.action_number(action).unwrap());
                    line.play_action(action).unwrap();
                }
            }
        }
        let mut again = engine.start();
        stack.iter().for_each(|&number| again.play(number));
        prop_assert_eq!(&line, &again);
        prop_assert_eq!((line.ended(), line.ply()), (again.ended(), again.ply()));
        prop_assert_eq!(line.position_text(), again.position_text());
        prop_assert_eq!(tensor_of(&line), tensor_of(&again));
    }
}
