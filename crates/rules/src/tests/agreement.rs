//! Agreement of fast play with the reference interpreter.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, HistoryEnd, Notation, Plies, uniform_below};

use super::programs;
use crate::fast::{Moment, Offer};
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::position::Position;
use crate::reference::{Played, Reference};
use crate::state::{BoardWord, State};
use crate::tree::Program;

/// Random games in which fast play and the reference are compared at every ply.
pub(super) struct Agree<'a> {
    pub(super) name: &'a str,
    pub(super) games: u32,
    pub(super) plies: u32,
    pub(super) seed: u64,
    /// Number of compared moves after which all games stop.
    pub(super) moves_max: u32,
}

impl RulesVisitor for Agree<'_> {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        self.play(&game, &mut |_, _| {});
    }
}

/// Checks that the moves that an offer records while they are counted are those that are listed.
fn recorded<W: BoardWord, M: MoveBits>(
    game: &TextRules<W, M>,
    state: &State<W>,
    offer: &mut Offer<W>,
    at: &str,
) {
    let code = &game.code;
    let now = Moment::before(state, state.rest.turn);
    let mut listed = Vec::new();
    code.each(&now, &mut |m| {
        listed.push(m);
        ControlFlow::Continue(())
    });
    // The second time, the offer has its memory from the first.
    for _ in 0..2 {
        assert_eq!(code.offer(&now, offer) as usize, listed.len(), "{at}");
    }
    let every = listed.len() / 2_000 + 1;
    for (n, &m) in listed.iter().enumerate().step_by(every) {
        assert_eq!(offer.code(code, &now, n as u32), m, "{n} of {at}");
    }
}

/// Checks that the single plies of a specialized loop agree with the general path.
pub(super) fn single_plies<W: BoardWord, M: MoveBits>(
    game: &TextRules<W, M>,
    state: &State<W>,
    at: &str,
) {
    if game.loop_name() == "general" {
        return;
    }
    let now = Moment::before(state, state.rest.turn);
    let count = game.code.count(&now);
    assert_eq!(game.count(state), count, "{at}");
    assert_eq!(game.any(state), game.code.any(&now), "{at}");
    // Finding each of a great many moves would take too long.
    let every = count / 300 + 1;
    for n in (0..count).step_by(every as usize).chain([count.saturating_sub(1), count]) {
        let m = game.code.nth(&now, n);
        assert_eq!(game.nth(state, n), m, "{n} of {at}");
        let Some(m) = m else { continue };
        let (mut short, mut general) = (*state, *state);
        let progress = game.make(&mut short, m);
        assert_eq!(progress, game.code.play(&mut general, m), "{n} of {at}");
        assert_eq!(short, general, "{n} of {at}");
    }
}

impl Agree<'_> {
    /// Plays the games. `visit` receives each unfinished position and its moves.
    pub(super) fn play<W: BoardWord, M: MoveBits>(
        &self,
        game: &TextRules<W, M>,
        visit: &mut dyn FnMut(&State<W>, &[M]),
    ) {
        let slow = Reference::new(game.program().clone());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        // A position that recurs is not compared again.
        let mut known: HashSet<State<W>> = HashSet::new();
        let mut compared = 0;
        for _ in 0..self.games {
            let mut state = game.start();
            assert_eq!(game.position(&state), slow.program.start_position(), "{}", self.name);
            let mut kept = Offer::new();
            for _ in 0..self.plies {
                if known.insert(state) {
                    if compared > self.moves_max {
                        return;
                    }
                    compared += self.compare(game, &slow, &state, visit);
                    // Positions of one game in turn: an offer keeps data from each to the next.
                    recorded(game, &state, &mut kept, self.name);
                }
                if game.outcome(&state).is_some() {
                    break;
                }
                let n = uniform_below(&mut rng, game.move_count(&state));
                let m = game.nth_move(&state, n, &mut Vec::new());
                // `play` of the game would search the list of all moves.
                game.code.play(&mut state, m.bits());
            }
        }
    }

    /// Compares the result of a state, its moves and the positions after them. Returns the number
    /// of moves.
    pub(super) fn compare<W: BoardWord, M: MoveBits>(
        &self,
        game: &TextRules<W, M>,
        slow: &Reference,
        state: &State<W>,
        visit: &mut dyn FnMut(&State<W>, &[M]),
    ) -> u32 {
        let position = game.position(state);
        let at = format!("{}: {}", self.name, game.position_text(state));
        assert_eq!(game.state(&position), *state, "{at}");
        let expected = match slow.moves(&position) {
            Ok(moves) => moves,
            Err(outcome) => {
                assert_eq!(game.outcome(state), Some(outcome), "{at}");
                return 0;
            }
        };
        assert_eq!(game.outcome(state), None, "{at}");
        let moves = moves(game, state, &expected, &at);
        recorded(game, state, &mut Offer::new(), &at);
        single_plies(game, state, &at);
        settled(game, slow, state, &position, &at);
        visit(state, &moves);
        moves.len() as u32
    }
}

/// Moves of a state. Checks that they are the moves of the reference, with the same positions after
/// them.
fn moves<W: BoardWord, M: MoveBits>(
    game: &TextRules<W, M>,
    state: &State<W>,
    expected: &[Played],
    at: &str,
) -> Vec<M> {
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    let fast: BTreeMap<String, M> = moves.iter().map(|&m| (game.move_text(state, m), m)).collect();
    assert_eq!(fast.len(), moves.len(), "two moves have one text: {at}");
    assert_eq!(game.move_count(state) as usize, moves.len(), "{at}");
    let some = moves.iter().enumerate().step_by(moves.len().div_ceil(4));
    for (n, &m) in some.chain(moves.iter().enumerate().last()) {
        assert_eq!(game.nth_move(state, n as u32, &mut Vec::new()), m, "move {n} of {at}");
    }
    let texts: Vec<&String> = fast.keys().collect();
    let mut wanted: Vec<&String> = expected.iter().map(|played| &played.text).collect();
    wanted.sort_unstable();
    assert_eq!(texts, wanted, "the moves of {at}");
    for played in expected {
        let m = fast[&played.text];
        let mut after = *state;
        game.code.play(&mut after, m.bits());
        assert_eq!(game.position(&after), played.after, "after {} in {at}", played.text);
        let lasting = played.progress && game.code.lasting || !game.code.cyclic;
        assert_eq!(game.is_irreversible(state, m), lasting, "{} in {at}", played.text);
    }
    moves
}

/// Checks that the results of limits in a state are those of the reference.
fn settled<W: BoardWord, M: MoveBits>(
    game: &TextRules<W, M>,
    slow: &Reference,
    state: &State<W>,
    position: &Position,
    at: &str,
) {
    for end in [HistoryEnd::DrawPlies, HistoryEnd::Repetition, HistoryEnd::Capped] {
        let body = &slow.program.body;
        let settled = match end {
            HistoryEnd::DrawPlies => body.quiet.as_ref().map(|(_, settled)| settled),
            HistoryEnd::Repetition => body.repetition.as_ref(),
            _ => None,
        };
        let expected = settled.map_or(treegauge_core::Outcome::Draw, |s| slow.settle(position, s));
        assert_eq!(game.settle(state, end), expected, "{at}");
    }
}

pub(super) fn agree(name: &str, program: &Arc<Program>, games: u32, plies: u32, seed: u64) {
    visit(program, Plies(1_000), Agree { name, games, plies, seed, moves_max: u32::MAX });
}

/// Text with some words replaced by other words of the language or of the text.
fn changed(source: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut pick = |n: usize| uniform_below(rng, n as u32) as usize;
    let mut text = source.to_owned();
    for _ in 0..=pick(2) {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "-<>=+".contains(c);
        let mut words: Vec<(usize, usize)> = Vec::new();
        let mut begin = None;
        for (at, c) in text.char_indices() {
            match (begin, is_word(c)) {
                (None, true) => begin = Some(at),
                (Some(from), false) => {
                    words.push((from, at));
                    begin = None;
                }
                _ => {}
            }
        }
        let (from, to) = words[pick(words.len())];
        let new = match pick(4) {
            0 => crate::WORDS[pick(crate::WORDS.len())].name.to_owned(),
            1 => crate::WORDS[pick(crate::WORDS.len())].example.to_owned(),
            2 => pick(5).to_string(),
            _ => {
                let (from, to) = words[pick(words.len())];
                text[from..to].to_owned()
            }
        };
        text.replace_range(from..to, &new);
    }
    text
}

/// Combinations that nobody wrote by hand: each is a changed text that is still a valid game.
#[test]
fn changed_texts_are_played_as_the_language_is_defined() {
    let texts: Vec<(String, String)> = super::texts("rules")
        .into_iter()
        .filter(|(name, _)| {
            let large = ["gomoku", "mnk", "connect6", "hex", "go_capture", "yavalath", "amazons"];
            let many = ["palisade", "forms", "qubic", "isola", "isolation_queen"];
            !large.contains(&name.as_str()) && !many.contains(&name.as_str())
        })
        .collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut games, mut tried) = (0u32, 0);
    while games < 120 {
        tried += 1;
        assert!(tried < 20_000, "only {games} changed texts are games");
        let (_, source) = &texts[uniform_below(&mut rng, texts.len() as u32) as usize];
        let source = changed(source, &mut rng);
        let Ok(program) = crate::Text::read(&source).and_then(|text| text.check()) else {
            continue;
        };
        if program.board.len() > 64 {
            continue;
        }
        games += 1;
        let program = Arc::new(program);
        // Every game can be explained and linted.
        for section in crate::explain(&program).sections {
            for paragraph in section.paragraphs {
                assert!(paragraph.text.ends_with(['.', ':']), "{source}: {}", paragraph.text);
            }
        }
        assert!(crate::statics(&program).iter().all(|warning| !warning.message.is_empty()));
        agree(&source, &program, 1, 8, u64::from(games));
    }
}

#[test]
fn every_text_is_played_as_the_language_is_defined() {
    for (name, program) in programs() {
        // The cost of one ply of the reference grows with the number of moves.
        let (games, plies) = match program.board.len() {
            0..=30 => (12, 60),
            31..=64 => (3, 50),
            65..=130 => (2, 20),
            _ => (1, 6),
        };
        agree(&name, &program, games, plies, 7);
    }
}
