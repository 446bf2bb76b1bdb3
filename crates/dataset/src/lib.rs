//! Datasets of the search trees and the play of many games, and what is learned from them.
//!
//! [`collect`] plays games and keeps the trees of their searches, [`aggregate`] sums them up as a table with a
//! row of attributes for each game, [`evaluate`] asks how well learners tell playable games from broken ones by
//! such a table (Williams 2010, chapter 5), and [`vet`] keeps a model of them and asks it about other games.
//! A [`Corpus`] has games with labels, [`HumanRatings`] are what people said of games.

pub mod aggregate;
pub mod collect;
pub mod evaluate;
pub mod vet;

mod corpus;
mod ratings;

pub use corpus::{Corpus, CorpusError, LabelledGame, SolvedLabel, WILLIAMS_2010};
pub use ratings::{HumanRatings, RatedGame};
