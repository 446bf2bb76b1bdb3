//! Facts about motifs: forks, pins, discovered attacks and others, the alternatives of the player, and
//! the opponent's last move.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_rook_moves,
};
use treegauge_human::exchange::{attackers, attacks, captured, exchange, gain, worth};

use super::{Fact, Step, after, all_moves, flag, last, line, moves, sides};

/// Worth of a king where it is compared with other men: more than of a queen.
const KING: u32 = 10;

/// Facts about motifs, in the order of their values.
pub(super) const MOTIFS: [Fact; 43] = [
    last("LastPiece", "the worth of the piece that the opponent moved last", |last| {
        f64::from(worth(last.piece()))
    }),
    last("LastCaptured", "value of the man that the opponent's last move captured", |last| {
        f64::from(captured(&last.before, last.played))
    }),
    last(
        "LastGain",
        "what the opponent's last move gained by the exchange on its square; less than 0 if it lost",
        |last| f64::from(gain(&last.before, last.played)),
    ),
    last(
        "LastFled",
        "the most that an exchange could win on the square that the opponent's last move left",
        |last| f64::from(exchange_by_other(&last.before, last.played.from)),
    ),
    last(
        "LastLeft",
        "the most that an exchange could win from the opponent before its last move",
        |last| hanging(&last.before, last.before.side_to_move()),
    ),
    last(
        "LastAttack",
        "the greatest worth of the men that the opponent's last move attacks",
        |last| f64::from(newly_attacked(last)),
    ),
    line(
        "Attractions",
        "answers by which the king captures the piece that has just moved",
        |line| captures_back(line, true),
    ),
    line(
        "Deflections",
        "answers by which another man captures the piece that has just moved",
        |line| captures_back(line, false),
    ),
    line("AnswersCapturing", "answers that capture", |line| {
        answers(line, |step, answer| captured(&step.after, answer) > 0)
    }),
    line("AnswersByKing", "answers by the king", |line| {
        answers(line, |step, answer| step.after.piece_on(answer.from) == Some(Piece::King))
    }),
    line("AnswersChecking", "answers that check", |line| {
        answers(line, |step, answer| !after(&step.after, answer).checkers().is_empty())
    }),
    line(
        "SmotheredMate",
        "1 if it ends with a mate by a knight in which the king has no free square",
        |line| line.last().map_or(0.0, |step| flag(is_smothered(step))),
    ),
    line(
        "BackRankMate",
        "1 if it ends with a mate by a rook or queen along the king's first rank",
        |line| line.last().map_or(0.0, |step| flag(is_on_back_rank(step))),
    ),
    line(
        "Underpromotions",
        "moves of the player that promote to another piece than a queen",
        |line| {
            super::count(line, |step| {
                step.played.promotion.is_some_and(|made| made != Piece::Queen)
            })
        },
    ),
    line(
        "TotalGain",
        "the player's material less the opponent's after the solution, from its beginning on",
        |line| {
            let (Some(first), Some(last)) = (line.first(), line.last()) else { return 0.0 };
            -super::balance(&last.after) - super::balance(&first.before)
        },
    ),
    line(
        "RefusedRecapture",
        "1 if the first move does not recapture, and a recapture would lose nothing",
        |line| line.first().map_or(0.0, |step| flag(refuses_recapture(step))),
    ),
    sides(
        "Trapped",
        "pieces that an exchange would win and that have no safe square",
        |board, side| f64::from(trapped(board, side)),
    ),
    sides("SeventhRank", "pawns on their seventh rank", |board, side| {
        let is_there = |pawn: &Square| pawn.relative_to(side).rank() as usize == 6;
        board.colored_pieces(side, Piece::Pawn).iter().filter(is_there).count() as f64
    }),
    sides(
        "Flights",
        "squares beside the king that a man of the other side attacks",
        |board, side| {
            let ring = get_king_moves(board.king(side)).iter();
            ring.filter(|&square| !attackers(board, square, !side).is_empty()).count() as f64
        },
    ),
    moves(
        "LastDistance",
        "distance of the square that the piece reaches from that of the opponent's last move",
        |step| f64::from(step.answer_to.map_or(0, |last| distance(step.arrival(), last))),
    ),
    moves("GainRank", "legal moves that gain more by exchange than the move", |step| {
        step.choices.iter().filter(|one| one.gain > step.own().gain).count() as f64
    }),
    moves(
        "BetterGain",
        "the most that another move gains by exchange, less what the move gains",
        |step| f64::from(step.most(|one| one.gain) - step.own().gain),
    ),
    moves(
        "NetRank",
        "legal moves that gain more by exchange than the move, less what they let the opponent win elsewhere",
        |step| step.choices.iter().filter(|one| one.net > step.own().net).count() as f64,
    ),
    moves(
        "BetterNet",
        "the most that another move gains by exchange, less what it lets the opponent win elsewhere and less the same of the move",
        |step| f64::from(step.most(|one| one.net) - step.own().net),
    ),
    moves(
        "LeftElsewhere",
        "the most that the opponent could win elsewhere by an exchange after the move",
        |step| f64::from(step.own().gain - step.own().net),
    ),
    moves("SafeChecks", "checks that lose nothing by exchange", |step| {
        step.choices.iter().filter(|one| one.is_check && one.gain >= 0).count() as f64
    }),
    moves("GainingMoves", "moves that gain by exchange", |step| {
        step.choices.iter().filter(|one| one.gain > 0).count() as f64
    }),
    moves("BetterCaptures", "other captures of men worth more than the captured one", |step| {
        let own = captured(&step.before, step.played);
        step.choices.iter().filter(|one| captured(&step.before, one.played) > own).count() as f64
    }),
    moves("SamePiece", "legal moves of the piece", |step| {
        step.choices.iter().filter(|one| one.played.from == step.played.from).count() as f64
    }),
    moves("SameTarget", "legal moves to the same square", |step| {
        step.choices.iter().filter(|one| one.played.to == step.played.to).count() as f64
    }),
    moves(
        "TargetAttackers",
        "men of the opponent that attack the square that the piece reaches",
        |step| f64::from(attackers(&step.after, step.arrival(), !step.side()).len()),
    ),
    moves(
        "TargetDefenders",
        "other men of the player that attack the square that the piece reaches",
        |step| f64::from(attackers(&step.after, step.arrival(), step.side()).len()),
    ),
    moves(
        "PawnAttacks",
        "1 if a pawn of the opponent attacks the square that the piece reaches",
        |step| {
            let by = attackers(&step.after, step.arrival(), !step.side());
            flag(!(by & step.after.pieces(Piece::Pawn)).is_empty())
        },
    ),
    moves(
        "KingDistance",
        "distance of the square that the piece reaches from the opponent's king",
        |step| f64::from(distance(step.arrival(), step.after.king(!step.side()))),
    ),
    moves(
        "Forked",
        "men that the piece attacks and that are undefended, worth more than it, or the king",
        |step| f64::from(forked(step)),
    ),
    moves("NewTarget", "the greatest worth of the men that the piece newly attacks", |step| {
        f64::from(newly_attacked(step))
    }),
    moves(
        "Discovered",
        "rooks, queens and the king that other pieces of the player newly attack",
        |step| f64::from(discovered(step)),
    ),
    moves("DoubleCheck", "1 if the move checks twice", |step| {
        flag(step.after.checkers().len() > 1)
    }),
    moves(
        "NewPins",
        "men of the opponent that are pinned after the move, less those that were before it",
        |step| {
            f64::from(pinned(&step.after, !step.side()))
                - f64::from(pinned(&step.before, !step.side()))
        },
    ),
    moves(
        "Skewered",
        "men of the opponent behind a rook, queen or king that the piece attacks",
        |step| f64::from(skewered(&step.after, step.arrival())),
    ),
    moves(
        "NewTraps",
        "pieces of the opponent that are trapped after the move, less those that were before it",
        |step| {
            f64::from(trapped(&step.after, !step.side()))
                - f64::from(trapped(&step.before, !step.side()))
        },
    ),
    moves(
        "NewSquares",
        "squares that the piece attacks after the move, less those that it attacked before",
        |step| {
            let reach = |board: &Board, square| f64::from(attacks(board, square).len());
            reach(&step.after, step.arrival()) - reach(&step.before, step.played.from)
        },
    ),
    moves(
        "KingEscapes",
        "squares to which the opponent's king could step after the move",
        |step| {
            let mut count = 0;
            step.after.generate_moves_for(step.after.pieces(Piece::King), |moves| {
                count += moves.len();
                false
            });
            count as f64
        },
    ),
];

/// Legal move of a position with what it gains.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) played: Move,
    /// Gain by exchange on the square that it reaches, in pawns.
    gain: i32,
    /// The gain less the most that the opponent could win elsewhere.
    net: i32,
    is_check: bool,
}

/// All legal moves of a position.
pub(super) fn choices(board: &Board) -> Vec<Choice> {
    let side = board.side_to_move();
    let choice = |played: Move| {
        let there = after(board, played);
        let gain = gain(board, played);
        let others = there.colors(side) & !there.pieces(Piece::King) & !played.to.bitboard();
        let most = others.iter().map(|square| exchange(&there, square, !side)).max();
        let net = gain - most.unwrap_or(0);
        Choice { played, gain, net, is_check: !there.checkers().is_empty() }
    };
    all_moves(board).into_iter().map(choice).collect()
}

impl Step {
    fn side(&self) -> Color {
        self.before.side_to_move()
    }

    fn own(&self) -> Choice {
        let own = self.choices.iter().find(|one| one.played == self.played);
        *own.expect("a move of a solution is legal")
    }

    /// Greatest value among the other moves; that of the move itself if there is no other.
    fn most(&self, of: impl Fn(&Choice) -> i32) -> i32 {
        let others = self.choices.iter().filter(|one| one.played != self.played);
        others.map(&of).max().unwrap_or_else(|| of(&self.own()))
    }
}

/// The most that an exchange could win from a side, in pawns.
fn hanging(board: &Board, side: Color) -> f64 {
    let targets = board.colors(side) & !board.colored_pieces(side, Piece::King);
    f64::from(targets.iter().map(|square| exchange(board, square, !side)).max().unwrap_or(0))
}

/// Gain of the side that is not to move by an exchange on a square.
fn exchange_by_other(board: &Board, square: Square) -> i32 {
    if board.piece_on(square) == Some(Piece::King) {
        return 0;
    }
    exchange(board, square, !board.side_to_move())
}

fn distance(a: Square, b: Square) -> u32 {
    let files = (a.file() as u32).abs_diff(b.file() as u32);
    files.max((a.rank() as u32).abs_diff(b.rank() as u32))
}

/// Answers of the opponent in a line that a test accepts.
fn answers(line: &[Step], is_counted: impl Fn(&Step, Move) -> bool) -> f64 {
    line.iter().filter(|step| step.answer.is_some_and(|answer| is_counted(step, answer))).count()
        as f64
}

/// Answers that capture the piece that has just moved, by the king or by another man.
fn captures_back(line: &[Step], by_king: bool) -> f64 {
    answers(line, |step, answer| {
        let is_king = step.after.piece_on(answer.from) == Some(Piece::King);
        answer.to == step.arrival() && is_king == by_king
    })
}

fn is_smothered(step: &Step) -> bool {
    let king = step.after.king(!step.side());
    let is_own = get_king_moves(king).is_subset(step.after.colors(!step.side()));
    step.is_mate() && step.piece() == Piece::Knight && is_own
}

fn is_on_back_rank(step: &Step) -> bool {
    let king = step.after.king(!step.side());
    let is_first = king.relative_to(!step.side()).rank() as usize == 0;
    let heavy = step.after.pieces(Piece::Rook) | step.after.pieces(Piece::Queen);
    let along = (step.after.checkers() & heavy).iter().any(|by| by.rank() == king.rank());
    step.is_mate() && is_first && along
}

/// Tests whether a move leaves a recapture on the square of the opponent's last move that would lose
/// nothing.
fn refuses_recapture(step: &Step) -> bool {
    let Some(square) = step.answer_to.filter(|_| step.answer_captured) else { return false };
    let could = |one: &Choice| one.played.to == square && one.gain >= 0;
    step.played.to != square && step.choices.iter().any(could)
}

/// Worth of a man, with the king above all others.
fn worth_with_king(piece: Piece) -> u32 {
    if piece == Piece::King { KING } else { worth(piece) }
}

/// Men that the moved piece attacks and that are undefended, worth more than it, or the king.
fn forked(step: &Step) -> u32 {
    let board = &step.after;
    let own = board.piece_on(step.arrival()).map_or(0, worth_with_king);
    let targets = attacks(board, step.arrival()) & board.colors(!step.side());
    let is_target = |square: &Square| {
        let worth = board.piece_on(*square).map_or(0, worth_with_king);
        worth > own || worth == KING || attackers(board, *square, !step.side()).is_empty()
    };
    targets.iter().filter(is_target).count() as u32
}

/// Greatest worth of the men that the moved piece attacks now and did not before.
fn newly_attacked(step: &Step) -> u32 {
    let new = attacks(&step.after, step.arrival()) & !attacks(&step.before, step.played.from);
    let targets = (new & step.after.colors(!step.side())).iter();
    targets.filter_map(|square| step.after.piece_on(square)).map(worth_with_king).max().unwrap_or(0)
}

/// Rooks, queens and kings of the opponent that other bishops, rooks and queens newly attack.
fn discovered(step: &Step) -> u32 {
    let (board, side) = (&step.after, step.side());
    let sliders =
        board.pieces(Piece::Bishop) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let valued = board.pieces(Piece::Rook) | board.pieces(Piece::Queen) | board.pieces(Piece::King);
    let is_new = |square: &Square| {
        let new = attackers(board, *square, side) & !attackers(&step.before, *square, side);
        !(new & sliders & !step.arrival().bitboard()).is_empty()
    };
    (valued & board.colors(!side)).iter().filter(is_new).count() as u32
}

/// Men of a side that cannot move freely since its king is behind them.
fn pinned(board: &Board, side: Color) -> u32 {
    let king = board.king(side);
    let of = |piece| board.colored_pieces(!side, piece);
    let queens = of(Piece::Queen);
    let empty = BitBoard::EMPTY;
    let snipers = (get_bishop_moves(king, empty) & (of(Piece::Bishop) | queens))
        | (get_rook_moves(king, empty) & (of(Piece::Rook) | queens));
    let is_pin = |sniper: &Square| {
        let between = get_between_rays(king, *sniper) & board.occupied();
        between.len() == 1 && !(between & board.colors(side)).is_empty()
    };
    snipers.iter().filter(is_pin).count() as u32
}

/// Men behind a rook, queen or king that the man on a square attacks along the same line; the man in
/// front is worth at least as much.
fn skewered(board: &Board, man: Square) -> u32 {
    let (Some(piece), Some(side)) = (board.piece_on(man), board.color_on(man)) else { return 0 };
    let reach = |occupied: BitBoard| match piece {
        Piece::Bishop => get_bishop_moves(man, occupied),
        Piece::Rook => get_rook_moves(man, occupied),
        Piece::Queen => get_bishop_moves(man, occupied) | get_rook_moves(man, occupied),
        _ => BitBoard::EMPTY,
    };
    let theirs = board.colors(!side);
    let seen = reach(board.occupied());
    let is_skewer = |front: &Square| {
        let first = board.piece_on(*front).map_or(0, worth_with_king);
        let behind = reach(board.occupied() & !front.bitboard()) & !seen & theirs;
        let mut behind = behind.iter().filter_map(|square| board.piece_on(square));
        first >= 5 && behind.any(|other| (3..=first).contains(&worth_with_king(other)))
    };
    (seen & theirs).iter().filter(is_skewer).count() as u32
}

/// Pieces of a side, without pawns and the king, that an exchange would win and that have no safe
/// square to go to. Pins are ignored.
fn trapped(board: &Board, side: Color) -> u32 {
    let men = board.colors(side) & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King);
    let is_trapped = |square: &Square| {
        let Some(piece) = board.piece_on(*square) else { return false };
        if exchange(board, *square, !side) == 0 {
            return false;
        }
        let targets = attacks(board, *square) & !board.colors(side);
        !targets.iter().any(|target| {
            let takes = board.piece_on(target).map_or(0, worth);
            let hunters = attackers(board, target, !side).iter();
            let least = hunters.filter_map(|by| board.piece_on(by)).map(worth_with_king).min();
            let guards = attackers(board, target, side) & !square.bitboard();
            let is_safe = |least| least >= worth(piece) && !guards.is_empty();
            takes >= worth(piece) || least.is_none_or(is_safe)
        })
    };
    men.iter().filter(is_trapped).count() as u32
}

#[cfg(test)]
mod tests {
    use crate::chess::facts::{fact_names, facts};
    use crate::chess::position::{ChessMove, Position};

    /// Values of the facts of a position and a line, by name. `last` is the opponent's last move if the
    /// position is the one before it.
    fn of(fen: &str, last: Option<&str>, line: &str) -> impl Fn(&str) -> f64 {
        let start = Position::parse(fen).unwrap();
        let last = last.map(|text| start.parse_move(text).unwrap());
        let problem = last.map_or(start.clone(), |played| start.after(played));
        let mut at = problem.clone();
        let mut solution: Vec<ChessMove> = Vec::new();
        for san in line.split_whitespace() {
            solution.push(at.parse_move(san).unwrap());
            at = at.after(*solution.last().unwrap());
        }
        let before = last.map(|played| (start, played));
        let values = facts(&problem, before.as_ref(), &solution);
        move |name| {
            let mut names = fact_names().map(|(name, _)| name);
            values[names.position(|one| one == name).unwrap_or_else(|| panic!("{name}"))]
        }
    }

    #[test]
    fn motifs_of_single_moves_are_found() {
        let fork = of("q3k3/2p5/8/1N6/8/8/8/4K3 w - - 0 1", None, "Nxc7+");
        assert_eq!((fork("Forked(1)"), fork("NewTarget(1)")), (2.0, 10.0));
        assert_eq!((fork("KingDistance(1)"), fork("TargetAttackers(1)")), (2.0, 0.0));
        let skewer = of("8/8/8/q2k4/8/8/8/1K5R w - - 0 1", None, "Rh5+");
        assert_eq!((skewer("Skewered(1)"), skewer("Discovered(1)")), (1.0, 0.0));
        let discovery = of("3q2k1/8/8/8/8/3B4/8/3R2K1 w - - 0 1", None, "Bh7+");
        assert_eq!((discovery("Discovered(1)"), discovery("DoubleCheck(1)")), (1.0, 0.0));
        let double = of("4k3/8/8/8/8/4N3/8/K3R3 w - - 0 1", None, "Nd5+");
        assert_eq!((double("Discovered(1)"), double("DoubleCheck(1)")), (1.0, 0.0));
        let double = of("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", None, "Nf6+");
        assert_eq!(double("DoubleCheck(1)"), 1.0);
        let pin = of("4k3/8/8/4n3/8/8/8/K2R4 w - - 0 1", None, "Re1");
        assert_eq!((pin("NewPins(1)"), pin("NewTarget(1)")), (1.0, 3.0));
        // The bishop has taken a pawn and cannot come back: the rook attacks it, the pawn shuts it in.
        let trap = of("r5k1/B2p1ppp/8/8/8/8/1P3PPP/6K1 b - - 0 1", None, "d6");
        assert_eq!((trap("Trapped(other)"), trap("NewTraps(1)")), (0.0, 0.0));
        let trap = of("r5k1/B4ppp/8/8/8/8/1P3PPP/6K1 w - - 0 1", None, "h3");
        assert_eq!(trap("Trapped(own)"), 0.0, "it goes away along the diagonal");
        let trap = of("r5k1/B4ppp/1p6/8/8/8/1P3PPP/6K1 w - - 0 1", None, "h3");
        assert_eq!(trap("Trapped(own)"), 0.0, "it may take the pawn and be worth three");
    }

    #[test]
    fn mates_have_their_names() {
        let smothered = of("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", None, "Qg8+ Rxg8 Nf7#");
        assert_eq!((smothered("SmotheredMate"), smothered("BackRankMate")), (1.0, 0.0));
        assert_eq!((smothered("Deflections"), smothered("Attractions")), (1.0, 0.0));
        assert_eq!((smothered("AnswersCapturing"), smothered("TotalGain")), (1.0, -9.0));
        let back = of("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", None, "Rd8#");
        assert_eq!((back("BackRankMate"), back("SmotheredMate")), (1.0, 0.0));
        assert_eq!(back("KingEscapes(1)"), 0.0);
    }

    #[test]
    fn alternatives_are_compared_by_what_they_gain() {
        // The rook may take a pawn; taking the queen gains more.
        let take = of("6k1/3q4/8/8/8/8/p7/R2R2K1 w - - 0 1", None, "Rxd7");
        assert_eq!((take("GainRank(1)"), take("BetterGain(1)")), (0.0, 1.0 - 9.0));
        assert_eq!((take("GainingMoves(1)"), take("BetterCaptures(1)")), (2.0, 0.0));
        let pawn = of("6k1/3q4/8/8/8/8/p7/R2R2K1 w - - 0 1", None, "Rxa2");
        assert_eq!((pawn("GainRank(1)"), pawn("BetterGain(1)")), (1.0, 8.0));
        // The other rook is lost then, so that ten moves are better.
        assert_eq!((pawn("SameTarget(1)"), pawn("LeftElsewhere(1)")), (1.0, 5.0));
        assert_eq!((pawn("NetRank(1)"), pawn("BetterNet(1)")), (10.0, 13.0));
    }

    #[test]
    fn the_last_move_counts_if_it_is_known() {
        // Black has taken on d5; White may recapture.
        let fen = "rnbqkb1r/ppp1pppp/5n2/3P4/8/8/PPP2PPP/RNBQKBNR b KQkq - 0 1";
        let known = of(fen, Some("Nxd5"), "c4");
        assert_eq!((known("LastPiece"), known("LastCaptured"), known("LastGain")), (3.0, 1.0, 1.0));
        assert_eq!((known("Recaptures(1)"), known("RefusedRecapture")), (0.0, 0.0));
        assert_eq!(known("LastDistance(1)"), 1.0);
        let fen = "r2qkb1r/ppp1pppp/2n5/3p4/4P1b1/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 0 1";
        let taken = of(fen, Some("Bxf3"), "Qxf3");
        assert_eq!((taken("Recaptures(1)"), taken("RefusedRecapture")), (1.0, 0.0));
        let refused = of(fen, Some("Bxf3"), "exd5");
        assert_eq!((refused("Recaptures(1)"), refused("RefusedRecapture")), (0.0, 1.0));
        let at = Position::parse(fen).unwrap();
        let after = at.after(at.parse_move("Bxf3").unwrap()).fen();
        let unknown = of(&after, None, "Qxf3");
        assert_eq!((unknown("LastPiece"), unknown("Recaptures(1)")), (0.0, 0.0));
    }
}
