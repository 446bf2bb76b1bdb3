//! Matches and what is made of their records.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{json, refused, stdout};

const USAGE: i32 = 2;
const DATA: i32 = 65;

/// A match of a search with chance, soon over.
const UNEQUAL: [&str; 8] =
    ["match", "tic_tac_toe", "--a", "uct(iterations=60)", "--b", "random", "--games", "24"];

/// The path of a file in a folder.
fn at(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("the path is text").to_owned()
}

/// Plays the match, or a part of it, into a record, and tells its path.
fn recorded(folder: &Path, name: &str, more: &[&str]) -> String {
    let path = at(folder, name);
    stdout(&[&UNEQUAL[..], &["--record", &path], more].concat());
    path
}

#[test]
fn merged_parts_are_the_whole_match() {
    let folder = tempfile::tempdir().unwrap();
    let whole = recorded(folder.path(), "whole", &["--threads", "2"]);
    let parts = ["1/3", "2/3", "3/3"].map(|part| {
        let name = part.replace('/', "-");
        recorded(folder.path(), &name, &["--shard", part, "--threads", "1"])
    });
    let [one, two, three] = parts.each_ref().map(String::as_str);
    let out = at(folder.path(), "merged");
    // Whatever the order; what two files have is no fault.
    let text = stdout(&["merge", three, one, two, one, "-o", &out]);
    assert_eq!(text, stdout(&UNEQUAL));
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(json(&["merge", &whole, "--json"]), json(&[&UNEQUAL[..], &["--json"]].concat()));

    // Pairs 0 to 11 without 1, 4, 7, 10.
    let report = json(&["merge", one, three, "--json", "-o", &out]);
    assert_eq!((&report["missing"], &report["incomplete"]), (&8.into(), &true.into()));
    assert_eq!((&report["games"], &report["pairs"]), (&16.into(), &8.into()));
    let text = stdout(&["merge", one, three]);
    assert!(text.starts_with("INCOMPLETE: 8 games are missing.\n"), "{text}");
    // The match goes on from what was merged.
    stdout(&[&UNEQUAL[..], &["--record", &out]].concat());
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    // A record can be merged into itself, and one that is being written is read as far as it is.
    let text = fs::read_to_string(&whole).unwrap();
    fs::write(&out, &text[..text.len() - 5]).unwrap();
    stdout(&["merge", &out, two, "-o", &out]);
    let lines = fs::read_to_string(&out).unwrap().lines().count();
    assert_eq!(lines, 24, "the last game is missing, which is in part 3");
}

#[test]
fn records_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let one = recorded(folder.path(), "one", &["--shard", "1/2"]);
    let other = recorded(folder.path(), "other", &["--shard", "2/2", "--seed", "2"]);
    let out = at(folder.path(), "merged");
    let of = format!("{other} is of another match: `seed` is 2 there and 1 in {one}");
    refused(&["merge", &one, &other, "-o", &out], DATA, &[&of]);
    assert!(!Path::new(&out).exists());

    // Players with time budgets do not play the same game twice.
    let changed = at(folder.path(), "changed");
    fs::write(&changed, resealed(&fs::read_to_string(&one).unwrap())).unwrap();
    let not = format!("game 4 in {changed} is not that in {one}");
    refused(&["merge", &one, &changed], DATA, &[&not]);

    let gauge = at(folder.path(), "gauge");
    stdout(&["gauge", "one_to_ten", "--games", "2", "--iterations", "5", "--record", &gauge]);
    let wrong = "holds \"games of a gauge\", not \"games of a match\"";
    refused(&["merge", &one, &gauge], DATA, &[&gauge, wrong]);
    let nothing = at(folder.path(), "nothing");
    refused(&["merge", &one, &nothing], DATA, &[&nothing]);
    fs::write(&nothing, "").unwrap();
    refused(&["merge", &one, &nothing], DATA, &[&nothing, "at line 1"]);
    let text = fs::read_to_string(&one).unwrap();
    fs::write(&nothing, text.replacen("random", "Random", 1)).unwrap();
    refused(&["merge", &nothing], DATA, &["damaged", "at line 1", "checksum"]);
    refused(&["merge", &one, "-o", "/no/such/folder/file"], DATA, &["cannot write"]);
    refused(&["merge"], USAGE, &["<FILE>"]);
}

/// A record with one move more in its third line, and the checksum that fits.
fn resealed(record: &str) -> String {
    let seal = ",\"crc32\":\"";
    let line = |(n, line): (usize, &str)| {
        let (object, sum) = line.rsplit_once(seal).unwrap();
        if n != 3 {
            return format!("{object}{seal}{sum}\n");
        }
        let changed = object.replacen("\"nodes\":", "\"nodes\":1", 1);
        assert_ne!(changed, object);
        format!("{changed}{seal}{:08x}\"}}\n", crc32(changed.as_bytes()))
    };
    record.lines().enumerate().map(line).collect()
}

/// The checksum of ISO 3309, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}

#[test]
fn a_match_that_one_side_wins_has_no_infinite_numbers() {
    // Whoever plays at random for so long does not keep what he has.
    let game = "one_to_ten(target=60)";
    let arguments = ["match", game, "--a", "uct(iterations=300)", "--b", "random", "--games", "10"];
    let report = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!((&report["a_wins"], &report["b_wins"]), (&10.into(), &0.into()));
    assert_eq!(report["pentanomial"], serde_json::json!([0, 0, 0, 0, 5]));
    assert_eq!((&report["elo"]["mean"], &report["elo"]["high"]), (&Value::Null, &Value::Null));
    assert!(report["elo"]["low"].as_f64().unwrap() > 0.0, "{report}");
    let text = stdout(&arguments);
    assert!(
        text.contains("at least +") && !text.contains("inf") && !text.contains("NaN"),
        "{text}"
    );
}
