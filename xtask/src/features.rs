//! Checks of crates built on their own.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};

use crate::run::{cargo, check, output, published};

/// Features of a package that are checked in addition to its defaults.
const FEATURES: (&str, &[&str]) = ("treegauge-core", &["--features", "serde"]);

/// The program without the workbench, whose tests are left out; the others compile.
const WITHOUT_WORKBENCH: [&str; 3] = ["--package", "treegauge-cli", "--no-default-features"];

/// A package that enables features of procedural macros, and so decides whether nearly all other
/// packages are built as in a build of the workspace or once more: a build with it shares them.
pub(crate) const UNIFYING: [&str; 2] = ["--package", "treegauge-python"];

/// The greatest number of packages that the workbench may add to the program.
const SERVER_PACKAGES_MAX: usize = 20;

/// Enabled features of packages, by name and version. A package that is built twice has two sets.
type Features = BTreeMap<String, BTreeSet<String>>;

/// Checks published packages on their own. In a build of the whole workspace, features that one
/// crate enables serve all crates, which hides a feature that another crate forgot to enable.
///
/// A package that has the same features when it is built by itself as in a larger build, as have its
/// direct dependencies, is the same code there and sees the same code, and needs no check of its own.
/// The lints build the whole workspace; the packages that differ from it are checked together, then
/// those that differ there, and so on.
pub(crate) fn features() -> Result<()> {
    let mut own = BTreeMap::new();
    for name in published()? {
        let alone = direct(&["--package", &name])?;
        ensure!(alone.len() > 1 || name == "treegauge-core", "{name} depends on nothing");
        own.insert(name, alone);
    }
    let workspace = enabled(&["--workspace", "--edges", "normal,build,dev"])?;
    let mut checked = workspace.clone();
    loop {
        let known = own.len();
        own.retain(|_, alone| !is_same(alone, &checked));
        let names: Vec<&str> = own.keys().map(String::as_str).collect();
        println!("    packages that differ: {}", names.join(" "));
        if own.len() == known {
            names.iter().try_for_each(|name| apart(&[name], &[]))?;
            break;
        }
        if names.is_empty() {
            break;
        }
        apart(&names, &[])?;
        let packages = names.iter().flat_map(|name| ["--package", name]);
        let tree: Vec<&str> = packages.chain(["--edges", "normal,build"]).collect();
        checked = enabled(&tree)?;
    }
    let (name, features) = FEATURES;
    if !is_same(&direct(&[&["--package", name], features].concat())?, &workspace) {
        apart(&[name], features)?;
    }
    workbench_is_optional()?;
    without_workbench()
}

/// Lints the program without the workbench, beside a package with which little is built again, unless
/// that one hides a feature that the program forgot.
fn without_workbench() -> Result<()> {
    let beside = [&WITHOUT_WORKBENCH[..], &UNIFYING].concat();
    let built = enabled(&[&beside[..], &["--edges", "normal,build,dev"]].concat())?;
    let shares = is_same(&direct(&WITHOUT_WORKBENCH)?, &built);
    let packages = if shares { &beside } else { &WITHOUT_WORKBENCH[..] };
    lint(&[packages, &["--all-targets"]].concat())
        .context("the program does not build without the workbench")
}

/// Checks that the program without default features has no server, and counts what the server adds.
fn workbench_is_optional() -> Result<()> {
    let tree = ["--package", "treegauge-cli", "--edges", "normal"];
    let whole = enabled(&tree)?;
    let without = enabled(&[&tree[..], &["--no-default-features"]].concat())?;
    for name in ["treegauge-web", "hyper", "tokio"] {
        let has = |tree: &Features| tree.keys().any(|package| is_package(package, name));
        ensure!(has(&whole) && !has(&without), "{name} is not only part of the workbench");
    }
    let added: Vec<&str> =
        whole.keys().filter(|name| !without.contains_key(*name)).map(String::as_str).collect();
    println!("    packages of the workbench: {}", added.len());
    ensure!(added.len() <= SERVER_PACKAGES_MAX, "the workbench adds {}", added.join(", "));
    Ok(())
}

/// Tests whether a package and its direct dependencies have the same features in another build.
fn is_same(alone: &Features, other: &Features) -> bool {
    alone.iter().all(|(package, features)| other.get(package) == Some(features))
}

/// Lints packages in one build of their own.
fn apart(names: &[&str], features: &[&str]) -> Result<()> {
    let packages: Vec<&str> = names.iter().flat_map(|name| ["--package", name]).collect();
    lint(&[&packages[..], features].concat()).with_context(|| {
        format!("{} does not build without the rest of the workspace", names.join(" and "))
    })
}

fn lint(packages: &[&str]) -> Result<()> {
    check(cargo(&["clippy", "--quiet"]).args(packages).args(["--", "-D", "warnings"]))
}

/// Features of a package of the workspace and of its direct dependencies, when it is built by itself.
fn direct(package: &[&str]) -> Result<Features> {
    enabled(&[package, &["--edges", "normal,build", "--depth", "1"]].concat())
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
