//! Search trees.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::play::{refused, words};
use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal};
use crate::pages::{self, TreeSetting};
use crate::route::{Ask, TreeView};
use crate::worker::{At, Grown, Reply, Request, TreeForm, View};

/// The times for the growth of a tree, and for a look at one that has grown.
const SEARCH_TIME: Duration = Duration::from_secs(30);

impl App {
    pub(super) async fn tree(
        &self,
        game: &str,
        view: TreeView,
        asked: &Asked,
    ) -> Result<Answer, Refusal> {
        let setting = TreeSetting::of(game, &asked.query)?;
        self.workspace.check_text(game)?;
        let form = match view {
            TreeView::Page => return self.tree_page(&setting, asked).await,
            TreeView::Json => {
                let (json, _) = self.done(setting.task(), &setting.subject(), SEARCH_TIME).await?;
                return Ok(Answer::new(JSON, json));
            }
            TreeView::Picture => TreeForm::Svg,
            TreeView::Dot => TreeForm::Dot,
            TreeView::Main => TreeForm::Json,
            TreeView::Whole => TreeForm::Whole,
        };
        let search = setting.grown();
        let request = Request::Export { search, form };
        let (kind, name) = match form {
            TreeForm::Svg => ("image/svg+xml", "tree.svg"),
            TreeForm::Dot => ("text/vnd.graphviz; charset=utf-8", "tree.dot"),
            TreeForm::Json | TreeForm::Whole => (JSON, "tree.json"),
        };
        match self.ask_worker("", &setting.subject(), &request, SEARCH_TIME).await? {
            Reply::Part(text) => Ok(Answer::new(kind, text).attached(name)),
            Reply::Refused(error) if error.contains("8 MB") => {
                let hint = format!("In a terminal: {}", setting.whole_command());
                Err(Refusal::new(413, "The whole tree has more than 8 MB.").hint(hint))
            }
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    async fn tree_page(&self, setting: &TreeSetting, asked: &Asked) -> Result<Answer, Refusal> {
        let page = asked.field("page").unwrap_or_default();
        // Without scripts a page grows its tree at once; with them it shows how the tree grows.
        let view = if setting.is_asked || asked.field("part").is_some() {
            Some(self.view(setting, page).await?)
        } else {
            None
        };
        let body = match (asked.field("part"), &view) {
            (Some("tree"), Some(view)) => pages::tree_parts(setting, view),
            (Some("node"), Some(view)) => pages::tree_node(setting, view),
            _ => pages::tree(setting, view.as_ref(), asked.token()),
        };
        Ok(Answer::new(HTML, body))
    }

    async fn view(&self, setting: &TreeSetting, page: &str) -> Result<View, Refusal> {
        let request = Request::View { search: setting.grown(), node: setting.node.clone() };
        match self.ask_worker(page, &setting.subject(), &request, SEARCH_TIME).await? {
            Reply::View(view) => Ok(*view),
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }

    /// Growth of a tree, or children of one of its nodes.
    pub(super) async fn ask_tree(
        &self,
        ask: Ask,
        at: At,
        player: String,
        seed: u64,
        mut fields: Map<String, Value>,
        page: &str,
    ) -> Result<Answer, Refusal> {
        let search = Grown { at, player, seed };
        let subject = pages::subject(&search);
        if ask == Ask::Search {
            let request = Request::Search(search.clone());
            return match self.ask_worker(page, &subject, &request, SEARCH_TIME).await? {
                Reply::Growth(growth) => Ok(Answer::json(&json!({
                    "schema": 1, "kind": "growth", "iterations": growth.iterations, "nodes": growth.nodes,
                    "memory_bytes": growth.memory_bytes, "stopped": growth.stopped,
                    "words": pages::growth_words(&search, growth),
                }))),
                Reply::Refused(error) => Err(refused(&error)),
                other => Err(unexpected(other)),
            };
        }
        let path = words(&mut fields, "path")?;
        let from = fields.get("from").and_then(Value::as_u64).unwrap_or(0) as usize;
        let request = Request::Children { search, path, from };
        match self.ask_worker(page, &subject, &request, SEARCH_TIME).await? {
            Reply::Rows { path, count, rows } => {
                let html = pages::tree_rows(&rows, None).into_string();
                Ok(Answer::json(&json!({
                    "schema": 1, "kind": "children", "path": path, "count": count, "rows": rows, "html": html,
                })))
            }
            Reply::Refused(error) => Err(refused(&error)),
            other => Err(unexpected(other)),
        }
    }
}
