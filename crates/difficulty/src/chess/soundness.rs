//! Soundness of puzzles: whether there is one move to find, and whether the file names it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::chess::position::{ChessMove, Position};
use crate::chess::puzzle::Puzzle;
use crate::{CandidateMove, Tree, Value};

/// Loss in centipawns beyond which a move loses. Of 6,507 rated puzzles of the Lichess database, one
/// has a best move that is worse.
pub const LOST: f64 = 300.0;

/// Verdict on a puzzle by the engine's values of its first moves, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// The position has one legal move.
    OneLegalMove,
    /// Every first move loses at least [`LOST`], or is mated.
    Lost,
    /// The file's first move loses at least [`LOST`], or is mated, and another does not.
    SolutionLoses,
    /// No first move wins, and several are about as good.
    NothingToFind,
    /// The engine prefers other first moves to the file's, or one that the file says to avoid, or
    /// another mates sooner.
    OtherMove,
    /// Several first moves win, and the file does not name all of them. If the best one mates, only
    /// those count that mate as soon.
    SeveralWins,
    /// The solution ends before the mate that the engine sees.
    TooShort,
    /// The solution mates later than it must.
    TooLong,
    /// No first move wins, and one is better than the others.
    NoWin,
    /// None of the above.
    Sound,
}

impl Soundness {
    /// Name in tables, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Soundness::OneLegalMove => "one_legal_move",
            Soundness::Lost => "lost",
            Soundness::SolutionLoses => "solution_loses",
            Soundness::NothingToFind => "nothing_to_find",
            Soundness::OtherMove => "other_move",
            Soundness::SeveralWins => "several_wins",
            Soundness::TooShort => "too_short",
            Soundness::TooLong => "too_long",
            Soundness::NoWin => "no_win",
            Soundness::Sound => "sound",
        }
    }

    /// Tests whether a puzzle with this verdict gets a rating. A whole solution in the file shows
    /// that there is something to find, even if the engine does not see it.
    #[must_use]
    pub fn is_rated(self, has_line: bool) -> bool {
        match self {
            Soundness::OneLegalMove | Soundness::Lost => false,
            Soundness::SolutionLoses | Soundness::NothingToFind => has_line,
            _ => true,
        }
    }

    /// Judges a puzzle by the tree of its position. Returns the gravest verdict, and the words of
    /// all, which are empty for a sound puzzle.
    #[must_use]
    pub fn of(puzzle: &Puzzle, tree: &Tree) -> (Soundness, String) {
        let mut found = findings(puzzle, tree);
        found.sort_by_key(|(verdict, _)| *verdict);
        let verdict = found.first().map_or(Soundness::Sound, |(verdict, _)| *verdict);
        let words: Vec<String> = found.into_iter().map(|(_, words)| words).collect();
        (verdict, words.join("; "))
    }
}

/// Moves that a sentence names at most.
const NAMED_MAX: usize = 4;

fn findings(puzzle: &Puzzle, tree: &Tree) -> Vec<(Soundness, String)> {
    let position = &puzzle.position;
    let Some(best) = tree.first_moves.first() else { return Vec::new() };
    if tree.nodes[0].possible == Some(1) {
        let words = format!("{} is the only legal move", best.played);
        return vec![(Soundness::OneLegalMove, words)];
    }
    if is_lost(best.value) {
        let words = format!("every move loses; the best is {}", valued(best));
        return vec![(Soundness::Lost, words)];
    }
    let mut found = Vec::new();
    found.extend(other_move(puzzle, tree, best));
    let is_named = |one: &CandidateMove| {
        position.parse_move(&one.played).is_ok_and(|played| puzzle.best.contains(&played))
    };
    let win = tree.settings.win;
    let winners: Vec<&CandidateMove> =
        tree.first_moves.iter().filter(|one| one.value.is_won(win)).collect();
    // A mate is the aim wherever there is one.
    let aims: Vec<&CandidateMove> = match best.value {
        Value::Wins(_) => winners.iter().filter(|one| one.value == best.value).copied().collect(),
        _ => winners,
    };
    if aims.is_empty() {
        let kept: Vec<&CandidateMove> = tree.first_moves.iter().filter(|one| one.kept).collect();
        found.push(if kept.len() > 1 && puzzle.best.is_empty() {
            let words = format!(
                "the engine sees no win, and {} first moves are about as good: {}",
                kept.len(),
                list(&kept)
            );
            (Soundness::NothingToFind, words)
        } else {
            let words = match &kept[..] {
                [one] => format!("the engine sees no win; {} is the best", valued(one)),
                _ => format!("the engine sees no win; the best are {}", list(&kept)),
            };
            (Soundness::NoWin, words)
        });
    } else if aims.len() > 1 && !aims.iter().all(|one| is_named(one)) {
        let wins = if matches!(best.value, Value::Wins(_)) { "mate as soon" } else { "win" };
        let words = format!("{} first moves {wins}: {}", aims.len(), list(&aims));
        found.push((Soundness::SeveralWins, words));
    }
    let is_late = matches!(best.value, Value::Wins(_)) && !puzzle.best.is_empty();
    if is_late && !puzzle.has_line && !aims.iter().any(|one| is_named(one)) && found.is_empty() {
        let words = format!("{} is faster than the move of the file", valued(best));
        found.push((Soundness::OtherMove, words));
    }
    found.extend(length(puzzle, best).or_else(|| claimed_mate(puzzle, best)));
    let mut avoided = puzzle.avoided.iter().map(|&avoided| position.san(avoided));
    let kept = |text: &String| tree.first_moves.iter().any(|one| one.kept && one.played == *text);
    if let Some(avoided) = avoided.find(kept) {
        let words =
            format!("the engine takes {avoided} for a good move, and the file says to avoid it");
        found.push((Soundness::OtherMove, words));
    }
    found
}

/// Finding that the first moves of the file are not among those that the engine keeps.
fn other_move(puzzle: &Puzzle, tree: &Tree, best: &CandidateMove) -> Option<(Soundness, String)> {
    let named: Vec<String> = puzzle.best.iter().map(|&one| puzzle.position.san(one)).collect();
    let listed = |text: &String| tree.first_moves.iter().find(|one| one.played == *text);
    if named.is_empty() || named.iter().any(|text| listed(text).is_some_and(|one| one.kept)) {
        return None;
    }
    let value = named.iter().filter_map(listed).map(|one| one.value);
    let value = value.max_by(|a, b| a.compared_to(*b));
    // Moves that are not listed are no better than the last one that is.
    let loses = is_lost(value.or(tree.first_moves.last().map(|one| one.value))?);
    let played = &best.played;
    let text = named.join(" or ");
    let words = format!(
        "the engine prefers {played} to {text}, with which the solution in the file begins"
    );
    Some(if loses {
        (Soundness::SolutionLoses, format!("{words}, and which loses"))
    } else {
        (Soundness::OtherMove, words)
    })
}

/// Finding that a whole solution is shorter or longer than the mate that the engine sees.
fn length(puzzle: &Puzzle, best: &CandidateMove) -> Option<(Soundness, String)> {
    let Value::Wins(plies) = best.value else { return None };
    if !puzzle.has_line {
        return None;
    }
    let moves = |plies: usize| plies.div_ceil(2);
    let (mate, own) = (moves(plies as usize), moves(puzzle.solution.len()));
    let is_mate = last(&puzzle.position, &puzzle.solution).is_mate();
    let ends = if own == 1 { "one move".to_owned() } else { format!("{own} moves") };
    match is_mate {
        false if mate > own => Some((
            Soundness::TooShort,
            format!("it is mate in {mate}, and the solution ends after {ends}"),
        )),
        false => Some((
            Soundness::TooShort,
            format!("it is mate in {mate}, and the solution does not mate"),
        )),
        true if mate < own => Some((
            Soundness::TooLong,
            format!("it is mate in {mate}, and the solution mates in {own}"),
        )),
        true => None,
    }
}

/// Finding that the file names another distance to mate than the engine finds.
fn claimed_mate(puzzle: &Puzzle, best: &CandidateMove) -> Option<(Soundness, String)> {
    let Value::Wins(plies) = best.value else { return None };
    let (claimed, mate) = (puzzle.mate_in?, plies.div_ceil(2));
    let verdict = match claimed.cmp(&mate) {
        Ordering::Less => Soundness::TooShort,
        Ordering::Equal => return None,
        Ordering::Greater => Soundness::TooLong,
    };
    Some((verdict, format!("it is mate in {mate}, and the file says mate in {claimed}")))
}

fn last(position: &Position, line: &[ChessMove]) -> Position {
    line.iter().fold(position.clone(), |at, &played| at.after(played))
}

fn is_lost(value: Value) -> bool {
    match value {
        Value::Loses(_) => true,
        Value::Score(score) => score <= -LOST,
        Value::Wins(_) => false,
    }
}

/// Move with its value in pawns.
fn valued(one: &CandidateMove) -> String {
    let value = match one.value {
        Value::Score(score) => format!("{:+.1}", score / 100.0),
        Value::Wins(plies) => format!("mate in {}", plies.div_ceil(2)),
        Value::Loses(plies) => format!("mated in {}", plies.div_ceil(2)),
    };
    format!("{} ({value})", one.played)
}

fn list(moves: &[&CandidateMove]) -> String {
    let more = moves.len().saturating_sub(NAMED_MAX);
    let mut named: Vec<String> = moves.iter().take(NAMED_MAX).map(|one| valued(one)).collect();
    if more > 0 {
        named.push(format!("and {more} more"));
    }
    named.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, TreeSettings};

    /// Tree of a position with these first moves; they are kept as the settings say.
    fn tree(legal: u32, moves: &[(&str, Value)]) -> Tree {
        let settings = TreeSettings::default();
        let values: Vec<Value> = moves.iter().map(|(_, value)| *value).collect();
        let kept = settings.meaningful(&values);
        let first_moves = moves.iter().zip(&kept).map(|((played, value), kept)| CandidateMove {
            played: (*played).to_owned(),
            value: *value,
            kept: *kept,
            seems_good: false,
            refutation: None,
        });
        let root = Node {
            parent: 0,
            level: 0,
            player_moves: true,
            played: String::new(),
            value: values[0],
            possible: Some(legal),
            kept: kept.iter().filter(|one| **one).count() as u32,
            step: None,
            piece: None,
        };
        let first_moves: Vec<CandidateMove> = first_moves.collect();
        let nodes = first_moves.iter().filter(|one| one.kept).map(|one| Node {
            level: 1,
            played: one.played.clone(),
            value: one.value,
            possible: None,
            kept: 0,
            ..root.clone()
        });
        let nodes = std::iter::once(root.clone()).chain(nodes).collect();
        Tree { settings, nodes, first_moves, capped: false, material: None }
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

    fn puzzle(solution: &str) -> Puzzle {
        Puzzle::with_solution(Position::parse(BACK_RANK).unwrap(), solution).unwrap()
    }

    fn cp(score: f64) -> Value {
        Value::Score(score)
    }

    #[test]
    fn each_fault_has_its_verdict_and_its_words() {
        use Soundness::*;
        let mate = ("Rd8#", Value::Wins(1));
        let quiet = [("Kf1", cp(40.0)), ("h3", cp(30.0)), ("h4", cp(-20.0))];
        let lost = [("Kf1", cp(-310.0)), ("h3", cp(-900.0))];
        for (legal, moves, solution, verdict, part) in [
            (9, &[mate, ("h3", cp(500.0))][..], "Rd8#", Sound, ""),
            (9, &[mate, ("h3", cp(500.0))], "", Sound, ""),
            (1, &[("Kf1", cp(500.0))], "", OneLegalMove, "Kf1 is the only legal move"),
            (9, &lost, "", Lost, "every move loses; the best is Kf1 (-3.1)"),
            (
                9,
                &quiet,
                "",
                NothingToFind,
                "2 first moves are about as good: Kf1 (+0.4), h3 (+0.3)",
            ),
            (9, &quiet, "Kf1", NoWin, "the best are Kf1 (+0.4), h3 (+0.3)"),
            (9, &quiet[1..], "", NoWin, "the engine sees no win; h3 (+0.3) is the best"),
            (9, &[mate, ("h3", cp(-301.0))], "h3", SolutionLoses, "and which loses"),
            (9, &[mate, ("h3", cp(-301.0))], "Kf1", SolutionLoses, "prefers Rd8# to Kf1"),
            (9, &[mate, ("h3", cp(0.0))], "Kf1", OtherMove, "prefers Rd8# to Kf1"),
            (9, &[mate, ("Kf1", cp(500.0))], "Kf1", OtherMove, "Rd8# (mate in 1) is faster"),
            (9, &[("Kf1", cp(700.0)), ("h3", cp(690.0))], "h3", SeveralWins, "2 first moves win"),
            (
                9,
                &[mate, ("Kf1", Value::Wins(1))],
                "Rd8#",
                SeveralWins,
                "2 first moves mate as soon",
            ),
            (9, &[("Rd7", Value::Wins(5))], "Rd7 h6 Kf1", TooShort, "ends after 2 moves"),
            (9, &[("Rd7", Value::Wins(1))], "Rd7 h6 Kf1", TooShort, "does not mate"),
            (9, &[("Kf1", Value::Wins(1))], "Kf1 Kf8 Kg1 Kg8 Rd8#", TooLong, "mates in 3"),
        ] {
            let (found, words) = Soundness::of(&puzzle(solution), &tree(legal, moves));
            assert_eq!(found, verdict, "{moves:?} {solution}: {words}");
            assert!(words.contains(part) && words.is_empty() == (found == Sound), "{words}");
            let json = serde_json::to_value(found).unwrap();
            assert_eq!(json, found.name());
        }
    }

    #[test]
    fn a_distance_to_mate_in_the_file_is_checked() {
        let mate = tree(9, &[("Rd8#", Value::Wins(1)), ("h3", cp(500.0))]);
        for (claimed, verdict) in [
            (None, Soundness::Sound),
            (Some(1), Soundness::Sound),
            (Some(3), Soundness::TooLong),
            (Some(0), Soundness::TooShort),
        ] {
            let (found, words) =
                Soundness::of(&Puzzle { mate_in: claimed, ..puzzle("Rd8#") }, &mate);
            assert_eq!(found, verdict, "{words}");
            assert_eq!(
                words.contains("the file says mate in"),
                found != Soundness::Sound,
                "{words}"
            );
        }
        let read = |line: &str| {
            crate::chess::Puzzles::open(line.as_bytes()).unwrap().next().unwrap().unwrap()
        };
        for (line, mate_in) in
            [("bm Rd8 #3;", Some(3)), ("bm Rd8; dm 4;", Some(4)), ("bm Rd8;", None)]
        {
            assert_eq!(read(&format!("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - {line}")).mate_in, mate_in);
        }
    }

    #[test]
    fn a_file_may_name_every_winning_move() {
        let both = tree(9, &[("Kf1", cp(700.0)), ("h3", cp(690.0)), ("h4", cp(0.0))]);
        let mut one = puzzle("h3");
        assert_eq!(Soundness::of(&one, &both).0, Soundness::SeveralWins);
        one.best.push(one.position.parse_move("Kf1").unwrap());
        assert_eq!(Soundness::of(&one, &both).0, Soundness::Sound);
        one.avoided.push(one.position.parse_move("Kf1").unwrap());
        let (found, words) = Soundness::of(&one, &both);
        assert!(found == Soundness::OtherMove && words.contains("says to avoid it"), "{words}");
    }

    #[test]
    fn a_whole_solution_is_rated_unless_there_is_nothing_to_choose() {
        for verdict in [Soundness::OneLegalMove, Soundness::Lost] {
            assert!(!verdict.is_rated(true) && !verdict.is_rated(false));
        }
        for verdict in [Soundness::SolutionLoses, Soundness::NothingToFind] {
            assert!(verdict.is_rated(true) && !verdict.is_rated(false));
        }
        assert!(Soundness::SeveralWins.is_rated(false) && Soundness::Sound.is_rated(false));
    }
}
