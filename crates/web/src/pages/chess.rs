//! Chess problems: pasting them, the rated list, and why one is hard.

use maud::{Markup, PreEscaped, html};
use treegauge::ReadProblems;
use treegauge::chess::{PredictedDifficulty, board_symbols};
use treegauge::report::{
    PRACTICE_PROBLEMS_MAX, ProblemCard, WORKSHEET_PROBLEMS_MAX, counted, grouped, worksheet_boards,
    worksheet_key,
};

use super::new::{NewForm, no_start, one};
use super::solving::Problem;
use super::{Page, command_box, progress_words, query, size_words, state_words};
use crate::answer::Refusal;
use crate::app::{Attempt, Note};
use crate::dates::minute;
use crate::route::{Form, Route, View};
use crate::runs::{Run, State};
use crate::worker::{
    CARDS_PER_PAGE, CLASSES, ChosenProblems, PosedChess, ProblemChoice, Sheet, tone,
};

/// Rows of a file that a page shows before a run.
const ROWS_SHOWN: usize = 200;

/// The longest text that is pasted.
pub(crate) const PASTED_BYTES_MAX: usize = 512 * 1024;

/// Sentence where there is no engine.
pub(crate) const NO_ENGINE: &str =
    "No chess engine was found. Install Stockfish, or start with `--engine PATH`.";

/// Contents of the page for new problems.
#[derive(Default)]
pub(crate) struct Pasted<'a> {
    /// Text in the field.
    pub(crate) text: String,
    /// Name of the file of the workspace that is read.
    pub(crate) file: Option<&'a str>,
    /// The problems of the text or the file, as they are understood.
    pub(crate) read: Option<Result<&'a ReadProblems, &'a Refusal>>,
    /// Files of the workspace that may hold problems, with their sizes.
    pub(crate) files: &'a [(String, u64)],
    /// Whether an engine is installed.
    pub(crate) has_engine: bool,
}

/// Page for new problems.
pub(crate) fn chess(
    pasted: &Pasted<'_>,
    given: &[(String, String)],
    runs: &[&Run],
    token: &str,
) -> String {
    let new = NewForm::of("difficulty", given);
    let here = Route::Chess(Form::Page).link();
    let content = html! {
        h1 { "Chess problems" }
        p {
            "Rate problems by how hard people find them, solve them, and see why they are hard. "
            "Paste FEN lines, EPD, PGN with set-up positions, or rows of the Lichess database with their header; or choose such a file."
        }
        @if !pasted.has_engine { p.problem { (super::coded(NO_ENGINE)) } }
        div.columns { div {
        form #paste method="post" action=(Route::Problems.link()) data-uploads=(Route::Upload.link()) data-saved=(pasted.file.unwrap_or_default()) {
            input type="hidden" name="token" value=(token);
            p.field {
                label for="pasted" { "Problems" }
                textarea #pasted name="text" rows="8" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off"
                    maxlength=(PASTED_BYTES_MAX)
                    placeholder="6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";" { (pasted.text) }
            }
            p.field #upload hidden {
                label for="file" { "Or a file" }
                input #file type="file" accept=".csv,.epd,.fen,.pgn,.txt";
            }
            p.field {
                label for="name" { "Save as" }
                input #name name="name" autocomplete="off" spellcheck="false" maxlength="120" placeholder="problems.epd";
                span.note { "The text becomes a file of the workspace." }
            }
            p.bar {
                button type="button" name="example" hidden { "Fill in an example" }
                noscript { button type="submit" name="read" { "Read" } }
            }
        }
        section #understood aria-label="Problems as they are understood" {
            (understood(pasted.read, pasted.file))
        }
        section #rate {
            h2 { "Rate them" }
            form #task data-command-name="difficulty" method="get" action=(here) {
                input type="hidden" name="file" value=(pasted.file.unwrap_or_default());
                div.fields { @for field in new.main.iter().filter(|field| field.name != "file") { (one("difficulty", field, given)) } }
                (new.others(given, &["show", "game", "position", "moves", "solved", "iterations", "seed"]))
                p.field {
                    label for="run-title" { "Title of the run" }
                    input #run-title data-title autocomplete="off" maxlength="200";
                }
                p #problem role="alert" hidden {}
                p {
                    button type="button" name="start" disabled { "Start" }
                    (no_start())
                }
            }
            (command_box(&new.shown(given)))
        }
        } div {
        @if runs.is_empty() {
            h2 { "Rated problems" }
            p.note { "Lists that you rate are kept here: problems to solve, worksheets and practice files for a class." }
        } @else {
            h2 { "Rated problems" }
            ul.actions {
                @for run in runs {
                    li data-run=(run.id) data-state=(run.state.name()) {
                        a href=(Route::ChessRun(run.id.clone(), Form::Page).link()) { (run.facts.title) }
                        span.note { " " (run.state.name()) ", " (minute(run.facts.created_s)) " UTC" }
                    }
                }
            }
        }
        @if !pasted.files.is_empty() {
            h2 { "Files of the workspace" }
            ul.actions {
                @for (name, bytes) in pasted.files {
                    li {
                        a href={ (here) "?" (query(&[("file", name)])) } { (name) }
                        span.note { " " (size_words(*bytes)) }
                    }
                }
            }
        }
        } }
    };
    Page {
        title: "Chess problems",
        name: "chess",
        section: Route::Chess(Form::Page),
        command: None,
        data: Some(Route::Chess(Form::Json).link()),
        content,
    }
    .document(token)
}

/// Problems as they are understood, with the errors of their lines.
pub(crate) fn understood(
    read: Option<Result<&ReadProblems, &Refusal>>,
    file: Option<&str>,
) -> Markup {
    let read = match read {
        None => return html! {},
        Some(Err(refusal)) => return html! { p.problem { (refusal.error) } },
        Some(Ok(read)) => read,
    };
    let count = counted(read.problems.len() as u64, "problem");
    let errors = counted(read.bad_rows.len() as u64, "error");
    html! {
        div data-count=(read.problems.len()) data-ending=(read.ending) {
            h2 { @if let Some(file) = file { (file) ": " } (count) @if !read.bad_rows.is_empty() { ", " (errors) } }
            p.note {
                "Read as " (read.format) "."
                @if read.has_more { " Only the first " (grouped((read.problems.len() + read.bad_rows.len()) as u64)) " rows are read here; a run rates all." }
            }
            @if !read.bad_rows.is_empty() {
                ul #errors {
                    @for row in read.bad_rows.iter().take(ROWS_SHOWN) {
                        li.fault data-line=(row.line) { "Line " (row.line) ": " (row.problem) }
                    }
                    @if read.bad_rows.len() > ROWS_SHOWN { li { "and " (grouped((read.bad_rows.len() - ROWS_SHOWN) as u64)) " more" } }
                }
                p.note { "A run skips these rows and rates the others." }
            }
            @if !read.problems.is_empty() {
                div.wide tabindex="0" role="region" aria-label="Problems" {
                    @let has_rating = read.problems.iter().any(|row| row.given_rating.is_some());
                    table.understood {
                        thead { tr { th { "Line" } th { "Problem" } th { "To move" } th { "Solution" } @if has_rating { th { "Rating" } } th { "Position" } } }
                        tbody {
                            @for row in read.problems.iter().take(ROWS_SHOWN) {
                                tr {
                                    td.number { (row.line) }
                                    td { (short(&row.id, 60)) }
                                    td.side { (row.side) }
                                    td {
                                        @if row.solution.is_empty() { span.soft { "none; the engine's line" } }
                                        @else { (short(&row.solution.join(" "), 80)) @if !row.has_line { span.soft { " (first move)" } } }
                                        @if let Some(unread) = &row.unread { br; span.note { (short(unread, 200)) } }
                                    }
                                    @if has_rating { td.number { @if let Some(rating) = row.given_rating { (format!("{rating:.0}")) } } }
                                    td { code { (row.fen) } }
                                }
                            }
                        }
                    }
                }
                @if read.problems.len() > ROWS_SHOWN { p.note { "and " (grouped((read.problems.len() - ROWS_SHOWN) as u64)) " more" } }
            }
        }
    }
}

/// A text of a file, cut to a length.
fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let text: String = text.chars().take(most - 1).collect();
    format!("{text}\u{2026}")
}

/// Pictures of the pieces that small boards use.
fn symbols() -> Markup {
    html! { svg.symbols width="0" height="0" aria-hidden="true" { (PreEscaped(board_symbols())) } }
}

/// Title of the list of a run: that of the run, if somebody gave it one.
fn list_title(run: &Run) -> String {
    match run.facts.title.strip_prefix("difficulty ") {
        Some(file) => format!("Chess problems: {file}"),
        None => run.facts.title.clone(),
    }
}

/// Name of a problem with its number, as many problems of a file may have the same name.
fn card_name(card: &ProblemCard) -> String {
    match card.id == card.line.to_string() {
        true => format!("Problem {}", card.number),
        false => format!("{}. {}", card.number, short(&card.id, 60)),
    }
}

/// Page with the problems of a run.
pub(crate) fn chess_list(
    run: &Run,
    found: Result<Option<&ChosenProblems>, &Refusal>,
    choice: &ProblemChoice,
    attempts: &[Attempt],
    token: &str,
) -> String {
    let command = run.shown();
    let content = html! {
        div #rated data-run=(run.id) { (chess_list_part(run, found, choice, attempts)) }
    };
    Page {
        title: &list_title(run),
        name: "rated",
        section: Route::Chess(Form::Page),
        command: Some(&command),
        data: Some(Route::ChessRun(run.id.clone(), Form::Json).link()),
        content,
    }
    .document(token)
}

/// The part of a list that changes while its run works.
pub(crate) fn chess_list_part(
    run: &Run,
    found: Result<Option<&ChosenProblems>, &Refusal>,
    choice: &ProblemChoice,
    attempts: &[Attempt],
) -> Markup {
    let link = Route::Run(run.id.clone(), View::Page).link();
    html! {
        div data-run=(run.id) data-state=(run.state.name()) {
            h1 { (list_title(run)) }
            @if run.state != State::Done {
                p { (state_words(run)) " " span data-progress { (progress_words(run)) } " " a href=(link) { "Page of the run" } }
            }
            @if let Some(error) = run.end.as_ref().and_then(|end| end.error.as_ref()).filter(|_| run.state == State::Failed) {
                p.problem { (super::coded(error)) }
            }
            @match found {
                Err(refusal) => p.problem { (refusal.error) },
                Ok(None) => @if run.state.is_live() { p.note { "No problem is rated yet." } },
                Ok(Some(found)) => (list(run, found, choice, attempts)),
            }
        }
    }
}

/// Address of a list with its choice and one more field.
fn chosen_link(run: &Run, choice: &ProblemChoice, more: (&str, &str)) -> String {
    let here = Route::ChessRun(run.id.clone(), Form::Page).link();
    let near = choice.near.map_or_else(String::new, |near| near.to_string());
    let fields = [
        ("text", choice.text.as_str()),
        ("class", &choice.class),
        ("theme", &choice.theme),
        ("sort", &choice.sort),
        ("near", &near),
        more,
    ];
    let numbers: Vec<String> = choice.numbers.iter().map(u32::to_string).collect();
    let numbers = numbers.iter().map(|number| ("n", number.as_str()));
    let fields: Vec<(&str, &str)> =
        fields.into_iter().filter(|(_, value)| !value.is_empty()).chain(numbers).collect();
    if fields.is_empty() { here } else { format!("{here}?{}", query(&fields)) }
}

/// Problems to print for a class, with their solutions at the end if they are asked for.
pub(crate) fn chess_sheet(
    run: &Run,
    found: &ChosenProblems,
    choice: &ProblemChoice,
    token: &str,
) -> String {
    let has_answers = choice.sheet == Some(Sheet::Answers);
    let other = if has_answers { "problems" } else { "answers" };
    let content = html! {
        h1 { (list_title(run)) }
        p.bar {
            a href=(chosen_link(run, choice, ("sheet", ""))) { "Back to the list" }
            a href=(chosen_link(run, choice, ("sheet", other))) { @if has_answers { "Without solutions" } @else { "With solutions" } }
        }
        p.note.screen {
            "Print this page in the browser; navigation and buttons stay off the paper."
            @if found.matching > WORKSHEET_PROBLEMS_MAX { " It has the first " (WORKSHEET_PROBLEMS_MAX) " of " (grouped(found.matching as u64)) " problems." }
        }
        (symbols())
        (PreEscaped(worksheet_boards(&found.cards)))
        @if has_answers { (PreEscaped(worksheet_key(&found.cards, &found.solutions))) }
    };
    let command = run.shown();
    Page {
        title: &format!("Worksheet: {}", list_title(run)),
        name: "sheet",
        section: Route::Chess(Form::Page),
        command: Some(&command),
        data: Some(Route::ChessRun(run.id.clone(), Form::Json).link()),
        content,
    }
    .document(token)
}

fn list(run: &Run, found: &ChosenProblems, choice: &ProblemChoice, attempts: &[Attempt]) -> Markup {
    let facts = &found.list;
    let here = Route::ChessRun(run.id.clone(), Form::Page).link();
    let near = choice.near.map_or_else(String::new, |near| near.to_string());
    let link = |page: usize| chosen_link(run, choice, ("page", &page.to_string()));
    let pages = found.matching.div_ceil(CARDS_PER_PAGE).max(1);
    let sorts = [("", "easiest first"), ("hardest", "hardest first"), ("file", "as in the file")];
    html! {
        p { b { (facts.summary) } " " (facts.width) }
        @for warning in &facts.warnings { p.note { (warning) } }
        @for words in &facts.unrated { p.problem { (words) } }
        @if !facts.bad_rows.is_empty() {
            details {
                summary { (counted(facts.bad_rows.len() as u64, "row")) " of the file skipped" }
                ul {
                    @for row in facts.bad_rows.iter().take(ROWS_SHOWN) { li { "Line " (row.line) ": " (row.problem) } }
                }
            }
        }
        form.bar method="get" action=(here) {
            label { "Text " input #filter type="search" name="text" value=(choice.text) size="12"; }
            label { "Class "
                select name="class" {
                    option value="" { "all" }
                    @for (value, words) in CLASSES { option value=(value) selected[value == choice.class] { (words) } }
                }
            }
            @if !facts.themes.is_empty() {
                label { "Theme "
                    select name="theme" {
                        option value="" { "all" }
                        @for (theme, count) in facts.themes.iter().take(300) {
                            option value=(theme) selected[*theme == choice.theme] { (short(theme, 40)) " (" (count) ")" }
                        }
                    }
                }
            }
            label { "Order "
                select name="sort" {
                    @for (value, words) in sorts { option value=(value) selected[value == choice.sort] { (words) } }
                }
            }
            label { "For a solver of rating " input name="near" type="number" min="0" max="4000" step="any" value=(near) size="6"; }
            button type="submit" { "Show" }
        }
        p.note {
            (counted(found.matching as u64, "problem"))
            @if let Some(near) = choice.near { ", those rated nearest to " (near) " first" }
            ". " a href=(Route::ChessNotes(run.id.clone()).link()) { "Your ratings (CSV)" }
            ", " a href=(Route::Run(run.id.clone(), View::Html).link()) { "page with solutions" }
            ", " a href=(Route::Run(run.id.clone(), View::Page).link()) { "the run" }
        }
        (symbols())
        @if found.cards.is_empty() { p { "There are no such problems." } }
        @else {
            form #choose method="get" action=(here) {
                @for (name, value) in [("text", &choice.text), ("class", &choice.class), ("theme", &choice.theme), ("sort", &choice.sort), ("near", &near)] {
                    @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
                }
                (cards(run, &found.cards, attempts))
                (for_class(run))
            }
        }
        @if pages > 1 {
            nav.bar aria-label="Pages" {
                @if choice.page > 1 { a href=(link(choice.page - 1)) { "Previous" } }
                span { "Page " (choice.page) " of " (pages) }
                @if choice.page < pages { a href=(link(choice.page + 1)) { "Next" } }
            }
        }
        @if !facts.method.is_empty() {
            details {
                summary { "Method" }
                @for words in &facts.method { p.note { (words) } }
            }
        }
    }
}

/// Files for a class, of the problems that are chosen.
fn for_class(run: &Run) -> Markup {
    html! {
        section aria-label="For a class" {
            h2 { "For a class" }
            p { "Choose problems above; without a choice these are taken from the first on, up to " (WORKSHEET_PROBLEMS_MAX) " on a worksheet and " (PRACTICE_PROBLEMS_MAX) " in a practice file." }
            p.bar {
                button type="submit" name="sheet" value="problems" { "Worksheet" }
                button type="submit" name="sheet" value="answers" { "Worksheet with answers" }
                button type="submit" formaction=(Route::ChessPractice(run.id.clone()).link()) { "Practice file" }
            }
            p.note { "A worksheet is a page to print. A practice file is one HTML file in which the problems are solved without a server; its solutions are encoded, and an engine answers wrong moves." }
        }
    }
}

/// Problems as boards with their ratings. Their solutions are not in the page.
fn cards(run: &Run, cards: &[ProblemCard], attempts: &[Attempt]) -> Markup {
    let solved = |number: u32| {
        let name = format!("{}/{number}", run.id);
        attempts.iter().rev().find(|attempt| attempt.is_solved && attempt.problem == name)
    };
    html! {
        ul.cards.rated {
            @for card in cards {
                @let link = Route::ChessProblem(run.id.clone(), card.number, Form::Page).link();
                li data-problem=(card.number) data-rating=[card.difficulty.map(|found| found.rating.round())]
                    data-unrated[card.unrated.is_some()] {
                    a.thumb href=(link) aria-hidden="true" tabindex="-1" { (PreEscaped(&card.picture)) }
                    p.choose {
                        input type="checkbox" name="n" value=(card.number) aria-label=(format!("Choose problem {}", card.number));
                        " " a href=(link) { (card_name(card)) }
                        span.note { " " (card.side) }
                    }
                    @if let Some(found) = &card.difficulty {
                        p { b class=(format!("tone {}", tone(found.class))) { (found.class.name()) } " " (card.rating) }
                        (chances(found))
                    }
                    @if let Some(attempt) = solved(card.number) {
                        p.sound { "✓ solved" @if !attempt.solver.is_empty() { " by " (short(&attempt.solver, 40)) } }
                    }
                    @if let Some(cause) = &card.unrated { p.problem { "unrated: " (cause) } }
                    @if let Some(given) = card.given_rating { p.note { "people's rating " (format!("{given:.0}")) } }
                    @if !card.themes.is_empty() { p.note { (short(&card.themes.join(", "), 90)) } }
                }
            }
        }
    }
}

/// Probabilities of the classes, as a bar and in words.
fn chances(found: &PredictedDifficulty) -> Markup {
    let chances = &found.chances;
    let parts = [
        ("sound", "easy", chances.easy),
        ("open", "medium", chances.medium),
        ("flaw", "hard", chances.hard),
    ];
    let words = parts.map(|(_, name, share)| format!("{:.0}% {name}", 100.0 * share)).join(", ");
    let froms = [0.0, chances.easy, chances.easy + chances.medium];
    html! {
        p.note.chances {
            svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
                @for ((tone, _, share), from) in parts.iter().zip(froms) {
                    rect class=(tone) x=(format!("{:.1}", 100.0 * from)) y="0" width=(format!("{:.1}", 100.0 * share)) height="6" {}
                }
            }
            (words)
        }
    }
}

/// A problem in solving mode.
pub(crate) fn chess_problem(run: &Run, found: &PosedChess, own: Option<&Note>) -> Problem {
    let card = &found.problem.card;
    let link = |number: u32| Route::ChessProblem(run.id.clone(), number, Form::Page).link();
    let data = Route::ChessProblem(run.id.clone(), card.number, Form::Json).link();
    Problem {
        name: format!("{}/{}", run.id, card.number),
        title: match card.id == card.line.to_string() {
            true => card_name(card),
            false => format!("Problem {}", card_name(card)),
        },
        section: Route::Chess(Form::Page),
        task: format!("{}. Find the best move.", card.side),
        link: link(card.number),
        list: (Route::ChessRun(run.id.clone(), Form::Page).link(), list_title(run)),
        previous: found.previous.map(link),
        next: found.next.map(link),
        command: None,
        data,
        about: html! { p.note { "Position: " code { (card.fen) } } },
        earned: why(run, found, own),
    }
}

/// The reasons for the rating of a problem. They give its solution away.
fn why(run: &Run, found: &PosedChess, own: Option<&Note>) -> Markup {
    let problem = &found.problem;
    let card = &problem.card;
    html! {
        section #why aria-label="Why it is hard" {
            h2 { "Why it is hard" }
            @if let Some(cause) = &card.unrated { p.problem { "This problem is unrated: " (cause) } }
            @if !problem.rated.is_empty() { p { b { (problem.rated) } } }
            @if !problem.words.is_empty() { p { (problem.words) } }
            @if let Some(given) = card.given_rating { p.note { "People's rating: " (format!("{given:.0}")) } }
            @if !problem.note.is_empty() { p.problem { (problem.note) } }
            (waterfall(found))
            @if !problem.people.is_empty() {
                h3 { "What people play" }
                p.note { "The chance of each move of the solution by a model of human moves, and the likeliest other move." }
                ul #people { @for words in &problem.people { li { (words) } } }
            }
            @if !problem.first_moves.is_empty() {
                h3 { "First moves" }
                table.hints {
                    thead { tr { th { "Move" } th { "Value" } th { "Judgement" } } }
                    tbody {
                        @for one in problem.first_moves.iter().take(20) {
                            tr {
                                td { @if one.is_kept { b { (one.played) } } @else { (one.played) } }
                                td.number { (one.value) }
                                td { (one.judgement) }
                            }
                        }
                    }
                }
            }
            @if !problem.tree.is_empty() {
                details {
                    summary { "Meaningful tree: " (counted(problem.tree.len() as u64, "move")) }
                    p.note { "Moves that a person would consider: those of the solver that win, and the answers that make sense. Values are for the solver." }
                    ol.outline {
                        @for row in problem.tree.iter().take(300) {
                            li class=(format!("level-{}", row.level.min(9))) data-path=(row.path.join(" ")) {
                                span class=(if row.by_player { "own" } else { "answer" }) { (row.text) }
                                " " span.value { (row.value) }
                                @if !row.more.is_empty() { " " span.note { (row.more) } }
                            }
                        }
                    }
                    @if problem.is_capped { p.note { "The tree was cut off at its maximum size." } }
                }
            }
            @if !found.nearest.is_empty() {
                h3 { "Problems with the nearest ratings" }
                ul.actions {
                    @for near in &found.nearest {
                        li {
                            a href=(Route::ChessProblem(run.id.clone(), near.number, Form::Page).link()) { (short(&near.id, 60)) }
                            span.note { " " (near.rating) }
                        }
                    }
                }
            }
            details.disagree open[own.is_some()] {
                summary { "I disagree" }
                form data-edit=(Route::Note.link()) {
                    input type="hidden" name="run" value=(run.id);
                    input type="hidden" name="problem" value=(card.number);
                    p.pair {
                        label for="own-rating" { "Your rating" }
                        input #own-rating name="rating" type="number" min="0" max="4000" step="any" required value=[own.map(|own| own.rating)];
                    }
                    p.pair {
                        label for="own-note" { "Note" }
                        textarea #own-note name="note" rows="2" maxlength="2000" { (own.map_or("", |own| own.note.as_str())) }
                    }
                    p { button type="submit" { "Save" } }
                }
                p.note { a href=(Route::ChessNotes(run.id.clone()).link()) { "All your ratings of this list (CSV)" } }
            }
        }
    }
}

/// Reasons as steps from a rating without them to the predicted one.
fn waterfall(found: &PosedChess) -> Markup {
    let (steps, predicted) = (&found.problem.steps, found.problem.card.difficulty.as_ref());
    let Some((first, predicted)) = steps.first().zip(predicted) else { return html! {} };
    let ends = steps.iter().flat_map(|step| [step.from, step.to]);
    let ends = ends.chain([predicted.rating_low, predicted.rating_high]);
    let (least, greatest) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let x = |rating: f64| 10.0 + 980.0 * (rating - least) / (greatest - least).max(1.0);
    let bar = |class: &str, from: f64, to: f64| {
        let (left, right) = (x(from.min(to)), x(from.max(to)));
        html! {
            svg.step viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true" {
                rect.track x="0" y="9" width="1000" height="2" {}
                rect class=(class) x=(format!("{left:.1}")) y="3" width=(format!("{:.1}", (right - left).max(6.0))) height="14" {}
            }
        }
    };
    html! {
        h3 { "Reasons in rating points" }
        ol.waterfall {
            li { span { "Without these reasons" } span.number { (format!("{:.0}", first.from)) } (bar("at", first.from, first.from)) }
            @for step in steps {
                li data-effect=(format!("{:.0}", step.effect)) {
                    span { (step.words) }
                    span.number { (format!("{:+.0}", step.effect)) }
                    (bar(if step.effect > 0.0 { "harder" } else { "easier" }, step.from, step.to))
                }
            }
            li { b { "Predicted rating" } b.number { (format!("{:.0}", predicted.rating)) }
                svg.step viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true" {
                    rect.track x="0" y="9" width="1000" height="2" {}
                    rect.interval x=(format!("{:.1}", x(predicted.rating_low))) y="7" width=(format!("{:.1}", x(predicted.rating_high) - x(predicted.rating_low))) height="6" {}
                    rect.at x=(format!("{:.1}", x(predicted.rating) - 3.0)) y="3" width="6" height="14" {}
                }
            }
        }
        p.note { "The points of a reason are its effect, compared with other problems. The line is the 80% interval." }
    }
}
