//! Runs of the generator: the gallery of their games, and each game.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal};
use crate::pages::{self, GalleryList, MadePage};
use crate::route::{Form, best_text};
use crate::runs::Run;
use crate::task_form::sentence;
use crate::texts;
use crate::worker::{Gallery, GamePage, Reply, Request};

/// The time for a part of a report.
const PART_TIME: Duration = Duration::from_secs(5);

impl App {
    /// The gallery of a run; `None` if it is not one of the generator or has no report yet.
    pub(super) async fn gallery(&self, run: &Run) -> Option<Gallery> {
        if run.command() != "generate" {
            return None;
        }
        match self.workers.ask(&Request::Gallery { path: run.report_path() }, PART_TIME).await {
            Ok(Reply::Gallery(gallery)) => Some(gallery),
            _ => None,
        }
    }

    async fn made(&self, run: &Run, number: u32) -> Result<GamePage, Refusal> {
        let request = Request::Made { path: run.report_path(), number };
        match self.workers.ask(&request, PART_TIME).await? {
            Reply::Made(made) => Ok(*made),
            Reply::Missing(error) => Err(Refusal::not_found(error)),
            Reply::Refused(error) => Err(Refusal::not_found(sentence(&error))),
            other => Err(unexpected(other)),
        }
    }

    pub(super) async fn best(
        &self,
        id: &str,
        number: u32,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let run = self.runs.get(id)?;
        let path = best_text(&run.id, number);
        let is_filed = self.workspace.find(&path).is_some();
        if form == Form::Json {
            let mut task = Map::new();
            if !is_filed {
                return Err(Refusal::not_found("The run has not written this game as a text."));
            }
            task.insert("command".to_owned(), "check".into());
            task.insert("file".to_owned(), Value::from(path));
            let (json, _) = self.done(task, id, PART_TIME).await?;
            return Ok(Answer::new(JSON, json));
        }
        let made = self.made(&run, number).await?;
        let copy = self.workspace.free_name(&format!("game-{number}"), texts::ENDING);
        let page = MadePage { run: &run, number, made: &made, is_filed, copy: &copy };
        Ok(Answer::new(HTML, pages::made(&page, asked.token())))
    }

    pub(super) async fn best_board(&self, id: &str, number: u32) -> Result<Answer, Refusal> {
        let run = self.runs.get(id)?;
        let made = self.made(&run, number).await?;
        Ok(Answer::new("image/svg+xml", made.board).attached("board.svg"))
    }

    /// The part of the page of a run with its gallery.
    pub(super) async fn gallery_part(&self, run: &Run, asked: &Asked) -> Answer {
        let list = GalleryList::of(&asked.query);
        let gallery = self.gallery(run).await.unwrap_or_default();
        Answer::new(HTML, pages::gallery_cards(run, &gallery, &list).into_string())
    }
}
