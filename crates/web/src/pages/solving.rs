//! Solving mode: a problem on a board, answered move by move.
//!
//! This module knows no game and no source of solutions. A part of the workbench that has problems
//! gives each a page in four steps:
//!
//! 1. [`Way::of`] reads the query: the moves so far, and the help that the solver asks for.
//! 2. The part makes a [`Posed`] of it, usually in a worker: the board after the moves, the
//!    judgement of the last one, and the answer of the opponent. **A `Posed` holds a hint or a
//!    solution only if the way asks for it**, so neither reaches a browser before it is earned.
//! 3. The part describes the problem as a [`Problem`]: title, task, addresses.
//! 4. `App::solving` (`app/solving.rs`) answers: the page, the part of it that changes
//!    (`?part=problem`), or without scripts the address after a move that was typed or touched.
//!
//! `assets/problem.js` is the script of these pages, with the mode itself in `solving.js`. Both
//! read the elements that this module writes. A solver's move is right and the problem goes on, is
//! right and ends it, wins later than the best one, or is wrong ([`Judgement`]). After the last two
//! the board is still, and the solver tries again from before the move.

use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use treegauge::board::Side;
use treegauge::report::{Judgement, ShownBoard, counted};

use super::board::{Shown, board, forced_from, move_cells};
use super::{Page, query};
use crate::answer::Refusal;
use crate::route::Route;

/// The greatest number of moves in an address.
const MOVES_MAX: usize = 1_000;

/// A problem, apart from its state.
pub(crate) struct Problem {
    /// Name under which attempts are kept, such as `2026-11-27-1-puzzles-achi/3`.
    pub(crate) name: String,
    /// Title of the page.
    pub(crate) title: String,
    /// Part of the navigation that the page belongs to.
    pub(crate) section: Route,
    /// Task of the solver, in sentences.
    pub(crate) task: String,
    /// Address of the page, without a query.
    pub(crate) link: String,
    /// Address and name of the list of problems.
    pub(crate) list: (String, String),
    /// Addresses of the problems before and after it.
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
    /// Command that prints the data of the page, and the address of the data. They do not give the
    /// solution away.
    pub(crate) command: Option<Vec<String>>,
    pub(crate) data: String,
    /// Part of the page that is shown always.
    pub(crate) about: Markup,
    /// Part of the page that is shown once the problem is solved or its solution was asked for.
    pub(crate) earned: Markup,
}

/// State of a problem after some moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Posed {
    /// Board as it is shown: after the moves, or after the answer to a wrong move. Its moves are
    /// those of the solver.
    pub(crate) board: ShownBoard,
    /// Picture of the board as SVG, if it is another than that of its cells.
    pub(crate) picture: Option<String>,
    pub(crate) is_flipped: bool,
    /// Player who solves the problem.
    pub(crate) solver: Side,
    /// Moves of both sides from the problem, with the last answer of the opponent.
    pub(crate) moves: Vec<String>,
    /// Judgement of the solver's last move, with sentences; `None` and empty before the first.
    pub(crate) judgement: Option<Judgement>,
    pub(crate) words: String,
    /// Moves that the opponent can play in place of its last one, the longest defence first.
    pub(crate) defences: Vec<Choice>,
    /// Number of moves before that choice.
    pub(crate) defended_after: usize,
    /// Hint, if the way asks for it.
    pub(crate) hint: Option<Hint>,
    /// Rest of the solution, if the way asks for it.
    pub(crate) solution: Vec<String>,
}

/// A move that the opponent can choose.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Choice {
    pub(crate) text: String,
    /// Its value in words; may be empty.
    pub(crate) words: String,
    pub(crate) is_played: bool,
}

/// A hint, in two steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Hint {
    /// Number of the cell where the right move begins.
    Cell(usize),
    /// The right move.
    Move(String),
}

impl Hint {
    /// The hint of a step about a move of a board. A move without cells is named at once.
    pub(crate) fn of(step: u8, board: &ShownBoard, m: &str) -> Option<Hint> {
        let path = board.moves.iter().find(|path| path.text == m);
        let cell = path.and_then(|path| path.path.first()).map(|touch| touch.cell);
        match (step, cell) {
            (0, _) => None,
            (1, Some(cell)) => Some(Hint::Cell(cell)),
            _ => Some(Hint::Move(m.to_owned())),
        }
    }
}

impl Posed {
    /// Whether the solver has earned the solution.
    fn is_earned(&self) -> bool {
        self.judgement == Some(Judgement::Solved) || !self.solution.is_empty()
    }

    /// Whether the solver is to move.
    fn is_live(&self) -> bool {
        matches!(self.judgement, None | Some(Judgement::GoOn)) && !self.board.moves.is_empty()
    }

    /// Step of the hint, 0 for none.
    fn hint_step(&self) -> u8 {
        match self.hint {
            None => 0,
            Some(Hint::Cell(_)) => 1,
            Some(Hint::Move(_)) => 2,
        }
    }
}

/// The query of a page in solving mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Way {
    /// Moves of both sides from the problem.
    pub(crate) moves: Vec<String>,
    /// Step of the hint that is asked for: 0 for none, 1 for a cell, 2 for the move.
    pub(crate) hint: u8,
    /// Whether the solution is asked for.
    pub(crate) is_shown: bool,
    /// A move that was typed, and cells that were touched, without scripts.
    pub(crate) typed: Option<String>,
    pub(crate) touched: Vec<String>,
    /// Whether only the part that changes is asked for.
    pub(crate) is_part: bool,
}

impl Way {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// If it has too many moves.
    pub(crate) fn of(fields: &[(String, String)]) -> Result<Way, Refusal> {
        let mut way = Way::default();
        for (name, value) in fields {
            let value = value.trim();
            match name.as_str() {
                "moves" => way.moves = value.split_whitespace().map(str::to_owned).collect(),
                "hint" => way.hint = value.parse().unwrap_or(0).min(2),
                "show" => way.is_shown = value == "solution",
                "move" if !value.is_empty() => way.typed = Some(value.to_owned()),
                "touch" if !value.is_empty() => way.touched.push(value.to_owned()),
                "part" => way.is_part = value == "problem",
                _ => {}
            }
        }
        if way.moves.len() > MOVES_MAX || way.touched.len() > MOVES_MAX {
            return Err(Refusal::new(400, format!("A problem has up to {MOVES_MAX} moves.")));
        }
        Ok(way)
    }
}

/// Address of a problem after some moves, with more fields of the query.
pub(crate) fn solving_link(link: &str, moves: &[String], more: &[(&str, &str)]) -> String {
    let moves = moves.join(" ");
    let mut fields: Vec<(&str, &str)> =
        Some(("moves", moves.as_str())).filter(|_| !moves.is_empty()).into_iter().collect();
    fields.extend(more);
    if fields.is_empty() { link.to_owned() } else { format!("{link}?{}", query(&fields)) }
}

/// A refused move, or one that began, without scripts.
#[derive(Default)]
pub(crate) struct Begun {
    pub(crate) problem: Option<String>,
    /// Cells that were touched, and the moves that they could be.
    pub(crate) touched: Vec<usize>,
    pub(crate) choices: Vec<String>,
}

/// The page.
pub(crate) fn solving(problem: &Problem, posed: &Posed, begun: &Begun, token: &str) -> String {
    let content = html! {
        p.note { a href=(problem.list.0) { (problem.list.1) } }
        h1 { (problem.title) }
        p #task-words { (problem.task) }
        div #solve data-problem=(problem.name) {
            (solving_part(problem, posed, begun))
        }
        (problem.about)
        p.pair {
            label for="solver" { "Your name" }
            input #solver autocomplete="nickname" maxlength="100";
        }
        p.note { "The name, the tries, the time and the hints are kept in " code { ".treegauge/attempts.csv" } " of the workspace." }
    };
    Page {
        title: &problem.title,
        name: "solving",
        section: problem.section.clone(),
        command: problem.command.as_deref(),
        data: Some(problem.data.clone()),
        content,
    }
    .document(token)
}

/// The part of the page that changes with each move.
pub(crate) fn solving_part(problem: &Problem, posed: &Posed, begun: &Begun) -> Markup {
    let is_live = posed.is_live();
    let to = |moves: &[String], more: &[(&str, &str)]| solving_link(&problem.link, moves, more);
    let after = |m: &str| {
        let mut moves = posed.moves.clone();
        moves.push(m.to_owned());
        to(&moves, &[])
    };
    let cells = &posed.board.cells.cells;
    let names: Vec<&str> = begun.touched.iter().map(|&n| cells[n].name.as_str()).collect();
    let touch = |name: &str| {
        let more: Vec<(&str, &str)> =
            names.iter().copied().chain([name]).map(|name| ("touch", name)).collect();
        Some(to(&posed.moves, &more))
    };
    let hinted = match posed.hint {
        Some(Hint::Cell(n)) => Some(n),
        _ => None,
    };
    let before = &posed.moves[..posed.moves.len().saturating_sub(1)];
    let label = format!("Board. {}", problem.task);
    html! {
        section #problem.play data-judgement=[posed.judgement.map(Judgement::name)] data-hints=(posed.hint_step())
            data-hint=[hinted] data-shown[!posed.solution.is_empty()] data-moves=(posed.moves.join(" ")) aria-label="Problem" {
            div.left {
                (board(&Shown {
                    board: &posed.board,
                    picture: posed.picture.as_deref(),
                    is_flipped: posed.is_flipped,
                    is_live,
                    label: &label,
                    touched: &begun.touched,
                    link: &touch,
                }))
                div #choices.bar hidden[begun.choices.is_empty()] {
                    @if !begun.choices.is_empty() {
                        span { "Choose the move:" }
                        @for m in &begun.choices { a href=(after(m)) { (m) } }
                    }
                }
                p #move-problem.problem role="alert" hidden[begun.problem.is_none()] { (begun.problem.as_deref().unwrap_or_default()) }
            }
            div.right {
                (said(problem, posed))
                nav.bar aria-label="Help and next problem" {
                    @if matches!(posed.judgement, Some(Judgement::Slower | Judgement::Wrong)) {
                        (go("retry", "Retry", &problem.link, &[("moves", &before.join(" "))]))
                    } @else if !posed.moves.is_empty() {
                        (go("retry", "From the beginning", &problem.link, &[]))
                    }
                    @if is_live && posed.solution.is_empty() {
                        @let step = if posed.hint.is_some() { "2" } else { "1" };
                        @if posed.hint_step() < 2 {
                            (go("hints", if step == "1" { "Hint" } else { "Show the move" }, &problem.link, &[("moves", &posed.moves.join(" ")), ("hint", step)]))
                        }
                        (go("solution", "Show solution", &problem.link, &[("moves", &posed.moves.join(" ")), ("show", "solution")]))
                    }
                    @if let Some(previous) = &problem.previous { a href=(previous) { "Previous" } }
                    @if let Some(next) = &problem.next {
                        form.button method="get" action=(next) { button type="submit" name="next" { "Next" } }
                    }
                }
                @if is_live {
                    form #type.bar action=(problem.link) method="get" data-reads {
                        input type="hidden" name="moves" value=(posed.moves.join(" "));
                        label for="move" { "Move" }
                        input #move name="move" list="moves" autocomplete="off" autocapitalize="off" spellcheck="false" size="10";
                        datalist #moves { @for path in posed.board.moves.iter().take(300) { option value=(path.text) {} } }
                        button type="submit" { "Play" }
                    }
                    details.legal open[posed.board.moves.iter().all(|path| path.path.is_empty())] {
                        summary { (counted(posed.board.moves.len() as u64, "legal move")) }
                        ul.legal {
                            @for path in posed.board.moves.iter().take(2_000) {
                                li {
                                    a data-move=(path.text) data-path=(move_cells(path)) data-forced=(forced_from(path)) data-choice=[path.choice.as_ref()]
                                        href=(after(&path.text)) { (path.text) }
                                }
                            }
                        }
                    }
                }
                (solution(problem, posed))
                (defences(problem, posed))
                @if !posed.moves.is_empty() {
                    h2 { "Moves" }
                    ol.line {
                        @for (n, m) in posed.moves.iter().enumerate() {
                            li { a href=(to(&posed.moves[..=n], &[])) data-go { (n + 1) ". " (m) } }
                        }
                    }
                }
                @if posed.is_earned() { (problem.earned) }
            }
        }
    }
}

/// The judgement of the last move in words, with a mark, and the hint.
fn said(problem: &Problem, posed: &Posed) -> Markup {
    let mark = match posed.judgement {
        None => "",
        Some(Judgement::GoOn | Judgement::Solved) => "✓ ",
        Some(Judgement::Slower) => "↷ ",
        Some(Judgement::Wrong) => "✗ ",
    };
    html! {
        div.judgement data-of=[posed.judgement.map(Judgement::name)] {
            p {
                span aria-hidden="true" { (mark) }
                span data-said {
                    @if posed.words.is_empty() { "Your move as the " (posed.solver) " player." } @else { (posed.words) }
                    @if posed.judgement == Some(Judgement::GoOn) { " Your move." }
                    @match &posed.hint {
                        Some(Hint::Cell(n)) => { " Hint: the move begins at " (posed.board.cells.cells[*n].name) "." }
                        Some(Hint::Move(m)) => { " Hint: " (m) "." }
                        None => {}
                    }
                    @if !posed.solution.is_empty() { " The solution is shown." }
                    @if posed.judgement == Some(Judgement::Solved) && problem.next.is_none() { " This was the last problem of the list." }
                }
            }
        }
    }
}

fn solution(problem: &Problem, posed: &Posed) -> Markup {
    html! {
        @if !posed.solution.is_empty() {
            h2 { "Solution" }
            ol.line #solution {
                @for n in 0..posed.solution.len() {
                    @let moves = [&posed.moves[..], &posed.solution[..=n]].concat();
                    li { a href=(solving_link(&problem.link, &moves, &[])) data-go { (moves.len()) ". " (posed.solution[n]) } }
                }
            }
        }
    }
}

fn defences(problem: &Problem, posed: &Posed) -> Markup {
    html! {
        @if posed.defences.len() > 1 && posed.judgement == Some(Judgement::GoOn) {
            details.defences {
                summary { "Other defences" }
                p.note { "The opponent plays the longest defence. Try the others, too." }
                ul.legal {
                    @for choice in &posed.defences {
                        @let moves = [&posed.moves[..posed.defended_after], std::slice::from_ref(&choice.text)].concat();
                        li {
                            a href=(solving_link(&problem.link, &moves, &[])) data-go aria-current=[choice.is_played.then_some("true")] {
                                (choice.text) @if !choice.words.is_empty() { " (" (choice.words) ")" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A button that leads to another state, without scripts too.
fn go(name: &str, words: &str, link: &str, fields: &[(&str, &str)]) -> Markup {
    let fields: Vec<(&str, &str)> =
        fields.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
    let href =
        if fields.is_empty() { link.to_owned() } else { format!("{link}?{}", query(&fields)) };
    html! {
        form.button method="get" action=(link) data-href=(href) {
            @for (field, value) in &fields { input type="hidden" name=(field) value=(value); }
            button type="submit" name=(name) { (words) }
        }
    }
}
