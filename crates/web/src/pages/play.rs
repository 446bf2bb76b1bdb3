//! A game in progress: play and analysis.

use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value, json};
use treegauge::PlyValues;
use treegauge::board::Side;
use treegauge::engine::{PLAYERS, PositionValues};
use treegauge::report::grouped;

use super::board::{Shown, board, forced_from, move_cells, touches};
use super::setting::{Aid, HUMAN, Setting};
use super::values::{MoveValue, NoPlaces, Places, history_csv, history_svg};
use super::{Page, command_box, query};
use crate::route::{Form, PlayView, Route, TreeView};
use crate::task_form::{Checked, powershell_line, shell_line};
use crate::worker::{At, Position, Values};

/// Players with names of their own.
const NAMED: [(&str, &str); 5] = [
    (HUMAN, "you"),
    ("random", "random moves"),
    ("uct(iterations=100)", "Beginner (100 iterations)"),
    ("uct(iterations=2000)", "Club (2,000 iterations)"),
    ("uct(iterations=20000)", "Strong (20,000 iterations)"),
];

/// Iterations of the hints, at once and one after the other, and of each ply of the history.
pub(crate) const HINTS: [u32; 4] = [256, 2_000, 6_000, 20_000];
pub(crate) const HISTORY: u32 = 2_000;

/// The greatest number of moves that a page lists.
const MOVES_MAX: usize = 2_000;

/// Rows of hints that are shown; the others are in a fold.
const HINT_ROWS: usize = 12;

/// Command line of a task.
fn words_of(task: &Map<String, Value>) -> Vec<String> {
    Checked::of(task).map(|checked| checked.shown("NAME")).unwrap_or_default()
}

/// The places where the marks of a history lead.
struct OnPage<'a> {
    setting: &'a Setting,
    values: &'a Values,
}

impl Places for OnPage<'_> {
    fn link(&self, ply: u32, m: &str, is_played: bool) -> Option<String> {
        let (setting, ply) = (self.setting, ply as usize);
        let to = if is_played { setting.at_ply(ply + 1) } else { setting.at_ply(ply).after(m) };
        Some(to.link())
    }

    fn cells(&self, ply: u32, m: u32) -> String {
        let place = self.values.plies.iter().position(|at| at.ply == ply);
        let cells = place.and_then(|place| self.values.cells.get(place)?.get(m as usize));
        let cells: Vec<String> = cells.into_iter().flatten().map(usize::to_string).collect();
        cells.join(" ")
    }
}

/// A player in words: "you", "Club (2,000 iterations)".
fn player_words(seat: &str) -> &str {
    NAMED.iter().find(|(text, _)| *text == seat).map_or(seat, |(_, words)| words)
}

/// Parts of the page besides the position.
#[derive(Default)]
pub(crate) struct Extra<'a> {
    /// Cells that were touched, with the moves that they could be.
    pub(crate) touched: Vec<usize>,
    pub(crate) choices: Vec<String>,
    /// Reason why a typed move or a touch was refused.
    pub(crate) problem: Option<String>,
    pub(crate) hints: Option<&'a Values>,
    pub(crate) history: Option<&'a Values>,
}

/// The page.
pub(crate) fn play(
    setting: &Setting,
    position: &Position,
    extra: &Extra<'_>,
    token: &str,
) -> String {
    let name = &position.name;
    let content = html! {
        h1 { a href=(Route::Game(setting.game.clone(), Form::Page).link()) { (name) } ": play and analyse" }
        div #play.play data-game=(setting.game) {
            div.left {
                (at_position(setting, position, extra))
            }
            div.right {
                (players(setting, position))
                (hints(setting, position, extra.hints))
                (history(setting, extra.history))
                (about(setting, position))
            }
        }
        p #coached.unseen role="status" {}
    };
    let command = words_of(&setting.shown_task());
    Page {
        title: &format!("{name}: play"),
        name: "play",
        section: Route::Games(Form::Page),
        command: Some(&command),
        data: Some(setting.link_of(PlayView::Json)),
        content,
    }
    .document(token)
}

/// The parts of the page that change with the position, for scripts.
pub(crate) fn parts(setting: &Setting, position: &Position) -> String {
    let command = words_of(&setting.shown_task());
    html! {
        (at_position(setting, position, &Extra::default()))
        (hints(setting, position, None))
        (history(setting, None))
        (players(setting, position))
        (about(setting, position))
        (command_box(&command))
        a #data href=(setting.link_of(PlayView::Json)) {}
    }
    .into_string()
}

/// The board with everything that plays on it.
fn at_position(setting: &Setting, position: &Position, extra: &Extra<'_>) -> Markup {
    let turn = position.shown.turn;
    let is_over = position.ended.is_some();
    let is_last = position.ply == position.line.len();
    let player = setting.player(turn).filter(|_| !is_over);
    let next = setting.seats[turn.other().index()] != HUMAN;
    let link_after = |m: &str| {
        let after = setting.after(m);
        if next { after.answered_link() } else { after.link() }
    };
    let names: Vec<&str> =
        extra.touched.iter().map(|&n| position.board.cells.cells[n].name.as_str()).collect();
    let touch_link = |name: &str| {
        let touch: Vec<(&str, &str)> =
            names.iter().copied().chain([name]).map(|name| ("touch", name)).collect();
        let link = setting.link();
        let joint = if link.contains('?') { '&' } else { '?' };
        Some(format!("{link}{joint}{}", query(&touch)))
    };
    let label = format!("Board of {}, the {turn} player to move", position.name);
    let has_cells = position.board.moves.iter().any(|path| !path.path.is_empty());
    let whole = position.line.len();
    let at = |ply: usize| setting.at_ply(ply).link();
    html! {
        section #position data-turn=(turn) data-ply=(position.ply) data-plies=(whole) data-moves=(position.shown.moves.len())
            data-player=[player] data-over[is_over] data-link=(setting.link()) aria-label="Position" {
            p.turn { (state(setting, position)) }
            (board(&Shown {
                board: &position.board,
                picture: None,
                is_flipped: setting.is_flipped,
                is_live: !is_over,
                label: &label,
                touched: &extra.touched,
                link: &touch_link,
            }))
            div #choices.bar hidden[extra.choices.is_empty()] {
                @if !extra.choices.is_empty() {
                    span { "Choose the move:" }
                    @for m in &extra.choices { a href=(link_after(m)) { (m) } }
                }
            }
            p #move-problem.problem role="alert" hidden[extra.problem.is_none()] { (extra.problem.as_deref().unwrap_or_default()) }
            @if let Some(player) = player {
                p.bar {
                    a #answer href=(setting.answered_link()) { "Let " (player_words(player)) " move" }
                    @if setting.player(turn.other()).is_some() {
                        button type="button" name="auto" hidden aria-pressed="false" { "Play to the end" }
                    }
                }
            }
            @if !is_over {
                form #type.bar action=(Route::Play(setting.game.clone(), PlayView::Page).link()) method="get" {
                    @for (name, value) in setting.fields() { input type="hidden" name=(name) value=(value); }
                    label for="move" { "Move" }
                    input #move name="move" list="moves" autocomplete="off" autocapitalize="off" spellcheck="false" size="10";
                    datalist #moves { @for path in position.board.moves.iter().take(300) { option value=(path.text) {} } }
                    button type="submit" { "Play" }
                }
            }
            nav.bar aria-label="Moves of the game" {
                (step("start", "|◀", "To the start", (position.ply > 0).then(|| at(0))))
                (step("back", "◀", "One move back", (position.ply > 0).then(|| at(position.ply - 1))))
                (step("on", "▶", "One move on", (!is_last).then(|| at(position.ply + 1))))
                (step("end", "▶|", "To the end", (!is_last).then(|| at(whole))))
            }
            nav.bar aria-label="Game" {
                (button_link("undo", "Undo", Some(undone(setting, position)).filter(|_| position.ply > 0)))
                (button_link("new", "New game", Some(setting.with_moves(Vec::new()))))
                (button_link("flip", "Flip", Some(Setting { is_flipped: !setting.is_flipped, ..setting.clone() })))
                @let other = if setting.hints == Aid::Off { Aid::On } else { Aid::Off };
                (button_link("hints", if other == Aid::On { "Show hints" } else { "Hide hints" }, Some(Setting { hints: other, ..setting.clone() })))
            }
            @if !is_over {
                @let listed = position.board.moves.iter().take(MOVES_MAX);
                details.legal open[!has_cells || position.board.moves.len() <= 8] {
                    summary { (moves_words(position.board.moves.len())) }
                    ul.legal {
                        @for path in listed {
                            li {
                                a data-move=(path.text) data-path=(move_cells(path)) data-forced=(forced_from(path)) data-choice=[path.choice.as_ref()]
                                    href=(link_after(&path.text)) { (path.text) }
                            }
                        }
                    }
                    @if position.board.moves.len() > MOVES_MAX {
                        p.note { "The first " (grouped(MOVES_MAX as u64)) " are listed; type the others." }
                    }
                }
            }
        }
    }
}

/// The setting after undoing: it is the turn of a person again, or the game has one move less.
fn undone(setting: &Setting, position: &Position) -> Setting {
    let before = &position.line[..position.ply];
    let is_persons = |played: &crate::worker::Played| setting.player(played.by).is_none();
    let ply = before.iter().rposition(is_persons).unwrap_or(position.ply.saturating_sub(1));
    setting.with_moves(position.line[..ply].iter().map(|played| played.text.clone()).collect())
}

pub(super) fn step(key: &str, mark: &str, words: &str, link: Option<String>) -> Markup {
    html! {
        @match link {
            Some(link) => a href=(link) aria-label=(words) data-key=(key) { (mark) },
            None => span.off aria-hidden="true" { (mark) },
        }
    }
}

/// A button that leads to another address, without scripts too.
fn button_link(name: &str, words: &str, to: Option<Setting>) -> Markup {
    let path = |to: &Setting| Route::Play(to.game.clone(), PlayView::Page).link();
    html! {
        @match to {
            Some(to) => form.button method="get" action=(path(&to)) data-href=(to.link()) {
                @for (field, value) in to.fields() { input type="hidden" name=(field) value=(value); }
                button type="submit" name=(name) { (words) }
            },
            None => button type="button" name=(name) disabled { (words) },
        }
    }
}

fn moves_words(count: usize) -> String {
    match count {
        1 => "1 move".to_owned(),
        count => format!("{} moves", grouped(count as u64)),
    }
}

/// Name of a player with the mark of its pieces.
fn side_mark(side: Side) -> Markup {
    html! {
        svg class={ "man " (super::values::side(side)) } width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" {
            circle cx="8" cy="8" r="6.5" {}
            @if side == Side::Second { circle.ring cx="8" cy="8" r="3.5" {} }
        }
    }
}

/// The state of the game in words: whose turn it is, or how it ended.
fn state(setting: &Setting, position: &Position) -> Markup {
    let turn = position.shown.turn;
    let count = position.shown.moves.len();
    html! {
        @if let Some(result) = &position.ended {
            span data-said {
                b { "The game is over: " (result) "." }
                @if let Some(margin) = position.shown.margin { " Margin: " (format!("{margin:+}")) " for the first player." }
            }
            @if position.ply == position.line.len() {
                " "
                a href=(Setting { ply: Some(0), hints: Aid::On, ..setting.clone() }.link()) { "Analyse" }
                ", "
                a href={ (Route::New("gauge", Form::Page).link()) "?" (query(&[("game", &setting.game)])) } { "Gauge this game" }
            }
        } @else {
            (side_mark(turn)) " "
            span data-said {
                @match setting.player(turn) {
                    None => { "Your move as the " (turn) " player, " (moves_words(count)) "." }
                    Some(player) => { "The " (turn) " player, " (player_words(player)) ", is to move." }
                }
            }
            @if position.shown.margin.is_some_and(|margin| margin != 0) {
                " Margin: " (format!("{:+}", position.shown.margin.unwrap_or_default())) " for the first player."
            }
        }
        @if position.ply < position.line.len() {
            " After " (position.ply) " of " (moves_words(position.line.len())) "; "
            a href=(setting.with_moves(setting.here().moves).link()) { "play on from here" } "."
        }
    }
}

/// The players and the seed, as a form.
fn players(setting: &Setting, position: &Position) -> Markup {
    let solutions: Vec<String> =
        position.solutions.iter().map(|file| format!("perfect(file={file})")).collect();
    html! {
        section #players aria-label="Players" {
            h2 { "Players" }
            form method="get" action=(Route::Play(setting.game.clone(), PlayView::Page).link()) {
                @for (name, value) in setting.fields() {
                    @if !matches!(name, "first" | "second" | "seed") { input type="hidden" name=(name) value=(value); }
                }
                @for (n, name) in ["first", "second"].into_iter().enumerate() {
                    @let seat = &setting.seats[n];
                    @let side = if n == 0 { Side::First } else { Side::Second };
                    @let is_listed = NAMED.iter().any(|(text, _)| text == seat) || solutions.contains(seat);
                    p.pair {
                        label for=(name) { (side_mark(side)) " " (if n == 0 { "First player" } else { "Second player" }) }
                        select id=(name) name=(name) {
                            @for (text, words) in NAMED { option value=(text) selected[text == seat] { (words) } }
                            @for text in &solutions { option value=(text) selected[text == seat] { "perfect, by " (text["perfect(file=".len()..text.len() - 1]) } }
                            @if !is_listed { option value=(seat) selected { (seat) } }
                        }
                    }
                }
                details {
                    summary { "Other players and seed" }
                    @for (name, words) in [("first_other", "First player"), ("second_other", "Second player")] {
                        p.pair { label for=(name) { (words) } input id=(name) name=(name) list="kinds" autocomplete="off" spellcheck="false"; }
                    }
                    datalist #kinds { @for form in PLAYERS.iter() { option value=(form.name) {} } }
                    p.note { "Any player of the command line, as in " code { "alphabeta(eval=mobility,nodes=10000)" } "." }
                    p.pair { label for="seed" { "Seed" } input #seed name="seed" inputmode="numeric" value=(setting.seed); }
                }
                p.bar { button type="submit" { "Set players" } }
            }
        }
    }
}

/// Moves so far, the position as text, and what leaves the page.
fn about(setting: &Setting, position: &Position) -> Markup {
    let whole = Setting { hints: Aid::Off, history: Aid::On, ..setting.clone() };
    let search = [
        ("moves", setting.here().moves.join(" ")),
        ("position", setting.position.clone().unwrap_or_default()),
    ];
    let search: Vec<(&str, &str)> = search
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let tree = Route::Tree(setting.game.clone(), TreeView::Page).link();
    let tree = if search.is_empty() { tree } else { format!("{tree}?{}", query(&search)) };
    html! {
        section #about aria-label="Game" {
            h2 { "Moves" }
            @if position.line.is_empty() { p.note { "No move has been made." } }
            ol.line {
                @for (n, played) in position.line.iter().enumerate() {
                    @let current = (n + 1 == position.ply).then_some("true");
                    li { a class=(super::values::side(played.by)) href=(setting.at_ply(n + 1).link()) aria-current=[current] { (n + 1) ". " (played.text) } }
                }
            }
            p.bar {
                a href=(tree) { "Search tree of this position" }
                a href={ (Route::New("search", Form::Page).link()) "?" (query(&[("game", &setting.game), ("moves", &setting.here().moves.join(" "))])) } { "Search at length" }
            }
            details {
                summary { "Position as text" }
                p { code #position-text { (position.shown.position) } }
                p { button type="button" name="copy" data-copy="#position-text" hidden { "Copy position" } }
                form method="get" action=(Route::Play(setting.game.clone(), PlayView::Page).link()) {
                    @for (name, value) in whole.fields() {
                        @if !matches!(name, "position" | "moves" | "ply") { input type="hidden" name=(name) value=(value); }
                    }
                    p.field { label for="enter" { "Begin at a position" } input #enter name="position" autocomplete="off" spellcheck="false" value=(position.shown.position); }
                    p.field { label for="enter-moves" { "with these moves" } input #enter-moves name="moves" autocomplete="off" spellcheck="false"; }
                    p { button type="submit" { "Begin there" } }
                }
            }
            details {
                summary { "Save" }
                ul.downloads {
                    li { a href=(setting.link_of(PlayView::Moves)) { "Moves (text)" } }
                    li { a href=(setting.link_of(PlayView::Board)) { "Board (SVG)" } }
                    li { a href=(setting.link_of(PlayView::History)) { "Value history (SVG)" } }
                    li { a href=(setting.link_of(PlayView::Values)) { "Values of all moves (CSV)" } }
                }
                @let words = terminal(setting);
                p.note { "In a terminal: " code data-powershell=[powershell_line(&words)] { (shell_line(&words)) } }
            }
        }
    }
}

/// The command that plays on in a terminal.
fn terminal(setting: &Setting) -> Vec<String> {
    let mut words = vec!["play".to_owned()];
    let At { game, position, moves } = setting.here();
    words.extend(position.map(|position| format!("--position={position}")));
    if !moves.is_empty() {
        words.push(format!("--moves={}", moves.join(" ")));
    }
    words.push(format!("--first={}", setting.seats[0]));
    words.push(format!("--second={}", setting.seats[1]));
    words.push(format!("--seed={}", setting.seed));
    words.extend(["--".to_owned(), game]);
    words
}

/// The file from which values come; `None` if they are searched.
pub(crate) fn solution(position: &Position) -> Option<String> {
    position.solutions.first().cloned()
}

/// Values of the moves of the position.
pub(crate) fn hints(setting: &Setting, position: &Position, values: Option<&Values>) -> Markup {
    let is_off = setting.hints == Aid::Off || position.ended.is_some();
    let turn = position.shown.turn;
    let solution = solution(position);
    html! {
        section #hints aria-label="Hints" hidden[is_off] data-solution=[solution.as_ref()] {
            @if !is_off {
                h2 { "Hints" }
                @match values.and_then(|values| values.plies.last()) {
                    Some(at) => (hint_table(setting, at, turn, solution.as_deref())),
                    None => {
                        p.note data-waits { "The values of the moves come here." }
                        noscript { p { a href=(Setting { hints: Aid::Now, ..setting.clone() }.link()) { "Show the values" } } }
                    }
                }
            }
        }
    }
}

fn hint_table(setting: &Setting, at: &PlyValues, turn: Side, solution: Option<&str>) -> Markup {
    let rows = MoveValue::all(&at.values);
    let (words, task) = match &at.values {
        PositionValues::Search { iterations, proved, .. } => {
            let known = match proved {
                Some(1..) => " Proved: the player to move wins.",
                Some(0) => " Proved: neither player can win by force.",
                Some(_) => " Proved: the player to move loses.",
                None => "",
            };
            let words = format!(
                "For the {turn} player, who is to move, from -1 (lost) to +1 (won), after {} iterations.{known}",
                grouped(u64::from(*iterations))
            );
            let more = [
                ("game", json!(setting.game)),
                ("iterations", json!(HINTS[HINTS.len() - 1])),
                ("seed", json!(setting.seed)),
                ("solver", json!(true)),
            ];
            (words, setting.task("search", &more))
        }
        _ => {
            let file = solution.unwrap_or_default();
            let words = format!(
                "Exact values by {file}, for the {turn} player, who is to move; plies to the end count the move."
            );
            (words, setting.task("probe", &[("file", json!(file))]))
        }
    };
    let iterations = match &at.values {
        PositionValues::Search { iterations, .. } => Some(*iterations),
        _ => None,
    };
    let is_searched = iterations.is_some();
    let (first, rest) = rows.split_at(rows.len().min(HINT_ROWS));
    let command = words_of(&task);
    html! {
        p.note data-iterations=[iterations] { (words) }
        (hint_rows(setting, first, is_searched))
        @if !rest.is_empty() {
            details { summary { (moves_words(rest.len())) " more" } (hint_rows(setting, rest, is_searched)) }
        }
        p.note { code data-hints-command data-powershell=[powershell_line(&command)] { (shell_line(&command)) } }
    }
}

fn hint_rows(setting: &Setting, rows: &[MoveValue], is_searched: bool) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Values of the moves" {
            table.hints {
                thead { tr { th { "Move" } th { "Value" } @if is_searched { th { "95% interval" } th.number { "Visits" } } } }
                tbody {
                    @for row in rows {
                        tr data-move=(row.text) data-value=(row.number) data-mark=(row.short()) data-class=(row.class()) data-visits=[row.visits] data-plies=[row.plies] {
                            td { a href=(setting.after(&row.text).link()) { (row.text) } }
                            td class={ "value " (row.class()) } { span aria-hidden="true" { (row.mark()) } " " (row.words()) }
                            @if is_searched {
                            td { @if let (Some([low, high]), super::values::Kind::Searched) = (row.interval, row.kind) { (super::values::signed(low)) " to " (super::values::signed(high)) } @else { "exact" } }
                            td.number { @if let Some(visits) = row.visits { (grouped(u64::from(visits))) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Coach, and values of the moves ply by ply.
pub(crate) fn history(setting: &Setting, values: Option<&Values>) -> Markup {
    let other = |aid| Setting { history: aid, ..setting.clone() }.link();
    html! {
        section #history aria-label="Coach and value history" {
            h2 { "Coach and value history" }
            @match (setting.history, values) {
                (Aid::Off, _) => p { a data-key="history" href=(other(Aid::On)) { "Show coach and values" } },
                (_, Some(values)) => (history_body(setting, values)),
                (_, None) => {
                    p.note data-waits { "The values of all moves come here." }
                    noscript { p { a href=(other(Aid::Now)) { "Show the values" } } }
                }
            }
            @if setting.history != Aid::Off { p.note { a data-key="history" href=(other(Aid::Off)) { "Hide coach and values" } } }
        }
    }
}

fn history_body(setting: &Setting, values: &Values) -> Markup {
    let here = setting.ply.unwrap_or(setting.moves.len());
    html! {
        (coach(setting, values, here))
        (PreEscaped(history_svg(&values.plies, Some(here), &OnPage { setting, values })))
        @if !values.is_complete { p.note data-incomplete { "The values of later plies are being computed." } }
        details {
            summary { "Table" }
            div.wide tabindex="0" role="group" aria-label="Values of the played moves" {
                table {
                    thead { tr { th { "Ply" } th { "Player" } th { "Move" } th { "Value for the player" } th { "Other moves, the best first" } th { "Remark" } } }
                    tbody {
                        @for (at, remark) in values.plies.iter().zip(&values.coach) {
                            @let all = MoveValue::all(&at.values);
                            @let played = all.iter().find(|value| Some(value.m) == at.played);
                            @if let Some(m) = setting.moves.get(at.ply as usize) {
                                tr {
                                    td { (at.ply + 1) }
                                    td { (at.turn) }
                                    td { (m) }
                                    td { @if let Some(value) = played { (value.mark()) " " (value.words()) } @else { "not tried" } }
                                    td.long { (others(setting, at, &all)) }
                                    td.long { (remark) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Links to the best moves that were not played at a ply, as the marks of the picture.
fn others(setting: &Setting, at: &PlyValues, all: &[MoveValue]) -> Markup {
    const OTHERS_MAX: usize = 8;
    let before = setting.at_ply(at.ply as usize);
    let others = all.iter().filter(|value| Some(value.m) != at.played).take(OTHERS_MAX);
    html! {
        @for (n, other) in others.enumerate() {
            @if n > 0 { ", " }
            a href=(before.after(&other.text).link()) { (other.text) } " " (other.mark()) " " (other.words())
        }
    }
}

/// Whether a played move is worse than another: proved, or with intervals that do not overlap.
fn is_weak(at: &PlyValues) -> bool {
    let all = MoveValue::all(&at.values);
    let played = all.iter().find(|value| Some(value.m) == at.played);
    let (Some(played), Some(best)) = (played, all.first()) else { return false };
    match (played.interval, best.interval) {
        (Some([_, high]), Some([low, _])) => high < low,
        _ => played.number < best.number,
    }
}

/// A sentence about the last move of a person before the position, with the answer to a weak one.
fn coach(setting: &Setting, values: &Values, here: usize) -> Markup {
    let is_persons =
        |at: &&PlyValues| setting.player(at.turn).is_none() && (at.ply as usize) < here;
    let last = values.plies.iter().rfind(is_persons);
    let found = last.and_then(|at| {
        let place = values.plies.iter().position(|other| other.ply == at.ply)?;
        let words = values.coach.get(place).filter(|words| !words.is_empty())?;
        let answer = values.plies.get(place + 1).map(|next| MoveValue::all(&next.values));
        let answer = answer.and_then(|all| all.into_iter().next()).map(|best| best.text);
        let link = answer.filter(|_| is_weak(at)).map(|answer| {
            let to = setting.at_ply(at.ply as usize + 1).after(&answer);
            (to.link(), answer)
        });
        Some((words, link))
    });
    html! {
        p #coach {
            @if let Some((words, link)) = found {
                (words)
                @if let Some((link, answer)) = link { " " a href=(link) { "The answer: " (answer) } }
            }
        }
    }
}

/// The values of a game as a picture that stands alone.
pub(crate) fn history_picture(values: &Values) -> String {
    history_svg(&values.plies, None, &NoPlaces)
}

/// The values of a game as CSV.
pub(crate) fn values_csv(values: &Values) -> String {
    history_csv(&values.plies)
}

/// The cells of a position by their names.
pub(crate) fn numbers(position: &Position, names: &[&str]) -> Vec<usize> {
    let cells = &position.board.cells;
    let found: Vec<usize> = names.iter().filter_map(|name| cells.cell(name)).collect();
    let is_begun = position.board.moves.iter().any(|path| touches(path).starts_with(&found));
    if is_begun { found } else { Vec::new() }
}
