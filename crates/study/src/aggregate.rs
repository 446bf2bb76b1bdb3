//! Datasets summed up by game: the attributes that learners learn from.

use std::collections::BTreeMap;
use std::io::Read;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_learn::{Table, TableError};
use treegauge_search::FEATURES;

use crate::collect::Instance;
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

    /// Whether an attribute of this name is one of the split.
    fn has(self, attribute: &str) -> bool {
        let of_player = PLAYERS.iter().any(|player| attribute.starts_with(player));
        of_player == (self == Split::Player)
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
    /// The attributes, in the order of [`Aggregate::attributes`]. A player that never moves has zeros.
    pub attributes: Vec<f64>,
}

/// Sums up instances as they come.
#[derive(Debug, Default)]
pub struct Aggregator {
    games: BTreeMap<String, Folds>,
}

#[derive(Debug)]
struct Folds {
    instances: u64,
    /// By player, by feature.
    features: [Vec<Moments>; 2],
}

impl Aggregator {
    /// One more instance. Instances of a game that come in the same order give the same bits.
    pub fn add(&mut self, instance: &Instance) {
        if !self.games.contains_key(&instance.game) {
            let none = || vec![Moments::default(); FEATURES.len()];
            let folds = Folds { instances: 0, features: [none(), none()] };
            self.games.insert(instance.game.clone(), folds);
        }
        let folds = self.games.get_mut(&instance.game).expect("it is there now");
        folds.instances += 1;
        for row in instance.rows() {
            let features = &mut folds.features[row.player().index()];
            for (fold, &value) in features.iter_mut().zip(row.features()) {
                fold.add(value);
            }
        }
    }

    /// The attributes of all games.
    #[must_use]
    pub fn finish(self, iterations: u32) -> Aggregate {
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
            let attributes =
                all.flat_map(|fold| SUMMARIES.iter().map(move |(_, of)| of(fold))).collect();
            GameAggregate { game, instances: folds.instances, trees, attributes }
        });
        Aggregate { iterations, attributes: attribute_names(), games: games.collect() }
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
        aggregate.table_of(|_| true)?;
        Ok(aggregate)
    }

    /// The same with the attributes of one split alone.
    #[must_use]
    pub fn only(&self, split: Split) -> Aggregate {
        let own = self.places(|name| split.has(name));
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

    fn places(&self, has: impl Fn(&str) -> bool) -> Vec<usize> {
        (0..self.attributes.len()).filter(|&n| has(&self.attributes[n])).collect()
    }

    fn table_of(&self, has: impl Fn(&str) -> bool) -> Result<Table, TableError> {
        let own = self.places(has);
        let columns = own.iter().map(|&n| self.attributes[n].clone()).collect();
        let rows = self
            .games
            .iter()
            .map(|row| (row.game.clone(), own.iter().map(|&n| row.attributes[n]).collect()));
        Table::new(columns, rows)
    }

    /// The attributes of a split as a table for learners.
    ///
    /// # Errors
    ///
    /// When a game occurs twice, or an attribute is not finite.
    pub fn table(&self, split: Split) -> Result<Table, TableError> {
        self.table_of(|name| split.has(name))
    }
}
