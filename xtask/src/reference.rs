//! Renewing the tree features that reports compare a game with.

use std::fs;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::run::{cargo, output, root};

/// Gauges every family and preset with the default budget and writes the means of the features.
pub(crate) fn reference() -> Result<()> {
    let games = ask(&["games"])?;
    let mut names = Vec::new();
    for game in games["games"].as_array().context("games has a list")? {
        let presets = game["presets"].as_array().context("a game has presets")?;
        // Presets have the canonical name of their game, as in a report.
        let texts = std::iter::once(&game["name"]).chain(presets.iter().map(|p| &p["game"]));
        for text in texts {
            names.push(text.as_str().context("a game has a name")?.to_owned());
        }
    }
    let (mut rows, mut settings) = (Vec::new(), Value::Null);
    for name in &names {
        println!("gauging {name}");
        let gauge = ask(&["gauge", name])?;
        let tree = gauge["tree"].as_object().context("a gauge has tree features")?;
        let mean = |(name, feature): (&String, &Value)| (name.clone(), feature["mean"].clone());
        let means: Map<String, Value> = tree.iter().map(mean).collect();
        rows.push(json!({ "game": name, "means": means }));
        settings = gauge;
    }
    let reference = json!({
        "source": format!(
            "Means over all trees of {} self-play games at {} iterations a move, seed {}; made by `cargo xtask reference`.",
            settings["games"], settings["iterations"], settings["seed"]
        ),
        "iterations": settings["iterations"],
        "games": settings["games"],
        "rows": rows,
    });
    let path = root().join("crates/study/data/shapes.json");
    fs::write(&path, serde_json::to_string_pretty(&reference)? + "\n")?;
    println!("wrote {} games to {}", names.len(), path.display());
    Ok(())
}

/// The JSON output of the release build of the program.
fn ask(arguments: &[&str]) -> Result<Value> {
    let mut program = cargo(&["run", "--quiet", "--release", "--package", "treegauge-cli", "--"]);
    program.args(arguments).arg("--json");
    Ok(serde_json::from_str(&output(&mut program)?)?)
}
