//! Reports of single positions, of searches, of records and of the catalog.
//!
//! What is measured over many games is reported by [`GaugeReport`](crate::GaugeReport),
//! [`MatchReport`](crate::MatchReport), [`TournamentReport`](crate::TournamentReport) and
//! [`PowerReport`](crate::compare::PowerReport), next to what measures it.

mod check;
mod games;
mod names;
mod perft;
mod replay;
mod search;
mod show;
mod templates;

pub use check::{CheckError, CheckReport, CheckWarning, RandomGamesReport};
pub use games::{
    EvaluatorListing, GameListing, GamesReport, ParameterListing, PresetListing, ShortListing,
};
pub use names::{NameRow, NamesReport};
pub use perft::{PerftDivision, PerftReport};
pub use replay::{ReplayReport, ReplayedGame, ReplayedGameReport, ReplayedPosition};
pub use search::{AlphaBetaSearchReport, Proved, ProvedSearch, SearchReport, SearchedMove};
pub use show::{RulesParagraph, RulesSection, ShowReport};
pub use templates::{TemplateListing, TemplatesReport, WithoutText};

/// A result as the name of the winner, `first` or `second`, or `draw`.
pub(crate) mod winner {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use treegauge_core::Outcome;

    /// The result as a word.
    pub(super) fn word(outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::FirstWins => "first",
            Outcome::SecondWins => "second",
            Outcome::Draw => "draw",
        }
    }

    /// The result of a word.
    fn read<E: Error>(word: &str) -> Result<Outcome, E> {
        match word {
            "first" => Ok(Outcome::FirstWins),
            "second" => Ok(Outcome::SecondWins),
            "draw" => Ok(Outcome::Draw),
            other => Err(E::unknown_variant(other, &["first", "second", "draw"])),
        }
    }

    pub(super) fn serialize<S: Serializer>(
        outcome: &Outcome,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        word(*outcome).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Outcome, D::Error> {
        read(&String::deserialize(deserializer)?)
    }

    /// The same of a result that need not be.
    pub(super) mod option {
        use super::{Deserialize, Deserializer, Outcome, Serialize, Serializer};

        pub(in crate::reports) fn serialize<S: Serializer>(
            outcome: &Option<Outcome>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            outcome.map(super::word).serialize(serializer)
        }

        pub(in crate::reports) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Outcome>, D::Error> {
            let word = Option::<String>::deserialize(deserializer)?;
            word.map(|word| super::read(&word)).transpose()
        }
    }
}

/// A result as the JSON of reports has it: `first` or `second` for the winner, or `draw`.
#[must_use]
pub fn winner_word(outcome: treegauge_core::Outcome) -> &'static str {
    winner::word(outcome)
}
