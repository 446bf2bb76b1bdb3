//! `kills`: commands that are killed at random instants and run again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::attack::Class;
use crate::attack::arena::Arena;
use crate::attack::job::{Job, Ran, Signal};
use crate::attack::random::Random;
use crate::attack::snapshot::{Snapshot, steady};

/// Commands that end within a second or two, and the samples that they need. Each run gets a random
/// number after `--threads`, and writes checkpoints several times a second.
const CASES: [(&str, &[&str]); 17] = [
    ("solve connect_four(cols=4,rows=5) -o out.tgs --checkpoint-minutes 0.001 --threads 2", &[]),
    ("solve connect_four(cols=5,rows=4) -o out.tgs --checkpoint-minutes 0.005 --threads 2", &[]),
    ("solve connect_four(cols=4,rows=5) -o out.tgs --json --threads 2", &[]),
    ("solve connect_four(cols=4,rows=5) -o out.tgs --checkpoint-minutes 0.002 --symmetry", &[]),
    ("solve achi(size=4,men=3,adjacency=king) -o out.tgs --checkpoint-minutes 0.001", &[]),
    (
        "solve achi(size=4,men=3,adjacency=king) -o out.tgs --checkpoint-minutes 0.001 --symmetry",
        &[],
    ),
    ("solve dots_and_boxes(rows=2,cols=3) -o out.tgs --checkpoint-minutes 0.001 --threads 2", &[]),
    ("interest connect_four(cols=4,rows=4) --csv all.csv --html page.html", &[]),
    ("interest four.tgs --save", &["four.tgs"]),
    ("puzzles mnk(rows=3,cols=4,k=3) --html sheet.html --json", &[]),
    (
        "gauge connect_four(cols=5,rows=4) --games 30 --skill-games 10 --iterations 300 \
         --solve-limit 0 --record games.jsonl --html page.html --threads 2",
        &[],
    ),
    (
        "gauge connect_four(cols=4,rows=4) --games 20 --skill-games 4 --iterations 200 \
         --record games.jsonl --json --threads 2",
        &[],
    ),
    (
        "match connect_four(cols=6,rows=5) uct(iterations=300) uct(iterations=200) --games \
         100 --record games.jsonl --html page.html --threads 2",
        &[],
    ),
    (
        "tournament connect_four(cols=6,rows=5) random uct(iterations=200) \
         alphabeta(eval=mobility,nodes=200) --games 40 --record games.jsonl --html page.html \
         --threads 2",
        &[],
    ),
    (
        "compare connect_four(cols=4..5,rows=4) --games 16 --skill-games 4 --iterations 150 \
         --solve-limit 0 --record records --html page.html --threads 2",
        &[],
    ),
    ("merge tournament.jsonl -o whole.jsonl --html page.html", &["tournament.jsonl"]),
    ("search othello --iterations 20000 --dot tree.dot --svg tree.svg --tree-json tree.json", &[]),
];

/// Result of an undisturbed run.
struct Whole {
    stdout: Vec<u8>,
    before: Snapshot,
    after: Snapshot,
    took: Duration,
}

/// Time limit of an undisturbed run.
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Default)]
pub(crate) struct Kills {
    whole: HashMap<usize, Whole>,
}

impl Class for Kills {
    fn name(&self) -> &'static str {
        "kills"
    }

    fn quick(&self) -> u64 {
        5
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        let n = random.below(CASES.len());
        let (command, samples) = CASES[n];
        if let Entry::Vacant(whole) = self.whole.entry(n) {
            let Some(found) = undisturbed(command, samples, arena)? else { return Ok(()) };
            whole.insert(found);
            arena.clear()?;
        }
        let whole = &self.whole[&n];
        samples.iter().try_for_each(|name| arena.copy(name, name))?;
        let name = name_of(command);
        let mut parts = Vec::new();
        for _ in 0..=random.below(4) {
            let signal = *random.pick(&[
                Signal::Kill,
                Signal::Kill,
                Signal::Kill,
                Signal::Terminate,
                Signal::Interrupt,
            ]);
            let at = random.between(Duration::ZERO, whole.took.mul_f64(1.1));
            let ran = arena.run(&job(command, random).signal(at, signal))?;
            if let Some(wrong) = wrong_when_killed(&ran) {
                arena.fault(format!("{name}, killed: {wrong}"), &ran);
                return Ok(());
            }
            let now = arena.snapshot()?;
            if ran.code == Some(130) {
                parts.push(now.clone().only(reports_a_part));
            }
            if let Some(half) = half_written(&now, whole, &parts) {
                arena.fault(format!("{name}, killed: {half} is neither old nor new"), &ran);
                return Ok(());
            }
            if ran.code == Some(0) {
                break;
            }
        }
        let ran = arena.run(&job(command, random))?;
        if let Some(wrong) = ran.wrong_end(&[0]) {
            arena.fault(format!("{name}, run again after kills: {wrong}"), &ran);
        } else if steady(&ran.stdout) != whole.stdout {
            arena.fault(format!("{name}, run again after kills: another report"), &ran);
        }
        if let Some(change) = arena.snapshot()?.change_since(&whole.after, &[]) {
            arena.fault(format!("{name}, run again after kills: {change}"), &ran);
        }
        Ok(())
    }
}

/// First two words of a command, to name it.
fn name_of(command: &str) -> String {
    command.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Job of a command with a random number of threads.
fn job(command: &str, random: &mut Random) -> Job {
    let mut words: Vec<&str> = command.split(' ').collect();
    if let Some(at) = words.iter().position(|&word| word == "--threads") {
        words[at + 1] = *random.pick(&["1", "2", "3"]);
    }
    Job::new(words).patience(PATIENCE)
}

/// Runs the command to its end; `None` if it fails by itself.
fn undisturbed(command: &str, samples: &[&str], arena: &Arena<'_>) -> Result<Option<Whole>> {
    samples.iter().try_for_each(|name| arena.copy(name, name))?;
    let before = arena.snapshot()?;
    let ran = arena.run(&Job::new(command.split(' ')).patience(PATIENCE))?;
    if let Some(wrong) = ran.wrong_end(&[0]) {
        arena.fault(format!("{}, undisturbed: {wrong}", name_of(command)), &ran);
        return Ok(None);
    }
    let after = arena.snapshot()?;
    ensure!(before != after, "{command} writes nothing");
    let (stdout, took) = (steady(&ran.stdout), ran.ended);
    Ok(Some(Whole { stdout, before, after, took }))
}

/// Describes a wrong end of a killed run; `None` if the run died of its signal, ended as
/// interrupted, or had just finished.
fn wrong_when_killed(ran: &Ran) -> Option<String> {
    if ran.died_as_told() { None } else { ran.wrong_end(&[0, 130]) }
}

/// Name of a half-written file: it has its final name, and its content is neither that before the
/// first run, nor the final one, nor that of an interrupted run's partial report. Records and
/// checkpoints grow in place, so they do not count.
fn half_written(now: &Snapshot, whole: &Whole, parts: &[Snapshot]) -> Option<String> {
    let names = now.names().filter(|name| {
        let grows = name.ends_with(".jsonl") || name.ends_with(".checkpoint");
        let is_hidden = name.rsplit('/').next().is_some_and(|last| last.starts_with('.'));
        !(grows || is_hidden)
    });
    let mut half = names.filter(|name| {
        let thing = now.get(name);
        let known = parts.iter().chain([&whole.before, &whole.after]);
        known.map(|known| known.get(name)).all(|known| known != thing)
    });
    half.next().map(str::to_owned)
}

/// Tests whether an interrupted command writes a partial report to this file.
fn reports_a_part(name: &str) -> bool {
    [".html", ".dot", ".svg", ".json"].iter().any(|end| name.ends_with(end))
}
