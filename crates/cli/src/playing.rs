//! Players, for the commands that take one.

use treegauge::engine::PlayerSpec;

use crate::exit::Outcome;
use crate::files::to_read;

/// Reads a player, whose files are then among those that the command reads.
pub(crate) fn player_of(text: &str) -> Outcome<PlayerSpec> {
    let player = PlayerSpec::parse(text).map_err(treegauge::Error::from)?;
    player.files().into_iter().try_for_each(to_read)?;
    Ok(player)
}
