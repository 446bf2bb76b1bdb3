//! Exit codes and errors of the program.

use std::fmt::Display;

use treegauge::ErrorKind;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The reader of the output has gone.
    Silent = 0,
    /// A check failed, and the answer has been printed.
    No = 1,
    Usage = 2,
    Data = 65,
    Engine = 69,
    Internal = 70,
    Interrupted = 130,
}

/// An early end of the program, with an error unless it has been printed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) error: Option<anyhow::Error>,
}

/// The result of a command.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Display) -> Failure {
        Failure { exit, error: Some(anyhow::anyhow!("{message}")) }
    }

    /// The error of the library with the same meaning.
    pub(crate) fn into_error(self) -> treegauge::Error {
        let kind = match self.exit {
            Exit::Usage => ErrorKind::Usage,
            Exit::Engine => ErrorKind::Engine,
            Exit::Interrupted => ErrorKind::Interrupted,
            Exit::Silent | Exit::Internal => ErrorKind::Internal,
            Exit::No | Exit::Data => ErrorKind::Data,
        };
        let words = self.error.map_or(String::new(), |error| format!("{error:#}"));
        treegauge::Error::new(kind, words)
    }

    /// The end after an interruption, once the results so far have been printed.
    pub(crate) fn interrupted(message: impl Display) -> Failure {
        Failure::new(Exit::Interrupted, message)
    }
}

impl From<treegauge::Error> for Failure {
    fn from(error: treegauge::Error) -> Failure {
        let exit = match error.kind() {
            // The user can raise a limit.
            ErrorKind::Usage | ErrorKind::Limit => Exit::Usage,
            ErrorKind::Data | ErrorKind::Write => Exit::Data,
            ErrorKind::Interrupted => Exit::Interrupted,
            ErrorKind::Engine => Exit::Engine,
            _ => Exit::Internal,
        };
        // Errors of the library name their cause themselves.
        Failure::new(exit, error)
    }
}

/// Gives an error the exit code of its cause.
pub(crate) trait OrExit<T> {
    /// Fails with [`Exit::Data`].
    fn or_data(self) -> Outcome<T>;
}

impl<T, E: Display> OrExit<T> for Result<T, E> {
    fn or_data(self) -> Outcome<T> {
        self.map_err(|error| Failure::new(Exit::Data, error))
    }
}
