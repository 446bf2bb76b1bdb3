//! Interestingness of positions, as printed, written and kept.

use serde_json::{Value, json};
use treegauge::solve::with_section;

use crate::common::{DATA, Fields, Room, json, solved, stdout, unsigned};

/// Tolerance of numbers that are known to eight digits.
const EIGHT_DIGITS: f64 = 5.1e-9;

#[track_caller]
fn close(found: &Value, expected: f64) {
    let number = found.as_f64().expect("it is a number");
    assert!((number - expected).abs() < EIGHT_DIGITS, "{number} instead of {expected}");
}

/// Known figures of the definition's test vectors: command, value and remoteness of the start, its interestingness, and
/// remoteness, number (0 where it is not known) and maximum of the wins.
const KNOWN: &str = "
one_to_ten | win 7 | 0.4296121016 | 3 0 0.296437636, 7 1 0.4296121016
one_to_ten --form literal | win 7 | 0.4288339622 | 1 0 0.0050125629
tic_tac_toe --form literal | tie 9 | 0.01 | 1 2358 0.50250628, 3 356 0.59572110, 5 122 0.62602377
tic_tac_toe --form clamped --symmetry | tie 9 | 0.01 | 1 2358 0.50250628, 3 356 0.59639012, 5 122 0.62711090
wild_tic_tac_toe | win 7 | 0.74664362 | 1 10020 0.29643764, 3 56 0.64821882, 5 8 0.59379808
tic_tac_toe(k=2) --form literal | win 3 | 0.00250943 | 1 364 0.00501256
tic_tac_toe(k=2) | win 3 | 0.01 | 1 364 0.01
achi --form literal | win 9 | 0.77849173 | 1 1860 0.59379808, 3 688 0.66646893, 5 300 0.66789208, 7 92 0.73013270, 9 57 0.77849173
achi --symmetry | win 9 | 0.77862570 | 5 300 0.66815760, 9 57 0.77862570
achi --draws skip | win 9 | 0.5859583008 | 1 1860 0.55502809, 5 300 0.65374933, 9 57 0.58595830
achi(men=4) | win 11 | 0.67257087 | 9 0 0.67618110
finger_game | draw | 0.01 | 1 184 0.50250628, 3 50 0.59277618, 5 20 0.45972977
finger_game --draws skip | draw | 0.01 | 1 184 0.42554374, 3 50 0.29643764, 5 20 0.11999668
";

#[test]
fn known_figures_are_printed() {
    for line in KNOWN.lines().skip(1) {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [command, start, interestingness, rows] = fields[..] else { panic!("{line}") };
        let report = json(format!("interest {command}"));
        let game = command.split(' ').next().unwrap();
        let form = if command.contains("literal") { "literal" } else { "clamped" };
        assert_eq!((report.word("/game"), report.word("/form")), (game, form));
        let place = &report["start"];
        let found = format!("{} {}", place.word("/value"), place["remoteness"]);
        assert_eq!(found.trim_end_matches(" null"), start, "{command}");
        close(&place["interestingness"], interestingness.parse().unwrap());
        let found = report.list("/by_remoteness");
        for row in rows.split(", ") {
            let numbers: Vec<f64> = row.split(' ').map(|number| number.parse().unwrap()).collect();
            let [remoteness, wins, max] = numbers[..] else { panic!("{row}") };
            let is_there = |row: &&Value| row.number("/remoteness") == remoteness;
            let row = found.iter().find(is_there).unwrap();
            assert!(wins == 0.0 || row.number("/wins") == wins, "{command}: {row}");
            close(&row["max"], max);
            assert!(row.number("/mean") <= row.number("/max"), "{command}: {row}");
        }
        // The most interesting position is that of the greatest maximum.
        let most = &report["most_interesting"];
        let max = |row: &Value| row.number("/max");
        let best = found.iter().max_by(|a, b| max(a).total_cmp(&max(b))).unwrap();
        assert_eq!(max(best), most.number("/interestingness"), "{command}");
        let best = found.iter().find(|row| row["remoteness"] == most["remoteness"]).unwrap();
        assert_eq!(best["position"], most["position"], "{command}");
        // Both terms together make the number.
        let rest = |term: &str| 1.0 - most.number(term);
        let product = rest("/terms/immediate") * rest("/terms/accumulated");
        close(&most["interestingness"], 1.0 - product.sqrt());
        let loops = report.whole("/positions_in_loops");
        assert_eq!(loops > 0, report.whole("/sweeps") > 1, "{command}");
        assert_eq!(loops > 0, game == "achi", "{command}: {loops}");
    }
}

#[test]
fn choices_are_obeyed() {
    // Remoteness falls with each of the quickest winning moves, so nothing depends on itself.
    let report = json("interest achi --lose-children fastest");
    assert_eq!((&report["sweeps"], &report["positions_in_loops"]), (&1.into(), &0.into()));
    assert_eq!(report["lose_children"], "fastest");
    // Not every winning move is a quickest one, and tapping either of two equal hands comes to the
    // same.
    for (game, option, choices) in [
        ("tic_tac_toe", "lose-children", ["all", "fastest"]),
        ("finger_game(self_tap=true)", "children", ["moves", "positions"]),
        ("finger_game", "form", ["clamped", "forcing"]),
        ("tic_tac_toe", "ties", ["all", "late"]),
    ] {
        let means = choices.map(|choice| {
            let report = json(format!("interest {game} --{option} {choice}"));
            assert_eq!(report[option.replace('-', "_")], choice);
            let rows = report.list("/by_remoteness").iter();
            rows.map(|row| row.number("/mean")).collect::<Vec<_>>()
        });
        assert_eq!(means[0].len(), means[1].len());
        assert_ne!(means[0], means[1], "{game} {option}");
    }
}

#[test]
fn a_game_without_wins_says_so() {
    let game = "mnk(rows=2,cols=2,k=5)";
    let report = json(format!("interest {game}"));
    assert_eq!(report["most_interesting"], Value::Null);
    assert_eq!(report["by_remoteness"], json!([]));
    let words = "No position is a forced win of known length";
    assert!(stdout(format!("interest {game}")).contains(words));
    let room = Room::new();
    solved(&room, "solution", game);
    room.stdout("interest solution --save");
    for start in ["interest solution --start", "interest solution --start 3"] {
        room.refused(start, DATA, &["no position", "is a win before the end"]);
    }
}

#[test]
fn reports_of_small_games() {
    insta::assert_snapshot!(stdout("interest tic_tac_toe --explain"));
    insta::assert_snapshot!(stdout("interest achi --draws skip --explain"));
    // It begins with a lost position; in the other the turn is kept.
    insta::assert_snapshot!(stdout("interest kalah(houses=2,seeds=2) --form literal --explain"));
}

#[test]
fn the_table_of_all_positions_adds_up() {
    let room = Room::new();
    for game in ["tic_tac_toe", "achi", "kalah(houses=2,seeds=2)", "dots_and_boxes(rows=1,cols=2)"]
    {
        let report = room.json(format!("interest {game} --csv table.csv"));
        let solved = json(["solve", game]);
        let table = room.bytes("table.csv");
        let mut reader = csv::Reader::from_reader(&table[..]);
        let columns = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
        let place = |name: &str| columns.iter().position(|column| column == name).unwrap();
        let (position, value, remoteness) =
            (place("position"), place("value"), place("remoteness"));
        let (interestingness, children) = (place("interestingness"), place("children"));
        let number = |row: &csv::StringRecord, n: usize| row[n].parse::<f64>().unwrap();
        assert_eq!(rows.len() as u64, solved.whole("/positions"), "{game}");
        for name in ["win", "lose", "tie", "draw"] {
            let count = rows.iter().filter(|row| &row[value] == name).count() as u64;
            assert_eq!(count, solved.whole(&format!("/{name}")), "{game}: {name}");
        }
        for row in report.list("/by_remoteness") {
            let plies = row["remoteness"].to_string();
            let wins: Vec<_> = rows
                .iter()
                .filter(|found| &found[value] == "win" && found[remoteness] == plies)
                .collect();
            assert_eq!(wins.len() as u64, row.whole("/wins"), "{game}: {plies}");
            let all: Vec<f64> = wins.iter().map(|found| number(found, interestingness)).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            assert!((mean - row.number("/mean")).abs() < 1e-9, "{game}: {plies}");
            let most = wins.iter().find(|found| found[position] == row["position"]).unwrap();
            let most = number(most, interestingness);
            assert_eq!(most, row.number("/max"));
            assert!(all.iter().all(|&found| found <= most));
            for (n, bin) in row.list("/bins").iter().enumerate() {
                let count = all.iter().filter(|&&found| (found * 20.0) as usize == n).count();
                assert_eq!(count as u64, bin.whole(""), "{game}: {plies}, {n}");
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
    let room = Room::new();
    let text = room.stdout("interest achi --html page.html --explain");
    let (report, page) = (json("interest achi"), unsigned(&room.text("page.html")));
    let rows = report.list("/by_remoteness");
    for row in rows {
        assert!(page.contains(row.word("/position")), "{row}");
        assert!(page.contains(&format!("{:.2}%", 100.0 * row.number("/max"))), "{row}");
    }
    // Two charts, the start, which is the most interesting position, and one of each length.
    let pictures = ["<svg", "viewBox="].map(|part| page.matches(part).count());
    assert_eq!(pictures, [2 + 1 + rows.len(); 2], "pictures can be made smaller");
    for label in ["plies to the end", "interestingness, %", "maximum", "mean", "win", "lose"] {
        assert!(page.contains(&format!(">{label}</text>")), "{label}");
    }
    // What the terminal says about the start is on the page too.
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("Immediate") || line.starts_with("9 moves"));
    assert_eq!(lines.clone().count(), 2, "{text}");
    lines.for_each(|line| assert!(page.contains(line), "{line}"));
}

#[test]
fn what_is_saved_is_shown_and_played() {
    let room = Room::new();
    solved(&room, "solution", "achi");
    let plain = room.bytes("solution");
    let report = room.json("interest solution");
    assert_eq!(room.bytes("solution"), plain, "nothing is kept unless it is asked for");
    let text = room.stdout("interest solution --save");
    assert!(text.contains("treegauge interest solution --start`"), "{text}");
    let kept = room.bytes("solution");
    assert_ne!(kept, plain);
    let mut again = room.answer("interest solution --save --threads 1");
    again["task"] = report["task"].clone();
    assert_eq!(again, report);
    assert_eq!(room.bytes("solution"), kept, "the same analysis gives the same bytes");
    assert_eq!(room.json("verify solution")["ok"], true);

    let fields = ["position", "turn", "value", "remoteness", "interestingness", "terms"];
    let of = |report: &Value| fields.map(|field| report[field].clone());
    let shown = room.json("interest solution --start");
    assert_eq!((&shown["game"], &shown["form"]), (&report["game"], &report["form"]));
    assert_eq!(of(&shown), of(&report["most_interesting"]));
    for row in report.list("/by_remoteness") {
        let shown = room.json(format!("interest solution --start {}", row["remoteness"]));
        assert_eq!(of(&shown), of(row));
        assert_eq!(shown["interestingness"], row["max"]);
    }
    insta::assert_snapshot!(room.stdout("interest solution --start 5 --explain"));

    // Another analysis takes its place.
    room.stdout("interest solution --save --draws skip");
    let shown = room.json("interest solution --start");
    assert_eq!((&shown["draws"], &shown["remoteness"]), (&"skip".into(), &5.into()));
    room.stdout("interest solution --save");
    assert_eq!(room.bytes("solution"), kept);
}

#[test]
fn files_without_an_analysis_of_use() {
    let room = Room::new();
    solved(&room, "solution", "one_to_ten");
    let (start, hint) = ("interest solution --start", "--save");
    let analysis = room.json("interest solution --save");
    let known = ["no position is won in 2 plies", "1, 3, 5, 7"];
    room.refused(format!("{start} 2"), DATA, &known);

    // Sections that are whole, but hold something else.
    let keep = |contents: &str| {
        with_section(&room.at("solution"), "interest", contents.as_bytes()).unwrap();
    };
    let kept = |version: u32, analysis: &Value| {
        json!({ "version": version, "analysis": analysis }).to_string()
    };
    keep("a letter to my aunt");
    room.refused(start, DATA, &["cannot be read", hint]);
    keep(&kept(2, &analysis));
    room.refused(start, DATA, &["version 2", "version 1", hint]);
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
        room.refused(start, DATA, &["positions that are not in it", hint]);
    }
    keep(&kept(1, &analysis));
    let shown = room.json(start);
    assert_eq!(shown["position"], analysis["most_interesting"]["position"]);

    // Changes one byte of the section, whose text is known.
    let mut bytes = room.bytes("solution");
    let at = bytes.windows(10).position(|found| found == b"\"sweeps\":1").unwrap();
    bytes[at + 1] ^= 1;
    room.write("solution", &bytes);
    room.refused(start, DATA, &["cannot read", "section `interest`"]);
    bytes.truncate(at);
    room.write("solution", &bytes);
    room.refused(start, DATA, &["cannot read", "cut short"]);
    room.refused("interest solution --save", DATA, &["cannot read", "cut short"]);
    assert_eq!(room.bytes("solution"), bytes, "what is damaged is not written to");
}
