//! `uct(...)`: the player that searches by UCT.

use std::fmt;
use std::sync::Arc;

use treegauge_core::{Clock, Watch};
use treegauge_grammar::{Error, Form, Parameter, Parsed, Role, Values};
use treegauge_search::picture::Outline;
use treegauge_search::{
    BackUp, Budget, DEFAULT_CP, Expansion, Generator, Merge, MoveCounts, UctOptions, UctVariant,
};

use crate::agent::{Agent, AgentError, Choice, Forfeit, Spent};
use crate::engine::Engine;
use crate::forms::{CP, ITERATIONS};
use crate::line::Line;
use crate::player::{Limits, MakeAgent, OpenPlayerError, PlayerKind, PlayerSpec};
use crate::uct::UctSearch;

pub(crate) const FORM: Form = Form {
    summary: "a search by upper confidence bounds with random playouts",
    parameters: &[ITERATIONS, CP, EXPANSION, MERGE, BACKUP, COUNTS, SOLVER, REUSE, THREADS],
    ..Form::new("uct")
};

pub(crate) fn read(parsed: &Parsed<'_>) -> Result<PlayerSpec, Error> {
    let args = &parsed.args;
    let (iterations, cp) = (args.whole("iterations"), args.number("cp"));
    let expansion = match args.text("expansion") {
        "random" => Expansion::Random,
        _ => Expansion::Order,
    };
    let merge = match args.text("merge") {
        "equal" => Merge::Equal,
        "symmetric" => Merge::Symmetric,
        _ => Merge::None,
    };
    let back_up = if args.text("backup") == "all" { BackUp::All } else { BackUp::Single };
    let counts = if args.text("counts") == "edge" { MoveCounts::Edge } else { MoveCounts::Node };
    let (solver, reuse) = (args.flag("solver"), args.flag("reuse"));
    let variant =
        UctVariant { merge, back_up, counts, solver, reuse, threads: args.whole("threads") };
    if variant.check().is_err() {
        let (parameter, expected) = match (merge, back_up) {
            (Merge::None, BackUp::All) => (BACKUP.name, "single where merge=none"),
            (Merge::None, BackUp::Single) => (COUNTS.name, "node where merge=none"),
            _ => (COUNTS.name, "node where backup=all"),
        };
        return Err(Error::Value {
            role: Role::Player,
            form: FORM.name.to_owned(),
            parameter: parameter.to_owned(),
            found: args.text(parameter).to_owned(),
            at: parsed.value_at(parameter).unwrap_or(1),
            expected: expected.to_owned(),
        });
    }
    Ok(PlayerSpec::of(UctPlayer { iterations, cp, expansion, variant }))
}

const EXPANSION: Parameter = Parameter {
    name: "expansion",
    default: "order",
    values: Values::Word(&["order", "random"]),
    help: "in which order moves are tried",
};

const MERGE: Parameter = Parameter {
    name: "merge",
    default: "none",
    values: Values::Word(&["none", "equal", "symmetric"]),
    help: "positions that share a node",
};

const BACKUP: Parameter = Parameter {
    name: "backup",
    default: "single",
    values: Values::Word(&["single", "all"]),
    help: "nodes of a web that a result updates: those on the way down, or all above",
};

const COUNTS: Parameter = Parameter {
    name: "counts",
    default: "node",
    values: Values::Word(&["node", "edge"]),
    help: "visits that the choice among moves reads in a web: those of the position or of the move",
};

const SOLVER: Parameter = Parameter {
    name: "solver",
    default: "false",
    values: Values::Flag,
    help: "whether values are proved",
};

const REUSE: Parameter = Parameter {
    name: "reuse",
    default: "false",
    values: Values::Flag,
    help: "whether the tree below the moves played is kept for the next move",
};

const THREADS: Parameter = Parameter {
    name: "threads",
    default: "1",
    values: Values::Whole(1, UctVariant::THREADS_MAX as u64),
    help: "independent trees that share the iterations, whose counts are added up",
};

/// Player that searches by UCT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctPlayer {
    /// Iterations per move, 1 or more.
    pub iterations: u32,
    /// Exploration constant C_p on rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which moves are first tried.
    pub expansion: Expansion,
    /// Other differences from the search of Williams 2010.
    pub variant: UctVariant,
}

impl UctPlayer {
    /// Player that searches as in Williams 2010.
    #[must_use]
    pub fn new(iterations: u32, cp: f64) -> UctPlayer {
        let (expansion, variant) = (Expansion::default(), UctVariant::default());
        UctPlayer { iterations, cp, expansion, variant }
    }
}

impl Default for UctPlayer {
    fn default() -> Self {
        UctPlayer::new(10_000, DEFAULT_CP)
    }
}

impl fmt::Display for UctPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UctPlayer { iterations, cp, expansion, variant } = self;
        write!(f, "uct(iterations={iterations}")?;
        // The default has no short decimal form.
        if *cp != DEFAULT_CP {
            write!(f, ",cp={cp}")?;
        }
        if *expansion == Expansion::Random {
            f.write_str(",expansion=random")?;
        }
        if *variant != UctVariant::default() {
            write!(f, ",{variant}")?;
        }
        f.write_str(")")
    }
}

impl PlayerKind for UctPlayer {
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        _: &Line,
        _: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError> {
        let (engine, UctPlayer { iterations, cp, expansion, variant }) = (engine.clone(), *self);
        let budget = Budget::iterations(iterations);
        let options = UctOptions { budget, cp, expansion, variant };
        Ok(Box::new(move || {
            let uct = engine.uct_with(options);
            Box::new(UctAgent { uct, spent: Spent::default() })
        }))
    }

    fn limits(&self) -> Limits {
        Limits { nodes_max: Some(u64::from(self.iterations)), ..Limits::default() }
    }
}

/// Agent that searches by UCT.
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
        let proved = found.proved.map(|outcome| outcome.value_for(found.turn));
        Ok(Choice { m, value: found.value(), exact: None, proved })
    }

    fn spent(&self) -> Spent {
        self.spent
    }

    fn new_game(&mut self) {
        self.uct.forget();
    }

    fn proved_line(&self, at: &Line) -> Vec<String> {
        self.uct.proved_line(at)
    }

    fn outline(&self, at: &Line, game: &str, seed: u64) -> Option<Outline> {
        Some(self.uct.outline(at, game, seed))
    }
}
