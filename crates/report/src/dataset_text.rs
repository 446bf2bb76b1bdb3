//! What a dataset holds, for a terminal.

use treegauge_study::Unit;
use treegauge_study::collect::DatasetReport;

use crate::Terminal;
use crate::estimates::estimate_words;
use crate::table::table_on;
use crate::words::counted;

/// The whole report.
#[must_use]
pub fn dataset_text(report: &DatasetReport, terminal: Terminal) -> String {
    let DatasetReport { iterations, seed, games, missing, .. } = report;
    let instances: u64 = games.iter().map(|game| game.instances).sum();
    let trees: u64 = games.iter().map(|game| game.trees).sum();
    let mut text = String::new();
    if *missing > 0 {
        text.push_str(&format!("INCOMPLETE: {} missing.\n", are(*missing, "instance")));
    }
    text.push_str(&format!(
        "{} of {}, {}, {iterations} iterations per move, seed {seed}\n\n",
        counted(instances, "instance"),
        counted(games.len() as u64, "game"),
        counted(trees, "tree"),
    ));
    let rows = games.iter().map(|game| {
        let share = |n: u64| format!("{:.0}%", 100.0 * n as f64 / game.instances as f64);
        [
            game.game.clone(),
            game.instances.to_string(),
            game.trees.to_string(),
            estimate_words(&game.plies, Unit::Number(1)),
            share(game.first_wins),
            share(game.draws),
            share(game.second_wins),
            share(game.capped),
        ]
    });
    let header = ["game", "instances", "trees", "plies", "1st wins", "draws", "2nd wins", "capped"];
    text.push_str(&table_on(terminal, header, rows, 1..8));
    text
}

fn are(n: u64, thing: &str) -> String {
    format!("{} {}", counted(n, thing), if n == 1 { "is" } else { "are" })
}
