use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Intuitive, Keyed, Look, Notation, Outcome, Player, PlayoutLimits, Plies, Symmetric,
    Urgency, perft,
};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Directions, Mnk, Setup};
use treegauge_bits::{Wide, Word};

const CAP: Plies = Plies(1_000);

fn plain(rows: u32, cols: u32, k: u32) -> Setup {
    Setup {
        rows,
        cols,
        k: [k; 2],
        directions: [Directions::All; 2],
        misere: false,
        first: [1; 2],
        gravity: false,
        wrap: false,
    }
}

fn game<W: Word>(setup: Setup) -> Mnk<W> {
    Mnk::new(setup, CAP)
}

/// The rules on a grid of characters: every run from every cell, walked cell by cell.
struct Grid(Setup);

impl Grid {
    /// Rows from the first to the last.
    fn read(position: &str) -> Vec<Vec<char>> {
        let board = position.split_once(' ').unwrap().0;
        board.split('/').rev().map(|row| row.chars().collect()).collect()
    }

    fn write(&self, cells: &[Vec<char>]) -> String {
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        let stones = cells.iter().flatten().filter(|&&c| c != '.').count() as u32;
        format!("{} {}", rows.join("/"), self.mover(stones))
    }

    /// The owner of the n-th stone: turns are written out one after the other.
    fn mover(&self, stones: u32) -> char {
        let [first, second] = self.0.first;
        let mut order = vec!['x'; first as usize];
        order.extend(vec!['o'; second as usize]);
        while order.len() <= stones as usize {
            order.push(if order.last() == Some(&'o') { 'x' } else { 'o' });
        }
        order[stones as usize]
    }

    fn line(&self, cells: &[Vec<char>], player: Player) -> bool {
        let (rows, cols) = (self.0.rows as i32, self.0.cols as i32);
        let letter = ['x', 'o'][player.index()];
        let k = self.0.k[player.index()];
        let ways: &[(i32, i32)] = match self.0.directions[player.index()] {
            Directions::All => &[(0, 1), (1, 0), (1, 1), (1, -1)],
            Directions::Orthogonal => &[(0, 1), (1, 0)],
            Directions::Diagonal => &[(1, 1), (1, -1)],
        };
        let begins = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        begins.into_iter().any(|begin| {
            ways.iter().any(|way| {
                let mut visited = Vec::new();
                let (mut row, mut col) = begin;
                while visited.len() < k as usize {
                    if self.0.wrap {
                        col = (col + cols) % cols;
                        if !self.0.gravity {
                            row = (row + rows) % rows;
                        }
                    }
                    let inside = (0..rows).contains(&row) && (0..cols).contains(&col);
                    if !inside
                        || visited.contains(&(row, col))
                        || cells[row as usize][col as usize] != letter
                    {
                        return false;
                    }
                    visited.push((row, col));
                    (row, col) = (row + way.0, col + way.1);
                }
                true
            })
        })
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let cells = Grid::read(position);
        let mut moves = Vec::new();
        for (row, line) in cells.iter().enumerate() {
            for (col, &c) in line.iter().enumerate() {
                let supported = !self.0.gravity || row == 0 || cells[row - 1][col] != '.';
                if c == '.' && supported {
                    moves.push(format!("{}{}", char::from(b'a' + col as u8), row + 1));
                }
            }
        }
        moves
    }

    fn play(&self, position: &str, m: &str) -> String {
        let mut cells = Grid::read(position);
        let stones = cells.iter().flatten().filter(|&&c| c != '.').count() as u32;
        let col = usize::from(m.as_bytes()[0] - b'a');
        let row: usize = m[1..].parse().unwrap();
        cells[row - 1][col] = self.mover(stones);
        self.write(&cells)
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let cells = Grid::read(position);
        for player in Player::BOTH {
            if self.line(&cells, player) {
                let winner = if self.0.misere { player.other() } else { player };
                return Some(Outcome::win_of(winner));
            }
        }
        cells.iter().flatten().all(|&c| c != '.').then_some(Outcome::Draw)
    }
}

fn all_laws<W: Word>(setup: Setup, laws: Laws) {
    let game = game::<W>(setup);
    laws::check(&game, laws);
    laws::keyed(&game, laws);
    laws::tiered(&game, laws);
    laws::symmetric(&game, laws);
}

#[test]
fn common_boards_keep_the_laws() {
    let laws = Laws { games: 10, playouts: 2_000, seed: 3 };
    all_laws::<u128>(plain(3, 3, 3), laws);
    all_laws::<u128>(plain(10, 10, 5), Laws { games: 2, ..laws });
    all_laws::<u128>(plain(1, 6, 3), laws);
    all_laws::<u128>(plain(5, 1, 3), laws);
    all_laws::<u128>(plain(4, 6, 4), laws);
    let sided = Setup {
        k: [4, 3],
        directions: [Directions::Diagonal, Directions::Orthogonal],
        first: [2, 1],
        ..plain(5, 5, 4)
    };
    all_laws::<u128>(sided, laws);
    all_laws::<u128>(Setup { gravity: true, ..plain(4, 5, 4) }, laws);
    all_laws::<u128>(Setup { wrap: true, misere: true, ..plain(4, 4, 3) }, laws);
    all_laws::<u128>(Setup { wrap: true, gravity: true, ..plain(4, 5, 4) }, laws);
}

#[test]
fn the_largest_board_keeps_the_laws() {
    let few = Laws { games: 1, playouts: 200, seed: 4 };
    all_laws::<Wide>(plain(19, 19, 5), few);
    all_laws::<Wide>(Setup { gravity: true, ..plain(19, 19, 30) }, few);
}

#[test]
fn a_ring_of_own_stones_counts_each_cell_once() {
    let ring = |k| game::<u128>(Setup { wrap: true, ..plain(3, 4, k) });
    let full = "..../..../xxxx x";
    // Four in a ring of four are four, never five.
    assert!(ring(4).parse_position("ooo./..../xxxx o").is_ok());
    let four = ring(4).parse_position("ooo./..../xxxx o").unwrap();
    assert_eq!(ring(4).outcome(&four), Some(Outcome::FirstWins));
    let five = ring(5).parse_position("oo.o/.o../xxxx x").unwrap();
    assert_eq!(ring(5).outcome(&five), None);
    assert!(ring(4).parse_position(full).is_err(), "four x and no o");
}

#[test]
fn positions_that_are_none_are_refused_with_every_fault() {
    let said =
        |setup, text: &str| game::<u128>(setup).parse_position(text).unwrap_err().to_string();
    let text = said(plain(3, 3, 3), "ooo/.../xxx x");
    assert!(text.contains("both players have a line"), "{text}");
    let text = said(plain(3, 3, 3), "x../.../... x");
    assert!(text.contains("1 x and 0 o cannot be with x to move"), "{text}");
    let text = said(plain(3, 3, 3), "oo./.../xxx x");
    assert!(text.contains("cannot be with x to move"), "{text}");
    let text = said(plain(3, 3, 3), ".o./o.o/xxx x");
    assert!(text.contains("x has a line and did not move last"), "{text}");
    let falling = Setup { gravity: true, ..plain(3, 3, 3) };
    let text = said(falling, "x../.../... o");
    assert!(text.contains("the stone on a3 hangs in the air"), "{text}");
    let two_first = Setup { first: [2, 1], ..plain(3, 3, 3) };
    assert!(game::<u128>(two_first).parse_position(".../.../xx. o").is_ok());
    assert!(game::<u128>(two_first).parse_position(".../.../x.. x").is_ok());
}

#[test]
fn both_words_count_the_same() {
    let setup = Setup { first: [2, 2], ..plain(4, 4, 3) };
    let (narrow, wide) = (game::<u128>(setup), game::<Wide>(setup));
    assert_eq!(perft(&narrow, &narrow.start(), 5), perft(&wide, &wide.start(), 5));
}

/// Plays on at random in pieces of `piece` plies, and then to the end.
fn ends_follow_the_grid<W: Word>(
    setup: Setup,
    caps: &[u32],
    rng: &mut Xoshiro256PlusPlus,
) -> Result<(), TestCaseError> {
    let game = game::<W>(setup);
    let mut state = game.start();
    for cap in caps.iter().copied().chain([1_000]) {
        let before = game.outcome(&state);
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(game.unkey(game.key(&state)), state);
        prop_assert_eq!(Grid(setup).outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert!(!end.capped || end.plies == Plies(cap));
        prop_assert!(before.is_none() || end.plies == Plies(0));
    }
    Ok(())
}

/// The looks of the moves of every position of a random game, each with its position and move.
fn looks_of_a_game<W: Word>(
    game: &Mnk<W>,
    rng: &mut Xoshiro256PlusPlus,
    mut see: impl FnMut(&super::State<W>, u16, Look) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let (mut state, mut moves, mut looks) = (game.start(), Vec::new(), Vec::new());
    while let Some(m) = game.random_move(&state, rng) {
        game.looks_into(&state, &mut looks);
        game.moves_into(&state, &mut moves);
        prop_assert_eq!(looks.len(), moves.len());
        for (&m, &look) in moves.iter().zip(&looks) {
            see(&state, m, look)?;
        }
        game.play(&mut state, m);
    }
    Ok(())
}

/// What a move does at once, by the rules on the grid.
fn urgency<W: Word>(game: &Mnk<W>, state: &super::State<W>, m: u16) -> Urgency {
    let grid = Grid(*game.setup());
    let player = game.turn(state);
    let mut cells = Grid::read(&game.position_text(state));
    let (row, col) = (u32::from(m) / game.stride(), u32::from(m) % game.stride());
    let mut line_of = |player: Player| {
        cells[row as usize][col as usize] = ['x', 'o'][player.index()];
        grid.line(&cells, player)
    };
    match (line_of(player), line_of(player.other())) {
        (true, _) if grid.0.misere => Urgency::Loses,
        (true, _) => Urgency::Wins,
        (false, true) if !grid.0.misere => Urgency::Blocks,
        _ => Urgency::Quiet,
    }
}

#[test]
fn a_first_stone_looks_best_in_the_centre_and_worst_there_where_lines_lose() {
    for misere in [false, true] {
        let game = game::<u128>(Setup { misere, ..plain(3, 3, 3) });
        let mut looks = Vec::new();
        game.looks_into(&game.start(), &mut looks);
        // Four lines through the centre, three through a corner, two through an edge, of each player;
        // an edge is 1 - sqrt(1/2) nearer to the centre than a corner.
        let edge = 0.8 * 0.5 + 0.2 * (1.0 - 0.5_f64.sqrt());
        let expected = [0.6, edge, 0.6, edge, 1.0, edge, 0.6, edge, 0.6];
        for (look, appeal) in looks.iter().zip(expected) {
            let appeal = if misere { 1.0 - appeal } else { appeal };
            assert!((look.appeal - appeal).abs() < 1e-12, "{look:?} is not {appeal}");
            assert_eq!(look.urgency, Urgency::Quiet);
        }
    }
}

fn directions() -> impl Strategy<Value = Directions> {
    prop::sample::select(vec![Directions::All, Directions::Orthogonal, Directions::Diagonal])
}

prop_compose! {
    fn setups()(
        rows in 1u32..=6, cols in 1u32..=6, k1 in 1u32..=7, k2 in 1u32..=7,
        directions1 in directions(), directions2 in directions(), misere: bool,
        first1 in 1u32..=2, first2 in 1u32..=2, gravity: bool, wrap: bool,
    ) -> Setup {
        Setup {
            rows, cols, k: [k1, k2], directions: [directions1, directions2], misere,
            first: [first1, first2], gravity, wrap,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_game_of_the_family_follows_the_grid(setup in setups(), seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&game::<u128>(setup), &Grid(setup), 4, &mut rng);
        oracle::agree(&game::<Wide>(setup), &Grid(setup), 1, &mut rng);
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_grid(
        setup in setups(), seed: u64, caps in prop::collection::vec(0u32..20, 8)
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        ends_follow_the_grid::<u128>(setup, &caps, &mut rng)?;
        // Lines as long as there are, so that their words are full.
        let large = Setup { rows: 19 - setup.rows, cols: 20 - setup.cols, ..setup };
        ends_follow_the_grid::<Wide>(large, &caps, &mut rng)?;
    }

    #[test]
    fn moves_that_win_lose_or_block_at_once_are_seen(setup in setups(), seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let narrow = game::<u128>(setup);
        looks_of_a_game(&narrow, &mut rng, |state, m, look| {
            prop_assert_eq!(look.urgency, urgency(&narrow, state, m));
            prop_assert!((-1e-9..=1.0 + 1e-9).contains(&look.appeal), "{}", look.appeal);
            Ok(())
        })?;
        let wide = game::<Wide>(setup);
        looks_of_a_game(&wide, &mut rng, |state, m, look| {
            prop_assert_eq!(look.urgency, urgency(&wide, state, m));
            Ok(())
        })?;
    }

    #[test]
    fn moves_look_alike_in_symmetric_positions(setup in setups(), seed: u64, n: usize) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = game::<u128>(setup);
        let n = n % game.symmetry_count();
        let (mut moves, mut looks) = (Vec::new(), Vec::new());
        looks_of_a_game(&game, &mut rng, |state, m, look| {
            let image = game.map_state(n, state);
            game.moves_into(&image, &mut moves);
            game.looks_into(&image, &mut looks);
            let at = moves.iter().position(|&other| other == game.map_move(n, m)).unwrap();
            prop_assert_eq!(looks[at].urgency, look.urgency);
            prop_assert!((looks[at].appeal - look.appeal).abs() < 1e-9);
            Ok(())
        })?;
    }

    #[test]
    fn any_game_keeps_the_laws_of_play(setup in setups(), seed: u64) {
        let laws = Laws { games: 2, playouts: 300, seed };
        let game = game::<u128>(setup);
        laws::moves(&game, laws);
        laws::refusals(&game, laws);
        laws::notation(&game, laws);
        laws::playouts(&game, laws);
        laws::keyed(&game, laws);
    }

    #[test]
    fn any_text_is_read_or_refused(
        setup in setups(), text in "([xo.1-6]{1,6}/){0,6}[xo.1-6]{1,6} [xoz]"
    ) {
        laws::parsers_stand(&game::<u128>(setup), &text);
    }
}
