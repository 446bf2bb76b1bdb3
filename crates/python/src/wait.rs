//! Work on a pool of its own, while the calling thread looks after the interpreter; or on that thread.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use treegauge::{Clock, Error, ErrorKind, Progress, Watch};

use crate::errors::caught;

/// Time between two questions for signals.
const TICK: Duration = Duration::from_millis(20);

/// Least time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(100);

/// The requests of a caller about the call itself.
#[derive(Default)]
pub(crate) struct Caller<'py> {
    /// Number of threads; `None` for all that the process may use.
    pub(crate) threads: Option<usize>,
    /// Called without arguments; ends the work once it returns true.
    pub(crate) stop: Option<Bound<'py, PyAny>>,
    /// Called with `(phase, done, known, games, partial)`, where `partial` is the kind and the JSON of
    /// the newest interim report, or `None` if there is no new one.
    pub(crate) progress: Option<Bound<'py, PyAny>>,
    /// Whether `progress` is told interim reports.
    pub(crate) hears_partial: bool,
}

/// The reason of an early end.
pub(crate) enum Cut {
    /// An exception: of a signal, or of a function of the caller.
    Raised(PyErr),
    /// The function that the caller gave.
    Stopped,
}

/// Result of waiting: that of the work, and what ended it early.
pub(crate) type Waited<T> = (Result<T, Error>, Option<Cut>);

/// The watch that the work asks.
#[derive(Default)]
pub(crate) struct Shared {
    stop: AtomicBool,
    last: Mutex<Option<Progress>>,
    notes: Mutex<Vec<String>>,
    /// Whether the caller hears of interim reports.
    pub(crate) hears_partial: bool,
    /// The kind and the JSON of the newest interim report that was not passed on.
    partial: Mutex<Option<(&'static str, String)>>,
    /// The caller, if the work is done on its thread.
    here: Option<Here>,
}

/// The caller of work on its own thread: who is asked, and when that was done last.
struct Here {
    stop: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
    asked: Mutex<Asked>,
}

struct Asked {
    last: Instant,
    reported: Option<Instant>,
    cut: Option<Cut>,
}

impl Here {
    /// Asks the interpreter if a tick has passed since the last time; returns whether the work ends.
    fn ask(&self, shared: &Shared) -> bool {
        let mut asked_now = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if asked_now.cut.is_none() && asked_now.last.elapsed() >= TICK {
            let is_due = asked_now.reported.is_none_or(|at| at.elapsed() >= PROGRESS);
            asked_now.cut = Python::attach(|py| {
                let of = |object: &Option<Py<PyAny>>| object.as_ref().map(|it| it.bind(py).clone());
                let (stop, progress) = (of(&self.stop), of(&self.progress));
                let caller = Caller { stop, progress, ..Caller::default() };
                asked(py, &caller, shared, is_due).err()
            });
            asked_now.last = Instant::now();
            if is_due {
                asked_now.reported = Some(asked_now.last);
            }
        }
        asked_now.cut.is_some()
    }
}

impl Watch for Shared {
    fn progress(&self, progress: Progress) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.here.as_ref().is_some_and(|here| here.ask(self))
    }
}

impl Shared {
    /// Takes the messages so far.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sets the newest interim report.
    pub(crate) fn set_partial(&self, kind: &'static str, json: String) {
        let mut partial = self.partial.lock().unwrap_or_else(PoisonError::into_inner);
        *partial = Some((kind, json));
    }

    fn take_partial(&self) -> Option<(&'static str, String)> {
        self.partial.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn take_progress(&self) -> Option<Progress> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Time since the process began to work.
pub(crate) struct SystemClock(Instant);

impl SystemClock {
    pub(crate) fn shared() -> Arc<dyn Clock> {
        Arc::new(SystemClock(Instant::now()))
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Does `work` on a pool of its own. Meanwhile the calling thread lets other threads of Python run,
/// and asks for signals, for a stop and for progress.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    caller: &Caller<'_>,
    work: impl FnOnce(&Shared) -> Result<T, Error> + Send + 'static,
) -> Waited<T> {
    let hears_partial = caller.hears_partial;
    let shared = Arc::new(Shared { hears_partial, ..Shared::default() });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(caller.threads.unwrap_or(0)).build();
    let pool = match pool {
        Ok(pool) => pool,
        Err(error) => return (Err(Error::new(ErrorKind::Internal, error)), None),
    };
    let (sender, receiver) = channel();
    let (results, result) = channel();
    let watch = shared.clone();
    pool.spawn(move || {
        CALLER.set(Some(sender.clone()));
        // The receivers wait for these.
        _ = results.send(caught(|| work(&watch)));
        CALLER.set(None);
        _ = sender.send(Message::Done);
    });
    let mut cut = None;
    let mut reported: Option<Instant> = None;
    let mut looked = Instant::now();
    let receiver = Mutex::new(receiver);
    let result = loop {
        let taken = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(TICK)
        });
        match taken {
            Ok(Message::Done) => {
                let ended = || Error::new(ErrorKind::Internal, "the work ended without a result");
                break result.try_recv().unwrap_or_else(|_| Err(ended()));
            }
            Ok(Message::Ask(ask)) => {
                let (raised, reply) = ask(py);
                if let Some(raised) = raised
                    && cut.is_none()
                {
                    cut = Some(Cut::Raised(raised));
                    shared.stop.store(true, Ordering::Relaxed);
                }
                // The work sees the request to stop before the answer.
                reply();
            }
            Err(RecvTimeoutError::Disconnected) => {
                break Err(Error::new(ErrorKind::Internal, "the work ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        // Work that asks again and again leaves no pause.
        if cut.is_none() && looked.elapsed() >= TICK {
            let is_due = reported.is_none_or(|at| at.elapsed() >= PROGRESS);
            cut = asked(py, caller, &shared, is_due).err();
            looked = Instant::now();
            if is_due {
                reported = Some(looked);
            }
            if cut.is_some() {
                shared.stop.store(true, Ordering::Relaxed);
            }
        }
    };
    // The threads of the pool end before the call does, so that a fork finds none.
    py.detach(|| drop(pool));
    if cut.is_none() {
        cut = asked(py, caller, &shared, true).err();
    }
    (result, cut)
}

/// Does `work`, which asks its watch often and needs no other thread, on the calling thread. Other
/// threads of Python run meanwhile. It begins 50 microseconds sooner than on a pool.
pub(crate) fn wait_here<T: Send>(
    py: Python<'_>,
    caller: Caller<'_>,
    work: impl FnOnce(&Shared) -> Result<T, Error> + Send,
) -> Waited<T> {
    let asked = Asked { last: Instant::now(), reported: None, cut: None };
    let here = Here {
        stop: caller.stop.as_ref().map(|stop| stop.clone().unbind()),
        progress: caller.progress.as_ref().map(|progress| progress.clone().unbind()),
        asked: Mutex::new(asked),
    };
    let shared = Shared { here: Some(here), ..Shared::default() };
    let result = py.detach(|| caught(|| work(&shared)));
    let asked_before = shared.here.as_ref().map(|here| &here.asked);
    let cut = asked_before
        .and_then(|asked| asked.lock().unwrap_or_else(PoisonError::into_inner).cut.take())
        .or_else(|| self::asked(py, &caller, &shared, true).err());
    (result, cut)
}

/// Message of the work to the calling thread.
enum Message {
    /// The result was sent.
    Done,
    /// A question for an object that only the calling thread calls.
    Ask(Ask),
}

/// Question: the exception that ends the call, if any, and the function that sends the answer.
type Ask = Box<dyn FnOnce(Python<'_>) -> (Option<PyErr>, Box<dyn FnOnce()>) + Send>;

thread_local! {
    /// The calling thread of the work on this thread.
    static CALLER: RefCell<Option<Sender<Message>>> = const { RefCell::new(None) };
}

/// Answer to a question, and the exception by which it ends the call.
pub(crate) struct Answer<T> {
    pub(crate) reply: T,
    pub(crate) raised: Option<PyErr>,
}

/// Asks the thread that waits for the work on this thread, and waits for its answer. Returns `None`
/// if no thread waits: the work must have one thread only.
pub(crate) fn asked_of_caller<T: Send + 'static>(
    question: impl FnOnce(Python<'_>) -> Answer<T> + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = channel();
    let ask: Ask = Box::new(move |py| {
        let Answer { reply, raised } = question(py);
        // The work waits for this.
        let send: Box<dyn FnOnce()> = Box::new(move || drop(sender.send(reply)));
        (raised, send)
    });
    let caller = CALLER.with_borrow(Clone::clone)?;
    caller.send(Message::Ask(ask)).ok()?;
    receiver.recv().ok()
}

/// Asks for signals and for a stop, and passes progress on if it is due.
fn asked(py: Python<'_>, caller: &Caller<'_>, shared: &Shared, is_due: bool) -> Result<(), Cut> {
    py.check_signals().map_err(Cut::Raised)?;
    if let (Some(report), true) = (&caller.progress, is_due)
        && let Some(progress) = shared.take_progress()
    {
        let Progress { phase, done, known, games, .. } = progress;
        let phase = format!("{phase:?}").to_lowercase();
        let games = games.map(|(done, all)| PyTuple::new(py, [done, all])).transpose();
        let games = games.map_err(Cut::Raised)?;
        let partial = shared.take_partial();
        report.call1((phase, done, known, games, partial)).map_err(Cut::Raised)?;
    }
    if let Some(stop) = &caller.stop {
        let is_asked = stop.call0().and_then(|answer| answer.is_truthy());
        if is_asked.map_err(Cut::Raised)? {
            return Err(Cut::Stopped);
        }
    }
    Ok(())
}

/// Result of work that leaves nothing behind when it is ended early.
pub(crate) fn whole<T>(py: Python<'_>, (result, cut): Waited<T>) -> PyResult<T> {
    match cut {
        Some(Cut::Raised(raised)) => Err(raised),
        Some(Cut::Stopped) => Err(crate::errors::of_class(py, "Stopped", "stopped by the caller")),
        None => result.map_err(|error| crate::errors::exception(py, &error)),
    }
}

/// Panics on a thread of the pool, for the tests; a release build does not have it.
#[cfg(debug_assertions)]
#[pyfunction]
pub(crate) fn _panic(py: Python<'_>, threads: usize) -> PyResult<()> {
    use rayon::prelude::*;

    let caller = Caller { threads: Some(threads), ..Caller::default() };
    let waited = wait(py, &caller, |_| {
        (0..100).into_par_iter().for_each(|n| assert!(n < 50, "planted"));
        Ok(())
    });
    whole(py, waited)
}
