//! The moves of games in which two ways to move may have the same text, and are one move then.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_64;

use super::{Code, Moment};
use crate::layout::MOVES_MAX;
use crate::state::BoardWord;

/// How many texts are remembered without a list.
const KEPT_MAX: usize = 192;

/// The places of a table of them, so that it stays half empty.
const PLACES: usize = 512;

/// The longest text that is remembered without a list.
const TEXT_BYTES_MAX: usize = 96;

/// A text of limited length.
struct Line {
    bytes: [u8; TEXT_BYTES_MAX],
    len: usize,
}

impl Line {
    const EMPTY: Line = Line { bytes: [0; TEXT_BYTES_MAX], len: 0 };

    fn written(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let room = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

/// The moves whose texts have been seen. Texts are not kept: where two have the same hash, that of
/// the earlier move is written again.
struct Seen {
    /// Hashes of texts, and the moves.
    kept: [(u64, u64); KEPT_MAX],
    count: usize,
    /// By the lowest bits of the hash, one more than the place among the kept; 0 for none.
    places: [u8; PLACES],
    /// What found no room, as lists.
    more: HashSet<String>,
}

impl<W: BoardWord> Code<W> {
    /// Calls `visit` with the moves whose texts differ, the first of each text, until it breaks.
    pub(super) fn each_distinct(
        &self,
        now: &Moment<W>,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) {
        let mut seen =
            Seen { kept: [(0, 0); KEPT_MAX], count: 0, places: [0; PLACES], more: HashSet::new() };
        let mut left = MOVES_MAX;
        let _ = self.walk(now, &self.body.play, 0, 0, &mut |_, _, code| {
            if left == 0 {
                return ControlFlow::Break(());
            }
            if !self.is_new(&mut seen, now, code) {
                return ControlFlow::Continue(());
            }
            left -= 1;
            visit(code)
        });
    }

    /// Whether no move with the text of this one has been seen.
    fn is_new(&self, seen: &mut Seen, now: &Moment<W>, code: u64) -> bool {
        let (state, mover) = (&now.state, now.mover);
        let (mut text, mut earlier) = (Line::EMPTY, Line::EMPTY);
        if self.write_move(&mut text, state, mover, code).is_err() {
            return seen.more.insert(self.move_text(state, mover, code));
        }
        let hash = xxh3_64(text.written());
        let mut place = hash as usize % PLACES;
        while seen.places[place] != 0 {
            let (known, move_known) = seen.kept[usize::from(seen.places[place]) - 1];
            if known == hash {
                earlier.len = 0;
                let fits = self.write_move(&mut earlier, state, mover, move_known);
                if fits.is_ok() && earlier.written() == text.written() {
                    return false;
                }
            }
            place = (place + 1) % PLACES;
        }
        if seen.count == KEPT_MAX {
            return seen.more.insert(self.move_text(state, mover, code));
        }
        seen.kept[seen.count] = (hash, code);
        seen.count += 1;
        seen.places[place] = seen.count as u8;
        true
    }
}
