//! Datasets: collected, killed, continued, merged, summed up and evaluated.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{
    DATA, USAGE, answer, json, kill_until_it_ends, refused, run, run_with, stdout,
};
use crate::matches::resealed;

const FILES: [&str; 6] = [
    "instances.csv",
    "instances.jsonl",
    "instances.parquet",
    "schema.json",
    "trees.csv",
    "trees.parquet",
];

const GAMES: &str = "tic_tac_toe, connect_four(cols=4,rows=4),achi";

fn collect<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let common =
        ["collect", "--games", GAMES, "--iterations", "60", "--instances", "6", "-o", folder];
    [&common[..], more].concat()
}

fn bytes(folder: &str) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| fs::read(Path::new(folder).join(name)).unwrap()).collect()
}

fn folder(of: &tempfile::TempDir, name: &str) -> String {
    of.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_dataset_has_the_same_bytes_for_any_threads_and_parts() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| folder(&root, name);
    let whole = at("whole");
    let text = stdout(&collect(&whole, &["--threads", "1"]));
    assert!(text.starts_with("18 instances of 3 games, "), "{text}");
    let other = at("other");
    assert_eq!(stdout(&collect(&other, &["--threads", "4"])), text);
    assert_eq!(bytes(&whole), bytes(&other));
    // The same again plays nothing and changes nothing.
    assert_eq!(stdout(&collect(&whole, &[])), text);
    assert_eq!(bytes(&whole), bytes(&other));
    // The parts, one of them with instances that another has too.
    let parts = [1, 2].map(|part| {
        let (path, shard) = (at(&format!("part{part}")), format!("{part}/2"));
        stdout(&collect(&path, &["--shard", &shard]));
        path
    });
    let merged = at("merged");
    for part in &parts {
        let files: Vec<_> =
            fs::read_dir(part).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert_eq!(files, ["instances.jsonl"], "a part is its journal");
    }
    let report = incomplete(&["merge", &parts[0], "-o", &at("half"), "--json"]).1;
    assert_eq!((&report["missing"], &report["kind"]), (&9.into(), &"dataset".into()));
    let merge = ["merge", &parts[1], &other, &parts[0], "-o", &merged];
    assert_eq!(stdout(&merge), text);
    assert_eq!(bytes(&whole), bytes(&merged));
    // Fewer instances, then more: as if all had been collected at once.
    let grown = at("grown");
    stdout(&["collect", "--games", "achi", "--iterations", "60", "--instances", "2", "-o", &grown]);
    assert_eq!(stdout(&collect(&grown, &[])), text);
    assert_eq!(bytes(&whole), bytes(&grown));
    // One row for each tree, with a cell for each column of the schema.
    let schema: serde_json::Value =
        serde_json::from_slice(&fs::read(Path::new(&whole).join("schema.json")).unwrap()).unwrap();
    let trees = fs::read_to_string(Path::new(&whole).join("trees.csv")).unwrap();
    let names: Vec<&str> = schema["trees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["name"].as_str().unwrap())
        .collect();
    assert_eq!(trees.lines().next().unwrap(), names.join(","));
    let report = json(&collect(&whole, &["--json"]));
    let counted: u64 = report["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["trees"].as_u64().unwrap())
        .sum();
    assert_eq!(trees.lines().count() as u64, counted + 1);
}

/// Returns the standard error and the JSON of a merge of parts that are not a whole.
fn incomplete(arguments: &[&str]) -> (String, serde_json::Value) {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stderr);
    (ran.stderr, serde_json::from_str(&ran.stdout).unwrap_or_default())
}

#[test]
fn a_killed_collection_continues_to_the_same_bytes() {
    let root = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder(&root, "whole"), folder(&root, "killed"));
    let arguments = |path| {
        let games = ["collect", "--games", "othello(size=6),connect_four", "-o", path];
        [&games[..], &["--iterations", "300", "--instances", "8"]].concat()
    };
    stdout(&arguments(&whole));
    let journal = Path::new(&killed).join("instances.jsonl");
    let grown = || fs::metadata(&journal).map_or(0, |there| there.len());
    kill_until_it_ends(&arguments(&killed), grown);
    assert_eq!(bytes(&whole), bytes(&killed));
}

#[test]
fn a_second_collector_of_a_folder_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "busy");
    let mut first = Command::new(env!("CARGO_BIN_EXE_treegauge"))
        .args(["collect", "--games", "othello", "--iterations", "100000", "-o", &path])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let journal = Path::new(&path).join("instances.jsonl");
    while fs::metadata(&journal).map_or(0, |there| there.len()) == 0 {
        assert!(first.try_wait().unwrap().is_none(), "it has long to play");
        std::thread::yield_now();
    }
    refused(
        &["collect", "--games", "othello", "--iterations", "100000", "-o", &path],
        DATA,
        &["another run is writing"],
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn what_cannot_be_collected_is_said() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    let games = |list: &'static str| vec!["collect", "--games", list];
    let of = |list| [&games(list)[..], &["-o", &path]].concat();
    refused(&of("othelo"), USAGE, &["othelo", "othello"]);
    refused(&of("othello,reversi"), USAGE, &["othello and reversi are the same game"]);
    refused(&of("achi,achi"), USAGE, &["the game achi is listed twice"]);
    let list = root.path().join("list");
    fs::write(&list, "# games\nachi\n\nconnect_for\n").unwrap();
    let list = list.to_str().unwrap();
    refused(&["collect", "--games", list, "-o", &path], DATA, &["list, line 4: ", "connect_four"]);
    assert!(!Path::new(&path).exists(), "no folder is made for nothing");
    // Another study in the same folder, and files that are not ours.
    stdout(&collect(&path, &[]));
    refused(
        &collect(&path, &["--seed", "2"]),
        DATA,
        &["belongs to another run: `seed` is 1 there"],
    );
    let kept = bytes(&path);
    let theirs = folder(&root, "theirs");
    fs::create_dir(&theirs).unwrap();
    fs::write(Path::new(&theirs).join("trees.csv"), "name,height\noak,30\n").unwrap();
    refused(&collect(&theirs, &[]), DATA, &["trees.csv", "not a table of a dataset", "--force"]);
    let other = folder(&root, "other");
    stdout(&collect(&other, &["--seed", "2"]));
    let into = folder(&root, "into");
    refused(&["merge", &path, &other, "-o", &into], DATA, &["another study", "`seed` is 2 there"]);
    refused(&["merge", &path, "-o", &path], USAGE, &["this command reads it"]);
    refused(&["merge", &path], USAGE, &["--output DIR is missing"]);
    refused(&["merge", &path, &theirs, "-o", &into], DATA, &["holds no dataset"]);
    refused(&["aggregate", &theirs], DATA, &["holds no dataset"]);
    assert_eq!(bytes(&path), kept);
    // Parts that disagree about an instance: nothing of them is written.
    let changed = folder(&root, "changed");
    stdout(&collect(&changed, &[]));
    let journal = Path::new(&changed).join("instances.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let more_visits = |object: &str| object.replacen("\"visits\":", "\"visits\":1", 1);
    fs::write(&journal, resealed(&text, 3, &more_visits)).unwrap();
    let nowhere = folder(&root, "nowhere");
    refused(
        &["merge", &path, &changed, "-o", &nowhere],
        DATA,
        &["instance 2 of achi", "is not that in"],
    );
    assert!(!Path::new(&nowhere).join("instances.jsonl").exists());
}

#[test]
fn games_of_a_file_are_collected() {
    let root = tempfile::tempdir().unwrap();
    let csv = root.path().join("rated.csv");
    let rules = "rows,cols,rule\n3,3,3 pieces in a row wins.\n3,3,3 pieces in a row loses.\n";
    fs::write(&csv, rules).unwrap();
    let of = |file: &Path, name: &str| {
        let (list, path) = (file.to_str().unwrap().to_owned(), folder(&root, name));
        let report = json(&[
            "collect",
            "--games",
            &list,
            "--iterations",
            "20",
            "--instances",
            "1",
            "-o",
            &path,
            "--json",
        ]);
        let games = report["games"].as_array().unwrap();
        games.iter().map(|game| game["game"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let described = of(&csv, "described");
    assert_eq!(described.len(), 2);
    assert!(described[0].starts_with("mnk(rows=3,cols=3,"), "{described:?}");
    fs::write(&csv, "why,game\nold,\"dipole(inverted=true)\"\nnew,forms\n").unwrap();
    assert_eq!(of(&csv, "named"), ["dipole(inverted=true)", "forms"]);
}

#[test]
fn what_a_dataset_lacks_is_said() {
    let root = tempfile::tempdir().unwrap();
    let parts = [1, 2, 3].map(|part| {
        let (path, shard) = (folder(&root, &format!("part{part}")), format!("{part}/3"));
        stdout(&collect(&path, &["--shard", &shard]));
        path
    });
    let says = |arguments: &[&str]| {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
        ran.stderr
    };
    // One part is absent, the last one: of six instances 0, 1, 3 and 4 are there.
    let merged = folder(&root, "merged");
    let (said, report) = incomplete(&["merge", &parts[0], &parts[1], "-o", &merged, "--json"]);
    let missing =
        "INCOMPLETE: 6 instances are missing, where each game should have 6: 2 of achi, 2 of ";
    for part in [missing, "part 3 of 3 is absent"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("assuming"), "{said}");
    assert_eq!(report["missing"], 6);
    let lacks = &report["incomplete"];
    assert_eq!(lacks["parts"], serde_json::json!({ "of": 3, "absent": [3], "unfinished": [] }));
    assert_eq!(
        lacks["games"][0],
        serde_json::json!({ "game": "achi", "missing": 2, "first": [2, 5] })
    );
    assert!(says(&["aggregate", &merged]).contains(missing));
    assert!(says(&["aggregate", &parts[1]]).contains("parts 1, 3 of 3 are absent"));
    // A part whose run was killed is not finished.
    let journal = Path::new(&parts[2]).join("instances.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(&journal, lines[..lines.len() - 1].concat()).unwrap();
    let killed = folder(&root, "killed");
    let (said, _) = incomplete(&["merge", &parts[0], &parts[1], &parts[2], "-o", &killed]);
    assert!(said.contains("1 instance is missing") && said.contains("part 3 of 3 is not finished"));
    // Another part in its folder is refused.
    refused(&collect(&parts[2], &["--shard", "1/3"]), DATA, &["part 3/3", "this is part 1/3"]);
    stdout(&collect(&parts[2], &["--shard", "3/3"]));
    assert_eq!(fs::read_to_string(&journal).unwrap(), text);
    // Journals of older versions have no plan, and the highest number is taken for it.
    let older: Vec<String> = [1, 2]
        .map(|part| {
            let path = folder(&root, &format!("older{part}"));
            fs::create_dir(&path).unwrap();
            let journal = Path::new(&parts[part - 1]).join("instances.jsonl");
            let text = fs::read_to_string(journal).unwrap();
            let without = |object: &str| object.split(",\"planned\"").next().unwrap().to_owned();
            fs::write(Path::new(&path).join("instances.jsonl"), resealed(&text, 0, &without))
                .unwrap();
            path
        })
        .into();
    let (said, report) =
        incomplete(&["merge", &older[0], &older[1], "-o", &folder(&root, "older"), "--json"]);
    assert!(said.contains("assuming 5 instances of each game"), "{said}");
    assert_eq!(report["missing"], 3);
    // A whole one has nothing to say, nor have its tables.
    let whole = folder(&root, "whole");
    says(&["merge", &parts[0], &parts[1], &parts[2], "-o", &whole]);
    assert_eq!(says(&["aggregate", &whole, "--quiet"]), "");
    let table = folder(&root, "table.csv");
    says(&["aggregate", &whole, "-o", &table]);
    assert_eq!(says(&["aggregate", &table, "--quiet"]), "");
    // Games with unequal numbers of instances, and a collection that did not end.
    let more =
        ["collect", "--games", "achi", "--iterations", "60", "--instances", "8", "-o", &whole];
    says(&more);
    assert!(
        !says(&["aggregate", &whole]).contains("INCOMPLETE"),
        "more of one game is another plan of that game"
    );
    fs::remove_file(Path::new(&killed).join("schema.json")).unwrap();
    assert!(says(&["aggregate", &killed]).contains("the collection ended before its tables"));
    // An evaluation has it in its report.
    let labels = root.path().join("labels.toml");
    let text: String = ["tic_tac_toe", "achi", "connect_four(cols=4,rows=4)", "forms"]
        .iter()
        .enumerate()
        .map(|(n, game)| {
            let playable = n % 2 == 0;
            format!("[[game]]\ngame = \"{game}\"\nplayable = {playable}\ngroup = \"{game}\"\n")
        })
        .collect();
    fs::write(&labels, text).unwrap();
    let forms =
        ["collect", "--games", "forms", "--iterations", "60", "--instances", "6", "-o", &merged];
    says(&forms);
    let evaluate =
        ["evaluate", &merged, "--corpus", labels.to_str().unwrap(), "--permutations", "0"];
    let said = stdout(&evaluate);
    assert!(
        said.starts_with("60 iterations per move: INCOMPLETE: 6 instances are missing"),
        "{said}"
    );
    let report = json(&[&evaluate[..], &["--json"]].concat());
    assert_eq!(report["incomplete"][0]["planned"], 6);
    assert_eq!(report["incomplete"][0]["games"][0]["missing"], 2);
}

#[test]
fn datasets_that_could_not_be_told_apart_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let [one, other] = ["1", "2"].map(|seed| {
        let path = folder(&root, &format!("seed{seed}"));
        stdout(&collect(&path, &["--seed", seed]));
        path
    });
    let expected =
        ["seed1 and ", "seed2 have the same attributes at 60 iterations", "evaluate them apart"];
    refused(&["evaluate", &one, &other], DATA, &expected);
    let table = folder(&root, "table.csv");
    stdout(&["aggregate", &one, "-o", &table]);
    refused(&["evaluate", &table, &table], DATA, &["table.csv and ", "have the same attributes"]);
    let ratings = root.path().join("ratings.csv");
    fs::write(&ratings, "game,fun_mean\nachi,3\n").unwrap();
    let ratings = ratings.to_str().unwrap();
    refused(&["evaluate", &one, &other, "--ratings", ratings], DATA, &expected);
}

#[test]
fn attributes_of_webs_stand_beside_those_of_trees() {
    let root = tempfile::tempdir().unwrap();
    let [trees, webs] =
        [("trees", &[][..]), ("webs", &["--merge", "equal"])].map(|(name, more)| {
            let path = folder(&root, name);
            stdout(&collect(&path, more));
            path
        });
    let longer = folder(&root, "longer");
    stdout(
        &[
            &["collect", "--games", GAMES, "--iterations", "70", "--instances", "1"][..],
            &["--merge", "symmetric", "-o", &longer],
        ]
        .concat(),
    );
    let table = folder(&root, "table.csv");
    stdout(&["aggregate", &trees, "--webs", &webs, "-o", &table]);
    let text = fs::read_to_string(&table).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let count = |prefix: &str| header.iter().filter(|name| name.starts_with(prefix)).count();
    assert_eq!((count("web."), count("web.first."), count("first.")), (192, 64, 64));
    // The webs are those of the other dataset, under names of their own.
    let cell = |text: &str, column: &str| {
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        let at = rows.headers().unwrap().iter().position(|name| name == column).unwrap();
        rows.records().next().unwrap().unwrap()[at].to_owned()
    };
    let own = cell(&stdout(&["aggregate", &webs]), "first.depth.mean");
    assert_eq!(cell(&text, "web.first.depth.mean"), own);
    assert_ne!(cell(&text, "first.depth.mean"), own);
    // A table keeps them, of the split that is asked for.
    let player = stdout(&["aggregate", &table, "--split", "player"]);
    assert_eq!(player.lines().next().unwrap().matches("web.").count(), 128);
    for (arguments, part) in [
        (["aggregate", &trees, "--webs", &trees], "merged no positions"),
        (["aggregate", &trees, "--webs", &longer], "of 70 iterations per move and the trees of 60"),
        (["aggregate", &table, "--webs", &webs], "attributes of webs already"),
        (["aggregate", &trees, "--webs", &table], "no folder of a dataset"),
    ] {
        refused(&arguments, DATA, &[part]);
    }
}

#[test]
fn attributes_that_are_not_there_are_not_left_out() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    stdout(&collect(&path, &[]));
    let table = folder(&root, "table.csv");
    stdout(&["aggregate", &path, "--split", "player", "-o", &table]);
    refused(
        &["aggregate", &path, "--with", "players"],
        DATA,
        &["no attributes of players", "--players"],
    );
    refused(
        &["aggregate", &table, "--with", "play"],
        DATA,
        &["no attributes of play", "--with play"],
    );
    refused(&["aggregate", &table, "--split", "none"], DATA, &["no attributes of search trees"]);
    // Attributes that are there already are not there twice.
    let with_rules = folder(&root, "rules.csv");
    stdout(&["aggregate", &table, "--split", "player", "--with", "rules", "-o", &with_rules]);
    let text = fs::read_to_string(&with_rules).unwrap();
    let again = stdout(&["aggregate", &with_rules, "--split", "player", "--with", "rules"]);
    assert_eq!(again, text);
}

#[test]
fn lists_that_are_not_there_or_empty_are_said() {
    let root = tempfile::tempdir().unwrap();
    let list = folder(&root, "list.txt");
    let collect = |expected: &[&str]| {
        let path = folder(&root, "data");
        refused(&["collect", "--games", &list, "-o", &path], DATA, expected);
    };
    collect(&["list.txt: there is no such file"]);
    fs::write(&list, "# nothing yet\n\n").unwrap();
    collect(&["list.txt lists no game"]);
    fs::write(&list, "name,height\nachi,3\n").unwrap();
    collect(&["list.txt: there is no column `game`"]);
    let (part, into) = (folder(&root, "part"), folder(&root, "into"));
    stdout(&self::collect(&part, &[]));
    let nowhere = folder(&root, "nowhere");
    refused(
        &["merge", &part, &nowhere, "-o", &into],
        DATA,
        &["cannot read", "nowhere", "No such file"],
    );
}

/// Six games of two groups: small ones that are played, and broken ones.
const LABELS: &str = r#"
[[game]]
game = "tic_tac_toe"
playable = true
group = "tic_tac_toe"

[[game]]
game = "broken_tic_tac_toe"
playable = false
group = "tic_tac_toe"

[[game]]
game = "achi"
playable = true
group = "achi"
rating = 2

[[game]]
game = "broken_achi"
playable = false
group = "achi"

[[game]]
game = "forms"
playable = true
group = "forms"
rating = 3

[[game]]
game = "broken_nine_mens_morris"
playable = false
group = "nine_mens_morris"

[[game]]
game = "connect_four(cols=4,rows=4)"
playable = true
group = "connect_four"
rating = 3

[[game]]
game = "connect_four(cols=4,rows=4,k=2)"
playable = false
group = "connect_four"
by = "ratings"
"#;

#[test]
fn an_evaluation_says_what_learners_find() {
    let root = tempfile::tempdir().unwrap();
    let labels = root.path().join("labels.toml");
    fs::write(&labels, LABELS).unwrap();
    let labels = labels.to_str().unwrap();
    let names: Vec<&str> = LABELS.lines().filter_map(|line| line.strip_prefix("game = ")).collect();
    let list = names.join(",").replace('"', "");
    let path = folder(&root, "data");
    stdout(&["collect", "--games", &list, "--iterations", "50", "--instances", "4", "-o", &path]);
    let table = folder(&root, "attributes.csv");
    stdout(&["aggregate", &path, "-o", &table]);
    let evaluate = |data: &str, more: &[&str]| {
        answer(
            &[&["evaluate", data, "--corpus", labels, "--permutations", "9", "--json"], more]
                .concat(),
        )
    };
    // A table says the same as the dataset that it sums up, with any number of threads.
    let report = evaluate(&path, &["--threads", "1"]);
    assert_eq!(report, evaluate(&table, &["--threads", "3"]));
    assert_eq!(report["kind"], "evaluation");
    let results = report["datasets"].as_array().unwrap();
    let find = |learner: &str, protocol: &str, split: &str| {
        let is = |one: &&serde_json::Value| {
            one["learner"] == learner && one["protocol"] == protocol && one["split"] == split
        };
        results.iter().find(is).unwrap_or_else(|| panic!("{learner} {protocol} {split}"))
    };
    for split in ["none", "player"] {
        for one in [find("tree", "leave_one_out", split), find("best", "nested", split)] {
            let counts = one["confusion"].as_array().unwrap().iter();
            let all: f64 =
                counts.flat_map(|row| row.as_array().unwrap()).map(|n| n.as_f64().unwrap()).sum();
            assert_eq!(all, 8.0);
            let accuracy = &one["accuracy"];
            assert!(accuracy["low"].as_f64() <= accuracy["mean"].as_f64());
        }
        assert!(find("svm", "leave_one_out", split)["permutation_p"].as_f64().unwrap() >= 0.1);
        assert!(find("svm", "grouped", split).get("permutation_p").is_none());
    }
    let text = stdout(&["evaluate", &table, "--corpus", labels, "--permutations", "0"]);
    assert!(text.contains("4 playable and 4 unplayable games"), "{text}");
    assert!(
        text.contains("The best learner, chosen without the games that it is tested on"),
        "{text}"
    );
    let saved = root.path().join("report.json");
    fs::write(
        &saved,
        stdout(&["evaluate", &table, "--corpus", labels, "--permutations", "0", "--json"]),
    )
    .unwrap();
    assert_eq!(stdout(&["report", saved.to_str().unwrap()]), text);
    assert!(!text.contains("published"), "these are not the games of Williams: {text}");
    for part in ["`logistic_8` is on the 8 attributes", "(2,000 resamples)", "of Williams 2010"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Of a table of one split that split is evaluated.
    let of_player = folder(&root, "of_player.csv");
    stdout(&["aggregate", &path, "--split", "player", "-o", &of_player]);
    let of_player = evaluate(&of_player, &[]);
    let splits: Vec<_> =
        of_player["games"].as_array().unwrap().iter().map(|one| &one["split"]).collect();
    assert_eq!(splits, ["player"]);
    let by_source = "by where labels come from: origin (7 games) right about";
    assert!(text.contains(by_source), "{text}");

    let page = root.path().join("page.html");
    stdout(&["report", saved.to_str().unwrap(), "--html", page.to_str().unwrap()]);
    let page = fs::read_to_string(page).unwrap();
    // For each split the learners, four charts and the tree, which is a leaf: eight games are too few
    // for a decision.
    let count = |part: &str| page.matches(part).count();
    assert_eq!(
        (count("<th>one left out</th>"), count("<svg"), count(">4 unplayable<")),
        (2, 10, 2)
    );

    // At strengths with published results, five scores of each split are drawn beside those.
    let rows = fs::read_to_string(&table).unwrap();
    let strengths = [1_000, 10_000].map(|iterations| {
        let copy = folder(&root, &format!("{iterations}.csv"));
        fs::write(&copy, rows.replace(",50,4,", &format!(",{iterations},4,"))).unwrap();
        copy
    });
    let [weak, strong] = &strengths;
    let page = folder(&root, "strengths.html");
    stdout(&["evaluate", weak, strong, "--permutations", "0", "--html", &page]);
    let page = fs::read_to_string(page).unwrap();
    let scores = [
        "tree, published, 1,000 iterations: 61%",
        "tree, published, 10,000 iterations: 57%",
        "svm, published, 10,000 iterations: 32%",
        "naive, 1,000 iterations: 50%",
    ];
    for score in scores {
        assert!(page.contains(score), "{score}");
    }
    assert_eq!(page.matches("<svg").count(), 2 * 10 + 2 * 5);

    // Labels and games that do not fit together.
    let bad = root.path().join("bad");
    let with = |text: &str, parts: &[&str]| {
        fs::write(&bad, text).unwrap();
        refused(&["evaluate", &table, "--corpus", bad.to_str().unwrap()], DATA, parts);
    };
    with(&LABELS.replace("playable = false", "playable = true"), &["0 unplayable games"]);
    with(
        &LABELS.replace("\"forms\"\nplayable", "\"forum\"\nplayable"),
        &["\"forum\" of the labels"],
    );
    with("game = 3", &["bad: "]);
    fs::write(&bad, "game,iterations,instances,trees,a.mean\nachi,10,1,9,NaN\n").unwrap();
    refused(&["evaluate", bad.to_str().unwrap()], DATA, &["a.mean", "numbers must be finite"]);
    let ran = run(&["evaluate", &path]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("INCOMPLETE: "), "most games of Williams are missing");
}

#[test]
fn labels_by_conditions_come_from_other_self_play() {
    let root = tempfile::tempdir().unwrap();
    let games = "tic_tac_toe,broken_tic_tac_toe,achi,broken_achi,othello(size=4),forms,\
                 one_to_ten(target=30),dots_and_boxes(rows=2,cols=3),alak(length=7)";
    let dataset = |name: &str, seed: &str, iterations: &str| {
        let path = folder(&root, name);
        let few = ["--iterations", iterations, "--instances", "6", "--seed", seed];
        stdout(&[&["collect", "--games", games, "-o", &path][..], &few].concat());
        path
    };
    let data = dataset("data", "1", "40");
    let (other_seed, stronger) = (dataset("seed", "2", "40"), dataset("strong", "1", "200"));
    let none = ["--permutations", "0"];
    for labels in [&other_seed, &stronger] {
        let evaluate = [&["evaluate", &data, "--conditions", labels][..], &none].concat();
        let report = json(&[&evaluate[..], &["--json"]].concat());
        let from = &report["conditions"];
        assert_eq!(from["games"], 9);
        let playable = from["playable"].as_u64().unwrap();
        assert_eq!(report["games"][0]["playable"].as_u64(), Some(playable));
        // Games of three plies are too short whoever plays them.
        let all = report["datasets"][0]["predictions"].as_array().unwrap();
        let broken = all.iter().find(|one| one["game"] == "tic_tac_toe(k=2)").unwrap();
        assert_eq!(broken["playable"], false);
        let text = stdout(&evaluate);
        assert!(text.starts_with("Playable here is a game that is neither drawish"), "{text}");
    }
    // What the labels lack is said.
    let journal = Path::new(&other_seed).join("instances.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(&journal, lines[..lines.len() - 2].concat()).unwrap();
    let ran = run(&[&["evaluate", &data, "--conditions", &other_seed][..], &none].concat());
    assert!(ran.stderr.contains("seed: INCOMPLETE: 2 instances are missing"), "{}", ran.stderr);
    let refuse = |arguments: &[&str], code, expected: &[&str]| {
        refused(&[&["evaluate"], arguments].concat(), code, expected);
    };
    refuse(&[&data, "--conditions", &data], DATA, &["the same seed and iterations", "--seed"]);
    let table = folder(&root, "table.csv");
    stdout(&["aggregate", &data, "-o", &table]);
    refuse(&[&table, "--conditions", &other_seed], DATA, &["is not the folder of a dataset"]);
    refuse(&[&data, "--conditions", &folder(&root, "none")], DATA, &["cannot read", "none"]);
    let ratings = ["--ratings", "ratings.csv"];
    refuse(
        &[&[&data[..], "--conditions", &other_seed], &ratings[..]].concat(),
        USAGE,
        &["--ratings"],
    );
}

#[test]
fn players_of_a_dataset_are_a_table_and_attributes() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    let collect = |players: &'static str, games: &'static str| {
        let more = ["--players", players, "--iterations", "20", "--instances", "3", "-o"];
        [&["collect", "--games", games], &more[..]].concat()
    };
    let games = "mnk(rows=3,cols=3,k=3), mnk(rows=3,cols=4,k=3)";
    let whole = [collect("random, intuitive(temperature=0.1)", games), vec![&path]].concat();
    stdout(&whole);
    let read = |name: &str| fs::read_to_string(Path::new(&path).join(name)).unwrap();
    let table = read("player_games.csv");
    // Two games, three instances, two players in two seats.
    assert_eq!(table.lines().count(), 1 + 2 * 3 * 4);
    assert!(
        table.starts_with("game,instance,first,second,plies,result,ended_by,seed\n"),
        "{table}"
    );
    assert!(table.contains(",random,intuitive(temperature=0.1),"), "{table}");
    assert!(read("schema.json").contains("player in the first seat"));
    assert!(Path::new(&path).join("player_games.parquet").is_file());
    let merged = folder(&root, "merged");
    let parts = [1, 2].map(|part| {
        let (part_path, shard) = (folder(&root, &format!("part{part}")), format!("{part}/2"));
        let all = collect("random,intuitive(temperature=0.1)", games);
        stdout(&[&all[..], &[&part_path, "--shard", &shard]].concat());
        part_path
    });
    stdout(&["merge", &parts[0], &parts[1], "-o", &merged]);
    let of_merged = fs::read_to_string(Path::new(&merged).join("player_games.csv")).unwrap();
    assert_eq!(of_merged, table);
    // Other players are another study.
    let other = [collect("random", games), vec![&path]].concat();
    refused(&other, DATA, &["belongs to another run: `players`"]);
    let attributes = |with: &str| stdout(&["aggregate", &path, "--split", "none", "--with", with]);
    let head = |with: &str| attributes(with).lines().next().unwrap().to_owned();
    assert!(head("players").contains("players.random:random.first_points"));
    assert!(head("players").contains("players.intuitive(temperature=0.1)>random.points"));
    assert!(head("play,solved").ends_with("solved.interestingness"));
    assert!(head("play,solved").contains(",play.drama,"));
    assert!(head("rules").contains(",rules.misere,"));
    // What cannot meet.
    let nowhere = folder(&root, "nowhere");
    let cannot = |players: &'static str, games: &'static str, parts: &[&str]| {
        refused(&[collect(players, games), vec![&nowhere]].concat(), USAGE, parts);
    };
    cannot("intuitive", "othello", &["intuitive cannot play othello", "mnk"]);
    cannot("random,alphabeta(time_ms=5)", "othello", &["depend on time"]);
    cannot("rndom", "othello", &["did you mean `random`"]);
    assert!(!Path::new(&nowhere).exists());
}

#[test]
fn ratings_of_people_are_predicted_or_refused() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    let table = folder(&root, "ratings.csv");
    // The larger the board, the more fun; who begins expects to win.
    let mut text = "rows,cols,rule,category,fun_mean,payoff_mean\n".to_owned();
    for rows in 2..7 {
        for cols in 3..8 {
            let fun = rows * cols;
            text += &format!("{rows},{cols},3 pieces in a row wins.,rows {rows},{fun},0.5\n");
        }
    }
    fs::write(&table, &text).unwrap();
    stdout(&["collect", "--games", &table, "--iterations", "10", "--instances", "1", "-o", &path]);
    let report = json(&["evaluate", &path, "--ratings", &table, "--json"]);
    let results = report["ratings"].as_array().unwrap();
    let find = |protocol: &str, question: &str| {
        results
            .iter()
            .find(|one| one["protocol"] == protocol && one["question"] == question)
            .unwrap_or_else(|| panic!("{protocol} {question}"))
    };
    assert!(find("nested", "fun")["r_squared"]["mean"].as_f64().unwrap() > 0.7);
    assert!(find("nested", "payoff")["r_squared"].is_null(), "all ratings are the same");
    let saved = folder(&root, "report.json");
    fs::write(&saved, report.to_string()).unwrap();
    let page = folder(&root, "page.html");
    let printed = stdout(&["report", &saved]);
    for part in ["25 games, 0 to 100", "Cannot tell: all games have the same rating.", "(R2 lost"] {
        assert!(printed.contains(part), "{part:?} is not in {printed}");
    }
    assert_eq!(printed.matches(" kernel_ridge ").count(), 4, "what is constant has no table");
    stdout(&["report", &saved, "--html", &page]);
    assert_eq!(fs::read_to_string(&page).unwrap().matches("<svg").count(), 1);

    let bad = folder(&root, "bad.csv");
    let with = |text: &str, parts: &[&str]| {
        fs::write(&bad, text).unwrap();
        refused(&["evaluate", &path, "--ratings", &bad], DATA, parts);
    };
    with(&text.replace("_mean", ""), &["no column `fun_mean` or `payoff_mean`"]);
    with(&text.replacen(",6,", ",106,", 1), &["line 2: fun_mean is \"106\"", "from 0 to 100"]);
    with(&text.replacen(",6,", ",inf,", 1), &["line 2: fun_mean is \"inf\""]);
    with(&text.replacen("2,4,", "2,3,", 1), &["lines 2 and 3 are about the same game"]);
    let few: Vec<&str> = text.lines().take(9).collect();
    with(&few.join("\n"), &["the datasets have 8, and at least 20 are needed"]);
}

#[test]
fn tables_have_the_same_types_in_every_form() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    stdout(&collect(&path, &["--seed", "18446744073709551615"]));
    let read = |name: &str| fs::read_to_string(Path::new(&path).join(name)).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&read("schema.json")).unwrap();
    assert_eq!(schema["seed"], "18446744073709551615");
    for (table, name) in [("trees", "trees.csv"), ("instances", "instances.csv")] {
        let text = read(name);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = schema[table].as_array().unwrap();
        for row in reader.records() {
            for (cell, column) in row.unwrap().iter().zip(columns) {
                let is_whole = cell.parse::<i64>().is_ok();
                let is_real = cell.parse::<f64>().is_ok() && !is_whole;
                let fits = match column["type"].as_str().unwrap() {
                    "whole" => is_whole,
                    "real" => is_real,
                    _ => !is_whole && !is_real,
                };
                assert!(fits, "{} of {name} is {cell}", column["name"]);
            }
        }
    }
    // The Parquet file names its run.
    let parquet = fs::read(Path::new(&path).join("trees.parquet")).unwrap();
    let has = |part: &str| parquet.windows(part.len()).any(|window| window == part.as_bytes());
    assert!(has("18446744073709551615") && has("\"planned\"") && has("\"cp\""));
    // The ending of a name says the format.
    let table = |name: &str| folder(&root, name);
    stdout(&["aggregate", &path, "-o", &table("sums.parquet")]);
    assert!(fs::read(table("sums.parquet")).unwrap().starts_with(b"PAR1"));
    stdout(&["aggregate", &path, "-o", &table("sums.csv")]);
    assert!(fs::read_to_string(table("sums.csv")).unwrap().starts_with("game,iterations,"));
    for name in ["sums.xlsx", "sums", "sums.csv.zst"] {
        refused(&["aggregate", &path, "-o", &table(name)], USAGE, &[".csv or .parquet here"]);
        assert!(!Path::new(&table(name)).exists());
    }
    refused(&["evaluate", &table("sums.parquet")], DATA, &["it is Parquet", "as CSV"]);
    for (command, part) in [
        (["show", "achi", "--svg", "board.csv"], ".svg here"),
        (["interest", "achi", "--csv", "values.parquet"], ".csv here"),
        (["solve", "achi", "-o", "achi.json"], ".tgs here"),
    ] {
        refused(&command, USAGE, &[part]);
    }
}

/// No number of a report or a journal is one that readers of floating-point numbers would round.
#[test]
fn seeds_survive_readers_of_floating_point_numbers() {
    fn check(value: &serde_json::Value, place: &str) {
        match value {
            serde_json::Value::Number(number) => {
                let is_exact = number.as_u64().is_none_or(|number| number < 1 << 53);
                assert!(is_exact, "{place}: {number}");
            }
            serde_json::Value::Array(values) => values.iter().for_each(|one| check(one, place)),
            serde_json::Value::Object(fields) => {
                fields.iter().for_each(|(name, one)| check(one, &format!("{place}.{name}")));
            }
            _ => {}
        }
    }
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| folder(&root, name);
    let seed = "18446744073709551615";
    let (data, game, record, tree) = (at("data"), at("gauge"), at("match"), at("tree.json"));
    let few = ["--iterations", "9", "--games", "2"];
    let runs: [Vec<&str>; 5] = [
        vec!["collect", "--games", "achi", "--iterations", "9", "--instances", "1", "-o", &data],
        [&["gauge", "achi", "--record", &game][..], &few].concat(),
        vec!["match", "achi", "random", "random", "--games", "2", "--record", &record],
        vec!["search", "achi", "--iterations", "9", "--tree-json", &tree],
        vec!["vet", "one_to_ten"],
    ];
    for run in runs {
        let report = json(&[&run[..], &["--seed", seed, "--json"]].concat());
        assert_eq!(report["seed"], seed, "{run:?}");
        check(&report, run[0]);
    }
    for path in [format!("{data}/instances.jsonl"), game, record.clone(), tree] {
        let text = fs::read_to_string(&path).unwrap();
        text.lines().for_each(|line| check(&serde_json::from_str(line).unwrap(), &path));
    }
    // Records of older versions have numbers: they go on.
    let text = fs::read_to_string(&record).unwrap();
    let older =
        |line: &str| line.replace(&format!("\"seed\":\"{seed}\""), &format!("\"seed\":{seed}"));
    fs::write(&record, resealed(&text, 0, &older)).unwrap();
    stdout(&[
        "match", "achi", "random", "random", "--games", "4", "--seed", seed, "--record", &record,
    ]);
    assert_eq!(fs::read_to_string(&record).unwrap().lines().count(), 5);
}

#[test]
fn datasets_and_other_runs_do_not_share_folders() {
    let root = tempfile::tempdir().unwrap();
    let (data, run) = (folder(&root, "data"), folder(&root, "run"));
    stdout(&collect(&data, &[]));
    fs::create_dir(&run).unwrap();
    fs::write(Path::new(&run).join("candidates.jsonl"), "").unwrap();
    refused(&["merge", &data, "-o", &run], DATA, &["it holds a run of `generate`"]);
    refused(&collect(&run, &[]), DATA, &["it holds a run of `generate`"]);
    refused(&["generate", "--from", "tic_tac_toe", "-o", &data], DATA, &["it holds a dataset"]);
    assert_eq!(fs::read_dir(&run).unwrap().count(), 1);
}

#[test]
fn a_text_that_changed_is_another_game() {
    let root = tempfile::tempdir().unwrap();
    let (text, data) = (folder(&root, "three.rules"), folder(&root, "data"));
    let rules = |side: u32| {
        format!(
            "(game \"T\" (board (grid {side} 3)) (play (place)) (end (if (makes (line 3)) (win mover)) (stuck draw)))"
        )
    };
    let collect =
        ["collect", "--games", &text, "--iterations", "9", "--instances", "1", "-o", &data];
    fs::write(&text, rules(3)).unwrap();
    stdout(&collect);
    let before = fs::read(Path::new(&data).join("instances.jsonl")).unwrap();
    fs::write(&text, rules(4)).unwrap();
    refused(&collect, DATA, &["three.rules", "has changed", "into another folder"]);
    assert_eq!(fs::read(Path::new(&data).join("instances.jsonl")).unwrap(), before);
}

#[test]
fn an_aggregate_does_not_depend_on_the_order_of_lines() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    stdout(&collect(&path, &[]));
    let sums = stdout(&["aggregate", &path, "--with", "play"]);
    let journal = Path::new(&path).join("instances.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines[1..].reverse();
    fs::write(&journal, lines.concat()).unwrap();
    assert_eq!(stdout(&["aggregate", &path, "--with", "play"]), sums);
    lines[1..].rotate_left(7);
    fs::write(&journal, lines.concat()).unwrap();
    assert_eq!(stdout(&["aggregate", &path, "--with", "play"]), sums);
    let twice = [lines.concat().as_str(), lines[1]].concat();
    fs::write(&journal, twice).unwrap();
    refused(&["aggregate", &path], DATA, &["occurs twice"]);
}

#[test]
fn journals_that_no_run_writes_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    stdout(&collect(&path, &[]));
    let journal = Path::new(&path).join("instances.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let first_tree = |line: &str, value: &str| {
        let (before, after) = line.split_once("\"trees\":[[").unwrap();
        let (_, after) = after.split_once(',').unwrap();
        format!("{before}\"trees\":[[{value},{after}")
    };
    type Change<'a> = &'a dyn Fn(&str) -> String;
    let crafted: [(usize, Change<'_>, &str); 6] = [
        (0, &|line| line.replacen("\"iterations\":60", "\"iterations\":0", 1), "`iterations` is 0"),
        (
            0,
            &|line| line.replacen("\"holds\":\"instances of a study\"", "\"holds\":\"x\"", 1),
            "it holds",
        ),
        (0, &|line| line.replacen("legal_moves", "legal", 1), "`features`"),
        (
            1,
            &|line| line.replacen("\"game\":\"achi\"", "\"game\":\"<script>\"", 1),
            "is not a game",
        ),
        (1, &|line| line.replacen("\"game\":\"achi\"", "\"game\":\"\"", 1), "is not a game"),
        (1, &|line| first_tree(line, "18446744073709551616.0"), "legal_moves of the tree"),
    ];
    for (at, change, part) in crafted {
        let changed = resealed(&text, at, change);
        assert_ne!(changed, text, "{part}");
        fs::write(&journal, changed).unwrap();
        let into = folder(&root, "into");
        refused(&["aggregate", &path], DATA, &[part]);
        refused(&["evaluate", &path], DATA, &[part]);
        refused(&["merge", &path, "-o", &into], DATA, &[part]);
        assert!(!Path::new(&into).join("trees.csv").exists());
    }
}

#[test]
fn games_are_listed_on_standard_input() {
    let root = tempfile::tempdir().unwrap();
    let path = folder(&root, "data");
    let collect = ["collect", "--games", "-", "--iterations", "9", "--instances", "1", "-o", &path];
    let ran = run_with(&collect, "# two\r\nachi\r\nforms\r\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("2 instances of 2 games"), "{}", ran.stdout);
    let ran = run_with(&collect, "achi\nform\n");
    assert!(ran.stderr.contains("standard input, line 2"), "{}", ran.stderr);
    assert_eq!(run_with(&collect, "").code, Some(DATA));
}

#[test]
fn a_dataset_is_reported_in_the_order_of_its_list() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("data").to_str().unwrap().to_owned();
    let few = ["--iterations", "20", "--instances", "2", "-o", &path, "--json"];
    let report = json(
        &[&["collect", "--games", "tic_tac_toe,qirkat,mnk(k=3,rows=3,cols=3)"][..], &few].concat(),
    );
    let rows = report["games"].as_array().unwrap();
    let row = |row: &serde_json::Value| {
        ["place", "input", "game"].map(|name| row[name].to_string().trim_matches('"').to_owned())
    };
    let rows: Vec<[String; 3]> = rows.iter().map(row).collect();
    assert_eq!(
        rows,
        [
            ["1", "tic_tac_toe", "tic_tac_toe"],
            ["2", "qirkat", "alquerque"],
            ["3", "mnk(k=3,rows=3,cols=3)", "mnk(rows=3,cols=3,k1=3,k2=3)"],
        ]
    );
}
