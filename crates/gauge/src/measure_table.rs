//! Table of all measures of a gauge. Text, page, JSON, limits with their options and help, and the
//! verdict all loop over this table, so a new measure is one new entry of [`MEASURES`].

use treegauge_core::{Ending, Player};
use treegauge_stats::{Estimate, mean_interval, median_interval, share_of_points};

use super::curve::Curve;
use super::exact::Exact;
use super::games::GaugeGames;
use super::verdict::CAPPED;

/// Definition of one measure of games: all that reports and options need.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Name in JSON. A name `a.b` is the field `b` in the object of the measure `a`, which must
    /// precede it; the ends of the interval are the fields `b_low` and `b_high`. A name `a.b.mean`
    /// makes an object `b` there, with the fields `mean`, `low` and `high`.
    pub name: &'static str,
    /// Name in texts.
    pub title: &'static str,
    /// Comparison with another game in words: for a smaller value and for a greater one.
    pub compared: [&'static str; 2],
    /// Unit of the values.
    pub unit: Unit,
    /// Meaning in a few plain words. `{skill_factor}` is replaced by the skill factor of the gauge.
    pub meaning: &'static str,
    /// Further explanation for readers of the page; may be empty.
    pub explanation: &'static str,
    /// Source of the idea: author, year, section.
    pub source: &'static str,
    /// Computes the estimate from games.
    pub of: fn(&GaugeGames) -> Estimate,
    /// Computes the least and greatest value of a single game, the fields `min` and `max` in the
    /// object of the measure; `None` if these are not reported.
    pub extremes: Option<Extremes>,
    /// Part of a gauge that it is computed from.
    pub from: Basis,
    /// Limits by which the verdict judges the measure.
    pub judged: &'static [Threshold],
}

/// Part of a gauge that a measure is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Moves of self-play and the values that the search gave them.
    Moves,
    /// Search trees of self-play.
    Trees,
    /// Games between players of unequal strength.
    UnequalPlayers,
}

/// Function that returns the least and greatest value over the games; `None` without games.
pub type Extremes = fn(&GaugeGames) -> Option<(u32, u32)>;

/// Unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Share, 0 to 1, printed in percent.
    Share,
    /// Plies, printed with this number of decimals.
    Plies(usize),
    /// Number, printed with this number of decimals.
    Number(usize),
    /// Difference in Elo points; an end of the interval may be unbounded.
    Elo,
}

/// Limit of a measure. The default values are this project's own convention.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// Name in JSON; the option of the command line has hyphens instead of underscores.
    pub name: &'static str,
    /// Help of the option: the flaw of a value beyond the limit.
    pub help: &'static str,
    /// Default limit.
    pub default: f64,
    /// Flags that depend on the limit, in the order of the verdict.
    pub flags: &'static [Flag],
}

/// Flaw that a game can have. The kinds of flaws are those of Williams 2010: drawish, biased, too
/// short, too long.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Name in JSON.
    pub name: &'static str,
    /// Flaw in a designer's words, to follow "the game is".
    pub words: &'static str,
    /// Measured quantity in words.
    pub subject: &'static str,
    /// Side of the limit on which values are a flaw.
    pub side: FlawSide,
    /// Whether an undecided verdict after no occurrence says how many games without one would be
    /// enough.
    pub counts_from_none: bool,
    /// Tests whether the game has the flaw with best play; `None` if the exact value does not tell.
    pub with_best_play: Option<fn(&Exact) -> bool>,
    /// Interpretation if stronger players show the flaw less.
    pub fades: &'static str,
    /// Interpretation if stronger players show it more.
    pub grows: &'static str,
    /// Name of another flag that implies this flaw.
    pub also: Option<&'static str>,
}

/// Side of the limit on which values are a flaw. A value equal to the limit is not a flaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawSide {
    /// Values above the limit.
    Above,
    /// Values below the limit.
    Below,
    /// Values v with 1 - v above the limit: the share of the other player.
    ComplementAbove,
}

impl Flag {
    /// Creates a flag for values above the limit, with default texts and nothing else set.
    const fn above(name: &'static str, words: &'static str, subject: &'static str) -> Flag {
        let side = FlawSide::Above;
        let fades = "in these games stronger players show it less";
        let grows = "in these games stronger players show it more";
        Flag {
            name,
            words,
            subject,
            side,
            counts_from_none: false,
            with_best_play: None,
            fades,
            grows,
            also: None,
        }
    }
}

const BIAS_FADES: &str = "in these games stronger players show a smaller advantage";
const BIAS_GROWS: &str = "in these games stronger players show a greater advantage";

const BROWNE: &str = "Browne 2008, chapter 5";
const THOMPSON: &str = "Thompson 2000; Browne 2008, chapter 5";
const WILLIAMS: &str = "Williams 2010, section 2.3";
const CONVENTION: &str = "this project's convention";

/// All measures, in the order of reports. This is also the order of limits and flags.
pub static MEASURES: &[Measure] = &[
    Measure {
        name: "draw_rate",
        title: "draws",
        compared: ["fewer draws", "more draws"],
        unit: Unit::Share,
        meaning: "share of the games",
        explanation: "Draws include games that were stopped, where the rules call that a draw.",
        source: BROWNE,
        of: |games| games.share(|ended| ended.outcome.winner().is_none()),
        extremes: None,
        from: Basis::Moves,
        judged: &[Threshold {
            name: "draw_rate_max",
            help: "Drawish: a greater share of draws than this",
            default: 0.60,
            flags: &[Flag {
                with_best_play: Some(|exact| exact.winner().is_none()),
                fades: "in these games stronger players draw less often",
                grows: "in these games stronger players draw more often",
                ..Flag::above("drawish", "drawish", "draws")
            }],
        }],
    },
    Measure {
        name: "first_player",
        title: "first player",
        compared: ["fewer points for the first player", "more points for the first player"],
        unit: Unit::Share,
        meaning: "share of the points, a draw counting half",
        explanation: "",
        source: BROWNE,
        of: |games| {
            let mut results = [0; 3];
            for record in games.records() {
                results[(1 + record.ended.outcome.value()) as usize] += 1;
            }
            share_of_points(results)
        },
        extremes: None,
        from: Basis::Moves,
        judged: &[Threshold {
            name: "share_max",
            help: "Biased: one player takes a greater share of the points than this",
            default: 0.75,
            flags: &[
                Flag {
                    with_best_play: Some(|exact| exact.winner() == Some(Player::First)),
                    fades: BIAS_FADES,
                    grows: BIAS_GROWS,
                    ..Flag::above(
                        "biased_first",
                        "biased towards the first player",
                        "points of the first player",
                    )
                },
                Flag {
                    side: FlawSide::ComplementAbove,
                    with_best_play: Some(|exact| exact.winner() == Some(Player::Second)),
                    fades: BIAS_FADES,
                    grows: BIAS_GROWS,
                    ..Flag::above(
                        "biased_second",
                        "biased towards the second player",
                        "points of the second player",
                    )
                },
            ],
        }],
    },
    Measure {
        name: "completion",
        title: "completion",
        compared: ["fewer games ended by the rules", "more games ended by the rules"],
        unit: Unit::Share,
        meaning: "games ended by the rules of the position",
        explanation: "A game that repetition, a limit on plies without progress or the ply cap ended is not among them.",
        source: BROWNE,
        of: |games| games.share(|ended| ended.by == Ending::Outcome),
        extremes: None,
        from: Basis::Moves,
        judged: &[Threshold {
            name: "completion_min",
            help: "Unfinished: a smaller share of games than this ended by the rules of the position",
            default: 0.50,
            flags: &[Flag {
                side: FlawSide::Below,
                with_best_play: Some(|exact| exact.remoteness.is_none()),
                ..Flag::above("unfinished", "seldom ended by its rules", "games ended by the rules")
            }],
        }],
    },
    Measure {
        name: "plies",
        title: "length",
        compared: ["shorter", "longer"],
        unit: Unit::Plies(1),
        meaning: "mean, plies",
        explanation: "",
        source: BROWNE,
        of: |games| {
            let lengths: Vec<f64> = games.lengths().map(f64::from).collect();
            mean_interval(&lengths, 1.0, (0.0, f64::INFINITY))
        },
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "plies.median",
        title: "median length",
        compared: ["shorter by the median", "longer by the median"],
        unit: Unit::Plies(0),
        meaning: "plies",
        explanation: "The interval lies between two lengths of the sample and may have zero width, for lengths are whole numbers.",
        source: BROWNE,
        of: |games| {
            let lengths: Vec<f64> = games.lengths().map(f64::from).collect();
            median_interval(&lengths)
        },
        extremes: Some(|games| games.lengths().min().zip(games.lengths().max())),
        from: Basis::Moves,
        judged: &[
            Threshold {
                name: "plies_min",
                help: "Too short: a median length of fewer plies than this",
                default: 8.0,
                flags: &[Flag {
                    side: FlawSide::Below,
                    ..Flag::above("too_short", "too short", "median length")
                }],
            },
            Threshold {
                name: "plies_max",
                help: "Too long: a median length of more plies than this",
                default: 300.0,
                // A low ply cap keeps games short, so capped games count as too long whatever the
                // median.
                flags: &[Flag {
                    also: Some("capped"),
                    ..Flag::above("too_long", "too long", "median length")
                }],
            },
        ],
    },
    Measure {
        name: "capped",
        title: "capped",
        compared: ["fewer games stopped by the ply cap", "more games stopped by the ply cap"],
        unit: Unit::Share,
        meaning: "games ended by the ply cap",
        explanation: "",
        source: CONVENTION,
        of: |games| games.share(|ended| ended.by == Ending::Capped),
        extremes: None,
        from: Basis::Moves,
        judged: &[Threshold {
            name: "capped_max",
            help: "Capped, and too long: a greater share of games ended by the ply cap than this",
            default: 0.10,
            flags: &[Flag {
                counts_from_none: true,
                ..Flag::above(CAPPED, "often stopped by the ply cap", "games stopped")
            }],
        }],
    },
    Measure {
        name: "branching",
        title: "branching",
        compared: ["fewer moves to choose from", "more moves to choose from"],
        unit: Unit::Number(1),
        meaning: "legal moves per ply",
        explanation: "",
        source: CONVENTION,
        of: |games| games.over_plies((1.0, f64::INFINITY), |ply| f64::from(ply.legal_moves)),
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "decision_moves",
        title: "decision moves",
        compared: ["fewer plies with a choice", "more plies with a choice"],
        unit: Unit::Share,
        meaning: "plies with more than one move",
        explanation: "",
        source: CONVENTION,
        of: |games| games.over_plies((0.0, 1.0), |ply| f64::from(u8::from(ply.legal_moves > 1))),
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "lead_changes",
        title: "lead changes",
        compared: ["fewer lead changes", "more lead changes"],
        unit: Unit::Number(2),
        meaning: "per game, from one clear lead to the other; grows with the iterations",
        explanation: "A player leads when the whole interval of the value is on that player's side; changes are counted between such plies. Intervals narrow with more iterations, so that more changes are seen: compare games only at the same number of iterations.",
        source: BROWNE,
        of: |games| {
            games.over_curves((0.0, f64::INFINITY), |curve| curve.lead_changes().map(f64::from))
        },
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "drama",
        title: "drama",
        compared: ["less drama", "more drama"],
        unit: Unit::Number(2),
        meaning: "how far behind winners were, 0 to 1",
        explanation: "The mean of the root of the winner's deficit over the plies at which the winner was behind, on the search's own values; over games with a winner.",
        source: THOMPSON,
        of: |games| games.over_curves((0.0, 1.0), Curve::drama),
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "decisiveness",
        title: "decisiveness",
        compared: ["less decisive", "more decisive"],
        unit: Unit::Number(2),
        meaning: "how soon decided games were over, 0 to 1",
        explanation: "1 minus the share of the game played after the winner first stood better than the loser ever did, on the search's own values; over games with a winner.",
        source: THOMPSON,
        of: |games| games.over_curves((0.0, 1.0), Curve::decisiveness),
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "decided_ply",
        title: "decided at ply",
        compared: ["decided earlier", "decided later"],
        unit: Unit::Plies(1),
        meaning: "mean ply from which the winner stood better than the loser ever did",
        explanation: "On the search's own values; over games with a winner.",
        source: "after Thompson 2000; Browne 2008, chapter 5",
        of: |games| {
            games.over_curves((0.0, f64::INFINITY), |curve| curve.decided_ply().map(f64::from))
        },
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "tension",
        title: "tension",
        compared: ["less tension", "more tension"],
        unit: Unit::Number(2),
        meaning: "how much the right move matters, 0 to 1",
        explanation: "Half of the value of the best move less the mean value of all moves, on the search's own values: 1 if the best move wins and all others lose, 0 if all moves are alike or there is only one. A mean over the plies of self-play.",
        source: "after Kramer 2000; Williams 2010, section 2.3",
        of: |games| {
            games.over_trees((0.0, 1.0), |trees| {
                Some((
                    trees.of("best")?.n as f64,
                    (trees.sum("best")? - trees.sum("mean_l1")?) / 2.0,
                ))
            })
        },
        extremes: None,
        from: Basis::Trees,
        judged: &[],
    },
    Measure {
        name: "clarity",
        title: "clarity",
        compared: ["less clarity", "more clarity"],
        unit: Unit::Share,
        meaning: "legal moves that are clearly worse than the best",
        explanation: "The share of the legal moves, over all plies of self-play, whose value is more than one standard deviation of the moves' values below that of the best move: where it is high, few moves come into question.",
        source: "after Thompson 2000; Browne 2008, chapter 5 (narrowness)",
        of: |games| {
            games.over_trees((0.0, 1.0), |trees| {
                let legal = trees.sum("legal_moves")?;
                Some((legal, legal - trees.sum("effective_branching")?))
            })
        },
        extremes: None,
        from: Basis::Trees,
        judged: &[],
    },
    Measure {
        name: "variety",
        title: "variety",
        compared: ["games more alike", "games less alike"],
        unit: Unit::Share,
        meaning: "moves of a game that another game does not have",
        explanation: "Of two games of self-play, the share of the moves that the same player did not make in the other one, in whatever order: 0% if all games have the same moves. A mean over disjoint pairs of games.",
        source: WILLIAMS,
        of: |games| games.variety(),
        extremes: None,
        from: Basis::Moves,
        judged: &[],
    },
    Measure {
        name: "skill_depth",
        title: "depth of skill",
        compared: ["less depth of skill", "more depth of skill"],
        unit: Unit::Share,
        meaning: "points with {skill_factor} times the iterations",
        explanation: "The share of points of a player with more iterations than its opponent, each side moving first in one game of a pair: 50% means that more iterations gain nothing, unless one side wins whoever plays it or all games are drawn, where it is 50% by construction.",
        source: "after Thompson 2000; the number of iterations is this project's convention",
        of: |games| Estimate { n: games.skill().games(), ..games.skill().score() },
        extremes: None,
        from: Basis::UnequalPlayers,
        judged: &[],
    },
    Measure {
        name: "skill_depth.elo_per_doubling.mean",
        title: "Elo per doubling",
        compared: ["less Elo per doubling", "more Elo per doubling"],
        unit: Unit::Elo,
        meaning: "Elo points gained by twice the iterations",
        explanation: "The Elo difference between the two players of the depth of skill, divided by the doublings between them.",
        source: "Elo 1978, section 8.4; per doubling as in Thompson 2000",
        of: |games| {
            let doublings = f64::from(games.skill_factor()).log2();
            let per_doubling =
                |elo: Option<f64>| elo.filter(|_| doublings > 0.0).map(|elo| elo / doublings);
            let elo = games.skill().comparison().elo;
            Estimate {
                mean: per_doubling(elo.mean),
                low: per_doubling(elo.low),
                high: per_doubling(elo.high),
                n: games.skill().games(),
            }
        },
        extremes: None,
        from: Basis::UnequalPlayers,
        judged: &[],
    },
];

impl Measure {
    /// Measures that are computed from one part of a gauge, in the order of the table.
    pub fn of_basis(basis: Basis) -> impl Iterator<Item = &'static Measure> {
        MEASURES.iter().filter(move |measure| measure.from == basis)
    }

    /// Finds a measure by its name in JSON.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.name == name)
    }
}

impl Flag {
    /// Finds a flag by its name in JSON.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Flag> {
        thresholds().flat_map(|(_, threshold)| threshold.flags).find(|flag| flag.name == name)
    }
}

/// Returns every limit with its measure, in the order of the table.
pub fn thresholds() -> impl Iterator<Item = (&'static Measure, &'static Threshold)> {
    MEASURES
        .iter()
        .flat_map(|measure| measure.judged.iter().map(move |threshold| (measure, threshold)))
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_texts_are_there() {
        let mut names = FxHashSet::default();
        for measure in MEASURES {
            assert!(names.insert(measure.name), "{}", measure.name);
            let texts = [measure.title, measure.meaning, measure.source];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", measure.name);
            let object = measure.name.split('.').next().unwrap();
            assert!(names.contains(object), "{} stands in an earlier object", measure.name);
        }
        for (measure, threshold) in thresholds() {
            assert!(names.insert(threshold.name), "{}", threshold.name);
            assert!(!threshold.flags.is_empty(), "{} decides something", threshold.name);
            for flag in threshold.flags {
                assert!(flag.name == measure.name || names.insert(flag.name), "{}", flag.name);
                assert!(flag.also.is_none_or(|also| Flag::named(also).is_some()), "{}", flag.name);
            }
        }
    }
}
