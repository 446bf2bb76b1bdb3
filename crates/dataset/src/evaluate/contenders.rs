//! Learners that an evaluation compares. A line here adds another one.

use treegauge_core::Watch;
use treegauge_learn::learners::{
    BestAttribute, Boosting, Constant, DecisionTree, Kernel, Logistic, NaiveBayes,
    NearestNeighbours, OneAttribute, RandomForest, Ridge, Scaled, Selected, Svm,
};
use treegauge_learn::{Growth, Learner, Table, Watched};

/// Learner with its name in reports.
pub(super) struct Contender {
    pub(super) name: &'static str,
    pub(super) learner: Box<dyn Learner>,
    /// Whether Williams 2010 used it; its settings are then those of Williams 2010, if they are
    /// known.
    pub(super) of_source: bool,
    /// Approximate time of a fit, in microseconds.
    pub(super) cost: u64,
}

/// Size of the examples, from which the cost of a fit is estimated.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) games: usize,
    pub(super) attributes: usize,
}

impl Size {
    pub(super) fn of(table: &Table) -> Size {
        Size { games: table.len(), attributes: table.columns().len() }
    }

    /// Learner with the cost of a fit, as [`Size::cost`] takes it.
    fn contender(
        self,
        name: &'static str,
        learner: impl Learner + 'static,
        few_and_many: [f64; 2],
    ) -> Contender {
        let cost = self.cost(few_and_many);
        Contender { name, learner: Box::new(learner), of_source: false, cost }
    }

    /// Cost of a fit. `few` and `many` are the microseconds with 28 and with 384 games of 32
    /// attributes, as measured on one core. The cost follows a power of the number of games, and is
    /// proportional to the number of attributes.
    pub(super) fn cost(self, [few, many]: [f64; 2]) -> u64 {
        const GAMES: [f64; 2] = [28.0, 384.0];
        let power = (many / few).ln() / (GAMES[1] / GAMES[0]).ln();
        let of_games = few * (self.games as f64 / GAMES[0]).powf(power);
        (of_games * self.attributes as f64 / 32.0).max(1.0) as u64
    }
}

/// All learners, those of Williams 2010 first.
pub(super) fn contenders(table: &Table) -> Vec<Contender> {
    let size = Size::of(table);
    let linear = Svm { kernel: Kernel::Linear, c: 1.0 };
    let gaussian = Svm { kernel: Kernel::Gaussian { width: None }, c: 1.0 };
    let mut all = vec![
        Contender {
            of_source: true,
            ..size.contender("tree", DecisionTree(Growth::WILLIAMS), [11.0, 700.0])
        },
        Contender { of_source: true, ..size.contender("svm", Scaled(linear), [63.0, 24_000.0]) },
        size.contender("svm_gaussian", Scaled(gaussian), [31.0, 5200.0]),
        size.contender("forest", RandomForest::default(), [2200.0, 81_000.0]),
        size.contender("boosting", Boosting::default(), [2200.0, 39_000.0]),
        size.contender("logistic", Scaled(Logistic { penalty: 10.0 }), [53.0, 510.0]),
        size.contender(
            "logistic_8",
            Selected { count: 8, learner: Scaled(Logistic { penalty: 1.0 }) },
            [49.0, 440.0],
        ),
        size.contender("bayes", NaiveBayes, [2.0, 27.0]),
        size.contender("neighbours", Scaled(NearestNeighbours { k: 5 }), [3.0, 45.0]),
        size.contender("best_attribute", BestAttribute, [20.0, 340.0]),
    ];
    let branching = "legal_moves.mean";
    let of_all = |name: &String| {
        let name = name.strip_prefix("web.").unwrap_or(name);
        name == branching || *name == format!("first.{branching}")
    };
    if let Some(attribute) = table.columns().iter().position(of_all) {
        all.push(size.contender("branching", OneAttribute { attribute }, [1.0, 6.0]));
    }
    all.push(size.contender("constant", Constant, [1.0, 1.0]));
    all
}

/// Learners of ratings.
pub(super) fn quality_learners(size: Size) -> [Contender; 6] {
    [
        size.contender("ridge", Scaled(Ridge { penalty: 1.0 }), [18.0, 155.0]),
        size.contender("forest", RandomForest::default(), [3300.0, 126_000.0]),
        size.contender(
            "boosting",
            Boosting { trees: 50, rate: 0.1, depth: 2, ..Boosting::default() },
            [1800.0, 14_000.0],
        ),
        size.contender("neighbours", Scaled(NearestNeighbours { k: 3 }), [3.0, 43.0]),
        size.contender("best_attribute", BestAttribute, [3.0, 47.0]),
        size.contender("constant", Constant, [1.0, 1.0]),
    ]
}

/// Learners that a nested choice selects from; they stop with `watch`.
pub(super) fn candidates<'a>(table: &Table, watch: &'a dyn Watch) -> Vec<Box<dyn Learner + 'a>> {
    let watched = |contender: Contender| -> Box<dyn Learner + 'a> {
        Box::new(Watched { learner: contender.learner, watch })
    };
    contenders(table).into_iter().map(watched).collect()
}
