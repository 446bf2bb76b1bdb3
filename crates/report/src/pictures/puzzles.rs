//! Picture of puzzles: the first one to solve.

use treegauge_doc::{Figure, Tone};
use treegauge_solve::report::PuzzlesReport;

use super::card::Card;
use crate::boards::Boards;
use crate::puzzles::puzzle_task;
use crate::words::counted;

pub(crate) fn picture(report: &PuzzlesReport, boards: &dyn Boards) -> Option<Figure> {
    let puzzle = report.puzzles.first()?;
    let mut card = Card::with_board(&report.game, &boards.svg(&puzzle.position), 320.0);
    let task = puzzle_task(puzzle.turn, puzzle.mate_in, puzzle.remoteness);
    let (headline, lead) = task
        .split_once(" and wins")
        .map_or((&task[..], String::new()), |(a, b)| (a, format!("Find the win{b}")));
    card.verdict(Tone::Good, &format!("{headline}."), &lead);
    card.note(&format!(
        "Puzzle 1 of {}; interestingness {:.0}%.",
        report.puzzles.len(),
        100.0 * puzzle.interestingness
    ));
    card.note(&puzzle.position);
    card.finish(&counted(report.puzzles.len() as u64, "puzzle"))
}
