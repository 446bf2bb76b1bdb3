//! Operator that adds a way to move, a clause, an effect, a rule of `end` or a limit.

use rand_core::Rng;
use treegauge_core::uniform_below;

use super::grow::Grower;
use super::{pick, weighted};
use crate::genome::Genome;
use crate::genome::tree::{Slot, Tree, When, clause_order};
use crate::words::{Int, Sort, clauses};

/// Largest depth of the added expression.
const DEPTH: u32 = 2;

const EFFECT: Slot = Slot::Word(Sort::Effect, When::OfMove);
const CONDITION: Slot = Slot::Word(Sort::Condition, When::OfMove);
const RESULT: Slot = Slot::Word(Sort::Result, When::Before);

pub(super) fn add(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    // Weights of ways to move, clauses, effects, rules and limits.
    match weighted(&[4, 4, 3, 3, 1], rng)? {
        0 => another_way(genome, rng),
        1 => clause(genome, rng),
        2 => effect(genome, rng),
        3 => rule(genome, rng),
        _ => limit(genome, rng),
    }
}

/// Indices of the nodes that satisfy a test.
fn numbers(genome: &Genome, wanted: impl Fn(&Tree) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    genome.each_node(&mut |number, tree, _| {
        if wanted(tree) {
            found.push(number);
        }
    });
    found
}

/// Adds a way to move before or after an existing one.
fn another_way(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let places = numbers(genome, |tree| tree.sort() == Some(Sort::Moves));
    let number = *pick(&places, rng)?;
    let old = genome.nth(number)?.clone();
    let (words, weights) = (["or", "first-of", "seq"], [4, 2, 2]);
    let word = words[weighted(&weights, rng)?];
    let when = if word == "seq" { When::OfMove } else { old.when() };
    let new = Slot::Word(Sort::Moves, when);
    let new = Grower::new(genome.ground(), rng).expression(new, DEPTH)?;
    let place = genome.nth(number)?;
    if old.head() == word {
        let at = match word {
            "seq" => 1 + uniform_below(rng, old.args.len() as u32) as usize,
            _ => uniform_below(rng, old.args.len() as u32 + 1) as usize,
        };
        place.args.insert(at, new);
        return Some(());
    }
    let mut args = vec![old, new];
    if word == "first-of" && uniform_below(rng, 2) == 0 {
        args.reverse();
    }
    *place = Tree::word(place.slot, word, args);
    Some(())
}

/// Adds a clause that a mover lacks.
fn clause(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let missing = |tree: &Tree| -> Vec<&'static str> {
        let has = |name: &&str| tree.args.iter().any(|arg| arg.head() == *name);
        clauses(tree.head()).iter().copied().filter(|name| !has(name)).collect()
    };
    let is_mover = |tree: &Tree| tree.sort() == Some(Sort::Moves) && !missing(tree).is_empty();
    let number = *pick(&numbers(genome, is_mover), rng)?;
    let mover = genome.nth(number)?.clone();
    let name = *pick(&missing(&mover), rng)?;
    let mut grower = Grower::new(genome.ground(), rng);
    let new = grower.clause(mover.head(), name, mover.when(), DEPTH)?;
    let place = genome.nth(number)?;
    let of_clause = |arg: &Tree| match arg.slot {
        Slot::Clause(_) => 1 + clause_order(mover.head(), arg.head()),
        _ => 0,
    };
    let at = place.args.iter().position(|arg| of_clause(arg) > of_clause(&new));
    let at = at.unwrap_or(place.args.len());
    place.args.insert(at, new);
    Some(())
}

/// Adds an effect to a list of effects.
fn effect(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let number = *pick(&numbers(genome, |tree| tree.effects().is_some()), rng)?;
    let new = Grower::new(genome.ground(), rng).expression(EFFECT, DEPTH)?;
    let place = genome.nth(number)?;
    let range = place.effects()?;
    let at = range.start + uniform_below(rng, range.len() as u32 + 1) as usize;
    place.args.insert(at, new);
    Some(())
}

/// Adds a rule of `end`, or the action of a player without a move.
fn rule(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let stuck = genome.stuck.is_none() && uniform_below(rng, 4) == 0;
    let mut grower = Grower::new(genome.ground(), rng);
    if stuck {
        let mut args = vec![grower.expression(RESULT, 1)?];
        if uniform_below(rng, 3) == 0 {
            args.insert(0, Tree::word(Slot::Only("pass"), "pass", Vec::new()));
        }
        genome.stuck = Some(Tree::word(Slot::Stuck, "stuck", args));
        return Some(());
    }
    let args = vec![grower.expression(CONDITION, DEPTH)?, grower.expression(RESULT, 1)?];
    let at = uniform_below(rng, genome.rules.len() as u32 + 1) as usize;
    genome.rules.insert(at, Tree::word(Slot::Rule, "if", args));
    Some(())
}

/// Adds a limit of plies without progress, or a result for repetition.
fn limit(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    if genome.quiet.is_none() {
        let plies = 20 * (1 + uniform_below(rng, 5) as i32);
        let plies = Tree::number(Slot::Int(Int::Quiet), plies);
        genome.quiet = Some(Tree::word(Slot::Quiet, "quiet", vec![plies]));
    } else if genome.repetition.is_none() {
        let result = Grower::new(genome.ground(), rng).expression(RESULT, 1)?;
        genome.repetition = Some(Tree::word(Slot::Repetition, "repetition", vec![result]));
    } else {
        return None;
    }
    Some(())
}
