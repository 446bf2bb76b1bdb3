//! Games in which pieces step and hop, in chains too.
//!
//! While no hop goes on, hops are bits, as steps are. Where one does, chains are walked.

mod lanes;

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Playout, PlayoutLimits};

use self::lanes::{Group, HopLane};
use super::Mechanism;
use crate::fast::{Code, Moment};
use crate::layout::MOVES_MAX;
use crate::state::{BoardWord, KINDS, State};
use crate::tree::{Chain, Cond, Effect, Mover, Moves, Set, Verb};

/// The lanes of a group: steps first.
const LANES_MAX: usize = 16;

/// The sets of kinds that move alike.
const SELECTS_MAX: usize = 8;

/// A game of steps and hops.
#[derive(Clone, Debug)]
pub(crate) struct Hops<W> {
    /// The moves of each player: those of the first group that has any.
    groups: [Vec<Group<W>>; 2],
    /// The kinds that lanes move, each set once.
    selects: Vec<Select<W>>,
    /// What a move of each mover does besides.
    effects: Vec<After<W>>,
    /// By the number of a kind, whether its moves are progress.
    onward: [bool; KINDS],
    /// Whether a chain may come to where it began or to a site that it has emptied.
    returns: bool,
    /// Whether all pieces are of one kind.
    one_kind: bool,
}

/// A set of kinds.
#[derive(Clone, Copy, Debug)]
struct Select<W> {
    /// Bits by the numbers of kinds.
    kinds: u8,
    /// Whether it is all kinds that players own.
    all: bool,
    /// Of one kind, which planes of kinds must be turned round to have it in common.
    turned: Option<[W; 2]>,
}

impl<W: BoardWord> Select<W> {
    fn of(kinds: u8, owned: usize) -> Select<W> {
        let number = kinds.trailing_zeros();
        let turned = [0, 1].map(|bit| if number >> bit & 1 == 0 { !W::ZERO } else { W::ZERO });
        Select {
            kinds,
            all: kinds.count_ones() as usize == owned,
            turned: (kinds.count_ones() == 1).then_some(turned),
        }
    }

    /// The player's pieces of these kinds.
    #[inline(always)]
    fn pieces(&self, board: &Board<W>) -> W {
        let [low, high] = board.kinds;
        if self.all {
            board.own
        } else if let Some(turned) = self.turned {
            board.own & (low ^ turned[0]) & (high ^ turned[1])
        } else {
            let sets = [!(low | high), low & !high, high & !low, low & high];
            let chosen = sets.iter().enumerate().filter(|(n, _)| self.kinds >> n & 1 == 1);
            board.own & chosen.fold(W::ZERO, |all, (_, &set)| all | set)
        }
    }
}

/// What a step or a hop does besides.
#[derive(Clone, Debug, Default)]
struct After<W> {
    /// The piece that is hopped over leaves the board.
    takes: bool,
    /// A piece that arrives in a region, of each player, becomes of a kind.
    becomes: Option<([W; 2], usize)>,
    /// Which players may own that kind.
    may: [bool; 2],
}

/// The pieces in the middle of a move.
#[derive(Clone, Copy, Debug)]
struct Board<W> {
    own: W,
    other: W,
    /// Sites of neutral pieces.
    neutral: W,
    kinds: [W; 2],
    taken: W,
    progress: bool,
}

impl<W: BoardWord> Board<W> {
    #[inline(always)]
    fn of(now: &Moment<W>) -> Board<W> {
        let player = now.mover.index();
        let owners = &now.state.owners;
        Board {
            own: owners[player],
            other: owners[1 - player],
            neutral: owners[2],
            kinds: now.state.kinds,
            taken: W::ZERO,
            progress: false,
        }
    }

    /// The number of the kind of the piece on a site.
    #[inline(always)]
    fn number(&self, bit: W) -> usize {
        let [low, high] = self.kinds.map(|plane| usize::from(!(plane & bit).is_zero()));
        low + 2 * high
    }
}

/// The moves of a position.
pub(super) struct Offer<W> {
    /// The number of the group that has moves.
    group: usize,
    /// Where the moves of each lane arrive, and how many there are up to it.
    targets: [W; LANES_MAX],
    sums: [u32; LANES_MAX],
    /// How many lanes have been counted.
    lanes: usize,
    /// Whether a hop goes on, so that hops are walked.
    walked: bool,
    /// Whether there are more ways to move than are legal.
    cut: bool,
}

/// Where a chain has ended.
struct Arrived<W> {
    board: Board<W>,
    from: W,
    over: W,
    to: W,
}

impl<W: BoardWord> Hops<W> {
    pub(super) fn of(code: &Code<W>) -> Option<Hops<W>> {
        if code.duplicates || code.by_site.contains(&true) || code.pits > 0 {
            return None;
        }
        let parts = match &code.body.play {
            Moves::FirstOf(parts) => &parts[..],
            other => std::slice::from_ref(other),
        };
        let mut groups: Vec<Vec<&Mover<W>>> = Vec::new();
        for part in parts {
            let mut movers = Vec::new();
            alternatives(part, &mut movers)?;
            groups.push(movers);
        }
        let effects: Option<Vec<After<W>>> =
            code.movers.iter().map(|mover| After::of(code, mover)).collect();
        let mut kinds = Vec::new();
        let mut of_player = |player: usize| -> Option<Vec<Group<W>>> {
            let groups = groups.iter();
            groups.map(|movers| Group::of(code, player, movers, &mut kinds)).collect()
        };
        let groups = [of_player(0)?, of_player(1)?];
        let mut onward = [false; KINDS];
        let owned = || code.kinds.iter().filter(|kind| !kind.neutral);
        owned().for_each(|kind| onward[kind.number] = kind.onward);
        let returns = groups.iter().flatten().any(Group::returns);
        let count = owned().count();
        let one_kind = count == 1;
        let few = kinds.len() <= SELECTS_MAX;
        let selects = kinds.into_iter().map(|kinds| Select::of(kinds, count)).collect();
        few.then_some(Hops { groups, selects, effects: effects?, onward, returns, one_kind })
    }

    pub(super) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        choices: Choices<'_, R>,
    ) -> Playout {
        super::run(self, code, state, limits, choices)
    }

    /// The pieces that each set of kinds moves.
    #[inline(always)]
    fn movable(&self, board: &Board<W>) -> [W; SELECTS_MAX] {
        let mut from = [W::ZERO; SELECTS_MAX];
        for (from, select) in from.iter_mut().zip(&self.selects) {
            *from = select.pieces(board);
        }
        from
    }

    /// Whether a hop that may go on does, by the lanes of the hops of a group.
    #[inline(always)]
    fn goes_on(
        &self,
        group: &Group<W>,
        board: &Board<W>,
        from: &[W; SELECTS_MAX],
        targets: &[W],
        all: W,
    ) -> bool {
        let empty = all & !(board.own | board.other | board.neutral);
        let free = if self.returns { all } else { empty };
        let mut landed = [W::ZERO; SELECTS_MAX];
        for (n, (landed, select)) in landed.iter_mut().zip(&self.selects).enumerate() {
            if from[n].is_zero() {
                continue;
            }
            for (lane, &targets) in group.hops.iter().zip(targets) {
                // Of a lane that moves other kinds too, only what these kinds do.
                *landed |= if self.selects[lane.select].kinds & !select.kinds == 0 {
                    targets
                } else {
                    lane.targets(from[lane.select] & from[n], board, empty)
                };
            }
        }
        let chains = group.hops.iter().filter(|lane| lane.chain != Chain::No);
        chains.fold(W::ZERO, |on, lane| on | lane.targets(landed[lane.select], board, free))
            != W::ZERO
    }

    /// A piece goes from one site to another, over a third where it hops; whether it has become of
    /// another kind.
    #[inline(always)]
    fn carry(
        &self,
        board: &mut Board<W>,
        player: usize,
        mover: usize,
        [from, over, to]: [W; 3],
    ) -> bool {
        let after = &self.effects[mover];
        let number = if self.one_kind { 0 } else { board.number(from) };
        board.progress |= self.onward[number];
        let struck = to & board.other | if after.takes { over } else { W::ZERO };
        if !struck.is_zero() {
            board.own &= !struck;
            board.other &= !struck;
            board.neutral &= !struck;
            board.kinds = board.kinds.map(|plane| plane & !struck);
            board.taken |= struck;
            board.progress = true;
        }
        board.own = board.own & !from | to;
        if self.one_kind {
            return false;
        }
        let mut becomes = number;
        if let Some((region, number)) = after.becomes
            && after.may[player]
            && !(to & region[player]).is_zero()
        {
            becomes = number;
        }
        for (bit, plane) in board.kinds.iter_mut().enumerate() {
            *plane &= !from;
            if becomes >> bit & 1 == 1 {
                *plane |= to;
            }
        }
        board.progress |= becomes != number;
        becomes != number
    }

    /// The hop of a piece by a lane.
    #[inline(always)]
    fn hop(lane: &HopLane<W>, board: &Board<W>, from: W, hopped: W, all: W) -> Option<[W; 2]> {
        let empty = all & !(board.own | board.other | board.neutral);
        let over = lane.first.go(from & lane.from) & lane.over.of(board) & !hopped;
        let to = lane.second.go(over) & empty & lane.into;
        (!to.is_zero()).then_some([over, to])
    }

    /// Walks the hops of a group. With every whole chain `left` is one less; the chain at which
    /// nothing is left is played.
    #[inline(never)]
    fn walk(
        &self,
        code: &Code<W>,
        group: &Group<W>,
        player: usize,
        board: &Board<W>,
        left: &mut u32,
    ) -> Option<Arrived<W>> {
        for site in board.own.ones() {
            let bit = W::bit(site);
            let number = board.number(bit);
            for lane in &group.hops {
                let Some(mover) = lane.movers[number] else { continue };
                let Some([over, to]) = Self::hop(lane, board, bit, W::ZERO, code.all) else {
                    continue;
                };
                let mut then = *board;
                let stops = self.carry(&mut then, player, mover.into(), [bit, over, to]);
                let arrived = Arrived { board: then, from: bit, over, to };
                let chain = Walk { code, group, player, mover, number };
                let found = if stops || lane.chain == Chain::No {
                    chain.ends(arrived, left)
                } else {
                    self.walk_on(&chain, arrived, over, 1, lane.chain, left)
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Walks on from where a chain of some hops has arrived.
    fn walk_on(
        &self,
        walk: &Walk<'_, W>,
        at: Arrived<W>,
        hopped: W,
        hops: usize,
        chain: Chain,
        left: &mut u32,
    ) -> Option<Arrived<W>> {
        let mut goes_on = false;
        if hops < walk.code.layout.hops_max {
            for lane in &walk.group.hops {
                if lane.movers[walk.number] != Some(walk.mover) {
                    continue;
                }
                let hop = Self::hop(lane, &at.board, at.to, hopped, walk.code.all);
                let Some([over, to]) = hop else { continue };
                goes_on = true;
                let mut board = at.board;
                let mover = walk.mover.into();
                let stops = self.carry(&mut board, walk.player, mover, [at.to, over, to]);
                let then = Arrived { board, from: at.from, over, to };
                let found = if stops {
                    walk.ends(then, left)
                } else {
                    self.walk_on(walk, then, hopped | over, hops + 1, chain, left)
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        if chain == Chain::May || !goes_on { walk.ends(at, left) } else { None }
    }
}

/// What stays the same along a chain.
struct Walk<'a, W> {
    code: &'a Code<W>,
    group: &'a Group<W>,
    player: usize,
    mover: u8,
    number: usize,
}

impl<W> Walk<'_, W> {
    /// A whole chain, if it is the one that is looked for.
    fn ends(&self, arrived: Arrived<W>, left: &mut u32) -> Option<Arrived<W>> {
        if *left == 0 {
            return Some(arrived);
        }
        *left -= 1;
        None
    }
}

impl<W: BoardWord> After<W> {
    /// What a mover does besides; `None` where it is something else.
    fn of(code: &Code<W>, mover: &Mover<W>) -> Option<After<W>> {
        let hops = matches!(mover.verb, Verb::Hop { .. });
        let mut after = After { takes: false, becomes: None, may: [false; 2] };
        for effect in &mover.then {
            match effect {
                Effect::Capture(Set::Over) if hops => after.takes = true,
                Effect::If(Cond::In(Set::To, Set::Const(region)), effects)
                    if after.becomes.is_none() =>
                {
                    let [Effect::Become(kind)] = effects[..] else { return None };
                    let kind = code.kinds[kind as usize];
                    if kind.neutral {
                        return None;
                    }
                    after.becomes = Some((*region, kind.number));
                    after.may = kind.players;
                }
                _ => return None,
            }
        }
        Some(after)
    }
}

/// The movers of an `or`.
fn alternatives<'a, W>(moves: &'a Moves<W>, movers: &mut Vec<&'a Mover<W>>) -> Option<()> {
    match moves {
        Moves::Mover(mover) => movers.push(mover),
        Moves::Or(parts) => {
            for part in parts {
                alternatives(part, movers)?;
            }
        }
        _ => return None,
    }
    Some(())
}

impl<W: BoardWord> Mechanism<W> for Hops<W> {
    type Offer = Offer<W>;

    fn room(&self) -> Offer<W> {
        Offer {
            group: 0,
            targets: [W::ZERO; LANES_MAX],
            sums: [0; LANES_MAX],
            walked: false,
            lanes: 0,
            cut: false,
        }
    }

    #[inline(always)]
    fn offer(&self, code: &Code<W>, now: &Moment<W>, offer: &mut Offer<W>) -> u32 {
        let board = Board::of(now);
        let player = now.mover.index();
        let empty = code.all & !(board.own | board.other | board.neutral);
        let from = self.movable(&board);
        for (n, group) in self.groups[player].iter().enumerate() {
            let (steps, hops) = offer.targets.split_at_mut(group.steps.len());
            let mut any = W::ZERO;
            for (lane, targets) in group.steps.iter().zip(steps) {
                *targets = lane.targets(from[lane.select], &board, empty);
                any |= *targets;
            }
            let mut any_hop = W::ZERO;
            for (lane, targets) in group.hops.iter().zip(hops.iter_mut()) {
                *targets = lane.targets(from[lane.select], &board, empty);
                any_hop |= *targets;
            }
            if (any | any_hop).is_zero() {
                continue;
            }
            (offer.group, offer.walked, offer.cut) = (n, false, false);
            if group.chains && !any_hop.is_zero() {
                offer.walked = self.goes_on(group, &board, &from, hops, code.all);
            }
            let lanes = group.steps.len()
                + if offer.walked || any_hop.is_zero() { 0 } else { group.hops.len() };
            offer.lanes = lanes;
            let mut count = 0;
            for (targets, sum) in offer.targets[..lanes].iter().zip(&mut offer.sums) {
                count += targets.count();
                *sum = count;
            }
            if offer.walked {
                // Those beyond are not legal: which they are goes by the order of the general path.
                let most = MOVES_MAX as u32 - count;
                let mut left = most;
                offer.cut = self.walk(code, group, player, &board, &mut left).is_some();
                count += most - left;
            }
            return count;
        }
        0
    }

    #[inline(always)]
    fn make(&self, code: &Code<W>, now: &mut Moment<W>, offer: &Offer<W>, n: u32) {
        if offer.cut {
            let m = code.nth(now, n).expect("there are more moves");
            let part = code.layout.decode(m, 0).expect("a move has a part");
            code.part(now, 0, &part);
            return;
        }
        let player = now.mover.index();
        let group = &self.groups[player][offer.group];
        let mut board = Board::of(now);
        let steps = group.steps.len();
        let lane = offer.sums[..offer.lanes].iter().position(|&sum| n < sum);
        let arrived = if let Some(lane) = lane {
            let before = if lane == 0 { 0 } else { offer.sums[lane - 1] };
            let to = W::bit(offer.targets[lane].nth(n - before));
            let (from, over, movers) = if lane < steps {
                let lane = &group.steps[lane];
                (lane.by.back(to), W::ZERO, &lane.movers)
            } else {
                let lane = &group.hops[lane - steps];
                let over = lane.second.back(to);
                (lane.first.back(over), over, &lane.movers)
            };
            let number = if self.one_kind { 0 } else { board.number(from) };
            let mover = movers[number].expect("the lane moves the piece");
            self.carry(&mut board, player, mover.into(), [from, over, to]);
            Arrived { board, from, over, to }
        } else {
            let counted = offer.sums[..offer.lanes].last().copied().unwrap_or(0);
            let mut left = n - counted;
            let found = self.walk(code, group, player, &board, &mut left);
            found.expect("there are more chains")
        };
        let Arrived { board, from, over, to } = arrived;
        now.state.owners[player] = board.own;
        now.state.owners[1 - player] = board.other;
        now.state.owners[2] = board.neutral;
        now.state.kinds = board.kinds;
        (now.from, now.over, now.to) = (from, over, to);
        (now.taken, now.progress) = (board.taken, board.progress);
        code.arrived(now, to.lowest());
    }
}
