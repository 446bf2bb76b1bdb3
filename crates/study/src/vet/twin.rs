//! One game under two names.

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

/// Whether two names of games mean the same game. It is if random games go alike in both, where each move
/// is the same one in the order of the moves: as many moves at each ply, and the same end. It is too if as
/// many move sequences begin both, and a solve finds the same of both; a reflected board is found by that,
/// where the game is small.
pub(super) fn is_same_game(one: &str, other: &str) -> bool {
    let open = |name: &str| treegauge_engine::open(&GameSpec::parse(name).ok()?).ok();
    let (Some(one), Some(other)) = (open(one), open(other)) else { return false };
    (0..GAMES as u64).all(|seed| plays_alike(one.as_ref(), other.as_ref(), seed))
        || is_solved_alike(one.as_ref(), other.as_ref())
}

/// Whether a random game goes alike in both games.
fn plays_alike(one: &dyn Engine, other: &dyn Engine, seed: u64) -> bool {
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

/// Whether as many move sequences begin both games, and a solve finds the same of both.
fn is_solved_alike(one: &dyn Engine, other: &dyn Engine) -> bool {
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
    let (one, other) = (found_by_solving(one), found_by_solving(other));
    one.is_some() && one == other
}

/// What a solve finds of a game: value and plies of the start, and how many positions have each value;
/// nothing where there are too many.
fn found_by_solving(engine: &dyn Engine) -> Option<(Value, Option<u16>, [u64; 3])> {
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
    use super::is_same_game;

    #[test]
    fn a_game_is_known_under_another_name() {
        let same = [
            ("tic_tac_toe", "mnk(rows=3,cols=3,k=3)"),
            ("mnk(rows=3,cols=4,k=3)", "mnk(rows=4,cols=3,k=3)"),
            ("othello", "reversi"),
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
            ("othello", "no_game"),
        ];
        for (one, other) in different {
            assert!(!is_same_game(one, other), "{one} and {other}");
        }
    }
}
