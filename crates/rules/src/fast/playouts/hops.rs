//! Loop for games where pieces step and hop, with or without chains.
//!
//! While no hop can continue, hops are computed on bits, as steps are. Otherwise chains are walked.

mod lanes;

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Outcome as GameOutcome, Playout, PlayoutLimits, Plies};

use self::lanes::{Group, HopLane, each};
use super::{Mechanism, Reason};
use crate::fast::duplicates::Duplicates;
use crate::fast::{Code, Moment};
use crate::layout::MOVES_MAX;
use crate::state::{BoardWord, KINDS, State};
use crate::tree::{Chain, Cond, Effect, Mover, Moves, Set, Verb};

/// Largest number of lanes of a group, steps and hops together.
const LANES_MAX: usize = 16;

/// Largest number of sets of kinds that move alike.
const SELECTS_MAX: usize = 8;

/// Number of chains that are stored while they are counted. Few positions have more.
const KEPT: usize = 8;

/// Game of steps and hops.
#[derive(Clone, Debug)]
pub(crate) struct Hops<W> {
    /// Groups of moves of each player. The first group that has a move gives the legal moves.
    groups: [Vec<Group<W>>; 2],
    /// Sets of kinds that lanes move, each listed once.
    selects: Vec<Select<W>>,
    /// Effects of a move, by mover.
    effects: Vec<After<W>>,
    /// Whether moves of a kind are progress, by the number of the kind.
    onward: [bool; KINDS],
    /// Whether a chain may return to its origin or to a site that it has emptied.
    returns: bool,
    /// Whether all pieces are of one kind.
    one_kind: bool,
    /// Rules of `end` for the plain loop, with whether the mover wins. `None` if other state than
    /// the board and the turn matters.
    plain: Option<Vec<(Reason<W>, bool)>>,
}

/// Set of kinds.
#[derive(Clone, Copy, Debug)]
struct Select<W> {
    /// Bit set of the numbers of the kinds.
    kinds: u8,
    /// Whether the set contains all kinds that players own.
    all: bool,
    /// Masks for the two planes of kinds if the set is a single kind: after XOR with them, both
    /// planes have the bits of that kind's pieces.
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

    /// Pieces of the side to move that are of these kinds.
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

/// Effects of a step or a hop.
#[derive(Clone, Debug, Default)]
struct After<W> {
    /// Whether the piece that is hopped over leaves the board.
    takes: bool,
    /// Kind that a piece becomes when it arrives in a region, which is given for each player.
    becomes: Option<([W; 2], usize)>,
    /// Whether each player may own that kind.
    may: [bool; 2],
}

/// Pieces in the middle of a move.
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
    const EMPTY: Board<W> = Board {
        own: W::ZERO,
        other: W::ZERO,
        neutral: W::ZERO,
        kinds: [W::ZERO; 2],
        taken: W::ZERO,
        progress: false,
    };

    /// Board of a state as a player sees it.
    #[inline(always)]
    fn of(state: &State<W>, player: usize) -> Board<W> {
        let owners = &state.owners;
        Board {
            own: owners[player],
            other: owners[1 - player],
            neutral: owners[2],
            kinds: state.kinds,
            ..Board::EMPTY
        }
    }

    /// Stores the board in a state.
    #[inline(always)]
    fn put(&self, state: &mut State<W>, player: usize) {
        state.owners[player] = self.own;
        state.owners[1 - player] = self.other;
        state.owners[2] = self.neutral;
        state.kinds = self.kinds;
    }

    /// Board as the other player sees it before the next move.
    #[inline(always)]
    fn turned(self) -> Board<W> {
        Board { own: self.other, other: self.own, taken: W::ZERO, progress: false, ..self }
    }

    /// Number of the kind of the piece on a site.
    #[inline(always)]
    fn number(&self, bit: W) -> usize {
        let [low, high] = self.kinds.map(|plane| usize::from(!(plane & bit).is_zero()));
        low + 2 * high
    }
}

/// Moves of a position.
pub(super) struct Offer<W> {
    /// Index of the group that gives the moves.
    group: usize,
    /// Target sites of each lane, and the cumulative number of moves.
    targets: [W; LANES_MAX],
    sums: [u32; LANES_MAX],
    /// Number of lanes counted.
    lanes: usize,
    /// Whether some hop continues, so that hops must be walked.
    walked: bool,
    /// Whether there are more ways to move than the limit of legal moves.
    cut: bool,
    /// Results of the first chains, if hops are walked.
    kept: [Arrived<W>; KEPT],
}

impl<W: BoardWord> Offer<W> {
    const EMPTY: Offer<W> = Offer {
        group: 0,
        targets: [W::ZERO; LANES_MAX],
        sums: [0; LANES_MAX],
        walked: false,
        lanes: 0,
        cut: false,
        kept: [Arrived { board: Board::EMPTY, ways: [W::ZERO; 3] }; KEPT],
    };
}

/// Result of a chain: the board, the origin of the piece, the site it hopped over last, and the
/// site where it stands.
#[derive(Clone, Copy)]
struct Arrived<W> {
    board: Board<W>,
    ways: [W; 3],
}

/// Chains found by a walk.
struct Found<'a, W> {
    /// Number of chains still to skip before the one that ends the walk.
    left: u32,
    /// Free slots for the results of the first chains.
    kept: std::slice::IterMut<'a, Arrived<W>>,
}

/// Reason why the plain loop ended.
enum End {
    Stuck,
    Quiet,
    Capped,
    By(GameOutcome),
}

impl<W: BoardWord> Hops<W> {
    pub(super) fn of(code: &Code<W>) -> Option<Hops<W>> {
        if code.duplicates != Duplicates::Never || code.by_site.contains(&true) || code.pits > 0 {
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
        let effects = effects?;
        let program = &code.program;
        let memory = &program.memory;
        let remembers = memory.last || memory.score || memory.plies > 0 || program.turns.is_some();
        let plain = if remembers || code.passes() { None } else { Reason::all_of(code) };
        few.then_some(Hops { groups, selects, effects, onward, returns, one_kind, plain })
    }

    pub(super) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        choices: Choices<'_, R>,
    ) -> Playout {
        match &self.plain {
            Some(rules) => self.run_plain(rules, code, state, limits, choices),
            None => super::run(self, code, state, limits, choices),
        }
    }

    /// The loop of [`super::run`] for states that consist of the board and the turn only.
    fn run_plain<R: Rng + ?Sized>(
        &self,
        rules: &[(Reason<W>, bool)],
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        mut choices: Choices<'_, R>,
    ) -> Playout {
        if let Some(outcome) = state.rest.result {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let quiet_max = code.body.quiet.as_ref().map_or(u32::MAX, |(plies, _)| *plies);
        let mut turn = state.rest.turn;
        let mut board = Board::of(state, turn.index());
        let mut offer = Offer::EMPTY;
        let (mut plies, mut quiet) = (0, limits.quiet.0);
        let end = loop {
            let player = turn.index();
            let count = self.find(code, player, &board, &mut offer);
            if count == 0 {
                break End::Stuck;
            }
            if quiet >= quiet_max {
                break End::Quiet;
            }
            if plies >= limits.plies_left.0 {
                break End::Capped;
            }
            let n = choices.below_any(count);
            let to = if offer.cut {
                board.put(state, player);
                state.rest.turn = turn;
                let mut now = Moment::before(state, turn);
                cut(code, &mut now, n);
                let (taken, progress) = (now.taken, now.progress);
                board = Board { taken, progress, ..Board::of(&now.state, player) };
                now.to
            } else {
                let [_, _, to] = self.choose(code, player, &mut board, &offer, n);
                to
            };
            quiet = if board.progress || !code.cyclic { 0 } else { quiet + 1 };
            plies += 1;
            let held = rules.iter().find(|(reason, _)| reason.holds(player, to, board.other));
            board = board.turned();
            turn = turn.other();
            if let Some((_, wins)) = held {
                break End::By(GameOutcome::win_of(if *wins { turn.other() } else { turn }));
            }
        };
        board.put(state, turn.index());
        state.rest.turn = turn;
        let outcome = match end {
            End::Stuck => code.stuck(state).expect("who is stuck does not pass"),
            End::Quiet => code.settle_quiet(state),
            End::Capped => GameOutcome::Draw,
            End::By(outcome) => {
                state.rest.result = Some(outcome);
                outcome
            }
        };
        Playout { outcome, plies: Plies(plies), capped: matches!(end, End::Capped) }
    }

    /// Plays a whole move. Returns whether it was progress.
    pub(super) fn play(&self, code: &Code<W>, state: &mut State<W>, m: u64) -> bool {
        let (Some(rules), Some(part)) = (&self.plain, code.layout.decode(m, 0)) else {
            return code.play(state, m);
        };
        let turn = state.rest.turn;
        let player = turn.index();
        let mut board = Board::of(state, player);
        let mut to = W::bit(part.to as u32);
        if let Verb::Hop { dirs, .. } = &code.movers[part.mover].verb {
            let mut site = part.from;
            for hop in 0..part.hops {
                let d = dirs[player][code.layout.direction(0, &part, hop)];
                let next = &code.next[usize::from(d)];
                let over = usize::from(next[site]);
                let land = usize::from(next[over]);
                to = W::bit(land as u32);
                let ways = [W::bit(site as u32), W::bit(over as u32), to];
                self.carry(&mut board, player, part.mover, ways);
                site = land;
            }
        } else {
            let ways = [W::bit(part.from as u32), W::ZERO, to];
            self.carry(&mut board, player, part.mover, ways);
        }
        board.put(state, player);
        let held = rules.iter().find(|(reason, _)| reason.holds(player, to, board.other));
        if let Some((_, wins)) = held {
            let winner = if *wins { turn } else { turn.other() };
            state.rest.result = Some(GameOutcome::win_of(winner));
        }
        state.rest.turn = turn.other();
        board.progress
    }

    /// Number of moves of the side to move.
    pub(super) fn count(&self, code: &Code<W>, state: &State<W>) -> u32 {
        let player = state.rest.turn.index();
        let mut offer = Offer::EMPTY;
        self.find(code, player, &Board::of(state, player), &mut offer)
    }

    /// Tests whether the side to move has a move.
    pub(super) fn any(&self, code: &Code<W>, state: &State<W>) -> bool {
        let player = state.rest.turn.index();
        let board = Board::of(state, player);
        let empty = code.all & !(board.own | board.other | board.neutral);
        let from = self.movable(&board);
        self.groups[player].iter().any(|group| {
            let steps = group.steps.iter();
            let mut steps = steps.map(|lane| lane.targets(from[lane.select], &board, empty));
            let hops = group.hops.iter();
            let mut hops = hops.map(|lane| lane.targets(from[lane.select], &board, empty));
            steps.any(|lane| !lane.is_zero()) || hops.any(|lane| !lane.is_zero())
        })
    }

    /// Pieces moved by each set of kinds.
    #[inline(always)]
    fn movable(&self, board: &Board<W>) -> [W; SELECTS_MAX] {
        let mut from = [W::ZERO; SELECTS_MAX];
        for (from, select) in from.iter_mut().zip(&self.selects) {
            *from = select.pieces(board);
        }
        from
    }

    /// Tests whether some hop of a chain continues. `targets` are the targets of the group's hops
    /// by lane.
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
                // If a lane also moves other kinds, only the targets of these kinds count.
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

    /// Moves a piece from one site to another, over a third for a hop. Returns whether the piece
    /// became another kind.
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

    /// Hop of a piece along a lane: the sites hopped over and landed on, or `None` if the hop is
    /// not possible.
    #[inline(always)]
    fn hop(lane: &HopLane<W>, board: &Board<W>, from: W, hopped: W, all: W) -> Option<[W; 2]> {
        let empty = all & !(board.own | board.other | board.neutral);
        let over = lane.first.go(from & lane.from) & lane.over.of(board) & !hopped;
        let to = lane.second.go(over) & empty;
        (!to.is_zero()).then_some([over, to])
    }

    /// Walks the hops of a group; `targets` are the targets of its first hops by lane. Returns the
    /// result of the chain that is reached when none is left to skip.
    #[inline(never)]
    fn walk(
        &self,
        code: &Code<W>,
        group: &Group<W>,
        player: usize,
        board: &Board<W>,
        targets: &[W],
        found: &mut Found<'_, W>,
    ) -> Option<Arrived<W>> {
        let mut hopping = W::ZERO;
        for (lane, &targets) in group.hops.iter().zip(targets) {
            hopping |= lane.first.back(lane.second.back(targets));
        }
        for site in hopping.ones() {
            let bit = W::bit(site);
            let number = board.number(bit);
            for lane in &group.hops {
                let Some(mover) = lane.movers[number] else { continue };
                let Some([over, to]) = Self::hop(lane, board, bit, W::ZERO, code.all) else {
                    continue;
                };
                let ways = [bit, over, to];
                let mut then = Arrived { board: *board, ways };
                let stops = self.carry(&mut then.board, player, mover.into(), ways);
                let chain = Walk { code, group, player, mover, number };
                let last = if stops || lane.chain == Chain::No {
                    found.ends(&then)
                } else {
                    self.walk_on(&chain, &then, over, 1, lane.chain, found)
                };
                if last.is_some() {
                    return last;
                }
            }
        }
        None
    }

    /// Continues a walk where a chain of `hops` hops has landed.
    fn walk_on(
        &self,
        walk: &Walk<'_, W>,
        at: &Arrived<W>,
        hopped: W,
        hops: usize,
        chain: Chain,
        found: &mut Found<'_, W>,
    ) -> Option<Arrived<W>> {
        let mut goes_on = false;
        let [from, _, site] = at.ways;
        if hops < walk.code.layout.hops_max {
            for lane in &walk.group.hops {
                if lane.movers[walk.number] != Some(walk.mover) {
                    continue;
                }
                let hop = Self::hop(lane, &at.board, site, hopped, walk.code.all);
                let Some([over, to]) = hop else { continue };
                goes_on = true;
                let mut then = Arrived { board: at.board, ways: [from, over, to] };
                let mover = walk.mover.into();
                let stops = self.carry(&mut then.board, walk.player, mover, [site, over, to]);
                let last = if stops {
                    found.ends(&then)
                } else {
                    self.walk_on(walk, &then, hopped | over, hops + 1, chain, found)
                };
                if last.is_some() {
                    return last;
                }
            }
        }
        if chain == Chain::May || !goes_on { found.ends(at) } else { None }
    }
}

/// Data that stays the same along a chain.
struct Walk<'a, W> {
    code: &'a Code<W>,
    group: &'a Group<W>,
    player: usize,
    mover: u8,
    number: usize,
}

impl<W: BoardWord> Found<'_, W> {
    /// Records a complete chain. Returns it if it ends the walk.
    fn ends(&mut self, arrived: &Arrived<W>) -> Option<Arrived<W>> {
        if self.left == 0 {
            return Some(*arrived);
        }
        self.left -= 1;
        if let Some(kept) = self.kept.next() {
            *kept = *arrived;
        }
        None
    }
}

/// Plays the `n`-th move of a position with more ways to move than the limit of legal moves. The
/// order of the general path decides which ways are legal.
#[cold]
fn cut<W: BoardWord>(code: &Code<W>, now: &mut Moment<W>, n: u32) {
    let m = code.nth(now, n).expect("there are more moves");
    let part = code.layout.decode(m, 0).expect("a move has a part");
    code.part(now, 0, &part);
}

impl<W: BoardWord> After<W> {
    /// Effects of a mover; `None` if it has others than these.
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

/// Collects the movers of an `or`.
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
        Offer::EMPTY
    }

    #[inline(always)]
    fn offer(&self, code: &Code<W>, now: &Moment<W>, offer: &mut Offer<W>) -> u32 {
        let player = now.mover.index();
        self.find(code, player, &Board::of(&now.state, player), offer)
    }

    #[inline(always)]
    fn make(&self, code: &Code<W>, now: &mut Moment<W>, offer: &Offer<W>, n: u32) {
        if offer.cut {
            cut(code, now, n);
            return;
        }
        let player = now.mover.index();
        let mut board = Board::of(&now.state, player);
        let [from, over, to] = self.choose(code, player, &mut board, offer, n);
        board.put(&mut now.state, player);
        (now.from, now.over, now.to) = (from, over, to);
        (now.taken, now.progress) = (board.taken, board.progress);
        code.arrived(now, to.lowest());
    }
}

impl<W: BoardWord> Hops<W> {
    /// Finds and counts a player's moves.
    #[inline(always)]
    fn find(&self, code: &Code<W>, player: usize, board: &Board<W>, offer: &mut Offer<W>) -> u32 {
        let empty = code.all & !(board.own | board.other | board.neutral);
        let from = self.movable(board);
        for (n, group) in self.groups[player].iter().enumerate() {
            let (steps, hops) = offer.targets.split_at_mut(group.steps.len());
            let mut any = W::ZERO;
            each(&group.steps, steps, |lane| {
                let targets = lane.targets(from[lane.select % SELECTS_MAX], board, empty);
                any |= targets;
                targets
            });
            let mut any_hop = W::ZERO;
            each(&group.hops, hops, |lane| {
                let targets = lane.targets(from[lane.select % SELECTS_MAX], board, empty);
                any_hop |= targets;
                targets
            });
            if (any | any_hop).is_zero() {
                continue;
            }
            (offer.group, offer.walked, offer.cut) = (n, false, false);
            if group.chains && !any_hop.is_zero() {
                offer.walked = self.goes_on(group, board, &from, hops, code.all);
            }
            let lanes = group.steps.len()
                + if offer.walked || any_hop.is_zero() { 0 } else { group.hops.len() };
            offer.lanes = lanes;
            let mut count = 0;
            each(&offer.targets[..lanes], &mut offer.sums, |targets| {
                count += targets.count();
                count
            });
            if offer.walked {
                let most = MOVES_MAX as u32 - count;
                let mut found = Found { left: most, kept: offer.kept.iter_mut() };
                let targets = &offer.targets[group.steps.len()..];
                let last = self.walk(code, group, player, board, targets, &mut found);
                offer.cut = last.is_some();
                count += most - found.left;
            }
            return count;
        }
        0
    }

    /// Plays the `n`-th of a player's moves. Returns its origin, the site hopped over, and its
    /// target.
    #[inline(always)]
    fn choose(
        &self,
        code: &Code<W>,
        player: usize,
        board: &mut Board<W>,
        offer: &Offer<W>,
        n: u32,
    ) -> [W; 3] {
        let group = &self.groups[player][offer.group];
        let steps = group.steps.len();
        let lane = offer.sums[..offer.lanes].iter().position(|&sum| n < sum);
        let Some(lane) = lane else {
            let counted = offer.sums[..offer.lanes].last().copied().unwrap_or(0);
            let n = n - counted;
            let arrived = match offer.kept.get(n as usize) {
                Some(kept) => *kept,
                None => {
                    let mut found = Found { left: n, kept: Default::default() };
                    let targets = &offer.targets[steps..];
                    let last = self.walk(code, group, player, board, targets, &mut found);
                    last.expect("there are more chains")
                }
            };
            *board = arrived.board;
            return arrived.ways;
        };
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
        self.carry(board, player, mover.into(), [from, over, to]);
        [from, over, to]
    }
}
