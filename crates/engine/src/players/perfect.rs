//! `perfect(...)`: the player that follows the file of the solved game.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use treegauge_core::{Clock, Watch};
use treegauge_grammar::{Error, Form, Parsed};
use treegauge_search::Generator;

use crate::agent::{Agent, AgentError, Choice, Forfeit};
use crate::engine::Engine;
use crate::forms::FILE;
use crate::line::Line;
use crate::player::{MakeAgent, OpenPlayerError, PlayerKind, PlayerSpec};
use crate::solved::{MoveValue, SolvedGame, open_solved};

pub(crate) const FORM: Form = Form {
    summary: "plays from the file of the solved game",
    parameters: &[FILE],
    ..Form::new("perfect")
};

pub(crate) fn read(parsed: &Parsed<'_>) -> Result<PlayerSpec, Error> {
    Ok(PlayerSpec::of(PerfectPlayer::new(PathBuf::from(parsed.args.text("file")))))
}

/// Player that follows the file of the solved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerfectPlayer {
    /// Path of the file in the player's text.
    pub file: PathBuf,
    /// Path at which the file is opened.
    pub place: PathBuf,
}

impl PerfectPlayer {
    /// Creates a player that reads this file.
    #[must_use]
    pub fn new(file: PathBuf) -> PerfectPlayer {
        PerfectPlayer { place: file.clone(), file }
    }
}

impl fmt::Display for PerfectPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "perfect(file={})", self.file.display())
    }
}

impl PlayerKind for PerfectPlayer {
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        start: &Line,
        _: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError> {
        let solved: Arc<dyn SolvedGame> = Arc::from(open_solved(engine, &self.place)?);
        solved.known_throughout()?;
        solved.value(start)?;
        Ok(Box::new(move || Box::new(PerfectAgent(solved.clone()))))
    }

    fn files(&self) -> Vec<&Path> {
        vec![&self.file]
    }

    fn with_files(&self, place: &dyn Fn(&Path) -> PathBuf) -> Option<PlayerSpec> {
        let file = self.file.clone();
        Some(PlayerSpec::of(PerfectPlayer { place: place(&file), file }))
    }
}

/// Agent that follows a solved game: it plays a best move, picked at random among equals.
pub(crate) struct PerfectAgent(pub(crate) Arc<dyn SolvedGame>);

impl Agent for PerfectAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        _: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        let rows = self.0.moves(at).map_err(Arc::new)?;
        let best = best_of(&rows, rng).ok_or(Forfeit::NoMove)?;
        Ok(Choice { exact: Some(best.valued), ..Choice::of(best.m) })
    }
}

/// Best of some moves that are sorted, best first. Among equals one is picked at random, so that
/// games differ.
fn best_of<'a>(rows: &'a [MoveValue], rng: &mut Generator) -> Option<&'a MoveValue> {
    let best = rows.chunk_by(|a, b| a.valued == b.valued).next()?;
    best.get(treegauge_core::uniform_below(rng, best.len() as u32) as usize)
}
