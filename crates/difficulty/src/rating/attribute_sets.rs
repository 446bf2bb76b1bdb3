//! Sets of attributes that an evaluation compares, and those that a table has.

use serde::{Deserialize, Serialize};

use super::PROBLEMS_MIN;
use super::evidence::Evidence;
use super::table::RatedProblems;
use crate::chess::{AttributeKind, ChessAttribute};

/// Set of attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemAttributes {
    /// Families 1 to 10 of the tree.
    #[serde(rename = "tree_1_to_10")]
    Counts,
    /// Families 11 to 17 of the tree.
    #[serde(rename = "tree_11_to_17")]
    Moves,
    /// All 17 families.
    Tree,
    /// The few facts of position and solution that people use to grade problems without a search.
    Plain,
    /// `Tree` and `Plain` together.
    TreeAndPlain,
    /// Number of the player's moves in the solution, and whether it ends in mate.
    LengthAndMate,
    /// `Tree` and `LengthAndMate` together.
    TreeAndLengthAndMate,
    /// Difficulty of the position by the changes of the best move with depth (Guid and Bratko 2006),
    /// alone.
    GuidBratko,
    /// All facts of position and solution, without a search.
    Facts,
    /// Probabilities of people's moves at the solution's, as the shipped policy predicts them.
    Policy,
    /// The same, as networks predict them.
    Networks,
    /// All attributes of the table but those of networks.
    All,
}

impl ProblemAttributes {
    /// All sets.
    pub const ALL: [ProblemAttributes; 12] = [
        ProblemAttributes::Counts,
        ProblemAttributes::Moves,
        ProblemAttributes::Tree,
        ProblemAttributes::Plain,
        ProblemAttributes::TreeAndPlain,
        ProblemAttributes::LengthAndMate,
        ProblemAttributes::TreeAndLengthAndMate,
        ProblemAttributes::GuidBratko,
        ProblemAttributes::Facts,
        ProblemAttributes::Policy,
        ProblemAttributes::Networks,
        ProblemAttributes::All,
    ];

    pub(super) fn has(self, attribute: &ChessAttribute) -> bool {
        let family = match attribute.kind {
            AttributeKind::Tree(family) => Some(family),
            _ => None,
        };
        let is_length_or_mate = ["SolutionMoves", "EndsInMate"].contains(&attribute.name.as_str());
        match self {
            ProblemAttributes::Counts => family.is_some_and(|family| family <= 10),
            ProblemAttributes::Moves => family.is_some_and(|family| family > 10),
            ProblemAttributes::Tree => family.is_some(),
            ProblemAttributes::Plain => attribute.is_plain,
            ProblemAttributes::TreeAndPlain => attribute.is_plain || family.is_some(),
            ProblemAttributes::LengthAndMate => is_length_or_mate,
            ProblemAttributes::TreeAndLengthAndMate => is_length_or_mate || family.is_some(),
            ProblemAttributes::GuidBratko => attribute.name == "GuidBratko",
            ProblemAttributes::Facts => Part::Facts.has(attribute),
            ProblemAttributes::Policy => Part::Policy.has(attribute),
            ProblemAttributes::Networks => Part::Networks.has(attribute),
            ProblemAttributes::All => Evidence::Engine.has(attribute),
        }
    }
}

/// Set of attributes that an evaluation leaves out, because the table lacks some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutSet {
    /// Set of attributes.
    pub attributes: ProblemAttributes,
    /// Names of its attributes that have no column; empty if all have one, but too few problems have
    /// values there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// Attributes that come from the same work, so a problem has all of them or none.
#[derive(Clone, Copy)]
enum Part {
    Facts,
    Policy,
    Engine,
    Networks,
}

impl Part {
    /// Parts, the most common ones first.
    const ALL: [Part; 4] = [Part::Facts, Part::Policy, Part::Engine, Part::Networks];

    fn has(self, attribute: &ChessAttribute) -> bool {
        use AttributeKind::{Network, Policy, Position, Solution};
        match self {
            Part::Facts => matches!(attribute.kind, Position | Solution),
            Part::Policy => attribute.kind == Policy,
            Part::Engine => attribute.kind.is_of_engine(),
            Part::Networks => attribute.kind == Network,
        }
    }
}

/// Sets of attributes that a table has, and the problems that have all of them.
pub(super) struct UsableSets {
    /// Indices of the problems, in increasing order. Scores of all sets come from the same problems,
    /// so that they can be compared.
    pub problems: Vec<usize>,
    /// Sets, each with the indices of its attributes.
    pub sets: Vec<(ProblemAttributes, Vec<usize>)>,
    pub left_out: Vec<LeftOutSet>,
    /// Names of attributes that [`ProblemAttributes::All`] is without, because they have no column.
    pub missing: Vec<String>,
}

impl UsableSets {
    pub(super) fn of(data: &RatedProblems, known: &[ChessAttribute]) -> UsableSets {
        let is_missing = |n: &usize| data.missing.contains(&known[*n].name);
        let of = |has: &dyn Fn(&ChessAttribute) -> bool| -> Vec<usize> {
            (0..known.len()).filter(|&n| has(&known[n])).collect()
        };
        let mut problems: Vec<usize> =
            (0..data.problems.len()).filter(|&n| data.problems[n].has_line).collect();
        let mut usable: Vec<usize> = Vec::new();
        for part in Part::ALL {
            let mut columns = of(&|one| part.has(one));
            columns.retain(|n| !is_missing(n));
            let complete = data.complete(&columns);
            let both: Vec<usize> =
                problems.iter().copied().filter(|n| complete.binary_search(n).is_ok()).collect();
            // Without the facts of its solution a problem is not measured at all.
            if both.len() >= PROBLEMS_MIN || matches!(part, Part::Facts) {
                problems = both;
                usable.extend(columns);
            }
        }
        let names = |of: &[usize]| -> Vec<String> {
            of.iter().filter(|n| is_missing(n)).map(|&n| known[n].name.clone()).collect()
        };
        let (mut sets, mut left_out) = (Vec::new(), Vec::new());
        for attributes in ProblemAttributes::ALL {
            let mut columns = of(&|one| attributes.has(one));
            if attributes == ProblemAttributes::All {
                columns.retain(|n| usable.contains(n));
            }
            if columns.iter().all(|n| usable.contains(n)) {
                sets.push((attributes, columns));
            } else if attributes != ProblemAttributes::GuidBratko {
                // Most tables are older than the attribute of Guid and Bratko.
                left_out.push(LeftOutSet { attributes, missing: names(&columns) });
            }
        }
        sets.retain(|(_, columns)| !columns.is_empty());
        let missing = names(&of(&|one| ProblemAttributes::All.has(one)));
        UsableSets { problems, sets, left_out, missing }
    }
}
