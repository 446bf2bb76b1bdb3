//! Archive of the games that candidates descend from: the best game of each cell of a grid.

use std::collections::BTreeMap;

use treegauge_gauge::{Measure, Unit};

use super::line::Glance;
use super::origin::Origin;
use super::report::MapCell;

/// Row and column in the grid.
pub(super) type Cell = [i32; 2];

/// Ratio between the values of adjacent cells, for measures without an upper bound.
const STEP: f64 = 1.5;

/// Number of cells along the axis of a share.
const SHARES: f64 = 10.0;

/// Game that occupies a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elite {
    pub(super) game: Origin,
    pub(super) fitness: f64,
}

/// Grid over two measures that keeps the best game of each cell (MAP-Elites: Mouret and Clune
/// 2015).
#[derive(Clone, Debug)]
pub(super) struct Archive {
    axes: [&'static Measure; 2],
    cells: BTreeMap<Cell, Elite>,
}

impl Archive {
    pub(super) fn new(axes: [&'static Measure; 2]) -> Archive {
        Archive { axes, cells: BTreeMap::new() }
    }

    /// Returns the cell of a game; `None` if one of the measures is unrated.
    fn cell(&self, glance: &Glance) -> Option<Cell> {
        let place = |axis: &Measure| Some(step(axis.unit, glance.measures.get(axis.name).mean?));
        Some([place(self.axes[0])?, place(self.axes[1])?])
    }

    /// Puts a game into its cell if the cell is empty or its game is less fit.
    pub(super) fn offer(&mut self, game: Origin, fitness: f64, glance: &Glance) {
        let Some(cell) = self.cell(glance) else { return };
        let elite = Elite { game, fitness };
        let kept = self.cells.entry(cell).or_insert(elite);
        if fitness > kept.fitness {
            *kept = elite;
        }
    }

    /// Returns the games in the order of their cells.
    pub(super) fn games(&self) -> impl Iterator<Item = Origin> {
        self.cells.values().map(|elite| elite.game)
    }

    /// Returns the occupied cells with their games.
    pub(super) fn map(&self) -> impl Iterator<Item = MapCell> {
        let range = |n: usize, place: i32| range(self.axes[n].unit, place);
        self.cells.iter().map(move |(&cell, elite)| MapCell {
            cell,
            ranges: [range(0, cell[0]), range(1, cell[1])],
            game: elite.game,
            fitness: elite.fitness,
        })
    }

    /// Number of occupied cells.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }
}

/// Returns the row or column of a value: tenths for shares, steps of 50 for Elo, a logarithmic
/// scale for other units.
fn step(unit: Unit, value: f64) -> i32 {
    match unit {
        Unit::Share => (SHARES * value).min(SHARES - 1.0) as i32,
        Unit::Plies(_) | Unit::Number(_) => (value.max(0.01).ln() / STEP.ln()).floor() as i32,
        Unit::Elo => (value / 50.0).floor() as i32,
    }
}

/// Returns the values of a row or column, rounded to hundredths: from the first, below the second.
fn range(unit: Unit, place: i32) -> [f64; 2] {
    let bound = |place: i32| match unit {
        Unit::Share => f64::from(place) / SHARES,
        Unit::Plies(_) | Unit::Number(_) => STEP.powi(place),
        Unit::Elo => 50.0 * f64::from(place),
    };
    [place, place + 1].map(|place| (100.0 * bound(place)).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        assert_eq!(step(Unit::Share, 0.0), 0);
        assert_eq!(step(Unit::Share, 0.35), 3);
        assert_eq!(step(Unit::Share, 1.0), 9);
        let plies = |value| step(Unit::Plies(1), value);
        assert_eq!(plies(1.0), 0);
        assert_eq!(plies(40.0), plies(50.0));
        assert_eq!(plies(60.0), plies(40.0) + 1);
        assert_eq!(plies(0.0), plies(0.01), "nothing has no logarithm");
    }

    #[test]
    fn a_place_has_the_values_that_lead_to_it() {
        for (unit, place) in [(Unit::Share, 3), (Unit::Plies(1), 7), (Unit::Elo, -2)] {
            let [from, to] = range(unit, place);
            assert_eq!(step(unit, (from + to) / 2.0), place, "{unit:?}");
            assert!(step(unit, to + 0.02) > place && step(unit, from - 0.02) < place, "{unit:?}");
        }
    }

    #[test]
    fn the_best_of_a_cell_stays() {
        let mut archive = Archive::new(["plies", "branching"].map(|m| Measure::named(m).unwrap()));
        let glance: Glance = serde_json::from_value(serde_json::json!({
            "games": 1, "iterations": 1, "features": {},
            "measures": { "plies": { "mean": 20.0 }, "branching": { "mean": 7.0 } },
        }))
        .unwrap();
        let mut kept = |n, fitness| {
            archive.offer(Origin::Made(n), fitness, &glance);
            archive.games().collect::<Vec<_>>()
        };
        assert_eq!(kept(3, 10.0), [Origin::Made(3)]);
        assert_eq!(kept(4, 10.0), [Origin::Made(3)], "of equal ones the first");
        assert_eq!(kept(5, 11.0), [Origin::Made(5)]);
        assert_eq!(archive.len(), 1);
    }
}
