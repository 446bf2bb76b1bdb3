//! `intuitive(...)`: the player that judges moves at a glance, like a person who is new to a game.

use std::fmt;
use std::sync::Arc;

use rand_core::Rng;
use treegauge_catalog::Capability;
use treegauge_core::{Clock, Look, Urgency, Watch};
use treegauge_grammar::{Error, Form, Parameter, Parsed, Values};
use treegauge_search::Generator;

use crate::agent::{Agent, AgentError, Choice, Forfeit};
use crate::engine::Engine;
use crate::line::{Line, MoveNumber};
use crate::player::{MakeAgent, OpenPlayerError, PlayerKind, PlayerSpec};

pub(crate) const FORM: Form = Form {
    summary: "wins or blocks where it can at once, else plays what looks good (mnk only)",
    parameters: &[Parameter {
        name: "temperature",
        default: "0.25",
        values: Values::Number(0.001, 1_000.0),
        help: "randomness of the choice: moves are chosen with weight exp(appeal / temperature)",
    }],
    ..Form::new("intuitive")
};

pub(crate) fn read(parsed: &Parsed<'_>) -> Result<PlayerSpec, Error> {
    Ok(PlayerSpec::of(IntuitivePlayer { temperature: parsed.args.number("temperature") }))
}

/// Player that judges moves by their looks alone; see [`treegauge_core::Intuitive`]. Among the
/// moves of the greatest urgency it picks one with a probability proportional to exp(appeal /
/// temperature).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntuitivePlayer {
    /// Temperature, more than 0: the greater it is, the less the looks count.
    pub temperature: f64,
}

impl fmt::Display for IntuitivePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "intuitive(temperature={})", self.temperature)
    }
}

impl PlayerKind for IntuitivePlayer {
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        _: &Line,
        _: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError> {
        let info = engine.info();
        if !info.capabilities.contains(&Capability::Intuitive) {
            return Err(OpenPlayerError::NoIntuition { game: info.canonical_name.clone() });
        }
        let temperature = self.temperature;
        Ok(Box::new(move || Box::new(IntuitiveAgent { temperature, looks: Vec::new() })))
    }
}

struct IntuitiveAgent {
    temperature: f64,
    /// Buffer that is kept for its memory.
    looks: Vec<Look>,
}

impl Agent for IntuitiveAgent {
    fn choose(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        _: &dyn Watch,
    ) -> Result<Choice, AgentError> {
        at.looks_into(&mut self.looks);
        let m = choose(&self.looks, self.temperature, rng).ok_or(Forfeit::NoMove)?;
        Ok(Choice::of(m))
    }
}

/// Picks one of the most urgent moves, by the softmax of the appeals.
fn choose(looks: &[Look], temperature: f64, rng: &mut Generator) -> Option<MoveNumber> {
    let urgency: Urgency = looks.iter().map(|look| look.urgency).max()?;
    let urgent = || looks.iter().enumerate().filter(|(_, look)| look.urgency == urgency);
    let greatest = urgent().map(|(_, look)| look.appeal).fold(f64::NEG_INFINITY, f64::max);
    let weight = |look: &Look| libm::exp((look.appeal - greatest) / temperature);
    let sum: f64 = urgent().map(|(_, look)| weight(look)).sum();
    // 53 random bits make a number below 1.
    let mut left = sum * (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let mut chosen = None;
    for (n, look) in urgent() {
        chosen = Some(n as MoveNumber);
        left -= weight(look);
        if left < 0.0 {
            break;
        }
    }
    chosen
}
