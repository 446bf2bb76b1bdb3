//! Coverage and width of the intervals of statistics, beside those of simpler ones.
//!
//! `cargo run --release --package treegauge-stats --example coverage` prints the tables.

use treegauge_core::{Outcome, uniform_below};
use treegauge_search::{Generator, Seed};
use treegauge_stats::{Estimate, Pairs, ratio_interval, share_of_points, wilson};

const RUNS: u64 = 20_000;
const Z: f64 = 1.959_963_984_540_054;

/// Coverage of an interval, 0 to 1, and its mean width.
#[derive(Default)]
struct Coverage {
    held: u64,
    width: f64,
    bounded: u64,
}

impl Coverage {
    fn add(&mut self, low: Option<f64>, high: Option<f64>, truth: f64) {
        let holds = low.is_none_or(|low| low <= truth) && high.is_none_or(|high| truth <= high);
        self.held += u64::from(holds);
        if let (Some(low), Some(high)) = (low, high) {
            self.width += high - low;
            self.bounded += 1;
        }
    }

    fn words(&self) -> String {
        let width = self.width / self.bounded as f64;
        format!("{:.3} | {width:.3}", self.held as f64 / RUNS as f64)
    }
}

fn unit(rng: &mut Generator) -> f64 {
    (f64::from(uniform_below(rng, 1 << 24)) + 0.5) / f64::from(1 << 24)
}

/// A number by its odds.
fn drawn(odds: &[f64], rng: &mut Generator) -> usize {
    let mut left = unit(rng);
    let at = odds.iter().position(|share| {
        left -= share;
        left < 0.0
    });
    at.unwrap_or(odds.len() - 1)
}

fn normalised_elo() {
    println!(
        "| score | pairs | covers, deviation estimated | width | covers, deviation taken for known | width |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    let to_elo = 2f64.sqrt() * 400.0 / 10f64.ln();
    // Pairs of independent games that a wins with this probability.
    for (won, pairs) in [(0.5, 100), (0.69, 100), (0.8, 100), (0.9, 100), (0.9, 400)] {
        let truth = to_elo * (won - 0.5) / (won * (1.0 - won) / 2.0f64).sqrt();
        let (mut ours, mut known) = (Coverage::default(), Coverage::default());
        for run in 0..RUNS {
            let mut rng = Seed(1).child(run).generator();
            let mut results = Pairs::default();
            for _ in 0..pairs {
                let mut wins = || unit(&mut rng) < won;
                let first = if wins() { Outcome::FirstWins } else { Outcome::SecondWins };
                let second = if wins() { Outcome::SecondWins } else { Outcome::FirstWins };
                results.add(first, second);
            }
            let estimate = results.comparison().normalised_elo;
            ours.add(estimate.low, estimate.high, truth);
            let reach = to_elo * Z / f64::from(pairs).sqrt();
            let mean = estimate.mean;
            known.add(mean.map(|mean| mean - reach), mean.map(|mean| mean + reach), truth);
        }
        println!("| {won} | {pairs} | {} | {} |", ours.words(), known.words());
    }
}

fn share_of_first_player() {
    println!(
        "| lost, drawn, won | games | covers, three results | width | covers, Wilson's | width |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for (odds, games) in [
        ([0.45, 0.1, 0.45], 40),
        ([0.2, 0.6, 0.2], 40),
        ([0.05, 0.9, 0.05], 40),
        ([0.1, 0.4, 0.5], 40),
        ([0.05, 0.1, 0.85], 40),
        ([0.2, 0.6, 0.2], 200),
    ] {
        let truth = odds[2] + odds[1] / 2.0;
        let (mut ours, mut plain) = (Coverage::default(), Coverage::default());
        for run in 0..RUNS {
            let mut rng = Seed(2).child(run).generator();
            let mut results = [0; 3];
            (0..games).for_each(|_| results[drawn(&odds, &mut rng)] += 1);
            let estimate = share_of_points(results);
            ours.add(estimate.low, estimate.high, truth);
            let estimate = wilson(results[2] as f64 + results[1] as f64 / 2.0, games);
            plain.add(estimate.low, estimate.high, truth);
        }
        println!("| {odds:?} | {games} | {} | {} |", ours.words(), plain.words());
    }
}

fn depth_of_skill() {
    println!("| first player wins | games | covers, by pairs | width | covers, by games | width |");
    println!("|---|---:|---:|---:|---:|---:|");
    // Equal players: the first player of each game wins with this probability, so that pairs are near
    // 1 point of 2.
    for (first, games) in [(0.5, 40), (0.7, 40), (0.9, 40), (0.9, 200)] {
        let (mut ours, mut plain) = (Coverage::default(), Coverage::default());
        for run in 0..RUNS {
            let mut rng = Seed(3).child(run).generator();
            let mut results = Pairs::default();
            for _ in 0..games / 2 {
                let mut game = || {
                    if unit(&mut rng) < first { Outcome::FirstWins } else { Outcome::SecondWins }
                };
                results.add(game(), game());
            }
            let estimate = results.score();
            ours.add(estimate.low, estimate.high, 0.5);
            let estimate = wilson(results.points(), games);
            plain.add(estimate.low, estimate.high, 0.5);
        }
        println!("| {first} | {games} | {} | {} |", ours.words(), plain.words());
    }
}

fn means_over_plies() {
    println!(
        "| games | their means | covers, corrected for skewness | width | covers, Student's t | width |"
    );
    println!("|---:|---|---:|---:|---:|---:|");
    type OfGame = fn(f64) -> f64;
    let shapes: [(&str, OfGame, f64); 3] = [
        ("uniform", |u| u, 0.5),
        ("exponential", |u| -u.ln(), 1.0),
        ("ten to the power of a uniform number", |u| 10f64.powf(u), 9.0 / std::f64::consts::LN_10),
    ];
    for games in [20, 40] {
        for (name, of_game, truth) in shapes {
            let (mut ours, mut plain) = (Coverage::default(), Coverage::default());
            for run in 0..RUNS {
                let mut rng = Seed(4).child(run).generator();
                let clusters: Vec<(f64, f64)> = (0..games)
                    .map(|_| {
                        let plies = f64::from(5 + uniform_below(&mut rng, 20));
                        (plies, plies * of_game(unit(&mut rng)))
                    })
                    .collect();
                let Estimate { mean, low, high, .. } =
                    ratio_interval(&clusters, 0.0, (f64::NEG_INFINITY, f64::INFINITY));
                ours.add(low, high, truth);
                // The residuals of Cochran's ratio estimator, without the correction.
                let (all, mean) = (clusters.iter().map(|c| c.0).sum::<f64>(), mean.unwrap_or(0.0));
                let squares: f64 = clusters.iter().map(|c| (c.1 - mean * c.0).powi(2)).sum();
                let n = f64::from(games);
                let t = if games == 20 { 2.093 } else { 2.023 };
                let reach = t * (squares * n / (n - 1.0)).sqrt() / all;
                plain.add(Some(mean - reach), Some(mean + reach), truth);
            }
            println!("| {games} | {name} | {} | {} |", ours.words(), plain.words());
        }
    }
}

fn main() {
    println!("Normalised Elo\n");
    normalised_elo();
    println!("\nThe first player's share of the points\n");
    share_of_first_player();
    println!("\nDepth of skill\n");
    depth_of_skill();
    println!("\nMeans over plies of games\n");
    means_over_plies();
}
