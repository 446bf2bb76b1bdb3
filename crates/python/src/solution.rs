//! Solved games in memory.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::wait::{Caller, wait, whole};

/// A solved game in memory.
#[pyclass(module = "treegauge._treegauge", frozen)]
pub(crate) struct Solution(Arc<treegauge::Solution>);

impl Solution {
    pub(crate) fn new(solution: treegauge::Solution) -> Solution {
        Solution(Arc::new(solution))
    }
}

#[pymethods]
impl Solution {
    /// The number of stored positions.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Writes the solution to a file, whole or not at all.
    #[pyo3(signature = (path, *, threads=None))]
    fn write(&self, py: Python<'_>, path: PathBuf, threads: Option<usize>) -> PyResult<()> {
        let solution = self.0.clone();
        let caller = Caller { threads, ..Caller::default() };
        let waited =
            wait(py, &caller, move |watch| solution.write_within(&path, None, watch).map(|_| ()));
        whole(py, waited)
    }
}
