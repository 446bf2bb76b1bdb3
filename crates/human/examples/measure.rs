//! Measurements of predictors of people's moves.
//!
//! ```text
//! measure predict FILE < LINES          a line: FEN;moves in UCI. Prints moves with probabilities
//! measure speed FILE                    positions a second of processor time, alone and in batches
//! measure games WHO GAMES.csv PLY all|held-out
//!     agreement with the moves after ply PLY of people, by their ratings. WHO is the file of a
//!     network, `policy`, or a baseline: `uniform`, `captures` (the most valuable one first)
//! measure fill FILE PUZZLES.csv N       change of the probabilities by the fill of history
//! measure cut FILE GAMES.csv            agreement with people if only the last move is known
//! ```

mod common;

use std::io::{BufRead, stdin};
use std::time::Duration;

use common::{Game, Outcome, games, is_held_out};
use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{Board, Move};
use cpu_time::ThreadTime;
use treegauge_human::exchange::captured;
use treegauge_human::policy::Policy;
use treegauge_human::{ChessHistory, HistoryFill, MovePredictor, MoveProbability, Network};

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["predict", file] => predict(&network(file)?),
        ["speed", file] => speed(&network(file)?),
        ["games", who, file, ply, which] => {
            let games = games(file)?;
            let chosen: Vec<&Game> = games
                .iter()
                .enumerate()
                .filter(|(index, _)| which == "all" || is_held_out(*index))
                .map(|(_, game)| game)
                .collect();
            let predictor: Box<dyn MovePredictor> = match who {
                "policy" => Box::new(Policy::shipped().clone()),
                "uniform" => Box::new(Baseline(|_, _| 1.0)),
                "captures" => Box::new(Baseline(|board, played| {
                    1.0 + 4.0 * f64::from(captured(board, played))
                })),
                file => Box::new(network(file)?),
            };
            agreement(predictor.as_ref(), &chosen, ply.parse()?);
            Ok(())
        }
        ["fill", file, puzzles, count] => fill(network(file)?, puzzles, count.parse()?),
        ["cut", file, table] => {
            cut(network(file)?, &games(table)?);
            Ok(())
        }
        _ => Err("usage: measure predict|speed|games|fill|cut ...".into()),
    }
}

fn network(file: &str) -> Outcome<Network> {
    Ok(Network::read(&std::fs::read(file)?)?)
}

/// Predictor whose probabilities are in proportion to a weight of each move.
struct Baseline(fn(&Board, Move) -> f64);

impl MovePredictor for Baseline {
    fn predict_all(&self, histories: &[&ChessHistory], _: f64) -> Vec<Vec<MoveProbability>> {
        let one = |history: &&ChessHistory| {
            let moves = history.legal_moves();
            let weights = moves.iter().map(|played| (self.0)(history.board(), *played));
            let sum: f64 = weights.clone().sum();
            moves
                .iter()
                .zip(weights)
                .map(|(&played, weight)| MoveProbability { played, probability: weight / sum })
                .collect()
        };
        histories.iter().map(one).collect()
    }
}

/// History of a line `FEN;moves in UCI`.
fn history(line: &str) -> Outcome<ChessHistory> {
    let (fen, moves) = line.split_once(';').ok_or("a line is FEN;moves")?;
    let mut history = ChessHistory::new(fen.parse::<Board>().map_err(|_| "not a FEN")?);
    for word in moves.split_whitespace() {
        let played = parse_uci_move(history.board(), word).map_err(|_| "not a move")?;
        history.play(played);
    }
    Ok(history)
}

fn predict(network: &Network) -> Outcome<()> {
    for line in stdin().lock().lines() {
        let history = history(&line?)?;
        let words: Vec<String> = network
            .predict(&history, 1500.0)
            .into_iter()
            .map(|MoveProbability { played, probability }| {
                format!("{}={probability:e}", display_uci_move(history.board(), played))
            })
            .collect();
        println!("{}", words.join(" "));
    }
    Ok(())
}

fn speed(network: &Network) -> Outcome<()> {
    let history = history("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3;")?;
    for size in [1, 4, 64] {
        let batch = vec![&history; size];
        network.predict_all(&batch, 1500.0);
        let (start, mut count) = (ThreadTime::now(), 0);
        while start.elapsed() < Duration::from_secs(3) {
            network.predict_all(&batch, 1500.0);
            count += size;
        }
        let rate = count as f64 / start.elapsed().as_secs_f64();
        println!("{network:?}, {size} at once: {rate:.0} positions a second");
    }
    Ok(())
}

fn most_probable(answer: &[MoveProbability]) -> Option<&MoveProbability> {
    answer.iter().max_by(|a, b| a.probability.total_cmp(&b.probability))
}

/// Sums over moves.
#[derive(Clone, Copy, Default)]
struct Sums {
    moves: f64,
    top1: f64,
    top3: f64,
    logarithms: f64,
}

/// Prints the agreement by bands of ratings, with intervals over games.
fn agreement(predictor: &dyn MovePredictor, games: &[&Game], ply: usize) {
    const BANDS: [u32; 6] = [1200, 1400, 1600, 1800, 2000, u32::MAX];
    let mut by_game = vec![[Sums::default(); BANDS.len()]; games.len()];
    for (game, sums) in games.iter().zip(&mut by_game) {
        for (side, &rating) in game.ratings.iter().enumerate() {
            let band = BANDS.partition_point(|greatest| *greatest <= rating);
            let (mut asked, mut played) = (Vec::new(), Vec::new());
            let mut history = ChessHistory::default();
            for &next in &game.moves {
                if history.plies() >= ply && history.plies() % 2 == side {
                    asked.push(history.clone());
                    played.push(next);
                }
                history.play(next);
            }
            let batch: Vec<&ChessHistory> = asked.iter().collect();
            let answers = predictor.predict_all(&batch, f64::from(rating));
            for (answer, played) in answers.iter().zip(&played) {
                let of = answer.iter().find(|one| one.played == *played);
                let of = of.map_or(0.0, |one| one.probability);
                let better = answer.iter().filter(|one| one.probability > of).count() as f64;
                let equal = answer.iter().filter(|one| one.probability == of).count() as f64;
                let sums = &mut sums[band];
                sums.moves += 1.0;
                // Moves of one probability share their ranks.
                sums.top1 += ((1.0 - better) / equal).clamp(0.0, 1.0);
                sums.top3 += ((3.0 - better) / equal).clamp(0.0, 1.0);
                sums.logarithms += of.max(1e-300).ln();
            }
        }
    }
    println!("ratings    moves   top-1 (95 %)             top-3   mean log-probability");
    let line = |name: &str, by_game: Vec<Sums>| {
        let sum = |of: fn(&Sums) -> f64| by_game.iter().map(of).sum::<f64>();
        let moves = sum(|one| one.moves);
        let share = sum(|one| one.top1) / moves;
        // Variance of a ratio over clusters (Cochran 1977, section 6.3); the clusters are games.
        let squares: f64 = by_game.iter().map(|one| (one.top1 - share * one.moves).powi(2)).sum();
        let width = 1.96 * squares.sqrt() / moves;
        println!(
            "{name:<9} {moves:>6}   {share:.4} ({:.4} to {:.4})   {:.4}   {:.4}",
            share - width,
            share + width,
            sum(|one| one.top3) / moves,
            sum(|one| one.logarithms) / moves
        );
    };
    for (band, greatest) in BANDS.iter().enumerate() {
        let name = match (band, *greatest) {
            (_, u32::MAX) => "2000 on".to_owned(),
            (0, greatest) => format!("to {}", greatest - 1),
            (_, greatest) => format!("{}-{}", greatest - 200, greatest - 1),
        };
        line(&name, by_game.iter().map(|bands| bands[band]).collect());
    }
    let all = |bands: &[Sums; BANDS.len()]| {
        bands.iter().fold(Sums::default(), |sum, one| Sums {
            moves: sum.moves + one.moves,
            top1: sum.top1 + one.top1,
            top3: sum.top3 + one.top3,
            logarithms: sum.logarithms + one.logarithms,
        })
    };
    line("all", by_game.iter().map(all).collect());
}

fn fill(network: Network, file: &str, count: usize) -> Outcome<()> {
    let repeated = network.clone();
    let empty = network.with_fill(HistoryFill::Empty);
    let (mut puzzles, mut same, mut distance, mut far) = (0_u32, 0_u32, 0.0, 0_u32);
    let (mut of_repeated, mut of_empty, mut changed) = (0.0, 0.0, 0.0);
    for line in std::fs::read_to_string(file)?.lines().skip(1).take(count) {
        let fields: Vec<&str> = line.split(',').collect();
        let mut words = fields[2].split_whitespace();
        let history = history(&format!("{};{}", fields[1], words.next().ok_or("a move")?))?;
        let key = parse_uci_move(history.board(), words.next().ok_or("a solution")?)
            .map_err(|_| "not a move")?;
        let (a, b) = (repeated.predict(&history, 1500.0), empty.predict(&history, 1500.0));
        let total: f64 =
            a.iter().zip(&b).map(|(a, b)| (a.probability - b.probability).abs()).sum::<f64>() / 2.0;
        puzzles += 1;
        distance += total;
        far += u32::from(total > 0.1);
        same +=
            u32::from(most_probable(&a).map(|m| m.played) == most_probable(&b).map(|m| m.played));
        let of = |answer: &[MoveProbability]| {
            answer.iter().find(|one| one.played == key).map_or(0.0, |one| one.probability)
        };
        of_repeated += of(&a);
        of_empty += of(&b);
        changed += (of(&a) - of(&b)).abs();
    }
    let n = f64::from(puzzles);
    println!(
        "{puzzles} puzzles: total variation distance {:.4}, above 0.1 in {:.3}, same top move {:.4}; probability of the key move {:.4} repeated, {:.4} empty, mean change {:.4}",
        distance / n,
        f64::from(far) / n,
        f64::from(same) / n,
        of_repeated / n,
        of_empty / n,
        changed / n
    );
    Ok(())
}

/// One position of each game, with all of its history and with the last move only.
fn cut(network: Network, games: &[Game]) {
    let empty = network.clone().with_fill(HistoryFill::Empty);
    let (mut n, mut hits, mut logarithms) = (0.0, [0.0; 3], [0.0; 3]);
    for (index, game) in games.iter().enumerate() {
        // A ply from 10 to 59.
        let ply = 10 + index * 7 % 50;
        let Some(&played) = game.moves.get(ply) else { continue };
        let mut history = ChessHistory::default();
        game.moves[..ply].iter().for_each(|&next| history.play(next));
        let Some(before) = history.before(1) else { continue };
        let mut short = ChessHistory::new(before.clone());
        short.play(game.moves[ply - 1]);
        n += 1.0;
        let answers = [
            network.predict(&history, 1500.0),
            network.predict(&short, 1500.0),
            empty.predict(&short, 1500.0),
        ];
        for (kind, answer) in answers.iter().enumerate() {
            let is_hit = most_probable(answer).is_some_and(|most| most.played == played);
            hits[kind] += f64::from(u8::from(is_hit));
            let of = answer.iter().find(|one| one.played == played);
            logarithms[kind] += of.map_or(1e-300, |one| one.probability).max(1e-300).ln();
        }
    }
    let kinds = ["whole history", "last move, repeated", "last move, empty"];
    for (kind, name) in kinds.iter().enumerate() {
        println!(
            "{n} positions, {name}: top-1 {:.4}, mean log-probability {:.4}",
            hits[kind] / n,
            logarithms[kind] / n
        );
    }
}
