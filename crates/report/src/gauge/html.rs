//! The report of a gauge as one self-contained web page.

use maud::{Markup, html as markup};
use treegauge_core::Outcome;
use treegauge_search::FEATURES;
use treegauge_search::picture::svg;
use treegauge_study::vet::Vetted;
use treegauge_study::{
    FeatureSummary, FlagState, Gauge, GaugeReport, Highlight, MEASURES, REFERENCE, Shown, Turn,
    Unit,
};

use super::card::card;
use super::known::known_games;
use super::text::{mean_words, spread_words, state_words};
use super::{Measured, by_strength, how_played, measurements};
use crate::boards::Boards;
use crate::chart::Charts;
use crate::estimates::estimate_words;
use crate::page::page;
use crate::search::proved_words;
use crate::svg::Svg;
use crate::vet::{unasked_words, vetted_words};
use crate::words::{breakable, counted, plies};

/// Games whose course is shown: more would make the page too large for a browser.
const CURVES_MAX: usize = 60;

/// First moves whose results are shown.
const FIRST_MOVES_MAX: usize = 10;

/// The whole page. `boards` renders the positions of the game.
#[must_use]
pub fn gauge_html(report: &GaugeReport, boards: &dyn Boards) -> String {
    let gauge = &report.gauge;
    let mut charts = Charts::default();
    let body = markup! {
        h1 { (breakable(report.shown_name())) }
        @if report.title.is_some() { p.note { (report.game) } }
        @if gauge.incomplete {
            p.incomplete { "Incomplete: the run was stopped before all games were over." }
        }
        (card(report))
        @if let Some(proved) = &report.proved { p { (proved_words(proved)) } }
        p.note { (how_played(report)) }
        @if let Some(vetted) = &report.vetted { (model_verdict(vetted)) }
        @if let Some(unasked) = &report.model_unasked { p.note { (unasked_words(unasked)) } }
        (courses(report, boards, &mut charts))
        h2 { "Flaws" }
        div.pair {
            (flaws(report))
            figure.board { (boards.svg(&report.position)) figcaption { "where the games begin" } }
        }
        (rules(boards))
        h2 { "Measurements" }
        (measures(report))
        div.side_by_side { div { (first_moves(gauge)) } div { (strengths(gauge)) } }
        details {
        summary { "Length and choice" }
        div.charts {
            @if let Some(chart) = charts.lengths(&gauge.lengths) { figure.paper role="img" aria-label="games by their length" { (chart) } }
            @if let Some(chart) = charts.branching(&gauge.branching_by_ply) { figure.paper role="img" aria-label="legal moves by ply" { (chart) } }
        }
        }
        (curves(report, &mut charts))
        (features(report))
        @if let Some(picked) = &report.search_tree {
            details {
                summary { "A search tree" }
                p.note { "From where the games begin, at the iterations of the games." }
                div.tree.paper { (Svg::new(svg(picked))) }
            }
        }
        (footnotes())
    };
    page(&format!("gauge of {}", report.shown_name()), &body)
}

/// The rules in words: opened for a game of a text, which nobody else knows.
fn rules(boards: &dyn Boards) -> Markup {
    let (sections, short) = (boards.rules_in_words(), boards.rules());
    markup! {
        @if !sections.is_empty() {
            h2 { "The rules" }
            @for section in sections {
                h3 { (section.heading) }
                @for paragraph in section.paragraphs {
                    @if paragraph.level == 0 { p { (paragraph.text) } }
                    @else { ul { li { (paragraph.text) } } }
                }
            }
        } @else if !short.is_empty() {
            h2 { "The rules" }
            p { (short) }
        }
    }
}

/// What a model says of the game.
fn model_verdict(vetted: &Vetted) -> Markup {
    let (verdict, reasons) = vetted_words(vetted);
    markup! {
        details {
            summary.line { (verdict) }
            ul { @for reason in reasons { li { (reason) } } }
        }
    }
}

/// A typical game, the most dramatic and the most one-sided one.
fn courses(report: &GaugeReport, boards: &dyn Boards, charts: &mut Charts) -> Markup {
    let gauge = &report.gauge;
    if gauge.highlights.is_empty() {
        return markup! {};
    }
    markup! {
        h2 { "How games go" }
        @for highlight in &gauge.highlights {
            h3 { (shown_words(highlight)) }
            div.course {
                @if let Some(curve) = gauge.curves.iter().find(|curve| curve.game == highlight.game && !curve.values.is_empty()) {
                    figure.long.paper role="img" aria-label=(format!("the value of game {} for the first player, ply by ply", highlight.game)) {
                        (charts.curve(curve, highlight.moves.len()))
                    }
                }
                @for turn in &highlight.turns {
                    figure {
                        (boards.svg(&turn.position))
                        figcaption { (turn_words(turn)) }
                    }
                }
            }
            p.moves { (highlight.moves.join(" ")) }
        }
        p.note { "Curves: the value for the first player, from -1 (lost) to 1 (won), with its 95% interval. Boards: where that value changed most, and the end. Games have the numbers of the record." }
    }
}

fn shown_words(highlight: &Highlight) -> String {
    let what = match highlight.shown {
        Shown::Typical => "A typical game",
        Shown::MostDramatic => "The most dramatic game",
        Shown::MostOneSided => "The most one-sided game",
    };
    let plies = plies(highlight.moves.len() as u64);
    format!("{what}: game {}, {} after {plies}", highlight.game, who_won(highlight.outcome))
}

fn turn_words(turn: &Turn) -> String {
    match turn.values {
        Some([before, after]) => format!(
            "ply {}, {}: from {} to {} for the first player",
            turn.ply,
            turn.m,
            signed(before),
            signed(after)
        ),
        None => format!("the end: ply {}, {}", turn.ply, turn.m),
    }
}

/// A value with two digits and its sign; without a negative zero.
fn signed(value: f64) -> String {
    format!("{:+.2}", (100.0 * value).round() / 100.0 + 0.0)
}

fn first_moves(gauge: &Gauge) -> Markup {
    if gauge.first_moves.len() < 2 {
        return markup! {};
    }
    markup! {
        h3 { "By first move" }
        table {
            tr { th { "first move" } th { "games" } th { "points of the first player (95% interval)" } }
            @for first_move in gauge.first_moves.iter().take(FIRST_MOVES_MAX) {
                tr {
                    td { (first_move.m) }
                    td.n { (first_move.first_player.n) }
                    td { (estimate_words(&first_move.first_player, Unit::Share)) }
                }
            }
        }
        @if gauge.first_moves.len() > FIRST_MOVES_MAX {
            p.note { "The " (FIRST_MOVES_MAX) " most common of " (gauge.first_moves.len()) "." }
        }
    }
}

fn strengths(gauge: &Gauge) -> Markup {
    let Some((header, rows)) = by_strength(gauge) else { return markup! {} };
    markup! {
        h3 { "By the strength of the players" }
        div.wide {
            table {
                tr { @for title in header { th { (title) } } }
                @for row in rows { tr { @for cell in row { td.n { (cell) } } } }
            }
        }
    }
}

fn flaws(report: &GaugeReport) -> Markup {
    markup! {
        table {
            tr { th { "flaw" } th { "has it" } th { "measured" } }
            @for judged in &report.gauge.verdict.flags {
                @let class = match judged.state {
                    FlagState::Yes => "yes",
                    FlagState::No => "no",
                    FlagState::CannotTell => "cannot_tell",
                    FlagState::DependsOnStrength => "depends_on_strength",
                };
                tr {
                    td { (judged.words()) }
                    td class=(class) { (state_words(judged.state)) }
                    td { (judged.why) }
                }
            }
        }
    }
}

fn measures(report: &GaugeReport) -> Markup {
    let known = known_games(report);
    markup! {
        table {
            tr {
                th { "measure" } th { "value (95% interval)" } th { "n" }
                @if let Some(known) = &known { th { (known.title()) } }
                th {}
            }
            @for Measured { measure, value, n, meaning } in measurements(&report.gauge) {
                tr {
                    td { (measure.title) } td { (value) } td.n { (n) }
                    @if let Some(known) = &known { td { (known.words(measure)) } }
                    td.note { (meaning) }
                }
            }
        }
        @if known.is_none() {
            p.note {
                "No comparison with other games: theirs are known at " (REFERENCE.iterations)
                " iterations per move from the start, with the default C_p and no random openings."
            }
        }
    }
}

fn curves(report: &GaugeReport, charts: &mut Charts) -> Markup {
    let curves = &report.gauge.curves;
    let plies_max = report.gauge.lengths.iter().max().copied().unwrap_or(0) as usize;
    markup! {
        @if curves.iter().any(|curve| !curve.values.is_empty()) {
            details {
            summary { "The course of each game" }
            p.note {
                "The value for the first player, from -1 (lost) to 1 (won), ply by ply: the mean of the latest values that both players' searches gave to their own moves, since each overrates its own. The band is its 95% interval."
                @if curves.len() > CURVES_MAX { " The first " (CURVES_MAX) " of " (curves.len()) " games." }
            }
            div.curves {
                @for curve in curves.iter().take(CURVES_MAX) {
                    @if !curve.values.is_empty() {
                        figure {
                            div.paper { (charts.curve(curve, plies_max)) }
                            figcaption { (curve.game) ": " (who_won(curve.outcome)) }
                        }
                    }
                }
            }
            }
        }
    }
}

fn who_won(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "the first player wins",
        Outcome::SecondWins => "the second player wins",
        Outcome::Draw => "a draw",
    }
}

fn features(report: &GaugeReport) -> Markup {
    let gauge = &report.gauge;
    if gauge.tree.trees == 0 {
        return markup! {};
    }
    let known = known_games(report);
    markup! {
        details {
        summary { "The shape of the search trees" }
        p.note { (counted(gauge.tree.trees, "tree")) ", one per move; values are for the player to move. Intervals are at 95% and count the games: the trees of a game are alike." }
        div.wide {
        table.cards {
            tr {
                th { "feature" } @for column in COLUMNS { th { (column) } }
                @if let Some(known) = &known { th { (known.title()) } }
            }
            @for feature in FEATURES {
                @let all = gauge.tree.get(feature.name);
                tr {
                    td { b { (feature.name) } br; span.note { (feature.meaning) " (" (feature.unit) ")" } }
                    td.n.interval data-name=(COLUMNS[0]) { (mean_words(all)) }
                    @let spreads = [|s: &FeatureSummary| s.variance, |s: &FeatureSummary| s.min, |s: &FeatureSummary| s.max];
                    @for (column, of) in COLUMNS[1..].iter().zip(spreads) {
                        td.n data-name=(column) { (spread_words(all, of)) }
                    }
                    @for (column, tree) in COLUMNS[4..].iter().zip(&gauge.tree_by_player) {
                        td.n.interval data-name=(column) { (mean_words(tree.get(feature.name))) }
                    }
                    @if let Some(known) = &known {
                        td data-name=(known.title()) { (known.feature_words(feature.name)) }
                    }
                }
            }
        }
        }
        @if known.is_some() { p.note { "Known games: " (REFERENCE.source) } }
        }
    }
}

/// The columns of the features behind their names.
const COLUMNS: [&str; 6] = [
    "mean (95% interval)",
    "variance",
    "min",
    "max",
    "mean (first player)",
    "mean (second player)",
];

/// Where the definitions of the features come from, each source once.
fn feature_sources() -> String {
    let mut sources: Vec<&str> = FEATURES.iter().map(|feature| feature.source).collect();
    sources.dedup();
    sources.join("; ")
}

fn footnotes() -> Markup {
    markup! {
        details {
        summary { "How to read this" }
        ul.note {
            li { "Intervals are at 95%: Wilson's for shares, Student's t, corrected for skewness, for means, order statistics for the median. Shares and means have no interval of zero width: that all games of a sample went one way does not show that every game would." }
            @for measure in MEASURES.iter().filter(|measure| !measure.explanation.is_empty()) {
                li { b { (measure.title) } ": " (measure.explanation) " (" (measure.source) ")" }
            }
            li { "The features are from " (feature_sources()) "; C_p is the exploration constant of UCT." }
            li { "A UCT player is no expert: the verdict is about such players of the strengths that it names." }
        }
        }
    }
}
