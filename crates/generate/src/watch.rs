//! Watch for parts of a run.

use treegauge_core::{Progress, Watch};

/// Forwards stop requests but not progress: the progress of one gate on one candidate is not that
/// of the run.
pub(super) struct OnlyStop<'a>(pub(super) &'a dyn Watch);

impl Watch for OnlyStop<'_> {
    fn progress(&self, _: Progress) {}

    fn stop(&self) -> bool {
        self.0.stop()
    }
}
