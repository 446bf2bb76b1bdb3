//! Loop for games of sowing on boards of up to seven pits a row.
//!
//! Sets of pits are bits of a small word, and the conditions and effects of the text are trees of
//! such sets. A sowing is one addition of a table.

mod known;

use rand_core::Rng;
use treegauge_bits::NTH_IN_BYTE;
use treegauge_core::{
    Outcome as GameOutcome, Player, Playout, PlayoutLimits, Plies, uniform_below,
};

use crate::fast::sowing::{Round, seeded_bits};
use crate::fast::{Code, Moment};
use crate::layout::Part;
use crate::state::{BoardWord, State};
use crate::tree::{Compare, Cond, Effect, Laps, Moves, Num, Set, Verb};
use known::Known;

/// Largest number of pits and stores.
const PLACES: u32 = 16;

/// One in every byte of a limb.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Game of one way to sow.
#[derive(Clone, Debug)]
pub(crate) struct Sowing {
    pits: u32,
    /// Index of the mover.
    mover: usize,
    /// Sowings by player, pit and number of seeds.
    table: Vec<Sown>,
    numbers: usize,
    /// Whether every sowing is progress.
    onward: bool,
    /// Effects by player and place of the last seed.
    then: Vec<Vec<Act>>,
    only_if: Option<Test>,
    /// Whether a sowing leaves an opponent who has seeds some of them, and `only-if` asks for no
    /// more.
    spares: bool,
    /// Conditions of the rules of `end`.
    ends: Vec<Test>,
}

/// Seeds that a sowing adds, and the place of the last one.
#[derive(Clone, Copy, Debug)]
struct Sown {
    added: [u64; 2],
    last: u8,
}

/// Seeds of all pits and stores, and the move that is made.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Board {
    /// A byte for each pit and store.
    seeds: [u64; 2],
    /// Pits and stores that have seeds.
    seeded: u32,
    player: usize,
    from: u32,
    to: u32,
    again: bool,
    progress: bool,
}

/// Set of pits and stores.
#[derive(Clone, Debug)]
enum Places {
    /// The same places in every position, by player.
    Const([u32; 2]),
    /// Those of some places that have seeds, by player.
    Seeded([u32; 2]),
    /// Those of some pits that have none.
    Unseeded(u32),
    To,
    From,
    Opposite(Box<Places>),
    /// Pits from the last one backward, while they belong to a set and have one of some numbers of
    /// seeds.
    Back(Box<Places>, [u64; 4]),
    And(Vec<Places>),
    Or(Vec<Places>),
    /// Pits that do not belong to a set.
    Not(Box<Places>),
}

#[derive(Clone, Debug)]
enum Number {
    Int(i32),
    Count(Places),
    Seeds(Places),
    /// Seeds in the store of a player, given for each mover.
    Store([u32; 2]),
    Add(Vec<Number>),
    Sub(Box<[Number; 2]>),
}

#[derive(Clone, Debug)]
enum Test {
    /// The last seed fell into one of some places, given for each player.
    Into([u32; 2]),
    /// Number of seeds where the last one fell.
    Reached(Compare, i32),
    /// Number of seeds of one place, given for each player.
    Pit(Compare, [u32; 2], i32),
    /// None of some places has seeds, given for each player.
    NoSeeds([u32; 2]),
    Compare(Compare, Number, Number),
    Some(Places),
    In(Places, Places),
    /// Whether it holds for each mover.
    Is([bool; 2]),
    And(Vec<Test>),
    Or(Vec<Test>),
    Not(Box<Test>),
}

#[derive(Clone, Debug)]
enum Act {
    Again,
    Collect(Places),
    Sweep,
    /// Collects some places if a condition holds; it is tested only if they have seeds.
    CollectIf(Test, Places),
    If(Test, Vec<Act>),
}

impl Board {
    fn of<W: BoardWord>(state: &State<W>) -> Board {
        let seeds = [state.owners[0].limb(0), state.owners[0].limb(1)];
        let player = state.rest.turn.index();
        let mut board =
            Board { seeds, seeded: 0, player, from: 0, to: 0, again: false, progress: false };
        board.look();
        board
    }

    /// Finds the pits and stores that have seeds.
    #[inline(always)]
    fn look(&mut self) {
        self.seeded = (seeded_bits(self.seeds[0]) | seeded_bits(self.seeds[1]) << 8) as u32;
    }

    #[inline(always)]
    fn at(&self, pit: u32) -> u32 {
        (self.seeds[pit as usize / 8] >> (pit % 8 * 8)) as u8 as u32
    }

    #[inline(always)]
    fn empty(&mut self, pit: u32) {
        self.seeds[pit as usize / 8] &= !(0xff << (pit % 8 * 8));
    }

    #[inline(always)]
    fn add(&mut self, pit: u32, seeds: u32) {
        self.seeds[pit as usize / 8] += u64::from(seeds) << (pit % 8 * 8);
    }

    /// Sum of the seeds of some places.
    #[inline(always)]
    fn sum(&self, places: u32) -> u32 {
        if places.is_power_of_two() {
            return self.at(places.trailing_zeros());
        }
        // No byte overflows, because there are at most 255 seeds.
        let low = self.seeds[0] & bytes(places as u8);
        let high = self.seeds[1] & bytes((places >> 8) as u8);
        ((low + high).wrapping_mul(ONES) >> 56) as u32
    }
}

/// Limb with all bits set of the bytes whose bit is set in `set`.
#[inline(always)]
fn bytes(set: u8) -> u64 {
    // Copies of the byte that keep one bit each, moved to the lowest place.
    let spread = u64::from(set).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    let lowest = ((spread + 0x7f7f_7f7f_7f7f_7f7f) | spread) >> 7 & ONES;
    lowest * 0xff
}

impl Places {
    fn of<W: BoardWord>(code: &Code<W>, set: &Set<W>) -> Option<Places> {
        let all = |sets: &[Set<W>]| -> Option<Vec<Places>> {
            sets.iter().map(|set| Places::of(code, set)).collect()
        };
        let boxed = |set: &Set<W>| Places::of(code, set).map(Box::new);
        let pits = code.pits;
        let row = |player: u32| ((1 << pits) - 1) << (player * pits);
        Some(match set {
            Set::Const(of) => Places::Const(of.map(|word| word.limb(0) as u32)),
            Set::Empty => Places::Unseeded(row(0) | row(1)),
            Set::Occupied => Places::Seeded([row(0) | row(1); 2]),
            Set::Mine(_) => Places::Seeded([row(0), row(1)]),
            Set::Theirs(_) => Places::Seeded([row(1), row(0)]),
            Set::Store => Places::Const([0, 1].map(|player| 1 << (2 * pits + player))),
            Set::To => Places::To,
            Set::From => Places::From,
            Set::Opposite(set) => Places::Opposite(boxed(set)?),
            Set::Back(set, numbers) => {
                let mut bits = [0; 4];
                for &n in numbers.iter().filter(|&&n| (0..=255).contains(&n)) {
                    bits[n as usize / 64] |= 1 << (n % 64);
                }
                Places::Back(boxed(set)?, bits)
            }
            Set::And(sets) => Places::And(all(sets)?),
            Set::Or(sets) => Places::Or(all(sets)?),
            Set::Not(set) => Places::Not(boxed(set)?),
            _ => return None,
        })
    }
}

impl Number {
    fn of<W: BoardWord>(code: &Code<W>, number: &Num<W>) -> Option<Number> {
        let of = |number: &Num<W>| Number::of(code, number);
        Some(match number {
            Num::Int(n) => Number::Int(*n),
            Num::Count(set) => Number::Count(Places::of(code, set)?),
            Num::Seeds(set) => Number::Seeds(Places::of(code, set)?),
            Num::Score(who) => Number::Store(
                Player::BOTH.map(|mover| 2 * code.pits + who.of(mover).index() as u32),
            ),
            Num::Add(parts) => Number::Add(parts.iter().map(of).collect::<Option<_>>()?),
            Num::Sub(a, b) => Number::Sub(Box::new([of(a)?, of(b)?])),
            _ => return None,
        })
    }
}

impl Test {
    fn of<W: BoardWord>(code: &Code<W>, cond: &Cond<W>) -> Option<Test> {
        let all = |parts: &[Cond<W>]| -> Option<Vec<Test>> {
            parts.iter().map(|part| Test::of(code, part)).collect()
        };
        let places = |set: &Set<W>| Places::of(code, set);
        Some(match cond {
            Cond::In(Set::To, Set::Const(of)) => Test::Into(of.map(|word| word.limb(0) as u32)),
            Cond::In(Set::To, Set::Store) => {
                Test::Into([0, 1].map(|player| 1 << (2 * code.pits + player)))
            }
            Cond::Compare(how, Num::Seeds(Set::To), Num::Int(n)) => Test::Reached(*how, *n),
            Cond::Compare(how, a, b) => {
                Test::compare(*how, Number::of(code, a)?, Number::of(code, b)?)
            }
            Cond::Some(set) => Test::Some(places(set)?),
            Cond::None(set) => match places(set)? {
                Places::Seeded(of) => Test::NoSeeds(of),
                other => Test::Not(Box::new(Test::Some(other))),
            },
            Cond::In(a, b) => Test::In(places(a)?, places(b)?),
            Cond::Is(a, b) => Test::Is(Player::BOTH.map(|mover| a.of(mover) == b.of(mover))),
            Cond::And(parts) => Test::And(all(parts)?),
            Cond::Or(parts) => Test::Or(all(parts)?),
            Cond::Not(cond) => Test::Not(Box::new(Test::of(code, cond)?)),
            _ => return None,
        })
    }

    fn compare(how: Compare, a: Number, b: Number) -> Test {
        match (&a, &b) {
            (Number::Store(of), Number::Int(n)) => Test::Pit(how, *of, *n),
            (Number::Seeds(Places::Const(of)), Number::Int(n))
                if of.iter().all(|places| places.is_power_of_two()) =>
            {
                Test::Pit(how, of.map(u32::trailing_zeros), *n)
            }
            _ => Test::Compare(how, a, b),
        }
    }
}

impl Act {
    fn all_of<W: BoardWord>(code: &Code<W>, effects: &[Effect<W>]) -> Option<Vec<Act>> {
        let act = |effect: &Effect<W>| {
            Some(match effect {
                Effect::Again => Act::Again,
                Effect::Collect(set) => Act::Collect(Places::of(code, set)?),
                Effect::Sweep => Act::Sweep,
                Effect::If(cond, effects) => {
                    let (test, acts) = (Test::of(code, cond)?, Act::all_of(code, effects)?);
                    match &acts[..] {
                        [Act::Collect(set)] => Act::CollectIf(test, set.clone()),
                        _ => Act::If(test, acts),
                    }
                }
                _ => return None,
            })
        };
        effects.iter().map(act).collect()
    }
}

/// Tests whether an effect leaves an opponent who has seeds some of them. That is so if pits are
/// collected only where they hold fewer seeds than the opponent's row.
fn spares<W: BoardWord>(code: &Code<W>, effect: &Effect<W>) -> bool {
    let row = |player: u32| W::lowest_bits(code.pits) << (player * code.pits);
    let far = Set::Const([row(1), row(0)]);
    match effect {
        Effect::Again => true,
        Effect::If(Cond::Compare(Compare::Less, Num::Seeds(few), Num::Seeds(more)), effects) => {
            let is_far = *more == far || *more == Set::Theirs(None);
            let collects_few = match &effects[..] {
                [Effect::Collect(set)] => set == few,
                _ => false,
            };
            is_far && collects_few || effects.iter().all(|effect| spares(code, effect))
        }
        Effect::If(_, effects) => effects.iter().all(|effect| spares(code, effect)),
        _ => false,
    }
}

impl Sowing {
    pub(super) fn of<W: BoardWord>(code: &Code<W>) -> Option<Sowing> {
        let (program, body) = (&code.program, &code.body);
        let memory = &program.memory;
        let remembers = memory.last || memory.plies > 0 || program.turns.is_some();
        if code.pits == 0 || 2 * code.pits + 2 > PLACES || remembers || W::BITS < 128 {
            return None;
        }
        let Moves::Mover(mover) = &body.play else { return None };
        let Verb::Sow { stores, skip_origin, leave_one: false, laps: Laps::No } = mover.verb else {
            return None;
        };
        let total = 2 * code.pits * u32::from(program.seeds);
        let mut table = Vec::new();
        for player in 0..2 {
            let round = Round { pits: code.pits, player, stores };
            for origin in 0..2 * code.pits {
                let sowings = round.sowings(origin, total, skip_origin);
                table.extend(
                    sowings.map(|(added, last)| Sown { added: [added[0], added[1]], last }),
                );
            }
        }
        let then = Act::all_of(code, &mover.then)?;
        let only_if = match &mover.only_if {
            None => None,
            Some(cond) => Some(Test::of(code, cond)?),
        };
        let spares = mover.only_if == Some(Cond::Some(Set::Theirs(None)))
            && mover.then.iter().all(|effect| spares(code, effect));
        let ends = body.end.iter().map(|rule| Test::of(code, &rule.when));
        let mut sowing = Sowing {
            pits: code.pits,
            mover: mover.id,
            table,
            numbers: total as usize + 1,
            onward: code.kinds.first().is_some_and(|kind| kind.onward),
            then: Vec::new(),
            only_if,
            spares,
            ends: ends.collect::<Option<_>>()?,
        };
        let last = (0..2).flat_map(|player| (0..PLACES).map(move |to| (player, to)));
        let known = last.map(|(player, to)| Known::new(&sowing, player, to).acts(&then));
        sowing.then = known.collect();
        Some(sowing)
    }

    #[inline(always)]
    fn places(&self, board: &Board, places: &Places) -> u32 {
        match places {
            Places::Const(of) => of[board.player],
            Places::Seeded(of) => board.seeded & of[board.player],
            Places::Unseeded(of) => of & !board.seeded,
            Places::To => 1 << board.to,
            Places::From => 1 << board.from,
            other => self.places_by_parts(board, other),
        }
    }

    /// All pits.
    #[inline(always)]
    fn playing(&self) -> u32 {
        (1 << (2 * self.pits)) - 1
    }

    fn places_by_parts(&self, board: &Board, places: &Places) -> u32 {
        let playing = self.playing();
        match places {
            Places::Opposite(set) => {
                let set = self.places(board, set) & playing;
                set.reverse_bits() >> (u32::BITS - 2 * self.pits)
            }
            Places::Back(set, numbers) => {
                let set = self.places(board, set) & playing;
                let (mut found, mut at) = (0, board.to);
                while set >> at & 1 == 1 && found >> at & 1 == 0 {
                    let n = board.at(at);
                    if numbers[n as usize / 64] >> (n % 64) & 1 == 0 {
                        break;
                    }
                    found |= 1 << at;
                    at = if at == 0 { 2 * self.pits - 1 } else { at - 1 };
                }
                found
            }
            Places::And(sets) => {
                sets.iter().fold(u32::MAX, |all, set| all & self.places(board, set))
            }
            Places::Or(sets) => sets.iter().fold(0, |all, set| all | self.places(board, set)),
            Places::Not(set) => playing & !self.places(board, set),
            other => self.places(board, other),
        }
    }

    #[inline(always)]
    fn number(&self, board: &Board, number: &Number) -> i32 {
        match number {
            Number::Int(n) => *n,
            Number::Count(set) => self.places(board, set).count_ones() as i32,
            Number::Seeds(set) => board.sum(self.places(board, set)) as i32,
            Number::Store(of) => board.at(of[board.player]) as i32,
            other => self.number_by_parts(board, other),
        }
    }

    fn number_by_parts(&self, board: &Board, number: &Number) -> i32 {
        match number {
            Number::Add(parts) => {
                parts.iter().fold(0i32, |sum, n| sum.saturating_add(self.number(board, n)))
            }
            Number::Sub(parts) => {
                let [a, b] = &**parts;
                self.number(board, a).saturating_sub(self.number(board, b))
            }
            other => self.number(board, other),
        }
    }

    #[inline(always)]
    fn holds(&self, board: &Board, test: &Test) -> bool {
        match test {
            Test::Pit(how, of, n) => how.holds(board.at(of[board.player]) as i32, *n),
            Test::NoSeeds(of) => board.seeded & of[board.player] == 0,
            other => self.holds_by_parts(board, other),
        }
    }

    fn holds_by_parts(&self, board: &Board, test: &Test) -> bool {
        match test {
            Test::Into(of) => of[board.player] >> board.to & 1 == 1,
            Test::Reached(how, n) => how.holds(board.at(board.to) as i32, *n),
            Test::Compare(how, a, b) => how.holds(self.number(board, a), self.number(board, b)),
            Test::Some(set) => self.places(board, set) != 0,
            Test::In(a, b) => {
                let a = self.places(board, a);
                a != 0 && a & !self.places(board, b) == 0
            }
            Test::Is(of) => of[board.player],
            Test::And(parts) => parts.iter().all(|test| self.holds(board, test)),
            Test::Or(parts) => parts.iter().any(|test| self.holds(board, test)),
            Test::Not(test) => !self.holds(board, test),
            other => self.holds(board, other),
        }
    }

    fn act(&self, board: &mut Board, acts: &[Act]) {
        for act in acts {
            match act {
                Act::Again => board.again = true,
                Act::Collect(set) => {
                    let set = self.places(board, set) & self.playing();
                    self.collect(board, set, board.player);
                }
                Act::CollectIf(test, set) => {
                    let set = self.places(board, set) & self.playing();
                    if set & board.seeded != 0 && self.holds(board, test) {
                        self.collect(board, set, board.player);
                    }
                }
                Act::Sweep => {
                    let row = (1 << self.pits) - 1;
                    self.collect(board, row, 0);
                    self.collect(board, row << self.pits, 1);
                }
                Act::If(test, acts) => {
                    if self.holds(board, test) {
                        self.act(board, acts);
                    }
                }
            }
        }
    }

    /// Brings the seeds of some pits to the store of a player.
    #[inline(always)]
    fn collect(&self, board: &mut Board, set: u32, player: usize) {
        let sum = board.sum(set);
        if sum > 0 {
            board.seeds[0] &= !bytes(set as u8);
            board.seeds[1] &= !bytes((set >> 8) as u8);
            let store = 2 * self.pits + player as u32;
            board.add(store, sum);
            board.seeded = board.seeded & !set | 1 << store;
            board.progress = true;
        }
    }

    /// Sows the seeds of a pit, with the effects.
    #[inline(always)]
    fn sow(&self, board: &mut Board, pit: u32) {
        let of_pit = board.player * 2 * self.pits as usize + pit as usize;
        let sown = self.table[of_pit * self.numbers + board.at(pit) as usize];
        board.empty(pit);
        board.seeds[0] += sown.added[0];
        board.seeds[1] += sown.added[1];
        board.look();
        (board.from, board.to) = (pit, u32::from(sown.last));
        board.again = false;
        board.progress = self.onward || board.to >= 2 * self.pits;
        let then = &self.then[board.player * PLACES as usize + board.to as usize];
        if !then.is_empty() {
            self.act(board, then);
        }
    }

    /// Pits that the side to move may sow.
    #[inline(always)]
    fn open(&self, board: &Board) -> u32 {
        let row = |player: usize| ((1 << self.pits) - 1) << (player as u32 * self.pits);
        let seeded = board.seeded;
        let own = seeded & row(board.player);
        match &self.only_if {
            None => own,
            Some(_) if self.spares && seeded & row(1 - board.player) != 0 => own,
            Some(test) => self.permitted(board, own, test),
        }
    }

    /// The `n`-th of some pits of the side to move; there are more than `n`.
    #[inline(always)]
    fn nth(&self, board: &Board, open: u32, n: u32) -> u32 {
        let first = board.player as u32 * self.pits;
        first + u32::from(NTH_IN_BYTE[(open >> first) as u8 as usize][n as usize & 7])
    }

    /// Those of some pits after whose sowing a condition holds.
    #[cold]
    fn permitted(&self, board: &Board, mut own: u32, test: &Test) -> u32 {
        let mut open = 0;
        while own != 0 {
            let pit = own.trailing_zeros();
            own &= own - 1;
            let mut then = *board;
            self.sow(&mut then, pit);
            if self.holds(&then, test) {
                open |= 1 << pit;
            }
        }
        open
    }

    /// Writes the board and the side to move into a state.
    fn write<W: BoardWord>(board: &Board, state: &mut State<W>) {
        let [low, high] = board.seeds;
        state.owners[0] = state.owners[0].with_limb(0, low).with_limb(1, high);
        state.rest.turn = Player::BOTH[board.player];
    }

    /// Plays a move, applies the rules of `end` and passes the turn.
    #[inline(always)]
    fn make<W: BoardWord>(
        &self,
        code: &Code<W>,
        board: &mut Board,
        state: &mut State<W>,
        pit: u32,
    ) {
        self.sow(board, pit);
        if let Some(n) = self.ends.iter().position(|test| self.holds(board, test)) {
            self.end(code, board, state, n);
        }
        if !board.again {
            board.player = 1 - board.player;
        }
    }

    /// Ends a game by a rule of `end`.
    #[cold]
    fn end<W: BoardWord>(&self, code: &Code<W>, board: &mut Board, state: &mut State<W>, n: usize) {
        Sowing::write(board, state);
        let mut now = Moment::before(state, state.rest.turn);
        (now.from, now.to) = (W::bit(board.from), W::bit(board.to));
        let settled = &code.body.end[n].settled;
        code.effects(&mut now, &settled.effects);
        state.rest.result = Some(code.result(&now, &settled.outcome));
        board.seeds = [now.state.owners[0].limb(0), now.state.owners[0].limb(1)];
        board.look();
        board.again |= now.again;
        board.progress |= now.progress;
    }

    pub(super) fn run<W: BoardWord, R: Rng + ?Sized>(
        &self,
        code: &Code<W>,
        state: &mut State<W>,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        let quiet_max = code.body.quiet.as_ref().map_or(u32::MAX, |(plies, _)| *plies);
        let mut board = Board::of(state);
        let (mut plies, mut quiet) = (0, limits.quiet.0);
        let (outcome, capped) = loop {
            if let Some(outcome) = state.rest.result {
                break (outcome, false);
            }
            let open = self.open(&board);
            let count = open.count_ones();
            if count == 0 {
                Sowing::write(&board, state);
                if let Some(outcome) = code.stuck(state) {
                    break (outcome, false);
                }
            }
            if quiet >= quiet_max {
                Sowing::write(&board, state);
                break (code.settle_quiet(state), false);
            }
            if plies >= limits.plies_left.0 {
                break (GameOutcome::Draw, true);
            }
            if count == 0 {
                board.player = 1 - board.player;
                board.progress = false;
            } else {
                let n = if count > 1 { uniform_below(rng, count) } else { 0 };
                let pit = self.nth(&board, open, n);
                self.make(code, &mut board, state, pit);
            }
            quiet = if board.progress || !code.cyclic { 0 } else { quiet + 1 };
            plies += 1;
        };
        Sowing::write(&board, state);
        Playout { outcome, plies: Plies(plies), capped }
    }

    /// Plays a whole move. Returns whether it was progress.
    #[inline]
    pub(super) fn play<W: BoardWord>(&self, code: &Code<W>, state: &mut State<W>, m: u64) -> bool {
        let Some(part) = code.layout.decode(m, 0) else { return false };
        let mut board = Board::of(state);
        self.make(code, &mut board, state, part.from as u32);
        Sowing::write(&board, state);
        board.progress
    }

    #[inline]
    pub(super) fn count<W: BoardWord>(&self, state: &State<W>) -> u32 {
        self.open(&Board::of(state)).count_ones()
    }

    #[inline]
    pub(super) fn nth_move<W: BoardWord>(
        &self,
        code: &Code<W>,
        state: &State<W>,
        n: u32,
    ) -> Option<u64> {
        let board = Board::of(state);
        let open = self.open(&board);
        (n < open.count_ones()).then(|| {
            let from = self.nth(&board, open, n) as usize;
            let part = Part { mover: self.mover, from, ..Part::default() };
            code.layout.encode(0, &part)
        })
    }
}
