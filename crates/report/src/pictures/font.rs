//! Widths of texts, and texts that fit a width.

/// Widths of the printable ASCII characters of DejaVu Sans, in hundredths of the font size. It is
/// wider than the other fonts that `system-ui` may stand for, so a text that fits in it fits in all
/// of them.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34, // space to /
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, // 0 to ?
    100, 69, 69, 70, 77, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79, // @ to O
    61, 79, 70, 64, 61, 74, 69, 99, 69, 61, 69, 39, 34, 39, 84, 50, // P to _
    50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, // ` to o
    64, 64, 42, 52, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84, // p to ~
];

/// Size and weight of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Font {
    /// Size in pixels.
    pub(crate) size: f64,
    /// Whether the text is bold.
    pub(crate) bold: bool,
}

impl Font {
    pub(crate) const fn plain(size: f64) -> Font {
        Font { size, bold: false }
    }

    pub(crate) const fn bold(size: f64) -> Font {
        Font { size, bold: true }
    }

    /// Width of a text in pixels, at most.
    pub(crate) fn width(self, text: &str) -> f64 {
        let hundredths = |c: char| match u32::from(c) {
            code @ 32..127 => f64::from(WIDTHS[code as usize - 32]),
            ..0x1100 => 80.0,
            _ => 105.0,
        };
        let weight = if self.bold { 1.13 } else { 1.0 };
        text.chars().map(hundredths).sum::<f64>() * weight * self.size / 100.0
    }

    /// A text that fits into `width`: where it is too long, its middle becomes an ellipsis, since
    /// names that begin alike differ at their ends.
    pub(crate) fn shortened(self, text: &str, width: f64) -> String {
        // The width may have been computed from that of the text, and be rounded.
        if self.width(text) <= width + 0.01 {
            return text.to_owned();
        }
        let letters: Vec<char> = text.chars().collect();
        for kept in (0..letters.len()).rev() {
            let begin = kept.div_ceil(2);
            let shortened: String = letters[..begin]
                .iter()
                .chain(&['\u{2026}'])
                .chain(&letters[letters.len() - (kept - begin)..])
                .collect();
            if self.width(&shortened) <= width {
                return shortened;
            }
        }
        String::new()
    }

    /// A text in lines of at most `width`. From a text that needs more than `most` lines the rest
    /// is left out, behind an ellipsis.
    pub(crate) fn lines(self, text: &str, width: f64, most: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if self.width(&longer) <= width {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line = self.shortened(word, width);
        }
        lines.push(line);
        lines.retain(|line| !line.is_empty());
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                while self.width(last) + self.width("\u{2026}") > width && last.pop().is_some() {}
                let end = last.trim_end_matches([' ', ',', ';', ':', '.', '(']).len();
                last.truncate(end);
                last.push('\u{2026}');
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::Font;

    #[test]
    fn a_long_name_loses_its_middle() {
        let font = Font::plain(10.0);
        assert_eq!(font.shortened("achi", 40.0), "achi");
        let name = "connect_four(cols=8,rows=7)";
        let short = font.shortened(name, 100.0);
        assert!(short.starts_with("connec") && short.ends_with("rows=7)"), "{short}");
        assert!(font.width(&short) <= 100.0 && short.contains('\u{2026}'));
        assert_eq!(font.shortened(name, 1.0), "");
    }

    #[test]
    fn a_text_is_broken_between_words_and_cut_at_its_end() {
        let font = Font::plain(10.0);
        let text = "The first player wins with best play, and draws are rare.";
        let whole = font.lines(text, 130.0, 9);
        assert_eq!(whole.join(" "), text);
        assert!(whole.len() > 2 && whole.iter().all(|line| font.width(line) <= 130.0));
        let cut = font.lines(text, 130.0, 2);
        assert_eq!(cut[0], whole[0]);
        assert!(cut.len() == 2 && cut[1].ends_with('\u{2026}'), "{cut:?}");
        assert!(cut.iter().all(|line| font.width(line) <= 130.0));
        assert!(font.lines("", 130.0, 2).is_empty());
    }
}
