//! Options of matches and tournaments.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_engine::{PLAYERS, PlayerSpec};
use treegauge_grammar::{Form, count};
use treegauge_store::Shard;

use super::{Context, DEFAULT_SEED, PositionArgs};
use crate::{Error, ErrorKind, MatchOptions};

/// The help of an option that takes a player: its purpose, and the forms of all players.
#[must_use]
pub fn with_players(purpose: &str) -> String {
    let forms: Vec<String> = PLAYERS.iter().map(Form::usage).collect();
    let (last, others) = forms.split_last().expect("there are players");
    format!("{purpose}: {} or {last}", others.join(", "))
}

/// The help of `--shard` for a match.
const PAIRS: &str = "Play only part I of N of the pairs; `merge` combines the records of all parts";

/// The long help of `--shard`.
#[must_use]
pub fn shard_help(purpose: &str) -> String {
    format!(
        "{purpose}.\n\nParts are counted from 1. In a SLURM job array from 0 to 23 the part is \
         --shard $((SLURM_ARRAY_TASK_ID + 1))/24"
    )
}

/// Options of the games of a match.
#[derive(Debug, Args)]
pub(super) struct PlayingArgs {
    /// Random plies at the beginning of each game; fewer if they would end it
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count::<u32>(0..=1_000_000))]
    opening_plies: u32,

    #[arg(long, value_name = "I/N", help = PAIRS, long_help = shard_help(PAIRS))]
    shard: Option<Shard>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,

    #[command(flatten)]
    at: PositionArgs,
}

impl PlayingArgs {
    /// The options of a match of this number of games.
    pub(super) fn options(&self, games: u32, context: &Context<'_>) -> Result<MatchOptions, Error> {
        let keeps = context.keeping.is_some_and(|keeping| keeping.is_required);
        if self.shard.is_some() && !keeps {
            let message = "a part of a match needs its record: --shard goes with --record FILE";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        Ok(MatchOptions {
            from: self.at.beginning(),
            games,
            opening_plies: self.opening_plies,
            seed: self.seed,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            keeps_random: keeps,
        })
    }
}

/// Reads a player of a match.
pub(super) fn player(text: &str) -> Result<PlayerSpec, Error> {
    if text.trim() == "human" {
        let message = "people do not play matches; `treegauge play` asks them for moves";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    Ok(PlayerSpec::parse(text)?)
}

/// The files that some players read.
pub(super) fn files_of(players: &[PlayerSpec]) -> Vec<PathBuf> {
    players.iter().flat_map(PlayerSpec::files).map(Path::to_owned).collect()
}
