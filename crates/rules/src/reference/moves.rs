//! Ways to move.

use std::collections::BTreeMap;

use treegauge_core::Player;

use super::{Moment, Reference, Sites};
use crate::board::Site;
use crate::tree::{Chain, Dirs, Kind, Mover, Moves, Owner, Set, Verb};

impl Reference {
    /// Moments after each way to play, with a `None` for each evaluation of an `only-if` in
    /// between, in the order in which they happen.
    pub(super) fn play(&self, now: &Moment, moves: &Moves<Vec<Site>>) -> Vec<Option<Moment>> {
        let is_way = |found: &Option<Moment>| found.is_some();
        match moves {
            Moves::Mover(mover) => self.mover(now, mover),
            Moves::Or(parts) => parts.iter().flat_map(|part| self.play(now, part)).collect(),
            Moves::FirstOf(parts) => {
                let mut found = Vec::new();
                for part in parts {
                    found.extend(self.play(now, part));
                    if found.iter().any(is_way) {
                        break;
                    }
                }
                found
            }
            Moves::If(cond, yes, no) => match (self.cond(now, cond), no) {
                (true, _) => self.play(now, yes),
                (false, Some(no)) => self.play(now, no),
                (false, None) => Vec::new(),
            },
            Moves::Seq(parts) => {
                let mut moments = self.play(now, &parts[0]);
                for part in &parts[1..] {
                    let then = |moment: Option<Moment>| {
                        let Some(moment) = moment else { return vec![None] };
                        let mut found = self.play(&moment, part);
                        if !found.iter().any(is_way) {
                            found.push(Some(moment));
                        }
                        found
                    };
                    moments = moments.into_iter().flat_map(then).collect();
                }
                moments
            }
        }
    }

    pub(super) fn next(&self, site: Site, direction: u8) -> Option<Site> {
        self.program.board.directions[direction as usize].next[site as usize]
    }

    /// Pieces that a mover may move.
    pub(super) fn movable(&self, now: &Moment, kind: Option<Kind>) -> Sites {
        match kind {
            None => self.set(now, &Set::Mine(None)),
            Some(kind) if self.program.kinds[kind as usize].owner == Owner::Neutral => {
                self.set(now, &Set::Piece(kind))
            }
            Some(kind) => self.set(now, &Set::Mine(Some(kind))),
        }
    }

    pub(super) fn mover(&self, now: &Moment, mover: &Mover<Vec<Site>>) -> Vec<Option<Moment>> {
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
            Verb::Sow { .. } => {
                let pits = self.program.board.pits();
                for pit in self.set(now, &Set::Mine(None)) {
                    let mut then = now.clone();
                    self.sow(&mut then, pit, &mover.verb);
                    let number = usize::from(pit) % pits + 1;
                    found.extend(self.part(now, then, mover, number.to_string()));
                }
            }
            Verb::Hop { dirs, over, chain: Chain::Reach } => {
                for from in self.movable(now, mover.kind) {
                    for then in self.reached(now, mover, dirs, over, from) {
                        let names = &self.program.board.names;
                        let target = then.to.iter().next().expect("the piece has arrived");
                        let text = format!("{}-{}", names[from as usize], names[*target as usize]);
                        found.extend(self.part(now, then, mover, text));
                    }
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
            Verb::Step(_) | Verb::Slide(..) | Verb::Leap(_) | Verb::Fly | Verb::Ride(_) => {
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

    /// Sites that a piece could reach, before `to` is applied.
    pub(super) fn targets(&self, now: &Moment, verb: &Verb<Vec<Site>>, from: Site) -> Vec<Site> {
        let player = now.mover.index();
        match verb {
            Verb::Step(dirs) => dirs[player].iter().filter_map(|&d| self.next(from, d)).collect(),
            Verb::Leap(to) => to[from as usize].clone(),
            Verb::Fly => self.program.board.sites().collect(),
            Verb::Ride(bends) => self.ridden(now, from, *bends),
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

    /// Sites that a piece comes to by riding along tracks past some bends, each once.
    fn ridden(&self, now: &Moment, from: Site, bends: u32) -> Vec<Site> {
        let mut found = Vec::new();
        for track in &self.program.board.tracks {
            for begin in (0..track.sites.len()).filter(|&place| track.sites[place] == from) {
                for is_back in [false, true] {
                    let mut passed = 0;
                    for (place, is_bend) in track.round(begin, is_back) {
                        passed += u32::from(is_bend);
                        let site = track.sites[place];
                        // The piece itself is not in its way.
                        if site == from {
                            continue;
                        }
                        if passed >= bends && !found.contains(&site) {
                            found.push(site);
                        }
                        if now.at.pieces[site as usize].is_some() {
                            break;
                        }
                    }
                }
            }
        }
        found
    }

    /// Completes a part: applies its effects and evaluates its `only-if`. The result begins with a
    /// `None` for that evaluation.
    pub(super) fn part(
        &self,
        before: &Moment,
        mut then: Moment,
        mover: &Mover<Vec<Site>>,
        text: String,
    ) -> Vec<Option<Moment>> {
        // The effects of hops have already been applied after each hop.
        if !matches!(mover.verb, Verb::Hop { .. }) {
            self.effects(&mut then, &mover.then);
        }
        if mover.only_if.as_ref().is_some_and(|cond| !self.cond(&then, cond)) {
            return vec![None];
        }
        let between = if before.text.is_empty() { "" } else { "/" };
        then.text = format!("{}{between}{text}", before.text);
        then.movers.push(mover.id);
        let asked = mover.only_if.is_some().then_some(None);
        asked.into_iter().chain([Some(then)]).collect()
    }

    /// Moments after the chains of hops of the piece on `from`, one for each site where one ends.
    fn reached(
        &self,
        now: &Moment,
        mover: &Mover<Vec<Site>>,
        dirs: &Dirs,
        over: &Set<Vec<Site>>,
        from: Site,
    ) -> Vec<Moment> {
        let piece = now.at.pieces[from as usize].expect("it stands there");
        let mut start = now.clone();
        start.from = [from].into();
        let mut reached = BTreeMap::from([(from, start)]);
        loop {
            let known = reached.clone();
            for (&at, then) in &known {
                let (over, to) = (self.set(then, over), self.set(then, &mover.to));
                for &d in &dirs[now.mover.index()] {
                    let Some(mid) = self.next(at, d).filter(|mid| over.contains(mid)) else {
                        continue;
                    };
                    let Some(land) = self.next(mid, d).filter(|land| to.contains(land)) else {
                        continue;
                    };
                    if mid == at || reached.contains_key(&land) {
                        continue;
                    }
                    let mut then = then.clone();
                    then.at.pieces[at as usize] = None;
                    self.arrive(&mut then, piece, land);
                    then.progress |= self.program.leads_onward(piece.1);
                    reached.insert(land, then);
                }
            }
            if reached.len() == known.len() {
                reached.remove(&from);
                return reached.into_values().collect();
            }
        }
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
            Chain::May | Chain::Reach => true,
        };
        if stops && !hopped.is_empty() {
            hops.ends.push((now.clone(), path));
        }
    }
}

/// Chains of hops of one mover.
struct Hops<'a> {
    mover: &'a Mover<Vec<Site>>,
    dirs: &'a Dirs,
    over: &'a Set<Vec<Site>>,
    chain: Chain,
    ends: Vec<(Moment, String)>,
}
