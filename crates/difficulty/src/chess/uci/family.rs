//! Starting and killing of an engine together with all processes that it started.
//!
//! A process group holds the processes that an engine starts, unless they leave it. Each engine
//! therefore gets a mark in its environment, which its children inherit. On Linux every process
//! with the mark is killed with the engine, whatever its parent is by then. A process that removes
//! the mark from its environment survives. All of them survive if this program itself is killed;
//! engines that quit at the end of their input end then. (A subreaper would adopt the orphans, but
//! could not tell which engine they belong to, and would change the program around this library.)

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Numbers of engines that this process has started and that are left.
#[derive(Default)]
struct Engines {
    started: u64,
    left: u64,
}

static ENGINES: Mutex<Engines> = Mutex::new(Engines { started: 0, left: 0 });

fn engines() -> MutexGuard<'static, Engines> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Mark of an engine and its children. When the last one is dropped, processes that other engines
/// left are killed.
pub(super) struct Mark {
    text: String,
}

/// Starts an engine with a new mark.
pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Mark)> {
    // The engine is counted before it starts, so that another thread does not take it for a
    // leftover.
    let mark = {
        let mut engines = engines();
        let text = format!("{}{}", marked::of_this_process(), engines.started);
        engines.started += 1;
        engines.left += 1;
        Mark { text }
    };
    let child = command.env(marked::NAME, &mark.text).spawn()?;
    Ok((child, mark))
}

impl Drop for Mark {
    fn drop(&mut self) {
        let mut engines = engines();
        engines.left -= 1;
        if engines.left == 0 {
            // The last engine looks for processes that the others left.
            let ours = marked::of_this_process();
            marked::kill(&|mark| mark.starts_with(ours.as_bytes()));
        }
    }
}

/// Tests whether a process has ended. It is not reaped, so that its process id stays its own.
#[cfg(all(unix, not(target_os = "macos")))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    pid(child).is_some_and(|pid| matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_))))
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

#[cfg(unix)]
fn pid(child: &Child) -> Option<rustix::process::Pid> {
    i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
}

/// Kills an engine, its process group, and all processes with its mark. The engine must not have
/// been reaped.
pub(super) fn kill(child: &mut Child, mark: &Mark) {
    #[cfg(unix)]
    if let Some(pid) = pid(child) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    // The engine may have left its group.
    let _ = child.kill();
    // One thread at a time scans all processes; the last engine makes up for skipped scans.
    static LOOKS: Mutex<()> = Mutex::new(());
    if let Ok(_looks) = LOOKS.try_lock() {
        marked::kill(&|other| other == mark.text.as_bytes());
    }
}

/// Processes found by the mark in their environment.
#[cfg(target_os = "linux")]
mod marked {
    use std::fs;
    use std::sync::OnceLock;

    use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

    pub(super) const NAME: &str = "TREEGAUGE_ENGINE";

    /// Maximum number of passes over the processes: a program may start another one while it is
    /// killed.
    const ROUNDS_MAX: usize = 10;

    /// Prefix of the marks of this process: its id and its start time, since another process may
    /// have had the same id.
    pub(super) fn of_this_process() -> &'static str {
        static MARK: OnceLock<String> = OnceLock::new();
        MARK.get_or_init(|| {
            let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
            // The program name, in parentheses, may contain blanks.
            let fields = stat.rsplit(')').next().unwrap_or_default();
            let began = fields.split_whitespace().nth(19).unwrap_or_default();
            format!("{}-{began}-", getpid().as_raw_nonzero())
        })
    }

    /// Kills the processes whose mark `is_meant` accepts.
    pub(super) fn kill(is_meant: &dyn Fn(&[u8]) -> bool) {
        for _ in 0..ROUNDS_MAX {
            let Ok(processes) = fs::read_dir("/proc") else { return };
            let numbers = processes.flatten().filter_map(|one| {
                let number = one.file_name().to_str()?.parse::<i32>().ok()?;
                Pid::from_raw(number).filter(|pid| *pid != getpid())
            });
            let mut killed = 0;
            for pid in numbers.filter(|pid| has_mark(*pid, is_meant)) {
                let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
                // From here on the id cannot pass to another process.
                if has_mark(pid, is_meant) && pidfd_send_signal(process, Signal::KILL).is_ok() {
                    killed += 1;
                }
            }
            if killed == 0 {
                return;
            }
        }
    }

    fn has_mark(pid: Pid, is_meant: &dyn Fn(&[u8]) -> bool) -> bool {
        // The environment of a process that has ended is empty.
        let all = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
        all.split(|byte| *byte == 0).any(|one| {
            let mark = one.strip_prefix(NAME.as_bytes());
            mark.and_then(|mark| mark.strip_prefix(b"=")).is_some_and(is_meant)
        })
    }
}

/// On other systems no processes are scanned.
#[cfg(not(target_os = "linux"))]
mod marked {
    pub(super) const NAME: &str = "TREEGAUGE_ENGINE";

    pub(super) fn of_this_process() -> &'static str {
        ""
    }

    pub(super) fn kill(_: &dyn Fn(&[u8]) -> bool) {}
}
