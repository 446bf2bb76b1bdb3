//! Positions as SVG pictures, as text, and as boards of cells.

use std::fmt::Write;

use cozy_chess::{Color, File, Move, Piece, Rank, Square};
use treegauge_core::{Board, CellMark, Chessman, Contents, MovePath, PathCell, Player, Role};

use crate::chess::position::{ChessMove, Position};
use crate::chess::puzzle::LastMove;
use crate::chess::spelling::castled;

/// Side of a square, in pixels.
const SQUARE: usize = 45;
/// Width of the margin for the rank and file labels, in pixels.
const EDGE: usize = 20;
/// Size of these labels, in pixels: they are read on boards 5 cm wide too.
const LABEL: usize = 17;
/// Width of the outline of a marked square, in pixels.
const OUTLINE: usize = 3;
/// Side of the board and of the whole picture, in pixels.
const BOARD: usize = 8 * SQUARE;
const SIZE: usize = BOARD + EDGE;

/// Piece symbols that the pictures of [`Position::board_svg`] use. A page with many boards needs
/// them once.
#[must_use]
pub fn board_symbols() -> String {
    let mut text = String::from("<defs>");
    for piece in Piece::ALL {
        for (side, owner) in [("w", Player::First), ("b", Player::Second)] {
            let _ = write!(
                text,
                "<symbol id=\"{}\" viewBox=\"0 0 45 45\">{}</symbol>",
                symbol(side, piece),
                man(piece).svg(owner)
            );
        }
    }
    text.push_str("</defs>");
    text
}

fn symbol(side: &str, piece: Piece) -> String {
    format!("{side}{}", char::from(piece))
}

fn man(piece: Piece) -> Chessman {
    match piece {
        Piece::Pawn => Chessman::Pawn,
        Piece::Knight => Chessman::Knight,
        Piece::Bishop => Chessman::Bishop,
        Piece::Rook => Chessman::Rook,
        Piece::Queen => Chessman::Queen,
        Piece::King => Chessman::King,
    }
}

impl Position {
    /// Position as a board of cells, seen from White's side: `a1` is cell 0, `b1` is cell 1.
    /// [`Board::turned`] gives Black's view. White is the first player.
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
                let man = man(piece);
                Contents::new(format!("{colour} {}", man.name()), CellMark::Chessman { owner, man })
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
            let [from, to] = self.touched(played);
            let touch = |square, role| PathCell { cell: square as usize, role };
            (self.san(played), vec![touch(from, Role::From), touch(to, Role::To)])
        };
        MovePath::of_all(self.moves().into_iter().map(path).collect())
    }

    /// Squares that the piece of a move leaves and reaches. A king that castles moves two files.
    fn touched(&self, played: ChessMove) -> [Square; 2] {
        let Move { from, to, .. } = played.played();
        [from, castled(self.board(), played.played()).unwrap_or(to)]
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
        let size =
            format!("xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIZE}\" height=\"{SIZE}\" ");
        format!("{}\n", self.drawn(&size, &board_symbols(), None))
    }

    /// SVG picture for a page that has [`board_symbols`] once, seen from the side to move. It takes
    /// the width of its place. The squares of the opponent's last move are marked, if it is known.
    #[must_use]
    pub fn small_svg(&self, last: Option<&LastMove>) -> String {
        self.drawn("", "", last)
    }

    /// SVG picture for a page that has [`board_symbols`] once, with a size of its own and otherwise
    /// as [`Self::small_svg`].
    #[must_use]
    pub fn board_svg(&self, last: Option<&LastMove>) -> String {
        let size = format!("width=\"{SIZE}\" height=\"{SIZE}\" ");
        self.drawn(&size, "", last)
    }

    fn drawn(&self, size: &str, symbols: &str, last: Option<&LastMove>) -> String {
        let last = last.and_then(LastMove::read);
        let title = match &last {
            Some((before, played)) => format!("{}, last move {}", self.fen(), before.san(*played)),
            None => self.fen(),
        };
        let mut text = format!(
            "<svg {size}viewBox=\"0 0 {SIZE} {SIZE}\" class=\"chess\" font-family=\"system-ui, sans-serif\" role=\"img\"><title>{title}</title>{symbols}<rect class=\"light\" x=\"{EDGE}\" width=\"{BOARD}\" height=\"{BOARD}\" fill=\"#edf1f5\"/><path class=\"dark\" fill=\"#9db0c4\" d=\""
        );
        for n in (0..64).filter(|n| (n / 8 + n % 8) % 2 == 1) {
            let (x, y) = (EDGE + n % 8 * SQUARE, n / 8 * SQUARE);
            let _ = write!(text, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
        }
        text.push_str("\"/>");
        for square in last.iter().flat_map(|(before, played)| before.touched(*played)) {
            // The outline shows on paper without colours, too.
            let (x, y) = self.corner(square);
            let side = SQUARE - OUTLINE;
            let _ = write!(
                text,
                "<rect class=\"last\" x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"#f0c000\" fill-opacity=\".5\" stroke=\"#8a6a00\" stroke-width=\"{OUTLINE}\"/>",
                x as f64 + OUTLINE as f64 / 2.0,
                y as f64 + OUTLINE as f64 / 2.0,
            );
        }
        for square in self.board().occupied() {
            let (x, y) = self.corner(square);
            self.piece(&mut text, square, x, y);
        }
        self.labels(&mut text);
        text.push_str("</svg>");
        text
    }

    /// Top left corner of a square in pictures, in pixels.
    fn corner(&self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file() as usize, square.rank() as usize);
        let (column, row) = if self.white_to_move() { (file, 7 - rank) } else { (7 - file, rank) };
        (EDGE + column * SQUARE, row * SQUARE)
    }

    /// Writes the digits of the ranks and the letters of the files.
    fn labels(&self, text: &mut String) {
        let _ =
            write!(text, "<g font-size=\"{LABEL}\" fill=\"currentColor\" text-anchor=\"middle\">");
        for n in 0..8 {
            let (rank, file) = if self.white_to_move() { (8 - n, n) } else { (n + 1, 7 - n) };
            let file = char::from(b'a' + file as u8);
            let middle = n * SQUARE + SQUARE / 2;
            let _ = write!(
                text,
                "<text x=\"{}\" y=\"{}\">{rank}</text><text x=\"{}\" y=\"{}\">{file}</text>",
                EDGE / 2 - 1,
                middle + LABEL / 3,
                EDGE + middle,
                BOARD + LABEL - 2
            );
        }
        text.push_str("</g>");
    }

    /// Draws the piece of a square, if there is one.
    fn piece(&self, text: &mut String, square: Square, x: usize, y: usize) {
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
                CellMark::Chessman { owner: Player::First, man } => man.letter().to_string(),
                CellMark::Chessman { man, .. } => man.letter().to_lowercase().to_string(),
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
        let black = Position::parse("8/8/8/8/6k1/8/8/K6R b - - 0 1").unwrap().board_svg(None);
        assert_eq!(places(&black, "wr"), [(0, 0)]);
        assert_eq!(places(&black, "bk"), [(1, 3)]);
        let text = Position::parse("8/8/8/6k1/8/8/8/K6R w - - 0 1").unwrap().board_text();
        assert!(
            text.contains("5 . . . . . . k .\n")
                && text.ends_with("1 K . . . . . . R\n  a b c d e f g h\n")
        );
        assert!(white.contains("<symbol id=\"wq\"") && !black.contains("<symbol"));
        let small = Position::parse("8/8/8/8/6k1/8/8/K6R b - - 0 1").unwrap().small_svg(None);
        assert_eq!((places(&small, "wr"), places(&small, "bk")), (vec![(0, 0)], vec![(1, 3)]));
        assert!(!small.contains("<svg width") && black.contains("<svg width"));
    }

    #[test]
    fn the_squares_of_the_last_move_are_marked_and_the_labels_turn_with_the_board() {
        let marked = |svg: &str| -> Vec<(f64, f64)> {
            let begin = "<rect class=\"last\" x=\"";
            let corner = |part: &str| {
                let mut numbers = part.split('"').step_by(2).map(|text| text.parse::<f64>());
                let (x, y) = (numbers.next().unwrap().unwrap(), numbers.next().unwrap().unwrap());
                let square = SQUARE as f64;
                (((x - EDGE as f64) / square).floor(), (y / square).floor())
            };
            svg.split(begin).skip(1).map(corner).collect()
        };
        for (before, played, squares) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4", vec![(3.0, 1.0), (3.0, 3.0)]),
            // A king that castles reaches the square beside its rook.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", vec![(3.0, 0.0), (1.0, 0.0)]),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rxh9", vec![]),
        ] {
            let last = LastMove { fen: before.to_owned(), played: played.to_owned() };
            let start = Position::parse(before).unwrap();
            let at = start.parse_move(played).map_or(start.clone(), |one| start.after(one));
            let svg = at.small_svg(Some(&last));
            assert_eq!(marked(&svg), squares, "{played}");
            let words = format!(", last move {played}</title>");
            assert_eq!(svg.contains(&words), !squares.is_empty(), "{svg}");
        }
        let labels = |fen: &str| -> String {
            let svg = Position::parse(fen).unwrap().small_svg(None);
            let texts = svg.split("</text>").filter_map(|part| part.rsplit('>').next());
            texts.take(16).collect()
        };
        assert_eq!(labels("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), "8a7b6c5d4e3f2g1h");
        assert_eq!(labels("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"), "1h2g3f4e5d6c7b8a");
    }
}
