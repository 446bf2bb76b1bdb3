//! Oware: sow seeds, capture twos and threes.
//!
//! # Rules
//!
//! Each player has a row of houses, 1 to 7, with the same number of seeds in each, and a store for
//! captures. In turn a player takes all seeds of one own house and sows them one by one
//! counter-clockwise into the houses that follow, the own ones to the right and then the opponent's
//! from that player's left; the house they came from is skipped in every lap, and nothing is sown
//! into stores.
//!
//! - If the last seed makes a house of the opponent hold 2 or 3 (or exactly another number), its
//!   seeds are captured, and so are those of the opponent's houses directly before it, one after
//!   the other, as long as they hold such a number too. Without `chain` only the last house is
//!   captured.
//! - A grand slam, a capture of all seeds in the opponent's houses, captures nothing,
//!   though the move may be played; or it counts like any other.
//! - If the opponent's houses are all empty, only moves that sow into them may be played.
//!
//! A player with more than half of all seeds in store wins at once. If the player to move has no
//! legal move, players take the seeds in their own houses and the game is over: more seeds win,
//! equal numbers are a draw. The same is done after a number of plies without a capture, usually
//! 100, and at the third occurrence of a position; or such games are draws. At the ply cap the game
//! is a draw.
//!
//! A move is written as the house, 1 to 7 from the player's left; moves are listed in this order.
//! A position is written as the houses of the first player from that player's left, separated by
//! commas, the store, the same of the second player and the player to move: three houses of four
//! seeds begin as `4,4,4 0 4,4,4 0 x`.
//!
//! # Known values
//!
//! A draw (Romein and Bal 2002, "Awari is solved", with grand slams that count). If five are
//! captured instead, the first move can already capture: houses 3 to 6 take 5, 10, 15 and 20 seeds,
//! and 6 answered by 6 leaves 20 to 20 with eight seeds on the board.

mod notation;
mod rules;

pub use crate::pits::State;
pub use rules::{Capture, GrandSlam, Limit, Oware};

#[cfg(test)]
mod tests;
