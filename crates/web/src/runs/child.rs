//! The process of a run.

use std::borrow::Cow;
use std::fs::{self, File};
use std::future::{Future, poll_fn};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::task::Poll;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep, sleep};

use super::run::{self, Progress};

/// Name of the environment variable with the workspace of a run, which reads no other files.
pub const ROOT: &str = "TREEGAUGE_ROOT";

/// Niceness of processes.
const NICE: i32 = 5;

/// The time after which a process that was asked to end is killed. A solve writes its checkpoint.
const PATIENCE: Duration = Duration::from_secs(60);
const PATIENCE_STOPPED: Duration = Duration::from_secs(5);

/// A wish to a running process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Keep the work and end.
    Pause,
    /// End.
    Stop,
}

/// Something new about a process.
#[derive(Debug)]
pub(crate) enum News {
    /// Progress.
    Progress(Progress),
    /// There is a new report of the work until now.
    Partial,
}

/// The next thing that happens to a process.
enum Turn {
    /// A line, or the end, of its messages.
    Line(io::Result<Option<Vec<u8>>>),
    /// A wish; `None` if nobody can wish any more.
    Ask(Option<Ask>),
    /// Its time is over.
    Kill,
}

/// The end of a process.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: Option<ExitStatus>,
    /// Reason that the process gave, or the system for there being none.
    pub(crate) error: Option<String>,
    /// Whether the process ran out of memory.
    pub(crate) is_memory: bool,
    pub(crate) cpu_s: Option<f64>,
    pub(crate) peak_memory_bytes: Option<u64>,
    pub(crate) seconds: f64,
}

/// A process to be started.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) program: PathBuf,
    pub(crate) argv: Vec<String>,
    pub(crate) root: PathBuf,
    /// Folder of the run.
    pub(crate) folder: PathBuf,
    pub(crate) memory_bytes_max: u64,
}

/// A message of a process.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Progress(Progress),
    End {
        error: Option<String>,
    },
    #[serde(other)]
    Other,
}

/// Beginning of a line with a report of the work until now; the report and a brace follow.
const PARTIAL: &str = "{\"event\":\"partial\",\"report\":";

impl Start {
    /// Runs the process to its end.
    pub(crate) async fn run(self, mut asks: mpsc::Receiver<Ask>, news: impl Fn(News)) -> Ended {
        let begun = Instant::now();
        let mut child = match self.spawn() {
            Ok(child) => child,
            Err(error) => return Ended::unstarted(&error),
        };
        let pid = child.id();
        limit(pid, self.memory_bytes_max);
        let mut input = child.stdin.take();
        let mut usage = Usage::default();
        let mut error = None;
        let mut noise = String::new();
        let mut kill: Option<Pin<Box<Sleep>>> = None;
        let mut is_heard = true;
        let mut log = Log::open(&self.folder);
        if let Some(messages) = child.stderr.take() {
            let mut lines = BufReader::new(messages).split(b'\n');
            loop {
                let turn = poll_fn(|context| {
                    if is_heard && let Poll::Ready(ask) = asks.poll_recv(context) {
                        return Poll::Ready(Turn::Ask(ask));
                    }
                    if let Some(kill) = &mut kill
                        && kill.as_mut().poll(context).is_ready()
                    {
                        return Poll::Ready(Turn::Kill);
                    }
                    Pin::new(&mut lines).poll_next_segment(context).map(Turn::Line)
                });
                let line = match turn.await {
                    Turn::Line(Ok(Some(line))) => line,
                    Turn::Line(_) => break,
                    Turn::Ask(ask) => {
                        is_heard = ask.is_some();
                        // The end of its input asks the process to keep its work and end, on every system.
                        drop(input.take());
                        let patience =
                            if ask == Some(Ask::Stop) { PATIENCE_STOPPED } else { PATIENCE };
                        kill = Some(Box::pin(sleep(patience)));
                        continue;
                    }
                    Turn::Kill => {
                        kill = None;
                        kill_group(pid);
                        continue;
                    }
                };
                let line = String::from_utf8_lossy(&line);
                usage.measure(pid);
                let is_report = line.starts_with(PARTIAL);
                let line = if is_report { line } else { Cow::Owned(self.without_places(&line)) };
                if let Some(report) =
                    line.strip_prefix(PARTIAL).and_then(|rest| rest.strip_suffix('}'))
                {
                    if run::replace(&self.folder.join(run::PARTIAL), report.as_bytes()).is_ok() {
                        news(News::Partial);
                    }
                    continue;
                }
                match serde_json::from_str(&line) {
                    Ok(Event::Progress(progress)) => {
                        news(News::Progress(progress));
                        continue;
                    }
                    Ok(Event::End { error: found }) => error = found,
                    Ok(Event::Other) => {}
                    Err(_) => {
                        noise.push_str(&line);
                        noise.push('\n');
                        // The last words are those of the end.
                        let cut = noise.len().saturating_sub(4_000);
                        let cut = (cut..noise.len()).find(|at| noise.is_char_boundary(*at));
                        noise.drain(..cut.unwrap_or(0));
                    }
                }
                log.add(&line);
            }
        }
        // Processes that this one started end with it.
        let status = match tokio::time::timeout(PATIENCE_STOPPED, child.wait()).await {
            Ok(status) => status.ok(),
            Err(_) => {
                kill_group(pid);
                child.wait().await.ok()
            }
        };
        Ended {
            status,
            is_memory: is_out_of_memory(&noise),
            error: error.or_else(|| last_words(&noise)),
            cpu_s: usage.cpu_s,
            peak_memory_bytes: usage.peak_memory_bytes,
            seconds: begun.elapsed().as_secs_f64(),
        }
    }

    /// A message without places of this machine: pages show it.
    fn without_places(&self, line: &str) -> String {
        let [program, root] = [&self.program, &self.root].map(|path| path.display().to_string());
        line.replace(&program, "treegauge").replace(&format!("{root}/"), "").replace(&root, ".")
    }

    fn spawn(&self) -> io::Result<Child> {
        let output = run::create(&self.folder.join(run::OUTPUT))?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.argv)
            .current_dir(&self.root)
            .env(ROOT, &self.root)
            .env_remove("TREEGAUGE_READY")
            .stdin(Stdio::piped())
            .stdout(output)
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        command.spawn()
    }
}

/// Whether a process says that it got no more memory.
pub(crate) fn is_out_of_memory(said: &str) -> bool {
    said.contains("memory allocation of") || said.contains("out of memory")
}

impl Ended {
    fn unstarted(error: &io::Error) -> Ended {
        Ended {
            status: None,
            error: Some(format!("The process could not be started: {}.", error.kind())),
            is_memory: false,
            cpu_s: None,
            peak_memory_bytes: None,
            seconds: 0.0,
        }
    }
}

/// The last line that says something.
fn last_words(noise: &str) -> Option<String> {
    noise
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty())
        .map(|line| line.chars().take(300).collect())
}

/// Messages of a run, as the process wrote them.
struct Log(Option<File>);

/// The longest log; later messages are lost.
const LOG_BYTES_MAX: u64 = 4 << 20;

impl Log {
    fn open(folder: &Path) -> Log {
        let path = folder.join(run::LOG);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        let open = || File::options().create(true).append(true).open(&path).ok();
        Log(if is_link { None } else { open() })
    }

    fn add(&mut self, line: &str) {
        let Log(Some(file)) = self else { return };
        if file.metadata().is_ok_and(|facts| facts.len() < LOG_BYTES_MAX) {
            // Noise of other programs is kept as JSON, too.
            let line = match serde_json::from_str::<Value>(line) {
                Ok(_) => line.to_owned(),
                Err(_) => serde_json::json!({"event": "noise", "text": line}).to_string(),
            };
            // The run goes on without its log.
            _ = writeln!(file, "{line}");
        }
    }
}

/// CPU time and memory of a process until now.
#[derive(Debug, Default)]
struct Usage {
    cpu_s: Option<f64>,
    peak_memory_bytes: Option<u64>,
}

impl Usage {
    /// Asks the system, if it can be asked: a process that is gone leaves the last answer.
    fn measure(&mut self, pid: Option<u32>) {
        let Some(pid) = pid.filter(|_| cfg!(target_os = "linux")) else { return };
        let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).ok();
        let peak = read("status").and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim();
            line.strip_suffix(" kB")?.parse::<u64>().ok()
        });
        self.peak_memory_bytes = peak.map(|kibibytes| kibibytes * 1024).or(self.peak_memory_bytes);
        // The name of the process stands in parentheses; user and system time are the 12th and 13th fields behind it.
        let ticks = read("stat").and_then(|text| {
            let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
            Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
        });
        // The kernel counts in hundredths of a second for programs.
        self.cpu_s = ticks.map(|ticks| ticks as f64 / 100.0).or(self.cpu_s);
    }
}

/// Limits the memory of a process and makes it give way to others. The limit is set from outside, just after the
/// start, since nothing may run between the fork and the program without unsafe code.
#[cfg(target_os = "linux")]
pub(crate) fn limit(pid: Option<u32>, memory_bytes_max: u64) {
    use rustix::process::{Resource, Rlimit, prlimit, setpriority_process};
    let Some(pid) =
        pid.and_then(|pid| i32::try_from(pid).ok()).and_then(rustix::process::Pid::from_raw)
    else {
        return;
    };
    // Data and not address space: stacks of threads and arenas reserve space that they never touch.
    let limit = Rlimit { current: Some(memory_bytes_max), maximum: Some(memory_bytes_max) };
    _ = prlimit(Some(pid), Resource::Data, limit);
    _ = setpriority_process(Some(pid), NICE);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit(_: Option<u32>, _: u64) {}

/// Kills a process with all that it started.
#[cfg(unix)]
pub(crate) fn kill_group(pid: Option<u32>) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(pid) = pid.and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw) {
        _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
pub(crate) fn kill_group(_: Option<u32>) {}
