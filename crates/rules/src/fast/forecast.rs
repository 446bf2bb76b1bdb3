//! Forecast of a condition on a move, for all sites at once.
//!
//! The `only-if` of a mover, and the `if` of the part after it, are true or false after a piece has
//! arrived at a site. A forecast gives two sets: the sites where the condition surely holds then,
//! and those where it may hold. Only for sites of the second set outside of the first is the move
//! made on a copy of the board. Conditions on the sites beside the piece are shifts of sets;
//! conditions that no group of stones is enclosed need the liberties of groups; a piece can complete
//! a line only where one stone of it lacks.

use treegauge_core::Player;

use super::code::NOWHERE;
use super::duplicates::pairs;
use super::moves::Origin;
use super::sets::{back, go};
use super::sizes::{Sizes, opposing_beside};
use super::{Code, Moment};
use crate::board::Site;
use crate::state::{BoardWord, State};
use crate::tree::{Chain, Compare, Cond, Dirs, Effect, Mover, Moves, Num, Set, Verb};

/// Largest number of directions whose neighbours are counted.
const COUNTED_MAX: usize = 15;

/// Sites where a condition surely holds, and sites where it may hold, among them the former.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known<W> {
    pub(super) surely: W,
    pub(super) maybe: W,
}

/// Condition on a piece that has arrived, as the sites for which it holds.
#[derive(Clone, Debug)]
pub(crate) enum Forecast<W> {
    And(Vec<Forecast<W>>),
    Or(Vec<Forecast<W>>),
    Not(Box<Forecast<W>>),
    /// The piece has arrived in a region, which is given for each player.
    Inside([W; 2]),
    /// Some site beside the piece belongs to all of some sets.
    Beside(Vec<Set<W>>, Dirs),
    /// The number of sites beside the piece that belong to all of some sets.
    Number(Vec<Set<W>>, Dirs, Compare, i32),
    /// The piece completes sets of a family.
    Completes(Completed<W>),
    /// The sizes of groups beside the placed stone compare in some way.
    Sizes(Box<Sizes>),
    /// The stone captures pieces by its first effect where another forecast holds. Pieces that earlier
    /// parts of the move have captured leave every site open.
    Takes(Box<Forecast<W>>),
    /// After the placement no stone of the mover is enclosed.
    MineFree,
    /// After the placement no stone of the opponent is enclosed.
    TheirsFree,
    /// Enclosed stones of the opponent are captured, and then no stone of the mover is enclosed.
    Captures,
    /// Any other condition.
    Unknown,
}

/// Sets of a family that a piece completes.
#[derive(Clone, Debug)]
pub(crate) struct Completed<W> {
    family: usize,
    /// Sites that a complete set consists of. The piece adds at most its own site.
    of: Set<W>,
    /// Whether the piece adds its own site and takes none away.
    adds_one: bool,
}

/// Forecast of the `only-if` of a mover.
#[derive(Clone, Debug)]
pub(crate) enum Filter<W> {
    /// Forecast, and whether it leaves no site open.
    Sites(Forecast<W>, bool),
    /// Targets of leaps by player and origin, for a condition that depends on nothing else.
    Leaps([Vec<W>; 2]),
    /// Targets of steps by player and direction on the board, for such a condition.
    Steps([Vec<W>; 2]),
    /// Slides along one direction to the last empty site, the direction for each player.
    Ends([u8; 2]),
}

/// Sites where a mover may arrive, by its `only-if`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Permits<'a, W> {
    Sites(Known<W>),
    /// Targets by origin.
    Leaps(&'a [W]),
    /// Targets by direction on the board.
    Steps(&'a [W]),
}

impl<W: BoardWord> Permits<'_, W> {
    /// Sites of a lane with this origin.
    #[inline]
    pub(super) fn of(&self, origin: Origin) -> Known<W> {
        let targets = match (self, origin) {
            (Permits::Sites(known), _) => return *known,
            (Permits::Leaps(by_origin), Origin::Site(from)) => by_origin[from as usize],
            (Permits::Steps(by_direction), Origin::Back(d, _)) => by_direction[usize::from(d)],
            _ => unreachable!("lanes of leaps have a site, and those of steps a direction"),
        };
        Known { surely: targets, maybe: targets }
    }
}

/// Groups of stones by their liberties, the empty sites beside them.
struct Groups<W> {
    /// Stones of groups with two liberties or more.
    roomy: W,
    /// Only liberties of groups that have one.
    last: W,
    /// Whether a group has no liberty.
    enclosed: bool,
}

/// Tests whether a placed piece changes such a set at most on its own site.
fn is_local<W>(set: &Set<W>) -> bool {
    match set {
        Set::Const(_) | Set::Empty | Set::Occupied => true,
        Set::Mine(_) | Set::Theirs(_) | Set::Piece(_) => true,
        Set::And(sets) | Set::Or(sets) => sets.iter().all(is_local),
        Set::Not(set) => is_local(set),
        _ => false,
    }
}

/// Move of one piece, or its placement, which changes nothing but the site where the piece arrives
/// and the one that it leaves.
struct Arrival<'a, W> {
    code: &'a Code<W>,
    mover: &'a Mover<W>,
    /// Whether a stone that either player may own is placed.
    places_own: bool,
    /// Origins and targets by player, unless the piece is placed.
    pairs: [Vec<(Site, Site)>; 2],
}

impl<W: BoardWord> Arrival<'_, W> {
    fn of<'a>(code: &'a Code<W>, mover: &'a Mover<W>) -> Option<Arrival<'a, W>> {
        let places = match mover.verb {
            Verb::Place => true,
            Verb::Step(_) | Verb::Slide(..) | Verb::Leap(_) | Verb::Fly | Verb::Ride(_) => false,
            Verb::Hop { chain: Chain::No, .. } => false,
            _ => return None,
        };
        if code.pits > 0 || places && !mover.to.is_free() {
            return None;
        }
        let stones = code.kinds[mover.kind.unwrap_or(0) as usize];
        let places_own = places && !stones.neutral && stones.players == [true; 2];
        let pairs = if places { [Vec::new(), Vec::new()] } else { pairs(&code.program, mover) };
        Some(Arrival { code, mover, places_own, pairs })
    }

    fn places(&self) -> bool {
        self.mover.verb == Verb::Place
    }

    /// Tests whether directions from the site of arrival lead to different sites, which the move
    /// does not change.
    fn leads_elsewhere(&self, dirs: &Dirs) -> bool {
        let returns = |player: usize| {
            self.pairs[player].iter().any(|&(from, to)| {
                dirs[player].iter().any(|&d| self.code.next[d as usize][usize::from(to)] == from)
            })
        };
        self.code.leads_apart(dirs) && !returns(0) && !returns(1)
    }

    /// Forecast of a condition after the move.
    fn forecast(&self, cond: &Cond<W>) -> Forecast<W> {
        let all = |parts: &[Cond<W>]| parts.iter().map(|part| self.forecast(part)).collect();
        let not = |of: Forecast<W>| Forecast::Not(Box::new(of));
        let stones = self.places_own && self.code.is_mutual();
        match cond {
            Cond::And(parts) => Forecast::And(all(parts)),
            Cond::Or(parts) => Forecast::Or(all(parts)),
            Cond::Not(cond) => not(self.forecast(cond)),
            Cond::In(Set::To, Set::Const(region)) => Forecast::Inside(*region),
            Cond::None(Set::Enclosed(set)) if stones && **set == Set::Mine(None) => {
                Forecast::MineFree
            }
            Cond::None(Set::Enclosed(set)) if stones && **set == Set::Theirs(None) => {
                Forecast::TheirsFree
            }
            Cond::Some(set) => self.beside(set),
            Cond::None(set) => not(self.beside(set)),
            Cond::In(set, within) if is_local(within) => {
                let Some((mut sets, dirs)) = parts_beside(set) else { return Forecast::Unknown };
                if !self.leads_elsewhere(&dirs) {
                    return Forecast::Unknown;
                }
                let some = Forecast::Beside(sets.clone(), dirs.clone());
                sets.push(Set::Not(Box::new(within.clone())));
                Forecast::And(vec![some, not(Forecast::Beside(sets, dirs))])
            }
            Cond::Compare(how, Num::Count(set), Num::Int(n)) => match parts_beside(set) {
                Some((sets, dirs))
                    if dirs.iter().all(|dirs| dirs.len() <= COUNTED_MAX)
                        && self.leads_elsewhere(&dirs) =>
                {
                    Forecast::Number(sets, dirs, *how, *n)
                }
                _ => Forecast::Unknown,
            },
            Cond::Makes(family, set) => self.completes(*family, set),
            // Where no set is completed, the number of completed sets is 0.
            Cond::Compare(how, Num::Made(family, set), Num::Int(n)) => {
                let some = match self.completes(*family, set) {
                    Forecast::Unknown => return Forecast::Unknown,
                    some => Forecast::And(vec![some, Forecast::Unknown]),
                };
                if how.holds(0, *n) { not(some) } else { some }
            }
            Cond::Compare(how, a, b) if stones => {
                let sizes = Sizes::of(self.code, *how, [a, b]);
                sizes.map_or(Forecast::Unknown, |sizes| Forecast::Sizes(Box::new(sizes)))
            }
            _ => Forecast::Unknown,
        }
    }

    fn beside(&self, set: &Set<W>) -> Forecast<W> {
        match parts_beside(set) {
            Some((sets, dirs)) if self.leads_elsewhere(&dirs) => Forecast::Beside(sets, dirs),
            _ => Forecast::Unknown,
        }
    }

    fn completes(&self, family: usize, of: &Set<W>) -> Forecast<W> {
        if !grows_by_arrival(of) {
            return Forecast::Unknown;
        }
        let placed = self.mover.kind.unwrap_or(0);
        let is_neutral = self.code.kinds[placed as usize].neutral;
        let adds_one = self.places()
            && match of {
                Set::Occupied => true,
                Set::Mine(None) => !is_neutral,
                Set::Mine(Some(kind)) => !is_neutral && *kind == placed,
                Set::Piece(kind) => *kind == placed,
                _ => false,
            };
        Forecast::Completes(Completed { family, of: of.clone(), adds_one })
    }
}

/// Tests whether the arrival of a piece adds at most its site to a set.
fn grows_by_arrival<W>(set: &Set<W>) -> bool {
    match set {
        Set::Const(_) | Set::Occupied | Set::Mine(_) | Set::Theirs(_) | Set::Piece(_) => true,
        Set::And(sets) | Set::Or(sets) => sets.iter().all(grows_by_arrival),
        _ => false,
    }
}

/// Tests whether a set depends only on the origin and the target of a move.
fn is_static<W>(set: &Set<W>) -> bool {
    match set {
        Set::Const(_) | Set::To | Set::From => true,
        Set::And(sets) | Set::Or(sets) => sets.iter().all(is_static),
        Set::Not(set) | Set::Next(set, _) => is_static(set),
        _ => false,
    }
}

/// Tests whether a condition depends only on the player, the origin and the target of a move.
fn is_cond_static<W>(cond: &Cond<W>) -> bool {
    match cond {
        Cond::And(parts) | Cond::Or(parts) => parts.iter().all(is_cond_static),
        Cond::Not(cond) => is_cond_static(cond),
        Cond::Some(set) | Cond::None(set) => is_static(set),
        Cond::In(a, b) => is_static(a) && is_static(b),
        Cond::Is(..) => true,
        _ => false,
    }
}

impl<W: BoardWord> Forecast<W> {
    /// Forecast of a condition after a move without effects; `None` if nothing can be said.
    fn after(code: &Code<W>, mover: &Mover<W>, cond: &Cond<W>) -> Option<Forecast<W>> {
        let arrival = Arrival::of(code, mover)?;
        if !mover.then.is_empty() {
            return None;
        }
        let forecast = arrival.forecast(cond);
        (!matches!(forecast, Forecast::Unknown)).then_some(forecast)
    }

    /// Forecast of an `only-if` that no own stones are enclosed after a capture; `None` if the mover
    /// has another condition or effect.
    fn after_capture(code: &Code<W>, mover: &Mover<W>, cond: &Cond<W>) -> Option<Forecast<W>> {
        let arrival = Arrival::of(code, mover)?;
        let ([Effect::Capture(Set::Enclosed(set))], Cond::None(Set::Enclosed(mine))) =
            (&mover.then[..], cond)
        else {
            return None;
        };
        let fits = arrival.places_own
            && code.is_mutual()
            && **set == Set::Theirs(None)
            && **mine == Set::Mine(None);
        fits.then_some(Forecast::Captures)
    }

    /// Forecast of an `only-if` that something was captured, if the only effect of the mover captures
    /// under a condition; `None` if the mover has another condition or effect.
    fn after_taking(code: &Code<W>, mover: &Mover<W>, cond: &Cond<W>) -> Option<Forecast<W>> {
        let arrival = Arrival::of(code, mover)?;
        let ([Effect::If(when, effects)], Cond::Some(Set::Taken)) = (&mover.then[..], cond) else {
            return None;
        };
        let ([Effect::Capture(set)] | [Effect::Capture(set), Effect::Again]) = &effects[..] else {
            return None;
        };
        if !arrival.places_own || !code.is_mutual() {
            return None;
        }
        // Groups beside the stone exist where some of their stones are beside it.
        let beside = Set::Next(Box::new(Set::To), opposing_beside(set)?.clone());
        let beside = arrival.beside(&Set::And(vec![Set::Theirs(None), beside]));
        let both = [arrival.forecast(when), beside];
        let fits = both.iter().all(Forecast::is_exact);
        fits.then(|| Forecast::Takes(Box::new(Forecast::And(both.into()))))
    }

    /// Tests whether the forecast leaves no site open.
    fn is_exact(&self) -> bool {
        match self {
            Forecast::And(parts) | Forecast::Or(parts) => parts.iter().all(Forecast::is_exact),
            Forecast::Not(part) => part.is_exact(),
            Forecast::Completes(completed) => completed.adds_one,
            Forecast::Captures | Forecast::Takes(_) | Forecast::Unknown => false,
            _ => true,
        }
    }

    /// Evaluates the condition for the sites of `open`. For other sites the result means nothing.
    fn known(&self, code: &Code<W>, now: &Moment<W>, open: W) -> Known<W> {
        let player = now.mover.index();
        let exactly = |sites: W| Known { surely: sites, maybe: sites };
        match self {
            Forecast::And(parts) => {
                let mut all = exactly(open);
                for part in parts {
                    let part = part.known(code, now, all.maybe);
                    all.surely &= part.surely;
                    all.maybe &= part.maybe;
                }
                all
            }
            Forecast::Or(parts) => {
                let mut any = exactly(W::ZERO);
                for part in parts {
                    let part = part.known(code, now, open);
                    any.surely |= part.surely;
                    any.maybe |= part.maybe;
                }
                any
            }
            Forecast::Not(part) => {
                let part = part.known(code, now, open);
                Known { surely: open & !part.maybe, maybe: open & !part.surely }
            }
            Forecast::Completes(completed) if !completed.adds_one => {
                Known { surely: W::ZERO, maybe: self.sites(code, now, open) }
            }
            Forecast::Captures => {
                let empty = code.empty(&now.state);
                let mine = code.groups_of(now.state.owners[player], empty);
                let theirs = code.groups_of(now.state.owners[1 - player], empty);
                if mine.enclosed || theirs.enclosed {
                    return Known { surely: W::ZERO, maybe: open };
                }
                // The only liberty of an opposing group captures it, which frees the stone.
                exactly(code.breathing(&mine, empty) | theirs.last)
            }
            Forecast::Takes(part) if now.taken.is_zero() => exactly(part.sites(code, now, open)),
            Forecast::Takes(_) | Forecast::Unknown => Known { surely: W::ZERO, maybe: open },
            exact => exactly(exact.sites(code, now, open)),
        }
    }

    /// Sites of `open` where the condition of an exact forecast holds, or may hold for a single
    /// condition that is not exact. For other sites the result means nothing.
    fn sites(&self, code: &Code<W>, now: &Moment<W>, open: W) -> W {
        let player = now.mover.index();
        let common = |sets: &[Set<W>]| match sets {
            [] => code.all,
            [one] => code.set(now, one),
            [first, rest @ ..] => {
                rest.iter().fold(code.set(now, first), |all, set| code.set_within(now, set, all))
            }
        };
        match self {
            Forecast::And(parts) => parts.iter().fold(open, |open, part| {
                if open.is_zero() { open } else { open & part.sites(code, now, open) }
            }),
            Forecast::Or(parts) => {
                parts.iter().fold(W::ZERO, |all, part| all | part.sites(code, now, open))
            }
            Forecast::Not(part) => open & !part.sites(code, now, open),
            Forecast::Inside(region) => region[player],
            Forecast::Beside(sets, dirs) => {
                let set = common(sets);
                let dirs = dirs[player].iter();
                dirs.fold(W::ZERO, |all, &d| all | back(&code.arcs[d as usize], set))
            }
            Forecast::Number(sets, dirs, how, n) => {
                let set = common(sets);
                // Bit `i` of the number of neighbours, by site.
                let mut bits = [W::ZERO; 4];
                for &d in &dirs[player] {
                    let mut carry = back(&code.arcs[d as usize], set);
                    for bit in &mut bits {
                        (*bit, carry) = (*bit ^ carry, *bit & carry);
                    }
                }
                let most = dirs[player].len() as i32;
                let mut found = W::ZERO;
                for number in (0..=most).filter(|&number| how.holds(number, *n)) {
                    found |= bits.iter().enumerate().fold(open, |equal, (i, &bit)| {
                        equal & if number >> i & 1 == 1 { bit } else { !bit }
                    });
                }
                found
            }
            Forecast::Completes(completed) => {
                let set = code.set(now, &completed.of);
                let mut found = W::ZERO;
                for member in &code.families[completed.family].members {
                    let lacks = member.sites & !set;
                    if lacks.is_zero() {
                        found |= member.sites;
                    } else if lacks == W::bit(lacks.lowest())
                        && (!completed.adds_one || (member.ends & set).is_zero())
                    {
                        found |= lacks;
                    }
                }
                found
            }
            Forecast::MineFree => {
                let empty = code.empty(&now.state);
                let groups = code.groups_of(now.state.owners[player], empty);
                if groups.enclosed { W::ZERO } else { code.breathing(&groups, empty) }
            }
            Forecast::TheirsFree => {
                let empty = code.empty(&now.state);
                let groups = code.groups_of(now.state.owners[1 - player], empty);
                if groups.enclosed { W::ZERO } else { !groups.last }
            }
            Forecast::Sizes(sizes) => sizes.sites(code, now, open),
            Forecast::Captures | Forecast::Takes(_) | Forecast::Unknown => open,
        }
    }
}

impl<W: BoardWord> Filter<W> {
    /// Forecast of the `only-if` of a mover; `None` if nothing can be said.
    pub(crate) fn of_mover(code: &Code<W>, mover: &Mover<W>) -> Option<Filter<W>> {
        let cond = mover.only_if.as_ref()?;
        if let Some(dirs) = to_the_end(code, mover, cond) {
            return Some(Filter::Ends(dirs));
        }
        if is_cond_static(cond) {
            match &mover.verb {
                Verb::Leap(to) => {
                    let pairs = |from: usize| to[from].iter().map(move |&to| (from as Site, to));
                    return Some(Filter::Leaps(code.targets_where(cond, to.len(), pairs)));
                }
                Verb::Step(_) if !code.by_site[mover.id] => {
                    let next = &code.next;
                    let pairs = |d: usize| (0..).zip(&next[d]).map(|(from, &to)| (from, to));
                    return Some(Filter::Steps(code.targets_where(cond, next.len(), pairs)));
                }
                _ => {}
            }
        }
        let forecast = Forecast::after(code, mover, cond);
        let forecast = forecast.or_else(|| Forecast::after_capture(code, mover, cond));
        let forecast = forecast.or_else(|| Forecast::after_taking(code, mover, cond));
        forecast.map(|forecast| {
            let is_exact = forecast.is_exact();
            Filter::Sites(forecast, is_exact)
        })
    }
}

/// Direction of each player's slides if a mover slides over empty sites along one direction, and its
/// `only-if` says that the next site in this direction is not empty.
fn to_the_end<W: BoardWord>(code: &Code<W>, mover: &Mover<W>, cond: &Cond<W>) -> Option<[u8; 2]> {
    let Verb::Slide(dirs, _) = &mover.verb else { return None };
    let (Cond::None(Set::And(sets)), [[first], [second]]) = (cond, dirs.each_ref().map(|d| &d[..]))
    else {
        return None;
    };
    let next = Set::Next(Box::new(Set::To), dirs.clone());
    let asks_next = sets.len() == 2 && sets.contains(&Set::Empty) && sets.contains(&next);
    // The piece has left its origin, which must not lie ahead of its target.
    let returns = pairs(&code.program, mover).iter().zip([first, second]).any(|(pairs, &d)| {
        pairs.iter().any(|&(from, to)| code.next[usize::from(d)][usize::from(to)] == from)
    });
    let fits = asks_next
        && !returns
        && mover.to == Set::Empty
        && mover.then.is_empty()
        && !code.by_site[mover.id]
        && code.pits == 0;
    fits.then_some([*first, *second])
}

/// Forecasts of the conditions that follow movers, by mover: of the `if` that is the rest of the
/// `seq` that the mover begins or continues.
pub(crate) fn branches<W: BoardWord>(code: &Code<W>) -> Vec<Option<Forecast<W>>> {
    let mut found = vec![None; code.movers.len()];
    look_for_branches(code, &code.body.play, &mut found);
    found
}

fn look_for_branches<W: BoardWord>(
    code: &Code<W>,
    moves: &Moves<W>,
    found: &mut [Option<Forecast<W>>],
) {
    match moves {
        Moves::Mover(_) => {}
        Moves::Or(parts) | Moves::FirstOf(parts) => {
            parts.iter().for_each(|part| look_for_branches(code, part, found));
        }
        Moves::If(_, yes, no) => {
            look_for_branches(code, yes, found);
            no.iter().for_each(|no| look_for_branches(code, no, found));
        }
        Moves::Seq(parts) => {
            parts.iter().for_each(|part| look_for_branches(code, part, found));
            if let [.., before, Moves::If(cond, _, None)] = &parts[..] {
                before.each_mover(&mut |mover| {
                    found[mover.id] = Forecast::after(code, mover, cond);
                });
            }
        }
    }
}

/// Sets whose common sites beside the piece an expression means, and the directions to them.
fn parts_beside<W: Clone>(set: &Set<W>) -> Option<(Vec<Set<W>>, Dirs)> {
    let parts = match set {
        Set::And(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    let (mut sets, mut found) = (Vec::new(), None);
    for part in parts {
        match part {
            Set::Next(set, dirs) if matches!(**set, Set::To) && found.is_none() => {
                found = Some(dirs.clone());
            }
            local if is_local(local) => sets.push(local.clone()),
            _ => return None,
        }
    }
    found.map(|dirs| (sets, dirs))
}

impl<W: BoardWord> Code<W> {
    /// Tests whether directions lead from each site to different sites, and never back to it.
    fn leads_apart(&self, dirs: &Dirs) -> bool {
        dirs.iter().all(|dirs| {
            (0..self.program.board.len()).all(|site| {
                let mut ends: Vec<usize> = dirs
                    .iter()
                    .map(|&d| usize::from(self.next[d as usize][site]))
                    .filter(|&to| to != usize::from(NOWHERE))
                    .collect();
                ends.push(site);
                let all = ends.len();
                ends.sort_unstable();
                ends.dedup();
                ends.len() == all
            })
        })
    }

    /// Tests whether each site lies beside the sites beside it, and no site beside itself.
    pub(super) fn is_mutual(&self) -> bool {
        self.next.iter().zip(&self.back).all(|(next, &back)| {
            next.iter().enumerate().all(|(site, &to)| {
                let returns = || usize::from(self.next[back][usize::from(to)]) == site;
                to == NOWHERE || usize::from(to) != site && returns()
            })
        })
    }

    /// Liberties of the groups of a set.
    fn groups_of(&self, set: W, empty: W) -> Groups<W> {
        // A stone with two empty neighbours makes its group roomy.
        let (mut once, mut twice) = (W::ZERO, W::ZERO);
        for arc in &self.spread {
            let beside = arc.go(empty);
            twice |= once & beside;
            once |= beside;
        }
        let mut groups =
            Groups { roomy: self.flood(twice & set, set), last: W::ZERO, enclosed: false };
        let mut left = set & !groups.roomy;
        while !left.is_zero() {
            let group = self.flood(W::bit(left.lowest()), left);
            left &= !group;
            let liberties = go(&self.spread, group) & empty;
            match liberties.count() {
                0 => groups.enclosed = true,
                1 => groups.last |= liberties,
                _ => groups.roomy |= group,
            }
        }
        groups
    }

    /// Sites where a stone would have a liberty, of its own or by the groups that it joins.
    fn breathing(&self, groups: &Groups<W>, empty: W) -> W {
        go(&self.spread, empty) | go(&self.spread, groups.roomy)
    }

    /// Targets of some lists of moves by player, where a condition holds that depends on the player,
    /// the origin and the target alone. A target may be [`NOWHERE`].
    fn targets_where<I: Iterator<Item = (Site, Site)>>(
        &self,
        cond: &Cond<W>,
        lists: usize,
        pairs: impl Fn(usize) -> I,
    ) -> [Vec<W>; 2] {
        Player::BOTH.map(|player| {
            let mut now = Moment::before(&State::blank(), player);
            let mut of = |list: usize| {
                let mut kept = W::ZERO;
                for (from, to) in pairs(list).filter(|&(_, to)| to != NOWHERE) {
                    (now.from, now.to) = (W::bit(from.into()), W::bit(to.into()));
                    if self.cond(&now, cond) {
                        kept.set(to.into());
                    }
                }
                kept
            };
            (0..lists).map(&mut of).collect()
        })
    }

    /// Forecast of the `only-if` of a mover for the moves of a position; `None` if it has none.
    #[inline]
    pub(super) fn permits(&self, now: &Moment<W>, mover: &Mover<W>) -> Option<Permits<'_, W>> {
        mover.only_if.as_ref()?;
        let player = now.mover.index();
        Some(match &self.filters[mover.id] {
            Some(Filter::Sites(forecast, is_exact)) => {
                let open = self.set(now, &mover.to);
                Permits::Sites(if *is_exact {
                    let sites = forecast.sites(self, now, open);
                    Known { surely: sites, maybe: sites }
                } else {
                    forecast.known(self, now, open)
                })
            }
            Some(Filter::Leaps(targets)) => Permits::Leaps(&targets[player]),
            Some(Filter::Steps(targets)) => Permits::Steps(&targets[player]),
            Some(Filter::Ends(dirs)) => {
                let ends = self.ends(now, dirs[player]);
                Permits::Sites(Known { surely: ends, maybe: ends })
            }
            None => Permits::Sites(Known { surely: W::ZERO, maybe: self.all }),
        })
    }

    /// Sites from which a direction does not lead to an empty site.
    #[inline]
    pub(super) fn ends(&self, now: &Moment<W>, d: u8) -> W {
        !back(&self.arcs[usize::from(d)], self.empty(&now.state))
    }

    /// Sites where the `if` after a mover may hold. Elsewhere its part of the move is left out.
    #[inline]
    pub(super) fn may_branch(&self, now: &Moment<W>, mover: &Mover<W>) -> W {
        match &self.branches[mover.id] {
            Some(forecast) => forecast.known(self, now, self.all).maybe,
            None => self.all,
        }
    }
}
