//! Archive of the games that candidates descend from: the best game of each cell of a grid.

use std::collections::BTreeMap;

use super::axis::Axis;
use super::line::Glance;
use super::origin::Origin;
use super::report::MapCell;

/// Row and column in the grid.
pub(super) type Cell = [i32; 2];

/// Game that occupies a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elite {
    pub(super) game: Origin,
    pub(super) fitness: f64,
}

/// Grid over two axes that keeps the best game of each cell (MAP-Elites: Mouret and Clune
/// 2015).
#[derive(Clone, Debug)]
pub(super) struct Archive {
    axes: [Axis; 2],
    cells: BTreeMap<Cell, Elite>,
}

impl Archive {
    pub(super) fn new(axes: [Axis; 2]) -> Archive {
        Archive { axes, cells: BTreeMap::new() }
    }

    /// Returns the cell of a game; `None` if the game has no value on one of the axes.
    fn cell(&self, glance: &Glance) -> Option<Cell> {
        let place = |axis: &Axis| Some(axis.step(axis.value(glance)?));
        Some([place(&self.axes[0])?, place(&self.axes[1])?])
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
        let range = |n: usize, place: i32| self.axes[n].range(place);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_a_cell_stays() {
        let mut archive =
            Archive::new(["plies", "branching"].map(|name| Axis::named(name).unwrap()));
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
