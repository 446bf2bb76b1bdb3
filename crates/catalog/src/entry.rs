//! A game with what it can do, and its visitors.

use std::sync::Arc;

use treegauge_core::{
    Capabilities, Evaluator, Graded, Indexed, Intuitive, Keyed, Notation, OfState, Retrograde,
    Symmetric, Tiered,
};

use crate::evaluator::{self, NamedEvaluator};

/// A game with its capabilities, as a visitor gets it.
///
/// Each capability is turned on by a method that has the capability's trait as its bound, so a
/// game cannot be listed with something it does not implement.
#[derive(Clone, Debug)]
pub struct Entry<G: Notation + Keyed> {
    /// The rules.
    pub game: G,
    canonical_name: Arc<str>,
    capabilities: Capabilities<G>,
    evaluators: Vec<NamedEvaluator<G>>,
}

impl<G: Notation + Keyed> Entry<G> {
    /// A game that has rules, notation and keys. Its canonical name is empty until
    /// [`GameSpec::with_game`](crate::GameSpec::with_game) sets it.
    #[must_use]
    pub fn new(game: G) -> Self {
        Entry {
            game,
            canonical_name: Arc::default(),
            capabilities: Capabilities::none(),
            evaluators: Vec::new(),
        }
    }

    /// The game has symmetries.
    #[must_use]
    pub fn symmetric(self) -> Self
    where
        G: Symmetric,
    {
        Entry { capabilities: self.capabilities.symmetric(), ..self }
    }

    /// The game has margins.
    #[must_use]
    pub fn graded(self) -> Self
    where
        G: Graded,
    {
        Entry { capabilities: self.capabilities.graded(), ..self }
    }

    /// The game has tiers.
    #[must_use]
    pub fn tiered(self) -> Self
    where
        G: Tiered,
    {
        Entry { capabilities: self.capabilities.tiered(), ..self }
    }

    /// The game's keys are small numbers.
    #[must_use]
    pub fn indexed(self) -> Self
    where
        G: Indexed,
    {
        Entry { capabilities: self.capabilities.indexed(), ..self }
    }

    /// The game's moves can be taken back.
    #[must_use]
    pub fn retrograde(self) -> Self
    where
        G: Retrograde,
    {
        Entry { capabilities: self.capabilities.retrograde(), ..self }
    }

    /// The game says how its moves look at a glance.
    #[must_use]
    pub fn intuitive(self) -> Self
    where
        G: Intuitive,
    {
        Entry { capabilities: self.capabilities.intuitive(), ..self }
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

    /// The canonical name of the game: [`GameSpec::canonical`](crate::GameSpec::canonical) of the
    /// spec that led here.
    #[must_use]
    pub fn canonical_name(&self) -> &str {
        &self.canonical_name
    }

    /// What the game can do, as functions of its type.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities<G> {
        &self.capabilities
    }

    /// The number of symmetries, the identity included; 1 for a game without any.
    #[must_use]
    pub fn symmetry_count(&self) -> usize {
        self.capabilities.symmetry_count(&self.game)
    }

    /// The canonical image of a state; the state itself for a game without symmetries.
    #[must_use]
    pub fn canonical(&self, state: &G::State) -> G::State {
        self.capabilities.canonical(&self.game, state)
    }

    /// The game's own evaluators.
    #[must_use]
    pub fn evaluators(&self) -> &[NamedEvaluator<G>] {
        &self.evaluators
    }

    /// The game's own evaluator with this text form: `name` or `name(param=value,...)`.
    ///
    /// # Errors
    ///
    /// When the game has no such evaluator, the evaluator no such parameter, or a value is out of
    /// range.
    pub fn evaluator(&self, text: &str) -> Result<Box<dyn Evaluator<G>>, treegauge_grammar::Error> {
        evaluator::parse(&self.game, &self.evaluators, text)
    }

    /// The function that gives the first player's score less the second's, where the game has
    /// scores.
    #[must_use]
    pub fn margins(&self) -> Option<OfState<G, i32>> {
        self.capabilities.margin
    }

    /// The first player's score less the second's, where the game has scores.
    #[must_use]
    pub fn margin(&self, state: &G::State) -> Option<i32> {
        self.capabilities.margin.map(|margin| margin(&self.game, state))
    }
}

/// An operation on a game whose type is not known before its name is read.
pub trait Visitor {
    /// The result.
    type Output;

    /// Runs the operation. Compiled once for every type of game.
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output;
}
