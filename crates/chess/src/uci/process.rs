//! The process of an engine.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Longer lines are cut: an engine that never ends its line must not fill the memory.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Lines that wait to be read; an engine that writes more waits itself.
const LINES_WAITING_MAX: usize = 1_024;

/// The end of what an engine wrote to its error output, which is kept.
const ERRORS_BYTES_MAX: usize = 600;

/// How long an engine that has ended may leave its error output open.
const ERRORS_WAIT: Duration = Duration::from_millis(500);

/// An engine that runs, in a process group of its own: a signal to the program does not reach it, and
/// whatever it started itself ends with it.
pub(super) struct Process {
    child: Child,
    is_over: bool,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Hangs up when the error output ends.
    errors_end: Receiver<()>,
}

/// Why there is no line.
pub(super) enum NoLine {
    Late,
    Ended,
}

impl Process {
    pub(super) fn start(path: &Path) -> io::Result<Process> {
        let mut command = Command::new(path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("the output is a pipe");
        let stderr = child.stderr.take().expect("the error output is a pipe");
        let (sender, lines) = sync_channel(LINES_WAITING_MAX);
        let errors = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&errors);
        let (open, errors_end) = sync_channel::<()>(0);
        let process = Process { child, is_over: false, stdin, lines, errors, errors_end };
        let name = |what: &str| thread::Builder::new().name(format!("engine {what}"));
        name("output").spawn(move || read_lines(BufReader::new(stdout), &sender))?;
        name("errors").spawn(move || {
            keep_end(stderr, &kept);
            drop(open);
        })?;
        Ok(process)
    }

    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(format!("{line}\n").as_bytes())?;
        stdin.flush()
    }

    pub(super) fn line(&self, within: Duration) -> Result<String, NoLine> {
        self.lines.recv_timeout(within).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Late,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// The end of what the engine wrote to its error output until it ended, as one line.
    pub(super) fn errors(&self) -> String {
        // What it wrote last may still be in the pipe; a program that it left behind may hold that open.
        let _ = self.errors_end.recv_timeout(ERRORS_WAIT);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&errors);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Ends the process and all it started, and says how it ended: if it had not by itself, by a signal.
    pub(super) fn end(&mut self) -> String {
        // Before the wait: after it the number of the process may be that of another one.
        if !self.is_over {
            self.kill();
        }
        let status = self.child.wait();
        self.is_over = true;
        status.map_or_else(|error| error.to_string(), |status| status.to_string())
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Sends line after line until nobody takes them.
fn read_lines(mut output: impl BufRead, lines: &SyncSender<String>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = output.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) || lines.send(String::from_utf8_lossy(&bytes).into()).is_err() {
            return;
        }
    }
}

/// Reads to the end, so that the engine never waits for its error output, and keeps the last part.
fn keep_end(mut errors: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut part = [0; 512];
    while let Ok(read @ 1..) = errors.read(&mut part) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&part[..read]);
        let surplus = kept.len().saturating_sub(ERRORS_BYTES_MAX);
        kept.drain(..surplus);
    }
}
