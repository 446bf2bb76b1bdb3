//! Operators that make small changes to a genome and keep it a game of the language.

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

/// Largest number of nodes in `play` and `end` of a child. If the parent already has more, the
/// child may not have more than the parent.
pub const NODES_MAX: usize = 60;

/// Number of tries before an operator fails.
const TRIES: usize = 24;

/// Operator that makes a child of a genome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operator {
    /// Replaces a part by a random one of its sort.
    Grow,
    /// Replaces a part by one of the same sort and context from a donor.
    Cross,
    /// Changes a whole number by one or two units within its range.
    Tune,
    /// Replaces a word by another one that takes the same arguments.
    SwapWord,
    /// Adds a way to move, a clause, an effect, a rule of `end` or a limit.
    Add,
    /// Replaces a part by a part of itself, or drops it.
    Shrink,
    /// Replaces the board by another one of the same class.
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

    /// Name in lower case with hyphens.
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

    /// Relative frequency with which [`vary`] chooses the operator.
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

/// Child of a genome and its origin.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Variation {
    /// The child. It has the name of its parent but no description.
    pub child: Genome,
    /// Operator that made the child.
    pub operator: Operator,
    /// Index of the donor that gave a part; `None` if the operator takes no donor.
    pub donor: Option<usize>,
}

/// Makes a child of `parent` by one operator, chosen at random by weight. `donors` are genomes that
/// may give a part. `None` if no operator finds a change in a bounded number of tries.
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

/// Makes a child of `parent` by one operator. `None` if it finds no change in a bounded number of
/// tries. The checker accepts the child, but the game may be unplayable.
pub fn apply(
    operator: Operator,
    parent: &Genome,
    donors: &[Genome],
    rng: &mut dyn Rng,
) -> Option<Variation> {
    (0..TRIES).find_map(|_| {
        let (child, donor) = attempt(operator, parent, donors, rng)?;
        // The checker refuses what is too large: moves of more than 63 bits, and keys of positions
        // of more than 1,024 bits.
        let fits = is_admitted(parent, &child) && child.unproved().is_ok();
        fits.then_some(Variation { child, operator, donor })
    })
}

/// Makes a child without checking its length and sizes.
pub(super) fn attempt(
    operator: Operator,
    parent: &Genome,
    donors: &[Genome],
    rng: &mut dyn Rng,
) -> Option<(Genome, Option<usize>)> {
    let mut child = parent.clone();
    // The description and the allowed warnings of the parent may not apply to the child.
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

/// Tests whether a child differs from its parent and is not too long.
fn is_admitted(parent: &Genome, child: &Genome) -> bool {
    let bare = Genome { about: None, allowed: Vec::new(), ..parent.clone() };
    child.nodes() <= NODES_MAX.max(parent.nodes()) && child.game() != bare.game()
}

/// Random index by weight; `None` if all weights are 0.
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

/// Random element; `None` if there are none.
pub(super) fn pick<'a, T>(things: &'a [T], rng: &mut dyn Rng) -> Option<&'a T> {
    if things.is_empty() {
        return None;
    }
    things.get(uniform_below(rng, things.len() as u32) as usize)
}
