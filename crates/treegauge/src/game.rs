//! Games by name.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use treegauge_catalog::rules::{Explanation, TEXT_BYTES_MAX, explain};
use treegauge_catalog::{GameSpec, Parameter, with_path};
use treegauge_engine::{Engine, GameInfo, Line, StartingPoint};
use treegauge_report::{Boards, ReachedBoard, RulesParagraph, RulesSection, Svg};

use crate::error::Error;
use crate::list_games::game_origin;

/// A game of the catalog, with the engine that plays, searches and solves it. A clone shares the
/// engine.
#[derive(Clone, Debug)]
pub struct Game(Arc<dyn Engine>);

impl Game {
    /// Opens a game by its text: `name` or `name(param=value,...)`; or the path of a rules text,
    /// `mygame.rules`, `mygame.rules(option=value)` or `rules(file=PATH,option=value)`.
    ///
    /// # Errors
    ///
    /// If the game or a parameter does not exist, a value is out of range, or the values do not fit
    /// together; also if a file cannot be read or is not a valid rules text.
    ///
    /// ```
    /// let game = treegauge::Game::parse("othello(size=6)").unwrap();
    /// assert_eq!(game.start().moves().len(), 4);
    /// ```
    pub fn parse(text: &str) -> Result<Game, Error> {
        Game::parse_with(text, &mut |file| rules_text(Path::new(file)))
    }

    /// Opens a game as [`Game::parse`] does; `open` returns the content of a rules text, or the
    /// reason why it cannot.
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

    /// Opens the game of a spec.
    ///
    /// # Errors
    ///
    /// If the values of its parameters do not fit together.
    pub fn of(spec: &GameSpec) -> Result<Game, Error> {
        Ok(Game(treegauge_engine::open(spec)?))
    }

    /// Facts about the game: its spec, its names and its capabilities.
    #[must_use]
    pub fn info(&self) -> &GameInfo {
        self.0.info()
    }

    /// Game before its first ply.
    #[must_use]
    pub fn start(&self) -> Line {
        self.0.start()
    }

    /// Game in progress, from a position and moves.
    ///
    /// # Errors
    ///
    /// If the text of the position has errors, or a move is not legal.
    pub fn begin(&self, from: &StartingPoint) -> Result<Line, Error> {
        Ok(self.0.begin(from)?)
    }

    /// Engine that plays, searches and solves the game.
    #[must_use]
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.0
    }

    /// Name of the game in reports and files, the same however the user wrote it: the canonical
    /// name. For a game defined by a rules text, its path and options.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.info().spec.to_string()
    }

    /// Game as the user wrote it, without spaces.
    #[must_use]
    pub fn written(&self) -> String {
        self.0.info().spec.written().to_owned()
    }

    /// Rules in plain English; `None` unless a rules text defines the game.
    #[must_use]
    pub fn explanation(&self) -> Option<Explanation> {
        self.0.info().spec.program().map(explain)
    }

    /// Same game on a smaller board, usually of about two thirds of the size, as [`Game::parse`] reads it;
    /// `None` if the game has no parameter for the size of its board, or no such game is valid.
    pub(crate) fn smaller(&self) -> Option<String> {
        let spec = &self.0.info().spec;
        if let Some(space) = spec.state_space() {
            return space.smaller.map(str::to_owned);
        }
        let parameters = || {
            let of =
                |parameter: &'static Parameter| Some((parameter, spec.args().get(parameter.name)?));
            spec.family().parameters.iter().filter_map(of)
        };
        let reduced = |value: &str| value.parse::<u32>().ok().map(|size| (2 * size).div_ceil(3));
        let sizes = parameters().filter(|(parameter, _)| SIZES.contains(&parameter.name));
        let longest = sizes.filter_map(|(_, value)| reduced(value)).max();
        let values: Vec<String> = parameters()
            .filter_map(|(parameter, value)| {
                let name = parameter.name;
                if SIZES.contains(&name) {
                    return Some(format!("{name}={}", reduced(value)?));
                }
                // Nobody wins on a board that is shorter than the line.
                if LINES.contains(&name)
                    && let Some(longest) = longest
                    && value.parse::<u32>().is_ok_and(|k| k > longest)
                {
                    return Some(format!("{name}={longest}"));
                }
                (value != parameter.default).then(|| format!("{name}={value}"))
            })
            .collect();
        let is_sized = values.iter().any(|set| SIZES.iter().any(|size| set.starts_with(size)));
        let smaller = format!("{}({})", spec.family().name, values.join(","));
        (is_sized && smaller != spec.canonical() && Game::parse(&smaller).is_ok())
            .then_some(smaller)
    }

    /// Position of a text, as the start of a game; `None` if the text has errors.
    fn position(&self, text: &str) -> Option<Line> {
        let position = Some(text.to_owned());
        self.0.begin(&StartingPoint { position, moves: Vec::new() }).ok()
    }
}

/// Parameters for the length of a line that wins.
const LINES: [&str; 3] = ["k", "k1", "k2"];

/// Parameters for the size of a board.
const SIZES: [&str; 7] = ["size", "cols", "rows", "width", "height", "length", "houses"];

impl Boards for Game {
    fn rules(&self) -> String {
        self.0.info().spec.rules_text()
    }

    fn title(&self) -> String {
        self.0.info().spec.title()
    }

    fn rules_in_words(&self) -> Vec<RulesSection> {
        let mut sections = self.explanation().map_or_else(Vec::new, RulesSection::all);
        if let Some(origin) = game_origin(&self.0.info().spec) {
            let lines = origin.lines().into_iter();
            let paragraphs = lines.map(|text| RulesParagraph { level: 0, text }).collect();
            sections.push(RulesSection { heading: "Origin".to_owned(), paragraphs });
        }
        sections
    }

    fn text(&self, position: &str) -> String {
        self.position(position).map_or_else(String::new, |line| line.board_text())
    }

    fn svg(&self, position: &str) -> Svg {
        self.position(position).map_or_else(Svg::default, |line| Svg::new(line.board_svg()))
    }

    fn reached(&self, position: &str, moves: &[&str]) -> Option<ReachedBoard> {
        ReachedBoard::of(self.position(position)?, moves)
    }
}

/// Opens the game of a text.
pub(crate) type ReadGame<'a> = &'a dyn Fn(&str) -> Result<Game, Error>;

/// Name that opens a game. A canonical name has the digest of a rules text in place of its path; if one
/// of `texts`, by path, is that text, the name gets its path. Other names stay as they are.
///
/// ```
/// use std::collections::HashMap;
/// use treegauge::{Game, opening_name};
///
/// let text = "(game \"Three\" (board (grid 3 3)) (play (place)) (end (if (makes (line 3)) (win mover)) (stuck draw)))";
/// let texts = HashMap::from([("three.rules".to_owned(), text.to_owned())]);
/// let game = Game::parse_with("three.rules", &mut |_| Ok(text.to_owned())).unwrap();
/// let name = opening_name(&game.info().canonical_name, &texts);
/// assert!(name.starts_with("rules(file=three.rules,title=three,digest="));
/// assert_eq!(opening_name("achi", &texts), "achi");
/// ```
#[must_use]
pub fn opening_name<'n>(name: &'n str, texts: &HashMap<String, String>) -> Cow<'n, str> {
    if !GameSpec::parse(name).is_ok_and(|spec| spec.lacks_path()) {
        return Cow::Borrowed(name);
    }
    let mut paths: Vec<&String> = texts.keys().collect();
    paths.sort_unstable();
    let mut names = paths.into_iter().map(|path| (with_path(name, path), &texts[path]));
    let found =
        names.find(|(name, text)| GameSpec::parse_with(name, &mut |_| Ok((*text).clone())).is_ok());
    found.map_or(Cow::Borrowed(name), |(name, _)| Cow::Owned(name))
}

/// Reads a rules text from a file.
///
/// # Errors
///
/// The reason in words, if the file cannot be read.
pub fn rules_text(path: &Path) -> Result<String, String> {
    treegauge_store::read_text(path, TEXT_BYTES_MAX as u64).map_err(|error| error.to_string())
}
