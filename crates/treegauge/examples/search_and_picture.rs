//! Searches a position and writes the search tree as a picture.
//!
//! `cargo run --package treegauge --example search_and_picture -- tic_tac_toe tree.svg a1 b2`

use std::error::Error;
use std::path::PathBuf;

use treegauge::report::{NoBoards, TREE_BOARDS_DEFAULT, TextStyle, search_doc, tree_svg};
use treegauge::search::Budget;
use treegauge::search::picture::{self, Limits, Style};
use treegauge::{Game, SearchOptions, search};

/// Moves that are printed.
const TOP: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "tic_tac_toe".to_owned());
    let path = arguments.next().map_or_else(|| PathBuf::from("tree.svg"), PathBuf::from);

    let game = Game::parse(&name)?;
    let mut line = game.start();
    for text in arguments {
        line.play_text(&text)?;
    }
    print!("{}", line.board_text());

    let options = SearchOptions { budget: Budget::iterations(2_000), ..SearchOptions::default() };
    let found = search(&game, &line, &options, &())?;
    print!("{}", search_doc(&found.report, &NoBoards, TOP).text(TextStyle::default()));

    // The tree is large: the picture shows the part with the most visits.
    let limits = Limits { children_max: 4, nodes_max: 40, ..Limits::default() };
    let picked = picture::pick(&found.tree(), Style::Plain, limits);
    std::fs::write(&path, tree_svg(&picked, &game, TREE_BOARDS_DEFAULT))?;
    println!("\nThe tree is in {}.", path.display());
    Ok(())
}
