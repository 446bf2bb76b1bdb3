//! Facts about a program that follow without playing it.

use treegauge_core::Player;

use crate::board::{Board, Site};
use crate::fast::Code;
use crate::state::BoardWord;
use crate::tree::{
    Cond, Effect, Kind, Mover, Moves, Num, Outcome, Owner, Program, Set, Stuck, Verb,
};

impl<C> Moves<C> {
    /// Calls `visit` with every mover, in the order of the text.
    pub(crate) fn each_mover<'a>(&'a self, visit: &mut dyn FnMut(&'a Mover<C>)) {
        match self {
            Moves::Mover(mover) => visit(mover),
            Moves::Or(parts) | Moves::FirstOf(parts) | Moves::Seq(parts) => {
                parts.iter().for_each(|part| part.each_mover(visit));
            }
            Moves::If(_, yes, no) => {
                yes.each_mover(visit);
                if let Some(no) = no {
                    no.each_mover(visit);
                }
            }
        }
    }
}

/// Calls `visit` with every effect, nested ones included.
pub(crate) fn each_effect<'e, C>(effects: &'e [Effect<C>], visit: &mut dyn FnMut(&'e Effect<C>)) {
    for effect in effects {
        visit(effect);
        if let Effect::If(_, inner) = effect {
            each_effect(inner, visit);
        }
    }
}

impl<C> Set<C> {
    /// Tests whether the sites of a set are always empty, judged by its words alone.
    pub(crate) fn is_free(&self) -> bool {
        match self {
            Set::Empty | Set::Supported | Set::Rays(..) => true,
            Set::And(sets) => sets.iter().any(Set::is_free),
            Set::Or(sets) | Set::FirstOf(sets) => sets.iter().all(Set::is_free),
            _ => false,
        }
    }
}

/// Ways in which the number of pieces may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    /// Pieces may leave the board.
    pub(crate) leave: bool,
    /// Pieces may come to the board without end, by placing or by effects.
    pub(crate) enter: bool,
    /// Pieces may change their owner, or their kind in more than one way.
    pub(crate) change: bool,
}

impl Program {
    /// Sites of a set in `start`, which is the same in every position.
    pub(crate) fn fixed(&self, set: &Set<Vec<Site>>, mover: Player) -> Vec<Site> {
        fixed(&self.board, set, mover).unwrap_or_default()
    }

    pub(crate) fn all_movers(&self) -> Vec<&Mover<Vec<u16>>> {
        let mut movers = Vec::new();
        self.body.play.each_mover(&mut |mover| movers.push(mover));
        movers
    }

    /// Tests whether the text of a placement must name the kind of piece, because movers place
    /// different kinds.
    pub(crate) fn places_kinds(&self) -> bool {
        let movers = self.all_movers();
        let placed = movers.iter().filter(|mover| mover.verb == Verb::Place);
        let kinds: Vec<_> = placed.map(|mover| mover.kind).collect();
        kinds.iter().any(|kind| *kind != kinds[0])
    }

    /// Tests whether every move of a kind leads onward, so that none of them can be undone. On
    /// boards of pits, tests the same of sowing.
    pub(crate) fn leads_onward(&self, kind: Kind) -> bool {
        if self.board.is_pits() {
            // Each seed moves towards the player's own store, and none passes it.
            return self
                .all_movers()
                .iter()
                .all(|mover| matches!(mover.verb, Verb::Sow { stores: true, .. }));
        }
        let (mut becomes, mut flips) = (Vec::new(), false);
        for mover in self.all_movers() {
            each_effect(&mover.then, &mut |effect| match effect {
                Effect::Become(kind) => becomes.push(*kind),
                // The flipped piece belongs to the other player, whose onward direction is the
                // opposite.
                Effect::Flip(_) => flips = true,
                _ => {}
            });
        }
        if flips {
            return false;
        }
        // A piece that has become another kind may move back, but it cannot become this kind again.
        if becomes.contains(&kind) || self.kinds[kind as usize].owner == Owner::Neutral {
            return false;
        }
        self.all_movers().iter().all(|mover| {
            let moves = mover.kind.is_none_or(|k| k == kind);
            let wraps = self.board.wrap.rows;
            match &mover.verb {
                Verb::Step(dirs) | Verb::Slide(dirs, _) | Verb::Hop { dirs, .. } => {
                    !moves || !wraps && is_onward(&self.board, dirs)
                }
                Verb::Leap(_) | Verb::Fly | Verb::Ride(_) | Verb::Swap { .. } => !moves,
                _ => true,
            }
        })
    }

    /// Ways in which the number of pieces may change.
    pub(crate) fn flow(&self) -> Flow {
        let mut flow = Flow::default();
        let mut becomes = std::collections::BTreeSet::new();
        let mut effects = |effects: &[Effect<Vec<u16>>]| {
            each_effect(effects, &mut |effect| match effect {
                Effect::Capture(_) => flow.leave = true,
                Effect::Flip(_) => flow.change = true,
                Effect::Put(..) => flow.enter = true,
                Effect::Become(kind) => {
                    becomes.insert(*kind);
                }
                _ => {}
            });
        };
        for mover in self.all_movers() {
            effects(&mover.then);
        }
        for mover in self.all_movers() {
            match mover.verb {
                Verb::Place => {
                    let kind = mover.kind.unwrap_or(0);
                    flow.enter |= self.kinds[kind as usize].hand.is_none();
                    flow.leave |= !mover.to.is_free();
                }
                Verb::Remove => flow.leave = true,
                Verb::Pass | Verb::Swap { .. } | Verb::Sow { .. } => {}
                _ => flow.leave |= !mover.to.is_free(),
            }
        }
        flow.change |= becomes.len() > 1;
        flow
    }

    /// Tests whether some mover has an effect that satisfies `is`.
    pub(crate) fn has_effect(&self, is: impl Fn(&Effect<Vec<u16>>) -> bool) -> bool {
        let mut found = false;
        for mover in self.all_movers() {
            each_effect(&mover.then, &mut |effect| found |= is(effect));
        }
        found
    }

    /// Tests whether pieces may change sides during play.
    pub(crate) fn flips(&self) -> bool {
        self.has_effect(|effect| matches!(effect, Effect::Flip(_)))
    }

    /// Tests whether pieces ride along tracks.
    pub(crate) fn rides(&self) -> bool {
        self.all_movers().iter().any(|mover| matches!(mover.verb, Verb::Ride(_)))
    }

    /// Tests whether pieces may change their kind.
    pub(crate) fn promotes(&self) -> bool {
        self.has_effect(|effect| matches!(effect, Effect::Become(_)))
    }

    /// Tests whether a position can recur, so that repetitions must be tracked.
    pub(crate) fn is_cyclic(&self) -> bool {
        let flow = self.flow();
        if self.board.is_pits() {
            return !self.leads_onward(0);
        }
        let endless = flow.enter && flow.leave;
        let moves = self.all_movers().into_iter().any(|mover| match &mover.verb {
            Verb::Place | Verb::Remove => false,
            // A swap is played only once.
            Verb::Swap { .. } => false,
            Verb::Pass | Verb::Sow { .. } => true,
            Verb::Step(_)
            | Verb::Slide(..)
            | Verb::Leap(_)
            | Verb::Fly
            | Verb::Ride(_)
            | Verb::Hop { .. } => {
                let leaves_something =
                    mover.then.iter().any(|effect| matches!(effect, Effect::Put(_, _, Set::From)));
                if leaves_something && !flow.leave {
                    return false;
                }
                match mover.kind {
                    Some(kind) => !self.leads_onward(kind),
                    None => (0..self.kinds.len() as Kind).any(|kind| {
                        self.kinds[kind as usize].owner != Owner::Neutral
                            && !self.leads_onward(kind)
                    }),
                }
            }
        });
        // Placing from a hand is progress whatever else happens. Flips alone are not.
        endless || moves
    }

    /// Tests whether a player has only finitely many moves in any game: the players alternate, and
    /// the player moves pieces only onward, gets no new ones and can never pass.
    pub(crate) fn runs_out(&self, player: Player) -> bool {
        let flow = self.flow();
        let can_wait = self.turns.is_some()
            || matches!(self.body.stuck, Stuck::Pass(_))
            || self.has_effect(|effect| matches!(effect, Effect::Again));
        if can_wait || flow.enter || flow.change || self.promotes() || self.board.is_pits() {
            return false;
        }
        let owns = |kind: Kind| self.may_own(kind, Some(player));
        // Neutral pieces may be moved by both players, and in any direction.
        let is_onward = |mover: &&Mover<Vec<u16>>| match mover.kind {
            Some(kind) if self.may_own(kind, Some(player.other())) && !owns(kind) => true,
            Some(kind) if self.kinds[kind as usize].owner == Owner::Neutral => false,
            _ => matches!(mover.verb, Verb::Step(_) | Verb::Slide(..) | Verb::Hop { .. }),
        };
        let all_move = self.all_movers().iter().all(is_onward);
        let kinds = 0..self.kinds.len() as Kind;
        all_move && kinds.filter(|&kind| owns(kind)).all(|kind| self.leads_onward(kind))
    }

    /// Tests whether a ply that changes the number of pieces counts as lasting progress.
    pub(crate) fn progress_is_lasting(&self) -> bool {
        let flow = self.flow();
        // With a limit of quiet plies, the text defines progress.
        self.body.quiet.is_some() || !(flow.enter && flow.leave)
    }
}

/// Tests whether the directions of both players always lead to further rows: up for the first
/// player, down for the second.
fn is_onward(board: &Board, dirs: &[Vec<u8>; 2]) -> bool {
    let onward = |player: usize, sign: i32| {
        dirs[player].iter().all(|&d| board.directions[d as usize].step[1] * sign > 0)
    };
    onward(0, 1) && onward(1, -1)
}

impl Program {
    /// Tests whether every move places a piece and no piece ever leaves the board.
    pub(crate) fn only_adds_pieces(&self) -> bool {
        let places = self.all_movers().iter().all(|mover| mover.verb == Verb::Place);
        places && !self.flow().leave && !matches!(self.body.stuck, Stuck::Pass(_))
    }

    /// Tests whether every move places a piece, perhaps besides other effects, and no piece ever
    /// leaves the board. No position can then recur.
    pub(crate) fn always_adds(&self) -> bool {
        fn adds(moves: &Moves<Vec<u16>>) -> bool {
            match moves {
                Moves::Mover(mover) => mover.verb == Verb::Place && mover.only_if.is_none(),
                Moves::Or(parts) | Moves::FirstOf(parts) => parts.iter().all(adds),
                Moves::Seq(parts) => parts.iter().any(adds),
                Moves::If(_, yes, no) => adds(yes) && no.as_ref().is_none_or(|no| adds(no)),
            }
        }
        adds(&self.body.play) && !self.flow().leave && !matches!(self.body.stuck, Stuck::Pass(_))
    }

    /// Tests whether every move brings a piece onward, and no piece comes to the board.
    pub(crate) fn only_advances(&self) -> bool {
        let onward = self.all_movers().iter().all(|mover| match &mover.verb {
            Verb::Step(dirs) | Verb::Slide(dirs, _) | Verb::Hop { dirs, .. } => {
                is_onward(&self.board, dirs)
            }
            _ => false,
        });
        let flow = self.flow();
        let owned = self.kinds.iter().all(|kind| kind.owner != Owner::Neutral);
        onward
            && owned
            && !self.board.wrap.rows
            && !flow.enter
            && !flow.change
            && !matches!(self.body.stuck, Stuck::Pass(_))
    }
}

impl<W: BoardWord> Code<W> {
    /// Number that decides the game by comparison, with its sign: -1 if the smaller number wins.
    /// `None` if the game is not graded.
    pub(crate) fn graded_by(&self) -> Option<(i64, Num<W>)> {
        let body = &self.body;
        let mut outcomes: Vec<&Outcome<W>> =
            body.end.iter().map(|rule| &rule.settled.outcome).collect();
        match &body.stuck {
            // The margin of a terminal position would lack the effects.
            Stuck::Ends(settled) if !settled.effects.is_empty() => return None,
            Stuck::Ends(_) if self.never_stuck() => {}
            Stuck::Ends(settled) => outcomes.push(&settled.outcome),
            Stuck::Pass(outcome) => outcomes.push(outcome),
        }
        let first = outcomes.first().copied()?;
        if outcomes.iter().any(|outcome| *outcome != first) {
            return None;
        }
        match first {
            Outcome::Most(n) => Some((1, n.clone())),
            Outcome::Least(n) => Some((-1, n.clone())),
            _ => None,
        }
    }

    /// Tests whether a rule of `end` ends the game wherever a player would be stuck, judged by its
    /// words alone.
    fn never_stuck(&self) -> bool {
        let Moves::Mover(mover) = &self.body.play else { return false };
        let says = |wanted: &Set<W>| {
            let is = |cond: &Cond<W>| matches!(cond, Cond::None(set) if set == wanted);
            self.body.end.iter().any(|rule| match &rule.when {
                Cond::Or(parts) => parts.iter().any(is),
                cond => is(cond),
            })
        };
        match &mover.verb {
            Verb::Sow { .. } => {
                mover.only_if.is_none() && says(&Set::Mine(None)) && says(&Set::Theirs(None))
            }
            Verb::Place => {
                let of = &self.kinds[mover.kind.unwrap_or(0) as usize];
                let free = mover.to == Set::Empty && mover.only_if.is_none() && !of.has_hand;
                free && (of.neutral || of.players == [true; 2]) && says(&Set::Empty)
            }
            _ => false,
        }
    }
}

impl<C> Mover<C> {
    /// Tests whether the mover has an effect that captures. Hops of such movers are written with an
    /// `x`.
    pub(crate) fn captures(&self) -> bool {
        fn captures<C>(effects: &[Effect<C>]) -> bool {
            effects.iter().any(|effect| match effect {
                Effect::Capture(_) => true,
                Effect::If(_, effects) => captures(effects),
                _ => false,
            })
        }
        captures(&self.then)
    }
}

/// Sites of a set that is the same in every position; `None` for any other set.
pub(crate) fn fixed(board: &Board, set: &Set<Vec<Site>>, mover: Player) -> Option<Vec<Site>> {
    let many = |sets: &[Set<Vec<Site>>]| -> Option<Vec<Vec<Site>>> {
        sets.iter().map(|set| fixed(board, set, mover)).collect()
    };
    Some(match set {
        Set::Const(of) => of[mover.index()].clone(),
        Set::And(sets) => {
            let sets = many(sets)?;
            let all = |site: &Site| sets.iter().all(|set| set.contains(site));
            board.sites().filter(all).collect()
        }
        Set::Or(sets) => {
            let sets = many(sets)?;
            let any = |site: &Site| sets.iter().any(|set| set.contains(site));
            board.sites().filter(any).collect()
        }
        Set::Not(set) => {
            let set = fixed(board, set, mover)?;
            board.sites().filter(|site| !set.contains(site)).collect()
        }
        Set::FirstOf(sets) => {
            many(sets)?.into_iter().find(|set| !set.is_empty()).unwrap_or_default()
        }
        Set::Next(set, dirs) => {
            let set = fixed(board, set, mover)?;
            let dirs = &dirs[mover.index()];
            let of = |&site: &Site| {
                let next = |&d: &u8| board.directions[d as usize].next[site as usize];
                dirs.iter().filter_map(next).collect::<Vec<_>>()
            };
            let mut sites: Vec<Site> = set.iter().flat_map(of).collect();
            sites.sort_unstable();
            sites.dedup();
            sites
        }
        _ => return None,
    })
}
