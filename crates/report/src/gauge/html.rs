//! The report of a gauge as one self-contained web page.

use maud::{Markup, PreEscaped, html as markup};
use treegauge_core::Outcome;
use treegauge_search::picture::svg;
use treegauge_search::{DEFAULT_CP, FEATURES, ShapeOptions};
use treegauge_study::{FeatureSummary, FlagState, GaugeReport, MEASURES, REFERENCE};

use super::text::{mean_words, spread_words, state_words};
use super::{how_played, measurements};
use crate::boards::Boards;
use crate::chart::Charts;
use crate::page::page;

/// Games whose course is shown: more would make the page too large for a browser.
const CURVES_MAX: usize = 60;

/// The whole page. `boards` renders the positions of the game.
#[must_use]
pub fn gauge_html(report: &GaugeReport, boards: &dyn Boards) -> String {
    let gauge = &report.gauge;
    let mut charts = Charts::default();
    let body = markup! {
        h1 { (report.game) }
        p.note { (how_played(report)) }
        @if gauge.incomplete {
            p.incomplete { "Incomplete: the run was stopped before all games were over." }
        }
        p.verdict { (gauge.verdict.sentence) }
        div.pair {
            (flaws(report))
            figure.board { (PreEscaped(boards.svg(&report.position))) figcaption { "where the games begin" } }
        }
        h2 { "Measurements" }
        (measures(report))
        h2 { "Length and choice" }
        div.pair {
            @if let Some(chart) = charts.lengths(&gauge.lengths) { figure { (PreEscaped(chart)) } }
            @if let Some(chart) = charts.branching(&gauge.branching_by_ply) { figure { (PreEscaped(chart)) } }
        }
        (curves(report, &mut charts))
        (features(report, &mut charts))
        @if let Some(picked) = &report.search_tree {
            h2 { "A search tree" }
            p.note { "From where the games begin, at the iterations of the games." }
            div.tree { (PreEscaped(svg(picked))) }
        }
        (footnotes())
    };
    page(&report.game, &body)
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
    markup! {
        table {
            tr { th { "measure" } th { "value (95 % interval)" } th { "n" } th {} }
            @for (name, value, n, meaning) in measurements(&report.gauge) {
                tr { td { (name) } td { (value) } td.n { (n) } td.note { (meaning) } }
            }
        }
    }
}

fn curves(report: &GaugeReport, charts: &mut Charts) -> Markup {
    let curves = &report.gauge.curves;
    let plies_max = report.gauge.lengths.iter().max().copied().unwrap_or(0) as usize;
    markup! {
        @if curves.iter().any(|curve| !curve.values.is_empty()) {
            h2 { "The course of each game" }
            p.note {
                "The value for the first player, from -1 (lost) to 1 (won), ply by ply: the mean of the latest values that both players' searches gave to their own moves, since each overrates its own. The band is its 95 % interval."
                @if curves.len() > CURVES_MAX { " The first " (CURVES_MAX) " of " (curves.len()) " games." }
            }
            div.curves {
                @for (n, curve) in curves.iter().take(CURVES_MAX).enumerate() {
                    @if !curve.values.is_empty() {
                        figure {
                            (PreEscaped(charts.curve(curve, plies_max)))
                            figcaption { (n + 1) ": " (who_won(curve.outcome)) }
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
        Outcome::Draw => "draw",
    }
}

fn features(report: &GaugeReport, charts: &mut Charts) -> Markup {
    let gauge = &report.gauge;
    if gauge.tree.trees == 0 {
        return markup! {};
    }
    let comparable = gauge.iterations == REFERENCE.iterations
        && gauge.cp.to_bits() == DEFAULT_CP.to_bits()
        && gauge.opening_plies == 0
        && gauge.shape_options == ShapeOptions::default()
        && !report.moved;
    markup! {
        h2 { "The shape of the search trees" }
        p.note { (gauge.tree.trees) " trees, one per move; values are for the player to move. Intervals are at 95 % and count the games: the trees of a game are alike." }
        table {
            tr {
                th { "feature" } th { "what it is" } th { "unit" } th { "mean (95 % interval)" } th { "variance" } th { "min" } th { "max" }
                th { "mean (first player)" } th { "mean (second player)" }
            }
            @for feature in FEATURES {
                @let all = gauge.tree.get(feature.name);
                tr {
                    td { (feature.name) }
                    td.note { (feature.meaning) }
                    td { (feature.unit) }
                    td.n { (mean_words(all)) }
                    @for of in [|s: &FeatureSummary| s.variance, |s: &FeatureSummary| s.min, |s: &FeatureSummary| s.max] {
                        td.n { (spread_words(all, of)) }
                    }
                    @for tree in &gauge.tree_by_player {
                        td.n { (mean_words(tree.get(feature.name))) }
                    }
                }
            }
        }
        @if comparable {
            figure {
                (PreEscaped(charts.features(&report.canonical, &gauge.tree, &REFERENCE)))
                figcaption {
                    "Means of the features next to those of known games that were gauged in the same way; point at a dot for its name. "
                    (REFERENCE.source)
                }
            }
        } @else {
            p.note {
                "No comparison with other games: theirs are known at " (REFERENCE.iterations)
                " iterations per move from the start, with the default C_p and no random openings."
            }
        }
    }
}

/// Where the definitions of the features come from, each source once.
fn feature_sources() -> String {
    let mut sources: Vec<&str> = FEATURES.iter().map(|feature| feature.source).collect();
    sources.dedup();
    sources.join("; ")
}

fn footnotes() -> Markup {
    markup! {
        h2 { "How to read this" }
        ul.note {
            li { "Intervals are at 95 %: Wilson's for shares, Student's t, corrected for skewness, for means, order statistics for the median. Shares and means have no interval of zero width: that all games of a sample went one way does not show that every game would." }
            @for measure in MEASURES.iter().filter(|measure| !measure.explanation.is_empty()) {
                li { b { (measure.title) } ": " (measure.explanation) " (" (measure.source) ")" }
            }
            li { "The features are from " (feature_sources()) "; C_p is the exploration constant of UCT." }
            li { "A UCT player is no expert: the verdict cannot know what the player does not see." }
        }
    }
}
