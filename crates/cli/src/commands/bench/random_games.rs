//! The games a second of matches between two random players.

use std::time::Duration;

use cpu_time::ThreadTime;
use treegauge::Game;
use treegauge::Shard;
use treegauge::engine::{Player, PlayerSpec, RandomPlayer};
use treegauge::{Fixture, MatchPlan, Matches};

use crate::common::clock;

/// Games of the first match, from which the length of the others follows.
const FEW: u32 = 64;

/// Games of a match, if time allows: enough for the summary of a match to take a negligible part of the time.
const MANY: u32 = 16_384;

/// Plays matches on the current rayon pool, each within a chunk of the time of this thread if possible. Each call returns
/// the games of one match.
pub(super) fn matches(game: &Game, chunk: Duration) -> impl FnMut() -> [u64; 2] {
    let (start, clock) = (game.start(), clock());
    let random = Player::open(&PlayerSpec::of(RandomPlayer), game.engine(), &start, &clock);
    let random = random.expect("random players need nothing");
    let (mut seed, mut games) = (0, FEW);
    let game = game.clone();
    move || {
        seed += 1;
        let begin = ThreadTime::now();
        let plan = MatchPlan { games, opening_plies: 2, seed, shard: Shard::WHOLE };
        let matches = Matches {
            engine: game.engine().as_ref(),
            start: &start,
            competitors: &[&random],
            pairings: &[Fixture { players: [0, 0], plan }],
            sprt: None,
            clock: &clock,
            keeps_random: false,
        };
        let played = matches.play(&[Vec::new()], &(), &()).expect("random players need no file");
        if begin.elapsed() < chunk / 4 {
            games = MANY.min(2 * games);
        }
        [played[0].comparison.games, 0]
    }
}
