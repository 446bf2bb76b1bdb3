//! Terms of the interestingness of one position.

use std::iter::Zip;
use std::slice;

use treegauge_core::KeyCode;

use super::{Children, Draws, Form, InterestOptions, LoseChildren, PRIMITIVE, Ties};
use crate::error::Halt;
use crate::find::{Finder, Found};
use crate::rules::{Bounds, Child, Expander, Links};
use crate::solution::Solution;
use crate::value::{ExactValue, Value};

/// Fraction bits of an interestingness.
const FRACTION_BITS: u32 = 52;

/// 1 in units of 2^-52.
const ONE: u64 = 1 << FRACTION_BITS;

/// Interestingness, value and lateness of a position in one word, so that its parents fetch it with
/// one access to memory.
///
/// ```text
/// 63                                         12       3      2      1..0
/// [ interestingness in units of 2^-52, 52 bits | moves | late | value  ]
/// ```
///
/// `late` says that the remoteness is more than 1. `moves` is the number of moves if these are
/// weighted, at most 511, else 0. For example a win in 3 plies of interestingness 1/2 is
/// `0x8000_0000_0000_0004`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell(u64);

impl Cell {
    const INTEREST_SHIFT: u32 = 64 - FRACTION_BITS;
    const LATE: u64 = 4;
    const MOVES_SHIFT: u32 = 3;
    const MOVES_MAX: u64 = (1 << (Cell::INTEREST_SHIFT - Cell::MOVES_SHIFT)) - 1;

    /// Position that has not been computed.
    pub(super) const UNKNOWN: Cell = Cell(0);

    /// Position with the interestingness 0.
    #[inline]
    pub(super) fn zero(valued: ExactValue) -> Cell {
        let late = if valued.remoteness > 1 { Cell::LATE } else { 0 };
        Cell(valued.value as u64 | late)
    }

    /// Position with the interestingness [`PRIMITIVE`].
    #[inline]
    pub(super) fn primitive(valued: ExactValue) -> Cell {
        Cell::zero(valued).with(units(PRIMITIVE))
    }

    /// Replaces the interestingness, in units.
    #[inline]
    pub(super) fn with(self, units: u64) -> Cell {
        let low = self.0 & ((1 << Cell::INTEREST_SHIFT) - 1);
        Cell(units << Cell::INTEREST_SHIFT | low)
    }

    /// Sets the number of moves of a cell that has none.
    #[inline]
    pub(super) fn with_moves(self, moves: u64) -> Cell {
        Cell(self.0 | moves.min(Cell::MOVES_MAX) << Cell::MOVES_SHIFT)
    }

    /// Number of moves.
    #[inline]
    fn moves(self) -> u64 {
        (self.0 >> Cell::MOVES_SHIFT) & Cell::MOVES_MAX
    }

    /// Interestingness in units of 2^-52.
    #[inline]
    pub(super) fn units(self) -> u64 {
        self.0 >> Cell::INTEREST_SHIFT
    }

    /// Interestingness, from 0 to 1.
    #[inline]
    pub(super) fn interestingness(self) -> f64 {
        of_units(self.units())
    }

    /// Number of the value for the player to move.
    #[inline]
    fn value(self) -> u64 {
        self.0 & 3
    }

    /// Returns whether the remoteness is more than 1.
    #[inline]
    fn is_late(self) -> bool {
        self.0 & Cell::LATE != 0
    }
}

/// Converts an interestingness to units, rounded.
#[inline]
pub(super) fn units(interestingness: f64) -> u64 {
    ((interestingness * ONE as f64 + 0.5) as u64).min(ONE - 1)
}

/// Converts units to an interestingness, exactly.
#[inline]
pub(super) fn of_units(units: u64) -> f64 {
    units as f64 / ONE as f64
}

impl Form {
    /// Weight of a move to a child, in units of 2^-32. Sums of integers do not depend on the order of
    /// moves.
    #[inline]
    fn weight(self, child: Cell) -> u64 {
        match self {
            Form::Clamped | Form::Literal => 1 << 32,
            Form::Forcing => (1 << 32) / (1 + child.moves()),
        }
    }
}

/// Terms of a win, collected from its children.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// W and T: weight of the moves that throw the win away and are not punished at once.
    missteps: u64,
    /// L: weight of the winning moves.
    winning: u64,
    /// Number of children over which the mean is taken.
    averaged: u32,
    /// Sum of their interestingness, in units. 64 bits would overflow at 4,096 moves.
    sum: u128,
}

impl Tally {
    /// Adds a child of a win. `fastest` returns whether it is among the quickest ways to win, and
    /// is called only if that matters.
    #[inline]
    pub(super) fn add_to_win(
        &mut self,
        child: Cell,
        same_turn: bool,
        options: InterestOptions,
        fastest: impl FnOnce() -> bool,
    ) -> bool {
        let winning_child = if same_turn { Value::Win } else { Value::Lose } as u64;
        let weight = options.form.weight(child);
        if child.value() == winning_child {
            self.winning += weight;
            if options.lose_children == LoseChildren::All || fastest() {
                self.average(child);
                return true;
            }
        } else {
            let counts = if child.value() == Value::Draw as u64 {
                options.draws == Draws::Tie
            } else if child.value() == Value::Tie as u64 {
                options.ties == Ties::All || child.is_late()
            } else {
                child.is_late()
            };
            self.missteps += if counts { weight } else { 0 };
        }
        false
    }

    /// Includes a child in the mean.
    #[inline]
    pub(super) fn average(&mut self, child: Cell) {
        self.averaged += 1;
        self.sum += u128::from(child.units());
    }

    /// 1 - Immediate.
    #[inline]
    pub(super) fn stay(&self, form: Form) -> f64 {
        1.0 - self.immediate(form)
    }

    #[inline]
    fn immediate(&self, form: Form) -> f64 {
        // A position has fewer than 2^20 moves, so that the sums are exact.
        let share = self.missteps as f64 / (self.missteps + self.winning) as f64;
        match form {
            Form::Clamped | Form::Forcing => share.max(PRIMITIVE),
            Form::Literal => share,
        }
    }

    /// Accumulated.
    #[inline]
    pub(super) fn accumulated(&self) -> f64 {
        mean(self.sum, self.averaged)
    }
}

/// Mean of `count` values whose sum is `sum`, in units.
#[inline]
fn mean(sum: u128, count: u32) -> f64 {
    // Hardware converts only 64-bit integers.
    let sum = u64::try_from(sum).map_or(sum as f64, |sum| sum as f64);
    sum / ONE as f64 / f64::from(count)
}

/// Interestingness of a win, from 1 - Immediate and Accumulated.
#[inline]
pub(super) fn combine(stay: f64, accumulated: f64) -> f64 {
    1.0 - (stay * (1.0 - accumulated)).sqrt()
}

/// Walks from keys to those of their children that the definition counts.
pub(super) struct Walker<'a, K: KeyCode> {
    solution: &'a Solution<K>,
    expander: Expander<'a, K>,
    links: Links<'a, K>,
    finder: Finder<'a, K>,
}

/// Child in the solution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Number of the child in the solution.
    pub(super) index: usize,
    /// Whether the same player is still to move.
    pub(super) same_turn: bool,
}

/// Iterator over the children of a position.
pub(super) struct Steps<'a, K> {
    firsts: &'a [usize],
    children: Zip<slice::Iter<'a, Child<K>>, slice::Iter<'a, Found>>,
}

impl<K> Iterator for Steps<'_, K> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        let (child, found) = self.children.next()?;
        let index = self.firsts[found.table as usize] + found.place as usize;
        Some(Step { index, same_turn: child.same_turn })
    }
}

impl<'a, K: KeyCode> Walker<'a, K> {
    pub(super) fn new(
        solution: &'a Solution<K>,
        options: InterestOptions,
        bounds: Bounds<'a>,
    ) -> Self {
        let expander = solution.expander();
        Walker {
            solution,
            expander: match options.children {
                Children::Positions => expander.distinct(),
                Children::Moves => expander,
            },
            links: Links::new(bounds),
            finder: Finder::new(solution.tables()),
        }
    }

    /// Calls `visit` with the children of each of the unfinished positions `keys`.
    #[inline]
    pub(super) fn each(
        &mut self,
        keys: &[K],
        mut visit: impl FnMut(Steps<'_, K>),
    ) -> Result<(), Halt> {
        let Walker { solution, expander, links, finder } = self;
        let firsts = solution.firsts();
        expander.each_batch(keys, links, |_, links| {
            let found = finder.find(links.children()).expect("all children were found");
            for range in links.ranges() {
                let range = range.expect("the position is unfinished");
                let children = links.children()[range.clone()].iter().zip(&found[range]);
                visit(Steps { firsts, children });
            }
            Ok(())
        })
    }
}

/// Terms of the interestingness of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Value and remoteness of the position.
    pub valued: ExactValue,
    /// Interestingness, from 0 to 1.
    pub interestingness: f64,
    /// Number of children: moves, or different positions if those are counted. 0 if the
    /// interestingness does not depend on them.
    pub children: u32,
    /// L: number of winning children.
    pub winning: u32,
    /// Number of winning children that enter the mean.
    pub averaged: u32,
    /// W: number of children that lose, but not at once.
    pub losing: u32,
    /// Number of children that lose at once and are not counted: the answer wins in one ply, or the
    /// game is over.
    pub losing_at_once: u32,
    /// Number of children that tie, part of T.
    pub ties: u32,
    /// Number of those that are not counted because the game is over at once or in one ply; 0 unless
    /// [`Ties::Late`] is chosen.
    pub ties_at_once: u32,
    /// Number of children that draw by endless play, part of T unless draws are skipped.
    pub draws: u32,
    /// Immediate, from 0 to 1; `None` unless the position is an unfinished win.
    pub immediate: Option<f64>,
    /// Accumulated, from 0 to 1; `None` unless the position is an unfinished win or loss.
    pub accumulated: Option<f64>,
    tally: Tally,
}

impl Terms {
    /// Creates terms without any children.
    pub(super) fn none(valued: ExactValue, interestingness: f64) -> Terms {
        Terms {
            valued,
            interestingness,
            children: 0,
            winning: 0,
            averaged: 0,
            losing: 0,
            losing_at_once: 0,
            ties: 0,
            ties_at_once: 0,
            draws: 0,
            immediate: None,
            accumulated: None,
            tally: Tally::default(),
        }
    }

    /// Adds a child. `valued` is its value from the mover's side.
    pub(super) fn add(
        &mut self,
        valued: ExactValue,
        cell: Cell,
        same_turn: bool,
        options: InterestOptions,
    ) {
        self.children += 1;
        match valued.value {
            Value::Win => self.winning += 1,
            Value::Lose if valued.remoteness > 1 => self.losing += 1,
            Value::Lose => self.losing_at_once += 1,
            Value::Tie => {
                self.ties += 1;
                self.ties_at_once += u32::from(options.ties == Ties::Late && !cell.is_late());
            }
            Value::Draw => self.draws += 1,
        }
        if self.valued.value == Value::Win {
            let parent = self.valued;
            self.tally.add_to_win(cell, same_turn, options, || valued.is_next_of(parent));
        } else {
            self.tally.average(cell);
        }
    }

    /// Computes both terms from the children that were added.
    pub(super) fn finish(&mut self, options: InterestOptions) {
        self.averaged = self.tally.averaged;
        self.accumulated = Some(self.tally.accumulated());
        if self.valued.value == Value::Win {
            self.immediate = Some(self.tally.immediate(options.form));
        }
    }
}
