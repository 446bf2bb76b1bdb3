//! Forms: capture anywhere, and lose what the capture cuts off.
//!
//! # Rules
//!
//! The board is a grid of `rows` x `cols` cells, usually 4 x 6, and full at the start: the first
//! player's stones on the lower half of the rows and the second player's on the upper half. In turn
//! each player takes any own stone and puts it on the cell of any opposing stone, which is
//! captured. Then all stones of either colour that are not connected with the stone just moved
//! leave the board. Two stones of any colour are connected if they are next to each other in a row
//! or column. Moving is compulsory and always possible, and the player who has moved always has a
//! stone left.
//!
//! The game ends when a player has no stones left. With `objective` = `last_with` the other player,
//! the last with stones, wins; with `lose_all` the player without stones wins. A game is never
//! drawn, and as every move takes a stone or more, no position repeats.
//!
//! A move is written as its two cells, `a1xa3`. Moves are listed in the order of the cells left,
//! row by row from row 1, and for each in the order of the cells entered.
//!
//! # Known values
//!
//! With best play by both players, counted by the tests here; states are those reachable.
//!
//! | rows x cols | states | `last_with` | `lose_all` |
//! |---|---:|---|---|
//! | 2 x 2 | 17 | first player, ply 3 | first player, ply 2 |
//! | 4 x 2 | 734 | first player, ply 7 | second player, ply 5 |
//! | 2 x 4 | 715 | first player, ply 7 | |
//! | 4 x 3 | 42,129 | first player, ply 11 | second player, ply 9 |
//!
//! Forms is by Steven W. Meyers, 2007. Williams 2010 ("Determining Game Quality Through UCT Tree
//! Shape Analysis") says with emphasis that the last player with stones wins; the designer's rules
//! as several game servers give them say the opposite, so it is a parameter.

mod notation;
mod rules;

pub use rules::{Forms, Move, Objective, State};

#[cfg(test)]
mod tests;
