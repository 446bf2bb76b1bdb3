//! Lints of the first moves of a game: their existence, their number, and early wins.

use std::sync::Arc;

use treegauge_core::{Game, Outcome, Player, Plies};

use super::{Warning, walk};
use crate::error::Mistake;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::layout::MOVES_MAX;
use crate::state::{BoardWord, State};
use crate::tree::Program;

/// Largest number of first moves that gives no remark.
const FIRST_MOVES_MAX: usize = 1_000;
/// Largest number of positions examined for a win within three plies.
const POSITIONS_MAX: u32 = 1_000_000;

/// Reason why a program cannot be played: the game is over before it begins (W1), or every first
/// move ends it (W2).
pub(crate) fn unplayable(program: &Arc<Program>) -> Option<Mistake> {
    visit(program, Plies(1_000), Opening).map(|message| {
        let place = program.mover_places.first().map_or(program.game.place, |mover| mover.0);
        Mistake::new(place, message)
    })
}

struct Opening;

impl RulesVisitor for Opening {
    type Output = Option<String>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Option<String> {
        let start = game.start();
        if game.outcome(&start).is_some() {
            return Some("the first player has no legal first move".to_owned());
        }
        let ends = |m: M| {
            let mut after = start;
            game.play(&mut after, m);
            after.rest.result.is_some()
        };
        let mut moves = Vec::new();
        game.moves_into(&start, &mut moves);
        moves.iter().all(|&m| ends(m)).then(|| "every first move ends the game".to_owned())
    }
}

/// Warnings about the first moves.
pub(super) fn warnings(program: &Arc<Program>, go_on: &mut dyn FnMut() -> bool) -> Vec<Warning> {
    let first_moves = visit(program, Plies(1_000), FirstMoves);
    first_moves.into_iter().chain(forced_win(program, go_on)).collect()
}

/// Win of the first player within three plies (W12), even if the text allows the warning. `None`
/// also if `go_on`, which is called now and then, returns `false`.
pub(super) fn forced_win(
    program: &Arc<Program>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Warning> {
    visit(program, Plies(1_000), ForcedWin { go_on })
}

struct FirstMoves;

impl RulesVisitor for FirstMoves {
    type Output = Option<Warning>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Option<Warning> {
        let n = game.move_count(&game.start()) as usize;
        let place = walk::section(game.program(), "play").place;
        let least = if n >= MOVES_MAX { "at least " } else { "" };
        (n > FIRST_MOVES_MAX).then(|| {
            Warning::new(
                "W10",
                place,
                format!(
                    "there are {least}{n} first moves, which makes searches shallow: a smaller board or moves of \
                     fewer parts have fewer"
                ),
            )
        })
    }
}

struct ForcedWin<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
}

/// Remaining budget of positions.
struct Left<'a> {
    positions: u32,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Left<'_> {
    /// Counts a position. Returns whether another may be examined.
    fn take(&mut self) -> bool {
        /// Number of positions between two calls of `go_on`. A position may take a millisecond.
        const ASKED: u32 = 64;
        self.positions = self.positions.saturating_sub(1);
        if self.positions.is_multiple_of(ASKED) && !(self.go_on)() {
            self.positions = 0;
        }
        self.positions > 0
    }
}

impl RulesVisitor for ForcedWin<'_> {
    type Output = Option<Warning>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Option<Warning> {
        let start = game.start();
        let mut moves = Vec::new();
        game.moves_into(&start, &mut moves);
        // Three plies with this many moves each would exceed the budget of positions.
        if moves.len() > FIRST_MOVES_MAX {
            return None;
        }
        let mut left = Left { positions: POSITIONS_MAX, go_on: self.go_on };
        let m = *moves.iter().find(|&&m| wins_after(&game, &start, m, &mut left))?;
        let text = treegauge_core::Notation::move_text(&game, &start, m);
        let message = format!("the first player wins within three plies, beginning with {text}");
        Some(Warning::new("W12", walk::section(game.program(), "play").place, message))
    }
}

/// Tests whether a first move wins, or the first player can win at once after every reply. Returns
/// `false` if the budget of positions is used up.
fn wins_after<W: BoardWord, M: MoveBits>(
    game: &TextRules<W, M>,
    start: &State<W>,
    m: M,
    left: &mut Left<'_>,
) -> bool {
    if left.positions == 0 {
        return false;
    }
    let mut look = |state: &State<W>, m: M| {
        let mut after = *state;
        game.play(&mut after, m);
        (after, left.take())
    };
    let (after, _) = look(start, m);
    match game.outcome(&after) {
        Some(outcome) => return outcome == Outcome::FirstWins,
        // A player who moves again has not been answered yet. Random games cover that case.
        None if game.turn(&after) == Player::First => return false,
        None => {}
    }
    let (mut replies, mut wins) = (Vec::new(), Vec::new());
    game.moves_into(&after, &mut replies);
    replies.iter().all(|&reply| {
        let (answered, goes_on) = look(&after, reply);
        if !goes_on {
            return false;
        }
        match game.outcome(&answered) {
            Some(outcome) => return outcome == Outcome::FirstWins,
            None if game.turn(&answered) == Player::Second => return false,
            None => {}
        }
        game.moves_into(&answered, &mut wins);
        wins.iter().any(|&win| {
            let (won, goes_on) = look(&answered, win);
            goes_on && game.outcome(&won) == Some(Outcome::FirstWins)
        })
    })
}
