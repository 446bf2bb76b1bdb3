//! Players by name, and the agents that they make.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use treegauge_core::{Clock, Plies, Watch};
use treegauge_engine::{
    Agent, AgentError, AlphaBetaPlayer, Choice, Competitor, Engine, EvaluatorSpec, Forfeit,
    IntuitivePlayer, Line, MoveBudget, OpenPlayerError, PerfectPlayer, Player, PlayerSpec,
    ProbeError, RandomPlayer, Spent, StartingPoint, UctPlayer,
};
use treegauge_search::{
    BackUp, Budget, DEFAULT_CP, Expansion, Generator, Merge, MoveCounts, Seed, UctVariant,
};
use treegauge_solve::file::FileError;

use crate::common::{Files, open};

/// A clock that advances by a millisecond whenever it is read.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn player_at(
    engine: &Arc<dyn Engine>,
    start: &Line,
    text: &str,
) -> Result<Player, OpenPlayerError> {
    let clock: Arc<dyn Clock> = Arc::new(Ticking::default());
    Player::open(&PlayerSpec::parse(text).unwrap(), engine, start, &clock)
}

fn player(engine: &Arc<dyn Engine>, text: &str) -> Player {
    player_at(engine, &engine.start(), text).unwrap()
}

#[test]
fn every_form_of_a_player_is_read_and_written() {
    let uct = |iterations, cp| PlayerSpec::of(UctPlayer::new(iterations, cp));
    let alphabeta = |eval: &str, budget| {
        PlayerSpec::of(AlphaBetaPlayer { eval: EvaluatorSpec::parse(eval).unwrap(), budget })
    };
    let perfect = |file: &str| PlayerSpec::of(PerfectPlayer::new(file.into()));
    let intuitive = |temperature| PlayerSpec::of(IntuitivePlayer { temperature });
    for (text, read, written) in [
        ("random", PlayerSpec::of(RandomPlayer), "random"),
        (" random() ", PlayerSpec::of(RandomPlayer), "random"),
        ("intuitive", intuitive(0.25), "intuitive(temperature=0.25)"),
        ("intuitive(temperature=2)", intuitive(2.0), "intuitive(temperature=2)"),
        ("uct", uct(10_000, DEFAULT_CP), "uct(iterations=10000)"),
        ("uct(iterations=7)", uct(7, DEFAULT_CP), "uct(iterations=7)"),
        ("uct( cp = 0.25 )", uct(10_000, 0.25), "uct(iterations=10000,cp=0.25)"),
        ("uct(cp=0,iterations=2)", uct(2, 0.0), "uct(iterations=2,cp=0)"),
        (
            "uct(solver=true,merge=symmetric,iterations=9,expansion=random,counts=edge)",
            PlayerSpec::of(UctPlayer {
                expansion: Expansion::Random,
                variant: UctVariant {
                    merge: Merge::Symmetric,
                    back_up: BackUp::Single,
                    counts: MoveCounts::Edge,
                    solver: true,
                    ..UctVariant::default()
                },
                ..UctPlayer::new(9, DEFAULT_CP)
            }),
            "uct(iterations=9,expansion=random,merge=symmetric,counts=edge,solver=true)",
        ),
        (
            "uct(threads=4,iterations=9,reuse=true)",
            PlayerSpec::of(UctPlayer {
                variant: UctVariant { reuse: true, threads: 4, ..UctVariant::default() },
                ..UctPlayer::new(9, DEFAULT_CP)
            }),
            "uct(iterations=9,reuse=true,threads=4)",
        ),
        (
            "alphabeta",
            alphabeta("mobility", MoveBudget::Nodes(20_000)),
            "alphabeta(eval=mobility,nodes=20000)",
        ),
        (
            "alphabeta(nodes=5,eval=margin)",
            alphabeta("margin", MoveBudget::Nodes(5)),
            "alphabeta(eval=margin,nodes=5)",
        ),
        (
            "alphabeta(eval=custom_score(f=0.5),depth=4)",
            alphabeta("custom_score(f=0.5)", MoveBudget::Depth(Plies(4))),
            "alphabeta(eval=custom_score(f=0.5),depth=4)",
        ),
        (
            "alphabeta(eval=random(seed=9),time_ms=250)",
            alphabeta("random(seed=9)", MoveBudget::Time(Duration::from_millis(250))),
            "alphabeta(eval=random(seed=9),time_ms=250)",
        ),
        (
            "alphabeta(eval=perfect(file=a b.tgs),depth=2)",
            alphabeta("perfect(file=a b.tgs)", MoveBudget::Depth(Plies(2))),
            "alphabeta(eval=perfect(file=a b.tgs),depth=2)",
        ),
        ("perfect(file=../x/y.tgs)", perfect("../x/y.tgs"), "perfect(file=../x/y.tgs)"),
    ] {
        let found = PlayerSpec::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found, read, "{text}");
        assert_eq!(found.to_string(), written, "{text}");
        assert_eq!(PlayerSpec::parse(written).unwrap(), found, "{text}");
        assert_eq!(found.is_random(), written == "random");
        assert_eq!(found.has_time_budget(), text.contains("time_ms"));
    }
}

#[test]
fn what_is_no_player_is_refused_by_its_token() {
    for (text, tokens) in [
        ("", &["the name is missing"][..]),
        ("(", &["the name is missing"]),
        ("uct(iterations=5", &["\"uct(iterations=5\"", "character 4"]),
        ("uct(iterations)", &["\"iterations\"", "character 5"]),
        ("uct(cp=1,cp=2)", &["`cp`", "character 10"]),
        ("uct(iteration=5)", &["\"iteration\"", "character 5", "`iterations`"]),
        ("uct(cp=1,iterations=0)", &["`iterations`", "\"0\"", "character 21", "2147483647"]),
        ("uct(iterations=4294967296)", &["\"4294967296\"", "1 to 2147483647"]),
        ("uct(cp=-1)", &["`cp`", "\"-1\"", "0 to 1000"]),
        ("uct(cp=nan)", &["\"nan\""]),
        ("random(seed=1)", &["`random`", "\"seed\"", "character 8", "has none"]),
        ("randm", &["\"randm\"", "did you mean `random`?", "intuitive, uct, alphabeta, perfect"]),
        ("intuitive(temperature=0)", &["`temperature`", "\"0\"", "0.001 to 1000"]),
        ("human", &["unknown player \"human\""]),
        ("alphabeta(node=5)", &["\"node\"", "character 11", "`nodes`"]),
        ("alphabeta(nodes=0)", &["`nodes`", "\"0\"", "character 17", "1000000000000"]),
        ("alphabeta(depth=201)", &["`depth`", "\"201\"", "1 to 200"]),
        ("alphabeta(time_ms=1.5)", &["`time_ms`", "\"1.5\"", "86400000"]),
        (
            "alphabeta(nodes=5,depth=2)",
            &["one of nodes, depth, time_ms", "`depth`", "character 19"],
        ),
        ("alphabeta(eval=uct(iterations=0))", &["`iterations`", "\"0\""]),
        ("alphabeta(eval=random(sed=1))", &["evaluator `random`", "\"sed\"", "`seed`"]),
        ("alphabeta(eval=random(seed=x))", &["`seed`", "\"x\"", "0 to 18446744073709551615"]),
        ("alphabeta(eval=perfect)", &["evaluator `perfect`", "perfect(file=PATH)"]),
        ("perfect", &["player `perfect`", "perfect(file=PATH)"]),
        ("perfect(path=x)", &["player `perfect`", "\"path\"", "character 9", "`file`"]),
    ] {
        let Err(error) = PlayerSpec::parse(text) else { panic!("{text:?} is a player") };
        let error = error.to_string();
        for token in tokens {
            assert!(error.contains(token), "{text:?}: {error:?} lacks {token:?}");
        }
    }
}

proptest! {
    /// Any text is a player that is written as it is read, or an error.
    #[test]
    fn any_text_is_a_player_or_an_error(
        name in prop::sample::select(vec!["random", "uct", "alphabeta", "perfect", "é("]),
        arguments in prop::collection::vec(
            "(iterations|cp|eval|nodes|depth|time_ms|file)=[a-z0-9.=(é -]{0,9}\\)?", 0..3,
        ),
        tail in prop_oneof![4 => Just(")"), 1 => Just(""), 1 => Just("))")],
    ) {
        let text = format!("{name}({}{tail}", arguments.join(","));
        match PlayerSpec::parse(&text) {
            Ok(spec) => prop_assert_eq!(PlayerSpec::parse(&spec.to_string()), Ok(spec)),
            Err(error) => prop_assert!(error.to_string().len() > 15, "{}: {}", text, error),
        }
    }
}

/// The choices of a whole game between an agent and random moves.
fn game(agent: &mut dyn Agent, start: &Line) -> Vec<(Choice, Spent)> {
    let (mut rng, mut line, mut choices) = (Seed(9).generator(), start.clone(), Vec::new());
    while line.ended().is_none() {
        let choice = agent.choose(&line, &mut rng, &()).unwrap();
        choices.push((choice, agent.spent()));
        line.play(choice.m);
        line.random_plies(1, &mut rng);
    }
    choices
}

#[test]
fn an_agent_that_is_used_again_plays_as_a_new_one() {
    let (files, engine) = (Files::new(), open("tic_tac_toe"));
    let file = files.solved("whole.tgs", &*engine, None);
    let file = format!("perfect(file={})", file.display());
    let other = engine.begin(&StartingPoint { position: None, moves: vec!["b2".into()] }).unwrap();
    for text in [
        "random",
        "uct(iterations=60)",
        "alphabeta(nodes=300)",
        "alphabeta(eval=random,depth=3)",
        "alphabeta(eval=uct(iterations=4),nodes=40)",
        &file,
        &format!("alphabeta(eval={file},depth=2)"),
    ] {
        let player = player(&engine, text);
        let first = game(player.agent().as_mut(), &engine.start());
        assert!(first.len() >= 3, "{text}");
        for _ in 0..3 {
            let mut agent = player.agent();
            // A game is begun, and put back in the middle; the next one does not depend on it.
            agent.choose(&other, &mut Seed(1).generator(), &()).unwrap();
            game(agent.as_mut(), &other);
            player.put_back(agent);
            let mut agent = player.agent();
            assert_eq!(game(agent.as_mut(), &engine.start()), first, "{text}");
            player.put_back(agent);
        }
        // Agents at the same time do not depend on each other either.
        let mut both = [player.agent(), player.agent()];
        let found = both.each_mut().map(|agent| game(agent.as_mut(), &engine.start()));
        assert_eq!(found, [first.clone(), first.clone()], "{text}");
    }
}

#[test]
fn the_intuitive_player_wins_blocks_and_else_plays_by_appeal() {
    let engine = open("mnk(rows=3,cols=3,k=3)");
    let chosen = |temperature: f64, position: &str, tries: u64| {
        let start = StartingPoint { position: Some(position.into()), moves: vec![] };
        let line = engine.begin(&start).unwrap();
        let player = player(&engine, &format!("intuitive(temperature={temperature})"));
        let mut agent = player.agent();
        let mut counts = vec![0_u32; line.move_count() as usize];
        for n in 0..tries {
            let choice = agent.choose(&line, &mut Seed(n).generator(), &()).unwrap();
            counts[choice.m as usize] += 1;
        }
        (counts, line.moves())
    };
    // x wins in c1, and need not look at the threat of o.
    let (counts, moves) = chosen(1_000.0, "oo./.../xx. x", 50);
    assert_eq!(counts[moves.iter().position(|m| m == "c1").unwrap()], 50);
    // o blocks there, and has no win.
    let (counts, moves) = chosen(1_000.0, "o../.../xx. o", 50);
    assert_eq!(counts[moves.iter().position(|m| m == "c1").unwrap()], 50);
    // The looks of an empty board are 1 in the centre, 0.6 in corners and 0.4586 on edges. The odds of
    // the centre against all are 1 / (1 + 4 exp(-0.4 / t) + 4 exp(-0.5414 / t)).
    let (counts, moves) = chosen(0.25, ".../.../... x", 4_000);
    let centre = counts[moves.iter().position(|m| m == "b2").unwrap()];
    let expected = 4_000.0 / (1.0 + 4.0 * f64::exp(-1.6) + 4.0 * f64::exp(-2.1657));
    // Five standard deviations of a count with that share are 157.
    assert!((f64::from(centre) - expected).abs() < 157.0, "{centre} and not {expected}");
    let (counts, _) = chosen(0.001, ".../.../... x", 50);
    assert_eq!(counts.iter().max(), Some(&50));
}

#[test]
fn a_game_without_looks_has_no_intuitive_player() {
    let engine = open("othello");
    let refused = player_at(&engine, &engine.start(), "intuitive");
    let Err(OpenPlayerError::NoIntuition { game }) = refused else { panic!("{refused:?}") };
    assert!(game.starts_with("othello"), "{game}");
    assert!(!engine.start().looks_into(&mut Vec::new()));
}

#[test]
fn agents_choose_as_their_searches_do() {
    let engine = open("connect_four(cols=5,rows=4)");
    let start = engine.start();
    let mut agent = player(&engine, "uct(iterations=80,cp=0.4)").agent();
    let (mut rng, mut own) = (Seed(2).generator(), Seed(2).generator());
    let choice = agent.choose(&start, &mut rng, &()).unwrap();
    let mut uct = engine.uct(Budget::iterations(80), 0.4);
    let found = uct.search(&start, &mut own, &mut || false);
    assert_eq!((Some(choice.m), choice.value), (found.best, found.value()));
    assert_eq!(agent.spent(), Spent { nodes: 80, depth: None });
    let [one, two] = [agent.outline(&start, "a", 1).unwrap(), uct.outline(&start, "a", 1)];
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
    // Alpha-beta knows a value only where it is proved.
    let won = engine.begin(&StartingPoint {
        position: None,
        moves: ["a", "b", "a", "b", "a", "b"].map(str::to_owned).to_vec(),
    });
    let mut agent = player(&engine, "alphabeta(depth=3)").agent();
    let choice = agent.choose(&won.unwrap(), &mut rng, &()).unwrap();
    assert_eq!((choice.m, choice.value), (0, Some(1.0)));
    assert_eq!(agent.choose(&start, &mut rng, &()).unwrap().value, None);
    assert_eq!(agent.spent().depth, Some(3));
    assert!(agent.outline(&start, "a", 1).is_none());
    // Time is what the clock says: here a millisecond at each look.
    let mut agent = player(&engine, "alphabeta(time_ms=3)").agent();
    assert!(agent.choose(&start, &mut rng, &()).is_ok());
    assert!((1..100_000).contains(&agent.spent().nodes), "{:?}", agent.spent());
    // A watch stops a search at the best move so far.
    struct Stop;
    impl Watch for Stop {
        fn stop(&self) -> bool {
            true
        }
    }
    for text in ["uct(iterations=1000000000)", "alphabeta(nodes=1000000000000)"] {
        let mut agent = player(&engine, text).agent();
        assert!(agent.choose(&start, &mut rng, &Stop).unwrap().m < 5);
        assert!(agent.spent().nodes < 100_000, "{text}: {:?}", agent.spent());
    }
}

#[test]
fn limits_follow_from_the_budget() {
    let engine = open("tic_tac_toe");
    let limits = |text| player(&engine, text).limits();
    assert_eq!((limits("random").nodes_max, limits("random").time_max), (None, None));
    assert_eq!(limits("uct(iterations=60)").nodes_max, Some(60));
    assert_eq!(limits("alphabeta(nodes=300)").nodes_max, Some(300));
    assert_eq!(limits("alphabeta(depth=3)").nodes_max, None);
    let time = limits("alphabeta(time_ms=100)");
    assert_eq!((time.nodes_max, time.time_max), (None, Some(Duration::from_millis(700))));
    assert!(player(&engine, "random").is_random() && !player(&engine, "uct").is_random());
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let engine = open("tic_tac_toe");
    let moves = ["a1", "a2", "b1", "b2", "c1"].map(str::to_owned).to_vec();
    let over = engine.begin(&StartingPoint { position: None, moves }).unwrap();
    assert!(over.ended().is_some());
    let files = Files::new();
    let file = files.solved("whole.tgs", &*engine, None);
    let perfect = format!("perfect(file={})", file.display());
    for text in ["random", "uct(iterations=9)", "alphabeta(depth=2)", &perfect] {
        let found = player(&engine, text).agent().choose(&over, &mut Seed(1).generator(), &());
        assert!(matches!(found, Err(AgentError::Forfeit(Forfeit::NoMove))), "{text}: {found:?}");
    }
}

const SMALL: &str = "connect_four(cols=4,rows=4)";

#[test]
fn a_player_whose_file_lacks_the_start_is_refused_at_once() {
    let (files, engine) = (Files::new(), open(SMALL));
    let after_a = engine.begin(&StartingPoint { position: None, moves: vec!["a".into()] }).unwrap();
    let path = files.solved("part.tgs", &*engine, Some(&after_a.position_text()));
    let text = format!("perfect(file={})", path.display());
    let refused = player_at(&engine, &engine.start(), &text);
    let Err(OpenPlayerError::SolvedFile(error)) = refused else { panic!("{refused:?}") };
    assert!(matches!(error, ProbeError::MissingPosition { .. }), "{error}");
    assert!(player_at(&engine, &after_a, &text).is_ok());
    // As an evaluator it may have what a search comes to, so it is refused when it has not.
    let player = player(&engine, &format!("alphabeta(eval={text},depth=2)"));
    let mut agent = player.agent();
    let mut rng = Seed(1).generator();
    for _ in 0..2 {
        let found = agent.choose(&engine.start(), &mut rng, &());
        let Err(AgentError::SolvedFile(error)) = found else { panic!("{found:?}") };
        assert!(matches!(*error, ProbeError::MissingPosition { .. }), "{error}");
        assert!(agent.choose(&after_a, &mut rng, &()).is_ok(), "it has the rest");
    }
    // A file of another game, none at all, and one that is none.
    let refused = |path: &Path, eval: bool| {
        let file = format!("perfect(file={})", path.display());
        let text = if eval { format!("alphabeta(eval={file})") } else { file };
        let error = player_at(&engine, &engine.start(), &text).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
        error
    };
    let other = files.solved("other.tgs", &*open("tic_tac_toe"), None);
    fs::write(files.path("text"), "no solution").unwrap();
    for eval in [false, true] {
        assert!(refused(&other, eval).contains("tic_tac_toe"));
        assert!(!refused(&files.path("nothing"), eval).is_empty());
        assert!(!refused(&files.path("text"), eval).is_empty());
    }
}

/// Agents play on while their file is damaged by `damage`. What they read before may serve for some
/// more moves; all others give the error of the file.
fn damaged_while_open(damage: impl Fn(&Path)) {
    let (files, engine) = (Files::new(), open(SMALL));
    let path = files.solved("whole.tgs", &*engine, None);
    let perfect = format!("perfect(file={})", path.display());
    for text in [perfect.clone(), format!("alphabeta(eval={perfect},depth=2)")] {
        files.solved("whole.tgs", &*engine, None);
        let player = player(&engine, &text);
        let mut agent = player.agent();
        let mut line = engine.start();
        let mut rng: Generator = Seed(4).generator();
        let choice = agent.choose(&line, &mut rng, &()).unwrap();
        line.play(choice.m);
        damage(&path);
        let (mut answers, mut errors) = (0, 0);
        for _ in 0..200 {
            while line.ended().is_none() {
                match agent.choose(&line, &mut rng, &()) {
                    Ok(choice) => {
                        assert!(choice.m < line.move_count());
                        answers += 1;
                    }
                    Err(AgentError::SolvedFile(error)) => {
                        let ProbeError::File { path: of, source } = &*error else {
                            panic!("{error}")
                        };
                        let damaged = matches!(source, FileError::Damaged(_) | FileError::Io(_));
                        assert!(
                            damaged || matches!(source, FileError::Truncated { .. }),
                            "{source:?}"
                        );
                        assert_eq!(of, &path);
                        errors += 1;
                    }
                    Err(error) => panic!("{text}: {error}"),
                }
                line.random_plies(1, &mut rng);
            }
            line = engine.start();
        }
        assert!(errors > 0, "{text}: {answers} answers and no error");
    }
}

#[test]
fn a_file_that_is_truncated_while_it_is_open_gives_errors() {
    damaged_while_open(|path| {
        let file = OpenOptions::new().write(true).open(path).unwrap();
        let len = file.metadata().unwrap().len();
        file.set_len(len / 4).unwrap();
    });
}

#[test]
fn a_file_that_is_overwritten_while_it_is_open_gives_errors() {
    damaged_while_open(|path| {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = OpenOptions::new().write(true).open(path).unwrap();
        let len = file.metadata().unwrap().len();
        file.seek(SeekFrom::Start(len / 8)).unwrap();
        file.write_all(&vec![0x5a; (len / 2) as usize]).unwrap();
    });
}

#[test]
fn a_perfect_player_never_loses_what_is_not_lost() {
    let (files, engine) = (Files::new(), open("tic_tac_toe"));
    let path = files.solved("whole.tgs", &*engine, None);
    let player = player(&engine, &format!("perfect(file={})", path.display()));
    let mut rng = Seed(3).generator();
    let mut games = std::collections::HashSet::new();
    for n in 0..60 {
        let mut agent = player.agent();
        let mut line = engine.start();
        line.random_plies(n % 2, &mut rng);
        let own = line.turn();
        let mut moves = Vec::new();
        while line.ended().is_none() {
            let choice = agent.choose(&line, &mut rng, &()).unwrap();
            assert!(choice.exact.is_some() && choice.value.is_none());
            moves.push(choice.m);
            line.play(choice.m);
            line.random_plies(1, &mut rng);
        }
        let winner = line.ended().unwrap().outcome.winner();
        assert_ne!(winner, Some(own.other()), "{line:?}");
        player.put_back(agent);
        games.insert(moves);
    }
    // Of equal moves any is played.
    assert!(games.len() > 20, "{} games", games.len());
}
