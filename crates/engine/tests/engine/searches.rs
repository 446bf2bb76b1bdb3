//! Searches, perft and playouts.

use treegauge_core::{
    Evaluator, Keyed, Notation, Plies, perft as typed_perft, perft_divide as typed_divide,
};
use treegauge_engine::{
    AgentError, AlphaBetaSearch, Engine, EvaluatorError, EvaluatorSpec, Line, MoveNumber,
    PlayoutTally, ProbeError, StartingPoint, TriedMove, open_solved,
};
use treegauge_games::isolation::{CustomScore2, ImprovedScore, Isolation, Piece, Setup, Starts};
use treegauge_search::picture::outline;
use treegauge_search::{
    AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, Budget, DEFAULT_CP, FEATURES, Margin, Mobility,
    NodeId, Observer, RandomValue, Seed, Shape, ShapeOptions, Stopped, Uct, UctPhase, UctValue,
};
use treegauge_solve::{ExactValue, Value};

use crate::common::{Check, Files, Typed, every_game, open};

/// The number of a move of a position.
fn number<G: Notation + Keyed>(game: &G, state: &G::State, m: G::Move) -> MoveNumber {
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    moves.iter().position(|&known| known == m).unwrap() as MoveNumber
}

struct UctIsTheSame {
    budget: Budget,
    cp: f64,
}

impl Check for UctIsTheSame {
    fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
        let game = &typed.game;
        let mut uct = Uct::new(self.budget).with_cp(self.cp);
        let mut hidden = typed.engine.uct(self.budget, self.cp);
        let mut opening = Seed(5).generator();
        // One search after another in the same memory, from positions near and far and at the end.
        for plies in [0, 3, 7, 1, 15, u32::MAX, 2] {
            let (played, line) = typed.after(plies, &mut opening);
            let (mut rng, mut own) =
                (Seed(plies.into()).generator(), Seed(plies.into()).generator());
            let search = uct.search(game, &played, &mut rng);
            let found = hidden.search(&line, &mut own, &mut || false);
            let at = format!("{} after {plies} plies", typed.name);
            assert_eq!(rng, own, "{at}");
            let tree = search.tree();
            let best = search.best_move().map(|m| number(game, played.state(), m));
            assert_eq!(found.best, best, "{at}");
            let node = search.best_child().map(|child| tree.node(child)).or(tree.root());
            let of_node = node.map_or((0.0, 0), |node| (node.mean(), node.visits()));
            assert_eq!((found.mean_for_first, found.visits), of_node, "{at}");
            assert_eq!(found.legal_moves, line.move_count(), "{at}");
            assert_eq!(
                (found.turn, found.iterations, found.stopped),
                (search.turn(), search.iterations(), search.stopped())
            );
            assert_eq!(found.value().is_some(), best.is_some());
            let children = tree.root().map_or(&[][..], |_| tree.children(NodeId::ROOT));
            let tried: Vec<TriedMove> = children
                .iter()
                .map(|n| TriedMove {
                    visits: n.visits(),
                    score_for_first: n.score(),
                    bounds_for_first: [-1, 1],
                    legal_moves: n.legal_moves(),
                    tried_moves: n.child_count(),
                })
                .collect();
            assert_eq!(hidden.moves(), tried, "{at}");
            let options = ShapeOptions::default();
            let shape = Shape::of(tree, search.turn(), search.drift(), options);
            let bits = |shape: Shape| -> Vec<u64> {
                FEATURES.iter().map(|feature| (feature.of)(&shape).to_bits()).collect()
            };
            assert_eq!(hidden.shape(options).map(bits), shape.map(bits), "{at}");
            assert_eq!(hidden.node_count(), tree.node_count());
            assert_eq!(hidden.memory_bytes(), tree.memory_bytes());
            let words = [
                outline(game, "a game", 9, played.state(), &search),
                hidden.outline(&line, "a game", 9),
            ];
            let [one, other] = words.map(|outline| format!("{outline:?}"));
            assert_eq!(one, other, "{at}");
            // A search that tried nothing plays at random.
            let chosen = found.choose(&mut own);
            assert_eq!(chosen.is_some(), line.ended().is_none(), "{at}");
            assert!(chosen.is_none_or(|number| number < line.move_count()), "{at}");
            assert!(best.is_none() || chosen == best, "{at}");
        }
    }
}

#[test]
fn a_uct_search_is_that_of_the_typed_game() {
    for iterations in [0, 1, 2, 400] {
        every_game(&UctIsTheSame { budget: Budget::iterations(iterations), cp: DEFAULT_CP });
    }
    let budget = Budget { nodes_max: 50, ..Budget::iterations(1_000) };
    every_game(&UctIsTheSame { budget, cp: 0.3 });
}

#[test]
fn a_uct_search_is_stopped_and_observed() {
    #[derive(Default)]
    struct Count([u32; 3]);

    impl Observer for Count {
        fn ended(&mut self, phase: UctPhase) {
            self.0[phase as usize] += 1;
        }
    }

    let engine = open("connect_four");
    let mut uct = engine.uct(Budget::iterations(10_000), DEFAULT_CP);
    let (line, mut asked) = (engine.start(), 0);
    // Before the first search there is no tree.
    assert_eq!((uct.moves(), uct.node_count()), (vec![], 0));
    assert_eq!(uct.shape(ShapeOptions::default()), None);
    assert!(uct.outline(&line, "a game", 1).nodes.is_empty());
    let mut stop = || {
        asked += 1;
        asked > 3
    };
    let found = uct.search(&line, &mut Seed(1).generator(), &mut stop);
    assert_eq!(found.stopped, Stopped::Caller);
    assert!((256..2_000).contains(&found.iterations), "{found:?}");
    let mut count = Count::default();
    let mut uct = engine.uct(Budget::iterations(100), DEFAULT_CP);
    let mut rng = Seed(1).generator();
    let observed = uct.search_observed(&line, &mut rng, &mut count, &mut || false);
    assert_eq!(count.0, [100; 3]);
    assert_eq!(observed, uct.search(&line, &mut Seed(1).generator(), &mut || false));
}

/// The search with an evaluator finds what that of the typed game finds.
fn same_search<G: Notation + Keyed>(
    typed: &Typed<G>,
    name: &str,
    evaluator: &dyn Evaluator<G>,
    options: AlphaBetaOptions,
) {
    let game = &typed.game;
    let spec = EvaluatorSpec::parse(name).unwrap();
    let mut search = AlphaBeta::new(options);
    let mut hidden = typed.engine.alpha_beta(options, &spec).unwrap();
    let mut opening = Seed(8).generator();
    let depth = AlphaBetaLimits::depth(Plies(3));
    let limits = [depth, AlphaBetaLimits::nodes(700), depth, depth, AlphaBetaLimits::nodes(1)];
    for (plies, limits) in [0, 4, 5, u32::MAX, 2].into_iter().zip(limits) {
        let at = format!("{} after {plies} plies with {name}", typed.name);
        let (played, line) = typed.after(plies, &mut opening);
        let report = search.search(game, &played, evaluator, limits);
        let found = hidden.search(&line, limits, &mut || false).unwrap();
        let best = report.best.map(|m| number(game, played.state(), m));
        assert_eq!((found.best, found.value), (best, report.value), "{at}");
        assert_eq!((found.depth, found.nodes), (report.depth, report.nodes), "{at}");
        assert_eq!((found.stopped, found.decided), (report.stopped, report.decided()), "{at}");
        assert_eq!(found.unit, evaluator.unit(), "{at}");
        let mut pv = line.clone();
        pv.play_texts(&hidden.principal_variation(&line)).unwrap();
        let mut state = played.state().clone();
        report.pv.iter().for_each(|&m| game.play(&mut state, m));
        assert_eq!(pv.position_text(), game.position_text(&state), "{at}");
        assert_eq!(pv.ply().0 - line.ply().0, report.pv.len() as u32, "{at}");
        // Another one knows nothing of all this, nor does this one after it has forgotten.
        let fresh = AlphaBeta::new(options).search(game, &played, evaluator, limits);
        let mut another = hidden.another();
        assert_eq!(another.principal_variation(&line), Vec::<String>::new());
        let nodes = another.search(&line, limits, &mut || false).unwrap().nodes;
        assert_eq!(nodes, fresh.nodes, "{at}");
        if plies == 5 {
            search.forget();
            hidden.forget();
        }
    }
}

struct AlphaBetaIsTheSame;

impl Check for AlphaBetaIsTheSame {
    fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
        let all = AlphaBetaOptions::default();
        let none = AlphaBetaOptions { table_bytes: None, ordering: false, aspiration: false };
        for options in [all, none] {
            same_search(typed, "mobility", &Mobility, options);
            same_search(typed, "random(seed=3)", &RandomValue::new(Seed(3)), options);
            match typed.margin {
                Some(margin) => same_search(typed, "margin", &Margin::new(margin), options),
                None => {
                    let margin = EvaluatorSpec::parse("margin").unwrap();
                    let refused = typed.engine.alpha_beta(options, &margin).err();
                    assert!(matches!(refused, Some(EvaluatorError::NoMargin)), "{refused:?}");
                }
            }
        }
        let uct = UctValue::new(3, 0.5, Seed(1));
        same_search(typed, "uct(iterations=3,cp=0.5)", &uct, all);
    }
}

#[test]
fn an_alpha_beta_search_is_that_of_the_typed_game() {
    every_game(&AlphaBetaIsTheSame);
}

#[test]
fn an_alpha_beta_search_takes_the_evaluators_of_its_game() {
    struct Own;

    impl Check for Own {
        fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
            let any: &dyn std::any::Any = typed;
            let Some(typed) = any.downcast_ref::<Typed<Isolation<u64>>>() else { return };
            let options = AlphaBetaOptions::default();
            same_search(typed, "improved_score", &ImprovedScore, options);
            let score = CustomScore2::new(&typed.game, 3);
            same_search(typed, "custom_score_2(limit=3)", &score, options);
        }
    }

    every_game(&Own);
    let setup = Setup { cols: 5, rows: 5, piece: Piece::Knight, starts: Starts::Free };
    assert_eq!(Isolation::<u64>::new(setup, Plies(1_000)).setup(), setup);
    let refused = |game: &str, evaluator: &str| {
        let spec = EvaluatorSpec::parse(evaluator).unwrap();
        open(game).alpha_beta(AlphaBetaOptions::default(), &spec).err().unwrap().to_string()
    };
    let named = refused("isolation", "custom_score_2(depth=3)");
    assert!(named.contains("\"depth\"") && named.contains("`limit`"), "{named}");
    let named = refused("kalah", "improved_score");
    assert!(named.contains("\"improved_score\""), "{named}");
    assert!(named.contains("mobility, margin, uct, random, perfect"), "{named}");
    let named = EvaluatorSpec::parse("custom_score_2(").unwrap_err().to_string();
    assert!(named.contains("bad evaluator \"custom_score_2(\""), "{named}");
    assert!(refused("isolation", "margin").contains("no scores"));
}

#[test]
fn an_alpha_beta_search_is_stopped() {
    let engine = open("othello");
    let mut search = search_of(&*engine, "margin");
    let nodes = AlphaBetaLimits::nodes(u64::MAX);
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked > 5
    };
    let found = search.search(&engine.start(), nodes, &mut stop).unwrap();
    assert_eq!((found.stopped, found.best.is_some()), (Stopped::Caller, true));
    assert_eq!(found.plies_to_end(), None);
}

struct PerftIsTheSame;

impl Check for PerftIsTheSame {
    fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
        /// The number of lines of this length, counted one by one.
        fn lines(line: &Line, depth: usize) -> u64 {
            if depth == 0 || line.move_count() == 0 {
                return u64::from(depth == 0);
            }
            let child = |number| {
                let mut child = line.clone();
                child.play(number);
                lines(&child, depth - 1)
            };
            (0..line.move_count()).map(child).sum()
        }

        let mut opening = Seed(2).generator();
        for plies in [0, 4, u32::MAX] {
            let (played, line) = typed.after(plies, &mut opening);
            let (game, state) = (&typed.game, played.state());
            let counts = typed.engine.perft(&line, 3, &()).unwrap();
            assert_eq!(counts, typed_perft(game, state, 3), "{}", typed.name);
            let divided = typed.engine.perft_divide(&line, 3, &()).unwrap();
            let known: Vec<u64> = typed_divide(game, state, 3).iter().map(|row| row.1).collect();
            assert_eq!(divided, known, "{}", typed.name);
            assert_eq!(divided.iter().sum::<u64>(), counts[2]);
            assert_eq!(typed.engine.perft(&line, 0, &()), Some(Vec::new()));
            // No history ends lines of these games from near their start.
            if plies == 0 {
                let slow: Vec<u64> = (1..=3).map(|depth| lines(&line, depth)).collect();
                assert_eq!(counts, slow, "{}", typed.name);
            }
        }
    }
}

#[test]
fn perft_is_that_of_the_typed_game() {
    every_game(&PerftIsTheSame);
}

struct PlayoutsAreTheSame;

impl Check for PlayoutsAreTheSame {
    fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
        let mut opening = Seed(4).generator();
        for (plies, count) in [(0, 300), (6, 41), (u32::MAX, 5), (1, 0)] {
            let (played, line) = typed.after(plies, &mut opening);
            let (mut rng, mut own) = (Seed(6).generator(), Seed(6).generator());
            let mut slow = PlayoutTally { playouts: count, ..PlayoutTally::default() };
            for _ in 0..count {
                let mut state = played.state().clone();
                let limits = played.playout_limits(&typed.game);
                let end = typed.game.playout(&mut state, limits, &mut rng);
                slow.plies += u64::from(end.plies.0);
                let won = end.outcome.winner().map(|winner| winner.index());
                slow.outcomes[won.map_or(1, |index| 2 - 2 * index)] += 1;
            }
            let tally = typed.engine.playouts(&line, count as u32, &mut own);
            assert_eq!((tally, own), (slow, rng), "{} after {plies} plies", typed.name);
        }
    }
}

#[test]
fn playouts_are_those_of_the_typed_game() {
    every_game(&PlayoutsAreTheSame);
}

fn search_of(engine: &dyn Engine, evaluator: &str) -> Box<dyn AlphaBetaSearch> {
    let spec = EvaluatorSpec::parse(evaluator).unwrap();
    engine.alpha_beta(AlphaBetaOptions::default(), &spec).unwrap()
}

const SMALL: &str = "connect_four(cols=4,rows=4)";

#[test]
fn perfect_values_lead_to_the_perfect_move() {
    let (files, engine) = (Files::new(), open("tic_tac_toe"));
    let path = files.solved("whole.tgs", &*engine, None);
    let solved = open_solved(&engine, &path).unwrap();
    assert_eq!(solved.start().position_text(), engine.start().position_text());
    let mut search = search_of(&*engine, &format!("perfect(file={})", path.display()));
    let mut rng = Seed(1).generator();
    for _ in 0..50 {
        let mut line = engine.start();
        while line.ended().is_none() {
            let rows = solved.moves(&line).unwrap();
            assert_eq!(rows.len() as u32, line.move_count());
            let value = solved.value(&line).unwrap();
            assert_eq!(value, rows[0].valued, "turns alternate, and the best move keeps the value");
            let depth = AlphaBetaLimits::depth(Plies(1));
            let found = search.search(&line, depth, &mut || false).unwrap();
            let chosen = rows.iter().find(|row| Some(row.m) == found.best).unwrap();
            assert_eq!(chosen.valued, rows[0].valued, "{line:?}");
            assert_eq!(found.value > 0, value.value == Value::Win, "{line:?}");
            assert_eq!(found.value < 0, value.value == Value::Lose, "{line:?}");
            line.random_plies(1, &mut rng);
        }
        assert_eq!(solved.moves(&line).unwrap(), []);
    }
    assert_eq!(
        solved.value(&engine.start()).unwrap(),
        ExactValue { value: Value::Tie, remoteness: 9 }
    );
}

#[test]
fn a_search_whose_file_lacks_a_position_says_so_and_goes_on_elsewhere() {
    let (files, engine) = (Files::new(), open(SMALL));
    let begin = |moves: &[&str]| {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        engine.begin(&StartingPoint { position: None, moves }).unwrap()
    };
    let (start, known) = (engine.start(), begin(&["a", "a"]));
    let path = files.solved("part.tgs", &*engine, Some(&known.position_text()));
    let spec = format!("perfect(file={})", path.display());
    let mut search = search_of(&*engine, &spec);
    let limits = AlphaBetaLimits::depth(Plies(2));
    let expected = search.search(&known, limits, &mut || false).unwrap();
    for _ in 0..2 {
        let found = search.search(&start, limits, &mut || false);
        let Err(AgentError::SolvedFile(error)) = found else { panic!("{found:?}") };
        let ProbeError::MissingPosition { path: of, position, start } = &*error else {
            panic!("{error}")
        };
        assert_eq!((of, start), (&path, &known.position_text()));
        assert!(!position.is_empty() && error.to_string().contains("is not in"), "{error}");
    }
    // What it could not evaluate has left nothing behind, in it or in another like it.
    let mut other = search.another();
    for search in [&mut search, &mut other] {
        let again = search.search(&known, limits, &mut || false).unwrap();
        assert_eq!((again.best, again.value), (expected.best, expected.value));
    }
    let fresh = search_of(&*engine, &spec).search(&known, limits, &mut || false).unwrap();
    search.forget();
    assert_eq!(search.search(&known, limits, &mut || false).unwrap(), fresh);
    // An error of one is not an error of another.
    assert!(search.search(&start, limits, &mut || false).is_err());
    assert_eq!(other.search(&known, limits, &mut || false).unwrap().best, expected.best);
}
