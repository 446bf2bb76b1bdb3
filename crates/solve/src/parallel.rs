//! Parallel work in numbered pieces on all threads of the current rayon pool.
//!
//! The compiler instantiates Rayon's iterators for every closure and every type of key, which would
//! be almost half of this crate's code. Here it compiles one loop, and every piece of work is a
//! dynamic call. So a piece should have hundreds of positions.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// Calls `work` with every number below `count`.
pub(crate) fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// Collects the results of `work` for every number below `count`, in the order of the numbers.
pub(crate) fn map<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let found: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    each(count, &|n| {
        let result = work(n);
        *locked(&found[n]) = Some(result);
    });
    let result =
        |found: Mutex<Option<T>>| found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.into_iter().map(|found| result(found).expect("every number was worked on")).collect()
}

/// Like [`map`], for work that may fail. Returns the error of the smallest number that failed. No
/// work begins for numbers above one that failed.
pub(crate) fn try_map<T: Send, E: Send>(
    count: usize,
    work: &(dyn Fn(usize) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let failed = AtomicUsize::new(usize::MAX);
    let found = map(count, &|n| {
        if n > failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = work(n);
        if result.is_err() {
            failed.fetch_min(n, Ordering::Relaxed);
        }
        Some(result)
    });
    // All results that are missing come after the first error.
    found.into_iter().flatten().collect()
}

/// Like [`try_map`], for work without results.
pub(crate) fn try_each<E: Send>(
    count: usize,
    work: &(dyn Fn(usize) -> Result<(), E> + Sync),
) -> Result<(), E> {
    try_map(count, work).map(drop)
}

/// Returns whether `test` holds for any number below `count`.
pub(crate) fn any(count: usize, test: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    try_each(count, &|n| if test(n) { Err(()) } else { Ok(()) }).is_err()
}

/// Range of piece `n` of `len` positions, if every piece but the last has `size`.
pub(crate) fn piece(n: usize, size: usize, len: usize) -> Range<usize> {
    n * size..len.min((n + 1) * size)
}

/// Items that are handed out by number, each to one worker.
pub(crate) struct Items<T>(Vec<Mutex<Option<T>>>);

impl<T> Items<T> {
    /// Collects the items, numbered from 0.
    pub(crate) fn of(items: impl Iterator<Item = T>) -> Self {
        Items(items.map(|item| Mutex::new(Some(item))).collect())
    }

    /// Number of items.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes item `n`.
    ///
    /// # Panics
    ///
    /// When the item was taken before.
    pub(crate) fn take(&self, n: usize) -> T {
        locked(&self.0[n]).take().expect("an item is taken once")
    }
}

/// Calls `work` with each piece of `len` elements of a slice, and with the number of the piece's
/// first element.
pub(crate) fn each_chunk<T: Send>(
    slice: &mut [T],
    len: usize,
    work: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    let chunks = Items::of(slice.chunks_mut(len));
    each(chunks.len(), &|n| work(n * len, chunks.take(n)));
}

/// Pool of reusable values that workers borrow, each for one piece of work. Its size is at most the
/// number of pieces in work at the same time.
pub(crate) struct Shelf<T>(Mutex<Vec<T>>);

impl<T> Shelf<T> {
    pub(crate) fn new() -> Self {
        Shelf(Mutex::new(Vec::new()))
    }

    /// Takes a value that was put back, or makes one.
    pub(crate) fn take(&self, make: &dyn Fn() -> T) -> T {
        let kept = locked(&self.0).pop();
        kept.unwrap_or_else(make)
    }

    /// Puts a value back for other workers.
    pub(crate) fn put(&self, thing: T) {
        locked(&self.0).push(thing);
    }

    /// Returns all values that were put back.
    pub(crate) fn into_all(self) -> Vec<T> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Locks a mutex. Poisoning is ignored, since no code panics while it holds one of these locks.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use rayon::ThreadPoolBuilder;

    use super::*;

    /// Runs a test on one thread and on several.
    fn on_pools(test: impl Fn() + Sync) {
        for threads in [1, 4] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(&test);
        }
    }

    #[test]
    fn every_number_comes_once_and_results_are_in_order() {
        on_pools(|| {
            for count in [0, 1, 2, 1_000] {
                let calls: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                each(count, &|n| _ = calls[n].fetch_add(1, Ordering::Relaxed));
                assert!(calls.into_iter().all(|calls| calls.into_inner() == 1));
                let squares: Vec<usize> = (0..count).map(|n| n * n).collect();
                assert_eq!(map(count, &|n| n * n), squares);
                assert_eq!(try_map(count, &|n| Ok::<_, ()>(n * n)), Ok(squares));
            }
        });
    }

    #[test]
    fn the_first_error_is_returned() {
        on_pools(|| {
            let fails = |n: usize| if n % 100 == 99 { Err(n) } else { Ok(n) };
            for _ in 0..50 {
                assert_eq!(try_map(1_000, &fails), Err(99));
                assert_eq!(try_each(1_000, &|n| fails(n).map(drop)), Err(99));
                assert_eq!(try_each(99, &|n| fails(n).map(drop)), Ok(()));
            }
            assert!(any(1_000, &|n| n == 999));
            assert!(!any(1_000, &|n| n == 1_000));
        });
    }

    #[test]
    fn no_work_begins_above_a_number_that_failed() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let calls = AtomicUsize::new(0);
            let work = |n: usize| {
                calls.fetch_add(1, Ordering::Relaxed);
                if n == 7 { Err("no") } else { Ok(()) }
            };
            assert_eq!(try_each(1_000, &work), Err("no"));
            assert_eq!(calls.into_inner(), 8);
        });
    }

    #[test]
    fn chunks_and_items_go_to_their_workers() {
        on_pools(|| {
            let mut numbers = vec![0; 1_001];
            each_chunk(&mut numbers, 10, &|first, chunk| {
                for (n, number) in (first..).zip(chunk) {
                    *number += n;
                }
            });
            assert!(numbers.iter().enumerate().all(|(n, &number)| number == n));
            let items = Items::of(numbers.into_iter().map(|n| vec![n]));
            assert_eq!(items.len(), 1_001);
            let doubles = map(items.len(), &|n| 2 * items.take(n)[0]);
            assert!(doubles.into_iter().enumerate().all(|(n, double)| double == 2 * n));
        });
    }

    #[test]
    fn things_are_borrowed_again() {
        on_pools(|| {
            let (shelf, made) = (Shelf::new(), AtomicUsize::new(0));
            let make = || {
                made.fetch_add(1, Ordering::Relaxed);
                0u64
            };
            each(1_000, &|n| {
                let sum = shelf.take(&make);
                shelf.put(sum + n as u64);
            });
            assert!(made.into_inner() <= rayon::current_num_threads());
            assert_eq!(shelf.into_all().into_iter().sum::<u64>(), 499_500);
        });
    }

    #[test]
    fn panics_go_on_to_the_caller() {
        on_pools(|| {
            let work = |n: usize| assert!(n != 77, "number {n}");
            let panic = catch_unwind(|| each(100, &work)).unwrap_err();
            assert_eq!(panic.downcast_ref::<String>().unwrap(), "number 77");
            assert!(catch_unwind(|| map(100, &work)).is_err());
            let tried = catch_unwind(|| {
                try_each(100, &|n| {
                    work(n);
                    Ok::<_, ()>(())
                })
            });
            assert!(tried.is_err());
        });
    }
}
