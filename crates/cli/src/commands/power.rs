//! `treegauge match --power`.

use std::path::Path;

use clap::Args;
use serde::Serialize;
use treegauge_study::compare::{Power, PowerTable, Spread};
use treegauge_study::{MatchGame, MatchHeader, pairs_of};

use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{print, print_json};
use crate::record::read;
use crate::report;

/// The sizes of matches for which the smallest gap is told.
const GAMES: [u64; 3] = [100, 1_000, 10_000];

#[derive(Debug, Args)]
#[command(next_help_heading = "How many games to play")]
pub(crate) struct PowerArgs {
    /// Play nothing; say how many games it takes to see a gap, and which gap so many games show.
    /// The games of --record, where it is given, tell how points spread
    #[arg(long, conflicts_with_all = ["game", "a", "b", "games", "opening_plies", "sprt", "shard", "position", "moves", "threads", "seed"])]
    pub(crate) power: bool,

    /// The gap: what the better player's share of the points is above 0.5 [default: 0.04]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    gap: Option<f64>,

    /// The share of drawn games that is expected [default: 0]
    #[arg(long, value_name = "SHARE", conflicts_with = "record")]
    draw_rate: Option<f64>,

    /// The correlation of a player's points in the two games of a pair, negative where openings
    /// favour a side [default: 0]
    #[arg(
        long,
        value_name = "R",
        requires = "power",
        conflicts_with = "record",
        allow_negative_numbers = true
    )]
    correlation: Option<f64>,
}

/// What the command reports.
#[derive(Serialize)]
pub(crate) struct PowerReport {
    /// The games that show the gap.
    #[serde(flatten)]
    pub(crate) table: PowerTable,
    /// The gaps that matches of some sizes show.
    pub(crate) smallest_gaps: Vec<SmallestGap>,
    /// The pairs by which the spread was measured.
    pub(crate) measured_pairs: Option<u64>,
}

/// The smallest gap that a match shows with some power.
#[derive(Serialize)]
pub(crate) struct SmallestGap {
    /// The games of the match.
    pub(crate) games: u64,
    /// The probability that the match shows it.
    pub(crate) power: f64,
    /// The gap; `None` where so few games show none.
    pub(crate) gap: Option<f64>,
}

/// The gap when none is given.
const GAP: f64 = 0.04;

impl PowerArgs {
    /// Refuses what only --power has a use for. Clap cannot: it takes the game and the players for
    /// not wanted with whatever wants --power, since they conflict with it.
    pub(crate) fn fit_a_match(&self) -> Outcome {
        let given =
            [("gap", self.gap), ("draw-rate", self.draw_rate), ("correlation", self.correlation)];
        match given.iter().find(|(_, value)| value.is_some()) {
            Some((name, _)) => {
                let message = format!("the argument '--{name}' is of use with '--power' only");
                Err(Failure::new(Exit::Usage, message))
            }
            None => Ok(()),
        }
    }
}

pub(crate) fn run(arguments: &PowerArgs, record: Option<&Path>, json: bool) -> Outcome {
    let measured = record.map(|path| {
        let (_, mut games) = read::<MatchGame>(path, MatchHeader::HOLDS)?;
        games.sort_by_key(|game| game.game);
        let pairs = pairs_of(&games).pentanomial();
        let spread = Spread::measured(pairs)
            .ok_or_else(|| format!("{} has no pair of games", path.display()))
            .or_data()?;
        Ok((pairs.pairs(), spread))
    });
    let measured = measured.transpose()?;
    let assumed = || Spread::Assumed {
        draw_rate: arguments.draw_rate.unwrap_or(0.0),
        correlation: arguments.correlation.unwrap_or(0.0),
    };
    let spread = measured.map_or_else(assumed, |(_, spread)| spread);
    let power = Power::new(spread).or_usage()?;
    let table = power.table(arguments.gap.unwrap_or(GAP)).or_usage()?;
    let mut smallest_gaps = Vec::new();
    for games in GAMES {
        for level in Power::LEVELS {
            let gap = power.smallest_gap(games / 2, level).or_usage()?;
            smallest_gaps.push(SmallestGap { games, power: level, gap });
        }
    }
    let measured_pairs = measured.map(|(pairs, _)| pairs);
    let report = PowerReport { table, smallest_gaps, measured_pairs };
    if json { print_json(&report) } else { print(&report::power_text(&report)) }
}
