//! The report of the games that the program knows.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_doc::{Block, Column, Doc, Table};

use crate::boards::{Boards, Document};

/// The games with their parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The families of games.
    pub games: Vec<GameListing>,
    /// The evaluators of alpha-beta that every game has.
    pub evaluators: Vec<String>,
}

/// A family of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameListing {
    /// Its name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// What it is, in a line.
    pub summary: String,
    /// The rules in a few sentences.
    #[serde(default)]
    pub rules: String,
    /// How a move is written, with an example.
    #[serde(default)]
    pub moves: String,
    /// What can be chosen.
    pub parameters: Vec<ParameterListing>,
    /// Short names that set several parameters.
    pub short: Vec<ShortListing>,
    /// What the game can do beyond its rules.
    pub capabilities: Vec<String>,
    /// The evaluators of its own; every game has more.
    pub evaluators: Vec<EvaluatorListing>,
    /// Names of games with some parameters set.
    pub presets: Vec<PresetListing>,
}

/// A parameter of a game or of an evaluator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterListing {
    /// Its name.
    pub name: String,
    /// Its value where none is given.
    pub default: String,
    /// The values that it can have, in words.
    pub values: String,
    /// What it is, in a line.
    pub help: String,
}

/// An evaluator of alpha-beta.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorListing {
    /// Its name.
    pub name: String,
    /// What it is, in a line.
    pub summary: String,
    /// What can be chosen.
    pub parameters: Vec<ParameterListing>,
}

/// A short name that sets several parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortListing {
    /// The name.
    pub name: String,
    /// The parameters that it sets.
    pub sets: Vec<String>,
}

/// A name of a game with some parameters set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresetListing {
    /// The name.
    pub name: String,
    /// The canonical name of the game.
    pub game: String,
    /// What it is, in a line.
    pub summary: String,
}

impl ReportKind for GamesReport {
    const KIND: &'static str = "games";
}

/// Of more games than these only the names are printed, with what can be chosen.
const DESCRIBED_MAX: usize = 5;

impl Document for GamesReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("games");
        let mut page = vec![Block::heading(1, "Games")];
        for game in &self.games {
            page.extend(game_blocks(game, &self.evaluators));
        }
        doc.push(Block::Pages(page));
        doc.push(Block::Terminal(vec![Block::Preformatted(games_text(self))]));
        doc
    }
}

/// A game on a page.
fn game_blocks(game: &GameListing, evaluators: &[String]) -> Vec<Block> {
    let mut blocks = vec![
        Block::heading(2, &game.name),
        Block::text(title(game)),
        Block::text(&game.rules),
        Block::note(format!("A move is written as {}.", game.moves)),
    ];
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
    blocks.push(Block::note(format!(
        "Evaluators of alpha-beta: {}",
        evaluators_of(game, evaluators).join(", ")
    )));
    blocks
}

/// The evaluators of a game: its own, then those of all games.
fn evaluators_of(game: &GameListing, evaluators: &[String]) -> Vec<String> {
    let own = game.evaluators.iter().map(|evaluator| evaluator.name.clone());
    let graded = game.capabilities.iter().any(|capability| capability == "graded");
    let margin = graded.then(|| "margin".to_owned());
    own.chain(margin).chain(evaluators.iter().cloned()).collect()
}

/// The whole report: a few lines for each game, or all that there is to say where there are five
/// games or fewer.
fn games_text(report: &GamesReport) -> String {
    let mut text = String::new();
    if report.games.len() <= DESCRIBED_MAX {
        for game in &report.games {
            describe(game, &report.evaluators, &mut text);
        }
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
    text.push_str(
        "
The values in parentheses are the defaults; every game has ply_cap too, the plies after which a
game is stopped. Write a game as name or name(param=value,...), for example
'connect_four(cols=5,rows=4)'. `treegauge games NAME` prints the rules of a game, how its moves are
written and what its parameters mean.
",
    );
    text
}

/// The parameter that every game has.
const PLY_CAP: &str = "ply_cap";

fn title(game: &GameListing) -> String {
    let also = if game.aliases.is_empty() {
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
    let _ = writeln!(text, "A move is written as {}.\n", game.moves);
    text.push_str("Parameters, with their defaults and what they take:\n");
    for p in &game.parameters {
        let _ = writeln!(text, "    {}", parameter_words(p));
    }
    for short in &game.short {
        let _ = writeln!(text, "    {} sets {}", short.name, short.sets.join(" and "));
    }
    if !game.presets.is_empty() {
        text.push_str("\nNames for settings of them:\n");
        presets(game, text);
    }
    let all = evaluators_of(game, evaluators).join(", ");
    let _ = writeln!(text, "\nEvaluators of alpha-beta: {all}");
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
