//! Datasets summed up by game: the attributes that learners learn from.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_catalog::{GameSpec, SpecError};
use treegauge_core::Watch;
use treegauge_engine::Engine;
use treegauge_grammar::Values;
use treegauge_learn::{Table, TableError};
use treegauge_search::FEATURES;
use treegauge_solve::Value;

use crate::collect::{DatasetHeader, Instance};
use crate::gauge::{DEFAULT_SOLVE_LIMIT, Exact, GaugeGames, MEASURES};
use crate::self_play::GameRecord;
use crate::stats::Moments;

/// A name, and the number that it names.
type Summary = (&'static str, fn(&Moments) -> f64);

/// The numbers that sum a feature up over the trees of a game, in the order of the attributes.
const SUMMARIES: [Summary; 4] = [
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
    pub const ALL: [Source; 6] = [
        Source::Trees,
        Source::TreesByPlayer,
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
            Source::Play => &["play."],
            Source::Players => &["players."],
            Source::Rules => &["rules."],
            Source::Solved => &["solved."],
        }
    }

    /// The source of an attribute, by its name.
    #[must_use]
    pub fn of(attribute: &str) -> Source {
        let is = |source: &Source| source.prefixes().iter().any(|p| attribute.starts_with(p));
        Source::ALL.into_iter().find(is).unwrap_or(Source::Trees)
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

    /// The source of its attributes.
    #[must_use]
    pub const fn source(self) -> Source {
        match self {
            Split::None => Source::Trees,
            Split::Player => Source::TreesByPlayer,
        }
    }
}

/// What the attributes of the trees of one player begin with.
const PLAYERS: [&str; 2] = ["first.", "second."];

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

/// The measures of a gauge that self-play alone gives, which are attributes.
fn play_measures() -> impl Iterator<Item = &'static crate::gauge::Measure> {
    MEASURES.iter().filter(|measure| !measure.name.starts_with("skill_depth"))
}

/// The names of the attributes that the games between players give. For each player in the first seat and
/// each in the second: the share of the points of the first seat, how far that is from half, the share of
/// draws, and of the length in plies the mean, the logarithm of the mean and the standard deviation as a
/// part of the mean. For each two players: the share of points of the one that is listed later, over both
/// seats.
fn player_attribute_names(players: &[String]) -> Vec<String> {
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
fn pairs(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |one| (one + 1..players).map(move |other| [one, other]))
}

/// A dataset summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// Iterations per move; the same for all games.
    pub iterations: u32,
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// The games in the order of their names.
    pub games: Vec<GameAggregate>,
}

/// A game summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct GameAggregate {
    /// The canonical name of the game.
    pub game: String,
    /// Its instances.
    pub instances: u64,
    /// Their trees.
    pub trees: u64,
    /// The attributes, in the order of [`Aggregate::attributes`]. A player that never moves, and a
    /// measure that no game has, such as the drama of games without a winner, have zeros.
    pub attributes: Vec<f64>,
}

/// Sums up instances as they come.
#[derive(Debug)]
pub struct Aggregator {
    iterations: u32,
    players: Vec<String>,
    games: BTreeMap<String, Folds>,
}

#[derive(Debug)]
struct Folds {
    /// By player, by feature.
    features: [Vec<Moments>; 2],
    /// The games of self-play without the texts of their moves.
    records: Vec<GameRecord>,
    /// Of the games between players in their order: points of the first seat, draws, plies.
    player_games: Vec<[Moments; 3]>,
}

impl Folds {
    fn new(players: usize) -> Folds {
        let none = || vec![Moments::default(); FEATURES.len()];
        Folds {
            features: [none(), none()],
            records: Vec::new(),
            player_games: vec![[Moments::default(); 3]; players * players],
        }
    }

    fn add(&mut self, instance: &Instance) {
        for row in instance.rows() {
            let features = &mut self.features[row.player().index()];
            for (fold, &value) in features.iter_mut().zip(row.features()) {
                fold.add(value);
            }
        }
        let mut record = instance.record.clone();
        record.opening = vec![String::new(); record.opening.len()];
        record.plies.iter_mut().for_each(|ply| ply.m = String::new());
        self.records.push(record);
        for (folds, game) in self.player_games.iter_mut().zip(&instance.player_games) {
            let value = f64::from(game.ended.outcome.value());
            let draw = f64::from(u8::from(value == 0.0));
            let numbers = [(1.0 + value) / 2.0, draw, f64::from(game.plies)];
            folds.iter_mut().zip(numbers).for_each(|(fold, number)| fold.add(number));
        }
    }

    /// The attributes of the games between some players.
    fn of_players(&self, players: usize) -> Vec<f64> {
        let games = self.player_games.iter().flat_map(|[points, draws, plies]| {
            let mean = plies.mean.max(1.0);
            [
                points.mean,
                (points.mean - 0.5).abs(),
                draws.mean,
                plies.mean,
                mean.ln(),
                plies.variance().sqrt() / mean,
            ]
        });
        let points =
            |first: usize, second: usize| self.player_games[first * players + second][0].mean;
        let skill = pairs(players)
            .map(|[weak, strong]| (points(strong, weak) + 1.0 - points(weak, strong)) / 2.0);
        games.chain(skill).collect()
    }
}

impl Aggregator {
    /// Nothing yet, of a dataset with this header.
    #[must_use]
    pub fn new(header: &DatasetHeader) -> Aggregator {
        let DatasetHeader { iterations, players, .. } = header;
        Aggregator { iterations: *iterations, players: players.clone(), games: BTreeMap::new() }
    }

    /// One more instance. Instances of a game that come in the same order give the same bits. Of one that
    /// has not the games of the players of the header, these are as far as they go.
    pub fn add(&mut self, instance: &Instance) {
        if !self.games.contains_key(&instance.game) {
            self.games.insert(instance.game.clone(), Folds::new(self.players.len()));
        }
        self.games.get_mut(&instance.game).expect("it is there now").add(instance);
    }

    /// The attributes of all games: of their trees, their play and their players.
    #[must_use]
    pub fn finish(self) -> Aggregate {
        let players = self.players.len();
        let games = self.games.into_iter().map(|(game, folds)| {
            let [first, second] = &folds.features;
            let both: Vec<Moments> = first
                .iter()
                .zip(second)
                .map(|(first, second)| {
                    let mut both = *first;
                    both.merge(second);
                    both
                })
                .collect();
            let trees = both.first().map_or(0, |fold| fold.n);
            let all = both.iter().chain(first).chain(second);
            let of_trees = all.flat_map(|fold| SUMMARIES.iter().map(move |(_, of)| of(fold)));
            let played = GaugeGames::of_records(&folds.records);
            let of_play = play_measures().map(|measure| (measure.of)(&played).mean.unwrap_or(0.0));
            let attributes = of_trees.chain(of_play).chain(folds.of_players(players)).collect();
            GameAggregate { game, instances: folds.records.len() as u64, trees, attributes }
        });
        let play = play_measures().map(|measure| format!("play.{}", measure.name));
        let attributes = attribute_names().into_iter().chain(play);
        Aggregate {
            iterations: self.iterations,
            attributes: attributes.chain(player_attribute_names(&self.players)).collect(),
            games: games.collect(),
        }
    }
}

/// Why a table of attributes cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AggregateError {
    /// It is no CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// It lacks a column.
    #[error("the table has no column {0:?}")]
    NoColumn(String),
    /// A cell is no number.
    #[error("line {line}: {column} is {text:?}, and a number is expected")]
    NoNumber {
        /// The line, from 1.
        line: u64,
        /// The column.
        column: String,
        /// What stands there.
        text: String,
    },
    /// Its games were searched with different numbers of iterations.
    #[error("line {line}: {found} iterations, where the games before have {expected}")]
    Iterations {
        /// The line, from 1.
        line: u64,
        /// The iterations of this game.
        found: u32,
        /// Those of the games before.
        expected: u32,
    },
    /// It has no game.
    #[error("the table has no game")]
    Empty,
    /// Its numbers make no table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The columns before the attributes.
const ABOUT: [&str; 4] = ["game", "iterations", "instances", "trees"];

impl Aggregate {
    /// The attributes as CSV: one row for each game.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut row = |cells: &mut dyn Iterator<Item = String>| {
            writer.write_record(cells).expect("memory takes rows of one length");
        };
        row(&mut ABOUT.map(str::to_owned).into_iter().chain(self.attributes.iter().cloned()));
        for game in &self.games {
            let about =
                [self.iterations.into(), game.instances, game.trees].map(|n: u64| n.to_string());
            let attributes = game.attributes.iter().map(f64::to_string);
            row(&mut std::iter::once(game.game.clone()).chain(about).chain(attributes));
        }
        let bytes = writer.into_inner().expect("memory can be written");
        String::from_utf8(bytes).expect("names and numbers are text")
    }

    /// Reads what [`Aggregate::csv`] wrote. Columns may stand in any order; those beside `game`,
    /// `iterations`, `instances` and `trees` are the attributes.
    ///
    /// # Errors
    ///
    /// When one of these columns is missing, a cell is no finite number, a game occurs twice, or there is
    /// none.
    pub fn read_csv(input: impl Read) -> Result<Aggregate, AggregateError> {
        let mut reader = csv::Reader::from_reader(input);
        let header = reader.headers()?.clone();
        let column = |name: &str| {
            header
                .iter()
                .position(|field| field == name)
                .ok_or_else(|| AggregateError::NoColumn(name.to_owned()))
        };
        let [game, iterations, instances, trees] = ABOUT.map(column);
        let (game, iterations, instances, trees) = (game?, iterations?, instances?, trees?);
        let attributes: Vec<usize> =
            (0..header.len()).filter(|&n| !ABOUT.contains(&&header[n])).collect();
        let mut all: Option<u32> = None;
        let mut games = Vec::new();
        for record in reader.into_records() {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            let no_number = |n: usize| AggregateError::NoNumber {
                line,
                column: header[n].to_owned(),
                text: record[n].to_owned(),
            };
            let whole = |n: usize| record[n].parse::<u64>().map_err(|_| no_number(n));
            let found: u32 = record[iterations].parse().map_err(|_| no_number(iterations))?;
            let expected = *all.get_or_insert(found);
            if found != expected {
                return Err(AggregateError::Iterations { line, found, expected });
            }
            let real = |&n: &usize| record[n].parse::<f64>().map_err(|_| no_number(n));
            games.push(GameAggregate {
                game: record[game].to_owned(),
                instances: whole(instances)?,
                trees: whole(trees)?,
                attributes: attributes.iter().map(real).collect::<Result<_, _>>()?,
            });
        }
        let iterations = all.ok_or(AggregateError::Empty)?;
        let attributes = attributes.into_iter().map(|n| header[n].to_owned()).collect();
        let aggregate = Aggregate { iterations, attributes, games };
        aggregate.table_of(&Source::ALL)?;
        Ok(aggregate)
    }

    /// The same with the attributes of some sources alone.
    #[must_use]
    pub fn only(&self, sources: &[Source]) -> Aggregate {
        let own = self.places(sources);
        let games = self.games.iter().map(|row| GameAggregate {
            attributes: own.iter().map(|&n| row.attributes[n]).collect(),
            ..row.clone()
        });
        Aggregate {
            iterations: self.iterations,
            attributes: own.iter().map(|&n| self.attributes[n].clone()).collect(),
            games: games.collect(),
        }
    }

    fn places(&self, sources: &[Source]) -> Vec<usize> {
        let has = |n: &usize| sources.contains(&Source::of(&self.attributes[*n]));
        (0..self.attributes.len()).filter(has).collect()
    }

    /// The attributes of some sources as a table for learners.
    ///
    /// # Errors
    ///
    /// When a game occurs twice, or an attribute is not finite.
    pub fn table_of(&self, sources: &[Source]) -> Result<Table, TableError> {
        let own = self.places(sources);
        let columns = own.iter().map(|&n| self.attributes[n].clone()).collect();
        let rows = self
            .games
            .iter()
            .map(|row| (row.game.clone(), own.iter().map(|&n| row.attributes[n]).collect()));
        Table::new(columns, rows)
    }

    /// The attributes of the trees as a table for learners.
    ///
    /// # Errors
    ///
    /// When a game occurs twice, or an attribute is not finite.
    pub fn table(&self, split: Split) -> Result<Table, TableError> {
        self.table_of(&[split.source()])
    }

    /// Adds attributes, given for each game.
    fn with(mut self, names: Vec<String>, rows: Vec<Vec<f64>>) -> Aggregate {
        self.attributes.extend(names);
        for (game, row) in self.games.iter_mut().zip(rows) {
            game.attributes.extend(row);
        }
        self
    }

    /// Adds the parameters of the games. A number is an attribute, a flag is 0 or 1, and a word has for
    /// each of its values an attribute that is 1 where it has the value. A game has 0 for the parameters
    /// of other families.
    ///
    /// # Errors
    ///
    /// When a name is that of no game.
    pub fn with_rules(self) -> Result<Aggregate, SpecError> {
        let known: Vec<BTreeMap<String, f64>> =
            self.games.iter().map(|row| rules_of(&row.game)).collect::<Result<_, _>>()?;
        let names: BTreeSet<&String> = known.iter().flat_map(BTreeMap::keys).collect();
        let row = |values: &BTreeMap<String, f64>| {
            names.iter().map(|name| values.get(*name).copied().unwrap_or(0.0)).collect()
        };
        let rows = known.iter().map(row).collect();
        let names = names.into_iter().cloned().collect();
        Ok(self.with(names, rows))
    }

    /// Adds the exact value of each game that a solve finds within the limits of a gauge: whether it is
    /// known, for which player the game is won (1, 0 or -1), in how many plies, and the decimal logarithm
    /// of the number of positions. A game that is not solved has zeros.
    ///
    /// # Errors
    ///
    /// When `watch` says stop.
    pub fn with_solved(
        self,
        engines: &[Arc<dyn Engine>],
        watch: &dyn Watch,
    ) -> Result<Aggregate, Interrupted> {
        let solved = |row: &GameAggregate| {
            let engine = engines.iter().find(|engine| engine.info().canonical_name == row.game);
            let exact = engine.and_then(|engine| {
                Exact::of(engine.as_ref(), &engine.start(), DEFAULT_SOLVE_LIMIT, watch)
            });
            if watch.stop() {
                return Err(Interrupted);
            }
            Ok(exact.map_or(vec![0.0; SOLVED.len()], |exact| {
                let value = match exact.value {
                    Value::Win => 1.0,
                    Value::Lose => -1.0,
                    Value::Tie | Value::Draw => 0.0,
                };
                let value = value * f64::from(exact.turn.sign()) + 0.0;
                let plies = exact.remoteness.map_or(0.0, f64::from);
                vec![1.0, value, plies, (exact.positions as f64).log10(), exact.interestingness]
            }))
        };
        let rows = self.games.iter().map(solved).collect::<Result<_, _>>()?;
        Ok(self.with(SOLVED.map(str::to_owned).into(), rows))
    }
}

/// The attributes of a solved game.
const SOLVED: [&str; 5] = [
    "solved.known",
    "solved.value_for_first",
    "solved.remoteness",
    "solved.positions_log10",
    "solved.interestingness",
];

/// The watch said stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The parameters of a game as numbers by their names.
fn rules_of(game: &str) -> Result<BTreeMap<String, f64>, SpecError> {
    let spec = GameSpec::parse(game)?;
    let mut values = BTreeMap::new();
    for parameter in spec.family().parameters {
        let name = format!("rules.{}", parameter.name);
        let text = spec.args().text(parameter.name);
        match parameter.values {
            Values::Flag => {
                values.insert(name, f64::from(u8::from(text == "true")));
            }
            Values::Word(words) => values.extend(
                words
                    .iter()
                    .map(|word| (format!("{name}={word}"), f64::from(u8::from(text == *word)))),
            ),
            _ => values.extend(text.parse().ok().map(|number: f64| (name, number))),
        }
    }
    Ok(values)
}
