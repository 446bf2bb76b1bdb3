//! Puzzles as a user asks for them.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::common::{Fields, Room, USAGE, json, stdout};

/// The moves that `show` lists, and whether the game is over.
fn shown(position: &str, line: &[&str]) -> Value {
    json(format!("show tic_tac_toe --position '{position}' --moves '{}'", line.join(" ")))
}

/// The texts of a list.
fn words(list: &[Value]) -> Vec<&str> {
    list.iter().map(|item| item.word("")).collect()
}

/// A field of each item of a list.
fn texts<'t>(list: &'t [Value], field: &str) -> Vec<&'t str> {
    list.iter().map(|item| item[field].word("")).collect()
}

/// The number of the position that a move leads to.
fn then(m: &Value) -> usize {
    m.whole("/then") as usize
}

/// The positions of a solution by their ids, after checks that they are in order, that
/// what is referred to is there, and that nothing leads back to itself.
fn positions(puzzle: &Value) -> &[Value] {
    let positions = puzzle.list("/solution/positions");
    let remoteness = |id: usize| positions[id].whole("/remoteness");
    for (id, node) in positions.iter().enumerate() {
        assert_eq!(node["id"], id);
        assert!(node.list("/moves").iter().all(|m| remoteness(then(m)) < remoteness(id)));
    }
    assert_eq!(puzzle["solution"]["distinct_positions"], positions.len());
    assert_eq!(puzzle["solution"]["cut_positions"], 0);
    positions
}

/// The lines of a solution from a position.
fn lines_from(positions: &[Value], id: usize) -> u64 {
    let moves = positions[id].list("/moves");
    let below = moves.iter().map(|m| lines_from(positions, then(m)));
    if moves.is_empty() { 1 } else { below.sum() }
}

#[test]
fn a_solution_is_followed_with_another_command() {
    let report = json("puzzles tic_tac_toe --mate-in 2");
    assert_eq!((&report["game"], &report["form"]), (&"tic_tac_toe".into(), &"clamped".into()));
    let [puzzle] = report.list("/puzzles") else { panic!("one puzzle: {report}") };
    assert_eq!((&puzzle["remoteness"], &puzzle["mate_in"]), (&3.into(), &2.into()));
    // The greatest interestingness of this remoteness is known.
    let interestingness = puzzle.number("/interestingness");
    assert!((interestingness - 0.596_390_12).abs() < 1e-8, "{interestingness}");
    assert_eq!(puzzle["terms"]["immediate"], 0.8);
    let position = puzzle.word("/position");
    let positions = positions(puzzle);
    assert_eq!(positions[0]["position"], position);
    assert_eq!(puzzle["solution"]["lines"], lines_from(positions, 0));
    for node in positions {
        let here = shown(node.word("/position"), &[]);
        let moves = node.list("/moves");
        assert_eq!(node["to_move"].is_null(), !here["outcome"].is_null(), "{node}");
        let mut listed = texts(moves, "move");
        for others in ["slower", "missteps"] {
            listed.extend(node.get(others).map_or(Vec::new(), |m| texts(m.list(""), "move")));
        }
        let mut legal = words(here.list("/moves"));
        listed.sort_unstable();
        legal.sort_unstable();
        assert_eq!(listed, legal, "every move is listed once: {node}");
    }
    for m in positions[0].list("/moves") {
        assert_eq!(shown(position, &[m.word("/move")])["position"], positions[then(m)]["position"]);
    }
    let line = words(puzzle.list("/main_line"));
    assert_eq!(line.len(), 3);
    assert_eq!(shown(position, &line)["outcome"], puzzle["turn"]);
    assert!(puzzle.word("/svg").starts_with("<svg"));
    assert!(puzzle.word("/drawing").ends_with('\n'));
    for misstep in positions[0].list("/missteps") {
        assert_ne!(misstep["value"], "win");
        assert!(misstep.word("/words").contains(" in "), "{misstep}");
    }
}

/// A printed solution, read as its explanation says.
struct Printed<'t> {
    /// Indentation and text of each line.
    lines: Vec<(usize, &'t str)>,
    positions: &'t [Value],
    /// Where the places are: the line, and what is left of it.
    places: HashMap<&'t str, (usize, &'t str)>,
    /// Moves followed, by their position.
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
            let moves = node.list("/moves");
            if let Some(like) = rest.strip_suffix(", by symmetry") {
                let like = like.trim_start_matches("as ").trim_matches(['[', ']']);
                let like = self.positions[from].list("/moves").iter().find(|m| m["move"] == like);
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
        let moves = self.positions[id].list("/moves");
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
                self.follow(below, rest, then(m), id);
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
        let report = json(["puzzles", game]);
        let text = stdout(["puzzles", game]);
        let mut printed = text.split("\nSolution (").skip(1);
        for puzzle in report.list("/puzzles") {
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
    let text = stdout("puzzles dots_and_boxes(rows=2,cols=2) --mate-in 8");
    assert!(text.contains(" (1)") && text.contains(" as (1)\n"), "{text}");
    assert!(text.lines().count() < 1_000, "7,977,728 lines of play are written in a thousand");
    let text = stdout("puzzles achi --mate-in 5");
    assert!(text.contains("    c1, a3, c3: as a1, by symmetry\n"), "{text}");
}

#[test]
fn wins_that_nothing_loses_are_no_puzzles() {
    // The player that takes the last box can do nothing else.
    let report = json("puzzles dots_and_boxes(rows=2,cols=2) --top 5 --mate-in 1..");
    let row = &report["by_remoteness"][0];
    assert_eq!((&row["remoteness"], &row["picked"]), (&1.into(), &0.into()));
    assert!(row.whole("/asking_nothing") > 0);
    for puzzle in report.list("/puzzles") {
        let asks = |node: &Value| node.get("missteps").is_some_and(|m| !m.list("").is_empty());
        assert!(positions(puzzle).iter().any(asks));
    }
    let none = stdout("puzzles dots_and_boxes(rows=2,cols=2) --mate-in 1");
    assert!(none.contains("has no puzzles in which the winner makes 1 move: in "), "{none}");
}

#[test]
fn what_matters_to_neither_player_makes_no_other_puzzle() {
    let report = json("puzzles kalah(houses=3,seeds=2) --top 8");
    let asked = |puzzle: &Value| {
        let mut asked = format!("{}", puzzle["interestingness"]);
        for node in positions(puzzle) {
            let moves = node.list("/moves").iter();
            let moves: Vec<_> = moves.map(|m| (m["move"].to_string(), m["then"].clone())).collect();
            let others = ["slower", "missteps"]
                .map(|kind| node.get(kind).map(|others| texts(others.list(""), "move")));
            asked += &format!("{moves:?} {others:?} ");
        }
        asked
    };
    let found = report.list("/puzzles");
    let all: HashSet<String> = found.iter().map(asked).collect();
    assert_eq!(all.len(), found.len());
    let same = report.list("/by_remoteness").iter().map(|row| row.whole("/same"));
    assert!(same.sum::<u64>() > 10);
}

#[test]
fn puzzles_are_ranked_by_the_chosen_interestingness() {
    // The literal form is the printed formula.
    let report = json("puzzles tic_tac_toe --mate-in 2 --form literal");
    let interestingness = report.number("/puzzles/0/interestingness");
    assert!((interestingness - 0.595_721_10).abs() < 1e-8, "{interestingness}");
    let choices = "achi --lose-children fastest --children positions --draws skip";
    let report = json(format!("puzzles {choices} --mate-in 1.."));
    let interest = json(format!("interest {choices}"));
    assert_eq!((&report["draws"], &report["children"]), (&"skip".into(), &"positions".into()));
    for row in interest.list("/by_remoteness") {
        let is_of_row = |puzzle: &&Value| puzzle["remoteness"] == row["remoteness"];
        let puzzle = report.list("/puzzles").iter().find(is_of_row);
        let puzzle = puzzle.expect("there is a puzzle of each remoteness");
        assert_eq!(puzzle["interestingness"], row["max"]);
        assert_eq!(puzzle["terms"], row["terms"]);
    }
}

#[test]
fn every_remoteness_has_its_puzzles() {
    let report = json("puzzles achi --top 3 --mate-in 1..");
    let remoteness = |list: &str| -> Vec<u64> {
        report.list(list).iter().map(|of| of.whole("/remoteness")).collect()
    };
    let (rows, found) = (remoteness("/by_remoteness"), remoteness("/puzzles"));
    assert_eq!(rows, [1, 3, 5, 7, 9]);
    assert!(found.is_sorted());
    for row in rows {
        let count = found.iter().filter(|&&found| found == row).count();
        assert!((1..=3).contains(&count), "{count} of remoteness {row}");
    }
}

#[test]
fn a_sheet_begins_at_wins_in_two_moves_unless_it_is_asked_for_others() {
    let least = |command: &str| {
        let report = json(command);
        report.list("/puzzles").iter().map(|puzzle| puzzle.whole("/mate_in")).min()
    };
    assert_eq!(least("puzzles tic_tac_toe"), Some(2));
    assert_eq!(least("puzzles tic_tac_toe --mate-in 1.."), Some(1));
    // A game without longer wins is asked for those in one move, too.
    let none = stdout("puzzles tic_tac_toe(k=1)");
    assert!(none.contains("has no puzzles in one move or more"), "{none}");
}

#[test]
fn unique_puzzles_have_one_winning_move_at_every_turn() {
    let report = json("puzzles connect_four(cols=4,rows=4,k=3) --unique --top 2");
    let found = report.list("/puzzles");
    assert!(!found.is_empty());
    for puzzle in found {
        assert_eq!(puzzle["unique"], true);
        for node in positions(puzzle).iter().filter(|node| node["to_move"] == "winner") {
            assert_eq!(node["unique"], true);
            assert_eq!((node.list("/moves").len(), node.list("/slower").len()), (1, 0));
        }
    }
}

#[test]
fn moves_of_the_winner_are_counted_where_turns_do_not_alternate() {
    let report = json("puzzles dots_and_boxes(rows=2,cols=2) --mate-in 6");
    let found = report.list("/puzzles");
    assert!(!found.is_empty() && found.iter().all(|puzzle| puzzle["mate_in"] == 6));
    let remoteness: Vec<_> = found.iter().map(|p| p.whole("/remoteness")).collect();
    assert!(remoteness.iter().any(|&plies| plies != 11 && plies != 12), "{remoteness:?}");
}

#[test]
fn the_number_of_moves_may_be_a_range() {
    let mates = |mate_in: &str| -> Vec<u64> {
        let report = json(format!("puzzles achi --mate-in {mate_in}"));
        report.list("/puzzles").iter().map(|puzzle| puzzle.whole("/mate_in")).collect()
    };
    assert_eq!(mates("2"), [2]);
    assert_eq!(mates("2..4"), [2, 3, 4]);
    let report = json("puzzles achi --mate-in 2..4");
    assert_eq!((report.whole("/mate_in"), report.whole("/mate_in_max")), (2, 4));
    assert!(!mates("2..").contains(&1) && mates("2..").len() + 1 == mates("1..").len());
    assert!(stdout("puzzles achi --mate-in 90..").contains("makes 90 moves or more"));
    assert!(stdout("puzzles achi --mate-in 90..99").contains("makes 90 to 99 moves"));
    // No puzzles is an answer.
    let text = stdout("puzzles tic_tac_toe --mate-in 9");
    let none = "tic_tac_toe has no forced wins in which the winner makes 9 moves.\n";
    assert!(text.starts_with(none), "{text}");
    assert!(json("puzzles tic_tac_toe --mate-in 9").list("/puzzles").is_empty());
}

#[test]
fn the_sheet_has_the_solutions_behind_a_page_break_unless_they_are_left_out() {
    let room = Room::new();
    let with = room.stdout("puzzles achi --mate-in 1..");
    assert!(with.contains("Main line: b2 b1 a1 c1-c2 b3-c3#") && with.contains("Solution ("));
    assert!(with.contains("Puzzle 5."));
    let sheet = room.page("puzzles achi --mate-in 1..");
    assert!(sheet.contains("<h1>Solutions</h1>") && sheet.contains("three men in a line"));
    assert_eq!(sheet.matches("<svg").count(), 5);
    assert!(sheet.contains("Find the win: Achi</h1>"), "{sheet}");
    assert!(sheet.contains("The second player (light) is to move and wins in 2 moves.</p>"));
    let (shown, folded) = sheet.split_once("<details>").unwrap();
    assert!(folded.contains("1 - sqrt(") && !shown.contains("1 - sqrt("));
    assert!(folded.contains("xo./.o./.xx o") && !shown.contains("xo./.o./.xx o"));
    let (puzzles, solutions) = sheet.split_once("<div class=\"solutions\">").unwrap();
    assert!(puzzles.contains("break-before: page") && !puzzles.contains("Missteps"));
    assert_eq!(solutions.matches("<div class=\"solution\">").count(), 5);
    let without = room.stdout("puzzles achi --no-solutions");
    assert!(without.contains("Puzzle 3.") && !without.contains("Main line"), "{without}");
    let sheet = room.page("puzzles achi --no-solutions");
    assert!(sheet.contains("Puzzle 3") && !sheet.contains("Solutions") && !sheet.contains("c1-c2"));
}

#[test]
fn the_rules_on_a_sheet_have_the_values_of_the_game() {
    let sheet = Room::new().page("puzzles 'tic_tac_toe(k=2)'");
    assert!(sheet.contains("The first with 2 marks in a straight line wins;"), "{sheet}");
    assert!(sheet.contains("Find the win: Tic-tac-toe (k=2)</h1>"), "{sheet}");
}

#[test]
fn a_solution_lists_up_to_three_slower_wins() {
    let report = json("puzzles achi");
    let text = stdout("puzzles achi");
    let nodes = report.list("/puzzles").iter().flat_map(positions);
    assert!(nodes.filter_map(|node| node["slower"].as_array()).any(|slower| slower.len() > 4));
    let notes = text.lines().filter_map(|line| Some(line.split_once("slower: ")?.1));
    for note in notes.map(|note| note.split_once(')').map_or(note, |(note, _)| note)) {
        assert!(note.matches(" in ").count() <= 3, "{note}");
    }
    assert!(text.contains("; and 2 more)"), "{text}");
}

#[test]
fn puzzles_that_lines_of_others_come_to_are_named() {
    let report = json("puzzles dots_and_boxes(rows=2,cols=2)");
    let puzzles = report.list("/puzzles");
    let (mut named, mut seen) = (0, 0);
    for puzzle in puzzles {
        for other in puzzle.list("/comes_to") {
            named += 1;
            let other = &puzzles[other.whole("") as usize - 1];
            assert!(other.whole("/remoteness") < puzzle.whole("/remoteness"));
            let positions = puzzle.list("/solution/positions");
            seen += u32::from(positions.iter().any(|node| node["position"] == other["position"]));
        }
    }
    // The others come up as images only.
    assert!(named > 3 && seen > 0 && seen <= named, "{seen} of {named}");
    let text = stdout("puzzles dots_and_boxes(rows=2,cols=2) --explain");
    assert!(text.contains(" Lines of it come to puzzle"));
    // What comes to nothing says so by silence.
    assert_eq!(puzzles[0]["comes_to"], serde_json::json!([]));
}

/// A command that finds puzzles in a few short games of the search against itself.
const FROM_PLAY: &str = "puzzles connect_four(cols=5,rows=4) --from-play --games 30 --iterations 30 --plies 5 --count 6 --mate-in 1..";

#[test]
fn wins_found_in_play_are_those_of_the_solved_game() {
    let room = Room::new();
    let report = room.json(FROM_PLAY);
    let found = |field: &str| report.whole(&format!("/from_play/{field}"));
    assert_eq!((found("games"), found("plies_max"), found("last_plies")), (30, 5, 10));
    assert!(found("won") > 0 && found("not_won") > 0 && found("undecided") == 0, "{report}");
    let counts = report.list("/by_remoteness");
    let wins: u64 = counts.iter().map(|row| row.whole("/stored_wins")).sum();
    assert_eq!(wins, found("won"));
    room.stdout("solve connect_four(cols=5,rows=4) -o four.tgs");
    let puzzles = report.list("/puzzles");
    assert_eq!(puzzles.len(), 6);
    for puzzle in puzzles {
        for node in positions(puzzle).iter().filter(|node| node["to_move"] == "winner") {
            let position = node.word("/position");
            let probed = room.json(format!("probe four.tgs --position '{position}'"));
            let plies = node.whole("/remoteness");
            assert_eq!((probed["value"].word(""), probed.whole("/remoteness")), ("win", plies));
            // The moves of the solution are the quickest wins, and no other is.
            let quickest = |m: &&Value| m["value"] == "win" && m.whole("/remoteness") == plies;
            let mut theirs: Vec<&str> =
                probed.list("/moves").iter().filter(quickest).map(|m| m.word("/move")).collect();
            let mut ours = texts(node.list("/moves"), "move");
            theirs.sort_unstable();
            ours.sort_unstable();
            assert_eq!(ours, theirs, "{position}");
            for other in node.list("/missteps").iter().filter(|other| other["value"].is_null()) {
                assert!(other["words"].word("").starts_with("no win "), "{other}");
            }
        }
    }
}

#[test]
fn puzzles_from_play_do_not_depend_on_threads_and_make_pages() {
    let room = Room::new();
    let text = room.stdout(format!("{FROM_PLAY} --explain --threads 1"));
    assert_eq!(text, room.stdout(format!("{FROM_PLAY} --explain --threads 3")));
    assert!(
        text.contains("a proven win, found in 30 games of the search against itself"),
        "{text}"
    );
    assert!(text.contains("The last 10 plies of each game were tried (30 iterations per move)"));
    assert!(
        text.contains("do not win within") && text.contains("the only move that wins so quickly")
    );
    let claims = ["lead to a tie", "leads to a tie", "(tie in"];
    assert!(!claims.iter().any(|claim| text.contains(claim)), "a tie is not known: {text}");
    room.stdout(format!("{FROM_PLAY} --practice practice.html --html sheet.html"));
    assert!(room.text("practice.html").contains("Find the win"));
    assert!(room.text("sheet.html").contains("wins so quickly"));
    let none = room.stdout("puzzles tic_tac_toe --from-play --games 2 --plies 1 --iterations 5000");
    assert!(none.contains("no win within 1 ply was found in 2 games"), "{none}");
}

#[test]
fn options_that_need_a_solution_are_refused_for_puzzles_from_play() {
    let room = Room::new();
    for (option, named) in [
        ("--play", "--play"),
        ("--symmetry", "--symmetry"),
        ("--lose-children all", "--lose-children"),
        ("--ties late", "--ties"),
        ("--form forcing", "--form forcing"),
        ("--solution four.tgs", "--solution"),
    ] {
        room.refused(format!("{FROM_PLAY} {option}"), USAGE, &[named, "--from-play"]);
    }
    room.refused("puzzles tic_tac_toe --plies 3", USAGE, &["--from-play"]);
    room.refused("puzzles connect_four", USAGE, &["far too many", "--from-play"]);
    room.stdout("solve tic_tac_toe -o tic.tgs");
    room.refused("puzzles tic.tgs --from-play", USAGE, &["tic.tgs is solved"]);
}
