//! Report of a check of a text that describes a game.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_catalog::rules::MOVES_MAX;
use treegauge_core::{ReportHeader, ReportKind, input_name};
use treegauge_doc::{Block, Doc, Tone};

use crate::boards::{Boards, Document};
use crate::lead::verdict;
use crate::words::{command, counted, counted_grouped, grouped};

/// Mistakes in a rules text, and statistics of random games of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Path of the file as the user wrote it.
    pub file: String,
    /// Name that the text gives the game; empty if there are errors.
    pub name: String,
    /// Mistakes in the order of the text. A text with a mistake does not define a game.
    pub errors: Vec<CheckError>,
    /// Probably unintended parts, in the order of the text.
    pub warnings: Vec<CheckWarning>,
    /// Seed of the random games.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Greatest number of random games to play.
    pub games: u32,
    /// Statistics of the random games; `None` if there are errors.
    #[serde(default)]
    pub random_games: Option<RandomGamesReport>,
}

/// Statistics of random games of a text: numbers of games, and of plies in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomGamesReport {
    /// Number of games played.
    pub games: u32,
    /// Number of games that the first player won by the rules.
    pub first_wins: u32,
    /// Number of games that the second player won by the rules.
    pub second_wins: u32,
    /// Number of games drawn by the rules.
    pub draws: u32,
    /// Number of games stopped because a position occurred for the third time.
    pub repetitions: u32,
    /// Number of games stopped after too many plies without progress.
    pub quiet: u32,
    /// Number of games stopped by the ply cap.
    pub capped: u32,
    /// Number of plies of all games together.
    pub plies: u32,
    /// Number of plies with exactly one legal move.
    pub forced: u32,
    /// Greatest number of legal moves of a position.
    pub moves_max: u32,
    /// Number of positions, from the first on, in which ways to hop were counted; 0 if the game has
    /// no chains of hops that only their ends tell apart.
    #[serde(default)]
    pub hop_positions: u32,
    /// Number of ways to hop in these positions.
    #[serde(default)]
    pub hop_ways: u64,
    /// Number of legal moves that these ways are: those with the same piece and the same end are one.
    #[serde(default)]
    pub hop_moves: u64,
}

/// A mistake in a rules text. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckError {
    /// Line of the mistake.
    pub line: u32,
    /// Column of the mistake.
    pub column: u32,
    /// Number of characters of the word at the mistake; 0 at the end of a line.
    #[serde(default)]
    pub length: u32,
    /// Description of the mistake.
    pub message: String,
    /// Word that was probably meant.
    pub nearest: Option<String>,
    /// Words that are allowed at this place, or an example.
    pub hint: Option<String>,
    /// Text of the line.
    pub text: String,
}

/// A probably unintended part of a rules text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckWarning {
    /// Code of the warning. `(allow CODE)` in the text silences it.
    pub code: String,
    /// Line of the part.
    pub line: u32,
    /// Column of the part.
    pub column: u32,
    /// Description of the part.
    pub message: String,
    /// Whether the warning is a remark: worth knowing, but often intended.
    #[serde(default)]
    pub remark: bool,
}

impl RandomGamesReport {
    /// Results and lengths of the games in one sentence. Stopped games do not count as draws.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut stopped = Vec::new();
        for (n, why) in [
            (self.repetitions, "a position occurred for the third time"),
            (self.quiet, "there was no progress"),
            (self.capped, "they reached the ply cap"),
        ] {
            if n > 0 {
                stopped.push(format!("{n} stopped because {why}"));
            }
        }
        let stopped =
            if stopped.is_empty() { String::new() } else { format!(", {}", stopped.join(", ")) };
        let per_game = f64::from(self.plies) / f64::from(self.games.max(1));
        let forced = 100.0 * f64::from(self.forced) / f64::from(self.plies.max(1));
        let most = match self.moves_max as usize {
            MOVES_MAX.. => format!(
                "{} or more in a position, and only the first {} of them were played",
                counted(self.moves_max, "legal move"),
                grouped(MOVES_MAX as u64)
            ),
            _ => format!("{} at most", counted(self.moves_max, "legal move")),
        };
        format!(
            "{}: {} won by the first player, {} by the second, {} drawn{stopped}; {per_game:.1} plies a \
             game, {forced:.0}% of the plies with only one legal move, {most}.",
            counted(self.games, "random game"),
            self.first_wins,
            self.second_wins,
            self.draws,
        )
    }

    /// Sentence about the ways to hop that are one move; `None` if there are none.
    #[must_use]
    pub fn merged(&self) -> Option<String> {
        let merged = self.hop_ways.saturating_sub(self.hop_moves);
        (merged > 0).then(|| {
            let among = if self.hop_positions < self.plies {
                format!(" in the first {}", counted_grouped(self.hop_positions, "position"))
            } else {
                String::new()
            };
            format!(
                "Hops that differ only on the way are one move: {} ways to hop were merged into {}{among}.",
                grouped(self.hop_ways),
                counted_grouped(self.hop_moves, "move")
            )
        })
    }
}

impl ReportKind for CheckReport {
    const KIND: &'static str = "check";
}

impl Document for CheckReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let file = input_name(&self.file);
        let mut doc = Doc::new(format!("a check of {file}"));
        doc.push(Block::PagesOnly(vec![Block::heading(1, file)]));
        let has_warnings = self.warnings.iter().any(|warning| !warning.remark);
        let (tone, headline) = match (self.errors.is_empty(), has_warnings) {
            (true, false) => (Tone::Good, "A game"),
            (true, true) => (Tone::Undecided, "A game, with warnings"),
            (false, _) => (Tone::Bad, "Not a game yet"),
        };
        doc.extend(verdict(tone, headline, file, &summary(self)));
        let found = check_text(self);
        if !found.is_empty() {
            doc.push(Block::Preformatted(found));
        }
        doc.extend(self.random_games.as_ref().map(|games| Block::text(games.sentence())));
        let merged = self.random_games.as_ref().and_then(RandomGamesReport::merged);
        doc.extend(merged.map(Block::text));
        if self.errors.is_empty() && self.file != "-" {
            let show = command("show", &[&self.file]);
            doc.next(format!("{show} prints the start and the rules in plain English."));
        }
        doc
    }
}

/// Each mistake with its line and a mark below the column.
fn check_text(report: &CheckReport) -> String {
    let mut text = String::new();
    let file = input_name(&report.file);
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
    text
}

/// Verdict: whether the text is a game, and the number of warnings.
fn summary(report: &CheckReport) -> String {
    let remarks = report.warnings.iter().filter(|warning| warning.remark).count();
    let warnings = report.warnings.len() - remarks;
    let found: Vec<String> = [(warnings, "warning"), (remarks, "remark")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| counted(n as u32, what))
        .collect();
    match (report.errors.len(), found.is_empty()) {
        (0, true) => format!("\"{}\" is a game, and random games show nothing odd.", report.name),
        (0, false) => format!("\"{}\" is a game; {}.", report.name, found.join(", ")),
        (n, _) => format!("not a game yet: {}.", counted(n as u32, "error")),
    }
}
