//! Loop for games where stones are only placed, until a line or a shape is complete.
//!
//! The open sites are stored in a list. When one is taken, the last site of the list replaces it,
//! or the site above it if stones fall.

use rand_core::Rng;
use treegauge_bits::Choices;
use treegauge_core::{Outcome, Player, Playout, Plies};

use super::rule_of;
use crate::fast::Code;
use crate::fast::code::Member;
use crate::fast::sets::go;
use crate::state::{BoardWord, State};
use crate::tree::{Cond, Moves, Set, Verb};

/// Marks a site without a follower.
const NONE: u16 = u16::MAX;

/// Members of a family whose sites are at one distance from each other.
#[derive(Clone, Debug)]
struct Axis {
    /// First shifts by which a set of stones is intersected with itself, so that a bit remains
    /// where a member begins. A shift of 0 changes nothing.
    shifts: [u32; 2],
    /// Further shifts, for members of more than four sites.
    more: Vec<u32>,
}

/// Game of lines or shapes.
#[derive(Clone, Debug)]
pub(crate) struct OpenList<W> {
    wins: bool,
    falls: bool,
    /// Number of sites of a member on an axis.
    length: u32,
    /// Site that opens when a site is taken, by site.
    follower: Vec<u16>,
    axes: Vec<Axis>,
    /// First sites of the members through a site, by site and axis.
    begins: Vec<W>,
    /// Members through a site that are not on an axis, by site. The outer list is empty if every
    /// member is on an axis.
    others: Vec<Vec<Member<W>>>,
}

impl<W: BoardWord> OpenList<W> {
    pub(super) fn of(code: &Code<W>) -> Option<OpenList<W>> {
        let Moves::Mover(mover) = &code.body.play else { return None };
        let falls = mover.to == Set::Supported;
        let places = mover.verb == Verb::Place && mover.then.is_empty() && mover.only_if.is_none();
        if !places || !falls && mover.to != Set::Empty {
            return None;
        }
        let [rule] = &code.body.end[..] else { return None };
        let (Cond::Makes(family, Set::Mine(None)), wins) = rule_of(rule)? else { return None };
        let members = &code.families[*family].members;
        if members.iter().any(|member| !member.ends.is_zero()) {
            return None;
        }
        let sites = code.program.board.len();
        let mut follower = vec![NONE; sites];
        if falls {
            for site in 0..sites as u32 {
                let above = go(&code.above, W::bit(site) & code.all);
                follower[site as usize] = above.ones().next().map_or(NONE, |site| site as u16);
            }
        }
        let length = members.first()?.sites.count();
        let mut steps: Vec<u32> = Vec::new();
        let mut on_axis: Vec<Option<usize>> = Vec::new();
        for member in members {
            let sites: Vec<u32> = member.sites.ones().collect();
            let step = if sites.len() > 1 { sites[1] - sites[0] } else { 1 };
            let even = sites.windows(2).all(|pair| pair[1] - pair[0] == step);
            on_axis.push(even.then(|| {
                steps.iter().position(|&known| known == step).unwrap_or_else(|| {
                    steps.push(step);
                    steps.len() - 1
                })
            }));
        }
        let mut begins = vec![W::ZERO; sites * steps.len()];
        let mut others = vec![Vec::new(); sites];
        for (member, axis) in members.iter().zip(on_axis) {
            for site in member.sites.ones() {
                match axis {
                    Some(axis) => {
                        begins[site as usize * steps.len() + axis].set(member.sites.lowest())
                    }
                    None => others[site as usize].push(*member),
                }
            }
        }
        let axes = steps.iter().map(|&step| {
            let (mut shifts, mut have) = (Vec::new(), 1);
            while have < length {
                let more = have.min(length - have);
                shifts.push(more * step);
                have += more;
            }
            let more = shifts.split_off(shifts.len().min(2));
            shifts.resize(2, 0);
            Axis { shifts: [shifts[0], shifts[1]], more }
        });
        if others.iter().all(Vec::is_empty) {
            others.clear();
        }
        // The code of a move is just its site.
        debug_assert!(code.layout.parts.len() == 1 && code.layout.parts[0].from == 0);
        Some(OpenList { wins, falls, length, follower, axes: axes.collect(), begins, others })
    }

    /// Tests whether a set that contains a site also contains a whole member through it.
    #[inline]
    fn made(&self, stones: W, site: usize) -> bool {
        let begins = &self.begins[site * self.axes.len()..(site + 1) * self.axes.len()];
        let mut found = W::ZERO;
        for (axis, &begins) in self.axes.iter().zip(begins) {
            let mut runs = stones & stones >> axis.shifts[0];
            runs &= runs >> axis.shifts[1];
            for &shift in &axis.more {
                runs &= runs >> shift;
            }
            found |= runs & begins;
        }
        !found.is_zero()
            || !self.others.is_empty()
                && self.others[site].iter().any(|member| (member.sites & !stones).is_zero())
    }

    /// Sites where a stone may be placed.
    #[inline]
    pub(super) fn open(&self, code: &Code<W>, state: &State<W>) -> W {
        let empty = code.all & !state.occupied();
        if self.falls { empty & !go(&code.above, empty) } else { empty }
    }

    /// Places a stone on a site. It is always progress.
    #[inline]
    pub(super) fn play(&self, state: &mut State<W>, site: u64) -> bool {
        let mover = state.rest.turn;
        let own = &mut state.owners[mover.index()];
        own.set(site as u32);
        if self.made(*own, site as usize) {
            state.rest.result = Some(self.result(mover));
        }
        state.rest.turn = mover.other();
        true
    }

    /// Result when a player has completed a line.
    fn result(&self, mover: Player) -> Outcome {
        Outcome::win_of(if self.wins { mover } else { mover.other() })
    }

    pub(super) fn run<R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        plies_max: u32,
        choices: Choices<'_, R>,
    ) -> Playout {
        if self.follower.len() <= 64 {
            self.run_in::<64, R>(code, state, plies_max, choices)
        } else {
            self.run_in::<512, R>(code, state, plies_max, choices)
        }
    }

    fn run_in<const N: usize, R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        plies_max: u32,
        mut choices: Choices<'_, R>,
    ) -> Playout {
        if let Some(outcome) = state.rest.result {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let mut open = [0u16; N];
        let mut count = 0;
        for site in self.open(code, state).ones() {
            open[count] = site as u16;
            count += 1;
        }
        let first = state.rest.turn.index();
        let mut stones = [state.owners[first], state.owners[1 - first]];
        // From an empty board, no player can complete a line before it has placed enough stones.
        let alone = self.others.is_empty();
        let none_before = if alone && state.occupied().is_zero() { 2 * self.length - 1 } else { 0 };
        let mut plies = 0u32;
        let mut won = false;
        while count > 0 && plies < plies_max {
            let n = choices.below(count as u32) as usize;
            let site = open[n];
            let follower = self.follower[site as usize];
            if follower == NONE {
                count -= 1;
                open[n] = open[count];
            } else {
                open[n] = follower;
            }
            let own = &mut stones[plies as usize & 1];
            own.set(u32::from(site));
            plies += 1;
            if plies >= none_before && self.made(*own, site as usize) {
                won = true;
                break;
            }
        }
        let mover = if plies & 1 == 1 { state.rest.turn } else { state.rest.turn.other() };
        state.owners[first] = stones[0];
        state.owners[1 - first] = stones[1];
        state.rest.turn = mover.other();
        if won {
            let outcome = self.result(mover);
            state.rest.result = Some(outcome);
            return Playout { outcome, plies: Plies(plies), capped: false };
        }
        if count == 0 {
            let outcome = code.stuck(state).expect("who is stuck does not pass");
            return Playout { outcome, plies: Plies(plies), capped: false };
        }
        Playout { outcome: Outcome::Draw, plies: Plies(plies), capped: true }
    }
}
