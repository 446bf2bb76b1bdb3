//! The analysis of interestingness that a solution file keeps in a section of its own.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_core::KeyCode;

use super::interest::{InterestAnalysis, InterestPosition};
use crate::file::{FileError, Header, SolutionFile, with_section};
use crate::interest::InterestOptions;
use treegauge_core::{Head, ReportKind};

/// The section of a solution file in which the analysis is kept.
const SECTION: &str = "interest";

/// The version of what is kept there.
const VERSION: u32 = 1;

/// Why a file has no analysis of use. The words continue a sentence that begins with the name of
/// the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeptInterestError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    File(#[from] FileError),
    /// Nothing is kept.
    #[error("keeps no analysis of interestingness")]
    None,
    /// What is kept is something else.
    #[error("keeps an analysis that cannot be read")]
    Unreadable,
    /// What is kept is of another version.
    #[error("keeps an analysis of version {found}, and this program reads version {VERSION}")]
    Version {
        /// The version that was found.
        found: u32,
    },
    /// A position of the analysis is not in the file, or has another value there.
    #[error("keeps an analysis of positions that it does not have")]
    Position,
}

/// A position of an analysis that a file keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptPositionReport {
    /// The schema and the kind.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game.
    pub game: String,
    /// The choices with which it was analysed.
    #[serde(flatten)]
    pub options: InterestOptions,
    /// The position.
    #[serde(flatten)]
    pub position: InterestPosition,
}

impl ReportKind for KeptPositionReport {
    const KIND: &'static str = "interest_position";
}

impl KeptPositionReport {
    /// A position of an analysis.
    #[must_use]
    pub fn new(analysis: &InterestAnalysis, position: InterestPosition) -> KeptPositionReport {
        let InterestAnalysis { game, options, .. } = analysis;
        KeptPositionReport { head: Head::NEW, game: game.clone(), options: *options, position }
    }
}

/// What a file keeps.
#[derive(Serialize, Deserialize)]
struct Kept<A> {
    version: u32,
    analysis: A,
}

/// Keeps an analysis in a solution file, in place of the one that was there.
///
/// # Errors
///
/// When the file cannot be read or written, or is damaged. The file is then unchanged.
pub fn keep_interest(path: &Path, analysis: &InterestAnalysis) -> Result<Header, FileError> {
    let kept = serde_json::to_vec(&Kept { version: VERSION, analysis })
        .map_err(|error| FileError::Io(error.into()))?;
    with_section(path, SECTION, &kept)
}

/// The analysis that a solution file keeps.
///
/// # Errors
///
/// When it keeps none, or none that this version can read.
pub fn kept_interest<K: KeyCode>(
    file: &SolutionFile<K>,
) -> Result<InterestAnalysis, KeptInterestError> {
    let section = file.section(SECTION)?.ok_or(KeptInterestError::None)?;
    let unreadable = |_| KeptInterestError::Unreadable;
    let kept: Kept<serde_json::Value> = serde_json::from_slice(&section).map_err(unreadable)?;
    match kept.version {
        VERSION => serde_json::from_value(kept.analysis).map_err(unreadable),
        found => Err(KeptInterestError::Version { found }),
    }
}

/// Checks that a position of the analysis that a file keeps agrees with the file.
///
/// # Errors
///
/// When the file has no such position, or another value of it.
pub fn check_kept<K: KeyCode>(
    file: &SolutionFile<K>,
    position: &InterestPosition,
) -> Result<(), KeptInterestError> {
    let parsed = file.rules().parse_position(&position.position);
    let state = parsed.map_err(|_| KeptInterestError::Position)?;
    let there = file.get(state)?;
    let is_there = there.is_some() && there == position.valued();
    let agrees = is_there && file.rules().turn(state) == position.turn;
    if agrees { Ok(()) } else { Err(KeptInterestError::Position) }
}
