use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Keyed, Notation, Outcome, Player, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::{Laws, Oracle, explore, laws, oracle};

use super::{State, WildTicTacToe};

fn game() -> WildTicTacToe {
    WildTicTacToe::new(Plies(1_000))
}

/// The rules on the nine characters of a board, row 3 first.
struct Grid;

impl Grid {
    fn cells(position: &str) -> Vec<char> {
        position.chars().filter(|c| ".XO".contains(*c)).collect()
    }

    /// The place of a cell's name in [`Grid::cells`].
    fn place(cell: &str) -> usize {
        ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
            .into_iter()
            .position(|name| name == cell)
            .unwrap()
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let cells = Grid::cells(position);
        let mut moves = Vec::new();
        for col in ["a", "b", "c"] {
            for row in ["1", "2", "3"] {
                let cell = format!("{col}{row}");
                if cells[Grid::place(&cell)] == '.' {
                    moves.push(format!("X{cell}"));
                    moves.push(format!("O{cell}"));
                }
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let mut cells = Grid::cells(position);
        cells[Grid::place(&m[1..])] = m.chars().next().unwrap();
        let rows: Vec<String> = cells.chunks(3).map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if position.ends_with('x') { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let cells = Grid::cells(position);
        let lines = ["012", "345", "678", "036", "147", "258", "048", "246"].map(|line| {
            line.chars().map(|c| cells[c.to_digit(10).unwrap() as usize]).collect::<String>()
        });
        if lines.iter().any(|line| line == "XXX" || line == "OOO") {
            let mover_lost = position.ends_with('x');
            Some(if mover_lost { Outcome::SecondWins } else { Outcome::FirstWins })
        } else {
            (!cells.contains(&'.')).then_some(Outcome::Draw)
        }
    }
}

#[test]
fn it_keeps_the_laws() {
    laws::check(&game(), Laws::default());
    laws::keyed(&game(), Laws::default());
    laws::tiered(&game(), Laws::default());
    laws::symmetric(&game(), Laws::default());
}

#[test]
fn perft_from_the_start() {
    let counts = perft(&game(), &game().start(), 6);
    assert_eq!(counts, [18, 288, 4_032, 47_232, 437_760, 2_991_360]);
}

#[test]
fn the_first_player_wins_in_7_plies() {
    assert_eq!(
        explore::solved(&game()),
        explore::Solved {
            states: 18_753,
            finished: 7_660,
            win: 10_085,
            lose: 7_656,
            draw: 1_012,
            start: Some((Player::First, 7)),
        }
    );
}

#[test]
fn positions_by_ply_and_up_to_symmetry() {
    let game = game();
    let mut level = HashSet::from([game.start()]);
    let (mut counts, mut apart, mut apart_of_square) = (Vec::new(), 0, 0);
    let mut moves = Vec::new();
    while !level.is_empty() {
        counts.push(level.len());
        let least = |state: &State, symmetries| {
            (0..symmetries).map(|n| game.key(&game.map_state(n, state))).min().unwrap()
        };
        apart += level.iter().map(|s| least(s, 16)).collect::<BTreeSet<_>>().len();
        apart_of_square += level.iter().map(|s| least(s, 8)).collect::<BTreeSet<_>>().len();
        let mut next = HashSet::new();
        for state in &level {
            assert_eq!(game.parse_position(&game.position_text(state)), Ok(*state));
            if game.outcome(state).is_none() {
                game.moves_into(state, &mut moves);
                for &m in &moves {
                    let mut child = *state;
                    game.play(&mut child, m);
                    next.insert(child);
                }
            }
        }
        level = next;
    }
    assert_eq!(counts, [1, 18, 144, 672, 2_016, 4_032, 5_320, 4_344, 1_890, 316]);
    assert_eq!((apart, apart_of_square), (1_359, 2_694));
}

/// How many courses from `state` the first player wins, the second wins, and are drawn.
fn courses(game: &WildTicTacToe, state: State, known: &mut HashMap<State, [u64; 3]>) -> [u64; 3] {
    match game.outcome(&state) {
        Some(Outcome::FirstWins) => return [1, 0, 0],
        Some(Outcome::SecondWins) => return [0, 1, 0],
        Some(Outcome::Draw) => return [0, 0, 1],
        None => {}
    }
    if let Some(&counts) = known.get(&state) {
        return counts;
    }
    let mut moves = Vec::new();
    game.moves_into(&state, &mut moves);
    let mut sum = [0; 3];
    for m in moves {
        let mut child = state;
        game.play(&mut child, m);
        for (total, n) in sum.iter_mut().zip(courses(game, child, known)) {
            *total += n;
        }
    }
    known.insert(state, sum);
    sum
}

#[test]
fn there_are_58242432_courses() {
    let counts = courses(&game(), game().start(), &mut HashMap::new());
    assert_eq!(counts, [28_331_136, 18_299_136, 11_612_160]);
}

/// The probabilities that the first player wins, that the second wins and of a draw, for uniformly
/// random moves.
fn chances(game: &WildTicTacToe, state: State, known: &mut HashMap<State, [f64; 3]>) -> [f64; 3] {
    match game.outcome(&state) {
        Some(Outcome::FirstWins) => return [1.0, 0.0, 0.0],
        Some(Outcome::SecondWins) => return [0.0, 1.0, 0.0],
        Some(Outcome::Draw) => return [0.0, 0.0, 1.0],
        None => {}
    }
    if let Some(&chances) = known.get(&state) {
        return chances;
    }
    let mut moves = Vec::new();
    game.moves_into(&state, &mut moves);
    let share = 1.0 / moves.len() as f64;
    let mut sum = [0.0; 3];
    for m in moves {
        let mut child = state;
        game.play(&mut child, m);
        for (total, chance) in sum.iter_mut().zip(chances(game, child, known)) {
            *total += share * chance;
        }
    }
    known.insert(state, sum);
    sum
}

#[test]
fn playouts_end_with_the_chances_of_the_tree() {
    let game = game();
    let expected = chances(&game, game.start(), &mut HashMap::new());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let n = 400_000;
    let mut ends: BTreeMap<Outcome, f64> = BTreeMap::new();
    for _ in 0..n {
        let end = game.playout(&mut game.start(), PlayoutLimits::of(&game), &mut rng);
        *ends.entry(end.outcome).or_default() += 1.0 / f64::from(n);
    }
    let outcomes = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw];
    for (outcome, chance) in outcomes.into_iter().zip(expected) {
        // Five standard deviations of a share of 1/2 among 400,000 are 0.004.
        assert!((ends[&outcome] - chance).abs() < 0.004, "{outcome:?} {chance}: {ends:?}");
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |text: &str, part: &str| {
        let error = game().parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("3/3/XX1 o", "after 2 marks o is not to move");
    named("XXX/3/OOO x", "both marks have a line");
    named("XXX/3/XXX x", "X has lines that no single mark can have made");
    named("3/x2/3 o", "\"x\" at character 3");
    named("OOO/1X1/3 x z", "unexpected \"z\"");
    assert!(game().parse_position("OOO/1X1/3 x").is_ok());
    assert!(game().parse_position("XXX/X2/X1O x").is_ok(), "a3 made both lines");
}

#[test]
fn both_marks_win_for_who_completes_them() {
    let game = game();
    let mut state = game.start();
    for text in ["Xb2", "Xa1", "xC3"] {
        let m = game.parse_move(&state, text).unwrap();
        game.try_play(&mut state, m).unwrap();
    }
    assert_eq!(game.outcome(&state), Some(Outcome::FirstWins));
    assert_eq!(game.position_text(&state), "..X/.X./X.. o");
    for bad in ["", "b2", "Xd1", "Xa4", "Zb2", "Xb2"] {
        assert!(game.parse_move(&state, bad).is_err(), "{bad:?}");
    }
    for m in [18, 31, 32, 63, 64, u8::MAX] {
        assert!(game.try_play(&mut game.start(), m).is_err(), "{m}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn it_follows_the_grid(seed: u64) {
        oracle::agree(&game(), &Grid, 8, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }

    #[test]
    fn a_playout_stops_at_the_cap_and_goes_on_from_there(seed: u64, cap in 0u32..10) {
        let game = game();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(Grid.outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert_eq!(text.matches(['X', 'O']).count() as u32, end.plies.0);
        if end.capped {
            let rest = game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            prop_assert_eq!(Grid.outcome(&game.position_text(&state)), Some(rest.outcome));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/XOxo.0-9]{0,40}") {
        laws::parsers_stand(&game(), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(text in "([XO.1-3]{1,3}/){2}[XO.1-3]{1,3} [xo]") {
        laws::parsers_stand(&game(), &text);
    }
}
