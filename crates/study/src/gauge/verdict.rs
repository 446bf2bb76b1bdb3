//! From measurements to a judgement in words.

use serde::{Deserialize, Serialize};

use super::Gauge;
use super::measure_table::{Flag, FlawSide, Measure, Threshold, Unit, thresholds};
use crate::stats::{Estimate, ThresholdSide, wilson};

/// Whether a game has a flaw.
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
    fn of(side: ThresholdSide) -> FlagState {
        match side {
            ThresholdSide::Above => FlagState::Yes,
            ThresholdSide::NotAbove => FlagState::No,
            ThresholdSide::Unknown => FlagState::CannotTell,
        }
    }

    /// Whether an estimate is on the side of the limit that is the flaw.
    fn beyond(estimate: &Estimate, side: FlawSide, limit: f64) -> FlagState {
        match side {
            FlawSide::Above | FlawSide::RestAbove => FlagState::of(estimate.above(limit)),
            // The sides are exchanged; equal to the limit is no flaw.
            FlawSide::Below => match (estimate.low, estimate.high) {
                (_, Some(high)) if high < limit => FlagState::Yes,
                (Some(low), _) if low >= limit => FlagState::No,
                _ => FlagState::CannotTell,
            },
        }
    }

    /// Whether a game has a flaw that either of two shows.
    fn or(self, other: FlagState) -> FlagState {
        match (self, other) {
            (FlagState::Yes, _) | (_, FlagState::Yes) => FlagState::Yes,
            (FlagState::No, FlagState::No) => FlagState::No,
            _ => FlagState::CannotTell,
        }
    }
}

/// One flaw with its state and the measurement behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The name of the [`Flag`].
    pub flag: String,
    /// Whether the game has it.
    pub state: FlagState,
    /// What was measured against what limit, in words.
    pub why: String,
    /// The measurement as the sentence of the verdict has it.
    #[serde(skip)]
    brief: String,
    /// Whether it cannot be told only because there are too few games: none of them shows the flaw.
    #[serde(skip)]
    none_seen: bool,
}

impl Judged {
    /// The flaw as a designer would say it; of a flag that this version does not know, its name.
    #[must_use]
    pub fn words(&self) -> &str {
        Flag::named(&self.flag).map_or(&self.flag, |flag| flag.words)
    }

    fn of(gauge: &Gauge, measure: &Measure, threshold: &Threshold, flag: &Flag) -> Judged {
        let limit = gauge.thresholds.get(threshold.name);
        let mut estimate = gauge.measured(measure.name);
        if flag.side == FlawSide::RestAbove {
            estimate = estimate.complement();
        }
        let state = FlagState::beyond(&estimate, flag.side, limit);
        let brief = format!("{} {}", flag.subject, measured(&estimate, measure.unit));
        let mut why = format!("{brief} (limit {})", limit_words(limit, measure.unit));
        let none_seen = state == FlagState::CannotTell && estimate.mean == Some(0.0);
        let none_seen = flag.counts_from_none && none_seen;
        if none_seen {
            // Some number below a million is enough for a limit of a few millionths.
            let enough = (1..1_000_000).find(|&n| wilson(0.0, n).high <= Some(limit));
            if let Some(enough) = enough {
                why.push_str(&format!("; {enough} games with none would say no"));
            }
        }
        Judged { flag: flag.name.to_owned(), state, why, brief, none_seen }
    }
}

/// The judgement of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Every flaw, judged, in the order of the table.
    pub flags: Vec<Judged>,
    /// One plain sentence.
    pub sentence: String,
}

impl Verdict {
    /// Judges what was measured.
    pub(super) fn of(gauge: &Gauge, over_at_start: bool) -> Verdict {
        let flags = judge(gauge);
        let sentence = sentence(gauge, &flags, over_at_start);
        Verdict { flags, sentence }
    }
}

fn judge(gauge: &Gauge) -> Vec<Judged> {
    let mut judged = Vec::new();
    let mut also = Vec::new();
    for (measure, threshold) in thresholds() {
        for flag in threshold.flags {
            judged.push(Judged::of(gauge, measure, threshold, flag));
            also.push(flag.also);
        }
    }
    let alone = judged.clone();
    for (judged, also) in judged.iter_mut().zip(also) {
        let Some(other) = alone.iter().find(|other| Some(other.flag.as_str()) == also) else {
            continue;
        };
        // That few games were played does not make short games long.
        if other.none_seen && judged.state == FlagState::No {
            continue;
        }
        let state = judged.state.or(other.state);
        if state != judged.state {
            judged.state = state;
            judged.why = format!("{}; {}", judged.why, other.why);
            judged.brief.clone_from(&other.brief);
        }
    }
    judged
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
    // Flaws with the same measurement behind them share it: "too long and often stopped (...)".
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for judged in of(FlagState::Yes) {
        match groups.iter_mut().find(|(_, brief)| *brief == judged.brief) {
            Some((words, _)) => words.push(judged.words()),
            None => groups.push((vec![judged.words()], &judged.brief)),
        }
    }
    let yes: Vec<String> =
        groups.iter().map(|(words, brief)| format!("{} ({brief})", words.join(" and "))).collect();
    let yes = listed(&yes, "and");
    let open: Vec<String> =
        of(FlagState::CannotTell).map(|judged| judged.words().to_owned()).collect();
    let open = listed(&open, "or");
    let too_few =
        format!("too few to tell whether it is {open}: the intervals straddle the limits");
    let mut text = match (yes.is_empty(), open.is_empty()) {
        (true, true) => {
            let none: Vec<String> = flags.iter().map(|judged| judged.words().to_owned()).collect();
            format!("No flaw found in {games}: neither {}.", listed(&none, "nor"))
        }
        (true, false) => format!("No flaw of the game is certain, and {games} {are} {too_few}."),
        (false, true) => format!("The game is {yes}, after {games}."),
        (false, false) => format!("The game is {yes}, after {games}, which {are} {too_few}."),
    };
    if gauge.incomplete {
        text.push_str(&format!(
            " The run was stopped when {} of {} games and {} of {} for the depth of skill were over; long games are missing more often than short ones.",
            gauge.games, gauge.games_planned, gauge.measured("skill_depth").n, gauge.skill_games_planned
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

/// A limit in the unit of its measure.
fn limit_words(limit: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => percent(limit),
        Unit::Plies(_) => format!("{limit} plies"),
        Unit::Number(_) | Unit::Elo => limit.to_string(),
    }
}

/// An estimate with its interval, in its unit.
fn measured(estimate: &Estimate, unit: Unit) -> String {
    let digits = if let Unit::Number(digits) = unit { digits } else { 0 };
    match unit {
        Unit::Share => percents(estimate),
        Unit::Plies(_) => plies(estimate),
        Unit::Number(_) | Unit::Elo => match (estimate.mean, estimate.low, estimate.high) {
            (Some(mean), Some(low), Some(high)) => {
                format!("{mean:.digits$}, 95 % interval {low:.digits$} to {high:.digits$}")
            }
            (Some(mean), ..) => format!("{mean:.digits$}, no interval"),
            _ => "unrated".to_owned(),
        },
    }
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
