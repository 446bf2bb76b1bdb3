//! Gates that candidates pass through, and the reasons for falling at one.

use serde::{Deserialize, Serialize};

/// Gates, in the order in which candidates pass them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Construction: the text is a valid game and not a repetition of another.
    Make,
    /// Check of the rules without playing a game.
    Lint,
    /// Random games.
    Random,
    /// Games of a weak search.
    Glance,
    /// Choice of the most probable and newest candidates of a generation.
    Choice,
    /// Gauge with few games.
    Quick,
    /// Gauge of the best games of the run.
    Thorough,
}

impl Gate {
    /// All gates in order.
    pub const ALL: [Gate; 7] = [
        Gate::Make,
        Gate::Lint,
        Gate::Random,
        Gate::Glance,
        Gate::Choice,
        Gate::Quick,
        Gate::Thorough,
    ];

    /// Returns the name of the gate in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Gate::Make => "valid and new game",
            Gate::Lint => "no forced win at the start",
            Gate::Random => "random games",
            Gate::Glance => "games of a weak search",
            Gate::Choice => "best of its generation",
            Gate::Quick => "quick gauge: no flaw",
            Gate::Thorough => "thorough gauge: no flaw",
        }
    }
}

/// Reason for falling at a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    /// No operator found anything to change.
    NoChange,
    /// The checker of texts rejects it.
    Refused,
    /// Same text as another game, up to names, order and symmetry of the board.
    SameText,
    /// No legal first move, or every first move ends the game.
    NoFirstMove,
    /// The first player wins within three plies against every reply: the warning W12 of `check`.
    WonAtOnce,
    /// Too many first moves.
    ManyMoves,
    /// Same play as another game: equal numbers of lines of play at every counted length, and
    /// matching random games.
    SamePlay,
    /// Games end after few plies.
    Short,
    /// Games often stopped by the cap, by repetition or for lack of progress.
    Stopped,
    /// Games often drawn.
    Drawn,
    /// Games mostly won by one side.
    OneSided,
    /// Often only one legal move.
    Forced,
    /// Unplayable according to the model.
    Unplayable,
    /// Other games of the generation, or of the run, have better scores.
    NotChosen,
    /// The gauge found a flaw.
    Flawed,
    /// Judging it would take more moves than the budget allows, so its quality is unknown.
    OverBudget,
}

impl Rejection {
    /// Returns the reason in a few words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Rejection::NoChange => "no possible change",
            Rejection::Refused => "rejected by the checker",
            Rejection::SameText => "same text as another game",
            Rejection::NoFirstMove => "no first move that continues the game",
            Rejection::WonAtOnce => "forced win within three plies",
            Rejection::ManyMoves => "too many first moves",
            Rejection::SamePlay => "same play as another game",
            Rejection::Short => "too short",
            Rejection::Stopped => "seldom ended by its rules",
            Rejection::Drawn => "mostly drawn",
            Rejection::OneSided => "mostly won by one side",
            Rejection::Forced => "seldom a choice of moves",
            Rejection::Unplayable => "unplayable according to the model",
            Rejection::NotChosen => "better candidates were chosen",
            Rejection::Flawed => "flawed",
            Rejection::OverBudget => "unrated: over budget",
        }
    }

    /// Tests whether the candidate repeats another game.
    #[must_use]
    pub const fn is_duplicate(self) -> bool {
        matches!(self, Rejection::SameText | Rejection::SamePlay)
    }
}

/// Gate at which a candidate falls, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fall {
    /// Gate at which it falls.
    pub gate: Gate,
    /// Reason for the fall.
    pub reason: Rejection,
    /// Details: the message of the checker, the game that it repeats, the flaws, or the place at
    /// the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Fall {
    /// Creates a fall without details.
    #[must_use]
    pub const fn of(gate: Gate, reason: Rejection) -> Fall {
        Fall { gate, reason, detail: None }
    }

    /// Adds details.
    #[must_use]
    pub fn with(self, detail: impl Into<String>) -> Fall {
        Fall { detail: Some(detail.into()), ..self }
    }
}
