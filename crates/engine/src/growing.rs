//! Growing UCT search of one position.

use treegauge_core::Watch;
use treegauge_search::picture::Outline;
use treegauge_search::{Budget, Generator, Shape, ShapeOptions, UctOptions};

use crate::engine::Engine;
use crate::line::{Line, MoveNumber};
use crate::uct::{UctFound, UctSearch};
use crate::values::{PositionValues, SearchedMove};

/// UCT search of one position that can be grown, and inspected at any time.
///
/// Growing in steps gives the same tree as growing at once, for every variant.
///
/// ```
/// use treegauge_catalog::GameSpec;
/// use treegauge_engine::GrowingSearch;
/// use treegauge_search::{Budget, DEFAULT_CP, Seed, UctOptions};
///
/// let engine = treegauge_engine::open(&GameSpec::parse("connect_four").unwrap()).unwrap();
/// let options = UctOptions::new(Budget::iterations(0), DEFAULT_CP);
/// let rng = || Seed(1).generator();
/// let mut steps = GrowingSearch::new(&*engine, &engine.start(), options, rng());
/// steps.grow(600, &());
/// steps.grow(400, &());
/// let mut whole = GrowingSearch::new(&*engine, &engine.start(), options, rng());
/// whole.grow(1_000, &());
/// assert_eq!(steps.values(), whole.values());
/// // The middle column is tried most, and its replies are known too.
/// let moves = steps.children(&[]).unwrap();
/// let d = moves.iter().max_by_key(|m| m.visits).unwrap();
/// assert_eq!((d.text.as_str(), steps.children(&[d.m]).unwrap().len()), ("d", 7));
/// ```
pub struct GrowingSearch {
    at: Line,
    search: Box<dyn UctSearch>,
    rng: Generator,
    found: UctFound,
}

impl GrowingSearch {
    /// Creates a search without any iteration. Only the limits of nodes and bytes in the budget
    /// apply.
    ///
    /// # Panics
    ///
    /// When the line is one of another game, or as [`Engine::uct_with`].
    #[must_use]
    pub fn new(
        engine: &dyn Engine,
        at: &Line,
        options: UctOptions,
        mut rng: Generator,
    ) -> GrowingSearch {
        let budget = Budget { iterations_max: 0, ..options.budget };
        let mut search = engine.uct_with(UctOptions { budget, ..options });
        let found = search.search(at, &mut rng, &mut || false);
        GrowingSearch { at: at.clone(), search, rng, found }
    }

    /// Makes up to `iterations` more. Makes fewer if `watch`, which is called every 256 iterations,
    /// says stop, if the tree has no room, or if a solver has proved the result.
    pub fn grow(&mut self, iterations: u32, watch: &dyn Watch) -> UctFound {
        let GrowingSearch { at, search, rng, found } = self;
        *found = search.grow(at, iterations, rng, &mut || watch.stop());
        *found
    }

    /// Position that is searched.
    #[must_use]
    pub fn at(&self) -> &Line {
        &self.at
    }

    /// Result so far; its `iterations` is the total number made.
    #[must_use]
    pub fn found(&self) -> UctFound {
        self.found
    }

    /// Tried moves with intervals, the best first, and the expected line.
    #[must_use]
    pub fn values(&self) -> PositionValues {
        let line = if self.found.proved.is_some() {
            self.search.proved_line(&self.at)
        } else {
            self.at.line_texts(&self.principal_variation())
        };
        PositionValues::of_search(&self.found, self.children(&[]).unwrap_or_default(), line)
    }

    /// Line that the search expects: the move to play, then always the most visited move; if the
    /// result is proved, the line of the proof.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<MoveNumber> {
        self.search.principal_variation(&self.at)
    }

    /// Tried moves in the position after some moves, in the order of trying. `None` if the search
    /// did not reach that position. With several trees, the root has the sums of all trees, and
    /// other positions the statistics of the first tree.
    #[must_use]
    pub fn children(&self, path: &[MoveNumber]) -> Option<Vec<SearchedMove>> {
        let tried = self.search.tried_after(&self.at, path)?;
        let mut line = self.at.clone();
        path.iter().for_each(|&number| line.play(number));
        let (texts, turn) = (line.0.move_texts(), line.turn());
        let searched = |(m, tried)| SearchedMove::of(m, texts[m as usize].clone(), tried, turn);
        Some(tried.into_iter().map(searched).collect())
    }

    /// Features of the tree; `None` if no tree was grown.
    #[must_use]
    pub fn shape(&self, options: ShapeOptions) -> Option<Shape> {
        self.search.shape(options)
    }

    /// Whole tree with moves as text. `game` and `seed` become the name and the seed in the
    /// outline.
    #[must_use]
    pub fn outline(&self, game: &str, seed: u64) -> Outline {
        self.search.outline(&self.at, game, seed)
    }

    /// Number of nodes of the tree.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.search.node_count()
    }

    /// Number of bytes of the tree.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.search.memory_bytes()
    }
}
