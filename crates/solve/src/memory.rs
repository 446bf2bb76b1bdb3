//! Account of the memory of a solve, with a limit.
//!
//! Everything that grows with the number of positions reserves its bytes here before it grows:
//! tables and sets, lists, and the buffers of each thread. Bytes that are kept are taken and given
//! back by hand ([`Memory::take`], [`Memory::give`]). Bytes needed for a while are [`Held`], and
//! are given back however the work ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Error of a request for more bytes than are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// Limit that would have sufficed, in bytes.
    pub(crate) needed_bytes: u64,
    /// Current limit in bytes.
    pub(crate) bytes_max: u64,
}

/// Bytes that the process needs for `bytes` allocated ones. Blocks of all sizes come and go, and
/// the allocator keeps the gaps between them. Over all games with limits up to 4 GB at most a fifth
/// of the used bytes was lost; half of that is covered by the margin of a limit.
pub(crate) fn with_loss(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / LOSS)
}

/// Loss of the allocator: one part in this many used.
const LOSS: u64 = 9;

/// Account of bytes, shared by threads.
#[derive(Debug)]
pub(crate) struct Memory {
    used: AtomicU64,
    /// Limit for used and lost bytes together.
    bytes_max: u64,
    /// Limit for used bytes.
    usable: u64,
    /// Number of [`Wide`] in existence.
    wide: Mutex<usize>,
    /// Signals that a [`Wide`] was dropped.
    narrowed: Condvar,
}

impl Memory {
    pub(crate) fn new(bytes_max: Option<u64>) -> Self {
        let bytes_max = bytes_max.unwrap_or(u64::MAX);
        let usable = bytes_max - bytes_max / (LOSS + 1);
        let (wide, narrowed) = (Mutex::new(0), Condvar::new());
        Memory { used: AtomicU64::new(0), bytes_max, usable, wide, narrowed }
    }

    /// Takes bytes that are about to be allocated. Takes none if too few are left.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), Full> {
        let needed = self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if needed > self.usable {
            self.give(bytes);
            let needed_bytes = with_loss(needed).max(self.bytes_max.saturating_add(1));
            return Err(Full { needed_bytes, bytes_max: self.bytes_max });
        }
        Ok(())
    }

    /// Gives back bytes that were taken.
    pub(crate) fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Takes bytes until the returned [`Held`] is dropped.
    pub(crate) fn hold(&self, bytes: u64) -> Result<Held<'_>, Full> {
        self.take(bytes)?;
        Ok(Held { memory: self, bytes })
    }

    /// Creates a [`Held`] of no bytes, which can grow.
    pub(crate) fn nothing(&self) -> Held<'_> {
        Held { memory: self, bytes: 0 }
    }

    /// Takes bytes for the work of one thread on many children of one position. If too few are
    /// left, it waits until other threads have given theirs back, so that success does not depend
    /// on the number of threads. A thread that holds such bytes must not ask for more.
    pub(crate) fn hold_wide(&self, bytes: u64) -> Result<Wide<'_>, Full> {
        let mut holders = self.wide_holders();
        loop {
            match self.hold(bytes) {
                Ok(held) => {
                    *holders += 1;
                    return Ok(Wide { held, memory: self });
                }
                Err(full) if *holders == 0 => return Err(full),
                Err(_) => {
                    let waited = self.narrowed.wait(holders);
                    holders = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Locks the number of holders. Poisoning is ignored, since no code panics while it holds this
    /// lock.
    fn wide_holders(&self) -> MutexGuard<'_, usize> {
        self.wide.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for one more element of a list, whose bytes must all be taken from this account.
    /// A list that moves while it grows briefly takes both its old and its new bytes.
    #[inline]
    pub(crate) fn reserve_one<T>(&self, list: &mut Vec<T>) -> Result<(), Full> {
        if list.len() < list.capacity() { Ok(()) } else { self.reserve(list, 1) }
    }

    /// Makes room for `more` elements of such a list.
    pub(crate) fn reserve<T>(&self, list: &mut Vec<T>, more: usize) -> Result<(), Full> {
        let needed = list.len() + more;
        if needed <= list.capacity() {
            return Ok(());
        }
        let before = list_bytes(list);
        let capacity = needed.max(list.capacity() + list.capacity() / 2).max(16);
        self.take((capacity * size_of::<T>()) as u64)?;
        list.reserve_exact(capacity - list.len());
        self.give(before);
        Ok(())
    }

    /// Limit in bytes; `None` for unlimited.
    pub(crate) fn bytes_max(&self) -> Option<u64> {
        (self.bytes_max < u64::MAX).then_some(self.bytes_max)
    }

    /// Number of bytes that may still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.usable.saturating_sub(self.used())
    }

    /// Number of bytes taken.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}

/// Number of bytes that a list has allocated.
pub(crate) fn list_bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

/// Bytes that are given back on drop.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    memory: &'a Memory,
    bytes: u64,
}

impl Held<'_> {
    /// Takes more bytes.
    pub(crate) fn more(&mut self, bytes: u64) -> Result<(), Full> {
        self.memory.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives some bytes back.
    pub(crate) fn less(&mut self, bytes: u64) {
        self.memory.give(bytes);
        self.bytes -= bytes;
    }

    /// Takes more bytes if fewer than `bytes` are held.
    pub(crate) fn at_least(&mut self, bytes: u64) -> Result<(), Full> {
        self.more(bytes.saturating_sub(self.bytes))
    }

    /// Gives back all but `bytes`.
    pub(crate) fn at_most(&mut self, bytes: u64) {
        self.less(self.bytes.saturating_sub(bytes));
    }

    /// Leaves the bytes taken after drop; other code gives them back.
    pub(crate) fn keep(mut self) {
        self.bytes = 0;
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.memory.give(self.bytes);
    }
}

/// Bytes for many children of one position.
#[derive(Debug)]
pub(crate) struct Wide<'a> {
    held: Held<'a>,
    memory: &'a Memory,
}

impl Drop for Wide<'_> {
    fn drop(&mut self) {
        let mut holders = self.memory.wide_holders();
        self.held.less(self.held.bytes);
        *holders -= 1;
        self.memory.narrowed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_wait_for_the_bytes_of_others_and_not_for_bytes_that_never_come() {
        let memory = Memory::new(Some(100));
        memory.take(20).unwrap();
        // Each request fits alone, but no two fit together.
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..100).for_each(|_| drop(memory.hold_wide(60).unwrap())));
            }
        });
        assert_eq!(memory.used(), 20);
        assert!(memory.hold_wide(71).is_err());
        let wide = memory.hold_wide(70).unwrap();
        assert_eq!(memory.left(), 0);
        drop(wide);
        assert_eq!(memory.used(), 20);
    }

    #[test]
    fn what_is_refused_is_not_taken_and_what_is_held_is_given_back() {
        // A tenth is reserved for the loss of the allocator.
        let memory = Memory::new(Some(100));
        memory.take(60).unwrap();
        assert_eq!(memory.take(31), Err(Full { needed_bytes: 101, bytes_max: 100 }));
        assert_eq!(memory.take(120), Err(Full { needed_bytes: 200, bytes_max: 100 }));
        assert_eq!(memory.used(), 60);
        let mut held = memory.hold(20).unwrap();
        assert!(held.more(11).is_err());
        held.more(10).unwrap();
        assert_eq!(memory.left(), 0);
        drop(held);
        assert_eq!(memory.used(), 60);
        memory.hold(5).unwrap().keep();
        assert_eq!(memory.used(), 65);
    }

    #[test]
    fn a_list_that_grows_has_its_bytes_taken() {
        let memory = Memory::new(Some(4_000));
        let mut list: Vec<u32> = Vec::new();
        let full = loop {
            if let Err(error) = memory.reserve_one(&mut list) {
                break error;
            }
            list.push(7);
            assert_eq!(memory.used(), list_bytes(&list));
        };
        // A list that moves briefly takes its old and its new bytes.
        assert!(full.needed_bytes > 4_000, "{full:?}");
        assert!(list.len() > 300, "{}", list.len());
        assert_eq!(memory.used(), list_bytes(&list));
    }
}
