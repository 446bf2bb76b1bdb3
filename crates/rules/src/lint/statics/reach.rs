//! Upper bounds on the sites where pieces can ever stand: perhaps too many sites, never too few.

use treegauge_core::Player;

use crate::board::{Board, Site};
use crate::facts::each_effect;
use crate::tree::{Cond, Dirs, Effect, Kind, Mover, Owner, Program, Set, Side, Verb};

/// Set of sites, with one flag for each.
pub(super) type Flags = Vec<bool>;

/// Sites that pieces can reach, by owner (2 for neutral pieces) and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    stand: [Vec<Flags>; 3],
    /// Sites where each mover can bring a piece, for each player.
    arrive: Vec<[Flags; 2]>,
}

fn all(board: &Board) -> Flags {
    board.on.clone()
}

fn none(board: &Board) -> Flags {
    vec![false; board.len()]
}

fn add(to: &mut Flags, from: &Flags) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to |= from);
}

fn both(a: &Flags, b: &Flags) -> Flags {
    a.iter().zip(b).map(|(&a, &b)| a && b).collect()
}

pub(super) fn is_none(flags: &Flags) -> bool {
    !flags.contains(&true)
}

/// Sites one step away from some sites in a direction.
fn step(board: &Board, from: &Flags, d: u8) -> Flags {
    let mut found = none(board);
    for (site, to) in board.directions[d as usize].next.iter().enumerate() {
        if let (true, Some(to)) = (from[site], to) {
            found[*to as usize] = true;
        }
    }
    found
}

impl Reach {
    pub(super) fn of(program: &Program) -> Reach {
        let board = &program.board;
        let kinds = || vec![none(board); program.kinds.len()];
        let mut reach = Reach {
            stand: [kinds(), kinds(), kinds()],
            arrive: vec![[none(board), none(board)]; program.movers],
        };
        if board.is_pits() {
            return reach;
        }
        for put in &program.start {
            let owner = put.player.map_or(2, Player::index);
            reach.stand[owner][put.kind as usize][put.site as usize] = true;
        }
        let movers = program.all_movers();
        loop {
            let before = reach.clone();
            for mover in &movers {
                for player in Player::BOTH {
                    reach.play(program, mover, player);
                }
            }
            if reach == before {
                return reach;
            }
        }
    }

    /// Sites where pieces of an owner can stand, of one kind or of all.
    pub(super) fn stand(&self, board: &Board, owner: usize, kind: Option<Kind>) -> Flags {
        let mut found = none(board);
        for (number, flags) in self.stand[owner].iter().enumerate() {
            if kind.is_none_or(|kind| usize::from(kind) == number) {
                add(&mut found, flags);
            }
        }
        found
    }

    /// Sites where a move of a player can bring a piece.
    pub(super) fn arrivals(&self, board: &Board, player: Player) -> Flags {
        let mut found = none(board);
        self.arrive.iter().for_each(|of| add(&mut found, &of[player.index()]));
        found
    }

    /// Tests whether a kind can ever be on the board.
    pub(super) fn comes(&self, kind: usize) -> bool {
        self.stand.iter().any(|kinds| !is_none(&kinds[kind]))
    }

    fn play(&mut self, program: &Program, mover: &Mover<Vec<Site>>, player: Player) {
        let board = &program.board;
        let to = self.most(program, &mover.to, player);
        let owner_of = |kind: usize| match program.kinds[kind].owner {
            Owner::Neutral => 2,
            _ => player.index(),
        };
        let may = |kind: usize| match program.kinds[kind].owner {
            Owner::Only(owner) => owner == player,
            _ => true,
        };
        let mut arrived = none(board);
        match &mover.verb {
            Verb::Place => {
                let kind = usize::from(mover.kind.unwrap_or(0));
                if may(kind) {
                    add(&mut self.stand[owner_of(kind)][kind], &to);
                    add(&mut arrived, &to);
                }
            }
            Verb::Swap { mirror } => {
                for kind in 0..program.kinds.len() {
                    let image = |flags: &Flags| -> Flags {
                        if !mirror {
                            return flags.clone();
                        }
                        let mut image = none(board);
                        for site in board.sites().filter(|&site| flags[site as usize]) {
                            if let Some(to) = board.mirrored(site) {
                                image[to as usize] = true;
                            }
                        }
                        image
                    };
                    let images = [image(&self.stand[0][kind]), image(&self.stand[1][kind])];
                    add(&mut self.stand[0][kind], &images[1]);
                    add(&mut self.stand[1][kind], &images[0]);
                }
            }
            Verb::Remove | Verb::Pass | Verb::Sow { .. } => {}
            verb => {
                for kind in 0..program.kinds.len() {
                    let moves = match mover.kind {
                        Some(moved) => usize::from(moved) == kind,
                        None => program.kinds[kind].owner != Owner::Neutral,
                    };
                    if !moves {
                        continue;
                    }
                    let owner = owner_of(kind);
                    let from = self.stand[owner][kind].clone();
                    let there = both(&targets(board, verb, &from, player), &to);
                    add(&mut self.stand[owner][kind], &there);
                    add(&mut arrived, &there);
                }
            }
        }
        add(&mut self.arrive[mover.id][player.index()], &arrived);
        let mut effects: Vec<&Effect<Vec<Site>>> = Vec::new();
        each_effect(&mover.then, &mut |effect| effects.push(effect));
        for effect in effects {
            match effect {
                Effect::Put(side, kind, set) => {
                    let owner = match side {
                        Side::Neutral => 2,
                        Side::Of(who) => who.of(player).index(),
                    };
                    let set = self.most(program, set, player);
                    add(&mut self.stand[owner][usize::from(*kind)], &set);
                }
                Effect::Become(kind) => {
                    let to = self.arrive[mover.id][player.index()].clone();
                    add(&mut self.stand[owner_of(usize::from(*kind))][usize::from(*kind)], &to);
                }
                Effect::Flip(set) => {
                    let set = self.most(program, set, player);
                    for kind in 0..program.kinds.len() {
                        let turned = both(&self.stand[player.other().index()][kind], &set);
                        add(&mut self.stand[player.index()][kind], &turned);
                    }
                }
                _ => {}
            }
        }
    }

    /// Upper bound on a set for the player to move.
    pub(super) fn most(&self, program: &Program, set: &Set<Vec<Site>>, mover: Player) -> Flags {
        let board = &program.board;
        let many = |sets: &[Set<Vec<Site>>]| -> Vec<Flags> {
            sets.iter().map(|set| self.most(program, set, mover)).collect()
        };
        match set {
            Set::Const(of) => {
                let mut found = none(board);
                of[mover.index()].iter().for_each(|&site| found[site as usize] = true);
                found
            }
            _ if board.is_pits() => all(board),
            Set::Mine(kind) => self.stand(board, mover.index(), *kind),
            Set::Theirs(kind) => self.stand(board, mover.other().index(), *kind),
            Set::Custodial(..) => self.stand(board, mover.other().index(), None),
            Set::Piece(kind) => {
                let mut found = none(board);
                (0..3).for_each(|owner| add(&mut found, &self.stand(board, owner, Some(*kind))));
                found
            }
            Set::And(sets) => many(sets).iter().fold(all(board), |a, b| both(&a, b)),
            Set::Or(sets) | Set::FirstOf(sets) => {
                let mut found = none(board);
                many(sets).iter().for_each(|flags| add(&mut found, flags));
                found
            }
            Set::Not(inner) => match &**inner {
                // A constant set is exact, so its complement is exact as well.
                Set::Const(of) => {
                    let mut found = all(board);
                    of[mover.index()].iter().for_each(|&site| found[site as usize] = false);
                    found
                }
                _ => all(board),
            },
            Set::Next(set, dirs) => {
                let from = self.most(program, set, mover);
                let mut found = none(board);
                for &d in &dirs[mover.index()] {
                    add(&mut found, &step(board, &from, d));
                }
                found
            }
            Set::Enclosed(set) | Set::Covered(_, set) => self.most(program, set, mover),
            Set::Joined(_, within) => self.most(program, within, mover),
            _ => all(board),
        }
    }
}

/// Sites that a piece can reach in one move from some sites.
fn targets(board: &Board, verb: &Verb<Vec<Site>>, from: &Flags, player: Player) -> Flags {
    let mut found = none(board);
    let of = |dirs: &Dirs| dirs[player.index()].clone();
    match verb {
        Verb::Step(dirs) => {
            of(dirs).into_iter().for_each(|d| add(&mut found, &step(board, from, d)));
        }
        Verb::Slide(dirs, most) => {
            for d in of(dirs) {
                let mut at = from.clone();
                for _ in 0..(*most).min(board.len() as u32) {
                    at = step(board, &at, d);
                    add(&mut found, &at);
                }
            }
        }
        Verb::Hop { dirs, .. } => {
            for d in of(dirs) {
                add(&mut found, &step(board, &step(board, from, d), d));
            }
        }
        Verb::Leap(to) => {
            for site in board.sites().filter(|&site| from[site as usize]) {
                to[site as usize].iter().for_each(|&to| found[to as usize] = true);
            }
        }
        Verb::Ride(bends) => {
            for site in board.sites().filter(|&site| from[site as usize]) {
                board.ridden(site, *bends).into_iter().for_each(|to| found[to as usize] = true);
            }
        }
        _ => {
            if !is_none(from) {
                found = all(board);
            }
        }
    }
    found
}

/// Players for whom a condition can hold, judged by the players that it names.
pub(super) fn players_of(cond: &Cond<Vec<Site>>) -> Vec<Player> {
    let holds = |player: Player| match cond {
        Cond::Is(a, b) => a.of(player) == b.of(player),
        Cond::And(parts) => parts.iter().all(|part| players_of(part).contains(&player)),
        Cond::Or(parts) => parts.iter().any(|part| players_of(part).contains(&player)),
        _ => true,
    };
    Player::BOTH.into_iter().filter(|&player| holds(player)).collect()
}
