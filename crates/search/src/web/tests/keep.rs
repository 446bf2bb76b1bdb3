//! Tests of webs that are kept when the game goes on.

use super::*;
use crate::Search;
use crate::web::search::own_move;

impl<G: Keyed> Book<'_, G> {
    /// Move of `state` that corresponds to the `k`-th move of its node.
    fn own(&self, at: usize, state: &G::State, k: usize) -> G::Move {
        let m = self.nodes[at].moves[k];
        match self.symmetries.filter(|_| at != 0 && self.options.0 == Merge::Symmetric) {
            Some(symmetries) => own_move(self.game, &symmetries, state, &self.nodes[at].state, m),
            None => m,
        }
    }

    /// Continues from `state`, the position after `moves`; forgets everything if it is not a node.
    fn follow(&mut self, moves: &[G::Move]) -> bool {
        let mut state = self.nodes[0].state.clone();
        let mut at = 0;
        for &m in moves {
            let edges = self.nodes[at].edges.len();
            let Some(k) = (0..edges).find(|&k| self.own(at, &state, k) == m) else {
                self.nodes.clear();
                self.by_key.clear();
                return false;
            };
            at = self.nodes[at].edges[k].to;
            self.game.play(&mut state, m);
        }
        if at == 0 {
            return true;
        }
        // The root shows the position itself: first its tried moves, then the others in their
        // order.
        let mut own: Vec<G::Move> =
            (0..self.nodes[at].edges.len()).map(|k| self.own(at, &state, k)).collect();
        let mut others = Vec::new();
        if self.game.outcome(&state).is_none() {
            self.game.moves_into(&state, &mut others);
        }
        others.retain(|m| !own.contains(m));
        own.extend(others);
        let others = (0..self.nodes.len()).filter(|&n| n != at && self.reaches(at, n));
        let kept: Vec<usize> = std::iter::once(at).chain(others).collect();
        let number = |n: usize| kept.iter().position(|&one| one == n);
        self.by_key = std::mem::take(&mut self.by_key)
            .into_iter()
            .filter_map(|((key, plies), n)| {
                let plies = if G::CYCLIC { plies.checked_sub(moves.len() as u32)? } else { 0 };
                let key = if n == at { self.game.key(&state) } else { key };
                Some(((key, plies), number(n)?))
            })
            .collect();
        self.nodes = kept
            .iter()
            .map(|&n| {
                let BookNode { state, visits, score, moves, edges } = &self.nodes[n];
                let edge = |edge: &BookEdge| BookEdge { to: number(edge.to).unwrap(), ..*edge };
                BookNode {
                    state: state.clone(),
                    visits: *visits,
                    score: *score,
                    moves: moves.clone(),
                    edges: edges.iter().map(edge).collect(),
                }
            })
            .collect();
        (self.nodes[0].state, self.nodes[0].moves) = (state, own);
        true
    }
}

/// Random moves that continue from a position; half of the time the first is the best one.
fn some_moves<G: Keyed>(
    game: &G,
    played: &mut Played<G>,
    best: Option<G::Move>,
    rng: &mut impl Rng,
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    for _ in 0..1 + rng.next_u32() % 2 {
        if played.ended(game).is_some() {
            break;
        }
        let best = best.filter(|_| moves.is_empty() && rng.next_u32().is_multiple_of(2));
        let m = best.unwrap_or_else(|| game.random_move(played.state(), rng).unwrap());
        played.play(game, m);
        moves.push(m);
    }
    moves
}

fn goes_on_as_the_book<G: Keyed>(
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
    let mut played = after_random_plies(game, plies, seed);
    let mut choice = Seed(seed).child(1).generator();
    let (mut rng, mut rng_of_book) = (Seed(seed).generator(), Seed(seed).generator());
    let mut uct = uct_of(iterations, symmetries, options);
    let (nodes, by_key) = (Vec::new(), HashMap::new());
    let cp = uct.last().cp();
    let mut book = Book { game, symmetries, options, cp, nodes, by_key };
    while played.ended(game).is_none() && played.ply() < Plies(plies as u32 + 10) {
        let found = uct.search(game, &played, &mut rng);
        for _ in 0..iterations {
            book.iteration(played.clone(), &mut rng_of_book);
        }
        assert_eq!(found.iterations(), iterations);
        is_that_of(found.web(), &book);
        let moves = some_moves(game, &mut played, found.best_move(), &mut choice);
        let is_kept = uct.keep_after(game, &moves);
        assert_eq!(book.follow(&moves), is_kept);
        if is_kept {
            is_that_of(uct.last().web(), &book);
        }
    }
}

/// Statistics of the root's moves, as text.
fn statistics<G: Keyed>(found: &Search<'_, Web<G>>) -> String {
    let edges = found.web().root().map_or(0, |_| found.web().edges(WebNodeId::ROOT).len());
    let rows: Vec<_> = (0..edges).map(|n| found.counts_of(n)).collect();
    format!("{rows:?} {:?}", found.best_move())
}

/// Checks kept webs of games that can cycle, merged up to symmetry too, with and without a solver.
fn stays_well_made<G: Keyed>(
    game: &G,
    symmetries: Option<Symmetries<G>>,
    iterations: u32,
    options: (Merge, BackUp, MoveCounts),
    expansion: Expansion,
    seed: u64,
) {
    let (mut played, mut rng) = (Played::start(game), Seed(seed).generator());
    let mut uct = uct_of(iterations, symmetries, options)
        .with_expansion(expansion)
        .with_solver(seed.is_multiple_of(2));
    while played.ended(game).is_none() && played.ply() < Plies(30) {
        let found = uct.search(game, &played, &mut rng);
        let web = found.web();
        assert_eq!(game.unkey(web.key(WebNodeId::ROOT)), *played.state());
        is_well_made(web, game, symmetries, options.0);
        let mut tried: Vec<_> = web.edges(WebNodeId::ROOT).iter().map(Edge::played).collect();
        assert!(tried.iter().all(|&m| game.is_legal(played.state(), m)));
        tried.sort_unstable();
        tried.dedup();
        assert_eq!(tried.len(), web.edges(WebNodeId::ROOT).len(), "each move is tried once");
        let before = statistics(&found);
        let best = found.best_move();

        let budget = std::mem::replace(&mut uct.budget, Budget::iterations(0));
        assert!(uct.keep_after(game, &[]));
        let again = statistics(&uct.search(game, &played, &mut rng));
        assert_eq!(again, before, "no more iterations change nothing");
        uct.budget = budget;
        assert!(uct.keep_after(game, &[]));

        let moves = some_moves(game, &mut played, best, &mut rng);
        let nodes = uct.last().web().node_count();
        let bytes = uct.last().web().memory_bytes();
        if uct.keep_after(game, &moves) {
            let web = uct.last().web();
            assert!(web.node_count() < nodes && web.memory_bytes() <= bytes);
            is_well_made(web, game, symmetries, options.0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_web_that_is_kept_is_that_of_the_book(
        iterations in 1u32..150, plies in 0usize..6, ways in ways(), seed: u64
    ) {
        with_each_game!(goes_on_as_the_book, iterations, plies, ways, seed);
    }

    #[test]
    fn the_invariants_hold_in_what_is_kept(
        iterations in 1u32..500, ways in ways(), is_random: bool, seed: u64
    ) {
        let expansion = if is_random { Expansion::Random } else { Expansion::Order };
        with_each_game!(stays_well_made, iterations, ways, expansion, seed);
    }
}

/// Plays a game to its end by searches of few iterations that keep their proofs.
#[test]
fn what_was_proved_is_kept_and_true() {
    let game = TicTacToe::new(tic_tac_toe::Fixed::<3, 3>, CAP);
    let mut known = HashMap::new();
    for (seed, merge) in [Merge::None, Merge::Equal, Merge::Symmetric].into_iter().enumerate() {
        let mut uct = UctWeb::new(Budget::iterations(400), merge)
            .with_symmetries(mirrored())
            .with_solver(true);
        let (mut played, mut rng) = (Played::start(&game), Seed(seed as u64).generator());
        let mut proved = Vec::new();
        while played.ended(&game).is_none() {
            let found = uct.search(&game, &played, &mut rng);
            let proof = found.web().root().unwrap().proof();
            assert_eq!(proof.is_some(), found.stopped() == Stopped::Decided);
            if let Some(proof) = proof {
                assert_eq!(proof, value_of(&game, played.state(), &mut known));
            }
            proved.push((proof.is_some(), found.iterations()));
            let m = found.best_move().unwrap();
            played.play(&game, m);
            assert!(uct.keep_after(&game, &[m]));
        }
        assert_eq!(played.ended(&game).unwrap().outcome, Outcome::Draw, "neither gives it away");
        assert!(
            proved.contains(&(true, 0)),
            "a root that was proved needs no iteration: {proved:?}"
        );
    }
}
