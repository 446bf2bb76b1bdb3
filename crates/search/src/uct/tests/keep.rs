//! Tests of trees that are kept when the game goes on.

use rand_core::Rng;

use super::*;

/// Copy of a tree as text, with the moves that lead to its nodes.
fn copied<M: Copy + std::fmt::Debug>(tree: &Tree<M>, id: NodeId) -> String {
    let node = tree.node(id);
    let below = tree
        .child_ids(id)
        .map(|child| format!("{:?}: {}", tree.node(child).last_move(), copied(tree, child)));
    let below: Vec<String> = below.collect();
    format!("#{} {} {} {below:?}", node.visits(), node.score(), node.legal_moves())
}

/// Node after some moves; `None` if it is not in the tree.
fn after<M: Copy + PartialEq>(tree: &Tree<M>, moves: &[M]) -> Option<NodeId> {
    moves.iter().try_fold(NodeId::ROOT, |id, m| {
        tree.child_ids(id).find(|&child| tree.node(child).last_move() == *m)
    })
}

fn with_moves<M: Copy + std::fmt::Debug>(book: &Nested, tree: &Tree<M>) {
    let found = Nested::of(tree, NodeId::ROOT);
    assert_eq!(format!("{found:?}"), format!("{book:?}"));
}

/// Plays one or two plies between searches. The textbook version continues from the linked node.
fn goes_on_as_the_book<G: Game>(game: &G, iterations: u32, plies: usize, seed: u64) {
    let mut played = after_random_plies(game, plies, seed);
    let mut choice = Seed(seed).child(1).generator();
    let (mut rng, mut rng_of_book) = (Seed(seed).generator(), Seed(seed).generator());
    let mut uct = Uct::new(Budget::iterations(iterations));
    let mut book = Book { game, cp: DEFAULT_CP, root: 0, nodes: vec![Book::node(game, &played)] };
    while played.ended(game).is_none() && played.ply() < Plies(plies as u32 + 12) {
        let before = book.nodes[book.root].visits;
        let search = uct.search(game, &played, &mut rng);
        for _ in 0..iterations {
            book.iteration(played.clone(), &mut rng_of_book);
        }
        assert_eq!(search.iterations(), iterations);
        assert_eq!(search.tree().root().unwrap().visits(), before + iterations);
        with_moves(&book.nested(book.root), search.tree());

        let mut moves = Vec::new();
        for _ in 0..1 + choice.next_u32() % 2 {
            if played.ended(game).is_some() {
                break;
            }
            // Half of the time it plays the best move, whose part of the tree is large.
            let best = search
                .best_move()
                .filter(|_| moves.is_empty() && choice.next_u32().is_multiple_of(2));
            let m = best.unwrap_or_else(|| game.random_move(played.state(), &mut choice).unwrap());
            let node = &book.nodes[book.root];
            let number = node.moves.iter().position(|one| *one == m).unwrap();
            match node.children.get(number) {
                Some(&child) => book.root = child,
                // Below an untried move nothing is kept.
                None => {
                    let mut at = played.clone();
                    at.play(game, m);
                    book.nodes.push(Book::node(game, &at));
                    book.root = book.nodes.len() - 1;
                }
            }
            played.play(game, m);
            moves.push(m);
        }
        let there = after(search.tree(), &moves);
        let expected = there.map(|id| copied(search.tree(), id));
        let bytes = search.tree().memory_bytes();
        assert_eq!(uct.keep_after(&moves), there.is_some());
        let Some(expected) = expected else { continue };
        let tree = uct.last().tree();
        assert_eq!(copied(tree, NodeId::ROOT), expected, "the part below is kept as it is");
        let count = expected.matches('#').count();
        assert_eq!(tree.node_count() as usize, count);
        let (slot, bounds) = (size_of::<Node<G::Move>>() as u64, 16 * count as u64);
        assert!(tree.memory_bytes() <= bytes);
        assert!(tree.memory_bytes() <= (1 + count as u64 * 3 / 2) * slot + bounds, "{count} nodes");
    }
}

/// Statistics of the root's moves.
fn statistics<M: Copy + std::fmt::Debug>(search: &Search<'_, Tree<M>>) -> (String, Option<u32>) {
    let moves = search.tree().root().map(|_| search.tree().children(NodeId::ROOT));
    let row = |child: &Node<M>| (child.last_move(), child.visits(), child.score());
    let rows: Vec<_> = moves.unwrap_or_default().iter().map(row).collect();
    (format!("{rows:?}"), search.best_move_number())
}

fn no_more_iterations_change_nothing<G: Game>(
    game: &G,
    iterations: u32,
    plies: usize,
    expansion: Expansion,
    seed: u64,
) {
    let played = after_random_plies(game, plies, seed);
    let mut uct = Uct::new(Budget::iterations(iterations)).with_expansion(expansion);
    let mut rng = Seed(seed).generator();
    let before = statistics(&uct.search(game, &played, &mut rng));
    uct.budget = Budget::iterations(0);
    assert_eq!(uct.keep_after(&[]), played.ended(game).is_none());
    assert_eq!(statistics(&uct.search(game, &played, &mut rng)), before);
    // A search begins anew unless the caller asks to keep the tree.
    assert!(uct.search(game, &played, &mut rng).tree().root().is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_tree_that_is_kept_is_that_of_the_book(
        iterations in 1u32..400, plies in 0usize..6, seed: u64
    ) {
        with_each_game!(goes_on_as_the_book, iterations, plies, seed);
    }

    #[test]
    fn a_kept_tree_without_more_iterations_has_the_same_moves(
        iterations in 1u32..600, plies in 0usize..6, is_random: bool, seed: u64
    ) {
        let expansion = if is_random { Expansion::Random } else { Expansion::Order };
        with_each_game!(no_more_iterations_change_nothing, iterations, plies, expansion, seed);
    }
}

#[test]
fn the_limits_hold_for_what_is_kept_and_what_is_added_together() {
    let game = ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP);
    // Each limit has room for the first search.
    let whole = Budget::iterations(99);
    let mut uct = Uct::new(whole);
    let first = uct.search(&game, &Played::start(&game), &mut Seed(1).generator());
    let nodes = Budget { nodes_max: first.tree().node_count() + 1, ..whole };
    let bytes = Budget { memory_bytes_max: first.tree().memory_bytes() + 300, ..whole };
    for (budget, stopped) in [(nodes, Stopped::Nodes), (bytes, Stopped::Memory)] {
        let (mut uct, mut rng) = (Uct::new(budget), Seed(1).generator());
        let mut played = Played::start(&game);
        let mut found = Vec::new();
        while played.ended(&game).is_none() && found.len() < 12 {
            let search = uct.search(&game, &played, &mut rng);
            assert!(search.tree().node_count() <= budget.nodes_max);
            assert!(search.tree().memory_bytes() <= budget.memory_bytes_max);
            found.push(search.stopped());
            let m = search.best_move().unwrap();
            played.play(&game, m);
            assert!(uct.keep_after(&[m]));
        }
        assert!(found.contains(&stopped) && found.contains(&Stopped::Iterations), "{found:?}");
    }
}

#[test]
fn scores_stay_within_their_bits() {
    let game = OneToTen::new(10, 2, false, CAP);
    let start = Played::start(&game);
    let mut uct = Uct::new(Budget::iterations(20));
    uct.search(&game, &start, &mut Seed(1).generator());
    uct.budget = Budget::iterations(Budget::ITERATIONS_MAX);
    uct.keep_after(&[]);
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked == 2
    };
    let rng = &mut Seed(1).generator();
    let search = uct.search_observed(&game, &start, rng, None, &mut stop);
    assert_eq!((search.stopped(), search.iterations()), (Stopped::Caller, 511));
    assert_eq!(search.tree().root().unwrap().visits(), 531);
}
