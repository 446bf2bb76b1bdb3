//! Solving, and what is done with the file of a solved game.

use std::fs;

use treegauge::solve::write_file;
use treegauge::solve::{Options, Reduction, Solution, Solvable, TierTable, Value, Valued, solve};
use treegauge_core::{Capabilities, Plies};
use treegauge_games::one_to_ten::OneToTen;

use crate::common::{json, refused, run, solved, stdout};

#[test]
fn a_solve_from_a_position_is_a_file_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["tic_tac_toe", "--moves", "a1 a2 b1 b2"];
    let by_moves = solved(folder.path(), "moves", &line);
    let position = ["tic_tac_toe", "--position", ".../oo./xx. x"];
    let by_position = solved(folder.path(), "position", &position);
    assert_eq!(fs::read(&by_moves).unwrap(), fs::read(by_position).unwrap());
    let text = stdout(&["probe", &by_moves]);
    assert!(text.contains("With best play the first player, to move, wins in 1 ply."), "{text}");
    assert!(stdout(&["verify", &by_moves]).contains("right. All "));
    let all = json(&["solve", "tic_tac_toe", "--json"]);
    let some = json(&[&["solve"], &line[..], &["--json"]].concat());
    assert!(some["positions"].as_u64() < all["positions"].as_u64());
    assert_eq!(some["position"], ".../oo./xx. x");
}

#[test]
fn the_file_is_as_long_as_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let report = json(&["solve", "achi", "--json", "-o", file.to_str().unwrap()]);
    assert_eq!(report["file_bytes"], fs::metadata(&file).unwrap().len());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there is nothing next to it");
}

#[test]
fn a_file_is_replaced_by_the_next_solve() {
    let folder = tempfile::tempdir().unwrap();
    let first = solved(folder.path(), "file", &["achi"]);
    let whole = fs::read(&first).unwrap();
    solved(folder.path(), "file", &["tic_tac_toe"]);
    // A solve that is refused leaves what was there.
    let kept = fs::read(&first).unwrap();
    let refused = run(&["solve", "othello", "--memory-max", "1M", "-o", &first, "--force"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert_eq!(fs::read(&first).unwrap(), kept);
    solved(folder.path(), "file", &["achi"]);
    assert_eq!(fs::read(&first).unwrap(), whole);
    // The same game by another name.
    for game in ["achi(men=3)", "achi(size=3,adjacency=lines)"] {
        stdout(&["solve", game, "-o", &first]);
        assert_eq!(fs::read(&first).unwrap(), whole);
    }
}

/// A solution of `one_to_ten` that calls the start a loss.
fn lie() -> Solution<u64> {
    let game = OneToTen::new(10, 2, false, Plies(1_000));
    let rules = Solvable::of(game, Capabilities::none().tiered());
    let truth = solve(&rules, rules.start(), Options::default(), &()).unwrap().done().unwrap();
    let start = rules.start();
    let lie = Valued { value: Value::Lose, remoteness: 6 };
    let tables = truth.tables().iter().map(|table| {
        let keys = table.table().iter().enumerate();
        let stored = |(place, key)| (key, if key == start { lie } else { table.valued(place) });
        TierTable::new(table.tier(), keys.map(stored).collect())
    });
    Solution::of_tables(rules, start, Reduction::none(), tables.collect())
}

#[test]
fn verify_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["one_to_ten"]);
    let report = json(&["verify", &file, "--json"]);
    assert_eq!((&report["ok"], &report["fault_count"]), (&true.into(), &0.into()));
    assert_eq!(report["positions"], json(&["solve", "one_to_ten", "--json"])["positions"]);
    // Every checksum of this file is right.
    write_file(file.as_ref(), &lie(), "one_to_ten", None, &()).unwrap();
    let ran = run(&["verify", &file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("one_to_ten: WRONG, 1 mismatch in "), "{}", ran.stdout);
    let mismatch = "0 x: the position is a loss in 6 in the file and a win in 7 by its children";
    assert!(ran.stdout.contains(mismatch), "{}", ran.stdout);
    let ran = run(&["verify", &file, "--json"]);
    assert_eq!(ran.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&report["ok"], &report["fault_count"]), (&false.into(), &1.into()));
    assert_eq!(report["faults"][0]["position"], "0 x");
    // Nothing is worked out from it.
    for command in ["interest", "puzzles"] {
        let wrong = "the file is wrong: the value of `0 x` does not follow from those of its moves";
        refused(&[command, &file], 65, &[wrong]);
    }
}

#[cfg(target_os = "linux")]
mod stopped {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    use std::fs;
    use std::path::Path;

    use crate::common::{json, run, solved, stdout};
    use crate::pipes::ctrl_c::{listens, signalled, wait_until};

    /// Killed, interrupted and continued until the end: by the same command, and by the one that
    /// is printed.
    #[test]
    fn a_solve_continues_to_the_identical_file() {
        for (game, signal) in
            [("connect_four(cols=4,rows=5)", "-INT"), ("alak(length=11)", "-TERM")]
        {
            let folder = tempfile::tempdir().unwrap();
            let whole = solved(folder.path(), "whole", &[game]);
            let parts = folder.path().join("parts").to_str().unwrap().to_owned();
            let checkpoint = format!("{parts}.checkpoint");
            let kept = || fs::read(&checkpoint).unwrap_or_default();
            // Slow enough that the signals come before the end.
            let often =
                ["solve", game, "-o", &parts, "--checkpoint-minutes", "0.0002", "--threads", "1"];
            for _ in 0..2 {
                let before = kept();
                let output = signalled(&often, folder.path(), "-KILL", |_, pipe| {
                    wait_until(pipe, || kept() != before);
                });
                assert_eq!(output.status.code(), None, "{game} was over before it was killed");
                assert!(!Path::new(&parts).exists(), "nothing is under the final name");
            }
            // Another run does not take what is kept.
            let other = run(&["solve", game, "--moves", "c", "--resume", &checkpoint]);
            assert_eq!(other.code, Some(65), "{}", other.stderr);
            let other = run(&["solve", "tic_tac_toe", "--resume", &checkpoint]);
            assert_eq!(other.code, Some(65), "{}", other.stderr);
            assert!(other.stderr.contains("belongs to"), "{}", other.stderr);
            let output = signalled(&["solve", game, "-o", &parts], folder.path(), signal, listens);
            assert_eq!(output.status.code(), Some(130));
            let stderr = String::from_utf8(output.stderr).unwrap();
            let command = format!("solve '{game}' -o {parts}\n");
            assert!(stderr.contains(" found so far, kept in "), "{stderr}");
            assert!(stderr.ends_with(&command), "{stderr}");
            assert!(!Path::new(&parts).exists(), "nothing is under the final name");
            let interrupted = kept();
            stdout(&["solve", game, "-o", &parts]);
            assert!(fs::read(&whole).unwrap() == fs::read(&parts).unwrap(), "{game}");
            assert!(!Path::new(&checkpoint).exists(), "it is no longer needed");
            fs::remove_file(&parts).unwrap();
            fs::write(&checkpoint, interrupted).unwrap();
            let resumed = ["-o", &parts, "--resume", &checkpoint, "--threads", "1"];
            stdout(&[&["solve", game], &resumed[..]].concat());
            assert!(fs::read(&whole).unwrap() == fs::read(&parts).unwrap(), "{game}");
        }
    }

    /// The next run removes what a kill left of a half-written file. The system kills the program
    /// here when the file that it writes grows beyond a limit.
    #[test]
    fn a_half_written_file_is_removed_by_the_next_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file").to_str().unwrap().to_owned();
        let often = ["solve", "alak(length=11)", "-o", &file, "--checkpoint-minutes", "0.00001"];
        let names = || -> Vec<String> {
            let entries = fs::read_dir(folder.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        };
        let killed = Command::new("sh")
            .args(["-c", "ulimit -c 0; ulimit -f 8; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_treegauge"))
            .args(often)
            .output()
            .expect("there is a shell");
        assert!(killed.status.signal().is_some(), "{killed:?}");
        assert!(names().iter().any(|name| name.starts_with('.')), "{:?}", names());
        stdout(&["solve", "alak(length=11)", "-o", &file]);
        assert_eq!(names(), ["file"]);
    }

    /// A gauge takes 1 GB for its solve where that is free, and what can be had where it is not.
    #[test]
    fn a_gauge_says_that_little_memory_kept_it_from_solving() {
        let little = Command::new("sh")
            .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_treegauge"))
            .args(["gauge", "mnk", "--games", "2", "--skill-games", "0", "--iterations", "20"])
            .args(["--threads", "1", "--json"])
            .output()
            .expect("there is a shell");
        assert!(little.status.success(), "{little:?}");
        let report: serde_json::Value = serde_json::from_slice(&little.stdout).unwrap();
        let bytes = |name: &str| report["unsolved"][name].as_u64().unwrap();
        assert!(bytes("memory_bytes_max") < 250 << 20, "{report}");
        assert!(bytes("memory_bytes_needed") > bytes("memory_bytes_max") / 2, "{report}");
        assert!(report["solved"].is_null());
    }

    #[test]
    fn without_a_file_what_is_done_is_kept_among_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        let game = "connect_four(cols=4,rows=4)";
        let output = signalled(&["solve", game], folder.path(), "-INT", listens);
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        let kept = stderr.split("--resume ").nth(1).expect("the command names it").trim();
        assert!(Path::new(kept).starts_with(folder.path()), "{stderr}");
        let resumed = json(&["solve", game, "--resume", kept, "--json"]);
        assert_eq!(resumed["digest"], json(&["solve", game, "--json"])["digest"]);
    }

    #[test]
    fn a_solve_for_another_command_keeps_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let output = signalled(&["puzzles", "alak(length=11)"], folder.path(), "-INT", listens);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("`treegauge solve 'alak(length=11)' -o FILE` keeps"), "{stderr}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
