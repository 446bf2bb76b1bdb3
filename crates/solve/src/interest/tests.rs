//! Tests of interestingness against known figures, against a slow form of the definition, and of
//! all ways of computing against each other.

use rayon::ThreadPoolBuilder;
use treegauge_core::{Capabilities, Capability, Game, KeyCode, Plies};
use treegauge_games::one_to_ten::OneToTen;
use treegauge_testkit::explore;

use super::*;
use crate::rules::{Reduction, Solvable};
use crate::tests::any_game::{StopAfter, on, solved};
use crate::value::Value;

/// The published values are rounded to ten digits.
const CLOSE: f64 = 1e-9;

const LITERAL: InterestOptions = InterestOptions {
    form: Form::Literal,
    lose_children: LoseChildren::All,
    children: Children::Moves,
    draws: Draws::Tie,
    ties: Ties::All,
};
const CLAMPED: InterestOptions = InterestOptions { form: Form::Clamped, ..LITERAL };

/// All combinations of the choices, but late ties and weights only with a part of the others.
fn all_options() -> Vec<InterestOptions> {
    let mut all = Vec::new();
    for (children, ties) in [(Children::Moves, Ties::Late), (Children::Positions, Ties::All)] {
        for draws in [Draws::Tie, Draws::Skip] {
            let form = Form::Forcing;
            all.push(InterestOptions { form, children, draws, ties, ..CLAMPED });
        }
    }
    all.push(InterestOptions { ties: Ties::Late, ..LITERAL });
    let (form, lose_children) = (Form::Forcing, LoseChildren::Fastest);
    all.push(InterestOptions { form, lose_children, ..CLAMPED });
    for form in [Form::Clamped, Form::Literal] {
        for lose_children in [LoseChildren::All, LoseChildren::Fastest] {
            for children in [Children::Moves, Children::Positions] {
                for draws in [Draws::Tie, Draws::Skip] {
                    let choices = InterestOptions { form, lose_children, children, ..CLAMPED };
                    all.push(InterestOptions { draws, ..choices });
                }
            }
        }
    }
    all
}

/// Games with ties, draws, cycles, moves that keep the turn, and several moves to one position,
/// with and without tiers and symmetries.
const SUITE: [&str; 14] = [
    "one_to_ten",
    "one_to_ten(target=12,max_step=3,misere=true)",
    "broken_tic_tac_toe",
    "tic_tac_toe",
    "tic_tac_toe(misere=true)",
    "achi",
    "achi(men=4,adjacency=king)",
    "alak(length=7)",
    "alak(length=6,forbidden=false)",
    "finger_game",
    "dots_and_boxes(rows=2,cols=1)",
    "dots_corridor(length=3)",
    "kalah(houses=2,seeds=2)",
    "forms(rows=4,cols=2)",
];

/// Results to compare with known figures, without the types of a game.
struct Figures {
    start: Point<()>,
    most: Option<(f64, u64)>,
    /// Remoteness, number of wins, maximum of each row.
    rows: Vec<(u16, u64, f64)>,
    sweeps: u32,
    in_loops: u64,
    /// Most interesting position, as text.
    position: String,
}

fn figures(spec: &str, options: InterestOptions) -> Figures {
    fn run<K: KeyCode>(rules: Solvable<K>, of: InterestOptions) -> Figures {
        let solution = solved(&rules, false);
        let found = interest(&solution, of, None, &()).unwrap();
        let most = found.most_interesting();
        let as_good = |most: &Point<_>| {
            let close = |n: &usize| (found.of(*n) - most.interestingness).abs() < 1e-12;
            (0..solution.len()).filter(close).count() as u64
        };
        let start = found.start();
        Figures {
            start: Point {
                index: start.index,
                key: (),
                valued: start.valued,
                interestingness: start.interestingness,
            },
            most: most.map(|most| (most.interestingness, as_good(most))),
            rows: found
                .by_remoteness()
                .iter()
                .map(|row| (row.remoteness, row.wins, row.most.interestingness))
                .collect(),
            sweeps: found.sweeps(),
            in_loops: found.in_loops(),
            position: most.map_or(String::new(), |most| rules.position_text(most.key)),
        }
    }
    on!(spec, run, options)
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < CLOSE, "{what}: {found} instead of {expected}");
}

/// Checks rows of known figures: remoteness, wins (0 where unknown), maximum to eight digits.
fn assert_rows(spec: &str, found: &Figures, expected: &[(u16, u64, f64)]) {
    for &(remoteness, wins, max) in expected {
        let row = found.rows.iter().find(|row| row.0 == remoteness).expect("there are such wins");
        assert!(wins == 0 || row.1 == wins, "{spec}, {remoteness}: {} wins", row.1);
        assert!((row.2 - max).abs() < 5.1e-9, "{spec}, {remoteness}: {} is not {max}", row.2);
    }
}

#[test]
fn one_to_ten_is_as_worked_out_by_hand() {
    // Total, value, remoteness, literal and clamped interestingness.
    let table = [
        (10, Value::Lose, 0, 0.01, 0.01),
        (9, Value::Win, 1, 0.005_012_562_9, 0.01),
        (8, Value::Win, 1, 0.005_012_562_9, 0.01),
        (7, Value::Lose, 2, 0.005_012_562_9, 0.01),
        (6, Value::Win, 3, 0.002_509_430_1, 0.01),
        (5, Value::Win, 3, 0.294_667_653_8, 0.296_437_636_0),
        (4, Value::Lose, 4, 0.148_588_541_9, 0.153_218_818_0),
        (3, Value::Win, 5, 0.347_538_714_5, 0.349_315_290_6),
        (2, Value::Win, 5, 0.347_538_714_5, 0.349_315_290_6),
        (1, Value::Lose, 6, 0.347_538_714_5, 0.349_315_290_6),
        (0, Value::Win, 7, 0.428_833_962_2, 0.429_612_101_6),
    ];
    let game = OneToTen::new(10, 2, false, Plies(1000));
    let rules = Solvable::of(game, Capabilities::none().tiered());
    let solution = solved(&rules, false);
    let literal = interest(&solution, LITERAL, None, &()).unwrap();
    let clamped = interest(&solution, CLAMPED, None, &()).unwrap();
    let mut checked = 0;
    for (index, key, valued) in solution.iter() {
        let text = rules.position_text(key);
        let total: i32 = text.split(' ').next().unwrap().parse().unwrap();
        let row = table.iter().find(|row| row.0 == total).unwrap();
        assert_eq!((valued.value, valued.remoteness), (row.1, row.2), "{text}");
        assert_close(literal.of(index), row.3, &text);
        assert_close(clamped.of(index), row.4, &text);
        checked += 1;
    }
    assert!(checked >= table.len());
    assert_eq!(literal.sweeps(), 1);
}

#[test]
fn games_without_cycles_have_the_known_figures() {
    let spec = "tic_tac_toe";
    let found = figures(spec, LITERAL);
    assert_eq!(found.start.valued.value, Value::Tie);
    assert_close(found.start.interestingness, 0.01, spec);
    assert_rows(
        spec,
        &found,
        &[(1, 2358, 0.502_506_28), (3, 356, 0.595_721_10), (5, 122, 0.626_023_77)],
    );
    assert_eq!(found.most.unwrap().1, 8);
    assert!((found.most.unwrap().0 - 0.626_023_77).abs() < 5.1e-9);
    let found = figures(spec, CLAMPED);
    assert_rows(
        spec,
        &found,
        &[(1, 2358, 0.502_506_28), (3, 356, 0.596_390_12), (5, 122, 0.627_110_90)],
    );
    assert_eq!(found.most.unwrap().1, 8);
    // X is on the middle of an edge, o on a corner that is not adjacent to it.
    let cells: Vec<char> = found.position.chars().filter(|c| "xo.-_".contains(*c)).collect();
    let (x, o) = (cells.iter().position(|&c| c == 'x'), cells.iter().position(|&c| c == 'o'));
    let (x, o) = (x.unwrap(), o.unwrap());
    assert!([1, 3, 5, 7].contains(&x) && [0, 2, 6, 8].contains(&o), "{}", found.position);
    assert_eq!((x / 3).abs_diff(o / 3) + (x % 3).abs_diff(o % 3), 3, "{}", found.position);

    let spec = "wild_tic_tac_toe";
    let found = figures(spec, LITERAL);
    assert_eq!(found.start.valued, ExactValue { value: Value::Win, remoteness: 7 });
    assert!((found.start.interestingness - 0.746_512_00).abs() < 5.1e-9);
    assert_eq!(found.most.unwrap().0.to_bits(), found.start.interestingness.to_bits());
    assert_rows(
        spec,
        &found,
        &[(1, 10020, 0.296_437_64), (3, 56, 0.647_333_83), (5, 8, 0.592_648_11)],
    );
    let found = figures(spec, CLAMPED);
    assert_rows(spec, &found, &[(3, 56, 0.648_218_82), (5, 8, 0.593_798_08), (7, 1, 0.746_643_62)]);

    let spec = "broken_tic_tac_toe";
    let found = figures(spec, LITERAL);
    assert_eq!(found.start.valued, ExactValue { value: Value::Win, remoteness: 3 });
    assert_close(found.start.interestingness, 0.002_509_430_1, spec);
    assert_eq!((found.rows[0].0, found.rows[0].1), (1, 364));
    assert_close(found.rows[0].2, 0.005_012_562_9, spec);
    let found = figures(spec, CLAMPED);
    assert_close(found.start.interestingness, 0.01, spec);
    assert_close(found.rows[0].2, 0.01, spec);
    for spec in ["tic_tac_toe", "wild_tic_tac_toe", "broken_tic_tac_toe"] {
        let found = figures(spec, CLAMPED);
        assert_eq!((found.sweeps, found.in_loops), (1, 0), "{spec}");
    }
}

#[test]
fn games_with_cycles_have_the_known_figures() {
    let spec = "achi";
    let win = |remoteness| ExactValue { value: Value::Win, remoteness };
    let found = figures(spec, LITERAL);
    assert_eq!(found.start.valued, win(9));
    assert_rows(
        spec,
        &found,
        &[
            (1, 1860, 0.593_798_08),
            (3, 688, 0.666_468_93),
            (5, 300, 0.667_892_08),
            (7, 92, 0.730_132_70),
            (9, 57, 0.778_491_73),
        ],
    );
    assert_eq!(found.most.unwrap().0.to_bits(), found.start.interestingness.to_bits());
    assert!(found.sweeps > 1 && found.in_loops > 0);
    let found = figures(spec, CLAMPED);
    assert_rows(
        spec,
        &found,
        &[
            (1, 1860, 0.593_798_08),
            (3, 688, 0.666_468_93),
            (5, 300, 0.668_157_60),
            (7, 92, 0.730_542_46),
            (9, 57, 0.778_625_70),
        ],
    );
    assert_eq!(found.most.unwrap().0.to_bits(), found.start.interestingness.to_bits());

    let spec = "achi(men=4)";
    for (options, start, max) in
        [(LITERAL, 0.671_260_64, 0.675_264_03), (CLAMPED, 0.672_570_87, 0.676_181_10)]
    {
        let found = figures(spec, options);
        assert_eq!(found.start.valued, win(11));
        assert!((found.start.interestingness - start).abs() < 5.1e-9);
        assert_rows(spec, &found, &[(9, 0, max)]);
        assert!((found.most.unwrap().0 - max).abs() < 5.1e-9);
        assert_eq!(found.most.unwrap().1, 4);
    }

    let spec = "finger_game";
    let found = figures(spec, LITERAL);
    assert_eq!(found.start.valued.value, Value::Draw);
    assert_rows(
        spec,
        &found,
        &[(1, 184, 0.502_506_28), (3, 50, 0.592_776_18), (5, 20, 0.459_729_77)],
    );
    assert_eq!(found.most.unwrap().1, 24);
    assert!((found.most.unwrap().0 - 0.592_776_18).abs() < 5.1e-9);
}

#[test]
fn draws_that_count_as_nothing_have_the_known_figures() {
    let skip = |options| InterestOptions { draws: Draws::Skip, ..options };
    for (options, start, rows) in [
        (
            skip(LITERAL),
            0.584_643_710_8,
            [0.555_028_09, 0.562_409_53, 0.653_305_83, 0.643_208_01, 0.584_643_71],
        ),
        (
            skip(CLAMPED),
            0.585_958_300_8,
            [0.555_028_09, 0.562_409_53, 0.653_749_33, 0.643_691_62, 0.585_958_30],
        ),
    ] {
        let found = figures("achi", options);
        assert_close(found.start.interestingness, start, "achi");
        let rows: Vec<_> = (0..5).map(|n| (2 * n as u16 + 1, 0, rows[n])).collect();
        assert_rows("achi", &found, &rows);
        assert_eq!(found.most.unwrap().0.to_bits(), found.rows[2].2.to_bits());
    }
    for (options, rows) in [
        (skip(LITERAL), [0.425_543_74, 0.294_667_65, 0.113_448_58]),
        (skip(CLAMPED), [0.425_543_74, 0.296_437_64, 0.119_996_68]),
    ] {
        let found = figures("finger_game", options);
        let rows: Vec<_> = (0..3).map(|n| (2 * n as u16 + 1, 0, rows[n])).collect();
        assert_rows("finger_game", &found, &rows);
        assert_eq!(found.most.unwrap().0.to_bits(), found.rows[0].2.to_bits());
    }
}

/// Computes the definition on the explicit graph: recomputes every position until all values stay
/// the same. Also returns the number of positions that lie on a cycle or depend on one.
fn oracle<G: Game>(
    game: &G,
    graph: &explore::Graph<G::State>,
    options: InterestOptions,
) -> (Vec<f64>, u64) {
    use explore::Value as V;
    let values = explore::solve(game, graph);
    let turns: Vec<_> = graph.states.iter().map(|state| game.turn(state)).collect();
    let mut found = vec![0.0f64; graph.states.len()];
    // Positions that can be computed from settled ones. Those never settled depend on a cycle.
    let mut settled = vec![false; graph.states.len()];
    loop {
        let mut moved = 0.0f64;
        let mut settles = false;
        for n in 0..graph.states.len() {
            let mut children = graph.children[n].clone();
            if options.children == Children::Positions {
                children.sort_unstable();
                children.dedup();
            }
            // Value and remoteness of a child from its mover's side.
            let seen = |child: u32| {
                let (value, remoteness) = values[child as usize];
                let value = match value {
                    V::Win if turns[child as usize] != turns[n] => V::Lose,
                    V::Lose if turns[child as usize] != turns[n] => V::Win,
                    value => value,
                };
                (value, remoteness)
            };
            let weight = |&child: &u32| {
                let mut moves = graph.children[child as usize].clone();
                if options.children == Children::Positions {
                    moves.sort_unstable();
                    moves.dedup();
                }
                match options.form {
                    Form::Clamped | Form::Literal => 1.0,
                    Form::Forcing => 1.0 / (1.0 + moves.len() as f64),
                }
            };
            let count = |counts: &dyn Fn((V, Option<u32>)) -> bool| {
                children.iter().filter(|&&child| counts(seen(child))).map(weight).sum::<f64>()
            };
            let mut depends = Vec::new();
            let mut mean = |chosen: Vec<u32>| {
                depends.clone_from(&chosen);
                let sum: f64 = chosen.iter().map(|&child| found[child as usize]).sum();
                sum / chosen.len() as f64
            };
            let new = match values[n].0 {
                _ if children.is_empty() => 0.01,
                V::Tie | V::Draw => 0.01,
                V::Lose => mean(children),
                V::Win => {
                    let winning = count(&|child| child.0 == V::Win);
                    let losing = count(&|child| child.0 == V::Lose && child.1 > Some(1));
                    let ties = count(&|child| match child.0 {
                        V::Tie => options.ties == Ties::All || child.1 > Some(1),
                        V::Draw => options.draws == Draws::Tie,
                        _ => false,
                    });
                    let mut immediate = (losing + ties) / (losing + winning + ties);
                    if options.form != Form::Literal && immediate < 0.01 {
                        immediate = 0.01;
                    }
                    let mut chosen = children.clone();
                    chosen.retain(|&child| seen(child).0 == V::Win);
                    if options.lose_children == LoseChildren::Fastest {
                        let least = chosen.iter().map(|&child| seen(child).1).min().unwrap();
                        chosen.retain(|&child| seen(child).1 == least);
                    }
                    let combined = 1.0 - (1.0 - immediate) * (1.0 - mean(chosen));
                    1.0 - (1.0 - combined).sqrt()
                }
            };
            moved = moved.max((new - found[n]).abs());
            found[n] = new;
            if !settled[n] && depends.iter().all(|&child| settled[child as usize]) {
                settled[n] = true;
                settles = true;
            }
        }
        if moved < 1e-15 && !settles {
            return (found, settled.iter().filter(|settled| !**settled).count() as u64);
        }
    }
}

/// Compares every position of a game with the oracle, and all ways of computing with each other.
fn agree<K: KeyCode>(rules: Solvable<K>) {
    let game = &rules;
    let plain = solved(&rules, false);
    let graph = explore::explore(game, 20_000);
    assert_eq!(graph.states.len(), plain.len());
    let reduced = Reduction::of(&rules, rules.start()).is_ok().then(|| solved(&rules, true));
    // The same game without tiers and index.
    let hashed = rules.clone().without(Capability::Indexed);
    let flat = hashed.clone().without(Capability::Tiered);
    let flat = rules.has_tiers().then(|| solved(&flat, false));
    let hashed = rules.index_len().map(|_| solved(&hashed, false));
    for options in all_options() {
        let found = interest(&plain, options, None, &()).unwrap();
        let (expected, in_loops) = oracle(game, &graph, options);
        assert_eq!(found.in_loops(), in_loops);
        for (state, expected) in graph.states.iter().zip(expected) {
            let index = plain.index_of(*state).unwrap();
            assert_close(found.of(index), expected, &rules.position_text(*state));
            let terms = found.terms(&plain, index);
            assert_eq!(terms.interestingness.to_bits(), found.of(index).to_bits());
            let composed = match (terms.immediate, terms.accumulated) {
                (Some(immediate), Some(accumulated)) => {
                    1.0 - ((1.0 - immediate) * (1.0 - accumulated)).sqrt()
                }
                (None, Some(accumulated)) => accumulated,
                (_, None) => PRIMITIVE,
            };
            assert_close(composed, expected, "the terms together");
        }
        for other in reduced.iter().chain(&flat).chain(&hashed) {
            let others = interest(other, options, None, &()).unwrap();
            for state in &graph.states {
                let a = found.of(plain.index_of(*state).unwrap());
                let b = others.of(other.index_of(*state).unwrap());
                assert_eq!(a.to_bits(), b.to_bits(), "{}", rules.position_text(*state));
            }
            assert_eq!(found.sweeps(), others.sweeps());
            assert_eq!(found.in_loops(), others.in_loops());
            let keyless = |interest: &Interest<K>| -> Vec<_> {
                let rows = interest.by_remoteness().iter();
                rows.map(|row| (row.remoteness, row.wins, row.mean, row.most.key, row.bins))
                    .collect()
            };
            assert_eq!(keyless(&found), keyless(&others));
            let most = |interest: &Interest<K>| interest.most_interesting().map(|most| most.key);
            assert_eq!(most(&found), most(&others));
        }
        if options.lose_children == LoseChildren::Fastest {
            assert_eq!((found.sweeps(), found.in_loops()), (1, 0));
        }
    }
}

#[test]
fn every_position_is_as_the_definition_says_by_every_way_of_computing() {
    for spec in SUITE {
        on!(spec, agree);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    fn threads<K: KeyCode>(rules: Solvable<K>) {
        let solution = solved(&rules, false);
        let runs = [1, 2, 4].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| interest(&solution, CLAMPED, None, &()).unwrap())
        });
        assert!(runs[0] == runs[1] && runs[0] == runs[2]);
        let counted: u64 = runs[0].by_remoteness().iter().map(|row| row.wins).sum();
        let rows = solution.remoteness_table().rows();
        assert_eq!(counted, rows[1..].iter().map(|row| row[0]).sum::<u64>());
        for row in runs[0].by_remoteness() {
            assert_eq!(row.bins.iter().sum::<u64>(), row.wins);
            assert!(row.mean <= row.most.interestingness + 1e-12);
        }
    }
    // These games have more positions than one thread takes at once.
    for spec in ["wild_tic_tac_toe", "achi(men=4,adjacency=king)", "alak(length=9)"] {
        on!(spec, threads);
    }
}

#[test]
fn who_says_stop_gets_nothing() {
    fn run<K: KeyCode>(rules: Solvable<K>) {
        let solution = solved(&rules, false);
        let stopped = interest(&solution, CLAMPED, None, &StopAfter::new(0));
        assert_eq!(stopped.err(), Some(WorkError::Interrupted));
        let little = Some(solution.bytes());
        let refused = interest(&solution, CLAMPED, little, &());
        assert!(matches!(refused, Err(WorkError::Memory { .. })));
    }
    on!("tic_tac_toe", run);
    on!("achi", run);
}
