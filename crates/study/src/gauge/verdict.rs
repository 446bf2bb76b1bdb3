//! From measurements to a judgement in words.

use serde::{Deserialize, Serialize};

use super::Gauge;
use crate::stats::{Estimate, Side, wilson};

/// When a game has a fault. The kinds of fault are those of Williams 2010 (drawish, biased, too
/// short, too long); the numbers are this project's own convention.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The fault.
    pub flag: Flag,
    /// Whether the game has it.
    pub state: FlagState,
    /// What was measured against what limit, in words.
    pub why: String,
    /// The measurement as the sentence of the verdict has it.
    #[serde(skip)]
    brief: String,
}

/// The judgement of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Every fault, judged.
    pub flags: Vec<Judged>,
    /// One plain sentence.
    pub sentence: String,
}

impl Verdict {
    /// Judges what was measured.
    pub(super) fn of(gauge: &Gauge, over_at_start: bool) -> Verdict {
        let flags = judge(gauge, &gauge.thresholds);
        let sentence = sentence(gauge, &flags, over_at_start);
        Verdict { flags, sentence }
    }
}

fn judge(gauge: &Gauge, t: &Thresholds) -> Vec<Judged> {
    let second = gauge.first_player.complement();
    let median = gauge.plies.median_estimate();
    let by_share = |flag, what: &str, estimate: &Estimate, max: f64| Judged {
        flag,
        state: FlagState::of(estimate.above(max)),
        why: format!("{what} {} (limit {})", percents(estimate), percent(max)),
        brief: format!("{what} {}", percents(estimate)),
    };
    let mut capped = by_share(Flag::Capped, "games stopped", &gauge.capped, t.capped_max);
    if capped.state == FlagState::CannotTell && gauge.capped.mean == Some(0.0) {
        // Some number below a million is enough for a limit of a few millionths.
        let enough = (1..1_000_000).find(|&n| wilson(0.0, n).high <= Some(t.capped_max));
        if let Some(enough) = enough {
            capped.why.push_str(&format!("; {enough} games with none would say no"));
        }
    }
    // Below the limit is the fault, so the sides are exchanged; equal to it is none.
    let too_short = match (median.low, median.high) {
        (_, Some(high)) if high < t.plies_min => FlagState::Yes,
        (Some(low), _) if low >= t.plies_min => FlagState::No,
        _ => FlagState::CannotTell,
    };
    let long_median = FlagState::of(median.above(t.plies_max));
    let too_long = match (long_median, capped.state) {
        (FlagState::Yes, _) | (_, FlagState::Yes) => FlagState::Yes,
        (FlagState::No, FlagState::No) => FlagState::No,
        _ => FlagState::CannotTell,
    };
    let length = |limit: f64| format!("median length {} (limit {limit} plies)", plies(&median));
    let by_length = |flag, state, why: String| Judged {
        flag,
        state,
        why,
        brief: format!("median length {}", plies(&median)),
    };
    // A game whose games had to be stopped is too long however short the cap keeps them.
    let long = if long_median == too_long {
        by_length(Flag::TooLong, too_long, length(t.plies_max))
    } else {
        let why = format!("{}; {}", length(t.plies_max), capped.why);
        Judged { flag: Flag::TooLong, state: too_long, why, brief: capped.brief.clone() }
    };
    vec![
        by_share(Flag::Drawish, "draws", &gauge.draw_rate, t.draw_rate_max),
        by_share(Flag::BiasedFirst, "points of the first player", &gauge.first_player, t.share_max),
        by_share(Flag::BiasedSecond, "points of the second player", &second, t.share_max),
        by_length(Flag::TooShort, too_short, length(t.plies_min)),
        long,
        capped,
    ]
}

fn sentence(gauge: &Gauge, flags: &[Judged], over_at_start: bool) -> String {
    if over_at_start {
        return "The game is over at the start, so there is nothing to play or judge.".to_owned();
    }
    if gauge.games == 0 && gauge.incomplete {
        return "No game was over when the run was stopped, so nothing can be said.".to_owned();
    }
    if gauge.games == 0 {
        return "No game was played to its end, so nothing can be said.".to_owned();
    }
    let games = match gauge.games {
        1 => "1 game".to_owned(),
        n => format!("{n} games"),
    };
    let are = if gauge.games == 1 { "is" } else { "are" };
    let of = |state: FlagState| flags.iter().filter(move |judged| judged.state == state);
    // Faults with the same measurement behind them share it: "too long and often stopped (...)".
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for judged in of(FlagState::Yes) {
        match groups.iter_mut().find(|(_, brief)| *brief == judged.brief) {
            Some((words, _)) => words.push(judged.flag.words()),
            None => groups.push((vec![judged.flag.words()], &judged.brief)),
        }
    }
    let yes: Vec<String> =
        groups.iter().map(|(words, brief)| format!("{} ({brief})", words.join(" and "))).collect();
    let yes = listed(&yes, "and");
    let open: Vec<String> =
        of(FlagState::CannotTell).map(|judged| judged.flag.words().to_owned()).collect();
    let open = listed(&open, "or");
    let too_few =
        format!("too few to tell whether it is {open}: the intervals straddle the limits");
    let mut text = match (yes.is_empty(), open.is_empty()) {
        (true, true) => format!(
            "No fault found in {games}: not drawish, not biased, neither too short nor too long."
        ),
        (true, false) => format!("No fault of the game is certain, and {games} {are} {too_few}."),
        (false, true) => format!("The game is {yes}, after {games}."),
        (false, false) => format!("The game is {yes}, after {games}, which {are} {too_few}."),
    };
    if gauge.incomplete {
        text.push_str(&format!(
            " The run was stopped when {} of {} games and {} of {} for the depth of skill were over; long games are missing more often than short ones.",
            gauge.games, gauge.games_planned, gauge.skill_depth.n, gauge.skill_games_planned
        ));
    }
    text
}

/// `a, b and c`.
fn listed(words: &[String], and: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} {and} {last}", most.join(", ")),
    }
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

/// A length in plies.
fn counted(length: f64) -> String {
    if length == 1.0 { "1 ply".to_owned() } else { format!("{length} plies") }
}

fn plies(estimate: &Estimate) -> String {
    match (estimate.mean, estimate.low, estimate.high) {
        (Some(mean), Some(low), Some(high)) => {
            format!("{}, 95 % interval {low:.0} to {high:.0}", counted(mean))
        }
        (Some(mean), ..) => format!("{}, no interval from fewer than 6 games", counted(mean)),
        _ => "unrated".to_owned(),
    }
}
