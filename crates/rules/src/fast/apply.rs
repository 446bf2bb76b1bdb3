//! Application of moves and their effects.

use treegauge_bits::each_bit;
use treegauge_core::{Outcome as GameOutcome, Player};

use super::code::Check;
use super::{Code, Moment};
use crate::layout::Part;
use crate::state::{BoardWord, State};
use crate::tree::{
    Chain, Cond, Effect, Kind, Mover, Num, Outcome, Set, Settled, Side, Stuck, Verb,
};

/// Code of a pass, the move of a player who is stuck.
pub(crate) const PASS: u64 = u64::MAX;

/// Set of sites, by player, in which a rule of `end` last found its sides apart.
pub(crate) type Apart<W> = [Option<W>; 2];

/// Condition that ends with a `connects`.
struct Connection<'a, W> {
    /// Conditions that are tested before it.
    before: &'a [Cond<W>],
    /// Sites that connect.
    set: &'a Set<W>,
    /// Sides, which are the same in every position.
    ends: &'a [Set<W>],
}

/// Connection of a rule; `None` for other rules.
#[inline]
fn connection<W>(when: &Cond<W>) -> Option<Connection<'_, W>> {
    let (last, before) = match when {
        Cond::And(parts) => parts.split_last()?,
        other => (other, &[] as &[Cond<W>]),
    };
    let Cond::Connects(set, ends) = last else { return None };
    let are_fixed = ends.iter().all(|end| matches!(end, Set::Const(_)));
    (ends.len() > 1 && are_fixed).then_some(Connection { before, set, ends })
}

fn joins<W>(when: &Cond<W>) -> bool {
    connection(when).is_some()
}

impl<W: BoardWord> Code<W> {
    /// Plays a whole move. Returns whether it was progress.
    pub(crate) fn play(&self, state: &mut State<W>, code: u64) -> bool {
        if code == PASS {
            self.next_turn(state, false);
            return false;
        }
        let mut now = Moment::before(state, state.rest.turn);
        self.parts_of(&mut now, code);
        self.finish(&mut now);
        *state = now.state;
        now.progress
    }

    /// Plays all parts of a move.
    #[inline]
    pub(crate) fn parts_of(&self, now: &mut Moment<W>, code: u64) {
        for at in 0..self.layout.parts.len() {
            let Some(part) = self.layout.decode(code, at) else { break };
            self.part(now, at, &part);
        }
    }

    /// Applies the rules of `end` after a move, and passes the turn. Returns the index of the rule
    /// that held.
    #[inline]
    pub(crate) fn finish(&self, now: &mut Moment<W>) -> Option<usize> {
        let held = (0..self.checks.len()).find(|&n| self.holds(now, n));
        self.end_by(now, held);
        held
    }

    /// Does the same in a game from which `known` stems.
    #[inline]
    pub(crate) fn finish_knowing(&self, now: &mut Moment<W>, known: &mut [Apart<W>]) {
        let held = (0..self.checks.len()).find(|&n| match known.get_mut(n) {
            Some(known) if joins(&self.body.end[n].when) => self.is_joined(now, n, known),
            _ => self.holds(now, n),
        });
        self.end_by(now, held);
    }

    /// Memory of a game before its first move: nothing is known about connections.
    pub(crate) fn nothing_known(&self) -> Vec<Apart<W>> {
        let count = self.body.end.iter().rposition(|rule| joins(&rule.when)).map_or(0, |n| n + 1);
        vec![[None; 2]; count]
    }

    /// Tests whether the condition of a rule of `end` holds.
    #[inline]
    fn holds(&self, now: &Moment<W>, n: usize) -> bool {
        let player = now.mover.index();
        match &self.checks[n] {
            Check::NoneTheirs => now.state.owners[1 - player].is_zero(),
            Check::Reached(region) => !(now.to & region[player]).is_zero(),
            Check::Asked => self.cond(now, &self.body.end[n].when),
        }
    }

    /// Tests whether the condition of a rule holds that ends with a `connects`. Only groups with a
    /// site that was added since the sides were last found apart can join them.
    fn is_joined(&self, now: &Moment<W>, n: usize, known: &mut Apart<W>) -> bool {
        let Some(connection) = connection(&self.body.end[n].when) else { return false };
        let Connection { before, set, ends } = connection;
        if !before.iter().all(|cond| self.cond(now, cond)) {
            return false;
        }
        let player = now.mover.index();
        let set = self.set(now, set);
        let mut added = known[player].map_or(set, |known| set & !known);
        known[player] = Some(set);
        let touches = |group: W, end: &Set<W>| !(group & self.set(now, end)).is_zero();
        if !ends.iter().all(|end| touches(set, end)) {
            return false;
        }
        while !added.is_zero() {
            let group = self.flood(W::bit(added.lowest()), set);
            if ends.iter().all(|end| touches(group, end)) {
                known[player] = None;
                return true;
            }
            added &= !group;
        }
        false
    }

    /// Ends the game by a rule of `end` that held, if any, and passes the turn.
    #[inline]
    fn end_by(&self, now: &mut Moment<W>, held: Option<usize>) {
        if let Some(n) = held {
            let rule = &self.body.end[n];
            self.effects(now, &rule.settled.effects);
            now.state.rest.result = Some(self.result(now, &rule.settled.outcome));
        }
        let again = now.again;
        self.next_turn(&mut now.state, again);
    }

    /// Index of the rule of `end` that holds after a move, and the movers of the parts of the move.
    /// The state stays unchanged.
    pub(crate) fn looked_at(&self, state: &State<W>, code: u64) -> (Option<usize>, Vec<usize>) {
        let mut now = Moment::before(state, state.rest.turn);
        let mut movers = Vec::new();
        if code == PASS {
            return (None, movers);
        }
        for at in 0..self.layout.parts.len() {
            let Some(part) = self.layout.decode(code, at) else { break };
            movers.push(part.mover);
            self.part(&mut now, at, &part);
        }
        (self.finish(&mut now), movers)
    }

    #[inline]
    pub(crate) fn next_turn(&self, state: &mut State<W>, again: bool) {
        let rest = &mut state.rest;
        if u32::from(rest.plies) < self.program.memory.plies {
            rest.plies += 1;
        }
        if again {
            return;
        }
        match &self.program.turns {
            None => rest.turn = rest.turn.other(),
            Some(turns) => {
                rest.place = turns.after(usize::from(rest.place)) as u8;
                rest.turn = turns.seats[usize::from(rest.place)];
            }
        }
    }

    /// Plays one part of a move with its effects.
    pub(crate) fn part(&self, now: &mut Moment<W>, at: usize, part: &Part) {
        let mover = &self.movers[part.mover];
        let (from, to) = (part.from as u32, part.to as u32);
        match &mover.verb {
            Verb::Place => self.place(now, mover, to),
            Verb::Remove => self.take(now, W::bit(to)),
            Verb::Pass => {}
            Verb::Swap { mirror } => self.swap(now, *mirror),
            Verb::Sow { .. } => self.sow(now, mover.id, from),
            Verb::Hop { dirs, chain, .. } if *chain != Chain::Reach => {
                let dirs = &dirs[now.mover.index()];
                let mut site = from;
                now.from = W::bit(from);
                for hop in 0..part.hops {
                    let d = dirs[self.layout.direction(at, part, hop)];
                    site = self.hop(now, mover, site, d);
                }
                return;
            }
            _ => self.travel(now, from, to),
        }
        self.effects(now, &mover.then);
    }

    /// Plays one hop with its effects. Returns the site where it lands.
    pub(crate) fn hop(&self, now: &mut Moment<W>, mover: &Mover<W>, from: u32, d: u8) -> u32 {
        let next = &self.next[d as usize];
        let over = next[from as usize];
        let to = u32::from(next[over as usize]);
        let origin = now.from;
        self.travel(now, from, to);
        now.from = origin;
        now.over = W::bit(u32::from(over));
        self.effects(now, &mover.then);
        to
    }

    #[inline]
    pub(crate) fn place(&self, now: &mut Moment<W>, mover: &Mover<W>, to: u32) {
        let kind = mover.kind.unwrap_or(0);
        let of = self.kinds[kind as usize];
        let player = now.mover.index();
        if of.has_hand {
            now.state.rest.hands[player][of.number] -= 1;
        }
        let bit = W::bit(to);
        if self.flow.leave {
            self.vacate(now, bit);
        }
        let class = if of.neutral { 2 } else { player };
        now.state.owners[class] |= bit;
        self.set_kind(&mut now.state, of.number, bit);
        now.from = W::ZERO;
        now.over = W::ZERO;
        now.to = bit;
        self.arrived(now, to);
        now.progress = true;
    }

    #[inline]
    pub(crate) fn set_kind(&self, state: &mut State<W>, number: usize, bit: W) {
        if number & 1 != 0 {
            state.kinds[0] |= bit;
        }
        if number & 2 != 0 {
            state.kinds[1] |= bit;
        }
    }

    #[inline]
    pub(crate) fn arrived(&self, now: &mut Moment<W>, to: u32) {
        if self.program.memory.last {
            now.state.rest.last[now.mover.index()] = to as u16 + 1;
        }
    }

    /// Moves a piece from one site to another. A piece on the target leaves the board.
    #[inline]
    pub(crate) fn travel(&self, now: &mut Moment<W>, from: u32, to: u32) {
        let (bit, target) = (W::bit(from), W::bit(to));
        let mut owner = 2;
        let state = &mut now.state;
        let kinds = state.kinds.map(|plane| !(plane & bit).is_zero());
        for (n, plane) in state.owners.iter_mut().enumerate() {
            if !(*plane & bit).is_zero() {
                owner = n;
                *plane &= !bit;
            }
        }
        state.kinds = state.kinds.map(|plane| plane & !bit);
        self.vacate(now, target);
        now.state.owners[owner] |= target;
        for (plane, set) in now.state.kinds.iter_mut().zip(kinds) {
            if set {
                *plane |= target;
            }
        }
        now.from = bit;
        now.over = W::ZERO;
        now.to = target;
        self.arrived(now, to);
        let number = usize::from(kinds[0]) + 2 * usize::from(kinds[1]);
        now.progress |= owner < 2 && self.is_onward(number);
    }

    #[inline]
    fn is_onward(&self, number: usize) -> bool {
        let kinds = self.kinds.iter().filter(|kind| !kind.neutral);
        kinds.clone().nth(number).is_some_and(|kind| kind.onward)
    }

    /// Removes the piece on a site, if there is one.
    #[inline]
    fn vacate(&self, now: &mut Moment<W>, bit: W) {
        if !(now.state.occupied() & bit).is_zero() {
            self.take(now, bit);
        }
    }

    /// Removes the pieces of a set from the board.
    #[inline]
    pub(crate) fn take(&self, now: &mut Moment<W>, set: W) {
        let set = set & now.state.occupied();
        if set.is_zero() {
            return;
        }
        now.taken |= set;
        now.state.owners = now.state.owners.map(|plane| plane & !set);
        now.state.kinds = now.state.kinds.map(|plane| plane & !set);
        now.progress = true;
    }

    fn swap(&self, now: &mut Moment<W>, mirror: bool) {
        let state = &mut now.state;
        state.owners.swap(0, 1);
        if mirror {
            let image = |plane: W| {
                let mut image = W::ZERO;
                each_bit(plane, |site| image.set(u32::from(self.mirror[site as usize])));
                image
            };
            state.owners = state.owners.map(image);
            state.kinds = state.kinds.map(image);
        }
        now.progress = true;
    }

    #[inline]
    pub(crate) fn effects(&self, now: &mut Moment<W>, effects: &[Effect<W>]) {
        for effect in effects {
            self.effect(now, effect);
        }
    }

    fn effect(&self, now: &mut Moment<W>, effect: &Effect<W>) {
        match effect {
            Effect::Capture(set) => {
                let set = self.set(now, set);
                self.take(now, set);
            }
            Effect::Flip(set) => self.flip(now, set),
            Effect::Put(side, kind, set) => {
                let set = self.set(now, set);
                let owner = match side {
                    Side::Neutral => None,
                    Side::Of(who) => Some(who.of(now.mover)),
                };
                self.put(now, owner, *kind, set);
            }
            Effect::Become(kind) => self.turn_into(now, *kind),
            Effect::Add(n, who) => {
                let n = self.num(now, n);
                let score = &mut now.state.rest.score[who.of(now.mover).index()];
                let sum = i32::from(*score).saturating_add(n);
                let sum = sum.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
                now.progress |= *score != sum;
                *score = sum;
            }
            Effect::Again => now.again = true,
            Effect::If(cond, effects) => {
                if self.cond(now, cond) {
                    self.effects(now, effects);
                }
            }
            Effect::Collect(set) => {
                let set = self.set(now, set) & self.playing;
                let store = 2 * self.pits + now.mover.index() as u32;
                self.collect(now, set, |_| store);
            }
            Effect::Claim(set) => {
                let set = self.set(now, set) & self.playing & !now.state.claimed();
                if !set.is_zero() {
                    let player = now.mover.index();
                    now.state.owners[1 + player] |= set;
                    now.progress = true;
                    let store = 2 * self.pits + player as u32;
                    self.collect(now, set, |_| store);
                }
            }
            Effect::Sweep => {
                let pits = self.pits;
                self.collect(now, self.playing, |pit| 2 * pits + pit / pits);
            }
        }
    }

    fn collect(&self, now: &mut Moment<W>, set: W, store: impl Fn(u32) -> u32) {
        each_bit(set, |pit| {
            let (seeds, store) = (now.state.seeds(pit), store(pit));
            if seeds > 0 {
                now.state.set_seeds(pit, 0);
                let before = now.state.seeds(store);
                now.state.set_seeds(store, before + seeds);
                now.progress = true;
            }
        });
    }

    fn flip(&self, now: &mut Moment<W>, set: &Set<W>) {
        let set = self.set(now, set);
        let player = now.mover.index();
        let mut set = set & now.state.owners[1 - player];
        // Pieces of a kind that only one player may own do not change sides.
        for (kind, of) in self.kinds.iter().enumerate() {
            if !of.neutral && !of.players[player] {
                set &= !self.of_kind(&now.state, kind as Kind);
            }
        }
        if set.is_zero() {
            return;
        }
        now.state.owners[player] |= set;
        now.state.owners[1 - player] &= !set;
        now.taken |= set;
        now.progress = true;
    }

    fn put(&self, now: &mut Moment<W>, owner: Option<Player>, kind: Kind, set: W) {
        let of = self.kinds[kind as usize];
        let fits = match owner {
            None => of.neutral,
            Some(player) => !of.neutral && of.players[player.index()],
        };
        let set = set & self.all & !now.state.occupied();
        if !fits || set.is_zero() || self.pits > 0 {
            return;
        }
        now.state.owners[owner.map_or(2, Player::index)] |= set;
        self.set_kind(&mut now.state, of.number, set);
        now.progress = true;
    }

    fn turn_into(&self, now: &mut Moment<W>, kind: Kind) {
        if self.pits > 0 {
            return;
        }
        let of = self.kinds[kind as usize];
        let state = &mut now.state;
        let class = if of.neutral {
            state.owners[2]
        } else {
            let of_player = |p: usize| if of.players[p] { state.owners[p] } else { W::ZERO };
            of_player(0) | of_player(1)
        };
        let set = now.to & class & !self.of_kind(state, kind);
        if set.is_zero() {
            return;
        }
        state.kinds = state.kinds.map(|plane| plane & !set);
        self.set_kind(state, of.number, set);
        now.progress = true;
    }

    pub(crate) fn result(&self, now: &Moment<W>, outcome: &Outcome<W>) -> GameOutcome {
        let by = |difference: i64| GameOutcome::of_margin(difference.signum() as i32);
        match outcome {
            Outcome::Win(who) => GameOutcome::win_of(who.of(now.mover)),
            Outcome::Lose(who) => GameOutcome::win_of(who.of(now.mover).other()),
            Outcome::Draw => GameOutcome::Draw,
            Outcome::Most(n) => by(self.margin(&now.state, n)),
            Outcome::Least(n) => by(-self.margin(&now.state, n)),
        }
    }

    /// First player's value of a number minus the second player's.
    pub(crate) fn margin(&self, state: &State<W>, n: &Num<W>) -> i64 {
        let of = |player| i64::from(self.num(&Moment::before(state, player), n));
        of(Player::First) - of(Player::Second)
    }

    /// Result of a game that a limit ends.
    pub(crate) fn settle(&self, state: &State<W>, settled: &Settled<W>) -> GameOutcome {
        let mut now = Moment::before(state, state.rest.turn);
        self.effects(&mut now, &settled.effects);
        self.result(&now, &settled.outcome)
    }

    /// Result of a game that reached the limit of quiet plies: a draw unless the text names
    /// another.
    pub(crate) fn settle_quiet(&self, state: &State<W>) -> GameOutcome {
        let quiet = self.body.quiet.as_ref();
        quiet.map_or(GameOutcome::Draw, |(_, settled)| self.settle(state, settled))
    }

    /// Result of a position where the mover cannot move; `None` if the mover passes.
    pub(crate) fn stuck(&self, state: &State<W>) -> Option<GameOutcome> {
        match &self.body.stuck {
            Stuck::Ends(settled) => Some(self.settle(state, settled)),
            Stuck::Pass(outcome) => {
                let mut passed = *state;
                self.next_turn(&mut passed, false);
                let other = state.rest.turn.other();
                if self.any(&Moment::before(&passed, other)) {
                    return None;
                }
                Some(self.result(&Moment::before(state, state.rest.turn), outcome))
            }
        }
    }
}
