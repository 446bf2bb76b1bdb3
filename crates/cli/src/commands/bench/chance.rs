//! The games a second of matches between two random players.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ThreadTime;
use treegauge_catalog::Entry;
use treegauge_core::{Keyed, Notation, Played};
use treegauge_search::ChooserSpec;
use treegauge_study::{Clock, Match, MatchGame, MatchPlan, MatchProgress, Shard};

use crate::players::{PlayerSpec, competitor};

/// Games of the first match, which shows how many the others may have.
const FEW: u32 = 64;

/// Games of a match, where there is time for them: so many that it does not matter how long it
/// takes to sum a match up.
const MANY: u32 = 16_384;

/// Plays match after match on rayon's current pool, each within a chunk of this thread's time if it
/// can be; each call returns the games of one.
pub(super) fn matches<G: Notation + Keyed>(
    entry: &Entry<G>,
    chunk: Duration,
) -> impl FnMut() -> [u64; 2] {
    let random = PlayerSpec::Chooser(ChooserSpec::Random);
    let game = entry.game.clone();
    let start = Played::start(&game);
    // It needs no file, so that the game's text does not matter.
    let random = competitor(entry, &random, "", start.state()).expect("chance plays every game");
    let (mut seed, mut games) = (0, FEW);
    move || {
        seed += 1;
        let begin = ThreadTime::now();
        let plan = MatchPlan { games, opening_plies: 2, seed, shard: Shard::WHOLE };
        let played = Match {
            game: &game,
            start: &start,
            competitors: [&*random, &*random],
            plan: &plan,
            clock: &Nobody,
            progress: &Nobody,
        };
        let played = played.play(&[], None).comparison.games;
        if begin.elapsed() < chunk / 4 {
            games = MANY.min(2 * games);
        }
        [played, 0]
    }
}

/// Who neither looks on nor stops anything.
struct Nobody;

impl Clock for Nobody {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl MatchProgress for Nobody {
    fn game_over(&self, _: &MatchGame) {}

    fn sees_chance(&self) -> bool {
        false
    }

    fn stop(&self) -> &AtomicBool {
        static NEVER: AtomicBool = AtomicBool::new(false);
        &NEVER
    }
}
