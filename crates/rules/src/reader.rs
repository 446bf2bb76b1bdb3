//! Parser of texts into trees of parentheses, with the place of every word.

use crate::error::{Mistake, Place};

/// Largest length of a text, in bytes.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;
/// Largest nesting depth of parentheses.
pub const DEPTH_MAX: usize = 64;
/// Largest number of words and opening parentheses.
pub const WORDS_MAX: usize = 5_000;

/// Tests whether a text begins like a game: with `(game`, after blanks and comments.
///
/// ```
/// use treegauge_rules::is_game;
///
/// assert!(is_game("; A game.\n(game \"A\" ...)"));
/// assert!(!is_game("root:x:0:0"));
/// ```
#[must_use]
pub fn is_game(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix(';') {
        rest = comment.split_once('\n').map_or("", |(_, next)| next).trim_start();
    }
    let Some(name) = rest.strip_prefix('(') else { return false };
    let Some(after) = name.trim_start().strip_prefix("game") else { return false };
    after.starts_with(|c: char| c.is_whitespace() || "\"();".contains(c))
}

/// Word, number, string or list, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) place: Place,
    /// Place of its last character.
    pub(crate) end: Place,
    pub(crate) is: Is,
}

/// Comment, from its semicolon on, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) place: Place,
    pub(crate) text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Is {
    Word(String),
    Number(i64),
    Text(String),
    List(Vec<Node>),
}

impl Node {
    /// Head word of a list, or the word itself.
    pub(crate) fn head(&self) -> Option<&str> {
        match &self.is {
            Is::Word(word) => Some(word),
            Is::List(items) => match items.first().map(|node| &node.is) {
                Some(Is::Word(word)) => Some(word),
                _ => None,
            },
            _ => None,
        }
    }

    /// Items after the head of a list; empty for a single word.
    pub(crate) fn rest(&self) -> &[Node] {
        match &self.is {
            Is::List(items) if !items.is_empty() => &items[1..],
            _ => &[],
        }
    }

    /// Place of the head.
    pub(crate) fn head_place(&self) -> Place {
        match &self.is {
            Is::List(items) => items.first().map_or(self.place, |node| node.place),
            _ => self.place,
        }
    }

    /// Text of the node on one line.
    pub(crate) fn text(&self) -> String {
        match &self.is {
            Is::Word(word) => word.clone(),
            Is::Number(number) => number.to_string(),
            Is::Text(text) => format!("\"{text}\""),
            Is::List(items) => {
                let items: Vec<String> = items.iter().map(Node::text).collect();
                format!("({})", items.join(" "))
            }
        }
    }
}

/// Names of the sections of a file. If a section begins at a deeper level than it should, a
/// parenthesis before it is missing.
pub(crate) const SECTIONS: &[&str] =
    &["about", "options", "board", "pieces", "start", "turns", "play", "end", "limits", "allow"];

/// Parses a text, which must be a single list.
pub(crate) fn read(source: &str) -> Result<Node, Mistake> {
    read_with(source, &mut Vec::new())
}

/// Parses a text and also returns all comments.
pub(crate) fn read_with(source: &str, comments: &mut Vec<Comment>) -> Result<Node, Mistake> {
    let start = Place { line: 1, column: 1 };
    if source.len() > TEXT_BYTES_MAX {
        let message =
            format!("the text has {} bytes, and {TEXT_BYTES_MAX} are the most", source.len());
        return Err(Mistake::new(start, message));
    }
    let mut open: Vec<(Place, Vec<Node>)> = Vec::new();
    let mut whole: Option<Node> = None;
    let mut words = 0;
    let mut chars = Chars { chars: source.chars().peekable(), place: start };
    while let Some((place, c)) = chars.next() {
        let node = match c {
            c if c.is_whitespace() => continue,
            ';' => {
                let mut text = String::from(';');
                while let Some((_, c)) =
                    chars.peek().filter(|&c| c != '\n').and_then(|_| chars.next())
                {
                    text.push(c);
                }
                comments.push(Comment { place, text: text.trim_end().to_owned() });
                continue;
            }
            '(' => {
                if open.len() == DEPTH_MAX {
                    let message = format!("more than {DEPTH_MAX} parentheses are open here");
                    return Err(Mistake::new(place, message)
                        .hint("a list in place of nested pairs needs fewer: (or a b c)"));
                }
                if let Some(mistake) = missing_parenthesis(&open, &chars, place) {
                    return Err(mistake);
                }
                open.push((place, Vec::new()));
                words += 1;
                if words > WORDS_MAX {
                    let message = format!("the text has more than {WORDS_MAX} words");
                    return Err(Mistake::new(place, message));
                }
                continue;
            }
            ')' => match open.pop() {
                Some((begin, items)) => Node { place: begin, end: place, is: Is::List(items) },
                None => {
                    return Err(Mistake::new(place, "this parenthesis closes nothing")
                        .hint("one before it closes more than was opened"));
                }
            },
            c if open.is_empty() && whole.is_none() && (c == '"' || is_symbol(c)) => {
                return Err(not_a_game(source, place, c));
            }
            '"' => Node { place, end: place, is: Is::Text(chars.string(place)?) },
            c if is_symbol(c) => Node { place, end: place, is: chars.word(place, c)? },
            c => {
                return Err(strange(place, c));
            }
        };
        words += usize::from(!matches!(node.is, Is::List(_)));
        if words > WORDS_MAX {
            let message = format!("the text has more than {WORDS_MAX} words");
            return Err(Mistake::new(place, message));
        }
        match open.last_mut() {
            Some((_, items)) => items.push(node),
            None if whole.is_some() => {
                return Err(Mistake::new(node.place, "the game has ended before this")
                    .hint("one file has one game, and all sections stand within its parentheses"));
            }
            None => whole = Some(node),
        }
    }
    if let Some(mistake) = missing_at_the_end(&open) {
        return Err(mistake);
    }
    if let Some((place, items)) = open.last() {
        let what = match items.first().map(|node| &node.is) {
            Some(Is::Word(word)) => format!("`({word}` is not closed"),
            _ => "this parenthesis is not closed".to_owned(),
        };
        return Err(Mistake::new(*place, what).hint("a `)` is missing"));
    }
    whole.ok_or_else(|| Mistake::new(start, "the file has no game").hint(BEGINNING))
}

/// Hint for a file without a game.
const BEGINNING: &str =
    "a file begins like this: (game \"Name\" (board (grid 3 3)) (play (place)) ..";

/// Mistake for a text that begins with something else than a parenthesis.
fn not_a_game(source: &str, place: Place, first: char) -> Mistake {
    let line = source.lines().nth(place.line as usize - 1).unwrap_or_default();
    let word: String =
        line.chars().skip(place.column as usize - 1).take_while(|&c| is_symbol(c)).collect();
    if word == "game" && first != '"' {
        return Mistake::new(place, "a `(` is missing before `game`").hint(BEGINNING);
    }
    Mistake::new(place, "the file has no game, or something stands before it").hint(BEGINNING)
}

/// Mistake for a game whose last parenthesis is missing, or one in its last section. It is reported
/// at that section rather than on the first line.
fn missing_at_the_end(open: &[(Place, Vec<Node>)]) -> Option<Mistake> {
    let [(_, items)] = open else { return None };
    let last = items.last().filter(|last| matches!(last.is, Is::List(_)))?;
    let section = last.head()?;
    if items.first().and_then(Node::head) != Some("game") || !SECTIONS.contains(&section) {
        return None;
    }
    Some(
        Mistake::new(last.place, format!("a `)` is missing in `({section}` or behind it"))
            .hint("the text ends before its first parenthesis is closed"),
    )
}

/// Mistake for a section inside another one, whose closing parenthesis is missing.
fn missing_parenthesis(
    open: &[(Place, Vec<Node>)],
    chars: &Chars<'_>,
    place: Place,
) -> Option<Mistake> {
    if open.len() < 2 {
        return None;
    }
    let mut ahead = chars.chars.clone();
    let mut word = String::new();
    while let Some(c) = ahead.next_if(|&c| is_symbol(c)) {
        word.push(c);
    }
    // Names such as `end` occur in no expression, so `(end` always begins a section.
    if !SECTIONS.contains(&word.as_str()) {
        return None;
    }
    let game = open[0].1.first().is_some_and(|node| node.head() == Some("game"));
    let (before, items) = &open[1];
    let section = items.first().and_then(Node::head)?;
    if !game || !SECTIONS.contains(&section) || section == word {
        return None;
    }
    let message =
        format!("`({section}` is not closed before `({word}` begins in line {}", place.line);
    Some(
        Mistake::new(*before, message).hint(format!("a `)` is missing before line {}", place.line)),
    )
}

/// Characters that word processors substitute for others: the characters, their description, and
/// what to type instead.
const OF_WORD_PROCESSORS: [(&str, &str, &str); 4] = [
    ("\u{201c}\u{201d}\u{201e}\u{201f}\u{ab}\u{bb}\u{ff02}", "a quotation mark", "\""),
    ("\u{2018}\u{2019}\u{201a}\u{201b}\u{b4}`'", "a quotation mark", "\""),
    ("\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}\u{ad}", "a dash", "-"),
    ("\u{ff08}\u{ff09}", "a wide parenthesis", "( or )"),
];

/// Mistake for a character that is not allowed in words.
fn strange(place: Place, c: char) -> Mistake {
    let known = OF_WORD_PROCESSORS.iter().find(|(characters, ..)| characters.contains(c));
    if let Some((_, what, typed)) = known {
        let message = format!("`{c}` is {what} of another kind");
        return Mistake::new(place, message)
            .hint(format!("type {typed} here; word processors put {c} in its place"));
    }
    let hint = match c {
        '\u{feff}' => "a byte order mark stands at the beginning of a file only",
        _ => "words are small letters, digits and hyphens, as in `forward-diagonal`",
    };
    Mistake::new(place, format!("{c:?} cannot stand here")).hint(hint)
}

/// Tests whether a character may stand in a word.
pub(crate) fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '<' | '>' | '=' | '+')
}

/// Characters of a text with their places.
struct Chars<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
}

impl Chars<'_> {
    fn next(&mut self) -> Option<(Place, char)> {
        let place = self.place;
        let c = self.chars.next()?;
        if c == '\n' {
            self.place = Place { line: place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some((place, c))
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().copied()
    }

    /// Parses the rest of a string, without its quotation marks.
    fn string(&mut self, begin: Place) -> Result<String, Mistake> {
        let mut text = String::new();
        while let Some((_, c)) = self.next() {
            match c {
                '"' => return Ok(text),
                '\n' => break,
                c => text.push(c),
            }
        }
        Err(Mistake::new(begin, "this quotation mark is not closed in its line"))
    }

    /// Parses a word or number that begins with `first`.
    fn word(&mut self, begin: Place, first: char) -> Result<Is, Mistake> {
        let mut word = String::from(first);
        while let Some(c) = self.peek().filter(|&c| is_symbol(c)) {
            word.push(c);
            self.next();
        }
        // The codes of warnings, such as `W3`, are the only words with capitals.
        let is_code = word.len() > 1
            && word.strip_prefix('W').is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()));
        if is_code {
            return Ok(Is::Word(word));
        }
        if let Some(capital) = word.chars().find(char::is_ascii_uppercase) {
            let message = format!("`{word}` has the capital {capital}");
            let small = word.to_ascii_lowercase();
            let mistake = Mistake::new(begin, message).hint("all words are in small letters");
            return Err(Mistake { nearest: Some(small), ..mistake });
        }
        let digits = word.strip_prefix('-').unwrap_or(&word);
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) {
            let number = word.parse::<i32>().map_err(|_| {
                Mistake::new(begin, format!("the number {word} is too large")).hint(format!(
                    "numbers are {} to {}",
                    i32::MIN,
                    i32::MAX
                ))
            })?;
            return Ok(Is::Number(i64::from(number)));
        }
        Ok(Is::Word(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        let mistake = read(text).unwrap_err();
        let Place { line, column } = mistake.place;
        format!("{line}:{column} {}", mistake.message)
    }

    #[test]
    fn a_tree_is_written_back() {
        let text = "(game \"A b\" ; not this (\n (board (grid -3 3)) (x <=))";
        assert_eq!(read(text).unwrap().text(), "(game \"A b\" (board (grid -3 3)) (x <=))");
    }

    #[test]
    fn what_is_not_a_tree_is_refused_with_its_place() {
        assert_eq!(said(""), "1:1 the file has no game");
        assert_eq!(said("(a\n (b)"), "1:1 `(a` is not closed");
        assert_eq!(said("(a) )"), "1:5 this parenthesis closes nothing");
        assert_eq!(said("(a) (b)"), "1:5 the game has ended before this");
        assert_eq!(said("(a \"b\n\")"), "1:4 this quotation mark is not closed in its line");
        assert_eq!(said("(a\n  B)"), "2:3 `B` has the capital B");
        assert_eq!(said("(a {)"), "1:4 '{' cannot stand here");
        assert_eq!(said("(a 2147483648)"), "1:4 the number 2147483648 is too large");
        let end = "(game \"a\"\n (board (grid 3 3))\n (end (stuck draw))";
        assert_eq!(said(end), "3:2 a `)` is missing in `(end` or behind it");
        let board = "(game \"a\"\n (board (grid 3 3)\n (play (place)))";
        assert_eq!(said(board), "2:2 `(board` is not closed before `(play` begins in line 3");
    }

    #[test]
    fn characters_of_word_processors_are_named() {
        let hint = |text: &str| read(text).unwrap_err().hint.unwrap_or_default();
        for (text, typed) in [
            ("(game \u{201c}Name\u{201d})", "type \" here"),
            ("(game \u{2018}Name\u{2019})", "type \" here"),
            ("(a forward\u{2013}diagonal)", "type - here"),
            ("\u{ff08}game)", "type ( or ) here"),
        ] {
            assert!(hint(text).starts_with(typed), "{text}: {}", hint(text));
        }
        assert_eq!(said("(a\n \u{2014}1)"), "2:2 `\u{2014}` is a dash of another kind");
    }

    #[test]
    fn sizes_are_bounded() {
        assert!(said(&"(".repeat(65)).contains("more than 64 parentheses"));
        assert!(said(&format!("({})", "a ".repeat(5_001))).contains("more than 5000 words"));
        assert!(said(&" ".repeat(TEXT_BYTES_MAX + 1)).contains("65536 are the most"));
        assert!(said("(a 99999999999999999999999999)").contains("too large"));
    }
}
