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

fn status(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
