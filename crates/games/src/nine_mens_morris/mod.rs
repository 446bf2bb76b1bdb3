//! Nine Men's Morris.
//!
//! # Rules
//!
//! The board is three squares, one inside the other, with a point at each corner and each middle
//! of a side, and a line from every outer middle over the middle one to the inner one: 24 points.
//! A mill is three men of one player on the three points of a side or of such a line; there are
//! 16 of them. Each player has nine men.
//!
//! In turn each player places a man on an empty point until all 18 are placed. From then on each
//! moves one of their men along a line to an empty neighbouring point; with `flying` a player who
//! has three men left moves one of them to any empty point. A player who closes a mill with the man
//! just placed or moved removes one of the opponent's men outside mills, or any of them if all are
//! in mills. That is part of the move, and two mills closed at once remove one man too. Once all
//! men are placed, a player with fewer than three men loses, and so does a player who cannot move.
//!
//! With `first_mill_wins` nothing is removed: the first player to close a mill wins.
//!
//! Positions can repeat: the third occurrence of one is a draw, and so are `draw_plies` (100)
//! plies in a row without a placement or a removal.
//!
//! A move is written as the point where a man is placed, `d2`, or as the points that it leaves and
//! enters, `d2-d3`; a removal follows after an `x`: `d2-d3xa7`. Points are taken square by square
//! from the outer one, each from its lower left corner anticlockwise. Moves are listed in the order
//! of the points left, then of those entered, then of those of the men removed.
//!
//! A position is its seven rows, with `-` where the board has no point, the player to move and
//! the number of men that both together have still to place.
//!
//! # Known values
//!
//! With `flying` neither player can force a win (Gasser 1996, "Solving Nine Men's Morris", who
//! solved the 10^10 positions after the placements and searched the placements). Gasser's rules and
//! most books have flying; Williams 2010 ("Determining Game Quality Through UCT Tree Shape
//! Analysis") has only moves along lines, which is the default here. The broken game there is
//! `first_mill_wins`.

mod notation;
mod rules;

pub use rules::{Move, NineMensMorris, State};

#[cfg(test)]
mod tests;
