//! How interesting positions are, as printed, written and kept.

use std::fs;
use std::path::Path;

use serde_json::Value;
use treegauge::solve::with_section;

use crate::common::{answer, json, refused, run_with, solved, stdout, unsigned_page};

/// A file in a folder, as text.
fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("the path is text").to_owned()
}

/// How far numbers that are known to eight digits may be away.
const EIGHT_DIGITS: f64 = 5.1e-9;

#[track_caller]
fn close(found: &Value, expected: f64) {
    let number = found.as_f64().expect("it is a number");
    assert!((number - expected).abs() < EIGHT_DIGITS, "{number} instead of {expected}");
}

/// Known figures of a game: options, value and remoteness of the start, its interestingness, and
/// remoteness, number (0 where it is not known) and maximum of the wins.
type Known = (&'static str, &'static [&'static str], &'static str, f64, &'static [(u64, u64, f64)]);

/// The figures of the definition's test vectors.
const KNOWN: [Known; 13] = [
    (
        "one_to_ten",
        &[],
        "win 7",
        0.429_612_101_6,
        &[(3, 0, 0.296_437_636), (7, 1, 0.429_612_101_6)],
    ),
    ("one_to_ten", &["--form", "literal"], "win 7", 0.428_833_962_2, &[(1, 0, 0.005_012_562_9)]),
    (
        "tic_tac_toe",
        &["--form", "literal"],
        "tie 9",
        0.01,
        &[(1, 2358, 0.502_506_28), (3, 356, 0.595_721_10), (5, 122, 0.626_023_77)],
    ),
    (
        "tic_tac_toe",
        &["--form", "clamped", "--symmetry"],
        "tie 9",
        0.01,
        &[(1, 2358, 0.502_506_28), (3, 356, 0.596_390_12), (5, 122, 0.627_110_90)],
    ),
    (
        "wild_tic_tac_toe",
        &[],
        "win 7",
        0.746_643_62,
        &[(1, 10_020, 0.296_437_64), (3, 56, 0.648_218_82), (5, 8, 0.593_798_08)],
    ),
    ("tic_tac_toe(k=2)", &["--form", "literal"], "win 3", 0.002_509_43, &[(1, 364, 0.005_012_56)]),
    ("tic_tac_toe(k=2)", &[], "win 3", 0.01, &[(1, 364, 0.01)]),
    (
        "achi",
        &["--form", "literal"],
        "win 9",
        0.778_491_73,
        &[
            (1, 1860, 0.593_798_08),
            (3, 688, 0.666_468_93),
            (5, 300, 0.667_892_08),
            (7, 92, 0.730_132_70),
            (9, 57, 0.778_491_73),
        ],
    ),
    (
        "achi",
        &["--symmetry"],
        "win 9",
        0.778_625_70,
        &[(5, 300, 0.668_157_60), (9, 57, 0.778_625_70)],
    ),
    (
        "achi",
        &["--draws", "skip"],
        "win 9",
        0.585_958_300_8,
        &[(1, 1860, 0.555_028_09), (5, 300, 0.653_749_33), (9, 57, 0.585_958_30)],
    ),
    ("achi(men=4)", &[], "win 11", 0.672_570_87, &[(9, 0, 0.676_181_10)]),
    (
        "finger_game",
        &[],
        "draw",
        0.01,
        &[(1, 184, 0.502_506_28), (3, 50, 0.592_776_18), (5, 20, 0.459_729_77)],
    ),
    (
        "finger_game",
        &["--draws", "skip"],
        "draw",
        0.01,
        &[(1, 184, 0.425_543_74), (3, 50, 0.296_437_64), (5, 20, 0.119_996_68)],
    ),
];

#[test]
fn known_figures_are_printed() {
    for (game, options, start, interestingness, rows) in KNOWN {
        let report = json(&[&["interest", game, "--json"], options].concat());
        assert_eq!(report["game"], game);
        let form = if options.contains(&"literal") { "literal" } else { "clamped" };
        assert_eq!(report["form"], form);
        let place = &report["start"];
        let found = [place["value"].as_str().unwrap().to_owned(), place["remoteness"].to_string()];
        assert_eq!(found.join(" ").trim_end_matches(" null"), start, "{game}");
        close(&place["interestingness"], interestingness);
        let found = report["by_remoteness"].as_array().unwrap();
        for &(remoteness, wins, max) in rows {
            let row = found.iter().find(|row| row["remoteness"] == remoteness).unwrap();
            assert!(wins == 0 || row["wins"] == wins, "{game}: {row}");
            close(&row["max"], max);
            assert!(row["mean"].as_f64() <= row["max"].as_f64(), "{game}: {row}");
        }
        // The most interesting position is that of the greatest maximum.
        let most = &report["most_interesting"];
        let max = |row: &Value| row["max"].as_f64().unwrap();
        let best = found.iter().max_by(|a, b| max(a).total_cmp(&max(b))).unwrap();
        assert_eq!(max(best), most["interestingness"].as_f64().unwrap(), "{game}");
        let best = found.iter().find(|row| row["remoteness"] == most["remoteness"]).unwrap();
        assert_eq!(best["position"], most["position"], "{game}");
        // Both terms together make the number.
        let terms = &most["terms"];
        let rest = |term: &str| 1.0 - terms[term].as_f64().unwrap();
        close(&most["interestingness"], 1.0 - (rest("immediate") * rest("accumulated")).sqrt());
        let loops = report["positions_in_loops"].as_u64().unwrap();
        assert_eq!(loops > 0, report["sweeps"].as_u64().unwrap() > 1, "{game}");
        assert_eq!(loops > 0, game == "achi", "{game}: {loops}");
    }
}

#[test]
fn choices_are_obeyed() {
    // Remoteness falls with each of the quickest winning moves, so nothing depends on itself.
    let report = json(&["interest", "achi", "--lose-children", "fastest", "--json"]);
    assert_eq!((&report["sweeps"], &report["positions_in_loops"]), (&1.into(), &0.into()));
    assert_eq!(report["lose_children"], "fastest");
    // Not every winning move is a quickest one, and tapping either of two equal hands comes to the
    // same.
    for (game, option, choices) in [
        ("tic_tac_toe", "--lose-children", ["all", "fastest"]),
        ("finger_game(self_tap=true)", "--children", ["moves", "positions"]),
    ] {
        let means = choices.map(|choice| {
            let report = json(&["interest", game, option, choice, "--json"]);
            assert_eq!(report[&option[2..].replace('-', "_")], choice);
            let rows = report["by_remoteness"].as_array().unwrap().to_owned();
            rows.iter().map(|row| row["mean"].as_f64().unwrap()).collect::<Vec<_>>()
        });
        assert_eq!(means[0].len(), means[1].len());
        assert_ne!(means[0], means[1], "{game} {option}");
    }
}

#[test]
fn a_game_without_wins_says_so() {
    let game = "mnk(rows=2,cols=2,k=5)";
    let report = json(&["interest", game, "--json"]);
    assert_eq!(report["most_interesting"], Value::Null);
    assert_eq!(report["by_remoteness"], Value::Array(Vec::new()));
    assert!(
        stdout(&["interest", game])
            .contains("No position is a win in a number of moves that is known")
    );
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "solution", &[game]);
    stdout(&["interest", &file, "--save"]);
    refused(&["interest", &file, "--start"], 65, &["no position", "is a win before the end"]);
    refused(&["interest", &file, "--start", "3"], 65, &["no position", "is a win before the end"]);
}

#[test]
fn reports_of_small_games() {
    insta::assert_snapshot!(stdout(&["interest", "tic_tac_toe"]));
    insta::assert_snapshot!(stdout(&["interest", "achi", "--draws", "skip"]));
    // It begins with a lost position; in the other the turn is kept.
    insta::assert_snapshot!(stdout(&["interest", "kalah(houses=2,seeds=2)", "--form", "literal"]));
}

/// What is printed and written with this number of threads: text, JSON, table and page.
fn reported(folder: &Path, game: &str, options: &[&str]) -> [String; 4] {
    let (table, page) = (path(folder, "table.csv"), path(folder, "page.html"));
    let all = [&["interest", game, "--csv", &table, "--html", &page], options].concat();
    let text = stdout(&all);
    let json = answer(&[&["interest", game, "--json"], options].concat()).to_string();
    [text, json, fs::read_to_string(table).unwrap(), unsigned_page(&page)]
}

#[test]
fn nothing_depends_on_threads_or_symmetry() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["tic_tac_toe", "achi"] {
        let one = reported(folder.path(), game, &["--threads", "1"]);
        for options in [&["--threads", "2"][..], &["--threads", "4", "--symmetry"]] {
            let more = reported(folder.path(), game, options);
            for (n, what) in ["text", "JSON", "table", "page"].into_iter().enumerate() {
                assert!(one[n] == more[n], "the {what} of {game} differs with {options:?}");
            }
        }
    }
}

#[test]
fn the_table_of_all_positions_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["tic_tac_toe", "achi", "kalah(houses=2,seeds=2)", "dots_and_boxes(rows=1,cols=2)"]
    {
        let [_, report, table, _] = reported(folder.path(), game, &[]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let solved = json(&["solve", game, "--json"]);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let columns = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        let place = |name: &str| columns.iter().position(|column| column == name).unwrap();
        let (position, value, remoteness) =
            (place("position"), place("value"), place("remoteness"));
        let (interestingness, children) = (place("interestingness"), place("children"));
        let number = |row: &csv::StringRecord, n: usize| row[n].parse::<f64>().unwrap();
        assert_eq!(rows.len() as u64, solved["positions"].as_u64().unwrap(), "{game}");
        for name in ["win", "lose", "tie", "draw"] {
            let count = rows.iter().filter(|row| &row[value] == name).count() as u64;
            assert_eq!(count, solved[name].as_u64().unwrap(), "{game}: {name}");
        }
        for row in report["by_remoteness"].as_array().unwrap() {
            let plies = row["remoteness"].to_string();
            let wins: Vec<_> = rows
                .iter()
                .filter(|found| &found[value] == "win" && found[remoteness] == plies)
                .collect();
            assert_eq!(wins.len() as u64, row["wins"].as_u64().unwrap(), "{game}: {plies}");
            let sum: f64 = wins.iter().map(|found| number(found, interestingness)).sum();
            let mean = sum / wins.len() as f64;
            assert!((mean - row["mean"].as_f64().unwrap()).abs() < 1e-9, "{game}: {plies}");
            let most = wins.iter().find(|found| found[position] == row["position"]).unwrap();
            assert_eq!(number(most, interestingness), row["max"].as_f64().unwrap());
            assert!(
                wins.iter()
                    .all(|found| number(found, interestingness) <= number(most, interestingness))
            );
            for bin in 0..20 {
                let within = |found: &&&csv::StringRecord| {
                    (number(found, interestingness) * 20.0) as usize == bin
                };
                let count = wins.iter().filter(within).count() as u64;
                assert_eq!(count, row["bins"][bin].as_u64().unwrap(), "{game}: {plies}, {bin}");
            }
        }
        let kinds = ["winning", "losing", "losing_at_once", "ties", "draws"].map(place);
        for row in &rows {
            let unfinished = ["win", "lose"].contains(&&row[value]) && &row[remoteness] != "0";
            assert_eq!(unfinished, !row[children].is_empty(), "{game}: {row:?}");
            if unfinished {
                let sum: f64 = kinds.iter().map(|&kind| number(row, kind)).sum();
                assert_eq!(sum, number(row, children), "{game}: {row:?}");
            } else {
                assert_eq!(number(row, interestingness), 0.01, "{game}: {row:?}");
            }
        }
    }
}

#[test]
fn the_page_has_the_landscape_and_the_positions() {
    let folder = tempfile::tempdir().unwrap();
    let [text, report, _, page] = reported(folder.path(), "achi", &[]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let rows = report["by_remoteness"].as_array().unwrap();
    for row in rows {
        assert!(page.contains(row["position"].as_str().unwrap()), "{row}");
        assert!(page.contains(&format!("{:.2}%", 100.0 * row["max"].as_f64().unwrap())), "{row}");
    }
    // Two charts, the start, which is the most interesting position, and one of each length.
    assert_eq!(page.matches("<svg").count(), 2 + 1 + rows.len());
    assert_eq!(
        page.matches("viewBox=").count(),
        2 + 1 + rows.len(),
        "pictures can be made smaller"
    );
    for label in ["plies to the end", "interestingness, %", "maximum", "mean", "win", "lose"] {
        assert!(page.contains(&format!(">{label}</text>")), "{label}");
    }
    // What the terminal says about the start is on the page too.
    let lines =
        text.lines().filter(|line| line.starts_with("Immediate") || line.starts_with("9 moves"));
    assert_eq!(lines.clone().count(), 2, "{text}");
    lines.for_each(|line| assert!(page.contains(line), "{line}"));
    // It stands for itself.
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(!page.contains("<script") && !page.contains("src="));
}

#[test]
fn what_is_saved_is_shown_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "solution", &["achi"]);
    let plain = fs::read(&file).unwrap();
    let report = json(&["interest", &file, "--json"]);
    assert_eq!(fs::read(&file).unwrap(), plain, "nothing is kept unless it is asked for");
    let text = stdout(&["interest", &file, "--save"]);
    assert!(text.contains(" --start\n"), "{text}");
    let kept = fs::read(&file).unwrap();
    assert_ne!(kept, plain);
    assert_eq!(json(&["interest", &file, "--save", "--threads", "1", "--json"]), report);
    assert_eq!(fs::read(&file).unwrap(), kept, "the same analysis gives the same bytes");
    assert_eq!(json(&["verify", &file, "--json"])["ok"], true);

    let shown = json(&["interest", &file, "--start", "--json"]);
    assert_eq!((&shown["game"], &shown["form"]), (&report["game"], &report["form"]));
    for field in ["position", "turn", "value", "remoteness", "interestingness", "terms"] {
        assert_eq!(shown[field], report["most_interesting"][field], "{field}");
    }
    for row in report["by_remoteness"].as_array().unwrap() {
        let plies = row["remoteness"].to_string();
        let shown = json(&["interest", &file, "--start", &plies, "--json"]);
        for field in ["position", "turn", "value", "remoteness", "interestingness", "terms"] {
            assert_eq!(shown[field], row[field], "{field}");
        }
        assert_eq!(shown["interestingness"], row["max"]);
    }
    insta::assert_snapshot!(
        stdout(&["interest", &file, "--start", "5"]).replace(folder.path().to_str().unwrap(), "")
    );

    // Another analysis takes its place.
    stdout(&["interest", &file, "--save", "--draws", "skip"]);
    let shown = json(&["interest", &file, "--start", "--json"]);
    assert_eq!((&shown["draws"], &shown["remoteness"]), (&"skip".into(), &5.into()));
    stdout(&["interest", &file, "--save"]);
    assert_eq!(fs::read(&file).unwrap(), kept);
}

#[test]
fn the_kept_position_is_played_against_perfect_play() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "solution", &["one_to_ten"]);
    stdout(&["interest", &file, "--save"]);
    let play = |start: &[&str], lines: &str| {
        let ran = run_with(&[&["interest", &file, "--play", "--start"], start].concat(), lines);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    // 0 is won by adding 1 only. After adding 2 come 4 and 7, and the other player says 10.
    let lost = play(&[], "2\n1\n1\n");
    assert!(lost.starts_with("From 0 x: the first player, x, is to move and wins in 7 plies"));
    assert!(lost.contains("the first player, x, is human; the second player, o, is perfect"));
    assert!(lost.contains("the second player has won (ended by the rules)"), "{lost}");
    // 5 is won by adding 2; from a lost 7 both moves last as long, and the seed draws 2.
    let won = play(&["3"], "2\n1\n");
    assert!(won.starts_with("From 5 "), "{won}");
    assert!(won.contains("is to move and wins in 3 plies, interestingness 29.64%"), "{won}");
    assert!(won.contains("has won (ended by the rules)"), "{won}");
    assert_eq!(won.matches("player plays 2 (loses in 2)").count(), 1, "{won}");
}

#[test]
fn options_that_cannot_be_taken() {
    let game = ["interest", "one_to_ten"];
    let with = |options: &[&'static str]| [&game[..], options].concat();
    let hint = "treegauge solve one_to_ten -o FILE";
    refused(&with(&["--save"]), 2, &["--save needs the file", hint]);
    refused(&with(&["--start"]), 2, &["--start needs the file", hint]);
    refused(&with(&["--start", "0"]), 2, &["--start", "0"]);
    refused(&with(&["--start", "70000"]), 2, &["70000"]);
    refused(&with(&["--play"]), 2, &["--start"]);
    refused(&with(&["--start", "--play", "--json"]), 2, &["--play", "--json"]);
    refused(&with(&["--start", "--save"]), 2, &["--start", "--save"]);
    refused(&with(&["--start", "3", "--form", "literal"]), 2, &["--start", "--form"]);
    refused(&with(&["--form", "round"]), 2, &["round", "clamped", "literal"]);
    refused(&with(&["--lose-children", "some"]), 2, &["some", "all", "fastest"]);
    refused(&with(&["--children", "boards"]), 2, &["boards", "moves", "positions"]);
    refused(&with(&["--draws", "win"]), 2, &["win", "tie", "skip"]);
    refused(&["interest"], 2, &["GAME|FILE"]);
    refused(&["interest", "one_to_tem"], 2, &["one_to_tem", "`one_to_ten`"]);
    refused(&["interest", "connect_four", "--memory-max", "1M"], 2, &["--memory-max"]);
    let folder = tempfile::tempdir().unwrap();
    let missing = path(folder.path(), "missing/page");
    // Known before the work: this game would take a day.
    for option in ["--csv", "--html"] {
        let arguments = ["interest", "connect_four", option, &missing];
        refused(&arguments, 65, &["cannot write", &missing]);
    }
    refused(&["interest", &missing], 65, &["cannot read", &missing]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn files_without_an_analysis_of_use() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "solution", &["one_to_ten"]);
    let start = ["interest", &file, "--start"];
    let hint = "--save";
    refused(&start, 65, &[&file, "keeps no analysis", hint]);
    refused(&[&start[..], &["--play"]].concat(), 65, &["keeps no analysis", hint]);
    let analysis = json(&["interest", &file, "--save", "--json"]);
    refused(&[&start[..], &["2"]].concat(), 65, &["no position is won in 2 plies", "1, 3, 5, 7"]);

    // Sections that are whole, but hold something else.
    let keep = |contents: &str| {
        with_section(file.as_ref(), "interest", contents.as_bytes()).unwrap();
    };
    let kept = |version: u32, analysis: &Value| {
        serde_json::json!({ "version": version, "analysis": analysis }).to_string()
    };
    keep("a letter to my aunt");
    refused(&start, 65, &["cannot be read", hint]);
    keep(&kept(2, &analysis));
    refused(&start, 65, &["version 2", "version 1", hint]);
    for (field, value) in [
        ("position", Value::from("3 x")),
        ("position", "11 x".into()),
        ("position", "no position".into()),
        ("turn", "second".into()),
        ("value", "lose".into()),
        ("remoteness", 5.into()),
        ("remoteness", Value::Null),
    ] {
        let mut other = analysis.clone();
        assert_ne!(other["most_interesting"][field], value);
        other["most_interesting"][field] = value;
        keep(&kept(1, &other));
        refused(&start, 65, &["positions that it does not have", hint]);
    }
    keep(&kept(1, &analysis));
    let shown = json(&[&start[..], &["--json"]].concat());
    assert_eq!(shown["position"], analysis["most_interesting"]["position"]);

    // A byte of the section, of which one text is known, is another one.
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(10).position(|found| found == b"\"sweeps\":1").unwrap();
    bytes[at + 1] ^= 1;
    fs::write(&file, &bytes).unwrap();
    refused(&start, 65, &["cannot read", "section `interest`"]);
    bytes.truncate(at);
    fs::write(&file, &bytes).unwrap();
    refused(&start, 65, &["cannot read", "cut short"]);
    refused(&["interest", &file, "--save"], 65, &["cannot read", "cut short"]);
    assert_eq!(fs::read(&file).unwrap(), bytes, "what is damaged is not written to");
}
