//! Solved games: the list of files, positions, and the landscape.

use std::time::Duration;

use serde_json::json;
use treegauge::solve::Value;

use super::play::refused;
use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal, TEXT};
use crate::pages::{self, Explorer};
use crate::route::Form;
use crate::worker::{At, CountedLandscape, Explored, Find, Planned, Reply, Request};

/// The times for a position or a search for one, and for the list and the landscape, which read
/// more of a file.
const PROBE_TIME: Duration = Duration::from_secs(3);
const LIST_TIME: Duration = Duration::from_secs(5);

impl App {
    pub(super) async fn solved(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        let files = match self.workers.ask(&Request::Solved, LIST_TIME).await? {
            Reply::SolvedFiles(files) => files,
            other => return Err(unexpected(other)),
        };
        Ok(match form {
            Form::Page => Answer::new(HTML, pages::solved(&files, asked.token())),
            Form::Json => Answer::json(&pages::solved_json(&files)),
        })
    }

    /// The size of the solve that a form describes, in sentences; empty if the form is not complete.
    pub(super) async fn outlook(&self, asked: &Asked) -> Result<Answer, Refusal> {
        let text = |name: &str| {
            asked.field(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let Some(game) = text("game") else { return Ok(Answer::new(TEXT, "")) };
        self.workspace.check_text(&game)?;
        let moves = text("moves").unwrap_or_default();
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let page = text("page").unwrap_or_default();
        let request = Request::Outlook(Planned {
            at: At { game: game.clone(), position: text("position"), moves },
            symmetry: asked.field("symmetry") == Some("true"),
            memory_bytes_max: self.runs.memory_of_positions(),
        });
        match self.ask_worker(&page, &game, &request, LIST_TIME).await? {
            Reply::Part(words) => Ok(Answer::new(TEXT, words)),
            // The form says what is wrong.
            Reply::Refused(_) => Ok(Answer::new(TEXT, "")),
            other => Err(unexpected(other)),
        }
    }

    /// Path of a solution file in the workspace. A name with a slash in it would be another path.
    fn solution_file(&self, names: &[String]) -> Result<String, Refusal> {
        let path = names.join("/");
        let is_there = !names.iter().any(|name| name.contains('/'))
            && self.workspace.find(&path).is_some_and(|path| path.is_file());
        let missing = || Refusal::not_found("There is no such solution file in the workspace.");
        if is_there { Ok(path) } else { Err(missing()) }
    }

    pub(super) async fn explorer(
        &self,
        names: &[String],
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let file = self.solution_file(names)?;
        let explorer = Explorer::of(&file, &asked.query)?;
        if form == Form::Json {
            let (json, _) = self.done(explorer.task(), &file, PROBE_TIME).await?;
            return Ok(Answer::new(JSON, json));
        }
        let mut problem = None;
        if asked.field("find").is_some() {
            match self.found(&file, asked).await {
                Ok(Some(position)) => {
                    let link = Explorer::at(&file, &position).link(Form::Page);
                    return Ok(Answer::redirect(&link));
                }
                Ok(None) => problem = Some("The file has no such position.".to_owned()),
                Err(refusal) if refusal.status == 400 => problem = Some(refusal.error),
                Err(refusal) => return Err(refusal),
            }
        }
        let found = self.explored(&file, &explorer).await?;
        let typed = asked.field("move").map(str::trim).filter(|text| !text.is_empty());
        if let Some(typed) = typed {
            let mut moves = found.position.board.moves.iter();
            match moves.find(|path| path.text.eq_ignore_ascii_case(typed)) {
                Some(path) => {
                    let link = explorer.after(&path.text).link(Form::Page);
                    return Ok(Answer::redirect(&link));
                }
                None => problem = Some(format!("\"{typed}\" is not a legal move here.")),
            }
        }
        let problem = problem.as_deref();
        let body = match asked.field("part") {
            Some("explorer") => pages::explorer_parts(&explorer, &found, problem),
            _ => pages::explorer(&explorer, &found, problem, asked.token()),
        };
        Ok(Answer::new(HTML, body))
    }

    async fn explored(&self, file: &str, explorer: &Explorer) -> Result<Explored, Refusal> {
        match self.ask_worker("", file, &Request::Probe(explorer.spot()), PROBE_TIME).await? {
            Reply::Explored(found) => Ok(*found),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    /// The position that a query asks for.
    async fn found(&self, file: &str, asked: &Asked) -> Result<Option<String>, Refusal> {
        let wrong = |field: &str, error: &str| Refusal {
            field: Some(field.to_owned()),
            ..Refusal::new(400, error)
        };
        let named = |value: &Value| Some(value.name()) == asked.field("value");
        let value = Value::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| wrong("value", "`value` must be `win`, `tie`, `lose` or `draw`."))?;
        let remoteness = asked.field("remoteness").map(str::trim).filter(|text| !text.is_empty());
        let remoteness = remoteness
            .map(str::parse::<u16>)
            .transpose()
            .map_err(|_| wrong("remoteness", "The plies to the end must be a whole number."))?;
        if remoteness.is_none() && value == Value::Tie {
            return Err(wrong("remoteness", "State the plies to the end: a tie has an end."));
        }
        // Endless play has no number of plies.
        let remoteness = remoteness.filter(|_| value != Value::Draw);
        let seed = asked.field("seed").and_then(|text| text.parse().ok());
        let random = || {
            let secret = crate::secret::secret();
            secret.get(..15).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(1)
        };
        let request = Request::Find(Find {
            file: file.to_owned(),
            value,
            remoteness,
            is_only_move: asked.field("only") == Some("true"),
            seed: seed.unwrap_or_else(random),
        });
        match self.ask_worker("", file, &request, PROBE_TIME).await? {
            Reply::Found(found) => Ok(found),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    pub(super) async fn landscape(
        &self,
        names: &[String],
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let file = self.solution_file(names)?;
        if form == Form::Json {
            let task = json!({"command": "landscape", "file": file});
            let task = task.as_object().cloned().unwrap_or_default();
            let (json, _) = self.done(task, &file, LIST_TIME).await?;
            return Ok(Answer::new(JSON, json));
        }
        let found = self.counted(&file).await?;
        Ok(Answer::new(HTML, pages::landscape(&file, &found, asked.token())))
    }

    async fn counted(&self, file: &str) -> Result<CountedLandscape, Refusal> {
        let request = Request::Landscape { file: file.to_owned() };
        match self.ask_worker("", file, &request, LIST_TIME).await? {
            Reply::Landscape(found) => Ok(*found),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }
}
