use std::collections::HashSet;

use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Graded, Notation, Outcome, Player, PlayoutLimits, Plies, Tiered, perft,
};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Othello, PASS, State};

const CAP: Plies = Plies(1_000);

fn game<const N: u32>(adjacent: bool) -> Othello<N> {
    Othello::new(adjacent, CAP)
}

/// The rules on a grid of characters, walked cell by cell.
#[derive(Clone)]
struct Grid {
    /// Rows from the first to the last.
    cells: Vec<Vec<char>>,
    turn: char,
    /// The last placements of `x` and `o`, where the text has them.
    last: Option<[String; 2]>,
}

impl Grid {
    fn read(position: &str) -> Grid {
        let parts: Vec<&str> = position.split(' ').collect();
        Grid {
            cells: parts[0].split('/').rev().map(|row| row.chars().collect()).collect(),
            turn: parts[1].chars().next().unwrap(),
            last: (parts.len() > 2).then(|| [parts[2].to_owned(), parts[3].to_owned()]),
        }
    }

    fn at(&self, row: i32, col: i32) -> Option<char> {
        let row = self.cells.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }

    /// The cells that a disc of the player to move on `row`, `col` turns over.
    fn turned(&self, row: i32, col: i32) -> Vec<(i32, i32)> {
        let mut turned = Vec::new();
        for (up, right) in (-1..=1).flat_map(|up| (-1..=1).map(move |right| (up, right))) {
            let mut run = Vec::new();
            let (mut y, mut x) = (row + up, col + right);
            while self.at(y, x) == Some(opposite(self.turn)) {
                run.push((y, x));
                (y, x) = (y + up, x + right);
            }
            if self.at(y, x) == Some(self.turn) && (up, right) != (0, 0) {
                turned.extend(run);
            }
        }
        turned
    }

    fn placements(&self) -> Vec<String> {
        let size = self.cells.len() as i32;
        let theirs = self.last.as_ref().map(|last| &last[usize::from(self.turn == 'x')]);
        let near = |row: i32, col: i32| {
            theirs.is_none_or(|cell| {
                cell == "-" || {
                    let (y, x) = place(cell);
                    (y - row).abs() <= 1 && (x - col).abs() <= 1
                }
            })
        };
        (0..size)
            .flat_map(|row| (0..size).map(move |col| (row, col)))
            .filter(|&(row, col)| self.at(row, col) == Some('.') && near(row, col))
            .filter(|&(row, col)| !self.turned(row, col).is_empty())
            .map(|(row, col)| format!("{}{}", char::from(b'a' + col as u8), row + 1))
            .collect()
    }

    fn passed(&self) -> Grid {
        Grid { turn: opposite(self.turn), ..self.clone() }
    }

    fn text(&self) -> String {
        let rows: Vec<String> = self.cells.iter().rev().map(|row| row.iter().collect()).collect();
        let mut text = format!("{} {}", rows.join("/"), self.turn);
        if let Some([x, o]) = &self.last {
            text.push_str(&format!(" {x} {o}"));
        }
        text
    }
}

fn opposite(letter: char) -> char {
    if letter == 'x' { 'o' } else { 'x' }
}

/// The row and column of a cell's name.
fn place(name: &str) -> (i32, i32) {
    let bytes = name.as_bytes();
    (i32::from(bytes[1] - b'1'), i32::from(bytes[0] - b'a'))
}

struct Rules;

impl Oracle for Rules {
    fn moves(&self, position: &str) -> Vec<String> {
        let placements = Grid::read(position).placements();
        if placements.is_empty() { vec!["pass".to_owned()] } else { placements }
    }

    fn play(&self, position: &str, m: &str) -> String {
        let mut grid = Grid::read(position);
        if m != "pass" {
            let (row, col) = place(m);
            for (y, x) in grid.turned(row, col).into_iter().chain([(row, col)]) {
                grid.cells[y as usize][x as usize] = grid.turn;
            }
            if let Some(last) = &mut grid.last {
                last[usize::from(grid.turn == 'o')] = m.to_owned();
            }
        }
        grid.passed().text()
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let grid = Grid::read(position);
        if !grid.placements().is_empty() || !grid.passed().placements().is_empty() {
            return None;
        }
        let count = |letter| grid.cells.iter().flatten().filter(|&&c| c == letter).count() as i32;
        Some(Outcome::of_margin(count('x') - count('o')))
    }
}

fn all_laws<const N: u32>(adjacent: bool, laws: Laws) {
    let game = game::<N>(adjacent);
    laws::check(&game, laws);
    laws::keyed(&game, laws);
    laws::tiered(&game, laws);
    laws::graded(&game, laws);
    laws::symmetric(&game, laws);
}

#[test]
fn the_usual_board_keeps_the_laws() {
    all_laws::<8>(false, Laws { games: 12, ..Laws::default() });
}

#[test]
fn the_other_boards_and_the_adjacent_rule_keep_the_laws() {
    let few = Laws { games: 10, playouts: 2_000, seed: 3 };
    all_laws::<4>(false, few);
    all_laws::<6>(false, few);
    all_laws::<4>(true, few);
    all_laws::<6>(true, few);
    all_laws::<8>(true, few);
}

#[test]
fn counts_of_sequences_are_the_known_ones() {
    fn count<const N: u32>(adjacent: bool, depth: usize) -> Vec<u64> {
        let game = game::<N>(adjacent);
        perft(&game, &game.start(), depth)
    }
    assert_eq!(count::<8>(false, 8), [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]);
    assert_eq!(count::<6>(false, 6), [4, 12, 56, 244, 1_364, 7_604]);
    assert_eq!(count::<4>(false, 8), [4, 12, 44, 128, 424, 1_256, 3_624, 9_112]);
    assert_eq!(count::<8>(true, 8), [4, 8, 20, 24, 72, 136, 320, 664]);
}

/// Every reachable position, by tier.
fn reachable<const N: u32>(game: &Othello<N>) -> Vec<State> {
    let mut seen = HashSet::from([game.start()]);
    let mut list = vec![game.start()];
    let (mut next, mut moves) = (0, Vec::new());
    while next < list.len() {
        let state = list[next];
        next += 1;
        if game.outcome(&state).is_none() {
            game.moves_into(&state, &mut moves);
            for &m in &moves {
                let mut child = state;
                game.play(&mut child, m);
                if seen.insert(child) {
                    list.push(child);
                }
            }
        }
    }
    list.sort_by_key(|state| game.tier(state));
    list
}

/// The final margin with best play on both sides, found from the last tier backwards.
fn best_margin<const N: u32>(game: &Othello<N>, states: &[State]) -> i32 {
    let mut margins = std::collections::HashMap::new();
    let mut moves = Vec::new();
    for state in states.iter().rev() {
        let margin = if game.outcome(state).is_some() {
            game.margin(state)
        } else {
            game.moves_into(state, &mut moves);
            let children = moves.iter().map(|&m| {
                let mut child = *state;
                game.play(&mut child, m);
                margins[&child]
            });
            match game.turn(state) {
                Player::First => children.max(),
                Player::Second => children.min(),
            }
            .expect("an unfinished position has a move")
        };
        margins.insert(*state, margin);
    }
    margins[&game.start()]
}

#[test]
fn four_by_four_has_its_known_values() {
    let plain = game::<4>(false);
    let states = reachable(&plain);
    assert_eq!((states.len(), best_margin(&plain, &states)), (62_789, -8));
    let adjacent = game::<4>(true);
    let states = reachable(&adjacent);
    assert_eq!((states.len(), best_margin(&adjacent, &states)), (81, 1));
}

#[test]
fn a_side_that_cannot_place_passes_unless_neither_can() {
    let game = game::<4>(false);
    // The last empty cell is a1: of no use to o, while x turns over b2 from there.
    let mut state = game.parse_position("xooo/xxxx/xoxx/1xxx o").unwrap();
    assert_eq!((game.outcome(&state), game.move_count(&state)), (None, 1));
    for m in (0..=u8::MAX).filter(|&m| m != PASS) {
        assert!(game.try_play(&mut state, m).is_err(), "move {m}");
    }
    let pass = game.parse_move(&state, "Pass").unwrap();
    game.play(&mut state, pass);
    assert_eq!(game.position_text(&state), "xooo/xxxx/xoxx/.xxx x");
    assert!(!game.is_legal(&state, PASS), "x can place");
    game.play(&mut state, 0);
    assert_eq!(game.position_text(&state), "xooo/xxxx/xxxx/xxxx o");
    assert_eq!((game.outcome(&state), game.margin(&state)), (Some(Outcome::FirstWins), 10));
    // Neither side can place, though most cells are empty.
    let state = game.parse_position("4/1xx1/1xx1/4 o").unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::FirstWins));
    assert!(!game.is_legal(&state, PASS));
}

#[test]
fn a_cap_between_a_pass_and_its_reply_is_kept() {
    // Caps of every length: whichever ply is a pass, the playout stops where it should.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let game = game::<4>(false);
    let mut ended_after_a_pass = 0;
    for round in 0..2_000 {
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(round % 14), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let over = game.outcome(&state);
        assert_eq!(end.capped, over.is_none());
        assert!(!end.capped || end.plies == limits.plies_left);
        let turn = if end.plies.0 % 2 == 0 { Player::First } else { Player::Second };
        assert_eq!(game.turn(&state), turn);
        let placed = (state.discs[0] | state.discs[1]).count_ones() - 4;
        ended_after_a_pass += u32::from(end.capped && placed < end.plies.0);
    }
    assert!(ended_after_a_pass > 20, "{ended_after_a_pass} playouts had a pass before the cap");
}

#[test]
fn errors_of_a_position_are_named() {
    let error = |text: &str| game::<4>(true).parse_position(text).unwrap_err().to_string();
    let text = error("4/1x2/1xo1/4 x a9 q");
    assert!(text.contains("c3 is empty"), "an empty middle: {text}");
    assert!(text.contains("\"a9\" at character 16"), "no such row: {text}");
    assert!(text.contains("\"q\" at character 19"), "no cell: {text}");
    let text = error("4/1xo1/1ox1/4 x");
    assert!(text.contains("the last cell of x (or -) is missing"), "{text}");
    let text = error("4/1xo1/1ox1/4 x b2 -");
    assert!(text.contains("no disc was ever placed on b2"), "{text}");
    let text = error("4/1xo1/xxx1/4 o - a2");
    assert!(text.contains("x placed one of the discs"), "{text}");
    assert!(text.contains("o cannot have placed a disc"), "{text}");
    let text = error("4/1xo1/xxxo/4 o a2 a2");
    assert!(text.contains("on the same cell"), "{text}");
    assert!(game::<4>(true).parse_position("4/1xo1/xxx1/4 o a2 -").is_ok());
    assert!(
        game::<4>(false).parse_position("4/1xo1/xxx1/4 o a2 -").is_err(),
        "not part of the text"
    );
    // Characters before `a` and `1` are far beyond the board.
    assert!(error("4/1xo1/xxx1/4 o ,. -").contains("\",.\""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_game_follows_the_grid(adjacent: bool, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&game::<4>(adjacent), &Rules, 6, &mut rng);
        oracle::agree(&game::<6>(adjacent), &Rules, 4, &mut rng);
        oracle::agree(&game::<8>(adjacent), &Rules, 3, &mut rng);
    }

    #[test]
    fn any_text_is_read_or_refused(adjacent: bool, text in "[ -~ü/xo.0-9]{0,60}") {
        laws::parsers_stand(&game::<8>(adjacent), &text);
        laws::parsers_stand(&game::<4>(adjacent), &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        adjacent: bool,
        text in "[xo.]{4}/[xo.][xo]{2}[xo.]/[xo.][xo]{2}[xo.]/[xo.]{4} [xo]( [a-d-][1-4]? [a-d-][1-4]?)?"
    ) {
        laws::parsers_stand(&game::<4>(adjacent), &text);
    }
}
