//! Chess problems: texts before a run, lists of rated problems, and single ones.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::time::Duration;

use hyper::body::Incoming;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use treegauge::ReadProblems;

use super::body::{form_up_to, object, object_up_to, text_of};
use super::play::refused;
use super::solving::field as csv_field;
use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, Refusal};
use crate::dates::minute;
use crate::guard::{check_form, is_form};
use crate::pages::{self, PASTED_BYTES_MAX, Pasted, Way};
use crate::route::{Form, Route, View};
use crate::runs::{Run, State};
use crate::task_form::sentence;
use crate::worker::{
    ChessPose, ChosenProblems, PosedChess, ProblemChoice, REQUEST_BYTES_MAX, Reply, Request, Sheet,
};
use crate::workspace::{OWN, check_upload_name};

/// The times for problems of a text, and for a list: the first request about a report reads it.
const READ_TIME: Duration = Duration::from_secs(2);
const LIST_TIME: Duration = Duration::from_secs(10);

/// The time for a practice file.
const PRACTICE_TIME: Duration = Duration::from_secs(20);

/// The longest body with a text, each of whose characters may be encoded.
const BODY_BYTES_MAX: u64 = 3 * PASTED_BYTES_MAX as u64 + 4096;

/// The longest text of a file that the page for new problems shows.
const SHOWN_BYTES_MAX: u64 = 64 * 1024;

/// Files and runs that the page for new problems lists.
const FILES_SHOWN: usize = 50;
const RUNS_SHOWN: usize = 20;

/// Endings of the files that may hold chess problems.
const ENDINGS: [&str; 5] = [".csv", ".epd", ".fen", ".pgn", ".txt"];

impl App {
    /// Runs that rate chess problems, the latest first.
    fn chess_runs(&self) -> Vec<Run> {
        self.runs.all().into_iter().filter(is_of_problems).collect()
    }

    /// Examples of routes about rated chess problems, if there are any.
    pub(super) fn chess_routes(&self) -> Vec<Route> {
        let runs = self.chess_runs();
        let done = runs.iter().find(|run| run.state == State::Done);
        done.map(|run| Route::examples_of_chess(&run.id)).unwrap_or_default()
    }

    pub(super) async fn chess(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        let file = asked.field("file").map(str::trim).filter(|file| !file.is_empty());
        let read = match file {
            Some(file) => {
                self.workspace.check_text(file)?;
                let request = Request::Problems { text: None, path: Some(file.to_owned()) };
                Some(self.read_problems(&request).await)
            }
            None => None,
        };
        let runs = self.chess_runs();
        let files = self.problem_files();
        if form == Form::Json {
            let mut page = pages::form_json("difficulty", &asked.query, &self.runs.all());
            page["kind"] = "chess".into();
            page["read"] = match &read {
                Some(Ok(read)) => serde_json::to_value(read).unwrap_or_default(),
                _ => Value::Null,
            };
            if let Some(Err(refusal)) = &read {
                page["error"] = refusal.error.clone().into();
                page["field"] = "file".into();
            }
            page["files"] = files.iter().map(|(name, _)| Value::from(name.as_str())).collect();
            page["runs"] = runs.iter().take(RUNS_SHOWN).map(Run::json).collect();
            return Ok(Answer::json(&page));
        }
        let pasted = Pasted {
            text: file.and_then(|file| self.short_text(file)).unwrap_or_default(),
            file,
            read: read.as_ref().map(Result::as_ref),
            files: &files,
            has_engine: (self.engine)().is_some(),
        };
        let runs: Vec<&Run> = runs.iter().take(RUNS_SHOWN).collect();
        Ok(Answer::new(HTML, pages::chess(&pasted, &asked.query, &runs, asked.token())))
    }

    /// Text of a file that is short enough to be edited on a page.
    fn short_text(&self, file: &str) -> Option<String> {
        let path = self.workspace.find(file)?;
        let bytes = treegauge_store::read(&path, SHOWN_BYTES_MAX).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// Files of the workspace that may hold chess problems, with their sizes.
    fn problem_files(&self) -> Vec<(String, u64)> {
        let entries = self.workspace.entries("").unwrap_or_default().into_iter();
        let may_be = |name: &str| {
            let name = name.to_lowercase();
            ENDINGS.iter().any(|ending| name.ends_with(ending))
        };
        let files = entries.filter(|entry| !entry.is_folder && may_be(&entry.name));
        files.map(|entry| (entry.path, entry.bytes)).take(FILES_SHOWN).collect()
    }

    async fn read_problems(&self, request: &Request) -> Result<ReadProblems, Refusal> {
        match self.workers.ask(request, READ_TIME).await? {
            Reply::Problems(read) => Ok(*read),
            Reply::Refused(error) => Err(Refusal::new(422, sentence(&error))),
            other => Err(unexpected(other)),
        }
    }

    /// Reads pasted problems. A form that is sent without scripts saves them, and leads to the page of
    /// their file.
    pub(super) async fn problems(&self, asked: &Asked, body: Incoming) -> Result<Answer, Refusal> {
        if is_form(&Route::Problems, &asked.head) {
            let fields = form_up_to(body, BODY_BYTES_MAX).await?;
            let value = |name: &str| {
                let found = fields.iter().find(|(field, _)| field == name);
                found.map_or("", |(_, value)| value.as_str())
            };
            check_form(&asked.visitor, value("token"))?;
            return self.save_problems(value("text"), value("name").trim()).await;
        }
        let mut fields = object_up_to(body, BODY_BYTES_MAX).await?;
        let text = text_of(&mut fields, "text", PASTED_BYTES_MAX)?.unwrap_or_default();
        check_length(&text)?;
        let read = self.read_problems(&Request::Problems { text: Some(text), path: None }).await?;
        let html = pages::understood(Some(Ok(&read)), None).into_string();
        let mut reply = serde_json::to_value(&read).unwrap_or_default();
        reply["html"] = html.into();
        Ok(Answer::json(&reply))
    }

    async fn save_problems(&self, text: &str, name: &str) -> Result<Answer, Refusal> {
        check_length(text)?;
        let request = Request::Problems { text: Some(text.to_owned()), path: None };
        let read = self.read_problems(&request).await?;
        let name = match name {
            "" => self.workspace.free_name("problems", &format!(".{}", read.ending)),
            name => name.to_owned(),
        };
        check_upload_name(&name)?;
        self.add_file(&name, text.as_bytes())?;
        let link = Route::Chess(Form::Page).link();
        Ok(Answer::redirect(&format!("{link}?{}", pages::query(&[("file", &name)]))))
    }

    /// The run of a list.
    fn chess_run(&self, id: &str) -> Result<Run, Refusal> {
        let run = self.runs.get(id)?;
        if is_of_problems(&run) {
            return Ok(run);
        }
        let hint = format!("Its page is {}.", Route::Run(run.id.clone(), View::Page).link());
        Err(Refusal::not_found("The run has no list of chess problems.").hint(hint))
    }

    /// Path of the report of a run; `None` if it has none.
    fn found_report(&self, run: &Run) -> Option<String> {
        Some(run.report_path()).filter(|path| self.workspace.find(path).is_some())
    }

    pub(super) async fn chess_list(
        &self,
        id: &str,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let run = self.chess_run(id)?;
        if form == Form::Json {
            return self.run(id, View::Json, asked).await;
        }
        let choice = choice_of(&asked.query);
        let found = match self.found_report(&run) {
            Some(path) => self.chosen_problems(&path, &choice).await.map(Some),
            None => Ok(None),
        };
        let shown = found.as_ref().map(Option::as_ref);
        let attempts = self.attempts_at(&run.id);
        let page = match asked.field("part") {
            _ if choice.sheet.is_some() => match shown.map_err(Clone::clone)? {
                Some(found) => pages::chess_sheet(&run, found, &choice, asked.token()),
                None => return Err(Refusal::not_found("The run has no report yet.")),
            },
            Some("list") => pages::chess_list_part(&run, shown, &choice, &attempts).into_string(),
            _ => pages::chess_list(&run, shown, &choice, &attempts, asked.token()),
        };
        Ok(Answer::new(HTML, page))
    }

    pub(super) async fn chess_practice(&self, id: &str, asked: &Asked) -> Result<Answer, Refusal> {
        let run = self.chess_run(id)?;
        let path = self.found_report(&run);
        let path = path.ok_or_else(|| Refusal::not_found("The run has no report yet."))?;
        let request = Request::ChessPractice {
            path: path.clone(),
            choice: choice_of(&asked.query),
            engine: (self.engine)(),
        };
        match self.ask_worker("", &path, &request, PRACTICE_TIME).await? {
            Reply::Part(page) => {
                Ok(Answer::new(HTML, page).attached(&format!("practice-{id}.html")))
            }
            Reply::Missing(error) => Err(Refusal::not_found(error)),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    async fn chosen_problems(
        &self,
        path: &str,
        choice: &ProblemChoice,
    ) -> Result<ChosenProblems, Refusal> {
        let request = Request::RatedList { path: path.to_owned(), choice: choice.clone() };
        match self.ask_worker("", path, &request, LIST_TIME).await? {
            Reply::Chosen(found) => Ok(*found),
            Reply::Missing(error) => Err(Refusal::not_found(error)),
            other => Err(unexpected(other)),
        }
    }
}

impl App {
    pub(super) async fn chess_problem(
        &self,
        id: &str,
        number: u32,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let run = self.chess_run(id)?;
        let mut way = Way::of(&asked.query)?;
        let found = self.posed_chess(&run, number, &way).await?;
        if form == Form::Json {
            // The solution is in the data of the list, and here only if it is asked for.
            let problem = match way.is_shown {
                true => serde_json::to_value(&found.problem),
                false => serde_json::to_value(&found.problem.card),
            };
            let mut json = problem.unwrap_or_default();
            json["schema"] = 1.into();
            json["kind"] = "chess_problem".into();
            return Ok(Answer::json(&json));
        }
        let link = Route::ChessProblem(run.id.clone(), number, Form::Page).link();
        match found.typed {
            Some(Ok(ref played)) => {
                let moves = [&found.posed.moves[..], std::slice::from_ref(played)].concat();
                return Ok(Answer::redirect(&pages::solving_link(&link, &moves, &[])));
            }
            Some(Err(_)) => {}
            None => way.typed = None,
        }
        let own = self.notes_of(&run.id).into_iter().find(|note| note.problem == number);
        let problem = pages::chess_problem(&run, &found, own.as_ref());
        Ok(self.solving(&problem, &way, &found.posed, asked))
    }

    async fn posed_chess(&self, run: &Run, number: u32, way: &Way) -> Result<PosedChess, Refusal> {
        let path = self.found_report(run);
        let path = path.ok_or_else(|| Refusal::not_found("The run has no report yet."))?;
        let request = Request::PoseChess(ChessPose {
            path: path.clone(),
            number: number as usize,
            moves: way.moves.clone(),
            hint: way.hint,
            is_shown: way.is_shown,
            typed: way.typed.clone(),
            engine: (self.engine)(),
        });
        match self.ask_worker("", &path, &request, LIST_TIME).await? {
            Reply::PosedChess(found) => Ok(*found),
            Reply::Missing(error) => Err(Refusal::not_found(error)),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    /// Keeps the rating and the note that somebody gives to a problem.
    pub(super) async fn note(&self, body: Incoming) -> Result<Answer, Refusal> {
        let mut fields = object(body).await?;
        let wrong = |field: &str, error: &str| Refusal {
            field: Some(field.to_owned()),
            ..Refusal::new(400, error)
        };
        let mut number = |name: &str| {
            let value = fields.remove(name)?;
            value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
        };
        let problem = number("problem").filter(|n| (1.0..=1e9).contains(n));
        let rating = number("rating").filter(|rating| (0.0..=RATING_MAX).contains(rating));
        let problem = problem
            .ok_or_else(|| wrong("problem", "A note is about a `problem` by its number."))?;
        let rating =
            rating.ok_or_else(|| wrong("rating", "A rating is a number from 0 to 4000."))?;
        let id = text_of(&mut fields, "run", 200)?.unwrap_or_default();
        let note = text_of(&mut fields, "note", 2_000)?.unwrap_or_default();
        let run = self.chess_run(&id)?;
        let found = self.posed_chess(&run, problem as u32, &Way::default()).await?;
        let card = &found.problem.card;
        let predicted = card.difficulty.as_ref();
        let note = Note {
            time_s: (self.now_s)(),
            run: run.id.clone(),
            problem: problem as u32,
            line: card.line,
            id: card.id.clone(),
            fen: card.fen.clone(),
            predicted: predicted.map(|found| [found.rating, found.rating_low, found.rating_high]),
            rating,
            note: note.trim().to_owned(),
        };
        let mut row = serde_json::to_string(&note).unwrap_or_default();
        row.push('\n');
        let cannot = |error: std::io::Error| {
            Refusal::busy(format!("The note cannot be written: {}.", error.kind()))
        };
        let path = self.workspace.folder(OWN).map_err(cannot)?.join(NOTES);
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(Refusal::busy("The note cannot be written: a link is in its place."));
            }
            Ok(found) if found.len() > NOTES_BYTES_MAX => {
                let error = format!("`{OWN}/{NOTES}` has more than 16 MB. Move it elsewhere.");
                return Err(Refusal::new(413, error));
            }
            _ => {}
        }
        let mut file = fs::File::options().create(true).append(true).open(&path).map_err(cannot)?;
        file.write_all(row.as_bytes()).map_err(cannot)?;
        Ok(Answer::json(&json!({"schema": 1, "kind": "note"})).status(201))
    }

    /// Notes about the problems of a run, the last of each.
    fn notes_of(&self, run: &str) -> Vec<Note> {
        let path = self.workspace.root().join(OWN).join(NOTES);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        let bytes = treegauge_store::read(&path, 2 * NOTES_BYTES_MAX).ok().filter(|_| is_file);
        let text = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
        let notes = text.lines().filter_map(|line| serde_json::from_str::<Note>(line).ok());
        let last: BTreeMap<u32, Note> =
            notes.filter(|note| note.run == run).map(|note| (note.problem, note)).collect();
        last.into_values().collect()
    }

    /// The ratings that people gave to the problems of a run, as CSV.
    pub(super) fn chess_notes(&self, id: &str) -> Result<Answer, Refusal> {
        let run = self.chess_run(id)?;
        let mut csv = String::from(
            "time,problem,line,id,fen,predicted_rating,rating_low,rating_high,own_rating,note\n",
        );
        for note in self.notes_of(&run.id) {
            let Note { time_s, problem, line, id, fen, predicted, rating, note, .. } = &note;
            let predicted = match predicted {
                Some(numbers) => numbers.map(|number| format!("{number:.0}")).join(","),
                None => ",,".to_owned(),
            };
            let time = minute(*time_s);
            let [id, fen, note] = [id, fen, note].map(|text| csv_field(text));
            csv.push_str(&format!(
                "{time},{problem},{line},{id},{fen},{predicted},{rating},{note}\n"
            ));
        }
        Ok(Answer::new("text/csv; charset=utf-8", csv).attached(&format!("{}-notes.csv", run.id)))
    }
}

/// File of the ratings that people give, and its greatest length.
const NOTES: &str = "notes.jsonl";
const NOTES_BYTES_MAX: u64 = 16 << 20;

/// The greatest rating.
const RATING_MAX: f64 = 4_000.0;

/// A rating that somebody gives to a problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Note {
    time_s: u64,
    run: String,
    /// Number of the problem, from 1.
    problem: u32,
    line: u64,
    id: String,
    fen: String,
    /// Predicted rating with its interval; `None` if there is none.
    predicted: Option<[f64; 3]>,
    pub(crate) rating: f64,
    pub(crate) note: String,
}

fn check_length(text: &str) -> Result<(), Refusal> {
    // A worker reads it as JSON.
    let length = serde_json::to_string(text).map_or(usize::MAX, |text| text.len());
    if text.len() <= PASTED_BYTES_MAX && length < REQUEST_BYTES_MAX - 1024 {
        return Ok(());
    }
    let error = "The text has more than 512 kB. Upload it as a file.";
    Err(Refusal { field: Some("text".to_owned()), ..Refusal::new(413, error) })
}

/// Whether a run rates chess problems of a file.
fn is_of_problems(run: &Run) -> bool {
    let file = run.facts.task.get("file").and_then(Value::as_str);
    // Puzzles of other games come as JSON.
    run.command() == "difficulty" && file.is_some_and(|file| !file.ends_with(".json"))
}

/// The problems of a list that a query asks for.
fn choice_of(query: &[(String, String)]) -> ProblemChoice {
    let value = |name: &str| {
        let found = query.iter().rev().find(|(field, _)| field == name);
        found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let near: Option<f64> = value("near").parse().ok();
    ProblemChoice {
        class: value("class"),
        theme: value("theme"),
        text: value("text"),
        sort: value("sort"),
        near: near.filter(|near| (-10_000.0..=10_000.0).contains(near)),
        numbers: {
            let numbers = query.iter().filter(|(name, _)| name == "n");
            numbers.filter_map(|(_, value)| value.trim().parse().ok()).collect()
        },
        page: value("page").parse().unwrap_or(1).clamp(1, 1_000_000),
        sheet: match value("sheet").as_str() {
            "problems" => Some(Sheet::Problems),
            "answers" => Some(Sheet::Answers),
            _ => None,
        },
    }
}
