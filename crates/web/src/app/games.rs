//! The catalog of games, and single games.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Map;
use tokio::time::timeout;
use treegauge::catalog::family;

use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal};
use crate::pages::{self, Purpose};
use crate::route::{Form, Route};
use crate::texts;
use crate::worker::{Card, Rendered, Reply, Request};

/// The time for the description of a game.
const GAME_TIME: Duration = Duration::from_secs(5);

/// The time for the mistakes of the texts in the catalog.
const TEXTS_TIME: Duration = Duration::from_secs(1);

impl App {
    pub(super) async fn games(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        if let Some(game) = pages::chosen(&asked.query) {
            return Ok(Answer::redirect(&Route::Game(game, Form::Page).link()));
        }
        if form == Form::Json {
            return Ok(Answer::new(JSON, self.task(&["games"]).await?.0));
        }
        let texts = texts::names(&self.workspace);
        // The catalog does not wait for workers that search.
        let known = timeout(TEXTS_TIME, self.facts(texts.clone())).await.unwrap_or_default();
        let errors =
            |path: &str| known.iter().find(|text| text.path == path).map(|text| text.errors);
        let texts: Vec<_> = texts.into_iter().map(|path| (errors(&path), path)).collect();
        let purpose = Purpose::of(&asked.query);
        Ok(Answer::new(HTML, pages::games(&texts, purpose.as_ref(), asked.token())))
    }

    /// Board of the start of a listed game without options. All of them are drawn at once.
    pub(super) async fn board_of_family(&self, game: &str) -> Option<String> {
        family(game)?;
        let known = self.boards.borrow().clone();
        let boards = match known {
            Some(boards) => boards,
            None => match self.workers.ask(&Request::Boards, GAME_TIME).await {
                Ok(Reply::Boards(boards)) => {
                    let boards = Rc::new(boards);
                    *self.boards.borrow_mut() = Some(Rc::clone(&boards));
                    boards
                }
                _ => return None,
            },
        };
        boards.iter().find(|(name, _)| name == game).map(|(_, board)| board.clone())
    }

    pub(super) async fn game(
        &self,
        game: &str,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        self.workspace.check_text(game)?;
        let (json, shown) = self.task(&["show", game]).await?;
        if form == Form::Json {
            return Ok(Answer::new(JSON, json));
        }
        let card =
            match self.workers.ask(&Request::Card { game: game.to_owned() }, GAME_TIME).await? {
                Reply::Card(card) => card,
                Reply::Refused(_) => Card { name: game.to_owned(), ..Card::default() },
                other => return Err(unexpected(other)),
            };
        Ok(Answer::new(HTML, pages::game(game, &card, &shown, asked.token())))
    }

    /// Has a worker do a short task: the report as the command prints it, and rendered.
    pub(super) async fn task(&self, words: &[&str]) -> Result<(String, Rendered), Refusal> {
        let mut task = Map::new();
        task.insert("command".to_owned(), words[0].into());
        if let [_, game] = words {
            task.insert("game".to_owned(), (*game).into());
        }
        match self.workers.ask(&Request::Task { task }, GAME_TIME).await? {
            Reply::Done { json, rendered } => Ok((json + "\n", rendered)),
            Reply::Refused(error) => Err(Refusal::not_found(crate::task_form::sentence(&error))),
            other => Err(unexpected(other)),
        }
    }
}
