//! Loop for games where each player has one piece, and every move removes a site from play: the one
//! that the piece leaves, or another that the player chooses.

use rand_core::Rng;
use treegauge_bits::{Choices, Word};
use treegauge_core::{Outcome, Player, Playout, Plies};

use super::nth_of;
use crate::fast::flank::{Axes, FEW_AXES, Fixed};
use crate::fast::{Code, Moment};
use crate::layout::{MOVES_MAX, Part};
use crate::state::{BoardWord, KINDS, State};
use crate::tree::{Compare, Cond, Effect, Mover, Moves, Num, Set, Side, Verb, Who};

/// Number of growths of runs on lines of at most eight sites, one of them the piece's own.
const LINE_GROWTHS: u32 = 3;

/// Game of lone pieces.
#[derive(Clone, Debug)]
pub(crate) struct Lone<W> {
    reach: Reach<W>,
    /// Kind of the marker for a site removed from play, as its number among the neutral kinds.
    gone: usize,
    /// Whether the marker is put where the piece stood.
    leaves: bool,
    /// Mover that places pieces from the hand.
    placer: Option<usize>,
    /// Mover of pieces.
    mover: Box<Mover<W>>,
    /// Mover that puts the marker on a chosen site.
    chooser: Option<usize>,
}

/// Sites that a piece can reach, before free sites are tested.
#[derive(Clone, Debug)]
enum Reach<W> {
    /// Targets by player and site.
    Table([Vec<W>; 2]),
    /// Lines up to the first occupied site.
    Lines(Box<[Fixed<W, FEW_AXES>; 2]>),
}

/// Positions of both pieces, and the free sites.
struct Board<W> {
    free: W,
    player: usize,
    own: u32,
    other: u32,
    plies: u32,
}

/// Reason why a loop ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Stuck,
    Capped,
}

impl<W: BoardWord> Lone<W> {
    pub(super) fn of(code: &Code<W>) -> Option<Lone<W>> {
        let program = &code.program;
        let memory = &program.memory;
        let remembers = memory.last || memory.score || memory.plies > 0 || program.turns.is_some();
        let body = &code.body;
        if remembers || !body.end.is_empty() || body.quiet.is_some() || code.passes() {
            return None;
        }
        let mut owned = code.kinds.iter().enumerate().filter(|(_, kind)| !kind.neutral);
        let (kind, of) = owned.next()?;
        if owned.next().is_some() || of.players != [true; 2] {
            return None;
        }
        let is_piece = |mover: &Mover<W>| mover.kind.is_none_or(|k| usize::from(k) == kind);
        let (placer, moves) = match &body.play {
            Moves::If(cond, first, Some(then)) => {
                let Cond::Compare(Compare::Greater, Num::Hand(Who::Mover, of_kind), Num::Int(0)) =
                    cond
                else {
                    return None;
                };
                let Moves::Mover(first) = &**first else { return None };
                let hand = of_kind.is_none_or(|k| usize::from(k) == kind) && of.has_hand;
                let plain = first.verb == Verb::Place && is_plain(first) && first.then.is_empty();
                if !hand || !plain || usize::from(first.kind.unwrap_or(0)) != kind {
                    return None;
                }
                (Some(first.id), &**then)
            }
            other => (None, other),
        };
        let (mover, chosen) = match moves {
            Moves::Mover(mover) => (mover, None),
            Moves::Seq(parts) => {
                let [Moves::Mover(mover), Moves::Mover(second)] = &parts[..] else { return None };
                if second.verb != Verb::Place || !is_plain(second) || !second.then.is_empty() {
                    return None;
                }
                (mover, Some(second))
            }
            _ => return None,
        };
        if !is_plain(mover) || !is_piece(mover) || code.by_site[mover.id] && !leaps(mover) {
            return None;
        }
        let left = match mover.then[..] {
            [] => None,
            [Effect::Put(Side::Neutral, kind, Set::From)] => Some(kind),
            _ => return None,
        };
        let kinds = (left, chosen.map(|second| second.kind.unwrap_or(0)));
        let (leaves, chooser) = (left.is_some(), chosen.map(|second| second.id));
        let gone = match kinds {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => code.kinds[a.or(b)? as usize],
        };
        if !gone.neutral || gone.has_hand {
            return None;
        }
        let reach = Reach::of(code, mover)?;
        let mover = mover.clone();
        Some(Lone { reach, gone: gone.number, leaves, placer, mover, chooser })
    }

    /// Tests whether the side to move places a piece from the hand.
    #[inline]
    fn places(&self, state: &State<W>) -> bool {
        self.placer.is_some() && state.rest.hands[state.rest.turn.index()] != [0; KINDS]
    }

    /// Number of sites to choose from after a piece has moved to a free site; 1 if the move has no
    /// choice.
    #[inline]
    fn choices(&self, free: W) -> u32 {
        match self.chooser {
            None => 1,
            Some(_) => (free.count() - u32::from(self.leaves)).max(1),
        }
    }

    /// Plays a move. It is always progress.
    #[inline]
    pub(super) fn play(&self, code: &Code<W>, state: &mut State<W>, m: u64) -> bool {
        let Some(part) = code.layout.decode(m, 0) else { return false };
        let player = state.rest.turn.index();
        let to = W::bit(part.to as u32);
        let own = &mut state.owners[player];
        if self.placer == Some(part.mover) {
            *own |= to;
            state.rest.hands[player][0] -= 1;
        } else {
            let from = W::bit(part.from as u32);
            *own = *own & !from | to;
            let mut gone = if self.leaves { from } else { W::ZERO };
            if self.chooser.is_some()
                && let Some(part) = code.layout.decode(m, 1)
            {
                gone.set(part.to as u32);
            }
            state.owners[2] |= gone;
            code.set_kind(state, self.gone, gone);
        }
        state.rest.turn = state.rest.turn.other();
        true
    }

    /// Calls `visit` with each piece of the side to move and the sites that it can reach, until
    /// `visit` returns a value. Returns `None` if the targets depend on other sites, as those of
    /// slides do.
    #[inline]
    fn targets<R>(
        &self,
        state: &State<W>,
        free: W,
        mut visit: impl FnMut(u32, W) -> Option<R>,
    ) -> Option<Option<R>> {
        let Reach::Table(table) = &self.reach else { return None };
        let player = state.rest.turn.index();
        for site in state.owners[player].ones() {
            let targets = table[player][site as usize] & free;
            if let found @ Some(_) = visit(site, targets) {
                return Some(found);
            }
        }
        Some(None)
    }

    /// Number of moves of the side to move.
    #[inline]
    pub(super) fn count(&self, code: &Code<W>, state: &State<W>) -> u32 {
        let free = code.all & !state.occupied();
        if self.places(state) {
            return free.count();
        }
        let mut count = 0;
        let counted = self.targets(state, free, |_, targets| -> Option<()> {
            count += targets.count();
            None
        });
        if counted.is_none() {
            return code.count(&Moment::before(state, state.rest.turn));
        }
        (count * self.choices(free)).min(MOVES_MAX as u32)
    }

    /// Tests whether the side to move has a move.
    #[inline]
    pub(super) fn any(&self, code: &Code<W>, state: &State<W>) -> bool {
        let free = code.all & !state.occupied();
        if self.places(state) {
            return !free.is_zero();
        }
        let any = self.targets(state, free, |_, targets| (!targets.is_zero()).then_some(()));
        match any {
            Some(any) => any.is_some(),
            None => code.any(&Moment::before(state, state.rest.turn)),
        }
    }

    /// The `n`-th move of the side to move.
    #[inline]
    pub(super) fn nth(&self, code: &Code<W>, state: &State<W>, mut n: u32) -> Option<u64> {
        let free = code.all & !state.occupied();
        if let (Some(placer), true) = (self.placer, self.places(state)) {
            let to = nth_of(free, n)? as usize;
            return Some(code.layout.encode(0, &Part { mover: placer, to, ..Part::default() }));
        }
        if self.chooser.is_none() && leaps(&self.mover) {
            let found = self.targets(state, free, |from, targets| {
                let count = targets.count();
                if n < count {
                    let (from, to) = (from as usize, targets.nth(n) as usize);
                    return Some(Part { mover: self.mover.id, from, to, ..Part::default() });
                }
                n -= count;
                None
            });
            return found?.map(|part| code.layout.encode(0, &part));
        }
        self.nth_of_lanes(code, state, free, n)
    }

    /// The `n`-th move of pieces, by the lanes of their mover.
    fn nth_of_lanes(&self, code: &Code<W>, state: &State<W>, free: W, mut n: u32) -> Option<u64> {
        if n as usize >= MOVES_MAX {
            return None;
        }
        let now = Moment::before(state, state.rest.turn);
        let choices = self.choices(free);
        code.lanes(&now, &self.mover, |lane, origin| {
            let count = lane.count() * choices;
            if n >= count {
                n -= count;
                return None;
            }
            let part = code.part_of(&now, &self.mover, origin, lane.nth(n / choices));
            let first = code.layout.encode(0, &part);
            let left = if self.leaves { W::ZERO } else { W::bit(part.from as u32) };
            let free = free & !W::bit(part.to as u32) | left;
            let Some(mover) = self.chooser.filter(|_| !free.is_zero()) else { return Some(first) };
            let to = free.nth(n % choices) as usize;
            Some(first | code.layout.encode(1, &Part { mover, to, ..Part::default() }))
        })
    }

    /// Plays a random game; `None` if a player does not have exactly one piece.
    pub(super) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        left: u32,
        mut choices: Choices<'_, R>,
    ) -> Option<Playout> {
        let hand =
            |player: usize| -> u32 { state.rest.hands[player].iter().map(|&n| u32::from(n)).sum() };
        let one = |player: usize| {
            let (there, hand): (u32, u32) = (state.owners[player].count(), hand(player));
            (there, hand) == (1, 0) || self.placer.is_some() && (there, hand) == (0, 1)
        };
        // In a position that was set up, the side to move may have a piece before the other player
        // has one.
        let mover = state.rest.turn.index();
        let ahead = !state.owners[mover].is_zero() && state.owners[1 - mover].is_zero();
        if state.rest.result.is_some() || !one(0) || !one(1) || ahead {
            return None;
        }
        let mut plies = 0;
        // The first plies place the pieces.
        while state.rest.hands[state.rest.turn.index()] != [0; KINDS] {
            let free = code.all & !state.occupied();
            if free.is_zero() || plies >= left {
                return Some(self.ended(code, state, plies, free.is_zero()));
            }
            let player = state.rest.turn.index();
            state.owners[player].set(free.nth(choices.below(free.count())));
            state.rest.hands[player] = [0; KINDS];
            state.rest.turn = state.rest.turn.other();
            plies += 1;
        }
        let player = state.rest.turn.index();
        let mut board = Board {
            free: code.all & !state.occupied(),
            player,
            own: state.owners[player].lowest(),
            other: state.owners[1 - player].lowest(),
            plies,
        };
        let end = match &self.reach {
            Reach::Table(table) if self.leaves && self.chooser.is_none() => {
                run_ahead(table, &mut board, left, &mut choices)
            }
            Reach::Table(table) => {
                let reach = |player: usize, site: u32, _| table[player][site as usize];
                self.run_by(reach, &mut board, left, &mut choices)
            }
            Reach::Lines(axes) => {
                let reach = |player: usize, site, free| {
                    axes[player].lines(W::bit(site), free, LINE_GROWTHS)
                };
                self.run_by(reach, &mut board, left, &mut choices)
            }
        };
        let pieces = W::bit(board.own) | W::bit(board.other);
        let gone = code.all & !(board.free | pieces);
        code.set_kind(state, self.gone, gone & !state.owners[2]);
        state.owners[board.player] = W::bit(board.own);
        state.owners[1 - board.player] = W::bit(board.other);
        state.owners[2] = gone;
        state.rest.turn = Player::BOTH[board.player];
        Some(self.ended(code, state, board.plies, end == End::Stuck))
    }

    /// End of a playout.
    fn ended(&self, code: &Code<W>, state: &State<W>, plies: u32, stuck: bool) -> Playout {
        let outcome = if stuck {
            code.stuck(state).expect("who is stuck does not pass")
        } else {
            Outcome::Draw
        };
        Playout { outcome, plies: Plies(plies), capped: !stuck }
    }

    #[inline(always)]
    fn run_by<R: Rng + ?Sized>(
        &self,
        reach: impl Fn(usize, u32, W) -> W,
        board: &mut Board<W>,
        left: u32,
        choices: &mut Choices<'_, R>,
    ) -> End {
        loop {
            let targets = reach(board.player, board.own, board.free) & board.free;
            if targets.is_zero() {
                return End::Stuck;
            }
            if board.plies >= left {
                return End::Capped;
            }
            let to = targets.nth(choices.below(targets.count()));
            board.free &= !W::bit(to);
            if !self.leaves {
                board.free |= W::bit(board.own);
            }
            if self.chooser.is_some() && !board.free.is_zero() {
                let n = choices.below(board.free.count());
                board.free &= !W::bit(board.free.nth(n));
            }
            (board.own, board.other) = (board.other, to);
            board.player = 1 - board.player;
            board.plies += 1;
        }
    }
}

/// Loop for games where a move removes no site but its target.
///
/// Each move is drawn from the moves that the piece had before the opponent's last move, and drawn
/// again if it leads to the site that the opponent has just entered. The remaining moves are still
/// equally likely. So a ply need not wait for the one before it.
#[inline(never)]
fn run_ahead<W: BoardWord, R: Rng + ?Sized>(
    table: &[Vec<W>; 2],
    board: &mut Board<W>,
    left: u32,
    choices: &mut Choices<'_, R>,
) -> End {
    let (mut own_reach, mut other_reach) = (&table[board.player][..], &table[1 - board.player][..]);
    let (mut own, mut other, mut free) = (board.own, board.other, board.free);
    let mut targets = own_reach[own as usize] & free;
    let mut plies = board.plies;
    let end = 'game: loop {
        let count = targets.count();
        if count == 0 {
            break End::Stuck;
        }
        if plies >= left {
            let taken = targets & !W::bit(other);
            break if taken.is_zero() { End::Stuck } else { End::Capped };
        }
        let next = other_reach[other as usize] & free;
        let mut to = targets.nth(choices.below(count));
        while to == other {
            if count == 1 {
                break 'game End::Stuck;
            }
            to = targets.nth(choices.below(count));
        }
        free &= !W::bit(to);
        (own, other) = (other, to);
        (own_reach, other_reach) = (other_reach, own_reach);
        targets = next;
        plies += 1;
    };
    if (plies - board.plies) % 2 == 1 {
        board.player = 1 - board.player;
    }
    (board.own, board.other, board.free, board.plies) = (own, other, free, plies);
    end
}

impl<W: BoardWord> Reach<W> {
    fn of(code: &Code<W>, mover: &Mover<W>) -> Option<Reach<W>> {
        let sites = code.program.board.len() as u32;
        match &mover.verb {
            Verb::Leap(_) => {
                let by_site = &code.leaps[mover.id];
                let own = |site: u32| by_site[site as usize] & !W::bit(site);
                let table: Vec<W> = (0..sites).map(own).collect();
                Some(Reach::Table([table.clone(), table]))
            }
            Verb::Step(dirs) => {
                let reach = |player: usize, site: u32| {
                    let arcs = dirs[player].iter().flat_map(|&d| &code.arcs[d as usize]);
                    arcs.fold(W::ZERO, |all, arc| all | arc.go(W::bit(site)))
                };
                let table = |player| (0..sites).map(|site| reach(player, site)).collect();
                Some(Reach::Table([table(0), table(1)]))
            }
            Verb::Slide(dirs, most) => {
                let axes = Axes::along(code, dirs)?;
                if axes.growths > LINE_GROWTHS || *most < axes.longest {
                    return None;
                }
                Some(Reach::Lines(Box::new([axes.fixed(0)?, axes.fixed(1)?])))
            }
            _ => None,
        }
    }
}

/// Tests whether a mover moves to any empty site without a condition.
fn is_plain<W: Word>(mover: &Mover<W>) -> bool {
    mover.to == Set::Empty && mover.only_if.is_none()
}

fn leaps<W>(mover: &Mover<W>) -> bool {
    matches!(mover.verb, Verb::Leap(_))
}
