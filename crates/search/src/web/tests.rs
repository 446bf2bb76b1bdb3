mod keep;

use std::collections::HashMap;

use proptest::prelude::*;
use rand_core::Rng;
use treegauge_core::{Capabilities, Game, Keyed, Outcome, Played, Plies, Symmetric, Symmetries};
use treegauge_games::achi::Achi;
use treegauge_games::alquerque::Alquerque;
use treegauge_games::breakthrough::{self, Breakthrough};
use treegauge_games::connect_four::{self, ConnectFour};
use treegauge_games::dots_and_boxes::{self, DotsAndBoxes};
use treegauge_games::dots_corridor::DotsCorridor;
use treegauge_games::one_to_ten::OneToTen;
use treegauge_games::othello::Othello;
use treegauge_games::tic_tac_toe::{self, TicTacToe};

use super::*;
use crate::shape::{Shape, ShapeOptions};
use crate::{Budget, Expansion, NodeId, Seed, Stopped, Tree, Uct};

const CAP: Plies = Plies(1_000);

/// Textbook web: positions in a map, every quantity computed when it is used. It uses the same
/// random numbers in the same order, so its counts must be the same.
struct Book<'g, G: Keyed> {
    game: &'g G,
    symmetries: Option<Symmetries<G>>,
    options: (Merge, BackUp, MoveCounts),
    cp: f64,
    nodes: Vec<BookNode<G>>,
    by_key: HashMap<(G::Key, u32), usize>,
}

struct BookNode<G: Keyed> {
    state: G::State,
    visits: u32,
    score: i32,
    moves: Vec<G::Move>,
    edges: Vec<BookEdge>,
}

#[derive(Clone, Copy)]
struct BookEdge {
    to: usize,
    visits: u32,
    score: i32,
}

impl<'g, G: Keyed> Book<'g, G> {
    fn node_of(&mut self, state: &G::State, plies: u32) -> (usize, bool) {
        let key = (self.game.key(state), if G::CYCLIC { plies } else { 0 });
        if self.options.0 != Merge::None
            && let Some(&known) = self.by_key.get(&key)
        {
            return (known, false);
        }
        let mut moves = Vec::new();
        if self.game.outcome(state).is_none() {
            self.game.moves_into(state, &mut moves);
        }
        self.nodes.push(BookNode {
            state: state.clone(),
            visits: 0,
            score: 0,
            moves,
            edges: vec![],
        });
        self.by_key.insert(key, self.nodes.len() - 1);
        (self.nodes.len() - 1, true)
    }

    fn iteration(&mut self, mut played: Played<G>, rng: &mut impl Rng) {
        if self.nodes.is_empty() {
            self.node_of(&played.state().clone(), 0);
        }
        let mut path = vec![0];
        let mut edges = vec![];
        let mut is_new = self.nodes[0].visits == 0;
        loop {
            let at = path[path.len() - 1];
            if is_new || played.ended(self.game).is_some() {
                break;
            }
            let tried = self.nodes[at].edges.len();
            let all = self.nodes[at].moves.len();
            let n = if tried < all { tried } else { self.best(at, self.game.turn(played.state())) };
            played.play(self.game, self.nodes[at].moves[n]);
            if self.options.0 == Merge::Symmetric
                && let Some(symmetries) = self.symmetries
            {
                let image = (symmetries.canonical)(self.game, played.state());
                played.replace(image);
            }
            let to = if tried < all {
                let (to, new) = self.node_of(&played.state().clone(), path.len() as u32);
                is_new = new;
                self.nodes[at].edges.push(BookEdge { to, visits: 0, score: 0 });
                to
            } else {
                self.nodes[at].edges[n].to
            };
            edges.push((at, n));
            path.push(to);
        }
        let outcome = match played.ended(self.game) {
            Some(ended) => ended.outcome,
            None => {
                let limits = played.playout_limits(self.game);
                self.game.playout(&mut played.state().clone(), limits, rng).outcome
            }
        };
        let last = path[path.len() - 1];
        let updated = match self.options.1 {
            BackUp::Single => path,
            BackUp::All => (0..self.nodes.len()).filter(|&n| self.reaches(n, last)).collect(),
        };
        for n in updated {
            self.nodes[n].visits += 1;
            self.nodes[n].score += outcome.value();
        }
        for (at, n) in edges {
            self.nodes[at].edges[n].visits += 1;
            self.nodes[at].edges[n].score += outcome.value();
        }
    }

    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![from];
        while let Some(n) = open.pop() {
            if !std::mem::replace(&mut reached[n], true) {
                open.extend(self.nodes[n].edges.iter().map(|edge| edge.to));
            }
        }
        reached[to]
    }

    fn best(&self, at: usize, turn: treegauge_core::Player) -> usize {
        let t = f64::from(self.nodes[at].visits + 1);
        let bound = |edge: &BookEdge| {
            let (visits, score) = match self.options.2 {
                MoveCounts::Node => (self.nodes[edge.to].visits, self.nodes[edge.to].score),
                MoveCounts::Edge => (edge.visits, edge.score),
            };
            let n = f64::from(visits);
            let q = (f64::from(turn.sign() * score) / n + 1.0) / 2.0;
            q + self.cp * (2.0 * t.ln() / n).sqrt()
        };
        let edges = &self.nodes[at].edges;
        let mut best = 0;
        for n in 1..edges.len() {
            // Candidates that differ only by rounding count as equal: the first one is kept.
            if bound(&edges[n]) > bound(&edges[best]) + 1e-12 {
                best = n;
            }
        }
        best
    }
}

fn mirrored<G: Symmetric>() -> Option<Symmetries<G>> {
    Capabilities::none().symmetric().symmetries
}

/// Calls a generic check with a small game of each kind and its symmetries.
macro_rules! with_each_game {
    ($check:ident, $($argument:expr),*) => {
        $check(&TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, CAP), mirrored(), $($argument),*);
        $check(&ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP), mirrored(), $($argument),*);
        $check(&Othello::<4>::new(false, CAP), mirrored(), $($argument),*);
        $check(&Breakthrough::new(breakthrough::Sized::<u64>::new(4, 5), CAP), mirrored(), $($argument),*);
        $check(&DotsAndBoxes::new(dots_and_boxes::Sized::<u64>::new(2, 2), CAP), mirrored(), $($argument),*);
        $check(&DotsCorridor::new(5, CAP), None, $($argument),*);
        $check(&OneToTen::new(10, 2, false, CAP), None, $($argument),*);
        // Games that can cycle, and that end by their history inside the web.
        $check(&Achi::new(3, 3, treegauge_games::achi::Adjacency::Lines, CAP), mirrored(), $($argument),*);
        $check(&Alquerque::new(Plies(4), Plies(9)), mirrored(), $($argument),*);
        // The cap ends games inside the web.
        $check(&ConnectFour::new(connect_four::Fixed::<7, 6, 4>, Plies(3)), mirrored(), $($argument),*);
    };
}
use with_each_game;

fn uct_of<G: Keyed>(
    iterations: u32,
    symmetries: Option<Symmetries<G>>,
    (merge, back_up, counts): (Merge, BackUp, MoveCounts),
) -> UctWeb<G> {
    UctWeb::new(Budget::iterations(iterations), merge)
        .with_symmetries(symmetries)
        .with_counts(back_up, counts)
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

/// Moves, visits and results below a node of a tree, as text.
fn of_tree<M: Copy + std::fmt::Debug>(tree: &Tree<M>, id: NodeId) -> String {
    let node = tree.node(id);
    let below: Vec<String> = tree
        .child_ids(id)
        .map(|child| format!("{:?} {}", tree.node(child).last_move(), of_tree(tree, child)))
        .collect();
    format!("({} {} {below:?})", node.visits(), node.score())
}

/// Moves, visits and results below a node of a web without transpositions, as text.
fn of_web<G: Keyed>(web: &Web<G>, id: WebNodeId) -> String {
    let node = web.node(id);
    let below: Vec<String> = web
        .edges(id)
        .iter()
        .map(|edge| format!("{:?} {}", edge.played(), of_web(web, edge.to())))
        .collect();
    format!("({} {} {below:?})", node.visits(), node.score())
}

fn a_web_of_lines_is_a_tree<G: Keyed>(
    game: &G,
    _: Option<Symmetries<G>>,
    iterations: u32,
    plies: usize,
    expansion: Expansion,
    seed: u64,
) {
    let played = after_random_plies(game, plies, seed);
    let mut tree = Uct::new(Budget::iterations(iterations)).with_expansion(expansion);
    let tree = tree.search(game, &played, &mut Seed(seed).generator());
    for counts in [MoveCounts::Node, MoveCounts::Edge] {
        let web = UctWeb::new(Budget::iterations(iterations), Merge::None);
        let mut web = web.with_expansion(expansion).with_counts(BackUp::Single, counts);
        let web = web.search(game, &played, &mut Seed(seed).generator());
        assert_eq!(tree.tree().root().is_none(), web.web().root().is_none());
        if web.web().root().is_some() {
            let found = of_web(web.web(), WebNodeId::ROOT);
            assert_eq!(found, of_tree(tree.tree(), NodeId::ROOT));
        }
        assert_eq!(web.best_move(), tree.best_move());
        // A node where the game ended by its history has moves in a web, and none in a tree.
        if !G::CYCLIC && game.ply_cap() == CAP {
            let options = ShapeOptions::default();
            let of_tree = Shape::of(tree.tree(), tree.turn(), tree.drift(), options);
            assert_eq!(Shape::of_web(web.web(), web.turn(), web.drift(), options), of_tree);
        }
    }
}

fn counts_as_the_book<G: Keyed>(
    game: &G,
    symmetries: Option<Symmetries<G>>,
    iterations: u32,
    plies: usize,
    options: (Merge, BackUp, MoveCounts),
    seed: u64,
) {
    if G::CYCLIC && options.0 == Merge::Symmetric {
        return;
    }
    let played = after_random_plies(game, plies, seed);
    let mut uct = uct_of(iterations, symmetries, options);
    let found = uct.search(game, &played, &mut Seed(seed).generator());
    if played.ended(game).is_some() {
        assert!(found.web().root().is_none());
        return;
    }
    let (nodes, by_key) = (Vec::new(), HashMap::new());
    let mut book = Book { game, symmetries, options, cp: found.cp(), nodes, by_key };
    let mut rng = Seed(seed).generator();
    for _ in 0..iterations {
        book.iteration(played.clone(), &mut rng);
    }
    is_that_of(found.web(), &book);
}

fn is_that_of<G: Keyed>(web: &Web<G>, book: &Book<'_, G>) {
    assert_eq!(web.node_count() as usize, book.nodes.len());
    for (n, expected) in book.nodes.iter().enumerate() {
        let id = WebNodeId(n as u32);
        let node = web.node(id);
        assert_eq!((node.visits(), node.score()), (expected.visits, expected.score), "node {n}");
        assert_eq!(node.legal_moves() as usize, expected.moves.len());
        assert_eq!(web.key(id), book.game.key(&expected.state));
        assert_eq!(web.edges(id).len(), expected.edges.len());
        for (k, (edge, expected)) in web.edges(id).iter().zip(&expected.edges).enumerate() {
            assert_eq!(edge.to().0 as usize, expected.to);
            assert_eq!(edge.played(), book.nodes[n].moves[k]);
            if book.options.2 == MoveCounts::Edge {
                let of_edge = web.counts_of(id, k);
                assert_eq!((of_edge.visits, of_edge.score), (expected.visits, expected.score));
            }
        }
    }
}

/// Checks the invariants of every web.
fn keeps_the_invariants<G: Keyed>(
    game: &G,
    symmetries: Option<Symmetries<G>>,
    iterations: u32,
    plies: usize,
    options: (Merge, BackUp, MoveCounts),
    seed: u64,
) {
    let played = after_random_plies(game, plies, seed);
    let mut uct = uct_of(iterations, symmetries, options).with_solver(seed.is_multiple_of(2));
    let found = uct.search(game, &played, &mut Seed(seed).generator());
    let web = found.web();
    let Some(root) = web.root() else { return };
    assert_eq!(root.visits(), found.iterations());
    assert!(web.node_count() <= iterations);
    is_well_made(web, game, symmetries, options.0);
}

fn is_well_made<G: Keyed>(web: &Web<G>, game: &G, symmetries: Option<Symmetries<G>>, merge: Merge) {
    let mut plies_of = vec![u32::MAX; web.node_count() as usize];
    let mut level = vec![WebNodeId::ROOT];
    plies_of[0] = 0;
    for plies in 1.. {
        let mut next = Vec::new();
        for id in level {
            for edge in web.edges(id) {
                if plies_of[edge.to().0 as usize] == u32::MAX {
                    plies_of[edge.to().0 as usize] = plies;
                    next.push(edge.to());
                }
            }
        }
        level = next;
        if level.is_empty() {
            break;
        }
    }
    assert!(plies_of.iter().all(|&plies| plies < u32::MAX), "every node can be reached");
    let mut known = HashMap::new();
    for n in 0..web.node_count() {
        let id = WebNodeId(n);
        let node = web.node(id);
        assert!(node.visits() >= 1 && node.score().unsigned_abs() <= node.visits());
        assert!(web.edges(id).len() <= node.legal_moves() as usize);
        let state = game.unkey(web.key(id));
        assert_eq!(game.turn(&state), node.turn());
        let place = (web.key(id), if G::CYCLIC { plies_of[n as usize] } else { 0 });
        let is_first = known.insert(place, n).is_none();
        assert!(is_first || merge == Merge::None, "equal positions are one node");
        let canonical = |state: &G::State| match symmetries {
            Some(symmetries) if merge == Merge::Symmetric => (symmetries.canonical)(game, state),
            _ => state.clone(),
        };
        if n > 0 {
            assert_eq!(game.key(&canonical(&state)), web.key(id));
        }
        for edge in web.edges(id) {
            let mut after = state.clone();
            game.play(&mut after, edge.played());
            assert_eq!(game.key(&canonical(&after)), web.key(edge.to()), "edges are moves");
            if G::CYCLIC {
                assert_eq!(plies_of[edge.to().0 as usize], plies_of[n as usize] + 1);
            }
        }
    }
    // No cycle: a walk from every node ends.
    let mut state = vec![0u8; web.node_count() as usize];
    let mut open = vec![(WebNodeId::ROOT, 0)];
    while let Some((id, n)) = open.pop() {
        state[id.0 as usize] = 1;
        match web.edges(id).get(n) {
            None => state[id.0 as usize] = 2,
            Some(edge) => {
                assert_ne!(state[edge.to().0 as usize], 1, "a cycle");
                open.push((id, n + 1));
                if state[edge.to().0 as usize] == 0 {
                    open.push((edge.to(), 0));
                }
            }
        }
    }
}

fn ways() -> impl Strategy<Value = (Merge, BackUp, MoveCounts)> {
    let merge = prop::sample::select(vec![Merge::None, Merge::Equal, Merge::Symmetric]);
    let counted = prop::sample::select(vec![
        (BackUp::Single, MoveCounts::Node),
        (BackUp::All, MoveCounts::Node),
        (BackUp::Single, MoveCounts::Edge),
    ]);
    (merge, counted).prop_map(|(merge, (back_up, counts))| (merge, back_up, counts))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn without_merging_it_is_the_tree(
        iterations in 1u32..1_500, plies in 0usize..8, is_random: bool, seed: u64
    ) {
        let expansion = if is_random { Expansion::Random } else { Expansion::Order };
        with_each_game!(a_web_of_lines_is_a_tree, iterations, plies, expansion, seed);
    }

    #[test]
    fn the_web_is_that_of_the_book(
        iterations in 1u32..400, plies in 0usize..8, ways in ways(), seed: u64
    ) {
        with_each_game!(counts_as_the_book, iterations, plies, ways, seed);
    }

    #[test]
    fn the_invariants_hold(
        iterations in 1u32..2_000, plies in 0usize..8, ways in ways(), seed: u64
    ) {
        with_each_game!(keeps_the_invariants, iterations, plies, ways, seed);
    }
}

/// Exact value of every position, by the definition. For games whose positions cannot come back.
fn value_of<G: Keyed>(game: &G, state: &G::State, known: &mut HashMap<G::Key, Outcome>) -> Outcome {
    if let Some(outcome) = game.outcome(state) {
        return outcome;
    }
    if let Some(&outcome) = known.get(&game.key(state)) {
        return outcome;
    }
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    let turn = game.turn(state);
    let mut values = moves.into_iter().map(|m| {
        let mut after = state.clone();
        game.play(&mut after, m);
        value_of(game, &after, known)
    });
    let first = values.next().unwrap();
    let best =
        values.fold(
            first,
            |best, one| if one.value_for(turn) > best.value_for(turn) { one } else { best },
        );
    known.insert(game.key(state), best);
    best
}

fn proofs_are_true<G: Keyed>(game: &G, symmetries: Option<Symmetries<G>>, must_decide: bool) {
    let mut known = HashMap::new();
    for (seed, merge) in [Merge::None, Merge::Equal, Merge::Symmetric].into_iter().enumerate() {
        for plies in [0, 2, 5] {
            let played = after_random_plies(game, plies, seed as u64);
            if played.ended(game).is_some() {
                continue;
            }
            let uct = UctWeb::new(Budget::iterations(60_000), merge).with_symmetries(symmetries);
            let mut uct = uct.with_solver(true);
            let found = uct.search(game, &played, &mut Seed(seed as u64).generator());
            let web = found.web();
            let mut proofs = 0;
            for n in 0..web.node_count() {
                let id = WebNodeId(n);
                if let Some(proof) = web.node(id).proof() {
                    let state = game.unkey(web.key(id));
                    assert_eq!(proof, value_of(game, &state, &mut known), "node {n}");
                    proofs += 1;
                }
            }
            assert!(proofs > 0 || merge == Merge::None);
            let root = web.root().unwrap().proof();
            assert_eq!(root.is_some(), found.stopped() == Stopped::Decided);
            assert!(!must_decide || merge == Merge::None || root.is_some(), "it is decided");
            if let Some(proof) = root {
                let mut after = played.state().clone();
                game.play(&mut after, found.best_move().unwrap());
                assert_eq!(value_of(game, &after, &mut known), proof, "the move keeps the value");
                let mut line = played.state().clone();
                for m in found.proved_line(game, played.state()) {
                    assert!(game.is_legal(&line, m));
                    game.play(&mut line, m);
                    assert!(proof == Outcome::Draw || value_of(game, &line, &mut known) == proof);
                }
                assert_eq!(game.outcome(&line), Some(proof), "the line goes to the end");
            }
        }
    }
}

#[test]
fn what_is_proved_is_so() {
    proofs_are_true(&TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, CAP), mirrored(), true);
    proofs_are_true(
        &ConnectFour::new(connect_four::Sized::<u64>::new(4, 4, 4), CAP),
        mirrored(),
        false,
    );
    proofs_are_true(&Othello::<4>::new(false, CAP), mirrored(), true);
    proofs_are_true(
        &Breakthrough::new(breakthrough::Sized::<u64>::new(3, 5), CAP),
        mirrored(),
        false,
    );
    proofs_are_true(
        &DotsAndBoxes::new(dots_and_boxes::Sized::<u64>::new(2, 2), CAP),
        mirrored(),
        true,
    );
    proofs_are_true(&DotsCorridor::new(8, CAP), None, true);
    proofs_are_true(&OneToTen::new(10, 2, false, CAP), None, true);
}

/// Known counts of lines and positions by level, from other sources.
#[test]
fn levels_have_the_known_numbers_of_positions() {
    let game = TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, CAP);
    let symmetries = mirrored();
    let levels = |merge, depth| level_counts(&game, &game.start(), merge, symmetries, depth);
    assert_eq!(levels(Merge::None, 6), [1, 9, 72, 504, 3_024, 15_120, 54_720]);
    assert_eq!(levels(Merge::Equal, 99), [1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78]);
    assert_eq!(levels(Merge::Symmetric, 99), [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
    let corridors: [&[u64]; 8] = [
        &[1, 1],
        &[1, 2, 2],
        &[1, 3, 5, 3],
        &[1, 4, 9, 12, 5],
        &[1, 5, 14, 27, 29, 11],
        &[1, 6, 20, 49, 82, 70, 23],
        &[1, 7, 27, 79, 172, 238, 173, 53],
        &[1, 8, 35, 118, 308, 563, 657, 430, 123],
    ];
    for (n, counts) in corridors.into_iter().enumerate() {
        let game = DotsCorridor::new(n as u32 + 1, CAP);
        assert_eq!(level_counts(&game, &game.start(), Merge::Equal, None, 99), counts);
    }
    let long = DotsCorridor::new(24, CAP);
    let classic = level_counts(&long, &long.start(), Merge::None, None, 4);
    assert_eq!(classic, [1, 24, 552, 12_144, 255_024]);
}

#[test]
fn limits_end_a_search_with_a_whole_web() {
    let game = ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP);
    let start = Played::start(&game);
    let nodes = Budget { nodes_max: 100, ..Budget::iterations(5_000) };
    let bytes = Budget { memory_bytes_max: 9_000, ..Budget::iterations(5_000) };
    for (budget, stopped) in [(nodes, Stopped::Nodes), (bytes, Stopped::Memory)] {
        // A larger search before must not change where the limit applies.
        for warm in [false, true] {
            let mut uct = UctWeb::new(budget, Merge::Equal);
            if warm {
                uct.budget = Budget::iterations(3_000);
                uct.search(&game, &start, &mut Seed(2).generator());
                uct.budget = budget;
            }
            let found = uct.search(&game, &start, &mut Seed(1).generator());
            assert_eq!(found.stopped(), stopped);
            assert!(found.web().node_count() <= budget.nodes_max);
            assert!(found.web().memory_bytes() <= budget.memory_bytes_max);
            assert!(found.web().node_count() >= 90, "the limit is used");
            let visits: Vec<u32> = found.web().nodes.iter().map(WebNode::visits).collect();
            let mut shorter = UctWeb::new(Budget::iterations(found.iterations()), Merge::Equal);
            let expected = shorter.search(&game, &start, &mut Seed(1).generator());
            let expected: Vec<u32> = expected.web().nodes.iter().map(WebNode::visits).collect();
            assert_eq!(visits, expected);
        }
    }
}

#[test]
fn a_node_takes_the_memory_that_is_written_down() {
    assert_eq!(size_of::<WebNode>(), 20);
    assert_eq!((size_of::<Edge<u8>>(), size_of::<Edge<u16>>()), (8, 8));
    let game = ConnectFour::new(connect_four::Fixed::<7, 6, 4>, CAP);
    let mut uct = UctWeb::new(Budget::iterations(100_000), Merge::Equal);
    let found = uct.search(&game, &Played::start(&game), &mut Seed(1).generator());
    let bytes = found.web().memory_bytes() as f64 / f64::from(found.web().node_count());
    assert!(bytes <= 56.0, "{bytes} bytes a node");
}
