//! Puzzles as a user asks for them.

use std::fs;

use serde_json::Value;

use crate::common::{json, run, run_with, stdout};

fn puzzles(arguments: &[&str]) -> Value {
    json(&[&["puzzles"], arguments, &["--json"]].concat())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is a list"))
}

/// The moves that `show` lists, and whether the game is over.
fn shown(game: &str, position: &str, line: &[&str]) -> Value {
    json(&["show", game, "--position", position, "--moves", &line.join(" "), "--json"])
}

/// Follows a solution with `show`, down to a depth, and returns the positions seen.
fn follow<'t>(game: &str, position: &str, node: &'t Value, line: &mut Vec<&'t str>) -> u32 {
    let here = shown(game, position, line);
    let moves = list(&node["moves"]);
    let kept: Vec<&str> = moves.iter().map(|m| m["move"].as_str().unwrap()).collect();
    if node["to_move"].is_null() {
        assert!(!here["outcome"].is_null() && moves.is_empty(), "{line:?}");
        return 1;
    }
    let mut told = kept.clone();
    for others in ["slower", "missteps"] {
        let others = node.get(others).map_or(&[][..], list);
        told.extend(others.iter().map(|m| m["move"].as_str().unwrap()));
    }
    let mut legal: Vec<&str> = list(&here["moves"]).iter().map(|m| m.as_str().unwrap()).collect();
    told.sort_unstable();
    legal.sort_unstable();
    assert_eq!(told, legal, "every move is told of once: {line:?}");
    let mut seen = 1;
    for (m, text) in moves.iter().zip(&kept) {
        line.push(text);
        seen += follow(game, position, &m["then"], line);
        line.pop();
    }
    seen
}

#[test]
fn a_solution_is_followed_with_another_command() {
    let report = puzzles(&["tic_tac_toe", "--mate-in", "2"]);
    assert_eq!((&report["game"], &report["form"]), (&"tic_tac_toe".into(), &"clamped".into()));
    let [puzzle] = list(&report["puzzles"]) else { panic!("one puzzle: {report}") };
    assert_eq!((&puzzle["remoteness"], &puzzle["mate_in"]), (&3.into(), &2.into()));
    // The greatest interestingness of this remoteness is known.
    let interestingness = puzzle["interestingness"].as_f64().unwrap();
    assert!((interestingness - 0.596_390_12).abs() < 1e-8, "{interestingness}");
    let position = puzzle["position"].as_str().unwrap();
    let seen = follow("tic_tac_toe", position, &puzzle["solution"], &mut Vec::new());
    assert_eq!(puzzle["solution_positions"], seen);
    assert_eq!((&puzzle["shown_positions"], &puzzle["cut_positions"]), (&seen.into(), &0.into()));
    let line: Vec<&str> = list(&puzzle["main_line"]).iter().map(|m| m.as_str().unwrap()).collect();
    assert_eq!(line.len(), 3);
    let end = shown("tic_tac_toe", position, &line);
    assert_eq!(end["outcome"], puzzle["turn"]);
    assert!(puzzle["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(puzzle["drawing"].as_str().unwrap().ends_with('\n'));
    for misstep in list(&puzzle["solution"]["missteps"]) {
        assert_ne!(misstep["value"], "win");
        assert!(misstep["words"].as_str().unwrap().contains(" in "), "{misstep}");
    }
}

#[test]
fn the_literal_form_ranks_by_the_printed_formula() {
    let report = puzzles(&["tic_tac_toe", "--mate-in", "2", "--form", "literal"]);
    let interestingness = report["puzzles"][0]["interestingness"].as_f64().unwrap();
    assert!((interestingness - 0.595_721_10).abs() < 1e-8, "{interestingness}");
}

#[test]
fn every_remoteness_has_its_puzzles() {
    let report = puzzles(&["achi", "--top", "3"]);
    let remoteness = |of: &Value| of["remoteness"].as_u64().unwrap();
    let rows: Vec<u64> = list(&report["by_remoteness"]).iter().map(remoteness).collect();
    assert_eq!(rows, [1, 3, 5, 7, 9]);
    let found: Vec<u64> = list(&report["puzzles"]).iter().map(remoteness).collect();
    assert!(found.is_sorted());
    for row in rows {
        let count = found.iter().filter(|&&found| found == row).count();
        assert!((1..=3).contains(&count), "{count} of remoteness {row}");
    }
}

#[test]
fn unique_puzzles_have_one_winning_move_at_every_turn() {
    fn check(node: &Value) {
        if node["to_move"] == "winner" {
            assert_eq!(node["unique"], true);
            assert_eq!((list(&node["moves"]).len(), list(&node["slower"]).len()), (1, 0));
        }
        list(&node["moves"]).iter().for_each(|m| check(&m["then"]));
    }
    let report = puzzles(&["connect_four(cols=4,rows=4,k=3)", "--unique", "--top", "2"]);
    let found = list(&report["puzzles"]);
    assert!(!found.is_empty());
    for puzzle in found {
        assert_eq!(puzzle["unique"], true);
        check(&puzzle["solution"]);
    }
}

#[test]
fn moves_of_the_winner_are_counted_where_turns_do_not_alternate() {
    let report = puzzles(&["dots_and_boxes(rows=2,cols=2)", "--mate-in", "6"]);
    let found = list(&report["puzzles"]);
    assert!(!found.is_empty());
    assert!(found.iter().all(|puzzle| puzzle["mate_in"] == 6));
    let remoteness: Vec<_> = found.iter().map(|p| p["remoteness"].as_u64().unwrap()).collect();
    assert!(remoteness.iter().any(|&plies| plies != 11 && plies != 12), "{remoteness:?}");
}

#[test]
fn what_does_not_fit_is_said_to_be_cut() {
    let text = stdout(&["puzzles", "wild_tic_tac_toe", "--mate-in", "4"]);
    assert!(text.contains("Cut (...): "), "{text}");
    assert!(text.lines().count() < 150, "{} lines", text.lines().count());
}

#[test]
fn the_sheet_has_the_solutions_behind_a_page_break() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.html");
    let sheet = ["puzzles", "achi", "--html", path.to_str().unwrap()];
    assert!(stdout(&sheet).contains("Puzzle 5."));
    let page = fs::read_to_string(&path).unwrap();
    assert_eq!(page.matches("<svg").count(), 5);
    let (puzzles, solutions) = page.split_once("<div class=\"solutions\">").unwrap();
    assert!(puzzles.contains("break-before: page") && !puzzles.contains("Missteps"));
    assert_eq!(solutions.matches("<div class=\"solution\">").count(), 5);
    for outside in ["<script", "<link", "src=", "href=\"http"] {
        assert!(!page.contains(outside), "the page stands alone: {outside}");
    }
}

#[test]
fn the_first_puzzle_is_played_against_perfect_play() {
    let play = ["puzzles", "tic_tac_toe", "--mate-in", "2", "--play"];
    // After any of the longest defences b3 wins, or c2 where b3 was the defence.
    let ran = run_with(&play, "hint\nb2\nb3\nc2\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for told in [
        "The first player, x, is to move and wins in 2 moves (3 plies).\n",
        "the first player, x, is human; the second player, o, is perfect;",
        "best first, with the plies to the end):\n  wins in 3: b2\n  ties in 5: c3\n  loses in 4: c2 a3 b3\n",
        " (loses in 2)\n",
        "the first player has won",
    ] {
        assert!(ran.stdout.contains(told), "no {told:?} in {}", ran.stdout);
    }
}

#[test]
fn no_puzzles_is_an_answer_but_nothing_to_play() {
    let report = puzzles(&["tic_tac_toe", "--mate-in", "9"]);
    assert!(list(&report["puzzles"]).is_empty());
    let text = stdout(&["puzzles", "tic_tac_toe", "--mate-in", "9"]);
    assert_eq!(text, "tic_tac_toe has no wins in which the winner makes 9 moves\n");
    let ran = run(&["puzzles", "tic_tac_toe", "--mate-in", "9", "--play"]);
    assert_eq!(ran.code, Some(65));
    assert!(ran.stderr.contains("has no wins"), "{}", ran.stderr);
}
