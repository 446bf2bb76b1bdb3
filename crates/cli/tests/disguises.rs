//! Files in the forms of other programs: read as what they are, or refused in one sentence.

use serde_json::{Value, json};

use crate::common::{DATA, Fields, Room};

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
    let room = Room::new();
    room.write("three.rules", RULES);
    let expected = room.stdout("show three.rules");
    for form in forms(RULES) {
        room.write("three.rules", &form);
        assert_eq!(room.stdout("show three.rules"), expected, "{form:?}");
        let piped = room.run_with("check -", std::str::from_utf8(&form).unwrap());
        assert_eq!(piped.code, Some(0), "{}", piped.stderr);
    }
    let refuses = |bytes: &[u8], part: &str| {
        room.write("three.rules", bytes);
        room.refused("check three.rules", DATA, &[part]);
    };
    refuses(&utf_16(RULES), "it is text in UTF-16; save it as UTF-8");
    refuses(RULES.replace("Three\"", "Th\0ree\"").as_bytes(), "line 2 has a NUL");
    refuses(b"(game \"\xE4\")", "not text in UTF-8: line 1");
    room.write("three.rules", RULES.replace('"', "\u{201c}"));
    let ran = room.run("check three.rules");
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains("quotation mark") && said.contains("type \" here"), "{said}");
}

/// The rows of a list of games, each with its place, the name that was given, and its one name.
fn listed(room: &Room, list: &str, input: &str) -> Vec<(u64, String, String)> {
    let ran = room.run_with(["games", "--canonical", list, "--json"], input);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let text = |row: &Value, place: &str| row.word(place).to_owned();
    let row = |row: &Value| (row.whole("/place"), text(row, "/input"), text(row, "/game"));
    report.list("/rows").iter().map(row).collect()
}

#[test]
fn lists_and_tables_of_games_are_read_in_every_form() {
    let room = Room::new();
    let of = |place, input: &str, game: &str| (place, input.to_owned(), game.to_owned());
    let expected = [
        of(1, "broken_connect_four", "connect_four(k=6)"),
        of(2, "mnk(rows=3,cols=3,k=3)", "mnk(rows=3,cols=3,k1=3,k2=3)"),
        of(3, "qirkat", "alquerque"),
    ];
    let games = expected.each_ref().map(|(_, input, _)| input.as_str());
    let words = "broken_connect_four,mnk(rows=3, cols=3, k=3),qirkat";
    assert_eq!(listed(&room, words, ""), expected);
    assert_eq!(listed(&room, &games.join("; "), ""), expected);
    let [one, two, three] = games;
    let tables = [
        format!("# games\n{one}\n\n{two}\n{three}\n"),
        json!(games).to_string(),
        format!("fun,game\n1,{one}\n2,\"{two}\"\n3,{three}\n"),
        format!("sep=;\ngame;fun_mean\n{one};3,5\n{two};4,0\n{three};1\n"),
        format!("fun_mean\tgame\n3,5\t{one}\n4\t{two}\n1\t{three}\n"),
        format!(",fun_mean,game\n0,3.0,{one}\n1,4.0,\"{two}\"\n2,1,{three}\n"),
        format!("\n\n\"game\",\"fun_mean\"\n\"{one}\",\"3\"\n\"{two}\",\"4\"\n{three},1\n"),
    ];
    for form in tables.iter().flat_map(|table| forms(table)) {
        room.write("games", &form);
        assert_eq!(listed(&room, "games", ""), expected, "{form:?}");
        assert_eq!(listed(&room, "-", std::str::from_utf8(&form).unwrap()), expected);
    }
    let label =
        |game: &str| format!("[[game]]\ngame = \"{game}\"\nplayable = true\ngroup = \"a\"\n");
    room.write("games.toml", games.map(label).concat());
    assert_eq!(listed(&room, "games.toml", ""), expected);
    for (bytes, part) in [
        (&utf_16("achi\n")[..], "UTF-16"),
        (b"PAR1\0\0", "Parquet"),
        (b"\x1F\x8B\x08\0", "gzip"),
        (b"PK\x03\x04\0", "zip"),
        (b"achi\nachy\n", "line 2"),
    ] {
        room.write("games", bytes);
        room.refused("games --canonical games", DATA, &[part]);
    }
    let quoted = room.run("games --canonical \u{201c}achi\u{201d}");
    assert!(quoted.stderr.contains("a quotation mark of a word processor"), "{}", quoted.stderr);
    let text = room.stdout("games --canonical qirkat");
    assert_eq!(text, "place\tinput\tgame\n1\tqirkat\talquerque\n");
}

#[test]
fn ratings_with_decimal_commas_are_the_same_ratings() {
    let room = Room::new();
    room.stdout("collect --games achi,forms --iterations 9 --instances 2 -o data");
    let said = |text: &str| {
        room.write("ratings", text);
        room.run("evaluate data --ratings ratings").stderr
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
    let room = Room::new();
    let plain = "game,iterations,instances,trees,depth.mean\nachi,10,1,60,3.5\nforms,10,1,40,2.0\n";
    let tables = [
        plain,
        "game;iterations;instances;trees;depth.mean\nachi;10;1;60;3,5\nforms;10;1;40;2\n",
        ",game,iterations,instances,trees,depth.mean\n0,achi,10.0,1.0,60,3.5\n1,forms,10.0,1,40.0,2.0\n",
        "depth.mean,trees,instances,iterations,game\n3.5,60,1,10,achi\n2.0,40,1,10,forms\n",
    ];
    for form in tables.iter().flat_map(|table| forms(table)) {
        room.write("table.csv", &form);
        assert_eq!(room.stdout("aggregate table.csv"), plain, "{form:?}");
    }
}

#[test]
fn saved_reports_are_read_in_every_form() {
    let room = Room::new();
    let report = room.save("report.json", "perft achi --depth 2");
    let expected = room.stdout("report report.json");
    let pretty = serde_json::to_string_pretty(&report).unwrap() + "\n";
    for form in [report.to_string(), pretty].iter().flat_map(|text| forms(text)) {
        room.write("report.json", &form);
        assert_eq!(room.stdout("report report.json"), expected, "{form:?}");
    }
}

#[test]
fn puzzles_of_a_game_are_known_by_what_they_hold() {
    let room = Room::new();
    room.stdout("solve tic_tac_toe -o tic.tgs");
    let puzzles = room.save("puzzles.json", "puzzles tic.tgs --top 2");
    let graded = "difficulty puzzles.json --solved tic.tgs";
    let expected = room.stdout(graded);
    let pretty = serde_json::to_string_pretty(&puzzles).unwrap();
    for text in [pretty, format!("\u{feff} \n {puzzles}")] {
        room.write("puzzles.json", text);
        assert_eq!(room.stdout(graded), expected);
    }
    room.write("puzzles.json", "{\"kind\":\"vetting\"}");
    room.refused(graded, DATA, &["the file is JSON, not a list of puzzles"]);
}
