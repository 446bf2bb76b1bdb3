//! Sizes in bytes.

/// Reads a size in bytes: a whole number, then perhaps K, M, G or T, each 1,024 of the former.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 2000000, 500M or 6G".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let power = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 1,
        "M" | "MB" | "MIB" => 2,
        "G" | "GB" | "GIB" => 3,
        "T" | "TB" | "TIB" => 4,
        _ => return Err(expected()),
    };
    let number: u64 = digits.parse().map_err(|_| expected())?;
    number.checked_mul(1024u64.pow(power)).ok_or_else(|| "that is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("0"), Ok(0));
        assert_eq!(parse_size("2000"), Ok(2_000));
        assert_eq!(parse_size("3k"), Ok(3 << 10));
        assert_eq!(parse_size("500MB"), Ok(500 << 20));
        assert_eq!(parse_size("6G"), Ok(6 << 30));
        for bad in ["", "G", "6X", "-1", "1.5G", "99999999999999999999", "99999999T", "6 G"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
