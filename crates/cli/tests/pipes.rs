//! Readers that go away, disks that are full, Ctrl-C and SIGTERM.

use crate::common::program;

/// The writing end of a pipe without a reader.
fn unread() -> std::io::PipeWriter {
    let (_, writer) = std::io::pipe().expect("there is a pipe");
    writer
}

/// Commands that are not tasks: `every_task` holds the same for tasks.
#[test]
fn a_closed_pipe_is_silent() {
    for command in [
        "play tic_tac_toe --first random --second random",
        "puzzles tic_tac_toe --play",
        "bench --signature",
        "rules",
        "--help",
        "gauge --help",
        "--version",
    ] {
        let output = program(".", command).stdout(unread()).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{command}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
    }
}

#[test]
fn messages_without_a_reader_change_nothing() {
    let run = |command: &str| {
        program(".", command).stderr(unread()).output().expect("the program starts")
    };
    assert_eq!(run("show conect_four").status.code(), Some(2));
    assert_eq!(run("gauge --nonsense").status.code(), Some(2));
    let bench = run("bench one_to_ten --seconds 0.01 --json");
    assert_eq!(bench.status.code(), Some(0));
    assert!(bench.stdout.starts_with(b"{\"schema\":1,"));
}

/// Data that could not be written is an error, however it came about; only a reader who has
/// left is none.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = program(".", "games").stdout(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot print"));
}

#[cfg(target_os = "linux")]
pub(crate) mod ctrl_c {
    use std::fs;
    use std::io::{PipeReader, Read};
    use std::process::{Child, Command, Output, Stdio};
    use std::time::Duration;

    use serde_json::Value;

    use crate::common::{Fields, Room};

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

    /// Gives a program that is about to be started a pipe on which it says that it listens, and
    /// which its end closes. Nothing else may keep the command.
    fn with_pipe(command: &mut Command) -> PipeReader {
        let (pipe, writer) = std::io::pipe().expect("there is a pipe");
        // The standard input, which none of these commands reads, takes it to the program.
        command.stdin(writer).env("TREEGAUGE_READY", "/dev/stdin");
        pipe
    }

    /// The name of the folder of a room for temporary files.
    pub(crate) const TEMPORARY: &str = "temporary";

    /// Starts the program, sends it a signal as soon as `ready` returns, and waits for its end. The folder of
    /// temporary files is [`TEMPORARY`].
    pub(crate) fn signalled(
        room: &Room,
        command: &str,
        signal: &str,
        ready: impl FnOnce(&Child, PipeReader),
    ) -> Output {
        let mut program = room.program(command);
        fs::create_dir_all(room.at(TEMPORARY)).unwrap();
        program.env("TMPDIR", room.at(TEMPORARY)).stdout(Stdio::piped()).stderr(Stdio::piped());
        let pipe = with_pipe(&mut program);
        let child = program.spawn().expect("the program starts");
        // It holds the other end of the pipe too.
        drop(program);
        ready(&child, pipe);
        send(&child, signal);
        child.wait_with_output().expect("the program ends")
    }

    fn send(child: &Child, signal: &str) {
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Presses Ctrl-C as soon as the program listens, and returns what it prints.
    fn check(room: &Room, command: &str, expected: &str) -> String {
        let output = signalled(room, command, "-INT", listens);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{command}: {stderr}");
        assert!(stderr.contains("press Ctrl-C again"), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
        String::from_utf8(output.stdout).expect("stdout is text")
    }

    /// Hours of games.
    const LONG: &str = "gauge othello --games 1000 --iterations 20000";

    const SEARCH: &str = "search othello --iterations 50000000 --json";

    #[test]
    fn what_is_known_is_reported() {
        let room = Room::new();
        for (command, expected) in [
            (LONG, "covers the games that were over by then"),
            ("tournament othello 'uct(iterations=60)' random --games 100000", "--record"),
            ("match othello random 'uct(iterations=40)' --games 100000", "--record"),
        ] {
            let text = check(&room, command, expected);
            assert!(text.starts_with("INCOMPLETE"), "{text}");
            assert!(!text.contains("Next:"), "{text}");
            let is_said =
                ["when the run was stopped", "are missing"].map(|part| text.contains(part));
            assert!(is_said.contains(&true), "{text}");
        }
        let json = |command: &str, expected: &str| -> Value {
            serde_json::from_str(&check(&room, command, expected)).expect("stdout is JSON")
        };
        let report = json(&format!("{LONG} --json --html page.html"), "interrupted");
        assert_eq!(report["incomplete"], true);
        assert!(report.whole("/games") < 1_000);
        assert!(room.text("page.html").contains("INCOMPLETE"));
        let three = "tournament othello 'uct(iterations=60)' random 'uct(iterations=40)'";
        let report = json(&format!("{three} --games 100000 --json"), "interrupted");
        assert_eq!(report.whole("/missing") + report.whole("/games"), 300_000);
        let report = json(SEARCH, "interrupted");
        assert!(report.whole("/iterations") < 50_000_000);
        assert_eq!(report["stopped"], "interrupted");
        let bench = "bench othello achi --seconds 600 --json";
        let report = json(bench, "interrupted: 0 of 2 games were measured");
        assert_eq!(report["rows"], Value::Array(Vec::new()));
        // No comparison without a second game, and no counts that are incomplete.
        let compare = "compare othello 'othello(size=6)' --games 1000 --iterations 20000";
        assert_eq!(check(&room, compare, "fewer than two games were gauged"), "");
        let perft = "perft othello --depth 30";
        assert_eq!(check(&room, perft, "interrupted: not all sequences are counted"), "");
    }

    #[test]
    fn a_signal_that_comes_twice_at_once_costs_no_report() {
        let output = signalled(&Room::new(), LONG, "-INT", |child, pipe| {
            listens(child, pipe);
            send(child, "-INT");
        });
        assert_eq!(output.status.code(), Some(130));
        assert!(output.stdout.starts_with(b"INCOMPLETE"), "{:?}", output.stderr);
    }

    /// A few seconds of games.
    const SHORT: &str = "gauge 'connect_four(cols=6,rows=5)' --model none --games 100 --skill-games 2 --iterations 400";

    #[test]
    fn the_command_that_is_printed_continues() {
        let room = Room::new();
        let output = signalled(&room, SHORT, "-INT", listens);
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        let command = stderr.trim_end().lines().last().unwrap();
        let is_offered = stderr.contains("to continue within a week:");
        assert!(is_offered && command.contains("--record"), "{stderr}");
        let resumed = Command::new("sh").args(["-c", command]).output().expect("there is a shell");
        assert_eq!(resumed.status.code(), Some(0), "{command}");
        let whole = room.program(SHORT).env("TMPDIR", room.at(TEMPORARY)).output().unwrap();
        assert_eq!(resumed.stdout, whole.stdout);
        // A run that comes to its end leaves nothing.
        assert_eq!(room.names(TEMPORARY).len(), 1);
    }

    /// Killed twice, each plays enough games that a kill comes before its end also where the machine is busy.
    #[test]
    fn killed_games_continue_to_the_same_bytes() {
        let [a, b] = ["uct(iterations=600)", "uct(iterations=400)"];
        let game = "connect_four(cols=6,rows=5)";
        for command in [
            SHORT.to_owned(),
            format!("match '{game}' '{a}' '{b}' --games 80"),
            format!("tournament '{game}' '{a}' random '{b}' --games 30"),
        ] {
            let room = Room::new();
            let run =
                |file: &str, threads: u8| format!("{command} --record {file} --threads {threads}");
            let lines =
                || fs::read_to_string(room.at("killed")).unwrap_or_default().lines().count();
            for expected in [2, 9] {
                let mut program = room.program(run("killed", 2));
                program.stdout(Stdio::null());
                let pipe = with_pipe(&mut program);
                let mut child = program.spawn().expect("the program starts");
                drop(program);
                wait_until(pipe, || lines() >= expected);
                child.kill().unwrap();
                child.wait().unwrap();
            }
            let before = lines();
            let killed = (room.stdout(run("killed", 2)), room.bytes("killed"));
            assert!(killed == (room.stdout(run("whole", 1)), room.bytes("whole")), "{command}");
            assert!(before < lines(), "it was killed before its end");
        }
    }

    /// A solve of a game without tiers finds more positions than it can keep at once.
    #[test]
    fn a_large_solve_obeys_a_stop() {
        let room = Room::new();
        let mut sent = None;
        // A fast machine finds positions for a gigabyte in five seconds.
        let solve = "solve hex(size=5) --memory-max 3G";
        let output = signalled(&room, solve, "-INT", |child, pipe| {
            listens(child, pipe);
            std::thread::sleep(Duration::from_secs(3));
            sent = Some(std::time::Instant::now());
        });
        let took = sent.unwrap().elapsed();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert!(took < Duration::from_secs(6), "it ended after {took:?}: {stderr}");
        // Either a file has all positions, or none is left.
        let left = fs::read_dir(room.at(TEMPORARY)).unwrap().flatten();
        let left: Vec<u64> = left.map(|file| file.metadata().unwrap().len()).collect();
        match stderr.contains("what was found is not kept") {
            true => assert!(left.is_empty(), "{left:?}: {stderr}"),
            false => {
                assert!(stderr.contains("positions found so far, kept in"), "{stderr}");
                assert!(left.len() == 1 && left[0] > 0, "{left:?}: {stderr}");
            }
        }
    }

    #[test]
    fn sigterm_is_as_ctrl_c_and_sighup_is_left_alone() {
        let output = signalled(&Room::new(), SEARCH, "-TERM", |child, pipe| {
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
