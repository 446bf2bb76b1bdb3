use std::fs;
use std::path::Path;

use treegauge_core::KeyCode;

use super::header::{MAGIC, VERSION};
use super::*;
use crate::rules::{Reduction, Solvable};
use crate::solution::{Solution, TierTable};
use crate::tests::any_game::{on, solved};
use crate::value::{ExactValue, Value};
use crate::verify::{Mismatch, verify};

/// Writes the solution of a game and reads it again in every way.
fn leads_back<K: KeyCode>(rules: Solvable<K>, of: &str) {
    let spec = of;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    for symmetry in [false, Reduction::of(&rules, rules.start()).is_ok()] {
        let solution = solved(&rules, symmetry);
        let header = write_file(&path, &solution, spec, None, &()).unwrap();
        assert_eq!(Header::of_file(&path).unwrap(), header);
        assert_eq!(Some(header.digest), solution.digest(None, &()), "{spec}");
        assert_eq!(header.reduced, symmetry);
        let file = SolutionFile::open(&path, rules.clone(), spec).unwrap();
        let loaded = file.load(None, &()).unwrap();
        assert_eq!(loaded.tables(), solution.tables(), "{spec}");
        assert_eq!(loaded.start(), solution.start());
        assert_eq!(loaded.reduction(), solution.reduction());
        assert_eq!(loaded.digest(None, &()), solution.digest(None, &()));
        let expander = solution.expander();
        let mut images = Vec::new();
        let step = solution.len() / 20_000 + 1;
        for (_, key, valued) in solution.iter().step_by(step) {
            expander.images_into(key, &mut images);
            for &image in &images {
                let state = image;
                assert_eq!(file.get(state).unwrap(), Some(valued), "{spec}: {state:?}");
            }
        }
        let verdict = verify(&file, None, &()).unwrap();
        assert!(verdict.is_ok(), "{spec}: {verdict:?}");
        assert_eq!(verdict.positions, solution.len() as u64);
        // Another number of threads writes the same bytes.
        let first = fs::read(&path).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        pool.install(|| write_file(&path, &loaded, spec, None, &())).unwrap();
        assert!(fs::read(&path).unwrap() == first, "{spec}: other bytes");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn solutions_lead_back() {
    for spec in [
        "one_to_ten",
        "tic_tac_toe",
        "achi",
        "alak(length=6)",
        "finger_game",
        "dots_and_boxes(rows=1,cols=2)",
        "kalah(houses=2,seeds=2)",
        "othello(size=4,adjacent=true)",
        // More than one block.
        "connect_four(cols=4,rows=4)",
    ] {
        on!(spec, leads_back, spec);
    }
}

/// Reads everything that a file holds and compares it with the solution.
fn read_all<K: KeyCode>(path: &Path, solution: &Solution<K>, spec: &str) -> Result<(), FileError> {
    let file = SolutionFile::open(path, solution.rules().clone(), spec)?;
    for (_, key, valued) in solution.iter() {
        assert_eq!(file.get(key)?, Some(valued));
    }
    assert_eq!(file.load(None, &())?.tables(), solution.tables());
    assert_eq!(file.section("kept")?.as_deref(), Some(&b"a note"[..]));
    assert_eq!(file.section("other")?, None);
    Ok(())
}

/// Changes a file at every place, one at a time.
fn damage<K: KeyCode>(rules: Solvable<K>) {
    let spec = "one_to_ten";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let solution = solved(&rules, false);
    write_file(&path, &solution, spec, None, &()).unwrap();
    with_section(&path, "kept", b"a note").unwrap();
    let whole = fs::read(&path).unwrap();
    read_all(&path, &solution, spec).unwrap();
    for place in 0..whole.len() {
        for mask in (0..8).map(|bit| 1 << bit).chain([0xff, 0x55]) {
            let mut bytes = whole.clone();
            bytes[place] ^= mask;
            fs::write(&path, &bytes).unwrap();
            let error = read_all(&path, &solution, spec).expect_err("a byte is another");
            assert!(!matches!(error, FileError::Io(_)), "byte {place}: {error}");
            // Adding a section either refuses the damage or copies it unchanged. Every try waits
            // for the disk, so only some places are tested.
            if mask == 0xff && place % 8 == 0 {
                if with_section(&path, "more", b"x").is_ok() {
                    read_all(&path, &solution, spec).expect_err("the damage is still there");
                } else {
                    assert_eq!(fs::read(&path).unwrap(), bytes);
                }
            }
        }
    }
    for len in 0..whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let error = read_all(&path, &solution, spec).expect_err("the end is missing");
        match error {
            FileError::NotASolution => assert_eq!(len, 0),
            FileError::Truncated { found, expected } => {
                assert_eq!(found, len as u64);
                assert!(found < expected && expected <= whole.len() as u64);
            }
            other => panic!("{len} bytes: {other}"),
        }
    }
    fs::write(&path, [&whole[..], b"\n"].concat()).unwrap();
    let error = read_all(&path, &solution, spec).unwrap_err();
    assert!(matches!(error, FileError::TooLong { .. }), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn every_damage_is_a_typed_error() {
    on!("one_to_ten", damage);
}

/// Opens files that are not solution files of this game.
fn other<K: KeyCode>(rules: Solvable<K>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let open = |spec: &str| SolutionFile::open(&path, rules.clone(), spec).map(|_| ());
    assert!(matches!(open("one_to_ten"), Err(FileError::Io(_))));
    fs::write(&path, "a letter to my aunt, who has never written a solution file").unwrap();
    assert!(matches!(open("one_to_ten"), Err(FileError::NotASolution)));
    let mut later = MAGIC.to_vec();
    later.extend((VERSION + 1).to_be_bytes());
    later.extend([0; 100]);
    fs::write(&path, later).unwrap();
    let error = open("one_to_ten").unwrap_err();
    assert!(matches!(error, FileError::OtherVersion { there: 2, here: 1 }), "{error}");
    // The rules of another game under this name simulate those of another program.
    write_file(&path, &solved(&rules, false), "one_to_ten(max_step=3)", None, &()).unwrap();
    let error = open("one_to_ten").unwrap_err();
    assert!(matches!(error, FileError::OtherGame { .. }), "{error}");
    write_file(&path, &solved(&rules, false), "one_to_ten", None, &()).unwrap();
    assert!(open("one_to_ten").is_ok());
    on!("one_to_ten(max_step=3)", other_rules, &path);
    let error =
        write_file(folder.path(), &solved(&rules, false), "one_to_ten", None, &()).unwrap_err();
    assert!(matches!(error, FileError::NotAFile), "{error}");
}

fn other_rules<K: KeyCode>(rules: Solvable<K>, of: &Path) {
    let error = SolutionFile::open(of, rules, "one_to_ten").map(|_| ()).unwrap_err();
    assert!(matches!(error, FileError::OtherRules { .. }), "{error}");
}

#[test]
fn files_of_something_else_are_refused() {
    on!("one_to_ten", other);
}

/// Adds sections in two orders.
fn sections<K: KeyCode>(rules: Solvable<K>) {
    let spec = "tic_tac_toe";
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    for path in &paths {
        write_file(path, &solved(&rules, true), spec, None, &()).unwrap();
    }
    let bare = fs::metadata(&paths[0]).unwrap().len();
    with_section(&paths[0], "x", b"first").unwrap();
    with_section(&paths[0], "y", b"").unwrap();
    with_section(&paths[0], "x", b"second").unwrap();
    with_section(&paths[1], "y", b"").unwrap();
    with_section(&paths[1], "x", b"second").unwrap();
    let bytes = fs::read(&paths[0]).unwrap();
    assert_eq!(bytes, fs::read(&paths[1]).unwrap());
    assert!(bytes.len() as u64 > bare);
    let file = SolutionFile::open(&paths[0], rules.clone(), spec).unwrap();
    assert_eq!(file.section_names().collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!(file.section("x").unwrap().as_deref(), Some(&b"second"[..]));
    assert_eq!(file.section("y").unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(file.section("z").unwrap(), None);
    assert_eq!(file.load(None, &()).unwrap().tables(), solved(&rules, true).tables());
    for bad in ["", &"x".repeat(256)] {
        let error = with_section(&paths[0], bad, b"").unwrap_err();
        assert!(matches!(error, FileError::BadSection), "{error}");
    }
}

#[test]
fn sections_are_kept_beside_the_positions() {
    on!("tic_tac_toe", sections);
}

/// Writes a solution with one record changed and all checksums valid.
fn lies<K: KeyCode>(rules: Solvable<K>, of: &'static str) {
    let spec = of;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let solution = solved(&rules, false);
    let verdict = |tables: Vec<TierTable<K>>| {
        let start = solution.start();
        let lie = Solution::of_tables(rules.clone(), start, Reduction::none(), tables);
        write_file(&path, &lie, spec, None, &()).unwrap();
        let file = SolutionFile::open(&path, rules.clone(), spec).unwrap();
        let verdict = verify(&file, None, &()).unwrap();
        let loaded = file.load(None, &());
        assert_eq!(loaded.is_ok(), verdict.is_ok(), "{verdict:?}");
        let named = matches!(loaded, Ok(_) | Err(FileError::Contradiction { .. }));
        assert!(named, "{loaded:?}");
        verdict
    };
    assert!(verdict(solution.tables().to_vec()).is_ok());
    for n in 0..solution.tables().len() {
        let table = &solution.tables()[n];
        for place in (0..table.table().len()).step_by(table.table().len().div_ceil(12)) {
            let right = table.valued(place);
            for value in Value::ALL {
                let mut tables = solution.tables().to_vec();
                tables[n].values[place].value = value;
                // A draw has no remoteness, so here the remoteness is changed.
                if value == right.value {
                    tables[n].values[place].remoteness += 1;
                }
                let verdict = verdict(tables);
                assert!(!verdict.is_ok(), "{spec}: {place} as {value:?}, not {right:?}");
                let found = verdict.mismatches.iter().any(|f| matches!(f, Mismatch::Value { .. }));
                assert!(found, "{spec}: {verdict:?}");
            }
        }
    }
    // All draws become ties without an end: each has a tying child, but none has an end.
    let mut tables = solution.tables().to_vec();
    let mut changed = false;
    for table in &mut tables {
        for valued in table.values.iter_mut().filter(|valued| valued.value == Value::Draw) {
            changed = true;
            valued.value = Value::Tie;
        }
    }
    assert_eq!(verdict(tables).is_ok(), !changed);
}

#[test]
fn a_record_that_is_wrong_is_found() {
    for spec in ["tic_tac_toe(size=3,k=3)", "achi", "alak(length=5)", "finger_game"] {
        let spec: &'static str = spec;
        on!(spec, lies, spec);
    }
}

/// Leaves a record out, or adds one that cannot be reached.
fn missing<K: KeyCode>(rules: Solvable<K>) {
    let spec = "one_to_ten";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let solution = solved(&rules, false);
    let verdict = |records: Vec<(K, ExactValue)>, start: K| {
        let mut tiers = std::collections::BTreeMap::<u32, Vec<_>>::new();
        for (key, valued) in records {
            let tier = rules.tier(key);
            tiers.entry(tier).or_default().push((key, valued));
        }
        let tables = tiers.into_iter().map(|(tier, records)| TierTable::new(tier, records));
        let tables = tables.collect();
        let lie = Solution::of_tables(rules.clone(), start, Reduction::none(), tables);
        write_file(&path, &lie, spec, None, &()).unwrap();
        let file = SolutionFile::open(&path, rules.clone(), spec).unwrap();
        let verdict = verify(&file, None, &()).unwrap();
        // A record that cannot be reached does not prevent loading.
        let lacks = |mismatch: &Mismatch<K>| !matches!(mismatch, Mismatch::NotReached { .. });
        let is_lacking = verdict.mismatches.iter().any(lacks);
        assert_eq!(file.load(None, &()).is_err(), is_lacking, "{verdict:?}");
        verdict
    };
    let all: Vec<_> = solution.iter().map(|(_, key, valued)| (key, valued)).collect();
    let start = solution.start();
    assert!(verdict(all.clone(), start).is_ok());
    for n in 0..all.len() {
        let mut some = all.clone();
        let gone = some.remove(n).0;
        let mismatches = verdict(some, start).mismatches;
        let found = if gone == start {
            mismatches.contains(&Mismatch::NoStart)
        } else {
            mismatches.iter().any(|mismatch| matches!(mismatch, Mismatch::NoChild { .. }))
        };
        assert!(found, "without {gone:?}: {mismatches:?}");
    }
    // From a later position the earlier ones cannot be reached.
    let verdict = verdict(all, rules.after(start, 0));
    let found = verdict.mismatches.iter().any(|f| matches!(f, Mismatch::NotReached { .. }));
    assert!(found, "{verdict:?}");
    assert!(verdict.mismatches.iter().all(|mismatch| mismatch.state().is_some()));
}

#[test]
fn a_record_too_few_or_too_many_is_found() {
    on!("one_to_ten", missing);
}

/// Writes a key beyond the index and reads it, in a file and in a checkpoint.
fn beyond<K: KeyCode>(rules: Solvable<K>, of: &'static str) {
    let spec = of;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solution");
    let solution = solved(&rules, false);
    let start = solution.start();
    let beyond = K::of_number(rules.index_len().expect("keys are an index"));
    let draw = crate::ExactValue { value: Value::Draw, remoteness: 0 };
    let records = solution.iter().map(|(_, key, valued)| (key, valued));
    let table = TierTable::new(0, records.chain([(beyond, draw)]).collect());
    let lie = Solution::of_tables(rules.clone(), start, Reduction::none(), vec![table]);
    write_file(&path, &lie, spec, None, &()).unwrap();
    let file = SolutionFile::open(&path, rules.clone(), spec).unwrap();
    assert!(matches!(file.load(None, &()), Err(FileError::Damaged(Part::Block(_)))));
    assert!(matches!(verify(&file, None, &()), Err(FileError::Damaged(Part::Block(_)))));

    // A header's number of positions does not overflow either.
    assert_eq!(crate::indexed::len_for(&rules, u64::MAX), rules.index_len());
    let part = crate::checkpoint::Part {
        tier: 0,
        expanded: false,
        keys: crate::checkpoint::Keys::Pieces(vec![vec![beyond]]),
        values: None,
    };
    let checkpoint =
        crate::Checkpoint { start, reduced: false, tiered: rules.has_tiers(), parts: vec![part] };
    let resumed = crate::resume(&rules, checkpoint, crate::Options::default(), &());
    assert_eq!(resumed.unwrap_err(), crate::SolveError::BadCheckpoint);
}

#[test]
fn a_key_beyond_the_index_is_refused() {
    for spec in ["achi", "alak(length=5)"] {
        on!(spec, beyond, spec);
    }
}
