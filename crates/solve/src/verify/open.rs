//! Check of ties whose value depends on the history.
//!
//! A tie that neither player can avoid, whatever the result of endless play, depends on all
//! positions together. Sweeps over all positions, until nothing changes, find what each player can
//! force in a finite number of plies. This is slow, and unlike the solver's method.

use std::sync::atomic::{AtomicBool, AtomicI8, Ordering};

use treegauge_core::{KeyCode, Phase, Player, Progress};

use super::{CHUNK, Check, ROUND};
use crate::error::Interrupted;
use crate::file::FileError;
use crate::parallel::{self, piece};
use crate::rules::{self, Expander, Links};
use crate::value::{ExactValue, Value};

/// Results that the players can force, from -1 to 1 for the first player.
struct Bounds {
    /// Result that the first player can force at least.
    least: Vec<AtomicI8>,
    /// Result that the second player can hold the first player to at most.
    most: Vec<AtomicI8>,
}

impl Bounds {
    fn of(&self, place: usize) -> [i8; 2] {
        [&self.least, &self.most].map(|bound| bound[place].load(Ordering::Relaxed))
    }
}

/// Places of wrong ties: positions stored as ties that are none, and ties not stored as such.
pub(super) fn wrong_ties<K: KeyCode>(check: &Check<'_, K>) -> Result<Vec<usize>, FileError> {
    let len = check.keys.len();
    check.memory.take(2 * len as u64)?;
    let bounds = |of_open: i8| -> Vec<AtomicI8> {
        let of = |place: usize| {
            let turn = || check.rules.turn(check.keys[place]);
            match check.values[place] {
                ExactValue { value: Value::Win, .. } => turn().sign() as i8,
                ExactValue { value: Value::Lose, .. } => -turn().sign() as i8,
                ExactValue { value: Value::Tie, remoteness: 0 } => 0,
                _ => of_open,
            }
        };
        (0..len).map(|place| AtomicI8::new(of(place))).collect()
    };
    let bounds = Bounds { least: bounds(-1), most: bounds(1) };
    let mut sweeps = 0;
    loop {
        let changed = AtomicBool::new(false);
        for begin in (0..len).step_by(ROUND) {
            check.watch.progress(Progress::new(Phase::Check, begin as u64, len as u64));
            if check.watch.stop() {
                return Err(Interrupted.into());
            }
            let round = begin..len.min(begin + ROUND);
            parallel::try_each(round.len().div_ceil(CHUNK), &|n| {
                let places = piece(n, CHUNK, round.len());
                let places = begin + places.start..begin + places.end;
                if sweep(check, &bounds, places)? {
                    changed.store(true, Ordering::Relaxed);
                }
                Ok::<(), FileError>(())
            })?;
        }
        sweeps += 1;
        if !changed.into_inner() || sweeps > len {
            break;
        }
    }
    let is_wrong = |&place: &usize| {
        let [least, most] = bounds.of(place);
        match check.values[place].value {
            Value::Tie => [least, most] != [0, 0],
            Value::Draw => least == most,
            Value::Win | Value::Lose => false,
        }
    };
    Ok((0..len).filter(is_wrong).collect())
}

/// Recomputes the bounds of some places from those of their children, and returns whether any
/// changed.
fn sweep<K: KeyCode>(
    check: &Check<'_, K>,
    bounds: &Bounds,
    places: std::ops::Range<usize>,
) -> Result<bool, FileError> {
    let expander = Expander::new(check.rules, check.all);
    let mut links = Links::new(rules::Bounds::new(&check.memory, check.watch));
    let mut changed = false;
    let open: Vec<usize> = places
        .filter(|&place| {
            let [least, most] = bounds.of(place);
            least < most
        })
        .collect();
    let keys: Vec<K> = open.iter().map(|&place| check.keys[place]).collect();
    expander.each_batch(&keys, &mut links, |batch, links| {
        let batch = open[batch.clone()].iter().zip(&keys[batch]);
        for ((&place, &key), children) in batch.zip(links.iter()) {
            let Ok(children) = children else { continue };
            let first = check.rules.turn(key) == Player::First;
            let found =
                children.iter().filter_map(|child| check.place(check.stored_key(child.key)));
            let found: Vec<[i8; 2]> = found.map(|child| bounds.of(child)).collect();
            for (n, bound) in [&bounds.least, &bounds.most].into_iter().enumerate() {
                let values = found.iter().map(|bounds| bounds[n]);
                let best = if first { values.max() } else { values.min() };
                let Some(best) = best else { continue };
                changed |= bound[place].swap(best, Ordering::Relaxed) != best;
            }
        }
        Ok::<(), FileError>(())
    })?;
    Ok(changed)
}
