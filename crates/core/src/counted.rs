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
