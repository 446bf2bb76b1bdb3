//! Destinations for the games of a list of matches.

use treegauge_store::PieceSink;

use super::{FixtureGame, MatchGame, TournamentGame};

/// Keeps the games of the only match in a list.
pub struct OneMatch<'a>(pub &'a dyn PieceSink<MatchGame>);

impl PieceSink<FixtureGame> for OneMatch<'_> {
    fn keep(&self, (_, game): &FixtureGame) {
        self.0.keep(game);
    }
}

/// Keeps the games of a tournament; its pairings are in the order of
/// [`encounters`](super::encounters).
pub struct TournamentRecord<'a> {
    /// Destination of each game together with its players.
    pub keep: &'a dyn PieceSink<TournamentGame>,
    /// Players of each pairing.
    pub pairings: &'a [[u32; 2]],
}

impl PieceSink<FixtureGame> for TournamentRecord<'_> {
    fn keep(&self, (place, game): &FixtureGame) {
        self.keep.keep(&TournamentGame { players: self.pairings[*place], game: game.clone() });
    }
}
