//! The solution file.
//!
//! ```text
//! header    what was solved and what came of it, see Header; its length and checksum
//! blocks    16,384 positions each, the last one fewer, in ascending order of keys
//! index     for each block its first key and where it begins; its checksum
//! sections  what later work adds, each with a name
//! directory for each section its name, where it begins, its length, its checksum; its checksum
//! ```
//!
//! Every byte is under a checksum (XXH3 of 64 bits). Opening a file reads the header, the index
//! and the directory; asking for a position reads one block. Files are written under a temporary
//! name in the same folder, synced and renamed, so that none is ever half there. The same solution
//! gives the same bytes.

mod block;
mod error;
mod header;
mod read;
mod rules_hash;
mod write;

#[cfg(test)]
mod tests;

pub use error::{FileError, Part};
pub use header::Header;
pub use read::SolutionFile;
pub use rules_hash::rules_hash;
pub use write::{with_section, write_file};

/// The positions of a block, but for the last.
pub const BLOCK_LEN: usize = 1 << 14;

/// The most positions that a reader takes for one block.
const BLOCK_LEN_MAX: usize = 1 << 20;
