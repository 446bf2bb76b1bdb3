//! Part of a game: a game that ends at all but some positions.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use treegauge_core::{Board, KeyCode, Outcome, Player, PositionError, Watch};

use super::typed::Positions;
use super::{Links, Reduction, Way};
use crate::error::{Halt, Interrupted};
use crate::value::Value;

/// Part of a game. Positions that are not open and not finished end it without a winner.
pub(super) struct Partial<K> {
    pub(super) whole: Arc<dyn Positions<K>>,
    pub(super) open: FxHashSet<K>,
}

impl<K: KeyCode> Positions<K> for Partial<K> {
    fn has_position(&self, code: K) -> bool {
        self.whole.has_position(code)
    }

    fn turn(&self, state: K) -> Player {
        self.whole.turn(state)
    }

    fn outcome(&self, state: K) -> Option<Outcome> {
        match self.open.contains(&state) {
            true => None,
            false => Some(self.whole.outcome(state).unwrap_or(Outcome::Draw)),
        }
    }

    fn tier(&self, state: K) -> u32 {
        self.whole.tier(state)
    }

    fn margin(&self, state: K) -> i32 {
        self.whole.margin(state)
    }

    fn move_count(&self, state: K) -> u32 {
        self.whole.move_count(state)
    }

    fn after(&self, state: K, m: u32) -> K {
        self.whole.after(state, m)
    }

    fn image(&self, symmetry: usize, state: K) -> K {
        self.whole.image(symmetry, state)
    }

    fn stored(&self, reduction: &Reduction, state: K) -> K {
        self.whole.stored(reduction, state)
    }

    fn move_number(&self, symmetry: usize, state: K, m: u32) -> u64 {
        self.whole.move_number(symmetry, state, m)
    }

    fn move_text(&self, state: K, m: u32) -> String {
        self.whole.move_text(state, m)
    }

    fn position_text(&self, state: K) -> String {
        self.whole.position_text(state)
    }

    fn parse_position(&self, text: &str) -> Result<K, PositionError> {
        self.whole.parse_position(text)
    }

    fn board_text(&self, state: K) -> String {
        self.whole.board_text(state)
    }

    fn board(&self, state: K) -> Board {
        self.whole.board(state)
    }

    fn expand(&self, way: Way<'_>, keys: &[K], links: &mut Links<'_, K>) -> Result<usize, Halt> {
        links.clear();
        let mut own = Links::new(links.bounds);
        for &key in keys {
            if let Some(outcome) = self.outcome(key) {
                links.ends.push(Err(Value::of_outcome(outcome, self.turn(key))));
                continue;
            }
            if self.whole.expand(way, &[key], &mut own)? == 0
                || !links.make_room(own.children.len())?
            {
                break;
            }
            links.children.extend_from_slice(&own.children);
            links.ends.push(Ok(links.children.len()));
        }
        Ok(links.ends.len())
    }

    fn parents(&self, _: &[K], _: &mut Links<'_, K>) -> Result<usize, Halt> {
        unreachable!("moves of a part of a game are not taken back")
    }

    fn value_by_history(&self, _: K, _: &dyn Watch) -> Result<Option<Value>, Interrupted> {
        Ok(None)
    }
}
