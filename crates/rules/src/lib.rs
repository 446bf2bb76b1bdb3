//! Games described in text.
//!
//! A text describes a game in a small typed language: a board, pieces, legal moves and the end of
//! the game. [`Text`] reads a text. A [`Program`] is a text that was checked with a value for each
//! of its options.
//!
//! A position has at most 65,535 moves. In one ply, `only-if`s are evaluated a bounded number of
//! times: 2^24 divided by the number of sites of the board, and by one more than the number of
//! words in all `only-if`s that follow connections from site to site (`joined`, `enclosed`, ...),
//! but at least 1,024 and at most 2^20 times. Moves described beyond either limit are not legal. So
//! listing moves is always fast, whatever the text describes.

mod board;
mod check;
mod error;
mod everyday;
mod examples;
mod explain;
mod facts;
mod fast;
mod format;
mod frame;
mod game;
mod genome;
mod identity;
mod layout;
mod line_art;
mod lint;
mod moves_text;
mod notation;
mod perft_signature;
mod position;
mod progress;
mod reader;
#[cfg(test)]
mod reference;
mod said;
mod state;
mod symmetry;
mod terms;
mod text;
mod tree;
mod words;

pub use error::{MISTAKES_MAX, Mistake, Mistakes, Place};
pub use everyday::{beyond_language, words_for};
pub use examples::{EXAMPLES, WordExample};
pub use explain::{Explanation, Paragraph, Section, explain};
pub use format::{format, with_defaults};
pub use frame::{FRAME, FrameWord};
pub use game::{MoveBits, RulesVisitor, Size, TextRules, has_loop, visit};
pub use genome::{Genome, NODES_MAX, Operator, Variation, apply, vary};
pub use layout::MOVES_MAX;
pub use lint::{Findings, LINT_GAMES, LINT_PLIES, RandomGames, Warning, forced_win, lint, statics};
pub use perft_signature::{PerftSignature, perft_signature};
pub use reader::{DEPTH_MAX, TEXT_BYTES_MAX, WORDS_MAX, is_game};
pub use state::{BoardWord, Limbs, State};
pub use text::Text;
pub use tree::{OptionValue, Program};
pub use words::{Sort, WORDS, Word, words_of};

#[cfg(test)]
mod tests;
