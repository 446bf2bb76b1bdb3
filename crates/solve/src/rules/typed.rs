//! Implementation of the solver's view of a game for one type of game.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashSet;
use treegauge_core::{
    Board, Capabilities, KeyCode, Keyed, Notation, Outcome, Player, PositionError, Watch,
};
use xxhash_rust::xxh3::Xxh3;

use super::{Child, CodeOf, LOOK, Links, Reduction, Way};
use crate::error::{Halt, Interrupted};
use crate::history::value_by_history;
use crate::value::Value;

/// Operations that a solver needs of a game. They are documented at the methods of the same names
/// of [`Solvable`](super::Solvable) and [`Expander`](super::Expander).
pub(super) trait Positions<K>: Send + Sync {
    fn has_position(&self, code: K) -> bool;
    fn turn(&self, state: K) -> Player;
    fn outcome(&self, state: K) -> Option<Outcome>;
    fn tier(&self, state: K) -> u32;
    fn margin(&self, state: K) -> i32;
    fn move_count(&self, state: K) -> u32;
    fn after(&self, state: K, m: u32) -> K;
    fn image(&self, symmetry: usize, state: K) -> K;
    fn stored(&self, reduction: &Reduction, state: K) -> K;
    fn move_number(&self, symmetry: usize, state: K, m: u32) -> u64;
    fn move_text(&self, state: K, m: u32) -> String;
    fn position_text(&self, state: K) -> String;
    fn parse_position(&self, text: &str) -> Result<K, PositionError>;
    fn board_text(&self, state: K) -> String;
    fn board(&self, state: K) -> Board;
    fn expand(&self, way: Way<'_>, keys: &[K], links: &mut Links<'_, K>) -> Result<usize, Halt>;
    fn parents(&self, keys: &[K], links: &mut Links<'_, K>) -> Result<usize, Halt>;
    fn value_by_history(&self, state: K, watch: &dyn Watch) -> Result<Option<Value>, Interrupted>;
}

/// Game of one type with its capabilities.
pub(super) struct Typed<G: Keyed> {
    pub(super) game: G,
    pub(super) capabilities: Capabilities<G>,
}

impl<G: Keyed> Typed<G> {
    fn state(&self, code: CodeOf<G>) -> G::State {
        self.game.unkey(G::Key::of_code(code))
    }

    fn code(&self, state: &G::State) -> CodeOf<G> {
        self.game.key(state).code()
    }

    /// Converts a code to its position, and a number to the position's move.
    fn state_and_move(&self, code: CodeOf<G>, m: u32) -> (G::State, G::Move) {
        let state = self.state(code);
        let m = self.game.nth_move(&state, m, &mut Vec::new());
        (state, m)
    }

    /// Key under which a state is stored.
    #[inline]
    fn stored_key(&self, reduction: &Reduction, state: &G::State) -> G::Key {
        if reduction.is_none() { self.game.key(state) } else { self.least_key(reduction, state) }
    }

    /// Least key of all images of a state.
    fn least_key(&self, reduction: &Reduction, state: &G::State) -> G::Key {
        let symmetries = self.capabilities.symmetries.expect("a reduction is made of symmetries");
        if reduction.all {
            return self.game.key(&(symmetries.canonical)(&self.game, state));
        }
        let image = |&n: &usize| self.game.key(&(symmetries.map_state)(&self.game, n, state));
        reduction.symmetries.iter().map(image).min().expect("the identity is a symmetry")
    }
}

impl<G: Notation + Keyed> Positions<CodeOf<G>> for Typed<G> {
    fn has_position(&self, code: CodeOf<G>) -> bool {
        let key = G::Key::of_code(code);
        key.code() == code && self.game.try_unkey(key).is_some()
    }

    fn turn(&self, state: CodeOf<G>) -> Player {
        self.game.turn(&self.state(state))
    }

    fn outcome(&self, state: CodeOf<G>) -> Option<Outcome> {
        self.game.outcome(&self.state(state))
    }

    fn tier(&self, state: CodeOf<G>) -> u32 {
        self.capabilities.tier.map_or(0, |tier| tier(&self.game, &self.state(state)))
    }

    fn margin(&self, state: CodeOf<G>) -> i32 {
        let margin = self.capabilities.margin.expect("the game has margins");
        margin(&self.game, &self.state(state))
    }

    fn move_count(&self, state: CodeOf<G>) -> u32 {
        self.game.move_count(&self.state(state))
    }

    fn after(&self, state: CodeOf<G>, m: u32) -> CodeOf<G> {
        let (mut state, m) = self.state_and_move(state, m);
        self.game.play(&mut state, m);
        self.code(&state)
    }

    fn image(&self, symmetry: usize, state: CodeOf<G>) -> CodeOf<G> {
        let symmetries = self.capabilities.symmetries.expect("the game has the symmetry");
        self.code(&(symmetries.map_state)(&self.game, symmetry, &self.state(state)))
    }

    fn stored(&self, reduction: &Reduction, state: CodeOf<G>) -> CodeOf<G> {
        self.stored_key(reduction, &self.state(state)).code()
    }

    /// XXH3 of the mapped move.
    fn move_number(&self, symmetry: usize, state: CodeOf<G>, m: u32) -> u64 {
        let (_, m) = self.state_and_move(state, m);
        let symmetries = self.capabilities.symmetries;
        let mapped = symmetries.map_or(m, |found| (found.map_move)(&self.game, symmetry, m));
        let mut hash = Xxh3::new();
        mapped.hash(&mut hash);
        hash.finish()
    }

    fn move_text(&self, state: CodeOf<G>, m: u32) -> String {
        let (state, m) = self.state_and_move(state, m);
        self.game.move_text(&state, m)
    }

    fn position_text(&self, state: CodeOf<G>) -> String {
        self.game.position_text(&self.state(state))
    }

    fn parse_position(&self, text: &str) -> Result<CodeOf<G>, PositionError> {
        Ok(self.code(&self.game.parse_position(text)?))
    }

    fn board_text(&self, state: CodeOf<G>) -> String {
        self.game.board_text(&self.state(state))
    }

    fn board(&self, state: CodeOf<G>) -> Board {
        self.game.board(&self.state(state))
    }

    fn expand(
        &self,
        way: Way<'_>,
        keys: &[CodeOf<G>],
        links: &mut Links<'_, CodeOf<G>>,
    ) -> Result<usize, Halt> {
        links.clear();
        let game = &self.game;
        let tier = self.capabilities.tier.filter(|_| way.tiered);
        let mut moves = Vec::new();
        let mut seen = Distinct { few: Vec::new(), more: FxHashSet::default() };
        for &key in keys {
            links.look(1)?;
            let state = self.state(key);
            let turn = game.turn(&state);
            if let Some(outcome) = game.outcome(&state) {
                links.ends.push(Err(Value::of_outcome(outcome, turn)));
                continue;
            }
            game.moves_into(&state, &mut moves);
            if !links.make_room(moves.len())? {
                break;
            }
            seen.clear();
            for moves in moves.chunks(LOOK) {
                links.look(moves.len())?;
                for &m in moves {
                    let mut child = state.clone();
                    game.play(&mut child, m);
                    if way.distinct && !seen.insert(game.key(&child)) {
                        continue;
                    }
                    links.children.push(Child {
                        key: self.stored_key(way.reduction, &child).code(),
                        tier: tier.map_or(0, |tier| tier(game, &child)),
                        same_turn: game.turn(&child) == turn,
                    });
                }
            }
            links.ends.push(Ok(links.children.len()));
        }
        Ok(links.ends.len())
    }

    fn parents(&self, keys: &[CodeOf<G>], links: &mut Links<'_, CodeOf<G>>) -> Result<usize, Halt> {
        links.clear();
        let game = &self.game;
        let parents_into = self.capabilities.parents.expect("moves can be taken back");
        let mut parents = Vec::new();
        for &key in keys {
            let state = self.state(key);
            let turn = game.turn(&state);
            parents_into(game, &state, &mut parents);
            links.look(parents.len())?;
            if !links.make_room(parents.len())? {
                break;
            }
            links.children.extend(parents.iter().map(|parent| Child {
                key: self.code(parent),
                tier: 0,
                same_turn: game.turn(parent) == turn,
            }));
            links.ends.push(Ok(links.children.len()));
        }
        Ok(links.ends.len())
    }

    fn value_by_history(
        &self,
        state: CodeOf<G>,
        watch: &dyn Watch,
    ) -> Result<Option<Value>, Interrupted> {
        value_by_history(&self.game, &self.state(state), watch)
    }
}

/// Set that drops repeated children of a position.
struct Distinct<K> {
    few: Vec<K>,
    more: FxHashSet<K>,
}

impl<K: Copy + Eq + Hash> Distinct<K> {
    /// Number of positions up to which they are compared one by one.
    const FEW: usize = 64;

    fn clear(&mut self) {
        self.few.clear();
        self.more = FxHashSet::default();
    }

    /// Inserts a position and returns whether it is new.
    fn insert(&mut self, key: K) -> bool {
        if self.few.contains(&key) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(key);
            return true;
        }
        self.more.insert(key)
    }
}
