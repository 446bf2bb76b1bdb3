//! Puzzles of a run: the list with boards, and the page of one to solve.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Map, Value};
use treegauge::report::{PRACTICE_PROBLEMS_MAX, counted, grouped};

use super::runs::query_with;
use super::solving::Problem;
use super::{Page, coded, query};
use crate::app::Attempt;
use crate::route::{Form, Route, View};
use crate::runs::Run;
use crate::task_form::Checked;
use crate::worker::{PosedPuzzle, PuzzleList, PuzzleRow};

/// Order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PuzzleSort {
    /// By plies to the end.
    Remoteness,
    /// The most interesting first.
    Interest,
}

impl PuzzleSort {
    const ALL: [PuzzleSort; 2] = [PuzzleSort::Remoteness, PuzzleSort::Interest];

    /// The order that a query names.
    pub(crate) fn of(text: Option<&str>) -> PuzzleSort {
        let is_named = |sort: &PuzzleSort| Some(sort.name()) == text;
        PuzzleSort::ALL.into_iter().find(is_named).unwrap_or(PuzzleSort::Remoteness)
    }

    fn name(self) -> &'static str {
        match self {
            PuzzleSort::Remoteness => "remoteness",
            PuzzleSort::Interest => "interest",
        }
    }

    fn words(self) -> &'static str {
        match self {
            PuzzleSort::Remoteness => "shortest first",
            PuzzleSort::Interest => "most interesting first",
        }
    }
}

/// Uniqueness of a solution in words: short, and what it means.
fn uniqueness(puzzle: &PuzzleRow) -> (&'static str, String) {
    let wins = if puzzle.is_quickest_only { "wins so quickly" } else { "wins" };
    match (puzzle.unique, puzzle.unique_first_move) {
        (true, _) => {
            ("proved unique", format!("only one move {wins} at every turn, whatever the defence"))
        }
        (false, true) => (
            "unique at the first move",
            format!("only one first move {wins}; later there are second ways"),
        ),
        (false, false) => ("several", "several first moves win".to_owned()),
    }
}

/// Address of the form of a run that finds four times as many puzzles.
fn more(run: &Run) -> String {
    let number = |name| match run.facts.task.get(name)? {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64(),
    };
    let (name, asked) = match number("count") {
        Some(count) => ("count", count),
        None => ("top", number("top").unwrap_or(1_u64)),
    };
    let asked = asked.saturating_mul(4).to_string();
    let form = Route::New("puzzles", Form::Page).link();
    format!("{form}?{}", query_with(run, Some((name, &asked))))
}

/// The list.
pub(crate) fn puzzles(
    run: &Run,
    list: &PuzzleList,
    sort: PuzzleSort,
    attempts: &[Attempt],
    token: &str,
) -> String {
    let here = Route::Puzzles(run.id.clone(), Form::Page).link();
    let mut order: Vec<&PuzzleRow> = list.puzzles.iter().collect();
    if sort == PuzzleSort::Interest {
        order.sort_by(|a, b| b.interestingness.total_cmp(&a.interestingness));
    }
    let content = html! {
        h1 { "Puzzles of " (list.game) }
        p {
            (counted(list.puzzles.len() as u64, "puzzle")) ". "
            a href=(Route::Run(run.id.clone(), View::Page).link()) { "The run" } " has their solutions. "
            a href=(more(run)) { "Find more of each length" } "."
        }
        @if list.puzzles.is_empty() { p { (list.none) } }
        @else {
            nav.bar aria-label="Order" {
                @for one in PuzzleSort::ALL {
                    @let current = (one == sort).then_some("true");
                    a href={ (here) "?" (query(&[("sort", one.name())])) } aria-current=[current] { (one.words()) }
                }
            }
            form #choose method="get" action=(Route::Worksheet(run.id.clone()).link()) {
                (cards(run, &order, attempts))
                section aria-label="For a class" {
                    h2 { "For a class" }
                    p { "Choose puzzles above; without a choice all are taken, up to " (PRACTICE_PROBLEMS_MAX) "." }
                    p.bar {
                        button type="submit" { "Worksheet" }
                        button type="submit" name="answers" value="true" { "Worksheet with answers" }
                        button type="submit" formaction=(Route::Practice(run.id.clone()).link()) { "Practice file" }
                    }
                    p.note { "A worksheet is a page to print. A practice file is one HTML file in which the puzzles are solved without a server; its solutions are encoded." }
                }
            }
        }
    };
    let command = Checked::of(&run.facts.task).map(|checked| checked.shown(&run.id)).ok();
    Page {
        title: &format!("Puzzles of {}", list.game),
        name: "puzzles",
        section: Route::Runs(Form::Page),
        command: command.as_deref(),
        data: Some(Route::Puzzles(run.id.clone(), Form::Json).link()),
        content,
    }
    .document(token)
}

fn cards(run: &Run, order: &[&PuzzleRow], attempts: &[Attempt]) -> Markup {
    html! {
        ul.cards.puzzles {
            @for puzzle in order {
                @let (unique, meaning) = uniqueness(puzzle);
                li {
                    a.thumb href=(link(&run.id, puzzle.number)) aria-hidden="true" tabindex="-1" { (PreEscaped(&puzzle.svg)) }
                    p.choose {
                        input type="checkbox" name="n" value=(puzzle.number) aria-label=(format!("Choose puzzle {}", puzzle.number));
                        " " a href=(link(&run.id, puzzle.number)) { "Puzzle " (puzzle.number) }
                    }
                    p { (puzzle.task) }
                    p.note { span title=(&meaning) { (unique) } ", interestingness " (percent(puzzle.interestingness)) }
                    (tried(run, puzzle, attempts))
                }
            }
        }
    }
}

/// A sheet of puzzles, which is printed without navigation. `body` is its contents.
pub(crate) fn worksheet(run: &Run, body: &str) -> String {
    let body = body.replace("role=\"img\"", "role=\"img\" aria-label=\"board\"");
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Worksheet: " (run.facts.title) " - treegauge" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(crate::assets::link("sheet.css"));
            }
            body {
                p.back { a href=(Route::Puzzles(run.id.clone(), Form::Page).link()) { "All puzzles" } }
                main data-page="worksheet" { (super::fragment(&body)) }
            }
        }
    }
    .into_string()
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Attempts at a puzzle in words.
fn tried(run: &Run, puzzle: &PuzzleRow, attempts: &[Attempt]) -> Markup {
    let name = problem_name(&run.id, puzzle.number);
    let solved: Vec<&Attempt> =
        attempts.iter().filter(|one| one.problem == name && one.is_solved).collect();
    html! {
        @if let Some(last) = solved.last() {
            p.note {
                "Solved " (counted(solved.len() as u64, "time")) ", last "
                @if last.solver.is_empty() { "in " } @else { "by " (last.solver) " in " }
                (grouped(last.seconds)) " s."
            }
        }
    }
}

fn link(run: &str, number: u64) -> String {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    Route::Puzzle(run.to_owned(), number, Form::Page).link()
}

/// Name of a puzzle in the table of attempts.
fn problem_name(run: &str, number: u64) -> String {
    format!("{run}/{number}")
}

/// A puzzle as a problem of the solving mode. `task` is that of its data.
pub(crate) fn puzzle_problem(run: &str, found: &PosedPuzzle, task: &Map<String, Value>) -> Problem {
    let puzzle = &found.puzzle;
    let number = puzzle.number;
    let (unique, meaning) = uniqueness(puzzle);
    let of = |number: u64| (1..=found.count as u64).contains(&number).then(|| link(run, number));
    let data = u32::try_from(number).unwrap_or(u32::MAX);
    Problem {
        name: problem_name(run, number),
        title: format!("Puzzle {number} of {}", found.game),
        section: Route::Runs(Form::Page),
        task: puzzle.task.clone(),
        link: link(run, number),
        list: (
            Route::Puzzles(run.to_owned(), Form::Page).link(),
            format!("All {} puzzles", found.count),
        ),
        previous: of(number - 1),
        next: of(number + 1),
        command: Checked::of(task).map(|checked| checked.shown("NAME")).ok(),
        data: Route::Puzzle(run.to_owned(), data, Form::Json).link(),
        about: html! {
            @if !found.rules.is_empty() {
                details { summary { "Rules" } p { (coded(&found.rules)) } }
            }
            p.note { "Solution: " (unique) " (" (meaning) ")." }
        },
        earned: html! {
            p.note {
                "Interestingness " (percent(puzzle.interestingness)) ". "
                a href=(Route::Run(run.to_owned(), View::Page).link()) { "The run" } " has the whole solution."
            }
        },
    }
}
