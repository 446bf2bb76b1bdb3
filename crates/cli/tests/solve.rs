//! Solving, and what is done with the file of a solved game.

use treegauge::solve::write_file;
use treegauge::solve::{
    ExactValue, Options, Reduction, Solution, Solvable, TierTable, Value, solve,
};
use treegauge_core::{Capabilities, Plies};
use treegauge_games::one_to_ten::OneToTen;

use crate::common::{DATA, Fields, Room, json, solved};

#[test]
fn a_solve_from_a_position_is_a_file_from_there() {
    let room = Room::new();
    let line = "tic_tac_toe --moves 'a1 a2 b1 b2'";
    solved(&room, "moves", line);
    solved(&room, "position", "tic_tac_toe --position '.../oo./xx. x'");
    assert_eq!(room.bytes("moves"), room.bytes("position"));
    let text = room.stdout("probe moves");
    assert!(text.contains("With best play the first player, to move, wins in 1 ply."), "{text}");
    assert!(room.stdout("probe moves --moves 'c3 c2'").contains("The game is over"));
    assert!(room.stdout("verify moves").contains("right. All "));
    let some = json(format!("solve {line}"));
    assert!(some.whole("/positions") < json("solve tic_tac_toe").whole("/positions"));
    assert_eq!(some["position"], ".../oo./xx. x");
}

#[test]
fn a_file_is_as_long_as_is_said_and_replaced_by_the_next_solve() {
    let room = Room::new();
    let report = room.json("solve achi -o file");
    assert_eq!(report["file_bytes"], room.size("file"));
    assert_eq!(room.names("."), ["file"], "there is nothing next to it");
    let whole = room.bytes("file");
    solved(&room, "file", "tic_tac_toe");
    // A solve that is refused leaves what was there.
    let kept = room.bytes("file");
    let ran = room.run("solve othello --memory-max 1M -o file --force");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert_eq!(room.bytes("file"), kept);
    solved(&room, "file", "achi");
    assert_eq!(room.bytes("file"), whole);
    // The same game by another name.
    for game in ["achi(men=3)", "achi(size=3,adjacency=lines)"] {
        room.stdout(format!("solve {game} -o file"));
        assert_eq!(room.bytes("file"), whole);
    }
}

/// A solution of `one_to_ten` that calls the start a loss.
fn lie() -> Solution<u64> {
    let game = OneToTen::new(10, 2, false, Plies(1_000));
    let rules = Solvable::of(game, Capabilities::none().tiered());
    let truth = solve(&rules, rules.start(), Options::default(), &()).unwrap().done().unwrap();
    let start = rules.start();
    let lie = ExactValue { value: Value::Lose, remoteness: 6 };
    let tables = truth.tables().iter().map(|table| {
        let keys = table.table().iter().enumerate();
        let stored = |(place, key)| (key, if key == start { lie } else { table.valued(place) });
        TierTable::new(table.tier(), keys.map(stored).collect())
    });
    Solution::of_tables(rules, start, Reduction::none(), tables.collect())
}

#[test]
fn verify_says_what_is_wrong() {
    let room = Room::new();
    solved(&room, "file", "one_to_ten");
    let report = room.json("verify file");
    assert_eq!((&report["ok"], &report["fault_count"]), (&true.into(), &0.into()));
    assert_eq!(report["positions"], json("solve one_to_ten")["positions"]);
    // Every checksum of this file is right.
    write_file(&room.at("file"), &lie(), "one_to_ten", None, &()).unwrap();
    let ran = room.run("verify file --explain");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("one_to_ten: The solution is WRONG: 1 mismatch in "),
        "{}",
        ran.stdout
    );
    let mismatch = "0 x: the position is a loss in 6 in the file and a win in 7 by its children";
    assert!(ran.stdout.contains(mismatch), "{}", ran.stdout);
    let ran = room.run("verify file --json");
    assert_eq!(ran.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&report["ok"], &report["fault_count"]), (&false.into(), &1.into()));
    assert_eq!(report["faults"][0]["position"], "0 x");
    // Nothing is worked out from it.
    for command in ["interest file", "puzzles file"] {
        let wrong = "the file is wrong: the value of `0 x` does not follow from those of its moves";
        room.refused(command, DATA, &[wrong]);
    }
}

#[cfg(target_os = "linux")]
mod stopped {
    use std::fs;
    use std::os::unix::process::ExitStatusExt;
    use std::path::Path;
    use std::process::Command;

    use crate::common::{DATA, Fields, Room, json, solved};
    use crate::pipes::ctrl_c::{TEMPORARY, listens, signalled, wait_until};

    /// Killed, interrupted and continued until the end: by the same command, and by the one that
    /// is printed.
    #[test]
    fn a_solve_continues_to_the_identical_file() {
        for (game, signal) in
            [("connect_four(cols=4,rows=5)", "-INT"), ("alak(length=11)", "-TERM")]
        {
            let room = Room::new();
            solved(&room, "whole", game);
            let whole = room.bytes("whole");
            let kept = || fs::read(room.at("parts.checkpoint")).unwrap_or_default();
            let solve = format!("solve {game} -o parts");
            // Slow enough that the signals come before the end.
            let often = format!("{solve} --checkpoint-minutes 0.0002 --threads 1");
            for _ in 0..2 {
                let before = kept();
                let output = signalled(&room, &often, "-KILL", |_, pipe| {
                    wait_until(pipe, || kept() != before);
                });
                assert_eq!(output.status.code(), None, "{game} was over before it was killed");
                assert!(!room.has("parts"), "nothing is under the final name");
            }
            // Another run does not take what is kept.
            let other = room.run(format!("solve {game} --moves c --resume parts.checkpoint"));
            assert_eq!(other.code, Some(DATA), "{}", other.stderr);
            room.refused("solve tic_tac_toe --resume parts.checkpoint", DATA, &["belongs to"]);
            let output = signalled(&room, &solve, signal, listens);
            assert_eq!(output.status.code(), Some(130));
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains(" found so far, kept in "), "{stderr}");
            assert!(stderr.ends_with(&format!("solve '{game}' -o parts\n")), "{stderr}");
            assert!(!room.has("parts"), "nothing is under the final name");
            let interrupted = kept();
            room.stdout(&solve);
            assert!(room.bytes("parts") == whole, "{game}");
            assert!(!room.has("parts.checkpoint"), "it is no longer needed");
            fs::remove_file(room.at("parts")).unwrap();
            room.write("parts.checkpoint", interrupted);
            room.stdout(format!("{solve} --resume parts.checkpoint --threads 1"));
            assert!(room.bytes("parts") == whole, "{game}");
        }
    }

    /// Result of the program in a shell with limits.
    fn limited(room: &Room, limits: &str, command: &str) -> std::process::Output {
        let line = format!("{limits}; exec {} {command}", env!("CARGO_BIN_EXE_treegauge"));
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(room.at("")).output().expect("there is a shell")
    }

    /// The next run removes what a kill left of a half-written file. The system kills the program
    /// here when the file that it writes grows beyond a limit.
    #[test]
    fn a_half_written_file_is_removed_by_the_next_run() {
        let room = Room::new();
        let solve = "solve 'alak(length=11)' -o file";
        let often = format!("{solve} --checkpoint-minutes 0.00001");
        let killed = limited(&room, "ulimit -c 0; ulimit -f 8", &often);
        assert!(killed.status.signal().is_some(), "{killed:?}");
        let names = room.names(".");
        assert!(names.iter().any(|name| name.starts_with('.')), "{names:?}");
        room.stdout(solve);
        assert_eq!(room.names("."), ["file"]);
    }

    /// A gauge takes 1 GB for its solve where that is free, and what can be had where it is not.
    #[test]
    fn a_gauge_says_that_little_memory_kept_it_from_solving() {
        let gauge = "gauge mnk --games 2 --skill-games 0 --iterations 20 --threads 1 --json";
        let little = limited(&Room::new(), "ulimit -v 1000000", gauge);
        assert!(little.status.success(), "{little:?}");
        let report: serde_json::Value = serde_json::from_slice(&little.stdout).unwrap();
        let [most, needed] =
            ["max", "needed"].map(|name| report.whole(&format!("/unsolved/memory_bytes_{name}")));
        assert!(most < 250 << 20 && needed > most / 2, "{report}");
        assert!(report["solved"].is_null());
    }

    #[test]
    fn without_a_file_what_is_done_is_kept_among_temporary_files() {
        let room = Room::new();
        let solve = "solve connect_four(cols=4,rows=4)";
        let output = signalled(&room, solve, "-INT", listens);
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8(output.stderr).unwrap();
        let kept = stderr.split("--resume ").nth(1).expect("the command names it").trim();
        assert!(Path::new(kept).starts_with(room.at(TEMPORARY)), "{stderr}");
        let resumed = room.json(format!("{solve} --resume {kept}"));
        assert_eq!(resumed["digest"], json(solve)["digest"]);
    }

    #[test]
    fn a_solve_for_another_command_keeps_nothing() {
        let room = Room::new();
        let output = signalled(&room, "puzzles alak(length=11)", "-INT", listens);
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("`treegauge solve 'alak(length=11)' -o FILE` keeps"), "{stderr}");
        assert!(room.names(".").is_empty());
    }
}
