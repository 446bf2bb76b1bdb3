//! Crates built apart.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::run::{cargo, check, output};

/// The features of a package that are checked in addition to its defaults.
const FEATURES: [(&str, &[&str]); 2] =
    [("treegauge-core", &["--no-default-features"]), ("treegauge-core", &["--features", "serde"])];

/// Checks every package that is published by itself: in a build of the whole workspace the features that one
/// crate enables serve all, which hides a feature that another crate forgot to enable.
pub(crate) fn features() -> Result<()> {
    for name in packages()? {
        apart(&name, &[])?;
    }
    FEATURES.iter().try_for_each(|(name, features)| apart(name, features))
}

fn apart(name: &str, features: &[&str]) -> Result<()> {
    let mut command = cargo(&["check", "--quiet", "--package", name]);
    check(command.args(features)).with_context(|| format!("{name} does not build by itself"))
}

/// The names of the packages of the workspace that are published.
fn packages() -> Result<Vec<String>> {
    let text = output(&mut cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("cargo lists packages")?;
    // `publish = false` is an empty list of registries.
    let is_published =
        |package: &&Value| package["publish"].as_array().is_none_or(|to| !to.is_empty());
    let name = |package: &Value| package["name"].as_str().map(str::to_owned);
    let published: Vec<&Value> = packages.iter().filter(is_published).collect();
    let names: Vec<String> = published.iter().copied().filter_map(name).collect();
    ensure!(names.len() == published.len() && names.len() > 1, "packages have names");
    Ok(names)
}
