//! Report of a match.

use std::fmt::Write;

use maud::html as markup;
use treegauge_doc::{Block, Cell, Column, Doc, Figure, Role, Svg, Table, Tone, Words};
use treegauge_gauge::Unit;
use treegauge_matches::{MatchReport, MatchSummary, MatchVerdict, Side};
use treegauge_stats::{Comparison, Estimate, Pentanomial, SprtModel, SprtVerdict};

use crate::boards::{Boards, Document};
use crate::chart::INK;
use crate::estimates::{SHARE_SCALE, bounded_words, estimate_words, share_chart};
use crate::pictures;
use crate::words::{counted, counted_are};

impl Document for MatchReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, _: &dyn Boards) -> Doc {
        let summary = &self.summary;
        let title = format!("match of {} and {} in {}", self.a, self.b, self.game);
        let mut doc = Doc::new(title);
        let players = players_words(self);
        doc.push(Block::Pages(vec![
            Block::heading(1, self.game.as_str()),
            Block::note(format!("A match{players}.")),
        ]));
        doc.extend(incomplete_words(summary.missing).map(Block::warning));
        doc.push(Block::Terminal(vec![
            Block::text(format!("{}{players}", self.game)),
            Block::text(verdict_words(self)),
        ]));
        doc.push(Block::Verdict {
            tone: Tone::Good,
            headline: Words::default(),
            lead: verdict_words(self).into(),
            points: Vec::new(),
        });
        if summary.comparison.games == 0 {
            return doc;
        }
        doc.push(Block::Pages(vec![Block::heading(2, "What the games show")]));
        let columns = [
            Column::left("measure"),
            Column::left("value (95% interval)"),
            Column::chart(SHARE_SCALE),
            Column::note(""),
        ];
        let mut table = Table::new("measures", columns);
        for (name, value, meaning) in rows(summary) {
            let chart = match name {
                "score of a" => share_chart(&summary.comparison.score),
                "first mover" => share_chart(&summary.comparison.first_mover),
                _ => Cell::default(),
            };
            table.push([Cell::from(name), Cell::from(value), chart, Cell::from(meaning)]);
        }
        doc.push(table);
        if summary.comparison.pairs > 0 {
            doc.push(Block::Pages(vec![Block::heading(2, "The pairs by the points of a")]));
            let picture = bars(summary.comparison.pentanomial);
            doc.push(Figure { name: "pairs", picture, is_on_paper: true, ..Figure::default() });
        }
        doc.push(Block::Terminal(vec![Block::notes(notes(self))]));
        let list = notes(self).into_iter().map(Words::from).collect();
        let list = Block::List(Role::Note, list);
        doc.push(Block::Pages(vec![Block::heading(2, "How it was played"), list]));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::matches::picture(self, boards)
    }
}

/// Start of the games, and both players.
pub(crate) fn players_words(report: &MatchReport) -> String {
    let beginning = beginning_words(report.position.as_deref(), &report.moves);
    format!("{beginning}: a is {}, b is {}", report.a, report.b)
}

/// Notes on the numbers, one paragraph per line.
pub(crate) fn notes(report: &MatchReport) -> Vec<String> {
    let summary = &report.summary;
    let mut notes = vec![how_played(report)];
    let Comparison { a_wins, b_wins, .. } = summary.comparison;
    for (player, lost) in [(&report.a, b_wins), (&report.b, a_wins)] {
        notes.extend(lost_all_the_same_words(player, lost, report.opening_plies));
    }
    if summary.capped > 0 {
        notes.push(format!("The ply cap ended {}.", counted(summary.capped, "game")));
    }
    for forfeit in &summary.forfeit_kinds {
        let player = side_word(forfeit.side);
        let detail = match forfeit.first_detail.as_str() {
            "" => String::new(),
            detail => format!(", first: {detail}"),
        };
        let games = counted(forfeit.games, "game");
        notes.push(format!("{player} lost {games} because it {}{detail}.", forfeit.kind.words()));
    }
    if let Some(test) = &summary.sprt {
        notes.push(format!(
            "LLR {:.2} ({:.2}, {:.2}) [{}, {}] {}",
            test.llr,
            test.lower,
            test.upper,
            test.elo0,
            test.elo1,
            test.model.name()
        ));
        notes.push(
            "LLR is the log-likelihood ratio of the SPRT, a sequential probability ratio test: it \
             accepts H0 at the lower bound and H1 at the upper."
                .to_owned(),
        );
        notes.push(match test.verdict {
            SprtVerdict::Continue => "It is undecided: more games are needed.".to_owned(),
            _ => "It stopped the match where randomness had carried the score far, so the score, the \
                Elo, their intervals and the LOS above are biased: they tend to lie too far from \
                equality."
                .to_owned(),
        });
    }
    notes
}

/// Verdict on which player is better, in words.
pub(crate) fn verdict_words(report: &MatchReport) -> String {
    let likely = |p_value: Option<f64>| {
        p_value.map_or(String::new(), |p| format!(" ({})", probability_words(p)))
    };
    let test = report.test.as_deref().unwrap_or_default();
    let scale = report.summary.sprt.map_or("", |test| match test.model {
        SprtModel::Logistic => "logistic",
        SprtModel::Normalized => "normalised",
    });
    match report.verdict {
        MatchVerdict::NoGames => "No game was played to its end.".to_owned(),
        MatchVerdict::TestAcceptedH0 { elo0, elo1 } => {
            format!(
                "The SPRT ({test}) accepted H0: the games favour a difference of at most {elo0} {scale} Elo \
                 over one of at least {elo1}."
            )
        }
        MatchVerdict::TestAcceptedH1 { elo0, elo1 } => {
            format!(
                "The SPRT ({test}) accepted H1: the games favour a difference of at least {elo1} {scale} Elo \
                 over one of at most {elo0}."
            )
        }
        MatchVerdict::Better { player, p_value } => {
            let (better, worse) = (side_word(player), side_word(player.other()));
            format!("{better} is better than {worse}{}.", likely(p_value))
        }
        MatchVerdict::SideDecides { same_side, pairs } => format!(
            "The match does not show which player is better: in {same_side} of {pairs} pairs the same side won both \
             games, with either player. The rules or the openings decide these games rather than the \
             players; weaker players, or longer random openings, may show more."
        ),
        MatchVerdict::Undecided { p_value, games_needed } => {
            let more = games_needed.map_or(String::new(), |games| {
                format!(
                    " If the true score is the one measured, {} would show it with probability 80%.",
                    counted(games, "game")
                )
            });
            format!("The match does not show which player is better{}.{more}", likely(p_value))
        }
    }
}

/// Meaning of a two-sided p-value of a match.
fn probability_words(p: f64) -> String {
    let (p, often) = match p {
        ..0.0001 => return "p < 0.0001: equal players would score this far from 50% in fewer than one of 10,000 matches".to_owned(),
        ..0.01 => (format!("{p:.4}"), format!("one of {:.0}", 1.0 / p)),
        ..0.1 => (format!("{p:.3}"), format!("one of {:.0}", 1.0 / p)),
        _ => (format!("{p:.2}"), format!("{:.0} of 100", 100.0 * p)),
    };
    format!("p = {p}: equal players would score this far from 50% in {often} matches")
}

/// Rows of the table: name, value with its interval, meaning.
pub(crate) fn rows(summary: &MatchSummary) -> Vec<(&'static str, String, String)> {
    let comparison = &summary.comparison;
    let share = |estimate: &Estimate| estimate_words(estimate, Unit::Share);
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
    if comparison.first_mover.mean.is_some() {
        let meaning = "share of the points of the player that moves first".to_owned();
        rows.push(("first mover", share(&comparison.first_mover), meaning));
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
    if let Some(plies) = summary.plies {
        rows.push(("length", format!("{plies:.1}"), "mean, plies".to_owned()));
    }
    rows
}

/// Number of missing games; `None` if no game is missing.
pub(crate) fn incomplete_words(missing: u64) -> Option<String> {
    match missing {
        0 => None,
        1 => Some("INCOMPLETE: 1 game is missing.".to_owned()),
        n => Some(format!("INCOMPLETE: {n} games are missing.")),
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
            "Only {} distinct. Games that deterministic players repeat add no information, so \
             with such players the intervals are too narrow; random openings vary the games.",
            counted_are(distinct, "game")
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
        counted(comparison.games, "game"),
        counted(comparison.pairs, "pair"),
        summary.distinct_games,
        report.seed
    );
    if let Some(words) = single_words(single) {
        let _ = write!(text, " {words}");
    }
    if let Some(words) = repeated_words(summary.distinct_games, comparison.games) {
        let _ = write!(text, " {words}");
    }
    if report.time_budget.a || report.time_budget.b {
        let _ = write!(text, " {UNREPEATABLE}");
    }
    text
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
        report.doc(&crate::NoBoards).text(treegauge_doc::Terminal::default())
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
            (report(most, None), "a is better than b (p < 0.0001: equal players"),
            (report(most.swapped(), None), "b is better than a (p < 0.0001: equal players"),
            (report(pairs(12, FirstWins, FirstWins), None), "in 12 of 12 pairs the same side"),
            (report(open, None), "The match does not show which player is better (p = 0."),
            (report(most, test), "accepted H1"),
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
        for (name, value, _) in rows(&report.summary) {
            assert!(page.contains(name) && page.contains(&value), "{name}: {value}");
        }
        assert!(page.contains("LLR ") && page.contains(" logistic"));
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
