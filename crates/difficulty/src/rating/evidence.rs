//! Evidence that ratings are predicted from.

use serde::{Deserialize, Serialize};

use crate::chess::{AttributeKind, ChessAttribute};

/// Evidence that a rating is predicted from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Position, solution, an engine, and networks of people's moves.
    EngineAndNetworks,
    /// Position, solution, and networks of people's moves.
    Networks,
    /// Position, solution, and an engine.
    #[default]
    Engine,
    /// Position and solution.
    Solution,
    /// Position and an engine; the solution is unknown. Only models of older versions have it.
    Position,
}

impl Evidence {
    /// All kinds, the most reliable first.
    pub const ALL: [Evidence; 5] = [
        Evidence::EngineAndNetworks,
        Evidence::Networks,
        Evidence::Engine,
        Evidence::Solution,
        Evidence::Position,
    ];

    /// Kinds that models learn from, each after its [`Evidence::base`]. An engine completes a solution
    /// that is missing, so that no position is rated without one.
    pub(super) const TRAINED: [Evidence; 4] =
        [Evidence::Networks, Evidence::EngineAndNetworks, Evidence::Solution, Evidence::Engine];

    /// Evidence without an engine, whose rating an engine corrects: many more problems are rated by
    /// people than an engine has measured.
    pub(super) const fn base(self) -> Option<Evidence> {
        match self {
            Evidence::EngineAndNetworks => Some(Evidence::Networks),
            Evidence::Engine => Some(Evidence::Solution),
            _ => None,
        }
    }

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Evidence::EngineAndNetworks => "engine_and_networks",
            Evidence::Networks => "networks",
            Evidence::Engine => "engine",
            Evidence::Solution => "solution",
            Evidence::Position => "position",
        }
    }

    /// Evidence in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Evidence::EngineAndNetworks => "solution, engine and networks of people's moves",
            Evidence::Networks => "solution and networks of people's moves",
            Evidence::Engine => "solution and engine",
            Evidence::Solution => "solution",
            Evidence::Position => "engine, without a solution",
        }
    }

    /// Tests whether an attribute belongs to the evidence.
    #[must_use]
    pub fn has(self, attribute: &ChessAttribute) -> bool {
        let of_engine = attribute.kind.is_of_engine();
        let of_networks = attribute.kind == AttributeKind::Network;
        match self {
            Evidence::EngineAndNetworks => true,
            Evidence::Networks => !of_engine,
            Evidence::Engine => !of_networks,
            Evidence::Solution => !of_engine && !of_networks,
            Evidence::Position => !of_networks && !attribute.needs_solution,
        }
    }
}
