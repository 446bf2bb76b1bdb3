//! Effects of a sowing whose player and last place are known.
//!
//! Sets and conditions that depend on nothing else are replaced by their values, and effects that
//! then cannot happen are left out: partial evaluation (Jones, Gomard and Sestoft 1993).

use super::{Act, Board, Number, Places, Sowing, Test};

/// Player and last place of some sowings.
pub(super) struct Known<'s> {
    sowing: &'s Sowing,
    /// Board with that player and place, and no seeds.
    board: Board,
}

impl Known<'_> {
    pub(super) fn new(sowing: &Sowing, player: usize, to: u32) -> Known<'_> {
        let board =
            Board { seeds: [0; 2], seeded: 0, player, from: 0, to, again: false, progress: false };
        Known { sowing, board }
    }

    /// Effects of these sowings.
    pub(super) fn acts(&self, acts: &[Act]) -> Vec<Act> {
        let mut found = Vec::new();
        for act in acts {
            match act {
                Act::Collect(set) => match self.places(set) {
                    Places::Const([0, _]) => {}
                    set => found.push(Act::Collect(set)),
                },
                Act::CollectIf(test, set) => match (self.test(test), self.places(set)) {
                    (Test::Is([false, _]), _) | (_, Places::Const([0, _])) => {}
                    (Test::Is(_), set) => found.push(Act::Collect(set)),
                    (test, set) => found.push(Act::CollectIf(test, set)),
                },
                Act::If(test, acts) => match (self.test(test), self.acts(acts)) {
                    (Test::Is([true, _]), acts) => found.extend(acts),
                    (Test::Is(_), _) => {}
                    (_, acts) if acts.is_empty() => {}
                    (test, acts) => found.push(Act::If(test, acts)),
                },
                Act::Again | Act::Sweep => found.push(act.clone()),
            }
        }
        found
    }

    fn test(&self, test: &Test) -> Test {
        let is = |holds: bool| Test::Is([holds; 2]);
        match test {
            Test::Into(_) | Test::Is(_) => is(self.sowing.holds(&self.board, test)),
            Test::NoSeeds(of) => match of[self.board.player] {
                0 => is(true),
                places => Test::NoSeeds([places; 2]),
            },
            Test::Reached(how, n) => Test::Pit(*how, [self.board.to; 2], *n),
            Test::Pit(how, of, n) => Test::Pit(*how, [of[self.board.player]; 2], *n),
            Test::Compare(how, a, b) => match (self.number(a), self.number(b)) {
                (Number::Int(a), Number::Int(b)) => is(how.holds(a, b)),
                (a, b) => Test::compare(*how, a, b),
            },
            Test::Some(set) => match self.places(set) {
                Places::Const([places, _]) => is(places != 0),
                set => Test::Some(set),
            },
            Test::In(a, b) => match (self.places(a), self.places(b)) {
                (Places::Const([0, _]), _) => is(false),
                (a @ Places::Const(_), b @ Places::Const(_)) => {
                    is(self.sowing.holds(&self.board, &Test::In(a, b)))
                }
                (a, b) => Test::In(a, b),
            },
            Test::And(parts) => self.joined(parts, true, Test::And),
            Test::Or(parts) => self.joined(parts, false, Test::Or),
            Test::Not(test) => match self.test(test) {
                Test::Is([holds, _]) => is(!holds),
                test => Test::Not(Box::new(test)),
            },
        }
    }

    /// Conjunction (`idle` is true) or disjunction (false) of some conditions without those that
    /// have the value `idle`.
    fn joined(&self, parts: &[Test], idle: bool, join: fn(Vec<Test>) -> Test) -> Test {
        let mut found = Vec::new();
        for part in parts {
            match self.test(part) {
                Test::Is([holds, _]) if holds == idle => {}
                decisive @ Test::Is(_) => return decisive,
                part => found.push(part),
            }
        }
        match found.len() {
            0 => Test::Is([idle; 2]),
            1 => found.remove(0),
            _ => join(found),
        }
    }

    fn number(&self, number: &Number) -> Number {
        let known = match number {
            Number::Count(set) => Number::Count(self.places(set)),
            Number::Seeds(set) => Number::Seeds(self.places(set)),
            Number::Store(of) => Number::Store([of[self.board.player]; 2]),
            Number::Add(parts) => Number::Add(parts.iter().map(|part| self.number(part)).collect()),
            Number::Sub(parts) => {
                Number::Sub(Box::new(parts.each_ref().map(|part| self.number(part))))
            }
            Number::Int(n) => Number::Int(*n),
        };
        if is_fixed_number(&known) {
            return Number::Int(self.sowing.number(&self.board, &known));
        }
        known
    }

    fn places(&self, places: &Places) -> Places {
        let boxed = |set: &Places| Box::new(self.places(set));
        let all = |sets: &[Places]| sets.iter().map(|set| self.places(set)).collect();
        let known = match places {
            Places::Opposite(set) => Places::Opposite(boxed(set)),
            Places::Not(set) => Places::Not(boxed(set)),
            Places::And(sets) => Places::And(all(sets)),
            Places::Or(sets) => Places::Or(all(sets)),
            Places::Seeded(of) => Places::Seeded([of[self.board.player]; 2]),
            Places::Back(set, numbers) => match self.places(set) {
                // The pits would begin at the last one.
                Places::Const([set, _]) if set >> self.board.to & 1 == 0 => Places::Const([0; 2]),
                set => Places::Back(Box::new(set), *numbers),
            },
            Places::Const(_) | Places::Unseeded(_) | Places::To | Places::From => places.clone(),
        };
        match &known {
            Places::And(sets) if sets.iter().any(|set| matches!(set, Places::Const([0, _]))) => {
                Places::Const([0; 2])
            }
            _ if is_fixed(&known) => Places::Const([self.sowing.places(&self.board, &known); 2]),
            _ => known,
        }
    }
}

/// Tests whether a set depends on nothing but the player and the last place.
fn is_fixed(places: &Places) -> bool {
    match places {
        Places::Const(_) | Places::To => true,
        Places::Opposite(set) | Places::Not(set) => is_fixed(set),
        Places::And(sets) | Places::Or(sets) => sets.iter().all(is_fixed),
        Places::Seeded(_) | Places::Unseeded(_) | Places::From | Places::Back(..) => false,
    }
}

/// Tests whether a number depends on nothing but the player and the last place.
fn is_fixed_number(number: &Number) -> bool {
    match number {
        Number::Int(_) => true,
        Number::Count(set) => is_fixed(set),
        // Nothing has no seeds.
        Number::Seeds(set) => matches!(set, Places::Const([0, _])),
        Number::Store(_) => false,
        Number::Add(parts) => parts.iter().all(is_fixed_number),
        Number::Sub(parts) => parts.iter().all(is_fixed_number),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::Compare;

    const PITS: u32 = 6;

    fn sowing() -> Sowing {
        Sowing {
            pits: PITS,
            mover: 0,
            table: Vec::new(),
            numbers: 0,
            onward: false,
            then: Vec::new(),
            only_if: None,
            spares: false,
            ends: Vec::new(),
        }
    }

    fn boards() -> impl Strategy<Value = Board> {
        let seeds = prop::collection::vec(prop_oneof![Just(0), 0..4u8, 0..15u8], 14);
        (seeds, 0..2usize, 0..2 * PITS, 0..14u32).prop_map(|(seeds, player, from, to)| {
            let mut board = Known::new(&sowing(), player, to).board;
            board.from = from;
            for (place, n) in (0..).zip(seeds) {
                board.add(place, u32::from(n));
            }
            board.look();
            board
        })
    }

    fn bits() -> impl Strategy<Value = [u32; 2]> {
        let one = prop_oneof![0..1u32 << 14, (0..14u32).prop_map(|n| 1 << n)];
        (one.clone(), one).prop_map(|(a, b)| [a, b])
    }

    fn places() -> impl Strategy<Value = Places> {
        let leaf = prop_oneof![
            bits().prop_map(Places::Const),
            bits().prop_map(Places::Seeded),
            bits().prop_map(|of| Places::Unseeded(of[0])),
            Just(Places::To),
            Just(Places::From),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            let several = || prop::collection::vec(inner.clone(), 1..3);
            prop_oneof![
                inner.clone().prop_map(|set| Places::Opposite(Box::new(set))),
                inner.clone().prop_map(|set| Places::Not(Box::new(set))),
                (inner.clone(), any::<u8>())
                    .prop_map(|(set, n)| Places::Back(Box::new(set), [n.into(), 0, 0, 0])),
                several().prop_map(Places::And),
                several().prop_map(Places::Or),
            ]
        })
    }

    fn numbers() -> impl Strategy<Value = Number> {
        let store = |n: u32| 2 * PITS + n;
        let leaf = prop_oneof![
            (0..6i32).prop_map(Number::Int),
            places().prop_map(Number::Count),
            places().prop_map(Number::Seeds),
            Just(Number::Store([store(0), store(1)])),
        ];
        leaf.prop_recursive(2, 6, 2, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..3).prop_map(Number::Add),
                (inner.clone(), inner).prop_map(|(a, b)| Number::Sub(Box::new([a, b]))),
            ]
        })
    }

    fn tests() -> impl Strategy<Value = Test> {
        use Compare::{Equal, Greater, Less};
        let how = || prop::sample::select(vec![Less, Equal, Greater]);
        let leaf = prop_oneof![
            bits().prop_map(Test::Into),
            (how(), 0..4i32).prop_map(|(how, n)| Test::Reached(how, n)),
            bits().prop_map(Test::NoSeeds),
            (how(), numbers(), numbers()).prop_map(|(how, a, b)| Test::compare(how, a, b)),
            places().prop_map(Test::Some),
            (places(), places()).prop_map(|(a, b)| Test::In(a, b)),
            any::<[bool; 2]>().prop_map(Test::Is),
        ];
        leaf.prop_recursive(3, 8, 3, |inner| {
            let several = || prop::collection::vec(inner.clone(), 0..3);
            prop_oneof![
                several().prop_map(Test::And),
                several().prop_map(Test::Or),
                inner.clone().prop_map(|test| Test::Not(Box::new(test))),
            ]
        })
    }

    fn acts() -> impl Strategy<Value = Vec<Act>> {
        let leaf = prop_oneof![
            Just(Act::Again),
            Just(Act::Sweep),
            places().prop_map(Act::Collect),
            (tests(), places()).prop_map(|(test, set)| Act::CollectIf(test, set)),
        ];
        let act = leaf.prop_recursive(2, 6, 2, |inner| {
            (tests(), prop::collection::vec(inner, 0..3))
                .prop_map(|(test, acts)| Act::If(test, acts))
        });
        prop::collection::vec(act, 1..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn effects_are_the_same_once_the_last_place_is_known(board in boards(), acts in acts()) {
            let sowing = sowing();
            let known = Known::new(&sowing, board.player, board.to).acts(&acts);
            let (mut whole, mut part) = (board, board);
            sowing.act(&mut whole, &acts);
            sowing.act(&mut part, &known);
            prop_assert_eq!(whole, part);
        }

        #[test]
        fn conditions_are_the_same_once_the_last_place_is_known(board in boards(), test in tests()) {
            let sowing = sowing();
            let known = Known::new(&sowing, board.player, board.to).test(&test);
            prop_assert_eq!(sowing.holds(&board, &test), sowing.holds(&board, &known));
        }
    }

    /// The effects of Kalah: another turn in the store, a capture in the own row, else none.
    #[test]
    fn each_place_has_the_effects_that_can_happen_there() {
        let store = Test::Into([1 << 12, 1 << 13]);
        let home = Test::Into([0x3f, 0xfc0]);
        let capture = Places::Or(vec![Places::To, Places::Opposite(Box::new(Places::To))]);
        let lone = Test::And(vec![home, Test::Reached(Compare::Equal, 1)]);
        let acts = [Act::If(store, vec![Act::Again]), Act::CollectIf(lone, capture)];
        let sowing = sowing();
        let at = |to: u32| Known::new(&sowing, 0, to).acts(&acts);
        assert!(matches!(at(12)[..], [Act::Again]));
        let captured = [1 << 2 | 1 << 9; 2];
        assert!(matches!(
            &at(2)[..],
            [Act::CollectIf(Test::Pit(Compare::Equal, [2, 2], 1), Places::Const(of))] if *of == captured
        ));
        assert!(at(7).is_empty());
    }
}
