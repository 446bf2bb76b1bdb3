//! The report of interestingness.

use serde::{Deserialize, Serialize};
use treegauge_core::{KeyCode, Player};

use super::rounded;
use super::solve::RemotenessCounts;
use crate::endless::Endless;
use crate::interest::{Interest, InterestOptions, Point, Terms};
use crate::puzzle::quickest_moves;
use crate::solution::Solution;
use crate::value::{Value, Valued};
use treegauge_core::{Head, ReportKind};

/// How interesting the positions of a solved game are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestReport {
    /// The schema and the kind.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// What a solution file can keep of it.
    #[serde(flatten)]
    pub analysis: InterestAnalysis,
    /// The positions by remoteness, from 0 to the greatest.
    pub table: Vec<RemotenessCounts>,
    /// Positions that never end.
    pub draw: u64,
}

fn is_draw(endless: &Endless) -> bool {
    *endless == Endless::Draw
}

impl ReportKind for InterestReport {
    const KIND: &'static str = "interest";
}

/// The positions of a solved game by their interestingness, each from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestAnalysis {
    /// The game.
    pub game: String,
    /// The choices that the definition leaves open.
    #[serde(flatten)]
    pub options: InterestOptions,
    /// The positions that can be reached, symmetry not reduced.
    pub positions: u64,
    /// The result of endless play by the rules; left out where that is a draw.
    #[serde(default, skip_serializing_if = "is_draw")]
    pub endless: Endless,
    /// The position that was solved.
    pub start: InterestPosition,
    /// Null when no position is a win before the end.
    pub most_interesting: Option<InterestPosition>,
    /// The wins by ascending remoteness.
    pub by_remoteness: Vec<WinsOfRemoteness>,
    /// How often the positions that depend on a cycle were computed.
    pub sweeps: u32,
    /// Those that lie on a cycle or depend on one.
    pub positions_in_loops: u64,
}

/// A position with its value and its interestingness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestPosition {
    /// The position as text.
    pub position: String,
    /// The player to move.
    pub turn: Player,
    /// The value for the player to move.
    pub value: Value,
    /// Plies to the end; null for a draw.
    pub remoteness: Option<u16>,
    /// From 0 to 1.
    pub interestingness: f64,
    /// Null when the interestingness does not depend on the moves.
    pub terms: Option<InterestTerms>,
    /// In a win the moves that win the quickest.
    #[serde(default)]
    pub quickest_wins: Vec<String>,
}

/// What the interestingness of a position is made of: its moves by what they do, and the two terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterestTerms {
    /// All children that count.
    pub children: u32,
    /// Those that win.
    pub winning: u32,
    /// Those over which the accumulated term is a mean.
    pub averaged: u32,
    /// Those that lose, but not at once.
    pub losing: u32,
    /// Those that lose at once.
    pub losing_at_once: u32,
    /// Those that tie.
    pub ties: u32,
    /// Those that lead to endless play.
    pub draws: u32,
    /// The immediate term, from 0 to 1; null for a lost position.
    pub immediate: Option<f64>,
    /// The accumulated term, from 0 to 1.
    pub accumulated: Option<f64>,
}

/// The wins of one remoteness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WinsOfRemoteness {
    /// How many there are, symmetry not reduced.
    pub wins: u64,
    /// The mean of their interestingness.
    pub mean: f64,
    /// The greatest interestingness.
    pub max: f64,
    /// How many have an interestingness from n / 20 up to less than (n + 1) / 20.
    pub bins: Vec<u64>,
    /// The most interesting one.
    #[serde(flatten)]
    pub most: InterestPosition,
}

impl InterestReport {
    /// The report of a solution of `game` and the interestingness of its positions.
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
            head: Head::NEW,
            analysis: InterestAnalysis::new(game, solution, interest),
            table: RemotenessCounts::of(table),
            draw: table.draws(),
        }
    }
}

impl InterestAnalysis {
    /// The analysis of a solution of `game` and the interestingness of its positions.
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

    /// The most interesting win of this remoteness, or of all.
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

    /// The value with the plies to the end; `None` when they do not go together.
    #[must_use]
    pub fn valued(&self) -> Option<Valued> {
        Valued::of_plies(self.value, self.remoteness)
    }
}

impl InterestTerms {
    /// `None` when the interestingness does not depend on the moves.
    #[must_use]
    pub fn of(terms: &Terms) -> Option<InterestTerms> {
        (terms.children > 0).then_some(InterestTerms {
            children: terms.children,
            winning: terms.winning,
            averaged: terms.averaged,
            losing: terms.losing,
            losing_at_once: terms.losing_at_once,
            ties: terms.ties,
            draws: terms.draws,
            immediate: terms.immediate.map(rounded),
            accumulated: terms.accumulated.map(rounded),
        })
    }
}
