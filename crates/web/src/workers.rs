//! The pool of worker processes.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::process::Stdio;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::answer::Refusal;
use crate::runs::{is_out_of_memory, kill_group, limit};
use crate::worker::{REPLY_BYTES_MAX, Reply, Request};

/// The greatest number of workers, and of requests that wait for one.
const WORKERS_MAX: usize = 4;
const WAITING_MAX: usize = 16;

/// The memory of a worker.
const MEMORY_BYTES: u64 = 1 << 30;

/// The time after which a worker that does nothing is ended.
const IDLE: Duration = Duration::from_secs(120);

/// The time that a worker gets for the end of work that nobody waits for any more. Then it is ended: a
/// start takes a few milliseconds.
const GRACE: Duration = Duration::from_millis(50);

/// Worker processes, which are started when they are needed.
pub(crate) struct Workers {
    program: PathBuf,
    root: PathBuf,
    idle: RefCell<Vec<(Worker, Instant)>>,
    free: Arc<Semaphore>,
    waiting: Cell<usize>,
    is_sweeping: Cell<bool>,
    /// Workers whose reply nobody waits for.
    left: mpsc::UnboundedSender<Left>,
    to_end: RefCell<Option<mpsc::UnboundedReceiver<Left>>>,
}

/// A worker whose reply nobody waits for, and its place among the workers.
struct Left {
    worker: Worker,
    place: OwnedSemaphorePermit,
}

/// A worker that answers a request.
struct Busy {
    worker: Option<Worker>,
    place: Option<OwnedSemaphorePermit>,
    left: mpsc::UnboundedSender<Left>,
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let (Some(worker), Some(place)) = (self.worker.take(), self.place.take()) {
            // Without a receiver the server is ending, and the worker ends here.
            _ = self.left.send(Left { worker, place });
        }
    }
}

struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Subject of its last request, whose games and trees it keeps.
    subject: String,
    /// The end of its messages, once it has ended.
    messages: Option<JoinHandle<String>>,
}

impl Drop for Worker {
    fn drop(&mut self) {
        kill_group(self.child.id());
    }
}

impl Workers {
    /// A pool without workers.
    pub(crate) fn new(program: PathBuf, root: PathBuf, cores: usize) -> Rc<Workers> {
        let (left, to_end) = mpsc::unbounded_channel();
        Rc::new(Workers {
            program,
            root,
            idle: RefCell::default(),
            free: Arc::new(Semaphore::new(cores.clamp(1, WORKERS_MAX))),
            waiting: Cell::new(0),
            is_sweeping: Cell::new(false),
            left,
            to_end: RefCell::new(Some(to_end)),
        })
    }

    /// Has a worker answer a request within a time. A worker that needs longer, or that ends, is
    /// replaced.
    pub(crate) async fn ask(
        self: &Rc<Self>,
        request: &Request,
        limit: Duration,
    ) -> Result<Reply, Refusal> {
        self.ask_about("", request, limit).await
    }

    /// As [`Workers::ask`], by a worker that knows the subject if one is idle.
    pub(crate) async fn ask_about(
        self: &Rc<Self>,
        subject: &str,
        request: &Request,
        limit: Duration,
    ) -> Result<Reply, Refusal> {
        if self.free.available_permits() == 0 && self.waiting.get() >= WAITING_MAX {
            return Err(Refusal::busy("Too many pages are being made. Try again in a moment."));
        }
        self.end_left_ones();
        let waiting = Waiting::new(&self.waiting);
        let place = Arc::clone(&self.free).acquire_owned().await;
        let place = place.map_err(|_| Refusal::busy("The workbench is ending."))?;
        drop(waiting);
        let mut worker = match self.idle_worker(subject) {
            Some(worker) => worker,
            None => self.spawn().map_err(|error| {
                Refusal::busy(format!("A worker could not be started: {}.", error.kind()))
            })?,
        };
        subject.clone_into(&mut worker.subject);
        let mut busy = Busy { worker: Some(worker), place: Some(place), left: self.left.clone() };
        let Some(worker) = &mut busy.worker else { unreachable!("it was put there") };
        let answered = timeout(limit, worker.ask(request)).await;
        let mut worker = busy.worker.take();
        let (limit_s, no_limit) =
            (limit.as_secs(), "The same command in a terminal has no such limit.");
        match answered {
            Ok(Some(reply)) => {
                self.idle.borrow_mut().extend(worker.map(|worker| (worker, Instant::now())));
                self.sweep_later();
                Ok(reply)
            }
            Ok(None) => {
                let said = match &mut worker {
                    Some(worker) => worker.last_words().await,
                    None => String::new(),
                };
                Err(if is_out_of_memory(&said) {
                    let error =
                        "The work for this page needed more than 1 GB of memory and was ended.";
                    Refusal::busy(error).hint(no_limit)
                } else {
                    let error =
                        "The process that did the work for this page ended before it was done.";
                    Refusal::busy(error).hint("Load the page again: another process does it.")
                })
            }
            Err(_) => {
                let error = format!("This page took more than {limit_s} s and was given up.");
                Err(Refusal::busy(error).hint(no_limit))
            }
        }
    }

    /// A worker that does nothing and is alive: one that knows the subject, or the one that has been
    /// idle the longest.
    fn idle_worker(&self, subject: &str) -> Option<Worker> {
        let mut idle = self.idle.borrow_mut();
        loop {
            let knows = |(worker, _): &(Worker, Instant)| worker.subject == subject;
            let place = idle.iter().rposition(knows).or((!idle.is_empty()).then_some(0))?;
            let (mut worker, _) = idle.remove(place);
            if matches!(worker.child.try_wait(), Ok(None)) {
                return Some(worker);
            }
        }
    }

    /// Begins to end the workers whose reply nobody waits for.
    fn end_left_ones(self: &Rc<Self>) {
        let Some(mut to_end) = self.to_end.borrow_mut().take() else { return };
        let pool = Rc::downgrade(self);
        tokio::task::spawn_local(async move {
            while let Some(Left { mut worker, place }) = to_end.recv().await {
                let pool = pool.clone();
                tokio::task::spawn_local(async move {
                    let is_done = timeout(GRACE, worker.reply()).await;
                    if let (Ok(Some(_)), Some(pool)) = (is_done, pool.upgrade()) {
                        pool.idle.borrow_mut().push((worker, Instant::now()));
                        pool.sweep_later();
                    }
                    drop(place);
                });
            }
        });
    }

    fn spawn(&self) -> std::io::Result<Worker> {
        let mut command = Command::new(&self.program);
        command
            .args(["serve", "--worker"])
            .current_dir(&self.root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn()?;
        limit(child.id(), MEMORY_BYTES);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::ErrorKind::BrokenPipe.into());
        };
        let output = BufReader::new(output);
        let messages = child.stderr.take().map(|stderr| tokio::task::spawn_local(end_of(stderr)));
        Ok(Worker { child, input, output, subject: String::new(), messages })
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
                let expired: Vec<_> = pool
                    .idle
                    .borrow_mut()
                    .extract_if(.., |(_, since)| now - *since >= IDLE)
                    .collect();
                for (worker, _) in expired {
                    worker.end().await;
                }
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
    /// Ends the process and reaps it: nothing else does before the server starts another process.
    async fn end(mut self) {
        kill_group(self.child.id());
        // A process that cannot be waited for is gone.
        _ = self.child.wait().await;
    }

    /// The messages of a process that has ended, or ends soon.
    async fn last_words(&mut self) -> String {
        // The messages end with the process.
        match self.messages.take() {
            Some(messages) => {
                let said = timeout(Duration::from_millis(500), messages).await;
                said.ok().and_then(Result::ok).unwrap_or_default()
            }
            None => String::new(),
        }
    }

    /// Asks, and waits for the reply; `None` if the worker ends first.
    async fn ask(&mut self, request: &Request) -> Option<Reply> {
        let mut line = serde_json::to_vec(request).ok()?;
        line.push(b'\n');
        self.input.write_all(&line).await.ok()?;
        serde_json::from_slice(&self.reply().await?).ok()
    }

    /// Waits for the rest of a reply; `None` if the worker ends first.
    async fn reply(&mut self) -> Option<Vec<u8>> {
        let mut reply = Vec::new();
        let mut limited = (&mut self.output).take(REPLY_BYTES_MAX as u64 + 2);
        limited.read_until(b'\n', &mut reply).await.ok()?;
        reply.ends_with(b"\n").then_some(reply)
    }
}

/// The last kilobytes of the messages of a process. All are read, so that it never waits for a reader.
async fn end_of(mut messages: ChildStderr) -> String {
    const KEPT: usize = 4_096;
    let (mut said, mut part) = (Vec::new(), [0; 1_024]);
    while let Ok(length @ 1..) = messages.read(&mut part).await {
        said.extend(&part[..length]);
        said.drain(..said.len().saturating_sub(KEPT));
    }
    String::from_utf8_lossy(&said).into_owned()
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
