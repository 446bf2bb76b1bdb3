//! Check of a solution file against the rules.
//!
//! The checks share nothing with the solver but the rules of the game and the loop that makes its
//! moves (`Expander::expand`, symmetry not reduced): positions are found in the file by their
//! keys, images are compared one by one, and the rule of values ([`ExactValue`]) is implemented a
//! second time.
//!
//! # Proof that local checks are enough
//!
//! Assume that each record agrees with those of its children. Wins and losses are then right by
//! induction over the remoteness, which is less for the children that they rest on. From a tie or a
//! draw the player to move cannot reach a position that it wins, and can stay among ties and draws,
//! so neither player can force a win there: no win or loss is missing. A tie has, by induction
//! again, a line to an end without a winner; a draw has none, because no child of it is a tie. So
//! the values are the only solution, and the walk from the start shows that the file has exactly
//! the reachable positions.
//!
//! If a player wins endless play ([`Endless`]), wins and losses without a remoteness take the place
//! of draws. From them that player can stay among them for ever, since each of its positions has
//! such a child, or a win with an end, and the other's have no others. A tie is then one that the
//! other player can force: its remoteness falls with the moves of both. Where the history decides
//! ([`Endless::Undecided`]) a tie is one that both players can force, which is checked for all
//! positions together (`open.rs`).
//!
//! # Limits of the check
//!
//! [`UNSEEN`] states them for users.

mod open;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use thiserror::Error;
use treegauge_core::{Capability, KeyCode, Player};

use crate::counts::Counts;
use crate::digest::Digester;
use crate::endless::Endless;
use crate::error::Interrupted;
use crate::file::{FileError, SolutionFile};
use crate::memory::{Memory, list_bytes};
use crate::parallel::{self, piece};
use crate::rules::{Bounds, Child, Expander, Links, Reduction, Solvable};
use crate::sorted::{Lists, in_passes};
use crate::value::{ExactValue, Value};
use treegauge_core::{Phase, Progress, Watch};

/// Limits of the check, in words for users.
pub const UNSEEN: &str = "\
The check makes every move with this program's own rules, so it proves the values for these rules
but cannot find an error in the rules or in their symmetries. If repetition and limits of plies
without progress have the same result in every position, endless play has this result; otherwise a
draw is a position that they decide. The limits of plies without progress do not shorten wins, and
the ply cap is not part of a solution. Of sections that other commands added only the checksums are
checked.";

/// Greatest number of mismatches that are listed.
const MISMATCHES_MAX: usize = 10;

/// Distance of the keys that are searched first.
const STEP: usize = 256;

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Positions between two calls of the watch.
const ROUND: usize = 1 << 17;

/// Mismatch in a file whose checksums are all right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Mismatch<S> {
    /// The file lacks the start.
    #[error("the start is not in the file")]
    NoStart,
    /// A position is stored although an image of it has a smaller key.
    #[error("the position is stored although an image of it has a smaller key")]
    NotCanonical {
        /// The stored position.
        state: S,
    },
    /// The value of a position does not follow from its children.
    #[error("the position is {found} in the file and {expected} by its children")]
    Value {
        /// The position with the wrong value.
        state: S,
        /// Value in the file.
        found: WideValued,
        /// Value by the rules or the children.
        expected: WideValued,
    },
    /// The file denies a tie that both players can force, or claims one that they cannot force.
    #[error("the position is {found} in the file and a {} by all positions together", expected.name())]
    Tie {
        /// The position with the wrong value.
        state: S,
        /// Value in the file.
        found: WideValued,
        /// Correct value.
        expected: Value,
    },
    /// The file lacks a child.
    #[error("a move from the position leads to a position that is not in the file")]
    NoChild {
        /// Parent of the missing child.
        state: S,
        /// The missing child.
        child: S,
    },
    /// A position is not finished but has no moves.
    #[error("the position is not finished and has no moves")]
    NoMoves {
        /// The position without moves.
        state: S,
    },
    /// A position cannot be reached from the start.
    #[error("the position is in the file, but no line from the start reaches it")]
    NotReached {
        /// The unreachable position.
        state: S,
    },
    /// The counts in the header are wrong.
    #[error("the header has wrong counts of wins, losses, ties, draws or finished positions")]
    Counts,
    /// The digest in the header is wrong.
    #[error("the digest in the header is not that of the positions")]
    Digest,
}

impl<S> Mismatch<S> {
    /// Position of the mismatch; `None` if it is about the file as a whole.
    pub fn state(&self) -> Option<&S> {
        match self {
            Mismatch::NotCanonical { state }
            | Mismatch::Value { state, .. }
            | Mismatch::Tie { state, .. }
            | Mismatch::NoChild { state, .. }
            | Mismatch::NoMoves { state }
            | Mismatch::NotReached { state } => Some(state),
            Mismatch::NoStart | Mismatch::Counts | Mismatch::Digest => None,
        }
    }
}

/// Value with a remoteness that may exceed the 16 bits of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideValued {
    /// Value for the player to move.
    pub value: Value,
    /// Plies to the end; 0 for a draw, [`ExactValue::ENDLESS`] for a win or loss by endless play.
    pub remoteness: u32,
}

impl WideValued {
    /// Win or loss by endless play.
    fn endless(value: Value) -> WideValued {
        WideValued { value, remoteness: u32::from(ExactValue::ENDLESS) }
    }

    fn is_endless(self) -> bool {
        self.remoteness == u32::from(ExactValue::ENDLESS)
    }
}

impl std::fmt::Display for WideValued {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Value::Draw if self.remoteness == 0 => f.write_str("a draw"),
            Value::Lose if self.is_endless() => f.write_str("a loss by endless play"),
            value if self.is_endless() => write!(f, "a {} by endless play", value.name()),
            Value::Lose => write!(f, "a loss in {}", self.remoteness),
            value => write!(f, "a {} in {}", value.name(), self.remoteness),
        }
    }
}

/// Result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict<S> {
    /// Number of positions in the file.
    pub positions: u64,
    /// Number of moves made.
    pub moves: u64,
    /// Number of mismatches.
    pub mismatch_count: u64,
    /// First mismatches, in ascending order of keys; those of the header come last.
    pub mismatches: Vec<Mismatch<S>>,
}

impl<S> Verdict<S> {
    /// Returns whether the check found no mismatch.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.mismatch_count == 0
    }
}

/// Checks every record of a file against the rules, and its header against the records. Needs
/// memory for all records, uncompressed, and for the positions of the current and the next level.
///
/// # Errors
///
/// When the file cannot be read or is damaged, when that takes more than `memory_bytes_max`, or
/// when `watch` says stop ([`FileError::Interrupted`]).
pub fn verify<K: KeyCode>(
    file: &SolutionFile<K>,
    memory_bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<Verdict<K>, FileError> {
    let memory = Memory::new(memory_bytes_max);
    let len = file.len()?;
    let each = size_of::<K>() + size_of::<ExactValue>();
    memory.take(len as u64 * each as u64 + (len / 8 + len / STEP * size_of::<K>()) as u64)?;
    let (mut keys, mut values) = (Vec::with_capacity(len), Vec::with_capacity(len));
    file.for_blocks(watch, |_, block| {
        keys.extend(block.keys);
        values.extend(block.values);
        Ok(())
    })?;
    // Reading the sections checks their checksums.
    let names: Vec<String> = file.section_names().map(str::to_owned).collect();
    for name in names {
        file.section(&name)?;
    }
    let seen = (0..keys.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let steps = keys.iter().step_by(STEP).copied().collect();
    // The check does not use tiers, so they are not computed.
    let rules = file.rules().clone().without(Capability::Tiered);
    let all = Reduction::none();
    let endless = file.rules().endless();
    let check =
        Check { file, rules: &rules, endless, all: &all, keys, steps, values, seen, memory, watch };
    let mut found = check.walk()?;
    check.unreached(&mut found);
    if endless == Endless::Undecided && found.mismatch_count == 0 {
        for place in open::wrong_ties(&check)? {
            found.mismatch(place, check.wrong_tie(place));
        }
    }
    let mut verdict = Verdict {
        positions: check.keys.len() as u64,
        moves: found.moves,
        mismatch_count: found.mismatch_count,
        mismatches: found.mismatches.into_iter().map(|mismatch| mismatch.1).collect(),
    };
    for mismatch in check.header()? {
        verdict.mismatch_count += 1;
        verdict.mismatches.push(mismatch);
    }
    Ok(verdict)
}

/// Child, and its place if it was found.
type Looked<K> = (Child<K>, Option<usize>);

struct Check<'a, K: KeyCode> {
    file: &'a SolutionFile<K>,
    /// Rules without tiers.
    rules: &'a Solvable<K>,
    endless: Endless,
    /// No reduction: each child has its own key, and this check looks up the image that represents
    /// it.
    all: &'a Reduction,
    keys: Vec<K>,
    /// Every [`STEP`]th key: a search among these few stays in the cache.
    steps: Vec<K>,
    values: Vec<ExactValue>,
    /// One bit per position: whether it was reached.
    seen: Vec<AtomicU64>,
    memory: Memory,
    watch: &'a dyn Watch,
}

/// Result of checking a part of the positions.
struct Found<S> {
    moves: u64,
    mismatch_count: u64,
    /// Mismatches with the numbers of their positions, in ascending order.
    mismatches: Vec<(usize, Mismatch<S>)>,
    /// Positions reached for the first time.
    reached: Vec<usize>,
}

impl<S> Found<S> {
    fn new() -> Self {
        Found { moves: 0, mismatch_count: 0, mismatches: Vec::new(), reached: Vec::new() }
    }

    fn mismatch(&mut self, place: usize, mismatch: Mismatch<S>) {
        self.mismatch_count += 1;
        self.mismatches.push((place, mismatch));
        self.shorten();
    }

    fn shorten(&mut self) {
        // The stable sort keeps the order of the mismatches of one position.
        self.mismatches.sort_by_key(|mismatch| mismatch.0);
        self.mismatches.truncate(MISMATCHES_MAX);
    }

    fn merge(mut self, other: Self) -> Self {
        self.moves += other.moves;
        self.mismatch_count += other.mismatch_count;
        self.mismatches.extend(other.mismatches);
        self.shorten();
        self.reached.extend(other.reached);
        self
    }
}

impl<K: KeyCode> Check<'_, K> {
    /// Key under which a position must be stored: the smallest key of its images.
    fn stored_key(&self, key: K) -> K {
        let reduction = self.file.reduction();
        if reduction.is_none() {
            return key;
        }
        self.images(key).min().expect("it is one itself")
    }

    /// Keys of a position and all its images.
    fn images(&self, key: K) -> impl Iterator<Item = K> + '_ {
        // The position itself comes first.
        self.file.reduction().symmetries().iter().map(move |&n| self.rules.image(n, key))
    }

    fn place(&self, key: K) -> Option<usize> {
        let begin = self.steps.partition_point(|&step| step <= key).checked_sub(1)? * STEP;
        let keys = &self.keys[begin..self.keys.len().min(begin + STEP)];
        keys.binary_search(&key).ok().map(|place| begin + place)
    }

    /// Marks a position as reached, and returns whether it was reached for the first time.
    fn reach(&self, place: usize) -> bool {
        let (word, bit) = (&self.seen[place / 64], 1 << (place % 64));
        // Most positions have been reached before, and a load costs less than a change.
        word.load(Ordering::Relaxed) & bit == 0 && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
    }

    /// Checks every reachable position, breadth first from the start.
    fn walk(&self) -> Result<Found<K>, FileError> {
        let mut all = Found::new();
        let mut frontier = Vec::new();
        let start = self.file.start();
        match self.place(self.stored_key(start)) {
            Some(place) => {
                self.reach(place);
                self.memory.reserve_one(&mut frontier)?;
                frontier.push(place);
            }
            None => all.mismatch(0, Mismatch::NoStart),
        }
        let known = self.keys.len() as u64;
        let mut done = 0;
        while !frontier.is_empty() {
            // The children of neighbours in the file are mostly neighbours too, so in this order
            // look-ups mostly hit the cache.
            frontier.par_sort_unstable();
            let mut next = Vec::new();
            // A level can be most of the game, so the watch is called within a level too.
            for part in frontier.chunks(ROUND) {
                if self.watch.stop() {
                    return Err(FileError::Interrupted);
                }
                let found = parallel::try_map(part.len().div_ceil(CHUNK), &|n| {
                    self.check_all(&part[piece(n, CHUNK, part.len())])
                })?;
                all = found.into_iter().fold(all, Found::merge);
                self.memory.reserve(&mut next, all.reached.len())?;
                next.append(&mut all.reached);
                done += part.len() as u64;
                self.watch.progress(Progress::new(Phase::Check, done, known));
            }
            self.memory.give(list_bytes(&frontier));
            frontier = next;
        }
        Ok(all)
    }

    /// Checks some positions and marks their children as reached.
    fn check_all(&self, places: &[usize]) -> Result<Found<K>, FileError> {
        let expander = Expander::new(self.rules, self.all);
        let mut links = Links::new(Bounds::new(&self.memory, self.watch));
        let keys: Vec<K> = places.iter().map(|&place| self.keys[place]).collect();
        let (mut children, mut found) = (Vec::new(), Found::new());
        expander.each_batch(&keys, &mut links, |batch, links| {
            children.clear();
            let at = |child: &Child<K>| self.place(self.stored_key(child.key));
            children.extend(links.children().iter().map(|child| (*child, at(child))));
            for (&place, range) in places[batch].iter().zip(links.ranges()) {
                self.check(place, range.map(|range| &children[range]), &mut found);
            }
            Ok::<(), FileError>(())
        })?;
        Ok(found)
    }

    /// Checks one position by its children and their places, or by its value if it is finished.
    fn check(&self, place: usize, children: Result<&[Looked<K>], Value>, found: &mut Found<K>) {
        let state = self.keys[place];
        if self.stored_key(state) != state {
            found.mismatch(place, Mismatch::NotCanonical { state });
        }
        let expected = match children {
            Err(value) => WideValued { value, remoteness: 0 },
            Ok(children) => match self.by_children(place, children, found) {
                Some(valued) => valued,
                None => return,
            },
        };
        let ExactValue { value, remoteness } = self.values[place];
        let stored = WideValued { value, remoteness: u32::from(remoteness) };
        if stored != expected {
            found.mismatch(place, Mismatch::Value { state, found: stored, expected });
        }
    }

    /// Value of an unfinished position, from those of its children; `None` if one is missing.
    fn by_children(
        &self,
        place: usize,
        children: &[Looked<K>],
        found: &mut Found<K>,
    ) -> Option<WideValued> {
        let state = self.keys[place];
        if children.is_empty() {
            found.mismatch(place, Mismatch::NoMoves { state });
            return None;
        }
        found.moves += children.len() as u64;
        let mut complete = true;
        let mut seen = Seen::default();
        for &(child, at) in children {
            let Some(at) = at else {
                found.mismatch(place, Mismatch::NoChild { state, child: child.key });
                complete = false;
                continue;
            };
            if self.reach(at) {
                found.reached.push(at);
            }
            seen.add(self.values[at], child.same_turn);
        }
        let may_be_open = self.values[place] == ExactValue::DRAW;
        complete.then(|| seen.value(self.endless, self.rules.turn(state), may_be_open))
    }

    /// Mismatch of a stored tie that is wrong, or of a tie that is not stored as one.
    fn wrong_tie(&self, place: usize) -> Mismatch<K> {
        let ExactValue { value, remoteness } = self.values[place];
        let other = if value == Value::Tie { Value::Draw } else { Value::Tie };
        Mismatch::Tie {
            state: self.keys[place],
            found: WideValued { value, remoteness: remoteness.into() },
            expected: other,
        }
    }

    /// Adds mismatches for the positions that the walk did not reach.
    fn unreached(&self, found: &mut Found<K>) {
        for (word, (seen, keys)) in self.seen.iter().zip(self.keys.chunks(64)).enumerate() {
            let mut missing = !seen.load(Ordering::Relaxed) & (u64::MAX >> (64 - keys.len()));
            while missing != 0 {
                let n = missing.trailing_zeros() as usize;
                let state = keys[n];
                found.mismatch(64 * word + n, Mismatch::NotReached { state });
                missing &= missing - 1;
            }
        }
    }

    /// Checks the counts and the digest in the header.
    fn header(&self) -> Result<Vec<Mismatch<K>>, FileError> {
        let header = self.file.header();
        let (mut stored, mut reachable) = (Counts::default(), Counts::default());
        let mut digester = Digester::new();
        if header.reduced {
            let images = |places: Range<usize>, add: &mut dyn FnMut(K, ExactValue)| {
                for (&key, &valued) in self.keys[places.clone()].iter().zip(&self.values[places]) {
                    let mut images = Vec::from_iter(self.images(key));
                    images.sort_unstable();
                    images.dedup();
                    images.into_iter().for_each(|image| add(image, valued));
                }
            };
            // The header's counts only decide how much is sorted at a time.
            let len = usize::try_from(header.reachable.total()).unwrap_or(usize::MAX);
            let all = self.keys.len().saturating_mul(self.file.reduction().symmetries().len());
            let lists = Lists::within::<K>(self.memory.left().max(1 << 23), len.min(all), 1);
            let mut last = None;
            in_passes(
                self.keys.len(),
                images,
                lists,
                |done| self.go_on(done, len.min(all)),
                |records| {
                    for &(key, valued) in records {
                        assert!(last <= Some(key), "images are in order");
                        last = Some(key);
                        add(&mut reachable, valued);
                        digester.add(key, valued);
                    }
                    Ok::<_, Interrupted>(())
                },
            )?;
        }
        for (n, (keys, values)) in
            self.keys.chunks(ROUND).zip(self.values.chunks(ROUND)).enumerate()
        {
            self.go_on(n * ROUND, self.keys.len())?;
            for (&key, &valued) in keys.iter().zip(values) {
                add(&mut stored, valued);
                if !header.reduced {
                    add(&mut reachable, valued);
                    digester.add(key, valued);
                }
            }
        }
        let mut mismatches = Vec::new();
        if stored != header.stored || reachable != header.reachable {
            mismatches.push(Mismatch::Counts);
        }
        if digester.finish() != header.digest {
            mismatches.push(Mismatch::Digest);
        }
        Ok(mismatches)
    }

    /// Reports the number of records in the digest; fails if the watch says stop.
    fn go_on(&self, done: usize, len: usize) -> Result<(), Interrupted> {
        self.watch.progress(Progress::new(Phase::Digest, done as u64, len as u64));
        if self.watch.stop() { Err(Interrupted) } else { Ok(()) }
    }
}

/// Results of the children of a position for the player who moves there.
#[derive(Default)]
struct Seen {
    /// Fewest plies to a win with an end, counting this move.
    win: Option<u32>,
    /// Fewest and most plies to a tie.
    tie: Option<(u32, u32)>,
    /// Most plies to a loss with an end.
    loss: Option<u32>,
    draw: bool,
    endless_win: bool,
    endless_loss: bool,
}

impl Seen {
    fn add(&mut self, child: ExactValue, same_turn: bool) {
        let plies = u32::from(child.remoteness) + 1;
        let ends = child.remoteness != ExactValue::ENDLESS;
        match (child.value, same_turn) {
            (Value::Win, true) | (Value::Lose, false) if ends => {
                self.win = Some(self.win.map_or(plies, |least| least.min(plies)));
            }
            (Value::Win, true) | (Value::Lose, false) => self.endless_win = true,
            (Value::Tie, _) => {
                let (least, most) = self.tie.unwrap_or((plies, plies));
                self.tie = Some((least.min(plies), most.max(plies)));
            }
            (Value::Draw, _) => self.draw = true,
            (Value::Lose, true) | (Value::Win, false) if ends => {
                self.loss = Some(self.loss.map_or(plies, |most| most.max(plies)));
            }
            (Value::Lose, true) | (Value::Win, false) => self.endless_loss = true,
        }
    }

    /// Value of the position, from the result of endless play and the player to move. If a file
    /// gives endless play another result, this returns the right one. If the value depends on the
    /// history, a position next to a tie may be open or a tie.
    fn value(&self, endless: Endless, turn: Player, may_be_open: bool) -> WideValued {
        let draw = WideValued { value: Value::Draw, remoteness: 0 };
        if let Some(remoteness) = self.win {
            return WideValued { value: Value::Win, remoteness };
        }
        let tie = |remoteness| WideValued { value: Value::Tie, remoteness };
        let never_ends = self.draw || self.endless_win || self.endless_loss;
        match (endless, self.tie) {
            (Endless::Undecided, _) if may_be_open && self.draw => draw,
            (Endless::Draw | Endless::Undecided, Some((least, _))) => tie(least),
            (Endless::Draw | Endless::Undecided, None) if never_ends => draw,
            // Cases for the winner of endless play, then for the other player.
            (_, ties) if endless.winner() == Some(turn) => match ties {
                _ if never_ends => WideValued::endless(Value::Win),
                Some((_, most)) => tie(most),
                None => self.lost(),
            },
            (_, Some((least, _))) => tie(least),
            (_, None) if never_ends => WideValued::endless(Value::Lose),
            (_, None) => self.lost(),
        }
    }

    /// Loss with an end.
    fn lost(&self) -> WideValued {
        WideValued { value: Value::Lose, remoteness: self.loss.unwrap_or(0) }
    }
}

/// Counts a record.
fn add(counts: &mut Counts, valued: ExactValue) {
    match valued.value {
        Value::Win => counts.win += 1,
        Value::Lose => counts.lose += 1,
        Value::Tie => counts.tie += 1,
        Value::Draw => counts.draw += 1,
    }
    // A record that breaks this rule is a mismatch itself.
    counts.finished += u64::from(valued.value != Value::Draw && valued.remoteness == 0);
}
