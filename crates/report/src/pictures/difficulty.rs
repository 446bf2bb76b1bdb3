//! Pictures of difficulty: ratings of many problems, and the tree of one.

use treegauge_difficulty::{DifficultyClass, DifficultyReport, GradedReport, ProblemReport};
use treegauge_doc::{Figure, Svg, Tone};

use super::card::{BLUE, Card, GREY, RED};
use super::parts::{BarRow, Column, Columns};
use crate::boards::Boards;
use crate::difficulty::{often, problem_board, rated_words, summary, tree_words};
use crate::words::{counted, grouped};

/// Range of the ratings and the width of a bar, in points.
const LEAST: u32 = 500;
const GREATEST: u32 = 3_000;
const STEP: u32 = 100;

const fn colour(class: DifficultyClass) -> &'static str {
    match class {
        DifficultyClass::Easy => "#7fb5cc",
        DifficultyClass::Medium => BLUE,
        DifficultyClass::Hard => RED,
    }
}

pub(crate) fn picture(report: &DifficultyReport, _: &dyn Boards) -> Option<Figure> {
    let mut card = Card::new("Problems by difficulty", &Svg::default());
    card.verdict(Tone::Good, "", &summary(report));
    let rated: Vec<_> = report.rows.iter().filter_map(|row| row.difficulty.as_ref()).collect();
    if rated.is_empty() {
        return None;
    }
    let bars = (GREATEST - LEAST) / STEP;
    let columns = (0..bars).map(|n| {
        let low = LEAST + n * STEP;
        // Ratings beyond the scale count at its ends.
        let bar = |rating: f64| {
            ((rating - f64::from(LEAST)) / f64::from(STEP)).clamp(0.0, f64::from(bars - 1)) as u32
        };
        let of = |class: DifficultyClass| {
            let own = rated.iter().filter(|one| one.class == class && bar(one.rating) == n);
            (own.count() as f64, colour(class))
        };
        let parts = DifficultyClass::ALL.map(of).to_vec();
        Column { label: low.to_string(), above: None, parts }
    });
    let columns = columns.collect();
    let (x, y) = ("predicted rating", "problems");
    card.columns(&Columns { columns, shares: false, height: 200.0, x, y });
    let legend = DifficultyClass::ALL.map(|class| (colour(class), class.name()));
    card.legend(&legend);
    let model = report.model.as_ref().map(|model| format!(", model {}", model.name));
    let problems = counted(rated.len() as u64, "rated problem");
    card.finish(&(problems + &model.unwrap_or_default()))
}

/// One problem: its board, and the moves of its tree by level.
pub(crate) fn problem(report: &ProblemReport, boards: &dyn Boards) -> Option<Figure> {
    let mut card = Card::with_board(&report.game, &problem_board(report, boards), 240.0);
    card.verdict(Tone::Good, &rated_words(report).unwrap_or_default(), &tree_words(report));
    let nodes = report.tree.nodes.iter().skip(1);
    let deepest = nodes.clone().map(|node| node.level).max().unwrap_or(0);
    let rows: Vec<BarRow> = (1..=deepest)
        .map(|level| {
            let kept = nodes.clone().filter(|node| node.level == level).count() as u64;
            let who = if level % 2 == 1 { "player" } else { "opponent" };
            BarRow {
                name: format!("move {}, {who}", level.div_ceil(2)),
                words: counted(kept, "move"),
                parts: vec![(kept as f64, if level % 2 == 1 { BLUE } else { GREY })],
            }
        })
        .collect();
    if !rows.is_empty() {
        let full = rows.iter().flat_map(|row| &row.parts).map(|part| part.0).fold(1.0, f64::max);
        card.heading("Meaningful moves, ply by ply");
        card.bars(&rows, full, "ply");
    }
    card.finish(&report.position)
}

/// Puzzles of a game, by how rarely a player that guesses finds the way.
pub(crate) fn graded(report: &GradedReport, _: &dyn Boards) -> Option<Figure> {
    let tries = |chance: f64| (1.0 / chance).log10();
    let rows: Vec<BarRow> = report
        .rows
        .iter()
        .map(|row| BarRow {
            name: format!("puzzle {}, mate in {}", row.number, row.mate_in),
            words: often(row.guess_probability)
                .map_or_else(|| "always".to_owned(), |tries| format!("once in {tries} tries")),
            parts: vec![(tries(row.guess_probability), BLUE)],
        })
        .collect();
    let hardest = rows.iter().flat_map(|row| &row.parts).map(|part| part.0).reduce(f64::max)?;
    let mut card = Card::new(&report.game, &Svg::default());
    let puzzles = grouped(report.rows.len() as u64);
    card.note(&format!(
        "{puzzles} puzzles, the hardest first: how often a player that guesses finds the way. The bars are logarithmic."
    ));
    card.bars(&rows, hardest.max(0.1), "puzzle");
    card.finish("")
}
