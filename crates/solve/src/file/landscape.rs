//! Positions of a file by value and remoteness: counted and found block by block, so that the file
//! is never in memory as a whole.

use treegauge_core::{KeyCode, Watch};
use xxhash_rust::xxh3::xxh3_64;

use crate::counts::RemotenessTable;
use crate::move_value::move_values;
use crate::rules::Expander;
use crate::value::{ExactValue, Value};

use super::block::Block;
use super::error::FileError;
use super::read::SolutionFile;

/// Counts of the positions of a file by value and remoteness. It is empty at first and grows with
/// [`SolutionFile::count`].
#[derive(Clone, Debug, Default)]
pub struct Landscape {
    table: RemotenessTable,
    blocks: usize,
}

impl Landscape {
    /// Positions counted so far, symmetry not reduced.
    #[must_use]
    pub fn table(&self) -> &RemotenessTable {
        &self.table
    }
}

/// Description of a position to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Value for the player to move.
    pub value: Value,
    /// Plies to the end; `None` for endless play.
    pub remoteness: Option<u16>,
    /// Whether exactly one of several moves keeps the value.
    pub is_only_move: bool,
}

impl<K: KeyCode> SolutionFile<K> {
    /// Counts further positions until all are counted or `watch` says stop, and returns whether all
    /// are counted. A landscape belongs to one file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is damaged.
    pub fn count(&self, landscape: &mut Landscape, watch: &dyn Watch) -> Result<bool, FileError> {
        let expander = Expander::new(self.rules(), self.reduction());
        let is_reduced = !self.reduction().is_none();
        let mut images = Vec::new();
        let counted = self.blocks_from(landscape.blocks, watch, |n, block: Block<K>| {
            for (&key, &valued) in block.keys.iter().zip(&block.values) {
                let mut count = 1;
                if is_reduced {
                    expander.images_into(key, &mut images);
                    count = images.len() as u64;
                }
                landscape.table.add(valued, count);
            }
            landscape.blocks = n + 1;
            Ok(())
        });
        match counted {
            Ok(()) => Ok(true),
            Err(FileError::Interrupted) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Finds a position. Different seeds find different positions, if there are some. `None` if the
    /// file has no such position.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is damaged, or `watch` says stop
    /// ([`FileError::Interrupted`]).
    pub fn find(
        &self,
        wanted: &Wanted,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<Option<K>, FileError> {
        let Some(valued) = ExactValue::of_plies(wanted.value, wanted.remoteness) else {
            return Ok(None);
        };
        let count = self.block_count();
        let begin = mixed(seed) as usize % count.max(1);
        for n in (begin..count).chain(0..begin) {
            if watch.stop() {
                return Err(FileError::Interrupted);
            }
            let block = self.block(n)?;
            let has_value = |place: &usize| block.values[*place] == valued;
            let places: Vec<usize> = (0..block.keys.len()).filter(has_value).collect();
            let first = mixed(seed ^ n as u64) as usize % places.len().max(1);
            for &place in places[first..].iter().chain(&places[..first]) {
                let state = block.keys[place];
                if !wanted.is_only_move || self.has_only_move(state, wanted.value)? {
                    return Ok(Some(state));
                }
                if watch.stop() {
                    return Err(FileError::Interrupted);
                }
            }
        }
        Ok(None)
    }

    /// Returns whether exactly one of several moves keeps the value of a position.
    fn has_only_move(&self, state: K, value: Value) -> Result<bool, FileError> {
        let lacking =
            |child: K| FileError::Contradiction { position: self.rules().position_text(child) };
        let moves = move_values(self.rules(), state, |child| {
            self.get(child)?.ok_or_else(|| lacking(child))
        })?;
        let keeping = moves.iter().filter(|row| row.valued.value == value).count();
        Ok(keeping == 1 && moves.len() > 1)
    }
}

/// Random number of a seed.
fn mixed(seed: u64) -> u64 {
    xxh3_64(&seed.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::write_file;
    use crate::rules::{Reduction, Solvable};
    use crate::tests::any_game::{on, solved};

    /// Stops before anything is done.
    struct Never;

    impl Watch for Never {
        fn progress(&self, _: treegauge_core::Progress) {}

        fn stop(&self) -> bool {
            true
        }
    }

    /// Calls `check` with a file of the game, plain and reduced, and its table of remoteness.
    fn with_files<K: KeyCode>(
        rules: Solvable<K>,
        of: &str,
        check: impl Fn(&SolutionFile<K>, &RemotenessTable),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solution");
        for symmetry in [false, Reduction::of(&rules, rules.start()).is_ok()] {
            let solution = solved(&rules, symmetry);
            write_file(&path, &solution, of, None, &()).unwrap();
            let file = SolutionFile::open(&path, rules.clone(), of).unwrap();
            check(&file, solution.remoteness_table());
        }
    }

    fn is_counted<K: KeyCode>(rules: Solvable<K>, of: &str) {
        with_files(rules, of, |file, table| {
            let mut landscape = Landscape::default();
            assert!(!file.count(&mut landscape, &Never).unwrap());
            assert_eq!(landscape.table().counts().total(), 0);
            // Nothing is counted twice.
            for _ in 0..2 {
                assert!(file.count(&mut landscape, &()).unwrap());
                assert_eq!(landscape.table(), table, "{of}");
            }
        });
    }

    #[test]
    fn a_file_is_counted_as_its_solution() {
        for spec in ["tic_tac_toe", "achi", "finger_game", "connect_four(cols=4,rows=4)"] {
            on!(spec, is_counted, spec);
        }
    }

    fn is_found<K: KeyCode>(rules: Solvable<K>, of: &str) {
        with_files(rules, of, |file, table| {
            for (remoteness, row) in (0..).zip(table.rows()) {
                for (value, &count) in [Value::Win, Value::Lose, Value::Tie].into_iter().zip(row) {
                    let wanted =
                        Wanted { value, remoteness: Some(remoteness), is_only_move: false };
                    let find = |seed| file.find(&wanted, seed, &()).unwrap();
                    let found: Vec<Option<K>> = (0..9).map(find).collect();
                    assert!(found.iter().all(|found| found.is_some() == (count > 0)));
                    for &state in found.iter().flatten() {
                        let valued = ExactValue { value, remoteness };
                        assert_eq!(file.get(state).unwrap(), Some(valued));
                    }
                    if count > 1_000 {
                        assert!(found.iter().any(|one| *one != found[0]), "seeds differ");
                    }
                }
            }
        });
    }

    #[test]
    fn every_value_and_remoteness_that_occurs_is_found() {
        for spec in ["tic_tac_toe", "connect_four(cols=4,rows=4)"] {
            on!(spec, is_found, spec);
        }
    }

    fn has_only_moves<K: KeyCode>(rules: Solvable<K>, of: &str) {
        with_files(rules, of, |file, _| {
            let wanted = Wanted { value: Value::Win, remoteness: Some(3), is_only_move: true };
            let state = file.find(&wanted, 1, &()).unwrap().unwrap();
            assert!(file.has_only_move(state, Value::Win).unwrap());
            let none = Wanted { value: Value::Tie, remoteness: None, is_only_move: false };
            assert_eq!(file.find(&none, 1, &()).unwrap(), None, "a tie has an end");
            let stopped = file.find(&wanted, 1, &Never);
            assert!(matches!(stopped, Err(FileError::Interrupted)));
        });
    }

    #[test]
    fn a_position_with_an_only_move_is_found() {
        on!("tic_tac_toe", has_only_moves, "tic_tac_toe");
    }
}
