//! Storage of the interestingness analysis in a section of the solution file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_core::KeyCode;

use super::interest::{InterestAnalysis, InterestPosition};
use crate::file::{FileError, Header, SolutionFile, with_section};
use crate::interest::InterestOptions;
use treegauge_core::{ReportHeader, ReportKind};

/// Name of the section that holds the analysis.
const SECTION: &str = "interest";

/// Version of the section's contents.
const VERSION: u32 = 1;

/// Reason that a file has no usable analysis. The messages continue a sentence that begins with the
/// name of the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeptInterestError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    File(#[from] FileError),
    /// The file has no analysis.
    #[error("keeps no analysis of interestingness")]
    None,
    /// The section is not a readable analysis.
    #[error("keeps an analysis that cannot be read")]
    Unreadable,
    /// The analysis is of another version.
    #[error("keeps an analysis of version {found}; this program reads version {VERSION}")]
    Version {
        /// Version that was found.
        found: u32,
    },
    /// A position of the analysis is not in the file, or has another value there.
    #[error("keeps an analysis of positions that are not in it")]
    Position,
}

/// Position of an analysis that is stored in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptPositionReport {
    /// Schema and kind of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game.
    pub game: String,
    /// Choices used in the analysis.
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
    /// Reports a position of an analysis.
    #[must_use]
    pub fn new(analysis: &InterestAnalysis, position: InterestPosition) -> KeptPositionReport {
        let InterestAnalysis { game, options, .. } = analysis;
        KeptPositionReport {
            head: ReportHeader::NEW,
            game: game.clone(),
            options: *options,
            position,
        }
    }
}

/// Contents of the section.
#[derive(Serialize, Deserialize)]
struct Kept<A> {
    version: u32,
    analysis: A,
}

/// Stores an analysis in a solution file, replacing an existing one.
///
/// # Errors
///
/// When the file cannot be read or written, or is damaged. The file is then unchanged.
pub fn keep_interest(path: &Path, analysis: &InterestAnalysis) -> Result<Header, FileError> {
    let kept = serde_json::to_vec(&Kept { version: VERSION, analysis })
        .map_err(|error| FileError::Io(error.into()))?;
    with_section(path, SECTION, &kept)
}

/// Reads the analysis that is stored in a solution file.
///
/// # Errors
///
/// When the file has no analysis, or none that this version can read.
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

/// Checks that a position of the stored analysis agrees with the file.
///
/// # Errors
///
/// When the file lacks the position, or has another value for it.
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
