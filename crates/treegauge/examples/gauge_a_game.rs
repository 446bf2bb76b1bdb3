//! Judges a game by self-play: the verdict in words, with what was measured.
//!
//! `cargo run --package treegauge --example gauge_a_game -- othello(size=6)`

use std::error::Error;

use treegauge::report::{Document, TextStyle};
use treegauge::{Game, GaugeRun, Plan, Progress, StartingPoint, Watch};

/// Prints a dot for every game that ends, and never stops the gauge.
struct Dots;

impl Watch for Dots {
    fn progress(&self, _: Progress) {
        eprint!(".");
    }

    fn stop(&self) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "tic_tac_toe".to_owned());
    let game = Game::parse(&name)?;
    // Few short games, so that the answer comes in seconds. `Plan::default()` is a real gauge.
    let plan = Plan { games: 24, iterations: 300, skill_games: 12, ..Plan::default() };
    let run = GaugeRun::new(&game, &StartingPoint::default(), plan)?;
    let report = run.run(Vec::new(), &(), &Dots);
    eprintln!();
    print!("{}", report.doc(&game).text(TextStyle::default()));
    Ok(())
}
