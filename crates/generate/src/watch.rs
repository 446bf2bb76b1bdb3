//! Watching the work of a run.

use treegauge_core::{Progress, Watch};

/// Passes a stop on, and no progress: what one gate does with one candidate says nothing about the whole.
pub(super) struct OnlyStop<'a>(pub(super) &'a dyn Watch);

impl Watch for OnlyStop<'_> {
    fn progress(&self, _: Progress) {}

    fn stop(&self) -> bool {
        self.0.stop()
    }
}
