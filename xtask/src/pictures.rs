//! Pictures of the documentation.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::run::{cargo, check, root, target};

/// Files of `docs/pictures`, each with the command that draws it.
const PICTURES: &[(&str, &[&str])] = &[
    ("connect_four.svg", &["gauge", "connect_four", "--budget", "quick"]),
    ("board_diagonals.svg", &["show", "bagh_chal"]),
    ("board_dots.svg", &["show", "sim", "--moves", "ab cd bc ef ad be"]),
    ("board_graph.svg", &["show", "hare_and_hounds"]),
    ("board_grid.svg", &["show", "all_queens_chess"]),
    ("board_hexagon.svg", &["show", "yavalath(size=4)"]),
    ("board_lattice.svg", &["show", "dots_and_boxes(rows=3,cols=3)"]),
    ("board_pits.svg", &["show", "kalah"]),
    ("board_rhombus.svg", &["show", "hex(size=5)"]),
    ("board_rings_drawn.svg", &["show", "pretwa"]),
    ("board_tracks.svg", &["show", "surakarta"]),
    ("board_rings.svg", &["show", "nine_mens_morris"]),
    ("tree.svg", &["search", "connect_four", "--iterations", "20000", "--picture-nodes", "26"]),
];

/// Draws all pictures; with `--check` only compares them with those that are there.
pub(crate) fn pictures(arguments: &[String]) -> Result<()> {
    let only_checks = match arguments {
        [] => false,
        [option] if option == "--check" => true,
        _ => bail!("expected no argument or --check, found {arguments:?}"),
    };
    check(&mut cargo(&["build", "--quiet", "--package", "treegauge-cli"]))?;
    let program = target().join("debug/treegauge").into_os_string();
    draw(&program.into_string().ok().context("the build folder has a name in UTF-8")?, only_checks)
}

/// The same with a program that is built.
pub(crate) fn draw(program_name: &str, only_checks: bool) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let there = root().join("docs/pictures");
    for (name, command) in PICTURES {
        let drawn = folder.path().join(name);
        let mut program = Command::new(program_name);
        program.args(*command).arg("--quiet").arg("--svg").arg(&drawn);
        check(program.current_dir(folder.path()).stdout(Stdio::null()))?;
        let (drawn, path) = (fs::read(&drawn)?, there.join(name));
        if only_checks {
            let known = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
            ensure!(
                drawn == known,
                "docs/pictures/{name} is not what the program draws: run `cargo xtask pictures`"
            );
        } else {
            fs::create_dir_all(&there)?;
            fs::write(&path, drawn)?;
            println!("wrote docs/pictures/{name}");
        }
    }
    draw_words(program_name, only_checks)
}

/// Folder of the pictures of the words of rules, beside the other pictures.
pub(crate) const WORDS: &str = "docs/pictures/words";

/// Draws the pictures of the words of rules, or compares them.
fn draw_words(program: &str, only_checks: bool) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut program = Command::new(program);
    program.args(["rules", "--quiet", "--pictures"]).arg(folder.path());
    check(program.stdout(Stdio::null()))?;
    let there = root().join(WORDS);
    let names = |folder: &Path| -> Result<BTreeSet<String>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string()));
        names.map(|name: Result<_>| name?.ok().context("a picture has a name in UTF-8")).collect()
    };
    let drawn = names(folder.path())?;
    ensure!(drawn.len() > 100, "the program draws {} words", drawn.len());
    if !only_checks {
        if there.exists() {
            fs::remove_dir_all(&there)?;
        }
        fs::create_dir_all(&there)?;
    }
    for name in &drawn {
        let picture = fs::read(folder.path().join(name))?;
        if only_checks {
            let is_same = fs::read(there.join(name)).is_ok_and(|known| known == picture);
            ensure!(
                is_same,
                "{WORDS}/{name} is not what the program draws: run `cargo xtask pictures`"
            );
        } else {
            fs::write(there.join(name), picture)?;
        }
    }
    let known = names(&there)?;
    let old: Vec<&String> = known.difference(&drawn).collect();
    ensure!(old.is_empty(), "{WORDS} has pictures that no word has: {old:?}");
    if !only_checks {
        println!("wrote {} pictures to {WORDS}", drawn.len());
    }
    Ok(())
}
