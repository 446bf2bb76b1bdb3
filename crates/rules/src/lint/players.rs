//! Whether the rules are the same for both players: positions of play are turned or mirrored with all
//! pieces exchanged, and must have as many moves that lead to the same results for the other player.

use treegauge_core::{Game, Outcome};

use crate::board::Site;
use crate::game::{MoveBits, Rules};
use crate::state::{BoardWord, State};
use crate::symmetry::{images, mapped};

/// The images of the board under which the game may be the other player's.
pub(super) struct Exchange {
    images: Vec<Vec<Site>>,
    /// Whether the board is of a kind that is looked at.
    is_asked: bool,
}

/// The number of moves from which on the results of children are not compared.
const MOVES_MAX: usize = 300;

impl Exchange {
    pub(super) fn of<W: BoardWord, M: MoveBits>(game: &Rules<W, M>) -> Exchange {
        let program = game.program();
        let board = &program.board;
        if board.is_pits() {
            return Exchange { images: Vec::new(), is_asked: false };
        }
        let mut all = vec![(0..board.len() as Site).collect::<Vec<Site>>()];
        if !matches!(board.shape, crate::board::Shape::Graph) {
            all.extend(images(board));
        }
        all.sort();
        all.dedup();
        Exchange { images: all, is_asked: true }
    }

    /// Forgets the images that a position of play shows to be wrong.
    pub(super) fn look<W: BoardWord, M: MoveBits>(&mut self, game: &Rules<W, M>, state: &State<W>) {
        // The first plies may be different on purpose: by `swap` and by `opening`.
        let begins = u32::from(state.rest.plies) < game.program().memory.plies;
        if self.images.is_empty() || begins || game.outcome(state).is_some() {
            return;
        }
        let here = results(game, state, false);
        self.images.retain(|image| {
            let other = exchanged(state, image);
            game.outcome(&other).is_none() && results(game, &other, true) == here
        });
    }

    /// Whether positions have shown that the rules are not the same for both.
    pub(super) fn differ(&self) -> bool {
        self.is_asked && self.images.is_empty()
    }
}

/// The results of all moves, in order; of the other player if `exchanged`.
fn results<W: BoardWord, M: MoveBits>(
    game: &Rules<W, M>,
    state: &State<W>,
    exchanged: bool,
) -> Vec<Option<i8>> {
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    if moves.len() > MOVES_MAX {
        return vec![None; moves.len()];
    }
    let sign = if exchanged { -1 } else { 1 };
    let mut found: Vec<Option<i8>> = moves
        .iter()
        .map(|&m| {
            let mut after = *state;
            game.play(&mut after, m);
            after.rest.result.map(|outcome: Outcome| sign * outcome.value() as i8)
        })
        .collect();
    found.sort_unstable();
    found
}

/// A position with the pieces of both players exchanged and the board turned.
fn exchanged<W: BoardWord>(state: &State<W>, image: &[Site]) -> State<W> {
    let map = |plane: W| mapped(plane, image);
    let mut other = *state;
    other.owners = other.owners.map(map);
    other.kinds = other.kinds.map(map);
    other.owners.swap(0, 1);
    let rest = &mut other.rest;
    rest.hands.swap(0, 1);
    rest.score.swap(0, 1);
    rest.last = rest.last.map(|site| match site {
        0 => 0,
        site => image[usize::from(site) - 1] + 1,
    });
    rest.last.swap(0, 1);
    rest.turn = rest.turn.other();
    other
}
