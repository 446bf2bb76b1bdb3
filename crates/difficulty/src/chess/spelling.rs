//! Moves as people and engines spell them.
//!
//! A text names a move by some of its parts: the piece, the square that it leaves or a part of
//! that, the square that it reaches, the piece that a pawn becomes. The text means the legal move
//! that has these parts, so one parser reads every usual spelling: `Nf3`, `Ng1f3`, `Ng1-f3`,
//! `g1f3`, `exd6e.p.`, `a8=Q+`, `a8q`, `O-O`, `0-0`, `Qxf7#!`.

use cozy_chess::{Board, File, Move, Piece, Rank, Square};

/// Parts of a move that a text states.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Parts {
    piece: Option<Piece>,
    from: (Option<File>, Option<Rank>),
    to: Option<Square>,
    promotion: Option<Piece>,
    /// Whether castling is short; `None` if the move is not castling.
    short: Option<bool>,
}

/// Legal moves that a text may mean: empty if it does not name a legal move, several if it is
/// ambiguous.
pub(crate) fn meant(board: &Board, text: &str) -> Vec<Move> {
    let Some(parts) = Parts::read(text) else { return Vec::new() };
    let mut found = Vec::new();
    board.generate_moves(|of_piece| {
        found.extend(of_piece.into_iter().filter(|played| parts.fit(board, *played)));
        false
    });
    found
}

/// Destination of a king that castles; `None` for any other move. cozy-chess encodes castling as a
/// king that takes its own rook.
pub(crate) fn castled(board: &Board, played: Move) -> Option<Square> {
    let castles = board.color_on(played.to) == Some(board.side_to_move());
    let file = if played.to.file() > played.from.file() { File::G } else { File::C };
    castles.then(|| Square::new(file, played.from.rank()))
}

/// Tests whether a word may be a move: it has the form of one, or contains a letter and a digit
/// like a square.
pub(crate) fn may_be_move(word: &str) -> bool {
    let names_square = |pair: &[u8]| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit();
    Parts::read(word).is_some() || word.as_bytes().windows(2).any(names_square)
}

impl Parts {
    fn read(text: &str) -> Option<Parts> {
        let text = text.trim_end_matches(['+', '#', '!', '?', ',']);
        let text = text.strip_suffix("e.p.").or(text.strip_suffix("ep")).unwrap_or(text);
        match text.replace(['0', 'o'], "O").as_str() {
            "O-O" => return Some(Parts { short: Some(true), ..Parts::default() }),
            "O-O-O" => return Some(Parts { short: Some(false), ..Parts::default() }),
            _ => {}
        }
        let mut letters: Vec<char> = text.chars().filter(|c| !"x-:=()".contains(*c)).collect();
        let mut parts = Parts::default();
        if letters.first().is_some_and(|letter| "KQRBNP".contains(*letter)) {
            parts.piece = piece(letters.remove(0));
        }
        if letters.len() > 2
            && let Some(promotion) = letters.last().copied().and_then(piece)
        {
            letters.pop();
            parts.promotion = Some(promotion);
        }
        let rank = letters.pop().and_then(|letter| Rank::try_from(letter).ok())?;
        let file = letters.pop().and_then(|letter| File::try_from(letter).ok())?;
        parts.to = Some(Square::new(file, rank));
        parts.from = match letters[..] {
            [] => (None, None),
            [one] => match (File::try_from(one), Rank::try_from(one)) {
                (Ok(file), _) => (Some(file), None),
                (_, rank) => (None, Some(rank.ok()?)),
            },
            [file, rank] => (Some(File::try_from(file).ok()?), Some(Rank::try_from(rank).ok()?)),
            _ => return None,
        };
        // Without a letter of a piece, only a full origin square can mean a piece other than a
        // pawn.
        if parts.piece.is_none() && (parts.from.0.is_none() || parts.from.1.is_none()) {
            parts.piece = Some(Piece::Pawn);
        }
        Some(parts)
    }

    fn fit(&self, board: &Board, played: Move) -> bool {
        let castled = castled(board, played);
        if let Some(short) = self.short {
            return castled.is_some_and(|king| (king.file() == File::G) == short);
        }
        let Move { from, to, promotion } = played;
        let is_from = self.from.0.is_none_or(|file| file == from.file())
            && self.from.1.is_none_or(|rank| rank == from.rank());
        // Both ways to write castling by squares name the square that the king leaves.
        let is_to = match castled {
            Some(king) => self.from.0.is_some() && self.to.is_some_and(|at| at == king || at == to),
            None => self.to == Some(to),
        };
        is_from
            && is_to
            && self.piece.is_none_or(|piece| board.piece_on(from) == Some(piece))
            && (self.promotion.is_none() || self.promotion == promotion)
    }
}

fn piece(letter: char) -> Option<Piece> {
    Some(match letter.to_ascii_uppercase() {
        'K' => Piece::King,
        'Q' => Piece::Queen,
        'R' => Piece::Rook,
        'B' => Piece::Bishop,
        'N' => Piece::Knight,
        'P' => Piece::Pawn,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use cozy_chess::util::{display_san_move, display_uci_move, parse_san_move};

    use super::*;

    fn all(board: &Board) -> Vec<Move> {
        let mut all = Vec::new();
        board.generate_moves(|of_piece| {
            all.extend(of_piece);
            false
        });
        all
    }

    /// Moves that cozy-chess writes mean the same here, in positions within three plies of these.
    #[test]
    fn moves_mean_what_they_mean_to_the_library() {
        fn walk(board: &Board, plies: u32, seen: &mut u64) {
            for played in all(board) {
                let san = display_san_move(board, played).to_string();
                assert_eq!(parse_san_move(board, &san).ok(), Some(played));
                let uci = display_uci_move(board, played).to_string();
                for text in [san, uci, played.to_string()] {
                    assert_eq!(meant(board, &text), [played], "{text} in {board}");
                }
                *seen += 1;
                if plies > 1 && seen.is_multiple_of(3) {
                    let mut after = board.clone();
                    after.play(played);
                    walk(&after, plies - 1, seen);
                }
            }
        }
        let mut seen = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "6k1/1N1N1p2/8/Q7/8/Q6Q/1N1N4/7K w - - 0 1",
        ] {
            walk(&fen.parse().unwrap(), 3, &mut seen);
        }
        assert!(seen > 5_000, "{seen}");
    }

    #[test]
    fn usual_spellings_are_read() {
        for (fen, texts) in [
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                &["O-O", "0-0", "o-o", "e1g1", "e1h1", "O-O+"],
            ),
            (
                "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
                &["Rd8", "d1d8", "Rd8#!", "Rd8++", "Rd1-d8#", "Rdd8"],
            ),
            (
                "8/P6k/8/8/8/8/8/K7 w - - 0 1",
                &["a8=Q", "a8Q", "a8=q", "a7a8Q", "a8(Q)", "Pa7-a8=Q"],
            ),
            (
                "8/8/8/K2pP2k/8/8/8/8 w - d6 0 1",
                &["exd6", "e5d6", "exd6e.p.", "e5xd6", "ed6", "e5:d6"],
            ),
        ] {
            let board: Board = fen.parse().unwrap();
            let first = meant(&board, texts[0]);
            assert_eq!(first.len(), 1);
            texts.iter().for_each(|text| assert_eq!(meant(&board, text), first, "{text}"));
        }
    }

    #[test]
    fn a_text_that_says_too_little_may_mean_several_moves() {
        let rooks: Board = "7k/8/8/8/6R1/8/8/K5R1 w - - 0 1".parse().unwrap();
        assert_eq!(meant(&rooks, "Rg3+").len(), 2);
        assert_eq!(meant(&rooks, "R1g3+").len(), 1);
        let pawn: Board = "8/P6k/8/8/8/8/8/K7 w - - 0 1".parse().unwrap();
        assert_eq!(meant(&pawn, "a8").len(), 4);
        for text in
            ["", "K", "a9", "Rg9", "nonsense", "0000", "a7", "O-O", "é8", "a7a8k", "--", "1"]
        {
            assert_eq!(meant(&pawn, text), [], "{text}");
        }
    }

    #[test]
    fn words_are_told_from_moves() {
        assert!(["Rd8", "O-O", "d1d8", "Rd9"].into_iter().all(may_be_move));
        assert!(!["mate", "", "in", "2", "x"].into_iter().any(may_be_move));
    }
}
