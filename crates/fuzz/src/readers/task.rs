//! Reader of tasks as JSON. The library must not panic on a task that it accepts.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};

use super::Reader;
use treegauge::tasks::{Context, Files, TASKS, task};
use treegauge::{Error, ErrorKind, Watch};

pub(super) struct Task;

/// Watch that stops at once. A task's limits are checked before its work begins.
struct Stop;

impl Watch for Stop {
    fn stop(&self) -> bool {
        true
    }
}

/// Denies access to every file, because a task may name any path.
struct NoFiles;

impl Files for NoFiles {
    fn rules(&self, name: &str) -> Result<String, String> {
        Err(format!("there is no {name}"))
    }

    fn list(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(Some(name.to_owned()))
    }

    fn path(&self, name: &Path) -> Result<PathBuf, Error> {
        Err(Error::new(ErrorKind::Data, format!("there is no {}", name.display())))
    }
}

impl Reader for Task {
    fn name(&self) -> &'static str {
        "task"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let tasks = [
            json!({"command": "gauge", "game": "achi", "games": 3, "iterations": 20, "ladder": [1, 2], "solver": true,
                "merge": "equal", "cp": 0.5, "plies_max": 200, "seed": 7, "skill_games": 2, "fail_on": ["any"],
                "moves": "a1 b2", "model": "none"}),
            json!({"command": "compare", "names": ["one_to_ten(target=8..9)"], "games": 2, "iterations": 9}),
            json!({"command": "match", "game": "achi", "players": ["random", "uct(iterations=9)"], "games": 4,
                "opening_plies": 1, "sprt": "elo0=0,elo1=30"}),
            json!({"command": "match", "power": true, "gap": 0.1, "draw_rate": 0.2, "correlation": -0.1}),
            json!({"command": "tournament", "game": "achi", "player": ["random", "uct(iterations=5)"], "games": 2}),
            json!({"command": "perft", "game": "othello(size=4)", "depth": 3, "divide": true}),
            json!({"command": "search", "game": "achi", "iterations": 50, "trees": 2, "nodes_max": 40,
                "memory_max": "1M", "style": "williams", "picture_depth": 3, "variance": "sample"}),
            json!({"command": "search", "game": "achi", "player": "alphabeta(nodes=60)"}),
            json!({"command": "evaluate", "datasets": ["a.csv", "b"], "corpus": "labels.toml", "permutations": 3}),
            json!({"command": "check", "file": "my.rules", "seed": 3}),
            json!({"command": "show", "game": "achi", "moves": "a1"}),
            json!({"command": "games", "names": ["achi"]}),
            json!({"command": "tasks", "commands": ["gauge"]}),
            json!({"command": "games", "names": ["achi,alak", "mnk(rows=3..4)"], "canonical": true}),
            json!({"command": "replay", "file": "mnk.jsonl", "game": "7"}),
            json!({"command": "probe", "file": "achi.tgs", "position": ".../.../... x"}),
            json!({"command": "verify", "file": "achi.tgs"}),
            json!({"command": "landscape", "file": "achi.tgs"}),
            json!({"command": "solve", "game": "achi", "symmetry": true, "moves": "a1"}),
            json!({"command": "interest", "source": "achi", "form": "literal", "draws": "skip"}),
            json!({"command": "interest", "source": "achi.tgs", "start": 3}),
            json!({"command": "puzzles", "source": "achi", "mate_in": "2..4", "top": 2, "unique": true}),
            json!({"command": "collect", "games": "achi,alak", "iterations": 9, "instances": 2, "shard": "1/2",
                "players": "random,uct(iterations=3)", "merge": "equal", "variance": "sample"}),
            json!({"command": "aggregate", "dataset": "study", "split": "player", "with": ["rules", "play"],
                "webs": "webs"}),
            json!({"command": "train", "datasets": ["study"], "labels": "a.toml", "name": "mine", "date": "2024-02-29",
                "replicates": 10}),
            json!({"command": "vet", "games": ["achi,alak"], "seed": 5}),
            json!({"command": "generate", "from": ["achi", "breakthrough"], "games": 3, "best": 1, "control": 0.5,
                "axes": "plies,branching", "model": "none", "glance_games": 4, "shard": "2/2"}),
            json!({"command": "generate", "again": ["run", 17]}),
            json!({"command": "corridor", "lengths": [1, 2], "iterations": [9], "variant": ["tree", "solver=true"],
                "searches": 3}),
            json!({"command": "merge", "files": ["a.jsonl", "b.jsonl"], "games": 7, "sprt": "elo0=0,elo1=9"}),
            json!({"command": "new", "game": "breakthrough(cols=5)"}),
            json!({"command": "new", "list": true}),
            json!({"command": "difficulty", "file": "puzzles.csv", "depth": 8, "multipv": 4, "for_rating": 1500,
                "settings": "thesis-literal", "w": 180.5, "out": "csv", "attributes": "all", "model": "none"}),
            json!({"command": "difficulty", "show": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "nodes_max": 99}),
            json!({"command": "difficulty", "game": "achi", "iterations": 40, "w": 0.5, "moves": "b2 a1"}),
        ];
        for kind in TASKS {
            let has_sample = tasks.iter().any(|task| task["command"] == kind.name);
            ensure!(has_sample, "the task {:?} has no sample", kind.name);
        }
        let samples: Vec<Vec<u8>> =
            tasks.iter().map(|task| task.to_string().into_bytes()).collect();
        let path = Path::new("");
        ensure!(samples.iter().all(|sample| self.read(sample, path)), "a task is refused");
        Ok(samples)
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(bytes) else { return false };
        let Ok(task) = task(&fields) else { return false };
        let context = Context { watch: &Stop, files: &NoFiles, ..Context::default() };
        if let Ok(done) = task.run(&context) {
            done.report.json(&()).expect("a report has a JSON");
        }
        true
    }
}
