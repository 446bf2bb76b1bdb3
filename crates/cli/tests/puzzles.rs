//! Puzzles as a user asks for them.

use std::collections::{HashMap, HashSet};
use std::fs;

use serde_json::Value;

use crate::common::{json, refused, run, run_with, stdout, unsigned_page};

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

fn texts<'t>(list: impl IntoIterator<Item = &'t Value>, field: &str) -> Vec<&'t str> {
    list.into_iter().map(|item| item[field].as_str().unwrap()).collect()
}

/// The positions of a solution by their ids, of which it is checked that they are in order, that
/// what is referred to is there, and that nothing leads back to itself.
fn positions(puzzle: &Value) -> &[Value] {
    let positions = list(&puzzle["solution"]["positions"]);
    let remoteness = |id: usize| positions[id]["remoteness"].as_u64().unwrap();
    for (id, node) in positions.iter().enumerate() {
        assert_eq!(node["id"], id);
        for m in list(&node["moves"]) {
            assert!(remoteness(m["then"].as_u64().unwrap() as usize) < remoteness(id));
        }
    }
    assert_eq!(puzzle["solution"]["distinct_positions"], positions.len());
    assert_eq!(puzzle["solution"]["cut_positions"], 0);
    positions
}

/// The lines of a solution from a position.
fn lines_from(positions: &[Value], id: usize) -> u64 {
    let moves = list(&positions[id]["moves"]);
    let below = moves.iter().map(|m| lines_from(positions, m["then"].as_u64().unwrap() as usize));
    if moves.is_empty() { 1 } else { below.sum() }
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
    assert_eq!(puzzle["terms"]["immediate"], 0.8);
    let position = puzzle["position"].as_str().unwrap();
    let positions = positions(puzzle);
    assert_eq!(positions[0]["position"], position);
    assert_eq!(puzzle["solution"]["lines"], lines_from(positions, 0));
    for node in positions {
        let here = shown("tic_tac_toe", node["position"].as_str().unwrap(), &[]);
        let moves = list(&node["moves"]);
        assert_eq!(node["to_move"].is_null(), !here["outcome"].is_null(), "{node}");
        let mut listed = texts(moves, "move");
        for others in ["slower", "missteps"] {
            listed.extend(texts(node.get(others).map_or(&[][..], list), "move"));
        }
        let mut legal: Vec<&str> =
            list(&here["moves"]).iter().map(|m| m.as_str().unwrap()).collect();
        listed.sort_unstable();
        legal.sort_unstable();
        assert_eq!(listed, legal, "every move is listed once: {node}");
    }
    for m in list(&positions[0]["moves"]) {
        let after = shown("tic_tac_toe", position, &[m["move"].as_str().unwrap()]);
        let then = &positions[m["then"].as_u64().unwrap() as usize];
        assert_eq!(after["position"], then["position"]);
    }
    let line: Vec<&str> = list(&puzzle["main_line"]).iter().map(|m| m.as_str().unwrap()).collect();
    assert_eq!(line.len(), 3);
    let end = shown("tic_tac_toe", position, &line);
    assert_eq!(end["outcome"], puzzle["turn"]);
    assert!(puzzle["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(puzzle["drawing"].as_str().unwrap().ends_with('\n'));
    for misstep in list(&positions[0]["missteps"]) {
        assert_ne!(misstep["value"], "win");
        assert!(misstep["words"].as_str().unwrap().contains(" in "), "{misstep}");
    }
}

/// A printed solution, read as its explanation says.
struct Printed<'t> {
    /// How far in each line is, and its text.
    lines: Vec<(usize, &'t str)>,
    positions: &'t [Value],
    /// Where the places are: the line, and what is left of it.
    places: HashMap<&'t str, (usize, &'t str)>,
    /// What was followed from which position.
    followed: HashSet<(usize, &'t str, usize)>,
}

impl<'t> Printed<'t> {
    /// Follows a line from a position, the one after a defence in `from`, to its end, and what
    /// stands further in below it.
    fn follow(&mut self, line: usize, mut rest: &'t str, mut id: usize, from: usize) {
        if !self.followed.insert((line, rest, id)) {
            return;
        }
        loop {
            rest = rest.trim_start();
            let node = &self.positions[id];
            let moves = list(&node["moves"]);
            let then = |m: &Value| m["then"].as_u64().unwrap() as usize;
            if let Some(like) = rest.strip_suffix(", by symmetry") {
                let like = like.trim_start_matches("as ").trim_matches(['[', ']']);
                let like = list(&self.positions[from]["moves"]).iter().find(|m| m["move"] == like);
                let like = then(like.expect("it is another defence"));
                assert_ne!(like, id);
                assert_eq!(lines_from(self.positions, like), lines_from(self.positions, id));
                assert_eq!(self.positions[like]["remoteness"], node["remoteness"]);
                return;
            }
            if let Some(name) = rest.strip_prefix("as ") {
                let &(line, rest) = self.places.get(name).expect("the place comes before");
                return self.follow(line, rest, id, from);
            }
            if rest.is_empty() {
                break;
            }
            let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
            if word.starts_with('(') && word.ends_with(')') {
                let place = *self.places.entry(word).or_insert((line, after));
                assert_eq!(place, (line, after), "{word} is one place");
                rest = after;
                continue;
            }
            if node["to_move"] == "winner" {
                let text = word.trim_end_matches(['!', '#']);
                assert_eq!(moves[0]["move"], text, "the quickest win is followed");
                assert_eq!(word.contains('!'), node["unique"] == true, "{word}");
                rest = match after.strip_prefix("(or ").or(after.strip_prefix("(slower")) {
                    Some(notes) => notes.split_once(')').expect("notes end").1,
                    None => after,
                };
                let quick = texts(moves, "move")[1..].join(", ");
                assert!(after.contains(&quick), "{quick} are named in {after}");
            } else {
                assert_eq!(moves.len(), 1, "the loser has no choice");
                assert_eq!(moves[0]["move"], word.trim_matches(['[', ']', '#']));
                rest = after;
            }
            id = then(&moves[0]);
            let over = self.positions[id]["to_move"].is_null();
            assert_eq!(word.contains('#'), over, "{word}");
        }
        let moves = list(&self.positions[id]["moves"]);
        let depth = self.lines[line].0 + 1;
        let below: Vec<_> = (line + 1..self.lines.len())
            .take_while(|&below| self.lines[below].0 >= depth)
            .filter(|&below| self.lines[below].0 == depth)
            .collect();
        let mut named = Vec::new();
        for below in below {
            let text = self.lines[below].1;
            let (defences, rest) = text.split_once(':').unwrap_or((text, ""));
            for defence in defences.trim_matches(['[', ']']).split(", ") {
                let defence = defence.trim_end_matches('#');
                named.push(defence);
                let m = moves.iter().find(|m| m["move"] == defence).expect("it is a defence");
                self.follow(below, rest, m["then"].as_u64().unwrap() as usize, id);
            }
        }
        named.sort_unstable();
        let mut all = texts(moves, "move");
        all.sort_unstable();
        assert_eq!(named, all, "every defence is named, once");
    }
}

#[test]
fn every_defence_is_printed() {
    for game in ["tic_tac_toe", "achi", "dots_and_boxes(rows=1,cols=3)", "finger_game"] {
        let report = puzzles(&[game]);
        let text = stdout(&["puzzles", game]);
        let mut printed = text.split("\nSolution (").skip(1);
        for puzzle in list(&report["puzzles"]) {
            let solution = printed.next().expect("it is printed").lines().skip(1);
            let lines = solution.take_while(|line| line.starts_with("  "));
            let lines = lines.map(|line| {
                let text = line.trim_start();
                ((line.len() - text.len()) / 2 - 1, text)
            });
            let lines: Vec<_> = lines.collect();
            let first = lines[0].1;
            let mut printed = Printed {
                lines,
                positions: positions(puzzle),
                places: HashMap::new(),
                followed: HashSet::new(),
            };
            printed.follow(0, first, 0, 0);
        }
        assert!(printed.next().is_none());
    }
}

#[test]
fn what_is_written_is_not_repeated() {
    let text = stdout(&["puzzles", "dots_and_boxes(rows=2,cols=2)", "--mate-in", "8"]);
    assert!(text.contains(" (1)") && text.contains(" as (1)\n"), "{text}");
    assert!(text.lines().count() < 1_000, "7,977,728 lines of play are written in a thousand");
    let text = stdout(&["puzzles", "achi", "--mate-in", "5"]);
    assert!(text.contains("    c1, a3, c3: as a1, by symmetry\n"), "{text}");
}

#[test]
fn wins_that_nothing_loses_are_no_puzzles() {
    // The player that takes the last box can do nothing else.
    let report = puzzles(&["dots_and_boxes(rows=2,cols=2)", "--top", "5"]);
    let row = &report["by_remoteness"][0];
    assert_eq!((&row["remoteness"], &row["picked"]), (&1.into(), &0.into()));
    assert!(row["asking_nothing"].as_u64() > Some(0));
    for puzzle in list(&report["puzzles"]) {
        let mut all = positions(puzzle).iter();
        assert!(all.any(|node| node.get("missteps").is_some_and(|m| !list(m).is_empty())));
    }
    let none = stdout(&["puzzles", "dots_and_boxes(rows=2,cols=2)", "--mate-in", "1"]);
    assert!(none.contains("has no puzzles in which the winner makes 1 move: in "), "{none}");
}

#[test]
fn what_matters_to_neither_player_makes_no_other_puzzle() {
    let report = puzzles(&["kalah(houses=3,seeds=2)", "--top", "8"]);
    let asked = |puzzle: &Value| {
        let mut asked = format!("{}", puzzle["interestingness"]);
        for node in positions(puzzle) {
            let moves = list(&node["moves"]).iter();
            let moves: Vec<_> = moves.map(|m| (m["move"].to_string(), m["then"].clone())).collect();
            let others = ["slower", "missteps"]
                .map(|kind| node.get(kind).map(|others| texts(list(others), "move")));
            asked += &format!("{moves:?} {others:?} ");
        }
        asked
    };
    let found = list(&report["puzzles"]);
    let all: HashSet<String> = found.iter().map(asked).collect();
    assert_eq!(all.len(), found.len());
    let same = |row: &Value| row["same"].as_u64().unwrap();
    assert!(list(&report["by_remoteness"]).iter().map(same).sum::<u64>() > 10);
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
    let report = puzzles(&["connect_four(cols=4,rows=4,k=3)", "--unique", "--top", "2"]);
    let found = list(&report["puzzles"]);
    assert!(!found.is_empty());
    for puzzle in found {
        assert_eq!(puzzle["unique"], true);
        for node in positions(puzzle).iter().filter(|node| node["to_move"] == "winner") {
            assert_eq!(node["unique"], true);
            assert_eq!((list(&node["moves"]).len(), list(&node["slower"]).len()), (1, 0));
        }
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
fn a_puzzle_is_played_against_perfect_play() {
    let play = ["puzzles", "tic_tac_toe", "--mate-in", "2", "--play"];
    // After any of the longest defences b3 wins, or c2 where b3 was the defence.
    let ran = run_with(&play, "hint\nb2\nb3\nc2\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for printed in [
        "Puzzle 1 (the only one; --top K and --mate-in N find others). The first player, x, is to move and wins in 2 moves (3 plies).\n",
        "the first player, x, is human; the second player, o, is perfect;",
        "best first, with the plies to the end):\n  wins in 3: b2\n  tie in 5: c3\n  loses in 4: c2 a3 b3\n",
        " (loses in 2)\n",
        "the first player has won",
    ] {
        assert!(ran.stdout.contains(printed), "no {printed:?} in {}", ran.stdout);
    }
    let ran = run_with(&["puzzles", "tic_tac_toe", "--play", "3"], "quit\n");
    let printed = "Puzzle 3 (of 3; --play N plays another, --mate-in N finds longer ones). The first player, x, is to move and wins in 3 moves (5 plies).\n";
    assert!(ran.stdout.starts_with(printed), "{}", ran.stdout);
    let ran = run(&["puzzles", "tic_tac_toe", "--play", "4"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("there are 3 puzzles, and no puzzle 4"), "{}", ran.stderr);
}

#[test]
fn puzzles_are_ranked_by_the_same_choices_as_interestingness() {
    let choices = ["--lose-children", "fastest", "--children", "positions", "--draws", "skip"];
    let report = puzzles(&[&["achi"], &choices[..]].concat());
    let interest = json(&[&["interest", "achi", "--json"], &choices[..]].concat());
    assert_eq!((&report["draws"], &report["children"]), (&"skip".into(), &"positions".into()));
    for row in list(&interest["by_remoteness"]) {
        let puzzle = list(&report["puzzles"]).iter().find(|p| p["remoteness"] == row["remoteness"]);
        let puzzle = puzzle.expect("there is a puzzle of each remoteness");
        assert_eq!(puzzle["interestingness"], row["max"]);
        assert_eq!(puzzle["terms"], row["terms"]);
    }
}

#[test]
fn the_number_of_moves_may_be_a_range() {
    let mates = |mate_in: &str| -> Vec<u64> {
        let report = json(&["puzzles", "achi", "--mate-in", mate_in, "--json"]);
        let puzzles = report["puzzles"].as_array().unwrap();
        puzzles.iter().map(|puzzle| puzzle["mate_in"].as_u64().unwrap()).collect()
    };
    assert_eq!(mates("2"), [2]);
    assert_eq!(mates("2..4"), [2, 3, 4]);
    let report = json(&["puzzles", "achi", "--mate-in", "2..4", "--json"]);
    assert_eq!((report["mate_in"].as_u64(), report["mate_in_max"].as_u64()), (Some(2), Some(4)));
    assert!(!mates("2..").contains(&1) && mates("2..").len() + 1 == mates("1..").len());
    assert!(stdout(&["puzzles", "achi", "--mate-in", "90.."]).contains("makes 90 moves or more"));
    assert!(stdout(&["puzzles", "achi", "--mate-in", "90..99"]).contains("makes 90 to 99 moves"));
    for bad in ["4..2", "0..2", "..3", "..", "a..b"] {
        refused(&["puzzles", "achi", "--mate-in", bad], 2, &["--mate-in", "or 2..4"]);
    }
}

#[test]
fn solutions_are_left_out_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheet.html");
    let command = ["puzzles", "achi", "--html", path.to_str().unwrap()];
    let with = stdout(&command);
    assert!(with.contains("Main line: b2 b1 a1 c1-c2 b3-c3#") && with.contains("Solution ("));
    let sheet = unsigned_page(&path);
    assert!(sheet.contains("<h1>Solutions</h1>") && sheet.contains("three men in a line"));
    let without = stdout(&[&command[..], &["--no-solutions"]].concat());
    assert!(without.contains("Puzzle 3.") && !without.contains("Main line"), "{without}");
    let sheet = unsigned_page(&path);
    assert!(sheet.contains("Puzzle 3") && !sheet.contains("Solutions") && !sheet.contains("c1-c2"));
    refused(&["puzzles", "achi", "--no-solutions", "--json"], 2, &["--no-solutions"]);
}

#[test]
fn no_puzzles_is_an_answer_but_nothing_to_play() {
    let report = puzzles(&["tic_tac_toe", "--mate-in", "9"]);
    assert!(list(&report["puzzles"]).is_empty());
    let text = stdout(&["puzzles", "tic_tac_toe", "--mate-in", "9"]);
    assert_eq!(text, "tic_tac_toe has no forced wins in which the winner makes 9 moves\n");
    let ran = run(&["puzzles", "tic_tac_toe", "--mate-in", "9", "--play"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("has no forced wins"), "{}", ran.stderr);
}

#[test]
fn puzzles_that_lines_of_others_come_to_are_named() {
    let game = "dots_and_boxes(rows=2,cols=2)";
    let report = puzzles(&[game]);
    let puzzles = list(&report["puzzles"]);
    let (mut named, mut seen) = (0, 0);
    for puzzle in puzzles {
        for other in puzzle["comes_to"].as_array().unwrap() {
            named += 1;
            let other = &puzzles[other.as_u64().unwrap() as usize - 1];
            assert!(other["remoteness"].as_u64() < puzzle["remoteness"].as_u64());
            let positions = puzzle["solution"]["positions"].as_array().unwrap();
            seen += u32::from(positions.iter().any(|node| node["position"] == other["position"]));
        }
    }
    // The others come up as images only.
    assert!(named > 3 && seen > 0 && seen <= named, "{seen} of {named}");
    assert!(stdout(&["puzzles", game]).contains(" Lines of it come to puzzle"));
    // What comes to nothing says so by silence.
    assert_eq!(puzzles[0]["comes_to"], serde_json::json!([]));
}
