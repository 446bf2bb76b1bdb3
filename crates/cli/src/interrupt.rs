//! Ctrl-C and SIGTERM: the first signal requests a stop, a later one ends the program at once.

use std::env;
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use treegauge::Watch;

use crate::output::complain;
use crate::resume;

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

/// Requests a stop, or ends the program after an earlier request. `how` tells the user how to quit at once.
fn stop(how: &str) {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    if FIRST.set(Instant::now()).is_ok() {
        STOP.store(true, Ordering::Relaxed);
        complain(&format!("\nstopping; {how}"));
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
