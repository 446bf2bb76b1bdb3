//! A game with what a solver can use of it.

use treegauge_core::{Keyed, OfState, Symmetric, Symmetries, Tiered};

use crate::{SolveError, Value, Valued};

/// A game with the capabilities that a solver makes use of.
#[derive(Clone, Debug)]
pub struct Rules<G: Keyed> {
    game: G,
    tier: Option<OfState<G, u32>>,
    symmetries: Option<Symmetries<G>>,
}

impl<G: Keyed> Rules<G> {
    /// A game of which nothing is known but its rules and keys.
    #[must_use]
    pub fn new(game: G) -> Self {
        Rules { game, tier: None, symmetries: None }
    }

    /// The game has tiers.
    #[must_use]
    pub fn tiered(self) -> Self
    where
        G: Tiered,
    {
        self.with_tier(Some(G::tier))
    }

    /// The game has symmetries.
    #[must_use]
    pub fn symmetric(self) -> Self
    where
        G: Symmetric,
    {
        self.with_symmetries(Some(Symmetries::of_type()))
    }

    /// With the function that tells the tier of a state, if there is one.
    #[must_use]
    pub fn with_tier(self, tier: Option<OfState<G, u32>>) -> Self {
        Rules { tier, ..self }
    }

    /// With the functions of the symmetries, if there are any.
    #[must_use]
    pub fn with_symmetries(self, symmetries: Option<Symmetries<G>>) -> Self {
        Rules { symmetries, ..self }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Whether the game has tiers.
    #[must_use]
    pub fn has_tiers(&self) -> bool {
        self.tier.is_some()
    }

    /// The functions of the symmetries, where there are any.
    #[must_use]
    pub fn symmetries(&self) -> Option<&Symmetries<G>> {
        self.symmetries.as_ref()
    }

    /// The tier of a state; 0 for a game without tiers.
    #[inline]
    #[must_use]
    pub fn tier(&self, state: &G::State) -> u32 {
        self.tier.map_or(0, |tier| tier(&self.game, state))
    }
}

/// Which positions stand for which.
///
/// Of the symmetries only those that leave the start as it is are used: they form a group, and
/// what they make of a reachable position is reachable too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The numbers of the symmetries, the identity first.
    symmetries: Vec<usize>,
    /// Whether these are all that the game has.
    all: bool,
}

impl Reduction {
    /// Every position stands for itself.
    #[must_use]
    pub fn none() -> Self {
        Reduction { symmetries: vec![0], all: false }
    }

    /// Every position stands for its images under the symmetries that keep `start`.
    ///
    /// # Errors
    ///
    /// When there are none but the identity.
    pub fn of<G: Keyed>(rules: &Rules<G>, start: &G::State) -> Result<Self, SolveError> {
        let symmetries = rules.symmetries().ok_or(SolveError::NoSymmetries)?;
        let count = (symmetries.count)(rules.game());
        let keeping: Vec<usize> = (0..count)
            .filter(|&symmetry| &(symmetries.map_state)(rules.game(), symmetry, start) == start)
            .collect();
        if keeping.len() == 1 {
            return Err(if count == 1 { SolveError::NoSymmetries } else { SolveError::StartMoves });
        }
        Ok(Reduction { all: keeping.len() == count, symmetries: keeping })
    }

    /// Whether every position stands for itself alone.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.symmetries.len() == 1
    }

    /// The numbers of the symmetries in use, the identity first.
    #[must_use]
    pub fn symmetries(&self) -> &[usize] {
        &self.symmetries
    }
}

/// The way from the key of a position to the keys of its children, with the room that it takes.
#[derive(Clone, Debug)]
pub struct Expander<'a, G: Keyed> {
    rules: &'a Rules<G>,
    reduction: &'a Reduction,
    /// Whether every position stands for itself alone.
    plain: bool,
    moves: Vec<G::Move>,
}

/// A child of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child<K> {
    /// The key under which it is stored.
    pub key: K,
    /// Its tier.
    pub tier: u32,
    /// Whether the same player is still to move.
    pub same_turn: bool,
}

impl<'a, G: Keyed> Expander<'a, G> {
    /// For positions that are stored as a reduction says.
    #[must_use]
    pub fn new(rules: &'a Rules<G>, reduction: &'a Reduction) -> Self {
        Expander { rules, reduction, plain: reduction.is_none(), moves: Vec::new() }
    }

    /// The key under which a state is stored.
    #[inline]
    #[must_use]
    pub fn stored_key(&self, state: &G::State) -> G::Key {
        if self.plain { self.rules.game.key(state) } else { self.canonical_key(state) }
    }

    /// The least key of the images.
    fn canonical_key(&self, state: &G::State) -> G::Key {
        let game = &self.rules.game;
        let symmetries = self.rules.symmetries.expect("a reduction is made of symmetries");
        if self.reduction.all {
            return game.key(&(symmetries.canonical)(game, state));
        }
        let images = self.reduction.symmetries.iter();
        let keys = images.map(|&n| game.key(&(symmetries.map_state)(game, n, state)));
        keys.min().expect("the identity is a symmetry")
    }

    /// Replaces the contents of `keys` by the keys of all positions that the one of a stored key
    /// stands for, itself among them, each once in ascending order.
    pub fn images_into(&self, key: G::Key, keys: &mut Vec<G::Key>) {
        keys.clear();
        match &self.rules.symmetries {
            Some(symmetries) if !self.reduction.is_none() => {
                let game = &self.rules.game;
                let state = game.unkey(key);
                keys.extend(
                    self.reduction
                        .symmetries
                        .iter()
                        .map(|&n| game.key(&(symmetries.map_state)(game, n, &state))),
                );
                keys.sort_unstable();
                keys.dedup();
            }
            _ => keys.push(key),
        }
    }

    /// Calls `visit` with each child of a position, one for each move in the order of the game's
    /// moves, or returns the value of a finished position.
    #[inline]
    pub fn children(&mut self, key: G::Key, mut visit: impl FnMut(Child<G::Key>)) -> Option<Value> {
        let game = &self.rules.game;
        let state = game.unkey(key);
        let turn = game.turn(&state);
        if let Some(outcome) = game.outcome(&state) {
            return Some(Value::of_outcome(outcome, turn));
        }
        game.moves_into(&state, &mut self.moves);
        for &m in &self.moves {
            let mut child = state.clone();
            game.play(&mut child, m);
            visit(Child {
                key: self.stored_key(&child),
                tier: self.rules.tier(&child),
                same_turn: game.turn(&child) == turn,
            });
        }
        None
    }

    /// Whether the position of a key is finished, and its value then.
    #[inline]
    #[must_use]
    pub fn finished(&self, key: G::Key) -> Option<Valued> {
        let state = self.rules.game.unkey(key);
        let outcome = self.rules.game.outcome(&state)?;
        Some(Valued::finished(outcome, self.rules.game.turn(&state)))
    }
}
