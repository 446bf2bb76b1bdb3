//! Parser of the lines that an engine writes.
//!
//! A line is read word by word, and unknown words are skipped. A library of the protocol that was
//! tried reads "mate 300" as a mate in 44, and a score with too many digits as another score.

use crate::Value;

use super::option::Declared;

/// Meaning of one line of an engine's output.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Output {
    /// `id name ...`
    Name(String),
    /// `option name ...`
    Option(Declared),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info ...` with the depth, the score and the first move of a variation.
    Info(Info),
    /// `bestmove ...`
    BestMove(String),
    /// Anything else.
    Other,
}

/// Value of one variation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Info {
    pub(super) depth: u32,
    /// Rank among the best variations, from 1.
    pub(super) rank: u32,
    /// Value for the side to move.
    pub(super) value: Value,
    pub(super) played: String,
}

impl Output {
    pub(super) fn read(line: &str) -> Output {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uciok") => Output::UciOk,
            Some("readyok") => Output::ReadyOk,
            Some("bestmove") => Output::BestMove(words.next().unwrap_or_default().to_owned()),
            Some("id") if words.next() == Some("name") => {
                Output::Name(words.collect::<Vec<_>>().join(" "))
            }
            Some("option") if words.next() == Some("name") => Output::Option(Declared::read(words)),
            Some("info") => Info::read(words).map_or(Output::Other, Output::Info),
            _ => Output::Other,
        }
    }
}

impl Info {
    /// Reads the value of a variation; `None` if the line has no depth, score or move. A bound
    /// counts as a value. An engine that ends a depth with a bound, as Stockfish sometimes does for
    /// the last of several lines, writes no better value afterwards; otherwise a later line
    /// replaces the bound.
    fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Info> {
        let (mut depth, mut rank, mut value) = (None, 1, None);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = Some(words.next()?.parse().ok()?),
                "multipv" => rank = words.next()?.parse().ok()?,
                "score" => {
                    let unit = words.next()?;
                    value = Some(read_value(unit, words.next()?.parse().ok()?)?);
                }
                "string" => return None,
                "pv" => {
                    let played = words.next()?.to_owned();
                    return Some(Info { depth: depth?, rank, value: value?, played });
                }
                _ => {}
            }
        }
        None
    }
}

/// Score for the side to move: `cp` in centipawns, `mate` in moves, negative if the side to move is
/// mated. Moves until mate become plies.
fn read_value(unit: &str, number: i32) -> Option<Value> {
    let moves = number.unsigned_abs();
    match unit {
        "cp" => Some(Value::Score(f64::from(number))),
        "mate" if number > 0 => Some(Value::Wins(moves.checked_mul(2)? - 1)),
        "mate" => Some(Value::Loses(moves.checked_mul(2)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Option<(u32, u32, Value, String)> {
        match Output::read(line) {
            Output::Info(info) => Some((info.depth, info.rank, info.value, info.played)),
            _ => None,
        }
    }

    #[test]
    fn scores_are_for_the_side_to_move() {
        let line = "info depth 10 seldepth 14 multipv 2 score cp -34 nodes 99 nps 9 pv e7e5 g1f3";
        assert_eq!(info(line), Some((10, 2, Value::Score(-34.0), "e7e5".to_owned())));
        let bound = info("info depth 10 multipv 4 score cp -390 upperbound nodes 9 pv b7b8r");
        assert_eq!(bound, Some((10, 4, Value::Score(-390.0), "b7b8r".to_owned())));
        let mate = |n: i32| info(&format!("info depth 3 score mate {n} pv a1a8")).unwrap().2;
        assert_eq!([mate(1), mate(300)], [Value::Wins(1), Value::Wins(599)]);
        assert_eq!([mate(-1), mate(0)], [Value::Loses(2), Value::Loses(0)]);
    }

    #[test]
    fn lines_without_a_value_are_left_out() {
        for line in [
            "info depth 10 score cp 99999999999999999999 pv e2e4",
            "info depth 10 score mate -2147483648 pv e2e4",
            "info depth 10 score cp 20",
            "info depth 10 currmove e2e4 currmovenumber 1",
            "info string depth 10 score cp 20 pv e2e4",
            "info depth x score cp 20 pv e2e4",
            "info depth 10 score wdl 20 pv e2e4",
            "info",
        ] {
            assert_eq!(Output::read(line), Output::Other, "{line}");
        }
    }

    #[test]
    fn names_may_have_spaces() {
        assert_eq!(
            Output::read("id name Stockfish 15.1"),
            Output::Name("Stockfish 15.1".to_owned())
        );
        let option = Output::read("option name Clear Hash type button");
        assert!(matches!(option, Output::Option(button) if button.name == "Clear Hash"));
        assert_eq!(Output::read("bestmove"), Output::BestMove(String::new()));
        assert_eq!(Output::read(""), Output::Other);
    }
}
