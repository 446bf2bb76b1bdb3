//! Searches that can grow.

use std::sync::{Mutex, MutexGuard};

use pyo3::prelude::*;
use treegauge::report::{TREE_BOARDS_DEFAULT, tree_svg};
use treegauge::search::picture::{self, Limits, Style};
use treegauge::tasks::Report;
use treegauge::{Error, ErrorKind, Searched};

use crate::errors::{OrRaise, caught, of_class};
use crate::table::Table;
use crate::wait::{Caller, Shared, wait, wait_here};

/// A UCT search of one position, with its tree.
#[pyclass(module = "treegauge._treegauge", frozen)]
pub(crate) struct Search(std::sync::Arc<Mutex<Searched>>);

impl Search {
    pub(crate) fn new(searched: Searched) -> Search {
        Search(std::sync::Arc::new(Mutex::new(searched)))
    }

    fn open(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Searched>> {
        self.0.try_lock().map_err(|_| {
            let message = "the search is in use by another thread, or a bug ended its last call";
            of_class(py, "InternalError", message)
        })
    }
}

/// The search, where the calling thread has found that it is free.
fn held(searched: &Mutex<Searched>) -> Result<MutexGuard<'_, Searched>, Error> {
    searched.try_lock().map_err(|_| Error::new(ErrorKind::Internal, "the search is in use"))
}

#[pymethods]
impl Search {
    /// The report so far as JSON on one line, without a task.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        Report::json(&self.open(py)?.report, &()).or_raise(py)
    }

    /// Makes up to `iterations` more.
    #[pyo3(signature = (iterations, *, stop=None, progress=None))]
    fn grow(
        &self,
        py: Python<'_>,
        iterations: u32,
        stop: Option<Bound<'_, PyAny>>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        // As in the first search: one tree of a game of the library needs no other thread.
        let is_here = {
            let searched = self.open(py)?;
            searched.threads() < 2 && !searched.game().info().spec.is_external()
        };
        let searched = self.0.clone();
        let caller = Caller { threads: Some(1), stop, progress, ..Caller::default() };
        let grow = move |watch: &Shared| held(&searched)?.grow(iterations, watch);
        let waited = if is_here { wait_here(py, caller, grow) } else { wait(py, &caller, grow) };
        crate::wait::whole(py, waited)
    }

    /// The nodes of the tree as a table.
    fn tree(&self, py: Python<'_>) -> PyResult<Table> {
        drop(self.open(py)?);
        let searched = self.0.clone();
        let made = move || Ok(treegauge::Table::of_tree(&held(&searched)?.tree()));
        py.detach(|| caught(made)).map(Table::new).or_raise(py)
    }

    /// A picture of the tree, with the most visited nodes; `boards` of them have a board.
    #[pyo3(signature = (*, style="plain", children=None, nodes=None, depth=None, boards=None))]
    fn svg(
        &self,
        py: Python<'_>,
        style: &str,
        children: Option<usize>,
        nodes: Option<usize>,
        depth: Option<usize>,
        boards: Option<usize>,
    ) -> PyResult<String> {
        let style = match style {
            "plain" => Style::Plain,
            "williams" => Style::Williams,
            other => {
                let message = format!("unknown style {other:?}: plain or williams");
                return Err(of_class(py, "UsageError", &message));
            }
        };
        let usual = Limits::default();
        let limits = Limits {
            children_max: children.unwrap_or(usual.children_max),
            nodes_max: nodes.unwrap_or(usual.nodes_max),
            depth_max: depth.unwrap_or(usual.depth_max),
        };
        drop(self.open(py)?);
        let searched = self.0.clone();
        let drawn = move || {
            let searched = held(&searched)?;
            let picked = picture::pick(&searched.tree(), style, limits);
            let boards = boards.unwrap_or(TREE_BOARDS_DEFAULT);
            Ok(tree_svg(&picked, searched.game(), boards))
        };
        py.detach(|| caught(drawn)).or_raise(py)
    }
}
