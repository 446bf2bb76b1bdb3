//! Datasets summed up by game, and what learners find in them.

use serde_json::Value;

use crate::collect::COLLECT;
use crate::common::{DATA, Fields, Room, USAGE};

#[test]
fn attributes_of_webs_stand_beside_those_of_trees() {
    let room = Room::new();
    room.stdout(format!("{COLLECT} trees"));
    room.stdout(format!("{COLLECT} webs --merge equal"));
    room.stdout("aggregate trees --webs webs -o table.csv");
    let text = room.text("table.csv");
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let count = |prefix: &str| header.iter().filter(|name| name.starts_with(prefix)).count();
    assert_eq!((count("web."), count("web.first."), count("first.")), (192, 64, 64));
    // The webs are those of the other dataset, under names of their own.
    let cell = |text: &str, column: &str| {
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let at = rows.headers().unwrap().iter().position(|name| name == column).unwrap();
        rows.records().next().unwrap().unwrap()[at].to_owned()
    };
    let own = cell(&room.stdout("aggregate webs"), "first.depth.mean");
    assert_eq!(cell(&text, "web.first.depth.mean"), own);
    assert_ne!(cell(&text, "first.depth.mean"), own);
    // A table keeps them, of the split that is asked for, and no more of them are added.
    let player = room.stdout("aggregate table.csv --split player");
    assert_eq!(player.lines().next().unwrap().matches("web.").count(), 128);
    room.refused("aggregate table.csv --webs webs", DATA, &["attributes of webs already"]);
    // Attributes that are there already are not there twice.
    room.stdout("aggregate trees --split player --with rules -o rules.csv");
    let again = room.stdout("aggregate rules.csv --split player --with rules");
    assert_eq!(again, room.text("rules.csv"));
}

#[test]
fn an_aggregate_does_not_depend_on_the_order_of_lines() {
    let room = Room::new();
    room.stdout(format!("{COLLECT} data"));
    let sums = room.stdout("aggregate data --with play");
    let text = room.text("data/instances.jsonl");
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines[1..].reverse();
    for _ in 0..2 {
        lines[1..].rotate_left(7);
        room.write("data/instances.jsonl", lines.concat());
        assert_eq!(room.stdout("aggregate data --with play"), sums);
    }
    room.write("data/instances.jsonl", lines.concat() + lines[1]);
    room.refused("aggregate data", DATA, &["occurs twice"]);
}

#[test]
fn tables_have_the_same_types_in_every_form() {
    let room = Room::new();
    let seed = "18446744073709551615";
    room.stdout(format!("{COLLECT} data --seed {seed}"));
    let schema: Value = serde_json::from_str(&room.text("data/schema.json")).unwrap();
    assert_eq!(schema["seed"], seed);
    for table in ["trees", "instances"] {
        let text = room.text(&format!("data/{table}.csv"));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for row in reader.records() {
            for (cell, column) in row.unwrap().iter().zip(schema.list(&format!("/{table}"))) {
                let is_whole = cell.parse::<i64>().is_ok();
                let is_real = cell.parse::<f64>().is_ok() && !is_whole;
                let fits = match column.word("/type") {
                    "whole" => is_whole,
                    "real" => is_real,
                    _ => !is_whole && !is_real,
                };
                assert!(fits, "{} of {table} is {cell}", column["name"]);
            }
        }
    }
    // The Parquet file names its run.
    let parquet = room.bytes("data/trees.parquet");
    let has = |part: &str| parquet.windows(part.len()).any(|window| window == part.as_bytes());
    assert!(has(seed) && has("\"planned\"") && has("\"cp\""));
    // The ending of a name says the format.
    room.stdout("aggregate data -o sums.parquet");
    assert!(room.bytes("sums.parquet").starts_with(b"PAR1"));
    room.stdout("aggregate data -o sums.csv");
    assert!(room.text("sums.csv").starts_with("game,iterations,"));
}

/// Eight games of five groups: small ones that are played, and broken ones.
fn corpus() -> String {
    let game = |(game, playable, group, more): (&str, bool, &str, &str)| {
        format!("[[game]]\ngame = \"{game}\"\nplayable = {playable}\ngroup = \"{group}\"\n{more}\n")
    };
    let games = [
        ("tic_tac_toe", true, "tic_tac_toe", ""),
        ("broken_tic_tac_toe", false, "tic_tac_toe", ""),
        ("achi", true, "achi", "rating = 2"),
        ("broken_achi", false, "achi", ""),
        ("forms", true, "forms", "rating = 3"),
        ("broken_nine_mens_morris", false, "nine_mens_morris", ""),
        ("connect_four(cols=4,rows=4)", true, "connect_four", "rating = 3"),
        ("connect_four(cols=4,rows=4,k=2)", false, "connect_four", "by = \"ratings\""),
    ];
    games.into_iter().map(game).collect()
}

#[test]
fn an_evaluation_says_what_learners_find() {
    let room = Room::new();
    let labels = corpus();
    room.write("labels.toml", &labels);
    room.stdout("collect --games labels.toml --iterations 50 --instances 4 -o data");
    room.stdout("aggregate data -o table.csv");
    let evaluate =
        |data: &str| room.answer(format!("evaluate {data} --corpus labels.toml --permutations 9"));
    // A table says the same as the dataset that it sums up, with any number of threads.
    let report = evaluate("data --threads 1");
    assert_eq!(report, evaluate("table.csv --threads 3"));
    let find = |learner: &str, protocol: &str, split: &str| {
        let is = |one: &&Value| {
            one["learner"] == learner && one["protocol"] == protocol && one["split"] == split
        };
        let found = report.list("/datasets").iter().find(is);
        found.unwrap_or_else(|| panic!("{learner} {protocol} {split}"))
    };
    for split in ["none", "player"] {
        for one in [find("tree", "leave_one_out", split), find("best", "nested", split)] {
            let counts = one.list("/confusion").iter().flat_map(|row| row.as_array().unwrap());
            assert_eq!(counts.map(|n| n.as_f64().unwrap()).sum::<f64>(), 8.0);
            assert!(one.number("/accuracy/low") <= one.number("/accuracy/mean"));
        }
        assert!(find("svm", "leave_one_out", split).number("/permutation_p") >= 0.1);
        assert!(find("svm", "grouped", split).get("permutation_p").is_none());
    }
    let networks = "evaluate table.csv --corpus labels.toml --permutations 0 --networks";
    let trained = room.save("networks.json", networks);
    // Both splits, targets and protocols.
    let results = trained.list("/networks");
    assert_eq!(results.len(), 8);
    for one in results {
        let games = if one["target"] == "playable" { 8 } else { 3 };
        assert_eq!(one["games"], games, "{one}");
        assert_eq!(
            one.list("/networks").iter().filter(|shape| shape["is_best"] == true).count(),
            1
        );
    }
    let text = room.stdout("report networks.json --explain");
    assert!(text.contains("chosen by the other games"), "{text}");
    // Resamples need the single games of self-play.
    let resampled = "--corpus labels.toml --permutations 0 --play-resamples 3";
    let report = room.save("resampled.json", format!("evaluate data {resampled}"));
    assert_eq!(report["play_resamples"], 3);
    let text = room.stdout("report resampled.json --explain");
    assert!(text.contains("over the self-play of each game (3 resamples;"), "{text}");
    let again = room.json(format!("evaluate data {resampled} --threads 1"));
    assert_eq!(again, report, "threads change nothing");
    room.refused(
        format!("evaluate table.csv {resampled}"),
        DATA,
        &["table.csv is a table", "single games"],
    );
    let saved = "evaluate table.csv --corpus labels.toml --permutations 0";
    room.save("saved.json", saved);
    let text = room.stdout("report saved.json --explain");
    assert!(!text.contains("published"), "these are not the games of Williams: {text}");
    for part in [
        "4 playable and 4 unplayable games",
        "No learner beats a constant answer: the best is right about",
        "`logistic_8` is logistic regression on the 8 attributes",
        "(2,000 resamples), and do not cover which games",
        "of Williams 2010",
        "by the source of the labels: origin (7 games) right about",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Of a table of one split that split is evaluated.
    room.stdout("aggregate data --split player -o of_player.csv");
    let of_player = evaluate("of_player.csv");
    let splits: Vec<_> = of_player.list("/games").iter().map(|one| &one["split"]).collect();
    assert_eq!(splits, ["player"]);
    // For each split the learners, four charts and the tree, which is a leaf: eight games are too few
    // for a decision.
    let page = room.page("report saved.json");
    let count = |part: &str| page.matches(part).count();
    let counts = (count("<th>leave one out</th>"), count("<svg"), count(">4 unplayable<"));
    assert_eq!(counts, (2, 10, 2));

    // At strengths with published results, five scores of each split are drawn beside those.
    let rows = room.text("table.csv");
    for strength in ["1000", "10000"] {
        let copy = rows.replace(",50,4,", &format!(",{strength},4,"));
        room.write(&format!("{strength}.csv"), copy);
    }
    let page = room.page("evaluate 1000.csv 10000.csv --permutations 0");
    for score in [
        "tree, published, 1,000 iterations: 61%",
        "tree, published, 10,000 iterations: 57%",
        "svm, published, 10,000 iterations: 32%",
        "naive, 1,000 iterations: 50%",
    ] {
        assert!(page.contains(score), "{score}");
    }
    assert_eq!(page.matches("<svg").count(), 2 * 10 + 2 * 5);

    // Labels and games that do not fit together.
    let with = |text: &str, parts: &[&str]| {
        room.write("bad", text);
        room.refused("evaluate table.csv --corpus bad", DATA, parts);
    };
    with(&labels.replace("playable = false", "playable = true"), &["0 unplayable games"]);
    let unknown = labels.replace("\"forms\"\nplayable", "\"forum\"\nplayable");
    with(&unknown, &["\"forum\" of the labels"]);
    assert!(room.stdout("evaluate data").contains("INCOMPLETE: "), "most games of Williams");
}

#[test]
fn labels_by_conditions_come_from_other_self_play() {
    let room = Room::new();
    let games = "tic_tac_toe,broken_tic_tac_toe,achi,broken_achi,othello(size=4),forms,\
                 one_to_ten(target=30),dots_and_boxes(rows=2,cols=3),alak(length=7)";
    for dataset in
        ["data --iterations 40", "seed --seed 2 --iterations 40", "strong --iterations 200"]
    {
        room.stdout(format!("collect --games '{games}' --instances 6 -o {dataset}"));
    }
    let conditions = "evaluate data --permutations 0 --conditions";
    for labels in ["seed", "strong"] {
        let report = room.json(format!("{conditions} {labels}"));
        let from = &report["conditions"];
        assert_eq!(from["games"], 9);
        assert_eq!(report["games"][0].whole("/playable"), from.whole("/playable"));
        // Games of three plies are too short whoever plays them.
        let all = report.list("/datasets/0/predictions");
        let broken = all.iter().find(|one| one["game"] == "tic_tac_toe(k=2)").unwrap();
        assert_eq!(broken["playable"], false);
        let text = room.stdout(format!("{conditions} {labels}"));
        assert!(text.contains("Here a game is playable if it is neither drawish"), "{text}");
    }
    // What the labels lack is said.
    let text = room.text("seed/instances.jsonl");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    room.write("seed/instances.jsonl", lines[..lines.len() - 2].concat());
    let ran = room.run(format!("{conditions} seed"));
    assert!(ran.stderr.contains("seed: INCOMPLETE: 2 instances are missing"), "{}", ran.stderr);
    let both = format!("{conditions} seed --ratings ratings.csv");
    room.refused(both, USAGE, &["--ratings"]);
}

#[test]
fn ratings_of_people_are_predicted_or_refused() {
    let room = Room::new();
    // The larger the board, the more fun; who begins expects to win.
    let sizes = (2..7).flat_map(|rows| (3..8).map(move |cols| (rows, cols)));
    let row = |(rows, cols)| {
        let fun = rows * cols;
        format!("{rows},{cols},3 pieces in a row wins.,rows {rows},{fun},0.5\n")
    };
    let rows: String = sizes.map(row).collect();
    let text = format!("rows,cols,rule,category,fun_mean,payoff_mean\n{rows}");
    room.write("ratings.csv", &text);
    room.stdout("collect --games ratings.csv --iterations 10 --instances 1 -o data");
    let report = room.save("report.json", "evaluate data --ratings ratings.csv");
    let find = |question: &str| {
        let is = |one: &&Value| one["protocol"] == "nested" && one["question"] == question;
        report.list("/ratings").iter().find(is).expect(question)
    };
    assert!(find("fun").number("/r_squared/mean") > 0.7);
    assert!(find("payoff")["r_squared"].is_null(), "all ratings are the same");
    let printed = room.stdout("report report.json --explain");
    for part in
        ["0 to 100 (25 games)", "cannot tell, because all games have the same rating.", "(R2 lost"]
    {
        assert!(printed.contains(part), "{part:?} is not in {printed}");
    }
    assert_eq!(printed.matches(" kernel_ridge ").count(), 4, "what is constant has no table");
    assert_eq!(room.page("report report.json").matches("<svg").count(), 1);

    let with = |text: &str, parts: &[&str]| {
        room.write("bad.csv", text);
        room.refused("evaluate data --ratings bad.csv", DATA, parts);
    };
    with(&text.replace("_mean", "_score"), &["a column `fun_mean` or `payoff_mean`"]);
    with(&text.replacen(",6,", ",106,", 1), &["line 2: fun_mean is \"106\"", "from 0 to 100"]);
    with(&text.replacen(",6,", ",inf,", 1), &["line 2: fun_mean is \"inf\""]);
    with(&text.replacen("2,4,", "2,3,", 1), &["lines 2 and 3 are about the same game"]);
    let few: Vec<&str> = text.lines().take(9).collect();
    with(&few.join("\n"), &["the datasets have 8, and at least 20 are needed"]);
}
