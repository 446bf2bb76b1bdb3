//! What the program reads and writes: nothing is lost, and nothing is overwritten that is not its
//! own.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{DATA, Ran, USAGE, refused, run, run_with, solved, stdout};

/// A folder with a solved game, a record and a letter.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        solved(folder.path(), "game", &["tic_tac_toe"]);
        let desk = Desk { folder };
        stdout(&[
            "match",
            "tic_tac_toe",
            "random",
            "random",
            "--games",
            "4",
            "--record",
            &desk.path("record"),
        ]);
        fs::write(desk.at("letter"), "a letter to my aunt\n").unwrap();
        desk
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.at(name).to_str().unwrap().to_owned()
    }

    /// The names and contents of all files.
    fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut contents: Vec<_> = entries
            .filter(|path| path.is_file())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        contents.sort();
        contents
    }
}

#[test]
fn no_output_takes_the_place_of_an_input_or_of_another_output() {
    let desk = Desk::new();
    let [game, record] = ["game", "record"].map(|name| desk.path(name));
    let dotted = format!("{}/./game", desk.folder.path().display());
    let player = format!("perfect(file={game})");
    let new = desk.path("new");
    let before = desk.contents();
    let commands: [&[&str]; 13] = [
        &["interest", &game, "--csv", &game],
        &["interest", &game, "--csv", &dotted],
        &["interest", &game, "--html", &game, "--save"],
        &["interest", &game, "--csv", &new, "--html", &new],
        &["puzzles", &game, "--html", &game],
        &["merge", &record, "-o", &record],
        &["merge", &record, "--html", &record],
        &["match", "tic_tac_toe", &player, "random", "--games", "2", "--html", &game],
        &["match", "tic_tac_toe", &player, "random", "--games", "2", "--record", &game],
        &["gauge", "tic_tac_toe", "--games", "1", "--record", &new, "--html", &new],
        &["search", "tic_tac_toe", "--svg", &new, "--dot", &new],
        &["report", &record, "--html", &record],
        &["solve", "tic_tac_toe", "-o", &new, "--resume", &new],
    ];
    for command in commands {
        for force in [&[][..], &["--force"]] {
            let words =
                if command[0] == "solve" { "writes another file there" } else { "this command" };
            refused(&[command, force].concat(), USAGE, &["cannot write", words]);
            assert!(desk.contents() == before, "{command:?} changed a file");
        }
    }
}

#[cfg(unix)]
#[test]
fn links_do_not_hide_that_two_files_are_one() {
    let desk = Desk::new();
    fs::hard_link(desk.at("game"), desk.at("hard")).unwrap();
    std::os::unix::fs::symlink("game", desk.at("soft")).unwrap();
    let before = desk.contents();
    for name in ["hard", "soft"] {
        let command = ["interest", &desk.path("game"), "--csv", &desk.path(name), "--force"];
        refused(&command, USAGE, &["cannot write", name, "this command reads it"]);
        assert!(desk.contents() == before);
    }
}

#[test]
fn files_of_others_are_replaced_on_request_only() {
    let desk = Desk::new();
    let [game, record, letter] = ["game", "record", "letter"].map(|name| desk.path(name));
    let before = desk.contents();
    let commands: [&[&str]; 9] = [
        &["solve", "tic_tac_toe", "-o", &letter],
        &["solve", "tic_tac_toe", "-o", &record],
        &["solve", "achi", "-o", &game],
        &["solve", "tic_tac_toe", "--moves", "a1", "-o", &game],
        &["interest", "tic_tac_toe", "--csv", &letter],
        &["puzzles", "tic_tac_toe", "--html", &game],
        &["show", "tic_tac_toe", "--svg", &record],
        &["search", "tic_tac_toe", "--iterations", "20", "--dot", &letter],
        &["merge", &record, "-o", &letter],
    ];
    for command in commands {
        refused(command, DATA, &["cannot write", "--force replaces it"]);
        assert!(desk.contents() == before, "{command:?} changed a file");
    }
    // What the command itself has written may be written again, and an empty file may.
    for (name, command) in [
        ("game", &["solve", "tic_tac_toe", "-o"][..]),
        ("page", &["puzzles", "tic_tac_toe", "--html"]),
        ("table", &["interest", "tic_tac_toe", "--csv"]),
        ("board", &["show", "tic_tac_toe", "--svg"]),
        ("tree", &["search", "tic_tac_toe", "--iterations", "20", "--svg"]),
        ("graph", &["search", "tic_tac_toe", "--iterations", "20", "--dot"]),
        ("nodes", &["search", "tic_tac_toe", "--iterations", "20", "--tree-json"]),
    ] {
        let path = desk.path(name);
        if name != "game" {
            fs::write(&path, "").unwrap();
        }
        for _ in 0..2 {
            stdout(&[command, &[&path]].concat());
        }
    }
    stdout(&["solve", "achi", "-o", &game, "--force"]);
    stdout(&["puzzles", "tic_tac_toe", "--html", &letter, "--force"]);
    assert!(fs::read_to_string(&letter).unwrap().starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_saved_analysis_is_not_thrown_away() {
    let desk = Desk::new();
    let game = desk.path("game");
    stdout(&["interest", &game, "--save"]);
    let kept = fs::read(&game).unwrap();
    refused(&["solve", "tic_tac_toe", "-o", &game], DATA, &["section", "would be lost", "--force"]);
    assert!(fs::read(&game).unwrap() == kept);
    stdout(&["solve", "tic_tac_toe", "-o", &game, "--force"]);
    assert!(fs::read(&game).unwrap().len() < kept.len());
}

#[test]
fn only_the_checkpoint_of_the_solve_itself_is_removed() {
    let desk = Desk::new();
    let other = desk.at("new.checkpoint");
    fs::write(&other, "of another solve").unwrap();
    let [new, resume] = ["new", "elsewhere"].map(|name| desk.path(name));
    refused(&["solve", "tic_tac_toe", "-o", &new], DATA, &["new.checkpoint", "remove it"]);
    refused(&["solve", "tic_tac_toe", "-o", &new, "--resume", &resume], DATA, &["cannot read"]);
    assert_eq!(fs::read(&other).unwrap(), b"of another solve");
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_and_read_only_files_respected() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    fs::create_dir(desk.at("elsewhere")).unwrap();
    for (link, command) in [
        ("page", &["puzzles", "tic_tac_toe", "--html"][..]),
        ("solution", &["solve", "tic_tac_toe", "-o"]),
        ("games", &["gauge", "tic_tac_toe", "--games", "2", "--iterations", "20", "--record"]),
    ] {
        let target = desk.at("elsewhere").join(link);
        std::os::unix::fs::symlink(&target, desk.at(link)).unwrap();
        let path = desk.path(link);
        let command = [command, &[&path]].concat();
        for _ in 0..2 {
            stdout(&command);
            assert!(desk.at(link).is_symlink() && target.is_file(), "{link}");
        }
        let before = fs::read(&target).unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).unwrap();
        // A record that is complete is not written again but for its order.
        let ran = run(&[&command[..], &["--force"]].concat());
        assert_eq!(ran.code, Some(DATA), "{link}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write"), "{link}: {}", ran.stderr);
        assert!(fs::read(&target).unwrap() == before, "{link}");
    }
}

/// Every command that reads a file, with what it reads in place of `FILE`.
const READERS: [&[&str]; 18] = [
    &["probe", "FILE"],
    &["verify", "FILE"],
    &["interest", "FILE"],
    &["interest", "FILE", "--start"],
    &["puzzles", "FILE"],
    &["play", "--perfect", "FILE"],
    &["play", "tic_tac_toe", "--first", "perfect(file=FILE)", "--second", "random"],
    &["match", "tic_tac_toe", "perfect(file=FILE)", "random", "--games", "8"],
    &["tournament", "tic_tac_toe", "perfect(file=FILE)", "random", "--games", "8"],
    &[
        "match",
        "tic_tac_toe",
        "alphabeta(eval=perfect(file=FILE),depth=1)",
        "random",
        "--games",
        "8",
    ],
    &["search", "tic_tac_toe", "--player", "alphabeta(eval=perfect(file=FILE),depth=2)"],
    &["report", "FILE"],
    &["replay", "FILE"],
    &["merge", "FILE"],
    &["match", "--power", "--record", "FILE"],
    &["collect", "--games", "FILE", "-o", "/no/such/folder"],
    &["aggregate", "FILE"],
    &["evaluate", "FILE"],
];

/// A command on a file.
fn on(reader: &[&str], path: &Path) -> Ran {
    let path = path.to_str().unwrap();
    let arguments: Vec<String> = reader.iter().map(|word| word.replace("FILE", path)).collect();
    run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[cfg(unix)]
#[test]
fn only_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    for path in [&pipe, folder.path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
        for reader in READERS {
            let ran = on(reader, path);
            assert_eq!(ran.code, Some(DATA), "{reader:?} of {}: {}", path.display(), ran.stderr);
            assert!(ran.stderr.contains("not a file"), "{reader:?}: {}", ran.stderr);
        }
        let path = path.to_str().unwrap();
        let ran = run(&["gauge", "tic_tac_toe", "--games", "1", "--record", path]);
        assert_eq!(ran.code, Some(DATA), "{path}: {}", ran.stderr);
        let ran = run(&["solve", "tic_tac_toe", "--resume", path]);
        assert_eq!(ran.code, Some(DATA), "{path}: {}", ran.stderr);
    }
}

/// A file that says to be huge is not read as a whole.
#[cfg(target_os = "linux")]
#[test]
fn an_empty_file_of_a_terabyte_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse");
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    for reader in READERS {
        let ran = on(reader, &path);
        assert_eq!(ran.code, Some(DATA), "{reader:?}: {}", ran.stderr);
    }
}

/// What a command answers to a file must not change when the file is damaged, unless it says so.
#[test]
fn every_flipped_bit_is_found_by_every_command_or_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let game = "one_to_ten";
    let path = solved(folder.path(), "game", &[game]);
    let good = fs::read(&path).unwrap();
    let readers: Vec<Vec<String>> = READERS[..11]
        .iter()
        .map(|reader| reader.iter().map(|word| word.replace("tic_tac_toe", game)).collect())
        .collect();
    let ran = |reader: &[String]| {
        on(&reader.iter().map(String::as_str).collect::<Vec<_>>(), Path::new(&path))
    };
    let answers: Vec<Ran> = readers.iter().map(|reader| ran(reader)).collect();
    // Every bit under every command would be some 50,000 runs: the commands take turns.
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bad).unwrap();
        let n = bit % readers.len();
        let found = ran(&readers[n]);
        let same = found.code == answers[n].code && found.stdout == answers[n].stdout;
        let says = found.code == Some(DATA) && found.stderr.contains(&path);
        assert!(same || says, "bit {bit} under {:?}: {found:?}", readers[n]);
    }
}

#[test]
fn a_match_with_a_record_goes_on_when_its_damaged_file_is_whole_again() {
    let folder = tempfile::tempdir().unwrap();
    let [record, whole] =
        ["record", "whole"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let game = "connect_four(cols=4,rows=4)";
    let path = solved(folder.path(), "game", &[game]);
    let good = fs::read(&path).unwrap();
    let player = format!("perfect(file={path})");
    let command = |record: &str| {
        run(&[
            "match",
            game,
            &player,
            "random",
            "--games",
            "40",
            "--threads",
            "1",
            "--record",
            record,
        ])
    };
    let expected = command(&whole);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let mut kept = Vec::new();
    for eighth in 1..8 {
        let mut bad = good.clone();
        bad[good.len() * eighth / 8] ^= 1;
        fs::write(&path, &bad).unwrap();
        let ran = command(&record);
        if ran.code == Some(0) {
            assert_eq!(ran.stdout, expected.stdout);
            continue;
        }
        assert_eq!((ran.code, &ran.stdout[..]), (Some(DATA), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("the file is damaged: block"), "{}", ran.stderr);
        kept.push(fs::read_to_string(&record).unwrap().lines().count());
    }
    assert!(kept.iter().any(|&lines| lines > 1), "games that were over are kept: {kept:?}");
    fs::write(&path, &good).unwrap();
    assert_eq!(command(&record).stdout, expected.stdout);
    assert!(fs::read(&record).unwrap() == fs::read(&whole).unwrap());
}

/// A result that cannot be written is printed all the same.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_take_the_result_away() {
    for command in [
        &["interest", "tic_tac_toe", "--csv"][..],
        &["puzzles", "tic_tac_toe", "--html"],
        &["gauge", "tic_tac_toe", "--games", "2", "--iterations", "20", "--html"],
        &["match", "tic_tac_toe", "random", "random", "--games", "4", "--html"],
        &["search", "tic_tac_toe", "--iterations", "20", "--dot"],
    ] {
        let ran = run(&[command, &["/dev/full"]].concat());
        assert_eq!(ran.code, Some(DATA), "{command:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write /dev/full: No space left"), "{}", ran.stderr);
        assert!(ran.stdout.len() > 100, "{command:?} prints its result: {:?}", ran.stdout);
    }
}

/// A run whose games cannot be kept does not play on.
#[cfg(target_os = "linux")]
#[test]
fn a_record_that_cannot_grow_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record");
    // Files of this process and its children may not grow beyond 4 KB.
    let command = format!(
        "trap '' XFSZ; ulimit -f 4; exec {} match tic_tac_toe random 'uct(iterations=50)' --games 100000 --record {}",
        env!("CARGO_BIN_EXE_treegauge"),
        path.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &command]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(DATA), "{stderr}");
    assert!(stderr.contains("the games are not all kept: cannot write"), "{stderr}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("tic_tac_toe"), "what was played");
    // What was kept is whole, and the run goes on from it.
    let lines = fs::read_to_string(&path).unwrap();
    assert!(lines.ends_with('\n') && lines.lines().count() > 5);
    stdout(&["replay", path.to_str().unwrap()]);
}

/// The reader of the report may leave before the record is put in order.
#[cfg(unix)]
#[test]
fn a_record_is_finished_though_nobody_reads_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let [piped, plain] = ["piped", "plain"].map(|name| folder.path().join(name));
    for (path, pipe) in [(&piped, "| true"), (&plain, "> /dev/null")] {
        let command = format!(
            "{} gauge tic_tac_toe --games 12 --iterations 30 --threads 2 --record {} {pipe}",
            env!("CARGO_BIN_EXE_treegauge"),
            path.display()
        );
        let status = std::process::Command::new("sh").args(["-c", &command]).status().unwrap();
        assert!(status.success());
    }
    assert!(fs::read(piped).unwrap() == fs::read(plain).unwrap());
}

#[test]
fn a_game_without_its_end_is_reported() {
    let desk = Desk::new();
    let whole = fs::read(desk.at("record")).unwrap();
    fs::write(desk.at("record"), &whole[..whole.len() - 10]).unwrap();
    for reader in
        [&["replay", "FILE"][..], &["merge", "FILE"], &["match", "--power", "--record", "FILE"]]
    {
        let ran = on(reader, &desk.at("record"));
        assert!(ran.stderr.contains("the last line of"), "{reader:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("has no end"), "{reader:?}: {}", ran.stderr);
    }
}

#[test]
fn long_input_has_a_short_answer() {
    let long = "x".repeat(131_000);
    for command in [
        &["show", "tic_tac_toe", "--position", &long][..],
        &["show", "connect_four", "--moves", &long],
        &["show", &long],
        &["match", "tic_tac_toe", &long, "random"],
        &["search", "tic_tac_toe", "--iterations", &long],
        &["report", &long],
    ] {
        let ran = run(command);
        assert!(matches!(ran.code, Some(USAGE | DATA)), "{:?}", ran.code);
        assert!(ran.stderr.len() < 10_000, "{}: {} bytes", command[0], ran.stderr.len());
    }
    let ran = run_with(&["play", "tic_tac_toe"], &long);
    assert_eq!(ran.code, Some(DATA), "{}", ran.stderr);
    assert!(ran.stderr.contains("a line has over"), "{}", ran.stderr);
}

#[test]
fn texts_of_users_give_no_orders_to_terminals() {
    let red = "\u{1b}[31mred\u{7}";
    for command in [
        &["show", "tic_tac_toe", "--position", red][..],
        &["show", "tic_tac_toe", "--moves", red],
        &["show", red],
        &["gauge", "tic_tac_toe", red],
        &["report", red],
        &["match", "tic_tac_toe", red, "random"],
        &["gauge", "tic_tac_toe", "--games", red],
    ] {
        let ran = run(command);
        let control = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!ran.stderr.contains(control), "{command:?}: {:?}", ran.stderr);
        assert!(!ran.stdout.contains(control), "{command:?}: {:?}", ran.stdout);
    }
}
