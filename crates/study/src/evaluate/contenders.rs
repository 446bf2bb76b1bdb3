//! The learners that an evaluation compares. A line here puts another one beside them.

use treegauge_core::Watch;
use treegauge_learn::learners::{
    BestAttribute, Boosting, Constant, DecisionTree, Kernel, Logistic, NaiveBayes,
    NearestNeighbours, OneAttribute, RandomForest, Ridge, Scaled, Selected, Svm,
};
use treegauge_learn::{Growth, Learner, Table};

use super::Watched;

/// A learner with the name that reports give it.
pub(super) struct Contender {
    pub(super) name: &'static str,
    pub(super) learner: Box<dyn Learner>,
    /// Whether the source used it, with these settings as far as they are known.
    pub(super) of_source: bool,
}

fn contender(name: &'static str, learner: impl Learner + 'static) -> Contender {
    Contender { name, learner: Box::new(learner), of_source: false }
}

/// The learners, those of the source first.
pub(super) fn contenders(table: &Table) -> Vec<Contender> {
    let linear = Svm { kernel: Kernel::Linear, c: 1.0 };
    let gaussian = Svm { kernel: Kernel::Gaussian { width: None }, c: 1.0 };
    let mut all = vec![
        Contender { of_source: true, ..contender("tree", DecisionTree(Growth::WILLIAMS)) },
        Contender { of_source: true, ..contender("svm", Scaled(linear)) },
        contender("svm_gaussian", Scaled(gaussian)),
        contender("forest", RandomForest::default()),
        contender("boosting", Boosting::default()),
        contender("logistic", Scaled(Logistic { penalty: 10.0 })),
        contender("logistic_8", Selected { count: 8, learner: Scaled(Logistic { penalty: 1.0 }) }),
        contender("bayes", NaiveBayes),
        contender("neighbours", Scaled(NearestNeighbours { k: 5 })),
        contender("best_attribute", BestAttribute),
    ];
    #[cfg(feature = "mlp")]
    all.extend(networks());
    let branching = "legal_moves.mean";
    let of_all = |name: &String| {
        let name = name.strip_prefix("web.").unwrap_or(name);
        name == branching || *name == format!("first.{branching}")
    };
    if let Some(attribute) = table.columns().iter().position(of_all) {
        all.push(contender("branching", OneAttribute { attribute }));
    }
    all.push(contender("constant", Constant));
    all
}

/// The learners of ratings.
pub(super) fn quality_learners() -> [Contender; 6] {
    [
        contender("ridge", Scaled(Ridge { penalty: 1.0 })),
        contender("forest", RandomForest::default()),
        contender("boosting", Boosting { trees: 50, rate: 0.1, depth: 2 }),
        contender("neighbours", Scaled(NearestNeighbours { k: 3 })),
        contender("best_attribute", BestAttribute),
        contender("constant", Constant),
    ]
}

/// Networks of some shapes and lengths of training. The source tried many, and reports the best.
#[cfg(feature = "mlp")]
fn networks() -> [Contender; 4] {
    use treegauge_learn::learners::Mlp;
    let network = |name, hidden: &[usize], epochs| {
        let shape = Mlp { hidden: hidden.to_vec(), epochs, ..Mlp::default() };
        contender(name, Scaled(shape))
    };
    [
        network("network", &[10], 200),
        network("network_small", &[3], 200),
        network("network_long", &[10], 1_000),
        network("network_deep", &[10, 5], 200),
    ]
}

/// What a nested choice is made from.
pub(super) fn candidates<'a>(table: &Table, watch: &'a dyn Watch) -> Vec<Box<dyn Learner + 'a>> {
    let watched = |contender: Contender| -> Box<dyn Learner + 'a> {
        Box::new(Watched { learner: contender.learner, watch })
    };
    contenders(table).into_iter().map(watched).collect()
}
