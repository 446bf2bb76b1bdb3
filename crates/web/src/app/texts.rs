//! Texts of games: lists, the editor, checks and saves.

use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use hyper::{Method, http::HeaderMap};
use serde_json::{Map, Value, json};
use treegauge::catalog::{FRAME, WORDS};

use super::body::{form_up_to, object_up_to, text_of};
use super::{App, Asked, unexpected};
use crate::answer::{Answer, Content, HTML, JSON, Refusal};
use crate::guard::{check_form, is_form};
use crate::pages::{self, TextPage, Uses};
use crate::route::{Form, Route};
use crate::task_form::sentence;
use crate::texts::checking::{Checked, Stage, TextFacts};
use crate::texts::{self, Expected, NotSaved, SavedText};
use crate::worker::{Reply, Request};

/// The longest body with a text: a text of 64 kB with each character encoded.
const TEXT_BODY_BYTES_MAX: u64 = 256 * 1024;

/// The time for the mistakes of a text, and for the whole check.
const MISTAKES_TIME: Duration = Duration::from_secs(1);
const GAME_TIME: Duration = Duration::from_secs(4);

/// The time for random games of a check, and of the page of a text.
const GAMES_MS: u64 = 2_000;
const PAGE_GAMES_MS: u64 = 400;

/// The time for the mistakes of all texts of a list.
const LIST_TIME: Duration = Duration::from_secs(2);

impl App {
    pub(super) async fn texts(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        let names = texts::names(&self.workspace);
        let known = self.facts(names.clone()).await;
        let rows = names.into_iter().map(|name| {
            let facts = known.iter().find(|facts| facts.path == name).cloned();
            // A text that was removed a moment ago is not listed any more.
            let changed_s = texts::read(&self.workspace, &name).map(|saved| saved.changed_s);
            (name, changed_s, facts)
        });
        let rows: Vec<_> = rows.collect();
        Ok(match form {
            Form::Page => {
                let from = asked.field("from").unwrap_or_default();
                Answer::new(HTML, pages::texts(&rows, from, asked.token()))
            }
            Form::Json => {
                let rows = rows.iter().map(|(name, changed, facts)| {
                    let facts = facts.as_ref();
                    json!({
                        "path": name,
                        "changed_s": changed.as_ref().ok(),
                        "name": facts.map(|facts| &facts.name),
                        "digest": facts.map(|facts| &facts.digest),
                        "errors": facts.map(|facts| facts.errors),
                    })
                });
                let rows: Vec<Value> = rows.collect();
                Answer::json(
                    &json!({"schema": 1, "kind": "texts", "texts": rows, "words": words_json()}),
                )
            }
        })
    }

    /// Facts about texts; none about those that are not read in time.
    pub(super) async fn facts(&self, paths: Vec<String>) -> Vec<TextFacts> {
        if paths.is_empty() {
            return Vec::new();
        }
        match self.workers.ask(&Request::Texts { paths }, LIST_TIME).await {
            Ok(Reply::Texts(facts)) => facts,
            _ => Vec::new(),
        }
    }

    pub(super) async fn text(
        &self,
        names: &[String],
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let name = name_of(names)?;
        let saved = texts::read(&self.workspace, &name).map_err(|refusal| {
            let versions = texts::versions(&self.workspace, &name);
            match versions.first() {
                Some(last) if refusal.status == 404 => refusal
                    .hint(format!("Its last version is the file {} of the workspace.", last.path)),
                _ => refusal,
            }
        })?;
        let tagged = |answer: Answer| answer.with(ETAG, format!("\"{}\"", saved.tag));
        if asked.head.method == Method::HEAD {
            return Ok(tagged(Answer::new(HTML, "")));
        }
        if form == Form::Json {
            let mut task = Map::new();
            task.insert("command".to_owned(), "check".into());
            task.insert("file".to_owned(), name.into());
            return match self.workers.ask(&Request::Task { task }, GAME_TIME).await? {
                Reply::Done { json, .. } => Ok(tagged(Answer::new(JSON, json + "\n"))),
                Reply::Refused(error) => Err(Refusal::new(422, sentence(&error))),
                other => Err(unexpected(other)),
            };
        }
        let number = |field: &str| {
            let text = asked.field(field)?;
            let wrong = || Refusal::not_found(format!("`{name}` has no version {text}."));
            Some(text.parse::<u32>().map_err(|_| wrong()))
        };
        if let Some(number) = number("compare") {
            let number = number?;
            let old = texts::read_version(&self.workspace, &name, number)?;
            let page = pages::text_difference(&name, number, &old, &saved, asked.token());
            return Ok(tagged(Answer::new(HTML, page)));
        }
        let version = number("version").transpose()?;
        let shown = match version {
            Some(number) => texts::read_version(&self.workspace, &name, number)?.text,
            None => saved.text.clone(),
        };
        if asked.field("part") == Some("saved") {
            let checked = self.checked(&saved.text, Stage::Mistakes).await;
            let uses = self.uses(&name, &saved, checked.as_ref().ok()).await;
            return Ok(tagged(Answer::new(
                HTML,
                pages::text_saved(&name, &saved, &uses).into_string(),
            )));
        }
        let page = self.editor(&name, &saved, &shown, version, false, asked).await;
        Ok(tagged(Answer::new(HTML, page)))
    }

    /// The page of the editor. `is_stale` if the saved text is not the one that the writer of the shown
    /// one has seen.
    async fn editor(
        &self,
        name: &str,
        saved: &SavedText,
        shown: &str,
        version: Option<u32>,
        is_stale: bool,
        asked: &Asked,
    ) -> String {
        let stage = Stage::Game { games_ms: PAGE_GAMES_MS };
        let checked = self.checked(shown, stage).await;
        let of_saved = match shown == saved.text {
            true => checked.clone(),
            false => self.checked(&saved.text, Stage::Mistakes).await,
        };
        let uses = self.uses(name, saved, of_saved.as_ref().ok()).await;
        let root = crate::assets::hash(&self.workspace.root().to_string_lossy());
        let page = TextPage { name, saved, shown, version, is_stale, workspace: &root };
        pages::text(&page, &checked, &uses, asked.token())
    }

    /// Returns the links of a saved text, and its earlier versions.
    async fn uses(&self, name: &str, saved: &SavedText, checked: Option<&Checked>) -> Uses {
        let versions = texts::versions(&self.workspace, name);
        let digest = |checked: &Checked| checked.game.as_ref().map(|game| game.digest.clone());
        let previous = versions.iter().find_map(|version| {
            let text = texts::read_version(&self.workspace, name, version.number).ok()?.text;
            (text != saved.text).then_some((version, text))
        });
        let previous = match previous {
            Some((version, text)) => {
                let checked = self.checked(&text, Stage::Mistakes).await.ok();
                let digest = checked.as_ref().and_then(digest);
                Some((version.number, version.path.clone(), digest))
            }
            None => None,
        };
        Uses { digest: checked.and_then(digest), previous, versions }
    }

    /// Has a worker check a text.
    async fn checked(&self, text: &str, stage: Stage) -> Result<Checked, Refusal> {
        let time = match stage {
            Stage::Game { .. } => GAME_TIME,
            _ => MISTAKES_TIME,
        };
        match self.workers.ask(&Request::Check { text: text.to_owned(), stage }, time).await? {
            Reply::Checked(checked) => Ok(*checked),
            other => Err(unexpected(other)),
        }
    }

    pub(super) async fn check(&self, asked: &Asked, body: Incoming) -> Result<Answer, Refusal> {
        let mut fields = object_up_to(body, TEXT_BODY_BYTES_MAX).await?;
        let text = required(&mut fields, "text")?;
        let page = text_of(&mut fields, "page", 64)?.unwrap_or_default();
        let stage = text_of(&mut fields, "stage", 20)?;
        let stage = match stage.as_deref() {
            None | Some("mistakes") => Stage::Mistakes,
            Some("game") => Stage::Game { games_ms: GAMES_MS },
            Some("format") => Stage::Format,
            Some(_) => {
                let error = "A stage is `mistakes`, `game` or `format`.";
                return Err(Refusal {
                    field: Some("stage".to_owned()),
                    ..Refusal::new(400, error)
                });
            }
        };
        texts::check_content(&text)?;
        let work = self.checked(&text, stage);
        let checked = match page.is_empty() {
            true => work.await?,
            // The pages of a browser share its cookie.
            false => self.checks.run(format!("{} {page}", asked.token()), work).await?,
        };
        let shown = checked.game.as_ref().and_then(|game| game.shown.as_ref());
        let game = checked.game.as_ref();
        Ok(Answer::json(&json!({
            "schema": 1,
            "kind": "checked",
            "errors": checked.errors,
            "warnings": shown.map(|shown| &shown.warnings),
            "name": game.map(|game| &game.name),
            "digest": game.map(|game| &game.digest),
            "formatted": checked.formatted,
            "problems": pages::text_problems(&checked).into_string(),
            "game": shown.map(|shown| pages::text_game(shown).into_string()),
        })))
    }

    pub(super) async fn differences(&self, body: Incoming) -> Result<Answer, Refusal> {
        let mut fields = object_up_to(body, TEXT_BODY_BYTES_MAX).await?;
        let text = required(&mut fields, "text")?;
        let name = required(&mut fields, "file")?;
        texts::check_content(&text)?;
        let saved = texts::read(&self.workspace, &name)?;
        let html = pages::difference(&saved.text, &text).into_string();
        Ok(Answer::json(&json!({
            "schema": 1, "kind": "differences", "file": name, "tag": saved.tag,
            "text": saved.text, "html": html,
        })))
    }

    pub(super) async fn save_text(
        &self,
        names: &[String],
        asked: &Asked,
        body: Incoming,
    ) -> Result<Answer, Refusal> {
        let name = name_of(names)?;
        let route = Route::SaveText(names.to_vec());
        let sent = Sent::of(&route, asked, body).await?;
        let text = sent.text("text")?;
        let expected = match sent.is_form {
            true => match sent.text("tag")? {
                tag if tag.is_empty() => Expected::New,
                tag => Expected::Tag(tag),
            },
            false => expected(&asked.head.headers, &name)?,
        };
        let text = with_line_ends(&text, texts::read(&self.workspace, &name).ok());
        let link = Route::Text(names.to_vec(), Form::Page).link();
        match texts::save(&self.workspace, &name, &text, &expected) {
            Ok(_) if sent.is_form => Ok(Answer::redirect(&link)),
            Ok(tag) => {
                self.hub.send(&json!({"change": "text", "file": name, "tag": tag}));
                let saved = json!({
                    "schema": 1, "kind": "saved", "file": name, "tag": tag, "bytes": text.len(),
                    "href": link,
                });
                let status = if expected == Expected::New { 201 } else { 200 };
                Ok(Answer::json(&saved).status(status))
            }
            Err(NotSaved::Refused(refusal)) => Err(refusal),
            Err(NotSaved::Changed(current)) if sent.is_form => {
                let current = current.unwrap_or_default();
                let page = self.editor(&name, &current, &text, None, true, asked).await;
                Ok(Answer::of(409, HTML, Content::Whole(page.into())))
            }
            Err(NotSaved::Changed(current)) => Ok(conflict(&name, &text, current.as_ref())),
        }
    }

    pub(super) async fn new_text(&self, asked: &Asked, body: Incoming) -> Result<Answer, Refusal> {
        let sent = Sent::of(&Route::NewText, asked, body).await?;
        let mut name = sent.text("name")?.trim().to_owned();
        if !name.is_empty() && !name.ends_with(texts::ENDING) {
            name.push_str(texts::ENDING);
        }
        let is_kept = sent.field("keep").is_some_and(|keep| !keep.is_empty());
        let text = match sent.field("copy").map(str::trim).filter(|copy| !copy.is_empty()) {
            Some(copied) => texts::read(&self.workspace, copied)?.text,
            None => self.built_in_text(sent.text("from")?.trim()).await?,
        };
        match texts::save(&self.workspace, &name, &text, &Expected::New) {
            Ok(tag) => {
                let names = name.split('/').map(str::to_owned).collect();
                let link = Route::Text(names, Form::Page).link();
                if sent.is_form {
                    let list = Route::Texts(Form::Page).link();
                    return Ok(Answer::redirect(if is_kept { &list } else { &link }));
                }
                let saved = json!({
                    "schema": 1, "kind": "saved", "file": name, "tag": tag, "bytes": text.len(),
                    "href": link,
                });
                Ok(Answer::json(&saved).status(201))
            }
            Err(NotSaved::Refused(refusal)) => Err(refusal),
            Err(NotSaved::Changed(_)) => {
                Err(Refusal::new(409, format!("There is a file `{name}` already.")))
            }
        }
    }
}

impl App {
    /// The text of a built-in game.
    async fn built_in_text(&self, game: &str) -> Result<String, Refusal> {
        let mut task = Map::new();
        task.insert("command".to_owned(), "new".into());
        task.insert("game".to_owned(), game.into());
        match self.workers.ask(&Request::Task { task }, MISTAKES_TIME * 3).await? {
            Reply::Done { json, .. } => {
                let report: Value = serde_json::from_str(&json).unwrap_or_default();
                Ok(report["source"].as_str().unwrap_or_default().to_owned())
            }
            Reply::Refused(error) => {
                let refusal = Refusal::new(400, sentence(&error));
                Err(Refusal { field: Some("from".to_owned()), ..refusal })
            }
            other => Err(unexpected(other)),
        }
    }

    pub(super) async fn rename_text(
        &self,
        names: &[String],
        asked: &Asked,
        body: Incoming,
    ) -> Result<Answer, Refusal> {
        let name = name_of(names)?;
        let sent = Sent::of(&Route::RenameText(names.to_vec()), asked, body).await?;
        let mut to = sent.text("to")?.trim().to_owned();
        if !to.is_empty() && !to.ends_with(texts::ENDING) {
            to.push_str(texts::ENDING);
        }
        texts::rename(&self.workspace, &name, &to)?;
        let link = Route::Text(to.split('/').map(str::to_owned).collect(), Form::Page).link();
        self.hub.send(&json!({"change": "text", "file": name, "tag": null}));
        Ok(self.moved(&sent, json!({"kind": "renamed", "file": to}), &link))
    }

    pub(super) async fn remove_text(
        &self,
        names: &[String],
        asked: &Asked,
        body: Incoming,
    ) -> Result<Answer, Refusal> {
        let name = name_of(names)?;
        let sent = Sent::of(&Route::RemoveText(names.to_vec()), asked, body).await?;
        texts::remove(&self.workspace, &name, (self.now_s)())?;
        self.hub.send(&json!({"change": "text", "file": name, "tag": null}));
        let link = Route::Texts(Form::Page).link();
        Ok(self.moved(&sent, json!({"kind": "removed", "file": name}), &link))
    }

    /// The answer after a text was moved.
    fn moved(&self, sent: &Sent, mut moved: Value, link: &str) -> Answer {
        if sent.is_form {
            return Answer::redirect(link);
        }
        moved["schema"] = 1.into();
        moved["href"] = link.into();
        Answer::json(&moved)
    }
}

/// The fields of a change, sent by a script or by a form without one.
struct Sent {
    fields: Vec<(String, String)>,
    is_form: bool,
}

impl Sent {
    async fn of(route: &Route, asked: &Asked, body: Incoming) -> Result<Sent, Refusal> {
        let is_form = is_form(route, &asked.head);
        let fields = if is_form {
            form_up_to(body, TEXT_BODY_BYTES_MAX).await?
        } else {
            let fields = object_up_to(body, TEXT_BODY_BYTES_MAX).await?;
            let text = |(name, value)| match value {
                Value::String(text) => Some((name, text)),
                _ => None,
            };
            fields.into_iter().filter_map(text).collect()
        };
        let sent = Sent { fields, is_form };
        if is_form {
            check_form(&asked.visitor, sent.field("token").unwrap_or_default())?;
        }
        Ok(sent)
    }

    fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The text of a field. A form ends lines with two characters.
    fn text(&self, name: &str) -> Result<String, Refusal> {
        let text = self.field(name).ok_or_else(|| missing_field(name))?;
        Ok(if self.is_form { text.replace("\r\n", "\n") } else { text.to_owned() })
    }
}

/// The path of a text. A name with a slash in it would be another path.
fn name_of(names: &[String]) -> Result<String, Refusal> {
    let is_hidden = names.first().is_some_and(|name| name.starts_with('.'));
    if is_hidden || names.iter().any(|name| name.contains('/')) {
        return Err(Refusal::not_found("There is no such text in the workspace."));
    }
    Ok(names.join("/"))
}

/// The text that a save replaces, by the head of its request.
fn expected(headers: &HeaderMap, name: &str) -> Result<Expected, Refusal> {
    let one = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    match (one(IF_MATCH), one(IF_NONE_MATCH)) {
        (Some(tag), None) if tag != "*" => Ok(Expected::Tag(tag.trim_matches('"').to_owned())),
        (None, Some("*")) => Ok(Expected::New),
        _ => {
            let hint = "Send `If-Match` with the tag of the text that is replaced, or `If-None-Match: *` for a new one.";
            Err(Refusal::new(
                428,
                format!("The request does not say which text of `{name}` it replaces."),
            )
            .hint(hint))
        }
    }
}

/// A text with the line ends of the file that it replaces.
fn with_line_ends(text: &str, current: Option<SavedText>) -> String {
    let has_two = current.is_some_and(|current| current.text.contains("\r\n"));
    if has_two && !text.contains('\r') { text.replace('\n', "\r\n") } else { text.to_owned() }
}

/// The answer to a save over a text that is not the one that was seen.
fn conflict(name: &str, text: &str, current: Option<&SavedText>) -> Answer {
    let error = match current {
        Some(_) => format!("`{name}` changed on disk since you opened it."),
        None => format!("`{name}` was removed since you opened it."),
    };
    let hint = match current {
        Some(_) => "Compare, keep yours, or load that one.",
        None => "Save it again to keep it.",
    };
    let html = current.map(|current| pages::difference(&current.text, text).into_string());
    let answer = json!({
        "schema": 1, "kind": "error", "error": error, "hint": hint, "field": null,
        "tag": current.map(|current| &current.tag),
        "text": current.map(|current| &current.text),
        "html": html,
    });
    Answer::json(&answer).status(409)
}

fn required(fields: &mut Map<String, Value>, name: &str) -> Result<String, Refusal> {
    text_of(fields, name, usize::MAX)?.ok_or_else(|| missing_field(name))
}

fn missing_field(name: &str) -> Refusal {
    let refusal = Refusal::new(400, format!("The field `{name}` is missing."));
    Refusal { field: Some(name.to_owned()), ..refusal }
}

/// All words of the language, as data.
fn words_json() -> Vec<Value> {
    let frame = FRAME.iter().map(|word| {
        json!({
            "name": word.name, "within": word.within, "pattern": word.pattern,
            "meaning": word.meaning, "example": word.example,
        })
    });
    let words = WORDS.iter().map(|word| {
        json!({
            "name": word.name, "sort": word.sort.title(), "pattern": word.pattern(),
            "meaning": word.meaning, "example": word.example, "of_move": word.of_move,
        })
    });
    frame.chain(words).collect()
}
