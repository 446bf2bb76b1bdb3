//! Searches of corridors of boxes.

use std::sync::Arc;

use treegauge_catalog::GameSpec;
use treegauge_core::Watch;
use treegauge_engine::Engine;
use treegauge_gauge::corridor::{
    CorridorHeader, CorridorPlan, CorridorReport, CorridorSearch, corridor,
};
use treegauge_store::PieceSink;

use crate::{Error, ErrorKind, Game};

/// Searches that measure how often UCT finds the one correct move of a corridor of Dots and Boxes
/// (Williams 2010, figures 5.13 to 5.15), ready to run.
#[derive(Clone, Debug)]
pub struct CorridorRun {
    plan: CorridorPlan,
    /// Game of each corridor length.
    engines: Vec<(u32, Arc<dyn Engine>)>,
}

impl CorridorRun {
    /// Prepares the searches of a plan.
    ///
    /// # Errors
    ///
    /// If the plan has no corridor or no search, a corridor is too long, or a variant reuses its
    /// tree or has more than one thread: each search has a board of its own.
    pub fn new(plan: CorridorPlan) -> Result<CorridorRun, Error> {
        let usage = |message: &str| Err(Error::new(ErrorKind::Usage, message));
        let counts = [plan.lengths.len(), plan.iterations.len(), plan.variants.len()];
        if counts.contains(&0) || plan.searches == 0 || plan.iterations.contains(&0) {
            return usage(
                "lengths, iterations, variants and searches are needed, one of each at least",
            );
        }
        for variant in &plan.variants {
            variant.check().map_err(|problem| Error::new(ErrorKind::Usage, problem))?;
            if variant.reuse || variant.threads > 1 {
                return usage("a variant of corridors has no `reuse` and no `threads`");
            }
        }
        let open = |&length: &u32| -> Result<(u32, Arc<dyn Engine>), Error> {
            Ok((length, Game::of(&GameSpec::corridor_of_boxes(length)?)?.engine().clone()))
        };
        let engines = plan.lengths.iter().map(open).collect::<Result<_, _>>()?;
        Ok(CorridorRun { plan, engines })
    }

    /// Header of the record: everything that decides the searches.
    #[must_use]
    pub fn header(&self) -> CorridorHeader {
        CorridorHeader::of(&self.plan)
    }

    /// Runs the searches that are not in `known`, on rayon's current thread pool, and passes each
    /// to `keep`. The result does not depend on the number of threads. If `watch` says stop, the
    /// report covers the finished searches, and is marked as incomplete.
    #[must_use]
    pub fn run(
        &self,
        known: &[CorridorSearch],
        keep: &dyn PieceSink<CorridorSearch>,
        watch: &dyn Watch,
    ) -> CorridorReport {
        let engine_of = |length: u32| {
            let of_length = self.engines.iter().find(|one| one.0 == length);
            of_length.expect("it is one of the plan").1.clone()
        };
        corridor(&self.plan, &engine_of, known, keep, watch)
    }
}
