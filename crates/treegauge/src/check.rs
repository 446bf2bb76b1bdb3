//! Checking and formatting texts that describe games.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use treegauge_catalog::GameSpec;
use treegauge_catalog::rules::{LINT_GAMES, Mistakes, Program, Text, explain, lint};
use treegauge_core::{ReportHeader, Watch};
use treegauge_report::{CheckError, CheckReport, CheckWarning, RandomGamesReport, RulesSection};
use treegauge_search::Seed;

use crate::game::rules_text;
use crate::{Error, ErrorKind, cannot_read, template};

/// Checks the text of a file, and plays random games of it to find probably unintended parts.
///
/// A text with mistakes results in a report with errors, not in an `Err`. If there is no such file,
/// `path` may be the name of a game that has a text.
///
/// # Errors
///
/// If the file cannot be read, or `watch` says stop.
pub fn check(path: &Path, seed: u64, watch: &dyn Watch) -> Result<CheckReport, Error> {
    check_source(&path.display().to_string(), &source(path)?, seed, watch)
}

/// Checks a text that is not in a file; `name` replaces the file's path in messages.
///
/// # Errors
///
/// If `watch` says stop.
pub fn check_source(
    name: &str,
    source: &str,
    seed: u64,
    watch: &dyn Watch,
) -> Result<CheckReport, Error> {
    let mut report = CheckReport {
        head: ReportHeader::NEW,
        file: name.to_owned(),
        name: String::new(),
        errors: Vec::new(),
        warnings: Vec::new(),
        seed,
        games: LINT_GAMES,
        random_games: None,
    };
    match CheckedText::read(source) {
        Err(errors) => report.errors = errors,
        Ok(text) => {
            text.name().clone_into(&mut report.name);
            let (warnings, games) = text.random_games(seed, watch)?;
            (report.warnings, report.random_games) = (warnings, Some(games));
        }
    }
    Ok(report)
}

/// A text without mistakes. Reading one plays no games.
///
/// ```
/// let text = treegauge::template("breakthrough").unwrap();
/// assert_eq!(treegauge::CheckedText::read(&text).unwrap().name(), "Breakthrough");
///
/// let errors = treegauge::CheckedText::read(&text.replace("step man", "stp man")).unwrap_err();
/// assert_eq!((errors[0].length, errors[0].nearest.as_deref()), (3, Some("step")));
/// ```
#[derive(Clone, Debug)]
pub struct CheckedText(Arc<Program>);

impl CheckedText {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// The mistakes in the order of the text.
    pub fn read(source: &str) -> Result<CheckedText, Vec<CheckError>> {
        let checked = Text::read(source).and_then(|text| text.check());
        checked
            .map(|program| CheckedText(Arc::new(program)))
            .map_err(|mistakes| errors(&mistakes, source))
    }

    /// Name of the game.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Digest of the text as in the canonical name of the game: 16 hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:016x}", self.0.digest())
    }

    /// Rules in plain English.
    #[must_use]
    pub fn rules(&self) -> Vec<RulesSection> {
        RulesSection::all(explain(&self.0))
    }

    /// Plays random games. Returns probably unintended parts of the text, and the games.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub fn random_games(
        &self,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<(Vec<CheckWarning>, RandomGamesReport), Error> {
        let mut stopped = false;
        let mut go_on = || {
            stopped |= watch.stop();
            !stopped
        };
        let found = lint(&self.0, &mut Seed(seed).generator(), &mut go_on);
        if stopped {
            return Err(Error::interrupted("the random games are not over"));
        }
        let games = found.games;
        let games = RandomGamesReport {
            games: games.games,
            first_wins: games.first_wins,
            second_wins: games.second_wins,
            draws: games.draws,
            repetitions: games.repetitions,
            quiet: games.quiet,
            capped: games.capped,
            plies: games.plies,
            forced: games.forced,
            moves_max: games.moves_max,
            hop_positions: games.hop_positions,
            hop_ways: games.hop_ways,
            hop_moves: games.hop_moves,
        };
        let warnings = found.warnings.into_iter().map(|warning| CheckWarning {
            code: warning.code.to_owned(),
            line: warning.place.line,
            column: warning.place.column,
            message: warning.message,
            remark: warning.remark,
        });
        Ok((warnings.collect(), games))
    }
}

fn errors(mistakes: &Mistakes, source: &str) -> Vec<CheckError> {
    let error = |mistake: &treegauge_catalog::rules::Mistake| CheckError {
        line: mistake.place.line,
        column: mistake.place.column,
        length: mistake.length,
        message: mistake.message.clone(),
        nearest: mistake.nearest.clone(),
        hint: mistake.hint.clone(),
        text: source
            .lines()
            .nth(mistake.place.line.saturating_sub(1) as usize)
            .map(|line| line.chars().take(200).collect())
            .unwrap_or_default(),
    };
    mistakes.list().iter().map(error).collect()
}

/// Formatted text of a file.
///
/// # Errors
///
/// If the file cannot be read, or its parentheses do not match.
pub fn format_rules(path: &Path) -> Result<String, Error> {
    format_source(&path.display().to_string(), &source(path)?)
}

/// Formats a text that is not in a file; `name` replaces the file's path in messages.
///
/// # Errors
///
/// If its parentheses do not match.
pub fn format_source(name: &str, source: &str) -> Result<String, Error> {
    treegauge_catalog::rules::format(source)
        .map_err(|mistakes| Error::new(ErrorKind::Data, mistakes.text(name).trim_end().to_owned()))
}

/// Text of the game with the name of a file; `None` if there is such a file, or no such game.
pub(crate) fn text_of_game(path: &Path) -> Option<String> {
    path.to_str().filter(|_| !path.exists()).and_then(|name| template(name).ok())
}

/// Text in a file, or of the game with that name if there is no such file.
fn source(path: &Path) -> Result<String, Error> {
    if let Some(text) = text_of_game(path) {
        return Ok(text);
    }
    rules_text(path).map_err(|reason| cannot_read_text(path, &reason))
}

/// Error of a path that cannot be read, and is not the name of a game either. It names the file or the
/// game that may be meant. A game with values in parentheses is answered with its mistake.
pub(crate) fn cannot_read_text(path: &Path, reason: &dyn Display) -> Error {
    let has_values =
        |name: &&str| name.split_once('(').is_some_and(|(game, _)| !game.contains('/'));
    let with_values = path.to_str().filter(has_values).filter(|_| !path.exists());
    if let Some(error) = with_values.and_then(|name| template(name).err()) {
        return error;
    }
    let error = cannot_read(path, reason);
    let file = path.with_extension("rules");
    let meant = if file.exists() && file != path {
        Some(file.display().to_string())
    } else {
        nearest_game(path)
    };
    match meant {
        Some(meant) => Error::new(error.kind(), format!("{error}; did you mean `{meant}`?")),
        None => error,
    }
}

/// Game with the most similar name; `None` if the path exists or cannot be a name.
fn nearest_game(path: &Path) -> Option<String> {
    let is_name =
        |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = path.to_str().filter(is_name).filter(|_| !path.exists())?;
    let error = Error::from(GameSpec::parse(name).err()?);
    error.remedy().nearest.filter(|nearest| template(nearest).is_ok())
}
