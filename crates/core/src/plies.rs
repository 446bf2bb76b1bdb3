//! Counts of plies.

use std::fmt;

/// Number of plies, which are single moves of one player. A move after which the same player moves
/// again is a ply too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plies(pub u32);

impl Plies {
    /// Plies that remain of `self` after `used`; 0 if `used` is greater.
    ///
    /// ```
    /// use treegauge_core::Plies;
    /// assert_eq!(Plies(10).left_after(Plies(4)), Plies(6));
    /// assert_eq!(Plies(10).left_after(Plies(11)), Plies(0));
    /// ```
    #[inline]
    #[must_use]
    pub const fn left_after(self, used: Plies) -> Plies {
        Plies(self.0.saturating_sub(used.0))
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
