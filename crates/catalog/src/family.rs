//! Families of games: what is known without building a game.

use treegauge_grammar::{Form, Parameter, Values};

/// A family: one set of rules with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The registry name.
    pub name: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// The game in one line.
    pub summary: &'static str,
    /// The rules in a few sentences; the parameters say what they change.
    pub rules: &'static str,
    /// How a move is written, with an example.
    pub moves: &'static str,
    /// The family's own parameters; [`Family::all_parameters`] has `ply_cap` too.
    pub parameters: &'static [Parameter],
    /// Short names that set several parameters to one value: the name and what it sets.
    pub both: &'static [(&'static str, &'static [&'static str])],
    /// Named settings of the parameters.
    pub presets: &'static [Preset],
}

/// A name for a setting of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The parameters that it sets.
    pub sets: &'static [(&'static str, &'static str)],
    /// What it is, in one line.
    pub summary: &'static str,
}

/// The parameters that every game has.
const COMMON: &[Parameter] = &[Parameter {
    name: "ply_cap",
    default: "1000",
    values: Values::Whole(1, 1_000_000),
    help: "plies after which a game is stopped as capped",
}];

impl Family {
    /// The form of the family's games in the grammar.
    #[must_use]
    pub const fn form(&self) -> Form {
        Form {
            aliases: self.aliases,
            summary: self.summary,
            parameters: self.parameters,
            common: COMMON,
            short: self.both,
            ..Form::new(self.name)
        }
    }

    /// The family's parameters and those that every game has.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.form().all_parameters()
    }

    /// Whether `name` is the family's name or one of its aliases.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.form().is_called(name)
    }
}
