//! Shortest possible length of a game, in games with tiers.

use std::collections::BTreeMap;

use crate::error::SolveError;

/// Number of plies from the start to each tier, until the first finished position is found.
///
/// No value of a game is nearer than its nearest end. So a game without an end within the plies
/// that fit a remoteness is refused before its positions are valued.
#[derive(Debug, Default)]
pub(crate) struct Plies {
    /// Tiers whose children are not found, with the plies after which each first appeared.
    open: BTreeMap<u32, u32>,
    ended: bool,
}

impl Plies {
    pub(crate) fn new() -> Self {
        Plies::default()
    }

    /// Records that the children of `tier` were found. `open` lists all tiers that have positions
    /// left to expand. `ended` says whether a finished position was found.
    ///
    /// # Errors
    ///
    /// When every open tier is more than 65,535 plies away.
    pub(crate) fn expanded(
        &mut self,
        tier: u32,
        open: impl Iterator<Item = u32>,
        ended: bool,
    ) -> Result<(), SolveError> {
        self.ended |= ended;
        if self.ended {
            self.open.clear();
            return Ok(());
        }
        let plies = self.open.remove(&tier).unwrap_or(0);
        for child in open {
            self.open.entry(child).or_insert(plies + 1);
        }
        match self.open.values().min() {
            Some(&least) if least > u32::from(u16::MAX) => Err(SolveError::TooRemote),
            _ => Ok(()),
        }
    }
}
