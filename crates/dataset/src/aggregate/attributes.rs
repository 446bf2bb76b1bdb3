//! Names and sources of the attributes of a game.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use treegauge_catalog::{FAMILIES, LibraryGame, Parameter, Values, library};
use treegauge_gauge::{Basis, Measure};
use treegauge_search::FEATURES;
use treegauge_stats::Moments;

/// Name of a summary, and the function that computes it.
pub(super) type Summary = (&'static str, fn(&Moments) -> f64);

/// Summaries of a feature over the trees of a game, in the order of the attributes.
pub(super) const SUMMARIES: [Summary; 4] = [
    ("max", |moments| moments.max),
    ("min", |moments| moments.min),
    ("mean", |moments| moments.mean),
    ("variance", Moments::variance),
];

/// Source of attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// All search trees together: 64 attributes.
    Trees,
    /// Trees with the first player to move, and trees with the second: 128 attributes.
    TreesByPlayer,
    /// Search webs of another dataset, in which equal positions are one node: 64 attributes.
    Webs,
    /// Webs with the first player to move, and webs with the second: 128 attributes.
    WebsByPlayer,
    /// Games of self-play, by the measures of a gauge: length, draws, drama and so on.
    Play,
    /// The games between the players of the dataset.
    Players,
    /// The parameters of the game.
    Rules,
    /// Exact value of the start, if the game is small enough to solve.
    Solved,
}

impl Source {
    /// All sources, in the order of the attributes.
    pub const ALL: [Source; 8] = [
        Source::Trees,
        Source::TreesByPlayer,
        Source::Webs,
        Source::WebsByPlayer,
        Source::Play,
        Source::Players,
        Source::Rules,
        Source::Solved,
    ];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Source::Trees => "trees",
            Source::TreesByPlayer => "trees_by_player",
            Source::Webs => "webs",
            Source::WebsByPlayer => "webs_by_player",
            Source::Play => "play",
            Source::Players => "players",
            Source::Rules => "rules",
            Source::Solved => "solved",
        }
    }

    /// Prefixes of its attributes' names; empty for [`Source::Trees`].
    const fn prefixes(self) -> &'static [&'static str] {
        match self {
            Source::Trees => &[],
            Source::TreesByPlayer => &PLAYERS,
            Source::Webs => &[WEB],
            Source::WebsByPlayer => &WEB_PLAYERS,
            Source::Play => &["play."],
            Source::Players => &["players."],
            Source::Rules => &["rules."],
            Source::Solved => &["solved."],
        }
    }

    /// Source of an attribute, by the longest prefix of its name.
    #[must_use]
    pub fn of(attribute: &str) -> Source {
        let longest = |source: &Source| {
            let own = source.prefixes().iter().filter(|prefix| attribute.starts_with(**prefix));
            own.map(|prefix| prefix.len()).max().unwrap_or(0)
        };
        // All names begin with the empty prefix of `Trees`, and those of webs by player also with
        // `web.`.
        Source::ALL.into_iter().rev().max_by_key(longest).unwrap_or(Source::Trees)
    }
}

/// Subject of an attribute, without its player, strength and summary: `worst` for
/// `first.worst.mean`, `skill between players` for a difference between players.
#[must_use]
pub fn kind_of(attribute: &str) -> String {
    let last = |text: &str| text.rsplit(['.', ':']).next().unwrap_or(text).to_owned();
    match Source::of(attribute) {
        Source::Trees => attribute.split('.').next().unwrap_or(attribute).to_owned(),
        Source::TreesByPlayer => attribute.split('.').nth(1).unwrap_or(attribute).to_owned(),
        Source::Webs | Source::WebsByPlayer => {
            format!("{} of webs", kind_of(attribute.strip_prefix(WEB).unwrap_or_default()))
        }
        Source::Players if attribute.contains('>') => "skill between players".to_owned(),
        Source::Players if attribute.contains(".plies.") => "length between players".to_owned(),
        Source::Players => format!("{} between players", last(attribute).replace('_', " ")),
        Source::Rules => attribute.split('=').next().unwrap_or(attribute).to_owned(),
        Source::Play | Source::Solved => attribute.to_owned(),
    }
}

/// Division of the trees that attributes are computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// All trees of the game together: 64 attributes.
    None,
    /// Trees with the first player to move, and trees with the second: 128 attributes.
    Player,
}

impl Split {
    /// Both divisions, the whole first.
    pub const BOTH: [Split; 2] = [Split::None, Split::Player];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Split::None => "none",
            Split::Player => "player",
        }
    }

    /// Source of its attributes of trees.
    #[must_use]
    pub const fn source(self) -> Source {
        match self {
            Split::None => Source::Trees,
            Split::Player => Source::TreesByPlayer,
        }
    }

    /// Source of its attributes of webs.
    #[must_use]
    pub const fn source_of_webs(self) -> Source {
        match self {
            Split::None => Source::Webs,
            Split::Player => Source::WebsByPlayer,
        }
    }

    /// Sources of its attributes of these shapes.
    #[must_use]
    pub fn sources(self, shapes: Shapes) -> Vec<Source> {
        match shapes {
            Shapes::Trees => vec![self.source()],
            Shapes::Webs => vec![self.source_of_webs()],
            Shapes::Both => vec![self.source(), self.source_of_webs()],
        }
    }
}

/// Shapes that attributes are computed from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Shapes {
    /// Search trees.
    #[default]
    Trees,
    /// Search webs of the same games.
    Webs,
    /// Both together.
    Both,
}

impl Shapes {
    /// All shapes, in the order of reports.
    pub const ALL: [Shapes; 3] = [Shapes::Trees, Shapes::Webs, Shapes::Both];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Shapes::Trees => "trees",
            Shapes::Webs => "webs",
            Shapes::Both => "both",
        }
    }
}

/// Name prefixes of the attributes of one player's trees.
const PLAYERS: [&str; 2] = ["first.", "second."];

/// Name prefix of the attributes of webs.
pub(super) const WEB: &str = "web.";

/// Name prefixes of the attributes of one player's webs.
const WEB_PLAYERS: [&str; 2] = ["web.first.", "web.second."];

/// Names of the attributes of a game's trees: all trees together, then those of the first and of
/// the second player. Each group has the features of a tree, and each feature its maximum, minimum,
/// mean and population variance over the trees (Williams 2010, section 4.2).
#[must_use]
pub fn attribute_names() -> Vec<String> {
    let of = |prefix: &'static str| {
        FEATURES.iter().flat_map(move |feature| {
            SUMMARIES.iter().map(move |(summary, _)| format!("{prefix}{}.{summary}", feature.name))
        })
    };
    ["", PLAYERS[0], PLAYERS[1]].into_iter().flat_map(of).collect()
}

/// Names of all attributes that self-play with these players yields: of trees, play and players.
pub(crate) fn collected_names(players: &[String]) -> BTreeSet<String> {
    let play = play_measures().map(|measure| format!("play.{}", measure.name));
    attribute_names().into_iter().chain(play).chain(player_attribute_names(players)).collect()
}

/// Names of the attributes of a parameter: one for the number, or one for each of its words.
fn rule_names(parameter: &Parameter) -> Vec<String> {
    let name = format!("rules.{}", parameter.name);
    match parameter.values {
        Values::Word(words) => words.iter().map(|word| format!("{name}={word}")).collect(),
        _ => vec![name],
    }
}

/// Tests whether an attribute is a parameter of some game.
pub(crate) fn is_rule(name: &str) -> bool {
    let published = library().iter().map(LibraryGame::family);
    let parameters = FAMILIES.iter().copied().chain(published).flat_map(|family| family.parameters);
    parameters.flat_map(rule_names).any(|known| known == name)
}

/// Measures of a gauge that the moves of self-play yield; each is an attribute.
pub(super) fn play_measures() -> impl Iterator<Item = &'static Measure> {
    Measure::of_basis(Basis::Moves)
}

/// Names of the attributes of the games between players.
///
/// For each player in the first seat and each in the second: the share of the points of the first
/// seat, the distance of that from half, the share of draws, and of the length in plies the mean,
/// the logarithm of the mean, and the standard deviation as a part of the mean. For each pair of
/// players: the share of points of the one that is listed later, over both seats.
pub(super) fn player_attribute_names(players: &[String]) -> Vec<String> {
    let games = players.iter().flat_map(|first| {
        players.iter().flat_map(move |second| {
            ["first_points", "bias", "draws", "plies.mean", "plies.ln", "plies.deviation"]
                .map(|what| format!("players.{first}:{second}.{what}"))
        })
    });
    let skill = pairs(players.len())
        .map(|[weak, strong]| format!("players.{}>{}.points", players[strong], players[weak]));
    games.chain(skill).collect()
}

/// Pairs of players by index, the earlier one first.
pub(super) fn pairs(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |one| (one + 1..players).map(move |other| [one, other]))
}
