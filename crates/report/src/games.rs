//! Report of the games of the catalog.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{Capability, ReportHeader, ReportKind};
use treegauge_doc::{Block, Column, Doc, Table};

use crate::boards::{Boards, Document};
use crate::words::command;

/// Games with their parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Families of games.
    pub games: Vec<GameListing>,
    /// Published games whose rules are texts of the program, unless `games` describes them.
    #[serde(default)]
    pub library: Vec<LibraryListing>,
    /// Alpha-beta evaluators that every game has.
    pub evaluators: Vec<String>,
}

/// A published game whose rules are a text of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LibraryListing {
    /// Name of the game.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Goal of the players in a few words.
    pub goal: String,
    /// Origin of the game.
    #[serde(flatten)]
    pub origin: GameOrigin,
}

/// Origin of a published game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameOrigin {
    /// Name for people.
    pub title: String,
    /// Group in lists.
    pub group: String,
    /// Year of the first publication, or the tradition that the game comes from.
    pub year: String,
    /// Inventor, if known.
    pub author: Option<String>,
    /// Publication that states the rules.
    pub source: String,
    /// Difference between the text and the published rules, if any.
    pub differs: Option<String>,
}

/// A family of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameListing {
    /// Name of the family.
    pub name: String,
    /// Other names of the family.
    pub aliases: Vec<String>,
    /// Description in one line.
    pub summary: String,
    /// Rules in a few sentences.
    #[serde(default)]
    pub rules: String,
    /// Notation of a move, with an example.
    #[serde(default)]
    pub moves: String,
    /// Parameters of the family.
    pub parameters: Vec<ParameterListing>,
    /// Short names that set several parameters.
    pub short: Vec<ShortListing>,
    /// Names of the optional capabilities of the game, such as `graded`.
    pub capabilities: Vec<String>,
    /// Evaluators of this family, in addition to those of every game.
    pub evaluators: Vec<EvaluatorListing>,
    /// Names of games with some parameters set.
    pub presets: Vec<PresetListing>,
    /// Origin of the game; absent if its rules are those of no single published game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<GameOrigin>,
    /// Canonical name of the game, if `name` is that of a preset; the parameters then have its
    /// values as their defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset_of: Option<String>,
    /// Rules in Williams 2010, of the 28 games that were studied there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<StudyRules>,
}

impl GameListing {
    fn canonical(&self) -> &str {
        self.preset_of.as_ref().unwrap_or(&self.name)
    }
}

/// A parameter of a game or of an evaluator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterListing {
    /// Name of the parameter.
    pub name: String,
    /// Value if the user sets none.
    pub default: String,
    /// Allowed values, in words.
    pub values: String,
    /// Meaning in one line.
    pub help: String,
}

/// An evaluator of alpha-beta.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorListing {
    /// Name of the evaluator.
    pub name: String,
    /// Description in one line.
    pub summary: String,
    /// Parameters of the evaluator.
    pub parameters: Vec<ParameterListing>,
}

/// A short name that sets several parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortListing {
    /// The short name.
    pub name: String,
    /// Parameters that the name sets.
    pub sets: Vec<String>,
}

/// A name of a game with some parameters set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresetListing {
    /// Name of the preset.
    pub name: String,
    /// Canonical name of the game.
    pub game: String,
    /// Description in one line.
    pub summary: String,
    /// Rules in Williams 2010, of the 28 games that were studied there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<StudyRules>,
}

/// Rules of a game in Williams 2010, and how the rules here follow them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyRules {
    /// Canonical name of the game among the 28 games of the study.
    pub game: String,
    /// Rules in the source, in other words.
    pub says: String,
    /// Rules that are played here, and the parameters of other readings.
    pub here: String,
}

impl StudyRules {
    /// Both sentences, and the game of the study if it is another one than `game`.
    fn line(&self, game: &str) -> String {
        let other = if self.game == game {
            String::new()
        } else {
            format!(" The study has {}.", self.game)
        };
        format!("In Williams 2010: {} Here: {}{other}", self.says, self.here)
    }
}

impl ReportKind for GamesReport {
    const KIND: &'static str = "games";
}

/// Greatest number of games that a terminal shows in full. Longer lists have a few lines per game.
const DESCRIBED_MAX: usize = 5;

impl Document for GamesReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("games");
        let mut page = vec![Block::heading(1, "Games")];
        for game in &self.games {
            page.extend(game_blocks(game, &self.evaluators));
        }
        if !self.library.is_empty() {
            page.push(Block::heading(2, "Library"));
            page.push(library_table(&self.library));
        }
        doc.push(Block::PagesOnly(page));
        doc.push(Block::TextOnly(vec![Block::Preformatted(games_text(self))]));
        match self.games.as_slice() {
            [] => {}
            [game] => {
                let play = command("play", &[&game.name]);
                doc.next(format!("{play} lets you try it."));
            }
            _ => {
                let games = command("games", &["NAME"]);
                doc.next(format!("{games} prints the rules, moves and parameters of a game."));
            }
        }
        doc
    }
}

/// Published games as a table.
fn library_table(library: &[LibraryListing]) -> Block {
    let columns = [
        Column::left("game"),
        Column::left("year or tradition"),
        Column::left("group"),
        Column::note("goal"),
    ];
    let mut table = Table::new("library", columns);
    for game in library {
        table.push(
            [&game.name, &game.origin.year, &game.origin.group, &game.goal].map(String::as_str),
        );
    }
    Block::Table(table)
}

/// Blocks of a game on a page.
fn game_blocks(game: &GameListing, evaluators: &[String]) -> Vec<Block> {
    let mut blocks =
        vec![Block::heading(2, &game.name), Block::text(title(game)), Block::text(&game.rules)];
    blocks.extend(game.origin.iter().flat_map(GameOrigin::lines).map(Block::text));
    blocks.extend(game.study.iter().map(|study| Block::text(study.line(game.canonical()))));
    blocks.extend([Block::note(format!("A move is written as {}.", game.moves))]);
    let columns = [
        Column::left("parameter"),
        Column::left("default"),
        Column::left("values"),
        Column::note("meaning"),
    ];
    let mut table = Table::new("parameters", columns);
    for p in &game.parameters {
        table.push([&p.name, &p.default, &p.values, &p.help].map(String::as_str));
    }
    blocks.push(Block::Table(table));
    if !game.presets.is_empty() {
        let columns = [Column::left("name"), Column::left("game"), Column::note("meaning")];
        let mut table = Table::new("presets", columns);
        for preset in &game.presets {
            table.push([&preset.name, &preset.game, &preset.summary].map(String::as_str));
        }
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::note(format!("Known of it: {}.", capability_words(game))));
    blocks.push(Block::note(format!(
        "Evaluators of alpha-beta: {}",
        evaluators_of(game, evaluators).join(", ")
    )));
    blocks
}

/// Capabilities of a game in words.
fn capability_words(game: &GameListing) -> String {
    let words = |name: &String| match Capability::named(name) {
        Some(known) => known.words().to_owned(),
        None => name.clone(),
    };
    let words: Vec<String> = game.capabilities.iter().map(words).collect();
    if words.is_empty() { "its rules alone".to_owned() } else { words.join("; ") }
}

/// Evaluators of a game: its own, then those of all games.
fn evaluators_of(game: &GameListing, evaluators: &[String]) -> Vec<String> {
    let own = game.evaluators.iter().map(|evaluator| evaluator.name.clone());
    let graded = game.capabilities.iter().any(|capability| capability == "graded");
    let margin = graded.then(|| "margin".to_owned());
    own.chain(margin).chain(evaluators.iter().cloned()).collect()
}

/// The whole report: every detail for up to [`DESCRIBED_MAX`] games, a few lines per game for more.
fn games_text(report: &GamesReport) -> String {
    let mut text = String::new();
    if report.games.len() <= DESCRIBED_MAX {
        for game in &report.games {
            describe(game, &report.evaluators, &mut text);
        }
        text.truncate(text.trim_end().len() + 1);
        return text;
    }
    for game in &report.games {
        let _ = writeln!(text, "{}", title(game));
        let own = game.parameters.iter().filter(|p| p.name != PLY_CAP);
        let defaults: Vec<String> = own.map(|p| format!("{}={}", p.name, p.default)).collect();
        if !defaults.is_empty() {
            let _ = writeln!(text, "    {}({})", game.name, defaults.join(","));
        }
        presets(game, &mut text);
    }
    if !report.library.is_empty() {
        let _ = writeln!(text, "\nPublished games whose rules are texts of the program:\n");
        text.push_str(&library_text(&report.library));
    }
    text.push_str(
        "
The values in parentheses are the defaults. Every game also has ply_cap, the number of plies after
which a game is stopped. Write a game as name or name(param=value,...), for example
'connect_four(cols=5,rows=4)'.
",
    );
    text
}

/// Columns of a terminal that the list of the library takes.
const COLUMNS: usize = 100;

/// Names of the games of the library, by group.
fn library_text(library: &[LibraryListing]) -> String {
    let mut text = String::new();
    let mut rest = library;
    while let Some(first) = rest.first() {
        let group = &first.origin.group;
        let (own, others) =
            rest.split_at(rest.iter().take_while(|game| game.origin.group == *group).count());
        rest = others;
        let mut line = format!("    {group:<12}");
        for (number, game) in (1..).zip(own) {
            let comma = if number == own.len() { "" } else { "," };
            if line.len() + game.name.len() + comma.len() > COLUMNS {
                let _ = writeln!(text, "{}", line.trim_end());
                line = " ".repeat(16);
            }
            let _ = write!(line, "{}{comma} ", game.name);
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

impl GameOrigin {
    /// Title, year and author; the source; the difference from the published rules.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let by = self.author.as_ref().map_or(String::new(), |author| format!(", by {author}"));
        let mut lines = vec![
            format!("Published game: {} ({}{by}).", self.title, self.year),
            format!("Source of the rules: {}.", self.source),
        ];
        lines.extend(self.differs.as_ref().map(|differs| format!("Not as published: {differs}.")));
        lines
    }
}

/// Parameter that every game has.
const PLY_CAP: &str = "ply_cap";

fn title(game: &GameListing) -> String {
    let also = if let Some(preset) = &game.preset_of {
        format!(" = {preset}")
    } else if game.aliases.is_empty() {
        String::new()
    } else {
        format!(" (also {})", game.aliases.join(", "))
    };
    format!("{}{also}: {}", game.name, game.summary)
}

fn presets(game: &GameListing, text: &mut String) {
    for preset in &game.presets {
        let _ = writeln!(text, "    {} = {}: {}", preset.name, preset.game, preset.summary);
    }
}

fn describe(game: &GameListing, evaluators: &[String], text: &mut String) {
    let _ = writeln!(text, "{}\n", title(game));
    let _ = writeln!(text, "Rules: {}", game.rules);
    for line in game.study.iter().map(|study| study.line(game.canonical())) {
        let _ = writeln!(text, "{line}");
    }
    for line in game.origin.iter().flat_map(GameOrigin::lines) {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "A move is written as {}.\n", game.moves);
    text.push_str("Parameters, with default and allowed values:\n");
    for p in &game.parameters {
        let _ = writeln!(text, "    {}", parameter_words(p));
    }
    for short in &game.short {
        let _ = writeln!(text, "    {} sets {}", short.name, short.sets.join(" and "));
    }
    if !game.presets.is_empty() {
        text.push_str("\nPresets:\n");
        presets(game, text);
    }
    let all = evaluators_of(game, evaluators).join(", ");
    let _ = writeln!(text, "\nKnown of it: {}.", capability_words(game));
    let _ = writeln!(text, "Evaluators of alpha-beta: {all}");
    for evaluator in &game.evaluators {
        let _ = writeln!(text, "    {}: {}", evaluator.name, evaluator.summary);
        for p in &evaluator.parameters {
            let _ = writeln!(text, "        {}", parameter_words(p));
        }
    }
    text.push('\n');
}

fn parameter_words(p: &ParameterListing) -> String {
    format!("{} = {}  [{}] {}", p.name, p.default, p.values, p.help)
}
