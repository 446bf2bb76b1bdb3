//! From measurements to a judgement in words.

use serde::Serialize;

use super::Gauge;
use crate::stats::{Estimate, Side};

/// When a game has a fault. The defaults are those at which Browne 2008 and Williams 2010 would
/// call a game unplayable: drawish, biased, too short or too long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// A game is drawish when more than this share of games are drawn. Default 0.60.
    pub draw_rate_max: f64,
    /// A game is biased when one player takes more than this share of the points. Default 0.75.
    pub share_max: f64,
    /// A game is too short when its median length is below this, in plies. Default 8.
    pub plies_min: f64,
    /// A game is too long when its median length is above this, in plies. Default 300.
    pub plies_max: f64,
    /// A game is capped, and too long, when the ply cap ends more than this share. Default 0.10.
    pub capped_max: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            draw_rate_max: 0.60,
            share_max: 0.75,
            plies_min: 8.0,
            plies_max: 300.0,
            capped_max: 0.10,
        }
    }
}

/// A fault that a game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// Too many draws.
    Drawish,
    /// The first player wins too much.
    BiasedFirst,
    /// The second player wins too much.
    BiasedSecond,
    /// Games are over too soon.
    TooShort,
    /// Games take too long.
    TooLong,
    /// Too many games had to be stopped.
    Capped,
}

impl Flag {
    /// The fault as a designer would say it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Flag::Drawish => "drawish",
            Flag::BiasedFirst => "biased towards the first player",
            Flag::BiasedSecond => "biased towards the second player",
            Flag::TooShort => "too short",
            Flag::TooLong => "too long",
            Flag::Capped => "often stopped by the ply cap",
        }
    }
}

/// Whether a game has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagState {
    /// The whole interval says so.
    Yes,
    /// The whole interval says no.
    No,
    /// The interval straddles the threshold.
    CannotTell,
}

impl FlagState {
    fn of(side: Side) -> FlagState {
        match side {
            Side::Above => FlagState::Yes,
            Side::NotAbove => FlagState::No,
            Side::Unknown => FlagState::CannotTell,
        }
    }
}

/// One fault with its state and the measurement behind it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The fault.
    pub flag: Flag,
    /// Whether the game has it.
    pub state: FlagState,
    /// What was measured against what, in words.
    pub why: String,
}

/// The judgement of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// Every fault, judged.
    pub flags: Vec<Judged>,
    /// One plain sentence.
    pub sentence: String,
}

impl Verdict {
    /// Judges what was measured.
    pub(super) fn of(gauge: &Gauge, thresholds: &Thresholds, over_at_start: bool) -> Verdict {
        let flags = judge(gauge, thresholds);
        let sentence = sentence(gauge, &flags, over_at_start);
        Verdict { flags, sentence }
    }

    /// The faults in a state.
    pub fn in_state(&self, state: FlagState) -> impl Iterator<Item = &Judged> {
        self.flags.iter().filter(move |judged| judged.state == state)
    }
}

fn judge(gauge: &Gauge, t: &Thresholds) -> Vec<Judged> {
    let second = gauge.first_player.complement();
    let median = Estimate {
        mean: gauge.plies.median,
        low: gauge.plies.median_low,
        high: gauge.plies.median_high,
        n: gauge.plies.mean.n,
    };
    let share = |what: &str, estimate: &Estimate, max: f64| {
        format!("{what} {} (limit {})", percents(estimate), percent(max))
    };
    let capped = FlagState::of(gauge.capped.above(t.capped_max));
    // Below the limit is the fault, so the sides are exchanged; equal to it is none.
    let too_short = match (median.low, median.high) {
        (_, Some(high)) if high < t.plies_min => FlagState::Yes,
        (Some(low), _) if low >= t.plies_min => FlagState::No,
        _ => FlagState::CannotTell,
    };
    let long_median = FlagState::of(median.above(t.plies_max));
    let too_long = match (long_median, capped) {
        (FlagState::Yes, _) | (_, FlagState::Yes) => FlagState::Yes,
        (FlagState::No, FlagState::No) => FlagState::No,
        _ => FlagState::CannotTell,
    };
    let length = |limit: f64| format!("median length {} plies (limit {limit})", numbers(&median));
    let capped_words = share("games stopped by the cap", &gauge.capped, t.capped_max);
    vec![
        Judged {
            flag: Flag::Drawish,
            state: FlagState::of(gauge.draw_rate.above(t.draw_rate_max)),
            why: share("draws", &gauge.draw_rate, t.draw_rate_max),
        },
        Judged {
            flag: Flag::BiasedFirst,
            state: FlagState::of(gauge.first_player.above(t.share_max)),
            why: share("points of the first player", &gauge.first_player, t.share_max),
        },
        Judged {
            flag: Flag::BiasedSecond,
            state: FlagState::of(second.above(t.share_max)),
            why: share("points of the second player", &second, t.share_max),
        },
        Judged { flag: Flag::TooShort, state: too_short, why: length(t.plies_min) },
        Judged {
            flag: Flag::TooLong,
            state: too_long,
            why: format!("{}; {capped_words}", length(t.plies_max)),
        },
        Judged { flag: Flag::Capped, state: capped, why: capped_words },
    ]
}

fn sentence(gauge: &Gauge, flags: &[Judged], over_at_start: bool) -> String {
    if over_at_start {
        return "The game is over at the start, so there is nothing to play or judge.".to_owned();
    }
    if gauge.games == 0 {
        return "No game was played to its end, so nothing can be said.".to_owned();
    }
    let games = if gauge.games == 1 { "1 game".to_owned() } else { format!("{} games", gauge.games) };
    // The cap makes a game too long as well; where that is all, it is said once.
    let twice = |judged: &Judged| {
        judged.flag == Flag::Capped
            && flags.iter().any(|j| j.flag == Flag::TooLong && j.state == judged.state)
    };
    let of = |state: FlagState| {
        flags.iter().filter(move |judged| judged.state == state && !twice(judged))
    };
    let list = |state: FlagState, separator: &str| {
        let words: Vec<String> =
            of(state).map(|judged| format!("{} ({})", judged.flag.words(), judged.why)).collect();
        words.join(separator)
    };
    let (yes, open) = (list(FlagState::Yes, " and "), list(FlagState::CannotTell, "; or "));
    let more = "; more games would tell";
    let mut text = match (yes.is_empty(), open.is_empty()) {
        (true, true) => format!(
            "No fault found in {games}: not drawish, not biased, neither too short nor too long."
        ),
        (true, false) => {
            format!("No fault is certain, but {games} cannot tell whether it is {open}{more}.")
        }
        (false, true) => format!("The game is {yes}, after {games}."),
        (false, false) => format!(
            "The game is {yes}, after {games}, which cannot tell whether it is {open}{more}."
        ),
    };
    if gauge.incomplete {
        text.push_str(" The run was stopped before all games were over.");
    }
    text
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn percents(estimate: &Estimate) -> String {
    match (estimate.mean, estimate.low, estimate.high) {
        (Some(mean), Some(low), Some(high)) => {
            format!("{}, 95 % interval {:.0} to {}", percent(mean), 100.0 * low, percent(high))
        }
        _ => "unrated".to_owned(),
    }
}

fn numbers(estimate: &Estimate) -> String {
    match (estimate.mean, estimate.low, estimate.high) {
        (Some(mean), Some(low), Some(high)) => {
            format!("{mean:.0}, 95 % interval {low:.0} to {high:.0}")
        }
        (Some(mean), ..) => format!("{mean:.0}, too few games for an interval"),
        _ => "unrated".to_owned(),
    }
}
