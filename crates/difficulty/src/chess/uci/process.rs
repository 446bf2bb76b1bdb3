//! Process of an engine, with its pipes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::family::{self, Mark};

/// Maximum length of a line, in bytes. A longer line is cut, so that an engine that never ends its
/// line cannot fill the memory.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Output lines that wait to be read; an engine that writes more is blocked.
const LINES_WAITING_MAX: usize = 1_024;

/// Input lines that wait to be written. An engine receives a handful before its answer is read, and
/// the pipe holds far more.
const LINES_UNREAD_MAX: usize = 64;

/// Bytes that are kept of the end of an engine's error output.
const ERRORS_BYTES_MAX: usize = 600;

/// Time to wait for the end of the error output of an engine that has ended.
const ERRORS_WAIT: Duration = Duration::from_millis(500);

/// Time that an engine has to quit when its input ends, before it is killed.
const QUIT_WAIT: Duration = Duration::from_millis(150);

/// Time that the system has to end a killed engine.
const KILL_WAIT: Duration = Duration::from_millis(500);

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Running engine in a process group of its own: a signal to this program does not reach it, and
/// the processes that it started end with it.
pub(super) struct Process {
    child: Child,
    /// Whether the process was reaped, so that its id may belong to another process.
    is_over: bool,
    mark: Mark,
    /// Queue of lines for a thread that writes them, since the engine may never read; `None` once
    /// the input is closed.
    input: Option<SyncSender<String>>,
    /// Receives the error of writing, or disconnects, when the input ends.
    input_end: Receiver<io::Error>,
    lines: Receiver<String>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Disconnects when the error output ends.
    errors_end: Receiver<()>,
}

/// Reason that no line was read.
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
        let (mut child, mark) = family::spawn(&mut command)?;
        let stdin = child.stdin.take().expect("the input is a pipe");
        let stdout = child.stdout.take().expect("the output is a pipe");
        let stderr = child.stderr.take().expect("the error output is a pipe");
        let (sender, lines) = sync_channel(LINES_WAITING_MAX);
        let (input, to_write) = sync_channel(LINES_UNREAD_MAX);
        let (input_open, input_end) = sync_channel(1);
        let errors = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&errors);
        let (open, errors_end) = sync_channel::<()>(0);
        let (is_over, input) = (false, Some(input));
        let process = Process { child, is_over, mark, input, input_end, lines, errors, errors_end };
        let name = |what: &str| thread::Builder::new().name(format!("engine {what}"));
        name("input").spawn(move || {
            if let Err(error) = write_lines(stdin, &to_write) {
                let _ = input_open.send(error);
            }
        })?;
        name("output").spawn(move || read_lines(BufReader::new(stdout), &sender))?;
        name("errors").spawn(move || {
            keep_end(stderr, &kept);
            drop(open);
        })?;
        Ok(process)
    }

    /// Queues a line without waiting for the engine to read it.
    pub(super) fn send(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_ref().ok_or("it was closed")?;
        input.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => "it does not read its input".to_owned(),
            TrySendError::Disconnected(_) => self.input_error().unwrap_or_default(),
        })
    }

    /// Reason that the engine takes no more input; `None` if it still takes some.
    pub(super) fn input_error(&self) -> Option<String> {
        match self.input_end.try_recv() {
            Ok(error) => Some(error.to_string()),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some("it is closed".to_owned()),
        }
    }

    pub(super) fn line(&self, within: Duration) -> Result<String, NoLine> {
        self.lines.recv_timeout(within).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Late,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// Tests whether the process has ended; another process may still hold its output open.
    pub(super) fn has_ended(&mut self) -> bool {
        self.is_over || family::has_ended(&mut self.child)
    }

    /// End of the engine's error output, joined to one line.
    pub(super) fn errors(&self) -> String {
        // The last words may still be in the pipe, which a leftover process may hold open.
        let _ = self.errors_end.recv_timeout(ERRORS_WAIT);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&errors);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Ends the process and all that it started; returns its exit status in words. It is killed if
    /// it does not quit by itself.
    pub(super) fn end(&mut self) -> String {
        if self.is_over {
            return self.reaped().unwrap_or_default();
        }
        if self.input.is_some() {
            let _ = self.send("quit");
            self.input = None;
            wait_for(QUIT_WAIT, || self.has_ended().then_some(()));
        }
        // Kill before reaping: afterwards its id may belong to another process.
        family::kill(&mut self.child, &self.mark);
        let ended = wait_for(KILL_WAIT, || self.reaped());
        self.is_over = ended.is_some();
        ended.unwrap_or_else(|| "it was killed and has not ended yet".to_owned())
    }

    /// Reaps the process and returns its exit status in words; `None` if it still runs.
    fn reaped(&mut self) -> Option<String> {
        match self.child.try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(status.to_string()),
            Err(error) => Some(error.to_string()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Polls `found` until it returns a value or `time` is over.
pub(super) fn wait_for<T>(time: Duration, mut found: impl FnMut() -> Option<T>) -> Option<T> {
    let mut left = time;
    loop {
        let found = found();
        if found.is_some() || left.is_zero() {
            return found;
        }
        let part = left.min(LOOK_EVERY);
        thread::sleep(part);
        left -= part;
    }
}

/// Writes line after line until the queue is closed or the engine takes no more.
fn write_lines(mut input: impl Write, lines: &Receiver<String>) -> io::Result<()> {
    for line in lines {
        input.write_all(line.as_bytes())?;
        input.flush()?;
    }
    Ok(())
}

/// Sends line after line until the output ends or nobody receives them.
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

/// Reads the error output to its end, so that the engine never blocks on it, and keeps the last
/// part.
fn keep_end(mut errors: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut part = [0; 512];
    while let Ok(read @ 1..) = errors.read(&mut part) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&part[..read]);
        let surplus = kept.len().saturating_sub(ERRORS_BYTES_MAX);
        kept.drain(..surplus);
    }
}
