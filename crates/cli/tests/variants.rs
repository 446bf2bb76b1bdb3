//! Variants of UCT: webs, proofs, and the corridor of boxes.

use std::fs;

use crate::common::{DATA, USAGE, answer, json, refused, run, stdout};

/// A folder of its own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.at(name), text).unwrap();
        self.at(name)
    }
}

const WEB: [&str; 3] = ["--merge", "symmetric", "--solver"];

#[test]
fn a_search_with_a_solver_says_what_it_proved() {
    let search = [&["search", "tic_tac_toe"][..], &WEB].concat();
    let text = stdout(&search);
    assert!(text.contains("merge=symmetric,solver=true"), "{text}");
    assert!(text.contains("neither player can win by force"), "{text}");
    assert!(text.contains("shape of the web"), "{text}");
    let report = answer(&[&search[..], &["--json"]].concat());
    assert_eq!(report["proved"]["result"], "tie");
    assert_eq!(report["proved"]["line"].as_array().unwrap().len(), 9);
    assert_eq!((&report["merge"], &report["solver"]), (&"symmetric".into(), &true.into()));
    assert_eq!((&report["stopped"], report.get("backup")), (&"decided".into(), None));
    // The same as a player.
    let player =
        ["search", "tic_tac_toe", "--player", "uct(merge=symmetric,solver=true)", "--json"];
    assert_eq!(answer(&player), report);
    let plain = json(&["search", "tic_tac_toe", "--iterations", "500", "--json"]);
    assert!(plain.get("merge").is_none() && plain.get("proved").is_none());
    // The first player wins two in a row with the second stone.
    let won = json(&[&["search", "tic_tac_toe(k=2)", "--json"][..], &WEB].concat());
    assert_eq!(won["proved"]["result"], "win");
    let moves = won["moves"].as_array().unwrap();
    let best = moves.iter().find(|row| row["move"] == won["best_move"]).unwrap();
    assert_eq!((&best["mean_score"], &best["proved"]), (&1.0.into(), &"win".into()));
}

#[test]
fn what_is_proved_is_the_same_in_tables_pictures_and_files() {
    let folder = Folder::new();
    let [svg, dot, tree] = ["t.svg", "t.dot", "t.json"].map(|name| folder.at(name));
    let files = ["--svg", &svg, "--dot", &dot, "--tree-json", &tree, "--top", "1"];
    let text = stdout(&[&["search", "tic_tac_toe"][..], &WEB, &files].concat());
    // The first line has the most visits, the second is the move to play in any case.
    assert!(text.contains(" b2 *") && text.contains("draw\n\n7 more moves"), "{text}");
    assert!(text.contains("win, loss, draw: proved; moves to the same node share its visits"));
    let title = "tic_tac_toe: a search web of 733 iterations (merge=symmetric,solver=true)";
    for file in [&svg, &dot] {
        let picture = fs::read_to_string(file).unwrap();
        assert!(
            picture.contains(title) && picture.contains("win, loss, draw: proved"),
            "{picture}"
        );
        assert!(picture.contains("draw") && picture.contains("dashed: a move to a position"));
    }
    let tree: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&tree).unwrap()).unwrap();
    assert_eq!((&tree["merge"], &tree["solver"]), (&"symmetric".into(), &true.into()));
    let root = &tree["nodes"][0];
    assert_eq!((&root["proved"], &root["mean_score_for_first"]), (&true.into(), &0.0.into()));
    // The line of the picture is one of moves that can be played.
    let principal = tree["nodes"].as_array().unwrap().iter();
    let line: Vec<&str> = principal
        .filter(|node| node["principal_variation"] == true)
        .filter_map(|node| node["move"].as_str())
        .collect();
    assert_eq!(line.len(), 9, "a draw fills the board");
    stdout(&["show", "tic_tac_toe", "--moves", &line.join(" ")]);

    let first = ["search", "tic_tac_toe", "--trees", "2", "--iterations", "60", "--svg", &svg];
    stdout(&first);
    let title = "the first of 2 search trees, 30 iterations";
    assert!(fs::read_to_string(&svg).unwrap().contains(title));
}

#[test]
fn benchmarks_and_comparisons_say_how_searches_differ() {
    let bench = ["bench", "tic_tac_toe", "--seconds", "0.02", "--iterations", "50"];
    let bench = [&bench[..], &WEB].concat();
    assert!(stdout(&bench).contains("seed 1, merge=symmetric,solver=true"));
    let report = json(&[&bench[..], &["--json"]].concat());
    assert_eq!((&report["merge"], &report["solver"]), (&"symmetric".into(), &true.into()));
    let games = ["compare", "tic_tac_toe", "tic_tac_toe(misere=true)", "--games", "2"];
    let few = ["--iterations", "20", "--ladder", "1"];
    let text = stdout(&[&games[..], &few, &WEB].concat());
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("seed 1, merge=symmetric,solver=true, in each variant"), "{text}");
}

#[test]
fn a_gauge_says_how_it_searched_and_what_is_proved() {
    let folder = Folder::new();
    let record = folder.at("games.jsonl");
    let plain =
        ["gauge", "tic_tac_toe(k=2)", "--games", "4", "--iterations", "200", "--model", "none"];
    let short =
        [&plain[..], &["--solve-limit", "0", "--skill-games", "0", "--record", &record]].concat();
    let gauge = [&short[..], &WEB].concat();
    let text = stdout(&gauge);
    assert!(text.contains("the player to move wins by force, for example by"), "{text}");
    assert!(text.contains("The known games were measured with plain UCT."), "{text}");
    let report = json(&[&gauge[..], &["--json"]].concat());
    assert_eq!(
        (&report["merge"], &report["proved"]["result"]),
        (&"symmetric".into(), &"win".into())
    );
    // Games of another search are no part of the record.
    let other = run(&short);
    assert_eq!(other.code, Some(DATA), "{}", other.stderr);
    let page = folder.at("gauge.html");
    stdout(&[&gauge[..], &["--html", &page]].concat());
    assert!(fs::read_to_string(&page).unwrap().contains("wins by force"));
}

/// The text, the JSON and the page of a gauge name each way in which its searches differ.
#[test]
fn a_gauge_labels_every_variant() {
    let folder = Folder::new();
    let page = folder.at("gauge.html");
    let short = [
        "gauge",
        "tic_tac_toe",
        "--games",
        "2",
        "--iterations",
        "30",
        "--model",
        "none",
        "--solve-limit",
        "0",
        "--skill-games",
        "0",
        "--ladder",
        "1",
    ];
    for (options, words, field, value) in [
        (&["--expansion", "random"][..], "expansion=random", "expansion", "random"),
        (&["--merge", "equal"], "merge=equal", "merge", "equal"),
        (&["--merge", "equal", "--backup", "all"], "backup=all", "backup", "all"),
        (&["--merge", "equal", "--counts", "edge"], "counts=edge", "counts", "edge"),
        (&["--solver"], "solver=true", "solver", "true"),
        (&["--reuse"], "reuse=true", "reuse", "true"),
    ] {
        let gauge = [&short[..], options].concat();
        let text = stdout(&[&gauge[..], &["--html", &page]].concat());
        let html = fs::read_to_string(&page).unwrap();
        for text in [&text, &html] {
            assert!(text.contains(words), "{words}: {text}");
            assert!(text.contains("The known games were measured with plain UCT."), "{words}");
        }
        let report = json(&[&gauge[..], &["--json"]].concat());
        assert_eq!(report[field].to_string().trim_matches('"'), value);
        let saved = folder.write("saved.json", &stdout(&[&gauge[..], &["--json"]].concat()));
        assert!(stdout(&["report", &saved]).contains(words));
    }
    let plain = json(&[&short[..], &["--json"]].concat());
    for field in ["expansion", "merge", "backup", "counts", "solver", "reuse", "threads"] {
        assert!(plain.get(field).is_none(), "{field}");
    }
}

#[test]
fn searches_of_several_trees_say_so() {
    let search = ["search", "connect_four", "--iterations", "900", "--trees", "3"];
    let text = stdout(&search);
    assert!(text.contains("900 iterations") && text.contains("threads=3"), "{text}");
    assert!(text.contains("shape of the first tree"), "{text}");
    let report = answer(&[&search[..], &["--json"]].concat());
    assert_eq!((&report["threads"], &report["iterations"]), (&3.into(), &900.into()));
    let moves = report["moves"].as_array().unwrap();
    let visits: u64 = moves.iter().map(|row| row["visits"].as_u64().unwrap()).sum();
    assert_eq!(visits, 900 - 3, "each tree has a playout of its root");
    let player = ["search", "connect_four", "--player", "uct(iterations=900,threads=3)", "--json"];
    assert_eq!(answer(&player), report);
    let one = answer(&["search", "connect_four", "--iterations", "900", "--trees", "1", "--json"]);
    assert_eq!(one, answer(&["search", "connect_four", "--iterations", "900", "--json"]));
}

#[test]
fn a_dataset_of_kept_trees_is_another_study() {
    let folder = Folder::new();
    let collect = |name: &str, threads: &str, more: &[&str]| {
        let to = folder.at(name);
        let own = ["collect", "--games", "tic_tac_toe,achi", "--iterations", "40"];
        let rest = ["--instances", "2", "-o", &to, "--threads", threads];
        let text = stdout(&[&own[..], &rest, more].concat());
        assert_eq!(text.contains("seed 1, reuse=true"), more.contains(&"--reuse"), "{text}");
        fs::read(folder.at(&format!("{name}/trees.csv"))).unwrap()
    };
    let kept = collect("kept", "1", &["--reuse"]);
    assert_eq!(kept, collect("again", "3", &["--reuse"]));
    assert_ne!(kept, collect("plain", "3", &[]));
    let to = folder.at("kept");
    let other = ["collect", "--games", "tic_tac_toe,achi", "--iterations", "40", "-o", &to];
    refused(&other, DATA, &["belongs to another run", "reuse"]);
}

#[test]
fn a_dataset_of_webs_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    let collect = |name: &str, threads: &str, more: &[&str]| {
        let to = folder.at(name);
        let games = "tic_tac_toe,connect_four,achi";
        let own =
            ["collect", "--games", games, "--iterations", "60", "--instances", "3", "-o", &to];
        stdout(&[&own[..], &["--threads", threads], more].concat());
        fs::read(folder.at(&format!("{name}/trees.csv"))).unwrap()
    };
    let web = ["--merge", "equal", "--backup", "all"];
    let one = collect("one", "1", &web);
    assert_eq!(one, collect("two", "2", &web));
    assert_ne!(one, collect("tree", "2", &[]));
    let (to, games) = (folder.at("one"), "tic_tac_toe,connect_four,achi");
    let other = ["collect", "--games", games, "--iterations", "60", "--instances", "3", "-o", &to];
    refused(&other, DATA, &["belongs to another run"]);
}

#[test]
fn players_meet_with_variants() {
    let (a, b) =
        ("uct(iterations=60,merge=equal)", "uct(iterations=60,solver=true,merge=equal,backup=all)");
    let report = json(&["match", "connect_four", "--a", a, "--b", b, "--games", "4", "--json"]);
    assert_eq!(report["a"], a);
    let (c, d) = ("uct(iterations=60,reuse=true)", "uct(iterations=60,threads=2)");
    let match_of = |threads: &str| {
        let players = ["match", "connect_four", "--a", c, "--b", d, "--games", "6", "--json"];
        json(&[&players[..], &["--threads", threads]].concat())
    };
    let played = match_of("1");
    assert_eq!(played, match_of("3"));
    assert_eq!((&played["a"], &played["b"]), (&c.into(), &d.into()));
    assert_eq!(played["faults"]["a"], 0);
    assert_eq!(report["b"], "uct(iterations=60,merge=equal,backup=all,solver=true)");
}

#[test]
fn variants_that_make_no_sense_are_refused() {
    let of = |more: &[&'static str]| [&["search", "connect_four"], more].concat();
    let both = of(&["--merge", "equal", "--backup", "all", "--counts", "edge"]);
    refused(&both, USAGE, &["backup=all cannot be used with counts=edge"]);
    let player = of(&["--player", "uct(merge=equal,backup=all,counts=edge)"]);
    refused(&player, USAGE, &["counts", "node where backup=all"]);
    for (option, value) in [("--backup", "all"), ("--counts", "edge")] {
        refused(&of(&[option, value]), USAGE, &["has an effect only with merge=equal"]);
    }
    refused(&of(&["--player", "uct(backup=all)"]), USAGE, &["single where merge=none"]);
    refused(&of(&["--player", "uct(counts=edge)"]), USAGE, &["node where merge=none"]);
    refused(&["search", "connect_four", "--merge", "equals"], USAGE, &["--merge", "equal"]);
    refused(&["bench", "--signature", "--merge", "equal"], USAGE, &["--merge", "--signature"]);
    let named = ["search", "connect_four", "--player", "uct", "--solver"];
    refused(&named, USAGE, &["--solver"]);
    let named = ["search", "connect_four", "--player", "uct", "--trees", "2"];
    refused(&named, USAGE, &["--trees"]);
    let kept = ["search", "connect_four", "--player", "uct(reuse=true)"];
    refused(&kept, USAGE, &["reuse=true", "single search"]);
    let many = ["search", "connect_four", "--player", "uct(threads=1025)"];
    refused(&many, USAGE, &["threads", "1 to 1024"]);
    let corridor = ["corridor", "--variant", "reuse=true", "--lengths", "1"];
    refused(&corridor, USAGE, &["expected `tree`, or", "`counts=edge`"]);
}

#[test]
fn corridors_are_searched_by_trees_and_webs() {
    let folder = Folder::new();
    let (csv, svg, page) = (folder.at("c.csv"), folder.at("c.svg"), folder.at("c.html"));
    let small = ["corridor", "--lengths", "3,1,2", "--iterations", "20,100", "--searches", "20"];
    let variants = ["--variant", "tree", "--variant", "merge=equal,solver=true"];
    let files = ["--csv", &csv, "--svg", &svg, "--html", &page];
    let text = stdout(&[&small[..], &variants, &files].concat());
    assert!(
        text.contains("tree: the correct first move") && text.contains("merge=equal,solver=true:")
    );
    let report = json(&[&small[..], &variants, &["--json", "--threads", "1"]].concat());
    assert_eq!(report, json(&[&small[..], &variants, &["--json", "--threads", "3"]].concat()));
    let points = report["points"].as_array().unwrap();
    assert_eq!(points.len(), 12);
    let of = |n: usize, name: &str| points[n][name].clone();
    assert_eq!(
        (of(0, "length"), of(0, "iterations"), of(0, "merge")),
        (1.into(), 20.into(), "none".into())
    );
    assert_eq!((of(11, "length"), of(11, "solver")), (3.into(), true.into()));
    assert_eq!(points[0]["first_move"]["mean"], 1.0);
    let share = |n: usize| points[n]["first_move"]["mean"].as_f64().unwrap();
    let full = points[2]["full_capture"]["mean"].as_f64().unwrap();
    assert!((full - share(0) * share(1) * share(2)).abs() < 1e-12);
    let table = fs::read_to_string(&csv).unwrap();
    assert_eq!(table.lines().count(), 13);
    assert!(table.lines().nth(12).unwrap().starts_with("3,100,equal,single,node,true,20,"));
    let picture = fs::read_to_string(&svg).unwrap();
    assert_eq!(picture.matches("<svg").count(), 5, "two figures for each variant");
    assert!(fs::read_to_string(&page).unwrap().contains("Corridors of boxes"));
    assert!(!text.contains("is a dash"));
    // A saved report gives the same text.
    let saved = folder.write("saved.json", &stdout(&[&small[..], &variants, &["--json"]].concat()));
    assert_eq!(stdout(&["report", &saved]), text);
    refused(&["corridor", "--lengths", "0"], USAGE, &["--lengths"]);
    for variant in ["cp=3", "merge=none,nosuch=1", "tree,solver=true", "nosuch", "", "backup"] {
        refused(&["corridor", "--variant", variant], USAGE, &["expected `tree`, or"]);
    }
    refused(&["corridor", "--variant", "merge=nosuch"], USAGE, &["merge", "nosuch", "symmetric"]);
}

#[test]
fn a_figure_that_needs_lengths_not_searched_is_left_out() {
    let folder = Folder::new();
    let (svg, page) = (folder.at("c.svg"), folder.at("c.html"));
    let figures = |lengths: &str| {
        let few = ["corridor", "--lengths", lengths, "--iterations", "20", "--searches", "5"];
        let files = ["--variant", "tree", "--svg", &svg, "--html", &page];
        let text = stdout(&[&few[..], &files].concat());
        let says_why = "The latter needs every length from 1";
        let why = text.split_whitespace().collect::<Vec<_>>().join(" ").contains(says_why);
        let html = fs::read_to_string(&page).unwrap();
        assert_eq!(html.contains(says_why), why);
        (fs::read_to_string(&svg).unwrap().matches("<svg").count() - 1, why)
    };
    assert_eq!(figures("1,2"), (2, false));
    assert_eq!(figures("1,2,4"), (2, true), "the second figure ends with two boxes");
    assert_eq!(figures("2,4"), (1, true));
}

#[test]
fn a_run_of_corridors_continues_from_its_record() {
    let folder = Folder::new();
    let record = folder.at("corridor.jsonl");
    let base = ["corridor", "--variant", "tree", "--variant", "solver=true", "--json"];
    let size = ["--lengths", "1,2,3", "--iterations", "20,50", "--searches", "12"];
    let whole = stdout(&[&base[..], &size].concat());
    let kept = [&base[..], &size, &["--record", &record]].concat();
    assert_eq!(stdout(&kept), whole);
    let full = fs::read_to_string(&record).unwrap();
    assert_eq!(full.lines().count(), 1 + 2 * 3 * 2 * 12);
    // Wherever a kill cut the file, the same run ends with the same report and the same file.
    for cut in [0, 40, full.len() / 3, full.len() / 2 + 7, full.len() - 1, full.len()] {
        fs::write(&record, &full[..cut]).unwrap();
        let threads = if cut % 2 == 0 { "1" } else { "3" };
        assert_eq!(stdout(&[&kept[..], &["--threads", threads]].concat()), whole);
        assert_eq!(fs::read_to_string(&record).unwrap(), full);
    }
    // More of everything is added, and is as if it were made at once.
    let more = ["--lengths", "1,2,3,4", "--iterations", "20,50,90", "--searches", "15"];
    let larger = stdout(&[&base[..], &more, &["--record", &record]].concat());
    assert_eq!(larger, stdout(&[&base[..], &more].concat()));
    // Less is asked of the larger record.
    assert_eq!(stdout(&kept), whole);
    let other = [&kept[..], &["--seed", "2"]].concat();
    refused(&other, DATA, &["belongs to another run", "seed"]);
    refused(&["report", &record], DATA, &["corridor --record"]);
    let line = full.lines().nth(5).unwrap();
    let damaged = full.replace(line, &line.replace("true", "none").replace("false", "none"));
    fs::write(&record, damaged).unwrap();
    refused(&kept, DATA, &["line 6"]);
}

#[test]
fn the_names_of_a_list_are_printed_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = |list: &str, input: &str| -> Vec<(u64, String, String)> {
        let ran = crate::common::run_with(&["games", "--canonical", list, "--json"], input);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let row = |row: &serde_json::Value| {
            (row["place"].as_u64().unwrap(), text(&row["input"]), text(&row["game"]))
        };
        report["rows"].as_array().unwrap().iter().map(row).collect()
    };
    let of = |place, input: &str, game: &str| (place, input.to_owned(), game.to_owned());
    let expected = [
        of(1, "broken_connect_four", "connect_four(k=6)"),
        of(2, "mnk(rows=3,cols=3,k=3)", "mnk(rows=3,cols=3,k1=3,k2=3)"),
        of(3, "qirkat", "alquerque"),
    ];
    assert_eq!(names("broken_connect_four,mnk(rows=3, cols=3, k=3),qirkat", ""), expected);
    let lines = "# games\nbroken_connect_four\nmnk(rows=3,cols=3,k=3)\n\nqirkat\n";
    assert_eq!(names("-", lines), expected);
    assert_eq!(names("broken_connect_four; mnk(rows=3,cols=3,k=3); qirkat", ""), expected);
    let json = "[\"broken_connect_four\", \"mnk(rows=3,cols=3,k=3)\", \"qirkat\"]";
    assert_eq!(names("-", json), expected);
    let quoted = crate::common::run(&["games", "--canonical", "\u{201c}achi\u{201d}"]);
    assert!(quoted.stderr.contains("a quotation mark of a word processor"), "{}", quoted.stderr);
    let table = "fun,game\n1,broken_connect_four\n2,\"mnk(rows=3,cols=3,k=3)\"\n3,qirkat\n";
    std::fs::write(at("games.csv"), table).unwrap();
    assert_eq!(names(&at("games.csv"), ""), expected);
    let labels = ["broken_connect_four", "mnk(rows=3,cols=3,k=3)", "qirkat"]
        .map(|game| format!("[[game]]\ngame = \"{game}\"\nplayable = true\ngroup = \"a\"\n"));
    std::fs::write(at("games.toml"), labels.concat()).unwrap();
    assert_eq!(names(&at("games.toml"), ""), expected);
    let text = crate::common::stdout(&["games", "--canonical", "qirkat"]);
    assert_eq!(text, "place\tinput\tgame\n1\tqirkat\talquerque\n");
    let wrong = crate::common::run_with(&["games", "--canonical", "-"], "achi\nachy\n");
    assert_eq!(wrong.code, Some(65));
    assert!(wrong.stderr.contains("line 2"), "{}", wrong.stderr);
}
