//! Dipole: n checkers of a stack move exactly n squares.
//!
//! # Rules
//!
//! The dark squares of a board of 8 x 8 are used, `a1` being one of them. The first player begins
//! with a stack of twelve checkers on `e1`, the second with one on `d8`. In turn each player takes
//! a number n of checkers, at least one, from one of their stacks and moves them together exactly n
//! squares in a straight line, regardless of stacks in between:
//!
//! - straight or diagonally forward to an empty dark square or onto an own stack, which they join;
//! - in any of the eight directions onto an opposing stack of n checkers or fewer, which leaves
//!   the board (with `captures` = `forward` only straight or diagonally forward);
//! - straight or diagonally forward off the board, when n squares lead over an edge; the checkers
//!   are lost. It is one move, whichever direction it is.
//!
//! A player who has no checkers left loses, even by moving the last ones off the board. A player
//! who has checkers and cannot move loses too; with `no_move` = `pass` that player must pass
//! instead.
//!
//! With `inverted` n checkers move exactly 13 - n squares: single ones always off the board, and
//! the whole stack of the start by one. Captures are as before.
//!
//! Draws do not occur, and no position comes back: a capture takes checkers off the board, and
//! every other move except a pass brings some forward. Two passes never follow each other, since at
//! least one of the two players can always move:
//!
//! - a stack of two or more that cannot move needs opposing stacks of two or more on the squares
//!   diagonally before it and of three or more two squares ahead, straight and to both sides, for
//!   otherwise it could go there, or off the board where a square is missing. These are thirteen
//!   checkers, one more than a player has;
//! - so a player who cannot move has only single checkers, and diagonally in front of one is a
//!   stack of the opponent, which can capture it forward with one checker;
//! - inverted, one checker of a stack can always move off the board.
//!
//! A move is written as its two squares, `e1-g3`; off the board with the number of checkers,
//! `e1-off:9`; and `pass`. Moves are listed in the order of the squares left, row by row from row
//! 1, for each by the number of checkers, then of the squares entered, and off the board last.
//!
//! # Known values
//!
//! Only counts of sequences of moves are known.
//!
//! Dipole is by Mark Steere, 2007; in the original rules a player who cannot move passes. Williams
//! 2010 ("Determining Game Quality Through UCT Tree Shape Analysis") makes that player lose, which
//! is the default, says that pieces only move forwards, and has the inverted game as a broken one
//! without giving its formula.

mod notation;
mod rules;

pub use rules::{Dipole, Move, Setup, State};

#[cfg(test)]
mod tests;
