//! The report as one self-contained web page.

use maud::{DOCTYPE, Markup, PreEscaped, html as markup};
use treegauge_core::Outcome;
use treegauge_search::draw::{Limits, Style, pick, svg};
use treegauge_search::{DEFAULT_CP, FEATURE_MEANINGS, FEATURE_NAMES, ShapeOptions};
use treegauge_study::{FlagState, REFERENCE};

use super::charts::Charts;
use super::text::{number, state_words};
use super::{how_played, measurements};
use crate::commands::gauge::Report;

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; color: #1d2430; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.verdict { border-left: 5px solid #2b4c7e; background: #f2f5f9; padding: .8rem 1rem; font-size: 1.08rem; }
.incomplete { background: #fdecea; border-left: 5px solid #b4483a; padding: .6rem 1rem; }
table { border-collapse: collapse; margin: .6rem 0; } th, td { padding: .22rem .8rem .22rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #ccd3dd; font-weight: 600; } td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.yes { color: #b4483a; font-weight: 700; } .no { color: #3c7a4a; } .cannot_tell { color: #8a6d1f; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; } .pair > table { flex: 1 1 560px; } .pair > figure { flex: 0 1 auto; max-width: 520px; } .board { max-width: 300px !important; } .curves { display: flex; flex-wrap: wrap; gap: .3rem; } .curves figcaption { text-align: center; margin-bottom: .5rem; }
.tree { overflow-x: auto; border: 1px solid #e3e7ed; } figure { margin: 0; } figcaption, .note { color: #5a6575; font-size: .9rem; }
svg { max-width: 100%; height: auto; } .tree svg { width: 100%; } .curves svg { width: 260px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(400px, 100%), 1fr)); gap: 1rem; }
.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; } .boards figure { width: 240px; } .boards svg { width: 100%; max-height: 240px; }
.wide { overflow-x: auto; } td.name { overflow-wrap: anywhere; min-width: 7rem; } .heat th { text-align: center; } .heat td { vertical-align: middle; } .heat td.cell { min-width: 3.6rem; padding: .45rem .5rem; text-align: center; white-space: nowrap; font-variant-numeric: tabular-nums; border: 1px solid #ffffff; } .intervals { width: 100%; max-width: 620px; }
body, td { overflow-wrap: break-word; } .pair > * { min-width: 0; }
@media (max-width: 640px) { table { display: block; overflow-x: auto; } }
";

/// A page has less room across than a picture of its own.
const TREE_LIMITS: Limits = Limits { children_max: 6, nodes_max: 30 };

/// Games whose course is drawn: more would make a page that no browser likes.
const CURVES_MAX: usize = 60;

/// A page about a game.
pub(super) fn page(game: &str, body: &Markup) -> String {
    markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "treegauge: " (game) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
    .into_string()
}

/// The whole page.
pub(crate) fn html(report: &Report) -> String {
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
            (faults(report))
            figure.board { (PreEscaped(&report.board_svg)) figcaption { "where the games begin" } }
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
        @if let Some(outline) = &report.outline {
            h2 { "A search tree" }
            p.note { "From where the games begin, at the iterations of the games." }
            div.tree { (PreEscaped(svg(&pick(outline, Style::Plain, TREE_LIMITS)))) }
        }
        (footnotes())
    };
    page(&report.game, &body)
}

fn faults(report: &Report) -> Markup {
    markup! {
        table {
            tr { th { "fault" } th { "has it" } th { "measured" } }
            @for judged in &report.gauge.verdict.flags {
                @let class = match judged.state {
                    FlagState::Yes => "yes",
                    FlagState::No => "no",
                    FlagState::CannotTell => "cannot_tell",
                };
                tr {
                    td { (judged.flag.words()) }
                    td class=(class) { (state_words(judged.state)) }
                    td { (judged.why) }
                }
            }
        }
    }
}

fn measures(report: &Report) -> Markup {
    markup! {
        table {
            tr { th { "measure" } th { "value (95 % interval)" } th { "n" } th {} }
            @for (name, value, n, meaning) in measurements(&report.gauge) {
                tr { td { (name) } td { (value) } td.n { (n) } td.note { (meaning) } }
            }
        }
    }
}

fn curves(report: &Report, charts: &mut Charts) -> Markup {
    let curves = &report.gauge.curves;
    let plies_max = report.gauge.lengths.iter().max().copied().unwrap_or(0) as usize;
    markup! {
        @if curves.iter().any(|curve| !curve.values.is_empty()) {
            h2 { "The course of each game" }
            p.note {
                "The value for the first player, from -1 (lost) to 1 (won), ply by ply: the mean of what both players last thought of their moves, since each thinks well of his own. The band is its 95 % interval."
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

fn features(report: &Report, charts: &mut Charts) -> Markup {
    let gauge = &report.gauge;
    let Some(features) = &gauge.tree.features else { return markup! {} };
    let comparable = gauge.iterations == REFERENCE.iterations
        && gauge.cp.to_bits() == DEFAULT_CP.to_bits()
        && gauge.opening_plies == 0
        && gauge.shape_options == ShapeOptions::default()
        && !report.moved;
    let of = |player: usize, n: usize| {
        let features = gauge.tree_by_player[player].features;
        features.map_or("-".to_owned(), |features| number(features[n].mean))
    };
    markup! {
        h2 { "The shape of the search trees" }
        p.note { (gauge.tree.trees) " trees, one for each move; values are for the player to move." }
        table {
            tr {
                th { "feature" } th { "what it is" } th { "mean" } th { "variance" } th { "min" } th { "max" }
                th { "mean, first to move" } th { "mean, second to move" }
            }
            @for (n, name) in FEATURE_NAMES.iter().enumerate() {
                @let all = features[n];
                tr {
                    td { (name) }
                    td.note { (FEATURE_MEANINGS[n]) }
                    td.n { (number(all.mean)) } td.n { (number(all.variance)) }
                    td.n { (number(all.min)) } td.n { (number(all.max)) }
                    td.n { (of(0, n)) } td.n { (of(1, n)) }
                }
            }
        }
        @if comparable {
            figure {
                (PreEscaped(charts.features(&report.canonical, &features.map(|f| f.mean), &REFERENCE)))
                figcaption {
                    "Means of the features beside those of known games that were gauged in the same way; point at a dot for its name. "
                    (REFERENCE.source)
                }
            }
        } @else {
            p.note {
                "No comparison with other games: theirs are known at " (REFERENCE.iterations)
                " iterations a move from the start, with the default C_p and no random openings."
            }
        }
    }
}

fn footnotes() -> Markup {
    markup! {
        h2 { "How to read this" }
        ul.note {
            li { "Intervals are at 95 %: Wilson's for shares, Student's t for means, order statistics for the median. Shares and means have no interval of zero width, since games that all went one way do not show that every game would; the median's may, for lengths are whole numbers." }
            li { "Completion counts games that the rules of a position ended: not repetition, not a limit, not the cap. Draws include games that were stopped, where the rules call that a draw." }
            li { "A player leads when the whole interval of the value is on his side; lead changes are counted between such plies." }
            li { "Drama is the mean of the root of the winner's deficit over the plies at which he was behind. Decisiveness is 1 less the share of a game that came after the winner stood better than the loser ever did. Both after Thompson 2000 and Browne 2008, on the search's own values." }
            li { "Depth of skill is the share of points of a player with four times the iterations, each side moving first in half of the games: 50 % means that more thought gains nothing." }
            li { "The 16 features are those of Williams 2010; C_p is the exploration constant of UCT." }
            li { "A UCT player is no expert: what it cannot see, the verdict cannot say." }
        }
    }
}
