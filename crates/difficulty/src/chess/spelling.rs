//! Moves as people and engines spell them.
//!
//! A text names a move by some of its parts: the piece, the square that it leaves or a part of
//! that, the square that it reaches, the piece that a pawn becomes. The text means the legal move
//! that has these parts, so one parser reads every usual spelling: `Nf3`, `Ng1f3`, `Ng1-f3`,
//! `g1f3`, `exd6e.p.`, `a8=Q+`, `a8q`, `O-O`, `0-0`, `Qxf7#!`, `♘f3`. Small letters of pieces, as
//! in `nf3`, count where the text means no pawn and no move otherwise.

use std::borrow::Cow;

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
    let text = plain(text);
    let found = fitting(board, &text);
    if !found.is_empty() {
        return found;
    }
    with_capital(board, &text).map_or(found, |text| fitting(board, &text))
}

/// Legal moves that have the parts of a text.
fn fitting(board: &Board, text: &str) -> Vec<Move> {
    let Some(parts) = Parts::read(text) else { return Vec::new() };
    let mut found = Vec::new();
    board.generate_moves(|of_piece| {
        found.extend(of_piece.into_iter().filter(|played| parts.fit(board, *played)));
        false
    });
    found
}

/// Text with the letter of its piece as a capital; `None` if it does not begin with such a letter, or
/// the letter may be the file of a pawn.
fn with_capital(board: &Board, text: &str) -> Option<String> {
    let letter = text.chars().next().filter(|letter| "kqrbnp".contains(*letter))?;
    let is_file = letter == 'b' && {
        let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
        let reaches =
            |parts: Parts| parts.to.is_some_and(|to| to.file() == File::A || to.file() == File::C);
        let takes = Parts::read(text).is_some_and(reaches);
        let is_square = text[1..].starts_with(|next: char| next.is_ascii_digit());
        is_square || takes && !(pawns & File::B.bitboard()).is_empty()
    };
    (!is_file).then(|| letter.to_ascii_uppercase().to_string() + &text[1..])
}

/// Text with the letters and signs of plain English notation for figurines and typographic signs.
fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let sign = |letter: char| {
        Some(match letter {
            '\u{2654}' | '\u{265A}' => 'K',
            '\u{2655}' | '\u{265B}' => 'Q',
            '\u{2656}' | '\u{265C}' => 'R',
            '\u{2657}' | '\u{265D}' => 'B',
            '\u{2658}' | '\u{265E}' => 'N',
            '\u{2659}' | '\u{265F}' => 'P',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{D7}' => 'x',
            // Daggers are signs of check, and the others choose the form of a figurine.
            '\u{2020}' | '\u{2021}' => '+',
            '\u{FE0E}' | '\u{FE0F}' => return None,
            other => other,
        })
    };
    Cow::Owned(text.chars().filter_map(sign).collect())
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
    Parts::read(&plain(word)).is_some() || word.as_bytes().windows(2).any(names_square)
}

impl Parts {
    fn read(text: &str) -> Option<Parts> {
        let text = text.trim_end_matches(['+', '#', '!', '?', ',']);
        let text = text.strip_suffix("e.p.").or(text.strip_suffix("ep")).unwrap_or(text);
        let text = text.trim_end_matches('.');
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
        let all: [(&str, &[&str]); 6] = [
            (
                "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
                &["O-O", "0-0", "o-o", "e1g1", "e1h1", "O-O+"],
            ),
            (
                "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
                &[
                    "Rd8",
                    "d1d8",
                    "Rd8#!",
                    "Rd8++",
                    "Rd1-d8#",
                    "Rdd8",
                    "rd8",
                    "rd1-d8#",
                    "\u{2656}d8",
                    "\u{265C}d8",
                    "\u{2656}\u{FE0E}d8\u{2020}",
                    "Rd1\u{2013}d8",
                ],
            ),
            ("6k1/5ppp/8/2p5/8/8/5PPP/3B2K1 w - - 0 1", &["Bb3", "bb3", "Bd1b3", "\u{2657}b3"]),
            ("6k1/5ppp/8/2p5/8/8/5PPP/3B2K1 w - - 0 1", &["Kf1", "kf1", "g1f1"]),
            (
                "8/P6k/8/8/8/8/8/K7 w - - 0 1",
                &["a8=Q", "a8Q", "a8=q", "a7a8Q", "a8(Q)", "Pa7-a8=Q"],
            ),
            (
                "8/8/8/K2pP2k/8/8/8/8 w - d6 0 1",
                &["exd6", "e5d6", "exd6e.p.", "e5xd6", "ed6", "e5:d6"],
            ),
        ];
        for (fen, texts) in all {
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

    /// A small `b` is first the file of a pawn.
    #[test]
    fn a_small_letter_means_a_piece_only_where_it_means_no_pawn() {
        let read = |fen: &str, text: &str| {
            let board: Board = fen.parse().unwrap();
            let found = meant(&board, text);
            found
                .into_iter()
                .map(|one| display_san_move(&board, one).to_string())
                .collect::<Vec<_>>()
        };
        // The bishop of d2 and the pawn of b2 can take on c3.
        let both = "6k1/8/8/8/8/2n5/1P1B4/6K1 w - - 0 1";
        assert_eq!(read(both, "bxc3"), ["bxc3"]);
        assert_eq!(read(both, "Bxc3"), ["Bxc3"]);
        assert_eq!(read(both, "be3"), ["Be3"]);
        // The pawn of b4 cannot, and the text does not say which of the two it means.
        let far = "6k1/8/8/8/1P6/2n5/3B4/6K1 w - - 0 1";
        assert_eq!(read(far, "bxc3"), [""; 0]);
        assert_eq!(read("6k1/8/8/8/8/2n5/3B4/6K1 w - - 0 1", "bxc3"), ["Bxc3"]);
        // Squares are squares, not a bishop of the first rank.
        assert_eq!(read("6k1/8/8/8/8/8/8/4B1K1 w - - 0 1", "b1c3"), [""; 0]);
        let rooks = "7k/8/8/8/6R1/8/8/K5R1 w - - 0 1";
        assert_eq!(read(rooks, "rg3").len(), 2);
    }

    #[test]
    fn words_are_told_from_moves() {
        assert!(["Rd8", "O-O", "d1d8", "Rd9", "rd8", "\u{265C}d8"].into_iter().all(may_be_move));
        assert!(!["mate", "", "in", "2", "x"].into_iter().any(may_be_move));
    }
}
