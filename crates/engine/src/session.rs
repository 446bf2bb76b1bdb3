//! A game between people and agents, without a terminal.

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

/// The iterations before the first hint of a search; each further hint has twice as many.
const FIRST_HINT: u32 = 256;

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
    /// The moves after the current position, of a game that was played further.
    later: Vec<MoveNumber>,
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
#[derive(Clone, Debug, Serialize)]
pub struct Turn {
    /// The player that moved.
    pub player: PlayerToMove,
    /// The move as text.
    pub text: String,
    /// What the agent knows about it.
    pub choice: Choice,
    /// The UCT tree behind it, if there is one and it was asked for. It is not serialised: [`Outline`] has writers.
    #[serde(skip)]
    pub outline: Option<Outline>,
    /// The line that a search proved, the move first; empty where nothing is proved.
    pub proved_line: Vec<String>,
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
        let (moves, later) = (Vec::new(), Vec::new());
        Session { engine, seats, hints, start, line, moves, later, seed, rng }
    }

    /// The game as it stands.
    #[must_use]
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// The moves from the start to the current position.
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

    /// Plays a move; what was played after the current position is forgotten, unless the move is part of it.
    fn play(&mut self, number: MoveNumber) {
        self.line.play(number);
        self.moves.push(number);
        if self.later.first() == Some(&number) {
            self.later.remove(0);
        } else {
            self.later.clear();
        }
    }

    /// The moves that were played after the current position, before [`Session::goto`] went back to it.
    #[must_use]
    pub fn later(&self) -> &[MoveNumber] {
        &self.later
    }

    /// Goes to the position after `ply` plies since the start, backwards or forwards, and keeps the moves after it.
    /// Returns `false`, and changes nothing, if the game was not played that far.
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

    /// Takes back moves until it is a person's turn again, at least one; `false` where there is
    /// nothing to take back. Later moves are forgotten.
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

    /// Gives a player another seat, from the next move on.
    pub fn seat(&mut self, player: PlayerToMove, seat: Seat) {
        self.seats[player.index()] = seat;
    }

    /// The values of the moves for the player to move; without moves if the game has ended. The game does not change: a
    /// search has a random generator of its own, which follows from the seed and the ply.
    ///
    /// In a solved game the values are exact, and `report` gets them once. Otherwise it gets the values after 256, 512,
    /// 1,024, ... iterations of a search, and at last those that are returned. The search ends after `iterations`, when
    /// `watch` says stop, or when the result is proved.
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
