use treegauge_core::{Game, Graded, Notation, Player, Plies};
use treegauge_testkit::explore;
use treegauge_testkit::facts::facts;

use super::{DotsAndBoxes, Fixed, Sized};

const CAP: Plies = Plies(1_000);

fn sized<W: crate::Word>(rows: u32, cols: u32) -> DotsAndBoxes<Sized<W>> {
    DotsAndBoxes::new(Sized::new(rows, cols), CAP)
}

#[test]
fn small_boards_have_their_numbers_of_states() {
    assert_eq!(explore::explore(&sized::<u128>(2, 1), 200).states.len(), 142);
    let square = DotsAndBoxes::new(Fixed::<2, 2>, CAP);
    assert_eq!(explore::explore(&square, 6_000).states.len(), 5_349);
}

/// Margin that the player to move can still gain, by the lines drawn.
fn future(game: &DotsAndBoxes<Sized<u64>>) -> Vec<i32> {
    let all = game.line_count();
    let mut table = vec![0; 1 << all];
    // A position with one more line has a larger number, so the table is filled from its end.
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
    // Among the opening lines of 2 x 2 boxes the outer eight keep +2, the inner four give 0.
    let game = sized::<u64>(2, 2);
    let table = future(&game);
    for line in 0..12 {
        let outer = ![2, 3, 7, 10].contains(&line);
        assert_eq!(-table[1 << line], if outer { 2 } else { 0 }, "opening line {line}");
    }
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
            "unexpected \"?\" at character 2: expected . - or a number of lines not drawn",
            "\"-\" at character 6: expected . | or",
            "expected 2 cells in row 1, found 3",
            "\"z\" at character 10",
            "unexpected \"9\" at character 12: expected the boxes of x (0 to 2)",
            "the boxes of o is missing",
        ],
    );
    named("2/3 x 0 0", &["expected 3 rows, found 2"]);
    named("2/99999999999|/2 x 0 0", &["in row 2, found 4294967295"]);
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
