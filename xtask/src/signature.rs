//! Renewal of the bench signature, which the tests of the program check.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::{Map, Value};

use crate::run::{cargo, output, root};

/// Writes the signature of every family as the program computes it now.
pub(crate) fn signature() -> Result<()> {
    let mut program = cargo(&["run", "--quiet", "--package", "treegauge-cli", "--"]);
    program.args(["bench", "--signature", "--json"]);
    let found: Map<String, Value> = serde_json::from_str(&output(&mut program)?)?;
    ensure!(found.contains_key("families"), "the program gives no signature of families");
    let mut file = Map::new();
    file.insert("source".to_owned(), "`treegauge bench --signature --json`".into());
    file.extend(found.into_iter().filter(|(name, _)| name != "schema" && name != "task"));
    let path = root().join("testdata/signature.json");
    fs::write(&path, serde_json::to_string_pretty(&file)? + "\n")?;
    println!("wrote {}", path.display());
    Ok(())
}
