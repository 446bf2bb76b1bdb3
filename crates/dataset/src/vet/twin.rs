//! Detection of one game under two names.

use std::cell::OnceCell;
use std::sync::Arc;

use treegauge_catalog::GameSpec;
use treegauge_engine::{Engine, MoveNumber};
use treegauge_learn::Random;
use treegauge_solve::{AnySolved, Options, Value};

/// Number of random games that two games must play alike, move by move.
const GAMES: usize = 32;

/// Maximum number of move sequences of one length that are counted before two games are solved.
const SEQUENCES_MAX: u64 = 2_000_000;

/// Maximum length of these sequences, in plies.
const DEPTH_MAX: usize = 12;

/// Maximum number of positions of a game whose exact value is compared.
const POSITIONS_MAX: u64 = 300_000;

/// Maximum memory for solving a game, in bytes.
const MEMORY_BYTES_MAX: u64 = 256 << 20;

/// Result of solving a game: value and remoteness of the start, and numbers of all positions and of
/// those won and lost for the player to move; `None` if there are too many positions.
type Found = Option<(Value, Option<u16>, [u64; 3])>;

/// Game that may have another name.
pub(super) struct Named {
    family: &'static str,
    engine: Arc<dyn Engine>,
    /// Computed once, since the game is compared with several others.
    found: OnceCell<Found>,
}

impl Named {
    /// Opens the game of a name; `None` if the name is invalid.
    pub(super) fn open(name: &str) -> Option<Named> {
        let spec = GameSpec::parse(name).ok()?;
        let engine = treegauge_engine::open(&spec).ok()?;
        Some(Named { family: spec.family().name, engine, found: OnceCell::new() })
    }

    /// Tests whether another name means the same game.
    ///
    /// A name of another family does if random games run alike in both, with moves matched by their
    /// order: as many moves at each ply, and the same end. Any name does if both games have as many
    /// move sequences of each length, and solving finds the same for both. A turned board is
    /// detected by the latter, if the game is small.
    pub(super) fn is_also(&self, name: &str) -> bool {
        let Some(other) = Named::open(name) else { return false };
        let (one, other) = (self, other);
        let engines = [one.engine.as_ref(), other.engine.as_ref()];
        // Random games of two variants of one family may never reach the point where the variants
        // differ.
        (one.family != other.family && (0..GAMES as u64).all(|seed| plays_alike(engines, seed)))
            || (begin_alike(engines) && one.found().is_some() && one.found() == other.found())
    }

    fn found(&self) -> Found {
        *self.found.get_or_init(|| found_by_solving(self.engine.as_ref()))
    }
}

/// Tests whether a random game runs alike in both games.
fn plays_alike([one, other]: [&dyn Engine; 2], seed: u64) -> bool {
    let mut random = Random::new(seed);
    let (mut one, mut other) = (one.start(), other.start());
    loop {
        if one.turn() != other.turn() || one.ended() != other.ended() {
            return false;
        }
        if one.ended().is_some() {
            return true;
        }
        let moves = one.move_count();
        if moves == 0 || moves != other.move_count() {
            return false;
        }
        let number = MoveNumber::try_from(random.below(moves as usize)).unwrap_or_default();
        one.play(number);
        other.play(number);
    }
}

/// Tests whether both games have as many move sequences of each length.
fn begin_alike([one, other]: [&dyn Engine; 2]) -> bool {
    // For most games the first counts differ, and they cost little.
    for depth in 1..=DEPTH_MAX {
        let counts =
            |engine: &dyn Engine| engine.perft(&engine.start(), depth, &()).unwrap_or_default();
        let found = counts(one);
        if found != counts(other) {
            return false;
        }
        let (first, last) = (found.first().copied(), found.last().copied());
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        if last.saturating_mul(first) > SEQUENCES_MAX {
            break;
        }
    }
    true
}

fn found_by_solving(engine: &dyn Engine) -> Found {
    let options = Options {
        memory_bytes_max: Some(MEMORY_BYTES_MAX),
        positions_max: Some(POSITIONS_MAX),
        ..Options::default()
    };
    let solved = engine.rules().solve(&engine.code(&engine.start()), options, &());
    let Ok(AnySolved::Done(solution)) = solved else { return None };
    let digest = solution.digest(None, &())?;
    let report = solution.report(engine.info().canonical_name.clone(), digest, None);
    let counts = [report.positions, report.win, report.lose];
    Some((report.start.value, report.start.remoteness, counts))
}

#[cfg(test)]
mod tests {
    use super::Named;

    fn is_same_game(one: &str, other: &str) -> bool {
        Named::open(one).unwrap().is_also(other)
    }

    #[test]
    fn a_game_is_known_under_another_name() {
        let same = [
            ("tic_tac_toe", "mnk(rows=3,cols=3,k=3)"),
            ("mnk(rows=3,cols=4,k=3)", "mnk(rows=4,cols=3,k=3)"),
            ("mnk(rows=3,cols=3,k=4)", "mnk(rows=3,cols=3,k=5)"),
        ];
        for (one, other) in same {
            assert!(is_same_game(one, other), "{one} and {other}");
        }
        let different = [
            ("tic_tac_toe", "mnk(rows=3,cols=3,k=3,misere=true)"),
            ("tic_tac_toe", "wild_tic_tac_toe"),
            ("connect_four", "connect_four(k=5)"),
            ("mnk(rows=3,cols=3,k=3)", "mnk(rows=3,cols=3,k=3,dirs=diagonal)"),
            ("othello", "othello(size=6)"),
            ("mnk(rows=15,cols=15,k=9)", "mnk(rows=15,cols=15,k=10)"),
            ("othello", "no_game"),
        ];
        for (one, other) in different {
            assert!(!is_same_game(one, other), "{one} and {other}");
        }
    }
}
