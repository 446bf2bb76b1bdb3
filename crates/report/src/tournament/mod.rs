//! Report of a tournament.

mod intervals;

use treegauge_doc::{
    Block, Cell, Column, Doc, Figure, Medium, Paragraph, ParagraphStyle, Svg, Table, Tone, Words,
    Wrap,
};
use treegauge_matches::{PlayerOrder, TournamentReport, TournamentVerdict};
use treegauge_stats::{Comparison, Ratings};
use treegauge_store::GAMES_MAX;

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::estimates::bounded_words;
use crate::lead::{notes, reasons, titled_verdict};
use crate::matches::{
    OPENING_PLIES, SEED, UNREPEATABLE, beginning_words, begins, incomplete_words,
    lost_all_the_same_words, opening_words, repeated_words,
};
use crate::pictures;
use crate::words::{and_listed, command, counted, counted_grouped, grouped};
use intervals::intervals;

impl Document for TournamentReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let title = title_of(&self.game, boards);
        let mut doc = Doc::new(format!("tournament of {title}"));
        let players = counted(self.players.len() as u64, "player");
        let beginning = beginning_words(self.position.as_deref(), &self.moves);
        doc.push(heading(&title, &self.game));
        let note = Block::note(format!("A tournament of {players}{beginning}."));
        doc.push(Block::PagesOnly(vec![note]));
        doc.extend(incomplete_words(self.summary.missing).map(Block::warning));
        let games = counted_grouped(self.summary.games, "game");
        let title = format!("{}{beginning}: a tournament of {players}, {games}", self.game);
        let (tone, headline) = headline(self);
        doc.extend(titled_verdict(tone, headline, &title, &verdict_words(self)));
        doc.extend(notes(warnings(self)));
        let rows = rows(self);
        doc.push(Block::PagesOnly(vec![Block::heading(2, "Ratings")]));
        doc.extend(self.summary.bradley_terry.as_ref().map(|ratings| {
            let caption = "Elo points, the mean of all players being 0, with simultaneous 95% intervals; an arrow marks a side on which nothing bounds a rating.";
            let picture = ratings_chart(self, &rows, ratings);
            Figure { name: "ratings", picture, caption: caption.into(), ..Figure::default() }.into()
        }));
        doc.push(standings(self, &rows));
        if let Some(ratings) = &self.summary.bradley_terry {
            let overlap = if overlaps(ratings) { OVERLAP } else { "" };
            doc.push(Block::note(format!("{COLUMNS}{overlap}")));
            let lines = better_lines(self, &rows);
            let paragraph = |line: String| Paragraph::new(ParagraphStyle::Plain, line);
            let lines: Vec<Paragraph> = lines.into_iter().map(paragraph).collect();
            doc.extend((!lines.is_empty()).then(|| Block::TextOnly(vec![Block::Lines(lines)])));
        }
        // Without ratings that fit, the pairings are the result.
        let is_first = self.verdict.ratings_fit == Some(false)
            || self.summary.bradley_terry.is_none()
            || !self.verdict.cycles.is_empty();
        let crossed = crossed(self, &rows);
        match is_first {
            true => doc.extend(crossed),
            false => doc.push(Block::fold("Cross table", crossed)),
        };
        let mut sentences = reason_words(self);
        sentences.extend(HOW_TO_READ.map(str::to_owned));
        doc.extend(reasons(sentences, vec![effort(self, &rows).into()]));
        doc.extend(rules(boards));
        doc.next = next(self, &rows).map(Words::from).unwrap_or_default();
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::tournament::picture(self, boards)
    }
}

/// Points of each player against each other, with an explanation.
fn crossed(report: &TournamentReport, rows: &[Row]) -> Vec<Block> {
    let lead = "Points of the row player against the column player, of games";
    let page = format!(
        "{lead}, the players in the order of their ratings; the colour is the share, from red (none) to blue (all)."
    );
    vec![
        Block::PagesOnly(vec![Block::note(page)]),
        Block::TextOnly(vec![Block::text(format!("{lead}:"))]),
        cross_table(report, rows).into(),
    ]
}

/// Command that may help a reader of the report most.
fn next(report: &TournamentReport, rows: &[Row]) -> Option<String> {
    if report.summary.incomplete {
        return None;
    }
    // Equal names are numbered.
    let name = |player: usize| {
        let name = report.players[player].as_str();
        let numbered = name.rsplit_once(" #").filter(|(_, n)| n.parse::<u32>().is_ok());
        numbered.map_or(name, |(name, _)| name)
    };
    let moves = report.moves.join(" ");
    let begins = begins(report.position.as_deref(), &moves);
    match &report.verdict.order {
        PlayerOrder::Whole { .. } => {
            let best = name(rows.first()?.player);
            let arguments = [&[report.game.as_str(), "--second", best], &begins[..]].concat();
            Some(format!("{} lets you play against the best.", command("play", &arguments)))
        }
        PlayerOrder::Unrated => None,
        PlayerOrder::TooFewGames | PlayerOrder::Undecided | PlayerOrder::Partial { .. } => {
            let games = report.games_per_match.saturating_mul(4).min(GAMES_MAX);
            let [games, plies, seed] =
                [u64::from(games), u64::from(report.opening_plies), report.seed]
                    .map(|n| n.to_string());
            let mut arguments = vec![report.game.as_str()];
            arguments.extend((0..report.players.len()).map(name));
            arguments.extend(["--games", games.as_str()]);
            arguments.extend(begins);
            if report.opening_plies != OPENING_PLIES {
                arguments.extend(["--opening-plies", plies.as_str()]);
            }
            if report.seed != SEED {
                arguments.extend(["--seed", seed.as_str()]);
            }
            let command = command("tournament", &arguments);
            Some(format!("{command} plays more games and narrows the intervals."))
        }
    }
}

/// Explains the columns of the ratings.
const COLUMNS: &str = "Elo 0 is the mean of all players, and all intervals hold simultaneously; points are 1 for a win and \
     1/2 for a draw.";

/// Explains why overlapping intervals of ratings do not contradict an order.
const OVERLAP: &str = " The intervals of two ratings may overlap although one player is shown to be better: that rests on the \
     interval of their difference, which is narrower.";

/// Whether the intervals of two players overlap whose difference is real.
fn overlaps(ratings: &Ratings) -> bool {
    let end = |player: usize| ratings.ratings[player].elo;
    ratings.differences.iter().filter(|difference| difference.real).any(|difference| {
        let ends = end(difference.better).low.zip(end(difference.worse).high);
        ends.is_none_or(|(low, high)| low <= high)
    })
}

/// Lines on who is better than whom; empty if the verdict says it.
fn better_lines(report: &TournamentReport, rows: &[Row]) -> Vec<String> {
    if let PlayerOrder::Whole { .. } = report.verdict.order {
        return Vec::new();
    }
    let better = rows.iter().filter(|row| !row.better_than.is_empty());
    let line = |row: &Row| {
        let worse: Vec<String> =
            row.better_than.iter().map(|&player| report.players[player].clone()).collect();
        format!(
            "{} is better than {}.",
            report.players[row.player],
            and_listed(&worse, worse.len())
        )
    };
    better.map(line).collect()
}

/// Explanations of the numbers.
const HOW_TO_READ: [&str; 3] = [
    "Ratings follow Bradley and Terry 1952: the share of points that a player takes from another depends on the difference of their ratings alone, and 400 points are odds of ten to one. Their spread is that of pairs of games.",
    "A player is better than another if the interval of their difference excludes 0; all these statements hold simultaneously with 95% confidence (Bonferroni).",
    "Depth is the mean depth of searches in plies, for players that report one.",
];

/// A player in both tables.
struct Row {
    /// Place in the order of the ratings, from 1: the number of the player in both tables.
    place: usize,
    /// Index of the player, from 0.
    player: usize,
    points: String,
    depth: Cell,
    nodes: Cell,
    elo: Cell,
    better_than: Vec<usize>,
}

impl Row {
    /// Place of the player and its name.
    fn title(&self, report: &TournamentReport) -> String {
        format!("{} {}", self.place, report.players[self.player])
    }
}

/// Table of the players, the best first.
fn standings(report: &TournamentReport, rows: &[Row]) -> Table {
    let columns = [
        Column::left("player"),
        Column::left("Elo (95% interval)"),
        Column::left("points"),
        // A terminal has no room for names, so it has a line for each player.
        Column::left("better than").only(Medium::Pages),
    ];
    let mut table = Table::new("ratings", columns).wrapped(Wrap::Cards);
    for row in rows {
        table.push([
            Cell::from(row.title(report)),
            row.elo.clone(),
            Cell::from(row.points.as_str()),
            Cell::from(names(report, &row.better_than)),
        ]);
    }
    table
}

/// Table of the effort of the players.
fn effort(report: &TournamentReport, rows: &[Row]) -> Table {
    let columns = [Column::left("player"), Column::right("depth"), Column::right("nodes per move")];
    let mut table = Table::new("effort", columns);
    for row in rows {
        table.push([Cell::from(row.title(report)), row.depth.clone(), row.nodes.clone()]);
    }
    table
}

fn names(report: &TournamentReport, players: &[usize]) -> String {
    players.iter().map(|&player| report.players[player].as_str()).collect::<Vec<_>>().join(", ")
}

/// Table of the points of each player against each other.
fn cross_table(report: &TournamentReport, rows: &[Row]) -> Table {
    let numbers = rows.iter().map(|row| Column::right(row.place.to_string()));
    let names = [
        Column::right("player").only(Medium::Terminal),
        Column::left("player").only(Medium::Pages),
    ];
    let mut table = Table::new("points", names.into_iter().chain(numbers)).wrapped(Wrap::Scroll);
    for row in rows {
        let cells = rows.iter().map(|column| {
            let (words, share) = cell(report, row.player, column.player);
            Cell { heat: share, ..Cell::from(words) }
        });
        let own = [Cell::from(row.place.to_string()), Cell::from(row.title(report))];
        table.push(own.into_iter().chain(cells));
    }
    table
}

fn ratings_chart(report: &TournamentReport, rows: &[Row], ratings: &Ratings) -> Svg {
    let of = |row: &Row| (report.players[row.player].clone(), ratings.ratings[row.player].elo);
    intervals(&rows.iter().map(of).collect::<Vec<_>>(), "Elo")
}

/// Text of one cell of the cross table, and the share of points behind it.
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

/// Players, the best first.
fn rows(report: &TournamentReport) -> Vec<Row> {
    let ratings = report.summary.bradley_terry.as_ref();
    let standings = &report.summary.standings;
    let order = ratings.map_or_else(|| (0..standings.len()).collect(), Ratings::best_first);
    let row = |(index, player): (usize, usize)| {
        let standing = &standings[player];
        Row {
            place: index + 1,
            player,
            points: format!("{} of {}", standing.points, standing.games),
            depth: mean(standing.depth, 2),
            nodes: mean(standing.nodes, 0),
            elo: ratings.map_or(Cell::number("unrated", None), |ratings| {
                let elo = &ratings.ratings[player].elo;
                Cell::number(bounded_words(elo, 0), elo.mean)
            }),
            better_than: ratings.map_or(Vec::new(), |ratings| better_than(ratings, player)),
        }
    };
    order.into_iter().enumerate().map(row).collect()
}

/// Cell of a mean; `-` if there is none.
fn mean(mean: Option<f64>, digits: usize) -> Cell {
    Cell::number(mean.map_or("-".to_owned(), |mean| format!("{mean:.digits$}")), mean)
}

/// Players that `player` is shown to be better than.
fn better_than(ratings: &Ratings, player: usize) -> Vec<usize> {
    let real = ratings.differences.iter().filter(|difference| difference.real);
    let worse = real.filter(|difference| difference.better == player);
    worse.map(|difference| difference.worse).collect()
}

/// Verdict in a few words, and its colour.
pub(crate) fn headline(report: &TournamentReport) -> (Tone, &'static str) {
    match &report.verdict.order {
        PlayerOrder::TooFewGames => (Tone::Undecided, "Too few games"),
        PlayerOrder::Unrated => (Tone::Undecided, "Not rated"),
        PlayerOrder::Undecided => (Tone::Undecided, "Not decided"),
        PlayerOrder::Whole { .. } => (Tone::Good, "Ranking established"),
        PlayerOrder::Partial { best, .. } if best.len() == 1 => (Tone::Good, "Best player found"),
        PlayerOrder::Partial { .. } => (Tone::Undecided, "Best player not decided"),
    }
}

/// Verdict on which player is better, in words.
pub(crate) fn verdict_words(report: &TournamentReport) -> String {
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
            let best = order.first().map_or("", |&best| name(best));
            format!(
                "{best} is the best player, and the ranking is established: {}.",
                names(order, " > ")
            )
        }
        PlayerOrder::Partial { shown, differences, best } => {
            let decided = format!("the games decide {shown} of the {differences} comparisons");
            match best.as_slice() {
                &[best] => format!("{} is the best player; {decided}.", name(best)),
                several => format!("The best player may be {}: {decided}.", names(several, " or ")),
            }
        }
    };
    let cycles = cycles.iter().map(|&players| {
        let [x, y, z] = players.map(name);
        format!(" There is a rock-paper-scissors cycle: {x} beats {y}, {y} beats {z}, and {z} beats {x}.")
    });
    let misfit = match ratings_fit {
        Some(false) => {
            " But results depend on the pairing: a single rating per player does not fit them, so \
             look at the cross table."
        }
        _ => "",
    };
    order + &cycles.collect::<String>() + misfit
}

/// Reasons to doubt the numbers.
fn warnings(report: &TournamentReport) -> Vec<String> {
    let summary = &report.summary;
    let mut warnings = Vec::new();
    let distinct = summary.encounters.iter().map(|match_| match_.summary.distinct_games);
    let distinct = distinct.fold(0, u64::saturating_add);
    warnings.extend(repeated_words(distinct, summary.games));
    if summary.bradley_terry.as_ref().is_some_and(|ratings| ratings.separated) {
        warnings.push(
            "Some players took no point from others, so some ratings have no bound on one side."
                .to_owned(),
        );
    }
    warnings.extend(forfeits(report));
    if report.time_budget.contains(&true) {
        warnings.push(UNREPEATABLE.to_owned());
    }
    warnings
}

/// Reasons for the verdict and the method of play.
fn reason_words(report: &TournamentReport) -> Vec<String> {
    let summary = &report.summary;
    let mut reasons = Vec::new();
    if let Some(ratings) = &summary.bradley_terry {
        if let Some(fit) = ratings.fit {
            let degrees = match fit.degrees_of_freedom {
                1 => "1 degree".to_owned(),
                n => format!("{n} degrees"),
            };
            let numbers = format!(
                "chi-squared {:.1} at {degrees} of freedom, p {:.3}",
                fit.chi_squared, fit.p_value
            );
            reasons.push(if report.verdict.ratings_fit == Some(false) {
                format!("One rating per player does not explain the results ({numbers}).")
            } else {
                format!("One rating per player explains the results ({numbers}).")
            });
            if ratings.cycles.is_empty() {
                reasons.push("No rock-paper-scissors cycle was found.".to_owned());
            }
        }
        if ratings.separated {
            reasons.push(
                "To give every player a rating, each was given one win and one loss against an imagined opponent."
                    .to_owned(),
            );
        }
    }
    let opening = opening_words(report.opening_plies);
    reasons.push(format!(
        "{} per pairing, {} in all; {opening}; the players swap sides within a pair; seed {}.",
        counted_grouped(report.games_per_match, "game"),
        grouped(summary.games),
        report.seed
    ));
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
        reasons.extend(lost_all_the_same_words(player, lost, report.opening_plies));
    }
    reasons
}

/// Sentences about forfeited games, by player and kind of forfeit.
fn forfeits(report: &TournamentReport) -> impl Iterator<Item = String> {
    report.summary.forfeits().into_iter().map(|(player, kind, games)| {
        let name = &report.players[player as usize];
        format!("{name} lost {} because it {}.", counted(games, "game"), kind.words())
    })
}
