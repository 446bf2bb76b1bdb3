//! `uct(...)`: the player that searches by UCT.

use std::fmt;
use std::sync::Arc;

use treegauge_core::{Clock, Watch};
use treegauge_grammar::{Error, Form, Parsed};
use treegauge_search::picture::Outline;
use treegauge_search::{Budget, DEFAULT_CP, Generator};

use crate::agent::{Agent, AgentError, Choice, Forfeit, Spent};
use crate::engine::Engine;
use crate::forms::{CP, ITERATIONS};
use crate::line::Line;
use crate::player::{Limits, MakeAgent, OpenPlayerError, PlayerKind, PlayerSpec};
use crate::uct::UctSearch;

pub(crate) const FORM: Form = Form {
    summary: "a search by upper confidence bounds with random playouts",
    parameters: &[ITERATIONS, CP],
    ..Form::new("uct")
};

pub(crate) fn read(parsed: &Parsed<'_>) -> Result<PlayerSpec, Error> {
    let args = &parsed.args;
    let (iterations, cp) = (args.whole("iterations"), args.number("cp"));
    Ok(PlayerSpec::of(UctPlayer { iterations, cp }))
}

/// Searches by UCT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctPlayer {
    /// Iterations per move, 1 or more.
    pub iterations: u32,
    /// The exploration constant on rewards in \[0, 1\].
    pub cp: f64,
}

impl fmt::Display for UctPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UctPlayer { iterations, cp } = self;
        // The default has no short form in decimals.
        if *cp == DEFAULT_CP {
            write!(f, "uct(iterations={iterations})")
        } else {
            write!(f, "uct(iterations={iterations},cp={cp})")
        }
    }
}

impl PlayerKind for UctPlayer {
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        _: &Line,
        _: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError> {
        let (engine, UctPlayer { iterations, cp }) = (engine.clone(), *self);
        Ok(Box::new(move || {
            let uct = engine.uct(Budget::iterations(iterations), cp);
            Box::new(UctAgent { uct, spent: Spent::default() })
        }))
    }

    fn limits(&self) -> Limits {
        Limits { nodes_max: Some(u64::from(self.iterations)), ..Limits::default() }
    }
}

/// Searches by UCT from an empty tree each time.
struct UctAgent {
    uct: Box<dyn UctSearch>,
    spent: Spent,
}

impl Agent for UctAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        watch: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        let found = self.uct.search(at, rng, &mut || watch.stop());
        self.spent = Spent { nodes: u64::from(found.iterations), depth: None };
        let m = found.choose(rng).ok_or(Forfeit::NoMove)?;
        Ok(Choice { m, value: found.value(), exact: None })
    }

    fn spent(&self) -> Spent {
        self.spent
    }

    fn outline(&self, at: &Line, game: &str, seed: u64) -> Option<Outline> {
        Some(self.uct.outline(at, game, seed))
    }
}
