//! Tasks read the files that a context gives, and no others.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use treegauge::tasks::{Context, Files, task};
use treegauge::{Error, ErrorKind, template};

/// Files below a folder by their names, and texts of games that are in no file.
struct Root {
    folder: PathBuf,
    texts: Vec<(&'static str, String)>,
}

impl Files for Root {
    fn rules(&self, name: &str) -> Result<String, String> {
        let text = self.texts.iter().find(|(known, _)| *known == name);
        text.map(|(_, text)| text.clone()).ok_or_else(|| "there is no such text".to_owned())
    }

    fn list(&self, name: &str) -> Result<Option<String>, Error> {
        Ok((name == "list.txt").then(|| "own.rules\nachi\n".to_owned()))
    }

    fn path(&self, name: &Path) -> Result<PathBuf, Error> {
        match name.components().count() {
            1 => Ok(self.folder.join(name)),
            _ => Err(Error::new(ErrorKind::Data, format!("{} is elsewhere", name.display()))),
        }
    }
}

fn run(root: &Root, fields: &Value) -> Result<Value, Error> {
    let context = Context { files: root, ..Context::default() };
    let done = task(fields.as_object().unwrap())?.run(&context)?;
    Ok(serde_json::from_str(&done.report.json(&())?).unwrap())
}

#[test]
fn texts_and_files_are_those_of_the_context() {
    let folder = tempfile::tempdir().unwrap();
    let root = Root {
        folder: folder.path().to_owned(),
        texts: vec![("own.rules", template("breakthrough").unwrap())],
    };
    let solved = treegauge::Game::parse("achi").unwrap();
    let solution =
        treegauge::solve(&solved, &solved.start(), treegauge::solve::Options::default(), &());
    solution.unwrap().done().unwrap().write(&folder.path().join("achi.tgs")).unwrap();

    // A text that is in no file.
    let counted = json!({"command": "perft", "game": "own.rules", "depth": 2});
    assert_eq!(run(&root, &counted).unwrap()["game"], "own.rules");
    let listed = Context { files: &root, ..Context::default() }.listed(&["list.txt".to_owned()]);
    let names: Vec<String> = listed.unwrap().iter().map(|game| game.written()).collect();
    assert_eq!(names, ["own.rules", "achi"]);

    // Files that players and evaluators read.
    let play =
        |a: &str| json!({"command": "match", "game": "achi", "a": a, "b": "random", "games": 4});
    let players = ["perfect(file=achi.tgs)", "alphabeta(eval=perfect(file=achi.tgs),nodes=20)"];
    for player in players {
        let report = run(&root, &play(player)).unwrap();
        assert_eq!(report["a"], player, "{report}");
    }
    let search = json!({"command": "search", "game": "achi", "player": players[1]});
    assert!(run(&root, &search).is_ok());
    let there = folder.path().join("achi.tgs").display().to_string();
    let elsewhere = format!("perfect(file={there})");
    for fields in [
        play(&elsewhere),
        json!({"command": "search", "game": "achi",
            "player": format!("alphabeta(eval={elsewhere},nodes=20)")}),
        json!({"command": "tournament", "game": "achi", "games": 2, "player": ["random", elsewhere]}),
        json!({"command": "collect", "games": "achi", "players": elsewhere}),
        json!({"command": "probe", "file": there}),
        json!({"command": "interest", "source": there}),
        json!({"command": "difficulty", "game": "achi", "solved": there}),
        json!({"command": "aggregate", "dataset": there}),
        json!({"command": "merge", "files": [there]}),
    ] {
        let error = run(&root, &fields).expect_err("the file is elsewhere");
        assert!(error.to_string().contains("is elsewhere"), "{fields}: {error}");
    }
    let file = folder.path().join("secret.rules");
    fs::write(&file, template("breakthrough").unwrap()).unwrap();
    let file = file.display().to_string();
    for fields in [
        json!({"command": "gauge", "game": file}),
        json!({"command": "compare", "names": ["achi", file]}),
        json!({"command": "vet", "games": [file]}),
        json!({"command": "check", "file": file}),
        json!({"command": "solve", "game": file}),
    ] {
        let error = run(&root, &fields).expect_err("the text is elsewhere").to_string();
        assert!(error.contains("there is no such text"), "{fields}: {error}");
    }
}
