//! Variants of the UCT search of Williams 2010.

use std::fmt;

use serde::{Deserialize, Serialize};
use treegauge_core::is_default;

use crate::web::{BackUp, Merge, MoveCounts};

/// Differences of a UCT search from that of Williams 2010, section 2.3, which is the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct UctVariant {
    /// Positions that share a node.
    #[serde(skip_serializing_if = "is_default")]
    pub merge: Merge,
    /// Nodes that are updated with the result of a playout.
    #[serde(rename = "backup", skip_serializing_if = "is_default")]
    pub back_up: BackUp,
    /// Statistics that the choice among moves uses: those of positions or of moves.
    #[serde(skip_serializing_if = "is_default")]
    pub counts: MoveCounts,
    /// Whether a solver proves values.
    #[serde(skip_serializing_if = "is_default")]
    pub solver: bool,
    /// Whether the search of a later position of the game continues from the nodes that the last
    /// search grew below it. Each search makes all its iterations, in addition to the visits kept.
    /// Features are those of the whole tree, but the drift of scores is that of the new iterations.
    #[serde(skip_serializing_if = "is_default")]
    pub reuse: bool,
    /// Number of trees that grow independently from the same position, 1 to
    /// [`UctVariant::THREADS_MAX`]. Each makes a part of the iterations, and their counts of the
    /// moves are added. The trees may grow in parallel, but the result depends only on their
    /// number.
    #[serde(skip_serializing_if = "is_one")]
    pub threads: u32,
}

impl Default for UctVariant {
    fn default() -> Self {
        UctVariant {
            merge: Merge::default(),
            back_up: BackUp::default(),
            counts: MoveCounts::default(),
            solver: false,
            reuse: false,
            threads: 1,
        }
    }
}

fn is_one(threads: &u32) -> bool {
    *threads == 1
}

impl UctVariant {
    /// Greatest number of trees of one search.
    pub const THREADS_MAX: u32 = 1_024;

    /// Returns whether the search grows trees without proofs.
    #[must_use]
    pub fn is_tree(self) -> bool {
        let UctVariant { merge, back_up, solver, .. } = self;
        // In a tree each move leads to its own node, and each node has a single way to the root.
        merge == Merge::None && back_up == BackUp::Single && !solver
    }

    /// Checks that such a search is possible. The error says why not.
    ///
    /// # Errors
    ///
    /// When `back_up` is [`BackUp::All`] and `counts` is [`MoveCounts::Edge`]: the moves to update
    /// would not be defined. When one of the two is set in a tree, where it has no effect. When the
    /// number of trees is out of range.
    pub fn check(self) -> Result<(), &'static str> {
        if (self.back_up, self.counts) == (BackUp::All, MoveCounts::Edge) {
            return Err("backup=all cannot be used with counts=edge");
        }
        if self.merge == Merge::None {
            if self.back_up == BackUp::All {
                return Err("backup=all has an effect only with merge=equal or merge=symmetric");
            }
            if self.counts == MoveCounts::Edge {
                return Err("counts=edge has an effect only with merge=equal or merge=symmetric");
            }
        }
        if !(1..=Self::THREADS_MAX).contains(&self.threads) {
            return Err("threads is a number from 1 to 1024");
        }
        Ok(())
    }

    /// Checks that such a search is possible and that the features of its tree are defined. The
    /// error says why not.
    ///
    /// # Errors
    ///
    /// As [`UctVariant::check`], and when a search grows more than one tree.
    pub fn check_features(self) -> Result<(), &'static str> {
        self.check()?;
        if self.threads > 1 {
            return Err("the features of a search are those of one tree: threads is 1 here");
        }
        Ok(())
    }
}

/// Writes the parameters that differ from their defaults, as in `merge=equal,solver=true`.
impl fmt::Display for UctVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        match self.merge {
            Merge::None => {}
            Merge::Equal => parts.push("merge=equal"),
            Merge::Symmetric => parts.push("merge=symmetric"),
        }
        if self.back_up == BackUp::All {
            parts.push("backup=all");
        }
        if self.counts == MoveCounts::Edge {
            parts.push("counts=edge");
        }
        if self.solver {
            parts.push("solver=true");
        }
        if self.reuse {
            parts.push("reuse=true");
        }
        let threads = format!("threads={}", self.threads);
        if self.threads != 1 {
            parts.push(&threads);
        }
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_the_default_is_written_and_read() {
        let plain = UctVariant::default();
        assert_eq!(serde_json::to_string(&plain).unwrap(), "{}");
        assert_eq!(plain.to_string(), "");
        let all = UctVariant {
            merge: Merge::Symmetric,
            back_up: BackUp::All,
            counts: MoveCounts::Node,
            solver: true,
            reuse: true,
            threads: 3,
        };
        assert_eq!(all.to_string(), "merge=symmetric,backup=all,solver=true,reuse=true,threads=3");
        for variant in [plain, all, UctVariant { threads: 2, ..plain }] {
            let text = serde_json::to_string(&variant).unwrap();
            assert_eq!(serde_json::from_str::<UctVariant>(&text).unwrap(), variant, "{text}");
            assert_eq!(variant.check(), Ok(()));
            assert_eq!(variant.check_features().is_ok(), variant.threads == 1);
        }
        assert!(UctVariant { threads: 0, ..plain }.check().is_err());
        assert!(UctVariant { threads: UctVariant::THREADS_MAX + 1, ..plain }.check().is_err());
        let undefined = UctVariant { counts: MoveCounts::Edge, ..all };
        assert!(undefined.check().is_err() && undefined.check_features().is_err());
        for of_webs in [
            UctVariant { back_up: BackUp::All, ..plain },
            UctVariant { counts: MoveCounts::Edge, ..plain },
        ] {
            assert!(of_webs.check().unwrap_err().contains("only with merge=equal"));
            assert_eq!(UctVariant { merge: Merge::Equal, ..of_webs }.check(), Ok(()));
        }
    }
}
