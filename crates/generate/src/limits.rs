//! Limits of shares of games: whether a candidate is clearly on one side of them.

use treegauge_stats::wilson;

use super::gate::Rejection;

/// A share of games or plies that must not be greater than a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub(super) reason: Rejection,
    pub(super) count: u64,
    pub(super) of: u64,
    pub(super) limit: f64,
}

/// The shortest mean length, in plies.
pub(super) const PLIES_MIN: f64 = 4.0;
/// The greatest share of games that are stopped.
pub(super) const STOPPED_MAX: f64 = 0.5;
/// The greatest share of draws.
pub(super) const DRAWS_MAX: f64 = 0.8;
/// The greatest share of games that one side wins.
pub(super) const SIDE_MAX: f64 = 0.9;
/// The greatest share of plies with one legal move.
pub(super) const FORCED_MAX: f64 = 0.5;

/// What some games say of limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// All shares are within their limits, and clearly so if more games could come.
    Yes,
    /// One is not.
    No(Rejection),
    /// More games would tell.
    Open,
}

/// Whether shares are within their limits: beyond all doubt (Wilson's interval of 95%) while more games can
/// come, by the share itself once these are all.
pub(super) fn within(shares: &[Share], all: bool) -> Within {
    let mut open = false;
    for share in shares.iter().filter(|share| share.of > 0) {
        let interval = wilson(share.count as f64, share.of);
        if interval.low > Some(share.limit) {
            return Within::No(share.reason);
        }
        open |= interval.high > Some(share.limit);
    }
    if !open {
        return Within::Yes;
    }
    if !all {
        return Within::Open;
    }
    let beyond = |share: &&Share| share.count as f64 > share.limit * share.of as f64;
    shares.iter().find(beyond).map_or(Within::Yes, |share| Within::No(share.reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(count: u64, of: u64) -> Share {
        Share { reason: Rejection::Drawn, count, of, limit: 0.8 }
    }

    #[test]
    fn a_share_far_from_its_limit_needs_no_more_games() {
        assert_eq!(within(&[drawn(10, 50)], false), Within::Yes);
        assert_eq!(within(&[drawn(50, 50)], false), Within::No(Rejection::Drawn));
    }

    #[test]
    fn a_share_near_its_limit_is_open_until_all_games_are_played() {
        for (count, answer) in [(160, Within::Yes), (161, Within::No(Rejection::Drawn))] {
            assert_eq!(within(&[drawn(count, 200)], false), Within::Open);
            assert_eq!(within(&[drawn(count, 200)], true), answer);
        }
    }

    #[test]
    fn nothing_is_said_of_no_games() {
        assert_eq!(within(&[drawn(0, 0)], true), Within::Yes);
    }
}
