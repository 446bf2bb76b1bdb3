//! Checks of crates built on their own.

use anyhow::{Context, Result};

use crate::run::{cargo, check, published};

/// Features of a package that are checked in addition to its defaults.
const FEATURES: [(&str, &[&str]); 3] = [
    ("treegauge-core", &["--no-default-features"]),
    ("treegauge-core", &["--features", "serde"]),
    // Without the workbench; its tests are left out, and the others compile.
    ("treegauge-cli", &["--no-default-features", "--all-targets"]),
];

/// Checks every published package on its own. In a build of the whole workspace, features that one
/// crate enables serve all crates, which hides a feature that another crate forgot to enable.
pub(crate) fn features() -> Result<()> {
    for name in published()? {
        apart(&name, &[])?;
    }
    FEATURES.iter().try_for_each(|(name, features)| apart(name, features))
}

fn apart(name: &str, features: &[&str]) -> Result<()> {
    let mut command = cargo(&["check", "--quiet", "--package", name]);
    check(command.args(features)).with_context(|| format!("{name} does not build by itself"))
}
