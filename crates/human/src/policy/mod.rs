//! A small policy whose weights people can read.
//!
//! It is a conditional logit (McFadden 1974): a move `m` of a position has the score
//!
//! ```text
//! s(m) = sum over its features f of  base(f) + slope(f) (rating - 1500) / 500
//! ```
//!
//! and the probability `exp s(m) / sum of exp s(n)` over the legal moves `n`. A feature is a fact by
//! the rules alone, such as "a knight captures a rook and is lost": [`FEATURE_GROUPS`] lists them.
//! There is no search. The policy ships with the crate; it learned from games of Lichess that are in
//! the public domain (CC0). `examples/train_policy.rs` trains it.

mod features;
mod file;

use std::sync::LazyLock;

use cozy_chess::Move;

pub use self::features::{FEATURE_GROUPS, FEATURES, FeatureGroup, move_features};
pub use self::file::PolicyError;

use self::features::group_of;
use crate::history::ChessHistory;
use crate::predictor::{MovePredictor, MoveProbability, softmax};

/// Least and greatest rating that the policy tells apart.
pub const POLICY_RATINGS: [f64; 2] = [800.0, 2200.0];

static SHIPPED: LazyLock<Policy> = LazyLock::new(|| {
    let file = include_bytes!("../../data/policy.txt.gz");
    Policy::read(file).expect("the shipped policy is valid; a test reads it")
});

/// Policy of weighted features.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Base and slope of each feature, in thousandths.
    weights: Vec<[i32; 2]>,
    notes: Vec<String>,
}

impl Policy {
    /// The policy of this crate.
    #[must_use]
    pub fn shipped() -> &'static Policy {
        &SHIPPED
    }

    /// Policy of weights: the base and the slope of each feature, in thousandths. The notes say what
    /// it learned from, and when. `None` if the number of weights is not [`FEATURES`].
    #[must_use]
    pub fn new(weights: Vec<[i32; 2]>, notes: Vec<String>) -> Option<Policy> {
        (weights.len() == FEATURES).then_some(Policy { weights, notes })
    }

    /// Sentences on the games that the policy learned from, the date, and its scores.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Contributions to the score of each legal move, in the order of
    /// [`ChessHistory::legal_moves`]: one number for each group of [`FEATURE_GROUPS`]. Their sum is
    /// the score, a logarithm of odds.
    #[must_use]
    pub fn contributions(&self, history: &ChessHistory, rating: f64) -> Vec<(Move, Vec<f64>)> {
        let scale = scaled(rating);
        let of = |features: Vec<u16>| {
            let mut groups = vec![0.0; FEATURE_GROUPS.len()];
            for feature in features {
                groups[group_of(usize::from(feature))] += self.weight(feature, scale);
            }
            groups
        };
        history.legal_moves().into_iter().zip(move_features(history).into_iter().map(of)).collect()
    }

    fn weight(&self, feature: u16, scale: f64) -> f64 {
        let [base, slope] = self.weights[usize::from(feature)];
        (f64::from(base) + f64::from(slope) * scale) / 1000.0
    }
}

/// The rating as the policy sees it: -1.4 for 800, 0 for 1500, 1.4 for 2200.
#[must_use]
pub fn scaled(rating: f64) -> f64 {
    let [least, greatest] = POLICY_RATINGS;
    (rating.clamp(least, greatest) - 1500.0) / 500.0
}

impl MovePredictor for Policy {
    fn predict_all(&self, histories: &[&ChessHistory], rating: f64) -> Vec<Vec<MoveProbability>> {
        let scale = scaled(rating);
        let score = |features: Vec<u16>| -> f64 {
            features.into_iter().map(|feature| self.weight(feature, scale)).sum()
        };
        histories
            .iter()
            .map(|history| {
                let scores: Vec<f64> = move_features(history).into_iter().map(score).collect();
                softmax(&history.legal_moves(), &scores)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::Board;
    use cozy_chess::util::parse_uci_move;

    use super::*;

    fn position(fen: &str, moves: &str) -> ChessHistory {
        let mut history = ChessHistory::new(fen.parse().unwrap());
        for word in moves.split_whitespace() {
            let played = parse_uci_move(history.board(), word).unwrap();
            history.play(played);
        }
        history
    }

    fn probability(history: &ChessHistory, text: &str, rating: f64) -> f64 {
        let played = parse_uci_move(history.board(), text).unwrap();
        let answer = Policy::shipped().predict(history, rating);
        answer.iter().find(|one| one.played == played).unwrap().probability
    }

    /// Habits of people that everybody knows.
    #[test]
    fn the_shipped_policy_plays_like_people() {
        let start = ChessHistory::default();
        let answer = Policy::shipped().predict(&start, 1500.0);
        assert_eq!(answer.len(), 20);
        let most = answer.iter().max_by(|a, b| a.probability.total_cmp(&b.probability)).unwrap();
        assert_eq!(most.played.to_string(), "e2e4");
        assert!(probability(&start, "e2e4", 1500.0) > 20.0 * probability(&start, "a2a3", 1500.0));
        // A recapture.
        let history =
            position("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "e4d5");
        assert!(probability(&history, "d8d5", 1500.0) > 0.4);
        // Mate in one.
        let history = position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "");
        assert!(probability(&history, "d1d8", 1500.0) > 0.5);
        // The better the player, the rarer is Scholar's attack.
        let history = position(&Board::default().to_string(), "e2e4 e7e5");
        assert!(probability(&history, "d1h5", 1000.0) > probability(&history, "d1h5", 2000.0));
    }

    #[test]
    fn contributions_add_up_to_the_scores() {
        let history = position(&Board::default().to_string(), "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4");
        for rating in [0.0, 1100.0, 1900.0, 4000.0] {
            let answer = Policy::shipped().predict(&history, rating);
            let contributions = Policy::shipped().contributions(&history, rating);
            let scores: Vec<f64> = contributions.iter().map(|(_, of)| of.iter().sum()).collect();
            for (n, one) in answer.iter().enumerate() {
                assert_eq!(one.played, contributions[n].0);
                let ratio = (one.probability / answer[0].probability).ln();
                assert!((ratio - (scores[n] - scores[0])).abs() < 1e-9);
            }
            let sum: f64 = answer.iter().map(|one| one.probability).sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }

    /// The colours are the same to the policy: a mirrored position has mirrored probabilities.
    #[test]
    fn both_colours_have_the_same_policy() {
        let white =
            position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1", "");
        let black =
            position("rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1", "");
        for (ours, theirs) in
            [("e1g1", "e8g8"), ("f3g5", "f6g4"), ("c4f7", "c5f2"), ("a2a4", "a7a5")]
        {
            let (a, b) = (probability(&white, ours, 1300.0), probability(&black, theirs, 1300.0));
            assert!((a - b).abs() < 1e-12, "{ours}: {a} and {b}");
        }
    }
}
