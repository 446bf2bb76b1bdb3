//! Checks of texts, as a worker does them.
//!
//! Mistakes come first, without a game. The second stage shows a text that has none: the board, the
//! rules in plain English, and what random games find.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use treegauge::report::{CheckError, CheckWarning, RulesSection};
use treegauge::tasks::DEFAULT_SEED;
use treegauge::{CheckedText, Game, Watch, format_source};

/// Work on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// Finds the mistakes.
    Mistakes,
    /// Describes the game, and plays random games for up to this time.
    Game { games_ms: u64 },
    /// Formats the text.
    Format,
}

/// Result of a check.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Checked {
    /// Mistakes, by the place.
    pub(crate) errors: Vec<CheckError>,
    /// The game; `None` if there are mistakes.
    pub(crate) game: Option<CheckedGame>,
    /// The text formatted, if that was asked for and its parentheses match.
    pub(crate) formatted: Option<String>,
}

/// A game that a text describes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CheckedGame {
    /// Name in the text.
    pub(crate) name: String,
    /// Digest, as in the canonical name of the game.
    pub(crate) digest: String,
    /// More, if it was asked for.
    pub(crate) shown: Option<Shown>,
}

/// Description of a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Shown {
    /// Picture of the start, as SVG, and the position.
    pub(crate) board: String,
    pub(crate) position: String,
    /// Number of first moves.
    pub(crate) moves: u32,
    pub(crate) rules: Vec<RulesSection>,
    pub(crate) warnings: Vec<CheckWarning>,
    /// Random games in a sentence; `None` if they took too long.
    pub(crate) games: Option<String>,
}

/// Facts about a text in a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TextFacts {
    /// Path in the workspace.
    pub(crate) path: String,
    /// The first mistake.
    pub(crate) error: Option<CheckError>,
    pub(crate) errors: usize,
    /// Name of the game and digest; empty if there are mistakes.
    pub(crate) name: String,
    pub(crate) digest: String,
}

/// Stops work at a time.
struct Until(Instant);

impl Watch for Until {
    fn stop(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// Checks a text.
pub(crate) fn check(source: &str, stage: Stage) -> Checked {
    if stage == Stage::Format {
        // A text whose parentheses do not match has such a mistake.
        let formatted = format_source("", source).ok();
        let errors = if formatted.is_some() { None } else { CheckedText::read(source).err() };
        return Checked { errors: errors.unwrap_or_default(), formatted, game: None };
    }
    let text = match CheckedText::read(source) {
        Ok(text) => text,
        Err(errors) => return Checked { errors, ..Checked::default() },
    };
    let shown = match stage {
        Stage::Game { games_ms } => Some(shown(&text, source, games_ms)),
        _ => None,
    };
    let game = CheckedGame { name: text.name().to_owned(), digest: text.digest(), shown };
    Checked { game: Some(game), ..Checked::default() }
}

fn shown(text: &CheckedText, source: &str, games_ms: u64) -> Shown {
    let mut shown = Shown { rules: text.rules(), ..Shown::default() };
    if let Ok(game) = Game::parse_with("rules(file=text.rules)", &mut |_| Ok(source.to_owned())) {
        let start = game.start();
        shown.board = start.board_svg();
        shown.position = start.position_text();
        shown.moves = start.move_count();
    }
    let until = Until(Instant::now() + Duration::from_millis(games_ms));
    // Warnings of a part of the games would be about what the others show.
    if let Ok((warnings, games)) = text.random_games(DEFAULT_SEED, &until) {
        let sentences = std::iter::once(games.sentence()).chain(games.merged());
        shown.games = Some(sentences.collect::<Vec<_>>().join(" "));
        shown.warnings = warnings;
    }
    shown
}

/// Facts about a text.
pub(crate) fn facts(path: &str, source: &str) -> TextFacts {
    let checked = check(source, Stage::Mistakes);
    let game = checked.game.unwrap_or_default();
    TextFacts {
        path: path.to_owned(),
        errors: checked.errors.len(),
        error: checked.errors.into_iter().next(),
        name: game.name,
        digest: game.digest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_come_with_the_length_and_the_nearest_word() {
        let source = treegauge::template("breakthrough").unwrap();
        let checked =
            check(&source.replace("(step man forward)", "(step man foward)"), Stage::Mistakes);
        let error = &checked.errors[0];
        assert_eq!((error.length, error.nearest.as_deref()), (6, Some("forward")));
        assert!(checked.game.is_none());
    }

    #[test]
    fn a_game_is_shown_whole() {
        let source = treegauge::template("breakthrough").unwrap();
        let game = check(&source, Stage::Game { games_ms: 60_000 }).game.unwrap();
        let shown = game.shown.unwrap();
        assert_eq!((game.name.as_str(), shown.moves), ("Breakthrough", 22));
        assert!(
            shown.board.starts_with("<svg") && shown.games.unwrap().starts_with("200 random games")
        );
        assert!(shown.rules.iter().any(|section| section.heading == "Moves"));
        let hasty = check(&source, Stage::Game { games_ms: 0 }).game.unwrap().shown.unwrap();
        assert!(hasty.games.is_none() && hasty.moves == 22);
    }

    #[test]
    fn a_game_of_hops_says_how_many_ways_are_one_move() {
        let source = "(game \"Frogs\" (board (grid 5 5)) (pieces (frog each)) (start (put each frog (home 2)))
            (play (or (step frog all) (hop frog all (chain may))))
            (end (if (none (and mine (home 2))) (win mover))) (limits (quiet 40)))";
        let game = check(source, Stage::Game { games_ms: 60_000 }).game.unwrap();
        let games = game.shown.unwrap().games.unwrap();
        assert!(games.starts_with("200 random games"), "{games}");
        assert!(games.contains(" ways to hop were merged into "), "{games}");
    }

    #[test]
    fn only_a_text_with_matching_parentheses_is_formatted() {
        let formatted = check("(game  \"A\"(board (grid 3 3)))", Stage::Format).formatted.unwrap();
        assert_eq!(formatted, "(game \"A\"\n  (board (grid 3 3)))\n");
        let checked = check("(game \"A\"", Stage::Format);
        assert!(checked.formatted.is_none() && !checked.errors.is_empty());
    }
}
