mod keep;

use proptest::prelude::*;
use treegauge_core::{Outcome, Plies};
use treegauge_games::achi::{Achi, Adjacency};
use treegauge_games::alquerque::Alquerque;
use treegauge_games::breakthrough::{self, Breakthrough};
use treegauge_games::connect_four::{self, ConnectFour};
use treegauge_games::dots_and_boxes::{self, DotsAndBoxes};
use treegauge_games::dots_corridor::DotsCorridor;
use treegauge_games::one_to_ten::OneToTen;
use treegauge_games::othello::Othello;
use treegauge_games::tic_tac_toe::{self, TicTacToe};

use super::*;
use crate::Seed;
use crate::tree::Node;
use crate::tree::by_hand::Nested;

const CAP: Plies = Plies(1_000);

/// Textbook UCT: linked nodes, rewards in [0, 1], every quantity computed when it is used. It uses
/// the same random numbers in the same order, so its tree must be the same.
struct Book<'g, G: Game> {
    game: &'g G,
    cp: f64,
    root: usize,
    nodes: Vec<BookNode<G::Move>>,
}

struct BookNode<M> {
    visits: u32,
    /// Sum of results for the first player.
    score: i32,
    moves: Vec<M>,
    children: Vec<usize>,
}

impl<'g, G: Game> Book<'g, G> {
    fn node(game: &G, played: &Played<G>) -> BookNode<G::Move> {
        let mut moves = Vec::new();
        if played.ended(game).is_none() {
            game.moves_into(played.state(), &mut moves);
        }
        BookNode { visits: 0, score: 0, moves, children: Vec::new() }
    }

    fn search(game: &'g G, root: &Played<G>, cp: f64, iterations: u32, rng: &mut impl Rng) -> Self {
        let mut book = Book { game, cp, root: 0, nodes: vec![Self::node(game, root)] };
        for _ in 0..iterations {
            book.iteration(root.clone(), rng);
        }
        book
    }

    fn iteration(&mut self, mut played: Played<G>, rng: &mut impl Rng) {
        let mut path = vec![self.root];
        loop {
            let at = *path.last().unwrap();
            self.nodes[at].visits += 1;
            let first_visit = self.nodes[at].visits == 1;
            if first_visit || self.nodes[at].moves.is_empty() {
                break;
            }
            let tried = self.nodes[at].children.len();
            let next = if tried < self.nodes[at].moves.len() {
                let m = self.nodes[at].moves[tried];
                let mut after = played.clone();
                after.play(self.game, m);
                self.nodes.push(Self::node(self.game, &after));
                let new = self.nodes.len() - 1;
                self.nodes[at].children.push(new);
                tried
            } else {
                self.best(at, self.game.turn(played.state()))
            };
            played.play(self.game, self.nodes[at].moves[next]);
            path.push(self.nodes[at].children[next]);
        }
        let outcome = match played.ended(self.game) {
            Some(ended) => ended.outcome,
            None => {
                let limits = played.playout_limits(self.game);
                self.game.playout(&mut played.state().clone(), limits, rng).outcome
            }
        };
        for at in path {
            self.nodes[at].score += outcome.value();
        }
    }

    fn best(&self, at: usize, turn: Player) -> usize {
        let t = f64::from(self.nodes[at].visits);
        let bound = |child: &BookNode<G::Move>| {
            let n = f64::from(child.visits);
            let q = (f64::from(turn.sign() * child.score) / n + 1.0) / 2.0;
            q + self.cp * (2.0 * t.ln() / n).sqrt()
        };
        let children = &self.nodes[at].children;
        let mut best = 0;
        for n in 1..children.len() {
            // Candidates that differ only by rounding count as equal: the first one is kept.
            if bound(&self.nodes[children[n]]) > bound(&self.nodes[children[best]]) + 1e-12 {
                best = n;
            }
        }
        best
    }

    fn nested(&self, at: usize) -> Nested {
        let node = &self.nodes[at];
        let children = node.children.iter().map(|&child| self.nested(child)).collect();
        Nested::new(node.visits, node.score, node.moves.len() as u32, children)
    }
}

/// Calls a generic check with a small game of each kind.
macro_rules! with_each_game {
    ($check:ident, $($argument:expr),*) => {
        $check(&TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, CAP), $($argument),*);
        $check(&ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP), $($argument),*);
        $check(&Othello::<4>::new(false, CAP), $($argument),*);
        $check(&Breakthrough::new(breakthrough::Sized::<u64>::new(4, 5), CAP), $($argument),*);
        $check(&DotsAndBoxes::new(dots_and_boxes::Sized::<u64>::new(2, 2), CAP), $($argument),*);
        $check(&DotsCorridor::new(5, CAP), $($argument),*);
        $check(&OneToTen::new(10, 2, false, CAP), $($argument),*);
        // Enough moves to be compared block by block.
        $check(&TicTacToe::new(tic_tac_toe::Sized::<u64>::new(5, 4, false), CAP), $($argument),*);
        // Games that can cycle, and that end by their history inside the tree.
        $check(&Achi::new(3, 3, Adjacency::Lines, CAP), $($argument),*);
        $check(&Alquerque::new(Plies(4), Plies(9)), $($argument),*);
        // The cap ends games inside the tree.
        $check(&ConnectFour::new(connect_four::Fixed::<7, 6, 4>, Plies(3)), $($argument),*);
    };
}
use with_each_game;

fn same_as_the_book<G: Game>(game: &G, iterations: u32, plies: usize, cp: f64, seed: u64) {
    let played = after_random_plies(game, plies, seed);
    let mut uct = Uct::new(Budget::iterations(iterations)).with_cp(cp);
    let search = uct.search(game, &played, &mut Seed(seed).generator());
    if played.ended(game).is_some() {
        assert!(search.tree().root().is_none());
        return;
    }
    let book = Book::search(game, &played, cp, iterations, &mut Seed(seed).generator());
    let (found, expected) = (Nested::of(search.tree(), NodeId::ROOT), book.nested(0));
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}

fn after_random_plies<G: Game>(game: &G, plies: usize, seed: u64) -> Played<G> {
    let mut rng = Seed(seed).child(7).generator();
    let mut played = Played::start(game);
    for _ in 0..plies {
        if played.ended(game).is_none() {
            let m = game.random_move(played.state(), &mut rng).unwrap();
            played.play(game, m);
        }
    }
    played
}

fn keeps_the_invariants<G: Game>(game: &G, iterations: u32, plies: usize, cp: f64, seed: u64) {
    let played = after_random_plies(game, plies, seed);
    let mut uct = Uct::new(Budget::iterations(iterations)).with_cp(cp);
    let search = uct.search(game, &played, &mut Seed(seed).generator());
    let Some(root) = search.tree().root() else {
        assert!(played.ended(game).is_some());
        return;
    };
    assert_eq!((root.visits(), search.iterations()), (iterations, iterations));
    let nested = Nested::of(search.tree(), NodeId::ROOT);
    let (mut nodes, mut revisits) = (0, 0);
    let mut open = vec![&nested];
    while let Some(node) = open.pop() {
        nodes += 1;
        assert!(node.visits >= 1 && node.score.unsigned_abs() <= node.visits);
        let children = node.visits.saturating_sub(1).min(node.legal_moves);
        assert_eq!(node.children.len() as u32, children);
        if node.legal_moves == 0 {
            revisits += node.visits - 1;
            assert_eq!(node.score, node.score.signum() * node.visits as i32);
        } else {
            let visits: u32 = node.children.iter().map(|child| child.visits).sum();
            assert_eq!(visits, node.visits - 1, "the first visit is the node's own playout");
            let score: i32 = node.children.iter().map(|child| child.score).sum();
            assert!((node.score - score).abs() <= 1, "the node's own playout is one result");
        }
        open.extend(&node.children);
    }
    assert_eq!(nodes, search.tree().node_count());
    // The last iteration may have left a gap.
    let last_block = 3 * u64::from(root.legal_moves().max(3));
    let (bytes, slot) = (search.tree().memory_bytes(), size_of::<Node<G::Move>>() as u64);
    let most = u64::from(nodes) * (2 * slot + 16) + last_block * slot;
    assert!(bytes <= most, "{bytes} bytes for {nodes} nodes");
    assert_eq!(nodes + revisits, iterations, "each iteration adds a node or revisits an end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_tree_is_that_of_the_book(
        iterations in 1u32..600, plies in 0usize..8, cp in 0.0..2.0f64, seed: u64
    ) {
        with_each_game!(same_as_the_book, iterations, plies, cp, seed);
    }

    #[test]
    fn the_invariants_hold(
        iterations in 1u32..2_000, plies in 0usize..8, cp in 0.0..2.0f64, seed: u64
    ) {
        with_each_game!(keeps_the_invariants, iterations, plies, cp, seed);
    }
}

#[test]
fn a_search_that_is_used_again_forgets_the_last_one() {
    let game = ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP);
    let played = after_random_plies(&game, 9, 3);
    let mut uct = Uct::new(Budget::iterations(700));
    let fresh =
        Nested::of(uct.search(&game, &played, &mut Seed(5).generator()).tree(), NodeId::ROOT);
    uct.search(&game, &Played::start(&game), &mut Seed(6).generator());
    let again =
        Nested::of(uct.search(&game, &played, &mut Seed(5).generator()).tree(), NodeId::ROOT);
    assert_eq!(format!("{fresh:?}"), format!("{again:?}"));
}

#[test]
fn limits_end_a_search_with_a_whole_tree() {
    let game = ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP);
    let start = Played::start(&game);
    let nodes = Budget { nodes_max: 100, ..Budget::iterations(5_000) };
    let bytes = Budget { memory_bytes_max: 4_096, ..Budget::iterations(5_000) };
    for (budget, stopped) in [(nodes, Stopped::Nodes), (bytes, Stopped::Memory)] {
        let mut uct = Uct::new(budget);
        let search = uct.search(&game, &start, &mut Seed(1).generator());
        assert_eq!(search.stopped(), stopped);
        assert!(search.tree().node_count() <= budget.nodes_max);
        assert!(search.tree().memory_bytes() <= budget.memory_bytes_max);
        assert!(search.tree().node_count() >= 90, "the limit is used");
        // A refused iteration leaves no trace: the tree is that of a shorter search.
        let iterations = search.iterations();
        let found = Nested::of(search.tree(), NodeId::ROOT);
        let mut shorter = Uct::new(Budget::iterations(iterations));
        let expected = shorter.search(&game, &start, &mut Seed(1).generator());
        assert_eq!(
            format!("{found:?}"),
            format!("{:?}", Nested::of(expected.tree(), NodeId::ROOT))
        );
    }
}

#[test]
fn the_caller_can_stop_a_search() {
    let game = ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP);
    let mut asked = 0;
    let mut uct = Uct::new(Budget::iterations(100_000));
    let mut stop = || {
        asked += 1;
        asked == 3
    };
    let search = uct.search_observed(
        &game,
        &Played::start(&game),
        &mut Seed(1).generator(),
        None,
        &mut stop,
    );
    assert_eq!((search.stopped(), search.iterations()), (Stopped::Caller, 767));
}

#[test]
fn two_in_a_row_is_won_with_the_second_stone() {
    let game = TicTacToe::new(tic_tac_toe::Sized::<u64>::new(3, 2, false), CAP);
    for seed in 0..20 {
        let mut rng = Seed(seed).generator();
        let mut uct = Uct::new(Budget::iterations(500));
        let mut played = Played::start(&game);
        while played.ended(&game).is_none() {
            let m = uct.search(&game, &played, &mut rng).best_move().unwrap();
            played.play(&game, m);
        }
        assert_eq!(played.ply(), Plies(3));
        assert_eq!(played.ended(&game).unwrap().outcome, Outcome::FirstWins);
    }
}

#[test]
fn the_shortest_corridor_is_won() {
    let game = DotsCorridor::new(1, CAP);
    let mut uct = Uct::new(Budget::iterations(10));
    let search = uct.search(&game, &Played::start(&game), &mut Seed(1).generator());
    let best = search.tree().node(search.best_child().unwrap());
    assert_eq!((best.mean(), best.legal_moves()), (1.0, 0));
}

#[test]
fn the_best_average_is_played_and_not_the_most_visited() {
    // Averages 1/2, 3/5 and 6/10: the second and third are equal, so the second is chosen.
    let child = |visits, score| Nested::new(visits, score, 0, vec![]);
    let nested = Nested::new(18, 10, 3, vec![child(2, 1), child(5, 3), child(10, 6)]);
    let tree = nested.tree();
    let best = |turn| best_by_mean(&tree, NodeId::ROOT, turn).map(|id| tree.node(id).visits());
    assert_eq!(best(Player::First), Some(5));
    assert_eq!(best(Player::Second), Some(2));
}

#[test]
fn random_expansion_tries_every_move_once_in_any_order() {
    let game = TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, CAP);
    let start = Played::start(&game);
    let mut firsts = [0u32; 9];
    let mut moves = Vec::new();
    game.moves_into(start.state(), &mut moves);
    for seed in 0..900 {
        let mut uct = Uct::new(Budget::iterations(40)).with_expansion(Expansion::Random);
        let search = uct.search(&game, &start, &mut Seed(seed).generator());
        let tree = search.tree();
        let tried: Vec<_> = tree.children(NodeId::ROOT).iter().map(Node::last_move).collect();
        let mut sorted = tried.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 9, "each move once");
        let place = moves.iter().position(|m| *m == tried[0]).unwrap();
        firsts[place] += 1;
        let sum: u32 = tree.children(NodeId::ROOT).iter().map(Node::visits).sum();
        assert_eq!((tree.root().unwrap().visits(), sum), (40, 39));
    }
    // 100 of each are expected; chi-squared with 8 degrees of freedom exceeds 26 once in 1,000.
    let squares: f64 = firsts.iter().map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
    assert!(squares < 26.0, "{firsts:?}");
}
