//! Words and ranges of whole numbers that a board and its kinds of pieces allow.

use treegauge_core::Player;

use super::Genome;
use super::tree::{Slot, Tree, When};
use crate::board::{Board, Region, Shape, Site, Track};
use crate::facts::fixed;
use crate::tree::{KindOf, Owner, Set};
use crate::words::{Int, Kinds, Sort, word};

/// Board, kinds of pieces and turns of a genome, which decide what its words may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'g> {
    pub(super) board: &'g Board,
    pub(super) kinds: &'g [KindOf],
    /// Whether the text defines the turns, so that `again` is not allowed.
    pub(super) turns: bool,
}

impl Ground<'_> {
    /// Tests whether a word of a sort may stand here, provided that its arguments may.
    pub(super) fn has(&self, sort: Sort, name: &str, when: When) -> bool {
        let board = self.board;
        let pits = board.is_pits();
        let Some(word) = word(sort, name) else { return false };
        let too_early = word.of_move && when != When::OfMove || when == When::Start && !word.fixed;
        if too_early || (if pits { word.of_pieces } else { word.of_pits }) {
            return false;
        }
        match (sort, name) {
            (Sort::Directions, "or") => board.directions("all").is_some(),
            (Sort::Directions, _) => board.directions(name).is_some(),
            (Sort::Set, "row" | "rows" | "column" | "columns") => board.extent().is_some(),
            (Sort::Set, "home" | "far") => pits || board.extent().is_some(),
            (Sort::Set, "side") => !board.sides().is_empty(),
            (Sort::Set, "edges" | "corners" | "center" | "dark" | "light") => {
                let region = Region::of_word(name, &[], Vec::new());
                region.is_some_and(|region| board.region(&region).is_some())
            }
            (Sort::Set, "supported") => board.falls(),
            (Sort::Set, "rays" | "custodial") => board.directions("all").is_some(),
            (Sort::Family, "shape") | (Sort::Moves, "leap") => board.is_flat(),
            (Sort::Family, "boxes") => matches!(board.shape, Shape::Lattice { .. }),
            (Sort::Family, "line") => board.directions("all").is_some(),
            (Sort::Number, "hand") => self.kinds.iter().any(|kind| kind.hand.is_some()),
            (Sort::Moves, "step" | "slide" | "hop") => board.directions("all").is_some(),
            (Sort::Moves, "ride") => !board.tracks.is_empty(),
            (Sort::Moves, "swap") => {
                let shared = |kind: &KindOf| !matches!(kind.owner, Owner::Only(_));
                when == When::Before && self.kinds.iter().all(shared)
            }
            (Sort::Effect, "again") => !self.turns,
            _ => true,
        }
    }

    /// Useful range of a whole number within its parent. It is part of the range that the checker
    /// allows.
    pub(super) fn range(&self, int: Int, parent: Option<&Tree>) -> (i32, i32) {
        let longest = || {
            let dirs = self.board.directions("all").unwrap_or_default();
            self.board.longest_line(&dirs[0]) as i32
        };
        let (cols, rows) = self.board.extent().unwrap_or((1, 1));
        match int {
            Int::Row => (1, rows),
            Int::Column => (1, cols),
            Int::Rows => (1, rows),
            Int::Line => {
                let longest = parent.map_or_else(longest, |line| self.longest(line));
                (longest.min(2), longest)
            }
            Int::Run | Int::Slide => (1, longest().max(2) - 1),
            Int::Bends => {
                let most = self.board.tracks.iter().map(Track::bend_count).max();
                (0, most.unwrap_or(0) as i32)
            }
            Int::Opening => (1, 12),
            Int::Seeds => (1, 12),
            Int::Cell => (0, 3),
            Int::Offset => (0, 3),
            Int::Quiet => (10, 200),
        }
    }

    /// Length of the longest line in the directions of a `line`.
    pub(super) fn longest(&self, line: &Tree) -> i32 {
        let dirs = line.args.iter().find(|arg| arg.sort() == Some(Sort::Directions));
        let numbers = match dirs {
            Some(dirs) => self.directions(dirs, 0),
            None => self.board.directions("all").map_or_else(Vec::new, |[dirs, _]| dirs),
        };
        self.board.longest_line(&numbers) as i32
    }

    /// Directions for a player, as their indices on the board.
    pub(super) fn directions(&self, tree: &Tree, player: usize) -> Vec<u8> {
        if tree.head() == "or" {
            let of = |tree: &Tree| self.directions(tree, player);
            let mut dirs: Vec<u8> = tree.args.iter().flat_map(of).collect();
            dirs.sort_unstable();
            dirs.dedup();
            return dirs;
        }
        self.board.directions(tree.head()).map_or_else(Vec::new, |of| of[player].clone())
    }

    /// Range of a literal number.
    pub(super) fn literal(&self) -> (i32, i32) {
        let seeds = if self.board.is_pits() { 48 } else { 0 };
        (0, (self.board.sites().count() as i32).max(seeds))
    }

    /// Largest number of seeds in each pit at the start, because the total must fit into one byte.
    pub(super) fn seeds_max(&self) -> i32 {
        255 / (2 * self.board.pits().max(1)) as i32
    }

    /// Tests whether a shape fits on the board.
    pub(super) fn fits_shape(&self, shape: &Tree) -> bool {
        let pair = |pair: &Tree| Some((pair.args.first()?.int()?, pair.args.get(1)?.int()?));
        let cells: Option<Vec<_>> = shape.args.iter().map(pair).collect();
        cells.is_some_and(|cells| !self.board.shapes(&cells).is_empty())
    }

    /// Sites of a set for a player; `None` if the set is not the same in every position.
    pub(super) fn fixed(&self, set: &Tree, player: usize) -> Option<Vec<Site>> {
        fixed(self.board, &self.set(set)?, Player::BOTH[player])
    }

    /// Typed form of a set of regions; `None` for any other set.
    fn set(&self, set: &Tree) -> Option<Set<Vec<Site>>> {
        let all = || -> Option<Vec<_>> { set.args.iter().map(|arg| self.set(arg)).collect() };
        let first = || Some(Box::new(self.set(set.args.first()?)?));
        Some(match set.head() {
            "and" => Set::And(all()?),
            "or" => Set::Or(all()?),
            "first-of" => Set::FirstOf(all()?),
            "not" => Set::Not(first()?),
            "next" => {
                let dirs = set.args.get(1);
                let all = || self.board.directions("all").unwrap_or_default();
                let of = |dirs: &Tree| [0, 1].map(|player| self.directions(dirs, player));
                Set::Next(first()?, dirs.map_or_else(all, of))
            }
            word => {
                let numbers: Vec<i32> = set.args.iter().filter_map(Tree::int).collect();
                let names = set.args.iter().map(|arg| arg.head().to_owned()).collect();
                Set::Const(self.board.region(&Region::of_word(word, &numbers, names)?)?)
            }
        })
    }

    /// Names of the kinds that may stand in a slot of the node `parent`.
    pub(super) fn kinds_for(&self, slot: Slot, parent: Option<&Tree>) -> Vec<&str> {
        let Slot::Kind(kinds) = slot else { return Vec::new() };
        let neutral = |kind: &KindOf| kind.owner == Owner::Neutral;
        let fits = |kind: &&KindOf| match kinds {
            Kinds::Any => true,
            Kinds::Owned => !neutral(kind),
            Kinds::InHand => kind.hand.is_some(),
            Kinds::Put => {
                let taker = parent.and_then(|put| put.args.first());
                let is_neutral = taker.is_some_and(|taker| taker.head() == "neutral");
                neutral(kind) == is_neutral
            }
        };
        self.kinds.iter().filter(fits).map(|kind| kind.name.as_str()).collect()
    }
}

impl Genome {
    pub(super) fn ground(&self) -> Ground<'_> {
        Ground { board: &self.board, kinds: &self.kinds, turns: self.turns.is_some() }
    }
}
