//! Helpers of the tests of the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

/// The exit code of bad usage.
pub(crate) const USAGE: i32 = 2;
/// The exit code of bad input data.
pub(crate) const DATA: i32 = 65;

/// A command line after the name of the program: as words, or as a shell would read it.
pub(crate) trait Words {
    fn words(&self) -> Vec<String>;
}

/// Spaces separate words, and single quotes hold them together.
impl Words for str {
    fn words(&self) -> Vec<String> {
        let (mut words, mut word) = (Vec::new(), None);
        for (n, part) in self.split('\'').enumerate() {
            if n % 2 == 1 {
                word.get_or_insert_with(String::new).push_str(part);
                continue;
            }
            for (n, piece) in part.split(char::is_whitespace).enumerate() {
                if n > 0 {
                    words.extend(word.take());
                }
                if !piece.is_empty() {
                    word.get_or_insert_with(String::new).push_str(piece);
                }
            }
        }
        words.extend(word);
        words
    }
}

impl Words for String {
    fn words(&self) -> Vec<String> {
        self.as_str().words()
    }
}

impl<S: AsRef<str>> Words for [S] {
    fn words(&self) -> Vec<String> {
        self.iter().map(|word| word.as_ref().to_owned()).collect()
    }
}

impl<S: AsRef<str>, const N: usize> Words for [S; N] {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<S: AsRef<str>> Words for Vec<S> {
    fn words(&self) -> Vec<String> {
        self.as_slice().words()
    }
}

impl<W: Words + ?Sized> Words for &W {
    fn words(&self) -> Vec<String> {
        W::words(self)
    }
}

/// Output and exit code of a finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// The exit code; a run that a signal ended has none.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program with these words, in a folder, as a process of the standard library.
pub(crate) fn program(folder: impl AsRef<Path>, command: impl Words) -> std::process::Command {
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_treegauge"));
    // What a developer's terminal sets must not show.
    program.current_dir(folder).args(command.words()).env_remove("COLUMNS");
    program.stdin(Stdio::null());
    program
}

/// A folder of a test, in which the program runs: a name in a command is a file of it.
pub(crate) struct Room(tempfile::TempDir);

impl Room {
    pub(crate) fn new() -> Room {
        Room(tempfile::tempdir().expect("there is room for a folder"))
    }

    /// The path of a file.
    pub(crate) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and returns its name.
    pub(crate) fn write<'n>(&self, name: &'n str, contents: impl AsRef<[u8]>) -> &'n str {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        fs::write(self.at(name), contents).expect("it is written");
        name
    }

    pub(crate) fn bytes(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.at(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("it is text")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.at(name).exists()
    }

    /// The length of a file, 0 where there is none.
    pub(crate) fn size(&self, name: &str) -> u64 {
        fs::metadata(self.at(name)).map_or(0, |there| there.len())
    }

    /// The names and contents of all files below a folder, in order.
    pub(crate) fn files(&self, below: &str) -> Vec<(String, Vec<u8>)> {
        let (mut files, mut folders) = (Vec::new(), vec![self.at(below)]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                let name = path.strip_prefix(self.at(below)).unwrap().to_str().unwrap().to_owned();
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() {
                    files.push((name, fs::read(path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }

    /// The names of all files below a folder, in order.
    pub(crate) fn names(&self, below: &str) -> Vec<String> {
        self.files(below).into_iter().map(|(name, _)| name).collect()
    }

    /// The program with these words, to be started here.
    pub(crate) fn program(&self, command: impl Words) -> std::process::Command {
        program(&self.0, command)
    }

    fn run_as(&self, variables: &[(&str, &str)], command: impl Words, input: &str) -> Ran {
        let output = Command::from_std(self.program(command))
            .envs(variables.iter().copied())
            .write_stdin(input)
            // A program that hangs fails its test instead of the whole suite.
            .timeout(Duration::from_secs(100))
            .output()
            .expect("the program starts");
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is text"),
            stderr: String::from_utf8(output.stderr).expect("stderr is text"),
        }
    }

    /// Runs the program with variables of the environment.
    pub(crate) fn run_in(&self, variables: &[(&str, &str)], command: impl Words) -> Ran {
        self.run_as(variables, command, "")
    }

    /// Runs the program with `input` typed at it.
    pub(crate) fn run_with(&self, command: impl Words, input: &str) -> Ran {
        self.run_as(&[], command, input)
    }

    /// Runs the program with nothing to read.
    pub(crate) fn run(&self, command: impl Words) -> Ran {
        self.run_with(command, "")
    }

    /// The output of a run, which must succeed.
    #[track_caller]
    pub(crate) fn stdout(&self, command: impl Words) -> String {
        let ran = self.run(&command);
        assert_eq!(ran.code, Some(0), "{:?}: {}", command.words(), ran.stderr);
        ran.stdout
    }

    /// The JSON that a run that must succeed prints: one object on one line, versioned.
    #[track_caller]
    pub(crate) fn json(&self, command: impl Words) -> Value {
        let words = [command.words(), vec!["--json".to_owned()]].concat();
        let text = self.stdout(&words);
        assert_eq!(text.lines().count(), 1, "{words:?} prints one line");
        let value: Value = serde_json::from_str(&text).expect("stdout is JSON");
        assert_eq!(value["schema"], 1, "{words:?}");
        value
    }

    /// The same without the task that it repeats.
    #[track_caller]
    pub(crate) fn answer(&self, command: impl Words) -> Value {
        let mut report = self.json(&command);
        let task = report.as_object_mut().and_then(|report| report.remove("task"));
        assert_eq!(task.expect("a report has its task")["command"], command.words()[0]);
        report
    }

    /// Saves the JSON that a command prints in a file of this name.
    #[track_caller]
    pub(crate) fn save(&self, name: &str, command: impl Words) -> Value {
        let report = self.json(command);
        self.write(name, report.to_string());
        report
    }

    /// The page that a command writes, without its foot, which has the command and the day: these may differ
    /// between equal reports.
    #[track_caller]
    pub(crate) fn page(&self, command: impl Words) -> String {
        let words = [command.words(), ["--html", "-"].map(str::to_owned).to_vec()].concat();
        unsigned(&self.stdout(words))
    }

    /// Demands that a command is refused with an exit code and a message that has some parts.
    #[track_caller]
    pub(crate) fn refused(&self, command: impl Words, code: i32, expected: &[&str]) {
        let (words, ran) = (command.words(), self.run(&command));
        assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{words:?} prints no data");
        for part in expected {
            let is_there = ran.stderr.contains(part);
            assert!(is_there, "{part:?} is not in the answer to {words:?}: {}", ran.stderr);
        }
        assert!(!ran.stderr.contains("panicked"), "{words:?}: {}", ran.stderr);
    }
}

/// Runs the program in an empty folder, with `input` typed at it.
pub(crate) fn run_with(command: impl Words, input: &str) -> Ran {
    Room::new().run_with(command, input)
}

/// The same with nothing to read.
pub(crate) fn run(command: impl Words) -> Ran {
    Room::new().run(command)
}

/// The output of a run in an empty folder; the run must succeed.
#[track_caller]
pub(crate) fn stdout(command: impl Words) -> String {
    Room::new().stdout(command)
}

/// The JSON that such a run prints.
#[track_caller]
pub(crate) fn json(command: impl Words) -> Value {
    Room::new().json(command)
}

/// The same without the task that it repeats.
#[track_caller]
pub(crate) fn answer(command: impl Words) -> Value {
    Room::new().answer(command)
}

/// Demands that a command is refused, as [`Room::refused`].
#[track_caller]
pub(crate) fn refused(command: impl Words, code: i32, expected: &[&str]) {
    Room::new().refused(command, code, expected);
}

/// A web page without its foot. The page must stand alone, and pass a policy that allows no styles and scripts
/// within it.
#[track_caller]
pub(crate) fn unsigned(page: &str) -> String {
    let (body, foot) = page.rsplit_once("<footer>").expect("a page is signed");
    let (_, fragment) = body.split_once("<body>").expect("a page has a body");
    for forbidden in ["<style", " style=", "<script", " onclick="] {
        assert!(!fragment.contains(forbidden), "a page has {forbidden}");
    }
    let is_signed = foot.starts_with("Made by treegauge ");
    assert!(is_signed && foot.ends_with("</footer></body></html>"), "{foot}");
    body.to_owned()
}

/// Objects, numbers and texts of a report, by their places in it.
pub(crate) trait Fields {
    fn list(&self, place: &str) -> &[Value];
    fn number(&self, place: &str) -> f64;
    fn whole(&self, place: &str) -> u64;
    fn word(&self, place: &str) -> &str;
}

impl Fields for Value {
    #[track_caller]
    fn list(&self, place: &str) -> &[Value] {
        let found = self.pointer(place).and_then(Value::as_array);
        found.unwrap_or_else(|| panic!("{place:?} is not a list of {self}"))
    }

    #[track_caller]
    fn number(&self, place: &str) -> f64 {
        let found = self.pointer(place).and_then(Value::as_f64);
        found.unwrap_or_else(|| panic!("{place:?} is not a number of {self}"))
    }

    #[track_caller]
    fn whole(&self, place: &str) -> u64 {
        let found = self.pointer(place).and_then(Value::as_u64);
        found.unwrap_or_else(|| panic!("{place:?} is not a whole number of {self}"))
    }

    #[track_caller]
    fn word(&self, place: &str) -> &str {
        let found = self.pointer(place).and_then(Value::as_str);
        found.unwrap_or_else(|| panic!("{place:?} is not a text of {self}"))
    }
}

/// Solves a game into a file of this name, also over a file that is there.
pub(crate) fn solved(room: &Room, name: &str, game: &str) {
    room.stdout(format!("solve {game} -o {name} --force"));
}

/// The path of a file of `testdata`.
pub(crate) fn testdata(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    path.to_str().expect("the path is text").to_owned()
}

/// A record with one line changed, and the checksum that fits.
pub(crate) fn resealed(record: &str, at: usize, change: &dyn Fn(&str) -> String) -> String {
    let seal = ",\"crc32\":\"";
    let line = |(n, line): (usize, &str)| {
        let (object, _) = line.rsplit_once(seal).unwrap();
        let changed = if n == at { change(object) } else { object.to_owned() };
        assert_eq!(changed == object, n != at, "{object}");
        format!("{changed}{seal}{:08x}\"}}\n", crc32(changed.as_bytes()))
    };
    record.lines().enumerate().map(line).collect()
}

/// The checksum of ISO 3309, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}

/// Runs the program again and again, killed whenever its journal has `grown` by a few lines, until a run
/// ends by itself. Fails where it was not killed at least twice.
pub(crate) fn kill_until_it_ends(room: &Room, command: &str, grown: impl Fn() -> u64) {
    let mut kills = 0;
    for _ in 0..100 {
        let before = grown();
        let mut program = room.program(command);
        let mut child = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if grown() > before + 4_000 || begun.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            std::thread::yield_now();
        };
        match ended {
            Some(status) => {
                assert!(status.success());
                break;
            }
            None => kills += 1,
        }
    }
    assert!(kills > 1, "it was killed {kills} times");
}
