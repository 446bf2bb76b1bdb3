use std::collections::BTreeMap;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Ending, Game, Keyed, Notation, Outcome, Played, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Move, NineMensMorris, State};

fn standard() -> NineMensMorris {
    NineMensMorris::new(Plies(100), Plies(1_000))
}

fn flying() -> NineMensMorris {
    standard().with_flying()
}

fn first_mill() -> NineMensMorris {
    standard().with_first_mill_winning()
}

/// The lines of the board by the names of their points, in order along the line.
const LINES: [&str; 16] = [
    "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
    "a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5", "d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1",
];

/// The rules on the names of points.
struct Points {
    flying: bool,
    first_mill_wins: bool,
}

/// The men by the names of all points (`.` is none), the letter to move and the men to place.
struct Board {
    men: BTreeMap<String, char>,
    turn: char,
    to_place: u32,
}

impl Board {
    fn read(position: &str) -> Board {
        let parts: Vec<&str> = position.split(' ').collect();
        let mut men = BTreeMap::new();
        for (line, row) in parts[0].split('/').enumerate() {
            for (col, c) in row.chars().enumerate().filter(|(_, c)| *c != '-') {
                men.insert(format!("{}{}", char::from(b'a' + col as u8), 7 - line), c);
            }
        }
        assert_eq!(men.len(), 24, "{position}");
        Board { men, turn: parts[1].chars().next().unwrap(), to_place: parts[2].parse().unwrap() }
    }

    fn write(&self) -> String {
        let rows: Vec<String> = (1..=7)
            .rev()
            .map(|row| {
                let names = "abcdefg".chars().map(|col| format!("{col}{row}"));
                names.map(|name| self.men.get(&name).copied().unwrap_or('-')).collect()
            })
            .collect();
        format!("{} {} {}", rows.join("/"), self.turn, self.to_place)
    }

    fn other(&self) -> char {
        if self.turn == 'x' { 'o' } else { 'x' }
    }

    fn of(&self, letter: char) -> Vec<String> {
        self.men.iter().filter(|(_, c)| **c == letter).map(|(name, _)| name.clone()).collect()
    }

    fn in_mill(&self, point: &str) -> bool {
        let holds = |line: &str| {
            line.contains(point) && line.split(' ').all(|name| self.men[name] == self.men[point])
        };
        self.men[point] != '.' && LINES.into_iter().any(holds)
    }

    /// What a man who has just come to `point` lets the mover remove; nothing without a mill.
    fn prey(&self, point: &str) -> Vec<String> {
        if !self.in_mill(point) {
            return Vec::new();
        }
        let men = self.of(self.other());
        let free: Vec<String> = men.iter().filter(|man| !self.in_mill(man)).cloned().collect();
        if free.is_empty() { men } else { free }
    }
}

fn neighbours(a: &str, b: &str) -> bool {
    LINES.into_iter().any(|line| {
        let names: Vec<&str> = line.split(' ').collect();
        names.windows(2).any(|pair| pair == [a, b] || pair == [b, a])
    })
}

impl Oracle for Points {
    fn moves(&self, position: &str) -> Vec<String> {
        let board = Board::read(position);
        let own = board.of(board.turn);
        let mut ways: Vec<(Option<String>, String)> = Vec::new();
        for to in board.of('.') {
            if board.to_place > 0 {
                ways.push((None, to));
                continue;
            }
            let anywhere = self.flying && own.len() == 3;
            for from in own.iter().filter(|from| anywhere || neighbours(from, &to)) {
                ways.push((Some(from.clone()), to.clone()));
            }
        }
        let mut moves = Vec::new();
        for (from, to) in ways {
            let mut after = Board { men: board.men.clone(), ..board };
            if let Some(from) = &from {
                after.men.insert(from.clone(), '.');
            }
            after.men.insert(to.clone(), board.turn);
            let text = from.map_or(to.clone(), |from| format!("{from}-{to}"));
            let prey = if self.first_mill_wins { Vec::new() } else { after.prey(&to) };
            if prey.is_empty() {
                moves.push(text);
            } else {
                moves.extend(prey.iter().map(|man| format!("{text}x{man}")));
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let mut board = Board::read(position);
        let (step, removed) = m.split_once('x').map_or((m, None), |(step, man)| (step, Some(man)));
        if let Some((from, _)) = step.split_once('-') {
            board.men.insert(from.to_owned(), '.');
        } else {
            board.to_place -= 1;
        }
        board.men.insert(step[step.len() - 2..].to_owned(), board.turn);
        if let Some(man) = removed {
            board.men.insert(man.to_owned(), '.');
        }
        board.turn = board.other();
        board.write()
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let board = Board::read(position);
        let lost = if board.turn == 'x' { Outcome::SecondWins } else { Outcome::FirstWins };
        let last = board.of(board.other());
        let mill = self.first_mill_wins && last.iter().any(|man| board.in_mill(man));
        let few = board.to_place == 0 && board.of(board.turn).len() < 3;
        (mill || few || self.moves(position).is_empty()).then_some(lost)
    }
}

fn all_laws(game: &NineMensMorris, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_usual_the_flying_and_the_broken_game_keep_the_laws() {
    // Symmetries are checked for every move of every position, so a few games are many cases.
    for game in [standard(), flying(), first_mill()] {
        all_laws(&game, Laws { games: 10, ..Laws::default() });
    }
}

#[test]
fn perft_from_the_start() {
    for game in [standard(), flying(), first_mill()] {
        assert_eq!(perft(&game, &game.start(), 3), [24, 552, 12_144]);
    }
    // Ply 5 closes a mill when the first player's three men stand on one of the 16, in any order;
    // it then has a second removal to choose. The two other men are on any of the other points.
    let (sequences, closing) = (24 * 23 * 22 * 21 * 20, 16 * 6 * 21 * 20);
    let fifth = |game: &NineMensMorris| perft(game, &game.start(), 5)[4];
    assert_eq!(fifth(&standard()), sequences + closing);
    assert_eq!(fifth(&first_mill()), sequences);
}

/// The text of a position from the points of the men.
fn with_men(x: &str, o: &str, turn: char, to_place: u32) -> String {
    let mut board = Board::read(&format!("{EMPTY} {turn} {to_place}"));
    for (points, letter) in [(x, 'x'), (o, 'o')] {
        for point in points.split(' ') {
            assert_eq!(board.men.insert(point.to_owned(), letter), Some('.'), "{point}");
        }
    }
    board.write()
}

const EMPTY: &str = ".--.--./-.-.-.-/--...--/...-.../--...--/-.-.-.-/.--.--.";

fn position(game: &NineMensMorris, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn moves_of(game: &NineMensMorris, text: &str) -> String {
    let state = position(game, text);
    let mut moves = Vec::new();
    game.moves_into(&state, &mut moves);
    let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&state, m)).collect();
    texts.join(" ")
}

#[test]
fn a_mill_removes_a_man_who_stands_in_none() {
    // d1 closes the lower side of the outer square.
    let text = with_men("a1 g1 d2", "a7 d7 g7 f4 c3", 'x', 0);
    assert_eq!(
        moves_of(&standard(), &text),
        "a1-d1 a1-a4 g1-d1 g1-g4 d2-d1xf4 d2-d1xc3 d2-b2 d2-f2 d2-d3"
    );
    let text = with_men("a1 g1 d2", "a7 d7 g7", 'x', 0);
    assert_eq!(
        moves_of(&standard(), &text),
        "a1-d1 a1-a4 g1-d1 g1-g4 d2-d1xg7 d2-d1xd7 d2-d1xa7 d2-b2 d2-f2 d2-d3",
        "all men stand in mills, so any may go"
    );
}

#[test]
fn two_mills_at_once_remove_one_man() {
    let game = standard();
    let mut state = position(&game, &with_men("b2 f2 d1 d3", "a7 g7 a4 g4", 'x', 10));
    let m = game.parse_move(&state, "d2xa7").unwrap();
    game.play(&mut state, m);
    assert_eq!(game.position_text(&state), with_men("b2 f2 d1 d3 d2", "g7 a4 g4", 'o', 9));
}

#[test]
fn with_three_men_a_player_flies() {
    let text = with_men("a1 d1 d2", "a7 d7 e5", 'x', 0);
    let count = |game: &NineMensMorris| game.move_count(&position(game, &text));
    // a1-a4, d1-g1 and d2 to b2, f2, d3.
    assert_eq!(count(&standard()), 5);
    // Each man to 18 points. d2-g1 and a1-d3 close mills, each with three men to remove.
    assert_eq!(count(&flying()), 3 * 18 + 2 * 2);
    assert!(moves_of(&flying(), &text).contains("a1-d3xa7"));
    let four = with_men("a1 d1 d2 c5", "a7 d7 e5", 'x', 0);
    assert!(!moves_of(&flying(), &four).contains("a1-d3"), "four men do not fly");
}

#[test]
fn who_cannot_move_or_has_two_men_loses() {
    let three = with_men("a1 g1 a7", "d1 a4 g4 d7", 'x', 0);
    let outcome = |game: &NineMensMorris, text: &str| game.outcome(&position(game, text));
    assert_eq!(outcome(&standard(), &three), Some(Outcome::SecondWins));
    assert_eq!(outcome(&flying(), &three), None, "three men fly");
    let two = with_men("a1 g7", "d1 a4 g4", 'x', 0);
    assert_eq!(outcome(&flying(), &two), Some(Outcome::SecondWins));
    assert_eq!(outcome(&standard(), &with_men("a1 g7", "d1 a4 g4", 'x', 4)), None);
}

#[test]
fn the_first_mill_wins_where_it_does() {
    let game = first_mill();
    let mut state = position(&game, &with_men("a1 g1", "a7 g7", 'x', 14));
    let m = game.parse_move(&state, "d1").unwrap();
    game.play(&mut state, m);
    assert_eq!(game.outcome(&state), Some(Outcome::FirstWins));
}

fn end_of(played: &Played<NineMensMorris>, game: &NineMensMorris) -> Option<(Ending, Outcome)> {
    played.ended(game).map(|end| (end.by, end.outcome))
}

#[test]
fn the_third_occurrence_and_quiet_plies_are_draws() {
    let text = with_men("a1 g1 d2", "a7 g7 d6", 'x', 0);
    for (draw_plies, ends_after, by) in [(100, 8, Ending::Repetition), (7, 7, Ending::DrawPlies)] {
        let game = NineMensMorris::new(Plies(draw_plies), Plies(1_000));
        let mut played = Played::from_state(position(&game, &text));
        let mut line = ["d2-d3", "d6-d5", "d3-d2", "d5-d6"].into_iter().cycle();
        for ply in 0..ends_after {
            assert_eq!(end_of(&played, &game), None, "after {ply} plies");
            let m = game.parse_move(played.state(), line.next().unwrap()).unwrap();
            played.try_play(&game, m).unwrap();
        }
        assert_eq!(end_of(&played, &game), Some((by, Outcome::Draw)));
    }
}

#[test]
fn placements_and_removals_are_irreversible() {
    let game = standard();
    let text = with_men("a1 g1 d2 e4", "a7 g7 d6 c4", 'o', 1);
    let mut played = Played::from_state(position(&game, &text));
    for (text, quiet) in [("c5", 0), ("e4-e5", 1), ("d6-d5", 2), ("d2-d1xc4", 0), ("a7-a4", 1)] {
        let m = game.parse_move(played.state(), text).unwrap();
        played.try_play(&game, m).unwrap();
        assert_eq!(played.quiet(), Plies(quiet), "after {text}");
    }
}

#[test]
fn a_playout_ends_by_the_quiet_plies_it_inherits() {
    let game = standard();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let start = position(&game, &with_men("a1 a4 g1", "g7 d7 c5", 'x', 0));
    for _ in 0..50 {
        let mut state = start;
        let limits = PlayoutLimits::new(Plies(50), Plies(97));
        let end = game.playout(&mut state, limits, &mut rng);
        // Neither can be stuck or close two mills within three plies.
        let removed = state.men.iter().any(|men| men.count_ones() < 3);
        let expected = if removed { None } else { Some(Outcome::Draw) };
        assert!(expected.is_none_or(|draw| draw == end.outcome), "{end:?}");
        assert!(removed || end.plies == Plies(3), "{end:?}");
        assert!(!end.capped);
    }
}

#[test]
fn who_is_stuck_at_the_limit_has_lost() {
    // One of the second player's moves, b4-a4, shuts the first player in.
    let game = NineMensMorris::new(Plies(1), Plies(1_000));
    let text = with_men("a1 d1 g1", "b4 d2 g4 c4", 'o', 0);
    let start = position(&game, &text);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut outcomes = [0; 2];
    for _ in 0..400 {
        for cap in [1, 2] {
            let mut state = start;
            let limits = PlayoutLimits::new(Plies(cap), Plies(0));
            let end = game.playout(&mut state, limits, &mut rng);
            let rules = game.outcome(&state);
            assert_eq!(end.outcome, rules.unwrap_or(Outcome::Draw));
            outcomes[usize::from(rules.is_some())] += 1;
        }
    }
    assert!(outcomes.iter().all(|&n| n > 0), "{outcomes:?}");
}

#[test]
fn sixteen_symmetries_keep_the_lines() {
    let game = standard();
    for line in LINES {
        let off_it: Vec<&str> =
            ["a7", "b6", "c5"].into_iter().filter(|point| !line.contains(point)).collect();
        let state = position(&game, &with_men(line, &off_it[..2].join(" "), 'o', 13));
        for symmetry in 0..game.symmetry_count() {
            let board = Board::read(&game.position_text(&game.map_state(symmetry, &state)));
            assert!(board.of('x').iter().all(|man| board.in_mill(man)), "{line} under {symmetry}");
        }
    }
}

#[test]
fn bad_positions_are_named() {
    let named = |game: &NineMensMorris, text: &str, part: &str| {
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    let game = standard();
    named(&game, "7/7/7/7/7/7/7 o 18", "o is not to move with 18 men to place");
    named(&game, "7/7/7/3x3/7/7/-6 x 0", "a1 is a point; d4 is no point");
    named(&game, "7/7/7/7/7/7/x2x2x x 16", "x has 3 men on the board with 1 placed");
    named(&game, "7/7/7/7/7/7/x2x2x x 0", "o has fewer than three men and is not to move");
    named(&game, "7/7/7/7/7/7/8 y 19", "the number of cells in row 1 is 8");
    named(&game, "7/7/7/7/7/7/7 x 19", "\"19\" at character 17 where the number of men to place");
    named(&game, "", "the number of men to place is missing");
    let game = first_mill();
    named(&game, "7/7/7/7/7/7/x2x3 x 14", "o has 0 men on the board with 2 placed");
    named(&game, &with_men("a1 d1 g1", "a7 g7 d6", 'x', 12), "x has a mill and is to move");
    let two = with_men("a1 d1 g1 b2 d2 f2", "a7 g7 a4 g4 d7", 'o', 7);
    named(&game, &two, "x has mills that no single man can have made");
    assert!(game.parse_position(&with_men("a1 d1 g1 a4 a7", "d7 g7 g4 d6", 'o', 9)).is_ok());
    let start = game.parse_position("7/7/7/7/7/7/7 x 18");
    assert_eq!(start, Ok(game.start()), "a number stands for any part of a row without men");
}

#[test]
fn moves_that_no_board_has_are_refused() {
    let game = standard();
    let moving = position(&game, &with_men("a1 g1 d2", "a7 d7 g7 f4 c3", 'x', 0));
    for a in 0..32 {
        for b in 0..32 {
            for removed in 0..32 {
                let m = Move::new(a, b, removed);
                for mut state in [game.start(), moving] {
                    let mut moves = Vec::new();
                    game.moves_into(&state, &mut moves);
                    assert_eq!(game.try_play(&mut state, m).is_ok(), moves.contains(&m), "{m:?}");
                }
            }
        }
    }
    for bad in ["", "a", "a0", "b1", "d4", "a1-d1", "d1xd7", "a1a1"] {
        assert!(game.parse_move(&game.start(), bad).is_err(), "{bad:?}");
    }
}

#[test]
fn the_drawing_has_the_lines_of_the_board() {
    let game = standard();
    let drawn = game.board_text(&position(&game, &with_men("d2 d3", "a7 g7", 'x', 14)));
    assert_eq!(
        drawn,
        "\
7  o-----.-----o
6  | .---.---. |
5  | | .-.-. | |
4  .-.-.   .-.-.
3  | | .-x-. | |
2  | .---x---. |
1  .-----.-----.
   a b c d e f g
14 to place
"
    );
}

fn games() -> impl Strategy<Value = (bool, bool)> {
    (any::<bool>(), any::<bool>())
}

fn game_of((flying, first_mill_wins): (bool, bool)) -> (NineMensMorris, Points) {
    let game = NineMensMorris { flying, first_mill_wins, ..standard() };
    (game, Points { flying, first_mill_wins })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn it_follows_the_points(kind in games(), seed: u64) {
        let (game, points) = game_of(kind);
        let game = NineMensMorris { ply_cap: Plies(250), ..game };
        oracle::agree(&game, &points, 2, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }

    #[test]
    fn any_limits_keep_the_laws(kind in games(), draw_plies in 1u32..40, seed: u64) {
        let game = NineMensMorris { draw_plies: Plies(draw_plies), ..game_of(kind).0 };
        laws::check(&game, Laws { games: 2, playouts: 300, seed });
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_points(
        kind in games(), seed: u64, cap in 0u32..120, quiet in 0u32..100
    ) {
        let (game, points) = game_of(kind);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(quiet));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(game.unkey(game.key(&state)), state);
        let outcome = points.outcome(&text);
        prop_assert_eq!(outcome.unwrap_or(Outcome::Draw), end.outcome);
        prop_assert!(!end.capped || (outcome.is_none() && end.plies == Plies(cap)));
        // The same from the middle of a game.
        let limits = PlayoutLimits::new(Plies(60), Plies(0));
        let rest = game.playout(&mut state, limits, &mut rng);
        prop_assert!(rest.plies <= Plies(60));
        let expected = points.outcome(&game.position_text(&state)).unwrap_or(Outcome::Draw);
        prop_assert_eq!(expected, rest.outcome);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.0-9]{0,60}") {
        laws::parsers_stand(&standard(), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        kind in games(), cells in "[xo.]{24}", turn in "[xo]", left in 0u32..20
    ) {
        let mut letters = cells.chars();
        let board: String =
            EMPTY.chars().map(|c| if c == '.' { letters.next().unwrap() } else { c }).collect();
        laws::parsers_stand(&game_of(kind).0, &format!("{board} {turn} {left}"));
    }
}
