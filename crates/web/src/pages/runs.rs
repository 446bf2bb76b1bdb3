//! List of runs, and the page of a run.

use maud::{Markup, html};
use serde::Deserialize;
use treegauge::report::{Highlight, highlight_words};

use super::gallery::gallery;
use super::recorded::power;
use super::{
    GalleryList, Page, Power, command_box, difference, fragment, progress_share, progress_words,
    query, size_words, time_words,
};
use crate::answer::Refusal;
use crate::dates::minute;
use crate::route::{Act, Form, Route, View};
use crate::runs::{Run, State};
use crate::worker::{Gallery, Rendered};
use crate::workspace::RUNS;

/// Runs on a page.
pub(crate) const PER_PAGE: usize = 50;

/// The wish of who reads the list.
#[derive(Clone, Debug, Default)]
pub(crate) struct List {
    pub(crate) text: String,
    pub(crate) command: String,
    pub(crate) state: String,
    pub(crate) sort: String,
    /// Page, from 1.
    pub(crate) page: usize,
}

impl List {
    /// The list that a query asks for.
    pub(crate) fn of(query: &[(String, String)]) -> List {
        let value = |name: &str| {
            query
                .iter()
                .find(|(field, _)| field == name)
                .map(|(_, value)| value.trim().to_owned())
                .unwrap_or_default()
        };
        let page = value("page").parse().unwrap_or(1).clamp(1, 1_000_000);
        List {
            text: value("text"),
            command: value("command"),
            state: value("state"),
            sort: value("sort"),
            page,
        }
    }

    /// The runs that are asked for, in order.
    pub(crate) fn chosen<'a>(&self, runs: &'a [Run]) -> Vec<&'a Run> {
        let text = self.text.to_lowercase();
        let has_text = |run: &Run| {
            [&run.facts.title, &run.facts.note, &run.id]
                .iter()
                .any(|part| part.to_lowercase().contains(&text))
        };
        let is_asked = |run: &&Run| {
            (self.command.is_empty() || run.command() == self.command)
                && (self.state.is_empty() || run.state.name() == self.state)
                && (text.is_empty() || has_text(run))
        };
        let mut chosen: Vec<&Run> = runs.iter().filter(is_asked).collect();
        match self.sort.as_str() {
            "oldest" => chosen.reverse(),
            "title" => chosen.sort_by(|a, b| a.facts.title.cmp(&b.facts.title)),
            "longest" => chosen.sort_by(|a, b| seconds(b).total_cmp(&seconds(a))),
            _ => {}
        }
        chosen
    }
}

fn seconds(run: &Run) -> f64 {
    run.end.as_ref().map_or(0.0, |end| end.seconds)
}

/// Page with the list of runs.
pub(crate) fn runs(all: &[Run], list: &List, token: &str) -> String {
    let chosen = list.chosen(all);
    let pages = chosen.len().div_ceil(PER_PAGE).max(1);
    let shown: Vec<&Run> =
        chosen.iter().copied().skip((list.page - 1) * PER_PAGE).take(PER_PAGE).collect();
    let mut commands: Vec<&str> = all.iter().map(Run::command).collect();
    commands.sort_unstable();
    commands.dedup();
    let sorts = [
        ("", "latest first"),
        ("oldest", "oldest first"),
        ("title", "title"),
        ("longest", "longest first"),
    ];
    let link = |page: usize| {
        let page = page.to_string();
        let fields = [
            ("text", list.text.as_str()),
            ("command", &list.command),
            ("state", &list.state),
            ("sort", &list.sort),
            ("page", &page),
        ];
        format!("{}?{}", Route::Runs(Form::Page).link(), super::query(&fields))
    };
    let content = html! {
        h1 { "Runs" }
        form.bar hidden[all.is_empty()] method="get" action=(Route::Runs(Form::Page).link()) {
            label { "Text " input #filter type="search" name="text" value=(list.text); }
            label { "Command "
                select name="command" {
                    option value="" { "all" }
                    @for command in commands { option value=(command) selected[command == list.command] { (command) } }
                }
            }
            label { "State "
                select name="state" {
                    option value="" { "all" }
                    @for state in State::ALL { option value=(state.name()) selected[state.name() == list.state] { (state.name()) } }
                }
            }
            label { "Order "
                select name="sort" {
                    @for (value, words) in sorts { option value=(value) selected[value == list.sort] { (words) } }
                }
            }
            button type="submit" { "Show" }
        }
        @if !all.is_empty() { p.note { (treegauge::report::counted(chosen.len() as u64, "run")) } }
        @if all.is_empty() {
            @let new = |command| Route::New(command, Form::Page).link();
            p {
                "A run is a command that works in the background; its report stays here. Begin with one: "
                a href=(new("gauge")) { "gauge a game" } ", "
                a href=(new("solve")) { "solve one" } ", "
                a href=(new("puzzles")) { "find puzzles" } " or "
                a href=(Route::Chess(Form::Page).link()) { "rate chess problems" } "."
            }
        } @else if shown.is_empty() {
            p { "There are no such runs. " a href=(Route::Runs(Form::Page).link()) { "Show all runs" } "." }
        } @else {
            form method="get" action=(Route::Runs(Form::Page).link()) {
                (rows(&shown, true))
                p.bar { button type="submit" { "Side by side" } span.note { "two chosen runs of one command" } }
            }
        }
        @if pages > 1 {
            nav.bar aria-label="Pages" {
                @if list.page > 1 { a href=(link(list.page - 1)) { "Previous" } }
                span { "Page " (list.page) " of " (pages) }
                @if list.page < pages { a href=(link(list.page + 1)) { "Next" } }
            }
        }
    };
    Page {
        title: "Runs",
        name: "runs",
        section: Route::Runs(Form::Page),
        command: None,
        data: Some(Route::Runs(Form::Json).link()),
        content,
    }
    .document(token)
}

/// Table of runs, with a box to choose each if a form is around it.
pub(super) fn rows(runs: &[&Run], can_choose: bool) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Runs" {
            table.runs {
                thead { tr { th { "Run" } th { "Command" } th { "State" } th { "Begun (UTC)" } th { "Time" } } }
                tbody {
                    @for run in runs {
                        tr data-run=(run.id) data-state=(run.state.name()) {
                            td {
                                @if can_choose { input type="checkbox" name="side" value=(run.id) aria-label={ "Choose " (run.facts.title) }; " " }
                                a href=(Route::Run(run.id.clone(), View::Page).link()) { (run.facts.title) }
                            }
                            td { (run.command()) }
                            td { (state_badge(run.state)) " " span.note data-progress { (progress_words(run)) } }
                            td { (minute(run.facts.created_s)) }
                            td { @if let Some(end) = &run.end { (time_words(end.seconds)) } }
                        }
                    }
                }
            }
        }
    }
}

/// State with a mark, so that colour is not all that tells it.
fn state_badge(state: State) -> Markup {
    let mark = match state {
        State::Queued => "…",
        State::Running => "▶",
        State::Pausing | State::Paused => "❚❚",
        State::Done => "✓",
        State::Stopped => "■",
        State::Failed => "✗",
        State::Interrupted => "⚡",
    };
    html! { span.state data-state-name=(state.name()) { span aria-hidden="true" { (mark) } " " (state.name()) } }
}

/// Parts of the page of a run that only some commands have.
#[derive(Default)]
pub(crate) struct More {
    /// Games that the generator made, with the order and choice of its gallery.
    pub(crate) gallery: Option<(Gallery, GalleryList)>,
    /// Whether games were recorded.
    pub(crate) has_games: bool,
    pub(crate) gauged: Gauged,
    pub(crate) power: Option<Power>,
    /// Texts that are compared with the first one: both names and both texts.
    pub(crate) texts: Vec<[(String, String); 2]>,
    /// Datasets of the run, by their paths.
    pub(crate) datasets: Vec<String>,
}

/// The part of the report of a gauge that leads to other pages.
#[derive(Default, Deserialize)]
pub(crate) struct Gauged {
    #[serde(default)]
    highlights: Vec<Highlight>,
    /// Game with a range of values for one of its parameters.
    #[serde(default)]
    variants: Option<String>,
}

/// Page of a run.
pub(crate) fn run(
    found: &Run,
    report: Result<Option<&Rendered>, &Refusal>,
    place: Option<usize>,
    more: &More,
    token: &str,
) -> String {
    let content = html! {
        div #run { (run_main(found, report, place, more)) }
        (edit(found))
    };
    Page {
        title: &found.facts.title,
        name: "run",
        section: Route::Runs(Form::Page),
        command: None,
        data: (found.state == State::Done).then(|| Route::Run(found.id.clone(), View::Json).link()),
        content,
    }
    .document(token)
}

/// The part of the page of a run that changes while it works.
pub(crate) fn run_main(
    run: &Run,
    report: Result<Option<&Rendered>, &Refusal>,
    place: Option<usize>,
    more: &More,
) -> Markup {
    let view = |view: View| Route::Run(run.id.clone(), view).link();
    let command = run.shown();
    let verdict = report.ok().flatten().and_then(|report| report.verdict.as_ref());
    html! {
        div data-run=(run.id) data-state=(run.state.name()) {
            h1 { (run.facts.title) }
            p.facts {
                (state_badge(run.state))
                " " span.note {
                    "begun " (minute(run.facts.created_s)) " UTC"
                    @if let Some(end) = &run.end {
                        @if end.seconds > 0.0 { ", took " (time_words(end.seconds)) }
                        @if let Some(cpu) = end.cpu_s { ", " (time_words(cpu)) " of CPU time" }
                        @if let Some(peak) = end.peak_memory_bytes { ", " (size_words(peak)) " of memory" }
                    }
                }
            }
            @if let Some((tone, words)) = verdict {
                p #verdict.unseen data-verdict=(tone) { (words) }
            }
            @if !run.facts.note.is_empty() { p.remark { (run.facts.note) } }
            (controls(run))
            (results(run))
            (progress(run, place))
            (chess_link(run))
            @if let Some(error) = run.end.as_ref().and_then(|end| end.error.as_ref()) {
                p.problem { (error) }
            }
            @match report {
                Ok(Some(report)) => {
                    @if run.state != State::Done {
                        p.note { "The report of the work until now:" }
                    }
                    @if let Some((games, list)) = &more.gallery { (gallery(run, games, list)) }
                    @if more.has_games && !more.gauged.highlights.is_empty() {
                        p.note { a href="#courses" { "Games of this report, move by move" } }
                    }
                    section.report aria-label="Report" { (fragment(&report.fragment)) }
                    (added(run, more))
                    (downloads(run, report))
                }
                Ok(None) => {
                    @if run.state == State::Running { p.note { "There is nothing to report yet." } }
                }
                Err(refusal) => { p.problem { (refusal.error) } }
            }
            p.note { a href=(view(View::Log)) { "Messages of the command" } }
            (command_box(&command))
        }
    }
}

/// Link to the list of rated chess problems.
fn chess_link(run: &Run) -> Markup {
    let file = run.facts.task.get("file").and_then(serde_json::Value::as_str);
    let has_list = run.command() == "difficulty"
        && file.is_some_and(|file| !file.ends_with(".json"))
        && !matches!(run.state, State::Queued | State::Failed);
    html! {
        @if has_list {
            p { a href=(Route::ChessRun(run.id.clone(), Form::Page).link()) { "Problems of this run, to filter and to solve" } }
        }
    }
}

/// Parts that a page adds to the report of a run.
fn added(run: &Run, more: &More) -> Markup {
    html! {
        @if more.has_games {
            section aria-label="Games" {
                @if !more.gauged.highlights.is_empty() { (courses(run, &more.gauged.highlights)) }
                p.bar { a href=(Route::Run(run.id.clone(), View::Games(Form::Page)).link()) { "Recorded games, move by move" } }
            }
        }
        @if let Some(variants) = &more.gauged.variants {
            section aria-label="Variants" {
                @let compare = Route::New("compare", Form::Page).link();
                p.bar { a href={ (compare) "?" (query(&[("names", variants)])) } { "Compare " (variants) } span.note { "the effect of a parameter" } }
            }
        }
        @if let Some(found) = &more.power { (power(run, found)) }
        @if !more.texts.is_empty() {
            section #texts-compared {
                h2 { "Changed words" }
                p.note { "The texts as they are now: new words are marked, old ones struck." }
                @for [(old_name, old), (new_name, new)] in &more.texts {
                    details open { summary { (old_name) " and " (new_name) } (difference(old, new)) }
                }
            }
        }
        @if !more.datasets.is_empty() {
            section aria-label="Datasets" {
                p.bar {
                    @for path in &more.datasets {
                        a href=(Route::Study(path.split('/').map(str::to_owned).collect(), Form::Page).link()) { "Dataset " (path.rsplit('/').next().unwrap_or(path)) }
                    }
                }
            }
        }
    }
}

/// The games that a report shows, with their turning points.
fn courses(run: &Run, highlights: &[Highlight]) -> Markup {
    let link = |game: u32| {
        let view = View::Game(game.to_string(), Form::Page);
        Route::Run(run.id.clone(), view).link()
    };
    html! {
        h2 #courses { "Games of the report" }
        ul.courses {
            @for one in highlights {
                li {
                    a href={ (link(one.game)) "?ply=0" } { (highlight_words(one)) }
                    // The last position changes no value.
                    @for (n, turn) in one.turns.iter().filter(|turn| turn.values.is_some()).enumerate() {
                        (if n == 0 { "; turning points: " } else { ", " })
                        a href={ (link(one.game)) "?ply=" (turn.ply) } { (turn.m) " at ply " (turn.ply) }
                    }
                }
            }
        }
    }
}

/// Buttons for what can be done with a run in its state.
fn controls(run: &Run) -> Markup {
    let act = |act: Act| Route::Change(run.id.clone(), act).link();
    let again = format!(
        "{}?{}",
        Route::New(
            crate::task_form::kind_of(run.command()).map_or("gauge", |kind| kind.name),
            Form::Page
        )
        .link(),
        query_of(run)
    );
    // The command did not begin: its options are wrong, or a file that it reads.
    let is_refused = matches!(run.end.as_ref().and_then(|end| end.exit), Some(2 | 65));
    let is_running = matches!(run.state, State::Running | State::Queued);
    html! {
        div.bar role="group" aria-label="Run" {
            @if is_running && run.can_pause() {
                button type="button" name="pause" data-post=(act(Act::Pause)) hidden { "Pause" }
            }
            @if run.state.is_live() {
                button type="button" name="stop" data-post=(act(Act::Stop)) hidden { "Stop" }
            } @else if run.state != State::Done {
                button type="button" name="resume" data-post=(act(Act::Resume)) hidden {
                    @if is_refused { "Try again" } @else if run.can_pause() { "Resume" } @else { "Begin again" }
                }
            }
            a href=(again) { "New run with these options" }
            @if !run.state.is_live() {
                button type="button" name="delete" data-post=(act(Act::Delete)) data-then=(Route::Runs(Form::Page).link())
                    data-ask="Move this run to the trash? It stays there for a week." hidden { "Delete" }
            }
        }
        @if run.state.is_live() && !run.can_pause() {
            p.note { "`" (run.command()) "` keeps nothing until it ends, so it can only be stopped." }
        }
    }
}

/// Pages that show the result of a run in another way.
fn results(run: &Run) -> Markup {
    let is_done = run.state == State::Done;
    let file = match run.command() {
        "solve" => Some("output.tgs"),
        _ => None,
    };
    let names = |file: &str| [RUNS, &run.id, file].map(str::to_owned).to_vec();
    html! {
        @if let Some(file) = file.filter(|_| is_done) {
            p.bar {
                a href=(Route::SolvedFile(names(file), Form::Page).link()) { "Explore the solved game" }
                a href=(Route::Landscape(names(file), Form::Page).link()) { "Landscape" }
            }
        }
        @if is_done && run.command() == "puzzles" {
            p.bar { a href=(Route::Puzzles(run.id.clone(), Form::Page).link()) { "Solve the puzzles" } }
        }
    }
}

/// The query of the form that makes the same run.
fn query_of(run: &Run) -> String {
    query_with(run, None)
}

/// The options of a run as a query, with another value for one of them.
pub(super) fn query_with(run: &Run, replaced: Option<(&str, &str)>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some((name, value)) = replaced {
        query.append_pair(name, value);
    }
    let is_kept = |field: &str| replaced.is_none_or(|(name, _)| name != field);
    for (field, value) in run.facts.task.iter().filter(|(field, _)| is_kept(field)) {
        let values = match value {
            serde_json::Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values.iter().filter(|_| field != treegauge::tasks::COMMAND) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            query.append_pair(field, &text);
        }
    }
    query.finish()
}

fn progress(run: &Run, place: Option<usize>) -> Markup {
    let share = progress_share(run).map_or_else(String::new, |share| share.to_string());
    html! {
        @if let Some(place) = place {
            p { "Waits for " (treegauge::report::counted(place as u64 + 1, "run")) " to end." }
        }
        @if matches!(run.state, State::Running | State::Pausing) {
            p.progress {
                progress max="1000" value=[Some(share).filter(|share| !share.is_empty())] aria-label="Progress" data-share {}
                " " span data-progress { (progress_words(run)) }
            }
        }
    }
}

/// Other forms of the report.
fn downloads(run: &Run, report: &Rendered) -> Markup {
    let view = |view: View| Route::Run(run.id.clone(), view).link();
    html! {
        section.downloads {
            h2 { "Downloads" }
            ul {
                li { a href=(view(View::Html)) { "Page" } " (one file, for any browser), " a href=(view(View::Text)) { "text" } ", " a href=(view(View::Json)) { "JSON" } }
                @if !report.tables.is_empty() {
                    li { "Tables (CSV): "
                        @for (n, name) in report.tables.iter().enumerate() {
                            @if n > 0 { ", " }
                            a href=(view(View::Table(name.clone()))) { (name) }
                        }
                    }
                }
                @if !report.charts.is_empty() {
                    li { "Charts (SVG): "
                        @for (n, name) in report.charts.iter().enumerate() {
                            @if n > 0 { ", " }
                            a href=(view(View::Chart(name.clone()))) { (name) }
                        }
                    }
                }
            }
        }
    }
}

/// Form of the title and the note.
fn edit(run: &Run) -> Markup {
    html! {
        details.edit {
            summary { "Title and note" }
            form data-edit=(Route::Change(run.id.clone(), Act::Edit).link()) {
                p.field { label for="edit-title" { "Title" } input #edit-title name="title" value=(run.facts.title) maxlength="200"; }
                p.field { label for="edit-note" { "Note" } textarea #edit-note name="note" rows="3" maxlength="10000" { (run.facts.note) } }
                p { button type="submit" { "Save" } }
            }
        }
    }
}
