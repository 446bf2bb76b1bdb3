//! The progress of long work on the terminal, and its interruption.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use treegauge::report::two_digits;
use treegauge::solve::size_words;
use treegauge::{Phase, Progress, Watch};

use crate::events::Event;
use crate::interrupt;
use crate::output::complain;
use crate::terminal::{has_events, is_quiet};
use treegauge_store::memory;

/// The time before the first line of progress, and between two lines, if there is no terminal for a bar.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// The least time between two events of progress.
const EVENT_EVERY: Duration = Duration::from_millis(200);

/// Prints progress as an event.
fn event(first: &Progress, now: &Progress, since: Duration) {
    let phase = format!("{:?}", now.phase).to_lowercase();
    let left = (now.phase != Phase::Discover).then(|| left(first, now, since)).flatten();
    let Progress { done, known, games, expected, memory_bytes, .. } = *now;
    let left_s = left.map(|left| (left.as_secs_f64() * 10.0).round() / 10.0);
    Event::Progress { phase: &phase, done, known, games, expected, memory_bytes, left_s }.print();
}

/// A watch with a bar on the terminal or lines elsewhere, which stops at Ctrl-C.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// The start of the work.
    started: Instant,
    /// Whether the bar is shown.
    is_shown: AtomicBool,
    /// The time of the last line, or the start of the work.
    said: Mutex<Instant>,
    /// The first progress of the phase, with its time.
    begun: Mutex<Option<(Instant, Progress)>>,
    /// Whether the limit of memory has been printed.
    told: AtomicBool,
    stop: &'static AtomicBool,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        let bar = if std::io::stderr().is_terminal() && !is_quiet() && !has_events() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        let (told, said) = (AtomicBool::new(is_quiet()), Mutex::new(Instant::now()));
        let is_shown = AtomicBool::new(false);
        Bar {
            bar,
            said,
            started: Instant::now(),
            is_shown,
            begun: Mutex::new(None),
            told,
            stop: interrupt::flag(),
        }
    }

    /// Shows the bar, once the work has taken a moment.
    fn show(&self) {
        /// Shorter work shows nothing.
        const MOMENT: Duration = Duration::from_millis(500);
        if self.is_shown.load(Ordering::Relaxed) || self.started.elapsed() < MOMENT {
            return;
        }
        if !self.is_shown.swap(true, Ordering::Relaxed) {
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Prints a line to standard error, above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| complain(line));
    }

    /// Prints the limit of memory once, if the work takes much and the user set no limit.
    fn tell(&self, progress: &Progress) {
        /// The memory in bytes above which the limit is printed.
        const MUCH: u64 = 64 << 20;
        let Some(share) = progress.memory_bytes_max.filter(|_| progress.memory_bytes > MUCH) else {
            return;
        };
        if memory::share() == Some(share) && !self.told.swap(true, Ordering::Relaxed) {
            self.say(&format!(
                "this may take {}, a quarter of the memory that is free; --memory-max sets another limit",
                size_words(share)
            ));
        }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Prints the progress, unless it was printed recently.
    fn line(&self, progress: &Progress) {
        if is_quiet() && !has_events() {
            return;
        }
        let now = Instant::now();
        let (since, first) = {
            let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
            match *begun {
                Some(begun) if begun.1.phase == progress.phase => begun,
                _ => *begun.insert((now, *progress)),
            }
        };
        let every = if has_events() { EVENT_EVERY } else { LINE_EVERY };
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if now.duration_since(*said) < every {
            return;
        }
        *said = now;
        drop(said);
        if has_events() {
            return event(&first, progress, since.elapsed());
        }
        complain(&line_words(&first, progress, since.elapsed()));
    }
}

/// The work of a phase, in words.
const fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Games => "playing",
        Phase::Link => "recording moves",
        Phase::Value => "finding values",
        Phase::Margin => "finding margins",
        Phase::Check => "checking positions",
        Phase::Digest => "finding the digest",
        Phase::Write => "writing the file",
        Phase::Load => "reading the file",
        Phase::Problems => "rating problems",
        Phase::Searches | Phase::Iterations => "searching",
        Phase::Candidates => "making and judging games",
        Phase::Gauges => "gauging the best games",
        Phase::Fits => "fitting models",
        _ => "working",
    }
}

/// The progress in words, with the time that the rest takes at the speed `since` the first progress of the phase.
fn line_words(first: &Progress, now: &Progress, since: Duration) -> String {
    if now.phase == Phase::Discover {
        return found_words(first, now, since);
    }
    let percent = 100.0 * now.done as f64 / now.known.max(1) as f64;
    let mut text = match (now.phase, now.games) {
        // A share of an estimate would shrink when the estimate grows.
        (Phase::Candidates, Some((over, all))) => {
            format!("{}: {over} of {all}", doing(now.phase))
        }
        _ => format!("{}: {percent:.0}%", doing(now.phase)),
    };
    if let Some((over, all)) = now.games.filter(|_| now.phase != Phase::Candidates) {
        let _ = write!(text, ", {over} of {all} games");
    }
    if let Some(left) = left(first, now, since).filter(|left| *left >= Duration::from_secs(1)) {
        let _ = write!(text, ", {:#} left at this speed", HumanDuration(left));
    }
    text
}

/// The time that the rest of a phase takes at the speed so far; `None` in its first moments, which do not predict it.
fn left(first: &Progress, now: &Progress, since: Duration) -> Option<Duration> {
    // Work from before the first progress, of an earlier run for example, does not count for the speed.
    let done = now.done.saturating_sub(first.done);
    let rest = now.known.saturating_sub(now.done) as f64 / done as f64;
    let left = Duration::try_from_secs_f64(since.as_secs_f64() * rest).unwrap_or(Duration::MAX);
    (done > 0 && since >= Duration::from_secs(1)).then_some(left)
}

impl Watch for Bar {
    fn note(&self, text: &str) {
        self.say(text);
    }

    fn progress(&self, progress: Progress) {
        self.show();
        self.tell(&progress);
        if self.bar.is_hidden() {
            self.line(&progress);
            return;
        }
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, first) = match *begun {
            Some(begun) if begun.1.phase == progress.phase => begun,
            _ => {
                // The number of positions is unknown while they are being found.
                let is_open = progress.phase == Phase::Discover;
                let template = if is_open { "{spinner} {wide_msg}" } else { "{bar:30} {wide_msg}" };
                // The numbers of the last phase must not appear with the new one.
                self.bar.set_length(progress.known);
                self.bar.set_position(progress.done);
                self.bar.set_style(ProgressStyle::with_template(template).expect("it is right"));
                *begun.insert((Instant::now(), progress))
            }
        };
        self.bar.set_message(line_words(&first, &progress, since.elapsed()));
        self.bar.set_length(progress.known);
        self.bar.set_position(progress.done);
    }

    fn stop(&self) -> bool {
        self.show();
        self.stop.load(Ordering::Relaxed)
    }
}

/// The progress of the search for positions in words, at the speed `since` its first progress. The most important facts come
/// first, since narrow terminals cut off the end.
fn found_words(first: &Progress, now: &Progress, since: Duration) -> String {
    let seconds = since.as_secs_f64();
    let rate = |from: u64, to: u64| to.saturating_sub(from) as f64 / seconds;
    let (found, taken) = (rate(first.known, now.known), rate(first.memory_bytes, now.memory_bytes));
    // The first moments do not predict the rest.
    let has_rate = seconds >= 1.0 && found > 0.0;
    let left = |number: u64, rate: f64| {
        let left = Duration::try_from_secs_f64(number as f64 / rate);
        format!("{:#}", HumanDuration(left.unwrap_or(Duration::MAX)))
    };
    let mut text = format!("found {}", HumanCount(now.known));
    match now.expected {
        None => {
            text.push_str(" positions");
            if let Some(max) = now.memory_bytes_max.filter(|_| has_rate && taken > 0.0) {
                let left = left(max.saturating_sub(now.memory_bytes), taken);
                let _ = write!(text, ", memory for {left} more");
            }
        }
        Some(expected) => {
            let _ = write!(text, " of about {} positions", two_digits(expected as f64));
            let bytes = now.memory_bytes as f64 * expected as f64 / now.known.max(1) as f64;
            if now.memory_bytes_max.is_some_and(|max| bytes > max as f64) {
                text.push_str(", more than the memory may hold");
            } else if has_rate {
                let left = left(expected.saturating_sub(now.known), found);
                let _ = write!(text, ", {left} left to find them");
            }
        }
    }
    let mut facts = Vec::new();
    if has_rate {
        facts.push(format!("{} per second", two_digits(found)));
    }
    if let Some(max) = now.memory_bytes_max {
        let part = 100.0 * now.memory_bytes as f64 / max.max(1) as f64;
        facts.push(format!("{part:.0}% of the memory allowed"));
    }
    if !facts.is_empty() {
        let _ = write!(text, " ({})", facts.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use treegauge::solve::{Phase, Progress};

    use super::{found_words, line_words};

    #[test]
    fn a_line_says_how_far_work_is_and_when_it_ends() {
        let first = Progress::new(Phase::Games, 20, 100);
        let games = |done, over| Progress {
            games: Some((over, 40)),
            ..Progress::new(Phase::Games, done, 100)
        };
        let words = |now: &Progress, seconds| line_words(&first, now, Duration::from_secs(seconds));
        assert_eq!(words(&games(20, 9), 60), "playing: 20%, 9 of 40 games");
        // Twenty in a minute, and sixty are left.
        assert_eq!(
            words(&games(40, 17), 60),
            "playing: 40%, 17 of 40 games, 3m left at this speed"
        );
        let made = Progress { games: Some((9, 40)), ..Progress::new(Phase::Candidates, 40, 100) };
        assert_eq!(words(&made, 60), "making and judging games: 9 of 40, 3m left at this speed");
        let fits = Progress::new(Phase::Fits, 50, 50);
        assert_eq!(words(&fits, 1), "fitting models: 100%");
    }

    #[test]
    fn the_search_for_positions_has_words() {
        let first = Progress::new(Phase::Discover, 0, 0);
        let mut now = Progress::new(Phase::Discover, 1_000_000, 1_234_567);
        let words =
            |now: &Progress, seconds| found_words(&first, now, Duration::from_secs_f64(seconds));
        assert_eq!(words(&now, 0.1), "found 1,234,567 positions");
        assert_eq!(words(&now, 2.0), "found 1,234,567 positions (617 thousand per second)");
        now.memory_bytes = 19_000_000;
        now.memory_bytes_max = Some(50_000_000);
        let facts = "617 thousand per second, 38% of the memory allowed";
        let known = format!("found 1,234,567 positions, memory for 3s more ({facts})");
        assert_eq!(words(&now, 2.0), known);
        now.expected = Some(3_100_000);
        let known = format!(
            "found 1,234,567 of about 3.1 million positions, 3s left to find them ({facts})"
        );
        assert_eq!(words(&now, 2.0), known);
        now.expected = Some(31_000_000);
        let known = "found 1,234,567 of about 31 million positions, more than the memory may hold";
        assert_eq!(words(&now, 2.0), format!("{known} ({facts})"));
    }
}
