//! The board, the moves and the end of the game.

use std::hash::{Hash, Hasher};

use rand_core::Rng;
use treegauge_core::{
    Game, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric, Tiered, uniform_below,
};

use super::near::{Near, TABLE_LEN};
use crate::position::PositionErrors;
use treegauge_bits::{Choices, Word, each_bit, nth_by_limb, take};

/// Square of a token that is not placed yet. It is beyond every board, and its row in the table of
/// steps contains all squares: a placement is a step from there.
pub(super) const UNPLACED: u8 = 127;

/// Movement of the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Knight; visited squares are blocked.
    Knight,
    /// Queen, which does not pass over blocked squares; visited squares are blocked.
    Queen,
    /// King; each step is followed by the removal of a free square.
    KingRemove,
}

/// Starting squares of the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Each player places a token in the first turn.
    Free,
    /// The tokens begin in the middle of the board, or with [`Piece::KingRemove`] of opposite
    /// edges.
    Fixed,
}

/// Parameters of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Number of columns, 2 to 11.
    pub cols: u32,
    /// Number of rows, 2 to 11.
    pub rows: u32,
    /// Movement of the tokens.
    pub piece: Piece,
    /// Starting squares of the tokens.
    pub starts: Starts,
}

/// Rules of Isolation on a board of at most as many squares as `W` has bits.
#[derive(Clone, Debug)]
pub struct Isolation<W> {
    setup: Setup,
    ply_cap: Plies,
    tables: Box<Tables<W>>,
}

/// Precomputed tables of a board.
#[derive(Clone, Debug)]
struct Tables<W> {
    /// All squares.
    all: W,
    /// Destinations of a token on an empty board, by square; all squares at [`UNPLACED`].
    steps: [W; TABLE_LEN],
    /// Squares in the eight directions from each square, directions with rising bits first. Used
    /// only for queens.
    rays: [[W; 8]; TABLE_LEN],
    /// Table for choosing a step. Not used for queens.
    near: Near,
    /// Images of squares, by symmetry.
    images: Vec<[u8; TABLE_LEN]>,
}

/// Blocked squares, both tokens and the player to move.
///
/// Bit `row * cols + col` is the square in column `col` and row `row`, both from 0 at the lower
/// left. On 5 x 4:
///
/// ```text
/// 15 16 17 18 19   row 4
/// 10 11 12 13 14
///  5  6  7  8  9
///  0  1  2  3  4   row 1
///  a  b  c  d  e
/// ```
///
/// Example: after the placements `b2` and `d3` and the knight's move `c4`, bits 6, 13 and 17 are
/// blocked, the first player's token is 17 and the second player's 13.
///
/// Every ply blocks one more square than before, so the number of blocked squares determines the
/// player to move. The player is stored all the same: counting bits takes longer than flipping one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<W> {
    /// Squares that no token can enter, including those of the tokens.
    pub(super) blocked: W,
    /// Bits of the tokens' squares; [`UNPLACED`] before the placement.
    pub(super) tokens: [u8; 2],
    pub(super) turn: Player,
}

impl<W: Word> State<W> {
    /// Squares that no token can enter: visited or removed ones and those of both tokens.
    #[inline]
    #[must_use]
    pub fn blocked(&self) -> W {
        self.blocked
    }

    /// Square of a player's token; `None` before it is placed.
    #[inline]
    #[must_use]
    pub fn token(&self, player: Player) -> Option<u32> {
        let square = self.tokens[player.index()];
        (square != UNPLACED).then_some(u32::from(square))
    }
}

/// Ply: a placement, or a move of the token, with a removal under [`Piece::KingRemove`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Square that the token enters.
    pub to: u8,
    /// Square that is removed; equal to `to` if none is.
    pub removed: u8,
}

/// Hashes the move as one number, which takes hashers half the time.
impl Hash for Move {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u16(u16::from_le_bytes([self.to, self.removed]));
    }
}

impl Move {
    const fn to(square: u32) -> Move {
        Move { to: square as u8, removed: square as u8 }
    }
}

impl Setup {
    /// Row and column of each player's token with [`Starts::Fixed`].
    fn fixed_squares(self) -> [(u32, u32); 2] {
        let (middle_row, left) = ((self.rows - 1) / 2, (self.cols - 1) / 2);
        let right = self.cols / 2;
        if self.piece == Piece::KingRemove {
            return [(0, left), (self.rows - 1, right)];
        }
        // An odd number of columns has one in the middle, which stays free.
        let shift = if left == right { 1 } else { 0 };
        [(middle_row, left - shift), (middle_row, right + shift)]
    }

    /// Steps of the piece, those with rising bits first. A queen repeats hers.
    pub(super) fn directions(self) -> [(i32, i32); 8] {
        if self.piece == Piece::Knight { KNIGHT } else { KING }
    }

    /// Squares, as row and column, in a direction from one of them, up to the edge or at most
    /// `steps_max` steps.
    pub(super) fn walk(
        self,
        from: (u32, u32),
        (up, right): (i32, i32),
        steps_max: u32,
    ) -> impl Iterator<Item = (u32, u32)> {
        let step = move |&(row, col): &(u32, u32)| {
            let row = row.checked_add_signed(up).filter(|&row| row < self.rows)?;
            let col = col.checked_add_signed(right).filter(|&col| col < self.cols)?;
            Some((row, col))
        };
        std::iter::successors(Some(from), step).skip(1).take(steps_max as usize)
    }
}

/// The eight steps of a king, those with rising bits first.
const KING: [(i32, i32); 8] =
    [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];

/// The eight steps of a knight, those with rising bits first.
const KNIGHT: [(i32, i32); 8] =
    [(1, -2), (1, 2), (2, -1), (2, 1), (-1, 2), (-1, -2), (-2, 1), (-2, -1)];

impl<W: Word> Isolation<W> {
    /// Creates the game on a board, stopped as capped after `ply_cap` plies.
    ///
    /// # Panics
    ///
    /// When a number is out of its range or the board does not fit the word.
    #[must_use]
    pub fn new(setup: Setup, ply_cap: Plies) -> Self {
        let Setup { cols, rows, piece, starts } = setup;
        assert!(
            (2..=11).contains(&cols) && (2..=11).contains(&rows),
            "invalid board size {cols} x {rows}"
        );
        assert!(cols * rows <= W::BITS, "{cols} x {rows} does not fit the word");
        let squares = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let bit = |(row, col): (u32, u32)| row * cols + col;
        let steps_max = if piece == Piece::Queen { u32::MAX } else { 1 };
        let all = W::lowest_bits(cols * rows);
        let mut steps = [W::ZERO; TABLE_LEN];
        let mut rays = [[W::ZERO; 8]; TABLE_LEN];
        steps[usize::from(UNPLACED)] = all;
        for from in squares.clone() {
            let n = bit(from) as usize;
            for (ray, direction) in rays[n].iter_mut().zip(setup.directions()) {
                setup.walk(from, direction, steps_max).for_each(|to| ray.set(bit(to)));
                steps[n] |= *ray;
            }
        }
        let near =
            if piece == Piece::Queen { Near::default() } else { Near::new(&steps, cols * rows) };
        let fixed = setup.fixed_squares().map(|square| bit(square) as usize);
        let images = (0..if cols == rows { 8 } else { 4 })
            .map(|symmetry: usize| {
                let mut images = [UNPLACED; TABLE_LEN];
                for (row, col) in squares.clone() {
                    let (mut to_row, mut to_col) =
                        if symmetry & 4 != 0 { (col, row) } else { (row, col) };
                    if symmetry & 1 != 0 {
                        to_col = cols - 1 - to_col;
                    }
                    if symmetry & 2 != 0 {
                        to_row = rows - 1 - to_row;
                    }
                    images[bit((row, col)) as usize] = bit((to_row, to_col)) as u8;
                }
                images
            })
            .filter(|images| {
                starts == Starts::Free || fixed.iter().all(|&n| usize::from(images[n]) == n)
            })
            .collect();
        Isolation { setup, ply_cap, tables: Box::new(Tables { all, steps, rays, near, images }) }
    }

    /// Number of bits that a board takes.
    #[must_use]
    pub const fn bits(cols: u32, rows: u32) -> u32 {
        cols * rows
    }

    /// Parameters of the game.
    #[must_use]
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// All squares of the board.
    #[inline]
    #[must_use]
    pub fn all(&self) -> W {
        self.tables.all
    }

    /// Destinations of a token on square `from` on an empty board.
    #[inline]
    #[must_use]
    pub fn reach(&self, from: u32) -> W {
        self.tables.steps[from as usize % TABLE_LEN]
    }

    /// Destinations of a token on square `from` when `blocked` are blocked. It does not matter
    /// whether `from` is among them.
    #[inline]
    #[must_use]
    pub fn destinations_from(&self, from: u32, blocked: W) -> W {
        let reach = self.reach(from) & !blocked;
        if self.setup.piece == Piece::Queen && from != u32::from(UNPLACED) {
            return reach & self.seen(from, blocked);
        }
        reach
    }

    /// Destinations of a player's token, regardless of the turn: all free squares before it is
    /// placed. The player to move loses if there are none.
    #[inline]
    #[must_use]
    pub fn destinations(&self, state: &State<W>, player: Player) -> W {
        self.destinations_from(u32::from(state.tokens[player.index()]), state.blocked)
    }

    /// Squares up to and including the first blocked one in each direction.
    ///
    /// The squares beyond the first blocked square of a ray are that square's own ray in the same
    /// direction. The last square of the board has no squares in directions with rising bits, nor
    /// the first one in directions with falling bits. Added to the blocked ones they change
    /// nothing, and avoid a branch for rays without a blocked square.
    #[inline]
    fn seen(&self, from: u32, blocked: W) -> W {
        let rays = &self.tables.rays;
        let last = W::bit(self.setup.cols * self.setup.rows - 1);
        let own = &rays[from as usize % TABLE_LEN];
        let mut seen = W::ZERO;
        for (direction, &ray) in own.iter().enumerate() {
            let first = if direction < 4 {
                (ray & blocked | last).lowest()
            } else {
                highest(ray & blocked | W::bit(0))
            };
            seen |= ray ^ (ray & rays[first as usize % TABLE_LEN][direction]);
        }
        seen
    }

    #[inline]
    fn is_unplaced(state: &State<W>) -> bool {
        state.tokens[state.turn.index()] == UNPLACED
    }

    /// Number of squares that are not blocked.
    #[inline]
    fn unblocked(&self, state: &State<W>) -> u32 {
        self.setup.cols * self.setup.rows - state.blocked.count()
    }

    /// The `n`-th placement of a token. At most one square is blocked then: the first player's.
    #[inline]
    fn nth_placement(state: &State<W>, n: u32) -> Move {
        let blocked = state.blocked;
        Move::to(if blocked.is_zero() || n < blocked.lowest() { n } else { n + 1 })
    }

    /// Returns whether a ply of this position removes a square.
    #[inline]
    fn removes(&self, state: &State<W>) -> bool {
        self.setup.piece == Piece::KingRemove && !Self::is_unplaced(state)
    }

    #[inline]
    fn free(&self, state: &State<W>) -> W {
        self.tables.all & !state.blocked
    }

    /// Squares that can be removed once the token of the player to move has entered `to`.
    #[inline]
    fn removable(&self, state: &State<W>, to: u32) -> W {
        let from = u32::from(state.tokens[state.turn.index()]);
        self.free(state) & !W::bit(to) | W::bit(from)
    }
}

/// Index of the highest set bit. At least one must be set.
#[inline]
fn highest<W: Word>(word: W) -> u32 {
    for n in (1..W::BITS / 64).rev() {
        let limb = word.limb(n);
        if limb != 0 {
            return 64 * n + limb.ilog2();
        }
    }
    word.limb(0).ilog2()
}

impl<W: Word> Game for Isolation<W> {
    type State = State<W>;
    type Move = Move;

    fn start(&self) -> State<W> {
        let mut state = State { blocked: W::ZERO, tokens: [UNPLACED; 2], turn: Player::First };
        if self.setup.starts == Starts::Fixed {
            state.tokens =
                self.setup.fixed_squares().map(|(row, col)| (row * self.setup.cols + col) as u8);
            state.tokens.iter().for_each(|&token| state.blocked.set(u32::from(token)));
        }
        state
    }

    #[inline]
    fn turn(&self, state: &State<W>) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State<W>) -> Option<Outcome> {
        self.destinations(state, state.turn).is_zero().then(|| Outcome::win_of(state.turn.other()))
    }

    #[inline]
    fn moves_into(&self, state: &State<W>, moves: &mut Vec<Move>) {
        moves.clear();
        let removes = self.removes(state);
        each_bit(self.destinations(state, state.turn), |to| {
            if removes {
                each_bit(self.removable(state, to), |removed| {
                    moves.push(Move { to: to as u8, removed: removed as u8 });
                });
            } else {
                moves.push(Move::to(to));
            }
        });
    }

    #[inline]
    fn play(&self, state: &mut State<W>, m: Move) {
        debug_assert!(self.is_legal(state, m), "{m:?} cannot be played");
        let token = &mut state.tokens[state.turn.index()];
        // A square off the board is an error of the caller, but must not panic.
        let bit = |square: u8| W::bit(u32::from(square) % W::BITS);
        if m.removed != m.to {
            state.blocked = state.blocked & !bit(*token) | bit(m.removed);
        }
        state.blocked |= bit(m.to);
        *token = m.to.min(UNPLACED - 1);
        state.turn = state.turn.other();
    }

    /// Number of legal moves. With removals each destination is combined with every square that it
    /// leaves free. Their number is that of the free squares before, since the square left replaces
    /// the one entered.
    #[inline]
    fn move_count(&self, state: &State<W>) -> u32 {
        let destinations = self.destinations(state, state.turn).count();
        if self.removes(state) { destinations * self.free(state).count() } else { destinations }
    }

    #[inline]
    fn nth_move(&self, state: &State<W>, n: u32, _: &mut Vec<Move>) -> Move {
        let destinations = self.destinations(state, state.turn);
        if self.removes(state) {
            let each = self.free(state).count();
            let to = nth_by_limb(destinations, n / each);
            let removed = nth_by_limb(self.removable(state, to), n % each);
            Move { to: to as u8, removed: removed as u8 }
        } else {
            Move::to(nth_by_limb(destinations, n))
        }
    }

    #[inline]
    fn is_legal(&self, state: &State<W>, m: Move) -> bool {
        let (to, removed) = (u32::from(m.to), u32::from(m.removed));
        let squares = self.setup.cols * self.setup.rows;
        if to >= squares || removed >= squares || !self.destinations(state, state.turn).has(to) {
            return false;
        }
        if self.removes(state) { self.removable(state, to).has(removed) } else { to == removed }
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State<W>, rng: &mut R) -> Option<Move> {
        let from = u32::from(state.tokens[state.turn.index()]);
        if from == u32::from(UNPLACED) || self.setup.piece != Piece::Knight {
            return self.other_random_move(state, rng);
        }
        let steps = self.tables.near.steps(!state.blocked, from);
        (steps.count > 0).then(|| Move::to(steps.nth(from, uniform_below(rng, steps.count))))
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let mut choices = SharedChoices::new(rng);
        let mut plies = 0;
        while Self::is_unplaced(state) && plies < limits.plies_left.0 {
            let m = Self::nth_placement(state, choices.place(self.unblocked(state)));
            self.play(state, m);
            plies += 1;
        }
        let left = limits.plies_left.0 - plies;
        let (more, capped) = if Self::is_unplaced(state) {
            (0, true)
        } else {
            match self.setup.piece {
                Piece::Knight => self.run_knights(state, left, choices),
                Piece::Queen => {
                    let mut choices = Choices::new(rng);
                    self.run(state, left, |state, own| {
                        let destinations = self.destinations_from(own, state.blocked);
                        let count = destinations.count();
                        (count > 0).then(|| Move::to(destinations.nth(choices.below(count))))
                    })
                }
                Piece::KingRemove => {
                    let mut choices = Choices::new(rng);
                    // Each ply uses up one free square.
                    let mut free = self.free(state).count();
                    self.run(state, left, |state, own| {
                        let steps = self.tables.near.steps(!state.blocked, own);
                        (steps.count > 0).then(|| {
                            let to = steps.nth(own, choices.below(steps.count));
                            let removable = self.removable(state, to);
                            let removed = removable.nth(choices.below(free));
                            free -= 1;
                            Move { to: to as u8, removed: removed as u8 }
                        })
                    })
                }
            }
        };
        let outcome = if capped { Outcome::Draw } else { Outcome::win_of(state.turn.other()) };
        Playout { outcome, plies: Plies(plies + more), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    /// Every move blocks a square.
    fn plies_max(&self) -> Option<Plies> {
        Some(Plies(self.setup.cols * self.setup.rows))
    }
}

impl<W: Word> Isolation<W> {
    /// Plays moves of `choose` until it returns none or `left` plies are made. Returns the number
    /// of plies, and whether the limit ended it. `choose` receives the square of the token to move.
    #[inline]
    fn run(
        &self,
        state: &mut State<W>,
        left: u32,
        mut choose: impl FnMut(&State<W>, u32) -> Option<Move>,
    ) -> (u32, bool) {
        let mut at = *state;
        let mut plies = 0;
        let capped = loop {
            if plies >= left {
                break !self.destinations(&at, at.turn).is_zero();
            }
            let own = u32::from(at.tokens[at.turn.index()]);
            let Some(m) = choose(&at, own) else { break false };
            self.play(&mut at, m);
            plies += 1;
        };
        *state = at;
        (plies, capped)
    }

    /// Random move other than a knight's move on the board. Never inlined, so that the knight's
    /// case is.
    #[inline(never)]
    fn other_random_move<R: Rng + ?Sized>(&self, state: &State<W>, rng: &mut R) -> Option<Move> {
        if Self::is_unplaced(state) {
            let free = self.unblocked(state);
            return (free > 0).then(|| Self::nth_placement(state, uniform_below(rng, free)));
        }
        let count = self.move_count(state);
        (count > 0).then(|| self.nth_move(state, uniform_below(rng, count), &mut Vec::new()))
    }

    /// Like [`Isolation::run`], for knights.
    ///
    /// A step is picked from those that the token had before the opponent's last ply, and picked
    /// again if it goes to the square that the opponent has just entered. The other steps remain
    /// equally likely. So a ply need not wait for the previous one, and the two players' chains of
    /// work overlap.
    ///
    /// Never inlined: inside its caller the generator's state would be kept in registers, and the
    /// data of each ply would not.
    #[inline(never)]
    fn run_knights<R: Rng + ?Sized>(
        &self,
        state: &mut State<W>,
        left: u32,
        mut choices: SharedChoices<'_, R>,
    ) -> (u32, bool) {
        let near = &self.tables.near;
        let side = state.turn.index();
        let mut free = !state.blocked;
        let (mut own, mut other) =
            (u32::from(state.tokens[side]), u32::from(state.tokens[1 - side]));
        let mut steps = near.steps(free, own);
        let mut plies = 0;
        let over = 'game: loop {
            if plies >= left {
                break false;
            }
            if steps.count == 0 {
                break true;
            }
            let next = near.steps(free, other);
            let mut to = steps.nth(own, choices.step(steps.count));
            while to == other {
                // The only step has become impossible.
                if steps.count == 1 {
                    break 'game true;
                }
                to = steps.nth(own, choices.fresh_step(steps.count));
            }
            free &= !W::bit(to);
            (own, other) = (other, to);
            steps = next;
            plies += 1;
        };
        state.blocked = !free;
        if plies % 2 == 1 {
            state.turn = state.turn.other();
        }
        state.tokens[state.turn.index()] = own as u8;
        state.tokens[state.turn.other().index()] = other as u8;
        (plies, !over && !self.destinations(state, state.turn).is_zero())
    }
}

/// Generator of uniform choices of squares and steps, several from each 64-bit random number.
///
/// A choice among at most eight steps uses up 3 bits and a placement 7. A number gives eight steps,
/// or two placements and three steps, so that at least 40 bits are left for the last one.
struct SharedChoices<'r, R: ?Sized> {
    rng: &'r mut R,
    fraction: u64,
    /// Number of steps that may still be chosen.
    left: u32,
}

impl<'r, R: Rng + ?Sized> SharedChoices<'r, R> {
    #[inline]
    fn new(rng: &'r mut R) -> Self {
        SharedChoices { rng, fraction: 0, left: 0 }
    }

    /// Returns a number from 0 to `n - 1`, where `n` is 1 to 121. Only before the first step.
    #[inline]
    fn place(&mut self, n: u32) -> u32 {
        if self.left == 0 {
            self.fraction = self.rng.next_u64();
            self.left = 3;
        }
        take(&mut self.fraction, n)
    }

    /// Returns a number from 0 to `n - 1`, where `n` is 1 to 8.
    #[inline]
    fn step(&mut self, n: u32) -> u32 {
        if self.left == 0 {
            return self.fresh_step(n);
        }
        self.left -= 1;
        take(&mut self.fraction, n)
    }

    /// Like [`SharedChoices::step`], from a new random number.
    #[inline]
    fn fresh_step(&mut self, n: u32) -> u32 {
        self.fraction = self.rng.next_u64();
        self.left = 7;
        take(&mut self.fraction, n)
    }
}

impl<W: Word> Keyed for Isolation<W> {
    /// Blocked squares, and the squares of the tokens in bits 0 to 7 and 8 to 15. The number of
    /// blocked squares determines the player to move.
    type Key = (W::Packed, u16);

    #[inline]
    fn key(&self, state: &State<W>) -> Self::Key {
        (state.blocked.pack(), u16::from_le_bytes(state.tokens))
    }

    #[inline]
    fn unkey(&self, (blocked, tokens): Self::Key) -> State<W> {
        let blocked = W::unpack(blocked);
        let turn = Player::BOTH[blocked.count() as usize % 2];
        State { blocked, tokens: tokens.to_le_bytes(), turn }
    }

    fn try_unkey(&self, key: Self::Key) -> Option<State<W>> {
        let state = self.unkey(key);
        let stands = |token: u8| {
            token == UNPLACED || u32::from(token) < W::BITS && state.blocked.has(u32::from(token))
        };
        let apart = state.tokens[0] != state.tokens[1] || state.tokens[0] == UNPLACED;
        let on_board = (state.blocked & !self.all()).is_zero();
        let sound = on_board && apart && state.tokens.into_iter().all(stands);
        let counts = state.tokens.map(|token| u32::from(token != UNPLACED));
        PositionErrors::none_in(sound.then_some(state)?, |state, errors| {
            self.check(state, counts, errors)
        })
    }
}

impl<W: Word> Tiered for Isolation<W> {
    /// Number of blocked squares: every ply adds one.
    #[inline]
    fn tier(&self, state: &State<W>) -> u32 {
        state.blocked.count()
    }
}

impl<W: Word> Symmetric for Isolation<W> {
    /// Number of symmetries: eight for the square or four for other rectangles; with fixed starts
    /// only those that keep both tokens in place at the start.
    fn symmetry_count(&self) -> usize {
        self.tables.images.len()
    }

    fn map_state(&self, symmetry: usize, state: &State<W>) -> State<W> {
        let images = &self.tables.images[symmetry];
        let mut blocked = W::ZERO;
        each_bit(state.blocked, |square| blocked.set(u32::from(images[square as usize])));
        let tokens = state.tokens.map(|token| images[usize::from(token)]);
        State { blocked, tokens, turn: state.turn }
    }

    fn map_move(&self, symmetry: usize, m: Move) -> Move {
        let images = &self.tables.images[symmetry];
        let map = |square: u8| images[usize::from(square) % TABLE_LEN];
        Move { to: map(m.to), removed: map(m.removed) }
    }
}
