//! Operator that replaces a node by a part of itself, or drops a part.

use rand_core::Rng;

use super::pick;
use crate::genome::Genome;
use crate::genome::tree::{Slot, Tree};
use crate::words::{Arg, Role, word};

/// Way to make a genome smaller. Nodes are given by their index.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// Replaces a node by one of its arguments.
    Unwrap(usize, usize),
    /// Removes one argument of a node.
    Drop(usize, usize),
    Rule(usize),
    Stuck,
    Quiet,
    Repetition,
}

pub(super) fn shrink(genome: &mut Genome, rng: &mut dyn Rng) -> Option<()> {
    let cut = *pick(&cuts(genome), rng)?;
    make(genome, cut)
}

/// All genomes that result from a single cut.
#[cfg(test)]
pub(crate) fn smaller(genome: &Genome) -> Vec<Genome> {
    let cut = |cut| {
        let mut child = genome.clone();
        make(&mut child, cut)?;
        Some(child)
    };
    cuts(genome).into_iter().filter_map(cut).collect()
}

fn make(genome: &mut Genome, cut: Cut) -> Option<()> {
    match cut {
        Cut::Unwrap(number, arg) => {
            let node = genome.nth(number)?;
            *node = node.args.swap_remove(arg);
        }
        Cut::Drop(number, arg) => {
            genome.nth(number)?.args.remove(arg);
        }
        Cut::Rule(at) => {
            genome.rules.remove(at);
        }
        Cut::Stuck => genome.stuck = None,
        Cut::Quiet => genome.quiet = None,
        Cut::Repetition => genome.repetition = None,
    }
    Some(())
}

fn cuts(genome: &Genome) -> Vec<Cut> {
    let mut found: Vec<Cut> = (0..genome.rules.len()).map(Cut::Rule).collect();
    found.extend(genome.stuck.as_ref().map(|_| Cut::Stuck));
    found.extend(genome.quiet.as_ref().map(|_| Cut::Quiet));
    found.extend(genome.repetition.as_ref().map(|_| Cut::Repetition));
    genome.each_node(&mut |number, tree, _| {
        for (at, arg) in tree.args.iter().enumerate() {
            if arg.slot == tree.slot {
                found.push(Cut::Unwrap(number, at));
            }
            if can_go(tree, at) {
                found.push(Cut::Drop(number, at));
            }
        }
    });
    found
}

/// Tests whether a node remains complete without one of its arguments.
fn can_go(tree: &Tree, at: usize) -> bool {
    let arg = &tree.args[at];
    match (tree.slot, arg.slot) {
        // Clauses, and words such as `exactly`, are optional.
        (Slot::Word(..), Slot::Clause(_) | Slot::Only(_)) => true,
        (Slot::Word(sort, _), _) => {
            let Some(known) = word(sort, tree.head()) else { return false };
            let may_have_kind = known.args.iter().any(|arg| matches!(arg, Arg::May(Role::Kind(_))));
            if matches!(arg.slot, Slot::Kind(_)) {
                return may_have_kind;
            }
            // Arguments in order: an optional kind, the required ones, and the minimum of a list.
            let kind = may_have_kind && matches!(tree.args[0].slot, Slot::Kind(_));
            let ones = known.args.iter().filter(|arg| matches!(arg, Arg::One(_))).count();
            let least = known.args.iter().find_map(|arg| match arg {
                Arg::Many(_, least, _) => Some(*least),
                _ => None,
            });
            let more = |arg: &&Tree| !matches!(arg.slot, Slot::Clause(_) | Slot::Only(_));
            let needed = usize::from(kind) + ones;
            at >= needed && tree.args.iter().filter(more).count() > needed + least.unwrap_or(0)
        }
        (Slot::Clause(_) | Slot::Offsets, _) => tree.args.len() > 1,
        // Effects are optional, and so is the result of `pass` and `quiet`, which defaults to a
        // draw.
        (Slot::Rule | Slot::Stuck | Slot::Repetition | Slot::Quiet, _) => {
            let effects = tree.effects().unwrap_or_default();
            let beside = matches!(tree.args[0].slot, Slot::Only(_) | Slot::Int(_));
            effects.contains(&at) || beside && at == 1 && tree.args.len() == 2
        }
        _ => false,
    }
}
