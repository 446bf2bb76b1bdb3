//! Loop for games where pieces of one kind step, perhaps onto opposing pieces, until one reaches a
//! region or the opponent has no pieces left.

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Outcome, Player, Playout, Plies};

use super::Reason;
use crate::fast::Code;
use crate::fast::code::Arc1;
use crate::fast::duplicates::Duplicates;
use crate::state::{BoardWord, State};
use crate::tree::{Mover, Moves, Set, Verb};

/// Steps of one displacement onto empty sites, and perhaps onto opposing pieces.
#[derive(Clone, Copy, Debug)]
struct Lane<W> {
    arc: Arc1<W>,
    captures: bool,
}

/// Largest number of lanes of a position.
const LANES_MAX: usize = 16;

/// Game of steps.
#[derive(Clone, Debug)]
pub(crate) struct Steps<W> {
    /// Lanes of each player.
    lanes: [Vec<Lane<W>>; 2],
    rules: Vec<(Reason<W>, bool)>,
}

impl<W: BoardWord> Steps<W> {
    pub(super) fn of(code: &Code<W>) -> Option<Steps<W>> {
        // A cyclic game would have to track quiet plies, and a wrapped board would need the sites.
        if code.cyclic || code.duplicates != Duplicates::Never || code.by_site.contains(&true) {
            return None;
        }
        let mut movers: Vec<&Mover<W>> = Vec::new();
        match &code.body.play {
            Moves::Mover(mover) => movers.push(mover),
            Moves::Or(parts) => {
                for part in parts {
                    let Moves::Mover(mover) = part else { return None };
                    movers.push(mover);
                }
            }
            _ => return None,
        }
        let mut lanes = [Vec::new(), Vec::new()];
        for mover in movers {
            let Verb::Step(dirs) = &mover.verb else { return None };
            if !mover.then.is_empty() || mover.only_if.is_some() {
                return None;
            }
            let onto_theirs = |set: &Set<W>| match set {
                Set::Empty => Some(false),
                Set::Or(sets) => {
                    let two = [Set::Empty, Set::Theirs(None)];
                    let both = sets.len() == 2 && two.iter().all(|set| sets.contains(set));
                    both.then_some(true)
                }
                _ => None,
            };
            let captures = onto_theirs(&mover.to)?;
            for (player, lanes) in lanes.iter_mut().enumerate() {
                for &d in &dirs[player] {
                    let arcs = code.arcs[d as usize].iter();
                    lanes.extend(arcs.map(|&arc| Lane { arc, captures }));
                }
            }
        }
        let rules = Reason::all_of(code)?;
        let few = lanes.iter().all(|lanes| lanes.len() <= LANES_MAX);
        few.then_some(Steps { lanes, rules })
    }

    pub(super) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        plies_max: u32,
        mut choices: Choices<'_, R>,
    ) -> Playout {
        if let Some(outcome) = state.rest.result {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let [mut own, mut other] = match state.rest.turn {
            Player::First => [state.owners[0], state.owners[1]],
            Player::Second => [state.owners[1], state.owners[0]],
        };
        let mut turn = state.rest.turn;
        let mut plies = 0;
        let mut end: Option<Option<bool>> = None;
        while end.is_none() {
            let lanes = &self.lanes[turn.index()];
            let (empty, free) = (code.all & !(own | other), code.all & !own);
            let mut targets = [W::ZERO; LANES_MAX];
            let mut sums = [0u32; LANES_MAX];
            let mut count = 0;
            for ((lane, targets), sum) in lanes.iter().zip(&mut targets).zip(&mut sums) {
                let onto = if lane.captures { free } else { empty };
                *targets = lane.arc.go(own) & onto;
                count += targets.count();
                *sum = count;
            }
            if count == 0 {
                break;
            }
            if plies >= plies_max {
                end = Some(None);
                break;
            }
            let n = choices.below_any(count);
            let lane = sums[..lanes.len()].iter().position(|&sum| n < sum);
            let lane = lane.expect("the last sum is the count");
            let before = if lane == 0 { 0 } else { sums[lane - 1] };
            let to = targets[lane].nth(n - before);
            let arc = &lanes[lane].arc;
            let target = W::bit(to);
            own &= !W::bit(to + arc.down - arc.up);
            own |= target;
            other &= !target;
            plies += 1;
            for (reason, wins) in &self.rules {
                if reason.holds(turn.index(), target, other) {
                    end = Some(Some(*wins));
                    break;
                }
            }
            turn = turn.other();
            (own, other) = (other, own);
        }
        state.owners[turn.index()] = own;
        state.owners[1 - turn.index()] = other;
        state.rest.turn = turn;
        let plies = Plies(plies);
        match end {
            Some(Some(wins)) => {
                let mover = turn.other();
                let outcome = Outcome::win_of(if wins { mover } else { mover.other() });
                state.rest.result = Some(outcome);
                Playout { outcome, plies, capped: false }
            }
            Some(None) => Playout { outcome: Outcome::Draw, plies, capped: true },
            None => {
                let outcome = code.stuck(state).expect("who is stuck does not pass");
                Playout { outcome, plies, capped: false }
            }
        }
    }
}
