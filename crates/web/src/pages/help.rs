//! Keys, limits and licences.

use maud::{Markup, html};
use treegauge::report::MEASURES;
use treegauge::search::FEATURES;

use super::Page;
use crate::route::{Form, Route};

/// Keys of the workbench, with what they do.
const KEYS: [(&str, &str); 19] = [
    ("/", "go to the filter of the page"),
    ("p", "pause or resume the run of the page"),
    ("c", "copy the command of the page"),
    ("← → Home End", "go through the moves of a game"),
    ("arrows, Enter", "on a board: go to a cell, and touch it for a move; Escape cancels"),
    ("h", "show or hide the hints of a position; in a puzzle: ask for a hint"),
    ("u", "undo a move; in a puzzle: try again"),
    ("n", "begin a new game; in a puzzle: go to the next one"),
    ("b", "in a solved game: play a best move"),
    ("w", "in a solved game: play the worst move that keeps the value"),
    ("Enter", "after a puzzle: go to the next one, or try again"),
    ("f", "flip the board, in a game, a recorded game or a solved game"),
    ("m", "type a move"),
    ("arrows", "in a search tree: go to a node, open and close it; Enter shows its board"),
    ("?", "show the keys"),
    ("Ctrl+S", "save the text in the editor"),
    ("Ctrl+Space", "complete a word of the text"),
    ("F8", "go to the next problem of the text"),
    ("Ctrl+Z", "undo the last change of the text, also one by a button"),
];

/// Packages in the program, with their versions and licences.
const LICENCES: &str = include_str!("licences.txt");

/// States of runs, with their meaning.
const STATES: [(&str, &str); 8] = [
    ("queued", "waits for other runs to end"),
    ("running", "works as a process of its own"),
    ("pausing", "was asked to keep its work and to end"),
    (
        "paused",
        "ended with its work kept; Resume continues it, and the report has the same bytes as without a pause",
    ),
    ("done", "ended with its report"),
    ("stopped", "was ended by you"),
    ("failed", "ended with an error"),
    (
        "interrupted",
        "the workbench ended before it did; Resume continues it where the command keeps its work",
    ),
];

/// Words of the pages that no table defines.
const TERMS: [(&str, &str); 7] = [
    ("gauge", "judgement of a game by self-play: its measures, its flaws, and a verdict"),
    (
        "verdict",
        "whether a game has a flaw; it may be `cannot tell`, if the interval contains the limit",
    ),
    ("interval", "range that contains the true value with a probability of 95%"),
    ("iteration", "one descent of a search with one random game at its end"),
    ("ply", "one move of one player"),
    ("run", "a command at work, or its result"),
    ("workspace", "the folder that the workbench shows"),
];

fn term_entry(term: &str, kind: &str, meaning: &str) -> Markup {
    html! {
        div data-text=(format!("{term} {kind} {meaning}").to_lowercase()) {
            dt { (term) @if !kind.is_empty() { " " span.soft { "(" (kind) ")" } } }
            dd { (super::coded(meaning)) }
        }
    }
}

/// The keys with what they do.
pub(crate) fn keys() -> Markup {
    html! {
        dl { @for (key, words) in KEYS { dt { kbd { (key) } } dd { (words) } } }
    }
}

/// Page with help.
pub(crate) fn help(token: &str) -> String {
    let limits = [
        "Up to 32 runs wait, and up to 60 begin in a minute. No run begins with less than 1 GB of free disk.",
        "A run has the memory of `treegauge serve --memory-per-run`; one that needs more is ended, and what its command keeps is there.",
        "The values of a position take up to 5 s, the move of a player up to 20 s, and a search tree up to 30 s and 2 million nodes.",
        "An upload has up to 64 MB. A page is given up after 10 s, a practice file and the page of a study after 20 s.",
        "The work for a page has up to 1 GB of memory.",
        "The text of a game has up to 65.5 kB. The last 50 saved versions of each are in .treegauge/versions.",
        "Deleted runs stay in the folder .treegauge/trash of the workspace for a week.",
    ];
    let content = html! {
        h1 { "Help" }
        h2 { "How it works" }
        p {
            "The workbench shows one folder, the workspace. Every run is a command of the program, started as a process of its own "
            "in that folder, and the page of a run shows the command: it prints the same report in a terminal. "
            "Runs are folders in " code { "runs/" } " and can be copied, moved and read without the workbench."
        }
        h2 { "States of a run" }
        dl { @for (state, words) in STATES { dt { (state) } dd { (words) } } }
        h2 #keys { "Keys" }
        (keys())
        p { label { input type="checkbox" #keys-on data-setting="keys" checked; " Keys are on" } }
        h2 { "Colours" }
        p {
            label { "Colours of the pages in this browser "
                select data-setting="colours" {
                    option value="" { "as the system" }
                    option value="light" { "light" }
                    option value="dark" { "dark" }
                }
            }
        }
        h2 { "Command lines" }
        p {
            label { "Command lines in this browser are for "
                select data-setting="shell" {
                    option value="" { "sh, bash and zsh" }
                    option value="powershell" { "PowerShell" }
                }
            }
        }
        h2 #glossary { "Glossary" }
        p {
            label { "Filter " input type="search" data-filter="#terms > div" autocomplete="off"; }
        }
        dl #terms {
            @for (term, meaning) in TERMS { (term_entry(term, "", meaning)) }
            @for measure in MEASURES {
                @let meaning = measure.meaning.replace("{skill_factor}", "several");
                (term_entry(measure.title, "measure of a game", &meaning))
            }
            @for feature in FEATURES { (term_entry(feature.name, "feature of a search tree", feature.meaning)) }
        }
        p.note { "`treegauge gauge --help` and the glossary of the book have more." }
        h2 { "Limits" }
        ul { @for limit in limits { li { (limit) } } }
        h2 { "Security" }
        p {
            "The server listens on this machine only and answers nobody without a session or its key. "
            "It assumes that the browser is honest and that other programs of the same user are trusted. "
            "One thing remains: browsers send cookies to all ports of a host, so a server that another user of the machine lures "
            "your browser to receives the cookie of the workbench. On a machine that you share with people you do not trust, "
            "do not follow links to other local ports while the workbench runs."
        }
        h2 { "Licences" }
        p { "treegauge is under the MIT or the Apache 2.0 licence. The packages that it is built from have licences that allow both." }
        details {
            summary { "Packages and their licences, for all systems" }
            ul.note { @for package in LICENCES.lines() { li { (package) } } }
        }
        p { "Version " (env!("CARGO_PKG_VERSION")) "." }
    };
    Page {
        title: "Help",
        name: "help",
        section: Route::Help(Form::Page),
        command: None,
        data: Some(Route::Help(Form::Json).link()),
        content,
    }
    .document(token)
}
