//! The fuzzer as a program.

use std::process::{Command, Output};

fn fuzz(words: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut fuzzer = Command::new(env!("CARGO_BIN_EXE_treegauge-fuzz"));
    fuzzer.arg("--folder").arg(folder.path()).args(words).output().unwrap()
}

#[test]
fn a_short_run_drives_every_reader() {
    let found = fuzz(&["--seconds", "1", "--seed", "3"]);
    let text = String::from_utf8(found.stdout).unwrap();
    assert!(found.status.success(), "{text}{}", String::from_utf8_lossy(&found.stderr));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "fuzz: seed 3, 1 seconds for 25 readers");
    assert_eq!(lines.len(), 26, "{text}");
    assert!(lines[1..].iter().all(|line| line.contains(" inputs, ")), "{text}");
}

#[test]
fn a_reader_that_does_not_exist_is_refused_with_the_names_of_all() {
    let found = fuzz(&["--reader", "solutoin"]);
    assert!(!found.status.success());
    let text = String::from_utf8(found.stderr).unwrap();
    assert!(text.contains("unknown reader \"solutoin\"; known: [\"solution\""), "{text}");
}
