//! Runs of the program with a deadline, signals and a measured peak of memory.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Default time after which a run counts as hung.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Interval between two checks of a run.
const LOOK: Duration = Duration::from_millis(2);

/// Resident memory in bytes above which a run is killed, to protect the machine.
const RESIDENT_MAX: u64 = 3 << 30;

/// Greatest number of bytes stored of each of standard output and standard error. The rest is only
/// counted.
const KEPT_MAX: u64 = 64 << 20;

/// A signal sent to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    Interrupt,
    Terminate,
    Kill,
}

impl Signal {
    fn name(self) -> &'static str {
        match self {
            Signal::Interrupt => "INT",
            Signal::Terminate => "TERM",
            Signal::Kill => "KILL",
        }
    }

    fn number(self) -> i32 {
        match self {
            Signal::Interrupt => 2,
            Signal::Terminate => 15,
            Signal::Kill => 9,
        }
    }

    /// Signal to send instead. SIGTERM replaces SIGINT if SIGINT is ignored, as in the background
    /// of a script: a program inherits its parent's ignored signals.
    fn that_arrives(self) -> Signal {
        static IGNORED: OnceLock<bool> = OnceLock::new();
        let ignored = IGNORED.get_or_init(|| {
            let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
            let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            mask.is_some_and(|mask| mask >> 1 & 1 == 1)
        });
        if self == Signal::Interrupt && *ignored { Signal::Terminate } else { self }
    }

    fn send(self, child: &mut Child) -> Result<()> {
        if self == Signal::Kill {
            return Ok(child.kill()?);
        }
        // Nobody has waited for the child yet, so no other process can have its number.
        let mut kill = Command::new("kill");
        kill.arg(format!("-{}", self.name())).arg(child.id().to_string());
        kill.stderr(Stdio::null()).status().context("cannot run kill")?;
        Ok(())
    }
}

/// Standard input of a run.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Nothing,
    Bytes(Vec<u8>),
    /// A file or device.
    Path(PathBuf),
    /// An open pipe that stays empty.
    Idle,
}

/// A command to run.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    words: Vec<OsString>,
    input: Input,
    signals: Vec<(Duration, Signal)>,
    patience: Duration,
    resident_max: u64,
}

impl Job {
    /// The program with these arguments and empty standard input.
    pub(crate) fn new<W: Into<OsString>>(words: impl IntoIterator<Item = W>) -> Job {
        let words = words.into_iter().map(Into::into).collect();
        Job {
            words,
            input: Input::Nothing,
            signals: Vec::new(),
            patience: PATIENCE,
            resident_max: RESIDENT_MAX,
        }
    }

    /// Sets the standard input.
    pub(crate) fn input(self, input: Input) -> Job {
        Job { input, ..self }
    }

    /// Sets the time after which the run counts as hung, from its start or its last signal.
    pub(crate) fn patience(self, patience: Duration) -> Job {
        Job { patience, ..self }
    }

    /// Sets the number of bytes above which the run is killed.
    pub(crate) fn resident_max(self, resident_max: u64) -> Job {
        Job { resident_max, ..self }
    }

    /// Adds a signal at this time, after those that the job has.
    pub(crate) fn signal(mut self, at: Duration, signal: Signal) -> Job {
        self.signals.push((at, signal.that_arrives()));
        self
    }

    /// Shell command of the job, with the sent signals in a comment.
    fn text(&self, input: &Path, sent: &[Sent]) -> String {
        let mut text = "treegauge".to_owned();
        for word in &self.words {
            text = text + " " + &quoted(word.as_bytes());
        }
        match &self.input {
            Input::Nothing => {}
            Input::Idle => text = format!("sleep 1000 | {text}"),
            Input::Bytes(_) => text = text + " < " + &quoted(input.as_os_str().as_bytes()),
            Input::Path(path) => text = text + " < " + &quoted(path.as_os_str().as_bytes()),
        }
        for (n, Sent { signal, at, .. }) in sent.iter().enumerate() {
            let before = if n == 0 { "  #" } else { "," };
            text += &format!("{before} SIG{} after {:.3} s", signal.name(), at.as_secs_f64());
        }
        text
    }

    /// Runs the job in `folder`. `beside` is a folder for the files that the run itself needs.
    pub(crate) fn run(&self, program: &Path, folder: &Path, beside: &Path) -> Result<Ran> {
        let ready = beside.join("ready");
        fs::write(&ready, "")?;
        let is_ready = || fs::metadata(&ready).is_ok_and(|found| found.len() > 0);
        let mut command = Command::new(program);
        command.args(&self.words).current_dir(folder);
        command.env("TMPDIR", beside.join("tmp")).env("TREEGAUGE_READY", &ready);
        command.env_remove("COLUMNS").stdout(Stdio::piped()).stderr(Stdio::piped());
        let input = beside.join("input");
        command.stdin(match &self.input {
            Input::Nothing => Stdio::null(),
            Input::Bytes(bytes) => {
                fs::write(&input, bytes)?;
                File::open(&input)?.into()
            }
            Input::Path(path) => File::open(path)?.into(),
            Input::Idle => Stdio::piped(),
        });
        let begun = Instant::now();
        let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        let _idle = child.stdin.take();
        let streams = (child.stdout.take(), child.stderr.take());
        let out = thread::spawn(|| streams.0.map(kept).unwrap_or_default());
        let err = thread::spawn(|| streams.1.map(kept).unwrap_or_default());
        let (mut sent, mut cut, mut peak) = (Vec::new(), None, 0);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if let Some(&(at, signal)) = self.signals.get(sent.len())
                && begun.elapsed() >= at
            {
                let was_ready = is_ready();
                signal.send(&mut child)?;
                sent.push(Sent { signal, at: begun.elapsed(), was_ready });
                continue;
            }
            let resident = memory(child.id());
            peak = peak.max(resident.peak);
            let waits_since = if sent.len() < self.signals.len() {
                begun.elapsed().min(self.patience)
            } else {
                begun.elapsed() - sent.last().map_or(Duration::ZERO, |sent: &Sent| sent.at)
            };
            if waits_since > self.patience || resident.now > self.resident_max {
                let hung = waits_since > self.patience;
                cut = Some(if hung {
                    Cut::Late(self.patience)
                } else {
                    Cut::Memory(self.resident_max)
                });
                child.kill()?;
                break child.wait()?;
            }
            thread::sleep(LOOK);
        };
        let ended = begun.elapsed();
        let [out, err] = [out, err].map(|reader| reader.join().expect("a reader does not panic"));
        Ok(Ran {
            command: self.text(&input, &sent),
            code: status.code(),
            signal: status.signal(),
            cut,
            sent,
            ended,
            peak,
            stdout: out.0,
            stderr: err.0,
            stderr_len: err.1,
        })
    }
}

/// Reads a stream to its end. Returns the first [`KEPT_MAX`] bytes and the total length.
fn kept(mut stream: impl Read) -> (Vec<u8>, u64) {
    let mut bytes = Vec::new();
    let first = stream.by_ref().take(KEPT_MAX).read_to_end(&mut bytes).unwrap_or(bytes.len());
    let rest = std::io::copy(&mut stream, &mut std::io::sink()).unwrap_or(0);
    (bytes, first as u64 + rest)
}

/// Resident memory of a process in bytes, now and at its peak.
#[derive(Clone, Copy, Default)]
struct Memory {
    now: u64,
    peak: u64,
}

fn memory(process: u32) -> Memory {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let bytes = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(1024 * kibibytes)
    };
    let of = |name| bytes(name).unwrap_or(0);
    Memory { now: of("VmRSS:"), peak: of("VmHWM:") }
}

/// Reason why the attack killed a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Late(Duration),
    /// The run took more than this number of bytes.
    Memory(u64),
}

/// A signal that was sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) signal: Signal,
    pub(crate) at: Duration,
    /// Whether the program had installed its handlers by then.
    pub(crate) was_ready: bool,
}

/// Result of a run.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    /// Shell command of the run.
    pub(crate) command: String,
    pub(crate) code: Option<i32>,
    /// Signal that killed the run.
    pub(crate) signal: Option<i32>,
    pub(crate) cut: Option<Cut>,
    pub(crate) sent: Vec<Sent>,
    pub(crate) ended: Duration,
    /// Peak of resident memory in bytes.
    pub(crate) peak: u64,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) stderr_len: u64,
}

impl Ran {
    /// End of the run, in words.
    pub(crate) fn end(&self) -> String {
        match (self.cut, self.code, self.signal) {
            (Some(Cut::Late(patience)), ..) if self.sent.is_empty() => {
                format!("did not end within {} s", patience.as_secs())
            }
            (Some(Cut::Late(patience)), ..) => {
                format!("did not end within {} s of its signal", patience.as_secs())
            }
            (Some(Cut::Memory(max)), ..) => format!("took more than {} MB", max >> 20),
            (None, Some(code), _) => format!("exit code {code}"),
            (None, None, signal) => format!("died of signal {}", signal.unwrap_or(0)),
        }
    }

    /// Tests whether one of the sent signals killed the run.
    pub(crate) fn died_as_told(&self) -> bool {
        self.cut.is_none() && self.sent.iter().any(|sent| self.signal == Some(sent.signal.number()))
    }

    /// Time from the first signal to the end; `None` if no signal was sent.
    pub(crate) fn after_signal(&self) -> Option<Duration> {
        Some(self.ended.saturating_sub(self.sent.first()?.at))
    }

    /// Standard error as text.
    pub(crate) fn complaint(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Describes an end that is wrong for every command: the run hung, a signal killed it, it
    /// panicked, or its exit code is not among `codes`. Returns `None` if the end is right.
    pub(crate) fn wrong_end(&self, codes: &[i32]) -> Option<String> {
        let panicked = self.complaint().contains("panicked at");
        let expected = self.cut.is_none() && self.code.is_some_and(|code| codes.contains(&code));
        match (expected, panicked) {
            (true, false) => None,
            (_, true) => Some(format!("panicked, {}", self.end())),
            (false, false) => Some(self.end()),
        }
    }
}

/// Word quoted for bash.
pub(crate) fn quoted(word: &[u8]) -> String {
    let is_plain = |c: &u8| c.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(c);
    if !word.is_empty() && word.iter().all(is_plain) {
        return String::from_utf8_lossy(word).into_owned();
    }
    if word.iter().all(|c| (b' '..=b'~').contains(c)) {
        return format!("'{}'", String::from_utf8_lossy(word).replace('\'', r"'\''"));
    }
    let mut text = "$'".to_owned();
    for &c in word {
        match c {
            b'\'' | b'\\' => text.extend(['\\', char::from(c)]),
            b' '..=b'~' => text.push(char::from(c)),
            // Exactly three octal digits, so that a following digit does not count as part of the
            // number.
            _ => text += &format!("\\{c:03o}"),
        }
    }
    text + "'"
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn run(script: &str, patience: u64) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        let job = Job::new(["-c", script]).patience(Duration::from_millis(patience));
        job.run(Path::new("/bin/sh"), folder.path(), folder.path()).unwrap()
    }

    #[test]
    fn words_are_what_bash_makes_of_them_again() {
        for word in ["", "a-b", "it's", "a b\\", "\x1b[31m7", "\u{9b}é\n"] {
            let text = format!("printf %s {}", quoted(word.as_bytes()));
            let output = Command::new("bash").args(["-c", &text]).output().expect("there is bash");
            assert_eq!(output.stdout, word.as_bytes(), "{text}");
        }
    }

    #[test]
    fn ends_are_told_apart() {
        assert_eq!(run("exit 65", 5_000).wrong_end(&[65]), None);
        assert_eq!(run("exit 70", 5_000).wrong_end(&[65]).as_deref(), Some("exit code 70"));
        let panicked = run("echo thread panicked at x >&2; exit 65", 5_000);
        assert_eq!(panicked.wrong_end(&[65]).as_deref(), Some("panicked, exit code 65"));
        assert_eq!(run("kill -6 $$", 5_000).wrong_end(&[0]).as_deref(), Some("died of signal 6"));
        let hung = run("exec sleep 60", 1_000);
        assert_eq!(hung.wrong_end(&[0]).as_deref(), Some("did not end within 1 s"));
    }

    #[test]
    fn a_signal_comes_at_its_time_and_the_peak_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let at = Duration::from_millis(300);
        let job = Job::new(["-c", "exec sleep 60"]).signal(at, Signal::Terminate);
        let ran = job.run(Path::new("/bin/sh"), folder.path(), folder.path()).unwrap();
        assert!(ran.died_as_told() && ran.ended >= at, "{ran:?}");
        assert!(ran.after_signal().unwrap() < Duration::from_secs(5), "{ran:?}");
        assert!(ran.peak > 0);
        assert!(!ran.sent[0].was_ready);
    }
}
