//! Capabilities of a game as a value, for code that learns at run time which ones a game has.

use std::fmt::{self, Debug};

use crate::actions::{ActionIds, Actions};
use crate::capability::{Graded, Indexed, Retrograde, Symmetric, Tiered};
use crate::game::Game;
use crate::intuition::{Intuitive, Look};
use crate::tensor::{Tensor, Tensors};

/// Function of a game and one of its states.
pub type OfState<G, T> = fn(&G, &<G as Game>::State) -> T;

/// Signature of [`Retrograde::parents_into`].
pub type ParentsInto<G> = fn(&G, &<G as Game>::State, &mut Vec<<G as Game>::State>);

/// Signature of [`Intuitive::looks_into`].
pub type LooksInto<G> = fn(&G, &<G as Game>::State, &mut Vec<Look>);

/// Functions of [`Symmetric`] for one type of game.
pub struct Symmetries<G: Game> {
    /// [`Symmetric::symmetry_count`].
    pub count: fn(&G) -> usize,
    /// [`Symmetric::map_state`].
    pub map_state: fn(&G, usize, &G::State) -> G::State,
    /// [`Symmetric::map_move`].
    pub map_move: fn(&G, usize, G::Move) -> G::Move,
    /// [`Symmetric::canonical`].
    pub canonical: OfState<G, G::State>,
}

impl<G: Symmetric> Symmetries<G> {
    /// Functions that the game's type implements.
    #[must_use]
    pub fn of_type() -> Self {
        Symmetries {
            count: G::symmetry_count,
            map_state: G::map_state,
            map_move: G::map_move,
            canonical: G::canonical,
        }
    }
}

// A derive would require `G: Clone`.
impl<G: Game> Clone for Symmetries<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Symmetries<G> {}

impl<G: Game> Debug for Symmetries<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Symmetries")
    }
}

/// Optional capability of a game, beyond its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Keys are numbers below a bound that is small enough for a table: [`Indexed`].
    Indexed,
    /// Moves can be taken back: [`Retrograde`].
    Retrograde,
    /// Every move leads to a higher tier: [`Tiered`].
    Tiered,
    /// The board has symmetries: [`Symmetric`].
    Symmetric,
    /// Results have a margin: [`Graded`].
    Graded,
    /// Moves can be rated as a person sees them at a glance: [`Intuitive`].
    Intuitive,
    /// Moves have ids that are the same in all positions: [`Actions`].
    Actions,
    /// Positions can be written as tensors: [`Tensor`].
    Tensor,
}

impl Capability {
    /// All capabilities.
    pub const ALL: [Capability; 8] = [
        Capability::Indexed,
        Capability::Retrograde,
        Capability::Tiered,
        Capability::Symmetric,
        Capability::Graded,
        Capability::Intuitive,
        Capability::Actions,
        Capability::Tensor,
    ];

    /// Name in lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Capability::Indexed => "indexed",
            Capability::Retrograde => "retrograde",
            Capability::Tiered => "tiered",
            Capability::Symmetric => "symmetric",
            Capability::Graded => "graded",
            Capability::Intuitive => "intuitive",
            Capability::Actions => "actions",
            Capability::Tensor => "tensor",
        }
    }

    /// Capability with this name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Capability> {
        Capability::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Meaning for the reader of a list of games.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Capability::Indexed => "positions have numbers",
            Capability::Retrograde => "moves can be taken back",
            Capability::Tiered => "no position comes twice",
            Capability::Symmetric => "the board has symmetries",
            Capability::Graded => "results have a margin",
            Capability::Intuitive => "moves are rated as a person sees them at a glance",
            Capability::Actions => "moves have fixed numbers for learning programs",
            Capability::Tensor => "positions can be written as tensors",
        }
    }
}

/// Capabilities of a game beyond its rules, as functions of the game's own type.
///
/// Each builder method has the capability's trait as its bound, so a game cannot claim one that it
/// does not implement:
///
/// ```
/// use treegauge_core::Capabilities;
/// # use treegauge_core::{Capability, Game, Outcome, Player, Tiered};
/// # #[derive(Clone)]
/// # struct Heap;
/// # impl Game for Heap {
/// #     type State = (u8, Player);
/// #     type Move = u8;
/// #     fn start(&self) -> Self::State { (5, Player::First) }
/// #     fn turn(&self, state: &Self::State) -> Player { state.1 }
/// #     fn outcome(&self, state: &Self::State) -> Option<Outcome> {
/// #         (state.0 == 0).then(|| Outcome::win_of(state.1.other()))
/// #     }
/// #     fn moves_into(&self, state: &Self::State, moves: &mut Vec<u8>) {
/// #         moves.clear();
/// #         moves.extend(1..=state.0.min(2));
/// #     }
/// #     fn play(&self, state: &mut Self::State, taken: u8) {
/// #         *state = (state.0 - taken, state.1.other());
/// #     }
/// # }
///
/// // The heap only shrinks.
/// impl Tiered for Heap {
///     fn tier(&self, (left, _): &Self::State) -> u32 {
///         u32::from(5 - left)
///     }
/// }
///
/// let capabilities = Capabilities::<Heap>::none().tiered();
/// let tier = capabilities.tier.unwrap();
/// assert_eq!(tier(&Heap, &Heap.start()), 0);
/// assert_eq!(capabilities.list(), [Capability::Tiered]);
/// ```
pub struct Capabilities<G: Game> {
    /// [`Tiered::tier`].
    pub tier: Option<OfState<G, u32>>,
    /// [`Indexed::index_len`].
    pub index_len: Option<fn(&G) -> u64>,
    /// [`Retrograde::parents_into`].
    pub parents: Option<ParentsInto<G>>,
    /// The functions of [`Symmetric`].
    pub symmetries: Option<Symmetries<G>>,
    /// [`Graded::margin`]: the first player's score minus the second player's.
    pub margin: Option<OfState<G, i32>>,
    /// [`Graded::UNIT`].
    pub margin_unit: Option<[&'static str; 2]>,
    /// [`Intuitive::looks_into`].
    pub looks: Option<LooksInto<G>>,
    /// The functions of [`Actions`].
    pub actions: Option<ActionIds<G>>,
    /// The functions of [`Tensor`].
    pub tensors: Option<Tensors<G>>,
}

impl<G: Game> Capabilities<G> {
    /// No capabilities beyond the rules.
    #[must_use]
    pub fn none() -> Self {
        Capabilities {
            tier: None,
            index_len: None,
            parents: None,
            symmetries: None,
            margin: None,
            margin_unit: None,
            looks: None,
            actions: None,
            tensors: None,
        }
    }

    /// Adds tiers.
    #[must_use]
    pub fn tiered(self) -> Self
    where
        G: Tiered,
    {
        Capabilities { tier: Some(G::tier), ..self }
    }

    /// Adds keys that are an index.
    #[must_use]
    pub fn indexed(self) -> Self
    where
        G: Indexed,
    {
        Capabilities { index_len: Some(G::index_len), ..self }
    }

    /// Adds moves that can be taken back.
    #[must_use]
    pub fn retrograde(self) -> Self
    where
        G: Retrograde,
    {
        Capabilities { parents: Some(G::parents_into), ..self }
    }

    /// Adds symmetries.
    #[must_use]
    pub fn symmetric(self) -> Self
    where
        G: Symmetric,
    {
        Capabilities { symmetries: Some(Symmetries::of_type()), ..self }
    }

    /// Adds margins.
    #[must_use]
    pub fn graded(self) -> Self
    where
        G: Graded,
    {
        Capabilities { margin: Some(G::margin), margin_unit: Some(G::UNIT), ..self }
    }

    /// Adds looks of moves.
    #[must_use]
    pub fn intuitive(self) -> Self
    where
        G: Intuitive,
    {
        Capabilities { looks: Some(G::looks_into), ..self }
    }

    /// Adds ids of moves.
    #[must_use]
    pub fn actions(self) -> Self
    where
        G: Actions,
    {
        Capabilities { actions: Some(ActionIds::of_type()), ..self }
    }

    /// Adds positions as tensors.
    #[must_use]
    pub fn tensor(self) -> Self
    where
        G: Tensor,
    {
        Capabilities { tensors: Some(Tensors::of_type()), ..self }
    }

    /// Capabilities that the game has, always in the same order.
    #[must_use]
    pub fn list(&self) -> Vec<Capability> {
        let all = [
            (Capability::Symmetric, self.symmetries.is_some()),
            (Capability::Tiered, self.tier.is_some()),
            (Capability::Graded, self.margin.is_some()),
            (Capability::Indexed, self.index_len.is_some()),
            (Capability::Retrograde, self.parents.is_some()),
            (Capability::Intuitive, self.looks.is_some()),
            (Capability::Actions, self.actions.is_some()),
            (Capability::Tensor, self.tensors.is_some()),
        ];
        all.into_iter().filter(|(_, has)| *has).map(|(capability, _)| capability).collect()
    }

    /// Number of symmetries of a game, the identity included; 1 for a game without [`Symmetric`].
    #[must_use]
    pub fn symmetry_count(&self, game: &G) -> usize {
        self.symmetries.map_or(1, |symmetries| (symmetries.count)(game))
    }

    /// Canonical image of a state; the state itself for a game without [`Symmetric`].
    #[must_use]
    pub fn canonical(&self, game: &G, state: &G::State) -> G::State {
        self.symmetries
            .map_or_else(|| state.clone(), |symmetries| (symmetries.canonical)(game, state))
    }
}

// A derive would require `G: Clone`.
impl<G: Game> Clone for Capabilities<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Capabilities<G> {}

impl<G: Game> Debug for Capabilities<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Capabilities").field(&self.list()).finish()
    }
}
