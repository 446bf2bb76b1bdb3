//! The workbench: a local web application for runs and their reports.
//!
//! A [`Server`] shows one folder, the workspace. Each run is a command of the program as a process of
//! its own, and each page shows the command that prints its data. Texts of strangers are opened in
//! worker processes ([`work`]), so that the server holds no game, plays no move, and survives whatever
//! happens there. It listens on this machine only, makes no outgoing connection, and wakes only for
//! requests, processes and time-outs.
//!
//! Routes are one table ([`Route`]): the router, all links, the commands that pages show and the list
//! for tests follow from it.

mod answer;
mod app;
mod assets;
mod dates;
mod guard;
mod hub;
mod newest;
mod pages;
mod percent;
mod route;
mod runs;
mod secret;
mod server;
mod sessions;
mod state_file;
mod task_form;
mod texts;
mod timed;
mod worker;
mod workers;
mod workspace;

pub use route::{Act, Ask, Form, NoRoute, PlayView, Route, TreeView, View};
pub use runs::ROOT;
pub use server::{Options, PORT, ServeError, Server, Stopper};
pub use state_file::Running;
pub use worker::work;
