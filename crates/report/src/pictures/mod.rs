//! Pictures that say the result of a report by themselves, one for each kind of report.
//!
//! A picture has fixed colours on a light ground and fonts of the system, so that it looks alike
//! in a document, on a web page and in a viewer of pictures. Its description has the same facts in
//! words.

mod card;
pub(crate) mod compare;
pub(crate) mod dataset;
pub(crate) mod difficulty;
pub(crate) mod evaluate;
mod font;
pub(crate) mod gauge;
pub(crate) mod generate;
pub(crate) mod interest;
pub(crate) mod matches;
mod parts;
pub(crate) mod puzzles;
pub(crate) mod solve;
pub(crate) mod tournament;
pub(crate) mod vet;

pub(crate) use font::Font;

#[cfg(test)]
mod tests;
