//! Runs by their lines alone: one candidate made again, and the report of parts that were made apart.

use treegauge_catalog::rules::Genome;
use treegauge_dataset::vet::Model;
use treegauge_store::Shard;

use super::GenerateError;
use super::line::{CandidateLine, Work};
use super::origin::Origin;
use super::plan::GenerateHeader;
use super::report::GenerateReport;
use super::run::GenerateStudy;

/// The texts of the start of a run, by its lines.
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

/// The lines of one island: the texts of the start, and the candidates of its part.
pub(super) fn lines_of(lines: &[CandidateLine], shard: Shard) -> Vec<CandidateLine> {
    let is_own = |line: &&CandidateLine| match line.game {
        Origin::Start(_) => true,
        Origin::Made(number) => number % shard.count == shard.index,
    };
    lines.iter().filter(is_own).cloned().collect()
}

/// Makes a candidate of a run again, from its seed and the generations before its own, and returns its text.
///
/// # Errors
///
/// When the lines are not complete to there, the candidate fell before it had a text, or this program makes another
/// text than the lines have.
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

/// The report of a run whose parts were made apart, each an island with an archive of its own.
///
/// # Errors
///
/// When a part is missing or not complete, or the lines are not of this run.
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
