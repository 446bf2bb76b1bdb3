//! Number of games that a match needs.

use std::path::Path;

use treegauge_core::ReportHeader;
use treegauge_matches::{MatchGame, MatchHeader, pairs_of};
use treegauge_stats::{PairSpread, Power, PowerReport, SmallestGap};

use crate::records::{bad, read_record};
use crate::{Error, ErrorKind};

/// Sizes of matches, in games, to report the smallest detectable gap for.
const GAMES: [u64; 3] = [100, 1_000, 10_000];

/// Source of the spread of a match's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PowerSource<'a> {
    /// Assumed numbers.
    Assumed {
        /// Share of drawn games, 0 to 1.
        draw_rate: f64,
        /// Correlation of a player's points in the two games of a pair, -1 to 1.
        correlation: f64,
    },
    /// Measured in the games of a record.
    Record(&'a Path),
}

/// Number of games needed to detect a gap, and the gaps detectable with some numbers of games.
/// `gap` is the better player's share of the points minus 0.5: more than 0 and at most 0.5.
///
/// # Errors
///
/// If a number is out of range, or the record cannot be read or has no pair of games.
pub fn power(source: PowerSource<'_>, gap: f64) -> Result<PowerReport, Error> {
    let (spread, measured_pairs) = match source {
        PowerSource::Assumed { draw_rate, correlation } => {
            (PairSpread::Assumed { draw_rate, correlation }, None)
        }
        PowerSource::Record(path) => {
            let mut games = read_record::<MatchGame>(path, MatchHeader::HOLDS)?.lines;
            games.sort_by_key(|game| game.game);
            let pairs = pairs_of(&games).pentanomial();
            let none = || bad(format!("{} has no pair of games", path.display()));
            (PairSpread::measured(pairs).ok_or_else(none)?, Some(pairs.pairs()))
        }
    };
    let usage = |error| Error::new(ErrorKind::Usage, error);
    let power = Power::new(spread).map_err(usage)?;
    let table = power.table(gap).map_err(usage)?;
    let mut smallest_gaps = Vec::new();
    for games in GAMES {
        for level in Power::LEVELS {
            let gap = power.smallest_gap(games / 2, level).map_err(usage)?;
            smallest_gaps.push(SmallestGap { games, power: level, gap });
        }
    }
    Ok(PowerReport { head: ReportHeader::NEW, table, smallest_gaps, measured_pairs })
}
