//! First page.

use maud::html;

use super::runs::rows;
use super::{Page, query};
use crate::route::{Form, Route};
use crate::runs::Run;

/// Runs that the first page shows.
const SHOWN: usize = 10;

/// First page: doors, and recent runs.
pub(crate) fn home(workspace: &str, runs: &[Run], token: &str) -> String {
    let new = |command| Route::New(command, Form::Page).link();
    let live: Vec<&Run> = runs.iter().filter(|run| run.state.is_live()).collect();
    let over: Vec<&Run> = runs.iter().filter(|run| !run.state.is_live()).take(SHOWN).collect();
    let gauge_games = format!("{}?{}", Route::Games(Form::Page).link(), query(&[("for", "gauge")]));
    let content = html! {
        h1 { "What would you like to do?" }
        p.note { "Results are kept as runs in the folder " b { (workspace) } ". All work is done on this machine." }
        div.doors {
            section {
                h2 { "Design a game" }
                p { "Judge a game by self-play, compare sizes and rules, and check a rules text of your own." }
                ul {
                    li { a href=(gauge_games) { "Choose a game to gauge" } }
                    li { a href=(new("compare")) { "Compare variants" } }
                    li { a href=(Route::Texts(Form::Page).link()) { "Write a game of your own" } }
                    li { a href=(new("generate")) { "Generate games" } }
                }
            }
            section {
                h2 { "Problems" }
                p { "Rate chess problems by how hard people find them, and find puzzles of solved games." }
                ul {
                    li { a href=(Route::Chess(Form::Page).link()) { "Rate and solve chess problems" } }
                    li { a href=(new("puzzles")) { "Find puzzles" } }
                }
            }
            section {
                h2 { "Solved games" }
                p { "Find the value of every position of a small game, and look positions up." }
                ul {
                    li { a href=(Route::Solved(Form::Page).link()) { "Explore solved games" } }
                    li { a href=(new("solve")) { "Solve a game" } }
                    li { a href=(new("probe")) { "Look a position up" } }
                    li { a href=(new("interest")) { "Rate positions" } }
                }
            }
            section {
                h2 { "Play and measure" }
                p { "Play against the computer, let players meet, and search single positions." }
                ul {
                    li { a href=(Route::Games(Form::Page).link()) { "Choose a game to play or to analyse" } }
                    li { a href=(new("match")) { "Play a match" } }
                    li { a href=(new("tournament")) { "Play a tournament" } }
                    li { a href=(new("search")) { "Search a position" } }
                }
            }
        }
        details {
            summary { "All other commands" }
            dl {
                @for (name, about) in others() {
                    dt { a href=(new(name)) { (name) } }
                    dd { (about) }
                }
            }
        }
        @if !live.is_empty() {
            h2 { "Running and waiting" }
            (rows(&live, false))
        }
        h2 { "Recent runs" }
        @if over.is_empty() {
            p {
                "There are no finished runs yet. A first one: "
                a href={ (new("gauge")) "?" (query(&[("game", "connect_four"), ("budget", "quick")])) } { "gauge Connect Four" }
                ", which takes about ten seconds and says whether the game has flaws."
            }
        } @else {
            (rows(&over, false))
            p { a href=(Route::Runs(Form::Page).link()) { "All runs" } }
        }
    };
    Page {
        title: "Workbench",
        name: "home",
        section: Route::Home(Form::Page),
        command: None,
        data: Some(Route::Home(Form::Json).link()),
        content,
    }
    .document(token)
}

/// Commands that the doors do not name, with what they do.
fn others() -> impl Iterator<Item = (&'static str, String)> {
    const NAMED: [&str; 11] = [
        "gauge",
        "compare",
        "generate",
        "difficulty",
        "puzzles",
        "solve",
        "probe",
        "interest",
        "match",
        "tournament",
        "search",
    ];
    let others = treegauge::tasks::TASKS.iter().filter(|kind| !NAMED.contains(&kind.name));
    others.map(|kind| {
        (kind.name, kind.command().get_about().map_or(String::new(), ToString::to_string))
    })
}
