//! Interestingness as text and as a web page.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html as markup};
use treegauge_solve::{Value, Valued};

use super::charts::Charts;
use super::html::page;
use crate::commands::interest::{Analysis, Choices, Drawn, Place, PlaceTerms, Report};
use crate::output::{counted, plies};
use crate::solving::worth_words;
use crate::table::table;

/// Rows of the table that are printed; JSON and the page have all.
const ROWS_MAX: usize = 60;

/// What the number is.
const MEANING: &str = "Interestingness tells how well a forced win is hidden, from 0 to 100 %. A \
win has much of it when many of its moves that look playable throw the win away (the immediate \
term), and when the positions after its winning moves have much of it in turn (the accumulated \
term). A lost position has the mean of the positions after its moves. Ties, endless play and \
finished games have 1 % by definition. After M. Johnson, Interestingness, GamesCrafters 2006.";

/// What the number is not.
const UNSEEN: &str = "What it does not see: people. Every move counts as equally tempting, however \
odd it looks, unless the answer punishes it at once. It rates forced wins only, so a position that \
is balanced has 1 % however rich its play is. It does not ask whether anybody would come to a \
position, only what could happen from there.";

/// A share as the published program shows it.
pub(crate) fn percent(x: f64) -> String {
    format!("{:.2} %", 100.0 * x)
}

/// Who is to move and what he can reach.
fn standing(place: &Place) -> String {
    let turn = &place.turn;
    let letter = if turn == "first" { 'x' } else { 'o' };
    let prospect = match place.valued() {
        Some(Valued { value: Value::Draw, .. }) | None => {
            "can play without end, and no more".to_owned()
        }
        Some(Valued { remoteness: 0, .. }) => return "the game is over".to_owned(),
        Some(valued) => worth_words(valued.value, plies(valued.remoteness)),
    };
    format!("the {turn} player, {letter}, is to move and {prospect}")
}

/// What makes a position as interesting as it is, a sentence a line.
fn place_words(place: &Place, choices: &Choices) -> Vec<String> {
    let Some(terms) = &place.terms else { return Vec::new() };
    let mut lines = terms_words(terms, choices);
    if terms.immediate.is_some() {
        let percent = percent(place.interestingness);
        lines.push(format!("Together {percent}: {TOGETHER}."));
    }
    lines
}

/// How both terms make the number.
pub(crate) const TOGETHER: &str = "1 - sqrt((1 - immediate) (1 - accumulated))";

/// What the terms are made of, a sentence a line.
pub(crate) fn terms_words(terms: &PlaceTerms, choices: &Choices) -> Vec<String> {
    let noun = if choices.children == "positions" { "next position" } else { "move" };
    let accumulated = terms.accumulated.unwrap_or_default();
    let Some(immediate) = terms.immediate else {
        let all = match terms.children {
            1 => format!("The only {noun} loses"),
            n => format!("All {n} {noun}s lose"),
        };
        let mean = percent(accumulated);
        return vec![format!("{all}: {mean} is the mean of what comes after.")];
    };
    let mut kinds = Vec::new();
    for (n, one, many) in [
        (terms.winning, "wins", "win"),
        (terms.losing, "loses, but not at once", "lose, but not at once"),
        (terms.losing_at_once, "loses at once", "lose at once"),
        (terms.ties, "ties", "tie"),
        (terms.draws, "leads to endless play", "lead to endless play"),
    ] {
        if n > 0 {
            kinds.push(format!("{n} {}", if n == 1 { one } else { many }));
        }
    }
    vec![
        format!("{}: {}.", counted(terms.children, noun), kinds.join("; ")),
        format!("Immediate {}: {}.", percent(immediate), immediate_words(terms, choices, noun)),
        format!(
            "Accumulated {}: the mean of what comes after {}.",
            percent(accumulated),
            averaged_words(terms, noun)
        ),
    ]
}

/// Where the immediate term comes from.
fn immediate_words(terms: &PlaceTerms, choices: &Choices, noun: &str) -> String {
    let draws = if choices.draws == "tie" { terms.draws } else { 0 };
    let missteps = terms.losing + terms.ties + draws;
    let counted = counted(missteps + terms.winning, noun);
    let least = if missteps == 0 && choices.form == "clamped" { "; 1 % is the least" } else { "" };
    if missteps == 0 && terms.losing_at_once > 0 {
        let plain = match terms.losing_at_once {
            1 => "1 loses".to_owned(),
            n => format!("{n} lose"),
        };
        return format!("no misstep counts, since {plain} at once, which tempts nobody{least}");
    }
    let thrown = match missteps {
        0 => format!("none of {counted} throws"),
        1 => format!("1 of {counted} throws"),
        n => format!("{n} of {counted} throw"),
    };
    let aside = match (terms.losing_at_once, terms.draws - draws) {
        (0, 0) => "",
        (_, 0) => ", those that lose at once left out",
        (0, _) => ", those to endless play left out",
        _ => ", those that lose at once and those to endless play left out",
    };
    format!("{thrown} the win away{aside}{least}")
}

/// Over which moves the accumulated term is a mean.
fn averaged_words(terms: &PlaceTerms, noun: &str) -> String {
    match (terms.averaged, terms.winning) {
        (_, 1) => format!("the winning {noun}"),
        (averaged, winning) if averaged < winning => {
            format!("the quickest {averaged} of the {winning} winning {noun}s")
        }
        (_, winning) => format!("the {winning} winning {noun}s"),
    }
}

/// The choices that were made, in words, and how the numbers came about.
fn method(analysis: &Analysis) -> String {
    let sweeps = match analysis.positions_in_loops {
        0 => "No position depends on itself, so one pass gave the numbers.".to_owned(),
        n => format!(
            "{n} of the {} positions lie on a cycle of moves or depend on one: they were computed in {} sweeps, until none moved any more (the least fixed point).",
            analysis.positions, analysis.sweeps
        ),
    };
    format!("{} {sweeps}", choices_words(&analysis.choices))
}

/// The choices that were made, in words.
pub(crate) fn choices_words(choices: &Choices) -> String {
    let form = match choices.form.as_str() {
        "literal" => {
            "The immediate term may be 0, so that easy wins have less than 1 % (form literal)"
        }
        _ => "The immediate term is at least 1 % (form clamped)",
    };
    let averaged = match choices.lose_children.as_str() {
        "fastest" => "a win averages over its quickest winning moves only",
        _ => "a win averages over all its winning moves, slow ones too",
    };
    let counted = match choices.children.as_str() {
        "positions" => "two moves to one position count once",
        _ => "two moves to one position count twice",
    };
    let draws = match choices.draws.as_str() {
        "skip" => "a move to endless play counts as nothing",
        _ => "a move to endless play counts as a tie",
    };
    format!("{form}; {averaged}; {counted}; {draws}.")
}

/// What is said of the most interesting position.
fn most_words(analysis: &Analysis) -> String {
    match &analysis.most_interesting {
        None => "No position is a win before the end, so nothing more can be said.".to_owned(),
        Some(most) if most.position == analysis.start.position => {
            "No position is more interesting than the start.".to_owned()
        }
        Some(most) => format!(
            "The most interesting position has {}: {}.",
            percent(most.interestingness),
            standing(most)
        ),
    }
}

fn start_words(analysis: &Analysis) -> String {
    let start = &analysis.start;
    format!(
        "The start has an interestingness of {}: {}.",
        percent(start.interestingness),
        standing(start)
    )
}

/// A position with its picture and what makes it interesting.
fn drawn_text(place: &Place, drawn: &Drawn, choices: &Choices) -> String {
    let mut text = format!("{}\n\nposition: {}\n", drawn.text.trim_end(), place.position);
    for line in place_words(place, choices) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The whole report as text.
pub(crate) fn interest_text(report: &Report) -> String {
    let analysis = &report.analysis;
    let choices = &analysis.choices;
    let mut text = format!(
        "{}: how interesting its positions are ({} of them)\n\n{}\n\n{}\n{}\n",
        analysis.game,
        analysis.positions,
        start_words(analysis),
        drawn_text(&analysis.start, &report.start, choices),
        most_words(analysis)
    );
    if let (Some(most), Some(drawn)) = (&analysis.most_interesting, &report.most) {
        if most.position != analysis.start.position {
            let _ = write!(text, "\n{}", drawn_text(most, drawn, choices));
        }
        text.push_str("\nThe wins by their plies to the end:\n\n");
        text.push_str(&rows_text(analysis));
    }
    let _ = write!(text, "\n{MEANING}\n\n{UNSEEN}\n\n{}\n", method(analysis));
    if let Some(file) = &report.kept {
        let _ = writeln!(
            text,
            "\nThis is kept in the file; to see the most interesting position again:\n  treegauge interest {file} --start"
        );
    }
    text
}

fn rows_text(analysis: &Analysis) -> String {
    let rows = &analysis.by_remoteness;
    let hidden = rows.len().saturating_sub(ROWS_MAX);
    // The shortest and the longest tell most.
    let shown = rows
        .iter()
        .enumerate()
        .filter(|(n, _)| *n < ROWS_MAX / 2 || *n >= ROWS_MAX / 2 + hidden)
        .map(|(_, row)| {
            [
                row.most.remoteness.unwrap_or_default().to_string(),
                row.wins.to_string(),
                percent(row.mean),
                percent(row.max),
                row.most.position.clone(),
            ]
        });
    let header = ["plies", "wins", "mean", "maximum", "position of the maximum"];
    let mut text = table(header, shown, 0..4);
    if hidden > 0 {
        let _ = writeln!(text, "({hidden} rows in the middle are left out; --json has them all)");
    }
    text
}

/// A position of an analysis that a file keeps.
pub(crate) fn kept_text(analysis: &Analysis, place: &Place, drawn: &Drawn, play: &str) -> String {
    format!(
        "{}: {}\n\n{}\nFrom the analysis that the file keeps. {}\n\nTo play from here against perfect play:\n  {play}\n",
        analysis.game,
        has_words(place),
        drawn_text(place, drawn, &analysis.choices),
        choices_words(&analysis.choices),
    )
}

/// What is said before a game from a position is played.
pub(crate) fn task_text(place: &Place) -> String {
    format!("From {}: {}.\n\n", place.position, has_words(place))
}

fn has_words(place: &Place) -> String {
    format!("{}, interestingness {}", standing(place), percent(place.interestingness))
}

/// The whole report as a web page.
pub(crate) fn interest_html(report: &Report) -> String {
    let analysis = &report.analysis;
    let mut charts = Charts::default();
    let most = analysis.most_interesting.as_ref().zip(report.most.as_ref());
    let apart = most.filter(|(most, _)| most.position != analysis.start.position);
    let body = markup! {
        h1 { (analysis.game) }
        p.note { "How interesting its positions are (" (analysis.positions) " of them). " (MEANING) }
        p.verdict { (start_words(analysis)) " " (most_words(analysis)) }
        @if let Some((most, drawn)) = apart {
            h2 { "The most interesting position" }
            (place(most, drawn, &analysis.choices))
        }
        h2 { "The start" }
        (place(&analysis.start, &report.start, &analysis.choices))
        h2 { "The landscape" }
        div.charts {
            @if let Some(chart) = charts.values_by_remoteness(&report.counts) {
                figure {
                    (PreEscaped(chart))
                    figcaption {
                        "How many positions are how far from the end with best play, by what they are worth to the player to move; the scale is logarithmic."
                        @if report.draws > 0 { " From " (report.draws) " more, play never ends." }
                    }
                }
            }
            @if let Some(chart) = charts.interest_by_remoteness(&analysis.by_remoteness) {
                figure {
                    (PreEscaped(chart))
                    figcaption { "How interesting the wins are. Each grey dot stands for the wins within one twentieth of the scale, the larger the more of the wins of its length they are; point at it for their number." }
                }
            }
        }
        (rows(analysis))
        (pictures(report))
        h2 { "How to read this" }
        ul.note {
            li { (UNSEEN) }
            li { "Where pieces belong to players, the dark ones are those of the first player, x, and the light ones those of the second, o." }
            li { "A position is won in n plies when the winner can force the end in n plies and the loser can delay it so long; both players' moves count." }
            li { (method(analysis)) }
        }
    };
    page(&analysis.game, &body)
}

fn place(place: &Place, drawn: &Drawn, choices: &Choices) -> Markup {
    markup! {
        div.pair {
            figure.board { (PreEscaped(&drawn.svg)) figcaption { (place.position) } }
            div {
                p { b { (percent(place.interestingness)) } ": " (standing(place)) "." }
                ul { @for line in place_words(place, choices) { li { (line) } } }
            }
        }
    }
}

fn rows(analysis: &Analysis) -> Markup {
    let rows = &analysis.by_remoteness;
    markup! {
        @if !rows.is_empty() {
            h2 { "The wins by their plies to the end" }
            table {
                tr { th { "plies" } th { "wins" } th { "mean" } th { "maximum" } th { "position of the maximum" } }
                @for row in rows {
                    tr {
                        td.n { (row.most.remoteness.unwrap_or_default()) } td.n { (row.wins) }
                        td.n { (percent(row.mean)) } td.n { (percent(row.max)) }
                        td { (row.most.position) }
                    }
                }
            }
        }
    }
}

/// The most interesting positions of each remoteness.
fn pictures(report: &Report) -> Markup {
    let rows = &report.analysis.by_remoteness;
    let terms = |terms: &PlaceTerms| {
        let share = |term: Option<f64>| percent(term.unwrap_or_default());
        format!("immediate {}, accumulated {}", share(terms.immediate), share(terms.accumulated))
    };
    markup! {
        @if !report.pictures.is_empty() {
            h2 { "The most interesting win of each length" }
            @if report.pictures.len() < rows.len() {
                p.note { "The " (report.pictures.len()) " most interesting of " (rows.len()) " lengths." }
            }
            div.boards {
                @for (n, drawn) in &report.pictures {
                    @let most = &rows[*n].most;
                    figure {
                        (PreEscaped(&drawn.svg))
                        figcaption {
                            b { (percent(most.interestingness)) } ": " (standing(most)) "."
                            @if let Some(found) = &most.terms { br; (terms(found)) "." }
                        }
                    }
                }
            }
        }
    }
}
