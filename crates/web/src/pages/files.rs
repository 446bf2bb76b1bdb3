//! Files of the workspace.

use maud::html;

use super::{Page, query, size_words};
use crate::route::{Form, Route};
use crate::texts::ENDING;
use crate::workspace::{Entry, PROBLEMS, SOLUTION_ENDING};

/// Page with the files of a folder.
pub(crate) fn files(folder: &str, entries: &[Entry], token: &str) -> String {
    let here = Route::Files(Form::Page).link();
    let to_folder = |path: &str| format!("{here}?{}", query(&[("folder", path)]));
    let parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let content = html! {
        h1 { "Files" }
        p {
            a href=(here) { "workspace" }
            @for n in 0..parts.len() {
                " / " a href=(to_folder(&parts[..=n].join("/"))) { (parts[n]) }
            }
        }
        p { label { "Filter " input #filter type="search" data-filter="#files tbody > tr" autocomplete="off"; } }
        div.wide tabindex="0" role="region" aria-label="Files" {
            table #files {
                thead { tr { th { "Name" } th { "Kind" } th { "Size" } th { "Use" } } }
                tbody {
                    @for entry in entries {
                        tr data-text=(entry.path.to_lowercase()) {
                            td {
                                @if entry.is_folder {
                                    a href=(to_folder(&entry.path)) { (entry.name) "/" }
                                } @else {
                                    a href=(link(entry)) { (entry.name) }
                                }
                            }
                            td { (entry.kind) }
                            td.n { @if !entry.is_folder { (size_words(entry.bytes)) } }
                            td {
                                @for (command, field, words) in uses(entry) {
                                    a href={ (Route::New(command, Form::Page).link()) "?" (query(&[(field, &entry.path)])) } { (words) } " "
                                }
                                @if entry.kind == GAME || entry.name.ends_with(ENDING) {
                                    @let names = entry.path.split('/').map(str::to_owned).collect();
                                    a href=(Route::Text(names, Form::Page).link()) { "edit" } " "
                                }
                                @if entry.kind == "a solution file" && entry.name.ends_with(SOLUTION_ENDING) {
                                    @let names = entry.path.split('/').map(str::to_owned).collect();
                                    a href=(Route::SolvedFile(names, Form::Page).link()) { "explore" } " "
                                }
                                @if entry.kind == GAME {
                                    a href=(Route::Game(entry.path.clone(), Form::Page).link()) { "show" }
                                }
                            }
                        }
                    }
                }
            }
        }
        @if entries.is_empty() { p { "The folder is empty." } }
        section {
            h2 { "Upload" }
            p.note { "A file of up to 64 MB, which is put into the workspace. Files that are there are not replaced." }
            form #upload data-upload=(Route::Upload.link()) hidden {
                p { label { "File " input type="file" name="file" required; } " " button type="submit" { "Upload" } }
                p.problem hidden {}
            }
            noscript { p { "Uploading needs scripts; files that you put into the folder appear here, too." } }
        }
    };
    let data = format!("{}?{}", Route::Files(Form::Json).link(), query(&[("folder", folder)]));
    Page {
        title: "Files",
        name: "files",
        section: Route::Files(Form::Page),
        command: None,
        data: Some(data),
        content,
    }
    .document(token)
}

const GAME: &str = "a text that describes a game";

fn link(entry: &Entry) -> String {
    Route::File(entry.path.split('/').map(str::to_owned).collect()).link()
}

/// Commands that read a file of this kind: the command, its field and words.
fn uses(entry: &Entry) -> Vec<(&'static str, &'static str, &'static str)> {
    match entry.kind {
        GAME => vec![("gauge", "game", "gauge")],
        "a solution file" => {
            vec![
                ("probe", "file", "probe"),
                ("interest", "source", "rate"),
                ("verify", "file", "verify"),
            ]
        }
        "a record" => vec![("replay", "file", "replay")],
        _ if [".epd", ".fen", ".pgn"].iter().any(|ending| entry.name.ends_with(ending)) => {
            vec![("difficulty", "file", "rate")]
        }
        PROBLEMS => vec![("difficulty", "file", "rate")],
        _ => Vec::new(),
    }
}
