//! Readers of untrusted input, one value each.

mod checkpoint;
mod difficulty;
mod journal;
mod model;
mod network;
mod solved;
mod task;
mod texts;
mod workbench;

use std::path::Path;

use anyhow::Result;

/// A reader of untrusted input, with valid samples to damage.
pub(crate) trait Reader {
    /// Name on the command line and of the files of kept inputs.
    fn name(&self) -> &'static str;

    /// Makes small valid inputs.
    ///
    /// # Errors
    ///
    /// If a sample cannot be made, or the reader refuses it.
    fn samples(&self) -> Result<Vec<Vec<u8>>>;

    /// Makes the checksums valid again, if the input has any and they can be found. A reader stops
    /// at a wrong checksum and would never reach the rest of the file.
    fn reseal(&self, bytes: &mut Vec<u8>) {
        let _ = bytes;
    }

    /// Reads the input, which is also in a file that the reader may change. Returns whether the
    /// input is valid.
    ///
    /// # Panics
    ///
    /// If the reader has a bug.
    fn read(&self, bytes: &[u8], path: &Path) -> bool;
}

/// Every reader.
pub(crate) fn all() -> Vec<Box<dyn Reader>> {
    let mut readers: Vec<Box<dyn Reader>> = vec![
        Box::new(solved::Solution),
        Box::new(checkpoint::Saved),
        Box::new(model::Stored),
        Box::new(network::HumanNetwork),
        Box::new(task::Task),
    ];
    readers.extend(difficulty::all());
    readers.extend(journal::all());
    readers.extend(texts::all());
    readers.extend(workbench::all());
    readers
}
