//! Estimates in words.

/// A number with two digits: an estimate has no more that are certain.
pub(super) fn rough(number: f64) -> String {
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
    use super::rough;

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
            assert_eq!(rough(number), words);
        }
    }
}
