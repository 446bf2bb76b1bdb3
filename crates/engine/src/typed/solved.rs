//! The file of a solved game of one type.

use std::path::Path;
use std::sync::Arc;

use treegauge_catalog::Entry;
use treegauge_core::{KeyCode, Keyed, Notation};
use treegauge_solve::{CodeOf, PlyLimit, ProbeError, SolvedFile, Valued};

use super::rules_of;
use crate::solved::known_throughout;

/// The file of a solved game, for an evaluator: positions are asked for by their states.
pub(crate) struct TypedSolved<G: Notation + Keyed> {
    entry: Arc<Entry<G>>,
    file: SolvedFile<CodeOf<G>>,
}

impl<G: Notation + Keyed> TypedSolved<G> {
    pub(crate) fn open(
        entry: &Arc<Entry<G>>,
        path: &Path,
        canonical_name: &str,
    ) -> Result<Self, ProbeError> {
        let file = SolvedFile::open(path, rules_of(entry).erase(), canonical_name)?;
        Ok(TypedSolved { entry: entry.clone(), file })
    }

    /// Refuses it where perfect play is not known.
    pub(crate) fn known_throughout(&self) -> Result<(), ProbeError> {
        let game = &self.entry.game;
        let start = game.parse_position(&self.file.file().header().start);
        let start = start.expect("a game reads the positions that it writes");
        let valued = self.value_of(&start)?;
        known_throughout(
            self.file.undecided(),
            valued,
            PlyLimit::before(game, valued, self.file.reachable_positions()),
        )
    }

    /// The value of a state for the player to move.
    pub(crate) fn value_of(&self, state: &G::State) -> Result<Valued, ProbeError> {
        self.file.value(&self.entry.game.key(state).code())
    }
}
