//! The own evaluators of a game, by name.

use std::fmt::{self, Debug};

use treegauge_core::{Evaluator, Game};
use treegauge_grammar::{Args, Error, Form, Parameter, Role};

/// Makes an evaluator of values for its parameters.
type Build<G> = fn(&G, &Args) -> Box<dyn Evaluator<G>>;

/// An evaluator of one game by name, with its parameters.
pub struct NamedEvaluator<G: Game> {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
    build: Build<G>,
}

/// The description of an evaluator, without the type of its game.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorInfo {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
}

impl<G: Game> NamedEvaluator<G> {
    /// An evaluator that `build` makes. It gets a value for every parameter, each one that the
    /// parameter takes.
    #[must_use]
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        parameters: &'static [Parameter],
        build: Build<G>,
    ) -> Self {
        NamedEvaluator { name, summary, parameters, build }
    }

    /// Its form in the grammar.
    #[must_use]
    pub const fn form(&self) -> Form {
        Form { summary: self.summary, parameters: self.parameters, ..Form::new(self.name) }
    }

    /// The evaluator of a game with these values, which [`NamedEvaluator::form`] has read.
    #[must_use]
    pub fn build(&self, game: &G, args: &Args) -> Box<dyn Evaluator<G>> {
        (self.build)(game, args)
    }

    /// Its description.
    #[must_use]
    pub fn info(&self) -> EvaluatorInfo {
        let NamedEvaluator { name, summary, parameters, .. } = *self;
        EvaluatorInfo { name, summary, parameters }
    }
}

/// The evaluator of this text among `known` ones.
pub(crate) fn parse<G: Game>(
    game: &G,
    known: &[NamedEvaluator<G>],
    text: &str,
) -> Result<Box<dyn Evaluator<G>>, Error> {
    let forms: Vec<Form> = known.iter().map(NamedEvaluator::form).collect();
    let parsed = treegauge_grammar::parse(Role::Evaluator, &forms, text)?;
    let found = known.iter().find(|evaluator| evaluator.name == parsed.form.name);
    Ok(found.expect("the form is of one of them").build(game, &parsed.args))
}

// A derive would add bounds on `G`.
impl<G: Game> Clone for NamedEvaluator<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for NamedEvaluator<G> {}

impl<G: Game> Debug for NamedEvaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedEvaluator").field("name", &self.name).finish_non_exhaustive()
    }
}
