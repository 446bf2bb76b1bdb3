//! The readers of untrusted input, one value each.

mod checkpoint;
mod difficulty;
mod journal;
mod model;
mod solved;
mod task;
mod texts;

use std::path::Path;

use anyhow::Result;

/// A reader of untrusted input, with valid input to begin from.
pub(crate) trait Reader {
    /// The name on the command line and of the files that are kept.
    fn name(&self) -> &'static str;

    /// Small valid inputs, made on the fly.
    ///
    /// # Errors
    ///
    /// When one cannot be made, or is not read as valid.
    fn samples(&self) -> Result<Vec<Vec<u8>>>;

    /// Makes checksums valid again where there are any and they can be found: with a wrong checksum
    /// the rest of a file would never be read.
    fn reseal(&self, bytes: &mut Vec<u8>) {
        let _ = bytes;
    }

    /// Reads the input, which is also in a file that the reader may change; returns whether it was
    /// accepted as valid.
    ///
    /// # Panics
    ///
    /// When the reader has an error.
    fn read(&self, bytes: &[u8], path: &Path) -> bool;
}

/// All of them.
pub(crate) fn all() -> Vec<Box<dyn Reader>> {
    let mut readers: Vec<Box<dyn Reader>> = vec![
        Box::new(solved::Solution),
        Box::new(checkpoint::Saved),
        Box::new(model::Stored),
        Box::new(task::Task),
    ];
    readers.extend(difficulty::all());
    readers.extend(journal::all());
    readers.extend(texts::all());
    readers
}
