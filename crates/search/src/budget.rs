//! The limits of a UCT search.

use serde::{Deserialize, Serialize};

/// What a search may use. Every limit is a count, so that equal budgets give equal results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Iterations: descents from the root, at most [`Budget::ITERATIONS_MAX`]; more are clamped to
    /// that. A budget of 0 gives an empty tree.
    pub iterations_max: u32,
    /// Nodes of the tree.
    pub nodes_max: u32,
    /// Bytes of the tree's nodes and bounds.
    pub memory_bytes_max: u64,
}

impl Budget {
    /// The most iterations of one search: scores are sums of 32 bits with a sign.
    pub const ITERATIONS_MAX: u32 = i32::MAX as u32;

    /// The memory of [`Budget::iterations`]: 4 GiB, some 100 million nodes. Without any limit a
    /// typo in the number of iterations could exhaust the memory of the machine.
    pub const DEFAULT_MEMORY_BYTES_MAX: u64 = 4 << 30;

    /// `iterations_max` iterations in [`Budget::DEFAULT_MEMORY_BYTES_MAX`].
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

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stopped {
    /// It made all its iterations.
    Iterations,
    /// The next node would be one too many.
    Nodes,
    /// The next node would not fit in the memory given.
    Memory,
    /// It reached the greatest depth allowed.
    Depth,
    /// More search could not change the result.
    Decided,
    /// The caller stopped it.
    #[serde(rename = "interrupted")]
    Caller,
}
