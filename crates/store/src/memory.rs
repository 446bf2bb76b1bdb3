//! Memory of the process, if the system reports it.

use std::fs;
use std::sync::OnceLock;

/// The peak of resident bytes since the start of the process or the last call of [`forget_peak`].
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    status("VmHWM:")
}

/// The resident bytes.
#[must_use]
pub fn resident_bytes() -> Option<u64> {
    status("VmRSS:")
}

/// Resets the peak, if the system can.
pub fn forget_peak() {
    // 5 resets the peak on Linux; elsewhere the peak remains an upper bound.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The default limit of memory: a quarter of the memory that was free at the first call. It leaves memory to other programs,
/// and makes a command refuse a game that is too large.
#[must_use]
pub fn share() -> Option<u64> {
    static SHARE: OnceLock<Option<u64>> = OnceLock::new();
    *SHARE.get_or_init(|| free_bytes().map(|bytes| bytes / 4))
}

/// The free bytes: the least of those of the machine, of a group of processes with a limit, and of the address space of this
/// process.
fn free_bytes() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let group = || {
        let of = |name: &str| read(&format!("/sys/fs/cgroup/memory.{name}"));
        free_in_group(&of("max")?, &of("current")?, &of("stat")?)
    };
    let machine = kibibytes(&read("/proc/meminfo")?, "MemAvailable:");
    let space = || free_in_space(&read("/proc/self/limits")?, status("VmSize:")?);
    machine.into_iter().chain(group()).chain(space()).min()
}

/// Returns the bytes that are left of the limit of an address space, as `ulimit -v` sets it, when `taken` bytes
/// are in use; `None` if there is no limit.
fn free_in_space(limits: &str, taken: u64) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let max: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(max.saturating_sub(taken))
}

/// The free part of the limit of a group. Its usage includes pages of files, which the kernel frees on demand. A group
/// without a limit has the word `max`.
fn free_in_group(max: &str, current: &str, stat: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    let current: u64 = current.trim().parse().ok()?;
    let file = stat.lines().find_map(|line| line.strip_prefix("file ")?.trim().parse().ok());
    Some(max.saturating_sub(current.saturating_sub(file.unwrap_or(0))))
}

fn status(name: &str) -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, name)
}

/// The bytes after a name in a text of the kernel, which counts in KiB.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::{free_in_group, free_in_space};

    #[test]
    fn an_address_space_may_have_a_limit() {
        let limits = |max: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units\n\
                 Max cpu time              unlimited            unlimited            seconds\n\
                 Max address space         {max}            unlimited            bytes\n"
            )
        };
        assert_eq!(free_in_space(&limits("1024000000"), 24_000_000), Some(1_000_000_000));
        assert_eq!(free_in_space(&limits("1024"), 24_000_000), Some(0));
        assert_eq!(free_in_space(&limits("unlimited"), 24_000_000), None);
        assert_eq!(free_in_space("", 24_000_000), None);
    }

    #[test]
    fn pages_of_files_are_free_in_a_group() {
        let stat = "anon 300\nfile 600\nfile_mapped 50\n";
        assert_eq!(free_in_group("1000\n", "900\n", stat), Some(700));
        assert_eq!(free_in_group("1000", "900", ""), Some(100));
        assert_eq!(free_in_group("1000", "2000", ""), Some(0));
        assert_eq!(free_in_group("max\n", "900", stat), None);
    }
}
