//! One game under two names.

use std::cell::OnceCell;
use std::sync::Arc;

use treegauge_catalog::GameSpec;
use treegauge_engine::{Engine, MoveNumber};
use treegauge_learn::Random;
use treegauge_solve::{AnySolved, Options, Value};

/// Random games that two games must play alike, move by move.
const GAMES: usize = 32;

/// The most move sequences of one length that are counted before two games are solved.
const SEQUENCES_MAX: u64 = 2_000_000;

/// The length to which they are counted at most.
const DEPTH_MAX: usize = 12;

/// The most positions of games whose exact values are compared.
const POSITIONS_MAX: u64 = 300_000;

/// The most bytes for them.
const MEMORY_BYTES_MAX: u64 = 256 << 20;

/// What is found by solving a game: value and plies of the start, and how many positions there are, are won
/// and are lost for the player to move; nothing where there are too many.
type Found = Option<(Value, Option<u16>, [u64; 3])>;

/// A game that may have another name.
pub(super) struct Named {
    family: &'static str,
    engine: Arc<dyn Engine>,
    /// Found once, for it is asked for beside several games.
    found: OnceCell<Found>,
}

impl Named {
    /// The game of a name; nothing where there is none.
    pub(super) fn open(name: &str) -> Option<Named> {
        let spec = GameSpec::parse(name).ok()?;
        let engine = treegauge_engine::open(&spec).ok()?;
        Some(Named { family: spec.family().name, engine, found: OnceCell::new() })
    }

    /// Whether another name means the same game. A name of another family does if random games go alike in
    /// both, where each move is the same one in the order of the moves: as many moves at each ply, and the same
    /// end. Any name does if as many move sequences begin both, and a solve finds the same of both; a turned
    /// board is found by that, where the game is small.
    pub(super) fn is_also(&self, name: &str) -> bool {
        let Some(other) = Named::open(name) else { return false };
        let (one, other) = (self, other);
        let engines = [one.engine.as_ref(), other.engine.as_ref()];
        // Random games of two variants of one family may never come to where the variants differ.
        (one.family != other.family && (0..GAMES as u64).all(|seed| plays_alike(engines, seed)))
            || (begin_alike(engines) && one.found().is_some() && one.found() == other.found())
    }

    fn found(&self) -> Found {
        *self.found.get_or_init(|| found_by_solving(self.engine.as_ref()))
    }
}

/// Whether a random game goes alike in both games.
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

/// Whether as many move sequences of each length begin both games.
fn begin_alike([one, other]: [&dyn Engine; 2]) -> bool {
    // The first counts differ for most games, and cost little.
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
