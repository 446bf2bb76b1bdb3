//! Words of a command line, for a shell.

use std::ffi::OsStr;

/// A word as a POSIX shell takes it; one that cannot be printed as it is, as the shells do that know
/// `$'...'`, which is in POSIX since 2024.
#[must_use]
pub fn quoted(word: &OsStr) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match word.to_str() {
        Some(word) if !word.is_empty() && word.chars().all(plain) => word.to_owned(),
        Some(word) if !word.chars().any(char::is_control) => {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
        _ => escaped(word.as_encoded_bytes()),
    }
}

/// Name of an input in messages: `standard input` for `-`, otherwise its path.
#[must_use]
pub fn input_name(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}

fn escaped(bytes: &[u8]) -> String {
    let mut word = "$'".to_owned();
    for &byte in bytes {
        match byte {
            b'\'' | b'\\' => word.extend(['\\', char::from(byte)]),
            b' '..=b'~' => word.push(char::from(byte)),
            // Three digits, so that what follows cannot belong to them.
            _ => word.push_str(&format!("\\{byte:03o}")),
        }
    }
    word + "'"
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_the_shell() {
        let cases = [
            ("gauge", "gauge"),
            ("", "''"),
            ("othello(size=6)", "'othello(size=6)'"),
            ("it's", r"'it'\''s'"),
            ("--record=a.jsonl", "--record=a.jsonl"),
            ("ä", "'ä'"),
            ("a\tb'c\\", r"$'a\011b\'c\\'"),
        ];
        for (word, expected) in cases {
            assert_eq!(quoted(word.as_ref()), expected);
        }
    }
    #[cfg(unix)]
    #[test]
    fn names_of_files_that_are_no_text_are_kept() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let name = OsStr::from_bytes(b"a \xff'\n\\7");
        assert_eq!(quoted(name), r"$'a \377\'\012\\7'");
    }
}
