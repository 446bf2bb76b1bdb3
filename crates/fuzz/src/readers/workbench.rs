//! Readers of the workbench: paths of requests, and lines to a worker.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;
use treegauge::tasks::{Context, task, with_task};
use treegauge_web::{Form, Route, View, work};

use super::Reader;

pub(super) fn all() -> Vec<Box<dyn Reader>> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    vec![
        Box::new(Paths { routes: Route::examples(None, None, Vec::new()) }),
        Box::new(Lines { folder }),
    ]
}

/// Routes of what only some workspaces have.
fn rare() -> Vec<Route> {
    let run = |view: View| Route::Run("2026-11-27-1-generate-achi".to_owned(), view);
    let forms = [Form::Page, Form::Json];
    let mut routes: Vec<Route> = forms.map(|form| run(View::Games(form))).into();
    routes.extend(forms.map(|form| run(View::Game("skill-3".to_owned(), form))));
    routes.extend(forms.map(|form| run(View::Best(17, form))));
    routes.push(run(View::BestBoard(17)));
    routes.extend(forms.map(|form| Route::Study(vec!["a".to_owned(), "b c".to_owned()], form)));
    routes
}

/// Path of a request behind its method. A route that is read has a link that is read as the same
/// route.
struct Paths {
    /// Routes with all methods.
    routes: Vec<Route>,
}

impl Reader for Paths {
    fn name(&self) -> &'static str {
        "route"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let routes = Route::examples(Some("2026-11-27-1-gauge-achi"), Some("a/b c.rules"), rare());
        let samples: Vec<Vec<u8>> = routes
            .iter()
            .map(|route| format!("{} {}", route.method(), route.link()).into_bytes())
            .collect();
        ensure!(
            samples.iter().all(|sample| self.read(sample, Path::new(""))),
            "a route is refused"
        );
        Ok(samples)
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Ok(text) = std::str::from_utf8(bytes) else { return false };
        let Some((method, path)) = text.split_once(' ') else { return false };
        let Some(method) = self.routes.iter().map(Route::method).find(|one| one.as_str() == method)
        else {
            return false;
        };
        let Ok(route) = Route::parse(&method, path) else { return false };
        let again = Route::parse(&method, &route.link());
        assert_eq!(again.as_ref(), Ok(&route), "the link of {path:?} leads elsewhere");
        // Whatever a page shows, it can be made.
        let _ = (route.command(), route.changes(), route.is_public());
        true
    }
}

/// Line to a worker, and behind it the report in a file that the line may name. Valid lines have a
/// reply that is not a refusal.
struct Lines {
    folder: TempDir,
}

impl Reader for Lines {
    fn name(&self) -> &'static str {
        "worker"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let text = report(&json!({"command": "new", "game": "tic_tac_toe"}))?;
        let text: Value = serde_json::from_str(&text)?;
        let rules = text["source"].as_str().context("the report has a text")?;
        fs::write(self.folder.path().join("my.rules"), rules)?;
        let mut samples: Vec<String> = [
            json!({"op": "boards"}),
            json!({"op": "card", "game": "mnk(rows=3,cols=4)"}),
            json!({"op": "card", "game": "my.rules"}),
            json!({"op": "task", "task": {"command": "show", "game": "achi", "moves": "a1"}}),
            json!({"op": "task", "task": {"command": "check", "file": "my.rules"}}),
            json!({"op": "texts", "paths": ["my.rules"]}),
            json!({"op": "check", "text": rules, "stage": "mistakes"}),
            json!({"op": "check", "text": rules, "stage": {"game": {"games_ms": 5}}}),
            json!({"op": "check", "text": rules, "stage": "format"}),
        ]
        .iter()
        .map(ToString::to_string)
        .collect();
        let gauge = json!({"command": "gauge", "game": "achi", "games": 2, "iterations": 8, "model": "none"});
        let reports = [
            (json!("fragment"), gauge.clone()),
            (json!({"table": "measures"}), gauge.clone()),
            (json!({"chart": "lengths"}), gauge),
            (
                json!("html"),
                json!({"command": "match", "game": "achi", "a": "random", "b": "random", "games": 4}),
            ),
            (json!("text"), json!({"command": "solve", "game": "tic_tac_toe"})),
            (json!("fragment"), json!({"command": "search", "game": "achi", "iterations": 9})),
            (json!("fragment"), json!({"command": "perft", "game": "achi", "depth": 1})),
        ];
        for (part, task) in reports {
            let line = json!({"op": "render", "path": "report.json", "part": part});
            samples.push(format!("{line}\n{}", report(&task)?));
        }
        Ok(samples.into_iter().map(String::into_bytes).collect())
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let (line, report) = bytes.split_at(end);
        fs::write(self.folder.path().join("report.json"), report).expect("the folder is there");
        let mut reply = Vec::new();
        let is_read = work(self.folder.path(), line, &mut reply).is_ok();
        let refusals = [&b"{\"refused\""[..], b"{\"missing\""];
        is_read && !reply.is_empty() && !refusals.iter().any(|refusal| reply.starts_with(refusal))
    }
}

/// Report of a task as JSON.
fn report(fields: &Value) -> Result<String> {
    let fields = fields.as_object().context("a task is an object")?;
    let done = task(fields)?.run(&Context::default())?;
    Ok(with_task(done.report.json(&())?, Some(fields))?)
}
