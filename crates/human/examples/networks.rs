//! Measurements of networks in the format of Lc0.
//!
//! ```text
//! networks predict NETWORK < LINES       a line: FEN;moves in UCI. Prints moves with probabilities
//! networks speed NETWORK                 positions a second of processor time, alone and in batches
//! networks games NETWORK GAMES.csv MIN MAX PLY
//!     share of the moves of players rated from MIN to MAX, after ply PLY, that are the network's
//!     most probable one; the file has the columns winner, white_rating, black_rating and moves (SAN)
//! networks fill NETWORK PUZZLES.csv N    change of the probabilities by the fill of history
//! ```

use std::error::Error;
use std::io::{BufRead, stdin};
use std::time::Duration;

use cozy_chess::Board;
use cozy_chess::util::{display_uci_move, parse_san_move, parse_uci_move};
use cpu_time::ThreadTime;
use treegauge_human::{ChessHistory, HistoryFill, MovePredictor, MoveProbability, Network};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [command, file, rest @ ..] = &words[..] else {
        return Err("usage: networks predict|speed|games|fill NETWORK ...".into());
    };
    let network = Network::read(&std::fs::read(file)?)?;
    match (*command, rest) {
        ("predict", []) => predict(&network),
        ("speed", []) => speed(&network),
        ("games", [games, min, max, ply]) => {
            games_agree(&network, games, min.parse()?, max.parse()?, ply.parse()?)
        }
        ("fill", [puzzles, count]) => fill(network, puzzles, count.parse()?),
        _ => Err("unknown command, or a wrong number of arguments".into()),
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

fn games_agree(network: &Network, file: &str, min: u32, max: u32, ply: usize) -> Outcome<()> {
    let text = std::fs::read_to_string(file)?;
    // Moves that agree, moves, and the sum of the logarithms of their probabilities, by game.
    let mut by_game: Vec<(f64, f64, f64)> = Vec::new();
    let mut top3 = 0.0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(4, ',').collect();
        let [_, white, black, moves] = fields[..] else { return Err("four columns".into()) };
        let ratings = [white.parse::<u32>()?, black.parse::<u32>()?];
        if !ratings.iter().any(|rating| (min..=max).contains(rating)) {
            continue;
        }
        let mut history = ChessHistory::new(Board::default());
        let (mut asked, mut played) = (Vec::new(), Vec::new());
        for word in moves.split_whitespace() {
            let Ok(next) = parse_san_move(history.board(), word) else { break };
            if history.plies() >= ply && (min..=max).contains(&ratings[history.plies() % 2]) {
                asked.push(history.clone());
                played.push(next);
            }
            history.play(next);
        }
        let batch: Vec<&ChessHistory> = asked.iter().collect();
        let (mut hits, mut logarithms) = (0.0, 0.0);
        for (answer, played) in network.predict_all(&batch, 1500.0).iter().zip(&played) {
            let of = answer.iter().find(|one| one.played == *played).ok_or("illegal")?.probability;
            hits += f64::from(u8::from(most_probable(answer).is_some_and(|m| m.played == *played)));
            let better = answer.iter().filter(|one| one.probability > of).count();
            top3 += f64::from(u8::from(better < 3));
            logarithms += of.max(1e-300).ln();
        }
        if !played.is_empty() {
            by_game.push((hits, played.len() as f64, logarithms));
        }
    }
    let sum = |of: fn(&(f64, f64, f64)) -> f64| by_game.iter().map(of).sum::<f64>();
    let (hits, moves, logarithms) = (sum(|g| g.0), sum(|g| g.1), sum(|g| g.2));
    let share = hits / moves;
    // Variance of a ratio over clusters, the games.
    let squares: f64 = by_game.iter().map(|g| (g.0 - share * g.1).powi(2)).sum();
    let error = squares.sqrt() / moves;
    println!(
        "{} games, {moves} moves: top-1 {share:.4} ({:.4} to {:.4}), top-3 {:.4}, mean log-probability {:.4}",
        by_game.len(),
        share - 1.96 * error,
        share + 1.96 * error,
        top3 / moves,
        logarithms / moves
    );
    Ok(())
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
