//! Facts of a problem and its solution that need no search: a baseline for the attributes of trees.
//!
//! A person who grades problems would count such things too: the length of the solution, its
//! checks, captures and quiet moves, the men on the board.

use cozy_chess::{Board, Color, Move, Piece, Square, get_king_moves};
use treegauge_human::exchange::{attackers, attacks, captured, exchange, gain, worth};

use crate::chess::position::{ChessMove, Position};

mod motifs;

use motifs::{Choice, MOTIFS, choices};

/// One or more numbers that follow from a position and its solution.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// Name, without a suffix such as `(own)`.
    pub name: &'static str,
    /// Description in words.
    pub meaning: &'static str,
    /// Whether it is one of the few facts that people use to grade problems without a computer.
    pub is_plain: bool,
    of: Of,
}

#[derive(Clone, Copy, Debug)]
enum Of {
    /// One value of the position.
    Position(fn(&Board) -> f64),
    /// Two values of the position: for the player to move and for the opponent.
    Sides(fn(&Board, Color) -> f64),
    /// One value of the opponent's last move; 0 if it is not known.
    Last(fn(&Step) -> f64),
    /// One value of the whole line.
    Line(fn(&[Step]) -> f64),
    /// Values of the player's first three moves, and the mean over all of the player's moves.
    Moves(fn(&Step) -> f64),
}

/// One move of the player in the solution, or the opponent's last move before it.
struct Step {
    before: Board,
    played: Move,
    after: Board,
    /// Legal moves instead of the move, which is one of them; empty for the opponent's last move.
    choices: Vec<Choice>,
    /// The opponent's answer; `None` after the last move.
    answer: Option<Move>,
    /// Position after the answer.
    answered: Option<Board>,
    /// Destination of the opponent's move before it; `None` if that move is not known.
    answer_to: Option<Square>,
    /// Whether that move captured.
    answer_captured: bool,
}

const fn position(name: &'static str, meaning: &'static str, of: fn(&Board) -> f64) -> Fact {
    Fact { name, meaning, is_plain: false, of: Of::Position(of) }
}

const fn sides(name: &'static str, meaning: &'static str, of: fn(&Board, Color) -> f64) -> Fact {
    Fact { name, meaning, is_plain: false, of: Of::Sides(of) }
}

const fn last(name: &'static str, meaning: &'static str, of: fn(&Step) -> f64) -> Fact {
    Fact { name, meaning, is_plain: false, of: Of::Last(of) }
}

const fn line(name: &'static str, meaning: &'static str, of: fn(&[Step]) -> f64) -> Fact {
    Fact { name, meaning, is_plain: false, of: Of::Line(of) }
}

const fn moves(name: &'static str, meaning: &'static str, of: fn(&Step) -> f64) -> Fact {
    Fact { name, meaning, is_plain: false, of: Of::Moves(of) }
}

const fn plain(fact: Fact) -> Fact {
    Fact { is_plain: true, ..fact }
}

/// Facts apart from those of [`MOTIFS`]. The value of a move that a shorter solution lacks is 0, and so
/// is the mean of no moves.
const FACTS: [Fact; 52] = [
    plain(line("SolutionMoves", "moves of the player in the solution", |line| line.len() as f64)),
    plain(line("Captures", "moves of the player that capture", |line| {
        count(line, Step::is_capture)
    })),
    plain(line("Checks", "moves of the player that check", |line| count(line, Step::is_check))),
    plain(line(
        "QuietMoves",
        "moves of the player that neither capture, check nor promote",
        |line| count(line, Step::is_quiet),
    )),
    plain(line("Promotions", "moves of the player that promote", |line| {
        count(line, |step| step.played.promotion.is_some())
    })),
    plain(line("EndsInMate", "1 if the solution ends with mate", |line| {
        line.last().map_or(0.0, |step| flag(step.is_mate()))
    })),
    plain(position("LegalMoves", "legal moves of the player", |board| legal_moves(board) as f64)),
    plain(position("InCheck", "1 if the player is in check", |board| {
        flag(!board.checkers().is_empty())
    })),
    plain(position("Men", "men on the board", |board| f64::from(board.occupied().len()))),
    plain(sides("Material", "pawn 1, knight and bishop 3, rook 5, queen 9", |board, side| {
        f64::from(material(board, side))
    })),
    sides("Pawns", "pawns", |board, side| men(board, side, Piece::Pawn)),
    sides("Knights", "knights", |board, side| men(board, side, Piece::Knight)),
    sides("Bishops", "bishops", |board, side| men(board, side, Piece::Bishop)),
    sides("Rooks", "rooks", |board, side| men(board, side, Piece::Rook)),
    sides("Queens", "queens", |board, side| men(board, side, Piece::Queen)),
    sides("KingRank", "ranks of the king from its own side of the board, from 0", |board, side| {
        board.king(side).relative_to(side).rank() as usize as f64
    }),
    sides("KingCentre", "files of the king from the edge, 0 to 3", |board, side| {
        let file = board.king(side).file() as usize;
        file.min(7 - file) as f64
    }),
    sides("KingPawns", "the side's own pawns beside its king", |board, side| {
        f64::from(
            (get_king_moves(board.king(side)) & board.colored_pieces(side, Piece::Pawn)).len(),
        )
    }),
    sides(
        "KingAttackers",
        "men of the other side that attack squares beside the king",
        |board, side| {
            let ring = get_king_moves(board.king(side));
            let attackers =
                board.colors(!side).iter().filter(|&man| !(attacks(board, man) & ring).is_empty());
            attackers.count() as f64
        },
    ),
    sides(
        "KingSquares",
        "squares that the king could step to, not looking at whose turn it is",
        |board, side| {
            let free = get_king_moves(board.king(side)) & !board.colors(side);
            free.iter().filter(|&square| attackers(board, square, !side).is_empty()).count() as f64
        },
    ),
    sides("Pinned", "men that cannot move freely since the king is behind them", |board, side| {
        if side == board.side_to_move() {
            f64::from((board.pinned() & board.colors(side)).len())
        } else {
            board
                .null_move()
                .map_or(0.0, |turned| f64::from((turned.pinned() & turned.colors(side)).len()))
        }
    }),
    sides(
        "Hanging",
        "the most that an exchange could win from the side, in pawns",
        |board, side| {
            let targets = board.colors(side) & !board.colored_pieces(side, Piece::King);
            let most = targets.iter().map(|square| exchange(board, square, !side)).max();
            f64::from(most.unwrap_or(0).max(0))
        },
    ),
    sides("Attacked", "men that the other side attacks", |board, side| {
        let own = board.colors(side).iter();
        own.filter(|&square| !attackers(board, square, !side).is_empty()).count() as f64
    }),
    sides("Undefended", "men but the king that no man of the side defends", |board, side| {
        let own = board.colors(side) & !board.colored_pieces(side, Piece::King);
        own.iter().filter(|&square| attackers(board, square, side).is_empty()).count() as f64
    }),
    sides(
        "Advanced",
        "the rank of the most advanced pawn from its own side, 0 to 6",
        |board, side| {
            let pawns = board.colored_pieces(side, Piece::Pawn).iter();
            pawns.map(|pawn| pawn.relative_to(side).rank() as usize).max().unwrap_or(0) as f64
        },
    ),
    position("CaptureMoves", "captures that the player could make", |board| {
        count_moves(board, |played| board.colors(!board.side_to_move()).has(played.to))
    }),
    position("CheckMoves", "checks that the player could give", |board| {
        count_moves(board, |played| !after(board, played).checkers().is_empty())
    }),
    position("WinningCaptures", "captures that win material by exchange", |board| {
        count_moves(board, |played| captured(board, played) > 0 && gain(board, played) > 0)
    }),
    position("MovesPlayed", "the move number", |board| f64::from(board.fullmove_number())),
    line("Repeats", "moves of the player by the piece that moved before", |line| {
        let pairs = line.windows(2);
        pairs.filter(|pair| pair[0].arrival() == pair[1].played.from).count() as f64
    }),
    line("PiecesUsed", "different pieces that the player moves", |line| {
        let mut squares: Vec<Square> = Vec::new();
        let mut pieces = 0;
        for step in line {
            match squares.iter_mut().find(|square| **square == step.played.from) {
                Some(square) => *square = step.arrival(),
                None => {
                    pieces += 1;
                    squares.push(step.arrival());
                }
            }
        }
        f64::from(pieces)
    }),
    line(
        "MaterialBefore",
        "the player's material less the opponent's before the last move, from the first on",
        |line| {
            let (Some(first), Some(last)) = (line.first(), line.last()) else { return 0.0 };
            balance(&last.before) - balance(&first.before)
        },
    ),
    line(
        "DeepestSacrifice",
        "the least balance of material on the way, against the first",
        |line| {
            let Some(first) = line.first() else { return 0.0 };
            let start = balance(&first.before);
            let balances = line
                .iter()
                .filter_map(|step| step.answered.as_ref())
                .map(|board| balance(board) - start);
            balances.fold(0.0, f64::min)
        },
    ),
    line("ForcedAnswers", "answers of the opponent that are its only legal moves", |line| {
        count(line, |step| step.answered.is_some() && legal_moves(&step.after) == 1)
    }),
    line("FirstQuiet", "which move of the player is the first quiet one; 0 if none is", |line| {
        line.iter().position(Step::is_quiet).map_or(0.0, |n| n as f64 + 1.0)
    }),
    moves("MovedValue", "the worth of the piece; of the king 0", |step| {
        f64::from(worth(step.piece()))
    }),
    moves("KingMove", "1 if the king moves", |step| flag(step.piece() == Piece::King)),
    moves("PawnMove", "1 if a pawn moves", |step| flag(step.piece() == Piece::Pawn)),
    moves("KnightMove", "1 if a knight moves", |step| flag(step.piece() == Piece::Knight)),
    moves("MoveDistance", "distance of the move, the greater of files and ranks", |step| {
        f64::from(Position::of(step.before.clone()).step(ChessMove::of(step.played)).distance)
    }),
    moves("Backward", "ranks that the piece goes back; negative if it goes forward", |step| {
        let side = step.before.side_to_move();
        let rank = |square: Square| square.relative_to(side).rank() as usize as f64;
        rank(step.played.from) - rank(step.arrival())
    }),
    moves("IsCheck", "1 if the move checks", |step| flag(step.is_check())),
    moves("IsQuiet", "1 if the move neither captures, checks nor promotes", |step| {
        flag(step.is_quiet())
    }),
    moves("CapturedValue", "value of the captured piece", |step| {
        f64::from(captured(&step.before, step.played))
    }),
    moves(
        "ExchangeGain",
        "what the move gains by the exchange on its square; less than 0 for a sacrifice",
        |step| f64::from(gain(&step.before, step.played)),
    ),
    moves("WasAttacked", "1 if the piece was attacked before the move", |step| {
        flag(!attackers(&step.before, step.played.from, !step.before.side_to_move()).is_empty())
    }),
    moves(
        "Recaptures",
        "1 if the move goes to the target square of the opponent's last move",
        |step| flag(step.answer_to == Some(step.played.to)),
    ),
    moves("ThreatAfter", "the most that the player could win next by one exchange", |step| {
        let side = step.before.side_to_move();
        let targets = step.after.colors(!side) & !step.after.colored_pieces(!side, Piece::King);
        let most = targets.iter().map(|square| exchange(&step.after, square, side)).max();
        f64::from(most.unwrap_or(0).max(0))
    }),
    moves("OwnChoices", "legal moves of the player", |step| legal_moves(&step.before) as f64),
    moves("OwnChecks", "checks that the player could give", |step| {
        count_moves(&step.before, |played| !after(&step.before, played).checkers().is_empty())
    }),
    moves("Answers", "legal answers of the opponent", |step| legal_moves(&step.after) as f64),
    moves("AnswerCaptures", "captures with which the opponent could answer", |step| {
        count_moves(&step.after, |played| captured(&step.after, played) > 0)
    }),
];

fn all_facts() -> impl Iterator<Item = &'static Fact> {
    FACTS.iter().chain(&MOTIFS)
}

/// Number of the player's moves that have values of their own.
const MOVES: usize = 3;

/// Names of all values, each with its fact: `Pawns(own)`, `Pawns(other)`, `IsCheck(1)`, ...,
/// `IsCheck(mean)`.
pub fn fact_names() -> impl Iterator<Item = (String, &'static Fact)> {
    all_facts().flat_map(|fact| {
        let parts: &[&str] = match fact.of {
            Of::Position(_) | Of::Last(_) | Of::Line(_) => &[""],
            Of::Sides(_) => &["(own)", "(other)"],
            Of::Moves(_) => &["(1)", "(2)", "(3)", "(mean)"],
        };
        parts.iter().map(move |part| (format!("{}{part}", fact.name), fact))
    })
}

impl Fact {
    /// Tests whether the fact needs the solution as well as the position.
    #[must_use]
    pub fn needs_solution(&self) -> bool {
        matches!(self.of, Of::Line(_) | Of::Moves(_))
    }
}

/// Values of all facts of a problem and its solution, in the order of [`fact_names`]. `before` is the
/// position before the opponent's last move, with this move, if it is known.
///
/// # Panics
///
/// When a move of the solution is not legal where it is played.
#[must_use]
pub fn facts(
    problem: &Position,
    before: Option<&(Position, ChessMove)>,
    solution: &[ChessMove],
) -> Vec<f64> {
    let board = problem.board();
    let side = board.side_to_move();
    let last = before.map(|(before, played)| {
        let (before, played) = (before.board().clone(), played.played());
        Step {
            after: after(&before, played),
            before,
            played,
            choices: Vec::new(),
            answer: None,
            answered: None,
            answer_to: None,
            answer_captured: false,
        }
    });
    let line = steps(board, last.as_ref(), solution);
    let mut all = Vec::new();
    for fact in all_facts() {
        match fact.of {
            Of::Position(of) => all.push(of(board)),
            Of::Last(of) => all.push(last.as_ref().map_or(0.0, of)),
            Of::Sides(of) => all.extend([of(board, side), of(board, !side)]),
            Of::Line(of) => all.push(of(&line)),
            Of::Moves(of) => {
                let values: Vec<f64> = line.iter().map(of).collect();
                all.extend((0..MOVES).map(|n| values.get(n).copied().unwrap_or(0.0)));
                all.push(values.iter().sum::<f64>() / values.len().max(1) as f64);
            }
        }
    }
    all
}

/// The player's moves of a line, each with the positions before and after it.
fn steps(problem: &Board, last: Option<&Step>, solution: &[ChessMove]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut before = problem.clone();
    let mut answer_to = last.map(Step::arrival);
    let mut answer_captured = last.is_some_and(Step::is_capture);
    for pair in solution.chunks(2) {
        let played = pair[0].played();
        let after_move = after(&before, played);
        let answer = pair.get(1).map(|answer| answer.played());
        let answered = answer.map(|answer| after(&after_move, answer));
        let next = answered.clone();
        let next_captured = answer.is_some_and(|answer| captured(&after_move, answer) > 0);
        steps.push(Step {
            choices: choices(&before),
            before,
            played,
            after: after_move,
            answer,
            answered,
            answer_to,
            answer_captured,
        });
        answer_to = answer.map(|answer| answer.to);
        answer_captured = next_captured;
        let Some(next) = next else { break };
        before = next;
    }
    steps
}

impl Step {
    fn piece(&self) -> Piece {
        self.before.piece_on(self.played.from).expect("a piece moves")
    }

    fn is_capture(&self) -> bool {
        captured(&self.before, self.played) > 0
    }

    fn is_check(&self) -> bool {
        !self.after.checkers().is_empty()
    }

    fn is_mate(&self) -> bool {
        self.is_check() && legal_moves(&self.after) == 0
    }

    fn is_quiet(&self) -> bool {
        !self.is_capture() && !self.is_check() && self.played.promotion.is_none()
    }

    /// Square of the piece after the move; after castling, that of the king.
    fn arrival(&self) -> Square {
        self.after
            .colored_pieces(self.before.side_to_move(), Piece::King)
            .iter()
            .find(|_| self.piece() == Piece::King)
            .unwrap_or(self.played.to)
    }
}

fn flag(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

fn count(line: &[Step], is_counted: impl Fn(&Step) -> bool) -> f64 {
    line.iter().filter(|step| is_counted(step)).count() as f64
}

fn men(board: &Board, side: Color, piece: Piece) -> f64 {
    f64::from(board.colored_pieces(side, piece).len())
}

fn material(board: &Board, side: Color) -> u32 {
    Piece::ALL.iter().map(|&piece| worth(piece) * board.colored_pieces(side, piece).len()).sum()
}

/// Material of the side to move less that of the opponent, in pawns.
fn balance(board: &Board) -> f64 {
    let side = board.side_to_move();
    f64::from(material(board, side)) - f64::from(material(board, !side))
}

fn all_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

fn legal_moves(board: &Board) -> usize {
    all_moves(board).len()
}

fn count_moves(board: &Board, is_counted: impl Fn(Move) -> bool) -> f64 {
    all_moves(board).into_iter().filter(|&played| is_counted(played)).count() as f64
}

fn after(board: &Board, played: Move) -> Board {
    let mut board = board.clone();
    board.play(played);
    board
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::chess::puzzle::Puzzles;

    const PUZZLES: &str = include_str!("../../../../testdata/lichess_puzzles.csv");

    fn puzzles() -> Vec<(Position, Vec<ChessMove>)> {
        let all = Puzzles::open(PUZZLES.as_bytes()).unwrap();
        all.map(Result::unwrap).map(|one| (one.position, one.solution)).collect()
    }

    fn named(problem: &Position, solution: &[ChessMove]) -> impl Fn(&str) -> f64 + use<> {
        let names: Vec<String> = fact_names().map(|(name, _)| name).collect();
        let values = facts(problem, None, solution);
        assert_eq!(names.len(), values.len());
        move |name| values[names.iter().position(|one| one == name).unwrap()]
    }

    fn of(fen: &str, line: &str) -> impl Fn(&str) -> f64 + use<> {
        let problem = Position::parse(fen).unwrap();
        let mut at = problem.clone();
        let mut solution = Vec::new();
        for san in line.split_whitespace() {
            let played = at.parse_move(san).unwrap();
            solution.push(played);
            at = at.after(played);
        }
        named(&problem, &solution)
    }

    #[test]
    fn names_are_different_and_eleven_facts_are_plain() {
        let names: Vec<String> = fact_names().map(|(name, _)| name).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        assert_eq!(fact_names().filter(|(_, fact)| fact.is_plain).count(), 11);
    }

    #[test]
    fn a_smothered_mate_is_a_sacrifice_with_checks_only() {
        let fact = of("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", "Qg8+ Rxg8 Nf7#");
        assert_eq!((fact("SolutionMoves"), fact("Checks"), fact("Captures")), (2.0, 2.0, 0.0));
        assert_eq!((fact("EndsInMate"), fact("QuietMoves"), fact("FirstQuiet")), (1.0, 0.0, 0.0));
        // The rook takes the queen, the knight takes the rook, the king takes the knight: -9 + 5 -
        // 3.
        assert_eq!(fact("ExchangeGain(1)"), -7.0);
        assert_eq!((fact("DeepestSacrifice"), fact("PiecesUsed")), (-9.0, 2.0));
        assert_eq!(
            (fact("MovedValue(1)"), fact("KnightMove(2)"), fact("Answers(2)")),
            (9.0, 1.0, 0.0)
        );
        assert_eq!((fact("ForcedAnswers"), fact("MoveDistance(1)")), (1.0, 5.0));
    }

    #[test]
    fn quiet_moves_castling_and_captures_in_passing_are_what_they_are() {
        let castling = of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O Ke7 Rf2");
        assert_eq!((castling("QuietMoves"), castling("FirstQuiet")), (2.0, 1.0));
        assert_eq!((castling("KingMove(1)"), castling("MoveDistance(1)")), (1.0, 2.0));
        assert_eq!((castling("ExchangeGain(1)"), castling("Captures")), (0.0, 0.0));
        let passing = of("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6");
        assert_eq!((passing("CapturedValue(1)"), passing("Captures")), (1.0, 1.0));
        let promotion = of("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q");
        assert_eq!((promotion("Promotions"), promotion("QuietMoves")), (1.0, 0.0));
        assert_eq!(promotion("ExchangeGain(1)"), 8.0);
    }

    /// Problem with White and Black exchanged and the board upside down.
    fn mirrored(problem: &Position, solution: &[ChessMove]) -> (Position, Vec<ChessMove>) {
        let fen = problem.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            let swapped = |c: char| match c {
                c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
                c => c.to_ascii_uppercase(),
            };
            text.chars().map(swapped).collect()
        };
        let board: Vec<String> = fields[0].rsplit('/').map(swap).collect();
        let turn = if fields[1] == "w" { "b" } else { "w" };
        let passing = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
        let castling = match fields[2] {
            "-" => "-".to_owned(),
            some => {
                let swapped = swap(some);
                "KQkq".chars().filter(|&c| swapped.contains(c)).collect()
            }
        };
        let text =
            format!("{} {turn} {castling} {passing} {} {}", board.join("/"), fields[4], fields[5]);
        let problem_there = Position::parse(&text).unwrap();
        let flip = |text: &str| -> String {
            let flipped = |c: char| match c.to_digit(10) {
                Some(rank) => char::from_digit(9 - rank, 10).unwrap(),
                None => c,
            };
            text.chars().map(flipped).collect()
        };
        let (mut at, mut there) = (problem.clone(), problem_there.clone());
        let mut line = Vec::new();
        for &played in solution {
            let same = there.parse_move(&flip(&at.uci(played))).unwrap();
            (at, there) = (at.after(played), there.after(same));
            line.push(same);
        }
        (problem_there, line)
    }

    #[test]
    fn facts_do_not_depend_on_the_colour_of_the_player() {
        let all = puzzles();
        assert!(all.len() >= 30);
        for (problem, solution) in all {
            let (there, line) = mirrored(&problem, &solution);
            assert_eq!(facts(&problem, None, &solution), facts(&there, None, &line), "{problem:?}");
        }
    }
}
