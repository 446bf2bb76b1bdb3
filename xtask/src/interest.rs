//! Interestingness of every game that is small enough to solve.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::run::{cargo, root};

/// Memory limit of a solve. Games that need more count as too large here.
const MEMORY_MAX: &str = "512M";

/// Small variants of games, in addition to those in the file of known facts.
const VARIANTS: &[&str] = &[
    "tic_tac_toe(misere=true)",
    "tic_tac_toe(size=3,k=2)",
    "connect_four(cols=4,rows=4)",
    "connect_four(cols=5,rows=4)",
    "connect_four(cols=4,rows=5)",
    "connect_four(cols=4,rows=4,k=3)",
    "achi(size=4,men=3,adjacency=king)",
    "achi(size=4,men=3,adjacency=orth)",
    "alak(length=8)",
    "alak(length=10)",
    "alak(length=9,forbidden=false)",
    "breakthrough(cols=3,rows=5)",
    "breakthrough(cols=4,rows=5)",
    "dots_and_boxes(rows=2,cols=2)",
    "dots_and_boxes(rows=2,cols=3)",
    "finger_game(self_tap=true)",
    "forms(rows=4,cols=4)",
    "isolation(rows=3,cols=3)",
    "isolation(rows=4,cols=4)",
    "isolation(rows=4,cols=4,piece=queen)",
    "kalah(houses=3,seeds=2)",
    "kalah(houses=3,seeds=3)",
    "mnk(rows=3,cols=4,k=3)",
    "mnk(rows=4,cols=4,k=3)",
    "mnk(rows=4,cols=4,k=4)",
    "one_to_ten(target=21,max_step=3)",
    "oware(houses=3,seeds=2)",
    "othello(size=4)",
];

/// Prints a row per game: its positions, the value of its start, and the interestingness of its
/// start and of its wins.
pub(crate) fn interest() -> Result<()> {
    let mut names = Vec::new();
    for game in ask(&["games"])?["games"].as_array().context("games has a list")? {
        let presets = game["presets"].as_array().context("a game has presets")?;
        for text in std::iter::once(&game["name"]).chain(presets.iter().map(|p| &p["name"])) {
            names.push(text.as_str().context("a game has a name")?.to_owned());
        }
    }
    let facts = std::fs::read_to_string(root().join("testdata/perft.json"))?;
    let facts: Value = serde_json::from_str(&facts)?;
    for row in facts["solved"].as_array().context("facts have solved games")? {
        names.push(row["spec"].as_str().context("a row has a game")?.to_owned());
    }
    names.extend(VARIANTS.iter().map(|&name| name.to_owned()));
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    for (n, name) in names.iter().enumerate() {
        if names[..n].contains(name) {
            continue;
        }
        eprintln!("solving {name}");
        match ask(&["interest", name, "--memory-max", MEMORY_MAX]) {
            Ok(report) => rows.push(Row::of(name, &report)?),
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.trim().trim_start_matches("treegauge: ").to_owned();
                refused.push(format!("- `{name}`: {reason}"));
            }
        }
    }
    rows.sort_by(|a, b| b.maximum.total_cmp(&a.maximum).then(a.game.cmp(&b.game)));
    println!(
        "| game | positions | start | of the start | maximum | plies | mean of the wins | in loops |"
    );
    println!("|---|---:|---|---:|---:|---:|---:|---:|");
    for row in &rows {
        println!("{}", row.text());
    }
    println!("\nNot solved within {MEMORY_MAX}:\n\n{}", refused.join("\n"));
    Ok(())
}

struct Row {
    game: String,
    positions: u64,
    start: String,
    of_start: f64,
    /// Greatest interestingness of a win before the end; 0 if there is none.
    maximum: f64,
    plies: Option<u64>,
    mean: Option<f64>,
    in_loops: u64,
}

impl Row {
    fn of(game: &str, report: &Value) -> Result<Row> {
        let start = &report["start"];
        let value = start["value"].as_str().context("the start has a value")?;
        let plies = start["remoteness"].as_u64().map_or(String::new(), |n| format!(" in {n}"));
        let rows = report["by_remoteness"].as_array().context("there are rows")?;
        let (mut wins, mut sum) = (0.0, 0.0);
        for row in rows {
            let count = row["wins"].as_f64().context("a row counts wins")?;
            wins += count;
            sum += count * row["mean"].as_f64().context("a row has a mean")?;
        }
        let most = &report["most_interesting"];
        Ok(Row {
            game: game.to_owned(),
            positions: report["positions"].as_u64().context("positions are counted")?,
            start: format!("{value}{plies}"),
            of_start: start["interestingness"].as_f64().context("the start is rated")?,
            maximum: most["interestingness"].as_f64().unwrap_or(0.0),
            plies: most["remoteness"].as_u64(),
            mean: (wins > 0.0).then_some(sum / wins),
            in_loops: report["positions_in_loops"].as_u64().context("loops are counted")?,
        })
    }

    fn text(&self) -> String {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        format!(
            "| `{}` | {} | {} | {} | {} | {} | {} | {} |",
            self.game,
            self.positions,
            self.start,
            percent(self.of_start),
            if self.plies.is_some() { percent(self.maximum) } else { "-".to_owned() },
            self.plies.map_or("-".to_owned(), |plies| plies.to_string()),
            self.mean.map_or("-".to_owned(), percent),
            self.in_loops,
        )
    }
}

/// JSON output of the release build of the program, or its error message.
fn ask(arguments: &[&str]) -> Result<Value> {
    let mut program = cargo(&["run", "--quiet", "--release", "--package", "treegauge-cli", "--"]);
    let output = program.args(arguments).arg("--json").output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}
