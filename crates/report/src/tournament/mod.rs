//! The report of a tournament.

mod heat;
mod intervals;

use std::fmt::Write;

use maud::{Markup, html as markup};
use treegauge_study::compare::{Comparison, Ratings};
use treegauge_study::{PlayerOrder, TournamentReport, TournamentVerdict};

use heat::heat;
use intervals::intervals;

use crate::estimates::bounded_words;
use crate::matches::{
    UNREPEATABLE, beginning_words, incomplete_words, lost_all_the_same_words, opening_words,
    repeated_words,
};
use crate::page::page;
use crate::words::{breakable, counted};
use treegauge_doc::plain_table;

/// A row of both tables.
struct Row {
    /// The player by its number from 0.
    player: usize,
    points: String,
    depth: String,
    nodes: String,
    elo: String,
    better_than: Vec<usize>,
}

/// The whole report for the terminal.
#[must_use]
pub fn tournament_text(report: &TournamentReport) -> String {
    let mut text = incomplete_words(report.summary.missing)
        .map_or(String::new(), |words| format!("{words}\n\n"));
    let players = counted(report.players.len() as u64, "player");
    let beginning = beginning_words(report.position.as_deref(), &report.moves);
    let game = &report.game;
    let _ = writeln!(
        text,
        "{game}{beginning}: a tournament of {players}\n\n{}\n",
        verdict_words(report)
    );
    let rows = rows(report);
    let cells = rows.iter().map(|row| {
        let name = format!("{} {}", row.player + 1, report.players[row.player]);
        let better_than = row.better_than.iter().map(|&worse| (worse + 1).to_string());
        let better_than = better_than.collect::<Vec<_>>().join(", ");
        [
            name,
            row.elo.clone(),
            row.points.clone(),
            row.depth.clone(),
            row.nodes.clone(),
            better_than,
        ]
    });
    let header =
        ["player", "Elo (95% interval)", "points", "depth", "nodes per move", "better than"];
    text.push_str(&plain_table(header, cells, 3..5));
    text.push_str("\nPoints of the row player against the column player, of games:\n\n");
    let mut header = vec!["player".to_owned()];
    header.extend(rows.iter().map(|row| (row.player + 1).to_string()));
    let cells = rows.iter().map(|row| {
        let mut cells = vec![(row.player + 1).to_string()];
        cells.extend(rows.iter().map(|column| cell(report, row.player, column.player).0));
        cells
    });
    text.push_str(&plain_table(header, cells, 0..1 + rows.len()));
    text.push('\n');
    for note in notes(report) {
        text.push_str(&note);
        text.push('\n');
    }
    text
}

/// The whole report as a page.
#[must_use]
pub fn tournament_html(report: &TournamentReport) -> String {
    let rows = rows(report);
    let body = markup! {
        h1 { (breakable(&report.game)) }
        p.note {
            "A tournament of " (counted(report.players.len() as u64, "player"))
            (beginning_words(report.position.as_deref(), &report.moves)) "."
        }
        @if let Some(words) = incomplete_words(report.summary.missing) { p.incomplete { (words) } }
        p.verdict { (verdict_words(report)) }
        h2 { "Ratings" }
        @if let Some(ratings) = &report.summary.bradley_terry {
            figure.wide {
                (ratings_chart(report, &rows, ratings))
                figcaption {
                    "Elo points, the mean of all players being 0, with simultaneous 95% intervals; an arrow marks a side on which nothing bounds a rating."
                }
            }
        }
        table.cards {
            tr { th { "player" } th { "Elo (95% interval)" } th { "points" } th { "depth" } th { "nodes per move" } th { "better than" } }
            @for row in &rows {
                tr {
                    td.name { (breakable(&report.players[row.player])) }
                    td.n data-name="Elo (95% interval)" { (row.elo) }
                    td.n data-name="points" { (row.points) }
                    td.n data-name="depth" { (row.depth) }
                    td.n data-name="nodes per move" { (row.nodes) }
                    td data-name="better than" { (breakable(&names(report, &row.better_than))) }
                }
            }
        }
        h2 { "Cross table" }
        (cross_table(report, &rows))
        h2 { "How to read this" }
        ul.note {
            @for note in notes(report) { li { (note) } }
            li { "Ratings are those of Bradley and Terry 1952: the share of points that a player takes from another depends on the difference of their ratings alone, and 400 points are ten to one. Their spread is that of pairs of games." }
            li { "Depth is the mean depth of searches in plies, for players that report one." }
            li { "A player is better than another where the interval of their difference does not contain 0; all these statements hold simultaneously with 95% (Bonferroni)." }
        }
    };
    page(&format!("tournament of {}", report.game), &body)
}

fn names(report: &TournamentReport, players: &[usize]) -> String {
    players.iter().map(|&player| report.players[player].as_str()).collect::<Vec<_>>().join(", ")
}

fn cross_table(report: &TournamentReport, rows: &[Row]) -> Markup {
    markup! {
        p.note { "Points of the row player against the column player, of games, the players in the order of their ratings; the colour is the share, from red (none) to blue (all)." }
        div.wide {
            table.heat {
                tr {
                    th {}
                    @for n in 1..=rows.len() { th { (n) } }
                }
                @for (n, row) in rows.iter().enumerate() {
                    tr {
                        td.name { (n + 1) " " (breakable(&report.players[row.player])) }
                        @for column in rows {
                            @let (words, share) = cell(report, row.player, column.player);
                            @if let Some(share) = share {
                                td.cell style=(heat(share)) title=(format!("{:.0}%", 100.0 * share)) { (words) }
                            } @else {
                                td.cell { (words) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn ratings_chart(report: &TournamentReport, rows: &[Row], ratings: &Ratings) -> Markup {
    let of = |row: &Row| (report.players[row.player].clone(), ratings.ratings[row.player].elo);
    intervals(&rows.iter().map(of).collect::<Vec<_>>(), "Elo")
}

/// The text of one cell of the cross table, and the share of points behind it.
fn cell(report: &TournamentReport, row: usize, column: usize) -> (String, Option<f64>) {
    match report.summary.pairs(row as u32, column as u32) {
        None => ("-".to_owned(), None),
        Some(pairs) if pairs.games() == 0 => ("none".to_owned(), None),
        Some(pairs) => {
            let (points, games) = (pairs.points(), pairs.games());
            (format!("{points}/{games}"), Some(points / games as f64))
        }
    }
}

/// The players, the best first.
fn rows(report: &TournamentReport) -> Vec<Row> {
    let ratings = report.summary.bradley_terry.as_ref();
    let standings = &report.summary.standings;
    let order = ratings.map_or_else(|| (0..standings.len()).collect(), Ratings::best_first);
    let row = |player: usize| {
        let standing = &standings[player];
        Row {
            player,
            points: format!("{} of {}", standing.points, standing.games),
            depth: mean(standing.depth, 2),
            nodes: mean(standing.nodes, 0),
            elo: ratings.map_or("unrated".to_owned(), |ratings| {
                bounded_words(&ratings.ratings[player].elo, 0)
            }),
            better_than: ratings.map_or(Vec::new(), |ratings| better_than(ratings, player)),
        }
    };
    order.into_iter().map(row).collect()
}

/// A mean, if there is one.
fn mean(mean: Option<f64>, digits: usize) -> String {
    mean.map_or("-".to_owned(), |mean| format!("{mean:.digits$}"))
}

/// The players that one is shown to be better than.
fn better_than(ratings: &Ratings, player: usize) -> Vec<usize> {
    let real = ratings.differences.iter().filter(|difference| difference.real);
    let worse = real.filter(|difference| difference.better == player);
    worse.map(|difference| difference.worse).collect()
}

/// Which player is better, in words.
fn verdict_words(report: &TournamentReport) -> String {
    let name = |player: usize| report.players[player].as_str();
    let names = |players: &[usize], between: &str| {
        players.iter().map(|&player| name(player)).collect::<Vec<_>>().join(between)
    };
    let TournamentVerdict { order, cycles, ratings_fit } = &report.verdict;
    let order = match order {
        PlayerOrder::TooFewGames => "Too few games were played to compare all players.".to_owned(),
        PlayerOrder::Unrated => "The run was stopped before the players were rated.".to_owned(),
        PlayerOrder::Undecided if report.players.len() == 2 => {
            "The games do not show which player is better.".to_owned()
        }
        PlayerOrder::Undecided => {
            "The games do not show that any player is better than another.".to_owned()
        }
        PlayerOrder::Whole { order } => {
            format!("The ranking is established: {}.", names(order, " > "))
        }
        PlayerOrder::Partial { shown, differences, best } => {
            let is = if best.len() == 1 { "is" } else { "may be" };
            let best = names(best, " or ");
            format!(
                "The games decide {shown} of the {differences} comparisons between players. The \
                 best player {is} {best}."
            )
        }
    };
    let cycles = cycles.iter().map(|&players| {
        let [x, y, z] = players.map(name);
        format!(" There is a rock-paper-scissors cycle: {x} beats {y}, {y} beats {z}, and {z} beats {x}.")
    });
    let misfit = match ratings_fit {
        Some(false) => {
            " But results depend on the pairing: a single rating per player does not fit the \
             results, so look at the points of each pairing."
        }
        _ => "",
    };
    order + &cycles.collect::<String>() + misfit
}

/// Notes on the numbers.
fn notes(report: &TournamentReport) -> Vec<String> {
    let summary = &report.summary;
    let mut notes = Vec::new();
    if let Some(ratings) = &summary.bradley_terry {
        notes.push(
            "Elo 0 is the mean of all players; all intervals, and all statements that one player is better than another, hold simultaneously."
                .to_owned(),
        );
        if let Some(fit) = ratings.fit {
            let degrees = match fit.degrees_of_freedom {
                1 => "1 degree".to_owned(),
                n => format!("{n} degrees"),
            };
            let numbers = format!(
                "chi-squared {:.1} at {degrees} of freedom, p {:.3}",
                fit.chi_squared, fit.p_value
            );
            notes.push(if report.verdict.ratings_fit == Some(false) {
                format!("One rating per player does not explain the results ({numbers}).")
            } else {
                format!("One rating per player explains the results ({numbers}).")
            });
            if ratings.cycles.is_empty() {
                notes.push("No rock-paper-scissors cycle was found.".to_owned());
            }
        }
        if ratings.separated {
            notes.push(
                "Some players took no point from some others, so not all ratings have bounds; to have numbers at all, each player was given one win and one loss against an imagined opponent."
                    .to_owned(),
            );
        }
    }
    let opening = opening_words(report.opening_plies);
    notes.push(format!(
        "{} per pairing, {} in all; {opening}; the players swap sides within a pair; seed {}.",
        counted(report.games_per_match, "game"),
        summary.games,
        report.seed
    ));
    let distinct = summary.encounters.iter().map(|match_| match_.summary.distinct_games);
    let distinct = distinct.fold(0, u64::saturating_add);
    notes.extend(repeated_words(distinct, summary.games));
    for (n, player) in report.players.iter().enumerate() {
        let lost = summary.encounters.iter().map(|one| {
            let Comparison { a_wins, b_wins, .. } = one.summary.comparison;
            match one.players.map(|player| player as usize == n) {
                [true, _] => b_wins,
                [_, true] => a_wins,
                _ => 0,
            }
        });
        let lost = lost.fold(0, u64::saturating_add);
        notes.extend(lost_all_the_same_words(player, lost, report.opening_plies));
    }
    if report.time_budget.contains(&true) {
        notes.push(UNREPEATABLE.to_owned());
    }
    notes.extend(forfeits(report));
    notes
}

/// The games that players forfeited.
fn forfeits(report: &TournamentReport) -> impl Iterator<Item = String> {
    report.summary.forfeits().into_iter().map(|(player, kind, games)| {
        let name = &report.players[player as usize];
        format!("{name} lost {} because it {}.", counted(games, "game"), kind.words())
    })
}
