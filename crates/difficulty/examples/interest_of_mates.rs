//! Interestingness of chess problems that mate, held against their ratings by people.
//!
//! ```text
//! interest_of_mates PUZZLES.csv...
//! ```
//!
//! A problem that mates in N is a small game: the solver wins by a mate in at most N moves, and every
//! other end is a tie. A search finds for each move of the solver whether it still mates, and in how
//! many moves, for all defences. So all terms of the interestingness of Johnson 2006 are exact. Problems
//! of one half, by the game that they come from, may be used to choose a variant of the formula; the
//! others test it. "Within a length" is the mean of the rank correlations of mates in one, two and three,
//! weighted by their numbers: it does not reward a variant for counting moves.

use std::collections::HashMap;
use std::env;
use std::fs::File;

use cozy_chess::{Board, GameStatus, Piece};
use treegauge_difficulty::chess::{Position, Puzzles};
use treegauge_learn::Random;
use treegauge_learn::scores::rank_correlation;
use xxhash_rust::xxh3::xxh3_64;

/// Longest mate, in moves of the solver.
const LONGEST: u8 = 3;
/// Positions that a problem may take.
const NODES_MAX: u64 = 30_000_000;
/// Draws of the bootstrap.
const DRAWS: u64 = 1_000;
/// Interestingness of a finished position, and least immediate term.
const PRIMITIVE: f64 = 0.01;

/// Move of the solver.
struct Try {
    /// Node after it, and plies to the mate from there; `None` if the mate is missed.
    mates: Option<(usize, u8)>,
    /// Whether the opponent mates at once after it.
    is_mated: bool,
    /// Number of answers.
    answers: usize,
    /// Material in centipawns that a search of two plies and captures expects to win by it.
    gain: i32,
}

/// Position of a problem, after those that it leads to.
enum Node {
    Solver { plies: u8, tries: Vec<Try> },
    Defender(Vec<usize>),
}

/// Problem with its rating by people.
struct Problem {
    rating: f64,
    moves: u8,
    is_tested: bool,
    group: u64,
    nodes: Vec<Node>,
}

/// Search for mates with the positions of one problem.
#[derive(Default)]
struct Search {
    mates: HashMap<(u64, u8), bool>,
    nodes: u64,
    /// Number of each node by its position and the moves that are left.
    numbers: HashMap<(u64, u8, bool), usize>,
    list: Vec<Node>,
}

fn after_each(board: &Board) -> Vec<Board> {
    let mut boards = Vec::new();
    board.generate_moves(|of_piece| {
        boards.extend(of_piece.into_iter().map(|played| {
            let mut after = board.clone();
            after.play_unchecked(played);
            after
        }));
        false
    });
    boards
}

fn is_check(board: &Board) -> bool {
    !board.checkers().is_empty()
}

fn is_mate(board: &Board) -> bool {
    is_check(board) && board.status() == GameStatus::Won
}

impl Search {
    /// Whether the side to move mates in at most `moves` moves.
    fn mates(&mut self, board: &Board, moves: u8) -> bool {
        if moves == 0 || self.nodes > NODES_MAX {
            return false;
        }
        if let Some(&known) = self.mates.get(&(board.hash(), moves)) {
            return known;
        }
        let mut after = after_each(board);
        self.nodes += after.len() as u64;
        if moves > 1 {
            after.sort_by_cached_key(|after| (!is_check(after), after_each(after).len()));
        }
        let found = after.iter().any(|after| self.is_lost(after, moves - 1));
        self.mates.insert((board.hash(), moves), found);
        found
    }

    /// Whether the side to move is mated, or will be in at most `moves` moves of the other.
    fn is_lost(&mut self, board: &Board, moves: u8) -> bool {
        if moves == 0 {
            return is_mate(board);
        }
        let answers = after_each(board);
        match answers.is_empty() {
            true => is_check(board),
            false => answers.iter().all(|after| self.mates(after, moves)),
        }
    }

    /// Number of the node of the solver; `None` if there were too many positions.
    fn solver(&mut self, board: &Board, moves: u8) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&(board.hash(), moves, true)) {
            return Some(known);
        }
        let mut tries = Vec::new();
        for after in after_each(board) {
            let left = (0..moves).find(|&left| self.is_lost(&after, left));
            if self.nodes > NODES_MAX {
                return None;
            }
            let mates = match left {
                Some(left) => Some((self.defender(&after, moves - 1)?, 2 * left)),
                None => None,
            };
            let answers = after_each(&after);
            tries.push(Try {
                mates,
                is_mated: mates.is_none() && answers.iter().any(is_mate),
                answers: answers.len(),
                gain: -searched(&after, 1, -SURE, SURE) - material(board),
            });
        }
        let left = tries.iter().filter_map(|one| one.mates).map(|(_, plies)| plies).min();
        let plies = 1 + left.expect("a node of the solver mates");
        Some(self.add((board.hash(), moves, true), Node::Solver { plies, tries }))
    }

    fn defender(&mut self, board: &Board, moves: u8) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&(board.hash(), moves, false)) {
            return Some(known);
        }
        let answers: Option<Vec<usize>> =
            after_each(board).iter().map(|after| self.solver(after, moves)).collect();
        Some(self.add((board.hash(), moves, false), Node::Defender(answers?)))
    }

    fn add(&mut self, key: (u64, u8, bool), node: Node) -> usize {
        self.list.push(node);
        self.numbers.insert(key, self.list.len() - 1);
        self.list.len() - 1
    }
}

/// Value of a mate in centipawns.
const SURE: i32 = 20_000;

/// Material of the side to move less that of the other, in centipawns.
fn material(board: &Board) -> i32 {
    let worth = |piece| match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 0,
    };
    let of = |colour, piece| (board.colors(colour) & board.pieces(piece)).len() as i32;
    let (mine, theirs) = (board.side_to_move(), !board.side_to_move());
    Piece::ALL.iter().map(|&piece| worth(piece) * (of(mine, piece) - of(theirs, piece))).sum()
}

/// Material after a search of `plies` plies, then of captures.
fn searched(board: &Board, plies: u8, mut least: i32, most: i32) -> i32 {
    let mut after = after_each(board);
    if after.is_empty() {
        return if is_check(board) { -SURE } else { 0 };
    }
    if plies == 0 && !is_check(board) {
        least = least.max(material(board));
        let men = board.occupied().len();
        after.retain(|after| after.occupied().len() < men);
    }
    after.sort_by_cached_key(material);
    for after in after {
        if least >= most {
            break;
        }
        least = least.max(-searched(&after, plies.saturating_sub(1), -most, -least));
    }
    least
}

/// Variant of the formula.
struct Variant {
    name: &'static str,
    weight: fn(&Try) -> f64,
    fastest: bool,
    /// Combines both terms.
    combine: fn(f64, f64) -> f64,
    /// Interestingness of a lost position from those after its moves.
    lost: fn(&[f64]) -> f64,
}

fn together(immediate: f64, accumulated: f64) -> f64 {
    1.0 - ((1.0 - immediate) * (1.0 - accumulated)).sqrt()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn forcing(one: &Try) -> f64 {
    1.0 / (1.0 + one.answers as f64)
}

fn tempting(one: &Try) -> f64 {
    (f64::from(one.gain) / 200.0).clamp(-12.0, 12.0).exp()
}

const PUBLISHED: Variant = Variant {
    name: "published (clamped)",
    weight: |_| 1.0,
    fastest: false,
    combine: together,
    lost: mean,
};

const VARIANTS: [Variant; 11] = [
    PUBLISHED,
    Variant { name: "quickest wins only", fastest: true, ..PUBLISHED },
    Variant { name: "immediate alone", combine: |immediate, _| immediate, ..PUBLISHED },
    Variant {
        name: "not bent: 1 - (1 - i) (1 - a)",
        combine: |i, a| 1.0 - (1.0 - i) * (1.0 - a),
        ..PUBLISHED
    },
    Variant { name: "sum of both", combine: |i, a| i + a, ..PUBLISHED },
    Variant {
        name: "hardest defence",
        lost: |values| values.iter().copied().fold(0.0, f64::max),
        ..PUBLISHED
    },
    Variant { name: "weight e^(gain / 200), shallow search", weight: tempting, ..PUBLISHED },
    Variant { name: "weight (1 + n)^-0.5", weight: |one| forcing(one).sqrt(), ..PUBLISHED },
    Variant { name: "weight 1 / (1 + n) (forcing)", weight: forcing, ..PUBLISHED },
    Variant { name: "weight (1 + n)^-1.5", weight: |one| forcing(one).powf(1.5), ..PUBLISHED },
    Variant {
        name: "weight e^(gain / 200) / (1 + n)",
        weight: |one| tempting(one) * forcing(one),
        ..PUBLISHED
    },
];

impl Variant {
    fn of(&self, problem: &Problem) -> f64 {
        let mut found: Vec<f64> = Vec::new();
        for node in &problem.nodes {
            let value = match node {
                Node::Defender(after) if after.is_empty() => PRIMITIVE,
                Node::Defender(after) => {
                    (self.lost)(&after.iter().map(|&n| found[n]).collect::<Vec<_>>())
                }
                Node::Solver { plies, tries } => {
                    let (mut wins, mut missteps, mut after) = (0.0, 0.0, Vec::new());
                    for one in tries {
                        match one.mates {
                            Some((node, left)) => {
                                wins += (self.weight)(one);
                                if !self.fastest || left + 1 == *plies {
                                    after.push(found[node]);
                                }
                            }
                            // A move that is punished at once tempts nobody, as in the paper.
                            None if one.is_mated => {}
                            None => missteps += (self.weight)(one),
                        }
                    }
                    (self.combine)((missteps / (missteps + wins)).max(PRIMITIVE), mean(&after))
                }
            };
            found.push(value);
        }
        *found.last().expect("a problem has its first position")
    }
}

/// Reads the problems that mate in at most [`LONGEST`] moves; also returns the number of those that took
/// too many positions.
fn problems(path: &str) -> (Vec<Problem>, usize) {
    let file = File::open(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let puzzles = Puzzles::open(file).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (mut read, mut too_large) = (Vec::new(), 0);
    for puzzle in puzzles {
        let puzzle = puzzle.unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_mate = puzzle.themes.iter().any(|theme| theme.starts_with("mateIn"));
        let Some(rating) = puzzle.rating.filter(|_| is_mate) else { continue };
        let board = board(&puzzle.position);
        let mut search = Search::default();
        let Some(moves) = (1..=LONGEST).find(|&moves| search.mates(&board, moves)) else {
            continue;
        };
        if search.solver(&board, moves).is_none() {
            too_large += 1;
            continue;
        }
        // Puzzles from one game stay together; the address names it before the side and the move.
        let game = puzzle.game.unwrap_or(puzzle.id);
        let game = game.split(['#']).next().expect("the first part").trim_end_matches("/black");
        let group = xxh3_64(game.as_bytes());
        read.push(Problem { rating, moves, is_tested: group % 2 == 1, group, nodes: search.list });
    }
    (read, too_large)
}

fn board(position: &Position) -> Board {
    position.fen().parse().expect("a position has a FEN")
}

/// Rank correlation of all problems, and that within a length.
fn scores(numbers: &[usize], found: &[f64], problems: &[Problem]) -> Option<[f64; 2]> {
    let of = |numbers: &[usize]| {
        let found: Vec<f64> = numbers.iter().map(|&n| found[n]).collect();
        let ratings: Vec<f64> = numbers.iter().map(|&n| problems[n].rating).collect();
        rank_correlation(&found, &ratings)
    };
    let mut within = 0.0;
    for moves in 1..=LONGEST {
        let some: Vec<usize> =
            numbers.iter().copied().filter(|&n| problems[n].moves == moves).collect();
        within += some.len() as f64 / numbers.len() as f64 * of(&some).unwrap_or(0.0);
    }
    Some([of(numbers)?, within])
}

fn main() {
    let (mut problems, mut too_large) = (Vec::new(), 0);
    for path in env::args().skip(1) {
        let (more, given_up) = self::problems(&path);
        problems.extend(more);
        too_large += given_up;
    }
    let count = |moves| problems.iter().filter(|problem| problem.moves == moves).count();
    let counts: Vec<String> = (1..=LONGEST).map(|n| format!("{} in {n}", count(n))).collect();
    println!(
        "{} mates: {}; {too_large} took too many positions\n",
        problems.len(),
        counts.join(", ")
    );
    let half = |is_tested| -> Vec<usize> {
        (0..problems.len()).filter(|&n| problems[n].is_tested == is_tested).collect()
    };
    let (chosen, tested) = (half(false), half(true));
    let mut games: HashMap<u64, Vec<usize>> = HashMap::new();
    for &n in &tested {
        games.entry(problems[n].group).or_default().push(n);
    }
    let mut games: Vec<_> = games.into_iter().collect();
    games.sort_by_key(|(group, _)| *group);
    let draws: Vec<Vec<usize>> = (0..DRAWS)
        .map(|seed| {
            let mut random = Random::new(seed);
            let drawn = (0..games.len()).map(|_| &games[random.below(games.len())].1);
            drawn.flatten().copied().collect()
        })
        .collect();
    println!(
        "| formula | first half, n = {}: all | within a length | other half, n = {}: all | within a length (95%) | gain over published (95%) |",
        chosen.len(),
        tested.len()
    );
    println!("|---|---:|---:|---:|---:|---:|");
    let mut published: Option<(f64, Vec<f64>)> = None;
    for variant in &VARIANTS {
        let found: Vec<f64> = problems.iter().map(|problem| variant.of(problem)).collect();
        let [first_all, first] = scores(&chosen, &found, &problems).expect("numbers differ");
        let [all, within] = scores(&tested, &found, &problems).expect("numbers differ");
        let drawn: Vec<f64> = draws
            .iter()
            .map(|numbers| scores(numbers, &found, &problems).expect("numbers differ")[1])
            .collect();
        let gain = published.as_ref().map(|(base, of_base)| {
            let gains = drawn.iter().zip(of_base).map(|(a, b)| a - b).collect();
            format!("{:+.3} ({})", within - base, middle(gains))
        });
        println!(
            "| {} | {first_all:.3} | {first:.3} | {all:.3} | {within:.3} ({}) | {} |",
            variant.name,
            middle(drawn.clone()),
            gain.unwrap_or_default()
        );
        published.get_or_insert((within, drawn));
    }
}

/// Middle 95% of some numbers.
fn middle(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    format!("{:.3} to {:.3}", at(0.025), at(0.975))
}
