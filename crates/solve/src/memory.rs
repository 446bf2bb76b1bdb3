//! The bytes that a solve holds, and the most that it may.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Reached, SolveError};

/// An account of bytes. It is kept for the large arrays only, whose sizes are known before they
/// are made.
#[derive(Debug)]
pub(crate) struct Memory {
    used: AtomicU64,
    bytes_max: u64,
}

impl Memory {
    pub(crate) fn new(bytes_max: Option<u64>) -> Self {
        Memory { used: AtomicU64::new(0), bytes_max: bytes_max.unwrap_or(u64::MAX) }
    }

    /// Takes bytes that are about to be allocated.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), SolveError> {
        let needed = self.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if needed > self.bytes_max {
            return Err(SolveError::Memory {
                needed_bytes: needed,
                bytes_max: self.bytes_max,
                reached: Reached::default(),
            });
        }
        Ok(())
    }

    /// Gives back bytes that were taken.
    pub(crate) fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The bytes that may be taken, where there is a limit.
    pub(crate) fn bytes_max(&self) -> Option<u64> {
        (self.bytes_max < u64::MAX).then_some(self.bytes_max)
    }

    /// The bytes that may still be taken.
    pub(crate) fn left(&self) -> u64 {
        self.bytes_max.saturating_sub(self.used())
    }

    /// The bytes that are taken.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
}
