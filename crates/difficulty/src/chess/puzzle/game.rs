//! Puzzles as games of PGN, written so that [`Puzzles`](super::Puzzles) reads the same puzzles back.

use super::LastMove;
use super::pgn::{GAME, GIVEN_PLIES, GIVEN_RATING, SOLUTION_PLY, THEMES};

/// Maximum length of a line of moves, as the standard of PGN asks of programs.
const LINE_MAX: usize = 79;

/// Puzzle to be written as a game of PGN. What is known of it stands behind its last move, so that no
/// solver reads it before.
#[derive(Clone, Debug)]
pub struct PuzzleGame<'a> {
    /// Name of the puzzle.
    pub id: &'a str,
    /// FEN of the position, with the solver to move.
    pub fen: &'a str,
    /// Opponent's last move; `None` if it is not known. The game then begins with the solution.
    pub last_move: Option<&'a LastMove>,
    /// Solution in algebraic notation.
    pub solution: &'a [String],
    /// Number of moves of the solution that no engine added, from the first on.
    pub given_plies: usize,
    /// Difficulty for people; `None` if it is not known.
    pub given_rating: Option<f64>,
    /// Identifier of the game that the position comes from; `None` if it is not known.
    pub game: Option<&'a str>,
    /// Themes of the puzzle, such as `fork`.
    pub themes: &'a [String],
    /// Further tags and their values.
    pub tags: &'a [(&'a str, String)],
    /// Comment behind the last move; empty for none.
    pub comment: &'a str,
}

impl PuzzleGame<'_> {
    /// Text of the game, with an empty line at its end.
    #[must_use]
    pub fn text(&self) -> String {
        let tags = self.all_tags();
        let tags = tags.iter().map(|(name, value)| format!("[{name} \"{}\"]\n", quoted(value)));
        let mut words = self.moves();
        words.extend(comment_words(self.comment));
        words.push("*".to_owned());
        tags.collect::<String>() + "\n" + &wrapped(&words) + "\n\n"
    }

    fn all_tags(&self) -> Vec<(&str, String)> {
        let fen = self.last_move.map_or(self.fen, |last| &last.fen);
        let mut tags = vec![
            ("Event", self.id.to_owned()),
            ("Site", self.game.unwrap_or("?").to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", "-".to_owned()),
            ("White", "?".to_owned()),
            ("Black", "?".to_owned()),
            ("Result", "*".to_owned()),
            ("Annotator", "treegauge".to_owned()),
            ("SetUp", "1".to_owned()),
            ("FEN", fen.to_owned()),
        ];
        let known = [
            (SOLUTION_PLY, self.last_move.map(|_| "2".to_owned())),
            (
                GIVEN_PLIES,
                (self.given_plies < self.solution.len()).then(|| self.given_plies.to_string()),
            ),
            (GIVEN_RATING, self.given_rating.map(|rating| rating.to_string())),
            (GAME, self.game.map(str::to_owned)),
            (THEMES, Some(self.themes.join(" ")).filter(|themes| !themes.is_empty())),
        ];
        tags.extend(known.into_iter().filter_map(|(name, value)| Some((name, value?))));
        tags.extend(self.tags.iter().map(|(name, value)| (*name, value.clone())));
        tags
    }

    /// Moves with their numbers.
    fn moves(&self) -> Vec<String> {
        let fen = self.last_move.map_or(self.fen, |last| &last.fen);
        let fields: Vec<&str> = fen.split(' ').collect();
        let is_black = fields.get(1) == Some(&"b");
        let number = fields.get(5).and_then(|number| number.parse::<u64>().ok()).unwrap_or(1);
        let last = self.last_move.map(|last| &last.played);
        let mut words: Vec<String> = Vec::new();
        for (n, played) in (usize::from(is_black)..).zip(last.into_iter().chain(self.solution)) {
            let number = number + n as u64 / 2;
            match n % 2 {
                0 => words.push(format!("{number}.")),
                _ if words.is_empty() => words.push(format!("{number}...")),
                _ => {}
            }
            words.push(played.clone());
        }
        words
    }
}

/// Value of a tag between quotation marks.
fn quoted(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Words of a comment in braces; none if it is empty.
fn comment_words(comment: &str) -> Vec<String> {
    let is_blank = |letter: char| letter.is_whitespace() || "{}".contains(letter);
    let words = comment.split(is_blank).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_owned).collect();
    if words.is_empty() {
        return words;
    }
    ["{".to_owned()].into_iter().chain(words).chain(["}".to_owned()]).collect()
}

/// Words in lines. No line begins with `%`, the mark of lines for other programs.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > LINE_MAX && !word.starts_with('%') {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Puzzle, Puzzles};

    /// Reads a file with one puzzle.
    fn read(file: &str) -> Puzzle {
        let mut all: Vec<_> = Puzzles::open(file.as_bytes()).unwrap().collect();
        assert_eq!(all.len(), 1, "{file}");
        all.remove(0).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    fn written(puzzle: &Puzzle, comment: &str) -> String {
        let (fen, solution, last_move) =
            (puzzle.position.fen(), puzzle.solution_text(), puzzle.last_move());
        PuzzleGame {
            id: &puzzle.id,
            fen: &fen,
            last_move: last_move.as_ref(),
            solution: &solution,
            given_plies: solution.len(),
            given_rating: puzzle.rating,
            game: puzzle.game.as_deref(),
            themes: &puzzle.themes,
            tags: &[("Rating", "1800".to_owned())],
            comment,
        }
        .text()
    }

    const TITLES: &str = "PuzzleId,FEN,Moves,Rating,GameUrl,Themes";

    #[test]
    fn a_puzzle_that_is_written_and_read_again_is_the_same() {
        let board = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";
        for file in [
            format!(
                "{TITLES}\n9eZCm,8/5p1p/6p1/4p1k1/4P3/1K3PP1/7P/8 b - - 0 44,f7f5 b3c4 f5e4 f3e4 g5g4 c4d5,2361,https://lichess.org/KPq4H66x/black#88,crushing endgame\n"
            ),
            format!(
                "{TITLES}\nx,6k1/5ppp/8/8/8/7P/5PP1/3R2K1 b - - 0 1,h7h6 d1d7,1500.5,own games/3,oneMove\n"
            ),
            format!("{TITLES}\nx,8/8/8/8/k2p4/8/4P3/K7 w - - 0 1,e2e4 d4e3,,,\n"),
            format!("{board} 12 40; bm Rd7; id \"a {{\\}} name\";"),
            format!("{board} pv Rd7 h6 Rd8+;"),
            board.to_owned(),
        ] {
            let first = read(&file);
            let again = read(&written(&first, "hard, rating 1800 (1500 to 2100); 80 % {of\nthem}"));
            // The number of a line is the name only where there is none.
            assert_eq!(Puzzle { line: first.line, ..again }, first, "{file}");
        }
    }

    #[test]
    fn what_is_known_stands_behind_the_last_move() {
        let fen = "8/5p1p/6p1/4p1k1/4P3/1K3PP1/7P/8 b - - 0 44";
        let puzzle = read(&format!("{TITLES}\nx,{fen},f7f5 b3c4 f5e4,2361,,\n"));
        let text = written(&puzzle, "the king goes first");
        let end = text.split_once("\n\n").unwrap().1;
        assert_eq!(end, "44... f5 45. Kc4 { the king goes first } *\n\n");
        for tag in [
            format!("[FEN \"{fen}\"]"),
            "[SolutionPly \"2\"]".to_owned(),
            "[GivenRating \"2361\"]".to_owned(),
        ] {
            assert!(text.contains(&tag), "{text}");
        }
    }

    #[test]
    fn the_moves_of_an_engine_are_not_read_back() {
        let position = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        for (given, count) in [(0, 0), (1, 1), (3, 3)] {
            let solution = ["Rd7", "h6", "Rd8+"].map(str::to_owned);
            let game = PuzzleGame {
                id: "x",
                fen: position,
                last_move: None,
                solution: &solution,
                given_plies: given,
                given_rating: None,
                game: None,
                themes: &[],
                tags: &[],
                comment: "",
            };
            let again = read(&game.text());
            assert_eq!((again.solution.len(), again.has_line), (count, given == 3));
        }
    }
}
