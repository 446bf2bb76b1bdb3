//! Forecast of conditions that compare the sizes of groups beside a placed stone, for all sites at
//! once.
//!
//! The groups of both players are found once, stone by stone, with their sizes. A stone that is
//! placed on a site joins the own groups beside it, so its group has one stone more than they have
//! together. Placing the stone and following the groups from each site would take as long for every
//! single site.

use treegauge_bits::{each_bit, has_bit};

use super::{Code, Moment};
use crate::board::Site;
use crate::fast::code::NOWHERE;
use crate::state::BoardWord;
use crate::tree::{Compare, Dirs, Num, Set};

/// Number that depends on the site of a placed stone.
#[derive(Clone, Debug)]
enum Size {
    Int(i32),
    /// The size of the group that the stone belongs to.
    Own,
    /// The size of the largest opposing group beside the stone in some directions.
    LargestBeside(Dirs),
}

/// Comparison of two sizes.
#[derive(Clone, Debug)]
pub(crate) struct Sizes {
    how: Compare,
    sizes: [Size; 2],
    /// Sites beside each site.
    near: Vec<Vec<Site>>,
}

/// Groups of a set.
struct Groups {
    /// Number of the group of each site.
    of: Vec<u16>,
    /// Number of stones of each group.
    counts: Vec<i32>,
}

/// Opposing groups beside the placed stone, and the directions to them.
pub(super) fn opposing_beside<W>(set: &Set<W>) -> Option<&Dirs> {
    match set {
        Set::Joined(seeds, within) => match (&**seeds, &**within) {
            (Set::Next(of, dirs), Set::Theirs(None)) if matches!(**of, Set::To) => Some(dirs),
            _ => None,
        },
        _ => None,
    }
}

impl Size {
    fn of<W>(n: &Num<W>) -> Option<Size> {
        match n {
            Num::Int(n) => Some(Size::Int(*n)),
            Num::Largest(Set::Joined(seeds, within)) | Num::Count(Set::Joined(seeds, within))
                if matches!((&**seeds, &**within), (Set::To, Set::Mine(None))) =>
            {
                Some(Size::Own)
            }
            Num::Largest(set) => opposing_beside(set).cloned().map(Size::LargestBeside),
            _ => None,
        }
    }
}

impl Sizes {
    /// Comparison after a player has placed a stone on an empty site; `None` if it compares other
    /// numbers. Sites must lie beside each other mutually.
    pub(super) fn of<W: BoardWord>(
        code: &Code<W>,
        how: Compare,
        [a, b]: [&Num<W>; 2],
    ) -> Option<Sizes> {
        let near = |site: usize| {
            let mut near: Vec<Site> =
                code.next.iter().map(|next| next[site]).filter(|&to| to != NOWHERE).collect();
            near.sort_unstable();
            near.dedup();
            near
        };
        let near = (0..code.program.board.len()).map(near).collect();
        Some(Sizes { how, sizes: [Size::of(a)?, Size::of(b)?], near })
    }

    /// Sites of `open` where the comparison holds after the placement.
    pub(super) fn sites<W: BoardWord>(&self, code: &Code<W>, now: &Moment<W>, open: W) -> W {
        let player = now.mover.index();
        let asks = |wanted: fn(&Size) -> bool| self.sizes.iter().any(wanted);
        let groups = |asked: bool, set: W| asked.then(|| self.groups(set));
        let mine = now.state.owners[player];
        let theirs = now.state.owners[1 - player];
        let own = groups(asks(|size| matches!(size, Size::Own)), mine);
        let other = groups(asks(|size| matches!(size, Size::LargestBeside(_))), theirs);
        let mut found = W::ZERO;
        each_bit(open, |site| {
            let [a, b] = self.sizes.each_ref().map(|size| match (size, &own, &other) {
                (Size::Int(n), ..) => *n,
                (Size::Own, Some(own), _) => 1 + self.joined(own, mine, site),
                (Size::LargestBeside(dirs), _, Some(other)) => dirs[player]
                    .iter()
                    .map(|&d| code.next[usize::from(d)][site as usize])
                    .filter(|&to| to != NOWHERE && has_bit(theirs, to.into()))
                    .map(|to| other.counts[usize::from(other.of[usize::from(to)])])
                    .max()
                    .unwrap_or(0),
                _ => unreachable!("the groups were found"),
            });
            if self.how.holds(a, b) {
                found.set(site);
            }
        });
        found
    }

    /// Number of stones of all groups of a set beside a site.
    fn joined<W: BoardWord>(&self, groups: &Groups, set: W, site: u32) -> i32 {
        // A site has few neighbours, so its groups are compared with each other.
        let near = &self.near[site as usize];
        let of = |&to: &Site| has_bit(set, to.into()).then(|| groups.of[usize::from(to)]);
        let mut count = 0;
        for (n, group) in near.iter().map(of).enumerate() {
            if let Some(group) = group
                && !near[..n].iter().any(|to| of(to) == Some(group))
            {
                count += groups.counts[usize::from(group)];
            }
        }
        count
    }

    /// Finds the groups of a set. Each stone is visited once.
    fn groups<W: BoardWord>(&self, set: W) -> Groups {
        let none = u16::MAX;
        let mut groups = Groups { of: vec![none; self.near.len()], counts: Vec::with_capacity(32) };
        let mut left: Vec<Site> = Vec::with_capacity(32);
        each_bit(set, |first| {
            if groups.of[first as usize] != none {
                return;
            }
            let number = groups.counts.len() as u16;
            let mut count = 0;
            groups.of[first as usize] = number;
            left.push(first as Site);
            while let Some(site) = left.pop() {
                count += 1;
                for &to in &self.near[usize::from(site)] {
                    let of = &mut groups.of[usize::from(to)];
                    if *of == none && has_bit(set, to.into()) {
                        *of = number;
                        left.push(to);
                    }
                }
            }
            groups.counts.push(count);
        });
        groups
    }
}
