//! How many plies a game lasts at least, in games with tiers.

use std::collections::BTreeMap;

use crate::error::SolveError;

/// The fewest plies from the start to the positions of each tier, until the first end is found.
///
/// No value of a game is nearer than its nearest end, so a game without an end within the plies
/// that a remoteness can have is refused before its values are looked for.
#[derive(Debug, Default)]
pub(crate) struct Plies {
    /// Tiers whose children are not known, with the fewest plies to them, or fewer.
    open: BTreeMap<u32, u32>,
    ended: bool,
}

impl Plies {
    pub(crate) fn new() -> Self {
        Plies::default()
    }

    /// The children of a tier are known, and lie in tiers among `open`; `ended` is whether an end was
    /// found.
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
