//! Where the games of a list of matches go.

use treegauge_store::Keep;

use super::{FixtureGame, MatchGame, TournamentGame};

/// Keeps the games of the one match of a list.
pub struct OneMatch<'a>(pub &'a dyn Keep<MatchGame>);

impl Keep<FixtureGame> for OneMatch<'_> {
    fn keep(&self, (_, game): &FixtureGame) {
        self.0.keep(game);
    }
}

/// Keeps the games of a tournament, whose pairings are in the order of
/// [`encounters`](super::encounters).
pub struct TournamentRecord<'a> {
    /// Keeps each game with its players.
    pub keep: &'a dyn Keep<TournamentGame>,
    /// The players of each pairing.
    pub pairings: &'a [[u32; 2]],
}

impl Keep<FixtureGame> for TournamentRecord<'_> {
    fn keep(&self, (place, game): &FixtureGame) {
        self.keep.keep(&TournamentGame { players: self.pairings[*place], game: game.clone() });
    }
}
