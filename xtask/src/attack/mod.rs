//! Attacks on the release build of the program.
//!
//! A class attacks in one way: it kills, stops, starves or feeds with damage a command that a user
//! would run, and checks what must still hold. Its tries follow from a seed and their number; only
//! the timing of a loaded machine varies.

mod arena;
mod disguise;
mod flips;
pub(crate) mod job;
mod kills;
mod limits;
mod random;
mod samples;
mod saved;
mod snapshot;
mod special;
mod stops;
mod text;
mod values;
mod workbench;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, Instant, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};

use crate::run::{Program, target};
use arena::{Arena, Fault};
use random::Random;
use samples::Samples;

/// Exit codes that a command without a signal may have.
const DOCUMENTED: [i32; 5] = [0, 1, 2, 65, 69];

/// A way to attack.
trait Class {
    fn name(&self) -> &'static str;

    /// Number of tries of a quick run.
    fn quick(&self) -> u64;

    /// Creates what the tries share.
    fn prepare(&mut self, _samples: &Samples) -> Result<()> {
        Ok(())
    }

    /// Makes one try. It reports faults to the arena; an error means that the attack itself failed.
    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, number: u64) -> Result<()>;
}

fn classes(seed: u64) -> Vec<Box<dyn Class>> {
    vec![
        Box::new(kills::Kills::default()),
        Box::new(flips::Flips::default()),
        Box::new(special::Special::new(seed)),
        Box::new(limits::Limits::default()),
        Box::new(stops::Stops::default()),
        Box::new(text::Text),
        Box::new(values::Values),
        Box::new(saved::Saved),
        Box::new(workbench::Requests),
        Box::new(workbench::Deaths),
    ]
}

#[derive(Debug)]
struct Arguments {
    minutes: f64,
    seed: Option<u64>,
    class: Option<String>,
    number: Option<u64>,
    quick: bool,
    program: Option<PathBuf>,
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Arguments> {
        let mut arguments = Arguments {
            minutes: 2.0,
            seed: None,
            class: None,
            number: None,
            quick: false,
            program: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--minutes" => arguments.minutes = value()?.parse()?,
                "--seed" => arguments.seed = Some(value()?.parse()?),
                "--class" => arguments.class = Some(value()?.clone()),
                "--try" => arguments.number = Some(value()?.parse()?),
                "--program" => arguments.program = Some(value()?.into()),
                "--quick" => arguments.quick = true,
                _ => bail!("unknown argument {word:?} of attack"),
            }
        }
        ensure!((0.0..1e6).contains(&arguments.minutes), "minutes must be a number from 0");
        ensure!(
            arguments.number.is_none() || arguments.class.is_some(),
            "--try needs the --class that it belongs to"
        );
        Ok(arguments)
    }
}

/// Builds the program and attacks it. `words` are the arguments of the command line.
pub(crate) fn attack(words: &[String]) -> Result<()> {
    let arguments = Arguments::parse(words)?;
    let program = match &arguments.program {
        Some(path) => fs::canonicalize(path).with_context(|| format!("{}", path.display()))?,
        None => Program::build()?.path().to_owned(),
    };
    let by_clock = || UNIX_EPOCH.elapsed().unwrap_or_default().as_secs() % 1_000_000;
    let seed = arguments.seed.unwrap_or_else(by_clock);
    let mut classes = classes(seed);
    if let Some(name) = &arguments.class {
        let names: Vec<_> = classes.iter().map(|class| class.name()).collect();
        ensure!(names.contains(&name.as_str()), "unknown class {name:?}; known: {names:?}");
        classes.retain(|class| class.name() == name);
    }
    fs::create_dir_all(target().join("xtask"))?;
    let lock = File::create(target().join("xtask/attack.lock"))?;
    ensure!(lock.try_lock().is_ok(), "another attack from here is at work");
    let folder = target().join("xtask/attack");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    println!("attack: seed {seed}, failed tries stay in {}", folder.display());
    let samples = Samples::make(&program, &folder.join("samples")).context("no samples")?;
    let share = Duration::from_secs_f64(60.0 * arguments.minutes / classes.len() as f64);
    let mut found: Vec<Results> = Vec::new();
    for class in &mut classes {
        let begun = Instant::now();
        class.prepare(&samples)?;
        let mut results = Results::new(class.name());
        let first = arguments.number.unwrap_or(0);
        for number in first.. {
            let beside = folder.join(format!("{}-{number}", class.name()));
            let arena = Arena::new(&program, &samples, beside)?;
            let mut random = Random::of(seed, class.name(), number);
            let attempt = class.attempt(&arena, &mut random, number);
            let attempt = attempt.with_context(|| format!("try {number} of {}", class.name()));
            results.add(number, arena.close()?);
            attempt?;
            let done = number + 1 - first;
            let enough = match (arguments.number, arguments.quick) {
                (Some(_), _) => true,
                (None, true) => done >= class.quick(),
                (None, false) => begun.elapsed() >= share,
            };
            if enough {
                break;
            }
        }
        results.took = begun.elapsed();
        println!("{}", results.row());
        found.push(results);
    }
    found.iter().for_each(|results| results.print(seed));
    println!("\n{HEAD}");
    found.iter().for_each(|results| println!("{}", results.row()));
    let failed: u64 = found.iter().map(|results| results.failed).sum();
    ensure!(failed == 0, "the program failed in {failed} tries with seed {seed}");
    Ok(())
}

const HEAD: &str = "class       tries  failed  different    seconds";

/// Results of the tries of a class.
struct Results {
    class: &'static str,
    tries: u64,
    failed: u64,
    took: Duration,
    /// Faults by description: the first of each, and the numbers of the tries that met it.
    faults: BTreeMap<String, (Fault, Vec<u64>)>,
}

impl Results {
    fn new(class: &'static str) -> Results {
        Results { class, tries: 0, failed: 0, took: Duration::ZERO, faults: BTreeMap::new() }
    }

    fn add(&mut self, number: u64, faults: Vec<Fault>) {
        self.tries += 1;
        self.failed += u64::from(!faults.is_empty());
        for fault in faults {
            let (_, tries) =
                self.faults.entry(fault.what.clone()).or_insert_with(|| (fault, Vec::new()));
            if tries.last() != Some(&number) {
                tries.push(number);
            }
        }
    }

    fn row(&self) -> String {
        format!(
            "{:<10}{:>7}{:>8}{:>11}{:>11.1}",
            self.class,
            self.tries,
            self.failed,
            self.faults.len(),
            self.took.as_secs_f64()
        )
    }

    fn print(&self, seed: u64) {
        for (what, (fault, tries)) in &self.faults {
            let class = self.class;
            println!("\n{class}: {what}\n{}", fault.detail);
            println!(
                "    again: cargo xtask attack --class {class} --seed {seed} --try {}{}",
                tries[0],
                also(&tries[1..])
            );
        }
    }
}

/// Comment with the further tries that met a fault; empty if there are none.
fn also(tries: &[u64]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = tries.iter().take(SHOWN).map(u64::to_string).collect();
    match tries.len() {
        0 => String::new(),
        n if n > SHOWN => format!("  # also in {} and {} more", shown.join(", "), n - SHOWN),
        _ => format!("  # also in {}", shown.join(", ")),
    }
}
