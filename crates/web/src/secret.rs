//! Random secrets, and comparing them.

use std::fmt::Write;

/// Creates a secret of 128 random bits, as hexadecimal digits.
///
/// # Panics
///
/// If the system has no random numbers: a server without secrets protects nothing.
pub(crate) fn secret() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// Compares two texts in a time that depends on their lengths only.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let differing = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(differing) == 0 && a.len() == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_compared_as_a_whole() {
        let (a, b) = (secret(), secret());
        assert!(a.len() == 32 && a != b && is_same(&a, &a.clone()) && !is_same(&a, &b));
        assert!(!is_same("ab", "abc") && !is_same("", "a") && !is_same("abd", "abc"));
    }
}
