//! Searches that keep their trees when the game goes on.

use treegauge_core::Player as Turn;
use treegauge_engine::{Agent, Competitor, Engine, Line, Player, PlayerSpec, UctFound, UctSearch};
use treegauge_search::picture::Outline;
use treegauge_search::{
    BackUp, Budget, DEFAULT_CP, Generator, Merge, MoveCounts, Seed, UctOptions, UctVariant,
};

use crate::common::open;

/// Short and long games: with passes, several moves of a player in a row, and positions that come back.
const GAMES: [&str; 8] = [
    "tic_tac_toe",
    "connect_four(cols=4,rows=4)",
    "kalah(houses=3,seeds=2)",
    "othello(size=4)",
    "dots_and_boxes(rows=2,cols=2)",
    "achi",
    "nine_mens_morris(draw_plies=8)",
    "alquerque(draw_plies=4,ply_cap=20)",
];

fn variants() -> Vec<UctVariant> {
    let reuse = UctVariant { reuse: true, ..UctVariant::default() };
    vec![
        reuse,
        UctVariant { merge: Merge::Equal, back_up: BackUp::All, ..reuse },
        UctVariant { merge: Merge::Symmetric, counts: MoveCounts::Edge, ..reuse },
        UctVariant { merge: Merge::Symmetric, solver: true, ..reuse },
        UctVariant { solver: true, threads: 3, ..reuse },
    ]
}

fn search(engine: &dyn Engine, variant: UctVariant, iterations: u32) -> Box<dyn UctSearch> {
    let options = UctOptions::new(Budget::iterations(iterations), DEFAULT_CP);
    engine.uct_with(UctOptions { variant, ..options })
}

fn found(uct: &mut dyn UctSearch, at: &Line, rng: &mut Generator) -> UctFound {
    uct.search(at, rng, &mut || false)
}

/// The visits at the end of a line in a tree.
fn visits_of(outline: &Outline, line: &[String]) -> Option<u32> {
    let mut at = outline.nodes.first()?;
    for m in line {
        let mut below = at.children.iter().map(|&child| &outline.nodes[child]);
        at = below.find(|node| node.m == *m)?;
    }
    Some(at.visits)
}

#[test]
fn a_search_goes_on_from_the_visits_below_the_moves_played() {
    for name in GAMES {
        let engine = open(name);
        let mut uct = search(&*engine, variants()[0], 300);
        for seed in 0..4 {
            let (mut line, mut rng) = (engine.start(), Seed(seed).generator());
            uct.forget();
            let (mut kept, mut kept_once) = (0, false);
            while line.ended().is_none() && line.ply().0 < 40 {
                let searched = found(&mut *uct, &line, &mut rng);
                let tree = uct.outline(&line, name, 1);
                assert_eq!(searched.iterations, 300);
                assert_eq!(tree.nodes[0].visits, kept + 300, "{name} at {}", line.position_text());
                let before = line.clone();
                // The move found, and in most games a reply.
                let mut moves = vec![searched.choose(&mut rng).unwrap()];
                line.play(moves[0]);
                if line.ended().is_none() && seed > 0 {
                    moves.extend(line.random_plies(1, &mut rng));
                }
                kept = visits_of(&tree, &before.line_texts(&moves)).unwrap_or(0);
                kept_once |= kept > 0;
            }
            assert!(kept_once, "{name}");
        }
    }
}

#[test]
fn a_search_of_the_same_position_again_has_what_it_had_and_more() {
    let engine = open("connect_four");
    for variant in variants() {
        let (line, mut rng) = (engine.start(), Seed(1).generator());
        let mut uct = search(&*engine, variant, 700);
        let mut visits = Vec::new();
        for _ in 0..3 {
            found(&mut *uct, &line, &mut rng);
            visits.push(uct.moves().iter().map(|tried| tried.visits).sum::<u32>());
        }
        assert!(visits.is_sorted() && visits[2] > visits[0] + 700, "{variant}: {visits:?}");
    }
}

/// A search that forgot, or whose last position does not lead to this one, is as a new one.
#[test]
fn another_game_begins_with_an_empty_tree() {
    for name in GAMES {
        let engine = open(name);
        for variant in variants() {
            let mut used = search(&*engine, variant, 200);
            let mut played = engine.start();
            for seed in 0..4 {
                found(&mut *used, &played, &mut Seed(seed).generator());
                if played.ended().is_none() {
                    played.random_plies(1, &mut Seed(seed).generator());
                }
            }
            let mut fresh = search(&*engine, variant, 200);
            let mut compare = |used: &mut dyn UctSearch, line: &Line| {
                let expected = found(&mut *fresh, line, &mut Seed(7).generator());
                assert_eq!(found(used, line, &mut Seed(7).generator()), expected, "{name}");
                assert_eq!(used.moves(), fresh.moves());
                fresh.forget();
            };
            let mut other = engine.start();
            other.random_plies(1, &mut Seed(99).generator());
            // Earlier in the same game, then on after forgetting it.
            compare(&mut *used, &engine.start());
            used.forget();
            if other.ended().is_none() {
                compare(&mut *used, &other);
            }
        }
    }
}

#[test]
fn an_agent_that_played_other_games_plays_as_a_new_one() {
    for name in GAMES {
        let engine = open(name);
        let text = "uct(iterations=60,reuse=true,merge=equal)";
        let clock = treegauge_core::NoClock::shared();
        let spec = PlayerSpec::parse(text).unwrap();
        let player = Player::open(&spec, &engine, &engine.start(), &clock).unwrap();
        let game = |agent: &mut Box<dyn Agent>, seed: u64| {
            let (mut line, mut rng) = (engine.start(), Seed(seed).generator());
            let mut moves = Vec::new();
            while line.ended().is_none() && moves.len() < 30 {
                let m = match line.turn() {
                    Turn::First => agent.choose(&line, &mut rng, &()).unwrap().m,
                    Turn::Second => line.random_move(&mut rng).unwrap(),
                };
                assert!(agent.spent().nodes <= 60, "kept visits are not spent again");
                moves.push(m);
                line.play(m);
            }
            moves
        };
        let mut agent = player.agent();
        for seed in 0..4 {
            let mut fresh = Player::open(&spec, &engine, &engine.start(), &clock).unwrap().agent();
            assert_eq!(game(&mut agent, seed), game(&mut fresh, seed), "{name}");
            player.put_back(agent);
            agent = player.agent();
        }
    }
}
