//! Memory of a solve of each game, compared with its limit.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::attack::job::{Job, Signal};
use crate::heavy;
use crate::run::{Program, target};

/// Bytes that the release build may take above 110% of its limit: its code, its stacks and
/// everything that is not positions.
const BESIDE: u64 = 32 << 20;

/// Part of them that is not the program itself.
const BESIDE_PROGRAM: u64 = 18 << 20;

/// Greatest memory that a run may take, in bytes. `program` is the memory of the program when it does
/// next to nothing: that of an unoptimised build is more than twice that of the release build.
pub(crate) fn bound(limit: u64, program: u64) -> u64 {
    limit + limit / 10 + BESIDE.max(program + BESIDE_PROGRAM)
}

/// Command that needs next to no memory beside the program.
pub(crate) fn idle() -> Job {
    Job::new(["games", "tic_tac_toe"])
}

#[derive(Debug)]
struct Arguments {
    /// Memory limits in MB.
    limits: Vec<u64>,
    threads: Vec<u64>,
    seconds: u64,
    /// Games to solve; all if empty.
    games: Vec<String>,
    program: Option<PathBuf>,
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Arguments> {
        let mut arguments = Arguments {
            limits: vec![64, 512, 4096],
            threads: vec![1, 2, 4, 8],
            seconds: 60,
            games: Vec::new(),
            program: None,
        };
        let numbers = |text: &str| -> Result<Vec<u64>> {
            let numbers = text.split(',').map(str::parse).collect::<Result<Vec<u64>, _>>();
            numbers.with_context(|| format!("{text:?} is not a list of numbers"))
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--limits" => arguments.limits = numbers(value()?)?,
                "--threads" => arguments.threads = numbers(value()?)?,
                "--seconds" => arguments.seconds = value()?.parse()?,
                "--games" => {
                    arguments.games = value()?.split(',').map(str::to_owned).collect();
                }
                "--program" => arguments.program = Some(value()?.into()),
                _ => bail!("unknown argument {word:?} of memory"),
            }
        }
        Ok(arguments)
    }
}

/// Solves every family, and games of many moves, with each limit and number of threads, and prints
/// the peaks of resident memory. A solve that exceeds its time is asked to stop, and keeps its
/// results.
pub(crate) fn memory(words: &[String]) -> Result<()> {
    let arguments = Arguments::parse(words)?;
    let program = match &arguments.program {
        Some(path) => fs::canonicalize(path).with_context(|| format!("{}", path.display()))?,
        None => Program::build()?.path().to_owned(),
    };
    let folder = target().join("xtask/memory");
    fs::create_dir_all(folder.join("tmp"))?;
    let mut games = families(&program, &folder)?;
    heavy::write(&folder)?;
    games.extend(heavy::WIDE.map(str::to_owned));
    if !arguments.games.is_empty() {
        games.retain(|game| arguments.games.contains(game));
    }
    let own = idle().run(&program, &folder, &folder)?.peak;
    let mut over = 0;
    for &limit in &arguments.limits {
        let columns: Vec<String> =
            arguments.threads.iter().map(|threads| format!("{threads:>8}")).collect();
        println!(
            "\npeak in MB with --memory-max {limit}M, at most {}; by threads:",
            bound(limit << 20, own) >> 20
        );
        println!("{:<32}{}", "game", columns.concat());
        for game in &games {
            let mut row = format!("{game:<32}");
            for &threads in &arguments.threads {
                let most = bound(limit << 20, own);
                let peak = peak(&program, &folder, game, limit, threads, arguments.seconds)?;
                let is_over = peak > most;
                over += u64::from(is_over);
                let mark = if is_over { "!" } else { "" };
                row += &format!("{:>8}", format!("{mark}{}", peak.div_ceil(1 << 20)));
            }
            println!("{row}");
        }
    }
    ensure!(over == 0, "{over} solves took more memory than their limit and its margin");
    Ok(())
}

/// Names of the families, without their presets.
fn families(program: &Path, folder: &Path) -> Result<Vec<String>> {
    let ran = Job::new(["games", "--json"]).run(program, folder, folder)?;
    let games: serde_json::Value = serde_json::from_slice(&ran.stdout)?;
    let games = games["games"].as_array().context("games has a list")?;
    let name = |game: &serde_json::Value| game["name"].as_str().map(str::to_owned);
    games.iter().map(name).collect::<Option<_>>().context("a game has a name")
}

/// Peak of resident memory of one solve, in bytes.
fn peak(
    program: &Path,
    folder: &Path,
    game: &str,
    limit: u64,
    threads: u64,
    seconds: u64,
) -> Result<u64> {
    let (limit_word, threads) = (format!("{limit}M"), threads.to_string());
    let words = ["solve", game, "--memory-max", &limit_word, "--threads", &threads];
    let job = Job::new(words)
        .signal(Duration::from_secs(seconds), Signal::Terminate)
        .patience(Duration::from_secs(600))
        .resident_max(2 * bound(limit << 20, BESIDE));
    let ran = job.run(program, folder, folder)?;
    let tmp = folder.join("tmp");
    fs::remove_dir_all(&tmp)?;
    fs::create_dir_all(&tmp)?;
    match ran.wrong_end(&[0, 2, 130]) {
        Some(wrong) => bail!("{}: {wrong}\n{}", ran.command, ran.complaint()),
        None => Ok(ran.peak),
    }
}
