//! Studies: datasets, and the evaluations and models that rest on them.

use std::time::Duration;

use serde_json::{Map, Value, json};
use treegauge::{dataset_files, is_dataset};

use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal};
use crate::pages::{self, Dataset};
use crate::route::Form;
use crate::runs::Run;
use crate::task_form::sentence;
use crate::worker::{Reply, Request, Study};
use crate::workspace::RUNS;

/// The time for the content of a dataset. Its whole journal is read.
const STUDY_TIME: Duration = Duration::from_secs(20);

/// The greatest number of datasets that are listed, and of folders within folders that are looked at.
const DATASETS_MAX: usize = 500;
const DEPTH_MAX: usize = 3;

impl App {
    pub(super) fn studies(&self, form: Form, asked: &Asked) -> Answer {
        let datasets = self.datasets();
        let runs = self.runs.all();
        match form {
            Form::Page => {
                let entries = self.workspace.entries("").unwrap_or_default();
                Answer::new(HTML, pages::studies(&datasets, &runs, &entries, asked.token()))
            }
            Form::Json => {
                let datasets: Vec<Value> = datasets
                    .iter()
                    .map(|one| json!({"path": one.path, "is_complete": one.is_complete}))
                    .collect();
                let is_study = |run: &&Run| pages::is_of_study(run);
                let runs: Vec<Value> = runs.iter().filter(is_study).map(Run::json).collect();
                Answer::json(&json!({
                    "schema": 1, "kind": "studies", "datasets": datasets, "runs": runs,
                }))
            }
        }
    }

    /// Datasets of the workspace, those of runs included.
    pub(super) fn datasets(&self) -> Vec<Dataset> {
        let mut found = Vec::new();
        let mut folders: Vec<(String, usize)> = vec![(String::new(), 0)];
        let mut looked = 0;
        while let Some((folder, depth)) = folders.pop() {
            looked += 1;
            if looked > 4 * DATASETS_MAX || found.len() >= DATASETS_MAX {
                break;
            }
            let journal = format!("{folder}/{}", dataset_files::JOURNAL);
            let path = self.workspace.find(&folder).filter(|_| !folder.is_empty());
            if let Some(path) = path
                && self.workspace.find(&journal).is_some()
                && is_dataset(&path)
            {
                let schema = format!("{folder}/{}", dataset_files::SCHEMA);
                let is_complete = self.workspace.find(&schema).is_some();
                found.push(Dataset { path: folder, is_complete });
                continue;
            }
            if depth == DEPTH_MAX {
                continue;
            }
            // Of the folders of runs only those are looked at whose commands make datasets.
            let is_asked = |path: &str| match path.strip_prefix(RUNS) {
                Some(rest) => {
                    let run = rest.trim_start_matches('/').split('/').next().unwrap_or_default();
                    run.is_empty()
                        || ["-collect", "-vet", "-merge"].iter().any(|word| run.contains(word))
                }
                None => true,
            };
            for name in self.workspace.folders(&folder) {
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                if is_asked(&path) {
                    folders.push((path, depth + 1));
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    pub(super) async fn study(
        &self,
        names: &[String],
        form: Form,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        // A name with a slash in it would be another path.
        let path = names.join("/");
        let is_plain = !names.iter().any(|name| name.contains('/'));
        let folder = self.workspace.find(&path).filter(|folder| is_plain && folder.is_dir());
        if !folder.is_some_and(|folder| is_dataset(&folder)) {
            let hint = "`collect` makes datasets; /studies lists those that are there.";
            return Err(Refusal::not_found("There is no such dataset in the workspace.").hint(hint));
        }
        if form == Form::Json {
            let mut task = Map::new();
            task.insert("command".to_owned(), "aggregate".into());
            task.insert("dataset".to_owned(), path.into());
            return match self.workers.ask(&Request::Task { task }, STUDY_TIME).await? {
                Reply::Done { json, .. } => Ok(Answer::new(JSON, json + "\n")),
                Reply::Refused(error) => Err(Refusal::new(422, sentence(&error))),
                other => Err(unexpected(other)),
            };
        }
        let study: Study =
            match self.workers.ask(&Request::Study { path: path.clone() }, STUDY_TIME).await? {
                Reply::Study(study) => *study,
                Reply::Refused(error) => return Err(Refusal::new(422, sentence(&error))),
                other => return Err(unexpected(other)),
            };
        Ok(Answer::new(HTML, pages::study(&path, &study, &self.runs.all(), asked.token())))
    }
}
