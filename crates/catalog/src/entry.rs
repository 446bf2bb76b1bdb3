//! Games with their capabilities, and visitors of games.

use std::sync::Arc;

use treegauge_core::{
    Actions, Capabilities, Evaluator, Graded, Indexed, Intuitive, Keyed, Notation, OfState,
    Retrograde, Symmetric, Tensor, Tiered,
};

use crate::evaluator::{self, NamedEvaluator};

/// Game with its capabilities, as passed to a visitor.
///
/// Each capability is turned on by a method with the capability's trait as its bound, so a game
/// cannot claim a capability that it does not implement.
#[derive(Clone, Debug)]
pub struct Entry<G: Notation + Keyed> {
    /// Rules of the game.
    pub game: G,
    canonical_name: Arc<str>,
    capabilities: Capabilities<G>,
    evaluators: Vec<NamedEvaluator<G>>,
}

impl<G: Notation + Keyed> Entry<G> {
    /// Creates the entry of a game with rules, notation and keys only. Its canonical name is empty
    /// until [`GameSpec::with_game`](crate::GameSpec::with_game) sets it.
    #[must_use]
    pub fn new(game: G) -> Self {
        Entry {
            game,
            canonical_name: Arc::default(),
            capabilities: Capabilities::none(),
            evaluators: Vec::new(),
        }
    }

    /// Adds the game's symmetries.
    #[must_use]
    pub fn symmetric(self) -> Self
    where
        G: Symmetric,
    {
        Entry { capabilities: self.capabilities.symmetric(), ..self }
    }

    /// Adds the game's margins.
    #[must_use]
    pub fn graded(self) -> Self
    where
        G: Graded,
    {
        Entry { capabilities: self.capabilities.graded(), ..self }
    }

    /// Adds the game's tiers.
    #[must_use]
    pub fn tiered(self) -> Self
    where
        G: Tiered,
    {
        Entry { capabilities: self.capabilities.tiered(), ..self }
    }

    /// Adds that the game's keys are small numbers.
    #[must_use]
    pub fn indexed(self) -> Self
    where
        G: Indexed,
    {
        Entry { capabilities: self.capabilities.indexed(), ..self }
    }

    /// Adds that the game's moves can be taken back.
    #[must_use]
    pub fn retrograde(self) -> Self
    where
        G: Retrograde,
    {
        Entry { capabilities: self.capabilities.retrograde(), ..self }
    }

    /// Adds the looks of the game's moves at a glance.
    #[must_use]
    pub fn intuitive(self) -> Self
    where
        G: Intuitive,
    {
        Entry { capabilities: self.capabilities.intuitive(), ..self }
    }

    /// Adds ids of the game's moves.
    #[must_use]
    pub fn actions(self) -> Self
    where
        G: Actions,
    {
        Entry { capabilities: self.capabilities.actions(), ..self }
    }

    /// Adds the game's positions as tensors.
    #[must_use]
    pub fn tensor(self) -> Self
    where
        G: Tensor,
    {
        Entry { capabilities: self.capabilities.tensor(), ..self }
    }

    /// Adds the game's own evaluators.
    #[must_use]
    pub fn evaluated(mut self, evaluators: Vec<NamedEvaluator<G>>) -> Self {
        self.evaluators = evaluators;
        self
    }

    pub(crate) fn named(self, canonical_name: String) -> Self {
        Entry { canonical_name: canonical_name.into(), ..self }
    }

    /// Canonical name of the game: [`GameSpec::canonical`](crate::GameSpec::canonical) of its spec.
    #[must_use]
    pub fn canonical_name(&self) -> &str {
        &self.canonical_name
    }

    /// Capabilities of the game, as functions of its type.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities<G> {
        &self.capabilities
    }

    /// Number of symmetries, including the identity; 1 for a game without symmetries.
    #[must_use]
    pub fn symmetry_count(&self) -> usize {
        self.capabilities.symmetry_count(&self.game)
    }

    /// Canonical image of a state; the state itself for a game without symmetries.
    #[must_use]
    pub fn canonical(&self, state: &G::State) -> G::State {
        self.capabilities.canonical(&self.game, state)
    }

    /// Number of ids of the game's moves; `None` if they have none.
    #[must_use]
    pub fn action_count(&self) -> Option<u32> {
        self.capabilities.actions.map(|ids| (ids.count)(&self.game))
    }

    /// Shape of the tensors of the game's positions; `None` if it has none.
    #[must_use]
    pub fn tensor_shape(&self) -> Option<Vec<u32>> {
        self.capabilities.tensors.map(|tensors| (tensors.shape)(&self.game))
    }

    /// Evaluators that only this game has.
    #[must_use]
    pub fn evaluators(&self) -> &[NamedEvaluator<G>] {
        &self.evaluators
    }

    /// Creates the game's own evaluator with this text form: `name` or `name(param=value,...)`.
    ///
    /// # Errors
    ///
    /// When the game does not have the evaluator, the evaluator does not have a parameter, or a
    /// value is out of range.
    pub fn evaluator(&self, text: &str) -> Result<Box<dyn Evaluator<G>>, treegauge_grammar::Error> {
        evaluator::parse(&self.game, &self.evaluators, text)
    }

    /// Function that returns the first player's score minus the second's; `None` if the game has no
    /// scores.
    #[must_use]
    pub fn margins(&self) -> Option<OfState<G, i32>> {
        self.capabilities.margin
    }

    /// First player's score minus the second's; `None` if the game has no scores.
    #[must_use]
    pub fn margin(&self, state: &G::State) -> Option<i32> {
        self.capabilities.margin.map(|margin| margin(&self.game, state))
    }
}

/// Operation on a game with a type that is known only after its name is parsed.
pub trait Visitor {
    /// Result of the operation.
    type Output;

    /// Runs the operation. Compiled once for every type of game.
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output;
}
