//! Puzzles that are rated by an engine, engines that fail, and the trees of single positions.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{DATA, USAGE, json, refused, run, run_in, run_with, stdout};

const ENGINE: i32 = 69;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

fn testdata(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    path.to_str().unwrap().to_owned()
}

/// A folder with the first puzzles of the sample, and a cache that tests share with nobody.
struct Folder {
    root: tempfile::TempDir,
}

impl Folder {
    fn new() -> Folder {
        Folder { root: tempfile::tempdir().unwrap() }
    }

    fn at(&self, name: &str) -> String {
        self.root.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.at(name), text).unwrap();
        self.at(name)
    }

    /// The first so many puzzles of the sample, cheap ones.
    fn puzzles(&self, count: usize) -> String {
        let sample = fs::read_to_string(testdata("lichess_puzzles.csv")).unwrap();
        let lines: Vec<&str> = sample.lines().take(3 + count).collect();
        self.write("puzzles.csv", lines.join("\n") + "\n")
    }
}

/// Options with which an engine is fast, and the trees small.
const FAST: [&str; 6] = ["--depth", "4", "--nodes-max", "12", "--model", "none"];

fn difficulty<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["difficulty"][..], arguments].concat()
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let cells = |row: &csv::StringRecord| row.iter().map(str::to_owned).collect();
    let mut all: Vec<Vec<String>> = vec![cells(&header)];
    all.extend(reader.records().map(|row| cells(&row.unwrap())));
    all
}

#[test]
fn a_file_gives_the_same_rows_for_any_engines_with_and_without_a_cache() {
    let folder = Folder::new();
    let (file, cache) = (folder.puzzles(8), folder.at("cache"));
    let table = |more: &[&str]| {
        let common = difficulty(&[&file, "--out", "csv", "--attributes", "all"]);
        stdout(&[&common[..], &FAST, more].concat())
    };
    let one = table(&["--no-cache"]);
    assert_eq!(table(&["--engines", "3", "--cache", &cache]), one);
    assert_eq!(table(&["--cache", &cache]), one, "everything is known now");
    let all = rows(&one);
    assert_eq!(all.len(), 9);
    let column = |name: &str| all[0].iter().position(|title| title == name).unwrap();
    assert_eq!(all[1][column("id")], "9eZCm");
    assert_eq!(all[1][column("line")], "4");
    assert_eq!(all[1][column("given_rating")], "2361.0");
    assert_eq!(all[1][column("engine")], "Stockfish 15.1");
    assert!(all[1..].iter().all(|row| row[column("TreeSize")].parse::<f64>().unwrap() >= 1.0));
    assert!(all[1..].iter().all(|row| row[column("unrated")].is_empty()));

    // The other formats say the same.
    let lines =
        stdout(&[&difficulty(&[&file, "--out", "jsonl", "--cache", &cache])[..], &FAST].concat());
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let size = all[1][column("TreeSize")].parse::<f64>().unwrap();
    assert_eq!((first["id"].as_str(), first["TreeSize"].as_f64()), (Some("9eZCm"), Some(size)));
    let parquet = folder.at("rows.parquet");
    stdout(
        &[&difficulty(&[&file, "--out", "parquet", "-o", &parquet, "--cache", &cache])[..], &FAST]
            .concat(),
    );
    assert!(fs::read(&parquet).unwrap().starts_with(b"PAR1"));
}

#[test]
fn the_model_of_the_program_rates_puzzles_and_says_how_far_it_is_to_be_trusted() {
    let folder = Folder::new();
    let file = folder.puzzles(3);
    let page = folder.at("page.html");
    let report = json(&["difficulty", &file, "--no-cache", "--json"]);
    let rows = report["rows"].as_array().unwrap();
    assert_eq!((report["kind"].as_str(), rows.len()), (Some("difficulty"), 3));
    for row in rows {
        let found = &row["difficulty"];
        let number = |name: &str| found[name].as_f64().unwrap();
        assert!(
            number("rating_low") < number("rating") && number("rating") < number("rating_high")
        );
        let chances = &found["chances"];
        let sum: f64 =
            ["easy", "medium", "hard"].iter().map(|class| chances[class].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        assert!(!row["words"].as_str().unwrap().is_empty() && row["tree"]["nodes"].is_array());
    }
    let saved = folder.write("report.json", serde_json::to_string(&report).unwrap());
    let text = stdout(&["report", &saved]);
    assert!(text.starts_with("3 problems: "), "{text}");
    assert!(text.contains("mean absolute error") && text.contains("80% intervals"), "{text}");
    stdout(&["report", &saved, "--html", &page]);
    let page = fs::read_to_string(page).unwrap();
    assert_eq!(page.matches(" to move</p>").count(), 3);
    assert!(page.contains("<details><summary class=\"line\">Solution</summary>"));

    let sorted = json(&["difficulty", &file, "--no-cache", "--json", "--for-rating", "2900"]);
    let away = |row: &Value| (row["difficulty"]["rating"].as_f64().unwrap() - 2900.0).abs();
    assert!(sorted["rows"].as_array().unwrap().is_sorted_by(|a, b| away(a) <= away(b)));
}

#[test]
fn a_model_is_trained_and_evaluated_on_a_table_of_puzzles() {
    let folder = Folder::new();
    let file = folder.puzzles(12);
    let table = stdout(
        &[&difficulty(&[&file, "--no-cache", "--out", "csv", "--attributes", "all"])[..], &FAST]
            .concat(),
    );
    let few = folder.write("few.csv", &table);
    let model = folder.at("model.json");
    refused(
        &["train", &few, "-o", &model],
        DATA,
        &["12 rated problems were measured; at least 100 are needed"],
    );
    refused(&["train", &few, "--labels", &file, "-o", &model], USAGE, &["--labels"]);

    refused(
        &["train", &file, "-o", &model],
        DATA,
        &["not a table of rated puzzles", "puzzles.csv"],
    );
    // The same puzzles many times over, each as one of another game.
    let all = rows(&table);
    let column = |name: &str| all[0].iter().position(|title| title == name).unwrap();
    let (game, rating) = (column("game"), column("given_rating"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&all[0]).unwrap();
    for n in 0..120 {
        let mut row = all[1 + n % 12].clone();
        row[game] = format!("game {n}");
        row[rating] = (row[rating].parse::<f64>().unwrap() + (n % 7) as f64).to_string();
        writer.write_record(&row).unwrap();
    }
    let many = folder.write("many.csv", writer.into_inner().unwrap());
    let text = stdout(&["train", &many, "-o", &model, "--name", "repeated"]);
    assert!(text.starts_with("Model repeated, digest "), "{text}");
    let again = folder.at("again.json");
    stdout(&["train", &many, "-o", &again, "--name", "repeated", "--threads", "1"]);
    assert_eq!(fs::read(&model).unwrap(), fs::read(&again).unwrap());
    let rated = stdout(&[
        "difficulty",
        &file,
        "--no-cache",
        "--depth",
        "4",
        "--nodes-max",
        "12",
        "--model",
        &model,
    ]);
    assert!(rated.contains("Model repeated"), "{rated}");
    assert!(!rated.contains("measured in another way"), "{rated}");
    let other = stdout(&[
        "difficulty",
        &file,
        "--no-cache",
        "--depth",
        "5",
        "--nodes-max",
        "12",
        "--model",
        &model,
    ]);
    assert!(other.contains("measured in another way"), "{other}");
    let report = json(&["evaluate", &many, "--json"]);
    assert_eq!(
        (report["kind"].as_str(), report["problems"].as_u64()),
        (Some("difficulty_evaluation"), Some(120))
    );
}

#[test]
fn bad_rows_are_named_and_the_rest_is_done() {
    let folder = Folder::new();
    let sample = fs::read_to_string(folder.puzzles(3)).unwrap();
    let mut lines: Vec<String> = sample.lines().map(str::to_owned).collect();
    lines[3] = lines[3].replacen("f7f5", "f7f1", 1);
    let broken =
        folder.write("broken.csv", lines.join("\n") + "\n,not a fen,e2e4 e7e5,1500,,,,,,\n");
    let output = run(&[&difficulty(&[&broken, "--no-cache"])[..], &FAST].concat());
    assert_eq!(output.code, Some(DATA));
    let text = output.stdout;
    assert!(text.starts_with("2 problems measured"), "{text}");
    assert!(text.contains("line 4 is left out: \"f7f1\" is not a legal move in "), "{text}");
    assert!(text.contains("line 7 is left out: a FEN has six fields"), "{text}");
    assert!(output.stderr.contains("2 rows of the file left out"));
}

/// A position whose only move mates.
const ONLY_MOVE: &str = "1k6/1b3n2/KQp5/3r4/8/8/8/8 w - - 0 1";

/// A position in which the game is over is a fault of the file, and none of the engine.
#[test]
fn finished_positions_are_rows_of_the_file_that_are_left_out() {
    let folder = Folder::new();
    let text = format!(
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n{ONLY_MOVE}, Qxb7#\n{ONLY_MOVE} nonsense\n"
    );
    let file = folder.write("over.fen", text);
    let engine = fake("only_move");
    let own = ["--no-cache", "--engine", &engine, "--model", "none", "--json"];
    let output = run(&difficulty(&[&[&file[..]][..], &own].concat()));
    assert_eq!(output.code, Some(DATA), "{}", output.stderr);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let bad = report["bad_rows"].as_array().unwrap();
    let problem = |n: usize| bad[n]["problem"].as_str().unwrap();
    assert!(problem(0).contains("it is stalemate"), "{}", problem(0));
    assert!(problem(1).contains("no side can be mated"), "{}", problem(1));
    let rows = report["rows"].as_array().unwrap();
    assert_eq!((bad.len(), rows.len()), (2, 2));
    assert_eq!(rows[0]["solution"][0], "Qxb7#");
    let unread = "line 4: \"nonsense\" is not read";
    assert!(output.stderr.contains(unread), "{}", output.stderr);
}

/// The words of users stay text in a spreadsheet and on a terminal.
#[test]
fn cells_of_a_table_are_not_run() {
    let folder = Folder::new();
    let text =
        format!("{ONLY_MOVE} bm Qxb7; id \"=1+1\";\n{ONLY_MOVE} bm Qxb7; id \"a\x1b[31m\";\n");
    let file = folder.write("cells.epd", text);
    let engine = fake("only_move");
    let own = ["--no-cache", "--engine", &engine, "--model", "none", "--out", "csv"];
    let table = stdout(&difficulty(&[&[&file[..]][..], &own].concat()));
    assert!(!table.contains('\x1b'));
    let rows = rows(&table);
    assert_eq!((rows[1][0].as_str(), rows[2][0].as_str()), ("'=1+1", "a\\u{1b}[31m"));
}

/// A cache that was damaged costs time only, and a word.
#[test]
fn a_damaged_cache_changes_no_row() {
    let folder = Folder::new();
    let file = folder.write("one.epd", format!("{ONLY_MOVE} bm Qxb7;\n"));
    let (engine, cache) = (fake("only_move"), folder.at("cache"));
    let own = ["--cache", &cache, "--engine", &engine, "--model", "none", "--out", "csv"];
    let words = difficulty(&[&[&file[..]][..], &own].concat());
    let first = run(&words);
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""));
    let whole = fs::read(&cache).unwrap();
    let mut damaged = whole.clone();
    let at = whole.len() / 2;
    damaged[at] ^= 1;
    for bytes in [damaged, b"redb\x1A\x0A\xA9\x0D\x0A an earlier one".to_vec()] {
        fs::write(&cache, bytes).unwrap();
        let again = run(&words);
        assert_eq!((again.code, &again.stdout), (Some(0), &first.stdout));
        assert_eq!(again.stderr.lines().count(), 1, "{}", again.stderr);
        assert!(again.stderr.contains("cache: the cache "), "{}", again.stderr);
        assert!(fs::read(&cache).unwrap().len() >= whole.len());
        assert_eq!(run(&words).stderr, "");
    }
}

#[test]
fn files_that_hold_no_puzzles_are_refused() {
    let folder = Folder::new();
    for (name, text, part) in [
        ("empty.csv", &b""[..], "there are no puzzles in it"),
        ("header.csv", b"PuzzleId,FEN,Moves,Rating\n", "there are no puzzles in it"),
        ("report.json", b"{\"schema\":1,\"kind\":\"difficulty\"}\n", "it is JSON"),
        ("moves.csv", b"PuzzleId,FEN,Rating\n", "no column `Moves`"),
        ("fen.csv", b"PuzzleId,Moves,Rating\n", "no column `FEN`"),
    ] {
        let file = folder.write(name, text);
        refused(&["difficulty", &file, "--no-cache"], DATA, &[part, name]);
    }
    let missing = folder.at("missing.csv");
    refused(&["difficulty", &missing], DATA, &["missing.csv"]);
    let bytes = folder.write("bytes.epd", b"\xFF\xFE\n");
    let output = run(&[&difficulty(&[&bytes, "--no-cache"])[..], &FAST].concat());
    assert_eq!(output.code, Some(DATA));
    assert!(output.stderr.contains("UTF-16"), "{}", output.stderr);
}

fn fake(name: &str) -> String {
    testdata(&format!("engines/{name}.sh"))
}

#[test]
fn an_engine_that_fails_leaves_puzzles_unrated_and_says_so() {
    let folder = Folder::new();
    let file = folder.write("one.fen", format!("{BACK_RANK}\n"));
    for name in ["dies", "garbage", "hangs"] {
        let engine = fake(name);
        let common = difficulty(&[&file, "--no-cache", "--engine", &engine, "--timeout", "2"]);
        let output = run(&[&common[..], &["--model", "none", "--json"]].concat());
        assert_eq!(output.code, Some(ENGINE), "{name}");
        let report: Value = serde_json::from_str(&output.stdout).unwrap();
        let cause = report["rows"][0]["unrated"].as_str().unwrap();
        assert!(cause.starts_with("the engine"), "{name}: {cause}");
        assert!(report["rows"][0]["difficulty"].is_null());
        let recovered = run(&[&common[..], &["--model", "none", "--recover"]].concat());
        assert_eq!(recovered.code, Some(0), "{name}");
        let text = recovered.stdout;
        assert!(text.contains("1 (line 1) is unrated: the engine"), "{text}");
    }
    let nothing = folder.at("no engine");
    refused(&["difficulty", &file, "--engine", &nothing], ENGINE, &["cannot be started"]);
    let bare = "no-such-engine-anywhere";
    refused(&["difficulty", &file, "--engine", bare], ENGINE, &[bare, "is in no folder of PATH"]);
    refused(
        &["difficulty", &file, "--no-cache", "--engine-option", "Contempt=1"],
        ENGINE,
        &["no option \"Contempt\""],
    );
    let unread = ["difficulty", &file, "--no-cache", "--engine-option", "Hash=abc"];
    let range = "its option Hash takes whole numbers from 1 to 33554432, and not \"abc\"";
    refused(&unread, ENGINE, &[range]);
    for (option, way) in [("MultiPV=3", "--multipv"), ("threads=2", "--engines N")] {
        refused(&["difficulty", &file, "--engine-option", option], USAGE, &[way]);
    }
}

/// A run that is killed loses no answer that it had written, and ends as an undisturbed one does.
#[test]
fn a_killed_run_is_continued_from_its_cache() {
    let folder = Folder::new();
    let (file, cache) = (folder.puzzles(20), folder.at("cache"));
    let options = difficulty(&[&file, "--out", "csv"]);
    let whole = stdout(&[&options[..], &FAST, &["--no-cache"]].concat());
    for rows in [3, 9] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_treegauge"))
            .args([&options[..], &FAST, &["--cache", &cache]].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.take(1 + rows).count(), 1 + rows);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(stdout(&[&options[..], &FAST, &["--cache", &cache]].concat()), whole);
}

#[test]
fn standard_input_may_be_epd() {
    let epd = format!(
        "# two problems\n{} bm Rd8; id \"back rank\";\nr1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - pv Qxf7#;\n",
        BACK_RANK.rsplitn(3, ' ').last().unwrap()
    );
    let options = [&difficulty(&["-", "--no-cache", "--json"])[..], &FAST].concat();
    let report: Value = serde_json::from_str(&run_with(&options, &epd).stdout).unwrap();
    let row = |n: usize| &report["rows"][n];
    assert_eq!(
        (row(0)["id"].as_str(), row(0)["has_line"].as_bool()),
        (Some("back rank"), Some(true))
    );
    assert_eq!((row(1)["line"].as_u64(), row(1)["has_line"].as_bool()), (Some(3), Some(true)));
    assert_eq!(row(1)["solution"][0], "Qxf7#");
}

/// A rating stands on the moves of the engine, so a reader has to know where the file has others.
#[test]
fn a_file_that_contradicts_the_engine_gets_a_note() {
    let board = BACK_RANK.rsplitn(3, ' ').last().unwrap();
    let scholar = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -";
    let epd = format!(
        "{scholar} bm Qh3;\n{scholar} am Qxf7#;\n{scholar} bm Qxf7#;\n{scholar} am Qh3 Qh4;\n{board} am Rd9;\n"
    );
    let options = [&difficulty(&["-", "--no-cache"])[..], &FAST].concat();
    let report = run_with(&[&options[..], &["--json"]].concat(), &epd).stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    let note = |n: usize| report["rows"][n]["note"].as_str();
    let preferred = "the engine prefers Qxf7# to Qh3, with which the solution in the file begins";
    let avoided = "the engine takes Qxf7# for a good move, and the file says to avoid it";
    assert_eq!([note(0), note(1), note(2), note(3)], [Some(preferred), Some(avoided), None, None]);
    assert_eq!(report["bad_rows"][0]["line"], 5);
    let text = run_with(&options, &epd).stdout;
    assert!(text.contains(preferred) && text.contains(avoided), "{text}");
    let table = run_with(&[&options[..], &["--out", "csv"]].concat(), &epd).stdout;
    assert!(table.contains(preferred), "{table}");
}

#[test]
fn one_position_is_shown_as_text_and_as_pictures() {
    let folder = Folder::new();
    let files = ["tree.dot", "tree.svg", "board.svg", "page.html"].map(|name| folder.at(name));
    let [dot, svg, board, page] = &files;
    let text = stdout(
        &[
            &difficulty(&[
                "--show",
                BACK_RANK,
                "--no-cache",
                "--dot",
                dot,
                "--svg",
                svg,
                "--board",
                board,
                "--html",
                page,
            ])[..],
            &FAST,
        ]
        .concat(),
    );
    assert!(text.contains("1. Rd8# mate in 1") && text.contains("8 . . . . . . k ."), "{text}");
    assert!(text.contains("winning first moves out of 20"), "{text}");
    for (file, part) in files.iter().zip(["1. Rd8#", "Rd8#", "<symbol id=\"wr\"", "<h1>chess"]) {
        assert!(fs::read_to_string(file).unwrap().contains(part), "{file}");
    }
    let report =
        json(&[&difficulty(&["--show", BACK_RANK, "--no-cache", "--json"])[..], &FAST].concat());
    assert_eq!(
        (report["kind"].as_str(), report["game"].as_str()),
        (Some("problem"), Some("chess"))
    );
    assert_eq!(report["tree"]["nodes"][1]["played"], "Rd8#");
    let mated = "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1";
    refused(&["difficulty", "--show", mated, "--no-cache"], DATA, &["the game is over"]);
    let other = stdout(&difficulty(&["--show", BACK_RANK, "--no-cache", "--depth", "3"]));
    assert!(other.contains("measured in another way") && other.contains("Model "), "{other}");
    let options = ["--show", BACK_RANK, "--no-cache", "--engine-option", "Use NNUE=false"];
    let report = json(&[&difficulty(&options)[..], &FAST, &["--json"]].concat());
    assert_eq!(report["measured"]["engine_options"], "Use NNUE=false");
    let bad = "9/8/8/8/8/8/8/8 w - - 0 1";
    refused(&["difficulty", "--show", bad, "--no-cache"], DATA, &["the FEN has an error"]);
}

#[test]
fn other_games_have_trees_by_search_and_by_solution() {
    let folder = Folder::new();
    let solved = folder.at("ttt.tgs");
    stdout(&["solve", "tic_tac_toe", "-o", &solved]);
    let exact = json(&[
        "difficulty",
        "--game",
        "tic_tac_toe",
        "--solved",
        &solved,
        "--moves",
        "a1 b1",
        "--json",
    ]);
    assert_eq!(exact["source"], "the solution of the game");
    assert_eq!(
        exact["tree"]["nodes"].as_array().unwrap()[1]["value"],
        serde_json::json!({"wins": 5})
    );
    let values =
        exact["attributes"].as_array().unwrap().iter().zip(exact["values"].as_array().unwrap());
    let value = |name: &str| values.clone().find(|(one, _)| *one == name).unwrap().1.clone();
    assert_eq!(value("PossibleMoves(1)"), 7.0);
    assert!(value("Distance(1)").is_null(), "there are no pieces that move");
    let searched = json(&[
        "difficulty",
        "--show",
        "tic_tac_toe",
        "--moves",
        "a1 b1",
        "--iterations",
        "3000",
        "--json",
    ]);
    assert!(searched["source"].as_str().unwrap().contains("3000 iterations"));
    let over = ["difficulty", "--game", "tic_tac_toe", "--moves", "a1 b1 a2 b2 a3"];
    refused(&over, DATA, &["the game is over in this position"]);
    let wrong = ["difficulty", "--game", "tic_tac_toe", "--engine", "x"];
    refused(&wrong, USAGE, &["--engine"]);
    refused(&["difficulty", "--game", "chess"], USAGE, &["--show"]);
    refused(&["difficulty", "--show", "garbage", "--depth", "5"], USAGE, &["unknown game"]);
    refused(&["difficulty", "--game", "tic_tac_toe", "--svg", "-"], USAGE, &["`-` is no file"]);
    let mixed = folder.write("one.fen", BACK_RANK);
    refused(&["difficulty", &mixed, "--solved", &solved], USAGE, &["--solved"]);
}

#[test]
fn puzzles_of_a_game_are_graded() {
    let folder = Folder::new();
    let solved = folder.at("ttt.tgs");
    stdout(&["solve", "tic_tac_toe", "-o", &solved]);
    let puzzles = stdout(&["puzzles", &solved, "--top", "3", "--json"]);
    let file = folder.write("puzzles.json", &puzzles);
    let graded = json(&["difficulty", &file, "--solved", &solved, "--json"]);
    assert_eq!(graded["kind"], "graded_puzzles");
    let found: Value = serde_json::from_str(&puzzles).unwrap();
    let rows = graded["rows"].as_array().unwrap();
    assert_eq!(rows.len(), found["puzzles"].as_array().unwrap().len());
    let chance = |row: &Value| row["guess_probability"].as_f64().unwrap();
    assert!(rows.len() > 2 && rows.is_sorted_by(|a, b| chance(a) <= chance(b)));
    assert!(rows.iter().all(|row| chance(row) > 0.0 && chance(row) < 1.0));
    let text = stdout(&["difficulty", &file, "--solved", &solved]);
    assert!(text.contains("once in") && text.contains("the solution of the game"), "{text}");
    refused(&["difficulty", &file, "--for-rating", "1500"], USAGE, &["--for-rating"]);
    let piped = run_with(&["difficulty", "-", "--solved", &solved], &puzzles);
    assert_eq!((piped.code, piped.stdout), (Some(0), text));
    let cut = run_with(&["difficulty", "-", "--solved", &solved], &puzzles[..puzzles.len() / 2]);
    assert_eq!(cut.code, Some(DATA), "{}", cut.stderr);
}

/// The games of Debian are not on the path of every user.
#[test]
fn an_engine_beside_the_path_is_found() {
    let folder = Folder::new();
    let file = folder.write("one.fen", BACK_RANK);
    assert!(PathBuf::from("/usr/games/stockfish").exists(), "the tests need it");
    let options = [&difficulty(&[&file, "--no-cache"])[..], &FAST].concat();
    assert_eq!(run_in(&[("PATH", "")], &options, "").code, Some(0));
}
