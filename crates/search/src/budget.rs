//! Limits of a UCT search.

use serde::{Deserialize, Serialize};

/// Limits of a search. Every limit is a count, so that equal budgets give equal results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Most iterations, that is descents from the root; clamped to [`Budget::ITERATIONS_MAX`]. A
    /// budget of 0 gives an empty tree.
    pub iterations_max: u32,
    /// Most nodes of the tree.
    pub nodes_max: u32,
    /// Most bytes of the tree's nodes and bounds.
    pub memory_bytes_max: u64,
}

impl Budget {
    /// Greatest number of iterations of one search: scores are signed sums of 32 bits.
    pub const ITERATIONS_MAX: u32 = i32::MAX as u32;

    /// Memory of [`Budget::iterations`]: 4 GiB, some 100 million nodes. Without any limit a typo in
    /// the number of iterations could exhaust the memory of the machine.
    pub const DEFAULT_MEMORY_BYTES_MAX: u64 = 4 << 30;

    /// Budget of `iterations_max` iterations in [`Budget::DEFAULT_MEMORY_BYTES_MAX`].
    ///
    /// ```
    /// assert_eq!(treegauge_search::Budget::iterations(10).iterations_max, 10);
    /// ```
    #[must_use]
    pub const fn iterations(iterations_max: u32) -> Budget {
        Budget {
            iterations_max,
            nodes_max: u32::MAX,
            memory_bytes_max: Self::DEFAULT_MEMORY_BYTES_MAX,
        }
    }
}

/// Reason that a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stopped {
    /// All iterations were made.
    Iterations,
    /// The next node would exceed the limit of nodes.
    Nodes,
    /// The next node would exceed the limit of memory.
    Memory,
    /// The greatest allowed depth was reached.
    Depth,
    /// More search could not change the result.
    Decided,
    /// The caller stopped the search.
    #[serde(rename = "interrupted")]
    Caller,
}
