//! Programs as games.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use rand_core::Rng;
use treegauge_bits::Wide;
use treegauge_core::{
    Game, Graded, HistoryEnd, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Tiered,
    uniform_below,
};

use crate::board::Site;
use crate::fast::{Code, Moment, Offer, PASS, Playouts, run_general};
use crate::layout::Layout;
use crate::position::Position;
use crate::state::{BoardWord, KINDS, Rest, State};
use crate::symmetry;
use crate::tree::{Num, Program};

/// Move as bits: `u16` if all moves of a game on a small board fit into 15 bits, otherwise `u64`.
pub trait MoveBits: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Largest number of bits of a move.
    const BITS: u32;
    /// Move with these bits. Bits that do not fit are lost.
    fn of(bits: u64) -> Self;
    /// Bits of the move; all 64 are set for the pass.
    fn bits(self) -> u64;
}

impl MoveBits for u16 {
    const BITS: u32 = 15;

    #[inline]
    fn of(bits: u64) -> u16 {
        bits as u16
    }
    #[inline]
    fn bits(self) -> u64 {
        if self == u16::MAX { u64::MAX } else { u64::from(self) }
    }
}

impl MoveBits for u64 {
    const BITS: u32 = 63;

    #[inline]
    fn of(bits: u64) -> u64 {
        bits
    }
    #[inline]
    fn bits(self) -> u64 {
        self
    }
}

/// Word type for the states of a program, and size of its moves. Code is compiled for each size, so
/// short moves have a type of their own only on small boards, where most games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Size {
    /// Up to 64 sites, short moves.
    Small,
    /// Up to 64 sites, long moves.
    SmallLong,
    /// Up to 128 sites, or 7 pits of each player.
    Medium,
    /// Up to 512 sites, or 12 pits of each player.
    Large,
}

impl Program {
    /// Smallest size that the program fits; `None` if it fits none.
    pub(crate) fn size(&self) -> Option<Size> {
        let long = Layout::of(self)?.bits > <u16 as MoveBits>::BITS;
        if Code::<u64>::fits(self) {
            return Some(if long { Size::SmallLong } else { Size::Small });
        }
        if Code::<u128>::fits(self) {
            return Some(Size::Medium);
        }
        Code::<Wide>::fits(self).then_some(Size::Large)
    }
}

/// Code that runs on the game of a text, whose type is known only after reading the text.
pub trait RulesVisitor {
    /// Result of the visit.
    type Output;

    /// Runs with the game.
    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Self::Output;
}

/// Game of a program, with states in words `W` and moves `M`.
#[derive(Clone)]
pub struct TextRules<W: BoardWord, M> {
    pub(crate) code: Arc<Code<W>>,
    pub(crate) symmetries: Arc<[Vec<Site>]>,
    playouts: Option<Arc<Playouts<W>>>,
    tiers: Option<TierBy>,
    margin: Option<Arc<(i64, Num<W>)>>,
    ply_cap: Plies,
    of: PhantomData<M>,
}

/// Quantity that rises with every move and serves as the tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TierBy {
    /// Number of pieces on the board.
    Pieces,
    /// Number of rows that pieces have advanced, and of pieces that have left the board.
    Advance,
}

impl<W: BoardWord, M> Debug for TextRules<W, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.code.program.name).finish()
    }
}

/// Calls a visitor with the game of a program. `ply_cap` applies if the text has no cap of its own.
pub fn visit<V: RulesVisitor>(program: &Arc<Program>, ply_cap: Plies, visitor: V) -> V::Output {
    match program.size().expect("the checker has seen that it fits") {
        Size::Small => visitor.visit(TextRules::<u64, u16>::new(program, ply_cap)),
        Size::SmallLong => visitor.visit(TextRules::<u64, u64>::new(program, ply_cap)),
        Size::Medium => visitor.visit(TextRules::<u128, u64>::new(program, ply_cap)),
        Size::Large => visitor.visit(TextRules::<Wide, u64>::new(program, ply_cap)),
    }
}

/// Tests whether a specialized loop plays the random games of a program. The general loop lists the
/// moves of every ply, which takes many times as long.
#[must_use]
pub fn has_loop(program: &Arc<Program>) -> bool {
    struct HasLoop;
    impl RulesVisitor for HasLoop {
        type Output = bool;

        fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> bool {
            game.playouts.is_some()
        }
    }
    visit(program, Plies(1_000), HasLoop)
}

impl<W: BoardWord, M: MoveBits> TextRules<W, M> {
    /// Game of a program whose states fit `W` and whose moves fit `M`.
    ///
    /// # Panics
    ///
    /// When they do not fit.
    #[must_use]
    pub fn new(program: &Arc<Program>, ply_cap: Plies) -> Self {
        assert!(Code::<W>::fits(program), "the states fit the word");
        let code = Code::<W>::of(program.clone());
        assert!(code.layout.bits <= M::BITS, "the moves fit their bits");
        let symmetries = symmetry::symmetries(program).into();
        let tiers = if program.only_adds_pieces() {
            Some(TierBy::Pieces)
        } else {
            program.only_advances().then_some(TierBy::Advance)
        };
        let margin = code.graded_by().map(Arc::new);
        let playouts = Playouts::of(&code).map(Arc::new);
        TextRules {
            code: Arc::new(code),
            playouts,
            symmetries,
            tiers,
            margin,
            ply_cap,
            of: PhantomData,
        }
    }

    /// Program of the game.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.code.program
    }

    /// Name of the loop that plays its random games.
    #[cfg(test)]
    pub(crate) fn loop_name(&self) -> &'static str {
        self.playouts.as_ref().map_or("general", |playouts| playouts.name())
    }

    /// Tests whether every move raises the tier.
    #[must_use]
    pub fn is_tiered(&self) -> bool {
        self.tiers.is_some()
    }

    /// Tests whether the moves have ids: a move has no chain of hops, and the ids fit a `u32`.
    #[must_use]
    pub fn has_actions(&self) -> bool {
        self.code.action_count().is_some()
    }

    /// Tests whether results are margins of a score.
    #[must_use]
    pub fn is_graded(&self) -> bool {
        self.margin.is_some()
    }

    /// Plays a whole move. Returns whether it was progress.
    #[inline]
    pub(crate) fn make(&self, state: &mut State<W>, m: u64) -> bool {
        match &self.playouts {
            Some(playouts) => playouts.play(&self.code, state, m),
            None => self.code.play(state, m),
        }
    }

    /// Number of moves of the side to move.
    #[inline]
    pub(crate) fn count(&self, state: &State<W>) -> u32 {
        match &self.playouts {
            Some(playouts) => playouts.count(&self.code, state),
            None => self.code.count(&self.before(state)),
        }
    }

    /// Tests whether the side to move has a move.
    #[inline]
    pub(crate) fn any(&self, state: &State<W>) -> bool {
        match &self.playouts {
            Some(playouts) => playouts.any(&self.code, state),
            None => self.code.any(&self.before(state)),
        }
    }

    /// The `n`-th move of the side to move.
    #[inline]
    pub(crate) fn nth(&self, state: &State<W>, n: u32) -> Option<u64> {
        match &self.playouts {
            Some(playouts) => playouts.nth(&self.code, state, n),
            None => self.code.nth(&self.before(state), n),
        }
    }

    #[inline]
    fn before(&self, state: &State<W>) -> Moment<W> {
        Moment::before(state, state.rest.turn)
    }

    /// Result of a terminal position, otherwise its number of moves. The number is 0 if the side to
    /// move is stuck and passes.
    #[inline]
    fn moves_or_end(&self, state: &State<W>) -> Result<u32, Outcome> {
        if let Some(outcome) = state.rest.result {
            return Err(outcome);
        }
        match self.count(state) {
            0 => self.code.stuck(state).map_or(Ok(0), Err),
            n => Ok(n),
        }
    }

    /// The `n`-th of the moves counted by [`Self::moves_or_end`].
    #[inline]
    fn chosen(&self, state: &State<W>, count: u32, n: u32) -> u64 {
        if count == 0 {
            return PASS;
        }
        self.nth(state, n).expect("there are more moves")
    }

    /// State as a position in the terms of the language.
    pub(crate) fn position(&self, state: &State<W>) -> Position {
        let program = &self.code.program;
        let mut position = program.start_position();
        position.pieces.fill(None);
        let rest = &state.rest;
        if self.code.pits > 0 {
            for (pit, seeds) in position.seeds.iter_mut().enumerate() {
                *seeds = state.seeds(pit as u32);
            }
            for (claimed, owner) in state.owners[1..].iter().zip(Player::BOTH) {
                claimed.ones().for_each(|pit| position.claims[pit as usize] = Some(owner));
            }
        } else {
            let owners = [Some(Player::First), Some(Player::Second), None];
            for (plane, owner) in state.owners.iter().zip(owners) {
                for site in plane.ones() {
                    let number = usize::from(state.kinds[0].has(site))
                        + 2 * usize::from(state.kinds[1].has(site));
                    let neutral = owner.is_none();
                    let kind = self
                        .code
                        .kinds
                        .iter()
                        .position(|kind| kind.neutral == neutral && kind.number == number);
                    position.pieces[site as usize] = kind.map(|kind| (owner, kind as u8));
                }
            }
        }
        for (kind, of) in self.code.kinds.iter().enumerate().filter(|(_, of)| !of.neutral) {
            for player in 0..2 {
                position.hands[player][kind] = rest.hands[player][of.number];
            }
        }
        position.score = rest.score;
        position.turn = rest.turn;
        position.place = rest.place;
        position.last = rest.last.map(|site| site.checked_sub(1));
        position.plies = rest.plies;
        position.result = rest.result;
        position
    }

    /// State of a position.
    pub(crate) fn state(&self, position: &Position) -> State<W> {
        let mut state = State {
            owners: [W::ZERO; 3],
            kinds: [W::ZERO; 2],
            rest: Rest {
                hands: [[0; KINDS]; 2],
                score: position.score,
                last: position.last.map(|site| site.map_or(0, |site| site + 1)),
                plies: position.plies,
                place: position.place,
                turn: position.turn,
                result: position.result,
            },
        };
        for (pit, &seeds) in position.seeds.iter().enumerate() {
            state.set_seeds(pit as u32, seeds);
        }
        for (pit, owner) in position.claims.iter().enumerate() {
            if let Some(owner) = owner {
                state.owners[1 + owner.index()].set(pit as u32);
            }
        }
        for (site, piece) in position.pieces.iter().enumerate() {
            let Some((owner, kind)) = *piece else { continue };
            state.owners[owner.map_or(2, Player::index)].set(site as u32);
            let number = self.code.kinds[kind as usize].number;
            for (bit, plane) in state.kinds.iter_mut().enumerate() {
                if number >> bit & 1 == 1 {
                    plane.set(site as u32);
                }
            }
        }
        for (kind, of) in self.code.kinds.iter().enumerate().filter(|(_, of)| !of.neutral) {
            for player in 0..2 {
                state.rest.hands[player][of.number] = position.hands[player][kind];
            }
        }
        state
    }

    /// Tests whether the rules allow a state: its fields are consistent with the board, pieces and
    /// hands of the program.
    fn is_valid(&self, state: &State<W>) -> bool {
        let (program, rest) = (&self.code.program, &state.rest);
        if self.code.pits > 0 {
            let pits = 2 * self.code.pits + 2;
            let all: u32 = (0..pits).map(|pit| u32::from(state.seeds(pit))).sum();
            let beyond = state.owners[0] & !W::lowest_bits(8 * pits);
            let wanted = 2 * self.code.pits * u32::from(program.seeds);
            // No pit is claimed twice, and claimed pits are empty.
            let claimed = state.claimed();
            let may_claim = if program.memory.claims { self.code.playing } else { W::ZERO };
            let wrong = state.owners[1] & state.owners[2] | claimed & !may_claim;
            let is_filled = claimed.ones().any(|pit| state.seeds(pit) > 0);
            if all != wanted || !beyond.is_zero() || !wrong.is_zero() || is_filled {
                return false;
            }
        } else {
            let [first, second, neutral] = state.owners;
            let overlap = first & second | first & neutral | second & neutral;
            let outside = (state.kinds[0] | state.kinds[1]) & !state.occupied()
                | state.occupied() & !self.code.all;
            if !overlap.is_zero() || !outside.is_zero() {
                return false;
            }
            // The owner of each piece may have pieces of its kind.
            let mut known = W::ZERO;
            for (kind, of) in self.code.kinds.iter().enumerate() {
                let sites = self.code.of_kind(state, kind as u8);
                for (plane, may) in
                    [(first, of.players[0]), (second, of.players[1]), (neutral, of.neutral)]
                {
                    if may {
                        known |= plane & sites;
                    }
                }
            }
            if known != state.occupied() {
                return false;
            }
        }
        let start = program.start_position();
        let hands = self.code.kinds.iter().enumerate().filter(|(_, of)| !of.neutral);
        let hands_fit = hands.clone().all(|(kind, of)| {
            (0..2).all(|player| rest.hands[player][of.number] <= start.hands[player][kind])
        });
        let sites = program.board.len() as u16;
        let last_fits = rest
            .last
            .iter()
            .all(|&site| site == 0 || site <= sites && program.board.on[usize::from(site) - 1]);
        let place_fits = match &program.turns {
            None => rest.place == 0,
            Some(turns) => turns.seats.get(usize::from(rest.place)) == Some(&rest.turn),
        };
        hands_fit && last_fits && place_fits && u32::from(rest.plies) <= program.memory.plies
    }
}

impl<W: BoardWord, M: MoveBits> Game for TextRules<W, M> {
    type State = State<W>;
    type Move = M;

    const CYCLIC: bool = true;

    fn cyclic(&self) -> bool {
        self.code.cyclic
    }

    fn start(&self) -> State<W> {
        self.state(&self.code.program.start_position())
    }

    #[inline]
    fn turn(&self, state: &State<W>) -> Player {
        state.rest.turn
    }

    #[inline]
    fn outcome(&self, state: &State<W>) -> Option<Outcome> {
        if state.rest.result.is_some() {
            return state.rest.result;
        }
        if self.any(state) { None } else { self.code.stuck(state) }
    }

    fn moves_into(&self, state: &State<W>, moves: &mut Vec<M>) {
        moves.clear();
        self.code.each(&self.before(state), &mut |code| {
            moves.push(M::of(code));
            ControlFlow::Continue(())
        });
        if moves.is_empty() {
            moves.push(M::of(PASS));
        }
    }

    #[inline]
    fn play(&self, state: &mut State<W>, m: M) {
        debug_assert!(self.is_legal(state, m), "{m:?} is not legal in {state:?}");
        self.make(state, m.bits());
    }

    #[inline]
    fn move_count(&self, state: &State<W>) -> u32 {
        // A player who is stuck passes, which counts as one move.
        self.count(state).max(1)
    }

    #[inline]
    fn nth_move(&self, state: &State<W>, n: u32, _: &mut Vec<M>) -> M {
        match self.nth(state, n) {
            Some(code) => M::of(code),
            None if n == 0 && !self.any(state) => M::of(PASS),
            None => panic!("the position has at most {n} moves"),
        }
    }

    fn is_legal(&self, state: &State<W>, m: M) -> bool {
        let mut found = false;
        let mut any = false;
        self.code.each(&self.before(state), &mut |code| {
            any = true;
            found = M::of(code) == m;
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found || !any && self.code.passes() && m == M::of(PASS)
    }

    fn random_move<R: Rng + ?Sized>(&self, state: &State<W>, rng: &mut R) -> Option<M> {
        if self.playouts.is_some() {
            let count = self.moves_or_end(state).ok()?;
            let n = if count > 1 { uniform_below(rng, count) } else { 0 };
            return Some(M::of(self.chosen(state, count, n)));
        }
        if state.rest.result.is_some() {
            return None;
        }
        let (now, mut offer) = (self.before(state), Offer::new());
        Some(M::of(match self.code.offer(&now, &mut offer) {
            0 if self.code.stuck(state).is_some() => return None,
            0 => PASS,
            1 => offer.code(&self.code, &now, 0),
            count => offer.code(&self.code, &now, uniform_below(rng, count)),
        }))
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(playouts) = &self.playouts
            && let Some(played) = playouts.run(&self.code, state, limits, rng)
        {
            return played;
        }
        run_general(&self.code, state, limits, rng)
    }

    /// Plies are short if a specialized loop plays the game.
    fn has_long_plies(&self) -> bool {
        self.playouts.is_none()
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    fn is_capped_by_rules(&self) -> bool {
        self.code.program.cap.is_some()
    }

    #[inline]
    fn draw_plies(&self) -> Option<Plies> {
        self.code.body.quiet.as_ref().map(|(plies, _)| Plies(*plies))
    }

    fn is_irreversible(&self, state: &State<W>, m: M) -> bool {
        if !self.code.cyclic {
            return true;
        }
        let mut after = *state;
        self.make(&mut after, m.bits()) && self.code.lasting
    }

    fn settle(&self, state: &State<W>, end: HistoryEnd) -> Outcome {
        let settled = self.code.body.limit(end);
        settled.map_or(Outcome::Draw, |settled| self.code.settle(state, settled))
    }

    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        let settled = self.code.body.limit(end);
        settled.map_or(Some(Outcome::Draw), |settled| settled.outcome.everywhere())
    }
}

impl<W: BoardWord, M: MoveBits> Keyed for TextRules<W, M> {
    type Key = W::Key;

    fn key(&self, state: &State<W>) -> W::Key {
        state.key(&self.code.key)
    }

    fn unkey(&self, key: W::Key) -> State<W> {
        State::of_key(&key, &self.code.key).expect("it is the key of a state")
    }

    fn try_unkey(&self, key: W::Key) -> Option<State<W>> {
        State::of_key(&key, &self.code.key).filter(|state| self.is_valid(state))
    }
}

impl<W: BoardWord, M: MoveBits> Tiered for TextRules<W, M> {
    fn tier(&self, state: &State<W>) -> u32 {
        let board = &self.code.program.board;
        match self.tiers {
            Some(TierBy::Advance) => {
                let rows = board.extent().map_or(1, |(_, rows)| rows);
                let row = |site: u32| board.at[site as usize][1];
                let first: i32 = state.owners[0].ones().map(row).sum();
                let second: i32 = state.owners[1].ones().map(|site| rows - 1 - row(site)).sum();
                let there = (state.owners[0] | state.owners[1]).count() as i32;
                let gone = self.code.program.start.len() as i32 - there;
                (first + second + gone * rows) as u32
            }
            _ => state.occupied().count(),
        }
    }
}

impl<W: BoardWord, M: MoveBits> Graded for TextRules<W, M> {
    const UNIT: [&'static str; 2] = ["point", "points"];

    fn margin(&self, state: &State<W>) -> i32 {
        let Some(graded) = &self.margin else { return 0 };
        let (sign, n) = &**graded;
        (sign * self.code.margin(state, n)).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }
}
