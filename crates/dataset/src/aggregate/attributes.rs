//! The attributes of a game by their names.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use treegauge_catalog::{FAMILIES, Parameter, Values};
use treegauge_gauge::MEASURES;
use treegauge_search::FEATURES;
use treegauge_stats::Moments;

/// A name, and the number that it names.
pub(super) type Summary = (&'static str, fn(&Moments) -> f64);

/// The numbers that sum a feature up over the trees of a game, in the order of the attributes.
pub(super) const SUMMARIES: [Summary; 4] = [
    ("max", |moments| moments.max),
    ("min", |moments| moments.min),
    ("mean", |moments| moments.mean),
    ("variance", Moments::variance),
];

/// What attributes are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// All search trees together: 64 attributes.
    Trees,
    /// The trees in which the first player is to move, and those in which the second is: 128 attributes.
    TreesByPlayer,
    /// The search webs of another dataset, where equal positions are one: 64 attributes.
    Webs,
    /// Those in which the first player is to move, and those in which the second is: 128 attributes.
    WebsByPlayer,
    /// The games of self-play by the measures of a gauge: length, draws, drama and so on.
    Play,
    /// The games between the players of the dataset.
    Players,
    /// The parameters of the game.
    Rules,
    /// The exact value of the start, where the game is small enough.
    Solved,
}

impl Source {
    /// All, in the order of the attributes.
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

    /// The name in reports.
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

    /// What the names of its attributes begin with; nothing for those of all trees.
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

    /// The source of an attribute, by its name.
    #[must_use]
    pub fn of(attribute: &str) -> Source {
        let longest = |source: &Source| {
            let own = source.prefixes().iter().filter(|prefix| attribute.starts_with(**prefix));
            own.map(|prefix| prefix.len()).max().unwrap_or(0)
        };
        // All names begin with the nothing of `Trees`, and those of webs by player also with `web.`.
        Source::ALL.into_iter().rev().max_by_key(longest).unwrap_or(Source::Trees)
    }
}

/// What an attribute is about, whichever player, strength and summary it is of: `worst` for
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

/// The trees of which attributes are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// All trees of the game together: 64 attributes.
    None,
    /// Those in which the first player is to move, and those in which the second is: 128 attributes.
    Player,
}

impl Split {
    /// Both, the first one first.
    pub const BOTH: [Split; 2] = [Split::None, Split::Player];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Split::None => "none",
            Split::Player => "player",
        }
    }

    /// The source of its attributes of trees.
    #[must_use]
    pub const fn source(self) -> Source {
        match self {
            Split::None => Source::Trees,
            Split::Player => Source::TreesByPlayer,
        }
    }

    /// The source of its attributes of webs.
    #[must_use]
    pub const fn source_of_webs(self) -> Source {
        match self {
            Split::None => Source::Webs,
            Split::Player => Source::WebsByPlayer,
        }
    }

    /// The sources of its attributes of some shapes.
    #[must_use]
    pub fn sources(self, shapes: Shapes) -> Vec<Source> {
        match shapes {
            Shapes::Trees => vec![self.source()],
            Shapes::Webs => vec![self.source_of_webs()],
            Shapes::Both => vec![self.source(), self.source_of_webs()],
        }
    }
}

/// The shapes of which attributes are made.
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
    /// All, in the order of reports.
    pub const ALL: [Shapes; 3] = [Shapes::Trees, Shapes::Webs, Shapes::Both];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Shapes::Trees => "trees",
            Shapes::Webs => "webs",
            Shapes::Both => "both",
        }
    }
}

/// What the attributes of the trees of one player begin with.
const PLAYERS: [&str; 2] = ["first.", "second."];

/// What the attributes of webs begin with.
pub(super) const WEB: &str = "web.";

/// What those of the webs of one player begin with.
const WEB_PLAYERS: [&str; 2] = ["web.first.", "web.second."];

/// The names of the attributes of a game: all trees together, then those of the first and of the second
/// player; each has the features of a tree, each of these its greatest value, least value, mean and
/// population variance over the trees (Williams 2010, section 4.2).
#[must_use]
pub fn attribute_names() -> Vec<String> {
    let of = |prefix: &'static str| {
        FEATURES.iter().flat_map(move |feature| {
            SUMMARIES.iter().map(move |(summary, _)| format!("{prefix}{}.{summary}", feature.name))
        })
    };
    ["", PLAYERS[0], PLAYERS[1]].into_iter().flat_map(of).collect()
}

/// The names of all attributes that self-play of games with these players gives: of trees, play and players.
pub(crate) fn collected_names(players: &[String]) -> BTreeSet<String> {
    let play = play_measures().map(|measure| format!("play.{}", measure.name));
    attribute_names().into_iter().chain(play).chain(player_attribute_names(players)).collect()
}

/// The names of the attributes of a parameter: itself, or one for each of its words.
fn rule_names(parameter: &Parameter) -> Vec<String> {
    let name = format!("rules.{}", parameter.name);
    match parameter.values {
        Values::Word(words) => words.iter().map(|word| format!("{name}={word}")).collect(),
        _ => vec![name],
    }
}

/// Whether a name is that of an attribute of a parameter of some game.
pub(crate) fn is_rule(name: &str) -> bool {
    let parameters = FAMILIES.iter().flat_map(|family| family.parameters);
    parameters.flat_map(rule_names).any(|known| known == name)
}

/// The measures of a gauge that self-play alone gives, which are attributes.
pub(super) fn play_measures() -> impl Iterator<Item = &'static treegauge_gauge::Measure> {
    MEASURES.iter().filter(|measure| !measure.name.starts_with("skill_depth"))
}

/// The names of the attributes that the games between players give. For each player in the first seat and
/// each in the second: the share of the points of the first seat, how far that is from half, the share of
/// draws, and of the length in plies the mean, the logarithm of the mean and the standard deviation as a
/// part of the mean. For each two players: the share of points of the one that is listed later, over both
/// seats.
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

/// Each two of some players by their places, the earlier one first.
pub(super) fn pairs(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |one| (one + 1..players).map(move |other| [one, other]))
}
