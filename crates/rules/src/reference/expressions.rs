//! Values of sets, numbers and conditions.

use treegauge_core::Player;

use super::{Moment, Reference, Sites};
use crate::board::Site;
use crate::position::Piece;
use crate::tree::{Cond, Num, Set};

impl Reference {
    pub(super) fn set(&self, now: &Moment, set: &Set<Vec<Site>>) -> Sites {
        let board = &self.program.board;
        let pits = board.pits() as Site;
        let of_pieces = |wanted: &dyn Fn(Piece) -> bool| -> Sites {
            let stands = |&site: &Site| now.at.pieces[site as usize].is_some_and(wanted);
            board.sites().filter(stands).collect()
        };
        let row = |player: Player| {
            let first = player.index() as Site * pits;
            (first..first + pits).filter(|&pit| now.at.seeds[pit as usize] > 0).collect::<Sites>()
        };
        let many = |sets: &[Set<Vec<Site>>]| -> Vec<Sites> {
            sets.iter().map(|set| self.set(now, set)).collect()
        };
        // All sites but the stores.
        let playing = || board.sites().filter(|&site| pits == 0 || site < 2 * pits);
        let is_empty = |site: Site| {
            if pits > 0 {
                now.at.seeds[site as usize] == 0
            } else {
                now.at.pieces[site as usize].is_none()
            }
        };
        let player = now.mover.index();
        match set {
            Set::Const(of) => of[player].iter().copied().collect(),
            Set::Empty => playing().filter(|&site| is_empty(site)).collect(),
            Set::Occupied => playing().filter(|&site| !is_empty(site)).collect(),
            Set::Mine(_) if pits > 0 => row(now.mover),
            Set::Theirs(_) if pits > 0 => row(now.mover.other()),
            Set::Mine(kind) => of_pieces(&|(owner, k)| {
                owner == Some(now.mover) && kind.is_none_or(|kind| k == kind)
            }),
            Set::Theirs(kind) => of_pieces(&|(owner, k)| {
                owner == Some(now.mover.other()) && kind.is_none_or(|kind| k == kind)
            }),
            Set::Piece(kind) => of_pieces(&|(_, k)| k == *kind),
            Set::To => now.to.clone(),
            Set::From => now.from.clone(),
            Set::Over => now.over.clone(),
            Set::Taken => now.taken.clone(),
            Set::Last(who) => now.at.last[who.of(now.mover).index()].into_iter().collect(),
            Set::And(sets) => {
                let sets = many(sets);
                sets[0].iter().copied().filter(|s| sets.iter().all(|set| set.contains(s))).collect()
            }
            Set::Or(sets) => many(sets).into_iter().flatten().collect(),
            Set::Not(set) => {
                let set = self.set(now, set);
                playing().filter(|site| !set.contains(site)).collect()
            }
            Set::FirstOf(sets) => {
                let found = many(sets).into_iter().find(|set| !set.is_empty());
                found.unwrap_or_default()
            }
            Set::Next(set, dirs) => {
                let set = self.set(now, set);
                let next =
                    |&site: &Site| dirs[player].iter().filter_map(move |&d| self.next(site, d));
                set.iter().flat_map(next).collect()
            }
            Set::Rays(set, dirs) => {
                let mut found = Sites::new();
                for site in self.set(now, set) {
                    for &d in &dirs[player] {
                        let mut at = site;
                        while let Some(next) = self.next(at, d).filter(|&next| is_empty(next)) {
                            if !found.insert(next) && next == site {
                                break;
                            }
                            at = next;
                            if at == site {
                                break;
                            }
                        }
                    }
                }
                found
            }
            Set::Custodial(dirs, most) => {
                let mut found = Sites::new();
                let theirs = self.set(now, &Set::Theirs(None));
                let mine = self.set(now, &Set::Mine(None));
                for &to in &now.to {
                    for &d in &dirs[player] {
                        let mut run = Vec::new();
                        let mut at = self.next(to, d);
                        while let Some(site) = at.filter(|site| theirs.contains(site)) {
                            if run.contains(&site) {
                                break;
                            }
                            run.push(site);
                            at = self.next(site, d);
                        }
                        let closed = at.is_some_and(|site| mine.contains(&site));
                        let fits = most.is_none_or(|most| run.len() <= most as usize);
                        if closed && fits {
                            found.extend(run);
                        }
                    }
                }
                found
            }
            Set::Joined(seeds, within) => {
                let (seeds, within) = (self.set(now, seeds), self.set(now, within));
                let touched = |group: &Sites| group.iter().any(|site| seeds.contains(site));
                self.groups_of(&within).into_iter().filter(touched).flatten().collect()
            }
            Set::Enclosed(set) => {
                let groups = self.groups_of(&self.set(now, set));
                let enclosed = |group: &Sites| {
                    let next = group.iter().flat_map(|&site| board.neighbours(site));
                    !next.into_iter().any(is_empty)
                };
                groups.into_iter().filter(enclosed).flatten().collect()
            }
            Set::Covered(family, set) => {
                let set = self.set(now, set);
                let sets = &self.program.families[*family].sets;
                let held = |(sites, ends): &&(Vec<Site>, Vec<Site>)| {
                    sites.iter().all(|s| set.contains(s)) && !ends.iter().any(|s| set.contains(s))
                };
                sets.iter().filter(held).flat_map(|(sites, _)| sites.clone()).collect()
            }
            Set::Supported => {
                let stands =
                    |&site: &Site| is_empty(site) && !board.below(site).is_some_and(is_empty);
                board.sites().filter(stands).collect()
            }
            Set::Store => [2 * pits + player as Site].into(),
            Set::Opposite(set) => {
                let set = self.set(now, set);
                set.into_iter().filter(|&s| s < 2 * pits).map(|s| 2 * pits - 1 - s).collect()
            }
            Set::After(set) => {
                let set = self.set(now, set);
                set.into_iter().filter(|&s| s < 2 * pits).map(|s| (s + 1) % (2 * pits)).collect()
            }
            Set::Counterpart(set) => {
                let set = self.set(now, set);
                set.into_iter().filter(|&s| s < 2 * pits).map(|s| (s + pits) % (2 * pits)).collect()
            }
            Set::Claimed(who) => {
                let owner = Some(who.of(now.mover));
                let is_owned = |&site: &Site| now.at.claims[site as usize] == owner;
                (0..now.at.claims.len() as Site).filter(is_owned).collect()
            }
            Set::Back(set, numbers) => {
                let set = self.set(now, set);
                let mut found = Sites::new();
                for &to in now.to.iter().filter(|&&to| to < 2 * pits) {
                    let mut at = to;
                    let holds =
                        |pit: Site| numbers.contains(&i32::from(now.at.seeds[pit as usize]));
                    while set.contains(&at) && holds(at) && found.insert(at) {
                        at = (at + 2 * pits - 1) % (2 * pits);
                    }
                }
                found
            }
        }
    }

    /// Connected groups of a set.
    pub(super) fn groups_of(&self, set: &Sites) -> Vec<Sites> {
        let mut left = set.clone();
        let mut groups = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut group = Sites::from([first]);
            let mut open = vec![first];
            while let Some(site) = open.pop() {
                for next in self.program.board.neighbours(site) {
                    if left.remove(&next) {
                        group.insert(next);
                        open.push(next);
                    }
                }
            }
            groups.push(group);
        }
        groups
    }

    pub(super) fn num(&self, now: &Moment, n: &Num<Vec<Site>>) -> i32 {
        match n {
            Num::Int(n) => *n,
            Num::Count(set) => self.set(now, set).len() as i32,
            Num::Groups(set) => self.groups_of(&self.set(now, set)).len() as i32,
            Num::Largest(set) => {
                let groups = self.groups_of(&self.set(now, set));
                groups.iter().map(|group| group.len() as i32).max().unwrap_or(0)
            }
            Num::Score(who) => {
                let player = who.of(now.mover).index();
                match now.at.seeds.get(2 * self.program.board.pits() + player) {
                    Some(&seeds) => i32::from(seeds),
                    None => i32::from(now.at.score[player]),
                }
            }
            Num::Hand(who, kind) => {
                let hands = &now.at.hands[who.of(now.mover).index()];
                match kind {
                    Some(kind) => i32::from(hands[*kind as usize]),
                    None => hands.iter().map(|&n| i32::from(n)).sum(),
                }
            }
            Num::Made(family, set) => {
                let set = self.set(now, set);
                let sets = &self.program.families[*family].sets;
                let made = |(sites, ends): &&(Vec<Site>, Vec<Site>)| {
                    sites.iter().any(|s| now.to.contains(s))
                        && sites.iter().all(|s| set.contains(s))
                        && !ends.iter().any(|s| set.contains(s))
                };
                sets.iter().filter(made).count() as i32
            }
            Num::Seeds(set) => self.set(now, set).iter().map(|&s| self.seeds(now, s)).sum(),
            Num::Add(parts) => {
                parts.iter().fold(0i32, |sum, n| sum.saturating_add(self.num(now, n)))
            }
            Num::Sub(a, b) => self.num(now, a).saturating_sub(self.num(now, b)),
        }
    }

    pub(super) fn seeds(&self, now: &Moment, site: Site) -> i32 {
        i32::from(now.at.seeds.get(site as usize).copied().unwrap_or(0))
    }

    pub(super) fn cond(&self, now: &Moment, cond: &Cond<Vec<Site>>) -> bool {
        match cond {
            Cond::Compare(how, a, b) => how.holds(self.num(now, a), self.num(now, b)),
            Cond::Some(set) => !self.set(now, set).is_empty(),
            Cond::None(set) => self.set(now, set).is_empty(),
            Cond::In(a, b) => {
                let (a, b) = (self.set(now, a), self.set(now, b));
                !a.is_empty() && a.is_subset(&b)
            }
            Cond::Is(a, b) => a.of(now.mover) == b.of(now.mover),
            Cond::Makes(family, set) => self.num(now, &Num::Made(*family, set.clone())) > 0,
            Cond::Connects(set, ends) => {
                let groups = self.groups_of(&self.set(now, set));
                let ends: Vec<Sites> = ends.iter().map(|set| self.set(now, set)).collect();
                let touches = |group: &Sites| ends.iter().all(|end| !end.is_disjoint(group));
                groups.iter().any(touches)
            }
            Cond::Opening(n) => u32::from(now.at.plies) < *n,
            Cond::And(parts) => parts.iter().all(|cond| self.cond(now, cond)),
            Cond::Or(parts) => parts.iter().any(|cond| self.cond(now, cond)),
            Cond::Not(cond) => !self.cond(now, cond),
            Cond::Even(n) => self.num(now, n) % 2 == 0,
        }
    }
}
