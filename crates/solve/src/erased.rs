//! Games whose type is hidden.
//!
//! Solvers, files, interestingness and puzzles are written for every type of game, and a program
//! that has many games would be compiled many times over. [`Solvable::erase`] hides the type: what is
//! left of a position is the code of its key ([`KeyCode::Code`]), of which there are four types,
//! and of a move its number. Moves of many positions at once are made behind one call
//! ([`Expander::expand`]), so that the solvers lose little. A single step costs a call and a
//! conversion from key to state and back, so searches should not use such a game.

use std::any::Any;
use std::fmt::{self, Debug, Write};
use std::sync::Arc;

use treegauge_core::{
    Board, Capabilities, Game, HistoryEnd, KeyCode, Keyed, MoveError, Notation, Outcome, Player,
    Plies, PositionError, Symmetries,
};

use crate::error::Halt;
use crate::rules::{ByBatch, Expander, Links, Solvable};

/// The code of a game's keys.
pub type CodeOf<G> = <<G as Keyed>::Key as KeyCode>::Code;

/// A game of which only the codes of its keys are known. Positions are those codes.
#[derive(Clone)]
pub struct Erased<K: KeyCode>(Arc<dyn Positions<K>>);

/// A move of a game whose type is hidden: its number in the list of its position's moves.
///
/// Moves of different positions are different: [`Solvable::move_number`] compares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErasedMove<K> {
    of: K,
    number: u32,
}

impl<K: KeyCode> ErasedMove<K> {
    /// The place of the move in the list of its position's moves, from 0: there the game whose type
    /// is hidden has the same move.
    #[must_use]
    pub fn number(self) -> usize {
        self.number as usize
    }
}

impl<K: KeyCode> Debug for Erased<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Erased")
    }
}

impl<G: Notation + Keyed> Solvable<G> {
    /// The same game without its type.
    #[must_use]
    pub fn erase(self) -> Solvable<Erased<CodeOf<G>>> {
        let has = *self.capabilities();
        let mut capabilities = Capabilities::<Erased<CodeOf<G>>>::none();
        if has.tier.is_some() {
            capabilities.tier = Some(|game, &state| game.0.tier(state));
        }
        if has.index_len.is_some() {
            capabilities.index_len = Some(|game| game.0.index_len());
        }
        if has.parents.is_some() {
            capabilities.parents =
                Some(|game, &state, parents| game.0.parents_into(state, parents));
        }
        if has.symmetries.is_some() {
            capabilities.symmetries = Some(Symmetries {
                count: |game| game.0.symmetry_count(),
                map_state: |game, symmetry, &state| game.0.map(symmetry, state),
                map_move: |game, symmetry, m| game.0.map_move(symmetry, m),
                canonical: |game, &state| game.0.canonical(state),
            });
        }
        if has.margin.is_some() {
            capabilities.margin = Some(|game, &state| game.0.margin(state));
            capabilities.margin_unit = has.margin_unit;
        }
        Solvable::of(Erased(Arc::new(self)), capabilities).with_batches(ByBatch {
            expand: |expander, keys, links| expander.rules().game().0.expand(expander, keys, links),
            parents: |expander, keys, links| {
                expander.rules().game().0.parents(expander, keys, links)
            },
            move_number: |rules, symmetry, _, m| rules.game().0.move_number(symmetry, m),
        })
    }
}

/// A game of any type of code.
#[derive(Clone, Debug)]
pub enum AnySolvable {
    /// Keys of up to 64 bits.
    Bits64(Solvable<Erased<u64>>),
    /// Keys of up to 128 bits.
    Bits128(Solvable<Erased<u128>>),
    /// Keys of up to 256 bits.
    Bits256(Solvable<Erased<[u64; 4]>>),
    /// Longer keys.
    Bits1024(Solvable<Erased<[u64; 16]>>),
}

/// Something to do with a game whose type is hidden.
pub trait SolvableVisitor {
    /// What comes of it.
    type Output;

    /// Does it. Compiled once for every type of code.
    fn visit<K: KeyCode>(self, rules: Solvable<Erased<K>>) -> Self::Output;
}

impl AnySolvable {
    /// Hides the type of a game.
    #[must_use]
    pub fn new<G: Notation + Keyed>(rules: Solvable<G>) -> AnySolvable {
        // Exactly one of the types is that of the codes.
        let rules: &dyn Any = &rules.erase();
        let bits64 = || rules.downcast_ref().cloned().map(AnySolvable::Bits64);
        let bits128 = || rules.downcast_ref().cloned().map(AnySolvable::Bits128);
        let bits256 = || rules.downcast_ref().cloned().map(AnySolvable::Bits256);
        let bits1024 = || rules.downcast_ref().cloned().map(AnySolvable::Bits1024);
        let found = bits64().or_else(bits128).or_else(bits256).or_else(bits1024);
        found.expect("there are four types of codes")
    }

    /// Calls a visitor with the game.
    pub fn visit<V: SolvableVisitor>(self, visitor: V) -> V::Output {
        match self {
            AnySolvable::Bits64(rules) => visitor.visit(rules),
            AnySolvable::Bits128(rules) => visitor.visit(rules),
            AnySolvable::Bits256(rules) => visitor.visit(rules),
            AnySolvable::Bits1024(rules) => visitor.visit(rules),
        }
    }
}

/// What is known of a game by the codes of its keys.
trait Positions<K: KeyCode>: Send + Sync {
    fn has_position(&self, code: K) -> bool;
    fn start(&self) -> K;
    fn turn(&self, state: K) -> Player;
    fn outcome(&self, state: K) -> Option<Outcome>;
    fn move_count(&self, state: K) -> u32;
    fn play(&self, m: ErasedMove<K>) -> K;
    fn ply_cap(&self) -> Plies;
    fn is_capped_by_rules(&self) -> bool;
    fn has_long_plies(&self) -> bool;
    fn draw_plies(&self) -> Option<Plies>;
    fn is_irreversible(&self, m: ErasedMove<K>) -> bool;
    fn cyclic(&self) -> bool;
    fn settle(&self, state: K, end: HistoryEnd) -> Outcome;
    fn settles(&self, end: HistoryEnd) -> Option<Outcome>;

    fn write_move(&self, m: ErasedMove<K>, out: &mut dyn Write) -> fmt::Result;
    fn write_position(&self, state: K, out: &mut dyn Write) -> fmt::Result;
    fn parse_position(&self, text: &str) -> Result<K, PositionError>;
    fn parse_move(&self, state: K, text: &str) -> Result<ErasedMove<K>, MoveError>;
    fn board_text(&self, state: K) -> String;
    fn board(&self, state: K) -> Board;

    fn tier(&self, state: K) -> u32;
    fn margin(&self, state: K) -> i32;
    fn index_len(&self) -> u64;
    fn symmetry_count(&self) -> usize;
    fn map(&self, symmetry: usize, state: K) -> K;
    fn map_move(&self, symmetry: usize, m: ErasedMove<K>) -> ErasedMove<K>;
    fn canonical(&self, state: K) -> K;
    fn move_number(&self, symmetry: usize, m: ErasedMove<K>) -> u64;
    fn expand(
        &self,
        expander: Expander<'_, Erased<K>>,
        keys: &[K],
        links: &mut Links<'_, K>,
    ) -> Result<usize, Halt>;
    fn parents_into(&self, state: K, parents: &mut Vec<K>);
    fn parents(
        &self,
        expander: Expander<'_, Erased<K>>,
        keys: &[K],
        links: &mut Links<'_, K>,
    ) -> Result<usize, Halt>;
}

impl<G: Notation + Keyed> Solvable<G> {
    fn state(&self, code: CodeOf<G>) -> G::State {
        self.game().unkey(G::Key::of_code(code))
    }

    fn code(&self, state: &G::State) -> CodeOf<G> {
        self.game().key(state).code()
    }

    /// The position of a move, and the move.
    fn found(&self, m: ErasedMove<CodeOf<G>>) -> (G::State, G::Move) {
        let state = self.state(m.of);
        let mut moves = Vec::new();
        self.game().moves_into(&state, &mut moves);
        (state, moves[m.number()])
    }

    fn number(&self, state: &G::State, m: G::Move) -> ErasedMove<CodeOf<G>> {
        let mut moves = Vec::new();
        self.game().moves_into(state, &mut moves);
        let number = moves.iter().position(|&found| found == m).expect("the move is legal");
        ErasedMove { of: self.code(state), number: number as u32 }
    }
}

impl<G: Notation + Keyed> Positions<CodeOf<G>> for Solvable<G> {
    fn has_position(&self, code: CodeOf<G>) -> bool {
        Solvable::has_position(self, code)
    }
    fn start(&self) -> CodeOf<G> {
        self.code(&self.game().start())
    }
    fn turn(&self, state: CodeOf<G>) -> Player {
        self.game().turn(&self.state(state))
    }
    fn outcome(&self, state: CodeOf<G>) -> Option<Outcome> {
        self.game().outcome(&self.state(state))
    }
    fn move_count(&self, state: CodeOf<G>) -> u32 {
        self.game().move_count(&self.state(state))
    }
    fn play(&self, m: ErasedMove<CodeOf<G>>) -> CodeOf<G> {
        let (mut state, m) = self.found(m);
        self.game().play(&mut state, m);
        self.code(&state)
    }
    fn has_long_plies(&self) -> bool {
        self.game().has_long_plies()
    }
    fn ply_cap(&self) -> Plies {
        self.game().ply_cap()
    }
    fn is_capped_by_rules(&self) -> bool {
        self.game().is_capped_by_rules()
    }
    fn draw_plies(&self) -> Option<Plies> {
        self.game().draw_plies()
    }
    fn is_irreversible(&self, m: ErasedMove<CodeOf<G>>) -> bool {
        let (state, m) = self.found(m);
        self.game().is_irreversible(&state, m)
    }
    fn cyclic(&self) -> bool {
        G::CYCLIC && self.game().cyclic()
    }
    fn settle(&self, state: CodeOf<G>, end: HistoryEnd) -> Outcome {
        self.game().settle(&self.state(state), end)
    }
    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        self.game().settles(end)
    }

    fn write_move(&self, m: ErasedMove<CodeOf<G>>, out: &mut dyn Write) -> fmt::Result {
        let (state, m) = self.found(m);
        self.game().write_move(&state, m, out)
    }
    fn write_position(&self, state: CodeOf<G>, out: &mut dyn Write) -> fmt::Result {
        self.game().write_position(&self.state(state), out)
    }
    fn parse_position(&self, text: &str) -> Result<CodeOf<G>, PositionError> {
        Ok(self.code(&self.game().parse_position(text)?))
    }
    fn parse_move(&self, state: CodeOf<G>, text: &str) -> Result<ErasedMove<CodeOf<G>>, MoveError> {
        let state = self.state(state);
        let m = self.game().parse_move(&state, text)?;
        Ok(self.number(&state, m))
    }
    fn board_text(&self, state: CodeOf<G>) -> String {
        self.game().board_text(&self.state(state))
    }
    fn board(&self, state: CodeOf<G>) -> Board {
        self.game().board(&self.state(state))
    }

    fn tier(&self, state: CodeOf<G>) -> u32 {
        Solvable::tier(self, &self.state(state))
    }
    fn margin(&self, state: CodeOf<G>) -> i32 {
        let margin = self.capabilities().margin.expect("the game has margins");
        margin(self.game(), &self.state(state))
    }
    fn index_len(&self) -> u64 {
        Solvable::index_len(self).expect("keys are an index")
    }
    fn symmetry_count(&self) -> usize {
        self.capabilities().symmetry_count(self.game())
    }
    fn map(&self, symmetry: usize, state: CodeOf<G>) -> CodeOf<G> {
        self.symmetries().map_or(state, |symmetries| {
            self.code(&(symmetries.map_state)(self.game(), symmetry, &self.state(state)))
        })
    }
    fn map_move(&self, symmetry: usize, m: ErasedMove<CodeOf<G>>) -> ErasedMove<CodeOf<G>> {
        self.symmetries().map_or(m, |symmetries| {
            let (state, m) = self.found(m);
            let image = (symmetries.map_state)(self.game(), symmetry, &state);
            self.number(&image, (symmetries.map_move)(self.game(), symmetry, m))
        })
    }
    fn canonical(&self, state: CodeOf<G>) -> CodeOf<G> {
        self.symmetries().map_or(state, |symmetries| {
            self.code(&(symmetries.canonical)(self.game(), &self.state(state)))
        })
    }
    fn move_number(&self, symmetry: usize, m: ErasedMove<CodeOf<G>>) -> u64 {
        let (state, m) = self.found(m);
        Solvable::move_number(self, symmetry, &state, m)
    }
    fn expand(
        &self,
        expander: Expander<'_, Erased<CodeOf<G>>>,
        keys: &[CodeOf<G>],
        links: &mut Links<'_, CodeOf<G>>,
    ) -> Result<usize, Halt> {
        expander.with_rules(self).expand_as(keys, G::Key::of_code, KeyCode::code, links)
    }
    fn parents_into(&self, state: CodeOf<G>, parents: &mut Vec<CodeOf<G>>) {
        let mut states = Vec::new();
        Solvable::parents_into(self, &self.state(state), &mut states);
        parents.clear();
        parents.extend(states.iter().map(|state| self.code(state)));
    }
    fn parents(
        &self,
        expander: Expander<'_, Erased<CodeOf<G>>>,
        keys: &[CodeOf<G>],
        links: &mut Links<'_, CodeOf<G>>,
    ) -> Result<usize, Halt> {
        expander.with_rules(self).parents_as(keys, G::Key::of_code, KeyCode::code, links)
    }
}

impl<K: KeyCode> Game for Erased<K> {
    type State = K;
    type Move = ErasedMove<K>;
    /// As far as the type says; see [`Game::cyclic`].
    const CYCLIC: bool = true;

    fn cyclic(&self) -> bool {
        self.0.cyclic()
    }

    fn start(&self) -> K {
        self.0.start()
    }
    fn turn(&self, &state: &K) -> Player {
        self.0.turn(state)
    }
    fn outcome(&self, &state: &K) -> Option<Outcome> {
        self.0.outcome(state)
    }
    fn moves_into(&self, &state: &K, moves: &mut Vec<ErasedMove<K>>) {
        moves.clear();
        let numbers = 0..self.0.move_count(state);
        moves.extend(numbers.map(|number| ErasedMove { of: state, number }));
    }
    fn play(&self, state: &mut K, m: ErasedMove<K>) {
        debug_assert_eq!(*state, m.of, "a move belongs to its position");
        *state = self.0.play(m);
    }
    fn move_count(&self, &state: &K) -> u32 {
        self.0.move_count(state)
    }
    fn has_long_plies(&self) -> bool {
        self.0.has_long_plies()
    }

    fn ply_cap(&self) -> Plies {
        self.0.ply_cap()
    }
    fn is_capped_by_rules(&self) -> bool {
        self.0.is_capped_by_rules()
    }
    fn draw_plies(&self) -> Option<Plies> {
        self.0.draw_plies()
    }
    fn is_irreversible(&self, _: &K, m: ErasedMove<K>) -> bool {
        self.0.is_irreversible(m)
    }
    fn settle(&self, &state: &K, end: HistoryEnd) -> Outcome {
        self.0.settle(state, end)
    }
    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        self.0.settles(end)
    }
}

impl<K: KeyCode> Keyed for Erased<K> {
    type Key = K;

    fn key(&self, &state: &K) -> K {
        state
    }
    fn unkey(&self, key: K) -> K {
        key
    }
    fn try_unkey(&self, key: K) -> Option<K> {
        self.0.has_position(key).then_some(key)
    }
}

impl<K: KeyCode> Notation for Erased<K> {
    fn write_move(&self, _: &K, m: ErasedMove<K>, out: &mut dyn Write) -> fmt::Result {
        self.0.write_move(m, out)
    }
    fn write_position(&self, &state: &K, out: &mut dyn Write) -> fmt::Result {
        self.0.write_position(state, out)
    }
    fn parse_position(&self, text: &str) -> Result<K, PositionError> {
        self.0.parse_position(text)
    }
    fn board_text(&self, &state: &K) -> String {
        self.0.board_text(state)
    }
    fn board(&self, &state: &K) -> Board {
        self.0.board(state)
    }
    fn parse_move(&self, &state: &K, text: &str) -> Result<ErasedMove<K>, MoveError> {
        self.0.parse_move(state, text)
    }
}

#[cfg(test)]
mod tests {
    use treegauge_games::achi::{Achi, Adjacency};
    use treegauge_games::dots_and_boxes::{self, DotsAndBoxes};
    use treegauge_games::tic_tac_toe::{self, TicTacToe};
    use treegauge_testkit::explore::explore;

    use super::*;
    use crate::any_game::{both, solved};
    use crate::file::{SolutionFile, rules_hash, write_file};
    use crate::interest::{InterestOptions, interest};
    use crate::puzzle::{PuzzleOptions, puzzles};
    use crate::rules::Reduction;

    const CAP: Plies = Plies(1_000);

    /// Every method gives the same result when the type of the game is hidden.
    fn agrees<G: Notation + Keyed>(rules: &Solvable<G>) {
        let erased = rules.clone().erase();
        let (game, hidden) = (rules.game(), erased.game());
        let symmetries = rules.symmetries().unwrap();
        let hidden_symmetries = erased.symmetries().unwrap();
        let count = (symmetries.count)(game);
        assert_eq!((hidden_symmetries.count)(hidden), count);
        assert_eq!(erased.capabilities().list(), rules.capabilities().list());
        assert_eq!(erased.index_len(), rules.index_len());
        assert_eq!(hidden.start(), rules.code(&game.start()));
        assert_eq!((hidden.ply_cap(), hidden.draw_plies()), (game.ply_cap(), game.draw_plies()));
        let (mut moves, mut hidden_moves) = (Vec::new(), Vec::new());
        for state in explore(game, 100_000).states.iter().step_by(7) {
            let code = rules.code(state);
            assert_eq!(hidden.turn(&code), game.turn(state));
            assert_eq!(hidden.outcome(&code), game.outcome(state));
            assert_eq!(erased.tier(&code), rules.tier(state));
            let margin = rules.capabilities().margin.map(|margin| margin(game, state));
            let hidden_margin = erased.capabilities().margin.map(|margin| margin(hidden, &code));
            assert_eq!(hidden_margin, margin);
            let text = game.position_text(state);
            assert_eq!(hidden.position_text(&code), text);
            assert_eq!(hidden.parse_position(&text).unwrap(), code);
            assert_eq!(hidden.board_text(&code), game.board_text(state));
            assert_eq!(hidden.board(&code), game.board(state));
            for end in [HistoryEnd::Repetition, HistoryEnd::DrawPlies, HistoryEnd::Capped] {
                assert_eq!(hidden.settle(&code, end), game.settle(state, end));
            }
            let canonical = (symmetries.canonical)(game, state);
            assert_eq!((hidden_symmetries.canonical)(hidden, &code), rules.code(&canonical));
            if game.outcome(state).is_some() {
                continue;
            }
            game.moves_into(state, &mut moves);
            hidden.moves_into(&code, &mut hidden_moves);
            assert_eq!(moves.len(), hidden_moves.len());
            assert_eq!(hidden.move_count(&code) as usize, moves.len());
            for (&m, &hidden_m) in moves.iter().zip(&hidden_moves) {
                let (mut child, mut hidden_child) = (state.clone(), code);
                game.play(&mut child, m);
                hidden.play(&mut hidden_child, hidden_m);
                assert_eq!(hidden_child, rules.code(&child));
                let text = game.move_text(state, m);
                assert_eq!(hidden.move_text(&code, hidden_m), text);
                assert_eq!(hidden.parse_move(&code, &text).unwrap(), hidden_m);
                assert_eq!(moves[hidden_m.number()], m);
                let irreversible = game.is_irreversible(state, m);
                assert_eq!(hidden.is_irreversible(&code, hidden_m), irreversible);
                for symmetry in 0..count {
                    let number = rules.move_number(symmetry, state, m);
                    assert_eq!(erased.move_number(symmetry, &code, hidden_m), number);
                    let image = (symmetries.map_state)(game, symmetry, state);
                    let hidden_image = (hidden_symmetries.map_state)(hidden, symmetry, &code);
                    assert_eq!(hidden_image, rules.code(&image));
                    let m = (symmetries.map_move)(game, symmetry, m);
                    let hidden_m = (hidden_symmetries.map_move)(hidden, symmetry, hidden_m);
                    let text = game.move_text(&image, m);
                    assert_eq!(hidden.move_text(&hidden_image, hidden_m), text);
                    assert_eq!(hidden_m.of, hidden_image);
                }
            }
        }
    }

    /// What is computed of a game is the same when its type is hidden.
    fn solves<G: Notation + Keyed>(rules: &Solvable<G>) {
        let erased = rules.clone().erase();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solution");
        for &symmetry in both(rules) {
            let (known, hidden) = (solved(rules, symmetry), solved(&erased, symmetry));
            assert_eq!(known.digest(None, &()), hidden.digest(None, &()));
            assert_eq!(known.remoteness_table(), hidden.remoteness_table());
            write_file(&path, &known, "any", None, &()).unwrap();
            let file = SolutionFile::open(&path, erased.clone(), "any").unwrap();
            assert_eq!(file.load(None, &()).unwrap().tables(), hidden.tables());
            let hash = rules_hash(rules, known.reduction(), "any", known.start());
            assert_eq!(rules_hash(&erased, hidden.reduction(), "any", hidden.start()), hash);
            let options = InterestOptions::default();
            let interesting = interest(&known, options, None, &()).unwrap();
            let hidden_interesting = interest(&hidden, options, None, &()).unwrap();
            assert_eq!(
                interesting.start().interestingness,
                hidden_interesting.start().interestingness
            );
            let options = PuzzleOptions { top: 3, ..PuzzleOptions::default() };
            let found = puzzles(&known, |index| interesting.of(index), options, &());
            let of = |index| hidden_interesting.of(index);
            let hidden_found = puzzles(&hidden, of, options, &());
            assert_eq!(found.counts, hidden_found.counts);
            let codes = found.puzzles.iter().map(|puzzle| rules.code(&puzzle.state));
            assert!(codes.eq(hidden_found.puzzles.iter().map(|puzzle| puzzle.state)));
        }
        assert!(Reduction::of(rules, &rules.game().start()).is_ok());
    }

    #[test]
    fn a_game_without_its_type_is_the_same_game() {
        let board = tic_tac_toe::Sized::<u64>::new(3, 3, false);
        let tic_tac_toe =
            Solvable::of(TicTacToe::new(board, CAP), Capabilities::none().tiered().symmetric());
        let achi =
            Solvable::of(Achi::new(3, 3, Adjacency::King, CAP), Capabilities::none().symmetric());
        let board = dots_and_boxes::Sized::<u128>::new(2, 2);
        let dots = Solvable::of(
            DotsAndBoxes::new(board, CAP),
            Capabilities::none().tiered().symmetric().graded(),
        );
        agrees(&tic_tac_toe);
        agrees(&achi);
        agrees(&dots);
        // With tiers, and with loops; each solver that is compiled takes long.
        solves(&achi);
        solves(&dots);
    }
}
