//! `flips`: files with a flipped bit or without their end, under every command that reads them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::attack::Class;
use crate::attack::arena::Arena;
use crate::attack::job::{Input, Job, Ran};
use crate::attack::random::Random;
use crate::attack::samples::{
    ANSWERS, GAUGE, MATCH, REPORTS, STOPPED, TOURNAMENT, asked, problems,
};
use crate::attack::snapshot::{Snapshot, steady};

/// Protection of a kind of file against damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sealed {
    /// A checksum covers every byte.
    Whole,
    /// A checksum covers every line. Readers drop a last line without its end.
    Lines,
    /// A checksum covers every line, and lost lines are computed again: only the file itself may
    /// show the damage.
    Spare,
    /// No checksum: a reader may read another number.
    No,
}

/// A sample, the name of its damaged copy, and the commands that read the copy.
struct Kind {
    sample: String,
    name: &'static str,
    sealed: Sealed,
    commands: Vec<Vec<String>>,
    /// Standard input of the commands.
    typed: String,
}

/// Standard input of `play`.
const TYPED: &str = "hint\nmoves\nundo\nhint\nquit\n";

/// Time limit of a run. A resumed solve takes some seconds.
const PATIENCE: Duration = Duration::from_secs(30);

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for (sample, game, moves) in [
        ("tic.tgs", "tic_tac_toe", "a1,b2"),
        ("achi.tgs", "achi", "b2,a1"),
        ("four.tgs", "connect_four(cols=4,rows=4)", "a,b,a,d"),
        ("saved.tgs", "achi", "a1,b2"),
    ] {
        let perfect = "perfect(file=damaged.tgs)";
        let looks = "alphabeta(eval=perfect(file=damaged.tgs),depth=2)";
        let mut commands: Vec<Vec<String>> = [
            "probe damaged.tgs --json",
            "verify damaged.tgs",
            "verify damaged.tgs --threads 1 --json",
            "interest damaged.tgs --json",
            "interest damaged.tgs --csv all.csv --html page.html",
            "interest damaged.tgs --save",
            "interest damaged.tgs --start 3",
            "puzzles damaged.tgs --json",
            "puzzles damaged.tgs --html -",
            "play --perfect damaged.tgs",
        ]
        .map(words)
        .into();
        let line = moves.replace(',', " ");
        commands.push([words("probe damaged.tgs --moves"), vec![line.clone()]].concat());
        commands.push([words("play --perfect damaged.tgs --moves"), vec![line]].concat());
        for text in [
            format!("play {game} --first {perfect} --second random"),
            format!("match {game} {perfect} random --games 4 --json"),
            format!("match {game} {looks} {perfect} --games 4 --threads 1"),
            format!("tournament {game} random {perfect} {looks} --games 2 --json"),
            format!("search {game} --player {looks} --json"),
        ] {
            commands.push(words(&text));
        }
        if sample == "saved.tgs" {
            commands.push(words("interest damaged.tgs --start"));
        }
        let (name, sealed) = ("damaged.tgs", Sealed::Whole);
        kinds.push(Kind { sample: sample.to_owned(), name, sealed, commands, typed: TYPED.into() });
    }
    for (sample, settings) in
        [("gauge.jsonl", GAUGE), ("match.jsonl", MATCH), ("tournament.jsonl", TOURNAMENT)]
    {
        let mut commands = vec![
            words(&format!("{settings} --record damaged.jsonl")),
            words("replay damaged.jsonl --json"),
            words("replay damaged.jsonl"),
        ];
        if sample != "gauge.jsonl" {
            commands.push(words("merge damaged.jsonl --json"));
            commands.push(words("merge damaged.jsonl -o whole.jsonl --html page.html"));
        }
        if sample == "match.jsonl" {
            commands.push(words("match --power --record damaged.jsonl"));
        }
        let (name, sealed, typed) = ("damaged.jsonl", Sealed::Lines, String::new());
        kinds.push(Kind { sample: sample.to_owned(), name, sealed, commands, typed });
    }
    let checkpoint =
        ["damaged.tgs", "out.tgs"].map(|output| format!("solve {STOPPED} -o {output}"));
    let [beside, named] = checkpoint;
    kinds.push(Kind {
        sample: "stopped.tgs.checkpoint".to_owned(),
        name: "damaged.tgs.checkpoint",
        sealed: Sealed::Whole,
        commands: vec![words(&beside), words(&format!("{named} --resume damaged.tgs.checkpoint"))],
        typed: String::new(),
    });
    for (sample, _) in REPORTS {
        kinds.push(Kind {
            sample: sample.to_owned(),
            name: "damaged.json",
            sealed: Sealed::No,
            commands: vec![words("report damaged.json"), words("report damaged.json --html -")],
            typed: String::new(),
        });
    }
    kinds.push(Kind {
        sample: ANSWERS.to_owned(),
        name: "damaged.answers",
        sealed: Sealed::Spare,
        commands: [&["--json"][..], &["--out", "csv"], &["--engines", "3", "--json"]]
            .map(|more| asked("-", "damaged.answers", more))
            .into(),
        typed: problems(),
    });
    kinds
}

/// Result of a command on the undamaged file.
struct Sound {
    code: Option<i32>,
    stdout: Vec<u8>,
    before: Snapshot,
    after: Snapshot,
}

pub(crate) struct Flips {
    kinds: Vec<Kind>,
    sound: HashMap<(usize, usize), Sound>,
}

impl Default for Flips {
    fn default() -> Flips {
        Flips { kinds: kinds(), sound: HashMap::new() }
    }
}

impl Class for Flips {
    fn name(&self) -> &'static str {
        "flips"
    }

    fn quick(&self) -> u64 {
        150
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        // Checkpoints and reports get a third of the tries, whatever the number of their kinds.
        let last = self.kinds.len() - 1;
        let n = match random.below(12) {
            0..4 => random.below(4),
            4..7 => 4 + random.below(3),
            7 => last,
            8 => 7,
            _ => 8 + random.below(last - 8),
        };
        let kind = &self.kinds[n];
        let c = random.below(kind.commands.len());
        let command = &kind.commands[c];
        let job =
            Job::new(command).input(Input::Bytes(kind.typed.clone().into())).patience(PATIENCE);
        if let Entry::Vacant(sound) = self.sound.entry((n, c)) {
            arena.copy(&kind.sample, kind.name)?;
            let before = arena.snapshot()?;
            let ran = arena.run(&job)?;
            ensure!(ran.cut.is_none(), "{} {}", ran.command, ran.end());
            let after = arena.snapshot()?;
            let (code, stdout) = (ran.code, steady(&ran.stdout));
            sound.insert(Sound { code, stdout, before, after });
            arena.clear()?;
        }
        let sound = &self.sound[&(n, c)];
        let mut bytes = arena.samples.read(&kind.sample)?;
        let damage = damage(&mut bytes, random);
        fs::write(arena.path(kind.name), &bytes)?;
        let before = arena.snapshot()?;
        let ran = arena.run(&job)?;
        let after = arena.snapshot()?;
        let now = State { kind, before: &before, after: &after };
        if let Some(wrong) = wrong(&now, &damage, &ran, sound) {
            let name = command[..2].join(" ");
            arena.fault(format!("{} {}, under {name}: {wrong}", kind.sample, damage.words()), &ran);
        }
        Ok(())
    }
}

/// Damage done to a file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Damage {
    cut: bool,
    /// Whether the damage is in the last byte, or reaches to it.
    at_end: bool,
}

impl Damage {
    fn words(self) -> &'static str {
        if self.cut { "cut" } else { "with a flipped bit" }
    }
}

fn damage(bytes: &mut Vec<u8>, random: &mut Random) -> Damage {
    // Headers and footers are short but decide most, so they get half of the damage.
    let len = bytes.len();
    let at = match random.below(4) {
        0 => random.below(len.min(256)),
        1 => len - 1 - random.below(len.min(256)),
        _ => random.below(len),
    };
    if random.one_in(3) {
        bytes.truncate(at);
        return Damage { cut: true, at_end: true };
    }
    bytes[at] ^= 1 << random.below(8);
    Damage { cut: false, at_end: at + 1 == len }
}

/// A file, and its folder before and after a run.
struct State<'a> {
    kind: &'a Kind,
    before: &'a Snapshot,
    after: &'a Snapshot,
}

/// Describes what is wrong with a run on a damaged file; `None` if nothing is. The run must name
/// the file and change nothing, or do what it does with the undamaged file.
fn wrong(now: &State<'_>, damage: &Damage, ran: &Ran, sound: &Sound) -> Option<String> {
    let name = now.kind.name;
    // A merge without one of its parts reports it and ends with exit code 1.
    let incomplete = ran.code == Some(1) && ran.complaint().contains("INCOMPLETE");
    let other = if incomplete { 1 } else { sound.code.unwrap_or(0) };
    if let Some(wrong) = ran.wrong_end(&[65, other]) {
        return Some(wrong);
    }
    if now.kind.sealed == Sealed::Spare {
        let change = now.after.change_since(&sound.after, &[name]);
        return match change {
            _ if ran.code != sound.code => Some(ran.end()),
            _ if steady(&ran.stdout) != sound.stdout => Some("another result".to_owned()),
            _ if ran.complaint().lines().count() > 1 => Some("more than a word of it".to_owned()),
            change => change,
        };
    }
    if ran.code == Some(65) && sound.code != Some(65) {
        if !ran.complaint().contains(name) {
            return Some("exit code 65, and the file is not named".to_owned());
        }
        let change = now.after.change_since(now.before, &[])?;
        return Some(format!("exit code 65, and {change}"));
    }
    match now.kind.sealed {
        Sealed::No => return None,
        // The remaining lines form a record of fewer games.
        Sealed::Lines if damage.at_end && !ran.command.contains("--record damaged") => return None,
        Sealed::Lines if damage.at_end && ran.command.contains("--power") => return None,
        _ => {}
    }
    if steady(&ran.stdout) != sound.stdout {
        return Some(format!("{}, and another result", ran.end()));
    }
    let change = now.after.change_since(&sound.after, &[name]);
    if let Some(change) = change {
        return Some(format!("{}, and {change}", ran.end()));
    }
    // The damaged file must become what the undamaged one would. If it is only read, it may also
    // stay as it is.
    let [before, after] = [now.before, now.after].map(|of| of.get(name));
    let whole = sound.after.get(name);
    let resumes = now.kind.sealed == Sealed::Lines && damage.cut;
    let is_read = sound.before.get(name) == whole && !(resumes && ran.command.contains("--record"));
    (after != whole && !(is_read && after == before))
        .then(|| format!("{}, and {name} is neither kept nor mended", ran.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_a_bit_or_an_end() {
        let mut random = Random::of(1, "flips", 0);
        for _ in 0..200 {
            let whole = vec![7; 300];
            let mut bytes = whole.clone();
            let damage = damage(&mut bytes, &mut random);
            if damage.cut {
                assert!(bytes.len() < whole.len() && whole.starts_with(&bytes));
            } else {
                let changed = |n: &usize| bytes[*n] != whole[*n];
                let at: Vec<usize> = (0..whole.len()).filter(changed).collect();
                assert_eq!(at.len(), 1);
                assert_eq!((bytes[at[0]] ^ 7).count_ones(), 1);
                assert_eq!(damage.at_end, at[0] == 299);
            }
        }
    }
}
