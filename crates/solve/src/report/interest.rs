//! Report of interestingness.

use serde::{Deserialize, Serialize};
use treegauge_core::{KeyCode, Player};

use super::rounded;
use super::solve::RemotenessCounts;
use crate::endless::Endless;
use crate::interest::{Interest, InterestOptions, Point, Terms};
use crate::puzzle::quickest_moves;
use crate::solution::Solution;
use crate::value::{ExactValue, Value};
use treegauge_core::{ReportHeader, ReportKind};

/// Interestingness of the positions of a solved game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestReport {
    /// Schema and kind of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Part of the report that a solution file can store.
    #[serde(flatten)]
    pub analysis: InterestAnalysis,
    /// Positions by remoteness, from 0 to the greatest.
    pub table: Vec<RemotenessCounts>,
    /// Number of positions from which best play never ends.
    pub draw: u64,
}

fn is_draw(endless: &Endless) -> bool {
    *endless == Endless::Draw
}

impl ReportKind for InterestReport {
    const KIND: &'static str = "interest";
}

/// Positions of a solved game by their interestingness, each from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestAnalysis {
    /// Name of the game.
    pub game: String,
    /// Choices that the definition leaves open.
    #[serde(flatten)]
    pub options: InterestOptions,
    /// Number of reachable positions, symmetry not reduced.
    pub positions: u64,
    /// Result of endless play by the rules; left out if it is a draw.
    #[serde(default, skip_serializing_if = "is_draw")]
    pub endless: Endless,
    /// Start of the solution.
    pub start: InterestPosition,
    /// Most interesting unfinished win; null if there is none.
    pub most_interesting: Option<InterestPosition>,
    /// Wins by ascending remoteness.
    pub by_remoteness: Vec<WinsOfRemoteness>,
    /// Number of sweeps over the positions that depend on a cycle.
    pub sweeps: u32,
    /// Number of positions that lie on a cycle or depend on one.
    pub positions_in_loops: u64,
}

/// Position with its value and its interestingness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestPosition {
    /// Position as text.
    pub position: String,
    /// Player to move.
    pub turn: Player,
    /// Value for the player to move.
    pub value: Value,
    /// Plies to the end; null for endless play.
    pub remoteness: Option<u16>,
    /// Interestingness, from 0 to 1.
    pub interestingness: f64,
    /// Terms of the interestingness; null if it does not depend on the moves.
    pub terms: Option<InterestTerms>,
    /// Quickest winning moves of a won position.
    #[serde(default)]
    pub quickest_wins: Vec<String>,
}

/// Terms of the interestingness of a position, with its moves counted by their results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestTerms {
    /// Number of children that count.
    pub children: u32,
    /// Number of children that win.
    pub winning: u32,
    /// Number of children over which the accumulated term is a mean.
    pub averaged: u32,
    /// Number of children that lose, but not at once.
    pub losing: u32,
    /// Number of children that lose at once.
    pub losing_at_once: u32,
    /// Number of children that tie.
    pub ties: u32,
    /// Number of those that are not counted because they end at once; 0 unless these are left out.
    #[serde(default)]
    pub ties_at_once: u32,
    /// Number of children that lead to endless play.
    pub draws: u32,
    /// Immediate term, from 0 to 1; null for a lost position.
    pub immediate: Option<f64>,
    /// Accumulated term, from 0 to 1.
    pub accumulated: Option<f64>,
}

/// Wins of one remoteness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WinsOfRemoteness {
    /// Number of wins, symmetry not reduced.
    pub wins: u64,
    /// Mean interestingness.
    pub mean: f64,
    /// Greatest interestingness.
    pub max: f64,
    /// Number of wins per bin; bin n counts interestingness from n / 20 up to less than (n + 1) /
    /// 20.
    pub bins: Vec<u64>,
    /// Most interesting win.
    #[serde(flatten)]
    pub most: InterestPosition,
}

impl InterestReport {
    /// Reports a solution of `game` and the interestingness of its positions.
    ///
    /// # Panics
    ///
    /// When the interestingness is that of another solution.
    #[must_use]
    pub fn new<K: KeyCode>(
        game: String,
        solution: &Solution<K>,
        interest: &Interest<K>,
    ) -> InterestReport {
        let table = solution.remoteness_table();
        InterestReport {
            head: ReportHeader::NEW,
            analysis: InterestAnalysis::new(game, solution, interest),
            table: RemotenessCounts::of(table),
            draw: table.draws(),
        }
    }
}

impl InterestAnalysis {
    /// Analyses a solution of `game` and the interestingness of its positions.
    ///
    /// # Panics
    ///
    /// When the interestingness is that of another solution.
    #[must_use]
    pub fn new<K: KeyCode>(
        game: String,
        solution: &Solution<K>,
        interest: &Interest<K>,
    ) -> InterestAnalysis {
        let position = |point: &Point<K>| InterestPosition::new(solution, interest, point);
        let rows = interest.by_remoteness().iter().map(|row| WinsOfRemoteness {
            wins: row.wins,
            mean: rounded(row.mean),
            max: rounded(row.most.interestingness),
            bins: row.bins.to_vec(),
            most: position(&row.most),
        });
        InterestAnalysis {
            game,
            options: interest.options(),
            positions: solution.reachable().total(),
            endless: solution.endless(),
            start: position(interest.start()),
            most_interesting: interest.most_interesting().map(position),
            by_remoteness: rows.collect(),
            sweeps: interest.sweeps(),
            positions_in_loops: interest.in_loops(),
        }
    }

    /// Most interesting win of this remoteness, or of all if `remoteness` is `None`.
    #[must_use]
    pub fn most_interesting_of(&self, remoteness: Option<u16>) -> Option<&InterestPosition> {
        let Some(n) = remoteness else { return self.most_interesting.as_ref() };
        let row = self.by_remoteness.iter().find(|row| row.most.remoteness == Some(n));
        row.map(|row| &row.most)
    }
}

impl InterestPosition {
    fn new<K: KeyCode>(
        solution: &Solution<K>,
        interest: &Interest<K>,
        point: &Point<K>,
    ) -> InterestPosition {
        let (rules, state) = (solution.rules(), point.key);
        let is_win = point.valued.value == Value::Win && point.valued.remoteness > 0;
        let quickest_wins = if is_win {
            let moves = quickest_moves(solution, state, point.valued);
            moves.into_iter().map(|m| rules.move_text(state, m)).collect()
        } else {
            Vec::new()
        };
        InterestPosition {
            position: rules.position_text(state),
            turn: rules.turn(state),
            value: point.valued.value,
            remoteness: point.valued.plies(),
            interestingness: rounded(point.interestingness),
            terms: InterestTerms::of(&interest.terms(solution, point.index)),
            quickest_wins,
        }
    }

    /// Value and plies to the end; `None` if they contradict each other.
    #[must_use]
    pub fn valued(&self) -> Option<ExactValue> {
        ExactValue::of_plies(self.value, self.remoteness)
    }
}

impl InterestTerms {
    /// Terms for a report; `None` if the interestingness does not depend on the moves.
    #[must_use]
    pub fn of(terms: &Terms) -> Option<InterestTerms> {
        (terms.children > 0).then_some(InterestTerms {
            children: terms.children,
            winning: terms.winning,
            averaged: terms.averaged,
            losing: terms.losing,
            losing_at_once: terms.losing_at_once,
            ties: terms.ties,
            ties_at_once: terms.ties_at_once,
            draws: terms.draws,
            immediate: terms.immediate.map(rounded),
            accumulated: terms.accumulated.map(rounded),
        })
    }
}
