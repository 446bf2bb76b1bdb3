//! Puzzles of PGN files (S. J. Edwards 1994, section 8): games that begin in a position of their
//! own.
//!
//! The tag `FEN` holds the position, and the main line of the game is the solution. Where the tag
//! `SolutionPly` is 2, the opponent moves first, and the solution begins with the second ply. Comments,
//! annotations and variations are skipped.

use super::row::{Row, game_of, is_count, unnumbered};
use super::{ChessMove, Position, Puzzle, RowError, check_open, read_rating};

/// Maximum number of moves of a main line.
const MOVES_MAX: usize = 1_000;

/// Tags that name a game, the most telling first.
const NAMES: [&str; 3] = ["ChapterName", "Title", "Event"];

/// Further tags that are read.
const READ: [&str; 10] = [
    "FEN",
    "SetUp",
    "Variant",
    "Round",
    SOLUTION_PLY,
    GIVEN_PLIES,
    GIVEN_RATING,
    GAME,
    "Site",
    THEMES,
];

/// Ply, from 1, with which the solution begins; those before it are known to the solver.
pub(super) const SOLUTION_PLY: &str = "SolutionPly";
/// Number of plies of the solution that the file of the puzzle had; an engine added the rest.
pub(super) const GIVEN_PLIES: &str = "GivenPlies";
/// Difficulty for people.
pub(super) const GIVEN_RATING: &str = "GivenRating";
/// Identifier of the game that the position comes from.
pub(super) const GAME: &str = "GameId";
/// Themes, with blanks between them.
pub(super) const THEMES: &str = "Themes";

/// Values of the tag `Variant` that mean orthodox chess.
const ORTHODOX: [&str; 5] = ["", "Standard", "Chess", "From Position", "Normal"];

/// Reader of a PGN file, line by line.
#[derive(Default)]
pub(super) struct Pgn {
    game: Game,
    /// Line of the comment that is open; `None` if none is.
    comment: Option<u64>,
    /// Number of variations that are open.
    variations: u32,
}

/// Parts of a game that were read so far.
#[derive(Default)]
struct Game {
    /// Line in which it begins; 0 before it begins.
    line: u64,
    /// Tags that are read, each with its value and its line.
    tags: Vec<(String, String, u64)>,
    /// Whether its moves have begun.
    has_moves: bool,
    moves: Vec<ChessMove>,
    /// Position after the last move; `None` until a move is read.
    at: Option<Position>,
    /// First error.
    error: Option<RowError>,
}

impl Pgn {
    /// Reads a line, and passes on the puzzles that end in it.
    pub(super) fn read(
        &mut self,
        text: &str,
        line: u64,
        take: &mut dyn FnMut(Result<Puzzle, RowError>),
    ) {
        // A line that begins with `%` is for other programs.
        if self.comment.is_none() && text.starts_with('%') {
            return;
        }
        let mut rest = text;
        loop {
            if self.comment.is_some() {
                let Some(end) = rest.find('}') else { return };
                self.comment = None;
                rest = &rest[end + 1..];
            }
            rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\0');
            let Some(letter) = rest.chars().next() else { return };
            match letter {
                ';' => return,
                '{' => self.comment = Some(line),
                '(' => self.variations += 1,
                ')' => self.variations = self.variations.saturating_sub(1),
                '[' if self.variations == 0 || rest == text => {
                    if self.game.has_moves {
                        self.end_game(take);
                    }
                    self.variations = 0;
                    match tag(rest) {
                        Some((name, value, behind)) => {
                            self.game.tag(name, value, line);
                            rest = behind;
                            continue;
                        }
                        None => {
                            self.game.begin(line);
                            self.game.fail(line, "a tag has the form `[Name \"value\"]`");
                            return;
                        }
                    }
                }
                _ => {
                    let end = rest
                        .find(|letter: char| letter.is_whitespace() || "{}();[".contains(letter));
                    // A letter that ends words makes none.
                    let end = end.unwrap_or(rest.len()).max(letter.len_utf8());
                    let (word, behind) = rest.split_at(end);
                    if self.variations == 0 && self.game.word(word, line) {
                        self.end_game(take);
                    }
                    rest = behind;
                    continue;
                }
            }
            rest = &rest[1..];
        }
    }

    /// Ends the file, and passes on its last puzzle.
    pub(super) fn end(&mut self, take: &mut dyn FnMut(Result<Puzzle, RowError>)) {
        if let Some(line) = self.comment {
            self.game.begin(line);
            self.game.fail(line, "the comment that begins here has no end");
        }
        self.end_game(take);
    }

    fn end_game(&mut self, take: &mut dyn FnMut(Result<Puzzle, RowError>)) {
        self.variations = 0;
        let game = std::mem::take(&mut self.game);
        if game.line > 0 {
            take(game.puzzle());
        }
    }
}

impl Game {
    fn begin(&mut self, line: u64) {
        if self.line == 0 {
            self.line = line;
        }
    }

    fn fail(&mut self, line: u64, problem: impl Into<String>) {
        if self.error.is_none() {
            self.error = Some(RowError { line, problem: problem.into() });
        }
    }

    /// Value and line of a tag.
    fn find(&self, name: &str) -> Option<(&str, u64)> {
        let (_, value, line) = self.tags.iter().find(|(known, ..)| known == name)?;
        Some((value.as_str(), *line))
    }

    fn tag(&mut self, name: &str, value: String, line: u64) {
        self.begin(line);
        let is_read = NAMES.contains(&name) || READ.contains(&name);
        if is_read && self.find(name).is_none() {
            self.tags.push((name.to_owned(), value, line));
        }
    }

    /// Reads a word of the main line. Returns whether it ends the game.
    fn word(&mut self, word: &str, line: u64) -> bool {
        self.begin(line);
        self.has_moves = true;
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            return true;
        }
        let word = if is_count(word) { "" } else { unnumbered(word) };
        let word = word.trim_start_matches(['.', '\u{2026}']);
        let is_mark = word.starts_with('$') || is_remark(word);
        if !is_mark && self.error.is_none() {
            self.play(word, line);
        }
        false
    }

    fn play(&mut self, word: &str, line: u64) {
        let position = match self.at.take().map_or_else(|| self.start().map(|(at, _)| at), Ok) {
            Ok(position) => position,
            Err(error) => {
                self.error = Some(error);
                return;
            }
        };
        if self.moves.len() == MOVES_MAX {
            return self.fail(line, format!("the game has more than {MOVES_MAX} moves"));
        }
        match position.parse_move(word) {
            Ok(played) => {
                self.moves.push(played);
                self.at = Some(position.after(played));
            }
            Err(error) => self.fail(line, error.to_string()),
        }
    }

    /// Position in which the game begins, and what was not read of it.
    fn start(&self) -> Result<(Position, Vec<String>), RowError> {
        let error = |line: u64, problem: String| RowError { line, problem };
        if let Some((variant, line)) = self.find("Variant")
            && !ORTHODOX.iter().any(|name| name.eq_ignore_ascii_case(variant))
        {
            return Err(error(line, format!("the game is {variant:?}, and not orthodox chess")));
        }
        let is_set_up = self.find("SetUp").is_none_or(|(value, _)| value != "0");
        let Some((fen, line)) = self.find("FEN").filter(|_| is_set_up) else {
            let problem = "this game has no tag `FEN` with a position to solve; whole games are not searched for problems";
            return Err(error(self.line, problem.to_owned()));
        };
        let read = Position::read(fen).map_err(|problem| error(line, problem.to_string()))?;
        check_open(&read.0).map_err(|problem| error(line, problem))?;
        Ok(read)
    }

    /// Value of a tag, if it says something.
    fn value(&self, name: &str) -> Option<&str> {
        let is_said = |value: &&str| !matches!(*value, "" | "?" | "-");
        self.find(name).map(|(value, _)| value.trim()).filter(is_said)
    }

    /// Name of the puzzle, if a tag says one.
    fn name(&self) -> Option<String> {
        let name = NAMES.iter().find_map(|name| self.value(name))?;
        Some(match self.value("Round") {
            Some(round) => format!("{name}, {round}"),
            None => name.to_owned(),
        })
    }

    /// Identifier of the game: its own tag, or the address of a site. The name of a place is none.
    fn game(&self) -> Option<String> {
        let site = || self.value("Site").filter(|site| site.contains("://")).map(game_of);
        self.value(GAME).map(str::to_owned).or_else(site)
    }

    /// Number of plies before the solution, of those of the game.
    fn known_plies(&self) -> Result<usize, RowError> {
        let Some((value, line)) = self.find(SOLUTION_PLY) else { return Ok(0) };
        let last = self.moves.len() + 1;
        match value.trim().parse::<usize>() {
            Ok(ply) if (1..=last).contains(&ply) => Ok(ply - 1),
            _ => Err(RowError {
                line,
                problem: format!(
                    "the tag `{SOLUTION_PLY}` is {value:?}, not a ply from 1 to {last}"
                ),
            }),
        }
    }

    /// Number of moves of the solution that an engine did not add, of `all`.
    fn given_plies(&self, all: usize) -> usize {
        let given = self.value(GIVEN_PLIES).and_then(|text| text.parse().ok());
        given.map_or(all, |given: usize| given.min(all))
    }

    fn puzzle(self) -> Result<Puzzle, RowError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let (mut position, mut unread) = self.start()?;
        let (known, solution) = self.moves.split_at(self.known_plies()?);
        let mut before = None;
        for &played in known {
            let after = position.after(played);
            before = Some((position, played));
            position = after;
        }
        check_open(&position).map_err(|problem| RowError { line: self.line, problem })?;
        let mut puzzle = Puzzle { before, ..Puzzle::of(position, self.line) };
        puzzle.id = self.name().unwrap_or(puzzle.id);
        puzzle.game = self.game();
        let themes = self.value(THEMES).unwrap_or_default();
        puzzle.themes = themes.split_whitespace().map(str::to_owned).collect();
        match self.value(GIVEN_RATING).map(|text| (text, read_rating(text))) {
            Some((_, Ok(rating))) => puzzle.rating = Some(rating),
            Some((text, Err(_))) => unread.push(format!("{text:?} in `{GIVEN_RATING}`")),
            None => {}
        }
        let mut row = Row::of(puzzle, unread);
        row.solution(solution[..self.given_plies(solution.len())].to_vec());
        Ok(row.end())
    }
}

/// Tests whether a word judges the move before it, as `!?` and `+-` do. `--` stands for a move.
fn is_remark(word: &str) -> bool {
    let is_sign = |letter: char| "!?+-=/#\u{b1}\u{2213}\u{221e}\u{2a72}\u{2a71}".contains(letter);
    word == "e.p." || word != "--" && word.chars().all(is_sign)
}

/// Name and value of a tag, and the text behind it; `None` if the text does not begin with a tag.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.strip_prefix('[')?.trim_start();
    let (name, rest) = text.split_once('"')?;
    let mut value = String::new();
    let mut letters = rest.char_indices();
    let end = loop {
        match letters.next()? {
            (n, '"') => break n,
            (_, '\\') => value.push(letters.next()?.1),
            (_, letter) => value.push(letter),
        }
    };
    let behind = rest[end + 1..].trim_start().strip_prefix(']')?;
    let name = name.trim();
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then_some((name, value, behind))
}

#[cfg(test)]
mod tests {
    use crate::chess::{Puzzle, PuzzleFormat, Puzzles, RowError};

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

    fn read(text: &str) -> Vec<Result<Puzzle, RowError>> {
        let puzzles = Puzzles::open(text.as_bytes()).unwrap();
        assert_eq!(puzzles.format(), PuzzleFormat::Pgn);
        puzzles.collect()
    }

    fn moves(puzzle: &Puzzle) -> Vec<String> {
        puzzle.solution_text()
    }

    #[test]
    fn the_main_line_of_a_set_up_position_is_its_solution() {
        let text = format!(
            "\n% for other programs\n[Event \"Club \\\"A\\\"\"]\n[Round \"7\"]\n[SetUp \"1\"]\n[FEN \"{BACK_RANK}\"]\n\n\
             {{a comment\nof two lines (1. e4) }} 1. Rd7!? $1 (1. Rd8# {{mate}} (1. Kf1 a5)) 1... h6 ; the rest 2. Kf1\n\
             2.Rd8+ Kh7 *\n\n[FEN \"{BACK_RANK}\"]\n\n1. Rd8# 1-0\n[Event \"?\"][FEN \"{BACK_RANK}\"]\n*\n"
        );
        let found: Vec<Puzzle> = read(&text).into_iter().map(Result::unwrap).collect();
        let [first, second, third] = &found[..] else { panic!("{found:?}") };
        assert_eq!((first.id.as_str(), first.line), ("Club \"A\", 7", 3));
        assert_eq!(
            (moves(first), first.has_line),
            (["Rd7", "h6", "Rd8+"].map(str::to_owned).to_vec(), true)
        );
        assert_eq!(
            (second.id.as_str(), second.line, moves(second)),
            ("12", 12, vec!["Rd8#".to_owned()])
        );
        assert!(second.has_line, "a move that mates is a whole solution");
        assert_eq!((third.line, third.solution.len(), third.has_line), (15, 0, false));
    }

    #[test]
    fn an_error_has_the_line_of_its_cause_and_other_games_are_read() {
        let good = format!("[FEN \"{BACK_RANK}\"]\n1. Rd8# *\n");
        for (bad, line, part) in [
            ("[Event \"x\"]\n\n1. e4 e5 2. Qh5 *\n", 3, "has no tag `FEN`"),
            ("[FEN \"8/8 w - - 0 1\"]\n*\n", 3, "the FEN has an error"),
            ("[Event \"x\"]\n[FEN \"8/8/8/8/8/5k2/6q1/7K w - -\"]\n*\n", 4, "it is mate"),
            (
                &format!("[FEN \"{BACK_RANK}\"]\n1. Rd7 h6\n2. Rd9 Kh7 *\n"),
                5,
                "\"Rd9\" is not a legal move",
            ),
            (
                &format!("[Variant \"Atomic\"]\n[FEN \"{BACK_RANK}\"]\n1. Rd8# *\n"),
                3,
                "not orthodox chess",
            ),
            (&format!("[SetUp \"0\"]\n[FEN \"{BACK_RANK}\"]\n1. Rd8# *\n"), 3, "has no tag `FEN`"),
            ("[Event x]\n*\n", 3, "a tag has the form"),
        ] {
            let found = read(&format!("{good}{bad}{good}"));
            assert_eq!(found.len(), 3, "{bad}: {found:?}");
            let error = found[1].as_ref().unwrap_err();
            assert!(error.line == line && error.problem.contains(part), "{bad}: {error}");
            assert!(found[0].is_ok() && found[2].is_ok(), "{bad}");
        }
        let open = read(&format!("{good}{{without an end\n1. e4\n"));
        let error = open[1].as_ref().unwrap_err();
        assert_eq!((open.len(), error.line), (2, 3), "{error}");
        assert!(error.problem.contains("has no end"), "{error}");
        let long = "1. Kf1 Kf8 2. Kg1 Kg8 ".repeat(300);
        let error = read(&format!("[FEN \"{BACK_RANK}\"]\n{long}\n")).remove(0).unwrap_err();
        assert!(error.problem.contains("more than 1000 moves"), "{error}");
    }

    #[test]
    fn judgements_of_moves_are_skipped() {
        let text = format!("[FEN \"{BACK_RANK}\"]\n\n1. rd7 +- h6 = 2. Rd8 + !? \u{b1} *\n");
        assert_eq!(moves(&read(&text).remove(0).unwrap()), ["Rd7", "h6", "Rd8+"]);
        let null = format!("[FEN \"{BACK_RANK}\"]\n\n1. Rd7 -- 2. Rd8 *\n");
        assert!(read(&null).remove(0).unwrap_err().problem.contains("\"--\" is not a legal move"));
    }

    #[test]
    fn a_solution_may_begin_after_the_opponents_move() {
        let before = "6k1/5ppp/8/8/8/7P/5PP1/3R2K1 b - - 0 1";
        let game = |ply: &str| {
            let text =
                format!("[FEN \"{before}\"]\n[SolutionPly \"{ply}\"]\n\n1... h6 2. Rd8+ *\n");
            read(&text).remove(0)
        };
        let second = game("2").unwrap();
        assert!(second.position.white_to_move());
        assert_eq!(second.last_move().unwrap().played, "h6");
        assert_eq!(
            (second.before.unwrap().0.fen().as_str(), moves(&game("2").unwrap())),
            (before, vec!["Rd8+".to_owned()])
        );
        assert_eq!(game("1").unwrap().before, None);
        assert_eq!(game("3").unwrap().solution, []);
        for ply in ["0", "4", "x"] {
            let error = game(ply).unwrap_err();
            assert_eq!(error.line, 2);
            assert!(error.problem.contains("not a ply from 1 to 3"), "{error}");
        }
    }

    #[test]
    fn the_rating_and_the_game_are_those_of_the_tags() {
        let with = |tags: &str| {
            read(&format!("[FEN \"{BACK_RANK}\"]\n{tags}\n\n1. \u{2656}d8 *\n")).remove(0).unwrap()
        };
        let found =
            with("[Site \"https://lichess.org/KPq4H66x\"]\n[GivenRating \"1500\"]\n[Rating \"1\"]");
        assert_eq!((found.game.as_deref(), found.rating), (Some("KPq4H66x"), Some(1500.0)));
        // A place does not name a game.
        assert_eq!(with("[Site \"London\"]").game, None);
        assert_eq!(with("[Site \"London\"]\n[GameId \"7\"]").game.as_deref(), Some("7"));
        let unread = with("[GivenRating \"much\"]").unread.unwrap();
        assert_eq!(unread, "\"much\" in `GivenRating` is not read");
        assert_eq!(with("[GivenRating \"?\"]").unread, None);
    }

    #[test]
    fn any_text_behind_a_tag_is_read_without_a_panic() {
        for text in [
            "[a \"",
            "[a \"\\",
            "[a \"b\"",
            "[a \"b\"] ) ] } ( [",
            "[a \"b\"]\n(((\n[c \"d\"]\n",
            "[a \"b\"]\n1.\u{2026} \u{e9} {",
            "[a \"b\"] ]x }y",
        ] {
            assert!(read(text).iter().all(Result::is_err), "{text}");
        }
    }
}
