//! Recorded games of a run, and the number of games that a comparison of players needs.

use std::time::Duration;

use serde_json::{Map, Value, json};
use treegauge::report::{ReplayReport, ReplayedGameReport};

use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal};
use crate::pages::{self, Power, RecordedPage};
use crate::route::{Form, record_of};
use crate::runs::{REPORT, Run, State};
use crate::task_form::sentence;
use crate::worker::{At, Position, Reply, Request};
use crate::workspace::RUNS;

/// The times for all games of a record, for one of them, and for a power analysis.
const REPLAY_TIME: Duration = Duration::from_secs(10);
const POSITION_TIME: Duration = Duration::from_secs(2);
const POWER_TIME: Duration = Duration::from_secs(5);

/// The gap of a power analysis unless another is asked for, as the command line has it.
const GAP: f64 = 0.04;

/// The longest report of a tournament whose draws are counted.
const REPORT_BYTES_MAX: u64 = 4 << 20;

impl App {
    /// Whether the games of a run were recorded.
    pub(super) fn has_games(&self, run: &Run) -> bool {
        let is_recorded = matches!(run.command(), "match" | "tournament" | "gauge");
        is_recorded && self.workspace.find(&record_of(&run.id)).is_some_and(|path| path.is_file())
    }

    /// Replays the record of a run, or one of its games.
    async fn replayed(&self, run: &Run, game: Option<&str>) -> Result<String, Refusal> {
        if !self.has_games(run) {
            let hint = "Matches, tournaments and gauges record their games; games between random players are not \
                        recorded.";
            return Err(Refusal::not_found("The run has no recorded games.").hint(hint));
        }
        let mut task = Map::new();
        task.insert("command".to_owned(), "replay".into());
        task.insert("file".to_owned(), record_of(&run.id).into());
        // As a command line is read: a name that is a number is one.
        let value = |name: &str| match name.parse::<u64>() {
            Ok(number) if number.to_string() == name => Value::from(number),
            _ => Value::from(name),
        };
        task.extend(game.map(|game| ("game".to_owned(), value(game))));
        match self.workers.ask(&Request::Task { task }, REPLAY_TIME).await? {
            Reply::Done { json, .. } => Ok(json + "\n"),
            Reply::Refused(error) => Err(Refusal::not_found(sentence(&error))),
            other => Err(unexpected(other)),
        }
    }

    pub(super) async fn recorded_games(
        &self,
        id: &str,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let run = self.runs.get(id)?;
        let json = self.replayed(&run, None).await?;
        if form == Form::Json {
            return Ok(Answer::new(JSON, json));
        }
        let report: ReplayReport = serde_json::from_str(&json).map_err(|_| unreadable())?;
        Ok(Answer::new(HTML, pages::recorded_games(&run, &report, &asked.query, asked.token())))
    }

    pub(super) async fn recorded_game(
        &self,
        id: &str,
        name: &str,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let run = self.runs.get(id)?;
        let json = self.replayed(&run, Some(name)).await?;
        if form == Form::Json {
            return Ok(Answer::new(JSON, json));
        }
        let report: ReplayedGameReport = serde_json::from_str(&json).map_err(|_| unreadable())?;
        let last = report.positions.len().saturating_sub(1);
        let ply = asked.field("ply").and_then(|text| text.parse().ok()).unwrap_or(last).min(last);
        let at = At {
            game: report.game.clone(),
            position: report.positions.first().map(|first| first.position.clone()),
            moves: report.positions.iter().filter_map(|one| one.m.clone()).collect(),
        };
        // The texts of games may have changed since; the moves are shown without a board then.
        let position = self.position_of(&at, ply).await.ok();
        let page = RecordedPage {
            run: &run,
            name,
            report: &report,
            ply,
            is_flipped: asked.field("flip") == Some("true"),
            position: position.as_ref(),
        };
        Ok(Answer::new(
            HTML,
            match asked.field("part") {
                Some("position") => pages::recorded_position(&page).into_string(),
                _ => pages::recorded_game(&page, asked.token()),
            },
        ))
    }

    async fn position_of(&self, at: &At, ply: usize) -> Result<Position, Refusal> {
        let request = Request::Position { at: at.clone(), ply: Some(ply), typed: None };
        match self.workers.ask_about(&at.game, &request, POSITION_TIME).await? {
            Reply::Position(position) => Ok(*position),
            Reply::Refused(error) => Err(Refusal::not_found(sentence(&error))),
            other => Err(unexpected(other)),
        }
    }

    /// The games that would show a gap between players as those of a run; `None` if the run does not
    /// compare players, or has no games yet.
    pub(super) async fn power(&self, run: &Run, asked: &Asked) -> Option<Power> {
        let mut task = Map::new();
        task.insert("command".to_owned(), "match".into());
        task.insert("power".to_owned(), true.into());
        match run.command() {
            "match" if run.facts.task.get("power") != Some(&Value::Bool(true)) => {
                if !self.has_games(run) {
                    return None;
                }
                task.insert("record".to_owned(), record_of(&run.id).into());
            }
            // The record of a tournament holds the games of several pairs of players.
            "tournament" if run.state == State::Done => {
                let share = self.draws(run)?;
                task.insert("draw_rate".to_owned(), json!(share));
            }
            _ => return None,
        }
        let given = asked.field("gap").map(str::trim).filter(|text| !text.is_empty());
        let gap = given.map_or(Some(GAP), |text| text.parse().ok());
        let gap = gap.filter(|gap| (0.001..=0.5).contains(gap));
        let words = |gap: f64, task: &Map<String, Value>| {
            let record = task.get("record").and_then(Value::as_str);
            let record = record.map(|record| format!("--record={record}"));
            let draws = task.get("draw_rate").map(|share| format!("--draw-rate={share}"));
            let words = ["match".to_owned(), "--power".to_owned(), format!("--gap={gap}")];
            let words = words.into_iter().chain(draws).chain(record).chain(["--json".to_owned()]);
            words.collect::<Vec<String>>()
        };
        let Some(gap) = gap else {
            let result = Err("The gap is a share of the points from 0.001 to 0.5.".to_owned());
            return Some(Power { gap: GAP, command: words(GAP, &task), result });
        };
        task.insert("gap".to_owned(), json!(gap));
        let command = words(gap, &task);
        let request = Request::Task { task };
        let result = match self.workers.ask(&request, POWER_TIME).await {
            Ok(Reply::Done { rendered, .. }) => Ok(rendered),
            Ok(Reply::Refused(error)) => Err(sentence(&error)),
            Ok(_) => return None,
            Err(refusal) => Err(refusal.error),
        };
        Some(Power { gap, command, result })
    }
}

impl App {
    /// The share of drawn games of a tournament, to three digits; `None` if its report cannot be read.
    fn draws(&self, run: &Run) -> Option<f64> {
        let path = self.workspace.find(&format!("{RUNS}/{}/{REPORT}", run.id))?;
        let report = treegauge_store::read(&path, REPORT_BYTES_MAX).ok()?;
        let report: Value = serde_json::from_slice(&report).ok()?;
        let sum = |field: &str| -> u64 {
            let encounters = report["encounters"].as_array().into_iter().flatten();
            encounters.filter_map(|one| one[field].as_u64()).sum()
        };
        let (draws, games) = (sum("draws"), sum("games"));
        (games > 0).then(|| (1000.0 * draws as f64 / games as f64).round() / 1000.0)
    }
}

fn unreadable() -> Refusal {
    Refusal::busy("A worker gave a wrong answer.")
}
