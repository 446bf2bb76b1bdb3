//! Trees of meaningful moves.

use serde::{Deserialize, Serialize};

use crate::{MoveSource, Step, TreeSettings, Value};

/// Meaningful tree of a problem (Stoiljkovikj 2015, section 2.2): the player's moves that win, the
/// answers that make sense, and so on, level by level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// Settings that it was built with.
    pub settings: TreeSettings,
    /// Root, then the kept moves level by level; a parent precedes its children.
    pub nodes: Vec<Node>,
    /// First moves that were listed, kept or not, best first.
    pub first_moves: Vec<CandidateMove>,
    /// Whether positions were left unexpanded because the tree had reached its maximum size.
    pub capped: bool,
    /// Material of the player and of the opponent at the root; `None` in games without material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<[f64; 2]>,
}

/// Position of a meaningful tree: the root, or the position after a kept move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Index of the parent node; the root is its own parent.
    pub parent: u32,
    /// Plies from the root. If the sides take turns, the player's moves have odd levels.
    pub level: u8,
    /// Whether the player, not the opponent, is to move here. Meaningless if the game is over.
    pub player_moves: bool,
    /// Move that leads here; empty for the root.
    pub played: String,
    /// Value for the player, as known when the parent was expanded; for the root, that of the best
    /// move.
    pub value: Value,
    /// Number of legal moves here; `None` if the node was not expanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<u32>,
    /// Number of moves that were kept here.
    pub kept: u32,
    /// Squares of the piece that the move moves; `None` in games without moving pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
    /// Square of that piece at the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<u16>,
}

/// First move that the source listed for the problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateMove {
    /// Text of the move.
    pub played: String,
    /// Value for the player.
    pub value: Value,
    /// Whether it was kept.
    pub kept: bool,
    /// Whether it seems good: it does not win, and exactly one answer refutes it. (Stoiljkovikj
    /// 2015, algorithm 10.)
    pub seems_good: bool,
    /// Opponent's best answer to a move that was not kept; `None` if no answers were listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refutation: Option<String>,
}

impl Tree {
    /// Builds the tree of a problem.
    ///
    /// # Errors
    ///
    /// When the source fails.
    pub fn build<S: MoveSource>(
        source: &mut S,
        problem: &S::Position,
        settings: TreeSettings,
    ) -> Result<Tree, S::Error> {
        let mut tree = Tree {
            settings,
            nodes: vec![Node::root()],
            first_moves: Vec::new(),
            capped: false,
            material: source.material(problem),
        };
        let mut positions = vec![problem.clone()];
        let mut next = 0;
        while next < positions.len() && tree.nodes[next].level < settings.levels {
            if tree.nodes.len() > settings.nodes_max as usize {
                tree.capped = true;
                break;
            }
            let position = positions[next].clone();
            tree.expand(source, next, &position, &mut positions)?;
            next += 1;
        }
        Ok(tree)
    }

    fn expand<S: MoveSource>(
        &mut self,
        source: &mut S,
        at: usize,
        position: &S::Position,
        positions: &mut Vec<S::Position>,
    ) -> Result<(), S::Error> {
        let settings = self.settings;
        let least = if at == 0 { settings.first_moves.max(1) } else { 1 };
        let listed = source.list(position, least, &|values| settings.is_enough(values))?;
        let values: Vec<Value> = listed.moves.iter().map(|(_, value)| *value).collect();
        let meaningful = settings.meaningful(&values);
        let level = self.nodes[at].level + 1;
        let is_players = self.nodes[at].player_moves;
        let for_player = |value: Value| if is_players { value } else { value.negated() };
        let side = source.side(position);
        self.nodes[at].possible = Some(listed.legal);
        self.nodes[at].kept = meaningful.iter().filter(|kept| **kept).count() as u32;
        if let (0, Some(best)) = (at, values.first()) {
            self.nodes[0].value = *best;
        }
        for (&(played, value), &kept) in listed.moves.iter().zip(&meaningful) {
            let text = source.text(position, played);
            if at == 0 {
                let (seems_good, refutation) = match kept {
                    true => (false, None),
                    false => self.answered(source, position, played, value)?,
                };
                let played = text.clone();
                let found = CandidateMove { played, value, kept, seems_good, refutation };
                self.first_moves.push(found);
            }
            if kept {
                let step = source.step(position, played);
                let after = source.after(position, played);
                let piece = step.map(|step| self.origin(at, step.from));
                self.nodes.push(Node {
                    parent: at as u32,
                    level,
                    player_moves: is_players == (source.side(&after) == side),
                    played: text,
                    value: for_player(value),
                    possible: None,
                    kept: 0,
                    step,
                    piece,
                });
                positions.push(after);
            }
        }
        Ok(())
    }

    /// Whether a first move that does not win would win if one answer were missing, and the best
    /// answer, if the answers have to be listed for that.
    fn answered<S: MoveSource>(
        &self,
        source: &mut S,
        position: &S::Position,
        played: S::Move,
        value: Value,
    ) -> Result<(bool, Option<String>), S::Error> {
        let settings = self.settings;
        let is_candidate = match value {
            Value::Score(score) => score < settings.win,
            Value::Loses(_) => settings.lost_moves_may_seem_good,
            Value::Wins(_) => false,
        };
        if !is_candidate {
            return Ok((false, None));
        }
        let after = source.after(position, played);
        if source.side(&after) == source.side(position) {
            return Ok((false, None));
        }
        let answers = source.list(&after, 2, &|values| values.len() >= 2)?;
        let refutation = answers.moves.first().map(|(answer, _)| source.text(&after, *answer));
        let mut wins = answers.moves.iter().map(|(_, value)| value.negated().is_won(settings.win));
        let seems_good = wins.next() == Some(false) && wins.next().unwrap_or(answers.legal == 1);
        Ok((seems_good, refutation))
    }

    /// Square at the root of the piece that is on `square` after node `at`.
    fn origin(&self, mut at: usize, square: u16) -> u16 {
        let mut square = square;
        while at != 0 {
            if let Some(step) = self.nodes[at].step {
                if step.to == square {
                    square = step.from;
                } else if let Some((from, _)) = step.second.filter(|(_, to)| *to == square) {
                    square = from;
                }
            }
            at = self.nodes[at].parent as usize;
        }
        square
    }

    /// Tree as it would be if it had stopped growing at `nodes_max` kept moves.
    #[must_use]
    pub fn cut(&self, nodes_max: u32) -> Tree {
        let mut cut = self.clone();
        if nodes_max >= self.settings.nodes_max {
            return cut;
        }
        cut.settings.nodes_max = nodes_max;
        cut.capped = false;
        let (mut length, mut next) = (1, 0);
        while next < length && self.nodes[next].level < self.settings.levels {
            if length > nodes_max as usize {
                cut.capped = true;
                break;
            }
            length += self.nodes[next].kept as usize;
            next += 1;
        }
        cut.nodes.truncate(length);
        for open in &mut cut.nodes[next..] {
            (open.possible, open.kept) = (None, 0);
        }
        cut
    }

    /// Nodes of a level, in the order of their parents.
    pub fn level(&self, level: u8) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(move |node| node.level == level)
    }

    /// Deepest level that has a move; 0 for a problem without moves.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.nodes.last().map_or(0, |node| node.level)
    }

    /// Indices of the children of a node.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        (1..self.nodes.len()).filter(move |&n| self.nodes[n].parent as usize == of)
    }

    /// Line of the best moves of both sides, as node indices: at every node the kept move that was
    /// listed first.
    #[must_use]
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(next) = self.children(at).next() {
            line.push(next);
            at = next;
        }
        line
    }

    /// Probability that a player who chooses among the legal moves at random finds kept moves all
    /// the way through the tree, if the opponent chooses at random among its kept answers. It is 1
    /// if there is nothing to find, and never 0. Positions that were not expanded count as found.
    ///
    /// This is not an attribute of Stoiljkovikj 2015. It states how narrow a solution is by one
    /// number, which means the same in any game.
    #[must_use]
    pub fn guess_probability(&self) -> f64 {
        let mut found = vec![1.0; self.nodes.len()];
        let mut sums = vec![0.0; self.nodes.len()];
        // Parents precede their children, so the children are done first.
        for (n, node) in self.nodes.iter().enumerate().rev() {
            let moves = if node.player_moves { node.possible } else { Some(node.kept) };
            if let (Some(moves @ 1..), true) = (moves, node.kept > 0) {
                found[n] = sums[n] / f64::from(moves);
            }
            if n > 0 {
                sums[node.parent as usize] += found[n];
            }
        }
        found[0]
    }

    /// Tests whether the parts fit together: a tree from a file may hold any numbers.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let Some((root, others)) = self.nodes.split_first() else { return false };
        let fits = |(n, node): (usize, &Node)| {
            let parent = node.parent as usize;
            parent <= n && node.level == self.nodes[parent].level + 1
        };
        root.parent == 0
            && root.level == 0
            && self.nodes.is_sorted_by_key(|node| (node.level, node.parent))
            && self.nodes.iter().all(|node| node.level < u8::MAX)
            && others.iter().enumerate().all(fits)
    }
}

impl Node {
    fn root() -> Node {
        Node {
            parent: 0,
            level: 0,
            player_moves: true,
            played: String::new(),
            value: Value::Score(0.0),
            possible: None,
            kept: 0,
            step: None,
            piece: None,
        }
    }
}
