//! Captures of several jumps, which must be enumerated to be counted.

use std::ops::ControlFlow;

/// Captures of one player in one position, for games in which capturing is compulsory and continues
/// while it can.
///
/// If no capture continues beyond its first jump, the first jumps are the captures and are counted
/// as bits. Otherwise all captures are enumerated.
pub(crate) trait Captures {
    /// Set of all first jumps.
    type Jumps: Copy;
    /// Type of a whole capture.
    type Move;

    /// Returns whether any of the first jumps is followed by a second one.
    fn goes_on(&self, jumps: Self::Jumps) -> bool;

    /// The number of first jumps.
    fn jump_count(jumps: Self::Jumps) -> u32;

    /// The `n`-th capture if none continues. `n` must be less than the number of first jumps.
    fn nth_jump(jumps: Self::Jumps, n: u32) -> Self::Move;

    /// Calls `visit` with every capture until it breaks.
    fn each_capture(&self, jumps: Self::Jumps, visit: impl FnMut(Self::Move) -> ControlFlow<()>);

    /// The number of captures.
    #[inline]
    fn capture_count(&self, jumps: Self::Jumps) -> u32 {
        if !self.goes_on(jumps) {
            return Self::jump_count(jumps);
        }
        let mut count = 0;
        self.each_capture(jumps, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// The `n`-th capture in the order of enumeration. `n` must be less than their number.
    fn nth_capture(&self, jumps: Self::Jumps, n: u32) -> Self::Move {
        let (mut left, mut found) = (n, None);
        self.each_capture(jumps, |m| {
            if left == 0 {
                found = Some(m);
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        found.expect("there are more captures")
    }

    /// Random capture; `choose` receives the number of captures and must choose uniformly.
    #[inline]
    fn random_capture(&self, jumps: Self::Jumps, choose: impl FnOnce(u32) -> u32) -> Self::Move {
        if self.goes_on(jumps) {
            self.nth_capture(jumps, choose(self.capture_count(jumps)))
        } else {
            Self::nth_jump(jumps, choose(Self::jump_count(jumps)))
        }
    }
}
