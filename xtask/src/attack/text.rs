//! `text`: long lines, random bytes and escape sequences as names, positions, moves and input, and
//! valid content in the forms of other programs.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;

use anyhow::Result;
use serde_json::Value;

use crate::attack::arena::Arena;
use crate::attack::job::{Input, Job, Ran};
use crate::attack::random::Random;
use crate::attack::samples::REPORTS;
use crate::attack::{Class, DOCUMENTED, disguise};

/// Greatest length of standard error, in bytes.
const COMPLAINT_MAX: u64 = 10 << 10;

/// Greatest resident memory, in bytes.
const PEAK_MAX: u64 = 256 << 20;

/// Length of a long argument in bytes, slightly below the greatest that the system allows.
const LONG: usize = 130_000;

/// Commands with `@` in place of a text. Commands that read standard input get a random one.
const COMMANDS: [&str; 58] = [
    "@",
    "--@",
    "help @",
    "games @",
    "show @",
    "show tic_tac_toe(@)",
    "show tic_tac_toe(@=3)",
    "show tic_tac_toe(size=@)",
    "show kalah --position @",
    "show othello --position @",
    "show mnk --moves @",
    "show tic_tac_toe --svg no/@",
    "show tic_tac_toe --color @",
    "search @",
    "search othello --position @",
    "search othello --moves @",
    "search othello --player @",
    "search othello --player alphabeta(eval=@,depth=2)",
    "search tic_tac_toe --player alphabeta(eval=perfect(file=@),depth=2)",
    "search othello --iterations @",
    "search othello --memory-max @",
    "search othello --@",
    "perft connect_four --depth @",
    "perft @ --depth 2",
    "solve @",
    "solve tic_tac_toe --position @",
    "solve tic_tac_toe --moves @",
    "solve tic_tac_toe --resume @",
    "solve tic_tac_toe -o no/@",
    "solve tic_tac_toe --memory-max @",
    "solve tic_tac_toe --threads @",
    "probe @",
    "probe tic.tgs --position @",
    "probe tic.tgs --moves @",
    "verify @",
    "interest @",
    "interest tic.tgs --start @",
    "puzzles @",
    "puzzles tic.tgs --mate-in @",
    "play @",
    "play tic_tac_toe --first @",
    "play tic_tac_toe --position @",
    "play tic_tac_toe --moves @",
    "play --perfect @",
    "gauge @",
    "gauge tic_tac_toe --record no/@",
    "gauge tic_tac_toe --ladder @",
    "gauge tic_tac_toe --fail-on @",
    "gauge tic_tac_toe --moves @",
    "match tic_tac_toe @ random",
    "match tic_tac_toe random uct(iterations=@)",
    "match tic_tac_toe random random --sprt @",
    "tournament tic_tac_toe @ random",
    "tournament tic_tac_toe random random --shard @",
    "compare tic_tac_toe @",
    "merge @",
    "replay @",
    "report @",
];

/// Sequences that a terminal obeys.
const ESCAPES: [&str; 12] = [
    "\x1b[31m",
    "\x1b[2J\x1b[H",
    "\x1b]0;title\x07",
    "\x1bP1$r\x1b\\",
    "\u{9b}31m",
    "\u{85}",
    "\r",
    "\x08\x08",
    "\x07",
    "\x7f",
    "\n\x1b[1A",
    "a\x1b[0mb",
];

/// Prefixes that make a reader work for a while before it refuses the text.
const STEMS: [&str; 8] =
    ["", "tic_tac_toe", "a1 ", "b2 a1 ", "uct(iterations=", "size=", "1", "x/o/. "];

/// Pieces that long texts repeat.
const REPEATED: [&str; 12] =
    ["a", "(", ")", "9", "a1 ", "uct(", ",", "=", " ", "/", "\u{1f600}", "x.o"];

/// Commands that read a file named `file`.
const FILES: [&str; 5] =
    ["probe file", "replay file", "merge file", "report file", "solve tic_tac_toe --resume file"];

pub(crate) struct Text;

impl Class for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn quick(&self) -> u64 {
        250
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        arena.copy("tic.tgs", "tic.tgs")?;
        let (name, job) = match random.below(11) {
            3 => return disguise::attempt(arena, random),
            0 => played(arena, random)?,
            1 => file(arena, random)?,
            2 => report(arena, random)?,
            _ => {
                let command = random.pick(&COMMANDS);
                let (kind, text) = text(random);
                let words = command.split(' ').map(|word| with(word, &text));
                (format!("{command} with {kind}"), Job::new(words).input(input(random)))
            }
        };
        let ran = arena.run(&job)?;
        if let Some(wrong) = wrong(&ran) {
            arena.fault(format!("{name}: {wrong}"), &ran);
        }
        Ok(())
    }
}

/// Describes what is wrong with a run; `None` if nothing is.
fn wrong(ran: &Ran) -> Option<String> {
    if let Some(wrong) = ran.wrong_end(&DOCUMENTED) {
        return Some(wrong);
    }
    if ran.stderr_len > COMPLAINT_MAX {
        return Some(format!("more than {} KB of standard error", COMPLAINT_MAX >> 10));
    }
    if ran.peak > PEAK_MAX {
        return Some(format!("more than {} MB of memory", PEAK_MAX >> 20));
    }
    if obeyed(&ran.complaint()).is_some() {
        return Some("a control character on standard error".to_owned());
    }
    // Without a terminal the output must not be coloured.
    String::from_utf8_lossy(&ran.stdout)
        .contains('\x1b')
        .then(|| "an escape on standard output".to_owned())
}

/// First character that a terminal obeys; `None` if there is none.
fn obeyed(text: &str) -> Option<char> {
    text.chars().find(|c| c.is_control() && !"\n\t".contains(*c))
}

/// A nonsense text, and its kind.
fn text(random: &mut Random) -> (&'static str, Vec<u8>) {
    let stem = *random.pick(&STEMS);
    match random.below(4) {
        0 => {
            let part = *random.pick(&REPEATED);
            let len = if random.one_in(2) { LONG } else { 1 + random.below(LONG) };
            ("a long text", (stem.to_owned() + &part.repeat(len / part.len())).into_bytes())
        }
        1 => {
            let longest = if random.one_in(4) { LONG } else { 100 };
            let len = 1 + random.below(longest);
            let mut bytes = random.bytes(len);
            bytes.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = 0x1b);
            ("random bytes", bytes)
        }
        2 => {
            let text = format!("{stem}{}{stem}", random.pick(&ESCAPES));
            ("an escape", text.into_bytes())
        }
        _ => {
            let mut text = stem.to_owned();
            (0..=random.below(6)).for_each(|_| {
                text += *random.pick(&REPEATED);
                text += *random.pick(&ESCAPES);
            });
            ("escapes", text.into_bytes())
        }
    }
}

/// Word with the text in place of its `@`.
fn with(word: &str, text: &[u8]) -> OsString {
    let Some((before, after)) = word.split_once('@') else { return word.into() };
    OsString::from_vec([before.as_bytes(), text, after.as_bytes()].concat())
}

/// Random standard input.
fn input(random: &mut Random) -> Input {
    match random.below(4) {
        0 => Input::Nothing,
        1 => Input::Bytes([text(random).1, b"\nquit\n".to_vec()].concat()),
        2 => Input::Bytes(b"quit\n".to_vec()),
        _ => {
            let len = random.below(5_000);
            Input::Bytes(random.bytes(len))
        }
    }
}

/// A game with a player who types nonsense.
fn played(arena: &Arena<'_>, random: &mut Random) -> Result<(String, Job)> {
    let mut words = vec!["play", "tic_tac_toe", "--second", "random"];
    if random.one_in(2) {
        words = vec!["play", "--perfect", "tic.tgs"];
    }
    let (kind, input) = match random.below(5) {
        0 => ("/dev/zero", Input::Path("/dev/zero".into())),
        1 => ("a folder", Input::Path(arena.folder.clone())),
        2 => {
            let line = "x".repeat(LONG) + "\n";
            ("lines of 130 KB", Input::Bytes(line.repeat(1 + random.below(20)).into_bytes()))
        }
        3 => {
            let mut bytes = Vec::new();
            for _ in 0..random.below(50) {
                bytes.extend(text(random).1);
                bytes.push(b'\n');
            }
            ("nonsense", Input::Bytes(bytes))
        }
        _ => {
            let len = random.below(1 << 20);
            ("random bytes", Input::Bytes(random.bytes(len)))
        }
    };
    let job = Job::new(words.iter().copied()).input(input);
    Ok((format!("{} that reads {kind}", words[..2].join(" ")), job))
}

/// A file of nonsense.
fn file(arena: &Arena<'_>, random: &mut Random) -> Result<(String, Job)> {
    let command = *random.pick(&FILES);
    let (kind, text) = text(random);
    fs::write(arena.path("file"), text)?;
    Ok((format!("{command} of {kind}"), Job::new(command.split(' '))))
}

/// A saved report with one text replaced.
fn report(arena: &Arena<'_>, random: &mut Random) -> Result<(String, Job)> {
    let sample = random.pick(&REPORTS).0;
    let mut value: Value = serde_json::from_slice(&arena.samples.read(sample)?)?;
    let (kind, bytes) = text(random);
    let mut texts = Vec::new();
    collect(&mut value, &mut texts);
    let n = random.below(texts.len());
    *texts[n] = String::from_utf8_lossy(&bytes).into_owned();
    drop(texts);
    fs::write(arena.path("saved.json"), serde_json::to_vec(&value)?)?;
    Ok((format!("report of {sample} with {kind}"), Job::new(["report", "saved.json"])))
}

/// Collects all texts of a JSON value.
fn collect<'v>(value: &'v mut Value, texts: &mut Vec<&'v mut String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter_mut().for_each(|value| collect(value, texts)),
        Value::Object(fields) => fields.values_mut().for_each(|value| collect(value, texts)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_found() {
        for text in ESCAPES {
            assert!(obeyed(text).is_some(), "{text:?}");
        }
        assert_eq!(obeyed("two\nlines,\ta tab, é and 木"), None);
        assert_eq!(obeyed("\\x1b[31m"), None);
    }
}
