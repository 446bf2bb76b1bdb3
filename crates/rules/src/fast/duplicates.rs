//! Ways to move that may be one move: the same piece, origin and target.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::board::Site;
use crate::tree::{Chain, Mover, Moves, Program, Set, Verb};

/// Ways to move that may have the same text, so that texts must be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Duplicates {
    /// No two ways.
    Never,
    /// Only ways of different movers that begin with placements on the same site.
    Placements,
    /// Any ways.
    Any,
}

/// Tests whether a mover could bring one piece to one site in two ways.
pub(super) fn overlaps_itself<C>(program: &Program, mover: &Mover<C>) -> bool {
    let board = &program.board;
    if board.wrap.columns || board.wrap.rows {
        return true;
    }
    pairs(program, mover).iter().any(|pairs| {
        let mut sorted = pairs.clone();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    })
}

/// Pairs of origin and target of each player's possible moves, one pair for each way.
pub(super) fn pairs<C>(program: &Program, mover: &Mover<C>) -> [Vec<(Site, Site)>; 2] {
    let board = &program.board;
    let next = |d: u8, site: Site| board.directions[d as usize].next[site as usize];
    [0, 1].map(|player: usize| {
        let mut found = Vec::new();
        for from in board.sites() {
            match &mover.verb {
                Verb::Step(dirs) => {
                    found.extend(dirs[player].iter().filter_map(|&d| Some((from, next(d, from)?))));
                }
                Verb::Slide(dirs, most) => {
                    for &d in &dirs[player] {
                        let mut at = from;
                        for _ in 0..(*most).min(board.len() as u32) {
                            let Some(to) = next(d, at).filter(|&to| to != from) else { break };
                            found.push((from, to));
                            at = to;
                        }
                    }
                }
                Verb::Hop { dirs, chain, .. } => {
                    let two = |from: Site, d: u8| next(d, next(d, from)?);
                    let mut landed: Vec<Site> =
                        dirs[player].iter().filter_map(|&d| two(from, d)).collect();
                    if *chain == Chain::Reach {
                        let mut at = 0;
                        while let Some(&site) = landed.get(at) {
                            landed.extend(dirs[player].iter().filter_map(|&d| two(site, d)));
                            let mut seen = BTreeSet::from([from]);
                            landed.retain(|&site| seen.insert(site));
                            at += 1;
                        }
                    }
                    found.extend(landed.into_iter().map(|to| (from, to)));
                }
                Verb::Leap(to) => {
                    found.extend(to[from as usize].iter().map(|&to| (from, to)));
                }
                Verb::Fly => found.extend(board.sites().map(|to| (from, to))),
                Verb::Ride(bends) => {
                    found.extend(board.ridden(from, *bends).into_iter().map(|to| (from, to)));
                }
                _ => {}
            }
        }
        found
    })
}

/// Ways to move of one position that may have the same text.
pub(super) fn duplicates(program: &Program) -> Duplicates {
    let ways = Ways { program, joined: RefCell::default() };
    ways.within(&program.body.play, true)
}

/// Sites that each player can join by a move: the bit `from * sites + to` for each pair.
type Joined = [Vec<u64>; 2];

/// Ways to move of a program.
struct Ways<'a> {
    program: &'a Program,
    /// Pairs of the movers that were compared, by their ids.
    joined: RefCell<BTreeMap<usize, Rc<Joined>>>,
}

impl Ways<'_> {
    fn joined(&self, mover: &Mover<Vec<Site>>) -> Rc<Joined> {
        let find = || {
            let sites = self.program.board.len();
            Rc::new(pairs(self.program, mover).map(|pairs| {
                let mut words = vec![0u64; (sites * sites).div_ceil(64)];
                for (from, to) in pairs {
                    let bit = from as usize * sites + to as usize;
                    words[bit / 64] |= 1 << (bit % 64);
                }
                words
            }))
        };
        self.joined.borrow_mut().entry(mover.id).or_insert_with(find).clone()
    }

    /// Tests whether a move of one mover may have the text of a move of the other.
    fn clash(&self, a: &Mover<Vec<Site>>, b: &Mover<Vec<Site>>) -> bool {
        // The text says whether the site was occupied, except that of hops.
        let is_by_site = |m: &Mover<Vec<Site>>| !matches!(m.verb, Verb::Hop { .. });
        let takes = |m: &Mover<Vec<Site>>| matches!(m.to, Set::Theirs(_) | Set::Occupied);
        let differ = |a: &Mover<Vec<Site>>, b: &Mover<Vec<Site>>| {
            is_by_site(a) && is_by_site(b) && a.to.is_free() && takes(b)
        };
        match (&a.verb, &b.verb) {
            (Verb::Place, Verb::Place) => !self.program.places_kinds() || a.kind == b.kind,
            _ if moves_a_piece(a) && moves_a_piece(b) => {
                if a.kind.is_some() && b.kind.is_some() && a.kind != b.kind {
                    return false;
                }
                if differ(a, b) || differ(b, a) {
                    return false;
                }
                if let (Verb::Ride(_), Verb::Ride(_)) = (&a.verb, &b.verb) {
                    return true;
                }
                let (a, b) = (self.joined(a), self.joined(b));
                let mut players = a.iter().zip(&*b);
                players.any(|(a, b)| a.iter().zip(b).any(|(a, b)| a & b != 0))
            }
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    fn within(&self, moves: &Moves<Vec<Site>>, is_first: bool) -> Duplicates {
        match moves {
            // Chains on rings may reach the same sites by different hops.
            Moves::Mover(mover)
                if matches!(mover.verb, Verb::Hop { .. })
                    && overlaps_itself(self.program, mover) =>
            {
                Duplicates::Any
            }
            Moves::Mover(_) => Duplicates::Never,
            Moves::FirstOf(parts) => most(parts.iter().map(|part| self.within(part, is_first))),
            Moves::Seq(parts) => most(
                parts.iter().enumerate().map(|(n, part)| self.within(part, is_first && n == 0)),
            ),
            Moves::If(_, yes, no) => {
                let no = no.iter().map(|no| self.within(no, is_first));
                most(no.chain([self.within(yes, is_first)]))
            }
            Moves::Or(parts) => {
                let lists: Vec<Vec<_>> = parts.iter().map(firsts).collect();
                let clashes = (0..lists.len())
                    .flat_map(|j| (0..j).map(move |i| (i, j)))
                    .flat_map(|(i, j)| {
                        lists[i]
                            .iter()
                            .flat_map(|a| lists[j].iter().map(|b| (*a, *b)))
                            .collect::<Vec<_>>()
                    })
                    .filter(|(a, b)| self.clash(a, b))
                    .map(|(a, _)| match a.verb {
                        Verb::Place if is_first => Duplicates::Placements,
                        _ => Duplicates::Any,
                    });
                most(clashes.chain(parts.iter().map(|part| self.within(part, is_first))))
            }
        }
    }
}

/// The greatest, found without looking further than the first [`Duplicates::Any`].
fn most(mut found: impl Iterator<Item = Duplicates>) -> Duplicates {
    let mut greatest = Duplicates::Never;
    while greatest != Duplicates::Any {
        let Some(next) = found.next() else { break };
        greatest = greatest.max(next);
    }
    greatest
}

/// Movers of the parts with which moves begin.
fn firsts(moves: &Moves<Vec<Site>>) -> Vec<&Mover<Vec<Site>>> {
    match moves {
        Moves::Mover(mover) => vec![mover],
        Moves::Or(parts) | Moves::FirstOf(parts) => parts.iter().flat_map(firsts).collect(),
        Moves::Seq(parts) => firsts(&parts[0]),
        Moves::If(_, yes, no) => {
            let no = no.iter().flat_map(|no| firsts(no));
            firsts(yes).into_iter().chain(no).collect()
        }
    }
}

fn moves_a_piece<C>(mover: &Mover<C>) -> bool {
    matches!(
        mover.verb,
        Verb::Step(_)
            | Verb::Slide(..)
            | Verb::Leap(_)
            | Verb::Fly
            | Verb::Ride(_)
            | Verb::Hop { .. }
    )
}
