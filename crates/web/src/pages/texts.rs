//! Own games: their list, the editor, and comparisons of versions.

use std::sync::LazyLock;

use maud::{Markup, PreEscaped, html};
use treegauge::catalog::{FRAME, Sort, TEXT_BYTES_MAX, words_of};
use treegauge::report::{RulesSection, Svg, TemplatesReport, counted};

use super::{Page, coded, query, size_words};
use crate::answer::Refusal;
use crate::dates::minute;
use crate::route::{Form, PlayView, Route};
use crate::texts::checking::{Checked, Shown, TextFacts};
use crate::texts::difference::{Row, rows};
use crate::texts::{SavedText, Version};

/// Games of the program that have a text.
static TEMPLATES: LazyLock<TemplatesReport> = LazyLock::new(treegauge::templates);

/// Unchanged lines that a comparison shows before and after a change.
const AROUND: usize = 3;

/// Links of a saved text to its uses, and its earlier versions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// Digest of the game; `None` if the text has mistakes or was not checked.
    pub(crate) digest: Option<String>,
    /// Number and path of the newest version with another text, and its digest.
    pub(crate) previous: Option<(u32, String, Option<String>)>,
    /// All versions, the newest first.
    pub(crate) versions: Vec<Version>,
}

/// A text in its editor.
pub(crate) struct TextPage<'a> {
    /// Path in the workspace.
    pub(crate) name: &'a str,
    pub(crate) saved: &'a SavedText,
    /// Text in the editor.
    pub(crate) shown: &'a str,
    /// Number of the version that is shown.
    pub(crate) version: Option<u32>,
    /// Whether the saved text is another one than the writer of the shown text has seen.
    pub(crate) is_stale: bool,
    /// Name of the workspace, for drafts.
    pub(crate) workspace: &'a str,
}

fn route_of(name: &str) -> Route {
    Route::Text(name.split('/').map(str::to_owned).collect(), Form::Page)
}

/// List of own games: names, times, and facts if they are known.
pub(crate) fn texts(
    rows: &[(String, Result<u64, Refusal>, Option<TextFacts>)],
    from: &str,
    token: &str,
) -> String {
    let gauge = |name: &str| link_of("gauge", &[("game", name)]);
    let content = html! {
        h1 { "Own games" }
        p.note { "A game of your own is a text in the workspace. It says what the board is, how pieces move and how the game ends." }
        @if rows.is_empty() {
            p { "There are no texts yet. Begin with the text of a game of the program." }
        } @else {
            div.wide tabindex="0" role="region" aria-label="Own games" {
                table #texts {
                    thead { tr { th { "Text" } th { "Game" } th { "Changed" } th { "Use" } } }
                    tbody {
                        @for (name, changed, facts) in rows {
                            tr data-text=(name.to_lowercase()) {
                                td { a href=(route_of(name).link()) { (name) } }
                                td { (facts_words(changed, facts.as_ref())) }
                                td { @if let Ok(changed_s) = changed { (minute(*changed_s)) } }
                                td {
                                    @if facts.as_ref().is_some_and(|facts| facts.errors == 0) {
                                        a href=(gauge(name)) { "gauge" } " "
                                        a href=(Route::Game(name.clone(), Form::Page).link()) { "show" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        div.doors {
            section {
                h2 { "New from a game of the program" }
                form data-new-text=(Route::NewText.link()) action=(Route::NewText.link()) method="post" {
                    input type="hidden" name="token" value=(token);
                    p.field {
                        label for="new-from" { "Begin with" }
                        select #new-from name="from" {
                            @if !from.is_empty() && TEMPLATES.games.iter().all(|template| template.game != from) {
                                option value=(from) selected { (from) }
                            }
                            @for template in &TEMPLATES.games {
                                option value=(template.game) selected[template.game == from] {
                                    (template.title) " (" (template.game) ")"
                                }
                            }
                        }
                    }
                    p.field {
                        label for="new-name" { "Name of the file" }
                        input #new-name name="name" value="mygame.rules" required maxlength="120" autocomplete="off" spellcheck="false";
                    }
                    p.problem hidden {}
                    p { button type="submit" { "Create and edit" } }
                }
            }
            section {
                h2 { "Upload" }
                p { "A text with the ending " code { ".rules" } " that you or somebody else wrote." }
                form data-upload=(Route::Upload.link()) hidden {
                    p.field { label for="upload-text" { "File" } input #upload-text type="file" name="file" accept=".rules,text/plain" required; }
                    p.problem hidden {}
                    p { button type="submit" { "Upload" } }
                }
                noscript { p { "Uploading needs scripts; texts that you put into the folder appear here, too." } }
            }
        }
    };
    let route = Route::Texts(Form::Page);
    Page {
        title: "Own games",
        name: "texts",
        section: route,
        command: None,
        data: Some(Route::Texts(Form::Json).link()),
        content,
    }
    .document(token)
}

/// The game of a text, or its first mistake.
fn facts_words(changed: &Result<u64, Refusal>, facts: Option<&TextFacts>) -> Markup {
    match (changed, facts) {
        (Err(refusal), _) => html! { span.fault { (refusal.error) } },
        (Ok(_), None) => html! { span.note { "not checked yet" } },
        (Ok(_), Some(TextFacts { error: Some(error), errors, .. })) => html! {
            span.fault { (counted(*errors as u32, "mistake")) } ": line " (error.line) ", " (coded(&error.message))
        },
        (Ok(_), Some(facts)) => html! {
            (facts.name) " " span.note { "digest " code { (facts.digest) } }
        },
    }
}

fn link_of(command: &'static str, fields: &[(&str, &str)]) -> String {
    format!("{}?{}", Route::New(command, Form::Page).link(), query(fields))
}

/// Page of a text.
pub(crate) fn text(
    page: &TextPage<'_>,
    checked: &Result<Checked, Refusal>,
    uses: &Uses,
    token: &str,
) -> String {
    let &TextPage { name, saved, shown, version, is_stale, workspace } = page;
    let names: Vec<String> = name.split('/').map(str::to_owned).collect();
    let save = Route::SaveText(names.clone()).link();
    let described = checked.as_ref().ok().and_then(|checked| checked.game.as_ref()?.shown.as_ref());
    let content = html! {
        h1 { (name) }
        @if let Some(number) = version {
            p.remark #opened { "This is version " (number) ". Saving makes it the current text." }
        }
        @if is_stale {
            section #conflict {
                p.problem {
                    @if saved.tag.is_empty() {
                        (name) " was removed since you opened it. Saving makes it again."
                    } @else {
                        (name) " changed on disk since you opened it. Your text is below; saving it replaces the other one."
                    }
                }
                @if !saved.tag.is_empty() {
                    details open { summary { "Compare: the text on disk, and yours" } (difference(&saved.text, shown)) }
                    p { a href=(route_of(name).link()) { "Load the text on disk" } }
                }
            }
        }
        div #message hidden {}
        div.columns.editing {
            div {
                form #editor action=(save) method="post" data-name=(name) data-save=(save) data-new=(Route::SaveText(vec![]).link())
                    data-check=(Route::Check.link()) data-differences=(Route::Differences.link()) data-tag=(saved.tag)
                    data-texts=(Route::Texts(Form::Page).link()) data-workspace=(workspace) data-max=(TEXT_BYTES_MAX)
                    data-version=[version] {
                    input type="hidden" name="token" value=(token);
                    input type="hidden" name="tag" value=(saved.tag);
                    div.bar {
                        button type="submit" name="save" title="Ctrl+S" aria-keyshortcuts="Control+S" { "Save" }
                        button type="button" name="format" hidden { "Format" }
                        button type="button" name="save-as" hidden { "Save as" }
                        button type="button" name="next-problem" title="F8" aria-keyshortcuts="F8" hidden { "Next problem" }
                    }
                    div.code {
                        pre #underlay aria-hidden="true" {}
                        textarea #text name="text" rows="24" spellcheck="false" autocapitalize="off" autocomplete="off"
                            aria-label={ "Text of " (name) } aria-describedby="place" { "\n" (shown) }
                        ul #completions role="listbox" aria-label="Words" hidden {}
                    }
                    p #place.note { "The text has " (counted(shown.lines().count() as u32, "line")) "." }
                }
                section aria-labelledby="problems-title" {
                    h2 #problems-title { "Problems" }
                    div #checked {
                        @match checked {
                            Ok(checked) => { (text_problems(checked)) }
                            Err(refusal) => { ol #problems {} p.problem { (refusal.error) } }
                        }
                    }
                }
                section #word-box aria-labelledby="word-title" hidden {
                    h2 #word-title { "The word at the cursor" }
                    dl #word {}
                }
            }
            div {
                p.problem #unsaved hidden { "Your changes are not saved. What follows is about the saved text." }
                div #saved { (text_saved(name, saved, uses)) }
                @if !saved.tag.is_empty() { (moves(name, token)) }
                div #game data-whole[described.is_some_and(|shown| shown.games.is_some())] {
                    @if let Some(shown) = described { (text_game(shown)) }
                }
                (words())
            }
        }
    };
    Page {
        title: name,
        name: "text",
        section: Route::Texts(Form::Page),
        command: route_of(name).command().as_deref(),
        data: Some(Route::Text(names, Form::Json).link()),
        content,
    }
    .document(token)
}

/// Mistakes of a text, each with its place.
pub(crate) fn text_problems(checked: &Checked) -> Markup {
    html! {
        ol #problems {
            @for error in &checked.errors {
                li data-line=(error.line) data-column=(error.column) data-length=(error.length) {
                    a href="#text" { "Line " (error.line) ", column " (error.column) } ": " (coded(&error.message)) ". "
                    @if let Some(nearest) = error.nearest.as_ref().filter(|_| error.length > 0) {
                        button type="button" data-replace=(nearest) hidden { "Replace by " code { (nearest) } }
                        noscript { "Did you mean " code { (nearest) } "?" }
                    }
                    @if let Some(hint) = &error.hint { div.note { (coded(&first_letter(hint))) "." } }
                }
            }
        }
        @if checked.errors.is_empty() { p.sound { "No mistakes." } }
    }
}

/// A sentence with a capital at its beginning.
fn first_letter(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// The game of a text: the start, the rules in plain English, warnings, and random games.
pub(crate) fn text_game(shown: &Shown) -> Markup {
    html! {
        section {
            h2 { "Board" }
            figure.board { (PreEscaped(Svg::new(shown.board.as_str()).named("board").as_str())) }
            p.note { "The start: " (counted(shown.moves, "move")) ". " code { (shown.position) } }
        }
        section {
            h2 { "Warnings" }
            @if shown.warnings.is_empty() && shown.games.is_some() { p { "None." } }
            ul #warnings {
                @for warning in &shown.warnings {
                    li data-line=(warning.line) data-column=(warning.column) data-length="0" {
                        a href="#text" { "Line " (warning.line) } ": " (coded(&warning.message))
                        " (" @if warning.remark { "remark " } (warning.code) ")"
                    }
                }
            }
            @match &shown.games {
                Some(games) => p.note { (games) },
                None => p.note { "The random games took too long; the command below plays them all." },
            }
        }
        section {
            h2 { "Rules" }
            @for RulesSection { heading, paragraphs } in &shown.rules {
                h3 { (heading) }
                @for paragraph in paragraphs {
                    p.rule data-level=(paragraph.level.min(4)) { (paragraph.text) }
                }
            }
        }
    }
}

/// The saved text: its time and digest, what can be done with it, and its versions.
pub(crate) fn text_saved(name: &str, saved: &SavedText, uses: &Uses) -> Markup {
    let game_of = |path: &str, digest: &str| format!("rules(file={path},digest={digest})");
    html! {
        section data-tag=(saved.tag) {
            h2 { "Saved text" }
            p.note {
                @if saved.tag.is_empty() { "There is none." } @else { "Saved " (minute(saved.changed_s)) }
                @if let Some(digest) = &uses.digest { ", digest " code { (digest) } }
            }
            @match &uses.digest {
                Some(digest) => {
                    @let game = game_of(name, digest);
                    ul.actions {
                        li { a href=(Route::Play(game.clone(), PlayView::Page).link()) { "Play" } ": against a player, or both sides" }
                        li { a href=(link_of("gauge", &[("game", &game)])) { "Gauge" } ": a verdict by self-play" }
                        @if let Some((number, path, Some(old))) = &uses.previous {
                            li {
                                a href=(link_of("compare", &[("names", &format!("{}\n{game}", game_of(path, old)))])) { "Compare with the previous version" }
                                ": both gauged, version " (number) " with digest " code { (old) }
                            }
                        }
                        li { a href=(link_of("search", &[("game", &game)])) { "Search the start" } }
                        li { a href=(link_of("solve", &[("game", &game)])) { "Solve" } ": for small games" }
                    }
                }
                None => p { "Once the saved text has no mistakes, it can be gauged here." },
            }
            @if !uses.versions.is_empty() {
                details #versions {
                    summary { "Earlier versions (" (uses.versions.len()) ")" }
                    ol.versions reversed {
                        @for version in &uses.versions {
                            li value=(version.number) {
                                (minute(version.saved_s)) ", " (size_words(version.bytes)) ": "
                                a href={ (route_of(name).link()) "?compare=" (version.number) } { "compare" } " "
                                a href={ (route_of(name).link()) "?version=" (version.number) } { "open" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Forms that give a text another name, or move it to the trash.
fn moves(name: &str, token: &str) -> Markup {
    let names: Vec<String> = name.split('/').map(str::to_owned).collect();
    let (rename, remove) =
        (Route::RenameText(names.clone()).link(), Route::RemoveText(names).link());
    html! {
        details #moves {
            summary { "Rename or delete" }
            form data-send=(rename) action=(rename) method="post" {
                input type="hidden" name="token" value=(token);
                p.field {
                    label for="rename-to" { "New name" }
                    input #rename-to name="to" value=(name) required maxlength="120" autocomplete="off" spellcheck="false";
                }
                p.problem hidden {}
                p { button type="submit" { "Rename" } }
            }
            form data-send=(remove) action=(remove) method="post" data-ask="Move this text to the trash? It stays there for a week." {
                input type="hidden" name="token" value=(token);
                p.problem hidden {}
                p { button type="submit" { "Delete" } }
            }
        }
    }
}

/// The words of the language, for reading and for completion.
fn words() -> Markup {
    html! {
        details #words {
            summary { "Words of the language" }
            p { label { "Filter " input type="search" data-filter="#words [data-word]" autocomplete="off"; } }
            h3 { "Sections, boards and clauses" }
            @for word in FRAME {
                @let of = if word.within == "MOVES" { "CLAUSE" } else { word.within };
                (word_entry(word.name, of, word.pattern, word.meaning, word.example))
            }
            @for sort in Sort::ALL {
                h3 { (first_letter(sort.title())) }
                @for word in words_of(sort) {
                    (word_entry(word.name, makes(sort), &word.pattern(), word.meaning, word.example))
                }
            }
        }
    }
}

/// The word by which patterns ask for a sort.
fn makes(sort: Sort) -> &'static str {
    match sort {
        Sort::Player => "PLAYER",
        Sort::Directions => "DIRECTION",
        Sort::Set => "SET",
        Sort::Family => "LINE",
        Sort::Number => "N",
        Sort::Condition => "CONDITION",
        Sort::Moves => "MOVES",
        Sort::Effect => "EFFECT",
        Sort::Result => "RESULT",
        _ => "",
    }
}

fn word_entry(name: &str, of: &str, pattern: &str, meaning: &str, example: &str) -> Markup {
    html! {
        dl data-word=(name) data-of=(of) data-text={ (name) " " (meaning) } {
            dt { code { (pattern) } }
            dd { (coded(meaning)) @if example != name { ", as in " code { (example) } } }
        }
    }
}

/// Page with the difference of a version and the saved text.
pub(crate) fn text_difference(
    name: &str,
    number: u32,
    old: &SavedText,
    saved: &SavedText,
    token: &str,
) -> String {
    let link = route_of(name).link();
    let title = format!("{name}: version {number} and the saved text");
    let content = html! {
        h1 { (title) }
        p.note { "Version " (number) " of " (minute(old.changed_s)) " with " span.sign { "\u{2212}" } ", the text of " (minute(saved.changed_s)) " with " span.sign { "+" } "." }
        (difference(&old.text, &saved.text))
        div.bar {
            a href=(link) { "Edit the saved text" }
            a href={ (link) "?version=" (number) } { "Open version " (number) }
        }
    };
    Page {
        title: &title,
        name: "difference",
        section: Route::Texts(Form::Page),
        command: None,
        data: None,
        content,
    }
    .document(token)
}

/// Difference of two texts, with changed words marked. Long unchanged parts are left out.
pub(crate) fn difference(old: &str, new: &str) -> Markup {
    let rows = rows(old, new);
    if rows.iter().all(Row::is_same) {
        return html! { p { "Both texts are the same, line by line." } };
    }
    let is_near = |n: usize| {
        let (from, to) = (n.saturating_sub(AROUND), (n + AROUND + 1).min(rows.len()));
        rows[from..to].iter().any(|row| !row.is_same())
    };
    let near: Vec<bool> = (0..rows.len()).map(is_near).collect();
    html! {
        div.wide tabindex="0" role="region" aria-label="Difference" {
            table.difference {
                thead { tr { th { "old" } th { "new" } th {} th { "text" } } }
                tbody {
                    @for (n, row) in rows.iter().enumerate() {
                        @if near[n] {
                            (difference_row(row))
                        } @else if n == 0 || near[n - 1] {
                            @let left_out = near[n..].iter().take_while(|near| !**near).count();
                            tr { td colspan="4" .note { (counted(left_out as u32, "line")) " the same" } }
                        }
                    }
                }
            }
        }
    }
}

fn difference_row(row: &Row) -> Markup {
    let number = |n: Option<usize>| n.map_or_else(String::new, |n| n.to_string());
    let sign = match (row.old, row.new) {
        (Some(_), Some(_)) => "",
        (Some(_), None) => "\u{2212}",
        _ => "+",
    };
    html! {
        tr data-sign=(sign) {
            td.n { (number(row.old)) }
            td.n { (number(row.new)) }
            td.sign { (sign) }
            td {
                code {
                    @for piece in &row.pieces {
                        @match (piece.is_changed, row.new.is_none()) {
                            (false, _) => (piece.text),
                            (true, true) => del { (piece.text) },
                            (true, false) => ins { (piece.text) },
                        }
                    }
                }
            }
        }
    }
}
