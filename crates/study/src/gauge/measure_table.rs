//! The measures of a gauge in one table. The text, the page, the JSON, the limits with their options
//! and help, and the verdict are loops over it: a new measure is an entry of [`MEASURES`].

use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use treegauge_core::{Ended, Ending, Player};

use super::exact::Exact;
use super::measures::Curve;
use super::record::RecordedGame;
use crate::compare::Pairs;
use crate::self_play::{GameRecord, PlyRecord};
use crate::stats::{
    Estimate, mean_interval, median_interval, ratio_interval, share_of_points, wilson,
};

/// One measure of games: what every report and option needs to know of it.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The name in JSON. `a.b` is the field `b` of the object that the measure `a`, which comes
    /// first, has; the ends of its interval are `b_low` and `b_high`. `a.b.mean` has an object `b` of
    /// its own there, with the fields `mean`, `low` and `high`.
    pub name: &'static str,
    /// The name in text.
    pub title: &'static str,
    /// The unit of the values.
    pub unit: Unit,
    /// What it is, in a few plain words. `{skill_factor}` stands for that number of the gauge.
    pub meaning: &'static str,
    /// What a reader of the page must know besides; may be empty.
    pub explanation: &'static str,
    /// Whose idea it is: author, year, section.
    pub source: &'static str,
    /// The estimate from games.
    pub of: fn(&GaugeGames) -> Estimate,
    /// The least and the greatest value of a single game, where they are reported: `min` and `max`
    /// in the object of the measure.
    pub extremes: Option<Extremes>,
    /// The limits by which the verdict judges it.
    pub judged: &'static [Threshold],
}

/// The least and the greatest of the games, or nothing without games.
pub type Extremes = fn(&GaugeGames) -> Option<(u32, u32)>;

/// The unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A share, 0 to 1, printed in percent.
    Share,
    /// Plies, printed with this number of digits behind the point.
    Plies(usize),
    /// A number, printed with this number of digits behind the point.
    Number(usize),
    /// A difference in Elo points; an end of the interval may have no bound.
    Elo,
}

/// A limit of a measure. The values are this project's own convention.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// The name in JSON; the option of the command line has hyphens for the underscores.
    pub name: &'static str,
    /// What is beyond the limit, as the help of the option says it.
    pub help: &'static str,
    /// The limit where no other is set.
    pub default: f64,
    /// The flags that hang on it, in the order of the verdict.
    pub flags: &'static [Flag],
}

/// A flaw that a game can have. The kinds of flaw are those of Williams 2010 (drawish, biased, too
/// short, too long).
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The name in JSON.
    pub name: &'static str,
    /// The flaw as a designer would say it: "the game is" these words.
    pub words: &'static str,
    /// What was measured, in words.
    pub subject: &'static str,
    /// Which side of the limit is the flaw.
    pub side: FlawSide,
    /// Whether a verdict that cannot tell after none was seen says how many games without any
    /// would be enough.
    pub counts_from_none: bool,
    /// Whether the game has it with best play, where the exact value says so.
    pub with_best_play: Option<fn(&Exact) -> bool>,
    /// What it means when stronger players have it less.
    pub fades: &'static str,
    /// What it means when stronger players have it more.
    pub grows: &'static str,
    /// Another flag with which the game has this flaw too.
    pub also: Option<&'static str>,
}

/// Which values of a measure are a flaw. A value that is equal to the limit is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawSide {
    /// Those above the limit.
    Above,
    /// Those below the limit.
    Below,
    /// Those of which the rest to 1 is above the limit: the share of the other player.
    RestAbove,
}

impl Flag {
    /// A flag of values above the limit and of nothing else.
    const fn above(name: &'static str, words: &'static str, subject: &'static str) -> Flag {
        let side = FlawSide::Above;
        let fades = "stronger players show it less";
        let grows = "the stronger the players, the more they show it";
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

/// The games of a gauge, as measures look at them.
#[derive(Debug)]
pub struct GaugeGames<'a> {
    records: Vec<&'a GameRecord>,
    curves: Vec<Curve>,
    skill: Pairs,
    skill_factor: u32,
}

impl<'a> GaugeGames<'a> {
    /// Games of self-play.
    pub(super) fn of_self_play(games: impl IntoIterator<Item = &'a RecordedGame>) -> Self {
        let curve =
            |game: &'a RecordedGame| (&game.record, Curve::of(game.number.game, &game.record));
        let (records, curves) = games.into_iter().map(curve).unzip();
        GaugeGames { records, curves, skill: Pairs::default(), skill_factor: 1 }
    }

    /// The same with games between unequal searches, the stronger of which had `skill_factor` times
    /// the iterations.
    pub(super) fn with_skill(self, games: &[RecordedGame], skill_factor: u32) -> Self {
        GaugeGames { skill: skill_pairs(games), skill_factor, ..self }
    }

    /// The games between unequal searches as a match of the stronger against the weaker.
    #[must_use]
    pub fn skill(&self) -> Pairs {
        self.skill
    }

    /// The games of self-play.
    #[must_use]
    pub fn records(&self) -> &[&'a GameRecord] {
        &self.records
    }

    /// Their values, ply by ply, in the same order.
    #[must_use]
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    pub(super) fn into_curves(self) -> Vec<Curve> {
        self.curves
    }

    /// Their lengths in plies, in the same order.
    pub fn lengths(&self) -> impl Iterator<Item = u32> {
        self.records.iter().map(|record| record.len() as u32)
    }

    /// The share of games that end in a certain way.
    fn share(&self, holds: fn(&Ended) -> bool) -> Estimate {
        let holding = self.records.iter().filter(|record| holds(&record.ended)).count();
        wilson(holding as f64, self.records.len() as u64)
    }

    /// The mean over all plies that were searched, with games as the independent observations.
    fn over_plies(&self, range: (f64, f64), of: fn(&PlyRecord) -> f64) -> Estimate {
        let with_plies = self.records.iter().filter(|record| !record.plies.is_empty());
        let sums =
            with_plies.map(|record| (record.plies.len() as f64, record.plies.iter().map(of).sum()));
        let sums: Vec<(f64, f64)> = sums.collect();
        // As if one ply of one game had differed by 1.
        let searched: f64 = sums.iter().map(|(plies, _)| plies).sum();
        ratio_interval(&sums, 1.0 / searched, range)
    }

    /// The mean over the games that have the number.
    fn over_curves(&self, range: (f64, f64), of: fn(&Curve) -> Option<f64>) -> Estimate {
        let values: Vec<f64> = self.curves.iter().filter_map(of).collect();
        mean_interval(&values, 1.0, range)
    }
}

/// The games between unequal searches as a match of the stronger against the weaker: the games 2k
/// and 2k + 1 are a pair.
fn skill_pairs(games: &[RecordedGame]) -> Pairs {
    let mut by_pair: BTreeMap<u32, [Option<&RecordedGame>; 2]> = BTreeMap::new();
    for game in games {
        let number = game.number.game;
        by_pair.entry(number / 2).or_default()[number as usize % 2] = Some(game);
    }
    let mut pairs = Pairs::default();
    for both in by_pair.into_values() {
        match both {
            [Some(one), Some(other)] => {
                pairs.add(one.record.ended.outcome, other.record.ended.outcome);
            }
            [single, other] => {
                for game in single.into_iter().chain(other) {
                    let stronger = game.stronger.unwrap_or(Player::First);
                    pairs.add_single(game.record.ended.outcome, stronger);
                }
            }
        }
    }
    pairs
}

const BIAS_FADES: &str = "the advantage is the players', not the game's";
const BIAS_GROWS: &str = "the stronger the players, the greater the advantage";

const BROWNE: &str = "Browne 2008, chapter 5";
const THOMPSON: &str = "Thompson 2000; Browne 2008, chapter 5";
const CONVENTION: &str = "this project's convention";

/// Every measure, in the order of reports. Limits and flags come in this order too.
pub static MEASURES: &[Measure] = &[
    Measure {
        name: "draw_rate",
        title: "draws",
        unit: Unit::Share,
        meaning: "share of the games",
        explanation: "Draws include games that were stopped, where the rules call that a draw.",
        source: BROWNE,
        of: |games| games.share(|ended| ended.outcome.winner().is_none()),
        extremes: None,
        judged: &[Threshold {
            name: "draw_rate_max",
            help: "Drawish: a greater share of draws than this",
            default: 0.60,
            flags: &[Flag {
                with_best_play: Some(|exact| exact.winner().is_none()),
                fades: "the draws are the players', not the game's",
                grows: "the stronger the players, the more games they draw",
                ..Flag::above("drawish", "drawish", "draws")
            }],
        }],
    },
    Measure {
        name: "first_player",
        title: "first player",
        unit: Unit::Share,
        meaning: "share of the points, a draw counting half",
        explanation: "",
        source: BROWNE,
        of: |games| {
            let mut results = [0; 3];
            for record in &games.records {
                results[(1 + record.ended.outcome.value()) as usize] += 1;
            }
            share_of_points(results)
        },
        extremes: None,
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
                    side: FlawSide::RestAbove,
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
        unit: Unit::Share,
        meaning: "games ended by the rules of the position",
        explanation: "A game that repetition, a limit on plies without progress or the ply cap ended is not among them.",
        source: BROWNE,
        of: |games| games.share(|ended| ended.by == Ending::Outcome),
        extremes: None,
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
        unit: Unit::Plies(1),
        meaning: "mean, plies",
        explanation: "",
        source: BROWNE,
        of: |games| {
            let lengths: Vec<f64> = games.lengths().map(f64::from).collect();
            mean_interval(&lengths, 1.0, (0.0, f64::INFINITY))
        },
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "plies.median",
        title: "median length",
        unit: Unit::Plies(0),
        meaning: "plies",
        explanation: "The interval lies between two lengths of the sample and may have zero width, for lengths are whole numbers.",
        source: BROWNE,
        of: |games| {
            let lengths: Vec<f64> = games.lengths().map(f64::from).collect();
            median_interval(&lengths)
        },
        extremes: Some(|games| games.lengths().min().zip(games.lengths().max())),
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
                // A game whose games had to be stopped is too long however short the cap keeps
                // them.
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
        unit: Unit::Share,
        meaning: "games ended by the ply cap",
        explanation: "",
        source: CONVENTION,
        of: |games| games.share(|ended| ended.by == Ending::Capped),
        extremes: None,
        judged: &[Threshold {
            name: "capped_max",
            help: "Capped, and too long: a greater share of games ended by the ply cap than this",
            default: 0.10,
            flags: &[Flag {
                counts_from_none: true,
                ..Flag::above("capped", "often stopped by the ply cap", "games stopped")
            }],
        }],
    },
    Measure {
        name: "branching",
        title: "branching",
        unit: Unit::Number(1),
        meaning: "legal moves per ply",
        explanation: "",
        source: CONVENTION,
        of: |games| games.over_plies((1.0, f64::INFINITY), |ply| f64::from(ply.legal_moves)),
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "decision_moves",
        title: "decision moves",
        unit: Unit::Share,
        meaning: "plies with more than one move",
        explanation: "",
        source: CONVENTION,
        of: |games| games.over_plies((0.0, 1.0), |ply| f64::from(u8::from(ply.legal_moves > 1))),
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "lead_changes",
        title: "lead changes",
        unit: Unit::Number(2),
        meaning: "per game, from one clear lead to the other; grows with the iterations",
        explanation: "A player leads when the whole interval of the value is on that player's side; changes are counted between such plies. Intervals narrow with more iterations, so that more changes are seen: compare games only at the same number of iterations.",
        source: BROWNE,
        of: |games| {
            games.over_curves((0.0, f64::INFINITY), |curve| curve.lead_changes().map(f64::from))
        },
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "drama",
        title: "drama",
        unit: Unit::Number(2),
        meaning: "how far behind winners were, 0 to 1",
        explanation: "The mean of the root of the winner's deficit over the plies at which the winner was behind, on the search's own values; over games with a winner.",
        source: THOMPSON,
        of: |games| games.over_curves((0.0, 1.0), Curve::drama),
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "decisiveness",
        title: "decisiveness",
        unit: Unit::Number(2),
        meaning: "how soon decided games were over, 0 to 1",
        explanation: "1 minus the share of the game played after the winner first stood better than the loser ever did, on the search's own values; over games with a winner.",
        source: THOMPSON,
        of: |games| games.over_curves((0.0, 1.0), Curve::decisiveness),
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "decided_ply",
        title: "decided at ply",
        unit: Unit::Plies(1),
        meaning: "mean ply from which the winner stood better than the loser ever did",
        explanation: "On the search's own values; over games with a winner.",
        source: "after Thompson 2000; Browne 2008, chapter 5",
        of: |games| {
            games.over_curves((0.0, f64::INFINITY), |curve| curve.decided_ply().map(f64::from))
        },
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "skill_depth",
        title: "depth of skill",
        unit: Unit::Share,
        meaning: "points with {skill_factor} times the iterations",
        explanation: "The share of points of a player with more iterations than its opponent, each side moving first in one game of a pair: 50 % means that more iterations gain nothing, unless one side wins whoever plays it or all games are drawn, where it is 50 % by construction.",
        source: "after Thompson 2000; the number of iterations is this project's convention",
        of: |games| Estimate { n: games.skill.games(), ..games.skill.score() },
        extremes: None,
        judged: &[],
    },
    Measure {
        name: "skill_depth.elo_per_doubling.mean",
        title: "Elo per doubling",
        unit: Unit::Elo,
        meaning: "Elo points gained by twice the iterations",
        explanation: "The Elo difference between the two players of the depth of skill, divided by the doublings between them.",
        source: "Elo 1978, section 8.4; per doubling as in Thompson 2000",
        of: |games| {
            let doublings = f64::from(games.skill_factor).log2();
            let per_doubling =
                |elo: Option<f64>| elo.filter(|_| doublings > 0.0).map(|elo| elo / doublings);
            let elo = games.skill.comparison().elo;
            Estimate {
                mean: per_doubling(elo.mean),
                low: per_doubling(elo.low),
                high: per_doubling(elo.high),
                n: games.skill.games(),
            }
        },
        extremes: None,
        judged: &[],
    },
];

impl Measure {
    /// The measure of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.name == name)
    }

    /// The object of the JSON in which it stands, and where in it.
    fn place(&self) -> (&'static str, Place) {
        let Some((object, rest)) = self.name.split_once('.') else {
            return (self.name, Place::Own);
        };
        match rest.split_once('.') {
            None => (object, Place::Fields(rest)),
            Some((field, _)) => (object, Place::Object(field)),
        }
    }
}

impl Flag {
    /// The flag of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Flag> {
        thresholds().flat_map(|(_, threshold)| threshold.flags).find(|flag| flag.name == name)
    }
}

/// Every limit with its measure, in the order of the table.
pub fn thresholds() -> impl Iterator<Item = (&'static Measure, &'static Threshold)> {
    MEASURES
        .iter()
        .flat_map(|measure| measure.judged.iter().map(move |threshold| (measure, threshold)))
}

/// Where the numbers of a measure stand in an object of the JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The object is its own.
    Own,
    /// In fields of another measure's object, the names of which begin with this.
    Fields(&'static str),
    /// In an object of this name in another measure's object.
    Object(&'static str),
}

/// What was measured of games, by the names of [`MEASURES`].
///
/// Serialised, it is a map from these names to estimates. Reading passes over what is no measure,
/// and a measure that is missing, as in a report that is older than it, is unrated.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// In the order of [`MEASURES`].
    values: Vec<Measured>,
}

/// The value of one measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Measured {
    estimate: Estimate,
    extremes: Option<(u32, u32)>,
}

impl Measures {
    /// Measures games.
    #[must_use]
    pub fn of(games: &GaugeGames) -> Measures {
        let value = |measure: &Measure| Measured {
            estimate: (measure.of)(games),
            extremes: measure.extremes.and_then(|of| of(games)),
        };
        Measures { values: MEASURES.iter().map(value).collect() }
    }

    /// The estimate of a measure.
    ///
    /// # Panics
    ///
    /// When there is no measure of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Estimate {
        self.value(name).estimate
    }

    /// The least and the greatest value of a single game, where the measure has them and there are
    /// games.
    ///
    /// # Panics
    ///
    /// When there is no measure of this name.
    #[must_use]
    pub fn extremes(&self, name: &str) -> Option<(u32, u32)> {
        self.value(name).extremes
    }

    fn value(&self, name: &str) -> &Measured {
        let n = MEASURES.iter().position(|measure| measure.name == name);
        &self.values[n.unwrap_or_else(|| panic!("no measure {name}"))]
    }
}

impl Default for Measures {
    fn default() -> Self {
        Measures { values: vec![Measured::default(); MEASURES.len()] }
    }
}

/// The names of the three numbers of an estimate in its object.
fn field_names(place: Place) -> [String; 3] {
    match place {
        Place::Own | Place::Object(_) => ["mean", "low", "high"].map(str::to_owned),
        Place::Fields(field) => [field.to_owned(), format!("{field}_low"), format!("{field}_high")],
    }
}

/// The object of a measure, with what others have in it.
struct Object<'a> {
    name: &'static str,
    measures: &'a Measures,
}

#[derive(Serialize)]
struct Numbers {
    mean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (measure, value) in MEASURES.iter().zip(&self.measures.values) {
            let (object, place) = measure.place();
            if object != self.name {
                continue;
            }
            let Estimate { mean, low, high, n } = value.estimate;
            if let Place::Object(name) = place {
                map.serialize_entry(name, &Numbers { mean, low, high })?;
                continue;
            }
            for (name, number) in field_names(place).iter().zip([mean, low, high]) {
                map.serialize_entry(name, &number)?;
            }
            if place == Place::Own {
                map.serialize_entry("n", &n)?;
            }
            if measure.extremes.is_some() {
                map.serialize_entry("min", &value.extremes.map(|(min, _)| min))?;
                map.serialize_entry("max", &value.extremes.map(|(_, max)| max))?;
            }
        }
        map.end()
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for measure in MEASURES {
            if let (name, Place::Own) = measure.place() {
                map.serialize_entry(name, &Object { name, measures: self })?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Measures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MeasuresVisitor)
    }
}

/// A field of the object of a measure.
#[derive(Deserialize)]
#[serde(untagged)]
enum Field {
    Number(Option<f64>),
    Object(FxHashMap<String, Option<f64>>),
}

struct MeasuresVisitor;

impl<'de> Visitor<'de> for MeasuresVisitor {
    type Value = Measures;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of measures")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Measures, A::Error> {
        let mut objects = FxHashMap::<String, FxHashMap<String, Field>>::default();
        while let Some(name) = map.next_key::<String>()? {
            // A report has fields of other kinds next to the measures.
            if Measure::named(&name).is_some() {
                objects.insert(name, map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        let value = |measure: &Measure| {
            let (object, place) = measure.place();
            let number = |name: &str| match objects.get(object)?.get(name)? {
                Field::Number(number) => *number,
                Field::Object(_) => None,
            };
            let [mean, low, high] = field_names(place).map(|name| match place {
                Place::Object(inner) => match objects.get(object)?.get(inner)? {
                    Field::Object(numbers) => numbers.get(&name).copied().flatten(),
                    Field::Number(_) => None,
                },
                Place::Own | Place::Fields(_) => number(&name),
            });
            let n = number("n").unwrap_or(0.0) as u64;
            let extremes = measure.extremes.and_then(|_| number("min").zip(number("max")));
            Measured {
                estimate: Estimate { mean, low, high, n },
                extremes: extremes.map(|(min, max)| (min as u32, max as u32)),
            }
        };
        Ok(Measures { values: MEASURES.iter().map(value).collect() })
    }
}

/// When a game has a flaw: a limit for each [`Threshold`] of the table.
///
/// Serialised, it is a map by name; a limit that is missing has its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// In the order of [`thresholds`].
    limits: Vec<f64>,
}

impl Thresholds {
    /// The limit of this name.
    ///
    /// # Panics
    ///
    /// When there is no such limit.
    #[must_use]
    pub fn get(&self, name: &str) -> f64 {
        self.limits[Self::index(name)]
    }

    /// The same with another value of the limit of this name.
    ///
    /// # Panics
    ///
    /// When there is no such limit.
    #[must_use]
    pub fn with(mut self, name: &str, limit: f64) -> Self {
        self.limits[Self::index(name)] = limit;
        self
    }

    fn index(name: &str) -> usize {
        let n = thresholds().position(|(_, threshold)| threshold.name == name);
        n.unwrap_or_else(|| panic!("no limit {name}"))
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { limits: thresholds().map(|(_, threshold)| threshold.default).collect() }
    }
}

impl Serialize for Thresholds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer
            .collect_map(thresholds().zip(&self.limits).map(|((_, t), limit)| (t.name, limit)))
    }
}

impl<'de> Deserialize<'de> for Thresholds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = FxHashMap::<String, f64>::deserialize(deserializer)?;
        let limit = |t: &Threshold| named.get(t.name).copied().unwrap_or(t.default);
        Ok(Thresholds { limits: thresholds().map(|(_, threshold)| limit(threshold)).collect() })
    }
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
            let (object, place) = measure.place();
            assert_eq!(place != Place::Own, object != measure.name);
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

    #[test]
    fn measures_are_read_as_they_were_written_among_other_fields() {
        let estimate =
            |n: u32| Estimate { mean: Some(f64::from(n) + 0.5), low: Some(0.1), high: None, n: 7 };
        // Every measure has a value of its own.
        let values = (0..).zip(MEASURES).map(|(n, measure)| Measured {
            estimate: estimate(n),
            extremes: measure.extremes.map(|_| (n, n + 3)),
        });
        let measures = Measures { values: values.collect() };
        let mut json = serde_json::to_value(&measures).unwrap();
        json["verdict"] = "no measure".into();
        json["tomorrow"] = serde_json::json!({ "mean": "unheard of" });
        assert_eq!(serde_json::from_value::<Measures>(json.clone()).unwrap(), measures);
        json.as_object_mut().unwrap().shift_remove("drama");
        let older: Measures = serde_json::from_value(json).unwrap();
        assert_eq!(older.get("drama"), Estimate::UNRATED);
        assert_eq!(older.get("plies.median"), measures.get("plies.median"));
        let none = serde_json::to_string(&Measures::default()).unwrap();
        assert_eq!(serde_json::from_str::<Measures>(&none).unwrap(), Measures::default());
    }

    #[test]
    fn limits_are_read_as_they_were_written() {
        let limits = Thresholds::default().with("share_max", 0.5);
        assert_eq!((limits.get("share_max"), limits.get("plies_max")), (0.5, 300.0));
        let json = serde_json::to_string(&limits).unwrap();
        assert_eq!(serde_json::from_str::<Thresholds>(&json).unwrap(), limits);
        let older: Thresholds = serde_json::from_str(r#"{"share_max":0.5}"#).unwrap();
        assert_eq!(older, limits);
    }
}
