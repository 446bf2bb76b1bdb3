//! Datasets of the search trees and the play of many games, and models learned from them.
//!
//! [`collect`] plays games and stores the features of their search trees. [`aggregate`] sums them
//! up as a table with a row of attributes for each game. [`evaluate`] measures how well learners
//! tell playable games from broken ones by such a table (Williams 2010, chapter 5). [`vet`] trains
//! a model on such tables and judges other games by it. A [`Corpus`] lists games with labels;
//! [`HumanRatings`] holds ratings of games by people.

pub mod aggregate;
pub mod collect;
pub mod evaluate;
pub mod vet;

mod corpus;
mod ratings;

pub use corpus::{Corpus, CorpusError, LabelledGame, SolvedLabel, WILLIAMS_2010};
pub use ratings::{HumanRatings, RatedGame};
