//! Gauging a game: self-play, its measures, and a verdict.

use treegauge_core::Watch;
use treegauge_engine::{Line, ProvedSearch, StartingPoint};
use treegauge_gauge::{GaugeReport, Plan, RecordHeader, RecordedGame, gauge};
use treegauge_search::picture::{self, Style, TreeSelection};
use treegauge_search::{Seed, Stopped};
use treegauge_store::{GamesHeader, PieceSink};

use crate::{Error, ErrorKind, Game, ranges};

/// A gauge, ready to run.
///
/// ```
/// use treegauge::report::{Document, TextStyle};
/// use treegauge::Plan;
/// use treegauge::{Game, GaugeRun};
///
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let plan = Plan { games: 6, iterations: 50, skill_games: 0, ..Plan::default() };
/// let run = GaugeRun::new(&game, &Default::default(), plan).unwrap();
/// let report = run.run(Vec::new(), &(), &());
/// assert_eq!(report.gauge.games, 6);
/// println!("{}", report.doc(&game).text(TextStyle::default()));
/// ```
#[derive(Clone, Debug)]
pub struct GaugeRun {
    game: Game,
    from: StartingPoint,
    start: Line,
    plan: Plan,
}

impl GaugeRun {
    /// Prepares a gauge of a game from this beginning.
    ///
    /// # Errors
    ///
    /// If the game cannot begin there, a number of the plan is out of range, or its searches have
    /// no features.
    pub fn new(game: &Game, from: &StartingPoint, plan: Plan) -> Result<GaugeRun, Error> {
        plan.variant.check_features().map_err(|problem| Error::new(ErrorKind::Usage, problem))?;
        ranges::iterations(plan.iterations)?;
        ranges::cp(plan.cp)?;
        ranges::whole("games", plan.games.into(), 1, u32::MAX.into())?;
        ranges::whole("skill_factor", plan.skill_factor.into(), 1, 1_000)?;
        let start = game.begin(from)?;
        Ok(GaugeRun { game: game.clone(), from: from.clone(), start, plan })
    }

    /// Settings of the games and of the judgement.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Header of the record: everything that decides the games.
    #[must_use]
    pub fn header(&self) -> RecordHeader {
        let header = games_header(&self.game, &self.from, self.plan.seed, self.plan.opening_plies);
        RecordHeader::of(header, &self.plan)
    }

    /// Plays the games that are not in `known`, on rayon's current thread pool, and judges them.
    /// Passes each finished game to `keep`. The result does not depend on the number of threads. If
    /// `watch` says stop, the report judges the finished games, and is marked as incomplete.
    #[must_use]
    pub fn run(
        &self,
        known: Vec<RecordedGame>,
        keep: &dyn PieceSink<RecordedGame>,
        watch: &dyn Watch,
    ) -> GaugeReport {
        let GaugeRun { game, start, plan, .. } = self;
        let gauge = gauge(game.engine().as_ref(), start, plan, known, keep, watch);
        let (name, canonical) = (game.name(), game.info().canonical_name.clone());
        let position = start.position_text();
        let (search_tree, proved) = self.tree(watch).unzip();
        let proved = proved.flatten();
        GaugeReport {
            input: Some(game.written()),
            title: game.info().spec.program().map(|program| program.name().to_owned()),
            moved: position != game.start().position_text(),
            search_tree,
            proved,
            ..GaugeReport::new(name, canonical, position, gauge)
        }
    }

    /// Search tree for the page, and the result that a solver proved in it; `None` if the game is
    /// over at its start or the watch said stop, which leaves no time for another search.
    fn tree(&self, watch: &dyn Watch) -> Option<(TreeSelection, Option<ProvedSearch>)> {
        if self.start.ended().is_some() || watch.stop() {
            return None;
        }
        let mut uct = self.game.engine().uct_with(self.plan.options(self.plan.iterations.max(2)));
        let mut rng = Seed(self.plan.seed).generator();
        let found = uct.search(&self.start, &mut rng, &mut || watch.stop());
        (found.stopped != Stopped::Caller).then(|| {
            let tree = uct.outline(&self.start, &self.game.name(), self.plan.seed);
            let picked = picture::pick(&tree, Style::Plain, GaugeReport::TREE_LIMITS);
            (picked, ProvedSearch::of(self.game.info(), &found, uct.as_ref(), &self.start))
        })
    }
}

/// Header of the record of games of any kind.
pub(crate) fn games_header(
    game: &Game,
    from: &StartingPoint,
    seed: u64,
    opening_plies: u32,
) -> GamesHeader {
    let canonical = game.info().canonical_name.clone();
    GamesHeader::new(canonical, from.position.clone(), from.moves.clone(), seed, opening_plies)
        .called(&game.name())
}

#[cfg(test)]
mod tests {
    use treegauge_dataset::collect::CollectPlan;
    use treegauge_search::UctVariant;

    use super::*;
    use crate::{CollectRun, SearchOptions, search};

    #[test]
    fn numbers_out_of_range_are_refused() {
        let game = Game::parse("tic_tac_toe").unwrap();
        let plan = Plan::default();
        for (wrong, name) in [
            (Plan { games: 0, ..plan.clone() }, "games"),
            (Plan { iterations: 0, ..plan.clone() }, "iterations"),
            (Plan { iterations: u32::MAX, ..plan.clone() }, "iterations"),
            (Plan { skill_factor: 0, ..plan.clone() }, "skill_factor"),
            (Plan { cp: -1.0, ..plan.clone() }, "cp"),
            (Plan { cp: f64::NAN, ..plan.clone() }, "cp"),
        ] {
            let error = GaugeRun::new(&game, &StartingPoint::default(), wrong).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(error.to_string().starts_with(&format!("{name}: expected a")), "{error}");
        }
        let collect = CollectPlan { iterations: 0, ..CollectPlan::default() };
        assert!(CollectRun::new(vec![game.clone()], collect, "nowhere".as_ref()).is_err());
        let options = SearchOptions { cp: -1.0, ..SearchOptions::default() };
        assert!(search(&game, &game.start(), &options, &()).is_err());
    }

    #[test]
    fn features_are_those_of_searches_of_one_tree() {
        let game = Game::parse("tic_tac_toe").unwrap();
        let variant = UctVariant { threads: 2, ..UctVariant::default() };
        let plan = Plan { variant, ..Plan::default() };
        let gauge = GaugeRun::new(&game, &StartingPoint::default(), plan).unwrap_err();
        let plan = CollectPlan { variant, ..CollectPlan::default() };
        let collect = CollectRun::new(vec![game], plan, "nowhere".as_ref()).unwrap_err();
        for error in [gauge, collect] {
            assert_eq!(error.kind(), ErrorKind::Usage);
            assert!(error.to_string().contains("threads is 1 here"), "{error}");
        }
    }
}
