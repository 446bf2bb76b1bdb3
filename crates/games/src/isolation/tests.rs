use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Game, Keyed, Notation, Outcome, Player, PlayoutLimits, Plies, Symmetric, perft,
};
use treegauge_testkit::facts::facts;
use treegauge_testkit::{Laws, Oracle, explore, laws, oracle};

use super::{Isolation, Move, Piece, Setup, Starts, State};
use crate::Word;

const PIECES: [Piece; 3] = [Piece::Knight, Piece::Queen, Piece::KingRemove];
const STARTS: [Starts; 2] = [Starts::Free, Starts::Fixed];

fn setup(cols: u32, rows: u32, piece: Piece, starts: Starts) -> Setup {
    Setup { cols, rows, piece, starts }
}

fn game<W: Word>(setup: Setup) -> Isolation<W> {
    Isolation::new(setup, Plies(1_000))
}

fn free(size: u32, piece: Piece) -> Isolation<u64> {
    game(setup(size, size, piece, Starts::Free))
}

/// The rules on a grid of characters, square by square.
struct Grid(Piece);

type Square = (i32, i32);

impl Grid {
    /// Rows from the first to the last, and the letter to move.
    fn read(position: &str) -> (Vec<Vec<char>>, char) {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows = board.split('/').rev().map(|row| row.chars().collect()).collect();
        (rows, turn.chars().next().unwrap())
    }

    fn squares(cells: &[Vec<char>], symbol: char) -> Vec<Square> {
        let mut squares = Vec::new();
        for (row, line) in cells.iter().enumerate() {
            for (col, _) in line.iter().enumerate().filter(|(_, c)| **c == symbol) {
                squares.push((col as i32, row as i32));
            }
        }
        squares
    }

    fn at(cells: &[Vec<char>], (col, row): Square) -> char {
        cells[row as usize][col as usize]
    }

    fn can_go(&self, cells: &[Vec<char>], from: Square, to: Square) -> bool {
        let (right, up) = (to.0 - from.0, to.1 - from.1);
        let far = right.abs().max(up.abs());
        match self.0 {
            Piece::Knight => right.abs() * up.abs() == 2,
            Piece::KingRemove => far == 1,
            Piece::Queen => {
                let straight = right == 0 || up == 0 || right.abs() == up.abs();
                let step = (right.signum(), up.signum());
                let between = |n| Grid::at(cells, (from.0 + n * step.0, from.1 + n * step.1));
                far > 0 && straight && (1..far).all(|n| between(n) == '.')
            }
        }
    }

    fn name((col, row): Square) -> String {
        format!("{}{}", char::from(b'a' + col as u8), row + 1)
    }
}

impl Oracle for Grid {
    fn moves(&self, position: &str) -> Vec<String> {
        let (cells, turn) = Grid::read(position);
        let empty = Grid::squares(&cells, '.');
        let Some(&from) = Grid::squares(&cells, turn).first() else {
            return empty.into_iter().map(Grid::name).collect();
        };
        let mut moves = Vec::new();
        for &to in empty.iter().filter(|&&to| self.can_go(&cells, from, to)) {
            if self.0 == Piece::KingRemove {
                let removable = empty.iter().copied().chain([from]).filter(|&square| square != to);
                let to = Grid::name(to);
                moves.extend(removable.map(|square| format!("{to}-{}", Grid::name(square))));
            } else {
                moves.push(Grid::name(to));
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
        let left = if self.0 == Piece::KingRemove { '.' } else { '#' };
        for from in Grid::squares(&Grid::read(position).0, turn) {
            put(&Grid::name(from), left);
        }
        let (to, removed) = m.split_once('-').unwrap_or((m, m));
        put(removed, '#');
        put(to, turn);
        let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if turn == 'x' { 'o' } else { 'x' })
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let lost = if position.ends_with('x') { Outcome::SecondWins } else { Outcome::FirstWins };
        self.moves(position).is_empty().then_some(lost)
    }
}

fn all_laws<W: Word>(game: &Isolation<W>, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::tiered(game, laws);
    laws::symmetric(game, laws);
}

#[test]
fn the_usual_boards_keep_the_laws() {
    let few = Laws { games: 8, playouts: 1_000, ..Laws::default() };
    all_laws(&free(7, Piece::Knight), Laws::default());
    all_laws(&free(7, Piece::Queen), few);
    all_laws(&free(5, Piece::KingRemove), Laws { games: 2, ..few });
    all_laws(&game::<u64>(setup(6, 8, Piece::KingRemove, Starts::Fixed)), Laws { games: 2, ..few });
}

#[test]
fn the_smallest_and_the_largest_boards_keep_the_laws() {
    for piece in PIECES {
        let few = Laws { games: 2, playouts: 300, seed: 3 };
        all_laws(&free(2, piece), Laws { games: 40, ..few });
        all_laws(&free(8, piece), few);
        all_laws(&game::<u64>(setup(11, 2, piece, Starts::Free)), few);
        let law = laws::moves::<Isolation<u128>>;
        law(&game(setup(11, 11, piece, Starts::Fixed)), Laws { games: 1, ..few });
    }
    all_laws(
        &game::<u128>(setup(11, 11, Piece::Knight, Starts::Free)),
        Laws { games: 4, playouts: 300, seed: 3 },
    );
}

#[test]
fn perft_from_the_start() {
    let counts = |size, piece, depth| {
        let game = free(size, piece);
        perft(&game, &game.start(), depth)
    };
    assert_eq!(counts(3, Piece::Knight, 9), [9, 72, 112, 160, 128, 96, 64, 32, 0]);
    assert_eq!(counts(4, Piece::Knight, 6), [16, 240, 672, 1_792, 3_456, 6_416]);
    assert_eq!(counts(5, Piece::Knight, 5), [25, 600, 2_208, 7_712, 24_160]);
    assert_eq!(counts(7, Piece::Knight, 4), [49, 2_352, 11_280, 52_672]);
    let queen = [9, 72, 376, 1_600, 5_232, 13_056, 23_920, 27_816, 15_696];
    assert_eq!(counts(3, Piece::Queen, 9), queen);
    assert_eq!(counts(4, Piece::Queen, 5), [16, 240, 2_040, 15_480, 98_512]);
    assert_eq!(counts(5, Piece::Queen, 4), [25, 600, 7_080, 77_248]);
    assert_eq!(counts(7, Piece::Queen, 3), [49, 2_352, 43_344]);
}

#[test]
fn small_boards_have_the_winners_that_are_known() {
    let known = facts().isolation_solved;
    assert_eq!(known.len(), 3);
    for (name, sign) in known {
        let (piece, board) = name.split_once('_').expect("piece_board");
        let piece = if piece == "queen" { Piece::Queen } else { Piece::Knight };
        let size = board.split_once('x').expect("columns x rows").0.parse().unwrap();
        let (winner, _) = explore::solved(&free(size, piece)).start.expect("there are no draws");
        assert_eq!(winner.sign(), sign, "{name}");
    }
}

#[test]
fn tokens_reach_what_is_published_on_an_empty_board() {
    let table = |size, piece| {
        let game = free(size, piece);
        let rows = (0..size).map(|row| {
            (0..size).map(|col| game.reach(row * size + col).count().to_string()).collect()
        });
        rows.collect::<Vec<String>>().join(" ")
    };
    assert_eq!(table(5, Piece::Knight), "23432 34643 46864 34643 23432");
    assert_eq!(table(7, Piece::Knight), "2344432 3466643 4688864 4688864 4688864 3466643 2344432");
    assert_eq!(table(3, Piece::KingRemove), "353 585 353");
    assert_eq!(table(3, Piece::Queen), "666 686 666");
}

fn position<W: Word>(game: &Isolation<W>, text: &str) -> State<W> {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Squares by name, in the order of bits.
fn names(squares: u64, cols: u32) -> String {
    let name = |n| Grid::name(((n % cols) as i32, (n / cols) as i32));
    squares.ones().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn both_tokens_can_be_asked_where_they_can_go() {
    // The position of the published report's Figure 3, in the coordinates used here: its rows A
    // to E are 5 to 1, its columns 1 to 5 are a to e.
    let game = free(5, Piece::Knight);
    let state = position(&game, "5/1x3/5/5/4o x");
    assert_eq!((state.token(Player::First), state.token(Player::Second)), (Some(16), Some(4)));
    assert_eq!(names(game.destinations(&state, Player::First), 5), "a2 c2 d3 d5");
    assert_eq!(names(game.destinations(&state, Player::Second), 5), "c2 d3");
    assert_eq!(names(state.blocked(), 5), "e1 b4");
    let placing = game.start();
    assert_eq!(placing.token(Player::First), None);
    assert_eq!(game.destinations(&placing, Player::Second), game.all());
}

#[test]
fn queens_stop_at_what_is_blocked() {
    let game = free(5, Piece::Queen);
    let state = position(&game, "x3#/5/2#2/5/o3. x");
    assert_eq!(names(game.destinations(&state, Player::First), 5), "a2 a3 a4 b4 b5 c5 d5");
    // A blocked square under the token itself changes nothing.
    let seen = game.destinations_from(20, state.blocked() & !(1 << 20));
    assert_eq!(seen, game.destinations(&state, Player::First));
}

#[test]
fn fixed_starts_stand_where_they_should() {
    let start = |cols, rows, piece| {
        let game = game::<u64>(setup(cols, rows, piece, Starts::Fixed));
        (game.position_text(&game.start()), game.symmetry_count())
    };
    let expected = |text: &str, symmetries| (text.to_owned(), symmetries);
    assert_eq!(start(5, 3, Piece::Knight), expected("...../.x.o./..... x", 2));
    assert_eq!(start(4, 4, Piece::Queen), expected("..../..../.xo./.... x", 1));
    assert_eq!(start(3, 3, Piece::KingRemove), expected(".o./.../.x. x", 2));
    assert_eq!(start(4, 2, Piece::KingRemove), expected("..o./.x.. x", 1));
    assert_eq!(start(2, 2, Piece::KingRemove), expected(".o/x. x", 2));
    assert_eq!(free(4, Piece::Queen).symmetry_count(), 8);
    assert_eq!(game::<u64>(setup(4, 5, Piece::Queen, Starts::Free)).symmetry_count(), 4);
}

#[test]
fn a_king_may_remove_the_square_it_left() {
    let game = game::<u64>(setup(3, 3, Piece::KingRemove, Starts::Fixed));
    let state = game.start();
    assert_eq!(game.move_count(&state), 5 * 7);
    let m = game.parse_move(&state, "b2-b1").unwrap();
    let mut played = state;
    game.try_play(&mut played, m).unwrap();
    assert_eq!(game.position_text(&played), ".o./.x./.#. o");
    for bad in ["b2-b2", "b2-b3", "b3-a1", "b2", "a3-a1", "b1-a1"] {
        assert!(game.parse_move(&state, bad).is_err(), "{bad}");
    }
}

#[test]
fn who_cannot_move_loses() {
    let knight = free(3, Piece::Knight);
    let state = position(&knight, "3/1x1/2o x");
    assert_eq!(knight.outcome(&state), Some(Outcome::SecondWins));
    // Surrounded on all sides, though squares are free.
    let king = free(3, Piece::KingRemove);
    let state = position(&king, "o../##./x#. o");
    assert_eq!(king.outcome(&state), None);
    let state = position(&king, "o#./##./x#. x");
    assert_eq!(king.outcome(&state), Some(Outcome::SecondWins));
}

#[test]
fn no_value_of_a_move_is_legal_but_those_listed() {
    for piece in PIECES {
        let game = game::<u128>(setup(9, 5, piece, Starts::Free));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
        for plies in [0, 1, 2, 4] {
            let mut state = game.start();
            let limits = PlayoutLimits { plies_left: Plies(plies), ..PlayoutLimits::of(&game) };
            game.playout(&mut state, limits, &mut rng);
            let mut listed = Vec::new();
            game.moves_into(&state, &mut listed);
            listed.sort_unstable();
            let bytes = || 0..=u8::MAX;
            let all = bytes().flat_map(|to| bytes().map(move |removed| Move { to, removed }));
            let legal: Vec<Move> = all.filter(|&m| game.is_legal(&state, m)).collect();
            assert_eq!(legal, listed, "{piece:?} after {plies} plies");
        }
    }
}

#[test]
fn errors_of_a_position_are_named() {
    let named = |starts, text: &str, part: &str| {
        let game = game::<u64>(setup(3, 3, Piece::Knight, starts));
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named(Starts::Free, "xx1/3/2o x", "x has 2 tokens");
    named(Starts::Free, "x2/#2/2o x", "x is not to move with 1 blocked squares without a token");
    named(Starts::Free, "x2/3/2o o", "o is not to move with 0 blocked squares without a token");
    named(Starts::Free, "x2/3/3 x", "x is not to move with 1 x and 0 o on the board");
    named(Starts::Free, "3/3/o2 x", "x is not to move with 0 x and 1 o on the board");
    named(Starts::Free, "3/3/3 o", "o is not to move with 0 x and 0 o on the board");
    named(Starts::Free, "x2/#2/3 o", "squares are blocked before both tokens are placed");
    named(Starts::Fixed, "3/3/3 x", "both tokens are on the board from the start");
    named(Starts::Free, "x2/3/2? x", "\"?\" at character 7 where . x o # or a number");
}

fn pieces() -> impl Strategy<Value = Piece> {
    (0usize..3).prop_map(|n| PIECES[n])
}

fn setups(side_max: u32) -> impl Strategy<Value = Setup> {
    (2..=side_max, 2..=side_max, pieces(), 0usize..2)
        .prop_map(|(cols, rows, piece, starts)| setup(cols, rows, piece, STARTS[starts]))
        // Of fixed starts a few small boards leave the first player no move at all.
        .prop_filter("the game begins", |&setup| {
            let game = game::<u64>(setup);
            game.outcome(&game.start()).is_none()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_board_follows_the_grid(setup in setups(8), more in 0u32..=3, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let grid = Grid(setup.piece);
        oracle::agree(&game::<u64>(setup), &grid, 2, &mut rng);
        if setup.piece != Piece::KingRemove {
            let wide = Setup { cols: setup.cols + more, rows: setup.rows + more, ..setup };
            oracle::agree(&game::<u128>(wide), &grid, 2, &mut rng);
        }
    }

    #[test]
    fn any_board_keeps_the_laws(setup in setups(5), seed: u64) {
        all_laws(&game::<u64>(setup), Laws { games: 12, playouts: 300, seed });
    }

    #[test]
    fn both_words_say_the_same(setup in setups(8), plies in 0u32..40, seed: u64) {
        let (narrow, wide) = (game::<u64>(setup), game::<u128>(setup));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = narrow.start();
        let limits = PlayoutLimits { plies_left: Plies(plies), ..PlayoutLimits::of(&narrow) };
        narrow.playout(&mut state, limits, &mut rng);
        let widened = wide.parse_position(&narrow.position_text(&state)).unwrap();
        prop_assert_eq!(wide.outcome(&widened), narrow.outcome(&state));
        let (mut a, mut b) = (Vec::new(), Vec::new());
        narrow.moves_into(&state, &mut a);
        wide.moves_into(&widened, &mut b);
        prop_assert_eq!(a, b);
    }

    #[test]
    fn the_end_of_a_playout_is_a_position_of_the_grid(
        setup in setups(8), seed: u64, cap in 0u32..60
    ) {
        let game = game::<u64>(setup);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = game.start();
        let limits = PlayoutLimits::new(Plies(cap), Plies(0));
        let end = game.playout(&mut state, limits, &mut rng);
        let text = game.position_text(&state);
        prop_assert_eq!(game.parse_position(&text), Ok(state));
        prop_assert_eq!(game.unkey(game.key(&state)), state);
        prop_assert_eq!(Grid(setup.piece).outcome(&text), (!end.capped).then_some(end.outcome));
        prop_assert_eq!(game.turn(&state) == Player::First, end.plies.0.is_multiple_of(2));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü/xo.#0-9-]{0,40}") {
        laws::parsers_stand(&free(3, Piece::KingRemove), &text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        text in "[xo.#]{2}[.#]/[.#]{3}/[.#]{3} [xo]", piece in pieces(), fixed in 0usize..2
    ) {
        laws::parsers_stand(&game::<u64>(setup(3, 3, piece, STARTS[fixed])), &text);
    }
}
