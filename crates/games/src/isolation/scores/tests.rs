use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{Game, Notation, PlayoutLimits, Plies, VALUE_MAX};

use super::super::{Setup, Starts};
use super::*;

/// Position of the report's Figure 3, in the coordinates used here: its rows A to E are 5 to 1, its
/// columns 1 to 5 are a to e. Its B2 and E5 are b4 and e1.
const FIGURE_3: &str = "5/1x3/5/5/4o x";

fn game<W: Word>(cols: u32, rows: u32, piece: Piece, starts: Starts) -> Isolation<W> {
    Isolation::new(Setup { cols, rows, piece, starts }, Plies(1_000))
}

fn five() -> Isolation<u64> {
    game(5, 5, Piece::Knight, Starts::Free)
}

/// Value in the scale of the formula.
fn scored<W: Word>(
    evaluator: &impl Evaluator<Isolation<W>>,
    game: &Isolation<W>,
    state: &State<W>,
) -> f64 {
    f64::from(evaluator.evaluate(game, state)) / evaluator.unit()
}

/// Slow functions in the words of the report: squares one by one, distances by a queue.
struct Slow<'g, W> {
    game: &'g Isolation<W>,
    free: Vec<bool>,
}

type Square = (i32, i32);

impl<'g, W: Word> Slow<'g, W> {
    fn new(game: &'g Isolation<W>, state: &State<W>) -> Self {
        let Setup { cols, rows, .. } = game.setup();
        let free = (0..cols * rows).map(|square| !state.blocked().has(square)).collect();
        Slow { game, free }
    }

    fn empty(game: &'g Isolation<W>) -> Self {
        Slow::new(game, &State { blocked: W::ZERO, ..game.start() })
    }

    fn squares(&self) -> impl Iterator<Item = Square> + use<W> {
        let Setup { cols, rows, .. } = self.game.setup();
        (0..rows as i32).flat_map(move |row| (0..cols as i32).map(move |col| (row, col)))
    }

    fn is_free(&self, (row, col): Square) -> bool {
        let Setup { cols, rows, .. } = self.game.setup();
        (0..rows as i32).contains(&row)
            && (0..cols as i32).contains(&col)
            && self.free[(row * cols as i32 + col) as usize]
    }

    /// Destinations of a token in one move; all free squares if it is not placed.
    fn next(&self, from: Option<Square>) -> Vec<Square> {
        let Some((row, col)) = from else {
            return self.squares().filter(|&square| self.is_free(square)).collect();
        };
        let piece = self.game.setup().piece;
        let mut next = Vec::new();
        for up in -2i32..=2 {
            for right in -2i32..=2 {
                let fits = match piece {
                    Piece::Knight => up.abs() * right.abs() == 2,
                    _ => up.abs().max(right.abs()) == 1,
                };
                let far = if piece == Piece::Queen { 11 } else { 1 };
                let line = (1..=far).map(|n| (row + n * up, col + n * right));
                if fits {
                    next.extend(line.take_while(|&square| self.is_free(square)));
                }
            }
        }
        next
    }

    fn exits(&self, square: Square) -> f64 {
        Slow::empty(self.game).next(Some(square)).len() as f64
    }

    fn token(&self, state: &State<W>, player: Player) -> Option<Square> {
        let cols = self.game.setup().cols;
        state.token(player).map(|square| ((square / cols) as i32, (square % cols) as i32))
    }

    /// Squares, each with the number of the token in `tokens` that reaches it first, the first one
    /// if several do, and its distance.
    fn reached(&self, tokens: &[Option<Square>]) -> Vec<(Square, usize, i32)> {
        let mut reached: Vec<(Square, usize, i32)> = Vec::new();
        let mut queue: std::collections::VecDeque<_> =
            tokens.iter().enumerate().map(|(n, &token)| (token, n, 0)).collect();
        while let Some((from, n, distance)) = queue.pop_front() {
            for square in self.next(from) {
                if reached.iter().all(|known| known.0 != square) {
                    reached.push((square, n, distance + 1));
                    queue.push_back((Some(square), n, distance + 1));
                }
            }
        }
        reached
    }

    fn reach_sum(&self, reached: &[(Square, usize, i32)], n: usize, limit: u32) -> f64 {
        let within = reached.iter().filter(|r| r.1 == n && r.2 <= limit as i32);
        within.map(|&(square, _, distance)| self.exits(square) / 2f64.powi(distance - 1)).sum()
    }

    fn weights(&self, squares: &[Square]) -> f64 {
        squares.iter().map(|&square| self.exits(square) / 8.0).sum()
    }
}

fn agrees<W: Word>(game: &Isolation<W>, state: &State<W>, hundredths: u32, limit: u32) {
    let slow = Slow::new(game, state);
    let tokens = [state.turn, state.turn.other()].map(|player| slow.token(state, player));
    let [own, others] = tokens.map(|token| slow.next(token));
    let is = |evaluator: &dyn Evaluator<Isolation<W>>, expected: f64| {
        let value = evaluator.evaluate(game, state);
        assert!(value.abs() < VALUE_MAX);
        let value = f64::from(value) / evaluator.unit();
        let text = game.position_text(state);
        assert!((value - expected).abs() < 1e-9, "{evaluator:?}: {value}, not {expected}: {text}");
    };
    is(&OpenMoveScore, own.len() as f64);
    is(&ImprovedScore, own.len() as f64 - others.len() as f64);

    let Setup { cols, rows, .. } = game.setup();
    let from_center = tokens[0].map_or(0.0, |(row, col)| {
        let y = f64::from(rows as i32 - 1 - row);
        (f64::from(rows) / 2.0 - y).powi(2) + (f64::from(cols) / 2.0 - f64::from(col)).powi(2)
    });
    is(&CenterScore, from_center);

    let (shared, alone): (Vec<_>, Vec<_>) = others.iter().partition(|square| own.contains(square));
    let f = f64::from(hundredths) / 100.0;
    let weighted = slow.weights(&own) - slow.weights(&alone) - f * slow.weights(&shared);
    is(&CustomScore::new(game, hundredths), weighted);

    let one = |token| slow.reach_sum(&slow.reached(&[token]), 0, limit);
    is(&CustomScore2::new(game, limit), one(tokens[0]) - one(tokens[1]));

    let both = slow.reached(&tokens);
    let expected = slow.reach_sum(&both, 0, limit) - slow.reach_sum(&both, 1, limit);
    is(&CustomScore3::new(game, limit), expected);
}

#[test]
fn distances_are_those_of_the_report() {
    // Vector 1: all 24 distances from B2 on an open board.
    let game = five();
    let slow = Slow::empty(&game);
    let mut rows = vec![vec!['-'; 5]; 5];
    for ((row, col), _, distance) in slow.reached(&[Some((3, 1))]) {
        if (row, col) != (3, 1) {
            rows[row as usize][col as usize] = char::from_digit(distance as u32, 10).unwrap();
        }
    }
    let rows: Vec<String> = rows.into_iter().rev().map(|row| row.into_iter().collect()).collect();
    assert_eq!(rows.join(" "), "43212 3-323 23212 12143 23232");
}

#[test]
fn the_sum_of_what_one_token_reaches_is_that_of_the_report() {
    // Vector 2: from B2 alone, without a limit and with 3. The other token has not been placed, so
    // its own sum, all squares except one, is added back.
    let game = five();
    let state = game.parse_position("5/1x3/5/5/5 o").unwrap();
    let slow = Slow::new(&game, &state);
    let other: f64 = slow.next(None).into_iter().map(|square| slow.exits(square)).sum();
    let of_b2 = |limit| other - scored(&CustomScore2::new(&game, limit), &game, &state);
    for limit in [4, 5, LIMIT_MAX] {
        assert_eq!(of_b2(limit), 45.25);
    }
    assert_eq!(of_b2(3), 44.5);
}

#[test]
fn figure_3_has_the_values_of_the_report() {
    let game = five();
    let b2 = game.parse_position(FIGURE_3).unwrap();
    let e5 = State { turn: Player::Second, ..b2 };
    // Vector 3. Values are for the player to move; the report's are for B2.
    let custom = CustomScore::new(&game, 0);
    assert_eq!(scored(&custom, &game, &b2), 2.25);
    assert_eq!(scored(&custom, &game, &e5), 0.75);
    assert_eq!(scored(&ImprovedScore, &game, &b2), 2.0);
    assert_eq!(scored(&ImprovedScore, &game, &e5), -2.0);
    assert_eq!(scored(&OpenMoveScore, &game, &b2), 4.0);
    let full = CustomScore::new(&game, 100);
    assert_eq!(scored(&full, &game, &b2), 2.25 - 1.5);
    // Vector 4.
    let custom_2 = CustomScore2::new(&game, 3);
    assert_eq!(scored(&custom_2, &game, &b2), 43.5 - 35.0);
    assert_eq!(scored(&custom_2, &game, &e5), 35.0 - 43.5);
    // Vector 5: the player to move gets both of the squares that both can go to.
    let custom_3 = CustomScore3::new(&game, 3);
    assert_eq!(scored(&custom_3, &game, &b2), 43.5 - 0.0);
    assert_eq!(scored(&custom_3, &game, &e5), 33.5 - 10.0);
}

#[test]
fn squares_belong_to_who_is_first_there() {
    // Vector 5 again: all 21 squares within three moves belong to B2 if it is to move, else 3 of
    // them.
    let game = five();
    let state = game.parse_position(FIGURE_3).unwrap();
    let slow = Slow::new(&game, &state);
    let [b2, e5] = Player::BOTH.map(|player| slow.token(&state, player));
    let counts = |tokens: [Option<Square>; 2]| {
        let reached = slow.reached(&tokens);
        [0, 1].map(|n| reached.iter().filter(|r| r.1 == n && r.2 <= 3).count())
    };
    assert_eq!(counts([b2, e5]), [21, 0]);
    assert_eq!(counts([e5, b2]), [18, 3]);
}

#[test]
fn the_center_of_the_course_is_half_a_square_off() {
    let game: Isolation<u64> = game(7, 7, Piece::Knight, Starts::Free);
    let at = |text: &str| scored(&CenterScore, &game, &game.parse_position(text).unwrap());
    // The middle square, the upper left one and the lower right one.
    assert_eq!(at("7/7/7/3x3/7/7/6o x"), 0.5);
    assert_eq!(at("x6/7/7/7/7/7/6o x"), 24.5);
    assert_eq!(at("o6/7/7/7/7/7/6x x"), 12.5);
    assert_eq!(scored(&CenterScore, &game, &game.start()), 0.0);
}

#[test]
fn no_value_is_out_of_range_on_the_largest_board() {
    for piece in [Piece::Knight, Piece::Queen, Piece::KingRemove] {
        let game: Isolation<u128> = game(11, 11, piece, Starts::Free);
        let mut state = game.start();
        agrees(&game, &state, 100, LIMIT_MAX);
        game.play(&mut state, super::super::Move { to: 60, removed: 60 });
        agrees(&game, &state, 0, LIMIT_MAX);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_score_is_that_of_the_report(
        (cols, rows) in (2u32..=11, 2u32..=11),
        piece in prop::sample::select(vec![Piece::Knight, Piece::Queen, Piece::KingRemove]),
        fixed: bool,
        plies in 0u32..60,
        hundredths in 0u32..=100,
        limit in 1..=LIMIT_MAX,
        seed: u64,
    ) {
        fn check<W: Word>(game: &Isolation<W>, plies: u32, hundredths: u32, limit: u32, seed: u64) {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut state = game.start();
            let limits = PlayoutLimits { plies_left: Plies(plies), ..PlayoutLimits::of(game) };
            game.playout(&mut state, limits, &mut rng);
            agrees(game, &state, hundredths, limit);
        }
        let starts = if fixed { Starts::Fixed } else { Starts::Free };
        check(&game::<u128>(cols, rows, piece, starts), plies, hundredths, limit, seed);
        if cols * rows <= u64::BITS {
            check(&game::<u64>(cols, rows, piece, starts), plies, hundredths, limit, seed);
        }
    }
}
