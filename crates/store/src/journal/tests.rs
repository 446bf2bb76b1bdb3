use std::fs;

use proptest::prelude::*;
use serde::Deserialize;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    number: u32,
    value: f64,
    text: String,
}

impl super::Piece for Row {
    type Key = u32;

    fn key(&self) -> u32 {
        self.number
    }
}

#[derive(Serialize)]
struct Settings {
    holds: &'static str,
    seed: u64,
}

const HEADER: Settings = Settings { holds: "pieces", seed: 7 };

fn open(path: &Path) -> Result<(Journal<Row>, Vec<Row>), JournalError> {
    Journal::open(path, &HEADER)
}

fn pieces() -> impl Strategy<Value = Vec<Row>> {
    // Values of all magnitudes, and texts with characters that JSON must escape.
    let piece = (any::<u32>(), -1e300..1e300f64, ".{0,12}");
    prop::collection::vec(piece, 1..8).prop_map(|pieces| {
        let mut seen = FxHashSet::default();
        let made = pieces.into_iter().map(|(number, value, text)| Row { number, value, text });
        made.filter(|piece| seen.insert(piece.number)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A run that is killed after any byte continues, and its final file equals that of an
    /// uninterrupted run.
    #[test]
    fn a_kill_at_any_byte_loses_the_line_in_progress_only(pieces in pieces(), cut: prop::sample::Index) {
        let folder = tempfile::tempdir().unwrap();
        let [once, killed] = ["once", "killed"].map(|name| folder.path().join(name));
        let (mut journal, found) = open(&once).unwrap();
        prop_assert!(found.is_empty());
        for piece in &pieces {
            journal.add(piece).unwrap();
        }
        drop(journal);
        let whole = fs::read(&once).unwrap();
        let left = &whole[..cut.index(whole.len() + 1)];
        fs::write(&killed, left).unwrap();

        let (mut journal, found) = open(&killed).unwrap();
        let lines = left.iter().filter(|&&byte| byte == b'\n').count();
        prop_assert_eq!(&found[..], &pieces[..lines.saturating_sub(1)]);
        // The remaining pieces are added in another order.
        for piece in pieces[found.len()..].iter().rev() {
            journal.add(piece).unwrap();
        }
        journal.finish().unwrap();
        let (journal, _) = open(&once).unwrap();
        journal.finish().unwrap();
        prop_assert_eq!(fs::read(&killed).unwrap(), fs::read(&once).unwrap());

        // Reading finds the same pieces as opening, and writing at once gives the same file as a
        // run.
        let Contents { header, lines: read } = Journal::<Row>::read(&killed).unwrap();
        let mut written = Vec::new();
        write(&mut written, &header, &read.into_iter().rev().collect::<Vec<_>>()).unwrap();
        prop_assert_eq!(written, fs::read(&once).unwrap());

        let mut sorted = pieces;
        sorted.sort_by_key(|piece| piece.number);
        prop_assert_eq!(open(&killed).unwrap().1, sorted);
    }
}

#[test]
fn every_changed_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (mut journal, _) = open(&path).unwrap();
    for number in 0..3 {
        journal.add(&Row { number, value: 0.1, text: "a".to_owned() }).unwrap();
    }
    drop(journal);
    let good = fs::read(&path).unwrap();
    for at in 0..good.len() {
        for change in [1, 0x20, 0x80] {
            let mut bad = good.clone();
            bad[at] ^= change;
            fs::write(&path, &bad).unwrap();
            // Without its end the last line counts as in progress.
            if at == good.len() - 1 {
                assert_eq!(open(&path).unwrap().1.len(), 2);
                continue;
            }
            let error = open(&path).expect_err("damage").to_string();
            assert!(error.contains("line"), "byte {at}: {error}");
            assert_eq!(fs::read(&path).unwrap(), bad, "the file is left as it was");
        }
    }
}

#[test]
fn other_files_and_other_runs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    fs::write(&path, "my notes").unwrap();
    assert!(matches!(open(&path), Err(JournalError::Damaged { line: 1, .. })));
    fs::write(&path, "my\nnotes\n").unwrap();
    assert!(matches!(open(&path), Err(JournalError::Damaged { line: 1, .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "my\nnotes\n");
    assert!(matches!(open(folder.path()), Err(JournalError::NotAFile { .. })));
    let nowhere = folder.path().join("no/such");
    assert!(matches!(open(&nowhere), Err(JournalError::Write { .. })));

    fs::remove_file(&path).unwrap();
    let (mut journal, _) = open(&path).unwrap();
    assert!(matches!(open(&path), Err(JournalError::Busy { .. })));
    let piece = Row { number: 1, value: 0.5, text: String::new() };
    journal.add(&piece).unwrap();
    drop(journal);
    let other = Journal::<Row>::open(&path, &Settings { seed: 8, ..HEADER });
    let error = other.expect_err("another seed").to_string();
    assert!(error.ends_with("belongs to another run: `seed` is 7 there and 8 here"), "{error}");

    let (mut journal, _) = open(&path).unwrap();
    journal.add(&piece).unwrap();
    drop(journal);
    let error = open(&path).expect_err("twice the same").to_string();
    assert!(error.contains("line 3: 1 occurs twice"), "{error}");
}

#[test]
fn reading_does_not_wait_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (mut journal, _) = open(&path).unwrap();
    journal.add(&Row { number: 1, value: 0.5, text: String::new() }).unwrap();
    // The journal is still open, and its next line has no end yet.
    let text = [&fs::read(&path).unwrap()[..], b"{\"number\":2"].concat();
    assert!(!is_cut(&path).unwrap());
    fs::write(&path, &text).unwrap();
    assert!(is_cut(&path).unwrap());
    let Contents { header, lines } = Journal::<Row>::read(&path).unwrap();
    assert_eq!((header["seed"].as_u64(), lines.len()), (Some(7), 1));
    assert_eq!(read_header(&path).unwrap(), header);
    assert_eq!(fs::read(&path).unwrap(), text);
    drop(journal);

    let mut other = header.clone();
    other["seed"] = 8.into();
    assert_eq!(difference(&header, &header), None);
    let (field, here, there) = difference(&header, &other).unwrap();
    assert_eq!((&field[..], here, there), ("seed", 7.into(), 8.into()));
    let mut named = header.clone();
    named.insert("name".to_owned(), "tic_tac_toe".into());
    assert_eq!(difference(&named, &header), None);
    let mut less = header.clone();
    less.remove("holds");
    assert_eq!(
        difference(&less, &header),
        Some(("holds".to_owned(), Value::Null, "pieces".into()))
    );

    fs::write(&path, "").unwrap();
    assert!(matches!(Journal::<Row>::read(&path), Err(JournalError::Damaged { line: 1, .. })));
    let nowhere = folder.path().join("no/such");
    assert!(matches!(read_header(&nowhere), Err(JournalError::Read { .. })));
    assert!(matches!(read_header(folder.path()), Err(JournalError::NotAFile { .. })));
}

#[test]
fn a_file_that_another_program_changes_meanwhile_is_an_error_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [path, aside] = ["journal", "aside"].map(|name| folder.path().join(name));
    let piece = |number| Row { number, value: 0.5, text: String::new() };
    let changed =
        |result: Result<(), JournalError>| matches!(result, Err(JournalError::Changed { .. }));
    let begun = || {
        let _ = fs::remove_file(&path);
        let (mut journal, _) = open(&path).unwrap();
        journal.add(&piece(2)).unwrap();
        (journal, fs::read(&path).unwrap())
    };
    // Truncated file: nothing is written after the new end.
    for len in [0, 10] {
        let (mut journal, _) = begun();
        File::options().write(true).open(&path).unwrap().set_len(len).unwrap();
        assert!(changed(journal.add(&piece(1))));
        assert_eq!(fs::metadata(&path).unwrap().len(), len);
        assert!(journal.finish().is_err());
        assert_eq!(fs::metadata(&path).unwrap().len(), len);
    }
    // Longer file.
    let (mut journal, whole) = begun();
    fs::write(&path, [&whole[..], b"more\n"].concat()).unwrap();
    assert!(changed(journal.add(&piece(1))));
    // A changed byte is found at the end.
    let (journal, mut bytes) = begun();
    bytes[3] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(journal.finish(), Err(JournalError::Damaged { line: 1, .. })));
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // Another file at the path, or no file.
    let (mut journal, whole) = begun();
    fs::rename(&path, &aside).unwrap();
    fs::write(&path, "a letter").unwrap();
    journal.add(&piece(1)).unwrap();
    assert!(changed(journal.finish()));
    assert_eq!(fs::read(&path).unwrap(), b"a letter");
    assert!(fs::read(&aside).unwrap().starts_with(&whole));
    let (journal, _) = begun();
    fs::remove_file(&path).unwrap();
    assert!(changed(journal.finish()));
    assert!(!path.exists());
}

#[test]
fn a_line_without_an_end_is_read_to_its_bound_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let error = read_header(&path).unwrap_err().to_string();
    assert!(error.ends_with("at line 1: the line has no end"), "{error}");
    assert!(open(&path).is_err());
    assert_eq!(fs::metadata(&path).unwrap().len(), 1 << 40);
}

/// First line of a run with a plan.
fn planned(games: u32, part: Option<&str>) -> Header {
    let part = part.map(|part| part.parse().unwrap());
    Planned { games: Some(games), part, ..Planned::default() }.header(&HEADER)
}

fn piece(number: u32) -> Row {
    Row { number, value: 0.5, text: String::new() }
}

#[test]
fn a_larger_plan_is_kept_and_another_part_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let open = |header: &Header| Journal::<Row>::open(&path, header);
    let (mut journal, _) = open(&planned(4, Some("1/2"))).unwrap();
    journal.add(&piece(3)).unwrap();
    drop(journal);
    let before = fs::read(&path).unwrap();
    let error = open(&planned(4, Some("2/2"))).unwrap_err();
    assert!(matches!(error, JournalError::OtherPart { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    // The existing lines stay, and others follow.
    let (mut journal, found) = open(&planned(6, None)).unwrap();
    assert_eq!(found, [piece(3)]);
    assert!(matches!(open(&planned(6, None)), Err(JournalError::Busy { .. })));
    journal.add(&piece(1)).unwrap();
    journal.finish().unwrap();
    let Contents { header, lines } = Journal::<Row>::read(&path).unwrap();
    assert_eq!((header, lines), (planned(6, None), vec![piece(1), piece(3)]));
    // A smaller plan and an empty one change nothing; an older journal gets a plan.
    let before = fs::read(&path).unwrap();
    for header in [planned(2, Some("1/2")), Planned::default().header(&HEADER)] {
        drop(open(&header).unwrap());
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    let older = folder.path().join("older");
    drop(Journal::<Row>::open(&older, &HEADER).unwrap());
    drop(Journal::<Row>::open(&older, &planned(4, None)).unwrap());
    assert_eq!(read_header(&older).unwrap(), planned(4, None));
}

#[test]
fn pieces_come_in_order_whatever_the_order_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let order = |numbers: &[u32]| {
        fs::remove_file(&path).ok();
        let (mut journal, _) = open(&path).unwrap();
        numbers.iter().for_each(|&number| journal.add(&piece(number)).unwrap());
        let (mut seen, mut again) = (Vec::new(), 0);
        let read = Journal::read_in_order(&path, &(), &mut |one: InOrder<Row>| match one {
            InOrder::Piece(piece) => seen.push(piece.number),
            InOrder::Anew => {
                again += 1;
                seen.clear();
            }
        });
        read.map(|_| (seen, again))
    };
    assert_eq!(order(&[1, 2, 5, 9]).unwrap(), (vec![1, 2, 5, 9], 0));
    assert_eq!(order(&[2, 5, 1, 9]).unwrap(), (vec![1, 2, 5, 9], 1));
    assert_eq!(order(&[9, 5, 2, 1]).unwrap(), (vec![1, 2, 5, 9], 1));
    assert_eq!(order(&[]).unwrap(), (vec![], 0));
    for twice in [&[1, 1][..], &[5, 2, 5], &[2, 5, 1, 5]] {
        let error = order(twice).unwrap_err();
        assert!(error.to_string().contains("occurs twice"), "{error}");
    }
}

#[test]
fn a_run_that_will_continue_finds_what_it_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let piece = Row { number: 1, value: 0.5, text: String::new() };
    let begun = |path: &Path| {
        let _ = fs::remove_file(path);
        let (mut journal, _) = open(path).unwrap();
        journal.add(&piece).unwrap();
        journal
    };
    begun(&path).close().unwrap();
    let changes: [&dyn Fn(&Path); 3] = [
        &|path| fs::remove_file(path).unwrap(),
        &|path| {
            let other = path.with_extension("other");
            fs::write(&other, "a letter").unwrap();
            fs::rename(&other, path).unwrap();
        },
        &|path| {
            let text = fs::read(path).unwrap();
            fs::OpenOptions::new()
                .write(true)
                .open(path)
                .unwrap()
                .set_len(text.len() as u64 / 2)
                .unwrap();
        },
    ];
    for change in changes {
        let journal = begun(&path);
        change(&path);
        assert!(matches!(journal.close(), Err(JournalError::Changed { .. })));
    }
}

#[test]
fn seeds_of_both_forms_are_the_same() {
    use serde_json::json;
    assert!(is_same_seed(&json!(u64::MAX), &json!("18446744073709551615")));
    assert!(!is_same_seed(&json!(7), &json!("8")) && !is_same_seed(&json!("a"), &json!("b")));
}
