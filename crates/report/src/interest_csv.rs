//! Positions of a solved game with their interestingness, as comma-separated values.

use std::io;

use rayon::prelude::*;
use treegauge_core::Watch;
use treegauge_solve::report::InterestTerms;
use treegauge_solve::{AnyRated, RatedRow};

/// Number of rows that are computed before they are written.
const BATCH: usize = 1 << 16;

/// Writes all reachable positions in ascending order of their keys, on all threads of the current
/// rayon pool. The order is the same whether or not the solution is reduced by symmetry.
///
/// The function polls `watch` now and then.
///
/// # Errors
///
/// Those of the writer; [`io::ErrorKind::OutOfMemory`] if the keys take more than the remaining
/// memory of the ratings; and [`io::ErrorKind::Interrupted`] if `watch` says stop.
pub fn write_interest_csv(
    rated: &dyn AnyRated,
    out: &mut dyn io::Write,
    watch: &dyn Watch,
) -> io::Result<()> {
    let rows = rated.sorted();
    let rows = rows.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
    let mut header = csv::Writer::from_writer(&mut *out);
    header.write_record([
        "position",
        "value",
        "remoteness",
        "interestingness",
        "children",
        "winning",
        "averaged",
        "losing",
        "losing_at_once",
        "ties",
        "draws",
        "immediate",
        "accumulated",
    ])?;
    header.flush()?;
    drop(header);
    for begin in (0..rows.len()).step_by(BATCH) {
        if watch.stop() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let end = rows.len().min(begin + BATCH);
        let parts: Vec<usize> = (begin..end).step_by(BATCH / 64).collect();
        let parts: Vec<Vec<u8>> = parts
            .into_par_iter()
            .map(|part| lines(rows.rows(part..end.min(part + BATCH / 64))))
            .collect::<io::Result<_>>()?;
        parts.iter().try_for_each(|part| out.write_all(part))?;
    }
    Ok(())
}

/// CSV lines of some positions.
fn lines(rows: Vec<RatedRow>) -> io::Result<Vec<u8>> {
    let mut lines = csv::Writer::from_writer(Vec::new());
    for RatedRow { position, valued, interestingness, terms } in rows {
        let count = |of: fn(&InterestTerms) -> u32| terms.as_ref().map(of);
        lines.serialize((
            position,
            valued.value.name(),
            valued.plies(),
            interestingness,
            [
                count(|terms| terms.children),
                count(|terms| terms.winning),
                count(|terms| terms.averaged),
                count(|terms| terms.losing),
                count(|terms| terms.losing_at_once),
                count(|terms| terms.ties),
                count(|terms| terms.draws),
            ],
            terms.as_ref().and_then(|terms| terms.immediate),
            terms.as_ref().and_then(|terms| terms.accumulated),
        ))?;
    }
    lines.into_inner().map_err(|error| error.into_error())
}
