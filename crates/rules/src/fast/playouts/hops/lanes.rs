//! Lanes of steps and hops.

use super::{Board, LANES_MAX};
use crate::fast::Code;
use crate::fast::code::Arc1;
use crate::state::{BoardWord, KINDS};
use crate::tree::{Chain, Mover, Set, Verb};

/// Displacement of sites that stay on the board, as a rotation of bits upwards. A rotation needs no
/// test for the direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    there: u32,
    back: u32,
}

impl Shift {
    fn of<W: BoardWord>(arc: &Arc1<W>) -> Shift {
        let places = |up: u32, down: u32| (W::BITS + up - down) % W::BITS;
        Shift { there: places(arc.up, arc.down), back: places(arc.down, arc.up) }
    }

    #[inline(always)]
    pub(super) fn go<W: BoardWord>(self, set: W) -> W {
        set.rotated(self.there)
    }

    /// Moves a set in the opposite direction.
    #[inline(always)]
    pub(super) fn back<W: BoardWord>(self, set: W) -> W {
        set.rotated(self.back)
    }

    /// Tests whether another displacement is the opposite of this one.
    fn is_back_of(self, other: Shift) -> bool {
        self.there == other.back
    }
}

/// Owner of the pieces that may be hopped over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Theirs,
    Mine,
    Anybody,
}

impl Over {
    #[inline(always)]
    pub(super) fn of<W: BoardWord>(self, board: &Board<W>) -> W {
        match self {
            Over::Theirs => board.other,
            Over::Mine => board.own,
            Over::Anybody => board.own | board.other | board.neutral,
        }
    }
}

/// Mover of a lane for each kind, by the number of the kind.
pub(super) type Movers = [Option<u8>; KINDS];

/// Steps of one displacement.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepLane<W> {
    pub(super) by: Shift,
    /// Sites where a step may start.
    from: W,
    /// Sites where a step may arrive. Every site of `from` leads to one of them.
    into: W,
    /// Whether a step may arrive on opposing pieces.
    captures: bool,
    /// Kinds that move, as an index into the list of these sets.
    pub(super) select: usize,
    pub(super) movers: Movers,
}

impl<W: BoardWord> StepLane<W> {
    /// Sites where pieces arrive.
    #[inline(always)]
    pub(super) fn targets(&self, pieces: W, board: &Board<W>, empty: W) -> W {
        let onto = if self.captures { empty | board.other } else { empty };
        self.by.go(pieces & self.from) & onto
    }
}

/// Hops of one displacement.
#[derive(Clone, Copy, Debug)]
pub(super) struct HopLane<W> {
    /// Displacement to the piece that is hopped over, and from there to the target.
    pub(super) first: Shift,
    pub(super) second: Shift,
    /// Sites where a hop may start.
    pub(super) from: W,
    /// Sites where a hop may arrive. Every site of `from` leads to one of them.
    into: W,
    pub(super) over: Over,
    pub(super) chain: Chain,
    pub(super) select: usize,
    pub(super) movers: Movers,
}

impl<W: BoardWord> HopLane<W> {
    /// Sites where pieces arrive.
    #[inline(always)]
    pub(super) fn targets(&self, pieces: W, board: &Board<W>, free: W) -> W {
        let over = self.first.go(pieces & self.from) & self.over.of(board);
        self.second.go(over) & free
    }
}

/// Group of a player's moves. If a group has any move, one of its moves must be played.
#[derive(Clone, Debug)]
pub(super) struct Group<W> {
    pub(super) steps: Vec<StepLane<W>>,
    pub(super) hops: Vec<HopLane<W>>,
    /// Whether some hops may continue.
    pub(super) chains: bool,
}

impl<W: BoardWord> Group<W> {
    /// Lanes of some movers; `None` if a mover has another form. Lanes that differ only in the kind
    /// of piece are merged.
    pub(super) fn of(
        code: &Code<W>,
        player: usize,
        movers: &[&Mover<W>],
        selects: &mut Vec<u8>,
    ) -> Option<Group<W>> {
        let (mut steps, mut hops) = (Vec::<StepLane<W>>::new(), Vec::<HopLane<W>>::new());
        for mover in movers {
            let kinds = movers_by_kind(code, mover)?;
            if mover.only_if.is_some() {
                return None;
            }
            let (captures, into) = arrivals(&mover.to)?;
            let into = into.map_or(code.all, |into| into[player]);
            match &mover.verb {
                Verb::Step(dirs) => {
                    for arc in dirs[player].iter().flat_map(|&d| &code.arcs[d as usize]) {
                        let (by, from) = (Shift::of(arc), arc.from);
                        let same = |lane: &&mut StepLane<W>| {
                            (lane.by, lane.from, lane.into, lane.captures)
                                == (by, from, into, captures)
                                && apart(&lane.movers, &kinds)
                        };
                        match steps.iter_mut().find(same) {
                            Some(lane) => join(&mut lane.movers, &kinds),
                            None => {
                                let movers = kinds;
                                let select = 0;
                                steps.push(StepLane { by, from, into, captures, select, movers });
                            }
                        }
                    }
                }
                Verb::Hop { dirs, over, chain } if !captures => {
                    let over = match over {
                        Set::Theirs(None) => Over::Theirs,
                        Set::Mine(None) => Over::Mine,
                        Set::Occupied => Over::Anybody,
                        _ => return None,
                    };
                    for &d in &dirs[player] {
                        let arcs = &code.arcs[d as usize];
                        for (a, b) in arcs.iter().flat_map(|a| arcs.iter().map(move |b| (a, b))) {
                            let (first, second) = (Shift::of(a), Shift::of(b));
                            let from = a.from & first.back(first.go(a.from) & b.from);
                            // On a ring drawn from a line of two sites, a hop would return to its
                            // origin.
                            if from.is_zero() || first.is_back_of(second) {
                                continue;
                            }
                            let same = |lane: &&mut HopLane<W>| {
                                let ways = (lane.first, lane.second, lane.from, lane.into);
                                ways == (first, second, from, into)
                                    && (lane.over, lane.chain) == (over, *chain)
                                    && apart(&lane.movers, &kinds)
                            };
                            match hops.iter_mut().find(same) {
                                Some(lane) => join(&mut lane.movers, &kinds),
                                None => hops.push(HopLane {
                                    first,
                                    second,
                                    from,
                                    into,
                                    over,
                                    chain: *chain,
                                    select: 0,
                                    movers: kinds,
                                }),
                            }
                        }
                    }
                }
                _ => return None,
            }
        }
        if steps.len() + hops.len() > LANES_MAX {
            return None;
        }
        let steps_and_hops = steps.iter_mut().map(|lane| (&lane.movers, &mut lane.select));
        let hop_lanes = hops.iter_mut().map(|lane| (&lane.movers, &mut lane.select));
        for (movers, select) in steps_and_hops.chain(hop_lanes) {
            let bit = |(n, mover): (usize, &Option<u8>)| u8::from(mover.is_some()) << n;
            let kinds = movers.iter().enumerate().map(bit).sum();
            *select = selects.iter().position(|&known| known == kinds).unwrap_or_else(|| {
                selects.push(kinds);
                selects.len() - 1
            });
        }
        for lane in &mut steps {
            lane.from &= lane.by.back(lane.by.go(lane.from) & lane.into);
        }
        for lane in &mut hops {
            let to = lane.second.go(lane.first.go(lane.from)) & lane.into;
            lane.from &= lane.first.back(lane.second.back(to));
        }
        let chains = hops.iter().any(|lane| lane.chain != Chain::No);
        Some(Group { steps, hops, chains })
    }

    /// Tests whether two successive hops over different pieces may return to the origin, or to the
    /// site that the first has hopped over.
    pub(super) fn returns(&self) -> bool {
        self.hops.iter().any(|lane| {
            lane.from.ones().any(|site| {
                let from = W::bit(site);
                let over = lane.first.go(from);
                let to = lane.second.go(over);
                self.hops.iter().any(|next| {
                    let middle = next.first.go(to & next.from);
                    let end = next.second.go(middle);
                    middle != over && (end == from || end == over)
                })
            })
        })
    }
}

/// Mover of each kind that `mover` moves; `None` if it moves neutral pieces.
fn movers_by_kind<W>(code: &Code<W>, mover: &Mover<W>) -> Option<Movers> {
    let mut movers = [None; KINDS];
    for (n, kind) in code.kinds.iter().enumerate() {
        if mover.kind.is_none_or(|moved| usize::from(moved) == n) {
            if kind.neutral {
                // A mover without a kind moves only pieces that players own.
                mover.kind.is_none().then_some(())?;
            } else {
                movers[kind.number] = Some(u8::try_from(mover.id).ok()?);
            }
        }
    }
    Some(movers)
}

/// Form of a target set: whether it adds opposing pieces to the empty sites, and the region that
/// limits it. `None` if the set has another form.
fn arrivals<W: BoardWord>(set: &Set<W>) -> Option<(bool, Option<[W; 2]>)> {
    match set {
        Set::Empty => Some((false, None)),
        Set::Or(sets) => {
            let both = [Set::Empty, Set::Theirs(None)].iter().all(|set| sets.contains(set));
            (both && sets.len() == 2).then_some((true, None))
        }
        Set::And(sets) => match &sets[..] {
            [set, Set::Const(within)] | [Set::Const(within), set] => match arrivals(set)? {
                (captures, None) => Some((captures, Some(*within))),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Computes a value of each lane. The most frequent numbers of lanes have loops of their own.
#[inline(always)]
pub(super) fn each<L, V>(lanes: &[L], values: &mut [V], mut of: impl FnMut(&L) -> V) {
    #[inline(always)]
    fn fixed<const N: usize, L, V>(
        lanes: &[L],
        values: &mut [V],
        of: &mut impl FnMut(&L) -> V,
    ) -> Option<()> {
        let lanes: &[L; N] = lanes.try_into().ok()?;
        let values: &mut [V; N] = values.first_chunk_mut()?;
        for n in 0..N {
            values[n] = of(&lanes[n]);
        }
        Some(())
    }
    let done = match lanes.len() {
        0 => Some(()),
        2 => fixed::<2, L, V>(lanes, values, &mut of),
        4 => fixed::<4, L, V>(lanes, values, &mut of),
        8 => fixed::<8, L, V>(lanes, values, &mut of),
        _ => None,
    };
    if done.is_none() {
        for (lane, value) in lanes.iter().zip(values) {
            *value = of(lane);
        }
    }
}

/// Tests whether two movers move different kinds.
fn apart(a: &Movers, b: &Movers) -> bool {
    a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none())
}

/// Adds movers of other kinds.
fn join(lane: &mut Movers, more: &Movers) {
    for (lane, more) in lane.iter_mut().zip(more) {
        *lane = lane.or(*more);
    }
}
