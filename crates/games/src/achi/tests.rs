use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Ending, Game, Keyed, Notation, Outcome, Played, Player, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::{Laws, Oracle, explore, laws, oracle};

use super::{Achi, Adjacency, Move, State};

const ADJACENCIES: [Adjacency; 3] = [Adjacency::Lines, Adjacency::King, Adjacency::Orth];

fn game(size: u32, men: u32, adjacency: Adjacency) -> Achi {
    Achi::new(size, men, adjacency, Plies(1_000))
}

fn standard() -> Achi {
    game(3, 3, Adjacency::Lines)
}

/// The rules on a grid of characters, point by point.
struct Grid {
    men: usize,
    adjacency: Adjacency,
}

type Point = (i32, i32);

impl Grid {
    /// Rows from the first to the last, and the letter to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        (rows, turn.chars().next().unwrap())
    }

    /// The points as column and row from 0, with what stands there.
    fn points(cells: &[Vec<char>]) -> Vec<(Point, char)> {
        let mut points = Vec::new();
        for (row, line) in cells.iter().enumerate() {
            for (col, &c) in line.iter().enumerate() {
                points.push(((col as i32, row as i32), c));
            }
        }
        points
    }

    fn name((col, row): Point) -> String {
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }

    fn neighbours(&self, a: Point, b: Point) -> bool {
        let (across, up) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        match (across, up) {
            (0, 1) | (1, 0) => true,
            (1, 1) => match self.adjacency {
                Adjacency::Lines => (a.0 + a.1) % 2 == 0,
                Adjacency::King => true,
                Adjacency::Orth => false,
            },
            _ => false,
        }
    }

    fn line(cells: &[Vec<char>], letter: char) -> bool {
        let at = |(col, row): Point| {
            let row = usize::try_from(row).ok().and_then(|row| cells.get(row));
            row.zip(usize::try_from(col).ok()).and_then(|(row, col)| row.get(col)).copied()
        };
        Grid::points(cells).into_iter().any(|((col, row), _)| {
            [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().any(|(right, up)| {
                (0..3).all(|n| at((col + n * right, row + n * up)) == Some(letter))
            })
        })
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, turn) = Grid::read(position);
        let points = Grid::points(&cells);
        let empty = || points.iter().filter(|(_, c)| *c == '.').map(|(at, _)| *at);
        if points.iter().filter(|(_, c)| *c != '.').count() < 2 * self.men {
            return empty().map(Grid::name).collect();
        }
        let mut moves = Vec::new();
        for (from, _) in points.iter().filter(|(_, c)| *c == turn) {
            for to in empty().filter(|to| self.neighbours(*from, *to)) {
                moves.push(format!("{}-{}", Grid::name(*from), Grid::name(to)));
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Grid::read(position);
        let mut put = |name: &str, c: char| {
            let col = usize::from(name.as_bytes()[0] - b'a');
            cells[name[1..].parse::<usize>().unwrap() - 1][col] = c;
        };
        let (from, to) = m.split_once('-').unwrap_or((m, m));
        put(from, '.');
        put(to, turn);
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (cells, turn) = Grid::read(position);
        if Grid::line(&cells, 'x') {
            Some(Outcome::FirstWins)
        } else if Grid::line(&cells, 'o') {
            Some(Outcome::SecondWins)
        } else {
            let lost = if turn == 'x' { Outcome::SecondWins } else { Outcome::FirstWins };
            self.moves(position).is_empty().then_some(lost)
        }
    }
}

fn all_laws(game: &Achi, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::symmetric(game, laws);
    laws::indexed(game, laws);
    laws::retrograde(game, laws);
}

#[test]
fn the_usual_and_the_broken_game_keep_the_laws() {
    for adjacency in ADJACENCIES {
        for (size, men) in [(3, 3), (3, 4), (4, 3)] {
            all_laws(&game(size, men, adjacency), Laws::default());
        }
    }
    for men in [3, 12] {
        all_laws(&game(5, men, Adjacency::Lines), Laws { games: 6, ..Laws::default() });
    }
}

#[test]
fn perft_from_the_start() {
    let counts = |game: &Achi, depth| perft(game, &game.start(), depth);
    for adjacency in ADJACENCIES {
        let expected = [9, 72, 504, 3_024, 15_120, 54_720];
        assert_eq!(counts(&game(3, 3, adjacency), 6), expected);
    }
    let expected = [9, 72, 504, 3_024, 15_120, 54_720, 148_176];
    assert_eq!(counts(&game(3, 4, Adjacency::Lines), 7), expected);
    assert_eq!(counts(&game(4, 3, Adjacency::Lines), 4), [16, 240, 3_360, 43_680]);
}

/// The start value, and the numbers of states: all, finished, won, lost and drawn for the player
/// to move.
fn solved(game: &Achi) -> (Option<(Player, u32)>, [usize; 5]) {
    let found = explore::solved(game);
    (found.start, [found.states, found.finished, found.win, found.lose, found.draw])
}

#[test]
fn small_boards_have_the_values_that_are_known() {
    let wins_in = |plies| Some((Player::First, plies));
    assert_eq!(solved(&standard()), (wins_in(9), [5_390, 416, 2_997, 1_185, 1_208]));
    let king = solved(&game(3, 3, Adjacency::King));
    assert_eq!(king, (None, [5_390, 416, 2_914, 900, 1_576]));
    let (start, [states, _, win, lose, draw]) = solved(&game(3, 3, Adjacency::Orth));
    assert_eq!((start, states, win, lose, draw), (wins_in(9), 5_390, 2_877, 1_201, 1_312));
    let four = solved(&game(3, 4, Adjacency::Lines));
    assert_eq!(four, (wins_in(11), [5_716, 1_016, 3_527, 2_189, 0]));
    let (start, [states, ..]) = solved(&game(3, 4, Adjacency::King));
    assert_eq!((start, states), (wins_in(11), 5_720));
}

#[test]
fn the_broken_game_is_won_in_5_plies() {
    let broken = solved(&game(4, 3, Adjacency::Lines));
    assert_eq!(broken, (Some((Player::First, 5)), [363_129, 15_032, 246_521, 105_830, 10_778]));
}

fn position(game: &Achi, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn who_cannot_move_loses() {
    let game = game(3, 4, Adjacency::Orth);
    // c1 is the only empty point, and o has both its neighbours.
    let state = position(&game, "oxo/xxo/xo. x");
    assert_eq!(game.outcome(&state), Some(Outcome::SecondWins));
    let state = position(&game, "oxo/xxo/xo. o");
    assert_eq!(game.outcome(&state), None);
    let mut moves = Vec::new();
    game.moves_into(&state, &mut moves);
    let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&state, m)).collect();
    assert_eq!(texts, ["b1-c1", "c2-c1"]);
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let game = standard();
    let mut played = Played::from_state(position(&game, "oxo/..x/xo. x"));
    for round in 0..2 {
        for text in ["c2-b2", "b1-c1", "b2-c2", "c1-b1"] {
            assert_eq!(played.ended(&game), None, "before {text} of round {round}");
            let m = game.parse_move(played.state(), text).unwrap();
            assert!(!game.is_irreversible(played.state(), m));
            played.try_play(&game, m).unwrap();
        }
    }
    let end = played.ended(&game).map(|end| (end.by, end.outcome));
    assert_eq!(end, Some((Ending::Repetition, Outcome::Draw)));
}

#[test]
fn only_placements_are_irreversible() {
    let game = standard();
    let mut played = Played::from_state(position(&game, "x.o/.../o.x x"));
    assert!(!game.is_legal(played.state(), Move { from: 2, to: 4 }), "men are placed still");
    for (text, quiet) in [("b1", 0), ("b3", 0), ("b1-b2", 1)] {
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
        assert_eq!(played.quiet(), Plies(quiet), "after {text}");
    }
}

#[test]
fn diagonals_of_even_points_only() {
    let text = "..x/.o./oxo x";
    let moves_of = |adjacency| {
        let game = game(3, 3, adjacency);
        // x needs a third man: it stands on b1, which has an odd sum.
        let state = position(&game, "x.x/.o./oxo x");
        let mut moves = Vec::new();
        game.moves_into(&state, &mut moves);
        moves.iter().map(|&m| game.move_text(&state, m)).collect::<Vec<_>>().join(" ")
    };
    assert!(standard().parse_position(text).is_err());
    assert_eq!(moves_of(Adjacency::Lines), "a3-a2 a3-b3 c3-c2 c3-b3");
    assert_eq!(moves_of(Adjacency::King), "b1-a2 b1-c2 a3-a2 a3-b3 c3-c2 c3-b3");
    assert_eq!(moves_of(Adjacency::Orth), "a3-a2 a3-b3 c3-c2 c3-b3");
}

#[test]
fn an_even_board_with_drawn_lines_has_four_symmetries() {
    for size in 3..=5 {
        for adjacency in ADJACENCIES {
            let expected = if size == 4 && adjacency == Adjacency::Lines { 4 } else { 8 };
            assert_eq!(game(size, 3, adjacency).symmetry_count(), expected);
        }
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |text: &str, part: &str| {
        let error = standard().parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("3/3/xx1 x", "2 x and 0 o cannot be with x to move and 3 men each");
    named("xxo/oxo/x1o x", "4 x and 4 o cannot be with x to move and 3 men each");
    named("3/oo1/xxx x", "x has a line already and is to move");
    named("ooo/3/xxx o", "o has a line already and is to move");
    named("ooo/2/xxz o", "the number of cells in row 2 is 2");
    let large = game(5, 6, Adjacency::King);
    let error = large.parse_position("xxx2/5/ooo2/oo3/xxx2 o").unwrap_err().to_string();
    assert!(error.contains("x has lines that no single man can have made"), "{error}");
    assert!(standard().parse_position("oo1/o2/xxx o").is_ok());
}

#[test]
fn moves_that_no_board_has_are_refused() {
    let game = standard();
    for to in [9, 24, 25, 31, 32, u8::MAX] {
        for from in [0, to] {
            let m = Move { from, to };
            assert!(game.try_play(&mut game.start(), m).is_err(), "{m:?}");
            let mut state = position(&game, "x.x/.o./oxo x");
            assert!(game.try_play(&mut state, Move { from: to, to: from }).is_err(), "{m:?}");
        }
    }
    for bad in ["", "a", "a0", "a4", "d1", "a1-a2", "b2-b2"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
}

/// Sizes with numbers of men that leave a point empty.
fn boards() -> impl Strategy<Value = (u32, u32)> {
    (3u32..=5).prop_flat_map(|size| (Just(size), 3..=(size * size - 1) / 2))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn it_follows_the_grid((size, men) in boards(), kind in 0usize..3, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let adjacency = ADJACENCIES[kind];
        let grid = Grid { men: men as usize, adjacency };
        oracle::agree(&game(size, men, adjacency), &grid, 4, &mut rng);
    }

    #[test]
    fn any_board_keeps_the_laws((size, men) in boards(), kind in 0usize..3, seed: u64) {
        let laws = Laws { games: 6, playouts: 200, seed };
        all_laws(&game(size, men, ADJACENCIES[kind]), laws);
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_grid(
        (size, men) in boards(), kind in 0usize..3, seed: u64, cap in 0u32..60
    ) {
        let adjacency = ADJACENCIES[kind];
        let game = game(size, men, adjacency);
        let grid = Grid { men: men as usize, adjacency };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(game.unkey(game.key(&state)), state);
        prop_assert_eq!(grid.outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert_eq!(game.turn(&state) == Player::First, end.plies.0.is_multiple_of(2));
        if end.capped {
            let rest = game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            let expected = (!rest.capped).then_some(rest.outcome);
            prop_assert_eq!(grid.outcome(&game.position_text(&state)), expected);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,40}") {
        laws::parsers_stand(&standard(), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(text in "([xo.1-3]{1,3}/){2}[xo.1-3]{1,3} [xo]") {
        laws::parsers_stand(&standard(), &text);
        laws::parsers_stand(&game(3, 4, Adjacency::Orth), &text);
    }
}
