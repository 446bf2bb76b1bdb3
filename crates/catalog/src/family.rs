//! Families of games: data that needs no game to be built.

use treegauge_grammar::{Form, Parameter, Values};

use crate::LibraryGroup;

/// Family of games: one set of rules with its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Name of the family in texts.
    pub name: &'static str,
    /// Other names of the family.
    pub aliases: &'static [&'static str],
    /// Description of the game in one line.
    pub summary: &'static str,
    /// Rules in a few sentences; the parameters describe their own effects. `{k}` stands for the
    /// value of a parameter, `{target|the target}` has another text for the family,
    /// and `{misere=true:loses|wins}` depends on a value. [`Family::rules_text`] and
    /// [`GameSpec::rules_text`](crate::GameSpec::rules_text) fill them in.
    pub rules: &'static str,
    /// Notation of moves, with an example.
    pub moves: &'static str,
    /// Parameters of the family, without those of every game; see [`Family::all_parameters`].
    pub parameters: &'static [Parameter],
    /// Short names that set several parameters to one value: the name and the parameters.
    pub both: &'static [(&'static str, &'static [&'static str])],
    /// Named settings of the parameters.
    pub presets: &'static [Preset],
    /// Origin of the rules; `None` if no single game has them.
    pub origin: Option<Origin>,
}

/// Origin of a published game.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Name for people.
    pub title: &'static str,
    /// Group in lists.
    pub group: LibraryGroup,
    /// Year of the first publication, or the tradition that the game comes from.
    pub year: &'static str,
    /// Inventor; `None` if the game has none or the inventor is unknown.
    pub author: Option<&'static str>,
    /// Publication that states the rules.
    pub source: &'static str,
    /// Difference between the rules here and the published ones; `None` if there is none.
    pub differs: Option<&'static str>,
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

    /// Rules of the family, with the names of parameters in place of their values.
    #[must_use]
    pub fn rules_text(&self) -> String {
        filled(self.rules, |slot| match slot {
            Slot::Value { name, text } => text.unwrap_or(name).to_owned(),
            Slot::If { condition, then, or } => format!("{or}, or with {condition} {then}"),
        })
    }

    /// Returns whether `name` is the family's name or one of its aliases.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.form().is_called(name)
    }
}

/// Place in the rules of a family that depends on a parameter.
pub(crate) enum Slot<'r> {
    /// `{name}` or `{name|text}`: the value of a parameter, or the text for the family.
    Value { name: &'r str, text: Option<&'r str> },
    /// `{name=value:then|or}`: one of two texts.
    If { condition: &'r str, then: &'r str, or: &'r str },
}

/// Rules with all slots filled in.
pub(crate) fn filled(rules: &str, fill: impl Fn(Slot<'_>) -> String) -> String {
    let mut text = String::new();
    let mut rest = rules;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}').expect("every slot of the rules is closed");
        text.push_str(before);
        let slot = match inside.split_once(':') {
            Some((condition, texts)) => {
                let (then, or) = texts.split_once('|').expect("a condition has two texts");
                Slot::If { condition, then, or }
            }
            None => match inside.split_once('|') {
                Some((name, text)) => Slot::Value { name, text: Some(text) },
                None => Slot::Value { name: inside, text: None },
            },
        };
        text.push_str(&fill(slot));
        rest = after;
    }
    text + rest
}
