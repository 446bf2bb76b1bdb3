//! Candidates, made from their number and the games that they may descend from.

use std::sync::Arc;

use treegauge_catalog::GameSpec;
use treegauge_catalog::rules::{Genome, Variation, vary};
use treegauge_core::uniform_below;
use treegauge_engine::Engine;

use super::gate::{Fall, Gate, Rejection};
use super::line::DerivedText;
use super::origin::Origin;
use super::plan::{GeneratePlan, Stream};

/// Upper limit of operators applied to one candidate.
const CHANGES_MAX: usize = 4;

/// Games that the candidates of one generation may descend from.
#[derive(Debug, Default)]
pub(super) struct Pool {
    origins: Vec<Origin>,
    genomes: Vec<Genome>,
}

impl Pool {
    pub(super) fn add(&mut self, origin: Origin, genome: Genome) {
        self.origins.push(origin);
        self.genomes.push(genome);
    }
}

/// One candidate, as made.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) origin: Origin,
    /// `None` if no operator found anything to change.
    pub(super) made: Option<DerivedText>,
    /// For each word of the rule language, whether the text uses it.
    pub(super) words: Vec<bool>,
    /// Engine of the game; `None` if the text is not a playable game.
    pub(super) engine: Option<Arc<dyn Engine>>,
    /// Reason why it is not a playable or not a new game.
    pub(super) fell: Option<Fall>,
}

impl Candidate {
    /// Creates the candidate for a start text.
    pub(super) fn start(n: u32, genome: &Genome) -> Candidate {
        Candidate::of(Origin::Start(n), genome, Vec::new(), Vec::new())
    }

    fn of(
        origin: Origin,
        genome: &Genome,
        parents: Vec<Origin>,
        operators: Vec<String>,
    ) -> Candidate {
        let made = DerivedText {
            parents,
            operators,
            identity: format!("{:032x}", genome.identity()),
            nodes: genome.nodes() as u32,
            source: genome.source(),
        };
        let (engine, fell) = match open(origin, genome, &made.source) {
            Ok(engine) => (Some(engine), None),
            Err(fall) => (None, Some(fall)),
        };
        Candidate { origin, made: Some(made), words: genome.words(), engine, fell }
    }

    /// Makes the candidate of a number: takes a game of the pool and applies one to four operators.
    /// Half of the candidates are changed once, a quarter twice, and so on.
    pub(super) fn make(plan: &GeneratePlan, number: u32, pool: &Pool) -> Candidate {
        let origin = Origin::Made(number);
        let mut rng = plan.seed_of(origin, Stream::Make).generator();
        let at = uniform_below(&mut rng, pool.genomes.len() as u32) as usize;
        let mut genome = pool.genomes[at].clone();
        let mut parents = vec![pool.origins[at]];
        let mut operators = Vec::new();
        while operators.len() < CHANGES_MAX {
            let Some(variation) = vary(&genome, &pool.genomes, &mut rng) else { break };
            let Variation { child, operator, donor, .. } = variation;
            genome = child;
            operators.push(operator.name().to_owned());
            let giver = donor.map(|n| pool.origins[n]);
            parents.extend(giver.filter(|giver| !parents.contains(giver)));
            if uniform_below(&mut rng, 2) == 0 {
                break;
            }
        }
        if operators.is_empty() {
            let fell = Some(Fall::of(Gate::Make, Rejection::NoChange));
            return Candidate { origin, made: None, words: Vec::new(), engine: None, fell };
        }
        let genome = genome
            .with_name(&name_of(plan.seed, number))
            .with_about(Some(&about(plan.seed, number, &parents, &operators)));
        Candidate::of(origin, &genome, parents, operators)
    }
}

/// Returns the name of a candidate in its text.
pub(super) fn name_of(seed: u64, number: u32) -> String {
    format!("Game {seed}-{number}")
}

/// Describes the origin of a candidate in a sentence, for its text.
fn about(seed: u64, number: u32, parents: &[Origin], operators: &[String]) -> String {
    let parents: Vec<String> = parents.iter().map(ToString::to_string).collect();
    let (operators, parents) = (operators.join(", "), parents.join(", "));
    format!("Candidate {number} of seed {seed}, made by treegauge from {parents} by {operators}.")
}

/// Opens the engine of a text, or returns the reason why the text is not a playable game.
fn open(origin: Origin, genome: &Genome, source: &str) -> Result<Arc<dyn Engine>, Fall> {
    if let Err(mistakes) = genome.program() {
        let unplayable =
            ["the first player has no legal first move", "every first move ends the game"];
        let messages: Vec<&str> = mistakes.list().iter().map(|one| &one.message[..]).collect();
        let reason = match messages[..] {
            [only] if unplayable.contains(&only) => Rejection::NoFirstMove,
            _ => Rejection::Refused,
        };
        return Err(Fall::of(Gate::Make, reason).with(mistakes.to_string()));
    }
    engine_of(origin, source).map_err(|error| Fall::of(Gate::Make, Rejection::Refused).with(error))
}

/// Opens the engine of a text of the run.
pub(super) fn engine_of(origin: Origin, source: &str) -> Result<Arc<dyn Engine>, String> {
    let name = format!("{origin}.rules");
    let spec = GameSpec::parse_with(&name, &mut |_| Ok(source.to_owned()));
    spec.and_then(|spec| treegauge_engine::open(&spec)).map_err(|error| error.to_string())
}
