//! Won positions as puzzles: a solver's moves are judged, and the opponent defends as long as it
//! can.

use std::sync::Arc;

use treegauge_core::Player;
use treegauge_engine::{ExactMove, Line, SolvedGame};
use treegauge_report::{Judgement, defence_words, judged, refutation_words};
use treegauge_solve::Value;
use treegauge_solve::report::value_words;

use crate::{Error, ErrorKind};

/// The greatest number of plies that a solver plays, or that a solution shows.
const PLIES_MAX: usize = 1_000;

/// A position that the player to move is to win as quickly as possible.
///
/// The state after some moves is a function of these moves, so callers keep nothing.
///
/// ```
/// use treegauge::report::Judgement;
/// use treegauge::{Game, StartingPoint, WonPosition, solve};
///
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let solved = solve(&game, &game.start(), Default::default(), &()).unwrap().done().unwrap();
/// // The second player has answered a1 on an edge.
/// let moves = vec!["a1".to_owned(), "b1".to_owned()];
/// let start = game.begin(&StartingPoint { position: None, moves }).unwrap();
/// let puzzle = WonPosition::new(solved.as_solved_game(), start).unwrap();
/// let best = puzzle.best(&[]).unwrap().unwrap();
/// let state = puzzle.after(&[best]).unwrap();
/// assert_eq!(state.judgement, Some(Judgement::GoOn));
/// assert_eq!(state.moves.len(), 2, "the opponent has answered");
/// ```
pub struct WonPosition {
    solved: Arc<dyn SolvedGame>,
    start: Line,
    solver: Player,
}

impl std::fmt::Debug for WonPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("WonPosition").field(&self.start.position_text()).finish()
    }
}

/// State of a puzzle after some moves.
#[derive(Clone, Debug)]
pub struct WonState {
    /// Game as the board shows it: after the moves, or after the answer to a wrong move.
    pub shown: Line,
    /// Moves of both sides from the puzzle that lead to this state, with the defence of the
    /// opponent and without the answer to a wrong move.
    pub moves: Vec<String>,
    /// Judgement of the solver's last move; `None` before the first.
    pub judgement: Option<Judgement>,
    /// Sentences about the solver's last move and the answer to it; empty before the first.
    pub words: String,
    /// Moves that the opponent can defend with in place of its last move, the longest defence first.
    pub defences: Vec<Defence>,
    /// Number of moves before that choice.
    pub defended_after: usize,
}

/// A move of the opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defence {
    /// Move as text.
    pub text: String,
    /// Its value in words.
    pub words: String,
    /// Whether it was played.
    pub is_played: bool,
}

impl WonPosition {
    /// The puzzle of a position.
    ///
    /// # Errors
    ///
    /// If the player to move does not win there, or the position is not in the solution
    /// ([`ErrorKind::Data`]).
    pub fn new(solved: Arc<dyn SolvedGame>, start: Line) -> Result<WonPosition, Error> {
        let is_won = start.ended().is_none() && solved.value(&start)?.value == Value::Win;
        if !is_won {
            let message = "the player to move does not win there, so it is not a puzzle";
            return Err(Error::new(ErrorKind::Data, message));
        }
        Ok(WonPosition { solver: start.turn(), solved, start })
    }

    /// The position of the puzzle.
    #[must_use]
    pub fn start(&self) -> &Line {
        &self.start
    }

    /// The player who solves it.
    #[must_use]
    pub fn solver(&self) -> Player {
        self.solver
    }

    /// State after moves of both sides. If the opponent is to move at their end, it plays the
    /// longest defence.
    ///
    /// # Errors
    ///
    /// If a move is not legal or follows a move that is not right ([`ErrorKind::Data`]), or the
    /// solution cannot be read.
    pub fn after(&self, moves: &[String]) -> Result<WonState, Error> {
        let data = |message: String| Error::new(ErrorKind::Data, message);
        if moves.len() > PLIES_MAX {
            return Err(data(format!("a puzzle has up to {PLIES_MAX} moves")));
        }
        let mut state = WonState {
            shown: self.start.clone(),
            moves: Vec::new(),
            judgement: None,
            words: String::new(),
            defences: Vec::new(),
            defended_after: 0,
        };
        for text in moves {
            match state.judgement {
                None | Some(Judgement::GoOn) => {}
                _ => return Err(data(format!("`{text}` follows a move that ends the try"))),
            }
            let here = &mut state.shown;
            let number = here.move_number(text).map_err(|error| data(error.to_string()))?;
            let values = self.values(here)?;
            let (is_solvers, played) = (here.turn() == self.solver, here.move_text(number));
            here.play(number);
            state.moves.push(played.clone());
            if is_solvers {
                let is_over = here.ended().is_some();
                let judged = judged(&values, number, is_over);
                let lost = || data("the puzzle is not won any more".to_owned());
                let (judgement, words) = judged.ok_or_else(lost)?;
                state.judgement = Some(judgement);
                state.words = words;
                state.defences.clear();
            } else {
                state.defended(&values, number);
            }
        }
        if state.judgement == Some(Judgement::Wrong) {
            self.refute(&mut state)?;
        }
        while state.judgement == Some(Judgement::GoOn)
            && state.shown.ended().is_none()
            && state.shown.turn() != self.solver
        {
            let values = self.values(&state.shown)?;
            let Some(longest) = values.first() else { break };
            state.shown.play(longest.m);
            state.moves.push(longest.text.clone());
            state.defended(&values, longest.m);
        }
        // The last move of a game may be the opponent's, which has nothing else to play.
        if state.judgement == Some(Judgement::GoOn) && state.shown.ended().is_some() {
            state.judgement = Some(Judgement::Solved);
        }
        let answers: Vec<String> = state.answers().to_vec();
        if !answers.is_empty() && state.judgement != Some(Judgement::Wrong) {
            state.words = format!("{} {}", state.words, defence_words(&answers)).trim().to_owned();
            if state.judgement == Some(Judgement::Solved) {
                state.words.push_str(" The game is over, and the problem is solved.");
            }
        }
        Ok(state)
    }

    /// Plays the best answer to a wrong move.
    fn refute(&self, state: &mut WonState) -> Result<(), Error> {
        let here = &mut state.shown;
        if here.ended().is_some() || here.turn() == self.solver {
            return Ok(());
        }
        if let Some(best) = self.values(here)?.first() {
            here.play(best.m);
            state.words = format!("{} {}", state.words, refutation_words(&best.text));
        }
        Ok(())
    }

    /// The quickest winning move after some moves; `None` if the puzzle is over.
    ///
    /// # Errors
    ///
    /// As [`WonPosition::after`].
    pub fn best(&self, moves: &[String]) -> Result<Option<String>, Error> {
        Ok(self.solution(moves, 1)?.into_iter().next())
    }

    /// The rest of the main line after some moves: quickest wins against longest defences, up to
    /// `most` moves. Empty after a move that is not right.
    ///
    /// # Errors
    ///
    /// As [`WonPosition::after`].
    pub fn solution(&self, moves: &[String], most: usize) -> Result<Vec<String>, Error> {
        let state = self.after(moves)?;
        let mut line = Vec::new();
        if !matches!(state.judgement, None | Some(Judgement::GoOn)) {
            return Ok(line);
        }
        let mut here = state.shown;
        while line.len() < most.min(PLIES_MAX) && here.ended().is_none() {
            let Some(best) = self.values(&here)?.into_iter().next() else { break };
            here.play(best.m);
            line.push(best.text);
        }
        Ok(line)
    }

    /// Moves of a position with their values, best first.
    pub(crate) fn values(&self, at: &Line) -> Result<Vec<ExactMove>, Error> {
        let texts = at.moves();
        let rows = self.solved.moves(at)?;
        let exact = |row: treegauge_engine::MoveValue| ExactMove {
            m: row.m,
            text: texts[row.m as usize].clone(),
            value: row.valued.value,
            plies: row.valued.plies(),
        };
        Ok(rows.into_iter().map(exact).collect())
    }
}

impl WonState {
    /// Moves of the opponent since the solver's last move.
    fn answers(&self) -> &[String] {
        match self.defences.is_empty() {
            true => &[],
            false => &self.moves[self.defended_after..],
        }
    }

    /// Takes note of a move of the opponent, and of those that it could have played.
    fn defended(&mut self, values: &[ExactMove], played: u32) {
        let defence = |row: &ExactMove| Defence {
            text: row.text.clone(),
            words: value_words(row.value, row.plies),
            is_played: row.m == played,
        };
        self.defences = values.iter().map(defence).collect();
        self.defended_after = self.moves.len() - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, StartingPoint, solve};

    fn puzzle(game: &str, moves: &str) -> Result<WonPosition, Error> {
        let game = Game::parse(game).unwrap();
        let solved = solve(&game, &game.start(), Default::default(), &()).unwrap().done().unwrap();
        let moves = words(moves);
        let start = game.begin(&StartingPoint { position: None, moves }).unwrap();
        WonPosition::new(solved.as_solved_game(), start)
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_main_line_solves_a_puzzle() {
        let puzzle = puzzle("tic_tac_toe", "a1 b1").unwrap();
        let line = puzzle.solution(&[], 100).unwrap();
        assert_eq!(line.len(), 5, "{line:?}");
        for n in [1, 3, 5] {
            let state = puzzle.after(&line[..n]).unwrap();
            let is_end = n == 5;
            let judgement = if is_end { Judgement::Solved } else { Judgement::GoOn };
            assert_eq!(state.judgement, Some(judgement), "{n}: {}", state.words);
            assert_eq!(state.moves, line[..(n + 1).min(5)]);
            assert_eq!(state.shown.ended().is_some(), is_end, "{n}");
        }
        assert!(puzzle.best(&line).unwrap().is_none());
        assert!(puzzle.after(&words("b1")).is_err(), "b1 is taken");
    }

    #[test]
    fn another_defence_can_be_chosen() {
        let puzzle = puzzle("tic_tac_toe", "a1 b1").unwrap();
        let best = puzzle.best(&[]).unwrap().unwrap();
        let state = puzzle.after(std::slice::from_ref(&best)).unwrap();
        assert!(state.defences[0].is_played && state.defences.len() > 2);
        assert_eq!(state.defended_after, 1);
        let other = &state.defences[2].text;
        let chosen = puzzle.after(&[best, other.clone()]).unwrap();
        assert!(chosen.defences[2].is_played && !chosen.defences[0].is_played);
        assert!(chosen.words.ends_with(&format!("The opponent answers {other}.")));
    }

    #[test]
    fn a_wrong_move_is_answered_and_ends_the_try() {
        let puzzle = puzzle("tic_tac_toe", "a1 b1").unwrap();
        let wrong = puzzle.values(puzzle.start()).unwrap();
        let wrong = wrong.iter().find(|row| row.value != Value::Win).unwrap().text.clone();
        let state = puzzle.after(std::slice::from_ref(&wrong)).unwrap();
        assert_eq!(state.judgement, Some(Judgement::Wrong));
        assert_eq!(state.moves, std::slice::from_ref(&wrong));
        assert_eq!(state.shown.played().len(), 4, "the answer is on the board");
        assert!(state.words.contains("The answer to it is "), "{}", state.words);
        assert!(puzzle.after(&[wrong.clone(), "c3".to_owned()]).is_err());
        assert!(puzzle.solution(&[wrong], 9).unwrap().is_empty());
    }

    #[test]
    fn a_position_that_is_not_won_is_not_a_puzzle() {
        assert_eq!(puzzle("tic_tac_toe", "").unwrap_err().kind(), ErrorKind::Data);
        assert!(puzzle("tic_tac_toe", "a1 b1 a2 b2 a3").is_err(), "the game is over");
    }
}
