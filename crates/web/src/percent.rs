//! Percent-encoding of the pieces of a path.

use std::fmt::Write;

/// Encodes a text as one piece of a path. The result has no slash, and no ending that is one of
/// [`ENDINGS`].
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' | b'.' => {
                out.push(byte.into());
            }
            // These need no code in a path, and the names of games have them.
            b'(' | b')' | b',' | b'=' => out.push(byte.into()),
            _ => _ = write!(out, "%{byte:02X}"),
        }
    }
    for ending in ENDINGS {
        if let Some(name) = out.strip_suffix(ending) {
            return format!("{name}%2E{}", &ending[1..]);
        }
    }
    out
}

/// Endings that ask for another form of a page.
pub(crate) const ENDINGS: [&str; 3] = [".json", ".html", ".txt"];

/// Decodes one piece of a path; `None` if it is not UTF-8, has a control character or has a bad
/// code.
pub(crate) fn decoded(piece: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(piece.len());
    let mut rest = piece.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push((16 * high + low) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.chars().any(char::is_control))
}
