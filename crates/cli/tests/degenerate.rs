//! Games and budgets at the edge of sense: each still gets a report that says so.

use serde_json::Value;

use crate::common::{Fields, Room, json, stdout};

/// Text, JSON and page of a gauge.
struct Gauged {
    text: String,
    report: Value,
    page: String,
}

fn gauged(arguments: &str) -> Gauged {
    let room = Room::new();
    let text = room.stdout(format!("gauge {arguments}"));
    let report = room.json(format!("gauge {arguments} --html page.html"));
    let page = room.text("page.html");
    check_page(&page);
    for odd in ["NaN", "inf", "null"] {
        assert!(!words(&text).any(|word| word == odd), "{odd} in {text}");
    }
    Gauged { text, report, page }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "(),;:\"".contains(c))
}

/// The page without its tags and style sheets.
fn visible(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        let (tag, after) = after.split_once('>').expect("every tag is closed");
        rest = if tag.starts_with("style") {
            after.split_once("</style>").expect("the style sheet ends").1
        } else {
            after
        };
    }
    text + rest
}

/// Opens and closes every element in order, and hides no failed computation.
pub(crate) fn check_page(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>"), "{}", &page[..40.min(page.len())]);
    assert!(page.trim_end().ends_with("</html>"));
    for outside in ["<script", "<link", "src=", "href=\"http", "@import"] {
        assert!(!page.contains(outside), "the page stands alone: {outside}");
    }
    let text = visible(page);
    for odd in ["NaN", "inf", "-inf", "null"] {
        assert!(!words(&text).any(|word| word == odd), "{odd} in {text}");
    }
    // Coordinates that are not numbers make a browser drop the shape without a word.
    for odd in ["NaN", "\"inf", "\"-inf", ",inf", " inf "] {
        assert!(!page.contains(odd), "{odd:?} in the page");
    }
    let mut open: Vec<&str> = Vec::new();
    for piece in page.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("every tag is closed");
        let name = tag.split([' ', '/', '\n']).find(|part| !part.is_empty()).unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "elements are nested");
        } else if !tag.ends_with('/')
            && !tag.starts_with(['!', '?'])
            && !["br", "meta", "wbr"].contains(&name)
        {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?} are left open");
}

#[test]
fn a_game_that_is_over_at_the_start_is_reported_as_such() {
    for at in ["--moves 'a1 c3 b1'", "--position '..o/.../xx. o'"] {
        let gauged = gauged(&format!("tic_tac_toe(k=2) {at} --games 2"));
        assert!(gauged.text.contains("over at the start"), "{}", gauged.text);
        assert!(gauged.page.contains("over at the start"));
        assert_eq!(gauged.report["incomplete"], false);
    }
}

#[test]
fn a_game_without_a_choice_is_a_game_without_decisions() {
    let gauged = gauged("one_to_ten(max_step=1) --games 8 --iterations 20");
    assert_eq!(gauged.report["distinct_games"], 1);
    assert_eq!(gauged.report["decision_moves"]["mean"], 0.0);
    assert_eq!(gauged.report["branching"]["mean"], 1.0);
    // The tenth ply is the second player's.
    assert_eq!(gauged.report["first_player"]["mean"], 0.0);
    let explained = stdout("gauge one_to_ten(max_step=1) --games 8 --iterations 20 --explain");
    assert!(explained.contains("8 games (1 distinct)"), "{explained}");
}

#[test]
fn a_game_of_ten_thousand_plies_is_gauged() {
    let game = "one_to_ten(target=10000,max_step=1,ply_cap=20000)";
    let gauged = gauged(&format!("{game} --games 2 --iterations 10 --skill-games 2"));
    assert_eq!(gauged.report["plies"]["median"], 10_000.0);
    assert_eq!(gauged.report["completion"]["mean"], 1.0);
}

#[test]
fn a_game_that_the_cap_always_ends_is_capped() {
    let report = gauged("connect_four(ply_cap=5) --games 20 --iterations 300").report;
    let capped = report.list("/verdict/flags").iter().find(|judged| judged["flag"] == "capped");
    assert_eq!(capped.unwrap()["state"], "yes");
    assert_eq!(report["capped"]["mean"], 1.0);
    assert_eq!(report["completion"]["mean"], 0.0);
    assert_eq!(report["plies"]["max"], 5);
    // No game had a winner, so none was dramatic: that is unknown, not 0.
    assert_eq!(report["drama"]["mean"], Value::Null);
}

#[test]
fn small_budgets_say_little_and_say_so() {
    // One iteration a move is a random player.
    let random = gauged("tic_tac_toe --games 6 --iterations 1").report;
    assert_eq!((&random["tree"]["depth"]["max"], &random["games"]), (&0.0.into(), &6.into()));
    let one = gauged("tic_tac_toe --games 1 --iterations 30");
    assert!(one.text.contains("cannot tell"), "{}", one.text);
    assert_eq!(one.report["plies"]["median_low"], Value::Null);
    assert_eq!(one.report["plies"]["high"], Value::Null);
    // Openings longer than the game leave nothing searched.
    let opened = gauged("tic_tac_toe --games 4 --iterations 10 --opening-plies 1000000").report;
    assert_eq!(opened["games"], 4);
    assert_eq!(opened["tree"]["depth"], Value::Null);
    assert_eq!(opened["branching"]["mean"], Value::Null);
}

#[test]
fn a_search_of_one_iteration_has_a_root_and_no_best_move() {
    let room = Room::new();
    let text = room.stdout("search tic_tac_toe --iterations 1 --svg tree.svg --explain");
    assert!(text.contains("1 iteration, 1 node,"), "{text}");
    assert!(text.contains("untried"), "{text}");
    assert!(!room.text("tree.svg").contains("NaN"));
}

#[test]
fn budgets_of_nodes_and_memory_stop_a_search() {
    let report = json("search tic_tac_toe --nodes-max 50");
    assert_eq!((&report["nodes"], &report["stopped"]), (&50.into(), &"nodes".into()));
    let report = json("search tic_tac_toe --memory-max 2000");
    assert!(report.whole("/memory_bytes") <= 2_000, "{report}");
    assert_eq!(report["stopped"], "memory");
}

#[test]
fn the_smallest_boards_are_games() {
    for game in [
        "tic_tac_toe(size=1,k=1)",
        "connect_four(cols=1,rows=1)",
        "breakthrough(cols=2,rows=4)",
        "dots_and_boxes(rows=1,cols=1)",
        "dots_corridor(length=1)",
        "one_to_ten(target=1)",
        "tic_tac_toe(ply_cap=1)",
    ] {
        let gauged = gauged(&format!("{game} --games 3 --iterations 8"));
        assert_eq!(gauged.report["games"], 3, "{game}");
    }
}

#[test]
fn the_largest_boards_are_games() {
    for game in [
        "tic_tac_toe(size=20,k=5)",
        "connect_four(cols=20,rows=20)",
        "breakthrough(cols=16,rows=16)",
        "dots_and_boxes(rows=15,cols=15)",
        "dots_corridor(length=60)",
    ] {
        let text = stdout(format!("search {game} --iterations 40"));
        assert!(text.contains("40 iterations"), "{game}: {text}");
    }
}
