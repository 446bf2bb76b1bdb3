//! Report of a match.

use std::fmt::Write;

use maud::html as markup;
use treegauge_doc::{Block, Cell, Column, Doc, Figure, Svg, Table, Tone, Words};
use treegauge_matches::{MatchReport, MatchSummary, MatchVerdict, Side};
use treegauge_stats::{Comparison, Estimate, Pentanomial, SprtModel, SprtReport, SprtVerdict};
use treegauge_store::GAMES_MAX;

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document};
use crate::chart::INK;
use crate::estimates::{SHARE_SCALE, bounded_words, score_words, share_chart};
use crate::lead::{notes, reasons, titled_verdict};
use crate::pictures;
use crate::words::{command, counted, counted_grouped, grouped};

impl Document for MatchReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let summary = &self.summary;
        let title = title_of(&self.game, boards);
        let mut doc = Doc::new(format!("match of {} and {} in {title}", self.a, self.b));
        let players = players_words(self);
        doc.push(heading(&title, &self.game));
        doc.push(Block::PagesOnly(vec![Block::note(format!("A match{players}."))]));
        doc.extend(incomplete_words(summary.missing).map(Block::warning));
        let (tone, headline) = headline(self);
        let title = format!("{}{players}", self.game);
        doc.extend(titled_verdict(tone, headline, &title, &verdict_words(self)));
        if summary.comparison.games == 0 {
            doc.extend(rules(boards));
            return doc;
        }
        let (first, second) = rows(summary);
        doc.extend(notes(warnings(self)));
        doc.push(measure_table("measures", first, &summary.comparison));
        if summary.comparison.pairs > 0 {
            doc.push(Block::PagesOnly(vec![Block::heading(2, "Pairs by the points of a")]));
            let picture = bars(summary.comparison.pentanomial);
            doc.push(Figure { name: "pairs", picture, is_on_paper: true, ..Figure::default() });
        }
        if let Some(test) = &summary.sprt {
            doc.push(Block::PagesOnly(vec![Block::heading(2, "Sequential test")]));
            let alt = format!(
                "LLR {:.2} between the bounds {:.2} and {:.2}",
                test.llr, test.lower, test.upper
            );
            let caption = "The test accepts H0 when the LLR reaches the lower bound, and H1 at the upper one.";
            let picture = llr_chart(test);
            let caption = caption.into();
            doc.push(Figure { name: "llr", picture, alt, caption, ..Figure::default() });
        }
        let second = (!second.is_empty())
            .then(|| measure_table("details", second, &summary.comparison).into());
        doc.extend(reasons(reason_words(self), second.into_iter().collect()));
        doc.extend(rules(boards));
        doc.next = next(self).map(Words::from).unwrap_or_default();
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::matches::picture(self, boards)
    }
}

fn measure_table(name: &'static str, rows: Vec<Row>, comparison: &Comparison) -> Table {
    let columns = [
        Column::left("measure"),
        Column::left("value (95% interval)"),
        Column::chart(SHARE_SCALE),
        Column::note(""),
    ];
    let mut table = Table::new(name, columns);
    for (name, value, meaning) in rows {
        let chart = match name {
            "score of a" => share_chart(&comparison.score),
            "first mover" => share_chart(&comparison.first_mover),
            _ => Cell::default(),
        };
        table.push([Cell::from(name), Cell::from(value), chart, Cell::from(meaning)]);
    }
    table
}

/// Command that may help a reader of the report most.
fn next(report: &MatchReport) -> Option<String> {
    let summary = &report.summary;
    let games = summary.comparison.games;
    if summary.incomplete {
        return None;
    }
    let with = |games: u64, opening_plies: u32, seed: u64, test: Option<&str>| {
        let is_seeded = seed != SEED;
        let [games, plies, seed] = [games, u64::from(opening_plies), seed].map(|n| n.to_string());
        let moves = report.moves.join(" ");
        let mut arguments = vec![report.game.as_str(), report.a.as_str(), report.b.as_str()];
        arguments.extend(["--games", games.as_str()]);
        arguments.extend(begins(report.position.as_deref(), &moves));
        let options = [
            ("--opening-plies", plies.as_str(), opening_plies != OPENING_PLIES),
            ("--seed", seed.as_str(), is_seeded),
            ("--sprt", test.unwrap_or_default(), test.is_some()),
        ];
        let options = options.into_iter().filter(|(_, _, is_given)| *is_given);
        arguments.extend(options.flat_map(|(name, value, _)| [name, value]));
        command("match", &arguments)
    };
    let again =
        |games, opening_plies| with(games, opening_plies, report.seed, report.test.as_deref());
    let more = |games: u64| Some(again(games, report.opening_plies));
    let many = games.saturating_mul(4).clamp(2, u64::from(GAMES_MAX));
    if undecided_test(report).is_some() {
        return more(many).map(|command| format!("{command} gives the test more games."));
    }
    let Some(better) = better(report) else {
        return match report.verdict {
            MatchVerdict::NoGames => None,
            MatchVerdict::Undecided { .. } if report.a == report.b => None,
            MatchVerdict::SideDecides { .. } => {
                let command = again(games, report.opening_plies.saturating_add(4));
                Some(format!("{command} begins with longer random openings."))
            }
            MatchVerdict::Undecided { games_needed: Some(needed), .. }
                if needed <= u64::from(GAMES_MAX) =>
            {
                more(needed).map(|command| {
                    format!(
                        "{command} shows the difference with probability 80% if the true score is the observed one."
                    )
                })
            }
            MatchVerdict::Undecided { games_needed: Some(_), .. } => {
                let power = command("match", &["--power", "--gap", "0.01"]);
                Some(format!("{power} says how many games a small difference takes."))
            }
            // The test stopped the match by its score.
            MatchVerdict::TestAcceptedH0 { .. } | MatchVerdict::TestAcceptedH1 { .. } => {
                let seed = report.seed.wrapping_add(1);
                let command = with(many, report.opening_plies, seed, None);
                Some(format!("{command} measures the score in fresh games without a test."))
            }
            _ => more(many).map(|command| format!("{command} halves the interval.")),
        };
    };
    let (name, word) = match better {
        Side::A => (&report.a, "a"),
        Side::B => (&report.b, "b"),
    };
    let moves = report.moves.join(" ");
    let mut arguments = vec![report.game.as_str(), "--second", name];
    arguments.extend(begins(report.position.as_deref(), &moves));
    Some(format!("{} lets you play against {word}.", command("play", &arguments)))
}

/// Arguments for the position and the moves before the games; empty for the start.
pub(crate) fn begins<'a>(position: Option<&'a str>, moves: &'a str) -> Vec<&'a str> {
    let position = position.map(|position| ["--position", position]);
    let moves = (!moves.is_empty()).then_some(["--moves", moves]);
    position.into_iter().chain(moves).flatten().collect()
}

/// Random plies at the beginning of a game if the user gives no number.
pub(crate) const OPENING_PLIES: u32 = 2;

/// Seed if the user gives none.
pub(crate) const SEED: u64 = 1;

/// Start of the games, and both players.
fn players_words(report: &MatchReport) -> String {
    let beginning = beginning_words(report.position.as_deref(), &report.moves);
    format!("{beginning}: a is {}, b is {}", report.a, report.b)
}

/// Reasons to doubt the numbers.
fn warnings(report: &MatchReport) -> Vec<String> {
    let summary = &report.summary;
    let mut warnings = Vec::new();
    warnings.extend(repeated_words(summary.distinct_games, summary.comparison.games));
    if summary.capped > 0 {
        warnings.push(format!("The ply cap ended {}.", counted_grouped(summary.capped, "game")));
    }
    for forfeit in &summary.forfeit_kinds {
        let player = side_word(forfeit.side);
        let detail = match forfeit.first_detail.as_str() {
            "" => String::new(),
            detail => format!(", first: {detail}"),
        };
        let games = counted(forfeit.games, "game");
        warnings
            .push(format!("{player} lost {games} because it {}{detail}.", forfeit.kind.words()));
    }
    if summary.sprt.is_some_and(|test| test.verdict != SprtVerdict::Continue) {
        warnings.push(
            "The score, the Elo difference and their intervals are biased away from equality, because the test \
             stopped the match."
                .to_owned(),
        );
    }
    if report.time_budget.a || report.time_budget.b {
        warnings.push(UNREPEATABLE.to_owned());
    }
    warnings
}

/// Reasons for the verdict and the method of play.
fn reason_words(report: &MatchReport) -> Vec<String> {
    let summary = &report.summary;
    let mut reasons = Vec::new();
    if let MatchVerdict::Better { p_value: Some(p), .. }
    | MatchVerdict::Undecided { p_value: Some(p), .. } = report.verdict
    {
        reasons.push(format!("{}.", probability_words(p)));
    }
    reasons.push(how_played(report));
    let Comparison { a_wins, b_wins, .. } = summary.comparison;
    for (player, lost) in [(&report.a, b_wins), (&report.b, a_wins)] {
        reasons.extend(lost_all_the_same_words(player, lost, report.opening_plies));
    }
    if let Some(test) = &summary.sprt {
        let written = report.test.as_deref().unwrap_or_default();
        reasons.push(format!("The sequential test: {written}"));
        reasons.push(format!(
            "LLR {:.2} ({:.2}, {:.2}) [{}, {}] {}",
            test.llr,
            test.lower,
            test.upper,
            test.elo0,
            test.elo1,
            test.model.name()
        ));
        reasons.push(
            "LLR is the log-likelihood ratio of the SPRT, a sequential probability ratio test: the test \
             accepts H0 at the lower bound and H1 at the upper bound."
                .to_owned(),
        );
        reasons.push(match test.verdict {
            SprtVerdict::Continue => "The test is undecided: it needs more games.".to_owned(),
            _ => "A test stops a match when chance has carried the score far, so the score, the Elo \
                  difference, the nElo, their intervals and the LOS tend to lie too far from equality."
                .to_owned(),
        });
    }
    reasons
}

/// Player shown to be better, by the verdict, or after a test by its bounds or the interval of the
/// score; `None` if neither is.
fn better(report: &MatchReport) -> Option<Side> {
    let score = &report.summary.comparison.score;
    match report.verdict {
        MatchVerdict::Better { player, .. } => Some(player),
        MatchVerdict::TestAcceptedH0 { elo1, .. } if elo1 <= 0.0 => Some(Side::B),
        MatchVerdict::TestAcceptedH1 { elo0, .. } if elo0 >= 0.0 => Some(Side::A),
        MatchVerdict::TestAcceptedH0 { .. } | MatchVerdict::TestAcceptedH1 { .. } => {
            let is_below = score.high.is_some_and(|high| high < 0.5);
            let is_above = score.low.is_some_and(|low| low > 0.5);
            is_below.then_some(Side::B).or(is_above.then_some(Side::A))
        }
        _ => None,
    }
}

/// Returns whether a test leaves no doubt about which player is better: by its bounds, or since the
/// interval of the score is farther from equality than half of its width.
fn is_sure(report: &MatchReport) -> bool {
    let by_bounds = match report.verdict {
        MatchVerdict::TestAcceptedH0 { elo1, .. } => elo1 <= 0.0,
        MatchVerdict::TestAcceptedH1 { elo0, .. } => elo0 >= 0.0,
        _ => false,
    };
    let score = &report.summary.comparison.score;
    let is_far = |(low, high): (f64, f64)| (low - 0.5).max(0.5 - high) > (high - low) / 2.0;
    by_bounds || score.low.zip(score.high).is_some_and(is_far)
}

/// Probability from which on a better player is called probably better.
const PROBABLY: f64 = 0.01;

/// Verdict in a few words, and its colour.
pub(crate) fn headline(report: &MatchReport) -> (Tone, &'static str) {
    if undecided_test(report).is_some() {
        return (Tone::Undecided, "The test is undecided");
    }
    let is_test = matches!(
        report.verdict,
        MatchVerdict::TestAcceptedH0 { .. } | MatchVerdict::TestAcceptedH1 { .. }
    );
    let doubt = matches!(report.verdict, MatchVerdict::Better { p_value: Some(PROBABLY..), .. })
        || is_test && !is_sure(report);
    match (report.verdict, better(report)) {
        (_, Some(Side::A)) if doubt => (Tone::Good, "a is probably better"),
        (_, Some(Side::B)) if doubt => (Tone::Good, "b is probably better"),
        (_, Some(Side::A)) => (Tone::Good, "a is better"),
        (_, Some(Side::B)) => (Tone::Good, "b is better"),
        (verdict, None) => undecided_headline(verdict),
    }
}

/// Headline of a verdict that shows no player to be better.
fn undecided_headline(verdict: MatchVerdict) -> (Tone, &'static str) {
    match verdict {
        MatchVerdict::NoGames => (Tone::Undecided, "No games"),
        MatchVerdict::TestAcceptedH0 { .. } => (Tone::Good, "The test accepted H0"),
        MatchVerdict::TestAcceptedH1 { .. } => (Tone::Good, "The test accepted H1"),
        MatchVerdict::SideDecides { .. } => (Tone::Undecided, "The side decides, not the player"),
        MatchVerdict::Undecided { .. } | MatchVerdict::Better { .. } => {
            (Tone::Undecided, "Not decided")
        }
    }
}

/// Verdict on which player is better, in one or two sentences.
pub(crate) fn verdict_words(report: &MatchReport) -> String {
    let comparison = &report.summary.comparison;
    let score = score_words(&comparison.score);
    let games = counted_grouped(comparison.games, "game");
    if let Some(test) = undecided_test(report) {
        return format!(
            "The sequential test (SPRT) is undecided after {games}: its LLR of {:.2} must reach {:.2} or {:.2}. So \
             far a made {score} of the points.",
            test.llr, test.lower, test.upper
        );
    }
    match report.verdict {
        MatchVerdict::NoGames => "No game was played to its end.".to_owned(),
        MatchVerdict::TestAcceptedH0 { elo0, elo1 } => test_words(report, "H0", [elo0, elo1]),
        MatchVerdict::TestAcceptedH1 { elo0, elo1 } => test_words(report, "H1", [elo0, elo1]),
        MatchVerdict::Better { player, p_value } => {
            let is = match p_value {
                Some(PROBABLY..) => "is probably",
                _ => "is",
            };
            let found = match player {
                Side::A => format!("a {is} better than b: it made {score} of the points."),
                Side::B => format!("b {is} better than a, which made only {score} of the points."),
            };
            let sure = p_value.map(|p| {
                format!(
                    " Equal players score this far from 50% in {} matches of {games}.",
                    often_words(p)
                )
            });
            found + &sure.unwrap_or_default()
        }
        MatchVerdict::SideDecides { same_side, pairs } => format!(
            "The match does not show which player is better: in {} of {} pairs the same side won both \
             games, with either player. The rules or the openings decide these games, not the players.",
            grouped(same_side),
            grouped(pairs)
        ),
        MatchVerdict::Undecided { .. } if report.a == report.b => format!(
            "a and b are the same player, so any difference is chance: a made {score} of the points."
        ),
        MatchVerdict::Undecided { games_needed, .. } => {
            let more = games_needed.zip(comparison.score.mean).map(|(games, mean)| {
                let mean = Estimate { mean: Some(mean), ..Estimate::UNRATED };
                let mean = score_words(&mean).replace(" (no interval)", "");
                format!(
                    " If the true score is the observed {mean}, about {} show it with probability 80%; \
                     if it is nearer to 50%, many more are needed.",
                    counted_grouped(games, "game")
                )
            });
            format!(
                "The match does not show which player is better: a made {score} of the points.{}",
                more.unwrap_or_default()
            )
        }
    }
}

/// Sequential test that some games did not decide; `None` without games or a test.
fn undecided_test(report: &MatchReport) -> Option<&SprtReport> {
    let test = report.summary.sprt.as_ref()?;
    let is_open = test.verdict == SprtVerdict::Continue && report.summary.comparison.games > 0;
    is_open.then_some(test)
}

/// Verdict of a sequential test between two differences that accepted a hypothesis.
fn test_words(report: &MatchReport, accepted: &str, [elo0, elo1]: [f64; 2]) -> String {
    let comparison = &report.summary.comparison;
    let score = score_words(&comparison.score);
    let games = counted_grouped(comparison.games, "game");
    let scale = report.summary.sprt.map_or("", |test| match test.model {
        SprtModel::Logistic => "logistic",
        SprtModel::Normalized => "normalized",
    });
    // The interval of a score that stopped the match is too far from equality.
    let is = if is_sure(report) { "is" } else { "is probably" };
    let found = match better(report) {
        Some(Side::A) => format!("a {is} better than b: it made {score} of the points."),
        Some(Side::B) => format!("b {is} better than a, which made only {score} of the points."),
        None if accepted == "H0" => {
            format!("a is not shown to be better than b: it made {score} of the points.")
        }
        None => format!("a is not clearly worse than b: it made {score} of the points."),
    };
    let (fits, other) = if accepted == "H0" { (elo0, elo1) } else { (elo1, elo0) };
    format!(
        "{found} After {games} the sequential test (SPRT) accepted {accepted}: a difference of {fits} {scale} Elo \
         explains them better than one of {other}."
    )
}

/// Meaning of a two-sided p-value of a match.
fn probability_words(p: f64) -> String {
    let often = often_words(p);
    let p = match p {
        ..0.0001 => "p < 0.0001".to_owned(),
        ..0.01 => format!("p = {p:.4}"),
        ..0.1 => format!("p = {p:.3}"),
        _ => format!("p = {p:.2}"),
    };
    format!("{p}: equal players would score this far from 50% in {often} matches")
}

/// Frequency of a probability among matches, in words.
fn often_words(p: f64) -> String {
    match p {
        ..0.0001 => "fewer than one of 10,000".to_owned(),
        ..0.1 => format!("one of {:.0}", 1.0 / p),
        _ => format!("{:.0} of 100", 100.0 * p),
    }
}

/// Row of a table: name, value with its interval, meaning.
type Row = (&'static str, String, String);

/// Rows of the table, and those of the table behind the reasons.
fn rows(summary: &MatchSummary) -> (Vec<Row>, Vec<Row>) {
    let comparison = &summary.comparison;
    let share = score_words;
    let number = |estimate: &Estimate, digits| bounded_words(estimate, digits);
    let mut rows = vec![
        (
            "score of a",
            share(&comparison.score),
            format!(
                "{} won, {} drawn, {} lost",
                comparison.a_wins, comparison.draws, comparison.b_wins
            ),
        ),
        (
            "Elo difference",
            number(&comparison.elo, 0),
            "a minus b, logistic: 400 is odds of ten to one".to_owned(),
        ),
    ];
    if comparison.first_mover.mean.is_some() {
        let meaning = "share of the points of the player that moves first".to_owned();
        rows.push(("first mover", share(&comparison.first_mover), meaning));
    }
    if let Some(plies) = summary.plies {
        rows.push(("length", format!("{plies:.1}"), "mean, plies".to_owned()));
    }
    let first = std::mem::take(&mut rows);
    if comparison.normalised_elo.mean.is_some() {
        rows.push((
            "nElo",
            number(&comparison.normalised_elo, 0),
            "normalized Elo: 347 is one standard deviation of a game; independent of the draw rate"
                .to_owned(),
        ));
    }
    if let Some(superiority) = comparison.likelihood_of_superiority {
        let value = format!("{:.1}%", 100.0 * superiority);
        let meaning = "likelihood of superiority: that a is better than b".to_owned();
        rows.push(("LOS", value, meaning));
    }
    if comparison.pairs > 0 {
        let counts = comparison.pentanomial.0.map(|count| count.to_string());
        let meaning = "pairs in which a made 0, 1/2, 1, 3/2 and 2 points".to_owned();
        rows.push(("pentanomial", format!("[{}]", counts.join(", ")), meaning));
    }
    let both = |name, [a, b]: [Option<f64>; 2], digits: usize, meaning: &str| {
        let words = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.digits$}"));
        let value = format!("a {}, b {}", words(a), words(b));
        (a.is_some() || b.is_some()).then(|| (name, value, meaning.to_owned()))
    };
    let depth = [summary.depth.a, summary.depth.b];
    rows.extend(both("depth", depth, 2, "mean plies per search"));
    let nodes = [summary.nodes.a, summary.nodes.b];
    rows.extend(both("nodes", nodes, 0, "mean per move"));
    let time_ms = [summary.time_ms.a, summary.time_ms.b];
    rows.extend(both("milliseconds", time_ms, 1, "mean per move"));
    (first, rows)
}

/// Number of missing games; `None` if no game is missing.
pub(crate) fn incomplete_words(missing: u64) -> Option<String> {
    match missing {
        0 => None,
        1 => Some("INCOMPLETE: 1 game is missing.".to_owned()),
        n => Some(format!("INCOMPLETE: {} games are missing.", grouped(n))),
    }
}

/// Position and moves before the games; empty if they begin at the start.
pub(crate) fn beginning_words(position: Option<&str>, moves: &[String]) -> String {
    let from = position.map_or(String::new(), |position| format!(" from {position}"));
    let after =
        if moves.is_empty() { String::new() } else { format!(" after {}", moves.join(" ")) };
    from + &after
}

/// Length of an opening in plies from which on it may end a game before its players move.
const LONG_OPENING: u32 = 9;

/// Openings of pairs of games, in words.
pub(crate) fn opening_words(opening_plies: u32) -> String {
    match opening_plies {
        0 => "no random opening".to_owned(),
        1 => "each pair begins with its own random ply".to_owned(),
        n @ 2..LONG_OPENING => format!("each pair begins with its own {n} random plies"),
        n => format!(
            "each pair begins with its own {n} random plies, or as many as did not end the game"
        ),
    }
}

/// Explains why a player that knows the value of every position lost games nevertheless; `None` if
/// it did not.
pub(crate) fn lost_all_the_same_words(
    player: &str,
    lost: u64,
    opening_plies: u32,
) -> Option<String> {
    let is_perfect = player.split('(').next() == Some("perfect");
    (is_perfect && lost > 0 && opening_plies > 0).then(|| {
        format!(
            "{player} lost {} although it plays perfectly: a game can be lost by the random plies at its \
             beginning, before a player moves.",
            counted(lost, "game")
        )
    })
}

/// Warning if fewer than nine in ten games are distinct; otherwise `None`.
pub(crate) fn repeated_words(distinct: u64, games: u64) -> Option<String> {
    (games > 1 && 10 * u128::from(distinct) < 9 * u128::from(games)).then(|| {
        format!(
            "Only {} of {} are distinct, so the intervals may be too narrow: repeated games add no information. \
             Longer random openings vary the games.",
            grouped(distinct),
            counted_grouped(games, "game")
        )
    })
}

/// Warning for players that have a time budget.
pub(crate) const UNREPEATABLE: &str = "Time budgets depend on the machine and its load: these games \
     cannot be repeated exactly.";

fn side_word(side: Side) -> &'static str {
    match side {
        Side::A => "a",
        Side::B => "b",
    }
}

/// Treatment of games without a partner, such as the last of an odd number; `None` if every game
/// has one.
fn single_words(games: u64) -> Option<String> {
    let (has, counts) = match games {
        0 => return None,
        1 => ("1 game has".to_owned(), "it counts"),
        n => (format!("{n} games have"), "they count"),
    };
    Some(format!(
        "{has} no partner: {counts} in the score, the Elo difference and the LOS, but not in the \
         pentanomial counts, the nElo, the share of the first mover and an SPRT."
    ))
}

/// Method of play, in a sentence or two.
fn how_played(report: &MatchReport) -> String {
    let summary = &report.summary;
    let comparison = &summary.comparison;
    let opening = opening_words(report.opening_plies);
    let single = comparison.games - 2 * comparison.pairs;
    let mut text = format!(
        "{} in {}, {} of the games distinct; {opening}; the players swap sides within a pair, and \
         all intervals are over pairs; seed {}.",
        counted_grouped(comparison.games, "game"),
        counted_grouped(comparison.pairs, "pair"),
        grouped(summary.distinct_games),
        report.seed
    );
    if let Some(words) = single_words(single) {
        let _ = write!(text, " {words}");
    }
    text
}

/// The log-likelihood ratio of a test as a mark between its bounds.
fn llr_chart(test: &SprtReport) -> Svg {
    const WIDTH: f64 = 440.0;
    let SprtReport { llr, lower, upper, .. } = *test;
    // A test that is over lies a little beyond its bound.
    let room = 0.15 * (upper - lower).max(f64::MIN_POSITIVE);
    let share =
        |value: f64| ((value - lower + room) / (upper - lower + 2.0 * room)).clamp(0.01, 0.99);
    let x = |value: f64| (WIDTH * share(value) * 10.0).round() / 10.0;
    let mark = |value: f64, words: &str, y: f64| {
        markup! {
            line x1=(x(value)) x2=(x(value)) y1="22" y2="46" stroke="var(--soft)" {}
            text x=(x(value)) y=(y) text-anchor="middle" fill="currentColor" { (words) }
        }
    };
    let drawn = markup! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {WIDTH} 68")) width=(WIDTH) height="68" font-family="system-ui, sans-serif" font-size="13" {
            rect x=(x(lower)) y="29" width=(format!("{:.1}", x(upper) - x(lower))) height="10" fill="var(--rule)" {}
            rect x=(x(llr.min(0.0))) y="29" width=(format!("{:.1}", (x(llr) - x(0.0)).abs())) height="10" fill="var(--bar)" {}
            (mark(lower, &format!("H0 at {lower:.2}"), 62.0))
            (mark(upper, &format!("H1 at {upper:.2}"), 62.0))
            circle cx=(x(llr)) cy="34" r="7" fill="var(--flaw)" {}
            text x=(x(llr)) y="14" text-anchor="middle" fill="currentColor" { "LLR " (format!("{llr:.2}")) }
        }
    };
    Svg::new(drawn.into_string())
}

/// Bar chart of the pentanomial counts.
fn bars(Pentanomial(counts): Pentanomial) -> Svg {
    const HEIGHT: f64 = 120.0;
    const STEP: u32 = 72;
    let most = counts.into_iter().max().unwrap_or_default().max(1) as f64;
    let bars = ["0", "1/2", "1", "3/2", "2"].into_iter().zip(counts).zip(0u32..);
    let label = |x: f64, y: f64, text: &str| {
        markup! { text x=(x) y=(format!("{y:.1}")) text-anchor="middle" fill="#1d2430" { (text) } }
    };
    let drawn = markup! {
            svg.bars xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {} {}", 5 * STEP, HEIGHT + 50.0)) font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="pairs by the points of a" {
                @for ((points, count), n) in bars {
                    @let height = HEIGHT * count as f64 / most;
                    @let x = f64::from(n * STEP);
                    rect x=(x + 10.0) y=(format!("{:.1}", HEIGHT + 20.0 - height)) width="52" height=(format!("{height:.1}")) fill=(INK) {}
                    (label(x + 36.0, HEIGHT + 14.0 - height, &count.to_string()))
                    (label(x + 36.0, HEIGHT + 38.0, points))
                }
            }
    };
    Svg::new(drawn.into_string())
}

#[cfg(test)]
mod tests {
    fn text(report: &MatchReport) -> String {
        let terminal = treegauge_doc::TextStyle { explain: true, ..Default::default() };
        report.doc(&crate::NoBoards).text(terminal)
    }

    use treegauge_core::{Outcome, Player};
    use treegauge_matches::{Both, MatchHeader};
    use treegauge_stats::{Pairs, Sprt};
    use treegauge_store::GamesHeader;

    use super::*;

    /// Report of a match with these pairs.
    fn report(pairs: Pairs, test: Option<&str>) -> MatchReport {
        let games = GamesHeader::new("heap".to_owned(), None, Vec::new(), 7, 2);
        let header = MatchHeader::of(games, ["random", "uct(iterations=9)"].map(str::to_owned));
        let sprt = test.map(|test| Sprt::parse(test).unwrap().test(pairs.pentanomial()));
        let comparison = pairs.comparison();
        let summary = MatchSummary::of(&[], 0, None);
        let summary = MatchSummary { comparison, pairs, sprt, ..summary };
        MatchReport::new(header, test.map(str::to_owned), summary)
    }

    /// `n` pairs with the same two results.
    fn pairs(n: u64, a_began: Outcome, b_began: Outcome) -> Pairs {
        let mut pairs = Pairs::default();
        (0..n).for_each(|_| pairs.add(a_began, b_began));
        pairs
    }

    #[test]
    fn the_words_are_those_of_the_verdict() {
        use Outcome::{FirstWins, SecondWins};
        let a_wins = pairs(60, FirstWins, SecondWins);
        let mut most = a_wins;
        most.add(SecondWins, SecondWins);
        let mut single = Pairs::default();
        single.add_single(FirstWins, Player::First);
        let mut open = pairs(5, FirstWins, SecondWins);
        (0..3).for_each(|_| open.add(SecondWins, FirstWins));
        let test = Some("elo0=0,elo1=50");
        for (report, expected) in [
            (report(Pairs::default(), None), "No game was played to its end."),
            (report(single, None), "does not show which player is better"),
            (report(most, None), "a is better than b: it made 99"),
            (report(most.swapped(), None), "b is better than a, which made only "),
            (report(pairs(12, FirstWins, FirstWins), None), "in 12 of 12 pairs the same side"),
            (report(open, None), "The match does not show which player is better: a made 63% "),
            (report(open, None), "If the true score is the observed 63%, about "),
            (report(most, test), "a is better than b: it made 99"),
            (report(most, test), "accepted H1: a difference of 50 logistic Elo"),
            (report(open, test), "The sequential test (SPRT) is undecided after 16 games: its LLR"),
            (report(open, test), "gives the test more games"),
            (report(most.swapped(), test), "b is better than a, which made only 1"),
            (report(most.swapped(), test), "accepted H0"),
        ] {
            let text = text(&report);
            assert!(text.contains(expected), "{expected:?} is not in\n{text}");
        }
    }

    #[test]
    fn a_probability_is_said_as_a_number_of_matches() {
        for (p, expected) in [
            (
                0.000_01,
                "p < 0.0001: equal players would score this far from 50% in fewer than one of 10,000 matches",
            ),
            (
                0.0046,
                "p = 0.0046: equal players would score this far from 50% in one of 217 matches",
            ),
            (0.0718, "p = 0.072: equal players would score this far from 50% in one of 14 matches"),
            (0.5, "p = 0.50: equal players would score this far from 50% in 50 of 100 matches"),
        ] {
            assert_eq!(probability_words(p), expected);
        }
    }

    #[test]
    fn a_game_without_a_partner_is_explained() {
        let mut odd = pairs(3, Outcome::FirstWins, Outcome::SecondWins);
        assert!(!text(&report(odd, None)).contains("no partner"));
        odd.add_single(Outcome::FirstWins, Player::First);
        let text = text(&report(odd, None));
        assert!(text.contains("7 games in 3 pairs, "), "{text}");
        assert!(text.contains("1 game has no partner: it counts in the score"), "{text}");
    }

    #[test]
    fn the_page_says_what_the_text_says() {
        let report =
            report(pairs(9, Outcome::FirstWins, Outcome::SecondWins), Some("elo0=0,elo1=9"));
        let page = report.doc(&crate::NoBoards).page();
        let (first, second) = rows(&report.summary);
        for (name, value, _) in first.into_iter().chain(second) {
            assert!(page.contains(name) && page.contains(&value), "{name}: {value}");
        }
        assert!(page.contains("LLR ") && page.contains(" logistic"));
        crate::about_game::tests::assert_named(&report);
    }

    #[test]
    fn a_time_budget_is_said_by_its_field_and_not_by_a_name() {
        let mut report = report(pairs(3, Outcome::Draw, Outcome::FirstWins), None);
        report.a = "time_ms=5".to_owned();
        assert!(!text(&report).contains(UNREPEATABLE));
        report.time_budget = Both { a: false, b: true };
        assert!(text(&report).contains(UNREPEATABLE));
    }
}
