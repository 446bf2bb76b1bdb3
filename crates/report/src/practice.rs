//! Scripts and styles of boards that somebody plays on: for pages of the workbench and for practice
//! files.

/// Module that reads the touches of a board's cells as moves.
pub const BOARD_SCRIPT: &str = include_str!("../assets/board.js");

/// Module of the solving mode.
pub const SOLVING_SCRIPT: &str = include_str!("../assets/solving.js");

/// Style of boards with cells.
pub const BOARD_STYLE: &str = include_str!("../assets/board.css");
