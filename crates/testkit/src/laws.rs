//! Laws that every game must obey, checked on random games.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ChiSquared, ContinuousCDF};
use treegauge_core::{
    ActionIds, Board, Capabilities, Cell, CellShape, Game, HistoryEnd, IllegalMove, KeyCode, Keyed,
    Notation, OfState, Outcome, ParentsInto, PathCell, Player, PlayoutLimits, Plies, Role,
    Symmetries, Tensors, uniform_below,
};

use xxhash_rust::xxh3::xxh3_128;

use crate::Plain;

/// Amount of checking. The same numbers give the same games.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    /// Number of random games to walk through.
    pub games: u32,
    /// Of the positions of a walk, each with a ply that this number divides is checked; at least 1.
    pub every: u32,
    /// Number of playouts for comparing distributions.
    pub playouts: u32,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Default for Laws {
    fn default() -> Self {
        Laws { games: 30, every: 1, playouts: 4_000, seed: 1 }
    }
}

/// Probability below which a statistical law counts as broken. Seeds are fixed, so a law that holds
/// today holds tomorrow.
const P_MIN: f64 = 1e-6;

impl Laws {
    fn rng(self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.seed)
    }

    /// Calls `visit` with unfinished positions of random games, and their legal moves.
    fn walk<G: Game>(self, game: &G, mut visit: impl FnMut(&G::State, &[G::Move])) {
        let mut rng = self.rng();
        let mut moves = Vec::new();
        for _ in 0..self.games {
            let mut state = game.start();
            for ply in 0..game.ply_cap().0 {
                if game.outcome(&state).is_some() {
                    break;
                }
                game.moves_into(&state, &mut moves);
                assert!(!moves.is_empty(), "an unfinished position without moves: {state:?}");
                if ply.is_multiple_of(self.every) {
                    visit(&state, &moves);
                }
                let m = moves[uniform_below(&mut rng, moves.len() as u32) as usize];
                game.play(&mut state, m);
            }
        }
    }
}

/// Checks all laws of a game with these capabilities.
///
/// # Panics
///
/// At the first broken law, with the position.
pub fn all<G: Notation + Keyed>(game: &G, has: &Capabilities<G>, laws: Laws) {
    check(game, laws);
    keyed(game, laws);
    capable(game, has, laws);
    if let Some(ids) = has.actions {
        actions(game, ids, laws);
    }
    if let Some(tensors) = has.tensors {
        self::tensors(game, tensors, laws);
    }
}

/// Checks the laws of the capabilities that a game has beyond its rules and keys.
pub fn capable<G: Keyed>(game: &G, has: &Capabilities<G>, laws: Laws) {
    if let Some(symmetries) = has.symmetries {
        symmetric(game, symmetries, laws);
    }
    if let Some(tier) = has.tier {
        tiered(game, tier, laws);
    }
    if let Some(margin) = has.margin {
        graded(game, margin, laws);
    }
    if let Some(index_len) = has.index_len {
        indexed(game, index_len(game), laws);
    }
    if let Some(parents) = has.parents {
        retrograde(game, parents, laws);
    }
}

/// Checks the laws of every game: moves, notation, random moves and playouts.
///
/// # Panics
///
/// At the first broken law, with the position.
pub fn check<G: Notation>(game: &G, laws: Laws) {
    moves(game, laws);
    refusals(game, laws);
    notation(game, laws);
    settled(game, laws);
    random_moves_are_uniform(game, laws);
    playouts(game, laws);
    stopped_playouts(game, laws);
}

/// Checks that legal moves are unique and deterministic, and that all methods that describe them
/// agree.
pub fn moves<G: Game>(game: &G, laws: Laws) {
    let mut again = vec![];
    let mut buffer = vec![];
    laws.walk(game, |state, moves| {
        let distinct: BTreeSet<_> = moves.iter().collect();
        assert_eq!(distinct.len(), moves.len(), "a move is listed twice in {state:?}");
        game.moves_into(state, &mut again);
        assert_eq!(again, moves, "the order changed in {state:?}");
        assert_eq!(game.move_count(state) as usize, moves.len(), "move_count in {state:?}");
        for (n, &m) in moves.iter().enumerate() {
            assert!(game.is_legal(state, m), "{m:?} is listed but not legal in {state:?}");
            assert_eq!(game.nth_move(state, n as u32, &mut buffer), m, "nth_move in {state:?}");
            let (mut played, mut tried) = (state.clone(), state.clone());
            game.play(&mut played, m);
            game.try_play(&mut tried, m).expect("a listed move can be played");
            assert_eq!(played, tried, "play and try_play differ after {m:?} in {state:?}");
            assert_ne!(&played, state, "{m:?} changes nothing in {state:?}");
        }
    });
}

/// Checks that a result by history that holds for every position is the result of each position.
pub fn settled<G: Game>(game: &G, laws: Laws) {
    laws.walk(game, |state, _| {
        for end in [HistoryEnd::Repetition, HistoryEnd::DrawPlies, HistoryEnd::Capped] {
            if let Some(outcome) = game.settles(end) {
                assert_eq!(game.settle(state, end), outcome, "{end:?} in {state:?}");
            }
        }
    });
}

/// Checks that the game refuses unlisted moves, and any move after the end, and that a refusal
/// changes nothing.
pub fn refusals<G: Game>(game: &G, laws: Laws) {
    let mut known = BTreeSet::new();
    laws.walk(game, |_, moves| known.extend(moves.iter().copied()));
    let known: Vec<G::Move> = known.into_iter().collect();
    laws.walk(game, |state, moves| {
        let listed: BTreeSet<_> = moves.iter().collect();
        for m in known.iter().filter(|m| !listed.contains(m)) {
            let mut tried = state.clone();
            let refusal = game.try_play(&mut tried, *m);
            assert!(
                matches!(refusal, Err(IllegalMove::NotLegal { .. })),
                "{m:?} was played in {state:?}"
            );
            assert_eq!(&tried, state, "a refused move changed the position");
        }
    });
    let mut rng = laws.rng();
    let mut state = game.start();
    let end = game.playout(&mut state, PlayoutLimits::of(game), &mut rng);
    if game.outcome(&state).is_some() {
        for &m in &known {
            assert_eq!(game.try_play(&mut state.clone(), m), Err(IllegalMove::GameIsOver));
        }
        assert_eq!(game.random_move(&state, &mut rng), None, "a move after the end");
        let over = game.playout(&mut state, PlayoutLimits::of(game), &mut rng);
        assert_eq!((over.plies, over.outcome, over.capped), (Plies(0), end.outcome, false));
    }
}

/// Checks that texts round-trip and differ between different moves, and that boards can be
/// rendered.
///
/// Reading a move may write all of them, so of many moves some are read, others at each position.
pub fn notation<G: Notation>(game: &G, laws: Laws) {
    const READ_MAX: usize = 24;
    let mut positions = 0;
    laws.walk(game, |state, moves| {
        let (skip, step) = (positions, moves.len().div_ceil(READ_MAX));
        positions += 1;
        let position = game.position_text(state);
        assert_eq!(game.parse_position(&position).as_ref(), Ok(state), "the text {position}");
        assert!(position.is_ascii() && !position.contains('\n'), "the text {position}");
        assert!(game.parse_position(&format!("{position} ?")).is_err(), "{position} ? was read");
        let mut texts = HashSet::new();
        for (n, &m) in moves.iter().enumerate() {
            let text = game.move_text(state, m);
            if (n + skip).is_multiple_of(step) {
                assert_eq!(game.parse_move(state, &text), Ok(m), "the move {text} in {position}");
                assert_eq!(game.parse_move(state, &format!(" {text} ")), Ok(m), "spaces around");
            }
            assert!(texts.insert(text.clone()), "two moves are written {text} in {position}");
        }
        assert!(game.board_text(state).ends_with('\n'), "the board of {position}");
    });
    boards(game, laws);
}

/// Checks the boards of a game. Every position has the same cells, each with its own name and
/// place. Every move names its cells: cells that it jumps over are never first or last, and the
/// contents of at least one cell change. Boards with different texts have different contents.
/// Pictures are SVG.
pub fn boards<G: Notation>(game: &G, laws: Laws) {
    let plan = |board: &Board| {
        let cell = |cell: &Cell| (cell.name.clone(), cell.x, cell.y, cell.shape);
        let cells: Vec<_> = board.cells.iter().map(cell).collect();
        (cells, board.links.clone(), board.labels.clone(), [board.width, board.height])
    };
    let first = game.board(&game.start());
    for (n, cell) in first.cells.iter().enumerate() {
        assert_eq!(first.cell(&cell.name), Some(n), "the name {}", cell.name);
        assert_eq!(first.cell_at(cell.x, cell.y), Some(n), "the place of {}", cell.name);
        let inside = |x: f64, most: f64| (0.0..=most).contains(&x);
        assert!(inside(cell.x, first.width) && inside(cell.y, first.height), "{}", cell.name);
    }
    assert!(first.links.iter().flatten().all(|&cell| cell < first.cells.len()));
    let turned = first.clone().turned();
    for (cell, turned) in first.cells.iter().zip(&turned.cells) {
        let middle = [cell.x + turned.x - first.width, cell.y + turned.y - first.height];
        assert!(middle.iter().all(|off| off.abs() < 1e-9), "{} is not turned", cell.name);
    }
    let mut texts: HashMap<String, String> = HashMap::new();
    let mut drawn = 0;
    laws.walk(game, |state, moves| {
        let (board, position) = (game.board(state), game.position_text(state));
        assert_eq!(plan(&board), plan(&first), "the cells of {position}");
        let contents = board.cells.iter().map(|cell| cell.contents.as_str());
        let contents: Vec<&str> = contents.chain(board.beside.iter().map(String::as_str)).collect();
        let text = position.split(' ').next().unwrap_or_default().to_owned();
        let known = texts.entry(contents.join("/")).or_insert_with(|| text.clone());
        assert_eq!(*known, text, "two boards with the contents {contents:?}");
        // Playing many moves from each position would take long.
        for &m in moves.iter().step_by(moves.len().div_ceil(24)) {
            let text = game.move_text(state, m);
            let touches = game.move_cells(state, m, &board);
            let is_over = |touch: Option<&PathCell>| touch.is_some_and(|t| t.role == Role::Over);
            assert!(touches.iter().all(|touch| touch.cell < board.cells.len()), "{text}");
            assert!(!is_over(touches.first()) && !is_over(touches.last()), "{text}: {touches:?}");
            assert!(touches.windows(2).all(|pair| pair[0].cell != pair[1].cell), "{text}");
            let mut after = state.clone();
            game.play(&mut after, m);
            let after = game.board(&after);
            let changes = |touch: &PathCell| after.cells[touch.cell] != board.cells[touch.cell];
            // A chain of jumps may lead back to its first cell.
            let returns = touches.first().map(|t| t.cell) == touches.last().map(|t| t.cell);
            let may_stay = touches.len() != 1 && returns;
            // Seeds that are sown in laps may leave as many in a pit as there were.
            let is_pit = |touch: &PathCell| board.cells[touch.cell].shape == CellShape::Pit;
            let is_sown = after.cells != board.cells && touches.iter().all(is_pit);
            assert!(may_stay || is_sown || touches.iter().any(changes), "{text} in {position}");
        }
        if drawn < 20 {
            let svg = board.svg();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
            assert!(!svg.contains("style") && !svg.contains("NaN"), "{svg}");
            drawn += 1;
        }
    });
}

/// Checks that every move of a position is equally likely, by a chi-squared test on some positions.
pub fn random_moves_are_uniform<G: Game>(game: &G, laws: Laws) {
    let mut rng = laws.rng();
    let (mut tested, mut closely) = (0, false);
    laws.walk(game, |state, moves| {
        // Every seventh position, so that the tested ones do not all lie at the start.
        tested += 1;
        if tested % 7 != 1 || tested > 140 || moves.len() < 2 {
            return;
        }
        // One position is tested closely: there a move that is drawn 5% too often shows. Among more
        // than 64 moves it would not show with this number of draws.
        let close = !closely && tested > 1 && moves.len() <= 64;
        closely |= close;
        let each = if close { 20_000u32 } else { 200 };
        let expected = f64::from(each);
        let draws = each as usize * moves.len();
        let mut counts: BTreeMap<G::Move, u32> = BTreeMap::new();
        for _ in 0..draws {
            let m = game.random_move(state, &mut rng).expect("an unfinished position has a move");
            *counts.entry(m).or_default() += 1;
        }
        assert!(counts.keys().all(|m| moves.contains(m)), "an illegal random move in {state:?}");
        let found = moves.iter().map(|m| f64::from(counts.get(m).copied().unwrap_or(0)));
        let p = p_of_counts(found.map(|found| (found, expected)));
        assert!(p > P_MIN, "random moves are not uniform in {state:?}: p = {p:.2e}");
    });
}

/// Checks counts against their expectations by a chi-squared test. Each expectation should be 5 or
/// more. The message of the panic names `at`.
///
/// # Panics
///
/// If the p value is at most 1e-6.
pub fn counts_are_as_expected(counts: impl IntoIterator<Item = (f64, f64)>, at: &str) {
    let p = p_of_counts(counts);
    assert!(p > P_MIN, "the counts are not those expected: p = {p:.2e}: {at}");
}

/// P value of a chi-squared test of counts, each with its expectation. Both must have the same sum.
fn p_of_counts(counts: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let (mut statistic, mut cells) = (0.0, 0usize);
    for (found, expected) in counts {
        statistic += (found - expected).powi(2) / expected;
        cells += 1;
    }
    if cells < 2 { 1.0 } else { chi_squared_tail(statistic, cells - 1) }
}

fn chi_squared_tail(statistic: f64, freedom: usize) -> f64 {
    ChiSquared::new(freedom as f64).expect("there are degrees of freedom").sf(statistic)
}

/// Checks that playouts end, report what they did and stop at a cap, and that their results and
/// lengths have the distribution of single random moves.
pub fn playouts<G: Game>(game: &G, laws: Laws) {
    let mut rng = laws.rng();
    let limits = PlayoutLimits::of(game);
    for cap in [0, 1, 2, 3, 5, 9] {
        let mut state = game.start();
        let limits = PlayoutLimits { plies_left: Plies(cap), ..limits };
        let end = game.playout(&mut state, limits, &mut rng);
        assert!(end.plies <= Plies(cap), "{} plies under a cap of {cap}", end.plies);
        let over = game.outcome(&state);
        assert!(!end.capped || over.is_none(), "capped, or over by the rules, never both");
        if !end.capped && over.is_none() {
            let quiet = game.draw_plies().expect("neither capped nor over by the rules");
            assert!(end.plies >= quiet, "over by {quiet} quiet plies after {}", end.plies);
        }
        assert_eq!(over.unwrap_or(end.outcome), end.outcome);
        if end.capped {
            assert_eq!(end.plies, Plies(cap));
            assert!(game.move_count(&state) > 0, "a capped position can be played on");
        }
    }
    let fast = sample(game, laws.playouts, &mut rng);
    let plain = sample(&Plain(game.clone()), laws.playouts, &mut rng);
    let p = two_samples(&fast, &plain);
    assert!(p > P_MIN, "playouts are not made of uniform moves: p = {p:.2e}");
}

/// Checks that a stopped playout continues from where it was, and that its positions can be written
/// and read. A capped position must be unfinished; any other playout must end by the rules or by
/// its quiet plies.
pub fn stopped_playouts<G: Notation>(game: &G, laws: Laws) {
    let mut rng = laws.rng();
    for _ in 0..laws.games {
        let (mut state, mut plies) = (game.start(), 0);
        while plies < 300 {
            let cap = Plies(uniform_below(&mut rng, 50));
            let end = game.playout(&mut state, PlayoutLimits::new(cap, Plies(0)), &mut rng);
            let text = game.position_text(&state);
            assert_eq!(game.parse_position(&text).as_ref(), Ok(&state), "the end at {text}");
            let over = game.outcome(&state);
            if end.capped {
                assert_eq!((over, end.plies), (None, cap), "{text}");
                plies += end.plies.0 + 1;
                continue;
            }
            let settled = || game.settle(&state, HistoryEnd::DrawPlies);
            assert_eq!(end.outcome, over.unwrap_or_else(settled), "{text}");
            let quiet = || game.draw_plies().is_some_and(|quiet| end.plies >= quiet);
            assert!(over.is_some() || quiet(), "{text}");
            break;
        }
    }
}

/// Number of playouts by result and length, among `n` playouts from the start.
fn sample<G: Game>(game: &G, n: u32, rng: &mut impl Rng) -> BTreeMap<(Outcome, u32), u32> {
    let mut counts = BTreeMap::new();
    for _ in 0..n {
        let mut state = game.start();
        let end = game.playout(&mut state, PlayoutLimits::of(game), rng);
        assert_eq!(game.outcome(&state).unwrap_or(end.outcome), end.outcome, "{state:?}");
        *counts.entry((end.outcome, end.plies.0)).or_default() += 1;
    }
    counts
}

/// P value of a chi-squared test that two samples of equal size have one distribution. Cells with
/// fewer than 10 samples in both together are pooled.
fn two_samples<K: Ord + Copy>(a: &BTreeMap<K, u32>, b: &BTreeMap<K, u32>) -> f64 {
    let keys: BTreeSet<K> = a.keys().chain(b.keys()).copied().collect();
    let (mut statistic, mut cells, mut pooled) = (0.0, 0usize, (0.0, 0.0));
    let mut add = |x: f64, y: f64| {
        statistic += (x - y).powi(2) / (x + y);
        cells += 1;
    };
    for key in keys {
        let count = |map: &BTreeMap<K, u32>| f64::from(map.get(&key).copied().unwrap_or(0));
        let (x, y) = (count(a), count(b));
        if x + y < 10.0 {
            pooled = (pooled.0 + x, pooled.1 + y);
        } else {
            add(x, y);
        }
    }
    if pooled.0 + pooled.1 > 0.0 {
        add(pooled.0, pooled.1);
    }
    if cells < 2 { 1.0 } else { chi_squared_tail(statistic, cells - 1) }
}

/// Checks that keys are injective and lead back to their states, and that other keys are refused.
pub fn keyed<G: Notation + Keyed>(game: &G, laws: Laws) {
    let mut owners = BTreeMap::new();
    let mut rng = laws.rng();
    laws.walk(game, |state, moves| {
        let key = game.key(state);
        assert_eq!(&game.unkey(key), state, "the key {key:?}");
        let owner = owners.entry(key).or_insert_with(|| state.clone());
        assert_eq!(owner, state, "two states have the key {key:?}");
        assert_eq!(game.try_unkey(key).as_ref(), Some(state), "the key {key:?} is refused");
        let mut child = state.clone();
        game.play(&mut child, moves[0]);
        assert_eq!(game.try_unkey(game.key(&child)), Some(child), "a child of {state:?}");
        let mut bytes = vec![0; G::Key::BYTES];
        key.write(&mut bytes);
        let bits = bytes.len() as u32 * 8;
        for flips in [1, 1, 2, 2, 3, bits] {
            let mut changed = bytes.clone();
            for _ in 0..flips {
                let bit = uniform_below(&mut rng, bits);
                changed[bit as usize / 8] ^= 1 << (bit % 8);
            }
            any_key(game, G::Key::read(&changed), &mut rng);
        }
    });
}

/// Checks that an arbitrary key is refused, or is the key of a position that can be written, read
/// and played on.
fn any_key<G: Notation + Keyed>(game: &G, key: G::Key, rng: &mut impl Rng) {
    let Some(mut state) = game.try_unkey(key) else { return };
    assert_eq!(game.key(&state), key, "the key of {state:?}");
    let text = game.position_text(&state);
    assert_eq!(game.parse_position(&text).as_ref(), Ok(&state), "the key {key:?} of {text}");
    for _ in 0..8 {
        let Some(m) = game.random_move(&state, rng) else { break };
        game.play(&mut state, m);
        let key = game.key(&state);
        assert_eq!(game.try_unkey(key).as_ref(), Some(&state), "played from {text}");
    }
    game.playout(&mut state, PlayoutLimits::of(game), rng);
}

/// Checks that symmetries are permutations that commute with play and keep turn and outcome.
///
/// An image of a position may take long to compute. In a position with more than 64 moves only some
/// are played, others at each position.
pub fn symmetric<G: Game>(game: &G, symmetries: Symmetries<G>, laws: Laws) {
    let n = (symmetries.count)(game);
    let map_state = |symmetry, state: &G::State| (symmetries.map_state)(game, symmetry, state);
    let canonical_of = |state: &G::State| (symmetries.canonical)(game, state);
    assert!(n >= 1, "the identity is a symmetry");
    const PLAYED_MAX: usize = 64;
    let mut positions = 0;
    laws.walk(game, |state, moves| {
        let step = moves.len().div_ceil(PLAYED_MAX);
        positions += 1;
        assert_eq!(&map_state(0, state), state, "symmetry 0 is the identity");
        let canonical = canonical_of(state);
        for symmetry in 0..n {
            let image = map_state(symmetry, state);
            assert_eq!(game.turn(&image), game.turn(state), "the turn under {symmetry}");
            assert_eq!(canonical_of(&image), canonical, "the canonical form under {symmetry}");
            let mut mapped: Vec<_> =
                moves.iter().map(|&m| (symmetries.map_move)(game, symmetry, m)).collect();
            let both = moves.iter().zip(&mapped).skip(positions % step).step_by(step);
            for (&m, &image_m) in both {
                let (mut child, mut image_child) = (state.clone(), image.clone());
                game.play(&mut child, m);
                game.try_play(&mut image_child, image_m)
                    .unwrap_or_else(|error| panic!("{m:?} under {symmetry} in {state:?}: {error}"));
                assert_eq!(
                    map_state(symmetry, &child),
                    image_child,
                    "{m:?} under {symmetry} in {state:?}"
                );
                assert_eq!(game.outcome(&child), game.outcome(&image_child));
            }
            let mut listed = Vec::new();
            game.moves_into(&image, &mut listed);
            listed.sort_unstable();
            mapped.sort_unstable();
            assert_eq!(mapped, listed, "the moves under {symmetry} of {state:?}");
        }
    });
    // Distinct symmetries act differently on some position; otherwise the count is too high.
    let mut told_apart = vec![HashSet::new(); n];
    laws.walk(game, |state, moves| {
        for (symmetry, images) in told_apart.iter_mut().enumerate() {
            let moves: Vec<_> =
                moves.iter().map(|&m| (symmetries.map_move)(game, symmetry, m)).collect();
            images.insert((state.clone(), map_state(symmetry, state), moves));
        }
    });
    for a in 0..n {
        for b in 0..a {
            assert_ne!(told_apart[a], told_apart[b], "symmetries {a} and {b} are the same");
        }
    }
}

/// Checks that two moves, of one position or of two, have the same id exactly if they have the same
/// text, that every id is below their number, that an id leads back to its move, and that ids without
/// a legal move lead to none.
///
/// In a position with many moves only some are looked at, others at each position.
pub fn actions<G: Notation>(game: &G, ids: ActionIds<G>, laws: Laws) {
    const LOOKED_AT_MAX: usize = 8;
    let count = (ids.count)(game);
    let (mut texts, mut known) = (HashMap::new(), HashMap::new());
    let (mut buffer, mut legal, mut positions) = (Vec::new(), HashSet::new(), 0);
    laws.walk(game, |state, moves| {
        legal.clear();
        legal.extend(moves.iter().map(|&m| (ids.of)(game, state, m)));
        assert_eq!(legal.len(), moves.len(), "two moves have the same id in {state:?}");
        let step = moves.len().div_ceil(LOOKED_AT_MAX);
        positions += 1;
        for &m in moves.iter().skip(positions % step).step_by(step) {
            let (action, text) = ((ids.of)(game, state, m), game.move_text(state, m));
            assert!(action < count, "{text} has the id {action} of {count}");
            let other = texts.entry(action).or_insert_with(|| text.clone());
            assert_eq!(*other, text, "the moves of the id {action}");
            let other = *known.entry(text.clone()).or_insert(action);
            assert_eq!(other, action, "the ids of {text}");
            let back = (ids.move_of)(game, state, action, &mut buffer);
            assert_eq!(back, Some(m), "the move of the id {action}, {text}, in {state:?}");
        }
        // Neighbours of legal ids are most like them.
        let near = (ids.of)(game, state, moves[positions % moves.len()]);
        for action in [near.wrapping_sub(1), near + 1, 0, count - 1, count, u32::MAX] {
            if !legal.contains(&action) {
                let found = (ids.move_of)(game, state, action, &mut buffer);
                assert_eq!(found, None, "the id {action} has a move in {state:?}");
            }
        }
    });
}

/// Checks that two positions have equal tensors exactly if they have equal keys, and that every
/// tensor has the length of its shape and is filled with finite numbers. Finished positions are
/// among them.
///
/// Tensors are compared by hashes of 128 bits, since those of many games would not fit the memory.
pub fn tensors<G: Keyed>(game: &G, tensors: Tensors<G>, laws: Laws) {
    let shape = (tensors.shape)(game);
    let len: u32 = shape.iter().product();
    let mut tensor = vec![0.0; len as usize];
    let (mut of_keys, mut of_tensors) = (HashMap::new(), HashMap::new());
    let mut check = |state: &G::State| {
        tensor.fill(f32::NAN);
        (tensors.write)(game, state, &mut tensor);
        let hash = fingerprint(&tensor);
        let hash = hash.unwrap_or_else(|| panic!("the tensor of {state:?} has gaps"));
        let key = game.key(state);
        let other = *of_keys.entry(key).or_insert(hash);
        assert_eq!(other, hash, "two tensors of the key of {state:?}");
        let other = *of_tensors.entry(hash).or_insert(key);
        assert_eq!(other, key, "two keys of the tensor of {state:?}");
    };
    let mut positions = 0;
    laws.walk(game, |state, moves| {
        check(state);
        positions += 1;
        let mut child = state.clone();
        game.play(&mut child, moves[positions % moves.len()]);
        check(&child);
    });
}

/// Hash of finite numbers; `None` if one is not finite. It is not generic, so that it is compiled
/// here, with optimisation.
fn fingerprint(tensor: &[f32]) -> Option<u128> {
    let is_finite = tensor.iter().all(|n| n.is_finite());
    is_finite.then(|| {
        let bytes: Vec<u8> = tensor.iter().flat_map(|n| n.to_le_bytes()).collect();
        xxh3_128(&bytes)
    })
}

/// Checks that every move raises the tier.
pub fn tiered<G: Game>(game: &G, tier: OfState<G, u32>, laws: Laws) {
    laws.walk(game, |state, moves| {
        for &m in moves {
            let mut child = state.clone();
            game.play(&mut child, m);
            assert!(tier(game, &child) > tier(game, state), "{m:?} in {state:?}");
        }
    });
}

/// Checks that every key is below the length of the table.
pub fn indexed<G: Keyed>(game: &G, index_len: u64, laws: Laws) {
    laws.walk(game, |state, moves| {
        let mut last = state.clone();
        game.play(&mut last, moves[0]);
        for state in [state, &last] {
            let index = game.key(state).number();
            assert!(index < index_len, "the index {index} of {state:?}");
        }
    });
}

/// Checks that a position is among the parents of each of its children, and that every parent has a
/// move to the child.
pub fn retrograde<G: Game>(game: &G, parents_into: ParentsInto<G>, laws: Laws) {
    let (mut parents, mut moves_of_parent) = (Vec::new(), Vec::new());
    laws.walk(game, |state, moves| {
        for &m in moves {
            let mut child = state.clone();
            game.play(&mut child, m);
            parents_into(game, &child, &mut parents);
            assert!(
                parents.contains(state),
                "{state:?} is not among the parents of its child {child:?}"
            );
            let distinct: HashSet<_> = parents.iter().collect();
            assert_eq!(distinct.len(), parents.len(), "a parent of {child:?} is listed twice");
            for parent in &parents {
                assert_eq!(game.outcome(parent), None, "a finished parent of {child:?}");
                game.moves_into(parent, &mut moves_of_parent);
                let leads_back = moves_of_parent.iter().any(|&m| {
                    let mut again = parent.clone();
                    game.play(&mut again, m);
                    again == child
                });
                assert!(leads_back, "{parent:?} has no move to {child:?}");
            }
        }
    });
}

/// Checks that the sign of the margin is the outcome of a finished position.
pub fn graded<G: Game>(game: &G, margin: OfState<G, i32>, laws: Laws) {
    let mut rng = laws.rng();
    for _ in 0..laws.games {
        let mut state = game.start();
        game.playout(&mut state, PlayoutLimits::of(game), &mut rng);
        if let Some(outcome) = game.outcome(&state) {
            assert_eq!(Outcome::of_margin(margin(game, &state)), outcome, "{state:?}");
        }
    }
}

/// Checks that parsing never panics, and that every position it returns can be written and read
/// back.
///
/// # Panics
///
/// At the first broken law.
pub fn parsers_stand<G: Notation>(game: &G, text: &str) {
    if let Ok(state) = game.parse_position(text) {
        let written = game.position_text(&state);
        assert_eq!(game.parse_position(&written), Ok(state.clone()), "{text:?} became {written:?}");
        assert!(Player::BOTH.contains(&game.turn(&state)));
        if game.outcome(&state).is_none() {
            assert!(game.move_count(&state) > 0, "{text:?} is unfinished and has no moves");
        }
    }
    let _ = game.parse_move(&game.start(), text);
}
