//! Checks of crates built on their own.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};

use crate::run::{cargo, check, output, published};

/// Features of a package that are checked in addition to its defaults.
const FEATURES: [(&str, &[&str]); 3] = [
    ("treegauge-core", &["--no-default-features"]),
    ("treegauge-core", &["--features", "serde"]),
    // Without the workbench; its tests are left out, and the others compile.
    ("treegauge-cli", &["--no-default-features", "--all-targets"]),
];

/// Enabled features of packages, by name and version. A package that is built twice has two sets.
type Features = BTreeMap<String, BTreeSet<String>>;

/// Checks published packages on their own. In a build of the whole workspace, features that one
/// crate enables serve all crates, which hides a feature that another crate forgot to enable.
///
/// A package whose direct dependencies have the same features when it is built by itself sees the
/// same code as in the tests, which build the whole workspace; it is not checked again.
pub(crate) fn features() -> Result<()> {
    let whole = enabled(&["--workspace", "--edges", "normal,build,dev"])?;
    let mut same = 0;
    for name in published()? {
        let own = enabled(&["--package", &name, "--edges", "normal,build", "--depth", "1"])?;
        ensure!(own.len() > 1 || name == "treegauge-core", "{name} depends on nothing");
        let is_same = |(package, features)| whole.get(package) == Some(features);
        if own.iter().filter(|(package, _)| !is_package(package, &name)).all(is_same) {
            same += 1;
        } else {
            apart(&name, &[])?;
        }
    }
    println!("    {same} packages have the same dependencies by themselves as in the workspace");
    FEATURES.iter().try_for_each(|(name, features)| apart(name, features))
}

fn apart(name: &str, features: &[&str]) -> Result<()> {
    let mut command = cargo(&["check", "--quiet", "--package", name]);
    check(command.args(features)).with_context(|| format!("{name} does not build by itself"))
}

/// Features that cargo enables for the packages of a tree of dependencies.
fn enabled(arguments: &[&str]) -> Result<Features> {
    let mut tree = cargo(&["tree", "--quiet", "--prefix", "none", "--format", "{p};{f}"]);
    let text = output(tree.args(arguments))?;
    let mut features = Features::new();
    // `name v1.2.3 (place);feature,feature (*)`; an empty line separates two trees.
    for (package, enabled) in text.lines().filter_map(|line| line.split_once(';')) {
        let package: Vec<&str> = package.split(' ').take(2).collect();
        let enabled = enabled.trim_end_matches("(*)").trim_end();
        features.entry(package.join(" ")).or_default().insert(enabled.to_owned());
    }
    Ok(features)
}

/// Tests whether a package of a tree has this name.
fn is_package(package: &str, name: &str) -> bool {
    package.split(' ').next() == Some(name)
}
