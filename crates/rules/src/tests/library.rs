//! Texts of the library of published games, against `testdata/library.json`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Outcome, Player, Plies, perft};
use treegauge_testkit::explore::{Solved, solved};
use treegauge_testkit::library::{LibrarySolved, library_facts};

use super::agreement::Agree;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::position::Position;
use crate::reference::Reference;
use crate::state::BoardWord;
use crate::{Program, Text, lint, statics};

/// Text of a game of the library, which the catalog holds.
fn source(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../catalog/data/library");
    fs::read_to_string(folder.join(format!("{name}.rules"))).unwrap()
}

/// Program of `name` or `name(option=value,...)`.
pub(super) fn program(game: &str) -> Arc<Program> {
    let (name, values) = game.split_once('(').unwrap_or((game, ")"));
    let values: Vec<(String, i32)> = values
        .trim_end_matches(')')
        .split(',')
        .filter_map(|one| one.split_once('='))
        .map(|(option, value)| (option.to_owned(), value.parse().unwrap()))
        .collect();
    let checked = Text::read(&source(name)).and_then(|text| text.check_with(&values));
    Arc::new(checked.unwrap_or_else(|mistakes| panic!("{}", mistakes.text(game))))
}

/// Programs of all games of the library, by name.
pub(super) fn library_programs() -> Vec<(String, Arc<Program>)> {
    library_facts().games.into_keys().map(|name| (name.clone(), program(&name))).collect()
}

/// Number of sequences of each number of plies, up to `depth`, by the fast interpreter.
struct Count {
    depth: usize,
}

impl RulesVisitor for Count {
    type Output = Vec<u64>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Vec<u64> {
        perft(&game, &game.start(), self.depth)
    }
}

/// Number of sequences of exactly `depth` plies by the reference interpreter.
fn counted(slow: &Reference, at: &Position, depth: usize) -> u64 {
    let Ok(moves) = slow.moves(at) else { return 0 };
    match depth {
        1 => moves.len() as u64,
        _ => moves.iter().map(|played| counted(slow, &played.after, depth - 1)).sum(),
    }
}

/// Greatest number of sequences that the reference interpreter counts.
const SLOW_LEAVES_MAX: u64 = 800;

#[test]
fn both_interpreters_count_the_sequences_of_every_game() {
    let facts = library_facts();
    assert!(facts.games.len() >= 80, "{} games", facts.games.len());
    for (name, counts) in &facts.games {
        let program = program(name);
        let found = visit(&program, Plies(1_000), Count { depth: counts.perft.len() });
        assert_eq!(found, counts.perft, "{name}");
        let slow = Reference::new(program.clone());
        let start = program.start_position();
        for (depth, &known) in (1..).zip(&counts.perft).take_while(|(_, n)| **n <= SLOW_LEAVES_MAX)
        {
            assert_eq!(counted(&slow, &start, depth), known, "{name}, {depth} plies");
        }
    }
}

#[test]
fn both_interpreters_play_every_game_alike() {
    for name in library_facts().games.keys() {
        let play = Agree { name, games: 2, plies: 60, seed: 11, moves_max: 1_500 };
        visit(&program(name), Plies(1_000), play);
    }
}

/// Greatest number of sites on which the random games of the lint are quick.
const LINT_SITES_MAX: usize = 36;

#[test]
fn the_warnings_of_every_text_are_true_of_the_game() {
    for (name, counts) in library_facts().games {
        let program = program(&name);
        let warnings = if program.board.len() <= LINT_SITES_MAX {
            lint(&program, &mut Xoshiro256PlusPlus::seed_from_u64(1), &mut || true).warnings
        } else {
            statics(&program)
        };
        for warning in warnings {
            let is_known = counts.warnings.iter().any(|code| code == warning.code);
            assert!(is_known, "{name}: {} {}", warning.code, warning.message);
        }
    }
}

/// Solution of a game by the plainest solver. Endless play counts as a draw.
struct Solve;

impl RulesVisitor for Solve {
    type Output = Solved;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Solved {
        solved(&game)
    }
}

/// Greatest number of positions that the plainest solver takes.
const PLAIN_POSITIONS_MAX: usize = 100_000;

#[test]
fn solved_games_have_the_known_values() {
    let mut rows = 0;
    for row in library_facts().solved {
        let program = program(&row.game);
        // The plainest solver knows no repetition that wins.
        let repetition = program.body.repetition.as_ref();
        let is_drawn = repetition.is_none_or(|one| one.outcome.everywhere() == Some(Outcome::Draw));
        if row.positions > PLAIN_POSITIONS_MAX || !is_drawn {
            continue;
        }
        let found = visit(&program, Plies(1_000), Solve);
        let winner = match found.start {
            Some((Player::First, _)) => "first",
            Some((Player::Second, _)) => "second",
            None => "nobody",
        };
        let LibrarySolved { game, positions, wins, losses, draws, .. } = &row;
        assert_eq!(
            [found.states, found.win, found.lose, found.draw],
            [*positions, *wins, *losses, *draws],
            "{game}"
        );
        assert_eq!(
            (winner, found.start.map(|(_, plies)| plies)),
            (&*row.winner, row.plies),
            "{game}"
        );
        rows += 1;
    }
    assert!(rows >= 40, "only {rows} solved games were checked");
}
