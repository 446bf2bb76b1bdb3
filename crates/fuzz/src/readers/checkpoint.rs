//! Reader of checkpoints of solves.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Result, ensure};
use treegauge_core::KeyCode;
use treegauge_solve::{Checkpoint, Options, Solvable, Solved, Watch, solve, with_rules};
use xxhash_rust::xxh3::xxh3_128;

use super::Reader;
use super::solved::{GAMES, rules_of};

/// Run that the checkpoints name.
const RUN: &str = "a run";

pub(super) struct Saved;

/// Watch that allows n calls and then says stop.
struct StopAfter(AtomicU32);

impl Watch for StopAfter {
    fn stop(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err()
    }
}

/// Checkpoints of a solve stopped after 0, 2 and 5 checks of its watch.
fn stopped<K: KeyCode>(rules: &Solvable<K>) -> Vec<Vec<u8>> {
    let stopped = [0, 2, 5].map(|asked| {
        let watch = StopAfter(AtomicU32::new(asked));
        let solved = solve(rules, rules.start(), Options::default(), &watch).ok()?;
        let Solved::Stopped(checkpoint) = solved else { return None };
        let mut bytes = Vec::new();
        checkpoint.write(RUN, &mut bytes).expect("memory takes what is written");
        Some(bytes)
    });
    stopped.into_iter().flatten().collect()
}

impl Reader for Saved {
    fn name(&self) -> &'static str {
        "checkpoint"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let of_game = |spec: &&str| with_rules!(rules_of(spec), rules => stopped(&rules));
        let samples: Vec<Vec<u8>> = GAMES.iter().flat_map(of_game).collect();
        ensure!(samples.len() >= GAMES.len(), "solves did not stop");
        let path = Path::new("");
        ensure!(samples.iter().all(|sample| self.read(sample, path)), "a checkpoint is refused");
        Ok(samples)
    }

    fn reseal(&self, bytes: &mut Vec<u8>) {
        if let Some((body, sum)) = bytes.split_last_chunk_mut::<16>() {
            *sum = xxh3_128(body).to_be_bytes();
        }
    }

    /// Reads the bytes with keys of each type. The solve is not resumed: it trusts the positions of
    /// a checkpoint that has the right checksum.
    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        fn is_one<K: KeyCode>(bytes: &[u8]) -> bool {
            let Ok(checkpoint) = Checkpoint::<K>::read(RUN, None, &mut &bytes[..]) else {
                return false;
            };
            let mut again = Vec::new();
            checkpoint.write(RUN, &mut again).expect("memory takes what is written");
            assert_eq!(again, bytes, "what is read is written as it was");
            let _ = (checkpoint.len(), checkpoint.done(), checkpoint.can_grow());
            true
        }
        [is_one::<u64>, is_one::<u128>, is_one::<[u64; 4]>, is_one::<[u64; 16]>]
            .iter()
            .any(|is_one| is_one(bytes))
    }
}
