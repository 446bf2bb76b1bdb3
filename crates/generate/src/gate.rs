//! The gates that a candidate goes through, and why it falls at one.

use serde::{Deserialize, Serialize};

/// The gates in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// A text is made that is a game, and not one that the run has.
    Make,
    /// The rules are read for what no game is needed to see.
    Lint,
    /// Random games.
    Random,
    /// Games of a weak search.
    Glance,
    /// The most probable and the newest of a generation are chosen.
    Choice,
    /// A gauge of few games.
    Quick,
    /// A gauge of the best games of the run.
    Thorough,
}

impl Gate {
    /// All of them.
    pub const ALL: [Gate; 7] = [
        Gate::Make,
        Gate::Lint,
        Gate::Random,
        Gate::Glance,
        Gate::Choice,
        Gate::Quick,
        Gate::Thorough,
    ];

    /// What a candidate must do there.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Gate::Make => "is a game, and a new one",
            Gate::Lint => "its rules show no forced win at once",
            Gate::Random => "random games go well",
            Gate::Glance => "games of a weak search go well",
            Gate::Choice => "is among the best of its generation",
            Gate::Quick => "a quick gauge finds no flaw",
            Gate::Thorough => "a thorough gauge finds no flaw",
        }
    }
}

/// Why a candidate falls at a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    /// No operator found anything to change.
    NoChange,
    /// The checker of texts refuses it.
    Refused,
    /// It is the text of another game up to names, order and symmetry of the board.
    SameText,
    /// No first move, or only such as end the game.
    NoFirstMove,
    /// The first player wins within three plies, whatever the reply: the warning W12 of `check`.
    WonAtOnce,
    /// Too many first moves.
    ManyMoves,
    /// As many lines of play as in another game at every length that was counted, and the same random games.
    SamePlay,
    /// Over after few plies.
    Short,
    /// Stopped by the cap, by repetition or for lack of progress.
    Stopped,
    /// Drawn.
    Drawn,
    /// Won by one side.
    OneSided,
    /// One legal move.
    Forced,
    /// The model says that it is unplayable.
    Unplayable,
    /// Others of the generation, or of the run, promise more.
    NotChosen,
    /// The gauge finds a flaw.
    Flawed,
    /// To judge it takes more moves than the plan allows, so that nothing is said of it.
    OverBudget,
}

impl Rejection {
    /// The reason, of a game that "falls because" of it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Rejection::NoChange => "nothing could be changed",
            Rejection::Refused => "refused by the checker",
            Rejection::SameText => "the same text as another",
            Rejection::NoFirstMove => "no first move that goes on",
            Rejection::WonAtOnce => "a forced win within three plies",
            Rejection::ManyMoves => "too many first moves",
            Rejection::SamePlay => "plays as another",
            Rejection::Short => "too short",
            Rejection::Stopped => "mostly stopped",
            Rejection::Drawn => "mostly drawn",
            Rejection::OneSided => "one side wins",
            Rejection::Forced => "little to choose",
            Rejection::Unplayable => "unplayable, says the model",
            Rejection::NotChosen => "others promise more",
            Rejection::Flawed => "flawed",
            Rejection::OverBudget => "unrated: over budget",
        }
    }

    /// Whether the candidate is another game again.
    #[must_use]
    pub const fn is_duplicate(self) -> bool {
        matches!(self, Rejection::SameText | Rejection::SamePlay)
    }
}

/// Where a candidate falls, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fall {
    /// The gate.
    pub gate: Gate,
    /// The reason.
    pub reason: Rejection,
    /// More about it: the message of the checker, or the game that it is again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Fall {
    /// A fall of which the reason says all.
    #[must_use]
    pub const fn of(gate: Gate, reason: Rejection) -> Fall {
        Fall { gate, reason, detail: None }
    }

    /// The same with more about it.
    #[must_use]
    pub fn with(self, detail: impl Into<String>) -> Fall {
        Fall { detail: Some(detail.into()), ..self }
    }
}
