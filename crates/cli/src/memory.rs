//! The memory that the process takes, where the system reports it.

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

/// Resets the peak, if the system can.
pub(crate) fn forget_peak() {
    // 5 is the kernel's number for that; where it is not understood the peak stays an upper bound.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The bytes that can be had without taking them from others: those of the machine, and of the group
/// of processes whose memory is limited, if it is.
pub(crate) fn free_bytes() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let group = || {
        let of = |name: &str| read(&format!("/sys/fs/cgroup/memory.{name}"));
        free_in_group(&of("max")?, &of("current")?, &of("stat")?)
    };
    let machine = kibibytes(&read("/proc/meminfo")?, "MemAvailable:");
    machine.into_iter().chain(group()).min()
}

/// What is left of a group's limit. Pages of files are counted as used there, but the kernel frees
/// them on demand. A group without a limit has the word `max`.
fn free_in_group(max: &str, current: &str, stat: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    let current: u64 = current.trim().parse().ok()?;
    let file = stat.lines().find_map(|line| line.strip_prefix("file ")?.trim().parse().ok());
    Some(max.saturating_sub(current.saturating_sub(file.unwrap_or(0))))
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

#[cfg(test)]
mod tests {
    use super::free_in_group;

    #[test]
    fn pages_of_files_are_free_in_a_group() {
        let stat = "anon 300\nfile 600\nfile_mapped 50\n";
        assert_eq!(free_in_group("1000\n", "900\n", stat), Some(700));
        assert_eq!(free_in_group("1000", "900", ""), Some(100));
        assert_eq!(free_in_group("1000", "2000", ""), Some(0));
        assert_eq!(free_in_group("max\n", "900", stat), None);
    }
}
