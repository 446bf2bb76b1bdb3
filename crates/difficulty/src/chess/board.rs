//! Positions as SVG pictures, as text, and as boards of cells.

use std::fmt::Write;

use cozy_chess::{Color, File, Move, Piece, Rank, Square};
use treegauge_core::{Board, CellMark, Contents, MovePath, PathCell, Player, Role};

use crate::chess::position::{ChessMove, Position};
use crate::chess::spelling::castled;

/// Side of a square, in pixels.
const SQUARE: usize = 45;
/// Width of the margin for the rank and file labels, in pixels.
const EDGE: usize = 16;

/// SVG shapes of the pieces, each in a box of 45 by 45.
const SHAPES: [(Piece, &str); 6] = [
    (
        Piece::Pawn,
        "<path d=\"M12 39H33C33 33 27 30 26 22A6.5 6.5 0 1 0 19 22C18 30 12 33 12 39Z\"/>",
    ),
    (
        Piece::Knight,
        "<path d=\"M13 39H34C35 24 32 13 21 9L19 5L16 10C11 14 10 20 7 25C7 28 9 30 12 29L16 26C19 26 21 25 23 22C23 29 14 31 13 39Z\"/><circle cx=\"16\" cy=\"16.5\" r=\"1.2\" class=\"eye\"/>",
    ),
    (
        Piece::Bishop,
        "<circle cx=\"22.5\" cy=\"7.5\" r=\"2.6\"/><path d=\"M22.5 10C13 17 13 25 17.5 30H27.5C32 25 32 17 22.5 10Z\"/><path d=\"M12 39H33C33 35 29 34 28 31H17C16 34 12 35 12 39Z\"/><path d=\"M22.5 15V24M18.5 19H26.5\" class=\"line\"/>",
    ),
    (
        Piece::Rook,
        "<path d=\"M11 39H34V35L30 32L29 19L33 16V8H28V11H25V8H20V11H17V8H12V16L16 19L15 32L11 35Z\"/><path d=\"M16 19H29\" class=\"line\"/>",
    ),
    (
        Piece::Queen,
        "<path d=\"M8 14L13 32H32L37 14L30 23L28.5 9L22.5 22L16.5 9L15 23Z\"/><path d=\"M12 39H33C33 36 32 34 32 32H13C13 34 12 36 12 39Z\"/><circle cx=\"8\" cy=\"12\" r=\"2.4\"/><circle cx=\"16.5\" cy=\"7\" r=\"2.4\"/><circle cx=\"28.5\" cy=\"7\" r=\"2.4\"/><circle cx=\"37\" cy=\"12\" r=\"2.4\"/>",
    ),
    (
        Piece::King,
        "<path d=\"M22.5 3V18M18 7.5H27\" class=\"cross\"/><path d=\"M13 32C4 22 12 12 22.5 18C33 12 41 22 32 32Z\"/><path d=\"M12 39H33C33 36 32 34 32 32H13C13 34 12 36 12 39Z\"/><path d=\"M22.5 18V28\" class=\"line\"/>",
    ),
];

/// Colours of one side's pieces, as SVG attributes: a strict content security policy refuses style
/// sheets inside pictures.
struct Look {
    /// Prefix of the side's symbol names: `w` or `b`.
    side: &'static str,
    /// Attributes of a whole piece.
    piece: &'static str,
    /// Attributes that replace the class of a part of a shape, by class name.
    parts: [(&'static str, &'static str); 3],
}

const LOOKS: [Look; 2] = [
    Look {
        side: "w",
        piece: "fill=\"#fff\" stroke=\"#1d2430\" stroke-width=\"1.4\" stroke-linejoin=\"round\"",
        parts: [
            ("eye", "fill=\"#1d2430\""),
            ("line", "fill=\"none\" stroke-width=\"1.8\" stroke-linecap=\"round\""),
            ("cross", "fill=\"none\" stroke-width=\"2.4\" stroke-linecap=\"round\""),
        ],
    },
    Look {
        side: "b",
        piece: "fill=\"#2b3442\" stroke=\"#1d2430\" stroke-width=\"1.4\" stroke-linejoin=\"round\"",
        parts: [
            ("eye", "fill=\"#fff\" stroke=\"none\""),
            (
                "line",
                "fill=\"none\" stroke=\"#aeb9c7\" stroke-width=\"1.8\" stroke-linecap=\"round\"",
            ),
            ("cross", "fill=\"none\" stroke-width=\"2.4\" stroke-linecap=\"round\""),
        ],
    },
];

/// Piece symbols that the pictures of [`Position::board_svg`] use. A page with many boards needs
/// them once.
#[must_use]
pub fn board_symbols() -> String {
    let mut text = String::from("<defs>");
    for (piece, shape) in SHAPES {
        for look in &LOOKS {
            let mut shape = shape.to_owned();
            for (name, attributes) in look.parts {
                shape = shape.replace(&format!("class=\"{name}\""), attributes);
            }
            let Look { side, piece: attributes, .. } = look;
            let _ = write!(
                text,
                "<symbol id=\"{}\" viewBox=\"0 0 45 45\"><g {attributes}>{shape}</g></symbol>",
                symbol(side, piece)
            );
        }
    }
    text.push_str("</defs>");
    text
}

fn symbol(side: &str, piece: Piece) -> String {
    format!("{side}{}", char::from(piece))
}

/// English name of a piece, in lower case.
fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

impl Position {
    /// Position as a board of cells, seen from White's side: `a1` is cell 0, `b1` is cell 1.
    /// [`Board::turned`] gives Black's view. White is the first player; the capital letter of its
    /// kind marks a piece.
    #[must_use]
    pub fn cells(&self) -> Board {
        Board::chequered(8, 8, |rank, file| {
            let square = Square::new(File::index(file as usize), Rank::index(rank as usize));
            let on = self.board().piece_on(square).zip(self.board().color_on(square));
            on.map_or_else(Contents::empty, |(piece, side)| {
                let (owner, colour) = match side {
                    Color::White => (Player::First, "white"),
                    Color::Black => (Player::Second, "black"),
                };
                let text = char::from(piece).to_ascii_uppercase().to_string();
                let mark = CellMark::Piece { owner: Some(owner), text };
                Contents::new(format!("{colour} {}", name(piece)), mark)
            })
        })
    }

    /// Legal moves in algebraic notation, in the order of [`Position::moves`]. Each has the squares
    /// that the piece leaves and reaches, as cells of [`Position::cells`]. A king that castles
    /// moves two files. Promotions of a pawn on the same squares differ by their
    /// [`MovePath::choice`].
    #[must_use]
    pub fn paths(&self) -> Vec<MovePath> {
        let path = |played: ChessMove| {
            let Move { from, to, .. } = played.played();
            let to = castled(self.board(), played.played()).unwrap_or(to);
            let touch = |square, role| PathCell { cell: square as usize, role };
            (self.san(played), vec![touch(from, Role::From), touch(to, Role::To)])
        };
        MovePath::of_all(self.moves().into_iter().map(path).collect())
    }

    /// Text diagram seen from the side to move: eight ranks, then a line of file letters. White's
    /// pieces are capital letters; a dot is an empty square.
    #[must_use]
    pub fn board_text(&self) -> String {
        let mut text = String::new();
        let order = |n: usize| if self.white_to_move() { n } else { 7 - n };
        for row in 0..8 {
            let rank = order(7 - row);
            let _ = write!(text, "{}", rank + 1);
            for column in 0..8 {
                let square = Square::new(File::index(order(column)), Rank::index(rank));
                let letter = self.board().piece_on(square).map_or('.', char::from);
                let is_white = self.board().color_on(square) == Some(Color::White);
                let letter = if is_white { letter.to_ascii_uppercase() } else { letter };
                let _ = write!(text, " {letter}");
            }
            text.push('\n');
        }
        text.push(' ');
        for column in 0..8 {
            let _ = write!(text, " {}", char::from(b'a' + order(column) as u8));
        }
        text.push('\n');
        text
    }

    /// Self-contained SVG picture, seen from the side to move.
    #[must_use]
    pub fn svg(&self) -> String {
        let board = self.board_with(&board_symbols());
        format!("{board}\n")
    }

    /// SVG picture for a page that has [`board_symbols`] once, seen from the side to move.
    #[must_use]
    pub fn board_svg(&self) -> String {
        self.board_with("")
    }

    fn board_with(&self, symbols: &str) -> String {
        let size = 8 * SQUARE + EDGE;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{size}\" viewBox=\"0 0 {size} {size}\" class=\"chess\" font-family=\"system-ui, sans-serif\" role=\"img\"><title>{}</title>{symbols}",
            self.fen()
        );
        let from_white = self.white_to_move();
        for row in 0..8 {
            for column in 0..8 {
                let (file, rank) = if from_white { (column, 7 - row) } else { (7 - column, row) };
                let square = Square::new(File::index(file), Rank::index(rank));
                let (x, y) = (EDGE + column * SQUARE, row * SQUARE);
                let look = if (file + rank) % 2 == 0 {
                    "class=\"dark\" fill=\"#9db0c4\""
                } else {
                    "class=\"light\" fill=\"#edf1f5\""
                };
                let _ = write!(
                    text,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" {look}/>"
                );
                if let (Some(piece), Some(side)) =
                    (self.board().piece_on(square), self.board().color_on(square))
                {
                    let side = if side == Color::White { "w" } else { "b" };
                    let _ = write!(
                        text,
                        "<use href=\"#{}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>",
                        symbol(side, piece)
                    );
                }
            }
            let rank = if from_white { 8 - row } else { row + 1 };
            let file = char::from(b'a' + if from_white { row } else { 7 - row } as u8);
            let middle = row * SQUARE + SQUARE / 2;
            let _ = write!(
                text,
                "<text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"currentColor\" text-anchor=\"middle\">{rank}</text><text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"currentColor\" text-anchor=\"middle\">{file}</text>",
                EDGE / 2,
                middle + 4,
                EDGE + middle,
                8 * SQUARE + 12
            );
        }
        text.push_str("</svg>");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Top left corners of the pieces with this symbol in a picture, in squares.
    fn places(svg: &str, symbol: &str) -> Vec<(usize, usize)> {
        let begin = format!("<use href=\"#{symbol}\" x=\"");
        svg.split(&begin)
            .skip(1)
            .map(|part| {
                let mut numbers = part.split('"').step_by(2).map(|text| text.parse::<usize>());
                let (x, y) = (numbers.next().unwrap().unwrap(), numbers.next().unwrap().unwrap());
                ((x - EDGE) / SQUARE, y / SQUARE)
            })
            .collect()
    }

    #[test]
    fn moves_touch_the_squares_of_the_board() {
        for (fen, text, [from, to], choice) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", ["e1", "g1"], None),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q", ["a7", "a8"], Some("a8=Q")),
            ("7k/8/8/pP6/8/8/8/K7 w - a6 0 1", "bxa6", ["b5", "a6"], None),
        ] {
            let position = Position::parse(fen).unwrap();
            let (cells, paths) = (position.cells(), position.paths());
            let touch = |name, role| PathCell { cell: cells.cell(name).unwrap(), role };
            let path = vec![touch(from, Role::From), touch(to, Role::To)];
            let choice = choice.map(str::to_owned);
            let wanted = MovePath { text: text.to_owned(), path, choice };
            assert!(paths.contains(&wanted), "{paths:?}");
            for (path, played) in paths.iter().zip(position.moves()) {
                assert_eq!(position.parse_move(&path.text).unwrap(), played);
                let after = position.after(played).cells();
                let [from, to] = [0, 1].map(|n| path.path[n].cell);
                assert_eq!(after.cells[from].contents, "empty", "{path:?}");
                assert_ne!(after.cells[to].contents, cells.cells[to].contents, "{path:?}");
                let same =
                    |other: &&MovePath| other.path == path.path && other.choice == path.choice;
                assert_eq!(paths.iter().filter(same).count(), 1, "{path:?}");
            }
            // The cells agree with the text diagram of the position.
            let letter = |cell: &treegauge_core::Cell| match &cell.mark {
                CellMark::Piece { owner: Some(Player::First), text } => text.clone(),
                CellMark::Piece { text, .. } => text.to_ascii_lowercase(),
                _ => ".".to_owned(),
            };
            let rows: Vec<String> =
                cells.cells.chunks(8).rev().map(|row| row.iter().map(letter).collect()).collect();
            let board = fen.split(' ').next().unwrap().to_owned();
            let board = (1..=8).fold(board, |text, n| text.replace(&n.to_string(), &".".repeat(n)));
            assert_eq!(rows.join("/"), board);
        }
    }

    #[test]
    fn a_board_is_seen_from_the_side_to_move() {
        let white = Position::parse("8/8/8/6k1/8/8/8/K6R w - - 0 1").unwrap().svg();
        assert_eq!(places(&white, "wr"), [(7, 7)]);
        assert_eq!(places(&white, "bk"), [(6, 3)]);
        let black = Position::parse("8/8/8/8/6k1/8/8/K6R b - - 0 1").unwrap().board_svg();
        assert_eq!(places(&black, "wr"), [(0, 0)]);
        assert_eq!(places(&black, "bk"), [(1, 3)]);
        let text = Position::parse("8/8/8/6k1/8/8/8/K6R w - - 0 1").unwrap().board_text();
        assert!(
            text.contains("5 . . . . . . k .\n")
                && text.ends_with("1 K . . . . . . R\n  a b c d e f g h\n")
        );
        assert!(white.contains("<symbol id=\"wq\"") && !black.contains("<symbol"));
    }
}
