//! A game with what it can do, and those who visit it.

use treegauge_core::{
    Evaluator, Graded, Indexed, Keyed, Notation, OfState, ParentsInto, Retrograde, Symmetric,
    Symmetries, Tiered,
};

use crate::evaluator::{self, EvaluatorError, NamedEvaluator};

/// Something that a game can do beyond rules and notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Keys are small numbers, densely enough for a table.
    Indexed,
    /// Moves can be taken back.
    Retrograde,
    /// Every move leads to a higher tier.
    Tiered,
    /// The board has symmetries.
    Symmetric,
    /// Results have a size.
    Graded,
}

impl Capability {
    /// The name in lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Capability::Indexed => "indexed",
            Capability::Retrograde => "retrograde",
            Capability::Tiered => "tiered",
            Capability::Symmetric => "symmetric",
            Capability::Graded => "graded",
        }
    }
}

/// A game on its way to a visitor.
///
/// Each capability is turned on by a method that has the capability's trait as its bound, so a
/// game cannot be listed with something it does not implement; what a visitor may do with it is
/// kept as functions of the game's own type.
#[derive(Clone, Debug)]
pub struct Entry<G: Notation + Keyed> {
    /// The rules.
    pub game: G,
    capabilities: Vec<Capability>,
    symmetries: Option<Symmetries<G>>,
    tier: Option<OfState<G, u32>>,
    index_len: Option<u64>,
    parents: Option<ParentsInto<G>>,
    margin: Option<OfState<G, i32>>,
    evaluators: Vec<NamedEvaluator<G>>,
}

impl<G: Notation + Keyed> Entry<G> {
    /// A game that has rules, notation and keys.
    #[must_use]
    pub fn new(game: G) -> Self {
        Entry {
            game,
            capabilities: vec![],
            symmetries: None,
            tier: None,
            index_len: None,
            parents: None,
            margin: None,
            evaluators: Vec::new(),
        }
    }

    fn with(mut self, capability: Capability) -> Self {
        self.capabilities.push(capability);
        self
    }

    /// The game has symmetries.
    #[must_use]
    pub fn symmetric(mut self) -> Self
    where
        G: Symmetric,
    {
        self.symmetries = Some(Symmetries::of_type());
        self.with(Capability::Symmetric)
    }

    /// The game has margins.
    #[must_use]
    pub fn graded(mut self) -> Self
    where
        G: Graded,
    {
        self.margin = Some(G::margin);
        self.with(Capability::Graded)
    }

    /// The game has tiers.
    #[must_use]
    pub fn tiered(mut self) -> Self
    where
        G: Tiered,
    {
        self.tier = Some(G::tier);
        self.with(Capability::Tiered)
    }

    /// The game's keys are small numbers.
    #[must_use]
    pub fn indexed(mut self) -> Self
    where
        G: Indexed,
    {
        self.index_len = Some(self.game.index_len());
        self.with(Capability::Indexed)
    }

    /// The game's moves can be taken back.
    #[must_use]
    pub fn retrograde(mut self) -> Self
    where
        G: Retrograde,
    {
        self.parents = Some(G::parents_into);
        self.with(Capability::Retrograde)
    }

    /// The game has evaluators of its own.
    #[must_use]
    pub fn evaluated(mut self, evaluators: Vec<NamedEvaluator<G>>) -> Self {
        self.evaluators = evaluators;
        self
    }

    /// What the game can do.
    #[must_use]
    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// The number of symmetries, the identity included; 1 for a game without any.
    #[must_use]
    pub fn symmetry_count(&self) -> usize {
        self.symmetries.map_or(1, |symmetries| (symmetries.count)(&self.game))
    }

    /// The canonical image of a state; the state itself for a game without symmetries.
    #[must_use]
    pub fn canonical(&self, state: &G::State) -> G::State {
        self.symmetries
            .map_or_else(|| state.clone(), |symmetries| (symmetries.canonical)(&self.game, state))
    }

    /// The functions of the symmetries, where the game has them.
    #[must_use]
    pub fn symmetries(&self) -> Option<Symmetries<G>> {
        self.symmetries
    }

    /// The function that tells the tier of a state, where the game has tiers.
    #[must_use]
    pub fn tier(&self) -> Option<OfState<G, u32>> {
        self.tier
    }

    /// The number below which the codes of all keys are, where keys are an index.
    #[must_use]
    pub fn index_len(&self) -> Option<u64> {
        self.index_len
    }

    /// The function that takes moves back, where the game has one.
    #[must_use]
    pub fn parents(&self) -> Option<ParentsInto<G>> {
        self.parents
    }

    /// The evaluators that the game brings along.
    #[must_use]
    pub fn evaluators(&self) -> &[NamedEvaluator<G>] {
        &self.evaluators
    }

    /// The evaluator of the game that is written so: `name` or `name(param=value,...)`.
    ///
    /// # Errors
    ///
    /// When the game has no such evaluator, or it has no such parameter or does not take its value.
    pub fn evaluator(&self, text: &str) -> Result<Box<dyn Evaluator<G>>, EvaluatorError> {
        evaluator::parse(&self.game, &self.evaluators, text)
    }

    /// The function that gives the first player's score less the second's, where the game has
    /// scores.
    #[must_use]
    pub fn margins(&self) -> Option<OfState<G, i32>> {
        self.margin
    }

    /// The first player's score less the second's, where the game has scores.
    #[must_use]
    pub fn margin(&self, state: &G::State) -> Option<i32> {
        self.margin.map(|margin| margin(&self.game, state))
    }
}

/// Something to do with a game whose type is not known before its name is read.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it. Compiled once for every type of game.
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output;
}
