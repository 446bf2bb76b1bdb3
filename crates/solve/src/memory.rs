//! The bytes that a solve holds, and the most that it may.
//!
//! Whatever grows with the number of positions asks here before it grows: tables and sets, lists,
//! and the room of each thread. What is asked for once and kept is taken and given by hand
//! ([`Memory::take`], [`Memory::give`]); what is needed for a while is [`Held`], and is given back
//! however the work ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// There are too few bytes left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    /// The bytes that would be taken.
    pub(crate) needed_bytes: u64,
    /// The bytes that may be taken.
    pub(crate) bytes_max: u64,
}

/// The bytes that a process takes for these: blocks of all sizes come and go, and the allocator keeps
/// what lies between them. Over all games with limits up to 4 GB a fifth of what was used was lost at
/// most, of which half is in the margin that a limit has.
pub(crate) fn with_loss(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / LOSS)
}

/// What is lost is counted as one part in so many of what is used.
const LOSS: u64 = 9;

/// An account of bytes, which threads share.
#[derive(Debug)]
pub(crate) struct Memory {
    used: AtomicU64,
    /// What may be used and lost.
    bytes_max: u64,
    /// What may be used.
    usable: u64,
    /// The [`Wide`] that are there.
    wide: Mutex<usize>,
    /// Tells that one of them is gone.
    narrowed: Condvar,
}

impl Memory {
    pub(crate) fn new(bytes_max: Option<u64>) -> Self {
        let bytes_max = bytes_max.unwrap_or(u64::MAX);
        let usable = bytes_max - bytes_max / (LOSS + 1);
        let (wide, narrowed) = (Mutex::new(0), Condvar::new());
        Memory { used: AtomicU64::new(0), bytes_max, usable, wide, narrowed }
    }

    /// Takes bytes that are about to be allocated; none when there are too few.
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

    /// Takes bytes for as long as the answer lives.
    pub(crate) fn hold(&self, bytes: u64) -> Result<Held<'_>, Full> {
        self.take(bytes)?;
        Ok(Held { memory: self, bytes })
    }

    /// No bytes yet, for as long as the answer lives.
    pub(crate) fn nothing(&self) -> Held<'_> {
        Held { memory: self, bytes: 0 }
    }

    /// Takes bytes for what one thread does with many children of one position. Where there are too few
    /// it waits until other threads have given back theirs, so whether there are enough does not
    /// depend on the threads. A thread that has some must not ask for more.
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

    /// Nothing panics while it holds this lock.
    fn wide_holders(&self) -> MutexGuard<'_, usize> {
        self.wide.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for one more element of a list, of which all bytes are taken here. A list that
    /// moves as it grows is there twice for a moment.
    #[inline]
    pub(crate) fn reserve_one<T>(&self, list: &mut Vec<T>) -> Result<(), Full> {
        if list.len() < list.capacity() { Ok(()) } else { self.reserve(list, 1) }
    }

    /// Makes room for more elements of such a list.
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

    /// The bytes that may be taken, where there is a limit.
    pub(crate) fn bytes_max(&self) -> Option<u64> {
        (self.bytes_max < u64::MAX).then_some(self.bytes_max)
    }

    /// The bytes that may still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.usable.saturating_sub(self.used())
    }

    /// The bytes that are taken.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}

/// The bytes that a list has allocated.
pub(crate) fn list_bytes<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}

/// Bytes that are taken for a while.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    memory: &'a Memory,
    bytes: u64,
}

impl Held<'_> {
    /// Takes more of them.
    pub(crate) fn more(&mut self, bytes: u64) -> Result<(), Full> {
        self.memory.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives back some of them.
    pub(crate) fn less(&mut self, bytes: u64) {
        self.memory.give(bytes);
        self.bytes -= bytes;
    }

    /// Takes more of them where there are fewer than this.
    pub(crate) fn at_least(&mut self, bytes: u64) -> Result<(), Full> {
        self.more(bytes.saturating_sub(self.bytes))
    }

    /// Gives back all but this many of them.
    pub(crate) fn at_most(&mut self, bytes: u64) {
        self.less(self.bytes.saturating_sub(bytes));
    }

    /// Leaves them taken, for somebody else to give back.
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
        // Each fits alone, no two together.
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
        // A tenth is for what is lost.
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
        // While it moves it is there twice.
        assert!(full.needed_bytes > 4_000, "{full:?}");
        assert!(list.len() > 300, "{}", list.len());
        assert_eq!(memory.used(), list_bytes(&list));
    }
}
