//! Searches of one position.

use std::fmt;
use std::sync::Arc;

use treegauge_core::{Clock, Ended, Phase, Player, Progress, ReportHeader, Watch};
use treegauge_engine::{
    AlphaBetaAgent, AlphaBetaPlayer, CutLimits, CutTree, CutTreeError, Line, MoveNumber,
    PlayerSpec, Proved, ProvedSearch, TriedMove, UctFound, UctSearch,
};
use treegauge_report::{AlphaBetaSearchReport, ReachedBoard, SearchReport, SearchedMove};
use treegauge_search::picture::Outline;
use treegauge_search::{
    AlphaBetaOptions, Budget, DEFAULT_CP, Expansion, Generator, Observer, Seed, ShapeOptions,
    UctOptions, UctPhase, UctVariant,
};

use crate::{Error, ErrorKind, Game, ranges};

/// Options of a UCT search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Limits of the search.
    pub budget: Budget,
    /// Exploration constant C_p on rewards in \[0, 1\], 0 or more.
    pub cp: f64,
    /// Order in which the search tries the moves of a node.
    pub expansion: Expansion,
    /// Other differences between the search and that of Williams 2010.
    pub variant: UctVariant,
    /// Seed of the search.
    pub seed: u64,
    /// Choices that the definition of the tree features leaves open.
    pub shape: ShapeOptions,
}

impl Default for SearchOptions {
    /// 10,000 iterations, the default C_p, seed 1.
    fn default() -> Self {
        SearchOptions {
            budget: Budget::iterations(10_000),
            cp: DEFAULT_CP,
            expansion: Expansion::default(),
            variant: UctVariant::default(),
            seed: 1,
            shape: ShapeOptions::default(),
        }
    }
}

/// A UCT search with its tree, which can grow.
pub struct Searched {
    /// Result of the search.
    pub report: SearchReport,
    game: Game,
    at: Line,
    uct: Box<dyn UctSearch>,
    rng: Generator,
    options: SearchOptions,
}

impl fmt::Debug for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searched").field("report", &self.report).finish_non_exhaustive()
    }
}

impl Searched {
    /// Position that is searched.
    #[must_use]
    pub fn at(&self) -> &Line {
        &self.at
    }

    /// Game of the position.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Number of trees that grow in parallel.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.options.variant.threads
    }

    /// Makes up to `iterations` more, and updates the report. A search that grew in steps equals one
    /// that grew at once. `watch` is asked every 256 iterations.
    ///
    /// # Errors
    ///
    /// If the limits of the search allow no node.
    ///
    /// ```
    /// use treegauge::search::Budget;
    /// use treegauge::{Game, SearchOptions, search};
    ///
    /// let game = Game::parse("othello").unwrap();
    /// let of = |n| SearchOptions { budget: Budget::iterations(n), ..SearchOptions::default() };
    /// let mut grown = search(&game, &game.start(), &of(300), &()).unwrap();
    /// grown.grow(700, &()).unwrap();
    /// let whole = search(&game, &game.start(), &of(1_000), &()).unwrap();
    /// assert_eq!(grown.report, whole.report);
    /// ```
    pub fn grow(&mut self, iterations: u32, watch: &dyn Watch) -> Result<(), Error> {
        let Searched { report, game, at, uct, rng, options } = self;
        let found = uct.grow(at, iterations, rng, &mut || watch.stop());
        *report = report_of(game, at, options, &found, &**uct)?;
        Ok(())
    }

    /// Whole tree with moves as text. [`picture`](treegauge_search::picture) writes it as JSON, for
    /// GraphViz or as SVG.
    #[must_use]
    pub fn tree(&self) -> Outline {
        self.uct.outline(&self.at, &self.game.name(), self.report.seed)
    }
}

/// Observer that reports the iterations of a search to its watch.
struct Counter<'w> {
    done: u32,
    planned: u32,
    watch: &'w dyn Watch,
}

impl Observer for Counter<'_> {
    fn ended(&mut self, phase: UctPhase) {
        if phase != UctPhase::BackUp {
            return;
        }
        self.done += 1;
        if self.done.is_multiple_of(1 << 10) {
            let (done, planned) = (u64::from(self.done), u64::from(self.planned));
            self.watch.progress(Progress::new(Phase::Iterations, done, planned.max(done)));
        }
    }
}

/// Searches a position by UCT. The report has the moves with visits and values, and the features of
/// the tree. If `watch` says stop, the report is that of the shorter search, and says so.
///
/// # Errors
///
/// If the game is over there, the exploration constant is out of range, the budget does not allow
/// even one node, or the variant does not fit a single search.
pub fn search(
    game: &Game,
    at: &Line,
    options: &SearchOptions,
    watch: &dyn Watch,
) -> Result<Searched, Error> {
    goes_on(at)?;
    let &SearchOptions { budget, cp, expansion, variant, .. } = options;
    variant.check().map_err(|problem| Error::new(ErrorKind::Usage, problem))?;
    ranges::cp(cp)?;
    if variant.reuse {
        let message = "reuse=true keeps the tree for the next move, and a single search has none";
        return Err(Error::new(ErrorKind::Usage, message));
    }
    let mut uct = game.engine().uct_with(UctOptions { budget, cp, expansion, variant });
    let mut rng = Seed(options.seed).generator();
    let found = match variant.threads {
        // Trees that grow in parallel cannot be observed.
        2.. => uct.search(at, &mut rng, &mut || watch.stop()),
        _ => {
            let mut counter = Counter { done: 0, planned: budget.iterations_max, watch };
            uct.search_observed(at, &mut rng, &mut counter, &mut || watch.stop())
        }
    };
    let report = report_of(game, at, options, &found, &*uct)?;
    let (game, at, options) = (game.clone(), at.clone(), options.clone());
    Ok(Searched { report, game, at, uct, rng, options })
}

/// Report of a search that found this.
fn report_of(
    game: &Game,
    at: &Line,
    options: &SearchOptions,
    found: &UctFound,
    uct: &dyn UctSearch,
) -> Result<SearchReport, Error> {
    let &SearchOptions { expansion, variant, .. } = options;
    let features = uct
        .shape(options.shape)
        .ok_or_else(|| Error::new(ErrorKind::Usage, "the limits allow not even one node"))?;
    let tried = uct.moves();
    let names = at.moves();
    // A search in random order lists its moves in that order.
    let mut by_number = vec![None; names.len()];
    for (number, tried) in uct.move_numbers(at).into_iter().zip(tried) {
        by_number[number as usize] = Some(tried);
    }
    let searched = |(m, tried): (String, Option<TriedMove>)| SearchedMove {
        m,
        visits: tried.map_or(0, |tried| tried.visits),
        mean_score: tried.map(|tried| tried.mean_for(found.turn)),
        proved: tried
            .filter(|_| variant.solver)
            .and_then(|tried| tried.proved_for(found.turn))
            .map(Proved::of_sign),
    };
    Ok(SearchReport {
        head: ReportHeader::NEW,
        game: game.name(),
        position: at.position_text(),
        last_cells: ReachedBoard::current(at).marked_names(),
        iterations: found.iterations,
        seed: options.seed,
        cp: options.cp,
        expansion,
        variant,
        proved: ProvedSearch::of(game.info(), found, uct, at),
        turn: found.turn,
        nodes: uct.node_count(),
        memory_bytes: uct.memory_bytes(),
        stopped: found.stopped,
        best_move: found.best.map(|number| at.move_text(number)),
        wins_at_once: found.best.is_some_and(|number| wins_at_once(at, number, found.turn)),
        moves: names.into_iter().zip(by_number).map(searched).collect(),
        features,
        tree: None,
    })
}

/// Tests whether a legal move ends the game in a win for its player.
fn wins_at_once(at: &Line, number: MoveNumber, turn: Player) -> bool {
    let mut after = at.clone();
    after.play(number);
    after.ended().and_then(|ended| ended.outcome.winner()) == Some(turn)
}

/// Searches a position by alpha-beta, with the evaluator and the budget of a player
/// `alphabeta(...)`. The report has the value, the depth and the line of best play. `clock` is read
/// if the player has a time budget.
///
/// # Errors
///
/// If the player is of another kind, the game is over there, or the evaluator cannot be used.
pub fn search_alpha_beta(
    game: &Game,
    at: &Line,
    player: &PlayerSpec,
    clock: &Arc<dyn Clock>,
    watch: &dyn Watch,
) -> Result<AlphaBetaSearchReport, Error> {
    let Some(AlphaBetaPlayer { eval, budget }) = player.get() else {
        let message = format!("{player} does not search by alpha-beta");
        return Err(Error::new(ErrorKind::Usage, message));
    };
    goes_on(at)?;
    let search = game.engine().alpha_beta(AlphaBetaOptions::default(), eval)?;
    let mut agent = AlphaBetaAgent::new(search, *budget, clock.clone());
    let found = agent.search(at, watch)?;
    let decided = found.decided.map(Proved::of_sign);
    let end = found.plies_to_end().map(|plies| plies.0);
    let value = f64::from(found.value) / found.unit;
    Ok(AlphaBetaSearchReport {
        head: ReportHeader::NEW,
        game: game.name(),
        position: at.position_text(),
        last_cells: ReachedBoard::current(at).marked_names(),
        player: player.to_string(),
        turn: at.turn(),
        best_move: found.best.map(|number| at.move_text(number)).unwrap_or_default(),
        value: (decided.is_none() && end.is_none()).then_some(value),
        decided,
        plies_to_end: end,
        depth: found.depth,
        nodes: found.nodes,
        stopped: found.stopped,
        principal_variation: agent.principal_variation(at),
        tree: None,
    })
}

/// Grows the tree of an alpha-beta search, with every value and every cut, for a picture
/// ([`cut_tree_svg`](crate::report::cut_tree_svg)). `player` has the evaluator and perhaps a depth, and
/// `best` is the line of best play that a search found; its moves are tried first.
///
/// # Errors
///
/// If the player is of another kind, the game is over there, the evaluator cannot be used, not even
/// one ply fits, or `watch` says stop.
pub fn alpha_beta_tree(
    game: &Game,
    at: &Line,
    player: &PlayerSpec,
    limits: CutLimits,
    best: &[String],
    watch: &dyn Watch,
) -> Result<CutTree, Error> {
    goes_on(at)?;
    let tree = CutTree::of(game.engine().as_ref(), at, player, limits, best, watch);
    tree.map_err(|error| match error {
        CutTreeError::Evaluator(error) => error.into(),
        CutTreeError::Value(error) => error.into(),
        CutTreeError::Interrupted => Error::interrupted("the tree is not complete"),
        CutTreeError::TooLarge { .. } => {
            Error::new(ErrorKind::Usage, format!("{error}; --picture-nodes N allows more"))
        }
        error => Error::new(ErrorKind::Usage, error),
    })
}

/// Refuses a terminal position, which has nothing to search.
fn goes_on(at: &Line) -> Result<(), Error> {
    let Some(Ended { by, .. }) = at.ended() else { return Ok(()) };
    let message = format!("nothing to search: the game is over by {by}");
    Err(Error::new(ErrorKind::Data, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_knows_whether_its_best_move_ends_the_game_in_a_win() {
        let game = Game::parse("tic_tac_toe").unwrap();
        let options = SearchOptions { budget: Budget::iterations(300), ..SearchOptions::default() };
        for (moves, wins) in [(&["a1", "b1", "a2", "b2"][..], true), (&["b2"], false)] {
            let mut at = game.start();
            at.play_texts(moves).unwrap();
            let report = search(&game, &at, &options, &()).unwrap().report;
            assert_eq!(report.wins_at_once, wins, "{moves:?}");
        }
    }
}
