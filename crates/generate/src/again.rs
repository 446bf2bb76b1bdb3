//! Replays runs from their journal lines: makes one candidate again, or reports on parts that ran
//! separately.

use treegauge_catalog::rules::Genome;
use treegauge_dataset::vet::Model;
use treegauge_store::Shard;

use super::GenerateError;
use super::line::{CandidateLine, Work};
use super::origin::Origin;
use super::plan::GenerateHeader;
use super::report::GenerateReport;
use super::run::GenerateStudy;

/// Reads the start texts of a run from its lines.
pub(super) fn starts_of(
    header: &GenerateHeader,
    lines: &[CandidateLine],
) -> Result<Vec<Genome>, GenerateError> {
    let start = |n: u32| {
        let game = Origin::Start(n);
        let line = lines.iter().find(|line| line.game == game && line.work == Work::Play);
        let source = line.ok_or(GenerateError::Missing { game })?.source();
        Genome::read(source).map_err(|_| GenerateError::Changed { game })
    };
    (0..header.starts.len() as u32).map(start).collect()
}

/// Selects the lines of one island: the start texts and the candidates of its part.
pub(super) fn lines_of(lines: &[CandidateLine], shard: Shard) -> Vec<CandidateLine> {
    let is_own = |line: &&CandidateLine| match line.game {
        Origin::Start(_) => true,
        Origin::Made(number) => number % shard.count == shard.index,
    };
    lines.iter().filter(is_own).cloned().collect()
}

/// Makes a candidate again from the seed and the generations before its own, and returns its text.
///
/// # Errors
///
/// If lines of those generations are missing, if the candidate fell before it had a text, or if
/// this program makes another text than the lines contain.
pub fn again(
    header: &GenerateHeader,
    lines: &[CandidateLine],
    number: u32,
) -> Result<String, GenerateError> {
    let game = Origin::Made(number);
    let shard = Shard { index: number % header.parts, count: header.parts };
    let plan = header.plan(shard).map_err(|reason| GenerateError::Header { reason })?;
    let study = GenerateStudy::new(plan, starts_of(header, lines)?, None)?;
    let candidate = study.made_again(lines_of(lines, shard), number)?;
    candidate.made.map(|made| made.source).ok_or(GenerateError::Missing { game })
}

/// Creates the report of a run whose parts ran separately, each as an island with an archive of its
/// own.
///
/// # Errors
///
/// If a part is missing or incomplete, or if the lines belong to another run.
pub fn merged(
    header: &GenerateHeader,
    lines: &[CandidateLine],
    model: Option<(&Model, &str)>,
) -> Result<GenerateReport, GenerateError> {
    let starts = starts_of(header, lines)?;
    let study = |index| {
        let plan = header.plan(Shard { index, count: header.parts });
        let plan = plan.map_err(|reason| GenerateError::Header { reason })?;
        GenerateStudy::new(plan, starts.clone(), None)
    };
    let studies: Vec<GenerateStudy<'_>> = (0..header.parts).map(study).collect::<Result<_, _>>()?;
    let island = |study| GenerateStudy::replayed(study, lines_of(lines, study.plan.shard));
    let islands = studies.iter().map(island).collect::<Result<Vec<_>, _>>()?;
    Ok(GenerateReport::of(header, &islands, model))
}
