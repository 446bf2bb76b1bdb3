//! Puzzles that are rated by an engine, engines that fail, and the trees of single positions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{DATA, Fields, Ran, Room, USAGE, json, testdata};

const ENGINE: i32 = 69;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

/// A position whose only move mates.
const ONLY_MOVE: &str = "1k6/1b3n2/KQp5/3r4/8/8/8/8 w - - 0 1";

/// Options with which an engine is fast, and the trees small.
const FAST: &str = "--depth 4 --nodes-max 12 --model none";

/// The first `count` puzzles of the sample, which are quick to rate.
fn puzzles(count: usize) -> String {
    let sample = fs::read_to_string(testdata("lichess_puzzles.csv")).unwrap();
    let lines: Vec<&str> = sample.lines().take(3 + count).collect();
    lines.join("\n") + "\n"
}

/// The options of an engine that is a script.
fn fake(name: &str) -> String {
    format!("--no-cache --model none --engine {}", testdata(&format!("engines/{name}.sh")))
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let cells = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|row| cells(row.unwrap())).collect()
}

/// The place of a column.
fn column(rows: &[Vec<String>], name: &str) -> usize {
    rows[0].iter().position(|title| title == name).expect(name)
}

/// A table of puzzles that were measured, as lines.
fn measured(room: &Room, count: usize) -> String {
    room.write("puzzles.csv", puzzles(count));
    let all = "--no-cache --out csv --attributes all";
    room.stdout(format!("difficulty puzzles.csv {all} {FAST}"))
}

/// A table of few puzzles many times over, each as one of another game.
pub(crate) fn many_problems() -> Vec<u8> {
    let all = rows(&measured(&Room::new(), 12));
    let (game, rating) = (column(&all, "game"), column(&all, "given_rating"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&all[0]).unwrap();
    for n in 0..120 {
        let mut row = all[1 + n % 12].clone();
        row[game] = format!("game {n}");
        row[rating] = (row[rating].parse::<f64>().unwrap() + (n % 7) as f64).to_string();
        writer.write_record(&row).unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn a_file_gives_the_same_rows_for_any_engines_with_and_without_a_cache() {
    let room = Room::new();
    let one = measured(&room, 8);
    let table = |more: &str| {
        let all = "--out csv --attributes all";
        room.stdout(format!("difficulty puzzles.csv {all} {FAST} --cache cache {more}"))
    };
    assert_eq!(table("--engines 3"), one);
    assert_eq!(table(""), one, "everything is known now");
    let all = rows(&one);
    assert_eq!(all.len(), 9);
    for (name, value) in
        [("id", "9eZCm"), ("line", "4"), ("given_rating", "2361.0"), ("engine", "Stockfish 15.1")]
    {
        assert_eq!(all[1][column(&all, name)], value);
    }
    let (size, unrated) = (column(&all, "TreeSize"), column(&all, "unrated"));
    assert!(all[1..].iter().all(|row| row[size].parse::<f64>().unwrap() >= 1.0));
    assert!(all[1..].iter().all(|row| row[unrated].is_empty()));

    // The other formats say the same.
    let cached = format!("difficulty puzzles.csv {FAST} --cache cache");
    let lines = room.stdout(format!("{cached} --out jsonl"));
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let size = all[1][size].parse::<f64>().unwrap();
    assert_eq!((first.word("/id"), first.number("/TreeSize")), ("9eZCm", size));
    room.stdout(format!("{cached} --out parquet -o rows.parquet"));
    assert!(room.bytes("rows.parquet").starts_with(b"PAR1"));
}

#[test]
fn the_model_of_the_program_rates_puzzles_and_says_how_far_it_is_to_be_trusted() {
    let room = Room::new();
    room.write("puzzles.csv", puzzles(3));
    let report = room.save("report.json", "difficulty puzzles.csv --no-cache");
    let rows = report.list("/rows");
    assert_eq!(rows.len(), 3);
    for row in rows {
        let found = &row["difficulty"];
        let rating = ["/rating_low", "/rating", "/rating_high"].map(|name| found.number(name));
        assert!(rating[0] < rating[1] && rating[1] < rating[2], "{found}");
        let chances = ["easy", "medium", "hard"].map(|class| found["chances"][class].as_f64());
        assert!((chances.into_iter().flatten().sum::<f64>() - 1.0).abs() < 1e-6);
        assert!(!row.word("/words").is_empty() && row["tree"]["nodes"].is_array());
    }
    let text = room.stdout("report report.json");
    assert!(
        text.starts_with("3 problems: ") && text.contains("in their intervals, which are about "),
        "{text}"
    );
    let explained = room.stdout("report report.json --explain");
    assert!(explained.contains("mean absolute error"), "{explained}");
    let page = room.page("report report.json");
    assert_eq!(page.matches(" to move</p>").count(), 3);
    assert!(page.contains("<details><summary class=\"line\">Solution</summary>"));

    let sorted = room.json("difficulty puzzles.csv --no-cache --for-rating 2900");
    let away = |row: &Value| (row.number("/difficulty/rating") - 2900.0).abs();
    assert!(sorted.list("/rows").is_sorted_by(|a, b| away(a) <= away(b)));
}

#[test]
fn a_model_is_trained_on_a_table_of_puzzles() {
    let room = Room::new();
    room.write("few.csv", measured(&room, 12));
    let few = "12 rated problems with a solution were measured; at least 100 are needed";
    room.refused("train few.csv -o model.json", DATA, &[few]);
    let labels = "train few.csv --labels puzzles.csv -o model.json";
    room.refused(labels, USAGE, &["--labels"]);
    let no_table = ["not a table of rated puzzles", "puzzles.csv"];
    room.refused("train puzzles.csv -o model.json", DATA, &no_table);
    room.write("many.csv", many_problems());
    let train = "train many.csv --name repeated";
    let text = room.stdout(format!("{train} -o model.json --explain"));
    assert!(text.starts_with("Predicted ratings are off by "), "{text}");
    assert!(text.contains("Model repeated, digest "), "{text}");
    room.stdout(format!("{train} -o again.json --threads 1"));
    assert_eq!(room.bytes("model.json"), room.bytes("again.json"));
    for depth in [4, 5] {
        let options =
            format!("--no-cache --depth {depth} --nodes-max 12 --model model.json --explain");
        let rated = room.stdout(format!("difficulty puzzles.csv {options}"));
        assert!(rated.contains("Model repeated"), "{rated}");
        assert_eq!(rated.contains("measured in another way"), depth == 5, "{rated}");
    }
}

#[test]
fn bad_rows_are_named_and_the_rest_is_done() {
    let room = Room::new();
    let mut lines: Vec<String> = puzzles(3).lines().map(str::to_owned).collect();
    lines[3] = lines[3].replacen("f7f5", "f7f1", 1);
    room.write("broken.csv", lines.join("\n") + "\n,not a fen,e2e4 e7e5,1500,,,,,,\n");
    let ran = room.run(format!("difficulty broken.csv --no-cache {FAST}"));
    assert_eq!(ran.code, Some(DATA));
    let text = ran.stdout;
    assert!(text.starts_with("2 problems measured"), "{text}");
    assert!(text.contains("line 4 is skipped: \"f7f1\" is not a legal move in "), "{text}");
    assert!(
        text.contains("line 7 is skipped: the FEN has an error: the first field has 1 rank"),
        "{text}"
    );
    assert!(ran.stderr.contains("2 rows of the file skipped"));
    room.write("bytes.epd", b"\xFF\xFE\n");
    let ran = room.run(format!("difficulty bytes.epd --no-cache {FAST}"));
    assert_eq!(ran.code, Some(DATA));
    assert!(ran.stderr.contains("UTF-16"), "{}", ran.stderr);
}

/// The JSON of a run with an exit code.
fn report_of(ran: &Ran, code: i32) -> Value {
    assert_eq!(ran.code, Some(code), "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("stdout is JSON")
}

/// A position in which the game is over is a fault of the file, and none of the engine.
#[test]
fn finished_positions_are_rows_of_the_file_that_are_left_out() {
    let room = Room::new();
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
    room.write("over.fen", format!("{over}{ONLY_MOVE}, Qxb7#\n{ONLY_MOVE} nonsense\n"));
    let ran = room.run(format!("difficulty over.fen {} --json", fake("only_move")));
    let report = report_of(&ran, DATA);
    let bad: Vec<&str> = report.list("/bad_rows").iter().map(|row| row.word("/problem")).collect();
    let [stalemate, unmated] = bad[..] else { panic!("{report}") };
    assert!(stalemate.contains("it is stalemate"), "{stalemate}");
    assert!(unmated.contains("no side can be mated"), "{unmated}");
    assert_eq!(report.list("/rows").len(), 2);
    assert_eq!(report["rows"][0]["solution"][0], "Qxb7#");
    let unread = "line 4: \"nonsense\" is not read";
    assert!(ran.stderr.contains(unread), "{}", ran.stderr);
}

/// Files as coaches, spreadsheets and published sets write them, each with its puzzles and the rows
/// that are left out.
#[test]
fn every_usual_file_of_chess_puzzles_is_read() {
    let room = Room::new();
    for (file, puzzles, bad) in [
        ("bare_kings.fen", 0, "no side can be mated"),
        ("bm_order.epd", 2, ""),
        ("csv.csv.zst", 2, ""),
        ("csv_blank_first.csv", 1, ""),
        ("csv_noheader.csv", 2, ""),
        ("csv_semicolon.csv", 2, ""),
        ("csv_sepline.csv", 2, ""),
        ("glued_semicolon.epd", 1, ""),
        ("king_on_d1_castles.fen", 0, "Chess960"),
        ("legal_fens_refused.fen", 3, ""),
        ("mate_distance.epd", 2, ""),
        ("move_spelling.epd", 7, ""),
        ("nul_at_line_end.epd", 2, ""),
        ("own_titles.csv", 1, ""),
        ("puzzles.pgn", 2, ""),
        ("stalemate.fen", 0, "it is stalemate"),
    ] {
        let path = testdata(&format!("chess_files/{file}"));
        let ran = room.run(format!("difficulty {path} --no-cache {FAST} --json"));
        let report = report_of(&ran, if bad.is_empty() { 0 } else { DATA });
        assert_eq!(report.list("/rows").len(), puzzles, "{file}");
        let rows = report.list("/bad_rows");
        assert_eq!(rows.len(), usize::from(!bad.is_empty()), "{file}");
        assert!(rows.iter().all(|row| row.word("/problem").contains(bad)), "{file}: {report}");
    }
}

/// A position in which there is nothing to find gets a verdict and no rating.
#[test]
fn a_verdict_comes_before_a_rating() {
    let room = Room::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let lost = "8/8/8/8/3k4/8/1q6/4K3 w - - 0 1";
    let loses = "5rk1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8;";
    room.write("all.epd", format!("{start}\n{lost}\n{ONLY_MOVE}\n{loses}\n{BACK_RANK}\n"));
    let fast = "--no-cache --depth 6 --nodes-max 12";
    let report = room.json(format!("difficulty all.epd {fast}"));
    let found: Vec<(&str, bool)> = report
        .list("/rows")
        .iter()
        .map(|row| (row.word("/soundness"), row["difficulty"].is_null()))
        .collect();
    let expected = [
        ("nothing_to_find", true),
        ("lost", true),
        ("one_legal_move", true),
        ("solution_loses", true),
        ("sound", false),
    ];
    assert_eq!(found, expected);
    // The file has no solution, so the engine gives it.
    assert_eq!(report["rows"][4]["solution"][0], "Rd8#");
    assert_eq!(report["rows"][4]["completed"], true);

    // Games of PGN are read back as the same puzzles.
    let pgn = room.stdout(format!("difficulty all.epd {fast} --out pgn"));
    room.write("back.pgn", &pgn);
    let back = room.json(format!("difficulty back.pgn {fast}"));
    let fens = |report: &Value| -> Vec<Value> {
        report.list("/rows").iter().map(|row| row["fen"].clone()).collect()
    };
    assert_eq!(fens(&back), fens(&report));

    let shown = format!("difficulty --show '{BACK_RANK}' {fast} --moves");
    let text = room.stdout(format!("{shown} 'Rd7 h6 Rd8+'"));
    assert!(text.contains("It is mate in 1, and the solution does not mate."), "{text}");
    room.refused(format!("{shown} Rd9"), DATA, &["\"Rd9\" is not a legal move"]);
}

/// The words of users stay text in a spreadsheet and on a terminal.
#[test]
fn cells_of_a_table_are_not_run() {
    let room = Room::new();
    let text =
        format!("{ONLY_MOVE} bm Qxb7; id \"=1+1\";\n{ONLY_MOVE} bm Qxb7; id \"a\x1b[31m\";\n");
    room.write("cells.epd", text);
    let table = room.stdout(format!("difficulty cells.epd {} --out csv", fake("only_move")));
    assert!(!table.contains('\x1b'));
    let rows = rows(&table);
    assert_eq!((rows[1][0].as_str(), rows[2][0].as_str()), ("'=1+1", "a\\u{1b}[31m"));
}

/// A cache that was damaged costs time only, and a word.
#[test]
fn a_damaged_cache_changes_no_row() {
    let room = Room::new();
    room.write("one.epd", format!("{ONLY_MOVE} bm Qxb7;\n"));
    let cached = fake("only_move").replace("--no-cache", "--cache cache");
    let rate = || room.run(format!("difficulty one.epd {cached} --out csv"));
    let first = rate();
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""));
    let whole = room.bytes("cache");
    let mut damaged = whole.clone();
    let at = whole.len() / 2;
    damaged[at] ^= 1;
    for bytes in [damaged, b"redb\x1A\x0A\xA9\x0D\x0A an earlier one".to_vec()] {
        room.write("cache", bytes);
        let again = rate();
        assert_eq!((again.code, &again.stdout), (Some(0), &first.stdout));
        assert_eq!(again.stderr.lines().count(), 1, "{}", again.stderr);
        assert!(again.stderr.contains("cache: the cache "), "{}", again.stderr);
        assert!(room.size("cache") >= whole.len() as u64);
        assert_eq!(rate().stderr, "");
    }
}

#[test]
fn an_engine_that_fails_leaves_puzzles_unrated_and_says_so() {
    let room = Room::new();
    room.write("one.fen", format!("{BACK_RANK}\n"));
    for name in ["dies", "garbage", "hangs"] {
        let rate = format!("difficulty one.fen {} --timeout 2", fake(name));
        let report = report_of(&room.run(format!("{rate} --json")), ENGINE);
        let cause = report.word("/rows/0/unrated");
        assert!(cause.starts_with("the engine"), "{name}: {cause}");
        assert!(report["rows"][0]["difficulty"].is_null());
        let text = room.stdout(format!("{rate} --recover"));
        assert!(text.contains("1 (line 1) is unrated: the engine"), "{text}");
    }
    // The games of Debian are not on the path of every user.
    assert!(Path::new("/usr/games/stockfish").exists(), "the tests need it");
    let rate = format!("difficulty one.fen --no-cache {FAST}");
    assert_eq!(room.run_in(&[("PATH", "")], rate).code, Some(0));
}

#[test]
fn puzzles_with_a_solution_are_rated_without_an_engine() {
    let room = Room::new();
    room.write("puzzles.csv", puzzles(3));
    let rate = "difficulty puzzles.csv --engine none";
    let report = room.json(rate);
    assert!(report["measured"].is_null());
    for row in report.list("/rows") {
        assert_eq!(row["difficulty"]["evidence"], "solution");
        assert!(row["tree"].is_null() && row["soundness"].is_null());
        let people = row.list("/people");
        assert_eq!(people.len(), row.list("/solution").len().div_ceil(2));
        let chances = |one: &Value| one.number("/chance") + one.number("/rival_chance");
        assert!(people.iter().all(|one| (0.0..=1.0 + 1e-9).contains(&chances(one))), "{row}");
        assert_eq!(people[0]["solution"], row["solution"][0]);
    }
    let text = room.stdout(format!("{rate} --for-rating 1700 --explain"));
    assert!(text.contains("solved at 1700"), "{text}");
    assert!(text.contains("3 problems are rated by: solution."), "{text}");
    let page = room.page(rate);
    assert!(page.contains("move 1, people rated 1500: "), "{page}");
    // A table of it has no settings of an engine, and a model can learn from it.
    let table = rows(&room.stdout(format!("{rate} --out csv --attributes all")));
    assert_eq!(table[1][column(&table, "evidence")], "solution");
    assert_eq!(table[1][column(&table, "engine")], "");
    assert_eq!(table[1][column(&table, "TreeSize")], "");
    assert!(table[1][column(&table, "PolicyBits1500(1)")].parse::<f64>().unwrap() > 0.0);

    room.write("one.fen", format!("{BACK_RANK}\n"));
    let report = report_of(&room.run("difficulty one.fen --engine none --json"), DATA);
    let cause = "its solution is unknown, and there is no engine to find it";
    assert_eq!(report["rows"][0]["unrated"], cause);
    let show = format!("difficulty --show '{BACK_RANK}' --engine none");
    room.refused(show, ENGINE, &["a tree needs an engine"]);
}

#[test]
fn a_worksheet_has_the_boards_without_ratings_and_then_the_solutions() {
    let room = Room::new();
    room.write("puzzles.csv", puzzles(5));
    let rate = "difficulty puzzles.csv --engine none";
    room.stdout(format!("{rate} --worksheet sheet.html --practice practice.html"));
    assert!(room.text("practice.html").contains("Find the best move"));
    let sheet = room.text("sheet.html");
    let (boards, key) = sheet.split_once("<h2>Solutions</h2>").unwrap();
    let boards = boards.split_once("<body>").unwrap().1;
    assert_eq!(boards.matches(" to move</p>").count(), 5);
    assert_eq!(boards.matches("class=\"last\"").count(), 10, "the opponent's last moves");
    let report = room.json(rate);
    let rows = report.list("/rows");
    for row in rows {
        assert!(
            !boards.contains(row.word("/difficulty/class")) && !boards.contains(row.word("/id"))
        );
        assert!(key.contains(row.word("/solution/0")), "{key}");
    }
    let black = |row: &Value| row.word("/fen").contains(" b ");
    assert_eq!(key.matches(" 1... ").count(), rows.iter().filter(|row| black(row)).count());

    room.write("one.fen", format!("{BACK_RANK}\n"));
    let ran = room.run("difficulty one.fen --engine none --worksheet none.html");
    assert!(ran.code == Some(DATA) && !room.has("none.html"), "{}", ran.stderr);
    let show = format!("difficulty --show '{BACK_RANK}' --worksheet none.html");
    room.refused(show, USAGE, &["--worksheet"]);
}

#[test]
fn a_set_has_ratings_in_equal_steps_and_one_problem_of_a_game() {
    let room = Room::new();
    let sample = puzzles(40);
    let lines: Vec<&str> = sample.lines().collect();
    // The second copy of each puzzle is of the same game.
    let copies = lines[3..].iter().map(|line| line.replacen(',', "b,", 1));
    let all: Vec<String> = lines.iter().map(|&line| line.to_owned()).chain(copies).collect();
    room.write("puzzles.csv", all.join("\n"));
    let rate = "difficulty puzzles.csv --engine none";
    let ratings = |report: &Value| -> Vec<f64> {
        report.list("/rows").iter().map(|row| row.number("/difficulty/rating")).collect()
    };
    let whole = ratings(&room.json(rate));
    let set = room.json(format!("{rate} --set 6 --ratings 1200..2200"));
    let chosen = ratings(&set);
    assert_eq!(chosen.len(), 6);
    let step = 200.0;
    for (n, rating) in chosen.iter().enumerate() {
        assert!((rating - 1200.0 - step * n as f64).abs() <= step / 2.0, "{chosen:?}");
    }
    // Without a range the easiest and the hardest problem are its ends.
    let ends = ratings(&room.json(format!("{rate} --set 3")));
    let [least, greatest] =
        [f64::min, f64::max].map(|of| whole.iter().copied().reduce(of).unwrap());
    assert_eq!((ends.len(), ends[0], ends[2]), (3, least, greatest));
    let games: Vec<&str> = set.list("/rows").iter().map(|row| row.word("/game")).collect();
    assert!(games.iter().enumerate().all(|(n, game)| !games[..n].contains(game)), "{games:?}");
    let text = room.stdout(format!("{rate} --set 5 --ratings 1300..1900"));
    assert!(text.starts_with("A set rated 1300 to 1900, from 80 rated problems. "), "{text}");
    let text = room.stdout(format!("{rate} --set 5 --ratings 3900..4000"));
    let none = "None of 80 rated problems fits into a set of 5 rated 3900 to 4000.";
    assert!(text.starts_with(none), "{text}");
    let text = room.stdout(format!("{rate} --set 5 --ratings 500..1200"));
    assert!(text.starts_with("Only "), "{text}");
    let rows = room.stdout(format!("{rate} --set 5 --out csv"));
    assert_eq!(rows.lines().count(), 6);
    room.refused(format!("{rate} --set 5 --model none"), USAGE, &["--set", "model"]);
    room.refused(format!("{rate} --set 5 --ratings 1900..1300"), USAGE, &["1200..1800"]);
}

#[test]
fn networks_of_peoples_moves_join_the_evidence() {
    let room = Room::new();
    room.write("puzzles.csv", puzzles(2));
    let network = fs::read(testdata("human/small.pb.gz")).unwrap();
    for name in ["people-1100.pb.gz", "people-1900.pb.gz", "people.pb.gz", "1900.pb"] {
        room.write(name, &network);
    }
    let rate = |networks: &str| format!("difficulty puzzles.csv --engine none {networks}");
    let two = "--human-network people-1100.pb.gz --human-network people-1900.pb.gz";
    let report = room.json(rate(two));
    for row in report.list("/rows") {
        assert_eq!(row["difficulty"]["evidence"], "networks");
        assert_eq!(row["people"][0]["rating"], 1500.0);
    }
    // The rating of the people is one that the networks know.
    assert_eq!(report["networks"], json!([1100.0, 1900.0]));
    let text = room.stdout(rate(two));
    let others = "for people rated 1100, 1500 and 1900; with those for 1100 and 1900 the ratings are less precise";
    assert!(text.contains(others), "{text}");
    room.write("people-1500.pb.gz", &network);
    let three = format!("{two} --human-network people-1500.pb.gz");
    assert!(!room.stdout(rate(&three)).contains("less precise than"));
    assert!(room.json(rate("")).get("networks").is_none());
    let report = room.json(rate(&format!("{two} --for-rating 2400")));
    assert_eq!(report["rows"][0]["people"][0]["rating"], 1900.0);
    let text = room.stdout(rate(&format!("{two} --explain")));
    assert!(text.contains("2 problems are rated by: solution and networks of"), "{text}");

    let one = "--human-network people.pb.gz";
    room.refused(rate(one), DATA, &["people.pb.gz: the name does not say the rating"]);
    let same = "--human-network people-1900.pb.gz --human-network 1900.pb";
    room.refused(rate(same), USAGE, &["have the same rating"]);
    room.write("900.pb.gz", &network[..network.len() / 2]);
    room.refused(rate("--human-network 900.pb.gz"), DATA, &["900.pb.gz: ", "gzip"]);
    room.refused(rate("--human-network 1000.pb.gz"), DATA, &["1000.pb.gz"]);
    let game = "difficulty --game achi --human-network people-1100.pb.gz";
    room.refused(game, USAGE, &["--human-network"]);
}

/// A run that is killed loses no answer that it had written, and ends as an undisturbed one does.
#[test]
fn a_killed_run_is_continued_from_its_cache() {
    let room = Room::new();
    room.write("puzzles.csv", puzzles(20));
    let rate = format!("difficulty puzzles.csv --out csv {FAST}");
    let whole = room.stdout(format!("{rate} --no-cache"));
    let cached = format!("{rate} --cache cache");
    for rows in [3, 9] {
        let mut program = room.program(&cached);
        let mut child = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.take(1 + rows).count(), 1 + rows);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(room.stdout(cached), whole);
}

#[test]
fn standard_input_may_be_epd() {
    let board = BACK_RANK.rsplitn(3, ' ').last().unwrap();
    let scholar = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -";
    let room = Room::new();
    let rate = format!("difficulty - --no-cache {FAST}");
    let epd = format!("# two problems\n{board} bm Rd8; id \"back rank\";\n{scholar} pv Qxf7#;\n");
    let report = report_of(&room.run_with(format!("{rate} --json"), &epd), 0);
    let [one, other] = report.list("/rows") else { panic!("{report}") };
    assert_eq!((one.word("/id"), &one["has_line"]), ("back rank", &true.into()));
    assert_eq!((other.whole("/line"), &other["has_line"]), (3, &true.into()));
    assert_eq!(other["solution"][0], "Qxf7#");

    // A rating stands on the moves of the engine, so a reader has to know where the file has others.
    let epd = format!(
        "{scholar} bm Qh3;\n{scholar} am Qxf7#;\n{scholar} bm Qxf7#;\n{scholar} am Qh3 Qh4;\n{board} am Rd9;\n"
    );
    let report = report_of(&room.run_with(format!("{rate} --json"), &epd), DATA);
    let notes: Vec<_> = report.list("/rows").iter().map(|row| row["note"].as_str()).collect();
    let preferred = "the engine prefers Qxf7# to Qh3, with which the solution in the file begins, and which loses";
    let avoided = "the engine takes Qxf7# for a good move, and the file says to avoid it";
    assert_eq!(notes, [Some(preferred), Some(avoided), None, None]);
    assert_eq!(report["bad_rows"][0]["line"], 5);
    let text = room.run_with(&rate, &epd).stdout;
    assert!(text.contains(preferred) && text.contains(avoided), "{text}");
    let table = room.run_with(format!("{rate} --out csv"), &epd).stdout;
    assert!(table.contains(preferred), "{table}");
}

#[test]
fn one_position_is_shown_as_text_and_as_pictures() {
    let room = Room::new();
    let show = format!("difficulty --show '{BACK_RANK}' --no-cache");
    let files = "--dot tree.dot --svg tree.svg --board board.svg --html page.html";
    let text = room.stdout(format!("{show} {files} {FAST}"));
    assert!(text.contains("1. Rd8# mate in 1") && text.contains("8 . . . . . . k ."), "{text}");
    assert!(text.contains("winning first moves out of 20"), "{text}");
    for (file, part) in [
        ("tree.dot", "1. Rd8#"),
        ("tree.svg", "Rd8#"),
        ("board.svg", "<symbol id=\"wr\""),
        ("page.html", "<h1>chess"),
    ] {
        assert!(room.text(file).contains(part), "{file}");
    }
    let report = room.json(format!("{show} {FAST}"));
    assert_eq!(report["game"], "chess");
    assert_eq!(report["tree"]["nodes"][1]["played"], "Rd8#");
    let other = room.stdout(format!("{show} --depth 3 --explain"));
    assert!(other.contains("measured in another way") && other.contains("Model "), "{other}");
    let report = room.json(format!("{show} --engine-option 'Use NNUE=false' {FAST}"));
    assert_eq!(report["measured"]["engine_options"], "Use NNUE=false");
}

#[test]
fn other_games_have_trees_by_search_and_by_solution() {
    let room = Room::new();
    room.stdout("solve tic_tac_toe -o ttt.tgs");
    let exact = room.json("difficulty --game tic_tac_toe --solved ttt.tgs --moves 'a1 b1'");
    assert_eq!(exact["source"], "the solution of the game");
    assert_eq!(exact["tree"]["nodes"][1]["value"], json!({"wins": 5}));
    let names = exact.list("/attributes");
    let value = |name: &str| &exact["values"][names.iter().position(|one| one == name).unwrap()];
    assert_eq!(*value("PossibleMoves(1)"), 7.0);
    assert!(value("Distance(1)").is_null(), "there are no pieces that move");
    let searched = room.json("difficulty --show tic_tac_toe --moves 'a1 b1' --iterations 3000");
    assert!(searched.word("/source").contains("3000 iterations"));

    // Puzzles of the game are graded.
    let found = room.save("puzzles.json", "puzzles ttt.tgs --top 3");
    let graded = room.json("difficulty puzzles.json --solved ttt.tgs");
    let rows = graded.list("/rows");
    assert_eq!(rows.len(), found.list("/puzzles").len());
    let chance = |row: &Value| row.number("/guess_probability");
    assert!(rows.len() > 2 && rows.is_sorted_by(|a, b| chance(a) <= chance(b)));
    assert!(rows.iter().all(|row| chance(row) > 0.0 && chance(row) < 1.0));
    let text = room.stdout("difficulty puzzles.json --solved ttt.tgs --explain");
    assert!(text.contains("once in") && text.contains("the solution of the game"), "{text}");
    room.refused("difficulty puzzles.json --for-rating 1500", USAGE, &["--for-rating"]);
    let (piped, puzzles) = ("difficulty - --solved ttt.tgs --explain", found.to_string());
    assert_eq!(room.run_with(piped, &puzzles).stdout, text);
    let cut = room.run_with(piped, &puzzles[..puzzles.len() / 2]);
    assert_eq!(cut.code, Some(DATA), "{}", cut.stderr);
}

/// A sentence that is a reason for harder problems here and for easier ones there is none.
#[test]
fn a_reason_speaks_for_harder_or_for_easier_problems_and_never_for_both() {
    let found = json(format!("difficulty {} --engine none", testdata("lichess_puzzles.csv")));
    let mut sentences: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
    let mut count = 0;
    for reason in found.list("/rows").iter().flat_map(|row| row.list("/reasons")) {
        // Numbers and moves differ from problem to problem.
        let is_name = |word: &str| word.contains(|c: char| c.is_ascii_digit() || c.is_uppercase());
        let words = reason.word("/words").split(' ');
        let plain: Vec<&str> = words.map(|word| if is_name(word) { "N" } else { word }).collect();
        sentences.entry(plain.join(" ")).or_default().insert(reason.number("/effect") > 0.0);
        count += 1;
    }
    assert!(count >= 120 && sentences.len() >= 15, "{count} reasons, {sentences:?}");
    let both: Vec<&String> =
        sentences.iter().filter(|(_, signs)| signs.len() > 1).map(|(words, _)| words).collect();
    assert!(both.is_empty(), "{both:?}");
}
