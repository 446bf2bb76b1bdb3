//! Judges measurements and states the verdict in words.

use serde::{Deserialize, Serialize};
use treegauge_core::{Player, counted};
use treegauge_stats::{Estimate, wilson};

use super::Gauge;
use super::exact::Exact;
use super::ladder::Rung;
use super::measure_table::{Flag, FlawSide, Measure, Threshold, Unit, thresholds};
use super::measures::Measures;
use super::strength::{ByStrength, Change, VISITS_MIN};

/// Answer to whether a game has a flaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagState {
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

impl FlagState {
    /// Combines two states: a flaw that either of them shows.
    fn or(self, other: FlagState) -> FlagState {
        match (self, other) {
            (FlagState::Yes, _) | (_, FlagState::Yes) => FlagState::Yes,
            (FlagState::No, FlagState::No) => FlagState::No,
            (FlagState::DependsOnStrength, _) | (_, FlagState::DependsOnStrength) => {
                FlagState::DependsOnStrength
            }
            _ => FlagState::CannotTell,
        }
    }
}

/// One flaw with its state and the measurement behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Name of the [`Flag`].
    pub flag: String,
    /// Whether the game has the flaw.
    pub state: FlagState,
    /// Measurement and limit, in words.
    pub why: String,
    /// Measurement in words, as the sentence of the verdict quotes it.
    #[serde(skip)]
    brief: String,
    /// Change with the strength of the players; `None` if the answer does not depend on it.
    #[serde(skip)]
    change: Option<Change>,
    /// Whether no game shows the flaw and the answer is unknown only because there are too few
    /// games.
    #[serde(skip)]
    none_seen: bool,
}

impl Judged {
    /// Returns the flaw in a designer's words; the name of a flag that this version does not know.
    #[must_use]
    pub fn words(&self) -> &str {
        Flag::named(&self.flag).map_or(&self.flag, |flag| flag.words)
    }

    /// Creates a flaw in some state, without a measurement.
    #[cfg(test)]
    pub(crate) fn new(flag: &str, state: FlagState) -> Judged {
        Judged {
            flag: flag.to_owned(),
            state,
            why: String::new(),
            brief: String::new(),
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
    ) -> Judged {
        let limit = gauge.thresholds.get(threshold.name);
        let by_strength = ByStrength::of(&gauge.ladder, measure, flag, limit);
        let of_both = flag.side.of_flaw(together.get(measure.name));
        let played = flag.side.beyond(&of_both, limit);
        let exact = gauge.solved.as_ref().zip(flag.with_best_play);
        let other = exact.is_some_and(|(exact, has_flaw)| match played {
            FlagState::Yes => !has_flaw(exact),
            FlagState::No => has_flaw(exact),
            _ => false,
        });
        let change = by_strength.change().or(other.then_some(Change::OtherWithBestPlay));
        let state = if change.is_some() { FlagState::DependsOnStrength } else { played };
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
        let none_seen = state == FlagState::CannotTell && of_both.mean == Some(0.0);
        let none_seen = flag.counts_from_none && none_seen;
        if none_seen {
            // The bound of a million covers limits down to a few millionths.
            let enough = (1..1_000_000).find(|&n| wilson(0.0, n).high <= Some(limit));
            if let Some(enough) = enough {
                why.push_str(&format!("; {enough} games with none would say no"));
            }
        }
        Judged { flag: flag.name.to_owned(), state, why, brief, change, none_seen }
    }

    /// Explains in a sentence how the answer depends on the strength of the players; `None` if it
    /// does not.
    fn dependence(&self) -> Option<String> {
        let flag = Flag::named(&self.flag)?;
        let how = match self.change? {
            Change::Fades => flag.fades,
            Change::Grows => flag.grows,
            Change::OtherWithBestPlay => "with best play it is the other way round",
        };
        Some(format!(
            "Whether it is {} depends on the strength of the players ({}): {how}.",
            flag.words, self.brief
        ))
    }
}

/// Verdict on a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// All flaws with their states, in the order of the table.
    pub flags: Vec<Judged>,
    /// Whether the game has any flaw; `None` if unknown or dependent on the strength of the
    /// players.
    #[serde(default)]
    pub flawed: Option<bool>,
    /// Whole verdict in plain words.
    pub sentence: String,
    /// Whole verdict, sentence by sentence.
    #[serde(default)]
    pub sentences: Vec<String>,
    /// Iterations per move that would be enough to judge the flaws; `None` if those of the gauge
    /// are enough.
    #[serde(default)]
    pub iterations_needed: Option<u32>,
}

impl Verdict {
    /// Judges a gauge. `together` holds the measures over the games of the two greatest strengths.
    pub(super) fn of(gauge: &Gauge, together: &Measures, over_at_start: bool) -> Verdict {
        let mut flags = judge(gauge, together);
        let weakness = Weakness::of(gauge);
        if weakness.is_some() {
            for judged in &mut flags {
                (judged.state, judged.change) = (FlagState::CannotTell, None);
            }
        }
        let sentences = sentences(gauge, &flags, weakness.as_ref(), over_at_start);
        let iterations_needed = weakness.map(|weakness| weakness.iterations_needed);
        Verdict {
            flawed: flawed(&flags),
            flags,
            sentence: sentences.join(" "),
            sentences,
            iterations_needed,
        }
    }
}

fn flawed(flags: &[Judged]) -> Option<bool> {
    if flags.iter().any(|judged| judged.state == FlagState::Yes) {
        return Some(true);
    }
    let sound = !flags.is_empty() && flags.iter().all(|judged| judged.state == FlagState::No);
    sound.then_some(false)
}

/// Weakness of the searches, which makes every flaw undecided.
struct Weakness {
    why: String,
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
            let needed = (VISITS_MIN * branching * times).ceil() as u32;
            let why = format!(
                "{} per move {} {visits:.0} visits for each of {branching:.0} legal moves, too few for a search to play by; {needed} iterations per move would do",
                counted(weaker.iterations, "iteration"),
                if weaker.iterations == 1 { "is" } else { "are" }
            );
            return Some(Weakness { why, iterations_needed: needed });
        }
        let decided = || gauge.curves.iter().filter(|curve| curve.outcome.winner().is_some());
        let unclear = decided().filter(|curve| !curve.is_ever_clear()).count();
        if 2 * unclear > decided().count() {
            let needed = gauge.iterations.saturating_mul(4);
            let why = format!(
                "in {unclear} of {} games with a winner the search never saw either player ahead, so it plays too weakly to judge the game by; {needed} iterations per move may do",
                decided().count()
            );
            return Some(Weakness { why, iterations_needed: needed });
        }
        None
    }
}

/// Returns the two greatest strengths that played games, the weaker first.
fn strongest(gauge: &Gauge) -> Vec<&Rung> {
    let mut played: Vec<&Rung> = gauge.ladder.iter().filter(|rung| rung.games > 0).collect();
    played.split_off(played.len().saturating_sub(2))
}

fn judge(gauge: &Gauge, together: &Measures) -> Vec<Judged> {
    let mut judged = Vec::new();
    let mut also = Vec::new();
    for (measure, threshold) in thresholds() {
        for flag in threshold.flags {
            judged.push(Judged::of(gauge, together, measure, threshold, flag));
            also.push(flag.also);
        }
    }
    let alone = judged.clone();
    for (judged, also) in judged.iter_mut().zip(also) {
        let Some(other) = alone.iter().find(|other| Some(other.flag.as_str()) == also) else {
            continue;
        };
        // A flag undecided only for lack of games does not make short games too long.
        if other.none_seen && judged.state == FlagState::No {
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

fn sentences(
    gauge: &Gauge,
    flags: &[Judged],
    weakness: Option<&Weakness>,
    over_at_start: bool,
) -> Vec<String> {
    if over_at_start {
        return vec![
            "The game is over at the start, so there is nothing to play or judge.".to_owned(),
        ];
    }
    let lead = gauge.solved.as_ref().map(|exact| solved_sentence(exact, gauge, flags));
    let mut sentences: Vec<String> = lead.into_iter().collect();
    if gauge.games == 0 {
        let what = if gauge.incomplete {
            "No game was over when the run was stopped"
        } else {
            "No game was played to its end"
        };
        sentences.push(format!("{what}, so nothing can be said of players."));
        return sentences;
    }
    if let Some(Weakness { why, .. }) = weakness {
        sentences.push(format!("Whether the game has flaws cannot be told: {why}."));
    } else {
        let found = found(gauge, flags, sentences.first());
        sentences.extend(found);
    }
    if gauge.incomplete {
        sentences.push(format!(
            "The run was stopped when {} of {} games and {} of {} for the depth of skill were over; long games are missing more often than short ones.",
            gauge.games, gauge.games_planned, gauge.measured("skill_depth").n, gauge.skill_games_planned
        ));
    }
    sentences
}

/// States the flaws for players of the judged strengths, in sentences that follow the one on the
/// exact value.
fn found(gauge: &Gauge, flags: &[Judged], lead: Option<&String>) -> Vec<String> {
    let strongest = strongest(gauge);
    let n: u32 = strongest.iter().map(|rung| rung.games).sum();
    let games = if n == 1 { "1 game".to_owned() } else { format!("{n} games") };
    let players = gauge.players();
    let of = |state: FlagState| flags.iter().filter(move |judged| judged.state == state);
    // Flaws with the same measurement share it: "too long and often stopped (...)".
    let mut groups: Vec<(Vec<&str>, &str)> = Vec::new();
    for judged in of(FlagState::Yes) {
        match groups.iter_mut().find(|(_, brief)| *brief == judged.brief) {
            Some((words, _)) => words.push(judged.words()),
            None => groups.push((vec![judged.words()], &judged.brief)),
        }
    }
    let yes: Vec<String> =
        groups.iter().map(|(words, brief)| format!("{} ({brief})", words.join(" and "))).collect();
    let depends: Vec<String> = of(FlagState::DependsOnStrength)
        // Do not repeat what the sentence on the exact value says.
        .filter(|judged| {
            let exact = judged.change == Some(Change::OtherWithBestPlay);
            !(exact && lead.is_some_and(|lead| lead.contains(&judged.brief)))
        })
        .filter_map(Judged::dependence)
        .collect();
    let open: Vec<String> =
        of(FlagState::CannotTell).map(|judged| judged.words().to_owned()).collect();
    let mut sentences = vec![if !yes.is_empty() {
        format!("For {players} the game is {}, after {games}.", listed(&yes, "and"))
    } else if flags.iter().all(|judged| judged.state == FlagState::No) {
        let none: Vec<String> = flags.iter().map(|judged| judged.words().to_owned()).collect();
        format!("No flaw found in {games} of {players}: neither {}.", listed(&none, "nor"))
    } else {
        format!("No flaw is certain after {games} of {players}.")
    }];
    sentences.extend(depends);
    if !open.is_empty() {
        let (are, they) = if n == 1 { ("is", "It") } else { ("are", "They") };
        sentences.push(format!(
            "{they} {are} too few to tell whether it is {}: the intervals straddle the limits.",
            listed(&open, "or")
        ));
    }
    sentences
}

impl Gauge {
    /// Describes the players whose games are judged.
    pub(crate) fn players(&self) -> String {
        let iterations: Vec<u32> = strongest(self).iter().map(|rung| rung.iterations).collect();
        match iterations[..] {
            [] => "UCT players".to_owned(),
            [only] => format!("UCT players of {} per move", counted(only, "iteration")),
            [weaker, .., stronger] => {
                format!("UCT players of {weaker} to {stronger} iterations per move")
            }
        }
    }
}

/// States the exact value, and whether players find it.
fn solved_sentence(exact: &Exact, gauge: &Gauge, flags: &[Judged]) -> String {
    let solved = format!("Solved: {}", exact.words());
    let judged = |name: &str| flags.iter().find(|judged| judged.flag == name);
    let biased = |player: Player| match player {
        Player::First => judged("biased_first"),
        Player::Second => judged("biased_second"),
    };
    let other = |judged: &Option<&Judged>| {
        judged.is_some_and(|judged| judged.change == Some(Change::OtherWithBestPlay))
    };
    let players = gauge.players();
    let Some(winner) = exact.winner() else {
        let favoured = Player::BOTH.into_iter().find(|&player| other(&biased(player)));
        return match (favoured, judged("drawish").filter(|drawish| other(&Some(drawish)))) {
            (Some(player), _) => format!(
                "{solved}, but {players} do not hold it: the {player} player wins most games ({}).",
                biased(player).map_or("", |judged| &judged.brief)
            ),
            (None, Some(drawish)) => {
                format!("{solved}, but {players} seldom play so well ({}).", drawish.brief)
            }
            (None, None) => format!("{solved}."),
        };
    };
    let Some(judged) = biased(winner).filter(|_| gauge.games > 0) else {
        return format!("{solved}.");
    };
    let brief = &judged.brief;
    match (judged.state, judged.change) {
        _ if other(&biased(winner.other())) => format!(
            "{solved}, but {players} do not find the win, and the {} player wins most games ({brief}).",
            winner.other()
        ),
        (FlagState::Yes, _) => format!("{solved}, and {players} mostly find the win."),
        (_, Some(Change::OtherWithBestPlay)) => format!(
            "{solved}, but {players} mostly do not find the win ({brief}): for them the game is not yet biased."
        ),
        (FlagState::DependsOnStrength, _) => {
            format!("{solved}; whether players find the win depends on their strength.")
        }
        _ => format!("{solved}; whether {players} find the win cannot be told ({brief})."),
    }
}

/// Joins words: `a, b and c`.
fn listed(words: &[String], and: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} {and} {last}", most.join(", ")),
    }
}

fn percent(share: f64) -> String {
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

/// Formats an estimate with its interval, in its unit.
fn measured(estimate: &Estimate, unit: Unit, side: FlawSide) -> String {
    let (mean, low, high) = (estimate.mean, estimate.low, estimate.high);
    let number = |x: f64| match unit {
        // Rounded so that the shares of the two players add up to 100.
        Unit::Share if side == FlawSide::RestAbove => {
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
