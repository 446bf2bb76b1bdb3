//! Tests of batches with more children than fit.

use rayon::ThreadPoolBuilder;
use treegauge_core::{Game, Keyed, Outcome, Player, Plies};
use treegauge_games::achi::{Achi, Adjacency};
use treegauge_games::dots_and_boxes::{self, DotsAndBoxes};
use treegauge_games::tic_tac_toe::{self, TicTacToe};
use treegauge_testkit::explore::explore;

use super::*;
use crate::error::SolveError;
use crate::solver::{Options, Solved, solve};
use crate::tests::any_game::{StopAfter, numbers};

/// Game with one of [`FIRST`] moves at 0, and one of [`SECOND`] moves after each of them, which
/// ends the game.
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

numbers!(Fan);

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

fn rules(tiered: bool) -> Solvable<u64> {
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
    let solved = pool.install(|| solve(&rules(tiered), 0, options, &()))?;
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
            // Stored moves need more memory.
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
    // More children than a batch may have: their bytes are held as long as they exist.
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
    let (rules, reduction) = (rules(true), Reduction::none());
    let (memory, watch) = (Memory::new(None), StopAfter::new(2));
    let mut links = Links::new(Bounds::new(&memory, &watch));
    let expanded = Expander::new(&rules, &reduction).expand(&[0], &mut links);
    assert_eq!(expanded, Err(Halt::Stopped));
    assert!(links.children().len() < FIRST as usize / 2);
}

/// Checks that codes and numbers represent the positions and moves of a game in every method.
fn agrees<G: Notation + Keyed>(game: &G, capabilities: Capabilities<G>) {
    let rules = Solvable::of(game.clone(), capabilities);
    let code = |state: &G::State| game.key(state).code();
    let symmetries = capabilities.symmetries.unwrap();
    assert_eq!(rules.start(), code(&game.start()));
    assert_eq!(rules.symmetry_count(), (symmetries.count)(game));
    assert_eq!(rules.has_margins(), capabilities.margin.is_some());
    let (mut moves, mut images) = (Vec::new(), Vec::new());
    for state in explore(game, 100_000).states.iter().step_by(7) {
        let at = code(state);
        assert!(rules.has_position(at));
        assert_eq!(rules.turn(at), game.turn(state));
        assert_eq!(rules.outcome(at), game.outcome(state));
        let tier = capabilities.tier.map_or(0, |tier| tier(game, state));
        assert_eq!(rules.tier(at), tier);
        if let Some(margin) = capabilities.margin {
            assert_eq!(rules.margin(at), margin(game, state));
        }
        let text = game.position_text(state);
        assert_eq!(rules.position_text(at), text);
        assert_eq!(rules.parse_position(&text), Ok(at));
        assert_eq!(rules.board_text(at), game.board_text(state));
        assert_eq!(rules.board(at), game.board(state));
        assert_eq!(rules.class(at), code(&(symmetries.canonical)(game, state)));
        let children = rules.children(at);
        if game.outcome(state).is_some() {
            assert!(children.is_empty());
            continue;
        }
        game.moves_into(state, &mut moves);
        assert_eq!((children.len(), rules.move_count(at) as usize), (moves.len(), moves.len()));
        for ((n, &m), child) in (0..).zip(&moves).zip(children) {
            let mut after = state.clone();
            game.play(&mut after, m);
            let tier = capabilities.tier.map_or(0, |tier| tier(game, &after));
            let same_turn = game.turn(&after) == game.turn(state);
            assert_eq!(child, Child { key: code(&after), tier, same_turn });
            assert_eq!(rules.after(at, n), child.key);
            assert_eq!(rules.move_text(at, n), game.move_text(state, m));
            for symmetry in 0..rules.symmetry_count() {
                // The image of the move leads to the image of the position.
                let image = (symmetries.map_state)(game, symmetry, state);
                assert_eq!(rules.image(symmetry, at), code(&image));
                let m = (symmetries.map_move)(game, symmetry, m);
                game.moves_into(&image, &mut images);
                let number = images.iter().position(|&found| found == m).unwrap() as u32;
                let expected = rules.move_number(0, code(&image), number);
                assert_eq!(rules.move_number(symmetry, at, n), expected);
            }
        }
    }
}

#[test]
fn a_game_of_codes_is_the_same_game() {
    let cap = Plies(1_000);
    let board = tic_tac_toe::Sized::<u64>::new(3, 3, false);
    agrees(&TicTacToe::new(board, cap), Capabilities::none().tiered().symmetric());
    agrees(&Achi::new(3, 3, Adjacency::King, cap), Capabilities::none().symmetric());
    let board = dots_and_boxes::Sized::<u128>::new(2, 2);
    agrees(&DotsAndBoxes::new(board, cap), Capabilities::none().tiered().symmetric().graded());
}
