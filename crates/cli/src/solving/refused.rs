//! A solve that was refused.

use treegauge::report::refused_words;
use treegauge::solve::SolveError;
use treegauge::{Error, ErrorKind};

use crate::exit::{Exit, Failure};

/// Work on a solution that failed, or its file that cannot be read; where memory did not suffice, what
/// would help.
pub(crate) fn too_large(error: Error) -> Failure {
    match error.kind() {
        ErrorKind::Limit => Failure::new(Exit::Usage, format!("{error}; --memory-max allows more")),
        _ => error.into(),
    }
}

/// The game or the options do not suit a solve. `symmetry_saves` is whether `--symmetry` would
/// take less memory.
pub(crate) fn refused(error: &SolveError, symmetry_saves: bool) -> Failure {
    let mut text = format!("cannot solve this: {}", refused_words(error));
    if let SolveError::Memory { .. } = error {
        text.push_str(if symmetry_saves {
            "; --memory-max allows more, --symmetry needs less, and so does a smaller size of the \
             game"
        } else {
            "; --memory-max allows more, and a smaller size of the game needs less"
        });
    }
    Failure::new(Exit::Usage, text)
}
