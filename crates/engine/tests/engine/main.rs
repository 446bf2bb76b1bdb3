//! Engines against the algorithms that are behind them, players by name, and sessions.

mod actions;
mod boards;
mod common;
mod cut_trees;
mod forms;
mod going_on;
mod growing;
mod lines;
mod players;
mod random_games;
mod root_parallel;
mod searches;
mod sessions;
mod variants;
