use std::collections::HashSet;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Graded, Keyed, Notation, Outcome, Player, PlayoutLimits, Plies, perft};
use treegauge_testkit::facts::facts;
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Board, DotsAndBoxes, Fixed, Sized, Standard};
use treegauge_bits::Wide;

const CAP: Plies = Plies(1_000);

fn standard() -> Standard {
    DotsAndBoxes::new(Fixed, CAP)
}

fn sized<W: crate::Word>(rows: u32, cols: u32) -> DotsAndBoxes<Sized<W>> {
    DotsAndBoxes::new(Sized::new(rows, cols), CAP)
}

/// The rules on the rows of the lattice as text.
struct Lattice;

struct Read {
    /// From the bottom: rows of horizontal lines and rows of vertical lines in turn.
    rows: Vec<Vec<char>>,
    turn: String,
    score: [u32; 2],
}

impl Lattice {
    fn read(position: &str) -> Read {
        let parts: Vec<&str> = position.split(' ').collect();
        let rows = parts[0].split('/').rev().map(|row| row.chars().collect()).collect();
        let score = [parts[2].parse().unwrap(), parts[3].parse().unwrap()];
        Read { rows, turn: parts[1].to_owned(), score }
    }

    /// The row of the text and the place in it of each line not drawn, with its name.
    fn undrawn(rows: &[Vec<char>]) -> Vec<(usize, usize, String)> {
        let mut lines = Vec::new();
        for (n, row) in rows.iter().enumerate() {
            for (col, _) in row.iter().enumerate().filter(|&(_, &c)| c == '.') {
                let (row, col_number) = (n / 2 + 1, col + 1);
                let comma = if row > 9 || col_number > 9 { "," } else { "" };
                let kind = if n % 2 == 0 { 'h' } else { 'v' };
                lines.push((n, col, format!("{kind}{row}{comma}{col_number}")));
            }
        }
        lines
    }

    fn closed(rows: &[Vec<char>]) -> u32 {
        let mut closed = 0;
        for n in (1..rows.len()).step_by(2) {
            for col in 0..rows[n - 1].len() {
                let sides = [rows[n - 1][col], rows[n + 1][col], rows[n][col], rows[n][col + 1]];
                closed += u32::from(!sides.contains(&'.'));
            }
        }
        closed
    }
}

impl Oracle for Lattice {
    fn moves(&self, position: &str) -> Vec<String> {
        let read = Lattice::read(position);
        Lattice::undrawn(&read.rows).into_iter().map(|(_, _, name)| name).collect()
    }

    fn play(&self, position: &str, m: &str) -> String {
        let mut read = Lattice::read(position);
        let before = Lattice::closed(&read.rows);
        let (n, col, _) =
            Lattice::undrawn(&read.rows).into_iter().find(|(_, _, name)| name == m).unwrap();
        read.rows[n][col] = if n % 2 == 0 { '-' } else { '|' };
        let closed = Lattice::closed(&read.rows) - before;
        read.score[usize::from(read.turn == "o")] += closed;
        if closed == 0 {
            read.turn = if read.turn == "x" { "o" } else { "x" }.to_owned();
        }
        let rows: Vec<String> = read.rows.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {} {} {}", rows.join("/"), read.turn, read.score[0], read.score[1])
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let read = Lattice::read(position);
        Lattice::undrawn(&read.rows).is_empty().then_some(match read.score {
            [x, o] if x > o => Outcome::FirstWins,
            [x, o] if x < o => Outcome::SecondWins,
            _ => Outcome::Draw,
        })
    }
}

fn all_laws<B: Board>(game: &DotsAndBoxes<B>, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::tiered(game, laws);
    laws::graded(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_standard_board_keeps_the_laws() {
    all_laws(&standard(), Laws { games: 10, ..Laws::default() });
}

#[test]
fn small_and_long_boards_keep_the_laws() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (1, 5), (2, 2), (3, 2)] {
        all_laws(&sized::<u64>(rows, cols), Laws::default());
    }
    let few = Laws { games: 2, playouts: 300, seed: 5 };
    all_laws(&sized::<u64>(1, 15), few);
    all_laws(&sized::<u64>(5, 5), few);
    all_laws(&DotsAndBoxes::new(Fixed::<3, 7>, CAP), few);
}

#[test]
fn the_largest_board_of_each_word_keeps_the_laws() {
    let few = Laws { games: 1, playouts: 200, seed: 5 };
    all_laws(&sized::<u128>(7, 7), few);
    laws::check(&sized::<Wide>(15, 15), few);
    laws::keyed(&sized::<Wide>(15, 15), few);
    oracle::agree(&sized::<Wide>(15, 15), &Lattice, 1, &mut Xoshiro256PlusPlus::seed_from_u64(3));
}

#[test]
fn every_line_can_always_be_drawn() {
    let factorials = |game: &DotsAndBoxes<Sized<u64>>, depth| perft(game, &game.start(), depth);
    assert_eq!(factorials(&sized(2, 2), 6), [12, 132, 1320, 11880, 95040, 665280]);
    assert_eq!(factorials(&sized(3, 3), 4), [24, 552, 12144, 255024]);
    assert_eq!(perft(&standard(), &standard().start(), 3), [40, 1560, 59280]);
    assert_eq!(factorials(&sized(1, 1), 5), [4, 12, 24, 24, 0]);
}

fn state_count<G: Keyed>(game: &G) -> usize
where
    G::Key: std::hash::Hash,
{
    let (mut seen, mut open, mut moves) = (HashSet::new(), vec![game.start()], Vec::new());
    seen.insert(game.key(&game.start()));
    while let Some(state) = open.pop() {
        if game.outcome(&state).is_some() {
            continue;
        }
        game.moves_into(&state, &mut moves);
        for &m in &moves {
            let mut child = state.clone();
            game.play(&mut child, m);
            if seen.insert(game.key(&child)) {
                assert_eq!(game.unkey(game.key(&child)), child);
                open.push(child);
            }
        }
    }
    seen.len()
}

#[test]
fn small_boards_have_their_numbers_of_states() {
    assert_eq!(state_count(&sized::<u64>(1, 1)), 16);
    assert_eq!(state_count(&sized::<u64>(1, 2)), 142);
    assert_eq!(state_count(&sized::<u128>(2, 1)), 142);
    assert_eq!(state_count(&DotsAndBoxes::new(Fixed::<2, 2>, CAP)), 5_349);
}

/// The margin that the player to move can still gain, by the lines drawn.
fn future(game: &DotsAndBoxes<Sized<u64>>) -> Vec<i32> {
    let all = game.line_count();
    let mut table = vec![0; 1 << all];
    // A position with a line more has a larger number, so the table is filled from its end.
    for lines in (0..(1u64 << all) - 1).rev() {
        let moves = (0..all as u16).filter(|&line| lines >> line & 1 == 0);
        let value = |line| {
            let mut state = super::State { lines, ..game.start() };
            game.play(&mut state, line);
            let now = game.margin(&state);
            let then = table[state.lines as usize];
            if state.turn == Player::First { now + then } else { now - then }
        };
        table[lines as usize] = moves.map(value).max().unwrap();
    }
    table
}

#[test]
fn best_play_gives_the_known_margins() {
    let margins = facts().dots_boxes_margin_first_minus_second;
    assert_eq!(margins.len(), 5);
    for (board, margin) in margins {
        let (rows, cols) = board.split_once('x').expect("rows x columns");
        let game = sized(rows.parse().unwrap(), cols.parse().unwrap());
        assert_eq!(future(&game)[0], margin, "{board} boxes");
    }
    assert_eq!(future(&sized(2, 1))[0], 0, "1x2 turned");
    // Of the opening lines of 2 x 2 boxes the outer eight keep +2, the inner four give 0.
    let game = sized::<u64>(2, 2);
    let table = future(&game);
    for line in 0..12 {
        let outer = ![2, 3, 7, 10].contains(&line);
        assert_eq!(-table[1 << line], if outer { 2 } else { 0 }, "opening line {line}");
    }
}

#[test]
fn who_closes_the_last_box_stays_to_move() {
    let game = sized::<u64>(1, 1);
    let mut state = game.start();
    for m in ["h11", "v11", "h21"] {
        let m = game.parse_move(&state, m).unwrap();
        game.play(&mut state, m);
    }
    assert_eq!(game.position_text(&state), "-/|./- o 0 0");
    let last = game.parse_move(&state, "v1,2").unwrap();
    game.play(&mut state, last);
    assert_eq!(game.position_text(&state), "-/||/- o 0 1");
    assert_eq!(game.outcome(&state), Some(Outcome::SecondWins));
}

#[test]
fn errors_of_a_position_are_named() {
    let named = |text: &str, parts: &[&str]| {
        let error = sized::<u64>(1, 2).parse_position(text).expect_err(text).to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    };
    named("--/|.|/.. x 0 0 0", &["unexpected \"0\" at character 17"]);
    named("--/|.|/.- x 0 0", &["with 5 lines and 0 boxes o is to move"]);
    named("--/||./-. o 1 1", &["1 boxes are closed, not 1 + 1"]);
    named("--/||./-. o 1 0", &["with 5 lines and 1 boxes x is to move"]);
    named(
        "-?/|.-/3 z 9",
        &[
            "\"?\" at character 2 where . - or a number of lines not drawn should stand",
            "\"-\" at character 6 where . | or",
            "the number of cells in row 1 is 3, where the board has 2",
            "\"z\" at character 10",
            "\"9\" at character 12 where the boxes of x (0 to 2) should stand",
            "the boxes of o is missing",
        ],
    );
    named("2/3 x 0 0", &["the number of rows is 2, where the board has 3"]);
    named("2/99999999999|/2 x 0 0", &["the number of cells in row 2 is 4294967295"]);
    assert!(sized::<u64>(1, 2).parse_position("2/3/2 x 0 0").is_ok());
}

#[test]
fn moves_are_rows_and_columns() {
    let game = sized::<u64>(1, 15);
    let start = game.start();
    let text = |m| game.move_text(&start, m);
    assert_eq!([text(0), text(8), text(9), text(15)], ["h11", "h19", "h1,10", "h21"]);
    assert_eq!([text(30), text(45)], ["v11", "v1,16"]);
    assert_eq!(game.parse_move(&start, " H1,1 "), Ok(0));
    assert_eq!(game.parse_move(&start, "v1,16"), Ok(45));
    for bad in [
        "",
        "h",
        "h1",
        "h110",
        "h1,",
        "h31",
        "v21",
        "h1,16",
        "v1,17",
        "h0,1",
        "h1,0",
        "h+1,1",
        "x11",
        "11",
        "h1\u{e9}",
        "h1,99999999999",
    ] {
        assert!(game.parse_move(&start, bad).is_err(), "{bad:?}");
    }
    for m in [46, 63, 64, u16::MAX] {
        assert!(game.try_play(&mut start.clone(), m).is_err(), "{m}");
    }
}

#[test]
fn drawings_show_lines_and_closed_boxes() {
    let game = sized::<u64>(1, 2);
    let state = game.parse_position("--/||./-. x 1 0").unwrap();
    let expected = "\
h2  +---+---+
v1  | # |    
h1  +---+   +
h     1   2
v   1   2   3
boxes: x 1, o 0
";
    assert_eq!(game.board_text(&state), expected);
}

#[test]
fn pictures_name_the_lines_that_can_be_drawn() {
    for (game, position) in
        [(sized::<u64>(1, 2), "--/||./-. x 1 0"), (sized(2, 2), "../.../../.../.. x 0 0")]
    {
        let state = game.parse_position(position).unwrap();
        let mut moves = Vec::new();
        game.moves_into(&state, &mut moves);
        let mut names: Vec<String> = moves.iter().map(|&m| game.move_text(&state, m)).collect();
        names.sort();
        let svg = game.board_svg(&state);
        let texts = svg.split(">").filter_map(|part| part.strip_suffix("</text"));
        let mut texts: Vec<&str> = texts.filter(|text| !text.contains(" : ")).collect();
        texts.sort_unstable();
        assert_eq!(texts, names);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn any_board_follows_the_lattice(rows in 1u32..=6, cols in 1u32..=6, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        if Sized::<u64>::bits(rows, cols) <= 64 {
            oracle::agree(&sized::<u64>(rows, cols), &Lattice, 2, &mut rng);
        }
        oracle::agree(&sized::<Wide>(rows, cols), &Lattice, 1, &mut rng);
    }

    #[test]
    fn any_board_keeps_the_laws(rows in 1u32..=5, cols in 1u32..=5, seed: u64) {
        all_laws(&sized::<u128>(rows, cols), Laws { games: 8, playouts: 200, seed });
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_lattice(
        rows in 1u32..=9, cols in 1u32..=9, seed: u64, cap in 0u32..200
    ) {
        let game = sized::<Wide>(rows, cols);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(Lattice.outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert_eq!(text.matches(['-', '|']).count() as u32, end.plies.0);
        if end.capped {
            game.playout(&mut state, PlayoutLimits::of(&game), &mut rng);
            let text = game.position_text(&state);
            prop_assert_eq!(game.parse_position(&text), Ok(state));
            prop_assert_eq!(Lattice.outcome(&text), game.outcome(&state));
            prop_assert!(game.outcome(&state).is_some());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,40}") {
        laws::parsers_stand(&sized::<u64>(2, 2), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        text in "[-.]{2}/[|.]{3}/[-.]{2} [xo] [012] [012]"
    ) {
        laws::parsers_stand(&sized::<u64>(1, 2), &text);
    }
}
