//! Words of bits that hold a board, and many small random choices from few random numbers.
//!
//! Shared by games written in code and games described in text: a [`Word`] is a set of cells, and
//! [`Choices`] makes the choices of a playout.

mod choices;
mod wide;
mod word;

pub use choices::{Choices, take};
pub use wide::Wide;
pub use word::{
    NTH_IN_BYTE, Ones, Word, copy_without, each_bit, has_bit, has_run, nth_bit, nth_by_limb,
    random_bit,
};
