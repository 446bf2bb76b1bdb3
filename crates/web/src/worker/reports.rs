//! Parts of reports that have pages of their own: generated games, and datasets.

use serde::{Deserialize, Serialize};
use treegauge::report::{
    Boards, Document, GenerateReport, GeneratedGame, RulesSection, generated_games, missing_words,
};
use treegauge::tasks::Files;
use treegauge::{CheckedText, Error, TextBoards, dataset_content, dataset_files};

use super::{Inside, Rendered, Reply, rendered, report_text};
use crate::workspace::Workspace;

/// The greatest number of cards.
const CARDS_MAX: usize = 1_000;

/// Cards of the best games of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Gallery {
    /// The games, the best first, without their lineages.
    pub(crate) games: Vec<GeneratedGame>,
}

/// A generated game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GamePage {
    pub(crate) game: GeneratedGame,
    /// Picture of the start, as SVG.
    pub(crate) board: String,
    /// Rules in plain English.
    pub(crate) rules: Vec<RulesSection>,
    /// Number of the game before it and behind it in the gallery.
    pub(crate) before: Option<String>,
    pub(crate) behind: Option<String>,
}

/// Content of a dataset.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Study {
    pub(crate) rendered: Rendered,
    /// Missing instances in a sentence.
    pub(crate) missing: Option<String>,
    /// Files with the tables that are there.
    pub(crate) tables: Vec<String>,
}

/// Reads the games of a report of the generator.
fn games_of(workspace: &Workspace, path: &str) -> Result<Vec<GeneratedGame>, Box<Reply>> {
    let text = report_text(workspace, path).map_err(|error| Box::new(Reply::Missing(error)))?;
    let refused =
        |error| Box::new(Reply::Refused(format!("the report is not one of `generate`: {error}")));
    let report: GenerateReport = serde_json::from_str(&text).map_err(refused)?;
    Ok(generated_games(&report))
}

pub(super) fn gallery(workspace: &Workspace, path: &str) -> Reply {
    match games_of(workspace, path) {
        Ok(mut games) => {
            games.truncate(CARDS_MAX);
            for game in &mut games {
                game.lineage.clear();
                game.source.clear();
            }
            Reply::Gallery(Gallery { games })
        }
        Err(reply) => *reply,
    }
}

pub(super) fn made(workspace: &Workspace, path: &str, number: u32) -> Reply {
    let mut games = match games_of(workspace, path) {
        Ok(games) => games,
        Err(reply) => return *reply,
    };
    let name = number.to_string();
    let Some(place) = games.iter().position(|game| game.game.to_string() == name) else {
        let error = format!("Candidate {number} is not among the best games of this run.");
        return Reply::Missing(error);
    };
    let beside = |place: Option<usize>| Some(games.get(place?)?.game.to_string());
    let (before, behind) = (beside(place.checked_sub(1)), beside(place.checked_add(1)));
    let game = games.swap_remove(place);
    let board = TextBoards.start_svg(&game.source).as_str().to_owned();
    let rules = CheckedText::read(&game.source).map_or_else(|_| Vec::new(), |text| text.rules());
    Reply::Made(Box::new(GamePage { game, board, rules, before, behind }))
}

pub(super) fn study(workspace: &Workspace, path: &str) -> Result<Reply, Error> {
    let folder = Inside(workspace).path(path.as_ref())?;
    let content = dataset_content(&folder, &())?;
    let is_there = |name: &&str| workspace.find(&format!("{path}/{name}")).is_some();
    Ok(Reply::Study(Box::new(Study {
        rendered: rendered(&content.report.doc(&TextBoards)),
        missing: content.missing.as_ref().map(missing_words),
        tables: dataset_files::TABLES
            .iter()
            .filter(|name| is_there(name))
            .map(|name| (*name).to_owned())
            .collect(),
    })))
}
