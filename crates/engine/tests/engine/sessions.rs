//! Games between people and agents.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use treegauge_core::{Clock, Player as PlayerToMove, Watch};
use treegauge_engine::{
    Agent, AgentError, Choice, Competitor, Engine, Forfeit, Line, PlayError, Player, PlayerSpec,
    PositionValues, ProbeError, SearchedMove, Seat, Session, SessionError, SolutionGame,
    SolvedGame, StartingPoint, open_solved,
};
use treegauge_search::{Budget, DEFAULT_CP, Generator, Seed, UctOptions, UctVariant};
use treegauge_solve::{AnySolved, Options, Value};

use crate::common::{Files, open};

/// No player here has time as its budget.
struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> std::time::Duration {
        unreachable!("nothing here has time as its budget")
    }
}

fn agent(engine: &Arc<dyn Engine>, text: &str) -> Seat {
    let clock: Arc<dyn Clock> = Arc::new(NoClock);
    let spec = PlayerSpec::parse(text).unwrap();
    Seat::Agent(Player::open(&spec, engine, &engine.start(), &clock).unwrap().agent())
}

fn hint(game: &Session) -> PositionValues {
    game.hint(10_000, &(), &mut |_| {}).unwrap()
}

fn searched(game: &Session) -> Vec<SearchedMove> {
    let PositionValues::Search { moves, .. } = hint(game) else { panic!("it is not solved") };
    moves
}

fn session(engine: &Arc<dyn Engine>, seats: [Seat; 2], seed: u64) -> Session {
    Session::new(engine.clone(), engine.start(), seats, None, seed)
}

#[test]
fn a_loose_spelling_of_a_move_is_played_if_it_means_one() {
    for (game, before, text, played) in [
        ("breakthrough", "", "a2a3", Some("a2-a3")),
        ("breakthrough", "", "A2 a3", Some("a2-a3")),
        ("breakthrough", "", "a2xa3", Some("a2-a3")),
        ("breakthrough(cols=2,rows=5)", "a2-a3", "b4a3", Some("b4xa3")),
        ("breakthrough(cols=2,rows=5)", "a2-a3", "b4-a3", Some("b4xa3")),
        ("wild_tic_tac_toe", "", "x b2", Some("Xb2")),
        ("wild_tic_tac_toe", "", "b2", None),
        ("breakthrough", "", "a2b4", None),
    ] {
        let engine = open(game);
        let mut line = engine.start();
        line.play_texts(&before.split_whitespace().collect::<Vec<_>>()).unwrap();
        let found = line.spelt_move_number(text).map(|number| line.move_text(number));
        assert_eq!(found.ok().as_deref(), played, "{game}: {text}");
    }
}

#[test]
fn a_person_and_an_agent_move_in_turn() {
    let engine = open("tic_tac_toe");
    let mut game = session(&engine, [Seat::Person, agent(&engine, "uct(iterations=200)")], 7);
    assert_eq!((game.seed(), game.moves()), (7, &[][..]));
    assert!(game.is_person(PlayerToMove::First) && !game.is_person(PlayerToMove::Second));
    assert!(game.agent_moves(false, &()).unwrap().is_none(), "it is the person's turn");
    let refused = game.person_moves("b9").unwrap_err();
    assert!(matches!(refused, PlayError::Move { .. }), "{refused}");
    assert!(game.moves().is_empty() && game.line().ply().0 == 0, "nothing was played");
    game.person_moves("a1").unwrap();
    let turn = game.agent_moves(true, &()).unwrap().unwrap();
    // The middle is the only move that does not lose.
    assert_eq!((turn.player, turn.text.as_str()), (PlayerToMove::Second, "b2"));
    assert_eq!(turn.choice.m, game.moves()[1]);
    let outline = turn.outline.unwrap();
    assert!(format!("{outline:?}").contains("tic_tac_toe"), "it names the game");
    assert_eq!(game.line().ply().0, 2);
    game.person_moves("c1").unwrap();
    let turn = game.agent_moves(false, &()).unwrap().unwrap();
    assert!(turn.outline.is_none(), "the tree was not requested");
}

#[test]
fn two_agents_play_to_the_end_by_the_seed() {
    let engine = open("kalah");
    let play = |seed| {
        let seats = [agent(&engine, "uct(iterations=30)"), agent(&engine, "random")];
        let mut game = session(&engine, seats, seed);
        let mut texts = Vec::new();
        while let Some(turn) = game.agent_moves(false, &()).unwrap() {
            texts.push(turn.text);
        }
        assert!(game.line().ended().is_some());
        assert_eq!(engine.start().line_texts(game.moves()), texts);
        assert!(!game.undo(), "no person is there to move again");
        let over = game.person_moves("a").unwrap_err();
        assert!(matches!(over, PlayError::Over { .. }), "{over}");
        texts
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn moves_are_taken_back_until_a_person_is_to_move() {
    // Turns do not alternate: a sowing that ends in the own store moves again.
    let engine = open("kalah");
    let mut game = session(&engine, [Seat::Person, agent(&engine, "random")], 3);
    assert!(!game.undo(), "nothing was played");
    let mut before = Vec::new();
    for _ in 0..6 {
        before.push((game.line().position_text(), game.moves().to_vec()));
        let first = game.line().moves().swap_remove(0);
        game.person_moves(&first).unwrap();
        while game.agent_moves(false, &()).unwrap().is_some() {}
    }
    while let Some((position, moves)) = before.pop() {
        assert!(game.undo());
        assert_eq!((game.line().position_text(), game.moves()), (position, &moves[..]));
        assert!(game.is_person(game.line().turn()));
    }
    assert!(!game.undo());
    // With two people one move is taken back, and the other line can be played.
    let mut game = session(&engine, [Seat::Person, Seat::Person], 3);
    let texts = game.line().moves();
    game.person_moves(&texts[0]).unwrap();
    assert!(game.undo());
    game.person_moves(&texts[1]).unwrap();
    assert_eq!(game.moves(), [1]);
    // An agent that began is not made to begin again.
    let engine = open("tic_tac_toe");
    let mut game = session(&engine, [agent(&engine, "random"), Seat::Person], 3);
    game.agent_moves(false, &()).unwrap().unwrap();
    let begun = game.line().position_text();
    assert!(!game.undo());
    assert_eq!(game.line().position_text(), begun);
}

/// A history that was played before counts when moves are taken back, too.
#[test]
fn a_game_that_begins_with_moves_keeps_them() {
    let engine = open("tic_tac_toe");
    let moves = vec!["a1".to_owned(), "b2".to_owned()];
    let start = engine.begin(&StartingPoint { position: None, moves }).unwrap();
    let seats = [Seat::Person, Seat::Person];
    let mut game = Session::new(engine.clone(), start.clone(), seats, None, 1);
    game.person_moves("c3").unwrap();
    assert_eq!(game.line().ply().0, 3);
    assert!(game.undo() && !game.undo());
    assert_eq!(game.line().position_text(), start.position_text());
}

#[test]
fn an_agent_that_fails_changes_nothing() {
    struct Failing;

    impl Agent for Failing {
        fn choose(
            &mut self,
            _: &Line,
            _: &mut Generator,
            _: &dyn Watch,
        ) -> Result<Choice, AgentError> {
            Err(Forfeit::Failed { reason: "out of memory".to_owned() }.into())
        }
    }

    let engine = open("tic_tac_toe");
    let mut game = session(&engine, [Seat::Agent(Box::new(Failing)), Seat::Person], 1);
    let error = game.agent_moves(true, &()).unwrap_err();
    assert!(matches!(error, SessionError::Agent(AgentError::Forfeit(_))), "{error}");
    assert_eq!(error.to_string(), "the player failed: out of memory");
    assert!(game.moves().is_empty());
}

#[test]
fn a_hint_and_a_move_say_where_a_win_is_proved() {
    let engine = open("tic_tac_toe(k=2)");
    let people = [Seat::Person, Seat::Person];
    let game = Session::new(engine.clone(), engine.start(), people, None, 1);
    let PositionValues::Search { proved, line, .. } = hint(&game) else { panic!("it is searched") };
    assert_eq!((proved, line.len()), (Some(1), 3));
    let spec = PlayerSpec::parse("uct(iterations=2000,merge=symmetric,solver=true)").unwrap();
    let clock: Arc<dyn treegauge_core::Clock> = Arc::new(NoClock);
    let player = Player::open(&spec, &engine, &engine.start(), &clock).unwrap();
    let mut game = session(&engine, [Seat::Agent(player.agent()), Seat::Person], 1);
    let turn = game.agent_moves(false, &()).unwrap().unwrap();
    assert_eq!((turn.choice.proved, turn.proved_line.len()), (Some(1), 3));
    assert_eq!(turn.proved_line[0], turn.text);
}

#[test]
fn hints_are_exact_where_the_game_is_solved() {
    let (files, engine) = (Files::new(), open("tic_tac_toe"));
    let solved = |name, from: Option<&str>| -> Option<Arc<dyn SolvedGame>> {
        Some(Arc::from(open_solved(&engine, &files.solved(name, &*engine, from)).unwrap()))
    };
    let people = || [Seat::Person, Seat::Person];
    let whole = solved("whole.tgs", None);
    let mut game = Session::new(engine.clone(), engine.start(), people(), whole, 1);
    game.person_moves("a1").unwrap();
    let PositionValues::Solution { moves: rows } = hint(&game) else {
        panic!("the game is solved")
    };
    assert_eq!(rows.len(), 8);
    assert_eq!((rows[0].text.as_str(), rows[0].value), ("b2", Value::Tie));
    assert!(rows[1..].iter().all(|row| row.value == Value::Lose), "{rows:?}");
    // Later losses come first, and moves of equal value in the order of the game.
    assert!(rows[1..].is_sorted_by(|a, b| a.plies >= b.plies), "{rows:?}");
    // A file that lacks the position gives an error.
    let later = engine.begin(&StartingPoint { position: None, moves: vec!["b2".into()] }).unwrap();
    let part = solved("part.tgs", Some(&later.position_text()));
    let game = Session::new(engine.clone(), engine.start(), people(), part, 1);
    let refused = game.hint(100, &(), &mut |_| {});
    assert!(matches!(refused, Err(SessionError::SolvedFile(_))));
}

#[test]
fn a_position_that_no_line_leads_to_is_an_error_of_a_solution_in_memory() {
    let engine = open("tic_tac_toe");
    let part = engine.begin(&StartingPoint { position: None, moves: vec!["b2".into()] }).unwrap();
    let solved = engine.rules().solve(&engine.code(&part), Options::default(), &()).unwrap();
    let AnySolved::Done(solution) = solved else { panic!("nothing stops it") };
    let solution = SolutionGame::new(engine.clone(), solution);
    assert_eq!(solution.value(&part).unwrap().value, Value::Tie);
    assert_eq!(solution.moves(&part).unwrap().len(), 8);
    let start = engine.start();
    for error in [solution.value(&start).unwrap_err(), solution.moves(&start).unwrap_err()] {
        let ProbeError::Unreached { position, start: from } = &error else { panic!("{error}") };
        assert_eq!((position, from), (&start.position_text(), &part.position_text()));
    }
}

#[test]
fn hints_are_searched_where_the_game_is_not_solved() {
    let engine = open("connect_four");
    let play = |hints: bool| {
        let mut game = session(&engine, [Seat::Person, agent(&engine, "uct(iterations=50)")], 5);
        let mut found = Vec::new();
        for text in ["d", "d", "c"] {
            if hints {
                assert_eq!(hint(&game), hint(&game), "the same each time");
            }
            game.person_moves(text).unwrap();
            found.push(game.agent_moves(false, &()).unwrap().unwrap().text);
        }
        (found, game)
    };
    let (with, game) = play(true);
    let (without, _) = play(false);
    assert_eq!(with, without, "a hint uses none of the game's random numbers");
    let rows = searched(&game);
    assert_eq!(rows.len() as u32, game.line().move_count());
    assert!(rows.is_sorted_by(|a, b| a.value >= b.value), "{rows:?}");
    let options = UctOptions::new(Budget::iterations(10_000), DEFAULT_CP);
    let variant = UctVariant { solver: true, ..options.variant };
    let mut uct = engine.uct_with(UctOptions { variant, ..options });
    let ply = game.line().ply().0.into();
    let found = uct.search(game.line(), &mut Seed(5).child(ply).generator(), &mut || false);
    let best = game.line().move_text(found.best.unwrap());
    let SearchedMove { text, value, visits, .. } = &rows[0];
    assert_eq!((text, *value, *visits), (&best, found.value().unwrap(), found.visits));
    // The second player's averages are for the second player.
    let mut game = session(&engine, [Seat::Person, Seat::Person], 5);
    for text in ["d", "a", "d", "a", "d"] {
        game.person_moves(text).unwrap();
    }
    let rows = searched(&game);
    assert_eq!(rows[0].text, "d", "all else loses at once: {rows:?}");
    assert!(rows[1].value < -0.5, "{rows:?}");
}

#[test]
fn hints_get_better_until_they_are_stopped() {
    struct StopAfter(AtomicU32);
    impl Watch for StopAfter {
        fn stop(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }
    let engine = open("connect_four");
    let people = [Seat::Person, Seat::Person];
    let game = session(&engine, people, 5);
    let mut reported = Vec::new();
    let values = game.hint(1_500, &(), &mut |values| reported.push(values.clone())).unwrap();
    let iterations = |values: &PositionValues| match values {
        PositionValues::Search { iterations, .. } => *iterations,
        _ => panic!("the game is not solved"),
    };
    let made: Vec<u32> = reported.iter().map(iterations).collect();
    assert_eq!(made, [256, 512, 1_024, 1_500]);
    assert_eq!(reported.last(), Some(&values));
    // Each is the hint of that many iterations.
    for values in &reported {
        assert_eq!(game.hint(iterations(values), &(), &mut |_| {}).unwrap(), *values);
    }
    let watch = StopAfter(AtomicU32::new(2));
    let mut count = 0;
    let stopped = game.hint(1_000_000, &watch, &mut |_| {
        count += 1;
        watch.0.fetch_sub(1, Ordering::Relaxed);
    });
    assert!(count == 3 && iterations(&stopped.unwrap()) < 1_024);
    // A game that is over has no values.
    let mut over = open("tic_tac_toe").start();
    over.play_texts(&["a1", "b1", "a2", "b2", "a3"]).unwrap();
    let people = [Seat::Person, Seat::Person];
    let game = Session::new(open("tic_tac_toe"), over, people, None, 1);
    assert!(searched(&game).is_empty());
}

#[test]
fn a_session_goes_back_and_on() {
    let engine = open("connect_four");
    let mut game = session(&engine, [Seat::Person, Seat::Person], 5);
    for text in ["d", "c", "d", "e"] {
        game.person_moves(text).unwrap();
    }
    let whole = game.line().clone();
    for ply in [4, 1, 3, 0, 2] {
        assert!(game.goto(ply));
        assert_eq!((game.moves().len(), game.later().len()), (ply, 4 - ply));
        assert_eq!(game.line().played(), game.moves());
    }
    assert!(!game.goto(5) && game.moves().len() == 2, "it was not played that far");
    // The move that was played goes on, another one begins another game.
    game.person_moves("d").unwrap();
    assert_eq!(game.later().len(), 1);
    assert!(game.goto(4));
    assert_eq!(*game.line(), whole);
    assert!(game.goto(2));
    game.person_moves("a").unwrap();
    assert!(game.later().is_empty() && !game.goto(4));
    assert_eq!(game.move_texts(), ["d", "c", "a"]);
    // Others may take over.
    game.seat(PlayerToMove::Second, agent(&engine, "random"));
    let turn = game.agent_moves(false, &()).unwrap().unwrap();
    let json = serde_json::to_value(&turn).unwrap();
    assert_eq!(json["text"], turn.text.as_str());
    assert_eq!(json["choice"]["m"], turn.choice.m);
    assert!(game.undo() && game.moves().len() == 2 && game.later().is_empty());
}
