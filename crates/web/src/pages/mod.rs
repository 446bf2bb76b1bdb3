//! Pages: complete without scripts for reading.

mod beside;
mod board;
mod chess;
mod files;
mod gallery;
mod games;
mod help;
mod home;
mod new;
mod play;
mod puzzles;
mod recorded;
mod runs;
mod setting;
mod solved;
mod solving;
mod studies;
mod texts;
mod tree;
mod values;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::answer::Refusal;
use crate::assets;
use crate::route::{Form, Route};
use crate::runs::{Progress, Run, State};
use crate::task_form::{powershell_line, shell_line};

pub(crate) use beside::beside;
pub(crate) use board::{Touched, touched};
pub(crate) use chess::{
    NO_ENGINE, PASTED_BYTES_MAX, Pasted, chess, chess_list, chess_list_part, chess_problem,
    chess_sheet, understood,
};
pub(crate) use files::files;
pub(crate) use gallery::{GalleryList, MadePage, gallery_cards, made};
pub(crate) use games::{Purpose, chosen, game, games};
pub(crate) use help::{help, keys};
pub(crate) use home::home;
pub(crate) use new::{form_json, new_run};
pub(crate) use play::{
    Extra, HINTS, HISTORY, hints, history, history_picture, numbers, parts, play, solution,
    values_csv,
};
pub(crate) use puzzles::{PuzzleSort, puzzle_problem, puzzles, worksheet};
pub(crate) use recorded::{
    Power, RecordedPage, power_result, recorded_game, recorded_games, recorded_position,
};
pub(crate) use runs::{Gauged, List, More, run, run_main, runs};
pub(crate) use setting::{Aid, Setting};
pub(crate) use solved::{Explorer, explorer, explorer_parts, landscape, solved, solved_json};
pub(crate) use solving::{
    Begun, Choice, Hint, Posed, Problem, Way, solving, solving_link, solving_part,
};
pub(crate) use studies::{Dataset, is_of_study, studies, study};
pub(crate) use texts::{
    TextPage, Uses, difference, text, text_difference, text_game, text_problems, text_saved, texts,
};
pub(crate) use tree::{TreeSetting, growth_words, subject, tree, tree_node, tree_parts, tree_rows};

/// A page of the workbench.
pub(crate) struct Page<'a> {
    /// Subject, with which the title begins.
    pub(crate) title: &'a str,
    /// Name of the kind of page, for scripts and tests.
    pub(crate) name: &'static str,
    /// Part of the navigation that the page belongs to.
    pub(crate) section: Route,
    /// Command line that prints the data of the page.
    pub(crate) command: Option<&'a [String]>,
    /// Address of the data.
    pub(crate) data: Option<String>,
    pub(crate) content: Markup,
}

impl Page<'_> {
    /// The document. `token` is what the page sends with each change.
    pub(crate) fn document(&self, token: &str) -> String {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    (head(self.title))
                    meta name="treegauge" content=(token);
                    script type="module" src=(assets::link("app.js")) {}
                    @if let Some(module) = module_of(self.name) {
                        script type="module" src=(assets::link(module)) {}
                    }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    (navigation(Some(&self.section)))
                    p #banner role="alert" hidden {}
                    main #main data-page=(self.name) tabindex="-1" {
                        (self.content)
                        (self.foot())
                    }
                    p #status role="status" {}
                    (footer())
                }
            }
        }
        .into_string()
    }

    fn foot(&self) -> Markup {
        html! {
            @if let Some(command) = self.command { (command_box(command)) }
            @if let Some(data) = &self.data {
                p.note { a #data href=(data) { "Data of this page" } " (JSON)" }
            }
        }
    }
}

/// Links to all parts of the workbench. `section` is the part of the page.
fn navigation(section: Option<&Route>) -> Markup {
    let sections = [
        (Route::Home(Form::Page), "Workbench"),
        (Route::Games(Form::Page), "Games"),
        (Route::Texts(Form::Page), "Own games"),
        (Route::Chess(Form::Page), "Chess"),
        (Route::Runs(Form::Page), "Runs"),
        (Route::Solved(Form::Page), "Solved games"),
        (Route::Studies(Form::Page), "Studies"),
        (Route::Files(Form::Page), "Files"),
        (Route::Help(Form::Page), "Help"),
    ];
    html! {
        header {
            nav aria-label="Workbench" {
                @for (route, words) in &sections {
                    @let current = (Some(route) == section).then_some("page");
                    @let is_home = *route == Route::Home(Form::Page);
                    a.brand[is_home] href=(route.link()) aria-current=[current] {
                        @if is_home { (mark()) }
                        (words)
                    }
                }
            }
        }
    }
}

/// The parts of the head that all pages have.
fn head(title: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        title { (title) " - treegauge" }
        link rel="icon" href="data:,";
        link rel="stylesheet" href=(assets::link("style.css"));
    }
}

fn footer() -> Markup {
    html! { footer { "treegauge " (env!("CARGO_PKG_VERSION")) } }
}

/// Page of a request that is refused. One that was refused before its session was looked at shows no
/// links, which may be refused, too.
pub(crate) fn refused(refusal: &Refusal) -> String {
    let Refusal { status, error, hint, .. } = refusal;
    let has_links = !matches!(status, 400 | 401 | 408 | 413 | 421 | 429 | 431);
    html! {
        (DOCTYPE)
        html lang="en" {
            head { (head(error)) }
            body {
                @if has_links {
                    a.skip href="#main" { "Skip to the content" }
                    (navigation(None))
                }
                main #main data-page="error" {
                    h1 { (coded(error)) }
                    @if !hint.is_empty() { p { (coded(hint)) } }
                    @if has_links { p { a href=(Route::Home(Form::Page).link()) { "First page" } } }
                }
                (footer())
            }
        }
    }
    .into_string()
}

/// The mark of the workbench: a small tree.
fn mark() -> Markup {
    html! {
        svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" {
            path d="M10 4 L4 11 M10 4 L10 11 M10 4 L16 11 M4 11 L2 17 M4 11 L6 17 M16 11 L16 17" {}
            circle cx="10" cy="4" r="3" {}
            circle cx="4" cy="11" r="2" {}
            circle cx="10" cy="11" r="2" {}
            circle cx="16" cy="11" r="2" {}
        }
    }
}

/// The module of a kind of page, beside the one of all pages.
fn module_of(page: &str) -> Option<&'static str> {
    match page {
        "text" => Some("editor.js"),
        "play" => Some("play.js"),
        "tree" => Some("tree.js"),
        "chess" | "rated" => Some("chess.js"),
        "solving" => Some("problem.js"),
        "explorer" => Some("explorer.js"),
        "run" | "recorded" => Some("live.js"),
        _ => None,
    }
}

/// A command with its button.
pub(crate) fn command_box(command: &[String]) -> Markup {
    html! {
        section.command aria-label="Command" {
            code data-command data-powershell=[powershell_line(command)] { (shell_line(command)) }
            button type="button" name="copy" hidden { "Copy command" }
        }
    }
}

/// Progress of a run in words; empty if nothing is known.
pub(crate) fn progress_words(run: &Run) -> String {
    let Some(progress) = run.progress.as_ref().filter(|_| run.state.is_live()) else {
        return String::new();
    };
    let Progress { phase, done, known, games, expected, memory_bytes, memory_bytes_max, left_s } =
        progress;
    let doing = match phase.as_str() {
        "games" => "playing games",
        "discover" => "finding positions",
        "link" => "storing moves",
        "value" => "computing values",
        "margin" => "computing margins",
        "check" => "checking",
        "digest" => "sorting positions",
        "write" => "writing",
        "load" => "reading",
        "problems" => "rating problems",
        "searches" => "searching",
        "candidates" => "judging candidates",
        "gauges" => "gauging games",
        "fits" => "fitting models",
        "iterations" => "searching",
        _ => "working",
    };
    let grouped = treegauge::report::grouped;
    let mut words = match (games, expected) {
        (Some((over, all)), _) => {
            format!("{doing}: {} of {} games over", grouped(*over), grouped(*all))
        }
        (None, Some(expected)) => {
            format!("{doing}: {} of about {}", grouped(*done), grouped(*expected))
        }
        (None, None) if phase == "discover" => format!("{doing}: {} so far", grouped(*done)),
        (None, None) => format!("{doing}: {} of {}", grouped(*done), grouped(*known)),
    };
    if *memory_bytes > 0 {
        words.push_str(&format!(", {}", size_words(*memory_bytes)));
        if let Some(most) = memory_bytes_max {
            words.push_str(&format!(" of {}", size_words(*most)));
        }
    }
    if let Some(left) = left_s {
        words.push_str(&format!(", about {} left", time_words(*left)));
    }
    words
}

/// The share of the work of a run that is done, in thousandths.
pub(crate) fn progress_share(run: &Run) -> Option<u64> {
    let progress = run.progress.as_ref()?;
    let whole = progress.expected.unwrap_or(progress.known).max(1);
    (progress.phase != "discover" || progress.expected.is_some())
        .then(|| (progress.done.saturating_mul(1000) / whole).min(1000))
}

/// State of a run in words.
pub(crate) fn state_words(run: &Run) -> String {
    let title = &run.facts.title;
    match run.state {
        State::Queued => format!("{title} waits for its turn."),
        State::Running => format!("{title} is running."),
        State::Pausing => format!("{title} keeps its work and ends."),
        State::Paused => format!("{title} is paused; what it did is kept."),
        State::Done => format!("{title} is done."),
        State::Stopped => format!("{title} was stopped."),
        State::Failed => format!("{title} failed."),
        State::Interrupted => format!("{title} was interrupted when the workbench ended."),
    }
}

/// A time in words.
pub(crate) fn time_words(seconds: f64) -> String {
    match seconds {
        _ if seconds < 0.05 => "less than 0.1 s".to_owned(),
        _ if seconds < 10.0 => format!("{seconds:.1} s"),
        _ if seconds < 120.0 => format!("{seconds:.0} s"),
        _ if seconds < 7_200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3_600.0),
    }
}

/// A number of bytes in words.
pub(crate) fn size_words(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        _ if bytes < 1_000.0 => format!("{bytes} bytes"),
        _ if bytes < 1e6 => format!("{:.1} kB", bytes / 1e3),
        _ if bytes < 1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// A text with the parts between backticks as code.
fn coded(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // An unpaired backtick is an ordinary character.
    if parts.len().is_multiple_of(2) {
        return html! { (text) };
    }
    html! {
        @for (n, part) in parts.iter().enumerate() {
            @if n % 2 == 0 { (part) } @else { code { (part) } }
        }
    }
}

/// A fragment that the crate of reports wrote, which escapes what users wrote.
fn fragment(text: &str) -> Markup {
    PreEscaped(text.to_owned())
}

/// A query of fields.
pub(crate) fn query(fields: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    fields.iter().for_each(|(name, value)| {
        query.append_pair(name, value);
    });
    query.finish()
}
