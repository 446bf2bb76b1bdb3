//! Phrases for directions.

use super::Speaker;
use super::nouns::list;
use crate::board::Shape;
use crate::tree::Dirs;

/// Direction words in the order in which they are tried, with their adverbs.
const ADVERBS: &[(&str, &str)] = &[
    ("orthogonal", "along a row or column"),
    ("diagonal", "diagonally"),
    ("forward", "straight forward"),
    ("forward-diagonal", "diagonally forward"),
    ("sideways", "sideways"),
    ("backward", "straight backward"),
    ("backward-diagonal", "diagonally backward"),
    ("n", "to the north"),
    ("ne", "to the north-east"),
    ("e", "to the east"),
    ("se", "to the south-east"),
    ("s", "to the south"),
    ("sw", "to the south-west"),
    ("w", "to the west"),
    ("nw", "to the north-west"),
];

impl Speaker<'_> {
    /// Adverbs of the words that cover the directions, tried in the order of [`ADVERBS`].
    fn words_of(&self, dirs: &Dirs) -> Vec<&'static str> {
        let is_compass = |word: &str| word.len() <= 2;
        let (words, _) = self.words_among(dirs, &|_| true);
        let is_mixed = |words: &[(&str, _)]| {
            words.iter().any(|(word, _)| is_compass(word))
                && words.iter().any(|(word, _)| word.contains("ward"))
        };
        // A reader need not turn from the view of a player to that of the board, if points of the compass
        // say all.
        let words = match is_mixed(&words) {
            true => match self.words_among(dirs, &is_compass) {
                (of_compass, true) => of_compass,
                _ => words,
            },
            false => words,
        };
        words.into_iter().map(|(_, adverb)| adverb).collect()
    }

    /// Words that cover the directions, with their adverbs, among those that `is_meant` allows; and
    /// whether they cover all directions.
    fn words_among(
        &self,
        dirs: &Dirs,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> (Vec<(&'static str, &'static str)>, bool) {
        let board = &self.program.board;
        let mut left: [Vec<u8>; 2] = dirs.clone();
        let mut words = Vec::new();
        for (word, adverb) in ADVERBS.iter().filter(|(word, _)| is_meant(word)) {
            let Some(of_word) = board.directions(word) else { continue };
            let has = |player: usize| of_word[player].iter().all(|d| dirs[player].contains(d));
            let news = |player: usize| of_word[player].iter().any(|d| left[player].contains(d));
            if has(0) && has(1) && (news(0) || news(1)) {
                for player in 0..2 {
                    left[player].retain(|d| !of_word[player].contains(d));
                }
                let adverb = match (*word, board.shape) {
                    // On hexagonal boards `forward` means two directions.
                    ("forward", shape) if shape.is_hex() => "forward",
                    ("backward", shape) if shape.is_hex() => "backward",
                    ("orthogonal", Shape::Rings { .. }) => "along a line",
                    ("orthogonal", Shape::Grid { levels, .. }) if levels > 1 => {
                        "along a row, column or pillar"
                    }
                    _ => *adverb,
                };
                words.push((*word, adverb));
            }
        }
        (words, left.iter().all(Vec::is_empty))
    }

    fn is_all(&self, dirs: &Dirs) -> bool {
        self.program.board.directions("all").is_some_and(|all| all == *dirs)
    }

    /// Adverb for the directions of a move, such as `diagonally forward` or `in any direction`.
    pub(super) fn adverb(&self, dirs: &Dirs) -> String {
        if self.is_all(dirs) {
            return match self.program.board.shape {
                Shape::Rings { .. } | Shape::Graph => "along a line",
                _ => "in any direction",
            }
            .to_owned();
        }
        let words: Vec<String> = self.words_of(dirs).into_iter().map(str::to_owned).collect();
        list(&words, "or")
    }

    /// Adverb for directions that are all points of the compass, such as `to the north`; `None` for
    /// others.
    pub(super) fn bearing(&self, dirs: &Dirs) -> Option<String> {
        let words = if self.is_all(dirs) { Vec::new() } else { self.words_of(dirs) };
        let is_bearing = !words.is_empty() && words.iter().all(|word| word.starts_with("to the "));
        is_bearing.then(|| self.adverb(dirs))
    }

    /// Adverb for the directions of a line, such as ` along a row or column`; empty for all
    /// directions.
    pub(super) fn adverb_of_lines(&self, dirs: &Dirs) -> String {
        if self.is_all(dirs) { String::new() } else { format!(" {}", self.adverb(dirs)) }
    }

    /// Adjective for undirected lines in some directions, such as `diagonal`; empty for all.
    pub(super) fn adjective(&self, dirs: &[u8]) -> String {
        let board = &self.program.board;
        let mut found: Vec<u8> = dirs.to_vec();
        // A line runs both ways, so the opposite directions are included.
        found.extend(dirs.iter().map(|&d| board.directions[d as usize].back as u8));
        found.sort_unstable();
        found.dedup();
        let is = |word: &str| {
            board.directions(word).is_some_and(|[of_word, _]| {
                let mut both = of_word.clone();
                both.extend(of_word.iter().map(|&d| board.directions[d as usize].back as u8));
                both.sort_unstable();
                both.dedup();
                both == found
            })
        };
        let known = [
            ("all", ""),
            ("orthogonal", "orthogonal "),
            ("diagonal", "diagonal "),
            ("sideways", "horizontal "),
            ("n", "vertical "),
        ];
        match known.iter().find(|(word, _)| is(word)) {
            Some((_, adjective)) => (*adjective).to_owned(),
            None => {
                let words = self.words_of(&[dirs.to_vec(), dirs.to_vec()]);
                let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
                format!("straight ({}) ", list(&words, "or"))
            }
        }
    }
}
