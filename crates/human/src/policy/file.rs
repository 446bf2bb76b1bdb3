//! File of a policy: gzip of a text.
//!
//! ```text
//! treegauge human policy 1
//! note learned on ...
//! route 322 1504 -63
//! ```
//!
//! The first line is the kind and the version. A note is a sentence. Each other line has a group, the
//! number of a feature in it, and its base and slope in thousandths; features that are not listed
//! have the weight 0.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use thiserror::Error;

use super::Policy;
use super::features::{FEATURE_GROUPS, FEATURES, group_of, offset};

const TITLE: &str = "treegauge human policy 1";
const BYTES_MAX: u64 = 16 << 20;
const THOUSANDTHS_MAX: i32 = 1_000_000;

/// Reason that a file is not a policy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The gzip data are damaged, or the text is longer than 16 MiB.
    #[error("the gzip data of the policy are damaged, or hold more than 16 MiB")]
    Gzip,
    /// The file begins in another way than policies of this version.
    #[error("the file is not a policy: its first line is not {TITLE:?}")]
    NotAPolicy,
    /// A line is not a group, a number and two weights.
    #[error("line {line} of the policy is not a group, a number of a feature and two weights")]
    Line {
        /// Number of the line, from 1.
        line: usize,
    },
}

impl Policy {
    /// Reads a file of a policy.
    ///
    /// # Errors
    ///
    /// When the file is damaged or not a policy.
    pub fn read(file: &[u8]) -> Result<Policy, PolicyError> {
        let mut text = String::new();
        MultiGzDecoder::new(file)
            .take(BYTES_MAX)
            .read_to_string(&mut text)
            .map_err(|_| PolicyError::Gzip)?;
        if text.len() as u64 == BYTES_MAX {
            return Err(PolicyError::Gzip);
        }
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(PolicyError::NotAPolicy);
        }
        let mut policy = Policy { weights: vec![[0; 2]; FEATURES], notes: Vec::new() };
        for (index, line) in lines.enumerate() {
            if let Some(note) = line.strip_prefix("note ") {
                policy.notes.push(note.to_owned());
                continue;
            }
            let (feature, weights) = weight(line).ok_or(PolicyError::Line { line: index + 2 })?;
            policy.weights[feature] = weights;
        }
        Ok(policy)
    }

    /// File of the policy. A line break in a note becomes a space.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut text = format!("{TITLE}\n");
        for note in &self.notes {
            text += &format!("note {}\n", note.replace(['\n', '\r'], " "));
        }
        for (feature, [base, slope]) in self.weights.iter().enumerate() {
            if [base, slope] != [&0, &0] {
                let group = group_of(feature);
                let (name, number) = (FEATURE_GROUPS[group].name, feature - offset(group));
                text += &format!("{name} {number} {base} {slope}\n");
            }
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder
            .write_all(text.as_bytes())
            .and_then(|()| encoder.finish())
            .expect("memory takes all bytes")
    }
}

/// Feature of a line with its weights.
fn weight(line: &str) -> Option<(usize, [i32; 2])> {
    let words: Vec<&str> = line.split(' ').collect();
    let [name, number, base, slope] = words[..] else { return None };
    let group = FEATURE_GROUPS.iter().position(|group| group.name == name)?;
    let number: usize = number.parse().ok()?;
    let within = |text: &str| {
        let value: i32 = text.parse().ok()?;
        (-THOUSANDTHS_MAX..=THOUSANDTHS_MAX).contains(&value).then_some(value)
    };
    let weights = [within(base)?, within(slope)?];
    (number < FEATURE_GROUPS[group].size).then_some((offset(group) + number, weights))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn policies_are_written_and_read() {
        let weights = (0..FEATURES as i32).map(|n| [n % 7 * 100 - 300, n % 3 - 1]).collect();
        let policy = Policy::new(weights, vec!["one".into(), "two words".into()]).unwrap();
        assert_eq!(Policy::read(&policy.write()), Ok(policy));
        assert_eq!(Policy::new(vec![[0; 2]], Vec::new()), None);
        let shipped = Policy::shipped();
        assert_eq!(Policy::read(&shipped.write()).as_ref(), Ok(shipped));
        assert!(shipped.write().len() <= 200_000 && shipped.notes().len() >= 2);
    }

    #[test]
    fn damage_is_named() {
        let valid = gzip(&format!("{TITLE}\nnote x\nmate 0 5 -5\n"));
        assert!(Policy::read(&valid).is_ok());
        assert_eq!(Policy::read(&valid[..valid.len() - 9]), Err(PolicyError::Gzip));
        assert_eq!(Policy::read(b"text"), Err(PolicyError::Gzip));
        assert_eq!(Policy::read(&gzip("other")), Err(PolicyError::NotAPolicy));
        for line in ["mate 2 0 0", "mate 0 0", "x 0 0 0", "mate 0 1 z", "mate 0 1000001 0", ""] {
            let text = format!("{TITLE}\nmate 0 1 1\n{line}\n");
            assert_eq!(Policy::read(&gzip(&text)), Err(PolicyError::Line { line: 3 }), "{line}");
        }
    }
}
