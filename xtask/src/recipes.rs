//! Check of the recipes of CONTRIBUTING.md: every step is followed to the letter.
//!
//! A fenced block with a mark in its first line is a step:
//!
//! - `file=PATH` creates a new file with the block;
//! - `after="LINE" in=PATH` inserts the block after that line of a file;
//! - `run` runs its lines, which must succeed.
//!
//! All steps are followed in one copy of the repository, so the recipes cannot rot. Runs come last,
//! and the tests are one call of cargo, because each call for other packages would build crates again for
//! itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::features::UNIFYING;
use crate::run::{cargo, check, members, output, root, target};

/// A step of a recipe.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    File { path: String, text: String },
    Insert { path: String, after: String, text: String },
    Run { lines: Vec<String> },
}

/// Follows every recipe in one copy of the repository.
pub(crate) fn recipes() -> Result<()> {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md"))?;
    let steps = parse(&text)?;
    ensure!(
        steps.iter().any(|step| matches!(step, Step::Run { .. })),
        "CONTRIBUTING.md has no recipe that can be run"
    );
    let target = target();
    let folder = target.join("recipes");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    copy_repository(&folder)?;
    rename_version(&folder.join("Cargo.toml"))?;
    let mut lines = Vec::new();
    for step in steps {
        match step {
            Step::Run { lines: more } => lines.extend(more),
            step => write(step, &folder)?,
        }
    }
    with_own_builds(&target, || run(&lines, &folder, &target))
}

/// Runs the commands of the recipes.
fn run(lines: &[String], folder: &Path, target: &Path) -> Result<()> {
    let Merged { others, targets, tests, filters } = merged(lines)?;
    ensure_targets(&targets, folder)?;
    for line in others {
        check(&mut command(&line, folder, target)?)?;
    }
    let Some(tests) = tests else { return Ok(()) };
    let tested = output(&mut command(&tests, folder, target)?)?;
    print!("{tested}");
    ensure_all_match(&filters, &tested)
}

/// Restores what the repository built under a name without a hash after `work`, which builds others in
/// their places: the program, and the extension module of Python. Later steps must not take those of
/// the recipes.
fn with_own_builds<T>(target: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let (place, aside) = (target.join("debug"), target.join("recipes/own"));
    fs::create_dir_all(aside.join("deps"))?;
    // They are moved, because cargo may hold a second link to the same file.
    let move_all = |from: &Path, to: &Path| -> Result<()> {
        for name in unhashed(from)? {
            fs::rename(from.join(&name), to.join(&name))
                .with_context(|| format!("cannot move {}", from.join(&name).display()))?;
        }
        Ok(())
    };
    move_all(&place, &aside)?;
    let done = work();
    for name in unhashed(&place)? {
        fs::remove_file(place.join(name))?;
    }
    move_all(&aside, &place)?;
    done
}

/// Files below a folder of builds, by their paths in it, whose names have no hash.
fn unhashed(folder: &Path) -> Result<Vec<PathBuf>> {
    let program = PathBuf::from(format!("treegauge{}", std::env::consts::EXE_SUFFIX));
    let mut names: Vec<PathBuf> =
        folder.join(&program).is_file().then_some(program).into_iter().collect();
    let Ok(built) = fs::read_dir(folder.join("deps")) else { return Ok(names) };
    for entry in built {
        let name = PathBuf::from(entry?.file_name());
        let stem = name.file_stem().and_then(|stem| stem.to_str());
        if stem.is_some_and(|stem| ["_treegauge", "lib_treegauge"].contains(&stem)) {
            names.push(Path::new("deps").join(name));
        }
    }
    Ok(names)
}

/// Sets another version in the copy. Cargo cannot distinguish packages of equal version and equal
/// place in their workspace. Without the change the copy could not share the target folder with the
/// repository, and every dependency would be built twice.
fn rename_version(manifest: &Path) -> Result<()> {
    let text = fs::read_to_string(manifest)?;
    let renamed = with_version(&text, "0.0.0-recipes")?;
    fs::write(manifest, without_optimisation(&renamed, &members()?))?;
    Ok(())
}

/// Manifest of a workspace with another version of itself and of its members.
fn with_version(manifest: &str, version: &str) -> Result<String> {
    let own = manifest.lines().find(|line| line.starts_with("version = "));
    let own = own.context("the workspace has a version")?;
    let other = format!("version = \"{version}\"");
    let renamed = |line: &str| {
        let is_own = line == own || line.contains("path = \"crates/");
        if is_own { line.replace(own, &other) } else { line.to_owned() }
    };
    Ok(manifest.lines().map(|line| renamed(line) + "\n").collect())
}

/// Manifest in which these packages are not optimised in builds for development, unless it says
/// something else of them: they are built for a few tests. Other packages keep their profile, so that
/// the builds of the repository serve.
fn without_optimisation(manifest: &str, packages: &[String]) -> String {
    let mut manifest = manifest.to_owned();
    for name in packages {
        let title = format!("[profile.dev.package.{name}]\n");
        match manifest.find(&title) {
            None => manifest.push_str(&format!("\n{title}opt-level = 0\n")),
            Some(at) => {
                let start = at + title.len();
                let section = &manifest[start..];
                let section = &section[..section.find("\n[").unwrap_or(section.len())];
                if !section.contains("opt-level") {
                    manifest.insert_str(start, "opt-level = 0\n");
                }
            }
        }
    }
    manifest
}

/// Copies the files that git tracks, and untracked files that it does not ignore.
fn copy_repository(to: &Path) -> Result<()> {
    let root = root();
    let mut list = Command::new("git");
    list.args(["ls-files", "--cached", "--others", "--exclude-standard"]).current_dir(&root);
    for name in output(&mut list)?.lines() {
        let (from, to) = (root.join(name), to.join(name));
        if from.is_file() {
            fs::create_dir_all(to.parent().expect("a file is in a folder"))?;
            fs::copy(&from, &to).with_context(|| format!("cannot copy {name}"))?;
        }
    }
    Ok(())
}

/// Writes the file or the insertion of a step.
fn write(step: Step, folder: &Path) -> Result<()> {
    match step {
        Step::File { path, text } => {
            let path = folder.join(path);
            ensure!(!path.exists(), "{} is there already", path.display());
            fs::create_dir_all(path.parent().expect("a file is in a folder"))?;
            fs::write(path, text)?;
        }
        Step::Insert { path, after, text } => {
            let file = folder.join(&path);
            let old = fs::read_to_string(&file).with_context(|| path.clone())?;
            let line = format!("{after}\n");
            ensure!(
                old.matches(&line).count() == 1,
                "{path} does not have exactly one line {after:?}"
            );
            fs::write(file, old.replace(&line, &format!("{line}{text}")))?;
        }
        Step::Run { .. } => unreachable!("what is run is collected"),
    }
    Ok(())
}

/// Commands of all recipes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Merged {
    /// Lines other than tests.
    others: Vec<String>,
    /// Test targets and programs that `cargo test` lines name: the kind and the name.
    targets: Vec<[String; 2]>,
    /// All `cargo test` lines in one, with their packages and tests named once. It runs the tests of all
    /// targets.
    tests: Option<String>,
    /// Filters that select the tests.
    filters: Vec<String>,
}

fn merged(lines: &[String]) -> Result<Merged> {
    let mut merged = Merged::default();
    let mut packages = Vec::new();
    for line in lines {
        let Some(rest) = line.strip_prefix("cargo test ") else {
            merged.others.push(line.clone());
            continue;
        };
        let (flags, names) = rest.split_once(" -- ").context("a test of a recipe is named")?;
        let mut names_a_target = false;
        let mut words = flags.split_whitespace();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} has a value"));
            match word {
                // Without it the output names the tests that ran.
                "--quiet" => {}
                "--package" => add(&mut packages, &format!("--package {}", value()?)),
                "--test" | "--bin" => {
                    names_a_target = true;
                    merged.targets.push([word.replace("--", ""), value()?.to_owned()]);
                }
                "--lib" => names_a_target = true,
                _ => bail!("a recipe may not test with {word}"),
            }
        }
        ensure!(names_a_target, "{line:?} would test all targets");
        names.split_whitespace().for_each(|name| add(&mut merged.filters, name));
    }
    if !packages.is_empty() {
        // With another package, for which cargo does not build the dependencies of all once more. With
        // `--lib` cargo would build tests of that package, which has none.
        let (packages, filters) = (packages.join(" "), merged.filters.join(" "));
        let unifying = UNIFYING.join(" ");
        merged.tests = Some(format!("cargo test {packages} {unifying} --tests -- {filters}"));
    }
    Ok(merged)
}

/// Checks that the workspace in a folder has these targets. Cargo cannot: all of them are tested.
fn ensure_targets(targets: &[[String; 2]], folder: &Path) -> Result<()> {
    let mut metadata = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&output(metadata.current_dir(folder))?)?;
    let packages = metadata["packages"].as_array().context("cargo lists packages")?;
    let known: Vec<&Value> =
        packages.iter().filter_map(|package| package["targets"].as_array()).flatten().collect();
    for [kind, name] in targets {
        let is_it = |one: &&Value| one["kind"][0] == kind[..] && one["name"] == name[..];
        ensure!(known.iter().any(is_it), "a recipe tests `--{kind} {name}`, which does not exist");
    }
    Ok(())
}

fn add(to: &mut Vec<String>, word: &str) {
    if !to.iter().any(|known| known == word) {
        to.push(word.to_owned());
    }
}

/// Checks that every filter selects a test that ran. One that selects none would let its recipe
/// rot.
fn ensure_all_match(filters: &[String], tested: &str) -> Result<()> {
    let ran: Vec<&str> = tested.lines().filter_map(|line| line.strip_prefix("test ")).collect();
    for filter in filters {
        let matches = |line: &&str| line.ends_with(" ok") && line.contains(filter.as_str());
        ensure!(ran.iter().any(matches), "no test that ran has {filter:?} in its name");
    }
    Ok(())
}

/// Command of a line.
fn command(line: &str, folder: &Path, target: &Path) -> Result<Command> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["cargo", arguments @ ..] = words.as_slice() else {
        bail!("a recipe may run cargo only, not {line:?}");
    };
    println!("    {line}");
    let unoptimised = unoptimised()?;
    let options = unoptimised.iter().flat_map(|option| ["--config", option]);
    let arguments: Vec<&str> = options.chain(arguments.iter().copied()).collect();
    let mut command = cargo(&arguments);
    command.current_dir(folder).env("CARGO_TARGET_DIR", target);
    Ok(command)
}

/// Options that make cargo build the members of the workspace without optimisation. Recipes show
/// that their code fits; they run little code, and optimising all games again would take longer
/// than all tests. Dependencies stay as the tests built them.
fn unoptimised() -> Result<Vec<String>> {
    let option = |name: &String| format!("profile.dev.package.{name}.opt-level=0");
    Ok(members()?.iter().map(option).collect())
}

/// Steps among the fenced blocks of a text.
fn parse(text: &str) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(header) = line.trim_start().strip_prefix("```") else { continue };
        // A block that is indented as part of a list loses the indentation of its fence.
        let indent = line.len() - line.trim_start().len();
        let mut body = String::new();
        loop {
            let line = lines.next().context("a fenced block is not closed")?;
            if line.trim() == "```" {
                break;
            }
            body.push_str(line.get(indent..).unwrap_or(line.trim_start()));
            body.push('\n');
        }
        let rest = header.split_once(' ').map_or("", |(_, rest)| rest).trim();
        if let Some(path) = rest.strip_prefix("file=") {
            steps.push(Step::File { path: path.to_owned(), text: body });
        } else if let Some(rest) = rest.strip_prefix("after=\"") {
            let (after, path) = rest.rsplit_once("\" in=").context("after=\"LINE\" in=PATH")?;
            steps.push(Step::Insert { path: path.to_owned(), after: after.to_owned(), text: body });
        } else if rest == "run" {
            steps.push(Step::Run { lines: body.lines().map(str::to_owned).collect() });
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_without_a_level_are_not_optimised() {
        let manifest =
            "[profile.dev.package.a]\ndebug = true\n\n[profile.dev.package.b]\nopt-level = 3\n";
        let changed = without_optimisation(manifest, &["a", "b", "c"].map(str::to_owned));
        assert_eq!(
            changed,
            "[profile.dev.package.a]\nopt-level = 0\ndebug = true\n\n[profile.dev.package.b]\nopt-level = 3\n\n\
             [profile.dev.package.c]\nopt-level = 0\n"
        );
    }

    #[test]
    fn blocks_become_steps_and_other_blocks_do_not() {
        let text = "1. Say it:\n\n   ```rust file=a/b.rs\n   //! b\n   fn b() {}\n   ```\n\n\
                    ```rust after=\"mod a;\" in=lib.rs\nmod b;\n```\n```sh\nls\n```\n\
                    ```sh run\ncargo test\n```\n";
        assert_eq!(
            parse(text).unwrap(),
            [
                Step::File { path: "a/b.rs".into(), text: "//! b\nfn b() {}\n".into() },
                Step::Insert {
                    path: "lib.rs".into(),
                    after: "mod a;".into(),
                    text: "mod b;\n".into()
                },
                Step::Run { lines: vec!["cargo test".into()] },
            ]
        );
        assert!(parse("```rust file=a\nx\n").is_err(), "a block that is not closed");
    }

    #[test]
    fn what_was_built_is_there_again() {
        let target = tempfile::tempdir().unwrap();
        let debug = target.path().join("debug");
        fs::create_dir_all(debug.join("deps")).unwrap();
        let program = format!("treegauge{}", std::env::consts::EXE_SUFFIX);
        let places = [debug.join(program), debug.join("deps/lib_treegauge.so")];
        let write = |text: &str| places.iter().try_for_each(|place| fs::write(place, text));
        let build = || Ok(write("of the recipes")?);
        let hashed = debug.join("deps/libtreegauge-1.rlib");
        fs::write(&hashed, "own").unwrap();
        // Without builds before, there must be none after: those of the recipes would be taken for
        // them.
        with_own_builds(target.path(), build).unwrap();
        assert!(places.iter().all(|place| !place.exists()));
        for fails in [false, true] {
            write("own").unwrap();
            let work =
                || build().and_then(|()| if fails { bail!("a test failed") } else { Ok(()) });
            assert_eq!(with_own_builds(target.path(), work).is_err(), fails);
            for place in places.iter().chain([&hashed]) {
                assert_eq!(fs::read_to_string(place).unwrap(), "own");
            }
        }
    }

    #[test]
    fn tests_are_run_by_one_call() {
        let lines = [
            "cargo test --quiet --package a --package b --lib -- x y",
            "cargo check --package c",
            "cargo test --quiet --package b --test program -- y z",
            "cargo test --quiet --package d --bin d -- z",
            "cargo test --quiet --package d --lib -- z",
        ];
        let python = "--package treegauge-python";
        assert_eq!(
            merged(&lines.map(str::to_owned)).unwrap(),
            Merged {
                others: vec!["cargo check --package c".into()],
                targets: [["test", "program"], ["bin", "d"]]
                    .map(|one| one.map(str::to_owned))
                    .into(),
                tests: Some(format!(
                    "cargo test --package a --package b --package d {python} --tests -- x y z"
                )),
                filters: ["x", "y", "z"].map(str::to_owned).into(),
            }
        );
        for bad in ["--package a", "-- x", "--package a -- x", "--package a --doc -- x"] {
            assert!(merged(&[format!("cargo test {bad}")]).is_err(), "{bad}");
        }
        assert_eq!(merged(&[]).unwrap(), Merged::default());
    }

    #[test]
    fn a_target_that_does_not_exist_is_an_error() {
        let found =
            |kind: &str, name: &str| ensure_targets(&[[kind.to_owned(), name.to_owned()]], &root());
        assert!(found("test", "program").is_ok() && found("bin", "treegauge").is_ok());
        assert!(found("test", "treegauge").is_err() && found("bin", "nothing").is_err());
    }

    #[test]
    fn a_filter_that_no_test_matches_is_an_error() {
        let tested = "running 2 tests\ntest a::x ... ok\ntest b ... ignored\n";
        assert!(ensure_all_match(&["x".into()], tested).is_ok());
        assert!(ensure_all_match(&["x".into(), "b".into()], tested).is_err());
        assert!(ensure_all_match(&["tests".into()], tested).is_err());
    }

    /// Checks that a library with `[lib] test = false`, which saves a build, has no tests. They
    /// would never run.
    #[test]
    fn libraries_that_are_not_tested_have_no_tests() {
        let mut untested = 0;
        for entry in fs::read_dir(root().join("crates")).unwrap() {
            let folder = entry.unwrap().path();
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let lib = manifest.split("[lib]").nth(1).unwrap_or_default();
            let lib = lib.split("\n[").next().unwrap_or_default();
            if !lib.lines().any(|line| line == "test = false") {
                continue;
            }
            untested += 1;
            let mut grep = Command::new("git");
            let source = folder.join("src");
            let found = grep.args(["grep", "-n", "cfg(test)", "--"]).arg(source).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&found.stdout), "", "{}", folder.display());
        }
        assert!(untested > 0);
    }

    #[test]
    fn members_get_the_version_of_the_copy_and_other_crates_keep_theirs() {
        let text = "[workspace.package]\nversion = \"0.1.0\"\n[workspace.dependencies]\n\
                    a = { path = \"crates/a\", version = \"0.1.0\" }\nb = { version = \"0.1.0\" }\n";
        assert_eq!(
            with_version(text, "0.0.0-x").unwrap(),
            "[workspace.package]\nversion = \"0.0.0-x\"\n[workspace.dependencies]\n\
             a = { path = \"crates/a\", version = \"0.0.0-x\" }\nb = { version = \"0.1.0\" }\n"
        );
        assert!(with_version("[workspace]\n", "0.0.0-x").is_err());
    }
}
