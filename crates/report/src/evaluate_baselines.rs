//! Length, draws and bias beside search trees: simple rivals of the learners, in words.

use treegauge_dataset::aggregate::Shapes;
use treegauge_dataset::evaluate::{Baseline, BaselineAttributes, DatasetGames, TreesGain};
use treegauge_dataset::vet::ModelReport;
use treegauge_doc::{Block, Cell, Column, Table, Wrap};
use treegauge_learn::Score;

use crate::evaluate::{OfDataset, percent, share};
use crate::evaluate_shapes::signed;
use crate::words::per_move;

impl OfDataset<'_> {
    /// Baselines of the dataset, in the order of the report; empty for webs.
    fn baselines(&self) -> impl Iterator<Item = &Baseline> {
        let DatasetGames { iterations, split, shapes, .. } = *self.games;
        let is_own = move |one: &&Baseline| {
            (one.iterations, one.split, Shapes::Trees) == (iterations, split, shapes)
        };
        self.report.baselines.iter().filter(is_own)
    }

    /// Gain of search trees over the length and the results of the games.
    pub(crate) fn gain(&self) -> Option<&TreesGain> {
        let DatasetGames { iterations, split, shapes, .. } = *self.games;
        let is_own = |one: &&TreesGain| {
            (one.iterations, one.split, Shapes::Trees) == (iterations, split, shapes)
        };
        self.report.trees_gain.iter().find(is_own)
    }

    /// Table with a row per set of attributes; `None` if the dataset has no baselines.
    pub(crate) fn baselines_table(&self) -> Option<Table> {
        let learner = ", the best learner";
        baselines_table(self.baselines(), learner, &|score| self.shown_score(score))
    }

    /// Gain of search trees over the length and the results of the games, in a sentence.
    pub(crate) fn gain_words(&self) -> Option<String> {
        let baselines: Vec<&Baseline> = self.baselines().collect();
        gain_words(&baselines, self.gain()?, &|score| self.shown_score(score))
    }
}

/// Table with a row per set of attributes; `None` without baselines. The learner of sets of
/// attributes is that of the words `learner`; scores are shown as `shown` returns them.
pub(crate) fn baselines_table<'a>(
    baselines: impl Iterator<Item = &'a Baseline>,
    learner: &str,
    shown: &dyn Fn(Option<Score>) -> Option<Score>,
) -> Option<Table> {
    let columns = ["right", "AUC", "unplayable games found"].map(Column::interval);
    let columns = [Column::left("attributes")].into_iter().chain(columns);
    let mut table = Table::new("baselines", columns).wrapped(Wrap::Cards);
    for one in baselines {
        let number = |words: String, score: Option<Score>| {
            Cell::number(words, score.map(|score| score.mean))
        };
        table.push([
            Cell::from(attributes_words(one.attributes, learner)),
            number(percent(shown(one.accuracy)), one.accuracy),
            number(share(shown(one.auc)), one.auc),
            number(percent(shown(one.unplayable_found)), one.unplayable_found),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Gain of search trees over the length and the results of the games, in a sentence. The baselines
/// are those of the same dataset.
pub(crate) fn gain_words(
    baselines: &[&Baseline],
    gain: &TreesGain,
    shown: &dyn Fn(Option<Score>) -> Option<Score>,
) -> Option<String> {
    let (accuracy, area) = (gain.accuracy?, gain.auc?);
    let of = |wanted: BaselineAttributes| {
        let score = baselines.iter().find(|one| one.attributes == wanted)?.accuracy?;
        Some(format!("{:.0}%", 100.0 * score.mean))
    };
    let claim = if adds(gain) {
        "Search trees add to the length and the results of the games"
    } else if accuracy.high < 0.0 && area.high < 0.0 {
        "Search trees add only errors to the length and the results of the games"
    } else {
        "Cannot tell whether search trees add anything to the length and the results of the games"
    };
    Some(format!(
        "{claim}. The length alone is right about {}, with draws and bias about {}; with search trees the \
         accuracy changes by {} percentage points, and the AUC by {}.",
        of(BaselineAttributes::Length)?,
        of(BaselineAttributes::Play)?,
        signed(shown(Some(accuracy))?, 100.0, 0),
        signed(shown(Some(area))?, 1.0, 2),
    ))
}

/// Gain of search trees in the strongest dataset of a training, in a sentence.
pub(crate) fn trained_words(report: &ModelReport) -> Option<String> {
    let strongest = report.trees_gain.iter().max_by_key(|gain| gain.iterations)?;
    gain_words(&of_training(report, strongest.iterations), strongest, &|score| score)
}

/// Tables of the baselines of a training, one per dataset, and how they were learned.
pub(crate) fn trained_baselines(report: &ModelReport) -> Vec<Block> {
    let mut blocks = Vec::new();
    for gain in &report.trees_gain {
        let baselines = of_training(report, gain.iterations);
        let table = baselines_table(baselines.iter().copied(), "", &|score| score);
        let sentence = gain_words(&baselines, gain, &|score| score);
        let sentence =
            sentence.map(|words| Block::text(format!("At {}: {words}", per_move(gain.iterations))));
        blocks.extend(sentence.into_iter().chain(table.map(Block::from)));
    }
    if !blocks.is_empty() {
        blocks.push(Block::notes([TRAINED_NOTE]));
    }
    blocks
}

/// Protocol of the baselines of a training.
const TRAINED_NOTE: &str = "Each row is learned as the model is, from the same samples of the families; each game is \
                            predicted by those that have not seen its family. Search trees alone are the model.";

/// Baselines of one dataset of a training.
fn of_training(report: &ModelReport, iterations: u32) -> Vec<&Baseline> {
    report.baselines.iter().filter(|one| one.iterations == iterations).collect()
}

/// Tests whether search trees add to the length and the results of the games.
pub(crate) fn adds(gain: &TreesGain) -> bool {
    let is_gain = |score: Option<Score>| score.is_some_and(|score| score.low > 0.0);
    is_gain(gain.accuracy) || is_gain(gain.auc)
}

/// Attributes of a baseline, in words; sets of them have the learner of these words.
fn attributes_words(attributes: BaselineAttributes, learner: &str) -> String {
    let (words, learner) = match attributes {
        BaselineAttributes::Length => ("mean length of the games", ", one threshold"),
        BaselineAttributes::Draws => ("share of draws", ", one threshold"),
        BaselineAttributes::Bias => {
            ("bias: distance of the first player's share from one half", ", one threshold")
        }
        BaselineAttributes::Play => ("length, draws and bias", learner),
        BaselineAttributes::Trees => ("search trees", learner),
        BaselineAttributes::TreesAndPlay => ("search trees, length, draws and bias", learner),
    };
    format!("{words}{learner}")
}

#[cfg(test)]
mod tests {
    use treegauge_dataset::aggregate::Split;

    use super::*;
    use crate::evaluate::main_dataset;
    use crate::evaluate::tests::{best, report, score};

    /// Verdict and gain in words where the accuracy and the AUC change by these intervals.
    fn said(accuracy: [f64; 2], auc: [f64; 2]) -> [String; 2] {
        let mut report = report(&best([0.7, 0.9], [0.8, 0.95]), 50);
        let baseline = |(attributes, accuracy)| Baseline {
            iterations: 1_000,
            split: Split::None,
            attributes,
            accuracy: score([accuracy - 0.1, accuracy + 0.1]),
            auc: None,
            unplayable_found: None,
        };
        let shares = [(BaselineAttributes::Length, 0.76), (BaselineAttributes::Play, 0.78)];
        report.baselines = shares.map(baseline).to_vec();
        report.trees_gain = vec![TreesGain {
            iterations: 1_000,
            split: Split::None,
            accuracy: score(accuracy),
            auc: score(auc),
        }];
        let dataset = main_dataset(&report).unwrap();
        [dataset.verdict().words(), dataset.gain_words().unwrap()]
    }

    #[test]
    fn a_verdict_says_whether_trees_add_to_length_and_results() {
        let plain = "Yes: search trees tell playable games from unplayable ones";
        let [verdict, gain] = said([0.02, 0.1], [-0.02, 0.1]);
        assert_eq!(verdict, format!("{plain}."));
        assert_eq!(
            gain,
            "Search trees add to the length and the results of the games. The length alone is right about 76%, \
             with draws and bias about 78%; with search trees the accuracy changes by +6 (+2 to +10) percentage \
             points, and the AUC by +0.04 (-0.02 to +0.10)."
        );
        let [verdict, gain] = said([-0.02, 0.1], [-0.02, 0.1]);
        let rest = "but perhaps no better than how long the games are and how they end";
        assert_eq!(verdict, format!("{plain}, {rest}."));
        assert!(gain.starts_with("Cannot tell whether search trees add anything"), "{gain}");
        let [_, gain] = said([-0.1, -0.02], [-0.1, -0.02]);
        assert!(gain.starts_with("Search trees add only errors"), "{gain}");
    }
}
