//! Counts of move sequences, the usual test of a move generator.

use crate::{Game, Keyed, Watch};

/// Number of moves listed or counted between two checks of a watch: some milliseconds of work.
const WATCHED_MOVES: u64 = 1 << 14;

/// Counts the move sequences of exactly 1, 2, ..., `depth` plies from `state`. A sequence that ends
/// the game early does not count at greater depths.
///
/// [`Game::move_count`] counts the last ply, so its moves are never played. Two sequences to the
/// same position count twice. Counts saturate at `u64::MAX`.
#[must_use]
pub fn perft<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<u64> {
    perft_watched(game, state, depth, &()).expect("the watch `()` never stops")
}

/// Same as [`perft`]; `None` if `watch` requests a stop.
pub fn perft_watched<G: Game>(
    game: &G,
    state: &G::State,
    depth: usize,
    watch: &dyn Watch,
) -> Option<Vec<u64>> {
    let mut counts = vec![0u64; depth];
    // One list of moves per ply, so that counting allocates no other.
    let mut lists = vec![Vec::new(); depth];
    let mut watched = Watched { watch, moves: WATCHED_MOVES };
    count(game, state, &mut counts, &mut lists, &mut watched)?;
    Some(counts)
}

/// A watch and the number of moves since its last check.
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

/// Counts the distinct positions after exactly 1, 2, ..., `depth` plies from `state`: the nodes of the
/// level of a search in which equal positions are one node, where [`perft`] counts those of a tree.
/// Finished games have no successors. History is ignored.
///
/// The list ends before the first ply that needs more than `bytes_max` bytes, if there is a limit. `None` if `watch`
/// requests a stop.
pub fn positions_by_ply<G: Keyed>(
    game: &G,
    state: &G::State,
    depth: usize,
    bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Option<Vec<u64>> {
    // Keys that are collected before those that are there twice are dropped.
    const COLLECTED: usize = 1 << 16;
    let each = size_of::<G::Key>().max(1) as u64;
    let keys_max = bytes_max.map_or(usize::MAX, |bytes| (bytes / each) as usize);
    let mut watched = Watched { watch, moves: WATCHED_MOVES };
    let (mut counts, mut moves) = (Vec::new(), Vec::new());
    let mut level = vec![game.key(state)];
    for _ in 0..depth {
        let (mut next, mut distinct) = (Vec::new(), 0);
        for &key in &level {
            let state = game.unkey(key);
            if game.outcome(&state).is_some() {
                continue;
            }
            game.moves_into(&state, &mut moves);
            watched.look(moves.len() as u64)?;
            for &m in &moves {
                let mut child = state.clone();
                game.play(&mut child, m);
                next.push(game.key(&child));
            }
            if next.len() > 2 * distinct + COLLECTED {
                sort_distinct(&mut next);
                distinct = next.len();
                // A vector that grows needs three times its length.
                if level.len() + 3 * distinct > keys_max {
                    return Some(counts);
                }
            }
        }
        sort_distinct(&mut next);
        counts.push(next.len() as u64);
        level = next;
    }
    Some(counts)
}

fn sort_distinct<K: Ord>(keys: &mut Vec<K>) {
    keys.sort_unstable();
    keys.dedup();
}

/// Counts, for each legal move of `state`, the sequences of exactly `depth` plies that begin with
/// it, in move order. Their sum is the last count of [`perft`].
///
/// Empty when the game is over or `depth` is 0.
#[must_use]
pub fn perft_divide<G: Game>(game: &G, state: &G::State, depth: usize) -> Vec<(G::Move, u64)> {
    perft_divide_watched(game, state, depth, &()).expect("the watch `()` never stops")
}

/// Same as [`perft_divide`]; `None` if `watch` requests a stop.
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
