//! The probability that a person of a rating plays a move of chess.
//!
//! A [`MovePredictor`] gives each legal move of a position with its history the probability that a
//! person of a rating plays it. Predictors:
//!
//! - [`Network`]: a residual network in the format of Lc0, such as those of Maia (McIlroy-Young,
//!   Sen, Kleinberg and Anderson 2020, "Aligning superhuman AI with human behavior: chess as a model
//!   system"). The user brings the file. It holds no rating: the name of the file does.
//! - [`policy::Policy`]: a small policy that ships with the crate and knows ratings. It learned from
//!   games in the public domain.
//! - [`Rated`]: predictors of several ratings as one.
//!
//! ```
//! use treegauge_human::policy::Policy;
//! use treegauge_human::{ChessHistory, MovePredictor};
//!
//! let mut history = ChessHistory::default();
//! history.play("e2e4".parse().unwrap());
//! let answer = Policy::shipped().predict(&history, 1500.0);
//! assert_eq!(answer.len(), 20);
//! let most = answer.iter().max_by(|a, b| a.probability.total_cmp(&b.probability)).unwrap();
//! assert_eq!(most.played.to_string(), "e7e5");
//! ```
//!
//! # A network
//!
//! The input `x` has 112 planes of 64 squares: the last eight positions, repetitions, castling
//! rights, the side to move and the plies without progress (`network/planes.rs`). Then
//!
//! ```text
//! h0      = relu(N(C(x)))
//! h(i+1)  = relu(h(i) + S(N(C(relu(N(C(h(i))))))))         one residual block
//! S(y)    = sigmoid(g) y + b,  (g, b) = W2 relu(W1 mean(y) + b1) + b2
//! p(m)    = exp z(m) / sum of exp z(n) over the legal moves n
//! ```
//!
//! `C` is a convolution by 3 x 3 squares, zero outside of the board. `N` is batch normalisation,
//! `gamma (y - mean) / sqrt(variance + 1e-5) + beta` (Ioffe and Szegedy 2015). `S` is
//! squeeze-and-excitation (Hu, Shen and Sun 2018) with offsets, as Lc0 has it; networks without it
//! have `S(y) = y`. The logit `z(m)` is one of 80 planes of two more convolutions, or one of 1,858
//! outputs of a dense layer (`network/policy_map.rs`).
//!
//! A problem seldom has the game before it. Positions before the first known one repeat that one
//! ([`HistoryFill::FenOnly`]), as Lc0 does by default. Networks that learned from whole games predict
//! people much worse if those planes are empty.
//!
//! The format is that of lczero-common (`net.proto`), and the numbers of moves are those of Lc0.
//! `network/file.rs` lists the fields.
//!
//! Inference uses the algorithm of Winograd (Lavin and Gray 2016, F(4 x 4, 3 x 3)): a quarter of the
//! multiplications. All sums have one order, so the result is the same on every platform that
//! rounds `f32` by IEEE 754.

#![forbid(unsafe_code)]

pub mod exchange;
mod history;
mod network;
pub mod policy;
mod predictor;

pub use history::ChessHistory;
pub use network::{HistoryFill, Network, NetworkError};
pub use predictor::{MovePredictor, MoveProbability, RATING_MAX, RATING_MIN, Rated};
