//! Games of texts, compared with built-in games.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;
use treegauge::Game;
use treegauge::catalog::TEXT_FAMILY;
use treegauge::report::NameRow;
use treegauge::report::table;
use treegauge::search::{Seed, UctOptions};

use super::{CHUNKS, median, rate};
use crate::common::game;
use crate::exit::Outcome;
use treegauge::tasks::DEFAULT_SEED;

#[derive(Serialize)]
pub(super) struct TextRow {
    #[serde(flatten)]
    name: NameRow,
    /// The built-in game before it in the list of games.
    beside: Option<String>,
    /// Rates per rate of that game.
    playouts_ratio: Option<f64>,
    uct_ratio: Option<f64>,
    /// CPU time to open the game: to read the file, check it, and make tables of it.
    reading_ms: f64,
}

/// Whether a text describes a game.
pub(super) fn is_text(game: &Game) -> bool {
    game.info().spec.family().name == TEXT_FAMILY.name
}

/// The built-in game before a place of a list.
pub(super) fn beside(games: &[Game], at: usize) -> Option<&Game> {
    games[..at].iter().rfind(|game| !is_text(game))
}

/// Measures a text and a built-in game in turn, so that other load on the machine slows both.
pub(super) fn measure(
    name: NameRow,
    text: &Game,
    beside: Option<&Game>,
    options: UctOptions,
    chunk: Duration,
) -> Outcome<TextRow> {
    let mut reading = Vec::new();
    for _ in 0..CHUNKS {
        let start = ThreadTime::now();
        game(&name.game)?;
        reading.push(1_000.0 * start.elapsed().as_secs_f64());
    }
    let ratio = |of: &dyn Fn(&Game) -> f64, beside: &Game| {
        median((0..CHUNKS).map(|_| of(text) / of(beside)).collect())
    };
    Ok(TextRow {
        beside: beside.map(Game::name),
        playouts_ratio: beside.map(|beside| ratio(&|game| playouts_per_s(game, chunk), beside)),
        uct_ratio: beside
            .map(|beside| ratio(&|game| iterations_per_s(game, options, chunk), beside)),
        reading_ms: median(reading),
        name,
    })
}

fn playouts_per_s(game: &Game, chunk: Duration) -> f64 {
    let (start, mut rng) = (game.start(), Seed(DEFAULT_SEED).generator());
    rate(chunk, || [game.engine().playouts(&start, 64, &mut rng).playouts, 0])[0]
}

fn iterations_per_s(game: &Game, options: UctOptions, chunk: Duration) -> f64 {
    let (start, mut rng) = (game.start(), Seed(DEFAULT_SEED).generator());
    let mut uct = game.engine().uct_with(options);
    rate(chunk, || [u64::from(uct.search(&start, &mut rng, &mut || false).iterations), 0])[0]
}

/// The rows as text; empty without rows.
pub(super) fn text(rows: &[TextRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    let cells = rows.iter().map(|row| {
        [
            row.name.game.clone(),
            row.beside.clone().unwrap_or_else(|| "-".to_owned()),
            ratio(row.playouts_ratio),
            ratio(row.uct_ratio),
            format!("{:.1}", row.reading_ms),
        ]
    });
    let header = ["text", "beside", "playouts", "UCT", "opened in ms"];
    format!(
        "\n{}\nrates of a text per rate of the built-in game named before it, measured in turn, medians of {CHUNKS} pairs\n",
        table(header, cells, 2..5)
    )
}
