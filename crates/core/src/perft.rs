//! Counting sequences of moves, the field's test of a move generator.

use crate::{Game, Watch};

/// The moves that are listed or counted between two looks at a watch: some milliseconds.
const WATCHED_MOVES: u64 = 1 << 14;

/// For each depth from 1 to `depth`, the number of move sequences of exactly that many plies
/// from `state`; a game that ends earlier counts nothing later.
///
/// The last ply is counted by [`Game::move_count`] and never played. Sequences, not positions:
/// two moves to the same position count twice. Counts saturate at `u64::MAX`.
#[must_use]
pub fn perft<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<u64> {
    perft_watched(game, state, depth, &()).expect("nothing stops it")
}

/// [`perft`], or nothing when `watch` says stop.
pub fn perft_watched<G: Game>(
    game: &G,
    state: &G::State,
    depth: usize,
    watch: &dyn Watch,
) -> Option<Vec<u64>> {
    let mut counts = vec![0u64; depth];
    // One list of moves for each ply, so that nothing is allocated while counting.
    let mut lists = vec![Vec::new(); depth];
    let mut watched = Watched { watch, moves: WATCHED_MOVES };
    count(game, state, &mut counts, &mut lists, &mut watched)?;
    Some(counts)
}

/// A watch, and the moves since it was asked.
struct Watched<'a> {
    watch: &'a dyn Watch,
    moves: u64,
}

impl Watched<'_> {
    #[inline]
    fn look(&mut self, moves: u64) -> Option<()> {
        self.moves += moves;
        if self.moves < WATCHED_MOVES {
            return Some(());
        }
        self.moves = 0;
        (!self.watch.stop()).then_some(())
    }
}

fn count<G: Game>(
    game: &G,
    state: &G::State,
    counts: &mut [u64],
    lists: &mut [Vec<G::Move>],
    watched: &mut Watched<'_>,
) -> Option<()> {
    if game.outcome(state).is_some() {
        return Some(());
    }
    let Some((moves, lists)) = lists.split_first_mut() else { return Some(()) };
    let move_count = u64::from(game.move_count(state));
    counts[0] = counts[0].saturating_add(move_count);
    watched.look(move_count)?;
    if lists.is_empty() {
        return Some(());
    }
    game.moves_into(state, moves);
    for &m in moves.iter() {
        let mut child = state.clone();
        game.play(&mut child, m);
        count(game, &child, &mut counts[1..], lists, watched)?;
    }
    Some(())
}

/// For each legal move of `state`, the number of sequences of exactly `depth` plies that begin
/// with it, in move order: they add up to the last count of [`perft`].
///
/// Empty when the game is over or `depth` is 0.
#[must_use]
pub fn perft_divide<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<(G::Move, u64)> {
    perft_divide_watched(game, state, depth, &()).expect("nothing stops it")
}

/// [`perft_divide`], or nothing when `watch` says stop.
pub fn perft_divide_watched<G: Game>(
    game: &G,
    state: &G::State,
    depth: usize,
    watch: &dyn Watch,
) -> Option<Vec<(G::Move, u64)>> {
    if depth == 0 || game.outcome(state).is_some() {
        return Some(Vec::new());
    }
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    moves
        .into_iter()
        .map(|m| {
            let mut child = state.clone();
            game.play(&mut child, m);
            let counts = perft_watched(game, &child, depth - 1, watch)?;
            Some((m, counts.last().copied().unwrap_or(1)))
        })
        .collect()
}
