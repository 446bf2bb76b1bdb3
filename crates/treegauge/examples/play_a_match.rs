//! Plays a match between two players: which is better, by how much, and how surely.
//!
//! `cargo run --package treegauge --example play_a_match -- breakthrough 'alphabeta(depth=2)' random`

use std::error::Error;

use treegauge::report::{Document, NoBoards, TextStyle};
use treegauge::{Game, MatchOptions, MatchRun, NoClock, PlayerSpec, Record};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut or = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let game = Game::parse(&or("connect_four(cols=5,rows=4)"))?;
    let a = PlayerSpec::parse(&or("uct(iterations=400)"))?;
    let b = PlayerSpec::parse(&or("uct(iterations=100)"))?;

    let options = MatchOptions { games: 60, seed: 1, ..MatchOptions::default() };
    // No budget of these players is time, so no clock is read.
    let run = MatchRun::new(&game, [a, b], options, None, &NoClock::shared())?;
    let report = run.run(&[], &Record::none(), &())?;
    print!("{}", report.doc(&NoBoards).text(TextStyle::default()));
    println!("As JSON, that is {} bytes.", serde_json::to_string(&report)?.len());
    Ok(())
}
