//! Solves a game, writes the solution to a file, and looks positions up in it.
//!
//! `cargo run --package treegauge --example solve_and_probe -- 'mnk(m=3,n=3,k=3)' game.solved`

use std::error::Error;
use std::path::PathBuf;

use treegauge::report::{Document, NoBoards, TextStyle};
use treegauge::solve::{InterestOptions, Options};
use treegauge::{Game, StartingPoint, open_solution, solve};

/// The memory that the positions may take, in bytes.
const MEMORY_MAX: u64 = 500_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "tic_tac_toe".to_owned());
    let path = arguments.next().map_or_else(|| PathBuf::from("game.solved"), PathBuf::from);

    let game = Game::parse(&name)?;
    let options = Options { memory_bytes_max: Some(MEMORY_MAX), ..Options::default() };
    let solution = solve(&game, &game.start(), options, &())?.done()?;
    print!("{}", solution.write(&path)?.doc(&NoBoards).text(TextStyle::default()));

    // A look-up reads the part of the file that it needs, and not the rest.
    let file = open_solution(&path)?;
    let mut line = file.start()?;
    println!("\nThe moves of the start, best first:");
    print!("{}", file.probe(&line)?.doc(&game).text(TextStyle::default()));

    // How well hidden are the winning moves? 0 is not at all, 1 is as well as can be.
    let interest = solution.interest(InterestOptions::default(), &())?;
    if let Some(most) = &interest.analysis.most_interesting {
        println!("\nThe most interesting win, {:.2}:", most.interestingness);
        let position = Some(most.position.clone());
        line = game.begin(&StartingPoint { position, moves: Vec::new() })?;
        print!("{}", file.probe(&line)?.doc(&game).text(TextStyle::default()));
    }
    print!("\n{}", treegauge::verify(&path, None, &())?.doc(&NoBoards).text(TextStyle::default()));
    Ok(())
}
