//! Sentences about the size of a solve before it begins.

use treegauge_core::{Progress, grouped};
use treegauge_solve::size_words;

use crate::refused::{large_words, two_digits};
use crate::words::counted_grouped;

/// Sentences about a solve whose positions were being found for `seconds`. `memory_bytes_max` is
/// the memory of the whole solve; `None` for no limit.
///
/// ```
/// use treegauge_core::{Phase, Progress};
/// use treegauge_report::finding_words;
///
/// let progress = Progress {
///     expected: Some(60_000_000),
///     memory_bytes: 20_000_000,
///     ..Progress::new(Phase::Discover, 1_000_000, 1_000_000)
/// };
/// assert_eq!(
///     finding_words(&progress, 2.0, Some(800 << 20)),
///     "The game has about 60 million positions, by their growth so far. They need about 1.12 GB of \
///      memory, more than the 800 MB that a run may use, so it will be refused. Finding them takes \
///      about 2 min."
/// );
/// ```
#[must_use]
pub fn finding_words(progress: &Progress, seconds: f64, memory_bytes_max: Option<u64>) -> String {
    let known = progress.known.max(1);
    let Some(expected) = progress.expected else {
        return format!(
            "The game has {} after {seconds:.1} s; the number of the others is not known yet, and may be very large.",
            large_words(progress)
        );
    };
    let times = expected as f64 / known as f64;
    let bytes = (progress.memory_bytes as f64 * times) as u64;
    let memory = match memory_bytes_max {
        _ if progress.memory_bytes == 0 => String::new(),
        Some(max) if bytes > max => format!(
            " They need about {} of memory, more than the {} that a run may use, so it will be refused.",
            size_words(bytes),
            size_words(max)
        ),
        Some(max) => format!(
            " They need about {} of memory, of the {} that a run may use.",
            size_words(bytes),
            size_words(max)
        ),
        None => format!(" They need about {} of memory.", size_words(bytes)),
    };
    format!(
        "The game has {}, by their growth so far.{memory} Finding them takes about {}.",
        large_words(progress),
        duration_words(seconds * times)
    )
}

/// Sentence about a solve that a short try completes.
#[must_use]
pub fn small_words(positions: u64) -> String {
    format!("The game has {} and is solved in a moment.", counted_grouped(positions, "position"))
}

/// Sentence about a solve whose positions a short try finds.
#[must_use]
pub fn found_words(positions: u64, seconds: f64) -> String {
    format!(
        "The game has {} positions, which were found in {seconds:.1} s; their values take a few times as long.",
        grouped(positions)
    )
}

/// A time in words, with two digits at most.
fn duration_words(seconds: f64) -> String {
    match seconds {
        _ if seconds < 90.0 => format!("{:.0} s", seconds.max(1.0)),
        _ if seconds < 5_400.0 => format!("{:.0} min", seconds / 60.0),
        _ if seconds < 172_800.0 => format!("{:.0} h", seconds / 3_600.0),
        _ => format!("{} days", two_digits(seconds / 86_400.0)),
    }
}
