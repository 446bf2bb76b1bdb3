//! Games by name.

use std::path::Path;
use std::sync::Arc;

use treegauge_catalog::GameSpec;
use treegauge_catalog::rules::{Explanation, TEXT_BYTES_MAX, explain};
use treegauge_engine::{Beginning, Engine, GameInfo, Line};
use treegauge_report::{Boards, RulesSection, Svg};

use crate::error::Error;

/// A game of the catalog, with the engine that plays, searches and solves it. A clone is the same engine.
#[derive(Clone, Debug)]
pub struct Game(Arc<dyn Engine>);

impl Game {
    /// The game of this text: `name` or `name(param=value,...)`; or the path of a file that describes
    /// one, `mygame.rules`, `mygame.rules(option=value)` or `rules(file=PATH,option=value)`.
    ///
    /// # Errors
    ///
    /// When there is no such game or parameter, a value is out of range, or the values do not fit
    /// together; also when a file cannot be read or describes no game.
    ///
    /// ```
    /// let game = treegauge::Game::parse("othello(size=6)").unwrap();
    /// assert_eq!(game.start().moves().len(), 4);
    /// ```
    pub fn parse(text: &str) -> Result<Game, Error> {
        Game::parse_with(text, &mut |file| rules_text(Path::new(file)))
    }

    /// The same; `open` gives the text of a file that describes a game, or says why it cannot.
    ///
    /// # Errors
    ///
    /// As [`Game::parse`].
    pub fn parse_with(
        text: &str,
        open: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<Game, Error> {
        Game::of(&GameSpec::parse_with(text, open)?)
    }

    /// The game of a spec.
    ///
    /// # Errors
    ///
    /// When the values of its parameters do not fit together.
    pub fn of(spec: &GameSpec) -> Result<Game, Error> {
        Ok(Game(treegauge_engine::open(spec)?))
    }

    /// Its facts: the spec, the names, what it can do.
    #[must_use]
    pub fn info(&self) -> &GameInfo {
        self.0.info()
    }

    /// The game before its first ply.
    #[must_use]
    pub fn start(&self) -> Line {
        self.0.start()
    }

    /// A game in progress.
    ///
    /// # Errors
    ///
    /// When the text of the position has errors, or a move is not legal.
    pub fn begin(&self, from: &Beginning) -> Result<Line, Error> {
        Ok(self.0.begin(from)?)
    }

    /// The engine, which plays, searches and solves the game.
    #[must_use]
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.0
    }

    /// The name of the game, the same in every report and file however it was written: the canonical name; of a
    /// game that a text describes its path and options.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.info().spec.to_string()
    }

    /// The game as the user wrote it, without spaces.
    #[must_use]
    pub fn written(&self) -> String {
        self.0.info().spec.written().to_owned()
    }

    /// The rules in plain English, where a text describes the game.
    #[must_use]
    pub fn explanation(&self) -> Option<Explanation> {
        self.0.info().spec.program().map(explain)
    }

    /// The position that a text describes, as the start of a game; `None` where it has errors.
    fn position(&self, text: &str) -> Option<Line> {
        let position = Some(text.to_owned());
        self.0.begin(&Beginning { position, moves: Vec::new() }).ok()
    }
}

impl Boards for Game {
    fn rules(&self) -> String {
        let spec = &self.0.info().spec;
        let about = spec.program().and_then(|program| program.about());
        about.unwrap_or(spec.family().rules).to_owned()
    }

    fn rules_in_words(&self) -> Vec<RulesSection> {
        self.explanation().map_or_else(Vec::new, RulesSection::all)
    }

    fn text(&self, position: &str) -> String {
        self.position(position).map_or_else(String::new, |line| line.board_text())
    }

    fn svg(&self, position: &str) -> Svg {
        self.position(position).map_or_else(Svg::default, |line| Svg::new(line.board_svg()))
    }
}

/// The text of a file that describes a game.
///
/// # Errors
///
/// When it cannot be read, in words.
pub fn rules_text(path: &Path) -> Result<String, String> {
    treegauge_store::read_text(path, TEXT_BYTES_MAX as u64).map_err(|error| error.to_string())
}
