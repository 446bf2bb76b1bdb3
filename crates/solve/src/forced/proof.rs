//! Proof-number search for a win within a number of plies.
//!
//! The search is depth-first proof-number search, df-pn (Nagai, *Df-pn algorithm for searching AND/OR trees and
//! its applications*, 2002). A node is a position with the number of plies that are left, which falls with
//! every move. So the nodes form no cycle, and a position that comes back does not disturb the numbers.

use rustc_hash::FxHashMap;
use treegauge_core::{KeyCode, Player, Watch};

use crate::error::Halt;
use crate::memory::Memory;
use crate::rules::{Bounds, Child, Expander, Links, Reduction, Solvable};

/// Proof or disproof number of a node that cannot be proven or disproven.
const INFINITE: u32 = u32::MAX;

/// Reason why a search ends without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GivenUp {
    /// All nodes were used.
    Nodes,
    /// The watch said stop.
    Stopped,
}

impl From<Halt> for GivenUp {
    fn from(_: Halt) -> GivenUp {
        GivenUp::Stopped
    }
}

/// Proof and disproof number of a node: the fewest leaves that must be proven, or disproven, to prove or
/// disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const NEW: Numbers = Numbers { proof: 1, disproof: 1 };
    const PROVEN: Numbers = Numbers { proof: 0, disproof: INFINITE };
    const DISPROVEN: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    fn of_known(is_won: bool) -> Numbers {
        if is_won { Numbers::PROVEN } else { Numbers::DISPROVEN }
    }

    /// Numbers of a node from those of its children. The numbers of the other player's nodes are these with
    /// proof and disproof exchanged.
    fn of(children: impl Iterator<Item = Numbers>, is_attackers: bool) -> Numbers {
        let (mut least, mut sum) = (INFINITE, 0);
        for child in children.map(|child| child.seen(is_attackers)) {
            least = least.min(child.proof);
            sum = add(sum, child.disproof);
        }
        Numbers { proof: least, disproof: sum }.seen(is_attackers)
    }

    /// The same numbers for the player who moves: that of its success first.
    fn seen(self, is_attackers: bool) -> Numbers {
        match is_attackers {
            true => self,
            false => Numbers { proof: self.disproof, disproof: self.proof },
        }
    }

    fn is_known(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    fn reach(self, limits: Numbers) -> bool {
        self.proof >= limits.proof || self.disproof >= limits.disproof
    }
}

/// Sum that is infinite only if a part is.
fn add(a: u32, b: u32) -> u32 {
    match a == INFINITE || b == INFINITE {
        true => INFINITE,
        false => a.saturating_add(b).min(INFINITE - 1),
    }
}

/// A question: does the attacker win from a position within some plies?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Question<K> {
    state: K,
    plies: u16,
    attacker: Player,
}

/// Search that remembers its results.
pub(super) struct ProofSearch<'a, K: KeyCode> {
    rules: &'a Solvable<K>,
    links: Links<'a, K>,
    reduction: &'a Reduction,
    known: FxHashMap<Question<K>, Numbers>,
    nodes_left: u64,
}

impl<'a, K: KeyCode> ProofSearch<'a, K> {
    /// A search of at most `nodes_max` nodes in all.
    pub(super) fn new(
        rules: &'a Solvable<K>,
        surroundings: &'a Surroundings,
        nodes_max: u64,
        watch: &'a dyn Watch,
    ) -> Self {
        let Surroundings { memory, reduction } = surroundings;
        let links = Links::new(Bounds::new(memory, watch));
        ProofSearch { rules, links, reduction, known: FxHashMap::default(), nodes_left: nodes_max }
    }

    /// Fewest plies in which the attacker wins, up to `plies_max`; `None` if it does not.
    pub(super) fn win_in(
        &mut self,
        state: K,
        attacker: Player,
        plies_max: u16,
    ) -> Result<Option<u16>, GivenUp> {
        if let Some(outcome) = self.rules.outcome(state) {
            return Ok((outcome.winner() == Some(attacker)).then_some(0));
        }
        // Disproofs with few plies are cheap, and the first proof has the fewest.
        for plies in 1..=plies_max {
            if self.wins_within(state, attacker, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Whether the attacker wins within some plies.
    pub(super) fn wins_within(
        &mut self,
        state: K,
        attacker: Player,
        plies: u16,
    ) -> Result<bool, GivenUp> {
        if let Some(outcome) = self.rules.outcome(state) {
            return Ok(outcome.winner() == Some(attacker));
        }
        if plies == 0 {
            return Ok(false);
        }
        let limits = Numbers { proof: INFINITE, disproof: INFINITE };
        let is_attackers = self.rules.turn(state) == attacker;
        let question = Question { state, plies, attacker };
        let numbers = match self.known.get(&question) {
            Some(known) if known.is_known() => *known,
            _ => self.search(question, is_attackers, limits)?,
        };
        Ok(numbers.proof == 0)
    }

    /// Searches below a node until its numbers reach one of the limits.
    fn search(
        &mut self,
        question: Question<K>,
        is_attackers: bool,
        limits: Numbers,
    ) -> Result<Numbers, GivenUp> {
        let numbers = self.expanded(question, is_attackers, limits)?;
        self.known.insert(question, numbers);
        Ok(numbers)
    }

    fn expanded(
        &mut self,
        question: Question<K>,
        is_attackers: bool,
        limits: Numbers,
    ) -> Result<Numbers, GivenUp> {
        let Question { state, plies, attacker } = question;
        let Some(children) = self.children(state)? else {
            let winner = self.rules.outcome(state).and_then(|outcome| outcome.winner());
            return Ok(Numbers::of_known(winner == Some(attacker)));
        };
        if plies == 1 {
            let is_won = |child: &Child<K>| {
                let winner = self.rules.outcome(child.key).and_then(|outcome| outcome.winner());
                winner == Some(attacker)
            };
            let is_won = match is_attackers {
                true => children.iter().any(is_won),
                false => children.iter().all(is_won),
            };
            return Ok(Numbers::of_known(is_won));
        }
        let below = |child: &Child<K>| Question { state: child.key, plies: plies - 1, attacker };
        let mut numbers: Vec<Numbers> = children
            .iter()
            .map(|child| self.known.get(&below(child)).copied().unwrap_or(Numbers::NEW))
            .collect();
        loop {
            let own = Numbers::of(numbers.iter().copied(), is_attackers);
            if own.is_known() || own.reach(limits) {
                return Ok(own);
            }
            // As the mover sees it: the child that is nearest to a success, and how near the next one is.
            let (mut best, mut best_proof, mut second) = (0, INFINITE, INFINITE);
            for (n, child) in numbers.iter().enumerate() {
                let proof = child.seen(is_attackers).proof;
                if proof < best_proof {
                    (best, best_proof, second) = (n, proof, best_proof);
                } else {
                    second = second.min(proof);
                }
            }
            let (own, limits) = (own.seen(is_attackers), limits.seen(is_attackers));
            let others = match own.disproof {
                INFINITE => 0,
                sum => sum.saturating_sub(numbers[best].seen(is_attackers).disproof),
            };
            let child_limits = Numbers {
                proof: limits.proof.min(second.saturating_add(1)),
                disproof: match limits.disproof {
                    INFINITE => INFINITE,
                    limit => limit.saturating_sub(others),
                },
            };
            let child = &children[best];
            let child_is_attackers = is_attackers == child.same_turn;
            numbers[best] =
                self.search(below(child), child_is_attackers, child_limits.seen(is_attackers))?;
        }
    }

    /// Positions after the moves; `None` if the game is over. Each costs a node, and the position itself
    /// one.
    pub(super) fn children(&mut self, state: K) -> Result<Option<Vec<Child<K>>>, GivenUp> {
        Expander::new(self.rules, self.reduction).expand(&[state], &mut self.links)?;
        let first = self.links.iter().next();
        let children = first.and_then(Result::ok).map(<[Child<K>]>::to_vec);
        let cost = 1 + children.as_ref().map_or(0, Vec::len) as u64;
        self.nodes_left = self.nodes_left.checked_sub(cost).ok_or(GivenUp::Nodes)?;
        Ok(children)
    }
}

/// Things that searches borrow.
pub(super) struct Surroundings {
    memory: Memory,
    reduction: Reduction,
}

impl Surroundings {
    pub(super) fn new() -> Surroundings {
        Surroundings { memory: Memory::new(None), reduction: Reduction::none() }
    }
}
