//! Rules of two-player games without hidden information.
//!
//! Each module is one game and states its rules in words. Boards are bitboards; nothing is
//! allocated while a game is played. A game with a usual size has that size as a constant (such as
//! [`connect_four::Standard`]) and any other size as a run-time value of the same rules. Tests
//! compare the two.
//!
//! This crate holds rules only: no search, no solver, no report.

mod captures;
mod pits;
mod position;
mod square;
mod subsets;

pub mod achi;
pub mod alak;
pub mod alquerque;
pub mod breakthrough;
pub mod checkers;
pub mod connect_four;
pub mod dipole;
pub mod dots_and_boxes;
pub mod dots_corridor;
pub mod finger_game;
pub mod forms;
pub mod isolation;
pub mod kalah;
pub mod mnk;
pub mod nine_mens_morris;
pub mod one_to_ten;
pub mod othello;
pub mod oware;
pub mod qubic;
pub mod tic_tac_toe;
pub mod wild_tic_tac_toe;

pub use treegauge_bits::{Wide, Word};
