//! The program as its users meet it: started as a process, judged by what it prints, writes and
//! exits with.

mod bench;
mod budget;
mod collect;
mod common;
mod compare;
mod contract;
mod degenerate;
mod difficulty;
mod disguises;
mod evaluate;
mod every_option;
#[cfg(unix)]
mod every_task;
mod file_docs;
mod files;
mod generate;
mod golden;
mod help;
mod interest;
mod killed;
mod limits;
mod matches;
mod pages;
mod pipes;
mod play;
mod puzzles;
mod refusals;
mod report;
mod same_bytes;
mod shells;
mod solve;
mod tasks;
mod terminal;
mod texts;
mod variants;
mod vet;
