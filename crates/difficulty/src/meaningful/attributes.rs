//! Attributes of a meaningful tree.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::tree::{Node, Tree};

/// Family of attributes: one number per tree, or one per level. (Stoiljkovikj 2015, section 2.4.)
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Number in the source, from 1.
    pub number: u8,
    /// Name in the source.
    pub name: &'static str,
    /// Description in words.
    pub meaning: &'static str,
    /// Whether it needs pieces that move over a board.
    pub needs_pieces: bool,
    of: Of,
}

#[derive(Clone, Copy, Debug)]
enum Of {
    Level(fn(&Counted<'_>, u8) -> f64),
    Whole(fn(&Counted<'_>) -> f64),
}

/// Family that any tree has.
const fn counted(number: u8, name: &'static str, meaning: &'static str, of: Of) -> Family {
    Family { number, name, meaning, needs_pieces: false, of }
}

/// Family about moves of pieces.
const fn moved(number: u8, name: &'static str, meaning: &'static str, of: Of) -> Family {
    Family { number, name, meaning, needs_pieces: true, of }
}

/// Families of attributes, in the order of the source. A quotient with divisor 0 is 0.
pub const FAMILIES: [Family; 17] = [
    counted(
        1,
        "Meaningful",
        "kept moves of the level",
        Of::Level(|tree, level| tree.meaningful(level)),
    ),
    counted(
        2,
        "PossibleMoves",
        "legal moves of the positions before the level",
        Of::Level(|tree, level| tree.possible(level)),
    ),
    counted(
        3,
        "AllPossibleMoves",
        "the sum of PossibleMoves",
        Of::Whole(|tree| tree.sum(Counted::possible)),
    ),
    counted(
        4,
        "Branching",
        "kept moves of the level per position before it",
        Of::Level(|tree, level| tree.branching(level)),
    ),
    counted(
        5,
        "AverageBranching",
        "the sum of Branching over the depth of the tree",
        Of::Whole(|tree| tree.per_depth(Counted::branching)),
    ),
    counted(
        6,
        "NarrowSolution",
        "positions before the level with exactly one kept move",
        Of::Level(|tree, level| tree.narrow(level)),
    ),
    counted(
        7,
        "AllNarrowSolutions",
        "the sum of NarrowSolution",
        Of::Whole(|tree| tree.sum(Counted::narrow)),
    ),
    counted(8, "TreeSize", "all kept moves", Of::Whole(|tree| tree.sum(Counted::meaningful))),
    counted(
        9,
        "MoveRatio",
        "kept moves per legal move",
        Of::Level(|tree, level| tree.ratio(level)),
    ),
    counted(
        10,
        "SeeminglyGood",
        "first moves that do not win, and fail to one answer only",
        Of::Whole(|tree| tree.seemingly_good()),
    ),
    moved(
        11,
        "Distance",
        "total distance of the kept moves of the level",
        Of::Level(|tree, level| tree.distance(level)),
    ),
    moved(12, "SumDistance", "the sum of Distance", Of::Whole(|tree| tree.sum(Counted::distance))),
    moved(
        13,
        "AverageDistance",
        "SumDistance over the depth of the tree",
        Of::Whole(|tree| tree.per_depth(Counted::distance)),
    ),
    moved(
        14,
        "Pieces",
        "different pieces that move at the level",
        Of::Level(|tree, level| tree.pieces(level)),
    ),
    moved(
        15,
        "AllPiecesInvolved",
        "the sum of Pieces",
        Of::Whole(|tree| tree.sum(Counted::pieces)),
    ),
    moved(
        16,
        "PieceValueRatio",
        "the player's material per that of the opponent (pawn 1, knight and bishop 3, rook 5, queen 9; a bare king counts 1)",
        Of::Whole(|tree| tree.piece_values()),
    ),
    counted(
        17,
        "WinningNoCheckmate",
        "first moves that win without forcing the end of the game",
        Of::Whole(|tree| tree.winning_no_checkmate()),
    ),
];

/// Rule by which distances are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DistanceRule {
    /// Every kept move counts, as in algorithm 11 of the source.
    #[default]
    PerMove,
    /// A move that is kept at several places of a level counts once, as in the worked example of
    /// the source.
    Distinct,
}

/// Names of the attributes of a tree with `levels` levels: `Meaningful(1)`, ..., `TreeSize`, ...
#[must_use]
pub fn attribute_names(levels: u8) -> Vec<String> {
    let names = |family: &Family| match family.of {
        Of::Level(_) => (1..=levels).map(|level| format!("{}({level})", family.name)).collect(),
        Of::Whole(_) => vec![family.name.to_owned()],
    };
    FAMILIES.iter().flat_map(names).collect()
}

/// Attributes of a tree, in the order of [`attribute_names`] for the levels of its settings. An
/// attribute is `None` if it needs pieces or material that the game does not have.
#[must_use]
pub fn attributes(tree: &Tree, distances: DistanceRule) -> Vec<Option<f64>> {
    let counted = Counted { tree, distances };
    let has_steps = tree.nodes.iter().skip(1).all(|node| node.step.is_some());
    let values = |family: &Family| {
        let is_known = match family.number {
            16 => tree.material.is_some(),
            _ => !family.needs_pieces || has_steps,
        };
        let values: Vec<Option<f64>> = match family.of {
            Of::Level(of) => (1..=tree.settings.levels)
                .map(|level| is_known.then(|| of(&counted, level)))
                .collect(),
            Of::Whole(of) => vec![is_known.then(|| of(&counted))],
        };
        values
    };
    FAMILIES.iter().flat_map(values).collect()
}

/// Tree whose moves are counted.
struct Counted<'a> {
    tree: &'a Tree,
    distances: DistanceRule,
}

impl Counted<'_> {
    /// Expanded positions whose kept moves make up a level.
    fn before(&self, level: u8) -> impl Iterator<Item = &Node> {
        self.tree.level(level - 1).filter(|node| node.possible.is_some())
    }

    fn meaningful(&self, level: u8) -> f64 {
        self.tree.level(level).count() as f64
    }

    fn possible(&self, level: u8) -> f64 {
        self.before(level).filter_map(|node| node.possible).map(f64::from).sum()
    }

    fn branching(&self, level: u8) -> f64 {
        ratio(self.meaningful(level), self.before(level).count() as f64)
    }

    fn narrow(&self, level: u8) -> f64 {
        self.before(level).filter(|node| node.kept == 1).count() as f64
    }

    fn ratio(&self, level: u8) -> f64 {
        ratio(self.meaningful(level), self.possible(level))
    }

    fn seemingly_good(&self) -> f64 {
        self.tree.first_moves.iter().filter(|first| first.seems_good).count() as f64
    }

    fn distance(&self, level: u8) -> f64 {
        let steps = self.tree.level(level).filter_map(|node| node.step);
        let total: u32 = match self.distances {
            DistanceRule::PerMove => steps.map(|step| step.distance).sum(),
            DistanceRule::Distinct => {
                let moves: BTreeSet<(u16, u16, u32)> =
                    steps.map(|step| (step.from, step.to, step.distance)).collect();
                moves.into_iter().map(|(_, _, distance)| distance).sum()
            }
        };
        f64::from(total)
    }

    fn pieces(&self, level: u8) -> f64 {
        let pieces: BTreeSet<u16> = self.tree.level(level).filter_map(|node| node.piece).collect();
        pieces.len() as f64
    }

    fn piece_values(&self) -> f64 {
        let [own, other] = self.tree.material.unwrap_or_default();
        own / other.max(1.0)
    }

    fn winning_no_checkmate(&self) -> f64 {
        let win = self.tree.settings.win;
        let wins = |node: &&Node| node.value.score().is_some_and(|score| score >= win);
        self.tree.level(1).filter(wins).count() as f64
    }

    fn sum(&self, of: impl Fn(&Self, u8) -> f64) -> f64 {
        (1..=self.tree.depth()).map(|level| of(self, level)).sum()
    }

    fn per_depth(&self, of: impl Fn(&Self, u8) -> f64) -> f64 {
        ratio(self.sum(of), f64::from(self.tree.depth()))
    }
}

fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}
