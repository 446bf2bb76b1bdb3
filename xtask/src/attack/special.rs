//! `special`: pipes, folders, devices, links and huge files in place of inputs and outputs, and
//! outputs that are inputs.

use std::fs::{self, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::attack::arena::Arena;
use crate::attack::job::{Input, Job, Ran};
use crate::attack::random::Random;
use crate::attack::samples::{COMPARE, GAUGE, MATCH, STOPPED, TOURNAMENT};
use crate::attack::snapshot::{Snapshot, Thing, steady};
use crate::attack::{Class, DOCUMENTED};

/// Kind of thing in place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pipe,
    Folder,
    Zero,
    Full,
    Null,
    Socket,
    Empty,
    Huge,
    Link,
    Dangling,
    Loop,
    ReadOnly,
    Closed,
    Missing,
}

const KINDS: [Kind; 14] = [
    Kind::Pipe,
    Kind::Folder,
    Kind::Zero,
    Kind::Full,
    Kind::Null,
    Kind::Socket,
    Kind::Empty,
    Kind::Huge,
    Kind::Link,
    Kind::Dangling,
    Kind::Loop,
    Kind::ReadOnly,
    Kind::Closed,
    Kind::Missing,
];

/// Length of a huge file in bytes. The file is sparse and needs no disk space.
const HUGE: u64 = 1 << 30;

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Pipe => "a pipe that nobody else opens",
            Kind::Folder => "a folder",
            Kind::Zero => "/dev/zero",
            Kind::Full => "/dev/full",
            Kind::Null => "/dev/null",
            Kind::Socket => "a socket",
            Kind::Empty => "an empty file",
            Kind::Huge => "1 GB of zeros",
            Kind::Link => "a link to a file",
            Kind::Dangling => "a link to nothing",
            Kind::Loop => "a link to itself",
            Kind::ReadOnly => "a read-only file",
            Kind::Closed => "an unreadable file",
            Kind::Missing => "nothing",
        }
    }

    /// Puts the thing under the name [`PLACE`], made from a valid file if it needs one. Returns
    /// false if that is impossible, or impossible for this user.
    fn put(self, arena: &Arena<'_>, sample: &str) -> Result<bool> {
        let place = arena.path(PLACE);
        let device = |number: &str| -> Result<bool> {
            let mut node = Command::new("mknod");
            node.arg(&place).args(["c", "1", number]).stderr(Stdio::null());
            if node.status()?.success() && File::open(&place).is_ok() {
                return Ok(true);
            }
            // A link serves as well. The program must not get the device's own path, because it
            // might replace the device.
            _ = fs::remove_file(&place);
            symlink(
                format!("/dev/{}", DEVICES.iter().find(|d| d.0 == number).expect("listed").1),
                &place,
            )?;
            Ok(true)
        };
        match self {
            Kind::Pipe => Ok(Command::new("mkfifo").arg(&place).status()?.success()),
            Kind::Folder => {
                fs::create_dir(&place)?;
                fs::write(place.join("inside"), "kept")?;
                Ok(true)
            }
            Kind::Zero => device("5"),
            Kind::Full => device("7"),
            Kind::Null => device("3"),
            // The path of a socket must be short, so the socket is made elsewhere and moved.
            Kind::Socket => {
                let short = tempfile::tempdir()?;
                let made = short.path().join("s");
                _ = UnixListener::bind(&made)?;
                Ok(fs::rename(made, &place).is_ok())
            }
            Kind::Empty => Ok(File::create(&place).map(|_| true)?),
            Kind::Huge => {
                File::create(&place)?.set_len(HUGE)?;
                Ok(true)
            }
            Kind::Link => {
                arena.copy(sample, TARGET)?;
                symlink(TARGET, &place)?;
                Ok(true)
            }
            Kind::Dangling => Ok(symlink("nowhere", &place).map(|()| true)?),
            Kind::Loop => Ok(symlink(PLACE, &place).map(|()| true)?),
            Kind::ReadOnly | Kind::Closed => {
                arena.copy(sample, PLACE)?;
                let mode = if self == Kind::Closed { 0o000 } else { 0o444 };
                fs::set_permissions(&place, Permissions::from_mode(mode))?;
                // A privileged user can read it nevertheless.
                let opened = File::open(&place).map_err(|error| error.kind());
                Ok(self == Kind::ReadOnly || matches!(opened, Err(ErrorKind::PermissionDenied)))
            }
            Kind::Missing => Ok(true),
        }
    }
}

/// Devices by their minor numbers.
const DEVICES: [(&str, &str); 3] = [("3", "null"), ("5", "zero"), ("7", "full")];

/// Name under test, name of a link's target, and another name of the first.
const PLACE: &str = "place";
const TARGET: &str = "target";
const AGAIN: &str = "again";

/// Use of the place by a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Reads it.
    Input,
    /// Reads it and appends to it; creates it if it is missing or empty.
    Record,
    /// Resumes from it if it exists.
    Checkpoint,
    /// Writes it whole.
    Output,
    /// Writes files into it.
    Folder,
    /// Reads it, and writes it under another name.
    Both,
    /// Writes two outputs to it.
    Twice,
}

/// A command, with the sample that belongs in the place.
#[derive(Clone, Debug)]
struct Case {
    words: Vec<String>,
    sample: &'static str,
    role: Role,
}

/// A command together with a special file or a second name.
#[derive(Clone, Debug)]
enum Combination {
    Special(Case, Kind),
    /// The place has a second name: `./place`, its absolute path, a link, or the same name.
    Same(Case, Name),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Plain,
    Dotted,
    Absolute,
    Link,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |role, sample, text: &str| {
        let words = text.split(' ').map(str::to_owned).collect();
        cases.push(Case { words, sample, role });
    };
    for text in [
        "probe place",
        "verify place",
        "interest place --json",
        "interest place --save",
        "interest place --start 3",
        "puzzles place --json",
        "play --perfect place",
        "play tic_tac_toe --first perfect(file=place) --second random",
        "match tic_tac_toe perfect(file=place) random --games 2",
        "tournament tic_tac_toe perfect(file=place) random --games 2",
        "match tic_tac_toe alphabeta(eval=perfect(file=place),depth=2) random --games 2",
        "search tic_tac_toe --player alphabeta(eval=perfect(file=place),depth=2)",
    ] {
        add(Role::Input, "tic.tgs", text);
    }
    for text in
        ["replay place", "replay place --game 1", "merge place", "match --power --record place"]
    {
        add(Role::Input, "match.jsonl", text);
    }
    add(Role::Input, "gauge.json", "report place");
    add(Role::Input, "gauge.json", "report place --html -");
    let resume = format!("solve {STOPPED} --resume place");
    add(Role::Input, "stopped.tgs.checkpoint", &resume);
    add(Role::Checkpoint, "stopped.tgs.checkpoint", "solve tic_tac_toe -o out.tgs");
    let (gauge, matches, tournament, compare) = (GAUGE, MATCH, TOURNAMENT, COMPARE);
    add(Role::Record, "gauge.jsonl", &format!("{gauge} --record place"));
    add(Role::Record, "match.jsonl", &format!("{matches} --record place"));
    add(Role::Record, "tournament.jsonl", &format!("{tournament} --record place"));
    for text in [
        "solve tic_tac_toe -o place",
        "interest tic_tac_toe --csv place",
        "interest tic_tac_toe --html place",
        "puzzles tic_tac_toe --html place",
        &format!("{gauge} --html place"),
        &format!("{matches} --html place"),
        &format!("{tournament} --html place"),
        &format!("{compare} --html place"),
        "search tic_tac_toe --iterations 200 --dot place",
        "search tic_tac_toe --iterations 200 --svg place",
        "search tic_tac_toe --iterations 200 --tree-json place",
        "show tic_tac_toe --svg place",
        "merge match.jsonl -o place",
        "merge match.jsonl --html place",
        "report gauge.json --html place",
    ] {
        add(Role::Output, "tic.tgs", text);
    }
    for text in [
        &format!("{compare} --record place"),
        "replay match.jsonl --game 1 --svg-dir place",
        "play tic_tac_toe --first uct(iterations=50) --second random --log-trees place",
        "man --dir place",
    ] {
        add(Role::Folder, "tic.tgs", text);
    }
    for text in [
        "interest place --csv again",
        "interest place --html again",
        "interest place --save --csv again",
        "puzzles place --html again",
        "match tic_tac_toe perfect(file=place) random --games 2 --html again",
        "match tic_tac_toe perfect(file=place) random --games 2 --record again",
        "tournament tic_tac_toe perfect(file=place) random --games 2 --html again",
        "play tic_tac_toe --first perfect(file=place) --second random --log-trees again",
    ] {
        add(Role::Both, "tic.tgs", text);
    }
    for text in [
        "merge place --html again",
        "merge place -o again",
        "replay place --game 1 --svg-dir again",
    ] {
        add(Role::Both, "match.jsonl", text);
    }
    add(Role::Both, "match.jsonl", &format!("{matches} --record place --html again"));
    add(Role::Both, "gauge.jsonl", &format!("{gauge} --record place --html again"));
    add(Role::Both, "tournament.jsonl", &format!("{tournament} --record place --html again"));
    add(Role::Both, "gauge.json", "report place --html again");
    let resume = format!("solve {STOPPED} --resume place -o again");
    add(Role::Both, "stopped.tgs.checkpoint", &resume);
    for text in [
        "interest tic_tac_toe --csv place --html again",
        "search tic_tac_toe --iterations 200 --dot place --svg again",
        "search tic_tac_toe --iterations 200 --svg place --tree-json again",
        "merge match.jsonl -o place --html again",
        &format!("{gauge} --record place --html again"),
        &format!("{matches} --record place --html again"),
    ] {
        add(Role::Twice, "", text);
    }
    cases
}

/// All combinations, in an order that follows from the seed.
pub(crate) struct Special {
    combinations: Vec<Combination>,
}

impl Special {
    pub(crate) fn new(seed: u64) -> Special {
        let mut combinations = Vec::new();
        for case in cases() {
            if matches!(case.role, Role::Both | Role::Twice) {
                let names = [Name::Plain, Name::Dotted, Name::Absolute, Name::Link];
                combinations.extend(names.map(|name| Combination::Same(case.clone(), name)));
            } else {
                combinations.extend(KINDS.map(|kind| Combination::Special(case.clone(), kind)));
            }
        }
        Random::of(seed, "order of special", 0).shuffle(&mut combinations);
        Special { combinations }
    }
}

impl Class for Special {
    fn name(&self) -> &'static str {
        "special"
    }

    fn quick(&self) -> u64 {
        250
    }

    fn attempt(&mut self, arena: &Arena<'_>, _: &mut Random, number: u64) -> Result<()> {
        let len = self.combinations.len() as u64;
        for sample in ["match.jsonl", "gauge.json"] {
            arena.copy(sample, sample)?;
        }
        match &self.combinations[(number % len) as usize] {
            Combination::Special(case, kind) => special(arena, case, *kind),
            Combination::Same(case, name) => same(arena, case, *name),
        }
    }
}

/// Job of the command. Its standard input says `quit`.
fn job(words: &[String]) -> Job {
    Job::new(words).input(Input::Bytes(b"quit\n".into()))
}

fn special(arena: &Arena<'_>, case: &Case, kind: Kind) -> Result<()> {
    let checkpoint = arena.path("out.tgs.checkpoint");
    let mut plain = None;
    // A command that saves into the file may refuse a read-only one.
    let is_read = case.role == Role::Input && !(saves(case) && kind == Kind::ReadOnly);
    if is_read && matches!(kind, Kind::Link | Kind::ReadOnly) {
        arena.copy(case.sample, PLACE)?;
        plain = Some(arena.run(&job(&case.words))?);
        fs::remove_file(arena.path(PLACE))?;
    }
    if !kind.put(arena, case.sample)? {
        return Ok(());
    }
    if case.role == Role::Checkpoint && kind != Kind::Missing {
        if kind == Kind::Loop {
            return Ok(());
        }
        fs::rename(arena.path(PLACE), checkpoint)?;
    }
    let before = arena.snapshot()?;
    let ran = arena.run(&job(&case.words))?;
    let after = arena.snapshot()?;
    let wrong = wrong_end(case.role, kind, &ran, plain.as_ref())
        .or_else(|| destroyed(case, kind, &ran, &before, &after));
    if let Some(wrong) = wrong {
        let place = if case.role == Role::Checkpoint { "out.tgs.checkpoint" } else { PLACE };
        arena.fault(format!("{}: {place} is {}: {wrong}", name(case), kind.words()), &ran);
    }
    Ok(())
}

/// Tests whether the command adds to the file that it reads.
fn saves(case: &Case) -> bool {
    case.words.iter().any(|word| word == "--save")
}

/// Command without the words that name the game.
fn name(case: &Case) -> String {
    let words = case.words.iter().filter(|word| !word.contains("tic_tac_toe"));
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Describes what is wrong with the end of a run; `None` if nothing is.
fn wrong_end(role: Role, kind: Kind, ran: &Ran, plain: Option<&Ran>) -> Option<String> {
    if let Some(wrong) = ran.wrong_end(&DOCUMENTED) {
        return Some(wrong);
    }
    if let Some(plain) = plain {
        let same = ran.code == plain.code && steady(&ran.stdout) == steady(&plain.stdout);
        return (!same).then(|| format!("{}, other than with the file itself", ran.end()));
    }
    let succeeds = ran.code == Some(0);
    match (role, kind) {
        (_, Kind::Link | Kind::ReadOnly) => None,
        (Role::Input, _) if succeeds => Some("exit code 0, though the input is empty".into()),
        (Role::Output | Role::Record, Kind::Full) if succeeds => {
            Some("exit code 0, though nothing could be written".into())
        }
        (Role::Input | Role::Output | Role::Record | Role::Folder, _)
            if !succeeds && !ran.complaint().contains(PLACE) =>
        {
            Some(format!("{}, and the file is not named", ran.end()))
        }
        _ => None,
    }
}

/// Describes what the run destroyed; `None` if nothing. A failed run must change nothing. A
/// successful one may write only its outputs, and must never replace a thing that is not a file.
fn destroyed(
    case: &Case,
    kind: Kind,
    ran: &Ran,
    before: &Snapshot,
    after: &Snapshot,
) -> Option<String> {
    if ran.code != Some(0) {
        return after
            .change_since(before, &[])
            .map(|change| format!("{}, and {change}", ran.end()));
    }
    if case.role == Role::Input && !saves(case) {
        return after.change_since(before, &[]);
    }
    if case.role == Role::Checkpoint {
        return after.change_since(before, &["out.tgs", "out.tgs.checkpoint"]);
    }
    let was = before.get(PLACE);
    let stays = matches!(was, Some(Thing::Pipe | Thing::Socket | Thing::Device | Thing::Folder))
        || matches!(kind, Kind::Zero | Kind::Full | Kind::Null);
    if stays && after.get(PLACE) != was {
        return Some("exit code 0, and something else is in its place".into());
    }
    let new = |name: &&str| *name == "nowhere" || name.starts_with("place/");
    let mut but: Vec<&str> = after.names().filter(new).collect();
    but.extend([PLACE, TARGET]);
    if let Some(change) = after.change_since(before, &but) {
        return Some(format!("exit code 0, and {change}"));
    }
    None
}

fn same(arena: &Arena<'_>, case: &Case, other: Name) -> Result<()> {
    let place = arena.path(PLACE);
    let again = match other {
        Name::Plain => PLACE.to_owned(),
        Name::Dotted => format!("./{PLACE}"),
        Name::Absolute => place.to_string_lossy().into_owned(),
        Name::Link => AGAIN.to_owned(),
    };
    if case.role == Role::Both {
        arena.copy(case.sample, PLACE)?;
    }
    if other == Name::Link {
        symlink(PLACE, arena.path(AGAIN))?;
    }
    let words: Vec<String> = case.words.iter().map(|word| word.replace(AGAIN, &again)).collect();
    let before = arena.snapshot()?;
    let ran = arena.run(&job(&words))?;
    let after = arena.snapshot()?;
    let (now, was) = (after.get(PLACE), before.get(PLACE));
    let mut wrong = ran.wrong_end(&DOCUMENTED);
    if wrong.is_some() {
        // The first fault is enough.
    } else if ran.code != Some(0) {
        let change = after.change_since(&before, &[]);
        wrong = change.map(|change| format!("{}, and {change}", ran.end()));
    } else if case.role == Role::Twice {
        // A link may have become a file of its own.
        let both = matches!((now, after.get(AGAIN)), (Some(Thing::File(_)), Some(Thing::File(_))));
        wrong = (!both).then(|| "exit code 0, and one of two outputs is lost".into());
    } else if now != was {
        // A solution file must stay valid after saving into it.
        let is_kept =
            saves(case) && arena.run(&job(&["verify".into(), PLACE.into()]))?.code == Some(0);
        wrong = (!is_kept).then(|| "the input was overwritten".into());
    }
    if let Some(wrong) = wrong {
        arena.fault(format!("{} ({other:?}): {wrong}", name(case)), &ran);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_up_once_and_the_seed_decides_when() {
        let order = |seed| format!("{:?}", Special::new(seed).combinations);
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut all: Vec<String> =
            Special::new(3).combinations.iter().map(|one| format!("{one:?}")).collect();
        let len = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), len);
    }
}
