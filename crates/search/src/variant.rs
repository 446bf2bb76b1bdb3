//! In which ways a UCT search may differ from that of Williams 2010.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::web::{BackUp, Merge, MoveCounts};

/// How UCT differs from that of Williams 2010, section 2.3, which is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct UctVariant {
    /// Which positions are one node.
    #[serde(skip_serializing_if = "is_default")]
    pub merge: Merge,
    /// Which nodes get the result of a playout.
    #[serde(rename = "backup", skip_serializing_if = "is_default")]
    pub back_up: BackUp,
    /// Whose visits and results the choice among moves reads.
    #[serde(skip_serializing_if = "is_default")]
    pub counts: MoveCounts,
    /// Whether values are proved.
    #[serde(skip_serializing_if = "is_default")]
    pub solver: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl UctVariant {
    /// Whether the search grows a tree without proofs.
    #[must_use]
    pub fn is_tree(self) -> bool {
        let UctVariant { merge, back_up, solver, .. } = self;
        // In a tree a move has one node, and a node one way to the root.
        merge == Merge::None && back_up == BackUp::Single && !solver
    }

    /// Why there is no such search.
    ///
    /// # Errors
    ///
    /// When all nodes above shall get results and moves have counts of their own: which moves would get
    /// results is not defined.
    pub fn check(self) -> Result<(), &'static str> {
        match (self.back_up, self.counts) {
            (BackUp::All, MoveCounts::Edge) => Err(
                "backup=all goes with counts=node only: it is not defined which moves get results",
            ),
            _ => Ok(()),
        }
    }
}

/// The parameters that differ from their defaults, `merge=equal,solver=true`.
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
        f.write_str(&parts.join(","))
    }
}
