//! Datasets: collected, merged, and what they lack.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::{DATA, Fields, Room, resealed};

const FILES: [&str; 6] = [
    "instances.csv",
    "instances.jsonl",
    "instances.parquet",
    "schema.json",
    "trees.csv",
    "trees.parquet",
];

/// A small study, into the folder that follows.
pub(crate) const COLLECT: &str = "collect --games 'tic_tac_toe, connect_four(cols=4,rows=4),achi' --iterations 60 \
                                  --instances 6 -o";

/// Returns the standard error and the JSON of a merge of parts that are not a whole.
fn incomplete(room: &Room, merge: &str) -> (String, Value) {
    let ran = room.run(format!("{merge} --json"));
    assert_eq!(ran.code, Some(1), "{merge}: {}", ran.stderr);
    (ran.stderr, serde_json::from_str(&ran.stdout).unwrap_or_default())
}

#[test]
fn a_dataset_has_the_same_bytes_for_any_threads_and_parts() {
    let room = Room::new();
    let text = room.stdout(format!("{COLLECT} whole --threads 1"));
    assert!(text.starts_with("18 self-play games of 3 games with "), "{text}");
    assert_eq!(room.names("whole"), FILES);
    assert_eq!(room.stdout(format!("{COLLECT} other --threads 4")), text);
    assert!(room.files("whole") == room.files("other"));
    // The same again plays nothing and changes nothing.
    assert_eq!(room.stdout(format!("{COLLECT} whole")), text);
    assert!(room.files("whole") == room.files("other"));
    // The parts, one of them with instances that another has too.
    for part in [1, 2] {
        room.stdout(format!("{COLLECT} part{part} --shard {part}/2"));
        assert_eq!(room.names(&format!("part{part}")), [FILES[1]], "a part is its journal");
    }
    let report = incomplete(&room, "merge part1 -o half").1;
    assert_eq!((&report["missing"], &report["kind"]), (&9.into(), &"dataset".into()));
    assert_eq!(room.stdout("merge part2 other part1 -o merged"), text);
    assert!(room.files("whole") == room.files("merged"));
    // Fewer instances, then more: as if all had been collected at once.
    room.stdout("collect --games achi --iterations 60 --instances 2 -o grown");
    assert_eq!(room.stdout(format!("{COLLECT} grown")), text);
    assert!(room.files("whole") == room.files("grown"));
    // One row for each tree, with a cell for each column of the schema.
    let schema: Value = serde_json::from_str(&room.text("whole/schema.json")).unwrap();
    let names: Vec<&str> = schema.list("/trees").iter().map(|one| one.word("/name")).collect();
    let trees = room.text("whole/trees.csv");
    assert_eq!(trees.lines().next().unwrap(), names.join(","));
    let report = room.json(format!("{COLLECT} whole"));
    let counted: u64 = report.list("/games").iter().map(|game| game.whole("/trees")).sum();
    assert_eq!(trees.lines().count() as u64, counted + 1);
    // Games are reported as they were written, in their order.
    let list =
        "collect --games 'qirkat,mnk(k=3,rows=3,cols=3)' --iterations 20 --instances 1 -o list";
    let row = |row: &Value| (row.whole("/place"), row["input"].clone(), row["game"].clone());
    let rows: Vec<_> = room.json(list).list("/games").iter().map(row).collect();
    let mnk = ["mnk(k=3,rows=3,cols=3)", "mnk(rows=3,cols=3,k1=3,k2=3)"].map(Value::from);
    let [input, game] = mnk;
    assert_eq!(rows, [(1, "qirkat".into(), "alquerque".into()), (2, input, game)]);
}

#[test]
fn a_second_collector_of_a_folder_is_refused() {
    let room = Room::new();
    let long = "collect --games othello --iterations 100000 -o busy";
    let mut program = room.program(long);
    let mut first = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while room.size("busy/instances.jsonl") == 0 {
        assert!(first.try_wait().unwrap().is_none(), "it has long to play");
        std::thread::yield_now();
    }
    room.refused(long, DATA, &["another run is writing"]);
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn parts_that_disagree_about_an_instance_are_not_merged() {
    let room = Room::new();
    room.stdout(format!("{COLLECT} data"));
    let more_visits = |object: &str| object.replacen("\"visits\":", "\"visits\":1", 1);
    let changed = resealed(&room.text("data/instances.jsonl"), 3, &more_visits);
    room.write("changed/instances.jsonl", changed);
    let expected = ["instance 2 of achi", "is not that in"];
    room.refused("merge data changed -o nowhere", DATA, &expected);
    assert!(!room.has("nowhere"), "a merge that fails leaves no folder");
    assert!(!room.has("nowhere/instances.jsonl"));
}

#[test]
fn games_of_files_and_of_standard_input_are_collected() {
    let room = Room::new();
    let of = |name: &str| {
        let few = format!("--iterations 20 --instances 1 -o {name}");
        let report = room.json(format!("collect --games games.csv {few}"));
        let games = report.list("/games").iter().map(|game| game.word("/game").to_owned());
        games.collect::<Vec<_>>()
    };
    let rules = "rows,cols,rule\n3,3,3 pieces in a row wins.\n3,3,3 pieces in a row loses.\n";
    room.write("games.csv", rules);
    let described = of("described");
    assert_eq!(described.len(), 2);
    assert!(described[0].starts_with("mnk(rows=3,cols=3,"), "{described:?}");
    room.write("games.csv", "why,game\nold,\"dipole(inverted=true)\"\nnew,forms\n");
    assert_eq!(of("named"), ["dipole(inverted=true)", "forms"]);

    let collect = "collect --games - --iterations 9 --instances 1 -o data";
    let ran = room.run_with(collect, "# two\r\nachi\r\nforms\r\n");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("2 self-play games of 2 games"), "{}", ran.stdout);
    let ran = room.run_with(collect, "achi\nform\n");
    assert!(ran.stderr.contains("standard input, line 2"), "{}", ran.stderr);
    assert_eq!(room.run(collect).code, Some(DATA));
}

#[test]
fn what_a_dataset_lacks_is_said() {
    let room = Room::new();
    for part in [1, 2, 3] {
        room.stdout(format!("{COLLECT} part{part} --shard {part}/3"));
    }
    let says = |command: &str| {
        let ran = room.run(command);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
        ran.stderr
    };
    // One part is absent, the last one: of six instances 0, 1, 3 and 4 are there.
    let (said, report) = incomplete(&room, "merge part1 part2 -o merged");
    let missing = "INCOMPLETE: 6 instances are missing (each game should have 6): 2 of achi, 2 of ";
    assert!(said.contains(missing) && said.contains("part 3 of 3 is absent"), "{said}");
    assert!(!said.contains("assuming"), "{said}");
    assert_eq!(report["missing"], 6);
    let lacks = &report["incomplete"];
    assert_eq!(lacks["parts"], json!({ "of": 3, "absent": [3], "unfinished": [] }));
    assert_eq!(lacks["games"][0], json!({ "game": "achi", "missing": 2, "first": [2, 5] }));
    assert!(says("aggregate merged").contains(missing));
    assert!(says("aggregate part2").contains("parts 1, 3 of 3 are absent"));
    // A part whose run was killed is not finished.
    let journal = "part3/instances.jsonl";
    let text = room.text(journal);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    room.write(journal, lines[..lines.len() - 1].concat());
    let (said, _) = incomplete(&room, "merge part1 part2 part3 -o killed");
    assert!(said.contains("1 instance is missing") && said.contains("part 3 of 3 is not finished"));
    // Another part in its folder is refused.
    let other = format!("{COLLECT} part3 --shard 1/3");
    room.refused(other, DATA, &["part 3/3", "this is part 1/3"]);
    room.stdout(format!("{COLLECT} part3 --shard 3/3"));
    assert_eq!(room.text(journal), text);
    // Journals of older versions have no plan, and the highest number is taken for it.
    let without = |object: &str| object.split(",\"planned\"").next().unwrap().to_owned();
    for part in [1, 2] {
        let text = room.text(&format!("part{part}/instances.jsonl"));
        room.write(&format!("older{part}/instances.jsonl"), resealed(&text, 0, &without));
    }
    let (said, report) = incomplete(&room, "merge older1 older2 -o older");
    assert!(said.contains("assuming 5 instances of each game"), "{said}");
    assert_eq!(report["missing"], 3);
    // A whole one has nothing to say, nor have its tables.
    says("merge part1 part2 part3 -o whole");
    assert_eq!(says("aggregate whole --quiet"), "");
    says("aggregate whole -o table.csv");
    assert_eq!(says("aggregate table.csv --quiet"), "");
    // Games with unequal numbers of instances, and a collection that did not end.
    says("collect --games achi --iterations 60 --instances 8 -o whole");
    let is_said = says("aggregate whole").contains("INCOMPLETE");
    assert!(!is_said, "more of one game is another plan of that game");
    fs::remove_file(room.at("killed/schema.json")).unwrap();
    assert!(says("aggregate killed").contains("the collection ended before its tables"));
    // An evaluation has it in its report.
    let games = ["tic_tac_toe", "achi", "connect_four(cols=4,rows=4)", "forms"];
    let label = |(n, game): (usize, &str)| {
        let playable = n % 2 == 0;
        format!("[[game]]\ngame = \"{game}\"\nplayable = {playable}\ngroup = \"{game}\"\n")
    };
    room.write("labels.toml", games.into_iter().enumerate().map(label).collect::<String>());
    says("collect --games forms --iterations 60 --instances 6 -o merged");
    let evaluate = "evaluate merged --corpus labels.toml --permutations 0";
    let said = room.stdout(evaluate);
    let begin = "60 iterations per move: INCOMPLETE: 6 instances are missing";
    assert!(said.starts_with(begin), "{said}");
    let lacks = &room.json(evaluate)["incomplete"][0];
    assert_eq!((&lacks["planned"], &lacks["games"][0]["missing"]), (&6.into(), &2.into()));
}

#[test]
fn players_of_a_dataset_are_a_table_and_attributes() {
    let room = Room::new();
    let collect = |players: &str, rest: &str| {
        let games = "'mnk(rows=3,cols=3,k=3), mnk(rows=3,cols=4,k=3)'";
        let few = "--iterations 20 --instances 3";
        format!("collect --games {games} {few} --players '{players}' -o {rest}")
    };
    room.stdout(collect("random, intuitive(temperature=0.1)", "data"));
    let table = room.text("data/player_games.csv");
    // Two games, three instances, two players in two seats.
    assert_eq!(table.lines().count(), 1 + 2 * 3 * 4);
    let head = "game,instance,first,second,plies,result,ended_by,seed\n";
    assert!(table.starts_with(head), "{table}");
    assert!(table.contains(",random,intuitive(temperature=0.1),"), "{table}");
    assert!(room.text("data/schema.json").contains("player in the first seat"));
    assert!(room.has("data/player_games.parquet"));
    for part in [1, 2] {
        let rest = format!("part{part} --shard {part}/2");
        room.stdout(collect("random,intuitive(temperature=0.1)", &rest));
    }
    room.stdout("merge part1 part2 -o merged");
    assert_eq!(room.text("merged/player_games.csv"), table);
    // Other players are another study.
    let other = collect("random", "data");
    room.refused(other, DATA, &["belongs to another run: `players`"]);
    let head = |with: &str| {
        let table = room.stdout(format!("aggregate data --split none --with {with}"));
        table.lines().next().unwrap().to_owned()
    };
    assert!(head("players").contains("players.random:random.first_points"));
    assert!(head("players").contains("players.intuitive(temperature=0.1)>random.points"));
    assert!(head("play,solved").ends_with("solved.interestingness"));
    assert!(head("play,solved").contains(",play.drama,"));
    assert!(head("rules").contains(",rules.misere,"));
}

#[test]
fn a_text_that_changed_is_another_game() {
    let room = Room::new();
    let rules = |side: u32| {
        format!(
            "(game \"T\" (board (grid {side} 3)) (play (place)) (end (if (makes (line 3)) (win mover)) (stuck draw)))"
        )
    };
    let collect = "collect --games three.rules --iterations 9 --instances 1 -o data";
    room.write("three.rules", rules(3));
    room.stdout(collect);
    let before = room.bytes("data/instances.jsonl");
    room.write("three.rules", rules(4));
    room.refused(collect, DATA, &["three.rules", "has changed", "into another folder"]);
    assert_eq!(room.bytes("data/instances.jsonl"), before);
}

#[test]
fn journals_that_no_run_writes_are_refused() {
    let room = Room::new();
    room.stdout(format!("{COLLECT} data"));
    let text = room.text("data/instances.jsonl");
    let first_tree = |line: &str| {
        let (before, after) = line.split_once("\"trees\":[[").unwrap();
        let (_, after) = after.split_once(',').unwrap();
        format!("{before}\"trees\":[[18446744073709551616.0,{after}")
    };
    let replaced = |at: usize, from: &str, to: &str| {
        resealed(&text, at, &|line: &str| line.replacen(from, to, 1))
    };
    for (crafted, part) in [
        (replaced(0, "\"iterations\":60", "\"iterations\":0"), "`iterations` is 0"),
        (replaced(0, "\"holds\":\"instances of a study\"", "\"holds\":\"x\""), "it holds"),
        (replaced(0, "legal_moves", "legal"), "`features`"),
        (replaced(1, "\"game\":\"achi\"", "\"game\":\"<script>\""), "is not a game"),
        (replaced(1, "\"game\":\"achi\"", "\"game\":\"\""), "is not a game"),
        (resealed(&text, 1, &first_tree), "legal_moves of the tree"),
    ] {
        room.write("data/instances.jsonl", crafted);
        for command in ["aggregate data", "evaluate data", "merge data -o into"] {
            room.refused(command, DATA, &[part]);
        }
        assert!(!room.has("into/trees.csv"));
    }
}

#[test]
fn a_dataset_of_an_earlier_text_of_a_game_can_still_be_read() {
    let room = Room::new();
    room.stdout("collect --games dodgem,achi --iterations 20 --instances 2 -o data");
    let text = room.text("data/instances.jsonl");
    let (_, after) = text.split_once("\"dodgem(digest=").unwrap();
    let (own, earlier) = (after.split_once(')').unwrap().0, "0123456789abcdef");
    let mut crafted = text.clone();
    for (at, _) in text.lines().enumerate().filter(|(_, line)| line.contains(own)) {
        crafted = resealed(&crafted, at, &|line: &str| line.replace(own, earlier));
    }
    let attributes = room.stdout("aggregate data").replace(own, earlier);
    room.write("data/instances.jsonl", crafted);
    assert_eq!(room.stdout("aggregate data"), attributes);
    room.stdout("merge data -o into");
    assert!(room.text("into/trees.csv").contains(earlier));
}

/// No number of a report or a journal is one that readers of floating-point numbers would round.
#[test]
fn seeds_survive_readers_of_floating_point_numbers() {
    fn check(value: &Value, place: &str) {
        match value {
            Value::Number(number) => {
                let is_exact = number.as_u64().is_none_or(|number| number < 1 << 53);
                assert!(is_exact, "{place}: {number}");
            }
            Value::Array(values) => values.iter().for_each(|one| check(one, place)),
            Value::Object(fields) => {
                fields.iter().for_each(|(name, one)| check(one, &format!("{place}.{name}")));
            }
            _ => {}
        }
    }
    let room = Room::new();
    let seed = "18446744073709551615";
    for run in [
        "collect --games achi --iterations 9 --instances 1 -o data",
        "gauge achi --iterations 9 --games 2 --record gauge",
        "match achi random random --games 2 --record match",
        "search achi --iterations 9 --tree-json tree.json",
        "vet one_to_ten",
    ] {
        let report = room.json(format!("{run} --seed {seed}"));
        assert_eq!(report["seed"], seed, "{run}");
        check(&report, run);
    }
    for path in ["data/instances.jsonl", "gauge", "match", "tree.json"] {
        let text = room.text(path);
        text.lines().for_each(|line| check(&serde_json::from_str(line).unwrap(), path));
    }
    // Records of older versions have numbers: they go on.
    let older =
        |line: &str| line.replace(&format!("\"seed\":\"{seed}\""), &format!("\"seed\":{seed}"));
    room.write("match", resealed(&room.text("match"), 0, &older));
    room.stdout(format!("match achi random random --games 4 --seed {seed} --record match"));
    assert_eq!(room.text("match").lines().count(), 5);
}
