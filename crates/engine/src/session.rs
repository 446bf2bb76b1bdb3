//! A game between people and agents, without a terminal.

use std::sync::Arc;

use thiserror::Error;
use treegauge_core::{Player as PlayerToMove, Watch};
use treegauge_search::picture::Outline;
use treegauge_search::{Budget, DEFAULT_CP, Generator, Seed, UctOptions, UctVariant};

use crate::agent::{Agent, AgentError, Choice};
use crate::engine::Engine;
use crate::line::{Line, MoveNumber, PlayError};
use crate::players::PerfectAgent;
use crate::solved::{MoveValue, ProbeError, SolvedGame};

/// Iterations behind a hint in a game that is not solved.
const HINT_ITERATIONS: u32 = 10_000;

/// Moves that such a hint names.
const HINT_MOVES: usize = 3;

/// What chooses the moves of a player.
pub enum Seat {
    /// A person.
    Person,
    /// An agent.
    Agent(Box<dyn Agent>),
}

impl Seat {
    /// An agent that plays by a solved game.
    #[must_use]
    pub fn perfect(solved: Arc<dyn SolvedGame>) -> Seat {
        Seat::Agent(Box::new(PerfectAgent(solved)))
    }
}

/// A game in progress between people and agents.
pub struct Session {
    engine: Arc<dyn Engine>,
    seats: [Seat; 2],
    hints: Option<Arc<dyn SolvedGame>>,
    start: Line,
    line: Line,
    moves: Vec<MoveNumber>,
    seed: u64,
    rng: Generator,
}

/// Why a session cannot continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// An agent cannot choose a move.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The file of the solved game, which gives the hints, cannot answer.
    #[error(transparent)]
    SolvedFile(#[from] ProbeError),
}

/// A move that an agent made.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The player that moved.
    pub player: PlayerToMove,
    /// The move as text.
    pub text: String,
    /// What the agent knows about it.
    pub choice: Choice,
    /// The UCT tree behind it, if there is one and it was asked for.
    pub outline: Option<Outline>,
    /// The line that a search proved, the move first; empty where nothing is proved.
    pub proved_line: Vec<String>,
}

/// Help for the player to move.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Hint {
    /// Every move with its exact value for the player that makes it, best first.
    Exact(Vec<MoveValue<String>>),
    /// The best moves of a short search, best first: the text, the average result for the player to
    /// move, -1 to 1, and the iterations behind it.
    Searched(Vec<(String, f64, u32)>),
    /// The short search proved the result of perfect play.
    Proved {
        /// For the player to move: 1 a win, 0 a draw, -1 a loss.
        result: i32,
        /// A line that keeps it to the end of the game.
        line: Vec<String>,
    },
}

impl Session {
    /// A game from `start`, a line of the engine. With `hints` the exact values give the hints.
    #[must_use]
    pub fn new(
        engine: Arc<dyn Engine>,
        start: Line,
        seats: [Seat; 2],
        hints: Option<Arc<dyn SolvedGame>>,
        seed: u64,
    ) -> Session {
        let (line, rng) = (start.clone(), Seed(seed).generator());
        Session { engine, seats, hints, start, line, moves: Vec::new(), seed, rng }
    }

    /// The game as it stands.
    #[must_use]
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The moves played since the start.
    #[must_use]
    pub fn moves(&self) -> &[MoveNumber] {
        &self.moves
    }

    /// The same as text.
    #[must_use]
    pub fn move_texts(&self) -> Vec<String> {
        self.start.line_texts(&self.moves)
    }

    /// The seed of all randomness.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether a person chooses the moves of a player.
    #[must_use]
    pub fn is_person(&self, player: PlayerToMove) -> bool {
        matches!(self.seats[player.index()], Seat::Person)
    }

    /// Has the agent whose turn it is move; `None` where it is a person's turn or the game has
    /// ended. With `wants_tree` the tree behind the move comes with it.
    ///
    /// # Errors
    ///
    /// When the agent cannot choose; nothing changes then.
    pub fn agent_moves(
        &mut self,
        wants_tree: bool,
        watch: &dyn Watch,
    ) -> Result<Option<Turn>, SessionError> {
        let player = self.line.turn();
        let Seat::Agent(agent) = &mut self.seats[player.index()] else { return Ok(None) };
        if self.line.ended().is_some() {
            return Ok(None);
        }
        let choice = agent.choose(&self.line, &mut self.rng, watch)?;
        let game = self.engine.info().spec.to_string();
        let proved_line = agent.proved_line(&self.line);
        let outline = if wants_tree { agent.outline(&self.line, &game, self.seed) } else { None };
        let text = self.line.move_text(choice.m);
        self.play(choice.m);
        Ok(Some(Turn { player, text, choice, outline, proved_line }))
    }

    /// Plays the move that a person typed.
    ///
    /// # Errors
    ///
    /// When the game has ended or the text is no legal move; nothing changes then.
    pub fn person_moves(&mut self, text: &str) -> Result<(), PlayError> {
        let number = self.line.move_number(text)?;
        self.play(number);
        Ok(())
    }

    fn play(&mut self, number: MoveNumber) {
        self.line.play(number);
        self.moves.push(number);
    }

    /// Takes back moves until it is a person's turn again, at least one; `false` where there is
    /// nothing to take back.
    pub fn undo(&mut self) -> bool {
        for kept in (0..self.moves.len()).rev() {
            let mut line = self.start.clone();
            self.moves[..kept].iter().for_each(|&number| line.play(number));
            if self.is_person(line.turn()) {
                self.moves.truncate(kept);
                self.line = line;
                return true;
            }
        }
        false
    }

    /// Help for the player to move in a game that has not ended. It changes nothing in the game: it
    /// has a random generator of its own.
    ///
    /// # Errors
    ///
    /// When the game is solved and its file cannot answer.
    pub fn hint(&self) -> Result<Hint, SessionError> {
        if let Some(solved) = &self.hints {
            let rows = solved.moves(&self.line)?.into_iter();
            let in_words =
                |row: MoveValue<_>| MoveValue { m: self.line.move_text(row.m), valued: row.valued };
            return Ok(Hint::Exact(rows.map(in_words).collect()));
        }
        let options = UctOptions::new(Budget::iterations(HINT_ITERATIONS), DEFAULT_CP);
        let variant = UctVariant { solver: true, ..options.variant };
        let mut uct = self.engine.uct_with(UctOptions { variant, ..options });
        let mut rng = Seed(self.seed).child(u64::from(self.line.ply().0)).generator();
        let found = uct.search(&self.line, &mut rng, &mut || false);
        if let Some(outcome) = found.proved {
            let (result, line) = (outcome.value_for(found.turn), uct.proved_line(&self.line));
            return Ok(Hint::Proved { result, line });
        }
        let mut tried: Vec<(u32, f64, u32)> = (0..)
            .zip(uct.moves())
            .map(|(number, tried)| (number, tried.mean_for(found.turn), tried.visits))
            .collect();
        tried.sort_by(|a, b| b.1.total_cmp(&a.1));
        tried.truncate(HINT_MOVES);
        let in_words = |(number, mean, visits)| (self.line.move_text(number), mean, visits);
        Ok(Hint::Searched(tried.into_iter().map(in_words).collect()))
    }
}
