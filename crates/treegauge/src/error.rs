//! Error type of the library, with its kind and its source.

use std::error::Error as StdError;
use std::sync::Arc;
use std::{fmt, io};

use treegauge_catalog::{DescriptionError, SpecError};
use treegauge_dataset::aggregate::AggregateError;
use treegauge_engine::{
    AgentError, BeginError, EvaluatorError, MoveHint, OpenPlayerError, PlayError, ProbeError,
    SessionError,
};
use treegauge_grammar::{Error as GrammarError, nearest};
use treegauge_store::journal::JournalError;

use crate::tasks::FieldError;

/// Kind of an error, by the possible remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is wrong: it names something that does not exist, or has an invalid form.
    Usage,
    /// A file or a text is damaged or of another kind.
    Data,
    /// The work needs more memory or time than its limit.
    Limit,
    /// A watch ended the work.
    Interrupted,
    /// A file cannot be written: no space is left, or access is denied.
    Write,
    /// An external engine failed.
    Engine,
    /// The library has a bug, or the system failed.
    Internal,
}

/// Error of a failed operation.
///
/// Its text is that of its source: a sentence without a capital and without a full stop.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    source: Arc<dyn StdError + Send + Sync>,
}

impl Error {
    /// Creates an error of a kind.
    #[must_use]
    pub fn new(kind: ErrorKind, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        Error { kind, source: Arc::from(source.into()) }
    }

    /// Creates the error of work that a watch ended. `so` names the unfinished work.
    pub(crate) fn interrupted(so: &str) -> Error {
        Error::new(ErrorKind::Interrupted, format!("interrupted: {so}"))
    }

    /// The same error as one of another kind, for a caller to whom the input is of another kind.
    #[must_use]
    pub fn of_kind(self, kind: ErrorKind) -> Error {
        Error { kind, ..self }
    }

    /// Kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Source of the error if it has type `E`.
    #[must_use]
    pub fn get<E: StdError + 'static>(&self) -> Option<&E> {
        let source: &(dyn StdError + 'static) = self.source.as_ref();
        source.downcast_ref()
    }
}

/// Error in a file that has a table of attributes.
#[derive(Debug)]
pub(crate) struct TableFileError {
    /// Path of the file.
    pub(crate) file: String,
    pub(crate) error: AggregateError,
}

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.error)
    }
}

impl StdError for TableFileError {}

/// A table lacks the columns that it needs.
#[derive(Debug)]
pub(crate) struct NoColumnError {
    /// Name of the table.
    table: String,
    /// Columns that it needs, in words.
    needs: &'static str,
    /// Title of the table that is most similar to one of them, and that one; `None` if no title is
    /// similar.
    nearest: Option<(String, String)>,
}

impl NoColumnError {
    /// Error of a table with these titles, which needs one of the columns `names`.
    pub(crate) fn of<'t>(
        table: &str,
        needs: &'static str,
        names: &[&str],
        titles: impl Iterator<Item = &'t str> + Clone,
    ) -> Error {
        let nearest = names.iter().find_map(|&name| {
            let title = nearest(name, titles.clone())?;
            Some((title.to_owned(), name.to_owned()))
        });
        Error::new(ErrorKind::Data, NoColumnError { table: table.to_owned(), needs, nearest })
    }
}

impl fmt::Display for NoColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the table needs {}", self.table, self.needs)?;
        match &self.nearest {
            Some((title, name)) => write!(f, "; is `{title}` meant for `{name}`?"),
            None => Ok(()),
        }
    }
}

impl StdError for NoColumnError {}

/// Details of an error for programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remedy {
    /// Field of a task, or parameter of a game or a player, that is at fault.
    pub field: Option<String>,
    /// Values that it takes, in words.
    pub expected: Option<String>,
    /// Most similar valid name, value or move.
    pub nearest: Option<String>,
}

impl Error {
    /// Details of the error for programs.
    ///
    /// ```
    /// let error = treegauge::Game::parse("conect_four").unwrap_err();
    /// assert_eq!(error.remedy().nearest.as_deref(), Some("connect_four"));
    /// ```
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        if let Some(error) = self.get::<FieldError>() {
            return error.remedy.clone();
        }
        let of_move = |error: &PlayError| match error {
            PlayError::Move { hint: MoveHint::Nearest(text) | MoveHint::Joined(text), .. } => {
                Remedy { nearest: Some(text.clone()), ..Remedy::default() }
            }
            _ => Remedy::default(),
        };
        match (self.get::<PlayError>(), self.get::<BeginError>()) {
            (Some(error), _) | (_, Some(BeginError::Move { error, .. })) => return of_move(error),
            _ => {}
        }
        if let Some(error) = self.get::<TableFileError>()
            && let AggregateError::NoColumn { nearest, .. } = &error.error
        {
            return Remedy { nearest: nearest.clone(), ..Remedy::default() };
        }
        if let Some(error) = self.get::<NoColumnError>() {
            let nearest = error.nearest.as_ref().map(|(title, _)| title.clone());
            return Remedy { nearest, ..Remedy::default() };
        }
        let spec = self.get::<SpecError>().and_then(|error| match error {
            SpecError::Written(error) => Some(error),
            _ => None,
        });
        match self.get::<GrammarError>().or(spec) {
            Some(GrammarError::Name { nearest, .. }) => {
                Remedy { nearest: nearest.clone(), ..Remedy::default() }
            }
            Some(GrammarError::Parameter { nearest, found, .. }) => {
                Remedy { field: Some(found.clone()), nearest: nearest.clone(), expected: None }
            }
            Some(GrammarError::Value { parameter, expected, .. }) => Remedy {
                field: Some(parameter.clone()),
                expected: Some(expected.clone()),
                nearest: None,
            },
            Some(GrammarError::Missing { parameter, .. }) => {
                Remedy { field: Some(parameter.clone()), ..Remedy::default() }
            }
            _ => Remedy::default(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_system_codes(&self.source.to_string()))
    }
}

/// Removes the numbers of the system's errors, such as ` (os error 2)`, whose words stand before them.
#[must_use]
pub fn without_system_codes(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((code, rest)) if code.bytes().all(|byte| byte.is_ascii_digit()) => kept += rest,
            _ => kept = format!("{kept} (os error {part}"),
        }
    }
    kept
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.source()
    }
}

/// Converts each listed error type into an [`Error`] of its kind.
macro_rules! kinds {
    ($($error:ty => $kind:ident,)*) => {$(
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::new(ErrorKind::$kind, error)
            }
        }
    )*};
}

kinds! {
    DescriptionError => Usage,
    GrammarError => Usage,
    BeginError => Data,
    PlayError => Data,
    ProbeError => Data,
    io::Error => Write,
}

impl From<JournalError> for Error {
    fn from(error: JournalError) -> Error {
        let kind = match error {
            JournalError::Interrupted { .. } => ErrorKind::Interrupted,
            _ => ErrorKind::Data,
        };
        Error::new(kind, error)
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Error {
        let kind = match error {
            SpecError::Unreadable { .. } | SpecError::Text { .. } | SpecError::Changed { .. } => {
                ErrorKind::Data
            }
            _ => ErrorKind::Usage,
        };
        Error::new(kind, error)
    }
}

impl From<EvaluatorError> for Error {
    fn from(error: EvaluatorError) -> Error {
        let kind = match error {
            EvaluatorError::SolvedFile(_) => ErrorKind::Data,
            _ => ErrorKind::Usage,
        };
        Error::new(kind, error)
    }
}

impl From<OpenPlayerError> for Error {
    fn from(error: OpenPlayerError) -> Error {
        match error {
            OpenPlayerError::Evaluator(error) => error.into(),
            other => Error::new(ErrorKind::Data, other),
        }
    }
}

impl From<AgentError> for Error {
    fn from(error: AgentError) -> Error {
        let kind = match error {
            AgentError::SolvedFile(_) => ErrorKind::Data,
            AgentError::Forfeit(_) => ErrorKind::Engine,
            _ => ErrorKind::Internal,
        };
        Error::new(kind, error)
    }
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Error {
        match error {
            SessionError::Agent(error) => error.into(),
            other => Error::new(ErrorKind::Data, other),
        }
    }
}
