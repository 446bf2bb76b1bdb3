//! Files that the attacks begin with, made by the program itself.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::attack::job::{Job, Signal};
use crate::heavy;
use crate::run::root;

/// Game of the checkpoint.
pub(crate) const STOPPED: &str = "connect_four(cols=5,rows=4)";

/// Command of the sample gauge.
pub(crate) const GAUGE: &str = "gauge tic_tac_toe --games 4 --skill-games 2 --iterations 50";

/// Command of the sample match.
pub(crate) const MATCH: &str = "match tic_tac_toe random uct(iterations=20) --games 12";

/// Command of the sample tournament.
pub(crate) const TOURNAMENT: &str =
    "tournament tic_tac_toe random uct(iterations=20) uct(iterations=40) --games 6";

/// Command of the sample comparison.
pub(crate) const COMPARE: &str =
    "compare tic_tac_toe broken_tic_tac_toe --games 4 --skill-games 2 --iterations 50";

/// Saved reports with the commands that print them: all kinds that need no chess engine.
pub(crate) const REPORTS: [(&str, &str); 28] = [
    ("gauge.json", GAUGE),
    ("match.json", MATCH),
    ("tournament.json", TOURNAMENT),
    ("compare.json", COMPARE),
    ("solve.json", "solve achi"),
    ("verify.json", "verify tic.tgs"),
    ("probe.json", "probe tic.tgs"),
    ("interest.json", "interest tic.tgs"),
    ("puzzles.json", "puzzles tic.tgs"),
    ("search.json", "search tic_tac_toe --iterations 200"),
    ("perft.json", "perft tic_tac_toe --depth 4"),
    (
        "alphabeta.json",
        "search breakthrough(rows=4,cols=4) --player alphabeta(eval=mobility,depth=2)",
    ),
    ("show.json", "show othello"),
    ("rules.json", "show own.rules"),
    ("check.json", "check own.rules"),
    ("list.json", "games"),
    ("templates.json", "new --list"),
    ("replay.json", "replay match.jsonl"),
    ("replayed.json", "replay match.jsonl --game 3"),
    ("kept.json", "interest saved.tgs --start 5"),
    ("corridor.json", "corridor --lengths 1,2 --iterations 50 --searches 10"),
    ("power.json", "match --power --gap 0.1 --draw-rate 0.3"),
    ("vet.json", "vet one_to_ten"),
    ("dataset.json", "collect --games achi --iterations 9 --instances 2 -o one"),
    ("evaluate.json", "evaluate some --permutations 2"),
    (
        "generate.json",
        "generate --from tic_tac_toe --games 4 --generation 4 --best 1 --iterations 16 \
         --gauge-games 2 --model none -o made",
    ),
    ("graded.json", "difficulty puzzles.json"),
    ("problem.json", "difficulty --show tic_tac_toe --iterations 200"),
];

/// Name of the sample cache of engine answers.
pub(crate) const ANSWERS: &str = "engine.answers";

/// Six chess problems for the sample engine, which knows only one position. The problems differ in
/// their move counters.
pub(crate) fn problems() -> String {
    (1..=6).map(|n| format!("1k6/1b3n2/KQp5/3r4/8/8/8/8 w - - 0 {n}\n")).collect()
}

/// Arguments that rate the problems of a file with that engine and a cache of its answers.
pub(crate) fn asked(file: &str, cache: &str, more: &[&str]) -> Vec<String> {
    let engine = root().join("testdata/engines/only_move.sh");
    let engine = engine.to_str().expect("the repository has a path of text");
    let words = ["difficulty", file, "--engine", engine, "--cache", cache, "--depth", "4"];
    words.iter().chain(more).map(|word| (*word).to_owned()).collect()
}

/// Command that collects enough games for an evaluation.
const SOME: &str = "collect --games tic_tac_toe,tic_tac_toe(k=2),broken_connect_four,\
                    connect_four(cols=4,rows=4),achi,one_to_ten,isolation,broken_achi \
                    --iterations 9 --instances 2 -o some";

/// Folder of the samples.
pub(crate) struct Samples {
    program: PathBuf,
    folder: PathBuf,
    /// Output of `games --json`: the games and presets by name, and the parameters of the games.
    pub(crate) games: serde_json::Value,
}

impl Samples {
    /// Makes the small samples.
    pub(crate) fn make(program: &Path, folder: &Path) -> Result<Samples> {
        fs::create_dir_all(folder)?;
        let program = program.to_owned();
        let games = serde_json::Value::Null;
        let mut samples = Samples { program, folder: folder.to_owned(), games };
        for (file, game) in
            [("tic", "tic_tac_toe"), ("achi", "achi"), ("four", "connect_four(cols=4,rows=4)")]
        {
            samples.run(&format!("solve {game} -o {file}.tgs"), None)?;
        }
        fs::copy(samples.path("achi.tgs"), samples.path("saved.tgs"))?;
        samples.run("interest saved.tgs --save", None)?;
        for (file, command) in [("gauge", GAUGE), ("match", MATCH), ("tournament", TOURNAMENT)] {
            samples.run(&format!("{command} --record {file}.jsonl"), None)?;
        }
        samples.run("new breakthrough", Some("own.rules"))?;
        samples.run(SOME, None)?;
        for (file, command) in REPORTS {
            samples.run(&format!("{command} --json"), Some(file))?;
        }
        fs::write(samples.path("six.fen"), problems())?;
        samples.run_words(&asked("six.fen", ANSWERS, &[]), None)?;
        samples.checkpoint()?;
        heavy::write(folder)?;
        samples.run("games --json", Some("games.json"))?;
        samples.games = serde_json::from_str(&fs::read_to_string(samples.path("games.json"))?)?;
        Ok(samples)
    }

    /// Makes the large samples, which commands work on for seconds.
    pub(crate) fn make_large(&self) -> Result<()> {
        if self.path("large.tgs").exists() {
            return Ok(());
        }
        let players = (2..6).map(|n| format!(" uct(iterations={n})")).collect::<String>();
        let record = "--games 5000 --record large_tournament.jsonl";
        self.run(&format!("tournament tic_tac_toe random{players} {record}"), None)?;
        let record = "--games 100000 --record large_match.jsonl";
        self.run(&format!("match tic_tac_toe random uct(iterations=2) {record}"), None)?;
        self.run(&format!("solve {STOPPED} -o large.tgs"), None)
    }

    /// Stops a solve so that it leaves a checkpoint.
    fn checkpoint(&self) -> Result<()> {
        let mut at = Duration::from_millis(400);
        let beside = self.folder.join("beside");
        fs::create_dir_all(beside.join("tmp"))?;
        for _ in 0..6 {
            let job = Job::new(["solve", STOPPED, "-o", "stopped.tgs"]);
            let job = job.signal(at, Signal::Terminate).patience(Duration::from_secs(60));
            let ran = job.run(&self.program, &self.folder, &beside)?;
            if ran.code == Some(130) {
                return Ok(());
            }
            // The solve had already finished, or was not ready for the signal.
            at = if ran.code == Some(0) { at.mul_f64(0.6) } else { at.mul_f64(1.5) };
        }
        anyhow::bail!("no signal left a checkpoint of {STOPPED}")
    }

    fn run(&self, words: &str, into: Option<&str>) -> Result<()> {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        self.run_words(&words, into)
    }

    fn run_words(&self, words: &[String], into: Option<&str>) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(&self.folder).stdin(Stdio::null()).stderr(Stdio::null());
        command.stdout(match into {
            Some(name) => File::create(self.path(name))?.into(),
            None => Stdio::null(),
        });
        let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
        ensure!(status.success(), "{command:?} failed: {status}");
        Ok(())
    }

    /// Path of a sample.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Content of a sample.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>> {
        fs::read(self.path(name)).with_context(|| format!("missing sample {name}"))
    }
}
