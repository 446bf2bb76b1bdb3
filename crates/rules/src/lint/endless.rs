//! Search for a position that comes back, in games with few positions.

use std::collections::HashMap;
use std::sync::Arc;

use treegauge_core::{Game, Notation, Plies};

use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::state::BoardWord;
use crate::tree::Program;

/// Whether a game can go on for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endless {
    /// A position can come back.
    Yes,
    /// No position can come back.
    No,
    /// There were too many positions, or the search was stopped.
    Unknown,
}

/// Searches all positions for one that comes back, but at most `positions_max` of them. `go_on` is
/// called now and then and stops the search by returning `false`.
pub(crate) fn endless(
    program: &Arc<Program>,
    positions_max: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Endless {
    visit(program, Plies(1_000), Search { positions_max, go_on })
}

struct Search<'a> {
    positions_max: usize,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl RulesVisitor for Search<'_> {
    type Output = Endless;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Endless {
        // A position is on the line to the current one while its flag is set.
        let mut known: HashMap<String, bool> = HashMap::new();
        let moves_of = |state: &_| {
            let mut moves = Vec::new();
            if game.outcome(state).is_none() {
                game.moves_into(state, &mut moves);
            }
            moves
        };
        let start = game.start();
        let mut line = vec![(game.position_text(&start), start, moves_of(&start))];
        known.insert(line[0].0.clone(), true);
        while let Some((text, state, moves)) = line.last_mut() {
            let Some(m) = moves.pop() else {
                known.insert(std::mem::take(text), false);
                line.pop();
                continue;
            };
            let mut next = *state;
            game.play(&mut next, m);
            let text = game.position_text(&next);
            match known.get(&text) {
                Some(true) => return Endless::Yes,
                Some(false) => continue,
                None => {}
            }
            let is_spent = known.len() >= self.positions_max;
            if is_spent || known.len().is_multiple_of(256) && !(self.go_on)() {
                return Endless::Unknown;
            }
            known.insert(text.clone(), true);
            line.push((text, next, moves_of(&next)));
        }
        Endless::No
    }
}
