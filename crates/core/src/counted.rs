//! Counts with their nouns.

/// Writes a count with its noun: `1 game`, `2 games`, `0 plies`. The last word of the noun takes
/// the plural.
///
/// ```
/// use treegauge_core::counted;
///
/// assert_eq!(counted(1_u32, "legal move"), "1 legal move");
/// assert_eq!(counted(3_u32, "ply"), "3 plies");
/// assert_eq!(counted(2_u64, "search"), "2 searches");
/// ```
#[must_use]
pub fn counted(n: impl Into<u64>, noun: &str) -> String {
    match n.into() {
        1 => format!("1 {noun}"),
        n => format!("{n} {}", plural(noun)),
    }
}

/// Plural of a regular English noun.
fn plural(noun: &str) -> String {
    let is_vowel = |c: char| "aeiou".contains(c);
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(is_vowel) => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => {
            format!("{noun}es")
        }
        _ => format!("{noun}s"),
    }
}

/// A whole number with a comma behind each group of three digits, as English writes it.
///
/// ```
/// use treegauge_core::grouped;
///
/// assert_eq!(grouped(999_u32), "999");
/// assert_eq!(grouped(1_234_567_u64), "1,234,567");
/// ```
#[must_use]
pub fn grouped(n: impl Into<u64>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_go_with_their_numbers() {
        let many = ["game", "ply", "day", "box", "search", "pass"].map(|noun| counted(2_u8, noun));
        assert_eq!(many, ["2 games", "2 plies", "2 days", "2 boxes", "2 searches", "2 passes"]);
        assert_eq!([0_u8, 1].map(|n| counted(n, "point")), ["0 points", "1 point"]);
    }
}
