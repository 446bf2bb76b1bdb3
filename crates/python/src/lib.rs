//! Extension module of the Python package `treegauge`: tasks, games, positions, searches, solutions
//! and tables of the library. The package around it has the signatures and the documentation.
//!
//! Every long call works without the lock of the interpreter, on a pool of its own, while the
//! calling thread asks for signals. A panic becomes an `InternalError`.

mod arrow;
mod declared;
mod errors;
mod external;
mod game;
mod packed;
mod reports;
mod search;
mod solution;
mod state;
mod table;
mod task;
mod wait;

/// The extension module.
#[pyo3::pymodule]
mod _treegauge {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::declared::{declared, words};
    #[pymodule_export]
    use super::external::{register_game, register_player};
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::packed::{compress, decompress};
    #[pymodule_export]
    use super::reports::{report_kinds, write_report};
    #[pymodule_export]
    use super::search::Search;
    #[pymodule_export]
    use super::solution::Solution;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::table::{Table, corpus_table, dataset_table, ratings_table};
    #[pymodule_export]
    use super::task::{Done, command_line, run};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::errors::remember_panics();
        #[cfg(debug_assertions)]
        module.add_function(wrap_pyfunction!(super::wait::_panic, module)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
