//! The program as its users meet it: started as a process, judged by what it prints, writes and
//! exits with.

mod bad_input;
mod common;
mod compare;
mod contract;
mod degenerate;
mod difficulty;
mod disguises;
mod file_docs;
mod files;
mod generate;
mod golden;
mod interest;
mod json_docs;
mod limits;
mod matches;
mod pipes;
mod play;
mod puzzles;
mod report;
mod same_bytes;
mod shells;
mod solve;
mod study;
mod tasks;
mod terminal;
mod variants;
mod vet;
