//! What reads untrusted input, one value each.

mod checkpoint;
mod journal;
mod solved;
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

    /// Makes checksums right again, as far as there are any and they can be found: behind a wrong
    /// checksum nothing else of a file would ever be read.
    fn reseal(&self, bytes: &mut Vec<u8>) {
        let _ = bytes;
    }

    /// Reads the input, which also stands in a file of which the reader may make what it likes;
    /// returns whether it was taken as valid.
    ///
    /// # Panics
    ///
    /// When the reader has an error.
    fn read(&self, bytes: &[u8], path: &Path) -> bool;
}

/// All of them.
pub(crate) fn all() -> Vec<Box<dyn Reader>> {
    let mut readers: Vec<Box<dyn Reader>> =
        vec![Box::new(solved::Solution), Box::new(checkpoint::Saved)];
    readers.extend(journal::all());
    readers.extend(texts::all());
    readers
}
