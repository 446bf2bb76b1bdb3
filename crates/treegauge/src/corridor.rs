//! Searches of corridors of boxes.

use std::sync::Arc;

use treegauge_core::Watch;
use treegauge_engine::Engine;
use treegauge_study::corridor::{CorridorPlan, CorridorReport};

use crate::{Error, ErrorKind, Game};

/// How often searches find the one correct move of a corridor of Dots and Boxes (Williams 2010, figures 5.13 to 5.15), on
/// rayon's current thread pool. When `watch` says stop, the report is of the searches made, and says so.
///
/// # Errors
///
/// When the plan has no corridor or no search, or a corridor is too long.
pub fn corridor(plan: &CorridorPlan, watch: &dyn Watch) -> Result<CorridorReport, Error> {
    let counts = [plan.lengths.len(), plan.iterations.len(), plan.variants.len()];
    if counts.contains(&0) || plan.searches == 0 || plan.iterations.contains(&0) {
        let message = "lengths, iterations, variants and searches are needed, one of each at least";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    for variant in &plan.variants {
        variant.check().map_err(|problem| Error::new(ErrorKind::Usage, problem))?;
    }
    let open = |length: &u32| -> Result<(u32, Arc<dyn Engine>), Error> {
        let game = Game::parse(&format!("dots_corridor(length={length})"))?;
        Ok((*length, game.engine().clone()))
    };
    let engines = plan.lengths.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let engine_of = |length: u32| {
        let (_, engine) =
            engines.iter().find(|one| one.0 == length).expect("it is one of the plan");
        engine.clone()
    };
    Ok(treegauge_study::corridor::corridor(plan, &engine_of, watch))
}
