//! Directions in a sentence.

use super::Speaker;
use super::nouns::list;
use crate::board::Shape;
use crate::tree::Dirs;

/// The words of directions in the order in which they are tried, with their adverbs.
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
    /// The least list of words that make some directions.
    fn words_of(&self, dirs: &Dirs) -> Vec<&'static str> {
        let board = &self.program.board;
        let mut left: [Vec<u8>; 2] = dirs.clone();
        let mut words = Vec::new();
        for (word, adverb) in ADVERBS {
            let Some(of_word) = board.directions(word) else { continue };
            let has = |player: usize| of_word[player].iter().all(|d| dirs[player].contains(d));
            let news = |player: usize| of_word[player].iter().any(|d| left[player].contains(d));
            if has(0) && has(1) && (news(0) || news(1)) {
                for player in 0..2 {
                    left[player].retain(|d| !of_word[player].contains(d));
                }
                let adverb = match (*word, board.shape) {
                    // On boards of hexagons forward is two ways.
                    ("forward", shape) if shape.is_hex() => "forward",
                    ("backward", shape) if shape.is_hex() => "backward",
                    ("orthogonal", Shape::Rings { .. }) => "along a line",
                    ("orthogonal", Shape::Grid { levels, .. }) if levels > 1 => {
                        "along a row, column or pillar"
                    }
                    _ => *adverb,
                };
                words.push(adverb);
            }
        }
        words
    }

    fn is_all(&self, dirs: &Dirs) -> bool {
        self.program.board.directions("all").is_some_and(|all| all == *dirs)
    }

    /// Where a piece goes: `diagonally forward`, `in any direction`.
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

    /// The same of lines, empty for all directions: `along a row or column`.
    pub(super) fn adverb_of_lines(&self, dirs: &Dirs) -> String {
        if self.is_all(dirs) { String::new() } else { format!(" {}", self.adverb(dirs)) }
    }

    /// Lines in some directions, which have no beginning: `diagonal`, `orthogonal`; empty for all.
    pub(super) fn adjective(&self, dirs: &[u8]) -> String {
        let board = &self.program.board;
        let mut found: Vec<u8> = dirs.to_vec();
        // A line is the same both ways.
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
