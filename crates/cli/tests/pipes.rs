//! Readers that go away, disks that are full, Ctrl-C and SIGTERM.

use std::process::{Command, Stdio};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_treegauge"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The writing end of a pipe without a reader.
fn unread() -> std::io::PipeWriter {
    let (_, writer) = std::io::pipe().expect("there is a pipe");
    writer
}

#[test]
fn a_closed_pipe_is_silent() {
    for arguments in [
        &["games"][..],
        &["games", "--json"],
        &["show", "othello"],
        &["perft", "connect_four", "--depth", "3"],
        &["search", "tic_tac_toe", "--iterations", "50"],
        &["search", "tic_tac_toe", "--iterations", "50", "--json"],
        &["gauge", "tic_tac_toe", "--games", "2", "--iterations", "10"],
        &["gauge", "tic_tac_toe", "--games", "2", "--iterations", "10", "--json"],
        &["play", "tic_tac_toe", "--first", "random", "--second", "random"],
        &["solve", "tic_tac_toe"],
        &["solve", "tic_tac_toe", "--json"],
        &["puzzles", "tic_tac_toe"],
        &["puzzles", "tic_tac_toe", "--play"],
        &["match", "tic_tac_toe", "--a", "random", "--b", "random", "--games", "2"],
        &["match", "--power"],
        &["tournament", "tic_tac_toe", "--player", "random", "--player", "random", "--games", "2"],
        &["bench", "--signature"],
        &["--help"],
        &["gauge", "--help"],
        &["--version"],
    ] {
        let output = program(arguments).stdout(unread()).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn messages_without_a_reader_change_nothing() {
    let run = |arguments: &[&str]| {
        program(arguments).stderr(unread()).output().expect("the program starts")
    };
    assert_eq!(run(&["show", "conect_four"]).status.code(), Some(2));
    assert_eq!(run(&["gauge", "--nonsense"]).status.code(), Some(2));
    let bench = run(&["bench", "one_to_ten", "--seconds", "0.01", "--json"]);
    assert_eq!(bench.status.code(), Some(0));
    assert!(bench.stdout.starts_with(b"{\"schema\":1,"));
}

/// Data that could not be written is an error, however it came about; only a reader who has
/// left is none.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = program(&["games"]).stdout(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot print"));
}

#[cfg(target_os = "linux")]
pub(crate) mod ctrl_c {
    use std::fs;
    use std::io::{PipeReader, Read};
    use std::path::Path;
    use std::process::{Child, Command, Output, Stdio};
    use std::time::Duration;

    use serde_json::Value;

    /// Waits until the process handles SIGINT and SIGTERM. It says so on the pipe, which is closed
    /// when the process ends.
    pub(crate) fn listens(child: &Child, mut pipe: PipeReader) {
        let mut line = [0; 6];
        pipe.read_exact(&mut line).expect("it listens before it ends");
        assert_eq!(&line, b"ready\n");
        assert!(catches(child, 2) && catches(child, 15));
    }

    /// Waits until something is so, or the process at the other end of the pipe is no more.
    pub(crate) fn wait_until(mut pipe: PipeReader, mut so: impl FnMut() -> bool) {
        // The end of the process closes its end of the pipe.
        let end = std::thread::spawn(move || {
            let _ = pipe.read_to_end(&mut Vec::new());
        });
        while !end.is_finished() && !so() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the process has a handler for a signal, by the mask that Linux shows of it.
    fn catches(child: &Child, signal: u32) -> bool {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        // Signal 1 is the first bit.
        caught.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// Starts the program, presses Ctrl-C as soon as it listens, and waits for its end. What it
    /// leaves in the folder of temporary files is in `temporary`.
    fn interrupted(arguments: &[&str], temporary: &Path) -> Output {
        signalled(arguments, temporary, "-INT", listens)
    }

    /// Gives a program that is about to be started a pipe on which it says that it listens, and
    /// which its end closes. Nothing else may keep the command.
    fn with_pipe(command: &mut Command) -> PipeReader {
        let (pipe, writer) = std::io::pipe().expect("there is a pipe");
        // The standard input, which none of these commands reads, takes it to the program.
        command.stdin(writer).env("TREEGAUGE_READY", "/dev/stdin");
        pipe
    }

    /// Starts the program, sends it a signal as soon as `ready` returns, and waits for its end.
    pub(crate) fn signalled(
        arguments: &[&str],
        temporary: &Path,
        signal: &str,
        ready: impl FnOnce(&Child, PipeReader),
    ) -> Output {
        let mut command = super::program(arguments);
        command.env("TMPDIR", temporary).stdout(Stdio::piped()).stderr(Stdio::piped());
        let pipe = with_pipe(&mut command);
        let child = command.spawn().expect("the program starts");
        // It holds the other end of the pipe too.
        drop(command);
        ready(&child, pipe);
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("kill runs");
        assert!(sent.success());
        child.wait_with_output().expect("the program ends")
    }

    fn check(arguments: &[&str], expected: &str) -> String {
        let temporary = tempfile::tempdir().unwrap();
        let output = interrupted(arguments, temporary.path());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {stderr}");
        assert!(stderr.contains("press Ctrl-C again"), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        String::from_utf8(output.stdout).expect("stdout is text")
    }

    /// Hours of games.
    const LONG: [&str; 6] = ["gauge", "othello", "--games", "1000", "--iterations", "20000"];

    #[test]
    fn a_gauge_reports_what_it_knows() {
        let text = check(&LONG, "covers the games that were over by then");
        assert!(text.starts_with("INCOMPLETE"), "{text}");
        assert!(text.contains("when the run was stopped"), "{text}");
    }

    #[test]
    fn a_signal_that_comes_twice_at_once_costs_no_report() {
        let temporary = tempfile::tempdir().unwrap();
        let output = signalled(&LONG, temporary.path(), "-INT", |child, pipe| {
            listens(child, pipe);
            let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            assert!(sent.expect("kill runs").success());
        });
        assert_eq!(output.status.code(), Some(130));
        assert!(output.stdout.starts_with(b"INCOMPLETE"), "{:?}", output.stderr);
    }

    #[test]
    fn a_gauge_as_json_and_as_a_page_is_labelled() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html");
        let arguments = [&LONG[..], &["--json", "--html", page.to_str().unwrap()]].concat();
        let text = check(&arguments, "interrupted");
        let report: Value = serde_json::from_str(&text).expect("stdout is JSON");
        assert_eq!(report["incomplete"], true);
        assert!(report["games"].as_u64().unwrap() < 1_000);
        assert!(fs::read_to_string(page).unwrap().contains("INCOMPLETE"));
    }

    /// A few seconds of games.
    const SHORT: [&str; 10] = [
        "gauge",
        "connect_four(cols=6,rows=5)",
        "--model",
        "none",
        "--games",
        "200",
        "--skill-games",
        "2",
        "--iterations",
        "400",
    ];

    #[test]
    fn the_command_that_is_printed_continues() {
        let temporary = tempfile::tempdir().unwrap();
        let output = interrupted(&SHORT, temporary.path());
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        let command = stderr.trim_end().lines().last().unwrap();
        assert!(
            stderr.contains("to continue within a week:") && command.contains("--record"),
            "{stderr}"
        );
        let resumed = Command::new("sh").args(["-c", command]).output().expect("there is a shell");
        assert_eq!(resumed.status.code(), Some(0), "{command}");
        let whole = super::program(&SHORT).env("TMPDIR", temporary.path()).output().unwrap();
        assert_eq!(resumed.stdout, whole.stdout);
        // A run that comes to its end leaves nothing.
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_killed_gauge_continues_to_the_same_bytes() {
        killed_continues(&SHORT);
    }

    /// Two players, and a third.
    const PLAYERS: [&str; 6] =
        ["--player", "uct(iterations=60)", "--player", "random", "--player", "uct(iterations=40)"];

    #[test]
    fn killed_matches_continue_to_the_same_bytes() {
        let game = "connect_four(cols=6,rows=5)";
        let [a, b] = ["uct(iterations=600)", "uct(iterations=400)"];
        let players = ["--a", a, "--b", b, "--games", "200"];
        killed_continues(&[&["match", game][..], &players].concat());
        let players = ["--player", a, "--player", "random", "--player", b, "--games", "64"];
        killed_continues(&[&["tournament", game][..], &players].concat());
    }

    /// Kills the command twice, and has it continue. It plays enough games that a kill comes before
    /// its end also where the machine is busy.
    fn killed_continues(arguments: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        let [killed, whole] =
            ["killed", "whole"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
        let run = |file: &str, threads: &str| {
            [arguments, &["--record", file, "--threads", threads]]
                .concat()
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        let lines = || fs::read_to_string(&killed).unwrap_or_default().lines().count();
        for expected in [2, 9] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_treegauge"));
            command.args(run(&killed, "2")).stdout(Stdio::null());
            let pipe = with_pipe(&mut command);
            let mut child = command.spawn().expect("the program starts");
            drop(command);
            wait_until(pipe, || lines() >= expected);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let finish = |file: &str, threads: &str| {
            let output = Command::new(env!("CARGO_BIN_EXE_treegauge"))
                .args(run(file, threads))
                .output()
                .expect("the program starts");
            assert_eq!(output.status.code(), Some(0));
            (output.stdout, fs::read(file).unwrap())
        };
        let before = lines();
        assert_eq!(finish(&killed, "2"), finish(&whole, "1"));
        assert!(before < lines(), "it was killed before its end");
    }

    #[test]
    fn a_tournament_reports_what_it_knows() {
        let arguments = [&["tournament", "othello"], &PLAYERS[..], &["--games", "100000"]].concat();
        let text = check(&arguments, "--record");
        assert!(text.starts_with("INCOMPLETE") && text.contains("are missing"), "{text}");
        let text = check(&[&arguments[..], &["--json"]].concat(), "interrupted");
        let report: Value = serde_json::from_str(&text).expect("stdout is JSON");
        let (missing, games) = (report["missing"].as_u64(), report["games"].as_u64());
        assert_eq!(missing.unwrap() + games.unwrap(), 300_000);
    }

    #[test]
    fn a_match_reports_what_it_knows() {
        let players = ["--a", PLAYERS[1], "--b", PLAYERS[5], "--games", "100000"];
        let text = check(&[&["match", "othello"][..], &players].concat(), "--record");
        assert!(text.starts_with("INCOMPLETE"), "{text}");
    }

    const SEARCH: [&str; 5] = ["search", "othello", "--iterations", "50000000", "--json"];

    #[test]
    fn a_search_reports_the_tree_it_has() {
        let report: Value = serde_json::from_str(&check(&SEARCH, "interrupted")).unwrap();
        assert!(report["iterations"].as_u64().unwrap() < 50_000_000);
        assert_eq!(report["stopped"], "interrupted");
    }

    #[test]
    fn a_bench_reports_the_games_it_measured() {
        let arguments = ["bench", "othello", "achi", "--seconds", "600", "--json"];
        let text = check(&arguments, "interrupted: 0 of 2 games were measured");
        let report: Value = serde_json::from_str(&text).expect("stdout is JSON");
        assert_eq!(report["rows"], Value::Array(Vec::new()));
    }

    #[test]
    fn perft_prints_no_counts_that_are_incomplete() {
        let arguments = ["perft", "othello", "--depth", "30"];
        assert_eq!(check(&arguments, "interrupted: not all sequences are counted"), "");
    }

    #[test]
    fn sigterm_is_as_ctrl_c_and_sighup_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let output = signalled(&SEARCH, folder.path(), "-TERM", |child, pipe| {
            listens(child, pipe);
            // What `nohup` has ignored must stay so.
            assert!(!catches(child, 1), "there is a handler for SIGHUP");
        });
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert!(stderr.contains("stopping; the next signal quits at once"), "{stderr}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("stdout is JSON");
        assert_eq!(report["stopped"], "interrupted");
    }
}
