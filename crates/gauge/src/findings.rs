//! Flaws that are found in other ways than by a measure and its limit. A verdict lists them only
//! where there is something to say of them.

use treegauge_core::grouped;
use treegauge_stats::Estimate;

use super::copying::{COPIED, CopiedGames, Copying, SHARE_OF_FLAW};
use super::exact::Exact;
use super::measures::Measures;
use super::verdict::{Evidence, FlawState, JudgedFlaw, measured_share, percent};
use super::{FlawSide, Gauge};

/// Name of the flaw of games in which moves matter seldom or never.
pub(super) const NO_CHOICE: &str = "no_choice";

/// That nobody ever chooses, in words.
pub(super) const NEVER_A_CHOICE: &str = "no player ever has a choice: every ply has one legal move";

/// Share of plies with more than one move below which players hardly choose.
pub(super) const CHOICES_MIN: f64 = 0.05;

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
    Finding { name: NO_CHOICE, words: "almost without choices" },
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
    if let Some(exact) = gauge.solved.as_ref().filter(|exact| exact.is_without_choice) {
        return Some(of(&exact.words_without_choice()));
    }
    let is_seldom = FlawSide::Below.beyond(&choices, CHOICES_MIN) == FlawState::Yes;
    is_seldom.then(|| match choices.mean {
        Some(0.0) => of(NEVER_A_CHOICE),
        _ => of(&format!("only {} of the plies have more than one move", measured_share(&choices))),
    })
}

fn copied(gauge: &Gauge, copying: &Copying) -> JudgedFlaw {
    let share = copying.share();
    let of = |share: &Estimate| FlawSide::Above.beyond(share, SHARE_OF_FLAW);
    let each: Vec<FlawState> = copying.against.iter().map(|one| of(&one.share())).collect();
    let strongest = each.last().copied().unwrap_or(FlawState::CannotTell);
    let changes = each.contains(&FlawState::Yes) && each.contains(&FlawState::No);
    let state = match (of(&share), strongest) {
        _ if changes || is_refuted(gauge, copying) => FlawState::DependsOnStrength,
        (FlawState::Yes, FlawState::Yes) => FlawState::Yes,
        (FlawState::No, FlawState::No) => FlawState::No,
        _ => FlawState::CannotTell,
    };
    let mut judged = JudgedFlaw::found(COPIED, state, copying_words(gauge, copying), share);
    if is_refuted(gauge, copying) {
        judged.why.push_str("; best play of the other player beats it");
    }
    judged
}

/// Whether copying wins against searches, but not against best play.
fn is_refuted(gauge: &Gauge, copying: &Copying) -> bool {
    let winner = gauge.solved.as_ref().map(Exact::winner);
    let is_beaten = winner.is_some_and(|winner| winner != Some(copying.copier));
    is_beaten && FlawSide::Above.beyond(&copying.share(), SHARE_OF_FLAW) == FlawState::Yes
}

/// The way of copying with its results: "the second player copies each move of the other player, turned
/// by 180 degrees, and wins 40 of 40 games against UCT at 2,000 and 8,000 iterations per move".
fn copying_words(gauge: &Gauge, copying: &Copying) -> String {
    let sum = |of: fn(&CopiedGames) -> u32| copying.against.iter().map(of).sum::<u32>();
    format!(
        "the {} player {}, and wins {} of {} games against {}",
        copying.copier,
        copying.words(),
        grouped(sum(|one| one.won)),
        grouped(sum(|one| one.games)),
        gauge.players(),
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
            let limit = format!("games won by copying above {}", percent(SHARE_OF_FLAW));
            let refuted = is_refuted(gauge, copying).then_some(false);
            Some(Evidence { other_with_best_play: refuted, ..of(at.collect(), limit) })
        }
        _ => None,
    }
}

/// The findings of a verdict in words, in their order.
pub(super) fn found(flags: &[JudgedFlaw]) -> Vec<&str> {
    let is_found = |judged: &&JudgedFlaw| {
        judged.state == FlawState::Yes && Finding::named(&judged.flag).is_some()
    };
    flags.iter().filter(is_found).map(|found| found.brief.as_str()).collect()
}
