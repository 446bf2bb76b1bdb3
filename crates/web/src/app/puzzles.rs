//! Puzzles of runs: the list, and single ones in solving mode.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::play::refused;
use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal};
use crate::pages::{self, Way};
use crate::route::{Form, Route, View};
use crate::runs::{REPORT, Run, State};
use crate::worker::{Chosen, Pose, PosedPuzzle, PuzzleList, Reply, Request};
use crate::workspace::{RUNS, SOLUTION_ENDING};

/// The times for a list of puzzles, and for a puzzle after some moves. The first request about a
/// report reads it.
const LIST_TIME: Duration = Duration::from_secs(10);
const POSE_TIME: Duration = Duration::from_secs(10);

/// The time for a practice file.
const PRACTICE_TIME: Duration = Duration::from_secs(20);

/// File in the folder of a run of puzzles that has the solution of the game.
const SOLUTION: &str = "solution.tgs";

impl App {
    /// Examples of routes about solved games and puzzles, if there are any.
    pub(super) fn solved_routes(&self) -> Vec<Route> {
        let runs = self.runs.all();
        let is_done = |run: &&Run| run.command() == "puzzles" && run.state == State::Done;
        let of_puzzles = runs.iter().find(is_done).map(|run| Route::examples_of_puzzles(&run.id));
        let own = self.workspace.files_with(SOLUTION_ENDING).into_iter();
        let of_runs = runs.iter().flat_map(|run| {
            ["output.tgs", SOLUTION].map(|name| format!("{RUNS}/{}/{name}", run.id))
        });
        let file = own.chain(of_runs).find(|path| self.workspace.find(path).is_some());
        let of_file = file.map(|file| Route::examples_of_solution(&file));
        of_puzzles.into_iter().chain(of_file).flatten().collect()
    }

    /// A run of puzzles that is done.
    fn puzzle_run(&self, id: &str) -> Result<Run, Refusal> {
        let run = self.runs.get(id)?;
        if run.command() != "puzzles" {
            return Err(Refusal::not_found("The run is not one of `puzzles`."));
        }
        if run.state != State::Done {
            let hint = "Open the page of the run, which shows its progress.";
            return Err(Refusal::not_found("The run has no puzzles yet.").hint(hint));
        }
        Ok(run)
    }

    pub(super) async fn puzzles(
        &self,
        id: &str,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let run = self.puzzle_run(id)?;
        if form == Form::Json {
            return self.run(id, View::Json, asked).await;
        }
        let list = self.puzzle_list(&run).await?;
        let sort = pages::PuzzleSort::of(asked.field("sort"));
        let attempts = self.attempts_at(&run.id);
        Ok(Answer::new(HTML, pages::puzzles(&run, &list, sort, &attempts, asked.token())))
    }

    async fn puzzle_list(&self, run: &Run) -> Result<PuzzleList, Refusal> {
        let path = format!("{RUNS}/{}/{REPORT}", run.id);
        match self
            .ask_worker("", &path, &Request::Puzzles { path: path.clone() }, LIST_TIME)
            .await?
        {
            Reply::Puzzles(list) => Ok(*list),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    pub(super) async fn puzzle(
        &self,
        id: &str,
        number: u32,
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let run = self.puzzle_run(id)?;
        let way = Way::of(&asked.query)?;
        let found = self.posed(&run, number, &way).await?;
        if form == Form::Json {
            let task = shown_task(&found);
            let (json, _) = self.done(task, &found.game, POSE_TIME).await?;
            return Ok(Answer::new(JSON, json));
        }
        let problem = pages::puzzle_problem(&run.id, &found, &shown_task(&found));
        Ok(self.solving(&problem, &way, &found.posed, asked))
    }

    /// Numbers of the puzzles that a query chooses; empty for all.
    fn chosen(run: &Run, asked: &Asked) -> Chosen {
        let numbers = asked.query.iter().filter(|(name, _)| name == "n");
        let numbers = numbers.filter_map(|(_, value)| value.trim().parse().ok()).collect();
        Chosen { path: format!("{RUNS}/{}/{REPORT}", run.id), numbers }
    }

    pub(super) async fn worksheet(&self, id: &str, asked: &Asked) -> Result<Answer, Refusal> {
        let run = self.puzzle_run(id)?;
        let chosen = App::chosen(&run, asked);
        let path = chosen.path.clone();
        let has_answers = asked.field("answers") == Some("true");
        let request = Request::Sheet { chosen, has_answers };
        match self.ask_worker("", &path, &request, LIST_TIME).await? {
            Reply::Part(body) => Ok(Answer::new(HTML, pages::worksheet(&run, &body))),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    pub(super) async fn practice(&self, id: &str, asked: &Asked) -> Result<Answer, Refusal> {
        let run = self.puzzle_run(id)?;
        let chosen = App::chosen(&run, asked);
        let path = chosen.path.clone();
        let request = Request::Practice { chosen, solutions: solutions(&run) };
        match self.ask_worker("", &path, &request, PRACTICE_TIME).await? {
            Reply::Part(page) => {
                Ok(Answer::new(HTML, page).attached(&format!("practice-{id}.html")))
            }
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    async fn posed(&self, run: &Run, number: u32, way: &Way) -> Result<PosedPuzzle, Refusal> {
        let path = format!("{RUNS}/{}/{REPORT}", run.id);
        let request = Request::Pose(Pose {
            path: path.clone(),
            number: number.into(),
            solutions: solutions(run),
            moves: way.moves.clone(),
            hint: way.hint,
            is_shown: way.is_shown,
        });
        match self.ask_worker("", &path, &request, POSE_TIME).await? {
            Reply::PosedPuzzle(posed) => Ok(*posed),
            Reply::Missing(error) => Err(Refusal::not_found(error)),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }
}

/// Files that may solve the game of a run of puzzles.
fn solutions(run: &Run) -> Vec<String> {
    let source = run.facts.task.get("source").and_then(Value::as_str).unwrap_or_default();
    vec![format!("{RUNS}/{}/{SOLUTION}", run.id), source.to_owned()]
}

/// The task whose report is the data of the page of a puzzle: the position without its solution.
fn shown_task(found: &PosedPuzzle) -> Map<String, Value> {
    let task = json!({
        "command": "show", "game": found.game, "position": found.puzzle.position, "cells": true,
    });
    task.as_object().cloned().unwrap_or_default()
}
