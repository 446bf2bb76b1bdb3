//! `treegauge match --power`.

use std::path::Path;

use clap::Args;
use treegauge::report::{Document, NoBoards};
use treegauge::{PowerSource, power};

use crate::exit::{Exit, Failure, Outcome};
use crate::files::to_read;
use crate::output::{print, print_report};
use crate::record::say_cut;
use crate::terminal::terminal;

#[derive(Debug, Args)]
#[command(next_help_heading = "How many games to play")]
pub(crate) struct PowerArgs {
    /// Power analysis without playing: games needed to detect a score gap, and the gap detectable
    /// with a given number of games. --record estimates the variance from recorded games
    #[arg(long, conflicts_with_all = ["game", "players", "a", "b", "games", "html", "open", "opening_plies", "sprt", "shard", "position", "moves", "threads", "seed"])]
    pub(crate) power: bool,

    /// The gap: the better player's expected share of the points above 0.5 [default: 0.04]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    gap: Option<f64>,

    /// The expected share of drawn games [default: 0]
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

/// The gap when none is given.
const GAP: f64 = 0.04;

impl PowerArgs {
    /// Refuses what only --power uses. Clap cannot: with --power the game and the players are not
    /// required, since they conflict with it.
    pub(crate) fn fit_a_match(&self) -> Outcome {
        let given =
            [("gap", self.gap), ("draw-rate", self.draw_rate), ("correlation", self.correlation)];
        match given.iter().find(|(_, value)| value.is_some()) {
            Some((name, _)) => {
                let message = format!("the argument '--{name}' can be used with '--power' only");
                Err(Failure::new(Exit::Usage, message))
            }
            None => Ok(()),
        }
    }
}

pub(crate) fn run(arguments: &PowerArgs, record: Option<&Path>, json: bool) -> Outcome {
    let assumed = PowerSource::Assumed {
        draw_rate: arguments.draw_rate.unwrap_or(0.0),
        correlation: arguments.correlation.unwrap_or(0.0),
    };
    record.map_or(Ok(()), to_read)?;
    let source = record.map_or(assumed, PowerSource::Record);
    let report = power(source, arguments.gap.unwrap_or(GAP))?;
    record.into_iter().for_each(say_cut);
    if json { print_report(&report) } else { print(&report.doc(&NoBoards).text(terminal())) }
}
