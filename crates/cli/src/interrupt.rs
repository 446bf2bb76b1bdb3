//! Ctrl-C: the first asks to stop, the second stops.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::complain;
use crate::resume;

static STOP: AtomicBool = AtomicBool::new(false);

/// The flag that the first Ctrl-C sets. From now on Ctrl-C no longer ends the program at once;
/// a second one does.
pub(crate) fn flag() -> &'static AtomicBool {
    // A second call, in one process, fails and changes nothing.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            if let Some(command) = resume::offered() {
                complain(&format!("to go on:\n  {command}"));
            }
            std::process::exit(130);
        }
        complain("\nstopping; press Ctrl-C again to quit at once");
    });
    &STOP
}

/// Whether Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}
