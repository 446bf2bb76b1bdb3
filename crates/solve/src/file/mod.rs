//! Solution files.
//!
//! ```text
//! header    what was solved and the result, see Header; its length and checksum
//! blocks    16,384 positions each, the last one fewer, in ascending order of keys
//! index     for each block its first key and where it begins; its checksum
//! sections  what later work adds, each with a name
//! directory for each section its name, where it begins, its length, its checksum; its checksum
//! ```
//!
//! Every byte is under a checksum (XXH3 of 64 bits). Opening a file reads the header, the index
//! and the directory; asking for a position reads one block. Files are written under a temporary
//! name in the same folder, synced and renamed, so that a file is never incomplete. The same
//! solution gives the same bytes.
//!
//! # Example
//!
//! ```
//! use treegauge_core::{Capabilities, Plies};
//! use treegauge_games::one_to_ten::OneToTen;
//! use treegauge_solve::file::{FileError, SolutionFile, with_section, write_file};
//! use treegauge_solve::verify::verify;
//! use treegauge_solve::{Options, Solvable, Value, ExactValue, solve};
//!
//! let game = OneToTen::new(10, 2, false, Plies(100));
//! let rules = Solvable::of(game, Capabilities::none().tiered().indexed());
//! let solution = solve(&rules, rules.start(), Options::default(), &())?.done().expect("nothing stops it");
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("one_to_ten.tgs");
//! let header = write_file(&path, &solution, "one_to_ten", None, &())?;
//! assert_eq!(Some(header.digest), solution.digest(None, &()));
//!
//! // One position is read without the others.
//! let file = SolutionFile::open(&path, rules.clone(), "one_to_ten")?;
//! assert_eq!(file.get(rules.start())?, Some(ExactValue { value: Value::Win, remoteness: 7 }));
//! assert!(verify(&file, None, &())?.is_ok());
//!
//! // Later work adds its results as a section.
//! with_section(&path, "notes", b"checked")?;
//! let file = SolutionFile::open(&path, rules.clone(), "one_to_ten")?;
//! assert_eq!(file.section("notes")?.as_deref(), Some(&b"checked"[..]));
//!
//! // A file of another game is refused.
//! let other = SolutionFile::open(&path, rules, "one_to_ten(target=12)");
//! assert!(matches!(other, Err(FileError::OtherGame { .. })));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod directory;
mod error;
mod header;
mod landscape;
mod read;
mod rules_hash;
mod write;

#[cfg(test)]
mod tests;

pub use block::BLOCK_LEN;
pub use error::{FileError, Part};
pub use header::{Header, is_solution_file};
pub use landscape::{Landscape, Wanted};
pub use read::SolutionFile;
pub use rules_hash::rules_hash;
pub use write::{with_section, write_file};
