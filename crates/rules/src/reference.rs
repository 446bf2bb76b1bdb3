//! The definition of the language: an interpreter that is slow and meant to be read.
//!
//! It plays on lists and tables, one site at a time, straight from the typed tree. What plays fast
//! is held to it by tests: the same moves, the same positions after them, the same results.

use std::collections::BTreeSet;
use std::sync::Arc;

use treegauge_core::{Outcome as GameOutcome, Player};

use crate::board::Site;
use crate::layout::{Layout, MOVES_MAX};
use crate::position::{Piece, Position};
use crate::tree::{
    Chain, Cond, Dirs, Effect, Kind, Mover, Moves, Num, Outcome, Owner, Program, Set, Settled,
    Side, Stuck, Verb,
};

type Sites = BTreeSet<Site>;

/// A legal move: its text, what it leads to, and whether it cannot be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    pub(crate) text: String,
    pub(crate) after: Position,
    /// Whether it is progress, by which `quiet` begins again.
    pub(crate) progress: bool,
}

/// The interpreter of one program.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) program: Arc<Program>,
    hops_max: usize,
}

/// A position in the middle of a move.
#[derive(Clone, Debug)]
struct Moment {
    at: Position,
    mover: Player,
    to: Sites,
    from: Sites,
    over: Sites,
    taken: Sites,
    again: bool,
    progress: bool,
    text: String,
}

impl Reference {
    pub(crate) fn new(program: Arc<Program>) -> Reference {
        let hops_max = Layout::of(&program).map_or(1, |layout| layout.hops_max);
        Reference { program, hops_max }
    }

    fn moment(&self, at: &Position, mover: Player) -> Moment {
        Moment {
            at: at.clone(),
            mover,
            to: Sites::new(),
            from: Sites::new(),
            over: Sites::new(),
            taken: Sites::new(),
            again: false,
            progress: false,
            text: String::new(),
        }
    }

    /// The result, `None` while the game goes on.
    pub(crate) fn outcome(&self, at: &Position) -> Option<GameOutcome> {
        if at.result.is_some() {
            return at.result;
        }
        if !self.complete(at, at.turn).is_empty() {
            return None;
        }
        match &self.program.body.stuck {
            Stuck::Ends(settled) => Some(self.settle(at, settled)),
            Stuck::Pass(outcome) => {
                let passed = self.passed(at);
                let other = at.turn.other();
                let stuck = self.complete(&passed, other).is_empty();
                stuck.then(|| self.result(&self.moment(at, at.turn), outcome))
            }
        }
    }

    /// What a limit gives: its effects happen, and then its result is asked for.
    pub(crate) fn settle(&self, at: &Position, settled: &Settled<Vec<Site>>) -> GameOutcome {
        let mut moment = self.moment(at, at.turn);
        self.effects(&mut moment, &settled.effects);
        self.result(&moment, &settled.outcome)
    }

    /// The legal moves of a position that is not over.
    pub(crate) fn moves(&self, at: &Position) -> Vec<Played> {
        let mut moves = self.complete(at, at.turn);
        if moves.is_empty() {
            let (text, after) = ("pass".to_owned(), self.passed(at));
            moves.push(Played { text, after, progress: false });
        }
        moves
    }

    /// The position after a player who is stuck has passed.
    fn passed(&self, at: &Position) -> Position {
        let mut after = at.clone();
        self.next_turn(&mut after, false);
        after
    }

    fn next_turn(&self, at: &mut Position, again: bool) {
        let plies = u32::from(at.plies) + 1;
        at.plies = plies.min(self.program.memory.plies) as u16;
        if again {
            return;
        }
        match &self.program.turns {
            None => at.turn = at.turn.other(),
            Some(turns) => {
                at.place = turns.after(usize::from(at.place)) as u8;
                at.turn = turns.seats[usize::from(at.place)];
            }
        }
    }

    /// All moves that `play` describes for a player.
    fn complete(&self, at: &Position, mover: Player) -> Vec<Played> {
        let start = self.moment(at, mover);
        let mut played: Vec<Played> = Vec::new();
        let mut texts = BTreeSet::new();
        for mut moment in self.play(&start, &self.program.body.play) {
            // Two moves with the same text are one; the first described counts.
            if played.len() == MOVES_MAX || !texts.insert(moment.text.clone()) {
                continue;
            }
            self.finish(&mut moment);
            let Moment { text, at: after, progress, .. } = moment;
            played.push(Played { text, after, progress });
        }
        played
    }

    /// The rules of `end` after a move, and the turn.
    fn finish(&self, moment: &mut Moment) {
        for rule in &self.program.body.end {
            if self.cond(moment, &rule.when) {
                self.effects(moment, &rule.effects);
                moment.at.result = Some(self.result(moment, &rule.outcome));
                break;
            }
        }
        self.next_turn(&mut moment.at, moment.again);
    }

    /// The moments after each way to play.
    fn play(&self, now: &Moment, moves: &Moves<Vec<Site>>) -> Vec<Moment> {
        match moves {
            Moves::Mover(mover) => self.mover(now, mover),
            Moves::Or(parts) => parts.iter().flat_map(|part| self.play(now, part)).collect(),
            Moves::FirstOf(parts) => parts
                .iter()
                .map(|part| self.play(now, part))
                .find(|found| !found.is_empty())
                .unwrap_or_default(),
            Moves::If(cond, yes, no) => match (self.cond(now, cond), no) {
                (true, _) => self.play(now, yes),
                (false, Some(no)) => self.play(now, no),
                (false, None) => Vec::new(),
            },
            Moves::Seq(parts) => {
                let mut moments = self.play(now, &parts[0]);
                for part in &parts[1..] {
                    let then = |moment: Moment| {
                        let found = self.play(&moment, part);
                        if found.is_empty() { vec![moment] } else { found }
                    };
                    moments = moments.into_iter().flat_map(then).collect();
                }
                moments
            }
        }
    }

    fn next(&self, site: Site, direction: u8) -> Option<Site> {
        self.program.board.directions[direction as usize].next[site as usize]
    }

    /// The pieces that a mover may move.
    fn movable(&self, now: &Moment, kind: Option<Kind>) -> Sites {
        match kind {
            None => self.set(now, &Set::Mine(None)),
            Some(kind) if self.program.kinds[kind as usize].owner == Owner::Neutral => {
                self.set(now, &Set::Piece(kind))
            }
            Some(kind) => self.set(now, &Set::Mine(Some(kind))),
        }
    }

    fn mover(&self, now: &Moment, mover: &Mover<Vec<Site>>) -> Vec<Moment> {
        let to = self.set(now, &mover.to);
        let mut found = Vec::new();
        let player = now.mover.index();
        match &mover.verb {
            Verb::Place => {
                let kind = mover.kind.expect("a kind is placed");
                let owner = match self.program.kinds[kind as usize].owner {
                    Owner::Neutral => None,
                    _ => Some(now.mover),
                };
                let in_hand = now.at.hands[player][kind as usize];
                let has_hand = self.program.kinds[kind as usize].hand.is_some();
                if !self.program.may_own(kind, owner) || has_hand && in_hand == 0 {
                    return found;
                }
                for site in to {
                    let mut then = now.clone();
                    then.at.hands[player][kind as usize] -= u8::from(has_hand);
                    then.from = Sites::new();
                    then.over = Sites::new();
                    self.arrive(&mut then, (owner, kind), site);
                    then.progress = true;
                    let name = &self.program.board.names[site as usize];
                    let text = if self.program.places_kinds() {
                        format!("{}@{name}", self.program.kinds[kind as usize].name)
                    } else {
                        name.clone()
                    };
                    found.extend(self.part(now, then, mover, text));
                }
            }
            Verb::Remove => {
                for site in to {
                    if now.at.pieces[site as usize].is_some() {
                        let mut then = now.clone();
                        self.take(&mut then, site);
                        let text = format!("x{}", self.program.board.names[site as usize]);
                        found.extend(self.part(now, then, mover, text));
                    }
                }
            }
            Verb::Pass => found.extend(self.part(now, now.clone(), mover, "pass".to_owned())),
            Verb::Swap { mirror } => {
                if now.mover == Player::Second && now.at.plies == 1 {
                    let mut then = now.clone();
                    self.swap(&mut then, *mirror);
                    found.extend(self.part(now, then, mover, "swap".to_owned()));
                }
            }
            Verb::Sow { stores, skip_origin } => {
                let pits = self.program.board.pits();
                for pit in self.set(now, &Set::Mine(None)) {
                    let mut then = now.clone();
                    self.sow(&mut then, pit, *stores, *skip_origin);
                    let number = usize::from(pit) % pits + 1;
                    found.extend(self.part(now, then, mover, number.to_string()));
                }
            }
            Verb::Hop { dirs, over, chain } => {
                for from in self.movable(now, mover.kind) {
                    let name = self.program.board.names[from as usize].clone();
                    let mut start = now.clone();
                    start.from = [from].into();
                    let mut hops = Hops { mover, dirs, over, chain: *chain, ends: Vec::new() };
                    self.hop(&start, from, &mut Vec::new(), name, &mut hops);
                    for (then, text) in hops.ends {
                        found.extend(self.part(now, then, mover, text));
                    }
                }
            }
            Verb::Step(_) | Verb::Slide(..) | Verb::Leap(_) | Verb::Fly => {
                for from in self.movable(now, mover.kind) {
                    for target in self.targets(now, &mover.verb, from) {
                        if target == from || !to.contains(&target) {
                            continue;
                        }
                        let mut then = now.clone();
                        let piece = then.at.pieces[from as usize].take().expect("it stands there");
                        then.from = [from].into();
                        then.over = Sites::new();
                        let sign = if now.at.pieces[target as usize].is_some() { 'x' } else { '-' };
                        self.arrive(&mut then, piece, target);
                        then.progress |= self.program.leads_onward(piece.1);
                        let names = &self.program.board.names;
                        let text =
                            format!("{}{sign}{}", names[from as usize], names[target as usize]);
                        found.extend(self.part(now, then, mover, text));
                    }
                }
            }
        }
        found
    }

    /// Where a piece could come to, before `to` is asked.
    fn targets(&self, now: &Moment, verb: &Verb<Vec<Site>>, from: Site) -> Vec<Site> {
        let player = now.mover.index();
        match verb {
            Verb::Step(dirs) => dirs[player].iter().filter_map(|&d| self.next(from, d)).collect(),
            Verb::Leap(to) => to[from as usize].clone(),
            Verb::Fly => self.program.board.sites().collect(),
            Verb::Slide(dirs, most) => {
                let mut found = Vec::new();
                for &d in &dirs[player] {
                    let mut at = from;
                    for _ in 0..*most {
                        let Some(next) = self.next(at, d) else { break };
                        if next == from {
                            break;
                        }
                        found.push(next);
                        if now.at.pieces[next as usize].is_some() {
                            break;
                        }
                        at = next;
                    }
                }
                found
            }
            _ => unreachable!("only these have targets"),
        }
    }

    /// A part that is done but for its effects: they happen, and `only-if` is asked.
    fn part(
        &self,
        before: &Moment,
        mut then: Moment,
        mover: &Mover<Vec<Site>>,
        text: String,
    ) -> Option<Moment> {
        // The effects of hops have happened after each of them.
        if !matches!(mover.verb, Verb::Hop { .. }) {
            self.effects(&mut then, &mover.then);
        }
        if mover.only_if.as_ref().is_some_and(|cond| !self.cond(&then, cond)) {
            return None;
        }
        let between = if before.text.is_empty() { "" } else { "/" };
        then.text = format!("{}{between}{text}", before.text);
        Some(then)
    }

    /// All chains of hops of the piece on `at`.
    fn hop(
        &self,
        now: &Moment,
        at: Site,
        hopped: &mut Vec<Site>,
        path: String,
        hops: &mut Hops<'_>,
    ) {
        let piece = now.at.pieces[at as usize].expect("it stands there");
        let (over, to) = (self.set(now, hops.over), self.set(now, &hops.mover.to));
        let mut goes_on = false;
        let dirs: &Dirs = hops.dirs;
        if hopped.len() < if hops.chain == Chain::No { 1 } else { self.hops_max } {
            for &d in &dirs[now.mover.index()] {
                let Some(mid) = self.next(at, d).filter(|mid| over.contains(mid)) else { continue };
                let Some(land) = self.next(mid, d).filter(|land| to.contains(land)) else {
                    continue;
                };
                if hopped.contains(&mid) || land == at || mid == at {
                    continue;
                }
                goes_on = true;
                let mut then = now.clone();
                then.at.pieces[at as usize] = None;
                then.over = [mid].into();
                self.arrive(&mut then, piece, land);
                then.progress |= self.program.leads_onward(piece.1);
                self.effects(&mut then, &hops.mover.then);
                let sign = if hops.mover.captures() { 'x' } else { '-' };
                let path = format!("{path}{sign}{}", self.program.board.names[land as usize]);
                let same = then.at.pieces[land as usize].is_some_and(|p| p == piece);
                if hops.chain == Chain::No || !same {
                    hops.ends.push((then, path));
                    continue;
                }
                hopped.push(mid);
                self.hop(&then, land, hopped, path, hops);
                hopped.pop();
            }
        }
        let stops = match hops.chain {
            Chain::No => false,
            Chain::Must => !goes_on,
            Chain::May => true,
        };
        if stops && !hopped.is_empty() {
            hops.ends.push((now.clone(), path));
        }
    }

    /// A piece comes to a site: what stood there leaves the board.
    fn arrive(&self, now: &mut Moment, piece: Piece, site: Site) {
        if now.at.pieces[site as usize].is_some() {
            self.take(now, site);
        }
        now.at.pieces[site as usize] = Some(piece);
        now.to = [site].into();
        if self.program.memory.last {
            now.at.last[now.mover.index()] = Some(site);
        }
    }

    fn take(&self, now: &mut Moment, site: Site) {
        now.at.pieces[site as usize] = None;
        now.taken.insert(site);
        now.progress = true;
    }

    fn swap(&self, now: &mut Moment, mirror: bool) {
        let board = &self.program.board;
        let old = now.at.pieces.clone();
        for site in board.sites() {
            let [x, y, z] = board.at[site as usize];
            let from = if mirror { board.site_at([y, x, z]) } else { Some(site) };
            let from = from.expect("the checker has seen that each site has its image");
            let swapped = |(owner, kind): Piece| (owner.map(Player::other), kind);
            now.at.pieces[site as usize] = old[from as usize].map(swapped);
        }
        now.progress = true;
    }

    /// Sows the seeds of a pit counter-clockwise.
    fn sow(&self, now: &mut Moment, origin: Site, stores: bool, skip_origin: bool) {
        let pits = self.program.board.pits() as Site;
        let player = now.mover.index() as Site;
        let mut ring: Vec<Site> = Vec::new();
        for row in 0..2 {
            ring.extend(row * pits..(row + 1) * pits);
            if stores && row == player {
                ring.push(2 * pits + row);
            }
        }
        let seeds = std::mem::take(&mut now.at.seeds[origin as usize]);
        let mut place = ring.iter().position(|&pit| pit == origin).expect("it is a pit");
        for _ in 0..seeds {
            place = (place + 1) % ring.len();
            if skip_origin && ring[place] == origin {
                place = (place + 1) % ring.len();
            }
            now.at.seeds[ring[place] as usize] += 1;
        }
        now.progress |= self.program.leads_onward(0) || ring[place] >= 2 * pits;
        now.from = [origin].into();
        now.to = [ring[place]].into();
        if self.program.memory.last {
            now.at.last[now.mover.index()] = Some(ring[place]);
        }
    }

    fn effects(&self, now: &mut Moment, effects: &[Effect<Vec<Site>>]) {
        for effect in effects {
            self.effect(now, effect);
        }
    }

    fn effect(&self, now: &mut Moment, effect: &Effect<Vec<Site>>) {
        match effect {
            Effect::Capture(set) => {
                for site in self.set(now, set) {
                    if now.at.pieces[site as usize].is_some() {
                        self.take(now, site);
                    }
                }
            }
            Effect::Flip(set) => {
                for site in self.set(now, set) {
                    match now.at.pieces[site as usize] {
                        Some((Some(owner), kind))
                            if owner != now.mover
                                && self.program.may_own(kind, Some(now.mover)) =>
                        {
                            now.at.pieces[site as usize] = Some((Some(now.mover), kind));
                            now.taken.insert(site);
                            now.progress = true;
                        }
                        _ => {}
                    }
                }
            }
            Effect::Put(side, kind, set) => {
                let owner = match side {
                    Side::Neutral => None,
                    Side::Of(who) => Some(who.of(now.mover)),
                };
                for site in self.set(now, set) {
                    let free =
                        now.at.pieces[site as usize].is_none() && !self.program.board.is_pits();
                    if free && self.program.may_own(*kind, owner) {
                        now.at.pieces[site as usize] = Some((owner, *kind));
                        now.progress = true;
                    }
                }
            }
            Effect::Become(kind) => {
                for site in now.to.clone() {
                    if self.program.board.is_pits() {
                        continue;
                    }
                    if let Some((owner, old)) = now.at.pieces[site as usize]
                        && old != *kind
                        && self.program.may_own(*kind, owner)
                    {
                        now.at.pieces[site as usize] = Some((owner, *kind));
                        now.progress = true;
                    }
                }
            }
            Effect::Add(n, who) => {
                let n = self.num(now, n);
                let score = &mut now.at.score[who.of(now.mover).index()];
                let sum = (i64::from(*score) + i64::from(n))
                    .clamp(i64::from(i16::MIN), i64::from(i16::MAX));
                now.progress |= i64::from(*score) != sum;
                *score = sum as i16;
            }
            Effect::Again => now.again = true,
            Effect::If(cond, effects) => {
                if self.cond(now, cond) {
                    self.effects(now, effects);
                }
            }
            Effect::Collect(set) => {
                let store = 2 * self.program.board.pits() + now.mover.index();
                for site in self.set(now, set) {
                    if usize::from(site) < store - now.mover.index() {
                        let seeds = std::mem::take(&mut now.at.seeds[site as usize]);
                        now.at.seeds[store] += seeds;
                        now.progress |= seeds > 0;
                    }
                }
            }
            Effect::Sweep => {
                let pits = self.program.board.pits();
                for pit in 0..2 * pits {
                    let seeds = std::mem::take(&mut now.at.seeds[pit]);
                    now.at.seeds[2 * pits + pit / pits] += seeds;
                    now.progress |= seeds > 0;
                }
            }
        }
    }

    fn result(&self, now: &Moment, outcome: &Outcome<Vec<Site>>) -> GameOutcome {
        let compared = |n: &Num<Vec<Site>>| {
            let of = |player| self.num(&self.moment(&now.at, player), n);
            i64::from(of(Player::First)) - i64::from(of(Player::Second))
        };
        let by = |difference: i64| GameOutcome::of_margin(difference.signum() as i32);
        match outcome {
            Outcome::Win(who) => GameOutcome::win_of(who.of(now.mover)),
            Outcome::Lose(who) => GameOutcome::win_of(who.of(now.mover).other()),
            Outcome::Draw => GameOutcome::Draw,
            Outcome::Most(n) => by(compared(n)),
            Outcome::Least(n) => by(-compared(n)),
        }
    }

    fn set(&self, now: &Moment, set: &Set<Vec<Site>>) -> Sites {
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
        // The sites that there are besides stores.
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

    /// The connected groups of a set.
    fn groups_of(&self, set: &Sites) -> Vec<Sites> {
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

    fn num(&self, now: &Moment, n: &Num<Vec<Site>>) -> i32 {
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

    fn seeds(&self, now: &Moment, site: Site) -> i32 {
        i32::from(now.at.seeds.get(site as usize).copied().unwrap_or(0))
    }

    fn cond(&self, now: &Moment, cond: &Cond<Vec<Site>>) -> bool {
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
        }
    }
}

/// The chains of hops of one mover.
struct Hops<'a> {
    mover: &'a Mover<Vec<Site>>,
    dirs: &'a Dirs,
    over: &'a Set<Vec<Site>>,
    chain: Chain,
    ends: Vec<(Moment, String)>,
}
