//! Models: trained, refused, and asked about games.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::common::{DATA, Fields, Room, USAGE, answer, json, run, stdout};

/// Games of counting to a target, which a test calls playable where the target is far away, in four
/// groups.
pub(crate) fn labels(playable: impl Fn(u32) -> bool) -> String {
    (3..29).fold(String::new(), |text, target| {
        let (playable, group) = (playable(target), target % 4);
        let game = format!("one_to_ten(target={target})");
        text + &format!("[[game]]\ngame = \"{game}\"\nplayable = {playable}\ngroup = \"{group}\"\n")
    })
}

/// A few games of self-play of the games of a list, into the folder that follows.
const COLLECT: &str = "collect --games labels.toml --iterations 30 --instances 10 -o";

/// A model of the data, into the file that follows.
pub(crate) const TRAIN: &str = "train data --labels labels.toml --replicates 12 -o";

/// A room with labels and a dataset of their games.
pub(crate) fn study() -> Room {
    let room = Room::new();
    room.write("labels.toml", labels(|target| target > 15));
    room.stdout(format!("{COLLECT} data"));
    room
}

#[test]
fn a_model_is_the_same_for_any_threads_and_says_what_it_is_worth() {
    let room = study();
    room.stdout(format!("{TRAIN} one.json --threads 1"));
    room.stdout(format!("{TRAIN} other.json --threads 3"));
    assert!(room.bytes("one.json") == room.bytes("other.json"));
    // The compressed file is the same model.
    room.stdout(format!("{TRAIN} packed.model.zst"));
    assert!(room.size("packed.model.zst") < room.size("one.json") / 2);
    let games = "vet one_to_ten(target=29..30) tic_tac_toe --model";
    let report = room.answer(format!("{games} one.json --threads 1"));
    assert_eq!(room.answer(format!("{games} packed.model.zst --threads 3")), report);
    let model = &report["model"];
    assert_eq!((&model["name"], model.word("/digest").len()), (&"own".into(), 16));
    let [trained_on] = model.list("/trained_on") else { panic!("{model}") };
    assert_eq!((&trained_on["games"], &trained_on["groups"]), (&26.into(), &4.into()));
    assert_eq!(trained_on["iterations"], json!([30]));
    let scores = &model["scores"]["playable"][0];
    assert_eq!((&scores["playable"], &scores["unplayable"]), (&13.into(), &13.into()));
    assert!(scores.number("/auc/mean") > 0.9, "{scores}");
    let rows = report.list("/rows");
    assert_eq!(rows.len(), 3);
    // The rows are in the order of the input; for eyes playable games come first, unplayable ones last, and of each
    // the more probable one before.
    let given = ["one_to_ten(target=29)", "one_to_ten(target=30)", "tic_tac_toe"];
    for (n, (row, given)) in (1..).zip(rows.iter().zip(given)) {
        assert_eq!((&row["place"], &row["input"]), (&n.into(), &given.into()));
        assert_eq!(row["fun_missing"]["reason"], "not_learned");
        let chance = ["/low", "/probability", "/high"].map(|name| row["playable"].number(name));
        assert!(chance.is_sorted(), "{row}");
        assert_eq!((&row["fun"], &row["payoff"]), (&().into(), &().into()));
        assert_eq!(row.list("/nearest").len(), 3);
        for reason in row.list("/reasons") {
            let words = reason.word("/words");
            assert!(words.contains("; the middle half of playable games "), "{words}");
        }
    }
    let place = |row: &Value| {
        let verdicts = ["yes", "cannot_tell", "no"];
        let place = verdicts.iter().position(|verdict| row["verdict"] == **verdict).unwrap();
        (place, 1.0 - row.number("/playable/probability"))
    };
    let shown = room.stdout(format!("vet {} --model one.json", given.join(" ")));
    let mut ranked: Vec<&Value> = rows.iter().collect();
    ranked.sort_by(|a, b| place(a).partial_cmp(&place(b)).unwrap());
    let line = |row: &&Value| {
        let game = row.word("/game");
        shown.lines().position(|line| line.trim_start().starts_with(game)).unwrap()
    };
    assert!(ranked.iter().is_sorted_by_key(line), "{shown}");
    let far = rows.iter().find(|row| row["game"] == given[1]).unwrap();
    assert!(far.number("/playable/probability") > 0.5, "{far}");
    // The same as text, with the reasons; many games have them on the page.
    let vet = |games: &str| room.run(format!("vet {games} --model one.json"));
    let text = vet(&format!("{} --explain", given[1])).stdout;
    for part in [
        "one_to_ten(target=",
        "self-play at 30 iterations per move",
        "nearest games",
        "Model own, digest ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let hint = "says why, game by game";
    assert!(!vet("one_to_ten(target=3..7)").stderr.contains(hint));
    let many = vet("one_to_ten(target=3..8)");
    assert!(many.stderr.contains(hint) && !many.stdout.contains("because"), "{many:?}");
    // A known game is judged without its family.
    let known = vet("one_to_ten(target=14) --explain").stdout;
    let words = "it is labelled unplayable by origin, and judged here";
    assert!(known.contains(words), "{known}");
    let page = room.page("vet one_to_ten(target=14) --model one.json").replace("<wbr>", "");
    for part in ["Which of these games are playable?", "one_to_ten(target=14)", "<svg"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_training_says_what_games_tell_without_trees() {
    let room = study();
    let report = room.answer(format!("{TRAIN} model.json"));
    let [gain] = report.list("/trees_gain") else { panic!("{report}") };
    let of = |attributes: &str| {
        let found = report.list("/baselines").iter().find(|one| one["attributes"] == attributes);
        found.unwrap_or_else(|| panic!("{attributes}"))
    };
    let all = ["length", "draws", "bias", "play", "trees", "trees_and_play"];
    assert_eq!(report.list("/baselines").len(), all.len());
    assert!(all.iter().all(|one| of(one)["iterations"] == 30));
    // A far target takes longer, and nobody draws. Trees alone are the model.
    assert!(of("length").number("/accuracy/mean") > 0.8, "{report}");
    assert!(of("draws").number("/accuracy/mean") < 0.75, "{report}");
    assert_eq!(of("trees")["auc"], report["model"]["scores"]["playable"][0]["auc"]);
    let difference = of("trees_and_play").number("/auc/mean") - of("play").number("/auc/mean");
    assert!((gain.number("/auc/mean") - difference).abs() < 1e-9);
    // The same as text and on the page.
    let text = room.stdout(format!("{TRAIN} other.json --explain"));
    let page = room.page(format!("{TRAIN} third.json"));
    for part in [
        "with search trees the accuracy changes by",
        "mean length of the games, one threshold",
        "search trees, length, draws and bias",
        "Search trees alone are the model.",
    ] {
        assert!(page.contains(part), "{part}: {page}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(part), "{part}: {text}");
    }
}

#[test]
fn labels_that_teach_nothing_are_refused() {
    let room = study();
    let train = |name: &str, labels: String, expected: &[&str]| {
        room.write(name, labels);
        let train = format!("train data --labels {name} -o model.json");
        room.refused(train, DATA, expected);
        assert!(!room.has("model.json"));
    };
    let one_class = ["26 playable and 0 unplayable games", "at least 10 of each"];
    train("one.toml", labels(|_| true), &one_class);
    let text = labels(|target| target > 15);
    let again = "[[game]]\ngame = \"one_to_ten(target=4)\"\nplayable = true\ngroup = \"x\"\n";
    let twice = ["one_to_ten(target=4)", "listed twice"];
    train("twice.toml", format!("{text}{again}"), &twice);
    let unknown = text.replacen("one_to_ten(target=3)", "one_to_tenn", 1);
    train("unknown.toml", unknown, &["unknown.toml: ", "one_to_tenn"]);
    let one_group = ["1", "2", "3"]
        .iter()
        .fold(text, |text, group| text.replace(&format!("group = \"{group}\""), "group = \"0\""));
    train("group.toml", one_group, &["of the `group` \"0\"", "at least two groups"]);
    let few = "game,fun_mean\none_to_ten(target=4),30\none_to_ten(target=5),40\n";
    train("few.csv", few.to_owned(), &["too few rated games: the datasets have 2"]);
}

#[test]
fn what_is_missing_of_the_data_of_a_model_is_said() {
    let room = study();
    // Labels of games that were not collected, and a part of the instances.
    let more = "[[game]]\ngame = \"achi\"\nplayable = true\ngroup = \"achi\"\n";
    room.write("more.toml", room.text("labels.toml") + more);
    room.stdout(format!("{COLLECT} part --shard 1/2"));
    let train = |data: &str, labels: &str| {
        let train = format!("train {data} --labels {labels} --replicates 10 -o model.json");
        let ran = room.run(train);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stderr
    };
    let said = train("data", "labels.toml");
    assert!(!said.contains("INCOMPLETE"), "{said}");
    let said = train("data", "more.toml");
    assert!(said.contains("INCOMPLETE: 1 labelled game of the labels is missing: achi."), "{said}");
    let said = train("part", "labels.toml");
    let expected =
        "INCOMPLETE: 130 instances are missing (each game should have 10): 5 of one_to_ten";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_model_of_ratings_alone_says_what_it_does_not_predict() {
    let room = study();
    let mut ratings = "game,fun_mean\n".to_owned();
    for target in 3..29 {
        writeln!(ratings, "one_to_ten(target={target}),{target}").unwrap();
    }
    room.write("ratings.csv", ratings);
    room.stdout(format!("{COLLECT} played --players random"));
    room.stdout("train played --labels ratings.csv -o model.json");
    let text = room.stdout("vet one_to_ten(target=29) othello --model model.json --explain");
    let begin = "2 games. The model does not predict whether a game is playable.\n";
    assert!(text.starts_with(begin), "{text}");
    assert_eq!(text.matches("does not predict").count(), 1, "{text}");
    assert!(text.contains("If fun is blank, people rated no game of the family"), "{text}");
}

#[test]
fn a_file_that_is_no_model_is_refused() {
    let room = study();
    room.stdout(format!("{TRAIN} good.json"));
    room.stdout(format!("{TRAIN} packed.model.zst"));
    let (text, packed) = (room.text("good.json"), room.bytes("packed.model.zst"));
    let vet = |contents: &[u8], expected: &str| {
        room.write("bad.json", contents);
        for command in [
            "vet achi --model bad.json",
            "gauge achi --model bad.json",
            "train data --labels labels.toml --join bad.json -o joined.json",
        ] {
            room.refused(command, DATA, &["bad.json", expected]);
        }
    };
    vet(b"", "not a model");
    vet(b"games\n", "not a model: it is not a file that `train` wrote");
    vet(b"{\"schema\":1,\"kind\":\"model\"}", "not a model: missing field `name`\n");
    vet(&text.as_bytes()[..text.len() / 2], "not a model");
    for (from, to, expected) in [
        ("\"schema\":1", "\"schema\":2", "schema"),
        ("\"kind\":\"model\"", "\"kind\":\"gauge\"", "gauge"),
        ("\"worst\"", "\"wurst\"", "does not know its tree feature \"wurst\""),
        ("\"worst.mean\"", "\"wurst.mean\"", "does not know its attribute \"wurst.mean\""),
        (
            "\"instances\":10",
            "\"instances\":1000000000",
            "a dataset has 1000000000 instances, and 1000000 are the most",
        ),
        ("\"row\":[", "\"row\":[1.5,", "has other attributes than the rest"),
    ] {
        assert!(text.contains(from), "{from}");
        vet(text.replacen(from, to, 1).as_bytes(), expected);
    }
    room.write("cut.model.zst", &packed[..packed.len() / 2]);
    room.refused("vet achi --model cut.model.zst", DATA, &["cut.model.zst", "not a model"]);
}

#[test]
fn what_people_said_of_a_game_stands_beside_what_a_model_predicts_without_it() {
    let rated = "mnk(rows=4,cols=4,k=3,dirs=diagonal)";
    let games = format!("vet {rated} mnk(rows=4,cols=3,k=3) one_to_ten");
    let report = json(&games);
    let row = |game: &str| {
        let found = report.list("/rows").iter().find(|row| row["input"] == game);
        found.unwrap_or_else(|| panic!("{game}"))
    };
    let rated = &row(rated)["fun"];
    assert!(rated["rated"].is_f64() && rated["rated"] != rated["mean"], "{rated}");
    let new = &row("mnk(rows=4,cols=3,k=3)");
    assert!(new["fun"]["mean"].is_f64() && new["fun"].get("rated").is_none(), "{new}");
    assert!(new.get("fun_missing").is_none());
    let other = row("one_to_ten");
    assert!(other["fun"].is_null(), "people rated no game of this family");
    assert_eq!(other["fun_missing"]["reason"], "other_family");
    let text = stdout(format!("{games} --explain"));
    for part in [
        "no prediction of fun: people rated no game of its family",
        "; rated ",
        "payoff for the first player, -1 to 1",
        "If fun and payoff are blank, people rated no game of the family",
        "playable, by published or broken games: ",
        "playable, by solved games: ",
        "only the games labelled by",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_game_is_known_under_another_name() {
    let vet = |game: &str| json(format!("vet {game}"))["rows"][0].clone();
    let (known, twin) = (vet("tic_tac_toe"), vet("mnk(rows=3,cols=3,k=3)"));
    assert!(known["known"].get("game").is_none());
    assert_eq!(twin["known"]["game"], "tic_tac_toe");
    assert_eq!(twin["known"]["playable"], known["known"]["playable"]);
    // Both are judged without the games of one group.
    for row in [known, twin] {
        for near in row.list("/nearest") {
            assert!(!near.word("/game").starts_with("tic_tac_toe"), "{row}");
        }
    }
    let text = stdout("vet mnk(rows=3,cols=3,k=3) --explain");
    let words =
        "it is the same game as tic_tac_toe, is labelled playable by origin, and is judged here by";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("nearest games of other families"), "{text}");
}

#[test]
fn a_gauge_has_the_verdict_of_a_model() {
    let few = "gauge one_to_ten --games 2 --iterations 30 --solve-limit 0";
    let report = answer(few);
    let vetted = &report["vetted"];
    assert_eq!(vetted["model"]["name"], "standard");
    let alone = json("vet one_to_ten");
    assert_eq!(vetted["verdict"], alone["rows"][0]);
    assert_eq!(vetted["model"], alone["model"]);
    let without = answer(format!("{few} --model none"));
    assert_eq!(without.get("vetted"), None);
    let mut same = report.clone();
    same.as_object_mut().unwrap().remove("vetted");
    assert_eq!(same, without, "a model changes nothing else");
    // A model judges games, not positions.
    assert_eq!(answer(format!("{few} --moves 1")).get("vetted"), None);
    let both = run(format!("{few} --moves 1 --model missing.json"));
    assert_eq!(both.code, Some(USAGE));
    assert!(both.stderr.contains("no position and no moves"), "{}", both.stderr);
}

#[test]
fn evidence_comes_before_the_model_of_a_gauge() {
    let few = "--games 1 --skill-games 0 --iterations 2 --ladder 1 --solve-limit 0";
    // The model would cost too much to be asked.
    let report = json(format!("gauge mnk(rows=5,cols=5,k=3) {few}"));
    assert_eq!(report.get("model_unasked"), None);
    let verdict = &report["vetted"]["verdict"];
    assert_eq!(
        (&verdict["verdict"], &verdict["evidence"]["flaw"]),
        (&"cannot_tell".into(), &"forced_win_ahead".into())
    );
    // One side wins between strong players, and weaker ones have a fair game.
    let many = "--games 40 --skill-games 0 --iterations 400 --ladder 1/100,1/4,1";
    let text = stdout(format!("gauge hexapawn {many}"));
    assert!(text.contains("Playable? Not between such players: the second player wins"), "{text}");
    assert!(text.contains("of the points at 4 and "), "{text}");
}

#[test]
fn a_gauge_beside_which_a_model_is_much_work_asks_none_and_says_so() {
    let few = "--games 1 --skill-games 0 --iterations 2 --ladder 1";
    let gauge = format!("gauge mnk(rows=9,cols=9,k=9) {few}");
    let report = json(&gauge);
    assert_eq!(report.get("vetted"), None);
    let unasked = &report["model_unasked"];
    assert_eq!(unasked["gauged"], 2);
    assert!(unasked.whole("/needed") > 10 * 2);
    let said = "Whether it is playable was not asked: the model needs";
    let text = stdout(format!("{gauge} --explain"));
    assert!(text.contains(said), "{text}");
    // Who wants no model is not told of it.
    assert_eq!(json(format!("{gauge} --model none")).get("model_unasked"), None);
}
