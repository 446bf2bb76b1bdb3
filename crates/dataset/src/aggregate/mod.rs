//! Datasets summed up by game: tables of attributes for learners.

mod attributes;
mod fold;
mod report;
mod resample;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_catalog::{GameSpec, SpecError};
use treegauge_core::Watch;
use treegauge_engine::Engine;
use treegauge_gauge::{DEFAULT_SOLVE_LIMIT, Exact};
use treegauge_grammar::{Values, nearest};
use treegauge_learn::{Table, TableError};
use treegauge_solve::Value;
use treegauge_store::{Sheet, SheetRow, csv_text};

use crate::collect::{ColumnType, TableCell};

pub use attributes::{Shapes, Source, Split, attribute_names, kind_of};
pub(crate) use attributes::{collected_names, is_rule};
pub use fold::Aggregator;
pub use report::AttributesReport;
pub use resample::Resampler;

/// Table of the attributes of a dataset's games.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// Iterations per move; the same for all games.
    pub iterations: u32,
    /// Names of the attributes.
    pub attributes: Vec<String>,
    /// Games in the order of their names.
    pub games: Vec<GameAggregate>,
}

/// Counts of results, and range of lengths, of the self-play of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResults {
    /// Games that the first player won.
    pub first_wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that the second player won.
    pub second_wins: u64,
    /// Length of the shortest game, in plies.
    pub plies_min: u64,
    /// Length of the longest game, in plies.
    pub plies_max: u64,
}

/// Row of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameAggregate {
    /// Canonical name of the game.
    pub game: String,
    /// Number of instances.
    pub instances: u64,
    /// Number of trees.
    pub trees: u64,
    /// Results of the instances; `None` in older tables.
    pub results: Option<GameResults>,
    /// Attributes, in the order of [`Aggregate::attributes`]. They are 0 for a player that never
    /// moves, and for a measure that all games lack, such as the drama of games without a winner.
    pub attributes: Vec<f64>,
}

/// Reason that a table of attributes cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AggregateError {
    /// The table cannot be read, or is not text.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The text is not a CSV table.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A row has more or fewer cells than there are titles.
    #[error("line {line}: {found} fields; the header has {expected}")]
    Fields {
        /// Line number, from 1.
        line: u64,
        /// Number of cells in the row.
        found: usize,
        /// Number of titles.
        expected: usize,
    },
    /// A column is missing.
    #[error("the table has no column `{name}`{}", like(.nearest))]
    NoColumn {
        /// Name of the column.
        name: String,
        /// Most similar title of the table; `None` if no title is similar.
        nearest: Option<String>,
    },
    /// The name of a game has a character that names do not have.
    #[error("line {line}: {name:?} is not a name of a game")]
    NoName {
        /// Line number, from 1.
        line: u64,
        /// Text of the cell.
        name: String,
    },
    /// A cell is not a number.
    #[error("line {line}: {column} is {text:?}, and a number is expected")]
    NoNumber {
        /// Line number, from 1.
        line: u64,
        /// Title of the column.
        column: String,
        /// Text of the cell.
        text: String,
    },
    /// The games were searched with different numbers of iterations.
    #[error("line {line}: {found} iterations; the games before have {expected}")]
    Iterations {
        /// Line number, from 1.
        line: u64,
        /// Iterations of this game.
        found: u32,
        /// Iterations of the games before.
        expected: u32,
    },
    /// The table is empty.
    #[error("the table has no games")]
    Empty,
    /// The webs are from searches with another number of iterations.
    #[error("the webs have {webs} iterations per move and the trees {trees}")]
    WebIterations {
        /// Iterations per move of the webs.
        webs: u32,
        /// Iterations per move of the trees.
        trees: u32,
    },
    /// A game has no webs.
    #[error("the webs of {0} are missing")]
    NoWebs(String),
    /// The rows do not form a table for learners.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Similar title of a table, in words that follow the name of a missing column.
fn like(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |title| format!("; is `{title}` meant for it?"))
}

/// Columns before the attributes.
const ABOUT: [&str; 4] = ["game", "iterations", "instances", "trees"];

/// Columns of [`GameResults`]. A table has all or none of them.
const RESULTS: [&str; 5] = ["first_wins", "draws", "second_wins", "plies_min", "plies_max"];

impl GameResults {
    /// Numbers in the order of the columns.
    const fn cells(self) -> [u64; 5] {
        [self.first_wins, self.draws, self.second_wins, self.plies_min, self.plies_max]
    }

    const fn of([first_wins, draws, second_wins, plies_min, plies_max]: [u64; 5]) -> Self {
        GameResults { first_wins, draws, second_wins, plies_min, plies_max }
    }
}

/// Restores the order of attribute columns that another program has moved: among equally good
/// attributes a learner takes the first.
fn put_in_order(columns: &mut [usize], titles: &BTreeMap<usize, String>) {
    let names = attribute_names();
    let places: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let place = |n: &usize| places.get(titles[n].as_str()).copied();
    if !columns.iter().filter_map(place).is_sorted() {
        columns.sort_by_key(|n| (place(n).unwrap_or(usize::MAX), titles[n].clone()));
    }
}

impl Aggregate {
    /// Columns of the table: name and counts of a game, then its attributes.
    #[must_use]
    pub fn columns(&self) -> Vec<(String, ColumnType)> {
        let about = ABOUT.iter().chain(RESULTS.iter().filter(|_| self.has_results()));
        let kind = |name: &str| if name == ABOUT[0] { ColumnType::Text } else { ColumnType::Whole };
        let about = about.map(|&name| (name.to_owned(), kind(name)));
        about.chain(self.attributes.iter().map(|name| (name.clone(), ColumnType::Real))).collect()
    }

    /// Cells of a game, in the order of [`Aggregate::columns`].
    #[must_use]
    pub fn cells<'a>(&self, game: &'a GameAggregate) -> Vec<TableCell<'a>> {
        let about = [self.iterations.into(), game.instances, game.trees];
        let results = game.results.filter(|_| self.has_results()).map(GameResults::cells);
        let about = about.into_iter().chain(results.into_iter().flatten()).map(TableCell::Whole);
        let attributes = game.attributes.iter().map(|&number| TableCell::Real(number));
        let name = TableCell::Text(Cow::Borrowed(&game.game[..]));
        std::iter::once(name).chain(about).chain(attributes).collect()
    }

    /// Tests whether the results of all games are known.
    fn has_results(&self) -> bool {
        self.games.iter().all(|game| game.results.is_some())
    }

    /// Table as CSV, with one row for each game.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = "memory takes rows of one length";
        writer.write_record(self.columns().iter().map(|(name, _)| name)).expect(written);
        for game in &self.games {
            let cells = self.cells(game);
            writer.write_record(cells.iter().map(|cell| cell.text().into_owned())).expect(written);
        }
        let bytes = writer.into_inner().expect("memory can be written");
        String::from_utf8(bytes).expect("names and numbers are text")
    }

    /// Reads a table that [`Aggregate::csv`] wrote. Columns may be in any order. All columns are
    /// attributes except `game`, `iterations`, `instances`, `trees` and those of results.
    ///
    /// # Errors
    ///
    /// When one of these columns is missing (those of results may be), a cell is not a finite
    /// number, the iterations differ, a game occurs twice, or the table is empty.
    pub fn read_csv(input: impl Read) -> Result<Aggregate, AggregateError> {
        let mut sheet = Sheet::open(input, &ABOUT)?;
        let column = |name: &str| {
            sheet.column(name).ok_or_else(|| AggregateError::NoColumn {
                name: name.to_owned(),
                nearest: nearest(name, sheet.titles().map(|(_, title)| title)).map(str::to_owned),
            })
        };
        let [game, iterations, instances, trees] = ABOUT.map(column);
        let (game, iterations, instances, trees) = (game?, iterations?, instances?, trees?);
        let results: Option<Vec<usize>> = RESULTS.iter().map(|name| column(name).ok()).collect();
        let is_about = |name: &str| ABOUT.contains(&name) || RESULTS.contains(&name);
        let titles: BTreeMap<usize, String> =
            sheet.titles().map(|(n, title)| (n, title.to_owned())).collect();
        let mut attributes: Vec<usize> =
            titles.iter().filter(|(_, title)| !is_about(title)).map(|(&n, _)| n).collect();
        put_in_order(&mut attributes, &titles);
        let mut all: Option<u32> = None;
        let mut games = Vec::new();
        while let Some(row) = sheet.next() {
            let SheetRow { line, cells } = row?;
            if cells.len() != sheet.width() {
                let (found, expected) = (cells.len(), sheet.width());
                return Err(AggregateError::Fields { line, found, expected });
            }
            // A name that CSV output would change is not that of a game.
            if csv_text(&cells[game]) != cells[game] {
                return Err(AggregateError::NoName { line, name: cells[game].to_owned() });
            }
            let no_number = |n: usize| AggregateError::NoNumber {
                line,
                column: titles[&n].clone(),
                text: cells[n].to_owned(),
            };
            let whole = |n: usize| sheet.whole(&cells[n]).ok_or_else(|| no_number(n));
            let found =
                whole(iterations).and_then(|n| u32::try_from(n).map_err(|_| no_number(iterations)));
            let (found, expected) = (found?, all);
            let expected = expected.unwrap_or(found);
            all = Some(expected);
            if found != expected {
                return Err(AggregateError::Iterations { line, found, expected });
            }
            let real = |&n: &usize| sheet.number(&cells[n]).ok_or_else(|| no_number(n));
            games.push(GameAggregate {
                game: cells[game].to_owned(),
                instances: whole(instances)?,
                trees: whole(trees)?,
                results: match &results {
                    Some(places) => {
                        let mut results = [0; RESULTS.len()];
                        for (cell, &place) in results.iter_mut().zip(places) {
                            *cell = whole(place)?;
                        }
                        Some(GameResults::of(results))
                    }
                    None => None,
                },
                attributes: attributes.iter().map(real).collect::<Result<_, _>>()?,
            });
        }
        let iterations = all.ok_or(AggregateError::Empty)?;
        let attributes = attributes.into_iter().map(|n| titles[&n].clone()).collect();
        let aggregate = Aggregate { iterations, attributes, games };
        aggregate.table_of(&Source::ALL)?;
        Ok(aggregate)
    }

    /// Copy with the attributes of these sources only.
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

    /// Attributes of these sources as a table for learners.
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

    /// Attributes of the trees as a table for learners.
    ///
    /// # Errors
    ///
    /// When a game occurs twice, or an attribute is not finite.
    pub fn table(&self, split: Split) -> Result<Table, TableError> {
        self.table_of(&[split.source()])
    }

    /// Appends attributes, with a row of values for each game.
    fn with(mut self, names: Vec<String>, rows: Vec<Vec<f64>>) -> Aggregate {
        self.attributes.extend(names);
        for (game, row) in self.games.iter_mut().zip(rows) {
            game.attributes.extend(row);
        }
        self
    }

    /// Adds the attributes of trees in `webs`, as those of the webs of the same games. Games that
    /// only `webs` has are left out.
    ///
    /// # Errors
    ///
    /// When `webs` has other iterations, or lacks a game.
    pub fn with_webs(self, webs: &Aggregate) -> Result<Aggregate, AggregateError> {
        if webs.iterations != self.iterations {
            let (webs, trees) = (webs.iterations, self.iterations);
            return Err(AggregateError::WebIterations { webs, trees });
        }
        let own = webs.places(&Split::BOTH.map(Split::source));
        let row = |game: &GameAggregate| {
            let found = webs.games.iter().find(|other| other.game == game.game);
            let found = found.ok_or_else(|| AggregateError::NoWebs(game.game.clone()))?;
            Ok(own.iter().map(|&n| found.attributes[n]).collect())
        };
        let rows = self.games.iter().map(row).collect::<Result<_, AggregateError>>()?;
        let names = own.iter().map(|&n| format!("{}{}", attributes::WEB, webs.attributes[n]));
        let names = names.collect();
        Ok(self.with(names, rows))
    }

    /// Adds the parameters of the games as attributes. A number is one attribute, and a flag is 0
    /// or 1. A word has an attribute for each of its values, which is 1 for the value that the game
    /// has. A game has 0 for the parameters of other families.
    ///
    /// # Errors
    ///
    /// When a name is not that of a game.
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

    /// Adds the exact value of each game that can be solved within the limits of a gauge. The
    /// attributes are: whether it is known, the winner with best play (1 for the first player, -1
    /// for the second, 0 for neither), the remoteness in plies, the decimal logarithm of the number
    /// of positions, and the interestingness. A game that is not solved has zeros.
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
                let solved =
                    Exact::of(engine.as_ref(), &engine.start(), DEFAULT_SOLVE_LIMIT, None, watch);
                solved.unwrap_or_default()
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

/// Names of the attributes of a solved game.
const SOLVED: [&str; 5] = [
    "solved.known",
    "solved.value_for_first",
    "solved.remoteness",
    "solved.positions_log10",
    "solved.interestingness",
];

/// Interruption of the work, because `watch` said stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Parameters of a game as numbers, by the names of their attributes.
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
