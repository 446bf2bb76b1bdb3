//! Features in the decisions of trees, pooled over all strengths.

use treegauge_dataset::evaluate::{AttributeUse, EvaluateReport};
use treegauge_doc::{Cell, Column, Table, Wrap};

use crate::words::count_cell;

/// Table of the features in the decisions of all leave-one-out trees, over all strengths and splits
/// (Williams 2010, Figure 5.7); `None` for fewer than two datasets.
///
/// A feature counts with all its summaries and for both players: `first.worst.mean` and
/// `worst.variance` are uses of `worst`.
pub(crate) fn features_table(report: &EvaluateReport) -> Option<Table> {
    if report.trees.len() < 2 {
        return None;
    }
    let mut uses: Vec<(&str, usize, usize)> = Vec::new();
    for tree in &report.trees {
        let mut seen: Vec<&str> = Vec::new();
        for AttributeUse { attribute, count } in &tree.used {
            let feature = feature_of(attribute);
            let is_new = !seen.contains(&feature);
            seen.push(feature);
            match uses.iter_mut().find(|(known, ..)| *known == feature) {
                Some((_, uses, datasets)) => {
                    *uses += count;
                    *datasets += usize::from(is_new);
                }
                None => uses.push((feature, *count, 1)),
            }
        }
    }
    uses.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let all: usize = uses.iter().map(|(_, uses, _)| uses).sum();
    let columns = [
        Column::left("feature"),
        Column::right("decisions"),
        Column::right("share"),
        Column::right("datasets"),
    ];
    let mut table = Table::new("features", columns).wrapped(Wrap::Cards);
    for (feature, count, datasets) in uses {
        let share = count as f64 / all as f64;
        table.push([
            Cell::from(feature),
            count_cell(count as u64),
            Cell::number(format!("{:.0}%", 100.0 * share), Some(share)),
            Cell::from(format!("{datasets} of {}", report.trees.len())),
        ]);
    }
    (all > 0).then_some(table)
}

/// Feature of an attribute: without the player, the kind of search and the summary.
fn feature_of(attribute: &str) -> &str {
    let mut rest = attribute;
    for word in ["web.", "first.", "second."] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    rest.rsplit_once('.').map_or(rest, |(feature, _)| feature)
}

#[cfg(test)]
mod tests {
    use treegauge_dataset::evaluate::TreePicture;

    use super::*;
    use crate::evaluate::tests::{best, report};

    #[test]
    fn uses_of_a_feature_are_pooled_over_players_summaries_and_strengths() {
        for (attribute, feature) in [
            ("worst.mean", "worst"),
            ("first.worst.variance", "worst"),
            ("web.second.spread_third.max", "spread_third"),
        ] {
            assert_eq!(feature_of(attribute), feature);
        }
        let mut report = report(&best([0.6, 0.9], [0.6, 0.9]), 10);
        assert_eq!(features_table(&report), None);
        let node = serde_json::json!({"mean": 0.5, "examples": 2, "split": null});
        let tree = |iterations: u32, used: serde_json::Value| -> TreePicture {
            serde_json::from_value(serde_json::json!({
                "iterations": iterations, "split": "none", "attributes": [], "used": used,
                "tree": {"nodes": [node]},
            }))
            .unwrap()
        };
        report.trees = vec![
            tree(
                1_000,
                serde_json::json!([
                    {"attribute": "worst.mean", "count": 5}, {"attribute": "worst.min", "count": 1},
                    {"attribute": "depth.max", "count": 3},
                ]),
            ),
            tree(10_000, serde_json::json!([{"attribute": "first.worst.mean", "count": 3}])),
        ];
        let table = features_table(&report).unwrap();
        let rows: Vec<Vec<&str>> =
            table.rows.iter().map(|row| row.iter().map(|cell| &*cell.text).collect()).collect();
        assert_eq!(rows, [["worst", "9", "75%", "2 of 2"], ["depth", "3", "25%", "1 of 2"]]);
    }
}
