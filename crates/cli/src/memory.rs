//! The memory that the process takes, where the system tells.

use std::fs;

/// The most bytes that were resident at once since the process began, or since
/// [`forget_peak`] was last called.
pub(crate) fn peak_bytes() -> Option<u64> {
    status("VmHWM:")
}

/// The bytes that are resident.
pub(crate) fn resident_bytes() -> Option<u64> {
    status("VmRSS:")
}

/// Lets the peak begin anew, if the system can.
pub(crate) fn forget_peak() {
    // 5 is the kernel's number for that; where it is not understood the peak stays an upper bound.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The bytes that can be had without taking them from others: those of the machine, and of the group
/// of processes whose memory is limited, if it is.
pub(crate) fn free_bytes() -> Option<u64> {
    let machine = kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:");
    let number = |path: &str| -> Option<u64> { fs::read_to_string(path).ok()?.trim().parse().ok() };
    let group = number("/sys/fs/cgroup/memory.max")
        .zip(number("/sys/fs/cgroup/memory.current"))
        .map(|(max, current)| max.saturating_sub(current));
    machine.into_iter().chain(group).min()
}

fn status(name: &str) -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, name)
}

/// The bytes behind a name in a text of the kernel, which counts in KiB.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
