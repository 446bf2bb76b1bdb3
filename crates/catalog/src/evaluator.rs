//! Evaluators of single games, by name.

use std::fmt::{self, Debug};

use treegauge_core::{Evaluator, Game};
use treegauge_grammar::{Args, Error, Form, Parameter, Role};

/// Function that creates an evaluator from the values of its parameters.
type Build<G> = fn(&G, &Args) -> Box<dyn Evaluator<G>>;

/// Evaluator of one game by name, with its parameters.
pub struct NamedEvaluator<G: Game> {
    /// Name in texts.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Parameters of the evaluator.
    pub parameters: &'static [Parameter],
    build: Build<G>,
}

/// Description of an evaluator, without the type of its game.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatorInfo {
    /// Name in texts.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Parameters of the evaluator.
    pub parameters: &'static [Parameter],
}

impl<G: Game> NamedEvaluator<G> {
    /// Creates the evaluator. `build` receives a value for every parameter, each within the
    /// parameter's range.
    #[must_use]
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        parameters: &'static [Parameter],
        build: Build<G>,
    ) -> Self {
        NamedEvaluator { name, summary, parameters, build }
    }

    /// Form of the evaluator in the grammar.
    #[must_use]
    pub const fn form(&self) -> Form {
        Form { summary: self.summary, parameters: self.parameters, ..Form::new(self.name) }
    }

    /// Creates the evaluator for a game with these values, which must be parsed by
    /// [`NamedEvaluator::form`].
    #[must_use]
    pub fn build(&self, game: &G, args: &Args) -> Box<dyn Evaluator<G>> {
        (self.build)(game, args)
    }

    /// Description of the evaluator.
    #[must_use]
    pub fn info(&self) -> EvaluatorInfo {
        let NamedEvaluator { name, summary, parameters, .. } = *self;
        EvaluatorInfo { name, summary, parameters }
    }
}

/// Parses the text of an evaluator and creates it, if it is one of `known`.
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
