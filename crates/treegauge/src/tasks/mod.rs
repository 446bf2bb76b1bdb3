//! Tasks: operations with their options, as data.
//!
//! A task is a JSON object: `{"command": "gauge", "game": "othello", "games": 20}`. Its fields are the options of the
//! command, with underscores in the place of hyphens; those that are left out have their defaults.

mod fields;

pub use fields::{COMMAND, is_of_run, task_of, words_of};
