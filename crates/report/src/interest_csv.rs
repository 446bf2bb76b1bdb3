//! All positions of a solved game with their interestingness, as comma-separated values.

use std::io;

use rayon::prelude::*;
use treegauge_core::{Keyed, Notation};
use treegauge_solve::report::{InterestTerms, rounded};
use treegauge_solve::{Interest, Solution};

/// Rows that are made before they are written.
const BATCH: usize = 1 << 16;

/// Writes all positions that can be reached in ascending order of their keys, which is the same
/// whether or not the solution is reduced, on all threads of the current rayon pool.
///
/// `stop` is asked now and then.
///
/// # Errors
///
/// Those of the writer, and [`io::ErrorKind::Interrupted`] when `stop` says so.
///
/// # Panics
///
/// When the interestingness is that of another solution.
pub fn write_interest_csv<G: Notation + Keyed>(
    solution: &Solution<G>,
    interest: &Interest<G::Key>,
    out: &mut dyn io::Write,
    stop: &dyn Fn() -> bool,
) -> io::Result<()> {
    let expander = solution.expander();
    let mut images = Vec::new();
    let mut all: Vec<(G::Key, usize)> = Vec::new();
    for (index, key, _) in solution.iter() {
        expander.images_into(key, &mut images);
        all.extend(images.iter().map(|&image| (image, index)));
    }
    all.par_sort_unstable_by_key(|&(key, _)| key);
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
    for batch in all.chunks(BATCH) {
        if stop() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let parts: Vec<Vec<u8>> = batch
            .par_chunks(BATCH / 64)
            .map(|rows| lines(solution, interest, rows))
            .collect::<io::Result<_>>()?;
        parts.iter().try_for_each(|part| out.write_all(part))?;
    }
    Ok(())
}

/// The lines of some positions.
fn lines<G: Notation + Keyed>(
    solution: &Solution<G>,
    interest: &Interest<G::Key>,
    rows: &[(G::Key, usize)],
) -> io::Result<Vec<u8>> {
    let game = solution.rules().game();
    let mut lines = csv::Writer::from_writer(Vec::new());
    for &(key, index) in rows {
        let valued = solution.valued(index);
        let terms = InterestTerms::of(&interest.terms(solution, index));
        let count = |of: fn(&InterestTerms) -> u32| terms.as_ref().map(of);
        lines.serialize((
            game.position_text(&game.unkey(key)),
            valued.value.name(),
            valued.plies(),
            rounded(interest.of(index)),
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
