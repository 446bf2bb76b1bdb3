//! Reader of files of solved games.

use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::Value;
use treegauge_catalog::GameSpec;
use treegauge_core::KeyCode;
use treegauge_solve::file::{Header, SolutionFile, with_section, write_file};
use treegauge_solve::verify::verify;
use treegauge_solve::{AnySolvable, Options, Reduction, Solvable, solve, with_rules};
use xxhash_rust::xxh3::xxh3_64;

use super::Reader;

/// Games that take a moment to solve: with and without tiers, symmetries, an index and ties.
pub(super) const GAMES: [&str; 5] = [
    "one_to_ten",
    "alak(length=6)",
    "finger_game",
    "dots_and_boxes(rows=1,cols=2)",
    "tic_tac_toe(size=3,k=2)",
];

/// Name of a section like those of `interest --save`.
const SECTION: &str = "interest";

/// Rules of a game of the catalog.
pub(super) fn rules_of(spec: &str) -> AnySolvable {
    treegauge::Game::parse(spec).expect("it is a game").engine().rules()
}

pub(super) struct Solution;

/// Solution files of a game: with and without symmetry, if the game has one.
fn samples_of<K: KeyCode>(rules: &Solvable<K>, spec: &str) -> Result<Vec<Vec<u8>>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("solution");
    let spec = GameSpec::parse(spec)?.canonical();
    let mut samples = Vec::new();
    for symmetry in [false, true] {
        if symmetry && Reduction::of(rules, rules.start()).is_err() {
            continue;
        }
        let options = Options { symmetry, ..Options::default() };
        let solved = solve(rules, rules.start(), options, &())?.done();
        write_file(&path, &solved.expect("nothing stops it"), &spec, None, &())?;
        samples.push(std::fs::read(&path)?);
        with_section(&path, SECTION, br#"{"version":1,"analysis":{"game":"any"}}"#)?;
        samples.push(std::fs::read(&path)?);
        ensure!(Solution.read(&samples[0], &path), "the solution of {spec} is refused");
    }
    Ok(samples)
}

/// Reads a file in every way. Returns whether it is valid.
fn read_all<K: KeyCode>(rules: &Solvable<K>, path: &Path, spec: &str) -> bool {
    let Ok(file) = SolutionFile::open(path, rules.clone(), spec) else {
        return false;
    };
    let names: Vec<String> = file.section_names().map(str::to_owned).collect();
    for name in &names {
        if let Ok(Some(section)) = file.section(name) {
            let _ = serde_json::from_slice::<Value>(&section);
        }
    }
    // Reads the start and one line of up to 12 plies.
    let mut state = file.start();
    for ply in 0..12 {
        if file.get(state).is_err() || rules.outcome(state).is_some() {
            break;
        }
        state = rules.after(state, ply % rules.move_count(state));
    }
    let loaded = file.load(None, &());
    let verdict = verify(&file, None, &());
    // A file that passes the check without a mismatch is a solution.
    match verdict {
        Ok(verdict) if verdict.is_ok() => {
            assert!(loaded.is_ok(), "a file without a mismatch cannot be loaded");
            true
        }
        _ => false,
    }
}

impl Reader for Solution {
    fn name(&self) -> &'static str {
        "solution"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let mut samples = Vec::new();
        for spec in GAMES {
            samples.extend(with_rules!(rules_of(spec), rules => samples_of(&rules, spec))?);
        }
        Ok(samples)
    }

    fn reseal(&self, bytes: &mut Vec<u8>) {
        let _ = sealed(bytes);
    }

    fn read(&self, _: &[u8], path: &Path) -> bool {
        let Ok(header) = Header::of_file(path) else { return false };
        // The header names the game. Only small known games are read: refusing a large one takes
        // long.
        let Ok(spec) = GameSpec::parse(&header.spec) else { return false };
        let spec = spec.canonical();
        GAMES.iter().any(|&game| {
            let known = GameSpec::parse(game).expect("it is a game").canonical();
            known == spec && with_rules!(rules_of(game), rules => read_all(&rules, path, &spec))
        })
    }
}

/// Bytes of the header before its numbers, which begin with the length of the file.
const PREFIX_BYTES: usize = 32;

/// Makes all checksums valid that can be found: those of blocks, index, directory and header, in
/// this order. Returns `None` if a place lies outside the file.
fn sealed(bytes: &mut [u8]) -> Option<()> {
    let number = |bytes: &[u8], at: usize| -> Option<usize> {
        let number = bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
        usize::try_from(u64::from_be_bytes(number)).ok()
    };
    let seal = |bytes: &mut [u8], begin: usize, end: usize| -> Option<()> {
        let part = bytes.get_mut(begin..end)?;
        let (body, sum) = part.split_last_chunk_mut::<8>()?;
        *sum = xxh3_64(body).to_be_bytes();
        Some(())
    };
    let file_bytes = bytes.len();
    let body_len = u32::from_be_bytes(bytes.get(28..PREFIX_BYTES)?.try_into().ok()?);
    let header_end = PREFIX_BYTES + body_len as usize + 8;
    bytes
        .get_mut(PREFIX_BYTES..PREFIX_BYTES + 8)?
        .copy_from_slice(&(file_bytes as u64).to_be_bytes());
    let [key_bytes, block_count, index_at, sections_at, directory_at] =
        [3, 4, 5, 6, 7].map(|n| number(bytes, PREFIX_BYTES + 8 * n));
    seal(bytes, 0, header_end)?;
    let (index_at, sections_at) = (index_at?, sections_at?);
    let row_bytes = key_bytes?.checked_add(8)?;
    let place = |bytes: &[u8], n: usize| {
        number(bytes, index_at.checked_add(row_bytes.checked_mul(n)?)?.checked_add(row_bytes - 8)?)
    };
    for n in 0..block_count?.min(64) {
        let end = if n + 1 == block_count? { index_at } else { place(bytes, n + 1)? };
        let begin = place(bytes, n)?;
        seal(bytes, begin, end);
    }
    seal(bytes, index_at, sections_at);
    seal(bytes, directory_at?, file_bytes)
}
