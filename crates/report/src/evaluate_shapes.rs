//! Comparison of the attributes of webs with those of trees, in words.

use treegauge_dataset::aggregate::Shapes;
use treegauge_dataset::evaluate::{DatasetGames, EvaluateReport, Protocol, ShapesDifference};
use treegauge_learn::Score;

use crate::words::fixed;

/// Gain of the attributes of webs in a dataset, in a sentence; `None` if there is nothing to
/// compare.
pub(crate) fn shapes_words(report: &EvaluateReport, games: &DatasetGames) -> Option<String> {
    let DatasetGames { iterations, split, shapes, .. } = *games;
    let is_own = |one: &&ShapesDifference| {
        (one.iterations, one.split, one.shapes) == (iterations, split, shapes)
    };
    let own: Vec<&ShapesDifference> = report.shapes.iter().filter(is_own).collect();
    let best = own.iter().find(|one| one.protocol == Protocol::Nested)?;
    let (accuracy, area) = (best.accuracy?, best.auc?);
    let (what, than) = match shapes {
        Shapes::Webs => ("webs", "trees"),
        Shapes::Both | Shapes::Trees => ("both trees and webs", "trees alone"),
    };
    let claim = if accuracy.low > 0.0 && area.low > 0.0 {
        format!("Attributes of {what} do better than those of {than}")
    } else if accuracy.high < 0.0 && area.high < 0.0 {
        format!("Attributes of {what} do worse than those of {than}")
    } else {
        format!("Cannot tell whether attributes of {what} do better than those of {than}")
    };
    let grouped = own.iter().filter(|one| one.protocol == Protocol::Grouped);
    let areas: Vec<Score> = grouped.filter_map(|one| one.auc).collect();
    let count = |is: fn(&Score) -> bool| areas.iter().filter(|score| is(score)).count();
    Some(format!(
        "{claim}. The best learner's accuracy changes by {} percentage points, and its AUC by {}. Of {} learners, \
         a group held out, {} have a significantly higher AUC and {} a significantly lower one.",
        signed(accuracy, 100.0, 0),
        signed(area, 1.0, 2),
        areas.len(),
        count(|score| score.low > 0.0),
        count(|score| score.high < 0.0),
    ))
}

/// Difference with its interval; each number except 0 has a sign.
pub(crate) fn signed(score: Score, scale: f64, digits: usize) -> String {
    let [mean, low, high] = [score.mean, score.low, score.high].map(|x| {
        let text = fixed(scale * x, digits);
        let stays = text.starts_with('-') || text.bytes().all(|b| matches!(b, b'0' | b'.'));
        if stays { text } else { format!("+{text}") }
    });
    format!("{mean} ({low} to {high})")
}
