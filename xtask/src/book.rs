//! The book in `docs/` and README: their commands, the output that they show, and their links.
//!
//! Every block marked `sh` is run, line by line, by the program that the tests built, in a folder of its
//! page that is empty but for the `testdata` of the repository. Words behind `sh` say otherwise:
//!
//! - `skip=build`, `skip=interactive` or `skip=slow`: the block is not run, for that reason;
//! - `skip=engine`: the block is run only where the engine of the pages is installed;
//! - `exit=N`: its commands end with this exit code and not with 0.
//!
//! A block with `file=NAME` writes a file into that folder. A block `text` directly after one that is run
//! shows its output: each line stands in the actual output, in this order; `...` stands for anything, as a
//! line or within one.

mod links;
mod output;
mod page;
mod ratings;
mod run;
mod study_games;
mod tasks;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use self::page::{Page, Reason};
use self::run::Room;
use crate::run::{check, output, root, target};

/// Checks the pages, or renews the output that they show.
///
/// The arguments are `--renew` and the names of pages, without which all are taken.
pub(crate) fn book(arguments: &[String]) -> Result<()> {
    let renew = arguments.iter().any(|argument| argument == "--renew");
    let names: Vec<&String> = arguments.iter().filter(|name| *name != "--renew").collect();
    if let Some(option) = names.iter().find(|name| name.starts_with('-')) {
        bail!("unknown option {option}");
    }
    let program = target().join("debug/treegauge");
    ensure!(program.exists(), "there is no {}: `cargo build` makes it", program.display());
    let mut faults: Vec<String> = tasks::follow(renew)?.into_iter().collect();
    faults.extend(words::follow(renew)?);
    faults.extend(study_games::follow(renew)?);
    faults.extend(ratings::follow(renew)?);
    faults.extend(links::faults(&root())?);
    faults.extend(commands_without_row()?);
    let mut count = Count::default();
    for path in pages()? {
        let name = path.strip_prefix(root())?.display().to_string();
        let is_meant = |name: &&String| path.file_stem().is_some_and(|stem| stem == name.as_str());
        if names.is_empty() || names.iter().any(is_meant) {
            faults.extend(follow(&path, &name, renew, &mut count)?);
        }
    }
    ensure!(count.run > 0, "no page of this name has a command");
    println!("{}", count.sentence("the book and README"));
    for fault in &faults {
        eprintln!("{fault}");
    }
    ensure!(faults.is_empty(), "the book and README have faults: {}", faults.len());
    build()
}

/// README, then the pages of the book.
fn pages() -> Result<Vec<PathBuf>> {
    let mut pages = vec![root().join("README.md")];
    let mut book: Vec<PathBuf> =
        fs::read_dir(root().join("docs"))?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    book.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    book.sort();
    pages.extend(book);
    Ok(pages)
}

/// Follows one page, and returns its faults; or renews what it shows.
fn follow(path: &PathBuf, name: &str, renew: bool, count: &mut Count) -> Result<Vec<String>> {
    let text = fs::read_to_string(path)?;
    let page = match Page::parse(&text) {
        Ok(page) => page,
        Err(faults) => {
            return Ok(faults
                .iter()
                .map(|(line, fault)| format!("{name}:{line}: {fault}"))
                .collect());
        }
    };
    let start = Instant::now();
    let room = Room::new(&target().join("debug"))?;
    let followed = run::follow(&page, &room)?;
    let mut of_page = Count { run: followed.run, ..Count::default() };
    for (reason, commands) in followed.skipped {
        *of_page.skipped.entry(reason).or_default() += commands;
    }
    of_page.seconds = start.elapsed().as_secs_f64();
    if of_page.run > 0 || !of_page.skipped.is_empty() {
        println!("    {}", of_page.sentence(name));
    }
    count.add(&of_page);
    let mut faults: Vec<String> =
        followed.faults.iter().map(|(line, fault)| format!("{name}:{line}: {fault}")).collect();
    if renew {
        let (renewed, lost) = page::renewed(&text, &followed.outputs);
        if renewed != text {
            fs::write(path, renewed)?;
            println!("    {name} is renewed");
        }
        for (line, shown) in lost {
            println!(
                "    {name}:{line}: the output has no line like this, which is dropped: {shown}"
            );
        }
    } else {
        for (shown, actual) in &followed.outputs {
            let missing = output::missing(&shown.lines, actual);
            faults
                .extend(missing.map(|(at, fault)| format!("{name}:{}: {fault}", shown.line + at)));
        }
    }
    Ok(faults)
}

/// Commands that were run and skipped.
#[derive(Debug, Default)]
struct Count {
    run: usize,
    skipped: BTreeMap<Reason, usize>,
    seconds: f64,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.run += other.run;
        self.seconds += other.seconds;
        for (&reason, commands) in &other.skipped {
            *self.skipped.entry(reason).or_default() += commands;
        }
    }

    fn sentence(&self, name: &str) -> String {
        let commands = if self.run == 1 { "command" } else { "commands" };
        let mut sentence = format!("{name}: {} {commands} run in {:.1} s", self.run, self.seconds);
        for (reason, commands) in &self.skipped {
            let _ = write!(sentence, "; {commands} skipped ({})", reason.words());
        }
        sentence
    }
}

/// Faults for commands of the program that the table of `docs/commands.md` lacks.
fn commands_without_row() -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    let mut man = Command::new(target().join("debug/treegauge"));
    check(man.args(["--quiet", "man", "--dir"]).arg(folder.path()).stdout(Stdio::null()))?;
    let mut commands = BTreeSet::new();
    for entry in fs::read_dir(folder.path())? {
        let name = entry?.file_name().into_string().ok().context("a manual page has a name")?;
        commands.extend(
            name.strip_prefix("treegauge-")
                .and_then(|name| name.strip_suffix(".1"))
                .map(str::to_owned),
        );
    }
    commands.remove("help");
    ensure!(commands.len() > 20, "the program writes {} manual pages", commands.len());
    let text = fs::read_to_string(root().join("docs/commands.md"))?;
    let has_row = |command: &String| {
        [' ', '`'].iter().any(|end| text.contains(&format!("\n| `{command}{end}")))
    };
    let missing = commands.iter().filter(|command| !has_row(command));
    Ok(missing.map(|command| format!("docs/commands.md: no row for `{command}`")).collect())
}

/// Builds the book where mdBook is installed.
fn build() -> Result<()> {
    let version = Command::new("mdbook").arg("--version").stderr(Stdio::null()).output();
    if !version.is_ok_and(|version| version.status.success()) {
        println!("    mdbook is not installed: the book is not built");
        return Ok(());
    }
    let folder = target().join("book");
    let mut mdbook = Command::new("mdbook");
    output(mdbook.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(folder))?;
    Ok(())
}
