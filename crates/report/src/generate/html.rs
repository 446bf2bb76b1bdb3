//! The report as one self-contained page.

use maud::{Markup, html as markup};
use treegauge_study::generate::{Ancestor, BestGame, GenerateReport, Origin};

use super::{
    BEST, CONTROL_WORDS, CONTROLS, GATES, beside_rows, best_cells, control_cells, fallen_words,
    gate_cells, how, open_words, origins, outside_words, playable_words, sound, summary,
};
use crate::boards::Boards;
use crate::page::page;

/// The whole page. `boards` renders the starts of the games.
#[must_use]
pub fn generate_html(report: &GenerateReport, boards: &dyn Boards) -> String {
    let body = markup! {
        h1 { "Games that were made" }
        div class=(if sound(report) > 0 { "verdict sound" } else { "verdict open" }) { b { (summary(report)) } }
        h2 { "The funnel" }
        (funnel(report))
        (table(&GATES, report.gates.iter().map(|gate| gate_cells(gate).to_vec())))
        details {
            summary.line { "Why candidates fell" }
            ul {
                @for gate in &report.gates {
                    @if let Some(words) = fallen_words(gate) { li { b { (gate.gate.words()) } ": " (words) } }
                }
            }
        }
        @if !report.controls.is_empty() {
            h3 { "The control" }
            p.note { (CONTROL_WORDS) }
            (table(&CONTROLS, report.controls.iter().map(|control| control_cells(control).to_vec())))
        }
        h2 { "The best games" }
        @if report.best.is_empty() { p { "No game passed the gates." } }
        @else { (table(&BEST, report.best.iter().map(|game| best_cells(game).to_vec()))) }
        @if let Some(words) = outside_words(report) { p.note { (words) } }
        @for game in &report.best { (best(game, boards)) }
        h2 { "How they were made and judged" }
        p.note { (how(report)) }
    };
    page("games that were made", &body)
}

fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Markup {
    markup! {
        div.wide {
            table {
                tr { @for title in header { th { (title) } } }
                @for row in rows { tr { @for cell in row { td { (cell) } } } }
            }
        }
    }
}

/// One game: its board, its rules, the verdict, where it comes from.
fn best(game: &BestGame, boards: &dyn Boards) -> Markup {
    let verdict = &game.gauged.verdict;
    let class = match verdict.flawed {
        Some(true) => "verdict flawed",
        Some(false) => "verdict sound",
        None => "verdict open",
    };
    let board = boards.start_svg(&game.source);
    let words = boards.rules_of_text(&game.source);
    let beside = beside_rows(game);
    markup! {
        h3 { (game.name) }
        div.problem {
            @if !board.is_empty() { figure { (board) figcaption { "the start" } } }
            div {
                div class=(class) {
                    (verdict.sentence)
                    ul { li { "The probability that it is playable: " (playable_words(game)) } }
                }
                @if !words.is_empty() { pre { (words) } }
                details { summary.line { "Its text" } pre { (game.source) } }
            }
        }
        h4 { "Where it comes from" }
        (lineage_svg(&game.lineage))
        ul { @for one in &game.lineage { li { (ancestor_words(one)) } } }
        @if !beside.is_empty() {
            details {
                summary.line { "Beside its parents, in games of the weak search" }
                (table(&["", "measure", "of the game", "of the parent", "difference", ""], beside.into_iter().map(Vec::from)))
            }
        }
    }
}

fn ancestor_words(one: &Ancestor) -> String {
    if one.parents.is_empty() {
        return format!("{} is {}, a text of the start", one.game, one.name);
    }
    let open = open_words(&one.open).map_or_else(String::new, |words| format!("; {words}"));
    format!(
        "{} comes from {} by {}{open}",
        one.game,
        origins(&one.parents),
        one.operators.join(", ")
    )
}

/// The length of the greatest bar of the funnel.
const BAR: f64 = 420.0;

/// A bar for what came to each gate, the part that passed in it.
fn funnel(report: &GenerateReport) -> Markup {
    let most = report.gates.iter().map(|gate| gate.entered).max().unwrap_or(0).max(1) as f64;
    let height = 26 * report.gates.len();
    let bars = report.gates.iter().enumerate().map(|(n, gate)| {
        let y = 26 * n;
        let width = |count: u64| (BAR * count as f64 / most * 10.0).round() / 10.0;
        markup! {
            text x="0" y=(y + 15) font-size="12" fill="currentColor" { (gate.gate.words()) }
            rect x="250" y=(y + 3) width=(width(gate.entered)) height="17" fill="var(--rule)" {}
            rect x="250" y=(y + 3) width=(width(gate.passed + gate.open.unwrap_or(0))) height="17" fill="var(--bar)" opacity="0.4" {}
            rect x="250" y=(y + 3) width=(width(gate.passed)) height="17" fill="var(--bar)" {}
            text x=(256.0 + width(gate.entered)) y=(y + 15) font-size="12" fill="currentColor" {
                (gate.passed) " of " (gate.entered)
                @if let Some(open @ 1..) = gate.open { ", cannot tell of " (open) }
            }
        }
    });
    markup! {
        figure.wide.funnel role="img" aria-label="how many candidates came to each gate and passed" {
            svg viewBox=(format!("0 0 780 {height}")) width="780" height=(height) xmlns="http://www.w3.org/2000/svg" {
                @for bar in bars { (bar) }
            }
        }
    }
}

/// The games of a lineage that are drawn; more are a list only.
const DRAWN_MAX: usize = 16;

/// A lineage as a picture, the game on the right and each game right of those that it comes from.
fn lineage_svg(lineage: &[Ancestor]) -> Markup {
    if lineage.len() < 2 || lineage.len() > DRAWN_MAX {
        return markup! {};
    }
    let places = places(lineage);
    let columns = places.iter().map(|place| place[0]).max().unwrap_or(0) + 1;
    let rows = places.iter().map(|place| place[1]).max().unwrap_or(0) + 1;
    let (width, height) = (170 * columns, 40 * rows);
    let at = |game: Origin| lineage.iter().position(|one| one.game == game).map(|n| places[n]);
    let lines = lineage.iter().zip(&places).flat_map(|(one, &[x, y])| {
        let from = one.parents.iter().filter_map(|&parent| at(parent)).enumerate();
        from.map(move |(n, [px, py])| {
            let dash = if n == 0 { "none" } else { "4 3" };
            markup! {
                line x1=(170 * px + 130) y1=(40 * py + 18) x2=(170 * x) y2=(40 * y + 18) stroke="currentColor" stroke-dasharray=(dash) {}
            }
        })
    });
    let boxes = lineage.iter().zip(&places).map(|(one, &[x, y])| {
        markup! {
            rect x=(170 * x) y=(40 * y + 4) width="130" height="28" rx="4" fill="var(--box)" stroke="var(--rule)" {}
            text x=(170 * x + 65) y=(40 * y + 22) font-size="12" text-anchor="middle" fill="currentColor" {
                (shortened(if one.parents.is_empty() { &one.name } else { "" }, one.game))
            }
        }
    });
    markup! {
        div.wide {
            svg viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img" aria-label="where the game comes from" xmlns="http://www.w3.org/2000/svg" {
                @for line in lines { (line) }
                @for one in boxes { (one) }
            }
        }
        @if lineage.iter().any(|one| one.parents.len() > 1) {
            p.note { "A dashed line leads from a game that gave a part." }
        }
    }
}

fn shortened(name: &str, game: Origin) -> String {
    if name.is_empty() {
        return game.to_string();
    }
    name.chars().take(18).collect()
}

/// The column and the row of each game: one column right of the last of its parents, the rows of a column in the
/// order of the lineage.
fn places(lineage: &[Ancestor]) -> Vec<[usize; 2]> {
    let mut columns = vec![0; lineage.len()];
    // A game comes before those that it comes from.
    for n in (0..lineage.len()).rev() {
        let parents = &lineage[n].parents;
        let column_of = |(k, other): (usize, &Ancestor)| {
            parents.contains(&other.game).then_some(columns[k] + 1)
        };
        columns[n] = lineage.iter().enumerate().filter_map(column_of).max().unwrap_or(0);
    }
    let row = |n: usize| columns[..n].iter().filter(|&&column| column == columns[n]).count();
    (0..lineage.len()).map(|n| [columns[n], row(n)]).collect()
}

#[cfg(test)]
mod tests {
    use treegauge_study::generate::Gate;

    use super::*;

    fn one(game: Origin, parents: &[Origin]) -> Ancestor {
        Ancestor {
            game,
            name: "<Hex & co>".to_owned(),
            source: String::new(),
            parents: parents.to_vec(),
            operators: vec!["cross".to_owned()],
            open: vec![Gate::Quick],
        }
    }

    #[test]
    fn a_game_is_drawn_right_of_all_that_it_comes_from() {
        let (a, b) = (Origin::Start(0), Origin::Start(1));
        let (c, d) = (Origin::Made(3), Origin::Made(8));
        let lineage = [one(d, &[c, b]), one(c, &[a]), one(a, &[]), one(b, &[])];
        assert_eq!(places(&lineage), [[2, 0], [1, 0], [0, 0], [0, 1]]);
        let svg = lineage_svg(&lineage).into_string();
        assert_eq!(svg.matches("<line").count(), 3);
        assert!(svg.contains("&lt;Hex &amp; co&gt;") && !svg.contains("<Hex"), "{svg}");
        let words = ancestor_words(&lineage[0]);
        assert!(
            words.ends_with("by cross; the quick gauge cannot tell whether it has flaws"),
            "{words}"
        );
        assert_eq!(
            lineage_svg(&lineage[2..3]).into_string(),
            "",
            "a text of the start comes from nothing"
        );
    }
}
