//! Families of games: data that needs no game to be built.

use treegauge_grammar::{Form, Parameter, Values};

/// Family of games: one set of rules with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Name of the family in texts.
    pub name: &'static str,
    /// Other names of the family.
    pub aliases: &'static [&'static str],
    /// Description of the game in one line.
    pub summary: &'static str,
    /// Rules in a few sentences; the parameters describe their own effects.
    pub rules: &'static str,
    /// Notation of moves, with an example.
    pub moves: &'static str,
    /// Parameters of the family, without those of every game; see [`Family::all_parameters`].
    pub parameters: &'static [Parameter],
    /// Short names that set several parameters to one value: the name and the parameters.
    pub both: &'static [(&'static str, &'static [&'static str])],
    /// Named settings of the parameters.
    pub presets: &'static [Preset],
}

/// Named setting of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name in texts.
    pub name: &'static str,
    /// Parameters that it sets, with their values.
    pub sets: &'static [(&'static str, &'static str)],
    /// Description in one line.
    pub summary: &'static str,
}

/// Parameters of every game.
const COMMON: &[Parameter] = &[Parameter {
    name: "ply_cap",
    default: "1000",
    values: Values::Whole(1, 1_000_000),
    help: "plies after which a game is stopped as capped",
}];

impl Family {
    /// Form of the family's games in the grammar.
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

    /// Parameters of the family and those of every game.
    pub fn all_parameters(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.form().all_parameters()
    }

    /// Returns whether `name` is the family's name or one of its aliases.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.form().is_called(name)
    }
}
