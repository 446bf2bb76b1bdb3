//! Models: trained, refused, and asked about games.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::{
    DATA, USAGE, answer, json, kill_until_it_ends, refused, run, stdout, unsigned_page,
};

/// Games of counting to a target, which a test calls playable where the target is far away, in four
/// groups.
fn labels(playable: impl Fn(u32) -> bool) -> String {
    let mut text = String::new();
    for target in 3..29 {
        write!(
            text,
            "[[game]]\ngame = \"one_to_ten(target={target})\"\nplayable = {}\ngroup = \"{}\"\n",
            playable(target),
            target % 4
        )
        .unwrap();
    }
    text
}

/// A folder with labels, a dataset of their games, and a model.
struct Study {
    root: tempfile::TempDir,
}

impl Study {
    fn new() -> Study {
        let study = Study { root: tempfile::tempdir().unwrap() };
        study.write("labels.toml", labels(|target| target > 15));
        study.collect("data", "labels.toml", &[]);
        study
    }

    fn at(&self, name: &str) -> String {
        self.root.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.at(name), text).unwrap();
        self.at(name)
    }

    fn collect(&self, name: &str, games: &str, more: &[&str]) {
        let (games, path) = (self.at(games), self.at(name));
        let few = ["--iterations", "30", "--instances", "10"];
        stdout(&[&["collect", "--games", &games, "-o", &path][..], &few, more].concat());
    }

    fn train(&self, name: &str, more: &[&str]) -> String {
        let (data, labels, model) = (self.at("data"), self.at("labels.toml"), self.at(name));
        let common = ["train", &data, "--labels", &labels, "--replicates", "12", "-o", &model];
        stdout(&[&common[..], more].concat());
        model
    }
}

#[test]
fn a_model_is_the_same_for_any_threads_and_says_what_it_is_worth() {
    let study = Study::new();
    let one = study.train("one.json", &["--threads", "1"]);
    let other = study.train("other.json", &["--threads", "3"]);
    assert_eq!(fs::read(&one).unwrap(), fs::read(&other).unwrap());
    // The compressed file is the same model.
    let packed = study.train("packed.model.zst", &[]);
    assert!(fs::metadata(&packed).unwrap().len() < fs::metadata(&one).unwrap().len() / 2);
    let vet = |model: &str, more: &[&str]| {
        let games = ["vet", "one_to_ten(target=29..30)", "tic_tac_toe", "--model", model, "--json"];
        answer(&[&games[..], more].concat())
    };
    let report = vet(&one, &["--threads", "1"]);
    assert_eq!(vet(&packed, &["--threads", "3"]), report);
    assert_eq!((&report["schema"], &report["kind"]), (&1.into(), &"vetting".into()));
    let model = &report["model"];
    assert_eq!(model["name"], "own");
    assert_eq!(model["digest"].as_str().unwrap().len(), 16);
    let [trained_on] = &model["trained_on"].as_array().unwrap()[..] else { panic!("{model}") };
    assert_eq!((&trained_on["games"], &trained_on["groups"]), (&26.into(), &4.into()));
    assert_eq!(trained_on["iterations"], serde_json::json!([30]));
    let scores = &model["scores"]["playable"][0];
    assert_eq!((&scores["playable"], &scores["unplayable"]), (&13.into(), &13.into()));
    assert!(scores["auc"]["mean"].as_f64().unwrap() > 0.9, "{scores}");
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    // The rows are in the order of the input; for eyes playable games come first, unplayable ones last, and of each
    // the more probable one before.
    let given = ["one_to_ten(target=29)", "one_to_ten(target=30)", "tic_tac_toe"];
    for (n, (row, given)) in (1..).zip(rows.iter().zip(given)) {
        assert_eq!((&row["place"], &row["input"]), (&n.into(), &given.into()));
        assert_eq!(row["fun_missing"]["reason"], "not_learned");
    }
    let place = |row: &serde_json::Value| {
        let verdicts = ["yes", "cannot_tell", "no"];
        let place = verdicts.iter().position(|verdict| row["verdict"] == **verdict).unwrap();
        (place, 1.0 - row["playable"]["probability"].as_f64().unwrap())
    };
    let shown = stdout(&["vet", given[0], given[1], given[2], "--model", &one]);
    let mut ranked: Vec<&serde_json::Value> = rows.iter().collect();
    ranked.sort_by(|a, b| place(a).partial_cmp(&place(b)).unwrap());
    let line = |row: &&serde_json::Value| {
        let game = row["game"].as_str().unwrap();
        shown.lines().position(|line| line.trim_start().starts_with(game)).unwrap()
    };
    assert!(ranked.iter().is_sorted_by_key(line), "{shown}");
    for row in rows {
        let chance = &row["playable"];
        assert!(chance["low"].as_f64() <= chance["probability"].as_f64());
        assert!(chance["probability"].as_f64() <= chance["high"].as_f64());
        assert_eq!((&row["fun"], &row["payoff"]), (&().into(), &().into()));
        assert_eq!(row["nearest"].as_array().unwrap().len(), 3);
        for reason in row["reasons"].as_array().unwrap() {
            assert!(reason["feature"].is_string() && reason["effect"].is_f64());
            let words = reason["words"].as_str().unwrap();
            assert!(words.contains(" here; the middle half of playable games "), "{words}");
        }
    }
    let far = rows.iter().find(|row| row["game"] == "one_to_ten(target=30)").unwrap();
    assert!(far["playable"]["probability"].as_f64().unwrap() > 0.5, "{far}");
    // The same as text, with the reasons.
    let text = stdout(&["vet", "one_to_ten(target=30)", "--model", &one]);
    for part in
        ["1 game in self-play of 30 iterations per move:", "most like it", "Model own, digest "]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_known_game_is_judged_without_its_family_and_saved_answers_are_shown() {
    let study = Study::new();
    let model = study.train("model.json", &[]);
    let game = "one_to_ten(target=4)";
    let saved = study.write("saved.json", stdout(&["vet", game, "--model", &model, "--json"]));
    let text = stdout(&["vet", game, "--model", &model]);
    assert!(text.contains("it is labelled unplayable by origin, and judged here"), "{text}");
    assert_eq!(stdout(&["report", &saved]), text);
    let page = study.at("page.html");
    stdout(&["vet", game, "--model", &model, "--html", &page]);
    let html = unsigned_page(&page).replace("<wbr>", "");
    for part in ["Which of these games are playable?", "one_to_ten(target=4)", "<svg"] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn a_killed_vetting_continues_to_the_same_answer() {
    let study = Study::new();
    let model = study.train("model.json", &[]);
    let games = study.write("games.txt", "othello(size=4)\nconnect_four\nothello(size=6)\nachi\n");
    let common = ["vet", &games, "--model", &model, "--json"];
    let whole = stdout(&common);
    let record = study.at("record");
    let with_record = [&common[..], &["--record", &record]].concat();
    let grown = || {
        let folders = fs::read_dir(&record).into_iter().flatten().flatten();
        let journal = |folder: fs::DirEntry| fs::metadata(folder.path().join("instances.jsonl"));
        folders.filter_map(|folder| journal(folder).ok()).map(|there| there.len()).sum::<u64>()
    };
    kill_until_it_ends(&with_record, grown);
    assert_eq!(stdout(&with_record), whole);
    // Another seed in the same folder is another run.
    refused(&[&with_record[..], &["--seed", "2"]].concat(), DATA, &["`seed` is 1 there"]);
}

#[test]
fn what_cannot_be_trained_is_said() {
    let study = Study::new();
    let (data, model) = (study.at("data"), study.at("model.json"));
    let train = |data: &str, labels: &str, expected: &[&str]| {
        let code = if expected[0].starts_with("no such") { USAGE } else { DATA };
        refused(&["train", data, "--labels", labels, "-o", &model], code, expected);
        assert!(!Path::new(&model).exists());
    };
    let good = study.at("labels.toml");
    train(&study.at("nothing"), &good, &["is not the folder of a dataset"]);
    let one_class = study.write("one.toml", labels(|_| true));
    train(&data, &one_class, &["26 playable and 0 unplayable games", "at least 10 of each"]);
    let text = labels(|target| target > 15);
    let twice = format!(
        "{text}[[game]]\ngame = \"one_to_ten(target=4)\"\nplayable = true\ngroup = \"x\"\n"
    );
    train(&data, &study.write("twice.toml", twice), &["one_to_ten(target=4)", "listed twice"]);
    let no_group = "[[game]]\ngame = \"achi\"\nplayable = true\n";
    train(&data, &study.write("group.toml", no_group), &["group.toml", "group"]);
    let unknown = text.replacen("one_to_ten(target=3)", "one_to_tenn", 1);
    train(&data, &study.write("unknown.toml", unknown), &["unknown.toml: ", "one_to_tenn"]);
    train(&data, &study.write("none.toml", "# none\n"), &["none.toml: it lists no game"]);
    train(
        &data,
        &study.write("titles.csv", "name,fun\nachi,3\n"),
        &["titles.csv: there is no column `game`"],
    );
    let one_group = study.write(
        "one_group.toml",
        text.lines()
            .map(|line| {
                if line.starts_with("group") {
                    "group = \"one\"\n".to_owned()
                } else {
                    format!("{line}\n")
                }
            })
            .collect::<String>(),
    );
    train(&data, &one_group, &["of the `group` \"one\"", "at least two groups"]);
    let named = |more: [&str; 2], expected: &str| {
        let common = ["train", &data, "--labels", &good, "-o", &model];
        refused(&[&common[..], &more].concat(), USAGE, &[expected]);
    };
    named(["--name", ""], "expected a name");
    named(["--date", "2025-02-29"], "expected a day as YYYY-MM-DD");
    named(["--date", "today"], "expected a day as YYYY-MM-DD");
    // The same self-play twice, and the same of another seed.
    let twice = ["train", &data, &data, "--labels", &good, "-o", &model];
    refused(&twice, DATA, &["collected in the same way", "`merge` makes one"]);
    study.collect("other_seed", "labels.toml", &["--seed", "2"]);
    let other = study.at("other_seed");
    let both = ["train", &data, &other, "--labels", &good, "-o", &model];
    refused(
        &both,
        DATA,
        &["/data and ", "/other_seed were collected", "train a model on one of them"],
    );
    train(&data, &study.write("ratings.csv", "game,joy\nachi,3\n"), &["no column `fun_mean`"]);
    let few = "game,fun_mean\none_to_ten(target=4),30\none_to_ten(target=5),40\n";
    train(&data, &study.write("few.csv", few), &["too few rated games: the datasets have 2"]);
    let high = "game,fun_mean\none_to_ten(target=4),130\n";
    train(&data, &study.write("high.csv", high), &["line 2", "fun_mean", "130"]);
    let nan = "game,fun_mean\none_to_ten(target=4),nan\n";
    // Tables that went through pandas have it where nothing is known.
    train(&data, &study.write("nan.csv", nan), &["too few rated games: the datasets have 0"]);
    // A file that is there is not lost.
    study.write("model.json", "mine");
    refused(&["train", &data, "--labels", &good, "-o", &model], DATA, &["model.json", "--force"]);
    assert_eq!(fs::read_to_string(&model).unwrap(), "mine");
}

#[test]
fn what_is_missing_of_the_data_of_a_model_is_said() {
    let study = Study::new();
    // Labels of games that were not collected, and a part of the instances.
    let mut text = labels(|target| target > 15);
    text += "[[game]]\ngame = \"achi\"\nplayable = true\ngroup = \"achi\"\n";
    study.write("more.toml", text);
    study.collect("part", "labels.toml", &["--shard", "1/2"]);
    let train = |data: &str, labels: &str| {
        let (data, labels, model) = (study.at(data), study.at(labels), study.at("model.json"));
        let common = ["train", &data, "--labels", &labels, "--replicates", "10", "-o", &model];
        let ran = run(&common);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stderr
    };
    let said = train("data", "labels.toml");
    assert!(!said.contains("INCOMPLETE"), "{said}");
    let said = train("data", "more.toml");
    assert!(said.contains("INCOMPLETE: 1 labelled game of the labels is missing: achi."), "{said}");
    let said = train("part", "labels.toml");
    let expected =
        "INCOMPLETE: 130 instances are missing, where each game should have 10: 5 of one_to_ten";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_model_of_ratings_alone_says_what_it_does_not_predict() {
    let study = Study::new();
    let mut ratings = "game,fun_mean\n".to_owned();
    for target in 3..29 {
        writeln!(ratings, "one_to_ten(target={target}),{target}").unwrap();
    }
    let (ratings, model) = (study.write("ratings.csv", ratings), study.at("model.json"));
    let players = ["--players", "random"];
    study.collect("played", "labels.toml", &players);
    let played = study.at("played");
    stdout(&["train", &played, "--labels", &ratings, "-o", &model]);
    let text = stdout(&["vet", "one_to_ten(target=29)", "othello", "--model", &model]);
    let begin = "2 games. The model does not predict whether a game is playable.\n";
    assert!(text.starts_with(begin), "{text}");
    assert_eq!(text.matches("does not predict").count(), 1, "{text}");
    assert!(text.contains("Where fun is blank, people rated no game of the family"), "{text}");
}

#[test]
fn why_many_games_have_their_verdicts_is_on_the_page() {
    let study = Study::new();
    let model = study.train("model.json", &[]);
    let vet = |games: &str| run(&["vet", games, "--model", &model]);
    let hint = "says why, game by game";
    assert!(!vet("one_to_ten(target=3..7)").stderr.contains(hint));
    let many = vet("one_to_ten(target=3..8)");
    assert!(many.stderr.contains(hint) && !many.stdout.contains("because"), "{many:?}");
}

#[test]
fn a_file_that_is_no_model_is_refused() {
    let study = Study::new();
    let good = study.train("good.json", &[]);
    let text = fs::read_to_string(&good).unwrap();
    let vet = |model: &str, expected: &[&str]| {
        for command in ["vet", "gauge", "train"] {
            let arguments = match command {
                "train" => {
                    let (data, labels) = (study.at("data"), study.at("labels.toml"));
                    let (join, output) = (model.to_owned(), study.at("joined.json"));
                    ["train", &data, "--labels", &labels, "--join", &join, "-o", &output]
                        .map(str::to_owned)
                        .to_vec()
                }
                _ => [command, "achi", "--model", model].map(str::to_owned).to_vec(),
            };
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            refused(&arguments, DATA, expected);
        }
    };
    let wrong = |name: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        study.write(name, text.replacen(from, to, 1))
    };
    let no_file = "not a model: it is not a file that `train` wrote";
    vet(&study.write("empty.json", ""), &["empty.json: not a model"]);
    vet(&study.write("text.json", "games\n"), &["text.json: ", no_file]);
    let no_name = study.write("no_name.json", "{\"schema\":1,\"kind\":\"model\"}");
    vet(&no_name, &["no_name.json: not a model: missing field `name`\n"]);
    vet(&study.write("cut.json", &text[..text.len() / 2]), &["cut.json: not a model"]);
    vet(&wrong("schema.json", "\"schema\":1", "\"schema\":2"), &["not a model", "schema"]);
    vet(&wrong("kind.json", "\"kind\":\"model\"", "\"kind\":\"gauge\""), &["not a model", "gauge"]);
    vet(
        &wrong("features.json", "\"worst\"", "\"wurst\""),
        &["\"wurst\" of a tree is none of this program"],
    );
    vet(&wrong("names.json", "\"worst.mean\"", "\"wurst.mean\""), &["\"wurst.mean\" is none that"]);
    vet(
        &wrong("plays.json", "\"instances\":10", "\"instances\":1000000000"),
        &["a dataset has 1000000000 instances, and 1000000 are the most"],
    );
    vet(
        &wrong("row.json", "\"row\":[", "\"row\":[1.5,"),
        &["has not the attributes of the others"],
    );
    let packed = fs::read(study.train("packed.model.zst", &[])).unwrap();
    vet(&study.write("cut.model.zst", &packed[..packed.len() / 2]), &["not a model"]);
    let missing = study.at("missing.json");
    refused(&["vet", "achi", "--model", &missing], DATA, &["missing.json"]);
}

#[test]
fn what_people_said_of_a_game_stands_beside_what_a_model_predicts_without_it() {
    let games =
        ["vet", "mnk(rows=4,cols=4,k=3,dirs=diagonal)", "mnk(rows=4,cols=3,k=3)", "one_to_ten"];
    let report = json(&[&games[..], &["--json"]].concat());
    let row = |game: &str| {
        let rows = report["rows"].as_array().unwrap();
        rows.iter().find(|row| row["input"] == game).unwrap_or_else(|| panic!("{game}")).clone()
    };
    let rated = row(games[1])["fun"].clone();
    assert!(rated["rated"].is_f64() && rated["rated"] != rated["mean"], "{rated}");
    let new = row(games[2])["fun"].clone();
    assert!(new["mean"].is_f64() && new.get("rated").is_none(), "{new}");
    let other = row(games[3]);
    assert!(other["fun"].is_null(), "people rated no game of this family");
    assert_eq!(other["fun_missing"]["reason"], "other_family");
    assert!(row(games[2]).get("fun_missing").is_none());
    let text = stdout(&games);
    assert!(text.contains("no fun is predicted: people rated no game of its family"), "{text}");
    assert!(text.contains("; rated "), "{text}");
    assert!(text.contains("payoff for the first player, -1 to 1"), "{text}");
    assert!(
        text.contains("Where fun and payoff are blank, people rated no game of the family"),
        "{text}"
    );
    for part in ["like published or broken games", "like solved games", "if only these count"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_game_is_known_under_another_name() {
    let vet = |game: &str| json(&["vet", game, "--json"])["rows"][0].clone();
    let (known, twin) = (vet("tic_tac_toe"), vet("mnk(rows=3,cols=3,k=3)"));
    assert!(known["known"].get("game").is_none());
    assert_eq!(twin["known"]["game"], "tic_tac_toe");
    assert_eq!(twin["known"]["playable"], known["known"]["playable"]);
    // Both are judged without the games of one group.
    for row in [known, twin] {
        for near in row["nearest"].as_array().unwrap() {
            assert!(!near["game"].as_str().unwrap().starts_with("tic_tac_toe"), "{row}");
        }
    }
    let text = stdout(&["vet", "mnk(rows=3,cols=3,k=3)"]);
    let words =
        "it is the same game as tic_tac_toe, is labelled playable by origin, and is judged here by";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("most like it of other families"), "{text}");
}

#[test]
fn games_that_cannot_be_vetted_are_said() {
    refused(&["vet", "othelo"], USAGE, &["othelo", "othello"]);
    refused(
        &["vet", "games/none.txt"],
        DATA,
        &["cannot read games/none.txt: there is no such file"],
    );
    refused(&["vet", "achi,achi"], USAGE, &["the game achi is listed twice"]);
    refused(&["vet", "othello", "reversi"], USAGE, &["othello and reversi are the same game"]);
    refused(&["vet", "one_to_ten(target=9..3)"], USAGE, &["a range goes up", "9..3"]);
    refused(&["vet", "one_to_ten(target=1..99999)"], USAGE, &["at most 10000 games"]);
}

#[test]
fn a_gauge_has_the_verdict_of_a_model() {
    let few = ["--games", "2", "--iterations", "30", "--solve-limit", "0", "--json"];
    let gauge = |more: &[&str]| answer(&[&["gauge", "one_to_ten"][..], &few, more].concat());
    let report = gauge(&[]);
    let vetted = &report["vetted"];
    assert_eq!(vetted["model"]["name"], "standard");
    let alone = json(&["vet", "one_to_ten", "--json"]);
    assert_eq!(vetted["verdict"], alone["rows"][0]);
    assert_eq!(vetted["model"], alone["model"]);
    let without = gauge(&["--model", "none"]);
    assert_eq!(without.get("vetted"), None);
    let mut same = report.clone();
    same.as_object_mut().unwrap().remove("vetted");
    assert_eq!(same, without, "a model changes nothing else");
    // A model judges games, not positions.
    let moved = ["gauge", "one_to_ten", "--moves", "1"];
    let model = ["--model", "missing.json"];
    refused(&[&moved[..], &model].concat(), USAGE, &["no position and no moves"]);
    assert_eq!(run(&[&moved[..], &few].concat()).code, Some(0));
    assert_eq!(gauge(&["--moves", "1"]).get("vetted"), None);
}

#[test]
fn a_gauge_beside_which_a_model_is_much_work_asks_none_and_says_so() {
    let few = ["--games", "1", "--skill-games", "0", "--iterations", "2", "--ladder", "1"];
    let gauge =
        |more: &[&'static str]| [&["gauge", "mnk(rows=9,cols=9,k=9)"][..], &few, more].concat();
    let report = json(&gauge(&["--json"]));
    assert_eq!(report.get("vetted"), None);
    let unasked = &report["model_unasked"];
    let gauged = unasked["gauged"].as_u64().unwrap();
    assert_eq!(gauged, 2);
    assert!(unasked["needed"].as_u64().unwrap() > 10 * gauged);
    let ran = run(&gauge(&[]));
    assert!(
        ran.stdout.contains("No model was asked: the self-play that it needs"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("`treegauge vet 'mnk(rows=9,cols=9,k=9)'`"), "{}", ran.stderr);
    // Who wants no model is not told of it.
    assert_eq!(json(&gauge(&["--json", "--model", "none"])).get("model_unasked"), None);
}
