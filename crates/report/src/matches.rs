//! The report of a match.

use std::fmt::Write;

use treegauge_study::Unit;
use treegauge_study::compare::{SprtModel, SprtVerdict};
use treegauge_study::stats::Estimate;
use treegauge_study::{MatchReport, MatchSummary, MatchVerdict, Side};

use crate::estimates::{bounded_words, estimate_words};
use crate::table::table;
use crate::words::counted;

/// The whole report.
#[must_use]
pub fn match_text(report: &MatchReport) -> String {
    let summary = &report.summary;
    let comparison = &summary.comparison;
    let mut text = String::new();
    if let Some(words) = incomplete_words(summary.missing) {
        let _ = writeln!(text, "{words}\n");
    }
    let beginning = beginning_words(report.position.as_deref(), &report.moves);
    let _ = writeln!(text, "{}{beginning}: a is {}, b is {}\n", report.game, report.a, report.b);
    let verdict = verdict_words(report);
    if comparison.games == 0 {
        return text + &verdict + "\n";
    }
    let _ = writeln!(text, "{verdict}\n");
    let rows =
        rows(summary).into_iter().map(|(name, value, meaning)| [name.to_owned(), value, meaning]);
    text.push_str(&table(["measure", "value (95% interval)", ""], rows, 0..0));
    text.push('\n');
    let pairs = comparison.pentanomial.0;
    if comparison.pairs > 0 {
        let header = ["points of a per pair", "0", "1/2", "1", "3/2", "2"];
        let mut row = vec!["pairs".to_owned()];
        row.extend(pairs.iter().map(u64::to_string));
        let row: [String; 6] = row.try_into().expect("there are five counts");
        text.push_str(&table(header, [row], 1..6));
        text.push('\n');
    }
    let _ = writeln!(text, "{}", how_played(report));
    if summary.capped > 0 {
        let games = counted(summary.capped, "game");
        let _ = writeln!(text, "The ply cap ended {games}.");
    }
    for forfeit in &summary.forfeit_kinds {
        let player = side_word(forfeit.side);
        let detail = match forfeit.first_detail.as_str() {
            "" => String::new(),
            detail => format!(", first: {detail}"),
        };
        let games = counted(forfeit.games, "game");
        let _ =
            writeln!(text, "{player} lost {games} because it {}{detail}.", forfeit.kind.words());
    }
    if let Some(test) = &summary.sprt {
        let _ = writeln!(
            text,
            "LLR {:.2} ({:.2}, {:.2}) [{}, {}] {}: the SPRT accepts H0 at the lower bound and H1 at \
             the upper.",
            test.llr,
            test.lower,
            test.upper,
            test.elo0,
            test.elo1,
            test.model.name()
        );
        text.push_str(match test.verdict {
            SprtVerdict::Continue => "It is undecided: more games are needed.\n",
            _ => {
                "It stopped the match where randomness had carried the score far, so the score, the \
                Elo, their intervals and the LOS above are biased: they tend to lie too far from \
                equality.\n"
            }
        });
    }
    text
}

/// Which player is better, in words.
fn verdict_words(report: &MatchReport) -> String {
    let likely = |p_value: Option<f64>| {
        p_value.map_or(String::new(), |p| {
            format!(
                " (between equal players a score this far from 50% has probability {})",
                probability(p)
            )
        })
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

fn probability(p: f64) -> String {
    if p < 0.0001 { "below 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// The rows of the table: name, value with its interval, meaning.
fn rows(summary: &MatchSummary) -> Vec<(&'static str, String, String)> {
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
            "Elo of a",
            number(&comparison.elo, 0),
            "minus the Elo of b; 400 means odds of ten to one".to_owned(),
        ),
    ];
    if comparison.normalised_elo.mean.is_some() {
        rows.push((
            "normalised Elo",
            number(&comparison.normalised_elo, 0),
            "347 for one standard deviation of a game; does not depend on the draw rate".to_owned(),
        ));
    }
    if let Some(superiority) = comparison.likelihood_of_superiority {
        let value = format!("{:.1}%", 100.0 * superiority);
        rows.push(("LOS", value, "likelihood that a is better than b".to_owned()));
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

/// How many games are missing, if any.
pub(crate) fn incomplete_words(missing: u64) -> Option<String> {
    match missing {
        0 => None,
        1 => Some("INCOMPLETE: 1 game is missing.".to_owned()),
        n => Some(format!("INCOMPLETE: {n} games are missing.")),
    }
}

/// Where games begin that do not begin at the start.
pub(crate) fn beginning_words(position: Option<&str>, moves: &[String]) -> String {
    let from = position.map_or(String::new(), |position| format!(" from {position}"));
    let after =
        if moves.is_empty() { String::new() } else { format!(" after {}", moves.join(" ")) };
    from + &after
}

/// How pairs of games begin.
pub(crate) fn opening_words(opening_plies: u32) -> String {
    match opening_plies {
        0 => "no random opening".to_owned(),
        1 => "each pair begins with its own random ply".to_owned(),
        n => format!("each pair begins with its own {n} random plies"),
    }
}

/// The warning for games of which fewer than nine in ten are distinct.
pub(crate) fn repeated_words(distinct: u64, games: u64) -> Option<String> {
    (games > 1 && 10 * u128::from(distinct) < 9 * u128::from(games)).then(|| {
        format!(
            "Only {distinct} games are distinct. Games that deterministic players repeat add no \
             information, so with such players the intervals are too narrow; random openings vary \
             the games."
        )
    })
}

/// The warning for players whose budget is time.
pub(crate) const UNREPEATABLE: &str = "Time budgets depend on the machine and its load: these games \
     cannot be repeated exactly.";

fn side_word(side: Side) -> &'static str {
    match side {
        Side::A => "a",
        Side::B => "b",
    }
}

/// How the games were played, in a sentence or two.
fn how_played(report: &MatchReport) -> String {
    let summary = &report.summary;
    let comparison = &summary.comparison;
    let opening = opening_words(report.opening_plies);
    let single = if comparison.games % 2 == 1 { " and one game without its partner" } else { "" };
    let mut text = format!(
        "{} in {}{single}, {} of the games distinct; {opening}; the players swap sides within a pair, and \
         all intervals are over pairs; seed {}.",
        counted(comparison.games, "game"),
        counted(comparison.pairs, "pair"),
        summary.distinct_games,
        report.seed
    );
    if let Some(words) = repeated_words(summary.distinct_games, comparison.games) {
        let _ = write!(text, " {words}");
    }
    if report.time_budget.a || report.time_budget.b {
        let _ = write!(text, " {UNREPEATABLE}");
    }
    text
}

#[cfg(test)]
mod tests {
    use treegauge_core::{Outcome, Player};
    use treegauge_study::compare::{Pairs, Sprt};
    use treegauge_study::{Both, GamesHeader, MatchHeader};

    use super::*;

    /// A report of these pairs.
    fn report(pairs: Pairs, test: Option<&str>) -> MatchReport {
        let games = GamesHeader::new("heap".to_owned(), None, Vec::new(), 7, 2);
        let header = MatchHeader::of(games, ["random", "uct(iterations=9)"].map(str::to_owned));
        let sprt = test.map(|test| Sprt::parse(test).unwrap().test(pairs.pentanomial()));
        let comparison = pairs.comparison();
        let summary = MatchSummary::of(&[], 0, None);
        let summary = MatchSummary { comparison, pairs, sprt, ..summary };
        MatchReport::new("heap".to_owned(), header, test.map(str::to_owned), summary)
    }

    /// This number of pairs of one kind.
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
            (report(most, None), "a is better than b (between equal players"),
            (report(most.swapped(), None), "b is better than a (between equal players"),
            (report(pairs(12, FirstWins, FirstWins), None), "in 12 of 12 pairs the same side"),
            (report(open, None), "The match does not show which player is better (between"),
            (report(most, test), "accepted H1"),
            (report(most.swapped(), test), "accepted H0"),
        ] {
            let text = match_text(&report);
            assert!(text.contains(expected), "{expected:?} is not in\n{text}");
        }
    }

    #[test]
    fn a_time_budget_is_said_by_its_field_and_not_by_a_name() {
        let mut report = report(pairs(3, Outcome::Draw, Outcome::FirstWins), None);
        report.a = "time_ms=5".to_owned();
        assert!(!match_text(&report).contains(UNREPEATABLE));
        report.time_budget = Both { a: false, b: true };
        assert!(match_text(&report).contains(UNREPEATABLE));
    }
}
