//! The Indonesian finger game: tap hands until both of the opponent's are out.
//!
//! # Rules
//!
//! Each player has a left and a right hand, at first with one finger stretched out on each. In
//! turn a player either *taps* or *splits*.
//!
//! - Tap: one of the player's hands that has fingers taps an opponent's hand that has fingers. The
//!   tapped hand gets as many fingers more as the tapping one has; with five or more it is out and
//!   has none. With `self_tap` players may tap their own other hand in the same way.
//! - Split: when one of the player's hands has no fingers and the other has n >= 2, the player
//!   moves 1 to n - 1 of them to the empty hand.
//!
//! A player whose hands both have no fingers loses. The third occurrence of a position is a draw.
//!
//! A tap is written as the tapping and the tapped hand, `LL`, `LR`, `RL`, `RR`; a tap of the own
//! other hand as the tapping hand and `O`, `LO`, `RO`; a split as the number of fingers moved,
//! `S1`, `S2`, `S3`. Moves are listed in this order. A position is written as the left and right
//! hand of the first player, those of the second and the player to move: `11 21 x`.
//!
//! # Known values
//!
//! The start is a draw. 950 positions can be reached, 40 of them finished; for the player to
//! move 254 are won, 72 lost and 624 drawn. With `self_tap` 1,142 can be reached, 48 finished:
//! 510 won, 136 lost, 496 drawn, the start among them (all found again by the tests).

mod notation;
mod rules;

pub use rules::{FingerGame, State};

#[cfg(test)]
mod tests;
