//! The report of a check of a text that describes a game.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};
use crate::words::counted;

/// What is wrong with a text, and what random games say about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The file as the user wrote it.
    pub file: String,
    /// The name that the text gives the game; empty where there are errors.
    pub name: String,
    /// The mistakes, in the order of the text; a text with one is no game.
    pub errors: Vec<CheckError>,
    /// What is probably not meant, in the order of the text.
    pub warnings: Vec<CheckWarning>,
    /// The seed of the random games.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The random games that were played at most.
    pub games: u32,
    /// What the random games were like; none where there are errors.
    #[serde(default)]
    pub random_games: Option<RandomGamesReport>,
}

/// What random games of a text were like: counts of games, and of plies in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomGamesReport {
    /// Games that were played.
    pub games: u32,
    /// Games that the rules ended: wins of the first player.
    pub first_wins: u32,
    /// Wins of the second player.
    pub second_wins: u32,
    /// Draws by the rules.
    pub draws: u32,
    /// Games stopped because a position occurred for the third time.
    pub repetitions: u32,
    /// Games stopped after too many plies without progress.
    pub quiet: u32,
    /// Games stopped by the ply cap.
    pub capped: u32,
    /// Plies of all games.
    pub plies: u32,
    /// Plies with one legal move.
    pub forced: u32,
    /// The greatest number of legal moves of a position.
    pub moves_max: u32,
}

/// A mistake in a text. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckError {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The word that was probably meant.
    pub nearest: Option<String>,
    /// What may stand there, or an example.
    pub hint: Option<String>,
    /// The line of the text.
    pub text: String,
}

/// Something that is probably not meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckWarning {
    /// Its code, which `(allow CODE)` in the text silences.
    pub code: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// What it is.
    pub message: String,
    /// Whether it is a remark: worth knowing, and often meant.
    #[serde(default)]
    pub remark: bool,
}

impl ReportKind for CheckReport {
    const KIND: &'static str = "check";
}

impl Document for CheckReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("a check of {}", self.file));
        doc.push(Block::Pages(vec![Block::heading(1, self.file.as_str())]));
        doc.push(Block::Preformatted(check_text(self)));
        doc
    }
}

/// The whole report: each mistake with its line and a mark below the place.
fn check_text(report: &CheckReport) -> String {
    let mut text = String::new();
    let file = &report.file;
    for error in &report.errors {
        let _ = writeln!(text, "{file}:{}:{}: {}", error.line, error.column, error.message);
        if !error.text.trim().is_empty() {
            let before = (error.column as usize).saturating_sub(1);
            let before: String = error
                .text
                .chars()
                .take(before)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let _ = writeln!(text, "  | {}\n  | {before}^", error.text);
        }
        let meant = error.nearest.as_ref().map(|nearest| format!("did you mean `{nearest}`?"));
        let hints: Vec<&str> = meant.iter().chain(&error.hint).map(String::as_str).collect();
        if !hints.is_empty() {
            let _ = writeln!(text, "  = {}", hints.join(" "));
        }
    }
    for warning in &report.warnings {
        let _ = writeln!(
            text,
            "{file}:{}:{}: {}{}: {}",
            warning.line,
            warning.column,
            if warning.remark { "remark " } else { "" },
            warning.code,
            warning.message
        );
    }
    if let Some(games) = &report.random_games {
        let _ = writeln!(text, "{}", random_games_text(games));
    }
    let remarks = report.warnings.iter().filter(|warning| warning.remark).count();
    let warnings = report.warnings.len() - remarks;
    let found: Vec<String> = [(warnings, "warning"), (remarks, "remark")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| counted(n as u32, what))
        .collect();
    let summary = match (report.errors.len(), found.is_empty()) {
        (0, true) => {
            format!("{file}: \"{}\" is a game, and random games show nothing odd", report.name)
        }
        (0, false) => format!("{file}: \"{}\" is a game; {}", report.name, found.join(", ")),
        (n, _) => format!("{file}: {}", counted(n as u32, "error")),
    };
    let _ = writeln!(text, "{summary}");
    text
}

/// One line about random games. Games that were stopped are no draws.
fn random_games_text(games: &RandomGamesReport) -> String {
    let mut stopped = Vec::new();
    for (n, why) in [
        (games.repetitions, "a position came back for the third time"),
        (games.quiet, "there was no progress"),
        (games.capped, "they reached the ply cap"),
    ] {
        if n > 0 {
            stopped.push(format!("{n} stopped since {why}"));
        }
    }
    let stopped =
        if stopped.is_empty() { String::new() } else { format!(", {}", stopped.join(", ")) };
    let per_game = f64::from(games.plies) / f64::from(games.games.max(1));
    let forced = 100.0 * f64::from(games.forced) / f64::from(games.plies.max(1));
    format!(
        "{}: {} won by the first player, {} by the second, {} drawn{stopped}; {per_game:.1} plies a \
         game, {forced:.0}% of them with one legal move, at most {}",
        counted(games.games, "random game"),
        games.first_wins,
        games.second_wins,
        games.draws,
        counted(games.moves_max, "move")
    )
}
