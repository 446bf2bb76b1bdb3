use proptest::prelude::*;
use treegauge_core::{Capabilities, Game, HistoryEnd, Keyed, Outcome, Played, Player, Plies};

use super::Endless;
use crate::file::{SolutionFile, write_file};
use crate::history::value_by_history;
use crate::move_value::move_values;
use crate::rules::{Reduction, Solvable};
use crate::solution::{Solution, TierTable};
use crate::tests::any_game::{numbers, solved};
use crate::value::{ExactValue, Value};
use crate::verify::verify;

/// Result when a limit ends the game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    Always(Outcome),
    /// The player to move loses.
    MoverLoses,
}

/// Game on a graph: each place belongs to a player or ends the game.
#[derive(Clone, Debug)]
struct Arrows {
    turns: Vec<Player>,
    ends: Vec<Option<Outcome>>,
    next: Vec<Vec<u64>>,
    repetition: Limit,
    quiet: Option<(u32, Limit)>,
}

impl Arrows {
    fn settled(&self, end: HistoryEnd) -> Limit {
        match (end, self.quiet) {
            (HistoryEnd::Repetition, _) => self.repetition,
            (HistoryEnd::DrawPlies, Some((_, limit))) => limit,
            _ => Limit::Always(Outcome::Draw),
        }
    }
}

impl Game for Arrows {
    type State = u64;
    type Move = u64;
    const CYCLIC: bool = true;

    fn start(&self) -> u64 {
        0
    }
    fn turn(&self, &place: &u64) -> Player {
        self.turns[place as usize]
    }
    fn outcome(&self, &place: &u64) -> Option<Outcome> {
        self.ends[place as usize]
    }
    fn moves_into(&self, &place: &u64, moves: &mut Vec<u64>) {
        moves.clone_from(&self.next[place as usize]);
    }
    fn play(&self, place: &mut u64, to: u64) {
        *place = to;
    }
    fn draw_plies(&self) -> Option<Plies> {
        self.quiet.map(|(plies, _)| Plies(plies))
    }
    fn settle(&self, place: &u64, end: HistoryEnd) -> Outcome {
        match self.settled(end) {
            Limit::Always(outcome) => outcome,
            Limit::MoverLoses => Outcome::win_of(self.turn(place).other()),
        }
    }
    fn settles(&self, end: HistoryEnd) -> Option<Outcome> {
        match self.settled(end) {
            Limit::Always(outcome) => Some(outcome),
            Limit::MoverLoses => None,
        }
    }
}

impl Keyed for Arrows {
    type Key = u64;

    fn key(&self, &place: &u64) -> u64 {
        place
    }
    fn unkey(&self, key: u64) -> u64 {
        key
    }
    fn try_unkey(&self, key: u64) -> Option<u64> {
        Some(key).filter(|&key| (key as usize) < self.turns.len())
    }
}

numbers!(Arrows);

/// Result for the first player, +1, 0 or -1, if the first repetition of a place on a line ends the
/// game with the result `endless`. A safety game is won by strategies without memory, so the first
/// repetition gives the same result as the third.
fn by_lines(game: &Arrows, place: u64, path: &mut Vec<u64>, endless: i32) -> i32 {
    let sign = |outcome: Outcome| outcome.winner().map_or(0, Player::sign);
    if let Some(outcome) = game.outcome(&place) {
        return sign(outcome);
    }
    if path.contains(&place) {
        return endless;
    }
    path.push(place);
    let values = game.next[place as usize].iter().map(|&to| by_lines(game, to, path, endless));
    let values: Vec<i32> = values.collect();
    path.pop();
    let best = if game.turn(&place) == Player::First {
        values.into_iter().max()
    } else {
        values.into_iter().min()
    };
    best.expect("a place that does not end the game has an arrow")
}

fn sign(game: &Arrows, place: u64, value: Value) -> i32 {
    let value = match value {
        Value::Win => 1,
        Value::Lose => -1,
        Value::Tie | Value::Draw => 0,
    };
    value * game.turn(&place).sign()
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    prop_oneof![Just(Outcome::FirstWins), Just(Outcome::SecondWins), Just(Outcome::Draw)]
}

fn limits() -> impl Strategy<Value = Limit> {
    prop_oneof![outcomes().prop_map(Limit::Always), Just(Limit::MoverLoses)]
}

prop_compose! {
    fn arrows(most: usize)(len in 2..=most)(
        turns in prop::collection::vec(prop_oneof![Just(Player::First), Just(Player::Second)], len),
        ends in prop::collection::vec(prop::option::weighted(0.3, outcomes()), len),
        next in prop::collection::vec(prop::collection::btree_set(0..len as u64, 1..=2.min(len)), len),
        repetition in limits(),
        quiet in prop::option::weighted(0.3, (1u32..12, limits())),
    ) -> Arrows {
        let next = next.into_iter().map(|to| to.into_iter().collect()).collect();
        let mut ends = ends;
        ends[0] = None;
        Arrows { turns, ends, next, repetition, quiet }
    }
}

fn rules(game: Arrows) -> Solvable<u64> {
    Solvable::of(game, Capabilities::none())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn endless_play_that_one_player_wins_is_won_by_staying_safe(game in arrows(7)) {
        let solution = solved(&rules(game.clone()), false);
        let endless = match solution.endless() {
            Endless::Draw => 0,
            Endless::FirstWins => 1,
            Endless::SecondWins => -1,
            Endless::Undecided => return Ok(()),
        };
        for (_, place, valued) in solution.iter() {
            let expected = by_lines(&game, place, &mut Vec::new(), endless);
            prop_assert_eq!(sign(&game, place, valued.value), expected, "{} in {:?}", place, game);
            let ended = game.outcome(&place).is_some();
            prop_assert_eq!(valued.remoteness == 0 && valued.value != Value::Draw, ended);
        }
    }

    #[test]
    fn a_position_is_open_exactly_where_the_winner_of_endless_play_matters(game in arrows(7)) {
        let solution = solved(&rules(game.clone()), false);
        if solution.endless() != Endless::Undecided {
            return Ok(());
        }
        for (_, place, valued) in solution.iter() {
            let [least, most] = [-1, 1].map(|endless| by_lines(&game, place, &mut Vec::new(), endless));
            let expected = (least == most).then_some(least);
            let found = (valued.value != Value::Draw).then(|| sign(&game, place, valued.value));
            prop_assert_eq!(found, expected, "{} in {:?}", place, game);
        }
    }

    #[test]
    fn values_hold_with_all_limits(game in arrows(5)) {
        let solution = solved(&rules(game.clone()), false);
        for (_, place, valued) in solution.iter() {
            let Ok(Some(value)) = value_by_history(&game, &place, &()) else { continue };
            let within = |limit: u32| u32::from(valued.plies().unwrap_or(0)) <= limit;
            let is_known = match solution.endless() {
                Endless::Undecided => valued.value != Value::Draw,
                _ => true,
            };
            // No promise is made for a win that takes longer than the limit of quiet plies, nor for a tie
            // where a player may wait for a limit that wins.
            let is_promised = game.quiet.is_none_or(|(limit, result)| {
                let waits = valued.value == Value::Tie && result != Limit::Always(Outcome::Draw);
                within(limit) && !waits
            });
            if is_known && is_promised {
                let expected = sign(&game, place, value);
                prop_assert_eq!(sign(&game, place, valued.value), expected, "{} in {:?}", place, game);
            }
        }
    }

    #[test]
    fn files_of_such_games_are_right_and_every_other_value_is_found(
        game in arrows(7), at in any::<prop::sample::Index>(), lie in 0..4usize, plies in 0..3u16,
    ) {
        let rules = rules(game);
        let solution = solved(&rules, false);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arrows.tgs");
        write_file(&path, &solution, "arrows", None, &()).unwrap();
        let file = SolutionFile::open(&path, rules.clone(), "arrows").unwrap();
        let verdict = verify(&file, None, &()).unwrap();
        prop_assert!(verdict.is_ok(), "{:?}", verdict.mismatches);
        let loaded = file.load(None, &()).unwrap();
        prop_assert_eq!(loaded.start_by_history(), solution.start_by_history());

        let mut records: Vec<(u64, ExactValue)> =
            solution.iter().map(|(_, key, valued)| (key, valued)).collect();
        let place = at.index(records.len());
        let remoteness = [0, records[place].1.remoteness, ExactValue::ENDLESS][usize::from(plies)];
        let lie = ExactValue { value: Value::ALL[lie], remoteness };
        if lie != records[place].1 {
            records[place].1 = lie;
            let tables = vec![TierTable::new(0, records)];
            let wrong = Solution::of_tables(rules.clone(), 0, Reduction::none(), tables);
            write_file(&path, &wrong, "arrows", None, &()).unwrap();
            let file = SolutionFile::open(&path, rules, "arrows").unwrap();
            prop_assert!(!verify(&file, None, &()).unwrap().is_ok(), "{place} is taken for {lie:?}");
            // Ties that depend on the history are found only by a check of all positions.
            let found = file.load(None, &()).is_err() || solution.endless() == Endless::Undecided;
            prop_assert!(found, "{place} is taken for {lie:?}");
        }
    }

    #[test]
    fn whoever_wins_endless_play_wins_by_the_best_moves(game in arrows(7)) {
        let solution = solved(&rules(game.clone()), false);
        let (mut played, start) = (Played::start(&game), solution.start_valued());
        // A limit of quiet plies may come before a more distant end.
        let beyond = game
            .quiet
            .is_some_and(|(limit, _)| start.plies().is_some_and(|plies| u32::from(plies) > limit));
        if solution.endless() == Endless::Undecided || beyond {
            return Ok(());
        }
        // Both players play a best move; the limits end the game with its value.
        let ended = loop {
            if let Some(ended) = played.ended(&game) {
                break ended;
            }
            let place = *played.state();
            let get = |child| solution.get(child).ok_or(());
            let best = move_values(solution.rules(), place, get).unwrap()[0].m;
            played.play(&game, game.next[place as usize][best as usize]);
        };
        let result = ended.outcome.winner().map_or(0, Player::sign);
        prop_assert_eq!(result, sign(&game, 0, start.value), "{:?}", game);
    }
}

#[test]
fn a_file_made_without_the_limits_is_refused_with_the_reason() {
    let round = |limit| Arrows {
        turns: vec![Player::First, Player::Second],
        ends: vec![None, None],
        next: vec![vec![1], vec![0]],
        repetition: limit,
        quiet: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("round.tgs");
    let before = solved(&rules(round(Limit::Always(Outcome::Draw))), false);
    write_file(&path, &before, "round", None, &()).unwrap();
    for limit in [Limit::Always(Outcome::SecondWins), Limit::MoverLoses] {
        let now = SolutionFile::open(&path, rules(round(limit)), "round").map(|_| ()).unwrap_err();
        assert!(now.to_string().contains("takes all endless play"), "{now}");
    }
}
