//! Search trees as outlines.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value, json};
use treegauge::PlayerSpec;
use treegauge::board::Side;
use treegauge::engine::UctPlayer;
use treegauge::report::{counted, grouped};

use super::board::{Shown, board};
use super::values::signed;
use super::{Page, command_box, query};
use crate::answer::Refusal;
use crate::route::{Form, PlayView, Route, TreeView};
use crate::task_form::{Checked, sentence, shell_line};
use crate::worker::{At, Child, Grown, Growth, NODES_MAX, Node, Rectangle, Row, Stop, View};

/// Iterations unless the address says others.
const ITERATIONS: u32 = 10_000;

/// Parameters of the search besides its iterations, with their choices and what they are.
const VARIANTS: [(&str, &[&str], &str); 4] = [
    ("expansion", &["order", "random"], "order of the first visits to the moves of a position"),
    ("merge", &["none", "equal", "symmetric"], "positions that share a node"),
    ("backup", &["single", "all"], "nodes of a web that a result updates"),
    ("counts", &["node", "edge"], "visits in a web that decide the choice among moves"),
];

/// The address of a search tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TreeSetting {
    at: At,
    iterations: u32,
    seed: u64,
    cp: Option<String>,
    /// Choices of [`VARIANTS`]; the first of each is the default.
    variants: [String; 4],
    solver: bool,
    /// Moves to the node that was chosen.
    pub(crate) node: Vec<String>,
    /// Whether the tree is part of the page. Otherwise scripts grow it.
    pub(crate) is_asked: bool,
}

impl TreeSetting {
    /// Reads a query.
    pub(crate) fn of(game: &str, fields: &[(String, String)]) -> Result<TreeSetting, Refusal> {
        let value = |name: &str| {
            let given =
                |(field, value): &&(String, String)| field == name && !value.trim().is_empty();
            fields.iter().rev().find(given).map(|(_, value)| value.trim())
        };
        let words = |name: &str| -> Vec<String> {
            let words = value(name).unwrap_or_default().split_whitespace();
            words
                .map(|word| word.trim_end_matches(',').to_owned())
                .filter(|word| !word.is_empty())
                .collect()
        };
        let wrong = |name: &str, error: String| Refusal {
            field: Some(name.to_owned()),
            ..Refusal::new(400, error)
        };
        let whole = |name: &str, default: u64| match value(name).map(str::parse::<u64>) {
            None => Ok(default),
            Some(Ok(number)) => Ok(number),
            Some(Err(_)) => Err(wrong(name, format!("`{name}` must be a whole number."))),
        };
        let iterations = whole("iterations", u64::from(ITERATIONS))?;
        let iterations = u32::try_from(iterations).unwrap_or(u32::MAX);
        if iterations == 0 || iterations > NODES_MAX {
            let error = "`iterations` must be from 1 to 2,000,000 here; `treegauge search` grows larger trees.";
            return Err(wrong("iterations", error.to_owned()));
        }
        let position = value("position").map(str::to_owned);
        let setting = TreeSetting {
            at: At { game: game.to_owned(), position, moves: words("moves") },
            iterations,
            seed: whole("seed", 1)?,
            cp: value("cp").map(str::to_owned),
            variants: VARIANTS
                .map(|(name, choices, _)| value(name).unwrap_or(choices[0]).to_owned()),
            solver: value("solver") == Some("true"),
            node: words("node"),
            is_asked: value("now") == Some("yes"),
        };
        let checked = PlayerSpec::parse(&setting.player());
        checked.map_err(|error| Refusal::new(400, sentence(&error.to_string())))?;
        Ok(setting)
    }

    /// The search as a player.
    fn player(&self) -> String {
        let mut text = format!("uct(iterations={}", self.iterations);
        if let Some(cp) = &self.cp {
            _ = write!(text, ",cp={cp}");
        }
        for ((name, choices, _), value) in VARIANTS.iter().zip(&self.variants) {
            if value != choices[0] {
                _ = write!(text, ",{name}={value}");
            }
        }
        text + if self.solver { ",solver=true)" } else { ")" }
    }

    /// The search.
    pub(crate) fn grown(&self) -> Grown {
        Grown { at: self.at.clone(), player: self.player(), seed: self.seed }
    }

    /// Subject of the requests to workers: one of them keeps the tree.
    pub(crate) fn subject(&self) -> String {
        subject(&self.grown())
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = Vec::new();
        fields.extend(self.at.position.clone().map(|position| ("position", position)));
        if !self.at.moves.is_empty() {
            fields.push(("moves", self.at.moves.join(" ")));
        }
        fields.push(("iterations", self.iterations.to_string()));
        if self.seed != 1 {
            fields.push(("seed", self.seed.to_string()));
        }
        fields.extend(self.cp.clone().map(|cp| ("cp", cp)));
        for ((name, choices, _), value) in VARIANTS.iter().zip(&self.variants) {
            if value != choices[0] {
                fields.push((name, value.clone()));
            }
        }
        if self.solver {
            fields.push(("solver", "true".to_owned()));
        }
        if !self.node.is_empty() {
            fields.push(("node", self.node.join(" ")));
        }
        fields
    }

    fn link_of(&self, view: TreeView) -> String {
        let fields = self.fields();
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        format!("{}?{}", Route::Tree(self.at.game.clone(), view).link(), query(&fields))
    }

    /// Address of the page with a node, and with the tree on it.
    fn node_link(&self, path: &[String]) -> String {
        let setting = TreeSetting { node: path.to_vec(), ..self.clone() };
        setting.link_of(TreeView::Page) + "&now=yes"
    }

    /// The task whose report is the data of the page.
    pub(crate) fn task(&self) -> Map<String, Value> {
        let mut task = Map::new();
        task.insert("command".to_owned(), "search".into());
        task.insert("game".to_owned(), self.at.game.clone().into());
        for (name, value) in self.fields() {
            let value = match name {
                "node" => continue,
                "iterations" => json!(self.iterations),
                "seed" => json!(self.seed),
                "solver" => json!(true),
                _ => json!(value),
            };
            task.insert(name.to_owned(), value);
        }
        task
    }

    fn command(&self) -> Vec<String> {
        Checked::of(&self.task()).map(|checked| checked.shown("NAME")).unwrap_or_default()
    }

    /// The command that writes the whole tree to a file.
    pub(crate) fn whole_command(&self) -> String {
        shell_line(&self.command()).replacen(" --json", " --tree-json=tree.json", 1)
    }
}

/// Subject of the requests about a search.
pub(crate) fn subject(search: &Grown) -> String {
    let At { game, position, moves } = &search.at;
    let uct = PlayerSpec::parse(&search.player).ok();
    let uct = uct.and_then(|spec| spec.get::<UctPlayer>().copied());
    let uct = uct.map(|uct| UctPlayer { iterations: 0, ..uct });
    format!("tree {game} {position:?} {moves:?} {uct:?} {}", search.seed)
}

/// The state of a search in words.
pub(crate) fn growth_words(search: &Grown, growth: Growth) -> String {
    let iterations = grouped(u64::from(growth.iterations));
    let nodes = grouped(u64::from(growth.nodes));
    match growth.stopped {
        Stop::Iterations => format!("{iterations} iterations, {nodes} nodes."),
        Stop::Proved => format!(
            "{iterations} iterations, {nodes} nodes. The result is proved, so the search ended."
        ),
        Stop::Nodes => format!(
            "{iterations} iterations. The tree has {nodes} nodes, as many as a page may grow."
        ),
        Stop::Time => {
            let position = search.at.position.as_ref().map(|text| format!("--position={text}"));
            let moves = (!search.at.moves.is_empty())
                .then(|| format!("--moves={}", search.at.moves.join(" ")));
            let player = format!("--player={}", search.player);
            let words: Vec<String> = ["search".to_owned(), player]
                .into_iter()
                .chain(position)
                .chain(moves)
                .chain(["--".to_owned(), search.at.game.clone()])
                .collect();
            format!(
                "The search was stopped after 30 s with {iterations} iterations; for a longer one: `{}`.",
                shell_line(&words)
            )
        }
    }
}

/// The page.
pub(crate) fn tree(setting: &TreeSetting, view: Option<&View>, token: &str) -> String {
    let game = &setting.at.game;
    let name = view.map_or(game.as_str(), |view| &view.name);
    let content = html! {
        h1 { a href=(Route::Game(game.clone(), Form::Page).link()) { (name) } ": search tree" }
        (form(setting))
        div #tree data-game=(game) data-player=(setting.player()) data-seed=(setting.seed) data-iterations=(setting.iterations)
            data-moves=(setting.at.moves.join(" ")) data-position=[setting.at.position.as_ref()] {
            @match view {
                Some(view) => (body(setting, view)),
                None => {
                    p.note data-waits { "The tree comes here." }
                    noscript { p { a href=(setting.node_link(&setting.node)) { "Grow the tree" } } }
                }
            }
        }
    };
    Page {
        title: &format!("{name}: search tree"),
        name: "tree",
        section: Route::Games(Form::Page),
        command: Some(&setting.command()),
        data: Some(setting.link_of(TreeView::Json)),
        content,
    }
    .document(token)
}

/// The parts of the page that change with the search, for scripts.
pub(crate) fn tree_parts(setting: &TreeSetting, view: &View) -> String {
    html! {
        div #tree { (body(setting, view)) }
        (command_box(&setting.command()))
        a #data href=(setting.link_of(TreeView::Json)) {}
    }
    .into_string()
}

fn form(setting: &TreeSetting) -> Markup {
    let is_open = setting.solver
        || setting.cp.is_some()
        || VARIANTS
            .iter()
            .zip(&setting.variants)
            .any(|((_, choices, _), value)| value != choices[0]);
    html! {
        form #search method="get" action=(Route::Tree(setting.at.game.clone(), TreeView::Page).link()) {
            @if let Some(position) = &setting.at.position { input type="hidden" name="position" value=(position); }
            input type="hidden" name="now" value="yes";
            div.bar {
                label for="iterations" { "Iterations" }
                input #iterations name="iterations" inputmode="numeric" size="9" autocomplete="off" value=(setting.iterations);
                label for="seed" { "Seed" }
                input #seed name="seed" inputmode="numeric" size="5" autocomplete="off" value=(setting.seed);
                label for="moves" { "after the moves" }
                input #moves name="moves" autocomplete="off" spellcheck="false" value=(setting.at.moves.join(" "));
                button type="submit" name="search" { "Search" }
                button type="button" name="grow" hidden { "Grow" }
            }
            details open[is_open] {
                summary { "Variants of UCT" }
                p.pair { label for="cp" { code { "cp" } } input #cp name="cp" autocomplete="off" value=(setting.cp.as_deref().unwrap_or_default()) placeholder="0.7071"; span.note { "exploration constant, on rewards from 0 to 1" } }
                @for ((name, choices, help), value) in VARIANTS.iter().zip(&setting.variants) {
                    p.pair {
                        label for=(name) { code { (name) } }
                        select id=(name) name=(name) { @for choice in *choices { option value=(choice) selected[choice == value] { (choice) } } }
                        span.note { (help) }
                    }
                }
                p.pair { label { input type="checkbox" name="solver" value="true" checked[setting.solver]; " " code { "solver" } } span.note { "prove values, and end the search once its result is proved" } }
            }
            p #search-problem.problem role="alert" hidden {}
            p #growth.note {}
        }
    }
}

fn body(setting: &TreeSetting, view: &View) -> Markup {
    let export =
        |view: TreeView, words: &str| html! { li { a href=(setting.link_of(view)) { (words) } } };
    html! {
        p.note { (growth_words(&setting.grown(), view.growth)) " Values are for the player who makes the move, from -1 (lost) to +1 (won): ● first player, ◆ second." }
        @if !view.expected.is_empty() { p { "Expected line: " b { (view.expected.iter().take(20).cloned().collect::<Vec<_>>().join(" ")) } } }
        div.play {
            div.left {
                ul.tree role="tree" aria-label="Search tree" { (tree_rows(&view.rows, Some(setting))) }
            }
            div.right {
                (node(setting, &view.node))
                section aria-label="Overview" {
                    h2 { "Overview" }
                    (icicle(&view.rectangles))
                    p #icicle-words.note { "A row is a ply, and the width is the share of the visits. Blue is good for the first player, orange for the second." }
                }
                details {
                    summary { "Features of the tree" }
                    div.wide tabindex="0" role="group" aria-label="Features" {
                        table {
                            thead { tr { th { "Feature" } th.number { "Value" } th { "Unit" } th { "Meaning" } } }
                            tbody {
                                @for feature in &view.features {
                                    tr { td { (feature.name) } td.number { (format!("{:.4}", feature.value)) } td { (feature.unit) } td { (feature.meaning) } }
                                }
                            }
                        }
                    }
                }
                details {
                    summary { "Save" }
                    ul.downloads {
                        (export(TreeView::Picture, "Main part (SVG)"))
                        (export(TreeView::Dot, "Main part (DOT, for GraphViz)"))
                        (export(TreeView::Main, "Main part (JSON)"))
                        (export(TreeView::Whole, "Whole tree (JSON)"))
                    }
                }
            }
        }
    }
}

fn visits_words(visits: u64) -> String {
    if visits == 1 { "1 visit".to_owned() } else { format!("{} visits", grouped(visits)) }
}

/// Mark of a player in text.
fn side_mark(side: Side) -> &'static str {
    match side {
        Side::First => "●",
        Side::Second => "◆",
    }
}

/// Rows of the outline. With a setting they are links, for pages without scripts.
pub(crate) fn tree_rows(rows: &[Row], setting: Option<&TreeSetting>) -> Markup {
    html! {
        @for row in rows {
            @match row {
                Row::Node(child) => {
                    @let expanded = (child.tried_moves > 0).then_some(if child.is_open { "true" } else { "false" });
                    @let is_chosen = setting.is_some_and(|setting| setting.node == child.path);
                    @let link = setting.map(|setting| setting.node_link(&child.path));
                    @let (class, value) = value_words(child);
                    li role="treeitem" data-path=(child.path.join(" ")) aria-level=(child.path.len()) aria-expanded=[expanded]
                        aria-selected=(is_chosen) tabindex="-1" class=[child.is_expected.then_some("expected")] {
                        a href=[link] tabindex="-1" { (side_mark(child.by)) " " (child.path.last().map_or("", String::as_str)) }
                        progress max="1000" value=((child.share * 1000.0).round()) aria-hidden="true" {}
                        span { (visits_words(u64::from(child.visits))) }
                        span class={ "value " (class) } { (value) }
                    }
                }
                Row::Folded { parent, from, count, visits } => {
                    @let link = setting.map(|setting| setting.node_link(parent));
                    li.fold role="treeitem" data-parent=(parent.join(" ")) data-from=(from) aria-level=(parent.len() + 1) tabindex="-1" {
                        a href=[link] tabindex="-1" { "+" (counted(*count as u64, "move")) ", " (visits_words(*visits)) }
                    }
                }
            }
        }
    }
}

/// The value of a node in words, with its class.
fn value_words(child: &Child) -> (&'static str, String) {
    match child.proved {
        Some(1..) => ("win", "▲ wins (proved)".to_owned()),
        Some(0) => ("tie", "■ tie (proved)".to_owned()),
        Some(_) => ("lose", "▼ loses (proved)".to_owned()),
        None if child.legal_moves == 0 && child.value.abs() == 1.0 => {
            if child.value > 0.0 {
                ("win", "▲ wins (end)".to_owned())
            } else {
                ("lose", "▼ loses (end)".to_owned())
            }
        }
        None if child.value >= 0.05 => ("win", format!("▲ {}", signed(child.value))),
        None if child.value <= -0.05 => ("lose", format!("▼ {}", signed(child.value))),
        None => ("tie", format!("■ {}", signed(child.value))),
    }
}

/// The chosen node alone, for scripts.
pub(crate) fn tree_node(setting: &TreeSetting, view: &View) -> String {
    html! {
        (node(setting, &view.node))
        a #link href=(setting.link_of(TreeView::Page)) {}
        (command_box(&setting.command()))
    }
    .into_string()
}

fn node(setting: &TreeSetting, node: &Node) -> Markup {
    let mut moves = setting.at.moves.clone();
    moves.extend(node.path.iter().cloned());
    let mut fields = Vec::new();
    fields.extend(setting.at.position.as_deref().map(|position| ("position", position)));
    let moves = moves.join(" ");
    if !moves.is_empty() {
        fields.push(("moves", moves.as_str()));
    }
    let play = Route::Play(setting.at.game.clone(), PlayView::Page).link();
    let from_here = Route::Tree(setting.at.game.clone(), TreeView::Page).link();
    let label = format!(
        "Board after {}, the {} player to move",
        if moves.is_empty() { "no move" } else { &moves },
        node.turn
    );
    html! {
        section #node aria-label="Chosen node" data-node=(node.path.join(" ")) {
            h2 { @if node.path.is_empty() { "Root" } @else { "After " (node.path.join(" ")) } }
            @if let Some(child) = &node.child {
                @let (class, value) = value_words(child);
                p {
                    (visits_words(u64::from(child.visits))) ", value "
                    span class={ "value " (class) } { (value) }
                    @if child.proved.is_none() && child.legal_moves > 0 { " (95% interval " (signed(child.interval[0])) " to " (signed(child.interval[1])) ")" }
                    " for the " (child.by) " player; " (child.tried_moves) " of " (counted(u64::from(child.legal_moves), "move")) " tried."
                }
            }
            @if let Some(ended) = &node.ended { p { "The game is over: " (ended) "." } }
            (board(&Shown { board: &node.board, picture: None, is_flipped: false, is_live: false, label: &label, touched: &[], link: &|_| None }))
            p.bar {
                a href={ (play) @if !fields.is_empty() { "?" (query(&fields)) } } { "Play from here" }
                @if !node.path.is_empty() && node.ended.is_none() { a href={ (from_here) "?" (query(&fields)) } { "Search from here" } }
            }
        }
    }
}

/// Height of a row of the overview.
const PLY: f64 = 18.0;

/// The overview: a rectangle for each of the most visited nodes, below its parent.
fn icicle(rectangles: &[Rectangle]) -> Markup {
    let depth = rectangles.iter().map(|rectangle| rectangle.path.len()).max().unwrap_or(0) + 1;
    let height = PLY * depth as f64;
    let mut svg = format!(
        "<svg class=\"icicle\" role=\"img\" aria-label=\"Overview of the tree: visits by ply\" viewBox=\"0 0 1000 {height}\" preserveAspectRatio=\"none\" height=\"{}\">",
        height.min(360.0)
    );
    for Rectangle { path, from, width, visits, value_for_first } in rectangles {
        let y = PLY * path.len() as f64;
        let shade = ((value_for_first + 1.0) * 3.5).floor().clamp(0.0, 6.0);
        let path = path.join(" ").replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        _ = write!(
            svg,
            "<rect class=\"v{shade}\" data-path=\"{path}\" data-words=\"{} visits, {} for the first player\" x=\"{:.2}\" y=\"{y}\" width=\"{:.2}\" height=\"{PLY}\"/>",
            grouped(u64::from(*visits)),
            signed(*value_for_first),
            from * 1000.0,
            width * 1000.0
        );
    }
    html! { (PreEscaped(svg + "</svg>")) }
}
