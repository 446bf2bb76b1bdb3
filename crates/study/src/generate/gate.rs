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
pub enum Reason {
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

impl Reason {
    /// The reason, of a game that "falls because" of it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Reason::NoChange => "nothing could be changed",
            Reason::Refused => "refused by the checker",
            Reason::SameText => "the same text as another",
            Reason::NoFirstMove => "no first move that goes on",
            Reason::WonAtOnce => "a forced win within three plies",
            Reason::ManyMoves => "too many first moves",
            Reason::SamePlay => "plays as another",
            Reason::Short => "too short",
            Reason::Stopped => "mostly stopped",
            Reason::Drawn => "mostly drawn",
            Reason::OneSided => "one side wins",
            Reason::Forced => "little to choose",
            Reason::Unplayable => "unplayable, says the model",
            Reason::NotChosen => "others promise more",
            Reason::Flawed => "flawed",
            Reason::OverBudget => "unrated: over budget",
        }
    }

    /// Whether the candidate is another game again.
    #[must_use]
    pub const fn is_duplicate(self) -> bool {
        matches!(self, Reason::SameText | Reason::SamePlay)
    }
}

/// Where a candidate falls, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fall {
    /// The gate.
    pub gate: Gate,
    /// The reason.
    pub reason: Reason,
    /// More about it: the message of the checker, or the game that it is again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Fall {
    /// A fall of which the reason says all.
    #[must_use]
    pub const fn of(gate: Gate, reason: Reason) -> Fall {
        Fall { gate, reason, detail: None }
    }

    /// The same with more about it.
    #[must_use]
    pub fn with(self, detail: impl Into<String>) -> Fall {
        Fall { detail: Some(detail.into()), ..self }
    }
}
