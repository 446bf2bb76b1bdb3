//! Reasons why a game cannot be solved, in words.

use treegauge_core::Progress;
use treegauge_solve::{Reached, SolveError, Whole, size_words};

use crate::words::counted_grouped;

/// Explains why a game cannot be solved. If memory ran out, it also describes the size of the whole
/// game.
#[must_use]
pub fn refused_words(error: &SolveError) -> String {
    match error {
        SolveError::Memory { reached, .. } => format!("{error}{}", reached_words(reached)),
        _ => error.to_string(),
    }
}

/// Size of a large game while its positions are being found.
#[must_use]
pub fn large_words(progress: &Progress) -> String {
    match progress.expected {
        Some(expected) => format!("about {} positions", two_digits(expected as f64)),
        None => format!("over {} positions", two_digits(progress.known as f64)),
    }
}

/// Progress of a solve when memory ran out, and the resulting size of the whole game.
fn reached_words(reached: &Reached) -> String {
    let found = counted_grouped(reached.positions, "position");
    match reached.whole {
        Whole::Exactly { .. } => format!("; all positions were found: the game has {found}"),
        whole => {
            let levels = match reached.levels {
                0 => String::new(),
                levels => format!(" in {}", counted_grouped(levels, "level")),
            };
            let rest = match whole {
                Whole::About { positions, bytes } => format!(
                    "if their number keeps growing as it did, the whole game has about {} and needs about {} \
                     (an estimate that may be wrong by a factor of three)",
                    two_digits(positions as f64),
                    size_words(bytes)
                ),
                _ => "the number of the others is not known yet".to_owned(),
            };
            if reached.positions == 0 {
                return String::new();
            }
            format!("; this was needed for {found}{levels}, and {rest}")
        }
    }
}

/// Number with two significant digits: an estimate has no more certain ones.
#[must_use]
pub fn two_digits(number: f64) -> String {
    let (number, unit) = match number {
        n if n >= 1e9 => (n / 1e9, " billion"),
        n if n >= 1e6 => (n / 1e6, " million"),
        n if n >= 1e3 => (n / 1e3, " thousand"),
        n => (n, ""),
    };
    if number < 9.95 && !unit.is_empty() {
        format!("{number:.1}{unit}")
    } else {
        format!("{number:.0}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rough_numbers_have_two_digits_or_three() {
        let cases = [
            (7.4, "7"),
            (999.0, "999"),
            (1_234.0, "1.2 thousand"),
            (56_789.0, "57 thousand"),
            (2_060_000.0, "2.1 million"),
            (123_456_789.0, "123 million"),
            (4.53e12, "4530 billion"),
        ];
        for (number, words) in cases {
            assert_eq!(two_digits(number), words);
        }
    }

    #[test]
    fn a_refused_solve_says_how_far_it_was() {
        let mut reached = Reached { positions: 1, levels: 0, whole: Whole::Unknown };
        let rest = "the number of the others is not known yet";
        assert_eq!(
            reached_words(&reached),
            format!("; this was needed for 1 position, and {rest}")
        );
        (reached.positions, reached.levels) = (56_789, 9);
        let known = "; this was needed for 56,789 positions in 9 levels, and ";
        assert_eq!(reached_words(&reached), known.to_owned() + rest);
        reached.whole = Whole::About { positions: 4_100_000, bytes: 61_000_000 };
        let about = "if their number keeps growing as it did, the whole game has about 4.1 million and needs about \
                     58.2 MB (an estimate that may be wrong by a factor of three)";
        assert_eq!(reached_words(&reached), known.to_owned() + about);
        reached.whole = Whole::Exactly { bytes: 738_257 };
        let all = "; all positions were found: the game has 56,789 positions";
        assert_eq!(reached_words(&reached), all);
    }
}
