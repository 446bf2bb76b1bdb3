//! Games in progress: positions, values of moves, and replies of players.

use std::time::Duration;

use hyper::body::Incoming;
use serde_json::{Map, Value, json};

use super::body::{object, text_of};
use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal, TEXT};
use crate::pages::{self, Aid, Extra, HINTS, HISTORY, Setting, Touched};
use crate::route::{Ask, PlayView};
use crate::task_form::sentence;
use crate::worker::{Answered, At, Position, Reply, Request, Values, ValuesFrom};

/// The times for a position, for values of moves, and for the reply of a player.
const POSITION_TIME: Duration = Duration::from_secs(1);
const VALUES_TIME: Duration = Duration::from_secs(5);
const REPLY_TIME: Duration = Duration::from_secs(20);

/// The longest text of a request about a position.
const TEXT_MAX: usize = 60_000;

/// Iterations of the hints of a page without scripts.
const HINTS_NOW: u32 = HINTS[2];

impl App {
    pub(super) async fn play(
        &self,
        game: &str,
        view: PlayView,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let setting = Setting::of(game, &asked.query)?;
        self.check_setting(&setting)?;
        match view {
            PlayView::Page => self.play_page(&setting, asked).await,
            PlayView::Json => {
                let (json, _) = self.done(setting.shown_task(), game, POSITION_TIME).await?;
                Ok(Answer::new(JSON, json))
            }
            PlayView::Board => {
                if asked.query.is_empty()
                    && let Some(board) = self.board_of_family(game).await
                {
                    return Ok(Answer::new("image/svg+xml", board).attached("board.svg"));
                }
                let position = self.position(&setting, None).await?;
                let cells = position.board.cells;
                let cells = if setting.is_flipped { cells.turned() } else { cells };
                Ok(Answer::new("image/svg+xml", cells.svg()).attached("board.svg"))
            }
            PlayView::History | PlayView::Values => {
                let position = self.position(&setting, None).await?;
                let values = self.whole_history(&setting, &position).await?;
                Ok(if view == PlayView::History {
                    let picture = pages::history_picture(&values);
                    Answer::new("image/svg+xml", picture).attached("history.svg")
                } else {
                    let csv = pages::values_csv(&values);
                    Answer::new("text/csv; charset=utf-8", csv).attached("values.csv")
                })
            }
            PlayView::Moves => {
                let position = self.position(&setting, None).await?;
                let moves: Vec<String> =
                    position.line.into_iter().map(|played| played.text).collect();
                Ok(Answer::new(TEXT, moves.join(" ") + "\n"))
            }
        }
    }

    /// Refuses names of files outside of the workspace.
    fn check_setting(&self, setting: &Setting) -> Result<(), Refusal> {
        self.workspace.check_text(&setting.game)?;
        setting.seats.iter().try_for_each(|seat| self.workspace.check_text(seat))
    }

    async fn play_page(&self, setting: &Setting, asked: &Asked) -> Result<Answer, Refusal> {
        let page = asked.field("page").unwrap_or_default();
        match asked.field("part") {
            Some("position") => {
                let position = self.position(setting, None).await?;
                return Ok(Answer::new(HTML, pages::parts(setting, &position)));
            }
            Some("hints") => {
                let position = self.position(setting, None).await?;
                let iterations = asked.field("iterations").and_then(|text| text.parse().ok());
                let iterations = iterations.unwrap_or(HINTS_NOW).clamp(1, HINTS[HINTS.len() - 1]);
                let values = self.values_here(setting, &position, iterations, page).await?;
                let part = pages::hints(setting, &position, Some(&values));
                return Ok(Answer::new(HTML, part.into_string()));
            }
            Some("history") => {
                let position = self.position(setting, None).await?;
                let values = self.values(setting, &position, HISTORY, None, page).await?;
                let part = pages::history(setting, Some(&values));
                return Ok(Answer::new(HTML, part.into_string()));
            }
            _ => {}
        }
        let typed = asked.field("move").map(str::trim).filter(|text| !text.is_empty());
        let position = self.position(setting, typed).await?;
        let mut extra = Extra::default();
        let answered = |setting: &Setting, turn| match setting.player(turn) {
            Some(_) => setting.answered_link(),
            None => setting.link(),
        };
        let turn = position.shown.turn;
        match &position.typed {
            Some(Ok(m)) => {
                return Ok(Answer::redirect(&answered(&setting.after(m), turn.other())));
            }
            Some(Err(error)) => extra.problem = Some(sentence(error)),
            None => {}
        }
        let names = asked.query.iter().filter(|(name, value)| name == "touch" && !value.is_empty());
        let names: Vec<&str> = names.map(|(_, value)| value.as_str()).collect();
        if !names.is_empty() {
            match pages::touched(&position.board, &names) {
                Touched::Move(m) => {
                    return Ok(Answer::redirect(&answered(&setting.after(&m), turn.other())));
                }
                Touched::Begun(choices) => {
                    extra.touched = pages::numbers(&position, &names);
                    extra.choices = choices;
                }
                Touched::Nothing => {
                    extra.problem = Some(format!("No move touches {} here.", names.join(", ")));
                }
            }
        }
        if asked.field("answer").is_some()
            && let Some(player) = setting.player(turn)
            && position.ended.is_none()
        {
            let found = self.replied(&setting.here(), player, setting.seed, page).await?;
            return Ok(Answer::redirect(&setting.after(&found.text).link()));
        }
        // The address of a form becomes the permalink.
        let is_of_form = |(name, value): &(String, String)| {
            value.trim().is_empty() || name.ends_with("_other") || name == "answer"
        };
        if asked.query.iter().any(is_of_form) && extra.problem.is_none() && extra.touched.is_empty()
        {
            return Ok(Answer::redirect(&setting.link()));
        }
        let hints = match setting.hints {
            Aid::Now if position.ended.is_none() => {
                Some(self.values_here(setting, &position, HINTS_NOW, page).await?)
            }
            _ => None,
        };
        let history = match setting.history {
            Aid::Now => Some(self.values(setting, &position, HISTORY, None, page).await?),
            _ => None,
        };
        extra.hints = hints.as_ref();
        extra.history = history.as_ref();
        Ok(Answer::new(HTML, pages::play(setting, &position, &extra, asked.token())))
    }

    async fn position(&self, setting: &Setting, typed: Option<&str>) -> Result<Position, Refusal> {
        let request = Request::Position {
            at: setting.at(),
            ply: setting.ply,
            typed: typed.map(str::to_owned),
        };
        match self.ask_worker("", &setting.game, &request, POSITION_TIME).await? {
            Reply::Position(position) => Ok(*position),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    /// Values of the moves of the position that is shown.
    async fn values_here(
        &self,
        setting: &Setting,
        position: &Position,
        iterations: u32,
        page: &str,
    ) -> Result<Values, Refusal> {
        let ply = Some((position.ply, position.ply));
        self.values(setting, position, iterations, ply, page).await
    }

    /// Values of the moves at some plies, at all unless named.
    async fn values(
        &self,
        setting: &Setting,
        position: &Position,
        iterations: u32,
        plies: Option<(usize, usize)>,
        page: &str,
    ) -> Result<Values, Refusal> {
        let solution = pages::solution(position);
        let from = ValuesFrom { iterations, seed: setting.seed, solution };
        let plies = plies.unwrap_or((0, setting.moves.len()));
        let request = Request::Values { at: setting.at(), plies, from };
        match self.ask_worker(page, &setting.game, &request, VALUES_TIME).await? {
            Reply::Values(values) => Ok(values),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    /// Values of all moves of all plies. What was computed is kept, so each request adds to it.
    async fn whole_history(
        &self,
        setting: &Setting,
        position: &Position,
    ) -> Result<Values, Refusal> {
        let mut values = self.values(setting, position, HISTORY, None, "").await?;
        for _ in 0..3 {
            if !values.is_complete {
                values = self.values(setting, position, HISTORY, None, "").await?;
            }
        }
        if values.is_complete {
            return Ok(values);
        }
        let error = "The values of this game take more than 20 s. Open its page, which computes them bit by bit.";
        Err(Refusal::busy(error))
    }

    async fn replied(
        &self,
        at: &At,
        player: &str,
        seed: u64,
        page: &str,
    ) -> Result<Answered, Refusal> {
        let request = Request::Reply { at: at.clone(), player: player.to_owned(), seed };
        match self.ask_worker(page, &at.game, &request, REPLY_TIME).await? {
            Reply::Answered(answered) => Ok(answered),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    /// Has a worker do a task about a game.
    pub(super) async fn done(
        &self,
        task: Map<String, Value>,
        game: &str,
        time: Duration,
    ) -> Result<(String, crate::worker::Rendered), Refusal> {
        match self.ask_worker("", game, &Request::Task { task }, time).await? {
            Reply::Done { json, rendered } => Ok((json + "\n", rendered)),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    /// Asks a worker that knows the subject. The newest request of a page ends an older one; requests
    /// without a page do not.
    pub(super) async fn ask_worker(
        &self,
        page: &str,
        subject: &str,
        request: &Request,
        limit: Duration,
    ) -> Result<Reply, Refusal> {
        let work = self.workers.ask_about(subject, request, limit);
        if page.is_empty() { work.await } else { self.positions.run(page.to_owned(), work).await }
    }

    /// Work that a page or a program asks for.
    pub(super) async fn ask(&self, ask: Ask, body: Incoming) -> Result<Answer, Refusal> {
        let mut fields = object(body).await?;
        let page = text_of(&mut fields, "page", 100)?.unwrap_or_default();
        let at = at_of(&mut fields)?;
        self.workspace.check_text(&at.game)?;
        let seed = match fields.remove("seed") {
            None => 1,
            Some(seed) => {
                seed.as_u64().or_else(|| seed.as_str()?.parse().ok()).ok_or_else(|| {
                    let error = "`seed` must be a whole number.";
                    Refusal { field: Some("seed".to_owned()), ..Refusal::new(400, error) }
                })?
            }
        };
        let player = text_of(&mut fields, "player", 500)?;
        let player = player.unwrap_or_else(|| "uct(iterations=10000)".to_owned());
        self.workspace.check_text(&player)?;
        if ask != Ask::Reply {
            return self.ask_tree(ask, at, player, seed, fields, &page).await;
        }
        let found = self.replied(&at, &player, seed, &page).await?;
        Ok(Answer::json(&json!({
            "schema": 1, "kind": "reply", "move": found.text, "player": found.by, "words": found.value,
            "choice": found.choice,
        })))
    }
}

/// The position of a request.
fn at_of(fields: &mut Map<String, Value>) -> Result<At, Refusal> {
    let Some(game) = text_of(fields, "game", TEXT_MAX)? else {
        let error = "The request names no game.";
        return Err(Refusal { field: Some("game".to_owned()), ..Refusal::new(400, error) });
    };
    let position = text_of(fields, "position", TEXT_MAX)?.filter(|text| !text.is_empty());
    Ok(At { game, position, moves: words(fields, "moves")? })
}

/// The words of a text among the fields of a request.
pub(super) fn words(fields: &mut Map<String, Value>, name: &str) -> Result<Vec<String>, Refusal> {
    let text = text_of(fields, name, TEXT_MAX)?.unwrap_or_default();
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// A request that a worker cannot fulfil, as the names in it are wrong.
pub(super) fn refused(error: &str) -> Refusal {
    Refusal::new(400, sentence(error))
}
