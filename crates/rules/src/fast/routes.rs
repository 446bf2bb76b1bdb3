//! Tables of the single hops of a mover of chains, for boards where directions lead by many
//! displacements, as drawn boards have many short lines.
//!
//! Most positions have few hops or none. Testing those of each piece takes less time than shifting the
//! pieces along each line. The hops that are possible are bits of a word, in the order of the lanes.

use treegauge_bits::{Wide, Word, each_bit, has_bit};

use super::Code;
use super::code::NOWHERE;
use super::moves::Origin;
use crate::board::Site;
use crate::state::BoardWord;
use crate::tree::{Chain, Mover, Verb};

/// Largest number of displacements along which shifting sets takes less time.
const SHIFTS_MAX: usize = 12;

/// Hop over the site `mid`.
#[derive(Clone, Copy, Debug)]
struct Route {
    mid: Site,
    to: Site,
    /// Place in the order of all routes of the player.
    rank: u16,
}

/// Routes of a mover.
#[derive(Clone, Debug)]
pub(crate) struct Routes {
    /// Routes by player and origin.
    from: [Vec<Vec<Route>>; 2],
    /// Index of the direction in the mover's list, and target, by player and rank.
    order: [Vec<(u8, Site)>; 2],
}

impl Routes {
    /// Routes of a mover; `None` if its lanes take less time, or if there are more routes than bits.
    pub(crate) fn of<W: BoardWord>(code: &Code<W>, mover: &Mover<W>) -> Option<Routes> {
        let Verb::Hop { dirs, chain: Chain::Must | Chain::May, .. } = &mover.verb else {
            return None;
        };
        let shifts = |dirs: &Vec<u8>| -> usize {
            dirs.iter().map(|&d| code.arcs[usize::from(d)].len()).sum()
        };
        if dirs.iter().all(|dirs| shifts(dirs) <= SHIFTS_MAX) || code.by_site[mover.id] {
            return None;
        }
        let sites = code.program.board.len();
        let mut routes = Routes {
            from: [0, 1].map(|_: usize| vec![Vec::new(); sites]),
            order: [Vec::new(), Vec::new()],
        };
        for (player, dirs) in dirs.iter().enumerate() {
            let mut all: Vec<(u8, Site, Site, Site)> = Vec::new();
            for (n, &d) in dirs.iter().enumerate() {
                let next = &code.next[usize::from(d)];
                for from in 0..sites as Site {
                    let mid = next[usize::from(from)];
                    let to = if mid == NOWHERE { NOWHERE } else { next[usize::from(mid)] };
                    if to != NOWHERE && to != from {
                        all.push((n as u8, to, from, mid));
                    }
                }
            }
            if all.len() > Wide::BITS as usize {
                return None;
            }
            all.sort_unstable();
            for (rank, (n, to, from, mid)) in all.into_iter().enumerate() {
                routes.from[player][usize::from(from)].push(Route { mid, to, rank: rank as u16 });
                routes.order[player].push((n, to));
            }
        }
        Some(routes)
    }

    /// Calls `visit` with the lanes of a player's pieces that hop over sites of `over` and arrive at
    /// sites of `to`, until it returns a value. Empty lanes are left out.
    #[inline]
    pub(super) fn lanes<W: BoardWord, R>(
        &self,
        player: usize,
        dirs: &[u8],
        [from, over, to]: [W; 3],
        mut visit: impl FnMut(W, Origin) -> Option<R>,
    ) -> Option<R> {
        let mut found = Wide::ZERO;
        each_bit(from, |site| {
            for route in &self.from[player][site as usize] {
                if has_bit(to, route.to.into()) && has_bit(over, route.mid.into()) {
                    found.set(route.rank.into());
                }
            }
        });
        let order = &self.order[player];
        let origin = |n: u8| Origin::Hopped(n, dirs[usize::from(n)]);
        let mut lane: Option<(u8, W)> = None;
        for rank in found.ones() {
            let (n, site) = order[rank as usize];
            let site = W::bit(site.into());
            match &mut lane {
                Some((known, sites)) if *known == n => *sites |= site,
                _ => {
                    if let Some((n, sites)) = lane.replace((n, site))
                        && let found @ Some(_) = visit(sites, origin(n))
                    {
                        return found;
                    }
                }
            }
        }
        lane.and_then(|(n, sites)| visit(sites, origin(n)))
    }

    /// Pieces that can hop.
    pub(super) fn hopping<W: BoardWord>(&self, player: usize, [from, over, to]: [W; 3]) -> W {
        let mut found = W::ZERO;
        each_bit(from, |site| {
            let may =
                |route: &Route| has_bit(over, route.mid.into()) && has_bit(to, route.to.into());
            if self.from[player][site as usize].iter().any(may) {
                found.set(site);
            }
        });
        found
    }
}
