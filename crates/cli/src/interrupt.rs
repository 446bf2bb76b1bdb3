//! Ctrl-C and SIGTERM: the first signal requests a stop, a later one ends the program at once.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use treegauge::Watch;

use crate::exit::Exit;
use crate::output::complain;
use crate::{resume, temporary};

static STOP: AtomicBool = AtomicBool::new(false);

/// The flag that the first Ctrl-C or SIGTERM sets. After this call they no longer end the program at once; a second one
/// does, unless it comes within a second: `timeout`, `make` and batch systems send a signal to the program and to its
/// group, so that it arrives twice.
pub(crate) fn flag() -> &'static AtomicBool {
    static LISTEN: Once = Once::new();
    // Without a handler a signal ends the program at once.
    LISTEN.call_once(|| {
        if listen().is_ok() {
            // A failure to announce this is ignored.
            _ = announce();
        }
    });
    &STOP
}

/// The variable with the path of a file or pipe that receives a line once the signals have handlers, so that a program that
/// starts this one knows when it can stop it.
const READY: &str = "TREEGAUGE_READY";

fn announce() -> io::Result<()> {
    let Some(path) = env::var_os(READY) else { return Ok(()) };
    File::options().append(true).open(path)?.write_all(b"ready\n")
}

/// Whether Ctrl-C was pressed or SIGTERM came.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// A watch for requests to stop, without progress.
pub(crate) struct Stop;

impl Watch for Stop {
    fn stop(&self) -> bool {
        requested()
    }
}

/// Starts a thread that waits for the signals.
///
/// SIGTERM is what batch systems and containers send before they kill. SIGHUP is left alone:
/// `nohup` has it ignored, and a handler would undo that, so `ctrlc`, whose handler for SIGTERM
/// takes it too, serves only where there are no such signals.
#[cfg(unix)]
fn listen() -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            stop(if signal == SIGINT { CTRL_C_AGAIN } else { "the next signal quits at once" });
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn listen() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| stop(CTRL_C_AGAIN))
}

const CTRL_C_AGAIN: &str = "press Ctrl-C again to quit at once";

/// The time in which further signals count as repetitions of the first.
const TOGETHER: Duration = Duration::from_secs(1);

/// Requests a stop once standard input ends; its contents are ignored.
pub(crate) fn stop_on_eof() {
    flag();
    let wait = || {
        // An error of reading counts as the end.
        _ = io::copy(&mut io::stdin(), &mut io::sink());
        STOP.store(true, Ordering::Relaxed);
    };
    // Without a thread only signals stop the program.
    _ = std::thread::Builder::new().name("end of input".to_owned()).spawn(wait);
}

/// Temporary file for work that a stop keeps although the user named no place for it.
static UNASKED: OnceLock<PathBuf> = OnceLock::new();

/// The time for which a stop may keep work in a temporary file, at least.
const KEEPING_MIN: Duration = Duration::from_millis(1_200);

/// A longer run may take this part of its time to keep its work.
const KEEPING_PART: u32 = 50;

/// Bounds the time that a stop takes to keep work in a temporary file, for which the user did not
/// ask. A large solve would go on for minutes.
pub(crate) fn keep_briefly(place: &Path) {
    _ = started();
    // A second place, in one process, changes nothing.
    _ = UNASKED.set(place.to_owned());
}

/// The time when the work began.
fn started() -> Instant {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    *STARTED.get_or_init(Instant::now)
}

/// The time that a run of this length may take to keep its work.
fn keeping_max(run: Duration) -> Duration {
    KEEPING_MIN.max(run / KEEPING_PART)
}

/// Fate of the work of a stopped run, which the thread that keeps it and the one that ends the program
/// decide once.
struct Fate(AtomicU8);

const UNDECIDED: u8 = 0;
/// The work is kept.
const KEPT: u8 = 1;
/// Keeping the work takes too long.
const GIVEN_UP: u8 = 2;

static FATE: Fate = Fate(AtomicU8::new(UNDECIDED));

impl Fate {
    /// Decides the fate. Returns `false` if the other one was decided before.
    fn decide(&self, fate: u8) -> bool {
        let decided = self.0.compare_exchange(UNDECIDED, fate, Ordering::AcqRel, Ordering::Acquire);
        decided.map_or_else(|before| before == fate, |_| true)
    }
}

/// Says that the run is over and its work kept, so that a stop takes nothing away any more. Does not
/// return if the program is ending because that took too long.
pub(crate) fn work_is_kept() {
    while !FATE.decide(KEPT) {
        std::thread::park();
    }
}

/// Ends the program if it is still keeping work when its time is over.
fn end_soon() {
    let Some(place) = UNASKED.get() else { return };
    let wait = keeping_max(started().elapsed());
    let end = move || {
        std::thread::sleep(wait);
        if !FATE.decide(GIVEN_UP) {
            return;
        }
        temporary::abandon(place);
        let seconds = wait.as_secs_f64();
        complain(&format!(
            "treegauge: interrupted: what was found is not kept, since that takes longer than {seconds:.1} s; with -o FILE \
             it is"
        ));
        // What was written since.
        temporary::abandon(place);
        std::process::exit(Exit::Interrupted as i32);
    };
    _ = std::thread::Builder::new().name("end".to_owned()).spawn(end);
}

/// Requests a stop, or ends the program after an earlier request. `how` tells the user how to quit at once.
fn stop(how: &str) {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    if FIRST.set(Instant::now()).is_ok() {
        STOP.store(true, Ordering::Relaxed);
        complain(&format!("\nstopping; {how}"));
        end_soon();
        return;
    }
    if FIRST.get().is_some_and(|first| first.elapsed() < TOGETHER) {
        return;
    }
    if let Some(command) = resume::offered() {
        complain(&format!("to continue:\n  {command}"));
    }
    std::process::exit(130);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_who_decides_about_the_work_prevails() {
        for (first, second) in [(KEPT, GIVEN_UP), (GIVEN_UP, KEPT)] {
            let fate = Fate(AtomicU8::new(UNDECIDED));
            assert!(fate.decide(first));
            assert!(!fate.decide(second));
            assert!(fate.decide(first));
        }
    }

    #[test]
    fn work_is_kept_for_a_fiftieth_of_the_run_at_most() {
        let of = |seconds| keeping_max(Duration::from_secs(seconds));
        assert_eq!([0, 10, 60].map(of), [Duration::from_millis(1_200); 3]);
        assert_eq!([300, 3_600].map(of), [Duration::from_secs(6), Duration::from_secs(72)]);
    }
}
