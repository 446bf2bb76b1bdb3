//! An engine with all that it started.
//!
//! A process group holds what an engine starts, unless that leaves the group. So each engine gets a mark in its
//! environment, which its children inherit, and on Linux whatever has the mark is ended with the engine, whoever
//! its parent is by then. What removes the mark from its environment stays, and so does everything when this
//! program itself is killed: engines that end at the end of their input end then. (A subreaper would adopt what
//! lost its parent, but could not tell whose it was, and would change the program around this library.)

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The engines of this process: how many were started, and how many are left.
#[derive(Default)]
struct Engines {
    started: u64,
    left: u64,
}

static ENGINES: Mutex<Engines> = Mutex::new(Engines { started: 0, left: 0 });

fn engines() -> MutexGuard<'static, Engines> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The mark of an engine and its children.
pub(super) struct Mark {
    text: String,
}

/// Starts an engine with a mark.
pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Mark)> {
    // It is counted before it starts, so that nobody takes it for something that was left.
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
            // The last one looks for what the others left.
            let ours = marked::of_this_process();
            marked::kill(&|mark| mark.starts_with(ours.as_bytes()));
        }
    }
}

/// Whether a process has ended. It is not waited for, so that its number stays its own.
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

/// Kills an engine, its group, and what has its mark. It must not have been waited for.
pub(super) fn kill(child: &mut Child, mark: &Mark) {
    #[cfg(unix)]
    if let Some(pid) = pid(child) {
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
    // It may have left its group.
    let _ = child.kill();
    // One at a time looks through all processes; the last engine makes up for the others.
    static LOOKS: Mutex<()> = Mutex::new(());
    if let Ok(_looks) = LOOKS.try_lock() {
        marked::kill(&|other| other == mark.text.as_bytes());
    }
}

/// Processes by the mark in their environment.
#[cfg(target_os = "linux")]
mod marked {
    use std::fs;
    use std::sync::OnceLock;

    use rustix::process::{Pid, PidfdFlags, Signal, getpid, pidfd_open, pidfd_send_signal};

    pub(super) const NAME: &str = "TREEGAUGE_ENGINE";

    /// The greatest number of passes over the processes: a program may start another one while it is killed.
    const ROUNDS_MAX: usize = 10;

    /// Returns the prefix of the marks of this process: its number, and the time at which it began, since
    /// another process may have had the same number.
    pub(super) fn of_this_process() -> &'static str {
        static MARK: OnceLock<String> = OnceLock::new();
        MARK.get_or_init(|| {
            let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
            // The name of the program, in parentheses, may have blanks.
            let fields = stat.rsplit(')').next().unwrap_or_default();
            let began = fields.split_whitespace().nth(19).unwrap_or_default();
            format!("{}-{began}-", getpid().as_raw_nonzero())
        })
    }

    /// Kills the processes whose mark is meant.
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
                // From here on the number cannot become that of another process.
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
        // That of a process that has ended is empty.
        let all = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
        all.split(|byte| *byte == 0).any(|one| {
            let mark = one.strip_prefix(NAME.as_bytes());
            mark.and_then(|mark| mark.strip_prefix(b"=")).is_some_and(is_meant)
        })
    }
}

/// Elsewhere the processes of others are not looked at.
#[cfg(not(target_os = "linux"))]
mod marked {
    pub(super) const NAME: &str = "TREEGAUGE_ENGINE";

    pub(super) fn of_this_process() -> &'static str {
        ""
    }

    pub(super) fn kill(_: &dyn Fn(&[u8]) -> bool) {}
}
