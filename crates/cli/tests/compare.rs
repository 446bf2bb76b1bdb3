//! Comparing variants of a game.

use std::fs;

use crate::common::{Fields, Room, json, stdout};

const SMALL: &str = "compare 'connect_four(cols=4..5,rows=3,k=3)' 'connect_four(cols=4,rows=3)' --games 8 \
                     --iterations 120 --skill-games=0";

#[test]
fn the_report_has_every_game_and_every_difference_from_the_first() {
    let report = json(SMALL);
    let games = report.list("/games");
    let names: Vec<&str> = games.iter().map(|game| game.word("/game")).collect();
    let expected = [
        "connect_four(cols=4,rows=3,k=3)",
        "connect_four(cols=5,rows=3,k=3)",
        "connect_four(cols=4,rows=3)",
    ];
    assert_eq!(names, expected);
    let differences = report.list("/differences");
    for (b, measure) in [(1, "plies"), (2, "draw_rate"), (1, "first_player")] {
        let found = differences.iter().find(|d| d["measure"] == measure && d["b"] == names[b]);
        let found = found.expect("every measure is compared");
        assert_eq!(found["a"], names[0]);
        let mean = |n: usize| games[n][measure].number("/mean");
        let difference = mean(b) - mean(0);
        let [low, middle, high] =
            ["low", "mean", "high"].map(|end| found.number(&format!("/difference/{end}")));
        assert_eq!(middle, difference);
        assert!(low <= difference && difference <= high, "{found}");
    }
    // A gauge alone has the same numbers.
    let alone = json(format!("gauge '{}' --games 8 --iterations 120 --skill-games=0", names[1]));
    assert_eq!(alone["plies"], games[1]["plies"]);
    assert_eq!(alone["ladder"], games[1]["ladder"]);
}

#[test]
fn records_are_kept_and_used_and_the_threads_do_not_matter() {
    let room = Room::new();
    let recorded = format!("{SMALL} --record records");
    let text = room.stdout(format!("{recorded} --threads 1 --explain"));
    assert!(
        text.contains("cols=5 instead of 4: ") && text.contains("k=4 instead of 3: "),
        "{text}"
    );
    assert!(!text.contains("NaN") && !text.contains("INCOMPLETE"), "{text}");
    let files = room.files("records");
    assert_eq!(files.len(), 3, "{files:?}");
    assert_eq!(stdout(format!("{SMALL} --threads 3 --explain")), text);
    // As a kill leaves it: one record is cut, another is missing.
    let kept: Vec<&[u8]> = files[0].1.split_inclusive(|&byte| byte == b'\n').take(9).collect();
    room.write(&format!("records/{}", files[0].0), kept.concat());
    fs::remove_file(room.at(format!("records/{}", files[1].0))).unwrap();
    assert_eq!(room.stdout(format!("{recorded} --explain")), text);
    assert!(room.files("records") == files, "the same games are in the same order");
    let page = room.page(&recorded);
    assert!(page.contains("The effect of each change") && page.matches("<svg").count() >= 9);
}

#[test]
fn an_undecided_flaw_has_its_reason_and_the_games_that_decide_it() {
    let few = "compare achi 'achi(size=4)' --games 4 --skill-games=0 --solve-limit 0";
    let text = stdout(format!("{few} --iterations 500"));
    let reason = "Undecided, since the intervals of 4 games contain the limits; about ";
    assert!(text.contains(reason), "{text}");
    assert!(text.contains("Next: the same command with `--games "), "{text}");
    let text = stdout(format!("{few} --iterations 20"));
    let reason = "Undecided, since a search of 20 iterations per move is too weak to judge by;";
    assert!(text.contains(reason), "{text}");
    assert!(text.contains("Next: the same command with `--iterations "), "{text}");
    let usual = stdout("compare 'tic_tac_toe(k=2)' 'othello(size=4)' --games 4 --iterations 20");
    let next =
        "Next: `treegauge compare 'tic_tac_toe(k=2)' 'othello(size=4)' --games 4 --iterations ";
    assert!(usual.contains(next), "{usual}");
}

#[test]
fn lengths_of_games_have_one_scale_on_the_page() {
    let compare = "compare 'tic_tac_toe(k=2)' 'connect_four(cols=5,rows=3)' --games 2";
    let page = stdout(format!("{compare} --iterations 30 --html -"));
    let charts: Vec<&str> = page.split("Median length in plies</text>").skip(1).collect();
    assert_eq!(charts.len(), 2);
    let labels = charts.iter().map(|chart| {
        let chart = chart.split("</svg>").next().unwrap();
        let marks = chart.split("text-anchor=\"end\">").skip(1);
        marks.map(|mark| mark.split('<').next().unwrap().parse().unwrap()).collect::<Vec<u32>>()
    });
    let labels: Vec<Vec<u32>> = labels.collect();
    assert_eq!(labels[0], labels[1]);
    assert!(labels[0].len() > 2 && labels[0][0] == 0, "{labels:?}");
}
