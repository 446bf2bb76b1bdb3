//! Report of the content of a dataset.

use serde_json::Value;
use treegauge_dataset::aggregate::AttributesReport;
use treegauge_dataset::collect::{DatasetReport, GameInstances, MissingInstances};
use treegauge_doc::{Block, Cell, Column, Doc, Figure, Table, Tone, Words, Wrap};
use treegauge_gauge::Unit;
use treegauge_stats::wilson;
use treegauge_store::MissingParts;

use crate::boards::{Boards, Document};
use crate::estimates::estimate_words;
use crate::pictures;
use crate::search::variant_words;
use crate::words::{command, count_cell, counted, counted_grouped, listed, per_move};

/// Name of a game as tables have it, with that of the preset that was asked for; for the file of a
/// text its path.
fn name_words(game: &GameInstances) -> String {
    match game.input.as_deref() {
        Some(file) if file.contains(".rules") => file.to_owned(),
        Some(preset) if *preset != game.game && !preset.contains('(') => {
            format!("{} ({preset})", game.game)
        }
        _ => game.game.clone(),
    }
}

impl Document for DatasetReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let DatasetReport { iterations, seed, expansion, variant, games, missing, .. } = self;
        let instances: u64 = games.iter().map(|game| game.instances).sum();
        let trees: u64 = games.iter().map(|game| game.trees).sum();
        let mut doc = Doc::new("a dataset");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Search trees of self-play")]));
        if *missing > 0 {
            let words = format!("INCOMPLETE: {} missing.", are(*missing, "instance"));
            doc.push(Block::warning(words));
        }
        let lead = format!(
            "{} of {} with {} ({}, seed {seed}{}).",
            counted_grouped(instances, "self-play game"),
            counted(games.len() as u64, "game"),
            counted_grouped(trees, "search tree"),
            per_move(*iterations),
            variant_words(*expansion, *variant),
        );
        doc.push(Block::Verdict {
            tone: if *missing > 0 { Tone::Undecided } else { Tone::Good },
            headline: Words::default(),
            lead: lead.as_str().into(),
            points: Vec::new(),
        });
        doc.push(Block::TextOnly(vec![Block::text(lead)]));
        let titles = ["instances", "trees", "plies", "1st wins", "draws", "2nd wins", "capped"];
        let columns = titles.map(Column::right).into_iter();
        let columns = [Column::left("game")].into_iter().chain(columns);
        let mut table = Table::new("games", columns).wrapped(Wrap::Cards);
        // The table is sorted by name for readers; the JSON keeps the order of the list.
        let mut sorted: Vec<_> = games.iter().collect();
        sorted.sort_by(|a, b| a.game.cmp(&b.game));
        for game in sorted {
            let share = |n: u64| {
                let share = wilson(n as f64, game.instances);
                Cell::number(estimate_words(&share, Unit::Share), share.mean)
            };
            table.push([
                Cell::from(name_words(game)),
                count_cell(game.instances),
                count_cell(game.trees),
                Cell::number(estimate_words(&game.plies, Unit::Number(1)), game.plies.mean),
                share(game.first_wins),
                share(game.draws),
                share(game.second_wins),
                share(game.capped),
            ]);
        }
        doc.push(table);
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::dataset::picture(self, boards)
    }
}

impl Document for AttributesReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let columns = self.columns.iter().enumerate().map(|(n, name)| match n {
            0 => Column::left(name),
            _ => Column::right(name),
        });
        let mut table = Table::new("attributes", columns).wrapped(Wrap::Scroll);
        for row in &self.rows {
            table.push(row.iter().map(|cell| match cell {
                Value::String(text) => Cell::from(text.as_str()),
                number => Cell::number(number.to_string(), number.as_f64()),
            }));
        }
        let mut doc = Doc::new("attributes of games");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Attributes of games")]));
        let count = self.columns.len().saturating_sub(1) as u64;
        let games = counted_grouped(self.rows.len() as u64, "game");
        let lead = format!("{} for each of {games}.", counted_grouped(count, "column"));
        doc.push(Block::Verdict {
            tone: Tone::Good,
            headline: Words::default(),
            lead: lead.as_str().into(),
            points: Vec::new(),
        });
        doc.push(Block::TextOnly(vec![Block::text(lead)])).push(table);
        let evaluate = command("evaluate", &["FILE"]);
        doc.next(format!("{evaluate} tests whether they tell playable games from others."));
        doc
    }
}

/// Greatest number of games named as missing instances.
const NAMED: usize = 5;

/// Sentence about the games, instances and parts that a dataset lacks.
#[must_use]
pub fn missing_words(missing: &MissingInstances) -> String {
    let MissingInstances { planned, unfinished, games, parts: of_parts, .. } = missing;
    let mut parts = Vec::new();
    if !games.is_empty() {
        let own: Vec<String> =
            games.iter().map(|one| format!("{} of {}", one.missing, one.game)).collect();
        parts.push(format!(
            "{} missing (each game should have {planned}): {}",
            are(missing.count(), "instance"),
            listed(&own, NAMED)
        ));
    }
    parts.extend(of_parts.as_ref().map(missing_parts_words));
    if *unfinished {
        parts.push(
            "the collection ended before its tables were written; the same `collect` command finishes it"
                .to_owned(),
        );
    }
    format!("INCOMPLETE: {}.", parts.join("; "))
}

/// Absent and unfinished parts of a run, in words.
#[must_use]
pub fn missing_parts_words(missing: &MissingParts) -> String {
    let MissingParts { of, absent, unfinished } = missing;
    let words = |parts: &[u32], state: &str| {
        let names: Vec<String> = parts.iter().map(ToString::to_string).collect();
        let (s, are) = if parts.len() == 1 { ("", "is") } else { ("s", "are") };
        let part = format!("part{s} {} of {of} {are} {state}", listed(&names, PARTS_NAMED));
        (!parts.is_empty()).then_some(part)
    };
    let both = [words(absent, "absent"), words(unfinished, "not finished")];
    both.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Greatest number of parts named as absent, and as unfinished.
const PARTS_NAMED: usize = 20;

fn are(n: u64, thing: &str) -> String {
    format!("{} {}", counted(n, thing), if n == 1 { "is" } else { "are" })
}
