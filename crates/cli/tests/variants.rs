//! Variants of UCT: webs, proofs, and the corridor of boxes.

use serde_json::{Value, json};

use crate::common::{DATA, Fields, Room, answer, json, stdout};

const WEB: &str = "--merge symmetric --solver";

#[test]
fn a_search_with_a_solver_says_what_it_proved() {
    let search = format!("search tic_tac_toe {WEB}");
    let text = stdout(format!("{search} --explain"));
    for part in
        ["merge=symmetric,solver=true", "neither player can win by force", "shape of the web"]
    {
        assert!(text.contains(part), "{text}");
    }
    let report = answer(&search);
    assert_eq!(report["proved"]["result"], "tie");
    assert_eq!(report.list("/proved/line").len(), 9);
    assert_eq!((&report["merge"], &report["solver"]), (&"symmetric".into(), &true.into()));
    assert_eq!((&report["stopped"], report.get("backup")), (&"decided".into(), None));
    // The same as a player.
    let player = "search tic_tac_toe --player uct(merge=symmetric,solver=true)";
    assert_eq!(answer(player), report);
    let plain = json("search tic_tac_toe --iterations 500");
    assert!(plain.get("merge").is_none() && plain.get("proved").is_none());
    // The first player wins two in a row with the second stone.
    let won = json(format!("search tic_tac_toe(k=2) {WEB}"));
    assert_eq!(won["proved"]["result"], "win");
    let best = won.list("/moves").iter().find(|row| row["move"] == won["best_move"]).unwrap();
    assert_eq!((&best["mean_score"], &best["proved"]), (&1.0.into(), &"win".into()));
}

#[test]
fn what_is_proved_is_the_same_in_tables_pictures_and_files() {
    let room = Room::new();
    let files = "--svg t.svg --dot t.dot --tree-json t.json";
    let text = room.stdout(format!("search tic_tac_toe {WEB} {files} --top 1"));
    // The first line has the most visits, the second is the move to play in any case.
    assert!(text.contains(" b2 *") && text.contains("draw\n\n7 more moves"), "{text}");
    assert!(text.contains("win, loss, draw: proved; moves to the same node share its visits"));
    for file in ["t.svg", "t.dot"] {
        let picture = room.text(file);
        for part in [
            "tic_tac_toe: a search web of 733 iterations (merge=symmetric,solver=true)",
            "win, loss, draw: proved",
            "dashed: a move to a position",
        ] {
            assert!(picture.contains(part), "{picture}");
        }
    }
    let tree: Value = serde_json::from_str(&room.text("t.json")).unwrap();
    assert_eq!((&tree["merge"], &tree["solver"]), (&"symmetric".into(), &true.into()));
    let root = &tree["nodes"][0];
    assert_eq!((&root["proved"], &root["mean_score_for_first"]), (&true.into(), &0.0.into()));
    // The line of the picture is one of moves that can be played.
    let principal = tree.list("/nodes").iter().filter(|node| node["principal_variation"] == true);
    let line: Vec<&str> = principal.filter_map(|node| node["move"].as_str()).collect();
    assert_eq!(line.len(), 9, "a draw fills the board");
    stdout(format!("show tic_tac_toe --moves '{}'", line.join(" ")));

    room.stdout("search tic_tac_toe --trees 2 --iterations 60 --svg t.svg");
    assert!(room.text("t.svg").contains("the first of 2 search trees, 30 iterations"));
}

#[test]
fn a_gauge_says_how_it_searched_and_what_is_proved() {
    let room = Room::new();
    let short = "gauge tic_tac_toe(k=2) --games 4 --iterations 200 --model none --solve-limit 0 --skill-games 0 \
                 --record games.jsonl";
    let gauge = format!("{short} {WEB}");
    let text = room.stdout(format!("{gauge} --explain"));
    assert!(text.contains("the player to move wins by force, for example by"), "{text}");
    assert!(text.contains("The known games were measured with plain UCT."), "{text}");
    let report = room.json(&gauge);
    let found = (report.word("/merge"), report.word("/proved/result"));
    assert_eq!(found, ("symmetric", "win"));
    // Games of another search do not belong to the record.
    room.refused(short, DATA, &["belongs to another run"]);
    assert!(room.page(&gauge).contains("wins by force"));
}

/// The text, the JSON and the page of a gauge name each way in which its searches differ.
#[test]
fn a_gauge_labels_every_variant() {
    let room = Room::new();
    let short = "gauge tic_tac_toe --games 2 --iterations 30 --model none --solve-limit 0 --skill-games 0 --ladder 1";
    for (options, words) in [
        ("--expansion random", "expansion=random"),
        ("--merge equal", "merge=equal"),
        ("--merge equal --backup all", "backup=all"),
        ("--merge equal --counts edge", "counts=edge"),
        ("--solver", "solver=true"),
        ("--reuse", "reuse=true"),
    ] {
        let report = room.save("saved.json", format!("{short} {options}"));
        let (field, value) = words.split_once('=').unwrap();
        assert_eq!(report[field].to_string().trim_matches('"'), value);
        for text in [room.stdout("report saved.json --explain"), room.page("report saved.json")] {
            assert!(text.contains(words), "{words}: {text}");
            assert!(text.contains("The known games were measured with plain UCT."), "{words}");
        }
    }
    let plain = json(short);
    for field in ["expansion", "merge", "backup", "counts", "solver", "reuse", "threads"] {
        assert!(plain.get(field).is_none(), "{field}");
    }
}

#[test]
fn searches_of_several_trees_say_so() {
    let search = "search connect_four --iterations 900";
    let text = stdout(format!("{search} --trees 3 --explain"));
    assert!(text.contains("900 iterations") && text.contains("threads=3"), "{text}");
    assert!(text.contains("shape of the first tree"), "{text}");
    let report = answer(format!("{search} --trees 3"));
    assert_eq!((&report["threads"], &report["iterations"]), (&3.into(), &900.into()));
    let visits: u64 = report.list("/moves").iter().map(|row| row.whole("/visits")).sum();
    assert_eq!(visits, 900 - 3, "each tree has a playout of its root");
    let player = "search connect_four --player uct(iterations=900,threads=3)";
    assert_eq!(answer(player), report);
    assert_eq!(answer(format!("{search} --trees 1")), answer(search));
}

#[test]
fn a_dataset_of_another_search_is_another_study() {
    let room = Room::new();
    let collect = |name: &str, more: &str| {
        let games = "tic_tac_toe,connect_four(cols=4,rows=4),achi";
        format!("collect --games {games} --iterations 40 --instances 2 -o {name} {more}")
    };
    for (variant, words) in
        [("--reuse", "reuse=true"), ("--merge equal --backup all", "merge=equal")]
    {
        let text = room.stdout(collect("one", &format!("--threads 1 {variant}")));
        assert!(text.contains(&format!("seed 1, {words}")), "{text}");
        room.stdout(collect("more", &format!("--threads 3 {variant}")));
        assert!(room.files("one") == room.files("more"), "the threads show");
        let text = room.stdout(collect("plain", ""));
        assert!(!text.contains(words), "{text}");
        assert_ne!(room.text("one/trees.csv"), room.text("plain/trees.csv"));
        room.refused(collect("one", ""), DATA, &["belongs to another run"]);
        for folder in ["one", "more"] {
            std::fs::remove_dir_all(room.at(folder)).unwrap();
        }
    }
}

#[test]
fn players_meet_with_variants() {
    let play = |a: &str, b: &str, more: &str| json(format!("match connect_four {a} {b} {more}"));
    let (a, b) =
        ("uct(iterations=60,merge=equal)", "uct(iterations=60,solver=true,merge=equal,backup=all)");
    let report = play(a, b, "--games 4");
    assert_eq!(report["a"], a);
    assert_eq!(report["b"], "uct(iterations=60,merge=equal,backup=all,solver=true)");
    let (a, b) = ("uct(iterations=60,reuse=true)", "uct(iterations=60,threads=2)");
    let report = play(a, b, "--games 6 --threads 1");
    assert_eq!(report, play(a, b, "--games 6 --threads 3"));
    assert_eq!((&report["a"], &report["b"]), (&a.into(), &b.into()));
    assert_eq!(report["faults"]["a"], 0);
}

#[test]
fn corridors_are_searched_by_trees_and_webs() {
    let room = Room::new();
    let small = "corridor --lengths 3,1,2 --iterations 20,100 --searches 20 --variant tree --variant merge=equal,solver=true";
    let text = room.stdout(format!("{small} --csv c.csv --svg c.svg --explain"));
    for part in ["tree: correct first move", "merge=equal,solver=true:"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.contains("is a dash"));
    let report = json(format!("{small} --threads 1"));
    assert_eq!(report, json(format!("{small} --threads 3")));
    let points = report.list("/points");
    assert_eq!(points.len(), 12);
    let of = |n: usize, names: [&str; 3]| names.map(|name| points[n][name].clone());
    let first = of(0, ["length", "iterations", "merge"]);
    assert_eq!(Value::from(first.to_vec()), json!([1, 20, "none"]));
    let last = of(11, ["length", "iterations", "solver"]);
    assert_eq!(Value::from(last.to_vec()), json!([3, 100, true]));
    assert_eq!(points[0]["first_move"]["mean"], 1.0);
    let share = |n: usize| points[n].number("/first_move/mean");
    let full = points[2].number("/full_capture/mean");
    assert!((full - share(0) * share(1) * share(2)).abs() < 1e-12);
    let table = room.text("c.csv");
    assert_eq!(table.lines().count(), 13);
    assert!(table.lines().nth(12).unwrap().starts_with("3,100,equal,single,node,true,20,"));
    let pictures = room.text("c.svg").matches("<svg").count();
    assert_eq!(pictures, 5, "two figures for each variant");
    assert!(room.page(small).contains("Corridors of boxes"));
}

#[test]
fn a_better_variant_is_named_only_if_its_interval_lies_above_the_first() {
    let said = |searches: u32| {
        let both = "--variant tree --variant merge=equal";
        stdout(format!("corridor --lengths 5 --iterations 100 --searches {searches} {both}"))
    };
    let few = said(10);
    assert!(few.contains("; no variant finds it clearly more often."), "{few}");
    assert!(!few.contains("Next:"), "{few}");
    let many = said(300);
    assert!(many.contains("; `merge=equal` finds it most often, in "), "{many}");
    assert!(many.contains("Next: `treegauge match dots_and_boxes "), "{many}");
}

#[test]
fn a_figure_that_needs_lengths_not_searched_is_left_out() {
    let room = Room::new();
    let figures = |lengths: &str| {
        let few = format!("corridor --lengths {lengths} --iterations 20 --searches 5");
        let files = "--variant tree --svg c.svg --html c.html";
        let text = room.stdout(format!("{few} {files} --explain"));
        let says_why = "The probability needs every length from 1";
        let why = text.split_whitespace().collect::<Vec<_>>().join(" ").contains(says_why);
        assert_eq!(room.text("c.html").contains(says_why), why);
        (room.text("c.svg").matches("<svg").count() - 1, why)
    };
    assert_eq!(figures("1,2"), (2, false));
    assert_eq!(figures("1,2,4"), (2, true), "the second figure ends with two boxes");
    assert_eq!(figures("2,4"), (1, true));
}

#[test]
fn a_run_of_corridors_continues_from_its_record() {
    let room = Room::new();
    let base = "corridor --variant tree --variant solver=true --json";
    let small = format!("{base} --lengths 1,2,3 --iterations 20,50 --searches 12");
    let whole = room.stdout(&small);
    let kept = format!("{small} --record corridor.jsonl");
    assert_eq!(room.stdout(&kept), whole);
    let full = room.text("corridor.jsonl");
    assert_eq!(full.lines().count(), 1 + 2 * 3 * 2 * 12);
    // A kill may leave nothing, or a part of the first line.
    for (cut, threads) in [(0, 1), (40, 3)] {
        room.write("corridor.jsonl", &full[..cut]);
        assert_eq!(room.stdout(format!("{kept} --threads {threads}")), whole);
        assert_eq!(room.text("corridor.jsonl"), full);
    }
    // More of everything is added, and is as if it were made at once.
    let more = format!("{base} --lengths 1,2,3,4 --iterations 20,50,90 --searches 15");
    let larger = room.stdout(format!("{more} --record corridor.jsonl"));
    assert_eq!(larger, room.stdout(more));
    // Less is asked of the larger record.
    assert_eq!(room.stdout(&kept), whole);
    room.refused("report corridor.jsonl", DATA, &["corridor --record"]);
    let line = full.lines().nth(5).unwrap();
    let damaged = full.replace(line, &line.replace("true", "none").replace("false", "none"));
    room.write("corridor.jsonl", damaged);
    room.refused(&kept, DATA, &["line 6"]);
}
