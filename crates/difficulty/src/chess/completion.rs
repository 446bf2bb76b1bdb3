//! Solutions that an engine completes.

use crate::chess::position::{ChessMove, Position};
use crate::{MoveSource, Value};

/// Most moves of the solver in a completed solution.
const MOVES_MAX: usize = 12;

/// Least difference between the expected results of the best move and the next one, from -1 to 1, at
/// which the best one is the only move. Of 1,131 places in 500 solutions of the Lichess database, it
/// tells at 95% whether the solution goes on.
const ONLY_BY: f64 = 0.25;

/// Completes a solution that begins with `first`: the opponent's best answers, and the solver's moves
/// as long as there is only one that keeps the result, as in the puzzles of the Lichess database. A
/// last move without an alternative is left out.
///
/// # Errors
///
/// When the source fails.
pub(crate) fn completed<S: MoveSource<Position = Position, Move = ChessMove>>(
    source: &mut S,
    problem: &Position,
    first: ChessMove,
) -> Result<Vec<ChessMove>, S::Error> {
    let mut line = vec![first];
    // Length of the line up to the last move that has an alternative.
    let mut chosen = 1;
    let mut at = problem.after(first);
    for _ in 1..MOVES_MAX {
        let answers = source.list(&at, 1, &|_| true)?;
        let Some(&(answer, _)) = answers.moves.first() else { break };
        at = at.after(answer);
        let listed = source.list(&at, 1, &|_| true)?;
        let values: Vec<Value> = listed.moves.iter().map(|(_, value)| *value).collect();
        let Some(&(own, _)) = listed.moves.first().filter(|_| is_only_move(&values)) else { break };
        line.extend([answer, own]);
        at = at.after(own);
        if listed.legal > 1 {
            chosen = line.len();
        }
    }
    line.truncate(chosen);
    Ok(line)
}

/// Tests whether the best of the values belongs to the only move that keeps the result, or mates at
/// once.
pub(crate) fn is_only_move(values: &[Value]) -> bool {
    match values {
        [] => false,
        [_] | [Value::Wins(1), ..] => true,
        [best, second, ..] => expected(*best) - expected(*second) >= ONLY_BY,
    }
}

/// Expected result of a value, from -1 to 1, as Lichess computes it from centipawns, with the scale of
/// Stockfish 15.1.
fn expected(value: Value) -> f64 {
    match value {
        Value::Wins(_) => 1.0,
        Value::Loses(_) => -1.0,
        Value::Score(score) => 2.0 / (1.0 + libm::exp(-0.005_1 * score)) - 1.0,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::convert::Infallible;

    use super::*;
    use crate::ListedMoves;

    /// Source that knows values in some positions. In the others all moves are worth nothing.
    struct Scripted(HashMap<String, Vec<(&'static str, Value)>>);

    impl MoveSource for Scripted {
        type Position = Position;
        type Move = ChessMove;
        type Error = Infallible;

        fn list(
            &mut self,
            position: &Position,
            _least: u32,
            _enough: &dyn Fn(&[Value]) -> bool,
        ) -> Result<ListedMoves<ChessMove>, Infallible> {
            let legal = position.moves();
            let mut moves: Vec<(ChessMove, Value)> = Vec::new();
            for (text, value) in self.0.get(&position.fen()).into_iter().flatten() {
                moves.push((position.parse_move(text).unwrap(), *value));
            }
            for &played in &legal {
                if moves.iter().all(|(one, _)| *one != played) {
                    moves.push((played, Value::Score(0.0)));
                }
            }
            Ok(ListedMoves { legal: legal.len() as u32, moves })
        }

        fn after(&self, position: &Position, played: ChessMove) -> Position {
            position.after(played)
        }

        fn side(&self, position: &Position) -> u8 {
            u8::from(!position.white_to_move())
        }

        fn text(&self, position: &Position, played: ChessMove) -> String {
            position.san(played)
        }
    }

    /// Solution completed from the first move of a line, in which the best moves have these values.
    fn complete(fen: &str, line: &[(&'static str, Value)]) -> String {
        let problem = Position::parse(fen).unwrap();
        let mut known = HashMap::new();
        let mut at = problem.clone();
        for &(text, value) in line {
            known.insert(at.fen(), vec![(text, value)]);
            at = at.after(at.parse_move(text).unwrap());
        }
        let first = problem.parse_move(line[0].0).unwrap();
        let found = completed(&mut Scripted(known), &problem, first).unwrap();
        let mut at = problem;
        let mut texts = Vec::new();
        for played in found {
            texts.push(at.san(played));
            at = at.after(played);
        }
        texts.join(" ")
    }

    #[test]
    fn a_solution_goes_on_while_the_solver_has_one_move() {
        use Value::{Score, Wins};
        let smothered = "5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1";
        let line = [("Qg8+", Wins(3)), ("Rxg8", Score(0.0)), ("Nf7#", Wins(1))];
        assert_eq!(complete(smothered, &line), "Qg8+ Rxg8 Nf7#");
        let rook = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        let line = |value| [("Rd7", Score(700.0)), ("h6", Score(0.0)), ("Rd8+", Score(value))];
        assert_eq!(complete(rook, &line(500.0)), "Rd7 h6 Rd8+");
        assert_eq!(complete(rook, &line(90.0)), "Rd7", "other moves are about as good");
        // Nothing follows a mate.
        assert_eq!(complete(rook, &[("Rd8#", Wins(1))]), "Rd8#");
    }

    #[test]
    fn a_last_move_without_an_alternative_is_left_out() {
        use Value::Score;
        // The king in the corner has one square after each check.
        let fen = "k7/8/8/8/8/8/1r4PP/7K w - - 0 1";
        let line = [("h3", Score(900.0)), ("Rb1+", Score(0.0)), ("Kh2", Score(900.0))];
        assert_eq!(complete(fen, &line), "h3");
        let fen = "k7/8/8/8/8/8/1r4P1/7K w - - 0 1";
        let line = [("g3", Score(900.0)), ("Rb1+", Score(0.0)), ("Kg2", Score(900.0))];
        assert_eq!(complete(fen, &line), "g3 Rb1+ Kg2", "it may go to h2 as well");
    }

    #[test]
    fn the_only_move_is_far_better_than_the_next() {
        use Value::{Loses, Score, Wins};
        for (values, is_only) in [
            (&[][..], false),
            (&[Score(0.0)], true),
            (&[Score(600.0), Score(0.0)], true),
            (&[Score(600.0), Score(400.0)], false),
            (&[Score(0.0), Loses(4)], true),
            (&[Wins(3), Score(500.0)], false),
            (&[Wins(3), Score(100.0)], true),
            (&[Wins(1), Wins(1)], true),
            (&[Wins(3), Wins(5)], false),
        ] {
            assert_eq!(is_only_move(values), is_only, "{values:?}");
        }
    }
}
