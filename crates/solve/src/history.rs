//! Value of a position that depends on its history, by search of all lines.

use treegauge_core::{Ending, Game, Played, Player, Watch};

use crate::error::Interrupted;
use crate::value::Value;

/// Most positions that the search visits.
const VISITS_MAX: u64 = 1 << 18;

/// Greatest length of a line in plies: the search is recursive.
const DEPTH_MAX: u32 = 400;

/// Visits between two calls of the watch.
const ROUND: u64 = 1 << 10;

/// Value of a position for the player to move, with best play by both players and all endings by
/// history. The position counts as the first of the game. `None` if 2^18 visits of positions do not
/// suffice, a line is longer than 400 plies, or a line meets the ply cap, which is not a rule of
/// the game.
///
/// Repetition and limits of quiet plies make the value of a position depend on the line that led
/// there, so results cannot be shared between lines. This is practical for games with few lines
/// only.
pub(crate) fn value_by_history<G: Game>(
    game: &G,
    state: &G::State,
    watch: &dyn Watch,
) -> Result<Option<Value>, Interrupted> {
    let mut search = Search { game, played: Played::from_state(state.clone()), visits: 0, watch };
    let turn = game.turn(state);
    let value = match search.value(-1, 1) {
        Ok(value) => value,
        Err(GivenUp::Stopped) => return Err(Interrupted),
        Err(GivenUp::TooLong) => return Ok(None),
    };
    Ok(Some(match value * turn.sign() {
        1 => Value::Win,
        -1 => Value::Lose,
        _ => Value::Tie,
    }))
}

enum GivenUp {
    TooLong,
    Stopped,
}

struct Search<'a, G: Game> {
    game: &'a G,
    played: Played<G>,
    visits: u64,
    watch: &'a dyn Watch,
}

impl<G: Game> Search<'_, G> {
    /// Result for the first player, +1, 0 or -1, if it lies between `least` and `most`. A result
    /// outside is returned as a bound: the nearer limit or a result beyond it.
    fn value(&mut self, mut least: i32, mut most: i32) -> Result<i32, GivenUp> {
        self.visits += 1;
        if self.visits.is_multiple_of(ROUND) && self.watch.stop() {
            return Err(GivenUp::Stopped);
        }
        if self.visits > VISITS_MAX || self.played.ply().0 > DEPTH_MAX {
            return Err(GivenUp::TooLong);
        }
        if let Some(ended) = self.played.ended(self.game) {
            if ended.by == Ending::Capped {
                return Err(GivenUp::TooLong);
            }
            return Ok(ended.outcome.winner().map_or(0, Player::sign));
        }
        let first = self.game.turn(self.played.state()) == Player::First;
        let mut best = if first { -1 } else { 1 };
        let mut moves = Vec::new();
        self.game.moves_into(self.played.state(), &mut moves);
        let mark = self.played.mark();
        for m in moves {
            self.played.play(self.game, m);
            let value = self.value(least, most)?;
            self.played.restore(&mark);
            if first {
                best = best.max(value);
                least = least.max(best);
            } else {
                best = best.min(value);
                most = most.min(best);
            }
            if least >= most {
                break;
            }
        }
        Ok(best)
    }
}
