//! Flaws that are found in other ways than by a measure and its limit. A verdict names them only
//! where there is something to say of them.

use treegauge_core::grouped;

use super::copying::{COPIED, Copying, SHARE_MAX};
use super::measures::Measures;
use super::verdict::{Evidence, FlawState, JudgedFlaw, listed, measured_share, percent};
use super::{FlawSide, Gauge};

/// Name of the flaw of games in which no move matters.
pub(super) const NO_CHOICE: &str = "no_choice";

/// Share of plies with more than one move below which no move matters.
const CHOICES_MIN: f64 = 0.05;

/// Flaw without a limit that an option sets.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// Name in JSON.
    pub name: &'static str,
    /// Flaw in a designer's words, to follow "the game is".
    pub words: &'static str,
}

/// All findings, in the order of verdicts.
pub static FINDINGS: [Finding; 2] = [
    Finding { name: NO_CHOICE, words: "without a move that matters" },
    Finding { name: COPIED, words: "won by copying the other player" },
];

impl Finding {
    /// Finds a finding by its name in JSON.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Finding> {
        FINDINGS.iter().find(|finding| finding.name == name)
    }
}

/// The findings of a gauge. `together` holds the measures over the games of the two greatest
/// strengths.
pub(super) fn findings(gauge: &Gauge, together: &Measures) -> Vec<JudgedFlaw> {
    let copied = gauge.copying.as_ref().map(|copying| copied(gauge, copying));
    no_choice(gauge, together).into_iter().chain(copied).collect()
}

fn no_choice(gauge: &Gauge, together: &Measures) -> Option<JudgedFlaw> {
    let choices = together.get("decision_moves");
    let of = |why: &str| JudgedFlaw::found(NO_CHOICE, FlawState::Yes, why.to_owned(), choices);
    if gauge.solved.as_ref().is_some_and(|exact| exact.is_without_choice) {
        return Some(of("in every position all moves have the same value with best play"));
    }
    let is_seldom = FlawSide::Below.beyond(&choices, CHOICES_MIN) == FlawState::Yes;
    is_seldom.then(|| {
        of(&format!("only {} of the plies have more than one move", measured_share(&choices)))
    })
}

fn copied(gauge: &Gauge, copying: &Copying) -> JudgedFlaw {
    let share = copying.share();
    let played = FlawSide::Above.beyond(&share, SHARE_MAX);
    let winner = gauge.solved.as_ref().map(|exact| exact.winner());
    let is_refuted = winner.is_some_and(|winner| winner != Some(copying.copier));
    // A search that loses to copying may be weak; best play is not.
    let state = if is_refuted { FlawState::No } else { played };
    let mut judged = JudgedFlaw::found(COPIED, state, copying_words(copying), share);
    if is_refuted {
        judged.why.push_str("; with best play that does not win");
    }
    judged
}

/// The way of copying with its results: "the second player copies each move of the other player, turned
/// by 180 degrees, and wins 40 of 40 games against UCT at 2,000 and 8,000 iterations per move".
fn copying_words(copying: &Copying) -> String {
    let sum = |of: fn(&super::CopiedGames) -> u32| copying.against.iter().map(of).sum::<u32>();
    let iterations: Vec<String> =
        copying.against.iter().map(|one| grouped(one.iterations)).collect();
    format!(
        "the {} player {}, and wins {} of {} games against UCT at {} iterations per move",
        copying.copier,
        copying.words(),
        sum(|one| one.won),
        sum(|one| one.games),
        listed(&iterations, "and"),
    )
}

/// The measurement behind a finding.
pub(super) fn evidence(gauge: &Gauge, judged: &JudgedFlaw) -> Option<Evidence> {
    let together = judged.together.as_ref().map(measured_share).unwrap_or_default();
    let of = |at, limit| Evidence { at, together, limit, other_with_best_play: None };
    match judged.flag.as_str() {
        NO_CHOICE => Some(of(
            Vec::new(),
            format!(
                "plies with more than one move below {}, or no move ever matters",
                percent(CHOICES_MIN)
            ),
        )),
        COPIED => {
            let copying = gauge.copying.as_ref()?;
            let at =
                copying.against.iter().map(|one| (one.iterations, measured_share(&one.share())));
            Some(of(at.collect(), format!("games won by copying above {}", percent(SHARE_MAX))))
        }
        _ => None,
    }
}

/// The finding that a verdict says first, in words; `None` if there is none.
pub(super) fn first(flags: &[JudgedFlaw]) -> Option<&str> {
    let is_found = |judged: &&JudgedFlaw| {
        judged.state == FlawState::Yes && Finding::named(&judged.flag).is_some()
    };
    flags.iter().find(is_found).map(|found| found.brief.as_str())
}
