//! Every task keeps these promises: its report is documented, read back, made again by the task that it repeats, and has a
//! page; its work continues; and it replaces no file of others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Stdio;

use serde_json::{Map, Value};
use treegauge::tasks::{KeptPlace, TASKS, TaskKind};

use crate::common::{DATA, Room, USAGE, Words, testdata, unsigned};
use crate::degenerate::check_page;
use crate::difficulty::many_problems;
use crate::generate::FEW;
use crate::vet::labels;

/// Short runs with the kinds of their reports, about games and studies of them. What one writes is there for those
/// behind it.
const STUDIES: &[(&str, &str)] = &[
    ("gauge", "gauge connect_four --games 3 --iterations 40 --model none --record gauge.jsonl"),
    ("gauge", "gauge tic_tac_toe --games 4 --skill-games 0"),
    (
        "gauge",
        "gauge 'othello(size=4)' --iterations 30 --skill-games 2 --games 3 --opening-plies 1 --moves d3",
    ),
    ("gauge", "gauge 'tic_tac_toe(k=2)' --moves 'a1 c3 b1' --games 2"),
    (
        "gauge",
        "gauge 'tic_tac_toe(k=2)' --games 2 --iterations 40 --merge equal --solver --expansion random",
    ),
    (
        "compare",
        "compare one_to_ten 'one_to_ten(target=9)' --games 2 --iterations 30 --record gauges",
    ),
    ("vetting", "vet one_to_ten"),
    ("generation", "generate --from tic_tac_toe.rules -o made --games 8"),
    ("formatted", "generate --again made 1"),
    (
        "dataset",
        "collect --games achi,broken_achi,forms,broken_nine_mens_morris -o data --iterations 20 --instances 2",
    ),
    ("attributes", "aggregate data --with play"),
    ("evaluation", "evaluate data --permutations 1"),
    (
        "dataset",
        "collect --games labels.toml -o labelled --iterations 30 --instances 10 --players random",
    ),
    ("trained", "train labelled --labels labels.toml --replicates 12 -o model.json"),
    ("vetting", "vet 'one_to_ten(target=4)' achi --model model.json --record vetted"),
    ("difficulty", "difficulty puzzles.fen --depth 4 --nodes-max 12 --cache answers"),
    ("problem", "difficulty --show tic_tac_toe --moves 'a1 b1' --iterations 300"),
    (
        "problem",
        "difficulty --show '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' --depth 4 --nodes-max 12 --no-cache",
    ),
    ("difficulty_evaluation", "evaluate problems.csv"),
    ("trained_difficulty", "train problems.csv -o rating.json"),
    ("corridor", "corridor --lengths 1,2 --iterations 9 --searches 4 --record corridor.jsonl"),
];

/// The same about positions, records and texts of games.
const POSITIONS: &[(&str, &str)] = &[
    ("solve", "solve achi -o achi.tgs"),
    ("solve", "solve 'dots_and_boxes(rows=1,cols=2)'"),
    ("probe", "probe achi.tgs --moves 'b2 a1'"),
    ("verify", "verify achi.tgs"),
    ("landscape", "landscape achi.tgs"),
    ("interest", "interest achi.tgs --save"),
    ("interest", "interest tic_tac_toe --draws skip"),
    ("interest_position", "interest achi.tgs --start"),
    ("puzzles", "puzzles achi.tgs --top 2 --mate-in 1.."),
    ("graded_puzzles", "difficulty puzzles.json --solved achi.tgs"),
    (
        "match",
        "match tic_tac_toe random 'uct(iterations=9)' --games 11 --moves b2 --record match.jsonl",
    ),
    (
        "match",
        "match tic_tac_toe --a 'uct(iterations=60)' --b random --games 200 --sprt elo0=0,elo1=80",
    ),
    (
        "match",
        "match one_to_ten 'uct(iterations=90)' 'uct(iterations=80)' --games 40 --opening-plies 0",
    ),
    ("power", "match --power --gap 0.1 --draw-rate 0.3"),
    ("power", "match --power --record match.jsonl"),
    (
        "tournament",
        "tournament tic_tac_toe random 'uct(iterations=40)' random --games 10 --record three.jsonl",
    ),
    ("tournament", "tournament tic_tac_toe random 'uct(iterations=40)' --games 1"),
    ("match", "merge match.jsonl --games 11"),
    ("tournament", "merge three.jsonl"),
    ("replay", "replay match.jsonl"),
    ("replayed_game", "replay match.jsonl --game 3"),
    ("search", "search othello --iterations 90"),
    ("search", "search 'tic_tac_toe(k=2)' --merge equal --solver --expansion random"),
    ("alphabeta_search", "search breakthrough --player 'alphabeta(eval=mobility,depth=3)'"),
    ("show", "show othello --moves 'd3 c3'"),
    ("show", "show kalah --moves 1 --cells"),
    ("show", "show 'tic_tac_toe(k=2)' --moves 'a1 c3 b1'"),
    ("show", "show tic_tac_toe.rules"),
    ("check", "check tic_tac_toe.rules"),
    ("formatted", "check tic_tac_toe.rules --format"),
    ("games", "games achi mnk"),
    ("names", "games --canonical broken_achi"),
    ("templates", "new --list"),
    ("tasks", "tasks perft tasks"),
    ("formatted", "new breakthrough"),
    ("perft", "perft connect_four --depth 3"),
    ("perft", "perft tic_tac_toe --depth 2 --divide"),
];

/// A room with the files that the runs read and do not make.
fn prepared() -> Room {
    let room = Room::new();
    room.write("letter", LETTER);
    let text = std::fs::read(testdata("rules/tic_tac_toe.rules")).unwrap();
    room.write("tic_tac_toe.rules", text);
    room
}

const LETTER: &str = "a letter to my aunt\n";

/// A run of a task in its room.
struct Sample<'a> {
    room: &'a Room,
    kind: &'static TaskKind,
    /// The command line without `-o` and its value, and with.
    bare: String,
    command: String,
    /// The name that `-o` gives.
    output: Option<String>,
    json: String,
    report: Value,
    page: String,
}

impl<'a> Sample<'a> {
    fn of(room: &'a Room, kind: &str, command: &str) -> Sample<'a> {
        let few = if command.contains(" -o made") { FEW } else { "" };
        let command = format!("{command} {few}");
        let (bare, output) = match command.split_once(" -o ") {
            Some((before, after)) => {
                let (output, rest) = after.split_once(' ').unwrap_or((after, ""));
                (format!("{before} {rest}"), Some(output.to_owned()))
            }
            None => (command.clone(), None),
        };
        let before = room.names(".");
        // The positions of a file, and graded puzzles, have their page as saved reports only.
        let has_page = !matches!(kind, "interest_position" | "graded_puzzles");
        let html = if has_page { "--html page.html" } else { "" };
        let json = room.stdout(format!("{command} --json --force {html}"));
        room.write("report.json", &json);
        if !has_page {
            room.stdout("report report.json --html page.html --force");
        }
        let page = room.text("page.html");
        check_page(&page);
        let report: Value = serde_json::from_str(&json).expect("stdout is JSON");
        let begin = format!("{{\"schema\":1,\"kind\":\"{kind}\",");
        assert!(json.starts_with(&begin), "{command}: {json}");
        let name = command.split(' ').next().unwrap();
        assert_eq!(report["task"]["command"], name);
        let kind = TASKS.iter().find(|task| task.name == name).expect("it is a task");
        let sample =
            Sample { room, kind, bare, command, output, json, report, page: unsigned(&page) };
        sample.continues(&before);
        sample
    }

    /// Wherever a kill cut its journals, the same command ends with the same report and the same files.
    fn continues(&self, before: &[String]) {
        let room = self.room;
        let is_new = |name: &String| name.ends_with(".jsonl") && !before.contains(name);
        for journal in room.names(".").into_iter().filter(is_new) {
            let whole = room.bytes(&journal);
            for cut in [whole.len() / 3, whole.len() - 2] {
                // The texts of a generation are written at its end.
                _ = std::fs::remove_dir_all(room.at(&journal).with_file_name("best"));
                room.write(&journal, &whole[..cut]);
                let again = room.stdout(format!("{} --json", self.command));
                assert_eq!(untimed(&again), untimed(&self.json), "{} after {cut}", self.command);
                assert!(room.bytes(&journal) == whole, "{journal} after {cut} bytes");
            }
            let other = format!("{} --seed 77", self.command);
            room.refused(other, DATA, &["`seed` is 1 there and 77 here"]);
            assert!(room.bytes(&journal) == whole, "{journal} of another seed");
        }
    }

    /// Whether the task takes seconds. Others of its kind, with other data, do not.
    fn is_slow(&self) -> bool {
        self.command.contains("problems.csv")
    }

    /// The report that was saved is printed as the command prints it, and its page is the same.
    fn reads_back(&self) {
        let (room, command) = (self.room, &self.command);
        room.write("report.json", &self.json);
        // The next command names the files of this run, which a saved report does not know.
        // Nor does the report of a search keep its tree.
        fn without_tree(page: &str) -> String {
            let figures = page.split_inclusive("</figure>");
            let cut = |part: &str| match part.rfind("<figure") {
                Some(at) if part[at..].contains("class=\"game-tree\"") => part[..at].to_owned(),
                _ => part.to_owned(),
            };
            figures.map(cut).collect()
        }
        fn next(line: &str) -> &str {
            if line.starts_with("Next: ") { "Next" } else { line }
        }
        let untimed = |text: String| {
            let lines = text.lines().filter(|line| !line.contains(" s of CPU time"));
            lines.map(next).collect::<Vec<_>>().join("\n")
        };
        let saved = untimed(room.stdout("report report.json"));
        // What says what to do next, and tables and texts that programs read, belong to the command.
        let own = ["aggregate", "new", "generate", "--save", "--start", "--format"];
        if !self.is_slow() && !own.iter().any(|word| command.contains(word)) {
            let text = untimed(room.stdout(format!("{command} --force")));
            assert_eq!(saved, text, "{command}");
        }
        let before_next =
            |page: &str| without_tree(page).split("<p class=\"next\">").next().map(str::to_owned);
        let saved = room.page("report report.json");
        assert_eq!(before_next(&saved), before_next(&self.page), "{command}");
        let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';";
        assert!(self.page.contains(policy) && self.page.contains("<title>"), "{command}");
    }

    /// The picture describes itself, and is that of the saved report.
    fn has_its_picture(&self) {
        let room = self.room;
        room.write("report.json", &self.json);
        let has_none = ["--power", "--again"].iter().any(|option| self.command.contains(option));
        if !self.kind.has_picture || has_none {
            return;
        }
        let ran = room.run("report report.json --svg -");
        assert_eq!(ran.code, Some(0), "{}: {}", self.command, ran.stderr);
        let picture = ran.stdout;
        let begin = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"";
        assert!(picture.starts_with(begin), "{}: {picture}", self.command);
        assert!(picture.contains(">treegauge 0."), "{}: {picture}", self.command);
        if !self.is_slow() {
            room.stdout(format!("{} --svg picture.svg --force", self.command));
            let file = room.text("picture.svg");
            assert_eq!(file, format!("{picture}<!-- treegauge -->\n"), "{}", self.command);
        }
    }

    /// A report of another schema or without one of its first fields is refused.
    fn damage_is_refused(&self) {
        for (from, to, expected) in [
            ("\"schema\":1", "\"schema\":2", "schema"),
            ("\"kind\":\"", "\"kind\":\"un", "unknown kind"),
        ] {
            let damaged = self.json.replacen(from, to, 1);
            let Err(error) = treegauge::tasks::read_report(&damaged) else {
                panic!("{}: {to} is read", self.command)
            };
            assert!(error.to_string().contains(expected), "{}: {error}", self.command);
        }
    }

    /// The task of the report has it made again, to the same bytes.
    fn is_made_again(&self) {
        self.room.write("report.json", &self.json);
        let output = self.output.as_ref().map_or(String::new(), |name| format!("-o again-{name}"));
        let again = self.room.stdout(format!("run report.json --json {output}"));
        assert_eq!(untimed(&again), untimed(&self.json), "{}", self.command);
    }

    /// A reader that goes away ends the program without an error or a message.
    fn is_silent_without_a_reader(&self) {
        let (_, unread) = std::io::pipe().expect("there is a pipe");
        let mut program = self.room.program(format!("{} --quiet --force", self.command));
        let output = program.stdout(unread).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{}", self.command);
    }

    /// The options of the task that write files.
    fn outputs(&self) -> Vec<(String, bool)> {
        let files = self.kind.means.files.iter();
        let mut outputs: Vec<_> =
            files.map(|option| (option.name.replace('_', "-"), option.is_folder)).collect();
        outputs.push(("html".to_owned(), false));
        outputs.extend(self.kind.has_picture.then(|| ("svg".to_owned(), false)));
        outputs
    }

    /// No option writes over a letter, into a place that is not a folder, or over what the command reads.
    fn spares_files_of_others(&self, seen: &mut BTreeSet<String>) {
        let room = self.room;
        let words = self.bare.words();
        let is_read = |n: &usize| !matches!(&*words[n - 1], "--record" | "--cache");
        let files = (1..words.len()).filter(|&n| room.at(&words[n]).is_file()).filter(is_read);
        let inputs: Vec<&String> = files.map(|n| &words[n]).collect();
        for (option, is_folder) in self.outputs() {
            let own = self.output.as_ref().filter(|_| option != "output");
            let own = own.map_or(String::new(), |name| format!("-o {name}"));
            let with = |path: &str| format!("{} {own} --{option} {path}", self.bare);
            if is_folder || !seen.insert(format!("{} --{option}", self.kind.name)) {
                continue;
            }
            let letter = if option == "output" && room.run(with("letter")).code == Some(USAGE) {
                "letter.csv"
            } else {
                "letter"
            };
            room.write(letter, LETTER);
            let before = room.files(".");
            let unchanged = |with: &str| {
                let after = room.files(".");
                assert!(after == before, "{} --{option} {with}", self.command);
            };
            room.refused(with(letter), DATA, &["cannot write", "letter", "--force replaces it"]);
            unchanged(letter);
            for bad in [format!("no/{letter}"), format!("letter/{letter}")] {
                room.refused(with(&bad), DATA, &["cannot write", &bad]);
                unchanged(&bad);
            }
            for input in &inputs {
                for force in ["", " --force"] {
                    let ran = room.run(with(input) + force);
                    assert_eq!(ran.code, Some(USAGE), "{}: {}", with(input), ran.stderr);
                    unchanged(input);
                }
            }
        }
    }

    /// A path that is missing, or is not a file, is named.
    fn reads_files_only(&self, seen: &mut BTreeSet<String>) {
        let room = self.room;
        let words = self.bare.words();
        for (n, word) in words.iter().enumerate().filter(|(_, word)| room.has(word)) {
            let place = if words[n - 1].starts_with("--") { &words[n - 1] } else { "FILE" };
            let is_kept = matches!(place, "--record" | "--cache");
            if is_kept || !seen.insert(format!("{} {place}", self.kind.name)) {
                continue;
            }
            let own = self.output.iter().flat_map(|name| ["-o", name]).map(str::to_owned);
            let with = |path: &str| {
                let changed = words.iter().map(|one| if one == word { path } else { one });
                changed.map(str::to_owned).chain(own.clone()).collect::<Vec<_>>()
            };
            let missing = format!("no/{word}");
            room.refused(with(&missing), DATA, &[&missing]);
            // What may be a folder or a game is said to be neither.
            if !room.at(word).is_file() || word.ends_with(".rules") {
                continue;
            }
            for path in ["/dev/null", "/dev/zero", "pipe"] {
                let ran = room.run(with(path));
                assert_eq!(ran.code, Some(DATA), "{:?}: {}", with(path), ran.stderr);
                assert!(ran.stderr.contains("not a file"), "{:?}: {}", with(path), ran.stderr);
            }
        }
    }
}

/// Names that occur in `docs/json.md` as code.
fn documented() -> BTreeSet<String> {
    let text = std::fs::read_to_string(testdata("../docs/json.md")).unwrap();
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A report without what may differ between two equal runs: times, rates per second and memory.
fn untimed(json: &str) -> Value {
    fn stable(value: Value) -> Value {
        let is_stable = |name: &str| {
            let times = ["_s", "_ms", "_ratio"].iter().any(|unit| name.ends_with(unit));
            // `bench` counts for a time.
            !times && !matches!(name, "peak_memory_bytes" | "plies_per_playout" | "bytes_per_node")
        };
        match value {
            Value::Object(fields) => {
                let fields = fields.into_iter().filter(|(name, _)| is_stable(name));
                Value::Object(fields.map(|(name, value)| (name, stable(value))).collect())
            }
            Value::Array(values) => Value::Array(values.into_iter().map(stable).collect()),
            other => other,
        }
    }
    stable(serde_json::from_str(json).expect("it is JSON"))
}

/// The names and types of the fields of a value. A list has the shape of all its elements together.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(_) => "bool".into(),
        Value::Number(_) => "number".into(),
        Value::String(_) => "text".into(),
        Value::Array(values) => {
            Value::Array(values.iter().map(shape).reduce(together).into_iter().collect())
        }
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), shape(value))).collect()
        }
    }
}

/// The fields of two shapes.
fn together(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut one), Value::Object(other)) => {
            for (name, value) in other {
                let known = one.remove(&name).unwrap_or_default();
                one.insert(name, together(known, value));
            }
            Value::Object(one)
        }
        (Value::Array(one), Value::Array(other)) => {
            Value::Array(one.into_iter().chain(other).reduce(together).into_iter().collect())
        }
        (Value::Null, known) | (known, _) => known,
    }
}

/// A shape as text: a line for each field, and one for an object without lists and objects in it.
fn written(out: &mut String, name: &str, value: &Value, depth: usize) {
    let is_flat = |value: &Value| !value.is_object() && !value.is_array();
    let (many, value) = match value {
        Value::Array(values) => (" of", values.first().unwrap_or(&Value::Null)),
        value => ("", value),
    };
    let word = |value: &Value| value.as_str().unwrap_or("null").to_owned();
    let mut line = |text: String| writeln!(out, "{:1$}{name}{many}: {text}", "", 2 * depth);
    match value {
        Value::Object(fields) if fields.values().all(is_flat) => {
            let fields = fields.iter().map(|(name, value)| format!("{name} {}", word(value)));
            line(fields.collect::<Vec<_>>().join(", ")).unwrap();
        }
        Value::Object(fields) => {
            line(String::new()).unwrap();
            fields.iter().for_each(|(name, value)| written(out, name, value, depth + 1));
        }
        Value::Array(_) => written(out, name, value, depth + 1),
        value => line(word(value)).unwrap(),
    }
}

/// Runs samples, and returns the shapes of their reports by kind.
fn shapes(room: &Room, samples: &[(&'static str, &str)]) -> BTreeMap<&'static str, Value> {
    let made = std::process::Command::new("mkfifo").arg(room.at("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    let documented = documented();
    let (mut seen, mut read, mut silent) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut shapes, mut undocumented) = (BTreeMap::new(), Vec::new());
    for &(kind, command) in samples {
        let sample = Sample::of(room, kind, command);
        if kind == "puzzles" {
            room.write("puzzles.json", &sample.json);
        }
        let mut fields: Map<String, Value> = sample.report.as_object().unwrap().clone();
        let unknown = fields.keys().filter(|name| !documented.contains(*name));
        undocumented.extend(unknown.map(|name| format!("`{name}` of {command}")));
        fields.remove("task");
        let known = shapes.remove(kind).unwrap_or_default();
        shapes.insert(kind, together(known, shape(&Value::Object(fields))));
        sample.reads_back();
        sample.has_its_picture();
        sample.damage_is_refused();
        if !sample.is_slow() {
            sample.is_made_again();
        }
        if silent.insert(sample.kind.name) {
            sample.is_silent_without_a_reader();
        }
        sample.spares_files_of_others(&mut seen);
        sample.reads_files_only(&mut read);
    }
    assert!(undocumented.is_empty(), "not in docs/json.md: {undocumented:?}");
    shapes
}

/// The shapes as text.
fn shown(shapes: &BTreeMap<&str, Value>) -> String {
    let mut text = String::new();
    shapes.iter().for_each(|(kind, shape)| written(&mut text, kind, shape, 0));
    text
}

#[test]
fn reports_of_studies() {
    let room = prepared();
    room.write("labels.toml", labels(|target| target > 15));
    room.write("puzzles.fen", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n");
    room.write("problems.csv", many_problems());
    insta::assert_snapshot!(shown(&shapes(&room, STUDIES)));
}

#[test]
fn reports_of_positions() {
    insta::assert_snapshot!(shown(&shapes(&prepared(), POSITIONS)));
}

#[test]
fn every_task_and_every_kind_of_report_has_a_run() {
    let all = || STUDIES.iter().chain(POSITIONS);
    for task in TASKS {
        let commands: Vec<_> = all().filter(|(_, one)| one.words()[0] == task.name).collect();
        assert!(!commands.is_empty(), "{} has no run", task.name);
        for kind in task.reports {
            // A text is a report of several tasks.
            let is_there = all().any(|(name, _)| *name == kind.name);
            assert!(is_there, "no run of {} gives a report of the kind {}", task.name, kind.name);
        }
        let option = task.means.kept.filter(|kept| kept.place != KeptPlace::Checkpoint);
        if let Some(option) = option.map(|kept| kept.option()).filter(|_| task.name != "merge") {
            let short =
                if option == "output" { " -o ".to_owned() } else { format!(" --{option} ") };
            let is_kept = commands.iter().any(|(_, one)| one.contains(&short));
            assert!(is_kept, "no run of {} keeps its work", task.name);
        }
    }
}

/// `bench` is not a task, but its report has one.
#[test]
fn a_bench_is_documented_and_made_again() {
    let room = Room::new();
    let json = room.stdout("bench achi --seconds 0.02 --iterations 50 --json");
    let report: Map<String, Value> = serde_json::from_str(&json).unwrap();
    let documented = documented();
    let unknown: Vec<_> = report.keys().filter(|name| !documented.contains(*name)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are not in docs/json.md");
    room.write("report.json", &json);
    assert_eq!(untimed(&room.stdout("run report.json --json")), untimed(&json));
}
