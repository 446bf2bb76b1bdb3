//! UCT searches of a game whose type is hidden.

use std::sync::Arc;

use treegauge_catalog::Entry;
use treegauge_core::{Keyed, Notation, Outcome, Player, uniform_below};
use treegauge_search::picture::{Outline, outline, outline_web};
use treegauge_search::{
    Expansion, Generator, NodeId, Observer, Shape, ShapeOptions, Stopped, Uct, UctWeb, WebNodeId,
};

use crate::line::{Line, MoveNumber};
use crate::typed::TypedLine;

/// A UCT search that keeps its memory, and the tree of its last search.
pub trait UctSearch: Send {
    /// Searches from the current position of a game. `stop` is asked every 256 iterations, and
    /// `true` ends the search.
    fn search(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound;

    /// The same, with an observer of the phases of every iteration.
    fn search_observed(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: &mut dyn Observer,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound;

    /// The moves of the root that the last search tried, in the order of expansion.
    fn moves(&self) -> Vec<TriedMove>;

    /// The numbers of these moves among the legal ones. `at` is the position that was searched.
    fn move_numbers(&self, at: &Line) -> Vec<MoveNumber>;

    /// The features of the last tree; `None` where no tree was grown.
    fn shape(&self, options: ShapeOptions) -> Option<Shape>;

    /// The last tree with moves as text. `at` is the position that was searched, `seed` the seed of
    /// the search, `game` the name of the game.
    fn outline(&self, at: &Line, game: &str, seed: u64) -> Outline;

    /// A line of play that keeps the proved result of the last search, from the position that was searched: the
    /// winner takes the shortest way to the end of the game that is proved, the loser the longest. Empty where nothing
    /// is proved.
    fn proved_line(&self, at: &Line) -> Vec<String> {
        let _ = at;
        Vec::new()
    }

    /// The nodes of the last tree.
    fn node_count(&self) -> u32;

    /// The bytes that the last tree takes.
    fn memory_bytes(&self) -> u64;
}

/// What a UCT search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctFound {
    /// The move to play: that with the best average. `None` before any move was tried.
    pub best: Option<MoveNumber>,
    /// The average result behind the move to play, or of the whole search while there is none,
    /// **for the first player**, -1 to 1.
    pub mean_for_first: f64,
    /// The iterations behind that average.
    pub visits: u32,
    /// The legal moves of the position; 0 where the game has ended.
    pub legal_moves: u32,
    /// The player to move.
    pub turn: Player,
    /// The iterations made.
    pub iterations: u32,
    /// Why the search ended.
    pub stopped: Stopped,
    /// The result of perfect play, where the search has a solver and proved it. Repetitions and limits of plies are
    /// no part of a proof.
    pub proved: Option<Outcome>,
}

impl UctFound {
    /// The move to play. With fewer than two iterations, when no move was tried, it is picked at
    /// random; `None` only where there is no move.
    pub fn choose(&self, rng: &mut Generator) -> Option<MoveNumber> {
        self.best.or_else(|| (self.legal_moves > 0).then(|| uniform_below(rng, self.legal_moves)))
    }

    /// The value expected of the move to play **for the player that makes it**, -1 to 1; `None`
    /// where no move was tried.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.best.map(|_| f64::from(self.turn.sign()) * self.mean_for_first)
    }
}

/// A move of the root that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriedMove {
    /// The iterations that went through it, 1 or more.
    pub visits: u32,
    /// The sum of their results (+1, 0, -1) **for the first player**.
    pub score_for_first: i32,
}

impl TriedMove {
    /// The average result for a player, -1 to 1.
    #[must_use]
    pub fn mean_for(self, player: Player) -> f64 {
        let mean = f64::from(self.score_for_first) / f64::from(self.visits);
        // Adding 0 makes a zero of a negative zero.
        f64::from(player.sign()) * mean + 0.0
    }
}

/// The search of one type of game.
pub(crate) struct TypedUct<G: Notation + Keyed> {
    pub(crate) entry: Arc<Entry<G>>,
    pub(crate) uct: Uct<G>,
}

impl<G: Notation + Keyed> UctSearch for TypedUct<G> {
    fn search(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound {
        self.run(at, rng, None, stop)
    }

    fn search_observed(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: &mut dyn Observer,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound {
        self.run(at, rng, Some(observer), stop)
    }

    fn moves(&self) -> Vec<TriedMove> {
        let last = self.uct.last();
        let tree = last.tree();
        // A search that made no iteration has no root either.
        let children = tree.root().map_or(&[][..], |_| tree.children(NodeId::ROOT));
        children
            .iter()
            .map(|child| TriedMove { visits: child.visits(), score_for_first: child.score() })
            .collect()
    }

    fn move_numbers(&self, at: &Line) -> Vec<MoveNumber> {
        let tree = self.uct.last().tree();
        let children = tree.root().map_or(&[][..], |_| tree.children(NodeId::ROOT));
        let tried = children.iter().map(|child| child.last_move());
        numbers_of(&self.entry.game, TypedLine::of(at, &self.entry).played.state(), tried)
    }

    fn shape(&self, options: ShapeOptions) -> Option<Shape> {
        let last = self.uct.last();
        Shape::of(last.tree(), last.turn(), last.drift(), options)
    }

    fn outline(&self, at: &Line, game: &str, seed: u64) -> Outline {
        let state = TypedLine::of(at, &self.entry).played.state();
        outline(&self.entry.game, game, seed, state, &self.uct.last())
    }

    fn node_count(&self) -> u32 {
        self.uct.last().tree().node_count()
    }

    fn memory_bytes(&self) -> u64 {
        self.uct.last().tree().memory_bytes()
    }
}

impl<G: Notation + Keyed> TypedUct<G> {
    fn run(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: Option<&mut dyn Observer>,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound {
        let game = &self.entry.game;
        let played = &TypedLine::of(at, &self.entry).played;
        let expansion = self.uct.expansion();
        let search = self.uct.search_observed(game, played, rng, observer, stop);
        let tree = search.tree();
        let best = search.best_move_number();
        let node = match best {
            Some(n) => tree.children(NodeId::ROOT).get(n as usize),
            None => tree.root(),
        };
        let number = best.zip(node).map(|(tried, node)| match expansion {
            Expansion::Order => tried,
            Expansion::Random => {
                let tried = std::iter::once(node.last_move());
                numbers_of(game, played.state(), tried)[0]
            }
        });
        UctFound {
            best: number,
            mean_for_first: node.map_or(0.0, |node| node.mean()),
            visits: node.map_or(0, |node| node.visits()),
            legal_moves: tree.root().map_or_else(|| at.move_count(), |root| root.legal_moves()),
            turn: search.turn(),
            iterations: search.iterations(),
            stopped: search.stopped(),
            proved: None,
        }
    }
}

/// The search on a web of one type of game.
pub(crate) struct TypedWeb<G: Notation + Keyed> {
    pub(crate) entry: Arc<Entry<G>>,
    pub(crate) web: UctWeb<G>,
}

impl<G: Notation + Keyed> UctSearch for TypedWeb<G> {
    fn search(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound {
        self.run(at, rng, None, stop)
    }

    fn search_observed(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: &mut dyn Observer,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound {
        self.run(at, rng, Some(observer), stop)
    }

    fn moves(&self) -> Vec<TriedMove> {
        let last = self.web.last();
        let count = last.web().root().map_or(0, |_| last.web().edges(WebNodeId::ROOT).len());
        let tried = |n| {
            let (visits, score_for_first) = last.counts_of(n);
            TriedMove { visits, score_for_first }
        };
        (0..count).map(tried).collect()
    }

    fn move_numbers(&self, at: &Line) -> Vec<MoveNumber> {
        let web = self.web.last().web();
        let edges = web.root().map_or(&[][..], |_| web.edges(WebNodeId::ROOT));
        let tried = edges.iter().map(|edge| edge.played());
        numbers_of(&self.entry.game, TypedLine::of(at, &self.entry).played.state(), tried)
    }

    fn shape(&self, options: ShapeOptions) -> Option<Shape> {
        let last = self.web.last();
        Shape::of_web(last.web(), last.turn(), last.drift(), options)
    }

    fn outline(&self, at: &Line, game: &str, seed: u64) -> Outline {
        let state = TypedLine::of(at, &self.entry).played.state();
        outline_web(&self.entry.game, game, seed, state, &self.web.last())
    }

    fn proved_line(&self, at: &Line) -> Vec<String> {
        let game = &self.entry.game;
        let mut state = TypedLine::of(at, &self.entry).played.state().clone();
        let line = self.web.last().proved_line(game, &state);
        let text = |m| {
            let text = game.move_text(&state, m);
            game.play(&mut state, m);
            text
        };
        line.into_iter().map(text).collect()
    }

    fn node_count(&self) -> u32 {
        self.web.last().web().node_count()
    }

    fn memory_bytes(&self) -> u64 {
        self.web.last().web().memory_bytes()
    }
}

impl<G: Notation + Keyed> TypedWeb<G> {
    fn run(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: Option<&mut dyn Observer>,
        stop: &mut dyn FnMut() -> bool,
    ) -> UctFound {
        let game = &self.entry.game;
        let played = &TypedLine::of(at, &self.entry).played;
        let found = self.web.search_observed(game, played, rng, observer, stop);
        let root = found.web().root();
        let best = found.best_move_number();
        let (mean_for_first, visits) = match best {
            Some(n) => {
                let (visits, score) = found.counts_of(n as usize);
                (f64::from(score) / f64::from(visits), visits)
            }
            None => (root.map_or(0.0, |root| root.mean()), root.map_or(0, |root| root.visits())),
        };
        UctFound {
            best: numbers_of(game, played.state(), found.best_move().into_iter()).first().copied(),
            mean_for_first,
            visits,
            legal_moves: root.map_or_else(|| at.move_count(), |root| root.legal_moves()),
            turn: found.turn(),
            iterations: found.iterations(),
            stopped: found.stopped(),
            proved: root.and_then(|root| root.proof()),
        }
    }
}

/// The numbers of legal moves.
fn numbers_of<G: Notation>(
    game: &G,
    state: &G::State,
    moves: impl Iterator<Item = G::Move>,
) -> Vec<MoveNumber> {
    let mut legal = Vec::new();
    game.moves_into(state, &mut legal);
    let number = |m| legal.iter().position(|&one| one == m).expect("the moves tried are legal");
    moves.map(|m| number(m) as MoveNumber).collect()
}
