//! Power analysis: the number of games that a match needs.

use clap::Args;
use treegauge_grammar::number;

use super::{Context, Done};
use crate::{Error, ErrorKind, PowerSource, cut_words, power};

/// Options of the power analysis.
#[derive(Debug, Args)]
#[command(next_help_heading = "Power analysis")]
pub(super) struct PowerArgs {
    /// Power analysis without playing: the games needed to detect a score gap, and the gap that a number of games
    /// detects; --record FILE estimates the variance from recorded games
    #[arg(long, conflicts_with_all = ["game", "players", "a", "b", "games", "opening_plies", "sprt", "shard", "position", "moves", "seed"])]
    power: bool,

    /// Share of the points of the better player above one half, 0 to 0.5; 0.04 is a true score of 54% against 46%
    /// [default: 0.04]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number(0.0, 0.5))]
    gap: Option<f64>,

    /// Expected share of drawn games [default: 0]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number(0.0, 1.0))]
    draw_rate: Option<f64>,

    /// Correlation of the points of a player in the two games of a pair; negative if openings favour a side [default: 0]
    #[arg(long, value_name = "R", requires = "power", allow_negative_numbers = true, value_parser = number(-1.0, 1.0))]
    correlation: Option<f64>,
}

/// The default gap.
const GAP: f64 = 0.04;

impl PowerArgs {
    pub(super) fn is_asked(&self) -> bool {
        self.power
    }

    /// The name of the first of these options that was given.
    fn given(&self) -> Option<&'static str> {
        let given =
            [("gap", self.gap), ("draw-rate", self.draw_rate), ("correlation", self.correlation)];
        given.iter().find(|(_, value)| value.is_some()).map(|(name, _)| *name)
    }

    /// Refuses options that only `--power` uses. Clap cannot do this, since `--power` conflicts with the game and the
    /// players, which are then not required.
    pub(super) fn check_unasked(&self) -> Result<(), Error> {
        let Some(name) = self.given() else { return Ok(()) };
        let message = format!("the argument '--{name}' can be used with '--power' only");
        Err(Error::new(ErrorKind::Usage, message))
    }

    pub(super) fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let record = context.keeping.filter(|keeping| keeping.is_required);
        let record = record.map(|keeping| keeping.path);
        let assumed = [("draw-rate", self.draw_rate), ("correlation", self.correlation)];
        let assumed = assumed.iter().find(|(_, value)| value.is_some());
        if let (Some((name, _)), Some(_)) = (assumed, record) {
            let message = format!("the argument '--{name}' cannot be used with '--record <FILE>'");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let assumed = PowerSource::Assumed {
            draw_rate: self.draw_rate.unwrap_or(0.0),
            correlation: self.correlation.unwrap_or(0.0),
        };
        let source = record.map_or(assumed, PowerSource::Record);
        let report = power(source, self.gap.unwrap_or(GAP))?;
        let notes = record.and_then(cut_words).into_iter().collect();
        Ok(Done { notes, ..Done::new(report) })
    }
}
