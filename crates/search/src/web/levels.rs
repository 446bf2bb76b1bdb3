//! Number of different positions at each level of a game.

use treegauge_core::{Keyed, Symmetries};

use super::{BackUp, Merge, MoveCounts, Web, WebNodeId};

/// Counts the nodes of a game's whole web at each distance from `start`, up to `depth` plies.
/// [`Merge::None`] counts the lines of play, [`Merge::Equal`] the different positions after lines
/// of that length, and [`Merge::Symmetric`] those that differ by more than a symmetry. The list is
/// shorter if all games end earlier.
///
/// Takes the memory of a web with this number of nodes.
///
/// ```
/// use treegauge_core::{Game, Plies};
/// use treegauge_games::tic_tac_toe::{Fixed, TicTacToe};
/// use treegauge_search::{Merge, level_counts};
///
/// let game = TicTacToe::new(Fixed::<3, 3>, Plies(1_000));
/// assert_eq!(level_counts(&game, &game.start(), Merge::Equal, None, 3), [1, 9, 72, 252]);
/// ```
#[must_use]
pub fn level_counts<G: Keyed>(
    game: &G,
    start: &G::State,
    merge: Merge,
    symmetries: Option<Symmetries<G>>,
    depth: u32,
) -> Vec<u64> {
    let symmetries = symmetries.filter(|_| merge == Merge::Symmetric);
    let image = |state: G::State| match symmetries {
        Some(symmetries) => (symmetries.canonical)(game, &state),
        None => state,
    };
    let mut counts = vec![1];
    let mut level = vec![image(start.clone())];
    let mut moves = Vec::new();
    for plies in 1..=depth {
        // Each level has its own web: positions are merged only within their level.
        let mut web = Web::<G>::new(MoveCounts::Node, BackUp::Single);
        let mut next = Vec::new();
        for state in level.iter().filter(|state| game.outcome(state).is_none()) {
            game.moves_into(state, &mut moves);
            for &m in &moves {
                let mut after = state.clone();
                game.play(&mut after, m);
                let after = image(after);
                let key = game.key(&after);
                if merge != Merge::None && web.find(key, plies).is_some() {
                    continue;
                }
                let turn = game.turn(&after);
                let _: WebNodeId = web.add_node(key, plies, 0, turn, None, merge != Merge::None);
                next.push(after);
            }
        }
        if next.is_empty() {
            break;
        }
        counts.push(next.len() as u64);
        level = next;
    }
    counts
}
