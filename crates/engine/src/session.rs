//! Game between people and agents, without a terminal.

use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;
use treegauge_core::{Player as PlayerToMove, Watch};
use treegauge_search::picture::Outline;
use treegauge_search::{Budget, DEFAULT_CP, Generator, Seed, Stopped, UctOptions, UctVariant};

use crate::agent::{Agent, AgentError, Choice};
use crate::engine::Engine;
use crate::growing::GrowingSearch;
use crate::line::{Line, MoveNumber, PlayError};
use crate::players::PerfectAgent;
use crate::solved::SolvedGame;
use crate::values::PositionValues;
use treegauge_solve::ProbeError;

/// Iterations before the first hint of a search; the number doubles for each further hint.
const FIRST_HINT: u32 = 256;

/// Controller of a player's moves.
pub enum Seat {
    /// A person.
    Person,
    /// An agent.
    Agent(Box<dyn Agent>),
}

impl Seat {
    /// Agent that follows a solved game.
    #[must_use]
    pub fn perfect(solved: Arc<dyn SolvedGame>) -> Seat {
        Seat::Agent(Box::new(PerfectAgent(solved)))
    }
}

/// Game in progress between people and agents.
pub struct Session {
    engine: Arc<dyn Engine>,
    seats: [Seat; 2],
    hints: Option<Arc<dyn SolvedGame>>,
    start: Line,
    line: Line,
    moves: Vec<MoveNumber>,
    /// Moves after the current position that were played before going back.
    later: Vec<MoveNumber>,
    seed: u64,
    rng: Generator,
}

/// Reason that a session cannot continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// An agent cannot choose a move.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The file of the solved game, which the hints come from, cannot answer.
    #[error(transparent)]
    SolvedFile(#[from] ProbeError),
}

/// Move that an agent made.
#[derive(Clone, Debug, Serialize)]
pub struct AgentMove {
    /// Player that moved.
    pub player: PlayerToMove,
    /// Move as text.
    pub text: String,
    /// The agent's knowledge about the move.
    pub choice: Choice,
    /// UCT tree of the choice; `None` if there is none or it was not requested. It is not
    /// serialised: [`Outline`] has writers.
    #[serde(skip)]
    pub outline: Option<Outline>,
    /// Line that a search proved, beginning with the move; empty if nothing is proved.
    pub proved_line: Vec<String>,
}

impl Session {
    /// Creates a session from `start`, a line of the engine. With `hints`, hints are the exact
    /// values of that solved game.
    #[must_use]
    pub fn new(
        engine: Arc<dyn Engine>,
        start: Line,
        seats: [Seat; 2],
        hints: Option<Arc<dyn SolvedGame>>,
        seed: u64,
    ) -> Session {
        let (line, rng) = (start.clone(), Seed(seed).generator());
        let (moves, later) = (Vec::new(), Vec::new());
        Session { engine, seats, hints, start, line, moves, later, seed, rng }
    }

    /// Current state of the game.
    #[must_use]
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Moves from the start to the current position.
    #[must_use]
    pub fn moves(&self) -> &[MoveNumber] {
        &self.moves
    }

    /// Moves from the start to the current position, as text.
    #[must_use]
    pub fn move_texts(&self) -> Vec<String> {
        self.start.line_texts(&self.moves)
    }

    /// Seed of all randomness.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns whether a person chooses the moves of a player.
    #[must_use]
    pub fn is_person(&self, player: PlayerToMove) -> bool {
        matches!(self.seats[player.index()], Seat::Person)
    }

    /// Lets the agent to move choose and play a move; `None` if it is a person's turn or the game
    /// has ended. With `wants_tree` the result includes the tree of the choice.
    ///
    /// # Errors
    ///
    /// When the agent cannot choose; nothing changes then.
    pub fn agent_moves(
        &mut self,
        wants_tree: bool,
        watch: &dyn Watch,
    ) -> Result<Option<AgentMove>, SessionError> {
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
        Ok(Some(AgentMove { player, text, choice, outline, proved_line }))
    }

    /// Plays a move that a person typed.
    ///
    /// # Errors
    ///
    /// When the game has ended or the text is not a legal move; nothing changes then.
    pub fn person_moves(&mut self, text: &str) -> Result<(), PlayError> {
        let number = self.line.spelt_move_number(text)?;
        self.play(number);
        Ok(())
    }

    /// Plays a move. Later moves are forgotten, unless this move is the next of them.
    fn play(&mut self, number: MoveNumber) {
        self.line.play(number);
        self.moves.push(number);
        if self.later.first() == Some(&number) {
            self.later.remove(0);
        } else {
            self.later.clear();
        }
    }

    /// Moves that were played after the current position, before [`Session::goto`] went back to it.
    #[must_use]
    pub fn later(&self) -> &[MoveNumber] {
        &self.later
    }

    /// Goes to the position after `ply` plies since the start, backwards or forwards, and keeps the
    /// moves after it. Returns `false`, and changes nothing, if the game has fewer plies.
    pub fn goto(&mut self, ply: usize) -> bool {
        let all: Vec<MoveNumber> = self.moves.iter().chain(&self.later).copied().collect();
        if ply > all.len() {
            return false;
        }
        let (moves, later) = all.split_at(ply);
        self.line = self.start.clone();
        moves.iter().for_each(|&number| self.line.play(number));
        (self.moves, self.later) = (moves.to_vec(), later.to_vec());
        true
    }

    /// Takes back moves until it is a person's turn again, at least one; later moves are forgotten.
    /// Returns `false` if no move was a person's.
    pub fn undo(&mut self) -> bool {
        let mut line = self.start.clone();
        let mut kept = None;
        for (n, &number) in self.moves.iter().enumerate() {
            if self.is_person(line.turn()) {
                kept = Some(n);
            }
            line.play(number);
        }
        let Some(kept) = kept else { return false };
        self.goto(kept);
        self.later.clear();
        true
    }

    /// Changes the seat of a player, from the next move on.
    pub fn seat(&mut self, player: PlayerToMove, seat: Seat) {
        self.seats[player.index()] = seat;
    }

    /// Values of the moves for the player to move; without moves if the game has ended. The game
    /// does not change: a search has its own generator, derived from the seed and the ply.
    ///
    /// In a solved game the values are exact, and `report` is called once. Otherwise `report` is
    /// called with the values after 256, 512, 1,024, ... iterations of a search, and last with
    /// those that are returned. The search ends after `iterations`, when `watch` says stop, or when
    /// the result is proved.
    ///
    /// # Errors
    ///
    /// When the game is solved and its file cannot answer.
    pub fn hint(
        &self,
        iterations: u32,
        watch: &dyn Watch,
        report: &mut dyn FnMut(&PositionValues),
    ) -> Result<PositionValues, SessionError> {
        if let Some(solved) = &self.hints
            && self.line.ended().is_none()
        {
            let values = PositionValues::of_rows(&self.line, solved.moves(&self.line)?);
            report(&values);
            return Ok(values);
        }
        let options = UctOptions::new(Budget::iterations(0), DEFAULT_CP);
        let variant = UctVariant { solver: true, ..options.variant };
        let rng = Seed(self.seed).child(u64::from(self.line.ply().0)).generator();
        let options = UctOptions { variant, ..options };
        let mut search = GrowingSearch::new(&*self.engine, &self.line, options, rng);
        let mut until = FIRST_HINT.min(iterations);
        loop {
            let found = search.grow(until - search.found().iterations, watch);
            let values = search.values();
            report(&values);
            if until == iterations || found.stopped != Stopped::Iterations {
                return Ok(values);
            }
            until = until.saturating_mul(2).min(iterations);
        }
    }
}
