//! Training of the policy that the crate ships.
//!
//! ```text
//! train_policy GAMES.csv DATE policy.txt.gz
//! ```
//!
//! Learns from nine games of ten; the tenth is held out (`measure games policy ... held-out`). It
//! minimises the mean of minus the logarithm of the probability of the played move by stochastic
//! gradients with AdaGrad (Duchi, Hazan and Singer 2011), move by move in a random order that depends
//! on nothing but the number of positions.

mod common;

use common::{Outcome, games, is_held_out};
use treegauge_human::ChessHistory;
use treegauge_human::policy::{FEATURES, Policy, move_features, scaled};

const EPOCHS: u32 = 6;
const RATE: f32 = 0.08;
/// Weights of so few thousandths are left out of the file.
const LEAST: i32 = 10;

/// Positions with the features of their moves, in three flat lists.
#[derive(Default)]
struct Positions {
    features: Vec<u16>,
    /// End of each move in `features`.
    moves: Vec<u32>,
    positions: Vec<Position>,
}

struct Position {
    /// Moves of the position.
    first: u32,
    end: u32,
    /// Number of the played one in `moves`.
    played: u32,
    rating: f32,
}

impl Positions {
    fn add(&mut self, history: &ChessHistory, played: usize, rating: f64) {
        let first = self.moves.len() as u32;
        for features in move_features(history) {
            self.features.extend(features);
            self.moves.push(u32::try_from(self.features.len()).expect("fewer than 2^32 features"));
        }
        self.positions.push(Position {
            first,
            end: self.moves.len() as u32,
            played: first + played as u32,
            rating: scaled(rating) as f32,
        });
    }

    fn features(&self, played: u32) -> &[u16] {
        let played = played as usize;
        let begin = if played == 0 { 0 } else { self.moves[played - 1] };
        &self.features[begin as usize..self.moves[played] as usize]
    }

    /// Probabilities of the moves of a position.
    fn probabilities(&self, at: &Position, weights: &[[f32; 2]], into: &mut Vec<f32>) {
        let weight = |feature: &u16| {
            let [base, slope] = weights[usize::from(*feature)];
            base + slope * at.rating
        };
        into.clear();
        into.extend((at.first..at.end).map(|n| self.features(n).iter().map(weight).sum::<f32>()));
        let most = into.iter().copied().fold(f32::MIN, f32::max);
        into.iter_mut().for_each(|score| *score = (*score - most).exp());
        let sum: f32 = into.iter().sum();
        into.iter_mut().for_each(|score| *score /= sum);
    }
}

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [table, date, file] = &words[..] else {
        return Err("usage: train_policy GAMES.csv DATE policy.txt.gz".into());
    };
    let mut data = Positions::default();
    let mut count = 0;
    for (index, game) in games(table)?.iter().enumerate() {
        if is_held_out(index) {
            continue;
        }
        count += 1;
        let mut history = ChessHistory::default();
        for &next in &game.moves {
            let played = history.legal_moves().iter().position(|one| *one == next);
            let rating = f64::from(game.ratings[history.plies() % 2]);
            data.add(&history, played.ok_or("an illegal move")?, rating);
            history.play(next);
        }
    }
    let weights = trained(&data);
    let rounded = |weight: f32| {
        let thousandths = (weight * 1000.0).round() as i32;
        if thousandths.abs() < LEAST { 0 } else { thousandths }
    };
    let weights = weights.into_iter().map(|both| both.map(rounded)).collect();
    let notes = vec![
        format!("learned on {date} from {} moves of {count} rated games", data.positions.len()),
        "the games are of the Lichess database, in the public domain (CC0)".to_owned(),
    ];
    let policy = Policy::new(weights, notes).ok_or("a wrong number of weights")?;
    let bytes = policy.write();
    println!("{} moves of {count} games, {} bytes", data.positions.len(), bytes.len());
    std::fs::write(file, bytes)?;
    Ok(())
}

fn trained(data: &Positions) -> Vec<[f32; 2]> {
    let mut weights = vec![[0.0; 2]; FEATURES];
    let mut squares = vec![[1e-3_f32; 2]; FEATURES];
    let mut order: Vec<usize> = (0..data.positions.len()).collect();
    let mut random = 1_u64;
    let mut probabilities = Vec::new();
    for epoch in 0..EPOCHS {
        for last in (1..order.len()).rev() {
            // The generator of Knuth's MMIX.
            random = random.wrapping_mul(6_364_136_223_846_793_005);
            random = random.wrapping_add(1_442_695_040_888_963_407);
            order.swap(last, (random >> 33) as usize % (last + 1));
        }
        let rate = RATE / (1.0 + 0.5 * epoch as f32);
        let mut sum = 0.0;
        for &index in &order {
            let at = &data.positions[index];
            data.probabilities(at, &weights, &mut probabilities);
            sum += f64::from(probabilities[(at.played - at.first) as usize].max(1e-30)).ln();
            for (n, probability) in (at.first..at.end).zip(&probabilities) {
                let error = probability - if n == at.played { 1.0 } else { 0.0 };
                for feature in data.features(n) {
                    let feature = usize::from(*feature);
                    for (k, input) in [1.0, at.rating].into_iter().enumerate() {
                        let gradient = error * input;
                        squares[feature][k] += gradient * gradient;
                        weights[feature][k] -= rate * gradient / squares[feature][k].sqrt();
                    }
                }
            }
        }
        println!("pass {}: mean log-probability {:.4}", epoch + 1, sum / order.len() as f64);
    }
    weights
}
