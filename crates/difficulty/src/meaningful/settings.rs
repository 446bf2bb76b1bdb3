//! Settings for building meaningful trees.

use serde::{Deserialize, Serialize};

use super::Value;

/// Settings for building a meaningful tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeSettings {
    /// Depth of the tree: plies after the root.
    pub levels: u8,
    /// Least score that counts as won, *w* of the source, in the unit of the values.
    pub win: f64,
    /// Most by which a kept move may be worse than the best one if none wins, *m* of the source.
    pub margin: f64,
    /// Whether a move that loses by force is kept only if every move does. The source keeps such
    /// moves whenever no move wins, against its own text.
    pub strict_mate: bool,
    /// Minimum number of moves to list at the root, if it has that many: those that do not win may
    /// be the tempting ones.
    pub first_moves: u32,
    /// Whether a first move that loses by force may count as one that seems good. To an engine such
    /// moves are mostly blunders, which the source leaves out. With exact values they may be the
    /// only moves that fail.
    pub lost_moves_may_seem_good: bool,
    /// Number of kept moves at which the tree stops growing. It grows level by level, so the part
    /// that was built is the same as in a whole tree. The source has no such limit; 3,000 kept moves
    /// are more than one of its trees is likely to have.
    pub nodes_max: u32,
}

/// Settings with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedSettings {
    /// Name.
    pub name: &'static str,
    /// Description in words.
    pub meaning: &'static str,
    /// Settings.
    pub settings: TreeSettings,
    /// Number of moves that an engine lists per position; `None` to list more until the worst is not
    /// meaningful.
    pub multi_pv: Option<u32>,
}

/// Settings of Stoiljkovikj 2015, section 2.2: at least 200 centipawns, a margin of 50, five
/// levels.
const THESIS: TreeSettings = TreeSettings {
    levels: 5,
    win: 200.0,
    margin: 50.0,
    strict_mate: false,
    first_moves: 8,
    lost_moves_may_seem_good: false,
    nodes_max: 3_000,
};

/// Named settings; the first is the default.
///
/// An engine of 2014 valued a pawn at about 100 centipawns. Stockfish 15.1 scales its scores so
/// that 100 centipawns are an even chance to win, which makes the score of the same advantage about
/// 0.72 of what it was.
pub const NAMED_SETTINGS: [NamedSettings; 2] = [
    NamedSettings {
        name: "thesis-rescaled",
        meaning: "the thresholds of Stoiljkovikj 2015 in the centipawns of Stockfish 15.1: w=143, m=36",
        settings: TreeSettings { win: 143.0, margin: 36.0, ..THESIS },
        multi_pv: None,
    },
    NamedSettings {
        name: "thesis-literal",
        meaning: "the thresholds of Stoiljkovikj 2015 as they are printed, w=200 and m=50, and eight moves per position",
        settings: THESIS,
        multi_pv: Some(8),
    },
];

impl Default for TreeSettings {
    fn default() -> Self {
        NAMED_SETTINGS[0].settings
    }
}

impl TreeSettings {
    /// Settings for values that are mean results from -1 to 1 for the side to move, such as those
    /// of searches by playouts and of solved games.
    pub const RESULTS: TreeSettings = TreeSettings {
        win: 0.5,
        margin: 0.1,
        lost_moves_may_seem_good: true,
        nodes_max: 60,
        ..THESIS
    };

    /// Marks the meaningful moves of a position. `values` holds the values of all its moves for the
    /// side to move, best first. (Stoiljkovikj 2015, algorithm 1.)
    #[must_use]
    pub fn meaningful(&self, values: &[Value]) -> Vec<bool> {
        let Some(best) = values.first() else { return Vec::new() };
        let mut none = true;
        let mut keep = |value: &Value| match *value {
            value if value.is_won(self.win) => {
                none = false;
                true
            }
            Value::Score(score) => {
                none && best.score().is_some_and(|best| (best - score).abs() <= self.margin)
            }
            Value::Loses(_) | Value::Wins(_) => {
                none && (!self.strict_mate || matches!(best, Value::Loses(_)))
            }
        };
        values.iter().map(&mut keep).collect()
    }

    /// Tests whether a list of the best moves is long enough to know all meaningful ones: its last
    /// move is not meaningful.
    #[must_use]
    pub fn is_enough(&self, values: &[Value]) -> bool {
        self.meaningful(values).last().is_some_and(|last| !last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Value::{Loses, Score, Wins};

    fn kept(values: &[Value], strict_mate: bool) -> usize {
        let settings = TreeSettings { strict_mate, ..THESIS };
        let meaningful = settings.meaningful(values);
        assert_eq!(meaningful.len(), values.len());
        meaningful.iter().filter(|kept| **kept).count()
    }

    #[test]
    fn moves_that_win_are_meaningful_and_no_others_beside_them() {
        assert_eq!(kept(&[Score(300.0), Score(200.0), Score(199.0), Score(160.0)], false), 2);
        assert_eq!(kept(&[Wins(3), Score(210.0), Score(190.0), Loses(2)], false), 2);
    }

    #[test]
    fn without_a_move_that_wins_those_near_the_best_are_meaningful() {
        assert_eq!(kept(&[Score(10.0), Score(-40.0), Score(-41.0)], false), 2);
        assert_eq!(kept(&[Score(199.0), Score(149.0), Score(148.0)], false), 2);
        assert_eq!(kept(&[], false), 0);
    }

    /// The flag of the algorithm stays true if no move wins.
    #[test]
    fn moves_that_lose_by_force_are_kept_unless_the_rule_is_strict() {
        let values = [Score(-300.0), Score(-320.0), Score(-900.0), Loses(6), Loses(2)];
        assert_eq!((kept(&values, false), kept(&values, true)), (4, 2));
        let all_lose = [Loses(8), Loses(4), Loses(2)];
        assert_eq!((kept(&all_lose, false), kept(&all_lose, true)), (3, 3));
    }

    #[test]
    fn a_list_is_long_enough_when_its_last_move_is_not_meaningful() {
        assert!(!THESIS.is_enough(&[Score(300.0), Score(250.0)]));
        assert!(THESIS.is_enough(&[Score(300.0), Score(250.0), Score(190.0)]));
        assert!(!THESIS.is_enough(&[]));
    }
}
