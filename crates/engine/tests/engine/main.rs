//! Engines against the algorithms that are behind them, players by name, and sessions.

mod common;
mod forms;
mod lines;
mod players;
mod random_games;
mod searches;
mod sessions;
mod variants;
