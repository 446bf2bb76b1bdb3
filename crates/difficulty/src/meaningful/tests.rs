//! Worked examples of Stoiljkovikj 2015, and a second, plain recursion that must agree with the
//! tree.

use std::collections::BTreeMap;
use std::convert::Infallible;

use proptest::prelude::*;

use crate::{
    DistanceRule, ListedMoves, MoveSource, Step, Tree, TreeSettings, Value, attribute_names,
    attributes,
};

/// Source with scripted moves: a position is the line that leads to it.
#[derive(Default)]
struct Script {
    /// For each position the number of legal moves, and the best moves with values for the side to
    /// move.
    positions: BTreeMap<String, ListedMoves<&'static str>>,
}

impl Script {
    /// Adds the moves of a position, with scores in the player's view as the source prints them.
    fn at(mut self, line: &str, legal: u32, moves: &[(&'static str, f64)]) -> Self {
        let sign = if line.split_whitespace().count().is_multiple_of(2) { 1.0 } else { -1.0 };
        let moves = moves.iter().map(|&(text, score)| (text, Value::Score(sign * score)));
        let moves = moves.collect();
        self.positions.insert(line.to_owned(), ListedMoves { legal, moves });
        self
    }
}

impl MoveSource for Script {
    type Position = String;
    type Move = &'static str;
    type Error = Infallible;

    fn list(
        &mut self,
        position: &String,
        _least: u32,
        _enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<ListedMoves<&'static str>, Infallible> {
        let over = ListedMoves { legal: 0, moves: Vec::new() };
        Ok(self.positions.get(position).cloned().unwrap_or(over))
    }

    fn after(&self, position: &String, played: &'static str) -> String {
        format!("{position} {played}").trim().to_owned()
    }

    fn side(&self, position: &String) -> u8 {
        (position.split_whitespace().count() % 2) as u8
    }

    fn text(&self, _: &String, played: &'static str) -> String {
        played.to_owned()
    }

    fn step(&self, _: &String, played: &'static str) -> Option<Step> {
        let place = |n: usize| i32::from(played.as_bytes()[n]);
        let square = |n: usize| ((place(n) - 97) + 8 * (place(n + 1) - 49)) as u16;
        let distance = (place(0) - place(2)).abs().max((place(1) - place(3)).abs()) as u32;
        Some(Step { from: square(0), to: square(2), second: None, distance })
    }

    fn material(&self, _: &String) -> Option<[f64; 2]> {
        Some([24.0, 0.0])
    }
}

const LITERAL: TreeSettings = super::NAMED_SETTINGS[1].settings;

/// Attributes of a tree by name.
fn named(tree: &Tree, distances: DistanceRule) -> BTreeMap<String, f64> {
    let names = attribute_names(tree.settings.levels);
    let values = attributes(tree, distances);
    assert_eq!(names.len(), values.len());
    names.into_iter().zip(values.into_iter().flatten()).collect()
}

fn levels(of: &BTreeMap<String, f64>, name: &str) -> Vec<f64> {
    (1..=5).map(|level| of[&format!("{name}({level})")]).collect()
}

/// Black to move; rated 2015.9 after 1,656 attempts. The grouping of the last ten values is that of
/// the print.
fn hard() -> Tree {
    let line = "e5e8 e1d1 f2d4";
    let answers =
        [("d1d4", 341.0), ("e2c4", 346.0), ("e2f3", 361.0), ("e2b5", 341.0), ("e2a6", 330.0)];
    let mut script = Script::default()
        .at("", 40, &[("e5e8", 284.0), ("e5e4", 12.0), ("e5e6", -30.0)])
        .at("e5e8", 30, &[("e1d1", 308.0), ("a2a3", 480.0)])
        .at("e5e8 e1d1", 35, &[("f2d4", 283.0), ("f2e3", 90.0)])
        .at(line, 33, &answers);
    for (answer, _) in answers {
        let reply = if answer == "d1d4" { ("d8d4", 314.0) } else { ("d4a1", 339.0) };
        script = script.at(&format!("{line} {answer}"), 30, &[reply, ("g7g6", 20.0)]);
    }
    Tree::build(&mut script, &String::new(), LITERAL).unwrap()
}

#[test]
fn the_hard_example_has_the_printed_attributes() {
    let tree = hard();
    let found = named(&tree, DistanceRule::PerMove);
    assert_eq!(levels(&found, "Meaningful"), [1.0, 1.0, 1.0, 5.0, 5.0]);
    assert_eq!(levels(&found, "Branching"), [1.0, 1.0, 1.0, 5.0, 1.0]);
    assert_eq!(found["AverageBranching"], 1.8);
    assert_eq!(levels(&found, "NarrowSolution"), [1.0, 1.0, 1.0, 0.0, 5.0]);
    assert_eq!((found["AllNarrowSolutions"], found["TreeSize"]), (8.0, 13.0));
    assert_eq!(levels(&found, "Distance"), [3.0, 1.0, 2.0, 13.0, 16.0]);
    assert_eq!((found["SumDistance"], found["AverageDistance"]), (35.0, 7.0));
    assert_eq!(levels(&found, "Pieces"), [1.0, 1.0, 1.0, 2.0, 2.0]);
    assert_eq!(found["AllPiecesInvolved"], 7.0);
    assert_eq!((found["WinningNoCheckmate"], found["SeeminglyGood"]), (1.0, 0.0));
    assert_eq!(found["PieceValueRatio"], 24.0);
    // The print counts the move d4a1 once.
    let distinct = named(&tree, DistanceRule::Distinct);
    assert_eq!((distinct["SumDistance"], distinct["AverageDistance"]), (26.0, 5.2));
}

/// Black to move; rated 996.5 after 323 attempts. From level 3 on the source prints only the sums
/// of legal moves; their distribution here is made up.
#[test]
fn the_easy_example_has_the_printed_attributes() {
    let mut script = Script::default()
        .at("", 38, &[("f6f1", 478.0), ("c5b3", 5.0), ("f6f2", -637.0)])
        .at("f6f1", 4, &[("b1c2", 480.0), ("g1f1", 500.0), ("a2a3", 900.0)]);
    for (king, [third, fourth, fifth]) in [("b1c2", [36, 22, 34]), ("g1f1", [37, 23, 36])] {
        let line = format!("f6f1 {king}");
        script = script
            .at(&line, third, &[("h7h6", 490.0), ("h7h5", 10.0)])
            .at(&format!("{line} h7h6"), fourth, &[("h2h3", 480.0), ("h2h4", 700.0)])
            .at(&format!("{line} h7h6 h2h3"), fifth, &[("g7g6", 480.0), ("g7g5", 0.0)]);
    }
    let found =
        named(&Tree::build(&mut script, &String::new(), LITERAL).unwrap(), DistanceRule::PerMove);
    assert_eq!(levels(&found, "PossibleMoves"), [38.0, 4.0, 73.0, 45.0, 70.0]);
    assert_eq!(found["AllPossibleMoves"], 230.0);
    assert_eq!(found["MoveRatio(1)"], 1.0 / 38.0);
    assert_eq!((found["Meaningful(1)"], found["Meaningful(2)"]), (1.0, 2.0));
    assert_eq!(found["Distance(1)"], 5.0);
}

/// As in figure 2.7: one answer, 1...Nf4-e2+, refutes 1.Be4xb7; any answer refutes 1.Be4-d3.
#[test]
fn a_first_move_seems_good_when_one_answer_only_refutes_it() {
    let mut script = Script::default()
        .at("", 30, &[("e4h7", 250.0), ("e4b7", 20.0), ("e4d3", -10.0), ("e4c2", -40.0)])
        .at("e4b7", 25, &[("f4e2", 20.0), ("a7a6", 410.0)])
        .at("e4d3", 25, &[("f4d3", -10.0), ("a7a6", 90.0)])
        .at("e4c2", 1, &[("f4e2", -40.0)]);
    let tree = Tree::build(&mut script, &String::new(), LITERAL).unwrap();
    let seems: Vec<&str> =
        tree.first_moves.iter().filter(|one| one.seems_good).map(|one| &*one.played).collect();
    assert_eq!(seems, ["e4b7", "e4c2"], "a single answer is one answer");
    assert_eq!(named(&tree, DistanceRule::PerMove)["SeeminglyGood"], 2.0);
}

/// A piece is named after its square at the root.
#[test]
fn a_piece_is_followed_through_the_tree() {
    let mut script = Script::default()
        .at("", 3, &[("a1a4", 300.0), ("b1b2", 300.0)])
        .at("a1a4", 1, &[("h8h7", 300.0)])
        .at("b1b2", 1, &[("h8h7", 300.0)])
        .at("a1a4 h8h7", 9, &[("a4b4", 300.0), ("b1b2", 300.0)])
        .at("b1b2 h8h7", 9, &[("b2b3", 300.0)]);
    let tree = Tree::build(&mut script, &String::new(), LITERAL).unwrap();
    assert_eq!(levels(&named(&tree, DistanceRule::PerMove), "Pieces"), [2.0, 1.0, 2.0, 0.0, 0.0]);
}

#[test]
fn a_problem_without_moves_has_attributes_of_zero() {
    let tree = Tree::build(&mut Script::default(), &String::new(), LITERAL).unwrap();
    let found = named(&tree, DistanceRule::PerMove);
    assert!(tree.is_sound() && found["PieceValueRatio"] == 24.0);
    assert!(
        found.iter().all(|(name, value)| name == "PieceValueRatio" || *value == 0.0),
        "{found:?}"
    );
}

#[test]
fn a_tree_that_is_too_large_says_so() {
    let of = |seed, settings| {
        Tree::build(&mut Made { seed, branching: 4 }, &Vec::new(), settings).unwrap()
    };
    let (seed, whole) = (0..)
        .map(|seed| (seed, of(seed, LITERAL)))
        .find(|(_, tree)| tree.nodes.len() > 20 && !tree.capped)
        .unwrap();
    let small = TreeSettings { nodes_max: 8, ..LITERAL };
    let tree = of(seed, small);
    assert!(tree.capped && tree.is_sound());
    assert!((9..whole.nodes.len()).contains(&tree.nodes.len()));
    assert_eq!(tree, whole.cut(8), "what is there is the same");
}

/// Game with values made from a seed: a position is the line of moves.
struct Made {
    seed: u64,
    branching: u64,
}

impl Made {
    fn number(&self, line: &[u8], salt: u64) -> u64 {
        let mix = |hash: u64, part: u64| {
            let hash = (hash ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^ (hash >> 29)
        };
        line.iter().fold(mix(self.seed, salt), |hash, &byte| mix(hash, u64::from(byte) + 1))
    }

    fn all(&self, line: &[u8]) -> Vec<(u8, Value)> {
        let count = self.number(line, 1) % (self.branching + 1) + u64::from(line.is_empty());
        let value = |n: u8| {
            let line = [line, &[n]].concat();
            match self.number(&line, 2) % 12 {
                0 => Value::Wins(3),
                1 => Value::Loses(4),
                other => Value::Score((other as f64 - 6.0) * 50.0),
            }
        };
        let mut moves: Vec<(u8, Value)> = (0..count as u8).map(|n| (n, value(n))).collect();
        moves.sort_by(|a, b| b.1.compared_to(a.1));
        moves
    }
}

impl MoveSource for Made {
    type Position = Vec<u8>;
    type Move = u8;
    type Error = Infallible;

    fn list(
        &mut self,
        line: &Vec<u8>,
        least: u32,
        enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<ListedMoves<u8>, Infallible> {
        let all = self.all(line);
        let values: Vec<Value> = all.iter().map(|(_, value)| *value).collect();
        let listed =
            (least as usize..all.len()).find(|&n| enough(&values[..n])).unwrap_or(all.len());
        Ok(ListedMoves { legal: all.len() as u32, moves: all[..listed.min(all.len())].to_vec() })
    }

    fn after(&self, line: &Vec<u8>, played: u8) -> Vec<u8> {
        [line.as_slice(), &[played]].concat()
    }

    fn side(&self, line: &Vec<u8>) -> u8 {
        (line.len() % 2) as u8
    }

    fn text(&self, _: &Vec<u8>, played: u8) -> String {
        played.to_string()
    }
}

/// Counts of one level by the definitions, without a tree: positions before, kept moves, legal
/// moves, and positions with one kept move.
fn counted_again(game: &Made, before: &[Vec<u8>], settings: TreeSettings) -> [f64; 4] {
    let mut counts = [before.len() as f64, 0.0, 0.0, 0.0];
    for line in before {
        let all = game.all(line);
        let kept = kept_again(&all, settings).len();
        counts[1] += kept as f64;
        counts[2] += all.len() as f64;
        counts[3] += f64::from(u8::from(kept == 1));
    }
    counts
}

/// Kept moves by the rule in the words of the source, with all moves known: moves that win, else
/// those within the margin and those that lose by force.
fn kept_again(all: &[(u8, Value)], settings: TreeSettings) -> Vec<u8> {
    let any_wins = all.iter().any(|(_, value)| value.is_won(settings.win));
    let best = all.iter().filter_map(|(_, value)| value.score()).fold(f64::NEG_INFINITY, f64::max);
    let no_score = best == f64::NEG_INFINITY;
    let is_kept = |value: &Value| match value {
        value if any_wins => value.is_won(settings.win),
        Value::Score(score) => best - score <= settings.margin,
        _ => !settings.strict_mate || no_score,
    };
    all.iter().filter(|(_, value)| is_kept(value)).map(|(played, _)| *played).collect()
}

proptest! {
    #[test]
    fn a_tree_that_is_cut_is_one_that_stopped_there(seed: u64, branching in 1_u64..6, most in 1_u32..80, before in 1_u32..80) {
        let of = |nodes_max| {
            let settings = TreeSettings { nodes_max, ..LITERAL };
            Tree::build(&mut Made { seed, branching }, &Vec::new(), settings).unwrap()
        };
        let stopped = of(most);
        prop_assert_eq!(&of(3_000).cut(most), &stopped);
        prop_assert_eq!(&of(before.max(most)).cut(most), &stopped);
    }

    /// Lists are complete here, so that the literal rule sees every losing move.
    #[test]
    fn counts_are_those_of_the_definitions(seed: u64, branching in 1_u64..6, strict_mate: bool) {
        let mut game = Made { seed, branching };
        let settings = TreeSettings {
            strict_mate,
            first_moves: 99,
            nodes_max: u32::MAX,
            ..LITERAL
        };
        let tree = Tree::build(&mut All(&mut game), &Vec::new(), settings).unwrap();
        prop_assert!(tree.is_sound());
        let found = named(&tree, DistanceRule::PerMove);
        let mut before = vec![Vec::new()];
        for level in 1..=5 {
            let [parents, kept, legal, narrow] = counted_again(&game, &before, settings);
            let share = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { part / whole };
            let of = |name: &str| found[&format!("{name}({level})")];
            prop_assert_eq!(of("Meaningful"), kept);
            prop_assert_eq!(of("PossibleMoves"), legal);
            prop_assert_eq!(of("Branching"), share(kept, parents));
            prop_assert_eq!(of("MoveRatio"), share(kept, legal));
            prop_assert_eq!(of("NarrowSolution"), narrow);
            before = before
                .iter()
                .flat_map(|line| {
                    let kept = kept_again(&game.all(line), settings);
                    kept.into_iter().map(|played| [line.as_slice(), &[played]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        prop_assert!(!found.contains_key("SumDistance"), "there are no pieces");
    }
}

/// Source that lists all moves.
struct All<'a>(&'a mut Made);

impl MoveSource for All<'_> {
    type Position = Vec<u8>;
    type Move = u8;
    type Error = Infallible;

    fn list(
        &mut self,
        line: &Vec<u8>,
        _least: u32,
        _enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<ListedMoves<u8>, Infallible> {
        self.0.list(line, u32::MAX, &|_| false)
    }

    fn after(&self, line: &Vec<u8>, played: u8) -> Vec<u8> {
        self.0.after(line, played)
    }

    fn side(&self, line: &Vec<u8>) -> u8 {
        self.0.side(line)
    }

    fn text(&self, line: &Vec<u8>, played: u8) -> String {
        self.0.text(line, played)
    }
}

/// Game in which a side moves again: after `again` the player is to move once more.
struct Again;

impl MoveSource for Again {
    type Position = Vec<&'static str>;
    type Move = &'static str;
    type Error = Infallible;

    fn list(
        &mut self,
        line: &Self::Position,
        _least: u32,
        _enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<ListedMoves<&'static str>, Infallible> {
        let moves = match line[..] {
            [] => vec![("again", Value::Wins(3)), ("slow", Value::Score(0.0))],
            ["again"] => vec![("finish", Value::Wins(2)), ("stop", Value::Loses(4))],
            ["again", "finish"] => vec![("answer", Value::Loses(1))],
            _ => Vec::new(),
        };
        Ok(ListedMoves { legal: moves.len() as u32, moves })
    }

    fn after(&self, line: &Self::Position, played: &'static str) -> Self::Position {
        [line.as_slice(), &[played]].concat()
    }

    fn side(&self, line: &Self::Position) -> u8 {
        u8::from(line.contains(&"finish"))
    }

    fn text(&self, _: &Self::Position, played: &'static str) -> String {
        played.to_owned()
    }
}

#[test]
fn values_are_for_the_player_where_a_side_moves_twice() {
    let tree = Tree::build(&mut Again, &Vec::new(), TreeSettings::RESULTS).unwrap();
    let found: Vec<(&str, bool, Value)> =
        tree.nodes.iter().map(|node| (&node.played[..], node.player_moves, node.value)).collect();
    assert_eq!(
        found[1..],
        [
            ("again", true, Value::Wins(3)),
            ("finish", false, Value::Wins(2)),
            ("answer", false, Value::Wins(1)),
        ]
    );
    assert_eq!(tree.guess_probability(), 0.25);
    assert!(tree.first_moves.iter().all(|first| !first.seems_good));
}

#[test]
fn the_best_moves_of_both_sides_make_the_main_line() {
    let tree = hard();
    let line: Vec<&str> =
        tree.main_line().into_iter().map(|n| tree.nodes[n].played.as_str()).collect();
    assert_eq!(line, ["e5e8", "e1d1", "f2d4", "d1d4", "d8d4"]);
    // The player finds one of 40 moves, one of 35, and one of 30 whatever the answer.
    let expected = 1.0 / (40.0 * 35.0 * 30.0);
    assert!((tree.guess_probability() - expected).abs() < 1e-12);
}
