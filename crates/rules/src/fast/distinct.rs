//! Moves of games where two ways to move may have the same text and then count as one move.
//!
//! Moves are compared by their ids if every move has one that fits a number. Otherwise, and where
//! texts of different moves might be equal, they are compared by their texts.

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_64;

use super::duplicates::Duplicates;
use super::find::{Lane, Sink};
use super::{Code, Moment};
use crate::state::BoardWord;
use crate::tree::{Mover, Verb};

/// Largest number of texts remembered without allocating.
const KEPT_MAX: usize = 192;

/// Length of the hash table of these texts, so that it stays at most half full.
const PLACES: usize = 512;

/// Length of the longest text remembered without allocating, in bytes.
const TEXT_BYTES_MAX: usize = 96;

/// Text of limited length.
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

/// Moves whose texts have been seen. Texts are not stored: if two hashes are equal, the text of the
/// earlier move is written again for comparison.
struct Seen {
    /// Hash of the text and code of each move.
    kept: [(u64, u64); KEPT_MAX],
    count: usize,
    /// Hash table by the lowest bits of the hash. An entry is the index in `kept` plus 1, or 0 if
    /// it is free.
    places: [u8; PLACES],
    /// Texts that did not fit into the table.
    more: HashSet<String>,
}

/// Length of the table of ids that needs no allocation, and the largest number of ids in it.
const IDS: usize = 512;
const IDS_MAX: usize = IDS / 2;

/// Moves whose ids have been seen. Equal ids are equal texts.
#[derive(Clone, Debug)]
pub(super) struct Distinct {
    /// Hash table of ids; 0 marks a free place.
    ids: [u64; IDS],
    count: usize,
    more: HashSet<u64>,
}

impl Distinct {
    pub(super) fn new() -> Distinct {
        Distinct { ids: [0; IDS], count: 0, more: HashSet::new() }
    }

    fn clear(&mut self) {
        if self.count > 0 {
            self.ids.fill(0);
            self.more.clear();
            self.count = 0;
        }
    }

    /// Remembers an id, which is not 0. Returns whether it is new.
    #[inline]
    fn insert(&mut self, id: u64) -> bool {
        // The highest bits of a product with an odd number depend on all bits of the id.
        let mut place = (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as usize;
        while self.ids[place] != 0 {
            if self.ids[place] == id {
                return false;
            }
            place = (place + 1) % IDS;
        }
        if self.count == IDS_MAX {
            return self.more.insert(id);
        }
        self.count += 1;
        self.ids[place] = id;
        true
    }
}

/// Receiver of ways to move that begin with placements on different sites, one site for each mover.
struct Apart<'s, W, S> {
    sink: &'s mut S,
    /// Sites of the placements so far.
    placed: W,
    /// Whether two movers may place a piece on the same site.
    overlaps: bool,
}

impl<W: BoardWord, S: Sink<W>> Sink<W> for Apart<'_, W, S> {
    #[inline]
    fn lane(&mut self, code: &Code<W>, now: &Moment<W>, lane: Lane<W>) -> ControlFlow<()> {
        self.sink.lane(code, now, lane)
    }

    #[inline]
    fn one(&mut self, m: u64) -> ControlFlow<()> {
        self.sink.one(m)
    }

    #[inline]
    fn begins(&mut self, mover: &Mover<W>, sites: W) -> ControlFlow<()> {
        if mover.verb != Verb::Place {
            return ControlFlow::Continue(());
        }
        self.overlaps = !(self.placed & sites).is_zero();
        self.placed |= sites;
        if self.overlaps { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn received(&self) -> u32 {
        self.sink.received()
    }
}

impl<W: BoardWord> Code<W> {
    /// Passes on the moves of a player, unless two ways to move may be one move here. Returns `false`
    /// in that case; the ways passed on until then are different moves.
    ///
    /// Where only placements can be played in two ways, it suffices that the movers place on
    /// different sites, which is a comparison of sets.
    pub(super) fn find_distinct<S: Sink<W>>(&self, now: &Moment<W>, sink: &mut S) -> bool {
        // If a limit is reached, the moves found before it are the moves.
        match self.duplicates {
            Duplicates::Never => {
                let _ = self.find(now, &self.body.play, &mut 0, sink);
                true
            }
            Duplicates::Placements => {
                let mut apart = Apart { sink, placed: W::ZERO, overlaps: false };
                let _ = self.find(now, &self.body.play, &mut 0, &mut apart);
                !apart.overlaps
            }
            Duplicates::Any => false,
        }
    }

    /// Calls `visit` with the first move of each text until it breaks.
    pub(super) fn each_distinct(
        &self,
        now: &Moment<W>,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) {
        if self.ids_fit {
            self.each_distinct_in(&mut Distinct::new(), now, visit);
        } else {
            self.each_distinct_text(now, visit);
        }
    }

    /// Does the same with memory that is used again for each position.
    pub(super) fn each_distinct_in(
        &self,
        seen: &mut Distinct,
        now: &Moment<W>,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) {
        if !self.ids_fit {
            return self.each_distinct_text(now, visit);
        }
        seen.clear();
        self.each_way(now, &mut |code| {
            let is_new = seen.insert(self.id_of(&now.state, now.mover, code));
            if is_new { visit(code) } else { ControlFlow::Continue(()) }
        });
    }

    /// Does the same by the texts of the moves.
    fn each_distinct_text(&self, now: &Moment<W>, visit: &mut dyn FnMut(u64) -> ControlFlow<()>) {
        let mut seen =
            Seen { kept: [(0, 0); KEPT_MAX], count: 0, places: [0; PLACES], more: HashSet::new() };
        self.each_way(now, &mut |code| {
            if self.is_new(&mut seen, now, code) { visit(code) } else { ControlFlow::Continue(()) }
        });
    }

    /// Tests whether the text of this move differs from all texts seen, and remembers it.
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

#[cfg(test)]
mod tests {
    use treegauge_core::{Game, Plies};

    use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
    use crate::layout::MOVES_MAX;
    use crate::state::BoardWord;
    use crate::tests::program;

    struct Counts;

    impl RulesVisitor for Counts {
        type Output = [usize; 2];

        fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> [usize; 2] {
            let (start, mut moves) = (game.start(), Vec::new());
            game.moves_into(&start, &mut moves);
            let last = game.nth_move(&start, moves.len() as u32 - 1, &mut Vec::new());
            assert_eq!(Some(last), moves.last().copied());
            [game.move_count(&start) as usize, moves.len()]
        }
    }

    /// Number of moves of a game whose moves place `parts` stones, each by one of several equal
    /// alternatives: counted, and listed.
    fn counts(parts: usize, alternatives: usize) -> [usize; 2] {
        let part = format!("(or {})", "(place stone) ".repeat(alternatives));
        let source = format!(
            "(game \"many\" (board (grid 3 3)) (pieces (stone each)) (play (seq {})) (end (stuck draw)))",
            part.repeat(parts)
        );
        visit(&program(&source), Plies(100), Counts)
    }

    /// Number of moves in the start position of a text, by the reference and by the fast path.
    fn moves_of(play: &str) -> [usize; 2] {
        let source = format!(
            "(game \"asked\" (board (grid 6 6)) (pieces (stone each)) (play {play}) (end (stuck draw)))"
        );
        let program = program(&source);
        let slow = crate::reference::Reference::new(program.clone());
        let [count, listed] = visit(&program, Plies(100), Counts);
        assert_eq!(count, listed);
        [slow.moves(&program.start_position()).unwrap().len(), count]
    }

    #[test]
    fn moves_that_only_too_many_questions_find_are_not_legal() {
        // A condition that could be slow, so that it is evaluated at most 1,024 times per ply. Here
        // it is fast.
        let eight = |cond: String| format!("(or {})", cond.repeat(8));
        let four = "(some (joined (joined (joined (joined empty empty) empty) empty) empty))";
        let slow = eight(eight(four.repeat(2)));
        let never = format!("(place stone (only-if (and (> 0 1) {slow})))");
        let always = format!("(place stone (only-if (or (> 1 0) {slow})))");
        let two = |second: &str| format!("(seq (place stone) {second})");
        assert_eq!(moves_of(&two("(place stone (only-if (> 0 1)))")), [36; 2]);
        // After each first stone 35 placements are refused, and the second part is left out.
        assert_eq!(moves_of(&two(&never)), [1_024 / 35; 2]);
        assert_eq!(moves_of(&two(&always)), [1_024; 2]);
        // Once the evaluations run out, no further move is legal, not even one of a later
        // alternative.
        let three = format!("(seq {always} (place stone) {never})");
        assert_eq!(moves_of(&three), [(1_024 - 1) / 34; 2]);
        let behind = |kind: &str| format!("({kind} {} (place stone))", two(&never));
        assert_eq!(moves_of(&behind("or")), [1_024 / 35; 2]);
        assert_eq!(moves_of(&behind("first-of")), [1_024 / 35; 2]);
    }

    #[test]
    fn moves_that_only_ways_beyond_the_limit_describe_are_not_legal() {
        // Nine sites, then eight; each pair is reached in several ways.
        assert_eq!(counts(2, 3), [9 * 8; 2]);
        // The ways that begin with the first alternative and site exceed the limit.
        let [count, listed] = counts(4, 12);
        assert_eq!(count, listed);
        assert!(8 * 7 * 6 * 12usize.pow(3) > MOVES_MAX);
        assert!((1..=8 * 7 * 6).contains(&count), "{count}");
    }
}
