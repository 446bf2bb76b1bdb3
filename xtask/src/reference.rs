//! Renewal of the numbers of known games that reports compare a game with.

use std::fs;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::run::{Program, root};

/// Gauges every family and preset with the default budget, and writes the means of the measures and
/// of the tree features.
pub(crate) fn reference() -> Result<()> {
    let program = Program::build()?;
    let games = program.ask(&["games"])?;
    let mut names = Vec::new();
    for game in games["games"].as_array().context("games has a list")? {
        let presets = game["presets"].as_array().context("a game has presets")?;
        // A preset appears under the canonical name of its game, as in a report. Presets are broken
        // on purpose.
        let presets = presets.iter().map(|preset| (&preset["game"], true));
        for (text, broken) in std::iter::once((&game["name"], false)).chain(presets) {
            names.push((text.as_str().context("a game has a name")?.to_owned(), broken));
        }
    }
    let (mut rows, mut settings) = (Vec::new(), Value::Null);
    for (name, broken) in &names {
        println!("gauging {name}");
        let gauge = program.ask(&["gauge", name])?;
        let tree = gauge["tree"].as_object().context("a gauge has tree features")?;
        let mean = |(name, feature): (&String, &Value)| (name.clone(), feature["mean"].clone());
        let features: Map<String, Value> = tree.iter().map(mean).collect();
        let measured =
            |(_, value): &(&String, &Value)| value["mean"].is_number() && value["n"].is_u64();
        let fields = gauge.as_object().context("a gauge is an object")?;
        let of_measure = |(name, value): (&String, &Value)| (name.clone(), value.clone());
        let measures: Map<String, Value> = fields.iter().filter(measured).map(of_measure).collect();
        rows.push(
            json!({ "game": name, "broken": broken, "measures": measures, "features": features }),
        );
        settings = gauge;
    }
    let reference = json!({
        "source": format!(
            "Means over {} self-play games at {} iterations per move, seed {}.",
            settings["games"], settings["iterations"], settings["seed"]
        ),
        "iterations": settings["iterations"],
        "games": settings["games"],
        "rows": rows,
    });
    let path = root().join("crates/gauge/data/known_games.json");
    fs::write(&path, serde_json::to_string_pretty(&reference)? + "\n")?;
    println!("wrote {} games to {}", names.len(), path.display());
    Ok(())
}
