//! The pool of worker processes.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use crate::answer::Refusal;
use crate::runs::{kill_group, limit};
use crate::worker::{REPLY_BYTES_MAX, Reply, Request};

/// The greatest number of workers, and of requests that wait for one.
const WORKERS_MAX: usize = 4;
const WAITING_MAX: usize = 16;

/// The memory of a worker.
const MEMORY_BYTES: u64 = 1 << 30;

/// The time after which a worker that does nothing is ended.
const IDLE: Duration = Duration::from_secs(120);

/// Worker processes, which are started when they are needed.
pub(crate) struct Workers {
    program: PathBuf,
    root: PathBuf,
    idle: RefCell<Vec<(Worker, Instant)>>,
    free: Semaphore,
    waiting: Cell<usize>,
    is_sweeping: Cell<bool>,
}

struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        kill_group(self.child.id());
    }
}

impl Workers {
    /// A pool without workers.
    pub(crate) fn new(program: PathBuf, root: PathBuf, cores: usize) -> Rc<Workers> {
        Rc::new(Workers {
            program,
            root,
            idle: RefCell::default(),
            free: Semaphore::new(cores.clamp(1, WORKERS_MAX)),
            waiting: Cell::new(0),
            is_sweeping: Cell::new(false),
        })
    }

    /// Has a worker answer a request within a time. A worker that needs longer, or that ends, is
    /// replaced.
    pub(crate) async fn ask(
        self: &Rc<Self>,
        request: &Request,
        limit: Duration,
    ) -> Result<Reply, Refusal> {
        if self.free.available_permits() == 0 && self.waiting.get() >= WAITING_MAX {
            return Err(Refusal::busy("Too many pages are being made. Try again in a moment."));
        }
        let waiting = Waiting::new(&self.waiting);
        let _permit =
            self.free.acquire().await.map_err(|_| Refusal::busy("The workbench is ending."))?;
        drop(waiting);
        let mut worker = match self.idle_worker() {
            Some(worker) => worker,
            None => self.spawn().map_err(|error| {
                Refusal::busy(format!("A worker could not be started: {}.", error.kind()))
            })?,
        };
        match timeout(limit, worker.ask(request)).await {
            Ok(Some(reply)) => {
                self.idle.borrow_mut().push((worker, Instant::now()));
                self.sweep_later();
                Ok(reply)
            }
            Ok(None) => Err(Refusal::busy("The worker of this page ended before it was done.")),
            Err(_) => {
                let seconds = limit.as_secs();
                Err(Refusal::busy(format!(
                    "This page took more than {seconds} s and was given up."
                )))
            }
        }
    }

    /// A worker that does nothing and is alive.
    fn idle_worker(&self) -> Option<Worker> {
        loop {
            let (mut worker, _) = self.idle.borrow_mut().pop()?;
            if matches!(worker.child.try_wait(), Ok(None)) {
                return Some(worker);
            }
        }
    }

    fn spawn(&self) -> std::io::Result<Worker> {
        let mut command = Command::new(&self.program);
        command
            .args(["serve", "--worker"])
            .current_dir(&self.root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        limit(child.id(), MEMORY_BYTES);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        Ok(Worker { child, input, output: BufReader::new(output) })
    }

    /// Ends idle workers after a while.
    fn sweep_later(self: &Rc<Self>) {
        if self.is_sweeping.replace(true) {
            return;
        }
        let pool = Rc::clone(self);
        tokio::task::spawn_local(async move {
            while !pool.idle.borrow().is_empty() {
                tokio::time::sleep(IDLE / 2).await;
                let now = Instant::now();
                pool.idle.borrow_mut().retain(|(_, since)| now - *since < IDLE);
            }
            pool.is_sweeping.set(false);
        });
    }

    /// Ends all idle workers.
    pub(crate) fn close(&self) {
        self.idle.borrow_mut().clear();
    }
}

impl Worker {
    /// Asks, and waits for the reply; `None` if the worker ends first.
    async fn ask(&mut self, request: &Request) -> Option<Reply> {
        let mut line = serde_json::to_vec(request).ok()?;
        line.push(b'\n');
        self.input.write_all(&line).await.ok()?;
        let mut reply = Vec::new();
        let mut limited = (&mut self.output).take(REPLY_BYTES_MAX as u64 + 2);
        limited.read_until(b'\n', &mut reply).await.ok()?;
        serde_json::from_slice(&reply).ok()
    }
}

/// A request that waits for a worker.
struct Waiting<'a>(&'a Cell<usize>);

impl<'a> Waiting<'a> {
    fn new(count: &'a Cell<usize>) -> Waiting<'a> {
        count.set(count.get() + 1);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}
