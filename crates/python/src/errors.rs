//! Errors of the library as exceptions of Python.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use treegauge::{Error, ErrorKind, Remedy};

use crate::external::Raised;

/// Place and words of the last panic of the process.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps the place of every panic instead of printing it.
pub(crate) fn remember_panics() {
    panic::set_hook(Box::new(|info| {
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
}

/// Calls `work`; a panic in it, on whatever thread, is an error of the library.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(of_panic(&*panic)))
}

/// Calls `work` as [`caught`] does. Ctrl-C in a method of a game object stays what it is.
pub(crate) fn caught_here<T>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Error>,
) -> PyResult<T> {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.or_raise(py),
        Err(panic) => match panic.downcast_ref::<Raised>().and_then(|raised| raised.ending(py)) {
            Some(ending) => Err(ending),
            None => Err(exception(py, &of_panic(&*panic))),
        },
    }
}

fn of_panic(panic: &(dyn Any + Send)) -> Error {
    if let Some(raised) = panic.downcast_ref::<Raised>() {
        return raised.error();
    }
    let place = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
    let place = if place.is_empty() { words } else { &place };
    let place = place.split_whitespace().collect::<Vec<_>>().join(" ");
    Error::new(ErrorKind::Internal, format!("a bug of treegauge, please report it: {place}"))
}

/// The exception of an error.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error.kind() {
        ErrorKind::Usage => "UsageError",
        ErrorKind::Data => "DataError",
        ErrorKind::Limit => "LimitError",
        ErrorKind::Interrupted => "Stopped",
        ErrorKind::Write => "WriteError",
        ErrorKind::Engine => "EngineError",
        _ => "InternalError",
    };
    made(py, class, &error.to_string(), &error.remedy()).unwrap_or_else(|failed| failed)
}

/// An exception of the package.
pub(crate) fn of_class(py: Python<'_>, class: &str, message: &str) -> PyErr {
    made(py, class, message, &Remedy::default()).unwrap_or_else(|failed| failed)
}

fn made(py: Python<'_>, class: &str, message: &str, remedy: &Remedy) -> PyResult<PyErr> {
    let class = py.import("treegauge._errors")?.getattr(class)?;
    let exception = class.call1((message,))?;
    let Remedy { field, expected, nearest } = remedy;
    for (name, value) in [("field", field), ("expected", expected), ("nearest", nearest)] {
        exception.setattr(name, value)?;
    }
    Ok(PyErr::from_value(exception))
}

/// The result as one of Python.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: Into<Error>> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error.into()))
    }
}
