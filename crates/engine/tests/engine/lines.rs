//! Games in progress.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use treegauge_catalog::GameSpec;
use treegauge_core::{Ended, Ending, Keyed, Notation, Outcome, Played, Player, Watch};
use treegauge_engine::{BeginError, Engine, Line, PlayError, StartingPoint};
use treegauge_search::{Seed, random_opening};

use crate::common::{Check, Typed, every_game, open};

/// The line is in the same position as the typed game, and says the same of it.
fn same<G: Notation + Keyed>(typed: &Typed<G>, played: &Played<G>, line: &Line) -> Vec<G::Move> {
    let (game, state) = (&typed.game, played.state());
    let at = format!("{} at {}", typed.name, game.position_text(state));
    assert_eq!(line.position_text(), game.position_text(state), "{at}");
    assert_eq!((line.turn(), line.ply()), (game.turn(state), played.ply()), "{at}");
    assert_eq!(line.ended(), played.ended(game), "{at}");
    assert_eq!(line.margin(), typed.margin.map(|margin| margin(game, state)), "{at}");
    let mut moves = Vec::new();
    if played.ended(game).is_none() {
        game.moves_into(state, &mut moves);
    }
    let texts: Vec<String> = moves.iter().map(|&m| game.move_text(state, m)).collect();
    assert_eq!((line.move_count() as usize, line.moves()), (moves.len(), texts.clone()), "{at}");
    for (number, text) in (0..).zip(&texts) {
        assert_eq!(line.move_number(text), Ok(number), "{at}: {text}");
        assert_eq!(line.move_number(&format!(" {} ", text.to_uppercase())), Ok(number), "{at}");
    }
    moves
}

fn hash_of(line: &Line) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(line)
}

struct RandomLines;

impl Check for RandomLines {
    fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
        let game = &typed.game;
        let mut endings = Vec::new();
        for seed in 0..25 {
            let (mut rng, mut own) = (Seed(seed).generator(), Seed(seed).generator());
            let (mut played, mut line) = (Played::start(game), typed.engine.start());
            let mut texts = Vec::new();
            let mut numbers = Vec::new();
            loop {
                let moves = same(typed, &played, &line);
                if moves.is_empty() {
                    break;
                }
                let m = game.random_move(played.state(), &mut rng).unwrap();
                let number = line.random_move(&mut own).unwrap();
                assert_eq!(moves[number as usize], m, "{}", typed.name);
                assert_eq!(rng, own, "both use the same random numbers");
                texts.push(line.move_text(number));
                numbers.push(number);
                let before = line.clone();
                played.play(game, m);
                line.play(number);
                assert_eq!(before.ply().0 + 1, line.ply().0, "a copy is played on apart");
            }
            assert_eq!(line.board_text(), game.board_text(played.state()));
            assert_eq!(line.board_svg(), game.board_svg(played.state()));
            // By text, by number and at random it is the same game.
            let begun = |position: Option<String>, moves: &[String]| {
                typed.engine.begin(&StartingPoint { position, moves: moves.to_vec() }).unwrap()
            };
            same(typed, &played, &begun(None, &texts));
            let start = typed.engine.start();
            assert_eq!(start.line_texts(&numbers), texts);
            // It knows its start and its moves, and is equal to the line of the same moves only.
            assert_eq!((line.start(), line.played()), (start.clone(), numbers.clone()));
            assert_eq!(line.played_texts(), texts);
            let again = begun(None, &texts);
            assert_eq!((&again, hash_of(&again)), (&line, hash_of(&line)));
            let mut shorter = start.clone();
            for &number in &numbers[..numbers.len() - 1] {
                assert_eq!(shorter.try_play(number), Ok(()));
                assert_ne!(shorter, line);
            }
            let legal = shorter.move_count();
            let refused = Err(PlayError::Number { number: legal, legal });
            assert_eq!(shorter.try_play(legal), refused);
            assert_eq!(shorter.try_play(numbers[numbers.len() - 1]), Ok(()));
            assert_eq!(shorter, line);
            assert!(matches!(shorter.try_play(0), Err(PlayError::Over { .. })));
            let mut random = start.clone();
            let mut opened = Played::start(game);
            let plies = random.random_plies(u32::MAX, &mut Seed(seed).generator());
            random_opening(game, &mut opened, u32::MAX, &mut Seed(seed).generator());
            same(typed, &opened, &random);
            assert_eq!(plies, numbers);
            // From a position in the middle nothing is known of what was before.
            let half = texts.len() / 2;
            let mut middle = start;
            middle.play_texts(&texts[..half]).unwrap();
            let mut known =
                Played::from_state(game.parse_position(&middle.position_text()).unwrap());
            let later = begun(Some(middle.position_text()), &texts[half..]);
            for text in &texts[half..] {
                let m = game.parse_move(known.state(), text).unwrap();
                known.play(game, m);
            }
            same(typed, &known, &later);
            let Some(Ended { by, .. }) = line.ended() else { panic!("the game is over") };
            let text = texts.last().unwrap().clone();
            assert_eq!(line.play_text(&text), Err(PlayError::Over { text, by }));
            same(typed, &played, &line);
            endings.push(by);
        }
        // A player that always plays the first legal move, or the last, soon repeats positions.
        for (plies, last) in (0..40).map(|n| (n / 2, n % 2 == 0)) {
            let (mut played, mut line) = typed.after(plies, &mut Seed(plies.into()).generator());
            loop {
                let moves = same(typed, &played, &line);
                let Some(number) = moves.len().checked_sub(1) else { break };
                let number = if last { number } else { 0 };
                played.play(game, moves[number]);
                line.play(number as u32);
            }
            endings.push(line.ended().unwrap().by);
        }
        let has = |ending| endings.contains(&ending);
        let name = typed.name;
        assert!(has(Ending::Outcome), "{name}: {endings:?}");
        assert_eq!(has(Ending::Capped), name == "achi(ply_cap=9)", "{name}: {endings:?}");
        let has_limit = name == "nine_mens_morris(draw_plies=8)";
        assert_eq!(has(Ending::Repetition), has_limit || name == "achi", "{name}: {endings:?}");
        assert_eq!(has(Ending::DrawPlies), has_limit, "{name}: {endings:?}");
    }
}

#[test]
fn lines_are_the_games_in_progress_that_are_behind_them() {
    every_game(&RandomLines);
}

#[test]
fn moves_are_played_by_text_or_refused() {
    let engine = open("connect_four(cols=4,rows=1,k=2)");
    let mut line = engine.start();
    assert_eq!(line.moves(), ["a", "b", "c", "d"]);
    assert_eq!(line.play_text("a"), Ok(0));
    let refused = line.play_text(" a ").unwrap_err();
    assert_eq!(refused.to_string(), "\"a\" is not a legal move here; legal are `b`, `c` and `d`");
    let said = |text: &str| engine.start().play_text(text).unwrap_err().to_string();
    assert_eq!(said("bc"), "\"bc\" is not a legal move here; `b` is; separate moves by spaces");
    let othello = open("othello").start();
    let said = |text: &str| othello.clone().play_text(text).unwrap_err().to_string();
    assert_eq!(said("d2"), "\"d2\" is not a legal move here; legal are `d3`, `c4`, `f5` and `e6`");
    assert_eq!(
        said("history"),
        "\"history\" is not a legal move here; legal are `d3`, `c4`, `f5` and `e6`"
    );
    let kept = line.clone();
    line.play_texts(&["c", "b"]).unwrap();
    let won = Ended { by: Ending::Outcome, outcome: Outcome::FirstWins };
    assert_eq!((line.ended(), line.ply().0), (Some(won), 3));
    assert!(line.moves().is_empty());
    assert_eq!(
        line.play_text("d").unwrap_err().to_string(),
        "the game is over by the rules, so \"d\" cannot be played"
    );
    assert_eq!((kept.position_text(), kept.turn()), ("x... o".to_owned(), Player::Second));
    assert_eq!(format!("{kept:?}"), "Line(\"x... o\")");
    let begin = |position: Option<&str>, moves: &[&str]| {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        engine.begin(&StartingPoint { position: position.map(str::to_owned), moves })
    };
    assert!(matches!(begin(Some("x.."), &[]), Err(BeginError::Position(_))));
    assert_eq!(begin(Some("x... o"), &["d"]).unwrap().position_text(), "x..o x");
    let Err(error) = begin(None, &["a", "c", "e"]) else { panic!("there is no column e") };
    assert!(error.to_string().starts_with("move 3: \"e\" is not a legal move here"), "{error}");
    let Err(error) = begin(None, &["a", "c", "b", "d"]) else { panic!("it is over") };
    assert!(error.to_string().starts_with("move 4: the game is over"), "{error}");
}

#[test]
fn an_engine_describes_its_game() {
    let engine = open("broken_connect_four( cols = 8 )");
    let info = engine.info();
    assert_eq!(info.spec.to_string(), "connect_four(cols=8,k=6)");
    assert_eq!(info.canonical_name, "connect_four(cols=8,k=6)");
    assert_eq!((info.has_margin, info.symmetry_count, info.evaluators.len()), (false, 2, 0));
    let isolation = open("isolation");
    let names: Vec<&str> = isolation.info().evaluators.iter().map(|known| known.name).collect();
    assert!(names.contains(&"improved_score"), "{names:?}");
    assert!(open("othello").info().has_margin);
    assert!(treegauge_engine::open(&GameSpec::parse("achi(men=5)").unwrap()).is_err());
    assert!(format!("{engine:?}").contains("connect_four(cols=8,k=6)"));
}

#[test]
fn a_line_is_used_with_any_engine_of_its_game() {
    let [one, other] = [open("connect4(cols=5,rows=4)"), open("connect_four(rows=4,cols=5)")];
    assert_eq!(one.start(), other.start());
    // Games of one type, a game of another, and the same position by another way.
    assert_ne!(one.start(), open("connect_four(cols=4,rows=5)").start());
    assert_ne!(one.start(), open("tic_tac_toe").start());
    let begun = |moves: [&str; 3]| {
        let moves = moves.map(str::to_owned).into();
        one.begin(&StartingPoint { position: None, moves }).unwrap()
    };
    let [way, other_way] = [begun(["a", "b", "c"]), begun(["c", "b", "a"])];
    assert_eq!(way.position_text(), other_way.position_text());
    assert_ne!(way, other_way);
    assert_eq!(one.perft(&other.start(), 2, &()), Some(vec![5, 25]));
}

#[test]
#[should_panic(expected = "a line is used with an engine of its game")]
fn a_line_of_another_type_of_game_is_refused() {
    let engine: &dyn Engine = &*open("tic_tac_toe");
    engine.perft(&open("connect_four").start(), 1, &());
}

/// Both games have the same type, and only their names differ.
#[test]
#[should_panic(expected = "a line is used with an engine of its game")]
fn a_line_of_a_game_with_other_parameters_is_refused() {
    let engine: &dyn Engine = &*open("connect_four(cols=4,rows=4)");
    let uct = &mut engine.uct(treegauge_search::Budget::iterations(1), 1.0);
    let line = open("connect_four(cols=5,rows=4)").start();
    uct.search(&line, &mut Seed(1).generator(), &mut || false);
}

/// Both games know positions by codes of one type, and only the engine knows that they differ.
#[test]
#[should_panic(expected = "a line is used with an engine of its game")]
fn a_line_of_another_game_has_no_code() {
    let line = open("connect_four(cols=5,rows=4)").start();
    let _ = open("connect_four(cols=4,rows=4)").code(&line);
}

#[test]
fn perft_stops_when_it_is_asked_to() {
    struct Stop;
    impl Watch for Stop {
        fn stop(&self) -> bool {
            true
        }
    }

    let engine = open("connect_four");
    assert_eq!(engine.perft(&engine.start(), 40, &Stop), None);
    assert_eq!(engine.perft_divide(&engine.start(), 40, &Stop), None);
}
