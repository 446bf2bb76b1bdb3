//! Differences of two texts, line by line and word by word.

/// Cells of a table of common parts. Longer texts differ as a whole between their common beginning
/// and end.
const CELLS_MAX: usize = 4_000_000;

/// A line of one or of both texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Number in the old and in the new text, from 1; `None` if the text does not have the line.
    pub(crate) old: Option<usize>,
    pub(crate) new: Option<usize>,
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    /// Whether the other text lacks it.
    pub(crate) is_changed: bool,
}

impl Row {
    /// Whether both texts have the line.
    pub(crate) fn is_same(&self) -> bool {
        self.old.is_some() && self.new.is_some()
    }
}

/// The lines of both texts in order; of changed lines those of the old text come first.
pub(crate) fn rows(old: &str, new: &str) -> Vec<Row> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut rows = Vec::new();
    let (mut a, mut b) = (0, 0);
    let mut pairs = common(&old, &new);
    // The end of both, behind which nothing follows.
    pairs.push((old.len(), new.len()));
    for (to_a, to_b) in pairs {
        changed(&old[a..to_a], &new[b..to_b], (a, b), &mut rows);
        if let Some(line) = old.get(to_a) {
            let pieces = vec![Piece { text: (*line).to_owned(), is_changed: false }];
            rows.push(Row { old: Some(to_a + 1), new: Some(to_b + 1), pieces });
        }
        (a, b) = (to_a + 1, to_b + 1);
    }
    rows
}

/// Adds the rows of lines that replace others. The first is compared with the first, and so on.
fn changed(old: &[&str], new: &[&str], (a, b): (usize, usize), rows: &mut Vec<Row>) {
    let pairs: Vec<_> = old.iter().zip(new).map(|(old, new)| pieces(old, new)).collect();
    let whole = |line: &str| vec![Piece { text: line.to_owned(), is_changed: true }];
    for (n, line) in old.iter().enumerate() {
        let pieces = pairs.get(n).map_or_else(|| whole(line), |(pieces, _)| pieces.clone());
        rows.push(Row { old: Some(a + n + 1), new: None, pieces });
    }
    for (n, line) in new.iter().enumerate() {
        let pieces = pairs.get(n).map_or_else(|| whole(line), |(_, pieces)| pieces.clone());
        rows.push(Row { old: None, new: Some(b + n + 1), pieces });
    }
}

/// The pieces of two lines.
fn pieces(old: &str, new: &str) -> (Vec<Piece>, Vec<Piece>) {
    let (old, new) = (words(old), words(new));
    let pairs = common(&old, &new);
    let marked = |words: &[&str], is_common: &dyn Fn(usize) -> bool| {
        let mut pieces: Vec<Piece> = Vec::new();
        for (n, word) in words.iter().enumerate() {
            let is_changed = !is_common(n);
            match pieces.last_mut() {
                Some(last) if last.is_changed == is_changed => last.text.push_str(word),
                _ => pieces.push(Piece { text: (*word).to_owned(), is_changed }),
            }
        }
        pieces
    };
    (
        marked(&old, &|n| pairs.iter().any(|pair| pair.0 == n)),
        marked(&new, &|n| pairs.iter().any(|pair| pair.1 == n)),
    )
}

/// Words, blanks and single other characters of a line.
fn words(line: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_alphanumeric() || c == '-' => 0,
        _ if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut begin = 0;
    let mut last = None;
    for (at, c) in line.char_indices() {
        let now = kind(c);
        if last.is_some_and(|last| last != now || now == 2) {
            words.push(&line[begin..at]);
            begin = at;
        }
        last = Some(now);
    }
    if begin < line.len() {
        words.push(&line[begin..]);
    }
    words
}

/// The longest common subsequence of two lists, as pairs of places (Hirschberg 1975 describes the
/// table).
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&old[before..], &new[before..]);
    let after = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (mid_a, mid_b) = (&rest_a[..rest_a.len() - after], &rest_b[..rest_b.len() - after]);
    let mut pairs: Vec<(usize, usize)> = (0..before).map(|n| (n, n)).collect();
    let width = mid_b.len() + 1;
    if (mid_a.len() + 1) * width <= CELLS_MAX {
        // Lengths of the longest common subsequences of the rests of both.
        let mut lengths = vec![0_u32; (mid_a.len() + 1) * width];
        for a in (0..mid_a.len()).rev() {
            for b in (0..mid_b.len()).rev() {
                lengths[a * width + b] = if mid_a[a] == mid_b[b] {
                    lengths[(a + 1) * width + b + 1] + 1
                } else {
                    lengths[(a + 1) * width + b].max(lengths[a * width + b + 1])
                };
            }
        }
        let (mut a, mut b) = (0, 0);
        while a < mid_a.len() && b < mid_b.len() {
            if mid_a[a] == mid_b[b] {
                pairs.push((before + a, before + b));
                (a, b) = (a + 1, b + 1);
            } else if lengths[(a + 1) * width + b] >= lengths[a * width + b + 1] {
                a += 1;
            } else {
                b += 1;
            }
        }
    }
    let (end_a, end_b) = (old.len() - after, new.len() - after);
    pairs.extend((0..after).map(|n| (end_a + n, end_b + n)));
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rows as text: changed pieces stand in brackets.
    fn shown(old: &str, new: &str) -> Vec<String> {
        let piece = |piece: &Piece| {
            if piece.is_changed { format!("[{}]", piece.text) } else { piece.text.clone() }
        };
        let sign = |row: &Row| match (row.old, row.new) {
            (Some(_), Some(_)) => ' ',
            (Some(_), None) => '-',
            _ => '+',
        };
        let row = |row: Row| {
            format!("{}{}", sign(&row), row.pieces.iter().map(piece).collect::<String>())
        };
        rows(old, new).into_iter().map(row).collect()
    }

    #[test]
    fn changed_words_are_marked_within_their_lines() {
        let old = "(game \"A\"\n  (board (grid 8 8))\n  (play (step man all)))";
        let new =
            "(game \"A\"\n  (board (grid 7 8))\n  (pieces (man each))\n  (play (step man all)))";
        assert_eq!(
            shown(old, new),
            [
                " (game \"A\"",
                "-  (board (grid [8] 8))",
                "+  (board (grid [7] 8))",
                "+[  (pieces (man each))]",
                "   (play (step man all)))",
            ]
        );
        assert_eq!(shown("a\nb", "a"), [" a", "-[b]"]);
        assert_eq!(shown("", "x"), ["+[x]"]);
        assert!(shown("", "").is_empty());
    }

    proptest! {
        #[test]
        fn the_rows_contain_both_texts(old in "([ab( ]{0,4}\n){0,12}", new in "([ab( ]{0,4}\n){0,12}") {
            let rows = rows(&old, &new);
            let text = |has: &dyn Fn(&Row) -> bool| -> String {
                let line = |row: &Row| {
                    row.pieces.iter().map(|piece| piece.text.as_str()).collect::<String>() + "\n"
                };
                rows.iter().filter(|row| has(row)).map(line).collect()
            };
            prop_assert_eq!(text(&|row| row.old.is_some()), old);
            prop_assert_eq!(&text(&|row| row.new.is_some()), &new);
            let numbers: Vec<usize> = rows.iter().filter_map(|row| row.new).collect();
            prop_assert_eq!(numbers, (1..=new.lines().count()).collect::<Vec<_>>());
        }
    }
}
