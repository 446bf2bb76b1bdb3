//! Counts of positions by value and remoteness.

use crate::value::{ExactValue, Value};

/// Counts of positions by value for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions won for the player to move.
    pub win: u64,
    /// Positions lost for the player to move.
    pub lose: u64,
    /// Positions from which best play ends without a winner.
    pub tie: u64,
    /// Positions from which best play never ends, or whose value depends on the history.
    pub draw: u64,
    /// Finished positions. They are also counted as wins, losses or ties.
    pub finished: u64,
}

impl Counts {
    /// Number of all positions.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.win + self.lose + self.tie + self.draw
    }

    /// Number of positions with this value.
    #[must_use]
    pub fn of(&self, value: Value) -> u64 {
        match value {
            Value::Win => self.win,
            Value::Lose => self.lose,
            Value::Tie => self.tie,
            Value::Draw => self.draw,
        }
    }
}

/// Counts of positions by remoteness and value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemotenessTable {
    /// Wins, losses and ties, for each remoteness from 0 to the greatest.
    rows: Vec<[u64; 3]>,
    /// Wins and losses by endless play, which have no remoteness.
    endless: [u64; 2],
    draws: u64,
}

impl RemotenessTable {
    /// Counts `count` more positions with this value and remoteness.
    pub fn add(&mut self, valued: ExactValue, count: u64) {
        if valued.value == Value::Draw {
            self.draws += count;
            return;
        }
        if valued.remoteness == ExactValue::ENDLESS {
            // A tie always has an end; a file that says otherwise is refused when it is checked.
            self.endless[usize::from(valued.value != Value::Win)] += count;
            return;
        }
        let row = usize::from(valued.remoteness);
        if self.rows.len() <= row {
            self.rows.resize(row + 1, [0; 3]);
        }
        self.rows[row][valued.value as usize] += count;
    }

    /// Adds the counts of another table.
    pub fn merge(&mut self, other: &RemotenessTable) {
        if self.rows.len() < other.rows.len() {
            self.rows.resize(other.rows.len(), [0; 3]);
        }
        for (row, others) in self.rows.iter_mut().zip(&other.rows) {
            for (count, more) in row.iter_mut().zip(others) {
                *count += more;
            }
        }
        for (count, more) in self.endless.iter_mut().zip(other.endless) {
            *count += more;
        }
        self.draws += other.draws;
    }

    /// Wins, losses and ties, in this order, for each remoteness from 0 to the greatest.
    #[must_use]
    pub fn rows(&self) -> &[[u64; 3]] {
        &self.rows
    }

    /// Wins and losses by endless play, in this order. They have no remoteness.
    #[must_use]
    pub fn endless(&self) -> [u64; 2] {
        self.endless
    }

    /// Draws by endless play. They have no remoteness.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Sums the counts over all remotenesses.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let sum = |value: Value| self.rows.iter().map(|row| row[value as usize]).sum();
        Counts {
            win: sum(Value::Win) + self.endless[0],
            lose: sum(Value::Lose) + self.endless[1],
            tie: sum(Value::Tie),
            draw: self.draws,
            finished: self.rows.first().map_or(0, |row| row.iter().sum()),
        }
    }
}
