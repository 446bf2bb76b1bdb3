//! Files in the forms of other programs: read as what they are, or refused in one sentence.

use std::fs;

use crate::common::{DATA, refused, run, run_with, stdout};

const RULES: &str = "; Three in a row.\n(game \"Three\"\n  (board (grid 3 3))\n  (play (place))\n  \
                     (end (if (makes (line 3)) (win mover)) (stuck draw)))\n";

/// A text with a byte order mark, and with each kind of line end.
fn forms(text: &str) -> Vec<Vec<u8>> {
    ["\n", "\r\n", "\r"]
        .into_iter()
        .flat_map(|end| {
            let text = text.replace('\n', end);
            [text.clone().into_bytes(), format!("\u{feff}{text}").into_bytes()]
        })
        .collect()
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn rules_texts_are_read_in_every_form() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("three.rules");
    let path = file.to_str().unwrap();
    fs::write(&file, RULES).unwrap();
    let expected = stdout(&["show", path]);
    for form in forms(RULES) {
        fs::write(&file, &form).unwrap();
        assert_eq!(stdout(&["show", path]), expected, "{form:?}");
        let piped = run_with(&["check", "-"], std::str::from_utf8(&form).unwrap());
        assert_eq!(piped.code, Some(0), "{}", piped.stderr);
    }
    fs::write(&file, utf_16(RULES)).unwrap();
    refused(&["check", path], DATA, &["it is text in UTF-16; save it as UTF-8"]);
    fs::write(&file, RULES.replace("Three\"", "Th\0ree\"")).unwrap();
    refused(&["check", path], DATA, &["line 2 has a NUL"]);
    fs::write(&file, b"(game \"\xE4\")").unwrap();
    refused(&["check", path], DATA, &["not text in UTF-8: line 1"]);
    fs::write(&file, RULES.replace('"', "\u{201c}")).unwrap();
    let ran = run(&["check", path]);
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains("quotation mark") && said.contains("type \" here"), "{said}");
}

#[test]
fn lists_and_tables_of_games_are_read_in_every_form() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("games");
    let path = file.to_str().unwrap();
    let data = root.path().join("data");
    let collect = || {
        let _ = fs::remove_dir_all(&data);
        let games = ["collect", "--games", path, "--iterations", "5", "--instances", "1"];
        stdout(&[&games[..], &["-o", data.to_str().unwrap()]].concat())
    };
    fs::write(&file, "achi\nforms\n").unwrap();
    let expected = collect();
    let tables = [
        "achi\nforms\n",
        "game,fun_mean\nachi,3\nforms,4\n",
        "sep=;\ngame;fun_mean\nachi;3,5\nforms;4,0\n",
        "fun_mean\tgame\n3,5\tachi\n4\tforms\n",
        ",fun_mean,game\n0,3.0,achi\n1,4.0,forms\n",
        "\n\n\"game\",\"fun_mean\"\n\"achi\",\"3\"\n\"forms\",\"4\"\n",
    ];
    for form in tables.iter().flat_map(|table| forms(table)) {
        fs::write(&file, &form).unwrap();
        assert_eq!(collect(), expected, "{form:?}");
    }
    let refuses = |bytes: &[u8], part: &str| {
        fs::write(&file, bytes).unwrap();
        let into = data.to_str().unwrap();
        refused(&["collect", "--games", path, "-o", into], DATA, &[part]);
    };
    refuses(&utf_16("achi\n"), "UTF-16");
    refuses(b"PAR1\0\0", "Parquet");
    refuses(b"\x1F\x8B\x08\0", "gzip");
    refuses(b"PK\x03\x04\0", "zip");
}

#[test]
fn ratings_with_decimal_commas_are_the_same_ratings() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let (data, file) = (at("data"), at("ratings"));
    stdout(&[
        "collect",
        "--games",
        "achi,forms",
        "--iterations",
        "9",
        "--instances",
        "2",
        "-o",
        &data,
    ]);
    let said = |text: &str| {
        fs::write(&file, text).unwrap();
        run(&["evaluate", &data, "--ratings", &file]).stderr
    };
    // Too few games for an evaluation, which says what it has read.
    let plain = said("game,fun_mean\nachi,3.5\nforms,40.25\n");
    assert_eq!(said("game;fun_mean\nachi;3,5\nforms;40,25\n"), plain);
    assert_eq!(said(",fun_mean,game\n0,3.5,achi\n1,40.25,forms\n"), plain);
    assert!(said("game;fun_mean\nachi;3,5,1\nforms;1\n").contains("\"3,5,1\""), "{plain}");
    assert!(said("game;fun_mean\nachi;101,5\n").contains("line 2: fun_mean is \"101,5\""));
}

#[test]
fn tables_of_attributes_are_read_in_every_form() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("table.csv");
    let path = file.to_str().unwrap();
    let plain = "game,iterations,instances,trees,depth.mean\nachi,10,1,60,3.5\nforms,10,1,40,2.0\n";
    let tables = [
        plain,
        "game;iterations;instances;trees;depth.mean\nachi;10;1;60;3,5\nforms;10;1;40;2\n",
        ",game,iterations,instances,trees,depth.mean\n0,achi,10.0,1.0,60,3.5\n1,forms,10.0,1,40.0,2.0\n",
        "depth.mean,trees,instances,iterations,game\n3.5,60,1,10,achi\n2.0,40,1,10,forms\n",
    ];
    for form in tables.iter().flat_map(|table| forms(table)) {
        fs::write(&file, &form).unwrap();
        assert_eq!(stdout(&["aggregate", path]), plain, "{form:?}");
    }
}

#[test]
fn saved_reports_are_read_in_every_form() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("report.json");
    let path = file.to_str().unwrap();
    let report = stdout(&["perft", "achi", "--depth", "2", "--json"]);
    fs::write(&file, &report).unwrap();
    let expected = stdout(&["report", path]);
    let value: serde_json::Value = serde_json::from_str(&report).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap() + "\n";
    for form in [report, pretty].iter().flat_map(|text| forms(text)) {
        fs::write(&file, &form).unwrap();
        assert_eq!(stdout(&["report", path]), expected, "{form:?}");
    }
}

#[test]
fn puzzles_of_a_game_are_known_by_what_they_hold() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let (solved, file) = (at("tic.tgs"), at("puzzles.json"));
    stdout(&["solve", "tic_tac_toe", "-o", &solved]);
    let puzzles = stdout(&["puzzles", &solved, "--top", "2", "--json"]);
    let graded = ["difficulty", &file, "--solved", &solved];
    fs::write(&file, &puzzles).unwrap();
    let expected = stdout(&graded);
    let value: serde_json::Value = serde_json::from_str(&puzzles).unwrap();
    for text in [serde_json::to_string_pretty(&value).unwrap(), format!("\u{feff} \n {puzzles}")] {
        fs::write(&file, text).unwrap();
        assert_eq!(stdout(&graded), expected);
    }
    fs::write(&file, "{\"kind\":\"vetting\"}").unwrap();
    refused(&graded, DATA, &["it is JSON, and no file of puzzles"]);
}
