//! Visitors for several tests: each is compiled for every type of game.

use treegauge_core::{Keyed, Notation, Played, perft};

use crate::{Entry, Visitor};

/// Moves of the start as text; empty if the game is over there.
pub(crate) struct Moves;

impl Visitor for Moves {
    type Output = Vec<String>;
    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Vec<String> {
        let (game, start) = (&entry.game, entry.game.start());
        let mut moves = Vec::new();
        if Played::start(game).ended(game).is_none() {
            game.moves_into(&start, &mut moves);
        }
        moves.into_iter().map(|m| game.move_text(&start, m)).collect()
    }
}

/// Perft counts up to this number of plies.
pub(crate) struct Perft(pub(crate) usize);

impl Visitor for Perft {
    type Output = Vec<u64>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Vec<u64> {
        perft(&entry.game, &entry.game.start(), self.0)
    }
}
