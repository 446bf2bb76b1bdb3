//! Batches of children that are too many for one room.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::ThreadPoolBuilder;
use treegauge_core::{Game, Keyed, Outcome, Player, Plies};

use super::*;
use crate::error::SolveError;
use crate::solver::{Options, Solved, solve};

/// From 0 one of [`FIRST`] positions is reached, and from each of these one of [`SECOND`], where the game is over.
#[derive(Clone, Debug)]
struct Fan;

const FIRST: u64 = 5_000;
const SECOND: u64 = 1_500;

impl Game for Fan {
    type State = u64;
    type Move = u64;

    fn start(&self) -> u64 {
        0
    }

    fn turn(&self, &state: &u64) -> Player {
        if state == 0 || state > FIRST { Player::First } else { Player::Second }
    }

    fn outcome(&self, &state: &u64) -> Option<Outcome> {
        let outcome = if state % 2 == 0 { Outcome::FirstWins } else { Outcome::Draw };
        (state > FIRST).then_some(outcome)
    }

    fn moves_into(&self, &state: &u64, moves: &mut Vec<u64>) {
        moves.clear();
        moves.extend(if state == 0 { 1..=FIRST } else { FIRST + 1..=FIRST + SECOND });
    }

    fn play(&self, state: &mut u64, m: u64) {
        *state = m;
    }

    fn ply_cap(&self) -> Plies {
        Plies(10)
    }
}

impl Keyed for Fan {
    type Key = u64;

    fn key(&self, &state: &u64) -> u64 {
        state
    }

    fn unkey(&self, key: u64) -> u64 {
        key
    }

    fn try_unkey(&self, key: u64) -> Option<u64> {
        (key <= FIRST + SECOND).then_some(key)
    }
}

fn rules(tiered: bool) -> Solvable<Fan> {
    let mut capabilities = Capabilities::none();
    if tiered {
        capabilities.tier =
            Some(|_, &state| if state == 0 { 0 } else { 1 + u32::from(state > FIRST) });
    }
    Solvable::of(Fan, capabilities)
}

fn solved(tiered: bool, bytes_max: Option<u64>, threads: usize) -> Result<Vec<u64>, SolveError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let options = Options { memory_bytes_max: bytes_max, ..Options::default() };
    let solved = pool.install(|| solve(&rules(tiered), &0, options, &()))?;
    let Solved::Done(solution) = solved else { unreachable!("nothing stops it") };
    let rows = solution.iter().map(|(_, key, valued)| key << 32 | valued.preference() as u64);
    Ok(rows.collect())
}

#[test]
fn positions_of_many_children_are_solved_in_little_room_by_any_number_of_threads() {
    for tiered in [false, true] {
        let all = solved(tiered, None, 2).unwrap();
        assert_eq!(all.len() as u64, 1 + FIRST + SECOND);
        for threads in [1, 4] {
            // Where moves are written down they need more.
            let bytes_max = if tiered { 4 << 20 } else { 128 << 20 };
            assert!(solved(tiered, Some(bytes_max), threads).unwrap() == all);
            let little = solved(tiered, Some(100_000), threads);
            assert!(matches!(little, Err(SolveError::Memory { .. })), "{little:?}");
        }
    }
}

#[test]
fn a_batch_ends_by_its_children() {
    let (rules, reduction) = (rules(true), Reduction::none());
    let memory = Memory::new(Some(1 << 20));
    let bounds = Bounds::new(&memory, &());
    let expander = Expander::new(&rules, &reduction);
    let mut links = Links::new(bounds);
    let keys: Vec<u64> = (1..=10).collect();
    assert_eq!(expander.expand(&keys, &mut links), Ok(2));
    assert_eq!((links.children().len() as u64, memory.used()), (2 * SECOND, 0));
    // More than a batch has: its bytes are taken as long as they are there.
    assert_eq!(expander.expand(&[0, 1], &mut links), Ok(1));
    assert_eq!(links.children().len() as u64, FIRST);
    assert!(memory.used() >= FIRST * size_of::<Child<u64>>() as u64);
    assert_eq!(expander.expand(&[FIRST + 1], &mut links), Ok(1));
    assert_eq!(memory.used(), 0);
    let mut narrow = Links::new(bounds.narrow(1_000));
    assert_eq!(expander.expand(&keys, &mut narrow), Ok(0));
    assert_eq!(expander.expand(&[FIRST + 1, 1], &mut narrow), Ok(1));
    let little = Memory::new(Some(1_000));
    let full = expander.expand(&[0], &mut Links::new(Bounds::new(&little, &())));
    assert!(matches!(full, Err(Halt::Full(_))), "{full:?}");
}

#[test]
fn the_watch_is_looked_at_among_the_children_of_one_position() {
    struct Third(AtomicU32);
    impl Watch for Third {
        fn stop(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) >= 2
        }
    }
    let (rules, reduction) = (rules(true), Reduction::none());
    let (memory, watch) = (Memory::new(None), Third(AtomicU32::new(0)));
    let mut links = Links::new(Bounds::new(&memory, &watch));
    let expanded = Expander::new(&rules, &reduction).expand(&[0], &mut links);
    assert_eq!(expanded, Err(Halt::Stopped));
    assert!(links.children().len() < FIRST as usize / 2);
}
