//! Alak: Go on a line.
//!
//! # Rules
//!
//! The board is a row of `length` cells (11). In turn each player places a stone on an empty
//! cell. Then, to the left and to the right of it, an unbroken run of the opponent's stones next to
//! the new stone is removed if beyond its far end there is another stone of the mover or the end of
//! the board. Own stones are never removed. The cells that were emptied are forbidden to the
//! opponent in the next turn. A player who has no cell to play on ends the game: more stones on the
//! board win, equal numbers draw.
//!
//! Positions can come back: the third occurrence of one, with the same forbidden cells, is a draw.
//!
//! Instead of the cells that were emptied ([`Ban::Captured`]) the rules can forbid only moves that
//! recreate the position before the opponent's last move ([`Ban::Recreating`]), or nothing
//! ([`Ban::None`]). The first includes the second: a move that recreates a position refills the one
//! cell that was emptied. So a fourth ban with both would be the same as the first.
//!
//! A move is written as the letter of its cell and listed from the left. A position is its cells,
//! with `*` for a forbidden one, and the player to move.
//!
//! # Known values
//!
//! The rules are Alan Baljeu's (rec.games.abstract, 2001). Dewdney's "The Planiverse" (1984) has
//! a board of 11 cells. Williams 2010 ("Determining Game Quality Through UCT Tree Shape Analysis")
//! broke the game by allowing the immediate repetition of a position, which is [`Ban::None`].
//!
//! Endless play being a draw, the first player wins with 3 cells in 3 plies, with 5 in 7 and with
//! 7 in 13; it loses with 4 cells in 6 plies; 6, 8 and 9 cells are drawn. With [`Ban::None`] it
//! wins with 3 cells in 3 plies, and 4 to 9 are drawn. The numbers are computed; the tests recount
//! them.

mod notation;
mod rules;

pub use rules::{Alak, Ban, State};

#[cfg(test)]
mod tests;
