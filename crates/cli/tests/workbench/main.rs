//! The workbench: requests byte by byte against the program.
#![cfg(target_os = "linux")]

mod access;
mod alone;
mod bench;
mod chess;
mod gallery;
mod limits;
mod mutated;
mod pages;
mod paths;
mod play;
mod runs;
mod solved;
mod studies;
mod texts;
mod tree;
