//! Games that the generator made: the gallery of a run, and each game.

use maud::{Markup, PreEscaped, html};
use treegauge::report::{GeneratedGame, RulesSection, Svg};

use super::{Page, difference, query};
use crate::route::{Form, PlayView, Route, View, best_text};
use crate::runs::Run;
use crate::worker::{Gallery, GamePage};

/// Orders of the gallery, with words.
const ORDERS: [(&str, &str); 4] = [
    ("", "best first"),
    ("playable", "most probably playable first"),
    ("novelty", "newest kind first"),
    ("number", "by number"),
];

/// Choices of the gallery, with words.
const CHOICES: [(&str, &str); 4] = [
    ("", "all games"),
    ("sound", "without a flaw"),
    ("open", "not decided"),
    ("flawed", "with a flaw"),
];

/// The greatest number of ancestors whose texts are compared.
const ANCESTORS_MAX: usize = 24;

/// The wish of who looks at a gallery.
#[derive(Clone, Debug, Default)]
pub(crate) struct GalleryList {
    order: String,
    choice: String,
}

impl GalleryList {
    /// The list that a query asks for.
    pub(crate) fn of(fields: &[(String, String)]) -> GalleryList {
        let value = |name: &str| {
            let given = fields.iter().rev().find(|(field, _)| field == name);
            given.map_or(String::new(), |(_, value)| value.clone())
        };
        GalleryList { order: value("order"), choice: value("show") }
    }

    /// The games that are asked for, in order.
    fn chosen<'a>(&self, gallery: &'a Gallery) -> Vec<&'a GeneratedGame> {
        let is_asked = |game: &&GeneratedGame| match self.choice.as_str() {
            "sound" => game.flawed == Some(false),
            "open" => game.flawed.is_none(),
            "flawed" => game.flawed == Some(true),
            _ => true,
        };
        let mut games: Vec<&GeneratedGame> = gallery.games.iter().filter(is_asked).collect();
        match self.order.as_str() {
            "playable" => games.sort_by(|a, b| {
                let chance = |game: &GeneratedGame| game.probability.unwrap_or(-1.0);
                chance(b).total_cmp(&chance(a))
            }),
            "novelty" => games.sort_by(|a, b| b.novelty.total_cmp(&a.novelty)),
            "number" => games.sort_by_key(|game| game.game),
            _ => {}
        }
        games
    }
}

/// The gallery of a run with its order and choice.
pub(super) fn gallery(run: &Run, gallery: &Gallery, list: &GalleryList) -> Markup {
    let here = Route::Run(run.id.clone(), View::Page).link();
    let options = |all: &[(&str, &str)], chosen: &str| {
        html! { @for (value, words) in all { option value=(value) selected[*value == chosen] { (words) } } }
    };
    html! {
        section #gallery aria-labelledby="gallery-title" {
            h2 #gallery-title { "Gallery" }
            @if gallery.games.is_empty() {
                p.note { "No game has been through all gates yet." }
            } @else {
                form.bar method="get" action=(here) data-live="#gallery-cards" data-part="gallery" {
                    label { "Order " select name="order" { (options(&ORDERS, &list.order)) } }
                    label { "Show " select name="show" { (options(&CHOICES, &list.choice)) } }
                    button type="submit" data-plain { "Show" }
                }
                div #gallery-cards { (gallery_cards(run, gallery, list)) }
            }
        }
    }
}

/// The cards of a gallery.
pub(crate) fn gallery_cards(run: &Run, gallery: &Gallery, list: &GalleryList) -> Markup {
    let games = list.chosen(gallery);
    html! {
        @if games.is_empty() { p.note { "There are no such games." } }
        ul.cards.gallery {
            @for game in games { (card(run, game)) }
        }
    }
}

/// Name of the state of a game in class names and marks.
fn judged(game: &GeneratedGame) -> (&'static str, &'static str, &'static str) {
    match game.flawed {
        Some(false) => ("good", "✓", "no flaw found"),
        Some(true) => ("bad", "✗", "flawed"),
        None => ("open", "?", "cannot tell"),
    }
}

fn card(run: &Run, game: &GeneratedGame) -> Markup {
    let Ok(number) = game.game.to_string().parse::<u32>() else { return html! {} };
    let link = Route::Run(run.id.clone(), View::Best(number, Form::Page)).link();
    let board = Route::Run(run.id.clone(), View::BestBoard(number)).link();
    let (class, mark, words) = judged(game);
    html! {
        li data-game=(number) data-judged=(class) {
            a href=(link) {
                span.thumb aria-hidden="true" data-board=(board) {
                    noscript { img src=(board) alt="" loading="lazy"; }
                }
                b { (game.name) }
            }
            p { span.judged.(class) { span aria-hidden="true" { (mark) } " " (words) } }
            dl.short {
                dt { "Playable" } dd { (game.playable) }
                dt { "Novelty" } dd { (format!("{:.2}", game.novelty)) }
                @if !game.nearest.is_empty() { dt { "Nearest" } dd { (game.nearest) } }
                @for (title, value) in game.measures.iter().take(2) { dt { (title) } dd { (value) } }
            }
        }
    }
}

/// A generated game on its page.
pub(crate) struct MadePage<'a> {
    pub(crate) run: &'a Run,
    /// Number of the candidate.
    pub(crate) number: u32,
    pub(crate) made: &'a GamePage,
    /// Whether the folder of the run has the text.
    pub(crate) is_filed: bool,
    /// Name of a copy.
    pub(crate) copy: &'a str,
}

/// Page of a generated game.
pub(crate) fn made(page: &MadePage<'_>, token: &str) -> String {
    let MadePage { run, number, made, is_filed, copy } = *page;
    let game = &made.game;
    let text = best_text(&run.id, number);
    let route = Route::Run(run.id.clone(), View::Best(number, Form::Page));
    let (class, mark, words) = judged(game);
    let beside = |name: &Option<String>, label: &str| {
        let number = name.as_ref().and_then(|name| name.parse().ok());
        html! {
            @if let Some(number) = number {
                a href=(Route::Run(run.id.clone(), View::Best(number, Form::Page)).link()) { (label) }
            }
        }
    };
    let content = html! {
        nav.bar aria-label="Games of the run" {
            a href=(Route::Run(run.id.clone(), View::Page).link()) { "Gallery of " (run.facts.title) }
            (beside(&made.before, "Better game"))
            (beside(&made.behind, "Next game"))
        }
        h1 { (game.name) }
        p { span.judged.(class) { span aria-hidden="true" { (mark) } " " (words) } " " (game.verdict) }
        div.columns {
            div {
                section {
                    h2 { "Board" }
                    figure.board { (PreEscaped(Svg::new(made.board.as_str()).named("board").as_str())) }
                }
                section {
                    h2 { "Rules" }
                    @for RulesSection { heading, paragraphs } in &made.rules {
                        h3 { (heading) }
                        @for paragraph in paragraphs {
                            p.rule data-level=(paragraph.level.min(4)) { (paragraph.text) }
                        }
                    }
                    @if made.rules.is_empty() { p.note { "The rules cannot be read any more." } }
                }
            }
            div {
                section aria-label="Uses" {
                    h2 { "What you can do" }
                    @if is_filed {
                        @let name = format!("rules(file={text})");
                        ul.actions {
                            li { a href=(Route::Play(name.clone(), PlayView::Page).link()) { "Play" } ": against a player, or both sides" }
                            li { a href=(new("gauge", &[("game", &text)])) { "Gauge" } ": a verdict by self-play" }
                            li { a href=(new("compare", &[("names", &compared(run, game, &text))])) { "Compare with its parents" } }
                            li { a href=(new("generate", &[("from", &text)])) { "Generate games from it" } }
                        }
                        form data-new-text=(Route::NewText.link()) action=(Route::NewText.link()) method="post" {
                            input type="hidden" name="token" value=(token);
                            input type="hidden" name="copy" value=(text);
                            p.field {
                                label for="copy-name" { "Name of a copy" }
                                input #copy-name name="name" value=(copy) required maxlength="120" autocomplete="off" spellcheck="false";
                            }
                            p.problem hidden {}
                            p.bar {
                                button type="submit" name="edit" { "Edit a copy" }
                                button type="submit" name="keep" value="yes" { "Keep" }
                            }
                            p.note { "Both put the text among your own games. " b { "Edit a copy" } " opens it; " b { "Keep" } " stays here." }
                        }
                    } @else {
                        p.note { "The text of the game can be used when the run is done." }
                    }
                }
                section {
                    h2 { "Measured" }
                    dl.short {
                        dt { "Flaws" } dd { (game.flaws) }
                        dt { "Playable" } dd { (game.playable) }
                        @for (title, value) in &game.measures { dt { (title) } dd { (value) } }
                        dt { "Novelty" } dd { (format!("{:.2}", game.novelty)) }
                        @if !game.nearest.is_empty() { dt { "Nearest game" } dd { (game.nearest) } }
                        dt { "Points" } dd { (format!("{:.1}", game.fitness)) }
                    }
                    @if game.is_outside { p.note { "* The game is unlike all games that the model learned from, so the probability says little." } }
                }
            }
        }
        (lineage(game))
        details {
            summary { "Text of the game" }
            pre.wide tabindex="0" { code { (game.source) } }
        }
    };
    let command = route.command();
    Page {
        title: &game.name,
        name: "made",
        section: Route::Runs(Form::Page),
        command: command.as_deref().filter(|_| is_filed),
        data: is_filed.then(|| Route::Run(run.id.clone(), View::Best(number, Form::Json)).link()),
        content,
    }
    .document(token)
}

fn new(command: &'static str, fields: &[(&str, &str)]) -> String {
    format!("{}?{}", Route::New(command, Form::Page).link(), query(fields))
}

/// The parents of a game and the game, as `compare` takes them.
fn compared(run: &Run, game: &GeneratedGame, text: &str) -> String {
    let own = game.lineage.first();
    let parents = own.map_or(&[][..], |own| &own.parents[..]);
    let path = |parent: &treegauge::report::Origin| {
        format!("{}/{}/result/parents/{parent}.rules", crate::workspace::RUNS, run.id)
    };
    let mut names: Vec<String> = parents.iter().map(path).collect();
    names.push(text.to_owned());
    names.join("\n")
}

/// The lineage of a game: each ancestor with the changes that made it from its first parent.
fn lineage(game: &GeneratedGame) -> Markup {
    let source = |origin| game.lineage.iter().find(|one| one.game == origin);
    html! {
        section #lineage aria-labelledby="lineage-title" {
            h2 #lineage-title { "Origin" }
            p.note { "Each game with the changes that made it from its first parent: new words are marked, old ones struck." }
            @for (n, one) in game.lineage.iter().take(ANCESTORS_MAX).enumerate() {
                @match one.parents.first().and_then(|parent| source(*parent)) {
                    Some(parent) => details open[n == 0] {
                        summary { (one.words) }
                        (difference(&parent.source, &one.source))
                    },
                    None => p { (one.words) "." },
                }
            }
            @if game.lineage.len() > ANCESTORS_MAX {
                p.note { (game.lineage.len() - ANCESTORS_MAX) " earlier games are not shown." }
            }
        }
    }
}
