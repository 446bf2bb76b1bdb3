use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Ending, Game, Graded, Keyed, Notation, Outcome, Played, Plies};
use treegauge_testkit::{Oracle, explore, oracle};

use super::{Alak, Ban, State};

const BANS: [Ban; 3] = [Ban::Captured, Ban::Recreating, Ban::None];

fn game(length: u32, ban: Ban) -> Alak {
    Alak::new(length, ban, Plies(1_000))
}

fn standard() -> Alak {
    game(11, Ban::Captured)
}

/// Slow rules on rows of characters, cell by cell.
struct Row(Ban);

impl Row {
    /// Cells and the letter of the player to move.
    fn read(position: &str) -> (Vec<char>, char) {
        let (cells, turn) = position.split_once(' ').unwrap();
        (cells.chars().collect(), turn.chars().next().unwrap())
    }

    fn other(letter: char) -> char {
        if letter == 'x' { 'o' } else { 'x' }
    }

    /// Places a stone and removes the stones that it captures; returns the cells that were emptied.
    fn place(cells: &mut [char], at: usize, letter: char) -> Vec<usize> {
        cells[at] = letter;
        let get = |cells: &[char], at: i32| {
            usize::try_from(at).ok().and_then(|at| cells.get(at)).copied()
        };
        let mut emptied = Vec::new();
        for step in [-1, 1] {
            let mut end = at as i32 + step;
            let mut run = Vec::new();
            while get(cells, end) == Some(Row::other(letter)) {
                run.push(end as usize);
                end += step;
            }
            // `None` is the end of the board.
            if get(cells, end).is_none_or(|c| c == letter) {
                emptied.extend(run);
            }
        }
        for &cell in &emptied {
            cells[cell] = '.';
        }
        emptied
    }
}

impl Oracle for Row {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, _) = Row::read(position);
        let names = ('a'..='z').zip(cells).filter(|(_, c)| *c == '.');
        names.map(|(name, _)| name.to_string()).collect()
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut cells, turn) = Row::read(position);
        for c in cells.iter_mut().filter(|c| **c == '*') {
            *c = '.';
        }
        let before = cells.clone();
        let emptied = Row::place(&mut cells, usize::from(m.as_bytes()[0] - b'a'), turn);
        let banned: Vec<usize> = match self.0 {
            Ban::Captured => emptied,
            Ban::None => Vec::new(),
            Ban::Recreating => (0..cells.len())
                .filter(|&cell| cells[cell] == '.')
                .filter(|&cell| {
                    let mut reply = cells.clone();
                    Row::place(&mut reply, cell, Row::other(turn));
                    reply == before
                })
                .collect(),
        };
        for cell in banned {
            cells[cell] = '*';
        }
        format!("{} {}", cells.iter().collect::<String>(), Row::other(turn))
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let count = |letter| Row::read(position).0.iter().filter(|c| **c == letter).count();
        self.moves(position).is_empty().then(|| match count('x').cmp(&count('o')) {
            std::cmp::Ordering::Greater => Outcome::FirstWins,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Less => Outcome::SecondWins,
        })
    }
}

#[test]
fn nobody_wins_on_eight_cells() {
    let found = explore::solved(&game(8, Ban::Captured));
    assert_eq!((found.start, found.states), (None, 14_961));
}

fn position(game: &Alak, text: &str) -> State {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

fn moves_of(game: &Alak, text: &str) -> String {
    let state = position(game, text);
    let mut moves = Vec::new();
    game.moves_into(&state, &mut moves);
    moves.iter().map(|&m| game.move_text(&state, m)).collect()
}

/// Text of the position after some moves.
fn after(game: &Alak, text: &str, moves: &str) -> String {
    let mut played = Played::from_state(position(game, text));
    for m in moves.chars() {
        let m = game.parse_move(played.state(), &m.to_string()).unwrap();
        played.try_play(game, m).unwrap();
    }
    game.position_text(played.state())
}

/// Examples from the help page of Richard's PBeM server.
#[test]
fn the_examples_of_the_rules() {
    let game = game(7, Ban::Captured);
    assert_eq!(moves_of(&game, "o.xo.o* x"), "be");
    assert_eq!(after(&game, "o.xo.o* x", "b"), "*xxo.o. o");
    assert_eq!(after(&game, "o.xo.o* x", "e"), "o.x*xo. o");
    assert_eq!(after(&game, "xx.xxo. o", "c"), "**o**o. x");
    assert_eq!(moves_of(&game, &after(&game, "xx.xxo. o", "g")), "c");
    let end = position(&game, &after(&game, "xx.xxo. o", "gc"));
    assert_eq!((game.outcome(&end), game.margin(&end)), (Some(Outcome::FirstWins), 3));
}

#[test]
fn own_stones_without_an_empty_neighbour_stay() {
    let game = game(7, Ban::Captured);
    assert_eq!(after(&game, ".o.o... x", "c"), ".oxo... o");
    assert_eq!(after(&game, "ox.xo.. x", "c"), "oxxxo.. o");
    // Runs on both sides are captured together, also one between the stone and the end of the
    // board.
    assert_eq!(after(&game, "x.xo... o", "b"), "*o*o... x");
    assert_eq!(after(&game, "oxx.xxo o", "d"), "o**o**o x");
}

#[test]
fn only_a_recreated_position_is_banned_where_that_is_the_rule() {
    let [captured, recreating, none] = BANS.map(|ban| game(7, ban));
    // O takes the stone on c by d, and x on c would take just that one back, against e.
    let text = ".ox.x.. o";
    assert_eq!(after(&recreating, text, "d"), ".o*ox.. x");
    assert_eq!(after(&captured, text, "d"), ".o*ox.. x");
    assert_eq!(after(&none, text, "d"), ".o.ox.. x");
    // Without a stone on e nothing can be taken back.
    let text = ".ox..x. o";
    assert_eq!(after(&recreating, text, "d"), ".o.o.x. x");
    assert_eq!(after(&captured, text, "d"), ".o*o.x. x");
    // Here x on b would take the stone on a as well, and no single stone refills two cells.
    assert_eq!(after(&recreating, "ox.x... o", "c"), "o.ox... x");
    assert_eq!(after(&recreating, "oxx.x.. o", "d"), "o..ox.. x");
}

#[test]
fn no_reply_recreates_a_position_unless_that_is_allowed() {
    for ban in BANS {
        let game = game(7, ban);
        let mut recreated = 0;
        for state in explore::explore(&game, 100_000).states {
            if game.outcome(&state).is_some() {
                continue;
            }
            let mut moves = (Vec::new(), Vec::new());
            game.moves_into(&state, &mut moves.0);
            for m in moves.0 {
                let mut child = state;
                game.play(&mut child, m);
                if game.outcome(&child).is_some() {
                    continue;
                }
                game.moves_into(&child, &mut moves.1);
                for &reply in &moves.1 {
                    let mut grandchild = child;
                    game.play(&mut grandchild, reply);
                    recreated += u32::from(grandchild.stones == state.stones);
                }
            }
        }
        assert_eq!(recreated > 0, ban == Ban::None, "{ban:?}: {recreated} times");
    }
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let game = game(7, Ban::None);
    let mut played = Played::from_state(position(&game, ".ox.x.. o"));
    for round in 0..2 {
        for text in ["d", "c"] {
            assert_eq!(played.ended(&game), None, "before {text} of round {round}");
            let m = game.parse_move(played.state(), text).unwrap();
            played.try_play(&game, m).unwrap();
        }
    }
    let end = played.ended(&game).map(|end| (end.by, end.outcome));
    assert_eq!(end, Some((Ending::Repetition, Outcome::Draw)));
}

#[test]
fn forbidden_cells_belong_to_the_position() {
    let game = game(7, Ban::Captured);
    let (marked, free) = (position(&game, "o*ox... x"), position(&game, "o.ox... x"));
    assert_ne!(marked, free);
    assert_ne!(game.key(&marked), game.key(&free));
    assert_eq!(game.unkey(game.key(&marked)), marked);
}

#[test]
fn bad_positions_are_named() {
    let named = |game: &Alak, text: &str, part: &str| {
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    let unexplained = "no last move of o forbids just the cells marked *";
    let seven = game(7, Ban::Captured);
    named(&seven, "ox.x.*. x", unexplained);
    named(&seven, "*ox*o.* x", unexplained);
    named(&seven, "o.xo.o* o", "no last move of x forbids");
    named(&seven, "3*4 x", "in row 1, found 8");
    named(&seven, "3*3", "the player to move (x or o) is missing");
    named(&game(7, Ban::Recreating), ".o*o.x. x", unexplained);
    named(&game(7, Ban::None), "o*ox... x", "\"*\" at character 2");
    assert!(game(7, Ban::Recreating).parse_position(".o*ox.. x").is_ok());
    assert_eq!(standard().parse_position("11 x"), Ok(standard().start()));
}

#[test]
fn cells_off_the_board_are_refused() {
    for length in [3, 11, 26] {
        let game = game(length, Ban::Captured);
        for cell in length as u8..=u8::MAX {
            assert!(game.try_play(&mut game.start(), cell).is_err(), "{cell} of {length}");
        }
    }
    for bad in ["", "l", "A1", "a1", "aa", "*"] {
        assert!(standard().parse_move(&standard().start(), bad).is_err(), "{bad:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn it_follows_the_row(length in 3u32..=26, kind in 0usize..3, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = Alak::new(length, BANS[kind], Plies(200));
        oracle::agree(&game, &Row(BANS[kind]), 4, &mut rng);
    }
}
