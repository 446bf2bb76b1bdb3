//! How to play, for the commands that have players play each other.

use std::path::PathBuf;

use clap::Args;
use treegauge::MatchOptions;
use treegauge::engine::{PLAYERS, PlayerSpec};
use treegauge::grammar::Form;
use treegauge::study::Shard;

use crate::exit::{Exit, Failure, Outcome};
use crate::files::to_read;
use treegauge::grammar::count;
use treegauge::tasks::{DEFAULT_SEED, PositionArgs};

/// The help of an option that takes a player: what it is for, and the forms of all players.
pub(crate) fn with_players(purpose: &str) -> String {
    let forms: Vec<String> = PLAYERS.iter().map(Form::usage).collect();
    let (last, others) = forms.split_last().expect("there are players");
    format!("{purpose}: {} or {last}", others.join(", "))
}

/// The effect of `--shard` on the pairs of a match.
const PAIRS: &str = "Play only part I of N of the pairs; `merge` combines the records of all parts";

/// The long help of `--shard`.
pub(crate) fn shard_help(purpose: &str) -> String {
    format!(
        "{purpose}.\n\nParts are counted from 1. In a job array of SLURM from 0 to 23 the part is \
         --shard $((SLURM_ARRAY_TASK_ID + 1))/24"
    )
}

/// How to play.
#[derive(Debug, Args)]
pub(crate) struct PlayingArgs {
    /// Uniformly random plies at the beginning of each game; fewer where these would end it
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count::<u32>(0..=1_000_000))]
    opening_plies: u32,

    /// Keep each game as a line of JSON; games that are already in FILE are not played again, so a
    /// killed run continues, and a larger --games adds to the record
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    #[arg(long, value_name = "I/N", requires = "record", help = PAIRS, long_help = shard_help(PAIRS))]
    shard: Option<Shard>,

    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
}

impl PlayingArgs {
    /// A match of this number of games.
    pub(crate) fn options(&self, games: u32) -> MatchOptions {
        MatchOptions {
            from: self.at.beginning(),
            games,
            opening_plies: self.opening_plies,
            seed: self.seed,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            keeps_random: self.record.is_some(),
        }
    }
}

/// Reads a player of a match.
pub(crate) fn player(text: &str) -> Outcome<PlayerSpec> {
    if text.trim() == "human" {
        let message = "people do not play matches; `treegauge play` asks them for moves";
        return Err(Failure::new(Exit::Usage, message));
    }
    player_of(text)
}

/// Reads a player, whose files are then among those that the command reads.
pub(crate) fn player_of(text: &str) -> Outcome<PlayerSpec> {
    let player = PlayerSpec::parse(text).map_err(treegauge::Error::from)?;
    player.files().into_iter().try_for_each(to_read)?;
    Ok(player)
}
