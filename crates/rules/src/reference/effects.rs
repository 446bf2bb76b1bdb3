//! Effects of moves, and ends of games.

use treegauge_core::{Outcome as GameOutcome, Player};

use super::{Moment, Reference};
use crate::board::Site;
use crate::position::Piece;
use crate::tree::{Effect, LAPS_MAX, Laps, Num, Outcome, Side, Verb};

impl Reference {
    /// Puts a piece on a site. A piece that was there leaves the board.
    pub(super) fn arrive(&self, now: &mut Moment, piece: Piece, site: Site) {
        if now.at.pieces[site as usize].is_some() {
            self.take(now, site);
        }
        now.at.pieces[site as usize] = Some(piece);
        now.to = [site].into();
        if self.program.memory.last {
            now.at.last[now.mover.index()] = Some(site);
        }
    }

    pub(super) fn take(&self, now: &mut Moment, site: Site) {
        now.at.pieces[site as usize] = None;
        now.taken.insert(site);
        now.progress = true;
    }

    pub(super) fn swap(&self, now: &mut Moment, mirror: bool) {
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

    /// Sows the seeds of a pit counter-clockwise, lap by lap.
    pub(super) fn sow(&self, now: &mut Moment, origin: Site, verb: &Verb<Vec<Site>>) {
        let Verb::Sow { stores, skip_origin, leave_one, laps } = *verb else { return };
        let pits = self.program.board.pits() as Site;
        let player = now.mover.index() as Site;
        let mut ring: Vec<Site> = Vec::new();
        for row in 0..2 {
            ring.extend(row * pits..(row + 1) * pits);
            if stores && row == player {
                ring.push(2 * pits + row);
            }
        }
        let mut place = ring.iter().position(|&pit| pit == origin).expect("it is a pit");
        for lap in 1.. {
            let from = place;
            let mut seeds = std::mem::take(&mut now.at.seeds[ring[from] as usize]);
            if leave_one && seeds > 1 {
                now.at.seeds[ring[from] as usize] = 1;
                seeds -= 1;
            }
            let mut before = 0;
            for _ in 0..seeds {
                place = (place + 1) % ring.len();
                if skip_origin && place == from {
                    place = (place + 1) % ring.len();
                }
                let claimed = now.at.claims.get(ring[place] as usize).copied().flatten();
                let to = match claimed {
                    Some(owner) => 2 * pits + owner.index() as Site,
                    None => ring[place],
                };
                before = if claimed.is_some() { 0 } else { now.at.seeds[to as usize] };
                now.at.seeds[to as usize] += 1;
                now.progress |= claimed.is_some();
            }
            let next = (place + 1) % ring.len();
            let is_store = |place: usize| ring[place] >= 2 * pits;
            let goes_on = match laps {
                Laps::No => false,
                Laps::To => before > 0,
                Laps::Next => !is_store(next) && now.at.seeds[ring[next] as usize] > 0,
            };
            if is_store(place) || !goes_on || lap == LAPS_MAX {
                break;
            }
            if laps == Laps::Next {
                place = next;
            }
        }
        now.progress |= self.program.leads_onward(0) || ring[place] >= 2 * pits;
        now.from = [origin].into();
        now.to = [ring[place]].into();
        if self.program.memory.last {
            now.at.last[now.mover.index()] = Some(ring[place]);
        }
    }

    pub(super) fn effects(&self, now: &mut Moment, effects: &[Effect<Vec<Site>>]) {
        for effect in effects {
            self.effect(now, effect);
        }
    }

    pub(super) fn effect(&self, now: &mut Moment, effect: &Effect<Vec<Site>>) {
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
            Effect::Claim(set) => {
                let pits = self.program.board.pits();
                for site in self.set(now, set).into_iter().map(usize::from) {
                    if site < 2 * pits && now.at.claims[site].is_none() {
                        now.at.claims[site] = Some(now.mover);
                        let seeds = std::mem::take(&mut now.at.seeds[site]);
                        now.at.seeds[2 * pits + now.mover.index()] += seeds;
                        now.progress = true;
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

    pub(super) fn result(&self, now: &Moment, outcome: &Outcome<Vec<Site>>) -> GameOutcome {
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
}
