//! The tree of the moves that make sense.

use serde::{Deserialize, Serialize};

use crate::{MoveSource, Step, TreeSettings, Value};

/// The meaningful tree of a problem (Stoiljkovikj 2015, section 2.2): the moves of the player to move
/// that win, the answers that make sense, and so on, level by level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// How it was built.
    pub settings: TreeSettings,
    /// The root, and after it the moves that were kept, level by level; a parent stands before its
    /// children.
    pub nodes: Vec<Node>,
    /// The first moves that were listed, kept or not, the best first.
    pub first_moves: Vec<CandidateMove>,
    /// Whether positions were left unexpanded since there were too many.
    pub capped: bool,
    /// The material of the player and of the opponent at the root, in games that have material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<[f64; 2]>,
}

/// A position of a meaningful tree: the root, or what a kept move leads to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The node before the move; the root is its own parent.
    pub parent: u32,
    /// 0 for the root. Where the sides take turns, the player's moves have odd levels.
    pub level: u8,
    /// Whether the player is to move here, and not the opponent. It means nothing where the game is over.
    pub player_moves: bool,
    /// The move that leads here; empty for the root.
    pub played: String,
    /// The value for the player, as known where the move was chosen; for the root that of the best move.
    pub value: Value,
    /// All legal moves here, if the node was expanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub possible: Option<u32>,
    /// The moves that were kept here.
    pub kept: u32,
    /// Which piece the move moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
    /// Where that piece stood at the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<u16>,
}

/// A move that was looked at in the problem itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateMove {
    /// The move.
    pub played: String,
    /// Its value for the player.
    pub value: Value,
    /// Whether it was kept.
    pub kept: bool,
    /// Whether it fails to one answer only, so that it seems good. (Stoiljkovikj 2015, algorithm 10.)
    pub seems_good: bool,
}

impl Tree {
    /// Builds the tree of a problem.
    ///
    /// # Errors
    ///
    /// Those of the source.
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
                let seems_good = !kept && self.seems_good(source, position, played, value)?;
                let played = text.clone();
                self.first_moves.push(CandidateMove { played, value, kept, seems_good });
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

    /// Whether a first move that does not win would win but for one answer.
    fn seems_good<S: MoveSource>(
        &self,
        source: &mut S,
        position: &S::Position,
        played: S::Move,
        value: Value,
    ) -> Result<bool, S::Error> {
        let settings = self.settings;
        let is_candidate = match value {
            Value::Score(score) => score < settings.win,
            Value::Loses(_) => settings.lost_moves_may_seem_good,
            Value::Wins(_) => false,
        };
        if !is_candidate {
            return Ok(false);
        }
        let after = source.after(position, played);
        if source.side(&after) == source.side(position) {
            return Ok(false);
        }
        let answers = source.list(&after, 2, &|values| values.len() >= 2)?;
        let mut wins = answers.moves.iter().map(|(_, value)| value.negated().is_won(settings.win));
        Ok(wins.next() == Some(false) && wins.next().unwrap_or(answers.legal == 1))
    }

    /// Where the piece that stands on a square after a node stood at the root.
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

    /// The nodes of a level, in the order of their parents.
    pub fn level(&self, level: u8) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(move |node| node.level == level)
    }

    /// The deepest level that has a move; 0 for a problem without moves.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.nodes.last().map_or(0, |node| node.level)
    }

    /// The numbers of the nodes that come after a node.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        (1..self.nodes.len()).filter(move |&n| self.nodes[n].parent as usize == of)
    }

    /// The line of the best moves of both sides, as numbers of nodes: at every node the move that was
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

    /// The probability that a player finds kept moves all the way through the tree by choosing among the
    /// legal moves at random, when the opponent chooses at random among its kept answers: 1 where there is
    /// nothing to find, and never 0. Positions that were not expanded count as found.
    ///
    /// It is no attribute of Stoiljkovikj 2015: one number for how narrow a solution is that means the
    /// same in any game.
    #[must_use]
    pub fn guess_probability(&self) -> f64 {
        let mut found = vec![1.0; self.nodes.len()];
        let mut sums = vec![0.0; self.nodes.len()];
        // Children stand behind their parents.
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

    /// Whether the parts fit together: a tree that was read may have any numbers.
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
