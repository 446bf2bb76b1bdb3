//! Solved games: the list of solution files, the explorer of positions, and the landscape.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value as Json, json};
use treegauge::report::{counted, grouped};
use treegauge::solve::Value;

use super::board::{Shown, board, forced_from, move_cells};
use super::play::step;
use super::values::{MoveValue, Places, history_svg};
use super::{Page, command_box, query, size_words};
use crate::answer::Refusal;
use crate::route::{Form, PlayView, Route};
use crate::task_form::Checked;
use crate::worker::{CountedLandscape, Explored, KeptInterest, SolvedFacts, Spot, Values};

/// The greatest number of moves of an address.
const LINE_MAX: usize = 4_000;

/// Rows of the picture of a landscape, and of its table.
const BARS_MAX: usize = 120;
const ROWS_MAX: usize = 2_000;

fn names_of(file: &str) -> Vec<String> {
    file.split('/').map(str::to_owned).collect()
}

fn page_of(file: &str) -> String {
    Route::SolvedFile(names_of(file), Form::Page).link()
}

/// The list of solution files.
pub(crate) fn solved(files: &[SolvedFacts], token: &str) -> String {
    let new = |command, fields: &[(&str, &str)]| {
        format!("{}?{}", Route::New(command, Form::Page).link(), query(fields))
    };
    let content = html! {
        h1 { "Solved games" }
        p { "A solution file has the exact value of every position of a game. Runs of " code { "solve" } " make them." }
        p.bar { a href=(Route::New("solve", Form::Page).link()) { "Solve a game" } }
        @if files.is_empty() {
            p {
                "There are no solution files in the workspace yet. "
                a href={ (Route::New("solve", Form::Page).link()) "?" (query(&[("game", "achi")])) } { "Solve achi" }
                ", which takes about a second, and explore its 5,390 positions."
            }
         } @else {
            ul.cards {
                @for file in files {
                    li {
                        @match &file.found {
                            Ok(found) => {
                                a href=(page_of(&file.path)) { b { (found.game) } }
                                p { (found.start) }
                                p.note { (counted_grouped(found.positions)) ", " (size_words(found.file_bytes)) ". " code { (file.path) } }
                                ul.actions {
                                    li { a href=(page_of(&file.path)) { "Explore positions" } }
                                    li { a href=(Route::Landscape(names_of(&file.path), Form::Page).link()) { "Landscape" } }
                                    li { a href=(new("puzzles", &[("source", &file.path)])) { "Find puzzles" } }
                                    @if !found.has_interest { li { a href=(rate_link(&file.path)) { "Rate positions" } } }
                                }
                            }
                            Err(error) => { b { (file.path) } p.problem { (crate::task_form::sentence(error)) } }
                        }
                    }
                }
            }
        }
    };
    Page {
        title: "Solved games",
        name: "solved",
        section: Route::Solved(Form::Page),
        command: None,
        data: Some(Route::Solved(Form::Json).link()),
        content,
    }
    .document(token)
}

/// The list as data.
pub(crate) fn solved_json(files: &[SolvedFacts]) -> Json {
    let rows = files.iter().map(|file| match &file.found {
        Ok(found) => json!({
            "path": file.path, "game": found.game, "start": found.start,
            "positions": found.positions, "file_bytes": found.file_bytes,
            "has_interest": found.has_interest, "error": null,
        }),
        Err(error) => json!({"path": file.path, "game": null, "error": error}),
    });
    json!({"schema": 1, "kind": "solved_games", "files": rows.collect::<Vec<_>>()})
}

fn counted_grouped(positions: u64) -> String {
    format!("{} {}", grouped(positions), if positions == 1 { "position" } else { "positions" })
}

/// The form of the run that rates the positions of a file and keeps the ratings there.
fn rate_link(file: &str) -> String {
    let fields = query(&[("source", file)]);
    format!("{}?{fields}", Route::New("interest", Form::Page).link())
}

/// The address of a position in the explorer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Explorer {
    pub(crate) file: String,
    pub(crate) position: Option<String>,
    pub(crate) moves: Vec<String>,
    /// Number of moves before the position that is shown; `None` for all.
    pub(crate) ply: Option<usize>,
    pub(crate) is_flipped: bool,
}

impl Explorer {
    /// Reads a query.
    ///
    /// # Errors
    ///
    /// If it has too many moves, or a number that is not one.
    pub(crate) fn of(file: &str, fields: &[(String, String)]) -> Result<Explorer, Refusal> {
        let value = |name: &str| {
            let given =
                |(field, value): &&(String, String)| field == name && !value.trim().is_empty();
            fields.iter().rev().find(given).map(|(_, value)| value.trim())
        };
        let moves = value("moves").unwrap_or_default().split_whitespace();
        let moves: Vec<String> = moves.map(str::to_owned).collect();
        if moves.len() > LINE_MAX {
            return Err(Refusal::new(400, "An address has up to 4,000 moves."));
        }
        let ply = value("ply").map(str::parse::<usize>).transpose().map_err(|_| {
            let error = "`ply` must be a whole number.";
            Refusal { field: Some("ply".to_owned()), ..Refusal::new(400, error) }
        })?;
        let position = value("position").map(str::to_owned);
        let is_flipped = value("flip") == Some("true");
        Ok(Explorer { file: file.to_owned(), position, moves, ply, is_flipped })
    }

    /// The same as a request to a worker.
    pub(crate) fn spot(&self) -> Spot {
        let Explorer { file, position, moves, ply, .. } = self.clone();
        Spot { file, position, moves, ply }
    }

    /// The position of a file, as an address of its own.
    pub(crate) fn at(file: &str, position: &str) -> Explorer {
        let (file, position) = (file.to_owned(), Some(position.to_owned()));
        Explorer { file, position, moves: Vec::new(), ply: None, is_flipped: false }
    }

    /// Moves before the position that is shown.
    fn here(&self) -> &[String] {
        &self.moves[..self.ply.unwrap_or(usize::MAX).min(self.moves.len())]
    }

    /// The address after one more move from the position that is shown.
    pub(crate) fn after(&self, m: &str) -> Explorer {
        let mut moves = self.here().to_vec();
        moves.push(m.to_owned());
        Explorer { moves, ply: None, ..self.clone() }
    }

    fn at_ply(&self, ply: usize) -> Explorer {
        Explorer { ply: (ply < self.moves.len()).then_some(ply), ..self.clone() }
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = Vec::new();
        fields.extend(self.position.clone().map(|position| ("position", position)));
        if !self.moves.is_empty() {
            fields.push(("moves", self.moves.join(" ")));
        }
        fields.extend(self.ply.map(|ply| ("ply", ply.to_string())));
        fields.extend(self.is_flipped.then(|| ("flip", "true".to_owned())));
        fields
    }

    /// Address of the page, or of its data.
    pub(crate) fn link(&self, form: Form) -> String {
        let path = Route::SolvedFile(names_of(&self.file), form).link();
        let fields = self.fields();
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if fields.is_empty() { path } else { format!("{path}?{}", query(&fields)) }
    }

    fn page(&self) -> String {
        self.link(Form::Page)
    }

    /// The task whose report is the data of the page.
    pub(crate) fn task(&self) -> Map<String, Json> {
        let mut task = Map::new();
        task.insert("command".to_owned(), "probe".into());
        task.insert("file".to_owned(), self.file.clone().into());
        let position = self.position.clone();
        task.extend(position.map(|position| ("position".to_owned(), position.into())));
        if !self.here().is_empty() {
            task.insert("moves".to_owned(), self.here().join(" ").into());
        }
        task
    }

    fn command(&self) -> Option<Vec<String>> {
        Checked::of(&self.task()).map(|checked| checked.shown("NAME")).ok()
    }
}

/// The places where the marks of the history lead.
struct OnPage<'a> {
    explorer: &'a Explorer,
    values: &'a Values,
}

impl Places for OnPage<'_> {
    fn link(&self, ply: u32, m: &str, is_played: bool) -> Option<String> {
        let (explorer, ply) = (self.explorer, ply as usize);
        let to = if is_played { explorer.at_ply(ply + 1) } else { explorer.at_ply(ply).after(m) };
        Some(to.page())
    }

    fn cells(&self, ply: u32, m: u32) -> String {
        let place = self.values.plies.iter().position(|at| at.ply == ply);
        let cells = place.and_then(|place| self.values.cells.get(place)?.get(m as usize));
        let cells: Vec<String> = cells.into_iter().flatten().map(usize::to_string).collect();
        cells.join(" ")
    }
}

/// The explorer.
pub(crate) fn explorer(
    explorer: &Explorer,
    found: &Explored,
    problem: Option<&str>,
    token: &str,
) -> String {
    let content = html! {
        h1 { "Solved: " (found.game) }
        p.bar {
            a href=(Route::Solved(Form::Page).link()) { "All solved games" }
            a href=(Route::Landscape(names_of(&explorer.file), Form::Page).link()) { "Landscape" }
            a href={ (Route::New("puzzles", Form::Page).link()) "?" (query(&[("source", &explorer.file)])) } { "Find puzzles" }
        }
        p.note { (counted_grouped(found.positions)) " in " code { (explorer.file) } "." }
        (explorer_part(explorer, found, problem))
    };
    Page {
        title: &format!("{}: solved", found.game),
        name: "explorer",
        section: Route::Solved(Form::Page),
        command: explorer.command().as_deref(),
        data: Some(explorer.link(Form::Json)),
        content,
    }
    .document(token)
}

/// The parts of the explorer that change with the position: the position itself, the command and the data.
pub(crate) fn explorer_parts(
    explorer: &Explorer,
    found: &Explored,
    problem: Option<&str>,
) -> String {
    html! {
        (explorer_part(explorer, found, problem))
        @if let Some(command) = explorer.command() { (command_box(&command)) }
        a #data href=(explorer.link(Form::Json)) {}
    }
    .into_string()
}

fn explorer_part(explorer: &Explorer, found: &Explored, problem: Option<&str>) -> Markup {
    let position = &found.position;
    let is_over = position.ended.is_some();
    let turn = position.shown.turn;
    let whole = position.line.len();
    let is_last = position.ply == whole;
    let at = |ply: usize| explorer.at_ply(ply).page();
    let label = format!("Board of {}, the {turn} player to move", found.game);
    // Without scripts a cell leads to the only move that begins there.
    let of_cell = |name: &str| {
        let cell = position.board.cells.cell(name)?;
        let begins = position
            .board
            .moves
            .iter()
            .filter(|path| path.path.first().is_some_and(|touch| touch.cell == cell));
        let found: Vec<&str> = begins.map(|path| path.text.as_str()).collect();
        match found.as_slice() {
            [only] => Some(explorer.after(only).page()),
            _ => None,
        }
    };
    let rows = found.values.plies.iter().find(|at| at.ply as usize == position.ply);
    let rows = rows.map(|at| MoveValue::all(&at.values)).unwrap_or_default();
    html! {
        section #explorer.play data-ply=(position.ply) data-position=(position.shown.position) aria-label="Position" {
            div.left {
                p.turn data-said {
                    @match &position.ended {
                        Some(result) => b { "The game is over: " (result) "." },
                        None => { (found.words) }
                    }
                }
                (board(&Shown {
                    board: &position.board,
                    picture: None,
                    is_flipped: explorer.is_flipped,
                    is_live: !is_over,
                    label: &label,
                    touched: &[],
                    link: &of_cell,
                }))
                div #choices.bar hidden {}
                p #move-problem.problem role="alert" hidden[problem.is_none()] { (problem.unwrap_or_default()) }
                @if !is_over {
                    form #type.bar action=(page_of(&explorer.file)) method="get" {
                        @for (name, value) in explorer.fields() { input type="hidden" name=(name) value=(value); }
                        label for="move" { "Move" }
                        input #move name="move" list="moves" autocomplete="off" autocapitalize="off" spellcheck="false" size="10";
                        datalist #moves { @for path in position.board.moves.iter().take(300) { option value=(path.text) {} } }
                        button type="submit" { "Play" }
                    }
                }
                nav.bar aria-label="Moves of the line" {
                    (step("start", "|◀", "To the start", (position.ply > 0).then(|| at(0))))
                    (step("back", "◀", "One move back", (position.ply > 0).then(|| at(position.ply - 1))))
                    (step("on", "▶", "One move on", (!is_last).then(|| at(position.ply + 1))))
                    (step("end", "▶|", "To the end", (!is_last).then(|| at(whole))))
                    @if let Some(best) = &found.best { a href=(explorer.after(best).page()) data-key="best" { "Best" } }
                    @if let Some(worst) = &found.worst { a href=(explorer.after(worst).page()) data-key="worst" { "Worst that keeps the value" } }
                    @let flipped = Explorer { is_flipped: !explorer.is_flipped, ..explorer.clone() };
                    a href=(flipped.page()) data-key="flip" { "Flip" }
                }
                @if !is_over { (fan(explorer, found, &rows)) }
            }
            div.right {
                (finder(explorer))
                (line(explorer, found))
                (interest(explorer, found.interest.as_ref()))
                details {
                    summary { "Position as text" }
                    p { code #position-text { (position.shown.position) } }
                    p { button type="button" name="copy" data-copy="#position-text" hidden { "Copy position" } }
                    p { a href=(play_link(explorer, found)) { "Play from here" } }
                }
            }
        }
    }
}

fn play_link(explorer: &Explorer, found: &Explored) -> String {
    let position = found.position.shown.position.as_str();
    let player = format!("perfect(file={})", explorer.file);
    let path = Route::Play(found.game.clone(), PlayView::Page).link();
    format!("{path}?{}", query(&[("position", position), ("second", &player)]))
}

/// The moves with their values, best first. The script reads the rows, as it reads hints.
fn fan(explorer: &Explorer, found: &Explored, rows: &[MoveValue]) -> Markup {
    let path_of = |text: &str| found.position.board.moves.iter().find(|path| path.text == text);
    html! {
        div.wide tabindex="0" role="group" aria-label="Moves and their values" {
            table.hints #moves-table {
                thead { tr { th { "Move" } th { "Value for the player who moves" } } }
                tbody {
                    @for row in rows {
                        @let path = path_of(&row.text);
                        tr data-move=(row.text) data-value=(row.number) data-mark=(mark(row)) data-class=(row.class()) data-plies=[row.plies] {
                            td {
                                a data-move=(row.text) data-path=(path.map(move_cells).unwrap_or_default()) data-forced=(path.map_or(0, forced_from))
                                    href=(explorer.after(&row.text).page()) { (row.text) }
                            }
                            td class={ "value " (row.class()) } { span aria-hidden="true" { (row.mark()) } " " (row.words()) }
                        }
                    }
                }
            }
        }
    }
}

/// Mark of a move on the board, with the plies to the end.
fn mark(row: &MoveValue) -> String {
    let plies = row.plies.map_or(String::new(), |plies| plies.to_string());
    format!("{}{plies}", row.mark())
}

/// Form for a random position of a value and a remoteness.
fn finder(explorer: &Explorer) -> Markup {
    html! {
        section #finder aria-label="Random position" {
            h2 { "Random position" }
            form.bar method="get" action=(page_of(&explorer.file)) {
                label for="value" { "Value" }
                select #value name="value" {
                    option value="win" { "win" }
                    option value="tie" { "tie" }
                    option value="lose" { "loss" }
                    option value="draw" { "endless" }
                }
                label for="remoteness" { "Plies to the end" }
                input #remoteness name="remoteness" inputmode="numeric" size="4" autocomplete="off";
                label { input type="checkbox" name="only" value="true"; " with an only move" }
                button type="submit" name="find" value="random" { "Show one" }
            }
            p.note { "The value is that for the player to move. Endless play has no number of plies." }
        }
    }
}

/// The line and its values.
fn line(explorer: &Explorer, found: &Explored) -> Markup {
    let position = &found.position;
    html! {
        section #history aria-label="Value history" {
            h2 { "Value history" }
            @if !position.line.is_empty() {
                ol.line {
                    @for (n, played) in position.line.iter().enumerate() {
                        @let current = (n + 1 == position.ply).then_some("true");
                        li { a class=(super::values::side(played.by)) href=(explorer.at_ply(n + 1).page()) aria-current=[current] { (n + 1) ". " (played.text) } }
                    }
                }
                @if let Some(words) = position.ply.checked_sub(1).and_then(|n| found.values.coach.get(n)) { p #coach { (words) } }
            }
            (PreEscaped(history_svg(&found.values.plies, Some(position.ply), &OnPage { explorer, values: &found.values })))
        }
    }
}

fn interest(explorer: &Explorer, kept: Option<&KeptInterest>) -> Markup {
    html! {
        section #interest aria-label="Interestingness" {
            h2 { "Interestingness" }
            @match kept {
                None => {
                    p { "The file keeps no interestingness of its positions. " a href=(rate_link(&explorer.file)) { "Rate positions" } }
                }
                Some(kept) => {
                    @for words in &kept.words { p { (words) } }
                    @if kept.words.is_empty() { p.note { "The file keeps the interestingness of the start, and of the most interesting win of each remoteness." } }
                    @if !kept.most.is_empty() {
                        details {
                            summary { "Most interesting wins" }
                            ul.legal {
                                @for most in &kept.most {
                                    li { a href=(Explorer::at(&explorer.file, &most.position).page()) { "in " (most.remoteness) ": " (percent(most.interestingness)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Address of a random position of a value and a remoteness.
fn find_link(file: &str, value: Value, remoteness: Option<u64>, is_only: bool) -> String {
    let remoteness = remoteness.map_or(String::new(), |plies| plies.to_string());
    let mut fields = vec![("find", "random"), ("value", value.name())];
    if !remoteness.is_empty() {
        fields.push(("remoteness", &remoteness));
    }
    if is_only {
        fields.push(("only", "true"));
    }
    format!("{}?{}", page_of(file), query(&fields))
}

/// The landscape of a file.
pub(crate) fn landscape(file: &str, found: &CountedLandscape, token: &str) -> String {
    let route = Route::Landscape(names_of(file), Form::Page);
    let rows = &found.report.table;
    let longest = rows.iter().rev().find(|row| row.win > 0);
    let tie = rows.iter().find(|row| row.tie > 0 && row.remoteness > 0);
    let most = found.interest.as_ref().and_then(|kept| {
        kept.most.iter().max_by(|a, b| a.interestingness.total_cmp(&b.interestingness))
    });
    let only = rows.iter().rev().find(|row| row.win > 0 && row.remoteness > 2);
    let content = html! {
        h1 { "Landscape of " (found.report.game) }
        p.bar {
            a href=(page_of(file)) { "Explore positions" }
            @if let Some(row) = longest { a href=(find_link(file, Value::Win, Some(row.remoteness), false)) { "Longest win" } }
            @if let Some(most) = most { a href=(Explorer::at(file, &most.position).page()) { "Most interesting win" } }
            @if let Some(row) = only { a href=(find_link(file, Value::Win, Some(row.remoteness), true)) { "An only move" } }
            @if let Some(row) = tie { a href=(find_link(file, Value::Tie, Some(row.remoteness), false)) { "A tie" } }
            @if found.interest.is_none() { a href=(rate_link(file)) { "Rate positions" } }
        }
        p {
            "Positions by the plies to the end with best play, and by the value for the player to move. A bar opens a position of its kind."
        }
        @if found.report.incomplete {
            p #incomplete data-incomplete {
                (grouped(found.report.counted())) " of " (counted_grouped(found.report.positions)) " are counted so far. "
                a href=(route.link()) { "Count on" }
            }
        }
        (PreEscaped(landscape_svg(file, found)))
        (landscape_table(file, found))
    };
    Page {
        title: &format!("Landscape of {}", found.report.game),
        name: "landscape",
        section: Route::Solved(Form::Page),
        command: route.command().as_deref(),
        data: Some(Route::Landscape(names_of(file), Form::Json).link()),
        content,
    }
    .document(token)
}

/// Kinds of positions in the order in which they are stacked: value, class and word.
const STACK: [(Value, &str, &str); 3] =
    [(Value::Win, "win", "won"), (Value::Tie, "tie", "tied"), (Value::Lose, "lose", "lost")];

/// The picture: a stacked bar for each remoteness.
fn landscape_svg(file: &str, found: &CountedLandscape) -> String {
    const LEFT: f64 = 44.0;
    const WIDTH: f64 = 640.0;
    const ROW: f64 = 24.0;
    const BARS: f64 = WIDTH - LEFT - 100.0;
    let rows = &found.report.table[..found.report.table.len().min(BARS_MAX)];
    let count = |row: &treegauge::report::RemotenessCounts, value| match value {
        Value::Win => row.win,
        Value::Tie => row.tie,
        _ => row.lose,
    };
    let most = rows.iter().map(|row| row.win + row.tie + row.lose).max().unwrap_or(0).max(1);
    let height = 52.0 + ROW * rows.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"history landscape\" data-landscape=\"\" role=\"group\" \
         aria-label=\"Positions by remoteness and value\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let colours = ["#1d6fa5", "#6b7380", "#b4501e"];
    let marks = ["▲ won", "■ tied", "▼ lost"];
    for (n, (mark, colour)) in marks.iter().zip(colours).enumerate() {
        let x = LEFT + 90.0 * n as f64;
        _ = writeln!(
            svg,
            "<g class=\"{}\"><rect x=\"{x}\" y=\"6\" width=\"12\" height=\"12\" fill=\"{colour}\"/></g><text class=\"label\" x=\"{:.0}\" y=\"16\" fill=\"#3c4048\">{mark}</text>",
            STACK[n].1,
            x + 18.0
        );
    }
    _ = writeln!(
        svg,
        "<text class=\"label\" x=\"{:.0}\" y=\"38\" text-anchor=\"end\" fill=\"#3c4048\">plies</text>",
        LEFT - 8.0
    );
    for (n, row) in rows.iter().enumerate() {
        let y = 44.0 + ROW * n as f64;
        let all = row.win + row.tie + row.lose;
        _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\" fill=\"#3c4048\">{}</text>",
            LEFT - 8.0,
            y + 16.0,
            row.remoteness
        );
        let mut x = LEFT;
        for ((value, class, word), colour) in STACK.into_iter().zip(colours) {
            let count = count(row, value);
            if count == 0 {
                continue;
            }
            // A few positions are seen, and can be touched, too.
            let width = (BARS * count as f64 / most as f64).max(3.0);
            let link = find_link(file, value, Some(row.remoteness), false).replace('&', "&amp;");
            let label =
                format!("{} {word} in {}", counted_grouped(count), counted(row.remoteness, "ply"));
            _ = writeln!(
                svg,
                "<a href=\"{link}\" class=\"{class}\" data-value=\"{}\" data-remoteness=\"{}\" aria-label=\"{label}\"><title>{label}</title>\
                 <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.0}\" fill=\"{colour}\"/></a>",
                value.name(),
                row.remoteness,
                ROW - 2.0
            );
            x += width;
        }
        _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{:.0}\" y=\"{:.0}\" fill=\"#3c4048\">{}</text>",
            x + 6.0,
            y + 16.0,
            grouped(all)
        );
    }
    svg + "</svg>\n"
}

fn landscape_table(file: &str, found: &CountedLandscape) -> Markup {
    let most = |remoteness: u64| {
        let kept = found.interest.as_ref()?;
        kept.most.iter().find(|most| u64::from(most.remoteness) == remoteness)
    };
    let cell = |value: Value, row: u64, count: u64| {
        html! {
            td.number { @if count > 0 { a href=(find_link(file, value, Some(row), false)) { (grouped(count)) } } @else { "0" } }
        }
    };
    html! {
        details open[found.report.table.len() > BARS_MAX] {
            summary { "Table" }
            div.wide tabindex="0" role="region" aria-label="Positions by remoteness and value" {
                table.landscape {
                    thead { tr { th.number { "Plies to the end" } th.number { "Won" } th.number { "Tied" } th.number { "Lost" } th { "Most interesting win" } th { "Only move" } } }
                    tbody {
                        @for row in found.report.table.iter().take(ROWS_MAX) {
                            tr {
                                td.number { (row.remoteness) }
                                (cell(Value::Win, row.remoteness, row.win))
                                (cell(Value::Tie, row.remoteness, row.tie))
                                (cell(Value::Lose, row.remoteness, row.lose))
                                td { @if let Some(most) = most(row.remoteness) { a href=(Explorer::at(file, &most.position).page()) { (percent(most.interestingness)) } } }
                                td { @if row.win > 0 && row.remoteness > 0 { a href=(find_link(file, Value::Win, Some(row.remoteness), true)) { "one" } } }
                            }
                        }
                    }
                }
            }
            @if found.report.draw > 0 {
                p { "Endless: " a href=(find_link(file, Value::Draw, None, false)) { (grouped(found.report.draw)) } "." }
            }
            @for (value, count) in [Value::Win, Value::Lose].into_iter().zip([found.report.endless_win, found.report.endless_lose]) {
                @if count > 0 { p { (if value == Value::Win { "Won" } else { "Lost" }) " by endless play: " a href=(find_link(file, value, None, false)) { (grouped(count)) } "." } }
            }
        }
    }
}
