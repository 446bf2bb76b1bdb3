//! The board, the moves and the end of the game.

use std::fmt;

use rand_core::Rng;
use treegauge_core::{
    Game, HistoryEnd, Keyed, Outcome, Player, Playout, PlayoutLimits, Plies, Symmetric,
    uniform_below,
};

use crate::position::PositionErrors;
use treegauge_bits::{Choices, each_bit, nth_bit};

/// Number of men of one player.
pub(super) const MEN: u32 = 9;

/// Number of points.
pub(super) const POINT_COUNT: u32 = 24;

/// All points, the corners of the squares, and the middles of their sides.
const POINTS: u32 = 0xff_ffff;
const CORNERS: u32 = 0x55_5555;
const MIDDLES: u32 = 0xaa_aaaa;

/// Rules of Nine Men's Morris.
#[derive(Clone, Debug)]
pub struct NineMensMorris {
    pub(super) flying: bool,
    pub(super) first_mill_wins: bool,
    pub(super) draw_plies: Plies,
    pub(super) ply_cap: Plies,
}

/// Men on the board, number of men placed, and player to move.
///
/// Bit `8 * square + place` is a point of a square, 0 the outer one to 2 the inner one; places
/// are counted anticlockwise from the lower left corner, so that corners are even and middles of
/// sides odd:
///
/// ```text
///  7   6-----------5-----------4
///  6   |  14------13------12   |
///  5   |   |  22--21--20   |   |
///  4   7--15--23      19--11---3
///  3   |   |  16--17--18   |   |
///  2   |   8-------9------10   |
///  1   0-----------1-----------2
///      a   b   c   d   e   f   g
/// ```
///
/// Example: after `d2` by the first player and `g7` by the second, the first player's men are `1 <<
/// 9`, the second player's `1 << 4`, and 2 are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) men: [u32; 2],
    /// Number of men that both players have placed, 0 to 18.
    pub(super) placed: u8,
    pub(super) turn: Player,
}

/// Placement or move of a man, with the removal of an opponent's man if it closes a mill.
///
/// Bits 0 to 4 are the point of the man removed, bits 5 to 9 the point entered and bits 10 to 14
/// the point left. Without a removal the first five equal the next five. For a placement the point
/// left equals the point entered.
///
/// Example: `d2-d3xa7` leaves 9 (`01001`), enters 17 (`10001`) and removes 6 (`00110`), which is
/// `01001_10001_00110`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// Encodes a move: `from` is `to` for a placement, and `removed` is `to` without a removal.
    pub(super) const fn new(from: u32, to: u32, removed: u32) -> Move {
        Move((from << 10 | to << 5 | removed) as u16)
    }

    #[inline]
    pub(super) fn from(self) -> u32 {
        u32::from(self.0 >> 10)
    }

    #[inline]
    pub(super) fn to(self) -> u32 {
        u32::from(self.0 >> 5 & 31)
    }

    /// Point of the man removed; `None` without a removal.
    #[inline]
    pub(super) fn removed(self) -> Option<u32> {
        let removed = u32::from(self.0 & 31);
        (removed != self.to()).then_some(removed)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({} to {}, removing {:?})", self.from(), self.to(), self.removed())
    }
}

/// Moves every point to the next place of its square.
#[inline]
const fn next(points: u32) -> u32 {
    points << 1 & 0xfe_fefe | points >> 7 & 0x01_0101
}

/// Moves every point to the previous place of its square.
#[inline]
const fn previous(points: u32) -> u32 {
    points >> 1 & 0x7f_7f7f | points << 7 & 0x80_8080
}

/// Moves every point forward by two places.
#[inline]
const fn next_but_one(points: u32) -> u32 {
    points << 2 & 0xfc_fcfc | points >> 6 & 0x03_0303
}

/// Moves every point back by two places.
#[inline]
const fn previous_but_one(points: u32) -> u32 {
    points >> 2 & 0x3f_3f3f | points << 6 & 0xc0_c0c0
}

/// Corners with `men` on the other two points of the side that begins there, and corners with `men`
/// on those of the side that ends there.
#[inline]
const fn corners_closing(men: u32) -> (u32, u32) {
    let begins = previous(men) & previous_but_one(men) & CORNERS;
    let ends = next(men) & next_but_one(men) & CORNERS;
    (begins, ends)
}

/// Middles with `men` on both corners next to them.
#[inline]
const fn middles_closing(men: u32) -> u32 {
    next(men) & previous(men) & MIDDLES
}

/// Middles with `men` on the middles of the same side in the other two squares.
#[inline]
const fn across_closing(men: u32) -> u32 {
    (men >> 8 | men << 16) & (men >> 16 | men << 8) & MIDDLES
}

/// Points where a further man closes a mill of `men`.
#[inline]
const fn closing(men: u32) -> u32 {
    let (begins, ends) = corners_closing(men);
    begins | ends | middles_closing(men) | across_closing(men)
}

/// Men among `men` that are in mills.
#[inline]
pub(super) const fn in_mills(men: u32) -> u32 {
    let middles = men & middles_closing(men);
    middles | next(middles) | previous(middles) | men & across_closing(men)
}

/// Men of the opponent, all `other`, that a closed mill may remove.
#[inline]
const fn prey(other: u32) -> u32 {
    let free = other & !in_mills(other);
    if free == 0 { other } else { free }
}

#[inline]
const fn fewer_than_three(men: u32) -> bool {
    let but_one = men & men.wrapping_sub(1);
    but_one & but_one.wrapping_sub(1) == 0
}

/// Neighbours of all points of a set; may include points of the set.
#[inline]
const fn neighbours(points: u32) -> u32 {
    let middles = points & MIDDLES;
    next(points) | previous(points) | (middles << 8 | middles >> 8) & POINTS
}

/// Placements or steps as sets of bits: all of them, and those that close a mill.
///
/// A placement is the bit of its point. Steps are packed by their direction:
///
/// ```text
/// bits  0 to 23   to the next place, by the point entered
/// bits 24 to 47   to the place before, by the point entered
/// bits 48 to 63   between squares: outwards to point 2 i + 1 is bit 48 + 2 i, inwards to point
///                 9 + 2 i is bit 49 + 2 i
/// ```
///
/// Example: 9 to 10 is bit 10, 9 to 8 bit 32, 9 to 1 bit 48 and 9 to 17 bit 57.
///
/// One word holds all of them, so that one count and one selection make a random move.
#[derive(Clone, Copy)]
struct Ways {
    all: u64,
    closing: u64,
}

impl Ways {
    #[inline]
    fn to_place(own: u32, empty: u32) -> Ways {
        Ways { all: u64::from(empty), closing: u64::from(empty & closing(own)) }
    }

    #[inline]
    fn to_step(own: u32, empty: u32) -> Ways {
        let pack = |next: u32, previous: u32, inwards: u32, outwards: u32| {
            u64::from(next)
                | u64::from(previous) << 24
                | u64::from(inwards >> 8 | outwards >> 1) << 48
        };
        let middles = own & MIDDLES;
        let (on, back) = (next(own) & empty, previous(own) & empty);
        let (inwards, outwards) = (middles << 8 & empty, middles >> 8 & empty);
        // The point left must not count for the mill. A man that steps along a side leaves that
        // side, so the only side it can close is the one around the corner; one that steps from
        // square to square leaves the line across.
        let ((begins, ends), across) = (corners_closing(own), across_closing(own));
        let side = middles_closing(own);
        Ways {
            all: pack(on, back, inwards, outwards),
            closing: pack(
                on & (begins | across),
                back & (ends | across),
                inwards & side,
                outwards & side,
            ),
        }
    }
}

/// Points left and entered by the step of each bit of [`Ways`].
const STEPS: &[[u8; 2]; 64] = &{
    let mut steps = [[0; 2]; 64];
    let mut bit = 0;
    while bit < 64 {
        let (from, to) = if bit < 24 {
            (bit & !7 | (bit + 7) & 7, bit)
        } else if bit < 48 {
            let to = bit - 24;
            (to & !7 | (to + 1) & 7, to)
        } else if bit % 2 == 0 {
            (bit - 48 + 9, bit - 48 + 1)
        } else {
            (bit - 48, bit - 48 + 8)
        };
        steps[bit] = [from as u8, to as u8];
        bit += 1;
    }
    steps
};

impl NineMensMorris {
    /// Creates the game without flying in which mills remove men, drawn after `draw_plies` plies
    /// without a placement or a removal and stopped as capped after `ply_cap` plies.
    #[must_use]
    pub fn new(draw_plies: Plies, ply_cap: Plies) -> Self {
        NineMensMorris { flying: false, first_mill_wins: false, draw_plies, ply_cap }
    }

    /// Lets players with three men left move to any empty point.
    #[must_use]
    pub fn with_flying(mut self) -> Self {
        self.flying = true;
        self
    }

    /// Makes the first player who closes a mill win.
    #[must_use]
    pub fn with_first_mill_winning(mut self) -> Self {
        self.first_mill_wins = true;
        self
    }

    /// Returns whether the player of `men`, all placed, moves to any empty point.
    #[inline]
    fn flies(&self, men: u32) -> bool {
        self.flying && men.count_ones() == 3
    }

    /// Points that the man on `from`, or one from the hand, may enter, and those of them where it
    /// closes a mill.
    #[inline]
    fn goals(&self, own: u32, empty: u32, from: Option<u32>) -> (u32, u32) {
        match from {
            None => (empty, empty & closing(own)),
            Some(from) => {
                let man = 1 << from;
                let goals = if self.flies(own) { empty } else { neighbours(man) & empty };
                (goals, goals & closing(own & !man))
            }
        }
    }

    /// Men that a closed mill may remove.
    #[inline]
    fn prey(&self, other: u32) -> u32 {
        if self.first_mill_wins { 0 } else { prey(other) }
    }

    /// Calls `visit` with each man that can be placed or moved, in their order, the points it may
    /// enter and those where it closes a mill, until it returns a value.
    #[inline]
    fn find<T>(
        &self,
        state: &State,
        mut visit: impl FnMut(Option<u32>, u32, u32) -> Option<T>,
    ) -> Option<T> {
        let (own, other) = state.split();
        let empty = POINTS & !(own | other);
        if !state.is_placed() {
            let (goals, closing) = self.goals(own, empty, None);
            return visit(None, goals, closing);
        }
        let mut left = own;
        while left != 0 {
            let from = left.trailing_zeros();
            let (goals, closing) = self.goals(own, empty, Some(from));
            if let Some(found) = visit(Some(from), goals, closing) {
                return Some(found);
            }
            left &= left - 1;
        }
        None
    }

    /// Chooses uniformly among the moves of a player; `None` if there are none. `below` chooses a
    /// number below its argument.
    #[inline]
    fn choose(
        &self,
        own: u32,
        other: u32,
        is_placed: bool,
        below: impl FnOnce(u32) -> u32,
    ) -> Option<Move> {
        let empty = POINTS & !(own | other);
        if is_placed && self.flies(own) {
            return Some(self.choose_flight(own, other, empty, below));
        }
        let ways = if is_placed { Ways::to_step(own, empty) } else { Ways::to_place(own, empty) };
        let count = ways.all.count_ones();
        if count == 0 {
            return None;
        }
        let ends = |way: u32| {
            if is_placed { STEPS[way as usize].map(u32::from) } else { [way, way] }
        };
        let prey = if ways.closing == 0 { 0 } else { self.prey(other) };
        if prey == 0 {
            let [from, to] = ends(nth_bit(ways.all, below(count)));
            return Some(Move::new(from, to, to));
        }
        // Each way counts once, for its first removal if it closes a mill; then follow the other
        // removals of those that do.
        let further = prey.count_ones() - 1;
        let n = below(count + ways.closing.count_ones() * further);
        let (way, victim) = if n < count {
            (nth_bit(ways.all, n), 0)
        } else {
            let n = n - count;
            (nth_bit(ways.closing, n / further), 1 + n % further)
        };
        let [from, to] = ends(way);
        let closes = ways.closing >> way & 1 == 1;
        Some(Move::new(from, to, if closes { nth_bit(u64::from(prey), victim) } else { to }))
    }

    /// Chooses uniformly among the moves of a player who flies; there is always an empty point.
    fn choose_flight(
        &self,
        own: u32,
        other: u32,
        empty: u32,
        below: impl FnOnce(u32) -> u32,
    ) -> Move {
        let prey = self.prey(other);
        let removals = prey.count_ones().max(1);
        let mut counts = [(0, 0, 0); 3];
        let (mut left, mut sum) = (own, 0);
        for slot in &mut counts {
            let from = left.trailing_zeros();
            left &= left - 1;
            let (goals, closing) = self.goals(own, empty, Some(from));
            sum += goals.count_ones() + closing.count_ones() * (removals - 1);
            *slot = (from, closing, sum);
        }
        let n = below(sum);
        let mut before = 0;
        for (from, closing, upto) in counts {
            if n < upto {
                return nth_of(from, empty, closing, prey, n - before);
            }
            before = upto;
        }
        unreachable!("{n} is below the sum of all counts")
    }
}

/// Number of moves of one man.
#[inline]
fn count_of(goals: u32, closing: u32, prey: u32) -> u32 {
    goals.count_ones() + closing.count_ones() * prey.count_ones().saturating_sub(1)
}

/// The `n`-th move of one man in their order. `n` must be less than their number.
#[inline]
fn nth_of(from: u32, goals: u32, closing: u32, prey: u32, n: u32) -> Move {
    let (mut left, mut n) = (goals, n);
    loop {
        let to = left.trailing_zeros();
        let prey = if closing >> to & 1 == 1 { prey } else { 0 };
        let count = prey.count_ones().max(1);
        if n < count {
            let removed = if prey == 0 { to } else { nth_bit(u64::from(prey), n) };
            return Move::new(if from == HAND { to } else { from }, to, removed);
        }
        n -= count;
        left &= left - 1;
        assert!(left != 0, "there is no such move");
    }
}

/// Number used as the point left by a man that is placed.
const HAND: u32 = POINT_COUNT;

impl State {
    /// Returns whether all men are placed.
    #[inline]
    pub(super) fn is_placed(&self) -> bool {
        u32::from(self.placed) == 2 * MEN
    }

    /// Men of the player to move and of the other player.
    #[inline]
    fn split(&self) -> (u32, u32) {
        (self.men[self.turn.index()], self.men[self.turn.other().index()])
    }
}

impl Game for NineMensMorris {
    type State = State;
    type Move = Move;
    const CYCLIC: bool = true;

    fn start(&self) -> State {
        State { men: [0; 2], placed: 0, turn: Player::First }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let (own, other) = state.split();
        let empty = POINTS & !(own | other);
        let beaten = || {
            state.is_placed()
                && (fewer_than_three(own) || (neighbours(own) & empty == 0 && !self.flies(own)))
        };
        let mill = self.first_mill_wins && in_mills(other) != 0;
        (mill || beaten()).then(|| Outcome::win_of(state.turn.other()))
    }

    #[inline]
    fn moves_into(&self, state: &State, moves: &mut Vec<Move>) {
        moves.clear();
        let prey = self.prey(state.split().1);
        let _: Option<()> = self.find(state, |from, goals, closing| {
            each_bit(u64::from(goals), |to| {
                let from = from.unwrap_or(to);
                if closing >> to & 1 == 0 || prey == 0 {
                    moves.push(Move::new(from, to, to));
                } else {
                    each_bit(u64::from(prey), |man| moves.push(Move::new(from, to, man)));
                }
            });
            None
        });
    }

    #[inline]
    fn play(&self, state: &mut State, m: Move) {
        debug_assert!(self.is_legal(state, m), "{m:?} cannot be played");
        let (own, other) = state.split();
        let (own, other) = after(own, other, m);
        let placed = state.placed + u8::from(!state.is_placed());
        *state = join(state.turn.other(), other, own, placed);
    }

    fn move_count(&self, state: &State) -> u32 {
        let (own, other) = state.split();
        let empty = POINTS & !(own | other);
        let prey = self.prey(other);
        if state.is_placed() && self.flies(own) {
            let mut count = 0;
            each_bit(u64::from(own), |from| {
                let (goals, closing) = self.goals(own, empty, Some(from));
                count += count_of(goals, closing, prey);
            });
            return count;
        }
        let ways =
            if state.is_placed() { Ways::to_step(own, empty) } else { Ways::to_place(own, empty) };
        ways.all.count_ones() + ways.closing.count_ones() * prey.count_ones().saturating_sub(1)
    }

    fn nth_move(&self, state: &State, n: u32, _: &mut Vec<Move>) -> Move {
        let prey = self.prey(state.split().1);
        let mut n = n;
        let found = self.find(state, |from, goals, closing| {
            let count = count_of(goals, closing, prey);
            if n < count {
                return Some(nth_of(from.unwrap_or(HAND), goals, closing, prey, n));
            }
            n -= count;
            None
        });
        found.expect("there is such a move")
    }

    fn is_legal(&self, state: &State, m: Move) -> bool {
        let (own, other) = state.split();
        let empty = POINTS & !(own | other);
        let (from, to) = (m.from(), m.to());
        if from >= POINT_COUNT || to >= POINT_COUNT {
            return false;
        }
        let from = state.is_placed().then_some(from);
        if from.map_or(m.from() != to, |from| own >> from & 1 == 0) {
            return false;
        }
        let (goals, closing) = self.goals(own, empty, from);
        let prey = if closing >> to & 1 == 1 { self.prey(other) } else { 0 };
        let removes = match m.removed() {
            Some(man) => prey >> man & 1 == 1,
            None => prey == 0,
        };
        goals >> to & 1 == 1 && removes
    }

    #[inline]
    fn random_move<R: Rng + ?Sized>(&self, state: &State, rng: &mut R) -> Option<Move> {
        if self.outcome(state).is_some() {
            return None;
        }
        let (own, other) = state.split();
        self.choose(own, other, state.is_placed(), |n| uniform_below(rng, n))
    }

    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut State,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(outcome) = self.outcome(state) {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let mut choices = Choices::new(rng);
        let (mut own, mut other) = state.split();
        let mut placed = state.placed;
        let (mut quiet, mut plies) = (limits.quiet.0, 0);
        let stopped = loop {
            if quiet >= self.draw_plies.0 {
                break Some(HistoryEnd::DrawPlies);
            }
            if plies >= limits.plies_left.0 {
                break Some(HistoryEnd::Capped);
            }
            let is_placed = u32::from(placed) == 2 * MEN;
            let Some(m) = self.choose(own, other, is_placed, |n| choices.below(n)) else {
                break None;
            };
            quiet = if !is_placed || m.removed().is_some() { 0 } else { quiet + 1 };
            placed += u8::from(!is_placed);
            (other, own) = after(own, other, m);
            plies += 1;
            let beaten = u32::from(placed) == 2 * MEN && fewer_than_three(own);
            if beaten || (self.first_mill_wins && in_mills(other) != 0) {
                break None;
            }
        };
        let turn = if plies % 2 == 0 { state.turn } else { state.turn.other() };
        *state = join(turn, own, other, placed);
        // A player who is stuck has lost even if the same ply reaches a limit.
        match (stopped, self.outcome(state)) {
            (Some(end), None) => Playout {
                outcome: self.settle(state, end),
                plies: Plies(plies),
                capped: end == HistoryEnd::Capped,
            },
            (_, outcome) => Playout {
                outcome: outcome.expect("without a limit only the rules end a playout"),
                plies: Plies(plies),
                capped: false,
            },
        }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    fn draw_plies(&self) -> Option<Plies> {
        Some(self.draw_plies)
    }

    /// Returns whether the move is a placement or a removal.
    #[inline]
    fn is_irreversible(&self, state: &State, m: Move) -> bool {
        !state.is_placed() || m.removed().is_some()
    }
}

/// Men of the mover and of the other player after a move.
#[inline]
fn after(own: u32, other: u32, m: Move) -> (u32, u32) {
    let own = own & !(1 << m.from()) | 1 << m.to();
    // Without a removal this is a point of the mover's, where the other has no man.
    (own, other & !(1 << (m.0 & 31)))
}

/// State with the player of `own` to move.
#[inline]
fn join(turn: Player, own: u32, other: u32, placed: u8) -> State {
    let men = match turn {
        Player::First => [own, other],
        Player::Second => [other, own],
    };
    State { men, placed, turn }
}

impl Keyed for NineMensMorris {
    /// First player's men in bits 0 to 23, second player's in bits 24 to 47, number of men placed
    /// in bits 48 to 52, and bit 53 set if the second player is to move.
    type Key = u64;

    #[inline]
    fn key(&self, state: &State) -> u64 {
        u64::from(state.men[0])
            | u64::from(state.men[1]) << 24
            | u64::from(state.placed) << 48
            | (state.turn.index() as u64) << 53
    }

    #[inline]
    fn unkey(&self, key: u64) -> State {
        State {
            men: [key as u32 & POINTS, (key >> 24) as u32 & POINTS],
            placed: (key >> 48 & 31) as u8,
            turn: if key >> 53 & 1 == 0 { Player::First } else { Player::Second },
        }
    }

    fn try_unkey(&self, key: u64) -> Option<State> {
        let state = self.unkey(key);
        let apart = state.men[0] & state.men[1] == 0 && key >> 54 == 0;
        let sound = apart && u32::from(state.placed) <= 2 * MEN;
        PositionErrors::none_in(sound.then_some(state)?, |state, errors| self.check(state, errors))
    }
}

impl Symmetric for NineMensMorris {
    /// Number of symmetries: the eight of the square, each also with the outer and the inner square
    /// exchanged.
    fn symmetry_count(&self) -> usize {
        16
    }

    #[inline]
    fn map_state(&self, symmetry: usize, state: &State) -> State {
        State { men: state.men.map(|men| image(symmetry, men)), ..*state }
    }

    #[inline]
    fn map_move(&self, symmetry: usize, m: Move) -> Move {
        let map = |point: u32| image(symmetry, 1 << point).trailing_zeros();
        Move::new(map(m.from()), map(m.to()), map(u32::from(m.0 & 31)))
    }
}

/// Image of a set of points. Bit 3 of `symmetry` exchanges the outer and the inner square; bit 2
/// does the same and mirrors the board at the diagonal from the lower left; then bits 0 and 1
/// rotate it by that many quarter turns.
#[inline]
fn image(symmetry: usize, points: u32) -> u32 {
    let mut points = points;
    if symmetry & 8 != 0 {
        points = points >> 16 | points & 0xff00 | (points & 0xff) << 16;
    }
    if symmetry & 4 != 0 {
        // Point 8 square + place becomes 23 minus that: place 7 - place of the other square.
        points = next(points.reverse_bits() >> 8);
    }
    for _ in 0..symmetry & 3 {
        points = next_but_one(points);
    }
    points
}
