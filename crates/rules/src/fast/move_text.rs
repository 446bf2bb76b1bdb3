//! The texts of moves.

use std::fmt::{self, Write};

use treegauge_core::Player;

use super::{Code, Moment};
use crate::state::{BoardWord, State};
use crate::tree::Verb;

impl<W: BoardWord> Code<W> {
    /// The text of a move.
    pub(crate) fn move_text(&self, state: &State<W>, mover: Player, code: u64) -> String {
        let mut text = String::new();
        self.write_move(&mut text, state, mover, code).expect("a string has room");
        text
    }

    /// Writes the text of a move; an error where there is no room for it.
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
        let mut now = Moment::before(state, mover);
        let names = &self.program.board.names;
        for at in 0..self.layout.parts.len() {
            let Some(part) = self.layout.decode(code, at) else { break };
            if at > 0 {
                text.write_char('/')?;
            }
            let mover = &self.movers[part.mover];
            let (from, to) = (part.from, part.to);
            match &mover.verb {
                Verb::Place => {
                    if self.program.places_kinds() {
                        let kind = mover.kind.unwrap_or(0) as usize;
                        text.write_str(&self.program.kinds[kind].name)?;
                        text.write_char('@')?;
                    }
                    text.write_str(&names[to])?;
                }
                Verb::Remove => {
                    text.write_char('x')?;
                    text.write_str(&names[to])?;
                }
                Verb::Pass => text.write_str("pass")?,
                Verb::Swap { .. } => text.write_str("swap")?,
                Verb::Sow { .. } => {
                    write!(text, "{}", from % self.pits as usize + 1)?;
                }
                Verb::Hop { dirs, .. } => {
                    text.write_str(&names[from])?;
                    let mut site = from;
                    for hop in 0..part.hops {
                        let d = dirs[now.mover.index()][self.layout.direction(at, &part, hop)];
                        let next = &self.next[d as usize];
                        site = next[next[site] as usize] as usize;
                        text.write_char(if mover.captures() { 'x' } else { '-' })?;
                        text.write_str(&names[site])?;
                    }
                }
                _ => {
                    let taken = now.state.occupied().has(to as u32);
                    text.write_str(&names[from])?;
                    text.write_char(if taken { 'x' } else { '-' })?;
                    text.write_str(&names[to])?;
                }
            }
            if at + 1 < self.layout.parts.len() {
                self.part(&mut now, at, &part);
            }
        }
        Ok(())
    }
}
