//! Reports that were saved as JSON: what is damaged in them, and where their pages go.

use std::fs;

use serde_json::{Value, json};

use crate::common::{DATA, Room};

const GAUGE: &str = "gauge tic_tac_toe --games 1 --skill-games 0 --iterations 9";

#[test]
fn control_characters_of_a_report_are_not_sent_to_the_terminal() {
    let room = Room::new();
    let report = room.stdout("show tic_tac_toe --json");
    room.write("report.json", report.replace("\"a1\"", "\"\\u001b[31mred\""));
    let text = room.stdout("report report.json");
    assert!(text.contains("\\u{1b}[31mred") && !text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn what_is_no_report_of_a_position_is_refused() {
    let room = Room::new();
    let show = room.stdout("show tic_tac_toe --json");
    for (from, to, expected) in [
        ("\"schema\":1", "\"schema\":2", ["schema 2", "schema 1"]),
        ("\"moves\"", "\"motions\"", ["show", "moves"]),
        ("tic_tac_toe", "tic_tac_two", ["tic_tac_two", "tic_tac_toe"]),
        ("null", "\"nobody\"", ["nobody", "first"]),
    ] {
        room.write("bad.json", show.replace(from, to));
        room.refused("report bad.json", DATA, &expected);
    }
    // A position of another game has no board, but the report is printed.
    room.write("other.json", show.replace("... x", "x x"));
    room.stdout("report other.json");
}

#[test]
fn a_report_whose_parts_do_not_fit_together_or_are_out_of_range_is_refused() {
    let room = Room::new();
    let puzzles = "puzzles tic_tac_toe";
    let solution = "/puzzles/0/written/positions";
    let damaged = "the solution of puzzle 1 is damaged";
    let two = "tournament tic_tac_toe --games 4 random 'uct(iterations=9)'";
    let huge = json!([[u64::MAX, 0, 0], [0, 0, 0], [0, 0, 0]]);
    let cases = [
        (puzzles, solution, Value::Array(Vec::new()), damaged),
        // A move that leads back would be followed without end.
        (puzzles, "/puzzles/0/written/positions/0/moves/0/then", json!(0), damaged),
        (GAUGE, "/search_tree/nodes/1/parent", json!(7), "parent"),
        (GAUGE, "/capped/mean", json!(1e308), "`capped.mean` is 1e308, which is not from 0 to 1"),
        (GAUGE, "/plies/mean", json!(-1), "`plies.mean` is -1.0, which is not from 0 to"),
        ("perft tic_tac_toe --depth 1", "/counts/0", json!(-9), "`counts[0]` is -9.0"),
        (two, "/players", json!(["random"]), "players other than the 1"),
        (two, "/encounters/0/players", json!([0, 5]), "players other than the 2"),
        (two, "/bradley_terry/differences/0/worse", json!(2), "players other than the 2"),
        (two, "/encounters/0/outcomes/paired", huge, "too many games"),
    ];
    for (command, place, value, expected) in cases {
        let mut report = room.json(command);
        *report.pointer_mut(place).expect(place) = value;
        room.write("bad.json", report.to_string());
        room.refused("report bad.json", DATA, &[expected]);
    }
    let mut report = room.json(puzzles);
    report.pointer_mut(solution).and_then(Value::as_array_mut).unwrap().pop();
    room.write("bad.json", report.to_string());
    room.refused("report bad.json", DATA, &[damaged]);
}

#[test]
fn a_report_says_nothing_of_files_that_are_no_games() {
    let room = Room::new();
    room.write("secret", "root:x:0:0:a secret\n");
    let show = room.stdout("show tic_tac_toe --json");
    room.write("report.json", show.replace("\"tic_tac_toe\"", "\"rules(file=secret)\""));
    room.refused("report report.json", DATA, &["it is not the text of a game"]);
    let said = room.run("report report.json").stderr;
    assert!(!said.contains("root") && !said.contains("a secret"), "{said}");
}

#[test]
fn pictures_of_a_saved_report_are_drawn_again() {
    let room = Room::new();
    let mut report = room.save("report.json", "puzzles tic_tac_toe");
    let sound = room.stdout("report report.json --html -");
    report["puzzles"][0]["svg"] = "<svg><script>alert(1)</script></svg>".into();
    room.write("report.json", report.to_string());
    let page = room.stdout("report report.json --html -");
    assert!(!page.contains("alert(1)"));
    assert_eq!(page, sound);
}

#[test]
fn a_page_says_how_it_was_made_and_goes_where_it_is_asked_to() {
    let room = Room::new();
    let day = [("SOURCE_DATE_EPOCH", "1795392000")];
    let ran = room.run_in(&day, format!("{GAUGE} --html page.html"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("the page is in page.html"), "{}", ran.stderr);
    let written = room.text("page.html");
    let version = env!("CARGO_PKG_VERSION");
    let foot =
        format!("Made by treegauge {version} on 2026-11-23: <code>treegauge gauge tic_tac_toe ");
    assert!(written.contains(&foot), "{}", &written[written.len() - 400..]);
    // `-` is standard output, in the place of the text.
    let printed = room.stdout(format!("{GAUGE} --html -"));
    assert!(printed.starts_with("<!DOCTYPE html>") && printed.ends_with("</html>"));
    assert_eq!(printed.split("<footer>").next(), written.split("<footer>").next());
}

/// A script on the search path stands for the desktop's launcher.
#[cfg(target_os = "linux")]
#[test]
fn a_page_is_shown_in_a_browser_or_the_error_names_it() {
    use std::os::unix::fs::PermissionsExt;

    let room = Room::new();
    let path = room.at("bin").to_str().unwrap().to_owned();
    let open = |does: &str| {
        room.write("bin/xdg-open", format!("#!/bin/sh\n{does}\n"));
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(room.at("bin/xdg-open"), executable).unwrap();
        room.run_in(&[("PATH", &path)], format!("{GAUGE} --html 'a page.html' --open"))
    };
    let ran = open(&format!("printf %s \"$1\" > '{}'", room.at("opened").display()));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(room.text("opened"), "a page.html");
    let ran = open("exit 3");
    assert_eq!(ran.code, Some(DATA));
    let message = "cannot show a page.html in a browser";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    assert!(room.text("a page.html").ends_with("</html>"));
}

#[test]
fn a_picture_goes_where_it_is_asked_to() {
    let room = Room::new();
    let ran = room.run(format!("{GAUGE} --svg picture.svg"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("the picture is in picture.svg"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("tic_tac_toe: "), "the report is printed all the same");
    // `-` is standard output, in the place of the text.
    let printed = room.stdout(format!("{GAUGE} --svg -"));
    assert_eq!(room.text("picture.svg"), format!("{printed}<!-- treegauge -->\n"));
    let facts = printed.split("aria-label=\"").nth(1).unwrap().split('"').next().unwrap();
    for fact in ["tic_tac_toe.", "The board shows ", "draws: ", "first player: ", "seed 1."] {
        assert!(facts.contains(fact), "{fact:?} is not in {facts}");
    }
    // A page and a picture are made by one run.
    let both = room.run(format!("{GAUGE} --html page.html --svg picture.svg --quiet"));
    assert!(both.code == Some(0) && room.has("page.html"), "{}", both.stderr);
    room.save("perft.json", "perft tic_tac_toe --depth 2");
    room.refused("report perft.json --svg -", DATA, &["a report of this kind has no picture"]);
}
