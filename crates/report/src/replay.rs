//! The reports of a record of games and of one of its games.

use std::fmt::Write;

use treegauge_core::Player;
use treegauge_study::{ReplayReport, ReplayedGame, ReplayedGameReport};

use crate::boards::Boards;
use crate::matches::beginning_words;
use crate::show::outcome_words;
use crate::words::counted;
use treegauge_doc::plain_table;

/// All games of a record in a table.
#[must_use]
pub fn replay_text(report: &ReplayReport) -> String {
    let ReplayReport { game, holds, seed, .. } = report;
    let beginning = beginning_words(report.position.as_deref(), &report.moves);
    let of = holds.trim_start_matches("games ");
    let mut text = format!(
        "{game}{beginning}: {} {of}, seed {seed}\n",
        counted(report.games.len() as u64, "game")
    );
    for (name, player) in &report.players {
        let _ = writeln!(text, "  {name} is {player}");
    }
    text.push('\n');
    if report.games.is_empty() {
        return text;
    }
    let rows = report.games.iter().map(|game| {
        let winner = game.winner().map_or("draw".to_owned(), |winner| format!("{winner} wins"));
        let (first, second) = (game.first.clone(), game.second.clone());
        [game.name.clone(), first, second, winner, game.plies.to_string(), ended_by(game)]
    });
    let header = ["game", "first player", "second player", "result", "plies", "ended by"];
    text.push_str(&plain_table(header, rows, 4..5));
    text.push_str("\nEvery game replays to its result.\n");
    text
}

/// A game in words and boards. `boards` renders the positions of the game.
#[must_use]
pub fn replayed_game_text(report: &ReplayedGameReport, boards: &dyn Boards) -> String {
    let game = &report.replayed;
    let named = |player: Player| {
        let side = game.side(player);
        let what = report.players.iter().find(|(name, _)| name == side);
        what.map_or(side.to_owned(), |(_, what)| format!("{side}, {what}"))
    };
    let mut text = format!(
        "{}, game {}: the first player, x, is {}; the second player, o, is {}\n",
        report.game,
        game.name,
        named(Player::First),
        named(Player::Second),
    );
    let mut turn = None;
    for (n, position) in report.positions.iter().enumerate() {
        if let (Some(turn), Some(m)) = (turn, &position.m) {
            let side = game.side(turn);
            let random = if n <= report.opening_plies { " (random opening)" } else { "" };
            let _ = writeln!(text, "\nply {n}: the {turn} player, {side}, plays {m}{random}");
        }
        let _ = write!(text, "\n{}", boards.text(&position.position));
        turn = Some(position.turn);
    }
    let winner = game.winner().map_or(String::new(), |winner| format!(": {winner}"));
    let result = outcome_words(game.outcome);
    let _ = writeln!(text, "\n{result}{winner} (ended by {})", ended_by(game));
    text
}

/// What ended a game, in words.
fn ended_by(game: &ReplayedGame) -> String {
    match (&game.ended_by, &game.forfeit) {
        (Some(by), _) => by.clone(),
        (None, Some(forfeit)) => format!("a forfeit: {forfeit}"),
        (None, None) => "nothing".to_owned(),
    }
}
