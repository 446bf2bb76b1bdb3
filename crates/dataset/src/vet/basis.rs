//! Basis of a predictor: the self-play that its attributes come from, and its training games.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};
use treegauge_engine::PlayerSpec;
use treegauge_gauge::vetted::{LabelSource, Near, Predicts, TrainedOn};
use treegauge_grammar::Error as PlayerSpecError;
use treegauge_search::{BackUp, Expansion, FEATURES, Merge, MoveCounts, ShapeOptions, UctVariant};
use treegauge_store::{INSTANCES_MAX, Shard};
use xxhash_rust::xxh3::xxh3_64;

use super::twin::Named;
use crate::aggregate::{Aggregate, Source, collected_names, is_rule, kind_of};
use crate::collect::{CP_MAX, CollectPlan, DatasetHeader, ITERATIONS_MAX, PLAYERS_MAX};

/// Plan by which the self-play of a game is collected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataPlan {
    /// Header of the training dataset.
    #[serde(deserialize_with = "header")]
    pub header: DatasetHeader,
    /// Number of instances of each game.
    pub instances: u32,
}

/// Reads a header and refuses unknown fields: beside its flattened part they would be kept as
/// trees.
fn header<'de, D: Deserializer<'de>>(reader: D) -> Result<DatasetHeader, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Fields {
        schema: u32,
        holds: String,
        version: String,
        seed: u64,
        iterations: u32,
        cp: f64,
        expansion: Expansion,
        #[serde(default)]
        merge: Merge,
        #[serde(default)]
        backup: BackUp,
        #[serde(default)]
        counts: MoveCounts,
        #[serde(default)]
        solver: bool,
        #[serde(default)]
        reuse: bool,
        #[serde(default)]
        threads: Option<u32>,
        shape_options: ShapeOptions,
        features: Vec<String>,
        #[serde(default)]
        players: Vec<String>,
    }
    let fields = Fields::deserialize(reader)?;
    Ok(DatasetHeader {
        schema: fields.schema,
        holds: fields.holds,
        version: fields.version,
        seed: fields.seed,
        iterations: fields.iterations,
        cp: fields.cp,
        expansion: fields.expansion,
        variant: UctVariant {
            merge: fields.merge,
            back_up: fields.backup,
            counts: fields.counts,
            solver: fields.solver,
            reuse: fields.reuse,
            threads: fields.threads.unwrap_or(UctVariant::default().threads),
        },
        shape_options: fields.shape_options,
        features: fields.features,
        players: fields.players,
    })
}

impl DataPlan {
    /// Plan that collects the same data for other games.
    ///
    /// # Errors
    ///
    /// When a player of the header is invalid.
    pub fn collect_plan(&self, seed: u64) -> Result<CollectPlan, PlayerSpecError> {
        let DatasetHeader { iterations, cp, expansion, variant, shape_options, players, .. } =
            &self.header;
        let players = players.iter().map(|text| PlayerSpec::parse(text));
        Ok(CollectPlan {
            iterations: *iterations,
            instances: self.instances,
            seed,
            cp: *cp,
            expansion: *expansion,
            variant: *variant,
            shape: *shape_options,
            players: players.collect::<Result<_, _>>()?,
            shard: Shard::WHOLE,
        })
    }

    /// Tests whether both plans collect the same data for a game: only the seed and the number of
    /// instances may differ.
    #[must_use]
    pub fn is_alike(&self, other: &DataPlan) -> bool {
        let header = DatasetHeader { seed: other.header.seed, ..self.header.clone() };
        header == other.header
    }

    fn check(&self) -> Result<(), String> {
        // Features that were added since training do no harm: nothing was learned from them.
        let is_known = |name: &String| FEATURES.iter().any(|feature| feature.name == name);
        if let Some(name) = self.header.features.iter().find(|name| !is_known(name)) {
            return Err(format!("this program does not know its tree feature {name:?}"));
        }
        let DatasetHeader { iterations, cp, variant, players, .. } = &self.header;
        variant.check_features()?;
        if *iterations == 0 || self.instances == 0 {
            return Err("a dataset has no iterations or no instances".to_owned());
        }
        // A model from a file decides how much is played before a game is judged, so the numbers
        // are bounded.
        let counts = [
            ("iterations", *iterations, ITERATIONS_MAX),
            ("instances", self.instances, INSTANCES_MAX),
        ];
        for (what, found, max) in counts {
            if found > max {
                return Err(format!("a dataset has {found} {what}, and {max} are the most"));
            }
        }
        if !(0.0..=CP_MAX).contains(cp) {
            return Err(format!("a dataset has C_p = {cp}, which is not from 0 to {CP_MAX}"));
        }
        if players.len() > PLAYERS_MAX {
            let found = players.len();
            return Err(format!("a dataset has {found} players, and {PLAYERS_MAX} are the most"));
        }
        self.collect_plan(0).map(|_| ()).map_err(|error| error.to_string())
    }
}

/// Attribute of a game, in one of the datasets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Attribute {
    /// Index of its dataset in the data of the basis.
    pub data: usize,
    /// Name in the dataset.
    pub name: String,
}

impl Attribute {
    /// Subject of the attribute: see [`kind_of`].
    #[must_use]
    pub fn kind(&self) -> String {
        kind_of(&self.name)
    }
}

/// Training game of a predictor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownGame {
    /// Canonical name of the game.
    pub game: String,
    /// Group of the game: variants of each other share it.
    pub group: String,
    /// 1 for playable and 0 for unplayable, or the rating.
    pub target: f64,
    /// Source of the label; `None` for a rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<LabelSource>,
    /// Attributes in single precision, which keeps model files short.
    pub row: Vec<f32>,
}

/// Training data of a predictor, in the form that predictions need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingBasis {
    /// Self-play that attributes come from.
    pub data: Vec<DataPlan>,
    /// Attributes of a row.
    pub attributes: Vec<Attribute>,
    /// Training games.
    pub games: Vec<KnownGame>,
    /// Maximum number of attributes of a game that may lie beyond the range of the known games.
    /// Nineteen of 20 known games have no more than this beyond the range of the games of other
    /// groups.
    pub beyond_max: usize,
    /// Greatest distance of a known game to the nearest one of another group.
    pub distance_max: f64,
}

/// Dataset to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingData {
    /// Plan by which it was collected.
    pub plan: DataPlan,
    /// Attributes of its games.
    pub aggregate: Aggregate,
}

/// Number of nearest known games whose label sources are looked at to judge a game.
pub const NEAREST: usize = 10;

/// Minimum number of these games with labels from one source.
pub const NEAREST_MIN: usize = 3;

/// Number as a model stores it.
fn single(x: f64) -> f32 {
    (x as f32).clamp(f32::MIN, f32::MAX)
}

impl TrainingBasis {
    /// Description of the training data, for a predictor of `predicts`.
    pub(super) fn trained_on(&self, predicts: Predicts) -> TrainedOn {
        TrainedOn {
            predicts,
            iterations: self.data.iter().map(|plan| plan.header.iterations).collect(),
            instances: self.data.iter().map(|plan| plan.instances).collect(),
            games: self.games.len(),
            groups: self.groups().iter().max().map_or(0, |most| most + 1),
            digest: self.digest(),
        }
    }

    /// Builds the basis of some games from the attributes of these sources. Every dataset must have
    /// all games. The parameters of games come from the first dataset, since they are the same in
    /// all.
    ///
    /// # Panics
    ///
    /// When a dataset lacks a game.
    #[must_use]
    pub(crate) fn new(
        datasets: &[TrainingData],
        sources: &[Source],
        games: Vec<KnownGame>,
    ) -> TrainingBasis {
        let attributes = datasets.iter().enumerate().flat_map(|(data, one)| {
            let wanted = move |name: &&String| {
                let source = Source::of(name);
                sources.contains(&source) && (data == 0 || source != Source::Rules)
            };
            let names = one.aggregate.attributes.iter().filter(wanted);
            names.map(move |name| Attribute { data, name: name.clone() })
        });
        let mut basis = TrainingBasis {
            data: datasets.iter().map(|one| one.plan.clone()).collect(),
            attributes: attributes.collect(),
            games: Vec::new(),
            beyond_max: 0,
            distance_max: 0.0,
        };
        let aggregates: Vec<&Aggregate> = datasets.iter().map(|one| &one.aggregate).collect();
        for mut game in games {
            let row = basis.row(&aggregates, &game.game).expect("each dataset has the game");
            game.row = row.into_iter().map(single).collect();
            basis.games.push(game);
        }
        let rows = basis.rows();
        let known = || rows.iter().zip(&basis.games);
        let mut beyond: Vec<usize> =
            known().map(|(row, game)| basis.beyond(row, Some(&game.group))).collect();
        beyond.sort_unstable();
        let beyond_max = beyond.get(beyond.len() * 19 / 20).copied().unwrap_or(0);
        let distances = known().filter_map(|(row, game)| basis.distance(row, Some(&game.group)));
        let distance_max = distances.fold(0.0, f64::max);
        TrainingBasis { beyond_max, distance_max, ..basis }
    }

    /// Checks that the parts fit together: those of a model from a file need not.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.data.iter().try_for_each(DataPlan::check)?;
        let width = self.attributes.len();
        if self.games.iter().any(|game| game.row.len() != width) {
            return Err("a known game has other attributes than the rest".to_owned());
        }
        let finite =
            |game: &KnownGame| game.target.is_finite() && game.row.iter().all(|x| x.is_finite());
        if !self.games.iter().all(finite) {
            return Err("a known game has a number that is not finite".to_owned());
        }
        if !self.distance_max.is_finite() {
            return Err("the greatest distance of its games is not finite".to_owned());
        }
        if self.attributes.iter().any(|attribute| attribute.data >= self.data.len()) {
            return Err("an attribute refers to a missing dataset".to_owned());
        }
        self.check_names()?;
        let names: BTreeSet<&Attribute> = self.attributes.iter().collect();
        if self.games.is_empty() || width == 0 || names.len() != width {
            return Err("games or attributes are missing, or an attribute occurs twice".to_owned());
        }
        Ok(())
    }

    /// Checks that this program computes all attributes. Those that were added since training do no
    /// harm: nothing was learned from them.
    fn check_names(&self) -> Result<(), String> {
        for (n, plan) in self.data.iter().enumerate() {
            let names = collected_names(&plan.header.players);
            let own = self.attributes.iter().filter(|attribute| attribute.data == n);
            for Attribute { name, .. } in own {
                let is_known = if Source::of(name) == Source::Rules {
                    is_rule(name)
                } else {
                    names.contains(name)
                };
                if !is_known {
                    return Err(format!("this program does not know its attribute {name:?}"));
                }
            }
        }
        Ok(())
    }

    /// Attributes of a game, from its self-play by each plan of the data; `None` if an attribute is
    /// missing. A game has 0 for the parameters of other families.
    #[must_use]
    pub fn row(&self, data: &[&Aggregate], game: &str) -> Option<Vec<f64>> {
        let games: Vec<_> = data
            .iter()
            .map(|aggregate| aggregate.games.iter().find(|row| row.game == game))
            .collect::<Option<_>>()?;
        let value = |attribute: &Attribute| {
            let aggregate = data.get(attribute.data)?;
            match aggregate.attributes.iter().position(|name| *name == attribute.name) {
                Some(at) => Some(games[attribute.data].attributes[at]),
                None => (Source::of(&attribute.name) == Source::Rules).then_some(0.0),
            }
        };
        let row = self.attributes.iter().map(value).collect::<Option<Vec<f64>>>()?;
        Some(row.into_iter().map(|x| f64::from(single(x))).collect())
    }

    /// Digest of the known games with their labels and attributes: an XXH3 sum in 16 hexadecimal
    /// digits.
    #[must_use]
    pub fn digest(&self) -> String {
        let games = serde_json::to_vec(&self.games).expect("games are JSON");
        format!("{:016x}", xxh3_64(&games))
    }

    /// Attributes of the known games, one row for each.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<f64>> {
        let row = |game: &KnownGame| game.row.iter().map(|&x| f64::from(x)).collect();
        self.games.iter().map(row).collect()
    }

    /// Group of each known game, as a number in the order in which groups first occur.
    #[must_use]
    pub fn groups(&self) -> Vec<usize> {
        let mut names: Vec<&str> = Vec::new();
        let mut numbers = Vec::new();
        for game in &self.games {
            let known = names.iter().position(|name| *name == game.group);
            numbers.push(known.unwrap_or(names.len()));
            if known.is_none() {
                names.push(&game.group);
            }
        }
        numbers
    }

    /// Known game with this canonical name, and the number of its group; `None` if it is not known.
    #[must_use]
    pub fn known(&self, game: &str) -> Option<(&KnownGame, usize)> {
        let at = self.games.iter().position(|known| known.game == game)?;
        Some((&self.games[at], self.groups()[at]))
    }

    /// Known game that is the same as `game`, and the number of its group; `None` if there is none.
    /// It has the same name, or is one of the [`NEAREST`] games nearest to `row` and the same game
    /// under another name.
    #[must_use]
    pub fn same_game(&self, row: &[f64], game: &str) -> Option<(&KnownGame, usize)> {
        self.known(game).or_else(|| {
            let named = Named::open(game)?;
            let near = self.by_distance(row, |_| true).into_iter().take(NEAREST);
            let twin = near.map(|(known, _)| known).find(|known| named.is_also(&known.game))?;
            self.known(&twin.game)
        })
    }

    /// Number of attributes of a row that lie beyond the range of the known games, without one
    /// group.
    fn beyond(&self, row: &[f64], without: Option<&str>) -> usize {
        let others = || self.games.iter().filter(|game| Some(&game.group[..]) != without);
        let is_beyond = |n: usize| {
            let values = || others().map(|game| f64::from(game.row[n]));
            let least = values().fold(f64::INFINITY, f64::min);
            let most = values().fold(f64::NEG_INFINITY, f64::max);
            row[n] < least || row[n] > most
        };
        (0..row.len()).filter(|&n| is_beyond(n)).count()
    }

    /// Distance of a row to the nearest known game, without one group; `None` if no game is left.
    fn distance(&self, row: &[f64], without: Option<&str>) -> Option<f64> {
        let near = self.by_distance(row, |known| Some(&known.group[..]) != without);
        near.first().map(|(_, distance)| *distance)
    }

    /// Tests whether a row lies outside the training data, without one group. It does if too many
    /// attributes lie beyond the range of the known games, or if it is farther from all of them
    /// than any of them is from those of other groups.
    #[must_use]
    pub fn is_outside(&self, row: &[f64], without: Option<&str>) -> bool {
        self.beyond(row, without) > self.beyond_max
            || self.distance(row, without).is_some_and(|distance| distance > self.distance_max)
    }

    /// Known games whose attributes are nearest to a row, nearest first, without one group; at most
    /// `count`.
    #[must_use]
    pub fn nearest(&self, row: &[f64], without: Option<&str>, count: usize) -> Vec<Near> {
        let near =
            |(known, distance): (&KnownGame, f64)| Near { game: known.game.clone(), distance };
        self.by_distance(row, |known| Some(&known.group[..]) != without)
            .into_iter()
            .take(count)
            .map(near)
            .collect()
    }

    /// Label sources of the known games nearest to a row, without its group: those of at least
    /// [`NEAREST_MIN`] of the [`NEAREST`] nearest games.
    #[must_use]
    pub fn kin(&self, row: &[f64], group: Option<&str>) -> Vec<LabelSource> {
        let near = self.by_distance(row, |known| Some(&known.group[..]) != group);
        let near: Vec<LabelSource> =
            near.into_iter().take(NEAREST).filter_map(|(known, _)| known.by).collect();
        let mut sources = near.clone();
        sources.sort_unstable();
        sources.dedup();
        let count = |by: &LabelSource| near.iter().filter(|one| *one == by).count();
        sources.into_iter().filter(|by| count(by) >= NEAREST_MIN).collect()
    }

    /// Known games that are `wanted`, with their distances, nearest first. A distance is the root
    /// mean square of the differences of attributes, each in its standard deviations.
    fn by_distance(
        &self,
        row: &[f64],
        wanted: impl Fn(&KnownGame) -> bool,
    ) -> Vec<(&KnownGame, f64)> {
        let deviation = |n: usize| {
            let values = || self.games.iter().map(|game| f64::from(game.row[n]));
            let mean = values().sum::<f64>() / self.games.len() as f64;
            (values().map(|x| (x - mean).powi(2)).sum::<f64>() / self.games.len() as f64).sqrt()
        };
        let deviations: Vec<f64> = (0..row.len()).map(deviation).collect();
        let distance = |known: &KnownGame| {
            let square = |n: usize| {
                let apart = row[n] - f64::from(known.row[n]);
                if deviations[n] > 0.0 { (apart / deviations[n]).powi(2) } else { 0.0 }
            };
            ((0..row.len()).map(square).sum::<f64>() / row.len() as f64).sqrt()
        };
        let some = self.games.iter().filter(|known| wanted(known));
        let mut near: Vec<(&KnownGame, f64)> = some.map(|known| (known, distance(known))).collect();
        near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.game.cmp(&b.0.game)));
        near
    }

    /// Lower and upper quartile of attribute `n` over the known games of a class, 1 for playable
    /// and 0 for unplayable; `None` if the class is empty.
    #[must_use]
    pub fn quartiles(&self, n: usize, class: f64) -> Option<[f64; 2]> {
        let own = self.games.iter().filter(|game| game.target == class);
        let mut values: Vec<f64> = own.map(|game| f64::from(game.row[n])).collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        Some([1, 3].map(|quarter| values[last * quarter / 4]))
    }
}
