//! Locks on files.

use std::fs::{File, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// Time for which another holder of a lock is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// Locks a file for this program alone.
///
/// A child process shares the locks of its parent from its creation until it runs its own program,
/// although every file is closed then. A lock that was just released may so seem taken for an
/// instant; only one that stays taken for 0.2 s is reported.
///
/// # Errors
///
/// [`TryLockError::WouldBlock`] if another program holds the lock, and [`TryLockError::Error`] if
/// the file system has no locks.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_waited_for_but_not_for_long() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let holder = File::create(&path).unwrap();
        lock(&holder).unwrap();
        let file = File::open(&path).unwrap();
        assert!(matches!(lock(&file), Err(TryLockError::WouldBlock)));
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(20));
                drop(holder);
            });
            lock(&file).unwrap();
        });
    }
}
