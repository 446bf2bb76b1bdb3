//! Catalog of games, and the page of a game.

use maud::{Markup, html};
use treegauge::catalog::{FAMILIES, Family, family, library};

use super::{Page, coded, fragment, query};
use crate::route::{Form, PlayView, Route, TreeView};
use crate::task_form::{self, Input, kind_of};
use crate::texts::ENDING;
use crate::worker::{Card, Rendered};

/// The form of a run that a game is chosen for.
pub(crate) struct Purpose {
    command: &'static str,
    field: String,
    /// Whether the field takes several games, and the chosen one is added.
    is_list: bool,
    /// The other fields that were filled.
    filled: Vec<(String, String)>,
}

impl Purpose {
    /// The purpose that a query names; `None` if there is no such field.
    pub(crate) fn of(fields: &[(String, String)]) -> Option<Purpose> {
        let value = |name: &str| Some(&fields.iter().find(|(field, _)| field == name)?.1);
        let kind = kind_of(value("for")?)?;
        let name = value("field")?;
        let all = task_form::fields(kind);
        let field = all.into_iter().find(|field| field.name == *name && field.takes_games)?;
        let with = value("with").map_or("", String::as_str);
        let filled = form_urlencoded::parse(with.as_bytes()).into_owned();
        let is_list = matches!(field.input, Input::Lines);
        let filled = filled.filter(|(name, _)| is_list || *name != field.name).collect();
        Some(Purpose { command: kind.name, field: field.name, is_list, filled })
    }

    /// Address of the form with a game.
    fn link(&self, game: &str) -> String {
        let filled = self.filled.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields: Vec<_> = filled.chain([(self.field.as_str(), game)]).collect();
        format!("{}?{}", Route::New(self.command, Form::Page).link(), query(&fields))
    }
}

/// Catalog: games with their boards, and texts of the workspace, each with the number of its mistakes, if
/// it is known. A game leads to its page, or is chosen for the form of a command.
pub(crate) fn games(
    texts: &[(Option<usize>, String)],
    purpose: Option<&Purpose>,
    token: &str,
) -> String {
    let to = |name: &str| match purpose {
        None => Route::Game(name.to_owned(), Form::Page).link(),
        Some(purpose) => purpose.link(name),
    };
    let thumb = |name: &str| {
        let board = Route::Play(name.to_owned(), PlayView::Board).link();
        html! {
            span.thumb aria-hidden="true" data-board=(board) {
                noscript { img src=(board) alt="" loading="lazy"; }
            }
        }
    };
    let listed = |family: &Family, more: &str| {
        let aliases = family.aliases.join(" ");
        let text = format!("{} {} {aliases} {more}", family.name, family.summary);
        html! {
            li data-text=(text.trim_end().to_lowercase()) {
                a href=(to(family.name)) { (thumb(family.name)) b { (family.name) } }
                p { (family.summary) }
            }
        }
    };
    let content = html! {
        h1 {
            @match purpose {
                None => "Games",
                Some(Purpose { command, is_list: true, .. }) => { "Add a game: " (command) },
                Some(Purpose { command, .. }) => { "Choose a game: " (command) },
            }
        }
        p.filter {
            label { "Filter " input #filter type="search" data-filter="#catalog > li" autocomplete="off"; }
        }
        ul #catalog.cards {
            @for (errors, text) in texts {
                li data-text=(text.to_lowercase()) {
                    // The board of a text with mistakes cannot be drawn.
                    a href=(to(text)) { @if *errors == Some(0) { (thumb(text)) } b { (text) } }
                    p { "A text of the workspace" @if errors.is_some_and(|n| n > 0) { ", with mistakes" } }
                }
            }
            @for family in FAMILIES.iter().copied() { (listed(family, "")) }
            @for game in library() {
                (listed(game.family(), &format!("{} {}", game.title, game.group.name())))
            }
        }
    };
    let route = Route::Games(Form::Page);
    Page {
        title: "Games",
        name: "games",
        section: route.clone(),
        command: route.command().as_deref(),
        data: Some(Route::Games(Form::Json).link()),
        content,
    }
    .document(token)
}

/// Commands for a game, with the field that takes it and what they do.
const FOR_GAME: [(&str, &str, &str); 6] = [
    ("gauge", "game", "Gauge: a verdict by self-play"),
    ("compare", "names", "Compare with variants"),
    ("solve", "game", "Solve: the value of every position"),
    ("search", "game", "Search the position"),
    ("match", "game", "Match between two players"),
    ("puzzles", "source", "Find puzzles"),
];

/// Page of a game: rules, options, and what can be done with it.
pub(crate) fn game(text: &str, card: &Card, shown: &Rendered, token: &str) -> String {
    let route = Route::Game(text.to_owned(), Form::Page);
    let content = html! {
        h1 { (card.name) }
        @if !card.summary.is_empty() { p { (card.summary) } }
        @if !card.origin.is_empty() { p.note { (card.origin.join(" ")) } }
        div.columns {
            div {
                @if !card.rules.is_empty() {
                    section {
                        h2 { "Rules" }
                        p { (coded(&card.rules)) }
                        @if !card.moves.is_empty() { p.note { "Moves are written as " (coded(&card.moves)) "." } }
                    }
                }
                section.report aria-label="Start" { (fragment(&shown.fragment)) }
            }
            div {
                section {
                    h2 { "What you can do" }
                    ul.actions {
                        li { a href=(Route::Play(text.to_owned(), PlayView::Page).link()) { "Play and analyse" } }
                        li { a href=(Route::Tree(text.to_owned(), TreeView::Page).link()) { "See the search tree" } }
                        @for (command, field, words) in FOR_GAME {
                            li {
                                a href={ (Route::New(command, Form::Page).link()) "?" (query(&[(field, text)])) } { (words) }
                            }
                        }
                    }
                    @if card.is_text && text.ends_with(ENDING) {
                        @let names = text.split('/').map(str::to_owned).collect();
                        p { a href=(Route::Text(names, Form::Page).link()) { "Edit the text" } }
                    } @else if !card.is_text && treegauge::template(text).is_ok() {
                        p { a href={ (Route::Texts(Form::Page).link()) "?" (query(&[("from", text)])) } { "Write your own game from its text" } }
                    }
                }
                @if !card.parameters.is_empty() { (options(card)) }
                @if !card.presets.is_empty() {
                    section {
                        h2 { "Presets" }
                        dl {
                            @for (name, summary) in &card.presets {
                                dt { a href=(Route::Game(name.clone(), Form::Page).link()) { (name) } }
                                dd { (summary) }
                            }
                        }
                    }
                }
            }
        }
    };
    Page {
        title: &card.name,
        name: "game",
        section: Route::Games(Form::Page),
        command: route.command().as_deref(),
        data: Some(Route::Game(text.to_owned(), Form::Json).link()),
        content,
    }
    .document(token)
}

/// Form of the parameters of a game. It leads to the page of the game with them.
fn options(card: &Card) -> Markup {
    html! {
        section {
            h2 { "Options" }
            form action=(Route::Games(Form::Page).link()) method="get" {
                input type="hidden" name="family" value=(card.family);
                @for parameter in &card.parameters {
                    @let id = format!("option-{}", parameter.name);
                    p.field {
                        label for=(id) { (parameter.name) }
                        @if parameter.range == "true or false" {
                            select id=(id) name=(parameter.name) {
                                @for word in ["true", "false"] {
                                    option value=(word) selected[word == parameter.value] { (word) }
                                }
                            }
                        } @else {
                            input id=(id) name=(parameter.name) value=(parameter.value) autocomplete="off" aria-describedby={ (id) "-help" };
                        }
                        span.note id={ (id) "-help" } {
                            @if !parameter.help.is_empty() { (parameter.help) ": " }
                            (parameter.range) "; default " (parameter.default)
                        }
                    }
                }
                p { button type="submit" { "Show this game" } }
            }
        }
    }
}

/// The game that the form of options asks for; `None` if the query does not come from it.
pub(crate) fn chosen(fields: &[(String, String)]) -> Option<String> {
    let value =
        |name: &str| fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.trim());
    let name = value("family")?;
    let set: Vec<String> = match family(name) {
        Some(family) => {
            let set = family.all_parameters().filter_map(|parameter| {
                let given = value(parameter.name)
                    .filter(|given| !given.is_empty() && *given != parameter.default)?;
                Some(format!("{}={given}", parameter.name))
            });
            set.collect()
        }
        // Only the reader of a text knows its options, and refuses others.
        None => {
            let is_set = |given: &str| !given.trim().is_empty();
            let set = fields.iter().skip(1).filter(|(_, given)| is_set(given));
            set.map(|(name, given)| format!("{name}={}", given.trim())).collect()
        }
    };
    Some(match (set.is_empty(), name.ends_with(')')) {
        (true, _) => name.to_owned(),
        (false, false) => format!("{name}({})", set.join(",")),
        (false, true) => format!("{},{})", name.trim_end_matches(')'), set.join(",")),
    })
}
