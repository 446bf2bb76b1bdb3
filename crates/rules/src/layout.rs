//! Layout of the bits of a move.
//!
//! A move has parts, the first in the lowest bits. A part consists of the number of the mover, the
//! origin of the piece, its target, and for a chain the number of hops and the direction of each. A
//! field that no mover of the game needs has no bits. In later parts the number of the mover is
//! increased by 1, so that 0 marks a missing part:
//!
//! ```text
//! breakthrough, 8 x 8, two movers:          m ffffff tttttt       13 bits
//!                                                        c2-d3: mover 1, from 10, to 19
//! ```
//!
//! A move with all bits set is the pass of a player who is stuck.

use crate::reader::Node;
use crate::tree::{Chain, HOPS_MAX, Moves, Program, Verb};

/// Largest number of moves of a position. Moves beyond it are not legal. If several ways to move
/// may be the same move, the limit counts ways, because a text of a few lines can describe an
/// enormous number of them.
pub const MOVES_MAX: usize = 65_535;

/// Largest number of evaluations of `only-if` in one ply. Moves after that are not legal. Ways
/// refused by an `only-if` are not moves, so the limit of moves does not bound them, and a part of
/// a move may have millions. An evaluation takes longer on a larger board and with words that
/// follow connections from site to site.
fn asked_max(program: &Program) -> u32 {
    /// Approximate number of sites visited, which takes a tenth of a second.
    const WORK: usize = 1 << 24;
    /// Words whose evaluation follows connections from site to site.
    const FOLLOWING: &[&str] = &[
        "joined", "enclosed", "groups", "largest", "connects", "made", "makes", "rays", "covered",
    ];
    fn following(node: &Node, within: bool) -> usize {
        let within = within || node.head() == Some("only-if");
        let own = within && node.head().is_some_and(|head| FOLLOWING.contains(&head));
        let rest = node.rest().iter().map(|node| following(node, within));
        usize::from(own) + rest.sum::<usize>()
    }
    let weight = program.board.len().max(1) * (1 + following(&program.game, false));
    (WORK / weight).clamp(1 << 10, 1 << 20) as u32
}

/// Number of bits of each field of one part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartBits {
    pub(crate) mover: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// Bits for the number of hops.
    pub(crate) hops: u32,
    /// Bits for the direction of each hop.
    pub(crate) hop: u32,
    pub(crate) shift: u32,
}

/// Fields of all parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) parts: Vec<PartBits>,
    /// Largest number of hops of a chain.
    pub(crate) hops_max: usize,
    /// Largest number of evaluations of `only-if` in one ply.
    pub(crate) asked_max: u32,
    /// Total number of bits.
    pub(crate) bits: u32,
}

/// One part of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    pub(crate) mover: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Number of hops of a chain. `path` has their directions, the first in the lowest bits.
    pub(crate) hops: usize,
    pub(crate) path: u64,
}

fn bits_for(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

/// Largest number of parts of a move.
pub(crate) fn part_count<C>(moves: &Moves<C>) -> usize {
    match moves {
        Moves::Mover(_) => 1,
        Moves::Or(parts) | Moves::FirstOf(parts) => parts.iter().map(part_count).max().unwrap_or(1),
        Moves::Seq(parts) => parts.iter().map(part_count).sum(),
        Moves::If(_, yes, no) => part_count(yes).max(no.as_ref().map_or(1, |no| part_count(no))),
    }
}

/// Calls `visit` with each mover and every part index at which it may occur.
fn each_part<C>(moves: &Moves<C>, at: usize, visit: &mut dyn FnMut(usize, &crate::tree::Mover<C>)) {
    match moves {
        Moves::Mover(mover) => visit(at, mover),
        Moves::Or(parts) | Moves::FirstOf(parts) => {
            parts.iter().for_each(|part| each_part(part, at, visit));
        }
        Moves::Seq(parts) => {
            // Earlier parts may take fewer part indices than their maximum, so this part may start
            // earlier.
            let mut latest = at;
            for (n, part) in parts.iter().enumerate() {
                for at in at + usize::from(n > 0)..=latest {
                    each_part(part, at, visit);
                }
                latest += part_count(part);
            }
        }
        Moves::If(_, yes, no) => {
            each_part(yes, at, visit);
            if let Some(no) = no {
                each_part(no, at, visit);
            }
        }
    }
}

impl Layout {
    /// Layout of a game; `None` if a move needs more than 63 bits.
    pub(crate) fn of(program: &Program) -> Option<Layout> {
        let site = bits_for(program.board.len());
        let mut parts = vec![PartBits::default(); part_count(&program.body.play)];
        each_part(&program.body.play, 0, &mut |at, mover| {
            let bits = &mut parts[at];
            bits.mover = bits_for(program.movers + usize::from(at > 0));
            match &mover.verb {
                Verb::Place | Verb::Remove => bits.to = site,
                Verb::Sow { .. } => bits.from = site,
                Verb::Swap { .. } | Verb::Pass => {}
                Verb::Hop { dirs, chain, .. } if *chain != Chain::Reach => {
                    (bits.from, bits.to) = (site, site);
                    let count = dirs[0].len().max(dirs[1].len());
                    // The direction identifies a single hop. On a ring both directions may lead to
                    // the same site.
                    bits.hop = bits.hop.max(bits_for(count));
                    bits.hops = bits.hops.max(if *chain == Chain::No { 1 } else { 5 });
                }
                _ => (bits.from, bits.to) = (site, site),
            }
        });
        let plain: u32 = parts.iter().map(|p| p.mover + p.from + p.to).sum();
        let mut free = 63u32.checked_sub(plain)?;
        let mut hops_max = HOPS_MAX;
        let chains: Vec<usize> = (0..parts.len()).filter(|&n| parts[n].hops > 0).collect();
        for &n in &chains {
            free = free.checked_sub(parts[n].hops)?;
        }
        for (left, &n) in chains.iter().enumerate() {
            let part = &mut parts[n];
            let most = if part.hops == 1 { 1 } else { HOPS_MAX };
            let share = free / (chains.len() - left) as u32;
            let hops = share.checked_div(part.hop).map_or(most, |hops| most.min(hops as usize));
            if hops == 0 {
                return None;
            }
            if part.hops > 1 {
                hops_max = hops_max.min(hops);
            }
            free -= hops as u32 * part.hop;
        }
        let mut shift = 0;
        for part in &mut parts {
            part.shift = shift;
            let most = if part.hops == 1 { 1 } else { hops_max as u32 };
            let path = if part.hops == 0 { 0 } else { part.hops + most * part.hop };
            shift += part.mover + part.from + part.to + path;
        }
        Some(Layout { parts, hops_max, asked_max: asked_max(program), bits: shift })
    }

    /// Encodes a part at its index.
    #[inline]
    pub(crate) fn encode(&self, at: usize, part: &Part) -> u64 {
        let bits = &self.parts[at];
        let mut code = part.path;
        code = code << bits.hops | part.hops as u64;
        if bits.hops == 0 {
            code = 0;
        }
        code = code << bits.to | part.to as u64 & low(bits.to);
        code = code << bits.from | part.from as u64 & low(bits.from);
        code = code << bits.mover | (part.mover + usize::from(at > 0)) as u64 & low(bits.mover);
        code << bits.shift
    }

    /// Decodes the part of a move at an index; `None` if the move has no such part.
    #[inline]
    pub(crate) fn decode(&self, code: u64, at: usize) -> Option<Part> {
        let bits = self.parts.get(at)?;
        let mut code = code.checked_shr(bits.shift).unwrap_or(0);
        let mut take = |n: u32| {
            let field = code & low(n);
            code = code.checked_shr(n).unwrap_or(0);
            field as usize
        };
        let mover = take(bits.mover);
        let mover = if at > 0 { mover.checked_sub(1)? } else { mover };
        let (from, to) = (take(bits.from), take(bits.to));
        let hops = if bits.hops == 0 { 0 } else { take(bits.hops) };
        let path = if bits.hops == 0 { 0 } else { code & low(hops as u32 * bits.hop) };
        Some(Part { mover, from, to, hops, path })
    }

    /// Index of the direction of a hop among those of its mover.
    #[inline]
    pub(crate) fn direction(&self, at: usize, part: &Part, hop: usize) -> usize {
        let bits = self.parts[at].hop;
        (part.path.checked_shr(hop as u32 * bits).unwrap_or(0) & low(bits)) as usize
    }
}

#[inline]
fn low(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}
