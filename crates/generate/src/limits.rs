//! Limits on shares of games, with tests whether a candidate is clearly on one side of them.

use treegauge_stats::wilson;

use super::gate::Rejection;

/// Share of games or plies, with its upper limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub(super) reason: Rejection,
    pub(super) count: u64,
    pub(super) of: u64,
    pub(super) limit: f64,
}

/// Lower limit of the mean length, in plies.
pub(super) const PLIES_MIN: f64 = 4.0;
/// Upper limit of the share of stopped games.
pub(super) const STOPPED_MAX: f64 = 0.5;
/// Upper limit of the share of draws.
pub(super) const DRAWS_MAX: f64 = 0.8;
/// Upper limit of the share of games that one side wins.
pub(super) const SIDE_MAX: f64 = 0.9;
/// Upper limit of the share of plies with only one legal move.
pub(super) const FORCED_MAX: f64 = 0.5;

/// Result of comparing shares with their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// All shares are within their limits; if more games may follow, clearly so.
    Yes,
    /// A share is beyond its limit, for this reason.
    No(Rejection),
    /// Undecided: more games are needed.
    Open,
}

/// Compares shares with their limits. If more games may follow (`all` is false), the whole 95%
/// Wilson interval must be on one side; after the last game the share itself decides.
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
