//! `random`: the player that picks every move at random.

use std::fmt;
use std::sync::Arc;

use treegauge_core::{Clock, Watch};
use treegauge_grammar::{Error, Form, Parsed};
use treegauge_search::Generator;

use crate::agent::{Agent, AgentError, Choice, Forfeit};
use crate::engine::Engine;
use crate::line::Line;
use crate::player::{MakeAgent, OpenPlayerError, PlayerKind, PlayerSpec};

pub(crate) const FORM: Form =
    Form { summary: "picks every move uniformly at random", ..Form::new("random") };

pub(crate) fn read(_: &Parsed<'_>) -> Result<PlayerSpec, Error> {
    Ok(PlayerSpec::of(RandomPlayer))
}

/// Player that picks its moves at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomPlayer;

impl fmt::Display for RandomPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM.name)
    }
}

impl PlayerKind for RandomPlayer {
    fn open(
        &self,
        _: &Arc<dyn Engine>,
        _: &Line,
        _: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError> {
        Ok(Box::new(|| Box::new(RandomAgent)))
    }

    fn is_random(&self) -> bool {
        true
    }
}

/// Agent that picks every move uniformly at random.
struct RandomAgent;

impl Agent for RandomAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        _: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        at.random_move(rng).map(Choice::of).ok_or(AgentError::Forfeit(Forfeit::NoMove))
    }
}
