//! Effectiveness of vetting, learner by learner, where few games are playable (Williams 2010,
//! figures 5.8 and 5.9).

use treegauge_dataset::aggregate::Shapes;
use treegauge_dataset::evaluate::{
    EvaluateReport, NetworkTarget, NetworksResult, Protocol, Published, published,
};
use treegauge_doc::{Block, Cell, Column, Table, Wrap};
use treegauge_learn::scores::Confusion;

use crate::evaluate::split_words;
use crate::words::per_move;

/// Share of all games that are playable, and number of vetted games (Williams 2010, section 5.3).
const PLAYABLE: f64 = 0.01;
const VETTED: f64 = 1_000.0;

const NOTE: &str = "A thousand games are vetted, ten of them playable. Passed: playable games and all games that are predicted to be \
                    playable, with one game held out in training. At least: the share of playable games among these, if as \
                    many unplayable games pass as the number of known ones allows at 95%. Published: as in Williams 2010, \
                    figures 5.8 and 5.9, where the best learner has 100%; it is at least 3%.";

/// Learners of Williams 2010, with their names in reports.
const LEARNERS: [&str; 2] = ["tree", "svm"];

/// Effectiveness by dataset and learner; `None` without a published result to compare with.
pub(crate) fn vetting(report: &EvaluateReport) -> Option<Block> {
    let is_shown = report.results.iter().any(|one| one.published.is_some());
    let table = is_shown.then(|| table(report))?;
    let blocks = vec![Block::note(NOTE), table.into()];
    Some(Block::fold("Vetting, learner by learner", blocks))
}

fn table(report: &EvaluateReport) -> Table {
    let left = ["attributes", "learner"].map(Column::left);
    let right = [
        "passed",
        "playable",
        "at least",
        "published passed",
        "published playable",
        "published at least",
    ];
    let mut table = Table::new("vetting", left.into_iter().chain(right.map(Column::right)))
        .wrapped(Wrap::Cards);
    for games in report.games.iter().filter(|games| games.shapes == Shapes::Trees) {
        let (iterations, split) = (games.iterations, games.split);
        let attributes = format!("{}, {}", per_move(iterations), split_words(split, games.shapes));
        let mut push = |learner: &str, confusion: &Confusion, published: Option<&Published>| {
            let cells = [Cell::from(attributes.as_str()), Cell::from(learner)];
            let published = published.map(|one| &one.confusion);
            let numbers = [Some(confusion), published].into_iter().flat_map(numbers);
            table.push(cells.into_iter().chain(numbers));
        };
        let of = |wanted: &str| {
            report.results.iter().find(|one| {
                let of_games =
                    (one.iterations, one.split, one.shapes) == (iterations, split, games.shapes);
                of_games && one.learner == wanted && one.protocol == Protocol::LeaveOneOut
            })
        };
        for one in LEARNERS.into_iter().filter_map(of) {
            push(&one.learner, &one.confusion, one.published.as_ref());
        }
        let networks = report.networks.iter().find(|one| {
            (one.iterations, one.split, one.shapes) == (iterations, split, games.shapes)
                && (one.target, one.protocol) == (NetworkTarget::Playable, Protocol::LeaveOneOut)
        });
        if let Some(confusion) = networks.and_then(NetworksResult::confusion) {
            push("network, best shape", &confusion, published("network", iterations, split));
        }
    }
    table
}

/// Passed games, the share of playable ones among them, and its lower bound.
fn numbers(confusion: Option<&Confusion>) -> [Cell; 3] {
    let Some(confusion) = confusion else { return [""; 3].map(Cell::from) };
    let playable = PLAYABLE * VETTED;
    let passed = confusion.recall(1).zip(confusion.recall(0)).map(|(found, refused)| {
        let found = playable * found;
        let all = found + (VETTED - playable) * (1.0 - refused);
        Cell::number(format!("{found:.1} of {all:.1}"), Some(all))
    });
    let percent = |share: Option<f64>| {
        Cell::number(share.map_or_else(String::new, |x| format!("{:.1}%", 100.0 * x)), share)
    };
    [
        passed.unwrap_or_default(),
        percent(confusion.effectiveness(PLAYABLE)),
        percent(confusion.effectiveness_at_least(PLAYABLE)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of the cells of a confusion.
    fn words(counts: [[f64; 2]; 2]) -> [String; 3] {
        numbers(Some(&Confusion { counts })).map(|cell| cell.text)
    }

    #[test]
    fn the_published_effectiveness_follows_from_the_published_confusions() {
        // Williams 2010, table 5.2: 7.1 of 7.1, 6.5 of 456.5 and 4.1 of 814.1 games.
        assert_eq!(words([[11.0, 0.0], [5.0, 12.0]])[..2], ["7.1 of 7.1", "100.0%"]);
        assert_eq!(words([[6.0, 5.0], [6.0, 11.0]])[..2], ["6.5 of 456.5", "1.4%"]);
        assert_eq!(words([[2.0, 9.0], [10.0, 7.0]])[..2], ["4.1 of 814.1", "0.5%"]);
        // No unplayable game of 11 passes, but by chance 24% of all may.
        assert_eq!(words([[11.0, 0.0], [5.0, 12.0]])[2], "2.9%");
        // Where no game is predicted to be playable, none passes.
        assert_eq!(words([[11.0, 0.0], [17.0, 0.0]])[..2], ["0.0 of 0.0", ""]);
    }
}
