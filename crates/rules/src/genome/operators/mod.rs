//! Operators: what changes a genome a little, and keeps it a game of the language.

mod add;
mod board;
mod cross;
mod grow;
mod shrink;
mod swap_word;
#[cfg(test)]
mod tests;
mod tune;

#[cfg(test)]
pub(crate) use shrink::smaller;

use rand_core::Rng;
use treegauge_core::uniform_below;

use super::Genome;

/// The most nodes of `play` and `end` that a child has, unless its parent has more: then the child
/// has no more than its parent.
pub const NODES_MAX: usize = 60;

/// How often an operator is tried before it is given up.
const TRIES: usize = 24;

/// A way to make a child of a genome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// A part is replaced by a random one of its sort.
    Grow,
    /// A part is replaced by one of the same sort and context from a donor.
    Cross,
    /// A whole number moves by one or two within its range.
    Tune,
    /// A word becomes another one that takes the same.
    SwapWord,
    /// Another way to move, a clause, an effect, a rule of the end or a limit.
    Add,
    /// A part gives way to a part of itself, or is dropped.
    Shrink,
    /// Another board of the same class.
    Board,
}

impl Operator {
    /// All operators.
    pub const ALL: [Operator; 7] = [
        Operator::Grow,
        Operator::Cross,
        Operator::Tune,
        Operator::SwapWord,
        Operator::Add,
        Operator::Shrink,
        Operator::Board,
    ];

    /// Its name, in small letters with hyphens.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operator::Grow => "grow",
            Operator::Cross => "cross",
            Operator::Tune => "tune",
            Operator::SwapWord => "swap-word",
            Operator::Add => "add",
            Operator::Shrink => "shrink",
            Operator::Board => "board",
        }
    }

    /// How often [`vary`] chooses it, relative to the others.
    #[must_use]
    pub fn weight(self) -> u32 {
        match self {
            Operator::Grow | Operator::Cross => 8,
            Operator::Tune | Operator::SwapWord => 6,
            Operator::Add => 5,
            Operator::Shrink => 4,
            Operator::Board => 2,
        }
    }
}

/// A child of a genome.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Variation {
    /// The child. It has its parent's name, and no words about the game.
    pub child: Genome,
    /// What made it.
    pub operator: Operator,
    /// Which of the donors gave a part.
    pub donor: Option<usize>,
}

/// A child of `parent` by one operator, chosen by weight; `donors` are the genomes that may give a
/// part. `None` if no operator finds anything to change in a bounded number of tries.
pub fn vary(parent: &Genome, donors: &[Genome], rng: &mut dyn Rng) -> Option<Variation> {
    let mut left = Operator::ALL.to_vec();
    while !left.is_empty() {
        let weights: Vec<u32> = left.iter().map(|operator| operator.weight()).collect();
        let operator = left.remove(weighted(&weights, rng)?);
        if let Some(variation) = apply(operator, parent, donors, rng) {
            return Some(variation);
        }
    }
    None
}

/// A child of `parent` by one operator. `None` if it finds nothing to change in a bounded number of
/// tries. The checker accepts the child, though it may be a game that nobody can play.
pub fn apply(
    operator: Operator,
    parent: &Genome,
    donors: &[Genome],
    rng: &mut dyn Rng,
) -> Option<Variation> {
    (0..TRIES).find_map(|_| {
        let (child, donor) = attempt(operator, parent, donors, rng)?;
        // The checker refuses what is too large: moves of more than 63 bits, positions of more
        // than 1,024.
        let fits = is_admitted(parent, &child) && child.unproved().is_ok();
        fits.then_some(Variation { child, operator, donor })
    })
}

/// A child whose length and sizes are not yet looked at.
pub(super) fn attempt(
    operator: Operator,
    parent: &Genome,
    donors: &[Genome],
    rng: &mut dyn Rng,
) -> Option<(Genome, Option<usize>)> {
    let mut child = parent.clone();
    // What is said of the parent need not hold for its child.
    (child.about, child.allowed) = (None, Vec::new());
    let mut donor = None;
    match operator {
        Operator::Grow => grow::grow(&mut child, rng)?,
        Operator::Cross => donor = Some(cross::cross(&mut child, donors, rng)?),
        Operator::Tune => tune::tune(&mut child, rng)?,
        Operator::SwapWord => swap_word::swap_word(&mut child, rng)?,
        Operator::Add => add::add(&mut child, rng)?,
        Operator::Shrink => shrink::shrink(&mut child, rng)?,
        Operator::Board => board::board(&mut child, rng)?,
    }
    child.fit()?;
    Some((child, donor))
}

/// Whether a child is another text than its parent and not too long.
fn is_admitted(parent: &Genome, child: &Genome) -> bool {
    let bare = Genome { about: None, allowed: Vec::new(), ..parent.clone() };
    child.nodes() <= NODES_MAX.max(parent.nodes()) && child.game() != bare.game()
}

/// An index by weight; `None` where all weights are 0.
pub(super) fn weighted(weights: &[u32], rng: &mut dyn Rng) -> Option<usize> {
    let sum: u32 = weights.iter().sum();
    if sum == 0 {
        return None;
    }
    let mut at = uniform_below(rng, sum);
    weights.iter().position(|&weight| {
        let here = at < weight;
        at = at.saturating_sub(weight);
        here
    })
}

/// One of some things.
pub(super) fn pick<'a, T>(things: &'a [T], rng: &mut dyn Rng) -> Option<&'a T> {
    if things.is_empty() {
        return None;
    }
    things.get(uniform_below(rng, things.len() as u32) as usize)
}
