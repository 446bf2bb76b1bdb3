//! Texts of moves, and the sites that moves touch.

use std::fmt::{self, Write};

use treegauge_core::{Player, Role};

use super::{Code, Moment};
use crate::layout::Part;
use crate::state::{BoardWord, State};
use crate::tree::{Chain, Laps, Moves, Verb};

impl<W: BoardWord> Code<W> {
    /// Text of a move.
    pub(crate) fn move_text(&self, state: &State<W>, mover: Player, code: u64) -> String {
        let mut text = String::new();
        self.write_move(&mut text, state, mover, code).expect("a string has room");
        text
    }

    /// Calls `visit` with the index of each part of a move, the moment before the part, and the
    /// part.
    #[inline]
    fn parts<E>(
        &self,
        state: &State<W>,
        mover: Player,
        code: u64,
        mut visit: impl FnMut(usize, &Moment<W>, &Part) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut now = Moment::before(state, mover);
        for at in 0..self.layout.parts.len() {
            let Some(part) = self.layout.decode(code, at) else { break };
            visit(at, &now, &part)?;
            if at + 1 < self.layout.parts.len() {
                self.part(&mut now, at, &part);
            }
        }
        Ok(())
    }

    /// Site that a hop of a part jumps over, and the site where it lands, when it starts from
    /// `site`.
    #[inline]
    fn jump(&self, now: &Moment<W>, at: usize, part: &Part, hop: usize, site: usize) -> [usize; 2] {
        let Verb::Hop { dirs, .. } = &self.movers[part.mover].verb else {
            unreachable!("only these have hops");
        };
        let d = dirs[now.mover.index()][self.layout.direction(at, part, hop)];
        let next = &self.next[d as usize];
        let over = next[site] as usize;
        [over, next[over] as usize]
    }

    /// Writes the text of a move. Fails if `text` has no room for it.
    pub(super) fn write_move(
        &self,
        text: &mut impl Write,
        state: &State<W>,
        mover: Player,
        code: u64,
    ) -> fmt::Result {
        if code == super::apply::PASS {
            return text.write_str("pass");
        }
        let names = &self.program.board.names;
        self.parts(state, mover, code, |at, now, part| {
            if at > 0 {
                text.write_char('/')?;
            }
            let mover = &self.movers[part.mover];
            let (from, to) = (part.from, part.to);
            match &mover.verb {
                Verb::Place => {
                    if self.names_kinds {
                        let kind = mover.kind.unwrap_or(0) as usize;
                        text.write_str(&self.program.kinds[kind].name)?;
                        text.write_char('@')?;
                    }
                    text.write_str(&names[to])
                }
                Verb::Remove => {
                    text.write_char('x')?;
                    text.write_str(&names[to])
                }
                Verb::Pass => text.write_str("pass"),
                Verb::Swap { .. } => text.write_str("swap"),
                Verb::Sow { .. } => write!(text, "{}", from % self.pits as usize + 1),
                Verb::Hop { chain, .. } if *chain != Chain::Reach => {
                    text.write_str(&names[from])?;
                    let mut site = from;
                    for hop in 0..part.hops {
                        [_, site] = self.jump(now, at, part, hop, site);
                        text.write_char(if mover.captures() { 'x' } else { '-' })?;
                        text.write_str(&names[site])?;
                    }
                    Ok(())
                }
                _ => {
                    let taken = now.state.occupied().has(to as u32);
                    text.write_str(&names[from])?;
                    text.write_char(if taken { 'x' } else { '-' })?;
                    text.write_str(&names[to])
                }
            }
        })
    }

    /// Number of ids of moves; `None` if a chain of hops makes too many, or they do not fit a `u32`.
    pub(crate) fn action_count(&self) -> Option<u32> {
        let parts = u32::try_from(self.layout.parts.len()).ok()?;
        if self.layout.parts.iter().any(|part| part.hops > 1) {
            return None;
        }
        u32::try_from(self.part_actions().checked_pow(parts)?).ok()
    }

    /// Number of ids of a part: none, a pass, a swap, placements by kind, removals, houses, and
    /// pairs of sites with and without a capture.
    fn part_actions(&self) -> u64 {
        let sites = self.program.board.len() as u64;
        self.first_pair() + 2 * sites * sites
    }

    /// Number of ids of a part before those of pairs of sites.
    fn first_pair(&self) -> u64 {
        let kinds = if self.names_kinds { self.program.kinds.len() } else { 1 };
        3 + self.program.board.len() as u64 * (kinds as u64 + 2)
    }

    /// Tests whether moves may be compared by their ids in place of their texts: the ids fit a
    /// `u64`, and no two texts can be equal by accident because of the letters in names.
    pub(crate) fn can_compare_ids(&self) -> bool {
        let parts = self.layout.parts.len() as u32;
        let fits = self.layout.parts.iter().all(|part| part.hops <= 1)
            && self.part_actions().checked_pow(parts).is_some();
        let plain = |name: &String| {
            !name.contains(['x', '-', '/', '@']) && !["pass", "swap"].contains(&name.as_str())
        };
        fits && self.pits == 0 && self.program.board.names.iter().all(plain)
    }

    /// Id of a move as a `u32`; see [`Code::id_of`].
    pub(crate) fn action_of(&self, state: &State<W>, mover: Player, code: u64) -> u32 {
        self.id_of(state, mover, code) as u32
    }

    /// Id of a move: the ids of its parts as digits, the first lowest. Two moves have the same id
    /// exactly if they have the same text. No move has the id 0.
    pub(super) fn id_of(&self, state: &State<W>, mover: Player, code: u64) -> u64 {
        const PASS: u64 = 1;
        if code == super::apply::PASS {
            return PASS;
        }
        let (mut action, mut digit) = (0, 1);
        let mut add = |id: u64| {
            action += id * digit;
            digit = digit.wrapping_mul(self.part_actions());
        };
        if self.ids_need_board {
            let all = self.parts::<()>(state, mover, code, |at, now, part| {
                add(self.part_id(at, now, part));
                Ok(())
            });
            all.expect("no part is an error");
        } else {
            // Only the first part asks for the contents of its target.
            let now = Moment::before(state, mover);
            for at in 0..self.layout.parts.len() {
                let Some(part) = self.layout.decode(code, at) else { break };
                add(self.part_id(at, &now, &part));
            }
        }
        action
    }

    /// Tests whether the id of a later part depends on the board after the parts before it: the
    /// part moves a piece to a site that may be occupied.
    pub(crate) fn later_ids_need_board(&self) -> bool {
        fn needs<W: BoardWord>(moves: &Moves<W>, is_later: bool) -> bool {
            match moves {
                Moves::Mover(mover) => {
                    let moves = !matches!(
                        mover.verb,
                        Verb::Place
                            | Verb::Remove
                            | Verb::Pass
                            | Verb::Swap { .. }
                            | Verb::Sow { .. }
                    );
                    is_later && moves && !mover.to.is_free()
                }
                Moves::Or(parts) | Moves::FirstOf(parts) => {
                    parts.iter().any(|part| needs(part, is_later))
                }
                Moves::Seq(parts) => {
                    let mut parts = parts.iter().enumerate();
                    parts.any(|(n, part)| needs(part, is_later || n > 0))
                }
                Moves::If(_, yes, no) => {
                    needs(yes, is_later) || no.as_ref().is_some_and(|no| needs(no, is_later))
                }
            }
        }
        needs(&self.body.play, false)
    }

    /// Id of a part of a move, from the moment before it.
    #[inline]
    fn part_id(&self, at: usize, now: &Moment<W>, part: &Part) -> u64 {
        const PASS: u64 = 1;
        const SWAP: u64 = 2;
        let sites = self.program.board.len() as u64;
        let first_pair = self.first_pair();
        let pair = |from: usize, to: usize, captures: bool| {
            first_pair + 2 * (from as u64 * sites + to as u64) + u64::from(captures)
        };
        let mover = &self.movers[part.mover];
        let (from, to) = (part.from, part.to);
        match &mover.verb {
            Verb::Pass => PASS,
            Verb::Swap { .. } => SWAP,
            Verb::Place => {
                let is_named = self.names_kinds;
                let kind = mover.kind.filter(|_| is_named).unwrap_or(0);
                3 + u64::from(kind) * sites + to as u64
            }
            Verb::Remove => first_pair - 2 * sites + to as u64,
            Verb::Sow { .. } => first_pair - sites + (from % self.pits as usize) as u64,
            Verb::Hop { chain, .. } if *chain != Chain::Reach => {
                let site = match part.hops {
                    0 => from,
                    _ => self.jump(now, at, part, 0, from)[1],
                };
                pair(from, site, mover.captures())
            }
            _ => {
                let captures = !mover.to.is_free() && now.state.occupied().has(to as u32);
                pair(from, to, captures)
            }
        }
    }

    /// Sites that a move touches, in order. If a piece moves on in the next part, its site is not
    /// repeated.
    pub(crate) fn touched(&self, state: &State<W>, mover: Player, code: u64) -> Vec<(usize, Role)> {
        let mut touched: Vec<(usize, Role)> = Vec::new();
        if code == super::apply::PASS {
            return touched;
        }
        let all = self.parts::<()>(state, mover, code, |at, now, part| {
            let moves = |touched: &mut Vec<(usize, Role)>| {
                if touched.last().is_none_or(|&(last, _)| last != part.from) {
                    touched.push((part.from, Role::From));
                }
            };
            match &self.movers[part.mover].verb {
                Verb::Pass | Verb::Swap { .. } => {}
                Verb::Place => touched.push((part.to, Role::To)),
                Verb::Remove => touched.push((part.to, Role::Removed)),
                Verb::Sow { laps, .. } => {
                    moves(&mut touched);
                    if *laps != Laps::No {
                        let mut then = *now;
                        self.part(&mut then, at, part);
                        let last = then.to.lowest() as usize;
                        if last != part.from {
                            touched.push((last, Role::To));
                        }
                    }
                }
                Verb::Hop { chain, .. } if *chain != Chain::Reach => {
                    moves(&mut touched);
                    let mut site = part.from;
                    for hop in 0..part.hops {
                        let [over, to] = self.jump(now, at, part, hop, site);
                        touched.extend([(over, Role::Over), (to, Role::To)]);
                        site = to;
                    }
                }
                _ => {
                    moves(&mut touched);
                    touched.push((part.to, Role::To));
                }
            }
            Ok(())
        });
        all.expect("no part is an error");
        touched
    }
}
