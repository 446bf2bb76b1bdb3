//! Recorded games of a run: their list, and each move by move. Games needed to see a gap.

use maud::{Markup, html};
use treegauge::report::{ReplayReport, ReplayedGameReport, counted, grouped, outcome_words};

use super::board::{Shown, board};
use super::{Page, fragment, query};
use crate::route::{Form, PlayView, Route, View};
use crate::runs::Run;
use crate::task_form::{powershell_line, shell_line};
use crate::worker::{Position, Rendered};

/// Recorded games on a page.
const PER_PAGE: usize = 200;

/// Page with the recorded games of a run.
pub(crate) fn recorded_games(
    run: &Run,
    report: &ReplayReport,
    fields: &[(String, String)],
    token: &str,
) -> String {
    let value = |name: &str| fields.iter().rev().find(|(field, _)| field == name);
    let page = value("page").and_then(|(_, text)| text.parse().ok()).unwrap_or(1).max(1_usize);
    let route = |form| Route::Run(run.id.clone(), View::Games(form));
    let link = |page: usize| format!("{}?page={page}", route(Form::Page).link());
    let pages = report.games.len().div_ceil(PER_PAGE).max(1);
    let games = report.games.iter().skip((page - 1).saturating_mul(PER_PAGE)).take(PER_PAGE);
    let content = html! {
        nav.bar aria-label="Run" { a href=(Route::Run(run.id.clone(), View::Page).link()) { (run.facts.title) } }
        h1 { "Recorded games: " (run.facts.title) }
        p.note {
            (counted(report.games.len() as u64, "game")) " of " (report.game) ", replayed to their results. Players: "
            @for (n, (name, player)) in report.players.iter().enumerate() {
                @if n > 0 { ", " }
                (name) " is " code { (player) }
            }
            "."
        }
        p { label { "Filter " input #filter type="search" data-filter="#games tbody > tr" autocomplete="off"; } }
        div.wide tabindex="0" role="region" aria-label="Recorded games" {
            table #games {
                thead { tr { th { "Game" } th { "First player" } th { "Second player" } th { "Result" } th.number { "Plies" } th { "Ended by" } } }
                tbody {
                    @for game in games {
                        @let result = outcome_words(game.outcome);
                        @let end = game.ended_by.as_deref().or(game.forfeit.as_deref()).unwrap_or_default();
                        @let text = format!("{} {} {} {result} {end}", game.name, game.first, game.second);
                        tr data-text=(text.to_lowercase()) {
                            td { a href=(Route::Run(run.id.clone(), View::Game(game.name.clone(), Form::Page)).link()) { (game.name) } }
                            td { (game.first) }
                            td { (game.second) }
                            td { (result) }
                            td.number { (grouped(game.plies as u64)) }
                            td { (end) }
                        }
                    }
                }
            }
        }
        @if pages > 1 {
            nav.bar aria-label="Pages" {
                @if page > 1 { a href=(link(page - 1)) { "Previous" } }
                span { "Page " (page) " of " (pages) }
                @if page < pages { a href=(link(page + 1)) { "Next" } }
            }
        }
    };
    Page {
        title: &format!("Games of {}", run.facts.title),
        name: "games-of-run",
        section: Route::Runs(Form::Page),
        command: route(Form::Page).command().as_deref(),
        data: Some(route(Form::Json).link()),
        content,
    }
    .document(token)
}

/// A recorded game on its page.
pub(crate) struct RecordedPage<'a> {
    pub(crate) run: &'a Run,
    /// Name of the game in the record.
    pub(crate) name: &'a str,
    pub(crate) report: &'a ReplayedGameReport,
    /// Number of moves before the position that is shown.
    pub(crate) ply: usize,
    pub(crate) is_flipped: bool,
    /// The position; `None` if the game cannot be opened any more.
    pub(crate) position: Option<&'a Position>,
}

impl RecordedPage<'_> {
    fn route(&self, form: Form) -> Route {
        Route::Run(self.run.id.clone(), View::Game(self.name.to_owned(), form))
    }

    fn link(&self, ply: usize) -> String {
        self.turned(ply, self.is_flipped)
    }

    fn turned(&self, ply: usize, is_flipped: bool) -> String {
        let flip = if is_flipped { "&flip=true" } else { "" };
        format!("{}?ply={ply}{flip}", self.route(Form::Page).link())
    }

    fn last(&self) -> usize {
        self.report.positions.len().saturating_sub(1)
    }
}

/// Page of a recorded game.
pub(crate) fn recorded_game(page: &RecordedPage<'_>, token: &str) -> String {
    let RecordedPage { run, name, report, .. } = *page;
    let game = &report.replayed;
    let player = |side: &str| {
        let spec = report.players.iter().find(|(known, _)| known == side);
        html! { b { (side) } @if let Some((_, spec)) = spec { ", " code { (spec) } } }
    };
    let moves: Vec<&str> = report.positions.iter().filter_map(|one| one.m.as_deref()).collect();
    let start = report.positions.first().map_or("", |first| first.position.as_str());
    let analyse = {
        let path = Route::Play(report.game.clone(), PlayView::Page).link();
        let moves = moves.join(" ");
        let people = [("first", "human"), ("second", "human")];
        let line = [("position", start), ("moves", moves.as_str())];
        let fields: Vec<(&str, &str)> = line.into_iter().chain(people).collect();
        format!("{path}?{}", query(&fields))
    };
    let content = html! {
        nav.bar aria-label="Run" {
            a href=(Route::Run(run.id.clone(), View::Page).link()) { (run.facts.title) }
            a href=(Route::Run(run.id.clone(), View::Games(Form::Page)).link()) { "All games of the run" }
        }
        h1 { "Game " (name) ": " (outcome_words(game.outcome)) }
        p {
            "First player: " (player(&game.first)) ". Second player: " (player(&game.second)) ". "
            (counted(game.plies as u64, "move"))
            @if let Some(end) = game.ended_by.as_ref() { ", ended by " (end) }
            @if let Some(end) = game.forfeit.as_ref() { ", ended by a forfeit: " (end) }
            "."
        }
        div #recorded { (recorded_position(page)) }
        p.bar { a href=(analyse) { "Analyse this game" } }
    };
    Page {
        title: &format!("Game {name} of {}", run.facts.title),
        name: "recorded",
        section: Route::Runs(Form::Page),
        command: page.route(Form::Page).command().as_deref(),
        data: Some(page.route(Form::Json).link()),
        content,
    }
    .document(token)
}

/// The position of a recorded game that is shown, and the moves.
pub(crate) fn recorded_position(page: &RecordedPage<'_>) -> Markup {
    let RecordedPage { report, ply, position, .. } = *page;
    let last = page.last();
    let step = |key: &str, mark: &str, words: &str, to: Option<usize>| {
        html! {
            @match to {
                Some(to) => a href=(page.link(to)) aria-label=(words) data-step=(key) { (mark) },
                None => span.off aria-hidden="true" { (mark) },
            }
        }
    };
    let (back, on) = (ply.checked_sub(1), Some(ply + 1).filter(|to| *to <= last));
    let here = &report.positions[ply.min(last)];
    let said = match (&here.m, ply) {
        (Some(m), ply) => {
            let by = report.positions[ply - 1].turn;
            let opening = if ply <= report.opening_plies { ", a random opening move" } else { "" };
            let side = report.replayed.side(by);
            let end = if ply == last {
                format!(" The game is over: {}.", outcome_words(report.replayed.outcome))
            } else {
                String::new()
            };
            format!("Ply {ply} of {last}: the {by} player, {side}, played {m}{opening}.{end}")
        }
        (None, _) => format!("The beginning of a game of {}.", counted(last as u64, "move")),
    };
    html! {
        div.play data-ply=(ply) data-plies=(last) {
            div.left {
                p.turn { span data-said { (said) } }
                @match position {
                    Some(position) => (board(&Shown {
                        board: &position.board,
                        picture: None,
                        is_flipped: page.is_flipped,
                        is_live: false,
                        label: &said,
                        touched: &[],
                        link: &|_| None,
                    })),
                    None => p.problem { "The game cannot be opened any more, so there is no board." },
                }
                nav.bar aria-label="Moves of the game" {
                    (step("start", "|◀", "To the start", back.map(|_| 0)))
                    (step("back", "◀", "One move back", back))
                    (step("on", "▶", "One move on", on))
                    (step("end", "▶|", "To the end", on.map(|_| last)))
                    a href=(page.turned(ply, !page.is_flipped)) data-step="flip" { "Flip" }
                }
            }
            div.right {
                h2 { "Moves" }
                ol.line {
                    @for (n, one) in report.positions.iter().enumerate().skip(1) {
                        @let by = report.positions[n - 1].turn;
                        @let current = (n == ply).then_some("true");
                        li {
                            a class=(super::values::side(by)) href=(page.link(n)) aria-current=[current] data-step="" {
                                (n) ". " (one.m.as_deref().unwrap_or_default())
                            }
                        }
                    }
                }
                p.note { "Position: " code { (here.position) } }
            }
        }
    }
}

/// A power analysis.
pub(crate) struct Power {
    /// Share of the points of the better player above one half.
    pub(crate) gap: f64,
    /// Command line, without the name of the program.
    pub(crate) command: Vec<String>,
    /// The analysis, or the reason why there is none.
    pub(crate) result: Result<Rendered, String>,
}

/// Form for the gap, and the games that show it.
pub(super) fn power(run: &Run, power: &Power) -> Markup {
    let here = Route::Run(run.id.clone(), View::Page).link();
    html! {
        section #power aria-labelledby="power-title" {
            h2 #power-title { "Games needed" }
            form.bar method="get" action=(here) data-live="#power-result" data-part="power" {
                label for="gap" { "Gap" }
                input #gap type="range" name="gap" min="0.005" max="0.25" step="0.005" value=(power.gap) aria-describedby="gap-help";
                output for="gap" data-percent { (format!("{:.1}%", 100.0 * power.gap)) }
                button type="submit" data-plain { "Show" }
            }
            p.note #gap-help { "The gap is the share of the points of the better player above one half." }
            div #power-result { (power_result(power)) }
        }
    }
}

/// The games that show a gap.
pub(crate) fn power_result(power: &Power) -> Markup {
    html! {
        @match &power.result {
            Ok(rendered) => div.report { (fragment(&rendered.fragment)) },
            Err(error) => p.problem { (error) },
        }
        p.note { code data-powershell=[powershell_line(&power.command)] { (shell_line(&power.command)) } }
    }
}
