//! Judges measurements and states the verdict in words.

use serde::{Deserialize, Serialize};
use treegauge_core::{counted, grouped};
use treegauge_stats::{Estimate, wilson, wilson_n_to_exclude};

use super::copying::{COPIED, SHARE_OF_FLAW};
use super::findings::{self, Finding};
use super::ladder::Rung;
use super::lead::lead;
use super::measure_table::{Flag, FlawSide, Measure, Threshold, Unit, thresholds};
use super::measures::Measures;
use super::strength::{ByStrength, Change, VISITS_MIN};
use crate::Gauge;

/// Name of the flaw of games that the ply cap ends.
pub(super) const CAPPED: &str = "capped";

/// Answer to whether a game has a flaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlawState {
    /// The whole interval is beyond the limit.
    Yes,
    /// No part of the interval is beyond the limit.
    No,
    /// The interval straddles the limit, or the searches are too weak to judge by.
    CannotTell,
    /// The answer changes with the strength of the players: it differs between strengths, or would
    /// if the trend continued, or best play gives the opposite answer.
    DependsOnStrength,
}

impl FlawState {
    /// Combines two states: a flaw that either of them shows.
    fn or(self, other: FlawState) -> FlawState {
        match (self, other) {
            (FlawState::Yes, _) | (_, FlawState::Yes) => FlawState::Yes,
            (FlawState::No, FlawState::No) => FlawState::No,
            (FlawState::DependsOnStrength, _) | (_, FlawState::DependsOnStrength) => {
                FlawState::DependsOnStrength
            }
            _ => FlawState::CannotTell,
        }
    }
}

/// One flaw with its state and the measurement behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedFlaw {
    /// Name of the [`Flag`].
    pub flag: String,
    /// Whether the game has the flaw.
    pub state: FlawState,
    /// Measurement and limit, in words.
    pub why: String,
    /// The measurement at the two greatest strengths, in words.
    #[serde(skip)]
    pub(super) brief: String,
    /// The measurement of the games of the two greatest strengths together, by which the flaw is
    /// judged; of bias towards the second player, the share of the second player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Estimate>,
    /// The games without any that would say no, if there are too few of them.
    #[serde(skip)]
    none_needed: Option<u64>,
    /// Change with the strength of the players; `None` if the answer does not depend on it.
    #[serde(skip)]
    pub(super) change: Option<Change>,
    /// Whether it cannot be told only because there are too few games: none of them shows the flaw.
    #[serde(skip)]
    none_seen: bool,
}

impl JudgedFlaw {
    /// Returns the flaw in a designer's words; the name of a flag that this version does not know.
    #[must_use]
    pub fn words(&self) -> &str {
        let finding = || Finding::named(&self.flag).map(|finding| finding.words);
        Flag::named(&self.flag).map(|flag| flag.words).or_else(finding).unwrap_or(&self.flag)
    }

    /// Creates a flaw in some state, without a measurement.
    #[cfg(test)]
    pub(crate) fn new(flag: &str, state: FlawState) -> JudgedFlaw {
        JudgedFlaw {
            together: None,
            ..JudgedFlaw::found(flag, state, String::new(), Estimate::UNRATED)
        }
    }

    /// Creates a flaw that was found without a limit.
    pub(super) fn found(flag: &str, state: FlawState, why: String, share: Estimate) -> JudgedFlaw {
        JudgedFlaw {
            flag: flag.to_owned(),
            state,
            brief: why.clone(),
            why,
            together: Some(share),
            none_needed: None,
            change: None,
            none_seen: false,
        }
    }

    /// Judges one flag by the games of the two greatest strengths; `together` holds the measures
    /// over both.
    fn of(
        gauge: &Gauge,
        together: &Measures,
        measure: &Measure,
        threshold: &Threshold,
        flag: &Flag,
    ) -> JudgedFlaw {
        let limit = gauge.thresholds.get(threshold.name);
        let by_strength = ByStrength::of(&gauge.ladder, measure, flag, limit);
        let of_both = flag.side.of_flaw(together.get(measure.name));
        let bound = gauge.plies_max.filter(|_| flag.name == CAPPED && of_both.n > 0);
        let played = match bound {
            Some(_) => FlawState::No,
            None => flag.side.beyond(&of_both, limit),
        };
        let exact = gauge.solved.as_ref().zip(flag.with_best_play);
        let other = exact.is_some_and(|(exact, has_flaw)| match played {
            FlawState::Yes => !has_flaw(exact),
            FlawState::No => has_flaw(exact),
            _ => false,
        });
        let change = by_strength.change().filter(|_| bound.is_none());
        let change = change.or(other.then_some(Change::OtherWithBestPlay));
        let state = if change.is_some() { FlawState::DependsOnStrength } else { played };
        let words = |estimate: &Estimate| measured(estimate, measure.unit, flag.side);
        let strongest = by_strength.strongest();
        let brief = match strongest {
            [] => format!("{} unrated", flag.subject),
            [only] => format!("{} {}", flag.subject, words(&only.estimate)),
            several => {
                let each = several.iter().enumerate().map(|(n, at)| {
                    let what = if n == 0 { " iterations per move" } else { "" };
                    format!("{} at {}{what}", words(&at.estimate), at.iterations)
                });
                format!("{} {}", flag.subject, each.collect::<Vec<_>>().join(", "))
            }
        };
        let mut why = brief.clone();
        if played == state && by_strength.alone().any(|alone| alone != state) {
            why.push_str(&format!("; together {}", words(&of_both)));
        }
        why.push_str(&format!(" (limit {})", limit_words(limit, measure.unit)));
        if let Some(plies) = bound {
            why.push_str(&format!("; no game is longer than {}", counted(plies, "ply")));
        }
        let none_seen = state == FlawState::CannotTell && of_both.mean == Some(0.0);
        let none_seen = flag.counts_from_none && none_seen;
        // Some number below a million is enough for a limit of a few millionths.
        let enough = || (1..1_000_000).find(|&n| wilson(0.0, n).high <= Some(limit));
        let none_needed = if none_seen { enough() } else { None };
        if let Some(needed) = none_needed {
            why.push_str(&format!("; {needed} games with none would say no"));
        }
        let together = Some(of_both);
        JudgedFlaw {
            flag: flag.name.to_owned(),
            state,
            why,
            brief,
            together,
            none_needed,
            change,
            none_seen,
        }
    }

    /// The way in which the answer depends on the strength of the players; `None` if it does not.
    pub(super) fn reason_of_change(&self) -> Option<&'static str> {
        let flag = Flag::named(&self.flag)?;
        Some(match self.change? {
            Change::Fades => flag.fades,
            Change::Grows => flag.grows,
            Change::OtherWithBestPlay => "with best play it is the other way round",
        })
    }

    /// The same in a sentence with the measurements.
    fn dependence(&self) -> Option<String> {
        let (words, how) = (self.words(), self.reason_of_change()?);
        Some(format!(
            "Whether it is {words} depends on the strength of the players ({}): {how}.",
            self.brief
        ))
    }
}

/// The measurement behind a flaw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The measurement at the two greatest strengths, the weaker first: iterations per move, and the
    /// estimate in words.
    pub at: Vec<(u32, String)>,
    /// The measurement of the games of both together in words; empty in reports of older versions.
    pub together: String,
    /// The values that are a flaw, in words: what is measured, and on which side of the limit.
    pub limit: String,
    /// Whether best play shows the flaw, if the games clearly say the opposite.
    pub other_with_best_play: Option<bool>,
}

impl Gauge {
    /// Returns the measurement behind a flaw; `None` if this version does not know the flaw.
    #[must_use]
    pub fn evidence(&self, judged: &JudgedFlaw) -> Option<Evidence> {
        if let Some(evidence) = findings::evidence(self, judged) {
            return Some(evidence);
        }
        let (measure, threshold, flag) = thresholds().find_map(|(measure, threshold)| {
            let flag = threshold.flags.iter().find(|flag| flag.name == judged.flag)?;
            Some((measure, threshold, flag))
        })?;
        let limit = self.thresholds.get(threshold.name);
        let by_strength = ByStrength::of(&self.ladder, measure, flag, limit);
        let words = |estimate: &Estimate| measured(estimate, measure.unit, flag.side);
        let at = by_strength.strongest().iter().map(|at| (at.iterations, words(&at.estimate)));
        let together = judged.together.as_ref().map(words).unwrap_or_default();
        let than = match flag.side {
            FlawSide::Above | FlawSide::ComplementAbove => "above",
            FlawSide::Below => "below",
        };
        let best = self.solved.as_ref().zip(flag.with_best_play);
        let best = best.map(|(exact, has_flaw)| has_flaw(exact));
        let played = judged.together.map(|together| flag.side.beyond(&together, limit));
        let other_with_best_play = best.filter(|&best| {
            judged.state == FlawState::DependsOnStrength
                && played == Some(if best { FlawState::No } else { FlawState::Yes })
        });
        let limit = format!("{} {than} {}", flag.subject, limit_words(limit, measure.unit));
        Some(Evidence { at: at.collect(), together, other_with_best_play, limit })
    }
}

impl Gauge {
    /// Returns the number of games at each strength that would decide a flaw, about, if the
    /// measured value stays as it is. `None` unless the flaw is undecided for lack of games, if the
    /// value is at its limit, and in reports of older versions.
    #[must_use]
    pub fn games_to_decide(&self, judged: &JudgedFlaw) -> Option<u64> {
        let is_open = judged.state == FlawState::CannotTell;
        let is_weak = self.verdict.iterations_needed.is_some();
        let together = judged.together.filter(|one| is_open && !is_weak && one.n > 0)?;
        let of_flag = thresholds()
            .find(|(_, threshold)| threshold.flags.iter().any(|flag| flag.name == judged.flag));
        let needed = match of_flag {
            None if judged.flag == COPIED => wilson_n_to_exclude(together.mean?, SHARE_OF_FLAW)?,
            None => return None,
            Some((measure, threshold)) => {
                let limit = self.thresholds.get(threshold.name);
                match measure.unit {
                    Unit::Share => wilson_n_to_exclude(together.mean?, limit)?,
                    _ => together.n_to_exclude(limit)?,
                }
            }
        };
        let times = (needed / together.n as f64).max(1.0);
        Some((f64::from(self.games_planned) * times).ceil() as u64)
    }
}

/// The judgement of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// All flaws with their states, in the order of the table.
    pub flags: Vec<JudgedFlaw>,
    /// Whether the game has any flaw; `None` if unknown or dependent on the strength of the
    /// players, and if the run was stopped before one was found.
    #[serde(default)]
    pub flawed: Option<bool>,
    /// The whole judgement in plain words: the lead and the reasons.
    pub sentence: String,
    /// The same in parts: first the lead, one or two sentences, then the reasons, a sentence each.
    #[serde(default)]
    pub sentences: Vec<String>,
    /// Iterations per move that would be enough to judge the flaws; `None` if those of the gauge
    /// are enough.
    #[serde(default)]
    pub iterations_needed: Option<u32>,
}

impl Verdict {
    /// Adds words about the time of enough iterations to the lead of a verdict that needs them.
    pub fn add_time(&mut self, words: &str) {
        let Some(needed) = self.iterations_needed else { return };
        let Some((lead, reasons)) = self.sentences.split_first() else { return };
        let needed_words = grouped(needed);
        let lead =
            format!("{lead} About {needed_words} iterations per move may be enough: {words}.");
        let plain = enough_words(needed);
        let reasons = reasons.iter().filter(|reason| **reason != plain).cloned();
        self.sentences = std::iter::once(lead).chain(reasons).collect();
        self.sentence = self.sentences.join(" ");
    }

    /// State of a flaw; `None` if the verdict does not judge it.
    #[must_use]
    pub fn state_of(&self, flag: &str) -> Option<FlawState> {
        self.flags.iter().find(|judged| judged.flag == flag).map(|judged| judged.state)
    }

    /// Flaws that any of several verdicts judges, each once, in the order of the table.
    pub fn flaws_of_all<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Vec<&'a JudgedFlaw> {
        let mut all: Vec<&JudgedFlaw> = Vec::new();
        for judged in verdicts.flat_map(|verdict| &verdict.flags) {
            if all.iter().all(|known| known.flag != judged.flag) {
                all.push(judged);
            }
        }
        all
    }

    /// Judges a gauge. `together` holds the measures over the games of the two greatest strengths.
    pub(super) fn of(gauge: &Gauge, together: &Measures, over_at_start: bool) -> Verdict {
        let mut flags = judge(gauge, together);
        flags.extend(findings::findings(gauge, together));
        let weakness = Weakness::of(gauge);
        if weakness.is_some() {
            // Nothing of these depends on how well the searches play.
            let is_without_choice =
                gauge.solved.as_ref().is_some_and(|exact| exact.is_without_choice);
            let is_certain = |judged: &JudgedFlaw| match judged.flag.as_str() {
                CAPPED => gauge.plies_max.is_some(),
                findings::NO_CHOICE => is_without_choice,
                _ => false,
            };
            for judged in flags.iter_mut().filter(|judged| !is_certain(judged)) {
                (judged.state, judged.change) = (FlawState::CannotTell, None);
            }
        }
        let mut sentences = vec![lead(gauge, &flags, weakness.as_ref(), over_at_start)];
        if !over_at_start {
            sentences.extend(reasons(gauge, &flags, weakness.as_ref()));
        }
        let iterations_needed = weakness.map(|weakness| weakness.iterations_needed);
        Verdict {
            // More tests may find one.
            flawed: flawed(&flags).filter(|&is_flawed| is_flawed || !gauge.incomplete),
            flags,
            sentence: sentences.join(" "),
            sentences,
            iterations_needed,
        }
    }
}

fn flawed(flags: &[JudgedFlaw]) -> Option<bool> {
    if flags.iter().any(|judged| judged.state == FlawState::Yes) {
        return Some(true);
    }
    let sound = !flags.is_empty() && flags.iter().all(|judged| judged.state == FlawState::No);
    sound.then_some(false)
}

/// Weakness of the searches, which makes every flaw undecided.
pub(super) struct Weakness {
    /// The reason, in words.
    pub(super) why: String,
    iterations_needed: u32,
}

impl Weakness {
    fn of(gauge: &Gauge) -> Option<Weakness> {
        let weaker = *strongest(gauge).first()?;
        // With a single legal move everywhere, the search has no choices.
        let branching = weaker.measures.get("branching").mean.filter(|&moves| moves > 1.0)?;
        let visits = f64::from(weaker.iterations) / branching;
        if visits < VISITS_MIN {
            // Scale from the weaker strength to the iterations of the gauge.
            let times = f64::from(gauge.iterations) / f64::from(weaker.iterations);
            let needed = iterations_enough(branching * times);
            let why = format!(
                "{} iterations per move give {visits:.0} visits to each of {branching:.0} legal moves, too few to play by",
                grouped(weaker.iterations),
            );
            return Some(Weakness { why, iterations_needed: needed });
        }
        let decided = || gauge.curves.iter().filter(|curve| curve.outcome.winner().is_some());
        let unclear = decided().filter(|curve| !curve.is_ever_clear()).count();
        if 2 * unclear > decided().count() {
            let needed = gauge.iterations.saturating_mul(4);
            let why = format!(
                "in {unclear} of {} games with a winner the search never saw either player ahead, so it is too weak to judge the game",
                decided().count()
            );
            return Some(Weakness { why, iterations_needed: needed });
        }
        None
    }
}

/// Iterations per move with which a UCT player gives each of `branching` legal moves enough visits
/// for its games to be judged, with a margin, as a round number.
#[must_use]
pub fn iterations_enough(branching: f64) -> u32 {
    round_number(VISITS_MIN * branching)
}

/// Factor of the iterations that are enough: players meet positions with more moves than weaker players
/// or random ones.
pub const MOVES_MARGIN: f64 = 1.2;

/// The least of 1,000, 2,000, 5,000, 10,000, ... that exceeds a number by [`MOVES_MARGIN`].
fn round_number(needed: f64) -> u32 {
    let steps = (3..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u32.pow(power)));
    let mut enough = steps.skip_while(|&step| f64::from(step) < MOVES_MARGIN * needed);
    enough.next().unwrap_or(u32::MAX)
}

/// Returns the two greatest strengths that played games, the weaker first.
pub(super) fn strongest(gauge: &Gauge) -> Vec<&Rung> {
    let mut played: Vec<&Rung> = gauge.ladder.iter().filter(|rung| rung.games > 0).collect();
    played.split_off(played.len().saturating_sub(2))
}

fn judge(gauge: &Gauge, together: &Measures) -> Vec<JudgedFlaw> {
    let mut judged = Vec::new();
    let mut also = Vec::new();
    for (measure, threshold) in thresholds() {
        for flag in threshold.flags {
            judged.push(JudgedFlaw::of(gauge, together, measure, threshold, flag));
            also.push(flag.also);
        }
    }
    let alone = judged.clone();
    for (judged, also) in judged.iter_mut().zip(also) {
        let Some(other) = alone.iter().find(|other| Some(other.flag.as_str()) == also) else {
            continue;
        };
        // A flag undecided only for lack of games does not make short games too long.
        if other.none_seen && judged.state == FlawState::No {
            continue;
        }
        let state = judged.state.or(other.state);
        if state != judged.state {
            judged.state = state;
            judged.change = other.change;
            judged.why = format!("{}; {}", judged.why, other.why);
            judged.brief.clone_from(&other.brief);
        }
    }
    judged
}

/// A sentence about the iterations that would be enough.
fn enough_words(needed: u32) -> String {
    format!("About {} iterations per move may be enough to judge the game.", grouped(needed))
}

/// The reasons behind the lead, a sentence each.
fn reasons(gauge: &Gauge, flags: &[JudgedFlaw], weakness: Option<&Weakness>) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(Weakness { iterations_needed, .. }) = weakness {
        reasons.push(enough_words(*iterations_needed));
    } else if gauge.games > 0 {
        reasons.extend(found(gauge, flags));
    }
    let is_missing_own = gauge.games < gauge.games_planned
        || gauge.measured("skill_depth").n < u64::from(gauge.skill_games_planned);
    if gauge.incomplete && !is_missing_own {
        reasons.push("The run was stopped before all games were over.".to_owned());
    } else if gauge.incomplete {
        reasons.push(format!(
            "The run was stopped after {} of {} games and {} of {} games for the depth of skill; long games are missing more often than short ones.",
            gauge.games, gauge.games_planned, gauge.measured("skill_depth").n, gauge.skill_games_planned
        ));
    }
    reasons
}

/// The flaws of players with their measurements, in sentences.
fn found(gauge: &Gauge, flags: &[JudgedFlaw]) -> Vec<String> {
    let of = |state: FlawState| flags.iter().filter(move |judged| judged.state == state);
    // Flaws with the same measurement share it: "too long and often stopped (...)".
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    // What was found without a limit, the lead says.
    for judged in of(FlawState::Yes).filter(|judged| Finding::named(&judged.flag).is_none()) {
        match groups.iter_mut().find(|(_, brief)| *brief == judged.brief) {
            Some((words, _)) => words.push(judged.words()),
            None => groups.push((vec![judged.words()], &judged.brief)),
        }
    }
    let yes = groups.iter().map(|(words, brief)| format!("{} ({brief})", words.join(" and ")));
    let yes: Vec<String> = yes.collect();
    let mut sentences = Vec::new();
    if !yes.is_empty() {
        let players = gauge.players();
        sentences.push(format!("With {players} the game is {}.", listed(&yes, "and")));
    }
    sentences.extend(of(FlawState::DependsOnStrength).filter_map(JudgedFlaw::dependence));
    let open: Vec<&str> = of(FlawState::CannotTell).map(JudgedFlaw::words).collect();
    if !open.is_empty() {
        sentences.push(format!(
            "Whether it is {} is open: the intervals contain the limits.",
            listed(&open, "or")
        ));
    }
    sentences.extend(of(FlawState::CannotTell).filter_map(|judged| {
        let needed = judged.none_needed?;
        Some(format!("{needed} games without one would show that it is not {}.", judged.words()))
    }));
    sentences
}

/// The games of the two greatest strengths.
pub(super) fn games_judged(gauge: &Gauge) -> u32 {
    strongest(gauge).iter().map(|rung| rung.games).sum()
}

impl Gauge {
    /// The players whose games are judged: "UCT at 2,000 and 8,000 iterations per move".
    pub(crate) fn players(&self) -> String {
        let iterations: Vec<u32> = strongest(self).iter().map(|rung| rung.iterations).collect();
        match iterations[..] {
            [] => "UCT".to_owned(),
            [1] => "UCT at 1 iteration per move".to_owned(),
            [only] => format!("UCT at {} iterations per move", grouped(only)),
            [weaker, .., stronger] => {
                let [weaker, stronger] = [weaker, stronger].map(grouped);
                format!("UCT at {weaker} and {stronger} iterations per move")
            }
        }
    }
}

/// `a, b and c`.
pub(super) fn listed<T: AsRef<str>>(words: &[T], and: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match &words[..] {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} {and} {last}", most.join(", ")),
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Formats a limit in the unit of its measure.
fn limit_words(limit: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => percent(limit),
        Unit::Plies(_) => format!("{limit} plies"),
        Unit::Number(_) | Unit::Elo => limit.to_string(),
    }
}

/// Formats a share with its interval.
pub(super) fn measured_share(share: &Estimate) -> String {
    measured(share, Unit::Share, FlawSide::Above)
}

/// Formats an estimate with its interval, in its unit.
fn measured(estimate: &Estimate, unit: Unit, side: FlawSide) -> String {
    let (mean, low, high) = (estimate.mean, estimate.low, estimate.high);
    let number = |x: f64| match unit {
        // Rounded so that the shares of the two players add up to 100.
        Unit::Share if side == FlawSide::ComplementAbove => {
            format!("{:.0}", 100.0 - (100.0 * (1.0 - x)).round())
        }
        Unit::Share => format!("{:.0}", (100.0 * x).round()),
        Unit::Plies(_) => x.to_string(),
        Unit::Number(digits) => format!("{x:.digits$}"),
        Unit::Elo => format!("{x:.0}"),
    };
    let percent = if unit == Unit::Share { "%" } else { "" };
    let plies = match unit {
        Unit::Plies(_) if mean == Some(1.0) => " ply",
        Unit::Plies(_) => " plies",
        _ => "",
    };
    match (mean, low, high) {
        (Some(mean), Some(low), Some(high)) => format!(
            "{}{percent}{plies} ({} to {}{percent})",
            number(mean),
            number(low),
            number(high)
        ),
        (Some(mean), ..) => {
            format!("{}{percent}{plies} (too few games for an interval)", number(mean))
        }
        _ => "unrated".to_owned(),
    }
}
